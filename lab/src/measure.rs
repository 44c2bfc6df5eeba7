//! The observations per item, and the measures over items.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::statistics::{auc, spearman};
use reqgate_base::model::Verdict;

/// The cost of blocking a ready ticket; passing an unready one costs 1.
pub(crate) const WRONG_BLOCK: f64 = 3.0;

/// The verdicts as classes, in the order of their indexes.
pub(crate) const VERDICTS: [Verdict; 4] =
    [Verdict::Pass, Verdict::Reject, Verdict::NotApplicable, Verdict::GuardrailRejected];

/// A measure over the items of a benchmark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// Share of the items that are flagged, rightly or wrongly.
    Flagged,
    /// Share of the flagged items that are right.
    Precision,
    /// Share of the positive items that are found.
    Recall,
    /// Harmonic mean of precision and recall; over all classes together, or for one.
    F1,
    /// F-measure that weighs recall twice.
    F2,
    /// Mean of the F1 of the classes that the labels name.
    MacroF1,
    /// Matthews' correlation of "any class found" with "any class labelled".
    Mcc,
    /// Share of the items whose class is right.
    Accuracy,
    /// Area under the ROC curve.
    Auc,
    /// Spearman's rank correlation of label and result.
    Spearman,
    /// Mean of the observed amounts.
    Mean,
    /// Share of the positive items found at the lowest threshold whose false alarms stay within the bound; 0 if there is none.
    DetectionAt,
    /// Share of the items of some classes that get one of the wrong classes.
    WrongAs,
    /// Share of the items of some classes that get one of the right classes.
    GivenAs,
    /// Cost of the wrong verdicts, relative to a gate that never blocks; blocking a ready ticket costs three times as
    /// much as passing an unready one.
    Cost,
    /// Mean squared distance of the certainty from the correctness.
    Brier,
}

impl Measure {
    /// The name in a suite.
    pub fn name(self) -> &'static str {
        match self {
            Self::Flagged => "flagged",
            Self::Precision => "precision",
            Self::Recall => "recall",
            Self::F1 => "f1",
            Self::F2 => "f2",
            Self::MacroF1 => "macro-f1",
            Self::Mcc => "mcc",
            Self::Accuracy => "accuracy",
            Self::Auc => "auc",
            Self::Spearman => "spearman",
            Self::Mean => "mean",
            Self::DetectionAt => "detection-at",
            Self::WrongAs => "wrong-as",
            Self::GivenAs => "given-as",
            Self::Cost => "cost",
            Self::Brier => "brier",
        }
    }

    /// Returns true if the value is a proportion of counted items, so that Wilson's interval applies.
    pub(crate) fn is_share(self) -> bool {
        matches!(
            self,
            Self::Flagged
                | Self::Precision
                | Self::Recall
                | Self::Accuracy
                | Self::DetectionAt
                | Self::WrongAs
                | Self::GivenAs
        )
    }

    /// Returns true if the value counts errors, so that less is better unless a target says otherwise.
    pub(crate) fn counts_faults(self) -> bool {
        matches!(self, Self::WrongAs | Self::Flagged | Self::Mean | Self::Cost | Self::Brier)
    }
}

/// Right and wrong matches of one class in one item, or summed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    /// Found and labelled: true positives.
    pub tp: u64,
    /// Found and not labelled: false positives.
    pub fp: u64,
    /// Labelled and not found: false negatives.
    #[serde(rename = "fn")]
    pub missed: u64,
    /// Neither found nor labelled: true negatives.
    pub tn: u64,
}

impl Counts {
    /// The counts of one yes-or-no question.
    pub fn of(label: bool, found: bool) -> Self {
        Self {
            tp: u64::from(label && found),
            fp: u64::from(!label && found),
            missed: u64::from(label && !found),
            tn: u64::from(!label && !found),
        }
    }

