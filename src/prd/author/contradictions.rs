//! Statements that cannot both hold: another figure for the same thing, or allowed here and forbidden there.

use std::collections::{BTreeMap, BTreeSet};

use super::statement::{Kind, Said};
use super::wording::topic;
use crate::model::Span;
use crate::text::content_words::shared;
use crate::text::lexicon::is_cjk;
use crate::text::quantities::{Dimension, Quantity, quantities};
use crate::text::words::drafting_contradictions as lists;

/// Two statements, by their indexes, that contradict each other.
pub type Pair = (usize, usize);

/// Every pair of statements that demand and cannot both hold; a decision beats what was not decided.
pub fn contradictions(said: &mut [Said]) -> Vec<Pair> {
    let read: Vec<(usize, Claim)> = said
        .iter()
        .enumerate()
        .filter(|(_, said)| said.kind.demands() && !is_example(&said.words))
        .map(|(at, said)| (at, Claim::of(&said.words)))
        .collect();
    let mut pairs = across_sources(said, &read);
    for (number, (one, claim)) in read.iter().enumerate() {
        for (other, against) in &read[number + 1..] {
            if claim.contradicts(against) && !pairs.contains(&(*one, *other)) {
                pairs.push((*one, *other));
            }
        }
    }
    // In one talk what is said later holds.
    pairs.retain(|(one, other)| {
        let in_one_talk = said[*one].in_talk && said[*one].quote.source == said[*other].quote.source;
        let (earlier, later) = (*one.min(other), *one.max(other));
        if in_one_talk && (!said[earlier].decided || said[later].decided) {
            said[earlier].kind = Kind::Nothing;
            return false;
        }
        true
    });
    // What one meeting has decided does not overrule another paper: that is asked.
    let same_source = |one: usize, other: usize, said: &[Said]| said[one].quote.source == said[other].quote.source;
    pairs.retain(|(one, other)| match (said[*one].decided, said[*other].decided) {
        (true, false) if said[*one].in_talk && same_source(*one, *other, said) => {
            said[*other].kind = Kind::Nothing;
            false
        }
        (false, true) if said[*other].in_talk && same_source(*one, *other, said) => {
            said[*one].kind = Kind::Nothing;
            false
        }
        _ => true,
    });
    pairs
}

/// "Example: a parcel of 4 kg": its figures hold for the example.
fn is_example(words: &str) -> bool {
    lists::EXAMPLES.begin(&words.to_lowercase())
}

/// Pairs from two sources: papers that speak of one thing and do not agree about it, more loosely than within one.
fn across_sources(said: &[Said], read: &[(usize, Claim)]) -> Vec<Pair> {
    let weights = Weights::of(read);
    let mut pairs: Vec<Pair> = other_figures(said, read, &weights);
    for (number, (one, claim)) in read.iter().enumerate() {
        for (other, against) in &read[number + 1..] {
            if pairs.contains(&(*one, *other)) {
                continue;
            }
            let apart = said[*one].quote.source != said[*other].quote.source;
            let in_talk = said[*one].in_talk && said[*other].in_talk;
            if (apart || in_talk && claim.denies(against)) && claim.disagrees(against) {
                pairs.push((*one, *other));
            }
        }
    }
    for (at, now) in said.iter().enumerate() {
        let refused = now.refuses_matter();
        let too_much = at
            .checked_sub(1)
            .map(|before| &said[before])
            .filter(|before| now.replaces && before.quote.source == now.quote.source);
        let demand = read.iter().find(|(demand, claim)| {
            let demand = &said[*demand];
            demand.quote.source != now.quote.source
                && (refused.as_ref().is_some_and(|matter| shared(matter, &claim.about) == matter.len())
                    || too_much.is_some_and(|before| has_figure_of(claim, before)))
        });
        if let Some((demand, _)) = demand
            && !pairs.iter().any(|(one, other)| [one, other].contains(&demand))
        {
            pairs.push((*demand, at));
        }
    }
    pairs.truncate(MOST_ACROSS);
    pairs
}

/// How much each word says: words that stand in few claims weigh more.
struct Weights(BTreeMap<String, f64>);

/// With fewer claims than this no word is common.
const FEWEST: usize = 12;

impl Weights {
    fn of(read: &[(usize, Claim)]) -> Self {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for (_, claim) in read {
            for word in claim.matter.iter().collect::<BTreeSet<_>>() {
                *counts.entry(word.clone()).or_default() += 1;
            }
        }
        let all = read.len().max(FEWEST) as f64 + 1.0;
        Self(counts.into_iter().map(|(word, count)| (word, (all / count as f64).ln())).collect())
    }

