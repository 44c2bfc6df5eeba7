//! Writes requirements into a document: new blocks, and blocks in which only some values changed.

use super::ReviewedRequirement;
use super::block::{Part, PartKind};
use super::labels;
use super::read::Entry;
use super::values;
use super::words::{self, Label, Section, Spelling};
use crate::{Decided, RequirementId, RequirementPriority, ReviewRecord};
use reqgate_base::model::Language;
use reqgate_docs::escaped;
use reqgate_docs::lines;
use reqgate_docs::write::heading as marked;

/// The language and the spelling of a document.
#[derive(Debug, Clone, Copy)]
pub(super) struct Style {
    pub language: Language,
    pub spelling: Spelling,
}

/// A piece of a block that is being built.
struct Piece {
    kind: PartKind,
    text: String,
}

impl Piece {
    fn is_written(&self) -> bool {
        !matches!(self.kind, PartKind::Blank | PartKind::Other)
    }
}

/// The fields, in the order in which they are written.
const FIELDS: [Label; 7] =
    [Label::Priority, Label::Category, Label::Aliases, Label::Stories, Label::WaitsFor, Label::Notes, Label::Reason];

/// The requirement as a block with a heading of this level.
pub(super) fn block(entry: &ReviewedRequirement, level: u8, style: Style) -> String {
    let mut out = heading(entry, level);
    let fields: Vec<String> = FIELDS.iter().filter_map(|label| field(*label, entry, style)).collect();
    for part in
        [fields.concat(), description(entry), list(Label::Criteria, entry, style), list(Label::Sources, entry, style)]
    {
        if !part.is_empty() {
            out.push('\n');
            out.push_str(&part);
        }
    }
    out
}

/// The block of a requirement with the values of `new`; lines with unchanged values stay the same.
pub(super) fn rewritten(text: &str, entry: &Entry, new: &ReviewedRequirement, level: u8, style: Style) -> String {
    let old = ReviewedRequirement {
        requirement: crate::Requirement { aliases: entry.written_aliases.clone(), ..entry.value.requirement.clone() },
        decided: entry.value.decided.clone(),
    };
    if entry.is_bullet {
        // A list item becomes a block; its other text follows.
        let beside = |part: &Part| {
            let raw = &text[part.span.clone()];
            match part.kind {
                PartKind::Other => Some(raw.to_owned()),
                PartKind::Field(label) if value_of(label, new).is_empty() => Some(raw.to_owned()),
                PartKind::Field(label) if is_outdated(label, part, &old, new) => Some(commented(raw.trim())),
                _ => None,
            }
        };
        let kept: String = entry.parts.iter().filter_map(beside).collect();
        let gap = if kept.is_empty() { "" } else { "\n" };
        return block(new, level, style) + gap + &kept;
    }
    let style = Style { spelling: entry.spelling.unwrap_or(style.spelling), ..style };
    let mut pieces = kept(text, entry, &old, new, level, style);
    add_missing(&mut pieces, new, style);
    pieces.into_iter().map(|piece| piece.text).collect()
}

/// The parts of a block that are kept or changed in place.
fn kept(
    text: &str,
    entry: &Entry,
    old: &ReviewedRequirement,
    new: &ReviewedRequirement,
    level: u8,
    style: Style,
) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::new();
    let raw = |part: &Part| text[part.span.clone()].to_owned();
    let same_heading = entry.is_ours && entry.level == level && old.requirement.title == new.requirement.title;
    for (index, part) in entry.parts.iter().enumerate() {
        let kind = part.kind;
        let is_first = !entry.parts[..index].iter().any(|before| before.kind == kind);
        let written = match kind {
            PartKind::Heading if same_heading => raw(part),
            PartKind::Heading => heading(new, level),
            PartKind::Field(label) if value_of(label, old) == value_of(label, new) => raw(part),
            PartKind::Field(label) if is_outdated(label, part, old, new) => {
                out.push(Piece { kind: PartKind::Other, text: commented(text[part.span.clone()].trim()) });
                continue;
            }
            PartKind::Field(label) => field(label, new, style).unwrap_or_default(),
            PartKind::Description if old.requirement.description == new.requirement.description => raw(part),
            PartKind::Description if is_first => description(new),
            PartKind::ListLabel(label) | PartKind::Item(label) if items(label, old) == items(label, new) => raw(part),
            PartKind::ListLabel(label) if items(label, new).is_empty() => String::new(),
            // A value next to the label becomes an item below it.
            PartKind::ListLabel(label) if !part.value.is_empty() => format!("{}\n", list(label, new, style).trim_end()),
            PartKind::ListLabel(_) | PartKind::Blank | PartKind::Other => raw(part),
            PartKind::Item(label) if is_first && !has_value_beside(entry, label) => renewed(text, entry, label, new),
            PartKind::Description | PartKind::Item(_) => String::new(),
        };
        out.push(Piece { kind, text: written });
    }
    out
}

