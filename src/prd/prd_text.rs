//! Assembles `prd.md`: status, utterance, brief, approved requirements and the table of traces, in the language of the brief.

use super::brief::BriefSection;
use super::prd_input::{PrdInput, Revision, priority_shown, status_name};
use super::{Decided, DocumentStatus, OpenQuestion, Requirement, SourceQuote, Statement, markup};
use crate::model::Language;

/// The longest quote in the table of traces, in characters.
const LONGEST_QUOTE: usize = 120;

/// The PRD as Markdown with the front matter that the gate reads. Same input, same bytes.
pub fn render_prd(input: &PrdInput<'_>) -> String {
    let words = Headings::of(input.brief.language);
    let mut out = front_matter(input);
    push(&mut out, &format!("# {}", one_line(&input.brief.title)));
    push(&mut out, &format!("## {}", words.status));
    let status = input.status;
    push(
        &mut out,
        &table(
            &words.status_columns,
            &[[
                one_line(&status.author),
                one_line(&status.last_modified),
                status_in(status.status, words.language).to_owned(),
            ]],
        ),
    );
    push(&mut out, &format!("## {}", words.utterance));
    push(&mut out, &quoted(input.utterance));
    push(&mut out, &format!("## {}", words.brief));
    brief(input, &words, &mut out);
    let (quality, functional): (Vec<_>, Vec<_>) =
        input.included().partition(|(requirement, _)| requirement.id.is_quality());
    requirements(words.functional, &functional, &words, &mut out);
    if !quality.is_empty() {
        requirements(words.quality, &quality, &words, &mut out);
    }
    let left_open: Vec<String> = input.left_open().iter().map(|words| item(words)).collect();
    if !left_open.is_empty() {
        push(&mut out, &format!("## {}", words.left_open));
        push(&mut out, &left_open.join("\n"));
    }
    notes(input, &words, &mut out);
    traces(input, &words, &mut out);
    out
}

fn front_matter(input: &PrdInput<'_>) -> String {
    let quoted = |words: &str| serde_json::Value::from(bare_line(words)).to_string();
    let mut out = String::from("---\n");
    if let Some(project) = input.project_id {
        out.push_str(&format!("project_id: {}\n", quoted(project)));
    }
    let status = input.status;
    out.push_str(&format!("feature_id: {}\n", input.feature_id));
    out.push_str(&format!("title: {}\n", quoted(&input.brief.title)));
    out.push_str(&format!("type: feature\nsource: prd\nversion: \"{}\"\n", input.version()));
    out.push_str(&format!("status: {}\n", status_name(status.status)));
    out.push_str(&format!("updated: {}\n", bare_line(&status.last_modified)));
    out.push_str(&format!("owner: {}\n", quoted(&status.author)));
    out.push_str(&format!("language: {}\n---\n", input.brief.language.name()));
    out
}

fn brief(input: &PrdInput<'_>, words: &Headings, out: &mut String) {
    let brief = input.brief;
    for section in BriefSection::ALL {
        let statements = brief.statements(section);
        let own = |statement: &&Statement| match section {
            BriefSection::Goals | BriefSection::Flows | BriefSection::Constraints => !input.leaves_out(statement),
            _ => true,
        };
        let lines: Vec<String> = match section {
            BriefSection::OutOfScope => input.out_of_scope().iter().map(|text| item(text)).collect(),
            _ => statements.iter().filter(own).map(|statement| item(&statement.text)).collect(),
        };
        if !lines.is_empty() {
            push(out, &format!("### {}", words.section(section)));
            push(out, &lines.join("\n"));
        }
    }
    let (answered, open): (Vec<_>, Vec<_>) =
        brief.open_questions.iter().partition(|question| question.answer.is_some());
    let shown = |question: &OpenQuestion| match &question.answer {
        Some(answer) => item(&format!("{} {answer}", question.question)),
        None => item(&question.question),
    };
    for (heading, questions) in [(words.answered, answered), (words.open, open)] {
        if !questions.is_empty() {
            push(out, &format!("### {heading}"));
            push(out, &questions.into_iter().map(shown).collect::<Vec<_>>().join("\n"));
        }
    }
    for other in brief.other_sections.iter().filter(|other| !other.text.trim().is_empty() && !other.heading.is_empty())
    {
        push(out, &format!("### {}", one_line(&other.heading)));
        push(out, &other.text.trim().lines().map(markup::escaped).collect::<Vec<_>>().join("\n"));
    }
}

