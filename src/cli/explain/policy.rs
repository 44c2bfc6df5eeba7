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
        "A policy says what blocks: which question the gate answers, which rules may reject a ticket, and how sure a “no” \
         must be. Everything else becomes a question to the author or a warning. A policy is a file; a folder of your own \
         (policies/NAME.yaml in one of rules_folders) adds one or replaces one.",
    );
    for policy in &session.book.policies {
        page.line("");
        page.line(&heading(page, session, policy));
        page.paragraph(&policy.file.question);
        page.paragraph(&policy.file.summary);
    }
    page.line("");
    page.paragraph("`reqgate explain policy NAME` tells what may block under one, and how sure it must be.");
    page.paragraph(&format!(
        "Where nobody names one it is `{DEFAULT_POLICY}`, and `{DEFAULT_ISSUE_POLICY}` for issues that arrive on GitHub. To \
         choose: --policy NAME, REQGATE_POLICY, or `policy: NAME` in .reqgate.yaml. To find the one that agrees most with \
         your team: reqgate calibrate."
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
        let hint = if hint.is_empty() { format!(": known are {}", known.join(", ")) } else { hint };
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
    page.heading(if policy.goes_by_evidence() { "How sure a “no” must be" } else { "How sure it says it is" });
    sureness(page, session, policy);
    page.heading("By which rubric it scores");
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
        page.line(&format!("  sure: {}      # moves the line between a question and a block", file.sure));
    }
    Ok(())
}

fn how(policy: &Policy) -> &'static str {
    match policy.file.decides {
        Decides::ByRules => {
            "Any finding of a rule that blocks rejects the text; then the score must reach the threshold of the rubric. How \
             sure that is, is told beside the verdict and decides nothing."
        }
        Decides::ByEvidence => {
            "Signs in the text speak for or against each facet, e.g. that steps are there (`reqgate explain facet` lists \
             them, `reqgate score --explain-facets` shows them in a ticket). They make a score from 0 to 100, and labelled \
             tickets tell how likely a text of that score is ready. Only where it is surely enough not ready it is \
             rejected, and the findings of the rules below are the reasons. A “no” that is less sure passes: it says \
             “probably ready”, and what would have blocked is put as a question."
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
            None => "what this policy says".to_owned(),
        };
        page.paragraph(&format!(
            "A text is rejected if it is not ready with a probability above {} % ({origin}; --sure moves it). At most {} \
             questions are put to the author of an issue.",
            percent(sure),
            policy.file.most_questions
        ));
    }
    for (profile, words) in PROFILES {
        let Some(curve) = policy.readiness(profile) else { continue };
        let own = rubric(session, policy, profile).and_then(|rubric| threshold_set(session, rubric));
        let line = match own {
            Some(threshold) => format!("rejected below {threshold}, which the configuration sets"),
            None if policy.goes_by_evidence() => format!("rejected below {:.1}", curve.threshold(sure)),
            None => "the rubric draws the threshold".to_owned(),
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
            "Every rule whose level is blocker, as `reqgate rules` lists them; one that was right too seldom on labelled \
             text only warns.",
        );
        return;
    }
    let widest = file.blocks.iter().map(|rule| rule.as_str().len()).max().unwrap_or(0);
    for id in &file.blocks {
        let summary = session.book.rule(id).map_or("a rule that is not there", |rule| &rule.file.wording.en.summary);
        page.line(&format!("  {:widest$}  {summary}", id.as_str()));
    }
    page.paragraph(
        "`reqgate explain RULE` teaches each. A rule that the configuration sets to blocker always may block.",
    );
}
