//! The audit as text, for a terminal or a job summary: Markdown that reads well as plain text.

use super::tally::ready_share;
use super::{v1, words};
use crate::clean::one_line;
use crate::report::points;

/// Rows of the table of gaps.
const SHOWN_GAPS: usize = 10;

/// The audit as Markdown. Titles are escaped: they are written by strangers.
pub fn text(report: &v1::Report) -> String {
    let mut out = format!("## Audit of {}: {}\n\n", escaped(&report.source), sentence(report));
    if let Some(change) = &report.change {
        out.push_str(&format!("{}\n\n", compared(report, change)));
    }
    if report.is_cut {
        out.push_str(&format!("{}\n\n", words::CUT));
    }
    if !report.gaps.is_empty() {
        let (gap, tickets, share) = (words::GAP, words::TICKETS, words::SHARE);
        let (blocks, examples) = (words::BLOCKS, words::EXAMPLES);
        out.push_str(&format!("{}:\n\n", words::GAPS));
        out.push_str(&format!("| {gap} | {tickets} ({share}) | {blocks} | {examples} |\n|-|-:|-:|-|\n"));
        for gap in report.gaps.iter().take(SHOWN_GAPS) {
            let share = points(gap.share * 100.0);
            out.push_str(&format!(
                "| {} (`{}`) | {} ({share} %) | {} | {} |\n",
                escaped(&gap.summary),
                gap.rule_id,
                gap.tickets,
                gap.blocking,
                gap.examples.iter().map(example).collect::<Vec<_>>().join(", ")
            ));
        }
        out.push('\n');
    }
    if report.scores.count > 0 {
        let (age, tickets, ready, mean) = (words::AGE, words::TICKETS, words::READY, words::MEAN);
        out.push_str(&format!("{}:\n\n| {age} | {tickets} | {ready} | {mean} |\n|-|-:|-:|-:|\n", words::AGES));
        for age in report.ages.iter().filter(|age| age.tickets > 0) {
            let mean = age.mean.map(points).unwrap_or_default();
            out.push_str(&format!("| {} | {} | {} | {mean} |\n", age.label, age.tickets, age.ready));
        }
        out.push('\n');
    }
    if !report.worst.is_empty() {
        out.push_str(&format!("{}:\n\n", words::WORST));
        for (index, ticket) in report.worst.iter().enumerate() {
            let first = ticket.first_edit.as_deref().map(|edit| format!(" – {}", escaped(edit))).unwrap_or_default();
            let (score, title) = (points(ticket.score), escaped(&ticket.title));
            out.push_str(&format!("{}. {} {title} ({score}/100){first}\n", index + 1, name(&ticket.id)));
        }
        out.push('\n');
    }
    out
}

/// What people call a ticket. A bare `#12` would link to the issue and tell it so; in backticks it does not.
fn name(id: &str) -> String {
    format!("`{}`", one_line(id).replace(['`', '|'], "'"))
}

/// A ticket as an example, as a link where its address can be shown as one: a link to it by Markdown tells the issue nothing.
fn example(example: &v1::Example) -> String {
    let name = name(&example.id);
    match example.url.as_deref().filter(|url| is_plain_address(url)) {
        Some(url) => format!("[{name}]({url})"),
        None => name,
    }
}

/// A web address without a character that could end the link.
fn is_plain_address(url: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-._~:/?#@=&%+".contains(c);
    (url.starts_with("https://") || url.starts_with("http://")) && url.chars().all(is_plain)
}

/// The picture in one sentence.
pub(super) fn sentence(report: &v1::Report) -> String {
    let totals = &report.totals;
    let mut parts = vec![format!("{} of {} ready", totals.ready, totals.ready + totals.not_ready + totals.stopped)];
    let mut add = |count: usize, words: &str| {
        if count > 0 {
            parts.push(format!("{count} {words}"));
        }
    };
    add(totals.stopped, "stopped by the guardrail");
    add(totals.not_applicable, "not applicable");
    add(totals.unreadable, "could not be read");
    if let (Some(mean), Some(median)) = (report.scores.mean, report.scores.median) {
        parts.push(format!("mean score {}, median {}", points(mean), points(median)));
    }
    if let Some(since) = &report.since {
        parts.push(format!("{} created since {since} would be blocked", totals.would_block));
    }
    parts.join(", ")
}

/// What has changed, in one sentence.
pub(super) fn compared(report: &v1::Report, change: &v1::Change) -> String {
    let percent = |share: Option<f64>| share.map_or("–".to_owned(), |share| format!("{} %", points(share * 100.0)));
    let mean = |mean: Option<f64>| mean.map_or("–".to_owned(), points);
    let now = percent(ready_share(&report.totals));
    let caution = if change.is_same_rubric { "" } else { " (judged by other rubrics)" };
    format!(
        "Since {}: ready {} → {now}, mean score {} → {}, tickets {} → {}{caution}.",
        one_line(&change.day),
        percent(change.ready_share_then),
        mean(change.mean_then),
        mean(report.scores.mean),
        change.tickets,
        report.totals.tickets
    )
}

/// Text as Markdown shows it and nothing else: no mention, link, reference, image, HTML or table edge.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in one_line(text).chars() {
        match c {
            '@' => out.push_str("@\u{200B}"),
            '#' => out.push_str("#\u{200B}"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '(' | ')' | '!' | '|' | '~' | '$' => {
                out.push('\\');
                out.push(c);
            }
            // `https://` would become a link all by itself.
            ':' => out.push_str(":\u{200B}"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_title_is_shown_and_does_nothing() {
        let shown = escaped("@team #1 <img src=x> [a](https://evil.test) | `x` ![i](j) \u{1b}[31m\u{202e}");
        for wild in ["@team", "#1", "<img", "[a]", "https://", " | ", "`x`", "![", "\u{1b}", "\u{202e}"] {
            assert!(!shown.replace("\\|", "").contains(wild), "{wild}: {shown}");
        }
    }
}
