//! What a ticket asks for: as stated, or else by the signs of each kind where the policy goes by evidence.

use super::Pipeline;
use super::signals::{TextSignals, points};
use crate::model::{Detected, SourceType, TicketType};
use crate::rules::{ByReadings, Profile, Target, Told};
use crate::stages::intake::{RawInput, detect};
use crate::stages::scoring::signals::Signal;
use crate::stages::structure_check::FEWEST_CRITERIA;
use crate::stages::structuring;
use crate::stages::structuring::bug::is_complete_report;
use crate::stages::structuring::evidence::{Form, told_kind};
use crate::text::{Reading, Sentence, display_width, is_surely_as_wide};

/// With so many points more than bug and feature, a text is shown as a question though it is judged. Fewer, and readers take
/// most such texts for the bug or feature that they are judged as; more, and half of what trackers label a question is missed.
const READS_LIKE_A_QUESTION: i32 = 5;

/// A text of fewer columns is taken for no requirement only if that is surer than elsewhere: it says too little, and whoever
/// wrote it should hear so.
const SHORT: usize = 50;
const SURE_OF_SHORT: f64 = 0.8;

/// What a ticket asks for, and what was worked out on the way.
pub(super) struct Asked {
    /// What it asks for.
    pub what: detect::Asked,
    /// What was counted in the text as written.
    pub form: Option<Form>,
    /// What learned weights say of the text, before its kind is known.
    pub learned: Option<Told>,
}

impl Asked {
    fn told(what: detect::Asked) -> Self {
        Self { what, form: None, learned: None }
    }
}

impl Pipeline {
    /// What the ticket asks for. Where nobody states it, the learned weights decide if the policy has readings, else the
    /// signs of the kinds if it goes by evidence; neither is asked about a text that will be refused.
    pub(super) fn asked(&self, input: &RawInput, reading: &Reading, source: SourceType, is_refused: bool) -> Asked {
        let required = self.settings.stated.is_requirement;
        let told = || if required { detect::required } else { detect::asked }(input, reading, source);
        let policy = self.policy(&input.name).ok().filter(|policy| policy.goes_by_evidence() && !is_refused);
        let Some(policy) = policy.filter(|_| source != SourceType::PrdDoc) else { return Asked::told(told()) };
        let is_told = required || input.ticket_type.is_some();
        if let Some(by) = policy.file.readings.filter(|_| source != SourceType::MeetingTranscript) {
            return self.learned(input, reading, source, by, is_told.then(told));
        }
        if is_told {
            return Asked::told(told());
        }
        let counted = detect::kind(&input.text, reading, source);
        let points = points(&input.text, &counted);
        let form = Form::read(&input.text, reading);
        let Some((kind, _)) = told_kind(&self.book.facets, &input.text, reading, &form, points) else {
            return Asked { what: told(), form: Some(form), learned: None };
        };
        let is_talk = source == SourceType::MeetingTranscript;
        let kind = match kind {
            // In a talk everybody asks and plans; what it is about is a feature or a bug.
            TicketType::Task | TicketType::Question if is_talk => told().judged_as,
            // A conversation that ends in outcomes a tester can check asks for them. Lists of topics do not.
            TicketType::Discussion if reading.is_conversation && states_outcomes(&input.text, reading, &form) => {
                counted.requirement
            }
            kind => kind,
        };
        // What reads like a question, but not surely, is judged as what it may be, with a remark.
        let shown = if is_requirement(kind) && asks(&counted) { TicketType::Question } else { kind };
        let what = detect::Asked { ticket_type: Detected::read_off(shown), judged_as: kind };
        Asked { what, form: Some(form), learned: None }
    }

    /// The same by learned weights, unless it is told, with what they say of the text before its kind is known.
    fn learned(
        &self,
        input: &RawInput,
        reading: &Reading,
        source: SourceType,
        by: ByReadings,
        told: Option<detect::Asked>,
    ) -> Asked {
        let form = Form::read(&input.text, reading);
        let TextSignals { words, of_text, counted, .. } = self.text_signals(&input.text, reading, source, &form);
        let learned = self.told_by(&words, &of_text);
        let mut kind = kind_of(&learned, &input.text, by);
        if !is_requirement(kind)
            && is_complete_report(&input.text, reading)
            && let Some(report) = before_closing_questions(&input.text, reading)
        {
            // What is complete without its last question is a report that also asks.
            let title = input.title_span.filter(|title| title.end <= report.len());
            let reading = self.book.reader.read(report, title);
            let form = Form::read(report, &reading);
            let TextSignals { words, of_text, .. } = self.text_signals(report, &reading, source, &form);
            if kind_of(&self.told_by(&words, &of_text), report, by) == TicketType::Bug {
                kind = TicketType::Bug;
            }
        }
        let shown = if is_requirement(kind) && asks(&counted) { TicketType::Question } else { kind };
        let read = detect::Asked { ticket_type: Detected::read_off(shown), judged_as: kind };
        Asked { what: told.unwrap_or(read), form: Some(form), learned: Some(learned) }
    }

    /// The estimate of the weights for a text with these words and measures.
    fn told_by(&self, words: &[String], of_text: &[Signal]) -> Told {
        let measures = of_text.iter().map(|(name, value)| (name.as_str(), *value));
        self.learned_weights().told(words.iter().map(String::as_str), measures)
    }
}

/// True if the text states as many checkable outcomes as a feature needs.
fn states_outcomes(text: &str, reading: &Reading, form: &Form) -> bool {
    let structured = structuring::structure(text, reading, Profile::Meeting);
    let structured = structuring::with_statements(text, form, structured, Profile::Meeting);
    structured.grounding.acceptance_criteria.len() >= FEWEST_CRITERIA
}

fn kind_of(learned: &Told, text: &str, by: ByReadings) -> TicketType {
    let sums = &learned.sums;
    let is_short = !is_surely_as_wide(text, SHORT) && display_width(text) < SHORT;
    let sure_enough = if is_short { SURE_OF_SHORT } else { by.no_requirement };
    if sums.probability(Target::NoRequirement) >= sure_enough {
        if sums.probability(Target::Task) >= 0.5 { TicketType::Task } else { TicketType::Question }
    } else if sums.probability(Target::Bug) >= 0.5 {
        TicketType::Bug
    } else {
        TicketType::Feature
    }
}

/// Questions at the end of a report that are looked past.
const MOST_CLOSING_QUESTIONS: usize = 3;

/// A text up to the questions with which it ends; `None` if it does not end with one.
fn before_closing_questions<'t>(text: &'t str, reading: &Reading) -> Option<&'t str> {
    let is_question = |sentence: &&Sentence| sentence.span.slice(text).trim_end().ends_with(['?', '？']);
    let closing = reading.sentences.iter().rev().take_while(is_question).take(MOST_CLOSING_QUESTIONS);
    let start = closing.last()?.span.start;
    text.get(..start)
}

fn is_requirement(kind: TicketType) -> bool {
    matches!(kind, TicketType::Bug | TicketType::Feature)
}

/// True for a text whose signs are those of a question by far.
fn asks(counted: &detect::Kind) -> bool {
    counted.best == TicketType::Question && counted.margin >= READS_LIKE_A_QUESTION
}
