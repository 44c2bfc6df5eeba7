//! The kill sweeps of the engine and of the program, with threads in Redis: after every kill another process finishes.

use std::cell::Cell;
use std::time::Duration;

use super::server::Server;
use crate::prd::kill::{end_of, is_long, lived_in};
use crate::prd::project;
use crate::workflow::kill::{again_and_again, folder, one_of_many, stride, sweep};

/// Folders with a store on a server, each with a separate key prefix.
fn on(server: &Server, name: &str) -> impl Fn() -> tempfile::TempDir {
    let made = Cell::new(0);
    move || {
        made.set(made.get() + 1);
        let folder = folder();
        std::fs::write(folder.path().join("place"), server.address(&format!("{name}{}", made.get()))).expect("a file");
        folder
    }
}

#[test]
#[ignore = "needs redis-server"]
fn a_process_may_die_at_any_boundary_of_redis() {
    let server = Server::start(&[]);
    sweep("step", stride(2), &on(&server, "step"));
    sweep("exit", stride(2), &on(&server, "exit"));
}

#[test]
#[ignore = "needs redis-server"]
fn a_process_may_die_again_and_again_beside_redis() {
    let server = Server::start(&[]);
    again_and_again(if is_long() { 20 } else { 3 }, &on(&server, "again"));
}

#[test]
#[ignore = "needs redis-server"]
fn of_many_processes_one_works_on_a_thread_in_redis() {
    let server = Server::start(&[]);
    one_of_many(&on(&server, "many"));
}

#[test]
#[ignore = "needs redis-server"]
fn the_program_may_die_anywhere_on_the_way_to_a_prd_in_redis() {
    let server = Server::start(&[]);
    let project = |number: usize| project().with_state(server.address(&format!("p{number}")));
    let clean = project(0);
    assert!(lived_in("documents", &clean, None, true), "the clean run lives");
    let expected = end_of(&clean);
    let boundaries = clean.read("boundaries").lines().count();
    assert!(boundaries > 40, "only {boundaries} boundaries were reached");
    assert!(!clean.path(".reqgate").exists(), "nothing is kept on this machine");
    let mut kills = 0;
    for number in (1..=boundaries).step_by(if is_long() { 1 } else { 9 }) {
        let sandbox = project(number);
        assert!(!lived_in("documents", &sandbox, Some(number), false), "boundary {number} kills");
        // The lease of the killed process must expire first.
        std::thread::sleep(Duration::from_millis(1050));
        assert!(lived_in("documents", &sandbox, None, false), "after boundary {number} another process goes on");
        assert_eq!(end_of(&sandbox), expected, "boundary {number} of {boundaries}");
        kills += 1;
    }
    println!("0 of {kills} kills at {boundaries} boundaries end with an abandoned run, another state or another file");
}
