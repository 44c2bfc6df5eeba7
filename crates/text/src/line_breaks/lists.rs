//! Finds the items of lists in one line: bullets, numbers, names.

use super::super::lexicon::is_cjk;
use super::line::{Line, begins_anew, begins_item};
use crate::words::numbers::{COUNTED, REFERENCES};

/// Marks every item of every list of a line.
pub(super) fn find(line: &mut Line<'_>) {
    bullets(line);
    numbers(line);
    names(line);
}

/// The kinds of bullets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bullet {
    Star,
    Hash,
    Dash,
    Dot,
}

fn bullet(word: &str) -> Option<Bullet> {
    let first = word.chars().next()?;
    match first {
        '*' | '#' | '-' if word.len() <= 4 && word.bytes().all(|b| matches!(b, b'*' | b'#' | b'-')) => {
            // Jira nests with `**` and `*#`; two hyphens are a dash.
            Some(match word.as_bytes()[word.len() - 1] {
                b'*' => Bullet::Star,
                b'#' => Bullet::Hash,
                _ if word.len() == 1 => Bullet::Dash,
                _ => return None,
            })
        }
        '•' | '●' | '○' | '▪' | '◦' | '■' | '◆' | '·' if word.chars().count() == 1 => Some(Bullet::Dot),
        _ => None,
    }
}

fn bullets(line: &mut Line<'_>) {
    let mut by_kind: [Vec<usize>; 4] = Default::default();
    for index in 0..line.words.len().saturating_sub(1) {
        if let Some(kind) = bullet(line.text(index)).filter(|_| is_marker(line, index)) {
            by_kind[kind as usize].push(index);
        }
    }
    let kinds = [Bullet::Star, Bullet::Hash, Bullet::Dash, Bullet::Dot];
    let are_lists = kinds.map(|kind| is_list(line, kind, &by_kind[kind as usize]));
    let mixed = are_lists.iter().any(|is_list| *is_list);
    for kind in kinds {
        let items = &by_kind[kind as usize];
        if are_lists[kind as usize] || mixed && kind != Bullet::Dash {
            // If some items kept their gap, a mark without one is a sign within an item.
            let kept = line.flattened && items.iter().any(|index| line.words[*index].gap >= 2);
            line.numbers_with_hashes |= kind == Bullet::Hash && items.iter().any(|index| *index > 0);
            let starts = items.iter().filter(|index| !kept || line.words[**index].gap != 1);
            line.starts.extend(starts.map(|index| line.words[*index].start).collect::<Vec<_>>());
        }
    }
}

/// Returns false for the signs in `2 * 3`, `issue # 12` and `a = - b`, which are not bullets.
fn is_marker(line: &Line<'_>, index: usize) -> bool {
    let (word, next) = (line.words[index], line.text(index + 1));
    let before = index.checked_sub(1).map_or("", |before| line.text(before));
    let counts = before.ends_with(|c: char| c.is_ascii_digit() || matches!(c, '=' | '(' | '+' | '/' | '<' | ','));
    let number = next.starts_with(|c: char| c.is_ascii_digit()) && !line.is_led_in(index);
    let of_issue = REFERENCES.en.iter().any(|w| before.eq_ignore_ascii_case(w));
    !word.shielded && begins_item(next) && bullet(next).is_none() && !(counts || number || of_issue) || word.gap >= 2
}

fn is_list(line: &Line<'_>, kind: Bullet, items: &[usize]) -> bool {
    let Some(first) = items.first().copied() else { return false };
    let led_in = line.is_led_in(first);
    let wide = line.flattened && items.iter().any(|index| line.words[*index].gap >= 2);
    let words: Vec<usize> = items
        .iter()
        .enumerate()
        .map(|(at, index)| items.get(at + 1).copied().unwrap_or(line.words.len()) - index - 1)
        .collect();
    let shortest = words.iter().min().copied().unwrap_or(0);
    if !line.flattened {
        return led_in && items.len() >= 2 && shortest >= 1;
    }
    match kind {
        _ if wide => true,
        Bullet::Dash => {
            // "- the page - the one with the map - is blank" is one item with a remark.
            let heads = first <= 4 || line.ended(first);
            let least = if first == 0 { 4 } else { 3 };
            let mean = words.iter().sum::<usize>() / words.len().max(1);
            items.len() >= 2 && led_in || items.len() >= least && heads && shortest >= 2 && mean >= 3
        }
        _ => led_in || items.len() >= 2 && (first == 0 || line.ended(first) || shortest >= 2),
    }
}

/// A number that may begin an item.
#[derive(Debug, Clone, Copy)]
struct Number {
    start: usize,
    value: usize,
    /// The way it is written: the bracket before it and the sign after it.
    style: (bool, char),
    /// Bytes of white space before it.
    gap: usize,
    /// The text before it has ended.
    after_end: bool,
    /// The text before it introduces a list.
    led_in: bool,
    /// A word before it takes a number: "version 1.", "is 2.".
    is_counted: bool,
    anew: bool,
}

