//! The documents of a PRD: each as a page, and as a file to download.

use axum::extract::{Path, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::headers::secured;
use super::reply::{Page, page, rendered, with_status};
use super::status::{count, masked_thread};
use super::visitor::Visitor;
use crate::http::{ProblemDetails, Service, Shared, document_of, working};
use crate::page::{Tab, document_page, no_pdf_page};
use crate::work::store_with;
use reqgate_flow::ThreadId;
use reqgate_messages as messages;
use reqgate_prd::team::export;

/// A Markdown document as a page.
pub(super) async fn show(
    State(state): State<Shared>,
    visitor: Visitor,
    Path((thread, name)): Path<(String, String)>,
) -> Response {
    let asking = visitor.clone();
    page(&visitor, working(&state, move |service| document(service, &asking, &thread, &name)).await)
}

fn document(service: &Service, visitor: &Visitor, thread: &str, name: &str) -> Page {
    let thread = parsed(visitor, thread)?;
    let text = found(service, visitor, &thread, Some(name).filter(|name| name.ends_with(".md")))?;
    let (_, record) = store_with(service.installation(), &thread)?;
    let record = masked_thread(record, &[], &*service.gate(None, None)?).0;
    rendered(document_page(&visitor.frame(Tab::Threads, count(service)), &record, name, &text))
}

/// A document as a file: Markdown, a page, a PDF or data, by the ending of the name.
pub(super) async fn download(
    State(state): State<Shared>,
    visitor: Visitor,
    Path((thread, file)): Path<(String, String)>,
) -> Response {
    let asking = visitor.clone();
    match working(&state, move |service| made(service, &asking, &thread, &file)).await {
        Ok(Made::File(name, kind, bytes)) => {
            let attachment = HeaderValue::from_str(&format!("attachment; filename=\"{name}\""));
            let attachment = attachment.unwrap_or(HeaderValue::from_static("attachment"));
            let kind = HeaderValue::from_static(kind);
            let headers = [(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, attachment)];
            secured((headers, bytes).into_response())
        }
        Ok(Made::Not(html)) => with_status(&visitor, StatusCode::NOT_IMPLEMENTED, Ok(html)),
        Err(problem) => page(&visitor, Err(problem)),
    }
}

/// A file, or the page with the reason why it cannot be created.
enum Made {
    /// Name, media type and bytes.
    File(String, &'static str, Vec<u8>),
    /// The page with the reason.
    Not(String),
}

fn made(service: &Service, visitor: &Visitor, thread: &str, file: &str) -> Result<Made, ProblemDetails> {
    let thread = parsed(visitor, thread)?;
    let (stem, ending) = file.rsplit_once('.').ok_or_else(|| missing(visitor))?;
    let markdown = || found(service, visitor, &thread, Some(format!("{stem}.md").as_str()));
    let is_plain = file.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte));
    let name = if is_plain { file.to_owned() } else { format!("document.{ending}") };
    let title = format!("{stem}.md");
    Ok(match ending {
        "md" => Made::File(name, "text/markdown; charset=utf-8", markdown()?.into_bytes()),
        "json" => {
            let text = found(service, visitor, &thread, Some(file))?;
            Made::File(name, "application/json", text.into_bytes())
        }
        "html" => {
            let html = export::html(&markdown()?, &title).map_err(ProblemDetails::internal)?;
            Made::File(name, "text/html; charset=utf-8", html.into_bytes())
        }
        "pdf" => match service.installation().pdf(&markdown()?, &title) {
            Ok(bytes) => Made::File(name, "application/pdf", bytes),
            Err(error) => {
                (service.settings.log)(&error);
                Made::Not(rendered(no_pdf_page(&visitor.frame(Tab::Threads, count(service)), &thread, stem))?)
            }
        },
        _ => return Err(missing(visitor)),
    })
}

/// The text of a document, with personal data and secrets masked.
fn found(
    service: &Service,
    visitor: &Visitor,
    thread: &ThreadId,
    name: Option<&str>,
) -> Result<String, ProblemDetails> {
    let name = name.ok_or_else(|| missing(visitor))?;
    document_of(service, thread, name).map_err(|problem| if problem.status == 404 { missing(visitor) } else { problem })
}

fn parsed(visitor: &Visitor, thread: &str) -> Result<ThreadId, ProblemDetails> {
    thread.parse().map_err(|_| missing(visitor))
}

fn missing(visitor: &Visitor) -> ProblemDetails {
    ProblemDetails::missing(messages::Pages::of(visitor.language).no_document)
}
