//! START HERE: a text is read and passes seven stages: guardrail → normalisation → structuring → structure check → scoring →
//! gate → formatter.
//!
//! [`Pipeline::run_with`] has the first two and stops the texts that cannot be judged; `Pipeline::judge` has the other
//! five. A poor requirement is an `Outcome`; only broken input or an error of the system is an `Err`.

mod admission;
#[cfg(test)]
mod compiled_once;
mod error;
mod facet_examples;
mod formatter;
mod found;
mod in_force;
mod judged;
mod packet;
mod policy;
mod repairs;
mod settings;
mod steps;
mod ticket_kind;
mod unread;
mod without_effect;

pub use error::PipelineError;
pub use facet_examples::{FacetExampleFailure, check_facet_examples};
pub use in_force::{InForce, SetBy};
pub use settings::{Settings, Stated};
pub use without_effect::without_effect;

use std::ops::ControlFlow;

use crate::local_reader::{Read, Remembering, TeamWeights};
use crate::orders::{Inputs, OwnOrders, caution};
use crate::review::ModelReviewer;
use crate::stages::gate::{self, BaselineUse, WaiverError};
use crate::stages::intake::RawInput;
use crate::stages::scoring::estimate::Estimate;
use crate::stages::scoring::{Context, Failures, RuleFindings};
use crate::stages::structure_check;
use crate::stages::structuring::evidence::Form;
use admission::Incoming;
use formatter::Subject;
use found::found;
use reqgate_base::clean::{MASK_LABELS, short_masks};
use reqgate_base::model::{
    Acceptance, ExecutionTimes, Genre, Language, Outcome, RequirementPacket, ReviewIssue, SourceType, Span, Stage,
    TicketType, Verdict, Waiver,
};
use reqgate_guardrail::{Guardrail, Screened};
use reqgate_rules::{Profile, RuleBook};
use reqgate_text::{BlockKind, Reading};
use steps::{Case, RulesApplied};
use ticket_kind::TicketKind;

/// A pipeline ready to judge.
pub struct Pipeline {
    /// The rules, rubrics and vocabulary in force.
    pub book: RuleBook,
    guardrail: Guardrail,
    settings: Settings,
    reviewer: Option<Box<ModelReviewer>>,
    /// The user's own orders about documents, for authors who are not a model of this program.
    orders: OwnOrders,
    reader: Remembering,
    /// Seconds since any moment; always 0 without a clock.
    seconds: fn() -> f64,
}

/// An input that is judged.
struct Admitted {
    subject: Subject,
    reading: Reading,
    kind: TicketKind,
    gaps: Vec<ReviewIssue>,
    /// The points that a person accepted as open, according to the document.
    accepted: Option<Acceptance>,
    /// The source has a field for the description, and it is empty.
    has_empty_description: bool,
}

impl Pipeline {
    /// Makes a pipeline from its parts.
    pub fn new(book: RuleBook, guardrail: Guardrail, settings: Settings) -> Self {
        let reader = Remembering::new(settings.reader.clone());
        Self { book, guardrail, settings, reviewer: None, orders: OwnOrders::default(), reader, seconds: || 0.0 }
    }

    /// The same with a clock, in seconds since any moment, which times the stages. No result depends on it.
    #[must_use]
    pub fn with_clock(self, seconds: fn() -> f64) -> Self {
        Self { seconds, ..self }
    }

    /// Judges the following inputs with or without the weights of a team.
    pub fn use_team(&mut self, team: Option<TeamWeights>) {
        self.settings.team = team;
    }

    /// The local reader's result for a screened text; `None` if the reader is off.
    pub fn read(&self, packet: &RequirementPacket) -> Option<Read> {
        let reading = self.book.reader.read(&packet.raw_text, packet.title_span);
        self.read_text(&packet.raw_text, &reading, None)
    }

    fn read_text(&self, text: &str, reading: &Reading, language: Option<Language>) -> Option<Read> {
        let title = reading.title.map_or("", |title| title.slice(text));
        // A heading at the end without text below it is not part of the ticket.
        let said =
            reading.sentences.iter().rev().find(|sentence| !matches!(sentence.genre, Genre::Heading | Genre::Title));
        let end = said.map_or(text.len(), |last| reading.blocks[last.block].text.end.max(last.span.end));
        let start = reading.title.map_or(0, |title| title.end);
        let body = without_comments(text, Span::new(start, end.max(start)), reading);
        self.reader.read(title, body.trim(), language.unwrap_or(reading.language))
    }

