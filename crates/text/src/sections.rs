//! Assigns every block to a section, and a role to every section.
//!
//! Headings are written as `##`, `h2.`, bold lines, 【brackets】, lines that end in a colon, numbered lines, or as a
//! label before the words on the same line ("Expected: …"). Paragraphs are split where a label begins.

use super::blocks::{Block, BlockKind};
use super::display_width;
use super::footers::is_footer;
use super::form_parts::is_vow;
use super::headings::{Fit, Headings};
use super::item_ids::item_ids;
use super::lexicon::is_cjk;
use super::title_lines::{
    LONGEST_LABEL, WIDEST_CHINESE_TITLE, bold_label, bracketed, is_chapter, is_chinese_title, is_record,
    looks_like_a_label, unbold,
};
use reqgate_base::model::{SectionRole, Span};

/// A stretch of the text under one heading or label.
#[derive(Debug, Clone)]
pub struct Section {
    /// The words of the heading; `None` for the part before the first one.
    pub heading: Option<Span>,
    /// The role of the section; `Body` if the heading does not show one.
    pub role: SectionRole,
    /// 0 for the part before the first heading, then as written; labels count as the deepest.
    pub level: u8,
    /// Index of the enclosing section.
    pub parent: Option<usize>,
    /// It is a label with its content on the same line.
    pub inline: bool,
}

impl Section {
    /// Returns true for a heading without a heading mark: bold, bracketed, numbered, or ending in a colon.
    pub fn is_by_a_line(&self) -> bool {
        self.level >= PSEUDO_LEVEL
    }
}

/// The level of a heading that is only a bold, bracketed or numbered line.
const PSEUDO_LEVEL: u8 = 7;
/// The level of a label with its content after it.
const LABEL_LEVEL: u8 = 8;

/// Splits blocks at labels and assigns sections; `section_of[i]` is the section of block `i`.
pub(crate) fn sections(text: &str, blocks: Vec<Block>, headings: &Headings) -> (Vec<Block>, Vec<Section>, Vec<usize>) {
    let mut builder = Builder {
        text,
        headings,
        blocks: Vec::with_capacity(blocks.len()),
        sections: vec![Section { heading: None, role: SectionRole::Body, level: 0, parent: None, inline: false }],
        section_of: Vec::with_capacity(blocks.len()),
        current: 0,
        label_block: None,
        columns: Vec::new(),
    };
    for block in blocks {
        builder.add(block);
    }
    (builder.blocks, builder.sections, builder.section_of)
}

struct Builder<'t> {
    text: &'t str,
    headings: &'t Headings,
    blocks: Vec<Block>,
    sections: Vec<Section>,
    section_of: Vec<usize>,
    current: usize,
    /// The block whose label opened the current inline section, which shows how far the section reaches.
    label_block: Option<(BlockKind, u8)>,
    /// The roles of the columns of the current table.
    columns: Vec<Option<SectionRole>>,
}

enum LineRole {
    Plain,
    /// A separate heading: its words and role.
    Heading(Span, Option<(SectionRole, Fit)>),
    /// A label and the place where its content begins.
    Label(Span, SectionRole, usize),
    /// The origin or the sender of the text.
    Footer,
}

