//! START HERE: intake → guardrail → structuring → structure check → scoring → gate, in straight lines.
//!
//! The seven nodes of C-004 are all here. A poor requirement is an `Outcome`; only a broken input or world is an `Err`.

mod asked;
mod hearing;
mod repairs;
mod settings;
mod unjudged;
mod witnessed;

pub use asked::{FacetExampleFailure, check_facet_examples};
pub use hearing::{DryRun, ModelWitness, lacks_the_model};
pub use settings::{Settings, Stated};

use std::time::Instant;

use garde::Validate;

use crate::model::{
    Attachment, Category, Detected, ExecutionTimes, Finding, GateDecision, GuardrailAction, GuardrailReport, LineIndex,
    Lowered, ModelReport, Outcome, RequirementPacket, ReviewIssue, RuleId, Severity, SourceType, Stage, Structured,
    TicketScoreReport, TicketType, Verdict, Waiver, WaiverUse,
};
use crate::report;
use crate::rules::{DEFAULT_POLICY, Policy, Profile, Rubric, RuleBook, WitnessStand};
use crate::stages::gate::{self, WaiverError};
use crate::stages::guardrail::{Guardrail, Screened};
use crate::stages::intake::{RawInput, detect};
use crate::stages::scoring::score::{self, CountedFinding, ScoreInput};
use crate::stages::scoring::witness::Hearing;
use crate::stages::scoring::{Context, findings, issues};
use crate::stages::structure_check;
use crate::stages::structuring;
use crate::text::Reading;

/// A pipeline ready to judge.
pub struct Pipeline {
    /// The rules, rubrics and vocabulary in force.
    pub book: RuleBook,
    guardrail: Guardrail,
    settings: Settings,
    witness: Option<Box<ModelWitness>>,
}

/// An input that cannot be judged at all.
#[derive(Debug, thiserror::Error)]
pub enum PipelineError {
    /// The packet does not validate (C-036: illegal input is refused at the schema).
    #[error("{input}: {message}")]
    InvalidPacket {
        /// Name of the input.
        input: String,
        /// What is wrong with it.
        message: String,
    },
    /// No rubric fits the document.
    #[error("{input}: no rubric for a {profile}; name one with --rubric or add one to the rules folder")]
    NoRubric {
        /// Name of the input.
        input: String,
        /// The kind of document.
        profile: String,
    },
    /// There is no policy of that name.
    #[error("{input}: there is no policy `{name}`; known are {known}")]
    NoPolicy {
        /// Name of the input.
        input: String,
        /// The name.
        name: String,
        /// The policies that there are.
        known: String,
    },
    /// What a model may testify about cannot be read.
    #[error("{input}: {message}")]
    Witness {
        /// Name of the input.
        input: String,
        /// Which file, and what is wrong with it.
        message: String,
    },
}

impl Pipeline {
    /// Puts the parts together.
    pub fn new(book: RuleBook, guardrail: Guardrail, settings: Settings) -> Self {
        Self { book, guardrail, settings, witness: None }
    }

    /// The same pipeline with a model to ask. What it says can only lower a score and add findings.
    #[must_use]
    pub fn with_witness(self, witness: ModelWitness) -> Self {
        Self { witness: Some(Box::new(witness)), ..self }
    }

