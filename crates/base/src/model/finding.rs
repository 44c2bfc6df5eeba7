//! The faults of a text: findings as rules make them, and issues as people and programs read them.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Fingerprint, Position, RuleId, Span};

/// The weight of a finding in the gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Severity {
    /// Costs points, never decides alone.
    Warning,
    /// Rejects the ticket, however high its score is.
    Blocker,
}

crate::named! {
    /// The subject of a finding.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
    pub enum Category {
        /// Acceptance criteria are missing, too few or cannot be checked.
        MissingAc => "MISSING_AC",
        /// Two readers will read it differently.
        Ambiguity => "AMBIGUITY",
        /// A case, a limit, a decision or a consequence is left out, or two statements disagree.
        LogicGap => "LOGIC_GAP",
        /// Personal data, secrets, or a risk that needs a rule about permissions.
        Security => "SECURITY",
        /// A part of the ticket is missing or empty.
        MissingField => "MISSING_FIELD",
    }
}

/// A finding of a rule, before its severity, wording and waivers are known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The rule that made it.
    pub rule: RuleId,
    /// The place; `None` for a part that is missing from the whole text.
    pub span: Option<Span>,
    /// The other place, where two statements contradict each other.
    pub against: Option<Span>,
    /// Words for the `{name}` holes in the rule's message, question and hint, e.g. `("term", "fast")`.
    pub values: Vec<(Cow<'static, str>, String)>,
}

impl Finding {
    /// Makes a finding at a place.
    pub fn at(rule: RuleId, span: Span) -> Self {
        Self { rule, span: Some(span), against: None, values: Vec::new() }
    }

    /// Makes a finding about the whole text.
    pub fn missing(rule: RuleId) -> Self {
        Self { rule, span: None, against: None, values: Vec::new() }
    }

    /// Fills one hole of the wording.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.values.push((Cow::Borrowed(name), value.into()));
        self
    }
}

/// A finding of a check, before its rule is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// The place; `None` for a part that is missing from the whole text.
    pub span: Option<Span>,
    /// The other place, where two statements contradict each other.
    pub against: Option<Span>,
    /// Words for the holes of the rule's message.
    pub values: Vec<(Cow<'static, str>, String)>,
}

impl Match {
    /// Makes a match at a place.
    pub fn at(span: Span) -> Self {
        Self { span: Some(span), against: None, values: Vec::new() }
    }

    /// Adds the place that contradicts it.
    #[must_use]
    pub fn against(self, other: Span) -> Self {
        Self { against: Some(other), ..self }
    }

    /// Makes a match for a part that is missing from the whole text.
    pub fn missing() -> Self {
        Self { span: None, against: None, values: Vec::new() }
    }

    /// Fills one hole of the wording.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.values.push((Cow::Borrowed(name), value.into()));
        self
    }

    /// Makes the match a finding of `rule`.
    pub fn of(self, rule: &RuleId) -> Finding {
        Finding { rule: rule.clone(), span: self.span, against: self.against, values: self.values }
    }
}

/// A problem to fix, as reported (003: severity, category, description, suggestion; plus place and identity).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewIssue {
    /// The rule that found it.
    pub rule_id: RuleId,
    /// The severity in this run.
    pub severity: Severity,
    /// The category of the rule.
    pub category: Category,
    /// The fault, in one sentence.
    pub description: String,
    /// An instruction that fixes the fault.
    pub suggestion: String,
    /// The question to put to the author.
    pub question: Option<String>,
    /// The place; `None` for a part that is missing from the whole text.
    pub span: Option<Span>,
    /// The other place, where two statements contradict each other; not part of any report.
    #[serde(default)]
    pub against: Option<Span>,
    /// Line and column of the span's first character.
    pub position: Option<Position>,
    /// The words at that place, personal data and secrets masked, at most 200 characters.
    pub quote: Option<String>,
    /// Name of this finding that survives moving the line.
    pub fingerprint: Fingerprint,
    /// Points that this finding costs; 0 for one that only blocks.
    pub points: f64,
    /// The reason for its severity.
    pub disposition: Disposition,
    /// The ground of the finding: fact or estimate.
    #[serde(default)]
    pub basis: Basis,
}

/// The ground of a statement about a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// The text itself proves it: quoted words, or the absence of a part from a structure that names it.
    Fact,
    /// A reader would probably say so.
    #[default]
    Estimate,
}

/// The reason for the severity of an issue.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Disposition {
    /// The rule sets the severity.
    #[default]
    Rule,
    /// The configuration sets another severity.
    Configuration,
    /// The rubric sets another severity.
    Rubric {
        /// Id of the rubric.
        id: String,
    },
    /// It would block, but its rule was too often wrong on labelled text.
    Imprecise {
        /// The measured precision, in words.
        measured: String,
        /// The precision that is needed, 0 to 1.
        floor: f64,
    },
    /// A waiver sets it aside: it takes no points and does not block.
    Waived {
        /// The reason of the waiver.
        reason: String,
    },
    /// It would block if the verdict were surer, and becomes a question instead.
    Asked,
    /// The policy does not let it block.
    Policy,
    /// It would block, but was known before.
    Baseline,
    /// It is a gap in the repository's issue form.
    FormGap,
    /// A model found it, and its words were checked against the text.
    Model,
}

impl Disposition {
    /// Returns true if a waiver set the issue aside.
    pub fn is_waived(&self) -> bool {
        matches!(self, Self::Waived { .. })
    }
}

impl ReviewIssue {
    /// Returns true for an issue that would block if the verdict were surer, and becomes a question instead.
    pub fn is_asked(&self) -> bool {
        self.disposition == Disposition::Asked
    }

    /// Returns true for a question of the estimate, which no words of the text prove.
    pub fn is_estimate(&self) -> bool {
        self.span.is_none() && self.basis == Basis::Estimate
    }

    /// The order in which an author should read: parts that a form requires, then missing parts, then gaps, then
    /// wording; within each, by points, then by place.
    pub fn importance(&self) -> (u8, i64, usize, RuleId) {
        let rank = match self.category {
            _ if self.disposition == Disposition::FormGap => 0,
            Category::MissingAc | Category::MissingField if self.span.is_none() => 1,
            Category::LogicGap => 2,
            Category::MissingAc | Category::MissingField => 3,
            Category::Security => 4,
            Category::Ambiguity => 5,
        };
        (rank, -(self.points * 10.0) as i64, self.span.map_or(0, |span| span.start), self.rule_id.clone())
    }
}
