//! The names of closed sets in both languages (`rubrics/names/`): labels, sections, priorities, states.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use reqgate_base::model::Language;
use reqgate_text::lexicon::is_cjk;

/// Each shipped file: its path, its content as JSON, and the hash of the YAML.
static FILES: &[(&str, &str, &str)] = include!(concat!(env!("OUT_DIR"), "/names.rs"));

/// The names of one value.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row<T> {
    of: T,
    en: String,
    zh: String,
    #[serde(default)]
    also: Vec<String>,
}

/// The names of the values of a closed set: those that are written, and others that are read.
#[derive(Debug)]
pub(crate) struct Names<T>(Vec<Row<T>>);

impl<T: Copy + PartialEq + DeserializeOwned> Names<T> {
    /// The shipped names of a set.
    pub(crate) fn shipped(file: &str, set: &str) -> Self {
        let json = FILES.iter().find(|(path, ..)| path.strip_suffix(".yaml") == Some(file)).map(|(_, json, _)| json);
        let sets: Option<serde_json::Value> = json.and_then(|json| serde_json::from_str(json).ok());
        let rows = sets.and_then(|sets| serde_json::from_value(sets.get(set)?.clone()).ok());
        Self(rows.expect("a test reads every set"))
    }

    /// The name that is written for a value in a language.
    pub(crate) fn name(&self, of: T, language: Language) -> &str {
        self.0.iter().find(|row| row.of == of).map_or("", |row| language.of(&row.en, &row.zh))
    }

    /// The names that are written in a language, in their order.
    pub(crate) fn written(&self, language: Language) -> Vec<&str> {
        self.0.iter().map(|row| language.of(row.en.as_str(), &row.zh)).collect()
    }

    /// The value that words in lower case name, among those that are `known`. Names that are written come before others.
    pub(crate) fn among(&self, words: &str, known: impl Fn(T) -> bool) -> Option<T> {
        let rows = || self.0.iter().filter(|row| known(row.of));
        let is_written = |row: &&Row<T>| words == row.en.to_lowercase() || words == row.zh.to_lowercase();
        let found = rows().find(is_written).or_else(|| rows().find(|row| row.also.iter().any(|own| own == words)));
        found.map(|row| row.of)
    }

    /// The value that words in lower case name.
    pub(crate) fn named(&self, words: &str) -> Option<T> {
        self.among(words, |_| true)
    }

    /// The value that words in lower case name, or that both of their halves name: `acceptance criteria 验收标准`, `目标 goals`.
    pub(crate) fn in_either(&self, words: &str, known: impl Fn(T) -> bool) -> Option<T> {
        self.among(words, &known).or_else(|| {
            let (first, second) = halves(words)?;
            let named = self.among(first, &known)?;
            (self.among(second, &known)? == named).then_some(named)
        })
    }

    /// The first value with a name that fits.
    pub(crate) fn fitting(&self, fits: impl Fn(&str) -> bool) -> Option<T> {
        let fits = |row: &&Row<T>| [&row.en, &row.zh].into_iter().chain(&row.also).any(|name| fits(name));
        self.0.iter().find(fits).map(|row| row.of)
    }
}

/// The English and the Chinese words of a name in both languages, in their order.
fn halves(name: &str) -> Option<(&str, &str)> {
    let name = name.trim();
    let at = match name.starts_with(is_cjk) {
        true => name.find(|c: char| c.is_ascii_alphabetic())?,
        false => name.find(is_cjk)?,
    };
    let (first, second) = name.split_at(at);
    let between = |c: char| c.is_whitespace() || matches!(c, '/' | '|' | '-' | '–' | '·');
    Some((first.trim_matches(between), second.trim_matches(between)))
}

#[cfg(test)]
impl<T: Copy + PartialEq + DeserializeOwned> Names<T> {
    /// The values of the enum without a row, or with more than one.
    pub(crate) fn faulty(&self) -> Vec<String> {
        let value = |name: &str| serde_json::from_value::<T>(name.into());
        let error = value("?").map(drop).expect_err("`?` names no value").to_string();
        let all: Vec<&str> = error.split('`').skip(3).step_by(2).collect();
        assert!(all.len() > 1, "{error}");
        let rows = |name: &&str| self.0.iter().filter(|row| value(name).is_ok_and(|value| value == row.of)).count();
        all.into_iter().filter(|name| rows(name) != 1).map(str::to_owned).collect()
    }
}
