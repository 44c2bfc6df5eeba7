//! Finds the role of a section by the words of its heading.

use std::collections::{HashMap, HashSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::lexicon::{Hit, Lexicon, TermList, is_cjk};
use reqgate_base::model::{Language, SectionRole};

/// The headings under which people write a kind of section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HeadingTerms {
    /// The role of such a section.
    pub role: SectionRole,
    /// English headings, lower case.
    #[serde(default)]
    pub en: Vec<String>,
    /// Headings in Chinese.
    #[serde(default)]
    pub zh: Vec<String>,
    /// Headings of either language that name the part only if they are the whole title: "Bug", 流程.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub whole: Vec<String>,
}

/// The certainty with which a title names a role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// The title contains the term among other words.
    Contains,
    /// The title is the term, apart from numbers, markup and a remark in brackets.
    Exact,
}

/// All heading terms of a run.
#[derive(Debug, Default)]
pub struct Headings {
    /// Finds any term inside a title; its n-th list is of the n-th role.
    inside: Option<Lexicon>,
    roles: Vec<SectionRole>,
    /// The role of each term, for titles that are only the term.
    exact: HashMap<String, SectionRole>,
    /// Terms that count only as the whole title.
    whole: HashSet<String>,
    /// The first English and the first Chinese heading of each role, in the order of the file.
    names: Vec<(SectionRole, [Option<String>; 2])>,
}

impl Headings {
    /// Indexes the terms; an earlier entry wins where two roles share a term.
    pub fn new(entries: &[HeadingTerms]) -> Self {
        let lists = entries.iter().map(|entry| {
            let terms = entry.en.iter().chain(&entry.zh).chain(&entry.whole).map(|term| normalise(term));
            TermList { en: terms.filter(|term| !term.is_empty()).collect(), ..TermList::default() }
        });
        let lists: Vec<TermList> = lists.collect();
        let mut exact = HashMap::with_capacity(lists.iter().map(|list| list.en.len()).sum());
        for (entry, list) in entries.iter().zip(&lists) {
            for term in &list.en {
                exact.entry(term.clone()).or_insert(entry.role);
            }
        }
        let mut names: Vec<(SectionRole, [Option<String>; 2])> = Vec::new();
        for entry in entries {
            if names.iter().all(|(role, _)| *role != entry.role) {
                names.push((entry.role, [entry.en.first().cloned(), entry.zh.first().cloned()]));
            }
        }
        Self {
            names,
            inside: Lexicon::new(&lists).ok(),
            exact,
            roles: entries.iter().map(|entry| entry.role).collect(),
            whole: entries.iter().flat_map(|entry| &entry.whole).map(|term| normalise(term)).collect(),
        }
    }

    /// The usual heading of each kind of section in a language, in the order of the file.
    pub fn names(&self, language: Language) -> impl Iterator<Item = (SectionRole, &str)> {
        let names = self.names.iter().map(move |(role, [en, zh])| (*role, language.of(en, zh)));
        names.filter_map(|(role, name)| Some((role, name.as_deref()?)))
    }

    /// The role that a title names, and the certainty of it.
    pub fn role_of(&self, title: &str) -> Option<(SectionRole, Fit)> {
        if title.len() > LONGEST_TITLE {
            return None;
        }
        let key = normalise(title);
        if key.is_empty() {
            return None;
        }
        if let Some(role) = self.whole_title(title, &key) {
            return Some((role, Fit::Exact));
        }
        let role = |hit: &Hit| self.roles.get(usize::from(hit.list.0)).copied();
        let hits = self.inside.as_ref()?.hits(&key);
        // The longest term wins, so that "expected result" beats "result"; of equals, the first in the title.
        let part = hits.iter().rev().filter(|hit| !self.whole.contains(hit.span.slice(&key)));
        let longest = part.max_by_key(|hit| hit.span.len())?;
        role(longest).map(|role| (role, Fit::Contains))
    }

