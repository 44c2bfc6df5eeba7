//! What is known does not block; what is new does.

use super::{READY, Sandbox, UNREADY};

#[test]
fn known_findings_do_not_block_and_new_ones_do() {
    let sandbox = Sandbox::new();
    sandbox.file("d/a.md", UNREADY).file("d/b.md", READY);
    let check = ["check", "d", "--baseline", "known.json"];
    let ran = sandbox.run(&check).ends_with(2);
    assert!(ran.stderr.contains("create it with --write-baseline"), "{ran:?}");
    sandbox.run(&[&check[..], &["--write-baseline"]].concat()).ends_with(0);
    let written = sandbox.read("known.json");
    assert!(written.contains("reqgate/baseline/v1") && written.contains("d/a.md") && !written.contains("d/b.md"));
    sandbox.run(&check).ends_with(0);

    // The known words may move; another file with the same words is new.
    sandbox.file("d/a.md", format!("\n\n{UNREADY}"));
    sandbox.run(&check).ends_with(0);
    sandbox.file("d/c.md", UNREADY);
    let ran = sandbox.run(&check).ends_with(1);
    assert!(ran.stdout.contains("REJECT  d/c.md") && !ran.stdout.contains("d/a.md"), "{ran:?}");
}

#[test]
fn writing_a_baseline_twice_gives_the_same_file_and_keeps_what_was_not_looked_at() {
    let sandbox = Sandbox::new();
    sandbox.file("d/a.md", UNREADY).file("e/b.md", UNREADY);
    let write = |path: &str| sandbox.run(&["check", path, "--baseline", "known.json", "--write-baseline"]).ends_with(0);
    write("d");
    write("e");
    let both = sandbox.read("known.json");
    assert!(both.contains("d/a.md") && both.contains("e/b.md"));
    write("d");
    assert_eq!(sandbox.read("known.json"), both);
    sandbox.file("d/a.md", READY);
    write("d");
    assert!(!sandbox.read("known.json").contains("d/a.md"));
}

#[test]
fn entries_that_nothing_needs_are_told() {
    let sandbox = Sandbox::new();
    sandbox.file("d/a.md", UNREADY);
    sandbox.run(&["check", "d", "--baseline", "known.json", "--write-baseline"]).ends_with(0);
    sandbox.file("d/a.md", READY);
    let ran = sandbox.run(&["check", "d", "--baseline", "known.json"]).ends_with(0);
    assert!(ran.stderr.contains("no longer needed"), "{ran:?}");
}

#[test]
fn a_broken_baseline_is_told() {
    let sandbox = Sandbox::new();
    sandbox.file("a.md", READY).file("known.json", "{\"schema\": \"reqgate/baseline/v9\", \"inputs\": {}}");
    let ran = sandbox.run(&["check", "--baseline", "known.json"]).ends_with(2);
    assert!(ran.stderr.contains("reqgate/baseline/v9"), "{ran:?}");
    sandbox.file("known.json", "{");
    sandbox.run(&["check", "--baseline", "known.json"]).ends_with(2);
}
