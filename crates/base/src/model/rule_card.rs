//! A rule as people see it, without its implementation: for `rules`, `explain`, SARIF and the docs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Category, RuleId, Severity};

/// The precision of a rule on labelled text.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MeasuredPrecision {
    /// Share of its findings that the labels confirm, 0 to 1.
    pub precision: f64,
    /// Lower end of its 95 % interval (Wilson).
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
    /// The number of judged findings.
    pub n: u64,
}

/// The smallest number of judged findings for a statement about a rule.
pub const LEAST_JUDGED: u64 = 10;

impl MeasuredPrecision {
    /// Computes the precision from the numbers of right and wrong findings; `None` if both are 0.
    pub fn of(right: u64, wrong: u64) -> Option<Self> {
        const Z: f64 = 1.959_963_984_540_054;
        let count = right.saturating_add(wrong);
        if count == 0 {
            return None;
        }
        let n = count as f64;
        let precision = right as f64 / n;
        let scale = 1.0 + Z * Z / n;
        let centre = (precision + Z * Z / (2.0 * n)) / scale;
        let half = Z * (precision * (1.0 - precision) / n + Z * Z / (4.0 * n * n)).sqrt() / scale;
        Some(Self { precision, low: (centre - half).max(0.0), high: (centre + half).min(1.0), n: count })
    }

    /// Returns true if the rule may not block: at least [`LEAST_JUDGED`] findings were judged, and the share of right
    /// ones is below the floor.
    pub fn is_below(self, floor: f64) -> bool {
        self.n >= LEAST_JUDGED && self.precision < floor
    }

    /// The precision as text, e.g. `.84 [.77, .90], n = 98`.
    pub fn words(self) -> String {
        let two = |value: f64| {
            let text = format!("{value:.2}");
            text.strip_prefix('0').map(str::to_owned).unwrap_or(text)
        };
        format!("{} [{}, {}], n = {}", two(self.precision), two(self.low), two(self.high), self.n)
    }
}

/// The public face of a rule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RuleCard {
    /// The kebab-case id of the rule.
    pub id: RuleId,
    /// The category of its findings.
    pub category: Category,
    /// The default severity of its findings.
    pub severity: Severity,
    /// The fault, in one line.
    pub summary: String,
    /// The reason why it matters, in one or two sentences.
    pub why: String,
    /// The question it puts to the author.
    pub question: String,
    /// The way to fix the fault.
    pub fix: String,
    /// The source of the rule or its figure, e.g. `QUS: atomic` or `INCOSE R7`.
    pub source: Option<String>,
    /// An example in which the rule must fire.
    pub bad_example: Option<String>,
    /// An example in which the rule must not fire.
    pub good_example: Option<String>,
    /// Measured precision, if it was measured.
    pub precision: Option<MeasuredPrecision>,
    /// The address of its page; `None` for a rule that is not part of the program.
    pub page: Option<String>,
}

/// The wording of a rule with an ellipsis for `{term}` and other holes, where no text can fill them.
pub fn without_holes(template: &str) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some((before, behind)) = rest.split_once('{') {
        out.push_str(before);
        match behind.split_once('}') {
            Some((_, after)) => {
                out.push('…');
                rest = after;
            }
            None => {
                out.push('{');
                rest = behind;
            }
        }
    }
    out.push_str(rest);
    out
}
