//! A small document and its two forms for Jira: Atlassian Document Format and wiki markup.
//!
//! In both forms text is written literally, without mentions, links or markup.

use std::fmt::Write as _;

use serde_json::{Value, json};

/// The maximum length that Jira accepts for a comment or a description, in characters.
const LONGEST: usize = 32_767;
/// The length reserved for text that Jira adds.
const SPARE: usize = 767;

/// A run of text within a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inline {
    /// Text that is shown without formatting.
    Text(String),
    /// Text that is shown in bold.
    Strong(String),
    /// A technical name, in monospace.
    Code(String),
}

/// A block of the document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// A heading of the third level.
    Heading(Vec<Inline>),
    /// A paragraph of text.
    Paragraph(Vec<Inline>),
    /// A list with bullets, one line per item.
    Bullets(Vec<Vec<Inline>>),
    /// A list with numbers, one line per item.
    Numbers(Vec<Vec<Inline>>),
}

/// The content of a Jira comment or description.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JiraDocument {
    /// The blocks, in order.
    pub blocks: Vec<Block>,
}

impl JiraDocument {
    /// The document as Atlassian Document Format; trailing blocks that do not fit are left out.
    pub fn to_adf(&self) -> Value {
        let write = |blocks: &[Block], is_cut: bool| {
            let mut content: Vec<Value> = blocks.iter().map(adf_block).collect();
            if is_cut {
                content.push(adf_block(&cut()));
            }
            json!({ "version": 1, "type": "doc", "content": content })
        };
        self.fitting(|blocks, is_cut| {
            let written = write(blocks, is_cut);
            let length = written.to_string().chars().count();
            (written, length)
        })
    }

    /// The document as wiki markup; trailing blocks that do not fit are left out.
    pub fn to_wiki(&self) -> String {
        self.fitting(|blocks, is_cut| {
            let mut text = String::new();
            blocks.iter().for_each(|block| wiki_block(block, &mut text));
            if is_cut {
                wiki_block(&cut(), &mut text);
            }
            let text = text.trim_end().to_owned();
            let length = text.chars().count();
            (text, length)
        })
    }

    /// The output of `write` for as many blocks as fit.
    fn fitting<T>(&self, write: impl Fn(&[Block], bool) -> (T, usize)) -> T {
        let mut count = self.blocks.len();
        loop {
            let (written, length) = write(&self.blocks[..count], count < self.blocks.len());
            if length <= LONGEST - SPARE || count == 0 {
                return written;
            }
            count -= 1;
        }
    }
}

fn cut() -> Block {
    Block::Paragraph(vec![Inline::Text("… truncated: Jira limits the length of a text.".to_owned())])
}

fn adf_block(block: &Block) -> Value {
    let item = |words: &Vec<Inline>| json!({ "type": "listItem", "content": [{ "type": "paragraph", "content": adf_inlines(words) }] });
    match block {
        Block::Heading(words) => {
            json!({ "type": "heading", "attrs": { "level": 3 }, "content": adf_inlines(words) })
        }
        Block::Paragraph(words) => json!({ "type": "paragraph", "content": adf_inlines(words) }),
        Block::Bullets(items) => {
            json!({ "type": "bulletList", "content": items.iter().map(item).collect::<Vec<_>>() })
        }
        Block::Numbers(items) => {
            json!({ "type": "orderedList", "content": items.iter().map(item).collect::<Vec<_>>() })
        }
    }
}

fn adf_inlines(words: &[Inline]) -> Vec<Value> {
    let node = |word: &Inline| {
        let (text, mark) = match word {
            Inline::Text(text) => (text, None),
            Inline::Strong(text) => (text, Some("strong")),
            Inline::Code(text) => (text, Some("code")),
        };
        let text = harmless(text);
        // Jira rejects an empty text node.
        if text.is_empty() {
            return None;
        }
        Some(match mark {
            Some(mark) => json!({ "type": "text", "text": text, "marks": [{ "type": mark }] }),
            None => json!({ "type": "text", "text": text }),
        })
    };
    words.iter().filter_map(node).collect()
}

