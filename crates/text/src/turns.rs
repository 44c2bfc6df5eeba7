//! Finds the speakers in transcripts and chats.
//!
//! A line such as `Anna: …` is a turn only in a text in which several people speak repeatedly; elsewhere it is a label.

use crate::words::conversations::LABELS;
use std::collections::HashMap;

/// The speakers of a text; empty if it is not a conversation.
#[derive(Debug, Default)]
pub struct Speakers {
    names: HashMap<String, usize>,
}

/// The longest name of a speaker, in characters.
const LONGEST_NAME: usize = 28;

/// Collects the people who speak in a text; `is_heading` knows the labels of a ticket, which are not names.
pub fn speakers(text: &str, is_heading: &dyn Fn(&str) -> bool) -> Speakers {
    let mut names: HashMap<String, usize> = HashMap::new();
    let (mut lines, mut timed) = (0usize, 0usize);
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        lines += 1;
        timed += usize::from(leading_time(line) > 0);
        if let Some((name, _)) = split(line) {
            *names.entry(key(&line[name.0..name.1])).or_default() += 1;
        }
    }
    let labels = drop_labels(&mut names, is_heading);
    let turns: usize = names.values().filter(|count| **count >= 2).sum();
    let repeated = names.values().filter(|count| **count >= 2).count();
    // Labels of a form ("Expected:", "Actual:") occur once each; speakers occur again.
    let is_talk = repeated >= 2 && (turns * 4 >= lines || (timed >= 3 && turns * 8 >= lines));
    let short_talk = names.len() >= 2 && timed >= 3 && names.values().sum::<usize>() * 2 >= lines;
    // If labels recur as often as speakers, the text is a form with several cases.
    if (is_talk || short_talk) && labels <= turns / 2 { Speakers { names } } else { Speakers::default() }
}

/// Removes labels from the names and returns the number of lines that begin with a recurring label.
fn drop_labels(names: &mut HashMap<String, usize>, is_heading: &dyn Fn(&str) -> bool) -> usize {
    let mut labels = 0;
    names.retain(|name, count| {
        let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, ' ' | '.' | '#'));
        let is_label = LABELS.has(bare) || is_heading(name) || is_heading(bare);
        labels += if is_label && *count >= 2 { *count } else { 0 };
        !is_label
    });
    labels
}

impl Speakers {
    /// Returns true if the text has no speakers and is not a conversation.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The byte range of the name and the first byte of the words, if the line begins a turn.
    pub(crate) fn turn(&self, line: &str) -> Option<Turn> {
        if self.is_empty() {
            return None;
        }
        let (name, said) = split(line)?;
        self.names.contains_key(&key(&line[name.0..name.1])).then_some((name, said))
    }
}

fn key(name: &str) -> String {
    name.trim().to_lowercase()
}

/// The most bytes of a line before the colon after a name: a time, four words and brackets.
const HEAD: usize = 160;

/// A quick test: every form has a colon near its beginning, or begins with a certain mark or word.
fn may_name_a_speaker(line: &str) -> bool {
    let head = &line.as_bytes()[..line.len().min(HEAD)];
    !head.is_ascii()
        || head.contains(&b':')
        || head.starts_with(b"<")
        || head.starts_with(b"Speaker ")
        || head.starts_with(b"SPEAKER ")
}

/// The byte range of a name, and the first byte of the words after it.
type Turn = ((usize, usize), usize);

/// Splits `[10:02] Anna: …`, `Anna (10:02): …`, `张三：…`, `<anna> …`, `说话人1 …`, `**Anna**: …`, `10:02 Anna …` with a time.
fn split(line: &str) -> Option<Turn> {
    if !may_name_a_speaker(line) {
        return None;
    }
    let time = leading_time(line);
    let ((start, end), said) = named(&line[time..], time > 0)?;
    let said = &line[time + said..];
    Some(((time + start, time + end), line.len() - said.trim_start().len()))
}

/// Splits a line without the time at its start.
fn named(line: &str, has_time: bool) -> Option<Turn> {
    let numbered_turn = || {
        numbered(line, ["说话人", "发言人"], u8::is_ascii_digit, &[':', '：', ' ', '\u{3000}'])
            .or_else(|| numbered(line, ["Speaker ", "SPEAKER "], u8::is_ascii_alphanumeric, &[':', ' ']))
    };
    match line.chars().next()? {
        '<' => in_brackets(line, '>'),
        '【' => in_brackets(line, '】'),
        _ => numbered_turn().or_else(|| name_before_time(line).map(|name| ((0, name), line.len()))).or_else(|| {
            match colon_after_name(line) {
                Some(colon) => before_colon(line, colon),
                None if has_time => first_word(line),
                None => None,
            }
        }),
    }
}

/// `<anna> …`, `【小吴】 …`.
fn in_brackets(line: &str, close: char) -> Option<Turn> {
    let start = line.chars().next()?.len_utf8();
    let end = line.find(close)?;
    is_name(&line[start..end]).then_some(((start, end), end + close.len_utf8()))
}

