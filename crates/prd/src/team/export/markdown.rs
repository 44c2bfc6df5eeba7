//! Converts Markdown into the body of a page: raw HTML is shown as text, images as their description, unsafe links as plain text.

use std::collections::BTreeSet;

use pulldown_cmark::{CodeBlockKind, CowStr, Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd, html};
use serde::Serialize;

use crate::brief::decode;
use crate::team::links::{Link, link};
use reqgate_base::clean;
use reqgate_base::model::Language;
use reqgate_messages as messages;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Entry {
    pub id: String,
    pub words: String,
    /// The heading is of the third level.
    pub is_sub: bool,
}

#[derive(Debug)]
pub(super) struct Body {
    /// The first heading of the first level; empty if there is none.
    pub title: String,
    pub contents: Vec<Entry>,
    /// The HTML, in which all text of the document is escaped.
    pub html: String,
}

/// The handling of source comments: `<!-- source: notes.md:5 "it exports" -->`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Quotes {
    /// Omit them, like all comments.
    #[default]
    Hidden,
    /// Show them after their statements.
    Shown,
}

/// Converts a Markdown document into the body of a page.
pub(super) fn body(markdown: &str, language: Language, quotes: Quotes) -> Body {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    // A tab is a control character, and has the width of four columns.
    let text = clean::lines(&markdown.replace('\t', "    "));
    let mut writer = Writer { picture: messages::Prd::of(language).picture, quotes, ..Writer::default() };
    let mut reader = Parser::new_ext(&text, options);
    while let Some(event) = reader.next() {
        writer.take(event, &mut reader);
    }
    let mut out = String::new();
    html::push_html(&mut out, writer.out.into_iter());
    Body { title: writer.title.unwrap_or_default(), contents: writer.contents, html: out }
}

#[derive(Default)]
struct Writer<'t> {
    /// The label before the description of an image.
    picture: &'static str,
    quotes: Quotes,
    title: Option<String>,
    contents: Vec<Entry>,
    out: Vec<Event<'t>>,
    ids: BTreeSet<String>,
    /// For each open link, true if it is written.
    links: Vec<bool>,
    /// The writer is inside a cell of a table.
    in_cell: bool,
}

impl<'t> Writer<'t> {
    fn take(&mut self, event: Event<'t>, reader: &mut Parser<'t>) {
        match event {
            Event::Start(Tag::Heading { level, .. }) => self.heading(level, reader),
            Event::Start(Tag::HtmlBlock) => self.html_block(reader),
            Event::InlineHtml(tag) if matches!(&*tag, "<br>" | "<br/>" | "<br />") => self.push_html("<br>".to_owned()),
            Event::HardBreak => self.push_html("<br>\n".to_owned()),
            Event::Rule => self.push_html("<hr>\n".to_owned()),
            Event::InlineHtml(tag) | Event::Html(tag) if is_comment(&tag) => self.quote(&tag),
            Event::InlineHtml(tag) | Event::Html(tag) => self.out.push(Event::Text(tag)),
            // An unresolved citation such as `<cite:src-1>` has the form of an address.
            Event::Start(Tag::Link { link_type: LinkType::Autolink, dest_url, .. })
                if dest_url.starts_with("cite:") =>
            {
                words_until(reader, |end| matches!(end, TagEnd::Link));
                self.out.push(Event::Text(format!("[{}]", &dest_url["cite:".len()..]).into()));
            }
            Event::Start(Tag::Link { dest_url, .. }) => {
                let is_written = matches!(link(&dest_url), Link::Web | Link::Here);
                if is_written {
                    let address = escaped(&clean::one_line(&dest_url));
                    self.push_html(format!("<a href=\"{address}\">"));
                }
                self.links.push(is_written);
            }
            Event::End(TagEnd::Link) => {
                if self.links.pop() == Some(true) {
                    self.push_html("</a>".to_owned());
                }
            }
            Event::Start(Tag::Image { .. }) => {
                let words = words_until(reader, |end| matches!(end, TagEnd::Image));
                self.out.push(Event::Text(format!("[{}: {words}]", self.picture).into()));
            }
            Event::Start(Tag::TableCell) => {
                self.in_cell = true;
                self.out.push(Event::Start(Tag::TableCell));
            }
            Event::End(TagEnd::TableCell) => {
                self.in_cell = false;
                self.out.push(Event::End(TagEnd::TableCell));
            }
            Event::Text(words) if self.in_cell && is_one_word(&words) => {
                self.push_html(format!("<span class=\"word\">{}</span>", escaped(&clean::words(&words))));
            }
            // Alignment would need inline styles, which the page forbids.
            Event::Start(Tag::Table(columns)) => {
                // The table scrolls separately, and can be focused with the keyboard.
                self.push_html("<div class=\"table\" tabindex=\"0\">".to_owned());
                self.out.push(Event::Start(Tag::Table(vec![pulldown_cmark::Alignment::None; columns.len()])));
            }
            Event::End(TagEnd::Table) => {
                self.out.push(Event::End(TagEnd::Table));
                self.push_html("</div>\n".to_owned());
            }
            Event::TaskListMarker(is_done) => {
                self.out.push(Event::Text(if is_done { "☑ " } else { "☐ " }.into()));
            }
            // The word after a fence is untrusted, and would become a class.
            Event::Start(Tag::CodeBlock(_)) => self.out.push(Event::Start(Tag::CodeBlock(CodeBlockKind::Indented))),
            // An entity such as `&#27;` is already decoded here.
            Event::Text(text) => self.out.push(Event::Text(clean::lines(&text).into())),
            other => self.out.push(other),
        }
    }

