//! Turns a file or a typed request into sources, with the intake and the guardrail of the gate.

use thiserror::Error;

use crate::layouts::Source;
use reqgate_base::clean::short_masks;
use reqgate_base::model::{GuardrailAction, GuardrailKind};
use reqgate_gate::pipeline::Pipeline;
use reqgate_gate::stages::intake::{IntakeError, is_table, read_bytes};

/// The reason why a source cannot be used for a draft.
#[derive(Debug, Error)]
pub enum Refused {
    /// The file cannot be read.
    #[error(transparent)]
    Unreadable(#[from] IntakeError),
    /// The guardrail refuses the content.
    #[error("`{name}` is refused: {reasons}")]
    Rejected {
        /// The name of the source.
        name: String,
        /// The reasons, one sentence each.
        reasons: String,
    },
}

/// Returns the texts in `bytes`, read as a file with this name would be (`utterance` for a typed sentence), with personal data and
/// secrets masked, also in file names. A short utterance is not refused: the brief asks for the missing information.
///
/// # Errors
/// Fails on the first text that cannot be read or that the guardrail refuses because of its content.
pub fn sources_of(pipeline: &Pipeline, name: &str, bytes: &[u8]) -> Result<Vec<Source>, Refused> {
    let mut out = Vec::new();
    // The gate reads a table as many tickets; here it is one document.
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
