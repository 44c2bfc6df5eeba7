//! The command line of reqgate: everything here belongs to the binary, the library cannot see it.

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
