//! Broken, huge or hostile input: each gets one clear error, the rest is still judged, and the program never panics.

use std::fs::File;
use std::time::{Duration, Instant};

use super::{READY, Sandbox};

#[test]
fn invalid_utf_8_is_told_with_its_byte() {
    let sandbox = Sandbox::new();
    sandbox.file("t.md", b"As a user \xff\xfe\xfa I want something that is long enough to be judged.");
    let ran = sandbox.run(&["score", "t.md"]).ends_with(2);
    assert!(ran.stdout.contains("`t.md` is not valid UTF-8 at byte 10"), "{ran:?}");
}

#[test]
fn a_picture_is_no_text() {
    let sandbox = Sandbox::new();
    sandbox.file("t.png", [0x89, b'P', b'N', b'G', 13, 10, 26, 10, 0, 0, 0, 13]);
    let ran = sandbox.run(&["score", "t.png"]).ends_with(2);
    assert!(ran.stdout.contains("is not text"), "{ran:?}");
}

#[test]
fn a_hundred_megabytes_are_refused_at_once() {
    let sandbox = Sandbox::new();
    File::create(sandbox.path("t.md")).expect("a file").set_len(100 * 1024 * 1024).expect("a hole costs nothing");
    sandbox.file("u.md", READY);
    let start = Instant::now();
    let ran = sandbox.run(&["score", "t.md", "u.md"]).ends_with(2);
    assert!(ran.stdout.contains("`t.md` is larger than 16 MiB: split it"), "{ran:?}");
    assert!(ran.stdout.contains("PASS  u.md"), "{ran:?}");
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

#[test]
fn deep_nesting_is_an_error() {
    let sandbox = Sandbox::new();
    sandbox.file("t.json", "[".repeat(200_000));
    sandbox.file("u.json", format!("{}1{}", "{\"body\":".repeat(50_000), "}".repeat(50_000)));
    let ran = sandbox.run(&["score", "t.json", "u.json"]).ends_with(2);
    assert!(ran.stdout.matches("ERROR").count() == 2, "{ran:?}");
}

#[test]
fn deep_quotations_and_lists_are_judged() {
    let sandbox = Sandbox::new();
    sandbox.file("t.md", format!("{} deep", "> ".repeat(5_000)));
    sandbox.file("u.md", "- ".repeat(5_000) + "deep enough to be judged, and nothing more than that");
    let ran = sandbox.run(&["score", "t.md", "u.md"]);
    assert!(ran.code <= 2, "{ran:?}");
}

#[cfg(unix)]
#[test]
fn an_unreadable_file_in_the_middle_leaves_the_rest_judged() {
    let sandbox = Sandbox::new();
    sandbox.file("a.md", READY).file("c.md", READY);
    // A dangling link cannot be read by any user, including root.
    std::os::unix::fs::symlink("nowhere", sandbox.path("b.md")).expect("a link");
    let ran = sandbox.run(&["score", "a.md", "b.md", "c.md"]).ends_with(2);
    assert!(ran.stdout.contains("3 inputs: 2 passed, 1 could not be read"), "{ran:?}");
    assert_eq!(ran.stdout.matches("ERROR").count(), 1, "{ran:?}");
    assert_eq!(ran.stderr, "", "the fault is told once");
    let ran = sandbox.run(&["score", "a.md", "b.md", "--format", "json"]).ends_with(2);
    assert!(ran.stdout.contains("`b.md` does not exist"), "{ran:?}");
    assert_eq!(ran.stderr.lines().count(), 1, "{ran:?}");
}

#[test]
fn a_name_cannot_steer_the_terminal() {
    let sandbox = Sandbox::new();
    let ran = sandbox.run(&["score", "gone\u{1b}[2Jfile.md"]).ends_with(2);
    assert!(!ran.stderr.contains('\u{1b}') && !ran.stdout.contains('\u{1b}'), "{ran:?}");
}

#[test]
fn broken_lines_of_a_json_lines_file_leave_the_rest_judged() {
    let sandbox = Sandbox::new();
    let line = serde_json::json!({ "title": "Export the statement", "body": READY }).to_string();
    sandbox.file("issues.jsonl", format!("{line}\n{{broken\n{line}\n"));
    let ran = sandbox.run(&["score", "issues.jsonl"]).ends_with(2);
    assert!(ran.stdout.contains("ERROR  issues.jsonl:2"), "{ran:?}");
    for line in [1, 3] {
        let name = format!("PASS  Export the statement (issues.jsonl:{line})");
        assert!(ran.stdout.contains(&name), "{ran:?}");
    }
}
