//! The store of a project: it can be moved with the project, and a store made by a stranger is untrusted input.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use serde_json::Value;

use super::{ANSWERS, approved, open_ask, project, started};
use crate::cli::{Ran, Sandbox};

/// A project with a thread that waits for the review of its requirements.
fn waiting() -> Sandbox {
    let sandbox = project();
    sandbox.file("answers.yaml", ANSWERS.split("- ask: requirements_review").next().expect("a part"));
    started(&sandbox, &["--answers", "answers.yaml"]).ends_with(4);
    assert_eq!(open_ask(&sandbox)["kind"], "requirements_review");
    sandbox.file("answers.yaml", ANSWERS);
    sandbox
}

fn copied(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder").flatten() {
        let target = to.join(entry.file_name());
        match entry.path().is_dir() {
            true => copied(&entry.path(), &target),
            false => {
                fs::copy(entry.path(), target).expect("it is copied");
            }
        }
    }
}

fn finished(sandbox: &Sandbox) -> Ran {
    sandbox.run(&["prd", "resume", "export", "--answers", "answers.yaml"]).ends_with(0)
}

fn database(sandbox: &Sandbox) -> Connection {
    Connection::open(sandbox.path(".reqgate/state.db")).expect("a database")
}

/// Changes the root in the record of the thread, as a person with access to the file can.
fn with_root(sandbox: &Sandbox, root: &str) {
    let connection = database(sandbox);
    let text: String = connection.query_row("SELECT record FROM thread", [], |row| row.get(0)).expect("a thread");
    let mut record: Value = serde_json::from_str(&text).expect("JSON");
    record["root"] = root.into();
    connection.execute("UPDATE thread SET record = ?1", [record.to_string()]).expect("it is written");
}

const PRD: &str = "docs/prd/001-export/prd.md";

#[test]
fn a_copied_project_writes_into_itself() {
    let (old, new) = (waiting(), Sandbox::new());
    let before = old.read("docs/prd/001-export/feature-brief.md");
    copied(&old.path(""), &new.path(""));
    let ran = finished(&new);
    assert!(new.path(PRD).is_file() && !old.path(PRD).exists(), "{ran:?}");
    assert_eq!(old.names("docs/prd/001-export"), ["feature-brief.md"]);
    assert_eq!(old.read("docs/prd/001-export/feature-brief.md"), before);
    // Each project continues independently.
    finished(&old);
    assert!(old.path(PRD).is_file());
}

#[test]
fn a_renamed_project_goes_on_in_its_place() {
    let outer = Sandbox::new();
    copied(&waiting().path(""), &outer.path("old"));
    fs::rename(outer.path("old"), outer.path("new")).expect("it is renamed");
    let mut command = assert_cmd::Command::from_std(outer.command());
    let arguments = ["prd", "resume", "export", "--answers", "answers.yaml"];
    let output = command.current_dir(outer.path("new")).args(arguments).output().expect("it starts");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(outer.path("new").join(PRD).is_file() && !outer.path("old").exists());
}

/// Threads of older versions contain the absolute path of their project.
#[test]
fn a_thread_of_an_older_version_moves_with_its_project() {
    let (old, new) = (waiting(), Sandbox::new());
    copied(&old.path(""), &new.path(""));
    with_root(&new, &old.path("").display().to_string());
    finished(&new);
    assert!(new.path(PRD).is_file() && !old.path(PRD).exists());
    // It can also still be opened at its old path.
    let whole = old.path("").display().to_string();
    with_root(&old, whole.trim_end_matches('/'));
    finished(&old);
    assert!(old.path(PRD).is_file());
}

#[test]
fn the_path_that_is_printed_exists() {
    for from_elsewhere in [false, true] {
        let sandbox = waiting();
        let elsewhere = Sandbox::new();
        let here = if from_elsewhere { &elsewhere } else { &sandbox };
        let (state, answers) = (sandbox.path(".reqgate"), sandbox.path("answers.yaml"));
        let arguments = ["prd", "resume", "export", "--answers"];
        let mut command = assert_cmd::Command::from_std(here.command());
        let output = command.args(arguments).arg(answers).arg("--state").arg(&state).output().expect("it starts");
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let printed = String::from_utf8(output.stdout).expect("UTF-8");
        let paths: Vec<&str> = printed.lines().filter_map(|line| line.strip_prefix("  ")).collect();
        assert!(paths.len() >= 4, "{printed}");
        for path in paths {
            assert!(here.path("").join(path).is_file(), "{path}: {printed}");
        }
        let status = ["prd", "status", "export", "--state", state.to_str().expect("a path")];
        let status = here.run(&status).ends_with(0).stdout;
        let folder = status.lines().find_map(|line| line.trim().strip_prefix("documents: ")).expect("a folder");
        assert!(here.path("").join(folder).is_dir(), "{status}");
        assert!(sandbox.path(PRD).is_file());
    }
}

