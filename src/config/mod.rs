//! How an installation behaves: settings as written, checked and filled with the shipped defaults.
//!
//! Knows no rules: whether an id exists is for `catalog` to say.

mod discovery;
mod environment;
mod file;
pub mod guardrail;
mod model;
mod problem;
mod search;
mod setting;
mod valid;

pub use crate::yaml::Place;
pub use discovery::{Found, NAMES, find, leads_out};
pub use environment::{Environment, UNUSED, USED};
pub use file::{COMMENTED_DEFAULT, Config, FormFieldConfig, OutputConfig, RuleLevel, StructuringConfig};
pub use model::{Consent, Engine, ModelBudget, ModelConfig, ModelEnvironment, ModelFlags, ModelPrices, ValidModel};
pub use problem::{ConfigError, Problem};
pub use search::{SearchConfig, SearchLimits, SearchProviderName, ValidSearch};
pub use setting::{Origin, Setting};
pub use valid::{DEFAULT_PRECISION_FLOOR, Flags, ValidConfig, consent};
