//! The visitor of a page: the person, their language, and the proof that a form comes from a page of this service.

use std::sync::LazyLock;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, header};
use axum::response::{IntoResponse, Response};
use subtle::ConstantTimeEq;

use super::headers::{again, redirect};
use crate::http::{Person, ProblemDetails, Role, Shared, TOKEN, cookie};
use crate::page::{Frame, Tab};
use reqgate_base::hash::Hash;
use reqgate_base::model::Language;

/// The cookie with the language.
const LANGUAGE: &str = "reqgate_lang";

/// The key for the proofs of forms without a token; it is new with every start, so that another page cannot know it.
static SECRET: LazyLock<[u8; 32]> = LazyLock::new(|| {
    let mut bytes = [0_u8; 32];
    // Without randomness every form is refused, because the check requires it.
    let filled = rustls::crypto::ring::default_provider().secure_random.fill(&mut bytes);
    if filled.is_err() { [0; 32] } else { bytes }
});

/// The visitor of a page.
#[derive(Debug, Clone)]
pub(super) struct Visitor {
    pub(crate) person: Option<Person>,
    /// The language of the pages.
    pub language: Language,
    /// The language, if this request selects it.
    pub chosen_language: Option<Language>,
    /// The person has a cookie and can log out.
    has_cookie: bool,
    /// The proof for forms.
    csrf: String,
    /// The request does not come from another site.
    is_from_here: bool,
}

impl Visitor {
    /// The frame of a page.
    pub(super) fn frame(&self, tab: Tab, open_asks: Option<usize>) -> Frame<'_> {
        let person = self.person.as_ref().filter(|_| self.has_cookie).map(|person| person.name.as_str());
        Frame { language: self.language, tab, person, csrf: &self.csrf, open_asks }
    }

    /// Returns true if a form with this proof comes from a page of this service.
    pub(super) fn has_sent(&self, csrf: Option<&str>) -> bool {
        let is_random = *SECRET != [0; 32];
        let proof = csrf.unwrap_or_default().as_bytes().ct_eq(self.csrf.as_bytes());
        is_random && self.is_from_here && bool::from(proof)
    }

    /// Selects the language that a form names.
    pub(super) fn choose(&mut self, tag: Option<&str>) -> bool {
        let chosen = tag.and_then(language);
        if let Some(language) = chosen {
            self.language = language;
            self.chosen_language = chosen;
        }
        chosen.is_some()
    }

    /// Returns true if the person has this role.
    pub(super) fn may(&self, role: Role) -> bool {
        self.person.as_ref().is_some_and(|person| person.role >= role)
    }

    fn new(state: &Shared, parts: &Parts) -> Result<Self, ProblemDetails> {
        let token = cookie(&parts.headers, TOKEN);
        let of_token = token.map(|token| state.bearer(token, "page")).transpose()?.flatten();
        let has_cookie = of_token.is_some();
        let person = of_token.or_else(|| state.of_machine("page"));
        let query = parts.uri.query().unwrap_or_default();
        let in_query = query.split('&').find_map(|pair| pair.strip_prefix("lang=")).and_then(language);
        let in_cookie = || cookie(&parts.headers, LANGUAGE).and_then(language);
        let accepted = || accepted(&parts.headers);
        let site = parts.headers.get("sec-fetch-site").and_then(|site| site.to_str().ok());
        let proved_by = token.filter(|_| has_cookie).unwrap_or_default();
        Ok(Self {
            person,
            language: in_query.or_else(in_cookie).or_else(accepted).unwrap_or(Language::En),
            chosen_language: in_query,
            has_cookie,
            csrf: Hash::of_parts([SECRET.as_slice(), b"form", proved_by.as_bytes()]).digits(40),
            // Older browsers do not send it; then Origin and the proof are sufficient.
            is_from_here: site.is_none_or(|site| site == "same-origin"),
        })
    }
}

/// A visitor who may be unknown, for the login.
pub(super) struct Anybody(pub Visitor);

impl FromRequestParts<Shared> for Anybody {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &Shared) -> Result<Self, Response> {
        Visitor::new(state, parts).map(Self).map_err(IntoResponse::into_response)
    }
}

impl FromRequestParts<Shared> for Visitor {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &Shared) -> Result<Self, Response> {
        let visitor = Self::new(state, parts).map_err(IntoResponse::into_response)?;
        if visitor.person.is_some() {
            return Ok(visitor);
        }
        let is_link = parts.method == Method::GET;
        let site = parts.headers.get("sec-fetch-site").and_then(|site| site.to_str().ok());
        if is_link && site == Some("cross-site") {
            return Err(again());
        }
        let path = if is_link { parts.uri.path() } else { "/" };
        Err(redirect(&format!("/login?next={path}")))
    }
}

/// The first supported language that a browser accepts; it lists the preferred ones first.
fn accepted(headers: &HeaderMap) -> Option<Language> {
    let accepted = headers.get(header::ACCEPT_LANGUAGE)?.to_str().ok()?;
    accepted.split(',').find_map(language)
}

/// The language for a tag, if it is supported.
pub(super) fn language(tag: &str) -> Option<Language> {
    let tag = tag.trim().to_ascii_lowercase();
    match tag.split(['-', '_', ';']).next() {
        Some("zh") => Some(Language::Zh),
        Some("en") => Some(Language::En),
        _ => None,
    }
}
