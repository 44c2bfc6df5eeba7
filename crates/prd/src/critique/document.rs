//! The layout of a PRD: sections with their lists, tables and paragraphs, and the records in them.
//!
//! Headings are Markdown headings and lines in bold. A record is a row, an item with its sub-items, or a section with labelled fields.

use std::borrow::Cow;

use reqgate_base::model::{Language, Span};
use reqgate_text::Fences;
use reqgate_text::blocks::{self, Block, BlockKind};
use reqgate_text::language::language_of;
use reqgate_text::line_breaks::Restored;
use reqgate_text::words::{Words, prd_sections};

/// The layout of a PRD.
#[derive(Debug)]
pub struct Document<'t> {
    /// The name of the document in findings, usually a path.
    pub name: &'t str,
    /// The text of the document.
    pub text: &'t str,
    /// The language of the text.
    pub language: Language,
    pub(super) sections: Vec<Section>,
    /// The files that the text was joined from, if there are several: the first line of each, from 1, and its name.
    pub(super) files: Vec<(u32, String)>,
}

/// A section: a heading and the text up to the next one.
#[derive(Debug, Default)]
pub(super) struct Section {
    /// The heading, without markup and number.
    pub title: String,
    /// The heading in lower case between two spaces, for word searches.
    pub lower: String,
    /// The level: 0 for the text above the first heading, 7 for a line in bold.
    pub level: u8,
    /// The line number, from 1.
    pub line: u32,
    /// The index of the parent section.
    pub parent: Option<usize>,
    /// The parts, in order.
    pub parts: Vec<Part>,
    /// The section is below a heading such as `Appendix`.
    pub is_aside: bool,
    /// The heading is the title of the document.
    pub is_title: bool,
}

#[derive(Debug)]
pub(super) enum Part {
    Prose(Entry),
    /// A list of its outermost items.
    List(Vec<Entry>),
    Table(Table),
}

#[derive(Debug, Default)]
pub(super) struct Entry {
    pub line: u32,
    /// The first line as written, with markup.
    pub written: String,
    /// The text without markup.
    pub text: String,
    /// The items and paragraphs nested in it.
    pub below: Vec<Entry>,
}

#[derive(Debug, Default)]
pub(super) struct Table {
    /// The column names in lower case between two spaces; empty without a header row.
    pub header: Vec<String>,
    pub rows: Vec<Row>,
}

#[derive(Debug)]
pub(super) struct Row {
    pub line: u32,
    pub cells: Vec<String>,
}

impl Entry {
    /// The whole text, including nested items.
    pub(super) fn whole(&self) -> String {
        let mut out = self.text.clone();
        for entry in &self.below {
            out.push('\n');
            out.push_str(&entry.whole());
        }
        out
    }
}

/// The longest label of a field, in characters.
const LONGEST_LABEL: usize = 32;

impl<'t> Document<'t> {
    /// Reads the layout of a text. A text without headings has one section.
    pub fn new(name: &'t str, text: &'t str) -> Self {
        let restored = Restored { text: Cow::Borrowed(text), cuts: Vec::new(), feeds: Vec::new(), is_jira: false };
        let blocks = blocks::blocks(&restored, Fences::HoldCode, &|_| false);
        let mut builder = Builder {
            text,
            lines: Lines::new(text),
            sections: vec![Section::default()],
            indent: None,
            is_numbered: false,
        };
        blocks.iter().for_each(|block| builder.add(block));
        Self { name, text, language: language_of(text), sections: builder.finished(), files: Vec::new() }
    }

    /// The number of headings.
    pub(super) fn headings(&self) -> usize {
        self.sections.len() - 1
    }

    /// Returns true if a heading, or the label of a paragraph or an item, has one of the words.
    pub(super) fn is_about(&self, words: &Words) -> bool {
        let labelled = |entry: &Entry| {
            label(&entry.text).is_some_and(|(label, _)| words.stand_in(&padded(label)))
                || bold_lead(&entry.written).is_some_and(|lead| words.stand_in(&padded(&lead)))
        };
        self.sections.iter().any(|section| {
            words.stand_in(&section.lower)
                || section.parts.iter().any(|part| match part {
                    Part::Prose(entry) => labelled(entry),
                    Part::List(entries) => entries.iter().any(labelled),
                    Part::Table(table) => {
                        table.header.iter().any(|name| words.stand_in(name))
                            || table.rows.iter().any(|row| {
                                row.cells.first().is_some_and(|cell| cell.len() < 60 && words.stand_in(&padded(cell)))
                            })
                    }
                })
        })
    }

