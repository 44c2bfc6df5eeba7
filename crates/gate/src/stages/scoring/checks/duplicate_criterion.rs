//! Reports two criteria with the same content.

use std::collections::HashMap;

use crate::stages::scoring::Context;
use reqgate_base::model::Match;
use reqgate_text::content_words::content_words;

/// Returns a match for each criterion whose content words equal those of an earlier one.
pub(super) fn check(ctx: Context<'_>) -> Vec<Match> {
    // A constraint that a requirement repeats in another section is stated twice on purpose.
    let section = |at: usize| ctx.reading.sentence_at(at).map(|sentence| sentence.section);
    let mut seen: HashMap<(Option<usize>, Vec<String>), usize> = HashMap::new();
    let mut found = Vec::new();
    for criterion in &ctx.facets.criteria {
        let words = content_words(criterion.span.slice(ctx.text));
        if words.len() < 2 {
            continue;
        }
        if seen.insert((section(criterion.span.start), words), criterion.span.start).is_some() {
            let words = criterion.span.trimmed(ctx.text).slice(ctx.text);
            found.push(Match::at(criterion.span).with("term", words));
        }
    }
    found
}
