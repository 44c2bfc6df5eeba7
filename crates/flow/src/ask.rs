//! Questions to people: the four primitives (clarification, approval, add instructions, interrupt), and the shape of
//! their answers.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::ask_view::{AskView, Field, Input, Note, ShownText, json_answer};
use super::problem::Problem;
use super::reply::Reply;
use reqgate_base::model::Language;
use reqgate_messages as messages;

/// A typed question to a person, with the check of its answer.
pub trait AskModel: Serialize + DeserializeOwned + Clone + std::fmt::Debug {
    /// The kind, for lists and channels, e.g. `clarification` or `approval`.
    fn kind(&self) -> &'static str;

    /// The question in one line, in English or in the words of its author.
    fn title(&self) -> String;

    /// The question in one line; words of the program are in the given language.
    fn title_in(&self, _language: Language) -> String {
        self.title()
    }

    /// The JSON Schema of a valid answer.
    fn answer_schema(&self) -> Value;

    /// Checks an answer before it is recorded.
    ///
    /// # Errors
    ///
    /// Returns every problem, with its path in the answer.
    fn check(&self, answer: &Value) -> Result<(), Vec<Problem>>;

    /// The parts of the question, for doors that show it as a form. By default its answer is written as JSON.
    fn view(&self, language: Language) -> AskView<'_> {
        AskView::with_json(self.title_in(language), language)
    }

    /// The answer in the fields of the view, which [`Self::check`] has not seen yet.
    ///
    /// # Errors
    ///
    /// Fails if the fields do not say which answer is meant.
    fn answer_in(&self, input: &Input, language: Language) -> Result<Value, Vec<Problem>> {
        json_answer(input, language)
    }

    /// Returns true for a question that asks for further instructions. A person can ask to skip all such questions.
    fn is_add_instructions(&self) -> bool {
        false
    }
}

/// Reads an answer of a known type.
///
/// # Errors
///
/// Returns the first problem, with its path.
pub fn read_answer<T: DeserializeOwned>(answer: &Value) -> Result<T, Vec<Problem>> {
    serde_path_to_error::deserialize(answer).map_err(|error| {
        vec![Problem { path: error.path().to_string(), message: without_value(&error.inner().to_string()) }]
    })
}

/// A message of serde without the given words, because they may be secret.
fn without_value(message: &str) -> String {
    const GIVEN: [&str; 3] = ["invalid type: string", "invalid value: string", "unknown variant"];
    let expected = message.rfind(", expected ").map(|at| &message[at..]);
    let given = GIVEN.into_iter().find(|given| message.starts_with(given));
    given.zip(expected).map_or_else(|| message.to_owned(), |(given, expected)| format!("{given}{expected}"))
}

/// Reads an answer of a person. Its fields may be spelled as in JSON or as in YAML: `userFeedback`, `user_feedback`.
///
/// # Errors
///
/// Returns the first problem, with its path.
pub fn read_reply<T: DeserializeOwned>(answer: &Value) -> Result<T, Vec<Problem>> {
    read_answer(answer).or_else(|problems| {
        let respelled = respelled(answer, false).map_err(|problem| vec![problem])?;
        if respelled == *answer { Err(problems) } else { read_answer(&respelled).map_err(|_| problems) }
    })
}

/// The answer with `user_feedback` spelled `userFeedback`. An object in a field of the answer is left unchanged,
/// because its keys are ids.
fn respelled(value: &Value, is_in_list: bool) -> Result<Value, Problem> {
    match value {
        Value::Object(fields) => {
            let mut out = Map::new();
            for (key, value) in fields {
                let is_by_id = value.is_object() && !is_in_list;
                insert(&mut out, key, if is_by_id { value.clone() } else { respelled(value, is_in_list)? })?;
            }
            Ok(out.into())
        }
        Value::Array(items) => items.iter().map(|item| respelled(item, true)).collect(),
        other => Ok(other.clone()),
    }
}

/// Adds a field with its key in camel case; fails if both spellings occur.
fn insert(fields: &mut Map<String, Value>, key: &str, value: Value) -> Result<(), Problem> {
    let name = in_camel_case(key);
    if fields.insert(name.clone(), value).is_some() {
        let message = "this field is given in two spellings: leave one out".to_owned();
        return Err(Problem { path: name, message });
    }
    Ok(())
}

fn in_camel_case(key: &str) -> String {
    if !key.chars().all(|c| c.is_ascii_lowercase() || c == '_') {
        return key.to_owned();
    }
    let mut parts = key.split('_');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |mut name, part| {
        name.push_str(&part[..part.len().min(1)].to_ascii_uppercase());
        name.push_str(part.get(1..).unwrap_or_default());
        name
    })
}

