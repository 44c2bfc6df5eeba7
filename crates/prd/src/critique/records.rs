//! Reads the metrics, risks, milestones and qualities of a PRD as records: rows, items, or separate sections.

use super::document::{Document, Entry, Part, Section, Table as Rows, bold_lead, label, padded};
use reqgate_docs::values::cut;
use reqgate_text::words::{Words, prd_sections as sections};

/// An entry of a section.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Record {
    /// The line number, from 1.
    pub line: u32,
    /// The name of the record: its first words.
    pub name: String,
    /// The whole text of the record.
    pub text: String,
    /// The names of its columns or labels, with their values.
    pub fields: Vec<(String, String)>,
    /// The record is a row of a table with a header.
    pub is_row: bool,
}

impl Record {
    /// The text of a row without its name and without other named columns; for other records, the whole text.
    pub(super) fn text_without(&self, names: &[&Words]) -> String {
        let is_other = |name: &str| names.iter().any(|names| names.stand_in(&padded(name)));
        match self.is_row {
            true => {
                let rest = self.fields.iter().skip(1).filter(|(name, _)| !is_other(name));
                rest.map(|(_, cell)| cell.as_str()).collect::<Vec<_>>().join(" | ")
            }
            false => self.text.clone(),
        }
    }
}

/// A group of records.
#[derive(Debug)]
pub(super) struct Table {
    /// The heading above the records.
    pub section: String,
    /// The line of the heading.
    pub line: u32,
    pub records: Vec<Record>,
    /// The column names, the headings above and the paragraphs between: text that applies to all records.
    pub context: Vec<String>,
    /// The column names; empty for lists.
    pub header: Vec<String>,
}

impl Table {
    /// Returns true if a text that applies to all records matches.
    pub(super) fn context_has(&self, fits: &dyn Fn(&str) -> bool) -> bool {
        self.context.iter().any(|words| fits(words))
    }

    /// Returns true if a column has one of these names.
    pub(super) fn has_column(&self, names: &Words) -> bool {
        self.header.iter().any(|name| names.iter().any(|word| name.contains(word)))
    }
}

/// Labels that describe the kind of a record instead of naming it.
const KINDS: [&str; 10] = ["risk", "metric", "kpi", "milestone", "goal", "target", "风险", "指标", "里程碑", "目标"];

/// The layout of the records of a topic.
#[derive(Clone, Copy)]
pub(super) struct Topic {
    /// The headings of sections with such records.
    pub headings: &'static Words,
    /// Words of headings that exclude such records.
    pub not: &'static Words,
    /// Headings of sections that answer a question about all records, and contain no records: "Mitigation" next to the risks.
    pub answers: Option<&'static Words>,
    /// The names of fields that make a section a record.
    pub labels: &'static Words,
    /// Recognises a heading that is the name of a record.
    pub is_name: fn(&str) -> bool,
    /// A section that has only paragraphs is a record.
    pub prose_is_record: bool,
}

#[derive(Debug, PartialEq)]
pub(super) struct Unread {
    /// The heading and line of the section.
    pub section: String,
    pub line: u32,
}

/// The records of a topic, and the sections that were not understood.
#[derive(Debug, Default)]
pub(super) struct TopicRecords {
    pub tables: Vec<Table>,
    pub unread: Vec<Unread>,
}

/// The parts of a section, by their kind.
impl Section {
    /// The tables.
    fn tables(&self) -> impl Iterator<Item = &Rows> {
        self.parts.iter().filter_map(|part| if let Part::Table(table) = part { Some(table) } else { None })
    }

    /// The outermost items of all lists.
    fn items(&self) -> impl Iterator<Item = &Entry> {
        self.parts.iter().filter_map(|part| if let Part::List(items) = part { Some(items) } else { None }).flatten()
    }

    /// The paragraphs.
    fn paragraphs(&self) -> impl Iterator<Item = &Entry> {
        self.parts.iter().filter_map(|part| if let Part::Prose(entry) = part { Some(entry) } else { None })
    }
}

impl Topic {
    /// Returns true for the heading of a section that answers a question about all records.
    fn is_answer(&self, heading: &str) -> bool {
        let names_records = self.headings.stand_in(heading) && !self.not.stand_in(heading);
        self.answers.is_some_and(|answers| answers.stand_in(heading)) && !names_records
    }

