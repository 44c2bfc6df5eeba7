//! Renders a trace as a table for a terminal, and as Markdown.

use anstyle::{AnsiColor, Style};
use unicode_width::UnicodeWidthStr;

use super::{Evidence, Mentions, RequirementStatus, Stray, StrayReason, Trace, TracedRequirement};
use crate::gaps::{Terminal, safe};
use reqgate_base::clean::one_line;
use reqgate_base::model::Language;
use reqgate_messages as messages;

const BOLD: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();
/// The number of unknown ids that are listed without `--verbose`.
const MOST_STRAYS: usize = 10;
/// The kinds of mention, in the order of the columns.
pub(super) const KINDS: [Evidence; 3] = [Evidence::Tests, Evidence::Code, Evidence::Commits];

impl RequirementStatus {
    /// The status in this language.
    pub(super) fn words(self, language: Language) -> &'static str {
        messages::Trace::of(language).statuses[self as usize]
    }
}

impl Evidence {
    /// The name of the kind of places in this language.
    pub(super) fn words(self, language: Language) -> &'static str {
        messages::Trace::of(language).kinds[self as usize]
    }

    /// The kind as a phrase in a sentence: "in tests".
    fn inside(self, language: Language) -> &'static str {
        messages::Trace::of(language).inside[self as usize]
    }
}

impl StrayReason {
    /// The reason in this language.
    pub(super) fn words(self, language: Language) -> &'static str {
        messages::Trace::of(language).stray_reasons[self as usize]
    }
}

/// The extent of the search: "12 test files, 40 other files, 812 commits".
pub(super) fn extent(trace: &Trace) -> String {
    let searched = &trace.searched;
    let words = messages::Trace::of(trace.language);
    let mut parts = vec![words.test_files(searched.test_files), words.other_files(searched.code_files)];
    parts.extend(searched.commits.map(|count| words.commits_searched(count)));
    words.searched(&parts.join(words.comma))
}

/// The results, one sentence each.
pub(super) fn sentences(trace: &Trace) -> Vec<String> {
    let language = trace.language;
    let words = messages::Trace::of(language);
    if trace.is_silent() {
        return vec![silent(trace)];
    }
    let wanted: Vec<&TracedRequirement> = trace.wanted().collect();
    let mut out = vec![totals(trace, wanted.len())];
    let ids = |is_one: &dyn Fn(&TracedRequirement) -> bool| {
        let ids: Vec<&str> = wanted.iter().filter(|one| is_one(one)).map(|one| one.id.as_str()).collect();
        ids.join(words.comma)
    };
    let neither = ids(&|one| one.mentions.tests.count + one.mentions.code.count == 0);
    if !neither.is_empty() {
        out.push(format!("{}{neither}", words.in_neither));
    }
    let untested = ids(&|one| one.mentions.tests.count == 0 && one.mentions.code.count > 0);
    if !untested.is_empty() {
        out.push(format!("{}{untested}", words.in_code_only));
    }
    out
}

/// The result if no requirement is mentioned, with a hint how to begin.
fn silent(trace: &Trace) -> String {
    let first = trace.wanted().next().or(trace.requirements.first()).map_or("FR-001", |one| one.id.as_str());
    let snake = first.to_ascii_lowercase().replace('-', "_");
    messages::Trace::of(trace.language).silent(&first, &snake)
}

fn totals(trace: &Trace, wanted: usize) -> String {
    let language = trace.language;
    let is_read = |kind: &Evidence| *kind != Evidence::Commits || trace.searched.commits.is_some();
    let counts: Vec<(usize, Evidence)> = KINDS
        .into_iter()
        .filter(is_read)
        .map(|kind| (trace.wanted().filter(|one| one.mentions.count(kind) > Some(0)).count(), kind))
        .collect();
    let decided = trace.wanted().all(|one| one.status != RequirementStatus::Pending);
    let words = messages::Trace::of(language);
    // In English, the first part is a full clause.
    let part = |(index, (count, kind)): (usize, &(usize, Evidence))| match index {
        0 => words.mentioned_first(&kind.inside(language), *count),
        _ => words.mentioned(&kind.inside(language), count),
    };
    let parts = counts.iter().enumerate().map(part).collect::<Vec<_>>().join(words.clause_comma);
    if decided { words.totals_approved(wanted, &parts) } else { words.totals(wanted, &parts) }
}

/// The limits of the result: unread files and commits, and mentions that may refer to another feature.
pub(super) fn notes(trace: &Trace) -> Vec<String> {
    let (language, searched) = (trace.language, &trace.searched);
    let mut out = Vec::new();
    if let Some(note) = &searched.commits_note {
        let what = match searched.commits {
            None => messages::Trace::of(language).no_commits,
            Some(_) => messages::Trace::of(language).some_commits,
        };
        out.push(format!("{what}{note}"));
    }
    let words = messages::Trace::of(language);
    let mut add = |count: usize, sentence: fn(&messages::Trace, usize) -> String| {
        if count > 0 {
            out.push(sentence(words, count));
        }
    };
    add(searched.too_large, messages::Trace::too_large);
    add(searched.unreadable, messages::Trace::unreadable);
    add(trace.without_id, messages::Trace::without_id);
    out.extend(shared(trace));
    out
}

