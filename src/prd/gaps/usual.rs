//! Usual gaps: parts that a feature clearly needs and that no requirement mentions.

use regex::Regex;

use super::Found;
use super::data::{Place, Reach, Rule, Sign, data};
use super::feature::{Feature, Placed, Wanted};
use super::meaning::{Meaning, Rarity};
use super::pairs::sentences;
use crate::prd::GapCategory;
use crate::text::words::gaps::{CONDITIONS, OUTCOMES};

/// Everything that is usually forgotten and was.
pub(super) fn gaps(feature: &Feature) -> Vec<Found> {
    let rarity = Rarity::new(feature.wanted.iter().map(|wanted| &wanted.whole));
    let mut out = criteria(feature);
    for rule in data().rules.iter().filter(|rule| !rule.signs.is_empty()) {
        out.extend(by_signs(feature, rule, &rarity));
    }
    out
}

/// Requirements that nobody can check.
fn criteria(feature: &Feature) -> Vec<Found> {
    let Some(vague) = data().rule(GapCategory::MissingCriterion).and_then(|rule| rule.covered.as_ref()) else {
        return Vec::new();
    };
    // If few requirements have a list of criteria, a sentence that can be checked counts as one.
    let listed = feature.wanted.iter().filter(|wanted| !wanted.criteria.is_empty()).count();
    let has_lists = listed * 2 >= feature.wanted.len();
    let is_poor = |wanted: &&Wanted| {
        if wanted.criteria.is_empty() {
            has_lists || !is_checkable(&wanted.description) && is_vague(vague, &wanted.description)
        } else {
            wanted.criteria.iter().all(|criterion| is_vague(vague, criterion))
        }
    };
    let poor = feature.wanted.iter().filter(is_poor);
    poor.map(|wanted| Found::on(GapCategory::MissingCriterion, wanted, &wanted.title)).collect()
}

/// True for a sentence with a figure, or with a condition and a visible result.
fn is_checkable(words: &str) -> bool {
    let has_figure = words.chars().any(|c| c.is_ascii_digit()) && words.chars().count() > 20;
    let lower = words.to_lowercase();
    has_figure || CONDITIONS.stand_in(&lower) && OUTCOMES.stand_in(&lower)
}

fn is_vague(vague: &Regex, words: &str) -> bool {
    !words.chars().any(|c| c.is_ascii_digit()) && vague.is_match(words) && words.chars().count() < 90
}

/// The first requirement with a sign that nothing covers; each of them where each needs its own.
fn by_signs(feature: &Feature, rule: &Rule, rarity: &Rarity) -> Vec<Found> {
    let enough_roles = feature.brief.users.len() >= rule.needs_roles || rule.needs_roles == 0;
    if !enough_roles || !rule.anywhere.iter().all(|group| group.is_match(&feature.people)) {
        return Vec::new();
    }
    if rule.covered.is_none() {
        return Vec::new();
    }
    if rule.reach == Reach::Feature {
        let said = feature.wanted.iter().map(|wanted| &wanted.all).chain(&feature.remarks);
        if said.into_iter().any(|words| rule.is_closed_by(words)) {
            return Vec::new();
        }
    }
    let mut out = Vec::new();
    for wanted in &feature.wanted {
        // A quality is neither an action that fails nor an amount that grows.
        if rule.reach == Reach::Requirement && wanted.id.is_quality() {
            continue;
        }
        let open = shown(rule, wanted).filter(|(_, words)| !is_listed(rule, wanted, words)).find(|(sign, words)| {
            rule.reach == Reach::Feature
                || !rule.is_closed_for(sign, &wanted.all)
                    && !elsewhere(feature, wanted, rarity, words, |other| rule.is_closed_for(sign, other))
        });
        let Some((_, words)) = open else { continue };
        out.push(Found::on(rule.category, wanted, words));
        if rule.reach == Reach::Feature {
            break;
        }
    }
    if out.is_empty() || rule.reach == Reach::Requirement {
        out.extend(feature.constraints.iter().find_map(|constraint| by_constraint(feature, rule, constraint)));
    }
    out
}

/// True where the sentence names an action only to say that it is recorded or how long its data are kept, or where the
/// requirement is called after who may do what.
fn is_listed(rule: &Rule, wanted: &Wanted, sign: &str) -> bool {
    let closes = |category: GapCategory, words: &str| {
        category != rule.category && data().rule(category).is_some_and(|other| other.is_closed_by(words))
    };
    let sentence = sentences(&wanted.all).into_iter().find(|sentence| sentence.contains(sign)).unwrap_or_default();
    closes(GapCategory::MissingAudit, &sentence)
        || closes(GapCategory::MissingRetention, &sentence)
        || closes(GapCategory::MissingPermission, &wanted.title)
}

/// A constraint that shows a gap which no sentence about the same matter closes: "the fee is paid through the portal of
/// the state", and nothing says what happens when that portal is down.
fn by_constraint(feature: &Feature, rule: &Rule, constraint: &Placed) -> Option<Found> {
    let matches = |sign: &&Sign| {
        sign.place == Place::Constraint
            && sign.all.iter().all(|group| group.is_match(&constraint.words))
            && !sign.none.as_ref().is_some_and(|none| none.is_match(&constraint.words))
    };
    let sign = rule.signs.iter().find(matches)?;
    let is_closed = feature.wanted.iter().any(|wanted| {
        sentences(&wanted.all)
            .iter()
            .any(|words| rule.is_closed_for(sign, words) && constraint.meaning.shared(&Meaning::of(words)) >= 1)
    });
    (!is_closed).then(|| Found::new(rule.category, &constraint.words, constraint.place.clone()))
}

/// The signs of a requirement, each with the words that show it.
fn shown<'r, 'w: 'r>(rule: &'r Rule, wanted: &'w Wanted) -> impl Iterator<Item = (&'r Sign, &'w str)> {
    shown_in(rule, &wanted.head, Place::Head).chain(shown_in(rule, &wanted.all, Place::Requirement))
}

/// The signs of one place in its words.
fn shown_in<'r, 'w: 'r>(rule: &'r Rule, words: &'w str, place: Place) -> impl Iterator<Item = (&'r Sign, &'w str)> {
    rule.signs.iter().filter(move |sign| sign.place == place).filter_map(move |sign| {
        let is_shown = sign.all.iter().all(|group| group.is_match(words))
            && !sign.none.as_ref().is_some_and(|none| none.is_match(words));
        let found = sign.all.first()?.find(words)?;
        is_shown.then(|| (sign, found.as_str()))
    })
}

/// Another requirement or a constraint says it about the same matter: the same action, or most of this one's subject.
fn elsewhere(feature: &Feature, wanted: &Wanted, rarity: &Rarity, sign: &str, closes: impl Fn(&str) -> bool) -> bool {
    let action = Meaning::of(sign);
    let is_about = |words: &Meaning| action.contained_in(words) >= 1.0;
    let others = feature.wanted.iter().filter(|other| other.id != wanted.id);
    let by_requirement = others.into_iter().any(|other| {
        closes(&other.all)
            && (is_about(&other.meaning) && !action.stems.is_empty() && closes(&other.head)
                // Its title says that it is there for that: "Limits".
                || closes(&other.title) && rarity.share(&wanted.meaning, &other.whole).1 >= 1
                || rarity.share(&wanted.meaning, &other.whole).0 >= 0.6)
    });
    let by_remark = feature.remarks.iter().any(|remark| closes(remark) && action.shared(&Meaning::of(remark)) > 0);
    by_requirement || by_remark
}
