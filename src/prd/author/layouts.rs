//! Brings the layouts in which conversations are exported to one: `10:31 Ann: text`, byte for byte as long as they were.
//!
//! Chats put the name and the time before the words without a colon, or on a line of their own; minutes put the name in
//! brackets behind the words.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::spoken::{clock_length, is_nickname, is_person, names_in, present};
use crate::text::lexicon::is_cjk;

/// The minimum number of lines that make a layout.
const FEWEST: usize = 3;

/// The longest head of a turn: a name, a role, a date and a time, in bytes.
const LONGEST_HEAD: usize = 64;

/// A text in the one layout.
#[derive(Debug)]
pub struct Layout<'t> {
    /// As long as the original, with every byte of the content in its place.
    pub text: Cow<'t, str>,
    /// Where the words of a person end whose name came after them.
    pub ends: Vec<usize>,
    /// The names after the words, in lower case.
    pub names: BTreeSet<String>,
}

/// The text in the one layout.
pub fn layout(text: &str) -> Layout<'_> {
    let with_heads = heads(text);
    if let Some((text, names)) = nicknames(&with_heads) {
        return Layout { text: Cow::Owned(text), ends: Vec::new(), names };
    }
    let (text, ends, names) = match names_behind(&with_heads) {
        Some((text, ends, names)) => (Cow::Owned(text), ends, names),
        None => (with_heads, Vec::new(), BTreeSet::new()),
    };
    Layout { text, ends, names }
}

/// `[ann.b] text`, `↳ [bo] text`: the text with a colon after the name, and the names of at least two speakers.
fn nicknames(text: &str) -> Option<(String, BTreeSet<String>)> {
    let nickname = |line: &str| {
        let at = line.find('[').filter(|at| line[..*at].chars().all(|c| !c.is_alphanumeric()))?;
        let (name, rest) = line[at + 1..].split_once(']')?;
        let is_name = is_nickname(name) && !name.contains(' ') && rest.starts_with(' ');
        is_name.then(|| (at, name.to_owned()))
    };
    let found: Vec<(usize, String)> = text.lines().filter_map(nickname).collect();
    let names: BTreeSet<String> = found.iter().map(|(_, name)| name.to_lowercase()).collect();
    if names.len() < 2 || found.len() < FEWEST + 1 {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match nickname(line) {
            Some((at, name)) => {
                out.extend(std::iter::repeat_n(' ', at));
                out.push_str(&named(&name));
                out.push_str(": ");
                out.push_str(&line[at + name.len() + 2..]);
            }
            None => out.push_str(line),
        }
    }
    Some((out, names))
}

/// `ann (web) 10:31  text`, or `Ann 10:31` above the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Head<'l> {
    name: &'l str,
    clock: &'l str,
    /// Bytes up to the text, or to the end of the line.
    length: usize,
    /// It fills its line.
    alone: bool,
}

fn heads(text: &str) -> Cow<'_, str> {
    let mut counts: BTreeMap<(String, bool), usize> = BTreeMap::new();
    for head in text.lines().filter_map(head) {
        *counts.entry((head.name.to_lowercase(), head.alone)).or_default() += 1;
    }
    let is_layout = |alone: bool| {
        let times: Vec<usize> = counts.iter().filter(|((_, own), _)| *own == alone).map(|(_, times)| *times).collect();
        times.len() >= 2 && times.iter().sum::<usize>() >= FEWEST
    };
    let (beside, above) = (is_layout(false), is_layout(true));
    if !beside && !above {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end_matches(['\n', '\r']);
        let Some(head) = head(bare).filter(|head| if head.alone { above } else { beside }) else {
            out.push_str(line);
            continue;
        };
        // The line that a name fills is joined with the next.
        let length = if head.alone { line.len() } else { head.length };
        let name = named(head.name);
        let new = format!("{} {name}:", head.clock);
        if new.len() > length {
            out.push_str(line);
            continue;
        }
        out.push_str(&new);
        out.extend(std::iter::repeat_n(' ', length - new.len()));
        out.push_str(&line[length..]);
    }
    Cow::Owned(out)
}

/// Names of chats are often in lower case.
fn named(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + letters.as_str())
}

fn head(line: &str) -> Option<Head<'_>> {
    stamped(line).or_else(|| named_first(line))
}

