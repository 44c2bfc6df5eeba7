//! What is known of an input, screened and validated.

use garde::Validate;

use super::PipelineError;
use crate::model::{Attachment, Detected, RequirementPacket, SourceType, TicketType};
use crate::stages::intake::RawInput;
use crate::text::Reading;

/// What is known of the input, every string of it screened: the text already is, `screened` does it to each of the others.
pub(super) fn packet(
    input: &RawInput,
    text: String,
    reading: &Reading,
    source: Detected<SourceType>,
    ticket_type: Detected<TicketType>,
    mut screened: impl FnMut(&str) -> String,
) -> RequirementPacket {
    RequirementPacket {
        raw_text: text,
        title_span: reading.title,
        source_type: source,
        ticket_type,
        language: input.language.map_or_else(|| Detected::read_off(reading.language), Detected::stated),
        project_key: input.project_key.as_deref().map(&mut screened),
        priority: input.priority,
        labels: input.labels.iter().map(|label| screened(label)).collect(),
        attachments: input.attachments.iter().map(|file| Attachment { name: screened(&file.name) }).collect(),
    }
}

/// Validation is normalisation: what passes here is clean, what does not is refused before anything is judged.
pub(super) fn validate(input: &str, packet: &RequirementPacket) -> Result<(), PipelineError> {
    packet.validate().map_err(|report| {
        let message = report.iter().map(|(path, error)| format!("{path}: {error}")).collect::<Vec<_>>().join("; ");
        PipelineError::InvalidPacket { input: input.to_owned(), message }
    })
}
