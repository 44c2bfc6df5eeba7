//! A page as a response: its headers, and errors in words.

use std::io;

use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};

use super::visitor::Visitor;
use crate::model::Language;
use crate::serve::http::ProblemDetails;
use crate::serve::page::{Tab, message_page};

/// Nothing but this service's own style sheets, icon and script; no frames; forms go nowhere else.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; \
                      form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// A page, or the error on the way to it.
pub type Page = Result<String, ProblemDetails>;

/// A page that could not be rendered: a template is broken.
pub fn rendered(page: io::Result<String>) -> Page {
    page.map_err(ProblemDetails::internal)
}

/// The response with a page.
pub fn page(visitor: &Visitor, page: Page) -> Response {
    with_status(visitor, StatusCode::OK, page)
}

/// The response with a page of another status.
pub fn with_status(visitor: &Visitor, status: StatusCode, page: Page) -> Response {
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

/// The way to another page.
pub fn redirect(to: &str) -> Response {
    secured(Redirect::to(to).into_response())
}

/// Adds a cookie.
pub fn set_cookie(response: &mut Response, cookie: &str) {
    // Cookies are made of names, tokens and numbers.
    if let Ok(value) = HeaderValue::from_str(cookie) {
        response.headers_mut().append(header::SET_COOKIE, value);
    }
}

/// An error as a page. It keeps what goes to the log.
fn fault(visitor: &Visitor, problem: &ProblemDetails) -> Response {
    let missing = visitor.language.of("Not found", "未找到");
    let failed = visitor.language.of("Something went wrong", "出错了");
    let title = if problem.status == 404 { missing } else { failed };
    let mut response = problem.clone().into_response();
    // Only a broken template fails; then the details of the problem are the answer.
    if let Ok(html) = message_page(&visitor.frame(Tab::None, None), title, &problem.detail) {
        let mut shown = (response.status(), Html(html)).into_response();
        std::mem::swap(shown.extensions_mut(), response.extensions_mut());
        response = shown;
    }
    response
}

fn secured(mut response: Response) -> Response {
    let headers = response.headers_mut();
    let mut set = |name: HeaderName, value: &'static str| headers.insert(name, HeaderValue::from_static(value));
    set(header::CONTENT_SECURITY_POLICY, POLICY);
    // With `no-referrer`, browsers would send `Origin: null` with forms.
    set(header::REFERRER_POLICY, "same-origin");
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(header::X_FRAME_OPTIONS, "DENY");
    set(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
    response
}

/// A page that asks the browser to come again: a link from elsewhere does not bring the cookie, a page of this service does.
pub fn again() -> Response {
    let html = "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"0\">\
                <title>reqgate</title></head><body><p><a href=\"\">reqgate</a></p></body></html>";
    secured(Html(html).into_response())
}

/// The language by its tag, if it is one of ours.
pub fn language(tag: &str) -> Option<Language> {
    let tag = tag.trim().to_ascii_lowercase();
    match tag.split(['-', '_', ';']).next() {
        Some("zh") => Some(Language::Zh),
        Some("en") => Some(Language::En),
        _ => None,
    }
}