    /// Adds other counts to these.
    pub fn add(&mut self, other: Self) {
        self.tp += other.tp;
        self.fp += other.fp;
        self.missed += other.missed;
        self.tn += other.tn;
    }

    /// F-measure with recall weighed `beta` times; `None` if there are neither labels nor matches.
    pub fn f(self, beta: f64) -> Option<f64> {
        let b = beta * beta;
        let denominator = (1.0 + b) * self.tp as f64 + b * self.missed as f64 + self.fp as f64;
        (denominator > 0.0).then(|| (1.0 + b) * self.tp as f64 / denominator)
    }

    /// Share of the matches that are right.
    pub fn precision(self) -> Option<f64> {
        share((self.tp, self.tp + self.fp))
    }

    /// Share of the labels that are found.
    pub(crate) fn recall(self) -> Option<f64> {
        share((self.tp, self.tp + self.missed))
    }

    /// Matthews' correlation coefficient of the counts.
    pub(crate) fn mcc(self) -> Option<f64> {
        let [tp, fp, missed, tn] = [self.tp, self.fp, self.missed, self.tn].map(|count| count as f64);
        let product = (tp + fp) * (tp + missed) * (tn + fp) * (tn + missed);
        (product > 0.0).then(|| (tp * tn - fp * missed) / product.sqrt())
    }
}

/// The observation of one item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Evidence {
    /// Counts by class, in the order of the classes.
    Counts(Vec<Counts>),
    /// The right class and the given class, as indexes into the list of classes.
    Class {
        /// The index of the right class.
        label: usize,
        /// The index of the given class.
        given: usize,
    },
    /// A known number and a computed one; for AUC and `detection-at` the first is 1 or 0.
    Pair {
        /// The number that is known.
        label: f64,
        /// The number that was computed.
        given: f64,
    },
    /// The amount that was observed.
    Amount(f64),
    /// A verdict on a ticket for which people gave the right one.
    Judged {
        /// The verdict that people gave.
        label: Verdict,
        /// The verdict of the gate.
        given: Verdict,
        /// All people who judged it called it clear.
        clear: bool,
        /// The score, 0 to 100; null if the text was not scored.
        score: Option<f64>,
        /// The certainty of the gate, 0 to 1; null if the text was not scored.
        certainty: Option<f64>,
    },
}

impl Evidence {
    fn counts_in(&self, scope: &Scope) -> bool {
        !scope.clear || matches!(self, Self::Judged { clear: true, .. })
    }
}

/// The index of a verdict among the classes.
pub(crate) fn place_of(verdict: Verdict) -> usize {
    VERDICTS.iter().position(|known| *known == verdict).unwrap_or(0)
}

/// The parameters of a measure.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scope {
    /// The number of classes.
    pub classes: usize,
    /// The only class that counts, if it is limited to one.
    pub class: Option<usize>,
    /// The maximum share of false alarms.
    pub bound: f64,
    /// Only clear tickets count.
    pub clear: bool,
    /// The classes of the items that count.
    pub of: Vec<usize>,
    /// The given classes that count.
    pub given: Vec<usize>,
}

