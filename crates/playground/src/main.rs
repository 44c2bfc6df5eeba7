//! Judges one text: reads a request as JSON from standard input and writes the verdict as JSON to standard output.
//!
//! The page of the playground runs it as WebAssembly. It has no network, no files and no settings but those of the request.

use std::error::Error;
use std::io::{self, Read, Write};
use std::process::ExitCode;

use reqgate_base::model::{Outcome, Stamp};
use reqgate_gate::pipeline::{Pipeline, Settings};
use reqgate_gate::stages::intake::read_bytes;
use reqgate_guardrail::Guardrail;
use reqgate_report::html::{MarkedText, card_beside_text, marked};
use reqgate_rules::config::guardrail::{GuardrailPatterns, GuardrailSettings};
use serde::{Deserialize, Serialize};

/// The name of the text; its end says that it is Markdown.
const NAME: &str = "ticket.md";
/// The longest request, in bytes.
const LONGEST: u64 = 1024 * 1024;

/// A request of the page.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    /// The text to judge.
    text: String,
    /// The policy; the default one if it is left out.
    policy: Option<String>,
}

/// The verdict for the page. All HTML is escaped.
#[derive(Debug, Serialize)]
struct Answer {
    /// The verdict, e.g. `PASS`.
    verdict: &'static str,
    /// The verdict and its main reason, as text.
    explanation: String,
    /// The language of the report, `en` or `zh`.
    language: &'static str,
    /// The findings as HTML.
    card: String,
    /// The text with the places of the findings.
    marked: MarkedText,
    /// The stamp of a ready text.
    stamp: Option<Stamp>,
}

/// The answer to a request that cannot be judged.
#[derive(Debug, Serialize)]
struct Problem {
    /// The reason, as text.
    error: String,
}

fn main() -> ExitCode {
    let answer = answer().map(|answer| serde_json::to_string(&answer));
    let json = answer.unwrap_or_else(|error| serde_json::to_string(&Problem { error: error.to_string() }));
    let written = json.map_err(io::Error::from).and_then(|json| io::stdout().write_all(json.as_bytes()));
    // If standard output is closed, the failure cannot be reported.
    written.map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS)
}

fn answer() -> Result<Answer, Box<dyn Error>> {
    let mut request = String::new();
    io::stdin().take(LONGEST).read_to_string(&mut request)?;
    let request: Request = serde_json::from_str(&request)?;
    let pipeline = pipeline(request.policy)?;
    let input = read_bytes(NAME, request.text.as_bytes()).into_iter().next().ok_or("there is no text")?;
    let outcome: Outcome = pipeline.run(input?)?;
    Ok(Answer {
        verdict: outcome.decision.verdict.name(),
        explanation: outcome.decision.explanation.clone(),
        language: outcome.language.of("en", "zh"),
        card: card_beside_text(&outcome)?,
        marked: marked(&outcome),
        stamp: Stamp::of(&outcome),
    })
}

fn pipeline(policy: Option<String>) -> Result<Pipeline, Box<dyn Error>> {
    let book = reqgate_rules::load(&reqgate_rules::shipped_files_for_judging())?;
    let guardrail = Guardrail::new(&GuardrailSettings::default(), &GuardrailPatterns::shipped()?)?;
    Ok(Pipeline::new(book, guardrail, Settings { policy, ..Settings::default() }))
}
