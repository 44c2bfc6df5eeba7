//! The clauses of an answer, and the meaning of each: a decision, an open point, a person, a day, a default.

use super::assignment::{Assignment, day, is_one_name, is_person_or_team};
use crate::words::Words;
use crate::words::brief_answers::{
    ASKED, AWAITED, AWAITING, CONDITIONS, CONFIRMING, CONTRASTS, DAYS, DECIDING, DEFAULTS, DEFERRING, DUES, FILLERS,
    FROM_WHOM, GUESSES, INPUTS, LEFT_OPEN, NEEDING, NO_SUBJECTS, OF_A_TEAM, OPEN, OUTSIDE, OWNERS, PUT_OFF, SETTLING,
    TEAMS, UNDECIDED, UNKNOWING, WEAK,
};

/// The most words and Chinese characters of the subject of an open point.
const MOST_WORDS: usize = 8;
const MOST_CHARACTERS: usize = 16;
/// The most characters of a name at the start of other words.
const LONGEST_NAME: usize = 40;

/// A clause and its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Clause<'t> {
    /// The words without the marks around them.
    pub(super) words: &'t str,
    /// The first byte, and the byte after the last.
    pub(super) start: usize,
    pub(super) end: usize,
    /// The number of its sentence.
    pub(super) sentence: usize,
}

/// The statement that a clause makes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Only a courtesy or punctuation.
    Filler,
    /// A statement that a point is not decided.
    Open(Openness),
    /// The person who answers, by a label: `owner: Jonas`.
    Owner(Assignment),
    /// The person to ask, or who decides: "ask legal", "Jonas decides by Friday".
    Settles { assignment: Assignment, by: Settling },
    /// The day until which it is answered.
    Due(String),
    /// The value that holds until the question is answered.
    Default(String),
    /// A name without other words.
    Name(String),
    /// A statement of any other kind.
    Says,
}

/// The way in which a clause names the person who settles a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Settling {
    /// The person is asked: "ask legal".
    Asked,
    /// "Jonas decides by Friday".
    Decides,
    /// "Lena has to confirm": the answer does not hold before.
    Confirms {
        /// The person or team takes no part in the product, so that it is the requirement that must be confirmed.
        is_certain: bool,
    },
}

/// The open point of a clause.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Openness {
    /// The clause names the open point, so that the rest of the answer may be decided.
    pub(super) has_subject: bool,
    /// Counts only if the answer has no other statement.
    pub(super) is_weak: bool,
    /// The person, team or day that the clause names.
    pub(super) assignment: Assignment,
}

/// Cuts an answer into its clauses, in order. A default runs to the end of its sentence.
pub(super) fn clauses(answer: &str) -> Vec<Clause<'_>> {
    let mut out = Vec::new();
    let (mut start, mut sentence) = (0, 0);
    let mut chars = answer.char_indices().peekable();
    let mut before: Option<char> = None;
    while let Some((at, c)) = chars.next() {
        let after = chars.peek().map(|(_, c)| *c);
        let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        let ends_sentence = match c {
            '.' => after.is_none_or(|c| c.is_whitespace() || matches!(c, ')' | '"' | '”')),
            c => matches!(c, '\n' | ';' | '；' | '。' | '!' | '！' | '?' | '？' | '…'),
        };
        let is_dash = matches!(c, '-' | '–' | '—') && before.is_some_and(char::is_whitespace) && after == Some(' ');
        let is_comma = matches!(c, ',' | '，') && !(is_digit(before) && is_digit(after));
        if ends_sentence || is_comma || is_dash || matches!(c, '(' | ')' | '（' | '）' | '—') {
            push(answer, start, at, sentence, &mut out);
            start = at + c.len_utf8();
        }
        sentence += usize::from(ends_sentence);
        before = Some(c);
    }
    push(answer, start, answer.len(), sentence, &mut out);
    out
}

fn push<'t>(answer: &'t str, start: usize, end: usize, sentence: usize, out: &mut Vec<Clause<'t>>) {
    let words = answer[start..end].trim();
    let is_label = |name: &String| [OWNERS, DUES, DEFAULTS].iter().any(|list| list.has(name));
    let goes_on = |last: &&mut Clause<'t>| {
        last.sentence == sentence
            && label(last.words).is_some_and(|(name, _)| DEFAULTS.has(&name))
            && !label(words).is_some_and(|(name, _)| is_label(&name))
    };
    if words.is_empty() {
        return;
    }
    let start = start + (answer[start..end].len() - answer[start..end].trim_start().len());
    let end = start + words.len();
    match out.last_mut().filter(goes_on) {
        Some(last) => (last.end, last.words) = (end, &answer[last.start..end]),
        None => out.push(Clause { words, start, end, sentence }),
    }
}

