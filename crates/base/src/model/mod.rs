//! Plain data that every layer shares: packet, draft, issue, report, decision, outcome, ids and spans.
//!
//! The types only hold values; the stages have the behaviour.

mod decision;
mod draft;
mod evidence;
mod finding;
mod guardrail;
mod ids;
mod model_name;
mod model_review;
mod other_language;
mod outcome;
mod packet;
mod reading;
mod report;
mod rule_card;
mod span;
mod stamp;
mod ticket_reading;
mod words;

pub use decision::{
    Acceptance, AcceptedFinding, BlockReason, Edit, GateDecision, MISSING_CRITERIA, NotJudged, OPEN_POINT, PathToPass,
    PolicyReference, RubricReference, Verdict, Waiver, WaiverUse,
};
pub use draft::{Criterion, CriterionForm, DraftGap, Facets, Grounding, OpenPoint, PrdDraft, Requirement, Structured};
pub use evidence::{FacetEvidence, SignSeen};
pub use finding::{Basis, Category, Disposition, Finding, Match, ReviewIssue, Severity};
pub use guardrail::{
    GuardrailAction, GuardrailFinding, GuardrailKind, GuardrailMode, GuardrailReport, GuardrailStatus,
};
pub use ids::{Fingerprint, InvalidRuleId, RuleId};
pub use model_name::{InvalidModelName, ModelName, Provider};
pub use model_review::{
    AnswerOrigin, Disagreement, DiscardReason, Discarded, DraftPart, EvidencePart, FallbackLevel, Lowered,
    ModelReading, ModelReport, ModelStep, ModelStepEnd, ModelTask, ModelUsage, PromptReference, Rewrite, SkipReason,
};
pub use other_language::{OtherLanguage, OtherLanguages};
pub use outcome::{ExecutionTimes, Outcome, Stage};
pub use packet::{Attachment, Detected, Origin, Priority, RequirementPacket, SourceType, TicketType};
pub use reading::{Genre, SectionRole};
pub use report::{CriterionScore, Deduction, DimensionScore, Penalty, PenaltyReason, TicketScoreReport};
pub use reqgate_messages::Language;
pub use rule_card::{LEAST_JUDGED, MeasuredPrecision, RuleCard, without_holes};
pub use span::{LineIndex, Position, Span};
pub use stamp::{InvalidStamp, Stamp, StampState};
pub use ticket_reading::{ELEMENT_NAMES, FoundElement, QuestionCode, ReaderQuestion, TeamReference, TicketReading};
