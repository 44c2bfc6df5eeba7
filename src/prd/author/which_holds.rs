//! The question which of two statements holds, and the effect of its answer.

use super::RulesAuthor;
use super::settle::with_figure_of;
use super::statement::Said;
use super::wording::substance;
use crate::model::Language;
use crate::prd::{FeatureBrief, OpenQuestion, SourceQuote};
use crate::rules::DraftingCue;
use crate::text::content_words::{content_words, shared};
use crate::text::words::drafting_answers as lists;
use crate::text::words::drafting_contradictions::DENIALS;

/// The parts of the question: the text before, between and after the two statements, and before their places.
struct Form {
    begin: &'static str,
    between: &'static str,
    place: &'static str,
    end: &'static str,
}

const FORMS: [Form; 2] = [
    Form { begin: "Which holds: “", between: ") or “", place: "” (", end: ")?" },
    Form { begin: "以哪个为准：“", between: "）还是“", place: "”（", end: "）？" },
];

/// Asks which of two statements holds.
pub fn contradiction(one: &Said, other: &Said, language: Language) -> OpenQuestion {
    let Form { begin, between, place, end } = &FORMS[usize::from(language == Language::Zh)];
    let side = |said: &Said| format!("{}{place}{}:{}", said.words, said.quote.source, said.quote.line);
    let question = format!("{begin}{}{between}{}{end}", side(one), side(other));
    OpenQuestion { question, source: Some(one.quote.clone()), answer: None }
}

/// One of the two statements and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Side {
    words: String,
    source: String,
    line: u32,
}

impl Side {
    fn read(text: &str, form: &Form) -> Option<Self> {
        let (words, place) = text.rsplit_once(form.place)?;
        let (source, line) = place.rsplit_once(':')?;
        Some(Self { words: words.to_owned(), source: source.to_owned(), line: line.parse().ok()? })
    }

    /// The statement as it was read from its source.
    fn said<'s>(&self, said: &'s [Said]) -> Option<&'s Said> {
        let stands_there = |said: &&Said| said.quote.source == self.source && said.quote.line == self.line;
        said.iter()
            .find(|said| stands_there(said) && said.words == self.words)
            .or_else(|| said.iter().find(stands_there))
    }

    fn quote(&self, said: &[Said]) -> SourceQuote {
        let own = || SourceQuote { source: self.source.clone(), line: self.line, quote: self.words.clone() };
        self.said(said).map_or_else(own, |said| said.quote.clone())
    }
}

/// The two statements of such a question; `None` for any other question.
fn sides(question: &str) -> Option<[Side; 2]> {
    FORMS.iter().find_map(|form| {
        let inner = question.trim().strip_prefix(form.begin)?.strip_suffix(form.end)?;
        inner.match_indices(form.between).find_map(|(at, between)| {
            Some([Side::read(&inner[..at], form)?, Side::read(&inner[at + between.len()..], form)?])
        })
    })
}

/// The effect of an answer on two statements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Choice {
    First,
    Second,
    Both,
    Neither,
    /// Something else holds, in the words of the answer.
    Own,
}

impl Choice {
    fn of(answer: &str, sides: &[Side; 2]) -> Self {
        if let Some(named) = named(answer, sides) {
            return named;
        }
        let denies = |text: &str| {
            let lower = text.to_lowercase();
            DENIALS.stand_in(&lower) || lower.starts_with("not ") || lower.contains('不') || lower.starts_with('别')
        };
        let words = content_words(answer);
        let repeats = |side: &Side| {
            let theirs = content_words(&side.words);
            let all = !words.is_empty() && shared(&words, &theirs) == words.len();
            (all || is_part(&bare(answer), &bare(&side.words))) && denies(answer) == denies(&side.words)
        };
        let is = |side: &Side| bare(&side.words) == bare(answer);
        match (is(&sides[0]), is(&sides[1]), repeats(&sides[0]), repeats(&sides[1])) {
            (true, false, ..) | (false, false, true, false) => Self::First,
            (false, true, ..) | (false, false, false, true) => Self::Second,
            _ => Self::Own,
        }
    }

    /// Whether the statement with this index still holds.
    fn keeps(self, index: usize) -> bool {
        matches!((self, index), (Self::Both, _) | (Self::First, 0) | (Self::Second, 1))
    }
}

