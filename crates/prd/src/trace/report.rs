//! Renders a trace as a table for a terminal, and as Markdown.

use anstyle::{AnsiColor, Style};
use unicode_width::UnicodeWidthStr;

use super::{Evidence, Mentions, RequirementStatus, Stray, StrayReason, Trace, TracedRequirement};
use crate::gaps::{Terminal, safe};
use reqgate_base::clean::one_line;
use reqgate_base::model::Language;

const BOLD: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();
/// The number of unknown ids that are listed without `--verbose`.
const MOST_STRAYS: usize = 10;
/// The kinds of mention, in the order of the columns.
pub(super) const KINDS: [Evidence; 3] = [Evidence::Tests, Evidence::Code, Evidence::Commits];

impl RequirementStatus {
    pub(super) fn words(self, language: Language) -> &'static str {
        match self {
            Self::Pending => language.of("pending", "待评审"),
            Self::Approved => language.of("approved", "已批准"),
            Self::Modified => language.of("modified", "修改后批准"),
            Self::Rejected => language.of("rejected", "已拒绝"),
            Self::OutOfScope => language.of("out of scope", "不在范围内"),
        }
    }
}

impl Evidence {
    pub(super) fn words(self, language: Language) -> &'static str {
        match self {
            Self::Tests => language.of("tests", "测试"),
            Self::Code => language.of("code", "代码"),
            Self::Commits => language.of("commits", "提交"),
        }
    }

    /// The kind as a phrase in a sentence: "in tests".
    fn inside(self, language: Language) -> &'static str {
        match self {
            Self::Tests => language.of("in tests", "测试"),
            Self::Code => language.of("in code", "代码"),
            Self::Commits => language.of("in commit messages", "提交说明"),
        }
    }
}

impl StrayReason {
    pub(super) fn words(self, language: Language) -> &'static str {
        match self {
            Self::Rejected => language.of("Rejected, but still mentioned", "已拒绝，但仍被提到"),
            Self::OutOfScope => language.of("Out of scope, but mentioned", "不在范围内，但被提到"),
            Self::Removed => language.of("No longer a requirement, but still mentioned", "已不是需求，但仍被提到"),
            Self::Unknown => language.of("Mentioned, but in no document", "被提到，但文档里没有"),
        }
    }
}

fn counted(count: usize, one: &str) -> String {
    format!("{count} {one}{}", if count == 1 { "" } else { "s" })
}

/// The extent of the search: "12 test files, 40 other files, 812 commits".
pub(super) fn extent(trace: &Trace) -> String {
    let searched = &trace.searched;
    match trace.language {
        Language::En => {
            let mut parts = vec![counted(searched.test_files, "test file"), counted(searched.code_files, "other file")];
            parts.extend(searched.commits.map(|count| counted(count, "commit")));
            format!("Searched {}.", parts.join(", "))
        }
        Language::Zh => {
            let commits = searched.commits.map(|count| format!("、{count} 次提交")).unwrap_or_default();
            format!("搜索了 {} 个测试文件、{} 个其他文件{commits}。", searched.test_files, searched.code_files)
        }
    }
}

/// The results, one sentence each.
pub(super) fn sentences(trace: &Trace) -> Vec<String> {
    let language = trace.language;
    if trace.is_silent() {
        return vec![silent(trace)];
    }
    let wanted: Vec<&TracedRequirement> = trace.wanted().collect();
    let mut out = vec![totals(trace, wanted.len())];
    let ids = |is_one: &dyn Fn(&TracedRequirement) -> bool| {
        let ids: Vec<&str> = wanted.iter().filter(|one| is_one(one)).map(|one| one.id.as_str()).collect();
        ids.join(language.of(", ", "、"))
    };
    let neither = ids(&|one| one.mentions.tests.count + one.mentions.code.count == 0);
    if !neither.is_empty() {
        out.push(format!("{}{neither}", language.of("In neither tests nor code: ", "测试和代码里都没有：")));
    }
    let untested = ids(&|one| one.mentions.tests.count == 0 && one.mentions.code.count > 0);
    if !untested.is_empty() {
        out.push(format!("{}{untested}", language.of("In code, but in no test: ", "代码里有，测试里没有：")));
    }
    out
}

/// The result if no requirement is mentioned, with a hint how to begin.
fn silent(trace: &Trace) -> String {
    let first = trace.wanted().next().or(trace.requirements.first()).map_or("FR-001", |one| one.id.as_str());
    let snake = first.to_ascii_lowercase().replace('-', "_");
    match trace.language {
        Language::En => format!(
            "No requirement is mentioned anywhere. To begin, put the id into the name of a test: \
             `test_{snake}_…`, or `\"{first}: …\"`."
        ),
        Language::Zh => {
            format!("没有任何地方提到需求编号。可以先把编号写进测试名：`test_{snake}_…` 或 `\"{first}：…\"`。")
        }
    }
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
    match language {
        Language::En => {
            let mut parts = counts.iter().map(|(count, kind)| match kind {
                Evidence::Tests => format!("{count} {} mentioned in tests", if *count == 1 { "is" } else { "are" }),
                kind => format!("{count} {}", kind.inside(language)),
            });
            let what = if decided { "approved requirement" } else { "requirement" };
            let first = parts.next().unwrap_or_default();
            format!("Of {}, {first}, {}.", counted(wanted, what), parts.collect::<Vec<_>>().join(", "))
        }
        Language::Zh => {
            let parts: Vec<String> =
                counts.iter().map(|(count, kind)| format!("{}提到 {count} 条", kind.inside(language))).collect();
            let what = if decided { "已批准的需求" } else { "需求" };
            format!("{wanted} 条{what}：{}。", parts.join("，"))
        }
    }
}

