//! The critique without a reader: it reports only findings that the form of a PRD proves.
//!
//! A finding says that information is missing. A section whose layout is not understood gets no findings.

use std::collections::BTreeMap;

use super::blanks;
use super::document::Document;
use super::evidence;
use super::finding::{CheckFinding, FindingCode};
use super::people;
use super::perspective::{Perspective, perspective};
use super::records::{self, Record, Table, Topic};
use super::{Advice, Critique, Grade, Issue, NotRead, Role};
use crate::SourceQuote;
use crate::gaps::filled;
use reqgate_base::model::Language;
use reqgate_text::words::{Words, prd_evidence as words, prd_sections as sections};

/// The fewest headings of a document with sections; one with fewer may have its parts in prose.
const LEAST_HEADINGS: usize = 3;
/// The most records that are named in one finding.
const MOST_NAMED: usize = 4;

/// The critique of one critic, based only on the form of the document. It has no score, and its grade is never `pass`.
pub fn form(document: &Document<'_>, role: Role) -> Critique {
    let own = perspective(role);
    let (found, not_read) = checked(document);
    let issues = found.into_iter().filter_map(|found| issue(document, own, found)).collect();
    let critique = Critique {
        critic_role: role,
        grade: Grade::NotRead,
        score: None,
        category_scores: BTreeMap::new(),
        issues_found: Vec::new(),
        suggestions: Vec::new(),
        commendations: Vec::new(),
        priority_changes: Vec::new(),
        advice: Advice::default(),
        not_read: not_read.into_iter().filter(|(code, _)| own.finding(*code).is_some()).map(|(_, part)| part).collect(),
        keyword_heuristic: own.keyword_heuristic(document.text),
        second_opinion: None,
    };
    critique.with_issues(issues)
}

/// The finding in the words of the critic.
fn issue(document: &Document<'_>, own: &Perspective, found: CheckFinding) -> Option<Issue> {
    let wording = own.finding(found.code)?;
    let language = document.language;
    let mut names: Vec<String> = found
        .names
        .iter()
        .take(MOST_NAMED)
        .map(|(name, line)| {
            let file =
                document.file(*line).map(|file| format!("{file}{}", language.of(", ", "，"))).unwrap_or_default();
            let line = document.place(*line).1;
            match language {
                Language::En => format!("“{name}” ({file}line {line})"),
                Language::Zh => format!("“{name}”（{file}第 {line} 行）"),
            }
        })
        .collect();
    if let Some(more) = found.names.len().checked_sub(MOST_NAMED).filter(|more| *more > 0) {
        names.push(match language {
            Language::En => format!("and {more} more"),
            Language::Zh => format!("另有 {more} 个"),
        });
    }
    let is_whole = found.names.len() == found.of || wording.some.is_none();
    let words = wording.some.as_ref().filter(|_| !is_whole).unwrap_or(&wording.all);
    let (count, of, names) = (found.names.len().to_string(), found.of.to_string(), names.join(language.of(", ", "、")));
    let values = [("section", found.section.as_str()), ("names", &names), ("count", &count), ("of", &of)];
    let quote = match found.names.first() {
        Some((name, _)) if !is_whole || found.section.is_empty() => name.clone(),
        _ => found.section.clone(),
    };
    Some(Issue {
        category: wording.category.clone(),
        code: found.code.name(),
        severity: wording.severity,
        place: found.line.map(|line| {
            let (file, line) = document.place(line);
            SourceQuote { source: file.to_owned(), line, quote }
        }),
        what: filled(words.of(language), &values),
        suggestion: wording.write.of(language).to_owned(),
        is_of_one: false,
    })
}

