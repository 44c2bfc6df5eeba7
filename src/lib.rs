//! reqgate, the quality gate for requirements: it reads a ticket and says *ready* or *not ready*, why, where, and what
//! to write instead.
//!
//! The library contains the command line. It re-exports the crates of the workspace under short names for tests,
//! benchmarks and fuzzing; `docs/architecture.md` has the map. Start with [`pipeline`].
//!
//! # Invariants
//!
//! - A poor requirement is an `Outcome`; only a broken input or environment is an `Err`.
//! - The verdict comes from code over recorded facts. The same input, rules and configuration give the same output.
//! - Every finding has a place, or says that something is missing from the whole text.
//! - A skipped stage is shown as skipped, never as passed.
//! - Findings of the guardrail are masked byte for byte before any other stage reads the text, so that spans stay valid
//!   and the values never reach a report, log or hash.
//! - Rules, scoring, gate and report access neither network, clock nor disk.
//! - Every loop has a bound, every expression runs in linear time, and memory is bounded by the largest document in
//!   flight.
//! - A crate uses only those below it; a test checks the manifests.

// The command line uses the name of this library, as other crates do.
extern crate self as reqgate;

// Its documentation is its help.
#[doc(hidden)]
#[cfg(not(doc))]
pub mod cli;

#[cfg(not(doc))]
pub use cli::main_with;
pub use reqgate_action as action;
pub use reqgate_audit as audit;
pub use reqgate_base::{bounded_json, clean, files, hash, model, page, project, suggest, yaml};
pub use reqgate_docs as docs;
pub use reqgate_flow as workflow;
pub use reqgate_flow::names;
pub use reqgate_gate::{catalog, local_reader, pipeline, review};
pub use reqgate_hook as hook;
pub use reqgate_lsp as lsp;
pub use reqgate_net as net;
pub use reqgate_net::{github, jira, llm, search, sticky_comment};
pub use reqgate_orders as orders;
pub use reqgate_prd as prd;
pub use reqgate_report as report;
pub use reqgate_rules as rules;
pub use reqgate_rules::{config, prompts};
pub use reqgate_serve as serve;
pub use reqgate_text as text;

/// The stages of the pipeline, from intake to the gate.
pub mod stages {
    pub use reqgate_gate::stages::{gate, intake, scoring, structure_check, structuring};
    pub use reqgate_guardrail as guardrail;
}

/// The guide for authors of workflows; `cargo test --doc` compiles its examples.
#[cfg(doctest)]
#[doc = include_str!("../docs/workflow-authoring.md")]
mod authoring {}
