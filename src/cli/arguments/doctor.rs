//! Arguments of `doctor`.

use clap::Args;

use super::{ConfigurationArguments, TextOrJson};

/// Exit codes of `doctor`.
pub const DOCTOR_CODES: &str = "\
Exit codes:
  0  no problem found
  1  no rule or no rubric is in force
  2  the configuration or a rules folder is invalid";

/// Arguments of `doctor`.
#[derive(Debug, Args)]
pub struct DoctorArguments {
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: TextOrJson,
    /// Configuration and rules.
    #[command(flatten)]
    pub configuration: ConfigurationArguments,
}
