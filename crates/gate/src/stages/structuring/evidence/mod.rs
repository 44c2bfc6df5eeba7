//! Weighs the signs of every facet: evidence for it, evidence against it, and where each sign was seen.
//!
//! A heading for a facet is one strong sign. Most tickets lack such headings, and several weak signs together are then
//! as convincing. The signs and their weights are files under `rubrics/facets/`.

mod amounts;
mod kind;
mod measures;
mod tickable;

pub use kind::{KindPoints, kind_evidence, told_kind};
pub use measures::Form;

use reqgate_base::model::{FacetEvidence, Facets, Genre, SignSeen, Span};
use reqgate_rules::{FacetModel, Place, Profile, Seen, SignFile};
use reqgate_text::{Cue, ListId, Reading, Sentence};

use measures::Measures;

/// The number of bytes after the start of a title, without a leading tag, that count as its beginning.
const TITLE_START: usize = 2;

/// The total evidence for each facet that applies to this kind of document, in the order of the facets.
pub(crate) fn weigh(
    models: &[FacetModel],
    text: &str,
    reading: &Reading,
    form: &Form,
    facets: &Facets,
    profile: Profile,
) -> Vec<FacetEvidence> {
    let measures = form.with(reading, facets, KindPoints::default());
    let eyes = Eyes::new(text, reading, &measures);
    models.iter().filter(|model| model.reads(profile)).map(|model| eyes.facet(model)).collect()
}

/// The start of the title's own words, after `[tag]`, `part:` and marks.
fn start_of(text: &str, title: Span) -> usize {
    let words = title.slice(text);
    let bare = words.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '[' && c != '【');
    let mut rest = bare;
    while let Some((tag, after)) = rest.split_once([']', '】', ':', '：']) {
        let is_tag = tag.len() <= 28 && !after.starts_with(':') && !tag.contains('.');
        let after = after.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '[' && c != '【');
        if !is_tag || after.is_empty() {
            break;
        }
        rest = after;
    }
    title.end - rest.len().min(title.len())
}

/// A text and the data from which its signs are read.
struct Eyes<'t> {
    reading: &'t Reading,
    measures: &'t Measures,
    title: Option<(Span, usize)>,
}

impl<'t> Eyes<'t> {
    fn new(text: &str, reading: &'t Reading, measures: &'t Measures) -> Self {
        let title = reading.title.map(|title| (title, start_of(text, title)));
        Self { reading, measures, title }
    }

    fn facet(&self, model: &FacetModel) -> FacetEvidence {
        let mut log_odds = model.file.bias;
        let mut signs = Vec::new();
        for (sign, list) in model.file.signs.iter().zip(&model.lists) {
            let (amount, span) = self.amount(sign, *list);
            if amount <= 0.0 {
                continue;
            }
            let weight = (sign.weight * amount * 100.0).round() / 100.0;
            log_odds += weight;
            signs.push(SignSeen { id: sign.id.clone(), says: sign.says.clone(), weight, span });
        }
        FacetEvidence { facet: model.file.id.clone(), log_odds: (log_odds * 100.0).round() / 100.0, signs }
    }

    /// The strength of a sign, 0 to 1, and the place where it was first seen.
    fn amount(&self, sign: &SignFile, list: Option<ListId>) -> (f64, Option<Span>) {
        match &sign.seen {
            Seen::Measure(measure) => self.measures.of(*measure),
            Seen::Cue { any, places, full } => self.cues(any, places, *full),
            Seen::Terms { places, full, .. } => {
                list.map_or((0.0, None), |list| self.terms(list, places, (*full).max(1)))
            }
        }
    }

    fn cues(&self, any: &[Cue], places: &[Place], full: usize) -> (f64, Option<Span>) {
        let mut seen = 0;
        let mut first = None;
        for sentence in &self.reading.sentences {
            let place = if sentence.genre == Genre::Title { Place::Title } else { Place::Prose };
            let counts = places.contains(&place) && (place == Place::Title || is_prose(sentence));
            if counts && sentence.cues.any(any) {
                seen += 1;
                first = first.or(Some(sentence.span));
            }
        }
        (share(seen, full), first)
    }

    fn terms(&self, list: ListId, places: &[Place], full: usize) -> (f64, Option<Span>) {
        let mut seen = 0;
        let mut first = None;
        for hit in self.reading.hits_of(list) {
            if places.iter().any(|place| self.stands_in(*place, hit.span)) {
                seen += 1;
                first = first.or(Some(hit.span));
            }
        }
        (share(seen, full), first)
    }

    fn stands_in(&self, place: Place, span: Span) -> bool {
        match (place, self.title) {
            (Place::Title, Some((title, _))) => title.contains(span),
            (Place::TitleStart, Some((title, start))) => {
                title.contains(span) && span.start <= start + TITLE_START && span.start + TITLE_START >= start
            }
            (Place::Prose, _) => self
                .reading
                .sentence_at(span.start)
                .is_some_and(|sentence| sentence.genre != Genre::Title && is_prose(sentence)),
            _ => false,
        }
    }
}

/// Returns true for the author's own prose.
fn is_prose(sentence: &Sentence) -> bool {
    !sentence.struck && !sentence.is_placeholder && !matches!(sentence.genre, Genre::Heading | Genre::Code)
}

fn share(seen: usize, full: usize) -> f64 {
    (seen as f64 / full.max(1) as f64).min(1.0)
}
