//! The decision of the gate, with all facts that explain and repeat it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Basis, Fingerprint, RuleId, Span};

crate::named! {
    /// The verdict on one input.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
    pub enum Verdict {
        /// Ready: work can start.
        Pass => "PASS",
        /// Not ready: questions are open that must be answered first.
        Reject => "REJECT",
        /// Not a requirement (a task or a question); counts as a pass.
        NotApplicable => "NOT_APPLICABLE",
        /// The guardrail stopped the run before anything was judged.
        GuardrailRejected => "GUARDRAIL_REJECTED",
    }
}

impl Verdict {
    /// Returns true if the gate lets the ticket through.
    pub fn is_pass(self) -> bool {
        matches!(self, Self::Pass | Self::NotApplicable)
    }
}

/// The rubric that was applied, so that a verdict can be repeated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RubricReference {
    /// Id of the rubric, e.g. `feature`.
    pub id: String,
    /// Its version, e.g. `1.0.0`.
    pub version: String,
    /// First 16 hexadecimal digits of the SHA-256 of its text.
    pub hash: String,
}

/// The policy under which the verdict was given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PolicyReference {
    /// Id of the policy, e.g. `ready`.
    pub id: String,
    /// Its version, e.g. `1.0.0`.
    pub version: String,
    /// First 16 hexadecimal digits of the SHA-256 of its text.
    pub hash: String,
    /// The most questions that are put to an author.
    pub most_questions: usize,
}

/// One reason of a rejection.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum BlockReason {
    /// An issue that blocks.
    Blocker {
        /// Id of the rule that found it.
        rule_id: RuleId,
        /// Fingerprint of the issue.
        fingerprint: Fingerprint,
        /// The fault, in one sentence.
        description: String,
        /// The ground on which it blocks: fact or estimate.
        #[serde(default)]
        basis: Basis,
    },
    /// The score is below the threshold.
    BelowThreshold {
        /// The score, 0 to 100.
        score: f64,
        /// The threshold, 0 to 100.
        threshold: f64,
    },
    /// The guardrail stopped the run.
    Guardrail {
        /// Kind and number of the findings, never a value.
        description: String,
    },
    /// The text gave no draft, and the fallback to the raw text is switched off.
    StructuringFailed {
        /// The parts that the text lacks for a draft, one sentence each.
        description: String,
    },
    /// The text is written in a language that is not judged, and the installation refuses such texts.
    OtherLanguage {
        /// The language, as part of a sentence.
        description: String,
    },
}

/// The reason why a text is neither ready nor unready: the rules cannot read it. This is reported, and is not a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NotJudged {
    /// It is written in a language that is not judged.
    OtherLanguage,
    /// It is a file of data, a configuration, a log or source code, without prose for a reader.
    NoProse,
    /// It is another file of a repository: a licence, a change log, rules for contributors.
    OtherFile,
}

/// A rule that is set aside for a good reason, until an end date.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Waiver {
    /// The rule that is set aside.
    pub rule: RuleId,
    /// The reason; a waiver without one is refused.
    pub reason: String,
    /// Only this finding; all findings of the rule if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<Fingerprint>,
    /// Only inputs whose name matches this glob; all inputs if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// Last day on which it holds, `YYYY-MM-DD`; an expired waiver counts as absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires: Option<String>,
}

/// Id of the rule about open points. A document names its findings as questions if a person accepted them.
pub const OPEN_POINT: &str = "open-point";

/// Id of the rule about missing acceptance criteria.
pub const MISSING_CRITERIA: &str = "missing-acceptance-criteria";

/// The decision of a person, recorded in a document, to start although these points block.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Acceptance {
    /// The person who accepted the points.
    pub by: String,
    /// The reason of the decision.
    pub reason: String,
    /// The open questions, in the words of the document.
    pub questions: Vec<String>,
    /// The other findings that block.
    pub findings: Vec<AcceptedFinding>,
}

/// A finding that a person accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcceptedFinding {
    /// Id of the rule that made the finding.
    pub rule: String,
    /// The words of the document that it quotes; empty for a finding about the whole text.
    pub words: String,
}

/// The effect of a waiver in this run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WaiverUse {
    /// It set aside this many findings.
    Used(usize),
    /// It matched no finding.
    Unused,
    /// Its last day has passed.
    Expired,
}

/// One edit on the way to a pass.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Edit {
    /// The instruction to the author.
    pub instruction: String,
    /// The rule that it satisfies, if it fixes a finding.
    pub rule_id: Option<RuleId>,
    /// The rubric criterion that it earns, if it fills a gap.
    pub criterion: Option<String>,
    /// The place; `None` means anywhere in the text.
    pub span: Option<Span>,
    /// Points it adds to the total score once the edits before it are made.
    pub points: f64,
    /// The edit removes a blocker.
    pub removes_blocker: bool,
}

/// The smallest set of edits found that turns a rejection into a pass.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PathToPass {
    /// The edits, in the order in which the points were counted.
    pub edits: Vec<Edit>,
    /// Score after all of them, 0 to 100.
    pub score_after: f64,
}

/// The gate's decision: pure code over recorded facts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GateDecision {
    /// The verdict on the input.
    pub verdict: Verdict,
    /// The reasons against a pass; empty for a pass.
    pub reasons: Vec<BlockReason>,
    /// One sentence that says the verdict and the main reason.
    pub explanation: String,
    /// The reason why the text was not judged, if that is to be reported.
    #[serde(default)]
    pub not_judged: Option<NotJudged>,
    /// The score that is needed, 0 to 100; `None` if no score was computed.
    pub threshold: Option<f64>,
    /// The rubric that was applied; `None` if no score was computed.
    pub rubric: Option<RubricReference>,
    /// The policy in force; `None` if no score was computed.
    pub policy: Option<PolicyReference>,
    /// The chance that the text is ready, 0 to 1, according to labelled tickets; `None` if no score was computed, and
    /// for a rejection that rests on facts alone.
    pub certainty: Option<f64>,
    /// The text passed with questions: a point is missing or unclear, but not surely enough to block.
    pub questions_only: bool,
    /// The waivers in force and their effects.
    pub waivers: Vec<(Waiver, WaiverUse)>,
    /// The findings that do not block because the document records that a person accepted them.
    #[serde(default)]
    pub accepted: Vec<Fingerprint>,
    /// The shortest path to a pass; `None` unless the verdict is `REJECT`.
    pub path_to_pass: Option<PathToPass>,
}
