//! `reqgate explain RULE`: explains a rule on a terminal, as Markdown or as JSON, or all rules at once.

use reqgate::config::RuleLevel;
use reqgate::model::Language;
use reqgate::report::escaped_markdown;
use reqgate::suggest::did_you_mean;
use serde_json::json;

use super::super::arguments::{ColorWhen, ExplainFormat};
use super::super::exit::Failure;
use super::super::outputs;
use super::super::page::Page;
use super::super::rule_details::{self, Kind, RuleDetails};
use super::super::session::Session;

/// The headings of the parts, in one language.
struct Labels {
    rules: &'static str,
    why: &'static str,
    question: &'static str,
    fix: &'static str,
    fires: &'static str,
    silent: &'static str,
    one_language: &'static str,
    source: &'static str,
    precision: &'static str,
    right: &'static str,
    wrong: &'static str,
    demoted: &'static str,
    only_asks: &'static str,
    switch: &'static str,
    guardrail: &'static str,
    colon: &'static str,
}

const ENGLISH: Labels = Labels {
    rules: "Rules",
    why: "Why it matters",
    question: "Question to the author",
    fix: "What to write instead",
    fires: "Fires on",
    silent: "Does not fire on",
    one_language: "One language only",
    source: "Source",
    precision: "How often it was right on labelled text (95 % interval)",
    right: "right",
    wrong: "wrong",
    demoted: "Warns instead of blocking, because this is below the precision floor of",
    only_asks: "A blocker that only asks, because `blocks` does not name it, under the policies",
    switch: "To switch it off or change its level, in .reqgate.yaml",
    guardrail: "To change the action, set guardrail.actions in .reqgate.yaml",
    colon: ": ",
};

const CHINESE: Labels = Labels {
    rules: "规则",
    why: "为什么重要",
    question: "要问作者的问题",
    fix: "应该怎么写",
    fires: "会报告的例子",
    silent: "不会报告的例子",
    one_language: "只支持一种语言",
    source: "来源",
    precision: "在已标注文本上的准确率（95% 置信区间）",
    right: "对",
    wrong: "错",
    demoted: "本应阻断，但准确率低于下限，因此只警告：下限为",
    only_asks: "在以下策略下不阻断、只提问，因为它们的 blocks 没有列出此规则：",
    switch: "在 .reqgate.yaml 中关闭它或调整级别",
    guardrail: "在 .reqgate.yaml 的 guardrail.actions 中调整处理方式",
    colon: "：",
};

impl Labels {
    fn of(language: Language) -> &'static Self {
        language.of(&ENGLISH, &CHINESE)
    }
}

/// Explains a rule of any kind on a terminal.
///
/// # Errors
/// Fails if a rule of that name does not exist.
pub(super) fn explain(page: &mut Page, session: &Session, name: &str, language: Language) -> Result<(), Failure> {
    let rule = found(session, name, language)?;
    shown(page, session, &rule, Labels::of(language));
    Ok(())
}

/// The explanation of a rule as Markdown or JSON.
///
/// # Errors
/// Fails if a rule of that name does not exist.
pub(super) fn written(
    session: &Session,
    name: &str,
    format: ExplainFormat,
    language: Language,
) -> Result<String, Failure> {
    let rule = found(session, name, language)?;
    match format {
        ExplainFormat::Json => outputs::json("the rule", &rule),
        _ => Ok(markdown(&rule, 1, Labels::of(language))),
    }
}

/// The explanations of all rules.
///
/// # Errors
/// Fails if they cannot be written as JSON.
pub(super) fn listed(
    session: &Session,
    format: ExplainFormat,
    language: Language,
    color: ColorWhen,
) -> Result<String, Failure> {
    let (all, labels) = (rule_details::all(session, language), Labels::of(language));
    match format {
        ExplainFormat::Json => outputs::json("the rules", &json!({ "rules": all })),
        ExplainFormat::Markdown => {
            let pages = all.iter().map(|rule| format!("\n{}", markdown(rule, 2, labels)));
            Ok(format!("# {}\n{}", labels.rules, pages.collect::<String>()))
        }
        ExplainFormat::Human => {
            let mut page = Page::new(color);
            for (index, rule) in all.iter().enumerate() {
                if index > 0 {
                    page.line("");
                }
                shown(&mut page, session, rule, labels);
            }
            Ok(page.text)
        }
    }
}

fn found(session: &Session, name: &str, language: Language) -> Result<RuleDetails, Failure> {
    rule_details::find(session, name, language).ok_or_else(|| {
        let known = rule_details::ids(session);
        let hint = did_you_mean(name, known.iter().map(String::as_str));
        let hint = if hint.is_empty() { ": run `reqgate rules` to list them".to_owned() } else { hint };
        Failure::usage(format!("there is no rule `{name}`{hint}"))
    })
}

