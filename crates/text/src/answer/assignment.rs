//! Reads the person who answers a question, the day, and the default until then, from words that state just that.

use crate::lexicon::is_cjk;
use crate::words::brief_answers::{DAYS, DEFAULTS, DUES, NO_OWNERS, OF_A_TEAM, OWNERS, SURNAMES, TEAMS};

/// The longest name of an owner, in characters, and its most words.
const LONGEST_OWNER: usize = 40;
const MOST_WORDS: usize = 4;

/// The person who answers a question, with the day and the default, as they are written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Assignment {
    /// The person or team.
    pub owner: Option<String>,
    /// The day until which it is answered.
    pub due: Option<String>,
    /// The value that holds until the question is answered.
    pub default: Option<String>,
}

impl Assignment {
    /// Fills the missing fields from the other assignment.
    pub fn complete(&mut self, other: Self) {
        for (field, words) in
            [(&mut self.owner, other.owner), (&mut self.due, other.due), (&mut self.default, other.default)]
        {
            *field = field.take().or(words);
        }
    }

    /// An assignment with only an owner.
    pub(super) fn to(owner: &str) -> Self {
        Self { owner: Some(owner.to_owned()), ..Self::default() }
    }
}

/// Reads words that are only an assignment: `Mei, by 12 Dec`, `owner: Mei; due: 12 Dec; default: 5`, 李雷，12 月 5 日前；默认：扫码.
///
/// The owner needs a label or a day, because a name alone may be an answer.
pub fn assignment(words: &str) -> Option<Assignment> {
    labelled(words).filter(|out| out.owner.is_some())
}

/// Reads labelled parts; the owner may be missing.
fn labelled(words: &str) -> Option<Assignment> {
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
    let is_name = out.owner.as_deref().is_none_or(|owner| {
        owner.chars().count() <= LONGEST_OWNER
            && owner.split_whitespace().count() <= MOST_WORDS
            && !owner.contains(['?', '？', '.', '。'])
    });
    (is_name && out != Assignment::default()).then_some(out)
}

/// Splits the assignment in brackets from the end of a question. Here a default may come without an owner:
/// `How many? (default: 5)`.
pub fn split_assignment(words: &str) -> (&str, Option<Assignment>) {
    let bare = words.trim().trim_end_matches(['.', '。']);
    let inside = |open: char, close: char| {
        let (question, inner) = bare.strip_suffix(close)?.rsplit_once(open)?;
        Some((question.trim_end(), labelled(inner)?))
    };
    match inside('(', ')').or_else(|| inside('（', '）')).or_else(|| inside('[', ']')) {
        Some((question, assignment)) => (question, Some(assignment)),
        None => (words, None),
    }
}

/// Returns true for one person's name: a capitalised word or at most four Chinese characters; numerals and yes/no are excluded.
pub(super) fn is_one_name(words: &str) -> bool {
    let mut chars = words.chars();
    let is_capitalised = chars.next().is_some_and(char::is_uppercase)
        && chars.clone().any(char::is_lowercase)
        && chars.all(|c| c.is_alphabetic() || matches!(c, '-' | '\'' | '’'));
    let counts = |c: char| "一二两三四五六七八九十".contains(c);
    let is_chinese =
        words.chars().all(is_cjk) && (2..=4).contains(&words.chars().count()) && !words.starts_with(counts);
    (is_capitalised || is_chinese) && !NO_OWNERS.has(&words.to_lowercase())
}

/// Returns true for the name of a person or a team: Mei, the legal team, 法务部, 李雷, 赵工. A Chinese name begins with a surname.
pub(super) fn is_person_or_team(words: &str) -> bool {
    let lower = words.to_lowercase();
    let bare = ["the ", "our ", "my "].iter().find_map(|article| lower.strip_prefix(article)).unwrap_or(&lower);
    let is_team = |words: &str| TEAMS.has(words);
    let of_team = OF_A_TEAM.iter().find_map(|end| bare.strip_suffix(end));
    let is_chinese = words.chars().all(is_cjk);
    is_team(bare)
        || of_team.is_some_and(is_team)
        || is_one_name(words) && (!is_chinese || SURNAMES.begin(words) && words.chars().count() <= 3)
}

/// The byte ranges of the lines that end in an assignment.
pub fn assigned_lines(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut at = 0;
    let lines = text.split_inclusive('\n').map(|line| {
        let start = at;
        at += line.len();
        (start..at, line)
    });
    lines
        .filter(|(_, line)| split_assignment(line).1.is_some_and(|one| one.owner.is_some()))
        .map(|(range, _)| range)
        .collect()
}

/// Splits `Mei, by 12 Dec` or 李雷，12 月 5 日前 into owner and day.
fn owner_and_day(words: &str) -> Option<(&str, &str)> {
    let (owner, behind) = words.split_once([',', '，', '、'])?;
    Some((owner.trim(), day(behind)?)).filter(|(owner, _)| !owner.is_empty())
}

/// The day in “by 12 Dec” or 12 月 5 日前.
pub(super) fn day(words: &str) -> Option<&str> {
    let behind = words.trim();
    let lower = behind.to_lowercase();
    let before_english = DUES.iter().filter(|word| word.is_ascii()).find_map(|word| {
        let rest = lower.strip_prefix(word)?.strip_prefix(' ')?;
        behind.get(behind.len() - rest.len()..)
    });
    let day = before_english.or_else(|| ["之前", "以前", "前"].iter().find_map(|end| behind.strip_suffix(end)))?.trim();
    let is_day = day.contains(|c: char| c.is_ascii_digit()) || DAYS.stand_in(&day.to_lowercase());
    (is_day && !day.is_empty()).then_some(day)
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
        for (words, question, default) in [
            ("How many links? (default: 5)", "How many links?", "5"),
            (
                "May we send messages at night? (Default: none from 21:00 to 8:00).",
                "May we send messages at night?",
                "none from 21:00 to 8:00",
            ),
            ("最多重试几次？（默认：5 次）", "最多重试几次？", "5 次"),
        ] {
            let (asked, assigned) = split_assignment(words);
            assert_eq!((asked, assigned.and_then(|one| one.default).as_deref()), (question, Some(default)));
        }
        assert_eq!(assigned_lines("- How many? (default: 5)\n"), [] as [std::ops::Range<usize>; 0], "nobody is named");
        assert_eq!(split_assignment("Which columns (note: all)").1, None);
        assert_eq!(split_assignment("Which format (CSV or PDF)?"), ("Which format (CSV or PDF)?", None));
        assert_eq!(assigned_lines("A.\n- Who? (Mei, by 12 Dec)\nB.\n").first(), Some(&(3..27)));
    }
}