/// Splits `owner: Jonas` into the label in lower case and the words after it.
fn label(words: &str) -> Option<(String, &str)> {
    let (name, value) = words.split_once([':', '：'])?;
    Some((name.trim().to_ascii_lowercase(), value.trim())).filter(|(_, value)| !value.is_empty())
}

/// Finds the meaning of a clause.
pub(super) fn meaning(words: &str) -> Meaning {
    if let Some((name, value)) = label(words) {
        let is_open = matches!(meaning(value), Meaning::Open(_));
        return match () {
            () if OWNERS.has(&name) && is_open => Meaning::Open(Openness::default()),
            () if OWNERS.has(&name) => Meaning::Owner(Assignment::to(value)),
            () if (DUES.has(&name) || DEFAULTS.has(&name)) && is_open => Meaning::Filler,
            () if DUES.has(&name) => Meaning::Due(value.to_owned()),
            () if DEFAULTS.has(&name) => Meaning::Default(value.to_owned()),
            () => openness(words).map_or(Meaning::Says, Meaning::Open),
        };
    }
    let lower = plain(words);
    let bare = without_fillers(&lower);
    if bare.is_empty() {
        return Meaning::Filler;
    }
    if let Some(owner) = asked(words) {
        return Meaning::Settles { assignment: Assignment::to(owner), by: Settling::Asked };
    }
    if let Some(open) = openness(words) {
        return Meaning::Open(open);
    }
    let labelled = OWNERS.behind(&lower).map(|rest| as_typed(words, rest.trim_start()));
    let verbs = ["is ", "= ", "是", "为"];
    let named = labelled.map(|rest| verbs.iter().find_map(|verb| rest.strip_prefix(verb)).unwrap_or(rest));
    if let Some(owner) = named.filter(|owner| is_person_or_team(owner)) {
        return Meaning::Owner(Assignment::to(owner));
    }
    if let Some((assignment, by)) = settles(without_contrast(words)) {
        return Meaning::Settles { assignment, by };
    }
    match day(words) {
        Some(day) => Meaning::Due(day.to_owned()),
        None if is_person_or_team(words) => Meaning::Name(words.to_owned()),
        None => Meaning::Says,
    }
}

