//! Passwords among the arguments of calls: `login("bob", "X")`, `setPassword("X")`, `put("password", "X")`.

use reqgate_base::model::Span;
use reqgate_rules::config::guardrail::Placeholders;
use reqgate_text::words::told_values::{CONNECTION_CALLS, LOGIN_CALLS};

use super::super::nearby;
use super::{entropy, value};

/// Longest list of arguments that is read, in bytes.
const LONGEST: usize = 240;
/// The beginnings of names of calls that ask for a value rather than set one.
const QUESTIONS: [&str; 10] = ["get", "is", "has", "find", "reset", "forgot", "check", "validate", "verify", "require"];

/// The password that is the last argument of the call that begins at `hit`.
pub(super) fn password(text: &str, hit: (usize, usize), placeholders: &Placeholders) -> Option<Span> {
    let call = nearby::after(text, hit.0, hit.1 - hit.0).to_ascii_lowercase();
    let fewest = if CONNECTION_CALLS.has(&call) { 2 } else { 1 };
    let password = last_argument(text, hit.1, fewest)?;
    let looks_secret = value::is_password_like(password) || LOGIN_CALLS.has(&call) && value::is_word(password);
    let is_secret =
        looks_secret && !value::is_code(password, Some(b'"')) && !entropy::is_stand_in(password, placeholders);
    is_secret.then(|| nearby::place_of(text, password))
}

/// The last argument of a call whose arguments begin at `at`, if it is a string after at least `fewest` others.
fn last_argument(text: &str, at: usize, fewest: usize) -> Option<&str> {
    let mut arguments = strings(nearby::after(text, at, LONGEST));
    let last = arguments.pop()?;
    (last.number >= fewest && last.is_last).then_some(last.words)
}

/// The only argument of a call named like a secret, from `start` to `end`: `setPassword("X")`.
pub(super) fn only_argument(text: &str, start: usize, end: usize) -> Option<&str> {
    let rest = nearby::after(text, end, LONGEST).strip_prefix('(')?;
    let head = nearby::before(text, start, 40);
    let name = head.len() - head.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_').len();
    let call = head[head.len() - name..].to_ascii_lowercase();
    if QUESTIONS.iter().any(|question| call.starts_with(question)) {
        return None;
    }
    let mut arguments = strings(rest);
    let last = arguments.pop()?;
    (last.number == 0 && last.is_last).then_some(last.words)
}

/// The string after a name in quotation marks that ends at `end`: `"password", "X"`.
pub(super) fn next_string(text: &str, end: usize) -> Option<&str> {
    let rest = nearby::after(text, end, LONGEST);
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let value = rest[1..].strip_prefix(',')?.trim_start_matches(' ').strip_prefix(quote)?;
    value.split_once(quote).map(|(words, _)| words)
}

/// A string among arguments.
struct Argument<'t> {
    words: &'t str,
    number: usize,
    /// The call ends after this argument.
    is_last: bool,
}

/// The strings among the arguments with which `rest` begins, up to the first bracket that closes.
fn strings(rest: &str) -> Vec<Argument<'_>> {
    let mut found = Vec::new();
    let mut number = 0;
    let mut at = 0;
    while let Some(c) = rest[at..].chars().next() {
        at += c.len_utf8();
        match c {
            '"' | '\'' => {
                let Some(length) = rest[at..].find([c, '\n']).filter(|length| rest[at + length..].starts_with(c))
                else {
                    break;
                };
                let words = &rest[at..at + length];
                at += length + 1;
                let is_last = rest[at..].trim_start().starts_with(')');
                found.push(Argument { words, number, is_last });
            }
            ',' => number += 1,
            ')' | ';' | '{' => break,
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_of_several_arguments_is_read() {
        assert_eq!(last_argument("\"bob\", \"x1\")", 0, 1), Some("x1"));
        assert_eq!(last_argument("url, 'bob', 'x1' )", 0, 2), Some("x1"));
        for text in ["\"x1\")", "\"bob\", x1)", "\"bob\", \"x1\", true)", "\"bob\", \"x1", "bob, {\"a\": \"x1\")"] {
            assert_eq!(last_argument(text, 0, 1), None, "{text}");
        }
    }

    #[test]
    fn calls_that_set_a_password_are_told_from_those_that_ask() {
        let read = |text: &'static str| {
            let start = text.find("assword").unwrap() - 1;
            only_argument(text, start, start + 8)
        };
        assert_eq!(read("user.setPassword(\"x1\");"), Some("x1"));
        assert_eq!(read("b.password('x1')"), Some("x1"));
        assert_eq!(read("getPassword(\"x1\")"), None);
        assert_eq!(read("setPassword(value)"), None);
    }
}
