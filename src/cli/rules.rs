//! `reqgate rules`: lists the rules in force.

use std::collections::BTreeMap;
use std::fmt::Write;

use reqgate::catalog;
use reqgate::config::{Flags, RuleLevel};
use reqgate::model::{Language, MeasuredPrecision, Severity};
use reqgate::rules::{Detect, Rule, Tally};
use serde_json::json;

use super::arguments::{ColorWhen, RulesArguments, RulesCommand, TextOrJson};
use super::exit::Failure;
use super::page::Page;
use super::session::{self, Extent, Session};
use super::{new_rule, outputs, rule_examples, terminal};

pub(super) fn run(arguments: &RulesArguments, color: ColorWhen) -> Result<u8, Failure> {
    match &arguments.command {
        Some(RulesCommand::Test { folder }) => return rule_examples::run(folder),
        Some(RulesCommand::New(new)) => return new_rule::run(new),
        None => {}
    }
    let config = session::configuration(&arguments.configuration, Flags::default())?;
    let session = Session::open(config, terminal::today(), Extent::Teaching)?;
    let text = match arguments.format {
        TextOrJson::Human => human(&session, arguments.guardrail, color),
        TextOrJson::Json => json(&session, arguments.guardrail),
    };
    outputs::print(&text)?;
    Ok(0)
}

fn human(session: &Session, with_guardrail: bool, color: ColorWhen) -> String {
    let mut page = Page::new(color);
    let widest = |lengths: &mut dyn Iterator<Item = usize>| lengths.max().unwrap_or(0);
    let ids = widest(&mut session.book.rules.iter().map(|rule| rule.file.id.as_str().len()));
    for rule in &session.book.rules {
        let (severity, origin) = in_force(session, rule);
        let demoted = is_demoted(session, rule);
        let severity = if demoted { Some(Severity::Warning) } else { severity };
        let level = if demoted { "demoted" } else { RuleLevel::name_of(severity) };
        let id = page.bold(&format!("{:ids$}", rule.file.id.as_str()));
        let level = match severity {
            Some(Severity::Blocker) => page.red(&format!("{level:8}")),
            Some(Severity::Warning) => page.yellow(&format!("{level:8}")),
            None => page.faint(&format!("{level:8}")),
        };
        let languages = languages(rule).map(code).join(" ");
        let category = rule.file.category.name();
        let summary = &rule.file.wording.en.summary;
        let right = measured(session, rule).map(|measured| format!("  right {}", measured.words())).unwrap_or_default();
        let set = origin.map(|origin| format!("  ({origin})")).unwrap_or_default();
        page.line(&format!("{id}  {level} {category:13}  {languages:5}  {summary}{set}{}", page.faint(&right)));
    }
    let count = session.book.rules.len();
    if with_guardrail {
        page.line("");
        for card in catalog::guardrail_cards(&session.patterns) {
            let id = page.bold(&format!("{:ids$}", card.id.as_str()));
            page.line(&format!("{id}  {:8} {:13}  {:5}  {}", "guard", card.category.name(), "", card.summary));
        }
    } else {
        page.line(&format!(
            "\n{count} rules; `reqgate explain RULE` explains one, --guardrail also lists the guardrail's patterns"
        ));
    }
    page.text
}

fn json(session: &Session, with_guardrail: bool) -> String {
    let rule = |rule: &Rule| {
        let (severity, origin) = in_force(session, rule);
        let card = rule.card();
        json!({
            "id": card.id, "category": card.category, "severity": card.severity,
            "severity_in_force": severity, "origin": origin.unwrap_or_else(|| "rule".to_owned()),
            "languages": languages(rule).map(code), "profiles": rule.file.profiles,
            "summary": card.summary, "why": card.why, "question": card.question, "fix": card.fix,
            "source": card.source, "precision": measured(session, rule), "precision_by_origin": by_origin(session, rule),
            "demoted": is_demoted(session, rule),
        })
    };
    let mut listed: Vec<serde_json::Value> = session.book.rules.iter().map(rule).collect();
    if with_guardrail {
        listed.extend(catalog::guardrail_cards(&session.patterns).iter().map(|card| {
            json!({ "id": card.id, "category": card.category, "severity": card.severity, "origin": "guardrail",
                    "summary": card.summary, "why": card.why, "question": card.question, "fix": card.fix })
        }));
    }
    let mut text = serde_json::to_string_pretty(&json!({ "rules": listed })).unwrap_or_default();
    let _ = writeln!(text);
    text
}

/// The severity that the configuration sets for a rule, and the origin of this setting; a rubric may still differ.
pub(super) fn in_force(session: &Session, rule: &Rule) -> (Option<Severity>, Option<String>) {
    match session.config.severities.get(&rule.file.id) {
        Some(set) => (set.value, Some(session.config.words(&set.origin))),
        None => (Some(rule.file.severity), None),
    }
}

/// The counts of right findings of a rule, by origin of the labels; the user's disputes come last.
pub(super) fn by_origin(session: &Session, rule: &Rule) -> BTreeMap<String, Tally> {
    let mut origins: BTreeMap<String, Tally> = session.book.precision_of(&rule.file.id).into_iter().collect();
    if let Some(tally) = session.recorded.get(&rule.file.id) {
        origins.insert(DISPUTES.to_owned(), *tally);
    }
    origins
}

/// The origin name of recorded disputes.
const DISPUTES: &str = "disputes recorded here";

/// The measured precision of a rule over all origins.
pub(super) fn measured(session: &Session, rule: &Rule) -> Option<MeasuredPrecision> {
    by_origin(session, rule).into_values().fold(Tally::default(), Tally::plus).measured()
}

/// Returns true if the rule would block but may not, because its measured precision is too low.
pub(super) fn is_demoted(session: &Session, rule: &Rule) -> bool {
    let blocks = in_force(session, rule).0 == Some(Severity::Blocker);
    blocks && measured(session, rule).is_some_and(|measured| measured.is_below(session.config.precision_floor.value))
}

/// The languages of the texts that a rule reads.
pub(super) fn languages(rule: &Rule) -> Languages {
    let only = match (&rule.file.one_language, &rule.file.detect) {
        (None, _) => None,
        (Some(_), Detect::Terms { list, .. }) if list.en.is_empty() => Some(Language::Zh),
        (Some(_), Detect::Patterns { expressions, .. })
            if expressions.iter().all(|pattern| pattern.lang == Some(Language::Zh)) =>
        {
            Some(Language::Zh)
        }
        (Some(_), _) => Some(Language::En),
    };
    Languages(only.map_or_else(|| vec![Language::En, Language::Zh], |only| vec![only]))
}

/// The languages of a rule.
pub(super) struct Languages(Vec<Language>);

impl Languages {
    /// Applies a function to each language.
    pub(super) fn map<T>(&self, to: impl Fn(Language) -> T) -> Vec<T> {
        self.0.iter().map(|language| to(*language)).collect()
    }
}

/// The code of a language, e.g. `en`.
pub(super) fn code(language: Language) -> &'static str {
    match language {
        Language::En => "en",
        Language::Zh => "zh",
    }
}