    fn sum<'w>(&self, words: impl Iterator<Item = &'w String>) -> f64 {
        words.filter_map(|word| self.0.get(word)).sum()
    }

    /// How much two claims are about one thing, from 0 to 1: what their common words weigh, of the one that weighs less.
    fn nearness(&self, one: &Claim, other: &Claim) -> f64 {
        let common = self.sum(one.matter.iter().filter(|word| other.matter.contains(word)));
        let least = self.sum(one.matter.iter()).min(self.sum(other.matter.iter()));
        if least > 0.0 { common / least } else { 0.0 }
    }
}

/// From so much on two claims with different figures are about one thing.
const NEAR: f64 = 0.3;

/// Pairs from two sources that give another figure for one thing: each with the claim that is nearest to it.
fn other_figures(said: &[Said], read: &[(usize, Claim)], weights: &Weights) -> Vec<Pair> {
    let nearest = |at: usize| {
        let (one, claim) = &read[at];
        let apart = read.iter().enumerate().filter(|(_, (other, against))| {
            said[*one].quote.source != said[*other].quote.source && claim.measures_the_same(against)
        });
        let near = apart.map(|(other, (_, against))| (weights.nearness(claim, against), other));
        near.filter(|(nearness, _)| *nearness >= NEAR)
            .max_by(|one, other| one.0.total_cmp(&other.0).then(other.1.cmp(&one.1)))
    };
    let mut pairs = Vec::new();
    for at in 0..read.len() {
        let Some((_, other)) = nearest(at).filter(|(_, other)| *other > at) else { continue };
        if nearest(other).is_some_and(|(_, back)| back == at) && read[at].1.has_no_figure_of(&read[other].1) {
            pairs.push((read[at].0, read[other].0));
        }
    }
    pairs
}

/// At most so many disagreements between sources are asked about.
const MOST_ACROSS: usize = 12;

/// "10 days is too long": the figure is that of the claim.
fn has_figure_of(claim: &Claim, before: &Said) -> bool {
    let theirs = quantities(&before.words, Span::new(0, before.words.len()));
    let same = |one: &Quantity| {
        theirs.iter().any(|other| {
            one.dimension.is_some()
                && one.dimension == other.dimension
                && (one.value - other.value).abs() < f64::EPSILON
        })
    };
    claim.figures.len() == 1 && claim.figures.iter().any(|(figure, _)| same(figure))
}

impl Said {
    /// "No discounts on spare keys": the words of what is refused, if there are enough of them.
    fn refuses_matter(&self) -> Option<Vec<String>> {
        let mut matter = topic(lists::REFUSALS.behind(&self.words)?);
        matter.retain(|word| !lists::STEMS.has(word) && word != "pleas");
        (2..=4).contains(&matter.len()).then_some(matter)
    }
}

struct Claim {
    /// Its words without the units of its figures.
    matter: Vec<String>,
    /// How many words two claims must share: pairs of characters stand for Chinese words, so there are more of them.
    least: usize,
    /// It names who or what is not needed.
    spares: bool,
    /// It names what is needed.
    needs: bool,
    /// It says until when or how much.
    bounds: bool,
    /// What it denies, each as a stem or as two characters.
    denied: Vec<String>,

    /// Words with meaning, without figures and without what allows or forbids.
    about: Vec<String>,
    figures: Vec<(Quantity, String)>,
    forbids: bool,
    allows: bool,
}

/// What stands behind a denial: "not blocked" → block, 不自动 → 自动.
fn denied(lower: &str) -> Vec<String> {
    let mut out = Vec::new();
    for (at, sign) in lower.match_indices('不') {
        let pair: String = lower[at + sign.len()..].chars().take(2).collect();
        out.push(pair);
    }
    for denial in lists::DENIALS.iter() {
        for (at, _) in lower.match_indices(denial) {
            let next: String = lower[at + denial.len()..].split(' ').take(2).collect::<Vec<_>>().join(" ");
            out.extend(topic(&next).into_iter().take(1));
        }
    }
    out.retain(|word| !lists::STEMS.has(word));
    out
}

