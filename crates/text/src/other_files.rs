//! Recognises files that are not tickets, by name and by content: for programs, licences, change logs, rules for contributors.

use std::borrow::Cow;

use super::display_width;
use super::for_programs::is_for_programs;
use super::words::repository_files::{
    CHANGE_LOG_NAMES, CHANGE_LOG_TITLES, CONDUCT_NAMES, CONDUCT_WORDS, CONTRIBUTING_NAMES, INSTRUCTIONS_NAMES,
    LICENCE_GRANTS, LICENCE_HEADS, LICENCE_NAMES, README_NAMES, UNRELEASED,
};

/// A file that is not a ticket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OtherFile {
    /// Data, a configuration, a log, source code, a list of packages.
    ForPrograms,
    /// The terms under which a work may be used.
    Licence,
    /// The versions of a program and the changes in each.
    ChangeLog,
    /// The rules by which a community behaves.
    CodeOfConduct,
    /// A guide to the work on a project.
    ContributingGuide,
    /// Instructions for coding agents.
    Instructions,
    /// The description of a project.
    Readme,
}

/// The most lines above the first sentence of a licence.
const MOST_HEAD_LINES: usize = 8;
/// The most columns of a line that names a version, and of a line above a licence.
const WIDEST_HEAD: usize = 90;

/// The kind of file that a text is, if it is not a ticket; `name` is the name of the file. If only the name or only the
/// headings show it, a text with the parts of a ticket (`has_parts`) is a ticket.
pub fn other_file(name: &str, text: &str, has_parts: impl Fn() -> bool) -> Option<OtherFile> {
    if is_for_programs(name, text) {
        return Some(OtherFile::ForPrograms);
    }
    if is_licence(text) {
        return Some(OtherFile::Licence);
    }
    let stem = stem(name);
    let title = bare(text.lines().find(|line| !bare(line).is_empty())?).to_lowercase();
    let names_one = |line: &str| names_a_version(line) || names_a_day(line);
    if (CHANGE_LOG_NAMES.has(&stem) || CHANGE_LOG_TITLES.has(&title)) && text.lines().any(names_one) {
        return Some(OtherFile::ChangeLog);
    }
    if (CONDUCT_NAMES.has(&stem) || CONDUCT_NAMES.has(&title)) && CONDUCT_WORDS.stand_in(&text.to_lowercase()) {
        return Some(OtherFile::CodeOfConduct);
    }
    if INSTRUCTIONS_NAMES.has(&stem) {
        return Some(OtherFile::Instructions);
    }
    let found = if README_NAMES.has(&stem) {
        OtherFile::Readme
    } else if LICENCE_NAMES.has(&stem) {
        OtherFile::Licence
    } else if CONTRIBUTING_NAMES.has(&stem) {
        OtherFile::ContributingGuide
    } else {
        only_versions(text).then_some(OtherFile::ChangeLog)?
    };
    (!has_parts()).then_some(found)
}

/// The name of a file in lower case, without folders and the ending of a text file.
fn stem(name: &str) -> String {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name).to_lowercase();
    let endings = [".md", ".markdown", ".txt", ".rst", ".adoc"];
    endings.iter().find_map(|ending| file.strip_suffix(ending)).unwrap_or(&file).to_owned()
}

/// A line without the marks of a heading, of bold text or of a list.
fn bare(line: &str) -> &str {
    line.trim_matches(|c: char| c.is_whitespace() || matches!(c, '#' | '*' | '_' | '=' | '-' | '>'))
}

/// Returns true if a text begins like a licence: lines with its name and its holders, then a sentence that grants a right.
fn is_licence(text: &str) -> bool {
    let lines = text.lines().map(bare).filter(|line| !line.is_empty()).take(MOST_HEAD_LINES);
    for line in lines {
        let lower = line.to_lowercase();
        if LICENCE_GRANTS.begin(&lower) {
            return true;
        }
        if !LICENCE_HEADS.stand_in(&lower) || line.ends_with(':') || display_width(line) > WIDEST_HEAD {
            return false;
        }
    }
    false
}

/// Returns true if all headings below the title, at least two, name a version.
fn only_versions(text: &str) -> bool {
    let headings = || text.lines().filter(|line| line.starts_with("# ") || line.starts_with("## "));
    let versions = headings().filter(|line| names_a_version(line)).count();
    let all = headings().count();
    versions >= 2 && (versions == all || versions + 1 == all && !headings().next().is_some_and(names_a_version))
}

/// `## [1.2.0] - 2026-01-31`, `v1.2 (January 2026)`, `Unreleased`: a version with only its date.
fn names_a_version(line: &str) -> bool {
    let line = bare(line).trim_start_matches(['[', '【']);
    // The version may be a link: `[1.2.0](https://…) - 2026-01-31`.
    let line = match line.split_once("](") {
        Some((version, rest)) => Cow::Owned(version.to_owned() + rest.split_once(')').map_or("", |(_, rest)| rest)),
        None => Cow::Borrowed(line),
    };
    let lower = line.to_lowercase();
    if display_width(&line) > WIDEST_HEAD {
        return false;
    }
    if UNRELEASED.begin(&lower) {
        return true;
    }
    let lower = ["version", "release", "版本"].iter().find_map(|word| lower.strip_prefix(word)).unwrap_or(&lower);
    let number = lower.trim_start().trim_start_matches('v');
    let end =
        number.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+'))).unwrap_or(number.len());
    let (number, rest) = number.split_at(end);
    let is_number = number.starts_with(|c: char| c.is_ascii_digit()) && number.contains('.');
    // "1.2 Scope" is a chapter.
    let is_date = |word: &str| word.chars().any(|c| c.is_ascii_digit());
    let rest = rest.trim_matches(|c: char| !c.is_alphanumeric());
    is_number && (rest.is_empty() || rest.split_whitespace().any(is_date) && rest.split_whitespace().count() <= 4)
}

