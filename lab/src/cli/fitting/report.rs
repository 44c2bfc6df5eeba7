//! The report of `learn` and `calibrate`: the history of the tickets, the changes that are worth making, and the
//! agreement of all variants with the team.

use reqgate_lab::calibrate::{Advice, Agreement, Choice, Proposal, Share};
use reqgate_lab::result::number;
use reqgate_lab::team::{Label, TeamLearned};
use serde_json::{Value, json};

use super::Fitted;
use super::history::{TeamHistory, requests};
use reqgate::cli::page::Page;

/// The output of the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted<'a> {
    /// Team weights, to a file if one is named.
    Weights(Option<&'a str>),
    /// A rubric, to a file if one is named.
    Rubric(Option<&'a str>),
}

/// Writes the report for people, with the recommended changes first.
pub(crate) fn human(page: &mut Page, history: &TeamHistory, fitted: &Fitted, wanted: Wanted<'_>) {
    past(page, history);
    recommended(page, fitted, wanted, history);
    let cost = fitted.team.as_ref().map(|team| team.cost).ok();
    let cost = cost.or_else(|| fitted.proposal.as_ref().map(|proposal| proposal.cost).ok());
    let cost = cost.map_or_else(String::new, |cost| {
        format!(" (a wrong block costs {}, a wrong pass {})", cost.wrong_block, cost.wrong_pass)
    });
    page.heading(&format!("Agreement with the team{cost}"));
    if let Some(advice) = &fitted.advice {
        policies(page, advice);
    }
    match &fitted.team {
        Ok(team) => weights(page, team),
        Err(reason) => page.line(&page.faint(&format!("  No team weights: {reason}."))),
    }
    match &fitted.proposal {
        Ok(proposal) => rubric(page, proposal),
        Err(reason) => page.line(&page.faint(&format!("  No rubric: {reason}."))),
    }
}

/// The report for programs.
pub(crate) fn json(history: &TeamHistory, fitted: &Fitted) -> Value {
    let signs = |label| -> Value {
        history.signs(label).into_iter().map(|(because, n)| json!({ "because": because, "tickets": n })).collect()
    };
    let team = fitted.team.as_ref().ok();
    let (proposal, advice) = (fitted.proposal.as_ref().ok(), fitted.advice.as_ref());
    json!({
        "schema": "reqgate/calibration/v1",
        "unlabelled": history.count(Label::Unclear),
        "proposal": proposal,
        "worth_it": proposal.is_some_and(Proposal::is_worth_it),
        "no_proposal": fitted.proposal.as_ref().err(),
        "policy": advice,
        "policy_worth_it": advice.is_some_and(Advice::is_worth_it),
        "team": team,
        "team_worth_it": team.is_some_and(TeamLearned::is_worth_it),
        "no_team": fitted.team.as_ref().err(),
        "history": {
            "from": history.from,
            "tickets": history.tickets.len(),
            "requests": history.walked.map(|walked| walked.fetched),
            "accepted": { "tickets": history.count(Label::Accepted), "signs": signs(Label::Accepted) },
            "returned": { "tickets": history.count(Label::Returned), "signs": signs(Label::Returned) },
            "unclear": { "tickets": history.count(Label::Unclear), "signs": signs(Label::Unclear) },
        },
    })
}

fn past(page: &mut Page, history: &TeamHistory) {
    let from = page.bold(&history.from);
    let asked = history.walked.map(|walked| format!("; {}", requests(walked))).unwrap_or_default();
    page.line(&format!("{from}  {} tickets{asked}", history.tickets.len()));
    for (label, words) in [(Label::Accepted, "accepted"), (Label::Returned, "returned"), (Label::Unclear, "left out")] {
        let signs = history.signs(label).into_iter().map(|(because, n)| format!("{} {n}", because.words()));
        let signs = signs.collect::<Vec<_>>().join(", ");
        page.line(&format!("  {words:8}  {:5}  {signs}", history.count(label)));
    }
    if history.walked.is_some_and(|walked| walked.is_cut) {
        page.line("There are more issues than the limit; those that were read are the oldest.");
    }
    page.line(&page.faint("To correct this: --write-labels FILE, change lines of it, then --labels FILE."));
}

fn recommended(page: &mut Page, fitted: &Fitted, wanted: Wanted<'_>, history: &TeamHistory) {
    let on = &history.from;
    let from = if history.walked.is_some() { format!("--repo {on}") } else { on.clone() };
    let mut found = false;
    let by_weights = fitted.team.as_ref().is_ok_and(TeamLearned::is_worth_it);
    let mut heading = |page: &mut Page| {
        if !std::mem::replace(&mut found, true) {
            page.heading("Recommended, in .reqgate.yaml");
        }
    };
    if let Some(team) = fitted.team.as_ref().ok().filter(|team| team.is_worth_it()) {
        heading(page);
        let place = if let Wanted::Weights(Some(place)) = wanted { place } else { "team-weights.yaml" };
        page.line(&format!("  team_weights: {place}"));
        let (sure, _) = team.line();
        if (sure - team.sure).abs() > 1e-9 {
            page.line(&format!("  sure: {sure}"));
        }
        if !matches!(wanted, Wanted::Weights(Some(_))) {
            page.line(&page.faint(&format!("  written by: reqgate-lab learn {from} --output team-weights.yaml")));
        }
        let (shipped, unseen) = (&team.shipped.verdicts, team.line().1);
        if (sure - team.sure).abs() < 1e-9 && *shipped == unseen {
            page.line(
                "  No verdict changes: what changes is how probable reqgate says it is that somebody has to ask.",
            );
        }
        if let Some(advice) = fitted.advice.as_ref().filter(|advice| advice.is_worth_it()) {
            page.line(&format!("  Without team weights: policy {}", words(&advice.best)));
        }
    }
    if let Some(advice) = fitted.advice.as_ref().filter(|advice| advice.is_worth_it() && !by_weights) {
        heading(page);
        page.line(&format!("  policy: {}", advice.best.policy));
        if let Some(sure) = advice.best.sure {
            page.line(&format!("  sure: {sure}"));
        }
        page.line(&page.faint("  `reqgate explain policy` explains it"));
    }
    if let Some(proposal) = fitted.proposal.as_ref().ok().filter(|proposal| proposal.is_worth_it()) {
        heading(page);
        let id = &proposal.rubric;
        let (place, first) = match wanted {
            Wanted::Rubric(Some(place)) => (place, "see the changed verdicts with"),
            _ => ("NEW", "write it with `reqgate-lab calibrate --output NEW`, then see the changed verdicts with"),
        };
        page.line(&format!(
            "  the rubric {id} {} ({} past verdicts would change)",
            proposal.new_version,
            proposal.flips.len()
        ));
        page.line(&page.faint(&format!("  {first}: reqgate-lab rubric diff {id} {place} --on {on}")));
    }
    if !found {
        page.heading("Recommended");
        page.line("  Keep what is in force: on unseen tickets nothing that was tried is better.");
    }
}

/// Prints the agreement of every policy with the team.
fn policies(page: &mut Page, advice: &Advice) {
    page.line(&page.faint(&format!("  Policies, {} tickets", advice.rows)));
    page.line(&row(&format!("in force now: {}", words(&advice.in_force)), &advice.before));
    for (choice, agreement) in &advice.policies {
        page.line(&row(&words(choice), agreement));
    }
    page.line(&row("chosen, on unseen tickets", &advice.cross_validated));
    if advice.is_worth_it() {
        page.line(&row(&format!("chosen: {}", words(&advice.best)), &advice.fitted));
    }
}

/// Prints the gain of team weights over the shipped ones.
fn weights(page: &mut Page, team: &TeamLearned) {
    let left =
        if team.not_judged > 0 { format!(", {} not judged by the estimate", team.not_judged) } else { String::new() };
    page.line(&page.faint(&format!("  Weights under {}, {} tickets{left}", team.policy, team.tickets)));
    page.line(&row(&format!("shipped, sure {}", number(team.sure)), &team.shipped.verdicts));
    page.line(&row(&format!("team, unseen, sure {}", number(team.sure)), &team.team.verdicts));
    if (team.sure_by_cost - team.sure).abs() > 1e-9 {
        page.line(&row(&format!("shipped, sure {}", number(team.sure_by_cost)), &team.shipped.verdicts_by_cost));
        page.line(&row(&format!("team, unseen, sure {}", number(team.sure_by_cost)), &team.team.verdicts_by_cost));
    }
    page.line(&format!("  {:28}  {}", "shipped", team.shipped.words()));
    page.line(&format!("  {:28}  {}", "team, on unseen tickets", team.team.words()));
    let (gain, error) = team.gain;
    let judgement = if team.is_worth_it() { "better beyond chance" } else { "not better beyond chance" };
    page.line(&format!(
        "  log loss lower by {gain:.3} ± {error:.3}: {judgement}; {} subjects and features have a weight of their own",
        team.own_weights
    ));
}

fn rubric(page: &mut Page, proposal: &Proposal) {
    let (id, old, new) = (&proposal.rubric, &proposal.version, &proposal.new_version);
    page.line(&page.faint(&format!(
        "  Rubric {id} {old} → {new}, {} tickets scored by it, {} judged by another or not at all",
        proposal.rows, proposal.not_scored
    )));
    for (name, agreement) in [
        ("in force now", &proposal.before),
        ("proposed, on unseen tickets", &proposal.cross_validated),
        ("proposed, on the same tickets", &proposal.fitted),
    ] {
        page.line(&row(name, agreement));
    }
    page.line(&format!("  threshold  {} → {}", proposal.threshold.0, proposal.threshold.1));
    let widest = proposal.weights.iter().map(|(id, ..)| id.chars().count()).max().unwrap_or(0);
    for (id, before, after) in &proposal.weights {
        page.line(&format!("  weight of {id:widest$}  {before:.2} → {after:.2}"));
    }
}

fn words(choice: &Choice) -> String {
    match choice.sure {
        Some(sure) => format!("{}, sure {sure}", choice.policy),
        None => choice.policy.clone(),
    }
}

fn row(name: &str, agreement: &Agreement) -> String {
    let share = |share: &Share| format!("{}/{} [{}, {}]", share.hits, share.n, number(share.low), number(share.high));
    format!(
        "  {name:30}  wrong blocks {:22}  wrong passes {:22}  cost per ticket {:.3}",
        share(&agreement.wrong_blocks),
        share(&agreement.wrong_passes),
        agreement.cost
    )
}