/// Reads a value that the program wrote, such as an event of a log or a checked result.
///
/// It shares its code with [`read_answer`], because separate code for the same types would add a third of a megabyte to
/// the program.
///
/// # Errors
///
/// Returns the first problem, preceded by its path.
pub fn read_value<T: DeserializeOwned>(value: &Value) -> Result<T, String> {
    serde_path_to_error::deserialize(value).map_err(|error| error.to_string())
}

/// The JSON Schema of a type, as it is sent with a question.
pub fn schema_of<T: JsonSchema>() -> Value {
    schemars::schema_for!(T).to_value()
}

/// Questions that only a person can answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Clarification {
    /// The questions; each can be answered separately.
    pub questions: Vec<Question>,
    /// The subject of the questions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// Instructions for the answer.
    pub instructions: String,
}

/// One question of a clarification.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// Names the question in the answer.
    pub id: String,
    /// The question to the person.
    pub question: String,
    /// The words, or the finding, that raised it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
}

/// The answer to a clarification. A question that is left out stays open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClarificationAnswer {
    /// The replies by the id of their question.
    pub answers: BTreeMap<String, Reply>,
}

/// A decision on something that is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Approval {
    /// The subject of the decision, in one line.
    pub summary: String,
    /// The full text to be approved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<String>,
    /// Instructions for the decision.
    pub instructions: String,
}

/// The answer to an approval.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ApprovalAnswer {
    /// The person approves the subject.
    pub approved: bool,
    /// The reason, or the changes that are needed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feedback: Option<String>,
}

impl ApprovalAnswer {
    /// The feedback of a rejection, or a standard text if it has none.
    pub fn feedback_or_default(&self) -> &str {
        self.feedback.as_deref().unwrap_or("Rejected without feedback")
    }
}

/// An opportunity to add instructions for the next steps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AddInstructions {
    /// The current state of the work.
    pub current_context: String,
    /// The question to the person.
    pub prompt: String,
}

/// The answer to a chance to add instructions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AddInstructionsAnswer {
    /// The instructions to add; may be empty.
    pub additional_instructions: String,
    /// The remaining opportunities of this run are skipped.
    #[serde(default)]
    pub skip_remaining: bool,
}

/// A stop that needs a decision whether to continue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Interrupt {
    /// The reason why the run stopped.
    pub reason: String,
    /// The facts that help to decide; never the whole state.
    #[serde(default)]
    pub state: BTreeMap<String, String>,
    /// The effect of each decision.
    pub resume_instructions: String,
}

/// The answer to an interrupt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InterruptAnswer {
    /// The decision: continue or abort.
    pub action: InterruptAction,
    /// A note for the record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
}

/// The action after an interrupt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum InterruptAction {
    /// The run continues from here.
    Continue,
    /// The run ends as failed.
    Abort,
}

/// The four primitives as one question, for workflows that need no others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Ask {
    /// Questions that only a person can answer.
    Clarification(Clarification),
    /// A decision on something that is shown.
    Approval(Approval),
    /// A chance to add instructions.
    AddInstructions(AddInstructions),
    /// A stop that needs a decision whether to continue.
    Interrupt(Interrupt),
}

