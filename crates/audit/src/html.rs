//! The audit as one self-contained page: it has no script, loads no other files, and is readable in light, dark and on
//! paper.

use std::io;

use minijinja::value::Serde;
use minijinja::{Value, context};
use serde::Serialize;

use super::text::{basis, has_ages};
use super::v1;
use super::words::{Fact, age, compared, level, sentence};
use reqgate_base::clean::one_line;
use reqgate_base::model::Language;
use reqgate_base::page::Page;
use reqgate_messages as messages;
use reqgate_report::points;

const TEMPLATE: &str = include_str!("page.html.j2");
/// The style sheet of the page, for pages with their own frame.
pub const STYLE: &str = include_str!("page.css");
/// The height of the tallest bar, in units of the chart.
const HEIGHT: f64 = 90.0;
/// The number of rows in the chart of gaps.
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

/// A segment of the bar of readiness.
#[derive(Debug, Serialize)]
struct Level {
    ready: u64,
    label: String,
    words: String,
    count: String,
    share: String,
    x: f64,
    middle: f64,
    width: f64,
}

/// A question with the tickets in which it is most probable.
#[derive(Debug, Serialize)]
struct QuestionRow {
    code: String,
    summary: String,
    tickets: usize,
    width: f64,
    examples: Vec<Named>,
}

/// A ticket with its title and address.
#[derive(Debug, Serialize)]
struct Named {
    id: String,
    title: String,
    url: Option<String>,
}

/// A ticket that is worth opening first.
#[derive(Debug, Serialize)]
struct First {
    #[serde(flatten)]
    named: Named,
    question: String,
    facts: String,
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

#[derive(Debug, Serialize)]
struct Link {
    id: String,
    url: Option<String>,
}

/// A ticket that is worth fixing first.
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

/// The report as a whole page in English.
///
/// # Errors
/// Fails only if the template that is built into the program is broken.
pub fn html(report: &v1::Report) -> io::Result<String> {
    shown(report, Language::En, true)
}

/// The contents of [`html`] in a language, for a page that has its own frame and loads [`STYLE`].
///
/// # Errors
/// Fails only if the template that is built into the program is broken.
pub fn html_contents(report: &v1::Report, language: Language) -> io::Result<String> {
    shown(report, language, false)
}

fn shown(report: &v1::Report, language: Language, is_whole: bool) -> io::Result<String> {
    let words = messages::Audit::of(language);
    let seen = |value| Value::from(Serde(value));
    let rubrics: Vec<String> =
        report.rubrics.iter().map(|rubric| format!("{} {}", rubric.id, rubric.version)).collect();
    let ctx = context! {
        is_whole,
        version => report.version.as_str(),
        source => one_line(&report.source),
        day => report.day.as_str(),
        sentence => sentence(report, language),
        basis => basis(report, language),
        has_ages => has_ages(report),
        change => report.change.as_ref().map(|change| compared(report, change, language)),
        is_cut => report.is_cut,
        levels => report.readiness.as_ref().map(|readiness| Value::from(Serde(levels(readiness, language)))),
        expected => report.readiness.as_ref().map(|it| words.expected(&it.tickets)),
        questions => seen_all(question_rows(&report.questions)),
        first => seen_all(report.open_first.iter().map(|it| first(it, language)).collect()),
        scored => report.scores.count,
        bins => seen(bins(&report.scores)),
        gaps => report.gaps.iter().take(SHOWN_GAPS).map(|gap| Value::from(Serde(gap_row(gap)))).collect::<Vec<_>>(),
        ages => report.ages.iter().map(|one| Value::from(Serde(age_row(one, language)))).collect::<Vec<_>>(),
        worst => report.worst.iter().map(|it| Value::from(Serde(ticket(it, language)))).collect::<Vec<_>>(),
        rubrics => rubrics.join(", "),
        words => seen_words(words),
    };
    Page::new(TEMPLATE, STYLE).and_then(|page| page.render(ctx)).map_err(io::Error::other)
}

fn seen_words(words: &'static messages::Audit) -> Value {
    Value::from(Serde(words))
}

fn seen_all<T: Serialize + Send + Sync + std::fmt::Debug + 'static>(items: Vec<T>) -> Vec<Value> {
    items.into_iter().map(|item| Value::from(Serde(item))).collect()
}

