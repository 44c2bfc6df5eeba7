//! Inserts the answers to questions into the body of an issue, as a proposal: each at the place that raised its
//! question.
//!
//! This is pure code, and no text is reworded. A line that contains only the questioned words is replaced by the
//! answer; otherwise the answer follows the line. An answer to a question about the whole text is inserted under its
//! heading, which is added if it is missing.

use reqgate_base::model::{Language, Outcome, ReviewIssue};
use reqgate_docs::{Outline, is_called, write};
use reqgate_report::comment::{Change, FindingReference};

/// The body of an issue with the answers inserted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Folded {
    pub(crate) body: String,
    /// The changes, in the order of the new body; lines are counted from 0.
    pub changes: Vec<Change>,
}

/// An edit of the old body: after which line, how many lines it replaces, and the new lines.
struct Edit {
    at: usize,
    removes: usize,
    lines: Vec<String>,
}

/// Inserts answers, given by the number of their question, into a body.
pub(crate) fn fold(
    body: &str,
    first_line: usize,
    outcome: &Outcome,
    questions: &[FindingReference],
    answers: &[(usize, String)],
) -> Folded {
    let old: Vec<&str> = body.lines().collect();
    let outline = Outline::of(body);
    let language = outcome.packet.language.value;
    let mut edits: Vec<Edit> = Vec::new();
    for (number, answer) in answers {
        let Some(reference) = number.checked_sub(1).and_then(|index| questions.get(index)) else { continue };
        let issue = issues(outcome).find(|issue| issue.fingerprint == reference.fingerprint);
        let lines: Vec<String> =
            answer.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect();
        let line = issue.and_then(|issue| issue.position).and_then(|position| position.line.checked_sub(first_line));
        edits.push(match (line.filter(|line| *line < old.len()), issue) {
            (Some(line), Some(issue)) => beside(&old, line, issue, &lines),
            _ => under_heading(&old, &outline, heading(reference.rule.as_str(), language), &lines),
        });
    }
    applied(&old, edits)
}

fn issues(outcome: &Outcome) -> impl Iterator<Item = &ReviewIssue> {
    outcome.score_report.iter().flat_map(|report| report.blocking_issues.iter().chain(&report.non_blocking_issues))
}

/// Replaces the questioned line if it has no other words; otherwise inserts the answer after it.
fn beside(old: &[&str], line: usize, issue: &ReviewIssue, answer: &[String]) -> Edit {
    let (prefix, words) = bare(old[line]);
    let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
    let asked = issue.quote.as_deref().map_or(0, letters);
    let is_whole_line = asked * 10 >= letters(words) * 8;
    let lines = answer.iter().map(|line| format!("{prefix}{}", bare(line).1)).collect();
    if is_whole_line { Edit { at: line, removes: 1, lines } } else { Edit { at: line + 1, removes: 0, lines } }
}

/// At the end of the section with that heading, or in a new one at the end of the text.
fn under_heading(old: &[&str], outline: &Outline<'_>, heading: &str, answer: &[String]) -> Edit {
    let items = answer.iter().map(|line| write::item(bare(line).1));
    let headings = outline.headings();
    let line_of = |at: usize| headings.get(at).map_or(old.len(), |heading| heading.line as usize - 1);
    match headings.iter().position(|own| is_called(own.words.trim_end_matches([':', '：']), heading)) {
        Some(at) => {
            let (start, end) = (line_of(at), line_of(at + 1));
            let last = (start..end).rev().find(|at| !old[*at].trim().is_empty()).unwrap_or(start);
            let gap = (last == start).then(String::new);
            Edit { at: last + 1, removes: 0, lines: gap.into_iter().chain(items).collect() }
        }
        None => {
            let mut lines = Vec::new();
            if old.last().is_some_and(|line| !line.trim().is_empty()) {
                lines.push(String::new());
            }
            lines.extend([write::heading(2, heading), String::new()]);
            lines.extend(items);
            Edit { at: old.len(), removes: 0, lines }
        }
    }
}

/// The heading for the answer to a question about the whole text.
fn heading(rule: &str, language: Language) -> &'static str {
    let (english, chinese) = match rule {
        "missing-acceptance-criteria" | "happy-path-only" | "criterion-restates-title" => {
            ("Acceptance criteria", "验收标准")
        }
        "missing-benefit" | "circular-benefit" => ("Why", "背景"),
        "missing-actor" => ("Who", "用户"),
        "missing-need" | "missing-user-story" => ("Story", "用户故事"),
        "missing-steps" => ("Steps to reproduce", "复现步骤"),
        "missing-expected-behaviour" => ("Expected", "期望结果"),
        "missing-actual-behaviour" => ("Actual", "实际结果"),
        "missing-environment" => ("Environment", "环境"),
        "missing-scope" => ("Out of scope", "不包含"),
        _ => ("Answers", "补充说明"),
    };
    match language {
        Language::En => english,
        Language::Zh => chinese,
    }
}

