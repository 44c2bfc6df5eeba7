//! START HERE: intake → guardrail → structuring → structure check → scoring → gate, in straight lines.
//!
//! All seven stages are here. A poor requirement is an `Outcome`; only broken input or an error of the system is an `Err`.

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

use crate::local_reader::{Read, Remembering, TeamWeights};
use crate::orders::{Inputs, caution};
use crate::review::ModelReviewer;
use crate::stages::gate::{self, BaselineUse, WaiverError};
use crate::stages::intake::{RawInput, detect};
use crate::stages::scoring::binding::binds;
use crate::stages::scoring::estimate::Estimate;
use crate::stages::scoring::{Context, Failures, RuleFindings, findings};
use crate::stages::structure_check;
use crate::stages::structuring::evidence::Form;
use found::found;
use judged::Judged;
use packet::{packet, validate};
use reqgate_base::clean::{MASK_LABELS, short_line, short_masks};
use reqgate_base::model::{
    Acceptance, AcceptedFinding, ExecutionTimes, Genre, GuardrailReport, Language, MISSING_CRITERIA, Outcome,
    QuestionCode, RequirementPacket, ReviewIssue, SourceType, Span, Stage, TicketType, Verdict, Waiver,
};
use reqgate_guardrail::{Guardrail, Purpose, Screened};
use reqgate_rules::{Profile, RuleBook};
use reqgate_text::{BlockKind, Reading};
use steps::Case;
use ticket_kind::TicketKind;

/// The longest name and reason of an acceptance in a report, in characters.
const LONGEST_NAME: usize = 80;
const LONGEST_REASON: usize = 300;

/// A pipeline ready to judge.
pub struct Pipeline {
    /// The rules, rubrics and vocabulary in force.
    pub book: RuleBook,
    guardrail: Guardrail,
    settings: Settings,
    reviewer: Option<Box<ModelReviewer>>,
    reader: Remembering,
    /// Seconds since any moment; always 0 without a clock.
    seconds: fn() -> f64,
}

/// An input that the guardrail let through.
struct Admitted {
    input: String,
    packet: RequirementPacket,
    language: Language,
    guardrail: GuardrailReport,
    gaps: Vec<ReviewIssue>,
    /// The counted properties of the text.
    form: Option<Form>,
    /// The local reader's result.
    read: Option<Read>,
    /// The probability that it asks for no work, 0 to 1.
    no_requirement: f64,
    /// The points that a person accepted as open, according to the document.
    accepted: Option<Acceptance>,
    /// The source has a field for the description, and it is empty.
    has_empty_description: bool,
}

impl Pipeline {
    /// Makes a pipeline from its parts.
    pub fn new(book: RuleBook, guardrail: Guardrail, settings: Settings) -> Self {
        let reader = Remembering::new(settings.reader.clone());
        Self { book, guardrail, settings, reviewer: None, reader, seconds: || 0.0 }
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
        let input = self.settings.stated.put_to(input);
        let mut reading = self.book.reader.read(&input.text, input.title_span);
        let source = detect::source_type(&input, &reading);
        if source.value == SourceType::PrdDoc || self.settings.stated.is_requirement {
            reading = self.book.reader.read_document(&input.text, input.title_span, reading);
        }
        // A guessed kind does not set a limit of length.
        let length = input.source_type.or(input.tracker);
        let other_language = self.other_language(&input, &reading);
        let written_in = match other_language {
            Some(_) => Language::En,
            None => input.language.unwrap_or(reading.language),
        };
        let language = self.settings.stated.report_language.unwrap_or(written_in);

        let by_readings = self.by_readings(&input.name, source.value).is_some();
        let purpose = Purpose { source: length, language, by_readings };
        // Reading comes first and keeps no words: the guardrail masks byte for byte, so every place stays valid.
        let screened =
            clock.time(Stage::InputGuardrail, || self.guardrail.screen_for(&input.text, &reading.code(), purpose));
        let mut guardrail = screened.report;
        let input = RawInput { text: screened.text, ..input };
        // A text that the guardrail stops is not judged, so its kind is not worked out.
        let TicketKind { what: asked, form, read, no_requirement } = match guardrail.lets_through() {
            true => clock.time(Stage::Normalize, || self.asked(&input, &reading, source.value)),
            false => TicketKind::told(&input, &reading, source.value),
        };
        let packet = clock.time(Stage::Normalize, || {
            packet(&input, input.text.clone(), &reading, source, asked.ticket_type, other_language, |words| {
                self.guardrail.screen_beside(words, &mut guardrail, language)
            })
        });
        // An id or address in which a value would be masked is dropped.
        let clean = |words: &Option<String>| words.clone().filter(|words| self.masked(words) == *words);
        let packet = RequirementPacket { id: clean(&input.facts.id), url: clean(&input.facts.url), ..packet };
        // A text that is too short or too long is a poor ticket, not a broken input.
        if !guardrail.lets_through() {
            let decision = gate::stopped(&guardrail, language);
            return Ok(formatter::unscored(input.name, packet, language, guardrail, decision, clock.times));
        }
        validate(&input.name, &packet)?;
        let is_of_a_feature = packet.ticket_type.value == TicketType::FeaturePart;
        if let Some(decision) = self.unread(&input, &packet, &reading, language).filter(|_| !is_of_a_feature) {
            return Ok(formatter::unscored(input.name, packet, language, guardrail, decision, clock.times));
        }
        let Some(profile) = Profile::of(packet.source_type.value, asked.judged_as) else {
            let decision = gate::not_applicable(packet.ticket_type.value, language);
            return Ok(formatter::unscored(input.name, packet, language, guardrail, decision, clock.times));
        };
        let gaps = gaps(&packet);
        let has_empty_description = input.has_empty_description();
        let accepted = input.accepted.map(|accepted| Acceptance {
            by: short_line(&self.masked(&accepted.by), LONGEST_NAME),
            reason: short_line(&self.masked(&accepted.reason), LONGEST_REASON),
            questions: accepted.questions.iter().map(|words| self.screen(words).text).collect(),
            findings: accepted
                .findings
                .into_iter()
                .map(|AcceptedFinding { rule, words }| AcceptedFinding { rule, words: self.screen(&words).text })
                .collect(),
        });
        let admitted = Admitted {
            input: input.name,
            packet,
            language,
            guardrail,
            gaps,
            form,
            read,
            no_requirement,
            accepted,
            has_empty_description,
        };
        self.judge(admitted, &reading, profile, clock)
    }

