//! Weighs the signs in a text to decide its kind, and by which margin.

use reqgate_base::model::{SourceType, TicketType};

use super::sign::Sign;
use super::signs::Signs;

/// The kind of ticket that the text itself indicates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind {
    /// The kind with the most points.
    pub best: TicketType,
    /// The lead over the second best in points; a small lead means an uncertain result.
    pub margin: i32,
    /// The better of bug and feature, which is `best` unless that is a task or a question.
    pub requirement: TicketType,
    /// The points of feature, bug, task and question.
    pub points: [i32; 4],
}

/// The lead that a question needs over the better of bug and feature not to be judged.
///
/// A bug mistaken for a question passes unread, while judging a question costs its author only one look. Of 500
/// questions on public trackers 77 have a larger lead than this, of 500 bugs one, of 500 features four.
const SURE: i32 = 18;

/// Fewer points than any text can have.
const NEVER: i32 = -1_000_000;

/// The signs of a question. A text without any of them is not a question, even if it has other features of questions.
const SIGNS_OF_A_QUESTION: [Sign; 15] = [
    Sign::TitleAsks,
    Sign::TitleOpensAsQuestion,
    Sign::TitleAsking,
    Sign::TitleQuestionMark,
    Sign::TitleHelpSeeking,
    Sign::FormSaysQuestion,
    Sign::FormSaysOther,
    Sign::Asking,
    Sign::Questions,
    Sign::HelpSeeking,
    Sign::OwnWork,
    Sign::Greeting,
    Sign::Hasty,
    Sign::FormComments,
    Sign::UnfilledFields,
];

impl Kind {
    /// The kind as which the ticket is judged: an uncertain question is judged as the better of bug and feature.
    pub(crate) fn judged_as(&self) -> TicketType {
        if self.best == TicketType::Question && self.margin < SURE { self.requirement } else { self.best }
    }

    /// Adds up the points of the signs. The kind with the most points wins; ties are resolved in the order bug,
    /// feature, others.
    pub(crate) fn of(signs: &Signs, source: SourceType) -> Self {
        let mut points = [0_i32; 4];
        for sign in Sign::ALL {
            let count = i32::from(signs.count(*sign));
            for (sum, each) in points.iter_mut().zip(sign.points()) {
                *sum += count * each;
            }
        }
        let [feature, bug, task, question] = &mut points;
        if SIGNS_OF_A_QUESTION.iter().all(|sign| signs.count(*sign) == 0) {
            *question = NEVER;
        }
        match source {
            SourceType::PrdDoc => *feature += 8,
            SourceType::MeetingTranscript => {
                // Questions are normal in a conversation; only steps and faults make it a bug.
                *feature += 4;
                *question = NEVER;
                *task = NEVER;
            }
            _ => {}
        }
        let (feature, bug, task, question) = (*feature, *bug, *task, *question);
        let points = [feature, bug, task, question];
        // A bug needs at least one point, and a tie goes to a kind that is judged.
        let requirement = if bug >= feature && bug > 0 { TicketType::Bug } else { TicketType::Feature };
        let (demand, other) = (bug.max(feature), task.max(question));
        if demand >= other {
            return Self { best: requirement, margin: demand - other.max(bug.min(feature)), requirement, points };
        }
        let best = if question >= task { TicketType::Question } else { TicketType::Task };
        Self { best, margin: other - demand, requirement, points }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stages::intake::detect;
    use reqgate_rules as rules;

    fn kinds(texts: &[&str], wanted: TicketType) {
        let book = rules::load(&rules::shipped_files()).expect("the shipped rules load");
        for text in texts {
            let reading = book.reader.read(text, None);
            let signs = Signs::read(text, &reading);
            let kind = detect::kind(text, &reading, SourceType::GitHubIssue);
            let seen: Vec<_> = Sign::ALL.iter().filter(|s| signs.count(**s) > 0).map(|s| s.name()).collect();
            assert_eq!(kind.best, wanted, "{text}\n{seen:?}");
        }
    }

    #[test]
    fn damage_and_what_came_instead_make_a_bug() {
        kinds(
            &[
                "Crash when the last tab is closed\n\nExpected: an empty window.\nActual: the program ends with code 139.",
                "parser: fix wrong column after a tab\n\nThe column is off by one after each tab, see #4120.",
                "关闭最后一个标签页时闪退\n\n复现步骤：\n1. 打开两个标签页\n2. 依次关闭\n\n实际：程序崩溃",
            ],
            TicketType::Bug,
        );
    }

    #[test]
    fn wishes_orders_and_their_gain_make_a_feature() {
        kinds(
            &[
                "Allow more than one colour per label\n\nIt would be nice to tell teams apart at a glance.",
                "export: add an option to skip empty rows\n\nUse case: our sheets hold thousands of them.",
                "Sort order\n\n### Issue type\n\nFeature request\n\nThere is no way to keep the order of the list.",
                "新增批量归档\n\n希望能一次归档多条记录，会方便很多。",
            ],
            TicketType::Feature,
        );
    }

    #[test]
    fn somebody_stuck_with_his_own_program_asks_a_question() {
        kinds(
            &[
                "How can I read the file twice?\n\nHi, I am trying to read a file twice in my project. Any ideas? Thanks in advance.",
                "cannot install\n\nhello, i am new to this and i followed the tutorial but i get an error. please help me!",
                "Build fails in my project\n\nType: Support\n\nI'm using the second edition, am I missing something?",
                "请教如何配置代理\n\n新手求助，按照教程配置后还是连不上，请问是不是我哪里写错了？谢谢",
            ],
            TicketType::Question,
        );
    }

    #[test]
    fn a_statement_without_any_asking_is_no_question() {
        kinds(
            &["The gate shall close within 2 s after the train has passed.", "系统应在 2 秒内关闭道闸。"],
            TicketType::Feature,
        );
    }

    #[test]
    fn an_unsure_question_is_judged_as_what_it_may_be() {
        let unsure =
            Kind { best: TicketType::Question, margin: SURE - 1, requirement: TicketType::Bug, points: [0; 4] };
        assert_eq!(unsure.judged_as(), TicketType::Bug);
        assert_eq!(Kind { margin: SURE, ..unsure }.judged_as(), TicketType::Question);
    }
}