/// The indent and the list marker of a line, and the words after them.
fn bare(line: &str) -> (&str, &str) {
    let indent = line.len() - line.trim_start().len();
    let rest = &line[indent..];
    let sign = ["- [ ] ", "- [x] ", "- [X] ", "- ", "* ", "+ "].iter().find(|sign| rest.starts_with(**sign));
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let numbered = (digits > 0 && rest[digits..].starts_with(". ")).then_some(digits + 2);
    line.split_at(indent + sign.map(|sign| sign.len()).or(numbered).unwrap_or(0))
}

fn applied(old: &[&str], mut edits: Vec<Edit>) -> Folded {
    // The sort is stable, so answers at one place stay in the order in which they were given.
    edits.sort_by_key(|edit| edit.at);
    let mut body: Vec<String> = Vec::new();
    let mut changes: Vec<Change> = Vec::new();
    let mut at = 0;
    for edit in edits {
        // Two answers about one line: it was replaced already, so the second follows the first.
        let removes = if edit.at < at { 0 } else { edit.removes };
        let until = edit.at.max(at).min(old.len());
        body.extend(old[at..until].iter().map(|line| (*line).to_owned()));
        at = until;
        let removed = old.get(at).filter(|_| removes > 0).map(|_| at);
        at += removed.map_or(0, |_| 1);
        changes.push(Change { line: body.len(), removed, added: edit.lines.len() });
        body.extend(edit.lines);
    }
    body.extend(old[at..].iter().map(|line| (*line).to_owned()));
    Folded { body: body.join("\n"), changes }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support;
    use reqgate_report::comment::CommentState;

    const BODY: &str = "As a clerk I want to export orders, so that accounting can import them.\n\n## Acceptance criteria\n\n\
                        - When I press export, then a file with all open orders is saved\n- The format is TBD\n\n## Notes\n\nnone";

    fn folded(answers: &[(usize, &str)], questions: &[&str]) -> String {
        let outcome = test_support::judged("Export orders as a file", BODY);
        let reference = |rule: &&str| {
            let found = issues(&outcome).find(|issue| issue.rule_id.as_str() == *rule);
            FindingReference {
                rule: reqgate_base::model::RuleId::new(*rule).unwrap(),
                fingerprint: found
                    .map_or_else(|| reqgate_base::model::Fingerprint("none".into()), |issue| issue.fingerprint.clone()),
            }
        };
        let questions: Vec<FindingReference> = questions.iter().map(reference).collect();
        let answers: Vec<(usize, String)> =
            answers.iter().map(|(number, words)| (*number, (*words).to_owned())).collect();
        fold(BODY, 3, &outcome, &questions, &answers).body
    }

    #[test]
    fn answer_replaces_the_line_that_only_asked() {
        let body = folded(&[(1, "The format is CSV with a header line")], &["open-point"]);
        assert!(body.contains("\n- The format is CSV with a header line\n"), "{body}");
        assert!(!body.contains("TBD"), "{body}");
    }

    #[test]
    fn missing_part_goes_under_its_heading() {
        let body =
            folded(&[(1, "- When nothing is open, then no file is saved\n- more")], &["missing-acceptance-criteria"]);
        assert!(body.contains("TBD\n- When nothing is open, then no file is saved\n- more\n\n## Notes"), "{body}");
        let body = folded(&[(1, "version 4.2")], &["missing-environment"]);
        assert!(body.ends_with("none\n\n## Environment\n\n- version 4.2"), "{body}");
    }

    #[test]
    fn number_without_a_question_changes_nothing() {
        assert_eq!(folded(&[(0, "x"), (7, "y")], &["open-point"]), BODY);
    }

    #[test]
    fn any_answers_can_be_folded() {
        let outcome = test_support::judged("Export orders as a file", BODY);
        let questions: Vec<FindingReference> = CommentState::after(None, &outcome, "a", "", true).open;
        proptest::proptest!(|(words: Vec<String>, body in "[-# a\n中.0-9]{0,80}")| {
            let answers: Vec<(usize, String)> = (1..).zip(words).collect();
            let folded = fold(&body, 3, &outcome, &questions, &answers);
            let added: usize = folded.changes.iter().map(|change| change.added).sum();
            let removed = folded.changes.iter().filter(|change| change.removed.is_some()).count();
            proptest::prop_assert_eq!(folded.body.split('\n').count(), (body.lines().count() + added - removed).max(1));
        });
    }
}
