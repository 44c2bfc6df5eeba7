//! Reads ticket type and priority from labels such as `kind/bug` or `priority: high`.

use reqgate_base::model::{Priority, TicketType};
use reqgate_text::words::issue_forms::{PRIORITY_LABELS, TYPE_LABELS};

use super::vocabulary;

/// The ticket type on which all labels that state one agree; a label for chores next to another type only names the
/// area of work.
pub(super) fn ticket_type(labels: &[String]) -> Option<TicketType> {
    let mut found = None;
    let mut is_task = false;
    for stated in labels.iter().filter_map(|label| vocabulary::ticket_type(without_namespace(label))) {
        match (stated, found) {
            (TicketType::Task, _) => is_task = true,
            (stated, Some(other)) if stated != other => return None,
            (stated, _) => found = Some(stated),
        }
    }
    found.or(is_task.then_some(TicketType::Task))
}

/// The priority in the first label of the form `P1`, `priority: high` or `priority/low`.
pub(super) fn priority(labels: &[String]) -> Option<Priority> {
    labels.iter().find_map(|label| {
        let phrase = vocabulary::phrase(label);
        let word = match phrase.split_once(' ') {
            Some((namespace, word)) if PRIORITY_LABELS.has(namespace) => word,
            None if matches!(phrase.as_str(), "p0" | "p1" | "p2" | "p3" | "p4") => &phrase,
            _ => return None,
        };
        vocabulary::priority(word)
    })
}

/// The label without a leading word for "type": `type: bug`, `kind/bug`, `C-bug`.
fn without_namespace(label: &str) -> &str {
    let Some(end) = label.find([':', '/', '-', '|', ']', '=']) else { return label };
    let (namespace, rest) = label.split_at(end);
    if TYPE_LABELS.has(&vocabulary::phrase(namespace)) { rest } else { label }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn type_of(labels: &[&str]) -> Option<TicketType> {
        ticket_type(&labels.iter().map(|label| (*label).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn namespaces_of_labels_are_seen_through() {
        for label in ["bug", "Bug 🐛", "type: bug", "kind/bug", "C-bug", "T-Defect", "[Type] Bug", "issue type: bug"]
        {
            assert_eq!(type_of(&[label]), Some(TicketType::Bug), "{label}");
        }
        assert_eq!(type_of(&["C-feature-request"]), Some(TicketType::Feature));
        assert_eq!(type_of(&["type:question"]), Some(TicketType::Question));
    }

    #[test]
    fn labels_that_only_mention_a_type_say_nothing() {
        for label in ["feature: billing", "not a bug", "help wanted", "bug-bash", "area/docs-site", "wontfix"] {
            assert_eq!(type_of(&[label]), None, "{label}");
        }
    }

    #[test]
    fn contradicting_labels_say_nothing_and_chores_give_way() {
        assert_eq!(type_of(&["bug", "enhancement"]), None);
        assert_eq!(type_of(&["documentation", "bug"]), Some(TicketType::Bug));
        assert_eq!(type_of(&["documentation"]), Some(TicketType::Task));
    }

    #[test]
    fn priority_labels_are_read() {
        assert_eq!(priority(&["area/ui".into(), "priority: high".into()]), Some(Priority::P0));
        assert_eq!(priority(&["P2".into()]), Some(Priority::P2));
        assert_eq!(priority(&["high".into()]), None);
    }
}
