//! Reads the YAML block at the beginning of a text. The text itself stays complete, so that line numbers match the
//! file.
//!
//! A block that is not a YAML mapping is not an error but text. The same applies to a block with an alias or a merge
//! key, because the writer may be a stranger, and a few bytes of it can expand to millions of values.

use serde_json::{Map, Value};

use reqgate_base::model::{Acceptance, AcceptedFinding, SourceType, Span, TicketType};
use reqgate_base::yaml;
use reqgate_docs::front_matter::{block, lines};

use super::{RawInput, feature_part, stated};

/// Reads a text file as an input, with the properties stated in its front matter.
pub(super) fn read(name: &str, text: String) -> RawInput {
    let mut input = RawInput::plain(name, text);
    let Some(block) = block(&input.text) else { return input };
    let Ok(Value::Object(mapping)) = yaml::read_plain::<Value>(block.slice(&input.text)) else { return input };
    input.title_span = title_span(&input.text, block, &mapping);
    stated::apply(&mapping, &mut input);
    input.accepted = acceptance(&mapping).filter(|_| input.source_type == Some(SourceType::PrdDoc));
    if feature_part::is_one(name, &mapping) {
        // Its length is limited like that of the PRD that is made from it.
        input.source_type = Some(SourceType::PrdDoc);
        input.ticket_type = Some(TicketType::FeaturePart);
    }
    input
}

/// Returns true for a document of a feature whose status is approved.
pub fn is_approved(text: &str) -> bool {
    let Some(block) = block(text) else { return false };
    let Ok(Value::Object(mapping)) = yaml::read_plain::<Value>(block.slice(text)) else { return false };
    let words = |key: &str| stated::lookup(&mapping, &[key]).and_then(stated::scalar).unwrap_or_default();
    !words("feature_id").is_empty() && words("status").eq_ignore_ascii_case("approved")
}

/// The findings that a person accepted when approving the document although the gate stops it. An acceptance needs a
/// name and a reason.
fn acceptance(mapping: &Map<String, Value>) -> Option<Acceptance> {
    let words = |key: &str| stated::lookup(mapping, &[key]).and_then(stated::scalar).filter(|words| !words.is_empty());
    let listed = |key: &str| match stated::lookup(mapping, &[key]) {
        Some(Value::Array(items)) => items.iter().filter_map(stated::scalar).collect(),
        _ => Vec::new(),
    };
    let finding = |named: String| match named.split_once(": ") {
        Some((rule, words)) => AcceptedFinding { rule: rule.to_owned(), words: words.to_owned() },
        None => AcceptedFinding { rule: named, words: String::new() },
    };
    let questions = listed("accepted_open_questions");
    let findings: Vec<AcceptedFinding> = listed("accepted_findings").into_iter().map(finding).collect();
    let is_approved = words("status").is_some_and(|status| status.eq_ignore_ascii_case("approved"));
    let names_any = !questions.is_empty() || !findings.is_empty();
    Some(Acceptance { by: words("accepted_by")?, reason: words("accepted_because")?, questions, findings })
        .filter(|_| is_approved && names_any)
}

/// Turns the text into a draft: removes the approval, and the acceptance given with it, from its front matter.
pub fn as_draft(text: &str) -> String {
    let Some(block) = block(text) else { return text.to_owned() };
    let mut out = text[..block.start].to_owned();
    let mut is_dropped = false;
    for line in block.slice(text).split_inclusive('\n') {
        let is_of_key_above = line.starts_with([' ', '\t', '-']);
        let [key, value] = line.split_once(':').map_or(["", ""], |(key, value)| [key, value]);
        let [key, value] = [key, value].map(|part| part.trim().trim_matches(['"', '\'']).to_ascii_lowercase());
        let key = key.replace(['-', ' '], "_");
        is_dropped = if is_of_key_above { is_dropped } else { key.starts_with("accepted_") };
        match () {
            () if is_dropped => {}
            () if key == "status" && value != "draft" && !is_of_key_above => out.push_str("status: draft\n"),
            () => out.push_str(line),
        }
    }
    out + &text[block.end..]
}