/// A store in a project writes only into that project, regardless of its content.
#[test]
fn a_store_of_a_stranger_writes_only_into_its_project() {
    let outside = Sandbox::new();
    let absolute = outside.path("").display().to_string();
    for root in [absolute.as_str(), "..", "../../..", "/"] {
        let outer = Sandbox::new();
        copied(&waiting().path(""), &outer.path("checkout/project"));
        let connection = Connection::open(outer.path("checkout/project/.reqgate/state.db")).expect("a database");
        let text: String = connection.query_row("SELECT record FROM thread", [], |row| row.get(0)).expect("a thread");
        let mut record: Value = serde_json::from_str(&text).expect("JSON");
        record["root"] = root.into();
        connection.execute("UPDATE thread SET record = ?1", [record.to_string()]).expect("it is written");
        drop(connection);
        let mut command = assert_cmd::Command::from_std(outer.command());
        let arguments = ["prd", "resume", "export", "--answers", "answers.yaml"];
        let output = command.current_dir(outer.path("checkout/project")).args(arguments).output().expect("it starts");
        assert_eq!(output.status.code(), Some(0), "{root}: {output:?}");
        assert!(outer.path("checkout/project").join(PRD).is_file(), "{root}");
        assert_eq!(outer.names(""), [".git", "checkout"], "{root}");
        assert_eq!(outer.names("checkout"), ["project"], "{root}");
        assert_eq!(outside.names(""), [".git"], "{root}");
    }
}

fn refused(sandbox: &Sandbox, words: &str) {
    for command in [&["prd", "list"][..], &["inbox"], &["prd", "status", "export"], &["prd", "resume", "export"]] {
        let start = Instant::now();
        let ran = sandbox.run(command).ends_with(3);
        assert!(ran.stderr.contains(words), "{command:?}: {ran:?}");
        assert!(start.elapsed() < Duration::from_secs(20), "{command:?}");
    }
}

#[test]
fn a_database_that_runs_something_is_not_opened() {
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)";
    for (kind, sql) in [
        (
            "view",
            format!(
                "ALTER TABLE thread RENAME TO t; CREATE VIEW thread AS {endless} SELECT 'a' || i AS id, 1 AS head, 1 AS epoch, (SELECT record FROM t) AS record FROM n;"
            ),
        ),
        ("view", format!("CREATE VIEW more AS {endless} SELECT i FROM n;")),
        ("trigger", "CREATE TRIGGER own AFTER INSERT ON event BEGIN DELETE FROM thread; END;".to_owned()),
        ("index", "CREATE INDEX own ON event (length(event));".to_owned()),
        ("table", "CREATE TABLE own (a);".to_owned()),
    ] {
        let sandbox = waiting();
        database(&sandbox).execute_batch(&sql).expect("a stranger can");
        let before = fs::read(sandbox.path(".reqgate/state.db")).expect("a file");
        refused(&sandbox, "was not made by this program");
        assert_eq!(fs::read(sandbox.path(".reqgate/state.db")).expect("a file"), before, "{kind}: nothing was written");
    }
    let sandbox = waiting();
    database(&sandbox).execute_batch("DROP TABLE snapshot").expect("a stranger can");
    refused(&sandbox, "a table is missing");
}

#[test]
fn a_database_with_too_much_in_it_is_not_read() {
    let sandbox = waiting();
    let large = "UPDATE thread SET record = replace(hex(zeroblob(1100000)), '0', ' ') || record";
    database(&sandbox).execute_batch(large).expect("a stranger can");
    let ran = sandbox.run(&["prd", "list"]).ends_with(3);
    assert!(ran.stderr.contains("too large"), "{ran:?}");
    let sandbox = waiting();
    let file = fs::OpenOptions::new().write(true).open(sandbox.path(".reqgate/state.db")).expect("a file");
    file.set_len(2 * 1024 * 1024 * 1024).expect("a sparse file");
    let ran = sandbox.run(&["prd", "list"]).ends_with(3);
    assert!(ran.stderr.contains("larger than 1 GiB"), "{ran:?}");
}

