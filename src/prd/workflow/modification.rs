//! A change of one section of the PRD that a review asks for: of the whole section, or of some words in it.

use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::prd::prd_text::holds_questions;

/// A change of one section of the PRD.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PrdModification {
    /// The section, by its heading.
    pub section: String,
    /// The words of the section that change; the whole section if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub original_content: Option<String>,
    /// The new text in their place.
    #[serde(alias = "requestedContent")]
    pub modified_content: String,
    /// Why.
    #[serde(default)]
    pub modification_reason: String,
}

impl PrdModification {
    /// The words that change, if it is not the whole section.
    fn original(&self) -> Option<&str> {
        self.original_content.as_deref().map(str::trim).filter(|words| !words.is_empty())
    }

    /// True if the words that change do not stand in their section of the document.
    pub fn is_misplaced(&self, document: &str) -> bool {
        let section = section_text(document, &self.section);
        let stands_in = |section: &str| self.original().is_none_or(|words| section.contains(words));
        section.is_some_and(|section| !stands_in(&section))
    }

    /// The document with the questions of this change in a section of their own; `None` if it is about no questions.
    pub fn asked_in(&self, document: &str) -> Option<String> {
        let text = self.modified_content.trim();
        if !holds_questions(&self.section) || text.is_empty() {
            return None;
        }
        let section = format!("### {}\n\n{text}\n", self.section.trim_start_matches('#').trim());
        let next =
            ["\n## Functional requirements\n", "\n## 功能需求\n"].into_iter().find_map(|next| document.find(next));
        Some(match next {
            Some(at) => format!("{}\n{section}{}", &document[..at], &document[at..]),
            None => format!("{}\n\n{section}", document.trim_end()),
        })
    }

    /// The document with this change; `None` if it has no such section.
    pub fn applied(&self, document: &str) -> Option<String> {
        let section = section_text(document, &self.section)?;
        match self.original() {
            // The rest of the section is nobody's to replace, where these words are gone.
            Some(words) if !section.contains(words) => Some(document.to_owned()),
            Some(words) => {
                let text = section.replacen(words, self.modified_content.trim(), 1);
                replaced_section(document, &self.section, &text)
            }
            None => replaced_section(document, &self.section, &self.modified_content),
        }
    }
}

/// The lines under this heading; `None` if there is no such heading.
fn section_lines(lines: &[&str], section: &str) -> Option<Range<usize>> {
    let level = |line: &str| {
        let marks = line.bytes().take_while(|byte| *byte == b'#').count();
        (marks > 0 && line[marks..].starts_with(' ')).then_some(marks)
    };
    let wanted = section.trim_start_matches('#').trim();
    let start = lines
        .iter()
        .position(|line| level(line).is_some_and(|marks| line[marks..].trim().eq_ignore_ascii_case(wanted)))?;
    let marks = level(lines[start])?;
    let end = lines[start + 1..]
        .iter()
        .position(|line| level(line).is_some_and(|other| other <= marks))
        .map_or(lines.len(), |offset| start + 1 + offset);
    Some(start + 1..end)
}

/// The text under this heading; `None` if there is no such heading.
pub(super) fn section_text(content: &str, section: &str) -> Option<String> {
    let lines: Vec<&str> = content.lines().collect();
    Some(lines[section_lines(&lines, section)?].join("\n").trim().to_owned())
}

/// The document with another text under this heading; `None` if there is no such heading.
pub(super) fn replaced_section(content: &str, section: &str, text: &str) -> Option<String> {
    let lines: Vec<&str> = content.lines().collect();
    let below = section_lines(&lines, section)?;
    let before = lines[..below.start].join("\n");
    let after = lines[below.end..].join("\n");
    let tail = if after.is_empty() { String::new() } else { format!("\n\n{after}") };
    Some(format!("{before}\n\n{}{tail}\n", text.trim()))
}

/// The document without this heading and the text under it.
pub(super) fn without_section(content: &str, section: &str) -> String {
    let lines: Vec<&str> = content.lines().collect();
    let Some(below) = section_lines(&lines, section) else { return content.to_owned() };
    let (before, after) = (lines[..below.start - 1].join("\n"), lines[below.end..].join("\n"));
    let gap = if after.is_empty() { "\n" } else { "\n\n" };
    format!("{}{gap}{after}", before.trim_end())
}

#[cfg(test)]
mod tests {
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
        let gone = change(Some("- Who stops it?"));
        assert!(gone.is_misplaced(PRD));
        assert_eq!(gone.applied(PRD).as_deref(), Some(PRD), "the other questions stay");
        assert!(change(Some("- 1.0")).is_misplaced(PRD), "another section");
    }
}
