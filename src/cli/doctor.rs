//! `reqgate doctor`: checks the configuration, and that canary tickets are judged correctly.

use reqgate::config::Flags;
use reqgate::eval::canary::{self, Planted};
use reqgate::model::Severity;
use reqgate::pipeline::Stated;
use serde_json::json;

use super::arguments::measuring::DoctorArguments;
use super::arguments::{ColorWhen, TextOrJson};
use super::exit::{self, Failure};
use super::page::Page;
use super::session::{self, Extent, Session};
use super::{outputs, terminal};

/// Something that was looked at.
struct Check {
    name: &'static str,
    fine: bool,
    words: String,
}

/// Runs the command.
pub fn run(arguments: &DoctorArguments, color: ColorWhen) -> Result<u8, Failure> {
    let today = terminal::today();
    let config = session::configuration(&arguments.configuration, Flags::default())?;
    session::warn_of_unused(&config, &today);
    let session = Session::open(config, today, Extent::Teaching)?;
    let mut checks = checks(&session);
    let planted = if arguments.canary {
        let pipeline = session.pipeline(Stated::default())?;
        canary::plant(&pipeline).map_err(Failure::World)?
    } else {
        Vec::new()
    };
    if arguments.canary {
        checks.push(judged(&planted));
    }
    let text = match arguments.format {
        TextOrJson::Human => human(&checks, &planted, arguments.canary, color),
        TextOrJson::Json => json(&checks, &planted),
    };
    outputs::print(&text)?;
    let fine = checks.iter().all(|check| check.fine) && planted.iter().all(|planted| planted.fine);
    Ok(if fine { exit::PASS } else { exit::GATE_SAID_NO })
}

/// The checks that need no judging. A broken configuration has ended the run before.
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

/// A gate that judged nothing let nothing wrong through and proves nothing.
fn judged(planted: &[Planted]) -> Check {
    let count = planted.iter().filter(|planted| planted.got == "PASS" || planted.got == "REJECT").count();
    Check { name: "judged", fine: count > 0, words: format!("{count} of {} canaries were scored", planted.len()) }
}

fn human(checks: &[Check], planted: &[Planted], with_canaries: bool, color: ColorWhen) -> String {
    let mut page = Page::new(color);
    let mark = |page: &Page, fine: bool| if fine { "ok   ".to_owned() } else { page.red("WRONG") };
    for check in checks {
        page.line(&format!("{}  {:14} {}", mark(&page, check.fine), check.name, check.words));
    }
    for planted in planted {
        let words = if planted.fine { planted.got.clone() } else { planted.problem.clone() };
        page.line(&format!("{}  {:14} {}: {words}", mark(&page, planted.fine), "canary", planted.id));
    }
    let wrong = checks.iter().filter(|check| !check.fine).count() + planted.iter().filter(|one| !one.fine).count();
    page.line(&match (wrong, with_canaries) {
        (0, true) => "\nAll canary tickets were judged as expected.".to_owned(),
        (0, false) => "\nThe configuration is valid; run with --canary to judge known good and bad tickets.".to_owned(),
        (wrong, _) => format!("\n{wrong} of {} checks failed.", checks.len() + planted.len()),
    });
    page.text
}

fn json(checks: &[Check], planted: &[Planted]) -> String {
    let checks: Vec<serde_json::Value> =
        checks.iter().map(|check| json!({ "check": check.name, "fine": check.fine, "words": check.words })).collect();
    let all = json!({ "schema": "reqgate/doctor/v1", "checks": checks, "canaries": planted });
    format!("{}\n", serde_json::to_string_pretty(&all).unwrap_or_default())
}
