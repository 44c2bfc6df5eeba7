//! The labelled pieces of a source: list items, rows, fields and lines under a heading that names a part of a brief.

use super::Source;
use super::labels::{Label, label_of};
use super::sentences::{capitalised, plain, substance};
use super::story_rows::story_row;
use crate::SourceQuote;
use crate::requirements::{Column, PutAside, Tags, ids};
use reqgate_base::model::{Genre, LineIndex, Span};
use reqgate_gate::stages::structuring::has_mark;
use reqgate_text::blocks::{Block, BlockKind};
use reqgate_text::item_ids::{item_ids, only_mentions};
use reqgate_text::sentences::sentences;
use reqgate_text::story_parts::story_parts;
use reqgate_text::words::brief_answers::QUESTION_HEADINGS;
use reqgate_text::words::conversations::SMALL_TALK;
use reqgate_text::words::stories::STORY_ROLES;
use reqgate_text::{Cue, Reader, Reading};

/// The most criteria in separate blocks of one requirement.
const MOST_CRITERIA: usize = 20;

/// A piece of a source with its label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Piece {
    /// The part of a brief that the piece belongs to.
    pub label: Label,
    /// The text in one line, without markup.
    pub words: String,
    /// The exact text and its location.
    pub place: SourceQuote,
    /// The user that a story names.
    pub user: Option<String>,
    /// The id of a story in its document: `US-001`.
    pub story_id: Option<String>,
    /// The id of the piece in its document: `FR-001`, `AC2`.
    pub id: Option<String>,
    /// The depth of a list item, from 0.
    pub depth: u8,
    /// The priority, the stories and a decision against it.
    pub tags: Tags,
}

/// Returns the labelled pieces of a source, in order.
pub(crate) fn pieces(reader: &Reader, source: &Source) -> Vec<Piece> {
    let reading = reader.read(&source.text, None);
    let lines = LineIndex::new(&source.text);
    let context = Context { text: &source.text, name: &source.name, reader, reading: &reading, lines: &lines };
    let blocks = 0..reading.blocks.len();
    blocks.filter(|at| is_matter(&source.text, &reading, *at)).flat_map(|at| context.of_block(at)).collect()
}

/// Returns true for a block with content of the author: titles, headings, quotations, messages of a chat,
/// instructions of a form and deleted text are excluded.
fn is_matter(source: &str, reading: &Reading, at: usize) -> bool {
    let block = &reading.blocks[at];
    let text = block.text.slice(source);
    let is_written = matches!(block.kind, BlockKind::Paragraph | BlockKind::ListItem)
        || matches!(block.kind, BlockKind::TableRow { header: false });
    let mut own = reading.sentences.iter().filter(|sentence| sentence.block == at).peekable();
    is_written
        && !text.contains("~~")
        && !block.quoted
        && own.peek().is_some()
        && own.all(|one| !one.struck && !one.is_placeholder && one.genre != Genre::Title)
}

struct Context<'t> {
    text: &'t str,
    name: &'t str,
    reader: &'t Reader,
    reading: &'t Reading,
    lines: &'t LineIndex,
}

