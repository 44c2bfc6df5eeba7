//! The steps of a run that need more than one stage: structuring by policy, scoring with waivers, deciding with a path to a pass.

use super::{Pipeline, PipelineError, Settings, repairs};
use crate::local_reader::Read;
use crate::review::{ModelEvidence, Review, RulesAlone, WeighedReading};
use crate::stages::gate::{self, Facts, Issues};
use crate::stages::scoring::binding::binds;
use crate::stages::scoring::estimate::Estimate;
use crate::stages::scoring::{self, Context, Failures, MoreEvidence, RuleFindings, Scored, Weights, findings};
use crate::stages::structuring::{self, evidence::Form};
use reqgate_base::model::{
    Acceptance, Basis, Disposition, Finding, GateDecision, GuardrailReport, LineIndex, MISSING_CRITERIA, QuestionCode,
    RequirementPacket, ReviewIssue, Severity, Span, Structured, Waiver, WaiverUse,
};
use reqgate_rules::{Policy, Profile, Rubric};
use reqgate_text::Reading;

/// Rules that never block documents and conversations: a document's open questions have their own approval, and
/// speakers use words of open points in passing.
const ASKED_IN_DOCUMENTS: [&str; 2] = ["open-question", "pending-input"];

/// The facts about one text that scoring and gate need.
#[derive(Clone, Copy)]
pub(super) struct Case<'a> {
    pub input: &'a str,
    pub rubric: &'a Rubric,
    pub policy: &'a Policy,
    pub threshold: f64,
    pub ctx: Context<'a>,
    pub found: RuleFindings<'a>,
    pub guardrail: &'a GuardrailReport,
    pub gaps: &'a [ReviewIssue],
    pub failures: Failures,
    /// The points that a person accepted as open, according to the document.
    pub accepted: Option<&'a Acceptance>,
    pub reads_like_a_question: bool,
    /// It is stated to be a requirement, and has no criterion apart from its wish.
    pub lacks_criteria: bool,
    /// The estimated probability that a reader needs no answer, 0 to 1, if there was an estimate.
    pub likely_ready: Option<f64>,
    /// The counted reading of the model.
    pub heard: Option<&'a WeighedReading>,
}

/// The results of the rules for one text.
pub(super) struct RulesApplied {
    pub findings: Vec<Finding>,
    /// It is stated to be a requirement, and has no criterion apart from its wish.
    pub lacks_criteria: bool,
    /// The estimate of the questions that a reader would ask, if readings decide.
    pub estimate: Option<Estimate>,
}

impl Pipeline {
    /// The draft and the facets with their evidence, in which the local reader has its share; `form` holds the counted
    /// properties of the text.
    pub(super) fn structured(
        &self,
        text: &str,
        (reading, form): (&Reading, &Form),
        read: Option<&Read>,
        profile: Profile,
        by_evidence: bool,
    ) -> Structured {
        let mut structured = structuring::structure(text, reading, profile);
        structured = match by_evidence {
            true => structuring::with_statements(text, form, structured, profile),
            false => structured.whole_or_nothing(),
        };
        structured.facets.evidence =
            structuring::evidence::weigh(&self.book.facets, text, reading, form, &structured.facets, profile);
        if let Some(read) = read {
            read.add_to(&mut structured.facets.evidence);
        }
        structured
    }

