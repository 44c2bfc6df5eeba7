//! What a coding agent needs to find in a story: a place to start, a proof that it is done, and limits.
//!
//! The signs are generous: a story is asked only where there is none at all, since whoever knows the product finds more in a text.

use std::sync::LazyLock;

use regex::Regex;

use super::{Context, checks};
use crate::model::{FacetEvidence, Genre, Span};
use crate::rules::Profile;
use crate::text::BlockKind;
use crate::text::content_words::content_words;
use crate::text::lexicon::is_cjk;
use crate::text::quantities::quantities;
use crate::text::words::Words;
use crate::text::words::agents::{BROAD, LIMITS, PLACES, PROOFS};

/// Names that stand in code, in a shell, in an address or between quotation marks.
static NAMES: LazyLock<Regex> = LazyLock::new(|| {
    let names = [
        "`[^`\n]+`",
        r"[a-z0-9][A-Z][a-z]",
        r"[A-Za-z0-9]_[A-Za-z0-9]",
        "::|->|=>",
        r"\w\(\w*\)",
        r"\b[\w-]{2,}\.[a-z]{2,5}\b",
        r"(?:^|\s)[./~]?/?[\w.-]+/[\w./-]+",
        r"(?:^|\s)--?[a-z][\w-]+",
        r"[“「『【].{2,}?[”」』】]",
        r#""[^"\n]{2,60}""#,
        r"\w > \w|→",
        r"#\d+",
    ];
    Regex::new(&names.join("|")).expect("a constant")
});

/// A prefix of a title that names a part: `[Editor]`, `editor:`, `feat(editor):`.
static PREFIX: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^\s*(?:\[[^\]]+\]|[\w ./-]{2,24}(?:\([^)]+\))?[:：])\s*\S").expect("a constant"));

/// A capital inside a sentence: the name of something.
static CAPITAL: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"[a-z0-9,] [A-Z][a-zA-Z]{2,}").expect("a constant"));

fn has_word(words: &Words, text: &str) -> bool {
    let is_part = |c: char| {
        c.is_whitespace() || matches!(c, ',' | '.' | ';' | ':' | '!' | '?' | '(' | ')' | '"' | '\'' | '`' | '*' | '/')
    };
    let plain: String =
        text.chars().map(|c| if is_part(c) && c != '\'' { ' ' } else { c.to_ascii_lowercase() }).collect();
    words.stand_in(&format!(" {plain} "))
}

fn shows_code(ctx: Context<'_>) -> bool {
    ctx.reading.blocks.iter().any(|block| matches!(block.kind, BlockKind::Code | BlockKind::Log))
}

/// A longer text names its matter in words that no list holds: "content assist", 我的车库.
const FEW_CONTENT_WORDS: usize = 8;
/// The same in Chinese characters.
const FEW_CONTENT_CHARACTERS: usize = 24;

/// True if the text names anything that can be looked for in a repository, or says so much that it can be told from its words.
pub(super) fn names_a_place(ctx: Context<'_>) -> bool {
    let title = ctx.reading.title.map(|span| span.slice(ctx.text)).unwrap_or_default();
    let says_much = content_words(ctx.text).len() > FEW_CONTENT_WORDS
        || ctx.text.chars().filter(|c| is_cjk(*c)).count() > FEW_CONTENT_CHARACTERS;
    says_much || shows_code(ctx) || PREFIX.is_match(title) || has_place(ctx.text)
}

fn has_place(words: &str) -> bool {
    NAMES.is_match(words) || CAPITAL.is_match(words) || has_word(PLACES, words)
}

/// True if the text says anything by which a machine could tell that the work is done.
pub(super) fn names_a_proof(ctx: Context<'_>) -> bool {
    let facets = ctx.facets;
    let is_likely = |facet: &str| facets.evidence_of(facet).is_some_and(FacetEvidence::is_likely);
    let has_steps = !facets.steps.is_empty() || !facets.actual.is_empty();
    let counts = !facets.criteria.is_empty()
        || !facets.expected.is_empty()
        || !facets.requirements.is_empty()
        || ctx.profile == Profile::Bug && has_steps
        || ["criteria", "expected-stated", "expected-implied", "steps"].into_iter().any(is_likely);
    let is_scenario = |genre: Genre| matches!(genre, Genre::GherkinStep | Genre::AcceptanceCriterion);
    counts
        || shows_code(ctx)
        || ctx.reading.sentences.iter().any(|sentence| is_scenario(sentence.genre))
        || has_word(PROOFS, ctx.text)
        || !quantities(ctx.text, Span::new(0, ctx.text.len())).is_empty()
        // It asks for the measure already.
        || !checks::run("vague-demand", ctx, || &[]).unwrap_or_default().is_empty()
}

/// True if nothing says where the work ends: no limit, and a demand without an edge or without a place.
pub(super) fn has_no_end(ctx: Context<'_>) -> bool {
    if !ctx.facets.out_of_scope.is_empty() || has_word(LIMITS, ctx.text) {
        return false;
    }
    let first =
        ctx.reading.sentences.iter().find(|sentence| sentence.genre != Genre::Title).map(|sentence| sentence.span);
    let demands: Vec<Span> = ctx.reading.title.into_iter().chain(first).collect();
    !names_a_place(ctx) || demands.iter().any(|span| has_word(BROAD, span.slice(ctx.text)))
}

/// True if everything below the title is a picture, a link or an attachment, and the title alone names no place.
pub(super) fn is_elsewhere(ctx: Context<'_>) -> bool {
    static POINTERS: LazyLock<Regex> = LazyLock::new(|| {
        let pointers = [
            r"!\[[^\]]*\]\([^)]*\)",
            r"\[[^\]]*\]\([^)]*\)",
            "<img[^>]*>",
            r"<?https?://[^\s)>\]]+>?",
            r"![\w .-]+\.(?:png|jpe?g|gif|svg)(?:\|[^!]*)?!",
            r"\[\^[^\]]+\]",
        ];
        Regex::new(&pointers.join("|")).expect("a constant")
    });
    let Some(title) = ctx.reading.title else { return false };
    let body = &ctx.text[title.end.min(ctx.text.len())..];
    if !POINTERS.is_match(body) || has_place(title.slice(ctx.text)) || PREFIX.is_match(title.slice(ctx.text)) {
        return false;
    }
    let rest = POINTERS.replace_all(body, " ");
    let headings = rest.lines().filter(|line| !line.trim_start().starts_with('#'));
    let words: usize =
        headings.flat_map(str::split_whitespace).filter(|word| word.chars().any(char::is_alphanumeric)).count();
    words < FEW && rest.chars().filter(|c| is_cjk(*c)).count() < FEW_CHARACTERS
}

/// So many words beside a picture or a link ("see picture") say nothing of the matter.
const FEW: usize = 4;
/// The same in Chinese characters.
const FEW_CHARACTERS: usize = 7;
