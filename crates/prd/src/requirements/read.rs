//! Reads a requirements document: finds its sections, requirements, reviews, and unknown lines.

use reqgate_docs::unescaped;
use std::collections::BTreeSet;
use std::ops::Range;

use super::block::{self, Part, PartKind};
use super::labels;
use super::tags::Tags;
use super::words::{self, Label, PutAside, Section, Spelling};
use super::{Fault, FaultKind, ReviewedRequirement, ids, values};
use crate::{DocumentStatus, FeatureId, QuestionId, Requirement, RequirementId, ReviewRecord};
use reqgate_base::model::Language;
use reqgate_docs::lines::{self, Line, LineKind, NeverClosed};
use reqgate_docs::values::{items, names, on_one_line};
use reqgate_text::item_ids;
use reqgate_text::words::requirement_ids::ASKING_HEADINGS;

/// A document as it was read, with the positions that an edit needs.
#[derive(Debug, Clone)]
pub(super) struct Outline {
    pub feature: Option<FeatureId>,
    pub title: String,
    pub status: DocumentStatus,
    pub language: Language,
    pub entries: Vec<Entry>,
    pub sections: Vec<SectionSpan>,
    pub history: Vec<ReviewRecord>,
    /// The spelling of the first priority, which is used for new ones.
    pub spelling: Spelling,
    /// The lines of the title, the feature and the status.
    pub title_line: Option<Range<usize>>,
    pub feature_line: Option<Range<usize>>,
    pub status_line: Option<Range<usize>>,
    pub faults: Vec<Fault>,
}

/// A requirement with its position.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub value: ReviewedRequirement,
    /// The aliases in the text, except a foreign id.
    pub written_aliases: Vec<String>,
    pub section: Option<Section>,
    pub level: u8,
    pub span: Range<usize>,
    pub parts: Vec<Part>,
    pub spelling: Option<Spelling>,
    /// The entry has a native id and is a block with a heading.
    pub is_ours: bool,
    /// The entry is an item of a list, without a heading.
    pub is_bullet: bool,
}

/// The section of a decision, without the line of its heading.
#[derive(Debug, Clone)]
pub(super) struct SectionSpan {
    pub section: Section,
    pub level: u8,
    pub start: usize,
    pub end: usize,
}

/// A heading or bullet that begins a requirement, or a heading that ends one.
struct Begin {
    line: usize,
    level: u8,
    id: String,
    title: String,
    section: Option<Section>,
    is_bullet: bool,
    end: usize,
}

/// Reads a text; faults are reported, and the faulty values are left out.
pub(super) fn outline(text: &str) -> Outline {
    let (lines, never_closed) = lines::lines(text);
    let mut reader = Reader {
        lines: &lines,
        text,
        out: empty(text),
        section: None,
        section_level: 0,
        mentions: None,
        begins: Vec::new(),
    };
    if let Some(open) = never_closed {
        reader.out.faults.push(match open {
            NeverClosed::Fence(line) => Fault { line, kind: FaultKind::FenceNeverClosed },
            NeverClosed::Comment(line) => Fault { line, kind: FaultKind::CommentNeverClosed },
        });
    }
    reader.walk();
    let begins = std::mem::take(&mut reader.begins);
    let mut taken = ids::named_in(text);
    for begin in begins {
        reader.entry(begin, &mut taken);
    }
    let spelling = reader.out.entries.iter().find_map(|entry| entry.spelling);
    reader.out.spelling = spelling.unwrap_or_default();
    reader.out.faults.sort_by_key(|fault| fault.line);
    reader.out
}

fn empty(text: &str) -> Outline {
    Outline {
        feature: None,
        title: String::new(),
        status: DocumentStatus::Draft,
        language: reqgate_text::language::language_of(text),
        entries: Vec::new(),
        sections: Vec::new(),
        history: Vec::new(),
        spelling: Spelling::default(),
        title_line: None,
        feature_line: None,
        status_line: None,
        faults: Vec::new(),
    }
}

struct Reader<'t> {
    lines: &'t [Line<'t>],
    text: &'t str,
    out: Outline,
    section: Option<Section>,
    section_level: u8,
    /// The level of a heading of lines whose ids refer to requirements defined elsewhere.
    mentions: Option<u8>,
    begins: Vec<Begin>,
}