fn requirements(heading: &str, list: &[(&Requirement, Option<&str>)], words: &Headings, out: &mut String) {
    push(out, &format!("## {heading}"));
    let rows: Vec<[String; 5]> = list
        .iter()
        .map(|(requirement, _)| {
            let criteria: Vec<String> = own_criteria(requirement).map(|criterion| one_line(criterion)).collect();
            [
                requirement.id.to_string(),
                one_line(&requirement.description),
                if criteria.is_empty() { "–".to_owned() } else { criteria.join("<br>") },
                priority_shown(requirement.priority).to_owned(),
                one_line(&requirement.category),
            ]
        })
        .collect();
    if rows.is_empty() {
        push(out, words.none);
    } else {
        push(out, &table(&words.requirement_columns, &rows));
    }
}

fn notes(input: &PrdInput<'_>, words: &Headings, out: &mut String) {
    let revisions = input.revisions.iter().map(|revision| {
        let Revision { version, reason, actor, on } = revision;
        item(&format!("{version}.0, {}, {}: {}", bare_line(on), bare_line(actor), bare_line(reason)))
    });
    let modified = input
        .included()
        .filter_map(|(requirement, notes)| notes.map(|notes| item(&format!("{}: {notes}", requirement.id))));
    let rejected = input.requirements.iter().filter_map(|(requirement, decided)| {
        let Decided::Rejected { reason } = decided else { return None };
        let Requirement { id, title, .. } = requirement;
        Some(item(&format!("{id} ({}): {}{}", bare_line(title), words.rejected, bare_line(reason))))
    });
    let notes: Vec<String> = revisions.chain(modified).chain(rejected).collect();
    if !notes.is_empty() {
        push(out, &format!("## {}", words.notes));
        push(out, &notes.join("\n"));
    }
}

fn traces(input: &PrdInput<'_>, words: &Headings, out: &mut String) {
    push(out, &format!("## {}", words.traces));
    let rows: Vec<[String; 3]> = input
        .traceability()
        .into_iter()
        .zip(input.included())
        .map(|(row, (requirement, _))| {
            let own = row.criterion_ids.iter().zip(&requirement.acceptance_criteria);
            let own = own.filter(|(_, criterion)| **criterion != requirement.description).map(|(id, _)| id.clone());
            let mut quotes: Vec<String> = Vec::new();
            for SourceQuote { source, line, quote } in &requirement.sources {
                let quote = one_line(&shortened(quote));
                let shown = format!("{}:{line} “{quote}”", one_line(source));
                if !quotes.contains(&shown) {
                    quotes.push(shown);
                }
            }
            let or_none = |cells: Vec<String>, between| match cells.is_empty() {
                true => "–".to_owned(),
                false => cells.join(between),
            };
            [row.requirement_id.to_string(), or_none(own.collect(), ", "), or_none(quotes, "<br>")]
        })
        .collect();
    push(out, &table(&words.trace_columns, &rows));
}

/// The beginning of a quote.
fn shortened(quote: &str) -> String {
    let words = bare_line(quote);
    match words.char_indices().nth(LONGEST_QUOTE) {
        Some((end, _)) => format!("{}…", words[..end].trim_end()),
        None => words,
    }
}

/// The status in words.
pub(super) fn status_in(status: DocumentStatus, language: Language) -> &'static str {
    match status {
        DocumentStatus::Draft => language.of("draft", "草稿"),
        DocumentStatus::InReview => language.of("in review", "评审中"),
        DocumentStatus::Approved => language.of("approved", "已批准"),
        DocumentStatus::InProgress => language.of("in progress", "实施中"),
        DocumentStatus::Complete => language.of("complete", "已完成"),
    }
}

