//! The questions of the gate about the sources: asked to a person, or passed to the reader of the sources.

use std::collections::BTreeMap;

use serde_json::Value;

use super::super::asks::PrdAsk;
use super::super::facts::{GateSummary, JudgedDocument, SourceText};
use super::super::revision::{decided, left_open, quoted};
use super::super::state::{PrdPatch, PrdState};
use super::super::team::TeamPatch;
use super::super::vision::left_without;
use super::super::{PrdLabel, PrdWorkflow};
use super::results::value;
use reqgate_flow::{Clarification, ClarificationAnswer, NodeError, Outcome, Question, Step};
use reqgate_text::answer::leaves_open;

/// Asks the questions of the gate. A reader answers them from the sources, or lists them as open questions of the brief.
pub(super) fn clarification(state: &PrdState, results: &[&Value]) -> Result<Step<PrdWorkflow>, NodeError> {
    let mut questions = Vec::new();
    let mut outcome = Outcome::go(PrdLabel::Next);
    for result in results {
        let gate: GateSummary = value(Some(result))?;
        questions.extend(questions_of(&gate, &state.user_input));
        if state.has_reader() && !gate.questions.is_empty() {
            outcome = outcome.patch(PrdPatch::Judged(gate));
        }
    }
    for (number, question) in (1..).zip(&mut questions) {
        question.id = format!("q{number}");
    }
    if state.has_reader() {
        // Questions that a source itself contains stay open until a person answers them.
        questions.retain(|one| quoted(&one.question).is_some_and(|topic| topic.ends_with(['?', '？'])));
        let open = left_open(&questions, &BTreeMap::new());
        let outcome = if open.is_empty() { outcome } else { outcome.patch(PrdPatch::LeftOpen(open)) };
        return Ok(Step::Done(outcome));
    }
    if questions.is_empty() {
        return Ok(Step::Done(outcome));
    }
    Ok(Step::Ask(PrdAsk::Clarification(Clarification {
        questions,
        context: None,
        instructions: state
            .said(
                "Answer what you can. Questions left empty that quote a source become open questions of the brief.",
                "请回答已知的问题；留空且引用了来源的，作为简介的待解问题保留。",
            )
            .to_owned(),
    })))
}

/// Records the answers to questions as sources. Of the other questions, those about words of a source stay open, and so does the one for
/// the vision of a team.
pub(super) fn clarified(
    state: &PrdState,
    asked: &Clarification,
    given: ClarificationAnswer,
    at: &str,
) -> Outcome<PrdWorkflow> {
    let answers = asked.questions.iter().filter_map(|question| {
        let answer = decided(question, given.answers.get(&question.id)?)?;
        let text = format!("{}\n\n{answer}", question.question);
        Some(SourceText { name: format!("ask:{}", question.id), text })
    });
    let (label, open) = match state.team {
        Some(_) => (PrdLabel::Team, left_without(&asked.questions, &given.answers)),
        None => (PrdLabel::Next, left_open(&asked.questions, &given.answers)),
    };
    let mut outcome = Outcome::go(label).patch(PrdPatch::Answered(answers.collect()));
    if let Some(day) = at.get(..10).filter(|_| state.team.is_some()) {
        outcome = outcome.patch(PrdPatch::Team(Box::new(TeamPatch::Dated(day.to_owned()))));
    }
    if open.is_empty() { outcome } else { outcome.patch(PrdPatch::LeftOpen(open)) }
}

/// The questions of the gate for a reader of the sources, each with its location; `None` if there are none.
pub(super) fn for_reader(state: &PrdState) -> Option<SourceText> {
    let questions = state.gate.iter().flat_map(|gate| questions_of(gate, &state.user_input));
    let line = |one: Question| format!("- {} ({})", one.question, one.about.unwrap_or_default());
    let lines: Vec<String> = questions.map(line).collect();
    (!lines.is_empty()).then(|| SourceText { name: "questions".to_owned(), text: lines.join("\n") })
}

/// The questions about one source, each with the location of the quoted words.
fn questions_of(gate: &GateSummary, sources: &[SourceText]) -> Vec<Question> {
    let JudgedDocument::Source(name) = &gate.document else { return Vec::new() };
    let text = sources.iter().find(|source| source.name == *name).map_or("", |source| &source.text);
    let question = |asked: &String| {
        let topic = quoted(asked);
        let line = topic.and_then(|topic| line_of(text, topic));
        let field = topic.and_then(open_field);
        Question {
            id: String::new(),
            question: match (topic, field) {
                (Some(topic), Some(field)) => asked.replacen(topic, &field, 1),
                _ => asked.clone(),
            },
            about: Some(line.map_or_else(|| name.clone(), |line| format!("{name}:{line}"))),
        }
    };
    gate.questions.iter().map(question).collect()
}

/// The line on which these words of a source begin.
fn line_of(text: &str, topic: &str) -> Option<usize> {
    let words = topic.trim_matches('…').trim();
    let at = text.find(words).filter(|_| !words.is_empty())?;
    Some(text[..at].matches('\n').count() + 1)
}

/// The open field of a line with several fields: 测试：（待定） of “产品：陆嘉 研发：何川 测试：（待定）”.
fn open_field(topic: &str) -> Option<String> {
    let mut fields: Vec<Vec<&str>> = Vec::new();
    for word in topic.split_whitespace() {
        match fields.last_mut() {
            Some(field) if !word.contains([':', '：']) => field.push(word),
            _ => fields.push(vec![word]),
        }
    }
    let fields: Vec<String> = fields.into_iter().map(|words| words.join(" ")).collect();
    let is_open = |field: &&String| {
        let value = field.split_once([':', '：']).map_or("", |(_, value)| value);
        leaves_open(value.trim().trim_matches(['(', ')', '（', '）', '[', ']']))
    };
    let mut open = fields.iter().filter(is_open);
    match (open.next(), open.next()) {
        (Some(field), None) if fields.iter().filter(|field| field.contains([':', '：'])).count() > 1 => {
            Some(field.clone())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqgate_base::model::Verdict;

    #[test]
    fn a_question_names_its_place_and_quotes_the_field_that_is_open() {
        let text = "# 纪要\n\n产品：陆嘉 研发：何川 测试：（待定）\nParked, Colm to think about it.\n";
        let source = SourceText { name: "纪要.md".to_owned(), text: text.to_owned() };
        let gate = GateSummary {
            document: JudgedDocument::Source(source.name.clone()),
            text_hash: String::new(),
            verdict: Verdict::Reject,
            score: None,
            blockers: Vec::new(),
            open_questions: Vec::new(),
            findings: Vec::new(),
            warnings: Vec::new(),
            questions: vec![
                "“产品：陆嘉 研发：何川 测试：（待定）”由谁、什么时候定？".to_owned(),
                "“Parked, Colm to think about it.”: what was decided in the end?".to_owned(),
            ],
        };
        let asked = questions_of(&gate, &[source]);
        let shown: Vec<(&str, Option<&str>)> =
            asked.iter().map(|one| (one.question.as_str(), one.about.as_deref())).collect();
        assert_eq!(
            shown,
            [
                ("“测试：（待定）”由谁、什么时候定？", Some("纪要.md:3")),
                ("“Parked, Colm to think about it.”: what was decided in the end?", Some("纪要.md:4")),
            ]
        );
        assert_eq!(open_field("Dev: Ann Lee QA: TBD"), Some("QA: TBD".to_owned()));
        assert_eq!(open_field("The limit: TBD"), None, "one field is the whole line");
    }
}