    /// The role of a title that is only a term.
    pub(crate) fn exact_role_of(&self, title: &str) -> Option<SectionRole> {
        if title.len() > LONGEST_TITLE {
            return None;
        }
        let key = normalise(title);
        if key.is_empty() { None } else { self.whole_title(title, &key) }
    }

    fn whole_title(&self, title: &str, key: &str) -> Option<SectionRole> {
        let bare = || self.exact.get(&normalise(without_remark(title)?));
        self.exact.get(key).or_else(bare).copied()
    }
}

/// The longest title that is read, in bytes.
const LONGEST_TITLE: usize = 160;

/// Removes a remark in brackets at the end of a title, which explains how to fill the section in: "Steps (be precise)".
fn without_remark(title: &str) -> Option<&str> {
    title.find(['(', '（', '[', '<', '/', '／']).map(|end| &title[..end])
}

/// Lower case, without leading numbers, markup and punctuation, inner white space single.
fn normalise(title: &str) -> String {
    let title = title.trim();
    if is_normal(title) {
        return title.to_string();
    }
    let start =
        title.find(|c: char| c.is_ascii_alphabetic() || c.is_alphabetic() && !is_list_numeral(title, c)).unwrap_or(0);
    let mut out = String::with_capacity(title.len());
    let mut after_word = false;
    for c in title[start..].chars() {
        if c.is_ascii_alphanumeric() {
            out.push(c.to_ascii_lowercase());
            after_word = true;
        } else if !c.is_ascii() && (c.is_alphanumeric() || is_cjk(c)) {
            out.extend(c.to_lowercase());
            after_word = true;
        } else if after_word && !matches!(c, '\'' | '’') {
            out.push(' ');
            after_word = false;
        }
    }
    // Chinese headings are often spaced or split by punctuation without a meaning.
    if !out.is_ascii() && out.chars().any(is_cjk) {
        out.retain(|c| c != ' ');
    }
    out.trim().to_string()
}

/// Returns true for lower-case words with single spaces, as nearly all terms of the shipped file are.
fn is_normal(title: &str) -> bool {
    let bytes = title.as_bytes();
    bytes.iter().all(|byte| matches!(byte, b'a'..=b'z' | b' ')) && !title.contains("  ")
}

/// 一、二、… number a heading only if 、 or ． follows the first character.
fn is_list_numeral(title: &str, c: char) -> bool {
    !c.is_ascii()
        && "一二三四五六七八九十".contains(c)
        && title.find(c).is_some_and(|at| {
            let rest = title[at..].trim_start_matches(|c| "一二三四五六七八九十".contains(c));
            rest.starts_with(['、', '.', '．', '）', ')'])
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headings() -> Headings {
        Headings::new(&[
            HeadingTerms {
                role: SectionRole::Expected,
                en: vec!["expected result".into(), "expected".into()],
                zh: vec!["预期结果".into()],
                whole: vec!["wish".into()],
            },
            HeadingTerms {
                role: SectionRole::Actual,
                en: vec!["result".into()],
                zh: vec!["实际".into()],
                whole: vec![],
            },
        ])
    }

    #[test]
    fn numbers_markup_and_remarks_do_not_hide_a_heading() {
        for title in [
            "Expected result",
            "**4. Expected result:**",
            "EXPECTED RESULT (be precise)",
            "二、预期结果",
            "【预期结果】",
        ] {
            assert_eq!(headings().role_of(title), Some((SectionRole::Expected, Fit::Exact)), "{title}");
        }
    }

    #[test]
    fn the_longest_term_wins_and_words_stay_whole() {
        assert_eq!(
            headings().role_of("What is the expected result here"),
            Some((SectionRole::Expected, Fit::Contains))
        );
        assert_eq!(headings().role_of("Unexpectedly"), None);
        assert_eq!(headings().role_of("Wish"), Some((SectionRole::Expected, Fit::Exact)));
        assert_eq!(headings().role_of("A wish of mine"), None);
        assert_eq!(headings().role_of("实际情况"), Some((SectionRole::Actual, Fit::Contains)));
    }
}
