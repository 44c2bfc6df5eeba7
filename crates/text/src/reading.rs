//! The reading of one text, which all later stages use.

use std::collections::BTreeSet;

use super::blocks::{self, Block, BlockKind};
use super::cells;
use super::cues::{Cue, CueSet, Vocabulary};
use super::fenced_text::{self, Fences};
use super::form_parts;
use super::genre;
use super::gherkin;
use super::headings::Headings;
use super::html_lists;
use super::language::language_of;
use super::lexicon::{Hit, Lexicon, LexiconError, ListId, TermList};
use super::line_breaks;
use super::placeholders;
use super::quotation_marks::{is_quoted, is_struck_out};
use super::sections::{self, Section};
use super::sentences;
use super::state_names::{is_name, state_names};
use crate::words::scope::LIMITS;
use reqgate_base::model::{Genre, Language, SectionRole, Span};

/// A sentence with its known properties.
#[derive(Debug, Clone, Copy)]
pub struct Sentence {
    /// The place of the sentence.
    pub span: Span,
    /// Index of the block that contains it.
    pub block: usize,
    /// Index of the section that contains it.
    pub section: usize,
    /// The role of its section.
    pub role: SectionRole,
    /// The kind of the sentence.
    pub genre: Genre,
    /// The cues found in it.
    pub cues: CueSet,
    /// Its own language, which may differ from the text's.
    pub language: Language,
    /// Its words are struck out.
    pub struck: bool,
    /// It is an unreplaced instruction of a form.
    pub is_placeholder: bool,
}

impl Sentence {
    /// Returns true for a criterion or a requirement, whose words bind, by its own form or by the heading above it.
    pub fn binds(&self) -> bool {
        matches!(self.genre, Genre::AcceptanceCriterion | Genre::GherkinStep)
            || matches!(
                self.role,
                SectionRole::AcceptanceCriteria | SectionRole::Requirements | SectionRole::NonFunctional
            )
    }
}

/// A text after reading. It holds only spans, so it stays valid when values are masked byte for byte.
#[derive(Debug, Clone)]
pub struct Reading {
    /// The blocks in order.
    pub blocks: Vec<Block>,
    /// The sections; the first is the part before any heading.
    pub sections: Vec<Section>,
    /// The section of each block.
    pub section_of: Vec<usize>,
    /// The sentences of all prose, in order.
    pub sentences: Vec<Sentence>,
    /// Every term of every list, in order.
    pub hits: Vec<Hit>,
    /// The terms of the lists that are not cues, ordered by list and then by place.
    by_list: Vec<Hit>,
    /// The place of the title.
    pub title: Option<Span>,
    /// The main language of the text.
    pub language: Language,
    /// The placeholders of a template that are left in the prose, in order.
    pub placeholders: Vec<Span>,
    /// Several people speak in turns.
    pub is_conversation: bool,
    /// The bytes where a line began before a tracker flattened the text, in order.
    pub lost_breaks: Vec<usize>,
}

/// Reads texts with a fixed vocabulary. It is built once per run.
#[derive(Debug)]
pub struct Reader {
    lexicon: Lexicon,
    headings: Headings,
}

/// The widest title, in columns; a longer first line is prose.
const WIDEST_TITLE: usize = 140;

