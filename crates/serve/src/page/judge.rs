//! The page that judges a text: the verdict with every finding marked in the text, and the changes since the last
//! judgement.

use std::io;

use minijinja::value::Serde;
use minijinja::{Value, context};
use serde::Serialize;

use super::frame::{Contents, Frame, framed, rendered};
use super::words::Words;
use reqgate_base::clean;
use reqgate_base::model::Language;
use reqgate_base::model::{Outcome, ReviewIssue, TicketType, Verdict};
use reqgate_report::html::{MarkedText, card_beside_text, marked};
use reqgate_report::points;
use reqgate_text::language::language_of;

/// The minimum and maximum number of rows of the text field.
const ROWS: (usize, usize) = (10, 26);
/// The maximum number of findings that are listed as fixed or as new.
const MOST_CHANGES: usize = 20;

/// A policy that can be chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PolicyChoice {
    /// The id of the policy.
    pub id: String,
    /// The question that it answers.
    pub summary: String,
}

/// The outcome for a text, and the one for the text before the edit.
#[derive(Debug, Clone, Copy)]
pub struct Judged<'a> {
    /// The outcome for the current text.
    pub outcome: &'a Outcome,
    /// The outcome for the text before the edit.
    pub before: Option<&'a Outcome>,
}

/// The contents of the page.
#[derive(Debug)]
pub struct JudgePage<'a> {
    /// The text in the form, as it was typed.
    pub text: &'a str,
    /// The policies that can be chosen.
    pub policies: &'a [PolicyChoice],
    /// The policy that was chosen; empty for that of the installation.
    pub policy: &'a str,
    /// The id of the policy of the installation.
    pub configured: &'a str,
    /// The chosen kind; `None` means that it is detected.
    pub kind: Option<TicketType>,
    /// The result, if the text was judged.
    pub judged: Option<Judged<'a>>,
    /// The reason why the text was not judged.
    pub fault: Option<&'a str>,
}

/// The result for the template.
#[derive(Debug, Serialize)]
struct Shown {
    class: &'static str,
    verdict: &'static str,
    language: &'static str,
    text_language: &'static str,
    explanation: String,
    score: Option<String>,
    of: String,
    threshold: Option<String>,
    progress: Option<Progress>,
    card: String,
    text: MarkedText,
    hidden: String,
    /// The kinds that the text can be judged as, if its own kind is not judged.
    other_kinds: Vec<Kind>,
}

/// A kind of ticket that can be chosen.
#[derive(Debug, Serialize)]
struct Kind {
    value: &'static str,
    label: &'static str,
    is_chosen: bool,
}

/// The changes since the last judgement.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Progress {
    summary: String,
    fixed: Vec<String>,
    new: Vec<String>,
}

/// The page.
///
/// # Errors
/// Fails only if a template is broken.
pub fn judge_page(frame: &Frame<'_>, page: &JudgePage<'_>) -> io::Result<String> {
    let said = frame.words();
    let result = page.judged.map(|judged| shown(said, judged)).transpose()?;
    let rows = page.text.lines().count().clamp(ROWS.0, ROWS.1);
    let title = result.as_ref().map_or(said.judge_title, |result| result.verdict);
    let choice = |one: &PolicyChoice| PolicyChoice { id: clean::words(&one.id), summary: clean::words(&one.summary) };
    let policies: Vec<PolicyChoice> = page.policies.iter().map(choice).collect();
    let values = context! {
        t => frame.said(),
        csrf => frame.csrf,
        text => clean::typed(page.text),
        rows,
        policies => Value::from(Serde(policies)),
        policy => page.policy,
        configured => said.policy_default(&page.configured),
        kinds => Value::from(Serde(kinds(said, page.kind))),
        fault => page.fault.map(clean::lines),
        result => result.map(|result| Value::from(Serde(result))),
    };
    let html = rendered(include_str!("templates/judge.html.j2"), values)?;
    let mut contents = Contents::new(title, html);
    contents.form = Some("judge");
    framed(frame, contents)
}

