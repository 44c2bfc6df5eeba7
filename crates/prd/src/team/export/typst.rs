//! Converts Markdown into a program for the typesetter Typst, which produces a PDF. All text of the document is in string literals, in
//! which Typst's markup (`#`, `$`, `@`, `*`) has no meaning, and only quotation marks and backslashes need escaping.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::markdown::{is_comment, is_one_word};
use crate::team::links::{Link, link};
use reqgate_base::clean;
use reqgate_base::model::Language;
use reqgate_messages as messages;

/// The layout of the document.
const STYLE: &str = "#set page(margin: 2.2cm, numbering: \"1\")\n#set par(leading: 0.7em)\n#set table(stroke: 0.5pt + gray)\n\
                     #show heading: set block(above: 1.4em, below: 0.8em)\n#show link: underline\n";

/// Returns the program for a document.
pub(super) fn program(markdown: &str, title: &str, language: Language) -> String {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let text = clean::lines(&markdown.replace('\t', "    "));
    let picture = messages::Prd::of(language).picture;
    let mut out = format!(
        "#set document(title: {})\n#set text(lang: \"{}\", size: 10.5pt)\n{STYLE}#{{\"\"\n",
        string(title),
        language.of("en", "zh")
    );
    // For each open link, true if it is written.
    let mut links = Vec::new();
    let (mut in_code, mut in_cell) = (false, false);
    for event in Parser::new_ext(&text, options) {
        match event {
            Event::Start(tag) => {
                in_cell |= tag == Tag::TableCell;
                in_code = matches!(tag, Tag::CodeBlock(_));
                start(&mut out, &tag, &mut links, picture);
            }
            Event::End(end) => {
                in_cell &= end != TagEnd::TableCell;
                in_code = false;
                out.push_str(ending(end, &mut links));
            }
            Event::Text(words) if in_code => statement(&mut out, &format!(" + {}", string(&words))),
            // An unresolved citation such as `<cite:src-1>` has the form of an address.
            Event::Text(words) if links.last() == Some(&false) && words.starts_with("cite:") => {
                statement(&mut out, &string(&format!("[{}]", &words["cite:".len()..])));
            }
            Event::Text(words) if in_cell && is_one_word(&words) => {
                statement(&mut out, &format!("box({})", string(&words)));
            }
            Event::Text(words) => statement(&mut out, &string(&words)),
            Event::Code(words) => statement(&mut out, &format!("raw({})", string(&words))),
            Event::SoftBreak => statement(&mut out, "\" \""),
            Event::HardBreak => statement(&mut out, "linebreak()"),
            Event::Rule => statement(&mut out, "line(length: 100%)"),
            Event::TaskListMarker(is_done) => statement(&mut out, if is_done { "\"☑ \"" } else { "\"☐ \"" }),
            Event::InlineHtml(tag) if matches!(&*tag, "<br>" | "<br/>" | "<br />") => {
                statement(&mut out, "linebreak()");
            }
            Event::InlineHtml(tag) | Event::Html(tag) if is_comment(&tag) => {}
            // Raw HTML is shown as text.
            Event::InlineHtml(tag) | Event::Html(tag) => statement(&mut out, &string(&tag)),
            _ => {}
        }
    }
    out.push_str("}\n");
    out
}

/// A string literal of Typst. Entities of the document, such as `&#27;`, are already decoded.
fn string(words: &str) -> String {
    format!("\"{}\"", clean::lines(words).replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

fn statement(out: &mut String, code: &str) {
    out.push_str(code);
    out.push('\n');
}

/// Opens an element. Each contains a code block that begins with an empty string, because it must not be empty.
fn start(out: &mut String, tag: &Tag<'_>, links: &mut Vec<bool>, picture: &str) {
    let opened = match tag {
        Tag::Paragraph | Tag::HtmlBlock => "par({\"\"\n".to_owned(),
        Tag::Heading { level, .. } => format!("heading(level: {}, {{\"\"\n", *level as u8),
        Tag::BlockQuote(_) => "quote(block: true, {\"\"\n".to_owned(),
        Tag::CodeBlock(_) => "raw(block: true, \"\"".to_owned(),
        Tag::List(None) => "list(".to_owned(),
        Tag::List(Some(first)) => format!("enum(start: {}, ", (*first).min(999_999)),
        Tag::Item => "{\"\"\n".to_owned(),
        Tag::Table(columns) => format!("table(columns: {}, ", columns.len().max(1)),
        Tag::TableHead => "table.header(".to_owned(),
        Tag::TableCell => "{\"\"\n".to_owned(),
        Tag::Emphasis => "emph({\"\"\n".to_owned(),
        Tag::Strong => "strong({\"\"\n".to_owned(),
        Tag::Strikethrough => "strike({\"\"\n".to_owned(),
        Tag::Link { dest_url, .. } => {
            let is_written = link(dest_url) == Link::Web;
            links.push(is_written);
            if is_written { format!("link({}, {{\"\"\n", string(dest_url)) } else { "{\"\"\n".to_owned() }
        }
        // An image is replaced by its description.
        Tag::Image { .. } => format!("{{{}\n", string(&format!("[{picture}: "))),
        _ => String::new(),
    };
    out.push_str(&opened);
}

fn ending(end: TagEnd, links: &mut Vec<bool>) -> &'static str {
    match end {
        TagEnd::Item | TagEnd::TableCell => "},",
        TagEnd::List(_) | TagEnd::Table | TagEnd::CodeBlock => ")\n",
        TagEnd::TableHead => "),",
        TagEnd::Link if links.pop() != Some(true) => "}\n",
        TagEnd::Image => "\"]\"\n}\n",
        TagEnd::Paragraph
        | TagEnd::HtmlBlock
        | TagEnd::Heading(_)
        | TagEnd::BlockQuote(_)
        | TagEnd::Emphasis
        | TagEnd::Strong
        | TagEnd::Strikethrough
        | TagEnd::Link => "})\n",
        _ => "",
    }
}
