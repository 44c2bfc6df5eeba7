//! The parts of a question, for every door, and the values that a person enters.

use std::collections::BTreeMap;
use std::convert::Infallible;

use serde_json::Value;

use super::problem::Problem;
use super::reply::Reply;
use reqgate_base::model::Language;
use reqgate_messages as messages;

/// A question with the parts that a person needs to answer it. Empty parts are not shown; each door has its own order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AskView<'a> {
    /// The question in one line.
    pub title: String,
    /// The names of yes and no, where the whole can be decided in a word.
    pub yes_or_no: Option<[&'static str; 2]>,
    /// The subject of the questions, or the effect of each decision.
    pub context: Option<Note>,
    /// The document under review.
    pub document: Option<ShownText<'a>>,
    /// The fields of the answer, in the order in which they are asked.
    pub fields: Vec<Field<'a>>,
}

/// A document and the file that it becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShownText<'a> {
    /// Markdown.
    pub text: &'a str,
    /// Relative to the project; empty for a text that becomes no file.
    pub path: &'a str,
    /// The language of the text.
    pub language: Language,
}

/// Lines under a heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The heading; empty if the lines need none.
    pub title: String,
    /// At least one.
    pub lines: Vec<String>,
}

/// A field of the answer; `E` is an entry of a list of things to decide on.
#[derive(Debug, Clone, PartialEq)]
pub struct Field<'a, E = Infallible> {
    /// The name of its value in an [`Input`]: `decision`, `answer.q1`.
    pub id: String,
    /// The question to a person; empty where the entries speak for themselves.
    pub label: String,
    /// The rule for its value, in words.
    pub hint: Option<&'static str>,
    /// The values that it takes.
    pub kind: FieldKind<'a, E>,
}

/// The values of a field.
#[derive(Debug, Clone, PartialEq)]
pub enum FieldKind<'a, E = Infallible> {
    /// One of several.
    Choice(Vec<Choice>),
    /// Words.
    Words {
        /// The usual number of lines.
        lines: usize,
        /// The words that are there at first.
        first: String,
    },
    /// Ticked or not.
    Tick,
    /// The document as the person has edited it.
    Edited(&'a str),
    /// Several things, each with its own fields.
    Entries(Vec<E>),
}

/// A value that can be chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The value; empty leaves the matter undecided.
    pub value: &'static str,
    /// Its name.
    pub label: String,
}

impl Note {
    /// A note; `None` if it has no words.
    pub fn new(title: impl Into<String>, lines: impl IntoIterator<Item = String>) -> Option<Self> {
        let lines: Vec<String> = lines.into_iter().filter(|line| !line.trim().is_empty()).collect();
        (!lines.is_empty()).then(|| Self { title: title.into(), lines })
    }
}

impl<'a, E> Field<'a, E> {
    /// A choice among values, each with its name.
    pub fn choice(id: impl Into<String>, label: impl Into<String>, options: &[(&'static str, &str)]) -> Self {
        let options = options.iter().map(|(value, label)| Choice { value, label: (*label).to_owned() });
        Self { id: id.into(), label: label.into(), hint: None, kind: FieldKind::Choice(options.collect()) }
    }

    /// A field for words.
    pub fn words(id: impl Into<String>, label: impl Into<String>, lines: usize) -> Self {
        let kind = FieldKind::Words { lines, first: String::new() };
        Self { id: id.into(), label: label.into(), hint: None, kind }
    }

    /// A field that is ticked or not.
    pub fn tick(id: impl Into<String>, label: impl Into<String>) -> Self {
        Self { id: id.into(), label: label.into(), hint: None, kind: FieldKind::Tick }
    }

    /// Things to decide on.
    pub fn entries(id: &str, label: &str, entries: Vec<E>) -> Self {
        Self { id: id.to_owned(), label: label.to_owned(), hint: None, kind: FieldKind::Entries(entries) }
    }

    /// The same with a hint.
    #[must_use]
    pub fn hinted(self, hint: &'static str) -> Self {
        Self { hint: Some(hint), ..self }
    }

    /// The same with words that are there at first.
    #[must_use]
    pub fn starting(mut self, words: &str) -> Self {
        if let FieldKind::Words { first, .. } = &mut self.kind {
            words.clone_into(first);
        }
        self
    }
}

impl<'a> Field<'a> {
    /// The same field among fields with entries.
    pub fn with_entries<E>(self) -> Field<'a, E> {
        let kind = match self.kind {
            FieldKind::Choice(options) => FieldKind::Choice(options),
            FieldKind::Words { lines, first } => FieldKind::Words { lines, first },
            FieldKind::Tick => FieldKind::Tick,
            FieldKind::Edited(text) => FieldKind::Edited(text),
            FieldKind::Entries(entries) => {
                FieldKind::Entries(entries.into_iter().map(|entry| match entry {}).collect())
            }
        };
        Field { id: self.id, label: self.label, hint: self.hint, kind }
    }
}

/// The field of an answer that is written as JSON.
const JSON: &str = "json";

impl AskView<'_> {
    /// The view of a question whose answer is written as JSON.
    pub fn with_json(title: String, language: Language) -> Self {
        let fields = vec![Field::words(JSON, messages::Flow::of(language).ask_json, 4)];
        Self { title, fields, ..Self::default() }
    }
}

/// The answer in the field of a question whose answer is written as JSON.
///
/// # Errors
///
/// Fails if the field does not hold JSON.
pub(crate) fn json_answer(input: &Input, language: Language) -> Result<Value, Vec<Problem>> {
    let message = || messages::Flow::of(language).ask_json.to_owned();
    serde_json::from_str(input.words(JSON)).map_err(|_| vec![Problem { path: JSON.to_owned(), message: message() }])
}

/// The values of fields by their names, in their order; of two with one name the first counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Input(Vec<(String, String)>);

impl Input {
    /// Values as a browser sends them. Line ends become those of this system.
    pub fn new(fields: impl IntoIterator<Item = (String, String)>) -> Self {
        Self(fields.into_iter().map(|(name, value)| (name, value.replace("\r\n", "\n"))).collect())
    }

    /// Values by the names of their fields.
    pub fn of(fields: &[(&str, &str)]) -> Self {
        Self::new(fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())))
    }

    /// The same with one more value.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.0.push((name.into(), value.into()));
        self
    }

    /// The value of a field; `None` if it was not sent.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Returns true if no value was sent.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Every value with its name.
    pub fn all(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The words of a field; empty if there are none.
    pub fn words(&self, name: &str) -> &str {
        self.get(name).unwrap_or_default().trim()
    }

    /// The words of a field; `None` if there are none.
    pub fn said(&self, name: &str) -> Option<String> {
        Some(self.words(name)).filter(|words| !words.is_empty()).map(str::to_owned)
    }

    /// The fields with words whose names begin so, by the rest of their names.
    pub fn each<'f>(&'f self, prefix: &'f str) -> impl Iterator<Item = (&'f str, &'f str)> {
        let words = self.all().filter_map(move |(name, value)| Some((name.strip_prefix(prefix)?, value.trim())));
        words.filter(|(_, value)| !value.is_empty())
    }

    /// The replies to open questions, by the ids of these.
    pub fn replies(&self) -> BTreeMap<String, Reply> {
        self.each("answer.").map(|(id, words)| (id.to_owned(), Reply::from(words))).collect()
    }
}
