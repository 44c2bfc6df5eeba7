//! The drafts of a PRD: the progress of each section, and the changes from draft to draft with their reasons.

use std::fmt::Write;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::sections::{Part, SectionId, parts, same_section, sections, without_number};
use crate::gaps::has_blank;
use reqgate_base::clean;
use reqgate_base::model::Language;
use reqgate_docs::changed_lines;
use reqgate_messages as messages;
use reqgate_text::display_width;

/// The progress of a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Progress {
    /// The section is not begun.
    Pending,
    /// The section is short, or has a blank.
    Partial,
    /// The section is written.
    Complete,
}

/// The progress of one section of a draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SectionStatus {
    /// The id of the section.
    pub section: SectionId,
    /// The progress of the section.
    pub status: Progress,
}

/// The widest text of an incomplete section, in columns; a Chinese character takes two. The source uses 100
/// characters, counted over the whole draft.
const SHORT: usize = 100;

/// Returns the progress of the nine tracked sections of a draft, each by its own text.
pub(crate) fn section_status(draft: &str) -> Vec<SectionStatus> {
    let parts = parts(draft);
    let tracked = sections().iter().filter(|section| section.tracked);
    tracked.map(|section| SectionStatus { section: section.id, status: progress(&parts, section.id) }).collect()
}

fn progress(parts: &[Part<'_>], section: SectionId) -> Progress {
    let own = || parts.iter().filter(|part| part.section == Some(section)).map(|part| part.text);
    // Headings and blanks do not count as text.
    let is_said = |line: &&str| !line.starts_with('#') && line.chars().any(char::is_alphanumeric);
    let lines: Vec<&str> = own().flat_map(str::lines).map(str::trim).filter(is_said).collect();
    let width: usize = lines.iter().map(|line| display_width(line)).sum();
    if width == 0 {
        Progress::Pending
    } else if width <= SHORT || own().any(has_blank) {
        Progress::Partial
    } else {
        Progress::Complete
    }
}

/// The changes that reviewers asked for, by the kind of reviewer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RequestedChanges {
    /// The changes requested by the product side.
    #[serde(default)]
    pub strategic: Vec<String>,
    /// The changes requested by design.
    #[serde(default)]
    pub design: Vec<String>,
    /// The changes requested by engineering.
    #[serde(default)]
    pub technical: Vec<String>,
}

impl RequestedChanges {
    /// All requested changes, in the order strategic, design, technical.
    fn iter(&self) -> impl Iterator<Item = &String> {
        self.strategic.iter().chain(&self.design).chain(&self.technical)
    }
}

/// The entry of one draft in the history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RevisionEntry {
    /// The number of the draft, from 1.
    #[schemars(range(min = 1))]
    pub version: u32,
    /// The day, `YYYY-MM-DD`.
    pub timestamp: String,
    /// The author of the draft.
    pub author: String,
    /// A summary of the changes in one line: the first five requested ones.
    pub changes_summary: String,
    /// The feedback that the draft follows; absent for the first draft.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feedback_addressed: Option<RequestedChanges>,
    /// The request of a person that the draft follows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<String>,
}

impl RevisionEntry {
    /// Returns the file name of the draft: `prd_v1.md`.
    pub(crate) fn file_name(&self) -> String {
        format!("prd_v{}.md", self.version)
    }
}

/// The drafts of a PRD, oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub(crate) struct RevisionHistory(pub Vec<RevisionEntry>);

impl RevisionHistory {
    /// Records the next draft, with the feedback and the request of a person that it follows, and returns its entry.
    pub(crate) fn add(
        &mut self,
        timestamp: &str,
        author: &str,
        (feedback, request): (Option<RequestedChanges>, Option<&str>),
        language: Language,
    ) -> RevisionEntry {
        let last = self.0.iter().map(|entry| entry.version).max().unwrap_or(0);
        let words = messages::Prd::of(language);
        let asked = feedback.iter().flat_map(RequestedChanges::iter).map(String::as_str);
        let changes: Vec<&str> = request.into_iter().chain(asked).take(MOST_SUMMARISED).collect();
        let entry = RevisionEntry {
            version: last.saturating_add(1),
            timestamp: timestamp.to_owned(),
            author: author.to_owned(),
            changes_summary: match (last, feedback.is_none() && request.is_none()) {
                (0, true) => words.initial_draft.to_owned(),
                (_, true) if language == Language::Zh => words.edited_by(&clean::name_in_chinese(author)),
                (_, true) => words.edited_by(&author),
                _ => changes.into_iter().map(clean::words).collect::<Vec<_>>().join(words.semicolon),
            },
            request: request.map(str::to_owned),
            feedback_addressed: feedback,
        };
        self.0.push(entry.clone());
        entry
    }
}

/// The most changes that a summary lists.
const MOST_SUMMARISED: usize = 5;

/// The differences of two drafts by section, as text: added, removed and changed lines.
///
/// Sections that did not change are counted in the last line; equal drafts give that line alone.
pub fn diff(old: &str, new: &str, language: Language) -> String {
    let (old, new) = (parts(old), parts(new));
    let said = messages::Prd::of(language);
    let mut out = String::new();
    let mut matched = vec![false; old.len()];
    let mut same = 0;
    for part in &new {
        let before = (0..old.len()).find(|at| !matched[*at] && is_same(&old[*at], part));
        let (mark, text) = match before {
            Some(at) => {
                matched[at] = true;
                let is_same_heading = without_number(old[at].heading) == without_number(part.heading);
                if old[at].text.trim() == part.text.trim() && is_same_heading {
                    same += 1;
                    continue;
                }
                (said.part_changed, old[at].text)
            }
            None => (said.part_added, ""),
        };
        head(&mut out, part, mark, language);
        compared(&mut out, text, part.text, language);
    }
    for (part, _) in old.iter().zip(&matched).filter(|(_, matched)| !**matched) {
        head(&mut out, part, said.part_removed, language);
        compared(&mut out, part.text, "", language);
    }
    let unchanged = said.sections_unchanged(same);
    let gap = if out.is_empty() { "" } else { "\n" };
    let _ = writeln!(out, "{gap}{unchanged}");
    out
}

