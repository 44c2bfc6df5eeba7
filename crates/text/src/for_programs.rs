//! Detects files written for programs (data, configuration, logs, source code), as opposed to texts written for readers.
//!
//! A ticket may hold more code than words, but it still has a title or a sentence before the code. Only text that is
//! for programs from the first line to the last, apart from comments, counts as such a file.

use super::fenced_text::is_prose;
use super::lexicon::is_cjk;
use super::line_shapes::is_log_line;
use super::words::repository_files::{CRAWLER_DIRECTIVES, PROGRAM_NAMES};

/// The most lines that are read.
const LINES: usize = 400;
/// A text of fewer lines may be a piece that its author pasted to ask about it.
const FEWEST_LINES: usize = 4;
/// The number of lines in a hundred that may look like words: a name in a table, a message in a log.
const WORDS_OF_100: usize = 5;

/// Endings of files that hold no prose except comments.
const ENDINGS: [&str; 45] = [
    "bat",
    "c",
    "cc",
    "cfg",
    "cmake",
    "conf",
    "cpp",
    "cs",
    "css",
    "csv",
    "env",
    "go",
    "gradle",
    "graphql",
    "h",
    "hpp",
    "ini",
    "java",
    "js",
    "jsx",
    "kt",
    "lock",
    "log",
    "lua",
    "mk",
    "php",
    "pl",
    "properties",
    "proto",
    "ps1",
    "py",
    "rb",
    "rs",
    "scala",
    "scss",
    "sh",
    "sql",
    "swift",
    "tf",
    "toml",
    "ts",
    "tsv",
    "tsx",
    "xml",
    "yaml",
];

/// Returns true if no part of the text is addressed to a reader; `name` is the name of its file.
pub(crate) fn is_for_programs(name: &str, text: &str) -> bool {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name).to_ascii_lowercase();
    let ending = file.rsplit_once('.').map_or("", |(_, ending)| ending);
    let is_known = PROGRAM_NAMES.has(&file);
    let is_named = ENDINGS.contains(&ending) || text.starts_with("#!") || is_known && ending != "txt";
    if is_of_columns(text) || is_encoded(text) || is_of_instructions(text, is_known, ending) {
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
        // A fence, a heading or an item was written for readers.
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

/// Returns true if every line is an instruction to one program: a package with its version, a call, a directive for
/// crawlers. A text this regular needs only two lines, or one if its name is known.
fn is_of_instructions(text: &str, is_known: bool, ending: &str) -> bool {
    // Elsewhere this may be a heading of Markdown.
    let is_comment = |line: &&str| line.starts_with('#') && (is_known || ending == "txt");
    let mut lines =
        text.lines().map(str::trim).filter(|line| !line.is_empty() && !is_comment(line)).take(LINES).peekable();
    let is_for_crawlers = lines.peek().is_some_and(|first| begins_a_directive(first));
    let (mut clear, mut words, mut unclear) = (0usize, 0usize, 0usize);
    for line in lines {
        if is_pin(line) || is_call(line, is_known) || is_for_crawlers && begins_a_directive(line) {
            clear += 1;
        } else if is_part_of_call(line) || is_option(line) || is_known && line.is_ascii() && !line.contains(' ') {
            words += 1;
        } else if is_known && !is_prose(line) {
            unclear += 1;
        } else {
            return false;
        }
    }
    match is_known {
        true => clear > 0 || words > 0 && unclear == 0,
        false => clear >= 2 && clear >= words,
    }
}

/// `User-agent: *`, `Disallow: /admin`.
fn begins_a_directive(line: &str) -> bool {
    CRAWLER_DIRECTIVES.begin(&line.to_ascii_lowercase()) && !is_prose(line)
}

/// `flask>=2.0`, `requests[socks]==2.31.0 ; python_version < "3.9"`: a package with its version.
fn is_pin(line: &str) -> bool {
    let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '.' | '_' | '-');
    let rest = line.trim_start_matches(is_name);
    let has_name = rest.len() < line.len();
    let rest = match rest.strip_prefix('[').and_then(|extras| extras.split_once(']')) {
        Some((_, rest)) => rest.trim_start(),
        None => rest.trim_start(),
    };
    let version = ["===", "==", ">=", "<=", "~=", "!="].iter().find_map(|sign| rest.strip_prefix(sign));
    has_name && version.is_some_and(|version| version.trim_start().starts_with(|c: char| c.is_ascii_digit()))
}

