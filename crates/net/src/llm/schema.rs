//! The shape of an answer: one schema that every provider accepts, made from the schema of a Rust type, and the JSON
//! object in a model's reply.
//!
//! Objects are closed and all their properties required, and definitions are inlined. Lengths, ranges, patterns and
//! formats are left out, because one provider refuses them and another ignores them; the type itself checks them
//! afterwards. Limits of lists come with the question ([`super::Bound`]) and are sent only to servers that accept them.

use serde_json::{Deserializer, Map, Value, json};

/// The deepest schema that is accepted; a deeper one is recursive, which answers never are.
const DEEPEST: usize = 24;

/// The portable form of `schema`.
///
/// # Errors
/// Returns a message about a schema that no provider accepts: a root that is not an object, recursion, maps, values of
/// any shape.
pub(super) fn portable(schema: &Value) -> Result<Value, String> {
    let definitions = schema.get("$defs").and_then(Value::as_object).cloned().unwrap_or_default();
    let made = Writer { definitions }.write(schema, "", 0)?;
    match made["type"] == "object" {
        true => Ok(made),
        false => Err("the answer is not an object".to_string()),
    }
}

/// The same schema without limits of list lengths, for servers that refuse them.
pub(crate) fn without_list_bounds(schema: &Value) -> Value {
    let Some(object) = schema.as_object() else { return schema.clone() };
    let each = |values: &Map<String, Value>| -> Map<String, Value> {
        values.iter().map(|(name, value)| (name.clone(), without_list_bounds(value))).collect()
    };
    let kept = object.iter().filter(|(word, _)| *word != "maxItems").map(|(word, value)| {
        let value = match (word.as_str(), value) {
            ("properties", Value::Object(properties)) => Value::Object(each(properties)),
            ("items", value) => without_list_bounds(value),
            ("anyOf", Value::Array(values)) => values.iter().map(without_list_bounds).collect(),
            _ => value.clone(),
        };
        (word.clone(), value)
    });
    Value::Object(kept.collect())
}

struct Writer {
    definitions: Map<String, Value>,
}

impl Writer {
    fn write(&self, schema: &Value, place: &str, depth: usize) -> Result<Value, String> {
        if depth > DEEPEST {
            return Err(format!("{place}: the schema contains itself"));
        }
        let Some(object) = schema.as_object() else {
            return Err(format!("{place}: the schema allows anything"));
        };
        if let Some(named) = object.get("$ref").and_then(Value::as_str) {
            if named == "#" {
                return Err(format!("{place}: the schema contains itself"));
            }
            let name = named.rsplit('/').next().unwrap_or_default();
            let found = self.definitions.get(name).ok_or_else(|| format!("{place}: {named} is not defined"))?;
            let mut made = self.write(found, place, depth + 1)?;
            // The description of the property is more specific than that of its type.
            if let Some(description) = object.get("description") {
                made["description"] = description.clone();
            }
            return Ok(made);
        }
        let alternatives = ["anyOf", "oneOf", "allOf"].into_iter().find_map(|word| object.get(word)?.as_array());
        match alternatives {
            Some(alternatives) => self.choice(object, alternatives, place, depth),
            None => self.plain(object, place, depth),
        }
    }

    /// Alternatives that are all constants become one enumeration; a single one becomes itself.
    fn choice(
        &self,
        object: &Map<String, Value>,
        alternatives: &[Value],
        place: &str,
        depth: usize,
    ) -> Result<Value, String> {
        let words: Option<Vec<(&Value, &str)>> = alternatives
            .iter()
            .map(|alternative| {
                Some((alternative.get("const")?, alternative["description"].as_str().unwrap_or_default()))
            })
            .collect();
        let description = object.get("description").and_then(Value::as_str).unwrap_or_default();
        if let Some(words) = words {
            let values: Vec<&Value> = words.iter().map(|(word, _)| *word).collect();
            let told = words.iter().filter(|(_, told)| !told.is_empty());
            let told: Vec<String> =
                told.map(|(word, told)| format!("{}: {told}", word.as_str().unwrap_or("null"))).collect();
            let description = [description, &told.join(" ")].join(" ");
            return Ok(described(json!({"type": "string", "enum": values}), description.trim()));
        }
        if let [only] = alternatives {
            return Ok(described(self.write(only, place, depth + 1)?, description));
        }
        let written: Result<Vec<Value>, String> =
            alternatives.iter().map(|alternative| self.write(alternative, place, depth + 1)).collect();
        Ok(described(json!({"anyOf": written?}), description))
    }

