//! Renders a trace as one self-contained HTML page without scripts and external resources.

use std::io;

use minijinja::{Value, context};

use super::report::{columns, extent, notes, number, places, sentences, stray_words, verdicts};
use super::{Evidence, Trace, TracedRequirement};
use reqgate_base::clean::one_line;
use reqgate_base::page::Page;
use reqgate_messages as messages;

const TEMPLATE: &str = include_str!("page.html.j2");
const STYLE: &str = include_str!("page.css");

/// Returns the page.
///
/// # Errors
/// Fails only if the built-in template is broken.
pub fn html(trace: &Trace) -> io::Result<String> {
    let language = trace.language;
    let columns = columns(trace);
    let row = |one: &TracedRequirement| {
        let number = |kind: &Evidence| {
            let is_missing = one.wanted && one.mentions.count(*kind) == Some(0) && *kind != Evidence::Commits;
            context! { words => number(&one.mentions, *kind), is_missing => is_missing }
        };
        context! {
            id => one_line(&one.id),
            title => one_line(&one.title),
            status => one.status.words(language),
            numbers => columns.iter().map(number).collect::<Vec<Value>>(),
            places => places(&one.mentions),
        }
    };
    let stray = |stray: &super::Stray| {
        context! { reason => stray.reason.words(language), words => one_line(&stray_words(stray, true, language)) }
    };
    let verdict = |(passes, words): (bool, String)| context! { passes => passes, words => one_line(&words) };
    let clean = |all: Vec<String>| all.iter().map(|words| one_line(words).into_owned()).collect::<Vec<_>>();
    let values = context! {
        lang => language.of("en", "zh"),
        title => messages::Trace::of(language).title,
        document => one_line(&trace.document),
        sentences => clean(sentences(trace)),
        verdicts => verdicts(trace).into_iter().map(verdict).collect::<Vec<Value>>(),
        head => language.of(["id", "title", "status"], ["编号", "标题", "状态"]),
        columns => columns.iter().map(|kind| kind.words(language)).collect::<Vec<_>>(),
        places => messages::Trace::of(language).places,
        rows => trace.requirements.iter().map(row).collect::<Vec<Value>>(),
        strays => trace.strays.iter().map(stray).collect::<Vec<Value>>(),
        extent => extent(trace),
        notes => clean(notes(trace)),
    };
    Page::new(TEMPLATE, STYLE).and_then(|page| page.render(values)).map_err(io::Error::other)
}
