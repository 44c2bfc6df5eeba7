//! Turns a page into a response, and errors into pages.

use std::io;

use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};

use super::headers::{secured, set_cookie};
use super::visitor::Visitor;
use crate::http::ProblemDetails;
use crate::page::{Tab, message_page};
use reqgate_messages as messages;

/// A page, or the error that prevented it.
pub(super) type Page = Result<String, ProblemDetails>;

/// The error of a page that could not be rendered, because a template is broken.
pub(super) fn rendered(page: io::Result<String>) -> Page {
    page.map_err(ProblemDetails::internal)
}

/// The response with a page.
pub(super) fn page(visitor: &Visitor, page: Page) -> Response {
    with_status(visitor, StatusCode::OK, page)
}

/// The response with a page of another status.
pub(super) fn with_status(visitor: &Visitor, status: StatusCode, page: Page) -> Response {
    let mut response = match page {
        Ok(html) => (status, Html(html)).into_response(),
        Err(problem) => fault(visitor, &problem),
    };
    if let Some(language) = visitor.chosen_language {
        let value = language.of("en", "zh");
        let cookie = format!("reqgate_lang={value}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Strict");
        set_cookie(&mut response, &cookie);
    }
    secured(response)
}

/// An error as a page, with the cause kept for the log.
fn fault(visitor: &Visitor, problem: &ProblemDetails) -> Response {
    let missing = messages::Pages::of(visitor.language).not_found;
    let failed = messages::Pages::of(visitor.language).went_wrong;
    let title = if problem.status == 404 { missing } else { failed };
    let mut response = problem.clone().into_response();
    // Only a broken template fails; then the problem details are the response.
    if let Ok(html) = message_page(&visitor.frame(Tab::None, None), title, &problem.detail) {
        let mut shown = (response.status(), Html(html)).into_response();
        std::mem::swap(shown.extensions_mut(), response.extensions_mut());
        response = shown;
    }
    response
}
