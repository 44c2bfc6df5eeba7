//! Judges texts and prints each verdict with its numbers as one line of JSON, for the comparison of platforms (`tests/wasm/run`).
//!
//! Reads lines of JSON, `{"name": …, "text": …}`, from standard input.

use std::io::{self, BufRead};

use reqgate_gate::local_reader::LocalReader;
use reqgate_gate::pipeline::{Pipeline, Settings};
use reqgate_gate::stages::intake::RawInput;
use reqgate_guardrail::Guardrail;
use reqgate_rules::config::guardrail::{GuardrailPatterns, GuardrailSettings};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let pipelines = ["ready", "triage", "strict", "agent"].map(|policy| {
        let book = reqgate_rules::load(&reqgate_rules::shipped_files())?;
        let guardrail = Guardrail::new(&GuardrailSettings::default(), &GuardrailPatterns::shipped()?)?;
        let settings =
            Settings { policy: Some(policy.to_owned()), reader: LocalReader::Embedded, ..Settings::default() };
        Ok::<_, Box<dyn std::error::Error>>((policy, Pipeline::new(book, guardrail, settings)))
    });
    let pipelines = pipelines.into_iter().collect::<Result<Vec<_>, _>>()?;
    for line in io::stdin().lock().lines() {
        let ticket: serde_json::Value = serde_json::from_str(&line?)?;
        let (name, text) = (ticket["name"].as_str().unwrap_or_default(), ticket["text"].as_str().unwrap_or_default());
        for (policy, pipeline) in &pipelines {
            let input = RawInput { name: name.to_owned(), text: text.to_owned(), ..RawInput::default() };
            let outcome = pipeline.run(input)?;
            let report = outcome.score_report.as_ref();
            let issues = report.map(|report| report.blocking_issues.iter().chain(&report.non_blocking_issues));
            let issues: Vec<String> =
                issues.into_iter().flatten().map(|issue| format!("{} {:?}", issue.rule_id, issue.span)).collect();
            let score = report.map(|report| report.total_score);
            let decision = &outcome.decision;
            let said = (name, policy, format!("{:?}", decision.verdict), &decision.explanation, score, issues);
            println!("{}", serde_json::to_string(&said)?);
        }
    }
    Ok(())
}