impl Context<'_> {
    fn of_block(&self, at: usize) -> Vec<Piece> {
        let block = &self.reading.blocks[at];
        let section = self.reading.section_of[at];
        let label = label_of(self.text, self.reading, section, self.reader.headings());
        let label = if self.is_asked(at) { Some(Label::Question) } else { label.filter(|_| !self.is_after_a_list(at)) };
        if self.only_mentions(section) || self.is_rejected(section) {
            return Vec::new();
        }
        if let Some(criterion) = self.labelled_criterion(at) {
            return vec![criterion];
        }
        if let Some(story) = self.story(block) {
            return vec![Piece { story_id: self.story_id(at), ..story }];
        }
        if let BlockKind::TableRow { .. } = block.kind {
            return self.row(at, label);
        }
        // Questions, flows and exclusions refer to requirements that are defined elsewhere.
        let lines = if label.is_none_or(Label::may_define_ids) { self.with_ids(block) } else { Vec::new() };
        if !lines.is_empty() {
            let piece = |(label, id, span): (Label, String, Span)| {
                let id = Some(id).filter(|id| !id.is_empty());
                let depth = block.depth + u8::from(id.is_none());
                Some(Piece { id, ..self.piece(label, span, depth)? })
            };
            return lines.into_iter().filter_map(piece).collect();
        }
        let Some(label) = label else { return Vec::new() };
        let is_listed = block.kind == BlockKind::ListItem || self.reading.sections[section].inline;
        let all = sentences(self.text, block.text);
        let is_scenario = self.reading.sentences.iter().any(|one| one.block == at && one.genre == Genre::GherkinStep);
        if is_listed || is_scenario {
            return self.piece(label, block.text, block.depth).into_iter().collect();
        }
        // A labelled paragraph is a rule only if it has a single sentence; longer ones are prose.
        if label.binds() && all.len() > 1 {
            return Vec::new();
        }
        all.into_iter().filter_map(|one| self.piece(label, one, 0)).collect()
    }

    /// Returns true for an item in a list of questions below a line such as 问题, which elsewhere means the problem.
    fn is_asked(&self, at: usize) -> bool {
        let is_item = |at: &usize| self.reading.blocks[*at].kind == BlockKind::ListItem;
        let words = |at: usize| self.reading.blocks[at].text.slice(self.text);
        let Some(head) = (0..=at).rev().find(|at| !is_item(at)).filter(|head| *head < at) else { return false };
        let line = words(head).lines().last().unwrap_or_default();
        let is_heading = QUESTION_HEADINGS.has_in_any_case(line.trim_matches(['#', '*', ' ', ':', '：', '【', '】']));
        let mut items = (head + 1..self.reading.blocks.len()).take_while(is_item);
        is_heading && items.all(|at| self.reading.blocks[at].depth > 0 || words(at).contains(['?', '？']))
    }

    /// Returns true for a paragraph after a blank line below a list whose heading is only a line: it does not belong
    /// to the list. Below `##` this applies only to a line about the meeting itself: "Next meeting: 25 November".
    fn is_after_a_list(&self, at: usize) -> bool {
        let (block, section) = (&self.reading.blocks[at], self.reading.section_of[at]);
        if block.kind != BlockKind::Paragraph || self.reading.sections[section].inline {
            return false;
        }
        let mut above = (0..at).rev().take_while(|at| self.reading.section_of[*at] == section);
        let line_start = self.text[..block.text.start].rfind('\n').map_or(0, |feed| feed + 1);
        let has_blank_line = self.text[..line_start].lines().last().is_some_and(|line| line.trim().is_empty());
        let is_indented = self.text[line_start..].starts_with([' ', '\t']);
        let is_about_the_talk = || SMALL_TALK.begin(&block.text.slice(self.text).to_lowercase());
        let is_below_items = above.any(|at| self.reading.blocks[at].kind == BlockKind::ListItem);
        is_below_items
            && has_blank_line
            && !is_indented
            && (self.reading.sections[section].is_by_a_line() || is_about_the_talk())
    }

    /// The piece for a user story: "As a clerk, I want to print labels so that parcels leave the same day."
    fn story(&self, block: &Block) -> Option<Piece> {
        let words = plain(block.text.slice(self.text));
        let parts = story_parts(&words, Span::new(0, words.len()));
        let role = parts.role.slice(&words).trim().trim_end_matches([',', '，']);
        let lower = role.to_lowercase();
        let begins = STORY_ROLES.iter().find(|begin| lower.starts_with(*begin))?;
        let user = role.get(begins.len()..)?.trim();
        let wish = parts.wish.slice(&words).trim();
        let is_filled = substance(user) >= 1 && substance(wish) >= 1;
        let piece = self.piece(Label::Story, block.text, block.depth).filter(|_| is_filled)?;
        Some(Piece { user: Some(capitalised(user)), ..piece })
    }

    /// The id of the story in a block: its label, or the beginning of the heading directly above it.
    fn story_id(&self, at: usize) -> Option<String> {
        let block = &self.reading.blocks[at];
        let above = || {
            let heading = at.checked_sub(1).map(|at| &self.reading.blocks[at])?;
            matches!(heading.kind, BlockKind::Heading(_)).then_some(heading.span)
        };
        let words = block.label.or_else(above)?.slice(self.text).trim_start_matches(['#', ' ']);
        let (id, _) = ids::leading(words)?;
        (!ids::is_of_a_requirement(id)).then(|| id.to_owned())
    }

    /// The rules and criteria with ids, of which a block may have several: `FR-3: …`, `**AC1** …`.
    fn with_ids(&self, block: &Block) -> Vec<(Label, String, Span)> {
        // A paragraph that is cut at a label keeps the id of its first line.
        let own = block
            .label
            .filter(|label| self.text.get(label.end..block.text.start).is_some_and(|between| !between.contains('\n')));
        if let Some((label, id)) = own.and_then(|label| by_id(label.slice(self.text))) {
            return vec![(label, id, block.text)];
        }
        let mut out: Vec<(Label, String, Span)> = Vec::new();
        let mut at = block.text.start;
        for line in block.text.slice(self.text).split_inclusive('\n') {
            let span = Span::new(at, at + line.len());
            at = span.end;
            let marks = line.len() - line.trim_start_matches([' ', '*', '_', '[', '`', '|']).len();
            let first = item_ids(self.text, span).into_iter().next().filter(|id| id.span.start == span.start + marks);
            match first.and_then(|first| Some((by_id(first.span.slice(self.text))?, first.span.end))) {
                Some(((label, id), end)) => out.push((label, id, Span::new(self.behind_id(end, span.end), span.end))),
                None => match (out.last_mut(), self.behind_criterion_label(span)) {
                    (None, _) => return Vec::new(),
                    (Some(_), Some(words)) => out.push((Label::Criterion, String::new(), words)),
                    // A line without an id continues the previous line.
                    (Some((_, _, last)), None) => last.end = span.end,
                },
            }
        }
        out
    }

    /// The offset of the text after an id.
    fn behind_id(&self, from: usize, end: usize) -> usize {
        let rest = Span::new(from, end).slice(self.text);
        end - rest.trim_start_matches([' ', '*', '_', ']', '`', ':', '：', '.', '-', '–', '—', ')']).len()
    }

    /// The text of a line after the label of a criterion: `验收：…`, "Acceptance: …".
    fn behind_criterion_label(&self, line: Span) -> Option<Span> {
        let line = line.trimmed(self.text);
        let words = line.slice(self.text);
        let (label, rest) = words.split_once([':', '：'])?;
        let is_criterion = Column::named(label) == Some(Column::Criteria) && substance(rest) >= 1;
        is_criterion.then(|| Span::new(line.end - rest.len(), line.end).trimmed(self.text))
    }

    /// A separate block with a criterion of the requirement whose id is directly above it.
    fn labelled_criterion(&self, at: usize) -> Option<Piece> {
        let blocks = &self.reading.blocks;
        let block = &blocks[at];
        let is_text = matches!(block.kind, BlockKind::Paragraph | BlockKind::ListItem);
        let words = self.behind_criterion_label(block.text).filter(|_| is_text)?;
        let mut above = blocks[..at].iter().rev().take(MOST_CRITERIA);
        let stated = above.find(|block| self.behind_criterion_label(block.text).is_none())?;
        let has_id = !self.with_ids(stated).is_empty();
        has_id.then(|| self.piece(Label::Criterion, words, block.depth + 1)).flatten()
    }

    /// Returns true below a heading such as "Rejected".
    fn is_rejected(&self, section: usize) -> bool {
        self.headings(section).any(|heading| PutAside::named(heading) == Some(PutAside::Rejected))
    }

    /// The headings above a block, the closest first.
    fn headings(&self, section: usize) -> impl Iterator<Item = &str> {
        let sections = std::iter::successors(Some(section), |section| self.reading.sections[*section].parent);
        sections.filter_map(|section| Some(self.reading.sections[section].heading?.slice(self.text)))
    }

    /// Returns true below a heading of lines whose ids refer to requirements defined elsewhere.
    fn only_mentions(&self, section: usize) -> bool {
        self.headings(section).any(only_mentions)
    }

    /// The statement of a row, followed by the criteria of the same row.
    ///
    /// The statement is the longest cell of the columns with one label, otherwise the longest cell below a label or
    /// next to an id.
    fn row(&self, at: usize, label: Option<Label>) -> Vec<Piece> {
        let block = &self.reading.blocks[at];
        let tags = self.tags_of_row(at);
        if tags.put_aside == Some(PutAside::Rejected) {
            return Vec::new();
        }
        let label = if tags.put_aside.is_some() { Some(Label::OutOfScope) } else { label };
        let defines = label.is_none_or(Label::may_define_ids);
        let story = self.head_of(at).and_then(|head| story_row(self.text, &head.cells, &block.cells));
        let words = |cell: &Span| cell.slice(self.text).trim().trim_matches(['*', '`']);
        let numbered = block.cells.iter().find_map(|cell| by_id(words(cell)).filter(|(_, id)| id == words(cell)));
        let numbered = numbered.filter(|_| defines);
        let roles = block.cell_roles.iter().copied().chain(std::iter::repeat(None));
        let filled = block.cells.iter().copied().zip(roles).filter(|(cell, _)| substance(cell.slice(self.text)) >= 1);
        let cells: Vec<(Span, Option<Label>)> =
            filled.map(|(cell, role)| (cell, role.and_then(Label::of_role))).collect();
        let longest = |wanted: &dyn Fn(Option<Label>) -> bool| {
            let cells = cells.iter().filter(|(_, label)| wanted(*label)).map(|(cell, _)| *cell);
            cells.max_by_key(|cell| substance(cell.slice(self.text)))
        };
        let of_column = |wanted: Label| Some((wanted, longest(&|label| label == Some(wanted))?));
        // Below a heading for qualities, every row states one, regardless of its columns.
        let is_quality = label == Some(Label::Quality);
        let of_quality = || Some((Label::Quality, longest(&|label| !label.is_some_and(Label::is_level))?));
        let first = cells.iter().find_map(|(_, label)| label.filter(|label| *label != Label::User));
        let of_story = story
            .as_ref()
            .filter(|_| defines)
            .map(|story| (numbered.as_ref().map_or(Label::Story, |(label, _)| *label), story.wish));
        let stated = of_story
            .or_else(|| of_column(Label::Rule))
            .or_else(|| of_column(Label::Quality))
            .filter(|_| defines)
            .map(|(label, cell)| (if is_quality { Label::Quality } else { label }, cell))
            .or_else(|| numbered.as_ref().and_then(|(label, _)| Some((*label, longest(&|_| true)?))))
            .or_else(|| of_quality().filter(|_| is_quality))
            .or_else(|| of_column(first?))
            .or_else(|| Some((label?, longest(&|_| true)?)));
        let Some((label, cell)) = stated else { return Vec::new() };
        let label = numbered.as_ref().filter(|_| label == Label::Rule).map_or(label, |(label, _)| *label);
        let id = numbered.map(|(_, id)| id).or_else(|| self.id_in_first_cell(block).filter(|_| label.binds()));
        let label = if tags.put_aside.is_some() { Label::OutOfScope } else { label };
        let Some(piece) = self.piece(label, cell, 0) else { return Vec::new() };
        let piece = match story.filter(|_| matches!(piece.label, Label::Rule | Label::Quality | Label::Story)) {
            Some(story) => Piece {
                words: story.words,
                user: Some(capitalised(&story.user)),
                story_id: self.id_in_first_cell(block),
                ..piece
            },
            None => piece,
        };
        let mut out = vec![Piece { id, tags, ..piece }];
        if label == Label::Story || label.binds() && label != Label::Criterion {
            let is_criterion =
                |own: Option<Label>| own == Some(Label::Criterion) || is_quality && own.is_some_and(Label::is_level);
            let criteria = cells.iter().filter(|(own, label)| *own != cell && is_criterion(*label));
            let parts = criteria.flat_map(|(cell, _)| self.parts_of_cell(*cell));
            out.extend(parts.filter_map(|part| {
                self.piece(Label::Criterion, part, 1).map(|piece| Piece { label: Label::Criterion, ..piece })
            }));
        }
        out
    }

    /// The tags in the cells of a row, by the headers of its table.
    fn tags_of_row(&self, at: usize) -> Tags {
        let Some(head) = self.head_of(at) else { return Tags::default() };
        let words = |cell: &Span| cell.slice(self.text).trim();
        Tags::of_row(head.cells.iter().map(words).zip(self.reading.blocks[at].cells.iter().map(words)))
    }

    /// The header row for a row.
    fn head_of(&self, at: usize) -> Option<&Block> {
        let is_row = |block: &&Block| matches!(block.kind, BlockKind::TableRow { .. });
        let mut rows = self.reading.blocks[..at].iter().rev().take_while(is_row);
        rows.find(|block| block.kind == BlockKind::TableRow { header: true })
    }

    /// The id in the first cell of a row, of any kind: `R1`, `REQ-AUTH-3`.
    fn id_in_first_cell(&self, block: &Block) -> Option<String> {
        let (id, rest) = ids::leading(block.cells.first()?.slice(self.text))?;
        rest.is_empty().then(|| id.to_owned())
    }

    /// The lines of a cell, which are separated by `<br>`.
    fn parts_of_cell(&self, cell: Span) -> Vec<Span> {
        let mut at = cell.start;
        let parts = cell.slice(self.text).split("<br>").map(|part| {
            let span = Span::new(at, at + part.len());
            at = span.end + "<br>".len();
            span
        });
        parts.collect()
    }

    fn piece(&self, label: Label, span: Span, depth: u8) -> Option<Piece> {
        let span = span.trimmed(self.text);
        let quote = span.slice(self.text);
        let words = plain(quote);
        if substance(&words) == 0 {
            return None;
        }
        // A problem may describe an unknown fact; it is an open point only with a mark such as TBD.
        let is_open = match label {
            Label::Problem | Label::User => has_mark(self.text, self.reading, span),
            _ => self.reading.cues_in(span).has(Cue::Open),
        };
        let open = words.ends_with(['?', '？']) || is_open;
        let is_settled = self.reading.cues_in(span).has(Cue::Settled);
        let label = if open && !is_settled { Label::Question } else { label };
        let line = u32::try_from(self.lines.position(self.text, span.start).line).unwrap_or(u32::MAX);
        let place = SourceQuote { source: self.name.to_owned(), line, quote: quote.to_owned() };
        // A tag after the full stop belongs to the words before it: "A clerk mails the list. (rejected)".
        let rest = self.text.get(span.end..).and_then(|rest| rest.lines().next()).unwrap_or_default().trim();
        let is_tag = rest.starts_with(['(', '[', '（', '【']);
        let tags = Tags::of_words(if is_tag { rest } else { quote });
        let label = match tags.put_aside {
            Some(PutAside::Rejected) => return None,
            Some(PutAside::OutOfScope) => Label::OutOfScope,
            None => label,
        };
        Some(Piece { label, words, place, user: None, story_id: None, id: None, depth, tags })
    }
}

/// The label for the letters of an id.
fn by_id(words: &str) -> Option<(Label, String)> {
    let id = item_ids(words, Span::new(0, words.len())).into_iter().next().filter(|id| id.span.start == 0)?;
    let label = match id.prefix.slice(words) {
        "AC" | "TC" => Label::Criterion,
        "NFR" | "QR" | "NF" => Label::Quality,
        "FR" | "REQ" | "BR" | "SR" | "UR" | "PR" | "RQ" | "F" => Label::Rule,
        _ => return None,
    };
    Some((label, id.span.slice(words).to_owned()))
}
