//! Finds the tickets and PRDs that the call of a tool would create.

use std::path::Path;

use serde_json::{Map, Value};

use super::Call;
use super::shell::{self, Created, MOST_TICKETS, Script, Text};
use super::shown::{self, known};
use reqgate_gate::stages::intake::{self, RawInput};

/// The way in which a ticket is created.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Channel {
    /// A shell command creates it.
    Command,
    /// A tool of its tracker creates it.
    Tool,
    /// It is written as a file.
    File,
}

/// A ticket or PRD that is about to be created.
#[derive(Debug, Clone, PartialEq)]
pub struct Ticket {
    /// The way in which it is created.
    pub channel: Channel,
    /// The creator: a command, the name of a tool, or the path of a file.
    pub by: String,
    /// The title, if it is separate from the text.
    pub title: String,
    /// The text, as input of the gate.
    pub input: RawInput,
    /// The reason before the command, the value of [`super::OVERRIDE`]; it may be empty.
    pub reason: Option<String>,
}

/// The tickets found in a call.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TicketsOfCall {
    /// The tickets in the order of the call; empty if it creates none.
    pub tickets: Vec<Ticket>,
    /// The reasons why tickets could not be read, one sentence each.
    pub unseen: Vec<String>,
}

/// Finds the tickets that a call would create. Files that it writes can be tickets only below `root`, the folder of the
/// repository. `file` reads a file that a command takes its text from.
pub fn tickets(call: &Call, root: &Path, file: &dyn Fn(&Path) -> Result<String, String>) -> TicketsOfCall {
    let mut found = TicketsOfCall::default();
    let strings = |value: &Value| value.as_str().map(str::to_owned);
    for value in known().arguments.command.iter().filter_map(|key| call.arguments.get(key)) {
        match value {
            Value::String(command) => of_command(command, (call, root), file, &mut found),
            // Codex may send a program with its arguments; the last argument of a shell is the command.
            Value::Array(words) => {
                let words: Vec<String> = words.iter().filter_map(strings).collect();
                let is_shell = words.len() == 3 && matches!(words[1].as_str(), "-c" | "-lc" | "-ic");
                let command = if is_shell { Some(words[2].clone()) } else { joined(&words) };
                of_command(&command.unwrap_or_default(), (call, root), file, &mut found);
            }
            _ => {}
        }
    }
    for patch in call.arguments.values().filter_map(Value::as_str).filter(|text| text.contains("*** Begin Patch")) {
        for (path, content) in added(patch) {
            of_file(path, &content, (call, root), &mut found);
        }
    }
    if let Some((path, content)) = written(&call.arguments) {
        of_file(path, content, (call, root), &mut found);
    }
    if known().tools.iter().any(|tool| tool.is(&call.tool, &call.arguments)) {
        of_tool(call, found_in(&call.arguments), &mut found);
    }
    found
}

fn joined(words: &[String]) -> Option<String> {
    shlex::try_join(words.iter().map(String::as_str)).ok()
}

fn of_command(
    command: &str,
    (call, root): (&Call, &Path),
    file: &dyn Fn(&Path) -> Result<String, String>,
    found: &mut TicketsOfCall,
) {
    if !shell::is_of_interest(command) {
        return;
    }
    let script = Script::read(command);
    for (path, content) in script.files() {
        of_file(path, content, (call, root), found);
    }
    let mut created = script.tickets();
    if created.is_empty() {
        return;
    }
    if script.is_broken {
        found.unseen.push(format!("a quote in the `{}` command is not closed", created[0].command));
        return;
    }
    limited(&mut created, &call.tool, found);
    for created in created {
        match titled(&created, call, file) {
            Ok(ticket) => found.tickets.extend(ticket),
            Err(why) => found.unseen.push(why),
        }
    }
}

/// Drops the tickets beyond the limit and adds a note about them.
fn limited<T>(tickets: &mut Vec<T>, by: &str, found: &mut TicketsOfCall) {
    if tickets.len() > MOST_TICKETS {
        tickets.truncate(MOST_TICKETS);
        found.unseen.push(format!("`{by}` creates more than {MOST_TICKETS} tickets at once: create fewer"));
    }
}

/// The ticket of a command; `None` without a title, because the command then asks a person for it.
fn titled(
    created: &Created,
    call: &Call,
    file: &dyn Fn(&Path) -> Result<String, String>,
) -> Result<Option<Ticket>, String> {
    let text = |part: &Text, name: &str| match part {
        Text::Written(text) => Ok(text.clone()),
        Text::File(path) => {
            let whole = call.folder.as_deref().unwrap_or(Path::new("")).join(path);
            file(&whole).map_err(|why| format!("the {name} of `{}` is in a file: {why}", created.command))
        }
        Text::Unseen => Err(format!(
            "the {name} of `{}` is produced at run time: write it into the command or into a file",
            created.command
        )),
    };
    let Some(title) = &created.title else { return Ok(None) };
    let title = text(title, "title")?;
    let body = created.body.as_ref().map_or(Ok(String::new()), |body| text(body, "text"))?;
    let ticket = Ticket::new(Channel::Command, &created.command, &title, &body, &created.labels);
    Ok(Some(Ticket { reason: created.reason.clone(), ..ticket }))
}

impl Ticket {
    fn new(channel: Channel, by: &str, title: &str, body: &str, labels: &[String]) -> Self {
        let input = RawInput::github_issue(by, title, body, labels);
        Self { channel, by: by.to_owned(), title: title.to_owned(), input, reason: None }
    }
}

/// The arguments of a tool that together describe one ticket.
type Form = Vec<Map<String, Value>>;

