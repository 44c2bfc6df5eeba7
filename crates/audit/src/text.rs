//! The audit as Markdown, for a job summary or a comment.

use super::v1;
use super::words::{compared, sentence};
use reqgate_base::clean::one_line;
use reqgate_base::model::Language;
use reqgate_messages as messages;
use reqgate_report::points;

/// The number of rows in the table of gaps.
pub(super) const SHOWN_GAPS: usize = 10;

/// The audit as Markdown. Titles are escaped, because strangers write them.
pub fn text(report: &v1::Report) -> String {
    let words = messages::Audit::of(Language::En);
    let mut out = format!("## Audit of {}: {}\n\n", escaped(&report.source), sentence(report, Language::En));
    let basis = basis(report, Language::En);
    if !basis.is_empty() {
        out.push_str(&format!("{}\n\n", escaped(&basis)));
    }
    if let Some(change) = &report.change {
        out.push_str(&format!("{}\n\n", compared(report, change, Language::En)));
    }
    if report.is_cut {
        out.push_str(&format!("{}\n\n", words.cut));
    }
    out.push_str(&readiness(report));
    if !report.gaps.is_empty() {
        let (gap, tickets, share) = (words.gap, words.tickets, words.share);
        let (blocks, examples) = (words.blocks, words.examples);
        out.push_str(&format!("{}:\n\n", words.gaps));
        out.push_str(&format!("| {gap} | {tickets} ({share}) | {blocks} | {examples} |\n|-|-:|-:|-|\n"));
        for gap in report.gaps.iter().take(SHOWN_GAPS) {
            let share = points(gap.share * 100.0);
            out.push_str(&format!(
                "| {} (`{}`) | {} ({share} %) | {} | {} |\n",
                escaped(&gap.summary),
                gap.rule_id,
                gap.tickets,
                gap.blocking,
                gap.examples
                    .iter()
                    .map(|example| linked(&example.id, example.url.as_deref()))
                    .collect::<Vec<_>>()
                    .join(", ")
            ));
        }
        out.push('\n');
    }
    if has_ages(report) {
        let (age, tickets, ready, mean) = (words.age, words.tickets, words.ready, words.mean);
        out.push_str(&format!("{}:\n\n| {age} | {tickets} | {ready} | {mean} |\n|-|-:|-:|-:|\n", words.ages));
        for age in report.ages.iter().filter(|age| age.tickets > 0) {
            let mean = age.mean.map(points).unwrap_or_default();
            out.push_str(&format!("| {} | {} | {} | {mean} |\n", age.label, age.tickets, age.ready));
        }
        out.push('\n');
    }
    if !report.open_first.is_empty() {
        out.push_str(&format!("{}:\n\n", words.open_first));
        for (index, ticket) in report.open_first.iter().enumerate() {
            let likely = points((ticket.not_ready * 100.0).round());
            let (name, question) = (linked(&ticket.id, ticket.url.as_deref()), escaped(&ticket.question));
            let title = escaped(&ticket.title);
            out.push_str(&format!("{}. {name} {title} (needs an answer: {likely} %) – {question}\n", index + 1));
        }
        out.push('\n');
    } else if !report.worst.is_empty() {
        out.push_str(&format!("{}:\n\n", words.worst));
        for (index, ticket) in report.worst.iter().enumerate() {
            let first = ticket.first_edit.as_deref().map(|edit| format!(" – {}", escaped(edit))).unwrap_or_default();
            let (score, title) = (points(ticket.score), escaped(&ticket.title));
            out.push_str(&format!(
                "{}. {} {title} ({score}/100){first}\n",
                index + 1,
                linked(&ticket.id, ticket.url.as_deref())
            ));
        }
        out.push('\n');
    }
    out
}

/// The expected number of tickets at each level of readiness, and the most frequent questions.
fn readiness(report: &v1::Report) -> String {
    let mut out = String::new();
    if let Some(readiness) = &report.readiness {
        out.push_str(&format!(
            "| readiness (expected, {} tickets) | tickets | share |\n|-|-:|-:|\n",
            readiness.tickets
        ));
        for level in &readiness.levels {
            let share = points((level.share * 100.0).round());
            out.push_str(&format!(
                "| {} {} | {} | {share} % |\n",
                level.ready,
                escaped(&level.label),
                points(level.expected.round())
            ));
        }
        out.push('\n');
    }
    if !report.questions.is_empty() {
        out.push_str("| what authors would be asked | tickets | most likely for |\n|-|-:|-|\n");
        for question in &report.questions {
            let names: Vec<String> =
                question.examples.iter().map(|ticket| linked(&ticket.id, ticket.url.as_deref())).collect();
            let (summary, code) = (escaped(&question.summary), &question.code);
            out.push_str(&format!("| {summary} (`{code}`) | {} | {} |\n", question.tickets, names.join(", ")));
        }
        out.push('\n');
    }
    out
}

/// The name of a ticket as a link to it. GitHub would list a bare `#12`, or a link to its own address, as a mention on
/// the issue; links through `redirect.github.com` avoid this.
fn linked(id: &str, url: Option<&str>) -> String {
    let id = one_line(id).replace(['`', '|'], "'");
    let quiet = url.map(|url| url.replacen("https://github.com/", "https://redirect.github.com/", 1));
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/:.-_~%?=&#".contains(c);
    let is_address = |url: &str| url.starts_with("https://") || url.starts_with("http://");
    match quiet.filter(|url| is_address(url) && url.chars().all(is_plain)) {
        Some(url) => format!("[`{id}`]({url})"),
        None => format!("`{id}`"),
    }
}

/// The policy, and the number of tickets that each figure is about if some figures cover fewer tickets than others.
pub(super) fn basis(report: &v1::Report, language: Language) -> String {
    let words = messages::Audit::of(language);
    let totals = &report.totals;
    let (all, scored) = (totals.tickets, report.scores.count);
    let judged = totals.ready + totals.not_ready + totals.stopped;
    let estimated = report.readiness.as_ref().map(|readiness| readiness.tickets);
    let mut parts = Vec::new();
    if !report.policies.is_empty() {
        let names: Vec<String> =
            report.policies.iter().map(|policy| format!("{} {}", policy.id, policy.version)).collect();
        parts.push(words.judged_under(&names.join(words.name_separator)));
    }
    if judged != all || scored != judged || estimated.is_some_and(|estimated| estimated != scored) {
        parts.push(words.were_judged(&all, &judged, &scored));
        parts.extend(estimated.map(|estimated| words.were_estimated(&estimated)));
        parts.push(words.stop.to_owned());
    }
    let gap = words.gap_between;
    match parts.split_first() {
        Some((policy, rest)) if !report.policies.is_empty() && !rest.is_empty() => {
            format!("{policy}{gap}{}", rest.concat())
        }
        _ => parts.concat(),
    }
}

/// Returns true if the age of any ticket is known; otherwise the table of ages would be empty.
pub(super) fn has_ages(report: &v1::Report) -> bool {
    report.ages.iter().any(|age| age.tickets > 0 && age.from_days.is_some())
}

/// Escapes text so that Markdown shows it literally, without mentions, links, references, images, HTML or table edges.
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
            // GitHub turns a bare `https://` into a link.
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
