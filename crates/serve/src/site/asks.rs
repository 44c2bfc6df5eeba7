//! The questions that wait for a person: the list, one of them, and its answer.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::Value;

use super::asked::Asked;
use super::headers::redirect;
use super::reply::{Page, page, rendered, with_status};
use super::status::{count, masked_thread, status_of};
use super::upload::Typed;
use super::visitor::Visitor;
use crate::http::{AskEntry, ProblemDetails, Role, Service, Shared, UNREADABLE, blocking, open_asks, working};
use crate::installation::{other, workflow_of};
use crate::page::{Answered, AskPage, Standing, Tab, Waiting, ask_page, inbox_page};
use crate::work::{WorkError, store_with};
use reqgate_base::model::Language;
use reqgate_flow::{AnswerError, AskId, Event, RunError, StateStore, Store, StoreError, ThreadRecord};
use reqgate_messages as messages;
use reqgate_prd::ask::{FieldProblem, Input};

/// The list.
pub(super) async fn inbox(State(state): State<Shared>, visitor: Visitor) -> Response {
    let asking = visitor.clone();
    page(&visitor, blocking(&state, move |service| listed(service, &asking)).await)
}

fn listed(service: &Service, visitor: &Visitor) -> Page {
    let asks = open_asks(service, Some(visitor.language))?;
    let frame = visitor.frame(Tab::Inbox, Some(asks.len()));
    let (unread, open): (Vec<AskEntry>, Vec<AskEntry>) = asks.into_iter().partition(|ask| ask.kind == UNREADABLE);
    let waiting = open.into_iter().map(|ask| Waiting {
        id: ask.id,
        question: ask.question,
        thread_title: ask.title,
        since: ask.since,
    });
    let unread: Vec<String> = unread.into_iter().map(|ask| format!("{}: {}", ask.id.thread, ask.question)).collect();
    rendered(inbox_page(&frame, &waiting.collect::<Vec<_>>(), &unread, &service.installation().now()))
}

/// Shows one question.
pub(super) async fn show(State(state): State<Shared>, visitor: Visitor, Path(ask): Path<String>) -> Response {
    let asking = visitor.clone();
    page(
        &visitor,
        blocking(&state, move |service| Place::of(service, &asking, &ask)?.page(Input::default(), Vec::new())).await,
    )
}

/// The fate of an answer.
enum Sent {
    /// The answer was taken: the page of the question shows the state of the thread.
    Taken(AskId),
    /// The answer was not taken; the page gives the reason and keeps the typed words.
    Not(StatusCode, String),
}

/// Takes an answer.
pub(super) async fn answer(
    State(state): State<Shared>,
    visitor: Visitor,
    Path(ask): Path<String>,
    Typed(fields): Typed,
) -> Response {
    let asking = visitor.clone();
    match working(&state, move |service| sent(service, &asking, &ask, fields)).await {
        Ok(Sent::Taken(ask)) => redirect(&format!("/inbox/{ask}")),
        Ok(Sent::Not(status, html)) => with_status(&visitor, status, Ok(html)),
        Err(problem) => page(&visitor, Err(problem)),
    }
}

fn sent(service: &Service, visitor: &Visitor, ask: &str, typed: Input) -> Result<Sent, ProblemDetails> {
    let place = Place::of(service, visitor, ask)?;
    let language = visitor.language;
    let refused = |status: StatusCode, problems: Vec<FieldProblem>, typed: Input| {
        Place::of(service, visitor, ask)?.page(typed, problems).map(|html| Sent::Not(status, html))
    };
    if !visitor.has_sent(typed.get("csrf")) {
        return refused(StatusCode::FORBIDDEN, vec![whole(language, Fault::TooOld)], typed);
    }
    let Some(person) = visitor.person.clone().filter(|person| person.role >= Role::Answer) else {
        return refused(StatusCode::FORBIDDEN, Vec::new(), typed);
    };
    if place.has_masks && typed.get("decision") == Some("edit") {
        return refused(StatusCode::UNPROCESSABLE_ENTITY, vec![whole(language, Fault::Masked)], typed);
    }
    // The answer to a closed question is compared with the recorded one; the same answer is accepted without effect.
    let given = match place.question.answer(&typed, language) {
        Ok(given) => given,
        Err(problems) => return refused(StatusCode::UNPROCESSABLE_ENTITY, problems, typed),
    };
    let gate = service.gate(None, None)?;
    let Value::Object(json) = given.json() else {
        return refused(StatusCode::UNPROCESSABLE_ENTITY, vec![whole(language, Fault::NoObject)], typed);
    };
    let desk = service.desk_of(&gate, &person);
    let by = (person.name.as_str(), "page");
    let taken = match other(service.installation(), &place.record) {
        Some(workflow) => desk.answer_other(workflow, &place.id, json, by).map(drop),
        None => desk.answer(&place.id, json, by, |_, _| ()).map(drop),
    };
    match taken {
        Ok(()) => Ok(Sent::Taken(place.id)),
        Err(WorkError::Stuck(error)) => {
            // The page of the question shows the answer and the state of the thread.
            (service.settings.log)(&format!("{}: {error}", place.id.thread));
            Ok(Sent::Taken(place.id))
        }
        Err(WorkError::Answer { error, schema }) => match *error {
            AnswerError::WrongShape(problems) => {
                let problems = problems.iter().map(|one| given.problem(one, language)).collect();
                refused(StatusCode::UNPROCESSABLE_ENTITY, problems, typed)
            }
            AnswerError::Conflict(_) => refused(StatusCode::CONFLICT, Vec::new(), typed),
            error => Err(WorkError::Answer { error: Box::new(error), schema }.into()),
        },
        Err(WorkError::Store(StoreError::Busy { .. }) | WorkError::Run(RunError::Store(StoreError::Busy { .. }))) => {
            refused(StatusCode::CONFLICT, vec![whole(language, Fault::Busy)], typed)
        }
        Err(error) => Err(error.into()),
    }
}

