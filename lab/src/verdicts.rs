//! Verdicts with a certainty: the share of right verdicts at each certainty, and the most certain wrong ones.

use super::measure::{self, Evidence};
use super::result::{Bin, Estimate, Interval, Item, Wrong};
use super::statistics::wilson;
use reqgate_base::model::Verdict;

/// The number of rows in a reliability diagram.
const BINS: usize = 10;
/// The maximum number of wrong verdicts that are listed.
const WORST: usize = 10;

/// The share of right verdicts by certainty; empty if no verdict has a certainty.
pub(crate) fn reliability(items: &[Item]) -> Vec<Bin> {
    let mut bins: Vec<(f64, u64, u64)> = vec![(0.0, 0, 0); BINS];
    for (certainty, is_right) in measure::sureness(items.iter().map(|item| &item.evidence)) {
        let at = ((certainty.clamp(0.0, 1.0) * BINS as f64 + 1e-9) as usize).min(BINS - 1);
        let (sum, right, n) = &mut bins[at];
        *sum += certainty;
        *right += u64::from(is_right);
        *n += 1;
    }
    if bins.iter().all(|(_, _, n)| *n == 0) {
        return Vec::new();
    }
    let bin = |(at, (sum, right, n)): (usize, (f64, u64, u64))| {
        let interval = (n > 0).then(|| wilson(right, n));
        let share = |part: f64| (n > 0).then(|| part / n as f64);
        Bin {
            from: at as f64 / BINS as f64,
            to: (at + 1) as f64 / BINS as f64,
            certainty: share(sum),
            right: Estimate {
                value: share(right as f64),
                low: interval.map(|(low, _)| low),
                high: interval.map(|(_, high)| high),
                interval: Interval::Wilson,
                n,
                hits: Some(right),
            },
        }
    };
    bins.into_iter().enumerate().map(bin).collect()
}

/// The wrong verdicts, the most certain first; a wrong block before a wrong pass of the same certainty.
pub(crate) fn worst(items: &[Item]) -> Vec<Wrong> {
    let wrong = |item: &Item| {
        let Evidence::Judged { label, given, certainty, .. } = item.evidence else { return None };
        // A text that is not a requirement may pass, and a requirement may pass as not applicable; both are without
        // harm.
        let is_wrong = if label.is_pass() { !given.is_pass() } else { given.is_pass() };
        is_wrong.then(|| Wrong { id: item.id.clone(), origin: item.origin.clone(), label, given, certainty })
    };
    let mut found: Vec<Wrong> = items.iter().filter_map(wrong).collect();
    let rank = |wrong: &Wrong| (wrong.certainty.unwrap_or(0.0), wrong.label != Verdict::Reject);
    found.sort_by(|a, b| {
        let ((a_sure, a_block), (b_sure, b_block)) = (rank(a), rank(b));
        b_sure.total_cmp(&a_sure).then(b_block.cmp(&a_block)).then_with(|| a.id.cmp(&b.id))
    });
    found.truncate(WORST);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{GuardrailRejected, NotApplicable, Pass, Reject};

    fn item(id: &str, label: Verdict, given: Verdict, certainty: Option<f64>) -> Item {
        let evidence = Evidence::Judged { label, given, clear: true, score: certainty, certainty };
        Item { id: id.to_owned(), origin: Some("here".to_owned()), slices: Vec::new(), evidence }
    }

    #[test]
    fn a_bin_holds_what_was_as_sure_and_how_often_it_was_right() {
        let items = [
            item("a", Pass, Pass, Some(0.7)),
            item("b", Pass, Reject, Some(0.79)),
            item("c", Reject, Reject, Some(1.0)),
            item("d", NotApplicable, Pass, Some(0.7)),
            item("e", Pass, NotApplicable, None),
        ];
        let bins = reliability(&items);
        assert_eq!(bins.len(), 10);
        assert_eq!((bins[7].right.hits, bins[7].right.n), (Some(1), 2));
        assert!((bins[7].certainty.expect("two rows") - 0.745).abs() < 1e-9);
        assert_eq!((bins[9].right.n, bins[9].right.value), (1, Some(1.0)));
        assert_eq!((bins[0].right.n, bins[0].right.value, bins[0].right.low), (0, None, None));
        assert!(reliability(&items[4..]).is_empty());
    }

    #[test]
    fn the_surest_wrong_verdicts_are_named_first() {
        let mut items = vec![
            item("right", Pass, Pass, Some(0.99)),
            item("harmless", NotApplicable, Pass, Some(0.98)),
            item("pass", Reject, Pass, Some(0.8)),
            item("block", Pass, Reject, Some(0.8)),
            item("stopped", Pass, GuardrailRejected, None),
            item("chore", NotApplicable, Reject, Some(0.9)),
        ];
        let names = |items: &[Item]| worst(items).into_iter().map(|wrong| wrong.id).collect::<Vec<_>>();
        assert_eq!(names(&items), ["chore", "block", "pass", "stopped"]);
        items.extend((0..20).map(|at| item(&format!("x{at:02}"), Pass, Reject, Some(0.95))));
        assert_eq!(names(&items).len(), 10);
        assert_eq!(names(&items)[0], "x00");
    }
}