    /// The section and its parents, starting with the section itself.
    pub(super) fn path(&self, section: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(section), |at| self.sections[*at].parent)
    }

    /// The direct subsections of a section.
    pub(super) fn below(&self, section: usize) -> impl Iterator<Item = usize> + '_ {
        (section + 1..self.sections.len()).filter(move |at| self.sections[*at].parent == Some(section))
    }

    /// The text of a section and its subsections, with headings.
    pub(super) fn words_of(&self, section: usize) -> String {
        let mut out = self.sections[section].words();
        for at in self.below(section) {
            out.push('\n');
            out.push_str(&self.words_of(at));
        }
        out
    }
}

impl Section {
    /// The heading and the text of the section.
    pub(super) fn words(&self) -> String {
        let mut out = self.title.clone();
        for part in &self.parts {
            match part {
                Part::Prose(entry) => {
                    out.push('\n');
                    out.push_str(&entry.whole());
                }
                Part::List(entries) => entries.iter().for_each(|entry| {
                    out.push('\n');
                    out.push_str(&entry.whole());
                }),
                Part::Table(table) => {
                    for name in &table.header {
                        out.push('\n');
                        out.push_str(name.trim());
                    }
                    for row in &table.rows {
                        out.push('\n');
                        out.push_str(&row.cells.join(" | "));
                    }
                }
            }
        }
        out
    }

    /// The text of the paragraphs only.
    pub(super) fn prose(&self) -> String {
        let texts = self.parts.iter().filter_map(|part| match part {
            Part::Prose(entry) => Some(entry.whole()),
            _ => None,
        });
        texts.collect::<Vec<_>>().join("\n")
    }
}

struct Builder<'t> {
    text: &'t str,
    lines: Lines,
    sections: Vec<Section>,
    /// The depth of the outermost items of the open list.
    indent: Option<u8>,
    /// The outermost items are numbered.
    is_numbered: bool,
}

