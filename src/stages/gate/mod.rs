//! Decides pass or reject from recorded facts: blockers first, then the threshold (C-062).
//!
//! Pure: no model, no clock, no files. A waiver that has expired counts as absent.

mod baseline;
mod path;
mod waivers;

pub use baseline::{BASELINE_SCHEMA, Baseline, Known};
pub use path::{Repair, path_to_pass};
pub use waivers::{WaiverError, Waivers};

use crate::model::{ASKED, BlockReason, ReviewIssue, Severity, Verdict};
use crate::rules::Readiness;

/// What a verdict is made of, beside the issues.
pub struct Facts<'f> {
    /// Score of the text, 0 to 100.
    pub score: f64,
    /// Score needed, 0 to 100.
    pub threshold: f64,
    /// How the score tells how likely the text is ready.
    pub readiness: Option<Readiness>,
    /// True if an unsure "no" does not block.
    pub by_evidence: bool,
    /// True for issues that somebody set to block whatever else is known.
    pub always_blocks: &'f dyn Fn(&ReviewIssue) -> bool,
    /// True for issues that the policy lets block.
    pub may_block: &'f dyn Fn(&ReviewIssue) -> bool,
}

/// What the gate says.
#[derive(Debug, Clone, PartialEq)]
pub struct Ruling {
    /// Pass or reject.
    pub verdict: Verdict,
    /// Why it is no pass.
    pub reasons: Vec<BlockReason>,
    /// How sure it is, 0 to 1.
    pub certainty: Option<f64>,
    /// True for a pass with questions.
    pub questions_only: bool,
    /// How many questions are left where it passes.
    pub questions: usize,
}

/// The verdict over issues and score. By evidence, a text is rejected only where the score says surely enough that it is not
/// ready; what else would block becomes a question.
pub fn decide(blocking: &mut Vec<ReviewIssue>, warnings: &mut Vec<ReviewIssue>, facts: &Facts<'_>) -> Ruling {
    let below = facts.score < facts.threshold;
    if facts.by_evidence {
        let stays = |issue: &ReviewIssue| (facts.always_blocks)(issue) || below && (facts.may_block)(issue);
        let (blocks, asks): (Vec<_>, Vec<_>) = std::mem::take(blocking).into_iter().partition(stays);
        *blocking = blocks;
        warnings.extend(asks.into_iter().map(|issue| ReviewIssue {
            severity: Severity::Warning,
            severity_note: Some(ASKED.to_owned()),
            ..issue
        }));
    } else {
        let (blocks, asks): (Vec<_>, Vec<_>) =
            std::mem::take(blocking).into_iter().partition(|issue| (facts.may_block)(issue));
        *blocking = blocks;
        warnings.extend(asks.into_iter().map(|issue| ReviewIssue {
            severity: Severity::Warning,
            severity_note: Some("does not block under this policy".to_owned()),
            ..issue
        }));
    }
    let mut reasons: Vec<BlockReason> = blocking.iter().map(reason).collect();
    if below {
        reasons.push(BlockReason::BelowThreshold { score: facts.score, threshold: facts.threshold });
    }
    let verdict = if reasons.is_empty() { Verdict::Pass } else { Verdict::Reject };
    let questions = warnings.iter().filter(|issue| issue.is_asked()).count();
    let ready = facts.readiness.map(|readiness| readiness.probability(facts.score));
    let certainty = ready.map(|ready| {
        let sure = if verdict == Verdict::Pass { ready } else { 1.0 - ready };
        (sure * 100.0).round() / 100.0
    });
    Ruling { verdict, reasons, certainty, questions_only: verdict == Verdict::Pass && questions > 0, questions }
}

fn reason(issue: &ReviewIssue) -> BlockReason {
    BlockReason::Blocker {
        rule_id: issue.rule_id.clone(),
        fingerprint: issue.fingerprint.clone(),
        description: issue.description.clone(),
    }
}