const METRICS: Topic = Topic {
    headings: sections::METRIC_HEADINGS,
    not: sections::NOT_METRICS,
    answers: None,
    labels: words::METRIC_LABELS,
    is_name: |_| false,
    prose_is_record: true,
};
pub(super) const RISKS: Topic = Topic {
    headings: sections::RISK_HEADINGS,
    not: sections::NOT_RISKS,
    answers: Some(sections::MITIGATION_HEADINGS),
    labels: words::RISK_LABELS,
    is_name: |_| false,
    prose_is_record: true,
};
pub(super) const MILESTONES: Topic = Topic {
    headings: sections::MILESTONE_HEADINGS,
    not: sections::NOT_MILESTONES,
    answers: None,
    labels: words::DATE_COLUMNS,
    is_name: |lower| words::PHASES.stand_in(lower),
    prose_is_record: false,
};
const QUALITIES: Topic = Topic {
    headings: sections::QUALITY_HEADINGS,
    not: sections::ASIDES,
    answers: None,
    labels: words::METRIC_LABELS,
    is_name: |_| false,
    prose_is_record: true,
};

/// All findings, and the sections whose layout was not understood, each with a check that skipped them.
pub(super) fn checked(document: &Document<'_>) -> (Vec<CheckFinding>, Vec<(FindingCode, NotRead)>) {
    let mut found = missing(document);
    let mut not_read = Vec::new();
    let mut unread = |parts: Vec<records::Unread>, code: FindingCode| {
        not_read.extend(parts.into_iter().map(|part| {
            let section =
                document.file(part.line).map_or(part.section.clone(), |file| format!("{file}: {}", part.section));
            (code, NotRead { line: document.place(part.line).1, section })
        }));
    };
    let metrics = records::of(document, METRICS);
    found.extend(metrics.tables.iter().flat_map(of_metrics));
    unread(metrics.unread, FindingCode::MetricWithoutTarget);
    let risks = records::of(document, RISKS);
    found.extend(risks.tables.iter().flat_map(of_risks));
    unread(risks.unread, FindingCode::RiskWithoutOwner);
    let milestones = records::of(document, MILESTONES);
    let has_dates = |table: &Table| table.records.iter().any(|one| evidence::has_date(one, table));
    let is_dated_elsewhere = milestones.tables.iter().any(has_dates);
    found.extend(
        milestones
            .tables
            .iter()
            // If another plan has the dates, a list without dates is not one of milestones.
            .filter(|table| has_dates(table) || !is_dated_elsewhere)
            .filter_map(of_milestones),
    );
    unread(milestones.unread, FindingCode::MilestoneWithoutDate);
    let qualities = records::of(document, QUALITIES);
    found.extend(qualities.tables.iter().filter_map(of_qualities));
    unread(qualities.unread, FindingCode::QualityWithoutFigure);
    found.extend(people::undefined(document));
    found.extend(people::unused(document));
    found.extend(blanks::found(document));
    (found, not_read)
}

/// The missing parts of the PRD, according to its headings and labels. Of a document without sections, those count that no word of its
/// text mentions.
fn missing(document: &Document<'_>) -> Vec<CheckFinding> {
    let prose = (document.headings() < LEAST_HEADINGS).then(|| super::document::padded(document.text));
    let has = |words: &Words| document.is_about(words) || prose.as_ref().is_some_and(|text| words.stand_in(text));
    let has_goal_with_figure = || {
        let goals = |lower: &str| lower.contains(" goal") || lower.contains(" objective") || lower.contains("目标");
        document.sections.iter().any(|section| goals(&section.lower) && evidence::has_figure(&section.words()))
    };
    let has_date =
        || document.sections.iter().filter(|one| one.title.len() < 60).any(|one| evidence::has_time(&one.title));
    let wanted = [
        (FindingCode::MissingProblem, has(sections::PROBLEM)),
        (FindingCode::MissingMetrics, has(sections::METRICS) || has_goal_with_figure()),
        (FindingCode::MissingRisks, has(sections::RISKS)),
        (FindingCode::MissingUsers, has(sections::USERS)),
        (FindingCode::MissingStories, has(sections::STORIES) || !people::stories(document).is_empty()),
        (FindingCode::MissingRequirements, has(sections::REQUIREMENTS)),
        (FindingCode::MissingQualities, has(sections::QUALITIES) || evidence::has_speed(document.text)),
        (
            FindingCode::MissingTimeline,
            has(sections::TIMELINE) || has_date() || evidence::has_release_date(document.text),
        ),
    ];
    let absent = wanted.into_iter().filter(|(_, is_there)| !is_there);
    absent
        .map(|(code, _)| CheckFinding { code, line: None, section: String::new(), names: Vec::new(), of: 0 })
        .collect()
}

