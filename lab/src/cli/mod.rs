//! The commands of `reqgate-lab`, one file each. Session, outputs and exit codes are those of `reqgate`.

mod arguments;
mod calibrate;
mod calibrate_model;
mod canaries;
mod dispute;
mod eval;
mod fitting;
mod learn;
mod rubric;

use std::process::ExitCode;

use clap::CommandFactory;
use reqgate::cli::exit::Failure;
use reqgate::cli::{ended, parsed, refuse, schema, terminal};
use reqgate_lab::{Evaluation, Suite};

use arguments::{Command, LabArguments, SchemaOf};

/// Runs the command line of `reqgate-lab`.
pub(crate) fn main() -> ExitCode {
    match parsed::<LabArguments>(LabArguments::command()) {
        Ok(arguments) => {
            terminal::set_colour(arguments.color);
            ended(run(arguments))
        }
        Err(error) => refuse(&error),
    }
}

fn run(arguments: LabArguments) -> Result<u8, Failure> {
    let color = arguments.color;
    match arguments.command {
        Command::Eval(eval) => eval::run(&eval, color),
        Command::Calibrate(calibrate) => calibrate::run(&calibrate, color),
        Command::Learn(learn) => learn::run(&learn, color),
        Command::Rubric(rubric) => rubric::run(&rubric, color),
        Command::Dispute(dispute) => dispute::run(&dispute),
        Command::Canaries(canaries) => canaries::run(&canaries, color),
        Command::Schema(wanted) => match wanted.of {
            SchemaOf::Suite => schema::print(&schema::read::<Suite>()),
            SchemaOf::Eval => schema::print(&schema::written::<Evaluation>()),
        },
    }
}
