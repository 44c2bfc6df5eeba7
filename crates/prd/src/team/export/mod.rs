//! Exports a PRD in Markdown as a self-contained page, as a program for a typesetter, and as data. For any Markdown,
//! the page has no scripts and no external resources, and links only to `http`, `https` and `mailto`.

mod markdown;
mod readable;
mod typst;

use markdown::Quotes;
use minijinja::value::Serde;
use minijinja::{Error, Value, context};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::document::ProductRequirementsDocument;
use reqgate_base::clean;
use reqgate_base::page::Page;
use reqgate_docs::front_matter;
use reqgate_messages as messages;
use reqgate_text::language::language_of;
use reqgate_text::lexicon::is_cjk;

const TEMPLATE: &str = include_str!("page.html.j2");
const STYLE: &str = include_str!("page.css");

/// The name and version of the JSON format.
pub const SCHEMA: &str = "reqgate/prd-document/v1";

/// A PRD in its JSON format.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DocumentExport {
    /// The name and version of this format: `reqgate/prd-document/v1`.
    pub schema: String,
    /// The content of the PRD.
    pub document: ProductRequirementsDocument,
}

impl DocumentExport {
    /// A document as data.
    pub fn of(document: ProductRequirementsDocument) -> Self {
        Self { schema: SCHEMA.to_owned(), document }
    }
}

/// Renders the page of a Markdown document. Its first heading is the title; if it is missing, `name` is used.
///
/// # Errors
/// Fails only if the template is broken, which a test would find.
pub fn html(markdown: &str, name: &str) -> Result<String, Error> {
    let markdown = front_matter::body(markdown.trim_start_matches('\u{feff}'));
    let language = language_of(markdown);
    let body = markdown::body(&readable::readable(markdown, language), language, Quotes::Hidden);
    let title = if body.title.is_empty() { name.to_owned() } else { body.title };
    Page::new(TEMPLATE, STYLE)?.render(context! {
        language => language.of("en", "zh-Hans"),
        title => clean::words(&title),
        contents_title => messages::Prd::of(language).contents,
        contents => Value::from(Serde(&body.contents)),
        body => body.html,
    })
}

/// Renders the document as a program for the typesetter Typst.
pub fn typst(markdown: &str, name: &str) -> String {
    let markdown = front_matter::body(markdown.trim_start_matches('\u{feff}'));
    let language = language_of(markdown);
    let title = markdown::body(markdown, language, Quotes::Hidden).title;
    typst::program(&readable::readable(markdown, language), if title.is_empty() { name } else { &title }, language)
}

/// Returns true for a document with Chinese characters.
pub fn is_chinese(markdown: &str) -> bool {
    markdown.chars().any(is_cjk)
}

/// Renders a Markdown document for embedding in a page: its title as text, and the rest as HTML with all content
/// escaped. The source quotes of statements are shown.
pub fn html_contents(markdown: &str) -> (String, String) {
    let markdown = front_matter::body(markdown.trim_start_matches('\u{feff}'));
    let language = language_of(markdown);
    let body = markdown::body(&readable::readable(markdown, language), language, Quotes::Shown);
    (clean::words(&body.title), body.html)
}

#[cfg(test)]
mod tests;
