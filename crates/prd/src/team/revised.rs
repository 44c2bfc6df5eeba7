//! Replaces sections of a draft: all other sections are unchanged to the byte.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag};

use super::document::{PrdMetadata, parse_anyway};
use super::sections::{Part, SectionId, parts, same_section, same_words, without_number};
use crate::DocumentStatus;
use reqgate_base::model::Language;
use reqgate_docs::{Outline, lines};
use reqgate_gate::stages::intake::as_draft;

/// A section with its new text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NewSection {
    /// The heading, without the marks.
    pub heading: String,
    /// The Markdown below the heading.
    pub text: String,
}

/// Returns true for a text that does not leave its section: without a heading of the first two levels, for this
/// program and for other Markdown readers, and without unclosed code or comments.
pub(crate) fn stays_below(text: &str) -> bool {
    let (_, never_closed) = lines::lines(text);
    let outline = Outline::of(text);
    let reaches_out = outline.headings().iter().any(|heading| heading.level <= 2);
    let is_above = |event: Event<'_>| {
        matches!(event, Event::Start(Tag::Heading { level: HeadingLevel::H1 | HeadingLevel::H2, .. }))
    };
    let mut shown = Parser::new_ext(text, Options::ENABLE_TABLES);
    never_closed.is_none() && !reaches_out && !shown.any(is_above)
}

/// Returns true for a text with `[name]: address` anywhere, which would turn every `[name]` of the document into a link.
pub(crate) fn defines_links(text: &str) -> bool {
    Parser::new_ext(text, Options::ENABLE_TABLES).reference_definitions().iter().next().is_some()
}

/// Returns the headings of the sections of a draft, in order.
pub(crate) fn headings(draft: &str) -> Vec<&str> {
    sections_of(draft).iter().map(|part| part.heading).collect()
}

/// Returns the heading of a draft that names this section: the same words, otherwise the same standard section.
pub(crate) fn heading_of<'d>(draft: &'d str, section: &str) -> Option<&'d str> {
    let headings = headings(draft);
    let same = headings.iter().find(|own| same_words(own, section));
    same.or_else(|| headings.iter().find(|own| same_section(own, section))).copied()
}

/// The sections, without the head of the document.
fn sections_of(draft: &str) -> Vec<Part<'_>> {
    parts(draft).into_iter().filter(|part| !part.heading.is_empty()).collect()
}