    /// Returns true for a section that is one record.
    fn is_record(&self, section: &Section) -> bool {
        let has_labels = section.items().any(|item| is_field(&item.text, self.labels))
            || section.paragraphs().flat_map(|prose| prose.text.lines()).any(|line| is_field(line, self.labels));
        let is_prose = !section.parts.is_empty() && section.paragraphs().count() == section.parts.len();
        has_labels
            || self.prose_is_record && is_prose
            || (self.is_name)(&section.lower) && section.tables().next().is_none()
    }
}

/// Finds the records of a topic in a document.
pub(super) fn of(document: &Document<'_>, topic: Topic) -> TopicRecords {
    let mut found = TopicRecords::default();
    let answers = document.sections.iter().filter(|section| topic.is_answer(&section.lower));
    let answers: Vec<String> = answers.map(|section| section.title.clone()).collect();
    for (at, section) in document.sections.iter().enumerate() {
        let names_it = |at: usize| topic.headings.stand_in(&document.sections[at].lower);
        let is_pure = |at: usize| !topic.not.stand_in(&document.sections[at].lower);
        let is_nested = document.path(at).skip(1).any(|above| names_it(above) && is_pure(above));
        // “Non-functional requirements” and the sections below them are a separate topic.
        let is_handled = document.path(at).skip(usize::from(is_pure(at) && names_it(at))).any(|above| {
            let lower = &document.sections[above].lower;
            sections::OF_THE_PRODUCT.stand_in(lower) && !sections::QUALITY_HEADINGS.stand_in(lower)
        });
        if section.is_title || section.is_aside || !names_it(at) || is_nested || is_handled {
            continue;
        }
        if !is_pure(at) {
            found.unread.push(Unread { section: section.title.clone(), line: section.line });
            continue;
        }
        let before = found.tables.len();
        collect(document, at, topic, &answers, &mut found.tables);
        let has_words = !document.words_of(at)[section.title.len()..].trim().is_empty();
        if found.tables.len() == before && has_words {
            found.unread.push(Unread { section: section.title.clone(), line: section.line });
        }
    }
    found
}

fn collect(document: &Document<'_>, at: usize, topic: Topic, above: &[String], out: &mut Vec<Table>) {
    let section = &document.sections[at];
    if section.is_aside || topic.not.stand_in(&section.lower) || topic.is_answer(&section.lower) {
        return;
    }
    let mut context = above.to_vec();
    context.push(section.title.clone());
    let named = |records: Vec<Record>, header: Vec<String>, context: Vec<String>| Table {
        section: section.title.clone(),
        line: section.line,
        records,
        context,
        header,
    };
    let below: Vec<usize> =
        document.below(at).filter(|below| !topic.is_answer(&document.sections[*below].lower)).collect();
    let is_record = |at: &usize| topic.is_record(&document.sections[*at]);
    let (records, groups): (Vec<usize>, Vec<usize>) = below.into_iter().partition(is_record);
    let tables: Vec<_> = section.tables().filter(|table| !table.rows.is_empty()).collect();
    let lists: Vec<&Entry> = section.items().collect();
    let led: Vec<&Entry> = section.paragraphs().filter(|paragraph| bold_lead(&paragraph.written).is_some()).collect();
    let prose = section.prose();
    if !records.is_empty() {
        let mut context = context.clone();
        context.push(section_words_of_lists(&lists));
        context.push(prose);
        let records = records.iter().map(|at| of_section(document, *at)).collect();
        out.push(named(records, Vec::new(), context));
    } else if !tables.is_empty() {
        // A list next to a table is a remark on it.
        context.push(prose);
        context.push(section_words_of_lists(&lists));
        for table in tables {
            let mut context = context.clone();
            context.extend(table.header.iter().cloned());
            let records = table.rows.iter().filter_map(|row| of_row(row, &table.header)).collect();
            out.push(named(records, table.header.clone(), context));
        }
    } else if !lists.is_empty() {
        context.push(prose);
        let records: Vec<Record> = lists.iter().flat_map(|entry| of_entry(entry, topic.labels)).collect();
        let fields = lists.iter().filter(|entry| is_field(&entry.text, topic.labels)).count();
        // A list of fields describes one item, whose name is elsewhere.
        if fields * 2 < lists.len() {
            out.push(named(records, Vec::new(), context.clone()));
        }
    } else if led.len() >= 2 {
        let records = led.iter().map(|entry| of_item(entry)).collect();
        out.push(named(records, Vec::new(), context.clone()));
    } else {
        context.push(prose);
    }
    for at in groups {
        collect(document, at, topic, &context, out);
    }
}

