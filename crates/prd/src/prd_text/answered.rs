//! Reads questions of a PRD with the words after them.

use crate::OpenQuestion;
use reqgate_text::answer::read_answer;

/// The question with the words after it as its answer; it stays open if they do not decide it: "Which format? Not
/// decided yet, owner: Mei".
pub(super) fn answered_by(question: &str, answer: &str) -> OpenQuestion {
    let mut asked = OpenQuestion::new(question, None);
    let read = read_answer(question, answer);
    match read.open.filter(|_| read.decided.is_none()) {
        Some(open) if !answer.trim().is_empty() => asked.assign(open.assignment),
        _ => asked.answer = Some(answer.trim().to_owned()),
    }
    asked
}

#[cfg(test)]
mod tests {
    use super::answered_by;

    #[test]
    fn words_below_answered_questions_that_decide_nothing_leave_their_question_open() {
        for (question, answer, owner) in [
            ("Which colour?", " Not decided yet, owner: Jonas", "Jonas"),
            ("Which colour?", " TBD, ask legal", "legal"),
            ("哪种颜色？", "还没定，负责人：李雷", "李雷"),
        ] {
            let read = answered_by(question, answer);
            assert_eq!((read.answer.as_deref(), read.owner.as_deref()), (None, Some(owner)), "{answer}");
        }
        assert_eq!(answered_by("Which colour?", " blue").answer.as_deref(), Some("blue"));
    }
}