/// The note on mentions that may refer to another feature.
fn shared(trace: &Trace) -> Option<String> {
    let mentioned: Vec<&TracedRequirement> =
        trace.requirements.iter().filter(|one| !one.shared_with.is_empty() && one.mentions.total() > 0).collect();
    let first = mentioned.first()?;
    let other = first.shared_with.first()?;
    let ids: Vec<&str> = mentioned.iter().map(|one| one.id.as_str()).collect();
    let words = messages::Trace::of(trace.language);
    Some(words.other_features(&first.id, &ids.join(words.comma), other))
}

/// The sentences about required mentions, each with its success.
pub(super) fn verdicts(trace: &Trace) -> Vec<(bool, String)> {
    let language = trace.language;
    let sentence = |required: &super::Required| {
        let inside = required.evidence.inside(language);
        let missing = required.missing.join(messages::Trace::of(language).comma);
        let words = messages::Trace::of(language);
        let words = match required.missing.is_empty() {
            true => words.required_met(&inside),
            false => words.required_missing(&inside, &missing),
        };
        (required.missing.is_empty(), words)
    };
    trace.required.iter().map(sentence).collect()
}

/// The places of mentions, the tests first.
pub(super) fn places(mentions: &Mentions) -> Vec<String> {
    let files = mentions.tests.places.iter().chain(&mentions.code.places);
    let files = files.map(|place| one_line(&format!("{}:{}", place.path, place.line)).into_owned());
    let commits = mentions.commits.iter().flat_map(|commits| &commits.ids);
    files.chain(commits.map(|id| format!("commit {}", id.get(..12).unwrap_or(id)))).collect()
}

/// The number of mentions of a kind; empty if that kind was not searched.
pub(super) fn number(mentions: &Mentions, kind: Evidence) -> String {
    mentions.count(kind).map(|count| count.to_string()).unwrap_or_default()
}

/// The columns of the table: commits only if they were read.
pub(super) fn columns(trace: &Trace) -> Vec<Evidence> {
    KINDS.into_iter().filter(|kind| *kind != Evidence::Commits || trace.searched.commits.is_some()).collect()
}

/// Renders the trace for a terminal.
pub fn human(trace: &Trace, terminal: Terminal, verbose: bool) -> String {
    let language = trace.language;
    let mut out = format!("{}\n", terminal.painted(BOLD, &one_line(&trace.document)));
    let found = sentences(trace);
    if trace.is_silent() {
        out.push_str(&terminal.block(2, &found.join(" ")));
    } else {
        out.push('\n');
        out.push_str(&table(trace, terminal, verbose));
        out.push('\n');
        found.iter().for_each(|words| out.push_str(&terminal.block(2, words)));
    }
    out.push_str(&strays(trace, terminal, verbose));
    for (passes, words) in verdicts(trace) {
        let colour = if passes { AnsiColor::Green } else { AnsiColor::Red };
        let block = terminal.block(2, &words);
        out.push_str(&terminal.painted(colour.on_default().bold(), block.trim_end()));
        out.push('\n');
    }
    out.push('\n');
    out.push_str(&terminal.block(2, &extent(trace)));
    notes(trace).iter().for_each(|words| out.push_str(&terminal.block(2, words)));
    if !verbose && trace.requirements.iter().any(|one| places(&one.mentions).len() > 1) {
        let more = messages::Trace::of(language).every_place;
        out.push_str(&format!("  {}\n", terminal.painted(FAINT, more)));
    }
    out
}

fn table(trace: &Trace, terminal: Terminal, verbose: bool) -> String {
    let language = trace.language;
    let columns = columns(trace);
    let status_of = |one: &TracedRequirement| one.status.words(language);
    let widest = |words: &mut dyn Iterator<Item = &str>| words.map(UnicodeWidthStr::width).max().unwrap_or(0);
    let id_width = widest(&mut trace.requirements.iter().map(|one| one.id.as_str()));
    let status_width = widest(&mut trace.requirements.iter().map(status_of));
    let head: Vec<&str> = columns.iter().map(|kind| kind.words(language)).collect();
    let indent = 2 + id_width + 2 + status_width + 2 + head.iter().map(|word| word.width() + 2).sum::<usize>();
    let mut line = format!("  {}", padded("", id_width + 2 + status_width + 2));
    head.iter().for_each(|word| line.push_str(&format!("{word}  ")));
    let mut out = format!("{}\n", terminal.painted(FAINT, line.trim_end()));
    for one in &trace.requirements {
        let id = padded(&one.id, id_width);
        out.push_str(&format!("  {}  {}  ", terminal.painted(BOLD, &id), padded(status_of(one), status_width)));
        for (kind, word) in columns.iter().zip(&head) {
            let count = format!("{:>1$}", number(&one.mentions, *kind), word.width());
            let is_missing = one.wanted && one.mentions.count(*kind) == Some(0) && *kind != Evidence::Commits;
            let style = if is_missing { AnsiColor::Yellow.on_default().bold() } else { Style::new() };
            out.push_str(&format!("{}  ", terminal.painted(style, &count)));
        }
        let title = terminal.block(indent, &one.title);
        out.push_str(title.trim_start());
        let places = places(&one.mentions);
        let shown = if verbose { places.len() } else { 1 };
        for place in places.iter().take(shown) {
            out.push_str(&format!("{:indent$}{}\n", "", terminal.painted(FAINT, place)));
        }
    }
    out
}

