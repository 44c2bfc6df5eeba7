//! Recognises a ticket that was pasted into a code fence.

use super::lexicon::is_cjk;
use super::line_shapes::is_log_line;
use super::markup::{self, Dialect};
use super::words::tool_output::BEGINNINGS;

/// The most lines that are read.
const LINES: usize = 400;
/// Languages of a fence that does not hold code.
const LANGUAGES: [&str; 8] = ["", "text", "txt", "plain", "plaintext", "markdown", "md", "none"];
/// The most bytes outside a fence that say hardly more than a title.
const HARDLY_ANYTHING: usize = 160;

/// The kind of text that fences hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fences {
    /// Code, logs and messages, as quoted in the report of a fault.
    HoldCode,
    /// Fences with only sentences count as prose: documents of requirements do not quote prose in a fence.
    MayHoldProse,
}

/// Returns true if a fence holds the ticket itself: it is most of the text, and it reads as prose with the parts of a ticket.
pub(crate) fn is_ticket(text: &str, opening: &str, inner: &str, is_heading: &dyn Fn(&str) -> bool) -> bool {
    let outside = text.len().saturating_sub(inner.len());
    let is_most = outside * 4 <= text.len() || outside <= HARDLY_ANYTHING && outside < inner.len();
    is_most && names_no_language(opening) && reads_as_ticket(inner, is_heading)
}

/// Returns true if the opening line of a fence names no programming language.
pub fn names_no_language(opening: &str) -> bool {
    let language = opening.trim_start_matches(['`', '~']).trim();
    opening.starts_with(['{', '<']) && !opening.contains(':')
        || LANGUAGES.iter().any(|known| language.eq_ignore_ascii_case(known))
}

/// Returns true for prose with headings or labels of a ticket, or with a list below sentences.
pub(crate) fn reads_as_ticket(inner: &str, is_heading: &dyn Fn(&str) -> bool) -> bool {
    let (mut prose, mut other, mut parts, mut items, mut sentences) = (0usize, 0usize, 0usize, 0usize, 0usize);
    for line in inner.lines().map(str::trim).filter(|line| !line.is_empty()).take(LINES) {
        let bare = line.trim_start_matches(['#', '*', '_', ' ', '>']);
        let title = bare.split([':', '：']).next().unwrap_or(bare).trim_end_matches(['*', '_', ' ', '?']);
        // A key of a data file is one small word.
        let is_key =
            title.starts_with(|c: char| c.is_ascii_lowercase()) && !title.contains(' ') && bare.len() == line.len();
        let is_part = title.len() <= 64 && !is_key && is_heading(title) && !is_log_line(line);
        let is_item = markup::list_marker(line, Dialect::Jira).is_some();
        parts += usize::from(is_part);
        items += usize::from(is_item && is_prose(line));
        sentences += usize::from(line.ends_with(['.', '。', '!', '？', '！']) && is_prose(line));
        if is_prose(line) {
            prose += 1;
        } else if !(is_part || is_item) {
            other += 1;
        }
    }
    prose >= 2
        && prose * 2 >= other * 3
        && (parts >= 2 || parts >= 1 && (items + sentences) >= 1 || items >= 2 && sentences >= 2)
}

/// Returns true for text that is only sentences: four lines of five are prose, one of three ends a sentence, and none is output.
pub(crate) fn is_prose_throughout(inner: &str) -> bool {
    let (mut lines, mut prose, mut ends) = (0usize, 0usize, 0usize);
    for line in inner.lines().map(str::trim).filter(|line| !line.is_empty()).take(LINES) {
        if is_log_line(line) || is_message(line) {
            return false;
        }
        lines += 1;
        prose += usize::from(is_prose(line));
        ends += usize::from(line.ends_with(['.', '。', '!', '？', '！', '?', ';', '；']) && is_prose(line));
    }
    ends >= 1 && prose * 5 >= lines * 4 && ends * 3 >= lines
}

/// `error: the list is empty`: a message of a tool.
fn is_message(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    first.ends_with(':') && BEGINNINGS.begin(&first.to_lowercase())
}

/// Returns true for words of a natural language with few signs between them.
pub(crate) fn is_prose(line: &str) -> bool {
    if is_log_line(line) || line.ends_with(['{', '}', ';']) || line.starts_with(['$', '<', '@']) {
        return false;
    }
    let chinese = line.chars().filter(|c| is_cjk(*c)).count();
    let signs = line
        .chars()
        .filter(|c| matches!(c, '{' | '}' | '(' | ')' | '=' | '<' | '>' | ';' | '$' | '|' | '\\' | '&'))
        .count();
    let words = line.split_whitespace().filter(|word| {
        word.trim_matches(|c: char| !c.is_alphanumeric()).chars().all(|c| c.is_alphabetic() || c == '\'')
    });
    signs * 12 <= line.chars().count() && (chinese >= 5 || words.count() >= 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_heading(words: &str) -> bool {
        ["expected", "actual", "steps to reproduce", "预期结果", "步骤", "name", "version"]
            .contains(&words.to_lowercase().as_str())
    }

    #[test]
    fn sentences_in_a_fence_are_told_from_code_and_output() {
        for prose in [
            "The import should be fast.\nThe format is still to be decided.\n",
            "导入应当很快。\n格式待定，谁可以使用也还没有确定。\n",
        ] {
            assert!(is_prose_throughout(prose), "{prose}");
        }
        for code in [
            "select name from orders\nwhere total is above the limit\n",
            "error: could not open the file\nwarning: the list is empty.\n",
            "POST /orders\nContent-Type: application/json\n",
            "let rows = read(&file)?;\n// The rows are sorted by date.\nwrite(rows);\n",
            "",
        ] {
            assert!(!is_prose_throughout(code), "{code}");
        }
    }

    #[test]
    fn a_ticket_in_a_fence_is_told_from_code() {
        for ticket in [
            "Steps to reproduce:\n1. Open the calendar\n2. Drag an event to the next week\nExpected: the event moves\nActual: it stays\n",
            "步骤：\n1. 打开日历页面\n2. 把日程拖到下一周\n预期结果：日程移动到下一周\n",
        ] {
            assert!(reads_as_ticket(ticket, &is_heading), "{ticket}");
        }
        for code in [
            "fn main() {\n    // Expected: prints the list of the words\n    run(&list);\n}\n",
            "name: build\nversion: 2\nsteps:\n  - run: make\n  - run: make test\n",
            "2026-01-01 10:00:00 ERROR could not open the file\n2026-01-01 10:00:01 INFO next file is opened now\n",
            "$ run\nexpected 3 but got 4\n    at list.rs:4\n",
        ] {
            assert!(!reads_as_ticket(code, &is_heading), "{code}");
        }
    }
}
