//! A document of a PRD as a page, with its downloads.

use std::io;

use minijinja::context;

use super::frame::{Contents, Frame, framed, rendered};
use super::words::Words;
use reqgate_base::clean;
use reqgate_flow::ThreadRecord;
use reqgate_prd::team::export::html_contents;
use reqgate_text::language::language_of;

/// The page of a Markdown document.
///
/// # Errors
/// Fails only if a template is broken.
pub fn document_page(frame: &Frame<'_>, record: &ThreadRecord, file: &str, text: &str) -> io::Result<String> {
    let (title, html) = html_contents(text);
    let name = document_name(frame.words(), file);
    let title = if title.is_empty() { name.clone() } else { title };
    let values = context! {
        t => frame.said(),
        list => frame.list_name([record]),
        thread => record.id.to_string(),
        thread_title => clean::words(&record.title),
        name,
        title => title.as_str(),
        stem => file.trim_end_matches(".md"),
        language => language_of(text).of("en", "zh-Hans"),
        document => html,
    };
    let html = rendered(include_str!("templates/document.html.j2"), values)?;
    framed(frame, Contents::new(&title, html))
}

/// The name of a document for people.
pub(super) fn document_name(said: &Words, file: &str) -> String {
    let [brief, requirements, prd, outline, critiques, data] = said.document_names;
    match file {
        "feature-brief.md" => brief,
        "requirements.md" => requirements,
        "prd.md" => prd,
        "outline.md" => outline,
        "critiques.md" => critiques,
        "prd.json" => data,
        other => return clean::words(other),
    }
    .to_owned()
}
