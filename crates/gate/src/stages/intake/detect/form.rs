//! Reads the kind from a field of an issue form: `Type: Bug`, `### Issue type` and its answer, 问题类型：需求.

use crate::stages::intake::vocabulary;
use reqgate_base::model::TicketType;
use reqgate_text::words::Words;
use reqgate_text::words::issue_forms::{BUG_ANSWERS, FEATURE_ANSWERS, FIELD_NAMES, OTHER_ANSWERS, QUESTION_ANSWERS};

/// The number of lines to search: the field is near the top, and a log further down may contain anything.
const LINES_READ: usize = 60;

/// The longest line of a field and the longest answer; longer ones are prose.
const LONGEST_LINE: usize = 96;
const LONGEST_ANSWER: usize = 40;

/// The answer in a field of the form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    /// A known kind of ticket.
    Kind(TicketType),
    /// Another kind: build, installation, performance, other.
    Other,
}

/// The answer of the first filled-in field that names a kind.
pub(super) fn answer(text: &str) -> Option<Answer> {
    let mut lines = text.lines().take(LINES_READ).map(bare).filter(|line| !line.is_empty()).peekable();
    while let Some(line) = lines.next() {
        let Some(rest) = after_field_name(line) else { continue };
        let given = if rest.is_empty() { lines.peek().copied().unwrap_or("") } else { &rest };
        if let Some(answer) = meaning(given) {
            return Some(answer);
        }
    }
    None
}

/// A line without the marks of a heading, a list, bold or a quotation.
fn bare(line: &str) -> &str {
    line.trim_matches(|c: char| c.is_whitespace() || matches!(c, '#' | '*' | '_' | '>' | '-' | '[' | ']'))
}

/// The text after the name of the field; `None` if the line is not the field. Most lines are rejected by their first
/// letter.
fn after_field_name(line: &str) -> Option<String> {
    let may_begin = line.bytes().next().is_some_and(|b| !b.is_ascii() || b"bcdikrt".contains(&b.to_ascii_lowercase()));
    if line.len() > LONGEST_LINE || !may_begin {
        return None;
    }
    // Choices of a question may be in italics: a *feature* or a *bug*.
    let words = line.replace(['*', '_'], "");
    let is_name = |name: &&str| words.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    let name = FIELD_NAMES.iter().find(is_name)?;
    let rest = &words[name.len()..];
    let value = rest.trim_start_matches([':', '：', '?', '？', ')', ' ']);
    // "Type safety" is not a field: after the name there must be a separator or the end of the line.
    (rest.is_empty() || value.len() < rest.trim_start().len()).then(|| value.trim().to_owned())
}

fn meaning(given: &str) -> Option<Answer> {
    let given = given.trim_start_matches("<b>").trim_end_matches("</b>");
    if given.len() > LONGEST_ANSWER {
        return None;
    }
    if let Some(kind) = vocabulary::ticket_type(given) {
        return Some(Answer::Kind(kind));
    }
    let lower = given.to_lowercase();
    let says = |words: &Words| words.iter().any(|word| lower.contains(word));
    // A form that still contains both choices gives no answer.
    match (says(FEATURE_ANSWERS), says(BUG_ANSWERS)) {
        (true, false) => Some(Answer::Kind(TicketType::Feature)),
        (false, true) => Some(Answer::Kind(TicketType::Bug)),
        (true, true) => None,
        _ if says(QUESTION_ANSWERS) => Some(Answer::Kind(TicketType::Question)),
        _ => says(OTHER_ANSWERS).then_some(Answer::Other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_stands_behind_the_name_or_below_it() {
        let kind = |text: &str| answer(text);
        assert_eq!(kind("Type: <b>Bug</b>\n\nIt hangs."), Some(Answer::Kind(TicketType::Bug)));
        assert_eq!(kind("### Issue type\r\n\r\nSupport\r\n"), Some(Answer::Kind(TicketType::Question)));
        assert_eq!(kind("**Issue Type:** Build/Install"), Some(Answer::Other));
        assert_eq!(kind("问题类型：需求"), Some(Answer::Kind(TicketType::Feature)));
        assert_eq!(
            kind("**Do you want to request a *feature* or report a *bug*?**\n\nfeature\n"),
            Some(Answer::Kind(TicketType::Feature))
        );
    }

    #[test]
    fn prose_and_open_choices_are_no_answer() {
        for text in ["Type safety is lost", "kind of slow: a bug", "Type:\n", "Type: bug or feature", "type_of: bug"] {
            assert_eq!(answer(text), None, "{text}");
        }
    }
}
