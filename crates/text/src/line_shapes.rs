//! Recognises lines by their shape alone: a rule, a delimiter row, bare markup, a line of a log.

/// Returns true for a delimiter row such as `|---|:--:|`.
pub(crate) fn is_delimiter_row(words: &str) -> bool {
    words.len() >= 3
        && words.contains('-')
        && words.contains('|')
        && words.bytes().all(|b| matches!(b, b'|' | b'-' | b':' | b' ' | b'+' | b'='))
}

/// Returns true for a line of `---`, `***`, `===` or `___`.
pub(crate) fn is_rule_line(words: &str) -> bool {
    let mut bytes = words.bytes().filter(|b| *b != b' ');
    let Some(first) = bytes.next().filter(|b| matches!(b, b'-' | b'*' | b'=' | b'_' | b'~')) else { return false };
    words.len() >= 3 && bytes.all(|b| b == first)
}

/// Returns true for lines that hold markup and no words: `<details>`, `{panel:title=x}`, `</summary>`.
pub(crate) fn is_markup_only(words: &str) -> bool {
    const PANELS: [&str; 4] = ["{panel", "{color", "{quote}", "{anchor"];
    if words.starts_with('{')
        && words.ends_with('}')
        && PANELS.iter().any(|p| words.starts_with(p))
        && words.matches('{').count() == 1
    {
        return true;
    }
    words.starts_with('<')
        && words.ends_with('>')
        && words[1..].starts_with(|c: char| c == '/' || c.is_ascii_alphabetic())
        && words.matches('<').count() == 1
        && !words.contains("://")
        && !words.contains('@')
}

/// Returns true for a line of a pasted log or a stack trace.
pub(crate) fn is_log_line(words: &str) -> bool {
    let bytes = words.as_bytes();
    // A quick test: most lines begin with another character than such a line.
    let may_be_one = |first: &u8| {
        matches!(first, b'0'..=b'9' | b'[' | b'C' | b'D' | b'E' | b'F' | b'I' | b'T' | b'W' | b'a' | b'g' | b'p' | b's')
    };
    if !bytes.first().is_some_and(may_be_one) {
        return false;
    }
    let starts_with_any = |marks: &[&str]| marks.iter().any(|mark| words.starts_with(mark));
    if starts_with_any(&[
        "Traceback (most recent",
        "Caused by: ",
        "Exception in thread",
        "goroutine ",
        "panic: ",
        "stack backtrace:",
    ]) {
        return true;
    }
    if (words.starts_with("at ") && words.contains('(') && words.ends_with(')'))
        || (words.starts_with("File \"") && words.contains(", line "))
    {
        return true;
    }
    const LEVELS: [&str; 14] = [
        "INFO", "WARN", "ERROR", "DEBUG", "TRACE", "FATAL", "[info]", "[warn]", "[error]", "[debug]", "error:",
        "warning:", " E ", " W ",
    ];
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let open = usize::from(bytes.first() == Some(&b'['));
    let dated = digit(open)
        && digit(open + 1)
        && digit(open + 2)
        && digit(open + 3)
        && matches!(bytes.get(open + 4), Some(b'-' | b'/'));
    let clock = digit(open)
        && digit(open + 1)
        && bytes.get(open + 2) == Some(&b':')
        && digit(open + 3)
        && digit(open + 4)
        && bytes.get(open + 5) == Some(&b':');
    let has_level = || LEVELS.iter().any(|level| words.contains(level));
    let has_fraction = clock && matches!(bytes.get(open + 8), Some(b'.' | b','));
    let numbered_frame = digit(0) && words.contains(": 0x");
    let levelled =
        starts_with_any(&["INFO ", "WARN ", "ERROR ", "DEBUG ", "[INFO]", "[WARN]", "[ERROR]", "[DEBUG]", "E/", "W/"]);
    ((dated || clock) && has_level()) || has_fraction || numbered_frame || levelled
}
