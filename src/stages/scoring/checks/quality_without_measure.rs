//! A quality (performance, availability, security …) that is asked for without a figure.

use super::at;
use crate::model::{Finding, SectionRole, Span};
use crate::stages::scoring::findings::Context;
use crate::text::quantities::quantities;
use crate::text::{BlockKind, Cue};

/// Names of qualities; adjectives are left to `vague-term`, so that one sentence is not reported twice.
const QUALITIES: &[&str] = &[
    "performance",
    "availability",
    "scalability",
    "reliability",
    "usability",
    "maintainability",
    "low latency",
    "high throughput",
    "response time",
    "accessibility",
    "portability",
    "extensibility",
    "stability",
    "robustness",
    "性能",
    "可用性",
    "扩展性",
    "可扩展",
    "可靠性",
    "易用性",
    "稳定性",
    "可维护",
    "响应时间",
    "吞吐",
    "并发",
    "健壮性",
];

/// Findings on quality requirements without number or observable rule.
pub fn check(ctx: Context<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for sentence in ctx.reading.sentences.iter().filter(|s| s.role == SectionRole::NonFunctional && !s.struck) {
        let block = &ctx.reading.blocks[sentence.block];
        if !matches!(block.kind, BlockKind::ListItem | BlockKind::Paragraph) {
            continue;
        }
        let words = block.text.slice(ctx.text).to_ascii_lowercase();
        let head = sentence.span.slice(ctx.text).to_ascii_lowercase();
        let quality = QUALITIES.iter().find_map(|name| head.find(name).map(|at| (at, name.len())));
        let Some((from, length)) = quality else { continue };
        let measured = words.contains(|c: char| c.is_ascii_digit())
            || !quantities(ctx.text, block.text).is_empty()
            || sentence.cues.any(&[Cue::Bound, Cue::Vague])
            || words.trim_end().ends_with([':', '：']);
        let start = sentence.span.start + from;
        let span = Span::new(start, start + length);
        if !measured && found.last().is_none_or(|last: &Finding| last.span.is_none_or(|s| s.end <= block.span.start)) {
            found.push(at(span).with("term", span.slice(ctx.text)));
        }
    }
    found
}