/// The limits of the result: unread files and commits, and mentions that may refer to another feature.
pub(super) fn notes(trace: &Trace) -> Vec<String> {
    let (language, searched) = (trace.language, &trace.searched);
    let mut out = Vec::new();
    if let Some(note) = &searched.commits_note {
        let what = match searched.commits {
            None => language.of("Commits were not searched: ", "没有搜索提交："),
            Some(_) => language.of("Not all commits were searched: ", "没有搜索全部提交："),
        };
        out.push(format!("{what}{note}"));
    }
    if searched.too_large > 0 {
        out.push(match language {
            Language::En => format!("{} larger than 2 MiB skipped.", counted(searched.too_large, "file")),
            Language::Zh => format!("跳过了 {} 个大于 2 MiB 的文件。", searched.too_large),
        });
    }
    if searched.unreadable > 0 {
        out.push(match language {
            Language::En => format!("{} could not be read.", counted(searched.unreadable, "file")),
            Language::Zh => format!("{} 个文件无法读取。", searched.unreadable),
        });
    }
    if trace.without_id > 0 {
        out.push(match language {
            Language::En => {
                format!("{} without an id could not be looked for.", counted(trace.without_id, "requirement"))
            }
            Language::Zh => format!("{} 条需求没有编号，无法查找。", trace.without_id),
        });
    }
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
    Some(match trace.language {
        Language::En => format!(
            "Other features have the same ids, so a mention may be meant for them: {} (for example in {other}). Name the \
             feature on the same line or in the path of the file: `{other} {}`.",
            ids.join(", "),
            first.id
        ),
        Language::Zh => format!(
            "其他功能也有同样的编号，这些提及可能属于它们：{}（例如 {other}）。请在同一行或文件路径里写明功能：`{other} {}`。",
            ids.join("、"),
            first.id
        ),
    })
}

/// The sentences about required mentions, each with its success.
pub(super) fn verdicts(trace: &Trace) -> Vec<(bool, String)> {
    let language = trace.language;
    let sentence = |required: &super::Required| {
        let inside = required.evidence.inside(language);
        let missing = required.missing.join(language.of(", ", "、"));
        let words = match (language, required.missing.is_empty()) {
            (Language::En, true) => format!("Required {inside}: every one is mentioned."),
            (Language::En, false) => format!("Required {inside}, but not mentioned there: {missing}"),
            (Language::Zh, true) => format!("要求在{inside}里提到：全部满足。"),
            (Language::Zh, false) => format!("要求在{inside}里提到，但没有：{missing}"),
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
        let more = language.of("Every place: --verbose", "全部位置：--verbose");
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
        out.push_str(&format!("  {title}{}\n", language.of(":", "：")));
        let shown = if verbose { all.len() } else { MOST_STRAYS };
        for stray in all.iter().take(shown) {
            out.push_str(&terminal.block(4, &stray_words(stray, verbose, language)));
        }
        if let Some(more) = all.len().checked_sub(shown).filter(|more| *more > 0) {
            out.push_str(&match language {
                Language::En => format!("    and {more} more\n"),
                Language::Zh => format!("    另有 {more} 个\n"),
            });
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
    match (total, language) {
        (0 | 1, _) => format!("{}  {first}", stray.id),
        (_, Language::En) => format!("{}  {first} ({total} places)", stray.id),
        (_, Language::Zh) => format!("{}  {first}（{total} 处）", stray.id),
    }
}

/// Renders the trace as Markdown.
pub fn markdown(trace: &Trace) -> String {
    let language = trace.language;
    let mut out = format!("# {}: {}\n\n", language.of("Requirements traced", "需求追踪"), safe(&trace.document));
    for words in sentences(trace) {
        out.push_str(&format!("{}\n\n", code_safe(&words)));
    }
    for (passes, words) in verdicts(trace) {
        out.push_str(&format!("{} {}\n\n", if passes { "✅" } else { "❌" }, safe(&words)));
    }
    if !trace.is_silent() {
        let columns = columns(trace);
        let head: Vec<&str> = columns.iter().map(|kind| kind.words(language)).collect();
        out.push_str(language.of("| id | title | status |", "| 编号 | 标题 | 状态 |"));
        head.iter().for_each(|word| out.push_str(&format!(" {word} |")));
        out.push_str(language.of(" first place |\n| --- | --- | --- |", " 首个位置 |\n| --- | --- | --- |"));
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
