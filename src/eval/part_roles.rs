//! Finds out what the parts of a text are for where no heading says it: what happened, what was expected, steps, environment.
//!
//! Each part gets points from its own words and shape, and from the order in which people tell such things; the most likely
//! sequence wins. The points are set by hand. It answers a question of benchmarks that split a report before they ask; the product splits
//! it by itself.

mod lines;
mod points;

use crate::model::{SectionRole, Span};
use crate::text::reading::Reading;
use lines::Lines;
use points::{KINDS, Kind, Points};

/// What each part of a text is for, in the order given; the parts must stand in the order of the text and not overlap.
///
/// The roles are `Actual`, `Expected`, `Steps`, `Environment`, and for all else `Evidence` (logs), `Resources` (links and
/// pictures), `Metadata` (a word or two) or `Body`. Headings inside a part are not looked at. Linear in the text.
pub fn part_roles(text: &str, reading: &Reading, parts: &[Span]) -> Vec<SectionRole> {
    let mut in_fence = false;
    let lines: Vec<Lines> = parts.iter().map(|part| Lines::of(text, *part, &mut in_fence)).collect();
    let points: Vec<Points> = lines.iter().map(|lines| points::of(text, reading, lines)).collect();
    let kinds = likeliest(&points);
    kinds.iter().zip(&lines).map(|(kind, lines)| role(*kind, lines)).collect()
}

/// How well one kind of part follows another; what is not listed counts nothing.
fn follows(before: Option<Kind>, kind: Kind) -> f32 {
    use Kind::{Actual, Environment, Expected, Other, Steps};
    match (before, kind) {
        (None, Actual) => 0.6,
        (None, Expected) => -0.2,
        (None, Environment | Other) => 0.3,
        (Some(Actual), Expected) => 1.2,
        (Some(Actual), Steps) | (Some(Environment), Environment) => 0.8,
        (Some(Expected), Actual | Steps) | (Some(Steps), Actual | Other) => 0.6,
        (Some(Environment), Actual) => 0.5,
        (Some(Other), Other) => 0.4,
        (Some(Other), Actual | Environment) => 0.3,
        (Some(Steps), Expected | Environment) | (Some(Expected), Other) => 0.2,
        (Some(Actual), Other) => -0.3,
        (Some(Other), Expected) => -0.5,
        (Some(Environment), Expected) => -0.8,
        _ => 0.0,
    }
}

/// What it costs to say the same thing a second time.
fn repeats(kind: Kind) -> f32 {
    match kind {
        Kind::Actual => -2.0,
        Kind::Expected => -2.5,
        Kind::Steps => -1.8,
        Kind::Environment | Kind::Other => 0.0,
    }
}

/// What was said already: one bit for each of the first three kinds.
const SEEN: usize = 8;
const STATES: usize = KINDS.len() * SEEN;

/// The sequence with the most points, over all kinds and all sets of kinds already said.
fn likeliest(points: &[Points]) -> Vec<Kind> {
    let mut best = [f32::NEG_INFINITY; STATES];
    let mut back: Vec<[u8; STATES]> = Vec::with_capacity(points.len());
    for (index, own) in points.iter().enumerate() {
        let mut next = [f32::NEG_INFINITY; STATES];
        let mut from = [0u8; STATES];
        for (at, kind) in KINDS.into_iter().enumerate() {
            let bit = if at < 3 { 1 << at } else { 0 };
            for (state, reached) in best.iter().enumerate() {
                let (before, seen) = (KINDS[state / SEEN], state % SEEN);
                let (so_far, before) = match index {
                    0 if state == 0 => (0.0, None),
                    0 => continue,
                    _ => (*reached, Some(before)),
                };
                let again = if seen & bit == 0 { 0.0 } else { repeats(kind) };
                let total = so_far + own.of(kind) + follows(before, kind) + again;
                let to = at * SEEN + (seen | bit);
                if total > next[to] {
                    next[to] = total;
                    from[to] = u8::try_from(state).unwrap_or(0);
                }
            }
        }
        best = next;
        back.push(from);
    }
    let mut state = (0..STATES).fold(0, |top, state| if best[state] > best[top] { state } else { top });
    let mut kinds = Vec::with_capacity(points.len());
    for from in back.iter().rev() {
        kinds.push(KINDS[state / SEEN]);
        state = usize::from(from[state]);
    }
    kinds.reverse();
    kinds
}

fn role(kind: Kind, lines: &Lines) -> SectionRole {
    match kind {
        Kind::Actual => SectionRole::Actual,
        Kind::Expected => SectionRole::Expected,
        Kind::Steps => SectionRole::Steps,
        Kind::Environment => SectionRole::Environment,
        Kind::Other if lines.is_links => SectionRole::Resources,
        Kind::Other if !lines.log.is_empty() => SectionRole::Evidence,
        Kind::Other if lines.is_single => SectionRole::Metadata,
        Kind::Other => SectionRole::Body,
    }
}
