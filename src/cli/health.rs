//! `reqgate health`: shows the models that are paused after repeated failures, and the time of the next attempt. It
//! sends no requests.

use std::io::Write;

use reqgate::clean;
use reqgate::config::Flags;
use reqgate::llm::{self, BreakerLimits, Phase};

use super::arguments::{ConfigurationArguments, HealthArguments};
use super::exit::{self, Failure};
use super::outputs;
use super::reviewer::{self, CacheFolder};
use super::session;

/// Shows the breakers; returns 3 if one is open.
pub(super) fn run(arguments: &HealthArguments) -> Result<u8, Failure> {
    let (folder, limits) = match &arguments.cache {
        Some(folder) => (CacheFolder::At(folder.clone()), BreakerLimits::default()),
        None => {
            let config = session::configuration(&ConfigurationArguments::default(), Flags::default())?;
            (reviewer::cache(&config.model), reviewer::breaker(&config.model.settings))
        }
    };
    let folder = match folder {
        CacheFolder::At(folder) => Some(folder),
        CacheFolder::Off => None,
        CacheFolder::Unknown => {
            return Err(Failure::usage("no cache folder found: name one with --cache"));
        }
    };
    let health = llm::health(folder.as_deref(), limits);
    let text = match arguments.json {
        true => outputs::json("the health", &health)?,
        false if folder.is_none() => "the cache is switched off, so failures are not remembered\n".to_owned(),
        false => human(&health),
    };
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes()).map_err(|error| Failure::writing("standard output", &error))?;
    Ok(if health.is_well() { exit::PASS } else { exit::WORLD })
}

fn human(health: &llm::Health) -> String {
    if health.models.is_empty() {
        return "no model failures recorded\n".to_string();
    }
    let line = |model: &llm::ModelHealth| {
        let state = match model.state {
            Phase::Closed => "in use".to_string(),
            Phase::Open => format!("paused for another {} s", model.retry_in_ms.div_ceil(1000)),
            Phase::HalfOpen => "one trial request next time".to_string(),
        };
        let failures = match model.failures {
            1 => "1 failure".to_owned(),
            count => format!("{count} failures in a row"),
        };
        // The host comes from a file in the cache folder, which another user may have written.
        let clean = |text: &str| clean::one_line(text).into_owned();
        format!("{} at {}: {state}; {failures}\n", clean(&model.model), clean(&model.host))
    };
    health.models.iter().map(line).collect()
}
