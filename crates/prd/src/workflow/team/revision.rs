//! A revision: the requested sections, the checks of the returned ones, and the resulting draft.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::contradictions::decided_silently;
use super::draft_faults::{SUMMARY, draft_faults};
use super::marks::{with_marks, without_marks};
use super::results::{not_proven, texts};
use super::state::{FeedbackRound, TeamPatch};
use crate::DocumentStatus;
use crate::critique::Issue;
use crate::team::citations::cited;
use crate::team::document::{parse_anyway, tame};
use crate::team::revised::{
    NewSection, changed_sections, defines_links, heading_of, stays_below, with_head, with_sections,
};
use crate::team::sections::{Part, SectionId, parts, same_section};
use crate::workflow::WorkOrder;
use crate::workflow::work::Today;
use reqgate_base::model::Language;
use reqgate_flow::Problem;
use reqgate_orders::{Check, OrderResult, Sources, words};
use reqgate_text::content_words::content_words;

/// The longest heading, in characters.
const LONGEST_HEADING: usize = 120;

/// The sections that a writer has changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RevisedSections {
    /// Each section that changes, whole. What is not named stays as it is.
    pub sections: Vec<RevisedSection>,
}

/// A section, written anew.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RevisedSection {
    /// Its heading as the PRD has it, without the # marks; that of a new section, if the PRD has none for it.
    pub heading: String,
    /// The whole Markdown below the heading.
    pub text: String,
}

impl RevisedSections {
    pub(super) fn new_sections(&self) -> Vec<NewSection> {
        let bare = |heading: &str| heading.trim_start_matches('#').trim().to_owned();
        let new = |one: &RevisedSection| NewSection { heading: bare(&one.heading), text: without_marks(&one.text) };
        self.sections.iter().map(new).collect()
    }
}

/// The standard section for an issue without a location, by the code of the issue or of the check of form.
fn section_of(code: &str) -> Option<SectionId> {
    let is = |names: &[&str]| names.iter().any(|name| code.strip_prefix("missing-").unwrap_or(code).starts_with(name));
    Some(match () {
        () if is(&["problem", "market", "business"]) => SectionId::ProblemStatement,
        () if is(&["user", "persona"]) => SectionId::TargetUsers,
        () if is(&["stor"]) => SectionId::UserStories,
        () if is(&["requirement", "scope", "interface", "data"]) => SectionId::FunctionalRequirements,
        () if is(&["accessibility", "performance", "security", "qualit"]) => SectionId::NonFunctionalRequirements,
        () if is(&["metric"]) => SectionId::SuccessMetrics,
        () if is(&["risk"]) => SectionId::DependenciesRisks,
        () if is(&["timeline", "milestone"]) => SectionId::Timeline,
        () => return None,
    })
}

/// The heading that a PRD has, or would have, for a standard section.
fn standard_heading(prd: &str, id: SectionId, language: Language) -> String {
    heading_of(prd, id.name(language)).unwrap_or(id.name(language)).to_owned()
}

/// The heading of the section that an issue is about. The line counts if its section has the quote: that of an earlier
/// round may be elsewhere by now.
pub(super) fn heading_of_issue(prd: &str, issue: &Issue, language: Language) -> Option<String> {
    let Some(place) = &issue.place else {
        return section_of(&issue.code).map(|id| standard_heading(prd, id, language));
    };
    let parts = parts(prd);
    let at_line = parts.iter().rev().find(|part| part.line <= place.line && !part.heading.is_empty());
    let has_quote = |part: &&Part<'_>| part.text.contains(&place.quote);
    let found = at_line.filter(has_quote).or_else(|| parts.iter().find(has_quote)).or(at_line);
    found.map(|part| part.heading.to_owned()).filter(|heading| !heading.is_empty())
}

/// The headings of the sections to revise: those with issues, those that a person names, and the open questions.
/// Empty if a person requests a change without naming a section: then any section may change.
pub(super) fn asked_sections(prd: &str, issues: &[&Issue], wanted: Option<&str>, language: Language) -> Vec<String> {
    let parts = parts(prd);
    let named = |heading: &str, words: &str| {
        let own = content_words(heading);
        let said = content_words(words);
        !own.is_empty() && own.iter().all(|word| said.contains(word))
    };
    let by_people: Vec<&str> = wanted
        .map(|words| {
            let headings = parts.iter().map(|part| part.heading).filter(|heading| !heading.is_empty());
            headings.filter(|heading| named(heading, words)).collect()
        })
        .unwrap_or_default();
    if wanted.is_some() && by_people.is_empty() {
        return Vec::new();
    }
    let all: Vec<String> = by_people
        .into_iter()
        .map(str::to_owned)
        .chain(issues.iter().filter_map(|issue| heading_of_issue(prd, issue, language)))
        .chain([standard_heading(prd, SectionId::OpenQuestions, language)])
        .collect();
    // In the order of the document without duplicates, followed by the headings that it does not have yet.
    let own = parts.iter().map(|part| part.heading.to_owned()).filter(|heading| all.contains(heading));
    let mut seen = BTreeSet::new();
    own.chain(all.iter().cloned()).filter(|heading| seen.insert(heading.clone())).collect()
}

/// All issues of a round.
pub(super) fn issues_of(round: Option<&FeedbackRound>) -> Vec<&Issue> {
    round.iter().flat_map(|round| &round.critiques).flat_map(|critique| &critique.issues_found).collect()
}

