//! Converts Atlassian Document Format, in which Jira Cloud stores rich text, to readable Markdown.
//!
//! The output contains only the author's words: text is not escaped, and unknown nodes are replaced by their text.

mod inline;
mod table;
mod writer;

use serde_json::Value;

use writer::Writer;

/// The deepest nesting that is converted. JSON from a file cannot exceed it (serde_json stops at 128 levels, two for
/// each node).
const DEEPEST_NODE: usize = 128;

/// Returns true if the value is the root of a document.
pub(super) fn is_document(value: &Value) -> bool {
    kind(value) == "doc" && value.get("content").is_some_and(Value::is_array)
}

/// Converts the document, or any node of it, to Markdown without blank ends.
pub(super) fn to_markdown(node: &Value) -> String {
    to_markdown_at(node, 0)
}

fn to_markdown_at(node: &Value, depth: usize) -> String {
    let mut writer = Writer::default();
    write_block(&mut writer, node, depth);
    writer.finish()
}

fn kind(node: &Value) -> &str {
    node.get("type").and_then(Value::as_str).unwrap_or("")
}

fn children(node: &Value) -> &[Value] {
    node.get("content").and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn attribute<'a>(node: &'a Value, key: &str) -> Option<&'a Value> {
    node.get("attrs")?.get(key)
}

fn text_attribute<'a>(node: &'a Value, key: &str) -> Option<&'a str> {
    attribute(node, key)?.as_str().map(str::trim).filter(|text| !text.is_empty())
}

/// Writes blocks with an empty line between them.
fn write_blocks(writer: &mut Writer, nodes: &[Value], depth: usize) {
    for node in nodes {
        writer.start_block();
        write_block(writer, node, depth);
    }
}

fn write_block(writer: &mut Writer, node: &Value, depth: usize) {
    if depth > DEEPEST_NODE {
        return;
    }
    let below = depth + 1;
    match kind(node) {
        "paragraph" | "caption" => writer.push(&inline::render(children(node), below)),
        "heading" => write_heading(writer, node, below),
        "bulletList" | "decisionList" => write_list(writer, node, |_| "- ".to_owned(), below),
        "orderedList" => {
            let first =
                attribute(node, "order").and_then(Value::as_u64).filter(|order| *order <= 999_999_999).unwrap_or(1);
            write_list(writer, node, |index| format!("{}. ", first + index), below);
        }
        "taskList" => write_list(writer, node, |_| "- ".to_owned(), below),
        "blockquote" => {
            writer.enter("> ", "> ");
            write_blocks(writer, children(node), below);
            writer.leave();
        }
        "codeBlock" => write_code(writer, node, below),
        "rule" => writer.push("---"),
        "table" => writer.push(&table::render(node, below)),
        "expand" | "nestedExpand" => {
            if let Some(title) = text_attribute(node, "title") {
                writer.push(&format!("**{title}**"));
                writer.start_block();
            }
            write_blocks(writer, children(node), below);
        }
        // A panel is the author's own statement in a coloured box, so it is not written as a quotation.
        "doc" | "panel" | "layoutSection" | "layoutColumn" | "mediaSingle" | "mediaGroup" | "bodiedExtension"
        | "listItem" | "blockTaskItem" | "decisionItem" | "taskItem" | "tableRow" | "tableCell" | "tableHeader" => {
            write_mixed(writer, node, below);
        }
        _ if children(node).is_empty() => writer.push(&inline::render(std::slice::from_ref(node), below)),
        _ => write_mixed(writer, node, below),
    }
}

/// Writes children that may be blocks or inline nodes; consecutive inline nodes form one paragraph.
fn write_mixed(writer: &mut Writer, node: &Value, depth: usize) {
    let is_inline = |node: &Value| inline::is_inline(kind(node));
    for run in children(node).chunk_by(|left, right| is_inline(left) && is_inline(right)) {
        writer.start_block();
        if run.first().is_some_and(is_inline) {
            writer.push(&inline::render(run, depth));
        } else {
            run.iter().for_each(|block| write_block(writer, block, depth));
        }
    }
}

fn write_heading(writer: &mut Writer, node: &Value, depth: usize) {
    let words = inline::render(children(node), depth).replace('\n', " ");
    if words.trim().is_empty() {
        return;
    }
    let level = attribute(node, "level").and_then(Value::as_u64).unwrap_or(1).clamp(1, 6);
    for _ in 0..level {
        writer.push("#");
    }
    writer.push(" ");
    writer.push(words.trim());
}

fn write_list(writer: &mut Writer, list: &Value, marker: impl Fn(u64) -> String, depth: usize) {
    if depth > DEEPEST_NODE {
        return;
    }
    for (index, item) in (0..).zip(children(list)) {
        writer.start_line();
        // A list directly inside a task list is a separate level.
        if matches!(kind(item), "taskList" | "bulletList" | "orderedList") {
            writer.enter("  ", "  ");
            write_block(writer, item, depth + 1);
            writer.leave();
            continue;
        }
        let box_of_task = match (kind(item), text_attribute(item, "state")) {
            ("taskItem" | "blockTaskItem", Some("DONE")) => "[x] ",
            ("taskItem" | "blockTaskItem", _) => "[ ] ",
            _ => "",
        };
        let marker = marker(index);
        writer.enter(&format!("{marker}{box_of_task}"), &" ".repeat(marker.len()));
        write_item(writer, item, depth + 1);
        writer.leave();
    }
}

/// Writes an item tightly: nested lists follow its words without an empty line, other blocks with one.
fn write_item(writer: &mut Writer, item: &Value, depth: usize) {
    let is_tight = children(item)
        .iter()
        .all(|child| matches!(kind(child), "paragraph" | "bulletList" | "orderedList" | "taskList" | "decisionList"));
    let paragraphs = children(item).iter().filter(|child| kind(child) == "paragraph").count();
    if !is_tight || paragraphs > 1 {
        return write_mixed(writer, item, depth);
    }
    for child in children(item) {
        writer.start_line();
        write_block(writer, child, depth);
    }
}

fn write_code(writer: &mut Writer, node: &Value, depth: usize) {
    let code = inline::plain(children(node), depth);
    // The fence must be longer than any run of backticks inside.
    let longest = code.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let language: String =
        text_attribute(node, "language").unwrap_or("").chars().filter(|c| c.is_ascii_graphic() && *c != '`').collect();
    writer.push(&format!("{fence}{language}\n"));
    writer.push(&code);
    writer.start_line();
    writer.push(&fence);
}

#[cfg(test)]
mod tests;
