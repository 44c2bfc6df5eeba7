//! Questions to people as the flat forms that clients can show, and the answers in them.
//!
//! A form shows every decision. Questions that are too long for one, or need more than a yes or a few words (a document that the gate
//! stops, requirements that a person changed by hand), are answered at the command line.

use serde_json::{Map, Value, json};

use reqgate_base::clean;
use reqgate_base::model::Language;
use reqgate_flow::{Asking, Question};
use reqgate_messages as messages;
use reqgate_prd::ask::{self, AskView, Input, Note};
use reqgate_prd::workflow::{Doubted, GateSummary, PrdWorkflow, doubt_in_words, verdict_in_words};

/// The longest text of a form, in characters.
const LONGEST: usize = 8_000;
/// The most questions of a form.
const MOST_QUESTIONS: usize = 10;
/// The field with the decision, and its values.
const DECISION: &str = "decision";
const APPROVE: &str = "approve";
const CHANGE: &str = "change";
/// The field with the changes that are wanted.
const CHANGES: &str = "changes";

/// The parameters of a form: message and schema; `None` if the question does not fit into a form.
pub(super) fn form(question: &Asking<PrdWorkflow>, language: Language, mask: &dyn Fn(&str) -> String) -> Option<Value> {
    let Asking::Workflow(_) = question else { return None };
    let view = ask::view(question, language);
    if view.needs_reason || !view.by_hand.is_empty() || view.questions.len() > MOST_QUESTIONS {
        return None;
    }
    let mut fields = Map::new();
    if let Some(names) = view.yes_or_no {
        let title = messages::Ask::of(language).your_decision;
        let shape = json!({ "type": "string", "title": title, "enum": [APPROVE, CHANGE], "enumNames": names });
        fields.insert(DECISION.to_owned(), shape);
        let title = messages::Ask::of(language).feedback;
        fields.insert(CHANGES.to_owned(), json!({ "type": "string", "title": title }));
    }
    let asked = view.questions.iter().enumerate().map(|(number, one)| (field(number), shape(one, mask)));
    fields.extend(asked);
    let message = clean::lines(&mask(&message(&view, language).join("\n")));
    if message.chars().count() > LONGEST || fields.is_empty() {
        return None;
    }
    let mut schema = json!({ "type": "object", "properties": fields });
    if view.yes_or_no.is_some() {
        schema["required"] = json!([DECISION]);
    }
    Some(json!({ "mode": "form", "message": message, "requestedSchema": schema }))
}

/// The answer that a filled form gives; `None` if it contains neither a decision nor words.
pub(super) fn answer(question: &Asking<PrdWorkflow>, content: &Map<String, Value>) -> Option<Value> {
    let Asking::Workflow(_) = question else { return None };
    let view = ask::view(question, Language::En);
    let said = |key: &str| content.get(key).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
    let decision = said(DECISION).filter(|decision| [APPROVE, CHANGE].contains(decision));
    let answers = view.questions.iter().enumerate();
    let answers = answers.filter_map(|(number, one)| Some((format!("answer.{}", one.id), said(&field(number))?)));
    let input = answers.fold(Input::default(), |input, (name, words)| input.with(name, words));
    if view.yes_or_no.is_none() {
        return (!input.is_empty()).then(|| ask::answer(question, &input).ok())?.map(|answer| answer.json());
    }
    let input = input.with(DECISION, decision?).with("feedback", said(CHANGES).unwrap_or_default());
    ask::answer(question, &input).ok().map(|answer| answer.json())
}

fn field(number: usize) -> String {
    format!("answer_{}", number + 1)
}

/// The field for the answer to a question.
fn shape(one: &Question, mask: &dyn Fn(&str) -> String) -> Value {
    let mut shape = json!({ "type": "string", "title": clean::short_line(&mask(&one.question), 300) });
    if let Some(about) = &one.about {
        shape["description"] = clean::short_line(&mask(about), 300).into();
    }
    shape
}

/// Everything that a person needs to decide.
fn message(view: &AskView<'_>, language: Language) -> Vec<String> {
    let words = messages::Ask::of(language);
    let mut lines = vec![view.title.clone()];
    lines.extend(view.context.iter().flat_map(|note| note.lines.clone()));
    if view.yes_or_no.is_none() {
        lines.push(words.leave_unknown_empty.to_owned());
    }
    lines.extend(view.gate.map(|gate| gate_line(gate, language)));
    lines.extend(doubt_lines(view.doubts, language));
    let unused = view.not_used.len();
    lines.extend((unused > 0).then(|| words.unused_sentences(&unused)));
    lines.extend(view.taken_out.clone());
    for one in view.requirements.into_iter().flat_map(|ask| &ask.requirements) {
        lines.push(format!("\n{} {}: {}", one.id, one.title, one.description));
        lines.extend(one.acceptance_criteria.iter().map(|criterion| format!("- {criterion}")));
        lines.extend(one.waits_in_words(language));
    }
    if let Some(ask) = view.gaps {
        lines.push(ask.summary.clone());
        lines.extend(ask.identified_gaps.iter().map(|gap| format!("{}: {}", gap.title, gap.description)));
    }
    for Note { title, lines: noted } in &view.notes {
        lines.push(format!("{title}{}", words.colon.trim_end()));
        lines.extend(noted.iter().map(|line| format!("- {line}")));
    }
    lines.extend(view.document.iter().flat_map(|document| [String::new(), document.text.to_owned()]));
    lines
}

fn gate_line(gate: &GateSummary, language: Language) -> String {
    let words = messages::Ask::of(language);
    let verdict = verdict_in_words(gate.verdict, language);
    let blockers = gate.blockers.join(" ");
    if gate.only_tells() {
        return format!("{}{blockers}", words.still_missing).trim_end().to_owned();
    }
    format!("{}{verdict} {blockers}", words.gate).trim_end().to_owned()
}

fn doubt_lines(doubted: &[Doubted], language: Language) -> Vec<String> {
    let words = |one: &Doubted| {
        let doubts: Vec<String> = one.doubts.iter().map(|doubt| doubt_in_words(doubt, language)).collect();
        format!("{}: {}", one.at, doubts.join("; "))
    };
    doubted.iter().map(words).collect()
}