impl Reader {
    /// Compiles the vocabulary together with further lists; the n-th of them has the id `Reader::list(n)`.
    ///
    /// # Errors
    /// Fails if a list holds an empty term.
    pub fn new<'l>(
        vocabulary: &'l Vocabulary,
        headings: Headings,
        lists: impl IntoIterator<Item = &'l TermList>,
    ) -> Result<Self, LexiconError> {
        let lexicon = Lexicon::new(vocabulary.lists().chain(lists))?;
        Ok(Self { lexicon, headings })
    }

    /// The id of the n-th further list.
    pub fn list(n: usize) -> ListId {
        ListId(u16::try_from(Cue::ALL.len() + n).unwrap_or(u16::MAX))
    }

    /// The headings that identify the roles of sections.
    pub fn headings(&self) -> &Headings {
        &self.headings
    }

    /// Reads a text; `title` is the place of the title according to the source.
    pub fn read(&self, text: &str, title: Option<Span>) -> Reading {
        self.read_with(text, title, Fences::HoldCode)
    }

    /// Reads a document of requirements, in which prose in a fence counts too; `reading` is its reading as any text.
    #[must_use]
    pub fn read_document(&self, text: &str, title: Option<Span>, reading: Reading) -> Reading {
        let is_prose =
            |block: &Block| block.kind == BlockKind::Code && fenced_text::is_prose_throughout(block.text.slice(text));
        if reading.blocks.iter().any(is_prose) { self.read_with(text, title, Fences::MayHoldProse) } else { reading }
    }

    fn read_with(&self, text: &str, title: Option<Span>, fences: Fences) -> Reading {
        let text = html_lists::laid_out(text);
        let restored = line_breaks::restored(&text, &|words| self.names_a_part(words));
        let text = restored.text.as_ref();
        let raw_blocks = blocks::blocks(&restored, fences, &|name| self.is_label(name));
        let placeholders = placeholders::placeholders(text, &raw_blocks);
        let (mut blocks, sections, mut section_of) = sections::sections(text, raw_blocks, &self.headings);
        while self.ends_empty(text, &blocks) {
            blocks.pop();
            section_of.pop();
        }
        // Words in code do not count; half of a bug report may be a log.
        let code = blocks.iter().filter(|block| block.is_code()).map(|block| block.span);
        let hits = self.lexicon.hits_outside(text, code);
        let mut by_list: Vec<Hit> = hits.iter().filter(|hit| hit.list >= Self::list(0)).copied().collect();
        // The sort is stable, so the hits of a list keep their order.
        by_list.sort_by_key(|hit| hit.list);
        let is_conversation = blocks.iter().filter(|b| b.kind == BlockKind::Turn).count() >= 3;
        let mut reading = Reading {
            blocks,
            sections,
            section_of,
            sentences: Vec::new(),
            hits,
            by_list,
            title: None,
            language: language_of(text),
            placeholders,
            is_conversation,
            lost_breaks: restored.feeds,
        };
        reading.title = self.title(text, &reading, title).filter(|title| !title.trimmed(text).is_empty());
        reading.sentences = sentences_of(text, &reading);
        reading
    }

    /// Returns true if a text ends with the heading of an optional part and no text below it, such as "Notes" without notes.
    fn ends_empty(&self, text: &str, blocks: &[Block]) -> bool {
        let Some((last, above)) = blocks.split_last() else { return false };
        matches!(last.kind, BlockKind::Heading(1..=6))
            && above.iter().any(|block| block.is_prose() || block.is_code())
            && self.headings.exact_role_of(last.text.slice(text)).is_some_and(is_optional)
    }

    /// Returns true for a label of tickets that is neither a name nor the role of a person ("用户", "QA").
    fn is_label(&self, name: &str) -> bool {
        self.headings.exact_role_of(name).is_some_and(|role| role != SectionRole::Audience)
    }

    /// Returns true for the heading of a part that forms ask for; such a label may be in the middle of a line.
    fn names_a_part(&self, words: &str) -> bool {
        matches!(
            self.headings.exact_role_of(words),
            Some(
                SectionRole::Expected
                    | SectionRole::Actual
                    | SectionRole::Steps
                    | SectionRole::Environment
                    | SectionRole::AcceptanceCriteria
                    | SectionRole::OutOfScope
            )
        )
    }

    fn title(&self, text: &str, reading: &Reading, stated: Option<Span>) -> Option<Span> {
        if let Some(stated) = stated.map(|span| span.trimmed(text)).filter(|span| !span.is_empty()) {
            return Some(stated);
        }
        let labelled = reading.blocks.iter().zip(&reading.section_of).find(|(block, section)| {
            reading.sections[**section].role == SectionRole::Title && !matches!(block.kind, BlockKind::Heading(_))
        });
        if let Some((block, section)) = labelled
            && reading.sections[*section].heading.is_some()
        {
            return Some(first_line(text, block.text));
        }
        let first = reading.blocks.iter().find(|block| {
            !matches!(block.kind, BlockKind::FrontMatter | BlockKind::HtmlComment | BlockKind::MailHeader)
                && !super::footers::is_footer(block.text.slice(text))
                // The title of a panel names the kind of text in it.
                && !block.span.slice(text).starts_with("{panel")
                // A heading mark without words is not a title.
                && !block.text.trimmed(text).is_empty()
        })?;
        match first.kind {
            BlockKind::Heading(level) => {
                let role = self.headings.exact_role_of(first.text.slice(text));
                let role = role.filter(|role| *role != SectionRole::Title);
                // "# Roles" may name the matter if it is above all other headings; "# Why" never does.
                let is_above_all = |role| {
                    let headings = || reading.blocks.iter().filter(|block| matches!(block.kind, BlockKind::Heading(_)));
                    level == 1
                        && !matches!(role, SectionRole::Rationale | SectionRole::Demand)
                        && headings().filter(|block| block.kind == BlockKind::Heading(1)).count() == 1
                        && headings().count() > 1
                };
                role.is_none_or(is_above_all).then_some(first.text)
            }
            BlockKind::Paragraph | BlockKind::ListItem => {
                let line = first_line(text, first.span);
                let fits = super::display_width(line.slice(text)) <= WIDEST_TITLE;
                let words = line.slice(text);
                let sentence = words.ends_with(['.', '。']) || (words.contains("。") && !words.ends_with('】'));
                (fits && !sentence).then_some(line)
            }
            _ => None,
        }
    }
}

