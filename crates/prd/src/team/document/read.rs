//! Reads a PRD, even if it was written or edited by hand.

use super::faults::{Fault, FaultKind, number_fault, word_fault};
use super::normal;
use super::parts::{
    FunctionalRequirement, Milestone, NonFunctionalRequirement, Risk, SuccessMetric, UserPersona, UserStory,
};
use super::values::{self, Field, Values};
use super::words::{self, HEAD, Kind, Label, Mark, Shape, Sub, indent, labelled};
use super::{FurtherSection, ProductRequirementsDocument};
use crate::RequirementId;
use crate::requirements::{PrioritySpelling, status};
use crate::team::sections::{SectionId, same_words};
use reqgate_base::model::Language;
use reqgate_docs::lines::{self, Line, LineKind, NeverClosed};
use reqgate_text::language::language_of;
use reqgate_text::lexicon::is_cjk;

/// Reads a document without faults.
#[cfg(test)]
pub(crate) fn parse(text: &str) -> Result<ProductRequirementsDocument, Vec<Fault>> {
    let (document, faults) = parse_anyway(text);
    if faults.is_empty() { Ok(document) } else { Err(faults) }
}

/// Reads as much as possible of a document; a value that is wrong is reported and stays a line of the text.
pub fn parse_anyway(text: &str) -> (ProductRequirementsDocument, Vec<Fault>) {
    let (read, never_closed) = lines::lines(text);
    let mut reader = Reader {
        document: ProductRequirementsDocument::new("", Language::En),
        faults: Vec::new(),
        at: At::Head,
        prose: Vec::new(),
        section: None,
        named: Named::default(),
        spelling: None,
        ids: Vec::new(),
    };
    let front = front_matter(&read);
    reader.document.metadata.front_matter =
        read[..front].iter().skip(1).take(front.saturating_sub(2)).map(|line| line.text).collect::<Vec<_>>().join("\n");
    for (line, number) in read.iter().zip(1..).skip(front) {
        let heading = lines::heading(line.text).filter(|_| line.kind == LineKind::Text);
        match heading {
            Some(heading) if reader.heading(heading, number, &read[number as usize..]) => {}
            _ => reader.line(line, number, &read[number as usize..]),
        }
    }
    reader.close();
    reader.faults.extend(never_closed.map(|open| match open {
        NeverClosed::Fence(line) => Fault { line, kind: FaultKind::FenceNeverClosed },
        NeverClosed::Comment(line) => Fault { line, kind: FaultKind::CommentNeverClosed },
    }));
    let Reader { mut document, mut faults, named, spelling, .. } = reader;
    document.metadata.language = named.language(text);
    document.metadata.priorities = spelling.unwrap_or(PrioritySpelling::Moscow);
    faults.sort_by_key(|fault| fault.line);
    (document.normalised(), faults)
}

