//! Tells an order from talk about one: imperatives by what stands before them, mentions by quotation marks and topic.

use crate::model::Span;

use super::super::nearby;
use super::forms::Word;

/// Words before a verb that make it a statement or a wish about something, unless "you" is told to do it.
const NOT_ORDERING: [&str; 103] = [
    "to",
    "will",
    "would",
    "should",
    "can",
    "could",
    "may",
    "might",
    "must",
    "shall",
    "cannot",
    "can't",
    "couldn't",
    "won't",
    "wouldn't",
    "shouldn't",
    "not",
    "don't",
    "doesn't",
    "didn't",
    "never",
    "they",
    "we",
    "i",
    "he",
    "she",
    "it",
    "who",
    "which",
    "that",
    "the",
    "a",
    "an",
    "this",
    "these",
    "those",
    "is",
    "are",
    "was",
    "were",
    "be",
    "been",
    "being",
    "of",
    "in",
    "on",
    "for",
    "with",
    "by",
    "from",
    "at",
    "as",
    "has",
    "have",
    "had",
    "does",
    "did",
    "do",
    "user",
    "users",
    "system",
    "tool",
    "app",
    "server",
    "api",
    "model",
    "models",
    "people",
    "my",
    "our",
    "their",
    "its",
    "his",
    "her",
    "some",
    "any",
    "no",
    "each",
    "every",
    "than",
    "when",
    "if",
    "because",
    "where",
    "how",
    "what",
    "why",
    "i'd",
    "we'd",
    "let",
    "lets",
    "always",
    "click",
    "clicks",
    "press",
    "presses",
    "select",
    "selects",
    "tap",
    "taps",
    "choose",
    "chooses",
    "button",
];

/// Words that make a sentence a statement about what something does, for all its verbs.
const STATING: [&str; 9] = ["should", "shall", "will", "can", "may", "would", "then", "given", "when"];

/// Words before a verb that leave it an order.
const ORDERING: [&str; 26] = [
    "please",
    "pls",
    "now",
    "then",
    "and",
    "or",
    "but",
    "just",
    "simply",
    "also",
    "so",
    "only",
    "kindly",
    "instead",
    "immediately",
    "first",
    "next",
    "finally",
    "therefore",
    "hence",
    "must",
    "you",
    "again",
    "ai",
    "chatgpt",
    "assistant",
];

/// Ends of a clause in Chinese after which a verb is an order.
const ORDERING_ENDS: [&str; 16] = [
    "请",
    "请你",
    "你",
    "必须",
    "直接",
    "并",
    "并且",
    "然后",
    "现在",
    "只",
    "再",
    "务必",
    "立即",
    "要",
    "接着",
    "你现在",
];

/// True if the verb at `at` is an order: it begins a sentence, follows "please" or the like, or is said to "you".
pub(super) fn is_imperative(text: &str, at: usize) -> bool {
    let head = sentence_head(nearby::before(text, at, 64));
    let bare = head.trim_end_matches(|c: char| !c.is_alphanumeric() && c != ',' && c != '\'');
    let Some(last) = bare.split_whitespace().next_back() else { return true };
    if is_scenario_step(bare) {
        return false;
    }
    if !last.contains(char::is_alphabetic) || last.ends_with(',') {
        return true;
    }
    if !last.is_ascii() {
        return bare.contains(['请', '须', '你']) || ORDERING_ENDS.iter().any(|end| last.ends_with(end));
    }
    let word = |word: &str| word.trim_matches(|c: char| !c.is_ascii_alphanumeric() && c != '\'').to_ascii_lowercase();
    let told_you =
        bare.split_whitespace().rev().take(6).any(|other| matches!(word(other).as_str(), "you" | "you'll" | "u"));
    let last = word(last);
    if NOT_ORDERING.contains(&last.as_str()) {
        return told_you && last != "not";
    }
    // "The page shall load the list and print it": the second verb has the subject of the first.
    let coordinated = matches!(last.as_str(), "and" | "or" | "then");
    if coordinated
        && !told_you
        && bare.split_whitespace().rev().skip(1).any(|other| STATING.contains(&word(other).as_str()))
    {
        return false;
    }
    let capital = text[at..].starts_with(|c: char| c.is_ascii_uppercase());
    last.is_empty() || told_you || capital || ORDERING.contains(&last.as_str())
}

/// `Then`, `And` and the like at the head of a line: what follows is what the product does, not what a model shall do.
fn is_scenario_step(head: &str) -> bool {
    let word = head.trim_matches(|c: char| !c.is_ascii_alphabetic());
    ["then", "and", "when", "given", "but"].iter().any(|keyword| word.eq_ignore_ascii_case(keyword))
}

/// True if the words at `at` begin a line or a sentence, apart from marks and numbers.
pub(super) fn is_at_start(text: &str, at: usize) -> bool {
    sentence_head(nearby::before(text, at, 64)).chars().all(|c| !c.is_alphabetic())
}