impl Reading {
    /// Treats every sentence as one of a genre; for examples and for texts whose genre is known.
    ///
    /// A shall statement is then read as one of the requirements of a document.
    pub fn read_as(&mut self, genre: Genre) {
        for sentence in &mut self.sentences {
            sentence.genre = genre;
            if genre == Genre::ShallStatement && sentence.role == SectionRole::Body {
                sentence.role = SectionRole::Requirements;
            }
        }
    }

    /// The place that names the subject of the text: its title, or its first sentence if it has none.
    pub fn subject(&self) -> Option<Span> {
        let first = || self.sentences.iter().find(|sentence| sentence.genre != Genre::Heading);
        self.title.or_else(|| first().map(|sentence| sentence.span))
    }

    /// The words of the cues and lists inside a span.
    pub fn hits_in(&self, span: Span) -> &[Hit] {
        let from = self.hits.partition_point(|hit| hit.span.start < span.start);
        let to = self.hits.partition_point(|hit| hit.span.start < span.end);
        &self.hits[from..to.max(from)]
    }

    /// The terms of one of the further lists, in order.
    pub fn hits_of(&self, list: ListId) -> &[Hit] {
        let from = self.by_list.partition_point(|hit| hit.list < list);
        let to = from + self.by_list[from..].iter().take_while(|hit| hit.list == list).count();
        &self.by_list[from..to]
    }

    /// The cues inside a span.
    pub fn cues_in(&self, span: Span) -> CueSet {
        let mut cues = CueSet::default();
        for hit in self.hits_in(span).iter().filter(|hit| hit.span.end <= span.end) {
            if let Some(cue) = Cue::ALL.get(usize::from(hit.list.0)) {
                cues.insert(*cue);
            }
        }
        cues
    }

    /// The placeholders that begin inside a span.
    pub fn placeholders_in(&self, span: Span) -> &[Span] {
        let from = self.placeholders.partition_point(|left| left.start < span.start);
        let to = self.placeholders.partition_point(|left| left.start < span.end);
        &self.placeholders[from..to.max(from)]
    }

    /// Returns true if the words of a cue in a sentence are all in quotation marks or code spans.
    fn is_literal(&self, text: &str, span: Span, cue: Cue, names: &BTreeSet<String>) -> bool {
        let is_named =
            |word| is_quoted(text, span, word) || is_struck_out(text, span, word) || is_name(names, text, word);
        self.cues_of(span, cue).take(MOST_LITERALS).all(is_named)
    }

