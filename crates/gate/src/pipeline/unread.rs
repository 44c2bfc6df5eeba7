//! The decision on a text that cannot be judged: in a language that the rules do not read, or a file that is not a ticket.

use super::Pipeline;
use crate::stages::gate;
use crate::stages::intake::RawInput;
use reqgate_base::model::{
    Detected, GateDecision, Genre, Language, Origin, OtherLanguage, RequirementPacket, SectionRole,
};
use reqgate_messages as messages;
use reqgate_text::Reading;
use reqgate_text::other_files::other_file;
use reqgate_text::other_language::other_language;

impl Pipeline {
    /// The language of an input that is written in neither English nor Chinese.
    ///
    /// The user's statement takes precedence over all others. The input's own statement takes precedence over
    /// detection, unless every input is known to be a requirement: then its own statements can neither exclude it from
    /// judgement nor pass it unread.
    pub(super) fn other_language(&self, input: &RawInput, reading: &Reading) -> Option<Detected<OtherLanguage>> {
        let stated = &self.settings.stated;
        let read_off = || other_language(&input.text, reading).map(Detected::read_off);
        if stated.language.is_some() {
            return None;
        }
        if stated.is_requirement {
            return read_off();
        }
        match (input.language, input.other_language) {
            (Some(_), _) => None,
            (None, Some(other)) => Some(Detected::stated(other)),
            (None, None) => read_off(),
        }
    }

    /// The decision on a text that cannot be judged, in `language`; `None` if it can be.
    pub(super) fn unread(
        &self,
        input: &RawInput,
        packet: &RequirementPacket,
        reading: &Reading,
        language: Language,
    ) -> Option<GateDecision> {
        // An input with a stated kind or a separate title is meant as a ticket.
        let is_stated = packet.source_type.origin == Origin::Stated || packet.ticket_type.origin == Origin::Stated;
        let has_parts = || {
            let is_part = |role| reading.has_section(role);
            [SectionRole::AcceptanceCriteria, SectionRole::Story, SectionRole::Steps].into_iter().any(is_part)
                || reading.sentences.iter().any(|it| matches!(it.genre, Genre::UserStory | Genre::GherkinStep))
        };
        if input.title_span.is_none()
            && !is_stated
            && let Some(file) = other_file(&input.name, &input.text, has_parts)
        {
            return Some(gate::not_a_ticket(file, language));
        }
        let judged = &self.settings.judged_languages;
        let name = match packet.other_language {
            Some(other) => other.value.words(language),
            None if judged.contains(&packet.language.value) => return None,
            None => packet.language.value.words(language),
        };
        let judged: Vec<&str> = judged.iter().map(|judged| judged.words(language)).collect();
        let judged = judged.join(messages::Verdict::of(language).and_language);
        Some(gate::in_another_language(name, &judged, self.settings.other_languages, language))
    }
}
