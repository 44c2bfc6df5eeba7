//! The checks of the results of a team: outlines, findings, drafts and critiques.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use super::draft_faults::draft_faults;
use super::findings::{CompetitiveAnalysis, MarketResearch, UserResearch};
use super::marks::without_marks;
use crate::SourceQuote;
use crate::critique::{Document, ReadCritique, Readable, Role};
use crate::team::citations::cited;
use crate::team::{PrdOutline, ProductRequirementsDocument};
use crate::workflow::{DraftStep, WorkOrder};
use reqgate_base::model::Language;
use reqgate_flow::Problem;
use reqgate_orders::{Check, Doubt, Misquoted, OrderResult, Sources, words};
use reqgate_text::content_words::content_words;
use reqgate_text::language::language_of;
use reqgate_text::words::calendar::MONTHS;

/// The texts that may support a figure: the sources, the previous draft, which was checked or written by a person,
/// and the feedback of people. Findings and critiques have their own checks.
pub(super) fn texts(order: &WorkOrder) -> Vec<(&str, &str)> {
    let named = order.sources.iter().map(|text| (text.name.as_str(), text.text.as_str()));
    let feedback = order.feedback.as_ref().and_then(|feedback| feedback.user_feedback.as_deref());
    named.chain(order.prd.as_deref().map(|prd| ("prd", prd))).chain(feedback.map(|words| ("feedback", words))).collect()
}

/// The first unsupported figure of a text.
pub(super) fn invented(sources: &Sources<'_>, text: &str, proof: &[&str]) -> Option<String> {
    WorkOrder::of(DraftStep::TeamDraft).invented(sources, text, proof)
}

impl WorkOrder {
    /// The first unsupported figure of a text. The number of an id is part of a name, and the day of the order is known.
    fn invented(&self, sources: &Sources<'_>, text: &str, proof: &[&str]) -> Option<String> {
        self.figure_of(sources.unproven(&self.without_today(text), proof))
    }

    /// The same for a field of a draft: an acceptance criterion may test a limit of the sources with the values next to it.
    pub(super) fn invented_at(&self, path: &str, sources: &Sources<'_>, text: &str, proof: &[&str]) -> Option<String> {
        match path.contains("acceptance_criteria[") {
            true => self.figure_of(sources.unproven_in_criterion(&self.without_today(text), "", proof)),
            false => self.invented(sources, text, proof),
        }
    }

    fn figure_of(&self, doubts: Vec<Doubt>) -> Option<String> {
        static ID: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^[A-Za-z]+-\d+$").expect("a constant"));
        let is_year =
            |words: &String| self.today.as_deref().is_some_and(|today| today.get(..4) == Some(words.as_str()));
        doubts.into_iter().filter_map(Doubt::figure).find(|words| !ID.is_match(words) && !is_year(words))
    }

    /// The text without the day of the order, in whichever form it is written.
    fn without_today<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let parts: Vec<&str> = self.today.as_deref().unwrap_or_default().split('-').collect();
        let [year, month, day] = parts.as_slice() else { return Cow::Borrowed(text) };
        let number = |digits: &str| digits.parse::<usize>().unwrap_or_default();
        let name = MONTHS.en.iter().zip(1..).find(|(_, at)| *at == number(month)).and_then(|(name, _)| name.get(..3));
        let Some(name) = name.filter(|_| text.contains(year)) else { return Cow::Borrowed(text) };
        let (month, day) = (number(month), number(day));
        let forms = [
            format!(r"\b{year}[-/.]0?{month}[-/.]0?{day}\b"),
            format!(r"{year}\s*年\s*0?{month}\s*月\s*0?{day}\s*[日号]"),
            format!(r"\b0?{day}(st|nd|rd|th)?\s+{name}[a-z]*\.?,?\s+{year}\b"),
            format!(r"\b{name}[a-z]*\.?\s+0?{day}(st|nd|rd|th)?,?\s+{year}\b"),
        ];
        Regex::new(&format!("(?i){}", forms.join("|"))).map_or(Cow::Borrowed(text), |day| day.replace_all(text, ""))
    }
}

pub(super) fn not_proven(path: String, words: &str) -> Problem {
    Problem { path, message: format!("nobody wrote “{words}”: cite it from a source, or leave a blank […]") }
}