    fn judge(
        &self,
        admitted: Admitted,
        reading: &Reading,
        profile: Profile,
        mut clock: Clock,
    ) -> Result<Outcome, PipelineError> {
        let Admitted {
            input,
            packet,
            language,
            guardrail,
            gaps,
            form,
            read,
            no_requirement,
            accepted,
            has_empty_description,
        } = admitted;
        let policy = self.policy(&input)?;
        let rubric = self.rubric(&input, policy, profile)?;
        let text = packet.raw_text.as_str();
        let by_evidence = policy.by_evidence(profile);
        let skipped = !self.settings.enable_structuring;

        let structured = clock.time(Stage::Structuring, || {
            let form = form.unwrap_or_else(|| Form::read(text, reading));
            self.structured(text, (reading, &form), read.as_ref(), profile, by_evidence)
        });
        // Only the draft of the rules is checked and scored; additions of a model are shown and earn no points.
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
        let ctx = Context { text, reading, language, facets, profile, by_evidence, has_empty_description };
        let mut findings = clock.time(Stage::Scoring, || findings::findings(&self.book, ctx));
        let lacks_criteria = self.settings.stated.is_requirement && findings::lacks_criteria(ctx);
        if lacks_criteria && !findings.iter().any(|finding| finding.rule.as_str() == MISSING_CRITERIA) {
            findings.extend(findings::missing_criteria(&self.book));
        }
        let estimate = read.as_ref().zip(self.settings.readings(policy, profile)).map(|(read, by)| {
            let estimate = Estimate::of(
                read,
                &facets.evidence,
                profile,
                (by, self.settings.sure(policy)),
                self.settings.team.as_ref(),
            );
            let binding = findings.iter().filter_map(|finding| {
                let rule = self.book.rule(&finding.rule).filter(|rule| rule.file.fact)?;
                // A default that applies is an answer.
                let binds = |span: Span| binds(ctx, rule, span, &policy.file.blocks_in);
                rule.file.asks.filter(|_| finding.span.is_none_or(binds))
            });
            // A stated requirement needs a criterion, whether or not a reader would ask for it.
            let owed = lacks_criteria.then_some(QuestionCode::Done);
            estimate.with_facts(owed.into_iter().chain(binding))
        });
        findings.extend(clock.time(Stage::Scoring, || findings::added(&self.book, policy, ctx)));
        let asked = estimate.as_ref().map(Estimate::codes);
        let found = read.as_ref().map(|read| found(read, facets)).unwrap_or_default();
        let review = self.review(&input, &packet, reading, (policy, rubric), profile)?;
        let case = Case {
            input: &input,
            rubric,
            policy,
            threshold: self.settings.threshold(policy, rubric, profile).0,
            ctx,
            found: RuleFindings { findings: &findings, asked: asked.as_deref() },
            guardrail: &guardrail,
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
        let kind = packet.ticket_type.value;
        // If readings decide, a model is one more reader, asked once. Otherwise it reviews the findings of the rules.
        let judged = match (estimate, review) {
            (Some(estimate), Some(review)) => {
                self.with_reader(case, review, (estimate, no_requirement), on_raw_text || skipped, &mut clock)
            }
            (estimate, review) => self.with_review(case, review, (estimate, &structured), skipped, &mut clock),
        };
        let Judged { scored, decision, issues, model, assisted, estimate, heard_kind, asked } = judged;
        let team = self.settings.team.as_ref().map(TeamWeights::reference);
        let estimated = estimate.map(|estimate| {
            let kind = heard_kind.unwrap_or(kind);
            formatter::reading(&self.book, kind, (&estimate, &asked), &issues, &found, team.clone())
        });
        if decision.verdict == Verdict::NotApplicable {
            let outcome = formatter::unscored(input, packet, language, guardrail, decision, clock.times);
            return Ok(Outcome { model, reading: estimated, ..outcome });
        }
        let rules = formatter::Rules { structured, by_evidence, on_raw_text, check };
        let parts = formatter::Parts {
            input,
            packet,
            language,
            guardrail,
            rules,
            assisted,
            score: scored.score,
            issues,
            decision,
            model,
            reading: estimated,
        };
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
