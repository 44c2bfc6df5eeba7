//! The tickets that a shell command creates, read from its words; the command is not expanded or executed.
//!
//! `shlex` splits the command into words. It does not know here-documents, which agents usually use for long texts, or
//! commands within the command, so these are removed first ([`shell_text`](super::shell_text)). A word whose text is
//! produced at run time is [`Text::Unseen`]. A command that does not certainly create a ticket is ignored, because a
//! false stop is worse than a miss.

use std::collections::VecDeque;
use std::sync::LazyLock;

use regex::Regex;
use shlex::Shlex;

use super::OVERRIDE;
use super::shell_text::{
    MARK, apart, only_substitution, pattern, plain, substitutions, without_documents, without_substitutions,
};
use super::shown::{Command, known};

/// The source of a part of a ticket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Text {
    /// Text that is written in the command.
    Written(String),
    /// The path of a file with the text.
    File(String),
    /// Text that is produced at run time.
    Unseen,
}

/// A ticket that a command creates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Created {
    /// The name of the command, e.g. `gh issue create`.
    pub command: String,
    pub title: Option<Text>,
    pub body: Option<Text>,
    pub labels: Vec<String>,
    /// The value of [`OVERRIDE`] before the command; it may be empty.
    pub reason: Option<String>,
}

/// A command as words, followed by the words of the commands within it.
#[derive(Debug, Default)]
pub(super) struct Script {
    words: Vec<String>,
    documents: Vec<String>,
    /// The commands of its substitutions, by number.
    substituted: Vec<String>,
    /// A quote is not closed.
    pub is_broken: bool,
}

/// The maximum number of words; a longer command was not typed by a person.
const MOST_WORDS: usize = 20_000;
/// The maximum number of tickets of one call that are judged.
pub(super) const MOST_TICKETS: usize = 50;
/// The maximum number of commands within the command that are read.
const MOST_INNER: usize = 32;
/// The maximum depth of commands within commands that are read.
const DEEPEST: usize = 4;
/// The maximum number of words before a command for it to be recognised.
const MOST_BEFORE: usize = 64;
/// Words that can precede a command: keywords of the shell, and programs that run another program.
const PREFIXES: [&str; 18] = [
    "if", "then", "elif", "else", "while", "until", "do", "!", "{", "time", "env", "command", "exec", "sudo", "nice",
    "nohup", "timeout", "stdbuf",
];
/// Shells that run a text as a command.
const SHELLS: [&str; 5] = ["bash", "sh", "zsh", "dash", "ksh"];

/// Returns true if the command may create a ticket or write a file, so that it is worth parsing.
pub(super) fn is_of_interest(command: &str) -> bool {
    let names = |known: &Command| known.words.iter().all(|word| command.contains(word.as_str()));
    command.contains("<<") || known().commands.iter().any(names)
}

impl Script {
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
                // The words before an inner command do not belong to it, except for the reason of an override.
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

    /// The commands that the word at this index makes the shell run: `$(…)`, and the text of `bash -c '…'` and `bash
    /// <<EOF`.
    fn inner(&self, at: usize) -> impl Iterator<Item = String> {
        let substituted = substitutions(&self.words[at]).filter_map(|number| self.substituted.get(number)).cloned();
        substituted.chain(self.run_by_shell(at))
    }

    /// The text that a shell at this index runs.
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

    /// Returns true if the word at this index begins a command and is not an argument of another.
    fn is_command(&self, at: usize) -> bool {
        let window = &self.words[at.saturating_sub(MOST_BEFORE)..at];
        let before = match window.iter().rposition(|word| is_end(word)) {
            Some(end) => &window[end + 1..],
            None if window.len() < MOST_BEFORE => window,
            None => return false,
        };
        // Options and numbers can belong to programs that run another: `timeout -k 5 60 gh …`.
        let is_before = |word: &String| {
            is_setting(word)
                || PREFIXES.contains(&program(word))
                || word.starts_with(|c: char| c == '-' || c.is_ascii_digit())
        };
        before.iter().all(is_before)
    }

