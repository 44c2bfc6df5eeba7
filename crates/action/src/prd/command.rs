//! Reads a comment that answers a question, `/reqgate approve|reject|answer ASK …`, or confirms an answer that is gone. Pure.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde_json::Value;

use reqgate_flow::{AskId, Event, ThreadId};

/// The number of characters of a hash in a command.
const HASH: usize = 16;

/// The most characters of a reason or an answer.
const LONGEST_WORDS: usize = 20_000;

/// An event of a log as commands name it: by its number and the start of its hash, `octo-shop-7.6-ab12…`. The hash covers the event
/// and all events before it, so that a rewritten log cannot put another text under the same name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mark {
    /// The number of the event.
    pub(super) id: AskId,
    /// The start of its hash; empty in a command that leaves it out.
    pub(super) hash: String,
}

impl Mark {
    /// The name of an event.
    pub(super) fn of(thread: &ThreadId, event: &Event) -> Self {
        let id = AskId { thread: thread.clone(), seq: event.seq };
        Self { id, hash: event.hash.chars().take(HASH).collect() }
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.id, self.hash)
    }
}

impl FromStr for Mark {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let dot = text.rfind('.').ok_or(())?;
        let (id, hash) = match text[dot..].find('-') {
            Some(dash) => (&text[..dot + dash], &text[dot + dash + 1..]),
            None => (text, ""),
        };
        Ok(Self { id: id.parse().map_err(drop)?, hash: hash.to_owned() })
    }
}

/// A command about an open question.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PrdCommand {
    pub(super) ask: Mark,
    pub(super) verb: Verb,
}

/// The answer in a comment.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Verb {
    /// Yes; the words are the reason where one is needed, and may be empty.
    Approve(String),
    /// No, and the wanted changes; may be empty.
    Reject(String),
    /// Answers by the ids of their questions.
    Answers(BTreeMap<String, String>),
    /// An answer of any shape, as JSON.
    Json(Value),
    /// The recorded answer of this name is valid, even if the comment or review that gave it was edited or deleted.
    Confirm,
}

/// The command in a comment; `None` if it has none. Only the first line is read as a command: a quoted one is not.
pub(super) fn parse(comment: &str) -> Option<PrdCommand> {
    let (first, rest) = comment.split_once('\n').unwrap_or((comment, ""));
    let line = first.trim_end().strip_prefix("/reqgate")?;
    let line = line.strip_prefix([' ', '\t'])?.trim_start();
    let (verb, line) = line.split_once(char::is_whitespace)?;
    let line = line.trim_start();
    let (ask, words) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let ask: Mark = ask.trim_matches('`').parse().ok()?;
    let all = || format!("{}\n{rest}", words.trim()).trim().chars().take(LONGEST_WORDS).collect::<String>();
    let verb = match verb {
        "approve" => Verb::Approve(all()),
        "reject" => Verb::Reject(all()),
        "answer" => answer(&all())?,
        "confirm" => Verb::Confirm,
        _ => return None,
    };
    Some(PrdCommand { ask, verb })
}

/// JSON, in a fence or not; otherwise lines `id: text`, each with the lines that follow it.
fn answer(words: &str) -> Option<Verb> {
    let fenced = words.split_once("```json").and_then(|(_, after)| after.split_once("```")).map(|(json, _)| json);
    let json = fenced.or_else(|| words.starts_with('{').then_some(words));
    if let Some(json) = json {
        return serde_json::from_str(json.trim()).ok().map(Verb::Json);
    }
    let mut answers: BTreeMap<String, String> = BTreeMap::new();
    let mut last: Option<String> = None;
    for line in words.lines() {
        let line = line.trim();
        let named = line.split_once([':', '：']).map(|(id, text)| (id.trim_start_matches(['-', '*', ' ']), text));
        let is_id = |id: &str| !id.is_empty() && id.len() <= 40 && id.chars().all(|c| c.is_alphanumeric() || c == '-');
        match (named.filter(|(id, _)| is_id(id)), &last) {
            (Some((id, text)), _) => {
                answers.insert(id.to_owned(), text.trim().to_owned());
                last = Some(id.to_owned());
            }
            (None, Some(id)) if !line.is_empty() => {
                if let Some(text) = answers.get_mut(id) {
                    text.push('\n');
                    text.push_str(line);
                }
            }
            (None, _) => {}
        }
    }
    (!answers.is_empty()).then_some(Verb::Answers(answers))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_command_names_its_question_on_the_first_line() {
        let command = |verb: Verb| Some(PrdCommand { ask: "octo-shop-7.12".parse().unwrap(), verb });
        let hashed = parse("/reqgate approve `octo-shop-7.12-ab12`").expect("a command").ask;
        assert_eq!(
            (hashed.id.seq, hashed.hash.as_str(), hashed.to_string().as_str()),
            (12, "ab12", "octo-shop-7.12-ab12")
        );
        for (comment, expected) in [
            ("/reqgate approve octo-shop-7.12", command(Verb::Approve(String::new()))),
            ("/reqgate approve `octo-shop-7.12`  \r\nas agreed", command(Verb::Approve("as agreed".into()))),
            ("/reqgate reject octo-shop-7.12 Say who.\nAnd when.", command(Verb::Reject("Say who.\nAnd when.".into()))),
            ("/reqgate confirm octo-shop-7.12 It holds.", command(Verb::Confirm)),
            ("/reqgate approve", None),
            ("/reqgate approve 12", None),
            ("/reqgate approve octo-shop-7", None),
            ("/reqgate approve octo-shop-7-12", None),
            ("/reqgate approve octo-shop-7.x-12", None),
            ("/reqgates approve octo-shop-7.12", None),
            ("> /reqgate approve octo-shop-7.12", None),
            ("fine\n/reqgate approve octo-shop-7.12", None),
            ("/reqgate recheck", None),
            ("/reqgate answer octo-shop-7.12", None),
        ] {
            assert_eq!(parse(comment), expected, "{comment:?}");
        }
    }

    #[test]
    fn answers_are_lines_or_json() {
        let read = |words: &str| parse(&format!("/reqgate answer octo-shop-7.3 {words}")).map(|command| command.verb);
        let lines = |pairs: &[(&str, &str)]| {
            Some(Verb::Answers(pairs.iter().map(|(id, text)| ((*id).to_owned(), (*text).to_owned())).collect()))
        };
        assert_eq!(read("q1: CSV"), lines(&[("q1", "CSV")]));
        assert_eq!(
            read("\n- q1: CSV: comma\n  and UTF-8\n\nq2：一万行"),
            lines(&[("q1", "CSV: comma\nand UTF-8"), ("q2", "一万行")])
        );
        assert_eq!(read("\n```json\n{\"approved\": true}\n```"), Some(Verb::Json(json!({"approved": true}))));
        assert_eq!(read("{\"approved\": true"), None);
        assert_eq!(read("whatever"), None);
    }

    #[test]
    fn any_comment_can_be_read() {
        proptest::proptest!(|(words: String)| {
            let _ = parse(&words);
            let _ = parse(&format!("/reqgate answer octo-shop-7.3 {words}"));
        });
    }
}
