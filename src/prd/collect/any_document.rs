//! Requirements out of any document: rules, criteria and stories by their labels and ids, whatever the layout.

use std::collections::BTreeSet;

use super::Source;
use super::labels::Label;
use super::openspec;
use super::pieces::{Piece, pieces};
use super::sentences::sentence;
use super::titles::title;
use crate::model::Language;
use crate::prd::requirements::{RequirementsDocument, ids};
use crate::prd::{FeatureId, Requirement, RequirementId, RequirementPriority, markup};
use crate::text::Reader;

/// Requirements that were read from a document that is not one of ours.
#[derive(Debug, Clone)]
pub struct AnyRequirements {
    /// The requirements, each pending.
    pub document: RequirementsDocument,
    /// Ids that more than one requirement has, each with the line of the later one.
    pub duplicates: Vec<(String, u32)>,
}

/// The requirements of a document in any layout: headed lists, tables, bold or plain lines that begin with an id.
pub fn requirements_of(reader: &Reader, source: &Source, feature: &FeatureId, language: Language) -> AnyRequirements {
    let of_openspec = openspec::requirements(&source.name, &source.text, language);
    let is_openspec = of_openspec.is_some();
    let mut found: Vec<Requirement> = of_openspec.unwrap_or_default();
    let mut seen = BTreeSet::new();
    let mut duplicates = Vec::new();
    let mut depth = 0;
    let pieces = if is_openspec { Vec::new() } else { pieces(reader, source) };
    for piece in pieces.into_iter().filter(|piece| piece.label.binds() || piece.label == Label::Story) {
        if let Some(id) = piece.id.as_ref().filter(|id| !seen.insert((*id).clone())) {
            duplicates.push((id.clone(), piece.place.line));
        }
        let is_below = piece.label == Label::Criterion || piece.depth > depth && piece.id.is_none();
        match found.last_mut().filter(|_| is_below) {
            Some(above) => above.acceptance_criteria.push(markup::unescaped(&piece.words)),
            None => {
                depth = piece.depth;
                found.push(requirement(&piece, language));
            }
        }
    }
    let ids = numbered(&found, &source.text);
    for (requirement, id) in found.iter_mut().zip(ids) {
        requirement.aliases.retain(|alias| *alias != id.to_string());
        requirement.id = id;
    }
    let reading = reader.read(&source.text, None);
    let name = reading.title.map(|span| span.slice(&source.text)).unwrap_or_default();
    let document = RequirementsDocument::new(feature, name, language).with_proposals(&found).0;
    AnyRequirements { document, duplicates }
}

/// An id for each requirement: the one that it has in its document where that is written as ours are, else its number if that is
/// free, else the next one.
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
    let words = markup::unescaped(&piece.words);
    Requirement {
        id: if is_quality { RequirementId::quality(0) } else { RequirementId::functional(0) },
        title: title(&words),
        description: sentence(&words),
        priority: RequirementPriority::Unset,
        category: piece.label.category(language).to_owned(),
        acceptance_criteria: Vec::new(),
        sources: vec![piece.place.clone()],
        aliases: piece.id.iter().cloned().collect(),
        user_stories: Vec::new(),
    }
}