fn numbers(line: &mut Line<'_>) {
    let mut run: Vec<Number> = Vec::new();
    let mut starts = Vec::new();
    let bytes = line.line.as_bytes();
    let mut at = 0;
    let mut word = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let digits = bytes[at..].iter().take_while(|b| b.is_ascii_digit()).count();
        while line.words.get(word).is_some_and(|w| w.end <= at) {
            word += 1;
        }
        let number = (digits <= 2).then(|| number(line, at, digits, word)).flatten();
        at += digits;
        let Some(number) = number else { continue };
        match run.last() {
            Some(last) if number.value == last.value + 1 && number.style == last.style => run.push(number),
            _ if number.value == 1 => {
                accept(line, &run, &mut starts);
                run = vec![number];
            }
            _ => {}
        }
    }
    accept(line, &run, &mut starts);
    line.starts.append(&mut starts);
}

fn number(line: &Line<'_>, digits_at: usize, digits: usize, word: usize) -> Option<Number> {
    let text = line.line;
    let open = text[..digits_at].ends_with(['(', '（']);
    let start = if open { text[..digits_at].char_indices().next_back()?.0 } else { digits_at };
    let behind = &text[digits_at + digits..];
    let close = behind.chars().next().filter(|c| matches!(c, '.' | '．' | '、' | ')' | '）'))?;
    let rest = &behind[close.len_utf8()..];
    let next = rest.trim_start();
    let glued = rest.len() == next.len();
    let first = next.chars().next()?;
    let opens = if glued && close == '.' { first.is_uppercase() || is_cjk(first) } else { !first.is_ascii_digit() };
    let before = text[..start].trim_end();
    let gap = start - before.len();
    let last = before.chars().next_back();
    let touches = gap == 0
        && last.is_some_and(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '/' | '#' | '$' | '_' | ','));
    if !opens || touches || open != matches!(close, ')' | '）') && open || line.is_shielded(start) {
        return None;
    }
    // The word that the number begins or is attached to.
    let own = line.words.get(word).filter(|own| own.start == start).map(|_| word);
    let near = &before[before.floor_char_boundary(before.len().saturating_sub(16))..];
    let said = near.rsplit(|c: char| c.is_whitespace()).next().unwrap_or("");
    Some(Number {
        start,
        value: text[digits_at..digits_at + digits].parse().ok()?,
        style: (open, if close == '．' { '.' } else { close }),
        gap,
        after_end: last.is_none()
            || own.is_some_and(|own| line.ended(own))
            || last
                .is_some_and(|c| matches!(c, '。' | '；' | '：' | ':' | '，' | '！' | '？' | '）' | '】' | '.' | ';')),
        led_in: last.is_none_or(|c| matches!(c, ':' | '：')) || own.is_some_and(|own| line.is_led_in(own)),
        is_counted: COUNTED.en.iter().any(|counted| said.eq_ignore_ascii_case(counted)),
        anew: begins_anew(next),
    })
}

/// Accepts numbers that count up from one as items, if a list can begin at their place.
fn accept(line: &Line<'_>, run: &[Number], starts: &mut Vec<usize>) {
    let Some(first) = run.first().filter(|_| run.len() >= 2) else { return };
    if run.iter().any(|number| number.is_counted) {
        return;
    }
    let wide = line.flattened && run[1..].iter().any(|number| number.gap >= 2);
    let anew = run.iter().all(|number| number.anew);
    let begins = first.led_in || first.after_end && (anew || run.len() >= 3);
    let bare = line.flattened && run.len() >= 3 && !first.style.0 && anew;
    if begins || bare || wide {
        starts.extend(run.iter().map(|number| number.start));
    }
}

/// Finds names with consecutive numbers: `AC1: … AC2: …`, `Case 1: … Case 2: …`.
fn names(line: &mut Line<'_>) {
    let mut run: Vec<(usize, String, usize)> = Vec::new();
    let mut starts = Vec::new();
    let mut close = |run: &mut Vec<(usize, String, usize)>| {
        if run.len() >= 2 {
            starts.extend(run.iter().map(|(start, ..)| *start));
        }
        run.clear();
    };
    for index in 0..line.words.len() {
        let Some((prefix, value)) = name(line, index) else { continue };
        let follows = run.last().is_some_and(|(_, last, number)| *last == prefix && *number + 1 == value);
        if !follows {
            close(&mut run);
        }
        run.push((line.words[index].start, prefix, value));
    }
    close(&mut run);
    line.starts.append(&mut starts);
}

/// The name at a word: its letters and its number, with a colon after it.
fn name(line: &Line<'_>, index: usize) -> Option<(String, usize)> {
    let word = line.text(index).trim_start_matches('*');
    if line.words[index].shielded || !word.starts_with(|c: char| c.is_ascii_uppercase()) {
        return None;
    }
    let letters = word.bytes().take_while(u8::is_ascii_alphabetic).count();
    let rest = word[letters..].trim_start_matches(['-', '_']);
    let number = if rest.is_empty() { line.text(index + 1) } else { rest };
    let digits = number.bytes().take_while(u8::is_ascii_digit).count();
    let closes = number.get(digits..).is_some_and(|end| end.trim_start_matches('*').starts_with([':', '：']));
    let fits = letters <= 10 && (1..=3).contains(&digits) && closes;
    fits.then(|| Some((word[..letters].to_owned(), number[..digits].parse().ok()?))).flatten()
}
