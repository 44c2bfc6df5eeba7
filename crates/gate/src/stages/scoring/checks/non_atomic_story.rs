//! Reports a story with two wishes, or with two actions that could be delivered separately.

use crate::stages::scoring::Context;
use reqgate_base::model::{Genre, Match, Span};
use reqgate_text::lexicon::is_latin_word;
use reqgate_text::story_parts::story_parts;
use reqgate_text::words::stories::{
    ACTIONS, BEFORE_AN_ACTION, BEGINNERS, BEHIND_NOUNS, JOINTS, OPENERS, PAIRS, PREPOSITIONS,
};

/// Returns a match for each story with more than one wish.
pub(super) fn check(ctx: Context<'_>) -> Vec<Match> {
    let mut found = Vec::new();
    for sentence in ctx.reading.sentences.iter().filter(|s| s.genre == Genre::UserStory && !s.struck) {
        let parts = story_parts(ctx.text, sentence.span);
        if parts.wish.start == sentence.span.start {
            continue;
        }
        if let Some(joint) = joint(ctx.text, parts.wish) {
            found.push(Match::at(sentence.span).with("term", joint.slice(ctx.text)));
        }
    }
    found
}

/// The words that connect a wish to a second one.
fn joint(text: &str, wish: Span) -> Option<Span> {
    let words = wish.slice(text);
    if let Some((at, joint)) = JOINTS.zh.iter().find_map(|joint| words.find(joint).map(|at| (at, joint))) {
        return Some(Span::new(wish.start + at, wish.start + at + joint.len()));
    }
    let tokens = tokens(words);
    let word = |index: usize| tokens.get(index).map_or("", |(_, word)| word.as_str());
    let mut in_brackets = false;
    for (index, (from, token)) in tokens.iter().enumerate() {
        in_brackets = token == "(" || in_brackets && token != ")";
        if !matches!(token.as_str(), "and" | "&") || index < 3 || in_brackets {
            continue;
        }
        // Adverbs and connecting words may precede the second verb: "and also to quickly send".
        let mut next = index + 1;
        while BEFORE_AN_ACTION.has(word(next)) || word(next).len() > 4 && word(next).ends_with("ly") {
            next += 1;
        }
        let two = if is_verb(word(next)) && follows_as_verb(word(next + 1)) {
            word(index + 1) == "i" || is_second_action(&tokens, index, next)
        } else {
            is_second_object(&tokens, index)
        };
        if two {
            // The quote starts one word earlier, "labels and orders", to show both things.
            let start = tokens.get(index - 1).map_or(*from, |(start, _)| *start);
            let end = tokens.get(next).map_or(words.len(), |(at, word)| at + word.len());
            return Some(Span::new(wish.start + start, wish.start + end));
        }
    }
    None
}

/// Returns true if the "and" at `index` joins two direct objects of the wish: "I want to see prices and routes".
fn is_second_object(tokens: &[(usize, String)], index: usize) -> bool {
    let before = &tokens[..index];
    // A purpose ("to …" late in the wish) and a list of three are one thing with parts.
    let purpose = before.iter().skip(5).any(|(_, word)| word == "to");
    let listed = before.iter().any(|(_, word)| word == ",");
    let opener = before
        .iter()
        .rev()
        .map(|(_, word)| word.as_str())
        .find(|word| PREPOSITIONS.en.contains(word) || OPENERS.has(word));
    !purpose && !listed && opener.is_some_and(|word| !PREPOSITIONS.en.contains(word)) && tokens.len() > index + 1
}

fn is_verb(word: &str) -> bool {
    let base = |word: &str| ACTIONS.en.contains(word);
    base(word)
        || word.strip_suffix('s').is_some_and(base)
        || word.strip_suffix("es").is_some_and(base)
        || word.strip_suffix("ies").is_some_and(|stem| base(&format!("{stem}y")))
}

/// Returns true if the "and" at `index` joins two verbs that are not one action.
fn is_second_action(tokens: &[(usize, String)], index: usize, next: usize) -> bool {
    let word = |index: usize| tokens.get(index).map_or("", |(_, word)| word.as_str());
    let verb = word(next);
    if !is_verb(verb) || !follows_as_verb(word(next + 1)) {
        return false;
    }
    let first = (0..index).rev().find(|at| is_verb(word(*at)) && (*at == 0 || begins_action(word(at - 1))));
    let Some(first) = first else { return false };
    !is_one_action(word(first), verb) && word(first) != verb
}

/// Returns true for "search and filter", "copy and paste", which are one action.
fn is_one_action(first: &str, second: &str) -> bool {
    PAIRS.en.iter().any(|pair| pair.split_once(" and ") == Some((first, second)))
}

/// Returns true if an action may begin after this word.
fn begins_action(before: &str) -> bool {
    BEGINNERS.has(before) || before.len() > 4 && before.ends_with("ly")
}

/// Returns false if "of" or the end follows, where a word such as "report" may be a noun.
fn follows_as_verb(after: &str) -> bool {
    !after.is_empty() && !BEHIND_NOUNS.has(after)
}

/// The words with their positions, in lower case; commas and brackets are separate words.
fn tokens(words: &str) -> Vec<(usize, String)> {
    let mut out = Vec::new();
    let mut start = None;
    for (index, c) in words.char_indices().chain([(words.len(), ' ')]) {
        let inside = is_latin_word(c) || matches!(c, '-' | '\'' | '’' | '&');
        match (start, inside) {
            (None, true) => start = Some(index),
            (Some(from), false) => {
                out.push((from, words[from..index].to_ascii_lowercase()));
                start = None;
            }
            _ => {}
        }
        if matches!(c, ',' | '(' | ')') {
            out.push((index, c.to_string()));
        }
    }
    out
}
