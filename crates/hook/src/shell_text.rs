//! Prepares a shell command for splitting into words: its here-documents, its substitutions and its separators.

use std::sync::LazyLock;

use regex::Regex;

/// The character before every separator that [`apart`] finds; it distinguishes them from the same characters in quotes.
pub(super) const MARK: char = '\u{1f}';
/// The character on both sides of the number of a substitution.
const PLACE: char = '\u{1e}';
/// The maximum number of here-documents that are searched, because each costs a search for its end.
const MOST_DOCUMENTS: usize = 64;

/// The command without the two marker characters of this module.
pub(super) fn plain(command: &str) -> String {
    command.replace([MARK, PLACE], " ")
}

/// Removes the lines of here-documents from the command and adds them to `documents`; each is replaced by its number:
/// `<<@0`.
pub(super) fn without_documents(command: &str, documents: &mut Vec<String>) -> String {
    static START: LazyLock<Regex> =
        LazyLock::new(|| pattern(r#"(^|[^<])<<(-?)[ \t]*\\?(?:'([\w.-]+)'|"([\w.-]+)"|([A-Za-z_][\w.-]*))"#));
    let lines: Vec<&str> = command.lines().collect();
    let mut rest = String::with_capacity(command.len());
    let (mut at, mut looked) = (0, 0);
    while at < lines.len() {
        let line = lines[at];
        at += 1;
        let mut copied = 0;
        for found in START.captures_iter(line) {
            looked += 1;
            if looked > MOST_DOCUMENTS {
                break;
            }
            let (Some(whole), Some(word)) = (found.get(0), found.get(3).or(found.get(4)).or(found.get(5))) else {
                continue;
            };
            let is_indented = found.get(2).is_some_and(|dash| !dash.is_empty());
            let is_end = |line: &&str| {
                let line = if is_indented { line.trim_start_matches('\t') } else { line };
                line.trim_end() == word.as_str()
            };
            // Without an end line it is not a here-document, but two characters in a text.
            let Some(length) = lines[at..].iter().position(is_end) else { continue };
            let start = whole.start() + found.get(1).map_or(0, |before| before.len());
            rest.push_str(&line[copied..start]);
            rest.push_str(&format!("<<@{}", documents.len()));
            copied = whole.end();
            documents.push(lines[at..at + length].join("\n"));
            at += length + 1;
        }
        rest.push_str(&line[copied..]);
        rest.push('\n');
    }
    rest
}

/// Removes the commands in `$(…)`, `<(…)` and backquotes from the command and adds them to `inner`; each is replaced by
/// its number. Text in single quotes and in comments is left unchanged.
pub(super) fn without_substitutions(command: &str, inner: &mut Vec<String>) -> String {
    let bytes = command.as_bytes();
    let mut rest = String::with_capacity(command.len());
    let (mut at, mut copied, mut quote) = (0, 0, None);
    while let Some(&byte) = bytes.get(at) {
        let next = bytes.get(at + 1);
        let end = match (quote, byte) {
            (Some(b'\''), _) if byte != b'\'' => None,
            (_, b'\\') => {
                at += 2;
                continue;
            }
            (Some(open), _) if byte == open => {
                quote = None;
                None
            }
            (None, b'\'' | b'"') => {
                quote = Some(byte);
                None
            }
            (None, b'#') if at == 0 || bytes[at - 1].is_ascii_whitespace() => {
                at += bytes[at..].iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
                continue;
            }
            (_, b'$') | (None, b'<' | b'>') if next == Some(&b'(') => Some((at + 2, closing(bytes, at + 2))),
            (_, b'`') => Some((at + 1, backquote(bytes, at + 1))),
            _ => None,
        };
        match end {
            None => at += 1,
            Some((start, Some(end))) => {
                rest.push_str(&command[copied..at]);
                rest.push_str(&format!("{PLACE}{}{PLACE}", inner.len()));
                let body = &command[start..end];
                inner.push(if byte == b'`' { body.replace("\\`", "`") } else { body.to_owned() });
                at = end + 1;
                copied = at;
            }
            // The substitution is not closed, so any within it are not closed either.
            Some((_, None)) => break,
        }
    }
    rest.push_str(&command[copied..]);
    rest
}

pub(super) fn substitutions(word: &str) -> impl Iterator<Item = usize> {
    word.split(PLACE).skip(1).step_by(2).filter_map(|number| number.parse().ok())
}

/// The number of the substitution, if the word consists of one.
pub(super) fn only_substitution(word: &str) -> Option<usize> {
    word.trim().strip_prefix(PLACE)?.strip_suffix(PLACE)?.parse().ok()
}

/// The index of the parenthesis that closes a command; quotes within it are skipped.
fn closing(bytes: &[u8], mut at: usize) -> Option<usize> {
    let mut open = vec![b')'];
    while let Some(&byte) = bytes.get(at) {
        let is_quoted = open.last() == Some(&b'"');
        match byte {
            b'\\' => at += 1,
            b'"' if is_quoted => drop(open.pop()),
            b'"' => open.push(b'"'),
            b'$' if is_quoted && bytes.get(at + 1) == Some(&b'(') => {
                open.push(b')');
                at += 1;
            }
            _ if is_quoted => {}
            b'\'' => at += 1 + bytes[at + 1..].iter().position(|byte| *byte == b'\'')?,
            b'(' => open.push(b')'),
            b')' => {
                open.pop();
                if open.is_empty() {
                    return Some(at);
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

fn backquote(bytes: &[u8], mut at: usize) -> Option<usize> {
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'`' => return Some(at),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    None
}

/// Removes comments and puts a [`MARK`] and blanks around separators, such as in `cd web&&gh …` or a new line. Text in
/// quotes is left unchanged.
pub(super) fn apart(command: &str) -> String {
    let mut out = String::with_capacity(command.len() + 16);
    let mut quote = None;
    let mut characters = command.chars().peekable();
    while let Some(c) = characters.next() {
        let is_new_word = out.chars().next_back().is_none_or(char::is_whitespace);
        match (quote, c) {
            (Some(open), _) if c == open => {
                quote = None;
                out.push(c);
            }
            (Some('\''), _) => out.push(c),
            // The line is continued.
            (None, '\\') if characters.peek() == Some(&'\n') => {
                characters.next();
                out.push(' ');
            }
            (_, '\\') => {
                out.push(c);
                out.extend(characters.next());
            }
            (None, '\'' | '"') => {
                quote = Some(c);
                out.push(c);
            }
            (None, '#') if is_new_word => while characters.next_if(|c| *c != '\n').is_some() {},
            (None, '\n' | ';') => out.extend([' ', MARK, ';', ' ']),
            (None, '(') if is_new_word => out.extend([' ', MARK, '(', ' ']),
            (None, ')') => out.extend([' ', MARK, ')', ' ']),
            (None, '|' | '&') if !out.ends_with(['>', '<']) && characters.peek() != Some(&'>') => {
                out.extend([' ', MARK, c]);
                out.extend(characters.next_if_eq(&c));
                out.push(' ');
            }
            _ => out.push(c),
        }
    }
    out
}

/// Compiles a constant pattern.
pub(super) fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the pattern is a constant, and tests use it")
}
