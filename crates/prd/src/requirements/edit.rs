//! Changes a document: only the lines whose meaning changes are rewritten.

use std::collections::BTreeMap;
use std::ops::Range;

use super::read::{self, Entry, Outline};
use super::words::{self, Section};
use super::write::{self, Style};
use super::{RequirementsDocument, ReviewedRequirement, values};
use crate::{DocumentStatus, RequirementId, ReviewRecord};
use reqgate_docs::values::on_one_line;

/// The changes to apply.
#[derive(Debug, Default)]
pub(super) struct Changes {
    /// The new values of existing requirements.
    pub changed: BTreeMap<RequirementId, ReviewedRequirement>,
    /// The requirements to add.
    pub added: Vec<ReviewedRequirement>,
    /// The reviews to record.
    pub reviews: Vec<ReviewRecord>,
    /// The new status.
    pub status: Option<DocumentStatus>,
    /// The new title.
    pub title: Option<String>,
}

/// A range of text to replace; a block is separated by empty lines.
struct Edit {
    span: Range<usize>,
    text: String,
    is_block: bool,
}

/// Returns the document with the changed and added requirements; without any, as it is.
pub(super) fn apply_any(document: &RequirementsDocument, changes: &Changes) -> RequirementsDocument {
    let is_none = changes.changed.is_empty() && changes.added.is_empty();
    if is_none { document.clone() } else { apply(document, changes) }
}

/// Returns the document with the changes.
pub(super) fn apply(document: &RequirementsDocument, changes: &Changes) -> RequirementsDocument {
    let (text, outline) = (&document.text, &document.outline);
    let mut edits = Vec::new();
    let mut to_add: BTreeMap<Section, Vec<String>> = BTreeMap::new();
    for entry in &outline.entries {
        let new = changes.changed.get(&entry.value.requirement.id).map(clean);
        if new.is_some() || !entry.is_ours {
            let new = new.unwrap_or_else(|| entry.value.clone());
            change(text, outline, entry, &new, &mut edits, &mut to_add);
        }
    }
    for entry in changes.added.iter().map(clean) {
        let section = Section::of(&entry.decided);
        let block = write::block(&entry, level_in(outline, section), style(outline));
        to_add.entry(section).or_default().push(block);
    }
    for record in &changes.reviews {
        let block = write::review(record, level_in(outline, Section::History), outline.language);
        to_add.entry(Section::History).or_default().push(block);
    }
    for (section, blocks) in to_add {
        edits.extend(additions(text, outline, section, blocks));
    }
    edits.extend(head(outline, changes));
    // The sort is stable, so insertions at one position keep their order.
    edits.sort_by_key(|edit| edit.span.start);
    let text = assembled(text, &edits);
    let outline = read::outline(&text);
    RequirementsDocument { text, outline }
}

fn clean(entry: &ReviewedRequirement) -> ReviewedRequirement {
    ReviewedRequirement {
        requirement: values::clean(&entry.requirement),
        decided: values::clean_decided(&entry.decided),
    }
}

fn style(outline: &Outline) -> Style {
    Style { language: outline.language, spelling: outline.spelling }
}

/// Rewrites a requirement in its place, or removes it and returns it for its new section.
fn change(
    text: &str,
    outline: &Outline,
    entry: &Entry,
    new: &ReviewedRequirement,
    edits: &mut Vec<Edit>,
    to_add: &mut BTreeMap<Section, Vec<String>>,
) {
    let target = Section::of(&new.decided);
    let moves = entry.section != Some(target) && !(entry.section.is_none() && target == Section::Pending);
    let level = if moves || !entry.is_ours { level_in(outline, target) } else { entry.level };
    let block = write::rewritten(text, entry, new, level, style(outline));
    if moves {
        to_add.entry(target).or_default().push(block.trim_end().to_owned() + "\n");
        edits.push(Edit { span: entry.span.clone(), text: String::new(), is_block: false });
    } else {
        edits.push(Edit { span: entry.span.clone(), text: block, is_block: false });
    }
}

