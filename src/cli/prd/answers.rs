//! Answers that come from a file or from flags.

use std::path::{Path, PathBuf};

use reqgate::model::Language;
use reqgate::prd::ask::{self, Input, NoReply, approving, view};
use reqgate::prd::workflow::PrdWorkflow;
use reqgate::workflow::{Asking, Event, Question};
use reqgate::yaml;
use serde::Deserialize;
use serde_json::Value;
use thiserror::Error;

use super::super::exit::{self, Failure};
use super::input::edit;
use super::shown::plain;
use super::text_of;

/// An answer and the way it came.
pub(super) struct Given {
    /// The answer.
    pub value: Value,
    /// The way.
    pub channel: &'static str,
}

/// One entry of a file of answers.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// The kind of question: `clarification`, `brief_review` …
    ask: String,
    /// The answer, or the word `approve`.
    answer: Value,
    /// The answer also applies to all further questions of its kind.
    #[serde(default)]
    repeat: bool,
}

/// A file of answers: a list, each with the kind of question that it answers, in the order in which they are asked.
pub(super) struct Answers {
    path: PathBuf,
    entries: Vec<Entry>,
}

impl Answers {
    /// Reads a file.
    ///
    /// # Errors
    /// Fails if it cannot be read or is not a list of answers.
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let text = text_of(path)?;
        let entries = yaml::read(&text).map_err(|error| Failure::usage(format!("{}: {error}", path.display())))?;
        Ok(Self { path: path.to_owned(), entries })
    }

    /// The answer to this question; `None` if the file has no answer of its kind left. Entries count as used if they
    /// were given earlier in this thread.
    ///
    /// # Errors
    /// Fails if an entry does not fit.
    pub(super) fn to(&self, question: &Asking<PrdWorkflow>, events: &[Event]) -> Result<Option<Value>, Failure> {
        let kind = question.kind();
        let asked = events.iter().filter(|event| match event.body["kind"].as_str() {
            // All questions of a team have one shape; the checkpoint distinguishes them.
            Some("asked") => event.body["ask"]["kind"] == kind || event.body["ask"]["checkpoint"] == kind,
            Some("interrupted") => kind == "interrupt",
            _ => false,
        });
        // This question is the last of those that were asked.
        let before = asked.count().saturating_sub(1);
        let mut of_kind = self.entries.iter().filter(|entry| entry.ask == kind);
        let entry = of_kind.clone().nth(before).or_else(|| of_kind.next_back().filter(|entry| entry.repeat));
        let Some(entry) = entry else { return Ok(None) };
        let value = match entry.answer.as_str() {
            Some("approve") => {
                let input = approving(question, None).map_err(|fault| Failure::usage(fault.to_string()))?;
                answer(question, &input)?
            }
            Some(word) => {
                return Err(Failure::usage(format!(
                    "{}: `{word}` is not an answer: write `approve` or an object",
                    self.path.display()
                )));
            }
            None => entry.answer.clone(),
        };
        self.by_id(value, question).map(Some)
    }

    /// The answers under the ids of their questions, where the file names a question by its words.
    fn by_id(&self, mut value: Value, question: &Asking<PrdWorkflow>) -> Result<Value, Failure> {
        let asked = view(question, Language::En).questions;
        let Some(answers) = value.get_mut("answers").and_then(Value::as_object_mut) else { return Ok(value) };
        let mut named = serde_json::Map::new();
        for (key, answer) in std::mem::take(answers) {
            match meant(&key, asked) {
                Ok(Some(one)) if named.contains_key(&one.id) => {
                    let place = self.path.display();
                    return Err(Failure::usage(format!("{place}: two keys answer “{}”", plain(&one.question))));
                }
                Ok(Some(one)) => drop(named.insert(one.id.clone(), answer)),
                Ok(None) => exit::note(&format!("{}: no question has “{}”", self.path.display(), plain(&key))),
                Err(fault) => return Err(Failure::usage(format!("{}: {fault}", self.path.display()))),
            }
        }
        *answers = named;
        Ok(value)
    }
}

/// The fewest characters of a key that is only a part of its question.
const FEWEST_CHARACTERS: usize = 8;