/// `[9:03 AM] ann_web: text`: the time first, in a way that no plain transcript has.
fn stamped(line: &str) -> Option<Head<'_>> {
    let at = line.len() - line.trim_start_matches(['[', '(', ' ']).len();
    let clock = line[at..].get(..clock_length(&line[at..])).filter(|clock| !clock.is_empty())?;
    let behind = line[at + clock.len()..].trim_start();
    let half = HALVES.iter().find_map(|half| behind.strip_prefix(half));
    let rest = half.unwrap_or(behind).trim_start_matches([']', ')', ' ']);
    let (name, said) = rest.split_once([':', '：']).filter(|(name, _)| name.len() < LONGEST_HEAD)?;
    let bare = name.split(['(', '（']).next().unwrap_or_default().trim();
    let is_plain = half.is_none() && (is_person(bare) || bare.chars().any(char::is_uppercase));
    (is_nickname(bare) && !is_plain).then(|| {
        let length = line.len() - said.trim_start().len();
        Head { name: bare, clock, length, alone: false }
    })
}

/// The halves of a day.
const HALVES: [&str; 4] = ["AM", "PM", "am", "pm"];

fn named_first(line: &str) -> Option<Head<'_>> {
    let start = line.char_indices().take_while(|(at, _)| *at < LONGEST_HEAD).find(|(at, c)| {
        c.is_ascii_digit() && line[..*at].ends_with([' ', '\t', '\u{3000}', '[', '(']) && clock_length(&line[*at..]) > 0
    });
    let at = start?.0;
    let clock = &line[at..at + clock_length(&line[at..])];
    let rest = &line[at + clock.len()..];
    let half = HALVES.iter().find_map(|half| rest.trim_start().strip_prefix(half));
    let rest = half.unwrap_or(rest).trim_start_matches([']', ')']);
    let length = line.len() - rest.trim_start_matches([' ', '\t', '\u{3000}']).len();
    let is_cut = rest.is_empty() || rest.starts_with([' ', '\t', '\u{3000}']);
    // A role in brackets and a date may be between the name and the time.
    let before = line[..at].trim_end_matches(['[', '(', ' ', '\t', '\u{3000}']);
    let name_end = before
        .char_indices()
        .find(|(_, c)| matches!(c, '(' | '（' | '[' | ',' | '，' | '|') || c.is_ascii_digit())
        .map_or(before.len(), |(at, _)| at);
    let name = before[..name_end].trim();
    let stamp = &before[name_end..];
    let is_stamp = stamp.is_empty()
        || stamp.ends_with([')', '）', ']', ','])
        || stamp
            .chars()
            .all(|c| c.is_ascii_digit() || matches!(c, '-' | '/' | '.' | ' ' | ',' | '，' | '|' | '年' | '月' | '日'));
    let is_name = is_nickname(name);
    let ends_as_text = rest.trim_start().starts_with([':', '：', '-', '–', '—']);
    (is_cut && is_stamp && is_name && !ends_as_text).then_some(Head {
        name,
        clock,
        length,
        alone: rest.trim().is_empty(),
    })
}

/// A name in brackets after the words, and its place.
struct Behind<'l> {
    name: &'l str,
    start: usize,
    end: usize,
}

