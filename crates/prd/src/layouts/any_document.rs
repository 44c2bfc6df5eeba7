//! Reads requirements from a document in any layout: rules, criteria and stories, by their labels and ids.

use reqgate_docs::unescaped;
use std::collections::BTreeSet;

use super::Source;
use super::labels::Label;
use super::openspec;
use super::pieces::{Piece, pieces};
use super::sentences::{plain, sentence};
use super::spec_kit::{self, Specification, bare_title};
use super::titles::title;
use crate::requirements::{RequirementsDocument, ids};
use crate::{FeatureId, Requirement, RequirementId};
use reqgate_base::model::Language;
use reqgate_text::Reader;

/// The requirements of a document in a foreign layout.
#[derive(Debug, Clone)]
pub struct AnyRequirements {
    /// The requirements, all of them pending.
    pub document: RequirementsDocument,
    /// The ids that more than one requirement has, each with the line of the later one.
    pub duplicates: Vec<(String, u32)>,
    /// The user stories of the document.
    pub stories: Vec<ReadStory>,
}

/// A user story that was read from a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadStory {
    /// The id of the story in its document: `US-001`.
    pub id: Option<String>,
    /// The title, if the document has one in addition to the words.
    pub title: String,
    /// The user, if the story has the usual form.
    pub user: String,
    /// The words of the story.
    pub words: String,
    /// The criteria, if the story is not also a requirement.
    pub criteria: Vec<String>,
    /// The requirement for this story, in a document whose requirements have no ids.
    pub requirement: Option<RequirementId>,
}

/// Returns the requirements of a document in any layout: headed lists, tables, bold or plain lines that begin with an id.
pub fn requirements_of(reader: &Reader, source: &Source, feature: &FeatureId, language: Language) -> AnyRequirements {
    let of_openspec = openspec::requirements(&source.name, &source.text, language);
    let is_openspec = of_openspec.is_some();
    if let Some(read) = spec_kit::specification(&source.name, &source.text, language).filter(|_| !is_openspec) {
        let Specification { mut requirements, stories, duplicates } = read;
        let document = document(reader, source, feature, language, &mut requirements);
        return AnyRequirements { document, duplicates, stories };
    }
    let mut found: Vec<Requirement> = of_openspec.unwrap_or_default();
    let mut seen = BTreeSet::new();
    let mut duplicates = Vec::new();
    let mut depth = 0;
    let pieces = if is_openspec { Vec::new() } else { pieces(reader, source) };
    // If requirements have ids, a story only says which user they serve: as a requirement it would get an invented id.
    let has_ids = pieces.iter().any(|one| matches!(one.label, Label::Rule | Label::Quality) && one.id.is_some());
    let mut stories: Vec<(ReadStory, Option<usize>)> = Vec::new();
    let mut in_story = false;
    for piece in pieces.into_iter().filter(|piece| piece.label.binds() || piece.label == Label::Story) {
        if let Some(id) = piece.id.as_ref().filter(|id| !seen.insert((*id).clone())) {
            duplicates.push((id.clone(), piece.place.line));
        }
        let is_below = piece.label == Label::Criterion || piece.depth > depth && piece.id.is_none();
        let above = match stories.last_mut().filter(|_| in_story) {
            Some((story, _)) => Some(&mut story.criteria),
            None => found.last_mut().map(|above| &mut above.acceptance_criteria),
        };
        match above.filter(|_| is_below) {
            Some(criteria) => criteria.push(unescaped(&piece.words)),
            None => {
                depth = piece.depth;
                let is_story = piece.label == Label::Story;
                in_story = is_story && has_ids;
                if is_story {
                    stories.push((story(&piece, &source.text), (!has_ids).then_some(found.len())));
                }
                if !in_story {
                    found.push(requirement(&piece, language));
                }
            }
        }
    }
    let document = document(reader, source, feature, language, &mut found);
    let stories = stories.into_iter().map(|(story, place)| {
        let requirement = place.and_then(|at| found.get(at)).map(|one| one.id.clone());
        ReadStory { requirement, ..story }
    });
    AnyRequirements { document, duplicates, stories: stories.collect() }
}

/// The document of requirements with ids, under the title of the source.
fn document(
    reader: &Reader,
    source: &Source,
    feature: &FeatureId,
    language: Language,
    found: &mut [Requirement],
) -> RequirementsDocument {
    let ids = numbered(found, &source.text);
    for (requirement, id) in found.iter_mut().zip(ids) {
        requirement.aliases.retain(|alias| *alias != id.to_string());
        requirement.id = id;
    }
    let reading = reader.read(&source.text, None);
    let name = reading.title.map(|span| span.slice(&source.text)).unwrap_or_default();
    RequirementsDocument::new(feature, bare_title(name), language).with_proposals(found).0
}

/// A story with its id; for a row without story columns, all cells.
fn story(piece: &Piece, text: &str) -> ReadStory {
    let line = text.lines().nth(piece.place.line.saturating_sub(1) as usize).unwrap_or_default().trim();
    let is_made_of_columns = piece.user.is_some() && !piece.words.contains('|');
    let words = match line.strip_prefix('|') {
        Some(row) if !is_made_of_columns => {
            let cells = row.split('|').map(plain).filter(|cell| !cell.is_empty());
            cells.collect::<Vec<_>>().join(", ")
        }
        _ => unescaped(&piece.words),
    };
    let (id, rest) = ids::leading(&words).map_or((None, words.as_str()), |(id, rest)| (Some(id.to_owned()), rest));
    let words = rest.trim_start_matches([':', '：', '.', ',', ' ']).to_owned();
    let id = id.or_else(|| piece.story_id.clone());
    let user = piece.user.clone().unwrap_or_default();
    ReadStory { id, title: String::new(), user, words, criteria: Vec::new(), requirement: None }
}

/// Assigns an id to each requirement: its own one if it is in the native format, otherwise its number if it is
/// unused, otherwise the next one.
fn numbered(found: &[Requirement], text: &str) -> Vec<RequirementId> {
    let mut taken = ids::named_in(text);
    let mut given = BTreeSet::new();
    let own: Vec<Option<RequirementId>> = found
        .iter()
        .map(|one| {
            let written = one.aliases.first()?;
            let native = ids::native(written).filter(|id| !given.contains(id));
            let id = native.unwrap_or_else(|| ids::mapped(written, &mut taken));
            given.insert(id.clone());
            Some(id)
        })
        .collect();
    let next = |(own, one): (Option<RequirementId>, &Requirement)| {
        own.unwrap_or_else(|| {
            let id = ids::next(one.id.is_quality(), &taken);
            taken.insert(id.clone());
            id
        })
    };
    own.into_iter().zip(found).map(next).collect()
}

fn requirement(piece: &Piece, language: Language) -> Requirement {
    let is_quality = piece.label == Label::Quality;
    let words = unescaped(&piece.words);
    Requirement {
        priority: piece.tags.priority,
        category: piece.label.category(language).to_owned(),
        sources: vec![piece.place.clone()],
        aliases: piece.id.iter().cloned().collect(),
        user_stories: piece.tags.stories.clone(),
        ..Requirement::new(
            if is_quality { RequirementId::quality(0) } else { RequirementId::functional(0) },
            title(&words),
            sentence(&words),
        )
    }
}
