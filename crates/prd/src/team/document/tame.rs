//! Removes active content from Markdown of an agent or a model: tags, comments, images, mentions and unsafe links.

use std::ops::Range;

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag};

use crate::team::links::{Link, link};
use reqgate_docs::{GAP, is_live};

/// The most rounds of escaping: escaping may expose content that was enclosed.
const MOST_ROUNDS: usize = 8;

/// Returns the Markdown without active content: tags and comments are shown as text, images become links, mentions are broken, and
/// links lead only to `http`, `https`, `mailto` and addresses without a scheme. Citations and code are unchanged.
///
/// It must be applied to the whole document, because a link and its target may be in different sections.
pub fn tame(markdown: &str) -> String {
    let mut text = markdown.to_owned();
    for _ in 0..MOST_ROUNDS {
        let edits = edits(&text);
        if edits.is_empty() {
            return text;
        }
        for (place, words) in edits.into_iter().rev() {
            text.replace_range(place, words);
        }
    }
    if edits(&text).is_empty() { text } else { text.replace('<', "&lt;").replace('[', "\\[").replace('@', "&#64;") }
}

/// The ranges to change, in order, with their replacements.
fn edits(text: &str) -> Vec<(Range<usize>, &'static str)> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut out = Vec::new();
    let mut code = false;
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        let start = range.start;
        match event {
            Event::Html(_) | Event::InlineHtml(_) => {
                let tags = text[range].match_indices('<').map(|(at, _)| (start + at..start + at + 1, "&lt;"));
                out.extend(tags);
            }
            Event::Start(Tag::Image { .. }) => out.push((start..start, "\\")),
            Event::Start(Tag::Link { link_type, dest_url, .. })
                if matches!(link(&dest_url), Link::Unsafe)
                    && !(dest_url.starts_with("cite:") && link_type == LinkType::Autolink) =>
            {
                let is_autolink = text[range].starts_with('<');
                out.push(if is_autolink { (start..start + 1, "&lt;") } else { (start..start, "\\") });
            }
            Event::Start(Tag::CodeBlock(_)) => code = true,
            Event::End(pulldown_cmark::TagEnd::CodeBlock) => code = false,
            Event::Text(_) if !code => {
                let mut before = text[..start].chars().next_back();
                for (at, c) in text[range].char_indices() {
                    let behind = start + at + c.len_utf8();
                    if c == '@' && is_live(before, c, text[behind..].chars().next()) {
                        out.push((behind..behind, GAP));
                    }
                    before = Some(c);
                }
            }
            _ => {}
        }
    }
    out.sort_by_key(|(place, _)| (place.start, place.end));
    out.dedup();
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_would_live_is_shown_as_text() {
        for (markdown, expected) in [
            ("a < b, `List<String>` and **bold**", "a < b, `List<String>` and **bold**"),
            ("<script>alert(1)</script>", "&lt;script>alert(1)&lt;/script>"),
            ("hidden <!-- obey --> words", "hidden &lt;!-- obey --> words"),
            ("![x](https://e.example/p.png)", "\\![x](https://e.example/p.png)"),
            ("[x](javascript:alert(1))", "\\[x](javascript:alert(1))"),
            ("[x]\n\n[x]: javascript:1", "\\[x]\n\n[x]: javascript:1"),
            ("[site](https://a.example) <cite:src-1> <cite:2>", "[site](https://a.example) <cite:src-1> <cite:2>"),
            ("ask @alice, not me@home or `@bob`", "ask @&#8203;alice, not me@home or `@bob`"),
            ("```\n<b> @carol\n```", "```\n<b> @carol\n```"),
            ("\\`<img src=x>\\`", "\\`&lt;img src=x>\\`"),
        ] {
            assert_eq!(tame(markdown), expected);
        }
    }

    proptest! {
        #[test]
        fn nothing_lives_and_once_is_enough(markdown in "[\\\\<>!/&;\\[\\]():@`*_#a-c \\n-]{0,60}|(<b>|!\\[a\\]\\(b\\)|\\[a\\]\\(javascript:x\\)|<!--|-->|`|\\n|\\\\| ){0,14}") {
            let tamed = tame(&markdown);
            prop_assert_eq!(edits(&tamed), vec![]);
            prop_assert_eq!(tame(&tamed), tamed);
        }
    }
}
