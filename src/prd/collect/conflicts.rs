//! Labelled pieces that cannot all hold as they stand: two figures for one matter, or two sources about one matter.

use super::pieces::Piece;
use super::sentences::says_the_same;
use crate::model::{Language, Span};
use crate::prd::OpenQuestion;
use crate::text::content_words::{content_words, shared};
use crate::text::quantities::{Quantity, quantities};

/// Pairs of pieces, by index, of which somebody has to say which one holds. No piece stands in two pairs.
pub fn conflicts(pieces: &[Piece]) -> Vec<(usize, usize)> {
    let topics: Vec<Vec<String>> = pieces.iter().map(|piece| topic(&piece.words)).collect();
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    let mut taken = vec![false; pieces.len()];
    for other in 0..pieces.len() {
        let meets = (0..other).find(|one| {
            let about_the_same = || {
                let common = shared(&topics[*one], &topics[other]);
                let least = topics[*one].len().min(topics[other].len());
                common >= 2 && common * 2 >= least
            };
            let compared = |at: usize| pieces[at].label.binds() && !taken[at];
            compared(*one) && compared(other) && about_the_same() && disagree(&pieces[*one], &pieces[other])
        });
        if let Some(one) = meets {
            (taken[one], taken[other]) = (true, true);
            pairs.push((one, other));
        }
    }
    pairs
}

/// Two pieces about one matter that name other figures of one kind, or, in two sources, use other words.
fn disagree(one: &Piece, other: &Piece) -> bool {
    let is_elsewhere = one.place.source != other.place.source;
    let (figures, others) = (figures(&one.words), figures(&other.words));
    let differs = |figure: &Quantity| {
        let same_kind = || others.iter().filter(|other| other.dimension == figure.dimension);
        same_kind().next().is_some() && same_kind().all(|other| other.value.total_cmp(&figure.value).is_ne())
    };
    figures.iter().any(differs) || is_elsewhere && !says_the_same(&one.words, &other.words)
}

fn figures(words: &str) -> Vec<Quantity> {
    quantities(words, Span::new(0, words.len()))
}

/// The words that say what a piece is about: those with a meaning that are not figures.
fn topic(words: &str) -> Vec<String> {
    let mut words = content_words(words);
    words.retain(|word| !word.chars().any(|c| c.is_ascii_digit()));
    words
}

/// Asks which of two pieces holds.
pub fn question(one: &Piece, other: &Piece, language: Language) -> OpenQuestion {
    let side = |piece: &Piece| format!("“{}” ({}:{})", piece.words, piece.place.source, piece.place.line);
    let question = match language {
        Language::En => format!("Which holds: {} or {}?", side(one), side(other)),
        Language::Zh => format!("以哪个为准：{} 还是 {}？", side(one), side(other)),
    };
    OpenQuestion { question, source: Some(one.place.clone()), answer: None }
}
