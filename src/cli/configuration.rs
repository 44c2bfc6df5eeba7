//! `reqgate config`: shows the settings in force and the origin of each value.

use std::collections::BTreeSet;

use reqgate::config::{Flags, Origin, RuleLevel, ValidConfig};
use reqgate::pipeline::{InForce, SetBy};
use reqgate::rules::{DEFAULT_ISSUE_POLICY, DEFAULT_POLICY, RuleBook};
use serde_json::{Value, json};

use super::arguments::{ColorWhen, ConfigArguments, TextOrJson};
use super::exit::Failure;
use super::page::Page;
use super::session::{Extent, Session};
use super::{outputs, session, terminal};

/// One value in force.
struct Row {
    key: String,
    value: Value,
    origin: String,
}

pub(super) fn run(arguments: &ConfigArguments, color: ColorWhen) -> Result<u8, Failure> {
    let config = session::configuration(&arguments.configuration, Flags::default())?;
    let session = Session::open(config, terminal::today(), Extent::Judging)?;
    let (config, book) = (&session.config, &session.book);
    let rows = rows(config, book);
    let without_effect: Vec<String> = session.without_effect().iter().map(ToString::to_string).collect();
    let file = config.file.as_ref().map(|path| path.display().to_string());
    let text = match arguments.format {
        TextOrJson::Human => human(file.as_deref(), &rows, config, &without_effect, color),
        TextOrJson::Json => {
            let settings: Vec<Value> =
                rows.iter().map(|row| json!({ "key": row.key, "value": row.value, "origin": row.origin })).collect();
            let unused = &config.unused_variables;
            let all = json!({
                "file": file, "settings": settings, "unused_environment_variables": unused, "without_effect": without_effect
            });
            format!("{}\n", serde_json::to_string_pretty(&all).unwrap_or_default())
        }
    };
    outputs::print(&text)?;
    Ok(0)
}

fn human(
    file: Option<&str>,
    rows: &[Row],
    config: &ValidConfig,
    without_effect: &[String],
    color: ColorWhen,
) -> String {
    let mut page = Page::new(color);
    page.line(&match file {
        Some(file) => format!("configuration file: {file}"),
        None => "configuration file: none (`reqgate init` writes one)".to_owned(),
    });
    page.line("");
    let widest = rows.iter().map(|row| row.key.len()).max().unwrap_or(0);
    let shown: Vec<String> = rows.iter().map(|row| words(&row.value)).collect();
    let widest_value = shown.iter().map(String::len).max().unwrap_or(0).min(40);
    for (row, value) in rows.iter().zip(&shown) {
        let origin = if row.origin == "default" { page.faint(&row.origin) } else { page.bold(&row.origin) };
        page.line(&format!("{:widest$}  {value:widest_value$}  {origin}", row.key));
    }
    if !config.unused_variables.is_empty() {
        page.line("");
        page.line(&format!("set but unused, because no model is asked: {}", config.unused_variables.join(", ")));
    }
    if !without_effect.is_empty() {
        page.line("");
        for problem in without_effect {
            page.line(problem);
        }
    }
    page.text
}

fn words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "-".to_owned(),
        other => other.to_string(),
    }
}