    /// The model that is asked, if one is.
    pub fn witness(&self) -> Option<&ModelWitness> {
        self.witness.as_deref()
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

    /// Words that are no ticket but are shown with one, masked like one: personal data and secrets keep their length only.
    pub fn masked(&self, words: &str) -> String {
        self.guardrail.screen(words, &[], SourceType::PlainText).text
    }

    /// Judges one input.
    ///
    /// # Errors
    /// Fails if the input is no valid packet or no rubric fits it; a bad requirement is an `Outcome`.
    pub fn run(&self, input: RawInput) -> Result<Outcome, PipelineError> {
        let mut clock = Clock::default();
        let input = self.with_stated(input);
        let reading = self.book.reader.read(&input.text, input.title_span);
        let source = detect::source_type(&input, &reading);
        let asked = self.asked(&input, &reading, source.value);

        let screened =
            clock.time(Stage::InputGuardrail, || self.guardrail.screen(&input.text, &reading.code(), source.value));

        let mut report = screened.report;
        let packet = clock.time(Stage::Normalize, || {
            packet(&input, screened.text, &reading, source, asked.ticket_type, |words| {
                self.guardrail.screen_beside(words, &mut report)
            })
        });
        // A text that is too short or too long is a poor ticket, not a broken input.
        if !report.lets_through() {
            return Ok(unjudged::guardrail_rejected(input.name, packet, report, clock));
        }
        validate(&input.name, &packet)?;
        let Some(profile) = Profile::of(packet.source_type.value, asked.judged_as) else {
            return Ok(unjudged::not_applicable(input.name, packet, report, clock));
        };
        self.judge(input.name, packet, report, &reading, profile, clock)
    }

    /// What the guardrail finds in a text, whatever its length; a text too short to be judged is screened all the same.
    pub fn screen(&self, text: &str) -> Screened {
        let reading = self.book.reader.read(text, None);
        let source = detect::source_type(&RawInput { text: text.to_owned(), ..RawInput::default() }, &reading);
        self.guardrail.screen(text, &reading.code(), source.value)
    }

    fn with_stated(&self, mut input: RawInput) -> RawInput {
        let stated = self.settings.stated;
        if stated.is_requirement {
            input.ticket_type = None;
            // Minutes owe less than what they lead to.
            input.source_type = input.source_type.filter(|source| *source != SourceType::MeetingTranscript);
        }
        input.source_type = stated.source_type.or(input.source_type);
        input.ticket_type = stated.ticket_type.or(input.ticket_type);
        input.language = stated.language.or(input.language);
        input
    }

    fn judge(
        &self,
        input: String,
        packet: RequirementPacket,
        guardrail: GuardrailReport,
        reading: &Reading,
        profile: Profile,
        mut clock: Clock,
    ) -> Result<Outcome, PipelineError> {
        let policy = self.policy(&input)?;
        let rubric = self.rubric(&input, policy, profile)?;
        let text = packet.raw_text.as_str();
        let structuring_skipped = !self.settings.enable_structuring;
        let by_evidence = policy.by_evidence(profile);
        let structured = clock.time(Stage::Structuring, || {
            let mut structured = structuring::structure(text, reading, profile);
            structured = match by_evidence {
                true => structuring::with_statements(text, reading, structured, profile),
                false => structured.whole_or_nothing(),
            };
            structured.facets.evidence =
                structuring::evidence::weigh(&self.book.facets, text, reading, &structured.facets, profile);
            structured
        });
        // Only the draft of the rules is checked and scored: what a model adds is shown and earns nothing.
        let draft = structured.draft.as_ref().filter(|_| !structuring_skipped);
        let raw_text_scored = draft.is_none() && !structuring_skipped;
        let check = (!structuring_skipped)
            .then(|| clock.time(Stage::StructureCheck, || structure_check::check(draft, reading, profile)));
        if raw_text_scored && !self.settings.enable_fallback {
            return Ok(unjudged::structuring_failed(input, packet, guardrail, structured, check, clock));
        }
        let mut hearing = self.hearing(&input, &packet, reading, rubric, profile)?;
        let assisted = hearing.as_mut().and_then(|hearing| {
            clock.time(Stage::Structuring, || {
                witnessed::assisted(hearing, &structured, text, profile, structuring_skipped)
            })
        });
        let case = Case {
            input: &input,
            rubric,
            ctx: Context { text, reading, facets: &structured.facets, profile, by_evidence },
            guardrail: &guardrail,
            structure_check_failed: check.as_ref().is_some_and(|check| !check.passed()),
            fallback: raw_text_scored,
        };
        let threshold = self.threshold(policy, rubric, profile);
        let (mut scored, testimony) =
            clock.time(Stage::Scoring, || self.heard(case, hearing.as_mut(), policy, threshold));
        let mut decision = clock.time(Stage::Gate, || self.decide(policy, rubric, &mut scored, threshold, case.ctx));
        if packet.ticket_type.value == TicketType::Question {
            decision.explanation.push_str(unjudged::doubt(profile));
        }
        let model = clock.time(Stage::Formatter, || {
            hearing.map(|hearing| self.model_report(hearing, case, &mut scored, decision.verdict, &assisted, testimony))
        });

        let failures = structured.failures.join("; ");
        let shown = assisted.map_or(structured, |assisted| match by_evidence {
            true => assisted.structured,
            false => assisted.structured.whole_or_nothing(),
        });
        let fallback_activated = shown.draft.is_none() && !structuring_skipped;
        let mut error_logs = Vec::new();
        if fallback_activated {
            error_logs.push(format!("Structuring failed, using fallback mode: {failures}"));
        } else if raw_text_scored {
            error_logs.push(format!("Structuring by the rules failed, the raw text was scored: {failures}"));
        }
        if let Some(errors) = check.as_ref().map(|check| check.errors.len()).filter(|count| *count > 0) {
            error_logs.push(format!("Hard Check #1 failed: {errors} issues found"));
        }
        error_logs.extend(model.iter().flat_map(witnessed::failures));
        let retries = |model: &ModelReport| model.steps.iter().map(|step| step.attempts.saturating_sub(1)).sum();
        let mut outcome = Outcome {
            input,
            packet,
            guardrail,
            structured: (!structuring_skipped).then_some(shown),
            structuring_skipped,
            fallback_activated,
            structure_check_passed: check.as_ref().map(structure_check::StructureCheck::passed),
            structure_errors: check.as_ref().map(|check| check.errors.clone()).unwrap_or_default(),
            structure_warnings: check.map(|check| check.warnings).unwrap_or_default(),
            score_report: Some(TicketScoreReport {
                total_score: scored.score.total,
                ready_for_review: decision.verdict == Verdict::Pass,
                dimension_scores: scored.score.dimensions,
                penalties: scored.score.penalties,
                blocking_issues: scored.blocking,
                non_blocking_issues: scored.warnings,
                summary_markdown: String::new(),
            }),
            decision,
            retry_count: model.as_ref().map_or(0, retries),
            error_logs,
            current_stage: Stage::Formatter,
            execution_times: Vec::new(),
            model,
        };
        clock.time(Stage::Formatter, || format(&mut outcome, policy.file.most_questions));
        outcome.execution_times = clock.times;
        Ok(outcome)
    }

    /// The score that is needed: as set, else by the policy's curve at the certainty that a "no" needs, else by the rubric.
    fn threshold(&self, policy: &Policy, rubric: &Rubric, profile: Profile) -> f64 {
        let own = self.settings.thresholds.get(&rubric.file.id).copied();
        let sure = self.settings.sure.unwrap_or(policy.file.sure);
        let by_policy = policy.readiness(profile).filter(|_| policy.by_evidence(profile));
        let needed = by_policy.map(|readiness| score::one_decimal(readiness.threshold(sure)));
        self.settings.threshold.or(own).or(needed).unwrap_or(rubric.file.threshold)
    }

    fn policy(&self, input: &str) -> Result<&Policy, PipelineError> {
        let name = self.settings.policy.as_deref().unwrap_or(DEFAULT_POLICY);
        self.book.policy(name).ok_or_else(|| PipelineError::NoPolicy {
            input: input.to_string(),
            name: name.to_string(),
            known: self.book.policies.iter().map(|policy| policy.file.id.as_str()).collect::<Vec<_>>().join(", "),
        })
    }

    fn rubric(&self, input: &str, policy: &Policy, profile: Profile) -> Result<&Rubric, PipelineError> {
        let by_policy = || policy.file.rubrics.get(&profile).and_then(|id| self.book.rubric(id));
        let named = self.settings.rubric.as_deref().and_then(|id| self.book.rubric(id)).or_else(by_policy);
        named.or_else(|| self.book.rubric_for(profile)).ok_or_else(|| PipelineError::NoRubric {
            input: input.to_string(),
            profile: format!("{profile:?}").to_lowercase(),
        })
    }

    /// Runs the rules, settles severities, sets waived findings aside and counts points; a testimony can only take some.
    fn score(&self, case: Case<'_>, testimony: Option<(&WitnessStand, &Hearing)>) -> Scored {
        let Case { input, rubric, ctx, .. } = case;
        let lines = LineIndex::new(ctx.text);
        let found = findings::findings(&self.book, ctx);
        let mut all: Vec<ReviewIssue> =
            found.iter().filter_map(|finding| self.issue(rubric, finding, &lines, ctx)).collect();
        all.extend(guardrail_issues(case.guardrail, &lines, ctx));
        let of_rules = all.len();
        let set = |id: &RuleId| self.settings.severities.get(id).copied();
        all.extend(testimony.iter().flat_map(|(stand, hearing)| hearing.issues(stand, set, &lines, ctx)));
        let uses = self.settings.waivers.uses(input, &all);
        let mut counted = Vec::new();
        let mut testified = Vec::new();
        for (number, issue) in all.iter_mut().enumerate() {
            if let Some(waiver) = self.settings.waivers.waiver_of(input, issue) {
                issue.severity = Severity::Warning;
                issue.severity_note = Some(format!("waived: {}", waiver.reason));
                continue;
            }
            if number < of_rules {
                let rule = issue.rule_id.clone();
                counted.push(CountedFinding { rule, category: issue.category, severity: issue.severity });
            } else {
                testified.push(issue.rule_id.clone());
            }
        }
        let fired: Vec<RuleId> = counted.iter().map(|finding| finding.rule.clone()).collect();
        let fulfilment = score::fulfilment(rubric, ctx, &fired);
        let Case { structure_check_failed, fallback, .. } = case;
        let mut evidence = ScoreInput { fulfilment, findings: counted, structure_check_failed, fallback };
        let before = score::score(rubric, &evidence);
        let mut lowered = Vec::new();
        for issue in &mut all {
            issue.points = cost(rubric, &before, issue);
        }
        if let Some((stand, hearing)) = testimony {
            witnessed::share_costs(rubric, &evidence, before.total, (stand, hearing), &testified, &mut all[of_rules..]);
            lowered = hearing.lower(stand, rubric, &mut evidence.fulfilment, |id| testified.contains(id));
        }
        let score = if lowered.is_empty() { before } else { score::score(rubric, &evidence) };
        let (mut blocking, mut warnings): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|issue| issue.severity == Severity::Blocker);
        blocking.sort_by_key(importance);
        warnings.sort_by_key(importance);
        Scored { score, evidence, blocking, warnings, waivers: uses, lowered }
    }

