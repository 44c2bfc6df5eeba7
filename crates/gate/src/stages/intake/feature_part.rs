//! Files of a feature other than its PRD, recognised by their name and front matter.

use serde_json::{Map, Value};

use super::stated::{lookup, scalar};
use reqgate_base::model::Language;

/// The file name and the document type of the brief from which a PRD is made.
pub const BRIEF: (&str, &str) = ("feature-brief.md", "feature-brief");
/// The file name and the document type of the requirements from which a PRD is made.
pub const REQUIREMENTS: (&str, &str) = ("requirements.md", "requirements");

/// The front matter of such a file.
pub fn front_matter((_, document): (&str, &str), feature: &str) -> String {
    format!("---\ndocument: {document}\nfeature_id: {feature}\n---\n")
}

/// Adds a note to the front matter of such a file, unless it has one, that the PRD prevails.
pub fn with_last_word_of_the_prd(text: &str, language: Language) -> String {
    let note = match language {
        Language::En => "note: \"prd.md was edited when it was approved; where it says something else, prd.md holds\"",
        Language::Zh => "note: \"prd.md 在批准时被编辑过；内容不一致时，以 prd.md 为准\"",
    };
    match text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n")) {
        Some((front, body)) if !front.lines().any(|line| line == note) => format!("---\n{front}\n{note}\n---\n{body}"),
        _ => text.to_owned(),
    }
}

/// The text without that front matter.
pub fn without_front_matter(text: &str) -> &str {
    let parts = [BRIEF, REQUIREMENTS];
    let head = |(_, document): (&str, &str)| {
        let rest = text.strip_prefix("---\n")?.strip_prefix(&format!("document: {document}\nfeature_id: "))?;
        let (_, body) = rest.split_once("\n---\n")?;
        Some(body.strip_prefix('\n').unwrap_or(body))
    };
    parts.into_iter().find_map(head).unwrap_or(text)
}

/// Returns true if a file with this name and front matter belongs to a feature.
pub(super) fn is_one(name: &str, mapping: &Map<String, Value>) -> bool {
    let file = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let is_text = |key: &str| lookup(mapping, &[key]).and_then(scalar);
    let is_of_a_feature = is_text("feature_id").is_some_and(|feature| !feature.is_empty());
    let document = is_text("document").unwrap_or_default();
    is_of_a_feature && [BRIEF, REQUIREMENTS].contains(&(file, document.as_str()))
}

#[cfg(test)]
mod tests {
    use super::super::front_matter::read;
    use super::*;
    use reqgate_base::model::TicketType;

    #[test]
    fn a_part_of_a_feature_is_known_by_its_name_and_its_front_matter() {
        for part in [BRIEF, REQUIREMENTS] {
            let text = format!("{}\n# A title\n", front_matter(part, "001-export"));
            assert_eq!(without_front_matter(&text), "# A title\n");
            let noted = with_last_word_of_the_prd(&text, Language::En);
            assert!(noted.contains("prd.md holds") && noted.ends_with("---\n\n# A title\n"), "{noted}");
            assert_eq!(without_front_matter(&noted), "# A title\n");
            assert_eq!(with_last_word_of_the_prd(&noted, Language::En), noted);
            assert_eq!(read(part.0, noted).ticket_type, Some(TicketType::FeaturePart));
            let kind = |name: &str| read(name, text.clone()).ticket_type;
            assert_eq!(kind(part.0), Some(TicketType::FeaturePart));
            assert_eq!(kind(&format!("docs/prd/001-export/{}", part.0)), Some(TicketType::FeaturePart));
            assert_eq!(kind("ticket.md"), None);
            assert_eq!(read(part.0, "# A title\n".to_owned()).ticket_type, None);
            assert_eq!(read(part.0, format!("---\ndocument: {}\n---\n# A title\n", part.1)).ticket_type, None);
        }
        assert_eq!(without_front_matter("---\ntitle: a\n---\nbody"), "---\ntitle: a\n---\nbody");
    }
}
