//! The form that starts a PRD.

use std::io;

use minijinja::context;
use minijinja::value::{Serde, Value};

use super::frame::{Contents, Frame, framed, rendered};
use super::words::Words;
use reqgate_base::clean;
use reqgate_base::model::Language;
use reqgate_prd::ask::{FieldProblem, Input};

/// The problem of a feature without a name.
pub fn name_missing(language: Language) -> FieldProblem {
    FieldProblem::at("name", Words::of(language).name_missing)
}

/// The contents of the form.
#[derive(Debug)]
pub struct StartPage<'a> {
    /// The fields as they were typed.
    pub typed: &'a Input,
    /// The reasons why the PRD was not started.
    pub problems: &'a [FieldProblem],
    /// The person may start a PRD.
    pub may_start: bool,
}

/// Renders the page.
///
/// # Errors
/// Fails only if a template is broken.
pub fn start_page(frame: &Frame<'_>, page: &StartPage<'_>) -> io::Result<String> {
    let typed = |name: &str| clean::typed(page.typed.get(name).unwrap_or_default());
    let problem = |one: &FieldProblem| (one.field.clone(), clean::lines(&one.message));
    let values = context! {
        t => frame.said(),
        csrf => frame.csrf,
        may_start => page.may_start,
        name => typed("name"),
        text => typed("text"),
        language => typed("language"),
        problems => Value::from(Serde(page.problems.iter().map(problem).collect::<Vec<_>>())),
    };
    let html = rendered(include_str!("templates/start.html.j2"), values)?;
    let mut contents = Contents::new(frame.words().start, html);
    contents.form = page.may_start.then_some("start");
    framed(frame, contents)
}
