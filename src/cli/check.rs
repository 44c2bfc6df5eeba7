//! `reqgate check`: judges many files and shows those that do not pass; findings in a baseline do not block.

use std::collections::BTreeSet;
use std::path::Path;

use reqgate::files;
use reqgate::model::Outcome;
use reqgate::stages::gate::{BASELINE_SCHEMA, Baseline, BaselineUse};
use reqgate::yaml;

use super::arguments::{CheckArguments, ColorWhen};
use super::exit::{self, Failure};
use super::outputs;
use super::score::{Run, Scope};

pub(super) fn run(arguments: &CheckArguments, color: ColorWhen) -> Result<u8, Failure> {
    let mut known = match &arguments.baseline {
        Some(path) => read(path, arguments.write_baseline)?,
        None => Baseline::default(),
    };
    let baseline = match &arguments.baseline {
        None => BaselineUse::None,
        Some(_) if arguments.write_baseline => BaselineUse::Write,
        Some(_) => BaselineUse::Hold(known.clone()),
    };
    let mut seen = BTreeSet::new();
    let mut stale = 0;
    let run = Run {
        inputs: &arguments.paths,
        judging: &arguments.judging,
        model: &arguments.model,
        showing: &arguments.showing,
        color,
        scope: Scope::Everything,
        baseline,
    };
    let code = run.run(|outcome: &Outcome| {
        seen.insert(outcome.input.clone());
        if arguments.write_baseline {
            known.record(outcome);
        }
        stale += known.stale(outcome);
    })?;
    let Some(path) = &arguments.baseline else { return Ok(code) };
    // The entry of a deleted file is removed; that of a file outside this run is kept.
    let gone: Vec<String> =
        known.inputs.keys().filter(|input| !seen.contains(*input) && !Path::new(input).exists()).cloned().collect();
    let gone: Vec<String> = gone.into_iter().filter(|input| !names_an_entry(input)).collect();
    if arguments.write_baseline {
        for input in &gone {
            known.inputs.remove(input);
        }
        write(path, &known)?;
    } else if stale + gone.len() > 0 {
        let count = stale + gone.len();
        let entries = if count == 1 { "1 entry is" } else { &format!("{count} entries are") };
        exit::note(&format!("`{}`: {entries} no longer needed; use --write-baseline to remove them", path.display()));
    }
    Ok(code)
}

/// Returns true for `issues.jsonl:12` and `issues.json[3]`, because such a name can be a file or an entry in one.
fn names_an_entry(input: &str) -> bool {
    input == "-" || input.ends_with(']') || input.rsplit_once(':').is_some_and(|(_, line)| line.parse::<u64>().is_ok())
}

fn read(path: &Path, may_be_missing: bool) -> Result<Baseline, Failure> {
    let shown = path.display();
    let text = match files::text(path, files::RECORDS) {
        Ok(text) => text,
        Err(error) if may_be_missing && error.kind() == std::io::ErrorKind::NotFound => return Ok(Baseline::default()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(Failure::usage(format!(
                "the baseline `{shown}` does not exist: create it with --write-baseline"
            )));
        }
        Err(error) => return Err(Failure::usage(format!("reading the baseline `{shown}`: {error}"))),
    };
    let remedy = "write it again with --write-baseline";
    let baseline: Baseline = serde_json::from_str(&text).map_err(|error| {
        // A person who edited it by hand needs the place and the key, which the YAML reader reports; every JSON text is
        // YAML.
        let why = yaml::read::<Baseline>(&text).err().map_or_else(|| error.to_string(), |error| error.to_string());
        Failure::usage(format!("the baseline `{shown}` cannot be read: {why}; {remedy}"))
    })?;
    if baseline.schema != BASELINE_SCHEMA {
        let schema = &baseline.schema;
        return Err(Failure::usage(format!(
            "the baseline `{shown}` is a `{schema}`, not a `{BASELINE_SCHEMA}`; {remedy}"
        )));
    }
    Ok(baseline)
}

fn write(path: &Path, baseline: &Baseline) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(baseline)
        .map_err(|error| Failure::World(format!("writing `{}`: {error}", path.display())))?;
    outputs::write_whole(path, &format!("{text}\n"))
}
