//! Two prompts that a person chooses in their host: to write a ticket, and to start a PRD.

use serde_json::{Map, Value, json};

use super::error::shortened;
use super::protocol::{Fault, INVALID_PARAMS};

/// A prompt with one argument.
struct Prompt {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    argument: &'static str,
    about: &'static str,
    /// The words before the argument.
    words: &'static str,
}

const PROMPTS: [Prompt; 2] = [
    Prompt {
        name: "write_ticket",
        title: "Write a ticket that is ready",
        description: "Turns a request into a ticket that passes the gate.",
        argument: "request",
        about: "What is wanted, or the ticket as it is now",
        words: "Write a ticket from the request below, so that a developer and a tester can start without asking its author.\n\
                1. Write title and body in the language of the request. Use only what it says: where a value, a limit or a decision \
                is missing, leave a blank (____) and never invent one.\n\
                2. Call review_requirement with your text, carry out the order that it returns, and call it again with your reading.\n\
                3. Correct what the blockers say. Ask me the questions that only I can answer, at most three at a time.\n\
                4. Repeat until it passes or my answers are missing. Then show me the ticket and what is still open.\n\n\
                The request:\n\n",
    },
    Prompt {
        name: "start_prd",
        title: "Start a PRD",
        description: "Leads from an idea to an approved PRD.",
        argument: "idea",
        about: "The feature in a sentence, or the paths of tickets and minutes",
        words: "Lead the idea below to an approved PRD with the prd_ tools of reqgate.\n\
                1. Call prd_start with my words, or with the files that I name.\n\
                2. While the kind is `write`: carry out the order and hand the result in with prd_submit. Correct what is rejected.\n\
                3. When the kind is `ask_human`: show me the question and how to answer it, and wait. Never answer for me.\n\
                4. Call prd_next when I have answered, and go on until it is done.\n\n\
                The idea:\n\n",
    },
];

/// The prompts, as clients list them.
pub(super) fn list() -> Vec<Value> {
    PROMPTS
        .iter()
        .map(|prompt| {
            json!({
                "name": prompt.name,
                "title": prompt.title,
                "description": prompt.description,
                "arguments": [{ "name": prompt.argument, "description": prompt.about, "required": true }],
            })
        })
        .collect()
}

/// A prompt with its argument.
///
/// # Errors
/// Fails if there is no such prompt or its argument is missing.
pub(super) fn get(params: &Map<String, Value>) -> Result<Value, Fault> {
    let name = params.get("name").and_then(Value::as_str).unwrap_or_default();
    let prompt = PROMPTS.iter().find(|prompt| prompt.name == name);
    let unknown = || Fault::new(INVALID_PARAMS, format!("there is no prompt `{}`", shortened(name)));
    let prompt = prompt.ok_or_else(unknown)?;
    let given = params.get("arguments").and_then(|arguments| arguments.get(prompt.argument)).and_then(Value::as_str);
    let given = given.map(str::trim).filter(|given| !given.is_empty());
    let given = given.ok_or_else(|| {
        Fault::new(INVALID_PARAMS, format!("the prompt `{name}` needs the argument `{}`", prompt.argument))
    })?;
    let text = format!("{}{given}", prompt.words);
    Ok(json!({
        "description": prompt.description,
        "messages": [{ "role": "user", "content": { "type": "text", "text": text } }],
    }))
}
