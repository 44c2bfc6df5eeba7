//! START HERE: intake → guardrail → structuring → structure check → scoring → gate, in straight lines.
//!
//! All seven stages are here. A poor requirement is an `Outcome`; only a broken input or world is an `Err`.

mod asked;
#[cfg(test)]
mod compiled_once;
mod error;
mod facet_examples;
mod formatter;
mod packet;
mod policy;
mod reasons;
mod repairs;
mod settings;
mod signals;
mod steps;
mod unread;

pub use error::PipelineError;
pub use facet_examples::{FacetExampleFailure, check_facet_examples};
pub use settings::{Settings, Stated};

use std::time::Instant;

use crate::model::{
    ExecutionTimes, GuardrailReport, Language, Outcome, QuestionCode, RequirementPacket, ReviewIssue, SourceType,
    Stage, TicketType, Waiver,
};
use crate::review::{ModelReviewer, Reviewed};
use crate::rules::{Profile, RuleBook, Told};
use crate::stages::gate::{self, BaselineUse, WaiverError};
use crate::stages::guardrail::{Guardrail, Purpose, Screened};
use crate::stages::intake::{RawInput, detect};
use crate::stages::scoring::estimate::Estimate;
use crate::stages::scoring::{Context, Failures, Found, findings};
use crate::stages::structure_check;
use crate::stages::structuring::evidence::Form;
use crate::text::Reading;
use asked::Asked;
use packet::{packet, validate};
use steps::Case;

/// A pipeline ready to judge.
pub struct Pipeline {
    /// The rules, rubrics and vocabulary in force.
    pub book: RuleBook,
    guardrail: Guardrail,
    settings: Settings,
    reviewer: Option<Box<ModelReviewer>>,
}

/// An input that the guardrail let through.
struct Admitted {
    input: String,
    packet: RequirementPacket,
    language: Language,
    guardrail: GuardrailReport,
    gaps: Vec<ReviewIssue>,
    /// What was counted in the text as written, unless something in it was masked since.
    form: Option<Form>,
    /// What learned weights say of the text, before its kind is known.
    learned: Option<Told>,
}

impl Pipeline {
    /// Puts the parts together.
    pub fn new(book: RuleBook, guardrail: Guardrail, settings: Settings) -> Self {
        Self { book, guardrail, settings, reviewer: None }
    }

    /// The same pipeline with a model to ask. What it says can only lower a score and add findings.
    #[must_use]
    pub fn with_reviewer(self, reviewer: ModelReviewer) -> Self {
        Self { reviewer: Some(Box::new(reviewer)), ..self }
    }

    /// The model that is asked, if one is.
    pub fn reviewer(&self) -> Option<&ModelReviewer> {
        self.reviewer.as_deref()
    }

    /// The settings in force.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Adds waivers to those of the configuration, for the inputs to come.
    ///
    /// # Errors
    /// Fails on the first waiver without a reason, with a broken date or a broken pattern.
    pub fn waive(&mut self, waivers: &[Waiver], today: &str) -> Result<(), WaiverError> {
        self.settings.waivers.extend(waivers, today)
    }

    /// Decides the inputs to come by what was known before.
    pub fn use_baseline(&mut self, baseline: BaselineUse) {
        self.settings.baseline = baseline;
    }

    /// Words that are no ticket but are shown with one, masked like one: personal data and secrets keep their length only.
    pub fn masked(&self, words: &str) -> String {
        self.guardrail.screen(words, &[], SourceType::PlainText).text
    }

    /// What the guardrail finds in a text, whatever its length; a text too short to be judged is screened all the same.
    pub fn screen(&self, text: &str) -> Screened {
        let reading = self.book.reader.read(text, None);
        let source = detect::source_type(&RawInput { text: text.to_owned(), ..RawInput::default() }, &reading);
        self.guardrail.screen(text, &reading.code(), source.value)
    }

    /// Judges one input.
    ///
    /// # Errors
    /// Fails if the input is no valid packet or no rubric fits it; a bad requirement is an `Outcome`.
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
        let mut clock = Clock::default();
        let input = self.settings.stated.put_to(input);
        let mut reading = self.book.reader.read(&input.text, input.title_span);
        let source = detect::source_type(&input, &reading);
        if source.value == SourceType::PrdDoc || self.settings.stated.is_requirement {
            reading = self.book.reader.read_document(&input.text, input.title_span, reading);
        }
        let Asked { what: asked, form, learned } = self.asked(&input, &reading, source.value);

        let other_language = self.other_language(&input, &reading);
        let written_in = match other_language {
            Some(_) => Language::En,
            None => input.language.unwrap_or(reading.language),
        };
        let language = self.settings.stated.report_language.unwrap_or(written_in);

