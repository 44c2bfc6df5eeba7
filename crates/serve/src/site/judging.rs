//! Judges a text, and audits an export. No text is stored.

use axum::extract::multipart::{Multipart, MultipartRejection};
use axum::extract::{Query, State};
use axum::response::Response;
use serde::Deserialize;

use super::reply::{Page, page, rendered};
use super::status::count;
use super::upload::{self, File};
use super::visitor::Visitor;
use crate::http::{ProblemDetails, Service, Shared, blocking};
use crate::page::{JudgePage, Judged, PolicyChoice, Tab, audit_page, judge_page};
use reqgate_audit::{Audit, Day, Entry, Subject};
use reqgate_base::model::{Language, Outcome, RuleId, TicketType};
use reqgate_gate::catalog;
use reqgate_gate::pipeline::Pipeline;
use reqgate_gate::stages::intake::{RawInput, read_bytes, read_first};
use reqgate_messages as messages;
use reqgate_prd::ask::Input;

/// The maximum number of tickets in an audit: more would exceed the time limit of a request.
const MOST_TICKETS: usize = 5_000;

/// Shows the empty form.
pub(super) async fn form(State(state): State<Shared>, visitor: Visitor, Query(query): Query<Choices>) -> Response {
    let asking = visitor.clone();
    let text = query.example.map(|_| crate::page::example_text(visitor.language).to_owned());
    let fields = Input::new(text.map(|text| ("text".to_owned(), text)));
    page(&visitor, blocking(&state, move |service| form_with(service, &asking, &fields)).await)
}

/// The query of the form's address.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Choices {
    /// The form contains an example; any value counts.
    example: Option<String>,
}

/// The form with a text that is not judged yet.
fn form_with(service: &Service, visitor: &Visitor, fields: &Input) -> Page {
    let gate = service.gate(None, Some(visitor.language))?;
    let policies = choices(&gate, visitor.language);
    let shown = shown(fields, &policies, gate.policy_id());
    rendered(judge_page(&visitor.frame(Tab::Judge, count(service)), &shown))
}

/// The page with the content of the form, before a text is judged.
fn shown<'a>(fields: &'a Input, policies: &'a [PolicyChoice], configured: &'a str) -> JudgePage<'a> {
    let named = |name: &str| fields.get(name).and_then(crate::page::kind_named);
    JudgePage {
        text: fields.get("text").unwrap_or_default(),
        policies,
        policy: fields.get("policy").unwrap_or_default(),
        configured,
        kind: named("as").or_else(|| named("type")),
        judged: None,
        fault: None,
    }
}

/// Judges the text of the form, and shows the form again with the outcome.
pub(super) async fn judge(
    State(state): State<Shared>,
    mut visitor: Visitor,
    form: Result<Multipart, MultipartRejection>,
) -> Response {
    let (fields, files) = match upload::read(form).await {
        Ok(sent) => sent,
        Err(problem) => return page(&visitor, Err(problem)),
    };
    let file = files.into_iter().next();
    visitor.choose(fields.get("lang"));
    let asking = visitor.clone();
    page(&visitor, blocking(&state, move |service| judged(service, &asking, &fields, file)).await)
}

/// The page with the outcome for the text in the form.
fn judged(service: &Service, visitor: &Visitor, fields: &Input, file: Option<File>) -> Page {
    let frame = visitor.frame(Tab::Judge, count(service));
    let language = Some(visitor.language);
    let configured = service.gate(None, language)?;
    let policies = choices(&configured, visitor.language);
    let mut shown = shown(fields, &policies, configured.policy_id());
    let (policy, kind) = (shown.policy, shown.kind);
    if !visitor.has_sent(fields.get("csrf")) {
        shown.fault = Some(too_old(visitor.language));
        return rendered(judge_page(&frame, &shown));
    }
    let text_is_empty = shown.text.trim().is_empty();
    if file.is_none() && text_is_empty {
        return rendered(judge_page(&frame, &shown));
    }
    let known = policies.iter().any(|choice| choice.id == policy);
    let gate = service.gate(Some(policy).filter(|_| known), language)?;
    let (name, bytes) = match file {
        Some(file) => (file.name, file.bytes),
        None => (messages::Pages::of(visitor.language).your_text_name.to_owned(), shown.text.as_bytes().to_vec()),
    };
    let input = match first(&name, &bytes, visitor.language) {
        Ok(input) => of_kind(input, kind),
        Err(fault) => {
            let fault = gate.masked(&fault);
            shown.fault = Some(&fault);
            return rendered(judge_page(&frame, &shown));
        }
    };
    let text = input.text.clone();
    shown.text = &text;
    let outcome = match gate.run(input) {
        Ok(outcome) => outcome,
        Err(error) => {
            let fault = gate.masked(&error.to_string());
            shown.fault = Some(&fault);
            return rendered(judge_page(&frame, &shown));
        }
    };
    let before =
        fields.get("before").filter(|before| !before.trim().is_empty()).and_then(|before| earlier(&gate, before, kind));
    shown.judged = Some(Judged { outcome: &outcome, before: before.as_ref() });
    rendered(judge_page(&frame, &shown))
}

