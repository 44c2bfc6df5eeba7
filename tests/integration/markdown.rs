//! Compares our division of texts into blocks with an independent Markdown parser, line by line.
//!
//! Tickets are not only Markdown, so the two differ. Every difference must belong to one of [`CLASSES`], which explain
//! why we read such a line differently; any other difference fails the test.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use pulldown_cmark::{Event, Options, Parser, Tag};
use reqgate::rules::{self, RuleBook};
use reqgate::text::{Block, BlockKind};

/// The kind of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Matter,
    Heading,
    Item,
    /// A further paragraph of an item.
    ItemText,
    Row,
    Code,
    Log,
    Comment,
    Html,
    Turn,
    Mail,
    Definition,
    Prose,
    Nothing,
}

/// A line that the two read differently, with the properties that the classes check.
struct Line<'t> {
    /// The text without surrounding white space and quotation marks.
    words: &'t str,
    theirs: Kind,
    ours: Kind,
    /// The number of spaces before it; a tab counts as four.
    indent: usize,
    /// Our reading of the previous line.
    before: Kind,
    text: &'t str,
    /// One of our blocks begins within the line.
    is_cut: bool,
}

struct Class {
    name: &'static str,
    why: &'static str,
    holds: fn(&Line<'_>) -> bool,
}

const CLASSES: &[Class] = &[
    Class {
        name: "several in one line",
        why: "a field and its value, a heading and its text, or a text that lost its line breaks",
        holds: |line| line.is_cut && (line.words.contains([':', '：', '<', '#', '*', '-']) || line.words.len() > 40),
    },
    Class {
        name: "numbered heading",
        why: "a number or brackets before a heading are its marker",
        holds: |line| {
            let marked = line.words.starts_with(|c: char| c.is_ascii_digit() || !c.is_ascii());
            line.is_cut && line.ours == Kind::Nothing && marked
        },
    },
    Class {
        name: "log",
        why: "pasted lines of a log or a stack trace are no prose, fenced or not",
        holds: |line| line.ours == Kind::Log,
    },
    Class {
        name: "speaker",
        why: "minutes and chats: who speaks stands before the words, or on the line before them",
        holds: |line| line.ours == Kind::Turn && line.theirs != Kind::Code,
    },
    Class {
        name: "mail",
        why: "header lines of a mail are not the author's words",
        holds: |line| line.ours == Kind::Mail && line.words.contains([':', '：']),
    },
    Class {
        name: "# of Jira",
        why: "in Jira's markup # numbers an item",
        holds: |line| {
            matches!(line.theirs, Kind::Heading | Kind::Prose) && line.ours == Kind::Item && line.words.starts_with('#')
        },
    },
    Class {
        name: "label",
        why: "a short line that is bold, ends in a colon or names a part of a ticket is a heading",
        holds: |line| line.ours == Kind::Heading && line.theirs != Kind::Code && line.words.chars().count() <= 120,
    },
    Class {
        name: "empty label",
        why: "a label with nothing behind it, bare markup, or the name and time above a message says nothing",
        holds: |line| {
            let has_time = line.words.ends_with(|c: char| c.is_ascii_digit()) && line.words.contains(':');
            line.ours == Kind::Nothing && (line.words.ends_with([':', '：', '}', '*', '>']) || has_time)
        },
    },
    Class {
        name: "indented",
        why: "indented lines are the author's words more often than code, which people fence",
        holds: |line| line.theirs == Kind::Code && line.indent >= 4,
    },
    Class {
        name: "fence",
        why: "a whole ticket pasted into a fence is a ticket; a fence that nobody closed ends before the next heading",
        holds: |line| line.theirs == Kind::Code && (line.text.contains("```") || line.text.contains("~~~")),
    },
    Class {
        name: "code of Jira",
        why: "{code}, {noformat} and <pre> mark code too, and so does a fence behind the text of an item",
        holds: |line| {
            let marks = ["{code", "{noformat", "<pre", "```", "~~~"];
            line.ours == Kind::Code && marks.iter().any(|mark| line.text.contains(mark))
        },
    },
    Class {
        name: "tags",
        why: "words between HTML tags are the author's, tags alone say nothing",
        holds: |line| line.theirs == Kind::Html,
    },
    Class {
        name: "comment",
        why: "a comment in the middle of a line is hidden all the same, and words behind one are not",
        holds: |line| line.theirs == Kind::Comment || line.ours == Kind::Comment && line.text.contains("<!--"),
    },
    Class {
        name: "row",
        why: "rows with tabs, rows of Jira and rows without a delimiter row are read as rows",
        holds: |line| line.ours == Kind::Row && line.words.contains(['|', '\t']),
    },
    Class {
        name: "other item",
        why: "1), a), 一、, •, `FR-1`, `AC:` and numbers in the middle of a paragraph begin items; the next line goes on with one",
        holds: |line| {
            let word = line.words.split_whitespace().next().unwrap_or_default();
            let marked = !word.is_ascii()
                || word.contains(|c: char| c.is_ascii_digit())
                || word.ends_with([')', '.', ']'])
                || line.words.contains(':');
            line.ours == Kind::Item
                && (marked || line.before == Kind::Item || line.words.starts_with(['-', '*', '+', '~']))
        },
    },
    Class {
        name: "empty item",
        why: "an item without words says nothing",
        holds: |line| {
            matches!(line.theirs, Kind::Item | Kind::Prose) && line.ours == Kind::Nothing && line.words.len() <= 6
        },
    },
    Class {
        name: "below an item",
        why: "a paragraph below an item stands for itself, as people who forget a blank line mean it",
        holds: |line| {
            matches!(line.theirs, Kind::Item | Kind::ItemText)
                && line.ours == Kind::Prose
                && !["- ", "* ", "+ "].iter().any(|marker| line.words.starts_with(marker))
        },
    },
    Class {
        name: "underlined",
        why: "a long line or a sentence above a rule is no heading",
        holds: |line| line.theirs == Kind::Heading && line.ours == Kind::Prose && !line.words.starts_with('#'),
    },
    Class {
        name: "definition",
        why: "the address of a link is kept as text",
        holds: |line| line.theirs == Kind::Definition && line.words.starts_with('['),
    },
];

fn kind_of(block: &Block) -> Kind {
    match block.kind {
        BlockKind::FrontMatter => Kind::Matter,
        BlockKind::Heading(_) => Kind::Heading,
        BlockKind::Paragraph => Kind::Prose,
        BlockKind::ListItem => Kind::Item,
        BlockKind::TableRow { .. } => Kind::Row,
        BlockKind::Code => Kind::Code,
        BlockKind::Log => Kind::Log,
        BlockKind::HtmlComment => Kind::Comment,
        BlockKind::Turn => Kind::Turn,
        BlockKind::MailHeader => Kind::Mail,
    }
}

/// The byte range of every line, without its end.
fn lines(text: &str) -> Vec<Range<usize>> {
    let mut start = 0;
    let whole = text.split_inclusive('\n').map(|line| {
        let range = start..start + line.trim_end_matches(['\n', '\r']).len();
        start += line.len();
        range
    });
    whole.collect()
}

/// The other parser's reading of every line; the innermost block that covers a line wins.
fn theirs(text: &str, lines: &[Range<usize>]) -> Vec<Kind> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
    let mut kinds = vec![Kind::Nothing; lines.len()];
    let mut paint = |range: Range<usize>, kind: Kind| {
        let first = lines.partition_point(|line| line.end < range.start);
        for (at, line) in lines.iter().enumerate().skip(first).take_while(|(_, line)| line.start < range.end) {
            let _ = line;
            kinds[at] = kind;
        }
    };
    let parser = Parser::new_ext(text, options);
    let definitions: Vec<Range<usize>> =
        parser.reference_definitions().iter().map(|(_, own)| own.span.clone()).collect();
    // The open items, each with the number of its paragraphs so far.
    let mut items: Vec<usize> = Vec::new();
    for (event, range) in parser.into_offset_iter() {
        match event {
            Event::Start(Tag::Item) => {
                items.push(0);
                paint(range, Kind::Item);
            }
            Event::End(pulldown_cmark::TagEnd::Item) => drop(items.pop()),
            Event::Start(Tag::Paragraph) => match items.last_mut() {
                None => paint(range, Kind::Prose),
                Some(count) => {
                    *count += 1;
                    paint(range, if *count == 1 { Kind::Item } else { Kind::ItemText });
                }
            },
            Event::Start(Tag::Heading { .. }) => paint(range, Kind::Heading),
            Event::Start(Tag::CodeBlock(_)) => paint(range, Kind::Code),
            Event::Start(Tag::Table(_)) => paint(range, Kind::Row),
            Event::Start(Tag::MetadataBlock(_)) => paint(range, Kind::Matter),
            Event::Start(Tag::HtmlBlock) => {
                let is_comment = text[range.clone()].trim_start().starts_with("<!--");
                paint(range, if is_comment { Kind::Comment } else { Kind::Html });
            }
            _ => {}
        }
    }
    for range in definitions {
        paint(range, Kind::Definition);
    }
    kinds
}

