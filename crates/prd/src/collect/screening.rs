//! A file or an utterance → sources, by the product's own intake and guardrail.

use thiserror::Error;

use crate::layouts::Source;
use reqgate_base::clean::short_masks;
use reqgate_base::model::{GuardrailAction, GuardrailKind};
use reqgate_gate::pipeline::Pipeline;
use reqgate_gate::stages::intake::{IntakeError, is_table, read_bytes};

/// A source that cannot be drafted from.
#[derive(Debug, Error)]
pub enum Refused {
    /// It cannot be read.
    #[error(transparent)]
    Unreadable(#[from] IntakeError),
    /// The guardrail does not let it through.
    #[error("`{name}` is refused: {reasons}")]
    Rejected {
        /// The source.
        name: String,
        /// Why, a sentence for each reason.
        reasons: String,
    },
}

/// The texts in `bytes`, read as a file of that name would be (`utterance` for a typed sentence), with personal data
/// and secrets masked, in the names of files too. An utterance is not refused for being short: the brief asks for the rest.
///
/// # Errors
/// Fails on the first text that cannot be read or that the guardrail refuses because of its content.
pub fn sources_of(pipeline: &Pipeline, name: &str, bytes: &[u8]) -> Result<Vec<Source>, Refused> {
    let mut out = Vec::new();
    // To the gate a table is many tickets; here it is what somebody exported to show.
    let inputs = if is_table(name) { read_bytes(&format!("{name}.txt"), bytes) } else { read_bytes(name, bytes) };
    for input in inputs {
        let mut input = input?;
        if is_table(name) {
            input.name = name.to_owned();
        }
        let screened = pipeline.screen(&input.text);
        let refusing = screened.report.findings.iter().filter(|finding| finding.action == GuardrailAction::Reject);
        let reasons: Vec<&str> = refusing
            .filter(|finding| finding.kind != GuardrailKind::TooShort)
            .map(|finding| finding.message.as_str())
            .collect();
        if !reasons.is_empty() {
            return Err(Refused::Rejected { name: input.name, reasons: reasons.join(" ") });
        }
        let text = short_masks(&screened.text).into_owned();
        out.push(Source { name: pipeline.masked(&input.name), text, asked: None });
    }
    Ok(out)
}
