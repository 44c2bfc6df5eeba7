//! Cuts a ticket into blocks: headings, paragraphs, items, rows, code, quotations, speaker turns.
//!
//! One pass over the lines, linear in the text, for Markdown, Jira markup and plain text alike. Blocks keep spans only, so
//! they stay valid when personal data is masked byte for byte.

mod line;

use line::{Line, lines};

use super::fenced_text::{self, Fences};
use super::gherkin::{feature_head, is_gherkin, is_tag_or_comment, names_a_scenario};
use super::html;
use super::line_breaks::Restored;
use super::line_shapes::{is_delimiter_row, is_log_line, is_markup_only, is_rule_line};
use super::markup::{self, Dialect};
use super::turns;
use reqgate_base::model::{SectionRole, Span};

/// The kind of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockKind {
    /// YAML between `---` lines at the top of a document.
    FrontMatter,
    /// A heading with its level, 1 to 6.
    Heading(u8),
    /// Lines of prose without a marker.
    Paragraph,
    /// An item of a list, with its continuation lines.
    ListItem,
    /// A row of a table; `header` for the row that names the columns.
    TableRow {
        /// The row names the columns.
        header: bool,
    },
    /// Fenced or marked code.
    Code,
    /// Pasted log lines or a stack trace outside a fence.
    Log,
    /// A comment, of HTML or of a feature file, which readers do not see.
    HtmlComment,
    /// The words of one person in a meeting or a chat.
    Turn,
    /// Header lines of a mail: From, To, Date.
    MailHeader,
}

/// A piece of the text.
#[derive(Debug, Clone)]
pub struct Block {
    /// The kind of the block.
    pub kind: BlockKind,
    /// The whole block, marker included.
    pub span: Span,
    /// The words without marker, label, fence or speaker.
    pub text: Span,
    /// Depth of a list item, from 0.
    pub depth: u8,
    /// The item is numbered or lettered.
    pub ordered: bool,
    /// The block is inside a quotation (`>` or `{quote}`), e.g. an older mail.
    pub quoted: bool,
    /// The id of the item: `FR-001`, `3.2`, `AC1`.
    pub label: Option<Span>,
    /// The state of its box, in a task list.
    pub checked: Option<bool>,
    /// Cells of a table row, empty ones included.
    pub cells: Vec<Span>,
    /// The role of the column of each cell, if the table's header names it.
    pub cell_roles: Vec<Option<SectionRole>>,
    /// The name of the speaker, for a turn.
    pub speaker: Option<Span>,
}

impl Block {
    fn new(kind: BlockKind, span: Span, text: Span) -> Self {
        Self {
            kind,
            span,
            text,
            depth: 0,
            ordered: false,
            quoted: false,
            label: None,
            checked: None,
            cells: Vec::new(),
            cell_roles: Vec::new(),
            speaker: None,
        }
    }

    /// Returns true for blocks whose words are the author's prose.
    pub fn is_prose(&self) -> bool {
        matches!(
            self.kind,
            BlockKind::Paragraph
                | BlockKind::ListItem
                | BlockKind::TableRow { .. }
                | BlockKind::Turn
                | BlockKind::Heading(_)
        )
    }

    /// Returns true for code and logs, which do not count towards the length limit and are never read as requirements.
    pub fn is_code(&self) -> bool {
        matches!(self.kind, BlockKind::Code | BlockKind::Log)
    }
}

/// Cuts a text with restored line breaks into blocks, in order and without overlap. `is_heading` distinguishes the
/// labels of a ticket from names of people and from code.
pub fn blocks(restored: &Restored<'_>, fences: Fences, is_heading: &dyn Fn(&str) -> bool) -> Vec<Block> {
    let text = restored.text.as_ref();
    let speakers = turns::speakers(text, is_heading);
    let mut scanner = Scanner {
        text,
        dialect: if restored.is_jira { Dialect::Jira } else { markup::dialect_of(text) },
        speakers,
        is_heading,
        fences,
        unclosed: false,
        skipped_line: None,
        blocks: Vec::new(),
        paragraph_open: false,
        in_jira_quote: false,
        feature: None,
    };
    let lines = lines(text, &restored.cuts);
    scanner.feature = feature_head(lines.iter().map(|line| line.words(text)));
    scanner.run(&lines);
    scanner.blocks
}

