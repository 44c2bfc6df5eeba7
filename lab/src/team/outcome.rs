//! Derives from the history of a ticket whether it had to go back to the author, and the sign of this.

use serde::{Deserialize, Serialize};

use super::past::{Answer, Ending, PastTicket};
use super::words::{Label, OutcomeWords};
use reqgate_base::clean::short_line;
use reqgate_base::model::Genre;
use reqgate_text::Reader;

/// The maximum length of a quote, in characters.
const LONGEST_QUOTE: usize = 200;

/// The sign that decided the label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Because {
    /// The row states it, or the user gave the meaning of a name.
    Stated,
    /// A person corrected the label.
    Corrected,
    /// A label of the ticket in the tracker, present or past.
    Label,
    /// A status, a resolution or a reason for closing, present or past.
    State,
    /// The first answer of a maintainer.
    FirstAnswer,
    /// The text was changed after the question, so it may contain the answer.
    EditedLater,
    /// The ticket was reopened.
    Reopened,
    /// The ticket was closed.
    Closed,
    /// The history has no sign.
    NoSign,
}

impl Because {
    /// The sign in a few words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Stated => "said by the file",
            Self::Corrected => "said by a person",
            Self::Label => "a label",
            Self::State => "a status or resolution",
            Self::FirstAnswer => "the first answer",
            Self::EditedLater => "edited after the question",
            Self::Reopened => "opened again",
            Self::Closed => "how it was closed",
            Self::NoSign => "no sign",
        }
    }
}

/// The outcome of a ticket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The label of the ticket.
    pub label: Label,
    /// The sign that decided the label.
    pub because: Because,
    /// The label, or the sentence; empty without a quote.
    pub quote: String,
}

/// Interprets the history of a ticket. A sign that it was returned takes precedence over a sign that it was accepted,
/// because both may have happened, one after the other.
pub fn interpret(ticket: &PastTicket, words: &OutcomeWords, reader: &Reader) -> Outcome {
    let outcome = |label, because, quote: &str| Outcome { label, because, quote: short_line(quote, LONGEST_QUOTE) };
    if let Some(accepted) = ticket.stated {
        return outcome(if accepted { Label::Accepted } else { Label::Returned }, Because::Stated, "");
    }
    let label = |wanted| ticket.labels.iter().find(|name| words.of_label(name) == Some(wanted));
    let state = |wanted| ticket.states.iter().find(|name| words.of_state(name) == Some(wanted));
    let answer = ticket.answers.iter().flatten().find(|answer| answer.by_maintainer);
    let asked = answer.and_then(|answer| question(answer, words, reader));
    if let Some(name) = label(Label::Returned) {
        return outcome(Label::Returned, Because::Label, name);
    }
    if let Some(name) = state(Label::Returned) {
        return outcome(Label::Returned, Because::State, name);
    }
    if let (Some(sentence), Some(answer)) = (&asked, answer) {
        let was_edited = |at: &String| ticket.edited_at.as_ref().is_some_and(|edited| edited > at);
        return match answer.at.as_ref().is_some_and(was_edited) {
            true => outcome(Label::Unclear, Because::EditedLater, sentence),
            false => outcome(Label::Returned, Because::FirstAnswer, sentence),
        };
    }
    if ticket.reopened {
        return outcome(words.reopened, Because::Reopened, "");
    }
    if ticket.ending == Ending::WithoutWork {
        let state = ticket.states.last().map(String::as_str).unwrap_or_default();
        return outcome(words.closed_without_work, Because::Closed, state);
    }
    // A question can only be ruled out if the answers are known.
    if ticket.answers.is_none() {
        return outcome(Label::Unclear, Because::NoSign, "");
    }
    if let Some(name) = label(Label::Accepted) {
        return outcome(Label::Accepted, Because::Label, name);
    }
    if let Some(name) = state(Label::Accepted) {
        return outcome(Label::Accepted, Because::State, name);
    }
    if ticket.ending == Ending::AfterWork {
        return outcome(words.closed_after_work, Because::Closed, "");
    }
    match answer {
        Some(answer) => {
            let first = sentences(&answer.text, reader).into_iter().next().unwrap_or_default();
            outcome(words.answered_without_asking, Because::FirstAnswer, &first)
        }
        None => outcome(Label::Unclear, Because::NoSign, ""),
    }
}

