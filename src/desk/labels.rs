//! The labels of the gate, and which of them to set or take away.
//!
//! Pure. Only our own labels are ever touched, one at a time: replacing the whole set would lose what others add meanwhile.

use super::options::Options;
use super::served::Ending;

/// The issue is not ready.
pub const BLOCKED: &str = "reqgate:blocked";
/// The issue is ready.
pub const READY: &str = "reqgate:ready";
/// A maintainer lets the issue through.
pub const OVERRIDE: &str = "reqgate:override";
/// Somebody wants it judged again; taken away when that is done.
pub const RECHECK: &str = "reqgate:recheck";
/// The gate has said no three times in a row.
pub const NEEDS_HUMAN: &str = "reqgate:needs-human";

/// A change of one label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// Set it.
    Add(&'static str),
    /// Take it away.
    Remove(&'static str),
}

/// What to change on an issue that has the labels `present`.
pub fn changes(present: &[String], ending: Ending, asks_for_a_person: bool, options: &Options) -> Vec<Change> {
    let has = |label: &str| present.iter().any(|name| name.eq_ignore_ascii_case(label));
    let mut changes = Vec::new();
    if has(RECHECK) {
        changes.push(Change::Remove(RECHECK));
    }
    if !options.labels {
        return changes;
    }
    let is_blocked = matches!(ending, Ending::Blocked | Ending::Rejected);
    let wanted = [
        (BLOCKED, is_blocked),
        (NEEDS_HUMAN, is_blocked && asks_for_a_person),
        (READY, options.ready_label && matches!(ending, Ending::Pass | Ending::Warn | Ending::Overridden)),
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
        for (present, ending, person, options, expected) in [
            (names(&["bug"]), Ending::Blocked, false, &plain, vec![add(BLOCKED)]),
            (names(&["bug", BLOCKED]), Ending::Rejected, false, &plain, vec![]),
            (names(&["bug", BLOCKED]), Ending::Pass, false, &plain, vec![remove(BLOCKED)]),
            (names(&[BLOCKED]), Ending::Blocked, true, &plain, vec![add(NEEDS_HUMAN)]),
            (
                names(&[BLOCKED, NEEDS_HUMAN]),
                Ending::Overridden,
                true,
                &plain,
                vec![remove(BLOCKED), remove(NEEDS_HUMAN)],
            ),
            (names(&[]), Ending::Pass, false, &plain, vec![]),
            (names(&[]), Ending::Pass, false, &ready, vec![add(READY)]),
            (names(&[READY]), Ending::Blocked, false, &ready, vec![add(BLOCKED), remove(READY)]),
            (names(&[RECHECK]), Ending::Blocked, false, &off, vec![remove(RECHECK)]),
            (names(&[OVERRIDE]), Ending::Overridden, false, &plain, vec![]),
        ] {
            assert_eq!(changes(&present, ending, person, options), expected, "{present:?} {ending:?}");
        }
    }
}
