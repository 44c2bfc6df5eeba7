//! The document in its field: shown without the entities that keep words from being markup, and read back with them.

use std::collections::HashMap;

use reqgate_base::clean;
use reqgate_prd::ask::{AskView, Input};
use reqgate_prd::brief::decode;
use reqgate_prd::unescaped;

/// The values of a form with the document as Markdown.
pub fn with_markdown(typed: &Input, view: &AskView<'_>) -> Input {
    let shown = view.document.map_or("", |document| document.text);
    let value = |(name, value): (&str, &str)| {
        let value = if name == "document" { restored(value, shown) } else { value.to_owned() };
        (name.to_owned(), value)
    };
    Input::new(typed.all().map(value))
}

/// The edited document with the lines that were not edited as they were.
fn restored(edited: &str, document: &str) -> String {
    let with_entities = document.lines().map(|line| (readable_line(line), line));
    let shown: HashMap<String, &str> =
        with_entities.filter(|(shown, line)| shown != line && !shown.trim().is_empty()).collect();
    let mut out = String::with_capacity(edited.len());
    for line in edited.split_inclusive('\n') {
        let (words, end) = line.strip_suffix('\n').map_or((line, ""), |words| (words, "\n"));
        out.push_str(shown.get(words).copied().unwrap_or(words));
        out.push_str(end);
    }
    out
}

/// The text of a document as people read it: without the entities that keep words from being markup.
pub(super) fn readable(document: &str) -> String {
    document.split('\n').map(readable_line).collect::<Vec<_>>().join("\n")
}

fn readable_line(line: &str) -> String {
    clean::typed(&unescaped(&decode(line)))
}
