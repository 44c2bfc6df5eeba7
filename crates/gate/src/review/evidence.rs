//! Checks a model's statements about a text, quote by quote, and finds the criteria of the rubric that its evidence lowers.
//!
//! The code is pure. No statement can add a point, clear a finding or decide. A statement without words of the text is
//! discarded and counted, and the others take at most as many points as the question file allows.

mod reason;

use garde::Validate;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::stages::scoring::findings::count;
use crate::stages::scoring::score::Fulfilment;
use crate::stages::scoring::{Context, MoreEvidence, issues};
use reason::Given;
use reqgate_base::model::{DiscardReason, FacetEvidence, LineIndex, Lowered, ReviewIssue, RuleId, Severity, Span};
use reqgate_rules::{Evidence, ModelQuestion, ModelQuestions, Rubric};
use reqgate_text::{Quotable, quote};

/// The most problems of one question that are read.
pub(super) const MOST_PROBLEMS: usize = 3;
/// The most bytes of a quote; a longer one does not identify a place.
const LONGEST_EVIDENCE: usize = 1_000;
/// The quote that a model writes for a part that is missing from the whole text.
const NOWHERE: &str = "NOWHERE";

/// The answer of a model. Problems come before the grade, so that the grade follows from them.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema, Validate)]
#[schemars(transform = reqgate_rules::prompts::without_words)]
pub(crate) struct Statements {
    /// One statement per question.
    #[garde(length(max = 100))]
    pub criteria: Vec<Statement>,
}

/// The answer to one question.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[schemars(extend("required" = ["id", "problems", "grade"]))]
#[schemars(transform = reqgate_rules::prompts::without_words)]
pub(crate) struct Statement {
    /// The id of the question.
    pub id: String,
    /// The problems, worst first.
    #[serde(default)]
    pub problems: Vec<Problem>,
    /// The clarity of the text.
    pub grade: Grade,
}

/// A problem that the model sees.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[schemars(transform = reqgate_rules::prompts::without_words)]
pub(crate) struct Problem {
    /// The words of the text, or `NOWHERE`.
    pub quote: String,
    /// The reason why it is a problem.
    pub reason: String,
}

/// The clarity of a text; a word, because a model's numbers have no fixed meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum Grade {
    /// It can be built without asking.
    Clear,
    /// One thing must be asked.
    Partly,
    /// It would be guessed.
    Unclear,
}

impl Grade {
    /// The share of the bound that evidence takes.
    fn weight(self) -> f64 {
        match self {
            Self::Clear => 0.0,
            Self::Partly => 0.5,
            Self::Unclear => 1.0,
        }
    }
}

/// A problem whose evidence was checked.
#[derive(Debug, Clone, PartialEq)]
struct Proven {
    /// The place; `None` for a part that is missing from the whole text.
    span: Option<Span>,
    reason: String,
}

/// The accepted part of a statement.
#[derive(Debug, Clone, PartialEq)]
struct Checked {
    id: RuleId,
    grade: Grade,
    problems: Vec<Proven>,
    /// It is about a place that lowered no other criterion before.
    lowers: bool,
}

/// The accepted statements of a model, after every quote was checked.
#[derive(Debug, Clone, Default)]
pub struct ModelEvidence {
    questions: ModelQuestions,
    checked: Vec<Checked>,
    /// The discarded statements, in the model's words.
    pub discarded: Vec<(DiscardReason, String)>,
}

/// Checks the statements of a model. `clean` makes a reason safe to show, or returns the reason why it is not.
///
/// A reason counts once, for the first question that it answers. A place of the text lowers one criterion, that of the
/// first question that quotes it: further findings about it are shown and take no points. This is decided here and not
/// where points are taken, so that a waiver of the first cannot make the second take points.
pub(super) fn check(
    questions: &ModelQuestions,
    rubric: &Rubric,
    said: &Statements,
    ctx: Context<'_>,
    quotes: &Quotable,
    clean: impl Fn(&str) -> Result<String, DiscardReason>,
) -> ModelEvidence {
    let mut evidence = ModelEvidence { questions: questions.clone(), ..ModelEvidence::default() };
    let mut given = Given::default();
    let mut spent: Vec<Span> = Vec::new();
    for statement in &said.criteria {
        let known = evidence.checked.iter().any(|checked| checked.id.as_str() == statement.id);
        let Some(question) = questions.get(&statement.id).filter(|_| !known) else {
            evidence.discarded.push((DiscardReason::NotAsked, statement.id.clone()));
            continue;
        };
        // A model that finds the text clear has found no problem: its quotes are praise or a mistake, and not findings.
        if statement.grade == Grade::Clear {
            let taken_back = |problem: &Problem| (DiscardReason::Unusable, told(problem));
            evidence.discarded.extend(statement.problems.iter().map(taken_back));
            let id = question.file.id.clone();
            evidence.checked.push(Checked { id, grade: statement.grade, problems: Vec::new(), lowers: false });
            continue;
        }
        let mut problems: Vec<Proven> = Vec::new();
        for (number, problem) in statement.problems.iter().enumerate() {
            let proven = match number < MOST_PROBLEMS {
                true => prove(question, rubric, problem, ctx, quotes, &clean),
                false => Err(DiscardReason::TooMany),
            };
            match proven {
                Ok(proven) if problems.iter().any(|other| other.span == proven.span) => {}
                Ok(proven) if given.has(&proven.reason) => {
                    evidence.discarded.push((DiscardReason::TooMany, told(problem)));
                }
                Ok(proven) => problems.push(proven),
                Err(reason) => evidence.discarded.push((reason, told(problem))),
            }
        }
        if problems.is_empty() {
            evidence.discarded.push((DiscardReason::NoEvidence, statement.id.clone()));
        }
        let lowers = may_lower(question) && problems.iter().any(|problem| is_fresh(problem.span, &spent));
        if lowers {
            spent.extend(problems.iter().filter_map(|problem| problem.span));
        }
        evidence.checked.push(Checked { id: question.file.id.clone(), grade: statement.grade, problems, lowers });
    }
    evidence
}