    fn plain(&self, object: &Map<String, Value>, place: &str, depth: usize) -> Result<Value, String> {
        let mut made = Map::new();
        for word in ["type", "description", "enum"] {
            if let Some(value) = object.get(word) {
                made.insert(word.to_string(), value.clone());
            }
        }
        if let Some(constant) = object.get("const") {
            made.insert("enum".to_string(), json!([constant]));
            made.entry("type").or_insert_with(|| json!("string"));
        }
        if is_of(object, "array") {
            let items = object.get("items").ok_or_else(|| format!("{place}: the items may be anything"))?;
            made.insert("items".to_string(), self.write(items, &format!("{place}/items"), depth + 1)?);
        }
        if is_of(object, "object") {
            let Some(properties) = object.get("properties").and_then(Value::as_object) else {
                return Err(format!("{place}: the names of the properties are not fixed"));
            };
            let required: Vec<&str> = object
                .get("required")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .collect();
            let mut written = Map::new();
            // An optional map is left out, because providers require fixed names.
            let is_map = |property: &Value| {
                property.as_object().is_some_and(|one| is_of(one, "object") && !one.contains_key("properties"))
            };
            let asked =
                properties.iter().filter(|(name, property)| required.contains(&name.as_str()) || !is_map(property));
            for (name, property) in asked {
                let made = self.write(property, &format!("{place}/{name}"), depth + 1)?;
                let made = if required.contains(&name.as_str()) { made } else { or_null(made) };
                written.insert(name.clone(), made);
            }
            made.insert("required".to_string(), json!(written.keys().collect::<Vec<_>>()));
            made.insert("properties".to_string(), Value::Object(written));
            made.insert("additionalProperties".to_string(), json!(false));
        }
        match made.contains_key("type") {
            true => Ok(Value::Object(made)),
            false => Err(format!("{place}: the schema allows anything")),
        }
    }
}

fn is_of(object: &Map<String, Value>, word: &str) -> bool {
    match object.get("type") {
        Some(Value::String(only)) => only == word,
        Some(Value::Array(several)) => several.iter().any(|one| one == word),
        _ => false,
    }
}

fn described(mut schema: Value, description: &str) -> Value {
    if !description.is_empty() {
        schema["description"] = json!(description);
    }
    schema
}

/// Allows null for an optional property, because all properties must be present.
fn or_null(mut schema: Value) -> Value {
    if let Some(alternatives) = schema.get_mut("anyOf").and_then(Value::as_array_mut) {
        if !alternatives.iter().any(|alternative| alternative["type"] == "null") {
            alternatives.push(json!({"type": "null"}));
        }
        return schema;
    }
    if schema.get("enum").is_some() {
        return json!({"anyOf": [schema, {"type": "null"}]});
    }
    match schema["type"].clone() {
        Value::String(only) if only != "null" => schema["type"] = json!([only, "null"]),
        Value::Array(several) if !several.iter().any(|one| one == "null") => {
            schema["type"] = json!(several.into_iter().chain([json!("null")]).collect::<Vec<_>>());
        }
        _ => {}
    }
    schema
}

/// The number of braces without an object after which the search ends.
const MOST_TRIES: usize = 64;

