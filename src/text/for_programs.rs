//! Tells files that are written for programs (data, configuration, logs, source code) from texts that somebody wrote for readers.
//!
//! A ticket may hold more code than words, and still it has a title or a sentence before it. Only what is for programs from
//! the first line to the last, comments left out, is taken for such a file.

use super::fenced_text::is_prose;
use super::lexicon::is_cjk;
use super::line_shapes::is_log_line;

/// Most lines that are looked at.
const LINES: usize = 400;
/// Fewer lines may be what somebody pasted to ask about it.
const FEWEST_LINES: usize = 4;
/// Lines of a hundred that may look like words: a name in a table, a message in a log.
const WORDS_OF_100: usize = 5;

/// Endings of files that hold no prose of their own; comments aside.
const ENDINGS: [&str; 34] = [
    "c",
    "cc",
    "cfg",
    "conf",
    "cpp",
    "cs",
    "css",
    "csv",
    "env",
    "go",
    "h",
    "hpp",
    "ini",
    "java",
    "js",
    "kt",
    "lock",
    "log",
    "lua",
    "php",
    "pl",
    "properties",
    "ps1",
    "py",
    "rb",
    "rs",
    "sh",
    "sql",
    "swift",
    "toml",
    "ts",
    "tsv",
    "xml",
    "yaml",
];

/// True for a text that no part of is addressed to a reader; `name` is that of its file.
pub fn is_for_programs(name: &str, text: &str) -> bool {
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let is_named = ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known)) || text.starts_with("#!");
    if is_of_columns(text) || is_encoded(text) {
        return true;
    }
    let (mut lines, mut data, mut words) = (0usize, 0usize, 0usize);
    let mut is_comment = false;
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()).take(LINES) {
        let was_comment = is_comment;
        is_comment = (is_comment || line.starts_with("/*")) && !line.ends_with("*/");
        if was_comment || line.starts_with("/*") || line.starts_with("//") || is_named && is_comment_line(line) {
            continue;
        }
        // A fence, a heading or an item: somebody set it for readers.
        let is_set =
            line.starts_with("```") || line.starts_with("<!--") || line.starts_with("# ") || line.starts_with("## ");
        if is_set && !is_named || lines == 0 && !is_data(line, is_named) {
            return false;
        }
        lines += 1;
        data += usize::from(is_data(line, is_named));
        words += usize::from(is_prose(line) && !is_log_line(line));
    }
    lines >= FEWEST_LINES && data * 10 >= lines * 9 && (is_named || words * 100 <= lines * WORDS_OF_100)
}

/// A comment in a file whose name says that it is for programs.
fn is_comment_line(line: &str) -> bool {
    line.starts_with(['#', ';', '%', '*']) || line.starts_with("--") || line.starts_with("\"\"\"")
}

/// True where every line has the same number of columns, three or more, as in CSV, or in a table of a system.
fn is_of_columns(text: &str) -> bool {
    [',', ';', '\t', ':'].into_iter().any(|sign| {
        let mut lines = text.lines().filter(|line| !line.trim().is_empty()).take(LINES);
        let columns = |line: &str| line.matches(sign).count();
        let Some(first) = lines.next().map(columns).filter(|first| *first >= 2) else { return false };
        let mut others = 0;
        lines.all(|line| {
            others += 1;
            columns(line) == first && !line.ends_with(['.', '。', '?', '？', '!'])
        }) && others + 1 >= FEWEST_LINES
    })
}

/// A line with the signs of code, of a log or of a setting. In a file for programs, any line that is no sentence.
fn is_data(line: &str, is_named: bool) -> bool {
    if is_log_line(line) {
        return true;
    }
    if line.chars().filter(|c| is_cjk(*c)).count() >= 5 {
        return false;
    }
    if is_named {
        return !(is_prose(line) && line.ends_with(['.', '!', '?']));
    }
    if is_prose(line) {
        return false;
    }
    let is_statement = line.ends_with([';', '{', '}', ',', '>']) || line.starts_with(['{', '}', '<', '@', '$']);
    let is_setting = line.split_once('=').is_some_and(|(key, _)| !key.trim().is_empty() && !key.trim().contains(' '));
    is_statement || is_setting || line.starts_with('[') && line.ends_with(']')
}