impl OrderResult<WorkOrder> for PrdOutline {
    const CHECKS: &'static [Check] = &[Check::Quotes, Check::ContentWords, Check::Sections, Check::Filled];

    fn problems(&self, order: &WorkOrder) -> Vec<Problem> {
        let faults = self.faults().into_iter();
        let mut problems: Vec<Problem> =
            faults.map(|fault| Problem { path: "sections".to_owned(), message: fault.to_string() }).collect();
        problems.extend(statements(&serde_json::to_value(self).unwrap_or_default(), order));
        problems
    }
}

/// Checks that every statement of a result has a quote that supports its figures.
fn statements(result: &Value, order: &WorkOrder) -> Vec<Problem> {
    let sources = Sources::new(order.sources.iter().map(|source| (source.name.as_str(), source.text.as_str())));
    let proof: Vec<&str> = order.sources.iter().map(|source| source.text.as_str()).collect();
    let mut problems = Vec::new();
    visit(result, String::new(), &mut |path, statement| {
        let text = statement["text"].as_str().unwrap_or_default();
        let quote: Option<SourceQuote> = serde_json::from_value(statement["source"].clone()).ok();
        let Some(quote) = quote else {
            problems.push(Problem { path, message: "name its source: no finding stands without one".to_owned() });
            return;
        };
        match sources.find(&quote.source, &quote.quote) {
            Err(Misquoted::NoSuchSource) => {
                let message = format!("there is no source `{}`", quote.source);
                problems.push(Problem { path: format!("{path}.source"), message });
            }
            Err(misquoted) => {
                problems.push(Problem { path: format!("{path}.source"), message: misquoted.to_string() });
            }
            // A figure of another source was not invented: sources may contradict each other.
            Ok(_) => {
                if let Some(words) = order.invented(&sources, text, &proof) {
                    problems.push(not_proven(path, &words));
                }
            }
        }
    });
    // The writer chooses the names of segments, competitors and personas; quotes and names of sources are checked above.
    const CHECKED: [&str; 3] = [".quote", ".text", ".source"];
    words(result, String::new(), &mut |path, text| {
        if !CHECKED.iter().any(|field| path.ends_with(field))
            && let Some(words) = order.invented(&sources, text, &proof)
        {
            problems.push(not_proven(path, &words));
        }
    });
    problems
}

/// The result with the line and the exact words of every quote.
pub(super) fn placed(mut result: Value, order: &WorkOrder) -> Value {
    let sources = Sources::new(order.sources.iter().map(|source| (source.name.as_str(), source.text.as_str())));
    place(&mut result, &sources);
    result
}

fn place(value: &mut Value, sources: &Sources<'_>) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| place(item, sources)),
        Value::Object(fields) if fields.get("text").is_some_and(Value::is_string) => {
            let quote =
                fields.get("source").cloned().and_then(|quote| serde_json::from_value::<SourceQuote>(quote).ok());
            let Some(quote) = quote else { return };
            if let Ok(cited) = sources.find(&quote.source, &quote.quote) {
                let placed = SourceQuote { line: cited.line, quote: cited.words, ..quote };
                fields.insert("source".to_owned(), serde_json::to_value(placed).unwrap_or_default());
            }
        }
        Value::Object(fields) => fields.iter_mut().for_each(|(_, field)| place(field, sources)),
        _ => {}
    }
}

/// Calls back for every statement: an object with a text and a source.
pub(super) fn visit(value: &Value, path: String, found: &mut dyn FnMut(String, &Value)) {
    match value {
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                visit(item, format!("{path}[{at}]"), found);
            }
        }
        Value::Object(fields) if fields.get("text").is_some_and(Value::is_string) => found(path, value),
        Value::Object(fields) => {
            let dot = if path.is_empty() { "" } else { "." };
            for (name, field) in fields {
                visit(field, format!("{path}{dot}{name}"), found);
            }
        }
        _ => {}
    }
}

const OF_FINDINGS: &[Check] = &[Check::Quotes, Check::ContentWords, Check::Figures];

fn findings<T: serde::Serialize>(result: &T, order: &WorkOrder) -> Vec<Problem> {
    statements(&serde_json::to_value(result).unwrap_or_default(), order)
}

