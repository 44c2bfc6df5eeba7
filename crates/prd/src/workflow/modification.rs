//! A change that a review requests for one section of the PRD: the whole section, or a part of its text.

use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use similar::{Algorithm, DiffTag, capture_diff_slices};

use crate::prd_text::holds_questions;
use reqgate_docs::{Outline, lines, write};

/// The most lines of a document whose edits are split into changes; the time of a comparison is the product of both lengths.
const MOST_LINES: usize = 5_000;

/// A change of one section of the PRD.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PrdModification {
    /// The section, by its heading.
    pub section: String,
    /// The words of the section that change; the whole section if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub original_content: Option<String>,
    /// The new text in their place; for a whole section, lines that begin with `+` are added to it, and nothing takes it out.
    #[serde(alias = "requestedContent")]
    pub modified_content: String,
    /// Why.
    #[serde(default)]
    pub modification_reason: String,
}

impl PrdModification {
    /// The text to replace, unless the whole section is replaced.
    fn original(&self) -> Option<&str> {
        self.original_content.as_deref().map(str::trim).filter(|words| !words.is_empty())
    }

    /// Returns true if the text to replace does not occur in its section of the document.
    pub(crate) fn is_misplaced(&self, document: &str) -> bool {
        let outline = Outline::of(document);
        let section = outline.text_below(&self.section);
        let stands_in = |section: &str| self.original().is_none_or(|words| section.contains(words));
        section.is_some_and(|section| !stands_in(section))
    }

    /// Returns the edits of a document as changes, each in the innermost section around it, so that they can be
    /// repeated when the document is rebuilt; the last one comes first, because the heading above it may be edited as
    /// well. Text outside of any section is left out, and so are documents of more than 5,000 lines.
    pub(crate) fn between(before: &str, after: &str) -> Vec<Self> {
        let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
        if old.len().max(new.len()) > MOST_LINES {
            return Vec::new();
        }
        let mut hunks: Vec<(Range<usize>, Range<usize>)> = Vec::new();
        for op in capture_diff_slices(Algorithm::Myers, &old, &new).iter().filter(|op| op.tag() != DiffTag::Equal) {
            // An insertion may be reported before the end of the deletion that it follows.
            let (old_end, new_end) = hunks.last().map_or((0, 0), |last| (last.0.end, last.1.end));
            let behind = |range: Range<usize>, end: usize| range.start.max(end)..range.end.max(end);
            let (lines, new_lines) = (behind(op.old_range(), old_end), behind(op.new_range(), new_end));
            match hunks.last_mut() {
                // Empty lines do not separate two changes.
                Some(last) if is_bare(&old[last.0.end..lines.start]) => {
                    (last.0.end, last.1.end) = (lines.end, new_lines.end);
                }
                _ => hunks.push((lines, new_lines)),
            }
        }
        let room = |index: usize| {
            let before = index.checked_sub(1).map_or(0, |last| hunks[last].0.end);
            before..hunks.get(index + 1).map_or(old.len(), |next| next.0.start)
        };
        let outline = Outline::of(before);
        let edit = |(index, hunk): (usize, &(Range<usize>, Range<usize>))| {
            let (heading, below) = innermost(&outline, &hunk.0)?;
            let room = room(index);
            let room = room.start.max(below.start)..room.end.min(below.end);
            let section = old[below].join("\n");
            Self::edit(heading, &section, (&old, &hunk.0), (&new, &hunk.1), room)
        };
        hunks.iter().enumerate().rev().filter_map(edit).collect()
    }

