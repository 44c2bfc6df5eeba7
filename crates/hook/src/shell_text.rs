//! A command of the shell before it is split into words: its here-documents, its substitutions and its separators.

use std::sync::LazyLock;

use regex::Regex;

/// Before every separator that [`apart`] finds, so that the same signs in quotation marks are not taken for one.
pub(super) const MARK: char = '\u{1f}';
/// Around the number of a substitution.
const PLACE: char = '\u{1e}';
/// More beginnings of here-documents than this are not looked at: each costs a search for its end.
const MOST_DOCUMENTS: usize = 64;

/// A command without signs that stand for something here.
pub(super) fn plain(command: &str) -> String {
    command.replace([MARK, PLACE], " ")
}

/// The command without the lines of its here-documents, which are added to `documents`; their places are numbered `<<@0`.
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
            // Without its last line it is no here-document but two signs in a text.
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

/// The command without the commands in `$(…)`, `<(…)` and between backquotes, which are added to `inner`; each place has the number
/// of its command. What stands in single quotes or in a comment stays as it is.
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
            // It is not closed, and neither is one within it.
            Some((_, None)) => break,
        }
    }
    rest.push_str(&command[copied..]);
    rest
}

/// The numbers of the substitutions in a word.
pub(super) fn substitutions(word: &str) -> impl Iterator<Item = usize> {
    word.split(PLACE).skip(1).step_by(2).filter_map(|number| number.parse().ok())
}

/// The number of the substitution that a word consists of.
pub(super) fn only_substitution(word: &str) -> Option<usize> {
    word.trim().strip_prefix(PLACE)?.strip_suffix(PLACE)?.parse().ok()
}

/// The place of the parenthesis that closes a command; quotation marks within it are its own.
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

/// The command without comments and with its separators, each behind a [`MARK`], apart from the words around them: `cd web&&gh …`, a
/// new line. What stands in quotation marks stays as it is.
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
            // A line that goes on.
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

/// A pattern of this program.
pub(super) fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the pattern is a constant, and tests use it")
}
