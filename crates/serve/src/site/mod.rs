//! The pages as a site: visitors, forms, and the actions that forms trigger.
//!
//! | module | purpose |
//! |---|---|
//! | `visitor` | the person, their language, and whether a form comes from a page of this service |
//! | `upload` | forms and files, as they are sent |
//! | `reply`, `headers` | a page as a response; the headers of every response |
//! | `status` | facts about threads that several pages show |
//! | `session` | login and logout |
//! | `judging` | judge a text, audit an export |
//! | `asks`, `threads` | the open questions; the threads |
//! | `start`, `documents` | start a PRD; its documents as pages and files |

mod asked;
mod asks;
mod documents;
mod headers;
mod judging;
mod reply;
mod session;
mod start;
mod status;
mod threads;
mod upload;
mod visitor;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Path};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};

use super::http::Shared;
use super::page::{self, Tab};
use reply::{rendered, with_status};
use visitor::Anybody;

/// The maximum size of a login form, in bytes, because the sender is not authenticated yet.
const LARGEST_LOGIN: usize = 8 * 1024;

/// The routes of the pages.
pub fn routes() -> Router<Shared> {
    Router::new()
        .route("/", get(judging::form).post(judging::judge))
        .route("/audit", get(judging::audit_form).post(judging::audit))
        .route("/inbox", get(asks::inbox))
        .route("/inbox/{ask}", get(asks::show).post(asks::answer))
        .route("/threads", get(threads::list))
        .route("/threads/{thread}", get(threads::show))
        .route("/threads/{thread}/events", get(threads::changes))
        .route("/threads/{thread}/documents/{name}", get(documents::show))
        .route("/threads/{thread}/files/{file}", get(documents::download))
        .route("/start", get(start::form).post(start::start))
        .route("/login", get(session::form).post(session::log_in).layer(DefaultBodyLimit::max(LARGEST_LOGIN)))
        .route("/logout", post(session::log_out))
        .route("/assets/{name}", get(asset))
        .fallback(missing)
}

/// The response for an unknown address: a page for browsers, a problem for programs.
async fn missing(Anybody(visitor): Anybody, headers: HeaderMap) -> Response {
    let accepted = headers.get(header::ACCEPT).and_then(|accepted| accepted.to_str().ok()).unwrap_or_default();
    if !accepted.contains("text/html") {
        return StatusCode::NOT_FOUND.into_response();
    }
    with_status(&visitor, StatusCode::NOT_FOUND, rendered(page::missing_page(&visitor.frame(Tab::None, None))))
}

/// A file that pages load; its address changes with its text.
async fn asset(Path(name): Path<String>) -> Response {
    let Some(asset) = page::asset(&name) else { return StatusCode::NOT_FOUND.into_response() };
    let kept = HeaderValue::from_static("public, max-age=31536000, immutable");
    let kind = HeaderValue::from_static(asset.media_type);
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, kept)], asset.text).into_response()
}