/// `说话人1 …`, `Speaker A: …`.
fn numbered(line: &str, labels: [&str; 2], is_of_id: fn(&u8) -> bool, stops: &[char]) -> Option<Turn> {
    let tail = labels.iter().find_map(|label| line.strip_prefix(label))?;
    let id = tail.bytes().take_while(is_of_id).count();
    let end = line.len() - tail.len() + id;
    let stop = line[end..].chars().next().filter(|c| id > 0 && stops.contains(c))?;
    Some(((0, end), end + stop.len_utf8()))
}

/// The colon after the name. The time in `Anna 10:02` or `Anna (10:02):` contains a colon itself.
fn colon_after_name(line: &str) -> Option<(usize, char)> {
    let (at, c) = line.char_indices().take(LONGEST_NAME + 24).find(|(_, c)| matches!(c, ':' | '：'))?;
    if let Some(said) = clock_and_colon(line, at) {
        return Some(said);
    }
    if !line[..at].ends_with(|c: char| c.is_ascii_digit()) {
        return Some((at, c));
    }
    let close = line[at..].find([')', '）', ']'])? + at;
    let behind = close + line[close..].chars().next()?.len_utf8();
    let next = line[behind..].chars().next()?;
    matches!(next, ':' | '：').then_some((behind, next))
}

/// `Anna: …`, `**Anna** (QA): …`.
fn before_colon(line: &str, (at, colon): (usize, char)) -> Option<Turn> {
    let name = line[..at].trim_matches(['*', '_', ' ']);
    let bare = without_clock(name.split(['(', '（', '[']).next().unwrap_or("").trim());
    let start = line.find(bare).unwrap_or(0);
    let said = at + colon.len_utf8();
    let stars = line[said..].bytes().take_while(|byte| *byte == b'*').count();
    is_name(bare).then_some(((start, start + bare.len()), said + stars))
}

/// `10:02 Anna …` without a colon: the first word is the name, if a time precedes it.
fn first_word(line: &str) -> Option<Turn> {
    let bold = line.bytes().take_while(|byte| *byte == b'*').count();
    if bold > 0
        && let Some(length) = line[bold..].find('*').filter(|length| is_name(&line[bold..bold + length]))
    {
        let end = bold + length;
        let stars = line[end..].bytes().take(bold).take_while(|byte| *byte == b'*').count();
        return Some(((bold, end), end + stars));
    }
    let end = line.find([' ', '\u{3000}', '\t'])?;
    let is_capital = line.starts_with(|c: char| c.is_uppercase() || super::lexicon::is_cjk(c));
    (is_name(&line[..end]) && is_capital).then_some(((0, end), end))
}

/// `Anna 10:02: …`, `小满 10:22：…`: the colon after the time and its byte, given the colon inside it.
fn clock_and_colon(rest: &str, at: usize) -> Option<(usize, char)> {
    let digits = rest.get(at + 1..)?.bytes().take_while(|b| b.is_ascii_digit() || *b == b':').count();
    let before = rest[..at].bytes().rev().take_while(u8::is_ascii_digit).count();
    let mut end = at + 1 + digits;
    if rest[..end].ends_with(':') {
        end -= 1;
    }
    let colon = rest[end..].chars().next().filter(|c| matches!(c, ':' | '：'));
    Some((end, colon?)).filter(|_| (1..=2).contains(&before) && digits >= 2)
}

/// The name without a time of day after it.
fn without_clock(name: &str) -> &str {
    match name.rsplit_once(' ') {
        Some((front, last)) if last.contains(':') && last.bytes().all(|b| b.is_ascii_digit() || b == b':') => {
            front.trim_end()
        }
        _ => name,
    }
}

/// A line with only a name and a time of day, as in pasted chats; the words follow below it.
fn name_before_time(line: &str) -> Option<usize> {
    let stamp = line.rfind([' ', '\u{3000}', '\t'])?;
    let time = line[stamp..].trim_matches(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '[' | ']'));
    let digits = time.bytes().filter(u8::is_ascii_digit).count();
    let is_time =
        (3..=6).contains(&digits) && time.contains(':') && time.bytes().all(|b| b.is_ascii_digit() || b == b':');
    let name = line[..stamp].trim_end();
    (is_time && is_name(name)).then_some(name.len())
}

fn is_name(name: &str) -> bool {
    let length = name.chars().count();
    let words = name.split_whitespace().count();
    let plain = name
        .chars()
        .all(|c| c.is_alphanumeric() || matches!(c, ' ' | '.' | '-' | '_' | '\'' | '’' | '·' | '/' | '@' | '&' | ','));
    let starts = name.chars().next().is_some_and(|c| c.is_alphabetic() || c == '@');
    (1..=LONGEST_NAME).contains(&length) && words <= 4 && plain && starts && !name.starts_with("http")
}

