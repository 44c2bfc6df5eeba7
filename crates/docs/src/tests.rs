//! Any text is taken apart and put together again to the byte, and the headings are those that a Markdown reader shows.

use proptest::prelude::*;
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag};

use super::*;
use crate::lines::{LineKind, NeverClosed, bullet, heading, lines};

/// Pieces of documents, each closed in itself.
const PIECES: [&str; 25] = [
    "# Title\n",
    "## Risks\n",
    "## 风险\n",
    "### Deeper ###\n",
    "## Closed ##  \n",
    "## C#\n",
    "# #\n",
    "####### Seven\n",
    "#tag\n",
    "Setext\n======\n",
    "Setext\n------\n",
    "words with `# code` and **bold**\n",
    "```\n# in a fence\n```\n",
    "~~~~ md\n## in a longer fence\n~~~\n~~~~\n",
    "| a | b |\n|---|---|\n| 1 \\| 2 | 3 |\n",
    "- item\n  - nested\n- [x] done\n",
    "1. one\n2. two\n",
    "> # quoted\n",
    "<!-- # hidden\n## too -->\n",
    "    # indented code\n",
    "---\n",
    "\n",
    "\t# after a tab\n",
    "中文段落。\n",
    "\\# escaped\n",
];

/// Pieces that change the meaning of the text around them.
const OPEN: [&str; 8] = ["```\n", "````", "~~~\n", "<!--", "-->\n", "\u{feff}", "---\nid: 1\n# a comment\n---\n", "\r"];

fn document() -> impl Strategy<Value = String> {
    let piece = prop_oneof![4 => prop::sample::select(PIECES.as_slice()), 1 => prop::sample::select(OPEN.as_slice())];
    (prop::collection::vec(piece, 0..14), any::<bool>(), any::<bool>()).prop_map(|(pieces, is_windows, is_cut)| {
        let text = pieces.concat();
        let text = if is_windows { text.replace('\n', "\r\n") } else { text };
        if is_cut { text.trim_end().to_owned() } else { text }
    })
}

proptest! {
    #[test]
    fn what_is_taken_apart_is_put_together_again(text in document()) {
        let outline = Outline::of(&text);
        let first = outline.headings().first().map_or(text.len(), |first| first.span.start);
        let mut whole = text[..first].to_owned();
        for (at, heading) in outline.headings().iter().enumerate() {
            whole.push_str(heading.span.slice(&text));
            whole.push_str(outline.own_text(at).slice(&text));
        }
        prop_assert_eq!(&whole, &text);
        let by_line: String = outline.lines().map(|(line, _)| &text[line.start..line.end]).collect();
        prop_assert_eq!(by_line, text.as_str());
        let found = outline.lines().filter_map(|(_, heading)| heading).count();
        prop_assert_eq!(found, outline.headings().len());
    }

    #[test]
    fn a_change_of_a_section_keeps_every_other_byte(text in document(), new in "[a-z]{0,8}(\n[a-z]{1,8}){0,2}") {
        let outline = Outline::of(&text);
        for at in 0..outline.headings().len() {
            let (start, below) = (outline.headings()[at].span.start, outline.below(at));
            let changed = outline.with_text_below(at, &new);
            let (before, after) = (text[..below.start].trim_end_matches(['\r', '\n']), &text[below.end..]);
            prop_assert!(changed.starts_with(before) && changed.ends_with(after), "{:?}", changed);
            let again = Outline::of(&changed);
            let shown = again.below(at).slice(&changed).replace("\r\n", "\n");
            prop_assert_eq!(shown.trim(), new.trim());
            let gone = outline.without(at);
            prop_assert!(gone.starts_with(text[..start].trim_end()) && gone.ends_with(after), "{:?}", gone);
        }
    }

    /// Outline and Markdown reader find the same headings in documents with closed fences and comments, apart from underlined headings.
    #[test]
    fn headings_are_those_of_a_markdown_reader(pieces in prop::collection::vec(prop::sample::select(PIECES.as_slice()), 0..14)) {
        // An empty line ends the piece above, so that the text below does not belong to its list or paragraph.
        let text = format!("words\n\n{}", pieces.join("\n"));
        let mut depth = 0;
        let mut shown = Vec::new();
        let mut is_title = false;
        for (event, range) in Parser::new_ext(&text, Options::ENABLE_TABLES).into_offset_iter() {
            match event {
                Event::Start(Tag::Heading { level, .. }) if depth == 0 && text[range.clone()].trim_start().starts_with('#') => {
                    shown.push((level, range.start, String::new()));
                    is_title = true;
                }
                Event::End(pulldown_cmark::TagEnd::Heading(_)) => is_title = false,
                Event::Text(words) if is_title => shown.iter_mut().last().into_iter().for_each(|last| last.2.push_str(&words)),
                Event::Start(Tag::BlockQuote(_) | Tag::List(_)) => depth += 1,
                Event::End(pulldown_cmark::TagEnd::BlockQuote(_) | pulldown_cmark::TagEnd::List(_)) => depth -= 1,
                _ => {}
            }
        }
        let outline = Outline::of(&text);
        let own: Vec<(HeadingLevel, usize, String)> = outline
            .headings()
            .iter()
            .map(|heading| {
                let level = HeadingLevel::try_from(usize::from(heading.level)).expect("1 to 6");
                (level, heading.span.start, heading.words.to_owned())
            })
            .collect();
        prop_assert_eq!(own, shown, "{}", text);
    }

    #[test]
    fn cells_come_back_as_they_were(cells in prop::collection::vec("[a-c|\\\\一-二 ]{0,6}", 1..5)) {
        let cells: Vec<String> = cells.iter().map(|cell| cell.trim().to_owned()).collect();
        let row = table::row(cells.iter().map(String::as_str));
        prop_assert_eq!(table::cells(&row), cells, "{}", row);
    }
}

