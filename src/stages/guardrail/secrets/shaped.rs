//! Tokens with a published shape: a prefix and a run of an alphabet, or a regular expression compiled on first need.

use std::sync::OnceLock;

use regex::Regex;

use crate::config::guardrail::{Alphabet, SecretPattern};
use crate::model::Span;

use super::super::{GuardrailError, nearby};
use super::entropy;

/// How far a regular expression may look around its prefix, in bytes.
const BEFORE: usize = 80;
const AFTER: usize = 1200;

/// One shape, ready to be looked for.
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
                // The match must cover the prefix: the same text is looked at again for every other prefix in it.
                let captures = expression.captures_iter(slice).find(|captures| {
                    captures.get(0).is_some_and(|whole| whole.start() + start <= hit.0 && hit.1 <= whole.end() + start)
                })?;
                let found = captures.get(1).or_else(|| captures.get(0))?;
                let random = entropy::shannon(found.as_str()) >= self.least_entropy;
                random.then(|| Span::new(start + found.start(), start + found.end()))
            }
        }
    }
}

/// The prefix with the run of the alphabet behind it, if the run has the right length and stands alone.
fn run(bytes: &[u8], hit: (usize, usize), alphabet: Alphabet, least: usize, most: usize) -> Option<Span> {
    let starts_word = bytes[hit.0].is_ascii_alphanumeric();
    let inside = nearby::byte_before(bytes, hit.0)
        .is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.'));
    if starts_word && inside {
        return None;
    }
    let length = bytes[hit.1..].iter().take(most + 1).take_while(|byte| alphabet.contains(**byte)).count();
    let end = hit.1 + length;
    let goes_on = bytes.get(end).is_some_and(u8::is_ascii_alphanumeric);
    ((least..=most).contains(&length) && !goes_on).then(|| Span::new(hit.0, end))
}
