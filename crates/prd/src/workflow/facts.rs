//! Shared types of the steps, questions and calls of the PRD workflow: sources, and results of the gate.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::layouts::Source;
use reqgate_base::model::Verdict;
use reqgate_flow::hash;
use reqgate_text::language::language_of;

/// One text that a feature is drafted from, screened and masked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceText {
    /// `utterance`, the path of a file, an answered question (`ask:…`).
    pub name: String,
    /// Its words.
    pub text: String,
}

/// A document that the gate judges.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum JudgedDocument {
    /// A text that the feature is drafted from.
    Source(String),
    /// The brief.
    Brief,
    /// The requirements.
    Requirements,
    /// The PRD.
    Prd,
}

/// The result of the gate for a document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GateSummary {
    /// The document.
    pub document: JudgedDocument,
    /// SHA-256 of the text that was judged: of another text this says nothing.
    pub text_hash: String,
    /// The verdict.
    pub verdict: Verdict,
    /// The score, 0 to 100, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// The blockers, in a sentence each.
    #[serde(default)]
    pub blockers: Vec<String>,
    /// The questions that the document leaves open and that block, in its words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub open_questions: Vec<String>,
    /// What else blocks, each as the id of its rule and the words that it quotes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<String>,
    /// Other findings.
    #[serde(default)]
    pub warnings: Vec<String>,
    /// The questions to ask.
    #[serde(default)]
    pub questions: Vec<String>,
}

impl GateSummary {
    /// The result for a document of requirements that has none: they are missing, whatever its other words are.
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

    /// True where the gate only tells what is still missing: the brief and the requirements are approved as they are, and the verdict
    /// that counts is the one on the PRD.
    pub fn only_tells(&self) -> bool {
        matches!(self.document, JudgedDocument::Brief | JudgedDocument::Requirements) && self.verdict == Verdict::Reject
    }

    /// The findings that are told beside the blockers: all of a PRD, which can still be mended, and of what is stopped without a
    /// blocker, by the sum of smaller things.
    pub fn remarks(&self) -> &[String] {
        let is_sum = self.blockers.is_empty() && !self.verdict.is_pass();
        if self.document == JudgedDocument::Prd || is_sum { &self.warnings } else { &[] }
    }
}

/// Texts as sources, answers apart from their questions.
pub(super) fn sources_of(texts: &[SourceText]) -> Vec<Source> {
    let source = |SourceText { name, text }: &SourceText| {
        let (asked, said) = said(name, text);
        Source { name: name.clone(), text: said.to_owned(), asked: asked.map(str::to_owned) }
    };
    texts.iter().map(source).collect()
}

/// The question that a text answers, if it answers one, and its words.
fn said<'t>(name: &str, text: &'t str) -> (Option<&'t str>, &'t str) {
    let answered = name.starts_with("ask:").then(|| text.split_once("\n\n")).flatten();
    answered.map_or((None, text), |(question, answer)| (Some(question), answer))
}
