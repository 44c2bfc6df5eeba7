//! The results of a search: one source per result, with the place where it can be read.
//!
//! Titles and snippets are text of strangers. They are cleaned and shortened on arrival, and treated only as data.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use reqgate_base::clean;

/// The longest title, in characters.
const LONGEST_TITLE: usize = 200;
/// The longest snippet, in characters.
pub(super) const LONGEST_SNIPPET: usize = 500;
/// The longest address, in bytes.
const LONGEST_URL: usize = 2_000;

/// One source that a search found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SearchResult {
    /// Its place in the order of the provider, from 1.
    pub rank: u32,
    /// Its title, on one line.
    pub title: String,
    /// The address or file that contains it.
    #[serde(flatten)]
    pub place: SourcePlace,
    /// The host of its address; none for a file.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub domain: Option<String>,
    /// The words that fit the query, on one line.
    pub snippet: String,
    /// How well it fits, as the provider says; comparable within one reply only.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub score: Option<f64>,
}

/// The location of a source.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum SourcePlace {
    /// A page: an `http` or `https` address.
    Page {
        /// The address.
        url: String,
    },
    /// A line of a file.
    File {
        /// Its path below the folder that was searched, with `/` between the parts.
        file: String,
        /// The line, from 1.
        line: u32,
    },
}

impl std::fmt::Display for SourcePlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Page { url } => f.write_str(url),
            Self::File { file, line } => write!(f, "{file}:{line}"),
        }
    }
}

/// A page as a search service reports it, before any part is trusted.
#[derive(Debug, Default)]
pub(super) struct FoundPage<'a> {
    pub url: &'a str,
    pub title: &'a str,
    pub snippet: &'a str,
    pub score: Option<f64>,
}

/// The pages that can be shown, each once, at most `most`, in the given order. A page whose address is not `http` or
/// `https`, is very long, or contains a user or password is left out.
pub(super) fn pages<'a>(found: impl IntoIterator<Item = FoundPage<'a>>, most: usize) -> Vec<SearchResult> {
    let mut seen = BTreeSet::new();
    let mut out = Vec::new();
    for page in found {
        if out.len() == most {
            break;
        }
        let Some((url, domain)) = address(page.url).filter(|(url, _)| !seen.contains(url)) else { continue };
        seen.insert(url.clone());
        let title = short(page.title, LONGEST_TITLE);
        out.push(SearchResult {
            rank: out.len() as u32 + 1,
            title: if title.is_empty() { domain.clone() } else { title },
            place: SourcePlace::Page { url },
            domain: Some(domain),
            snippet: short(page.snippet, LONGEST_SNIPPET),
            score: page.score.filter(|score| score.is_finite()),
        });
    }
    out
}

/// The words of a text on one line; `…` marks a cut.
pub(super) fn short(text: &str, most: usize) -> String {
    // Text far beyond the limit is not examined.
    let head: String = text.chars().take(most * 4).collect();
    let words = clean::words(&head);
    match words.char_indices().nth(most - 1) {
        Some((at, last)) if at + last.len_utf8() < words.len() => format!("{}…", words[..at].trim_end()),
        _ => words,
    }
}

/// The normal form of an address, and its host.
fn address(text: &str) -> Option<(String, String)> {
    let url = Some(text).filter(|text| text.len() <= LONGEST_URL).and_then(|text| reqwest::Url::parse(text).ok())?;
    let is_plain = matches!(url.scheme(), "http" | "https") && url.username().is_empty() && url.password().is_none();
    let domain = url.host_str().filter(|_| is_plain)?.to_owned();
    let url = String::from(url);
    (url.len() <= LONGEST_URL && !url.chars().any(clean::is_unsafe)).then_some((url, domain))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_web_addresses_come_through_and_each_once() {
        let long = format!("https://a.example/{}", "x".repeat(3_000));
        let urls = [
            "javascript:alert(1)",
            "file:///etc/passwd",
            "ftp://a.example/",
            "https://user:pw@a.example/",
            "https://",
            "no address",
            "",
            &long,
            "https://a.example/one",
            "HTTPS://A.example/one",
            "http://b.example/\u{1b}[31m",
        ];
        let found = urls.map(|url| FoundPage { url, title: "T", ..FoundPage::default() });
        let shown: Vec<String> = pages(found, 10).iter().map(|result| result.place.to_string()).collect();
        assert_eq!(shown, ["https://a.example/one", "http://b.example/%1B[31m"]);
    }

    #[test]
    fn words_of_strangers_are_one_short_harmless_line() {
        let title = "a\u{1b}[2J\r\n\u{202e}b ".repeat(10_000);
        let found = FoundPage {
            url: "https://x.example/",
            title: &title,
            snippet: "  one\n\ntwo\u{200b}  ",
            score: Some(f64::NAN),
        };
        let result = &pages([found], 1)[0];
        assert!(result.title.chars().count() <= LONGEST_TITLE && result.title.ends_with('…'), "{}", result.title);
        assert!(!result.title.chars().any(clean::is_unsafe));
        assert_eq!((result.snippet.as_str(), result.score), ("one two", None));
        assert_eq!(short("12345", 5), "12345");
        assert_eq!(short("123456", 5), "1234…");
        assert_eq!(short("", 5), "");
    }

    #[test]
    fn place_is_an_address_or_a_line_in_json() {
        let page = SearchResult {
            rank: 1,
            title: "T".into(),
            place: SourcePlace::Page { url: "https://x.example/".into() },
            domain: Some("x.example".into()),
            snippet: "s".into(),
            score: None,
        };
        let line = SearchResult {
            place: SourcePlace::File { file: "a/b.md".into(), line: 3 },
            domain: None,
            score: Some(1.5),
            ..page.clone()
        };
        for result in [page, line] {
            let json = serde_json::to_string(&result).unwrap();
            assert_eq!(serde_json::from_str::<SearchResult>(&json).unwrap(), result, "{json}");
        }
    }
}
