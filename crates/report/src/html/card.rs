//! The values for the part of the page about one input.

use serde::Serialize;

use crate::digest::{
    Digest, demotion, guardrail_sentences, packet_words, path_beyond_blockers, penalty_words, questions,
    raw_text_words, rubric_words,
};
use crate::excerpt::excerpt;
use crate::found::found;
use crate::html::marks::{Kind, MAX_ISSUES};
use crate::model_review::{explained, model_words, rewrites};
use crate::points;
use crate::ticket_name::ticket_name;
use crate::words::{dimension_name, nowhere, path_title, verdict_name};
use reqgate_base::clean::{one_line, short_words};
use reqgate_base::model::{Language, LineIndex, Outcome, ReviewIssue, Verdict};
use reqgate_messages as messages;

/// The maximum number of characters of a finding in a link to it.
const LINK_CHARACTERS: usize = 60;

/// The values of one input for the template.
#[derive(Debug, Serialize)]
pub(super) struct Card {
    class: &'static str,
    language: &'static str,
    words: Labels,
    verdict: String,
    is_open: bool,
    is_beside_text: bool,
    input: String,
    url: Option<String>,
    score: Option<Score>,
    explanation: String,
    blockers: Vec<Issue>,
    hidden_blockers: Option<String>,
    warnings: Vec<Issue>,
    hidden_warnings: Option<String>,
    path: Option<Path>,
    questions: Vec<String>,
    /// The elements found in the text.
    found: Vec<String>,
    rewrites: Vec<Rewrite>,
    model: Vec<String>,
    dimensions: Vec<Dimension>,
    notes: Vec<String>,
    footer: String,
}

#[derive(Debug, Serialize)]
struct Score {
    value: String,
    width: String,
    threshold: Option<String>,
    needs: Option<String>,
}

#[derive(Debug, Serialize)]
struct Dimension {
    id: String,
    value: String,
    width: String,
    weight: String,
}

#[derive(Debug, Serialize)]
struct Issue {
    /// The id of the finding on the page, as in [`super::marks`].
    id: String,
    /// The words of the text that it is about; empty if it is about the whole text.
    words: String,
    line: Option<String>,
    rule_id: String,
    category: &'static str,
    description: String,
    suggestion: String,
    /// The label of an issue that is about the whole text.
    nowhere: Option<&'static str>,
    lines: Vec<Line>,
    hidden_lines: Option<String>,
    cost: Option<String>,
}

#[derive(Debug, Serialize)]
struct Line {
    number: usize,
    before: String,
    marked: String,
    after: String,
}

#[derive(Debug, Serialize)]
struct Path {
    title: String,
    edits: Vec<Edit>,
}

#[derive(Debug, Serialize)]
struct Rewrite {
    line: String,
    words: String,
}

#[derive(Debug, Serialize)]
struct Edit {
    line: Option<String>,
    instruction: String,
    points: Option<String>,
    removes_blocker: bool,
}

/// The card of an outcome for a page that also shows the text: always open, and its findings link to the text.
pub(super) fn card_beside_text(outcome: &Outcome) -> Card {
    // A page with the text has room for the questions that a passing text leaves open.
    let questions = match outcome.decision.verdict {
        Verdict::GuardrailRejected => Vec::new(),
        _ => questions(outcome).into_iter().map(clean).collect(),
    };
    Card { is_open: true, is_beside_text: true, questions, ..card(outcome) }
}

pub(super) fn card(outcome: &Outcome) -> Card {
    let digest = Digest::new(outcome);
    let index = LineIndex::new(&outcome.packet.raw_text);
    let verdict = outcome.decision.verdict;
    let words = messages::Report::of(outcome.language);
    let issues = |issues: &[&ReviewIssue], kind: Kind| {
        let numbered = (1..).zip(issues.iter().take(MAX_ISSUES));
        numbered.map(|(number, it)| issue(outcome, &index, kind.id(number), it)).collect::<Vec<_>>()
    };
    let questions = if verdict == Verdict::Reject { questions(outcome) } else { Vec::new() };
    Card {
        class: class(verdict),
        language: tag(outcome.language),
        words: labels(outcome, &digest),
        verdict: verdict_name(messages::Report::of(outcome.language), verdict).replace('_', " "),
        is_open: !verdict.is_pass(),
        is_beside_text: false,
        input: clean(&ticket_name(outcome)),
        url: outcome.packet.url.clone(),
        score: outcome.score_report.as_ref().map(|report| Score {
            value: points(report.total_score),
            width: width(report.total_score),
            threshold: outcome.decision.threshold.map(points),
            needs: outcome.decision.threshold.map(|needed| words.needs_short(&points(needed))),
        }),
        explanation: clean(&outcome.decision.explanation),
        blockers: issues(&digest.blockers, Kind::Blocker),
        hidden_blockers: rest(digest.blockers.len(), words),
        warnings: issues(&digest.warnings, Kind::Warning),
        hidden_warnings: rest(digest.warnings.len(), words),
        path: path(outcome, &index),
        questions: questions.into_iter().map(clean).collect(),
        found: found(outcome).iter().map(|words| clean(words)).collect(),
        rewrites: rewrites(outcome)
            .into_iter()
            .map(|rewrite| Rewrite { line: words.line(&rewrite.line), words: clean(&rewrite.words) })
            .collect(),
        model: explained(outcome).iter().map(|words| clean(words)).collect(),
        dimensions: dimensions(outcome),
        notes: notes(outcome, &digest),
        footer: footer(outcome),
    }
}