    fn push_html(&mut self, html: String) {
        self.out.push(Event::InlineHtml(html.into()));
    }

    /// Shows a comment that names the source of the previous statement.
    fn quote(&mut self, comment: &str) {
        let inner = comment.trim().trim_start_matches("<!--").trim_end_matches("-->").trim();
        let Some(place) = inner.strip_prefix("source: ").filter(|_| self.quotes == Quotes::Shown) else { return };
        let (place, quote) = place.split_once(" \"").unwrap_or((place, ""));
        let quote = quote.strip_suffix('"').unwrap_or(quote);
        let said = |words: &str| escaped(&clean::words(&decode(words)));
        let quote = if quote.is_empty() { String::new() } else { format!(" <q>{}</q>", said(quote)) };
        self.push_html(format!("<span class=\"source\">{}{quote}</span>", said(place)));
    }

    /// Writes a heading with an anchor; the first one of the first level is the title, which is shown elsewhere.
    fn heading(&mut self, level: HeadingLevel, reader: &mut Parser<'t>) {
        let mut inside = Writer { picture: self.picture, quotes: self.quotes, ..Writer::default() };
        let mut words = String::new();
        while let Some(event) = reader.next() {
            match &event {
                Event::End(TagEnd::Heading(_)) => break,
                Event::Text(text) | Event::Code(text) | Event::InlineHtml(text) => words.push_str(text),
                Event::SoftBreak | Event::HardBreak => words.push(' '),
                _ => {}
            }
            inside.take(event, reader);
        }
        let words = clean::words(&words);
        if level == HeadingLevel::H1 && self.title.is_none() {
            self.title = Some(words);
            return;
        }
        // The title is the only heading of the first level.
        let level = level.max(HeadingLevel::H2);
        let id = self.anchor(&words);
        if level <= HeadingLevel::H3 {
            let is_sub = level == HeadingLevel::H3;
            self.contents.push(Entry { id: id.clone(), words, is_sub });
        }
        self.push_html(format!("<{level} id=\"{id}\">"));
        self.out.append(&mut inside.out);
        self.push_html(format!("</{level}>\n"));
    }

    /// A unique anchor of letters, digits and hyphens.
    fn anchor(&mut self, words: &str) -> String {
        let letter = |c: char| if c.is_alphanumeric() { c } else { '-' };
        let slug: String = words.to_lowercase().chars().map(letter).collect();
        let parts: Vec<&str> = slug.split('-').filter(|part| !part.is_empty()).collect();
        let base = if parts.is_empty() { "section".to_owned() } else { parts.join("-") };
        // An id that begins with a digit cannot be used in a style sheet.
        let base = if base.starts_with(|c: char| c.is_numeric()) { format!("s-{base}") } else { base };
        let mut id = base.clone();
        let mut number = 2;
        while !self.ids.insert(id.clone()) {
            id = format!("{base}-{number}");
            number += 1;
        }
        id
    }

    /// Writes raw HTML as a paragraph of text, and omits comments.
    fn html_block(&mut self, reader: &mut Parser<'t>) {
        let mut block = String::new();
        for event in reader.by_ref() {
            match event {
                Event::End(TagEnd::HtmlBlock) => break,
                Event::Html(text) | Event::Text(text) => block.push_str(&text),
                _ => {}
            }
        }
        if !is_comment(&block) && !block.trim().is_empty() {
            self.out.push(Event::Start(Tag::Paragraph));
            self.out.push(Event::Text(CowStr::from(block.trim_end().to_owned())));
            self.out.push(Event::End(TagEnd::Paragraph));
        }
    }
}

/// The text up to the end of a tag.
fn words_until(reader: &mut Parser<'_>, is_end: impl Fn(&TagEnd) -> bool) -> String {
    let mut words = String::new();
    let mut depth = 0_u32;
    for event in reader.by_ref() {
        match event {
            Event::Start(Tag::Image { .. }) => depth += 1,
            Event::End(end) if is_end(&end) => match depth.checked_sub(1) {
                Some(left) => depth = left,
                None => break,
            },
            Event::Text(text) | Event::Code(text) => words.push_str(&text),
            Event::SoftBreak | Event::HardBreak => words.push(' '),
            _ => {}
        }
    }
    clean::words(&words)
}

/// The longest word that is kept on one line, in ASCII and in other characters: Chinese text may break after every character.
const LONGEST_WORD: (usize, usize) = (24, 8);

/// Returns true for a short word, such as an id, a category or a date, that is not broken in a cell.
pub(super) fn is_one_word(words: &str) -> bool {
    let longest = if words.is_ascii() { LONGEST_WORD.0 } else { LONGEST_WORD.1 };
    !words.contains(char::is_whitespace) && words.contains(char::is_alphanumeric) && words.chars().count() <= longest
}

/// Returns true for exactly one comment.
pub(super) fn is_comment(html: &str) -> bool {
    let html = html.trim();
    html.strip_prefix("<!--").and_then(|rest| rest.find("-->")).is_some_and(|at| at + "<!---->".len() == html.len())
}

/// Escapes text for an attribute.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;").replace('\'', "&#39;")
}