/// The text without the names behind its items, where they end, and who they are.
fn names_behind(text: &str) -> Option<(String, Vec<usize>, BTreeSet<String>)> {
    let all: Vec<Behind<'_>> = brackets(text);
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for behind in &all {
        *times.entry(behind.name.to_lowercase()).or_default() += 1;
    }
    let listed: BTreeSet<String> = text.lines().filter_map(present).flat_map(names_in).collect();
    times.retain(|name, times| *times >= 2 || listed.contains(name));
    let found: Vec<&Behind<'_>> = all.iter().filter(|behind| times.contains_key(&behind.name.to_lowercase())).collect();
    // "(Optional)" also appears after items, but no person is called that anywhere else.
    let told_of = |name: &&String| {
        listed.contains(*name)
            || all.iter().find(|behind| behind.name.to_lowercase() == **name).is_some_and(|behind| {
                let mentions = text.matches(behind.name).count();
                mentions > times[*name]
            })
    };
    if times.len() < 2 || found.len() < FEWEST + 1 || times.keys().filter(told_of).count() < 2 {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for behind in &found {
        out.push_str(&text[from..behind.start]);
        out.extend(std::iter::repeat_n(' ', behind.end - behind.start));
        from = behind.end;
    }
    out.push_str(&text[from..]);
    Some((out, found.iter().map(|behind| behind.end).collect(), times.into_keys().collect()))
}

/// Brackets at the end of a sentence or a line of a list that begin with a name.
fn brackets(text: &str) -> Vec<Behind<'_>> {
    let mut out = Vec::new();
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let is_item = line.trim_start().starts_with(['-', '*', '•', '·', '–'])
            || line.trim_start().starts_with(|c: char| c.is_ascii_digit());
        for (at, open) in line.match_indices(['(', '（', '[', '【']).filter(|_| is_item) {
            let inner_start = at + open.len();
            let Some(close) = line[inner_start..].find([')', '）', ']', '】']) else { continue };
            let inner = &line[inner_start..inner_start + close];
            let end = inner_start + close + line[inner_start + close..].chars().next().map_or(0, char::len_utf8);
            let rest = line[end..].trim_start_matches([' ', '\u{3000}']);
            let is_end = rest.trim_end().is_empty()
                || rest.starts_with(['.', '。', ';', '；', ',', '，', '!', '?'])
                || line[..at].trim_end().ends_with(['.', '。', '!', '！', '?', '？']);
            let name = inner.split([',', '，', ':', '：', '/', '、']).next().unwrap_or_default().trim();
            let is_name = is_person(name) && (name.chars().all(is_cjk) || name.split(' ').count() <= 2);
            // The box of a task list is in front of the words.
            if is_end && is_name && !line[..at].trim_matches([' ', '-', '*', '\t', '•']).is_empty() {
                out.push(Behind { name, start: offset + at, end: offset + end });
            }
        }
        offset += line.len();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chats_without_colons_are_read_as_turns() {
        let chat = "#orders\n\nann 10:14  morning\nbob (web) 10:16  pages are slow\nann 10:18  which\n";
        let out = layout(chat);
        assert_eq!(out.text.len(), chat.len());
        assert_eq!(out.text, "#orders\n\n10:14 Ann: morning\n10:16 Bob:       pages are slow\n10:18 Ann: which\n");
        let above = "黄工（品质） 14:02\n先锁单\n老孟 14:04\n好\n黄工（品质） 14:06\n定了\n";
        let out = layout(above);
        assert_eq!(out.text.len(), above.len());
        let lines: Vec<String> = out.text.lines().map(|line| line.split_whitespace().collect::<String>()).collect();
        assert_eq!(lines, ["14:02黄工:先锁单", "14:04老孟:好", "14:06黄工:定了"]);
    }

    #[test]
    fn what_is_no_chat_stays() {
        for text in [
            "The shop opens at 10:30 and\nthe desk at 11:30 daily\nat 12:00 it closes",
            "[10:02] Ann: yes\n[10:03] Bob: no\n[10:04] Ann: yes",
            "10:02 Ann: yes\n10:03 Bob: no\n10:04 Ann: yes",
            "- 14:02 Wilma: walks\n- 14:06 Enzo: rounding\n- 14:08 Wilma: yes",
            "ann 10:14  morning",
        ] {
            assert_eq!(layout(text).text, text);
        }
    }

    #[test]
    fn nicknames_in_front_are_speakers() {
        let text = "#vault\n[ann.b] 60 slots\n  ↳ [bo] fine\n[ann.b] and a log\n[bo] yes\n";
        let out = layout(text);
        assert_eq!(out.text.len(), text.len());
        assert_eq!(out.names.len(), 2);
        assert!(out.text.contains("\nAnn.b:  60 slots\n"), "{}", out.text);
        let boxes = "[x] one\n[x] two\n[ ] three\n[x] four\n";
        assert_eq!(layout(boxes).text, boxes);
    }

    #[test]
    fn names_behind_items_are_taken_away() {
        let text = "到会：老孟、黄工\n- 先锁单。（老孟）\n- 不行！（黄工） 那就提醒。（老孟）\n- 每月一张表，按科室分。（黄工，笑）\n";
        let out = layout(text);
        assert_eq!(out.text.len(), text.len());
        assert_eq!(out.ends.len(), 4);
        assert!(!out.text.contains('（') && out.text.contains("那就提醒。"), "{}", out.text);
        let none = "- a list (CSV)\n- a list (PDF)\n- one more (Optional)\n- the last (CSV)\n- (Optional) or (PDF)\n";
        assert_eq!(layout(none).text, none);
    }
}
