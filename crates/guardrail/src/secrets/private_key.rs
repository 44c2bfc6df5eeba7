//! Private key blocks (PEM, OpenSSH, SSH2, PGP, PuTTY): the lines of base64 alone decide, and all up to the last is masked.

use reqgate_base::model::Span;

use super::super::nearby;
use super::entropy;

/// Longest block that is read, in bytes; the longest RSA keys in use have 13,000.
const LONGEST: usize = 100_000;
/// Longest head line, in bytes.
const LONGEST_HEAD: usize = 120;
/// Fewest base64 characters that are a key, and the entropy that they have, in bits per character.
const FEWEST: usize = 32;
const LEAST_ENTROPY: f32 = 3.5;
/// Fewest characters of a line of base64 that does not follow another.
const SHORTEST_LINE: usize = 16;
/// Most lines in a row that are neither base64 nor a header before the block counts as ended.
const MOST_OTHER_LINES: usize = 6;

/// The block whose head is at `at`.
pub(super) fn find(text: &str, at: usize) -> Option<Span> {
    let rest = nearby::after(text, at, LONGEST);
    let head = head_length(rest)?;
    let mut block = Block { material: String::new(), end: None, others: 0, in_foot: false };
    let mut place = head;
    for line in lines(&rest[head..]) {
        let end = place + line.len();
        if block.take(line, place) {
            break;
        }
        place = end;
    }
    let found = block.material.len() >= FEWEST && entropy::shannon(&block.material) >= LEAST_ENTROPY;
    block.end.filter(|_| found).map(|end| Span::new(at, at + end))
}

/// Length of `-----BEGIN … PRIVATE KEY …-----`, `---- BEGIN … PRIVATE KEY ----` or `Private-Lines: 14`.
fn head_length(rest: &str) -> Option<usize> {
    let head = nearby::after(rest, 0, LONGEST_HEAD);
    let line = head.split(['\n', '\r']).next().unwrap_or(head);
    let line = line.split("\\n").next().unwrap_or(line).to_ascii_lowercase();
    if line.starts_with("private-lines") {
        return Some(line.len());
    }
    let words = line.find("private")?;
    let key = line[words..].find("key")? + words + 3;
    // The rest of the line belongs to the marker.
    Some(key + line[key..].find("--").map_or(0, |dashes| dashes + dash_run(&line[key + dashes..])))
}

fn dash_run(text: &str) -> usize {
    text.bytes().take_while(|byte| *byte == b'-').count()
}

/// Lines with their ends; `\n` written out ends a line too, and so does a space inside one.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let real = rest.find(['\n', ' ']).map(|at| at + 1);
        let written = rest.get(..real.unwrap_or(rest.len())).and_then(|line| line.find("\\n")).map(|at| at + 2);
        let (line, tail) = rest.split_at(written.or(real).unwrap_or(rest.len()));
        rest = tail;
        Some(line)
    })
}

/// A block while its lines are read.
struct Block {
    material: String,
    /// The end of the last line of base64, or of the foot.
    end: Option<usize>,
    /// Lines since then that are something else.
    others: usize,
    in_foot: bool,
}

impl Block {
    /// Takes a line that begins at `place`; true if the block ends with it.
    fn take(&mut self, line: &str, place: usize) -> bool {
        let marks = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | ',' | '|' | '>' | '#' | '*' | '\\');
        let lead = line.len() - line.trim_start_matches(|c| marks(c) || c == '+').len();
        let words = line.strip_suffix("\\n").unwrap_or(line).trim_matches(marks).trim_start_matches(['+', ' ']);
        if words.is_empty() {
            return false;
        }
        // Another block begins.
        if words.starts_with("--") && words.to_ascii_lowercase().ends_with("begin") {
            return true;
        }
        let end = place + lead + words.len();
        if self.in_foot || !self.material.is_empty() && words.starts_with("--") {
            // The foot has several words; its last one ends in dashes.
            let is_last = words.ends_with("--") && (self.in_foot || words.len() > 8);
            self.in_foot = true;
            self.others += 1;
            if is_last {
                self.end = Some(end);
            }
            return is_last || self.others > MOST_OTHER_LINES;
        }
        let base64 = words.bytes().take_while(|byte| is_base64(*byte)).count();
        let follows = !self.material.is_empty() && self.others == 0;
        let whole = base64 == words.len();
        if base64 >= SHORTEST_LINE && is_mixed(&words[..base64]) || whole && follows && is_mixed(words) {
            self.material.push_str(&words[..base64]);
            self.end = Some(place + lead + base64);
            self.others = 0;
            return false;
        }
        self.others += 1;
        self.others > if self.material.is_empty() { 4 * MOST_OTHER_LINES } else { MOST_OTHER_LINES }
    }
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

/// Padding, a digit, or a capital after the first letter, as hardly a word has.
fn is_mixed(words: &str) -> bool {
    words.bytes().skip(1).any(|byte| byte == b'=' || byte.is_ascii_digit() || byte.is_ascii_uppercase())
}
