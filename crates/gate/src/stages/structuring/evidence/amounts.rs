//! Counts features of a text: names of code, links, references, words.

use reqgate_text::lexicon::is_cjk;
use reqgate_text::words::pointers::REPRODUCTIONS;

/// The number of words in prose; two Chinese characters count as one.
pub(super) fn words(prose: &str) -> usize {
    if prose.is_ascii() && !is_link(prose) {
        return plain_words(prose);
    }
    let has_link = is_link(prose);
    let latin = prose
        .split(|c: char| c.is_whitespace() || is_cjk(c))
        .filter(|word| word.bytes().any(|b| b.is_ascii_alphabetic()) && !(has_link && is_link(word)))
        .count();
    let wide = if prose.is_ascii() { 0 } else { prose.chars().filter(|c| is_cjk(*c)).count() };
    latin + wide.div_ceil(2)
}

/// The number of words in ASCII text without an address: separated by white space and containing a letter.
fn plain_words(prose: &str) -> usize {
    let mut is_counted = false;
    let mut words = 0;
    for byte in prose.bytes() {
        if is_blank(byte) {
            is_counted = false;
        } else if !is_counted && byte.is_ascii_alphabetic() {
            is_counted = true;
            words += 1;
        }
    }
    words
}

/// Equals `char::is_whitespace` for ASCII.
fn is_blank(byte: u8) -> bool {
    matches!(byte, b'\t'..=b'\r' | b' ')
}

/// The number of names of code: `a_b`, `camelCase`, `a.b()`, `a::b`, `--flag`, `file.rs`, words in backticks or double
/// braces.
pub(crate) fn names_of_code(words: &str) -> usize {
    if !may_name_code(words) {
        return marks_of_code(words);
    }
    let has_link = is_link(words);
    let named = words
        .split(|c: char| c.is_whitespace() || is_cjk(c) || matches!(c, ',' | ';' | '"' | '`' | '，' | '、'))
        .filter(|word| is_name_of_code(word) && !(has_link && is_link(word)))
        .count();
    marks_of_code(words).max(named)
}

/// Returns false for text without a capital after a small letter or a mark within a word, as in most sentences.
fn may_name_code(words: &str) -> bool {
    let may_be_one = |pair: &[u8]| match pair {
        [b'-' | b'(' | b'_' | b'/', _] | [_, b'-' | b'(' | b'_' | b'/'] => true,
        [b'.' | b':', next] => !is_blank(*next),
        [small, capital] => small.is_ascii_lowercase() && capital.is_ascii_uppercase(),
        _ => false,
    };
    words.as_bytes().windows(2).any(may_be_one)
}

/// The number of spans marked as code: words in backticks, and opening double braces.
pub(crate) fn marks_of_code(words: &str) -> usize {
    let braces = if words.contains("{{") { words.matches("{{").count() } else { 0 };
    words.bytes().filter(|byte| *byte == b'`').count() / 2 + braces
}

fn is_name_of_code(word: &str) -> bool {
    let word = word.trim_matches(|c: char| matches!(c, '.' | ':' | '!' | '?' | '\'' | '*' | '(' | '['));
    let bytes = word.as_bytes();
    if word.len() < 3 || word.len() > 80 || !bytes.iter().any(u8::is_ascii_alphabetic) {
        return false;
    }
    let hump = bytes.windows(2).any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
    // Most words are plain and have none of the marks that all other names contain.
    if hump || !bytes.iter().any(|byte| matches!(byte, b'-' | b'(' | b'.' | b'_' | b':' | b'/')) {
        return hump;
    }
    let inner = |mark: &str| word.find(mark).is_some_and(|at| at > 0 && at + mark.len() < word.len());
    let flag = word.starts_with("--") || word.starts_with('-') && word.len() > 2 && bytes[1].is_ascii_alphabetic();
    let call = word.contains("()") || inner("(") && word.contains(')');
    let dotted = inner(".") && !word.contains("..") && word.split('.').all(|part| part.len() > 1 || part.is_empty());
    flag || call || inner("_") || inner("::") || dotted || inner("/") && word.matches('/').count() >= 2
}

/// Returns true for a word that contains an address.
pub(super) fn is_link(word: &str) -> bool {
    word.contains("://") || word.contains("www.")
}

