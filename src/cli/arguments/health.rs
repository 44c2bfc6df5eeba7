//! Arguments of `reqgate health`.

use std::path::PathBuf;

use clap::Args;

/// Arguments of `reqgate health`.
#[derive(Debug, Args)]
pub struct HealthArguments {
    /// Folder of cached answers and breakers; without it, the one that runs use
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,
    /// Write JSON, `reqgate/health/v1`
    #[arg(long)]
    pub json: bool,
}
