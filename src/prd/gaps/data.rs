//! The words of the gap analysis: `rubrics/gaps/`, one file per category, and the words that mean the same.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;

use crate::model::Language;
use crate::prd::{GapCategory, GapSeverity, RequirementPriority};
use crate::text::content_words::content_words;

/// Path, JSON and hash of every file; made by `build.rs`.
static FILES: &[(&str, &str, &str)] = include!(concat!(env!("OUT_DIR"), "/gaps.rs"));

/// The file of words that mean the same.
const WORDS: &str = "words.yaml";

/// One text in both languages.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Both {
    en: String,
    zh: String,
}

impl Both {
    /// The text in a language.
    pub(super) fn get(&self, language: Language) -> &str {
        if language == Language::Zh { &self.zh } else { &self.en }
    }
}

/// Expressions of both languages; an English one begins at the beginning of a word.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Terms {
    en: Vec<String>,
    zh: Vec<String>,
}

/// Where to look for a sign.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Place {
    /// In the title and description of a requirement.
    #[default]
    Head,
    /// In its criteria as well.
    Requirement,
    /// In a constraint of the brief; a sentence of a requirement about the same matter closes the gap.
    Constraint,
}

/// A sign that a category applies: one requirement contains all groups and none of the exceptions.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SignFile {
    all: Vec<Terms>,
    #[serde(default)]
    none: Terms,
    /// Where to look for it.
    #[serde(default)]
    place: Place,
    /// The terms that close a gap shown by this sign, if fewer are needed than for other signs.
    #[serde(default)]
    covered: Terms,
}

/// Where the words that close a gap must be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Reach {
    /// Anywhere in the feature.
    #[default]
    Feature,
    /// In the requirement with the sign, or in one about the same matter.
    Requirement,
}

/// A requirement that would close a gap.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Suggestion {
    pub title: Both,
    pub description: Both,
    pub priority: RequirementPriority,
    pub category: Both,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleFile {
    category: GapCategory,
    severity: GapSeverity,
    title: Both,
    description: Both,
    impact: Both,
    suggestion: Suggestion,
    #[serde(default)]
    reach: Reach,
    #[serde(default)]
    needs_roles: usize,
    #[serde(default)]
    anywhere: Vec<Terms>,
    #[serde(default)]
    signs: Vec<SignFile>,
    #[serde(default)]
    covered: Terms,
    /// Text that seems to close the gap but does not: it is ignored.
    #[serde(default)]
    not_covered: Terms,
    #[serde(default)]
    examples: Examples,
}

/// Requirements that show a gap, and some that do not.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Examples {
    pub fires: Vec<String>,
    pub silent: Vec<String>,
}

/// A sign, compiled.
#[derive(Debug)]
pub(super) struct Sign {
    pub all: Vec<Regex>,
    pub none: Option<Regex>,
    pub place: Place,
    covered: Option<Regex>,
}

/// One category, compiled.
#[derive(Debug)]
pub(super) struct Rule {
    pub category: GapCategory,
    pub severity: GapSeverity,
    pub title: Both,
    pub description: Both,
    pub impact: Both,
    pub suggestion: Suggestion,
    pub reach: Reach,
    /// The number of kinds of users that the feature must have.
    pub needs_roles: usize,
    /// Groups that must occur among the users of the brief or, if it names none, anywhere in the feature.
    pub anywhere: Vec<Regex>,
    pub signs: Vec<Sign>,
    pub covered: Option<Regex>,
    pub not_covered: Option<Regex>,
    #[cfg_attr(not(test), expect(dead_code, reason = "the examples are tests"))]
    pub examples: Examples,
}

/// Words that mean nearly the same.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ClassFile {
    en: Vec<String>,
    zh: Vec<String>,
    /// True for words that nearly every product needs.
    #[serde(default)]
    weak: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WordFile {
    same: Vec<ClassFile>,
    generic: Terms,
}

/// Synonyms, by the word that replaces them.
#[derive(Debug)]
pub(super) struct Words {
    /// English stems and the name of their class.
    pub same: BTreeMap<String, String>,
    /// Chinese words and the first of their class, the longest first.
    pub same_zh: Vec<(String, String)>,
    /// Stems of classes that nearly every product needs, and their Chinese pairs.
    pub weak: Vec<String>,
    pub generic: Vec<String>,
    pub generic_zh: Vec<String>,
}

/// All categories in the order of the enum, and the words.
#[derive(Debug)]
pub(super) struct Data {
    pub rules: Vec<Rule>,
    pub words: Words,
}

impl Rule {
    /// True if words close the gap.
    pub(super) fn is_closed_by(&self, words: &str) -> bool {
        self.is_closed(words, self.covered.as_ref())
    }

