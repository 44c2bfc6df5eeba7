//! Arguments of `reqgate export`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub struct ExportArguments {
    /// A PRD in Markdown, the folder of its feature, the name of a thread, or - for standard input
    #[arg(value_name = "FILE")]
    pub path: PathBuf,
    /// Format [default: by the ending of --output, else html]
    #[arg(long, value_name = "FORMAT", ignore_case = true)]
    pub format: Option<ExportFormat>,
    /// File to write; a PDF, and a page on a terminal, need one [default: standard output]
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

impl ExportFormat {
    /// The format for the extension of a file.
    pub fn of_ending(path: &Path) -> Option<Self> {
        Some(match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "html" | "htm" => Self::Html,
            "json" => Self::Json,
            "pdf" => Self::Pdf,
            "md" | "markdown" => Self::Markdown,
            _ => return None,
        })
    }
}

pub(super) const EXPORT_EXAMPLES: &str = "\
Examples:
  reqgate export prd.md --output prd.html                a page to read, send and print
  reqgate export prd.md --output prd.pdf                 needs Chromium or Chrome
  reqgate export export-orders --output prd.pdf          the PRD of a thread, approved or not
  reqgate export prd.md --format json                    the parts of the PRD as data
  reqgate export prd.md --format markdown                the same PRD in the standard layout";

pub(super) const EXPORT_CODES: &str = "\
Exit codes:
  0  written
  2  wrong usage, or a file that cannot be read
  3  the output cannot be written, or no browser could make the PDF";
