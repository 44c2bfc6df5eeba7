//! Reports the same thing stated with two values: "ends after 90 seconds" here, "ends after 3 minutes" there.
//!
//! Two figures conflict if they measure the same dimension, the words right before them are the same and what comes of it is
//! the same. Where each side has words of its own before the figure, they are taken for two things ("free accounts", "paid
//! accounts").

use crate::model::{Genre, SectionRole, Sighting, Span};
use crate::stages::scoring::Context;
use crate::text::Cue;
use crate::text::lexicon::is_cjk;
use crate::text::quantities::{Dimension, Quantity, quantities};

/// More figures than this are a table of data, not a set of rules; it also bounds the pairs.
const MOST_FIGURES: usize = 150;

struct Figure {
    quantity: Quantity,
    sentence: Span,
    before: Vec<String>,
    after: Vec<String>,
}

/// At most one finding per pair, at the later figure.
pub fn check(ctx: Context<'_>) -> Vec<Sighting> {
    let figures = figures(ctx);
    if figures.len() > MOST_FIGURES {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (index, later) in figures.iter().enumerate() {
        let earlier = figures[..index].iter().find(|earlier| conflict(earlier, later));
        if let Some(earlier) = earlier {
            let words = |figure: &Figure| figure.quantity.span.slice(ctx.text).to_string();
            found.push(Sighting::at(later.quantity.span).with("term", words(later)).with("other", words(earlier)));
        }
    }
    found
}

fn figures(ctx: Context<'_>) -> Vec<Figure> {
    let mut out = Vec::new();
    for sentence in &ctx.reading.sentences {
        let is_rule = !sentence.struck
            && !matches!(
                sentence.genre,
                Genre::Code | Genre::GherkinStep | Genre::Quotation | Genre::Question | Genre::Title | Genre::Heading
            )
            && !matches!(
                sentence.role,
                SectionRole::Rationale
                    | SectionRole::Environment
                    | SectionRole::Steps
                    | SectionRole::Actual
                    | SectionRole::Metrics
                    | SectionRole::Timeline
                    | SectionRole::Metadata
            )
            && !sentence.cues.any(&[Cue::Narrative, Cue::Proposal, Cue::Hedge]);
        if !is_rule || ctx.reading.is_conversation {
            continue;
        }
        for quantity in quantities(ctx.text, sentence.span) {
            if quantity.dimension.is_none_or(|dimension| dimension == Dimension::Other) {
                continue;
            }
            if out.len() > MOST_FIGURES {
                return out;
            }
            let before = Span::new(sentence.span.start, quantity.span.start).slice(ctx.text);
            let clause = before.rsplit([',', '，', ';', '；', ':', '：', '。', '(', '（']).next().unwrap_or(before);
            let after = Span::new(quantity.span.end, sentence.span.end).slice(ctx.text);
            let after_words = words(after).into_iter().take(8).collect();
            out.push(Figure { quantity, sentence: sentence.span, before: words(clause), after: after_words });
        }
    }
    out
}

/// Content words in order; a run of Chinese counts by its characters.
fn words(text: &str) -> Vec<String> {
    const STOP: [&str; 30] = [
        "the", "a", "an", "of", "to", "in", "is", "are", "be", "it", "and", "or", "for", "by", "on", "at", "that",
        "than", "must", "shall", "will", "should", "with", "have", "has", "的", "了", "为", "是", "在",
    ];
    let mut out = Vec::new();
    let mut word = String::new();
    for c in text.chars().chain(std::iter::once(' ')) {
        if c.is_alphanumeric() && !is_cjk(c) {
            word.extend(c.to_lowercase());
            continue;
        }
        if !word.is_empty() {
            if !STOP.contains(&word.as_str()) {
                out.push(std::mem::take(&mut word));
            }
            word.clear();
        }
        if is_cjk(c) && !STOP.contains(&c.to_string().as_str()) {
            out.push(c.to_string());
        }
    }
    out
}

fn conflict(a: &Figure, b: &Figure) -> bool {
    if a.sentence == b.sentence || a.quantity.dimension != b.quantity.dimension {
        return false;
    }
    if (a.quantity.value - b.quantity.value).abs() < 1e-9 {
        return false;
    }
    // The words right before the figures are the same, and nothing tells the two apart: at most one side says more.
    let same_before = a.before.iter().rev().zip(b.before.iter().rev()).take_while(|(x, y)| x == y).count();
    let both_say_more = a.before.len() > same_before && b.before.len() > same_before;
    let chinese = a.before.last().is_some_and(|word| word.chars().all(is_cjk));
    if same_before < 2 || both_say_more {
        return false;
    }
    // What comes of it is the same, too.
    let needed = if chinese { 2 } else { 1 };
    a.after.windows(needed).any(|run| b.after.windows(needed).any(|other| run == other))
}