/// Reads a text file as an input, with the properties stated in its front matter.
fn title_span(text: &str, block: Span, mapping: &Map<String, Value>) -> Option<Span> {
    let title = stated::lookup(mapping, &["title"]).and_then(stated::scalar).filter(|title| !title.is_empty())?;
    lines(text, block).find_map(|line| {
        let (key, value) = line.slice(text).split_once(':')?;
        if !key.trim_matches(['"', '\'', ' ']).eq_ignore_ascii_case("title") {
            return None;
        }
        let start = line.start + key.len() + 1 + value.find(&title)?;
        Some(Span::new(start, start + title.len()))
    })
}

#[cfg(test)]
mod tests {
    use reqgate_base::model::{Language, Priority, SourceType, TicketType};
    use reqgate_docs::front_matter::body;

    use super::*;

    #[test]
    fn known_keys_are_read_and_the_text_stays_whole() {
        let text = "---\ntitle: \"Export: invoices\"\nType: Story\nsource: prd\npriority: must\nproject: PAY\n\
                    tags: [billing, export]\nlang: en\nauthor: nobody\n---\n\nThe user exports invoices.\n";
        let input = read("a.md", text.to_owned());
        assert_eq!(input.text, text);
        assert_eq!(input.title_span.map(|span| span.slice(text)), Some("Export: invoices"));
        assert_eq!(input.ticket_type, Some(TicketType::Feature));
        assert_eq!(input.source_type, Some(SourceType::PrdDoc));
        assert_eq!(input.priority, Some(Priority::P0));
        assert_eq!(input.project_key.as_deref(), Some("PAY"));
        assert_eq!(input.labels, ["billing", "export"]);
        assert_eq!(input.language, Some(Language::En));
    }

    #[test]
    fn every_line_end_bounds_front_matter() {
        for end in ["\n", "\r\n", "\r"] {
            let text = ["---", "title: 导出发票", "type: 缺陷", "---", "正文"].join(end);
            let input = read("a.md", text.clone());
            assert_eq!(input.ticket_type, Some(TicketType::Bug), "{end:?}");
            assert_eq!(input.title_span.map(|span| span.slice(&text)), Some("导出发票"), "{end:?}");
            assert_eq!(body(&text), "正文", "{end:?}");
        }
    }

    #[test]
    fn broken_or_unclosed_front_matter_is_text() {
        for text in
            ["---\ntitle: [a\n---\nbody", "---\ntitle: a\nno end", "---\n- a\n---\n", "----\ntitle: a\n---\n", "---"]
        {
            assert_eq!(read("a.md", text.to_owned()), RawInput::plain("a.md", text.to_owned()));
        }
        assert_eq!((body("---\ntitle: a\nno end"), body("---\n---")), ("---\ntitle: a\nno end", ""));
    }

    #[test]
    fn title_that_is_not_written_word_for_word_has_no_span() {
        let input = read("a.md", "---\ntitle: \"a \\u0041 b\"\npriority: low\n---\nbody".to_owned());
        assert_eq!(input.title_span, None);
        assert_eq!(input.priority, Some(Priority::P2));
    }

    #[test]
    fn front_matter_that_repeats_itself_is_text() {
        let bomb: String =
            ('b'..='z').zip('a'..).map(|(name, below)| format!("{name}: &{name} [*{below}, *{below}]\n")).collect();
        for block in [
            format!("a: &a [x, x]\n{bomb}"),
            "a: &a {x: 1}\nb: &b {<<: [*a, *a]}\n".to_owned(),
            "a: &a x\nb: *a\n".to_owned(),
        ] {
            assert_eq!(read("a.md", format!("---\n{block}type: bug\n---\nbody")).ticket_type, None, "{block}");
        }
    }
}