/// The addresses in a text, as written.
pub(super) fn links(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices("http").filter_map(|(at, _)| {
        let rest = &text[at..];
        if !(rest.starts_with("http://") || rest.starts_with("https://")) {
            return None;
        }
        let end = rest
            .find(|c: char| c.is_whitespace() || matches!(c, ')' | '>' | ']' | '"' | '|' | '\''))
            .unwrap_or(rest.len());
        Some(&rest[..end])
    })
}

/// Returns true for the address of a picture.
pub(crate) fn is_picture(link: &str) -> bool {
    let lower = link.to_ascii_lowercase();
    [".png", ".jpg", ".jpeg", ".gif", ".webp", "user-images", "/assets/", "user-attachments"]
        .iter()
        .any(|mark| lower.contains(mark))
}

/// Returns true for an address of a running or downloadable example, or of a video.
pub(crate) fn is_reproduction(link: &str) -> bool {
    let lower = link.to_ascii_lowercase();
    let hosts = [
        "codesandbox",
        "jsfiddle",
        "stackblitz",
        "plnkr",
        "codepen",
        "gist.",
        "playground",
        "colab",
        "repl.it",
        "replit",
        "jsbin",
        "glitch.",
        "youtu",
        "godbolt",
        "dartpad",
        "loom.com",
    ];
    let films = [".mp4", ".mov", ".webm", ".gif"];
    let is_repository = ["github.com/", "gitlab.com/", "bitbucket.org/", "gitee.com/"].iter().any(|host| {
        let Some((_, path)) = lower.split_once(host) else { return false };
        let parts = path.trim_end_matches('/').split('/').count();
        // The address of a project is not specific; a project made for the fault has a telling name.
        parts == 2 && REPRODUCTIONS.en.iter().any(|w| path.contains(w))
    });
    is_repository || hosts.iter().chain(&films).any(|mark| lower.contains(mark))
}

/// Returns true if the text names another ticket, change or commit: `#123`, `ABC-123`, `/pull/7`.
pub(crate) fn names_ticket(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let numbered = text.match_indices('#').any(|(at, _)| digits(at + 1) >= 2);
    let keyed = text.match_indices('-').any(|(at, _)| {
        let capitals = bytes[..at].iter().rev().take_while(|b| b.is_ascii_uppercase()).count();
        capitals >= 2 && digits(at + 1) >= 2
    });
    numbered || keyed || ["/issues/", "/pull/", "/commit/", "/merge_requests/"].iter().any(|part| text.contains(part))
}

/// Returns true for a trace or an error log.
pub(crate) fn is_trace(code: &str) -> bool {
    let marks = ["Traceback", "Exception", "Error:", "panicked", "ERROR", "npm ERR", "Caused by", "stack trace"];
    if marks.iter().any(|mark| code.contains(mark)) {
        return true;
    }
    let lines = || code.lines().map(str::trim).filter(|line| !line.is_empty());
    let frames = lines().filter(|line| is_frame(line)).count();
    frames > 0 && frames * 2 >= lines().count()
}

/// Returns true for a line of a stack trace: `at f (file:1:2)`, `f@file:1:2`.
fn is_frame(line: &str) -> bool {
    let ends_in_place = || {
        let mut parts = line.trim_end_matches(')').rsplit(':');
        let number = |part: Option<&str>| part.is_some_and(|p| !p.is_empty() && p.bytes().all(|b| b.is_ascii_digit()));
        number(parts.next()) && number(parts.next())
    };
    line.starts_with("at ") || line.contains('@') && ends_in_place()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_code_are_told_from_words() {
        assert_eq!(names_of_code("set max_size and readOnly in app.toml with --dry-run"), 4);
        assert_eq!(names_of_code("The well-known e.g. case, and/or more. Ends here."), 0);
        assert_eq!(names_of_code("`a` or `b`"), 2);
    }

    #[test]
    fn a_repository_is_something_to_run_and_a_picture_is_not() {
        assert!(is_reproduction("https://github.com/owner/repro-case/"));
        assert!(!is_reproduction("https://github.com/owner/name/issues/12"));
        assert!(is_picture("https://example.org/shots/one.PNG"));
    }

    #[test]
    fn tickets_are_named_in_the_usual_ways() {
        for text in ["see #4120", "follow-up of ABC-77", "https://host/o/r/pull/9"] {
            assert!(names_ticket(text), "{text}");
        }
        for text in ["C# and F#", "utf-8", "A-1 quality", "step #1"] {
            assert!(!names_ticket(text), "{text}");
        }
    }
}
