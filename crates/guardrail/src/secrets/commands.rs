//! Passwords among the arguments of commands: `mysql -pX`, `redis-cli -a X`, `sqlplus name/X@host`.

use reqgate_base::model::Span;
use reqgate_rules::config::guardrail::{CommandPassword, Placeholders};

use super::super::nearby;
use super::value;

/// Longest command line that is read after the command, in bytes.
const LONGEST: usize = 400;

/// A way in which a command takes a password, ready to be looked for.
#[derive(Debug)]
struct Form {
    /// The word before the one that holds the password.
    flag: Option<String>,
    /// The beginning of the word that holds it.
    head: String,
    /// The mark between a user and the password, where a user precedes it.
    behind_user: Option<char>,
    /// The mark with which the password ends, if not with the word.
    end: Option<char>,
}

/// Commands that take a password in the same ways.
#[derive(Debug)]
pub(super) struct Commands {
    forms: Vec<Form>,
}

impl Form {
    /// Reads `-p X`, `-pX`, `-u U:X` or `U/X@`.
    fn read(written: &str) -> Self {
        let (flag, word) = match written.split_once(' ') {
            Some((flag, word)) => (Some(flag.to_owned()), word),
            None => (None, written),
        };
        let (head, end) = word.rsplit_once('X').unwrap_or((word, ""));
        let behind_user = head.strip_prefix('U').and_then(|mark| mark.chars().next());
        let head = if behind_user.is_some() { "" } else { head };
        Self { flag, head: head.to_owned(), behind_user, end: end.chars().next() }
    }

    /// The part of a word that is the password, if the word before it and its own beginning are those of the form.
    fn of<'w>(&self, before: Option<&str>, word: &'w str) -> Option<&'w str> {
        if self.flag.as_deref().is_some_and(|flag| before != Some(flag)) {
            return None;
        }
        let mut rest = bare(word.strip_prefix(self.head.as_str())?);
        if let Some(mark) = self.behind_user {
            let (user, password) = rest.split_once(mark)?;
            if user.is_empty() || user.contains(['/', '\\']) || password.starts_with('/') {
                return None;
            }
            rest = bare(password);
        }
        let rest = self.end.and_then(|mark| rest.rsplit_once(mark)).map_or(rest, |(password, _)| password);
        (!rest.is_empty()).then_some(rest)
    }

    /// Returns true if the form of the word alone shows that it holds a password.
    fn is_attached(&self) -> bool {
        !self.head.is_empty() || self.behind_user.is_some()
    }
}

impl Commands {
    pub(super) fn new(pattern: &CommandPassword) -> Self {
        Self { forms: pattern.options.iter().map(|option| Form::read(option)).collect() }
    }

    /// The password among the arguments of the command at `hit`.
    pub(super) fn find(&self, text: &str, hit: (usize, usize), placeholders: &Placeholders) -> Option<Span> {
        let before = nearby::byte_before(text.as_bytes(), hit.0);
        let is_inside = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b':' | b'@');
        if before.is_some_and(is_inside) || !text[hit.1..].starts_with([' ', '\t']) {
            return None;
        }
        let line = line(nearby::after(text, hit.1, LONGEST));
        let mut last = None;
        for word in words(line) {
            let found = self.forms.iter().find_map(|form| Some((form, form.of(last, word)?)));
            if let Some((form, password)) = found {
                let is_word = password.bytes().all(|byte| byte.is_ascii_alphabetic());
                let is_certain =
                    form.is_attached() || !is_word || is_command(text, hit.0) && !is_followed_by_prose(line, password);
                let is_password = is_certain && value::is_in_place(password, placeholders);
                return is_password.then(|| nearby::place_of(text, password));
            }
            last = Some(word);
        }
        None
    }
}

/// The words without the quotation marks around them.
fn bare(words: &str) -> &str {
    let open = words.trim_start_matches(['"', '\'']);
    if open.len() < words.len() { open.trim_end_matches(['"', '\'']) } else { open }
}

/// A command line up to its end, the next command, or the end of inline code.
fn line(rest: &str) -> &str {
    let mut quote = None;
    let mut last = ' ';
    for (at, c) in rest.char_indices() {
        if quote.is_none() && (c == '|' || c == ';' || c == '&' && last == '&' || matches!(c, '，' | '。')) {
            return &rest[..at];
        }
        if c == '`' || c == '\n' && last != '\\' {
            return &rest[..at];
        }
        quote = quote_after(quote, c, &rest[at + c.len_utf8()..]);
        last = c;
    }
    rest
}

/// The quotation mark that is open after `c`; one that is never closed is an apostrophe.
fn quote_after(open: Option<char>, c: char, rest: &str) -> Option<char> {
    match open {
        Some(mark) => (c != mark).then_some(mark),
        None => matches!(c, '"' | '\'').then_some(c).filter(|mark| rest.contains(*mark)),
    }
}

/// The words of a command line, a quotation being one.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches([' ', '\t', '\\', '\n', '\r']);
        let mut quote = None;
        let end = rest.char_indices().find(|(at, c)| {
            let is_end = quote.is_none() && c.is_whitespace();
            quote = quote_after(quote, *c, &rest[at + c.len_utf8()..]);
            is_end
        });
        let (word, tail) = rest.split_at(end.map_or(rest.len(), |(at, _)| at));
        rest = tail;
        (!word.is_empty()).then_some(word)
    })
}

/// Returns true if a command is at `at`, rather than a mention of one in a sentence: at the start of a line or of code, after a
/// mark, or after `sudo`.
fn is_command(text: &str, at: usize) -> bool {
    let head = nearby::before(text, at, 120);
    let head = head.rsplit('\n').next().unwrap_or(head).trim_end();
    let head = head.strip_suffix("sudo").unwrap_or(head).trim_end();
    !head.ends_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, ',' | '.'))
}

/// Returns true if a sentence continues after the word: `docker login -p is deprecated`.
fn is_followed_by_prose(line: &str, word: &str) -> bool {
    let rest = &line[nearby::place_of(line, word).end..];
    let is_word = |word: &str| {
        let bare = word.trim_end_matches(['.', ',', ':']);
        !bare.is_empty() && bare.bytes().all(|byte| byte.is_ascii_lowercase())
    };
    let next: Vec<&str> = words(rest).take(2).collect();
    match next.as_slice() {
        [one, two] => is_word(one) && is_word(two),
        [one] => is_word(one) && one.ends_with('.'),
        _ => false,
    }
}
