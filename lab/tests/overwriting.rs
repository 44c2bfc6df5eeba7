//! Inputs are not overwritten, and named pipes are not waited for.

use super::sandbox::{READY, Sandbox};

#[test]
fn no_input_is_overwritten() {
    let sandbox = Sandbox::new();
    let row = format!("{}\n", serde_json::json!({"text": READY, "label": "accepted"}));
    sandbox.file("t.md", READY).file("issues.jsonl", &row);
    for arguments in [
        &["eval", "t.md", "--output", "html=t.md"][..],
        &["calibrate", "issues.jsonl", "--output", "issues.jsonl", "--force"],
    ] {
        let ran = sandbox.run(arguments).ends_with(2);
        assert!(ran.stderr.contains("would be overwritten"), "{arguments:?}: {ran:?}");
        assert_eq!(
            (sandbox.read("t.md").as_str(), sandbox.read("issues.jsonl")),
            (READY, row.clone()),
            "{arguments:?}"
        );
    }
}

/// A failure would wait for ever, and the test runner with it.
#[cfg(unix)]
#[test]
fn a_named_pipe_is_not_waited_for() {
    let sandbox = Sandbox::new();
    sandbox.file("t.md", READY);
    for pipe in ["pipe", "pipe.jsonl"] {
        let made = std::process::Command::new("mkfifo").arg(sandbox.path(pipe)).status().expect("mkfifo starts");
        assert!(made.success());
    }
    for arguments in
        [&["eval", "pipe"][..], &["calibrate", "pipe.jsonl"], &["rubric", "diff", "pipe", "feature", "--on", "t.md"]]
    {
        let mut command = assert_cmd::Command::from_std(sandbox.command_for(arguments[0]));
        let output = command.args(arguments).timeout(std::time::Duration::from_secs(60)).output();
        let output = output.expect("the program starts");
        let shown = String::from_utf8_lossy(&[output.stdout.clone(), output.stderr.clone()].concat()).into_owned();
        assert!(matches!(output.status.code(), Some(2 | 3)), "{arguments:?}: {output:?}");
        assert!(shown.contains("pipe"), "{arguments:?}: {shown}");
    }
}