fn is_same(one: &Part<'_>, other: &Part<'_>) -> bool {
    one.heading.is_empty() == other.heading.is_empty() && same_section(one.heading, other.heading)
}

fn head(out: &mut String, part: &Part<'_>, mark: &str, language: Language) {
    let name = if part.heading.is_empty() { messages::Prd::of(language).head_of_document } else { part.heading };
    let gap = if out.is_empty() { "" } else { "\n" };
    let _ = writeln!(out, "{gap}## {} ({mark})", clean::one_line(name));
}

fn compared(out: &mut String, old: &str, new: &str, language: Language) {
    match changed_lines(old, new) {
        Ok(lines) => out.push_str(&lines),
        Err((old, new)) => {
            let text = messages::Prd::of(language).too_many_lines(&new, &old);
            let _ = writeln!(out, "{text}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(draft: &str) -> Vec<Progress> {
        section_status(draft).into_iter().map(|status| status.status).collect()
    }

    /// The bug of the source: one long section made every named section complete.
    #[test]
    fn a_section_is_as_far_as_its_own_text() {
        use Progress as P;
        let long = "Agents copy orders by hand from the list into a spreadsheet, which takes twenty minutes each time, every day.";
        let draft = format!(
            "# PRD: x\n\nTimeline, Success Metrics: see below.\n\n## 1. Executive Summary\n\n{long}\n\n## Problem Statement\n\nShort.\n\n\
             ## User Stories\n\n### US-001\n\n## Functional Requirements\n\n{long} [TBD]\n\n## Requirements\n\n[…]\n"
        );
        let expected = [
            P::Complete,
            P::Partial,
            P::Pending,
            P::Pending,
            P::Partial,
            P::Pending,
            P::Pending,
            P::Pending,
            P::Pending,
        ];
        assert_eq!(status(&draft), expected);
        let chinese = format!(
            "## 执行摘要\n\n{}\n\n## 时间线\n\n{}\n",
            "客服两分钟内答复。".repeat(6),
            "客服两分钟内答复。".repeat(5)
        );
        let found = status(&chinese);
        assert_eq!((found[0], found[8]), (P::Complete, P::Partial));
        assert_eq!(status(""), [P::Pending; 9]);
    }

    #[test]
    fn drafts_are_numbered_and_name_five_changes() {
        let mut history = RevisionHistory::default();
        let first = history.add("2026-11-24", "writer", (None, None), Language::En);
        assert_eq!(
            (first.version, first.file_name().as_str(), first.changes_summary.as_str()),
            (1, "prd_v1.md", "Initial draft created")
        );
        let feedback = RequestedChanges {
            strategic: vec!["name\nthe goal".to_owned(), "b".to_owned()],
            design: vec!["c".to_owned(), "d".to_owned()],
            technical: vec!["e".to_owned(), "f".to_owned()],
        };
        let second = history.add("2026-11-24", "writer", (Some(feedback.clone()), None), Language::En);
        assert_eq!((second.version, second.changes_summary.as_str()), (2, "name the goal; b; c; d; e"));
        assert_eq!(second.feedback_addressed, Some(feedback.clone()));
        let third = history.add("2026-11-24", "王敏", (None, None), Language::Zh);
        assert_eq!((third.changes_summary.as_str(), third.request), ("由王敏编辑", None));
        let named = RevisionHistory(vec![first]).add("2026-11-24", "Ana", (None, None), Language::Zh);
        assert_eq!(named.changes_summary, "由 Ana 编辑");
        let fourth = history.add("2026-11-24", "writer", (Some(feedback), Some("Add the owner.")), Language::En);
        assert_eq!(fourth.changes_summary, "Add the owner.; name the goal; b; c; d");
        assert_eq!(fourth.request.as_deref(), Some("Add the owner."));
        let first = RevisionHistory::default().add("2026-11-24", "writer", (None, None), Language::Zh);
        assert_eq!(first.changes_summary, "已创建初稿");
    }

    #[test]
    fn drafts_are_compared_by_section() {
        let old = "# PRD: x\n\n## Problem\n\nA\nB\nC\nD\nE\n\n## Rollout\n\nAll.\n\n## Timeline\n\nMay\n";
        let new =
            "# PRD: x\n\n## Problem Statement\n\nA\nB\nC\n\u{1b}[31mdd\nE\n\n## Timeline\n\nMay\n\n## Risks\n\nNone.\n";
        let expected = "\
## Problem Statement (changed)
  B
  C
- D
+ dd
  E

## Risks (added)
+ None.

## Rollout (removed)
- All.

2 sections are unchanged
";
        assert_eq!(diff(old, new, Language::En), expected);
        assert_eq!(diff(old, old, Language::Zh), "4 个章节没有变化\n");
        let numbered = old.replace("## Rollout", "## 2. Rollout").replace("## Timeline", "## 3. Timeline");
        assert_eq!(diff(old, &numbered, Language::Zh), "4 个章节没有变化\n");
    }
}