/// The value of a measure; `None` if it is not defined.
pub(crate) fn value<'e>(
    measure: Measure,
    scope: &Scope,
    items: impl Iterator<Item = &'e Evidence> + Clone,
) -> Option<f64> {
    let items = items.filter(|item| item.counts_in(scope));
    match measure {
        Measure::F1 => summed(scope, items).f(1.0),
        Measure::F2 => summed(scope, items).f(2.0),
        Measure::MacroF1 => {
            let classes = by_class(scope.classes, items);
            let there: Vec<f64> =
                classes.iter().filter(|c| c.tp + c.missed > 0).map(|c| c.f(1.0).unwrap_or(0.0)).collect();
            (!there.is_empty()).then(|| there.iter().sum::<f64>() / there.len() as f64)
        }
        Measure::Mcc => any(items).mcc(),
        Measure::Auc => auc(&pairs(items).map(|(label, given)| (label > 0.5, given)).collect::<Vec<_>>()),
        Measure::Spearman => spearman(&pairs(items).collect::<Vec<_>>()),
        Measure::Mean => {
            let amounts =
                items.filter_map(|item| if let Evidence::Amount(amount) = item { Some(*amount) } else { None });
            let (sum, n) = amounts.fold((0.0, 0_u64), |(sum, n), amount| (sum + amount, n + 1));
            (n > 0).then(|| sum / n as f64)
        }
        Measure::Cost => cost(items),
        Measure::Brier => {
            let (sum, n) = sureness(items).fold((0.0, 0_u64), |(sum, n), (certainty, is_right)| {
                (sum + (certainty - f64::from(u8::from(is_right))).powi(2), n + 1)
            });
            (n > 0).then(|| sum / n as f64)
        }
        _ => shares(measure, scope, items).and_then(share),
    }
}

/// The number of items that a measure uses.
pub(crate) fn looked_at<'e>(
    measure: Measure,
    scope: &Scope,
    items: impl Iterator<Item = &'e Evidence> + Clone,
) -> usize {
    let items = items.filter(|item| item.counts_in(scope));
    match measure {
        Measure::Auc => pairs(items).count(),
        Measure::Brier => sureness(items).count(),
        Measure::Cost => requirements(items).count(),
        _ => items.count(),
    }
}

/// For every ticket that should pass or be rejected: whether it should pass, and whether the gate passes it.
fn requirements<'e>(items: impl Iterator<Item = &'e Evidence>) -> impl Iterator<Item = (bool, bool)> {
    items.filter_map(|item| match item {
        Evidence::Judged { label: label @ (Verdict::Pass | Verdict::Reject), given, .. } => {
            Some((label.is_pass(), given.is_pass()))
        }
        _ => None,
    })
}

fn cost<'e>(items: impl Iterator<Item = &'e Evidence>) -> Option<f64> {
    let mut sum = 0.0;
    let mut unready = 0_u64;
    for (is_ready, passes) in requirements(items) {
        unready += u64::from(!is_ready);
        sum += match (is_ready, passes) {
            (true, false) => WRONG_BLOCK,
            (false, true) => 1.0,
            _ => 0.0,
        };
    }
    (unready > 0).then(|| sum / unready as f64)
}

/// For every ticket that should pass or be rejected: the certainty of the gate, and whether it was right.
pub(crate) fn sureness<'e>(items: impl Iterator<Item = &'e Evidence>) -> impl Iterator<Item = (f64, bool)> {
    items.filter_map(|item| match item {
        Evidence::Judged {
            label: label @ (Verdict::Pass | Verdict::Reject),
            given,
            certainty: Some(certainty),
            ..
        } => Some((*certainty, label.is_pass() == given.is_pass())),
        _ => None,
    })
}

fn share((hits, n): (u64, u64)) -> Option<f64> {
    (n > 0).then(|| hits as f64 / n as f64)
}

/// Numerator and denominator of a measure that is a share.
pub(crate) fn shares<'e>(
    measure: Measure,
    scope: &Scope,
    items: impl Iterator<Item = &'e Evidence> + Clone,
) -> Option<(u64, u64)> {
    let items = items.filter(|item| item.counts_in(scope));
    let counts = || summed(scope, items.clone());
    match measure {
        Measure::Flagged => {
            let all = any(items);
            Some((all.tp + all.fp, all.tp + all.fp + all.missed + all.tn))
        }
        Measure::Precision => Some((counts().tp, counts().tp + counts().fp)),
        Measure::Recall => Some((counts().tp, counts().tp + counts().missed)),
        Measure::Accuracy => {
            let classes = items.filter_map(as_class);
            Some(classes.fold((0, 0), |(hits, n), (label, given)| (hits + u64::from(label == given), n + 1)))
        }
        Measure::WrongAs | Measure::GivenAs => {
            let meant = items.filter_map(as_class).filter(|(label, _)| scope.of.contains(label));
            Some(meant.fold((0, 0), |(hits, n), (_, given)| (hits + u64::from(scope.given.contains(&given)), n + 1)))
        }
        Measure::DetectionAt => Some(detection(&pairs(items).collect::<Vec<_>>(), scope.bound)),
        _ => None,
    }
}

