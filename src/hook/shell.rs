//! The tickets that a shell command creates, read from its words; nothing is expanded or executed.
//!
//! `shlex` splits the command into words. It knows nothing of here-documents, the usual way for an agent to pass a long text,
//! so these are taken out first. A word whose text only the shell would know is [`Text::Unseen`].

use std::sync::LazyLock;

use regex::Regex;
use shlex::Shlex;

use super::OVERRIDE;
use super::shown::{Command, known};

/// The text of a part of a ticket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Text {
    /// It is written in the command.
    Written(String),
    /// It is in this file.
    File(String),
    /// Only the shell would know it.
    Unseen,
}

/// A ticket that a command creates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Created {
    /// The command, e.g. `gh issue create`.
    pub command: String,
    pub title: Option<Text>,
    pub body: Option<Text>,
    pub labels: Vec<String>,
    /// The value of [`OVERRIDE`] before the command; may be empty.
    pub reason: Option<String>,
}

/// A command, split into words.
#[derive(Debug, Default)]
pub(super) struct Script {
    words: Vec<String>,
    documents: Vec<String>,
    /// True if a quote is not closed.
    pub is_broken: bool,
}

/// More words than this are not a command that somebody typed.
const MOST_WORDS: usize = 20_000;
/// More beginnings of here-documents than this are not looked at: each costs a search for its end.
const MOST_DOCUMENTS: usize = 64;
/// More tickets than this are not created by one command.
const MOST_TICKETS: usize = 20;
/// Words that end a command.
const ENDS: [&str; 8] = ["&&", "||", ";", "|", "&", ")", "}", "|&"];
/// Commands that print or search their words.
const PRINTERS: [&str; 6] = ["echo", "printf", "grep", "rg", "man", "which"];

/// True if the command may create a ticket or write a file, so that it is worth a closer look.
pub(super) fn is_of_interest(command: &str) -> bool {
    let names = |known: &Command| known.words.iter().all(|word| command.contains(word.as_str()));
    command.contains("<<") || known().commands.iter().any(names)
}

impl Script {
    /// Splits a command into words.
    pub(super) fn read(command: &str) -> Self {
        let (rest, documents) = without_documents(command);
        let rest = apart(&rest);
        let mut shlex = Shlex::new(&rest);
        let words = shlex.by_ref().take(MOST_WORDS).collect();
        Self { words, documents, is_broken: shlex.had_error }
    }

    /// The reason for which the command at `start` is to pass: the value of [`OVERRIDE`] among the variables set before it.
    fn override_reason(&self, start: usize) -> Option<String> {
        let sets = |word: &&String| is_setting(word) || matches!(word.as_str(), "env" | "export");
        let mut end = start;
        loop {
            let begin = self.words[..end].iter().rposition(|word| ENDS.contains(&word.as_str())).map_or(0, |at| at + 1);
            let statement = &self.words[begin..end];
            // Before the command on its line, or in statements of their own that only set variables.
            let settings: Vec<&String> = match end == start {
                true => statement.iter().rev().take_while(sets).collect(),
                false if statement.iter().all(|word| sets(&word)) => statement.iter().rev().collect(),
                false => return None,
            };
            let value = settings.into_iter().find_map(|word| word.strip_prefix(OVERRIDE)?.strip_prefix('='));
            if let Some(reason) = value {
                return Some(reason.trim().to_owned());
            }
            if begin == 0 || self.words[begin - 1] != ";" {
                return None;
            }
            end = begin - 1;
        }
    }

    /// The tickets that it creates, in order.
    pub(super) fn tickets(&self) -> Vec<Created> {
        let mut found = Vec::new();
        let mut at = 0;
        while at < self.words.len() && found.len() < MOST_TICKETS {
            let Some(command) = known().commands.iter().find(|command| self.begins(command, at)) else {
                at += 1;
                continue;
            };
            let end = at + command.words.len();
            found.extend(self.created(command, at, end));
            at = end;
        }
        found
    }

