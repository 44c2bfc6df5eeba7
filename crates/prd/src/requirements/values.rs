//! Cleans values, in the same way for values of people and of the program.

use std::collections::BTreeSet;

use crate::{Decided, QuestionId, Requirement, ReviewRecord, SourceQuote};
use reqgate_docs::lines;
use reqgate_docs::values::{items, names, on_one_line};

/// Cleans text on several lines: no carriage returns, trailing white space, or empty lines around it.
pub(super) fn many_lines(words: &str) -> String {
    let unix = words.replace("\r\n", "\n").replace('\r', "\n");
    let lines: Vec<&str> = unix.lines().map(str::trim_end).collect();
    lines.join("\n").trim().to_owned()
}

/// A requirement in the form in which it can be written and read again.
pub(super) fn clean(requirement: &Requirement) -> Requirement {
    let flat = |list: &[String]| list.iter().flat_map(|words| names(&on_one_line(words))).collect();
    Requirement {
        id: requirement.id.clone(),
        title: on_one_line(&requirement.title),
        description: many_lines(&requirement.description),
        priority: requirement.priority,
        category: on_one_line(&requirement.category),
        acceptance_criteria: items(&requirement.acceptance_criteria),
        sources: requirement.sources.iter().map(clean_source).collect(),
        aliases: flat(&requirement.aliases),
        user_stories: flat(&requirement.user_stories),
        waits_for: unique(&requirement.waits_for),
    }
}

fn unique(ids: &[QuestionId]) -> Vec<QuestionId> {
    ids.iter().copied().collect::<BTreeSet<_>>().into_iter().collect()
}

fn clean_source(source: &SourceQuote) -> SourceQuote {
    let name = on_one_line(&source.source);
    let quote = on_one_line(&source.quote);
    SourceQuote {
        source: lines::without_tick_box(&name).to_owned(),
        line: source.line.max(1),
        quote: quote.trim_start_matches([':', ' ']).trim().to_owned(),
    }
}

/// The decision in the form in which it can be written and read again.
pub(super) fn clean_decided(decided: &Decided) -> Decided {
    match decided {
        Decided::Pending => Decided::Pending,
        Decided::Approved => Decided::Approved,
        Decided::Modified { notes } => Decided::Modified { notes: on_one_line(notes) },
        Decided::Rejected { reason } => Decided::Rejected { reason: on_one_line(reason) },
        Decided::OutOfScope { reason } => Decided::OutOfScope { reason: on_one_line(reason) },
    }
}

/// The review in the form in which it can be written and read again.
pub(super) fn clean_record(record: &ReviewRecord) -> ReviewRecord {
    ReviewRecord {
        timestamp: record.timestamp.split([',', '\n', '\r']).next().unwrap_or_default().trim().to_owned(),
        actor: on_one_line(&record.actor),
        summary: on_one_line(&record.summary),
        ..record.clone()
    }
}

/// A source as written in the document: `notes.md:12: its words`.
pub(super) fn source_line(source: &SourceQuote) -> String {
    let mut name = String::new();
    let mut chars = source.source.chars().peekable();
    while let Some(c) = chars.next() {
        let ends = c == ':' && chars.peek().is_some_and(char::is_ascii_digit);
        if c == '\\' || ends {
            name.push('\\');
        }
        name.push(c);
    }
    format!("{name}:{}: {}", source.line, source.quote).trim_end().to_owned()
}

/// Reads a source; words without a location are a quote of unknown origin.
pub(super) fn source(words: &str) -> SourceQuote {
    let mut name = String::new();
    let mut chars = words.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => name.extend(chars.next().map(|(_, c)| c)),
            ':' => {
                let rest = &words[at + 1..];
                let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
                if let Ok(line @ 1..) = rest[..digits].parse::<u32>() {
                    let quote = rest[digits..].trim_start_matches([':', ' ']).trim();
                    return SourceQuote { source: name.trim().to_owned(), line, quote: quote.to_owned() };
                }
                name.push(c);
            }
            _ => name.push(c),
        }
    }
    SourceQuote { source: words.trim().to_owned(), line: 1, quote: String::new() }
}
