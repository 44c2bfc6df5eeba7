//! Archives of other origin: shown before they are imported, marked afterwards, and without access to files outside the
//! feature.

use std::fs;
use std::path::Path;

use reqgate::prd::workflow::PrdWorkflow;
use reqgate::workflow::{Event, Incoming, Snapshot, SqliteStore, Store, ThreadRecord};
use serde_json::Value;

use super::model::{brief, server};
use super::{ANSWERS, approved, open_ask, project, started};
use crate::cli::Sandbox;

/// A project with a thread that waits for the review of its PRD.
fn waiting() -> Sandbox {
    let sandbox = project();
    let but_the_last = ANSWERS.split("- ask: prd_review").next().expect("a part");
    sandbox.file("answers.yaml", but_the_last);
    started(&sandbox, &["--answers", "answers.yaml", "--actor", "alice"]).ends_with(4);
    assert_eq!(open_ask(&sandbox)["kind"], "prd_review");
    sandbox
}

/// The archive of such a thread.
fn archive() -> String {
    waiting().run(&["prd", "export", "export"]).ends_with(0).stdout
}

/// Changes the bodies of an archive and ends it after the step that requests this file, with hashes that are valid
/// again.
fn forged(archive: &str, wanted: &str, change: impl Fn(&str) -> String) -> String {
    let mut lines = archive.lines();
    let mut head: Value = serde_json::from_str(lines.next().expect("a record")).expect("JSON");
    let mut events: Vec<Event> = Vec::new();
    for line in lines {
        let event: Event = serde_json::from_str(line).expect("an event");
        let body = serde_json::from_str(&change(&event.body.to_string())).expect("JSON");
        let previous = events.last().map(|last| last.hash.clone()).unwrap_or_default();
        let is_last = event.body["effects"].to_string().contains(wanted);
        events.push(Event::new(event.seq, event.at, event.actor, body, previous));
        if is_last {
            break;
        }
    }
    let last = events.last().expect("an event");
    assert_eq!(last.body["kind"], "stepped", "no step wants {wanted}");
    head["thread"]["head"] = last.seq.into();
    head["thread"]["head_hash"] = last.hash.clone().into();
    let lines = events.iter().map(|event| serde_json::to_string(event).expect("JSON"));
    std::iter::once(head.to_string()).chain(lines).map(|line| format!("{line}\n")).collect()
}

/// The files of a folder with their contents, except the state and the repository.
fn files(sandbox: &Sandbox) -> Vec<(String, String)> {
    fn walk(folder: &Path, root: &Path, out: &mut Vec<(String, String)>) {
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            let name = path.strip_prefix(root).expect("it is below").display().to_string();
            if path.is_dir() && !name.starts_with(".reqgate") {
                walk(&path, root, out);
            } else if path.is_file() {
                out.push((name, fs::read_to_string(&path).unwrap_or_default()));
            }
        }
    }
    let mut out = Vec::new();
    walk(&sandbox.path(""), &sandbox.path(""), &mut out);
    out.sort();
    out
}

const BRIEF: &str = "docs/prd/001-export/feature-brief.md\"";

const FORGED: [&str; 8] = [
    ".github/workflows/x.yml",
    ".envrc",
    ".git/config",
    "../out.md",
    "/tmp/reqgate-forged.md",
    "src/main.rs",
    "docs/prd/001-export/../../../x.md",
    "docs/prd/001-export/.envrc",
];

#[test]
fn a_forged_path_is_refused_when_an_archive_is_imported() {
    let archive = archive();
    for path in FORGED {
        let forged = forged(&archive, BRIEF, |body| {
            body.replace(&format!("\"path\":\"{BRIEF}"), &format!("\"path\":\"{path}\""))
        });
        assert!(forged.contains(path), "{path}");
        let sandbox = project();
        let before = files(&sandbox);
        let ran = sandbox.run_with(&["prd", "import", "-", "--yes"], &[], &forged).ends_with(2);
        assert!(
            ran.stderr.contains("nothing was imported") && ran.stderr.contains("writes a file that it may not write"),
            "{ran:?}"
        );
        sandbox.run(&["prd", "resume", "export"]).ends_with(2);
        assert_eq!(files(&sandbox), before, "{path}");
        assert!(!sandbox.path(".reqgate").exists(), "nothing is kept of it");
    }
}