fn section_words_of_lists(lists: &[&Entry]) -> String {
    lists.iter().map(|entry| entry.whole()).collect::<Vec<_>>().join("\n")
}

/// Returns true for a column name or a label with a word that begins with a word of the list; Chinese words may be anywhere.
pub(super) fn is_called(name: &str, names: &Words) -> bool {
    let name = padded(name);
    names.en.iter().any(|word| name.contains(&format!(" {word}"))) || names.zh.iter().any(|word| name.contains(word))
}

/// Returns true for `Owner: …` with a short label of the list: “负责人：”, but not “查找一份合同的时间：”.
fn is_field(text: &str, labels: &Words) -> bool {
    label(text).is_some_and(|(label, _)| {
        let is_short =
            if label.is_ascii() { label.split_whitespace().count() <= 3 } else { label.chars().count() <= 6 };
        is_short && is_called(label, labels)
    })
}

fn of_row(row: &super::document::Row, header: &[String]) -> Option<Record> {
    let text = row.cells.join(" | ");
    if text.trim_matches([' ', '|']).is_empty() {
        return None;
    }
    let is_id = |cell: &&String| {
        cell.chars().count() <= 6 && !cell.contains(' ') && cell.contains(|c: char| c.is_ascii_digit())
    };
    let name = row.cells.iter().find(|cell| !cell.is_empty() && !is_id(cell)).unwrap_or(&row.cells[0]);
    let cell = |at: usize| row.cells.get(at).cloned().unwrap_or_default();
    let fields = header.iter().enumerate().map(|(at, name)| (name.trim().to_owned(), cell(at))).collect();
    Some(Record { line: row.line, name: short(name), text, fields, is_row: !header.is_empty() })
}

/// The record of an item, or the records nested in it if the item only introduces them.
fn of_entry(entry: &Entry, labels: &Words) -> Vec<Record> {
    let is_lead = entry.text.ends_with([':', '：']) && !entry.below.is_empty();
    if is_lead && !entry.below.iter().any(|entry| is_field(&entry.text, labels)) {
        return entry.below.iter().map(of_item).collect();
    }
    vec![of_item(entry)]
}

fn of_item(entry: &Entry) -> Record {
    let text = entry.whole();
    // “Risk: the vendor is late” is named by the text after the label.
    let is_kind = |label: &str| KINDS.contains(&label.to_lowercase().as_str());
    let behind =
        label(&entry.text).filter(|(label, behind)| is_kind(label) && !behind.is_empty()).map(|(_, behind)| behind);
    let lead = bold_lead(&entry.written);
    let first = entry.text.lines().next().unwrap_or_default();
    let name = behind.or(lead.as_deref()).unwrap_or(first);
    let fields = fields_of(&text, 1);
    Record { line: entry.line, name: short(name), text, fields, is_row: false }
}

fn of_section(document: &Document<'_>, at: usize) -> Record {
    let section = &document.sections[at];
    let text = document.words_of(at);
    let fields = fields_of(&text, 1);
    Record { line: section.line, name: short(&section.title), text, fields, is_row: false }
}

/// The labelled lines after the first ones. If a line ends with a label, its value is on the next line.
fn fields_of(text: &str, skip: usize) -> Vec<(String, String)> {
    let lines: Vec<&str> = text.lines().skip(skip).collect();
    let field = |(at, line): (usize, &&str)| {
        let (name, value) = label(line).filter(|(name, _)| name.split_whitespace().count() <= 4)?;
        let value = if value.is_empty() { lines.get(at + 1).copied().unwrap_or_default() } else { value };
        Some((name.to_lowercase(), value.to_owned()))
    };
    lines.iter().enumerate().filter_map(field).collect()
}

/// The first words, which serve as a name.
pub(super) fn short(words: &str) -> String {
    const LONGEST: usize = 48;
    let line = words.lines().next().unwrap_or_default().trim().trim_end_matches(['.', '。', ':', '：']);
    cut(line, LONGEST)
}
