//! The words in which people and ticket systems state a type, a priority, a source or a language.
//!
//! Conservative: a word that could mean two things is not known.

use crate::model::{Language, Priority, SourceType, TicketType};

/// Lower-case words of a name joined by single spaces; signs and emoji are gone and a word is not repeated (`Bug :bug:`).
pub(super) fn phrase(name: &str) -> String {
    let mut phrase = String::new();
    let mut last = String::new();
    // Names longer than this are prose, not names.
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

/// The ticket type that a name such as `New Feature`, `Sub-task` or `缺陷` means; bilingual names such as `Bug/缺陷` count.
pub(super) fn ticket_type(name: &str) -> Option<TicketType> {
    let phrase = phrase(name);
    known_ticket_type(&phrase).or_else(|| {
        let mut words = phrase.split(' ').map(known_ticket_type);
        let first = words.next()??;
        words.all(|word| word == Some(first)).then_some(first)
    })
}

fn known_ticket_type(phrase: &str) -> Option<TicketType> {
    Some(match phrase {
        "bug" | "bugs" | "bug report" | "bugreport" | "defect" | "regression" | "fault" | "confirmed bug"
        | "unconfirmed bug" | "possible bug" | "potential bug" | "缺陷" | "故障" | "错误" | "漏洞" | "bug修复" => {
            TicketType::Bug
        }
        "feature" | "features" | "feature request" | "feature requests" | "feat" | "new feature" | "enhancement"
        | "enhancements" | "improvement" | "improvements" | "story" | "user story" | "userstory" | "epic"
        | "requirement" | "change request" | "故事" | "用户故事" | "需求" | "用户需求" | "产品需求" | "新功能"
        | "新特性" | "功能" | "功能需求" | "特性" | "改进" | "优化" | "增强" | "史诗" | "长篇故事" => {
            TicketType::Feature
        }
        "task" | "tasks" | "sub task" | "subtask" | "technical task" | "chore" | "chores" | "spike" | "maintenance"
        | "refactor" | "refactoring" | "cleanup" | "clean up" | "tech debt" | "technical debt" | "documentation"
        | "docs" | "dependencies" | "dependency" | "release" | "任务" | "子任务" | "技术任务" | "重构" | "文档" => {
            TicketType::Task
        }
        "question" | "questions" | "support" | "support question" | "usage question" | "discussion" | "提问"
        | "疑问" | "咨询" => TicketType::Question,
        _ => return None,
    })
}

/// The priority that a word such as `P1`, `Highest`, `should` or `高` means; `won't` is no priority.
pub(super) fn priority(name: &str) -> Option<Priority> {
    Some(match phrase(name).as_str() {
        "p0" | "0" | "high" | "highest" | "must" | "must have" | "blocker" | "critical" | "urgent" | "高" | "最高"
        | "紧急" | "严重" | "必须" => Priority::P0,
        "p1" | "1" | "medium" | "normal" | "should" | "should have" | "major" | "中" | "中等" | "普通" | "一般"
        | "应该" => Priority::P1,
        // Five-step scales end below the three priorities known here; their lower steps are the lowest.
        "p2" | "p3" | "p4" | "2" | "3" | "4" | "low" | "lowest" | "could" | "could have" | "nice to have" | "minor"
        | "trivial" | "低" | "最低" | "较低" | "可以" => Priority::P2,
        _ => return None,
    })
}

/// The kind of document that a word such as `Jira_Ticket`, `prd` or `GitHub` means.
pub(super) fn source_type(name: &str) -> Option<SourceType> {
    Some(match phrase(name).as_str() {
        "jira" | "jira ticket" | "jira issue" => SourceType::JiraTicket,
        "prd" | "prd doc" | "product requirements document" | "产品需求文档" => SourceType::PrdDoc,
        "meeting" | "meeting transcript" | "transcript" | "minutes" | "meeting minutes" | "会议纪要" => {
            SourceType::MeetingTranscript
        }
        "github" | "github issue" => SourceType::GitHubIssue,
        "plain" | "text" | "plain text" => SourceType::PlainText,
        _ => return None,
    })
}

/// The language that a code such as `zh-CN` or a name such as `English` means.
pub(super) fn language(name: &str) -> Option<Language> {
    let phrase = phrase(name);
    match phrase.split(' ').next()? {
        "en" | "eng" | "english" | "英文" | "英语" => Some(Language::En),
        "zh" | "chi" | "zho" | "chinese" | "cn" | "中文" | "简体中文" | "汉语" => Some(Language::Zh),
        _ => None,
    }
}

/// The project key itself, if it is two to five capital letters.
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
