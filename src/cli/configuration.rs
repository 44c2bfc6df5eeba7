//! `reqgate config`: shows the settings in force and the origin of each value.

use std::collections::BTreeSet;

use reqgate::config::guardrail::GuardrailSettings;
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
    let rows = Rows::of(config, book);
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

/// The rows of a configuration, in their order.
struct Rows<'c> {
    config: &'c ValidConfig,
    rows: Vec<Row>,
}

impl<'c> Rows<'c> {
    fn of(config: &'c ValidConfig, book: &RuleBook) -> Vec<Row> {
        let mut rows = Self { config, rows: Vec::new() };
        if config.threshold.value.is_some() {
            rows.add("threshold", json!(config.threshold.value), &config.threshold.origin);
        }
        rows.thresholds(book);
        rows.policy(book);
        rows.judging();
        rows.guardrail();
        rows.others();
        rows.rows
    }

    fn add(&mut self, key: impl Into<String>, value: Value, origin: &Origin) {
        self.rows.push(Row { key: key.into(), value, origin: self.config.words(origin) });
    }

    /// The threshold of each rubric, under the policies that use it.
    fn thresholds(&mut self, book: &RuleBook) {
        let config = self.config;
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
                self.rows.push(Row { key, value, origin: format!("{origin}; not used by {policies}") });
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
                self.rows.push(Row { key, value: json!(decides.threshold), origin });
            }
        }
    }

    /// The policy, and the certainty that it needs.
    fn policy(&mut self, book: &RuleBook) {
        let config = self.config;
        let policy = config.policy.value.as_deref().unwrap_or(DEFAULT_POLICY);
        let issues = format!("default; {DEFAULT_ISSUE_POLICY} for issues on GitHub");
        let origin = if config.policy.value.is_some() { config.words(&config.policy.origin) } else { issues };
        self.rows.push(Row { key: "policy".into(), value: json!(policy), origin });
        let by_evidence = book.policy(policy).filter(|policy| policy.goes_by_evidence());
        let sure = by_evidence.map(|policy| policy.file.sure);
        let (sure, origin) = match config.sure.value {
            Some(sure) => (Some(sure), config.words(&config.sure.origin)),
            None => (sure, format!("policy {policy}")),
        };
        self.rows.push(Row { key: "sure".into(), value: json!(sure), origin });
    }

    /// The rubric, the rules, the languages and the waivers.
    fn judging(&mut self) {
        let config = self.config;
        self.add("rubric", json!(config.rubric.value), &config.rubric.origin);
        for (id, severity) in &config.severities {
            self.add(format!("rules.{id}"), json!(RuleLevel::name_of(severity.value)), &severity.origin);
        }
        self.add("languages.judge", json!(config.judged_languages.value), &config.judged_languages.origin);
        self.add("languages.others", json!(config.other_languages.value.name()), &config.other_languages.origin);
        for (index, folder) in config.rules_folders.iter().enumerate() {
            let path = json!(folder.value.display().to_string());
            self.add(format!("rules_folders.{index}"), path, &folder.origin);
        }
        for (index, waiver) in config.waivers.iter().enumerate() {
            let rule = format!("{}: {}", waiver.value.rule, waiver.value.reason);
            self.add(format!("waivers.{index}"), json!(rule), &waiver.origin);
        }
        self.add("precision_floor", json!(config.precision_floor.value), &config.precision_floor.origin);
        if let Some(team) = &config.team_weights {
            self.add("team_weights", json!(team.value.display().to_string()), &team.origin);
        }
        self.add("disputes", json!(config.disputes.value.display().to_string()), &config.disputes.origin);
    }

    fn guardrail(&mut self) {
        let guardrail = &self.config.guardrail;
        self.add("guardrail.enabled", json!(guardrail.value.enabled), &self.config.guardrail_enabled);
        self.add("guardrail.mode", json!(guardrail.value.mode), &self.config.guardrail_mode);
        let (limits, default) = (&guardrail.value.limits, GuardrailSettings::default().limits);
        let limits = [
            ("min_length", json!(limits.min_length), json!(default.min_length)),
            ("max_length", json!(limits.max_length), json!(default.max_length)),
            ("max_document_length", json!(limits.max_document_length), json!(default.max_document_length)),
        ];
        for (name, value, usual) in limits {
            let origin = if value == usual { &Origin::Default } else { &guardrail.origin };
            self.add(format!("guardrail.limits.{name}"), value, origin);
        }
        for (kind, action) in &guardrail.value.actions {
            let kind = words(&json!(kind));
            self.add(format!("guardrail.actions.{kind}"), json!(action), &guardrail.origin);
        }
        for (index, phrase) in guardrail.value.phrases.iter().enumerate() {
            self.add(format!("guardrail.phrases.{index}"), json!(phrase), &guardrail.origin);
        }
        for (index, folder) in guardrail.value.pattern_folders.iter().enumerate() {
            let path = json!(folder.display().to_string());
            self.add(format!("guardrail.pattern_folders.{index}"), path, &guardrail.origin);
        }
    }

    /// Structuring, the model, searches and the output.
    fn others(&mut self) {
        let (config, search) = (self.config, &self.config.search);
        self.add("structuring.enabled", json!(config.enable_structuring.value), &config.enable_structuring.origin);
        self.add("structuring.fallback", json!(config.enable_fallback.value), &config.enable_fallback.origin);
        self.add("model.name", json!(config.model.name.value), &config.model.name.origin);
        self.add("model.engine", json!(config.model.engine.value.name()), &config.model.engine.origin);
        self.add("search.provider", json!(search.provider.value.name()), &search.provider.origin);
        if let Some(path) = &search.path.value {
            self.add("search.path", json!(path.display().to_string()), &search.path.origin);
        }
        if let Some(url) = &search.url.value {
            self.add("search.url", json!(url), &search.url.origin);
        }
        let format = config.format.value.as_deref().unwrap_or("human");
        self.add("output.format", json!(format), &config.format.origin);
        if let Some(files) = &config.lsp_files.value {
            self.add("lsp.files", json!(files), &config.lsp_files.origin);
        }
    }
}
