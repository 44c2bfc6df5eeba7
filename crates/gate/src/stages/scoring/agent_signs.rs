//! Checks that a story gives a coding agent a place to start, a proof that it is done, and limits.
//!
//! The signs are generous: a question is asked only if a story has none of them, since a person who knows the product
//! understands more from the text.

use std::sync::LazyLock;

use regex::Regex;

use super::{Context, checks};
use reqgate_base::model::{FacetEvidence, Genre, Span};
use reqgate_rules::Profile;
use reqgate_text::content_words::content_words;
use reqgate_text::lexicon::is_cjk;
use reqgate_text::quantities::quantities;
use reqgate_text::words::Words;
use reqgate_text::words::agents::{BROAD, DOCUMENTS, LIMITS, PLACES, PROOFS, REFERENCES, TALKS};
use reqgate_text::{BlockKind, Cue};

/// Names in code, in a shell, in an address or between quotation marks.
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

/// A prefix of a title that names a part of the product: `[Editor]`, `editor:`, `feat(editor):`.
static PREFIX: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^\s*(?:\[[^\]]+\]|[\w ./-]{2,24}(?:\([^)]+\))?[:：])\s*\S").expect("a constant"));

/// A capitalised word inside a sentence, which is probably a name.
static CAPITAL: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"[a-z0-9,] [A-Z][a-zA-Z]{2,}").expect("a constant"));

/// The title of a numbered document: "Story 12", "Feature Spec 003", 需求 12.
static DOCUMENT_TITLE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^\s*(?:(?:feature|user|product|design|change)\s+)?(?:spec(?:ification)?|story|epic|feature|rfc|proposal|ticket)\s+#?\d+|^\s*(?:需求|故事|规格|功能)\s*[#＃]?\d+")
        .expect("a constant")
});

/// Kinds of sentences that state the change or describe what happens.
const SAYS_THE_CHANGE: [Genre; 6] = [
    Genre::UserStory,
    Genre::ShallStatement,
    Genre::Demand,
    Genre::BugStep,
    Genre::ExpectedBehaviour,
    Genre::ActualBehaviour,
];

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

/// A text with more content words than this names its subject even without a known word ("content assist").
const FEW_CONTENT_WORDS: usize = 8;
/// The same limit in Chinese characters (我的车库).
const FEW_CONTENT_CHARACTERS: usize = 24;

/// Up to this many content words next to a reference add no information: "Thanks", "The tasks follow".
const FEW_BESIDE: usize = 4;

/// Returns true if the text names anything that can be searched for in a repository, or is long enough to make its
/// subject clear.
pub(super) fn names_a_place(ctx: Context<'_>) -> bool {
    let title = ctx.reading.title.map(|span| span.slice(ctx.text)).unwrap_or_default();
    let says_much = content_words(ctx.text).len() > FEW_CONTENT_WORDS
        || ctx.text.chars().filter(|c| is_cjk(*c)).count() > FEW_CONTENT_CHARACTERS;
    says_much || shows_code(ctx) || PREFIX.is_match(title) || has_place(ctx.text)
}

fn has_place(words: &str) -> bool {
    NAMES.is_match(words) || CAPITAL.is_match(words) || has_word(PLACES, words)
}

/// Returns true if the text gives any test by which a machine could decide that the work is done.
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
        // The question about vague demands already asks for the measure.
        || !checks::run("vague-demand", ctx, || &[]).unwrap_or_default().is_empty()
}

/// Returns true if the scope is open: no limit, and a broad demand or one without a place.
pub(super) fn has_no_end(ctx: Context<'_>) -> bool {
    if !ctx.facets.out_of_scope.is_empty() || has_word(LIMITS, ctx.text) {
        return false;
    }
    let first =
        ctx.reading.sentences.iter().find(|sentence| sentence.genre != Genre::Title).map(|sentence| sentence.span);
    let demands: Vec<Span> = ctx.reading.title.into_iter().chain(first).collect();
    !names_a_place(ctx) || demands.iter().any(|span| has_word(BROAD, span.slice(ctx.text)))
}

/// Returns true if the content is in another place: below the title there are only pictures, links or attachments, or
/// sentences that refer to a document or a conversation.
pub(super) fn is_elsewhere(ctx: Context<'_>) -> bool {
    shows_only_links(ctx) || refers_only(ctx, |words| refers_to_a_talk(words) || refers_to_a_document(words))
}

/// Returns true if the text only refers to a conversation.
pub(super) fn is_only_discussed(ctx: Context<'_>) -> bool {
    refers_only(ctx, refers_to_a_talk)
}

/// Returns true if every sentence that asks for something refers to another place and the others have little content. A
/// title that names a place states the change, unless it is the name of a document.
fn refers_only(ctx: Context<'_>, refers: impl Fn(&str) -> bool) -> bool {
    if shows_code(ctx) || ctx.reading.blocks.iter().any(|block| matches!(block.kind, BlockKind::TableRow { .. })) {
        return false;
    }
    let mut points = false;
    let mut others = 0;
    for sentence in ctx.reading.sentences.iter().filter(|sentence| !sentence.is_placeholder && !sentence.struck) {
        let words = sentence.span.slice(ctx.text);
        if refers(words) {
            points = true;
        } else if !matches!(sentence.genre, Genre::Title | Genre::Heading) {
            if sentence.binds() || SAYS_THE_CHANGE.contains(&sentence.genre) {
                return false;
            }
            others += content_words(words).len();
        }
    }
    // Few texts come here, and only for them the expressions about titles are compiled.
    points && others <= FEW_BESIDE && !title_states_the_change(ctx, refers)
}

fn title_states_the_change(ctx: Context<'_>, refers: impl Fn(&str) -> bool) -> bool {
    let Some(span) = ctx.reading.title else { return false };
    let title = span.slice(ctx.text);
    let is_of_a_document = DOCUMENT_TITLE.is_match(title) || ctx.reading.cues_in(span).has(Cue::DocumentWord);
    !is_of_a_document && !refers(title) && (PREFIX.is_match(title) || has_place(title))
}

/// Returns true for a sentence that refers to a conversation and whose other clauses are only a few words long.
fn refers_to_a_talk(words: &str) -> bool {
    let is_short = |clause: &str| {
        clause.split_whitespace().count() <= FEW_BESIDE
            && clause.chars().filter(|c| is_cjk(*c)).count() <= FEW_BESIDE + 1
    };
    has_word(TALKS, words)
        && words.split([',', ';', '，', '；']).all(|clause| is_short(clause) || has_word(TALKS, clause))
}

/// Returns true for a sentence that refers its reader to a document, a link or a file.
fn refers_to_a_document(words: &str) -> bool {
    static TARGETS: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"https?://|\]\(|[\w-]+\.(?:md|docx?|pdf|txt|xlsx?|pptx?|html?)\b|(?:^|[\s`(])\.{0,2}/[\w./-]+")
            .expect("a constant")
    });
    static SEES: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)^[^\w]*see\b|\b(?:please|details?:?|more|[:(,;]) ?see\b").expect("a constant")
    });
    let sends = SEES.is_match(words) || has_word(REFERENCES, words);
    sends && (has_word(DOCUMENTS, words) || TARGETS.is_match(words))
}

/// Returns true if there are only pictures, links or attachments below the title, and the title names no place.
fn shows_only_links(ctx: Context<'_>) -> bool {
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

/// Up to this many words next to a picture or a link ("see picture") add no information.
const FEW: usize = 4;
/// The same limit in Chinese characters.
const FEW_CHARACTERS: usize = 7;