impl AskModel for Ask {
    fn kind(&self) -> &'static str {
        match self {
            Self::Clarification(_) => "clarification",
            Self::Approval(_) => "approval",
            Self::AddInstructions(_) => "add_instructions",
            Self::Interrupt(_) => "interrupt",
        }
    }

    fn title(&self) -> String {
        match self {
            Self::Clarification(ask) => match ask.questions.as_slice() {
                [one] => one.question.clone(),
                many => format!("{} questions", many.len()),
            },
            Self::Approval(ask) => ask.summary.clone(),
            Self::AddInstructions(ask) => ask.prompt.clone(),
            Self::Interrupt(ask) => ask.reason.clone(),
        }
    }

    fn answer_schema(&self) -> Value {
        match self {
            Self::Clarification(_) => schema_of::<ClarificationAnswer>(),
            Self::Approval(_) => schema_of::<ApprovalAnswer>(),
            Self::AddInstructions(_) => schema_of::<AddInstructionsAnswer>(),
            Self::Interrupt(_) => schema_of::<InterruptAnswer>(),
        }
    }

    fn check(&self, answer: &Value) -> Result<(), Vec<Problem>> {
        match self {
            Self::Clarification(ask) => ask.check(answer),
            Self::Approval(_) => read_answer::<ApprovalAnswer>(answer).map(drop),
            Self::AddInstructions(_) => read_answer::<AddInstructionsAnswer>(answer).map(drop),
            Self::Interrupt(_) => read_answer::<InterruptAnswer>(answer).map(drop),
        }
    }

    fn view(&self, language: Language) -> AskView<'_> {
        let (said, own) = (messages::Ask::of(language), messages::Flow::of(language));
        let title = self.title_in(language);
        match self {
            Self::Clarification(ask) => AskView {
                title,
                context: Note::new("", ask.context.iter().chain([&ask.instructions]).cloned()),
                fields: ask.questions.iter().map(words_of).collect(),
                ..AskView::default()
            },
            Self::Approval(ask) => {
                let names = [said.approve, said.want_changes];
                let options = [("approve", names[0]), ("change", names[1])];
                let document = ask.details.as_deref().map(|text| ShownText { text, path: "", language });
                AskView {
                    title,
                    yes_or_no: Some(names),
                    context: Note::new("", [ask.instructions.clone()]),
                    document,
                    fields: vec![
                        Field::choice(DECISION, said.your_decision, &options),
                        Field::words("feedback", said.feedback, 3),
                    ],
                }
            }
            Self::AddInstructions(ask) => AskView {
                title,
                context: Note::new("", [ask.current_context.clone()]),
                fields: vec![Field::words("instructions", own.ask_instructions, 4), Field::tick("skip", own.ask_skip)],
                ..AskView::default()
            },
            Self::Interrupt(ask) => ask.view(title, ask.resume_instructions.clone(), language),
        }
    }

    fn answer_in(&self, input: &Input, language: Language) -> Result<Value, Vec<Problem>> {
        match self {
            Self::Clarification(_) => Ok(json!({ "answers": input.replies() })),
            Self::Approval(_) => {
                let approved = decided(input, ["approve", "change"], language)?;
                let feedback = input.said("feedback");
                serde_json::to_value(ApprovalAnswer { approved, feedback }).map_err(unwritable)
            }
            Self::AddInstructions(_) => serde_json::to_value(AddInstructionsAnswer {
                additional_instructions: input.words("instructions").to_owned(),
                skip_remaining: input.get("skip").is_some(),
            })
            .map_err(unwritable),
            Self::Interrupt(_) => interrupt_in(input, language),
        }
    }

    fn is_add_instructions(&self) -> bool {
        matches!(self, Self::AddInstructions(_))
    }
}

/// The field with the decision on the whole.
const DECISION: &str = "decision";

fn words_of(question: &Question) -> Field<'_> {
    let about = question.about.as_deref().map(|about| format!(" ({about})")).unwrap_or_default();
    Field::words(format!("answer.{}", question.id), format!("{}{about}", question.question), 2)
}

/// Returns true if the first of two values was chosen. An approval in a word is the first one as well.
fn decided(input: &Input, values: [&str; 2], language: Language) -> Result<bool, Vec<Problem>> {
    match input.words(DECISION) {
        chosen if chosen == values[0] || chosen == "approve" => Ok(true),
        chosen if chosen == values[1] || chosen == "change" => Ok(false),
        _ => {
            let message = messages::Ask::of(language).problem_choose_decision.to_owned();
            Err(vec![Problem { path: DECISION.to_owned(), message }])
        }
    }
}

/// The answer to an interrupt in the fields of its view.
pub(crate) fn interrupt_in(input: &Input, language: Language) -> Result<Value, Vec<Problem>> {
    let goes_on = decided(input, ["continue", "abort"], language)?;
    let action = if goes_on { InterruptAction::Continue } else { InterruptAction::Abort };
    serde_json::to_value(InterruptAnswer { action, context: None }).map_err(unwritable)
}

fn unwritable(error: serde_json::Error) -> Vec<Problem> {
    vec![Problem::whole(error.to_string())]
}

impl Interrupt {
    /// The view of an interrupt with its title and the effect of each decision in a language.
    pub(crate) fn view(&self, title: String, ways: String, language: Language) -> AskView<'_> {
        let said = messages::Ask::of(language);
        let names = [said.try_again, said.end_it];
        let options = [("continue", names[0]), ("abort", names[1])];
        AskView {
            title,
            yes_or_no: Some(names),
            context: Note::new(said.effect_of_decisions, [ways]),
            fields: vec![Field::choice(DECISION, said.your_decision, &options)],
            ..AskView::default()
        }
    }
}

impl Clarification {
    /// Checks an answer: every entry must belong to a question.
    ///
    /// # Errors
    ///
    /// Returns every problem, with its path in the answer.
    pub fn check(&self, answer: &Value) -> Result<(), Vec<Problem>> {
        let answer: ClarificationAnswer = read_reply(answer)?;
        let known: Vec<&str> = self.questions.iter().map(|question| question.id.as_str()).collect();
        let unknown: Vec<Problem> = answer
            .answers
            .keys()
            .filter(|id| !known.contains(&id.as_str()))
            .map(|id| Problem {
                path: format!("answers.{id}"),
                message: format!("there is no such question: use {}", known.join(", ")),
            })
            .collect();
        if unknown.is_empty() { Ok(()) } else { Err(unknown) }
    }
}