fn wiki_block(block: &Block, text: &mut String) {
    let lines = |text: &mut String, marker: &str, items: &[Vec<Inline>]| {
        for item in items {
            push(text, format_args!("{marker} {}\n", wiki_inlines(item)));
        }
        text.push('\n');
    };
    match block {
        Block::Heading(words) => push(text, format_args!("h3. {}\n\n", wiki_inlines(words))),
        Block::Paragraph(words) => push(text, format_args!("{}\n\n", wiki_inlines(words))),
        Block::Bullets(items) => lines(text, "*", items),
        Block::Numbers(items) => lines(text, "#", items),
    }
}

/// Appends to a string; this cannot fail.
fn push(text: &mut String, words: std::fmt::Arguments<'_>) {
    text.write_fmt(words).expect("a string can always be written");
}

fn wiki_inlines(words: &[Inline]) -> String {
    let piece = |word: &Inline| match word {
        Inline::Text(text) => wiki_text(text),
        Inline::Strong(text) if harmless(text).trim().is_empty() => String::new(),
        Inline::Strong(text) => format!("*{}*", wiki_text(text.trim())),
        Inline::Code(text) if harmless(text).trim().is_empty() => String::new(),
        Inline::Code(text) => format!("{{{{{}}}}}", wiki_text(text.trim())),
    };
    words.iter().map(piece).collect()
}

/// Escapes text for wiki markup. Every character that could start markup, a smiley, an address, a mention or the key of
/// an issue is written as a character reference, which the renderer shows without interpreting it.
fn wiki_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in harmless(text).chars() {
        let is_plain = !c.is_ascii()
            || c.is_ascii_alphanumeric()
            || matches!(c, ' ' | ',' | '.' | '"' | '\'' | '?' | '%' | '=' | '/');
        if is_plain {
            out.push(c);
        } else {
            push(&mut out, format_args!("&#{};", u32::from(c)));
        }
    }
    out
}

/// One line without control, direction and invisible characters; zero-width joiners are kept, because several scripts
/// need them.
fn harmless(text: &str) -> String {
    let is_invisible = |c: char| {
        matches!(c,
            '\u{00AD}' | '\u{061C}' | '\u{180E}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
    };
    let is_end = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    text.chars().filter(|c| !is_invisible(*c)).map(|c| if is_end(c) { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hostile() -> JiraDocument {
        let words = "[~admin] {code} !x! *b* h1. # a\nPAY-1 :) http://evil.test \u{202e}\u{1b}[31m & <b>".to_owned();
        JiraDocument {
            blocks: vec![
                Block::Heading(vec![Inline::Text(words.clone())]),
                Block::Bullets(vec![vec![Inline::Code(words.clone()), Inline::Strong(words.clone())]]),
                Block::Numbers(vec![vec![Inline::Text(String::new())]]),
                Block::Paragraph(vec![Inline::Text(words)]),
            ],
        }
    }

    #[test]
    fn hostile_text_is_text_in_wiki_markup() {
        let wiki = hostile().to_wiki();
        for wild in ["[~", "{code}", "!x!", "*b*", "PAY-1", ":)", "http:", "<b>", "\u{202e}", "\u{1b}"] {
            assert!(!wiki.contains(wild), "{wild}: {wiki}");
        }
        assert!(wiki.starts_with("h3. &#91;&#126;admin&#93;"), "{wiki}");
        assert_eq!(wiki.lines().filter(|line| line.starts_with('#')).count(), 1);
    }

    #[test]
    fn document_format_is_what_atlassian_describes() {
        let schema: Value =
            serde_json::from_str(include_str!("../../../../tests/fixtures/jira/atlassian-document-format.json"))
                .unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        for document in [hostile(), JiraDocument::default(), long()] {
            let written = document.to_adf();
            let problems: Vec<String> = validator.iter_errors(&written).map(|error| error.to_string()).collect();
            assert!(problems.is_empty(), "{problems:?}");
        }
        assert!(
            !validator.is_valid(&json!({ "version": 1, "type": "doc", "content": [{ "type": "text", "text": "" }] }))
        );
    }

    fn long() -> JiraDocument {
        let line = vec![Inline::Text("需求 *not* ready ".repeat(60))];
        JiraDocument { blocks: (0..60).map(|_| Block::Paragraph(line.clone())).collect() }
    }

    #[test]
    fn long_document_is_cut_where_jira_takes_no_more_and_says_so() {
        let wiki = long().to_wiki();
        assert!(wiki.chars().count() <= LONGEST && wiki.contains("… truncated"));
        let adf = long().to_adf().to_string();
        assert!(adf.chars().count() <= LONGEST && adf.contains("… truncated"));
    }
}