#[test]
fn a_damaged_database_is_told_before_it_is_used() {
    let sandbox = waiting();
    database(&sandbox).execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").expect("it is one file");
    let path = sandbox.path(".reqgate/state.db");
    let mut bytes = fs::read(&path).expect("a file");
    let middle = bytes.len() / 2;
    bytes[middle..middle + 3000].fill(0xff);
    fs::write(&path, bytes).expect("it is written");
    let ran = sandbox.run(&["prd", "list"]).ends_with(3);
    assert!(ran.stderr.contains("the store is damaged"), "{ran:?}");
}

/// A link in the folder of the state would be followed by everything that writes there.
#[cfg(unix)]
#[test]
fn links_in_the_folder_of_the_state_are_not_followed() {
    use std::os::unix::fs::symlink;
    let outside = Sandbox::new();
    outside.file("victim", "mine").file("folder/feature-brief.md", "mine");
    for name in ["state.db", "state.db-wal", "state.db-journal", "drafts", "unsent", "locks"] {
        let sandbox = waiting();
        let link = sandbox.path(".reqgate").join(name);
        let _ = fs::remove_file(&link);
        let _ = fs::remove_dir_all(&link);
        symlink(outside.path(if name.contains('.') { "victim" } else { "folder" }), &link).expect("a link");
        let ran = sandbox.run(&["prd", "resume", "export"]).ends_with(3);
        assert!(ran.stderr.contains("is a link"), "{name}: {ran:?}");
    }
    let sandbox = waiting();
    let thread = sandbox.path(".reqgate/drafts/export");
    fs::create_dir_all(sandbox.path(".reqgate/drafts")).expect("a folder");
    let _ = fs::remove_dir_all(&thread);
    symlink(outside.path("folder"), &thread).expect("a link");
    let id = open_ask(&sandbox)["id"].as_str().expect("an id").to_owned();
    let answer = r#"{"verdicts": [], "added": [{"description": "Team leads see every export of the last month."}]}"#;
    sandbox.run_with(&["answer", &id, "--json", "-"], &[], answer);
    let whole = Sandbox::new();
    whole.file("ticket.md", super::TICKET);
    symlink(sandbox.path(".reqgate"), whole.path(".reqgate")).expect("a link");
    let ran = whole.run(&["prd", "start", "--from", "ticket.md"]).ends_with(3);
    assert!(ran.stderr.contains("is a link"), "{ran:?}");
    assert_eq!(outside.read("victim"), "mine");
    assert_eq!(outside.names("folder"), ["feature-brief.md"]);
    assert_eq!(outside.read("folder/feature-brief.md"), "mine");
}

/// Only documents of the project are read, because a position of other origin may name any file.
#[test]
fn a_position_of_a_stranger_reads_nothing_outside() {
    let outer = Sandbox::new();
    outer.file("secret/001-export/feature-brief.md", "# Feature brief: Mine\n\nThe merger is on Monday.\n");
    outer.file("secret/001-export/requirements.md", "The merger is on Monday.\n");
    copied(&waiting().path(""), &outer.path("project"));
    let connection = Connection::open(outer.path("project/.reqgate/state.db")).expect("a database");
    for table in ["snapshot SET position = replace(position", "event SET event = replace(event"] {
        connection.execute_batch(&format!("UPDATE {table}, 'docs/prd', '../secret')")).expect("a stranger can");
    }
    drop(connection);
    let run = |arguments: &[&str]| {
        let mut command = assert_cmd::Command::from_std(outer.command());
        command.current_dir(outer.path("project")).args(arguments).output().expect("it starts")
    };
    for arguments in [
        &["prd", "resume", "export", "--answers", "answers.yaml"][..],
        &["prd", "show", "export", "--draft", "requirements"],
        &["prd", "status", "export"],
    ] {
        let output = run(arguments);
        let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert!(!said.contains("merger"), "{arguments:?}: {said}");
    }
    assert_eq!(outer.names("secret/001-export"), ["feature-brief.md", "requirements.md"]);
}

/// Two processes at once, one of which creates the store.
#[test]
fn a_store_that_is_just_being_made_is_waited_for() {
    let sandbox = project();
    std::thread::scope(|scope| {
        for number in 0..4 {
            let sandbox = &sandbox;
            scope.spawn(move || {
                let id = format!("export-{number}");
                let start = ["prd", "start", "--from", "ticket.md", "--id", id.as_str()];
                sandbox.run(&start).ends_with(4);
            });
        }
    });
    assert_eq!(sandbox.run(&["prd", "list", "--format", "json"]).json().as_array().map(Vec::len), Some(4));
    let _ = approved(&sandbox);
}