fn as_class(item: &Evidence) -> Option<(usize, usize)> {
    match item {
        Evidence::Class { label, given } => Some((*label, *given)),
        Evidence::Judged { label, given, .. } => Some((place_of(*label), place_of(*given))),
        _ => None,
    }
}

fn pairs<'e>(items: impl Iterator<Item = &'e Evidence>) -> impl Iterator<Item = (f64, f64)> {
    items.filter_map(|item| match item {
        Evidence::Pair { label, given } => Some((*label, *given)),
        Evidence::Judged { label: label @ (Verdict::Pass | Verdict::Reject), score: Some(score), .. } => {
            Some((f64::from(u8::from(label.is_pass())), *score))
        }
        _ => None,
    })
}

/// Detected positives and all positives at the lowest threshold above 0 whose share of false alarms stays within the bound.
fn detection(pairs: &[(f64, f64)], bound: f64) -> (u64, u64) {
    let is_positive = |pair: &&(f64, f64)| pair.0 > 0.5;
    let positives = pairs.iter().filter(is_positive).count() as u64;
    let mut alarms: Vec<f64> = pairs.iter().filter(|pair| !is_positive(pair)).map(|pair| pair.1).collect();
    alarms.sort_by(|a, b| b.total_cmp(a));
    let allowed = (bound * alarms.len() as f64).floor() as usize;
    // Scores above the first alarm that exceeds the allowed number.
    let limit = alarms.get(allowed).copied().unwrap_or(0.0).max(0.0);
    let found = pairs.iter().filter(is_positive).filter(|pair| pair.1 > limit).count() as u64;
    (found, positives)
}

/// The counts of every class.
pub(crate) fn by_class<'e>(classes: usize, items: impl Iterator<Item = &'e Evidence>) -> Vec<Counts> {
    let mut sums = vec![Counts::default(); classes];
    for item in items {
        match item {
            Evidence::Counts(counts) => sums.iter_mut().zip(counts).for_each(|(sum, counts)| sum.add(*counts)),
            Evidence::Pair { .. } | Evidence::Amount(_) => {}
            Evidence::Class { .. } | Evidence::Judged { .. } => {
                let Some((label, given)) = as_class(item) else { continue };
                for (class, sum) in sums.iter_mut().enumerate() {
                    sum.add(Counts::of(label == class, given == class));
                }
            }
        }
    }
    sums
}

fn summed<'e>(scope: &Scope, items: impl Iterator<Item = &'e Evidence>) -> Counts {
    let classes = by_class(scope.classes, items);
    match scope.class {
        Some(class) => classes.get(class).copied().unwrap_or_default(),
        None => classes.into_iter().fold(Counts::default(), |mut sum, counts| {
            sum.add(counts);
            sum
        }),
    }
}

/// Counts items: a class is labelled, a class is found.
fn any<'e>(items: impl Iterator<Item = &'e Evidence>) -> Counts {
    let mut sum = Counts::default();
    for item in items {
        match item {
            Evidence::Counts(counts) => {
                let there = counts.iter().any(|c| c.tp + c.missed > 0);
                let found = counts.iter().any(|c| c.tp + c.fp > 0);
                sum.add(Counts::of(there, found));
            }
            Evidence::Pair { label, given } => sum.add(Counts::of(*label > 0.5, *given > 0.5)),
            Evidence::Class { .. } | Evidence::Amount(_) | Evidence::Judged { .. } => {}
        }
    }
    sum
}

#[cfg(test)]
mod tests;
