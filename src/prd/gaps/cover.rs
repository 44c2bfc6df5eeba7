//! Goals, users, flows and success measures of the brief that no requirement serves.

use super::data::{Reach, Rule, data};
use super::feature::{Feature, Placed};
use super::meaning::{Meaning, Rarity, ratio};
use super::{Found, measures};
use crate::prd::GapCategory;
use crate::text::content_words::content_words;
use crate::text::lexicon::is_cjk;
use crate::text::words::gaps::{BEHIND_A_USER, KINDS_OF_PEOPLE, PREPOSITIONS};

/// This share of a statement's weight in one requirement covers it.
const ENOUGH: f64 = 0.33;
/// This share is enough although no word of it is rare.
const ENOUGH_OF_COMMON: f64 = 0.5;
/// The number of rare stems in one requirement that cover a statement, whatever its length.
const ENOUGH_STEMS: usize = 4;
/// These shares cover it where the requirements are read together, the second one in one of them.
const ENOUGH_TOGETHER: (f64, f64) = (0.55, 0.25);
/// A user's name is at most so long, in characters.
const LONGEST_NAME: usize = 48;
/// If the statement begins with a user whom no requirement mentions, one requirement must contain nearly all of it.
const ENOUGH_WITHOUT_USER: f64 = 0.8;

/// Everything of the brief that nothing serves.
pub(super) fn gaps(feature: &Feature) -> Vec<Found> {
    let brief = &feature.brief;
    let actors = Meaning::of(&brief.users.iter().map(|user| name_of(&user.words)).collect::<Vec<_>>().join(" "));
    let rarity = Rarity::new(feature.wanted.iter().map(|wanted| &wanted.whole)).with_actors(actors);
    let is_left_out = |user: &&Placed| !is_named(feature, user) || is_named_by_others_only(feature, &rarity, user);
    let unnamed: Vec<&Placed> = brief.users.iter().filter(is_left_out).collect();
    let lists = [
        (GapCategory::UncoveredGoal, &brief.goals),
        (GapCategory::UncoveredFlow, &brief.flows),
        (GapCategory::UncoveredMeasure, &brief.measures),
    ];
    let mut out = Vec::new();
    for user in &unnamed {
        out.push(Found::new(GapCategory::UncoveredUser, &user.words, user.place.clone()));
    }
    for (category, statements) in lists {
        for statement in statements {
            let is_of_nobody = unnamed.iter().any(|user| begins_with(&statement.words, name_of(&user.words)));
            let is_covered = match category {
                GapCategory::UncoveredMeasure => measures::is_covered(feature, &rarity, statement),
                GapCategory::UncoveredGoal if says_little(&rarity, &statement.meaning) && !is_of_nobody => true,
                GapCategory::UncoveredGoal if !is_of_nobody && may_be_served(feature, &rarity, statement) => true,
                // The goal has its own wording, which no requirement needs to use.
                GapCategory::UncoveredGoal if !is_of_nobody && !speaks_as_the_brief(feature, statement) => true,
                _ => is_covered(feature, &rarity, &statement.meaning, is_of_nobody),
            };
            if !is_covered {
                out.push(Found::new(category, &statement.words, statement.place.clone()));
            }
        }
    }
    out
}

fn is_covered(feature: &Feature, rarity: &Rarity, statement: &Meaning, is_of_nobody: bool) -> bool {
    if statement.stems.is_empty() {
        return true;
    }
    let shares: Vec<_> = feature.wanted.iter().map(|wanted| rarity.share(statement, &wanted.whole)).collect();
    // Words common to most requirements carry no information, unless the statement has no others.
    let has_own = statement.stems.iter().any(|stem| rarity.weight(stem) > 0.5);
    let telling = shares.iter().filter(|(share, rare)| *rare > 0 || !has_own || *share >= ENOUGH_OF_COMMON);
    let best = telling.map(|(share, _)| *share).fold(0.0, f64::max);
    if is_of_nobody {
        return best >= ENOUGH_WITHOUT_USER;
    }
    let (all, one) = ENOUGH_TOGETHER;
    best >= ENOUGH
        || shares.iter().any(|(_, rare)| *rare >= ENOUGH_STEMS)
        || best >= one && rarity.share(statement, &together(feature)).0 >= all
}

