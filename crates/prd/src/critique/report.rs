//! The report of a critique: for programs, for a terminal, and as Markdown.

use anstyle::{AnsiColor, Style};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::perspective::perspective;
use super::second::opinion_in_lines;
use super::{ConsolidatedFeedback, Critique, Grade, Issue, Role, consolidate};
use crate::gaps::{Terminal, safe};
use crate::{GapSeverity, SourceQuote};
use reqgate_base::clean::one_line;
use reqgate_base::model::Language;

/// The name and version of the JSON format.
pub const SCHEMA: &str = "reqgate/critique/v1";

const BOLD: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();

/// The critiques of one document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CritiqueReport {
    /// The name and version of this format: `reqgate/critique/v1`.
    pub schema: String,
    /// The name of the document.
    pub document: String,
    /// The language of the texts.
    pub language: Language,
    /// Every critic has read the document; false if only its form was checked.
    pub read_for_meaning: bool,
    /// The critiques in the order director, design, engineering.
    pub critiques: Vec<Critique>,
    /// The critiques of all critics, combined.
    pub consolidated: ConsolidatedFeedback,
    /// A summary in one sentence.
    pub summary: String,
}

impl CritiqueReport {
    /// Builds the report of these critiques.
    pub fn new(document: &str, language: Language, mut critiques: Vec<Critique>) -> Self {
        critiques.sort_by_key(|critique| critique.critic_role);
        let consolidated = consolidate(&critiques);
        let read_for_meaning = critiques.iter().all(Critique::is_read);
        let summary = summary(&critiques, &consolidated, language);
        let (schema, document) = (SCHEMA.to_owned(), document.to_owned());
        Self { schema, document, language, read_for_meaning, critiques, consolidated, summary }
    }
}

fn summary(critiques: &[Critique], consolidated: &ConsolidatedFeedback, language: Language) -> String {
    let findings: usize = critiques.iter().map(|critique| critique.issues_found.len()).sum();
    let read = critiques.iter().filter(|critique| critique.is_read()).count();
    match (consolidated.average_score, language) {
        (None, Language::En) => {
            format!("checked for form, not read: {findings} finding{}", if findings == 1 { "" } else { "s" })
        }
        (None, Language::Zh) => format!("只检查了形式，未阅读：{findings} 处问题"),
        (Some(score), Language::En) => format!(
            "{}, {score:.1}/100, read by {read} of {} critics",
            consolidated.overall_grade.words(language),
            critiques.len()
        ),
        (Some(score), Language::Zh) => {
            format!(
                "{}，{score:.1}/100，{} 位评审中 {read} 位已阅读",
                consolidated.overall_grade.words(language),
                critiques.len()
            )
        }
    }
}

/// The note that only the form was checked, with the ways to have the document read.
fn not_read(language: Language) -> &'static str {
    language.of(
        "Checked for form, not read: that alone never passes. Whether the PRD makes sense is for a reader. Have a model read it with \
         `--model PROVIDER/NAME`; `--order` prints the orders for a coding agent or a person, and `--reading FILE` takes a result.",
        "只检查了形式，未阅读：这不等于通过。内容是否成立，需要有人读：用 `--model PROVIDER/NAME` 让模型来读；`--order` 输出给编码代理或人的工作单，`--reading FILE` 读入结果。",
    )
}

fn suggestion(language: Language) -> &'static str {
    language.of("Write: ", "建议：")
}

fn title(role: Role, language: Language) -> &'static str {
    perspective(role).title.of(language)
}

fn placed(place: Option<&SourceQuote>) -> String {
    place.map(|place| format!("{}:{}", place.source, place.line)).unwrap_or_default()
}

/// The grade and score of a critique.
fn verdict(critique: &Critique, language: Language) -> String {
    let grade = critique.grade.words(language);
    critique.score.map_or(grade.to_owned(), |score| format!("{grade}, {score}/100"))
}

/// The categories with their scores, in the order of the perspective.
fn categories(critique: &Critique, language: Language) -> Vec<String> {
    let own = perspective(critique.critic_role).categories.iter();
    own.filter_map(|category| {
        let score = critique.category_scores.get(&category.id)?;
        Some(format!("{} {score}", category.label.of(language)))
    })
    .collect()
}

fn unread_sections(critique: &Critique, language: Language) -> Option<String> {
    if critique.not_read.is_empty() {
        return None;
    }
    let parts: Vec<String> = critique
        .not_read
        .iter()
        .map(|part| match language {
            Language::En => format!("“{}” (line {})", part.section, part.line),
            Language::Zh => format!("“{}”（第 {} 行）", part.section, part.line),
        })
        .collect();
    let lead =
        language.of("Not checked, because it is prose or lists several things: ", "未检查（正文叙述或混合内容）：");
    Some(format!("{lead}{}", parts.join(language.of(", ", "、"))))
}

