//! Reports an upload, payment, import, synchronisation or message whose failure no criterion covers.

use crate::stages::scoring::Context;
use reqgate_base::model::{Genre, Match, Span};
use reqgate_text::words::failures::{DENIED_BEFORE, DENIED_BEHIND, FREE, TECHNICAL};
use reqgate_text::{BlockKind, Cue, Hit, Sentence};

/// Returns one match at the first such action of a set of criteria.
pub(super) fn check(ctx: Context<'_>, places: &[Hit]) -> Vec<Match> {
    let criteria = &ctx.facets.criteria;
    if criteria.len() < 2 {
        return Vec::new();
    }
    let stands_in_one = |hit: &&Hit| {
        let own = ctx
            .reading
            .sentence_at(hit.span.start)
            .filter(|sentence| !sentence.cues.any(&[Cue::FirstPerson, Cue::Pain]));
        own.is_some_and(|sentence| demands(ctx, sentence) && happens(ctx, sentence, hit.span))
            && criteria.iter().any(|criterion| criterion.span.contains(hit.span))
    };
    let Some(hit) = places.iter().find(stands_in_one) else { return Vec::new() };
    let whole = ctx.text.to_lowercase();
    if TECHNICAL.iter().any(|word| whole.contains(word)) {
        return Vec::new();
    }
    let span = ctx.reading.sentence_at(hit.span.start).map_or(hit.span, |sentence| sentence.span);
    vec![Match::at(span).with("term", hit.span.slice(ctx.text))]
}

/// Returns true for a criterion by its section, a binding statement or an item of a list, but not for a remark in
/// prose.
fn demands(ctx: Context<'_>, sentence: &Sentence) -> bool {
    matches!(sentence.genre, Genre::AcceptanceCriterion | Genre::ShallStatement | Genre::GherkinStep)
        || ctx.reading.blocks[sentence.block].kind == BlockKind::ListItem
}

/// Returns false for an action that does not happen and therefore cannot fail: "nothing is charged", 无需扣款, "free of
/// charge".
fn happens(ctx: Context<'_>, sentence: &Sentence, hit: Span) -> bool {
    let clause_ends = [',', '，', ';', '；', '。', '：'];
    let before = Span::new(sentence.span.start, hit.start).slice(ctx.text).to_lowercase();
    let before = before.rsplit(clause_ends).next().unwrap_or_default();
    let behind = Span::new(hit.end, sentence.span.end.max(hit.end)).slice(ctx.text).to_lowercase();
    let behind = behind.split(clause_ends).next().unwrap_or_default();
    let whole = sentence.span.slice(ctx.text).to_lowercase();
    let denied = format!(" {before} ");
    !(DENIED_BEFORE.stand_in(&denied) || DENIED_BEHIND.begin(behind.trim_start()) || FREE.stand_in(&whole))
}