impl Builder<'_> {
    fn add(&mut self, block: &Block) {
        let line = self.lines.of(block.span.start);
        match block.kind {
            BlockKind::FrontMatter | BlockKind::Code | BlockKind::HtmlComment => {}
            BlockKind::Heading(level) => self.heading(level, block.text.slice(self.text), line),
            BlockKind::TableRow { header } => self.row(block, header, line),
            BlockKind::ListItem => self.item(block, line),
            BlockKind::Paragraph | BlockKind::Turn | BlockKind::MailHeader | BlockKind::Log => self.prose(block.span),
        }
    }

    fn heading(&mut self, level: u8, written: &str, line: u32) {
        let title = without_number(&plain(written)).to_owned();
        self.sections.push(Section { lower: padded(&title), title, level, line, ..Section::default() });
        self.indent = None;
    }

    fn parts(&mut self) -> &mut Vec<Part> {
        let last = self.sections.len() - 1;
        &mut self.sections[last].parts
    }

    fn row(&mut self, block: &Block, is_header: bool, line: u32) {
        self.indent = None;
        let text = self.text;
        let cells: Vec<String> = block.cells.iter().map(|cell| plain(cell.slice(text))).collect();
        let parts = self.parts();
        if is_header || !matches!(parts.last(), Some(Part::Table(_))) {
            let header = if is_header { cells.iter().map(|cell| padded(cell)).collect() } else { Vec::new() };
            let rows = if is_header { Vec::new() } else { vec![Row { line, cells: cells.clone() }] };
            parts.push(Part::Table(Table { header, rows }));
            return;
        }
        if let Some(Part::Table(table)) = parts.last_mut() {
            table.rows.push(Row { line, cells });
        }
    }

    fn item(&mut self, block: &Block, line: u32) {
        let label = block.label.filter(|label| label.slice(self.text).contains(|c: char| c.is_alphabetic()));
        let words = block.text.slice(self.text);
        let written = match label {
            Some(label) if !words.starts_with(label.slice(self.text)) => format!("{} {words}", label.slice(self.text)),
            _ => words.to_owned(),
        };
        let done = if block.checked == Some(true) { " ✔" } else { "" };
        let entry = Entry { line, text: plain(&written) + done, written, below: Vec::new() };
        // Bullets at the margin after a numbered item belong to it.
        let is_remark = self.is_numbered && !block.ordered;
        let outermost = self.indent.is_some_and(|indent| block.depth <= indent) && !is_remark;
        let is_new = self.indent.is_none();
        if is_new {
            self.is_numbered = block.ordered;
        }
        let indent = self.indent.get_or_insert(block.depth);
        *indent = (*indent).min(block.depth);
        let parts = self.parts();
        match parts.last_mut() {
            Some(Part::List(entries)) if !is_new && !outermost => match entries.last_mut() {
                Some(last) => last.below.push(entry),
                None => entries.push(entry),
            },
            Some(Part::List(entries)) if !is_new => entries.push(entry),
            _ => parts.push(Part::List(vec![entry])),
        }
    }

    fn prose(&mut self, span: Span) {
        let text = self.text;
        // Each line that is completely in bold is a heading; the lines between are paragraphs.
        let mut start = span.start;
        let mut open: Option<Span> = None;
        for line in span.slice(text).split_inclusive('\n') {
            let own = Span::new(start, start + line.len());
            start += line.len();
            match wholly_bold(line.trim()) {
                Some(title) => {
                    if let Some(open) = open.take() {
                        self.paragraph(open);
                    }
                    let at = self.lines.of(own.start);
                    self.heading(7, title, at);
                }
                None => open = Some(Span::new(open.map_or(own.start, |open| open.start), own.end)),
            }
        }
        if let Some(open) = open {
            self.paragraph(open);
        }
    }

    fn paragraph(&mut self, span: Span) {
        let line = self.lines.of(span.start);
        let written = span.slice(self.text).trim().to_owned();
        let entry = Entry { line, text: plain(&written), written, below: Vec::new() };
        // An indented paragraph after an item belongs to it.
        let before = self.text[..span.start].rsplit('\n').next().unwrap_or_default();
        let is_indented = before.len() >= 2 && before.chars().all(char::is_whitespace);
        if is_indented && let Some(Part::List(entries)) = self.parts().last_mut() {
            if let Some(last) = entries.last_mut() {
                last.below.push(entry);
            }
            return;
        }
        self.indent = None;
        self.parts().push(Part::Prose(entry));
    }

    /// Sets the parent of each section and returns the sections.
    fn finished(mut self) -> Vec<Section> {
        // The title of the document is not the parent of the other sections.
        let firsts = self.sections.iter().filter(|section| section.level == 1).count();
        let title = (firsts == 1 && self.sections[1].level == 1).then_some(1);
        let mut open: Vec<usize> = Vec::new();
        for at in 1..self.sections.len() {
            while open.last().is_some_and(|above| self.sections[*above].level >= self.sections[at].level) {
                open.pop();
            }
            self.sections[at].parent = open.last().copied().filter(|above| Some(*above) != title);
            self.sections[at].is_title = Some(at) == title;
            let aside_above = self.sections[at].parent.is_some_and(|parent| self.sections[parent].is_aside);
            self.sections[at].is_aside = aside_above || prd_sections::ASIDES.stand_in(&self.sections[at].lower);
            open.push(at);
        }
        self.sections
    }
}

/// The byte offsets at which the lines of a text begin.
struct Lines(Vec<usize>);

impl Lines {
    fn new(text: &str) -> Self {
        Self(std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect())
    }

    /// The line number of a byte, from 1.
    fn of(&self, at: usize) -> u32 {
        u32::try_from(self.0.partition_point(|start| *start <= at)).unwrap_or(u32::MAX)
    }
}

/// The text in lower case between two spaces, with punctuation replaced by spaces, for word searches.
pub(super) fn padded(words: &str) -> String {
    let mut out = String::with_capacity(words.len() + 2);
    out.push(' ');
    for c in words.chars() {
        match c {
            '&' | '/' | '(' | ')' | ',' | ':' | '：' | '，' | '、' | '（' | '）' | '"' | '“' | '”' => {
                out.push(' ');
            }
            c => out.extend(c.to_lowercase()),
        }
    }
    out.push(' ');
    out
}

/// The longest link text, in characters.
const LONGEST_LINK: usize = 300;

/// The text without the markup of Markdown: `**a**`, `` `b` ``, `[c](d)`, `<br>`.
pub(super) fn plain(written: &str) -> String {
    let mut out = String::with_capacity(written.len());
    let mut rest = written;
    while let Some(c) = rest.chars().next() {
        let step = match c {
            '*' | '`' => 1,
            '_' if rest.starts_with("__") => 2,
            '<' if rest.starts_with("<br") => {
                out.push(' ');
                rest.find('>').map_or(1, |at| at + 1)
            }
            '!' if rest.starts_with("![") => 1,
            '[' => {
                // The search is limited to the line and the longest link text, so that a long row of brackets is read only once.
                let line = rest.split('\n').next().unwrap_or_default();
                let near = line.char_indices().nth(LONGEST_LINK).map_or(line, |(at, _)| &line[..at]);
                let linked = near.find("](");
                match linked.and_then(|at| Some((at, rest[at..].find(')')?))) {
                    Some((at, close)) => {
                        out.push_str(&plain(&rest[1..at]));
                        at + close + 1
                    }
                    None => {
                        out.push('[');
                        1
                    }
                }
            }
            c => {
                out.push(c);
                c.len_utf8()
            }
        };
        rest = &rest[step..];
    }
    out.trim().to_owned()
}