/// The first sentence of an answer that asks the author for something.
fn question(answer: &Answer, words: &OutcomeWords, reader: &Reader) -> Option<String> {
    sentences(&answer.text, reader).into_iter().find(|sentence| words.asks(sentence))
}

/// The sentences of an answer without code and quotations.
fn sentences(text: &str, reader: &Reader) -> Vec<String> {
    let reading = reader.read(text, None);
    let own =
        reading.sentences.iter().filter(|one| !matches!(one.genre, Genre::Code | Genre::Quotation) && !one.struck);
    own.map(|one| one.span.slice(text).trim().to_owned()).filter(|words| !words.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::past::past_ticket;
    use super::*;
    use reqgate_rules as rules;

    fn outcome(mut row: Value) -> (Label, Because, String) {
        let book = rules::load(&rules::shipped_files_for_judging()).expect("the shipped rules are valid");
        row["title"] = json!("Export of orders");
        row["body"] = json!("The button does nothing.");
        row["number"] = json!(1);
        row["user"] = json!({"login": "ann"});
        let ticket = past_ticket("x", row.as_object().expect("an object"), &[].into()).expect("a ticket");
        let Outcome { label, because, quote } = interpret(&ticket, &OutcomeWords::shipped(), &book.reader);
        (label, because, quote)
    }

    fn comment(text: &str, association: &str) -> Value {
        json!([{"user": {"login": "max"}, "author_association": association, "body": text, "created_at": "2026-02-01T00:00:00Z"}])
    }

    #[test]
    fn a_label_beats_how_the_ticket_ended() {
        let row = json!({"labels": ["Needs-Info"], "state": "closed", "state_reason": "completed", "comments": []});
        assert_eq!(outcome(row), (Label::Returned, Because::Label, "Needs-Info".to_owned()));
    }

    #[test]
    fn the_first_answer_of_a_maintainer_counts() {
        let asks = "> It does nothing\n\nThanks! Could you please share the version that you use?";
        let row = json!({"comments": comment(asks, "MEMBER"), "state": "closed", "state_reason": "completed"});
        let sentence = "Could you please share the version that you use?".to_owned();
        assert_eq!(outcome(row), (Label::Returned, Because::FirstAnswer, sentence.clone()));
        let edited = json!({"comments": comment(asks, "MEMBER"), "lastEditedAt": "2026-02-03T00:00:00Z"});
        assert_eq!(outcome(edited), (Label::Unclear, Because::EditedLater, sentence));
        let stranger = json!({"comments": comment(asks, "NONE"), "state": "open"});
        assert_eq!(outcome(stranger).1, Because::NoSign);
        let quoted = json!({"comments": comment("> Which version are you using?\n\nVersion 3 is fine, I fix it today.", "OWNER")});
        assert_eq!(
            outcome(quoted),
            (Label::Accepted, Because::FirstAnswer, "Version 3 is fine, I fix it today.".to_owned())
        );
    }

    #[test]
    fn without_the_answers_nothing_is_taken_for_accepted() {
        let closed = |comments: Value| json!({"state": "closed", "state_reason": "completed", "comments": comments});
        assert_eq!(outcome(closed(json!(4))).0, Label::Unclear);
        assert_eq!(outcome(closed(json!(0))).0, Label::Accepted);
        let dropped = json!({"state": "closed", "state_reason": "not_planned", "comments": []});
        assert_eq!(outcome(dropped), (Label::Unclear, Because::Closed, "not_planned".to_owned()));
    }
}