    fn issue(&self, rubric: &Rubric, finding: &Finding, lines: &LineIndex, ctx: Context<'_>) -> Option<ReviewIssue> {
        let rule = self.book.rule(&finding.rule)?;
        let (severity, note) =
            match (self.settings.severities.get(&finding.rule), rubric.file.severities.get(&finding.rule)) {
                (Some(set), _) => {
                    ((*set)?, (*set != Some(rule.file.severity)).then(|| "set by the configuration".to_string()))
                }
                (None, Some(set)) => (
                    (*set)?,
                    (*set != Some(rule.file.severity)).then(|| format!("set by the rubric `{}`", rubric.file.id)),
                ),
                (None, None) => (rule.file.severity, None),
            };
        let demoted = (severity == Severity::Blocker).then(|| self.demotion(&finding.rule)).flatten();
        let (severity, note) = demoted.map_or((severity, note), |reason| (Severity::Warning, Some(reason)));
        Some(issues::issue(rule, finding, severity, note, lines, ctx))
    }

    /// Why a rule may not block, if it may not: too few of its findings were right on labelled text. Looked up only for what
    /// would block, so that it costs nothing elsewhere.
    fn demotion(&self, rule: &RuleId) -> Option<String> {
        let floor = self.settings.precision_floor;
        let own = self.settings.recorded.get(rule).copied().unwrap_or_default();
        let measured =
            self.book.precision_of(rule).into_iter().fold(own, |sum, (_, tally)| sum.plus(tally)).measured()?;
        measured.is_below(floor).then(|| {
            format!("demoted from BLOCKER: measured precision {} is below the floor {floor:.2}", measured.words())
        })
    }

