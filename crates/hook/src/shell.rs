//! The tickets that a shell command creates, read from its words; nothing is expanded or executed.
//!
//! `shlex` splits the command into words. It knows nothing of here-documents, the usual way for an agent to pass a long text, nor
//! of commands within the command, so these are taken out first ([`shell_text`](super::shell_text)). A word whose text only the shell
//! would know is [`Text::Unseen`]. What is not certainly a command that creates a ticket is none: a false stop is worse than a miss.

use std::collections::VecDeque;
use std::sync::LazyLock;

use regex::Regex;
use shlex::Shlex;

use super::OVERRIDE;
use super::shell_text::{
    MARK, apart, only_substitution, pattern, plain, substitutions, without_documents, without_substitutions,
};
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

/// A command, split into words, those of the commands within it last.
#[derive(Debug, Default)]
pub(super) struct Script {
    words: Vec<String>,
    documents: Vec<String>,
    /// The commands within it that stand in the place of words.
    substituted: Vec<String>,
    /// True if a quote is not closed.
    pub is_broken: bool,
}

/// More words than this are not a command that somebody typed.
const MOST_WORDS: usize = 20_000;
/// Of the tickets that one call creates, so many are judged.
pub(super) const MOST_TICKETS: usize = 50;
/// More commands within the command are not looked at.
const MOST_INNER: usize = 32;
/// Nor those within so many others.
const DEEPEST: usize = 4;
/// A command with more words before its own is not recognised.
const MOST_BEFORE: usize = 64;
/// Words before a command that are not words of another: keywords of the shell, and programs that run another.
const PREFIXES: [&str; 18] = [
    "if", "then", "elif", "else", "while", "until", "do", "!", "{", "time", "env", "command", "exec", "sudo", "nice",
    "nohup", "timeout", "stdbuf",
];
/// Shells that run a text.
const SHELLS: [&str; 5] = ["bash", "sh", "zsh", "dash", "ksh"];

/// True if the command may create a ticket or write a file, so that it is worth a closer look.
pub(super) fn is_of_interest(command: &str) -> bool {
    let names = |known: &Command| known.words.iter().all(|word| command.contains(word.as_str()));
    command.contains("<<") || known().commands.iter().any(names)
}

impl Script {
    /// Splits a command into words.
    pub(super) fn read(command: &str) -> Self {
        let mut script = Self::default();
        let mut waiting = VecDeque::from([(plain(command), None, 0)]);
        let mut looked = 0;
        while let Some((text, reason, depth)) = waiting.pop_front() {
            let text = without_documents(&text, &mut script.documents);
            let text = apart(&without_substitutions(&text, &mut script.substituted));
            let mut shlex = Shlex::new(&text);
            let words: Vec<String> = shlex.by_ref().take(MOST_WORDS).collect();
            looked += 1;
            match depth {
                0 => script.is_broken = shlex.had_error,
                _ if shlex.had_error => continue,
                // No word before it belongs to it, but for the reason of an override.
                _ => script.words.push(format!("{MARK}&&")),
            }
            if let Some(reason) = reason {
                script.words.extend([format!("{OVERRIDE}={reason}"), format!("{MARK};")]);
            }
            let start = script.words.len();
            script.words.extend(words);
            if script.words.len() > MOST_WORDS || script.is_broken {
                break;
            }
            if depth < DEEPEST && looked + waiting.len() < MOST_INNER {
                let inner = (start..script.words.len()).flat_map(|at| script.inner(at).map(move |text| (at, text)));
                let inner = inner.take(MOST_INNER - looked - waiting.len());
                waiting.extend(inner.map(|(at, text)| (text, script.override_reason(at), depth + 1)));
            }
        }
        script
    }

    /// The commands that the word at this place makes the shell run: `$(…)`, and the text of `bash -c '…'` and `bash <<EOF`.
    fn inner(&self, at: usize) -> impl Iterator<Item = String> {
        let substituted = substitutions(&self.words[at]).filter_map(|number| self.substituted.get(number)).cloned();
        substituted.chain(self.run_by_shell(at))
    }