impl<'t> Reader<'t> {
    fn walk(&mut self) {
        let mut index = 0;
        while index < self.lines.len() {
            let line = self.lines[index];
            if line.kind == LineKind::Text {
                if let Some((level, words)) = lines::heading(line.text) {
                    self.heading(index, level, words);
                } else {
                    self.line(index, line.text);
                }
            }
            index += 1;
        }
        self.close_entry(self.lines.len());
        self.close_section(self.text.len(), 0);
    }

    fn heading(&mut self, index: usize, level: u8, words: &'t str) {
        self.mentions = self.mentions.filter(|above| level > *above);
        if self.mentions.is_some() {
            return;
        }
        let id = ids::leading(words).filter(|(id, _)| self.section.is_some() || ids::is_of_a_requirement(id));
        if let Some((id, title)) = id.filter(|_| self.section != Some(Section::History)) {
            return self.begin(index, level, id.to_owned(), title, false);
        }
        let line = self.lines[index];
        if level == 1 && self.out.title_line.is_none() && Section::named(words).is_none_or(|_| is_title(words)) {
            self.out.title_line = Some(line.start..line.end);
            self.title(words);
            return self.close_entry(index);
        }
        if let Some(section) = Section::named(words).filter(|_| !self.is_inside(level)) {
            self.close_entry(index);
            self.close_section(line.start, level);
            self.section = Some(section);
            self.section_level = level;
            self.out.sections.push(SectionSpan { section, level, start: line.end, end: self.text.len() });
            return;
        }
        if self.section == Some(Section::History) && level > self.section_level {
            return self.review(index, words);
        }
        if level <= self.section_level {
            self.close_entry(index);
            self.close_section(line.start, level);
            self.mentions = only_mentions(words).then_some(level);
            return;
        }
        if self.is_inside(level) {
            return;
        }
        if only_mentions(words) {
            self.mentions = Some(level);
            return self.close_entry(index);
        }
        // A person wrote a requirement without an id.
        if self.section.is_some() && self.has_fields(index, level) {
            return self.begin(index, level, String::new(), words, false);
        }
        self.close_entry(index);
    }

    /// Returns true for a heading that is part of the current requirement.
    fn is_inside(&self, level: u8) -> bool {
        self.begins.last().is_some_and(|begin| begin.end == usize::MAX && !begin.is_bullet && level > begin.level)
    }

    fn has_fields(&self, index: usize, level: u8) -> bool {
        let below = self.lines[index + 1..].iter().take_while(|line| {
            line.kind != LineKind::Text || lines::heading(line.text).is_none_or(|(other, _)| other > level)
        });
        below.take(60).any(|line| {
            let label = labels::labelled(line.text).map(|(label, _)| label);
            line.kind == LineKind::Text
                && matches!(label, Some(Label::Priority | Label::Criteria | Label::Category | Label::Description))
        })
    }

    fn line(&mut self, index: usize, words: &'t str) {
        let is_open = self.begins.last().is_some_and(|begin| begin.end == usize::MAX && !begin.is_bullet);
        if !is_open && self.section != Some(Section::History) && self.mentions.is_none() {
            self.bullet(index, words);
        }
        if self.section.is_some() || !self.begins.is_empty() {
            return;
        }
        let line = self.lines[index];
        let number = number(index);
        match labels::labelled(words) {
            Some((Label::Feature, value)) if self.out.feature_line.is_none() => match value.trim_matches('`').parse() {
                Ok(feature) => {
                    self.out.feature = Some(feature);
                    self.out.feature_line = Some(line.start..line.end);
                }
                Err(error) => self.out.faults.push(Fault { line: number, kind: FaultKind::Feature(error) }),
            },
            Some((Label::Status, value)) if self.out.status_line.is_none() => {
                self.out.status_line = Some(line.start..line.end);
                match words::status(value) {
                    Some(status) => self.out.status = status,
                    None => {
                        self.out.faults.push(Fault { line: number, kind: FaultKind::Status(value.to_owned()) });
                    }
                }
            }
            _ => {}
        }
    }

