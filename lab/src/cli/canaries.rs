//! `reqgate-lab canaries`: judges known good and bad tickets with the configuration in force.

use reqgate::cli::arguments::{ColorWhen, TextOrJson};
use reqgate::cli::exit::{self, Failure};
use reqgate::cli::page::Page;
use reqgate::cli::session::{self, Extent, Session};
use reqgate::cli::{outputs, terminal};
use reqgate::config::Flags;
use reqgate::pipeline::Stated;
use reqgate_lab::canary::{self, Planted};
use serde_json::json;

use super::arguments::CanaryArguments;

pub(crate) fn run(arguments: &CanaryArguments, color: ColorWhen) -> Result<u8, Failure> {
    let today = terminal::today();
    let config = session::configuration(&arguments.configuration, Flags::default())?;
    session::warn_of_unused(&config, &today);
    let pipeline = Session::open(config, today, Extent::Judging)?.pipeline(Stated::default())?;
    let planted = canary::plant(&pipeline).map_err(Failure::World)?;
    let text = match arguments.format {
        TextOrJson::Human => human(&planted, color),
        TextOrJson::Json => {
            let all = json!({ "schema": "reqgate/canaries/v1", "canaries": planted });
            format!("{}\n", serde_json::to_string_pretty(&all).unwrap_or_default())
        }
    };
    outputs::print(&text)?;
    let fine = scored(&planted) > 0 && planted.iter().all(|planted| planted.fine);
    Ok(if fine { exit::PASS } else { exit::GATE_SAID_NO })
}

/// The number of canaries with a verdict: a run without one is not a success.
fn scored(planted: &[Planted]) -> usize {
    planted.iter().filter(|planted| planted.got == "PASS" || planted.got == "REJECT").count()
}

fn human(planted: &[Planted], color: ColorWhen) -> String {
    let mut page = Page::new(color);
    for planted in planted {
        let mark = if planted.fine { "ok   ".to_owned() } else { page.red("WRONG") };
        let words = if planted.fine { &planted.got } else { &planted.problem };
        page.line(&format!("{mark}  {}: {words}", planted.id));
    }
    let wrong = planted.iter().filter(|planted| !planted.fine).count();
    page.line(&match (wrong, scored(planted)) {
        (_, 0) => format!("\n0 of {} canaries were scored.", planted.len()),
        (0, _) => "\nAll canary tickets were judged as expected.".to_owned(),
        (wrong, _) => format!("\n{wrong} of {} canaries were judged wrongly.", planted.len()),
    });
    page.text
}