    /// The same pipeline with a model. Its answers can lower a score and add findings; only words of the text that it
    /// quotes can raise one, within the bounds of its calibration.
    #[must_use]
    pub fn with_reviewer(self, reviewer: ModelReviewer) -> Self {
        Self { reviewer: Some(Box::new(reviewer)), ..self }
    }

    /// Hands out orders about documents with the user's own instructions.
    #[must_use]
    pub fn with_orders(self, orders: OwnOrders) -> Self {
        Self { orders, ..self }
    }

    /// The user's own orders about documents.
    pub fn orders(&self) -> &OwnOrders {
        &self.orders
    }

    /// The model that is asked, if one is.
    pub fn reviewer(&self) -> Option<&ModelReviewer> {
        self.reviewer.as_deref()
    }

    /// The settings in force.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Adds waivers to those of the configuration, for the following inputs.
    ///
    /// # Errors
    /// Fails on the first waiver without a reason, with a broken date or a broken pattern.
    pub fn waive(&mut self, waivers: &[Waiver], today: &str) -> Result<(), WaiverError> {
        self.settings.waivers.extend(waivers, today)
    }

    /// Judges the following inputs against a baseline of known findings.
    pub fn use_baseline(&mut self, baseline: BaselineUse) {
        self.settings.baseline = baseline;
    }

    /// Masks personal data and secrets in words that are shown with a ticket (an answer, an error); even their lengths
    /// are hidden.
    pub fn masked(&self, words: &str) -> String {
        short_masks(&self.guardrail.screen(words, &[], SourceType::PlainText).text).into_owned()
    }

    /// The caution to hand out with an order whose texts may hold orders of a stranger.
    pub fn caution(&self, inputs: &impl Inputs) -> Option<String> {
        caution(inputs, &self.guardrail)
    }

