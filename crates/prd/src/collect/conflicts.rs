//! Finds labelled pieces that may not be valid as written: two figures for one subject, or a contradicting passage elsewhere.

use crate::layouts::pieces::Piece;
use crate::layouts::sentences::says_the_same;
use crate::{OpenQuestion, SourceQuote};
use reqgate_base::model::{Language, Span};
use reqgate_messages as messages;
use reqgate_text::content_words::{content_words, shared};
use reqgate_text::lexicon::is_cjk;
use reqgate_text::quantities::{Quantity, quantities};
use reqgate_text::words::conflicting_demands::NEGATIVE;

/// A sentence of a source, with its location.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Passage {
    /// The text, joined to one line.
    pub words: String,
    /// The location in the source.
    pub place: SourceQuote,
    /// The sentence asks a question, leaves something open or withdraws something.
    pub doubts: bool,
}

/// A conflict between a binding piece and another passage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Conflict {
    /// The index of the piece.
    pub piece: usize,
    /// The index of the other piece; `None` for an unlabelled passage.
    pub other: Option<usize>,
    /// The passage that conflicts with the piece.
    pub passage: Passage,
}

/// Returns the conflicts of binding pieces with each other, and with unlabelled passages that contradict, question or withdraw a rule.
/// Only a reader can tell what such a passage does to the rule. Each piece is in at most one conflict.
pub(super) fn conflicts(pieces: &[Piece], passages: &[Passage]) -> Vec<Conflict> {
    let topics: Vec<Vec<String>> = pieces.iter().map(|piece| topic(&piece.words)).collect();
    let unlabelled: Vec<Vec<String>> = passages.iter().map(|passage| topic(&passage.words)).collect();
    let mut found: Vec<Conflict> = Vec::new();
    let mut taken = vec![false; pieces.len()];
    for other in 0..pieces.len() {
        let compared = |at: usize| pieces[at].label.binds() && !taken[at];
        let meets = (0..other).find(|one| {
            compared(*one)
                && compared(other)
                && about_the_same(&topics[*one], &topics[other])
                && (pieces[*one].place.source != pieces[other].place.source
                    || have_one_subject(&topics[*one], &topics[other]))
                && disagree(&pieces[*one], &pieces[other])
        });
        if let Some(piece) = meets {
            (taken[piece], taken[other]) = (true, true);
            let Piece { words, place, .. } = pieces[other].clone();
            let passage = Passage { words, place, doubts: false };
            found.push(Conflict { piece, other: Some(other), passage });
        }
    }
    for piece in 0..pieces.len() {
        if !pieces[piece].label.binds() || taken[piece] {
            continue;
        }
        let speaks_of_it = |at: &usize| {
            about_the_same(&topics[piece], &unlabelled[*at])
                && (passages[*at].doubts || is_opposed(&pieces[piece].words, &passages[*at].words))
        };
        if let Some(at) = (0..passages.len()).find(speaks_of_it) {
            taken[piece] = true;
            found.push(Conflict { piece, other: None, passage: passages[at].clone() });
        }
    }
    found
}

/// Returns true if two statements share enough of their subject words.
fn about_the_same(one: &[String], other: &[String]) -> bool {
    let common = shared(one, other);
    common >= 2 && common * 2 >= one.len().min(other.len())
}

/// Returns false for two statements of one source if each has words that the other lacks: limits of two fields are
/// two subjects. Chinese word pairs always differ a little, so a share of them is enough.
fn have_one_subject(one: &[String], other: &[String]) -> bool {
    let (common, least) = (shared(one, other), one.len().min(other.len()));
    let is_chinese = one.iter().any(|word| word.chars().any(is_cjk));
    common == least || is_chinese && common * 4 >= least * 3
}

/// Returns true if a clause of each has the same subject, and either two figures of one kind differ, or one clause
/// negates the other in nearly the same words. A negation elsewhere in the clause applies to something else.
fn is_opposed(one: &str, other: &str) -> bool {
    let denies = |words: &str| NEGATIVE.stand_in(&format!(" {} ", words.to_lowercase()));
    let nearly_the_same = |one: &[String], other: &[String]| shared(one, other) * 3 >= one.len().min(other.len()) * 2;
    let (clauses, others) = (clauses(one), clauses(other));
    clauses.iter().any(|one| {
        others.iter().any(|other| {
            let (topic, of_other) = (topic(one), topic(other));
            about_the_same(&topic, &of_other)
                && (differ_in_a_figure(one, other)
                    || denies(one) != denies(other) && nearly_the_same(&topic, &of_other))
        })
    })
}

fn clauses(words: &str) -> Vec<&str> {
    let is_end = |at: usize, c: char| match c {
        '.' | ',' | ':' => words[at + 1..].starts_with(char::is_whitespace),
        c => matches!(c, ';' | '；' | '。' | '，' | '：' | '!' | '！' | '?' | '？' | '\n'),
    };
    let ends = words.char_indices().filter(|(at, c)| is_end(*at, *c)).map(|(at, c)| at + c.len_utf8());
    let mut start = 0;
    let pieces = ends.chain([words.len()]).map(|end| {
        let piece = &words[start..end];
        start = end;
        piece.trim()
    });
    pieces.filter(|piece| !piece.is_empty()).collect()
}

/// Returns true if two pieces on one subject have different figures of one kind or, in two sources, different words.
fn disagree(one: &Piece, other: &Piece) -> bool {
    let is_elsewhere = one.place.source != other.place.source;
    differ_in_a_figure(&one.words, &other.words) || is_elsewhere && !says_the_same(&one.words, &other.words)
}

/// Returns true if one statement has a figure that differs from all figures of the same kind in the other.
fn differ_in_a_figure(one: &str, other: &str) -> bool {
    let (figures, others) = (figures(one), figures(other));
    let differs = |figure: &Quantity| {
        let same_kind = || others.iter().filter(|other| other.dimension == figure.dimension);
        same_kind().next().is_some() && same_kind().all(|other| other.value.total_cmp(&figure.value).is_ne())
    };
    figures.iter().any(differs)
}

fn figures(words: &str) -> Vec<Quantity> {
    let all = quantities(words, Span::new(0, words.len())).into_iter();
    all.filter(|quantity| quantity.dimension.is_some()).collect()
}

/// The subject words of a piece: content words without figures.
fn topic(words: &str) -> Vec<String> {
    let mut words = content_words(words);
    words.retain(|word| !word.chars().any(|c| c.is_ascii_digit()));
    words
}

/// The question which of the two conflicting statements is valid.
pub(super) fn question(piece: &Piece, conflict: &Conflict, language: Language) -> OpenQuestion {
    let side = |words: &str, place: &SourceQuote| format!("“{words}” ({}:{})", place.source, place.line);
    let (one, other) = (side(&piece.words, &piece.place), side(&conflict.passage.words, &conflict.passage.place));
    let said = messages::Prd::of(language);
    let question = match conflict.other {
        Some(_) => said.which_holds(&one, &other),
        None => said.does_it_hold(&one, &other),
    };
    let against = Some(conflict.passage.place.clone());
    OpenQuestion { against, ..OpenQuestion::new(question, Some(piece.place.clone())) }
}
