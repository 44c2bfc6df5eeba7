//! Counts for the two charts of the page.

use serde::Serialize;

use crate::Summary;
use reqgate_messages as messages;

/// The number of bins, of ten points each.
const BINS: usize = 10;
/// The height of the tallest bar, in units of the chart.
const HEIGHT: f64 = 60.0;

/// The number of scores in each bin.
#[derive(Debug, Default)]
pub(super) struct Histogram([usize; BINS]);

#[derive(Debug, Serialize)]
pub(super) struct Bar {
    /// The range of scores, e.g. `40–49`.
    pub label: String,
    pub count: usize,
    pub x: usize,
    pub y: f64,
    pub height: f64,
}

impl Histogram {
    /// Counts a score of 0 to 100; 100 itself belongs to the last bin.
    pub(super) fn add(&mut self, score: f64) {
        let bin = (1..BINS).take_while(|bin| score >= (bin * 10) as f64).count();
        self.0[bin] += 1;
    }

    pub(super) fn count(&self) -> usize {
        self.0.iter().sum()
    }

    /// The bars from left to right.
    pub(super) fn bars(&self) -> Vec<Bar> {
        let most = self.0.iter().copied().max().unwrap_or(0).max(1);
        let bar = |(bin, count): (usize, &usize)| {
            let height = rounded(HEIGHT * *count as f64 / most as f64);
            let last = if bin + 1 == BINS { 100 } else { bin * 10 + 9 };
            let label = format!("{}–{last}", bin * 10);
            Bar { label, count: *count, x: bin * 32, y: rounded(HEIGHT - height) + 14.0, height }
        };
        self.0.iter().enumerate().map(bar).collect()
    }
}

/// A segment of the bar of verdicts.
#[derive(Debug, Serialize)]
pub(super) struct Share {
    /// The class in the style sheet.
    pub class: &'static str,
    pub words: String,
    pub count: usize,
    /// The left edge, 0 to 100.
    pub x: f64,
    /// The width, 0 to 100.
    pub width: f64,
}

/// The segments of the bar of verdicts; verdicts that did not occur are left out.
pub(super) fn shares(summary: &Summary) -> Vec<Share> {
    let all = summary.inputs.max(1) as f64;
    let words = messages::Report::of(summary.language());
    let mut x = 0.0;
    [
        ("pass", words.passed, summary.passed),
        ("reject", words.rejected, summary.rejected),
        ("guardrail", words.stopped, summary.guardrail_rejected),
        ("not-applicable", words.inapplicable, summary.not_applicable),
        ("error", words.unreadable, summary.errors),
    ]
    .into_iter()
    .filter(|(_, _, count)| *count > 0)
    .map(|(class, what, count)| {
        let width = 100.0 * count as f64 / all;
        let share = Share { class, words: words.counted(&count, &what), count, x: rounded(x), width: rounded(width) };
        x += width;
        share
    })
    .collect()
}

fn rounded(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_score_falls_into_one_bin() {
        let mut histogram = Histogram::default();
        for score in [0.0, 9.9, 10.0, 59.9, 60.0, 99.0, 100.0, f64::NAN, -1.0, 1e9] {
            histogram.add(score);
        }
        assert_eq!(histogram.0, [4, 1, 0, 0, 0, 1, 1, 0, 0, 3]);
        assert_eq!(histogram.count(), 10);
    }

    #[test]
    fn shares_fill_the_bar() {
        let shares = shares(&Summary { inputs: 4, passed: 1, rejected: 2, errors: 1, ..Summary::default() });
        assert_eq!(shares.iter().map(|share| share.width).sum::<f64>(), 100.0);
        assert_eq!(shares.last().map(|share| share.x), Some(75.0));
    }
}
