//! Arguments of `doctor`.

use clap::Args;

use super::{ConfigurationArguments, TextOrJson};

pub(super) const DOCTOR_CODES: &str = "\
Exit codes:
  0  no problem found
  1  no rule or no rubric is in force
  2  the configuration or a rules folder is invalid";

#[derive(Debug, Args)]
pub struct DoctorArguments {
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: TextOrJson,
    #[command(flatten)]
    pub configuration: ConfigurationArguments,
}
