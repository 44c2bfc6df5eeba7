//! Starts a PRD from a name, a text and files.

use axum::extract::State;
use axum::extract::multipart::{Multipart, MultipartRejection};
use axum::http::StatusCode;
use axum::response::Response;

use super::headers::redirect;
use super::reply::{Page, page, rendered, with_status};
use super::status::count;
use super::upload::{self, File};
use super::visitor::{Visitor, language};
use crate::http::{ProblemDetails, Role, Service, Shared, blocking, working};
use crate::page::{StartPage, Tab, name_missing, start_page};
use crate::work::{Opening, WorkError};
use reqgate_base::clean;
use reqgate_messages as messages;
use reqgate_prd::ask::{FieldProblem, Input};
use reqgate_prd::workflow::Writer;

/// The maximum length of a feature's name, in characters.
const LONGEST_NAME: usize = 120;
/// The maximum length of a file name, in characters.
const LONGEST_FILE_NAME: usize = 200;

pub(crate) async fn form(State(state): State<Shared>, visitor: Visitor) -> Response {
    let asking = visitor.clone();
    let shown = blocking(&state, move |service| shown(service, &asking, &Input::default(), &[]));
    page(&visitor, shown.await)
}

fn shown(service: &Service, visitor: &Visitor, typed: &Input, problems: &[FieldProblem]) -> Page {
    let may_start = visitor.may(Role::Write);
    rendered(start_page(&visitor.frame(Tab::Threads, count(service)), &StartPage { typed, problems, may_start }))
}

/// The result of sending the form.
enum Sent {
    /// The PRD was started: the address of its question or its page.
    Started(String),
    /// The PRD was not started: the page with the reasons and the typed fields.
    Not(StatusCode, String),
}

/// Starts the PRD that the form describes.
pub(super) async fn start(
    State(state): State<Shared>,
    mut visitor: Visitor,
    form: Result<Multipart, MultipartRejection>,
) -> Response {
    let (fields, files) = match upload::read(form).await {
        Ok(sent) => sent,
        Err(problem) => return page(&visitor, Err(problem)),
    };
    let changes_language = visitor.choose(fields.get("lang"));
    let asking = visitor.clone();
    if changes_language {
        let shown = blocking(&state, move |service| shown(service, &asking, &fields, &[]));
        return page(&visitor, shown.await);
    }
    match working(&state, move |service| sent(service, &asking, &fields, files)).await {
        Ok(Sent::Started(path)) => redirect(&path),
        Ok(Sent::Not(status, html)) => with_status(&visitor, status, Ok(html)),
        Err(problem) => page(&visitor, Err(problem)),
    }
}

fn sent(service: &Service, visitor: &Visitor, typed: &Input, files: Vec<File>) -> Result<Sent, ProblemDetails> {
    let refused = |status: StatusCode, problem: Option<FieldProblem>| {
        let problems: Vec<FieldProblem> = problem.into_iter().collect();
        shown(service, visitor, typed, &problems).map(|html| Sent::Not(status, html))
    };
    if !visitor.has_sent(typed.get("csrf")) {
        let too_old = messages::Pages::of(visitor.language).too_old_with_files;
        return refused(StatusCode::FORBIDDEN, Some(FieldProblem::whole(too_old)));
    }
    let Some(person) = visitor.person.clone().filter(|person| person.role >= Role::Write) else {
        return refused(StatusCode::FORBIDDEN, None);
    };
    let name = clean::short_line(typed.get("name").unwrap_or_default(), LONGEST_NAME);
    if name.trim().is_empty() {
        return refused(StatusCode::UNPROCESSABLE_ENTITY, Some(name_missing(visitor.language)));
    }
    let text = typed.get("text").unwrap_or_default();
    let notes = (!text.trim().is_empty()).then(|| ("notes.md".to_owned(), text.as_bytes().to_vec()));
    let files = files.into_iter().map(|file| (clean::short_line(&file.name, LONGEST_FILE_NAME), file.bytes));
    let opening = Opening {
        utterance: name.clone(),
        sources: notes.into_iter().chain(files).collect(),
        key: None,
        project: None,
        name: Some(name),
        language: typed.get("language").and_then(language),
        team: None,
        writer: Writer::Rules,
        actor: person.name.clone(),
    };
    let gate = service.gate(None, None)?;
    let next = |run: crate::work::Thread<'_>| match &run.record.ask {
        Some(ask) => format!("/inbox/{ask}"),
        None => format!("/threads/{}", run.record.id),
    };
    match service.desk_of(&gate, &person).begin(opening, |run, _| next(run)) {
        Ok((_, path)) => Ok(Sent::Started(path)),
        Err(WorkError::Wrong(problem) | WorkError::Refused(problem)) => {
            let problem = FieldProblem::at("text", gate.masked(&problem));
            refused(StatusCode::UNPROCESSABLE_ENTITY, Some(problem))
        }
        Err(error) => Err(error.into()),
    }
}
