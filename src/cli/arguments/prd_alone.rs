//! Arguments of `reqgate prd outline` and `reqgate prd refine`.

use std::path::PathBuf;

use clap::Args;

use super::drafting::DraftingModelArguments;
use super::{ConfigurationArguments, TextOrJson};

/// Options of a part of a team's work that runs without a thread.
#[derive(Debug, Args)]
pub struct AloneArguments {
    /// Write to this file [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Print the order for a writer as JSON (instructions, inputs, schema of the result) and stop
    #[arg(long, conflicts_with_all = ["reading", "model", "output"], help_heading = "Reader")]
    pub order: bool,
    /// Take the result of that order from this file (- for standard input)
    #[arg(long, value_name = "FILE", conflicts_with = "model", help_heading = "Reader")]
    pub reading: Option<PathBuf>,
    #[command(flatten)]
    pub model: DraftingModelArguments,
    #[command(flatten)]
    pub configuration: ConfigurationArguments,
}

#[derive(Debug, Args)]
pub struct OutlineArguments {
    /// The product or feature in a sentence
    pub vision: Option<String>,
    /// File to plan from: a ticket, minutes, notes; may be repeated
    #[arg(long, value_name = "FILE")]
    pub from: Vec<PathBuf>,
    /// Format: Markdown for people, or JSON
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: TextOrJson,
    #[command(flatten)]
    pub alone: AloneArguments,
}

#[derive(Debug, Args)]
pub struct RefineArguments {
    /// PRD in Markdown
    pub file: PathBuf,
    /// Critique to follow, as `reqgate critique --format json` writes it (- for standard input) [default: faults that
    /// its form proves]
    #[arg(long, value_name = "FILE")]
    pub critique: Option<PathBuf>,
    /// Changes that you want; they come before the critique
    #[arg(long, value_name = "TEXT")]
    pub because: Option<String>,
    /// File that may be quoted and cited: a ticket, minutes, notes; may be repeated
    #[arg(long, value_name = "FILE")]
    pub from: Vec<PathBuf>,
    #[command(flatten)]
    pub alone: AloneArguments,
}