/// Fewest bytes of encoded data: longer than any word, name or hash that somebody asks about.
const FEWEST_ENCODED: usize = 160;

/// True for bytes that were written as letters (Base64, hexadecimal): no line has a second word.
fn is_encoded(text: &str) -> bool {
    let is_code = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'-' | b'_');
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let last = lines().count().saturating_sub(1);
    text.len() >= FEWEST_ENCODED
        && lines().enumerate().all(|(at, line)| (at == last || line.len() >= 40) && line.bytes().all(is_code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_for_programs_are_told() {
        for (name, text) in [
            (
                "passwd",
                "root:x:0:0:root:/root:/bin/bash\nbin:x:2:2:bin:/bin:/bin/sh\nlist:x:38:38:List Manager:/var/list:/bin/sh\nsys:x:3:3:sys:/dev:/bin/sh\n",
            ),
            (
                "orders.txt",
                "number,date,customer,total\n1,2026-01-01,Anna Smith,12.50\n2,2026-01-02,Ben de Vries,8.00\n3,2026-01-03,Carla,3.20\n",
            ),
            (
                "app.log",
                "2026-01-01 10:00:00 INFO the server is started now\n2026-01-01 10:00:01 ERROR could not open the file\n2026-01-01 10:00:02 INFO next\n2026-01-01 10:00:03 INFO next\n",
            ),
            ("settings.txt", "[server]\nport=80\nname=shop\n[mail]\nhost=localhost\n"),
            (
                "run.py",
                "#!/usr/bin/env python3\n# Prints the orders of a day.\nimport sys\n\ndef main(day):\n    for order in orders(day):\n        print(order)\n",
            ),
            (
                "lib.txt",
                "// Opens the file and reads it.\nuse std::fs;\nfn main() {\n    let rows = read(&file)?;\n    write(rows);\n}\n",
            ),
            (
                "upload.txt",
                "hclSmz051U4ia4BhLC+CPZ0X6dbliHLDdFoG8lTIFyZjacgM9DoMwpeJYeN/aa0kqV1b\nZkP1q9Yd7sX0uLwHcT3rNfGxEoRbJmKiVn5A2C8D6Q4W+tUvBhMjSlPzOyIeFgXaTcRk\nu7Ew2sKd0Lq9Vh3BnYx5JmGp8RtZ1CfQ==\n",
            ),
        ] {
            assert!(is_for_programs(name, text), "{name}");
        }
    }

    #[test]
    fn tickets_are_for_readers_whatever_they_hold() {
        for text in [
            "NPE in the export\n\njava.lang.NullPointerException\n    at app.Orders.save(Orders.java:41)\n    at app.Main.run(Main.java:7)\n    at app.Main.main(Main.java:3)\n",
            "# Export fails\n\nfoo();\nbar();\nbaz();\nqux();\n",
            "Add columns:\n- number\n- date\n- customer\n- total\n",
            "Title: Export\nSteps: open, click, wait\nExpected: a file\nActual: nothing\n",
            "fix typo in README",
            "https://tracker.example.org/projects/shop/issues/4120-export-of-orders-fails-when-the-list-is-empty-since-the-last-release-of-the-shop-and-on-every-browser-that-customers-use-for-orders",
            "Token is refused\n\nhclSmz051U4ia4BhLC+CPZ0X6dbliHLDdFoG8lTIFyZjacgM9DoMwpeJYeN/aa0kqV1bZkP1q9Yd7sX0uLwHcT3rNfGxEoRbJmKiVn5A2C8D6Q4W+tUvBhMjSlPzOyIeFgXaTcRk\n",
            "订单导出失败\n\n{\n \"code\": 500,\n \"rows\": 0\n}\n",
            "Menu, list, table\nOrders, bills, users\nSave, print, send\nThe order of the entries is wrong, sort them by name, please.\n",
        ] {
            assert!(!is_for_programs("ticket.md", text), "{text}");
        }
    }
}
