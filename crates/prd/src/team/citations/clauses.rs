//! Divides a sentence into clauses, and finds those that assert something about the world.

use reqgate_base::model::Span;
use reqgate_text::content_words::content_words;
use reqgate_text::lexicon::is_cjk;
use reqgate_text::words::evidence::{CONTRASTS, INTENT, MODAL_VERBS, PRODUCT_NOUNS, PRODUCT_PEOPLE, TODAY};
use reqgate_text::words::open_points::CASES;

/// The names that a PRD uses.
#[derive(Debug, Clone, Copy, Default)]
pub struct Names<'a> {
    /// The names of the product.
    pub product: &'a [&'a str],
    /// The names of competitors, as the research found them; they are compared exactly.
    pub competitors: &'a [&'a str],
}

impl<'a> Names<'a> {
    /// The names of competitors that are not words of the product's own name.
    pub(super) fn competitors(&self) -> impl Iterator<Item = &'a str> {
        let own: Vec<String> = self.product.iter().flat_map(|name| content_words(name)).collect();
        let is_own = move |name: &str| {
            let words = content_words(name);
            !words.is_empty() && words.iter().all(|word| own.contains(word))
        };
        self.competitors.iter().copied().filter(move |name| !is_own(name))
    }
}

/// Signs that end a clause, except between digits.
const ENDS: [char; 16] = [',', '，', ';', '；', ':', '：', '。', '(', ')', '（', '）', '–', '—', '、', '|', '•'];
/// Signs after which a target no longer applies to what follows.
const FIRM_ENDS: [char; 8] = [';', '；', '(', '（', '–', '—', '|', '。'];
/// The words before the subject of a clause.
const ARTICLES: [&str; 7] = ["the", "this", "our", "each", "every", "a", "an"];

/// The clauses of a sentence that assert something: not those with a target, a rule, an assumption or a condition, and
/// not those about the product itself. A question has none.
pub(super) fn asserted_clauses(text: &str, names: &Names<'_>) -> Vec<Span> {
    if text.trim_end().ends_with(['?', '？']) {
        return Vec::new();
    }
    let mut is_intended = false;
    let mut out = Vec::new();
    for Clause { span, is_separate } in clauses(text) {
        let lower = span.slice(text).trim().to_lowercase();
        let is_of_today = TODAY.are_words_of(&lower);
        let inherits = is_intended && !is_separate && !is_of_today;
        is_intended = !is_of_today && (INTENT.are_words_of(&lower) || is_about_the_product(&lower, names)) || inherits;
        let is_condition = CASES.en.iter().chain(CASES.zh.iter()).any(|word| begins_with(&lower, word));
        if !is_intended && !is_condition {
            out.push(span);
        }
    }
    out
}

/// A clause; it is separate if the target of the clause before it does not apply to it.
struct Clause {
    span: Span,
    is_separate: bool,
}

fn clauses(text: &str) -> Vec<Clause> {
    let mut out = Vec::new();
    let (mut start, mut is_separate) = (0, true);
    let mut before = None;
    for (at, c) in text.char_indices() {
        let after = text[at + c.len_utf8()..].chars().next();
        let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        let joins_figures = is_digit(before) && is_digit(after);
        let is_contrast = at > start && CONTRASTS.iter().any(|word| is_word_at(text, at, word));
        if (ENDS.contains(&c) && !joins_figures) || is_contrast {
            out.push(Clause { span: Span::new(start, at), is_separate });
            is_separate = is_contrast || FIRM_ENDS.contains(&c);
            start = if is_contrast { at } else { at + c.len_utf8() };
        }
        before = Some(c);
    }
    out.push(Clause { span: Span::new(start, text.len()), is_separate });
    out.retain(|clause| !clause.span.slice(text).trim().is_empty());
    out
}

/// Returns true if the word occurs at this place, and not as a part of a longer Latin word.
fn is_word_at(text: &str, at: usize, word: &str) -> bool {
    let joins = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !is_cjk(c));
    let is_latin = !word.starts_with(is_cjk);
    let is_joined =
        is_latin && (joins(text[..at].chars().next_back()) || joins(text[at..].chars().nth(word.chars().count())));
    text[at..].starts_with(word) && !is_joined
}

fn begins_with(lower: &str, word: &str) -> bool {
    is_word_at(lower, 0, word)
}

/// Returns true for a clause with the product as its subject: "the app keeps files", 系统保留. In English, an article
/// comes first and a verb follows: "system administrators" are people, and "the app costs" reports something.
fn is_about_the_product(lower: &str, names: &Names<'_>) -> bool {
    let lower = lower.trim_start_matches(|c: char| !c.is_alphanumeric());
    let own: Vec<String> = names.product.iter().map(|name| name.trim().to_lowercase()).collect();
    let is_named = |words: &str| own.iter().any(|name| !name.is_empty() && begins_with(words, name));
    let is_product = |rest: &str| !PRODUCT_PEOPLE.begin(rest);
    if PRODUCT_NOUNS.zh.iter().any(|word| lower.strip_prefix(word).is_some_and(is_product)) || is_named(lower) {
        return true;
    }
    let words: Vec<&str> = lower.split_whitespace().collect();
    let has_article = words.first().is_some_and(|word| ARTICLES.contains(word));
    let (Some(subject), true) = (words.get(usize::from(has_article)), has_article) else { return false };
    let is_head = own.iter().any(|name| name.split_whitespace().next_back() == Some(subject));
    let rest = words[1..].join(" ");
    let next = words.get(2).copied().unwrap_or_default();
    let is_verb = (next.ends_with('s') || MODAL_VERBS.has(next)) && is_product(next);
    is_named(&rest) || is_verb && (is_head || PRODUCT_NOUNS.has(subject))
}