/// Returns true for the reason of an earlier decision, which is kept as a comment.
fn is_outdated(label: Label, part: &Part, old: &ReviewedRequirement, new: &ReviewedRequirement) -> bool {
    matches!(label, Label::Notes | Label::Reason)
        && !part.value.is_empty()
        && value_of(label, old) != value_of(label, new)
}

/// An outdated line as a comment.
fn commented(line: &str) -> String {
    format!("<!-- {} -->\n", line.replace("-->", "--\u{200b}>"))
}

fn has_value_beside(entry: &Entry, label: Label) -> bool {
    entry.parts.iter().any(|part| part.kind == PartKind::ListLabel(label) && !part.value.is_empty())
}

/// The items of a list; unchanged ones keep their lines.
fn renewed(text: &str, entry: &Entry, label: Label, new: &ReviewedRequirement) -> String {
    let mut old: Vec<(String, &Part)> = entry
        .parts
        .iter()
        .filter(|part| part.kind == PartKind::Item(label))
        .map(|part| (normal(label, lines::without_tick_box(part.value.trim())), part))
        .collect();
    let mut out = String::new();
    for item in items(label, new) {
        match old.iter().position(|(value, _)| *value == item) {
            Some(at) => {
                let raw = &text[old.remove(at).1.span.clone()];
                out.push_str(raw);
                if !raw.ends_with('\n') {
                    out.push('\n');
                }
            }
            None => out.push_str(&bullet(&item)),
        }
    }
    out
}

/// The normalised value; of a source, the location and the words without white space.
fn normal(label: Label, words: &str) -> String {
    if label == Label::Sources { values::source_line(&values::source(words)) } else { words.to_owned() }
}

/// Adds the missing parts: fields below fields, the description after them, lists at the end.
fn add_missing(pieces: &mut Vec<Piece>, new: &ReviewedRequirement, style: Style) {
    for label in FIELDS {
        let kind = PartKind::Field(label);
        let is_default = label == Label::Priority && new.requirement.priority == RequirementPriority::Unset;
        if is_default || pieces.iter().any(|piece| piece.kind == kind) {
            continue;
        }
        let Some(line) = field(label, new, style) else { continue };
        let last = pieces.iter().rposition(|piece| matches!(piece.kind, PartKind::Field(_)) && !piece.text.is_empty());
        match last {
            Some(last) => insert(pieces, last + 1, kind, line, false),
            None => insert(pieces, 1, kind, line, true),
        }
    }
    if !pieces.iter().any(|piece| piece.kind == PartKind::Description) && !new.requirement.description.is_empty() {
        let last = pieces.iter().rposition(|piece| matches!(piece.kind, PartKind::Field(_) | PartKind::Heading));
        insert(pieces, last.map_or(0, |last| last + 1), PartKind::Description, description(new), true);
    }
    for label in [Label::Criteria, Label::Sources] {
        if pieces.iter().any(|piece| piece.kind == PartKind::ListLabel(label)) {
            continue;
        }
        let text = list(label, new, style);
        if !text.is_empty() {
            let is_before = |piece: &Piece| {
                piece.is_written()
                    && !matches!(piece.kind, PartKind::Item(Label::Sources) | PartKind::ListLabel(Label::Sources))
            };
            let last = if label == Label::Criteria {
                pieces.iter().rposition(is_before)
            } else {
                pieces.iter().rposition(Piece::is_written)
            };
            insert(pieces, last.map_or(0, |last| last + 1), PartKind::ListLabel(label), text, true);
        }
    }
}

/// Inserts a piece, with empty lines around a paragraph.
fn insert(pieces: &mut Vec<Piece>, at: usize, kind: PartKind, text: String, is_paragraph: bool) {
    let mut at = at.min(pieces.len());
    if let Some(before) = at.checked_sub(1).map(|before| &mut pieces[before])
        && !before.text.is_empty()
        && !before.text.ends_with('\n')
    {
        before.text.push('\n');
    }
    let mut blank = |at: usize| pieces.insert(at, Piece { kind: PartKind::Blank, text: "\n".to_owned() });
    if is_paragraph {
        blank(at);
        at += 1;
    }
    pieces.insert(at, Piece { kind, text });
    let next = pieces.get(at + 1).is_some_and(|next| next.kind != PartKind::Blank);
    if is_paragraph && next {
        pieces.insert(at + 1, Piece { kind: PartKind::Blank, text: "\n".to_owned() });
    }
}

fn heading(entry: &ReviewedRequirement, level: u8) -> String {
    let title = format!("{}: {}", entry.requirement.id, escaped(&entry.requirement.title));
    marked(level, &title).trim_end().to_owned() + "\n"
}

/// The value to compare for changes of a field.
fn value_of(label: Label, entry: &ReviewedRequirement) -> String {
    let requirement = &entry.requirement;
    match label {
        Label::Priority => words::priority_word(requirement.priority, Spelling::Words, Language::En).to_owned(),
        Label::Category => requirement.category.clone(),
        Label::Aliases => requirement.aliases.join(", "),
        Label::Stories => requirement.user_stories.join(", "),
        Label::WaitsFor => requirement.waits_for.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
        Label::Notes | Label::Reason => match &entry.decided {
            Decided::Modified { notes } if label == Label::Notes => notes.clone(),
            Decided::Rejected { reason } | Decided::OutOfScope { reason } if label == Label::Reason => reason.clone(),
            _ => String::new(),
        },
        _ => String::new(),
    }
}