    /// One edit: lines of a section, those that replace them, and the lines around them that no other edit has. It takes as many of
    /// these with it as it needs to be found again.
    fn edit(
        heading: &str,
        section: &str,
        (old, lines): (&[&str], &Range<usize>),
        (new, new_lines): (&[&str], &Range<usize>),
        room: Range<usize>,
    ) -> Option<Self> {
        if is_bare(&old[lines.clone()]) && is_bare(&new[new_lines.clone()]) {
            return None;
        }
        let mut around = lines.clone();
        let edited = |around: &Range<usize>| {
            let (before, after) = (&old[around.start..lines.start], &old[lines.end..around.end]);
            [before, &new[new_lines.clone()], after].concat()
        };
        let is_said = |line: Option<&&str>| line.is_some_and(|line| !line.trim().is_empty());
        // An empty line at the edge would be lost, and with it the gap to the next text.
        while around != room {
            let edited = edited(&around);
            let ends = is_said(edited.last());
            if is_said(edited.first()) && ends && section.matches(old[around.clone()].join("\n").trim()).count() == 1 {
                break;
            }
            if around.start == room.start || (!ends && around.end < room.end) {
                around.end += 1;
            } else {
                around.start -= 1;
            }
        }
        let original = old[around.clone()].join("\n");
        Some(Self {
            section: heading.to_owned(),
            original_content: Some(original.trim().to_owned()).filter(|words| !words.is_empty()),
            modified_content: edited(&around).join("\n").trim().to_owned(),
            modification_reason: String::new(),
        })
    }

    /// Returns the document with the questions of this change in a separate section; `None` if it is not about questions.
    pub(crate) fn asked_in(&self, document: &str) -> Option<String> {
        let text = self.modified_content.trim();
        if !holds_questions(&self.section) || text.is_empty() {
            return None;
        }
        let heading = write::heading(3, self.section.trim_start_matches('#').trim());
        let block = format!("{heading}\n\n{text}");
        let outline = Outline::of(document);
        let next = ["Functional requirements", "功能需求"].into_iter().find_map(|next| outline.named(next));
        Some(match next {
            Some(at) => outline.with_block_before(at, &block),
            None => format!("{}\n\n{block}\n", document.trim_end()),
        })
    }

    /// Returns the document with this change; `None` if it has no such section.
    pub(crate) fn applied(&self, document: &str) -> Option<String> {
        let outline = Outline::of(document);
        let at = outline.named(&self.section);
        let Some(words) = self.original() else {
            let text = self.modified_content.trim();
            return Some(match text {
                "" => outline.without(at?),
                text => outline.with_text_below(at?, &added_to(outline.below(at?).slice(document).trim(), text)),
            });
        };
        let added = self.added_section(words);
        let Some(at) = at else { return added.map(|added| added.below(&outline, document, document.len())) };
        let below = outline.below(at);
        let section = below.slice(document);
        match added {
            Some(added) if !added.has_place_in(section, words) => Some(added.below(&outline, document, below.end)),
            // The words that change may be gone; the rest of the section stays as it is.
            _ => {
                let text = section.replacen(words, self.modified_content.trim(), 1);
                Some([&document[..below.start], text.as_str(), &document[below.end..]].concat())
            }
        }
    }

    /// Returns the change that only adds the new section; `None` if this change adds none.
    pub(crate) fn adding_alone(&self) -> Option<Self> {
        let words = self.original()?;
        let added = self.added_section(words)?;
        Some(Self { modified_content: format!("{words}\n\n{}", added.text), ..self.clone() })
    }

    /// The section that this change adds between unchanged lines, or after changed ones; `None` if it adds none.
    fn added_section(&self, words: &str) -> Option<AddedSection> {
        let old: Vec<&str> = words.lines().collect();
        let new: Vec<&str> = self.modified_content.trim().lines().collect();
        let same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
        let rest = old[same..].iter().rev().zip(new[same..].iter().rev());
        let behind = rest.take_while(|(old, new)| old == new).count();
        let (gone, added) = (&old[same..old.len() - behind], &new[same..new.len() - behind]);
        // A reworded heading is not a new section.
        if gone.iter().any(|line| level(line).is_some()) {
            return None;
        }
        let heading = added.iter().position(|line| level(line).is_some())?;
        let is_alone = gone.is_empty() && is_bare(&added[..heading]);
        let text = added[heading..].join("\n").trim().to_owned();
        Some(AddedSection { text, follows_block: is_alone && same > 0 && heading > 0 })
    }

    /// Returns true for a document that has the words of this change.
    pub(crate) fn is_in(&self, document: &str) -> bool {
        let added = self.original().and_then(|words| self.added_section(words));
        document.contains(added.as_ref().map_or(self.modified_content.trim(), |added| added.text.as_str()))
    }
}

/// A section that an edit adds.
struct AddedSection {
    /// The heading and the text below it.
    text: String,
    /// It was put below a whole list, table or paragraph.
    follows_block: bool,
}