    /// What the gate says of a score and its issues; issues that are not sure enough to block become warnings.
    fn ruling(&self, policy: &Policy, scored: &mut Scored, threshold: f64, profile: Profile) -> gate::Ruling {
        let set = |issue: &ReviewIssue| self.settings.severities.get(&issue.rule_id).copied().flatten();
        let facts = gate::Facts {
            score: scored.score.total,
            threshold,
            readiness: policy.readiness(profile),
            by_evidence: policy.by_evidence(profile),
            always_blocks: &|issue| {
                set(issue) == Some(Severity::Blocker) || policy.file.certain.contains(&issue.rule_id)
            },
            may_block: &|issue| policy.may_block(&issue.rule_id) || set(issue) == Some(Severity::Blocker),
        };
        gate::decide(&mut scored.blocking, &mut scored.warnings, &facts)
    }

    fn decide(
        &self,
        policy: &Policy,
        rubric: &Rubric,
        scored: &mut Scored,
        threshold: f64,
        ctx: Context<'_>,
    ) -> GateDecision {
        let ruling = self.ruling(policy, scored, threshold, ctx.profile);
        scored.warnings.sort_by_key(importance);
        let path_to_pass = (ruling.verdict == Verdict::Reject).then(|| {
            let repairs = repairs::repairs(&self.book, rubric, scored, ctx);
            gate::path_to_pass(&scored.evidence, &repairs, |evidence| score::score(rubric, evidence).total, threshold)
        });
        GateDecision {
            verdict: ruling.verdict,
            explanation: unjudged::explanation(&ruling, scored.score.total, threshold),
            reasons: ruling.reasons,
            threshold: Some(threshold),
            rubric: Some(rubric.reference.clone()),
            policy: Some(policy.reference.clone()),
            certainty: ruling.certainty,
            questions_only: ruling.questions_only,
            waivers: scored.waivers.clone(),
            path_to_pass,
        }
    }
}