/// One finding for the records of a table that lack a value.
fn lacking(table: &Table, code: FindingCode, lacks: &dyn Fn(&Record) -> bool) -> Option<CheckFinding> {
    let names: Vec<(String, u32)> =
        table.records.iter().filter(|record| lacks(record)).map(|record| (record.name.clone(), record.line)).collect();
    let line = if names.len() == table.records.len() { table.line } else { names.first()?.1 };
    let found = CheckFinding { code, line: Some(line), section: table.section.clone(), names, of: table.records.len() };
    (!found.names.is_empty()).then_some(found)
}

/// Metrics without target, baseline or date. A list in which few entries have a figure may list something else; a
/// list with its own heading in which no entry has one is a finding.
fn of_metrics(table: &Table) -> Vec<CheckFinding> {
    let total = table.records.len();
    let figures = table.records.iter().filter(|record| evidence::has_figure(&record.text)).count();
    let is_list = table.header.is_empty();
    let names_metrics = sections::METRIC_HEADINGS.stand_in(&super::document::padded(&table.section));
    let is_table_of_metrics = table.has_column(words::METRIC_COLUMNS) || table.has_column(words::TARGET_COLUMNS);
    let is_read = match is_list {
        true => figures * 2 >= total || figures == 0 && names_metrics,
        false => is_table_of_metrics,
    };
    if total == 0 || !is_read {
        return Vec::new();
    }
    let target = lacking(table, FindingCode::MetricWithoutTarget, &|one| !evidence::has_target(one, table));
    // If all targets are missing, current values and dates are not reported as well.
    if target.as_ref().is_some_and(|found| found.names.len() == total) {
        return target.into_iter().collect();
    }
    let baseline = lacking(table, FindingCode::MetricWithoutBaseline, &|one| !evidence::has_baseline(one, table));
    let date = lacking(table, FindingCode::MetricWithoutDate, &|one| !evidence::has_timeframe(one, table));
    [target, baseline, date].into_iter().flatten().collect()
}

/// Returns true for a list, and for a table with columns of risks.
pub(super) fn is_of_risks(table: &Table) -> bool {
    table.header.is_empty() || table.has_column(words::RISK_COLUMNS) || table.has_column(words::MITIGATION_COLUMNS)
}

fn of_risks(table: &Table) -> Vec<CheckFinding> {
    if table.records.is_empty() || !is_of_risks(table) {
        return Vec::new();
    }
    let owner = lacking(table, FindingCode::RiskWithoutOwner, &|one| !evidence::has_owner(one, table));
    let mitigation = lacking(table, FindingCode::RiskWithoutMitigation, &|one| !evidence::has_mitigation(one, table));
    [owner, mitigation].into_iter().flatten().collect()
}

fn of_milestones(table: &Table) -> Option<CheckFinding> {
    // A single item is a remark, not a plan.
    let found = lacking(table, FindingCode::MilestoneWithoutDate, &|one| !evidence::has_date(one, table))?;
    (table.records.len() >= 2).then_some(found)
}

/// Non-functional requirements that demand a degree without a figure.
fn of_qualities(table: &Table) -> Option<CheckFinding> {
    lacking(table, FindingCode::QualityWithoutFigure, &|one| evidence::is_degree_without_figure(&one.text))
}
