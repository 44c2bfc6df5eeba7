//! `reqgate explain policy`: lists the policies, or explains one: its question, its way of deciding, the rules that may
//! block, and the certainty that is needed.

use reqgate::config::Origin;
use reqgate::model::{Language, RuleId};
use reqgate::rules::{DEFAULT_ISSUE_POLICY, DEFAULT_POLICY, Decides, Policy, Profile, Readiness, Rubric};
use reqgate::suggest::did_you_mean;

use super::super::exit::Failure;
use super::super::page::Page;
use super::super::session::Session;
use reqgate_messages as messages;

/// The kinds of document.
pub(super) const PROFILES: [Profile; 4] = [Profile::Feature, Profile::Bug, Profile::Prd, Profile::Meeting];

/// The name of a kind of document in a sentence.
pub(super) fn profile_name(profile: Profile, words: &messages::ExplainPolicy) -> &'static str {
    match profile {
        Profile::Feature => words.profile_feature,
        Profile::Bug => words.profile_bug,
        Profile::Prd => words.profile_prd,
        Profile::Meeting => words.profile_meeting,
    }
}

/// Lists the policies and explains the term.
pub(super) fn list(page: &mut Page, session: &Session, language: Language) {
    let words = messages::ExplainPolicy::of(language);
    page.paragraph(words.what_a_policy_is);
    for policy in &session.book.policies {
        page.line("");
        page.line(&heading(page, session, policy, language));
        page.paragraph(policy.file.question(language));
        page.paragraph(policy.file.summary(language));
    }
    page.line("");
    page.paragraph(words.how_to_explain_one);
    page.paragraph(&words.default_policies(&DEFAULT_POLICY, &DEFAULT_ISSUE_POLICY));
}

fn heading(page: &Page, session: &Session, policy: &Policy, language: Language) -> String {
    let words = messages::ExplainPolicy::of(language);
    let file = &policy.file;
    let how = match file.decides {
        Decides::ByEvidence => words.decides_by_evidence,
        Decides::ByRules => words.decides_by_rules,
    };
    let set = &session.config.policy;
    let is_in_force = set.value.as_deref().unwrap_or(DEFAULT_POLICY) == file.id;
    let in_force = match is_in_force {
        false => String::new(),
        true => words.in_force(&origin(session, &set.origin, language)),
    };
    format!("{}  {} · {how}{in_force}", page.bold(&file.id), file.version)
}

/// Files, variables and flags have names; only the default needs a word.
fn origin(session: &Session, origin: &Origin, language: Language) -> String {
    let is_default_in_chinese = *origin == Origin::Default && language == Language::Zh;
    match is_default_in_chinese {
        true => messages::ExplainPolicy::of(language).origin_default.to_owned(),
        false => session.config.words(origin),
    }
}

/// Explains one policy.
///
/// # Errors
/// Fails if a policy of that name does not exist.
pub(super) fn explain(page: &mut Page, session: &Session, name: &str, language: Language) -> Result<(), Failure> {
    let Some(policy) = session.book.policy(name) else {
        let known: Vec<&str> = session.book.policies.iter().map(|policy| policy.file.id.as_str()).collect();
        let hint = did_you_mean(name, known.iter().copied());
        let hint = if hint.is_empty() { format!(": choose from {}", known.join(", ")) } else { hint };
        return Err(Failure::usage(format!("there is no policy `{name}`{hint}")));
    };
    let file = &policy.file;
    page.line(&heading(page, session, policy, language));
    let words = messages::ExplainPolicy::of(language);
    page.heading(words.question);
    page.paragraph(file.question(language));
    page.heading(words.purpose);
    page.paragraph(file.summary(language));
    page.heading(words.how_it_decides);
    page.paragraph(how(policy, language));
    page.heading(if policy.goes_by_evidence() { words.how_certain } else { words.how_certainty_is_derived });
    sureness(page, session, policy, language);
    page.heading(words.which_rubric);
    for profile in PROFILES {
        if let Some(rubric) = rubric(session, policy, profile) {
            // The summaries of rubrics are written in English only.
            let summary = language.of(format!(" ({})", rubric.file.summary), String::new());
            page.paragraph(&words.rubric_of(&profile_name(profile, words), &rubric.file.id, &summary));
        }
    }
    page.heading(words.what_may_block);
    blockers(page, session, policy, language);
    page.heading(words.to_use_it);
    page.line(&format!("  reqgate score ticket.md --policy {}", file.id));
    page.line(&format!("  policy: {}    # {}", file.id, words.in_configuration));
    if policy.goes_by_evidence() {
        let meaning = words.higher_value;
        page.line(&format!("  sure: {}      # {meaning}", file.sure));
    }
    Ok(())
}

