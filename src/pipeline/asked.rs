//! What a ticket asks for: as stated, or else by the signs of each kind where the policy goes by evidence.

use super::Pipeline;
use crate::model::{Detected, Origin, SourceType, TicketType};
use crate::rules::Policy;
use crate::stages::intake::{RawInput, detect};
use crate::stages::structuring::evidence::{Form, KindPoints, told_kind};
use crate::text::Reading;

/// With so many points more than bug and feature, a text is shown as a question though it is judged. Fewer, and readers take
/// most such texts for the bug or feature that they are judged as; more, and half of what trackers label a question is missed.
const READS_LIKE_A_QUESTION: i32 = 5;

impl Pipeline {
    /// What the ticket asks for. Where nobody states it and the policy goes by evidence, the signs of the kinds decide; what
    /// was counted for them is given too.
    pub(super) fn asked(
        &self,
        input: &RawInput,
        reading: &Reading,
        source: SourceType,
    ) -> (detect::Asked, Option<Form>) {
        if self.settings.stated.is_requirement {
            return (detect::required(input, reading, source), None);
        }
        let asked = detect::asked(input, reading, source);
        let by_evidence = self.policy(&input.name).is_ok_and(Policy::goes_by_evidence);
        if !by_evidence || asked.ticket_type.origin == Origin::Stated || source == SourceType::PrdDoc {
            return (asked, None);
        }
        let counted = detect::kind(&input.text, reading, source);
        let points = points(&input.text, &counted);
        let form = Form::read(&input.text, reading);
        let told = told_kind(&self.book.facets, &input.text, reading, &form, points);
        let Some((kind, _)) = told else { return (asked, Some(form)) };
        let is_talk = source == SourceType::MeetingTranscript;
        let kind = match kind {
            // In a talk everybody asks and plans; what it is about is a feature or a bug.
            TicketType::Task | TicketType::Question if is_talk => asked.judged_as,
            kind => kind,
        };
        // What reads like a question, but not surely, is judged as what it may be, with a remark.
        let is_requirement = matches!(kind, TicketType::Bug | TicketType::Feature);
        let reads_like =
            is_requirement && counted.best == TicketType::Question && counted.margin >= READS_LIKE_A_QUESTION;
        let shown = if reads_like { TicketType::Question } else { kind };
        (detect::Asked { ticket_type: Detected::read_off(shown), judged_as: kind }, Some(form))
    }
}

pub(super) fn points(text: &str, counted: &detect::Kind) -> KindPoints {
    let [feature, bug, task, question] = counted.points;
    KindPoints { feature, bug, task, question, form: detect::form_says(text) }
}