impl Builder<'_> {
    fn add(&mut self, block: Block) {
        self.close_inline(&block);
        match block.kind {
            BlockKind::Heading(level) => {
                let named = self.headings.role_of(block.text.slice(self.text));
                // The title of a text is not the heading of a part, even if it has the words of one.
                let is_title = level == 1 && self.sections.len() == 1;
                let title = block.text.slice(self.text);
                let is_brief = title.chars().any(is_cjk) && display_width(title) <= WIDEST_CHINESE_TITLE;
                // "FR-012: History" is the title of a requirement and not a chapter.
                let has_id =
                    item_ids(self.text, block.text).first().is_some_and(|id| id.span.start == block.text.start);
                let named = named.filter(|(_, fit)| !has_id && (!is_title || *fit == Fit::Exact || is_brief));
                self.open(block.text, self.settled(named, level), level, false);
                self.push(block);
            }
            BlockKind::ListItem if is_vow(&block, block.text.slice(self.text)) => {
                self.set_aside(|builder| builder.push(block));
            }
            BlockKind::Paragraph | BlockKind::ListItem | BlockKind::Turn => self.split(block),
            BlockKind::TableRow { header: true } => {
                let role = |cell: &Span| self.headings.role_of(cell.slice(self.text)).map(|(role, _)| role);
                self.columns = block.cells.iter().map(role).collect();
                self.push(block);
            }
            BlockKind::TableRow { header: false } => self.row(block),
            _ => {
                self.columns.clear();
                self.push(block);
            }
        }
    }

    fn push(&mut self, block: Block) {
        self.section_of.push(self.current);
        self.blocks.push(block);
    }

    /// Adds content that is not part of the matter, in a separate section.
    fn set_aside(&mut self, add: impl FnOnce(&mut Self)) {
        let around = self.current;
        let role = SectionRole::Metadata;
        self.sections.push(Section { heading: None, role, level: LABEL_LEVEL, parent: Some(around), inline: false });
        self.current = self.sections.len() - 1;
        add(self);
        self.current = around;
    }

    /// "随访计划" below "需求" is a chapter of the requirements and not the project's plan; "Completion notes" belong to a record.
    fn settled(&self, named: Option<(SectionRole, Fit)>, level: u8) -> Option<SectionRole> {
        let (role, fit) = named?;
        let mut parent = self.current;
        // Lines that only look like headings have no level; the current section is then the parent.
        while self.sections[parent].level >= level && level < PSEUDO_LEVEL {
            parent = self.sections[parent].parent?;
        }
        let around = self.sections[parent].role;
        let within =
            matches!(around, SectionRole::Requirements | SectionRole::AcceptanceCriteria | SectionRole::NonFunctional);
        let minor = !matches!(
            role,
            SectionRole::AcceptanceCriteria
                | SectionRole::Requirements
                | SectionRole::NonFunctional
                | SectionRole::EdgeCases
                | SectionRole::OpenQuestions
                | SectionRole::Rationale
                | SectionRole::Story
        );
        let is_of_record = self.sections[parent].heading.is_some_and(|heading| is_record(heading.slice(self.text)));
        let is_part = within && minor || around == SectionRole::Metadata && is_of_record;
        (!(is_part && fit == Fit::Contains)).then_some(role)
    }

    fn open(&mut self, heading: Span, role: Option<SectionRole>, level: u8, inline: bool) {
        let mut parent = self.current;
        while self.sections[parent].level >= level {
            match self.sections[parent].parent {
                Some(up) => parent = up,
                None => break,
            }
        }
        // A heading without a role has the role of its parent: "Case 1" below "Acceptance criteria".
        let inherited = self.sections[parent].role;
        let role = role.unwrap_or(if inherited == SectionRole::Title { SectionRole::Body } else { inherited });
        self.sections.push(Section { heading: Some(heading), role, level, parent: Some(parent), inline });
        self.current = self.sections.len() - 1;
        self.label_block = None;
    }

    /// Ends an inline section. A label with content reaches to the end of its block, or over the list, code or table
    /// that follows at once.
    fn close_inline(&mut self, next: &Block) {
        let after_blank_line = self.blocks.last().is_some_and(|last| {
            let between = Span::new(last.span.end.min(next.span.start), next.span.start).slice(self.text);
            between.matches('\n').count() >= 2
        });
        if !self.sections[self.current].inline {
            return;
        }
        let Some((kind, depth)) = self.label_block else { return };
        let goes_on = match (kind, next.kind) {
            (BlockKind::ListItem, BlockKind::ListItem) => next.depth > depth,
            (BlockKind::ListItem, _) => false,
            (_, BlockKind::ListItem | BlockKind::Code | BlockKind::TableRow { .. }) => !after_blank_line,
            _ => false,
        };
        if !goes_on {
            self.current = self.sections[self.current].parent.unwrap_or(0);
            self.label_block = None;
        }
    }

    /// Adds a row; one of two columns may begin with a heading: `| Expected | … |`.
    fn row(&mut self, mut block: Block) {
        block.cell_roles.clone_from(&self.columns);
        if block.cells.len() == 2 && self.sections[self.current].role != SectionRole::Metadata {
            let title = block.cells[0].slice(self.text);
            if let Some(role) = self.headings.exact_role_of(title) {
                let (heading, content) = (block.cells[0], block.cells[1]);
                self.open(heading, Some(role), LABEL_LEVEL, true);
                let mut cell = block.clone();
                cell.text = content;
                cell.cells = vec![content];
                self.push(cell);
                self.current = self.sections[self.current].parent.unwrap_or(0);
                return;
            }
        }
        self.push(block);
    }

    /// Cuts a block at the lines that are headings or labels.
    fn split(&mut self, block: Block) {
        let mut rest = block.clone();
        let mut line_start = block.text.start;
        let mut piece_start = block.text.start;
        let mut is_first_line = true;
        for line in block.text.slice(self.text).split_inclusive('\n') {
            let span = Span::new(line_start, line_start + line.len()).trimmed(self.text);
            line_start += line.len();
            if span.is_empty() {
                continue;
            }
            match self.line_role(span, &block, is_first_line) {
                LineRole::Plain => {
                    let own = &self.sections[self.current];
                    let brief = own.inline && matches!(own.role, SectionRole::Metadata | SectionRole::Title);
                    if brief && piece_start < span.start && looks_like_a_label(span.slice(self.text)) {
                        let around = own.parent.unwrap_or(0);
                        self.flush(&rest, piece_start, span.start);
                        self.current = around;
                        piece_start = span.start;
                    }
                }
                LineRole::Footer => {
                    self.flush(&rest, piece_start, span.start);
                    self.set_aside(|builder| builder.flush(&rest, span.start, span.end));
                    piece_start = line_start;
                }
                LineRole::Heading(title, role) => {
                    self.flush(&rest, piece_start, span.start);
                    let settled = self.settled(role, PSEUDO_LEVEL);
                    let level = if role.is_some() && settled.is_none() { LABEL_LEVEL } else { PSEUDO_LEVEL };
                    self.open(title, settled, level, false);
                    let mut heading = block.clone();
                    heading.kind = BlockKind::Heading(PSEUDO_LEVEL);
                    heading.span = span;
                    heading.text = title;
                    self.push(heading);
                    piece_start = line_start;
                    rest.kind = BlockKind::Paragraph;
                    rest.label = None;
                }
                LineRole::Label(title, role, content) => {
                    self.flush(&rest, piece_start, span.start);
                    let content = Span::new(content, span.end).trimmed(self.text);
                    self.open(
                        title,
                        Some(role),
                        if content.is_empty() { PSEUDO_LEVEL } else { LABEL_LEVEL },
                        !content.is_empty(),
                    );
                    piece_start = if content.is_empty() { line_start } else { content.start };
                    self.label_block = Some((block.kind, block.depth));
                    if rest.kind != BlockKind::ListItem {
                        rest.kind = BlockKind::Paragraph;
                    }
                }
            }
            is_first_line = false;
        }
        self.flush(&rest, piece_start, block.text.end);
    }

    fn flush(&mut self, template: &Block, start: usize, end: usize) {
        let text = Span::new(start, end.max(start)).trimmed(self.text);
        if text.is_empty() {
            return;
        }
        let mut piece = template.clone();
        piece.text = text;
        if start > template.text.start {
            piece.span = text;
        } else {
            piece.span.end = text.end;
        }
        self.push(piece);
    }

    fn line_role(&self, line: Span, block: &Block, is_first: bool) -> LineRole {
        let words = line.slice(self.text);
        if is_footer(words) {
            return LineRole::Footer;
        }
        if let Some((title, after)) = bracketed(words) {
            let span = Span::new(line.start, line.start + after);
            let role = self.headings.role_of(title);
            let square = words.starts_with('[');
            let rest = words[after..].trim_start_matches([':', '：', ' ', '】']);
            let content = line.end - rest.len();
            // Square brackets hold many other things; only the exact name of a part counts.
            return match role {
                _ if square && role.is_none_or(|(_, fit)| fit != Fit::Exact) => LineRole::Plain,
                _ if rest.is_empty() => LineRole::Heading(span, role),
                Some((role, _)) => LineRole::Label(span, role, content),
                None => LineRole::Plain,
            };
        }
        let (bare, whole_bold) = unbold(words);
        // "tasks/" is a folder; "Type: <b>Bug</b>" contains its answer.
        if bare.ends_with('/') {
            return LineRole::Plain;
        }
        if bare.contains('<') && bare.split_once([':', '：']).is_some_and(|(_, behind)| behind.contains("</")) {
            return self.label(line, words, block);
        }
        let is_numbered_item = block.kind == BlockKind::ListItem && block.ordered && is_first;
        if block.kind == BlockKind::Turn {
            return LineRole::Plain;
        }
        // A form may ask in a whole sentence, in bold.
        if bare.len() <= LONGEST_LABEL || whole_bold && bare.len() <= 2 * LONGEST_LABEL {
            let named = self.headings.role_of(bare);
            let colon_end = bare.ends_with([':', '：']);
            let sentence_end = bare.ends_with(['.', '。', '!', '！', ';', '；', ',', '，']);
            let is_item = block.kind == BlockKind::ListItem && !is_numbered_item;
            // "2. Select the device" and "3. Open" among the steps of a report are steps, even if a section has that name.
            let is_step = is_numbered_item && self.sections[self.current].role == SectionRole::Steps && !colon_end;
            let ends_steps = named.is_some_and(|(role, fit)| {
                fit == Fit::Exact
                    && matches!(role, SectionRole::Expected | SectionRole::Actual | SectionRole::Environment)
                    && !bare.eq_ignore_ascii_case("error")
            });
            if is_step && !ends_steps {
                return self.label(line, words, block);
            }
            let is_heading = match named {
                Some((_, Fit::Exact)) => (!sentence_end || whole_bold) && (!is_item || colon_end || whole_bold),
                Some((_, Fit::Contains)) => {
                    (whole_bold || colon_end && bare.split_whitespace().count() <= 7)
                        && !sentence_end
                        && (!is_item || whole_bold)
                        || is_numbered_item
                            && is_chinese_title(bare, block, self.text)
                            && (display_width(bare) <= WIDEST_CHINESE_TITLE || is_chapter(block, self.text))
                }
                None => {
                    whole_bold && !sentence_end && !is_item && is_first
                        || is_numbered_item && is_chinese_title(bare, block, self.text) && is_chapter(block, self.text)
                }
            };
            let question_heading = named.is_some_and(|(_, fit)| fit == Fit::Exact) || !bare.ends_with(['?', '？']);
            if is_heading && question_heading {
                return LineRole::Heading(line, named);
            }
        }
        self.label(line, words, block)
    }

    /// Reads a label with content: `Expected: the list opens`, `**环境**：iOS 17`, `Expected - …`.
    fn label(&self, line: Span, words: &str, block: &Block) -> LineRole {
        if block.kind == BlockKind::Turn {
            return LineRole::Plain;
        }
        if let Some((title, content)) = bold_label(words)
            && let Some(role) = self.headings.exact_role_of(title)
        {
            return LineRole::Label(Span::new(line.start, line.start + content), role, line.start + content);
        }
        let limit = words.char_indices().map(|(at, _)| at).take_while(|at| *at <= LONGEST_LABEL).last().unwrap_or(0);
        let head = &words[..limit];
        let colon = head.char_indices().find(|(at, c)| {
            let next = words[at + c.len_utf8()..].chars().next();
            match c {
                '：' => true,
                ':' => next.is_none_or(|n| !n.is_ascii_digit() && n != '/'),
                '-' | '–' | '—' => head[..*at].ends_with(' ') && next == Some(' '),
                _ => false,
            }
        });
        let Some((at, c)) = colon else { return LineRole::Plain };
        let (title, _) = unbold(&words[..at]);
        let title = title.trim_matches(['*', '_', ' ', '`']);
        let Some((role, fit)) = self.headings.role_of(title) else { return LineRole::Plain };
        let is_item = block.kind == BlockKind::ListItem;
        // "2. Open c:geo" is a step; "- name: x" is a line of data.
        let is_key = role == SectionRole::Title && title.starts_with(|c: char| c.is_ascii_lowercase());
        if is_item && (fit != Fit::Exact || is_key) {
            return LineRole::Plain;
        }
        let short =
            if title.chars().any(is_cjk) { title.chars().count() <= 8 } else { title.split_whitespace().count() <= 4 };
        // The last words of an English title determine its kind: "Observed result", but not "Module build failed".
        let words_of =
            |count: usize| title.rsplitn(count + 1, ' ').take(count).map(str::len).sum::<usize>() + count - 1;
        let ends_so = |count: usize| {
            let tail = &title[title.len().saturating_sub(words_of(count))..];
            self.headings.role_of(tail).is_some_and(|(own, _)| own == role)
        };
        let is_head = !title.is_ascii() || ends_so(1) || ends_so(2);
        if fit != Fit::Exact && !(short && is_head) || (c != ':' && c != '：' && fit != Fit::Exact) {
            return LineRole::Plain;
        }
        let mut content = at + c.len_utf8();
        content += words[content..].len() - words[content..].trim_start_matches(['*', '_', ' ']).len();
        LineRole::Label(Span::new(line.start, line.start + at), role, line.start + content)
    }
}

