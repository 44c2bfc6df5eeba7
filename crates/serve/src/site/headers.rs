//! The headers of every response of the site, and responses that do not depend on the visitor.

use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{Html, IntoResponse, Redirect, Response};

/// Only this service's own style sheets, icon and script are loaded; no frames; forms are sent only to this service.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; \
                      form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// A redirect to another page.
pub(super) fn redirect(to: &str) -> Response {
    secured(Redirect::to(to).into_response())
}

pub(crate) fn set_cookie(response: &mut Response, cookie: &str) {
    // Cookies consist of names, tokens and numbers, so they are valid headers.
    if let Ok(value) = HeaderValue::from_str(cookie) {
        response.headers_mut().append(header::SET_COOKIE, value);
    }
}

/// The response with the headers of every page.
pub(super) fn secured(mut response: Response) -> Response {
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

/// A page that makes the browser reload: a link from another site does not send the cookie, a page of this service
/// does.
pub(super) fn again() -> Response {
    let html = "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"0\">\
                <title>reqgate</title></head><body><p><a href=\"\">reqgate</a></p></body></html>";
    secured(Html(html).into_response())
}
