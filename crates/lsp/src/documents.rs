//! The documents that the client has opened, and their last verdicts.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lsp_types::Uri;
use reqgate_base::model::{Language, Span};

use crate::addresses::path_of;
use crate::judge::{Judged, Judgement};

/// The time after a change before a text is judged.
const DELAY: Duration = Duration::from_millis(150);
/// The largest document that is judged, in bytes: 1 MiB, several times the length that the guardrail lets pass.
pub(crate) const LARGEST: usize = 1024 * 1024;

/// The address of a document as a key.
pub(crate) type Address = String;

/// A document that is open in the client.
pub(crate) struct Document {
    /// The address.
    pub uri: Uri,
    /// The version of the text.
    pub version: i32,
    /// The client says that it is Markdown or plain text.
    pub is_prose: bool,
    /// The text; `None` for a document that is too large.
    pub text: Option<Arc<str>>,
    /// The language of messages that do not come from a verdict.
    pub language: Language,
    /// The time at which the text is to be judged; `None` if it is or was.
    due: Option<Instant>,
    /// The last result, and the version that it is about.
    result: Option<(i32, Judgement)>,
}

impl Document {
    /// An opened document, which is due at once.
    pub(crate) fn new(uri: Uri, version: i32, is_prose: bool, text: String) -> Self {
        let mut document = Self { uri, version, is_prose, text: None, language: Language::En, due: None, result: None };
        document.change(version, text, Duration::ZERO);
        document
    }

    /// Takes a new text, which is due after the delay.
    pub(crate) fn changed(&mut self, version: i32, text: String) {
        self.change(version, text, DELAY);
    }

    fn change(&mut self, version: i32, text: String, delay: Duration) {
        self.version = version;
        let is_chinese = |c: char| ('\u{4e00}'..='\u{9fff}').contains(&c);
        self.language = if text.chars().take(1000).any(is_chinese) { Language::Zh } else { Language::En };
        self.text = (text.len() <= LARGEST).then(|| text.into());
        self.due = Some(Instant::now() + delay);
    }

    /// Has the text judged at once.
    pub(crate) fn hurry(&mut self) {
        self.due = Some(Instant::now());
    }

    /// Takes a result; one on an older version is dropped.
    pub(crate) fn take(&mut self, version: i32, judgement: Judgement) -> bool {
        let is_current = version == self.version;
        if is_current {
            self.result = Some((version, judgement));
        }
        is_current
    }

    /// The result for the current text.
    pub(crate) fn result(&self) -> Option<&Judgement> {
        self.result
            .as_ref()
            .filter(|(version, _)| *version == self.version && self.due.is_none())
            .map(|(_, result)| result)
    }

    /// The verdict on the current text, with the text.
    pub(crate) fn judged(&self) -> Option<(&Judged, &str)> {
        match (self.result()?, &self.text) {
            (Judgement::Judged(judged), Some(text)) => Some((judged, text)),
            _ => None,
        }
    }

    /// The headings to offer. They may come from an older version, because the author is typing.
    pub(crate) fn headings(&self) -> &[String] {
        match &self.result {
            Some((_, Judgement::Judged(judged))) => &judged.headings,
            _ => &[],
        }
    }
}

impl Judged {
    /// The place of a span of the outcome in the document.
    pub(crate) fn placed(&self, span: Span) -> Span {
        Span::new(span.start + self.shift, span.end + self.shift)
    }

    /// The line with the title: that of the draft or the source, else the first with words after the front matter.
    pub(crate) fn title(&self, text: &str) -> Span {
        let of_draft = self.outcome.structured.as_ref().and_then(|structured| structured.grounding.title);
        let known = of_draft.or(self.outcome.packet.title_span).map(|span| self.placed(span));
        known.filter(|span| !span.is_empty()).map_or_else(|| first_line(text), |span| line_at(text, span.start))
    }
}

/// The first line with words, after the front matter.
pub(crate) fn first_line(text: &str) -> Span {
    let body = text.len() - reqgate_docs::front_matter::body(text).len();
    line_at(text, text[body..].find(|c: char| !c.is_whitespace()).map_or(0, |at| body + at))
}

/// The line that contains an offset, without the blanks at its end.
fn line_at(text: &str, offset: usize) -> Span {
    let offset = text.floor_char_boundary(offset.min(text.len()));
    let is_end = |c: char| matches!(c, '\n' | '\r');
    let start = text[..offset].rfind(is_end).map_or(0, |at| at + 1);
    let end = text[offset..].find(is_end).map_or(text.len(), |at| offset + at);
    Span::new(start, start + text[start..end].trim_end().len())
}

/// All open documents.
#[derive(Default)]
pub(crate) struct Documents {
    open: HashMap<Address, Document>,
}

impl Documents {
    pub(crate) fn get(&self, uri: &Uri) -> Option<&Document> {
        self.open.get(uri.as_str())
    }

    pub(crate) fn get_mut(&mut self, uri: &Uri) -> Option<&mut Document> {
        self.open.get_mut(uri.as_str())
    }

    pub(crate) fn at(&mut self, address: &str) -> Option<&mut Document> {
        self.open.get_mut(address)
    }

    /// The text of the file at a path, if the client has opened it.
    pub(crate) fn text_at(&self, path: &Path) -> Option<(&Uri, Arc<str>)> {
        let document = self.open.values().find(|document| path_of(document.uri.as_str()).as_deref() == Some(path))?;
        Some((&document.uri, document.text.clone()?))
    }

    pub(crate) fn open(&mut self, document: Document) {
        self.open.insert(document.uri.as_str().to_owned(), document);
    }

    pub(crate) fn close(&mut self, uri: &Uri) -> Option<Document> {
        self.open.remove(uri.as_str())
    }

    /// Has all documents judged again.
    pub(crate) fn hurry_all(&mut self) {
        self.open.values_mut().for_each(Document::hurry);
    }

    /// The documents that are due, each once.
    pub(crate) fn due(&mut self) -> Vec<Uri> {
        let now = Instant::now();
        let due = self.open.values_mut().filter(|document| document.due.is_some_and(|due| due <= now));
        due.map(|document| {
            document.due = None;
            document.uri.clone()
        })
        .collect()
    }

    /// The time until the next document is due.
    pub(crate) fn wait(&self) -> Option<Duration> {
        let next = self.open.values().filter_map(|document| document.due).min()?;
        Some(next.saturating_duration_since(Instant::now()))
    }
}
