//! The words in which people and ticket systems state a type, a priority, a source or a language.
//!
//! Ambiguous words are left out.

use reqgate_base::model::{Language, Priority, SourceType, TicketType};
use reqgate_text::words::Words;
use reqgate_text::words::issue_forms::{
    BUG_NAMES, CHINESE_NAMES, ENGLISH_NAMES, FEATURE_NAMES, GITHUB_NAMES, HIGHEST_PRIORITY_NAMES, JIRA_NAMES,
    LOWEST_PRIORITY_NAMES, MEETING_NAMES, MIDDLE_PRIORITY_NAMES, PLAIN_NAMES, PRD_NAMES, QUESTION_NAMES, TASK_NAMES,
};

/// The lower-case words of a name, joined by single spaces, without signs, emoji and repetitions (`Bug :bug:`).
pub(super) fn phrase(name: &str) -> String {
    let mut phrase = String::new();
    let mut last = String::new();
    // Names longer than this are prose.
    for word in name.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty()).take(6) {
        let word = word.to_lowercase();
        if word == last {
            continue;
        }
        if !phrase.is_empty() {
            phrase.push(' ');
        }
        phrase.push_str(&word);
        last = word;
    }
    phrase
}

/// The ticket type of a name such as `New Feature`, `Sub-task` or `缺陷`; bilingual names such as `Bug/缺陷` count.
pub(super) fn ticket_type(name: &str) -> Option<TicketType> {
    let phrase = phrase(name);
    known_ticket_type(&phrase).or_else(|| {
        let mut words = phrase.split(' ').map(known_ticket_type);
        let first = words.next()??;
        words.all(|word| word == Some(first)).then_some(first)
    })
}

fn known_ticket_type(phrase: &str) -> Option<TicketType> {
    let kinds = [
        (BUG_NAMES, TicketType::Bug),
        (FEATURE_NAMES, TicketType::Feature),
        (TASK_NAMES, TicketType::Task),
        (QUESTION_NAMES, TicketType::Question),
    ];
    named(phrase, kinds)
}

/// The meaning of the list that contains the phrase.
fn named<T, const N: usize>(phrase: &str, lists: [(&Words, T); N]) -> Option<T> {
    lists.into_iter().find(|(names, _)| names.has(phrase)).map(|(_, meant)| meant)
}

/// The priority of a word such as `P1`, `Highest`, `should` or `高`; `won't` is not a priority.
pub(super) fn priority(name: &str) -> Option<Priority> {
    let priorities = [
        (HIGHEST_PRIORITY_NAMES, Priority::P0),
        (MIDDLE_PRIORITY_NAMES, Priority::P1),
        (LOWEST_PRIORITY_NAMES, Priority::P2),
    ];
    named(&phrase(name), priorities)
}

/// The kind of document of a word such as `Jira_Ticket`, `prd` or `GitHub`.
pub(super) fn source_type(name: &str) -> Option<SourceType> {
    let kinds = [
        (JIRA_NAMES, SourceType::JiraTicket),
        (PRD_NAMES, SourceType::PrdDoc),
        (MEETING_NAMES, SourceType::MeetingTranscript),
        (GITHUB_NAMES, SourceType::GitHubIssue),
        (PLAIN_NAMES, SourceType::PlainText),
    ];
    named(&phrase(name), kinds)
}

/// The language of a code such as `zh-CN` or a name such as `English`.
pub(super) fn language(name: &str) -> Option<Language> {
    let phrase = phrase(name);
    named(phrase.split(' ').next()?, [(ENGLISH_NAMES, Language::En), (CHINESE_NAMES, Language::Zh)])
}

/// The project key itself, if it has two to five capital letters.
pub(super) fn project_key(name: &str) -> Option<String> {
    let fits = (2..=5).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_uppercase());
    fits.then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticket_types_of_both_languages_are_known() {
        for (name, expected) in [
            ("Bug", Some(TicketType::Bug)),
            ("Bug :bug:", Some(TicketType::Bug)),
            ("缺陷", Some(TicketType::Bug)),
            ("缺陷 (Bug)", Some(TicketType::Bug)),
            ("New Feature", Some(TicketType::Feature)),
            ("用户故事", Some(TicketType::Feature)),
            ("Sub-task", Some(TicketType::Task)),
            ("Spike", Some(TicketType::Task)),
            ("Question", Some(TicketType::Question)),
            ("not a bug", None),
            ("bug question", None),
            ("Incident", None),
            ("", None),
        ] {
            assert_eq!(ticket_type(name), expected, "{name}");
        }
    }

    #[test]
    fn three_spellings_of_a_priority_are_one() {
        for name in ["P0", "high", "must", "Highest", "Blocker", "高"] {
            assert_eq!(priority(name), Some(Priority::P0), "{name}");
        }
        for name in ["p1", "Medium", "should"] {
            assert_eq!(priority(name), Some(Priority::P1), "{name}");
        }
        for name in ["P2", "low", "could", "Lowest", "Trivial"] {
            assert_eq!(priority(name), Some(Priority::P2), "{name}");
        }
        assert_eq!(priority("won't"), None);
    }

    #[test]
    fn languages_and_sources_are_known_by_code_and_name() {
        assert_eq!(language("zh-CN"), Some(Language::Zh));
        assert_eq!(language("EN_us"), Some(Language::En));
        assert_eq!(language("fr"), None);
        assert_eq!(source_type("Jira_Ticket"), Some(SourceType::JiraTicket));
        assert_eq!(source_type("GitHub"), Some(SourceType::GitHubIssue));
        assert_eq!(source_type("WikiNews"), None);
    }

    #[test]
    fn project_key_is_two_to_five_capitals() {
        assert_eq!(project_key("PAY").as_deref(), Some("PAY"));
        for name in ["P", "pay", "PAYING", "PAY2", "ÄÖ"] {
            assert_eq!(project_key(name), None, "{name}");
        }
    }
}
