//! Known findings of a baseline do not block; new ones do.

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

    // The known words may move within the file; in another file they are new.
    sandbox.file("d/a.md", format!("\n\n{UNREADY}"));
    sandbox.run(&check).ends_with(0);
    sandbox.file("d/c.md", UNREADY);
    let ran = sandbox.run(&check).ends_with(1);
    assert!(ran.stdout.contains("REJECT  d/c.md") && !ran.stdout.contains("d/a.md"), "{ran:?}");
}

#[test]
fn copies_of_a_known_finding_and_findings_beyond_the_limit_of_a_rule_are_new() {
    let sandbox = Sandbox::new();
    let criteria = |lines: &str| {
        format!(
            "# PRD: Export of orders\n\n## Goals\n\nClerks need at most 2 minutes for the orders of a day.\n\n## Users\n\n\
             Clerks in the back office.\n\n## Requirements\n\n- FR-1: The list has a button “Export CSV” for clerks.\n\
             - FR-2: With more than 5,000 rows the message “Too many rows” is shown.\n{lines}\n## Out of scope\n\n- Excel.\n"
        )
    };
    let numbered = |from: usize, to: usize| -> String {
        (from..to).map(|number| format!("- FR-{number}: The format of file {number} is TBD.\n")).collect()
    };
    let check = ["check", "d", "--baseline", "known.json"];
    for (old, new) in [
        ("- The format is TBD.\n".to_owned(), "- The format is TBD.\n".repeat(21)),
        ("- The format is TBD.\n".repeat(3), "- The format is TBD.\n".repeat(4)),
        (numbered(3, 11), numbered(3, 12)),
    ] {
        sandbox.file("d/a.md", criteria(&old));
        sandbox.run(&[&check[..], &["--write-baseline"]].concat()).ends_with(0);
        let ran = sandbox.run(&check).ends_with(0);
        assert!(!ran.stderr.contains("no longer needed"), "{ran:?}");
        sandbox.file("d/a.md", criteria(&new));
        let ran = sandbox.run(&check).ends_with(1);
        assert!(ran.stdout.contains("open-point"), "{ran:?}");
    }
    // A baseline of an older version has no counts.
    let known = sandbox.read("known.json");
    let mut known: serde_json::Value = serde_json::from_str(&known).expect("the baseline is JSON");
    let inputs = known["inputs"].as_object_mut().expect("it holds inputs");
    assert!(
        inputs.values_mut().all(|input| input.as_object_mut().is_some_and(|input| input.remove("copies").is_some()))
    );
    sandbox.file("known.json", known.to_string());
    sandbox.file("d/a.md", criteria(&(numbered(3, 11) + &numbered(3, 11))));
    let ran = sandbox.run(&check);
    assert!(!ran.stdout.contains("blocker[open-point]"), "{ran:?}");
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

/// The verdict, the summary and the readiness field agree when a baseline sets findings aside.
#[test]
fn a_pass_by_the_baseline_is_a_pass_in_every_field() {
    let sandbox = Sandbox::new();
    sandbox.file("a.md", UNREADY);
    let check = ["check", "a.md", "--baseline", "known.json", "--format", "json"];
    for more in [&["--write-baseline"][..], &[]] {
        let ran = sandbox.run(&[&check[..], more].concat()).ends_with(0);
        let outcome = ran.json()["outcomes"][0].clone();
        let report = &outcome["score_report"];
        assert_eq!(outcome["decision"]["verdict"], "PASS");
        assert_eq!(report["ready_for_review"], true);
        assert_eq!(outcome["decision"]["path_to_pass"], serde_json::Value::Null);
        assert!(report["summary_markdown"].as_str().is_some_and(|words| words.starts_with("**PASS**")), "{report}");
        assert_eq!(report["blocking_issues"], serde_json::json!([]));
        let notes = report["non_blocking_issues"].to_string();
        assert!(notes.contains("already in the baseline"), "{notes}");
    }
    // A new finding next to known ones blocks, and the summary says so.
    sandbox.file("a.md", format!("{UNREADY}\n- TBD: who may see it\n"));
    let outcome = sandbox.run(&check).ends_with(1).json()["outcomes"][0].clone();
    assert_eq!(outcome["score_report"]["ready_for_review"], false);
    assert!(outcome["score_report"]["summary_markdown"].as_str().is_some_and(|words| words.starts_with("**REJECT**")));
}