    /// The files that it writes from here-documents: path and content.
    pub(super) fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        (0..self.words.len()).filter_map(|at| {
            let path = self.written_at(at)?;
            Some((path, self.document_near(at)?))
        })
    }

    /// True if the words of the command stand here, not as the words of another one.
    fn begins(&self, command: &Command, at: usize) -> bool {
        let there = self.words.get(at..at + command.words.len());
        let is_it = there.is_some_and(|there| {
            let first = there[0].trim_start_matches(['(', '{']).rsplit('/').next();
            first == Some(command.words[0].as_str()) && there[1..] == command.words[1..]
        });
        let before = at.checked_sub(1).map(|before| self.words[before].as_str());
        is_it && !before.is_some_and(|before| PRINTERS.contains(&before))
    }

    fn created(&self, command: &Command, start: usize, mut at: usize) -> Option<Created> {
        let (mut title, mut body, mut labels) = (None, None, Vec::new());
        while let Some(word) = self.words.get(at) {
            at += 1;
            if ENDS.contains(&word.as_str()) {
                break;
            }
            if let Some(skipped) = redirection(word) {
                at += skipped;
                continue;
            }
            let has = |flags: &[String]| flags.iter().find_map(|flag| value_of(word, flag));
            if has(&command.person).is_some() {
                return None;
            }
            let groups = [&command.title, &command.body, &command.body_file, &command.labels, &command.values];
            let Some((group, value)) = groups.iter().zip(0..).find_map(|(flags, group)| Some((group, has(flags)?)))
            else {
                // A word that belongs to no flag begins the next command, on a line of its own.
                if !word.starts_with('-') {
                    break;
                }
                continue;
            };
            let value = match value {
                Some(value) => value.to_owned(),
                None => {
                    let value = self.words.get(at).cloned().unwrap_or_default();
                    at += 1;
                    value
                }
            };
            match group {
                0 => title = title.or_else(|| Some(self.text(&value))),
                1 => body = body.or_else(|| Some(self.text(&value))),
                2 => body = body.or_else(|| Some(self.file(&value, start))),
                3 => labels.extend(value.split(',').map(|label| label.trim().to_owned())),
                _ => {}
            }
        }
        let reason = self.override_reason(start);
        Some(Created { command: command.words.join(" "), title, body, labels, reason })
    }

    /// The text of a value.
    fn text(&self, value: &str) -> Text {
        static DOCUMENT: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\s*\$\(\s*cat\s+<<@(\d+)\s*\)\s*;?$"));
        static FILE: LazyLock<Regex> =
            LazyLock::new(|| pattern(r"^\s*\$\(\s*(?:cat\s+|<\s*)([^\s$`|;&<>()]+)\s*\)\s*;?$"));
        static NAME: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\s*(?:\$\{?\w+\}?|`[^`]*`)\s*;?$"));
        if let Some(found) = DOCUMENT.captures(value) {
            let document = found[1].parse().ok().and_then(|number: usize| self.documents.get(number));
            return document.map_or(Text::Unseen, |document| Text::Written(document.clone()));
        }
        if let Some(found) = FILE.captures(value) {
            return self.content(&found[1]);
        }
        // A pair of words in single quotes may hold the same signs; then nothing is claimed of it.
        if value.contains("$(") || NAME.is_match(value) {
            return Text::Unseen;
        }
        Text::Written(value.to_owned())
    }

    /// The text of a file that a command at `start` takes it from.
    fn file(&self, path: &str, start: usize) -> Text {
        if path != "-" && path != "/dev/stdin" {
            return self.content(path);
        }
        let number = |word: &String| word.strip_prefix("<<@").and_then(|number| number.parse::<usize>().ok());
        let after = self.words[start..].iter().take_while(|word| !ENDS.contains(&word.as_str())).find_map(number);
        let is_piped = start > 0 && self.words[start - 1] == "|";
        let before = || self.words[..start].iter().rev().take(4).find_map(number).filter(|_| is_piped);
        let document = after.or_else(before).and_then(|number| self.documents.get(number));
        document.map_or(Text::Unseen, |document| Text::Written(document.clone()))
    }

    /// The content of a file, which the same command may be writing.
    fn content(&self, path: &str) -> Text {
        let written = self.files().find(|(written, _)| *written == path);
        match written {
            Some((_, text)) => Text::Written(text.to_owned()),
            None if path.contains(['$', '`', '*', '?', '~']) => Text::Unseen,
            None => Text::File(path.to_owned()),
        }
    }

    /// The path that a redirection at this word writes to.
    fn written_at(&self, at: usize) -> Option<&str> {
        let rest = self.words[at].strip_prefix('>')?;
        match rest {
            "" | "|" => self.words.get(at + 1).map(String::as_str),
            _ if rest.starts_with(['>', '&']) => None,
            path => Some(path),
        }
    }

    /// The here-document of the command around this word.
    fn document_near(&self, at: usize) -> Option<&str> {
        let around = self.words[..at].iter().rev().take(3).chain(self.words[at..].iter().take(3));
        let number = around.filter_map(|word| word.strip_prefix("<<@")).find_map(|number| number.parse().ok());
        number.and_then(|number: usize| self.documents.get(number)).map(String::as_str)
    }
}