/// The heading level of the requirements of a section.
fn level_in(outline: &Outline, section: Section) -> u8 {
    let there = outline.entries.iter().find(|entry| entry.section == Some(section) && entry.is_ours);
    let below = || outline.sections.iter().find(|span| span.section == section).map(|span| span.level + 1);
    there.map(|entry| entry.level).or_else(below).unwrap_or(section_level(outline) + 1).min(6)
}

fn section_level(outline: &Outline) -> u8 {
    outline.sections.first().map_or(2, |section| section.level)
}

/// The edits that add blocks at the end of a section, which is created in its usual position if it is missing.
fn additions(text: &str, outline: &Outline, section: Section, blocks: Vec<String>) -> Vec<Edit> {
    let there = outline.sections.iter().find(|span| span.section == section).map(|span| span.end);
    let is_new = there.is_none();
    let at = there.unwrap_or_else(|| {
        // Before the first section that follows in the usual order.
        let later = outline.sections.iter().filter(|span| span.section > section).min_by_key(|span| span.start);
        later.map_or(text.len(), |span| text[..span.start.saturating_sub(1)].rfind('\n').map_or(0, |at| at + 1))
    });
    let heading = is_new.then(|| write::section_heading(section, section_level(outline), outline.language));
    let block = |text| Edit { span: at..at, text, is_block: true };
    heading.into_iter().chain(blocks).map(block).collect()
}

/// The edits of the title and the status of the document.
fn head(outline: &Outline, changes: &Changes) -> Vec<Edit> {
    let mut edits = Vec::new();
    let language = outline.language;
    if let Some(status) = changes.status.filter(|status| *status != outline.status) {
        let line = write::status_line(words::status_word(status, language), language);
        let behind = || outline.feature_line.as_ref().map(|line| line.end..line.end);
        match outline.status_line.clone().or_else(behind) {
            Some(span) => edits.push(Edit { span, text: line, is_block: false }),
            None => {
                let at = outline.title_line.as_ref().map_or(0, |line| line.end);
                edits.push(Edit { span: at..at, text: line, is_block: true });
            }
        }
    }
    if let Some(title) = changes.title.as_deref().map(on_one_line).filter(|title| *title != outline.title) {
        let span = outline.title_line.clone().unwrap_or(0..0);
        let head = write::head(&title, "", "", language);
        let line = head.lines().next().unwrap_or_default();
        edits.push(Edit { is_block: span.is_empty(), span, text: format!("{line}\n") });
    }
    edits
}

/// Applies the edits, which are in order and do not overlap, with the line breaks of the text.
fn assembled(text: &str, edits: &[Edit]) -> String {
    let is_dos = text.find('\n').is_some_and(|at| text[..at].ends_with('\r'));
    let feed = if is_dos { "\r\n" } else { "\n" };
    let mut out = String::with_capacity(text.len() + 256);
    let mut at = 0;
    let mut after_block = false;
    for edit in edits {
        let kept = &text[at.min(edit.span.start)..edit.span.start];
        push_kept(&mut out, kept, &mut after_block, feed);
        at = at.max(edit.span.end);
        let new = if is_dos { edit.text.replace("\r\n", "\n").replace('\n', "\r\n") } else { edit.text.clone() };
        if new.is_empty() {
            continue;
        }
        if edit.is_block || after_block {
            blank_line(&mut out, feed);
        } else if !out.is_empty() && !out.ends_with('\n') {
            out.push_str(feed);
        }
        out.push_str(&new);
        after_block = edit.is_block;
    }
    push_kept(&mut out, &text[at..], &mut after_block, feed);
    out
}

fn push_kept(out: &mut String, kept: &str, after_block: &mut bool, feed: &str) {
    if kept.is_empty() {
        return;
    }
    if *after_block && !kept.starts_with(['\n', '\r']) {
        blank_line(out, feed);
    }
    out.push_str(kept);
    *after_block = false;
}

/// Ends the last line and adds an empty line.
fn blank_line(out: &mut String, feed: &str) {
    if out.is_empty() || out == "\u{feff}" {
        return;
    }
    if !out.ends_with('\n') {
        out.push_str(feed);
    }
    let before = out[..out.len() - 1].trim_end_matches([' ', '\t', '\r']);
    if !before.ends_with('\n') {
        out.push_str(feed);
    }
}