/// The object in `text`, or the longest of several, found in linear time.
pub(super) fn extract(text: &str) -> Option<Value> {
    // The reasoning of a model may contain drafts of the answer.
    let said = text.rsplit_once("</think>").map_or(text, |(_, said)| said);
    let said = said.trim_start_matches('\u{feff}').trim();
    if let Ok(value @ Value::Object(_)) = serde_json::from_str(said) {
        return Some(value);
    }
    let mut longest: Option<(usize, Value)> = None;
    let mut at = 0;
    let mut tries = 0;
    while let Some(brace) = said[at..].find('{') {
        let start = at + brace;
        let mut values = Deserializer::from_str(&said[start..]).into_iter::<Value>();
        match values.next() {
            Some(Ok(value)) => {
                let length = values.byte_offset();
                if longest.as_ref().is_none_or(|(other, _)| length > *other) {
                    longest = Some((length, value));
                }
                at = start + length;
            }
            // The text ends within an object: the answer was cut off, and an object inside it is not the answer.
            Some(Err(error)) if error.is_eof() => return None,
            _ => {
                tries += 1;
                if tries == MOST_TRIES {
                    break;
                }
                at = start + 1;
            }
        }
    }
    longest.map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use schemars::JsonSchema;

    use super::*;

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is read")]
    struct Reply {
        /// Why.
        reasons: Vec<Reason>,
        #[schemars(length(min = 1, max = 5))]
        title: String,
        level: Level,
        next: Option<Level>,
        count: Option<u32>,
    }

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is read")]
    struct Reason {
        #[schemars(range(min = 1))]
        line: u32,
        quote: Option<String>,
    }

    #[derive(JsonSchema)]
    #[serde(rename_all = "snake_case")]
    #[expect(dead_code, reason = "only its schema is read")]
    enum Level {
        /// All of it.
        Full,
        /// Nothing.
        Nowhere,
    }

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is read")]
    struct Tree {
        children: Vec<Tree>,
    }

    fn made<T: JsonSchema>() -> Result<Value, String> {
        portable(&schemars::schema_for!(T).to_value())
    }

    /// Every word that is used as a keyword of a schema.
    fn keywords(schema: &Value, found: &mut Vec<String>) {
        let Some(object) = schema.as_object() else { return };
        for (word, value) in object {
            found.push(word.clone());
            match word.as_str() {
                "properties" => value.as_object().unwrap().values().for_each(|property| keywords(property, found)),
                "anyOf" => value.as_array().unwrap().iter().for_each(|one| keywords(one, found)),
                "items" => keywords(value, found),
                _ => {}
            }
        }
    }

    #[test]
    fn only_what_every_provider_knows_is_sent() {
        let mut found = Vec::new();
        keywords(&made::<Reply>().unwrap(), &mut found);
        let known = ["type", "description", "enum", "items", "properties", "required", "additionalProperties", "anyOf"];
        found.retain(|word| !known.contains(&word.as_str()));
        assert_eq!(found, Vec::<String>::new());
    }

    #[test]
    fn only_bounds_of_lists_are_taken_out() {
        let word = json!({"type": "string", "enum": ["maxItems"]});
        let list = |most: Option<u8>| match most {
            Some(most) => json!({"type": "array", "items": word, "maxItems": most}),
            None => json!({"type": "array", "items": word}),
        };
        // A property may have the name of the limit.
        let schema =
            |most| json!({"type": "object", "properties": {"maxItems": list(most), "b": {"anyOf": [list(most)]}}});
        assert_eq!(without_list_bounds(&schema(Some(3))), schema(None));
    }

    #[test]
    fn every_property_is_required_in_its_order_and_optional_ones_may_be_null() {
        let schema = made::<Reply>().unwrap();
        assert_eq!(schema["required"], json!(["reasons", "title", "level", "next", "count"]));
        assert_eq!(schema["additionalProperties"], json!(false));
        assert_eq!(schema["properties"]["count"]["type"], json!(["integer", "null"]));
        assert_eq!(schema["properties"]["reasons"]["items"]["required"], json!(["line", "quote"]));
        assert_eq!(schema["properties"]["level"]["enum"], json!(["full", "nowhere"]));
        let next = schema["properties"]["next"]["anyOf"].as_array().unwrap();
        assert!(next.iter().any(|one| one["type"] == "null"), "{next:?}");
    }

    #[derive(JsonSchema)]
    #[allow(dead_code, reason = "only its schema counts")]
    struct WithMap {
        name: String,
        #[schemars(default)]
        more: BTreeMap<String, String>,
    }

    #[test]
    fn what_no_provider_could_answer_is_refused() {
        let with_a_map = made::<WithMap>().unwrap();
        assert_eq!(with_a_map["required"], json!(["name"]), "a map that may be left out is not asked for");
        assert!(made::<Tree>().unwrap_err().contains("contains itself"));
        assert!(made::<BTreeMap<String, u8>>().unwrap_err().contains("not fixed"));
        assert!(made::<Vec<u8>>().unwrap_err().contains("not an object"));
        assert!(made::<Value>().is_err());
    }
}

#[cfg(test)]
mod extraction_tests {
    use std::time::{Duration, Instant};

    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn an_object_is_found_wherever_it_stands() {
        let expected = Some(json!({"a": [1, {"b": "}"}]}));
        for text in [
            r#"{"a":[1,{"b":"}"}]}"#,
            "\u{feff} {\"a\":[1,{\"b\":\"}\"}]}\n",
            "Sure! Here it is:\n```json\n{\"a\":[1,{\"b\":\"}\"}]}\n```\nAnything else?",
            "```\n{\"a\":[1,{\"b\":\"}\"}]}\n```",
            "<think>{\"a\": 2, \"draft\": \"of a longer answer\"}</think>{\"a\":[1,{\"b\":\"}\"}]}",
            "The set {x} holds: {\"a\":[1,{\"b\":\"}\"}]}",
            "{\"x\":1} 好的：{\"a\":[1,{\"b\":\"}\"}]}。",
        ] {
            assert_eq!(extract(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_cut_off_or_no_object_is_nothing() {
        for text in ["", "I cannot do that.", "[1, 2]", "\"{\"", r#"{"a": [1, 2"#, r#"{"a": [{"b": 1}, {"b""#, "{}}{"] {
            assert_eq!(extract(text), None, "{text}");
        }
    }

    #[test]
    fn a_megabyte_of_braces_takes_no_time() {
        for unit in ["{", "{\"a\":", "{\"a\":[", "{\"k\":[{\"a\":1},", "{\"", "}{"] {
            let text = unit.repeat(1_000_000 / unit.len());
            let start = Instant::now();
            let _ = extract(&text);
            assert!(start.elapsed() < Duration::from_secs(5), "{unit} took {:?}", start.elapsed());
        }
    }

    proptest! {
        #[test]
        fn extraction_never_panics(text in "[{}\\[\\]\":,a1é好\\\\ \n`]{0,200}") {
            let _ = extract(&text);
        }
    }
}