/// True for `NAME=value`.
fn is_setting(word: &str) -> bool {
    let name = word.split_once('=').map_or("", |(name, _)| name);
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// For a redirection, the number of words that follow and belong to it.
fn redirection(word: &str) -> Option<usize> {
    let bare = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '&');
    if bare.starts_with("<<@") || bare.starts_with(">&") {
        return Some(0);
    }
    let after = bare.strip_prefix(['<', '>'])?.trim_start_matches(['>', '|']);
    Some(usize::from(after.is_empty()))
}

/// The value of a flag that the word is or contains: `--title`, `--title=x`, `-t` and `-tx`.
fn value_of<'w>(word: &'w str, flag: &str) -> Option<Option<&'w str>> {
    let rest = word.strip_prefix(flag)?;
    match rest.strip_prefix('=') {
        Some(value) => Some(Some(value)),
        None if rest.is_empty() => Some(None),
        None if flag.starts_with("--") => None,
        None => Some(Some(rest)),
    }
}

/// The command without the lines of its here-documents, whose places are numbered `<<@0`, and these documents.
fn without_documents(command: &str) -> (String, Vec<String>) {
    static START: LazyLock<Regex> =
        LazyLock::new(|| pattern(r#"(^|[^<])<<(-?)[ \t]*\\?(?:'([\w.-]+)'|"([\w.-]+)"|([A-Za-z_][\w.-]*))"#));
    let lines: Vec<&str> = command.lines().collect();
    let (mut rest, mut documents) = (String::with_capacity(command.len()), Vec::new());
    let (mut at, mut looked) = (0, 0);
    while at < lines.len() {
        let line = lines[at];
        at += 1;
        let mut copied = 0;
        for found in START.captures_iter(line) {
            looked += 1;
            if looked > MOST_DOCUMENTS {
                break;
            }
            let (Some(whole), Some(word)) = (found.get(0), found.get(3).or(found.get(4)).or(found.get(5))) else {
                continue;
            };
            let is_indented = found.get(2).is_some_and(|dash| !dash.is_empty());
            let is_end = |line: &&str| {
                let line = if is_indented { line.trim_start_matches('\t') } else { line };
                line.trim_end() == word.as_str()
            };
            // Without its last line it is no here-document but two signs in a text.
            let Some(length) = lines[at..].iter().position(is_end) else { continue };
            let start = whole.start() + found.get(1).map_or(0, |before| before.len());
            rest.push_str(&line[copied..start]);
            rest.push_str(&format!("<<@{}", documents.len()));
            copied = whole.end();
            documents.push(lines[at..at + length].join("\n"));
            at += length + 1;
        }
        rest.push_str(&line[copied..]);
        rest.push('\n');
    }
    (rest, documents)
}

/// The command with its separators apart from the words around them: `cd web&&gh …`, `URL=$(gh …)`, a new line. What stands in
/// quotation marks stays as it is.
fn apart(command: &str) -> String {
    let mut out = String::with_capacity(command.len() + 16);
    let (mut quote, mut is_escaped, mut depth) = (None, false, 0_usize);
    let mut characters = command.chars().peekable();
    while let Some(c) = characters.next() {
        if is_escaped {
            is_escaped = false;
            // A line that goes on.
            out.push(if c == '\n' { ' ' } else { c });
            continue;
        }
        match (quote, c) {
            (Some('\''), _) | (Some(_), '\n' | ';' | '|' | '&' | '(' | ')') if Some(c) != quote => out.push(c),
            (Some(open), _) if c == open => {
                quote = None;
                out.push(c);
            }
            (_, '\\') if characters.peek() == Some(&'\n') && quote.is_none() => {
                is_escaped = true;
            }
            (_, '\\') => {
                out.push(c);
                out.extend(characters.next());
            }
            (None, '\'' | '"') => {
                quote = Some(c);
                out.push(c);
            }
            (None, '\n') => out.push_str(" ; "),
            (None, ';') => out.push_str(" ; "),
            (None, '|' | '&') if !out.ends_with('>') && characters.peek() != Some(&'>') => {
                let is_double = characters.peek() == Some(&c);
                if is_double {
                    characters.next();
                }
                out.push(' ');
                out.push(c);
                out.extend(is_double.then_some(c));
                out.push(' ');
            }
            // The value of a variable: its command is one of its own.
            (None, '$') if characters.peek() == Some(&'(') && out.ends_with('=') => {
                characters.next();
                depth += 1;
                out.push_str(" ; ");
            }
            (None, ')') if depth > 0 => {
                depth -= 1;
                out.push_str(" ; ");
            }
            _ => out.push(c),
        }
    }
    out
}

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the pattern is a constant, and tests use it")
}