/// "The second, because it is the law", "the one in b.md", 以第一种为准: the statement is named, not said again.
fn named(answer: &str, sides: &[Side; 2]) -> Option<Choice> {
    let lower = answer.trim().to_lowercase();
    let reason = lists::REASONS.first_in(&lower).unwrap_or(lower.len());
    let end = lower.char_indices().find(|(at, c)| {
        let next = lower[at + c.len_utf8()..].chars().next();
        matches!(c, ',' | ';' | '，' | '。' | '；' | '：' | '（' | '–' | '—' | '\n')
            || matches!(c, '.' | ':' | '!' | '(') && next.is_none_or(char::is_whitespace)
    });
    let head = lower[..end.map_or(reason, |(at, _)| at.min(reason))].trim();
    let kept: Vec<&str> = head
        .split(|c: char| c.is_whitespace() || matches!(c, '“' | '”' | '"' | '(' | ')'))
        .filter(|word| !word.is_empty() && !lists::AROUND.has(word))
        .collect();
    let name = without_around(&kept.join(" "));
    let choices = [
        (&lists::FIRST, Choice::First),
        (&lists::SECOND, Choice::Second),
        (&lists::BOTH, Choice::Both),
        (&lists::NEITHER, Choice::Neither),
    ];
    if let Some((_, choice)) = choices.into_iter().find(|(list, _)| list.has(&name)) {
        return Some(choice);
    }
    let place = name.strip_prefix("in ").or_else(|| name.strip_prefix("from ")).unwrap_or(&name);
    let is_place = |side: &Side| {
        let source = side.source.to_lowercase();
        place == source || place == format!("{source}:{}", side.line)
    };
    match sides.each_ref().map(is_place) {
        [true, false] => Some(Choice::First),
        [false, true] => Some(Choice::Second),
        _ => None,
    }
}

/// 以第一种为准 → 第一种.
fn without_around(words: &str) -> String {
    let is_name =
        |words: &str| [&lists::FIRST, &lists::SECOND, &lists::BOTH, &lists::NEITHER].iter().any(|list| list.has(words));
    let mut rest = words;
    while !is_name(rest) {
        let shorter =
            lists::AROUND_CHINESE.iter().find_map(|word| rest.strip_prefix(word).or_else(|| rest.strip_suffix(word)));
        let Some(shorter) = shorter else { break };
        rest = shorter.trim();
    }
    rest.to_owned()
}

/// "30 天" is a part of “保留 30 天后删除” but not of “保留 130 天”.
fn is_part(part: &str, whole: &str) -> bool {
    part.chars().count() >= 2
        && whole.match_indices(part).any(|(at, _)| {
            let is_word = |c: char| c.is_ascii_alphanumeric();
            let cuts = whole[..at].ends_with(is_word) && part.starts_with(is_word);
            let goes_on = whole[at + part.len()..].starts_with(is_word) && part.ends_with(is_word);
            !cuts && !goes_on
        })
}

/// The words without their case, quotation marks and last full stop.
fn bare(words: &str) -> String {
    let marks = |c: char| c.is_whitespace() || matches!(c, '“' | '”' | '"' | '.' | '。');
    words.trim_matches(marks).to_lowercase()
}

/// A statement that holds by an answer.
pub struct Held {
    /// Its words.
    pub words: String,
    /// The place.
    pub quote: SourceQuote,
    /// The answer.
    pub answer: SourceQuote,
}

/// The results of the answered questions of a brief.
#[derive(Default)]
pub struct Settled {
    /// The statements that hold.
    pub holds: Vec<Held>,
    /// The words of statements that do not hold, and of those that nobody has decided.
    pub out: Vec<String>,
}

