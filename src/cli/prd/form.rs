//! A work order as a form: a person fills it in as YAML in an editor. Problems are listed above it until the checks pass.

use reqgate::orders::skeleton_of;
use reqgate::prd::workflow::{OrderDocument, WorkOrder};
use reqgate::yaml;
use serde_json::Value;

use super::super::exit::Failure;
use super::input::edit;
use super::ordered::{self, Known};
use super::shown::plain;

/// Before a line about something that does not pass.
const FAULT: &str = "#! ";

/// Opens the result of an order in an editor. It is submitted only once it passes, so that a slip does not cost an attempt.
///
/// # Errors
/// Fails without an editor, and if the form is saved unchanged.
pub(super) fn filled(
    document: &OrderDocument,
    order: &WorkOrder,
    language: reqgate::model::Language,
) -> Result<Value, Failure> {
    let shown = ordered::text(document, &[], &Known::default(), language);
    let comments: String = shown.lines().map(|line| format!("# {line}").trim_end().to_owned() + "\n").collect();
    let mut form = format!("{comments}\n{}", skeleton_of(&order.kind().schema()));
    loop {
        let edited = edit(&form, ".yaml")?;
        if edited == form {
            return Err(Failure::usage("the form was not changed: nothing was submitted"));
        }
        let faults: Vec<String> = match yaml::read::<Value>(&edited) {
            Ok(mut result) => {
                // A field that was left empty is left out.
                if let Some(fields) = result.as_object_mut() {
                    fields.retain(|_, value| !value.is_null());
                }
                let problems = order.kind().problems(order, &result);
                if problems.is_empty() {
                    return Ok(result);
                }
                problems.iter().map(|problem| plain(&problem.to_string())).collect()
            }
            Err(error) => error.to_string().lines().map(plain).collect(),
        };
        let told: String = faults.iter().map(|fault| format!("{FAULT}{fault}\n")).collect();
        let kept: String =
            edited.lines().filter(|line| !line.starts_with(FAULT)).map(|line| format!("{line}\n")).collect();
        form = format!("{told}{kept}");
    }
}