#[cfg(test)]
mod tests {
    use super::super::headings::HeadingTerms;
    use super::*;
    use crate::blocks;
    use crate::fenced_text::Fences;

    fn roles(text: &str) -> Vec<(SectionRole, String)> {
        let term = |role, en: &[&str], zh: &[&str]| HeadingTerms {
            role,
            en: en.iter().map(ToString::to_string).collect(),
            zh: zh.iter().map(ToString::to_string).collect(),
            whole: Vec::new(),
        };
        let headings = Headings::new(&[
            term(SectionRole::Steps, &["steps", "steps to reproduce"], &["步骤"]),
            term(SectionRole::Expected, &["expected"], &["预期"]),
            term(SectionRole::Actual, &["actual"], &["实际"]),
            term(SectionRole::Rationale, &["background"], &["背景"]),
            term(SectionRole::AcceptanceCriteria, &["acceptance criteria"], &["验收标准"]),
        ]);
        let restored = crate::line_breaks::restored(text, &|_| false);
        let blocks = blocks::blocks(&restored, Fences::HoldCode, &|_| false);
        let (blocks, sections, of) = sections(text, blocks, &headings);
        blocks
            .iter()
            .zip(of)
            .filter(|(b, _)| !matches!(b.kind, BlockKind::Heading(_)))
            .map(|(b, s)| (sections[s].role, b.text.slice(text).to_string()))
            .collect()
    }

