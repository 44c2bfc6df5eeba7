//! Finds speakers: turns in lists, comments and minutes, which a reader of plain transcripts does not recognise.

use std::collections::{BTreeMap, BTreeSet};

use crate::text::Reader;
use crate::text::lexicon::is_cjk;
use crate::text::words::conversations::LABELS;
use crate::text::words::drafting_people as lists;
use crate::text::words::drafting_sources::{PRESENT, PRESENT_WITHIN, PROGRAMS};

/// Most bytes of a line before the colon behind a name: a time, a name, a role in brackets and a date.
const HEAD: usize = 90;

/// The longest name, in characters.
const LONGEST_NAME: usize = 24;

/// The people of a source, in lower case.
#[derive(Debug, Default)]
pub struct People {
    names: BTreeSet<String>,
}

/// The beginning of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turn<'w> {
    /// The speaker.
    pub name: &'w str,
    /// The first byte of the speaker's words.
    pub said: usize,
    /// True if a time or a date is next to the name.
    is_timed: bool,
}

/// The turn of a statement.
#[derive(Debug, Clone, Copy)]
pub struct TurnFacts {
    /// Its block.
    pub block: usize,
    /// True once its speaker has asked something: what he says then are his reasons.
    pub has_asked: bool,
    /// True if somebody else has just asked something.
    pub answers: bool,
    /// True if it answers how things are today.
    pub tells: bool,
    /// True if a program speaks.
    pub is_machine: bool,
    /// True if somebody took it down in a few words, with the name behind: what minutes keep is the gist.
    pub is_noted: bool,
}

impl TurnFacts {
    /// The beginning of a turn.
    pub fn new(block: usize, name: &str) -> Self {
        let lower = name.to_lowercase();
        let is_machine = lower.split(' ').any(|word| PROGRAMS.has(word))
            || lower.ends_with("bot")
            || PROGRAMS.zh.iter().any(|program| name.contains(program));
        Self { block, has_asked: false, answers: false, tells: false, is_machine, is_noted: false }
    }
}

impl People {
    /// The people whom the text lists as present, or who speak in it repeatedly.
    pub fn of(text: &str, reader: &Reader) -> Self {
        let mut names: BTreeSet<String> = BTreeSet::new();
        let mut speaking: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        for line in text.lines() {
            if let Some(list) = present(line) {
                names.extend(names_in(list));
            } else if let Some(turn) = turn(line.trim_start_matches(['-', '*', '#', ' ', '\t'])) {
                let label = LABELS.has(&turn.name.to_lowercase()) || reader.headings().role_of(turn.name).is_some();
                if turn.is_timed || !label {
                    let counts = speaking.entry(turn.name.to_lowercase()).or_default();
                    counts.0 += 1;
                    counts.1 += usize::from(turn.is_timed);
                }
            }
        }
        let timed = speaking.values().filter(|(_, timed)| *timed > 0).count();
        speaking.retain(|_, (times, timed_here)| *timed_here > 0 || *times >= 2 && timed > 0);
        names.extend(speaking.into_keys());
        Self { names }
    }

    /// Adds people who are known from elsewhere, in lower case.
    pub fn add(&mut self, names: &BTreeSet<String>) {
        self.names.extend(names.iter().cloned());
    }