/// Returns true for a line that is a date: `## 2026-01-31`.
fn names_a_day(line: &str) -> bool {
    let line = bare(line);
    line.len() == "2026-01-31".len()
        && line.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'/' | b'.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(name: &str, text: &str) -> Option<OtherFile> {
        other_file(name, text, || false)
    }

    #[test]
    fn descriptions_and_instructions_are_known_by_their_names() {
        let text = "# Shop\n\nThe shop must build with one command.\n";
        assert_eq!(kind("README.md", text), Some(OtherFile::Readme));
        assert_eq!(other_file("README.md", text, || true), None);
        for name in ["CLAUDE.md", ".claude/skills/orders/SKILL.md", "AGENTS.md"] {
            assert_eq!(other_file(name, text, || true), Some(OtherFile::Instructions), "{name}");
        }
        assert_eq!(kind("agents-list.md", text), None);
    }

    #[test]
    fn licences_are_known_by_their_first_words_and_by_their_name() {
        let mit = "MIT License\n\nCopyright (c) 2026 The shop team\n\nPermission is hereby granted, free of charge, to any\nperson obtaining a copy.\n";
        let bsd = "Copyright 2026 The shop team. All rights reserved.\n\nRedistribution and use in source and binary forms are permitted.\n";
        let apache = "                                 Apache License\n                           Version 2.0, January 2004\n   http://www.apache.org/licenses/\n\n   TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION\n";
        for text in [mit, bsd, apache] {
            assert_eq!(kind("terms.txt", text), Some(OtherFile::Licence), "{text}");
        }
        assert_eq!(kind("docs/LICENCE.md", "You may use it on Tuesdays."), Some(OtherFile::Licence));
        let ticket =
            "Add the MIT License\n\nPut this into the file LICENSE:\n\nPermission is hereby granted, free of charge.\n";
        assert_eq!(kind("ticket.md", ticket), None);
        assert_eq!(kind("license-renewal.md", "Remind customers 14 days before their licence ends."), None);
    }

    #[test]
    fn change_logs_are_known_by_their_versions() {
        let log = "# Changelog\n\n## [Unreleased]\n\n- The list is sorted\n\n## [1.2.0](https://code.example/shop/shop/compare/v1.1.0-with-a-long-name...v1.2.0) - 2026-01-31\n\n- New filter\n";
        assert_eq!(kind("notes.md", log), Some(OtherFile::ChangeLog));
        let plain = "# Shop\n\n## v2.1.0 (2026-03-01)\n\n- New filter\n\n## v2.0.0 (2026-01-01)\n\n- New list\n";
        assert_eq!(kind("-", plain), Some(OtherFile::ChangeLog));
        assert_eq!(kind("CHANGES.txt", "1.2.0\n-----\nnew filter\n"), Some(OtherFile::ChangeLog));
        assert_eq!(
            kind("log.md", "# 更新日志\n\n## 版本 1.3（2026-02-01）\n\n- 新增筛选\n"),
            Some(OtherFile::ChangeLog)
        );
        for ticket in [
            "# Change log\n\nShow who changed an order and when.\n",
            "# Export\n\n## 1.1 Scope\n\nOrders.\n\n## 1.2 Goals\n\nFewer calls.\n",
            "# Weekly call\n\n## 2026-01-31\n\n- Ana: done\n\n## 2026-02-07\n\n- Ben: open\n",
            "# Upgrade to 2.0\n\n## Why\n\nSupport for 1.9 ends.\n",
        ] {
            assert_eq!(kind("ticket.md", ticket), None, "{ticket}");
        }
        assert_eq!(kind("history.md", "Show the last 20 orders of a customer."), None);
    }

    #[test]
    fn rules_for_contributors_are_known() {
        let conduct =
            "# Contributor Covenant Code of Conduct\n\n## Our Pledge\n\nWe pledge a harassment-free experience.\n";
        assert_eq!(kind("x.md", conduct), Some(OtherFile::CodeOfConduct));
        assert_eq!(kind("x.md", "# 行为准则\n\n不容忍任何骚扰。\n"), Some(OtherFile::CodeOfConduct));
        assert_eq!(kind("CONTRIBUTING.md", "Run the tests first.\n"), Some(OtherFile::ContributingGuide));
        assert_eq!(kind("x.md", "# Show the code of conduct\n\nNew members read it.\n"), None);
    }

    #[test]
    fn the_parts_of_a_ticket_outweigh_a_name() {
        assert_eq!(other_file("license.md", "As a clerk I want to see the licence.", || true), None);
        assert_eq!(
            other_file("CHANGELOG.md", "## 1.2.0\n\n### Testing\n\n- new\n", || true),
            Some(OtherFile::ChangeLog)
        );
        assert_eq!(other_file("robots.txt", "User-agent: *\nDisallow: /\n", || true), Some(OtherFile::ForPrograms));
    }
}
