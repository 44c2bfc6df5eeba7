//! The reply to one question: an answer in words, or a person who will answer, a due date, and an assumption until
//! then.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A reply to a question. In JSON it is a string if it has only an answer, or else an object.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reply(ReplyFields);

/// The fields of a reply. Without an answer the question stays open, and the other fields are recorded.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReplyFields {
    /// The answer in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// The person who will answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// The day by which the answer is due.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<String>,
    /// The assumption until the answer comes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
}

impl Reply {
    /// The answer in words, if the reply has one.
    pub fn answer(&self) -> Option<&str> {
        said(&self.0.answer)
    }

    /// The person who will answer, the due date, and the assumption until then.
    pub fn assigned(&self) -> [Option<&str>; 3] {
        [&self.0.owner, &self.0.due, &self.0.default].map(said)
    }

    /// Returns true if every field is blank.
    pub fn is_empty(&self) -> bool {
        self.answer().is_none() && self.assigned() == [None; 3]
    }
}

impl From<&str> for Reply {
    fn from(answer: &str) -> Self {
        Self(ReplyFields { answer: Some(answer.to_owned()), ..ReplyFields::default() })
    }
}

/// The words, unless they are blank.
fn said(words: &Option<String>) -> Option<&str> {
    words.as_deref().map(str::trim).filter(|words| !words.is_empty())
}

impl Serialize for Reply {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            ReplyFields { answer: Some(answer), owner: None, due: None, default: None } => {
                serializer.serialize_str(answer)
            }
            fields => fields.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Reply {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ReplyVisitor)
    }
}

struct ReplyVisitor;

impl<'de> Visitor<'de> for ReplyVisitor {
    type Value = Reply;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a text, or an object with answer, owner, due or default")
    }

    fn visit_str<E>(self, answer: &str) -> Result<Reply, E> {
        Ok(answer.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<Reply, A::Error> {
        ReplyFields::deserialize(MapAccessDeserializer::new(fields)).map(Reply)
    }
}

impl JsonSchema for Reply {
    fn schema_name() -> Cow<'static, str> {
        "Reply".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let fields = generator.subschema_for::<ReplyFields>();
        schemars::json_schema!({
            "description": "An answer: a text, or an object with answer, owner, due and default.",
            "anyOf": [{ "type": "string" }, fields],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_answer_is_a_text_or_says_who_answers() {
        let read = |value| serde_json::from_value::<Reply>(value);
        let words: Reply = read(json!("twice")).expect("a text");
        assert_eq!((words.answer(), words.assigned()), (Some("twice"), [None; 3]));
        assert_eq!(serde_json::to_value(&words).expect("JSON"), json!("twice"));
        let open = json!({ "owner": "Mei", "due": "Friday", "default": "30" });
        let assigned: Reply = read(open.clone()).expect("an object");
        assert_eq!((assigned.answer(), assigned.assigned()), (None, [Some("Mei"), Some("Friday"), Some("30")]));
        assert_eq!(serde_json::to_value(&assigned).expect("JSON"), open);
        assert!(read(json!({ "answer": " " })).expect("an object").is_empty());
        let fault = read(json!({ "who": "Mei" })).expect_err("unknown").to_string();
        assert!(fault.contains("who") && fault.contains("owner"), "{fault}");
        assert!(read(json!(5)).is_err());
    }

    #[test]
    fn fields_are_read_in_either_spelling() {
        use crate::{InterruptAnswer, read_reply};

        #[derive(Debug, PartialEq, Deserialize)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        struct Review {
            user_feedback: String,
            answers: std::collections::BTreeMap<String, Reply>,
        }
        let asked = |feedback: &str| json!({ feedback: "shorter", "answers": { "q1": { "owner": "Mei" } } });
        let read = |value| read_reply::<Review>(&value);
        assert_eq!(read(asked("userFeedback")), read(asked("user_feedback")));
        assert!(read(asked("user_feedback")).is_ok_and(|review| review.user_feedback == "shorter"));
        let problems = read(json!({ "user_feed": "shorter", "answers": {} })).expect_err("unknown");
        assert!(problems[0].message.contains("user_feed"), "{problems:?}");
        let both = read(json!({ "userFeedback": "shorter", "user_feedback": "longer", "answers": {} }));
        assert_eq!(both.expect_err("two spellings")[0].path, "userFeedback");
        // Ids are not respelled like fields.
        let by_id =
            read(json!({ "user_feedback": "", "answers": { "who_pays": "Mei", "whoPays": "Bob" } })).expect("ids");
        assert_eq!(by_id.answers.keys().collect::<Vec<_>>(), ["whoPays", "who_pays"]);
        assert!(read_reply::<InterruptAnswer>(&json!({ "action": "continue" })).is_ok());
    }
}
