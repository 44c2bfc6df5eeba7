//! `reqgate doctor`: checks the configuration.

use reqgate::config::Flags;
use reqgate::model::Severity;
use serde_json::json;

use super::arguments::{ColorWhen, DoctorArguments, TextOrJson};
use super::exit::{self, Failure};
use super::page::Page;
use super::session::{self, Extent, Session};
use super::{outputs, terminal};

/// The result of one check.
struct Check {
    name: &'static str,
    fine: bool,
    words: String,
}

pub(super) fn run(arguments: &DoctorArguments, color: ColorWhen) -> Result<u8, Failure> {
    let today = terminal::today();
    let config = session::configuration(&arguments.configuration, Flags::default())?;
    session::warn_of_unused(&config, &today);
    let session = Session::open(config, today, Extent::Teaching)?;
    let checks = checks(&session);
    let text = match arguments.format {
        TextOrJson::Human => human(&checks, color),
        TextOrJson::Json => json(&checks),
    };
    outputs::print(&text)?;
    Ok(if checks.iter().all(|check| check.fine) { exit::PASS } else { exit::GATE_SAID_NO })
}

/// The checks of a configuration that could be read.
fn checks(session: &Session) -> Vec<Check> {
    let config = &session.config;
    let file = match &config.file {
        Some(path) => format!("{}", path.display()),
        None => "none, defaults apply".to_owned(),
    };
    let is_on =
        |rule: &&reqgate::rules::Rule| config.severities.get(&rule.file.id).is_none_or(|set| set.value.is_some());
    let on = session.book.rules.iter().filter(is_on).count();
    let blocks = |rule: &&reqgate::rules::Rule| {
        let severity = config.severities.get(&rule.file.id).map_or(Some(rule.file.severity), |set| set.value);
        severity == Some(Severity::Blocker)
    };
    let blockers = session.book.rules.iter().filter(blocks).count();
    let all = session.book.rules.len();
    let rubrics: Vec<String> =
        session.book.rubrics.iter().map(|rubric| format!("{} {}", rubric.file.id, rubric.file.version)).collect();
    let guardrail = &config.guardrail.value;
    let disputes: u64 = session.recorded.values().map(|tally| tally.right + tally.wrong).sum();
    let unused = &config.unused_variables;
    let environment = match unused.as_slice() {
        [] => "no unused settings".to_owned(),
        names => format!("set but unused, because no model is asked: {}", names.join(", ")),
    };
    vec![
        Check { name: "configuration", fine: true, words: file },
        Check { name: "rules", fine: on > 0, words: format!("{on} of {all} in force, {blockers} may block") },
        Check { name: "rubrics", fine: !rubrics.is_empty(), words: rubrics.join(", ") },
        Check {
            name: "guardrail",
            fine: true,
            words: if guardrail.enabled { "on".to_owned() } else { "switched off by the configuration".to_owned() },
        },
        Check { name: "disputes", fine: true, words: format!("{disputes} findings recorded") },
        Check { name: "environment", fine: true, words: environment },
    ]
}

fn human(checks: &[Check], color: ColorWhen) -> String {
    let mut page = Page::new(color);
    for check in checks {
        let mark = if check.fine { "ok   ".to_owned() } else { page.red("WRONG") };
        page.line(&format!("{mark}  {:14} {}", check.name, check.words));
    }
    page.line(&match checks.iter().filter(|check| !check.fine).count() {
        0 => "\nThe configuration is valid.".to_owned(),
        wrong => format!("\n{wrong} of {} checks failed.", checks.len()),
    });
    page.text
}

fn json(checks: &[Check]) -> String {
    let checks: Vec<serde_json::Value> =
        checks.iter().map(|check| json!({ "check": check.name, "fine": check.fine, "words": check.words })).collect();
    let all = json!({ "schema": "reqgate/doctor/v1", "checks": checks });
    format!("{}\n", serde_json::to_string_pretty(&all).unwrap_or_default())
}