/// Our reading of every line, with true if one of our blocks begins within it.
fn ours(text: &str, lines: &[Range<usize>], blocks: &[Block]) -> Vec<(Kind, bool)> {
    let of = |line: &Range<usize>| {
        let words =
            text[line.clone()].trim_start_matches([' ', '\t', '>', '\u{3000}', '\u{a0}', '\u{feff}', '\u{200b}']);
        let start = line.end - words.len();
        let from = blocks.partition_point(|block| block.span.end <= start);
        let here = || blocks[from..].iter().take_while(|block| block.span.start < line.end);
        let first = here().next().filter(|block| block.span.start <= start);
        (first.map_or(Kind::Nothing, kind_of), here().any(|block| block.span.start > start))
    };
    lines.iter().map(of).collect()
}

/// The number of lines in each class, and the lines of none.
#[derive(Default)]
struct Counts {
    lines: usize,
    classes: BTreeMap<&'static str, usize>,
    unexplained: Vec<String>,
}

impl Counts {
    fn compare(&mut self, book: &RuleBook, name: &str, text: &str) {
        let reading = book.reader.read(text, None);
        let lines = lines(text);
        let (theirs, ours) = (theirs(text, &lines), ours(text, &lines, &reading.blocks));
        for (at, line) in lines.iter().enumerate() {
            let words = text[line.clone()].trim_matches([' ', '\t', '>', '\u{3000}', '\u{a0}', '\u{feff}', '\u{200b}']);
            // Rules, fences and similar lines contain no words.
            if !words.contains(char::is_alphanumeric) {
                continue;
            }
            self.lines += 1;
            let (kind, is_cut) = ours[at];
            if kind == theirs[at] && !is_cut {
                continue;
            }
            let before = ours[..at].iter().rev().map(|(kind, _)| *kind).find(|kind| *kind != Kind::Nothing);
            let indent = text[line.clone()].chars().map_while(|c| match c {
                ' ' => Some(1),
                '\t' => Some(4),
                _ => None,
            });
            let line = Line {
                words,
                theirs: theirs[at],
                ours: kind,
                indent: indent.sum(),
                before: before.unwrap_or(Kind::Nothing),
                text,
                is_cut,
            };
            match CLASSES.iter().find(|class| (class.holds)(&line)) {
                Some(class) => *self.classes.entry(class.name).or_default() += 1,
                None => self.unexplained.push(format!(
                    "{name}:{}: they say {:?}, we say {:?}{}: {}",
                    at + 1,
                    line.theirs,
                    line.ours,
                    if is_cut { " and more" } else { "" },
                    words.chars().take(90).collect::<String>()
                )),
            }
        }
    }