struct Scanner<'t> {
    text: &'t str,
    dialect: Dialect,
    speakers: turns::Speakers,
    is_heading: &'t dyn Fn(&str) -> bool,
    fences: Fences,
    /// A fence without an end was met.
    unclosed: bool,
    /// The closing line of a fence around a whole ticket, which is skipped.
    skipped_line: Option<usize>,
    blocks: Vec<Block>,
    /// The next plain line continues the last block.
    paragraph_open: bool,
    in_jira_quote: bool,
    /// In a feature file, the line that names the feature, and the byte in it at which the name begins.
    feature: Option<(usize, usize)>,
}

impl Scanner<'_> {
    fn run(&mut self, lines: &[Line]) {
        let mut at = self.front_matter(lines);
        while at < lines.len() {
            at = self.block(lines, at);
        }
    }

    fn front_matter(&mut self, lines: &[Line]) -> usize {
        let is_fence = |line: &Line, marks: &[&str]| line.indent == 0 && marks.contains(&line.words(self.text));
        if !lines.first().is_some_and(|line| is_fence(line, &["---"])) {
            return 0;
        }
        let Some(end) = lines.iter().skip(1).take(200).position(|line| is_fence(line, &["---", "..."])) else {
            return 0;
        };
        let has_key = lines[1..=end].iter().any(|line| line.words(self.text).contains(':'));
        if !has_key {
            return 0;
        }
        let span = Span::new(lines[0].start, lines[end + 1].end);
        self.blocks.push(Block::new(BlockKind::FrontMatter, span, span));
        end + 2
    }

    /// Reads the block that begins at line `at` and returns the line after it.
    fn block(&mut self, lines: &[Line], at: usize) -> usize {
        let line = lines[at];
        let words = line.words(self.text);
        if words.is_empty() {
            self.paragraph_open = false;
            return at + 1;
        }
        if self.skipped_line == Some(at) {
            self.paragraph_open = false;
            return at + 1;
        }
        if self.of_feature_file(line, at, words) {
            return at + 1;
        }
        if let Some(next) = self.fenced(lines, at, words) {
            return next;
        }
        if words.starts_with("<!--") {
            return self.html_comment(lines, at);
        }
        if self.dialect == Dialect::Jira && words.starts_with("{quote}") {
            self.in_jira_quote = !self.in_jira_quote;
            self.paragraph_open = false;
            if words.len() <= "{quote}".len() {
                return at + 1;
            }
        }
        if self.panel(line, words) {
            return at + 1;
        }
        if is_markup_only(words) {
            self.paragraph_open = false;
            return at + 1;
        }
        if is_rule_line(words) {
            self.underline(words);
            self.paragraph_open = false;
            return at + 1;
        }
        if let Some(next) = self.log(lines, at) {
            return next;
        }
        if self.heading(line, lines.get(at + 1), words)
            || self.table_row(lines, at)
            || self.mail_header(line, words)
            || self.turn(line, words)
        {
            return at + 1;
        }
        if !self.item(line, words) {
            self.prose(line);
        }
        at + 1
    }

    /// Reads a line of a feature file: tags and comments, the name of the feature as the title, and those of scenarios
    /// as headings.
    fn of_feature_file(&mut self, line: Line, at: usize, words: &str) -> bool {
        let Some((head, name)) = self.feature else { return false };
        let (kind, text) = if at == head && name < words.len() {
            (BlockKind::Heading(1), Span::new(line.words_start() + name, line.end))
        } else if names_a_scenario(words) {
            (BlockKind::Heading(2), line.words_span())
        } else if is_tag_or_comment(words) {
            (BlockKind::HtmlComment, line.words_span())
        } else {
            return false;
        };
        self.push(Block::new(kind, line.words_span(), text), line);
        self.paragraph_open = false;
        true
    }

    fn push(&mut self, mut block: Block, line: Line) {
        block.quoted = line.quoted || self.in_jira_quote;
        self.blocks.push(block);
    }

    fn fenced(&mut self, lines: &[Line], at: usize, words: &str) -> Option<usize> {
        let closes: Box<dyn Fn(&str) -> bool> = if words.starts_with("```") || words.starts_with("~~~") {
            let mark = words.as_bytes()[0];
            let length = words.bytes().take_while(|b| *b == mark).count();
            if words[length..].contains('`') && mark == b'`' {
                return None;
            }
            Box::new(move |w: &str| {
                let run = w.bytes().take_while(|b| *b == mark).count();
                run >= length && w[run..].trim().is_empty()
            })
        } else if words.starts_with("{code") || words.starts_with("{noformat") {
            let close = if words.starts_with("{code") { "{code}" } else { "{noformat}" };
            let opening = words.find('}').map_or(words.len(), |end| end + 1);
            if words[opening..].contains(close) {
                let span = lines[at].words_span();
                self.push(Block::new(BlockKind::Code, span, span), lines[at]);
                self.paragraph_open = false;
                return Some(at + 1);
            }
            Box::new(move |w: &str| w.contains(close))
        } else if words.starts_with("<pre") && !words.contains("</pre>") {
            Box::new(|w: &str| w.contains("</pre>"))
        } else {
            return None;
        };
        let mut end =
            lines[at + 1..].iter().position(|line| closes(line.words(self.text))).map(|offset| at + 1 + offset);
        if end.is_none() && !self.unclosed {
            // The fence is not closed. The rest is read once, to see whether it is a ticket and which heading continues one.
            self.unclosed = true;
            let rest = Span::new(lines.get(at + 1).map_or(self.text.len(), |line| line.start), self.text.len());
            if fenced_text::names_no_language(words)
                && fenced_text::reads_as_ticket(rest.slice(self.text), self.is_heading)
            {
                self.paragraph_open = false;
                return Some(at + 1);
            }
            end = self.heading_behind_code(lines, at + 1);
            if let Some(end) = end {
                return Some(self.code(lines, at, end - 1, end));
            }
        }
        let last = end.unwrap_or(lines.len() - 1);
        let close = if end.is_some() { last } else { last + 1 };
        let inner_start = lines.get(at + 1).map_or(lines[at].end, |line| line.start);
        let inner_end = lines.get(close).map_or(lines[last].end, |line| line.start);
        let inner = Span::new(inner_start, inner_end.max(inner_start)).slice(self.text);
        let is_prose = self.fences == Fences::MayHoldProse && fenced_text::is_prose_throughout(inner);
        if is_prose || self.skipped_line.is_none() && fenced_text::is_ticket(self.text, words, inner, self.is_heading) {
            // Skips the marks of the fence, and reads the text between them like any other.
            self.skipped_line = end;
            self.paragraph_open = false;
            return Some(at + 1);
        }
        Some(self.code(lines, at, last, close))
    }

    /// The first line that looks like the heading of a part of a ticket, after a blank line.
    fn heading_behind_code(&self, lines: &[Line], from: usize) -> Option<usize> {
        (from + 1..lines.len()).find(|at| {
            let words = lines[*at].words(self.text);
            let title = words.trim_matches(['#', '*', ' ', ':', '：']);
            let marked = words.starts_with("##") || words.starts_with("**") || words.ends_with([':', '：']);
            marked && title.len() <= 64 && lines[*at - 1].words(self.text).is_empty() && (self.is_heading)(title)
        })
    }

    /// Adds the code from line `at` to line `last`, whose words end before line `close`; returns the line after it.
    fn code(&mut self, lines: &[Line], at: usize, last: usize, close: usize) -> usize {
        let span = Span::new(lines[at].words_start(), lines[last].end);
        let inner_start = lines.get(at + 1).map_or(span.end, |line| line.start);
        let inner_end = lines.get(close).filter(|_| close <= last).map_or(lines[last].end, |line| line.start);
        let inner = Span::new(inner_start, inner_end.max(inner_start));
        // Scenarios are often fenced for their colours; they are the author's criteria and not code.
        let kind = if is_gherkin(inner.slice(self.text)) { BlockKind::Paragraph } else { BlockKind::Code };
        self.push(Block::new(kind, span, inner), lines[at]);
        self.paragraph_open = false;
        last + 1
    }

    fn html_comment(&mut self, lines: &[Line], at: usize) -> usize {
        let last = lines[at..]
            .iter()
            .position(|line| line.words(self.text).contains("-->"))
            .map_or(lines.len() - 1, |n| at + n);
        let close = self.text[lines[last].start..lines[last].end]
            .find("-->")
            .map_or(lines[last].end, |n| lines[last].start + n + 3);
        let start = lines[at].words_start();
        let span = Span::new(start, close.max(start));
        self.push(Block::new(BlockKind::HtmlComment, span, span), lines[at]);
        // Words after the comment on its last line are the author's.
        let rest = Span::new(span.end, lines[last].end).trimmed(self.text);
        if !rest.is_empty() {
            self.push(Block::new(BlockKind::Paragraph, rest, rest), lines[last]);
        }
        self.paragraph_open = false;
        last + 1
    }

    /// `====` or `----` below a short line makes it a heading.
    fn underline(&mut self, words: &str) {
        let is_underline = words.bytes().all(|b| b == b'=') || (words.len() >= 3 && words.bytes().all(|b| b == b'-'));
        let Some(last) = self.blocks.last_mut().filter(|_| self.paragraph_open && is_underline) else { return };
        let title = last.text.slice(self.text);
        let short = last.kind == BlockKind::Paragraph && !title.contains('\n') && title.len() <= 120;
        if short && !title.ends_with(['.', '。', ',', '，', ';', '；', ':', '：']) {
            last.kind = BlockKind::Heading(if words.starts_with('=') { 1 } else { 2 });
        }
    }

    fn log(&mut self, lines: &[Line], at: usize) -> Option<usize> {
        let is_log = |line: &Line| is_log_line(line.words(self.text));
        if !is_log(&lines[at]) {
            return None;
        }
        // Two lines in a row are a log; a single one may be a sentence that begins with a time.
        let run = lines[at..].iter().take_while(|line| is_log(line)).count();
        let in_log = self.blocks.last().is_some_and(|b| b.kind == BlockKind::Log && b.span.end + 2 >= lines[at].start);
        if run < 2 && !in_log {
            return None;
        }
        let span = Span::new(lines[at].words_start(), lines[at + run - 1].end);
        self.push(Block::new(BlockKind::Log, span, span), lines[at]);
        self.paragraph_open = false;
        Some(at + run)
    }

    fn heading(&mut self, line: Line, next: Option<&Line>, words: &str) -> bool {
        let jira = markup::jira_heading(words);
        // A title may be marked as in Markdown in every tracker.
        let is_title = words.starts_with("# ")
            && self.blocks.iter().all(|block| block.kind == BlockKind::FrontMatter)
            && next.is_none_or(|next| next.words(self.text).is_empty());
        let reads_markdown = is_title || self.dialect == Dialect::Markdown;
        let markdown = if reads_markdown { markup::markdown_heading(words) } else { None };
        if let Some((level, from, to)) = html::heading(words, self.is_heading) {
            let text = Span::new(line.words_start() + from, line.words_start() + to).trimmed(self.text);
            self.push(Block::new(BlockKind::Heading(level), line.words_span(), text), line);
            self.paragraph_open = false;
            return true;
        }
        let Some((level, before)) = jira.or(markdown) else { return false };
        let text = Span::new(line.words_start() + before, line.end).trimmed(self.text);
        let closing = text.slice(self.text).trim_end_matches('#').trim_end().len();
        let text = Span::new(text.start, text.start + closing);
        // A mark without words is not a heading.
        if !text.is_empty() {
            self.push(Block::new(BlockKind::Heading(level), line.words_span(), text), line);
        }
        self.paragraph_open = false;
        true
    }

    /// `{panel:title=Steps|bgColor=#eee}`: the title of a panel of Jira is a heading.
    fn panel(&mut self, line: Line, words: &str) -> bool {
        const TITLE: &str = "title=";
        let Some(inside) = words.strip_prefix("{panel:").and_then(|rest| rest.strip_suffix('}')) else { return false };
        let Some(at) = inside.find(TITLE) else { return false };
        let title = &inside[at + TITLE.len()..];
        let title = title.split('|').next().unwrap_or(title);
        let start = line.words_start() + "{panel:".len() + at + TITLE.len();
        let text = Span::new(start, start + title.len()).trimmed(self.text);
        if text.is_empty() || title.contains(['{', '}']) {
            return false;
        }
        self.push(Block::new(BlockKind::Heading(6), line.words_span(), text), line);
        self.paragraph_open = false;
        true
    }

    fn table_row(&mut self, lines: &[Line], at: usize) -> bool {
        let line = lines[at];
        let words = line.words(self.text);
        let next = lines.get(at + 1).map_or("", |line| line.words(self.text));
        let previous_is_row = self.blocks.last().is_some_and(|b| {
            matches!(b.kind, BlockKind::TableRow { .. }) && at > 0 && b.span.end + 2 >= lines[at - 1].start
        });
        let piped = words.starts_with('|') && words[1..].contains('|');
        // After an empty line, a bar alone does not make a row.
        let follows = previous_is_row && (words.contains(" | ") || !lines[at - 1].words(self.text).is_empty());
        let unpiped = words.contains('|') && (is_delimiter_row(next) || follows);
        let tabs =
            |w: &str| w.matches('\t').count() >= 1 && w.split('\t').filter(|cell| !cell.trim().is_empty()).count() >= 2;
        let tabbed = tabs(words) && (tabs(next) || previous_is_row);
        if !(piped || unpiped || tabbed) {
            return false;
        }
        if is_delimiter_row(words) {
            if let Some(Block { kind: BlockKind::TableRow { header }, .. }) = self.blocks.last_mut() {
                *header = true;
            }
            return true;
        }
        let separator = if tabbed && !piped && !unpiped { '\t' } else { '|' };
        let start = line.words_start();
        let mut cells = Vec::new();
        let mut from = start;
        for (offset, _) in words.match_indices(separator) {
            cells.push(Span::new(from, start + offset).trimmed(self.text));
            from = start + offset + 1;
        }
        cells.push(Span::new(from, line.end).trimmed(self.text));
        // `||a||b||` gives an empty cell per doubled bar; elsewhere an empty cell keeps its column.
        if words.starts_with("||") {
            cells.retain(|cell| !cell.is_empty());
        }
        if cells.first().is_some_and(|cell| cell.is_empty()) {
            cells.remove(0);
        }
        if cells.last().is_some_and(|cell| cell.is_empty()) {
            cells.pop();
        }
        let first_tabbed_row = separator == '\t' && !previous_is_row;
        let header = words.starts_with("||") || first_tabbed_row;
        let mut block = Block::new(BlockKind::TableRow { header }, line.words_span(), line.words_span());
        block.cells = cells;
        self.push(block, line);
        self.paragraph_open = false;
        true
    }

    fn mail_header(&mut self, line: Line, words: &str) -> bool {
        const KEYS: [&str; 12] =
            ["From", "To", "Cc", "CC", "Date", "Sent", "Reply-To", "发件人", "收件人", "抄送", "发送时间", "日期"];
        let first = words.bytes().find(|byte| !matches!(byte, b'*' | b' '));
        if !first.is_some_and(|byte| matches!(byte, b'F' | b'T' | b'C' | b'D' | b'S' | b'R' | 0x80..)) {
            return false;
        }
        let Some((key, _)) = words.split_once([':', '：']) else { return false };
        let key = key.trim_matches(['*', ' ']);
        let header_above = self.blocks.last().is_some_and(|b| b.kind == BlockKind::MailHeader);
        if !KEYS.contains(&key) || (matches!(key, "To" | "Date" | "日期") && !header_above) {
            return false;
        }
        self.push(Block::new(BlockKind::MailHeader, line.words_span(), line.words_span()), line);
        self.paragraph_open = false;
        true
    }

    fn turn(&mut self, line: Line, words: &str) -> bool {
        let Some((speaker, said)) = self.speakers.turn(words) else { return false };
        let start = line.words_start();
        let mut block = Block::new(BlockKind::Turn, line.words_span(), Span::new(start + said, line.end));
        block.speaker = Some(Span::new(start + speaker.0, start + speaker.1));
        self.push(block, line);
        self.paragraph_open = true;
        true
    }

    fn item(&mut self, line: Line, words: &str) -> bool {
        let Some(marker) = markup::list_marker(words, self.dialect) else { return false };
        let start = line.words_start();
        let text = Span::new(start + marker.length, line.end);
        let mut block = Block::new(BlockKind::ListItem, line.words_span(), text);
        let indentation = self.text[line.start..start].chars().map(|c| if c == '\t' { 4 } else { 1 }).sum::<usize>();
        block.depth = marker.depth.max(u8::try_from(indentation / 2).unwrap_or(u8::MAX).min(10));
        block.ordered = marker.ordered;
        block.checked = marker.checked;
        block.label = marker.label.map(|(from, to)| Span::new(start + from, start + to));
        self.push(block, line);
        self.paragraph_open = true;
        true
    }

    fn prose(&mut self, line: Line) {
        let continues = self.paragraph_open
            && !line.is_cut
            && self.blocks.last().is_some_and(|last| {
                let same_voice = last.quoted == (line.quoted || self.in_jira_quote);
                // A line back at the margin below an indented list begins a new paragraph only after a blank line.
                same_voice && matches!(last.kind, BlockKind::Paragraph | BlockKind::ListItem | BlockKind::Turn)
            });
        if continues {
            if let Some(last) = self.blocks.last_mut() {
                last.span.end = line.end;
                last.text.end = line.end;
            }
            return;
        }
        let span = line.words_span();
        self.push(Block::new(BlockKind::Paragraph, span, span), line);
        self.paragraph_open = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(BlockKind, &str)> {
        let restored = crate::line_breaks::restored(text, &|_| false);
        blocks(&restored, Fences::HoldCode, &|_| false).iter().map(|b| (b.kind, b.text.slice(text))).collect()
    }

    #[test]
    fn markdown_is_cut_into_blocks() {
        let text = "# Export\n\nAs a clerk I want it.\nReally.\n\n- one\n  more\n- [x] two\n\n```\ncode\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n";
        assert_eq!(
            kinds(text),
            vec![
                (BlockKind::Heading(1), "Export"),
                (BlockKind::Paragraph, "As a clerk I want it.\nReally."),
                (BlockKind::ListItem, "one\n  more"),
                (BlockKind::ListItem, "two"),
                (BlockKind::Code, "code\n"),
                (BlockKind::TableRow { header: true }, "| a | b |"),
                (BlockKind::TableRow { header: false }, "| 1 | 2 |"),
            ]
        );
    }

    #[test]
    fn tables_need_no_bars_at_their_sides_and_no_spaces_around_them() {
        let text = "Name|Version\n---|---\nlathe|2.1\nplane|7\n\na|b is an alternative";
        let rows = [("Name|Version", true), ("lathe|2.1", false), ("plane|7", false)];
        let mut expected: Vec<_> = rows.map(|(row, header)| (BlockKind::TableRow { header }, row)).into();
        expected.push((BlockKind::Paragraph, "a|b is an alternative"));
        assert_eq!(kinds(text), expected);
    }

    #[test]
    fn jira_markup_is_cut_into_blocks() {
        let text = "h2. Steps\n# open\n## deeper\n{code}\nx\n{code}\n||a||b||\n|1|2|\n";
        assert_eq!(
            kinds(text),
            vec![
                (BlockKind::Heading(2), "Steps"),
                (BlockKind::ListItem, "open"),
                (BlockKind::ListItem, "deeper"),
                (BlockKind::Code, "x\n"),
                (BlockKind::TableRow { header: true }, "||a||b||"),
                (BlockKind::TableRow { header: false }, "|1|2|"),
            ]
        );
    }

    #[test]
    fn comments_quotes_logs_and_front_matter_are_told_apart() {
        let text = "---\nid: 1\n---\n<!-- fill in -->\n> older words\n\n2025-01-01 10:00:00 ERROR a\n2025-01-01 10:00:01 INFO b\nnew";
        let found = blocks(&crate::line_breaks::restored(text, &|_| false), Fences::HoldCode, &|_| false);
        let kinds: Vec<_> = found.iter().map(|b| (b.kind, b.quoted)).collect();
        assert_eq!(
            kinds,
            vec![
                (BlockKind::FrontMatter, false),
                (BlockKind::HtmlComment, false),
                (BlockKind::Paragraph, true),
                (BlockKind::Log, false),
                (BlockKind::Paragraph, false),
            ]
        );
    }

    #[test]
    fn an_unclosed_fence_runs_to_the_end() {
        assert_eq!(kinds("a\n\n```\nb\nc"), vec![(BlockKind::Paragraph, "a"), (BlockKind::Code, "b\nc")]);
    }
}
