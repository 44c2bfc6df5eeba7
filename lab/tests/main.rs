//! The commands of `reqgate-lab`, run as users run them, and the suites of the repository.
//!
//! `reqgate` is run too; `cargo test` of the workspace builds it.

#![allow(unreachable_pub, reason = "several test programs share files")]

mod calibrating;
#[path = "../../tests/integration/cli/case.rs"]
mod case;
mod learning;
mod measuring;
mod overwriting;
#[path = "../../tests/integration/cli/sandbox.rs"]
#[expect(dead_code, reason = "the other tests call the rest")]
mod sandbox;
#[path = "../../tests/integration/model/server.rs"]
#[expect(dead_code, reason = "the other tests call the rest")]
mod server;
mod snapshots;
mod suites;

use std::path::{Path, PathBuf};

/// The commands of `reqgate-lab`.
const OWN: [&str; 8] = ["--help", "eval", "calibrate", "learn", "rubric", "dispute", "canaries", "schema"];

/// The program that has a command.
fn program(command: &str) -> PathBuf {
    let lab = assert_cmd::cargo::cargo_bin!("reqgate-lab");
    if OWN.contains(&command) {
        return lab.to_owned();
    }
    let program = lab.with_file_name(format!("reqgate{}", std::env::consts::EXE_SUFFIX));
    assert!(program.exists(), "`cargo build` first: these tests run `reqgate` too");
    program
}

/// A path from the root of the repository.
fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

#[test]
fn cases_hold() {
    case::check(&root("lab/tests/cases.yaml"));
}
