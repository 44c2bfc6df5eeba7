//! Computes the score from the findings: runs the rules, settles severities and counts points.
//!
//! This code is pure. Findings may be set aside between its two halves, [`issues`] and [`run`]: a waived finding costs
//! no points.

use std::collections::{BTreeMap, BTreeSet};

use super::score::{self, CountedFinding, Fulfilment, Score, ScoreInput};
use super::{Context, findings};
use reqgate_base::model::{
    DimensionScore, Disposition, Finding, GuardrailAction, GuardrailReport, LineIndex, Lowered, QuestionCode,
    ReviewIssue, RuleId, Severity,
};
use reqgate_rules::{Dimension, Rubric, RuleBook, RuleFile, Tally};

/// The inputs that decide how much a finding costs.
#[derive(Clone, Copy)]
pub struct Weights<'w> {
    /// The rules and their measured precision.
    pub book: &'w RuleBook,
    /// The rubric, which may set severities.
    pub rubric: &'w Rubric,
    /// The severities set in the configuration; `None` switches a rule off.
    pub severities: &'w BTreeMap<RuleId, Option<Severity>>,
    /// The precision below which a rule may not block, 0 to 1.
    pub precision_floor: f64,
    /// The number of right and wrong findings per rule in the user's own records.
    pub recorded: &'w BTreeMap<RuleId, Tally>,
}

/// Evidence from other sources than the rules. It can lower criteria and never raise one.
pub trait MoreEvidence {
    /// Lowers the criteria for which evidence counts, and returns them. `counts` returns false for an id that is waived
    /// or off.
    fn lower(
        &self,
        rubric: &Rubric,
        fulfilment: &mut [Vec<Fulfilment>],
        counts: &dyn Fn(&RuleId) -> bool,
    ) -> Vec<Lowered>;
}

/// Failures before the scoring, each of which costs a penalty.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Failures {
    /// Hard Check #1 failed.
    pub structure_check: bool,
    /// The text has no draft, so the raw text is scored.
    pub structuring: bool,
}

/// The score of a text and the issues that explain it.
#[derive(Debug, Clone)]
pub struct Scored {
    /// The points, in total and per dimension.
    pub score: Score,
    /// The evidence that was counted.
    pub input: ScoreInput,
    /// The issues with their costs, the most important first.
    pub issues: Vec<ReviewIssue>,
    /// The criteria lowered by evidence from other sources than the rules.
    pub lowered: Vec<Lowered>,
}

/// The findings of the rules in a text and, if estimated, the subjects that its readers would ask about.
#[derive(Debug, Clone, Copy)]
pub struct RuleFindings<'f> {
    /// The findings of the rules, in their order.
    pub findings: &'f [Finding],
    /// The subjects that a reader would ask about, the most probable first.
    pub asked: Option<&'f [QuestionCode]>,
}

/// All issues of a text with their severities: the findings of rules in their order, questions of readers, and warnings
/// of the guardrail.
pub fn issues(
    weights: &Weights<'_>,
    found: RuleFindings<'_>,
    guardrail: &GuardrailReport,
    lines: &LineIndex,
    ctx: Context<'_>,
) -> Vec<ReviewIssue> {
    let mut findings = found.findings.to_vec();
    if let Some(asked) = found.asked {
        findings.extend(findings::of_reader(weights.book, asked, ctx));
        weights.keep_asked(&mut findings, asked, ctx);
    }
    let mut all: Vec<ReviewIssue> = findings.iter().filter_map(|finding| weights.issue(finding, lines, ctx)).collect();
    // Personal data and secrets cost no points in lenient mode, but their owner should know about them.
    let warned = guardrail.findings.iter().filter(|finding| finding.action == GuardrailAction::Warn);
    all.extend(warned.filter_map(|finding| super::issues::guardrail_issue(finding, lines, ctx)));
    all
}

