//! Tests of the measures.

use super::*;

fn binary(cases: &[(bool, bool)]) -> Vec<Evidence> {
    cases.iter().map(|(label, found)| Evidence::Counts(vec![Counts::of(*label, *found)])).collect()
}

fn of(measure: Measure, scope: &Scope, items: &[Evidence]) -> Option<f64> {
    value(measure, scope, items.iter())
}

#[test]
fn yes_or_no_is_measured_as_in_the_textbook() {
    let items = binary(&[(true, true), (true, true), (true, false), (false, true), (false, false)]);
    let scope = Scope { classes: 1, ..Scope::default() };
    let near = |measure, wanted: f64| {
        let found = of(measure, &scope, &items).expect("defined");
        assert!((found - wanted).abs() < 1e-9, "{measure:?}: {found}");
    };
    near(Measure::Precision, 2.0 / 3.0);
    near(Measure::Recall, 2.0 / 3.0);
    near(Measure::F1, 2.0 / 3.0);
    near(Measure::Flagged, 0.6);
    near(Measure::Mcc, (2.0 - 1.0) / 6.0);
    assert_eq!(of(Measure::F1, &scope, &[]), None);
    assert_eq!(of(Measure::Recall, &scope, &binary(&[(false, false)])), None);
}

#[test]
fn classes_are_averaged_over_those_that_the_labels_name() {
    let class = |label, given| Evidence::Class { label, given };
    let items = [class(0, 0), class(0, 1), class(1, 1), class(1, 2)];
    let scope = Scope { classes: 3, of: vec![1], given: vec![2], ..Scope::default() };
    assert_eq!(of(Measure::Accuracy, &scope, &items), Some(0.5));
    assert_eq!(of(Measure::WrongAs, &scope, &items), Some(0.5));
    let macro_f1 = of(Measure::MacroF1, &scope, &items).expect("defined");
    assert!((macro_f1 - f64::midpoint(2.0 / 3.0, 0.5)).abs() < 1e-9, "{macro_f1}");
}

#[test]
fn detection_counts_only_within_the_bound() {
    let pair = |label, given| Evidence::Pair { label, given };
    let mut items = vec![pair(1.0, 1.0), pair(1.0, 0.0), pair(1.0, 1.0)];
    items.extend((0..100).map(|at| pair(0.0, if at == 0 { 1.0 } else { 0.0 })));
    let at = |bound| of(Measure::DetectionAt, &Scope { bound, ..Scope::default() }, &items);
    assert_eq!(at(0.01), Some(2.0 / 3.0));
    assert_eq!(at(0.009), Some(0.0));
}

fn judged(label: Verdict, given: Verdict, clear: bool, certainty: f64) -> Evidence {
    Evidence::Judged { label, given, clear, score: Some(100.0 * certainty), certainty: Some(certainty) }
}

#[test]
fn verdicts_are_measured_against_what_people_said() {
    use Verdict::{GuardrailRejected, NotApplicable, Pass, Reject};
    let mut items = vec![
        judged(Pass, Pass, true, 0.9),
        judged(Pass, Reject, false, 0.6),
        judged(Pass, GuardrailRejected, true, 0.5),
        judged(Reject, Reject, true, 0.2),
        judged(Reject, Pass, false, 0.7),
    ];
    items.push(Evidence::Judged {
        label: NotApplicable,
        given: NotApplicable,
        clear: true,
        score: None,
        certainty: None,
    });
    let blocks = Scope { classes: 4, of: vec![0], given: vec![1, 3], ..Scope::default() };
    assert_eq!(of(Measure::WrongAs, &blocks, &items), Some(2.0 / 3.0));
    assert_eq!(of(Measure::WrongAs, &Scope { clear: true, ..blocks }, &items), Some(0.5));
    let all = Scope { classes: 4, ..Scope::default() };
    // Two wrong blocks at 3 and a wrong pass at 1, relative to a cost of 2 for never blocking.
    assert_eq!(of(Measure::Cost, &all, &items), Some(3.5));
    assert_eq!(of(Measure::Cost, &all, &items[..3]), None);
    // .9 is above .7 and .2; .6 and .5 are above .2 only.
    assert_eq!(of(Measure::Auc, &all, &items), Some(4.0 / 6.0));
    let brier = of(Measure::Brier, &all, &items).expect("defined");
    let wanted = (0.1_f64.powi(2) + 0.6_f64.powi(2) + 0.5_f64.powi(2) + 0.8_f64.powi(2) + 0.7_f64.powi(2)) / 5.0;
    assert!((brier - wanted).abs() < 1e-9, "{brier}");
    assert_eq!(looked_at(Measure::Auc, &all, items.iter()), 5);
    assert_eq!(of(Measure::F1, &Scope { class: Some(2), ..all }, &items), Some(1.0));
}