    /// The text that a shell at this place runs.
    fn run_by_shell(&self, at: usize) -> Option<String> {
        if !SHELLS.contains(&program(&self.words[at])) || !self.is_command(at) {
            return None;
        }
        let mut after = self.words[at + 1..].iter().take_while(|word| !is_end(word));
        while let Some(word) = after.next() {
            match word.strip_prefix('-') {
                Some(flags) if flags.ends_with('o') && !flags.starts_with('-') => drop(after.next()),
                Some(flags) if flags.contains('c') && !flags.starts_with('-') => return after.next().cloned(),
                Some(_) => {}
                None => {
                    let number = word.strip_prefix("<<@")?.parse::<usize>().ok()?;
                    return self.documents.get(number).cloned();
                }
            }
        }
        None
    }

    /// True if the word at this place begins a command, and is not a word of another.
    fn is_command(&self, at: usize) -> bool {
        let window = &self.words[at.saturating_sub(MOST_BEFORE)..at];
        let before = match window.iter().rposition(|word| is_end(word)) {
            Some(end) => &window[end + 1..],
            None if window.len() < MOST_BEFORE => window,
            None => return false,
        };
        // Options and numbers are those of programs that run another: `timeout -k 5 60 gh …`.
        let is_before = |word: &String| {
            is_setting(word)
                || PREFIXES.contains(&program(word))
                || word.starts_with(|c: char| c == '-' || c.is_ascii_digit())
        };
        before.iter().all(is_before)
    }

    /// The reason for which the command at `start` is to pass: the value of [`OVERRIDE`] among the variables set before it.
    fn override_reason(&self, start: usize) -> Option<String> {
        let sets = |word: &&String| is_setting(word) || matches!(word.as_str(), "env" | "export");
        let mut end = start;
        loop {
            let begin = self.words[..end].iter().rposition(|word| is_end(word)).map_or(0, |at| at + 1);
            let statement = &self.words[begin..end];
            // Before the command on its line, or in statements of their own that only set variables.
            let settings: Vec<&String> = match end == start {
                true if self.is_command(start) => {
                    statement.iter().skip_while(|word| PREFIXES.contains(&program(word))).take_while(sets).collect()
                }
                true => Vec::new(),
                false if statement.iter().all(|word| sets(&word)) => statement.iter().collect(),
                false => return None,
            };
            let value = settings.into_iter().rev().find_map(|word| word.strip_prefix(OVERRIDE)?.strip_prefix('='));
            if let Some(reason) = value {
                return Some(reason.trim().to_owned());
            }
            if begin == 0 || !is_separator(&self.words[begin - 1], ";") {
                return None;
            }
            end = begin - 1;
        }
    }