/// The width of the bar of readiness, in units of the chart.
const WIDTH: f64 = 1000.0;

fn levels(readiness: &v1::Readiness, language: Language) -> Vec<Level> {
    let mut x = 0.0;
    let part = |it: &v1::ReadinessLevel| {
        let (count, share) = (points(it.expected.round()), points((it.share * 100.0).round()));
        let label = level(it, language);
        let width = (it.share * WIDTH).min(WIDTH - x);
        let from = x;
        x += width;
        Level {
            ready: it.ready,
            words: format!("{label}: {count} ({share} %)"),
            label,
            count,
            share: format!("{share} %"),
            x: from,
            middle: from + width / 2.0,
            width,
        }
    };
    readiness.levels.iter().map(part).collect()
}

fn question_rows(questions: &[v1::Question]) -> Vec<QuestionRow> {
    let most = questions.iter().map(|question| question.tickets).max().unwrap_or(0).max(1);
    let row = |question: &v1::Question| QuestionRow {
        code: question.code.clone(),
        summary: one_line(&question.summary).into_owned(),
        tickets: question.tickets,
        width: (question.tickets as f64 / most as f64 * 1000.0).round() / 10.0,
        examples: question.examples.iter().map(|it| named(&it.id, &it.title, it.url.as_deref())).collect(),
    };
    questions.iter().map(row).collect()
}

fn first(it: &v1::OpenFirst, language: Language) -> First {
    let mut facts = vec![Fact::NeedsAnswer((it.not_ready * 100.0).round() as u64), Fact::Questions(it.questions)];
    facts.extend(attention(it.interest, it.idle_days));
    First {
        named: named(&it.id, &it.title, it.url.as_deref()),
        question: one_line(&it.question).into_owned(),
        facts: joined(&facts, language),
    }
}

fn joined(facts: &[Fact], language: Language) -> String {
    facts.iter().map(|fact| fact.in_words(language)).collect::<Vec<_>>().join(messages::Audit::of(language).comma)
}

fn named(id: &str, title: &str, url: Option<&str>) -> Named {
    Named { id: one_line(id).into_owned(), title: one_line(title).into_owned(), url: address(url) }
}

/// The address, if it is a web address. Intake accepts no others, but a report read from a file may contain any text.
fn address(url: Option<&str>) -> Option<String> {
    url.filter(|url| url.starts_with("https://") || url.starts_with("http://")).map(str::to_owned)
}

/// The number of comments on a ticket and the days since its last change.
fn attention(interest: u64, idle_days: Option<i64>) -> Vec<Fact> {
    let idle = idle_days.and_then(|days| usize::try_from(days).ok()).map(Fact::IdleDays);
    let interest = usize::try_from(interest).unwrap_or(usize::MAX);
    Some(interest).filter(|interest| *interest > 0).map(Fact::Interest).into_iter().chain(idle).collect()
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

fn age_row(one: &v1::Age, language: Language) -> Row {
    Row {
        label: age(one, language),
        id: String::new(),
        tickets: one.tickets,
        second: one.ready,
        words: one.mean.map(points).unwrap_or_default(),
        width: one.mean.unwrap_or(0.0),
        examples: Vec::new(),
    }
}

fn link(id: &str, url: Option<&str>) -> Link {
    Link { id: one_line(id).into_owned(), url: address(url) }
}

fn ticket(it: &v1::Worst, language: Language) -> Ticket {
    let edits = it.edits.map(Fact::Edits);
    let mut facts: Vec<Fact> = edits.into_iter().collect();
    facts.extend(attention(it.interest, it.idle_days));
    let Link { id, url } = link(&it.id, it.url.as_deref());
    Ticket {
        id,
        title: one_line(&it.title).into_owned(),
        url,
        score: points(it.score),
        facts: joined(&facts, language),
        first_edit: it.first_edit.as_deref().map(|edit| one_line(edit).into_owned()),
        blocking: it.blocking.clone(),
    }
}
