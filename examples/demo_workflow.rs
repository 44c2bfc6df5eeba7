//! A small workflow with every kind of node: a condition, the four questions to people, an agent's task, a checked draft
//! and a file. Run it with `cargo run --example demo_workflow -- "what to build"`, stop it at any moment, and run it again.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;

use reqgate::workflow::{
    AddInstructions, AddInstructionsAnswer, Answer, Approval, ApprovalAnswer, Ask, Before, Begin, CallResult,
    Clarification, ClarificationAnswer, Durability, Edge, Effect, Enter, Executor, Interrupt, InterruptAction,
    InterruptAnswer, NodeError, Order, Outcome, Performed, Problem, Question, Reply, Run, SqliteStore, Step, Stop,
    Store, ThreadId, Workflow, World, edge, end, loop_edge, read_answer,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

reqgate::names! {
    /// The steps.
    pub(crate) enum Node {
        /// Asks what only a person knows, unless it is known.
        Clarify => "clarify",
        /// Offers a chance to add instructions.
        Instruct => "instruct",
        /// Has an agent look around.
        Research => "research",
        /// Has the PRD written, and checks it.
        GeneratePrd => "generate_prd",
        /// Stops before anything is shown to others.
        Confirm => "confirm",
        /// Asks for approval.
        Approval => "approval",
        /// Writes the file.
        Publish => "publish",
        /// Says what went wrong.
        Failure => "failure",
    }
}

reqgate::names! {
    /// What steps return.
    pub(crate) enum Label {
        /// Go on.
        Next => "next",
        /// It cannot be done.
        Error => "error",
        /// It was approved.
        Approved => "approved",
        /// It was not.
        Rejected => "rejected",
    }
}

/// How far it is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Phase {
    /// Nothing is written.
    #[default]
    Init,
    /// Somebody decides.
    Approval,
    /// The file is there.
    Complete,
    /// It went wrong.
    Error,
}

/// What the nodes know.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct State {
    input: String,
    phase: Phase,
    clarification: Option<BTreeMap<String, String>>,
    instructions: Vec<String>,
    research: Option<String>,
    prd: Option<String>,
    approved: bool,
    error: Option<String>,
}

/// How it changes.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Patch {
    Input(String),
    Phase(Phase),
    Clarified(BTreeMap<String, String>),
    Instructed(String),
    Researched(String),
    Written(String),
    Approved(bool),
    Failed(String),
}

/// Work for others.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Call {
    /// An agent's task: a text.
    Agent { prompt: String },
    /// A draft of the shape `{ "title": …, "body": … }`.
    Draft { input: String, instructions: Vec<String>, research: Option<String> },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Draft {
    title: String,
    body: String,
}

/// The workflow.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Demo;

