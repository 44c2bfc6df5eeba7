//! The parts that a PRD is built from, and the requirements that it contains.

use std::collections::BTreeSet;
use std::fmt::Write;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::waiting::{Waiting, waiting};
use super::{
    Decided, DecidedGap, DocumentStatus, FeatureBrief, FeatureId, Gap, Requirement, RequirementId, RequirementPriority,
    SourceQuote, Statement,
};
use reqgate_base::model::Language;
use reqgate_text::content_words::content_words;

/// The parts that a PRD is built from.
#[derive(Debug, Clone, Copy)]
pub struct PrdInput<'a> {
    /// The id of the feature.
    pub feature_id: &'a FeatureId,
    /// The key of the project, such as `MSM-008`, if it has one.
    pub project_id: Option<&'a str>,
    /// The request for the feature, word for word.
    pub utterance: &'a str,
    /// The brief as it was approved.
    pub brief: &'a FeatureBrief,
    /// All requirements, with the decision on each.
    pub requirements: &'a [(Requirement, Decided)],
    /// The author, date and status.
    pub status: &'a PrdStatus,
    /// The reasons for reopening the approved PRD, the oldest first.
    pub revisions: &'a [Revision],
    /// The gaps that a person left open on purpose.
    pub kept_gaps: &'a [Gap],
    /// The decisions on single gaps.
    pub gap_decisions: &'a [DecidedGap],
}

/// The reason for a new version of an approved PRD.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Revision {
    /// The number of the new version, from 2.
    pub version: u32,
    /// The reason for the change.
    pub reason: String,
    /// The person who requested it.
    pub actor: String,
    /// The day of the request, `YYYY-MM-DD`.
    pub on: String,
    /// The reason why the previous version was approved although it did not pass the gate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overridden: Option<String>,
}

/// The status of a PRD.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PrdStatus {
    /// The person responsible for the PRD.
    pub author: String,
    /// The date of the last change, `YYYY-MM-DD`.
    #[schemars(regex(pattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"))]
    pub last_modified: String,
    /// The status of the document.
    pub status: DocumentStatus,
}

/// A row of the traceability table: a requirement with its criteria and implementation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TraceabilityRow {
    /// The id of the requirement.
    pub requirement_id: RequirementId,
    /// The ids of its acceptance criteria, numbered `FR-001.1`.
    pub criterion_ids: Vec<String>,
    /// The ids of technical requirements that implement it.
    pub technical_requirement_ids: Vec<String>,
    /// The ids of user stories that implement it.
    pub user_story_ids: Vec<String>,
}