/// The criteria that say more than the requirement itself.
fn own_criteria(requirement: &Requirement) -> impl Iterator<Item = &String> {
    requirement.acceptance_criteria.iter().filter(|criterion| **criterion != requirement.description)
}

/// Adds a part with an empty line before it.
fn push(out: &mut String, part: &str) {
    out.push('\n');
    out.push_str(part);
    out.push('\n');
}

fn table<const N: usize>(columns: &[&str; N], rows: &[[String; N]]) -> String {
    let line = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
    let mut out =
        vec![line(columns.iter().map(|column| (*column).to_owned()).collect()), line(vec!["---".to_owned(); N])];
    out.extend(rows.iter().map(|row| line(row.iter().map(|cell| cell.replace('|', "\\|")).collect())));
    out.join("\n")
}

fn item(words: &str) -> String {
    format!("- {}", one_line(words))
}

/// Words on one line, as text.
fn one_line(words: &str) -> String {
    markup::escaped(&bare_line(words))
}

/// Words on one line, as they are.
fn bare_line(words: &str) -> String {
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn quoted(words: &str) -> String {
    words
        .trim()
        .lines()
        .map(|line| format!("> {}", markup::escaped(line.trim_end())).trim_end().to_owned())
        .collect::<Vec<_>>()
        .join("\n")
}

/// Whether a section is put together from decisions, so that no words of an author belong there.
pub fn is_made_from_decisions(heading: &str) -> bool {
    [Language::En, Language::Zh].map(Headings::of).iter().any(|words| {
        let made = [words.status, words.functional, words.quality, words.notes, words.traces, words.left_open];
        made.iter().any(|own| own.eq_ignore_ascii_case(heading.trim()))
    })
}

/// The words of the document in a language.
struct Headings {
    language: Language,
    status: &'static str,
    utterance: &'static str,
    brief: &'static str,
    functional: &'static str,
    quality: &'static str,
    notes: &'static str,
    traces: &'static str,
    answered: &'static str,
    open: &'static str,
    none: &'static str,
    status_columns: [&'static str; 3],
    requirement_columns: [&'static str; 5],
    trace_columns: [&'static str; 3],
    rejected: &'static str,
    left_open: &'static str,
}

impl Headings {
    fn of(language: Language) -> Self {
        match language {
            Language::En => Self {
                language,
                status: "Document status",
                utterance: "Original user utterance",
                brief: "Feature brief",
                functional: "Functional requirements",
                quality: "Non-functional requirements",
                notes: "Change log",
                traces: "Traceability table",
                answered: "Answered questions",
                open: "Open questions",
                none: "None approved yet.",
                status_columns: ["Author", "Last modified", "Status"],
                requirement_columns: ["ID", "Requirement", "Acceptance criteria", "Priority", "Category"],
                trace_columns: ["Requirement", "Criteria", "Source"],
                rejected: "rejected: ",
                left_open: "Known gaps",
            },
            Language::Zh => Self {
                language,
                status: "文档状态",
                utterance: "用户原话",
                brief: "功能简介",
                functional: "功能需求",
                quality: "非功能需求",
                notes: "变更记录",
                traces: "追溯表",
                answered: "已答复的问题",
                open: "待解问题",
                none: "尚无已批准的需求。",
                status_columns: ["作者", "最后修改", "状态"],
                requirement_columns: ["编号", "需求", "验收标准", "优先级", "类别"],
                trace_columns: ["需求", "验收标准", "来源"],
                rejected: "已驳回：",
                left_open: "已知缺口",
            },
        }
    }

    fn section(&self, section: BriefSection) -> &'static str {
        match (section, self.language) {
            (BriefSection::SuccessMeasures, Language::En) => "Success metrics",
            (BriefSection::OutOfScope, Language::Zh) => "不在范围",
            (BriefSection::Flows, Language::En) => "User journeys",
            (section, language) => section.heading(language),
        }
    }
}

mod data;
#[cfg(test)]
mod tests;

pub use data::followed;
