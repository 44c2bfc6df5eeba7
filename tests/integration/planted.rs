//! Tickets with planted faults: the number of faults found at their lines, and the number of traps that are flagged.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use reqgate::model::{ReviewIssue, Span};
use reqgate::pipeline::Pipeline;
use reqgate::stages::intake::RawInput;

#[derive(serde::Deserialize)]
struct Ticket {
    id: String,
    faults: Vec<Fault>,
    traps: Vec<String>,
    text: String,
}

#[derive(serde::Deserialize)]
struct Fault {
    kind: String,
    quotes: Vec<String>,
}

/// The counts for one part of the tickets.
#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    tickets: usize,
    faults: usize,
    named: usize,
    traps: usize,
    flagged: usize,
    /// The missed, flagged and additional findings, one line each.
    lines: Vec<String>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/planted")
}

fn tickets(part: &str) -> Vec<Ticket> {
    let entries = std::fs::read_dir(folder().join(part)).expect("the tickets are in the repository");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable entry").path()).collect();
    paths.sort();
    let read = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).expect("a readable file").replace("\r\n", "\n");
        serde_saphyr::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    paths.iter().map(read).collect()
}

fn kinds() -> BTreeMap<String, Vec<String>> {
    let text = std::fs::read_to_string(folder().join("kinds.yaml")).expect("the kinds are in the repository");
    serde_saphyr::from_str(&text).expect("the kinds are YAML")
}

fn place(text: &str, quote: &str) -> Span {
    let start = text.find(quote).unwrap_or_else(|| panic!("no “{quote}” in: {text}"));
    Span::new(start, start + quote.len())
}

/// The findings on a text; one over several lines is about the whole text and has no position.
fn issues(pipeline: &Pipeline, ticket: &Ticket) -> Vec<ReviewIssue> {
    let input = RawInput { name: ticket.id.clone(), text: ticket.text.clone(), ..RawInput::default() };
    let report = pipeline.run(input).expect("a valid text").score_report;
    let all = report.map(|report| [report.blocking_issues, report.non_blocking_issues].concat()).unwrap_or_default();
    all.into_iter().filter(|issue| issue.span.is_some_and(|span| !span.slice(&ticket.text).contains('\n'))).collect()
}

fn counts(part: &str) -> Counts {
    let (pipeline, kinds) = (super::gold::pipeline("strict"), kinds());
    let mut sum = Counts::default();
    for ticket in tickets(part) {
        let found = issues(&pipeline, &ticket);
        let at = |quote: &str| {
            let place = place(&ticket.text, quote);
            found.iter().filter(move |issue| issue.span.is_some_and(|span| span.overlaps(place)))
        };
        let mut right = Vec::new();
        sum.tickets += 1;
        for fault in &ticket.faults {
            let rules = kinds.get(&fault.kind).unwrap_or_else(|| panic!("{}: no kind {}", ticket.id, fault.kind));
            let named = |issue: &&ReviewIssue| rules.iter().any(|rule| rule == issue.rule_id.as_str());
            let beside: Vec<&ReviewIssue> = fault.quotes.iter().flat_map(|quote| at(quote)).collect();
            sum.faults += 1;
            if beside.iter().any(named) {
                sum.named += 1;
                right.extend(beside.iter().filter(|issue| named(issue)).map(|issue| issue.fingerprint.clone()));
            } else {
                let others: Vec<&str> = beside.iter().map(|issue| issue.rule_id.as_str()).collect();
                sum.lines.push(format!("{}: missed {} {:?}; said {others:?}", ticket.id, fault.kind, fault.quotes));
            }
        }
        for trap in &ticket.traps {
            let wrong = at(trap).filter(|issue| !right.contains(&issue.fingerprint));
            let flags: Vec<&str> = wrong.map(|issue| issue.rule_id.as_str()).collect();
            sum.traps += 1;
            if !flags.is_empty() {
                sum.flagged += 1;
                sum.lines.push(format!("{}: flagged “{trap}”: {flags:?}", ticket.id));
            }
        }
        let planted: Vec<Span> = ticket.faults.iter().flat_map(|f| &f.quotes).map(|q| place(&ticket.text, q)).collect();
        let beside = found.iter().filter(|i| i.span.is_some_and(|span| !planted.iter().any(|p| p.overlaps(span))));
        for issue in beside {
            let words = issue.span.map_or("", |span| span.slice(&ticket.text));
            sum.lines.push(format!("{}: beside: {} “{words}”", ticket.id, issue.rule_id.as_str()));
        }
    }
    sum
}

fn shown(part: &str) -> Counts {
    let counts = counts(part);
    if std::env::var_os("PLANTED").is_some() && part == "development" {
        println!("{}", counts.lines.join("\n"));
    }
    let Counts { tickets, faults, named, traps, flagged, .. } = counts;
    println!("{part}: {tickets} tickets, {named} of {faults} faults named, {flagged} of {traps} traps flagged");
    counts
}

#[test]
fn planted_faults_of_the_development_part_are_named() {
    let counts = shown("development");
    assert_eq!((counts.tickets, counts.faults, counts.traps), (40, 80, 40));
    // Two more were found by rules about "never" and "always" that were wrong on all texts by other authors.
    assert!(counts.named >= 63 && counts.flagged <= 2, "{} named, {} flagged", counts.named, counts.flagged);
}

#[test]
fn planted_faults_of_the_held_out_part_are_named() {
    let counts = shown("heldout");
    assert_eq!((counts.tickets, counts.faults, counts.traps), (20, 41, 20));
    // It was 28 while the lists contained two words that occur only in one of these tickets (`fitted_terms`).
    assert!(counts.named >= 25 && counts.flagged <= 2, "{} named, {} flagged", counts.named, counts.flagged);
}