impl PrdInput<'_> {
    /// Returns the version of the document: `1.0`, increased by one for each revision.
    pub(crate) fn version(&self) -> String {
        format!("{}.0", self.revisions.last().map_or(1, |revision| revision.version))
    }

    /// Returns the requirements of a PRD: the approved and the modified ones, with the notes of the latter.
    pub(crate) fn included(&self) -> impl Iterator<Item = (&Requirement, Option<&str>)> {
        self.requirements.iter().filter_map(|(requirement, decided)| match decided {
            Decided::Approved => Some((requirement, None)),
            Decided::Modified { notes } => Some((requirement, Some(notes.as_str()))),
            Decided::Pending | Decided::Rejected { .. } | Decided::OutOfScope { .. } => None,
        })
    }

    /// Returns the requirements of the PRD that wait for the answer to an open question.
    pub(crate) fn waiting(&self) -> Waiting {
        let included: Vec<&Requirement> = self.included().map(|(requirement, _)| requirement).collect();
        waiting(&self.brief.open_questions, &included, self.gap_decisions)
    }

    /// Returns true for a statement of the brief that was rejected as a requirement or put out of scope, so that the PRD omits it.
    pub(crate) fn leaves_out(&self, statement: &Statement) -> bool {
        let is_out = |decided: &Decided| matches!(decided, Decided::Rejected { .. } | Decided::OutOfScope { .. });
        self.requirements.iter().any(|(requirement, decided)| is_out(decided) && states(requirement, statement))
            && !self.included().any(|(requirement, _)| states(requirement, statement))
    }

    /// Returns true if the accepted requirements contain a rule of the brief completely: one has it as a criterion, or they quote all of
    /// its passages, their text has all of its content words, and their text or criteria have its figures. The PRD then
    /// states the rule once, because two wordings of one rule diverge with the first change. A limit of two thirds of
    /// the words had dropped a scope that a requirement quoted but did not state.
    pub(crate) fn requires(&self, rule: &Statement) -> bool {
        let bare = |words: &str| words.trim().trim_end_matches(['.', '。']).to_lowercase();
        let own = bare(&rule.text);
        let is_criterion = |requirement: &Requirement| requirement.own_criteria().any(|words| bare(words) == own);
        if self.included().any(|(requirement, _)| is_criterion(requirement)) {
            return true;
        }
        let quotes = |requirement: &Requirement, place: &SourceQuote| {
            requirement.sources.iter().any(|own| {
                own.source == place.source && (own.quote.contains(&place.quote) || place.quote.contains(&own.quote))
            })
        };
        let quoting: Vec<&Requirement> = self
            .included()
            .map(|(requirement, _)| requirement)
            .filter(|requirement| rule.sources().any(|place| quotes(requirement, place)))
            .collect();
        let is_quoted = |place: &SourceQuote| quoting.iter().any(|requirement| quotes(requirement, place));
        if rule.source.is_none() || !rule.sources().all(is_quoted) {
            return false;
        }
        let said: Vec<String> = quoting.iter().map(|one| format!("{}\n{}", one.title, one.description)).collect();
        let said = said.join("\n");
        let tested: Vec<&str> = quoting.iter().flat_map(|one| &one.acceptance_criteria).map(String::as_str).collect();
        let figures = |text: &str| {
            let digits = text.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty());
            digits.map(str::to_owned).collect::<BTreeSet<_>>()
        };
        let (own, known) = (content_words(&rule.text), content_words(&said));
        figures(&rule.text).is_subset(&figures(&format!("{said}\n{}", tested.join("\n"))))
            && own.iter().all(|word| known.binary_search(word).is_ok())
    }

    /// Returns the exclusions of the PRD: those of the brief, then the requirements that were put out of scope, with the reason.
    pub(crate) fn out_of_scope(&self) -> Vec<String> {
        let brief = self.brief.out_of_scope.iter().map(|statement| statement.text.clone());
        let decided = self.requirements.iter().filter_map(|(requirement, decided)| match decided {
            Decided::OutOfScope { reason } => Some((requirement, reason)),
            _ => None,
        });
        let explained = |(requirement, reason): (&Requirement, &String)| {
            let words = requirement.description.trim().trim_end_matches(['.', '。']);
            let reason = reason.trim().trim_end_matches(['.', '。']);
            match self.brief.language {
                Language::En => format!("{words} ({reason})."),
                Language::Zh => format!("{words}（{reason}）。"),
            }
        };
        brief.chain(decided.map(explained)).collect()
    }

    /// Returns the points that were left open on purpose: kept gaps, and undecided requirements.
    pub(crate) fn left_open(&self) -> Vec<String> {
        let undecided = self.requirements.iter().filter(|(_, decided)| *decided == Decided::Pending).map(|(one, _)| {
            let later = self.brief.language.of("left for a later review", "留待后续评审");
            format!("{} {} ({later})", one.id, one.title)
        });
        let is_about_undecided = |gap: &&Gap| {
            let is_undecided = |id: &RequirementId| {
                self.requirements.iter().any(|(one, decided)| one.id == *id && *decided == Decided::Pending)
            };
            gap.requirements.is_empty() || !gap.requirements.iter().all(is_undecided)
        };
        let gaps = self.kept_gaps.iter().filter(is_about_undecided).map(|gap| match gap.requirements.as_slice() {
            [] => gap.description.clone(),
            ids => {
                format!("{} ({})", gap.description, ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
            }
        });
        gaps.chain(undecided).collect()
    }

    /// Returns the rows of the traceability table.
    pub(crate) fn traceability(&self) -> Vec<TraceabilityRow> {
        let row = |requirement: &Requirement| TraceabilityRow {
            requirement_id: requirement.id.clone(),
            criterion_ids: (1..=requirement.own_criteria().count())
                .map(|number| criterion_id(requirement, number))
                .collect(),
            technical_requirement_ids: Vec::new(),
            user_story_ids: requirement.user_stories.clone(),
        };
        self.included().map(|(requirement, _)| row(requirement)).collect()
    }
}

/// Returns true if a requirement says the same as a statement of the brief.
pub(crate) fn states(requirement: &Requirement, statement: &Statement) -> bool {
    let same_place = statement.source.as_ref().is_some_and(|source| requirement.sources.contains(source));
    same_place || requirement.description == statement.text
}

/// Returns the id of the n-th criterion of a requirement.
pub(crate) fn criterion_id(requirement: &Requirement, number: usize) -> String {
    let mut id = requirement.id.to_string();
    // Writing into a string cannot fail.
    let _ = write!(id, ".{number}");
    id
}

/// Returns a priority as written in a PRD; empty if not given.
pub(crate) fn priority_name(priority: RequirementPriority) -> &'static str {
    match priority {
        RequirementPriority::High => "P0",
        RequirementPriority::Medium => "P1",
        RequirementPriority::Low => "P2",
        RequirementPriority::Wont => "P3",
        RequirementPriority::Unset => "",
    }
}

/// Returns a priority for a table, with a dash if not given.
pub(crate) fn priority_shown(priority: RequirementPriority) -> &'static str {
    if priority == RequirementPriority::Unset { "–" } else { priority_name(priority) }
}

/// Returns a status as written in a PRD.
pub(crate) fn status_name(status: DocumentStatus) -> &'static str {
    match status {
        DocumentStatus::Draft => "draft",
        DocumentStatus::InReview => "in-review",
        DocumentStatus::Approved => "approved",
        DocumentStatus::InProgress => "in-progress",
        DocumentStatus::Complete => "complete",
    }
}
