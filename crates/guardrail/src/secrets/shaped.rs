//! Tokens with a published shape: a prefix and a run of an alphabet, or a regular expression compiled on first need.

use std::sync::OnceLock;

use regex::Regex;

use reqgate_base::model::Span;
use reqgate_rules::config::guardrail::{Alphabet, SecretPattern};

use super::super::{GuardrailError, nearby};
use super::entropy;

/// The reach of a regular expression around its prefix, in bytes.
const BEFORE: usize = 80;
const AFTER: usize = 1200;
/// Shortest prefix of a token that is looked for across a line break, and shortest piece of it before one, in bytes.
const SHORTEST_PREFIX: usize = 3;
const SHORTEST_PIECE: usize = 4;

/// A shape of a secret, prepared for the search.
#[derive(Debug)]
pub(super) struct Shape {
    id: String,
    prefixes: Vec<String>,
    least_entropy: f32,
    body: Body,
}

#[derive(Debug)]
enum Body {
    Run { alphabet: Alphabet, least: usize, most: usize },
    Expression { source: String, compiled: OnceLock<Option<Regex>> },
}

impl Shape {
    pub(super) fn new(pattern: &SecretPattern) -> Result<Self, GuardrailError> {
        let body = match (&pattern.regex, pattern.length) {
            (Some(source), _) => Body::Expression { source: source.clone(), compiled: OnceLock::new() },
            (None, Some((least, most))) => Body::Run { alphabet: pattern.alphabet, least, most },
            (None, None) => return Err(GuardrailError::ShapelessSecret(pattern.id.clone())),
        };
        if pattern.prefixes.iter().all(String::is_empty) {
            return Err(GuardrailError::ShapelessSecret(pattern.id.clone()));
        }
        let least_entropy = pattern.entropy.unwrap_or(0.0);
        Ok(Self { id: pattern.id.clone(), prefixes: pattern.prefixes.to_vec(), least_entropy, body })
    }

    pub(super) fn id(&self) -> &str {
        &self.id
    }

    /// The secret around the prefix at `hit`.
    pub(super) fn find(&self, text: &str, hit: (usize, usize)) -> Option<Span> {
        let prefix = text.get(hit.0..hit.1)?;
        if !self.prefixes.iter().any(|known| known == prefix) {
            return None;
        }
        match &self.body {
            Body::Run { alphabet, least, most } => {
                let span = run(text.as_bytes(), hit, *alphabet, *least, *most)?;
                let random = entropy::shannon(text.get(hit.1..span.end)?) >= self.least_entropy;
                random.then_some(span)
            }
            Body::Expression { source, compiled } => {
                let expression = compiled.get_or_init(|| Regex::new(source).ok()).as_ref()?;
                let start = nearby::floor(text, hit.0.saturating_sub(BEFORE));
                let slice = text.get(start..nearby::floor(text, (hit.1 + AFTER).min(text.len())))?;
                let found = matched(expression, slice, (hit.0 - start, hit.1 - start), self.least_entropy);
                found
                    .map(|span| Span::new(start + span.start, start + span.end))
                    .or_else(|| self.broken(text, hit, expression))
            }
        }
    }

    /// The secret that begins at `hit` and continues after a line break.
    fn broken(&self, text: &str, hit: (usize, usize), expression: &Regex) -> Option<Span> {
        let rest = nearby::after(text, hit.0, AFTER);
        if hit.1 - hit.0 < SHORTEST_PREFIX || !rest.contains('\n') {
            return None;
        }
        let mut joined = String::with_capacity(rest.len());
        let mut origin = Vec::with_capacity(rest.len());
        let mut at = 0;
        while let Some(c) = rest[at..].chars().next() {
            match line_break(rest.as_bytes(), at) {
                Some(next) => at = next,
                None => {
                    joined.push(c);
                    origin.resize(joined.len(), at);
                    at += c.len_utf8();
                }
            }
        }
        let span = matched(expression, &joined, (0, hit.1 - hit.0), self.least_entropy)?;
        Some(Span::new(hit.0 + origin.get(span.start)?, hit.0 + origin.get(span.end - 1)? + 1))
    }
}

/// The match that covers the prefix: the same text is looked at again for every other prefix in it.
fn matched(expression: &Regex, slice: &str, prefix: (usize, usize), least_entropy: f32) -> Option<Span> {
    let captures = expression
        .captures_iter(slice)
        .find(|captures| captures.get(0).is_some_and(|whole| whole.start() <= prefix.0 && prefix.1 <= whole.end()))?;
    let found = captures.get(1).or_else(|| captures.get(0))?;
    (entropy::shannon(found.as_str()) >= least_entropy).then(|| Span::new(found.start(), found.end()))
}

/// The place where the text continues after a line break at `at`, with the marks of a quotation or a diff.
fn line_break(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = bytes[at..].strip_prefix(b"\r\n").or_else(|| bytes[at..].strip_prefix(b"\n"))?;
    let marks = rest.iter().take(4).take_while(|byte| matches!(byte, b' ' | b'>' | b'+')).count();
    Some(bytes.len() - rest.len() + marks)
}

/// The prefix with the run of the alphabet after it, if the run has the right length and no more letters follow.
fn run(bytes: &[u8], hit: (usize, usize), alphabet: Alphabet, least: usize, most: usize) -> Option<Span> {
    let starts_word = bytes[hit.0].is_ascii_alphanumeric();
    let inside = nearby::byte_before(bytes, hit.0)
        .is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.'));
    if starts_word && inside {
        return None;
    }
    let mut length = 0;
    let mut end = hit.1;
    while length <= most && end < bytes.len() {
        if alphabet.contains(bytes[end]) {
            length += 1;
            end += 1;
            continue;
        }
        // A token that is too short may go on in the next line.
        let next = (SHORTEST_PIECE..least).contains(&length).then(|| line_break(bytes, end)).flatten();
        match next.filter(|next| bytes.get(*next).is_some_and(|byte| alphabet.contains(*byte))) {
            Some(next) => end = next,
            None => break,
        }
    }
    let goes_on = bytes.get(end).is_some_and(u8::is_ascii_alphanumeric);
    ((least..=most).contains(&length) && !goes_on).then(|| Span::new(hit.0, end))
}
