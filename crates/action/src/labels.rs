//! The labels that the gate sets, and the changes to them.
//!
//! This is pure code. Only reqgate's own labels are changed, one at a time: replacing the whole set would undo
//! concurrent changes by others.

use super::conclusion::Conclusion;
use super::options::Options;

/// The label of an issue that is not ready.
pub(crate) const BLOCKED: &str = "reqgate:blocked";
/// The label of an issue that is ready.
pub(crate) const READY: &str = "reqgate:ready";
/// The label by which a maintainer overrides the gate.
pub(crate) const OVERRIDE: &str = "reqgate:override";
/// The label that requests another judgement; it is removed afterwards.
pub(crate) const RECHECK: &str = "reqgate:recheck";
/// The label of an issue that the gate has rejected three times in a row.
pub(crate) const NEEDS_HUMAN: &str = "reqgate:needs-human";

/// A change of one label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    /// Add this label to the issue.
    Add(&'static str),
    /// Remove this label from the issue.
    Remove(&'static str),
}

/// The changes for an issue that has the labels `present`.
pub(crate) fn changes(
    present: &[String],
    conclusion: Conclusion,
    asks_for_a_person: bool,
    options: &Options,
) -> Vec<Change> {
    let has = |label: &str| present.iter().any(|name| name.eq_ignore_ascii_case(label));
    let mut changes = Vec::new();
    if has(RECHECK) {
        changes.push(Change::Remove(RECHECK));
    }
    if !options.labels {
        return changes;
    }
    let is_blocked = matches!(conclusion, Conclusion::Blocked | Conclusion::Rejected);
    let wanted = [
        (BLOCKED, is_blocked),
        (NEEDS_HUMAN, is_blocked && asks_for_a_person),
        (
            READY,
            options.ready_label && matches!(conclusion, Conclusion::Pass | Conclusion::Warn | Conclusion::Overridden),
        ),
    ];
    for (label, is_wanted) in wanted {
        match (has(label), is_wanted) {
            (false, true) => changes.push(Change::Add(label)),
            (true, false) => changes.push(Change::Remove(label)),
            _ => {}
        }
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_is_changed_and_foreign_labels_stay() {
        let plain = Options::read(|_| None).unwrap();
        let ready = Options { ready_label: true, ..plain.clone() };
        let off = Options { labels: false, ..plain.clone() };
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let (add, remove) = (Change::Add, Change::Remove);
        for (present, conclusion, person, options, expected) in [
            (names(&["bug"]), Conclusion::Blocked, false, &plain, vec![add(BLOCKED)]),
            (names(&["bug", BLOCKED]), Conclusion::Rejected, false, &plain, vec![]),
            (names(&["bug", BLOCKED]), Conclusion::Pass, false, &plain, vec![remove(BLOCKED)]),
            (names(&[BLOCKED]), Conclusion::Blocked, true, &plain, vec![add(NEEDS_HUMAN)]),
            (
                names(&[BLOCKED, NEEDS_HUMAN]),
                Conclusion::Overridden,
                true,
                &plain,
                vec![remove(BLOCKED), remove(NEEDS_HUMAN)],
            ),
            (names(&[]), Conclusion::Pass, false, &plain, vec![]),
            (names(&[]), Conclusion::Pass, false, &ready, vec![add(READY)]),
            (names(&[READY]), Conclusion::Blocked, false, &ready, vec![add(BLOCKED), remove(READY)]),
            (names(&[RECHECK]), Conclusion::Blocked, false, &off, vec![remove(RECHECK)]),
            (names(&[OVERRIDE]), Conclusion::Overridden, false, &plain, vec![]),
        ] {
            assert_eq!(changes(&present, conclusion, person, options), expected, "{present:?} {conclusion:?}");
        }
    }
}
