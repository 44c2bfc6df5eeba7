//! The frame of every page: title, navigation, language switch, person; and the files that it loads.

use std::io;

use minijinja::value::Serde;
use minijinja::{Value, context};

use super::words::Words;

use reqgate_base::clean;
use reqgate_base::hash::Hash;
use reqgate_base::model::Language;
use reqgate_base::page::Page;
use reqgate_flow::{ThreadId, ThreadRecord, Workflow, view};
use reqgate_prd::workflow::PrdWorkflow;
use reqgate_report::html;

const TEMPLATE: &str = include_str!("templates/frame.html.j2");
const SITE: &str = include_str!("site.css");
const SCRIPT: &str = include_str!("live.js");
const ICON: &str = include_str!("icon.svg");

/// A part of the site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tab {
    /// The page that judges a text.
    Judge,
    /// The list of open questions.
    Inbox,
    /// The list of the threads.
    Threads,
    /// The audit of a backlog.
    Audit,
    /// No part: the login, an error.
    None,
}

impl Tab {
    fn name(self) -> &'static str {
        match self {
            Self::Judge => "judge",
            Self::Inbox => "inbox",
            Self::Threads => "threads",
            Self::Audit => "audit",
            Self::None => "",
        }
    }
}

/// The data for the frame of a page.
#[derive(Debug, Clone)]
pub struct Frame<'a> {
    /// The language of the person.
    pub language: Language,
    /// The part of the site.
    pub tab: Tab,
    /// The person, if they have logged in.
    pub person: Option<&'a str>,
    /// The token that proves that a form comes from a page of this service.
    pub csrf: &'a str,
    /// The number of open questions, if it is known.
    pub open_asks: Option<usize>,
}

impl Frame<'_> {
    pub(super) fn words(&self) -> &'static Words {
        Words::of(self.language)
    }

    /// The name of a list with these threads: those of other workflows are not PRDs.
    pub(super) fn list_name<'r>(&self, records: impl IntoIterator<Item = &'r ThreadRecord>) -> &'static str {
        match records.into_iter().all(|record| record.workflow == PrdWorkflow::NAME) {
            true => self.words().threads_title,
            false => self.words().workflows,
        }
    }

    /// The words for a template.
    pub(super) fn said(&self) -> Value {
        Value::from(Serde(self.words()))
    }
}

/// The contents of a page.
pub(super) struct Contents<'a> {
    pub(crate) title: &'a str,
    /// The style sheet in addition to that of the site.
    pub style: Style,
    /// HTML with all text escaped.
    pub html: String,
    /// The form whose contents are kept when a person changes the language.
    pub form: Option<&'static str>,
    /// The thread whose changes the page shows, and its last event.
    pub live: Option<(&'a str, u64)>,
}

impl<'a> Contents<'a> {
    /// A page in the style of reports.
    pub(super) fn new(title: &'a str, html: String) -> Self {
        Self { title, style: Style::Report, html, form: None, live: None }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// The style of reports.
    Report,
    /// The style of threads.
    Thread,
    /// The style of audits.
    Audit,
}

impl Style {
    fn name(self) -> &'static str {
        match self {
            Self::Report => "report",
            Self::Thread => "thread",
            Self::Audit => "audit",
        }
    }
}

/// Renders a complete page.
///
/// # Errors
/// Fails only if a template is broken.
pub(super) fn framed(frame: &Frame<'_>, contents: Contents<'_>) -> io::Result<String> {
    let Contents { title, style, html, form, live } = contents;
    let stamp = Hash::of(html::STYLE).and(view::STYLE).and(reqgate_audit::STYLE).and(SITE).and(SCRIPT).digits(12);
    rendered(
        TEMPLATE,
        context! {
            t => frame.said(),
            title => clean::one_line(title),
            tab => frame.tab.name(),
            person => frame.person.map(clean::one_line),
            csrf => frame.csrf,
            open_asks => frame.open_asks,
            style => style.name(),
            stamp,
            form,
            thread => live.map(|(thread, _)| thread),
            head => live.map(|(_, head)| head),
            body => html,
        },
    )
}

/// Renders a template with its values.
///
/// # Errors
/// Fails only if the template is broken.
pub(super) fn rendered(template: &'static str, values: Value) -> io::Result<String> {
    Page::new(template, "").and_then(|page| page.render(values)).map_err(io::Error::other)
}

/// A page with only a message, for something that does not exist or that failed.
///
/// # Errors
/// Fails only if a template is broken.
pub fn message_page(frame: &Frame<'_>, title: &str, message: &str) -> io::Result<String> {
    let values = context! { title => clean::one_line(title), message => clean::lines(message), link => () };
    let html = rendered(include_str!("templates/message.html.j2"), values)?;
    framed(frame, Contents::new(title, html))
}

/// The page for an address that does not exist.
///
/// # Errors
/// Fails only if a template is broken.
pub fn missing_page(frame: &Frame<'_>) -> io::Result<String> {
    let said = frame.words();
    with_link(frame, said.page_missing, "", ("/", said.start_page))
}

/// The page for a PDF that this server cannot create, with a link to the document.
///
/// # Errors
/// Fails only if a template is broken.
pub fn no_pdf_page(frame: &Frame<'_>, thread: &ThreadId, stem: &str) -> io::Result<String> {
    let said = frame.words();
    with_link(frame, "PDF", said.no_pdf, (&format!("/threads/{thread}/documents/{stem}.md"), said.open_it))
}

/// A page with a message and a link.
fn with_link(frame: &Frame<'_>, title: &str, message: &str, link: (&str, &str)) -> io::Result<String> {
    let values = context! { title, message, link };
    framed(frame, Contents::new(title, rendered(include_str!("templates/message.html.j2"), values)?))
}

/// A file that pages load.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asset {
    /// The media type of the file.
    pub media_type: &'static str,
    /// The text of the file.
    pub text: &'static str,
}

/// The file with this name.
pub fn asset(name: &str) -> Option<Asset> {
    let (media_type, text) = match name {
        "report.css" => ("text/css; charset=utf-8", html::STYLE),
        "thread.css" => ("text/css; charset=utf-8", view::STYLE),
        "audit.css" => ("text/css; charset=utf-8", reqgate_audit::STYLE),
        "site.css" => ("text/css; charset=utf-8", SITE),
        "live.js" => ("text/javascript; charset=utf-8", SCRIPT),
        "icon.svg" => ("image/svg+xml", ICON),
        _ => return None,
    };
    Some(Asset { media_type, text })
}
