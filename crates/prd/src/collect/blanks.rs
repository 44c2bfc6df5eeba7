//! The questions that every feature must answer, and the brief sections that take the answers.

use crate::brief::{BriefSection, still_open};
use crate::layouts::sentences::sentence;
use crate::{FeatureBrief, OpenQuestion, SourceQuote, Statement};
use reqgate_base::model::Language;
use reqgate_text::answer::{AnswerReading, read_answer};

/// A piece of information that every brief must contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Blank {
    /// The people who will use the feature.
    Users,
    /// The goal in one sentence.
    Goal,
    /// The problem that people have today.
    Problem,
    /// The measure of success.
    Measure,
    /// Behaviour when something goes wrong.
    Errors,
    /// Limits: number, size, duration.
    Limits,
    /// The parts that are left out on purpose.
    OutOfScope,
}

impl Blank {
    const ALL: [Self; 7] =
        [Self::Users, Self::Goal, Self::Problem, Self::Measure, Self::Errors, Self::Limits, Self::OutOfScope];

    /// Returns the question that asks for this information.
    pub(super) fn question(self, language: Language) -> &'static str {
        let (en, zh) = match self {
            Self::Users => ("Who will use it?", "谁会使用这个功能？"),
            Self::Goal => ("What should it achieve, in one sentence?", "用一句话说，它要达到什么目标？"),
            Self::Problem => ("What is wrong or missing today, and for whom?", "目前哪里有问题，对谁有影响？"),
            Self::Measure => (
                "How will you measure that it worked: which value, by when?",
                "怎么衡量它有没有成功：什么指标，到什么时候达到多少？",
            ),
            Self::Errors => (
                "What happens when something goes wrong: wrong input, no connection, no permission?",
                "出错时怎么办：输入有误、网络中断、没有权限？",
            ),
            Self::Limits => ("Which limits hold: how many, how large, how long?", "有哪些限制：数量、大小、时长？"),
            Self::OutOfScope => ("What is not part of it?", "哪些不在本次范围内？"),
        };
        if language == Language::Zh { zh } else { en }
    }

    /// Returns the blank that a question asks for, if it is one of the standard questions.
    pub(super) fn of(question: &str) -> Option<Self> {
        let asks = |blank: &Self| [Language::En, Language::Zh].iter().any(|one| blank.question(*one) == question);
        Self::ALL.into_iter().find(asks)
    }

    /// The section for the answer, if any; answers about errors and limits stay with their question.
    fn section(self) -> Option<BriefSection> {
        match self {
            Self::Users => Some(BriefSection::Users),
            Self::Goal => Some(BriefSection::Goals),
            Self::Problem => Some(BriefSection::Problem),
            Self::Measure => Some(BriefSection::SuccessMeasures),
            Self::OutOfScope => Some(BriefSection::OutOfScope),
            Self::Errors | Self::Limits => None,
        }
    }
}

/// Returns true for a standard question that any statement in this section answers.
pub fn is_answered_in(question: &str, section: BriefSection) -> bool {
    Blank::of(question).and_then(Blank::section) == Some(section)
}

/// Reads the answer to a question of a brief. "Exports, until Friday" has the form of a name and a day, but to the
/// questions about users and scope it is the answer itself.
pub fn read_reply(question: &str, answer: &str) -> AnswerReading {
    let read = read_answer(question, answer);
    let asks_for_names = matches!(Blank::of(question), Some(Blank::Users | Blank::OutOfScope));
    match (read.decided, read.open) {
        (None, Some(open)) if open.is_name_and_day && asks_for_names => {
            AnswerReading { decided: Some(open.words), open: None }
        }
        (decided, open) => AnswerReading { decided, open },
    }
}

/// Puts the answer to an open question into the brief: into the section that lacked it, or next to its question. The
/// part that the answer leaves open stays a question, with the owner, the day and the default that it names; if the
/// answer also decides something, that part becomes a separate question.
pub fn answer_question(brief: &mut FeatureBrief, question: &str, answer: &str) {
    let at = brief.open_questions.iter().position(|open| open.question == question && open.answer.is_none());
    let blank = Blank::of(question);
    let AnswerReading { decided, open: left } = read_reply(question, answer);
    let Some(answer) = decided.as_deref() else {
        if let (Some(at), Some(left)) = (at, left) {
            brief.open_questions[at].assign(left.assignment);
        }
        return;
    };
    if let Some(left) = left {
        let mut open = OpenQuestion::new(still_open(question, &left.words, brief.language), None);
        open.assign(left.assignment);
        brief.open_questions.push(open);
    }
    // An adopted sentence may already have filled the section; the answer is added to it.
    let Some(statements) = blank.and_then(Blank::section).and_then(|section| brief.statements_mut(section)) else {
        if let Some(at) = at {
            brief.open_questions[at].answer = Some(answer.to_owned());
        }
        return;
    };
    for (number, line) in answer.lines().filter(|line| !line.trim().is_empty()).enumerate() {
        let line = line.trim();
        let number = u32::try_from(number + 1).unwrap_or(u32::MAX);
        let source = SourceQuote { source: "ask:review".to_owned(), line: number, quote: line.to_owned() };
        statements.push(Statement::new(sentence(line), Some(source)));
    }
    if let Some(at) = at {
        brief.open_questions.remove(at);
    }
}

#[cfg(test)]
mod tests {
    use super::{Blank, answer_question};
    use crate::{FeatureBrief, OpenQuestion};
    use reqgate_base::model::Language;

    #[test]
    fn answers_go_where_they_belong() {
        let mut brief = FeatureBrief::new("Export".to_owned(), Language::En);
        let questions = [Blank::Measure.question(Language::En), Blank::Limits.question(Language::En), "Which format?"];
        brief.open_questions = questions.iter().map(|question| OpenQuestion::new(*question, None)).collect();
        answer_question(&mut brief, questions[0], "20 minutes become 2 by March");
        answer_question(&mut brief, questions[1], "At most 5,000 orders");
        answer_question(&mut brief, questions[2], " ");
        brief.open_questions.push(OpenQuestion::new(Blank::OutOfScope.question(Language::En), None));
        answer_question(&mut brief, Blank::OutOfScope.question(Language::En), "Exports, until Friday");
        assert_eq!(brief.out_of_scope[0].text, "Exports, until Friday.");
        assert_eq!(brief.success_measures[0].text, "20 minutes become 2 by March.");
        assert_eq!(brief.open_questions[0].answer.as_deref(), Some("At most 5,000 orders"));
        for answer in ["I don't know.", "tbd", "?", "later", "不知道", "以后再定。"] {
            answer_question(&mut brief, questions[2], answer);
        }
        assert_eq!((brief.open_questions.len(), brief.open_questions[1].answer.as_deref()), (2, None));
    }
}
