//! The program `reqgate`.

fn main() -> std::process::ExitCode {
    reqgate::cli::main()
}