/// The words, padded with spaces to a width.
fn padded(words: &str, width: usize) -> String {
    format!("{words}{:1$}", "", width.saturating_sub(words.width()))
}

fn strays(trace: &Trace, terminal: Terminal, verbose: bool) -> String {
    let language = trace.language;
    let mut out = String::new();
    for reason in [StrayReason::Rejected, StrayReason::OutOfScope, StrayReason::Removed, StrayReason::Unknown] {
        let all: Vec<&Stray> = trace.strays.iter().filter(|stray| stray.reason == reason).collect();
        if all.is_empty() {
            continue;
        }
        let title = terminal.painted(AnsiColor::Yellow.on_default(), reason.words(language));
        out.push_str(&format!("  {title}{}\n", messages::Trace::of(language).bare_colon));
        let shown = if verbose { all.len() } else { MOST_STRAYS };
        for stray in all.iter().take(shown) {
            out.push_str(&terminal.block(4, &stray_words(stray, verbose, language)));
        }
        if let Some(more) = all.len().checked_sub(shown).filter(|more| *more > 0) {
            out.push_str(&messages::Trace::of(language).and_more(&more));
        }
    }
    out
}

/// A mentioned id with its places: "FR-009  src/a.rs:3 (2 places)".
pub(super) fn stray_words(stray: &Stray, verbose: bool, language: Language) -> String {
    let places = places(&stray.mentions);
    if verbose {
        return format!("{}  {}", stray.id, places.join(", "));
    }
    let first = places.first().map(String::as_str).unwrap_or_default();
    let total = stray.mentions.total();
    match total {
        0 | 1 => format!("{}  {first}", stray.id),
        _ => messages::Trace::of(language).stray_places(&first, &stray.id, &total),
    }
}

/// Renders the trace as Markdown.
pub fn markdown(trace: &Trace) -> String {
    let language = trace.language;
    let said = messages::Trace::of(language);
    let mut out = format!("# {}: {}\n\n", said.title, safe(&trace.document));
    for words in sentences(trace) {
        out.push_str(&format!("{}\n\n", code_safe(&words)));
    }
    for (passes, words) in verdicts(trace) {
        out.push_str(&format!("{} {}\n\n", if passes { "✅" } else { "❌" }, safe(&words)));
    }
    if !trace.is_silent() {
        let columns = columns(trace);
        let head: Vec<&str> = columns.iter().map(|kind| kind.words(language)).collect();
        out.push_str(said.table_head);
        head.iter().for_each(|word| out.push_str(&format!(" {word} |")));
        out.push_str(said.table_head_places);
        columns.iter().for_each(|_| out.push_str(" ---: |"));
        out.push_str(" --- |\n");
        for one in &trace.requirements {
            let (status, title) = (one.status.words(language), safe(&one.title));
            out.push_str(&format!("| {} | {title} | {status} |", safe(&one.id)));
            columns.iter().for_each(|kind| out.push_str(&format!(" {} |", number(&one.mentions, *kind))));
            let place = places(&one.mentions).into_iter().next().unwrap_or_default();
            out.push_str(&format!(" {} |\n", safe(&place)));
        }
        out.push('\n');
    }
    for stray in &trace.strays {
        let words = stray_words(stray, false, language);
        out.push_str(&format!("- {}: {}\n", stray.reason.words(language), safe(&words)));
    }
    if !trace.strays.is_empty() {
        out.push('\n');
    }
    out.push_str(&format!("{}\n", extent(trace)));
    notes(trace).iter().for_each(|words| out.push_str(&format!("\n{}\n", code_safe(words))));
    out
}

/// Escapes a sentence with text of a document, except between backticks, where Markdown needs no escaping.
fn code_safe(words: &str) -> String {
    let part = |(at, part): (usize, &str)| if at % 2 == 0 { safe(part) } else { one_line(part).into_owned() };
    words.split('`').enumerate().map(part).collect::<Vec<_>>().join("`")
}