#[derive(Debug, Serialize)]
struct Labels {
    write: &'static str,
    what_blocks: &'static str,
    removes_blocker: &'static str,
    questions: &'static str,
    found: &'static str,
    rewrites: &'static str,
    fill_in: String,
    dimensions: &'static str,
    warnings: String,
    model_did: &'static str,
}

fn labels(outcome: &Outcome, digest: &Digest<'_>) -> Labels {
    let words = messages::Report::of(outcome.language);
    Labels {
        write: words.write_title,
        what_blocks: words.what_blocks,
        removes_blocker: words.removes_blocker,
        questions: words.questions,
        found: words.elements_found,
        rewrites: words.rewrites,
        fill_in: words.fill_in(&"____"),
        dimensions: words.dimensions,
        warnings: words.warnings_counted(digest.warnings.len()),
        model_did: words.model_did,
    }
}

/// A note with the number of items that are not shown.
fn rest(count: usize, words: &messages::Report) -> Option<String> {
    count.checked_sub(MAX_ISSUES).filter(|hidden| *hidden > 0).map(|hidden| words.more(&hidden))
}

fn clean(text: &str) -> String {
    one_line(text).into_owned()
}

/// The length of a bar, 0 to 100.
fn width(score: f64) -> String {
    points(if score.is_finite() { score.clamp(0.0, 100.0) } else { 0.0 })
}

/// The language tag for HTML.
pub(super) fn tag(language: Language) -> &'static str {
    language.of("en", "zh")
}

fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "pass",
        Verdict::Reject => "reject",
        Verdict::NotApplicable => "not-applicable",
        Verdict::GuardrailRejected => "guardrail",
    }
}

fn issue(outcome: &Outcome, index: &LineIndex, id: String, issue: &ReviewIssue) -> Issue {
    let excerpt = issue.span.and_then(|span| excerpt(&outcome.packet.raw_text, index, span));
    let words = messages::Report::of(outcome.language);
    let hidden_lines = excerpt.as_ref().map_or(0, |excerpt| excerpt.hidden_lines);
    let hidden_lines = (hidden_lines > 0).then(|| words.more_lines(hidden_lines));
    let lines: Vec<_> = excerpt.into_iter().flat_map(|excerpt| excerpt.lines).collect();
    Issue {
        id,
        words: lines.first().map(|line| short_words(&line.marked, LINK_CHARACTERS)).unwrap_or_default(),
        line: lines.first().map(|line| words.line(&line.number)),
        rule_id: issue.rule_id.to_string(),
        category: issue.category.name(),
        description: clean(&issue.description),
        suggestion: clean(&issue.suggestion),
        nowhere: issue.position.is_none().then(|| nowhere(words, issue)),
        lines: lines
            .into_iter()
            .map(|line| Line { number: line.number, before: line.before, marked: line.marked, after: line.after })
            .collect(),
        hidden_lines,
        cost: (issue.points > 0.0).then(|| points(issue.points)),
    }
}

fn path(outcome: &Outcome, index: &LineIndex) -> Option<Path> {
    let words = messages::Report::of(outcome.language);
    let path = path_beyond_blockers(outcome)?;
    let now = outcome.score_report.as_ref().map(|report| format!("{} → ", points(report.total_score)));
    let score = format!("{}{}", now.unwrap_or_default(), points(path.score_after));
    let edits = path.edits.iter().map(|edit| Edit {
        line: edit.span.map(|span| words.line(&index.position(&outcome.packet.raw_text, span.start).line)),
        instruction: clean(&edit.instruction),
        points: (edit.points > 0.0).then(|| points(edit.points)),
        removes_blocker: edit.removes_blocker,
    });
    Some(Path { title: path_title(words, &outcome.decision, path, &score), edits: edits.collect() })
}

fn dimensions(outcome: &Outcome) -> Vec<Dimension> {
    let dimensions = outcome.score_report.iter().flat_map(|report| &report.dimension_scores);
    dimensions
        .map(|dimension| Dimension {
            id: clean(dimension_name(outcome.language, &dimension.id)),
            value: points(dimension.score),
            width: width(dimension.score),
            weight: points(dimension.weight * 100.0),
        })
        .collect()
}

/// Other notes on the verdict, one sentence each.
fn notes(outcome: &Outcome, digest: &Digest<'_>) -> Vec<String> {
    let mut notes = penalty_words(outcome);
    let words = messages::Report::of(outcome.language);
    let errors = outcome.structure_errors.iter();
    notes.extend(errors.map(|error| format!("{}{}{error}", words.structure_check, words.colon)));
    notes.extend(guardrail_sentences(outcome));
    notes.extend(raw_text_words(outcome));
    for group in digest.waived_by_reason() {
        notes.push(format!("{}{}{}", words.waived, words.colon, group.head));
        notes.extend(group.findings);
    }
    for (issue, note) in digest.warnings.iter().filter_map(|issue| Some((issue, demotion(issue, outcome.language)?))) {
        notes.push(format!("{}{}{note}", issue.rule_id, words.colon));
    }
    notes.extend(model_words(outcome));
    notes.iter().map(|note| clean(note)).collect()
}

fn footer(outcome: &Outcome) -> String {
    let rubric = rubric_words(outcome)
        .map(|rubric| messages::Report::of(outcome.language).rubric(&rubric) + " · ")
        .unwrap_or_default();
    format!("{rubric}{}", packet_words(outcome))
}
