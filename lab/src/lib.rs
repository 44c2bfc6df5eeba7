//! Measures reqgate on labelled text, and fits it to the history of a team: suites, figures, precision, calibration,
//! canaries.
//!
//! The library reads data files and no clock, so the same data, rules and seed give the same figures.

pub mod calibrate;
pub mod canary;
pub mod compare;
pub mod dispute;
mod engine;
pub mod history;
mod logistic;
pub mod markdown;
mod measure;
mod observation;
pub mod page;
mod parts;
mod prd_task;
mod prds;
pub mod precision;
pub mod result;
mod rows;
mod run;
mod statistics;
pub mod suite;
mod tasks;
pub mod team;
mod tickets;
mod verdicts;

pub use measure::{Counts, Evidence, Measure};
pub use observation::Critic;
pub use result::{EVAL_SCHEMA, Evaluation};
pub use run::{SEED, evaluate, folder_suite, is_named};
pub use suite::{Suite, SuiteError};
