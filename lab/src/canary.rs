//! Judges known-good and known-bad tickets with the configuration in force, and reports which are judged wrongly.
//!
//! Without them, a gate that passes everything cannot be distinguished from a backlog in which every ticket is ready.

use serde::{Deserialize, Serialize};

use reqgate_base::model::{GuardrailStatus, Outcome, TicketType, Verdict};
use reqgate_base::yaml;
use reqgate_gate::pipeline::Pipeline;
use reqgate_gate::stages::intake::RawInput;

/// The expected result for a canary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Expectation {
    /// It passes after judging.
    Pass,
    /// It is rejected by the gate.
    Stop,
    /// It is stopped by the guardrail.
    Guarded,
    /// The inserted value is masked, with any verdict.
    Masked,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Canary {
    id: String,
    expect: Expectation,
    #[serde(default)]
    ticket_type: Option<TicketType>,
    text: String,
}

/// The result of a canary.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Planted {
    /// The name of the canary.
    pub id: String,
    /// The result that the gate must give.
    pub expect: Expectation,
    /// The actual result, or the reason why it could not be judged.
    pub got: String,
    /// The actual result is the expected one.
    pub fine: bool,
    /// The problem in one sentence; empty if there is none.
    pub problem: String,
}

/// Judges all canaries.
///
/// # Errors
/// Fails only if the built-in canaries are not valid; a test reads them.
pub fn plant(pipeline: &Pipeline) -> Result<Vec<Planted>, String> {
    let canaries: Vec<Canary> =
        yaml::read(include_str!("canaries.yaml")).map_err(|error| format!("reading the canaries: {error}"))?;
    Ok(canaries.into_iter().map(|canary| planted(pipeline, canary)).collect())
}

/// Assembled at run time, because a value that looks like a key must not be in a file.
fn secret() -> String {
    let tail: String = "QZ7RT4KLM2WX9VB3".chars().rev().collect();
    format!("AK{}{tail}", "IA")
}

/// A card number from the series that payment networks reserve for tests.
fn card() -> String {
    ["4111", "1111", "1111", "1111"].join(" ")
}

fn planted(pipeline: &Pipeline, canary: Canary) -> Planted {
    let text = canary.text.replace("{secret}", &secret()).replace("{card}", &card());
    let input = RawInput {
        name: format!("canary {}", canary.id),
        text,
        ticket_type: canary.ticket_type,
        ..RawInput::default()
    };
    let (got, problem) = match pipeline.run(input) {
        Ok(outcome) => (outcome.decision.verdict.name().to_owned(), problem(canary.expect, &outcome)),
        Err(error) => ("error".to_owned(), Some(error.to_string())),
    };
    Planted { id: canary.id, expect: canary.expect, got, fine: problem.is_none(), problem: problem.unwrap_or_default() }
}

fn problem(expect: Expectation, outcome: &Outcome) -> Option<String> {
    let verdict = outcome.decision.verdict;
    let skipped = outcome.guardrail.status == GuardrailStatus::Skipped;
    let unjudged = outcome.score_report.is_none();
    let explained = || format!("a good ticket is blocked: {}", outcome.decision.explanation);
    match expect {
        Expectation::Pass if verdict == Verdict::NotApplicable || verdict == Verdict::Pass && unjudged => {
            Some("a good ticket passes without being judged".to_owned())
        }
        Expectation::Pass if verdict != Verdict::Pass => Some(explained()),
        Expectation::Stop if verdict.is_pass() && unjudged => {
            Some("a bad ticket passes without being judged".to_owned())
        }
        Expectation::Stop if verdict.is_pass() => Some("a bad ticket passes".to_owned()),
        Expectation::Guarded if skipped => Some("a prompt injection passes: the guardrail is switched off".to_owned()),
        Expectation::Guarded if verdict != Verdict::GuardrailRejected => {
            Some("a prompt injection is not stopped".to_owned())
        }
        Expectation::Masked if skipped => Some("a secret stays readable: the guardrail is switched off".to_owned()),
        Expectation::Masked
            if outcome.packet.raw_text.contains(&secret()) || outcome.packet.raw_text.contains(&card()) =>
        {
            Some("a secret or card number stays readable".to_owned())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqgate_gate::pipeline::Settings;
    use reqgate_guardrail::Guardrail;
    use reqgate_rules as rules;
    use reqgate_rules::config::guardrail::{GuardrailPatterns, GuardrailSettings};

    fn plant_with(settings: Settings, guardrail: &GuardrailSettings) -> Vec<Planted> {
        let book = rules::load(&rules::shipped_files_for_judging()).expect("the shipped rules load");
        let patterns = GuardrailPatterns::shipped().expect("the shipped patterns load");
        let guardrail = Guardrail::new(guardrail, &patterns).expect("the patterns compile");
        plant(&Pipeline::new(book, guardrail, settings)).expect("the canaries are whole")
    }

    fn problems(planted: &[Planted]) -> Vec<String> {
        planted.iter().filter(|one| !one.fine).map(|one| format!("{}: {}", one.id, one.problem)).collect()
    }

    #[test]
    fn the_shipped_configuration_judges_every_canary_rightly() {
        let planted = plant_with(Settings::default(), &GuardrailSettings::default());
        assert!(planted.len() >= 12);
        assert_eq!(problems(&planted), Vec::<String>::new());
    }

    #[test]
    fn a_gate_without_teeth_and_one_that_bites_everything_are_found_out() {
        let toothless = Settings { threshold: Some(0.0), ..Settings::default() };
        let book = rules::load(&rules::shipped_files_for_judging()).expect("the shipped rules load");
        let off = book.rules.iter().map(|rule| (rule.file.id.clone(), None)).collect();
        let found = problems(&plant_with(Settings { severities: off, ..toothless }, &GuardrailSettings::default()));
        assert_eq!(found.iter().filter(|problem| problem.contains("a bad ticket passes")).count(), 4, "{found:?}");
        let strict = Settings { threshold: Some(100.0), ..Settings::default() };
        let found = problems(&plant_with(strict, &GuardrailSettings::default()));
        assert!(found.iter().any(|problem| problem.contains("a good ticket is blocked")), "{found:?}");
        let open = GuardrailSettings { enabled: false, ..GuardrailSettings::default() };
        let found = problems(&plant_with(Settings::default(), &open));
        assert_eq!(found.iter().filter(|problem| problem.contains("switched off")).count(), 5, "{found:?}");
    }
}
