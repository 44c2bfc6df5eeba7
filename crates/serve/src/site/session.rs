//! Login with a token, and logout.

use axum::extract::{Form, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;

use super::headers::{redirect, set_cookie};
use super::reply::{page, rendered, with_status};
use super::visitor::{Anybody, Visitor};
use crate::http::{Shared, TOKEN};
use crate::page::{Tab, login_page};

/// The page to go to after the login.
#[derive(Debug, Deserialize)]
pub(super) struct Next {
    #[serde(default)]
    next: String,
}

/// The form of the login.
#[derive(Debug, Deserialize)]
pub(super) struct Login {
    #[serde(default)]
    csrf: String,
    #[serde(default)]
    next: String,
    #[serde(default)]
    token: String,
}

/// The logout form with its proof.
#[derive(Debug, Deserialize)]
pub(super) struct Logout {
    #[serde(default)]
    csrf: String,
}

/// A path of this site; an address of another site becomes the start page.
fn own_path(path: &str) -> &str {
    let letters = |c: char| c.is_ascii_alphanumeric() || "/-_.".contains(c);
    let is_ours = path.starts_with('/') && !path.starts_with("//") && path.chars().all(letters);
    if is_ours { path } else { "/" }
}

/// Shows the login form.
pub(super) async fn form(Anybody(visitor): Anybody, Query(Next { next }): Query<Next>) -> Response {
    page(&visitor, rendered(login_page(&visitor.frame(Tab::None, None), own_path(&next), false)))
}

/// Accepts a token, and keeps it in a cookie that is sent only to this site and hidden from scripts.
pub(super) async fn log_in(
    State(state): State<Shared>,
    Anybody(visitor): Anybody,
    Form(Login { csrf, next, token }): Form<Login>,
) -> Response {
    let (token, next) = (token.trim(), own_path(&next));
    let is_plain = token.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
    let bearer = if is_plain && visitor.has_sent(Some(&csrf)) { state.bearer(token, "page") } else { Ok(None) };
    match bearer {
        Ok(Some(_)) => {
            let mut response = redirect(next);
            set_cookie(&mut response, &format!("{TOKEN}={token}; {}", attributes(&state)));
            response
        }
        Ok(None) => {
            let form = rendered(login_page(&visitor.frame(Tab::None, None), next, true));
            with_status(&visitor, StatusCode::FORBIDDEN, form)
        }
        Err(problem) => page(&visitor, Err(problem)),
    }
}

/// Removes the cookie with the token.
pub(super) async fn log_out(
    State(state): State<Shared>,
    visitor: Visitor,
    Form(Logout { csrf }): Form<Logout>,
) -> Response {
    let mut response = redirect("/login");
    if visitor.has_sent(Some(&csrf)) {
        set_cookie(&mut response, &format!("{TOKEN}=; Max-Age=0; {}", attributes(&state)));
    }
    response
}

/// The attributes of the cookie. If the service is reachable from other machines, it is only sent encrypted.
fn attributes(state: &Shared) -> &'static str {
    if state.settings.is_only_here() {
        "Path=/; HttpOnly; SameSite=Strict"
    } else {
        "Path=/; HttpOnly; SameSite=Strict; Secure"
    }
}

#[cfg(test)]
mod tests {
    use super::own_path;

    #[test]
    fn nobody_is_sent_elsewhere() {
        for (path, expected) in [
            ("/inbox/x.3", "/inbox/x.3"),
            ("//evil.example", "/"),
            ("https://evil.example", "/"),
            ("/\\evil.example", "/"),
            ("/a\r\nSet-Cookie: x", "/"),
            ("", "/"),
        ] {
            assert_eq!(own_path(path), expected, "{path:?}");
        }
    }
}
