//! Citations of a PRD: the list of sources, the marks in the text, references, and assertions without a citation.

mod assertions;
mod clauses;

pub use assertions::{Assertion, UncitedAssertion, uncited};
pub use clauses::Names;

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::links::{Link, link};
use reqgate_base::clean;
use reqgate_base::model::Language;
use reqgate_docs::lines::{self, LineKind};
use reqgate_docs::{GAP, is_live};
use reqgate_messages as messages;

/// The id of a source: `src-` and a number from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String", extend("pattern" = "^src-[1-9][0-9]*$"))]
pub struct SourceId(u32);

/// The first id, `src-1`.
impl Default for SourceId {
    fn default() -> Self {
        Self(1)
    }
}

/// The error for a text that is not the id of a source.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is not the id of a source: write src-1")]
pub struct SourceIdError(String);

impl FromStr for SourceId {
    type Err = SourceIdError;

    fn from_str(text: &str) -> Result<Self, SourceIdError> {
        let digits = text.strip_prefix("src-").filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
        let number = digits.and_then(|digits| digits.parse().ok()).filter(|number| *number > 0);
        number.map(Self).ok_or_else(|| SourceIdError(text.to_owned()))
    }
}

impl TryFrom<String> for SourceId {
    type Error = SourceIdError;

    fn try_from(text: String) -> Result<Self, SourceIdError> {
        text.parse()
    }
}

impl From<SourceId> for String {
    fn from(id: SourceId) -> Self {
        id.to_string()
    }
}

impl fmt::Display for SourceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "src-{}", self.0)
    }
}

/// A source that was found by research. Everything except the id is untrusted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ResearchSource {
    /// The id for citations.
    pub id: SourceId,
    /// The address, or the file for a document of the team.
    pub url: String,
    /// The title of the source.
    pub title: String,
    /// The host of the address; empty for a document of the team.
    #[serde(default)]
    pub domain: String,
    /// The agent that found the source.
    pub agent: String,
    /// The time when it was found, by RFC 3339 in UTC.
    pub timestamp: String,
    /// The confidence of the agent that the source supports the statement, from 0 to 1, if given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub confidence: Option<f64>,
}

/// The sources of a PRD, in the order in which they were found.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct ResearchSources(pub Vec<ResearchSource>);

impl ResearchSources {
    /// Returns true if the list is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a source under the next id, ignoring its own id, and returns that id; a source with a known address keeps its existing id.
    pub(crate) fn add(&mut self, source: ResearchSource) -> SourceId {
        if let Some(known) = self.0.iter().find(|known| known.url == source.url) {
            return known.id;
        }
        let last = self.0.iter().map(|source| source.id.0).max().unwrap_or(0);
        let id = SourceId(last.saturating_add(1));
        self.0.push(ResearchSource { id, ..source });
        id
    }

    /// The source for a mark: by its position from 1, or by its id.
    fn cited(&self, words: &str) -> Option<&ResearchSource> {
        match words.parse::<usize>() {
            Ok(number) => number.checked_sub(1).and_then(|index| self.0.get(index)),
            Err(_) => words.parse().ok().and_then(|id: SourceId| self.0.iter().find(|source| source.id == id)),
        }
    }
}

/// The style of citations and references.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CitationStyle {
    /// Ids such as `[src-2]`, with a list of the sources at the end.
    Id,
    /// Links such as `[title](url)`.
    Markdown,
    /// References such as `domain. (year). title. Retrieved from url`.
    Apa,
    /// Only the address.
    #[default]
    Url,
}

/// A citation of a source that does not exist.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "line {line}: `{mark}` cites a source that does not exist: cite one of the recorded sources, or leave a blank `[…]`"
)]
pub struct DanglingCitation {
    /// The line number, from 1.
    pub line: u32,
    /// The mark as written.
    pub mark: String,
}

impl DanglingCitation {
    /// Describes the error in a language, on one line.
    pub fn in_words(&self, language: Language) -> String {
        let text = language.of(
            self.to_string(),
            format!("第 {} 行：`{}` 引用的来源不存在：请引用已记录的来源，或留空白 `[…]`", self.line, self.mark),
        );
        clean::one_line(&text).into_owned()
    }
}

/// A mark such as `<cite:1>` or `<cite:src-1>` in a text.
struct Mark<'t> {
    place: Range<usize>,
    line: u32,
    words: &'t str,
}

/// The longest mark, in bytes.
const LONGEST_MARK: usize = 40;

/// The marks of a text, except those in code and comments.
fn marks(text: &str) -> Vec<Mark<'_>> {
    const OPEN: &str = "<cite:";
    let mut out = Vec::new();
    for (line, number) in lines::lines(text).0.iter().zip(1..) {
        if line.kind != LineKind::Text {
            continue;
        }
        let words = &text[line.start..line.end];
        let (mut counted, mut backticks) = (0, 0);
        for (at, _) in words.match_indices(OPEN) {
            backticks += words[counted..at].matches('`').count();
            counted = at;
            let inside = &words[at + OPEN.len()..];
            let is_escaped = words[..at].ends_with('\\') || backticks % 2 == 1;
            // A mark ends within this length.
            let end = inside.bytes().take(LONGEST_MARK + 1).position(|byte| byte == b'>');
            let Some(end) = end.filter(|_| !is_escaped) else { continue };
            let start = line.start + at;
            out.push(Mark { place: start..start + OPEN.len() + end + 1, line: number, words: inside[..end].trim() });
        }
    }
    out
}