    /// The turn at the beginning of the words, if a known person speaks or is reported to have spoken.
    pub fn turn<'w>(&self, words: &'w str) -> Option<Turn<'w>> {
        turn(words).filter(|turn| turn.is_timed || self.has(turn.name)).or_else(|| self.reported(words))
    }

    /// "Mr. Bohdan explains that …", 莉莉要求…: the reported words of a known person in minutes.
    fn reported<'w>(&self, words: &'w str) -> Option<Turn<'w>> {
        let bare = words.trim_start_matches([' ', '*', '-', '\t']);
        let at = words.len() - bare.len();
        if let Some(name) = self.known_at_start(bare).filter(|name| name.chars().all(is_cjk)) {
            let rest = lists::REPORTED.behind(&bare[name.len()..])?;
            let rest = rest.trim_start_matches(['，', ',', '：', ':', ' ']);
            return Some(Turn { name, said: words.len() - rest.len(), is_timed: false });
        }
        let lower = bare.to_ascii_lowercase();
        let untitled = lists::TITLES.behind(&lower).unwrap_or(&lower);
        let mut tokens = untitled.split(' ');
        let name = tokens.next().filter(|name| self.names.contains(*name))?;
        let verb = tokens.next().filter(|verb| lists::REPORTING.has(verb))?;
        let behind = untitled.get(name.len() + 1 + verb.len()..)?.trim_start_matches([':', ',']).trim_start();
        let rest = lists::BEHIND_REPORTING.behind(behind).unwrap_or(behind);
        let said = words.len() - rest.len();
        Some(Turn { name: words.get(at..said)?.trim(), said, is_timed: false })
    }

    /// True if somebody is called so.
    pub fn has(&self, name: &str) -> bool {
        let lower = name.to_lowercase();
        let name = lists::TITLES.behind(&lower).unwrap_or(&lower).trim();
        self.names.contains(name) || name.split(' ').next().is_some_and(|first| self.names.contains(first))
    }

    /// The words without the title before a name.
    pub fn untitled<'w>(&self, words: &'w str) -> &'w str {
        let lower = words.to_ascii_lowercase();
        let length = lists::TITLES.behind(&lower).map_or(0, |rest| lower.len() - rest.len());
        words.get(length..).unwrap_or(words)
    }

    /// The longest Chinese name, or else the first word, with which the words begin, if somebody is called so.
    pub fn known_at_start<'w>(&self, words: &'w str) -> Option<&'w str> {
        let chinese = self.names.iter().filter(|name| name.chars().all(is_cjk) && name.chars().count() >= 2);
        let longest = chinese.filter(|name| words.starts_with(name.as_str())).map(String::len).max();
        let first = || words.split([' ', ',', '.']).next().filter(|first| self.names.contains(&first.to_lowercase()));
        longest.and_then(|length| words.get(..length)).or_else(first)
    }

    /// True if a word is the name of somebody.
    pub fn is_called(&self, word: &str) -> bool {
        self.names.contains(&word.to_lowercase())
    }

    /// All names, in lower case.
    pub fn names(&self) -> impl Iterator<Item = &String> {
        self.names.iter()
    }
}

/// The words after "Present:".
pub fn present(line: &str) -> Option<&str> {
    let line = line.trim().trim_start_matches(['-', '*', '#', ' ']);
    let (first, list) = line.split_once([':', '：'])?;
    let label = first.trim_matches(['*', '_', ' ']).to_lowercase();
    if PRESENT.has(&label) {
        return Some(list);
    }
    // "Place: hall   Present: Ann, Bo", "Walk-through 12 Feb, with: Ann, Bo".
    line.match_indices([':', '：']).find_map(|(at, colon)| {
        let before = line[..at].trim_end_matches(['*', '_', ' ']);
        let label = before.rsplit([' ', '\u{3000}', ',', '，', ';', '；', '|', '*']).next()?.to_lowercase();
        PRESENT_WITHIN.has(&label).then(|| &line[at + colon.len()..])
    })
}

/// "Ann, Bo (QA), the desk" → ann, bo.
pub fn names_in(list: &str) -> Vec<String> {
    let mut depth = 0_u32;
    let outside = |c: &char| {
        match c {
            '(' | '（' | '<' => depth += 1,
            ')' | '）' | '>' => {
                depth = depth.saturating_sub(1);
                return false;
            }
            _ => {}
        }
        depth == 0
    };
    let bare: String = list.chars().filter(outside).collect();
    let parts = bare.replace(" and ", ",").replace(" & ", ",");
    let parts =
        parts.split([',', ';', '、', '，', '；', '/']).map(|name| name.trim_matches([' ', '*', '_', '.', '。']));
    parts
        .filter_map(|name| {
            // 车队 熊队: the role, then the name.
            let last = name.rsplit([' ', '\u{3000}']).next().unwrap_or(name);
            let name = if last.chars().all(is_cjk) && !last.is_empty() { last } else { name };
            let chinese = name.chars().all(is_cjk) && (2..=10).contains(&name.chars().count());
            let begins = name.chars().next().is_some_and(char::is_uppercase) && name.split(' ').count() <= 3;
            (chinese || begins).then(|| given_name(name))
        })
        .flatten()
        .collect()
}

/// "Ann Lee" appears as "Ann", 教务陈姐 as 陈姐.
fn given_name(name: &str) -> Vec<String> {
    let lower = name.to_lowercase();
    let lower = lists::TITLES.behind(&lower).unwrap_or(&lower).trim().to_owned();
    if !name.chars().all(is_cjk) {
        return vec![lower.split(' ').next().unwrap_or_default().to_owned(), lower];
    }
    let chars: Vec<char> = name.chars().collect();
    (2..=chars.len().min(3)).map(|length| chars[chars.len() - length..].iter().collect()).collect()
}