    /// The tickets that it creates, in order, at most one more than are judged.
    pub(super) fn tickets(&self) -> Vec<Created> {
        let mut found = Vec::new();
        let mut at = 0;
        while at < self.words.len() && found.len() <= MOST_TICKETS {
            let begun = known().commands.iter().find_map(|command| Some((command, self.begun(command, at)?)));
            let Some((command, end)) = begun else {
                at += 1;
                continue;
            };
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

    /// Where the words of a command end that begins here; its flags may stand among them, as in `gh issue -R octo/shop create`.
    fn begun(&self, command: &Command, at: usize) -> Option<usize> {
        let (first, others) = command.words.split_first()?;
        if program(self.words.get(at)?) != first {
            return None;
        }
        let mut end = at + 1;
        for word in others {
            while self.words.get(end)? != word {
                let value = command.values.iter().find_map(|flag| value_of(&self.words[end], flag))?;
                end += 1 + usize::from(value.is_none());
            }
            end += 1;
        }
        self.is_command(at).then_some(end)
    }

    fn created(&self, command: &Command, start: usize, mut at: usize) -> Option<Created> {
        let (mut title, mut body, mut labels) = (None, None, Vec::new());
        let mut is_unknown = false;
        // A call of an API is one that creates a ticket only by its address.
        let mut is_addressed = command.endpoint.is_empty();
        while let Some(word) = self.words.get(at) {
            at += 1;
            if is_end(word) {
                break;
            }
            let may_be_value = std::mem::take(&mut is_unknown);
            if let Some(skipped) = redirection(word) {
                at += skipped;
                continue;
            }
            let has = |flags: &[String]| flags.iter().find_map(|flag| value_of(word, flag));
            if has(&command.person).is_some() {
                return None;
            }
            if !is_addressed && !word.starts_with('-') && !may_be_value {
                if !command.creates_at(word) {
                    return None;
                }
                is_addressed = true;
                continue;
            }
            let groups = [
                &command.title,
                &command.body,
                &command.body_file,
                &command.labels,
                &command.fields,
                &command.typed_fields,
                &command.method,
                &command.values,
            ];
            let Some((group, value)) = groups.iter().zip(0..).find_map(|(flags, group)| Some((group, has(flags)?)))
            else {
                // The value of a flag that is newer than the table, or else nothing that the command takes.
                if !word.starts_with('-') && !may_be_value {
                    break;
                }
                is_unknown = word.starts_with('-') && !word.contains('=');
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
                4 | 5 => {
                    let (name, value) = value.split_once('=').unwrap_or((&value, ""));
                    let name = name.trim_end_matches("[]").to_owned();
                    let names = &known().arguments;
                    let text = || match value.strip_prefix('@').filter(|_| group == 5) {
                        Some(path) => self.file(path, start),
                        None => self.text(value),
                    };
                    if names.title.contains(&name) {
                        title = title.or_else(|| Some(text()));
                    } else if names.body.contains(&name) {
                        body = body.or_else(|| Some(text()));
                    } else if names.labels.contains(&name) {
                        labels.push(value.to_owned());
                    }
                }
                6 if !value.eq_ignore_ascii_case("post") => return None,
                _ => {}
            }
        }
        if !is_addressed {
            return None;
        }
        let reason = self.override_reason(start);
        Some(Created { command: command.words.join(" "), title, body, labels, reason })
    }

    /// The text of a value.
    fn text(&self, value: &str) -> Text {
        static DOCUMENT: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\s*cat\s+<<@(\d+)\s*$"));
        static FILE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\s*(?:cat\s+|<\s*)([^\s$`|;&<>()]+)\s*$"));
        static NAME: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\s*\$\{?\w+\}?\s*$"));
        if let Some(inner) = only_substitution(value).and_then(|number| self.substituted.get(number)) {
            if let Some(found) = DOCUMENT.captures(inner) {
                let document = found[1].parse().ok().and_then(|number: usize| self.documents.get(number));
                return document.map_or(Text::Unseen, |document| Text::Written(document.clone()));
            }
            return FILE.captures(inner).map_or(Text::Unseen, |found| self.content(&found[1]));
        }
        if substitutions(value).next().is_some() || NAME.is_match(value) {
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
        let after = self.words[start..].iter().take_while(|word| !is_end(word)).find_map(number);
        let is_piped = start > 0 && is_separator(&self.words[start - 1], "|");
        let before = || self.words[..start].iter().rev().take(4).find_map(number).filter(|_| is_piped);
        let document = after.or_else(before).and_then(|number| self.documents.get(number));
        document.map_or(Text::Unseen, |document| Text::Written(document.clone()))
    }

    /// The content of a file, which the same command may be writing.
    fn content(&self, path: &str) -> Text {
        let written = self.files().find(|(written, _)| *written == path);
        match written {
            Some((_, text)) => Text::Written(text.to_owned()),
            None if path.contains(['$', '`', '*', '?', '~']) || substitutions(path).next().is_some() => Text::Unseen,
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

/// True for a word that ends a command.
fn is_end(word: &str) -> bool {
    word == "}" || word.starts_with(MARK)
}

fn is_separator(word: &str, separator: &str) -> bool {
    word.strip_prefix(MARK) == Some(separator)
}

/// The name of a program without its folder.
fn program(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
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
