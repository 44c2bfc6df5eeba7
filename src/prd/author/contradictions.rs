//! Statements that cannot both hold: another figure for the same thing, or allowed here and forbidden there.

use super::statement::{Kind, Said};
use super::wording::topic;
use crate::model::Span;
use crate::text::content_words::shared;
use crate::text::quantities::{Quantity, quantities};

/// Two statements, by their indexes, that contradict each other.
pub type Pair = (usize, usize);

/// Every pair of statements that demand and cannot both hold; a decision beats what was not decided.
pub fn contradictions(said: &mut [Said]) -> Vec<Pair> {
    let read: Vec<(usize, Claim)> = said
        .iter()
        .enumerate()
        .filter(|(_, said)| said.kind.demands())
        .map(|(at, said)| (at, Claim::of(&said.words)))
        .collect();
    let mut pairs = Vec::new();
    for (number, (one, claim)) in read.iter().enumerate() {
        for (other, against) in &read[number + 1..] {
            if claim.contradicts(against) {
                pairs.push((*one, *other));
            }
        }
    }
    pairs.retain(|(one, other)| match (said[*one].decided, said[*other].decided) {
        (true, false) if said[*one].in_talk => {
            said[*other].kind = Kind::Nothing;
            false
        }
        (false, true) if said[*other].in_talk => {
            said[*one].kind = Kind::Nothing;
            false
        }
        _ => true,
    });
    pairs
}

struct Claim {
    /// Words with meaning, without figures and without what allows or forbids.
    about: Vec<String>,
    figures: Vec<(Quantity, String)>,
    forbids: bool,
    allows: bool,
}

const FORBIDDING: [&str; 17] = [
    "must not",
    "may not",
    "shall not",
    "cannot",
    "can not",
    "can't",
    "never",
    "not allowed",
    "is forbidden",
    "are forbidden",
    "should not",
    "不得",
    "不能",
    "禁止",
    "不允许",
    "不可",
    "不可以",
];
const ALLOWING: [&str; 14] = [
    "may",
    "can",
    "must",
    "shall",
    "allowed",
    "should",
    "are free to",
    "可以",
    "允许",
    "可",
    "能",
    "必须",
    "应",
    "能够",
];
const MODALS: [&str; 12] =
    ["not", "never", "cannot", "can", "allow", "forbidden", "don", "doesn", "t", "is", "be", "ever"];

impl Claim {
    fn of(words: &str) -> Self {
        let lower = words.to_lowercase();
        let padded = format!(" {lower} ");
        let stands =
            |term: &&str| if term.is_ascii() { padded.contains(&format!(" {term} ")) } else { lower.contains(*term) };
        let forbids = FORBIDDING.iter().any(stands);
        let allows = !forbids && ALLOWING.iter().any(stands);
        let mut bare = lower.clone();
        for term in FORBIDDING.iter().chain(&ALLOWING).filter(|term| !term.is_ascii()) {
            bare = bare.replace(term, " ");
        }
        let mut about = topic(&bare);
        about.retain(|word| !MODALS.contains(&word.as_str()));
        let figures = quantities(words, Span::new(0, words.len()));
        let figures = figures.into_iter().map(|figure| (figure, figure.span.slice(words).to_owned())).collect();
        Self { about, figures, forbids, allows }
    }

    fn contradicts(&self, other: &Self) -> bool {
        let common = shared(&self.about, &other.about);
        let least = self.about.len().min(other.about.len());
        let most = self.about.len().max(other.about.len());
        // One says nothing that the other does not: "guests wait 5 minutes, members 10" is no contradiction.
        if common < 2 || common < least || common * 10 < most * 7 {
            return false;
        }
        self.forbids && other.allows || self.allows && other.forbids || self.differs(other)
    }

    fn differs(&self, other: &Self) -> bool {
        match (self.figures.as_slice(), other.figures.as_slice()) {
            ([(one, _)], [(two, _)]) => one.dimension == two.dimension && (one.value - two.value).abs() > f64::EPSILON,
            _ => false,
        }
    }
}
