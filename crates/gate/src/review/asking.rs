//! Asks a model about one text: the requests, the treatment of the answers, and the fallbacks without them.
//!
//! The fallback levels: no answer about structure → the rules' draft, or the raw text; no evidence → the rules' score;
//! no questions → the rules' questions; no reading → the rules' estimate. Each fallback is in the report, and none ends
//! the run.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use garde::Validate;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use super::at_hand::{self, AtHand};
use super::clarify::{self, Checked, Clarified, ClarifyContext};
use super::draft::{self, Sorted};
use super::evidence::{self, Statements};
use crate::orders::{self, CheckedReading, MOST_EVIDENCE, MOST_QUESTIONS, Orders, ReadingAnswer, Source};
use reqgate_base::ask::{Answered, Answers, Bound, NoAnswer, Preview, Question, Usage};
use reqgate_base::clean;
use reqgate_base::model::{
    AnswerOrigin, DiscardReason, Discarded, Genre, Language, ModelStep, ModelStepEnd, ModelTask, ModelUsage, Outcome,
    PromptReference, RequirementPacket, ReviewIssue, SkipReason, SourceType,
};
use reqgate_guardrail::Guardrail;
use reqgate_rules::prompts::{Asking, Fence, Filled, Hole, Prompts, behind_bars};
use reqgate_rules::{ModelQuestions, Profile};
use reqgate_text::{Quotable, Reading};

/// The most characters of a text that is sent.
const LONGEST_TEXT: usize = 60_000;
/// The most characters of a shown sentence of a model.
const LONGEST_WORDS: usize = 400;
/// The most characters that are repeated of a discarded statement.
const LONGEST_DISCARD: usize = 100;
/// The most characters that are repeated of an error.
const LONGEST_REASON: usize = 300;

/// A model to ask, with the prompts and the guardrail that screens both directions.
pub struct ModelReviewer {
    by: By,
    prompts: Prompts,
    orders: Orders,
    /// Masks requests and screens answers, independently of the settings of the installation's own guardrail.
    screen: Arc<Guardrail>,
    dry_run: Option<Mutex<Vec<DryRun>>>,
    structuring_limit: Option<Duration>,
}

/// The reader that is asked.
enum By {
    /// A chat model, over the network.
    Model(Box<dyn Answers>),
    /// A person or an agent who reads the ticket.
    AtHand(AtHand),
}

/// A request that would have been sent.
#[derive(Debug, Clone)]
pub struct DryRun {
    /// The name of the input.
    pub input: String,
    /// The task of the request.
    pub task: ModelTask,
    /// The request, which was not sent.
    pub preview: Preview,
}

impl ModelReviewer {
    /// Makes a reviewer for a model. `screen` must mask personal data and secrets: only text that passes it leaves the process.
    pub fn new(model: impl Answers + 'static, prompts: Prompts, orders: Orders, screen: Guardrail) -> Self {
        let screen = Arc::new(screen);
        // Answers are masked before they are kept; requests were masked before they were sent.
        let mask = Arc::clone(&screen);
        let model = model.masked(Box::new(move |words| mask.screen(words, &[], SourceType::PlainText).text));
        Self { by: By::Model(Box::new(model)), prompts, orders, screen, dry_run: None, structuring_limit: None }
    }

    /// Makes a reviewer for a reader at hand instead of a model, who only reads the ticket. `screen` masks the order as
    /// it does for a model.
    pub fn at_hand(reader: AtHand, prompts: Prompts, orders: Orders, screen: Guardrail) -> Self {
        let (by, screen) = (By::AtHand(reader), Arc::new(screen));
        Self { by, prompts, orders, screen, dry_run: None, structuring_limit: None }
    }

    /// The same, with less time for the first question (`STRUCTURING_TIMEOUT`).
    #[must_use]
    pub fn with_structuring_limit(self, limit: Duration) -> Self {
        Self { structuring_limit: Some(limit), ..self }
    }

