//! The settings of an installation, checked and filled with the shipped defaults.
//!
//! The rules are not known here: `catalog` checks whether an id exists.

mod consent;
mod discovery;
mod environment;
mod file;
pub mod guardrail;
mod inside;
mod model;
mod own;
mod problem;
mod search;
mod setting;
mod valid;

pub use consent::Consent;
pub use discovery::{FoundFiles, NAMES, find, leads_out};
pub use environment::{Environment, UNUSED, USED};
pub use file::{COMMENTED_DEFAULT, Config, FormFieldConfig, LspConfig, OutputConfig, RuleLevel, StructuringConfig};
pub use model::{
    Engine, ModelBudget, ModelConfig, ModelEnvironment, ModelFlags, ModelPrices, ValidModel, Withheld, WithheldKind,
};
pub use own::consent;
pub use problem::{ConfigError, Problem};
pub use reqgate_base::yaml::Place;
pub use search::{SearchConfig, SearchLimits, SearchProviderName, ValidSearch};
pub use setting::{Origin, Setting};
pub use valid::{DEFAULT_PRECISION_FLOOR, Flags, ValidConfig};