    /// The places of a cue inside a span, in order.
    pub fn cues_of(&self, span: Span, cue: Cue) -> impl Iterator<Item = Span> {
        self.hits_in(span).iter().filter(move |hit| usize::from(hit.list.0) == cue as usize).map(|hit| hit.span)
    }

    /// The first place of a cue inside a span.
    pub fn find_cue(&self, span: Span, cue: Cue) -> Option<Span> {
        self.cues_of(span, cue).next()
    }

    /// The number of terms of a cue inside a span.
    pub fn count_cue(&self, span: Span, cue: Cue) -> usize {
        self.cues_of(span, cue).count()
    }

    /// The spans of fenced code and pasted logs.
    pub fn code(&self) -> Vec<Span> {
        self.blocks.iter().filter(|block| block.is_code()).map(|block| block.span).collect()
    }

    /// The number of line breaks between two bytes, including those that a tracker lost.
    pub(crate) fn breaks_between(&self, text: &str, from: usize, to: usize) -> usize {
        let span = Span::new(from.min(to), to);
        let lost = self.lost_breaks.partition_point(|at| *at < span.end);
        let written = span.slice(text).bytes().filter(|byte| *byte == b'\n').count();
        written + lost - self.lost_breaks.partition_point(|at| *at < span.start).min(lost)
    }

    /// The sentences with a role.
    pub fn in_role(&self, role: SectionRole) -> impl Iterator<Item = &Sentence> {
        self.sentences.iter().filter(move |sentence| sentence.role == role && sentence.genre != Genre::Heading)
    }

    /// Returns true if a heading or label of this role exists, filled or not.
    pub fn has_section(&self, role: SectionRole) -> bool {
        self.sections.iter().any(|section| section.role == role && section.heading.is_some())
    }

    /// The sentence that holds a byte.
    pub fn sentence_at(&self, offset: usize) -> Option<&Sentence> {
        let index = self.sentences.partition_point(|sentence| sentence.span.start <= offset).checked_sub(1)?;
        self.sentences.get(index).filter(|sentence| offset < sentence.span.end)
    }

    /// The first sentence of a span that omits no word of its sentences: a whole sentence, heading or list item, or
    /// several sentences of one paragraph. `None` for a piece of a sentence.
    pub fn whole(&self, text: &str, span: Span) -> Option<&Sentence> {
        let first = self.sentence_at(span.start)?;
        let last = self.sentence_at(span.end.checked_sub(1)?).filter(|last| last.block == first.block)?;
        let says_nothing = |from: usize, to: usize| {
            let words = text.get(from..to).unwrap_or_default();
            !words.chars().any(char::is_alphanumeric)
        };
        (says_nothing(first.span.start, span.start) && says_nothing(span.end, last.span.end)).then_some(first)
    }
}

/// The most words of a cue in one sentence that are checked.
const MOST_LITERALS: usize = 20;

/// Parts that a ticket may have and does not need.
fn is_optional(role: SectionRole) -> bool {
    use SectionRole::{Alternatives, Evidence, Metadata, Notes, Resources, Timeline};
    matches!(role, Alternatives | Evidence | Metadata | Notes | Resources | Timeline)
}

fn first_line(text: &str, span: Span) -> Span {
    let line = span.slice(text).lines().next().unwrap_or("");
    Span::new(span.start, span.start + line.len()).trimmed(text)
}