/// The outcome for the text before the edit. It is judged again, because no text is stored.
fn earlier(gate: &Pipeline, text: &str, kind: Option<TicketType>) -> Option<Outcome> {
    let input = read_bytes("before", text.as_bytes()).into_iter().next()?.ok()?;
    gate.run(of_kind(input, kind)).ok()
}

/// The input as a ticket of the chosen kind.
fn of_kind(input: RawInput, kind: Option<TicketType>) -> RawInput {
    RawInput { ticket_type: kind.or(input.ticket_type), ..input }
}

/// The only ticket in a file.
fn first(name: &str, bytes: &[u8], language: Language) -> Result<RawInput, String> {
    let mut inputs = read_first(name, bytes, 2).into_iter();
    match (inputs.next(), inputs.next()) {
        (Some(Ok(input)), None) => Ok(input),
        (Some(Err(error)), _) => Err(error.to_string()),
        (None, _) => Err(messages::Pages::of(language).file_without_ticket.to_owned()),
        (Some(Ok(_)), Some(_)) => Err(messages::Pages::of(language).file_with_tickets.to_owned()),
    }
}

/// The policies with the questions that they answer.
fn choices(gate: &Pipeline, language: Language) -> Vec<PolicyChoice> {
    let choice = |policy: &reqgate_rules::Policy| PolicyChoice {
        id: policy.file.id.clone(),
        summary: policy.file.question(language).to_owned(),
    };
    gate.book.policies.iter().map(choice).collect()
}

fn too_old(language: Language) -> &'static str {
    messages::Pages::of(language).too_old
}

fn too_many(language: Language) -> String {
    match language {
        Language::En => format!(
            "The file holds more than {MOST_TICKETS} tickets, which is the most for this page. Use `reqgate audit FILE` at the command \
             line, or upload it in parts."
        ),
        Language::Zh => format!(
            "文件中的工单超过 {MOST_TICKETS} 个，这是本页的上限。请在命令行使用 reqgate audit 文件名，或分批上传。"
        ),
    }
}

/// The message for a file without tickets, with the first problem of its reading.
fn without_tickets(fault: Option<String>, language: Language) -> String {
    let message = messages::Pages::of(language).export_without_tickets;
    fault.map_or_else(|| message.to_owned(), |fault| format!("{message}\n{fault}"))
}

/// Shows the form for an export.
pub(super) async fn audit_form(State(state): State<Shared>, visitor: Visitor) -> Response {
    let asking = visitor.clone();
    let shown =
        blocking(&state, move |service| rendered(audit_page(&asking.frame(Tab::Audit, count(service)), None, None)));
    page(&visitor, shown.await)
}

/// Audits the export that the form sends.
pub(super) async fn audit(
    State(state): State<Shared>,
    visitor: Visitor,
    form: Result<Multipart, MultipartRejection>,
) -> Response {
    let (fields, files) = match upload::read(form).await {
        Ok(sent) => sent,
        Err(problem) => return page(&visitor, Err(problem)),
    };
    let file = files.into_iter().next();
    let asking = visitor.clone();
    page(&visitor, blocking(&state, move |service| audited(service, &asking, &fields, file)).await)
}

fn audited(service: &Service, visitor: &Visitor, fields: &Input, file: Option<File>) -> Page {
    let frame = visitor.frame(Tab::Audit, count(service));
    let refused = |fault: &str| rendered(audit_page(&frame, None, Some(fault)));
    if !visitor.has_sent(fields.get("csrf")) {
        return refused(too_old(visitor.language));
    }
    let Some(file) = file else {
        return refused(messages::Pages::of(visitor.language).empty_file);
    };
    let items = read_first(&file.name, &file.bytes, MOST_TICKETS + 1);
    if items.len() > MOST_TICKETS {
        return refused(&too_many(visitor.language));
    }
    let gate = service.gate(None, Some(visitor.language))?;
    let today: Day = service.installation().today().parse().map_err(ProblemDetails::internal)?;
    let mut audit = Audit::new(Subject { source: gate.masked(&file.name), today, since: None });
    let mut fault = None;
    for item in items {
        match item {
            Ok(input) if input.facts.is_pull_request => audit.add_pull_request(),
            Ok(input) => {
                let facts = input.facts.clone();
                match gate.run(input) {
                    Ok(outcome) => audit.add(Entry::of(&facts, &outcome)),
                    Err(_) => audit.add_unreadable(),
                }
            }
            Err(error) if error.is_note() => {}
            Err(error) => {
                fault.get_or_insert_with(|| gate.masked(&error.to_string()));
                audit.add_unreadable();
            }
        }
    }
    let summary = |rule: &RuleId| {
        let summary = catalog::summary(&gate.book, rule, visitor.language);
        summary.unwrap_or_else(|| rule.to_string())
    };
    let report = audit.report(summary, None);
    if report.totals.ready + report.totals.not_ready + report.totals.stopped == 0 {
        return refused(&without_tickets(fault, visitor.language));
    }
    rendered(audit_page(&frame, Some(&report), fault.as_deref()))
}
