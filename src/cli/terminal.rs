//! The terminal's colour and width, and the current day.

use std::io::IsTerminal;
use std::time::{SystemTime, UNIX_EPOCH};

use chrono::DateTime;
use reqgate::model::Language;
use reqgate::report::wrapped as wrapped_words;
use reqgate::text::display_width;

use super::arguments::ColorWhen;

/// The number of columns if the width is not known.
const DEFAULT_WIDTH: usize = 100;
/// The minimum width of the last column; a narrower one, or one of less than a third of the line, is placed below the
/// others.
const LEAST_COLUMN: usize = 14;
/// The indent of such a column.
const BELOW: usize = 4;
/// The maximum width, because longer lines are hard to read.
const WIDEST: usize = 120;

/// Applies `--color` to standard error.
pub fn set_colour(when: ColorWhen) {
    match when {
        ColorWhen::Auto => {}
        ColorWhen::Always => anstream::ColorChoice::Always.write_global(),
        ColorWhen::Never => anstream::ColorChoice::Never.write_global(),
    }
}

/// Returns true if standard output is coloured.
pub(crate) fn is_coloured(when: ColorWhen) -> bool {
    match when {
        ColorWhen::Always => true,
        ColorWhen::Never => false,
        ColorWhen::Auto => {
            let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
            let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
            !is_set("NO_COLOR") && (is_set("CLICOLOR_FORCE") || (std::io::stdout().is_terminal() && !is_dumb))
        }
    }
}

/// Returns true if standard output is a terminal.
pub fn is_shown() -> bool {
    std::io::stdout().is_terminal()
}

/// The width of standard output in columns.
pub fn width() -> usize {
    match terminal_size::terminal_size_of(std::io::stdout()) {
        Some((width, _)) => usize::from(width.0).min(WIDEST),
        None => DEFAULT_WIDTH,
    }
}

/// The language of the user's environment, for messages that are not about a text.
pub fn language() -> Language {
    let set = ["LC_ALL", "LC_MESSAGES", "LANG"]
        .into_iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
    if set.is_some_and(|locale| locale.starts_with("zh")) { Language::Zh } else { Language::En }
}

/// A text for people on standard output: on a terminal, lines are broken between words, with hanging indent.
pub fn wrapped(text: &str) -> String {
    match std::io::stdout().is_terminal() {
        true => folded(text, width()),
        false => text.to_owned(),
    }
}

fn folded(text: &str, width: usize) -> String {
    let lines: Vec<String> = text.split('\n').map(|line| folded_line(line, width)).collect();
    lines.join("\n")
}

fn folded_line(line: &str, width: usize) -> String {
    // Escape sequences for colours have no width.
    let shown = |part: &str| display_width(&anstream::adapter::strip_str(part).to_string());
    if shown(line) <= width {
        return line.to_owned();
    }
    let bare = line.trim_start();
    let indent = line.len() - bare.len();
    let mark =
        ["- [ ] ", "- [x] ", "- ", "> "].iter().find(|mark| bare.starts_with(**mark)).map_or(0, |mark| mark.len());
    // In a line with columns, the last column that begins within the width is broken.
    let mut columns = line.rmatch_indices("  ").map(|(at, blanks)| at + blanks.len());
    let column = columns.find(|at| shown(&line[..*at]) < width).filter(|at| *at > indent + mark);
    let (head, rest) = line.split_at(column.unwrap_or(indent + mark));
    let is_narrow = column.is_some() && shown(head) + LEAST_COLUMN.max(width / 3) > width;
    let hang = if is_narrow { indent + BELOW } else { shown(head).min(width.saturating_sub(LEAST_COLUMN)) };
    let rows = wrapped_words(rest, width.saturating_sub(hang)).join(&format!("\n{:hang$}", ""));
    if is_narrow { format!("{}\n{:hang$}{rows}", head.trim_end(), "") } else { format!("{head}{rows}") }
}

/// The current day in UTC, `YYYY-MM-DD`.
pub fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_secs());
    let day = i64::try_from(seconds).ok().and_then(|seconds| DateTime::from_timestamp(seconds, 0)).unwrap_or_default();
    day.format("%Y-%m-%d").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stay_whole_and_further_lines_hang_below_the_first() {
        assert_eq!(folded("  - one two three four\nshort", 20), "  - one two three\n    four\nshort");
        assert_eq!(
            folded("export  waiting  one two three four", 32),
            "export  waiting  one two three\n                 four"
        );
        assert_eq!(folded("页面必须在两秒内打开页面", 12), "页面必须在两\n秒内打开页面");
        // If a name leaves too little room, the words after it are placed below.
        assert_eq!(
            folded("docs/prd/001-stock-export/prd.md  5 stories in 1 wave", 48),
            "docs/prd/001-stock-export/prd.md\n    5 stories in 1 wave"
        );
        assert_eq!(
            folded("and-or  warning  AMBIGUITY      en zh  It leaves the logic to the reader.  right .9", 50),
            "and-or  warning  AMBIGUITY      en zh\n    It leaves the logic to the reader. right .9"
        );
        let bold = "\u{1b}[1m导出\u{1b}[0m  提问：还有两个缺口";
        assert_eq!(folded(bold, 20), "\u{1b}[1m导出\u{1b}[0m  提问：还有两个\n      缺口");
    }
}