    /// The reason to let the command at `start` pass: the value of [`OVERRIDE`] among the variables set before it.
    fn override_reason(&self, start: usize) -> Option<String> {
        let sets = |word: &&String| is_setting(word) || matches!(word.as_str(), "env" | "export");
        let mut end = start;
        loop {
            let begin = self.words[..end].iter().rposition(|word| is_end(word)).map_or(0, |at| at + 1);
            let statement = &self.words[begin..end];
            // Variables are set before the command on its line, or in separate statements that only set variables.
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
    pub(crate) fn tickets(&self) -> Vec<Created> {
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

    /// The path and content of the files that it writes from here-documents.
    pub(super) fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        (0..self.words.len()).filter_map(|at| {
            let path = self.written_at(at)?;
            Some((path, self.document_near(at)?))
        })
    }

    /// The index after the words of `command` if it begins here. Its flags may be between them, as in `gh issue -R
    /// octo/shop create`.
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
        let reason = self.override_reason(start);
        let mut created =
            Created { command: command.words.join(" "), title: None, body: None, labels: Vec::new(), reason };
        let mut is_unknown = false;
        // A call of an API creates a ticket only if its address matches.
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
            if command.person.iter().any(|flag| value_of(word, flag).is_some()) {
                return None;
            }
            if !is_addressed && !word.starts_with('-') && !may_be_value {
                if !command.creates_at(word) {
                    return None;
                }
                is_addressed = true;
                continue;
            }
            let Some((kind, value)) = flag(command, word) else {
                // The word is the value of a flag missing from the table, or else it does not belong to the command.
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
            if kind == FlagKind::Method && !value.eq_ignore_ascii_case("post") {
                return None;
            }
            self.set(&mut created, kind, &value, start);
        }
        is_addressed.then_some(created)
    }

    /// Sets the part of a ticket that a flag gives; the first title and the first body count.
    fn set(&self, created: &mut Created, kind: FlagKind, value: &str, start: usize) {
        let Created { title, body, labels, .. } = created;
        match kind {
            FlagKind::Title => drop(title.get_or_insert_with(|| self.text(value))),
            FlagKind::Body => drop(body.get_or_insert_with(|| self.text(value))),
            FlagKind::BodyFile => drop(body.get_or_insert_with(|| self.file(value, start))),
            FlagKind::Labels => labels.extend(value.split(',').map(|label| label.trim().to_owned())),
            FlagKind::Field | FlagKind::TypedField => {
                let (name, value) = value.split_once('=').unwrap_or((value, ""));
                let name = name.trim_end_matches("[]").to_owned();
                let names = &known().arguments;
                let text = || match value.strip_prefix('@').filter(|_| kind == FlagKind::TypedField) {
                    Some(path) => self.file(path, start),
                    None => self.text(value),
                };
                if names.title.contains(&name) {
                    title.get_or_insert_with(text);
                } else if names.body.contains(&name) {
                    body.get_or_insert_with(text);
                } else if names.labels.contains(&name) {
                    labels.push(value.to_owned());
                }
            }
            FlagKind::Method | FlagKind::Other => {}
        }
    }

    /// The text of a value in the command.
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

    /// The text of the file that a command at `start` reads it from.
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

    /// The content of a file, which may be written by the same command.
    fn content(&self, path: &str) -> Text {
        let written = self.files().find(|(written, _)| *written == path);
        match written {
            Some((_, text)) => Text::Written(text.to_owned()),
            None if path.contains(['$', '`', '*', '?', '~']) || substitutions(path).next().is_some() => Text::Unseen,
            None => Text::File(path.to_owned()),
        }
    }

    /// The path that a redirection at this index writes to.
    fn written_at(&self, at: usize) -> Option<&str> {
        let rest = self.words[at].strip_prefix('>')?;
        match rest {
            "" | "|" => self.words.get(at + 1).map(String::as_str),
            _ if rest.starts_with(['>', '&']) => None,
            path => Some(path),
        }
    }

    /// The here-document next to this index.
    fn document_near(&self, at: usize) -> Option<&str> {
        let around = self.words[..at].iter().rev().take(3).chain(self.words[at..].iter().take(3));
        let number = around.filter_map(|word| word.strip_prefix("<<@")).find_map(|number| number.parse().ok());
        number.and_then(|number: usize| self.documents.get(number)).map(String::as_str)
    }
}

/// Returns true for a word that ends a command.
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

/// Returns true for a word of the form `NAME=value`.
fn is_setting(word: &str) -> bool {
    let name = word.split_once('=').map_or("", |(name, _)| name);
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// The number of following words that belong to a redirection; `None` for other words.
fn redirection(word: &str) -> Option<usize> {
    let bare = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '&');
    if bare.starts_with("<<@") || bare.starts_with(">&") {
        return Some(0);
    }
    let after = bare.strip_prefix(['<', '>'])?.trim_start_matches(['>', '|']);
    Some(usize::from(after.is_empty()))
}

/// The part of a ticket, or of a request, that a flag gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FlagKind {
    Title,
    Body,
    BodyFile,
    Labels,
    Field,
    /// A field whose value can be read from a file.
    TypedField,
    Method,
    /// A flag whose value does not matter.
    Other,
}

/// The kind of a word that is a flag with a value, and the value if the word contains it.
fn flag<'w>(command: &Command, word: &'w str) -> Option<(FlagKind, Option<&'w str>)> {
    let kinds = [
        (FlagKind::Title, &command.title),
        (FlagKind::Body, &command.body),
        (FlagKind::BodyFile, &command.body_file),
        (FlagKind::Labels, &command.labels),
        (FlagKind::Field, &command.fields),
        (FlagKind::TypedField, &command.typed_fields),
        (FlagKind::Method, &command.method),
        (FlagKind::Other, &command.values),
    ];
    kinds.iter().find_map(|(kind, flags)| {
        let value = flags.iter().find_map(|flag| value_of(word, flag))?;
        Some((*kind, value))
    })
}

/// The value of a flag that the word equals or starts with: `--title`, `--title=x`, `-t` and `-tx`.
fn value_of<'w>(word: &'w str, flag: &str) -> Option<Option<&'w str>> {
    let rest = word.strip_prefix(flag)?;
    match rest.strip_prefix('=') {
        Some(value) => Some(Some(value)),
        None if rest.is_empty() => Some(None),
        None if flag.starts_with("--") => None,
        None => Some(Some(rest)),
    }
}
