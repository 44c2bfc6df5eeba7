//! Finds headings and labels in the middle of a line: `h3. Steps`, `*Steps:*`, `Expected result: …`.

use super::super::lexicon::is_cjk;
use super::line::{Line, begins_anew};

/// The longest heading that is looked for, in bytes.
const LONGEST: usize = 64;
/// The most words of a heading.
const MOST_WORDS: usize = 7;

/// Marks the starts of headings and labels; the end of a heading is known once every other place is.
pub(super) fn find(line: &mut Line<'_>, is_field: &dyn Fn(&str) -> bool) {
    for index in 0..line.words.len() {
        let word = line.words[index];
        if word.shielded {
            continue;
        }
        let text = line.text(index);
        // Most words begin neither a heading nor a bold label, and have no colon.
        if (text.starts_with(['h', '#', '*']) || text.ends_with('.'))
            && let Some(start) = heading(line, index, is_field).or_else(|| bold(line, index, is_field))
        {
            line.starts.push(start);
        }
        if text.is_ascii() && !text.contains(':') {
            continue;
        }
        for (at, colon) in text.match_indices([':', '：']) {
            let next = text[at + colon.len()..].chars().next();
            if next.is_none_or(|c| !c.is_ascii_digit() && c != '/')
                && let Some(start) = label(line, index, word.start + at, is_field)
            {
                line.starts.push(start);
            }
        }
    }
}

/// `h3.` of Jira, or `##` before the heading of a known part.
fn heading(line: &Line<'_>, index: usize, is_field: &dyn Fn(&str) -> bool) -> Option<usize> {
    let word = line.text(index);
    if let Some(at) = jira_mark(word) {
        return Some(line.words[index].start + at);
    }
    let hashes = (2..=6).contains(&word.len()) && word.bytes().all(|b| b == b'#');
    (hashes && title(line, index + 1, is_field).is_some()).then(|| line.words[index].start)
}

/// The byte of `h1.` to `h6.` in a word: at its end ("done.h3.") or at its start ("h3.Steps").
fn jira_mark(word: &str) -> Option<usize> {
    let is_mark = |mark: &[u8]| mark[0] == b'h' && (b'1'..=b'6').contains(&mark[1]) && mark[2] == b'.';
    let bytes = word.as_bytes();
    if bytes.len() >= 4 && is_mark(&bytes[..3]) && super::super::markup::jira_heading(word).is_some() {
        return Some(0);
    }
    let at = bytes.len().checked_sub(3)?;
    (is_mark(&bytes[at..]) && word.is_char_boundary(at) && !word[..at].ends_with(|c: char| c.is_alphanumeric()))
        .then_some(at)
}

/// The byte after the heading of a known part that begins at a word.
fn title(line: &Line<'_>, index: usize, is_field: &dyn Fn(&str) -> bool) -> Option<usize> {
    let first = line.words.get(index)?;
    let start = first.start + if jira_mark(&line.line[first.start..first.end]) == Some(0) { 3 } else { 0 };
    let ends =
        line.words[index..].iter().take(MOST_WORDS).map(|word| word.end).take_while(|end| end - start <= LONGEST);
    ends.filter(|end| is_field(&line.line[start..*end])).last()
}

/// `*Steps to reproduce:*` with the words of a known part.
fn bold(line: &Line<'_>, index: usize, is_field: &dyn Fn(&str) -> bool) -> Option<usize> {
    let start = line.words[index].start;
    let rest = &line.line[start..];
    let inner = rest.trim_start_matches('*');
    let marks = rest.len() - inner.len();
    if !(1..=2).contains(&marks) {
        return None;
    }
    let window = inner.floor_char_boundary(LONGEST);
    let end = inner[..window].find('*')?;
    // "a *feature* or a *bug*?" stresses two words.
    let words = inner[..end].trim_end_matches([':', '：', ' ']);
    let placed =
        line.ended(index) || words.len() < end || inner[end..].trim_start_matches('*').starts_with([':', '：']);
    let capital = words.starts_with(|c: char| c.is_uppercase() || is_cjk(c));
    (placed && capital && is_field(words)).then_some(start)
}

/// The start of the label that a colon ends.
fn label(line: &Line<'_>, index: usize, colon: usize, is_field: &dyn Fn(&str) -> bool) -> Option<usize> {
    let from = index.saturating_sub(MOST_WORDS - 1);
    for first in from..=index {
        let word = line.words[first];
        if colon.saturating_sub(word.start) > LONGEST || word.start >= colon {
            continue;
        }
        let words = &line.line[word.start..colon];
        let capital = words.trim_start_matches('*').starts_with(|c: char| c.is_uppercase() || is_cjk(c));
        // In the middle of a sentence one word is not a label: "the problem is Version: it is wrong".
        let alone = first == index;
        let behind_a_colon = first > 0 && line.text(first - 1).ends_with([':', ']']);
        let placed = line.ended(first) && !(alone && behind_a_colon) || !alone && line.flattened;
        if capital && placed && !words.contains(['：', '。', '，']) && is_field(words) {
            return Some(word.start);
        }
    }
    // Chinese is written without spaces: …没有刷新。预期结果：…
    let near = line.line[..colon].char_indices().rev().take(12);
    let stop = near.clone().find(|(_, c)| matches!(c, '。' | '；' | '，' | '！' | '？' | '、' | '】'))?;
    let start = stop.0 + stop.1.len_utf8();
    let words = line.line[start..colon].trim_start();
    (words.starts_with(is_cjk) && is_field(words)).then(|| colon - words.len())
}

/// Ends the headings in the middle of a line: at the next line, or after the words of a known part. A heading without a
/// known end stays part of its line.
pub(super) fn close_headings(line: &mut Line<'_>, is_field: &dyn Fn(&str) -> bool) {
    line.starts.sort_unstable();
    line.starts.dedup();
    let mut ended = Vec::new();
    let mut undone = Vec::new();
    for index in 0..line.words.len() {
        let text = line.text(index);
        let hashes = text.len() >= 2 && text.bytes().all(|b| b == b'#');
        let Some(start) = jira_mark(text).or(hashes.then_some(0)).map(|at| line.words[index].start + at) else {
            continue;
        };
        if start > 0 && line.starts.binary_search(&start).is_err() || line.words[index].shielded {
            continue;
        }
        let next = line.starts.get(line.starts.partition_point(|at| *at <= start)).copied().unwrap_or(line.line.len());
        if start == 0 && next <= LONGEST {
            continue;
        }
        let glued = text.len() > 3 && jira_mark(text) == Some(0);
        let behind = title(line, if glued { index } else { index + 1 }, is_field);
        let behind = behind.map(|end| end + line.line[end..].len() - line.line[end..].trim_start().len());
        match behind {
            Some(behind) if behind < next && begins_anew(&line.line[behind..]) => ended.push(behind),
            _ if next - start > LONGEST * 2 && start > 0 && !hashes => undone.push(start),
            _ => {}
        }
    }
    line.starts.retain(|at| undone.binary_search(at).is_err());
    line.starts.append(&mut ended);
}