/// The number of lines of the front matter, including its marks.
fn front_matter(read: &[Line<'_>]) -> usize {
    let is_mark = |line: &Line<'_>| line.text == "---";
    let end = read.first().filter(|line| is_mark(line)).and_then(|_| read.iter().skip(1).position(is_mark));
    end.map_or(0, |end| end + 2)
}

/// Evidence of the language of a document.
#[derive(Debug, Default)]
struct Named {
    title: Option<Language>,
    section: Option<Language>,
}

impl Named {
    fn language(&self, text: &str) -> Language {
        match self.title {
            Some(Language::Zh) => Language::Zh,
            title => self.section.or(title).unwrap_or_else(|| language_of(text)),
        }
    }
}

struct Entry {
    kind: Kind,
    level: u8,
    line: u32,
    name: String,
    title: String,
    fields: Vec<Field>,
    /// The previous line is a field.
    in_field: bool,
}

/// The part of the document that the current line belongs to.
enum At {
    Head,
    Section,
    Sub(Sub),
    Entry(Entry),
    Other(FurtherSection),
}

struct Reader {
    document: ProductRequirementsDocument,
    faults: Vec<Fault>,
    at: At,
    prose: Vec<String>,
    section: Option<SectionId>,
    named: Named,
    spelling: Option<PrioritySpelling>,
    ids: Vec<String>,
}

/// Returns true for a line of prose that would have a special meaning in its place: such a line is written with a
/// backslash before it. A heading is judged at the level at which the program writes it, and by the lines below it.
pub(super) fn is_structure(line: &str, place: Place, below: &[Line<'_>]) -> bool {
    let heading = lines::heading(line);
    let is_mark = |section| {
        heading.is_some_and(|(level, words)| level > 2 && words::mark_above(section, (level, words), below).is_some())
    };
    let is_mark_in_entry = |section| {
        let mark = heading.and_then(|(_, words)| words::mark(section, words));
        mark.is_some_and(|mark| !matches!(mark, Mark::Sub(sub) if sub.may_be_text()))
    };
    let is_above = |most| heading.is_some_and(|(level, _)| level <= most);
    match place {
        Place::Head => is_above(2) || labelled(line, HEAD).is_some(),
        Place::Other => is_above(2),
        Place::Section(section) => is_above(2) || is_mark(section),
        Place::Entry(kind) => {
            is_above(3) || is_mark_in_entry(kind.section()) || labelled(line, kind.labels()).is_some()
        }
    }
}

/// The part of the document that a line of prose belongs to.
#[derive(Debug, Clone, Copy)]
pub(super) enum Place {
    Head,
    Section(SectionId),
    Entry(Kind),
    Other,
}

impl Reader {
    fn place(&self) -> Place {
        match (&self.at, self.section) {
            (At::Head, _) => Place::Head,
            (At::Entry(entry), _) => Place::Entry(entry.kind),
            (At::Section | At::Sub(_), Some(section)) => Place::Section(section),
            _ => Place::Other,
        }
    }

    /// Reads a heading; returns false if it is part of the text.
    fn heading(&mut self, (level, words): (u8, &str), line: u32, below: &[Line<'_>]) -> bool {
        if level <= 2 {
            let is_first = matches!(self.at, At::Head) && self.document.metadata.title.is_empty();
            if level == 1 && is_first && self.named.title.is_none() && SectionId::named(words).is_none() {
                self.title(words);
            } else {
                self.close();
                self.begin_section(words);
            }
            return true;
        }
        let Some(section) = self.section.filter(|_| !matches!(self.at, At::Head | At::Other(_))) else { return false };
        let is_in_entry = matches!(&self.at, At::Entry(entry) if level > entry.level);
        let is_text = |mark: &Mark<'_>| is_in_entry && matches!(mark, Mark::Sub(sub) if sub.may_be_text());
        match words::mark_above(section, (level, words), below).filter(|mark| !is_text(mark)) {
            Some(Mark::Sub(sub)) => {
                self.close();
                self.at = At::Sub(sub);
            }
            Some(Mark::Entry(kind, name, title)) => {
                let (name, title) = (normal::unescaped(name), normal::unescaped(title));
                self.close();
                self.at = At::Entry(Entry { kind, level, line, name, title, fields: Vec::new(), in_field: false });
            }
            None => {
                // It stays a part of the text, so that no words are lost.
                if let Some(id) = words::foreign_id(section, words) {
                    self.fault(line, FaultKind::RequirementId(id.to_owned()));
                }
                let ends = match &self.at {
                    At::Entry(entry) => level <= entry.level,
                    At::Sub(sub) => sub.is_list(),
                    _ => false,
                };
                if ends {
                    self.close();
                }
                return false;
            }
        }
        true
    }

    fn title(&mut self, words: &str) {
        let (prefix, title) = words.split_once([':', '：']).unwrap_or((words, words));
        let known =
            [("PRD", Language::En), ("Product Requirements Document", Language::En), ("产品需求文档", Language::Zh)];
        let known = known.into_iter().find(|(name, _)| same_words(name, prefix));
        self.named.title = known.map(|(_, language)| language);
        let title = match known {
            Some(_) if words.contains([':', '：']) => title.trim(),
            _ => words,
        };
        self.document.metadata.title = normal::unescaped(title);
    }

    fn begin_section(&mut self, words: &str) {
        let sub = Sub::named_as_section(words);
        let section = sub.map(Sub::section).or_else(|| SectionId::named(words));
        if let Some(section) = section {
            self.section = Some(section);
            let language = if words.chars().any(is_cjk) { Language::Zh } else { Language::En };
            self.named.section.get_or_insert(language);
            self.at = sub.map_or(At::Section, At::Sub);
        } else {
            let heading = normal::unescaped(words);
            self.at = At::Other(FurtherSection { after: self.section, heading, text: String::new() });
        }
    }

    fn line(&mut self, line: &Line<'_>, number: u32, below: &[Line<'_>]) {
        let is_text = line.kind == LineKind::Text;
        if is_text && self.value(line.text, number) {
            return;
        }
        let mut text = line.text.to_owned();
        let bare = words::without_backslash(&text);
        if is_text && bare.len() < text.len() && is_structure(&bare, self.place(), below) {
            text.remove(text.len() - text.trim_start().len());
        }
        self.prose.push(text);
    }

    /// Reads a line with a value; returns false if it is part of the text.
    fn value(&mut self, text: &str, number: u32) -> bool {
        let language = self.language();
        match &mut self.at {
            At::Head => labelled(text, HEAD).is_some_and(|(label, value)| self.head(label, value, number)),
            At::Sub(sub) if sub.is_list() => {
                !text.is_empty() && self.document.list_mut(*sub).is_some_and(|items| item(text, items, false))
            }
            At::Entry(entry) => match entry.value(text, number, language) {
                Ok(is_value) => is_value,
                Err(fault) => {
                    self.faults.push(fault);
                    false
                }
            },
            _ => false,
        }
    }

    /// Takes a value of the head; one that cannot be read is reported and stays a line of the text.
    fn head(&mut self, label: Label, value: &str, line: u32) -> bool {
        let language = self.language();
        let metadata = &mut self.document.metadata;
        match label {
            Label::Version => match value.trim_start_matches(['v', 'V']).parse() {
                Ok(version) => metadata.version = Some(version),
                Err(_) => {
                    self.fault(line, number_fault(label, value, language));
                    return false;
                }
            },
            Label::Status => match status(value) {
                Some(status) => metadata.status = Some(status),
                None => {
                    let choices = language.of(
                        "draft, in review, approved, in progress, complete",
                        "草稿、评审中、已批准、进行中、已完成",
                    );
                    self.fault(line, word_fault(label, value, choices.to_owned(), language));
                    return false;
                }
            },
            Label::Author => metadata.author = normal::unescaped(value),
            _ => metadata.updated = normal::unescaped(value),
        }
        true
    }

    /// The language for messages, as far as it is known.
    fn language(&self) -> Language {
        self.named.title.or(self.named.section).unwrap_or(Language::En)
    }

    fn fault(&mut self, line: u32, kind: FaultKind) {
        self.faults.push(Fault { line, kind });
    }

    /// Ends the current piece and adds it to the document.
    fn close(&mut self) {
        let text = normal::prose(&std::mem::take(&mut self.prose).join("\n"));
        let at = std::mem::replace(&mut self.at, At::Section);
        let target = match at {
            At::Head => {
                if !text.is_empty() {
                    let leading = FurtherSection { after: None, heading: String::new(), text };
                    self.document.other_sections.push(leading);
                }
                return;
            }
            At::Other(section) => return self.document.other_sections.push(FurtherSection { text, ..section }),
            At::Entry(entry) => return self.entry(entry, text),
            At::Sub(Sub::Market) => &mut self.document.market_opportunity,
            At::Sub(Sub::Competition) => &mut self.document.competitive_landscape,
            At::Section | At::Sub(_) => {
                if let Some(section) = self.section {
                    self.append(section, &text);
                }
                return;
            }
        };
        append(target, &text);
    }

    fn append(&mut self, section: SectionId, text: &str) {
        append(self.document.text_mut(section), text);
    }

    fn entry(&mut self, entry: Entry, text: String) {
        let language = self.language();
        if entry.kind.has_id() {
            if self.ids.contains(&entry.name) {
                return self.fault(entry.line, FaultKind::DuplicateId(entry.name));
            }
            self.ids.push(entry.name.clone());
        }
        let mut values = Values {
            kind: entry.kind,
            fields: &entry.fields,
            language,
            faults: &mut self.faults,
            spelling: &mut self.spelling,
        };
        let document = &mut self.document;
        let Entry { kind, line, name, title, .. } = entry;
        match kind {
            Kind::Persona => document.target_users.push(values.filled(UserPersona { name, ..UserPersona::default() })),
            Kind::Story => {
                let story = UserStory { id: name, title, story: text.clone(), ..UserStory::default() };
                document.user_stories.push(values.filled(story));
            }
            Kind::Metric => {
                let metric = SuccessMetric { name, description: text.clone(), ..SuccessMetric::default() };
                document.success_metrics.push(values.filled(metric));
            }
            Kind::Risk => {
                let risk = Risk { id: name, description: format!("{title} {text}"), ..Risk::default() };
                document.risks.push(values.filled(risk));
            }
            Kind::Milestone => document.timeline.push(values.filled(Milestone { name, ..Milestone::default() })),
            Kind::Functional | Kind::Quality => match name.parse::<RequirementId>() {
                Ok(id) if id.is_quality() => {
                    let requirement = NonFunctionalRequirement::new(id, title, text.clone());
                    document.non_functional_requirements.push(values.filled(requirement));
                }
                Ok(id) => {
                    let requirement = FunctionalRequirement::new(id, title, text.clone());
                    document.functional_requirements.push(values.filled(requirement));
                }
                Err(_) => self.fault(line, FaultKind::RequirementId(name)),
            },
        }
        // These entries have no text: it stays in the section.
        if matches!(kind, Kind::Persona | Kind::Milestone) {
            self.append(kind.section(), &text);
        }
    }
}

fn append(target: &mut String, text: &str) {
    if !target.is_empty() && !text.is_empty() {
        target.push_str("\n\n");
    }
    target.push_str(text);
}

/// Reads a line of a list: an item, or the continuation of one; returns false for any other line.
fn item(text: &str, items: &mut Vec<String>, only_indented: bool) -> bool {
    if text.trim().is_empty() {
        return true;
    }
    let indented = indent(text) >= 2;
    match lines::bullet(text) {
        Some((_, words)) if indented || !only_indented => items.push(normal::unescaped(words)),
        None if indented && !items.is_empty() => {
            if let Some(last) = items.last_mut() {
                last.push(' ');
                last.push_str(&normal::unescaped(text.trim()));
            }
        }
        _ => return false,
    }
    true
}

impl Entry {
    /// Takes a line of an entry; false if it is part of its text.
    ///
    /// # Errors
    /// Returns the fault of a value that cannot be read.
    fn value(&mut self, text: &str, line: u32, language: Language) -> Result<bool, Fault> {
        if let Some((label, value)) = labelled(text, self.kind.labels()) {
            if let Some(kind) = values::fault_of(self.kind, label, value, language) {
                self.in_field = false;
                return Err(Fault { line, kind });
            }
            let items = if value.is_empty() { Vec::new() } else { vec![normal::unescaped(value)] };
            let is_item = lines::bullet(text).is_some();
            self.fields.push(Field { label, line, items, is_item });
            self.in_field = true;
            return Ok(true);
        }
        if let Some(field) = self.fields.last_mut().filter(|_| self.in_field)
            && item(text, &mut field.items, field.is_item || field.label.shape() == Shape::Line)
        {
            return Ok(true);
        }
        self.in_field = false;
        Ok(false)
    }
}