impl Weights<'_> {
    /// Keeps facts, findings that a reader would ask about, and words in criteria that need a figure. Of findings that
    /// ask the same question it keeps the most specific: a rule that would block replaces the general question.
    fn keep_asked(&self, findings: &mut Vec<Finding>, asked: &[QuestionCode], ctx: Context<'_>) {
        let rule = |finding: &Finding| self.book.rule(&finding.rule).map(|rule| &rule.file);
        let is_unmeasured = |finding: &Finding| {
            self.book.rule(&finding.rule).is_some_and(|rule| findings::is_unmeasured_criterion(rule, finding, ctx))
        };
        let says_more = |file: &RuleFile| !file.is_general() && file.severity == Severity::Blocker;
        let said: BTreeSet<QuestionCode> =
            findings.iter().filter_map(rule).filter(|file| says_more(file)).filter_map(|file| file.asks).collect();
        findings.retain(|finding| {
            let Some((file, code)) = rule(finding).and_then(|file| Some((file, file.asks?))) else { return true };
            match file.is_general() {
                true => !said.contains(&code),
                false => {
                    let is_set = self.severities.contains_key(&finding.rule);
                    file.fact || is_set || asked.contains(&code) || is_unmeasured(finding)
                }
            }
        });
    }

    fn issue(&self, finding: &Finding, lines: &LineIndex, ctx: Context<'_>) -> Option<ReviewIssue> {
        let rule = self.book.rule(&finding.rule)?;
        let own = rule.file.severity;
        let (severity, by) = match (self.severities.get(&finding.rule), self.rubric.file.severities.get(&finding.rule))
        {
            (Some(set), _) => ((*set)?, Disposition::Configuration),
            (None, Some(set)) => ((*set)?, Disposition::Rubric { id: self.rubric.file.id.clone() }),
            (None, None) => (own, Disposition::Rule),
        };
        let disposition = if severity == own { Disposition::Rule } else { by };
        let demoted = (severity == Severity::Blocker).then(|| self.demotion(&finding.rule)).flatten();
        let (severity, disposition) = demoted.map_or((severity, disposition), |reason| (Severity::Warning, reason));
        Some(super::issues::issue(rule, finding, severity, disposition, lines, ctx))
    }

    /// Applies the configured severity to an issue from another source; `None` if the rule is switched off.
    pub(crate) fn set(&self, issue: ReviewIssue) -> Option<ReviewIssue> {
        match self.severities.get(&issue.rule_id) {
            None => Some(issue),
            Some(Some(severity)) if *severity == issue.severity => Some(issue),
            Some(severity) => {
                Some(ReviewIssue { severity: (*severity)?, disposition: Disposition::Configuration, ..issue })
            }
        }
    }

    /// The reason why a rule may not block, if it may not: too few of its findings were right on labelled text. It is
    /// computed only for findings that would block.
    fn demotion(&self, rule: &RuleId) -> Option<Disposition> {
        let own = self.recorded.get(rule).copied().unwrap_or_default();
        let measured =
            self.book.precision_of(rule).into_iter().fold(own, |sum, (_, tally)| sum.plus(tally)).measured()?;
        let floor = self.precision_floor;
        measured.is_below(floor).then(|| Disposition::Imprecise { measured: measured.words().clone(), floor })
    }
}

/// Counts points. Waived findings, gaps in a form and findings of a model cost no points themselves; `more` may lower
/// criteria. `likely_ready` is the estimated probability that a reader needs no answer.
pub fn run(
    rubric: &Rubric,
    ctx: Context<'_>,
    mut issues: Vec<ReviewIssue>,
    failures: Failures,
    likely_ready: Option<f64>,
    more: Option<&dyn MoreEvidence>,
) -> Scored {
    let counts = |issue: &&ReviewIssue| {
        !matches!(issue.disposition, Disposition::Waived { .. } | Disposition::FormGap | Disposition::Model)
    };
    let counted: Vec<CountedFinding> = issues
        .iter()
        .filter(counts)
        .map(|issue| CountedFinding { rule: issue.rule_id.clone(), category: issue.category, severity: issue.severity })
        .collect();
    let fired: Vec<RuleId> = counted.iter().map(|finding| finding.rule.clone()).collect();
    let mut input = ScoreInput {
        fulfilment: score::fulfilment(rubric, ctx, &fired),
        findings: counted,
        structure_check_failed: failures.structure_check,
        fallback: failures.structuring,
        moved: 0.0,
    };
    if let Some(ready) = likely_ready {
        input.moved = ready * 100.0 - score::score(rubric, &input).total;
    }
    let before = score::score(rubric, &input);
    for issue in issues.iter_mut().filter(|issue| !issue.disposition.is_waived()) {
        issue.points = cost(rubric, &before, &issue.rule_id);
    }
    let mut lowered = Vec::new();
    if let Some(more) = more {
        let found: Vec<RuleId> = issues
            .iter()
            .filter(|issue| issue.disposition == Disposition::Model)
            .map(|issue| issue.rule_id.clone())
            .collect();
        share_costs(rubric, &input, before.total, more, &found, &mut issues);
        lowered = more.lower(rubric, &mut input.fulfilment, &|id| found.contains(id));
    }
    let score = if lowered.is_empty() { before } else { score::score(rubric, &input) };
    issues.sort_by_key(ReviewIssue::importance);
    Scored { score, input, issues, lowered }
}

/// Divides the points that a model's question took from the total among its findings.
fn share_costs(
    rubric: &Rubric,
    input: &ScoreInput,
    total: f64,
    more: &dyn MoreEvidence,
    found: &[RuleId],
    issues: &mut [ReviewIssue],
) {
    let of_model = issues.iter_mut().filter(|issue| issue.disposition == Disposition::Model);
    for issue in of_model {
        let id = issue.rule_id.clone();
        let count = found.iter().filter(|other| **other == id).count().max(1);
        let mut alone = input.clone();
        more.lower(rubric, &mut alone.fulfilment, &|other| *other == id);
        let lost = (total - score::score(rubric, &alone).total).max(0.0);
        issue.points = score::one_decimal(lost / count as f64);
    }
}

/// The points that a finding costs in the total: its share of its rule's deduction in each dimension.
fn cost(rubric: &Rubric, score: &Score, rule: &RuleId) -> f64 {
    let of_dimension = |(dimension, policy): (&DimensionScore, &Dimension)| {
        let taken: f64 = dimension.deductions.iter().map(|deduction| deduction.points).sum();
        let scale = if taken > policy.deductions.cap { policy.deductions.cap / taken } else { 1.0 };
        let own = dimension.deductions.iter().find(|deduction| deduction.rule_id == *rule)?;
        Some(own.points * scale / own.count.max(1) as f64 * dimension.weight)
    };
    let sum: f64 = score.dimensions.iter().zip(&rubric.file.dimensions).filter_map(of_dimension).sum();
    score::one_decimal(sum)
}
