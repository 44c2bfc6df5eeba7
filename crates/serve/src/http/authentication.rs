//! Authenticates requests: by a token, or as the person of this machine.

use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;

use super::error::ProblemDetails;
use super::person::Person;
use super::state::Shared;

/// The cookie with the token of a person who uses the pages.
pub const TOKEN: &str = "reqgate_token";

/// The person that a request names by its token; without tokens, the person of this machine.
///
/// # Errors
/// Returns a problem with the status 401 if a valid token is needed and missing.
pub(super) fn authenticated(state: &Shared, headers: &HeaderMap) -> Result<Person, ProblemDetails> {
    let unauthorized = |detail: &str| ProblemDetails::new(StatusCode::UNAUTHORIZED, detail);
    let Some(given) = headers.get(header::AUTHORIZATION) else {
        return state.of_machine("rest").ok_or_else(|| {
            unauthorized("send a token as `Authorization: Bearer …`; `reqgate serve token add` makes one")
        });
    };
    let token = given.to_str().ok().and_then(|text| text.split_once(' '));
    let token = token.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer")).map(|(_, token)| token.trim());
    let person = match token {
        Some(token) => state.bearer(token, "rest")?,
        None => None,
    };
    person.ok_or_else(|| unauthorized("the token is not known: it was removed, or mistyped"))
}

/// The bearer of a valid token, in the header or in the cookie of the pages.
pub(super) fn bearer(state: &Shared, headers: &HeaderMap) -> Option<Person> {
    match cookie(headers, TOKEN) {
        _ if headers.contains_key(header::AUTHORIZATION) => authenticated(state, headers).ok(),
        Some(token) => state.bearer(token, "page").ok().flatten(),
        None => None,
    }
}

/// The value of the cookie with this name.
pub fn cookie<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let all = headers.get_all(header::COOKIE).into_iter().filter_map(|cookies| cookies.to_str().ok());
    let mut pairs = all.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(known, _)| *known == name).map(|(_, value)| value)
}

/// Middleware that admits only authenticated people.
pub(super) async fn required(
    State(state): State<Shared>,
    mut request: Request,
    next: Next,
) -> Result<Response, ProblemDetails> {
    let person = authenticated(&state, request.headers())?;
    request.extensions_mut().insert(person);
    Ok(next.run(request).await)
}

impl FromRequestParts<Shared> for Person {
    type Rejection = ProblemDetails;

    async fn from_request_parts(parts: &mut Parts, state: &Shared) -> Result<Self, ProblemDetails> {
        match parts.extensions.get::<Self>() {
            Some(person) => Ok(person.clone()),
            None => authenticated(state, &parts.headers),
        }
    }
}