fn may_lower(question: &ModelQuestion) -> bool {
    question.bounds.lowers.is_some() && question.bounds.bound > 0.0
}

/// Returns true for words that have lowered no other criterion. A part that is missing from the whole text has no place to share.
fn is_fresh(span: Option<Span>, spent: &[Span]) -> bool {
    span.is_none_or(|span| !spent.iter().any(|other| other.overlaps(span)))
}

/// A problem in the model's words.
fn told(problem: &Problem) -> String {
    format!("{}: {}", problem.quote, problem.reason)
}

fn prove(
    question: &ModelQuestion,
    rubric: &Rubric,
    problem: &Problem,
    ctx: Context<'_>,
    quotes: &Quotable,
    clean: &impl Fn(&str) -> Result<String, DiscardReason>,
) -> Result<Proven, DiscardReason> {
    let span = match problem.quote.trim() {
        NOWHERE if is_there(question, rubric, ctx) => return Err(DiscardReason::Contradicted),
        NOWHERE => None,
        words => {
            let span = quotes.find(words).ok_or(DiscardReason::NotInText)?;
            // A heading or a list item of two words cannot be quoted at greater length.
            let is_piece = || ctx.reading.whole(ctx.text, span).is_none();
            if span.len() > LONGEST_EVIDENCE || quote::is_scrap(span.slice(ctx.text)) && is_piece() {
                return Err(DiscardReason::Unusable);
            }
            Some(span)
        }
    };
    if reason::repeats(&problem.reason, span.map_or("", |span| span.slice(ctx.text)), quotes) {
        return Err(DiscardReason::Unusable);
    }
    Ok(Proven { span, reason: clean(&problem.reason)? })
}

/// Returns true if the rules found a part that a model calls missing: a recorded fact takes precedence over a claim.
fn is_there(question: &ModelQuestion, rubric: &Rubric, ctx: Context<'_>) -> bool {
    let Some(lowers) = &question.bounds.lowers else { return false };
    let mut criteria = rubric.file.dimensions.iter().flat_map(|dimension| &dimension.criteria);
    criteria.find(|criterion| criterion.id == *lowers).is_some_and(|criterion| match &criterion.evidence {
        Evidence::Facet { name, .. } => count(*name, ctx) > 0,
        Evidence::Likely { any, .. } => {
            any.iter().any(|facet| ctx.facets.evidence_of(facet).is_some_and(FacetEvidence::is_likely))
        }
        _ => false,
    })
}

impl ModelEvidence {
    /// Returns true if any statement counts: a proven problem, or the grade "clear".
    pub(crate) fn says_anything(&self) -> bool {
        self.checked.iter().any(|checked| checked.grade == Grade::Clear || !checked.problems.is_empty())
    }

    /// The findings, before waivers; `severity_of` returns the configured severity of an id, where `Some(None)` is off.
    pub fn issues(
        &self,
        severity_of: impl Fn(&RuleId) -> Option<Option<Severity>>,
        lines: &LineIndex,
        ctx: Context<'_>,
    ) -> Vec<ReviewIssue> {
        let mut out = Vec::new();
        for checked in &self.checked {
            let Some(question) = self.questions.get(checked.id.as_str()) else { continue };
            let set = severity_of(&checked.id);
            if set == Some(None) {
                continue;
            }
            for problem in &checked.problems {
                let may_block = question.bounds.may_block && checked.grade == Grade::Unclear && problem.span.is_some();
                let severity = match may_block && set != Some(Some(Severity::Warning)) {
                    true => Severity::Blocker,
                    false => Severity::Warning,
                };
                out.push(issues::model_issue(question, problem.span, &problem.reason, severity, lines, ctx));
            }
        }
        out
    }
}

impl MoreEvidence for ModelEvidence {
    fn lower(
        &self,
        rubric: &Rubric,
        fulfilment: &mut [Vec<Fulfilment>],
        counts: &dyn Fn(&RuleId) -> bool,
    ) -> Vec<Lowered> {
        let mut out = Vec::new();
        for checked in self.checked.iter().filter(|checked| checked.lowers && counts(&checked.id)) {
            let Some(bounds) = self.questions.get(checked.id.as_str()).map(|question| &question.bounds) else {
                continue;
            };
            let Some(lowers) = &bounds.lowers else { continue };
            let taken = (bounds.bound * checked.grade.weight()).clamp(0.0, 1.0);
            for (dimension, row) in rubric.file.dimensions.iter().zip(fulfilment.iter_mut()) {
                for (criterion, met) in dimension.criteria.iter().zip(row.iter_mut()) {
                    let to = *met * (1.0 - taken);
                    if criterion.id == *lowers && to < *met {
                        let rule_id = checked.id.clone();
                        out.push(Lowered { criterion: lowers.clone(), rule_id, from: *met, to });
                        *met = to;
                    }
                }
            }
        }
        out
    }
}

#[cfg(test)]
mod tests;