    /// Reads `- FR-001: The product shall …`, without a separate heading; the bullet is optional.
    fn bullet(&mut self, index: usize, words: &'t str) {
        let Some((indent, item)) = lines::bullet(words).or_else(|| plain_line(words).map(|words| (0, words))) else {
            return;
        };
        let in_bullet = self.begins.last().is_some_and(|begin| begin.end == usize::MAX && begin.is_bullet);
        if in_bullet && indent > usize::from(self.begins.last().map_or(0, |begin| begin.level)) {
            return;
        }
        let Some((id, title)) = ids::leading(item).filter(|(_, title)| !title.is_empty()) else {
            return self.close_entry(index);
        };
        let says_it = item.trim_start_matches(['*', '_', '`', '[']).get(id.len()..).is_some_and(|rest| {
            rest.starts_with([':', '：', '*', '_', '`', ']', '.', '|'])
                || rest.starts_with([' ', '\t']) && self.section.is_some()
        });
        let known = self.begins.iter().any(|begin| begin.id == id);
        if says_it && (self.section.is_some() || ids::is_of_a_requirement(id) && !known) {
            let indent = u8::try_from(indent).unwrap_or(u8::MAX);
            self.begin(index, indent, id.to_owned(), title, true);
        }
    }

    fn begin(&mut self, line: usize, level: u8, id: String, title: &str, is_bullet: bool) {
        self.close_entry(line);
        let title = unescaped(title);
        self.begins.push(Begin { line, level, id, title, section: self.section, is_bullet, end: usize::MAX });
    }

    fn close_entry(&mut self, line: usize) {
        if let Some(open) = self.begins.last_mut().filter(|begin| begin.end == usize::MAX) {
            open.end = line;
        }
    }

    fn close_section(&mut self, at: usize, level: u8) {
        if self.section.is_some()
            && let Some(last) = self.out.sections.last_mut()
        {
            last.end = at;
        }
        self.section = None;
        self.section_level = level;
    }

    fn title(&mut self, words: &str) {
        let (title, language) = match words.split_once([':', '：']) {
            Some((kind, title)) if kind.trim().eq_ignore_ascii_case("requirements") => (title, Some(Language::En)),
            Some((kind, title)) if kind.trim() == "需求" => (title, Some(Language::Zh)),
            _ if words.eq_ignore_ascii_case("requirements") || words == "需求" => ("", None),
            _ => (words, None),
        };
        self.out.title = unescaped(title.trim());
        self.out.language = language.unwrap_or(self.out.language);
    }

    fn review(&mut self, index: usize, words: &str) {
        let (timestamp, actor) = words.split_once([',', '，']).unwrap_or((words, ""));
        let is_day = timestamp.len() >= 10
            && timestamp.bytes().take(10).enumerate().all(|(at, byte)| match at {
                4 | 7 => byte == b'-',
                _ => byte.is_ascii_digit(),
            });
        if !is_day {
            return;
        }
        let mut record = ReviewRecord {
            timestamp: timestamp.trim().to_owned(),
            actor: unescaped(actor.trim()),
            summary: String::new(),
            approved_ids: Vec::new(),
            rejected_ids: Vec::new(),
            modified_ids: Vec::new(),
        };
        for line in &self.lines[index + 1..] {
            if line.kind != LineKind::Text {
                continue;
            }
            if lines::heading(line.text).is_some() {
                break;
            }
            let list = match labels::labelled(line.text) {
                Some((Label::Approved, value)) => Some((&mut record.approved_ids, value)),
                Some((Label::Rejected, value)) => Some((&mut record.rejected_ids, value)),
                Some((Label::Modified, value)) => Some((&mut record.modified_ids, value)),
                _ => None,
            };
            match list {
                Some((list, value)) => list.extend(names(value).iter().filter_map(|id| id.parse().ok())),
                None if record.summary.is_empty() => record.summary = labels::unescaped(line.text.trim()),
                None => {}
            }
        }
        self.out.history.push(record);
    }

    fn entry(&mut self, begin: Begin, taken: &mut BTreeSet<RequirementId>) {
        let native = ids::native(&begin.id);
        let id = match &native {
            Some(id) => id.clone(),
            None => ids::mapped(&begin.id, taken),
        };
        let number = number(begin.line);
        let is_known = self.out.entries.iter().any(|entry| entry.value.requirement.id == id);
        if is_known {
            self.out.faults.push(Fault { line: number, kind: FaultKind::DuplicateId(id) });
            return;
        }
        let lines = &self.lines[begin.line..begin.end.min(self.lines.len())];
        let parts = block::parts(lines, number, &begin.title);
        let Some((first, last)) = lines.first().zip(lines.last()) else { return };
        let mut read = self.value(&parts, id, &begin);
        let written_aliases = read.requirement.aliases.clone();
        if native.is_none() && !begin.id.is_empty() && !written_aliases.contains(&begin.id) {
            read.requirement.aliases.insert(0, begin.id.clone());
        }
        let spelling = parts.iter().find_map(|part| match part.kind {
            PartKind::Field(Label::Priority) => words::priority(&part.value).map(|(_, spelling)| spelling),
            _ => None,
        });
        self.out.entries.push(Entry {
            value: read,
            written_aliases,
            section: begin.section,
            level: begin.level,
            span: first.start..last.end,
            parts,
            spelling,
            is_ours: native.is_some() && !begin.is_bullet,
            is_bullet: begin.is_bullet,
        });
    }

