//! What is wrong with a text: findings as rules make them, issues as people and machines read them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Fingerprint, Position, RuleId, Span};

/// How much a finding weighs in the gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Severity {
    /// Costs points, never decides alone.
    Warning,
    /// Rejects the ticket whatever its score.
    Blocker,
}

/// What a finding is about (003 §scoring).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Category {
    /// Acceptance criteria are missing, too few or cannot be checked.
    MissingAc,
    /// Two readers will read it differently.
    Ambiguity,
    /// A case, a limit, a decision or a consequence is left out, or two statements disagree.
    LogicGap,
    /// Personal data, secrets, or a risk that needs a rule about permissions.
    Security,
    /// A part of the ticket is missing or empty.
    MissingField,
}

impl Category {
    /// Every value.
    pub const ALL: [Self; 5] = [Self::MissingAc, Self::Ambiguity, Self::LogicGap, Self::Security, Self::MissingField];

    /// The wire name, e.g. `MISSING_AC`.
    pub fn name(self) -> &'static str {
        match self {
            Self::MissingAc => "MISSING_AC",
            Self::Ambiguity => "AMBIGUITY",
            Self::LogicGap => "LOGIC_GAP",
            Self::Security => "SECURITY",
            Self::MissingField => "MISSING_FIELD",
        }
    }
}

/// What a rule saw, before severity, wording and waivers are settled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The rule that saw it.
    pub rule: RuleId,
    /// Where; `None` means missing from the whole text.
    pub span: Option<Span>,
    /// Words for the `{name}` holes in the rule's message, question and hint, e.g. `("term", "fast")`.
    pub values: Vec<(&'static str, String)>,
}

impl Finding {
    /// A finding at a place.
    pub fn at(rule: RuleId, span: Span) -> Self {
        Self { rule, span: Some(span), values: Vec::new() }
    }

    /// A finding about the whole text.
    pub fn missing(rule: RuleId) -> Self {
        Self { rule, span: None, values: Vec::new() }
    }

    /// The same finding with one hole filled.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.values.push((name, value.into()));
        self
    }
}

/// What a check saw, before it is known for which rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// Where; `None` means missing from the whole text.
    pub span: Option<Span>,
    /// Words for the holes of the rule's message.
    pub values: Vec<(&'static str, String)>,
}

impl Match {
    /// Something at a place.
    pub fn at(span: Span) -> Self {
        Self { span: Some(span), values: Vec::new() }
    }

    /// Something missing from the whole text.
    pub fn missing() -> Self {
        Self { span: None, values: Vec::new() }
    }

    /// The same with one hole filled.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.values.push((name, value.into()));
        self
    }

    /// The finding of a rule.
    pub fn of(self, rule: &RuleId) -> Finding {
        Finding { rule: rule.clone(), span: self.span, values: self.values }
    }
}

/// One thing to be mended, as reported (003: severity, category, description, suggestion; plus place and identity).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewIssue {
    /// The rule that found it.
    pub rule_id: RuleId,
    /// How much it weighs.
    pub severity: Severity,
    /// What it is about.
    pub category: Category,
    /// What is wrong, in one sentence.
    pub description: String,
    /// What to write instead.
    pub suggestion: String,
    /// The question to put to the author.
    pub question: Option<String>,
    /// Where it stands; `None` means missing from the whole text.
    pub span: Option<Span>,
    /// Line and column of the span's first character.
    pub position: Option<Position>,
    /// The words at that place, personal data and secrets masked, at most 200 characters.
    pub quote: Option<String>,
    /// Name of this finding that survives moving the line.
    pub fingerprint: Fingerprint,
    /// Points that this finding costs; 0 for one that only blocks.
    pub points: f64,
    /// Why the severity is not the rule's own, if it is not: a configuration, a rubric or the precision floor.
    pub severity_note: Option<String>,
}

/// The note of an issue that would block if the verdict were surer.
pub const ASKED: &str = "asked, but not sure enough to block";

impl ReviewIssue {
    /// True for an issue that would block if the verdict were surer; it is asked instead.
    pub fn is_asked(&self) -> bool {
        self.severity_note.as_deref() == Some(ASKED)
    }
}
