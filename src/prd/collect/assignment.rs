//! Reads who answers a question, by when, and what holds until then, where somebody has written just that.

use crate::prd::OpenQuestion;
use crate::text::words::brief_answers::{DAYS, DEFAULTS, DUES, OWNERS, WHO_OR_WHEN};

/// The longest name of an owner, in characters, and its most words.
const LONGEST_OWNER: usize = 40;
const MOST_WORDS: usize = 4;

/// Who answers a question, in the words of somebody.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Assignment {
    /// The person or team.
    pub owner: Option<String>,
    /// The day until which it is answered.
    pub due: Option<String>,
    /// What holds as long as nobody answers.
    pub default: Option<String>,
}

impl Assignment {
    /// Records it with the question; what it does not say stays.
    pub fn give_to(self, question: &mut OpenQuestion) {
        for (field, words) in
            [(&mut question.owner, self.owner), (&mut question.due, self.due), (&mut question.default, self.default)]
        {
            *field = words.or(field.take());
        }
    }
}

/// An assignment and nothing else: `Mei, by 12 Dec`, `owner: Mei; due: 12 Dec; default: 5`, 李雷，12 月 5 日前；默认：扫码.
///
/// The owner comes with a label or with a day, for a name alone may be an answer.
pub fn assignment(words: &str) -> Option<Assignment> {
    let mut out = Assignment::default();
    for part in words.split([';', '；', '\n']).map(|part| part.trim().trim_end_matches(['.', '。'])) {
        if part.is_empty() {
            continue;
        }
        let labelled = part.split_once([':', '：']).map(|(label, words)| (label.trim().to_lowercase(), words.trim()));
        let (field, words) = match &labelled {
            Some((_, "")) => return None,
            Some((label, words)) if DUES.has(label) => (&mut out.due, *words),
            Some((label, words)) if DEFAULTS.has(label) => (&mut out.default, *words),
            Some((label, words)) if OWNERS.has(label) => {
                let (owner, due) = owner_and_day(words).map_or((*words, None), |(owner, day)| (owner, Some(day)));
                out.due = due.map(str::to_owned).or(out.due);
                (&mut out.owner, owner)
            }
            Some(_) => return None,
            None => {
                let (owner, day) = owner_and_day(part)?;
                out.due = Some(day.to_owned());
                (&mut out.owner, owner)
            }
        };
        *field = Some(words.to_owned());
    }
    let owner = out.owner.as_deref()?;
    let is_name = owner.chars().count() <= LONGEST_OWNER
        && owner.split_whitespace().count() <= MOST_WORDS
        && !owner.contains(['?', '？', '.', '。']);
    is_name.then_some(out)
}

/// A question without the assignment that stands in brackets at its end.
pub fn split_assignment(words: &str) -> (&str, Option<Assignment>) {
    let bare = words.trim().trim_end_matches(['.', '。']);
    let inside = |open: char, close: char| {
        let (question, inner) = bare.strip_suffix(close)?.rsplit_once(open)?;
        Some((question.trim_end(), assignment(inner)?))
    };
    match inside('(', ')').or_else(|| inside('（', '）')).or_else(|| inside('[', ']')) {
        Some((question, assignment)) => (question, Some(assignment)),
        None => (words, None),
    }
}

/// True for a question that a name or a day may answer.
pub fn asks_for_a_name_or_day(question: &str) -> bool {
    WHO_OR_WHEN.stand_in(&question.to_lowercase())
}

/// The lines of a text that end in an assignment, as ranges of bytes.
pub fn assigned_lines(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut at = 0;
    let lines = text.split_inclusive('\n').map(|line| {
        let start = at;
        at += line.len();
        (start..at, line)
    });
    lines.filter(|(_, line)| split_assignment(line).1.is_some()).map(|(range, _)| range).collect()
}

/// `Mei, by 12 Dec`, 李雷，12 月 5 日前.
fn owner_and_day(words: &str) -> Option<(&str, &str)> {
    let (owner, behind) = words.split_once([',', '，', '、'])?;
    let behind = behind.trim();
    let lower = behind.to_lowercase();
    let before_english = DUES.iter().filter(|word| word.is_ascii()).find_map(|word| {
        let rest = lower.strip_prefix(*word)?.strip_prefix(' ')?;
        behind.get(behind.len() - rest.len()..)
    });
    let day = before_english.or_else(|| ["之前", "以前", "前"].iter().find_map(|end| behind.strip_suffix(end)))?.trim();
    let is_day = day.contains(|c: char| c.is_ascii_digit()) || DAYS.stand_in(&day.to_lowercase());
    (is_day && !owner.trim().is_empty() && !day.is_empty()).then_some((owner.trim(), day))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(words: &str) -> Option<[Option<String>; 3]> {
        assignment(words).map(|Assignment { owner, due, default }| [owner, due, default])
    }

    fn is(owner: &str, due: &str, default: &str) -> Option<[Option<String>; 3]> {
        Some([owner, due, default].map(|words| (!words.is_empty()).then(|| words.to_owned())))
    }

    #[test]
    fn who_answers_by_when_is_read_and_nothing_else() {
        assert_eq!(of("Mei, by 12 Dec"), is("Mei", "12 Dec", ""));
        assert_eq!(of("the legal team, until Friday; default: 5 links."), is("the legal team", "Friday", "5 links"));
        assert_eq!(of("owner: Mei; default: 5"), is("Mei", "", "5"));
        assert_eq!(of("Owner: Mei, due 12 Dec"), is("Mei", "12 Dec", ""));
        assert_eq!(of("李雷，12 月 5 日前"), is("李雷", "12 月 5 日", ""));
        assert_eq!(of("负责人：李雷，下周五前；默认：扫码"), is("李雷", "下周五", "扫码"));
        for answer in [
            "Mei",
            "5, by default",
            "A link ends after 14 days, by 12 Dec at the latest it must be gone from every cache",
            "Ten links, until we know more",
            "李雷",
            "最多五个，超出时提示",
            "default: 5",
            "Note: Mei, by 12 Dec",
            "",
        ] {
            assert_eq!(of(answer), None, "{answer}");
        }
    }

    #[test]
    fn an_assignment_in_brackets_is_not_part_of_the_question() {
        let (question, assigned) = split_assignment("How many links? (owner: Mei, by 12 Dec; default: 5)");
        assert_eq!((question, assigned.and_then(|one| one.default).as_deref()), ("How many links?", Some("5")));
        let (question, assigned) = split_assignment("扫码还是刷卡？（李雷，12 月 5 日前）");
        assert_eq!((question, assigned.and_then(|one| one.owner).as_deref()), ("扫码还是刷卡？", Some("李雷")));
        assert_eq!(split_assignment("Which format (CSV or PDF)?"), ("Which format (CSV or PDF)?", None));
        assert_eq!(assigned_lines("A.\n- Who? (Mei, by 12 Dec)\nB.\n").first(), Some(&(3..27)));
    }
}