/// The folder of all features comes from the archive too; it must not be a folder that configures a tool.
#[test]
fn a_forged_folder_is_refused_when_an_archive_is_imported() {
    let archive = archive();
    for folder in [".github", "../elsewhere", "/tmp/reqgate-forged", "docs/.git"] {
        let forged = forged(&archive, BRIEF, |body| body.replace("docs/prd", folder));
        let sandbox = project();
        let before = files(&sandbox);
        let ran = sandbox.run_with(&["prd", "import", "-", "--yes"], &[], &forged);
        assert_eq!(ran.code, 2, "{folder}: {ran:?}");
        assert_eq!(files(&sandbox), before, "{folder}");
    }
    // Without a step that writes, the folder itself is checked.
    let early = forged_early(&archive, ".github");
    let ran = project().run_with(&["prd", "import", "-", "--yes"], &[], &early).ends_with(2);
    assert!(ran.stderr.contains("starts with a dot"), "{ran:?}");
}

/// Before a thread has a feature, the files that it will write are unknown, but their folder is known.
#[test]
fn an_import_of_an_early_thread_says_where_it_will_write() {
    let early = forged_early(&archive(), "docs/specs");
    let shown = project().run_with(&["prd", "import", "-"], &[], &early).ends_with(2).stdout;
    assert!(shown.contains("makes a folder for its documents in docs/specs"), "{shown}");
    assert!(!shown.contains("no other files"), "{shown}");
    let json = project().run_with(&["prd", "import", "-", "--format", "json"], &[], &early).ends_with(2).json();
    assert_eq!(json["folder"], "docs/specs", "{json:#}");
}

/// An archive of a thread that has only begun, with another folder.
fn forged_early(archive: &str, folder: &str) -> String {
    let mut lines = archive.lines();
    let mut head: Value = serde_json::from_str(lines.next().expect("a record")).expect("JSON");
    let event: Event = serde_json::from_str(lines.next().expect("an event")).expect("an event");
    let body = serde_json::from_str(&event.body.to_string().replace("docs/prd", folder)).expect("JSON");
    let event = Event::new(1, event.at, event.actor, body, String::new());
    head["thread"]["head"] = 1.into();
    head["thread"]["head_hash"] = event.hash.clone().into();
    format!("{head}\n{}\n", serde_json::to_string(&event).expect("JSON"))
}

#[cfg(unix)]
#[test]
fn a_link_on_the_way_is_refused() {
    let sandbox = project();
    let elsewhere = tempfile::tempdir().expect("a folder");
    std::os::unix::fs::symlink(elsewhere.path(), sandbox.path("docs")).expect("a link");
    let ran = sandbox.run_with(&["prd", "import", "-", "--yes"], &[], &archive()).ends_with(2);
    assert!(ran.stderr.contains("symbolic link"), "{ran:?}");
    assert_eq!(fs::read_dir(elsewhere.path()).expect("a folder").count(), 0);
}

/// A forged path is refused as well in a state that was written without `import`.
#[test]
fn a_forged_path_is_refused_when_effects_are_applied() {
    let archive = archive();
    for path in FORGED {
        let honest = forged(&archive, BRIEF, str::to_owned);
        let incoming = Incoming::<PrdWorkflow>::read(&mut honest.as_bytes()).expect("an archive");
        let sandbox = project();
        let before = files(&sandbox);
        let store = SqliteStore::open(&sandbox.path(".reqgate")).expect("a store");
        let mut position = serde_json::to_value(incoming.position()).expect("JSON");
        let pending = &mut position["pending"][0]["effect"]["path"];
        assert!(pending.is_string());
        *pending = path.into();
        let record = incoming.record();
        let record = ThreadRecord { root: sandbox.path("").display().to_string(), ..record.clone() };
        let snapshot = Snapshot { seq: record.head, position };
        let claim = store.claim(&record.id).expect("a claim");
        store.create(&claim, &record, incoming.events(), &snapshot).expect("a thread");
        drop((claim, store));
        sandbox.run(&["prd", "resume", "export"]).ends_with(4);
        let ours = |(name, _): &(String, String)| !name.starts_with("docs/prd/001-export/");
        assert_eq!(files(&sandbox).into_iter().filter(ours).collect::<Vec<_>>(), before, "{path}");
        let history = sandbox.run(&["prd", "history", "export"]).ends_with(0).stdout;
        assert!(history.contains("effect refused"), "{path}: {history}");
        // The step was taken again, with its proper path.
        assert!(sandbox.path("docs/prd/001-export/feature-brief.md").is_file());
    }
}