impl AddedSection {
    /// Returns true for a section that has the words next to it, with no further text added directly below them.
    fn has_place_in(&self, section: &str, words: &str) -> bool {
        let rest = section.find(words).map(|at| &section[at + words.len()..]);
        let next = rest.map(|rest| rest.lines().nth(usize::from(rest.starts_with('\n'))).unwrap_or_default());
        next.is_some_and(|next| !self.follows_block || next.trim().is_empty() || level(next).is_some())
    }

    /// The document with this section at the end of the one above, which ends at this byte.
    fn below(&self, outline: &Outline<'_>, document: &str, mut end: usize) -> String {
        let own = self.text.lines().next().and_then(level).unwrap_or_default();
        for (at, heading) in outline.headings().iter().enumerate() {
            if heading.span.start == end && heading.level > own {
                end = outline.below(at).end;
            }
        }
        let (before, after) = document.split_at(end);
        let gap = if after.is_empty() { "\n" } else { "\n\n" };
        format!("{}\n\n{}{gap}{after}", before.trim_end(), self.text)
    }
}

/// Returns true for empty lines.
fn is_bare(lines: &[&str]) -> bool {
    lines.iter().all(|line| line.trim().is_empty())
}

/// The level of a line that is a heading.
fn level(line: &str) -> Option<u8> {
    lines::heading(line).map(|(level, _)| level)
}

/// The innermost heading above these lines that has all of them below it, with the lines below it.
fn innermost<'t>(outline: &Outline<'t>, within: &Range<usize>) -> Option<(&'t str, Range<usize>)> {
    let has_all = |at: &usize| {
        let below = outline.lines_below(*at);
        below.start <= within.start && within.end <= below.end
    };
    let at = (0..outline.headings().len()).rev().find(has_all)?;
    let words = outline.headings()[at].words;
    // The first of two headings alike is the one that would be found.
    (outline.named(words)? == at).then(|| (words, outline.lines_below(at)))
}