/// The words in lower case with single spaces, without the marks around each word.
fn plain(words: &str) -> String {
    let words = words.to_ascii_lowercase().replace('’', "'");
    let words = words.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The end of `words` in its original letters, if it equals `rest` in lower case.
fn as_typed<'t>(words: &'t str, rest: &'t str) -> &'t str {
    let words = words.trim_end_matches(|c: char| !c.is_alphanumeric());
    let tail = words.len().checked_sub(rest.len()).and_then(|at| words.get(at..));
    tail.filter(|tail| tail.to_ascii_lowercase() == rest).unwrap_or(rest)
}

/// The name in “ask Mei”, “check with legal”, 问赵工.
fn asked(words: &str) -> Option<&str> {
    let lower = words.to_ascii_lowercase();
    ASKED.iter().find_map(|word| {
        let rest = words.get(words.len() - lower.strip_prefix(word)?.len()..)?.trim();
        let name = rest.trim_end_matches(['吧', '了', '.', '!']);
        let is_name = is_one_name(name) || is_person_or_team(name);
        if is_name { Some(name) } else { first_name(rest).map(|(name, _)| name) }
    })
}

/// The name of a person or a team at the start of words, and the words after it, which may only be the subject and the time.
fn first_name(words: &str) -> Option<(&str, &str)> {
    const ABOUT: [&str; 12] =
        ["this", "that", "it", "first", "about ", "for ", "whether ", "if ", "on ", "next ", "tomorrow", "later"];
    let words = words.trim();
    let ends = words.char_indices().skip(2).map(|(at, _)| at).chain([words.len()]);
    ends.take(LONGEST_NAME).filter(|end| words.is_char_boundary(*end)).find_map(|end| {
        let (name, rest) = words.split_at(end);
        let is_whole = !words.is_ascii() || rest.is_empty() || rest.starts_with(' ');
        let rest = rest.trim();
        let lower = rest.to_ascii_lowercase();
        let is_about = || {
            rest.is_empty()
                || day(rest).is_some()
                || ABOUT.iter().any(|word| lower.starts_with(word))
                || SETTLING.begin(&lower)
                || AWAITED.begin(&lower)
        };
        (is_whole && is_person_or_team(name) && is_about()).then_some((name, rest))
    })
}

/// The words of a clause without a leading "but".
pub(super) fn without_contrast(words: &str) -> &str {
    let lower = words.to_ascii_lowercase();
    CONTRASTS.behind(&lower).and_then(|rest| words.get(words.len().checked_sub(rest.len())?..)).map_or(words, str::trim)
}

/// Reads “Jonas decides by Friday”, 李雷负责, “Lena has to confirm”: the person, the day, and the way of settling.
fn settles(words: &str) -> Option<(Assignment, Settling)> {
    let decides = DECIDING.iter().find_map(|verb| Some((acts(words, verb, false)?, Settling::Decides)));
    decides.or_else(|| {
        let assignment = CONFIRMING.iter().find_map(|verb| acts(words, verb, true))?;
        let is_certain = assignment.owner.as_deref().is_some_and(is_outside);
        Some((assignment, Settling::Confirms { is_certain }))
    })
}

/// The person and the day of a clause whose verb is `verb`. A Chinese verb that is also the work of a clerk needs a day.
fn acts(words: &str, verb: &str, needs_a_day: bool) -> Option<Assignment> {
    const ENDS: [&str; 8] = ["", "this", "that", "it", "later", "tomorrow", "soon", "了"];
    const GO_ON: [&str; 8] = ["this ", "that ", "it ", "on ", "next ", "by ", "until ", "first"];
    let lower = words.to_ascii_lowercase();
    let at = if verb.is_ascii() { lower.find(&format!(" {verb}"))? + 1 } else { lower.find(verb)? };
    let (before, rest) = (words[..at].trim(), words[at + verb.len()..].trim());
    let said = rest.to_ascii_lowercase();
    let is_end = ENDS.contains(&said.as_str()) || GO_ON.iter().any(|word| said.starts_with(word));
    let after = day(rest).or_else(|| said.rfind(" by ").and_then(|at| day(&rest[at..])));
    let (name, between) = if is_person_or_team(before) {
        (before, None)
    } else {
        let (name, day) = day_first(before).or_else(|| first_name(before).map(|(name, rest)| (name, day(rest))))?;
        (name, Some(day?))
    };
    let due = after.or(between);
    let is_dated = verb.is_ascii() || !needs_a_day || due.is_some();
    (is_end && is_dated).then(|| Assignment { due: due.map(str::to_owned), ..Assignment::to(name) })
}

/// The person in 周五前由张三, and the day before the name.
fn day_first(words: &str) -> Option<(&str, Option<&str>)> {
    let at = words.find('前')? + '前'.len_utf8();
    let name = words[at..].trim().trim_start_matches('由');
    Some((name, day(&words[..at]))).filter(|(name, day)| day.is_some() && is_person_or_team(name))
}

/// Returns true for a person and for a team without a part in the product: they confirm the requirement itself.
fn is_outside(name: &str) -> bool {
    let lower = name.to_lowercase();
    let bare = ["the ", "our ", "my "].iter().find_map(|article| lower.strip_prefix(article)).unwrap_or(&lower);
    let bare = OF_A_TEAM.iter().find_map(|end| bare.strip_suffix(end)).unwrap_or(bare);
    OUTSIDE.has(bare) || is_one_name(name) && !TEAMS.has(bare)
}

/// The point that a clause leaves open, if it does.
fn openness(words: &str) -> Option<Openness> {
    let lower = plain(words);
    let bare = without_fillers(&lower);
    if OPEN.has(&lower) || OPEN.has(&bare) {
        return Some(Openness { is_weak: WEAK.has(&lower) || WEAK.has(&bare), ..Openness::default() });
    }
    if GUESSES.begin(&lower) {
        return Some(Openness { is_weak: true, ..Openness::default() });
    }
    // "We haven't decided it."
    let stated =
        ["it", "this", "that"].iter().find_map(|word| bare.strip_suffix(word)).map_or(bare.as_str(), str::trim_end);
    let said = [lower.as_str(), bare.as_str(), stated].into_iter().find_map(|said| {
        undecided(said).or_else(|| unknown(said)).or_else(|| deferred(said, words)).or_else(|| awaited(said, words))
    });
    let without = without_contrast(words);
    said.or_else(|| (without.len() < words.trim().len()).then(|| awaited(&plain(without), without)).flatten())
}

/// "The limit is not decided", 上限还没定: the words before the ending name the open point.
fn undecided(said: &str) -> Option<Openness> {
    let end = UNDECIDED.iter().filter(|end| said.ends_with(*end)).max_by_key(|end| end.len())?;
    let subject = said[..said.len() - end.len()].trim_end();
    let begins_a_word =
        !end.is_ascii() || end.starts_with("n't") || subject.len() + end.len() < said.len() || subject.is_empty();
    let is_short = subject.split_whitespace().count() <= MOST_WORDS && subject.chars().count() <= MOST_CHARACTERS * 4;
    let becomes = ["为", "成", "入", "示", "到", "的"].iter().any(|verb| subject.ends_with(verb)) && !end.is_ascii();
    // 发送前等待确认 is a step of the product.
    let waits = subject.strip_suffix('等').is_some_and(|step| step.ends_with(['前', '后', '时']));
    (begins_a_word && is_short && !becomes && !waits && !has_word(subject, CONDITIONS))
        .then(|| Openness { has_subject: !without_words(subject, NO_SUBJECTS).is_empty(), ..Openness::default() })
}

/// "Don't know which day", 不确定要不要短信.
fn unknown(said: &str) -> Option<Openness> {
    let rest = UNKNOWING.iter().filter_map(|head| said.strip_prefix(head)).min_by_key(|rest| rest.len())?;
    let rest = rest.trim_start();
    LEFT_OPEN.begin(rest).then(|| Openness { has_subject: true, ..Openness::default() })
}

/// "Need to ask legal", 下周再定.
fn deferred(said: &str, words: &str) -> Option<Openness> {
    let put_off = PUT_OFF.iter().filter_map(|end| said.strip_suffix(end)).min_by_key(|rest| rest.len());
    if let Some(day) = put_off.filter(|rest| rest.chars().count() <= MOST_CHARACTERS) {
        let due = DAYS.stand_in(day).then(|| day.to_owned());
        return Some(Openness { assignment: Assignment { due, ..Assignment::default() }, ..Openness::default() });
    }
    let rest = DEFERRING.behind(said).filter(|rest| !rest.starts_with(|c: char| c.is_ascii_alphanumeric()))?;
    let rest = rest.trim_start();
    let rest = ["with ", "by "].iter().find_map(|word| rest.strip_prefix(word)).unwrap_or(rest);
    Some(Openness {
        assignment: first_name(as_typed(words, rest)).map_or_else(Assignment::default, named),
        ..Openness::default()
    })
}

/// "Waiting for legal", 待法务确认: only if a team, a person or a decision is awaited.
fn awaited(said: &str, words: &str) -> Option<Openness> {
    let after = |heads: &Words| heads.iter().filter_map(|head| said.strip_prefix(head)).min_by_key(|rest| rest.len());
    let waits = after(AWAITING).and_then(|rest| {
        if let Some(behind) = AWAITED.behind(rest) {
            return Some(awaited_from(behind, words).unwrap_or_default());
        }
        let (name, rest) = first_name(as_typed(words, rest))?;
        let is_awaited = said.is_ascii() || SETTLING.begin(rest) || AWAITED.begin(rest) || day(rest).is_some();
        is_awaited.then(|| Openness { assignment: named((name, rest)), ..Openness::default() })
    });
    waits.or_else(|| {
        let rest = after(NEEDING)?;
        let is_input = |behind: &str| INPUTS.has(rest[..rest.len() - behind.len()].trim());
        match AWAITED.behind(rest) {
            Some("") => is_input("").then(Openness::default),
            Some(behind) => awaited_from(behind, words)
                .filter(|open| is_input(behind) || open.assignment.owner.as_deref().is_some_and(is_outside)),
            // The pattern of 要李娜确认.
            None => {
                let (name, rest) = first_name(as_typed(words, rest)).filter(|_| !said.is_ascii())?;
                let is_awaited = is_outside(name) && SETTLING.begin(rest);
                is_awaited.then(|| Openness { assignment: named((name, rest)), ..Openness::default() })
            }
        }
    })
}

/// The person or team in “from legal”, after the name of the awaited decision.
fn awaited_from(behind: &str, words: &str) -> Option<Openness> {
    let rest = FROM_WHOM.behind(behind.trim_start())?;
    Some(Openness { assignment: named(first_name(as_typed(words, rest))?), ..Openness::default() })
}

/// A name and the day after it.
fn named((name, rest): (&str, &str)) -> Assignment {
    Assignment { due: day(rest).map(str::to_owned), ..Assignment::to(name) }
}

/// The words without courtesies and other fillers; the longest are removed first.
fn without_fillers(words: &str) -> String {
    let mut fillers: Vec<&str> = FILLERS.iter().collect();
    fillers.sort_by_key(|filler| std::cmp::Reverse(filler.len()));
    let mut out = format!(" {words} ");
    for filler in fillers {
        if filler.is_ascii() {
            let whole = format!(" {filler} ");
            while out.contains(&whole) {
                out = out.replace(&whole, " ");
            }
        } else {
            out = out.replace(filler, "");
        }
    }
    out.trim().to_owned()
}

/// Returns true if the text has a word of the list; an English one must be a whole word.
pub(super) fn has_word(text: &str, list: &Words) -> bool {
    list.en.iter().any(|word| text.split_whitespace().any(|own| own == word))
        || list.zh.iter().any(|word| text.contains(word))
}

/// The text without the words of a list.
fn without_words(text: &str, list: &Words) -> String {
    let text = list.zh.iter().fold(text.to_owned(), |text, word| text.replace(word, ""));
    text.split_whitespace().filter(|word| !list.en.contains(word)).collect()
}
