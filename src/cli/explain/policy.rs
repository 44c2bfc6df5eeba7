//! `reqgate explain policy`: lists the policies, or teaches one: what it asks, how it decides, what may block, how sure it is.

use reqgate::rules::{DEFAULT_ISSUE_POLICY, DEFAULT_POLICY, Decides, Policy, Profile, Readiness, Rubric};
use reqgate::suggest::did_you_mean;

use super::super::exit::Failure;
use super::super::page::Page;
use super::super::session::Session;

/// The kinds of document, with their names in sentences.
pub(super) const PROFILES: [(Profile, &str); 4] = [
    (Profile::Feature, "features"),
    (Profile::Bug, "bugs"),
    (Profile::Prd, "requirements documents"),
    (Profile::Meeting, "minutes"),
];

/// Lists the policies, and says what a policy is.
pub fn list(page: &mut Page, session: &Session) {
    page.paragraph(
        "A policy decides what blocks: which question the gate answers, which rules may reject a ticket, and how certain a \
         rejection must be. Everything else becomes a question to the author or a warning. A policy is a file: add or \
         replace one with policies/NAME.yaml in one of your rules_folders.",
    );
    for policy in &session.book.policies {
        page.line("");
        page.line(&heading(page, session, policy));
        page.paragraph(&policy.file.question);
        page.paragraph(&policy.file.summary);
    }
    page.line("");
    page.paragraph(
        "`reqgate explain policy NAME` shows what may block under a policy, and how certain a rejection must be.",
    );
    page.paragraph(&format!(
        "The default is `{DEFAULT_POLICY}`, and `{DEFAULT_ISSUE_POLICY}` for new issues on GitHub. To choose another, use \
         --policy NAME, REQGATE_POLICY, or `policy: NAME` in .reqgate.yaml. To find the one that agrees best with your \
         team, run `reqgate calibrate`."
    ));
}

fn heading(page: &Page, session: &Session, policy: &Policy) -> String {
    let file = &policy.file;
    let how = match file.decides {
        Decides::ByEvidence => "decides by evidence",
        Decides::ByRules => "decides by rules",
    };
    let set = &session.config.policy;
    let in_force = set.value.as_deref().unwrap_or(DEFAULT_POLICY) == file.id;
    let in_force =
        if in_force { format!(" · in force ({})", session.config.words(&set.origin)) } else { String::new() };
    format!("{}  {} · {how}{in_force}", page.bold(&file.id), file.version)
}

/// Teaches one policy.
///
/// # Errors
/// Fails if there is none of that name.
pub fn explain(page: &mut Page, session: &Session, name: &str) -> Result<(), Failure> {
    let Some(policy) = session.book.policy(name) else {
        let known: Vec<&str> = session.book.policies.iter().map(|policy| policy.file.id.as_str()).collect();
        let hint = did_you_mean(name, known.iter().copied());
        let hint = if hint.is_empty() { format!(": choose from {}", known.join(", ")) } else { hint };
        return Err(Failure::usage(format!("there is no policy `{name}`{hint}")));
    };
    let file = &policy.file;
    page.line(&heading(page, session, policy));
    page.heading("The question it answers");
    page.paragraph(&file.question);
    page.heading("What it is for");
    page.paragraph(&file.summary);
    page.heading("How it decides");
    page.paragraph(how(policy));
    page.heading(if policy.goes_by_evidence() {
        "How certain a rejection must be"
    } else {
        "How the stated certainty is derived"
    });
    sureness(page, session, policy);
    page.heading("Which rubric it scores with");
    for (profile, words) in PROFILES {
        if let Some(rubric) = rubric(session, policy, profile) {
            page.paragraph(&format!("{words}: {} ({})", rubric.file.id, rubric.file.summary));
        }
    }
    page.heading("What may block");
    blockers(page, session, policy);
    page.heading("To use it");
    page.line(&format!("  reqgate score ticket.md --policy {}", file.id));
    page.line(&format!("  policy: {}    # in .reqgate.yaml", file.id));
    if policy.goes_by_evidence() {
        page.line(&format!("  sure: {}      # a higher value asks more and blocks less", file.sure));
    }
    Ok(())
}