impl RulesAuthor<'_> {
    /// The statements that hold out of contradicting ones; if nobody has decided, none of them holds.
    pub(super) fn settled_by_answers(&self, brief: &FeatureBrief, said: &[Said]) -> Settled {
        let mut settled = Settled::default();
        for question in &brief.open_questions {
            let Some(sides) = sides(&question.question) else { continue };
            let answer = question.answer.as_deref().filter(|answer| self.decides(answer));
            let choice = answer.map_or(Choice::Neither, |answer| Choice::of(answer, &sides));
            for (index, side) in sides.iter().enumerate() {
                match answer {
                    Some(answer) if choice.keeps(index) => settled.holds.push(Held {
                        words: side.words.clone(),
                        quote: side.quote(said),
                        answer: answered_with(question, answer),
                    }),
                    _ => settled.out.push(side.words.clone()),
                }
            }
        }
        // It holds against one statement and is still open against another.
        let Settled { holds, out } = &mut settled;
        holds.retain(|held| !out.contains(&held.words));
        settled
    }

    /// The content of an answer by itself: `None` if it only names one of two statements, or says nothing yet.
    pub(super) fn own_answer(&self, question: &OpenQuestion, said: &[Said]) -> Option<String> {
        let answer = question.answer.as_deref().filter(|answer| self.decides(answer))?;
        let Some(sides) = sides(&question.question) else {
            return (substance(answer) >= ENOUGH).then(|| answer.to_owned());
        };
        if Choice::of(answer, &sides) != Choice::Own {
            return None;
        }
        if substance(answer) >= ENOUGH {
            return Some(answer.to_owned());
        }
        // "7 years", where one paper says 5 and the other 3.
        let old = sides[0].said(said)?;
        with_figure_of(old, &Said { words: answer.to_owned(), ..old.clone() })
    }

    fn decides(&self, answer: &str) -> bool {
        !self.words.has(answer, DraftingCue::Open) && !self.words.has(answer, DraftingCue::OutOfScope)
    }
}

/// The number of content words from which an answer is meaningful by itself.
const ENOUGH: usize = 4;

/// The place of an answer.
pub fn answered_with(question: &OpenQuestion, answer: &str) -> SourceQuote {
    SourceQuote { source: format!("ask:{}", question.question), line: 1, quote: answer.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::{Choice, sides};

    const ENGLISH: &str = "Which holds: “Files (CSV) are kept for 90 days” (a.md:3) or “Files are deleted after 30 days” (mail from Jo.txt:14)?";
    const CHINESE: &str = "以哪个为准：“文件保留 90 天”（会议.md:3）还是“文件 30 天后由系统删除”（b.md:4）？";

    #[test]
    fn a_question_is_read_as_it_was_asked() {
        let [one, other] = sides(ENGLISH).expect("two sides");
        assert_eq!(
            (one.words.as_str(), one.source.as_str(), one.line),
            ("Files (CSV) are kept for 90 days", "a.md", 3)
        );
        assert_eq!((other.source.as_str(), other.line), ("mail from Jo.txt", 14));
        assert_eq!(sides(CHINESE).expect("two sides")[1].words, "文件 30 天后由系统删除");
        assert_eq!(sides("Which holds: the first?"), None);
    }

    #[test]
    fn answers_name_a_side_repeat_it_or_say_something_else() {
        let cases = [
            (
                ENGLISH,
                Choice::First,
                &[
                    "the first",
                    "The first one.",
                    "1",
                    "first, because the law says so",
                    "the former holds",
                    "a.md",
                    "the one in a.md",
                    "90 days",
                    "Files (CSV) are kept for 90 days.",
                ][..],
            ),
            (
                ENGLISH,
                Choice::Second,
                &[
                    "the second",
                    "We take the second one",
                    "the latter",
                    "Files are deleted after 30 days",
                    "30 days!",
                    "mail from Jo.txt:14",
                ],
            ),
            (ENGLISH, Choice::Both, &["both", "Both hold."]),
            (ENGLISH, Choice::Neither, &["neither", "Neither of them."]),
            (
                ENGLISH,
                Choice::Own,
                &["The first visit is free of charge.", "Files are kept for 60 days.", "not 90 days", "60 days"],
            ),
            (
                CHINESE,
                Choice::First,
                &["第一种", "以第一种为准", "前者", "第一个，因为合规要求", "90 天", "文件保留 90 天。"],
            ),
            (
                CHINESE,
                Choice::Second,
                &["第二种", "后者", "按后者来", "以第二条为准。", "文件 30 天后由系统删除", "30 天"],
            ),
            (CHINESE, Choice::Both, &["两个都要"]),
            (CHINESE, Choice::Neither, &["都不对"]),
            (CHINESE, Choice::Own, &["第一次导出后保留 60 天。", "文件保留 60 天，管理员可以延长。", "不是 90 天"]),
        ];
        for (question, choice, answers) in cases {
            let sides = sides(question).expect("two sides");
            for answer in answers {
                assert_eq!(Choice::of(answer, &sides), choice, "{answer}");
            }
        }
    }
}
