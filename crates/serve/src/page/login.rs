//! The login form, in which a person enters their token.

use std::io;

use minijinja::context;

use super::frame::{Contents, Frame, framed, rendered};

/// The page. `next` is the path to go to afterwards; `is_wrong` means that a token was refused.
///
/// # Errors
/// Fails only if a template is broken.
pub fn login_page(frame: &Frame<'_>, next: &str, is_wrong: bool) -> io::Result<String> {
    let values = context! { t => frame.said(), csrf => frame.csrf, next, is_wrong };
    let html = rendered(include_str!("templates/login.html.j2"), values)?;
    framed(frame, Contents::new(frame.words().log_in, html))
}