    /// True if words close the gap that a sign shows.
    pub(super) fn is_closed_for(&self, sign: &Sign, words: &str) -> bool {
        self.is_closed(words, sign.covered.as_ref().or(self.covered.as_ref()))
    }

    fn is_closed(&self, words: &str, covered: Option<&Regex>) -> bool {
        let Some(covered) = covered else { return false };
        match &self.not_covered {
            Some(passed_over) => covered.is_match(&passed_over.replace_all(words, " ")),
            None => covered.is_match(words),
        }
    }
}

impl Data {
    /// The rule of a category.
    pub(super) fn rule(&self, category: GapCategory) -> Option<&Rule> {
        self.rules.iter().find(|rule| rule.category == category)
    }
}

/// The shipped data, compiled at the first use.
pub(super) fn data() -> &'static Data {
    static DATA: LazyLock<Data> = LazyLock::new(|| load().expect("the shipped files of rubrics/gaps are tested"));
    &DATA
}

fn load() -> Result<Data, Box<dyn std::error::Error>> {
    let mut rules = Vec::new();
    let mut words = None;
    for (path, json, _) in FILES {
        if *path == WORDS {
            words = Some(compiled_words(serde_json::from_str(json)?));
        } else {
            let rule: RuleFile = serde_json::from_str(json).map_err(|error| format!("{path}: {error}"))?;
            rules.push(compiled(rule)?);
        }
    }
    rules.sort_by_key(|rule| rule.category);
    Ok(Data { rules, words: words.ok_or("words.yaml is missing")? })
}

fn compiled(file: RuleFile) -> Result<Rule, regex::Error> {
    let sign = |sign: SignFile| -> Result<Sign, regex::Error> {
        let all = sign.all.iter().filter_map(|terms| expression(terms).transpose()).collect::<Result<_, _>>()?;
        Ok(Sign { all, none: expression(&sign.none)?, place: sign.place, covered: expression(&sign.covered)? })
    };
    Ok(Rule {
        signs: file.signs.into_iter().map(sign).collect::<Result<_, _>>()?,
        anywhere: file.anywhere.iter().filter_map(|terms| expression(terms).transpose()).collect::<Result<_, _>>()?,
        covered: expression(&file.covered)?,
        not_covered: expression(&file.not_covered)?,
        category: file.category,
        severity: file.severity,
        title: file.title,
        description: file.description,
        impact: file.impact,
        suggestion: file.suggestion,
        reach: file.reach,
        needs_roles: file.needs_roles,
        examples: file.examples,
    })
}

/// One expression for all terms. Letters and digits of English are those of ASCII: the whole of Unicode takes ten times as long
/// to compile.
fn expression(terms: &Terms) -> Result<Option<Regex>, regex::Error> {
    let ascii = |term: &str| term.replace(r"\w", "[0-9A-Za-z_]").replace(r"\d", "[0-9]").replace(r"\b", r"(?-u:\b)");
    let english = terms.en.iter().map(|term| {
        let begins_with_a_word = term.starts_with(|c: char| c.is_alphanumeric() || c == '(');
        if begins_with_a_word { format!(r"\b(?:{term})") } else { format!("(?:{term})") }
    });
    let parts: Vec<String> =
        english.chain(terms.zh.iter().map(|term| format!("(?:{term})"))).map(|term| ascii(&term)).collect();
    if parts.is_empty() {
        return Ok(None);
    }
    Regex::new(&format!("(?i){}", parts.join("|"))).map(Some)
}

fn compiled_words(file: WordFile) -> Words {
    let mut same = BTreeMap::new();
    let mut same_zh = Vec::new();
    let mut weak = Vec::new();
    for class in file.same {
        let name = class.en.first().map(|word| format!("={word}")).unwrap_or_default();
        // The stem of a plural may be another one: "employee", "employees".
        for word in class.en.iter().flat_map(|word| [word.clone(), format!("{word}s")]) {
            if let [stem] = content_words(&word).as_slice() {
                same.entry(stem.clone()).or_insert_with(|| name.clone());
            }
        }
        if class.weak {
            weak.push(name);
            weak.extend(class.zh.first().into_iter().flat_map(|word| content_words(word)));
        }
        if let Some(first) = class.zh.first() {
            same_zh.extend(class.zh.iter().map(|word| (word.clone(), first.clone())));
        }
    }
    same_zh.sort_by_key(|(word, _)| std::cmp::Reverse(word.len()));
    let generic = file.generic.en.iter().flat_map(|word| content_words(word)).collect();
    Words { same, same_zh, weak, generic, generic_zh: file.generic.zh }
}