#[test]
fn a_forgotten_mark_hides_no_section() {
    let headings = |text: &str| Outline::of(text).headings().iter().map(|one| one.words.to_owned()).collect::<Vec<_>>();
    assert_eq!(headings("# A\n\n```\ncode\n\n## B\n"), ["A", "B"]);
    assert_eq!(headings("# A\n\n```\n## code\n```\n\n```\n## B\n"), ["A", "B"]);
    assert_eq!(headings("# A\n\n````\n```\n## B\n"), ["A", "B"]);
    assert_eq!(headings("# A\n\nwords <!-- remark\n\n## B\n"), ["A", "B"]);
    assert_eq!(headings("# A\n\n<!-- remark\n## hidden\n-->\n## B\n"), ["A", "B"]);
    assert_eq!(headings("---\nid: 1\n# a comment\n---\n# A\n"), ["A"]);
    let (read, never_closed) = lines("a\n```\n## b\n");
    assert_eq!((read[2].kind, never_closed), (LineKind::Code, Some(NeverClosed::Fence(2))));
}

#[test]
fn sections_are_found_and_changed() {
    let text = "# A\n\n## Risks\n\none\n\n### Vendor\n\ntwo\n\n## Later\n\nthree\n";
    let outline = Outline::of(text);
    assert_eq!(outline.text_below("## risks"), Some("one\n\n### Vendor\n\ntwo"));
    assert_eq!(outline.text_below("Other"), None);
    let at = outline.named("Risks").expect("it is there");
    assert_eq!((outline.headings()[at].line, outline.lines_below(at)), (3, 3..10));
    assert_eq!(outline.own_text(at).slice(text), "\none\n\n");
    assert_eq!(outline.with_text_below(at, "none"), "# A\n\n## Risks\n\nnone\n\n## Later\n\nthree\n");
    assert_eq!(outline.without(at), "# A\n\n## Later\n\nthree\n");
    assert_eq!(outline.with_block_before(at, "## New\n\nx\n"), text.replace("## Risks", "## New\n\nx\n\n## Risks"));
    let last = outline.named("later").expect("it is there");
    assert_eq!(outline.without(last), "# A\n\n## Risks\n\none\n\n### Vendor\n\ntwo\n");
}

#[test]
fn lines_are_told_by_their_marks() {
    assert_eq!(heading("  ## Risks "), Some((2, "Risks")));
    assert_eq!((heading("#tag"), heading("    # code"), heading("####### x")), (None, None, None));
    assert_eq!(bullet("  3) [x] done"), Some((2, "done")));
    assert!(table::is_rule(&table::cells("|:--|--:|")) && !table::is_rule(&table::cells("| a | - |")));
    assert_eq!(table::cells("| a \\| b | | c"), ["a | b", "", "c"]);
    assert_eq!(write::heading(9, "x"), "###### x");
    for words in ["C#", "#", "Key #", "Key ## #"] {
        assert_eq!(heading(&write::heading(3, words)), Some((3, words)));
    }
}

#[test]
fn values_are_cleaned_and_cut() {
    assert_eq!(values::on_one_line(" a  b \r\n\n c\u{feff}"), "a  b c");
    assert_eq!(values::items(&["[x] a\nb".to_owned(), "[ ]".to_owned()]), ["a b"]);
    assert_eq!(values::names("US-1, US-2、,US-3"), ["US-1", "US-2", "US-3"]);
    assert_eq!((values::cut("one two", 7).as_str(), values::cut("one two", 6).as_str()), ("one two", "one t…"));
    assert_eq!(values::cut_between_words("one, two", 6), "one…");
    assert_eq!(values::cut_between_words("导出全部", 2), "导出…");
}

#[test]
fn changed_lines_have_signs() {
    assert_eq!(changed_lines("a\nb\n", "a\nc\n"), Ok("  a\n- b\n+ c\n".to_owned()));
    assert_eq!(changed_lines(&"x\n".repeat(2_001), "y"), Err((2_001, 1)));
}