    /// The same without sending: the requests are kept for [`ModelReviewer::dry_run`].
    #[must_use]
    pub fn as_dry_run(mut self) -> Self {
        self.dry_run = Some(Mutex::default());
        self
    }

    /// Takes the requests that would have been sent so far.
    pub fn dry_run(&self) -> Vec<DryRun> {
        let kept = self.dry_run.as_ref().and_then(|kept| kept.lock().ok());
        kept.map(|mut kept| std::mem::take(&mut *kept)).unwrap_or_default()
    }

    /// The name of the model, `provider/name`, or of the reader at hand.
    pub(crate) fn name(&self) -> String {
        match &self.by {
            By::Model(model) => model.name(),
            By::AtHand(_) => at_hand::NAME.to_owned(),
        }
    }

    /// The reader at hand, if the reviewer has one.
    pub fn reader(&self) -> Option<&AtHand> {
        match &self.by {
            By::AtHand(reader) => Some(reader),
            By::Model(_) => None,
        }
    }
}

/// The review of one text by a model.
pub struct Review<'r> {
    pub(super) reviewer: &'r ModelReviewer,
    /// The order of the reading, if the policy names one.
    reader: Option<String>,
    input: String,
    /// The places of quotes, in the text as it is shown.
    pub quotes: Quotable,
    /// The questions to the model.
    pub questions: ModelQuestions,
    /// The number of sentences to sort.
    sentences: usize,
    fenced: String,
    kind: &'static str,
    language: Language,
    source: SourceType,
    until: Instant,
    host: Option<String>,
    /// The reason why no further question is asked.
    silent: Option<SkipReason>,
    steps: Vec<ModelStep>,
    discarded: Vec<Discarded>,
    /// A request of a replayed run that was not recorded.
    pub(super) unrecorded: Option<String>,
}

impl<'r> Review<'r> {
    /// The same, read from the perspective of another order.
    #[must_use]
    pub(crate) fn read_as(self, order: Option<&str>) -> Self {
        Self { reader: order.map(str::to_owned), ..self }
    }

    /// Prepares the text: masks it once more, removes invisible characters, and puts it into a fence.
    pub(crate) fn new(
        reviewer: &'r ModelReviewer,
        input: &str,
        questions: ModelQuestions,
        packet: &RequirementPacket,
        reading: &Reading,
        profile: Profile,
    ) -> Self {
        let (text, source) = (packet.raw_text.as_str(), packet.source_type.value);
        // The text to send is masked inside code and logs too.
        let screened = reviewer.screen.screen(text, &[], source);
        let silent = if reviewer.screen.is_doubtful(text, &reading.code()) {
            Some(SkipReason::Withheld)
        } else if text.chars().nth(LONGEST_TEXT).is_some() {
            Some(SkipReason::TooLong { limit: LONGEST_TEXT })
        } else {
            None
        };
        Self {
            reviewer,
            input: input.to_owned(),
            quotes: Quotable::new(text),
            questions,
            sentences: reading.sentences.len(),
            fenced: Fence::of(&screened.text).around(&screened.text),
            reader: None,
            kind: kind(profile),
            language: packet.language.value,
            source,
            until: Instant::now()
                + match &reviewer.by {
                    By::Model(model) => model.deadline(),
                    By::AtHand(_) => Duration::ZERO,
                },
            host: None,
            silent,
            steps: Vec::new(),
            discarded: Vec::new(),
            unrecorded: None,
        }
    }

    /// The model as its settings name it, `provider/name`.
    pub(crate) fn model_name(&self) -> String {
        self.reviewer.name()
    }

    /// The sorted sentences; `None` without an answer.
    pub(crate) fn sorted(&mut self) -> Option<Sorted> {
        let filled = self.filled(Asking::Structuring, "", "");
        let items = self.sentences.clamp(1, draft::MOST_ITEMS);
        let lists = ["story", "acceptance_criteria", "edge_cases", "resources", "open_points"];
        let bounds = lists.map(|place| Bound::AtMost { place, items });
        self.ask(ModelTask::Structuring, filled, bounds.into())
    }