    fn value(&mut self, parts: &[Part], id: RequirementId, begin: &Begin) -> ReviewedRequirement {
        let field = |label| parts.iter().find(|part| part.kind == PartKind::Field(label));
        let words = |label| field(label).map(|part| part.value.clone()).unwrap_or_default();
        let list = |label| {
            let own = parts
                .iter()
                .filter(|part| matches!(part.kind, PartKind::Item(l) | PartKind::ListLabel(l) if l == label));
            items(own.map(|part| &part.value))
        };
        let descriptions = parts.iter().filter(|part| part.kind == PartKind::Description);
        let descriptions: Vec<String> = descriptions.map(|part| values::many_lines(&part.value)).collect();
        let mut description =
            descriptions.iter().filter(|part| !part.is_empty()).cloned().collect::<Vec<_>>().join("\n\n");
        let mut title = on_one_line(&begin.title);
        let mut criteria = list(Label::Criteria);
        if begin.is_bullet {
            // A requirement on one line: its text is the description, and indented lines are criteria.
            let nested =
                description.lines().filter_map(lines::bullet).map(|(_, words)| words.to_owned()).collect::<Vec<_>>();
            let more = description
                .lines()
                .filter(|line| lines::bullet(line).is_none())
                .map(str::trim)
                .collect::<Vec<_>>()
                .join(" ");
            criteria.extend(items(&nested));
            description = on_one_line(&format!("{title} {more}"));
            title = short(&title);
        }
        let priority = field(Label::Priority).and_then(|part| {
            let read = words::priority(&part.value);
            if read.is_none() {
                self.out.faults.push(Fault { line: part.line, kind: FaultKind::Priority(part.value.clone()) });
            }
            read.map(|(priority, _)| priority)
        });
        let tags = Tags::of_words(&begin.title);
        let why = begin.section.and_then(Section::why);
        let requirement = Requirement {
            id,
            title,
            description,
            priority: priority.unwrap_or(tags.priority),
            category: on_one_line(&words(Label::Category)),
            acceptance_criteria: criteria,
            sources: list(Label::Sources).iter().map(|words| values::source(words)).collect(),
            aliases: names(&words(Label::Aliases)),
            user_stories: names(&words(Label::Stories)),
            waits_for: QuestionId::all_in(&words(Label::WaitsFor)),
        };
        // A section takes precedence over a tag: a requirement may have been approved later.
        let section = begin.section.or(tags.put_aside.map(PutAside::section)).unwrap_or(Section::Pending);
        let decided = section.decided(why.map(words).unwrap_or_default());
        ReviewedRequirement { requirement, decided }
    }
}

/// The text of `FR-001: The product shall …`, without a bullet: a line that begins with the id of a requirement and a colon.
fn plain_line(words: &str) -> Option<&str> {
    let (id, title) = ids::leading(words)?;
    let rest = words.trim_start_matches(['*', '_', '`', '[']).get(id.len()..)?;
    let is_stated = rest.trim_start_matches(['*', '_', '`', ']']).starts_with([':', '：']);
    (is_stated && !title.is_empty() && ids::is_of_a_requirement(id)).then_some(words)
}

/// The first clause of a requirement on one line.
fn short(words: &str) -> String {
    let end = words.find([':', '：', '.', '。', ';', '；', ',', '，']).filter(|end| *end > 0);
    words[..end.unwrap_or(words.len())].trim_matches(['*', '_', ' ']).to_owned()
}

/// Returns true for a heading of lines whose ids refer to requirements defined elsewhere.
fn only_mentions(heading: &str) -> bool {
    item_ids::only_mentions(heading) || ASKING_HEADINGS.stand_in(&heading.to_lowercase())
}

/// Returns true for "Requirements: Approved", a title; "Approved requirements" is a section.
fn is_title(words: &str) -> bool {
    words.contains([':', '：'])
}

fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX).saturating_add(1)
}