fn shown(said: &Words, Judged { outcome, before }: Judged<'_>) -> io::Result<Shown> {
    let text = marked(outcome);
    let (class, verdict) = match outcome.decision.verdict {
        Verdict::Pass => ("pass", said.ready),
        Verdict::Reject => ("reject", said.not_ready),
        Verdict::NotApplicable => ("not-applicable", said.nothing_to_judge),
        Verdict::GuardrailRejected => ("guardrail", said.stopped),
    };
    let threshold = outcome.decision.threshold.map(points);
    Ok(Shown {
        class,
        verdict,
        language: outcome.language.of("en", "zh"),
        text_language: language_of(&outcome.packet.raw_text).of("en", "zh"),
        explanation: clean::one_line(&outcome.decision.explanation).into_owned(),
        score: outcome.score_report.as_ref().map(|report| points(report.total_score)),
        of: match &threshold {
            Some(needed) => said.of_hundred_needs(&needed),
            None => said.of_hundred.to_owned(),
        },
        threshold,
        progress: before.and_then(|before| progress(said, before, outcome)),
        card: card_beside_text(outcome)?,
        other_kinds: other_kinds(said, outcome),
        hidden: said.more_lines(&text.hidden_lines),
        text,
    })
}

/// An example text for the page.
pub fn example_text(language: Language) -> &'static str {
    Words::of(language).example_text
}

/// The kind with this name.
pub fn kind_named(name: &str) -> Option<TicketType> {
    TicketType::ALL.into_iter().find(|kind| kind.name() == name)
}

fn kinds(said: &Words, chosen: Option<TicketType>) -> Vec<Kind> {
    let kind =
        |(kind, label): (TicketType, &'static str)| Kind { value: kind.name(), label, is_chosen: chosen == Some(kind) };
    TicketType::ALL.into_iter().zip(said.ticket_kinds).map(kind).collect()
}

/// The kinds that a text can be judged as: a text of any other kind can be judged as a feature or a bug.
fn other_kinds(said: &Words, outcome: &Outcome) -> Vec<Kind> {
    let detected = outcome.packet.ticket_type.value;
    let is_other = outcome.decision.verdict == Verdict::NotApplicable
        && matches!(detected, TicketType::Task | TicketType::Question | TicketType::Discussion);
    kinds(said, None).into_iter().take(if is_other { 2 } else { 0 }).collect()
}

/// The fixed and the new findings; `None` if the text is the same.
fn progress(said: &Words, before: &Outcome, now: &Outcome) -> Option<Progress> {
    if before.packet.raw_text == now.packet.raw_text {
        return None;
    }
    let (old, new) = (issues(before), issues(now));
    let (fixed, fixed_count) = only_in(&old, &new);
    let (new, new_count) = only_in(&new, &old);
    let score = |outcome: &Outcome| outcome.score_report.as_ref().map(|report| points(report.total_score));
    let scores = match (score(before), score(now)) {
        (Some(old), Some(now)) if old != now => said.score_change(&now, &old),
        _ => String::new(),
    };
    let counts = said.changes(&fixed_count, &new_count);
    Some(Progress { summary: format!("{counts}{scores}"), fixed, new })
}

fn issues(outcome: &Outcome) -> Vec<&ReviewIssue> {
    let report = outcome.score_report.iter();
    report.flat_map(|report| report.blocking_issues.iter().chain(&report.non_blocking_issues)).collect()
}

/// The findings of the first list without a counterpart in the second, in words, and their number. Findings of one rule
/// are counterparts by their fingerprints, and otherwise by their number.
fn only_in(these: &[&ReviewIssue], those: &[&ReviewIssue]) -> (Vec<String>, usize) {
    let mut left: Vec<&ReviewIssue> = those.to_vec();
    let mut take = |is_it: &dyn Fn(&ReviewIssue) -> bool| match left.iter().position(|issue| is_it(issue)) {
        Some(at) => {
            left.swap_remove(at);
            true
        }
        None => false,
    };
    let unmatched: Vec<&&ReviewIssue> =
        these.iter().filter(|one| !take(&|other| other.fingerprint == one.fingerprint)).collect();
    let only: Vec<&&ReviewIssue> =
        unmatched.into_iter().filter(|one| !take(&|other| other.rule_id == one.rule_id)).collect();
    let words = |issue: &&&ReviewIssue| match &issue.quote {
        Some(quote) => format!("{} “{}”", clean::words(&issue.description), clean::short_words(quote, 200)),
        None => clean::words(&issue.description),
    };
    (only.iter().take(MOST_CHANGES).map(words).collect(), only.len())
}