    /// The unclear points; `None` without an answer or without a question.
    pub(crate) fn statements(&mut self) -> Option<Statements> {
        if self.questions.questions.is_empty() {
            self.not_asked(ModelTask::Scoring, SkipReason::NoQuestion);
            return None;
        }
        let questions = self.questions.questions.iter();
        let questions: Vec<String> =
            questions.map(|question| format!("{}: {}", question.file.id, question.file.asks)).collect();
        let filled = self.filled(Asking::Scoring, &questions.join("\n"), "");
        let words: Vec<String> = self.questions.questions.iter().map(|question| question.file.id.to_string()).collect();
        let bounds = vec![
            Bound::AtMost { place: "criteria", items: words.len() },
            Bound::AtMost { place: "criteria.problems", items: evidence::MOST_PROBLEMS },
            Bound::OneOf { place: "criteria.id", words },
        ];
        self.ask(ModelTask::Scoring, filled, bounds)
    }

    /// Questions and rewrites about issues; `summary` describes an issue in our words, `flaws` counts those of a sentence.
    pub(crate) fn clarified<'i>(
        &mut self,
        issues: impl Iterator<Item = &'i ReviewIssue>,
        (text, reading): (&str, &Reading),
        summary: impl Fn(&ReviewIssue) -> Option<String>,
        flaws: impl Fn(&str, Genre) -> usize,
    ) -> Option<(Vec<&'i ReviewIssue>, Checked)> {
        let masked = self.reviewer.screen.screen(text, &[], self.source).text;
        let (list, chosen) = clarify::listed(issues, &masked, summary, behind_bars);
        if chosen.is_empty() {
            self.not_asked(ModelTask::Clarify, SkipReason::NothingToAsk);
            return None;
        }
        let filled = self.filled(Asking::Clarify, "", &list);
        // The list without the lines that begin with a bar, which are words of the ticket.
        let summaries = list.lines().filter(|line| !line.starts_with('|'));
        let ours = std::iter::once(filled.instructions.as_str()).chain(summaries).collect::<Vec<_>>().join("\n");
        let bounds = vec![
            Bound::AtMost { place: "questions", items: clarify::MOST_QUESTIONS },
            Bound::AtMost { place: "rewrites", items: clarify::MOST_REWRITES },
        ];
        let answer: Clarified = self.ask(ModelTask::Clarify, filled, bounds)?;
        let findings = chosen.len();
        let asked =
            ClarifyContext { text, reading, quotes: &self.quotes, language: self.language, findings, ours: &ours };
        let checked = clarify::check(&answer, asked, |words: &str| self.clean(words), flaws);
        Some((chosen, checked))
    }

    /// Carries out the order to read the ticket, and checks the result; `None` without an answer.
    pub(crate) fn read(&mut self, text: &str, reading: &Reading) -> Option<CheckedReading> {
        let values = [(Hole::Language, self.language_name()), (Hole::Ticket, self.fenced.as_str())];
        let filled = self.reviewer.orders.reading(self.reader.as_deref()).fill(&values);
        let bounds = vec![
            Bound::AtMost { place: "questions", items: MOST_QUESTIONS },
            Bound::AtMost { place: "evidence", items: MOST_EVIDENCE },
        ];
        let answer: ReadingAnswer = match &self.reviewer.by {
            By::Model(_) => self.ask(ModelTask::Reading, filled, bounds)?,
            By::AtHand(reader) => self.handed_back(reader, filled)?,
        };
        let source = Source { text, quotes: &self.quotes, reading, language: self.language };
        let mut checked = orders::check(&answer, source, &|words: &str| self.clean(words));
        self.discard(ModelTask::Reading, std::mem::take(&mut checked.discarded));
        Some(checked)
    }

    /// Records statements that were discarded.
    pub(super) fn discard(&mut self, task: ModelTask, discarded: Vec<(DiscardReason, String)>) {
        let shown = discarded.into_iter().map(|(reason, said)| Discarded {
            task,
            reason,
            said: self.masked(&said, LONGEST_DISCARD),
        });
        self.discarded.extend(shown.collect::<Vec<_>>());
    }

    /// Records that a task was not asked, and the reason.
    pub(crate) fn not_asked(&mut self, task: ModelTask, reason: SkipReason) {
        self.attempted(task, ModelStepEnd::NotAsked { reason }, None, 0, ModelUsage::default());
    }

    /// The host, and everything that was asked and discarded.
    pub(crate) fn end(self) -> (Option<String>, Vec<ModelStep>, Vec<Discarded>) {
        (self.host, self.steps, self.discarded)
    }

    /// Makes words of the model safe to show: one line, without an order, personal data or an address that the text
    /// does not have.
    pub(crate) fn clean(&self, words: &str) -> Result<String, DiscardReason> {
        let line = one_line(words);
        if !line.chars().any(char::is_alphanumeric) || line.chars().nth(LONGEST_WORDS).is_some() {
            return Err(DiscardReason::Unusable);
        }
        let is_address = |piece: &&str| piece.contains("://") || piece.contains("www.") || piece.contains("](");
        if line.split_whitespace().filter(is_address).any(|piece| !self.quotes.mentions(piece)) {
            return Err(DiscardReason::Unsafe);
        }
        let screened = self.reviewer.screen.screen(&line, &[], self.source);
        match screened.report.findings.iter().any(|finding| finding.span.is_some()) {
            true => Err(DiscardReason::Unsafe),
            false => Ok(line),
        }
    }

    /// The first words of a statement, with personal data masked.
    fn masked(&self, said: &str, most: usize) -> String {
        let line: String = one_line(said).chars().take(2_000).collect();
        let line = self.reviewer.screen.screen(&line, &[], self.source).text;
        match line.char_indices().nth(most) {
            Some((at, _)) => format!("{}…", &line[..at]),
            None => line,
        }
    }

    fn filled(&self, asking: Asking, criteria: &str, findings: &str) -> Filled {
        let values = [
            (Hole::Kind, self.kind),
            (Hole::Language, self.language_name()),
            (Hole::Criteria, criteria),
            (Hole::Ticket, self.fenced.as_str()),
            (Hole::Findings, findings),
        ];
        self.reviewer.prompts.of(asking).fill(&values)
    }

    fn language_name(&self) -> &'static str {
        match self.language {
            Language::En => "English",
            Language::Zh => "Chinese",
        }
    }

    fn ask<T>(&mut self, task: ModelTask, filled: Filled, bounds: Vec<Bound>) -> Option<T>
    where
        T: JsonSchema + DeserializeOwned + Validate,
        T::Context: Default,
    {
        if let Some(reason) = self.silent {
            self.not_asked(task, reason);
            return None;
        }
        let By::Model(model) = &self.reviewer.by else {
            self.not_asked(task, SkipReason::NoQuestion);
            return None;
        };
        let question = Question {
            id: self.prompt(task).id.clone(),
            instructions: filled.instructions,
            data: filled.data,
            // The fence's name follows from the text, so it may be part of the data that decide the answer.
            nonce: String::new(),
            until: Some(self.until(task)),
            bounds,
        };
        let shape = schemars::schema_for!(T).to_value();
        let preview = match &self.reviewer.dry_run {
            None if self.host.is_some() => None,
            _ => Some(model.preview(&question, &shape)),
        };
        self.host = self.host.take().or_else(|| host(&preview.as_ref()?.url));
        if let Some(kept) = &self.reviewer.dry_run {
            if let (Ok(mut kept), Some(preview)) = (kept.lock(), preview) {
                kept.push(DryRun { input: self.input.clone(), task, preview });
            }
            self.not_asked(task, SkipReason::DryRun);
            return None;
        }
        let mut taken = None;
        let answered = model.answer(&question, &shape, &mut |answer| {
            taken = Some(question.read::<T>(answer)?);
            Ok(())
        });
        match answered {
            Ok(answer) => {
                let usage = usage(answer.usage, answer.cost);
                self.attempted(task, ModelStepEnd::Answered, Some(origin(answer)), answer.attempts, usage);
                taken
            }
            Err(NoAnswer { message, is_outage, is_unrecorded, exchanges, usage: used, cost }) => {
                if is_outage {
                    self.silent = Some(SkipReason::Outage);
                }
                if is_unrecorded {
                    self.unrecorded = Some(message.clone());
                }
                let reason = self.masked(&message, LONGEST_REASON);
                self.attempted(task, ModelStepEnd::Failed { reason }, None, exchanges, usage(used, cost));
                None
            }
        }
    }

    /// The reading that the reader at hand has returned; without one, the order is kept for the reader.
    fn handed_back(&mut self, reader: &AtHand, order: Filled) -> Option<ReadingAnswer> {
        if let Some(reason) = self.silent {
            self.not_asked(ModelTask::Reading, reason);
            return None;
        }
        reader.keep(order);
        match reader.reading() {
            Some(reading) => {
                self.attempted(ModelTask::Reading, ModelStepEnd::Answered, None, 0, ModelUsage::default());
                Some(reading.clone())
            }
            None => {
                self.not_asked(ModelTask::Reading, SkipReason::DryRun);
                None
            }
        }
    }

    fn until(&self, task: ModelTask) -> Instant {
        let limit = self.reviewer.structuring_limit.filter(|_| task == ModelTask::Structuring);
        limit.map_or(self.until, |limit| self.until.min(Instant::now() + limit))
    }

    fn attempted(
        &mut self,
        task: ModelTask,
        end: ModelStepEnd,
        origin: Option<AnswerOrigin>,
        attempts: u32,
        usage: ModelUsage,
    ) {
        let prompt = self.prompt(task).clone();
        self.steps.push(ModelStep { task, prompt, end, attempts, origin, usage });
    }
}

