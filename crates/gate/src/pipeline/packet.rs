//! The screened and validated properties of an input.

use garde::Validate;

use super::PipelineError;
use crate::stages::intake::RawInput;
use reqgate_base::model::{Attachment, Detected, Language, OtherLanguage, RequirementPacket, SourceType, TicketType};
use reqgate_text::Reading;

/// Makes the packet. The text is already screened; `screened` screens every other string.
pub(super) fn packet(
    input: &RawInput,
    reading: &Reading,
    source: Detected<SourceType>,
    ticket_type: Detected<TicketType>,
    other_language: Option<Detected<OtherLanguage>>,
    mut screened: impl FnMut(&str) -> String,
) -> RequirementPacket {
    RequirementPacket {
        raw_text: input.text.clone(),
        id: None,
        url: None,
        title_span: reading.title,
        source_type: source,
        ticket_type,
        language: language(input, reading, other_language),
        other_language,
        project_key: input.project_key.as_deref().map(&mut screened),
        priority: input.priority,
        labels: input.labels.iter().map(|label| screened(label)).collect(),
        attachments: input.attachments.iter().map(|file| Attachment { name: screened(&file.name) }).collect(),
    }
}

fn language(input: &RawInput, reading: &Reading, other: Option<Detected<OtherLanguage>>) -> Detected<Language> {
    match (other, input.language) {
        (Some(other), _) => Detected { value: Language::En, origin: other.origin },
        (None, Some(stated)) => Detected::stated(stated),
        (None, None) => Detected::read_off(reading.language),
    }
}

/// Validates the packet. Validation is normalisation: an invalid packet is refused before the text is judged.
pub(super) fn validate(input: &str, packet: &RequirementPacket) -> Result<(), PipelineError> {
    packet.validate().map_err(|report| {
        let message = report.iter().map(|(path, error)| format!("{path}: {error}")).collect::<Vec<_>>().join("; ");
        PipelineError::InvalidPacket { input: input.to_owned(), message }
    })
}