/// `14:02 Ann: …`, `*Ann* 03/Nov 09:12: …`, `Ann, 12 Nov: …`, `-> Ann: …`: a name with a colon behind it.
fn turn(words: &str) -> Option<Turn<'_>> {
    let marks = |c: char| c.is_whitespace() || matches!(c, '*' | '_' | '>' | '-' | '–' | '[' | '(' | '"' | '“');
    let mut start = words.len() - words.trim_start_matches(marks).len();
    let clock = clock_length(&words[start..]);
    start += clock;
    start += words[start..].len() - words[start..].trim_start_matches(|c: char| marks(c) || c == ']' || c == ')').len();
    let head_end = (start..=words.len().min(start + HEAD)).rev().find(|at| words.is_char_boundary(*at))?;
    let head = &words[start..head_end];
    let colon = head.char_indices().find(|(at, c)| matches!(c, ':' | '：') && !is_in_clock(head, *at))?;
    let said = start + colon.0 + colon.1.len_utf8();
    let before = &head[..colon.0];
    let name_end = before
        .char_indices()
        .find(|(_, c)| matches!(c, ',' | '，' | '(' | '（' | '[' | '*' | '_') || c.is_ascii_digit())
        .map_or(before.len(), |(at, _)| at);
    let name = before[..name_end].trim();
    let stamp = &before[name_end..];
    // "@" of chats, or a month before the day.
    let is_timed = clock > 0 || stamp.chars().filter(char::is_ascii_digit).count() >= 2;
    (is_person(name) || clock > 0 && is_nickname(name)).then_some(Turn { name, said, is_timed })
}

/// True for a nickname in a chat: `devon`, 小贺-行政, `IT-阿Ken`.
pub fn is_nickname(name: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '.' | '-' | '_' | '\'' | '’');
    (2..=LONGEST_NAME).contains(&name.chars().count())
        && name.split(' ').count() <= 2
        && name.chars().all(plain)
        && name.chars().any(char::is_alphabetic)
        && !name.starts_with(|c: char| c.is_ascii_digit())
}

/// True for a possible name of a person.
pub fn is_person(name: &str) -> bool {
    let length = name.chars().count();
    let chinese = name.chars().all(is_cjk) && (2..=6).contains(&length);
    let latin = name.chars().next().is_some_and(char::is_uppercase)
        && name.split(' ').count() <= 3
        && name.chars().all(|c| c.is_alphabetic() || matches!(c, ' ' | '.' | '-' | '\'' | '’'));
    (2..=LONGEST_NAME).contains(&length) && (chinese || latin)
}

/// Bytes of a time of day at the beginning of the words, with the blank behind it.
pub fn clock(words: &str) -> usize {
    let length = clock_length(words);
    let blank = words[length..].len() - words[length..].trim_start_matches([' ', '\t']).len();
    if length > 0 && blank > 0 { length + blank } else { 0 }
}

/// Bytes of `14:02`, `9:05:31` and the characters around it.
pub fn clock_length(words: &str) -> usize {
    let length = words.find(|c: char| !c.is_ascii_digit() && c != ':').unwrap_or(words.len());
    let clock = &words[..length];
    let parts: Vec<&str> = clock.split(':').collect();
    let is_clock = (2..=3).contains(&parts.len()) && parts.iter().all(|part| (1..=2).contains(&part.len()));
    if is_clock { length } else { 0 }
}

fn is_in_clock(head: &str, at: usize) -> bool {
    let digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
    at > 0 && digit(head.as_bytes().get(at - 1)) && digit(head.as_bytes().get(at + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_in_lists_and_comments_are_seen() {
        for (words, name, said) in [
            ("14:02 Wanda: yes", "Wanda", " yes"),
            ("*Wanda* 03/Nov 09:12: what now?", "Wanda", " what now?"),
            ("Wanda, 12 Nov: \"no\"", "Wanda", " \"no\""),
            ("Wanda (QA) 2026-11-09: ok", "Wanda", " ok"),
            ("小乔 2026-11-09：好", "小乔", "好"),
            ("-> *Wanda*: no", "Wanda", "*: no"),
        ] {
            let turn = turn(words).expect(words);
            assert_eq!(turn.name, name, "{words}");
            assert!(said.ends_with(&words[turn.said..]), "{words}");
        }
        for words in ["the list: open", "opens at 10:30", "10:30", "", "：", "12:", "*:"] {
            assert_eq!(turn(words), None, "{words}");
        }
    }

    #[test]
    fn those_who_are_listed_are_known() {
        assert_eq!(
            names_in(" Wanda (first half, then train), Bo Lee and the desk"),
            ["wanda", "wanda", "bo", "bo lee"]
        );
        assert!(names_in("教务陈老师、小乔").contains(&"小乔".to_owned()));
    }
}