impl OrderResult<WorkOrder> for MarketResearch {
    const CHECKS: &'static [Check] = OF_FINDINGS;

    fn problems(&self, order: &WorkOrder) -> Vec<Problem> {
        findings(self, order)
    }
}

impl OrderResult<WorkOrder> for UserResearch {
    const CHECKS: &'static [Check] = OF_FINDINGS;

    fn problems(&self, order: &WorkOrder) -> Vec<Problem> {
        findings(self, order)
    }
}

/// Returns true for a name that occurs in a quote as a whole word.
fn names(quote: &str, name: &str) -> bool {
    let (quote, name) = (quote.to_lowercase(), name.trim().to_lowercase());
    let is_joined = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    !name.is_empty()
        && quote.match_indices(&name).any(|(at, _)| {
            !is_joined(quote[..at].chars().next_back()) && !is_joined(quote[at + name.len()..].chars().next())
        })
}

/// Every competitor must be named in a source.
impl OrderResult<WorkOrder> for CompetitiveAnalysis {
    const CHECKS: &'static [Check] = OF_FINDINGS;

    fn problems(&self, order: &WorkOrder) -> Vec<Problem> {
        let mut problems = findings(self, order);
        let named = [("direct", &self.direct), ("indirect", &self.indirect)];
        for (list, competitors) in named {
            for (at, competitor) in competitors.iter().enumerate() {
                let quote = competitor.named_in.source.as_ref().map_or("", |quote| quote.quote.as_str());
                if !names(quote, &competitor.name) {
                    let message = format!("its quote does not name “{}”", competitor.name);
                    problems.push(Problem { path: format!("{list}[{at}].named_in"), message });
                }
            }
        }
        let known = |name: &String| self.direct.iter().chain(&self.indirect).any(|one| one.name == *name);
        for name in self.feature_comparison_matrix.keys().filter(|name| !known(name)) {
            let message = format!("there is no competitor “{name}” among those found");
            problems.push(Problem { path: "feature_comparison_matrix".to_owned(), message });
        }
        for (name, has) in &self.feature_comparison_matrix {
            let sources = sources_about(order, name);
            for feature in has.keys().filter(|feature| !is_mentioned(feature, &sources)) {
                let path = format!("feature_comparison_matrix.{name}");
                let message = format!("the sources that name “{name}” do not mention “{feature}”: leave the cell out");
                problems.push(Problem { path, message });
            }
        }
        problems
    }
}

/// The language and the words of each source that names a competitor.
fn sources_about(order: &WorkOrder, name: &str) -> Vec<(Language, BTreeSet<String>)> {
    let about = order.sources.iter().filter(|source| names(&source.text, name));
    about.map(|source| (language_of(&source.text), content_words(&source.text).into_iter().collect())).collect()
}

/// Returns true if a source has a word of the feature. A source in the other language cannot be compared.
fn is_mentioned(feature: &str, sources: &[(Language, BTreeSet<String>)]) -> bool {
    let (language, words) = (language_of(feature), content_words(feature));
    sources.iter().any(|(other, known)| *other != language || words.iter().any(|word| known.contains(word)))
}

impl OrderResult<WorkOrder> for ProductRequirementsDocument {
    const CHECKS: &'static [Check] = &[Check::Ids, Check::Figures, Check::Sections, Check::Filled];

    fn problems(&self, order: &WorkOrder) -> Vec<Problem> {
        let own = ProductRequirementsDocument::problems(self).into_iter();
        let mut problems: Vec<Problem> =
            own.map(|fault| Problem { path: "document".to_owned(), message: fault.to_string() }).collect();
        problems.extend(self.validate_completeness().missing().map(|field| Problem {
            path: field.to_owned(),
            message:
                "a draft needs at least one: write it, with a blank […] for every value that no source has".to_owned(),
        }));
        problems.extend(draft_faults(self));
        if let Err(dangling) = cited(&without_marks(&self.to_markdown()), &order.references) {
            let told = dangling.into_iter();
            problems.extend(told.map(|one| Problem { path: "document".to_owned(), message: one.to_string() }));
        }
        let texts = texts(order);
        let sources = Sources::new(texts.iter().copied());
        let proof: Vec<&str> = texts.iter().map(|(_, text)| *text).collect();
        let mut fields = serde_json::to_value(self).unwrap_or_default();
        // Code writes the head of the document, except its title.
        if let Some(fields) = fields.as_object_mut() {
            fields.insert("metadata".to_owned(), Value::String(self.metadata.title.clone()));
        }
        words(&fields, String::new(), &mut |path, text| {
            if let Some(words) = order.invented_at(&path, &sources, text, &proof) {
                problems.push(not_proven(path, &words));
            }
        });
        problems
    }
}

