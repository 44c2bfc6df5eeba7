//! What is usually forgotten, where a feature clearly needs it and nothing speaks of it.

use regex::Regex;

use super::Found;
use super::data::{Reach, Rule, data};
use super::feature::{Feature, Wanted};
use super::meaning::Rarity;
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
    // Where few requirements have a list of criteria, a sentence that can be checked is one.
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

/// True for a sentence with a figure, or with a condition and what is seen then.
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
        // A quality is no action that fails and no amount that grows.
        if rule.reach == Reach::Requirement && wanted.id.is_quality() {
            continue;
        }
        let Some(words) = shows(rule, wanted) else { continue };
        let is_covered = rule.reach == Reach::Requirement
            && (rule.is_closed_by(&wanted.all) || elsewhere(feature, wanted, rule, rarity, words));
        if is_covered {
            continue;
        }
        out.push(Found::on(rule.category, wanted, words));
        if rule.reach == Reach::Feature {
            break;
        }
    }
    if out.is_empty() && rule.reach == Reach::Feature {
        let shown = feature
            .constraints
            .iter()
            .find_map(|constraint| Some((constraint, shown_by(rule, &constraint.words, true)?)));
        out.extend(shown.map(|(constraint, words)| Found::new(rule.category, words, constraint.place.clone())));
    }
    out
}

/// The words of a requirement that show a sign.
fn shows<'w>(rule: &Rule, wanted: &'w Wanted) -> Option<&'w str> {
    shown_by(rule, &wanted.head, false).or_else(|| shown_by(rule, &wanted.all, true))
}

/// The words that show a sign; `whole` for the signs that may stand anywhere.
fn shown_by<'w>(rule: &Rule, words: &'w str, whole: bool) -> Option<&'w str> {
    let sign = rule.signs.iter().filter(|sign| sign.whole == whole).find(|sign| {
        sign.all.iter().all(|group| group.is_match(words))
            && !sign.none.as_ref().is_some_and(|none| none.is_match(words))
    })?;
    sign.all.first()?.find(words).map(|found| found.as_str())
}

/// Another requirement, or a constraint, says it of the same matter: of the very action, or of most of what this one is about.
fn elsewhere(feature: &Feature, wanted: &Wanted, rule: &Rule, rarity: &Rarity, sign: &str) -> bool {
    let action = super::meaning::Meaning::of(sign);
    let others = feature.wanted.iter().filter(|other| other.id != wanted.id);
    let by_requirement = others.into_iter().any(|other| {
        rule.is_closed_by(&other.all)
            && (action.contained_in(&other.meaning) >= 1.0
                && !action.stems.is_empty()
                && rule.is_closed_by(&other.head)
                || rarity.share(&wanted.meaning, &other.whole).0 >= 0.6)
    });
    let by_remark = feature
        .remarks
        .iter()
        .any(|remark| rule.is_closed_by(remark) && action.shared(&super::meaning::Meaning::of(remark)) > 0);
    by_requirement || by_remark
}
