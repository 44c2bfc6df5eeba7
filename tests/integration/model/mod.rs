//! A model as reviewer: for any reply, the verdict is never better than that of the rules.

#[cfg(target_os = "linux")]
mod agents;
mod fallback;
mod hostile;
mod judging;
mod reading;
mod relay;
pub mod server;
mod tokens;

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use reqgate::catalog;
use reqgate::config::guardrail::{GuardrailPatterns, GuardrailSettings};
use reqgate::llm::{Chat, ChatError, ChatReply, ChatRequest, Fault, FinishReason, Model, Usage};
use reqgate::model::{Outcome, RuleCard};
use reqgate::orders::Orders;
use reqgate::pipeline::{Pipeline, Settings};
use reqgate::prompts::Prompts;
use reqgate::report::{Detail, Format, ReportOptions, Summary, reporter};
use reqgate::review::ModelReviewer;
use reqgate::rules::{self, SourceFile};

use crate::texts::pipelines;

/// The ids of the three questions.
pub const QUESTIONS: [&str; 3] = ["structuring_v1", "scoring_v1", "clarify_v1"];

/// The id of the order for a model if readings decide.
pub const READ: &str = "read_ticket_v1";

/// Replies by question; a question without one fails. Records its requests.
#[derive(Clone, Default)]
pub struct Scripted {
    replies: Arc<Mutex<BTreeMap<String, String>>>,
    asked: Arc<Mutex<Vec<ChatRequest>>>,
}

impl Scripted {
    /// A chat with these replies to the questions.
    pub fn new<'a>(replies: impl IntoIterator<Item = (&'a str, String)>) -> Self {
        let scripted = Self::default();
        scripted.say(replies);
        scripted
    }

    /// Replaces the replies by these.
    pub fn say<'a>(&self, replies: impl IntoIterator<Item = (&'a str, String)>) {
        let replies = replies.into_iter().map(|(question, reply)| (question.to_owned(), reply)).collect();
        *self.replies.lock().expect("no test panics here") = replies;
        self.asked.lock().expect("no test panics here").clear();
    }

    /// The requests so far.
    pub fn asked(&self) -> Vec<ChatRequest> {
        self.asked.lock().expect("no test panics here").clone()
    }

    /// A reviewer with these replies.
    pub fn reviewer(&self) -> ModelReviewer {
        let model = Model::from_chat(Box::new(self.clone()));
        let prompts = Prompts::shipped().expect("the shipped prompts are whole");
        ModelReviewer::new(
            model,
            prompts,
            Orders::shipped().expect("the shipped orders are valid"),
            pipelines::guardrail(&GuardrailSettings::default()),
        )
    }
}

impl Chat for Scripted {
    fn exchange(&self, request: &ChatRequest, _until: Instant) -> Result<ChatReply, ChatError> {
        self.asked.lock().expect("no test panics here").push(request.clone());
        let replies = self.replies.lock().expect("no test panics here");
        let Some(text) = replies.get(&request.question) else {
            return Err(ChatError::new(Fault::Rejected, "there is no reply"));
        };
        let usage = Usage { input_tokens: 100, output_tokens: 10 };
        Ok(ChatReply { text: text.clone(), finish_reason: FinishReason::Stop, usage, model: "scripted".to_owned() })
    }
}

/// The shipped pipeline with a user's files added to the shipped rules.
pub fn with_files(files: &[(&str, &str)]) -> Pipeline {
    let mut all = rules::shipped_files();
    all.extend(files.iter().map(|(path, text)| SourceFile::user((*path).to_owned(), (*text).to_owned())));
    let book = rules::load(&all).expect("the files are valid");
    Pipeline::new(book, pipelines::guardrail(&GuardrailSettings::default()), strict())
}

/// Memory that a report is written into.
#[derive(Clone, Default)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("no test panics here").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The public descriptions of all rules.
pub fn cards() -> Vec<RuleCard> {
    let book = pipelines::book();
    let mut cards = catalog::cards(&book, &GuardrailPatterns::shipped().expect("the shipped patterns load"));
    cards.extend(catalog::question_cards(&book));
    cards
}

/// An outcome in every format, with as much detail as possible.
pub fn in_every_format(outcome: &Outcome, cards: &[RuleCard]) -> Vec<(Format, String)> {
    let options =
        ReportOptions { detail: Detail::Full, explain_model: true, include_text: true, ..ReportOptions::default() };
    let render = |format| {
        let sink = Sink::default();
        let mut summary = Summary::default();
        summary.add(outcome);
        let mut report = reporter(format, cards, options, Box::new(sink.clone())).expect("memory can be written");
        report.outcome(outcome).expect("memory can be written");
        report.finish(&summary).expect("memory can be written");
        drop(report);
        let bytes = sink.0.lock().expect("no test panics here").clone();
        (format, String::from_utf8(bytes).expect("reports are UTF-8"))
    };
    Format::ALL.into_iter().map(render).collect()
}

/// The policy `strict`, under which the contribution of a model is visible and not weighed against other evidence.
fn strict() -> Settings {
    Settings { policy: Some("strict".into()), ..Settings::default() }
}
