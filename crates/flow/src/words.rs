//! The words of the engine about a thread, in the thread's language: statuses, events, interrupts.

use serde_json::Value;

use super::ask::{AskModel, interrupt_in};
use super::ask_view::{AskView, Input};
use super::definition::Workflow;
use super::event::{Because, Body};
use super::graph::{Name, To};
use super::position::Asking;
use super::problem::Problem;
use super::thread::Status;
use reqgate_base::model::Language;
use reqgate_messages as messages;

impl Status {
    /// The status in the words of a language.
    pub fn in_words(self, language: Language) -> &'static str {
        let words = messages::Flow::of(language);
        match self {
            Self::Running => words.status_running,
            Self::Interrupted => words.status_interrupted,
            Self::WaitingForPerson => words.status_waiting_for_person,
            Self::WaitingForWork => words.status_waiting_for_work,
            Self::Completed => words.status_completed,
            Self::Failed => words.status_failed,
            Self::Cancelled => words.status_cancelled,
        }
    }
}

impl<W: Workflow> Asking<W> {
    /// The question in one line, in this language where its words are the program's.
    pub fn title_in(&self, language: Language) -> String {
        match (language, self) {
            (Language::Zh, Self::Engine(because, ask)) => {
                let words = messages::Flow::of(language);
                let node = ask.state.get("node").map(String::as_str).unwrap_or_default();
                match because {
                    Because::Budget { from, label } => {
                        words.budget_used(&budget::<W>(*from, *label), &label.name(), &from.name())
                    }
                    Because::NodeFailed { messages } => {
                        let messages: Vec<&str> = messages.iter().map(|it| message_in(it, language)).collect();
                        words.cannot_go_on(&messages.join(words.message_separator), &node)
                    }
                }
            }
            (_, Self::Workflow(ask)) => ask.title_in(language),
            (Language::En, Self::Engine(..)) => self.title(),
        }
    }

    /// The parts of the question.
    pub fn view(&self, language: Language) -> AskView<'_> {
        match self {
            Self::Workflow(ask) => ask.view(language),
            Self::Engine(_, ask) => {
                ask.view(self.title_in(language), self.ways_on(language).unwrap_or_default(), language)
            }
        }
    }

    /// The answer in the fields of the view.
    ///
    /// # Errors
    ///
    /// Fails if the fields do not say which answer is meant.
    pub fn answer_in(&self, input: &Input, language: Language) -> Result<Value, Vec<Problem>> {
        match self {
            Self::Workflow(ask) => ask.answer_in(input, language),
            Self::Engine(..) => interrupt_in(input, language),
        }
    }

    /// The effect of each answer to an interrupt; `None` for a question of the workflow.
    pub fn ways_on(&self, language: Language) -> Option<String> {
        let words = messages::Flow::of(language);
        match (language, self) {
            (_, Self::Workflow(_)) => None,
            (Language::En, Self::Engine(_, ask)) => Some(ask.resume_instructions.clone()),
            (Language::Zh, Self::Engine(Because::Budget { from, label }, _)) => {
                Some(words.budget_ways(&budget::<W>(*from, *label)))
            }
            (Language::Zh, Self::Engine(Because::NodeFailed { .. }, _)) => Some(words.retry_ways.to_owned()),
        }
    }
}

/// The rounds that an edge allows.
fn budget<W: Workflow>(from: W::Node, label: W::Label) -> u32 {
    W::graph().edge(from, label).and_then(|edge| edge.budget).unwrap_or_default()
}

impl<W: Workflow> Body<W> {
    /// The event in one line for a timeline, in the words of a language. Names of steps and labels are codes.
    pub fn headline_in(&self, language: Language) -> String {
        let words = messages::Flow::of(language);
        match self {
            Self::Started { title, .. } => words.started(title),
            Self::Forked { from, at, .. } => words.forked(at, from),
            Self::HandedOut { index, attempt, .. } => words.handed_out(attempt, &(index + 1)),
            Self::CallDone { index, attempt, .. } => words.call_done(attempt, &(index + 1)),
            Self::CallFailed { index, attempt, problems, .. } => {
                let first = problems.first().map(ToString::to_string).unwrap_or_default();
                words.call_failed(attempt, &(index + 1), &first)
            }
            Self::Stepped { node, label, note, .. } => {
                let to = match W::graph().edge(*node, *label).map(|edge| edge.to) {
                    Some(To::Node(to)) => to.name(),
                    Some(To::End) => words.end,
                    None => "?",
                };
                match note {
                    Some(note) => words.stepped_with_note(&label.name(), &node.name(), note, &to),
                    None => words.stepped(&label.name(), &node.name(), &to),
                }
            }
            Self::Asked { ask } => words.asked(&ask.kind(), &ask.title()),
            Self::Interrupted { because, ask } => {
                let question = Asking::<W>::Engine(because.clone(), ask.clone());
                words.asked(&"interrupt", &question.title_in(language))
            }
            Self::Answered { ask, channel, .. } => words.answered(ask, &channel_in(channel, language)),
            Self::EffectDone { receipt, .. } => {
                let known = words.receipts.iter().find(|(own, _)| own == receipt);
                words.effect_done(&known.map_or(receipt.as_str(), |(_, words)| words))
            }
            Self::EffectRefused { reason, .. } => words.effect_refused(&refusal_in(reason, language)),
            Self::Reopened => words.taken_up.to_owned(),
            Self::Amended { reason, to: None, .. } => words.amended(reason),
            Self::Amended { reason, to: Some(to), .. } => words.amended_from(reason, &to.name()),
            Self::Migrated { version, .. } => words.migrated(version),
            Self::Cancelled { reason } => words.cancelled(reason),
            Self::Imported => words.import_ends.to_owned(),
            Self::Ended => words.ended.to_owned(),
        }
    }
}

/// A recorded message of the engine; messages of a workflow are already in the language of their thread.
fn message_in(message: &str, language: Language) -> &str {
    let recorded = messages::Flow::of(Language::En).files_keep_changing;
    if message == recorded { messages::Flow::of(language).files_keep_changing } else { message }
}

/// The reason why a file was not written, as recorded in the log, in the words of a language.
fn refusal_in(reason: &str, language: Language) -> String {
    let ends = messages::Flow::of(language).refusals;
    let known = ends.iter().find_map(|(end, words)| Some(format!("{}{words}", reason.strip_suffix(end)?)));
    known.unwrap_or_else(|| reason.to_owned())
}

/// The way that an answer came, in words.
pub fn channel_in(channel: &str, language: Language) -> &str {
    let names = messages::Flow::of(language).channels;
    names.iter().find(|(own, _)| *own == channel).map_or(channel, |(_, name)| name)
}
