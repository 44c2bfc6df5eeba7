//! The audit as one self-contained page: no script, nothing loaded from elsewhere, readable in light and dark and on paper.

use std::io;

use minijinja::value::Serde;
use minijinja::{Value, context};
use serde::Serialize;

use super::{text, v1, words};
use crate::clean::one_line;
use crate::page::Page;
use crate::report::points;

const TEMPLATE: &str = include_str!("page.html.j2");
const STYLE: &str = include_str!("page.css");
/// Height of the tallest bar in units of the chart.
const HEIGHT: f64 = 90.0;
/// Rows of the chart of gaps.
const SHOWN_GAPS: usize = 12;

/// A bar of a chart.
#[derive(Debug, Serialize)]
struct Bar {
    label: String,
    words: String,
    count: usize,
    x: usize,
    y: f64,
    height: f64,
}

/// A row of a table with a bar in it.
#[derive(Debug, Serialize)]
struct Row {
    label: String,
    id: String,
    tickets: usize,
    second: usize,
    words: String,
    width: f64,
    examples: Vec<Link>,
}

/// A ticket with its address.
#[derive(Debug, Serialize)]
struct Link {
    id: String,
    url: Option<String>,
}

/// A ticket worth mending.
#[derive(Debug, Serialize)]
struct Ticket {
    id: String,
    title: String,
    url: Option<String>,
    score: String,
    facts: String,
    first_edit: Option<String>,
    blocking: Vec<String>,
}

/// The page.
///
/// # Errors
/// Fails only if the template that is built into the program is broken.
pub fn html(report: &v1::Report) -> io::Result<String> {
    let seen = |value| Value::from(Serde(value));
    let rubrics: Vec<String> =
        report.rubrics.iter().map(|rubric| format!("{} {}", rubric.id, rubric.version)).collect();
    let ctx = context! {
        version => report.version.as_str(),
        source => one_line(&report.source),
        day => report.day.as_str(),
        sentence => text::sentence(report),
        change => report.change.as_ref().map(|change| text::compared(report, change)),
        is_cut => report.is_cut,
        scored => report.scores.count,
        bins => seen(bins(&report.scores)),
        gaps => report.gaps.iter().take(SHOWN_GAPS).map(|gap| Value::from(Serde(gap_row(gap)))).collect::<Vec<_>>(),
        ages => report.ages.iter().map(|age| Value::from(Serde(age_row(age)))).collect::<Vec<_>>(),
        worst => report.worst.iter().map(|it| Value::from(Serde(ticket(it)))).collect::<Vec<_>>(),
        rubrics => rubrics.join(", "),
        words => context! {
            cut => words::CUT, scores => words::SCORES, gaps => words::GAPS, gap => words::GAP, tickets => words::TICKETS,
            blocks => words::BLOCKS, examples => words::EXAMPLES, share => words::SHARE, ages => words::AGES,
            age => words::AGE, ready => words::READY, mean => words::MEAN, worst => words::WORST,
        },
    };
    Page::new(TEMPLATE, STYLE).and_then(|page| page.render(ctx)).map_err(io::Error::other)
}

fn bins(scores: &v1::Scores) -> Vec<Bar> {
    let most = scores.bins.iter().copied().max().unwrap_or(0).max(1);
    let bar = |(bin, count): (usize, &usize)| {
        let height = (HEIGHT * *count as f64 / most as f64 * 100.0).round() / 100.0;
        let last = if bin + 1 == scores.bins.len() { 100 } else { bin * 10 + 9 };
        let label = format!("{}–{last}", bin * 10);
        Bar { words: format!("{label}: {count}"), label, count: *count, x: bin * 44, y: 14.0 + HEIGHT - height, height }
    };
    scores.bins.iter().enumerate().map(bar).collect()
}

fn gap_row(gap: &v1::Gap) -> Row {
    Row {
        label: one_line(&gap.summary).into_owned(),
        id: gap.rule_id.clone(),
        tickets: gap.tickets,
        second: gap.blocking,
        words: format!("{} %", points(gap.share * 100.0)),
        width: gap.share * 100.0,
        examples: gap.examples.iter().map(|example| link(&example.id, example.url.as_deref())).collect(),
    }
}

fn age_row(age: &v1::Age) -> Row {
    Row {
        label: age.label.clone(),
        id: String::new(),
        tickets: age.tickets,
        second: age.ready,
        words: age.mean.map(points).unwrap_or_default(),
        width: age.mean.unwrap_or(0.0),
        examples: Vec::new(),
    }
}

/// Intake takes web addresses only; a report that was read from a file may say anything.
fn link(id: &str, url: Option<&str>) -> Link {
    let url = url.filter(|url| url.starts_with("https://") || url.starts_with("http://"));
    Link { id: one_line(id).into_owned(), url: url.map(str::to_owned) }
}

fn ticket(it: &v1::Worst) -> Ticket {
    let mut facts = Vec::new();
    let mut add = |count: Option<u64>, one: &str, many: &str| match count {
        Some(1) => facts.push(one.to_owned()),
        Some(count) => facts.push(format!("{count} {many}")),
        None => {}
    };
    add(it.edits.map(|edits| edits as u64), "1 edit to a pass", "edits to a pass");
    add(Some(it.interest).filter(|interest| *interest > 0), "1 comment or reaction", "comments and reactions");
    add(
        it.idle_days.and_then(|days| u64::try_from(days).ok()),
        "1 day since the last update",
        "days since the last update",
    );
    let Link { id, url } = link(&it.id, it.url.as_deref());
    Ticket {
        id,
        title: one_line(&it.title).into_owned(),
        url,
        score: points(it.score),
        facts: facts.join(", "),
        first_edit: it.first_edit.as_deref().map(|edit| one_line(edit).into_owned()),
        blocking: it.blocking.clone(),
    }
}
