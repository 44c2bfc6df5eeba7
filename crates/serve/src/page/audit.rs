//! The audit of a backlog: the form for an export, and the page of the audit in the frame of the site.

use std::io;

use minijinja::context;

use super::frame::{Contents, Frame, Style, framed, rendered};
use reqgate_audit::{html_contents, v1};
use reqgate_base::clean;

/// The page with the form, the audit below it if there is one, and the problem of the last upload.
///
/// # Errors
/// Fails only if a template is broken.
pub fn audit_page(frame: &Frame<'_>, report: Option<&v1::Report>, fault: Option<&str>) -> io::Result<String> {
    let audit = report.map(|report| html_contents(report, frame.language)).transpose()?;
    let values = context! { t => frame.said(), csrf => frame.csrf, audit, fault => fault.map(clean::lines) };
    let html = rendered(include_str!("templates/audit.html.j2"), values)?;
    let mut contents = Contents::new(frame.words().audit_title, html);
    contents.style = Style::Audit;
    framed(frame, contents)
}
