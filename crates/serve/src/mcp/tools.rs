//! The tools: names, descriptions, schemas, hints, and functions.

use serde_json::{Value, json};

use super::error::ToolError;
use super::site::{Right, Site};
use super::{arguments, gate, threads};

/// A tool. Hosts add their own prefix to the name.
pub(super) struct Tool {
    /// The name of the tool.
    pub name: &'static str,
    title: &'static str,
    description: &'static str,
    effect: Effect,
    schema: fn() -> Value,
    /// The implementation of the tool.
    pub call: Call,
}

/// The implementation of a tool.
#[derive(Clone, Copy)]
pub(super) enum Call {
    /// A function that returns the result.
    Function(fn(&Site<'_>, Value) -> Result<Value, ToolError>),
    /// A person, whom the client asks.
    Person,
}

/// The effect of a tool. The hints follow from it, by which hosts decide whether to ask the person.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    /// The tool reads threads and texts.
    Reads,
    /// The tool writes threads and documents of this project.
    Starts,
    /// As `Starts`, but repeating the same call has no further effect.
    Writes,
    /// The tool decides in a person's name; it has no hints, so that hosts ask the person.
    Decides,
}

pub(crate) const TOOLS: [Tool; 8] = [
    Tool {
        name: "check_requirement",
        title: "Check a requirement",
        description: "Is a ticket or PRD ready? Rules judge it: verdict, score, blockers with the place and what to write, questions.",
        effect: Effect::Reads,
        schema: arguments::schema::<arguments::Check>,
        call: Call::Function(gate::check),
    },
    Tool {
        name: "review_requirement",
        title: "Review a requirement as its reader",
        description: "Like check_requirement, with you as a reader: returns an order with instructions; read the ticket, then call again with \
                      the same text, the order_id and your reading. Quotes are checked; code decides.",
        effect: Effect::Reads,
        schema: arguments::schema::<arguments::Review>,
        call: Call::Function(gate::review),
    },
    Tool {
        name: "explain_rule",
        title: "Explain a rule",
        description: "Why a rule matters, what to write instead, examples.",
        effect: Effect::Reads,
        schema: arguments::schema::<arguments::Explain>,
        call: Call::Function(gate::explain),
    },
    Tool {
        name: "prd_start",
        title: "Start a PRD",
        description: "Starts a thread from a sentence, files or texts to an approved PRD, and returns the first order or question.",
        effect: Effect::Starts,
        schema: arguments::schema::<arguments::Start>,
        call: Call::Function(threads::start),
    },
    Tool {
        name: "prd_next",
        title: "What a PRD waits for",
        description: "What a thread waits for: kind write (an order for you), ask_human (a question for a person), done, failed. Reading it \
                      changes nothing.",
        effect: Effect::Reads,
        schema: arguments::schema::<arguments::Next>,
        call: Call::Function(threads::next),
    },
    Tool {
        name: "prd_submit",
        title: "Submit the result of an order",
        description: "Hands in the result of an order. Returns accepted, rejected (with problems: correct them and submit to the next \
                      order_id), duplicate or stale, and what comes next.",
        effect: Effect::Writes,
        schema: arguments::schema::<arguments::Submit>,
        call: Call::Function(threads::submit),
    },
    Tool {
        name: "prd_status",
        title: "Status of PRDs",
        description: "Lists the threads, or one with its documents.",
        effect: Effect::Reads,
        schema: arguments::schema::<arguments::Status>,
        call: Call::Function(threads::status),
    },
    Tool {
        name: "prd_answer",
        title: "Answer for a person",
        description: "Has a person answer: your client shows them a form, if it can; else this says how they answer. Never decide \
                      yourself.",
        effect: Effect::Decides,
        schema: arguments::schema::<arguments::Answer>,
        call: Call::Person,
    },
];

/// All tools, as clients list them.
pub(super) fn list() -> Vec<Value> {
    TOOLS.iter().map(Tool::json).collect()
}

/// Returns true for a tool that advances or shows a thread: it may wait for another process that works on the thread.
pub fn may_wait(name: &str) -> bool {
    name.starts_with("prd_")
}

impl Tool {
    /// The right that a caller needs. A caller with only the right to read is shown the ways to answer a question.
    pub(super) fn needs(&self) -> Right {
        match self.effect {
            Effect::Reads | Effect::Decides => Right::Read,
            Effect::Starts | Effect::Writes => Right::Write,
        }
    }

    fn json(&self) -> Value {
        let mut tool = json!({
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": (self.schema)(),
        });
        if self.effect != Effect::Decides {
            tool["annotations"] = json!({
                "readOnlyHint": self.effect == Effect::Reads,
                "destructiveHint": false,
                "idempotentHint": self.effect != Effect::Starts,
                "openWorldHint": false,
            });
        }
        tool
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With any of these, some clients drop the whole list of tools, not one tool.
    #[test]
    fn no_schema_has_a_trap() {
        for tool in list() {
            let (name, schema) = (&tool["name"], &tool["inputSchema"]);
            assert_eq!(schema["type"], "object", "{name}");
            assert_eq!(schema["additionalProperties"], false, "{name}: what is unknown is refused");
            for word in ["$ref", "oneOf", "anyOf", "allOf", "$defs"] {
                assert!(schema.get(word).is_none(), "{name}: {word} at the root");
            }
            let own = schema["properties"].as_object().expect("properties");
            // The settings of a team are an object with properties.
            let nested = own.values().filter_map(|shape| shape["properties"].as_object());
            for (property, shape) in own.iter().chain(nested.flatten()) {
                assert!(shape["type"].is_string(), "{name}.{property}: one type, not {shape}");
                let description = shape["description"].as_str().unwrap_or_default();
                assert!((4..=90).contains(&description.len()), "{name}.{property}: {description}");
                for word in ["format", "$ref", "anyOf", "oneOf"] {
                    assert!(shape.get(word).is_none(), "{name}.{property}: {word}");
                }
                if shape["type"] == "array" {
                    assert!(shape["items"]["type"].is_string(), "{name}.{property}");
                }
            }
        }
    }

    #[test]
    fn the_list_is_short() {
        let tools = list();
        assert!(tools.len() <= 8);
        let length = json!({ "tools": tools }).to_string().len();
        assert!(length < 6_000, "{length} bytes");
        for tool in &tools {
            assert!(tool["description"].as_str().is_some_and(|words| words.len() <= 260), "{}", tool["name"]);
        }
    }

    /// Only the tool that decides keeps the hints open, so that hosts ask before they run it.
    #[test]
    fn hosts_ask_before_an_answer() {
        for tool in list() {
            let hints = tool.get("annotations").map_or(0, |hints| hints.as_object().map_or(0, serde_json::Map::len));
            assert_eq!(hints, if tool["name"] == "prd_answer" { 0 } else { 4 }, "{}", tool["name"]);
        }
    }
}