#[test]
fn an_import_is_shown_first_and_made_on_request_only() {
    let sandbox = project();
    let archive = archive();
    let shown = sandbox.run_with(&["prd", "import", "-"], &[], &archive).ends_with(2);
    for file in ["feature-brief.md", "requirements.md", "prd.md", "prd.json"] {
        assert!(shown.stdout.contains(&format!("docs/prd/001-export/{file}\n")), "{shown:?}");
    }
    assert!(
        shown.stdout.contains("the brief: alice, 2") && shown.stdout.contains("requirements: alice, 2"),
        "{shown:?}"
    );
    assert!(!shown.stdout.contains("the PRD: alice"), "{shown:?}");
    assert!(shown.stderr.contains("--yes"), "{shown:?}");
    assert!(!sandbox.path(".reqgate").exists());
    let shown = sandbox.run_with(&["prd", "import", "-", "--format", "json"], &[], &archive).ends_with(2).json();
    assert_eq!((&shown["imported"], &shown["approvals"][0]["actor"]), (&false.into(), &"alice".into()));
    assert!(!sandbox.path(".reqgate").exists());
    let done =
        sandbox.run_with(&["prd", "import", "-", "--yes", "--format", "json"], &[], &archive).ends_with(0).json();
    assert_eq!(done["imported"], true);
    sandbox.run_with(&["prd", "import", "-", "--yes"], &[], &archive).ends_with(2);
}

#[test]
fn approvals_of_an_archive_are_marked_wherever_they_are_shown() {
    let (source, sandbox) = (waiting(), project());
    for file in ["feature-brief.md", "requirements.md"] {
        let path = format!("docs/prd/001-export/{file}");
        sandbox.file(&path, source.read(&path));
    }
    let archive = source.run(&["prd", "export", "export"]).ends_with(0).stdout;
    sandbox.run_with(&["prd", "import", "-", "--yes", "--actor", "bob"], &[], &archive).ends_with(0);
    let verified = sandbox.run(&["prd", "verify", "export"]).ends_with(0).stdout;
    assert!(verified.contains("come from an archive") && verified.contains("cannot be verified"), "{verified}");
    let status = sandbox.run(&["prd", "status", "export"]).ends_with(0).stdout;
    assert!(status.contains("come from an archive and are not verified"), "{status}");
    let report = sandbox.run(&["prd", "status", "export", "--format", "json"]).ends_with(0).json();
    super::assert_fits(&sandbox, "thread", &report);
    assert_eq!(report["imported"], report["events"]);
    assert!(sandbox.run(&["prd", "list"]).ends_with(0).stdout.contains("(imported)"));
    approved(&sandbox).ends_with(0);
    let history = sandbox.run(&["prd", "history", "export"]).ends_with(0).stdout;
    let answers: Vec<&str> = history.lines().filter(|line| line.contains("answered by")).collect();
    let (last, first) = answers.split_last().expect("answers");
    assert!(!first.is_empty() && first.iter().all(|line| line.ends_with(" (imported)")), "{history}");
    assert!(!last.contains("imported"), "{history}");
    let events = sandbox.run(&["prd", "history", "export", "--format", "json"]).ends_with(0).json();
    assert_eq!(events[0]["imported"], true);
    let page = sandbox.run(&["prd", "view", "export"]).ends_with(0).stdout;
    assert!(page.contains("alice (imported, not verified)"), "the page marks the answers");
    // A fork of an imported thread is marked too.
    sandbox.run(&["prd", "fork", "export", "--at", "5", "--id", "other"]).ends_with(0);
    assert!(sandbox.run(&["prd", "status", "other"]).ends_with(0).stdout.contains("come from an archive"));
}

#[test]
fn an_imported_thread_goes_on_in_the_folder_of_its_feature() {
    let sandbox = project();
    let pending = forged(&archive(), BRIEF, str::to_owned);
    sandbox.run_with(&["prd", "import", "-", "--yes"], &[], &pending).ends_with(0);
    sandbox.run(&["prd", "verify", "export"]).ends_with(0);
    let before = files(&sandbox);
    sandbox.run(&["prd", "resume", "export", "--answers", "answers.yaml"]).ends_with(0);
    let mut written = files(&sandbox);
    written.retain(|file| !before.contains(file));
    let names: Vec<&str> = written.iter().map(|(name, _)| name.as_str()).collect();
    let expected = ["feature-brief.md", "prd.json", "prd.md", "requirements.md"];
    assert_eq!(names, expected.map(|name| format!("docs/prd/001-export/{name}")));
}