/// Renders the report for a terminal; text of the document is escaped.
pub fn human(report: &CritiqueReport, terminal: Terminal) -> String {
    let language = report.language;
    let colour = match report.consolidated.overall_grade {
        Grade::Pass => AnsiColor::Green,
        Grade::NeedsRevision | Grade::NotRead => AnsiColor::Yellow,
    };
    let summary = terminal.painted(colour.on_default().bold(), &report.summary);
    let mut out = format!("{}  {summary}\n", terminal.painted(BOLD, &one_line(&report.document)));
    for critique in &report.critiques {
        let name = terminal.painted(BOLD, title(critique.critic_role, language));
        out.push_str(&format!("\n{name}  {}\n", verdict(critique, language)));
        let categories = categories(critique, language);
        if !categories.is_empty() {
            out.push_str(&terminal.block(2, &categories.join(language.of(", ", "，"))));
        }
        for line in opinion_in_lines(critique, language) {
            out.push_str(&terminal.block(2, &line));
        }
        for issue in &critique.issues_found {
            out.push_str(&human_issue(issue, terminal, language));
        }
        for line in critique.advice.in_lines(language) {
            out.push_str(&terminal.block(2, &line));
        }
        for praise in &critique.commendations {
            out.push_str(&terminal.block(2, &format!("✓ {} {}", praise.text, placed(praise.place.as_ref()))));
        }
        if let Some(sections) = unread_sections(critique, language) {
            out.push_str(&terminal.block(2, &sections));
        }
    }
    for (lead, lines) in shared(report) {
        out.push_str(&format!("\n{}\n", terminal.painted(BOLD, lead)));
        lines.iter().for_each(|line| out.push_str(&terminal.block(2, &format!("• {line}"))));
    }
    if !report.read_for_meaning {
        out.push_str(&format!("\n{}", terminal.block(0, not_read(language))));
    }
    out
}

fn human_issue(issue: &Issue, terminal: Terminal, language: Language) -> String {
    let style = match issue.severity {
        GapSeverity::Critical | GapSeverity::High => AnsiColor::Red.on_default().bold(),
        GapSeverity::Medium | GapSeverity::Low => AnsiColor::Yellow.on_default(),
    };
    let severity = terminal.painted(style, issue.severity.words(language));
    let code = terminal.painted(FAINT, &one_line(&issue.code));
    let place = placed(issue.place.as_ref());
    let place =
        if place.is_empty() { String::new() } else { format!("  {}", terminal.painted(FAINT, &one_line(&place))) };
    let mut out = format!("  {severity}  {code}{place}\n");
    out.push_str(&terminal.block(4, &issue.what_in_words(language)));
    out.push_str(&terminal.block(4, &format!("{}{}", suggestion(language), issue.suggestion)));
    out
}

/// The sections about all critics: consensus and contradictions.
fn shared(report: &CritiqueReport) -> Vec<(&'static str, Vec<String>)> {
    let language = report.language;
    let all = &report.consolidated;
    let name = |role: Role| title(role, language);
    let consensus = all.consensus_issues.iter().map(|issue| {
        let critics: Vec<&str> = issue.critics.iter().map(|role| name(*role)).collect();
        format!("{} ({})", issue.what, critics.join(language.of(", ", "、")))
    });
    let conflicts = all
        .conflicting_feedback
        .iter()
        .map(|one| format!("{}: {} | {}: {}", name(one.critic1), one.suggestion1, name(one.critic2), one.suggestion2));
    let parts = [
        (language.of("Named by more than one critic", "多位评审共同指出"), consensus.collect::<Vec<_>>()),
        (
            language.of("Suggestions that cannot both be followed: choose one", "互相矛盾的建议：请选择其一"),
            conflicts.collect(),
        ),
    ];
    parts.into_iter().filter(|(_, lines)| !lines.is_empty()).collect()
}

/// Renders the report as Markdown.
pub fn markdown(report: &CritiqueReport) -> String {
    let language = report.language;
    let mut out = format!("# {}: {}\n\n{}\n", language.of("Critique", "评审"), safe(&report.document), report.summary);
    for critique in &report.critiques {
        out.push_str(&format!("\n## {} ({})\n\n", title(critique.critic_role, language), verdict(critique, language)));
        let categories = categories(critique, language);
        if !categories.is_empty() {
            out.push_str(&format!("{}\n\n", categories.join(language.of(", ", "，"))));
        }
        let opinion = opinion_in_lines(critique, language);
        opinion.iter().for_each(|line| out.push_str(&format!("{}\n\n", safe(line))));
        for issue in &critique.issues_found {
            let place = placed(issue.place.as_ref());
            let place = if place.is_empty() { place } else { format!(" *{}*", safe(&place)) };
            out.push_str(&format!(
                "- **{}** {}{place} (`{}`)\n",
                issue.severity.words(language),
                safe(&issue.what_in_words(language)),
                safe(&issue.code)
            ));
            out.push_str(&format!("  - {}{}\n", suggestion(language), safe(&issue.suggestion)));
        }
        for line in critique.advice.in_lines(language) {
            out.push_str(&format!("- {}\n", safe(&line)));
        }
        for praise in &critique.commendations {
            out.push_str(&format!("- ✓ {}\n", safe(&praise.text)));
        }
        if let Some(sections) = unread_sections(critique, language) {
            out.push_str(&format!("\n{}\n", safe(&sections)));
        }
    }
    for (lead, lines) in shared(report) {
        out.push_str(&format!("\n## {lead}\n\n"));
        lines.iter().for_each(|line| out.push_str(&format!("- {}\n", safe(line))));
    }
    if !report.read_for_meaning {
        out.push_str(&format!("\n{}\n", not_read(language)));
    }
    out
}
