//! `reqgate man` and `reqgate completions`: generated from the definitions of the arguments.

use clap::CommandFactory;

use super::arguments::Arguments;
use super::exit::Failure;
use super::outputs;

/// Prints the manual page of reqgate, or of one command.
pub(super) fn man(command: Option<&str>) -> Result<u8, Failure> {
    let mut root = Arguments::command();
    root.build();
    let page = match command {
        None => root,
        Some(name) => match root.find_subcommand(name) {
            Some(command) => command.clone(),
            None => {
                let known = root.get_subcommands().map(|command| command.get_name().to_owned()).collect::<Vec<_>>();
                let hint = reqgate::suggest::did_you_mean(name, known.iter().map(String::as_str));
                return Err(Failure::usage(format!("there is no command `{name}`{hint}")));
            }
        },
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(page)
        .render(&mut text)
        .map_err(|error| Failure::World(format!("writing the manual page: {error}")))?;
    outputs::print(&String::from_utf8_lossy(&text))?;
    Ok(0)
}

/// Prints the completions of a shell.
pub(super) fn completions(shell: clap_complete::Shell) -> Result<u8, Failure> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "reqgate", &mut text);
    outputs::print(&String::from_utf8_lossy(&text))?;
    Ok(0)
}