/// The bytes of `10:02`, `[10:02:31]`, `(00:01:02)`, `2025-03-01 10:02` and the white space after it.
fn leading_time(line: &str) -> usize {
    let bytes = line.as_bytes();
    let open = if line.starts_with('【') {
        '【'.len_utf8()
    } else {
        usize::from(matches!(bytes.first(), Some(b'[' | b'(')))
    };
    let end = open
        + bytes[open..]
            .iter()
            .take(24)
            .take_while(|b| b.is_ascii_digit() || matches!(b, b':' | b'-' | b'/' | b'.' | b' ' | b'T' | b','))
            .count();
    let stamp = &line[open..end];
    if !stamp.contains(':') || stamp.bytes().filter(u8::is_ascii_digit).count() < 3 {
        return 0;
    }
    let close = match line[end..].chars().next() {
        Some(c @ (']' | ')' | '】')) if open > 0 => c.len_utf8(),
        _ => 0,
    };
    let at = end + close;
    let spaces = line[at..].len() - line[at..].trim_start_matches([' ', '-', '\u{3000}', '–']).len();
    at + spaces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Vec<(String, String)> {
        let speakers = speakers(text, &is_heading);
        text.lines()
            .filter_map(|line| {
                speakers.turn(line).map(|((from, to), at)| (line[from..to].to_string(), line[at..].to_string()))
            })
            .collect()
    }

    fn is_heading(name: &str) -> bool {
        ["steps", "expected", "actual", "预期结果", "实际结果", "操作"].contains(&name)
    }

    #[test]
    fn labels_that_come_back_are_no_speakers() {
        for text in [
            "Case 1\nSteps: save\nExpected: a note\nActual: nothing\nCase 2\nSteps: close\nExpected: a dialog\nActual: nothing",
            "Input: 3\nOutput: 4\nInput: 5\nOutput: 6\nInput: 7\nOutput: 8",
            "操作：保存\n预期结果：提示\n实际结果：没有\n操作：关闭\n预期结果：询问\n实际结果：没有",
            "Expected: a\nBrowser: b\nActual: c\nShop: d\nExpected: a\nBrowser: b\nActual: c\nShop: d",
        ] {
            assert_eq!(said(text), [], "{text}");
        }
        let talk = "Anna: hi\nBo: no\nActual: nothing\nAnna: yes\nBo: fine\nAnna: done";
        assert_eq!(said(talk).len(), 5);
    }

    #[test]
    fn a_wide_colon_behind_a_clock_is_a_colon() {
        for text in ["小满 11-10 10:22：支持", "小满 10:22：支持", "Anna 10:22：yes", "Anna (10:22)：yes"] {
            let text = format!("{text}\n阿岚 10:25：同意\n{text}\n阿岚 10:26：好");
            said(&text);
        }
        assert_eq!(clock_and_colon("小满 10:22：支持", 9), Some((12, '：')));
    }

    #[test]
    fn people_who_come_back_are_speakers() {
        assert_eq!(said("阿敏  10:02\n好的\n老秦  10:04\n行\n阿敏  10:05\n定了\n老秦 10:06\n好").len(), 4);
        assert_eq!(said("【小吴】 占座\n【小郝】 超时\n【小吴】 十五\n【小郝】 行").len(), 4);
        assert_eq!(said("阿凯 19:41: 漏了\n小鱼 19:44: 好\n阿凯 19:44: 行\n小鱼 19:45: 定").len(), 4);
        assert_eq!(said("【00:32】苏苏：过一下\n【01:10】邱经理：好\n【03:51】苏苏：改\n【04:15】邱经理：行").len(), 4);
        assert_eq!(said("14:02 **deepa** hi\n14:03 **lars** no\n14:03 **deepa** ok\n14:05 **lars** fine").len(), 4);
        let talk = "[10:02] Anna: hi\n[10:03] Bo (QA): no\nAnna: yes\nBo: fine";
        let expected = [("Anna", "hi"), ("Bo", "no"), ("Anna", "yes"), ("Bo", "fine")];
        assert_eq!(said(talk), expected.map(|(a, b)| (a.to_string(), b.to_string())));
        assert_eq!(said("说话人1 好的\n说话人2 行\n说话人1 那就这样\n说话人2 嗯").len(), 4);
        assert_eq!(said("张三：先说一下\n李四：好\n张三：定了\n李四：行").len(), 4);
    }

    #[test]
    fn a_name_with_one_closing_star_is_read() {
        assert_eq!(said("10:02 **deepa*\n10:03 **lars*，no\n10:03 **deepa*\n10:05 **lars*，好").len(), 4);
    }

    #[test]
    fn labels_of_a_form_are_no_speakers() {
        assert!(
            speakers("Steps: open it\nExpected: works\nActual: breaks\nVersion: 1.2", &is_heading).names.is_empty()
        );
    }
}
