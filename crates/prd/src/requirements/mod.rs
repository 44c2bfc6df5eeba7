//! `requirements.md`, the source of truth about the requirements of a feature: only this module reads, changes and writes it.
//!
//! The document is its text, and its meaning is read from it. A change rewrites only the lines whose meaning changes,
//! so all other text that people write is kept in its place.

mod added;
mod block;
mod edit;
mod export;
pub(crate) mod following;
pub(crate) mod ids;
mod labels;
mod read;
mod review;
mod tags;
mod values;
mod words;
mod write;

#[cfg(test)]
mod tests;

pub use added::AddedRequirement;
pub use export::{ExportedRequirement, RequirementsExport};
pub use following::title_of;
pub use review::{RequirementChanges, Review, ReviewFault, Verdict, VerdictKind};
pub use tags::Tags;
pub use words::Spelling as PrioritySpelling;
pub(crate) use words::{Column, PutAside, priority, priority_word, status, status_word};

use std::fmt;

use thiserror::Error;

use super::{
    Decided, DocumentStatus, FeatureId, FeatureIdError, Requirement, RequirementId, ReviewRecord, SourceQuote,
};
use reqgate_base::model::Language;
use reqgate_docs::values::on_one_line;
use reqgate_gate::stages::intake::feature_part::{self, front_matter};

/// A requirement and the decision on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewedRequirement {
    /// The requirement itself.
    pub requirement: Requirement,
    /// The decision on the requirement.
    pub decided: Decided,
}

/// The document with the requirements of a feature.
#[derive(Clone)]
pub struct RequirementsDocument {
    text: String,
    outline: read::Outline,
}

/// A fault of a document, with its line.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {kind}")]
pub struct Fault {
    /// The line number, from 1.
    pub line: u32,
    /// The kind of the fault.
    pub kind: FaultKind,
}

/// The kinds of faults.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FaultKind {
    /// Two requirements have the same id.
    #[error("{0} is already the id of another requirement: give this one another id")]
    DuplicateId(RequirementId),
    /// A word is not a priority.
    #[error("`{0}` is not a priority: write high, medium, low or wont; must, should, could or won't; P0 to P3")]
    Priority(String),
    /// A word is not a status.
    #[error("`{0}` is not a state: write draft, in review, approved, in progress or complete")]
    Status(String),
    /// A word is not a feature id.
    #[error(transparent)]
    Feature(FeatureIdError),
    /// A code fence is not closed, so the rest would be code.
    #[error("a code fence opens here and is never closed, so everything below would be code: close it")]
    FenceNeverClosed,
    /// A comment is not closed, so the rest would be hidden.
    #[error("a comment opens here and is never closed, so everything below would be hidden: close it")]
    CommentNeverClosed,
}

impl FaultKind {
    /// Returns true for a fence or a comment that is never closed: it would hide everything after it.
    pub(crate) fn is_never_closed(&self) -> bool {
        matches!(self, Self::FenceNeverClosed | Self::CommentNeverClosed)
    }
}

impl Fault {
    /// Describes the fault and its line in a language.
    pub fn in_words(&self, language: Language) -> String {
        if language == Language::En {
            return self.to_string();
        }
        let what = match &self.kind {
            FaultKind::DuplicateId(id) => format!("{id} 已经是另一条需求的编号：请给这一条换一个编号"),
            FaultKind::Priority(word) => {
                format!("“{word}”不是优先级：请写高、中、低或不做，must、should、could 或 won't，P0 至 P3")
            }
            FaultKind::Status(word) => format!("“{word}”不是状态：请写草稿、评审中、已批准、实施中或已完成"),
            FaultKind::Feature(error) => error.to_string(),
            FaultKind::FenceNeverClosed => "这里开始的代码块没有结束：下面的内容都会变成代码".to_owned(),
            FaultKind::CommentNeverClosed => "这里开始的注释没有结束：下面的内容都会被隐藏".to_owned(),
        };
        format!("第 {} 行：{what}", self.line)
    }
}