fn field(label: Label, entry: &ReviewedRequirement, style: Style) -> Option<String> {
    let value = match label {
        // Unset values are left out.
        Label::Priority if entry.requirement.priority == RequirementPriority::Unset => String::new(),
        Label::Priority => words::priority_word(entry.requirement.priority, style.spelling, style.language).to_owned(),
        _ => value_of(label, entry),
    };
    (!value.is_empty()).then(|| labelled(label, &escaped(&value), style.language))
}

/// The line of a field: `- Priority: high`, in Chinese with a wide colon.
fn labelled(label: Label, value: &str, language: Language) -> String {
    format!("- {}{}{value}\n", label.name(language), colon(language))
}

/// The separator between a label and its value.
fn colon(language: Language) -> &'static str {
    if language == Language::Zh { "：" } else { ": " }
}

fn items(label: Label, entry: &ReviewedRequirement) -> Vec<String> {
    match label {
        Label::Criteria => entry.requirement.acceptance_criteria.clone(),
        Label::Sources => entry.requirement.sources.iter().map(values::source_line).collect(),
        _ => Vec::new(),
    }
}

fn bullet(item: &str) -> String {
    format!("- {}\n", escaped(item))
}

fn list(label: Label, entry: &ReviewedRequirement, style: Style) -> String {
    let items = items(label, entry);
    if items.is_empty() {
        return String::new();
    }
    let bullets: String = items.iter().map(|item| bullet(item)).collect();
    format!("{}{}\n\n{bullets}", label.name(style.language), colon(style.language).trim_end())
}

/// The description, with a backslash before lines that would be read as structure.
fn description(entry: &ReviewedRequirement) -> String {
    let lines: Vec<&str> = entry.requirement.description.lines().collect();
    let mut out = String::new();
    let mut index = 0;
    while index < lines.len() {
        let closes = code_end(&lines, index);
        let end = closes.unwrap_or(index);
        for line in &lines[index..=end] {
            out.push_str(&if closes.is_some() { (*line).to_owned() } else { labels::escaped(line) });
            out.push('\n');
        }
        index = end + 1;
    }
    out
}

/// The end of the code block that begins on a line, if it is closed.
fn code_end(lines: &[&str], start: usize) -> Option<usize> {
    let (mark, length, _) = lines::fence(lines[start])?;
    // With deeper indentation it is not a fence in Markdown, so its contents would not be code.
    let is_fence = |line: &str| line.len() - line.trim_start_matches(' ').len() <= 3 && !line.starts_with('\t');
    let closes =
        |line: &&str| lines::fence(line).is_some_and(|(c, n, rest)| c == mark && n >= length && rest.is_empty());
    let end = lines[start + 1..].iter().position(closes).map(|at| start + 1 + at)?;
    (is_fence(lines[start]) && is_fence(lines[end])).then_some(end)
}

/// A review as a block of the history.
pub(super) fn review(record: &ReviewRecord, level: u8, language: Language) -> String {
    let record = values::clean_record(record);
    let comma = if language == Language::Zh { "，" } else { ", " };
    let actor = if record.actor.is_empty() { String::new() } else { format!("{comma}{}", escaped(&record.actor)) };
    let mut out = marked(level, &format!("{}{actor}", record.timestamp)) + "\n";
    if !record.summary.is_empty() {
        out.push_str(&format!("\n{}\n", labels::escaped(&record.summary)));
    }
    let lists = [
        (Label::Approved, &record.approved_ids),
        (Label::Rejected, &record.rejected_ids),
        (Label::Modified, &record.modified_ids),
    ];
    let lines = lists.iter().filter(|(_, ids)| !ids.is_empty());
    let bullets: String = lines.map(|(label, ids)| labelled(*label, &joined(ids), language)).collect();
    if !bullets.is_empty() {
        out.push_str(&format!("\n{bullets}"));
    }
    out
}

fn joined(ids: &[RequirementId]) -> String {
    ids.iter().map(RequirementId::to_string).collect::<Vec<_>>().join(", ")
}

/// The head of a new document.
pub(super) fn head(title: &str, feature: &str, state: &str, language: Language) -> String {
    let kind = if language == Language::Zh { "需求" } else { "Requirements" };
    let title = format!("# {kind}{}{}", colon(language), escaped(title));
    let feature = labelled(Label::Feature, feature, language);
    format!("{}\n\n{feature}{}", title.trim_end(), labelled(Label::Status, state, language))
}

/// The line with the status of a document.
pub(super) fn status_line(state: &str, language: Language) -> String {
    labelled(Label::Status, state, language)
}

pub(super) fn section_heading(section: Section, level: u8, language: Language) -> String {
    marked(level, section.heading(language)) + "\n"
}