    #[test]
    fn labels_split_a_paragraph_and_end_with_it() {
        let text = "Steps:\n1. open it\n2. press\n\nExpected: it opens\nActual: it stays\n\nThanks a lot.";
        assert_eq!(
            roles(text),
            [
                (SectionRole::Steps, "open it".into()),
                (SectionRole::Steps, "press".into()),
                (SectionRole::Expected, "it opens".into()),
                (SectionRole::Actual, "it stays".into()),
                (SectionRole::Steps, "Thanks a lot.".into()),
            ]
        );
    }

    #[test]
    fn bold_lines_brackets_and_chinese_numbers_are_headings() {
        let text = "**Acceptance Criteria**\n- a is shown\n\n【背景】人工太慢\n\n一、验收标准\n1、提示成功\n";
        assert_eq!(
            roles(text),
            [
                (SectionRole::AcceptanceCriteria, "a is shown".into()),
                (SectionRole::Rationale, "人工太慢".into()),
                (SectionRole::AcceptanceCriteria, "提示成功".into()),
            ]
        );
    }

    #[test]
    fn an_unknown_heading_below_a_known_one_inherits_its_role() {
        let text = "## Acceptance criteria\n### Case one\n- shown\n## Other\nwords";
        assert_eq!(
            roles(text),
            [(SectionRole::AcceptanceCriteria, "shown".into()), (SectionRole::Body, "words".into())]
        );
    }

    #[test]
    fn a_heading_that_begins_with_the_id_of_a_requirement_names_no_chapter() {
        let text = "## Background\nslow\n## Must hold\n### FR-012: Background\nkept\n### Background\nold";
        assert_eq!(
            roles(text),
            [
                (SectionRole::Rationale, "slow".into()),
                (SectionRole::Body, "kept".into()),
                (SectionRole::Rationale, "old".into())
            ]
        );
    }
}