impl Workflow for Demo {
    const NAME: &'static str = "demo";
    const VERSION: u32 = 1;
    const START: Node = Node::Clarify;
    const FAILURE: Node = Node::Failure;
    const EDGES: &'static [Edge<Node, Label>] = &[
        edge(Node::Clarify, Label::Next, Node::Instruct),
        edge(Node::Instruct, Label::Next, Node::Research),
        edge(Node::Research, Label::Next, Node::GeneratePrd),
        edge(Node::GeneratePrd, Label::Next, Node::Approval),
        edge(Node::GeneratePrd, Label::Error, Node::Failure),
        edge(Node::Approval, Label::Approved, Node::Confirm),
        loop_edge(Node::Approval, Label::Rejected, Node::GeneratePrd, 3),
        edge(Node::Confirm, Label::Next, Node::Publish),
        edge(Node::Confirm, Label::Error, Node::Failure),
        end(Node::Publish, Label::Next),
        end(Node::Failure, Label::Next),
    ];

    type Node = Node;
    type Label = Label;
    type State = State;
    type Patch = Patch;
    type Call = Call;
    type Ask = Ask;

    fn apply(state: &mut State, patch: &Patch) {
        match patch.clone() {
            Patch::Input(input) => state.input = input,
            Patch::Phase(phase) => state.phase = phase,
            Patch::Clarified(answers) => state.clarification = Some(answers),
            Patch::Instructed(text) => state.instructions.push(text),
            Patch::Researched(text) => state.research = Some(text),
            Patch::Written(text) => state.prd = Some(text),
            Patch::Approved(approved) => state.approved = approved,
            Patch::Failed(message) => {
                state.error = Some(message);
                state.phase = Phase::Error;
            }
        }
    }

    fn enter(&self, node: Node, state: &State) -> Enter<Self> {
        match node {
            Node::Clarify if state.clarification.is_some() => Enter::Done(Outcome::go(Label::Next)),
            Node::Clarify => Enter::Ask(Ask::Clarification(Clarification {
                questions: [("scope", "What is the project scope?"), ("stakeholders", "Who are the stakeholders?")]
                    .map(|(id, question)| Question { id: id.into(), question: question.into(), about: None })
                    .into(),
                context: Some(state.input.clone()),
                instructions: "Answer what you know; what is left empty stays open.".into(),
            })),
            Node::Instruct => Enter::Ask(Ask::AddInstructions(AddInstructions {
                current_context: state.input.clone(),
                prompt: "Is there anything to add?".into(),
            })),
            Node::Research => {
                Enter::Call(vec![Call::Agent { prompt: format!("What exists already for: {}", state.input) }])
            }
            Node::GeneratePrd => Enter::Call(vec![Call::Draft {
                input: state.input.clone(),
                instructions: state.instructions.clone(),
                research: state.research.clone(),
            }]),
            Node::Approval => Enter::Ask(Ask::Approval(Approval {
                summary: "Approve the PRD?".into(),
                details: state.prd.clone(),
                instructions: "Approve it, or say what to change.".into(),
            })),
            Node::Confirm => Enter::Ask(Ask::Interrupt(Interrupt {
                reason: "The PRD is about to be written to demo/prd.md".into(),
                state: BTreeMap::new(),
                resume_instructions: "continue: write it; abort: end here".into(),
            })),
            Node::Publish => {
                let content = state.prd.clone().unwrap_or_default();
                let file = Effect::File { path: "demo/prd.md".into(), content, before: Before::Absent };
                Enter::Done(Outcome::go(Label::Next).patch(Patch::Phase(Phase::Complete)).effect(file))
            }
            Node::Failure => Enter::Done(Outcome::go(Label::Next).patch(Patch::Phase(Phase::Error))),
        }
    }

    fn fold(&self, node: Node, _state: &State, results: &[CallResult]) -> Result<Step<Self>, NodeError> {
        let result = match results {
            [CallResult::Done(result)] => result,
            [CallResult::Failed(problems)] if node == Node::GeneratePrd => {
                let message = problems.first().map_or("Unknown validation error".into(), ToString::to_string);
                let patch = Patch::Failed(format!("PRD generation failed: {message}"));
                return Ok(Step::Done(Outcome::go(Label::Error).patch(patch)));
            }
            _ => return Err(NodeError::new("the research came to nothing")),
        };
        let patch = if node == Node::Research {
            Patch::Researched(result.as_str().unwrap_or_default().to_owned())
        } else {
            let draft: Draft =
                serde_json::from_value(result.clone()).map_err(|error| NodeError::new(error.to_string()))?;
            Patch::Written(format!("# {}\n\n{}\n", draft.title, draft.body))
        };
        Ok(Step::Done(Outcome::go(Label::Next).patch(patch).patch(Patch::Phase(Phase::Approval))))
    }

    fn answered(&self, _: Node, _: &State, ask: &Ask, answer: &Answer<'_>) -> Result<Outcome<Self>, NodeError> {
        let answer = answer.value;
        let unreadable = |problems: Vec<Problem>| NodeError::new(format!("{problems:?}"));
        Ok(match ask {
            Ask::Clarification(_) => {
                let answer: ClarificationAnswer = read_answer(answer).map_err(unreadable)?;
                let words = |(id, reply): (String, Reply)| Some((id, reply.answer()?.to_owned()));
                let answers = answer.answers.into_iter().filter_map(words).collect();
                Outcome::go(Label::Next).patch(Patch::Clarified(answers))
            }
            Ask::AddInstructions(_) => {
                let answer: AddInstructionsAnswer = read_answer(answer).map_err(unreadable)?;
                Outcome::go(Label::Next).patch(Patch::Instructed(answer.additional_instructions))
            }
            Ask::Approval(_) => {
                let answer: ApprovalAnswer = read_answer(answer).map_err(unreadable)?;
                if answer.approved {
                    Outcome::go(Label::Approved).patch(Patch::Approved(true))
                } else {
                    let feedback = format!("Rejected: {}", answer.feedback_or_default());
                    Outcome::go(Label::Rejected).patch(Patch::Instructed(feedback))
                }
            }
            Ask::Interrupt(_) => {
                let answer: InterruptAnswer = read_answer(answer).map_err(unreadable)?;
                match answer.action {
                    InterruptAction::Continue => Outcome::go(Label::Next),
                    InterruptAction::Abort => Outcome::go(Label::Error).patch(Patch::Failed("Stopped".into())),
                }
            }
        })
    }

    fn check(&self, call: &Call, result: &Value) -> Result<(), Vec<Problem>> {
        match call {
            Call::Agent { .. } if result.is_string() => Ok(()),
            Call::Agent { .. } => Err(vec![Problem::whole("a text is wanted")]),
            Call::Draft { .. } => {
                let draft: Draft = read_answer(result)?;
                let empty = |path: &str| vec![Problem { path: path.into(), message: "must not be empty".into() }];
                match (draft.title.trim(), draft.body.trim()) {
                    ("", _) => Err(empty("title")),
                    (_, "") => Err(empty("body")),
                    _ => Ok(()),
                }
            }
        }
    }

    fn failed(messages: &[String]) -> Option<Patch> {
        Some(Patch::Failed(messages.join("; ")))
    }
}

