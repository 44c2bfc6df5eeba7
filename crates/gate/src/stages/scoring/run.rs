//! From findings to a score: the rules are run, severities settled, and what counts is counted.
//!
//! Pure. Between its two halves, [`found`] and [`run`], findings may be set aside: what a waiver covers costs nothing.

use std::collections::{BTreeMap, BTreeSet};

use super::score::{self, CountedFinding, Fulfilment, Score, ScoreInput};
use super::{Context, findings};
use reqgate_base::model::{
    DimensionScore, Disposition, Finding, GuardrailAction, GuardrailReport, LineIndex, Lowered, QuestionCode,
    ReviewIssue, RuleId, Severity,
};
use reqgate_rules::{Dimension, Rubric, RuleBook, RuleFile, Tally};

/// What settles how much a finding weighs.
#[derive(Clone, Copy)]
pub struct Weights<'w> {
    /// The rules.
    pub book: &'w RuleBook,
    /// The rubric, which may set severities.
    pub rubric: &'w Rubric,
    /// Severities that the installation sets; `None` switches a rule off.
    pub severities: &'w BTreeMap<RuleId, Option<Severity>>,
    /// Precision below which a rule may not block, 0 to 1.
    pub precision_floor: f64,
    /// How often rules were right by the user's own records.
    pub recorded: &'w BTreeMap<RuleId, Tally>,
}

/// Evidence from beside the rules. It can lower criteria and never raise one.
pub trait MoreEvidence {
    /// Lowers the criteria for which evidence counts, and tells which. `counts` is false for an id that is waived or off.
    fn lower(
        &self,
        rubric: &Rubric,
        fulfilment: &mut [Vec<Fulfilment>],
        counts: &dyn Fn(&RuleId) -> bool,
    ) -> Vec<Lowered>;
}

/// What went wrong before the scoring, and costs a penalty.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Failures {
    /// Hard Check #1 failed.
    pub structure_check: bool,
    /// There is no draft, and the raw text is scored.
    pub structuring: bool,
}

/// A scored text.
#[derive(Debug, Clone)]
pub struct Scored {
    /// The points.
    pub score: Score,
    /// What they were counted from.
    pub input: ScoreInput,
    /// The issues with what each costs, the most important first.
    pub issues: Vec<ReviewIssue>,
    /// The criteria that evidence from beside the rules lowered.
    pub lowered: Vec<Lowered>,
}

/// What rules found in a text and what its readers would ask about, where that was estimated.
#[derive(Debug, Clone, Copy)]
pub struct Found<'f> {
    /// The findings of the rules.
    pub findings: &'f [Finding],
    /// The subjects that a reader would ask about, the most probable first.
    pub asked: Option<&'f [QuestionCode]>,
}

/// What is said of a text with the severity of each: the findings of rules in their order, questions of readers, and what the
/// guardrail warns about.
pub fn issues(
    weights: &Weights<'_>,
    found: Found<'_>,
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
    // Personal data and secrets cost nothing in lenient mode, but their owner should know.
    let warned = guardrail.findings.iter().filter(|finding| finding.action == GuardrailAction::Warn);
    all.extend(warned.filter_map(|finding| super::issues::guardrail_issue(finding, lines, ctx)));
    all
}

impl Weights<'_> {
    /// Leaves facts, findings that a reader would ask about and words in criteria that only a figure settles, and of those that
    /// ask the same the ones that say most: a rule that would block by its own words speaks in place of the general question.
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

    /// An issue that somebody else found, with the severity that the installation sets; `None` if it switches the rule off.
    pub fn set(&self, issue: ReviewIssue) -> Option<ReviewIssue> {
        match self.severities.get(&issue.rule_id) {
            None => Some(issue),
            Some(Some(severity)) if *severity == issue.severity => Some(issue),
            Some(severity) => {
                Some(ReviewIssue { severity: (*severity)?, disposition: Disposition::Configuration, ..issue })
            }
        }
    }

    /// Why a rule may not block, if it may not: too few of its findings were right on labelled text. Looked up only for what
    /// would block, so that it costs nothing elsewhere.
    fn demotion(&self, rule: &RuleId) -> Option<Disposition> {
        let own = self.recorded.get(rule).copied().unwrap_or_default();
        let measured =
            self.book.precision_of(rule).into_iter().fold(own, |sum, (_, tally)| sum.plus(tally)).measured()?;
        let floor = self.precision_floor;
        measured.is_below(floor).then(|| Disposition::Imprecise { measured: measured.words().to_string(), floor })
    }
}

/// Counts points. What is waived, what a form asks for and what a model found takes none by itself; `more` may lower criteria.
/// `likely_ready` is the probability that a reader needs no answer, where it was estimated.
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

/// Gives each finding of a model its share of what its question took from the total.
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

/// Points that a finding costs in the total: its share of what its rule took from each dimension.
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
