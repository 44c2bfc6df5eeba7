//! `reqgate init`: writes a commented configuration.

use std::path::Path;

use reqgate::config::{COMMENTED_DEFAULT, NAMES};

use super::arguments::InitArguments;
use super::exit::Failure;
use super::outputs;

/// Runs the command.
pub fn run(arguments: &InitArguments) -> Result<u8, Failure> {
    let path = Path::new(NAMES[0]);
    if !arguments.force
        && let Some(found) = NAMES.iter().find(|name| Path::new(name).exists())
    {
        return Err(Failure::usage(format!("`{found}` is there already: --force writes `{}` anew", path.display())));
    }
    outputs::write_whole(path, COMMENTED_DEFAULT)?;
    outputs::print(&format!("wrote {}; `reqgate config` shows what is in force\n", path.display()))?;
    Ok(0)
}