/// Writes drafts without a model.
pub(crate) struct Writer;

impl Executor<Call> for Writer {
    fn perform(&mut self, call: &Call, _order: &Order) -> Performed {
        let result = match call {
            Call::Agent { prompt } => json!(format!("Nothing was found for “{prompt}”.")),
            Call::Draft { input, instructions, research } => json!({
                "title": input,
                "body": format!("{}\n\n{}", instructions.join("\n"), research.clone().unwrap_or_default()),
            }),
        };
        Performed::Done { result, usage: Value::Null }
    }
}

/// Asks on the terminal; `None` if there is nobody.
fn answer_on_terminal(ask: &Value, schema: &Value) -> io::Result<Option<Value>> {
    println!("{ask:#}\nAnswer as JSON of this shape, or press Enter to stop here:\n{schema}");
    print!("> ");
    io::stdout().flush()?;
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    Ok(serde_json::from_str(line.trim()).ok())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let input = std::env::args().nth(1).unwrap_or_else(|| "An export of orders".to_owned());
    let directory = PathBuf::from("target/demo");
    let store = SqliteStore::open(&directory.join("state"))?;
    let thread: ThreadId = "demo".parse()?;
    let now = || format!("{:?}", std::time::SystemTime::now());
    let world = World { now: &now };
    let mut run = if store.record(&thread)?.is_some() {
        Run::open(&Demo, &store, &world, Durability::Step, &thread)?
    } else {
        let begin = Begin {
            id: thread,
            title: input.clone(),
            root: directory,
            input: vec![Patch::Input(input)],
            actor: "demo".into(),
        };
        Run::begin(&Demo, &store, &world, Durability::Step, begin)?
    };
    loop {
        match run.advance(&mut Writer)? {
            Stop::Ended(phase) => {
                println!("{phase:?}");
                return Ok(());
            }
            Stop::Ordering(order, _) => {
                println!("waiting for {}", order.id);
                return Ok(());
            }
            Stop::Asking(id, ask) => {
                let Some(answer) = answer_on_terminal(&ask.json(), &ask.answer_schema())? else { return Ok(()) };
                match run.answer(&id, &answer, "you", "terminal") {
                    Ok(receipt) => println!("{receipt:?}"),
                    Err(error) => println!("{error}"),
                }
            }
        }
    }
}