/// A goal is often an outcome in different words. If its user has a requirement that no other goal or flow of that user
/// explains, that requirement may serve the goal.
fn may_be_served(feature: &Feature, rarity: &Rarity, goal: &Placed) -> bool {
    let brief = &feature.brief;
    if is_unexplained(feature, rarity, goal) {
        return true;
    }
    let Some(user) = brief.users.iter().map(|user| name_of(&user.words)).find(|name| begins_with(&goal.words, name))
    else {
        return false;
    };
    let name = Meaning::of(user);
    let explained: Vec<usize> = brief
        .goals
        .iter()
        .chain(&brief.flows)
        .filter(|other| other.words != goal.words && begins_with(&other.words, user))
        .filter_map(|other| best(feature, rarity, &other.meaning))
        .collect();
    feature
        .wanted
        .iter()
        .enumerate()
        .any(|(index, wanted)| name.contained_in(&wanted.meaning) >= 0.5 && !explained.contains(&index))
}

/// A goal with at least this share of its words in the rest of the brief can be looked for in requirements.
const IN_COMMON: f64 = 0.55;

/// A brief with fewer other statements is too short to compare its wording with that of a goal.
const FEW: usize = 4;

/// True for a goal in the words of the feature, "editors keep the glossary up to date", and false for one in other
/// words, "no room for fraud", which the requirement that serves it need not use.
fn speaks_as_the_brief(feature: &Feature, goal: &Placed) -> bool {
    let brief = &feature.brief;
    let others =
        brief.goals.iter().chain(&brief.users).chain(&brief.flows).chain(&brief.measures).chain(&feature.constraints);
    let others: Vec<&Placed> = others.chain(&feature.put_aside).filter(|other| other.words != goal.words).collect();
    if others.len() < FEW {
        return true;
    }
    let known = goal.meaning.stems.iter().filter(|stem| others.iter().any(|other| other.meaning.has(stem))).count();
    ratio(known, goal.meaning.stems.len()) >= IN_COMMON
}

/// True if a requirement serves no other statement of the brief and is not one that every feature has: it may serve
/// this goal.
fn is_unexplained(feature: &Feature, rarity: &Rarity, goal: &Placed) -> bool {
    let brief = &feature.brief;
    let others: Vec<&Placed> = brief
        .goals
        .iter()
        .chain(&brief.flows)
        .chain(&brief.measures)
        .filter(|other| other.words != goal.words)
        .collect();
    let usual = data().rules.iter().filter(|rule| rule.reach == Reach::Feature && !rule.signs.is_empty());
    let usual: Vec<&Rule> = usual.collect();
    feature.wanted.iter().any(|wanted| {
        !wanted.id.is_quality()
            && !usual.iter().any(|rule| rule.is_closed_by(&wanted.head))
            && !others.iter().any(|other| rarity.share(&other.meaning, &wanted.whole).0 >= EXPLAINED)
    })
}

/// A requirement that has this share of a statement is there for it.
const EXPLAINED: f64 = 0.25;

/// The requirement that has most of a statement.
fn best(feature: &Feature, rarity: &Rarity, statement: &Meaning) -> Option<usize> {
    let shares = feature.wanted.iter().map(|wanted| rarity.share(statement, &wanted.whole).0).enumerate();
    shares.filter(|(_, share)| *share >= ENOUGH).max_by(|a, b| a.1.total_cmp(&b.1)).map(|(index, _)| index)
}

/// True for a goal with at most one content word of its own: an outcome that cannot be found in requirements.
fn says_little(rarity: &Rarity, statement: &Meaning) -> bool {
    let own = statement.stems.iter().filter(|stem| rarity.weight(stem) > 0.5 || is_pair(stem));
    own.count() < 2
}

fn is_pair(stem: &str) -> bool {
    !stem.is_ascii() && !stem.starts_with('=')
}

fn together(feature: &Feature) -> Meaning {
    let mut stems: Vec<String> = feature.wanted.iter().flat_map(|wanted| wanted.whole.stems.clone()).collect();
    stems.sort();
    stems.dedup();
    Meaning { stems }
}