impl OrderResult<WorkOrder> for RevisedSections {
    const CHECKS: &'static [Check] = &[Check::Ids, Check::Sections, Check::Figures, Check::Filled];

    fn problems(&self, order: &WorkOrder) -> Vec<Problem> {
        let prd = order.prd.as_deref().unwrap_or_default();
        let mut problems = Vec::new();
        let mut tell = |path: String, message: String| problems.push(Problem { path, message });
        if self.sections.is_empty() {
            tell("sections".to_owned(), "name at least one section".to_owned());
        }
        let texts = texts(order);
        let sources = Sources::new(texts.iter().copied());
        let proof: Vec<&str> = texts.iter().map(|(_, text)| *text).collect();
        let new = self.new_sections();
        for (index, section) in new.iter().enumerate() {
            let place = |field: &str| format!("sections[{index}].{field}");
            let heading = section.heading.as_str();
            if heading.is_empty() || heading.contains('\n') || heading.chars().count() > LONGEST_HEADING {
                tell(
                    place("heading"),
                    format!("write the heading in one line of at most {LONGEST_HEADING} characters"),
                );
            }
            let is_same = |other: &NewSection| match (heading_of(prd, &other.heading), heading_of(prd, heading)) {
                (None, None) => same_section(&other.heading, heading),
                (one, other) => one == other,
            };
            if new[..index].iter().any(is_same) {
                tell(place("heading"), format!("`{heading}` appears twice: write it once"));
            }
            if section.text.trim().is_empty() {
                tell(place("text"), "write the whole new text of the section".to_owned());
            }
            if !stays_below(&section.text) {
                let message =
                    "write the text of this one section, without headings above its own, and close what you open";
                tell(place("text"), message.to_owned());
                continue;
            }
            if defines_links(&section.text) {
                tell(
                    place("text"),
                    "write an address behind its words: a definition may change links elsewhere".to_owned(),
                );
            }
            let (read, _) = parse_anyway(&format!("# PRD: x\n\n## {heading}\n\n{}\n", section.text));
            let mut fields = serde_json::to_value(&read).unwrap_or_default();
            if let Some(fields) = fields.as_object_mut() {
                fields.remove("metadata");
            }
            words(&fields, String::new(), &mut |path, text| {
                if let Some(words) = order.invented_at(&path, &sources, text, &proof) {
                    let problem = not_proven(place("text"), &words);
                    tell(problem.path, problem.message);
                }
            });
        }
        if !problems.is_empty() {
            return problems;
        }
        let whole = with_sections(&without_marks(prd), &new);
        let (document, faults) = parse_anyway(&whole);
        let before = parse_anyway(&without_marks(prd)).0;
        let had = before.validate_completeness();
        let lost = document.validate_completeness().missing().filter(|part| !had.missing().any(|one| one == *part));
        let lost = lost.map(|part| format!("the revision leaves no entry under `{part}`: keep those that hold"));
        // A fault of the previous draft is one that a person wrote or brought.
        let known = draft_faults(&before);
        let is_known = |fault: &Problem| {
            // The message about a long summary has its length.
            known.iter().any(|old| old.message == fault.message || fault.path == SUMMARY && old.path == SUMMARY)
        };
        let new_faults = draft_faults(&document).into_iter().filter(|fault| !is_known(fault));
        let told = lost.chain(new_faults.map(|fault| fault.message));
        let told = told.chain(faults.iter().map(ToString::to_string));
        let told = told.chain(document.problems().into_iter().map(|problem| problem.to_string()));
        let dangling = cited(&whole, &order.references).err().into_iter().flatten();
        let told = told.chain(dangling.map(|one| one.to_string()));
        let told = told.map(|message| Problem { path: "sections".to_owned(), message });
        told.chain(decided_silently(order, &with_marks(&whole))).collect()
    }
}

/// A revised draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revised {
    /// The text of the draft.
    pub markdown: String,
    /// The headings of the changed sections.
    pub changed: Vec<String>,
    /// The headings of the sections that were changed without a request.
    pub unasked: Vec<String>,
}

/// The draft with the returned sections. `asked` are the requested ones; if it is empty, any section may change.
pub(super) fn spliced(draft: &str, asked: &[String], new: Vec<NewSection>) -> Revised {
    let markdown = with_sections(draft, &new);
    let is_asked = |heading: &String| asked.iter().any(|one| heading_of(&markdown, one) == Some(heading.as_str()));
    let changed = changed_sections(draft, &markdown);
    let unasked = changed.iter().filter(|heading| !asked.is_empty() && !is_asked(heading)).cloned().collect();
    Revised { markdown, changed, unasked }
}

/// The next draft of a thread, with its head written by code.
pub(super) fn next_draft(
    draft: &str,
    order: &WorkOrder,
    given: &RevisedSections,
    Today { day, author }: Today,
    version: u32,
    language: Language,
) -> TeamPatch {
    let Revised { markdown, unasked, .. } = spliced(draft, &order.sections, given.new_sections());
    // Texts of any author lose markup that could have side effects.
    let markdown = with_head(&tame(&markdown), language, |metadata| {
        metadata.version = Some(version);
        metadata.status = Some(DocumentStatus::Draft);
        metadata.author.clone_from(&author);
        metadata.updated.clone_from(&day);
        // The gate reads a document according to its head, so only the program may set it.
        metadata.front_matter.clear();
    });
    TeamPatch::Drafted { markdown, author, day, revises: true, unasked }
}