/// `add_executable(shop main.cpp)`: a call, or the beginning of one.
fn is_call(line: &str, may_be_spaced: bool) -> bool {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | ':');
    let rest = line.trim_start_matches(is_name);
    let rest = if may_be_spaced { rest.trim_start() } else { rest };
    let is_whole = rest.trim_end_matches(';').ends_with(')') || !rest.contains(')');
    line.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && rest.starts_with('(') && is_whole
}

/// A line within a call: one name, or the sign that ends the call.
fn is_part_of_call(line: &str) -> bool {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '/' | '$' | '{' | '}' | '-' | ')');
    line.chars().all(is_name) && line.contains(['.', '/', '_', '$', ')'])
}

/// `--index-url https://…`, `-r other.txt`.
fn is_option(line: &str) -> bool {
    let name = line.trim_start_matches('-');
    (1..=2).contains(&(line.len() - name.len()))
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && line.split_whitespace().count() <= 2
}

/// A comment in a file whose name says that it is for programs.
fn is_comment_line(line: &str) -> bool {
    line.starts_with(['#', ';', '%', '*']) || line.starts_with("--") || line.starts_with("\"\"\"")
}

/// Returns true if every line has the same number of columns, three or more, as in CSV or in a table of a system.
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

/// A line with the signs of code, of a log or of a setting. In a file for programs, any line that is not a sentence.
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

/// The fewest bytes of encoded data: longer than any word, name or hash that a ticket asks about.
const FEWEST_ENCODED: usize = 160;

/// Returns true for bytes encoded as letters (Base64, hexadecimal): no line has a second word.
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
            ("requirements.txt", "# web\nflask\nrequests[socks]==2.31.0  # pinned\n-r base.txt\n"),
            ("deps.txt", "flask>=2.0\nrequests==2.31.0\n"),
            (
                "build/CMakeLists.txt",
                "cmake_minimum_required(VERSION 3.20)\n# The shop\nadd_executable(shop\n  main.cpp)\n",
            ),
            ("build.txt", "project(shop)\nadd_executable(shop main.cpp)\n"),
            ("r.txt", "User-agent: *\nDisallow: /admin\nSitemap: https://shop.example/map.xml\n"),
            ("Cargo.lock", "version = 4\n[[package]]\nname = \"shop\"\nversion = \"1.0.0\"\n"),
            (
                "upload.txt",
                "hclSmz051U4ia4BhLC+CPZ0X6dbliHLDdFoG8lTIFyZjacgM9DoMwpeJYeN/aa0kqV1b\nZkP1q9Yd7sX0uLwHcT3rNfGxEoRbJmKiVn5A2C8D6Q4W+tUvBhMjSlPzOyIeFgXaTcRk\nu7Ew2sKd0Lq9Vh3BnYx5JmGp8RtZ1CfQ==\n",
            ),
        ] {
            assert!(is_for_programs(name, text), "{name}");
        }
    }

    #[test]
    fn requirements_are_for_readers_whatever_their_file_is_called() {
        for text in [
            "The user can export orders\nThe file has one line per order\n",
            "1. Export orders as CSV\n2. Print the list of a day\n",
            "订单可以导出\n文件每行一个订单\n",
        ] {
            assert!(!is_for_programs("requirements.txt", text), "{text}");
        }
        assert!(!is_for_programs("wish.txt", "export (csv)\nimport (csv)\n"));
        assert!(!is_for_programs("goals.txt", "Uptime >= 99.9\nLatency <= 200\n"));
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