/// The words that name a user: those before a colon or comma.
fn name_of(user: &str) -> &str {
    let mut head = user.split([':', '：', ',', '，', '(', '（', '—', '–', ';', '；']).next().unwrap_or_default();
    for end in BEHIND_A_USER.iter() {
        head = head.split(*end).next().unwrap_or_default();
    }
    head.trim()
}

/// True if a statement is about a user: their name is among its first words.
fn begins_with(statement: &str, name: &str) -> bool {
    let first: String = statement.chars().take(name.chars().count() + 6).collect();
    let (first, name) = (Meaning::of(&first), Meaning::of(name));
    !name.stems.is_empty() && name.contained_in(&first) >= 0.5
}

/// A user is served where a requirement names them.
fn is_named(feature: &Feature, user: &Placed) -> bool {
    let head = name_of(&user.words);
    let name = Meaning::of(head);
    // "Users" alone are in every requirement, and a sentence about users is not a name.
    if name.stems.is_empty() || head.chars().count() > LONGEST_NAME || head.ends_with(['.', '。']) {
        return true;
    }
    // "技术支持（support engineer）": either name will do.
    let other = user.words.split(['(', '（']).nth(1).and_then(|rest| rest.split([')', '）']).next()).map(Meaning::of);
    let other = other.filter(|other| !other.stems.is_empty());
    // "Clerks of the parking office" are clerks.
    let bare = Meaning::of(before_preposition(head));
    let is_group = is_a_group(feature, head);
    feature.wanted.iter().any(|wanted| {
        name.contained_in(&wanted.whole) >= 0.5
            || !bare.stems.is_empty() && bare.contained_in(&wanted.whole) >= 1.0
            || chinese_noun(head).is_some_and(|noun| wanted.all.contains(noun))
            || is_group
            || wanted.all.contains(head)
            || other.as_ref().is_some_and(|other| other.contained_in(&wanted.whole) >= 1.0)
    })
}

/// "Clerks of the parking office" → "Clerks".
fn before_preposition(name: &str) -> &str {
    PREPOSITIONS.iter().fold(name, |name, word| name.split(*word).next().unwrap_or_default())
}

/// The noun at the end of a Chinese name: 办事群众 → 群众, 企业管理员 → 管理员.
fn chinese_noun(name: &str) -> Option<&str> {
    let count = name.chars().count();
    let kept = match count {
        4 => 2,
        5.. => 3,
        _ => return None,
    };
    let at = name.char_indices().nth(count - kept).map(|(at, _)| at)?;
    name.chars().all(is_cjk).then(|| &name[at..])
}

/// A flow of somebody is not served where no requirement has this share of it.
const FLOW_OF_NOBODY: f64 = 0.4;

/// "Transfusion officer" when the requirements mention transfusions but no officer, and serve none of the officer's
/// flows.
fn is_named_by_others_only(feature: &Feature, rarity: &Rarity, user: &Placed) -> bool {
    let head = name_of(&user.words);
    let name = before_preposition(head);
    let words: Vec<&str> = name.split_whitespace().collect();
    let [.., last] = words.as_slice() else { return false };
    let stems = content_words(last);
    if words.len() < 2 || !last.is_ascii() || stems.is_empty() || KINDS_OF_PEOPLE.has(&last.to_lowercase()) {
        return false;
    }
    let is_told = feature.wanted.iter().any(|wanted| {
        let told = content_words(&wanted.all);
        stems.iter().all(|stem| told.contains(stem))
    });
    let mut flows = feature.brief.flows.iter().filter(|flow| begins_with(&flow.words, head)).peekable();
    let is_served = |flow: &Placed| {
        feature.wanted.iter().any(|wanted| rarity.share(&flow.meaning, &wanted.whole).0 >= FLOW_OF_NOBODY)
    };
    !is_told && !is_a_group(feature, name) && flows.peek().is_some() && !flows.any(is_served)
}

/// "Support engineers" are in the "support group".
fn is_a_group(feature: &Feature, name: &str) -> bool {
    let lower = name.trim().to_lowercase();
    let Some((modifier, _)) = lower.rsplit_once(' ') else { return false };
    let groups: Vec<String> = KINDS_OF_PEOPLE.iter().map(|kind| format!("{modifier} {kind}")).collect();
    feature.wanted.iter().any(|wanted| {
        let all = wanted.all.to_lowercase();
        groups.iter().any(|group| all.contains(group))
    })
}