/// The length of the head, before the first section.
fn head_length(sections: &[Part<'_>], draft: &str) -> usize {
    sections.first().map_or(draft.len(), |part| part.span.start)
}

/// Returns the draft with sections replaced. A section that the draft does not have is added, a standard one in the standard order.
pub(crate) fn with_sections(draft: &str, sections: &[NewSection]) -> String {
    let parts = sections_of(draft);
    let first = head_length(&parts, draft);
    let of = |section: &NewSection| heading_of(draft, &section.heading);
    // Each section, and true if it was added.
    let mut pieces: Vec<(Option<SectionId>, String, bool)> = Vec::new();
    let mut replaced: Vec<&str> = Vec::new();
    for part in &parts {
        let old = part.span.slice(draft);
        let new = sections.iter().find(|section| of(section) == Some(part.heading));
        let piece = match new.filter(|_| !replaced.contains(&part.heading)) {
            Some(new) => {
                replaced.push(part.heading);
                let heading = old.lines().next().unwrap_or_default();
                let behind = &old[old.trim_end().len()..];
                format!("{heading}\n\n{}{}", new.text.trim(), if behind.is_empty() { "\n" } else { behind })
            }
            None => old.to_owned(),
        };
        pieces.push((part.section, piece, false));
    }
    for new in sections.iter().filter(|section| of(section).is_none()) {
        let id = SectionId::named(&new.heading);
        let behind = |other: Option<SectionId>| id.is_some_and(|id| other.is_some_and(|other| other > id));
        let at = pieces.iter().position(|(other, ..)| behind(*other)).unwrap_or(pieces.len());
        pieces.insert(at, (id, format!("## {}\n\n{}\n", new.heading.trim(), new.text.trim()), true));
    }
    let mut out = draft[..first].to_owned();
    let mut is_behind_a_new_one = false;
    for (_, piece, is_new) in pieces {
        if (is_new || is_behind_a_new_one) && !out.is_empty() && !out.ends_with("\n\n") {
            out.push_str(if out.ends_with('\n') { "\n" } else { "\n\n" });
        }
        out.push_str(&piece);
        is_behind_a_new_one = is_new;
    }
    out
}

/// Returns the draft with a changed head and unchanged sections.
pub(crate) fn with_head(draft: &str, language: Language, change: impl FnOnce(&mut PrdMetadata)) -> String {
    let first = head_length(&sections_of(draft), draft);
    let (mut head, _) = parse_anyway(&draft[..first]);
    head.metadata.language = language;
    change(&mut head.metadata);
    let gap = if first < draft.len() { "\n" } else { "" };
    format!("{}{gap}{}", head.normalised().to_markdown(), &draft[first..])
}

/// Returns the draft without the approval in its head or its front matter, and without the reasons that were accepted
/// with it; `None` if it has no approval.
pub fn without_approval(draft: &str) -> Option<String> {
    let mut out = as_draft(draft);
    if out != draft {
        // A PRD of the workflow repeats its status in its first table.
        let tables = [(" | approved |", " | draft |"), (" | 已批准 |", " | 草稿 |")];
        out = tables.iter().fold(out, |text, (approved, draft)| text.replacen(approved, draft, 1));
    }
    let metadata = parse_anyway(&out).0.metadata;
    if metadata.status.is_some_and(|status| status != DocumentStatus::Draft) {
        out = with_head(&out, metadata.language, |metadata| metadata.status = Some(DocumentStatus::Draft));
    }
    (out != draft).then_some(out)
}

/// Returns the headings that repeat a section.
pub fn doubled_headings(draft: &str) -> Vec<&str> {
    let all = headings(draft);
    let is_known = |(at, heading): &(usize, &&str)| all[..*at].iter().any(|other| same_words(other, heading));
    all.iter().enumerate().filter(is_known).map(|(_, heading)| *heading).collect()
}

/// Returns the headings of the sections that differ from another draft, as in the new draft, followed by the
/// headings that were removed. Another number before a heading is not a change.
pub fn changed_sections(old: &str, new: &str) -> Vec<String> {
    let (before, after) = (sections_of(old), sections_of(new));
    let text = |parts: &[Part<'_>], heading: &str| -> Option<String> {
        let own = parts.iter().filter(|part| without_number(part.heading) == without_number(heading));
        let texts: Vec<&str> = own.map(|part| part.text.trim()).collect();
        (!texts.is_empty()).then(|| texts.join("\n"))
    };
    let mut out: Vec<String> = Vec::new();
    for part in &after {
        if text(&before, part.heading) != text(&after, part.heading) && !out.iter().any(|known| known == part.heading) {
            out.push(part.heading.to_owned());
        }
    }
    let lost = before.iter().filter(|part| text(&after, part.heading).is_none());
    out.extend(lost.map(|part| part.heading.to_owned()));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRAFT: &str = "# PRD: Export\n\n- Version: 1\n\n## Problem Statement\n\n-  odd   blanks\n\n```\n## code\n```\n\n## Rollout\n\nAll.\n\n## Timeline\n\n### Milestone: Beta\n\n- Date: […]\n";

    fn new(heading: &str, text: &str) -> NewSection {
        NewSection { heading: heading.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn sections_that_are_not_named_stay_to_the_byte() {
        assert_eq!(with_sections(DRAFT, &[]), DRAFT);
        let changed = with_sections(DRAFT, &[new("rollout", "\nNorth first.\n\n")]);
        assert_eq!(changed, DRAFT.replace("All.", "North first."));
        assert_eq!(changed_sections(DRAFT, &changed), ["Rollout"]);
        // A standard section is also found by its other name; the heading is unchanged.
        let changed = with_sections(DRAFT, &[new("Problem", "Short.")]);
        assert!(changed.contains("## Problem Statement\n\nShort.\n\n## Rollout\n"), "{changed}");
        let dense = "# PRD: x\n## Problem\nA\n# Timeline\nMay";
        assert_eq!(with_sections(dense, &[new("Problem", "B")]), "# PRD: x\n## Problem\n\nB\n# Timeline\nMay");
        assert_eq!(with_sections(dense, &[new("Timeline", "June")]), "# PRD: x\n## Problem\nA\n# Timeline\n\nJune\n");
        let numbered = DRAFT.replace("## Rollout", "## 2. Rollout").replace("## Timeline", "## 3) Timeline");
        assert!(changed_sections(DRAFT, &numbered).is_empty(), "another number is not a change");
        let last = with_sections(DRAFT, &[new("Timeline", "None.")]);
        assert!(last.ends_with("All.\n\n## Timeline\n\nNone.\n"), "{last}");
    }

    #[test]
    fn a_new_section_has_its_place() {
        let added = with_sections(DRAFT, &[new("Dependencies & Risks", "None."), new("Appendix", "More.")]);
        let expected = "All.\n\n## Dependencies & Risks\n\nNone.\n\n## Timeline\n\n### Milestone: Beta\n\n- Date: […]\n\n## Appendix\n\nMore.\n";
        assert!(added.ends_with(expected), "{added}");
        assert_eq!(changed_sections(DRAFT, &added), ["Dependencies & Risks", "Appendix"]);
        assert_eq!(changed_sections(&added, DRAFT), ["Dependencies & Risks", "Appendix"], "what is lost is a change");
        assert_eq!(with_sections("# PRD: x\n", &[new("Timeline", "May")]), "# PRD: x\n\n## Timeline\n\nMay\n");
    }

    #[test]
    fn the_head_is_written_anew_and_nothing_else() {
        let changed = with_head(DRAFT, Language::En, |metadata| {
            metadata.version = Some(2);
            metadata.author = "ann".to_owned();
        });
        assert_eq!(changed, DRAFT.replace("- Version: 1\n", "- Version: 2\n- Author: ann\n"));
        let chinese = "# 产品需求文档：导出\n\n- 版本：1\n\n## 时间线\n\n五月\n";
        let changed = with_head(chinese, Language::Zh, |metadata| metadata.version = Some(2));
        assert_eq!(changed, chinese.replace("版本：1", "版本：2"));
    }

    #[test]
    fn a_text_stays_below_its_heading() {
        assert!(stays_below("### Milestone: Beta\n\n```\n# not a heading\n```\n"));
        assert!(stays_below("words\n\n---\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n"));
        for text in [
            "# Title",
            "words\n\n## Timeline\n\nwords",
            "```\nnever closed",
            "<!-- never closed",
            "Title\n=====",
            "words\n\nTitle\n---\n\nwords",
            "> Title\n> ===",
            "- # Title",
        ] {
            assert!(!stays_below(text), "{text}");
        }
    }

    #[test]
    fn a_definition_of_a_link_is_found_wherever_it_stands() {
        for text in [
            "[Spec]: https://a.example/x",
            "words\n\n> [Spec]: https://a.example/x",
            "- [Spec]: https://a.example/x",
            "1. a\n\n   [Spec]:\n   <https://a.example/x>",
        ] {
            assert!(defines_links(text), "{text}");
        }
        for text in
            ["See [Spec]: it says more.", "```\n[Spec]: https://a.example/x\n```", "[Spec](https://a.example/x)"]
        {
            assert!(!defines_links(text), "{text}");
        }
    }

    #[test]
    fn a_heading_that_another_section_has_is_found() {
        assert_eq!(
            doubled_headings("# PRD: x\n\n## Rollout\n\nA\n\n## 2. rollout\n\nB\n\n## Timeline\n\nC\n"),
            ["2. rollout"]
        );
        assert!(doubled_headings(DRAFT).is_empty());
    }

    #[test]
    fn an_approval_and_what_was_accepted_are_taken_back() {
        let front = |status: &str, accepted: &str| {
            format!(
                "---\nsource: prd\nstatus: {status}\nowner: \"ann\"\n{accepted}language: en\n---\n\n# Export\n\n## Status\n\n"
            )
        };
        let accepted = "accepted_by: \"ann\"\nAccepted-Because: \"it\n  waits\"\naccepted_open_questions:\n  - \"Who pays?\"\n- \"When?\"\n";
        let table = |status: &str| {
            format!("| Author | Status |\n| --- | --- |\n| ann | {status} |\n\n## Notes\n\n| a | approved |\n")
        };
        let approved = front("approved", accepted) + &table("approved");
        assert_eq!(without_approval(&approved), Some(front("draft", "") + &table("draft")));
        assert_eq!(without_approval(&(front("draft", "") + &table("draft"))), None);
        let team = DRAFT.replace("- Version: 1\n", "- Version: 1\n- Status: Approved\n");
        assert_eq!(without_approval(&team), Some(team.replace("Status: Approved", "Status: draft")));
        for draft in [DRAFT, "---\nStatus: \"Draft\"\n---\n# Export\n"] {
            assert_eq!(without_approval(draft), None);
        }
    }
}