/// Everything about one text that scoring needs.
#[derive(Clone, Copy)]
struct Case<'a> {
    input: &'a str,
    rubric: &'a Rubric,
    ctx: Context<'a>,
    guardrail: &'a GuardrailReport,
    structure_check_failed: bool,
    fallback: bool,
}

#[derive(Clone)]
struct Scored {
    score: score::Score,
    evidence: ScoreInput,
    blocking: Vec<ReviewIssue>,
    warnings: Vec<ReviewIssue>,
    waivers: Vec<(Waiver, WaiverUse)>,
    lowered: Vec<Lowered>,
}

/// What is known of the input, every string of it screened: the text already is, `screened` does it to each of the others.
fn packet(
    input: &RawInput,
    text: String,
    reading: &Reading,
    source: Detected<SourceType>,
    ticket_type: Detected<TicketType>,
    mut screened: impl FnMut(&str) -> String,
) -> RequirementPacket {
    RequirementPacket {
        raw_text: text,
        title_span: reading.title,
        source_type: source,
        ticket_type,
        language: input.language.map_or_else(|| Detected::read_off(reading.language), Detected::stated),
        project_key: input.project_key.as_deref().map(&mut screened),
        priority: input.priority,
        labels: input.labels.iter().map(|label| screened(label)).collect(),
        attachments: input.attachments.iter().map(|file| Attachment { name: screened(&file.name) }).collect(),
    }
}

