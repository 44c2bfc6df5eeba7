//! The program `reqgate-lab`: measures reqgate on labelled text, and fits it to the tickets of a team.

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