fn sentences_of(text: &str, reading: &Reading) -> Vec<Sentence> {
    let mut out = Vec::new();
    let scenarios = scenario_sections(text, reading);
    let states = state_names(text, reading.cues_of(Span::new(0, text.len()), Cue::Open));
    for (index, block) in reading.blocks.iter().enumerate() {
        let section = reading.section_of[index];
        let role = reading.sections[section].role;
        if !block.is_prose() || matches!(block.kind, BlockKind::TableRow { header: true }) {
            continue;
        }
        // The text that a form inserts for an empty answer is not a sentence.
        let answers = reading.sections[section].heading.is_some() && !matches!(block.kind, BlockKind::Heading(_));
        if answers && form_parts::says_nothing(block.text.slice(text)) {
            continue;
        }
        let gherkin = match block.kind {
            BlockKind::Paragraph => gherkin::is_gherkin(block.text.slice(text)),
            // The steps of one scenario may be items of one list.
            BlockKind::ListItem => scenarios[section],
            _ => false,
        };
        let spans = match block.kind {
            BlockKind::Heading(_) => vec![(block.text, role)],
            BlockKind::TableRow { .. } => cells::stretches(text, block, role),
            _ => sentences::sentences(text, block.text).into_iter().map(|span| (span, role)).collect(),
        };
        let pieces =
            spans.into_iter().flat_map(|(span, role)| sentences::bounded(text, span).map(move |piece| (piece, role)));
        for (span, role) in pieces {
            let words = span.slice(text);
            let may_limit = matches!(block.kind, BlockKind::Paragraph | BlockKind::ListItem);
            let role = if may_limit && limits_scope(words) { SectionRole::OutOfScope } else { role };
            let mut cues = reading.cues_in(span);
            // Literal words of a program are not open points.
            if cues.has(Cue::Open) && reading.is_literal(text, span, Cue::Open, &states) {
                cues.remove(Cue::Open);
            }
            let left = reading.placeholders_in(span).iter().map(|left| left.len()).sum::<usize>();
            if left > 0 {
                cues.insert(Cue::Placeholder);
            }
            let is_title = reading.title.is_some_and(|title| title.overlaps(span) && span.len() <= title.len() + 12);
            let ctx = genre::Context { words, block, role, cues, gherkin };
            let genre = if is_title { Genre::Title } else { genre::genre(ctx) };
            let struck = is_struck(words);
            let is_placeholder = cues.has(Cue::Placeholder) && is_placeholder(reading, span)
                || left * 5 >= span.len() * 2
                || form_parts::is_shouted_instruction(words);
            out.push(Sentence {
                span,
                block: index,
                section,
                role,
                genre,
                cues,
                language: language_of(words),
                struck,
                is_placeholder,
            });
        }
    }
    out
}

/// Recognises a statement that puts a topic out of scope; a question leaves it open.
fn limits_scope(words: &str) -> bool {
    let may_hold = words.contains("scope") || words.contains("part of") || words.contains('本');
    may_hold && !words.ends_with(['?', '？']) && LIMITS.stand_in(&words.to_lowercase())
}

/// For each section, whether its list items together are a scenario. This takes one pass over the blocks.
fn scenario_sections(text: &str, reading: &Reading) -> Vec<bool> {
    let mut trigger = vec![false; reading.sections.len()];
    let mut outcome = vec![false; reading.sections.len()];
    for (block, section) in reading.blocks.iter().zip(&reading.section_of) {
        if block.kind == BlockKind::ListItem {
            let (has_trigger, has_outcome) = gherkin::gherkin_parts(block.text.slice(text), trigger[*section]);
            trigger[*section] |= has_trigger;
            outcome[*section] |= has_outcome;
        }
    }
    outcome
}

/// Returns true if the words of a form open the sentence or make up a large part of it.
fn is_placeholder(reading: &Reading, span: Span) -> bool {
    let Some(hit) = reading.find_cue(span, Cue::Placeholder) else { return false };
    hit.start <= span.start + 12 || hit.len() * 5 >= span.len() * 2
}

/// Returns true for `~~gone~~` and Jira's `-gone-` around most of the words.
fn is_struck(words: &str) -> bool {
    let words = words.trim();
    let inner = |mark: &str| {
        let start = words.find(mark)? + mark.len();
        let end = words[start..].rfind(mark)?;
        Some(end)
    };
    let enough = |length: usize| length * 10 >= words.len() * 5;
    words.contains("~~") && inner("~~").is_some_and(enough)
        || words.starts_with('-')
            && words.len() > 12
            && !words.starts_with("--")
            && !words.starts_with("- ")
            && inner("-").is_some_and(|n| enough(n) && words.contains(".-"))
}