/// The reason why a key in an answers file does not identify a question.
#[derive(Debug, PartialEq, Eq, Error)]
enum KeyFault {
    /// The key is empty.
    #[error("a key is empty: use the id or some words of one of these questions: {0}")]
    Empty(String),
    /// The key is a few letters that a question happens to have.
    #[error(
        "the key “{key}” is too short: use the id, the whole question, or at least {FEWEST_CHARACTERS} characters of it: {candidates}"
    )]
    Short {
        key: String,
        /// The questions that have it.
        candidates: String,
    },
    /// Several questions have the words.
    #[error("the key “{key}” fits several questions: use the id or more words of one of these: {candidates}")]
    Ambiguous {
        key: String,
        /// The questions that have it.
        candidates: String,
    },
}

/// The question identified by a key: by its id, by its whole text, or by a part that no other question contains. `None`
/// if no question matches.
fn meant<'q>(key: &str, asked: &'q [Question]) -> Result<Option<&'q Question>, KeyFault> {
    let words = key.trim().to_lowercase();
    if words.is_empty() {
        return Err(KeyFault::Empty(listed(asked)));
    }
    let whole = |one: &&Question| one.id == key.trim() || one.question.trim().to_lowercase() == words;
    if let Some(one) = asked.iter().find(whole) {
        return Ok(Some(one));
    }
    let candidates: Vec<&Question> = asked.iter().filter(|one| one.question.to_lowercase().contains(&words)).collect();
    let (key, list) = (plain(key), listed(candidates.iter().copied()));
    match candidates.as_slice() {
        [] => Ok(None),
        _ if words.chars().count() < FEWEST_CHARACTERS => Err(KeyFault::Short { key, candidates: list }),
        [one] => Ok(Some(one)),
        _ => Err(KeyFault::Ambiguous { key, candidates: list }),
    }
}

/// Questions on one line, each with its id.
fn listed<'q>(questions: impl IntoIterator<Item = &'q Question>) -> String {
    let one = |question: &Question| format!("{} “{}”", question.id, plain(&question.question));
    questions.into_iter().map(one).collect::<Vec<_>>().join(", ")
}

/// The answer in the values of fields, as JSON.
///
/// # Errors
/// Fails if they do not say which decision is meant.
pub(super) fn answer(question: &Asking<PrdWorkflow>, input: &Input) -> Result<Value, Failure> {
    let given = ask::answer(question, input).map_err(|unclear| Failure::usage(unclear.to_string()))?;
    Ok(given.json())
}

/// Lets the user edit a document and approves the result.
///
/// # Errors
/// Fails without a document, and without an editor.
pub(super) fn edited(question: &Asking<PrdWorkflow>, because: Option<&str>) -> Result<Value, Failure> {
    let view = view(question, Language::En);
    if because.is_some() && !view.takes_reason {
        return Err(Failure::usage(NoReply::NothingToOverride.to_string()));
    }
    let Some(document) = view.document.filter(|_| view.field("document").is_some()) else {
        return Err(Failure::usage("this question has no document to edit: edit requirements in their file"));
    };
    let edited = edit(document.text, ".md")?;
    if edited.trim() == document.text.trim() {
        return Err(Failure::usage("nothing was changed: use --approve to approve it as it is"));
    }
    let input = Input::of(&[("decision", "edit"), ("document", &edited)]);
    answer(question, &because.map_or(input.clone(), |why| input.with("because", why)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked() -> Vec<Question> {
        let question = |id: &str, words: &str| Question { id: id.to_owned(), question: words.to_owned(), about: None };
        vec![
            question("q1", "How will you measure that it worked?"),
            question("q2", "What is not part of it?"),
            question("q3", "What is not part of the first release?"),
            question("q4", "Who?"),
        ]
    }

    #[test]
    fn a_key_names_one_question() {
        let asked = asked();
        let id = |key: &str| meant(key, &asked).map(|one| one.map(|one| one.id.as_str()));
        for (key, expected) in [
            ("q2", Some("q2")),
            ("who?", Some("q4")),
            ("What is not part of it?", Some("q2")),
            ("Will you MEASURE", Some("q1")),
            ("first release", Some("q3")),
            ("nobody asked this", None),
        ] {
            assert_eq!(id(key), Ok(expected), "{key}");
        }
    }

    #[test]
    fn a_key_that_could_be_several_is_an_error_that_names_them() {
        let asked = asked();
        let fault = |key: &str| meant(key, &asked).expect_err("no question is meant").to_string();
        for key in ["", "  "] {
            assert!(fault(key).contains("a key is empty") && fault(key).contains("q1 “How will"), "{}", fault(key));
        }
        let several = fault("not part of");
        assert!(several.contains("q2 “") && several.contains("q3 “") && !several.contains("q1 “"), "{several}");
        assert!(fault("measure").contains("at least 8 characters") && fault("measure").contains("q1 “"));
    }
}
