//! Everything that is known about a rule, for `rules` and `explain`: its words and examples, its level in force, and its precision.

use std::collections::BTreeMap;

use reqgate::catalog;
use reqgate::model::{Category, Language, MeasuredPrecision, RuleCard, RuleId, Severity, without_holes};
use reqgate::rules::{Detect, Example, Profile, Rule, Tally};
use serde::Serialize;

use super::session::Session;

/// The origin of a rule's findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    /// A file of rules.
    Rule,
    /// A pattern of the guardrail.
    Guardrail,
    /// A question to a model.
    Model,
    /// An issue form of the repository.
    Form,
}

/// A rule with everything that people and programs may ask about it.
#[derive(Debug, Serialize)]
pub(super) struct RuleDetails {
    pub id: RuleId,
    pub kind: Kind,
    pub category: Category,
    /// The rule's own severity.
    pub severity: Severity,
    /// The severity in this project; `None` if the rule is off.
    pub severity_in_force: Option<Severity>,
    /// The origin of the severity in force.
    pub origin: String,
    pub languages: Vec<&'static str>,
    pub profiles: Vec<Profile>,
    pub summary: String,
    pub why: String,
    pub question: String,
    pub fix: String,
    pub source: Option<String>,
    pub precision: Option<MeasuredPrecision>,
    pub precision_by_origin: BTreeMap<String, Tally>,
    /// It would block, but was wrong too often.
    pub demoted: bool,
    /// The policies under which this blocker only asks.
    pub only_asks_under: Vec<String>,
    /// The reason why it reads one language only.
    pub one_language: Option<String>,
    /// Examples in which it fires.
    pub fires: Vec<String>,
    /// Examples in which it does not.
    pub silent: Vec<String>,
    /// The address of its page.
    pub page: Option<String>,
}

impl RuleDetails {
    /// The details of a rule with a file, in English.
    pub(super) fn of(session: &Session, rule: &Rule) -> Self {
        Self::in_language(session, rule, Language::En)
    }

    /// The details of a rule with a file. Examples in the language come first, because a reader understands them best.
    pub(super) fn in_language(session: &Session, rule: &Rule, language: Language) -> Self {
        let words = rule.wording(language);
        let (severity_in_force, origin) = in_force(session, rule);
        let is_set = session.config.severities.contains_key(&rule.file.id);
        let silent = session.book.policies_that_only_ask(&rule.file).filter(|_| !is_set);
        let only_asks_under = silent.map(str::to_owned).collect();
        Self {
            severity_in_force,
            origin: origin.unwrap_or_else(|| "rule".to_owned()),
            languages: languages(rule).map(code),
            profiles: rule.file.profiles.clone(),
            summary: words.summary.clone(),
            why: words.why.clone(),
            question: words.question.clone(),
            fix: words.fix.clone(),
            precision: measured(session, rule),
            precision_by_origin: by_origin(session, rule),
            demoted: is_demoted(session, rule),
            only_asks_under,
            one_language: rule.file.one_language.clone(),
            fires: texts(&rule.file.examples.fires, language),
            silent: texts(&rule.file.examples.silent, language),
            ..Self::of_card(&rule.card(), Kind::Rule)
        }
    }

    /// The details of findings without a rule file.
    pub(super) fn of_card(card: &RuleCard, kind: Kind) -> Self {
        let origin = match kind {
            Kind::Rule => "rule",
            Kind::Guardrail => "guardrail",
            Kind::Model => "model",
            Kind::Form => "form",
        };
        Self {
            id: card.id.clone(),
            kind,
            category: card.category,
            severity: card.severity,
            severity_in_force: Some(card.severity),
            origin: origin.to_owned(),
            languages: Vec::new(),
            profiles: Vec::new(),
            summary: card.summary.clone(),
            why: card.why.clone(),
            question: card.question.clone(),
            fix: card.fix.clone(),
            source: card.source.clone(),
            precision: None,
            precision_by_origin: BTreeMap::new(),
            demoted: false,
            only_asks_under: Vec::new(),
            one_language: None,
            fires: card.bad_example.iter().cloned().collect(),
            silent: card.good_example.iter().cloned().collect(),
            page: card.page.clone(),
        }
    }

    /// The words of the rule with an ellipsis where those of a text belong: reason, question and fix.
    pub(super) fn advice(&self) -> [String; 3] {
        [&self.why, &self.question, &self.fix].map(|words| without_holes(words))
    }
}

/// The details of all rules: those with a file, then those of issue forms and of a model. The patterns of the guardrail are left out: they
/// differ only in the value that they find.
pub(super) fn all(session: &Session, language: Language) -> Vec<RuleDetails> {
    let rules = session.book.rules.iter().map(|rule| RuleDetails::in_language(session, rule, language));
    rules.chain(without_a_file(session).filter(|rule| rule.kind != Kind::Guardrail)).collect()
}

/// The ids of rules of every kind.
pub(super) fn ids(session: &Session) -> Vec<String> {
    let rules = session.book.rules.iter().map(|rule| rule.file.id.to_string());
    rules.chain(without_a_file(session).map(|rule| rule.id.to_string())).collect()
}

/// The details of a rule of any kind.
pub(super) fn find(session: &Session, id: &str, language: Language) -> Option<RuleDetails> {
    let rule = session.book.rules.iter().find(|rule| rule.file.id.as_str() == id);
    let of_rule = rule.map(|rule| RuleDetails::in_language(session, rule, language));
    of_rule.or_else(|| without_a_file(session).find(|details| details.id.as_str() == id))
}

fn without_a_file(session: &Session) -> impl Iterator<Item = RuleDetails> {
    let of = |kind| move |card: RuleCard| RuleDetails::of_card(&card, kind);
    let forms = catalog::form_cards().into_iter().map(of(Kind::Form));
    let models = catalog::question_cards(&session.book).into_iter().map(of(Kind::Model));
    forms.chain(models).chain(catalog::guardrail_cards(&session.patterns).into_iter().map(of(Kind::Guardrail)))
}

/// The texts of examples, those in the language first.
fn texts(examples: &[Example], language: Language) -> Vec<String> {
    let is_chinese = |text: &str| text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
    let mut texts: Vec<String> = examples.iter().map(|example| example.text.trim().to_owned()).collect();
    texts.sort_by_key(|text| is_chinese(text) != (language == Language::Zh));
    texts
}

/// The severity that the configuration sets for a rule, and the origin of this setting; a rubric may still differ.
pub(super) fn in_force(session: &Session, rule: &Rule) -> (Option<Severity>, Option<String>) {
    match session.config.severities.get(&rule.file.id) {
        Some(set) => (set.value, Some(session.config.words(&set.origin))),
        None => (Some(rule.file.severity), None),
    }
}

/// The counts of right findings of a rule, by origin of the labels; the user's disputes come last.
fn by_origin(session: &Session, rule: &Rule) -> BTreeMap<String, Tally> {
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