fn how(policy: &Policy) -> &'static str {
    match policy.file.decides {
        Decides::ByRules => {
            "Any finding of a blocking rule rejects the text; then the score must reach the rubric's threshold. The certainty \
             shown beside the verdict decides nothing."
        }
        Decides::ByEvidence => {
            "Signs in the text count for or against each facet, e.g. steps to reproduce (`reqgate explain facet` lists them, \
             `reqgate score --explain-facets` shows them in a ticket). They add up to a score from 0 to 100, and labelled \
             tickets show how likely a text with that score is to be ready. A text is rejected only if that is certain \
             enough, and the findings of the rules below are the reasons. A less certain rejection passes as “probably \
             ready”, and what would have blocked becomes a question."
        }
    }
}

/// The curve from score to readiness, in words.
fn sureness(page: &mut Page, session: &Session, policy: &Policy) {
    let set = session.config.sure.value;
    let sure = set.unwrap_or(policy.file.sure);
    if policy.goes_by_evidence() {
        let origin = match set {
            Some(_) => format!("set in {}", session.config.words(&session.config.sure.origin)),
            None => "set by this policy".to_owned(),
        };
        page.paragraph(&format!(
            "A text is rejected if the probability that it is not ready is above {} % ({origin}; change it with --sure). The \
             author of an issue is asked at most {} questions.",
            percent(sure),
            policy.file.most_questions
        ));
    }
    for (profile, words) in PROFILES {
        let Some(curve) = policy.readiness(profile) else { continue };
        let own = rubric(session, policy, profile).and_then(|rubric| threshold_set(session, rubric));
        let line = match own {
            Some(threshold) => format!("rejected below {threshold}, set by the configuration"),
            None if policy.goes_by_evidence() => format!("rejected below {:.1}", curve.threshold(sure)),
            None => "the threshold comes from the rubric".to_owned(),
        };
        page.paragraph(&format!("{words}: {}; {line}.", curve_in_words(curve)));
    }
}

fn threshold_set(session: &Session, rubric: &Rubric) -> Option<f64> {
    let own = session.config.thresholds.get(&rubric.file.id).map(|threshold| threshold.value);
    session.config.threshold.value.or(own)
}

/// What a curve says, e.g. `half of those that score 45 are ready, 88 % of those at 69, 12 % of those at 21`.
fn curve_in_words(curve: Readiness) -> String {
    let at = |spreads: f64| curve.midpoint + spreads * curve.spread;
    let told: String = [2.0, -2.0]
        .into_iter()
        .map(|spreads| (at(spreads), percent(curve.probability(at(spreads)))))
        .filter(|(score, _)| (0.0..=100.0).contains(score))
        .map(|(score, share)| format!(", {share} % of those at {score:.0}"))
        .collect();
    format!("half of those that score {:.0} are ready{told}", curve.midpoint)
}

fn percent(share: f64) -> String {
    format!("{:.0}", share * 100.0)
}

/// The rubric by which a policy scores a kind of document.
pub(super) fn rubric<'s>(session: &'s Session, policy: &Policy, profile: Profile) -> Option<&'s Rubric> {
    let named = policy.file.rubrics.get(&profile).and_then(|id| session.book.rubric(id));
    named.or_else(|| session.book.rubric_for(profile))
}

fn blockers(page: &mut Page, session: &Session, policy: &Policy) {
    let file = &policy.file;
    if file.blocks.is_empty() {
        page.paragraph(
            "Every rule with the level blocker in `reqgate rules`; a rule that was wrong too often on labelled text only \
             warns.",
        );
        return;
    }
    let widest = file.blocks.iter().map(|rule| rule.as_str().len()).max().unwrap_or(0);
    for id in &file.blocks {
        let summary = session.book.rule(id).map_or("a rule that does not exist", |rule| &rule.file.wording.en.summary);
        page.line(&format!("  {:widest$}  {summary}", id.as_str()));
    }
    page.paragraph(
        "`reqgate explain RULE` explains each. A rule that the configuration sets to blocker may always block.",
    );
}
