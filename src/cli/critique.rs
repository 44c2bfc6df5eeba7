//! `reqgate critique`: judges a PRD from the view of three critics, by its form alone or with readings.

use std::collections::BTreeMap;
use std::path::PathBuf;

use reqgate::orders::ModelAuthor;
use reqgate::prd::FeatureDocument;
use reqgate::prd::critique::{
    self, CRITIQUE, Critique, CritiqueOrder, CritiqueReport, Document, Grade, PASS_MARK, ReadCritique, Readable, Role,
    of_two,
};
use reqgate::prd::gaps::Terminal;
use reqgate::prd::workflow::Agent;
use reqgate::workflow::read_value;

use super::arguments::{ColorWhen, CritiqueArguments, GapsFormat};
use super::exit::{self, Failure};
use super::feature_files::prd;
use super::prd::second_model;
use super::session::{self};
use super::{outputs, reviewer, terminal};

pub fn run(arguments: &CritiqueArguments, color: ColorWhen) -> Result<u8, Failure> {
    let prd = prd(&arguments.path)?;
    let roles = roles(arguments);
    if arguments.order {
        return print_orders(arguments, &orders(arguments, &roles, prd.text())?, prd.name());
    }
    let report = report(arguments, &roles, &prd)?;
    let printed = match arguments.format {
        GapsFormat::Human => {
            critique::human(&report, Terminal { colour: terminal::is_coloured(color), width: terminal::width() })
        }
        GapsFormat::Markdown => critique::markdown(&report),
        GapsFormat::Json => outputs::json("the critique", &report)?,
    };
    outputs::print(&printed)?;
    Ok(if is_good(&report, arguments) { exit::PASS } else { exit::GATE_SAID_NO })
}

/// The requested critics, each once, in the order of reports.
fn roles(arguments: &CritiqueArguments) -> Vec<Role> {
    let is_asked = |role: &Role| arguments.roles.is_empty() || arguments.roles.contains(role);
    Role::ALL.into_iter().filter(is_asked).collect()
}

/// A PRD passes by its critics. One that was only checked for form does so on request.
fn is_good(report: &CritiqueReport, arguments: &CritiqueArguments) -> bool {
    let average = report.consolidated.average_score;
    match (arguments.fail_under, report.consolidated.overall_grade) {
        (Some(least), _) => report.read_for_meaning && average.is_some_and(|average| average >= least),
        (None, Grade::NotRead) => {
            arguments.form_only && report.critiques.iter().all(|critique| critique.issues_found.is_empty())
        }
        (None, grade) => grade == Grade::Pass,
    }
}

fn report(arguments: &CritiqueArguments, roles: &[Role], prd: &FeatureDocument) -> Result<CritiqueReport, Failure> {
    let (name, document) = (prd.name(), prd.layout());
    let form: Vec<Critique> = roles.iter().map(|role| critique::form(&document, *role)).collect();
    if arguments.readings.is_empty() && arguments.model.model.is_none() {
        if arguments.second_opinion.is_some() {
            return Err(Failure::usage("a second opinion takes a reader: add --model or --order"));
        }
        return Ok(CritiqueReport::new(name, document.language, form));
    }
    let orders = orders(arguments, roles, prd.text())?;
    let first = || orders.iter().filter(|order| !order.is_second_opinion());
    let readings = match &arguments.model.model {
        Some(_) => model_readings(arguments, &orders)?,
        None => readings(&arguments.readings, &orders)?,
    };
    let critiques = first().zip(form).map(|(order, form)| {
        let Some(read) = readings.get(&order.role()) else { return form };
        let masked = prd.with_text(order.prd());
        let masked = masked.layout();
        let readable = Readable::new(&masked, order.role());
        let one = readable.critique(&read.0, PASS_MARK, &form);
        match &read.1 {
            Some(second) => of_two(one, readable.critique(second, PASS_MARK, &form), PASS_MARK, &form),
            None => one,
        }
    });
    Ok(CritiqueReport::new(name, document.language, critiques.collect()))
}

/// One order for each critic, or two for a second opinion, with personal data and secrets masked in the PRD.
fn orders(arguments: &CritiqueArguments, roles: &[Role], text: &str) -> Result<Vec<CritiqueOrder>, Failure> {
    let masked = session::judging(&arguments.configuration)?.masked(text);
    // A model for second opinions means that they are wanted.
    let is_named = arguments.model.model.is_some() && second_model(Agent::Critic).is_some();
    let twice = |role: &Role| arguments.second_opinion.as_ref().map_or(is_named, |asked| asked.contains(role));
    if let Some(role) = arguments.second_opinion.iter().flatten().find(|role| !roles.contains(role)) {
        return Err(Failure::usage(format!("`{role}` is not asked: leave it out, or add --role {role}")));
    }
    let orders = roles.iter().flat_map(|role| {
        let order = CritiqueOrder::new(*role, masked.clone());
        let second = twice(role).then(|| order.for_second_opinion());
        std::iter::once(order).chain(second)
    });
    Ok(orders.collect())
}