/// The new text of a section: lines that all begin with `+` are added to its text, as in a brief.
fn added_to(before: &str, text: &str) -> String {
    let lines: Option<Vec<&str>> =
        text.lines().filter(|line| !line.trim().is_empty()).map(|line| line.trim().strip_prefix('+')).collect();
    let Some(lines) = lines else { return text.to_owned() };
    let items = lines.iter().map(|line| format!("- {}", line.trim().trim_start_matches("- ")));
    let before = (!before.is_empty()).then(|| before.to_owned());
    before.into_iter().chain(items).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const PRD: &str =
        "# Export\n\n## Open questions\n\n- Who pays?\n- Who switches it off?\n\n## Change log\n\n- 1.0\n";

    fn change(original: Option<&str>) -> PrdModification {
        PrdModification {
            section: "Open questions".to_owned(),
            original_content: original.map(str::to_owned),
            modified_content: "- Who may switch it off?".to_owned(),
            modification_reason: String::new(),
        }
    }

    #[test]
    fn edits_are_made_again_in_a_document_put_together_anew() {
        let before = "# Export\n\n## Goal\n\nOne button.\n\n## Data\n\n| Id | Field |\n|---|---|\n| 1 | Name |\n| 2 | Fax |\n\n## Open questions\n\n- Who pays?\n\n## Change log\n\n- 1.0\n";
        let after = before
            .replace("One button.", "One button in the list.\n\nNobody exports by hand.")
            .replace("| 2 | Fax |\n", "")
            .replace("\n## Open", "\n## Roll-out\n\nBerlin first.\n\n## Open");
        let edits = PrdModification::between(before, &after);
        let applied = |document: &str| {
            edits.iter().fold(document.to_owned(), |document, edit| edit.applied(&document).unwrap_or(document))
        };
        assert_eq!(applied(before), after);
        let anew = |text: &str| text.replace("- Who pays?", "- (answered) Sales pays.").replace("- 1.0", "- 1.1");
        assert_eq!(applied(&anew(before)), anew(&after));
    }

    #[test]
    fn an_added_section_outlives_the_text_that_it_was_put_below() {
        let before = "# Export\n\n## Requirements\n\n| Id |\n|---|\n| 1 |\n\n## Change log\n\n- 1.0\n";
        let after = before.replace("## Change", "### Roll-out\n\nBerlin first.\n\n## Change");
        let edits = PrdModification::between(before, &after);
        let made =
            |document: &str| edits.iter().fold(document.to_owned(), |text, edit| edit.applied(&text).expect("a place"));
        assert_eq!(made(before), after);
        for rows in ["| 1 |\n| 2 |", "| 3 |", "| 3 |\n\n### Open\n\n- Who?"] {
            let anew = |text: &str| text.replacen("| 1 |", rows, 1);
            let expected = anew(before).replace("## Change", "### Roll-out\n\nBerlin first.\n\n## Change");
            let made = made(&anew(before));
            assert!(edits[0].is_in(&made), "{made}");
            if !rows.contains("Open") {
                assert_eq!(made, expected, "{rows}");
            }
        }
    }

    /// A document of sections with different lines, and an edited version.
    fn documents() -> impl Strategy<Value = (String, String)> {
        let lines = (0..40_u8, proptest::collection::vec((0..40_u8, 0..6_u8), 0..6));
        lines.prop_map(|(sections, edits)| {
            let mut lines: Vec<String> = (0..sections)
                .map(|line| if line % 4 == 0 { format!("## Part {line}") } else { format!("- line {line}.") })
                .collect();
            lines.insert(0, "# Title".to_owned());
            let before = lines.join("\n");
            for (number, (at, kind)) in edits.into_iter().enumerate() {
                let at = usize::from(at) % lines.len();
                match kind {
                    _ if at == 0 => {}
                    0 | 1 => lines.insert(at, format!("new {number}.")),
                    2 | 3 => drop(lines.remove(at)),
                    4 => lines[at] = format!("other {number}."),
                    _ => lines.insert(at, format!("## New part {number}")),
                }
            }
            (before, lines.join("\n"))
        })
    }

    proptest! {
        #[test]
        fn edits_make_the_edited_document((before, after) in documents()) {
            let edits = PrdModification::between(&before, &after);
            let made = edits.iter().fold(before, |document, edit| edit.applied(&document).unwrap_or(document));
            let said = |text: &str| text.lines().filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n");
            prop_assert_eq!(said(&made), said(&after), "{:#?}", edits);
        }
    }

    proptest! {
        /// Any number of equal and empty lines.
        #[test]
        fn any_two_documents_are_compared(
            before in proptest::collection::vec(0..5_usize, 0..40),
            after in proptest::collection::vec(0..5_usize, 0..40),
        ) {
            const LINES: [&str; 5] = ["", "## Part", "### Piece", "- same", "text"];
            let text = |lines: &[usize]| lines.iter().map(|line| LINES[*line]).collect::<Vec<_>>().join("\n");
            PrdModification::between(&text(&before), &text(&after));
        }
    }

    #[test]
    fn words_are_changed_where_they_stand_and_the_rest_stays() {
        let part = change(Some("- Who switches it off?"));
        assert!(!part.is_misplaced(PRD));
        assert_eq!(part.applied(PRD), Some(PRD.replace("Who switches it off?", "Who may switch it off?")));
        let whole = change(None);
        assert!(!whole.is_misplaced(PRD));
        assert_eq!(
            whole.applied(PRD),
            Some(PRD.replace("- Who pays?\n- Who switches it off?", "- Who may switch it off?"))
        );
        let more = PrdModification { modified_content: "+ Who stops it?\n+ When?".to_owned(), ..change(None) };
        let both = PRD.replace("switches it off?", "switches it off?\n- Who stops it?\n- When?");
        assert_eq!(more.applied(PRD), Some(both), "the others stay");
        let nothing = PrdModification { modified_content: String::new(), ..change(None) };
        assert_eq!(nothing.applied(PRD).as_deref(), Some("# Export\n\n## Change log\n\n- 1.0\n"));
        let gone = change(Some("- Who stops it?"));
        assert!(gone.is_misplaced(PRD));
        assert_eq!(gone.applied(PRD).as_deref(), Some(PRD), "the other questions stay");
        assert!(change(Some("- 1.0")).is_misplaced(PRD), "another section");
    }
}
