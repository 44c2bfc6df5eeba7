//! `reqgate learn`: learns the weights of readings from judged tickets, and tells what they are worth on other projects.

use std::path::Path;

use reqgate::config::Flags;
use reqgate::eval::learn;
use reqgate::files;
use reqgate::hash::Hash;
use reqgate::pipeline::Stated;
use serde_json::json;

use super::arguments::measuring::LearnArguments;
use super::arguments::{ColorWhen, TextOrJson};
use super::exit::{self, Failure};
use super::page::Page;
use super::session::{self, Extent, Session};
use super::{outputs, terminal};

/// Runs the command.
pub fn run(arguments: &LearnArguments, color: ColorWhen) -> Result<u8, Failure> {
    if let Some(path) = arguments.output.as_ref().filter(|path| path.exists() && !arguments.force) {
        return Err(Failure::usage(format!("`{}` already exists: use --force to replace it", path.display())));
    }
    let read: Vec<&Path> = std::iter::once(arguments.readings.as_path()).chain(arguments.texts.as_deref()).collect();
    let written: Vec<&Path> = arguments.output.as_deref().into_iter().collect();
    outputs::refuse_inputs(&read.iter().map(|path| path.display().to_string()).collect::<Vec<_>>(), &written)?;
    let mut tickets = learn::read(&arguments.readings, arguments.texts.as_deref()).map_err(Failure::usage)?;
    if let Some(folder) = &arguments.written {
        tickets.extend(learn::read_written(folder).map_err(Failure::usage)?);
    }
    let config = session::configuration(&arguments.configuration, Flags::default())?;
    let pipeline = Session::open(config, terminal::today(), Extent::Judging)?.pipeline(Stated::default())?;
    let mut sources = vec![format!("learned on {} by `reqgate learn`", terminal::today())];
    for path in read {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let bytes = files::read(path, files::DATASETS)
            .map_err(|error| Failure::usage(format!("reading `{}`: {error}", path.display())))?;
        sources.push(format!("{name}, sha256 {}", Hash::of(bytes).hex()));
    }
    let learned = learn::learn(&pipeline, &tickets, &sources).map_err(Failure::usage)?;
    let text = match arguments.format {
        TextOrJson::Human => {
            let mut page = Page::new(color);
            page.heading("On projects that were held out");
            for line in learned.figures.lines() {
                page.line(&format!("  {line}"));
            }
            page.text
        }
        TextOrJson::Json => {
            let all = json!({ "schema": "reqgate/learned/v1", "figures": learned.figures });
            format!("{}\n", serde_json::to_string_pretty(&all).unwrap_or_default())
        }
    };
    outputs::print(&text)?;
    if let Some(path) = &arguments.output {
        outputs::write_whole(path, &learned.file)?;
    }
    Ok(exit::PASS)
}