/// The tickets in the arguments of a tool. A ticket can be at the top level, in an object, or in a list of names with
/// values; several can be in a list, also in addition to one at the top level.
fn found_in(arguments: &Map<String, Value>) -> Vec<Form> {
    let names = &known().arguments;
    let mut form = vec![arguments.clone()];
    let mut several = Vec::new();
    for value in names.within.iter().filter_map(|key| arguments.get(key)) {
        // A list may be sent as a string of JSON.
        let parsed = value.as_str().and_then(|text| serde_json::from_str(text).ok());
        match parsed.as_ref().unwrap_or(value) {
            Value::Object(fields) => form.push(fields.clone()),
            Value::Array(items) => {
                let fields: Vec<&Map<String, Value>> = items.iter().filter_map(Value::as_object).collect();
                let named: Map<String, Value> = fields.iter().filter_map(|field| named_value(field)).collect();
                match named.is_empty() {
                    true => {
                        several.extend(fields.into_iter().take(MOST_TICKETS + 1).map(|fields| vec![fields.clone()]));
                    }
                    false => form.push(named),
                }
            }
            _ => {}
        }
    }
    let is_ticket =
        |fields: &Map<String, Value>| names.title.iter().chain(&names.body).any(|key| fields.contains_key(key));
    if several.is_empty() || form.iter().any(is_ticket) {
        several.insert(0, form);
    }
    several
}

/// A field in a list of names with values, e.g. `{"name": "System.Title", "value": "Export"}` or `{"path":
/// "/fields/System.Title", …}`.
fn named_value(field: &Map<String, Value>) -> Option<(String, Value)> {
    let name = ["name", "field", "path", "key", "id"].iter().find_map(|key| field.get(*key)?.as_str())?;
    let last = name.rsplit(['.', '/']).next().unwrap_or(name);
    Some((last.to_lowercase(), field.get("value")?.clone()))
}

/// Adds the tickets in the arguments of a tool. A ticket whose text has an unknown form is not judged.
fn of_tool(call: &Call, mut forms: Vec<Form>, found: &mut TicketsOfCall) {
    let names = &known().arguments;
    limited(&mut forms, &call.tool, found);
    for form in forms {
        let part = |keys: &[String]| {
            let value =
                |key: &String| form.iter().find_map(|arguments| arguments.get(key).filter(|value| !value.is_null()));
            keys.iter().find_map(value)
        };
        let text = |keys: &[String]| part(keys).map_or(Some(String::new()), text_in);
        let (Some(title), Some(body)) = (text(&names.title), text(&names.body)) else {
            found.unseen.push(format!("the text of `{}` has an unknown form", call.tool));
            continue;
        };
        let labels: Vec<String> = match part(&names.labels) {
            Some(Value::Array(labels)) => labels.iter().filter_map(label).collect(),
            Some(Value::String(labels)) => labels.split([',', ';']).map(|label| label.trim().to_owned()).collect(),
            _ => Vec::new(),
        };
        if !title.is_empty() || !body.is_empty() {
            found.tickets.push(Ticket::new(Channel::Tool, &call.tool, &title, &body, &labels));
        }
    }
}

/// The text of a value: a string, a list of strings, or a Jira document.
fn text_in(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(pieces) => {
            let pieces: Option<Vec<&str>> =
                pieces.iter().map(|piece| piece.as_str().or_else(|| piece.get("text")?.as_str())).collect();
            Some(pieces?.join("\n"))
        }
        _ => intake::rich_text(value),
    }
}

fn label(label: &Value) -> Option<String> {
    label.as_str().or_else(|| label.get("name")?.as_str()).map(str::to_owned)
}

/// The path and the content of a file, if the arguments contain the whole file.
fn written(arguments: &Map<String, Value>) -> Option<(&str, &str)> {
    let part = |keys: &[String]| keys.iter().find_map(|key| arguments.get(key)).and_then(Value::as_str);
    Some((part(&known().arguments.file_path)?, part(&known().arguments.file_content)?))
}

/// Adds a file that is judged because of its path, read like a file for `check`.
fn of_file(path: &str, content: &str, (call, root): (&Call, &Path), found: &mut TicketsOfCall) {
    // Folders above the repository are not considered. A draft outside it is judged when it becomes a ticket.
    let written = Path::new(path);
    let whole = match &call.folder {
        Some(folder) if written.is_relative() => folder.join(written),
        _ => written.to_path_buf(),
    };
    let inside = if whole.is_absolute() {
        // The path in the repository counts; the working folder of the agent is only a fallback.
        let folders = [root].into_iter().chain(call.folder.as_deref());
        folders.filter_map(|folder| whole.strip_prefix(folder).ok()).next()
    } else {
        Some(whole.as_path())
    };
    if !inside.and_then(Path::to_str).is_some_and(shown::is_judged) {
        return;
    }
    for input in intake::read_bytes(path, content.as_bytes()) {
        match input {
            Ok(input) => {
                let by = path.to_owned();
                found.tickets.push(Ticket { channel: Channel::File, by, title: String::new(), input, reason: None });
            }
            Err(error) if error.is_note() => {}
            Err(error) => found.unseen.push(error.to_string()),
        }
    }
}

/// The path and content of the files that a patch in Codex's format adds.
fn added(patch: &str) -> Vec<(&str, String)> {
    let mut files: Vec<(&str, String)> = Vec::new();
    let mut is_inside = false;
    for line in patch.lines() {
        if line.starts_with("*** ") {
            let path = line.strip_prefix("*** Add File: ");
            is_inside = path.is_some();
            files.extend(path.map(|path| (path.trim(), String::new())));
        } else if let (true, Some(line), Some((_, content))) = (is_inside, line.strip_prefix('+'), files.last_mut()) {
            content.push_str(line);
            content.push('\n');
        }
    }
    files
}
