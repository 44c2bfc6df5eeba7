//! Functions that every interface needs to start a thread and to accept text: sources, title, folder, id, masking.

use std::path::Path;

use serde_json::Value;

use super::facts::SourceText;
use crate::collect::{Refused, sources_of};
use crate::feature_id::slug;
use crate::requirements::without_history;
use reqgate_base::files;
use reqgate_flow::effects::{inside, permitted};
use reqgate_flow::{Store, StoreError, ThreadId};
use reqgate_gate::pipeline::Pipeline;

/// The most threads whose ids differ only in a number.
const MOST_ALIKE: u32 = 10_000;
/// The longest title of a thread, in characters.
const LONGEST_TITLE: usize = 80;

/// Reads the texts in a file as sources, with personal data and secrets masked.
///
/// # Errors
/// Fails on a text that cannot be read or that the guardrail refuses.
pub fn screened(pipeline: &Pipeline, name: &str, bytes: &[u8]) -> Result<Vec<SourceText>, Refused> {
    let sources = sources_of(pipeline, name, bytes)?;
    Ok(sources.into_iter().map(|source| SourceText { name: source.name, text: source.text }).collect())
}

/// The folder of all features in the project `root`: the named one, or the default.
///
/// # Errors
/// Fails with a message that begins with the name and describes its error.
pub fn workspace(named: Option<&str>, root: &Path) -> Result<String, String> {
    let Some(named) = named else {
        let known = root.join("magi-sdd").is_dir();
        return Ok(if known { "magi-sdd" } else { "docs/prd" }.to_owned());
    };
    if permitted(Path::new(named)).is_err() {
        let reason = "name a folder below the current one, without a part that starts with a dot";
        return Err(format!("{named}: {reason}"));
    }
    Ok(named.trim_end_matches('/').to_owned())
}

/// The title of a thread: one line of at most 80 characters that ends with a complete word.
pub fn thread_title(utterance: &str, sources: &[SourceText]) -> String {
    let first = |text: &str| {
        let line = text.lines().map(|line| line.trim().trim_start_matches('#').trim()).find(|line| !line.is_empty());
        let line = line.unwrap_or_default();
        match line.char_indices().nth(LONGEST_TITLE) {
            // The cut is between words, if there is a space.
            Some((end, next)) if next != ' ' => line[..line[..end].rfind(' ').unwrap_or(end)].trim_end().to_owned(),
            Some((end, _)) => line[..end].trim_end().to_owned(),
            None => line.to_owned(),
        }
    };
    let said = first(utterance);
    if !said.is_empty() {
        return said;
    }
    // A file begins with its title, below its front matter.
    let body = |text: &'_ str| {
        text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n")).map(|(_, body)| first(body))
    };
    sources.first().map(|source| body(&source.text).unwrap_or_else(|| first(&source.text))).unwrap_or_default()
}

/// An unused id for a thread: the slug of these words, if necessary with a number. `None` if too many threads have it.
///
/// # Errors
/// Fails if the store does.
pub fn free_id<S: Store>(store: &S, words: &str) -> Result<Option<ThreadId>, StoreError> {
    let slug = slug(words);
    for number in 1..MOST_ALIKE {
        let name = if number == 1 { slug.clone() } else { format!("{slug}-{number}") };
        let Ok(id) = name.parse::<ThreadId>() else { return Ok(None) };
        if store.record(&id)?.is_none() {
            return Ok(Some(id));
        }
    }
    Ok(None)
}

/// Masks the personal data and secrets in an answer or a result, which must not reach a document.
pub fn masked(value: Value, pipeline: &Pipeline) -> Value {
    match value {
        Value::String(text) => Value::String(pipeline.masked(&text)),
        Value::Array(items) => items.into_iter().map(|item| masked(item, pipeline)).collect(),
        Value::Object(fields) => fields
            .into_iter()
            .map(|(key, value)| (pipeline.masked(&key), masked(value, pipeline)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        other => other,
    }
}

/// The path, relative to the project, of a document of a feature whose content is this text, so that a reader with
/// access to files can be given the path instead.
pub fn document_on_disk(root: &Path, directory: &str, file: &str, text: &str) -> Option<String> {
    let path = format!("{directory}/{file}");
    let whole = inside(root, Path::new(&path)).ok()?;
    let on_disk = files::text(&whole, files::RECORDS).ok()?;
    // An order does not contain decisions and their history.
    (on_disk == text || without_history(&on_disk) == text).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::{SourceText, thread_title};

    #[test]
    fn front_matter_is_no_title() {
        let text = "---\nowner: Mei\n---\n\n# Export orders\n\nAs CSV.\n".to_owned();
        assert_eq!(thread_title("", &[SourceText { name: "prd.md".to_owned(), text }]), "Export orders");
    }

    #[test]
    fn a_long_title_ends_with_a_word() {
        let wish = "We would like the support team to be able to export all of the orders of one customers account";
        assert_eq!(
            thread_title(wish, &[]),
            "We would like the support team to be able to export all of the orders of one"
        );
        assert_eq!(thread_title(&"单".repeat(100), &[]).chars().count(), 80);
    }
}
