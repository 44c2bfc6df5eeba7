//! Reports a quality (performance, availability, security …) that is required without a figure.

use crate::stages::scoring::Context;
use reqgate_base::model::{Match, SectionRole, Span};
use reqgate_text::lexicon::is_cjk;
use reqgate_text::quantities::quantities;
use reqgate_text::words::qualities::{NAMES, TOPICS};
use reqgate_text::{BlockKind, Cue};

/// Returns a match for each quality requirement without a number or an observable rule.
pub(super) fn check(ctx: Context<'_>) -> Vec<Match> {
    let mut found = Vec::new();
    // The block that was read last, and whether it has figures or continues in a list.
    let mut looked_at: Option<(usize, bool)> = None;
    for sentence in ctx.reading.sentences.iter().filter(|s| s.role == SectionRole::NonFunctional && !s.struck) {
        let block = &ctx.reading.blocks[sentence.block];
        if !matches!(block.kind, BlockKind::ListItem | BlockKind::Paragraph) {
            continue;
        }
        let head = sentence.span.slice(ctx.text).to_ascii_lowercase();
        let quality = NAMES.iter().find_map(|name| leading(&head, name).map(|at| (at, name.len())));
        let Some((from, length)) = quality else { continue };
        // Read once per block; otherwise a very long paragraph would take quadratic time.
        if looked_at.is_none_or(|(seen, _)| seen != sentence.block) {
            let words = block.text.slice(ctx.text);
            let has_figures =
                words.contains(|c: char| c.is_ascii_digit()) || !quantities(ctx.text, block.text).is_empty();
            looked_at = Some((sentence.block, has_figures || words.trim_end().ends_with([':', '：'])));
        }
        let in_block = looked_at.is_some_and(|(_, measured)| measured);
        let measured = in_block || sentence.cues.any(&[Cue::Bound, Cue::Vague]);
        let start = sentence.span.start + from;
        let span = Span::new(start, start + length);
        if !measured && found.last().is_none_or(|last: &Match| last.span.is_none_or(|s| s.end <= block.span.start)) {
            found.push(Match::at(span).with("term", span.slice(ctx.text)));
        }
    }
    found
}

/// The position of a quality near the beginning of a statement. Later in it, or before "report", it is only a topic.
fn leading(head: &str, name: &str) -> Option<usize> {
    let from = head.find(name)?;
    let before = &head[..from];
    let near = before.split_whitespace().count() <= 3 && before.chars().filter(|c| is_cjk(*c)).count() <= 8;
    let topic = TOPICS;
    let after = head[from + name.len()..].trim_start();
    (near && !topic.iter().any(|word| after.starts_with(word))).then_some(from)
}