/// All faults of a document.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub struct Faults(pub Vec<Fault>);

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.0.iter().map(Fault::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

/// Reads a document.
///
/// # Errors
/// Fails with all faults, each with its line.
pub fn parse(text: &str) -> Result<RequirementsDocument, Faults> {
    let (document, faults) = parse_anyway(text);
    if faults.is_empty() { Ok(document) } else { Err(Faults(faults)) }
}

/// Reads as much as possible of a document and reports the faults of the rest; for display, not for changes.
pub fn parse_anyway(text: &str) -> (RequirementsDocument, Vec<Fault>) {
    let outline = read::outline(text);
    let faults = outline.faults.clone();
    (RequirementsDocument { text: text.to_owned(), outline }, faults)
}

/// Returns a document without the records of its reviews, for readers of its requirements; every other line keeps its number.
pub(crate) fn without_history(text: &str) -> String {
    let outline = read::outline(text);
    let histories = outline.sections.iter().filter(|span| span.section == words::Section::History);
    let mut out = text.to_owned();
    for span in histories {
        let feeds: String = text[span.start..span.end].chars().filter(|c| *c == '\n').collect();
        // Offsets from the end are not affected by earlier replacements.
        let (from, to) = (out.len() - (text.len() - span.start), out.len() - (text.len() - span.end));
        out.replace_range(from..to, &feeds);
    }
    out.trim_end().to_owned() + "\n"
}

/// Returns the document as Markdown.
pub fn render(document: &RequirementsDocument) -> String {
    document.text.clone()
}

impl RequirementsDocument {
    /// Creates a document without requirements.
    pub fn new(feature: &FeatureId, title: &str, language: Language) -> Self {
        let state = words::status_word(DocumentStatus::Draft, language);
        let mark = front_matter(feature_part::REQUIREMENTS, feature.as_str());
        let head = write::head(&on_one_line(title), feature.as_str(), state, language);
        let text = format!("{mark}\n{head}");
        let outline = read::outline(&text);
        Self { text, outline }
    }

    /// Returns the feature, if the document names it.
    pub fn feature(&self) -> Option<&FeatureId> {
        self.outline.feature.as_ref()
    }

    /// Returns the name of the feature; empty if the document has no title.
    pub fn title(&self) -> &str {
        &self.outline.title
    }

    /// Returns the status; a draft by default.
    pub(crate) fn status(&self) -> DocumentStatus {
        self.outline.status
    }

    /// Returns the language of the headings.
    pub(crate) fn language(&self) -> Language {
        self.outline.language
    }

    /// Returns the requirements in the order of the text.
    pub fn requirements(&self) -> impl Iterator<Item = &ReviewedRequirement> {
        self.outline.entries.iter().map(|entry| &entry.value)
    }

    /// Returns the requirement with an id.
    pub fn requirement(&self, id: &RequirementId) -> Option<&ReviewedRequirement> {
        self.requirements().find(|entry| entry.requirement.id == *id)
    }

    /// Returns true if a requirement is a block with a heading, and not an item of a list or a single line.
    pub(crate) fn has_blocks(&self) -> bool {
        self.outline.entries.iter().any(|entry| !entry.is_bullet)
    }

    /// Returns true if a requirement is in a section for a decision.
    pub(crate) fn has_decided_sections(&self) -> bool {
        let is_decided = |entry: &read::Entry| entry.section.is_some() && entry.value.decided != Decided::Pending;
        self.outline.entries.iter().any(is_decided)
    }

    /// Returns the line on which a requirement begins, from 1.
    pub(crate) fn line_of(&self, id: &RequirementId) -> Option<u32> {
        let entry = self.outline.entries.iter().find(|entry| entry.value.requirement.id == *id)?;
        entry.parts.first().map(|part| part.line)
    }

    /// Returns the requirements, each with the line on which it begins, from 1.
    pub(crate) fn with_lines(&self) -> impl Iterator<Item = (&ReviewedRequirement, u32)> {
        let line = |entry: &read::Entry| entry.parts.first().map_or(1, |part| part.line);
        self.outline.entries.iter().map(move |entry| (&entry.value, line(entry)))
    }

    /// Returns the content lines of a requirement: title, description, criteria, the line `Waits for`, and unknown lines such as
    /// `Depends on: FR-003`. Sources, decisions and comments are left out.
    pub(crate) fn lines_of(&self, id: &RequirementId) -> Vec<&str> {
        let entry = self.outline.entries.iter().find(|entry| entry.value.requirement.id == *id);
        let mut in_comment = false;
        let mut lines = Vec::new();
        for part in entry.into_iter().flat_map(|entry| &entry.parts) {
            let text = &self.text[part.span.clone()];
            let begins = text.trim_start().starts_with("<!--");
            let is_hidden = part.kind == block::PartKind::Other && (in_comment || begins);
            in_comment = is_hidden && !text.contains("-->");
            let says_it = matches!(
                part.kind,
                block::PartKind::Heading
                    | block::PartKind::Description
                    | block::PartKind::Item(words::Label::Criteria)
                    | block::PartKind::Field(words::Label::WaitsFor)
                    | block::PartKind::Other
            );
            if says_it && !is_hidden {
                lines.extend(text.lines().map(str::trim).filter(|line| !line.is_empty()));
            }
        }
        lines
    }

    /// Returns the reviews, the oldest first as in the text.
    pub(crate) fn history(&self) -> &[ReviewRecord] {
        &self.outline.history
    }

    /// Returns the id for a new requirement: after all ids that occur in the text.
    pub fn free_id(&self, quality: bool) -> RequirementId {
        ids::next(quality, &self.taken())
    }

    fn taken(&self) -> std::collections::BTreeSet<RequirementId> {
        let mut taken = ids::named_in(&self.text);
        taken.extend(self.requirements().map(|entry| entry.requirement.id.clone()));
        taken
    }

    /// Returns the document with another status.
    #[must_use]
    pub fn with_status(&self, status: DocumentStatus) -> Self {
        edit::apply(self, &edit::Changes { status: Some(status), ..edit::Changes::default() })
    }

    /// Returns the document with new pending proposals, and the ids in the order of the proposals. A proposal whose
    /// id was ever used gets the next unused one.
    #[must_use]
    pub fn with_proposals(&self, proposals: &[Requirement]) -> (Self, Vec<RequirementId>) {
        let mut taken = self.taken();
        let mut added = Vec::new();
        for proposal in proposals {
            let id = if taken.contains(&proposal.id) {
                ids::next(proposal.id.is_quality(), &taken)
            } else {
                proposal.id.clone()
            };
            taken.insert(id.clone());
            let requirement = Requirement { id, ..proposal.clone() };
            added.push(ReviewedRequirement { requirement, decided: Decided::Pending });
        }
        let new = added.iter().map(|entry| entry.requirement.id.clone()).collect();
        (edit::apply(self, &edit::Changes { added, ..edit::Changes::default() }), new)
    }
}

impl RequirementsDocument {
    /// Returns the document with removed requirements, which are pending again under their own ids.
    /// Existing requirements are unchanged.
    #[must_use]
    pub(crate) fn with_restored(&self, gone: &[Requirement]) -> Self {
        let missing = gone.iter().filter(|one| self.requirement(&one.id).is_none());
        let added: Vec<ReviewedRequirement> =
            missing.map(|one| ReviewedRequirement { requirement: one.clone(), decided: Decided::Pending }).collect();
        edit::apply_any(self, &edit::Changes { added, ..edit::Changes::default() })
    }

    /// Returns the document with further criteria of its requirements; the decisions on them are unchanged.
    #[must_use]
    pub(crate) fn with_criteria(&self, criteria: &[(RequirementId, String)]) -> Self {
        let mut changes = edit::Changes::default();
        for (id, criterion) in criteria {
            let known = changes.changed.get(id).or_else(|| self.requirement(id));
            let Some(mut entry) = known.cloned() else { continue };
            if !entry.requirement.acceptance_criteria.contains(criterion) {
                entry.requirement.acceptance_criteria.push(criterion.clone());
                changes.changed.insert(id.clone(), entry);
            }
        }
        edit::apply_any(self, &changes)
    }

    /// Returns the document with further sources of its requirements.
    #[must_use]
    pub(crate) fn with_sources(&self, sources: &[(RequirementId, SourceQuote)]) -> Self {
        let mut changes = edit::Changes::default();
        for (id, source) in sources {
            let known = changes.changed.get(id).or_else(|| self.requirement(id));
            let Some(mut entry) = known.cloned() else { continue };
            if !entry.requirement.sources.contains(source) {
                entry.requirement.sources.push(source.clone());
                changes.changed.insert(id.clone(), entry);
            }
        }
        edit::apply_any(self, &changes)
    }
}

impl PartialEq for RequirementsDocument {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for RequirementsDocument {}

impl fmt::Debug for RequirementsDocument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RequirementsDocument").field(&self.text).finish()
    }
}