impl Review<'_> {
    /// The prompt of a task.
    fn prompt(&self, task: ModelTask) -> &PromptReference {
        let asking = match task {
            ModelTask::Structuring => Asking::Structuring,
            ModelTask::Scoring => Asking::Scoring,
            ModelTask::Clarify => Asking::Clarify,
            ModelTask::Reading => return &self.reviewer.orders.reading(self.reader.as_deref()).reference,
        };
        &self.reviewer.prompts.of(asking).reference
    }
}

fn origin(answer: Answered) -> AnswerOrigin {
    match (answer.replayed, answer.from_cache) {
        (true, _) => AnswerOrigin::Recording,
        (false, true) => AnswerOrigin::Cache,
        (false, false) => AnswerOrigin::Provider,
    }
}

fn usage(usage: Usage, cost: Option<f64>) -> ModelUsage {
    ModelUsage { input_tokens: usage.input_tokens, output_tokens: usage.output_tokens, cost }
}

/// The host of a URL, with its port.
fn host(url: &str) -> Option<String> {
    let rest = url.split_once("://")?.1;
    let host = rest.split(['/', '?', '#']).next().filter(|host| !host.is_empty())?;
    Some(host.rsplit('@').next().unwrap_or(host).to_owned())
}

fn kind(profile: Profile) -> &'static str {
    match profile {
        Profile::Feature => "a ticket that asks for a change of a product",
        Profile::Bug => "a report of a fault in a product",
        Profile::Prd => "a product requirements document",
        Profile::Meeting => "the notes of a meeting about a product",
    }
}

fn one_line(words: &str) -> String {
    clean::words(words)
}

/// Returns true if the model was to be asked and a question got no answer; for `--require-model`.
pub fn lacks_the_model(outcome: &Outcome) -> bool {
    outcome.model.as_ref().is_some_and(|report| report.failure().is_some())
}