/// The text of a line that is completely in bold.
fn wholly_bold(line: &str) -> Option<&str> {
    let inner = ["**", "__"]
        .into_iter()
        .find_map(|mark| line.strip_prefix(mark)?.trim_end_matches([':', '：']).strip_suffix(mark))?;
    let is_one = !inner.contains("**") && !inner.is_empty() && inner.chars().count() <= 90;
    is_one.then(|| inner.trim_end_matches([':', '：']))
}

/// The text in bold at the beginning of a line.
pub(super) fn bold_lead(written: &str) -> Option<String> {
    let rest = written.strip_prefix("**").or_else(|| written.strip_prefix("__"))?;
    let end = rest.find("**").or_else(|| rest.find("__"))?;
    Some(plain(&rest[..end]).trim_end_matches([':', '：', '.', '。']).to_owned())
}

/// A short label and the text after its colon.
pub(super) fn label(text: &str) -> Option<(&str, &str)> {
    let line = text.lines().next()?;
    let at = line.find([':', '：'])?;
    let label = line[..at].trim();
    let behind = text[at..].trim_start_matches([':', '：']).trim();
    (!label.is_empty() && label.chars().count() <= LONGEST_LABEL).then_some((label, behind))
}

/// A heading without its number: `4.2 Risks`, `Section 3: Risks`, `一、风险`, `（2）风险`.
fn without_number(title: &str) -> &str {
    let is_number =
        |c: char| c.is_ascii_digit() || matches!(c, '.' | ')' | '(' | '）' | '（' | '、' | ' ' | '．' | '#');
    let rest = title.trim_start_matches(is_number);
    let behind_chinese = || {
        let bare = title.trim_start_matches(['第', '（', '(']);
        let behind = bare.trim_start_matches(|c: char| "一二三四五六七八九十".contains(c));
        let ends = |c: char| matches!(c, '章' | '节' | '部' | '分' | '）' | ')' | '、' | '.' | ' ' | '：' | ':');
        (behind.len() < bare.len() && behind.starts_with(ends)).then(|| behind.trim_start_matches(ends))
    };
    let rest = behind_chinese().unwrap_or(rest).trim();
    if rest.is_empty() { title.trim() } else { rest }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_those_of_markdown_and_lines_in_bold() {
        let text = "# PRD: X\n\n## 4.2 Risks\n\nIntro.\n\n**Vendor**\n- Owner: Anna\n  - more\n- two\n\n## 三、里程碑\n\n| a | b |\n|---|---|\n| 1 | |\n";
        let document = Document::new("x.md", text);
        let titles: Vec<(&str, u32, Option<usize>)> =
            document.sections.iter().map(|one| (one.title.as_str(), one.line, one.parent)).collect();
        assert_eq!(
            titles,
            [("", 0, None), ("PRD: X", 1, None), ("Risks", 3, None), ("Vendor", 7, Some(2)), ("里程碑", 12, None)]
        );
        let [Part::List(entries)] = document.sections[3].parts.as_slice() else { panic!("{document:?}") };
        assert_eq!((entries.len(), entries[0].whole().as_str(), entries[1].line), (2, "Owner: Anna\nmore", 10));
        let [Part::Table(table)] = document.sections[4].parts.as_slice() else { panic!("{document:?}") };
        assert_eq!((table.header.len(), table.rows.len(), table.rows[0].line), (2, 1, 16));
    }

    #[test]
    fn marks_and_numbers_are_taken_from_words() {
        assert_eq!(plain("**Owner:** [Anna](https://x.example) `a`<br/>b"), "Owner: Anna a b");
        assert_eq!(label("Owner: Anna"), Some(("Owner", "Anna")));
        assert_eq!(bold_lead("**R1.** The vendor"), Some("R1".to_owned()));
        for (title, bare) in [
            ("4.2 Risks", "Risks"),
            ("一、风险", "风险"),
            ("（二）风险", "风险"),
            ("第三章 风险", "风险"),
            ("2027", "2027"),
        ] {
            assert_eq!(without_number(title), bare);
        }
    }
}
