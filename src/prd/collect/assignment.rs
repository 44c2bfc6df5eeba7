//! Reads who answers a question, by when, and what holds until then, where somebody has written just that.

use crate::prd::OpenQuestion;
use crate::text::lexicon::is_cjk;
use crate::text::words::brief_answers::{ASKED, DAYS, DECISIONS, DEFAULTS, DUES, NO_OWNERS, OWNERS, WHO_OR_WHEN};

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

/// An answer that only says who answers the question, and by when: with the label of an owner, or with one name. To the question
/// who decides, every assignment says so; where a question asks for a name or a day, none does.
pub fn assignment_in_answer(question: &str, answer: &str) -> Option<Assignment> {
    let asked = question.to_lowercase();
    if let Some(owner) = sent_to(answer) {
        return Some(Assignment { owner: Some(owner.to_owned()), ..Assignment::default() });
    }
    let assigned = assignment(answer)?;
    if DECISIONS.stand_in(&asked) {
        return Some(assigned);
    }
    let begins_with_label =
        |part: &str| part.split_once([':', '：']).is_some_and(|(label, _)| OWNERS.has(&label.trim().to_lowercase()));
    let is_labelled = answer.split([';', '；', '\n']).any(begins_with_label);
    let owner = assigned.owner.as_deref().unwrap_or_default();
    // What the question offers is a choice: "CSV or PDF?"
    let is_owner = is_labelled || is_one_name(owner) && !asked.contains(&owner.to_lowercase());
    (is_owner && !WHO_OR_WHEN.stand_in(&asked)).then_some(assigned)
}

/// The one name in “Ask Mei.” and 问赵工.
fn sent_to(answer: &str) -> Option<&str> {
    let answer = answer.trim().trim_end_matches(['.', '。', '!', '！', '吧']);
    let lower = answer.to_lowercase();
    let mut behind = ASKED.iter().filter_map(|word| answer.get(answer.len() - lower.strip_prefix(word)?.len()..));
    behind.find(|name| is_one_name(name))
}

/// A capitalised word, or at most four Chinese characters, that names somebody: no figure, no yes, no no.
fn is_one_name(words: &str) -> bool {
    let mut chars = words.chars();
    let is_capitalised = chars.next().is_some_and(char::is_uppercase)
        && chars.clone().any(char::is_lowercase)
        && chars.all(|c| c.is_alphabetic() || matches!(c, '-' | '\'' | '’'));
    let counts = |c: char| "一二两三四五六七八九十".contains(c);
    let is_chinese =
        words.chars().all(is_cjk) && (2..=4).contains(&words.chars().count()) && !words.starts_with(counts);
    (is_capitalised || is_chinese) && !NO_OWNERS.has(&words.to_lowercase())
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
        let rest = lower.strip_prefix(word)?.strip_prefix(' ')?;
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
    fn an_answer_is_an_assignment_only_with_a_label_or_one_name() {
        let is_taken = |question: &str, answer: &str| assignment_in_answer(question, answer).is_some();
        let asked = "Does a guest have to enter a name?";
        for answer in
            ["Jonas, by Friday", "owner: the legal team; default: yes", "李雷，12 月 5 日前", "负责人：法务，月底前"]
        {
            assert!(is_taken(asked, answer), "{answer}");
        }
        for answer in
            ["Yes, by 12 Dec", "The mobile app, until 2027", "最多 500 条，月底前", "可以，月底前", "PDF, by Friday"]
        {
            assert!(!is_taken(asked, answer), "{answer}");
        }
        assert!(is_taken(asked, "Ask Mei.") && is_taken("几次？", "问赵工") && is_taken(asked, "please ask Jonas"));
        assert!(
            !is_taken(asked, "Ask twice") && !is_taken(asked, "Ask the guest for one") && !is_taken("几次？", "问三次")
        );
        assert!(!is_taken("扫码还是刷卡？", "扫码，月底前") && !is_taken("Who signs it?", "Mei, by Friday"));
        let gate = "“The format is TBD”: who decides this, and by when? If nobody answers, which default holds?";
        assert!(is_taken(gate, "the legal team, by 12 Dec") && !is_taken(gate, "CSV in UTF-8"));
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
