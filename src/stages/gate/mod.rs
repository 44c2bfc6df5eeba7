//! Decides pass or reject from recorded facts: blockers first, then the threshold (C-062).
//!
//! Pure: no model, no clock, no files. A waiver that has expired counts as absent.

mod baseline;
mod path;
mod waivers;

pub use baseline::{BASELINE_SCHEMA, Baseline, Known};
pub use path::{Repair, path_to_pass};
pub use waivers::{WaiverError, Waivers};

use crate::model::{BlockReason, ReviewIssue, Verdict};

/// The verdict over issues and score, with its reasons.
pub fn decide(blocking: &[ReviewIssue], score: f64, threshold: f64) -> (Verdict, Vec<BlockReason>) {
    let mut reasons: Vec<BlockReason> = blocking
        .iter()
        .map(|issue| BlockReason::Blocker {
            rule_id: issue.rule_id.clone(),
            fingerprint: issue.fingerprint.clone(),
            description: issue.description.clone(),
        })
        .collect();
    if score < threshold {
        reasons.push(BlockReason::BelowThreshold { score, threshold });
    }
    (if reasons.is_empty() { Verdict::Pass } else { Verdict::Reject }, reasons)
}