    fn finish(&self) {
        println!("{} lines compared", self.lines);
        for class in CLASSES {
            println!("{:6}  {}: {}", self.classes.get(class.name).copied().unwrap_or(0), class.name, class.why);
        }
        assert!(
            self.unexplained.is_empty(),
            "{} lines are read otherwise than by the Markdown parser, and no class of difference says why:\n{}",
            self.unexplained.len(),
            self.unexplained.join("\n")
        );
    }
}

fn book() -> RuleBook {
    rules::load(&rules::shipped_files_for_judging()).expect("the shipped rules load")
}

/// Every file below a folder with this ending.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("the folder can be listed").path();
        if path.is_dir() {
            out.extend(files(&path, ending));
        } else if path.to_string_lossy().ends_with(ending) {
            out.push(path);
        }
    }
    out.sort();
    out
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn every_difference_to_a_markdown_parser_has_a_reason() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (book, mut counts) = (book(), Counts::default());
    let mut documents = vec![root.join("README.md")];
    for folder in ["docs", "tests/fixtures", "tests/real-model", "tests/suites"] {
        documents.extend(files(&root.join(folder), ".md"));
    }
    for path in documents {
        counts.compare(&book, &path.strip_prefix(root).expect("it lies below").to_string_lossy(), &read(&path));
    }
    for path in files(&root.join("tests/gold"), ".yaml") {
        let ticket: serde_json::Value =
            serde_saphyr::from_str(&read(&path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let text = ticket["text"].as_str().unwrap_or_else(|| panic!("{} has no text", path.display()));
        counts.compare(&book, ticket["id"].as_str().unwrap_or("?"), text);
    }
    assert!(counts.lines > 3_000, "only {} lines were compared", counts.lines);
    counts.finish();
}

/// `REQGATE_TEXTS` names a folder with `*.jsonl` files, whose rows have a `body` or a `text`.
#[test]
#[ignore = "needs texts of others: REQGATE_TEXTS names a folder with *.jsonl"]
fn every_difference_on_texts_of_others_has_a_reason() {
    let folder = std::env::var_os("REQGATE_TEXTS").expect("REQGATE_TEXTS names a folder with *.jsonl");
    let files = files(Path::new(&folder), ".jsonl");
    assert!(!files.is_empty(), "no *.jsonl in {}", folder.display());
    let (book, mut counts) = (book(), Counts::default());
    for path in files {
        for (at, row) in read(&path).lines().enumerate() {
            let row: serde_json::Value =
                serde_json::from_str(row).unwrap_or_else(|error| panic!("{}:{}: {error}", path.display(), at + 1));
            let text = row["body"].as_str().or_else(|| row["text"].as_str());
            let text = text.unwrap_or_else(|| panic!("{}:{}: no body and no text", path.display(), at + 1));
            counts.compare(&book, row["id"].as_str().unwrap_or("?"), text);
        }
    }
    counts.finish();
}
