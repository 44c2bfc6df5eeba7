//! What can be typed after `reqgate export`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Arguments of `export`.
#[derive(Debug, Args)]
pub struct ExportArguments {
    /// A PRD in Markdown, or - for standard input
    #[arg(value_name = "FILE")]
    pub path: PathBuf,
    /// Format
    #[arg(long, value_name = "FORMAT", default_value = "html", ignore_case = true)]
    pub format: ExportFormat,
    /// File to write; a PDF needs one [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The Chromium or Chrome that makes the PDF [default: the first one on PATH]
    #[arg(long, value_name = "PATH", env = "REQGATE_CHROMIUM")]
    pub chromium: Option<PathBuf>,
}

/// A format of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// One page, self-contained
    Html,
    /// For programs: reqgate/prd-document/v1
    Json,
    /// PDF, by an installed Chromium
    Pdf,
    /// Markdown in the standard layout
    Markdown,
}

pub const EXPORT_EXAMPLES: &str = "\
Examples:
  reqgate export prd.md --output prd.html                a page to read, send and print
  reqgate export prd.md --format pdf --output prd.pdf    needs Chromium or Chrome
  reqgate export prd.md --format json                    the parts of the PRD as data
  reqgate export prd.md --format markdown                the same PRD in the standard layout";

pub const EXPORT_CODES: &str = "\
Exit codes:
  0  written
  2  wrong usage, or a file that cannot be read
  3  the output cannot be written, or no browser could make the PDF";
