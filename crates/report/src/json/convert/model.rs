//! Copies the contribution of a model into the frozen shape of version 1.

use super::{Places, finite};
use crate::json::v1;
use reqgate_base::model::{Language, ModelReading, ModelReport, ModelStep, ModelStepEnd};

/// The contribution of a model, in the shape of version 1.
pub(super) fn model(report: &ModelReport, places: &Places<'_>) -> v1::Model {
    let items = report.added_items.iter();
    let rewrites = report.rewrites.iter();
    let disagreements = report.disagreements.iter().map(|disagreement| v1::Disagreement {
        place: places.at(disagreement.span),
        rules: disagreement.rules,
        model: disagreement.model,
    });
    v1::Model {
        model: report.model.clone(),
        host: report.host.clone(),
        witness_hash: report.questions_hash.clone(),
        structuring: report.structuring,
        scoring: report.scoring,
        rules_score: finite(report.rules_score),
        rules_verdict: report.rules_verdict,
        reading: report.reading.as_ref().map(|it| reading(it, places)),
        steps: report.steps.iter().map(step).collect(),
        usage: report.usage(),
        added_findings: report.added_findings,
        lowered: report.lowered.clone(),
        added_items: items.map(|(part, span)| v1::DraftItem { part: *part, place: places.at(*span) }).collect(),
        questions: report.questions.clone(),
        rewrites: rewrites
            .map(|rewrite| v1::Rewrite { place: places.at(rewrite.span), words: rewrite.words.clone() })
            .collect(),
        disagreements: disagreements.collect(),
        discarded: report.discarded.clone(),
    }
}

fn reading(reading: &ModelReading, places: &Places<'_>) -> v1::ModelReading {
    let evidence = reading.evidence.iter().map(|(part, span)| v1::QuotedPart {
        part: *part,
        quote: span.slice(places.text).to_owned(),
        place: places.at(*span),
    });
    v1::ModelReading {
        calibration: reading.calibration.clone(),
        kind: reading.kind,
        ready: reading.ready,
        must: reading.must,
        questions: reading.questions,
        rules_not_ready: finite(reading.rules_not_ready),
        rules_not_actionable: finite(reading.rules_not_actionable),
        evidence: evidence.collect(),
        held_down: reading.held_down,
    }
}

fn step(step: &ModelStep) -> v1::ModelStep {
    let (status, reason) = match &step.end {
        ModelStepEnd::Answered => (v1::StepEnd::Answered, None),
        ModelStepEnd::Failed { reason } => (v1::StepEnd::Failed, Some(reason.clone())),
        ModelStepEnd::NotAsked { reason } => (v1::StepEnd::NotAsked, Some(reason.words(Language::En))),
    };
    v1::ModelStep {
        task: step.task,
        prompt: step.prompt.clone(),
        status,
        reason,
        attempts: step.attempts,
        origin: step.origin,
        usage: step.usage,
    }
}
