//! Renders the nodes inside a paragraph: text with its marks, mentions, cards, dates, states and emoji.

use chrono::DateTime;
use serde_json::Value;

use super::{DEEPEST_NODE, attribute, children, kind, text_attribute};

/// Returns true for nodes within a line.
pub(super) fn is_inline(kind: &str) -> bool {
    matches!(
        kind,
        "text"
            | "hardBreak"
            | "mention"
            | "emoji"
            | "inlineCard"
            | "date"
            | "status"
            | "placeholder"
            | "mediaInline"
            | "inlineExtension"
    )
}

/// Renders the nodes as Markdown.
pub(super) fn render(nodes: &[Value], depth: usize) -> String {
    let mut out = String::new();
    for node in nodes {
        render_node(node, depth, &mut out);
    }
    out
}

/// Returns the plain text of the nodes, for code.
pub(super) fn plain(nodes: &[Value], depth: usize) -> String {
    let mut out = String::new();
    for node in nodes {
        match node.get("text").and_then(Value::as_str) {
            Some(text) => out.push_str(text),
            None => render_node(node, depth, &mut out),
        }
    }
    out
}

fn render_node(node: &Value, depth: usize, out: &mut String) {
    if depth > DEEPEST_NODE {
        return;
    }
    match kind(node) {
        "text" => render_text(node, out),
        "hardBreak" => out.push('\n'),
        "mention" => match text_attribute(node, "text").or_else(|| text_attribute(node, "id")) {
            Some(name) if name.starts_with('@') => out.push_str(name),
            Some(name) => out.extend(["@", name]),
            None => {}
        },
        "emoji" => {
            out.push_str(text_attribute(node, "text").or_else(|| text_attribute(node, "shortName")).unwrap_or(""));
        }
        "inlineCard" | "blockCard" | "embedCard" => out.push_str(card_address(node)),
        "date" => out.push_str(&attribute(node, "timestamp").and_then(date).unwrap_or_default()),
        "status" | "extension" | "inlineExtension" => out.push_str(text_attribute(node, "text").unwrap_or("")),
        // The hint of a template is not text of the author, so it is written as a comment.
        "placeholder" => {
            if let Some(hint) = text_attribute(node, "text") {
                out.extend(["<!-- ", &hint.replace("--", "- -"), " -->"]);
            }
        }
        "media" | "mediaInline" | "image" => {
            let address = ["url", "src", "id"].iter().find_map(|key| text_attribute(node, key)).unwrap_or("");
            out.extend(["![", text_attribute(node, "alt").unwrap_or(""), "](", address, ")"]);
        }
        _ => match node.get("text").and_then(Value::as_str) {
            Some(text) => out.push_str(text),
            None => out.push_str(&render(children(node), depth + 1)),
        },
    }
}

/// The address of a card; older ones have it in JSON-LD.
fn card_address(node: &Value) -> &str {
    let linked = || attribute(node, "data")?.get("url")?.as_str();
    text_attribute(node, "url").or_else(linked).unwrap_or("")
}

/// Renders text with its marks around the words, not around spaces at their ends, where Markdown would not recognise
/// them.
fn render_text(node: &Value, out: &mut String) {
    let text = node.get("text").and_then(Value::as_str).unwrap_or("");
    let words = text.trim();
    let marks = node.get("marks").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    if words.is_empty() || marks.is_empty() {
        out.push_str(text);
        return;
    }
    let has = |name: &str| marks.iter().any(|mark| kind(mark) == name);
    let start = text.len() - text.trim_start().len();
    out.push_str(&text[..start]);
    let link = marks.iter().find(|mark| kind(mark) == "link").and_then(|mark| text_attribute(mark, "href"));
    // A bare address is its own link.
    let link = link.filter(|address| *address != words);
    let wraps: Vec<&str> = [("strong", "**"), ("em", "*"), ("strike", "~~")]
        .into_iter()
        .filter(|(name, _)| has(name))
        .map(|(_, sign)| sign)
        .collect();
    out.extend(wraps.iter().copied());
    out.push_str(if link.is_some() { "[" } else { "" });
    if has("code") {
        let sign = if words.contains('`') { "``" } else { "`" };
        out.extend([sign, words, sign]);
    } else {
        out.push_str(words);
    }
    if let Some(address) = link {
        out.extend(["](", address, ")"]);
    }
    out.extend(wraps.iter().rev().copied());
    out.push_str(&text[start + words.len()..]);
}

/// Converts a time stamp in milliseconds, given as a string or a number, to a day such as `2026-11-21` in UTC.
fn date(timestamp: &Value) -> Option<String> {
    let milliseconds = match timestamp {
        Value::String(text) => text.trim().parse::<i64>().ok()?,
        other => other.as_i64()?,
    };
    Some(DateTime::from_timestamp_millis(milliseconds)?.format("%Y-%m-%d").to_string())
}