/// A reason why an answer was not sent.
enum Fault {
    TooOld,
    Masked,
    Busy,
    NoObject,
}

fn whole(language: Language, fault: Fault) -> FieldProblem {
    let words = match fault {
        Fault::TooOld => messages::Pages::of(language).too_old,
        Fault::Masked => messages::Pages::of(language).masked,
        Fault::Busy => messages::Pages::of(language).busy,
        Fault::NoObject => messages::Pages::of(language).no_object,
    };
    FieldProblem::whole(words)
}

/// A question with its thread.
pub(super) struct Place<'a> {
    service: &'a Service,
    visitor: &'a Visitor,
    store: StateStore,
    record: ThreadRecord,
    events: Vec<Event>,
    id: AskId,
    question: Asked,
    /// Some text in the question is masked, so its texts cannot be edited on the page; otherwise masks would be sent back.
    has_masks: bool,
}

impl<'a> Place<'a> {
    /// The question of this id, open or not.
    fn of(service: &'a Service, visitor: &'a Visitor, ask: &str) -> Result<Self, ProblemDetails> {
        let words = messages::Pages::of(visitor.language).no_question;
        let missing = || ProblemDetails::missing(words);
        let id: AskId = ask.parse().map_err(|_| missing())?;
        let found = store_with(service.installation(), &id.thread).map_err(ProblemDetails::from);
        let (store, record) = found.map_err(|problem| if problem.status == 404 { missing() } else { problem })?;
        let events = store.events_after(&id.thread, 0)?;
        let at = events.iter().position(|event| event.seq == id.seq).ok_or_else(missing)?;
        let is_asked = events[at].body.clone();
        let (record, events) = masked_thread(record, &events, &*service.gate(None, None)?);
        let asked = &events[at];
        let has_masks = asked.body != is_asked;
        let question = Asked::read(service.installation(), &record, asked)?.ok_or_else(missing)?;
        Ok(Self { service, visitor, store, record, events, id, question, has_masks })
    }

    /// The page of the question: the form with the typed words, or the fate of the answer.
    fn page(&self, typed: Input, problems: Vec<FieldProblem>) -> Page {
        let open = self.record.ask.as_ref();
        let standing = if open == Some(&self.id) {
            Standing::Open { typed, problems, may_answer: self.visitor.may(Role::Answer) }
        } else {
            let workflow = workflow_of(self.service.installation(), &self.record)?;
            let next = workflow.read(&self.store, &self.record).ok().and_then(|view| view.open);
            let gate = self.service.gate(None, None)?;
            let next = next.map(|open| gate.masked(&open.title_in(self.visitor.language)));
            Standing::Closed {
                answered: self.answered()?,
                not_taken: typed,
                status: status_of(&self.store, &self.record)?,
                next: open.cloned().zip(next),
            }
        };
        let now = self.service.installation().now();
        let page = AskPage {
            id: &self.id,
            view: self.question.view(self.visitor.language),
            has_masks: self.has_masks,
            record: &self.record,
            events: &self.events,
            now: &now,
            standing,
        };
        rendered(ask_page(&self.visitor.frame(Tab::Inbox, count(self.service)), &page))
    }

    /// The answer that was taken.
    fn answered(&self) -> Result<Option<Answered>, ProblemDetails> {
        for event in self.events.iter().filter(|event| event.seq > self.id.seq) {
            if event.answers() == Some(self.id.seq) {
                let words = self.question.in_words(&event.body["answer"], self.visitor.language);
                let channel = event.body["channel"].as_str().unwrap_or_default();
                return Ok(Some(Answered::new(event, words, channel, self.visitor.language)));
            }
        }
        Ok(None)
    }
}