        let by_readings = self.by_readings(&input.name, source.value, asked.judged_as);
        let purpose = Purpose { source: source.value, language, by_readings };
        // Reading comes first and keeps no words: the guardrail masks byte for byte, so every place stays true.
        let screened =
            clock.time(Stage::InputGuardrail, || self.guardrail.screen_for(&input.text, &reading.code(), purpose));
        let mut guardrail = screened.report;
        let packet = clock.time(Stage::Normalize, || {
            packet(&input, screened.text, &reading, source, asked.ticket_type, other_language, |words| {
                self.guardrail.screen_beside(words, &mut guardrail, language)
            })
        });
        // A text that is too short or too long is a poor ticket, not a broken input.
        if !guardrail.lets_through() {
            let decision = gate::stopped(&guardrail, language);
            return Ok(formatter::unscored(input.name, packet, language, guardrail, decision, clock.times));
        }
        validate(&input.name, &packet)?;
        let is_of_a_feature = packet.ticket_type.value == TicketType::FeaturePart;
        if let Some(decision) = self.unread(&input, &packet, language).filter(|_| !is_of_a_feature) {
            return Ok(formatter::unscored(input.name, packet, language, guardrail, decision, clock.times));
        }
        let Some(profile) = Profile::of(packet.source_type.value, asked.judged_as) else {
            let decision = gate::not_applicable(packet.ticket_type.value, language);
            return Ok(formatter::unscored(input.name, packet, language, guardrail, decision, clock.times));
        };
        let gaps = gaps(&packet);
        let form = form.filter(|_| packet.raw_text == input.text);
        let admitted = Admitted { input: input.name, packet, language, guardrail, gaps, form, learned };
        self.judge(admitted, &reading, profile, clock)
    }

    fn judge(
        &self,
        admitted: Admitted,
        reading: &Reading,
        profile: Profile,
        mut clock: Clock,
    ) -> Result<Outcome, PipelineError> {
        let Admitted { input, packet, language, guardrail, gaps, form, learned } = admitted;
        let policy = self.policy(&input)?;
        let rubric = self.rubric(&input, policy, profile)?;
        let text = packet.raw_text.as_str();
        let by_evidence = policy.by_evidence(profile);
        let skipped = !self.settings.enable_structuring;

        let structured = clock.time(Stage::Structuring, || {
            let form = form.unwrap_or_else(|| Form::read(text, reading));
            self.structured(text, reading, &form, profile, by_evidence)
        });
        // Only the draft of the rules is checked and scored: what a model adds is shown and earns nothing.
        let draft = structured.draft.as_ref().filter(|_| !skipped);
        let on_raw_text = draft.is_none() && !skipped;
        let check = (!skipped)
            .then(|| clock.time(Stage::StructureCheck, || structure_check::check(draft, reading, profile, language)));
        if on_raw_text && !self.settings.enable_fallback {
            let decision = gate::not_structured(&structured.failures, language);
            let outcome = formatter::unscored(input, packet, language, guardrail, decision, clock.times);
            return Ok(formatter::with_structure(outcome, structured, check));
        }
        let facets = &structured.facets;
        let ctx = Context { text, reading, language, facets, profile, by_evidence };
        let findings = clock.time(Stage::Scoring, || findings::findings(&self.book, ctx));
        let estimate = learned.zip(self.readings(policy, profile)).map(|(mut learned, by)| {
            signals::add_of_kind(&mut learned, profile, &facets.evidence, &findings);
            Estimate::of(learned, by)
        });
        let asked: Option<Vec<QuestionCode>> =
            estimate.as_ref().map(|estimate| estimate.asked.iter().map(|(code, _)| *code).collect());
        let mut review = self.review(&input, &packet, reading, rubric, profile)?;
        let assisted = review
            .as_mut()
            .and_then(|review| clock.time(Stage::Structuring, || review.draft(&structured, text, profile, skipped)));

        let case = Case {
            input: &input,
            rubric,
            policy,
            threshold: self.threshold(policy, rubric, profile),
            ctx,
            found: Found { findings: &findings, asked: asked.as_deref() },
            guardrail: &guardrail,
            gaps: &gaps,
            failures: Failures {
                structure_check: check.as_ref().is_some_and(|check| !check.passed()),
                structuring: on_raw_text,
            },
            reads_like_a_question: packet.ticket_type.value == TicketType::Question,
            likely_ready: estimate.as_ref().map(Estimate::likely_ready),
        };
        let alone = review.as_ref().map(|_| self.rules_alone(case, on_raw_text || skipped));
        let evidence =
            review.as_mut().and_then(|review| clock.time(Stage::Scoring, || review.evidence(rubric, case.ctx)));
        let (scored, waivers) = clock.time(Stage::Scoring, || self.score(case, evidence.as_ref()));
        let (decision, mut issues) = clock.time(Stage::Gate, || self.decide(case, &scored, &waivers));
        let model = review.zip(alone).map(|(review, alone)| {
            let (ctx, verdict) = (case.ctx, decision.verdict);
            let (assisted, evidence, lowered) = (assisted.as_ref(), evidence.as_ref(), scored.lowered.clone());
            let run = Reviewed { book: &self.book, ctx, verdict, alone, assisted, evidence, lowered };
            clock.time(Stage::Formatter, || review.report(run, &mut issues.blocking, &mut issues.warnings))
        });

        let score = scored.score;
        let kind = packet.ticket_type.value;
        let estimated = estimate.map(|estimate| formatter::reading(&self.book, kind, &estimate, &issues, language));
        let rules = formatter::Rules { structured, by_evidence, on_raw_text, check };
        let parts = formatter::Parts {
            input,
            packet,
            language,
            guardrail,
            rules,
            assisted,
            score,
            issues,
            decision,
            model,
            reading: estimated,
        };
        Ok(formatter::scored(parts, skipped, policy.file.most_questions, clock))
    }
}

/// Seconds per stage.
#[derive(Debug, Default)]
struct Clock {
    times: ExecutionTimes,
}

impl Clock {
    fn time<T>(&mut self, stage: Stage, run: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = run();
        let seconds = start.elapsed().as_secs_f64();
        // A stage that works in two turns is told once.
        match self.times.iter_mut().find(|(known, _)| *known == stage) {
            Some((_, so_far)) => *so_far += seconds,
            None => self.times.push((stage, seconds)),
        }
        result
    }
}
