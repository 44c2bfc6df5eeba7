//! The verdict on a case with a model in addition to the rules: as one more reader if readings decide, otherwise as a reviewer.

use super::steps::Case;
use super::{Clock, Pipeline};
use crate::orders::CheckedQuestion;
use crate::review::{Assisted, ReadReport, Review, Reviewed, WeighedReading};
use crate::stages::gate::{self, Issues};
use crate::stages::scoring::Scored;
use crate::stages::scoring::estimate::Estimate;
use reqgate_base::model::{GateDecision, ModelReport, Stage, Structured, TicketType};

/// A case with its verdict.
pub(super) struct Judged {
    pub scored: Scored,
    pub decision: GateDecision,
    pub issues: Issues,
    pub model: Option<ModelReport>,
    pub assisted: Option<Assisted>,
    pub estimate: Option<Estimate>,
    /// The kind of ticket according to a model that read it.
    pub heard_kind: Option<TicketType>,
    /// The questions of such a model.
    pub asked: Vec<CheckedQuestion>,
}

impl Pipeline {
    /// Judges with a model as reader. `no_requirement` is the local reader's probability that the text asks for no work.
    pub(super) fn with_reader(
        &self,
        case: Case<'_>,
        mut review: Review<'_>,
        (estimate, no_requirement): (Estimate, f64),
        on_raw_text: bool,
        clock: &mut Clock,
    ) -> Judged {
        let alone = clock.time(Stage::Gate, || self.rules_alone(case, on_raw_text));
        let heard = clock.time(Stage::Scoring, || self.hear(case, &mut review, &estimate, !alone.verdict.is_pass()));
        let (estimate, codes) = match &heard {
            Some((heard, _)) => (heard.estimate.clone(), Some(heard.estimate.codes())),
            None => (estimate, None),
        };
        let mut case = Case { likely_ready: Some(estimate.likely_ready()), ..case };
        if let Some((heard, _)) = &heard {
            case.heard = Some(heard);
            case.found.asked = codes.as_deref();
        }
        let (scored, waivers) = clock.time(Stage::Scoring, || self.score(case, None));
        let (mut decision, mut issues) = clock.time(Stage::Gate, || self.decide(case, &scored, &waivers));
        // A text that passes may still ask for no work according to the model. One that the rules reject may not,
        // because a kind is a verdict without evidence.
        let kind = heard.as_ref().filter(|(_, least)| no_requirement >= *least && alone.verdict.is_pass());
        if let Some(kind) = kind.and_then(|(heard, _)| heard.no_requirement()) {
            decision = gate::not_applicable(kind, case.ctx.language);
            issues = Issues::default();
        }
        let heard = heard.as_ref().map(|(heard, _)| heard);
        let model = {
            let issues = &mut issues.blocking.iter().chain(&issues.warnings);
            review.report_of_reading(ReadReport { alone, heard, issues })
        };
        let heard_kind = heard.and_then(|heard| heard.reading.kind);
        let asked = heard.map(|heard| heard.questions.clone()).unwrap_or_default();
        let estimate = Some(estimate);
        Judged { scored, decision, issues, model: Some(model), assisted: None, estimate, heard_kind, asked }
    }

    /// Lets the model read the text and counts its reading; `None` if it gave no answer. The number is the least
    /// probability of no work, by the local reader, from which the model's kind counts.
    fn hear(
        &self,
        case: Case<'_>,
        review: &mut Review<'_>,
        alone: &Estimate,
        rejected: bool,
    ) -> Option<(WeighedReading, f64)> {
        let calibration = self.book.calibration(&review.model_name())?;
        let checked = review.read(case.ctx.text, case.ctx.reading)?;
        let mut heard = WeighedReading::new(checked, alone, calibration, case.ctx.facets, case.found.findings);
        heard.asks_also_of(alone, rejected);
        Some((heard, calibration.not_a_requirement))
    }

    /// Judges with a model as reviewer, or by the rules alone.
    pub(super) fn with_review(
        &self,
        case: Case<'_>,
        mut review: Option<Review<'_>>,
        (estimate, structured): (Option<Estimate>, &Structured),
        skipped: bool,
        clock: &mut Clock,
    ) -> Judged {
        let (text, profile) = (case.ctx.text, case.ctx.profile);
        let assisted = review
            .as_mut()
            .and_then(|review| clock.time(Stage::Structuring, || review.draft(structured, text, profile, skipped)));
        let alone = review.as_ref().map(|_| self.rules_alone(case, case.failures.structuring || skipped));
        let evidence =
            review.as_mut().and_then(|review| clock.time(Stage::Scoring, || review.evidence(case.rubric, case.ctx)));
        let (scored, waivers) = clock.time(Stage::Scoring, || self.score(case, evidence.as_ref()));
        let (decision, mut issues) = clock.time(Stage::Gate, || self.decide(case, &scored, &waivers));
        let model = review.zip(alone).map(|(review, alone)| {
            let (ctx, verdict) = (case.ctx, decision.verdict);
            let (assisted, evidence, lowered) = (assisted.as_ref(), evidence.as_ref(), scored.lowered.clone());
            let run = Reviewed { book: &self.book, ctx, verdict, alone, assisted, evidence, lowered };
            clock.time(Stage::Formatter, || review.report(run, &mut issues.blocking, &mut issues.warnings))
        });
        Judged { scored, decision, issues, model, assisted, estimate, heard_kind: None, asked: Vec::new() }
    }
}