    /// The findings of all rules, and the estimate of the local reader together with them.
    pub(super) fn apply_rules(&self, ctx: Context<'_>, policy: &Policy, read: Option<&Read>) -> RulesApplied {
        let mut findings = findings::findings(&self.book, ctx);
        let lacks_criteria = self.settings.stated.is_requirement && findings::lacks_criteria(ctx);
        if lacks_criteria && !findings.iter().any(|finding| finding.rule.as_str() == MISSING_CRITERIA) {
            findings.extend(findings::missing_criteria(&self.book));
        }
        let estimate = read.zip(self.settings.readings(policy, ctx.profile)).map(|(read, by)| {
            let (evidence, sure) = (&ctx.facets.evidence, self.settings.sure(policy));
            let estimate = Estimate::of(read, evidence, ctx.profile, (by, sure), self.settings.team.as_ref());
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
        findings.extend(findings::added(&self.book, policy, ctx));
        RulesApplied { findings, lacks_criteria, estimate }
    }

    /// The review of one text by the model; `None` if the run uses no model.
    pub(super) fn review(
        &self,
        packet: &RequirementPacket,
        case: Case<'_>,
    ) -> Result<Option<Review<'_>>, PipelineError> {
        let Some(reviewer) = &self.reviewer else { return Ok(None) };
        let Case { input, rubric, policy, ctx, .. } = case;
        let questions = self
            .book
            .model_questions(&rubric.file.id)
            .map_err(|error| PipelineError::Questions { input: input.to_owned(), message: error.to_string() })?;
        let review = Review::new(reviewer, input, questions, packet, ctx.reading, ctx.profile);
        Ok(Some(review.read_as(policy.file.reader.as_deref())))
    }

    /// Sets severities and waivers, and counts points; evidence of a model can only take points.
    pub(super) fn score(&self, case: Case<'_>, evidence: Option<&ModelEvidence>) -> (Scored, Vec<(Waiver, WaiverUse)>) {
        let Case { input, rubric, ctx, found, guardrail, gaps, failures, .. } = case;
        let Settings { severities, waivers, .. } = &self.settings;
        let weights = self.weights(rubric);
        let lines = LineIndex::new(ctx.text);
        let mut issues = scoring::issues(&weights, found, guardrail, &lines, ctx);
        issues.extend(gaps.iter().filter_map(|gap| weights.set(gap.clone())));
        let set = |id: &_| severities.get(id).copied();
        issues.extend(evidence.iter().flat_map(|evidence| evidence.issues(set, &lines, ctx)));
        if let Some(heard) = case.heard {
            let below = case.likely_ready.is_some_and(|ready| ready * 100.0 < case.threshold);
            heard.put_to(&mut issues, &weights, |id| case.policy.may_block(id), below, (&lines, ctx));
        }
        let mut waivers = waivers.set_aside(input, &mut issues);
        waivers.extend(
            case.accepted
                .iter()
                .flat_map(|accepted| gate::set_aside_accepted(accepted, ctx.text, &mut issues, ctx.language)),
        );
        let more = evidence.map(|evidence| evidence as &dyn MoreEvidence);
        (scoring::run(rubric, ctx, issues, failures, case.likely_ready, more), waivers)
    }

    pub(super) fn decide(
        &self,
        case: Case<'_>,
        scored: &Scored,
        waivers: &[(Waiver, WaiverUse)],
    ) -> (GateDecision, Issues) {
        let Case { input, rubric, policy, threshold, ctx, reads_like_a_question, .. } = case;
        // A document with enough points is probably ready: gaps in its form become questions, and only its open points block.
        let ready = policy.readiness(ctx.profile).map(|readiness| readiness.probability(scored.score.total));
        let is_probably_ready = policy.goes_by_evidence()
            && !policy.by_evidence(ctx.profile)
            && scored.score.total >= threshold
            && ready.is_some_and(|ready| 1.0 - ready < self.settings.sure(policy));
        let is_unsure = |issue: &ReviewIssue| is_probably_ready && issue.basis != Basis::Fact;
        let facts = Facts {
            score: scored.score.total,
            threshold,
            profile: ctx.profile,
            language: ctx.language,
            policy,
            rubric: &rubric.reference,
            severities: &self.settings.severities,
            known: self.settings.baseline.of(input),
            waivers,
            accepted: case.accepted,
            reads_like_a_question,
            ready: case
                .likely_ready
                .or_else(|| policy.readiness(ctx.profile).map(|readiness| readiness.probability(scored.score.total))),
            is_estimated: case.likely_ready.is_some(),
            proves: &|issue| self.proves(case, issue) && !is_unsure(issue),
            asks: &|issue| {
                case.found.asked.is_none() || self.book.rule(&issue.rule_id).is_none_or(|rule| rule.file.asks.is_some())
            },
        };
        let (mut blocking, mut warnings): (Vec<_>, Vec<_>) = scored
            .issues
            .iter()
            .cloned()
            .chain(self.beyond_limits(case))
            .partition(|issue| issue.severity == Severity::Blocker);
        if let Some(asked) = case.found.asked {
            self.keep_one_general(asked, &mut blocking, &mut warnings);
        }
        let (repeated, blocking): (Vec<_>, Vec<_>) =
            blocking.iter().cloned().partition(|issue| self.covers(&blocking, issue));
        let (decision, mut issues) = gate::decide(Issues { blocking, warnings }, &facts, |issues| {
            // A finding that is only a part of another blocker still has its points.
            let mut all = issues.clone();
            all.warnings.extend(repeated.into_iter().map(|issue| ReviewIssue { severity: Severity::Warning, ..issue }));
            if case.likely_ready.is_some() {
                return repairs::without_gains(&all, scored.score.total);
            }
            let repairs = repairs::repairs(&self.book, rubric, &all, &scored.input, ctx);
            let score = |input: &_| scoring::score::score(rubric, input).total;
            gate::path_to_pass(&scored.input, &repairs, score, threshold)
        });
        // Verdict and score have counted them already.
        let warnings = std::mem::take(&mut issues.warnings);
        let is_shown = |issue: &&ReviewIssue| !self.covers(&issues.blocking, issue) && !self.covers(&warnings, issue);
        issues.warnings = warnings.iter().filter(is_shown).cloned().collect();
        (decision, issues)
    }

    /// Returns true for a finding that the text proves in binding words: in a document by its structure, in a ticket by
    /// a fact in a demand. In an aside, a reason or an account of the past a finding is shown and does not block.
    fn proves(&self, case: Case<'_>, issue: &ReviewIssue) -> bool {
        let Case { ctx, policy, .. } = case;
        let is_document = policy.goes_by_evidence() && !policy.by_evidence(ctx.profile);
        if is_document && ASKED_IN_DOCUMENTS.contains(&issue.rule_id.as_str()) {
            return false;
        }
        // By rules, every rule is about structure. In minutes and documents every sentence counts.
        if !policy.by_evidence(ctx.profile) || case.lacks_criteria && issue.rule_id.as_str() == MISSING_CRITERIA {
            return true;
        }
        let Some(rule) = self.book.rule(&issue.rule_id).filter(|rule| rule.file.fact) else { return false };
        issue.span.is_none_or(|span| binds(ctx, rule, span, &policy.file.blocks_in))
    }

    /// The blockers beyond the limits of the rules, if a baseline counts findings: new findings in a text that has
    /// reached a limit must not be hidden. They take no points.
    fn beyond_limits(&self, case: Case<'_>) -> Vec<ReviewIssue> {
        let Case { input, rubric, ctx, found, guardrail, .. } = case;
        if !self.settings.baseline.of(input).counts() {
            return Vec::new();
        }
        let findings = findings::beyond_limits(&self.book, ctx);
        let found = RuleFindings { findings: &findings, asked: found.asked };
        let lines = LineIndex::new(ctx.text);
        let mut issues = scoring::issues(&self.weights(rubric), found, guardrail, &lines, ctx);
        self.settings.waivers.set_aside(input, &mut issues);
        if let Some(accepted) = case.accepted {
            gate::set_aside_accepted(accepted, ctx.text, &mut issues, ctx.language);
        }
        let is_general =
            |issue: &ReviewIssue| self.book.rule(&issue.rule_id).is_some_and(|rule| rule.file.is_general());
        issues.retain(|issue| issue.severity == Severity::Blocker && !is_general(issue));
        issues
    }

    /// The data that determine the weight of a finding under a rubric.
    fn weights<'w>(&'w self, rubric: &'w Rubric) -> Weights<'w> {
        let Settings { severities, precision_floor, recorded, .. } = &self.settings;
        Weights { book: &self.book, rubric, severities, precision_floor: *precision_floor, recorded }
    }

    /// Keeps at most one general question of a reader as a blocker, and none if a finding quotes the text: the most
    /// probable one if no finding is more specific, else only the reader's first question. The others stay as questions.
    fn keep_one_general(
        &self,
        asked: &[QuestionCode],
        blocking: &mut Vec<ReviewIssue>,
        warnings: &mut Vec<ReviewIssue>,
    ) {
        let general = |issue: &ReviewIssue| {
            let rule = self.book.rule(&issue.rule_id).map(|rule| &rule.file);
            // A model's question under the id of such a rule is a separate question.
            let is_own = issue.disposition != Disposition::Model;
            rule.filter(|file| file.is_general() && is_own).and_then(|file| file.asks)
        };
        let rank = |code: QuestionCode| asked.iter().position(|asked| *asked == code);
        let quotes = blocking.iter().any(|issue| issue.span.is_some());
        let says_more = blocking.iter().any(|issue| general(issue).is_none());
        let first = blocking.iter().filter_map(general).min_by_key(|code| rank(*code));
        let first = first.filter(|code| !quotes && (!says_more || rank(*code) == Some(0)));
        let (kept, others) =
            blocking.drain(..).partition(|issue| general(issue).is_none_or(|code| Some(code) == first));
        *blocking = kept;
        let asks = |issue| ReviewIssue { severity: Severity::Warning, disposition: Disposition::Asked, ..issue };
        warnings.extend(others.into_iter().map(asks));
    }

    /// Returns true if one of these issues reports the fault of `issue` as well: at the same place, or for the whole text if its rule
    /// finds one fault at most.
    fn covers(&self, issues: &[ReviewIssue], issue: &ReviewIssue) -> bool {
        issues.iter().filter(|larger| !larger.disposition.is_waived()).any(|larger| {
            let Some(rule) = self.book.rule(&larger.rule_id) else { return false };
            let is_elsewhere = match (larger.span, issue.span) {
                (Some(larger), Some(span)) => rule.file.limit > 1 && !larger.overlaps(span),
                _ => false,
            };
            rule.file.covers.contains(&issue.rule_id) && !is_elsewhere
        })
    }

    /// The result of the rules without a model.
    pub(super) fn rules_alone(&self, case: Case<'_>, on_raw_text: bool) -> RulesAlone {
        let (scored, waivers) = self.score(case, None);
        let (decision, _) = self.decide(case, &scored, &waivers);
        let (score, issues) = (scored.score.total, scored.issues.len());
        RulesAlone { score, verdict: decision.verdict, issues, on_raw_text }
    }
}