/// The level, the category and the languages of a rule, e.g. `warning · AMBIGUITY · en, zh`.
fn facts(rule: &RuleDetails) -> String {
    let level = match rule.kind {
        Kind::Rule => RuleLevel::name_of(rule.severity_in_force),
        _ => rule.origin.as_str(),
    };
    let languages = Some(rule.languages.join(", ")).filter(|languages| !languages.is_empty());
    let parts = [Some(level.to_owned()), Some(rule.category.name().to_owned()), languages];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// The sentence about the policies under which a blocker only asks.
fn only_asks(rule: &RuleDetails, labels: &Labels) -> Option<String> {
    let policies = rule.only_asks_under.join(", ");
    (!policies.is_empty()).then(|| format!("{} {policies}", labels.only_asks))
}

/// The parts with a heading before the examples.
fn advice(rule: &RuleDetails, labels: &Labels) -> [(&'static str, String); 3] {
    let [why, question, fix] = rule.advice();
    [(labels.why, why), (labels.question, question), (labels.fix, fix)]
}

fn shown(page: &mut Page, session: &Session, rule: &RuleDetails, labels: &Labels) {
    let id = page.bold(rule.id.as_str());
    page.line(&format!("{id}  {}", facts(rule)));
    page.paragraph(&rule.summary);
    if let Some(words) = only_asks(rule, labels) {
        page.paragraph(&words);
    }
    for (label, text) in advice(rule, labels) {
        page.heading(label);
        page.paragraph(&text);
    }
    for (label, examples) in [(labels.fires, &rule.fires), (labels.silent, &rule.silent)] {
        if let Some(example) = examples.first() {
            page.heading(label);
            page.quotation(example);
        }
    }
    if let Some(reason) = &rule.one_language {
        page.heading(labels.one_language);
        page.paragraph(reason);
    }
    if let Some(measured) = rule.precision {
        page.heading(labels.precision);
        page.paragraph(&measured.words());
        for (origin, tally) in &rule.precision_by_origin {
            page.line(&format!("    {origin}: {} {}, {} {}", tally.right, labels.right, tally.wrong, labels.wrong));
        }
        if rule.demoted {
            page.paragraph(&format!("{} {:.2}", labels.demoted, session.config.precision_floor.value));
        }
    }
    if let Some(source) = rule.source.as_ref().filter(|_| rule.kind == Kind::Rule) {
        page.heading(labels.source);
        page.paragraph(source);
    }
    let levels = match rule.kind {
        Kind::Guardrail => return page.heading(labels.guardrail),
        Kind::Model => "off, warning",
        Kind::Rule | Kind::Form => "off, warning, blocker",
    };
    page.heading(labels.switch);
    page.line("  rules:");
    page.line(&format!("    {}: off    # {levels}", rule.id));
}

/// The page of a rule, with a heading of this level.
fn markdown(rule: &RuleDetails, level: usize, labels: &Labels) -> String {
    let mut page =
        format!("{} {}\n\n{}\n\n`{}`\n", "#".repeat(level), rule.id, escaped_markdown(&rule.summary), facts(rule));
    if let Some(words) = only_asks(rule, labels) {
        page.push_str(&format!("\n{}\n", escaped_markdown(&words)));
    }
    let mut part = |label: &str, words: &str| {
        page.push_str(&format!("\n**{label}**{}{}\n", labels.colon, escaped_markdown(words)));
    };
    for (label, words) in advice(rule, labels) {
        part(label, &words);
    }
    if let Some(reason) = &rule.one_language {
        part(labels.one_language, reason);
    }
    if let Some(measured) = rule.precision {
        part(labels.precision, &measured.words());
    }
    if let Some(source) = &rule.source {
        part(labels.source, source);
    }
    for (label, examples) in [(labels.fires, &rule.fires), (labels.silent, &rule.silent)] {
        for example in examples.iter().take(MOST_EXAMPLES) {
            page.push_str(&format!("\n**{label}**\n\n{}\n", fenced(example)));
        }
    }
    page
}

/// The number of examples of each kind on a page.
const MOST_EXAMPLES: usize = 1;

/// A text in a fence that is longer than every fence in it.
fn fenced(text: &str) -> String {
    let runs = text.split(|c| c != '`').map(str::len);
    let fence = "`".repeat(runs.max().unwrap_or(0).max(2) + 1);
    format!("{fence}text\n{text}\n{fence}")
}