/// Validation is normalisation (C-036): what passes here is clean, what does not is refused before anything is judged.
fn validate(input: &str, packet: &RequirementPacket) -> Result<(), PipelineError> {
    packet.validate().map_err(|report| {
        let message = report.iter().map(|(path, error)| format!("{path}: {error}")).collect::<Vec<_>>().join("; ");
        PipelineError::InvalidPacket { input: input.to_owned(), message }
    })
}

/// Points that an issue costs in the total: its share of what its rule took from each dimension.
fn cost(rubric: &Rubric, score: &score::Score, issue: &ReviewIssue) -> f64 {
    if issue.severity_note.as_deref().is_some_and(|note| note.starts_with("waived")) {
        return 0.0;
    }
    let of_dimension = |(dimension, policy): (&crate::model::DimensionScore, &crate::rules::Dimension)| {
        let taken: f64 = dimension.deductions.iter().map(|deduction| deduction.points).sum();
        let scale = if taken > policy.deductions.cap { policy.deductions.cap / taken } else { 1.0 };
        let own = dimension.deductions.iter().find(|deduction| deduction.rule_id == issue.rule_id)?;
        Some(own.points * scale / own.count.max(1) as f64 * dimension.weight)
    };
    let sum: f64 = score.dimensions.iter().zip(&rubric.file.dimensions).filter_map(of_dimension).sum();
    score::one_decimal(sum)
}

/// What an author should read first: parts that are missing, then gaps, then wording; dearer before cheaper, then by place.
fn importance(issue: &ReviewIssue) -> (u8, i64, usize, RuleId) {
    let rank = match issue.category {
        Category::MissingAc | Category::MissingField if issue.span.is_none() => 0,
        Category::LogicGap => 1,
        Category::MissingAc | Category::MissingField => 2,
        Category::Security => 3,
        Category::Ambiguity => 4,
    };
    (rank, -(issue.points * 10.0) as i64, issue.span.map_or(0, |span| span.start), issue.rule_id.clone())
}

/// Personal data and secrets cost nothing in lenient mode, but their owner should know.
fn guardrail_issues(guardrail: &GuardrailReport, lines: &LineIndex, ctx: Context<'_>) -> Vec<ReviewIssue> {
    let warned = guardrail.findings.iter().filter(|finding| finding.action == GuardrailAction::Warn);
    warned.filter_map(|finding| issues::guardrail_issue(finding, lines, ctx)).collect()
}

/// Fills what is written last: the draft's self-diagnosis from the issues, and the summary. At most `most_questions` go to
/// the author, and never more than five (C-014; spec-kit asks five too).
fn format(outcome: &mut Outcome, most_questions: usize) {
    let Some(report) = &outcome.score_report else { return };
    let issues = || {
        report
            .blocking_issues
            .iter()
            .chain(&report.non_blocking_issues)
            .filter(|issue| issue.points > 0.0 || issue.severity == Severity::Blocker)
    };
    let mut questions: Vec<String> = Vec::new();
    for question in issues().filter_map(|issue| issue.question.as_ref()) {
        if questions.len() < most_questions && !questions.contains(question) {
            questions.push(question.clone());
        }
    }
    let missing: Vec<String> =
        issues().filter(|issue| issue.span.is_none()).map(|issue| issue.description.clone()).collect();
    if let Some(draft) = outcome.structured.as_mut().and_then(|structured: &mut Structured| structured.draft.as_mut()) {
        draft.missing_info = missing;
        draft.clarification_questions = questions;
    }
    let summary = report::summary_markdown(outcome);
    if let Some(report) = &mut outcome.score_report {
        report.summary_markdown = summary;
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
