//! The integration tests, compiled as one crate.

#![allow(unreachable_pub, reason = "several test programs share files")]

mod address;
mod architecture;
mod cli;
#[cfg(feature = "service")]
mod container;
mod critique;
mod doors;
mod fakes;
mod fitted_terms;
mod forge;
mod gold;
mod guardrail;
mod hostile;
mod invariants;
mod languages;
#[cfg(unix)]
mod lsp;
mod markdown;
mod mcp;
mod messages;
mod model;
mod placeholders;
mod plain_words;
mod planted;
mod policies;
mod prd;
mod properties;
mod reading;
#[cfg(all(feature = "redis", unix))]
mod redis;
mod roles;
mod rules;
#[cfg(all(unix, feature = "service"))]
mod service;
#[cfg(all(unix, feature = "service"))]
mod service_mcp;
#[cfg(all(unix, feature = "service"))]
mod service_pages;
#[cfg(all(unix, feature = "service"))]
mod service_strangers;
#[cfg(all(unix, feature = "service"))]
mod service_threads;
#[cfg(all(unix, feature = "service"))]
mod service_webhooks;
#[path = "../texts/mod.rs"]
mod texts;
mod traceability;
mod webhooks;
mod workflow;

/// The program that has a command.
fn program(_command: &str) -> std::path::PathBuf {
    assert_cmd::cargo::cargo_bin!("reqgate").to_owned()
}