/// Prints the orders for a person or an agent as reader.
fn print_orders(arguments: &CritiqueArguments, orders: &[CritiqueOrder], name: &str) -> Result<u8, Failure> {
    let pipeline = session::judging(&arguments.configuration)?;
    let printed: Vec<serde_json::Value> = orders
        .iter()
        .map(|order| {
            serde_json::json!({
                "role": order.role(),
                "caution": pipeline.caution(order),
                "instructions": CRITIQUE.instructions(pipeline.orders()),
                "inputs": order,
                "result_schema": CRITIQUE.schema(),
            })
        })
        .collect();
    let file = |order: &CritiqueOrder| if order.is_second_opinion() { "-2.json" } else { ".json" };
    let readings: Vec<String> =
        orders.iter().map(|order| format!("--reading {}{}", order.role(), file(order))).collect();
    // The option is needed only if not all three critics are requested.
    let roles: Vec<Role> = orders.iter().filter(|order| !order.is_second_opinion()).map(CritiqueOrder::role).collect();
    let is_some = roles.len() < Role::ALL.len();
    let named: String = roles.iter().filter(|_| is_some).map(|role| format!("--role {role} ")).collect();
    let submit = format!("reqgate critique {name} {named}{}", readings.join(" "));
    let document = serde_json::json!({ "orders": printed, "submit_with": submit });
    outputs::print(&format!("{document:#}\n"))?;
    Ok(exit::PASS)
}

/// The reading of a critic, and the second one if there is one.
type Readings = (ReadCritique, Option<ReadCritique>);

/// Reads the results of orders from files, one per critic or two; reports every problem of each.
fn readings(paths: &[PathBuf], orders: &[CritiqueOrder]) -> Result<BTreeMap<Role, Readings>, Failure> {
    let mut out: BTreeMap<Role, Readings> = BTreeMap::new();
    for path in paths {
        let name = path.display();
        let text = super::prd::text_of(path)?;
        let value: serde_json::Value =
            serde_json::from_str(&text).map_err(|error| Failure::usage(format!("{name}: {error}")))?;
        // The role determines the critic, against whose order the result is checked.
        let role = value.get("role").cloned().and_then(|role| serde_json::from_value::<Role>(role).ok());
        let role = role.ok_or_else(|| {
            Failure::usage(format!("{name}: `role` says whose reading it is: write director, design or engineering"))
        })?;
        let order = orders.iter().find(|order| order.role() == role);
        let order = order.ok_or_else(|| {
            Failure::usage(format!("{name}: `{role}` is not asked: leave it out, or add --role {role}"))
        })?;
        let problems = CRITIQUE.problems(order, &value);
        if !problems.is_empty() {
            return Err(Failure::problems(name, &problems));
        }
        let read = read_value(&value).map_err(|error| Failure::usage(format!("{name}: {error}")))?;
        match out.get_mut(&role) {
            None => drop(out.insert(role, (read, None))),
            Some((first, second @ None)) if *first != read => *second = Some(read),
            Some((_, None)) => {
                return Err(Failure::usage(format!("{name}: two readings of `{role}` are the same: leave one out")));
            }
            Some(_) => {
                return Err(Failure::usage(format!(
                    "{name}: there are two readings of `{role}` already: leave it out"
                )));
            }
        }
    }
    Ok(out)
}

/// Asks a model for the reading of each critic. Issues that do not pass the checks after three attempts are left out
/// and reported. A reading is dropped if its grades do not pass them, because they may be based on words that the PRD
/// does not have.
fn model_readings(
    arguments: &CritiqueArguments,
    orders: &[CritiqueOrder],
) -> Result<BTreeMap<Role, Readings>, Failure> {
    let first = reviewer::reader(&arguments.model, None, &arguments.configuration)?;
    let second = second_model(Agent::Critic)
        .filter(|_| orders.iter().any(CritiqueOrder::is_second_opinion))
        .map(|name| reviewer::reader(&arguments.model, Some(name), &arguments.configuration))
        .transpose()?;
    let mut out: BTreeMap<Role, Readings> = BTreeMap::new();
    for order in orders {
        let author = second.as_ref().filter(|_| order.is_second_opinion()).unwrap_or(&first);
        let Some(read) = model_reading(author, order).map_err(Failure::World)? else { continue };
        match out.get_mut(&order.role()) {
            Some((_, second)) => *second = Some(read),
            None => drop(out.insert(order.role(), (read, None))),
        }
    }
    Ok(out)
}

/// Asks a model for the reading of one critic; `None`, with a warning, if the grades do not pass the checks.
pub fn model_reading(author: &ModelAuthor, order: &CritiqueOrder) -> Result<Option<ReadCritique>, String> {
    let (read, problems) = author.carry_out(&CRITIQUE, order)?;
    for problem in &problems {
        exit::warn(&format!("{}: left out: {problem}", order.role()));
    }
    let read: ReadCritique = read_value(&read)?;
    let document = Document::new("prd", order.prd());
    let readable = Readable::new(&document, order.role());
    let read = readable.without_faulty(&read);
    if readable.problems(&read).is_empty() {
        return Ok(Some(read));
    }
    exit::warn(&format!("{}: the grades do not pass the checks, so the reading is not used", order.role()));
    Ok(None)
}