fn how(policy: &Policy, language: Language) -> &'static str {
    let words = messages::ExplainPolicy::of(language);
    match policy.file.decides {
        Decides::ByRules => words.how_by_rules,
        Decides::ByEvidence if policy.file.readings.is_some() => words.how_by_readings,
        Decides::ByEvidence => words.how_by_evidence,
    }
}

/// Explains the curve from score to readiness.
fn sureness(page: &mut Page, session: &Session, policy: &Policy, language: Language) {
    let set = session.config.sure.value;
    let sure = set.unwrap_or(policy.file.sure);
    if policy.goes_by_evidence() {
        let (share, origin, most) = (percent(sure), &session.config.sure.origin, policy.file.most_questions);
        let words = messages::ExplainPolicy::of(language);
        let by = match set {
            Some(_) => words.sure_set_by(&session.config.words(origin)),
            None => words.sure_of_policy.to_owned(),
        };
        page.paragraph(&words.rejected_above(&by, &most, &share));
    }
    let words = messages::ExplainPolicy::of(language);
    for profile in PROFILES {
        let kind = profile_name(profile, words);
        if policy.by_readings(profile).is_some() {
            let own = rubric(session, policy, profile).and_then(|rubric| threshold_set(session, rubric));
            page.paragraph(&match own {
                Some(own) => words.score_is_probability_configured(&kind, &own),
                None => words.score_is_probability(&kind, &format_args!("{:.1}", (1.0 - sure) * 100.0)),
            });
            continue;
        }
        let Some(curve) = policy.readiness(profile) else { continue };
        let own = rubric(session, policy, profile).and_then(|rubric| threshold_set(session, rubric));
        let end = match own {
            Some(threshold) => words.rejected_below_configured(&threshold),
            None if policy.goes_by_evidence() => words.rejected_below(&format_args!("{:.1}", curve.threshold(sure))),
            None => words.threshold_of_rubric.to_owned(),
        };
        let curve = curve_in_words(curve, language);
        page.paragraph(&words.curve_of(&curve, &end, &kind));
    }
}

/// The threshold that the configuration sets for a rubric, if it sets one.
fn threshold_set(session: &Session, rubric: &Rubric) -> Option<f64> {
    let own = session.config.thresholds.get(&rubric.file.id).map(|threshold| threshold.value);
    session.config.threshold.value.or(own)
}

/// A curve in words, e.g. `half of those that score 45 are ready, 88 % of those at 69, 12 % of those at 21`.
fn curve_in_words(curve: Readiness, language: Language) -> String {
    let at = |spreads: f64| curve.midpoint + spreads * curve.spread;
    let others: String = [2.0, -2.0]
        .into_iter()
        .map(|spreads| (at(spreads), percent(curve.probability(at(spreads)))))
        .filter(|(score, _)| (0.0..=100.0).contains(score))
        .map(|(score, share)| messages::ExplainPolicy::of(language).share_at(&format_args!("{score:.0}"), &share))
        .collect();
    messages::ExplainPolicy::of(language).half_are_ready(&format_args!("{:.0}", curve.midpoint), &others)
}

fn percent(share: f64) -> String {
    format!("{:.0}", share * 100.0)
}

/// The rubric by which a policy scores a kind of document.
pub(super) fn rubric<'s>(session: &'s Session, policy: &Policy, profile: Profile) -> Option<&'s Rubric> {
    let named = policy.file.rubrics.get(&profile).and_then(|id| session.book.rubric(id));
    named.or_else(|| session.book.rubric_for(profile))
}

fn blockers(page: &mut Page, session: &Session, policy: &Policy, language: Language) {
    let words = messages::ExplainPolicy::of(language);
    let file = &policy.file;
    if file.blocks.is_empty() {
        page.paragraph(words.every_blocker_blocks);
        return;
    }
    let is_fact = |id: &&RuleId| session.book.rule(id).is_some_and(|rule| rule.file.fact);
    let (facts, others): (Vec<_>, Vec<_>) = file.blocks.iter().partition(is_fact);
    let widest = file.blocks.iter().map(|rule| rule.as_str().len()).max().unwrap_or(0);
    for id in facts {
        blocker(page, session, id, widest, language);
    }
    if !others.is_empty() {
        page.paragraph(words.no_proof);
    }
    for id in others {
        blocker(page, session, id, widest, language);
    }
    page.paragraph(words.how_to_explain_rules);
}

fn blocker(page: &mut Page, session: &Session, id: &RuleId, widest: usize, language: Language) {
    let unknown = messages::ExplainPolicy::of(language).unknown_rule;
    let summary = session.book.rule(id).map_or(unknown, |rule| &rule.wording(language).summary);
    page.line(&format!("  {:widest$}  {summary}", id.as_str()));
}
