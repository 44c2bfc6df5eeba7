//! Requirements out of any document: rules, criteria and stories by their labels and ids, whatever the layout.

use std::collections::BTreeSet;

use super::labels::Label;
use super::openspec;
use super::pieces::{Piece, pieces};
use super::sentences::sentence;
use super::titles::title;
use super::{Source, requirements::number};
use crate::model::Language;
use crate::prd::requirements::RequirementsDocument;
use crate::prd::{FeatureId, Requirement, RequirementId, RequirementPriority};
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
            Some(above) => above.acceptance_criteria.push(piece.words.clone()),
            None => {
                depth = piece.depth;
                found.push(requirement(&piece, language));
            }
        }
    }
    number(&mut found, &[]);
    let reading = reader.read(&source.text, None);
    let name = reading.title.map(|span| span.slice(&source.text)).unwrap_or_default();
    let document = RequirementsDocument::new(feature, name, language).with_proposals(&found).0;
    AnyRequirements { document, duplicates }
}

fn requirement(piece: &Piece, language: Language) -> Requirement {
    let is_quality = piece.label == Label::Quality;
    Requirement {
        id: if is_quality { RequirementId::quality(0) } else { RequirementId::functional(0) },
        title: title(&piece.words),
        description: sentence(&piece.words),
        priority: RequirementPriority::Unset,
        category: piece.label.category(language).to_owned(),
        acceptance_criteria: Vec::new(),
        sources: vec![piece.place.clone()],
        aliases: piece.id.iter().cloned().collect(),
        user_stories: Vec::new(),
    }
}
