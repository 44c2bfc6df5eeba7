//! The parts that a PRD is assembled from, and the requirements that it contains.

use std::collections::BTreeSet;
use std::fmt::Write;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    Decided, DecidedGap, DocumentStatus, FeatureBrief, FeatureId, Gap, Requirement, RequirementId, RequirementPriority,
    SourceQuote, Statement,
};
use reqgate_base::model::Language;
use reqgate_text::content_words::content_words;

/// Everything that goes into a PRD.
#[derive(Debug, Clone, Copy)]
pub struct PrdInput<'a> {
    /// The feature.
    pub feature_id: &'a FeatureId,
    /// The project, where somebody has given it a key such as `MSM-008`.
    pub project_id: Option<&'a str>,
    /// The request for the feature, word for word.
    pub utterance: &'a str,
    /// The approved brief.
    pub brief: &'a FeatureBrief,
    /// All requirements with the decision on each.
    pub requirements: &'a [(Requirement, Decided)],
    /// Author, date and status.
    pub status: &'a PrdStatus,
    /// Why it was taken up again after it had been approved, the first time first.
    pub revisions: &'a [Revision],
    /// The gaps that somebody left open on purpose.
    pub kept_gaps: &'a [Gap],
    /// The decisions on single gaps.
    pub gap_decisions: &'a [DecidedGap],
}

/// One reason to change an approved PRD.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Revision {
    /// The version that it leads to, from 2.
    pub version: u32,
    /// Why.
    pub reason: String,
    /// Who wanted it.
    pub actor: String,
    /// The day, `YYYY-MM-DD`.
    pub on: String,
    /// Why the version before was approved although the gate stopped it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overridden: Option<String>,
}

/// The status of a PRD.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PrdStatus {
    /// The person responsible for it.
    pub author: String,
    /// The day of the last change, `YYYY-MM-DD`.
    #[schemars(regex(pattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"))]
    pub last_modified: String,
    /// The status.
    pub status: DocumentStatus,
}

/// One row of the table that leads from a requirement to what carries it out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TraceabilityRow {
    /// The requirement.
    pub requirement_id: RequirementId,
    /// Its acceptance criteria, numbered `FR-001.1`.
    pub criterion_ids: Vec<String>,
    /// Technical requirements that implement it.
    pub technical_requirement_ids: Vec<String>,
    /// User stories that implement it.
    pub user_story_ids: Vec<String>,
}

impl PrdInput<'_> {
    /// The version of the document: `1.0`, and one more for each time that it was taken up again.
    pub fn version(&self) -> String {
        format!("{}.0", self.revisions.last().map_or(1, |revision| revision.version))
    }

    /// The requirements that a PRD holds: the approved and the modified ones, with the notes of the latter.
    pub fn included(&self) -> impl Iterator<Item = (&Requirement, Option<&str>)> {
        self.requirements.iter().filter_map(|(requirement, decided)| match decided {
            Decided::Approved => Some((requirement, None)),
            Decided::Modified { notes } => Some((requirement, Some(notes.as_str()))),
            Decided::Pending | Decided::Rejected { .. } | Decided::OutOfScope { .. } => None,
        })
    }

    /// Whether a statement of the brief was rejected as a requirement or put out of scope, so that the PRD does not
    /// demand it.
    pub fn leaves_out(&self, statement: &Statement) -> bool {
        let is_out = |decided: &Decided| matches!(decided, Decided::Rejected { .. } | Decided::OutOfScope { .. });
        self.requirements.iter().any(|(requirement, decided)| is_out(decided) && states(requirement, statement))
            && !self.included().any(|(requirement, _)| states(requirement, statement))
    }

    /// Whether accepted requirements say all of a rule of the brief: they quote each of its places, their own words have every content
    /// word of it, and they or their criteria its figures. The PRD then says it once; two wordings of one rule drift apart with the
    /// first change. With two thirds of the words a scope was lost that a requirement quoted and did not state.
    pub fn requires(&self, rule: &Statement) -> bool {
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

    /// The exclusions of the PRD: those of the brief, then the requirements that were put out of scope, with the
    /// reason.
    pub fn out_of_scope(&self) -> Vec<String> {
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

    /// What is left open on purpose: gaps that somebody kept, and requirements that nobody has decided on.
    pub fn left_open(&self) -> Vec<String> {
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

    /// The rows of the table that leads from requirements to what carries them out.
    pub fn traceability(&self) -> Vec<TraceabilityRow> {
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

/// Whether a requirement says the same as a statement of the brief.
pub fn states(requirement: &Requirement, statement: &Statement) -> bool {
    let same_place = statement.source.as_ref().is_some_and(|source| requirement.sources.contains(source));
    same_place || requirement.description == statement.text
}

/// Names the n-th criterion of a requirement.
pub fn criterion_id(requirement: &Requirement, number: usize) -> String {
    let mut id = requirement.id.to_string();
    // Writing into a string cannot fail.
    let _ = write!(id, ".{number}");
    id
}

/// A priority as documents of this kind spell it; empty where nobody has given one.
pub fn priority_name(priority: RequirementPriority) -> &'static str {
    match priority {
        RequirementPriority::High => "P0",
        RequirementPriority::Medium => "P1",
        RequirementPriority::Low => "P2",
        RequirementPriority::Wont => "P3",
        RequirementPriority::Unset => "",
    }
}

/// A priority in a table, with a dash where nobody has given one.
pub fn priority_shown(priority: RequirementPriority) -> &'static str {
    if priority == RequirementPriority::Unset { "–" } else { priority_name(priority) }
}

/// A status as documents of this kind spell it.
pub fn status_name(status: DocumentStatus) -> &'static str {
    match status {
        DocumentStatus::Draft => "draft",
        DocumentStatus::InReview => "in-review",
        DocumentStatus::Approved => "approved",
        DocumentStatus::InProgress => "in-progress",
        DocumentStatus::Complete => "complete",
    }
}
