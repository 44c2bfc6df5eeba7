//! Arguments of `reqgate health`.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
pub struct HealthArguments {
    /// Cache folder to read [default: the one that runs use]
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,
    /// Print JSON (reqgate/health/v1)
    #[arg(long)]
    pub json: bool,
}