const SECRET: &str = "ghp_A7bQ2mX9kL4vR8tY3nW6cZ1dF5hJ0sP7uE2q";
const MAIL: &str = "mira.canary@kestrel-ledger.com";

/// An archive with a secret in its sources, its title and its brief.
fn leaking() -> String {
    let secret = |text: &str| {
        text.replace("20 minutes each time", &format!("with the token {SECRET} of {MAIL}"))
            .replace("Export orders as CSV", &format!("Export with {SECRET}"))
    };
    let forged = forged(&archive(), BRIEF, secret);
    let (head, events) = forged.split_once('\n').expect("a record");
    format!("{}\n{events}", head.replace("Export orders as CSV", &format!("Export with {SECRET}")))
}

#[test]
fn secrets_of_an_archive_are_masked_before_it_is_kept_or_shown() {
    let archive = leaking();
    assert!(archive.matches(SECRET).count() > 3, "{archive}");
    let sandbox = project();
    let shown = sandbox.run_with(&["prd", "import", "-"], &[], &archive).ends_with(2);
    let kept = sandbox.run_with(&["prd", "import", "-", "--yes"], &[], &archive).ends_with(0);
    let resumed = sandbox.run(&["prd", "resume", "export", "--author", "agent"]).ends_with(4);
    let mut all = vec![shown, kept, resumed];
    for command in [
        &["prd", "list"][..],
        &["prd", "list", "--format", "json"],
        &["prd", "status", "export"],
        &["prd", "history", "export"],
        &["prd", "history", "export", "--format", "json"],
        &["prd", "view", "export"],
        &["prd", "show", "export"],
        &["prd", "show", "export", "--draft", "brief"],
        &["prd", "export", "export"],
        &["prd", "verify", "export"],
    ] {
        all.push(sandbox.run(command).ends_with(0));
    }
    all.push(sandbox.run(&["prd", "next", "export", "--json"]).ends_with(4));
    for ran in all {
        assert!(!format!("{ran:?}").contains(SECRET) && !format!("{ran:?}").contains(MAIL), "{ran:?}");
    }
    for file in [".reqgate/state.db", ".reqgate/state.db-wal"] {
        let bytes = fs::read(sandbox.path(file)).unwrap_or_default();
        assert!(!bytes.windows(SECRET.len()).any(|bytes| bytes == SECRET.as_bytes()), "{file}");
    }
}

/// Texts without secrets are unchanged, including the hash of every event.
#[test]
fn an_archive_without_secrets_is_kept_as_it_is() {
    let archive = archive();
    let sandbox = project();
    sandbox.run_with(&["prd", "import", "-", "--yes"], &[], &archive).ends_with(0);
    let again = sandbox.run(&["prd", "export", "export"]).ends_with(0).stdout;
    let events = |archive: &str| archive.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(events(&again)[..events(&archive).len()], events(&archive));
}

/// Both ways to a model: after an import, and from a store that was never masked.
#[test]
fn no_secret_of_a_thread_from_elsewhere_reaches_a_model() {
    for is_imported in [true, false] {
        let sandbox = project();
        match is_imported {
            true => drop(sandbox.run_with(&["prd", "import", "-", "--yes"], &[], &leaking()).ends_with(0)),
            false => {
                let incoming = Incoming::<PrdWorkflow>::read(&mut leaking().as_bytes()).expect("an archive");
                let store = SqliteStore::open(&sandbox.path(".reqgate")).expect("a store");
                incoming.restore(&store, &sandbox.path("").display().to_string()).expect("it is kept");
            }
        }
        let server = server(&brief());
        let model = ["--author", "model", "--model", "openai/served", "--base-url", &server.url];
        let resume: Vec<&str> =
            ["prd", "resume", "export", "--answers", "answers.yaml"].into_iter().chain(model).collect();
        sandbox.run_with(&resume, &[("OPENAI_API_KEY", "sk-test"), ("REQGATE_CACHE", "off")], "");
        let requests = server.requests.lock().expect("no test panics here").clone();
        assert!(requests.iter().any(|request| request.contains("with the token")), "{requests:?}");
        for request in requests {
            assert!(!request.contains(SECRET) && !request.contains(MAIL), "{request}");
        }
    }
}
