//! A JSON Schema in a few lines, for readers that are charged by the token: `{ title: string, goals?: Statement[] }`.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// The shape of a schema, followed by the named shapes that it uses, each once, in the order of their first use.
pub fn of(schema: &Value) -> String {
    let mut shapes = Shapes { schema, named: Vec::new(), seen: BTreeSet::new() };
    let mut text = shapes.object(schema, true);
    let mut at = 0;
    while let Some(name) = shapes.named.get(at).cloned() {
        at += 1;
        let shape = shapes.one(&schema["$defs"][&name]);
        text.push_str(&format!("\n{name} = {shape}"));
    }
    text.push('\n');
    text
}

/// An empty result as YAML with a line for each field: `goals: []  # Statement[], may be left out`.
pub fn skeleton(schema: &Value) -> String {
    let mut shapes = Shapes { schema, named: Vec::new(), seen: BTreeSet::new() };
    let fields = schema["properties"].as_object().into_iter().flatten();
    fields
        .map(|(name, field)| {
            let shape = shapes.one(field);
            let empty = match shape.as_str() {
                list if list.ends_with("[]") => "[]",
                "string" => "\"\"",
                _ => "",
            };
            format!("{name}: {empty}  # {shape}\n")
        })
        .collect()
}

/// The length from which a shape of values has a name, in bytes.
const LONG: usize = 40;

struct Shapes<'s> {
    schema: &'s Value,
    /// The referenced shapes with a name.
    named: Vec<String>,
    seen: BTreeSet<String>,
}

impl Shapes<'_> {
    fn one(&mut self, schema: &Value) -> String {
        if let Some(name) = schema["$ref"].as_str().and_then(|path| path.strip_prefix("#/$defs/")) {
            return self.referred(name);
        }
        if let Some(value) = schema.get("const") {
            return value.to_string();
        }
        if let Some(values) = schema["enum"].as_array() {
            return values.iter().map(Value::to_string).collect::<Vec<_>>().join(" | ");
        }
        if let Some(ways) = ["anyOf", "oneOf"].iter().find_map(|key| schema[*key].as_array()) {
            let ways: Vec<String> = ways.iter().filter(|way| way["type"] != "null").map(|way| self.one(way)).collect();
            return ways.join(" | ");
        }
        let kind = match &schema["type"] {
            Value::Array(kinds) => kinds.iter().find(|kind| *kind != "null").and_then(Value::as_str),
            kind => kind.as_str(),
        };
        match kind {
            Some("object") => self.object(schema, false),
            Some("array") => {
                let item = self.one(&schema["items"]);
                if item.contains(" | ") { format!("({item})[]") } else { format!("{item}[]") }
            }
            Some(kind) => kind.to_owned(),
            None => "any".to_owned(),
        }
    }

    /// The name of a shape that is written out later; shapes of plain values (enums, ids) are written out in place, unless
    /// they are long and used again.
    fn referred(&mut self, name: &str) -> String {
        let named = self.schema["$defs"][name].clone();
        if named.get("properties").is_none() {
            let shape = self.one(&named);
            let uses = self.schema.to_string().matches(&format!("\"#/$defs/{name}\"")).count();
            if uses < 2 || shape.len() < LONG {
                return shape;
            }
        }
        if self.seen.insert(name.to_owned()) {
            self.named.push(name.to_owned());
        }
        name.to_owned()
    }

    fn object(&mut self, schema: &Value, on_lines: bool) -> String {
        let none = Map::new();
        let fields = schema["properties"].as_object().unwrap_or(&none);
        if fields.is_empty() {
            return match schema.get("additionalProperties") {
                Some(values) if values.is_object() => format!("{{ [name]: {} }}", self.one(values)),
                _ => "{}".to_owned(),
            };
        }
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let mut lines = Vec::new();
        for (name, field) in fields {
            let mark = if required.contains(&name.as_str()) { "" } else { "?" };
            lines.push(format!("{name}{mark}: {}", self.one(field)));
        }
        match on_lines {
            true => format!("{{\n  {}\n}}", lines.join(",\n  ")),
            false => format!("{{ {} }}", lines.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    use super::of;
    use reqgate_flow::schema_of;

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "kebab-case")]
    enum Colour {
        Red,
        DarkBlue,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    struct Item {
        name: String,
        #[serde(default)]
        size: Option<u32>,
        colours: Vec<Colour>,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    struct Whole {
        title: String,
        #[serde(default)]
        items: Vec<Item>,
        first: Option<Item>,
        votes: std::collections::BTreeMap<String, bool>,
    }

    #[test]
    fn a_schema_becomes_a_few_lines() {
        assert_eq!(
            of(&schema_of::<Whole>()),
            "{\n  title: string,\n  items?: Item[],\n  first?: Item,\n  votes: { [name]: boolean }\n}\n\
             Item = { name: string, size?: integer, colours: (\"red\" | \"dark-blue\")[] }\n"
        );
        let skeleton = super::skeleton(&schema_of::<Whole>());
        assert!(skeleton.starts_with("title: \"\"  # string\nitems: []  # Item[]\n"), "{skeleton}");
    }
}
