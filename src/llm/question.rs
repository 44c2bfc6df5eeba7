//! A question to a model: instructions that we wrote, data that nobody should trust, and bounds on the answer that only this
//! question knows: they go into the schema that is sent, and an answer that has nothing to do with them is not valid.

use std::time::Instant;

use serde_json::{Value, json};

/// One question. Put what the guardrail has masked into `data`, never what it has not.
#[derive(Debug, Clone, Default)]
pub struct Question {
    /// Name and version of the prompt, e.g. `structuring_v1`: letters, digits, `_` and `-`, at most 64.
    pub id: String,
    /// What the model is to do. Written by us; nothing of a ticket stands in it.
    pub instructions: String,
    /// The text it is about, delimited and named as untrusted by whoever made the prompt.
    pub data: String,
    /// The nonce of this run that delimits the data, if any. It is left out of the hash of the request wherever it stands in
    /// instructions and data, so that a run with another nonce finds the same cached answer.
    pub nonce: String,
    /// When asking must end at the latest, e.g. the deadline of a gate over several questions. `None`: the deadline of the
    /// settings, counted from the start of the question.
    pub until: Option<Instant>,
    /// What the answer must keep to beyond the shape of its type.
    pub bounds: Vec<Bound>,
}

/// A bound on an answer. A place is the names of properties with dots between, through lists: `criteria.id`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Bound {
    /// The texts at a place are some of these words; an answer in which none is one of them is asked for again.
    OneOf {
        /// Where.
        place: &'static str,
        /// The words.
        words: Vec<String>,
    },
    /// The list at a place has at most so many items. A server that keeps it stops a small model that would go on until its
    /// last token; what comes beyond it all the same is the caller's to throw away.
    AtMost {
        /// Where.
        place: &'static str,
        /// How many.
        items: usize,
    },
}

impl Bound {
    /// Writes the bound into the schema of the answer.
    ///
    /// # Errors
    /// Says which place the schema does not have.
    pub fn write(&self, schema: &mut Value) -> Result<(), String> {
        let (Self::OneOf { place, .. } | Self::AtMost { place, .. }) = self;
        let node = place.split('.').try_fold(schema, |node, name| items(node).get_mut("properties")?.get_mut(name));
        let node = node.ok_or_else(|| format!("{place}: the schema has no such place"))?;
        match self {
            Self::OneOf { words, .. } => items(node)["enum"] = json!(words),
            Self::AtMost { items, .. } => node["maxItems"] = json!(items),
        }
        Ok(())
    }

    /// What is wrong with an answer, as `path: message`; surplus words beside good ones are not.
    pub fn problem(&self, answer: &Value) -> Option<String> {
        let Self::OneOf { place, words } = self else { return None };
        let mut found = vec![answer];
        for name in place.split('.') {
            found = found.into_iter().flat_map(each).filter_map(|value| value.get(name)).collect();
        }
        let is_one = |value: &Value| value.as_str().is_some_and(|said| words.iter().any(|word| word == said));
        let has_one = found.into_iter().flat_map(each).any(is_one);
        (!has_one).then(|| format!("{place}: expected one of {}", words.join(", ")))
    }
}

/// The schema of the items of a list; that of anything else is itself.
fn items(schema: &mut Value) -> &mut Value {
    match schema.get("items").is_some() {
        true => &mut schema["items"],
        false => schema,
    }
}

fn each(value: &Value) -> Vec<&Value> {
    match value {
        Value::Array(values) => values.iter().collect(),
        other => vec![other],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_in_the_schema_and_one_of_them_in_the_answer() {
        let bound = Bound::OneOf { place: "criteria.id", words: vec!["one".to_owned(), "two".to_owned()] };
        let id = json!({"type": "object", "properties": {"id": {"type": "string"}}});
        let mut schema = json!({"type": "object", "properties": {"criteria": {"type": "array", "items": id}}});
        bound.write(&mut schema).expect("it has the place");
        assert_eq!(schema["properties"]["criteria"]["items"]["properties"]["id"]["enum"], json!(["one", "two"]));
        Bound::AtMost { place: "criteria", items: 2 }.write(&mut schema).expect("it has the place");
        assert_eq!(schema["properties"]["criteria"]["maxItems"], 2);
        assert!(bound.write(&mut json!({"type": "object"})).is_err());
        for (answer, is_valid) in [
            (json!({"criteria": [{"id": "three"}, {"id": "two"}]}), true),
            (json!({"criteria": [{"id": "three"}]}), false),
            (json!({"criteria": []}), false),
            (json!({"criteria": 7}), false),
        ] {
            assert_eq!(bound.problem(&answer).is_none(), is_valid, "{answer}");
        }
        assert_eq!(bound.problem(&json!({})).as_deref(), Some("criteria.id: expected one of one, two"));
    }
}