fn rows(config: &ValidConfig, book: &RuleBook) -> Vec<Row> {
    let mut rows = Vec::new();
    if config.threshold.value.is_some() {
        let origin = config.words(&config.threshold.origin);
        rows.push(Row { key: "threshold".into(), value: json!(config.threshold.value), origin });
    }
    let in_force = InForce::under(config, book);
    let policies: BTreeSet<&str> = in_force.iter().map(|decides| decides.policy.as_str()).collect();
    let policies = policies.into_iter().collect::<Vec<_>>().join(" or ");
    for rubric in &book.rubrics {
        let id = &rubric.file.id;
        let set = config.thresholds.get(id);
        let origin = config.words(set.map_or(&Origin::Default, |set| &set.origin));
        let own: Vec<&InForce> = in_force.iter().filter(|decides| decides.rubric == *id).collect();
        let key = format!("thresholds.{id}");
        let Some(first) = own.first() else {
            let value = json!(set.map_or(rubric.file.threshold, |set| set.value));
            rows.push(Row { key, value, origin: format!("{origin}; not used by {policies}") });
            continue;
        };
        let one = own.iter().all(|decides| decides.threshold == first.threshold);
        for decides in own.iter().take(if one { 1 } else { own.len() }) {
            let key = if one { key.clone() } else { format!("{key} ({})", decides.profile.plural()) };
            let origin = match decides.set_by {
                SetBy::One => config.words(&config.threshold.origin),
                SetBy::Certainty => format!("`sure` of the policy {}", decides.policy),
                SetBy::Own | SetBy::Rubric => origin.clone(),
            };
            rows.push(Row { key, value: json!(decides.threshold), origin });
        }
    }
    let policy = config.policy.value.as_deref().unwrap_or(DEFAULT_POLICY);
    let issues = format!("default; {DEFAULT_ISSUE_POLICY} for issues on GitHub");
    let origin = if config.policy.value.is_some() { config.words(&config.policy.origin) } else { issues };
    rows.push(Row { key: "policy".into(), value: json!(policy), origin });
    let by_evidence = book.policy(policy).filter(|policy| policy.goes_by_evidence());
    let sure = by_evidence.map(|policy| policy.file.sure);
    let (sure, origin) = match config.sure.value {
        Some(sure) => (Some(sure), config.words(&config.sure.origin)),
        None => (sure, format!("policy {policy}")),
    };
    rows.push(Row { key: "sure".into(), value: json!(sure), origin });
    let mut row = |key: String, value: Value, origin: &Origin| {
        rows.push(Row { key, value, origin: config.words(origin) });
    };
    row("rubric".into(), json!(config.rubric.value), &config.rubric.origin);
    for (id, severity) in &config.severities {
        row(format!("rules.{id}"), json!(RuleLevel::name_of(severity.value)), &severity.origin);
    }
    row("languages.judge".into(), json!(config.judged_languages.value), &config.judged_languages.origin);
    row("languages.others".into(), json!(config.other_languages.value.name()), &config.other_languages.origin);
    for (index, folder) in config.rules_folders.iter().enumerate() {
        row(format!("rules_folders.{index}"), json!(folder.value.display().to_string()), &folder.origin);
    }
    for (index, waiver) in config.waivers.iter().enumerate() {
        let rule = format!("{}: {}", waiver.value.rule, waiver.value.reason);
        row(format!("waivers.{index}"), json!(rule), &waiver.origin);
    }
    row("precision_floor".into(), json!(config.precision_floor.value), &config.precision_floor.origin);
    if let Some(team) = &config.team_weights {
        row("team_weights".into(), json!(team.value.display().to_string()), &team.origin);
    }
    row("disputes".into(), json!(config.disputes.value.display().to_string()), &config.disputes.origin);
    let guardrail = &config.guardrail;
    row("guardrail.enabled".into(), json!(guardrail.value.enabled), &config.guardrail_enabled);
    row("guardrail.mode".into(), json!(guardrail.value.mode), &config.guardrail_mode);
    let default = reqgate::config::guardrail::GuardrailSettings::default();
    let limits = [
        ("min_length", json!(guardrail.value.limits.min_length), json!(default.limits.min_length)),
        ("max_length", json!(guardrail.value.limits.max_length), json!(default.limits.max_length)),
        (
            "max_document_length",
            json!(guardrail.value.limits.max_document_length),
            json!(default.limits.max_document_length),
        ),
    ];
    for (name, value, usual) in limits {
        let origin = if value == usual { &Origin::Default } else { &guardrail.origin };
        row(format!("guardrail.limits.{name}"), value, origin);
    }
    for (kind, action) in &guardrail.value.actions {
        let kind = json!(kind);
        row(format!("guardrail.actions.{}", words(&kind)), json!(action), &guardrail.origin);
    }
    for (index, phrase) in guardrail.value.phrases.iter().enumerate() {
        row(format!("guardrail.phrases.{index}"), json!(phrase), &guardrail.origin);
    }
    for (index, folder) in guardrail.value.pattern_folders.iter().enumerate() {
        row(format!("guardrail.pattern_folders.{index}"), json!(folder.display().to_string()), &guardrail.origin);
    }
    row("structuring.enabled".into(), json!(config.enable_structuring.value), &config.enable_structuring.origin);
    row("structuring.fallback".into(), json!(config.enable_fallback.value), &config.enable_fallback.origin);
    let model = &config.model;
    row("model.name".into(), json!(model.name.value), &model.name.origin);
    row("model.engine".into(), json!(model.engine.value.name()), &model.engine.origin);
    row("search.provider".into(), json!(config.search.provider.value.name()), &config.search.provider.origin);
    if let Some(path) = &config.search.path.value {
        row("search.path".into(), json!(path.display().to_string()), &config.search.path.origin);
    }
    if let Some(url) = &config.search.url.value {
        row("search.url".into(), json!(url), &config.search.url.origin);
    }
    let format = config.format.value.clone().unwrap_or_else(|| "human".to_owned());
    row("output.format".into(), json!(format), &config.format.origin);
    rows
}