impl DraftStep {
    /// The role of the critic, for an order of a critique.
    pub(in crate::workflow) fn role(self) -> Option<Role> {
        match self {
            Self::DirectorCritique => Some(Role::Director),
            Self::DesignCritique => Some(Role::Design),
            Self::EngineeringCritique => Some(Role::Engineering),
            _ => None,
        }
    }

    /// Returns true if the order contains a PRD that may have any author.
    pub(in crate::workflow) fn is_read(self) -> bool {
        self.role().is_some() || self == Self::TeamRevision
    }
}

impl OrderResult<WorkOrder> for ReadCritique {
    const CHECKS: &'static [Check] = <Self as OrderResult<crate::critique::CritiqueOrder>>::CHECKS;

    fn problems(&self, order: &WorkOrder) -> Vec<Problem> {
        let Some(role) = order.step.role() else { return Vec::new() };
        let prd = order.prd.as_deref().unwrap_or_default();
        Readable::new(&Document::new("prd", prd), role).problems(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workflow::SourceText;
    use serde_json::json;

    fn order() -> WorkOrder {
        let text = "Pens hold 22 lambs, at most 22 in each.".to_owned();
        let sources = vec![SourceText { name: "mail_figures_27jan.txt".to_owned(), text }];
        WorkOrder { sources, ..WorkOrder::of(DraftStep::Outline) }
    }

    #[test]
    fn the_name_of_a_source_is_no_invented_figure() {
        let fact = |source: &str, text: &str| json!({ "facts": [{ "text": text, "source": { "source": source, "line": 1, "quote": "Pens hold 22 lambs" } }] });
        assert_eq!(statements(&fact("mail_figures_27jan.txt", "A pen holds 22 lambs."), &order()), []);
        assert_eq!(statements(&fact("mail_figures_28jan.txt", "A pen holds 22 lambs."), &order()).len(), 1);
        assert_eq!(statements(&fact("mail_figures_27jan.txt", "A pen holds 14 ewes."), &order()).len(), 1);
    }

    #[test]
    fn a_criterion_may_test_a_limit_with_the_values_next_to_it() {
        let order = order();
        let texts = texts(&order);
        let sources = Sources::new(texts.iter().copied());
        let proof: Vec<&str> = texts.iter().map(|(_, text)| *text).collect();
        let found = |path: &str, text: &str| order.invented_at(path, &sources, text, &proof);
        const CRITERION: &str = "functional_requirements[0].acceptance_criteria[1]";
        assert_eq!(found(CRITERION, "With 23 lambs in a pen the entry is refused."), None);
        assert!(found(CRITERION, "With 40 lambs in a pen the entry is refused.").is_some());
        assert!(found("functional_requirements[0].description", "A pen holds 23 lambs.").is_some());
    }

    #[test]
    fn the_day_of_the_order_is_not_an_invented_date() {
        let dated = WorkOrder { today: Some("2026-11-29".to_owned()), ..order() };
        let found = |order: &WorkOrder, text: &str| order.invented(&Sources::new([]), text, &[]);
        for known in
            ["Written on 2026-11-29.", "As of 29 November 2026.", "截至 2026 年 11 月 29 日。", "The market in 2026."]
        {
            assert_eq!(found(&dated, known), None, "{known}");
            assert!(found(&order(), known).is_some(), "{known}");
        }
        for invented in
            ["The pilot begins on 2026-12-01.", "It takes 29 minutes.", "A pen holds 11 lambs.", "In May 2027."]
        {
            assert!(found(&dated, invented).is_some(), "{invented}");
        }
    }
}
