//! The steps of a run that need more than one stage: structuring by policy, scoring with waivers, deciding with a way to a pass.

use std::collections::BTreeSet;

use super::{Pipeline, PipelineError, Settings, repairs};
use crate::model::{
    GateDecision, GuardrailReport, LineIndex, RequirementPacket, ReviewIssue, RuleId, Severity, Structured, Waiver,
    WaiverUse,
};
use crate::review::{ModelEvidence, Review, RulesAlone};
use crate::rules::{Policy, Profile, Rubric};
use crate::stages::gate::{self, Facts, Issues};
use crate::stages::scoring::{self, Context, Failures, MoreEvidence, Scored, Weights};
use crate::stages::structuring::{self, evidence::Form};
use crate::text::Reading;

/// Everything about one text that scoring and gate need.
#[derive(Clone, Copy)]
pub(super) struct Case<'a> {
    pub input: &'a str,
    pub rubric: &'a Rubric,
    pub policy: &'a Policy,
    pub threshold: f64,
    pub ctx: Context<'a>,
    pub guardrail: &'a GuardrailReport,
    pub gaps: &'a [ReviewIssue],
    pub failures: Failures,
    pub reads_like_a_question: bool,
}

impl Pipeline {
    /// The draft and the facets with their evidence; `form` is what was counted in the text.
    pub(super) fn structured(
        &self,
        text: &str,
        reading: &Reading,
        form: &Form,
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
        structured
    }

    /// The review of one text by the model; `None` if no model is to be asked.
    pub(super) fn review(
        &self,
        input: &str,
        packet: &RequirementPacket,
        reading: &Reading,
        rubric: &Rubric,
        profile: Profile,
    ) -> Result<Option<Review<'_>>, PipelineError> {
        let Some(reviewer) = &self.reviewer else { return Ok(None) };
        let questions = self
            .book
            .model_questions(&rubric.file.id)
            .map_err(|error| PipelineError::Questions { input: input.to_owned(), message: error.to_string() })?;
        Ok(Some(Review::new(reviewer, input, questions, packet, reading, profile)))
    }

    /// Runs the rules, settles severities, sets waived findings aside and counts points; evidence of a model can only take some.
    pub(super) fn score(&self, case: Case<'_>, evidence: Option<&ModelEvidence>) -> (Scored, Vec<(Waiver, WaiverUse)>) {
        let Case { input, rubric, ctx, guardrail, gaps, failures, .. } = case;
        let Settings { severities, precision_floor, recorded, waivers, .. } = &self.settings;
        let weights = Weights { book: &self.book, rubric, severities, precision_floor: *precision_floor, recorded };
        let lines = LineIndex::new(ctx.text);
        let mut issues = scoring::found(&weights, guardrail, &lines, ctx);
        issues.extend(gaps.iter().filter_map(|gap| weights.set(gap.clone())));
        let set = |id: &_| severities.get(id).copied();
        issues.extend(evidence.iter().flat_map(|evidence| evidence.issues(set, &lines, ctx)));
        let waivers = waivers.set_aside(input, &mut issues);
        let more = evidence.map(|evidence| evidence as &dyn MoreEvidence);
        (scoring::run(rubric, ctx, issues, failures, more), waivers)
    }

    pub(super) fn decide(
        &self,
        case: Case<'_>,
        scored: &Scored,
        waivers: &[(Waiver, WaiverUse)],
    ) -> (GateDecision, Issues) {
        let Case { input, rubric, policy, threshold, ctx, reads_like_a_question, .. } = case;
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
            reads_like_a_question,
        };
        let (blocking, warnings) = scored.issues.iter().cloned().partition(|issue| issue.severity == Severity::Blocker);
        let (decision, issues) = gate::decide(Issues { blocking, warnings }, &facts, |issues| {
            let repairs = repairs::repairs(&self.book, rubric, issues, &scored.input, ctx);
            let score = |input: &_| scoring::score::score(rubric, input).total;
            gate::path_to_pass(&scored.input, &repairs, score, threshold)
        });
        (decision, self.without_repetitions(issues))
    }

    /// Leaves out the warnings that only repeat a part of what another issue says. Verdict and score have counted them.
    fn without_repetitions(&self, mut issues: Issues) -> Issues {
        let standing = issues.blocking.iter().chain(&issues.warnings).filter(|issue| !issue.disposition.is_waived());
        let rules = standing.filter_map(|issue| self.book.rule(&issue.rule_id));
        let covered: BTreeSet<&RuleId> = rules.flat_map(|rule| &rule.file.covers).collect();
        issues.warnings.retain(|issue| !covered.contains(&issue.rule_id));
        issues
    }

    /// What the rules say where nobody else is heard.
    pub(super) fn rules_alone(&self, case: Case<'_>, on_raw_text: bool) -> RulesAlone {
        let (scored, waivers) = self.score(case, None);
        let (decision, _) = self.decide(case, &scored, &waivers);
        let (score, issues) = (scored.score.total, scored.issues.len());
        RulesAlone { score, verdict: decision.verdict, issues, on_raw_text }
    }
}
