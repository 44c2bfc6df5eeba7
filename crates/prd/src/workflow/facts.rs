//! Data types that the steps, questions and calls of the workflow share: sources, and results of the gate.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::layouts::Source;
use reqgate_base::model::{Language, Verdict};
use reqgate_flow::hash;
use reqgate_messages as messages;
use reqgate_text::language::language_of;

/// A source of a feature, screened and masked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceText {
    /// The name: `utterance`, the path of a file, or an answered question (`ask:…`).
    pub name: String,
    /// The text of the source.
    pub text: String,
}

/// A document that the gate judges.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum JudgedDocument {
    /// A source of the feature, by its name.
    Source(String),
    /// The brief of the feature.
    Brief,
    /// The requirements of the feature.
    Requirements,
    /// The PRD of the feature.
    Prd,
}

/// The result of the gate for a document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GateSummary {
    /// The document that was judged.
    pub document: JudgedDocument,
    /// The SHA-256 of the judged text; the result does not apply to another text.
    pub text_hash: String,
    /// The verdict of the gate.
    pub verdict: Verdict,
    /// The score from 0 to 100, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// The blockers, one sentence each.
    #[serde(default)]
    pub blockers: Vec<String>,
    /// The blocking open questions of the document, in its words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub open_questions: Vec<String>,
    /// The other blocking findings, each as the id of its rule and the quoted words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<String>,
    /// The findings that do not block.
    #[serde(default)]
    pub warnings: Vec<String>,
    /// The questions to ask.
    #[serde(default)]
    pub questions: Vec<String>,
}

/// A verdict of the gate in one or two words.
pub fn verdict_in_words(verdict: Verdict, language: Language) -> &'static str {
    let words = messages::Prd::of(language);
    match verdict {
        Verdict::Pass => words.verdict_ready,
        Verdict::Reject => words.verdict_not_ready,
        Verdict::NotApplicable => words.verdict_not_applicable,
        Verdict::GuardrailRejected => words.verdict_stopped,
    }
}

impl GateSummary {
    /// The result for a document without any requirement.
    pub(super) fn without_requirements(text: &str) -> Self {
        Self {
            document: JudgedDocument::Requirements,
            text_hash: hash(text.as_bytes()),
            verdict: Verdict::Reject,
            score: None,
            blockers: vec![language_of(text).of("there is no requirement yet", "还没有任何需求").to_owned()],
            open_questions: Vec::new(),
            findings: Vec::new(),
            warnings: Vec::new(),
            questions: Vec::new(),
        }
    }

    /// Returns true if the result does not block: the brief and the requirements can be approved with any verdict,
    /// and only the PRD must pass.
    pub fn only_tells(&self) -> bool {
        matches!(self.document, JudgedDocument::Brief | JudgedDocument::Requirements) && self.verdict == Verdict::Reject
    }

    /// The findings to show in addition to the blockers: those of a PRD, which can still be corrected, and those of a
    /// document that is rejected without a blocker, because of the sum of smaller findings.
    pub fn remarks(&self) -> &[String] {
        let is_sum = self.blockers.is_empty() && !self.verdict.is_pass();
        if self.document == JudgedDocument::Prd || is_sum { &self.warnings } else { &[] }
    }
}

/// Turns texts into sources, with answers separated from their questions.
pub(super) fn sources_of(texts: &[SourceText]) -> Vec<Source> {
    let source = |SourceText { name, text }: &SourceText| {
        let (asked, said) = said(name, text);
        Source { name: name.clone(), text: said.to_owned(), asked: asked.map(str::to_owned) }
    };
    texts.iter().map(source).collect()
}

/// Splits a text into the question that it answers, if any, and its words.
fn said<'t>(name: &str, text: &'t str) -> (Option<&'t str>, &'t str) {
    let answered = name.starts_with("ask:").then(|| text.split_once("\n\n")).flatten();
    answered.map_or((None, text), |(question, answer)| (Some(question), answer))
}