impl Claim {
    fn of(words: &str) -> Self {
        let lower = words.to_lowercase();
        let padded = format!(" {lower} ");
        let stands =
            |term: &&str| if term.is_ascii() { padded.contains(&format!(" {term} ")) } else { lower.contains(*term) };
        let forbids = lists::FORBIDDING.iter().any(stands);
        let allows = !forbids && lists::ALLOWING.iter().any(stands);
        let mut bare = lower.clone();
        for term in lists::FORBIDDING.zh.iter().chain(lists::ALLOWING.zh) {
            bare = bare.replace(term, " ");
        }
        let mut about = topic(&bare);
        about.retain(|word| !lists::STEMS.has(word));
        let mut figures = quantities(words, Span::new(0, words.len()));
        // "Not 5", "3 years are not enough": a figure that does not hold.
        figures.retain(|figure| {
            let before = words[..figure.span.start].trim_end().to_lowercase();
            let behind = words[figure.span.end..].trim_start().to_lowercase();
            !lists::BEFORE_A_WRONG_FIGURE.end(&before) && !lists::BEHIND_A_WRONG_FIGURE.begin(&behind)
        });
        // What is counted stands behind the number: "40 chairs".
        let counted = |figure: &Quantity| {
            let behind = words[figure.number.end..].trim_start();
            behind.split([' ', ',', '.', ';', '，', '。']).next().unwrap_or_default().to_lowercase()
        };
        let figures: Vec<(Quantity, String)> = figures.into_iter().map(|figure| (figure, counted(&figure))).collect();
        let least = if words.chars().any(is_cjk) { 4 } else { 2 };
        let spares = lists::SPARING.stand_in(&lower);
        let needs = lists::NEEDING.stand_in(&lower);
        let bounds = lists::BOUNDS.stand_in(&lower);
        let units: Vec<String> = figures.iter().flat_map(|(figure, _)| topic(figure.span.slice(words))).collect();
        let mut matter = about.clone();
        matter.retain(|word| !units.contains(word));
        let denied = denied(&lower);
        Self { denied, matter, least, spares, needs: needs && !spares, bounds, about, figures, forbids, allows }
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

    /// Two papers about one thing: another figure for it, forbidden in one of them, or needed in one and spared in the other.
    fn disagrees(&self, other: &Self) -> bool {
        let common = shared(&self.matter, &other.matter);
        let fewest = self.matter.len().min(other.matter.len());
        let least = self.least.max(other.least);
        if common < least || common * 10 < fewest * 3 {
            return false;
        }
        let near = common > least;
        let opposite = self.denies(other)
            || self.forbids != other.forbids
            || self.spares && other.needs
            || self.needs && other.spares;
        let timed = self.figures.is_empty() != other.figures.is_empty() && self.bounds && other.bounds;
        near && (opposite || timed) || self.has_another_figure(other, near)
    }

    /// One denies what the other says.
    fn denies(&self, other: &Self) -> bool {
        let one_way = |one: &Self, two: &Self| {
            one.denied.iter().any(|word| two.about.contains(word) && !two.denied.contains(word))
        };
        one_way(self, other) || one_way(other, self)
    }

    /// Both give a figure of one kind.
    fn measures_the_same(&self, other: &Self) -> bool {
        self.figures.iter().any(|(one, counted)| {
            other.figures.iter().any(|(two, also)| {
                let same_thing =
                    one.dimension != Some(Dimension::Count) || counted == also || counted.chars().any(is_cjk);
                one.dimension.is_some() && one.dimension == two.dimension && same_thing
            })
        })
    }

    /// No figure of one is a figure of the other.
    fn has_no_figure_of(&self, other: &Self) -> bool {
        let equal = |one: &Quantity, two: &Quantity| {
            one.dimension == two.dimension && (one.value - two.value).abs() < f64::EPSILON
        };
        !self.figures.iter().any(|(one, _)| other.figures.iter().any(|(two, _)| equal(one, two)))
    }

    /// The same kind of figure in both, and none that is the same.
    fn has_another_figure(&self, other: &Self, near: bool) -> bool {
        let comparable = |one: &(Quantity, String), two: &(Quantity, String)| {
            let counted = one.1.len() >= 3 && one.1 == two.1;
            one.0.dimension == two.0.dimension && (one.0.dimension.is_some() && near || counted)
        };
        let equal = |one: &Quantity, two: &Quantity| (one.value - two.value).abs() < f64::EPSILON;
        let pairs = || self.figures.iter().flat_map(|one| other.figures.iter().map(move |two| (one, two)));
        pairs().any(|(one, two)| comparable(one, two) && !equal(&one.0, &two.0))
            && !pairs().any(|(one, two)| equal(&one.0, &two.0))
    }

    fn differs(&self, other: &Self) -> bool {
        match (self.figures.as_slice(), other.figures.as_slice()) {
            ([(one, _)], [(two, _)]) => one.dimension == two.dimension && (one.value - two.value).abs() > f64::EPSILON,
            _ => false,
        }
    }
}