    /// The values that [`Self::masked`] hides in these words, each after its mask; values too short for a mask are left out.
    pub fn masks<'w>(&self, words: &'w str) -> Vec<(&'static str, &'w str)> {
        let screened = self.guardrail.screen(words, &[], SourceType::PlainText);
        let spans = screened.report.findings.iter().filter_map(|finding| finding.span);
        let mask = |span: Span| {
            let label = MASK_LABELS.into_iter().find(|label| span.slice(&screened.text).starts_with(label))?;
            Some((label, span.slice(words))).filter(|(_, value)| !value.starts_with(label))
        };
        spans.filter_map(mask).collect()
    }

    /// Screens a text of any length, including one that is too short to be judged.
    pub fn screen(&self, text: &str) -> Screened {
        let reading = self.book.reader.read(text, None);
        self.guardrail.screen(text, &reading.code(), None)
    }

    /// Judges one input.
    ///
    /// # Errors
    /// Fails if the input is not a valid packet or no rubric fits it; a bad requirement is an `Outcome`.
    pub fn run(&self, input: RawInput) -> Result<Outcome, PipelineError> {
        self.run_with(input, |_| Vec::new())
    }

    /// Judges one input together with the gaps of the issue form that it was written with.
    ///
    /// # Errors
    /// Fails like [`Pipeline::run`].
    pub fn run_with(
        &self,
        input: RawInput,
        gaps: impl FnOnce(&RequirementPacket) -> Vec<ReviewIssue>,
    ) -> Result<Outcome, PipelineError> {
        let mut clock = Clock { seconds: self.seconds, times: ExecutionTimes::default() };
        // Reading comes first and keeps no words: the guardrail masks byte for byte, so every place stays valid.
        let mut incoming = self.incoming(input);
        let mut guardrail = clock.time(Stage::InputGuardrail, || self.mask(&mut incoming));
        let (kind, packet) = clock.time(Stage::Normalize, || self.normalized(&incoming, &mut guardrail));
        let admission = self.admission(&incoming, &packet, kind.what.judged_as, &guardrail)?;
        let Incoming { input, reading, language, .. } = incoming;
        let has_empty_description = input.has_empty_description();
        let subject = Subject { input: input.name, packet, language, guardrail };
        let profile = match admission {
            ControlFlow::Continue(profile) => profile,
            ControlFlow::Break(decision) => return Ok(formatter::unscored(subject, decision, clock.times)),
        };
        let gaps = gaps(&subject.packet);
        let accepted = input.accepted.map(|accepted| self.acceptance(accepted));
        self.judge(Admitted { subject, reading, kind, gaps, accepted, has_empty_description }, profile, clock)
    }

    fn judge(&self, admitted: Admitted, profile: Profile, mut clock: Clock) -> Result<Outcome, PipelineError> {
        let Admitted { subject, reading, kind, gaps, accepted, has_empty_description } = admitted;
        let TicketKind { form, read, no_requirement, .. } = kind;
        let Subject { input, packet, language, guardrail } = &subject;
        let policy = self.policy(input)?;
        let accepted = accepted.map(|accepted| policy.file.counted(accepted));
        let rubric = self.rubric(input, policy, profile)?;
        let (text, by_evidence) = (packet.raw_text.as_str(), policy.by_evidence(profile));
        let skipped = !self.settings.enable_structuring;

        let structured = clock.time(Stage::Structuring, || {
            let form = form.unwrap_or_else(|| Form::read(text, &reading));
            self.structured(text, (&reading, &form), read.as_ref(), profile, by_evidence)
        });
        // Only the draft of the rules is checked and scored; additions of a model are shown and earn no points.
        let draft = structured.draft.as_ref().filter(|_| !skipped);
        let on_raw_text = draft.is_none() && !skipped;
        let check = (!skipped)
            .then(|| clock.time(Stage::StructureCheck, || structure_check::check(draft, &reading, profile, *language)));
        if on_raw_text && !self.settings.enable_fallback {
            let decision = gate::not_structured(&structured.failures, *language);
            let outcome = formatter::unscored(subject, decision, clock.times);
            return Ok(formatter::with_structure(outcome, structured, check));
        }

        let facets = &structured.facets;
        let ctx = Context {
            text,
            reading: &reading,
            language: *language,
            facets,
            profile,
            by_evidence,
            has_empty_description,
        };
        let RulesApplied { findings, lacks_criteria, estimate } =
            clock.time(Stage::Scoring, || self.apply_rules(ctx, policy, read.as_ref()));
        let asked = estimate.as_ref().map(Estimate::codes);
        let found = read.as_ref().map(|read| found(read, facets)).unwrap_or_default();
        let case = Case {
            input,
            rubric,
            policy,
            threshold: self.settings.threshold(policy, rubric, profile).0,
            ctx,
            found: RuleFindings { findings: &findings, asked: asked.as_deref() },
            guardrail,
            gaps: &gaps,
            failures: Failures {
                structure_check: check.as_ref().is_some_and(|check| !check.passed()),
                structuring: on_raw_text,
            },
            accepted: accepted.as_ref(),
            reads_like_a_question: packet.ticket_type.value == TicketType::Question,
            lacks_criteria,
            likely_ready: estimate.as_ref().map(Estimate::likely_ready),
            heard: None,
        };
        // If readings decide, a model is one more reader, asked once. Otherwise it reviews the findings of the rules.
        let judged = match (estimate, self.review(packet, case)?) {
            (Some(estimate), Some(review)) => {
                self.with_reader(case, review, (estimate, no_requirement), on_raw_text || skipped, &mut clock)
            }
            (estimate, review) => self.with_review(case, review, (estimate, &structured), skipped, &mut clock),
        };

        let team = self.settings.team.as_ref().map(TeamWeights::reference);
        let reading = formatter::reading(&self.book, packet.ticket_type.value, &judged, found, team);
        if judged.decision.verdict == Verdict::NotApplicable {
            let outcome = formatter::unscored(subject, judged.decision, clock.times);
            return Ok(Outcome { model: judged.model, reading, ..outcome });
        }
        let rules = formatter::Rules { structured, by_evidence, on_raw_text, check };
        let parts = formatter::Parts { subject, rules, judged, reading };
        Ok(formatter::scored(parts, skipped, policy.file.most_questions, clock))
    }
}

/// The words of a span without the comments of templates, which readers do not see.
fn without_comments(text: &str, span: Span, reading: &Reading) -> String {
    let mut out = String::new();
    let mut at = span.start;
    let comments = reading.blocks.iter().filter(|block| block.kind == BlockKind::HtmlComment);
    for comment in comments.map(|block| block.span) {
        if comment.start >= at && comment.end <= span.end {
            out.push_str(&text[at..comment.start]);
            at = comment.end;
        }
    }
    out.push_str(text.get(at..span.end).unwrap_or_default());
    out
}

/// Measures the seconds of each stage.
#[derive(Debug)]
struct Clock {
    seconds: fn() -> f64,
    times: ExecutionTimes,
}

impl Clock {
    fn time<T>(&mut self, stage: Stage, run: impl FnOnce() -> T) -> T {
        let start = (self.seconds)();
        let result = run();
        let seconds = (self.seconds)() - start;
        // A stage that runs twice is reported once, with the sum of its times.
        match self.times.iter_mut().find(|(known, _)| *known == stage) {
            Some((_, so_far)) => *so_far += seconds,
            None => self.times.push((stage, seconds)),
        }
        result
    }
}