/// Returns the ids that a text cites, in the order of their first citation.
///
/// # Errors
/// Fails with every citation of a source that does not exist.
pub(crate) fn cited(text: &str, sources: &ResearchSources) -> Result<Vec<SourceId>, Vec<DanglingCitation>> {
    let (mut ids, mut dangling) = (Vec::new(), Vec::new());
    for mark in marks(text) {
        match sources.cited(mark.words) {
            Some(source) if !ids.contains(&source.id) => ids.push(source.id),
            Some(_) => {}
            None => dangling.push(DanglingCitation { line: mark.line, mark: text[mark.place].to_owned() }),
        }
    }
    if dangling.is_empty() { Ok(ids) } else { Err(dangling) }
}

/// Brackets that open: no blank is between one and a citation.
pub(crate) const OPENING: [char; 6] = ['(', '[', '{', '（', '【', '「'];

/// Returns the text with its citations written out in a style.
///
/// # Errors
/// Fails with every citation of a source that does not exist.
pub fn inject(text: &str, sources: &ResearchSources, style: CitationStyle) -> Result<String, Vec<DanglingCitation>> {
    cited(text, sources)?;
    let (mut out, mut copied) = (String::with_capacity(text.len()), 0);
    for mark in marks(text) {
        let Some(source) = sources.cited(mark.words) else { continue };
        out.push_str(&text[copied..mark.place.start]);
        // A mark may follow its statement directly.
        if out.ends_with(|c: char| !c.is_whitespace() && !OPENING.contains(&c)) {
            out.push(' ');
        }
        let words = written(source, style);
        copied = mark.place.end;
        // The sentence ends after the source.
        let is_ended = text[copied..].starts_with(['.', '。']);
        out.push_str(words.strip_suffix('.').filter(|_| is_ended).unwrap_or(&words));
    }
    out.push_str(&text[copied..]);
    Ok(out)
}

/// Returns the section with the cited sources, in the order of their first citation; empty without citations.
///
/// # Errors
/// Fails with every citation of a source that does not exist.
pub fn references(
    text: &str,
    sources: &ResearchSources,
    style: CitationStyle,
    language: Language,
) -> Result<String, Vec<DanglingCitation>> {
    let ids = cited(text, sources)?;
    let colon = messages::Prd::of(language).colon;
    let listed = ids.iter().filter_map(|id| sources.0.iter().find(|source| source.id == *id));
    let items: String = listed.map(|source| format!("- {}{colon}{}\n", source.id, written(source, style))).collect();
    Ok(if items.is_empty() { items } else { format!("## {}\n\n{items}", messages::Prd::of(language).references) })
}

/// A source in a style, with untrusted text escaped.
fn written(source: &ResearchSource, style: CitationStyle) -> String {
    let title = plain(&source.title);
    let is_web = link(source.url.trim()) == Link::Web;
    match (style, is_web) {
        (CitationStyle::Markdown, true) => format!("[{title}]({})", address(&source.url)),
        (CitationStyle::Markdown, false) => format!("{title} ({})", plain(&source.url)),
        (CitationStyle::Apa, _) => {
            let domain =
                if source.domain.trim().is_empty() { String::new() } else { format!("{}. ", plain(&source.domain)) };
            let year = source.timestamp.get(..4).filter(|year| year.bytes().all(|byte| byte.is_ascii_digit()));
            let place = if is_web { format!("<{}>", address(&source.url)) } else { plain(&source.url) };
            // A file that people gave has its name as its title.
            let retrieved = if title == place { String::new() } else { format!(" Retrieved from {place}") };
            format!("{domain}({}). {title}.{retrieved}", year.unwrap_or("n.d."))
        }
        (CitationStyle::Id, _) => format!("[{}]", source.id),
        (CitationStyle::Url, true) => format!("<{}>", address(&source.url)),
        (CitationStyle::Url, false) => plain(&source.url),
    }
}

/// The longest title that is shown, in characters.
const LONGEST_TITLE: usize = 200;

/// Untrusted text, escaped: no markup, link or mention.
fn plain(words: &str) -> String {
    let words = clean::short_line(&clean::words(words), LONGEST_TITLE);
    let mut out = String::with_capacity(words.len());
    let mut before = None;
    for (at, c) in words.char_indices() {
        let after = words[at + c.len_utf8()..].chars().next();
        match c {
            '<' => out.push_str("&lt;"),
            '&' => out.push_str("&amp;"),
            // An address in a title would become a link.
            ':' if words[at..].starts_with("://") => out.push_str("&#58;"),
            '@' if is_live(before, c, after) => out.extend(["@", GAP]),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '!' | '#' | '>' | '$' => out.extend(['\\', c]),
            _ => out.push(c),
        }
        before = Some(c);
    }
    if out.is_empty() { "[…]".to_owned() } else { out }
}

/// A web address, escaped so that no character ends the link early.
fn address(url: &str) -> String {
    let mut out = String::with_capacity(url.len());
    for c in url.trim().chars() {
        match c {
            '<' | '>' | '(' | ')' | '[' | ']' | '"' | '\'' | '`' | '\\' | '|' | '^' | '{' | '}' => {
                out.push_str(&format!("%{:02X}", u32::from(c)));
            }
            _ if c.is_control() || c.is_whitespace() || clean::is_invisible(c) => {}
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests;
