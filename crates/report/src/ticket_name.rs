//! The name of a ticket in a report: the number, title and address from its source.

use super::records::is_record;
use reqgate_base::clean::short_words;
use reqgate_base::model::{Outcome, Verdict};
use reqgate_text::html::without_tags;

/// The maximum length of a title in a name, in characters.
const LONGEST_TITLE: usize = 80;

/// The name of a ticket, e.g. `#7 Export fails (issues.json[2])`; only the name of the input if the input is a single
/// ticket.
pub(super) fn ticket_name(outcome: &Outcome) -> String {
    match own_name(outcome) {
        Some(own) => format!("{own} ({})", outcome.input),
        None => outcome.input.clone(),
    }
}

/// The number and title, e.g. `#7 Export fails`, of a ticket that is one of several in its source or has a number in a
/// tracker.
pub(super) fn own_name(outcome: &Outcome) -> Option<String> {
    let id = outcome.packet.id.clone();
    if id.is_none() && !is_record(&outcome.input) {
        return None;
    }
    let parts: Vec<String> = id.into_iter().chain(title(outcome)).collect();
    Some(parts.join(" ")).filter(|name| !name.is_empty())
}

/// The title on one line; `None` if the guardrail stopped the text.
pub(super) fn title(outcome: &Outcome) -> Option<String> {
    let packet = &outcome.packet;
    let is_shown = outcome.decision.verdict != Verdict::GuardrailRejected;
    let title = packet.title_span.filter(|_| is_shown)?.slice(&packet.raw_text);
    Some(short_words(&without_tags(title), LONGEST_TITLE)).filter(|title| !title.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn a_ticket_among_several_is_named_by_number_and_title() {
        let mut outcome = samples::rejected();
        let title = title(&outcome).expect("the sample has a title");
        outcome.input = "issues.json[2]".to_owned();
        assert_eq!(ticket_name(&outcome), format!("{title} (issues.json[2])"));
        outcome.packet.id = Some("#7".to_owned());
        assert_eq!(ticket_name(&outcome), format!("#7 {title} (issues.json[2])"));
        outcome.decision.verdict = Verdict::GuardrailRejected;
        assert_eq!(ticket_name(&outcome), "#7 (issues.json[2])");
    }

    #[test]
    fn a_file_that_is_one_ticket_keeps_its_name() {
        assert_eq!(ticket_name(&samples::rejected()), samples::rejected().input);
    }
}