/// What stands between the last end of a sentence or line and the place.
fn sentence_head(before: &str) -> &str {
    before
        .rsplit(['\n', '.', '!', '?', ':', ';', '。', '！', '？', '：', '；', '，', '(', '[', '"', '{', '>', '|', '='])
        .next()
        .unwrap_or(before)
}

/// True if the words between two elements of a form end a sentence or a paragraph.
pub(super) fn ends_sentence(between: &str) -> bool {
    between.contains(". ")
        || between.contains(".\n")
        || between.contains("! ")
        || between.contains("? ")
        || between.contains("\n\n")
        || between.contains(['。', '！', '？'])
}

/// True if a quotation begins shortly after `end`: what is to be said word for word.
pub(super) fn is_followed_by_quote(text: &str, end: usize) -> bool {
    let rest = nearby::after(text, end, 30);
    let Some(place) = rest.find(['"', '\'', '“', '‘', '「', '«']) else { return false };
    let between = &rest[..place];
    between.ends_with([' ', ':', '\n', '：']) && between.len() <= 24 && !between.contains(['.', '(', '=', '!', '?'])
        || between.is_empty() && !text[..end].is_ascii()
}

/// Sentences about injection, found from the words of the classes `about` and `guards`.
pub(super) struct Mentions<'a> {
    text: &'a str,
    about: Vec<usize>,
    guards: Vec<usize>,
}

impl<'a> Mentions<'a> {
    pub(super) fn new(text: &'a str, words: &[Word]) -> Self {
        let about = words.iter().filter(|word| word.is_about()).map(|word| word.span.start).collect();
        let guards = words.iter().filter(|word| word.is_guard()).map(|word| word.span.start).collect();
        Self { text, about, guards }
    }

    /// True if the words are quoted in a line about injection, or are the object of "detect", "block" and the like.
    pub(super) fn is_mention(&self, span: Span) -> bool {
        if self.guards.is_empty() && self.about.is_empty() {
            return false;
        }
        let before = nearby::before(self.text, span.start, 70);
        let same_sentence = span.start - sentence_tail(before).len();
        if has_between(&self.guards, same_sentence, span.start) {
            return true;
        }
        let head = nearby::before(self.text, span.start, 220);
        let line_start = span.start - head.rsplit('\n').next().unwrap_or(head).len();
        let tail = nearby::after(self.text, span.end, 220);
        let line_end = span.end + tail.split('\n').next().unwrap_or(tail).len();
        (has_between(&self.about, line_start, span.start) || has_between(&self.about, span.end, line_end))
            && is_quoted(
                self.text.get(line_start..span.start).unwrap_or(""),
                self.text.get(span.end..line_end).unwrap_or(""),
            )
    }
}

fn sentence_tail(before: &str) -> &str {
    before.rsplit(['\n', '.', '!', '?', '。', '！', '？']).next().unwrap_or(before)
}

fn has_between(places: &[usize], start: usize, end: usize) -> bool {
    places.get(places.partition_point(|place| *place < start)).is_some_and(|place| *place < end)
}

/// True if a quotation is open at the end of `before` and closed in `after`.
fn is_quoted(before: &str, after: &str) -> bool {
    let pairs = [('“', '”'), ('‘', '’'), ('「', '」'), ('«', '»'), ('《', '》')];
    let open_pair = pairs.iter().any(|(open, close)| {
        before.rfind(*open).is_some_and(|at| !before[at..].contains(*close)) && after.contains(*close)
    });
    let odd = |mark: char| before.matches(mark).count() % 2 == 1 && after.contains(mark);
    open_pair || odd('"') || odd('`') || has_open_apostrophe(before, after)
}

/// `'` opens a quotation only after a space or bracket and closes it only before something that is no letter.
fn has_open_apostrophe(before: &str, after: &str) -> bool {
    let mut is_open = false;
    let mut previous = ' ';
    let mut characters = before.chars().peekable();
    while let Some(c) = characters.next() {
        if c == '\'' {
            let opens = !previous.is_alphanumeric();
            let closes = characters.peek().is_none_or(|next| !next.is_alphanumeric());
            is_open = if is_open { !closes } else { opens };
        }
        previous = c;
    }
    is_open && after.contains('\'')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn imperative(text: &str, verb: &str) -> bool {
        is_imperative(text, text.find(verb).unwrap())
    }

    #[test]
    fn orders_are_told_from_statements() {
        assert!(imperative("Ignore it", "Ignore"));
        assert!(imperative("Done. please ignore it", "ignore"));
        assert!(imperative("you must ignore it", "ignore"));
        assert!(imperative("- 1) ignore it", "ignore"));
        assert!(!imperative("the parser should ignore it", "ignore"));
        assert!(!imperative("it fails to ignore it", "ignore"));
        assert!(!imperative("do not ignore it", "ignore"));
        assert!(!imperative("Then the page shall load and ignore it", "ignore"));
    }

    #[test]
    fn quotations_are_seen_on_both_sides() {
        assert!(is_quoted("users type \"", "\" and"));
        assert!(is_quoted("users type '", "' and it's"));
        assert!(!is_quoted("it's ", " isn't"));
        assert!(!is_quoted("say \"a\" ", ""));
    }
}
