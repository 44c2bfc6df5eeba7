//! Tests of the hook: every example of `config/hook.yaml`, the form of every agent, and hostile calls.

use std::path::Path;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::shown::known;
use super::{Call, CallError, Channel, TicketsOfCall, tickets};

fn no_file(_: &Path) -> Result<String, String> {
    Err("not there".to_owned())
}

fn found(sent: &Value) -> TicketsOfCall {
    let call = Call::read(&sent.to_string()).expect("a call").expect("before a tool");
    tickets(&call, Path::new("/p"), &no_file)
}

fn of_command(command: &str) -> TicketsOfCall {
    found(&json!({ "tool_name": "Bash", "tool_input": { "command": command } }))
}

/// The text of a ticket: title, empty line and body.
fn text(title: &str, body: &str) -> String {
    if body.is_empty() { title.to_owned() } else { format!("{title}\n\n{body}") }
}

#[test]
fn every_example_is_found_or_left_alone() {
    let examples = &known().examples;
    assert!(examples.len() > 25);
    for example in examples {
        let found = match (&example.command, &example.tool, &example.file) {
            (Some(command), None, None) => of_command(command),
            (None, Some(tool), None) => {
                found(&json!({ "tool_name": tool, "tool_input": { "title": "Export", "body": "CSV" } }))
            }
            (None, None, Some(file)) => {
                found(&json!({ "tool_name": "Write", "tool_input": { "file_path": file, "content": "# Export\n" } }))
            }
            _ => panic!("an example is a command, a tool or a file: {example:?}"),
        };
        assert!(found.unseen.is_empty(), "{example:?}: {found:?}");
        let texts: Vec<&str> = found.tickets.iter().map(|ticket| ticket.input.text.trim_end()).collect();
        let expected = match (&example.title, &example.body, example.judged) {
            (Some(title), Some(body), _) => vec![text(title, body)],
            (None, None, true) => vec!["# Export".to_owned()],
            _ => Vec::new(),
        };
        assert_eq!(texts, expected, "{example:?}");
    }
}

#[test]
fn the_form_of_every_agent_is_read() {
    let command = "gh issue create -t Export -b CSV";
    let arguments = json!({ "command": command });
    let forms = [
        // The form of Claude Code and Codex.
        json!({ "session_id": "1", "cwd": "/p", "hook_event_name": "PreToolUse", "permission_mode": "default",
                "tool_name": "Bash", "tool_input": arguments }),
        // Codex can also send a program with its arguments.
        json!({ "tool_name": "shell", "tool_input": { "command": ["bash", "-lc", command] } }),
        json!({ "tool_name": "shell", "tool_input": { "command": ["gh", "issue", "create", "-t", "Export", "-b", "CSV"] } }),
        json!({ "tool_name": "exec_command", "tool_input": { "cmd": command } }),
        // The form of Gemini CLI.
        json!({ "hook_event_name": "BeforeTool", "tool_name": "run_shell_command", "tool_input": arguments }),
        // The form of Copilot CLI and its SDK.
        json!({ "timestamp": 1, "cwd": "/p", "toolName": "bash", "toolArgs": arguments.to_string() }),
        json!({ "timestamp": 1, "cwd": "/p", "toolName": "bash", "toolArgs": arguments }),
        // The form of Cursor.
        json!({ "hook_event_name": "beforeShellExecution", "command": command, "cwd": "/p" }),
        json!({ "hook_event_name": "preToolUse", "tool_name": "Shell", "tool_input": arguments }),
    ];
    for form in forms {
        let found = found(&form);
        assert_eq!(found.tickets.len(), 1, "{form}");
        assert_eq!(found.tickets[0].input.text, "Export\n\nCSV", "{form}");
        assert_eq!(found.tickets[0].channel, Channel::Command);
    }
}

#[test]
fn tools_of_trackers_are_read_with_their_nested_arguments() {
    let cases = [
        (json!({ "title": "Export", "body": "CSV", "labels": ["bug"] }), true),
        (json!({ "fields": { "summary": "Export", "description": "CSV" } }), true),
        (json!({ "summary": "Export", "description": "CSV", "project_key": "SHOP" }), true),
        (
            json!({ "fields": [{ "name": "System.Title", "value": "Export" }, { "name": "System.Description", "value": "CSV" }] }),
            true,
        ),
        (
            json!({ "input": [{ "op": "add", "path": "/fields/System.Title", "value": "Export" },
                           { "op": "add", "path": "/fields/System.Description", "value": "CSV" }] }),
            true,
        ),
        (json!({ "issues": [{ "summary": "Export", "description": "CSV" }] }), true),
        (json!({ "issues": "[{\"summary\": \"Export\", \"description\": \"CSV\"}]" }), true),
        (json!({ "title": "Export", "body": ["CSV"] }), true),
        (
            json!({ "fields": { "summary": "Export", "description": { "type": "doc", "version": 1, "content": [
            { "type": "paragraph", "content": [{ "type": "text", "text": "CSV" }] }] } } }),
            true,
        ),
        (json!({ "title": 3, "body": null }), false),
        // A ticket whose text cannot be read is not judged.
        (json!({ "title": "Export", "body": { "blocks": [{ "words": "CSV" }] } }), false),
        (json!({}), false),
    ];
    for (arguments, is_ticket) in cases {
        let found = found(&json!({ "tool_name": "mcp__tracker__create_issue", "tool_input": arguments }));
        let texts: Vec<&str> = found.tickets.iter().map(|ticket| ticket.input.text.as_str()).collect();
        assert_eq!(texts, if is_ticket { vec!["Export\n\nCSV"] } else { Vec::new() }, "{arguments}");
    }
    let two = json!({ "issues": [{ "title": "a" }, { "title": "b", "labels": [{ "name": "bug" }] }, 3] });
    assert_eq!(found(&json!({ "tool_name": "create_issues", "tool_input": two })).tickets.len(), 2);
    // A list in the arguments does not hide the ticket that contains it.
    let beside = json!({ "title": "a", "issues": [{ "title": "b" }, { "url": "x" }] });
    let beside = found(&json!({ "tool_name": "create_issue", "tool_input": beside }));
    let titles: Vec<&str> = beside.tickets.iter().map(|ticket| ticket.title.as_str()).collect();
    assert_eq!((titles, beside.unseen.len()), (vec!["a", "b"], 0));
    let write = |arguments: Value| found(&json!({ "tool_name": "mcp__github__issue_write", "tool_input": arguments }));
    assert_eq!(write(json!({ "method": "create", "title": "a", "body": "b" })).tickets.len(), 1);
    assert_eq!(write(json!({ "method": "update", "title": "a", "body": "b" })).tickets.len(), 0);
    let save = |arguments: Value| found(&json!({ "tool_name": "mcp__linear__save_issue", "tool_input": arguments }));
    assert_eq!(save(json!({ "title": "a" })).tickets.len(), 1);
    assert_eq!(save(json!({ "id": "SHOP-1", "title": "a" })).tickets.len(), 0);
}

#[test]
fn tickets_that_are_too_many_to_be_judged_are_said() {
    for (count, is_said) in [(50, false), (51, true)] {
        let listed: Vec<Value> = (0..count).map(|number| json!({ "title": format!("t{number}") })).collect();
        let listed = found(&json!({ "tool_name": "create_issues", "tool_input": { "issues": listed } }));
        let typed = of_command(&"gh issue create -t a -b b; ".repeat(count));
        for found in [listed, typed] {
            assert_eq!((found.tickets.len(), !found.unseen.is_empty()), (50, is_said), "{:?}", found.unseen);
        }
    }
}

#[test]
fn new_files_are_found_however_they_are_written() {
    let patch =
        "*** Begin Patch\n*** Update File: a.md\n+x\n*** Add File: docs/prd/x.md\n+# Export\n+\n+CSV\n*** End Patch";
    let calls = [
        json!({ "tool_name": "apply_patch", "tool_input": { "command": patch } }),
        json!({ "tool_name": "apply_patch", "tool_input": patch }),
        json!({ "tool_name": "create", "tool_input": { "command": "create", "path": "/p/docs/prd/x.md", "file_text": "# Export\n\nCSV\n" } }),
        json!({ "tool_name": "write_file", "tool_input": { "file_path": "docs/prd/x.md", "content": "# Export\n\nCSV\n" } }),
        json!({ "tool_name": "Bash", "tool_input": { "command": "cat > docs/prd/x.md <<'E'\n# Export\n\nCSV\nE\n" } }),
    ];
    for call in calls {
        let found = found(&call);
        assert_eq!(found.tickets.len(), 1, "{call}");
        assert_eq!(found.tickets[0].input.text.trim_end(), "# Export\n\nCSV", "{call}");
        assert_eq!(found.tickets[0].channel, Channel::File);
    }
    // Edits are not judged: the first of three repairs would be stopped because of the other two.
    let edit = json!({ "file_path": "docs/prd/x.md", "old_string": "a", "new_string": "b" });
    assert_eq!(found(&json!({ "tool_name": "Edit", "tool_input": edit })), TicketsOfCall::default());
}

#[test]
fn only_the_path_inside_the_repository_tells_what_a_file_is() {
    let is_found = |cwd: &str, path: &str| {
        let arguments = json!({ "file_path": path, "content": "# Export\n" });
        !found(&json!({ "cwd": cwd, "tool_name": "Write", "tool_input": arguments })).tickets.is_empty()
    };
    assert!(is_found("/home/ann/tests/.wt/shop", "/home/ann/tests/.wt/shop/docs/prd/x.md"));
    assert!(is_found("/p/web", "/p/docs/prd/x.md"));
    assert!(!is_found("/p", "/tmp/prd/x.md"));
    assert!(!is_found("/p", "/p/tests/prd/x.md"));
}

#[test]
fn a_text_that_only_the_shell_knows_is_said_to_be_unseen() {
    let commands = [
        "gh issue create -t Export -b \"$BODY\"",
        "gh issue create -t Export -b \"$(pandoc body.docx)\"",
        "gh issue create -t \"$(date)\" -b x",
        "gh issue create -t Export -F -",
        "gh issue create -t Export -F gone.md",
        "gh issue create -t Export -b \"not closed",
    ];
    for command in commands {
        let found = of_command(command);
        assert_eq!((found.tickets.len(), found.unseen.len()), (0, 1), "{command}: {found:?}");
    }
}

#[test]
fn a_file_is_read_from_the_folder_of_the_agent() {
    let sent =
        json!({ "cwd": "/p", "tool_name": "Bash", "tool_input": { "command": "gh issue create -t Export -F b.md" } });
    let call = Call::read(&sent.to_string()).unwrap().unwrap();
    let found = tickets(&call, Path::new("/p"), &|path| {
        assert_eq!(path, Path::new("/p/b.md"));
        Ok("CSV".to_owned())
    });
    assert_eq!(found.tickets[0].input.text, "Export\n\nCSV");
}

#[test]
fn the_reason_of_an_override_stands_before_the_command() {
    let reason = |command: &str| of_command(command).tickets[0].reason.clone();
    let ticket = "gh issue create -t Export -b CSV";
    assert_eq!(reason(&format!("REQGATE_OVERRIDE='agreed with Ann' {ticket}")).as_deref(), Some("agreed with Ann"));
    assert_eq!(reason(&format!("export REQGATE_OVERRIDE=x; {ticket}")).as_deref(), Some("x"));
    assert_eq!(reason(&format!("cd web\nA=1 REQGATE_OVERRIDE=x B=2 {ticket}")).as_deref(), Some("x"));
    assert_eq!(reason(&format!("REQGATE_OVERRIDE= {ticket}")).as_deref(), Some(""));
    assert_eq!(reason(ticket), None);
    assert_eq!(reason(&format!("if REQGATE_OVERRIDE=x timeout 60 {ticket}; then :; fi")).as_deref(), Some("x"));
    // The reason applies to a command within another only if the shell passes the variable on to it.
    assert_eq!(reason(&format!("REQGATE_OVERRIDE=x URL=$({ticket})")).as_deref(), Some("x"));
    assert_eq!(reason(&format!("REQGATE_OVERRIDE=x; echo \"$({ticket})\"")).as_deref(), Some("x"));
    assert_eq!(reason(&format!("REQGATE_OVERRIDE=x bash -c '{ticket}'")).as_deref(), Some("x"));
    assert_eq!(reason(&format!("REQGATE_OVERRIDE=x echo $({ticket})")), None);
    assert_eq!(reason(&format!("echo REQGATE_OVERRIDE=x $({ticket})")), None);
    assert_eq!(reason(&format!("bash -c '{ticket}'; REQGATE_OVERRIDE=x true")), None);
    assert_eq!(reason(&format!("git commit -m REQGATE_OVERRIDE=x && {ticket}")), None);
    let two = of_command(&format!("REQGATE_OVERRIDE=x {ticket}; {ticket}"));
    assert_eq!(two.tickets.iter().map(|ticket| ticket.reason.as_deref()).collect::<Vec<_>>(), [Some("x"), None]);
    // The variable in the text of a ticket does not override the gate.
    assert_eq!(reason("gh issue create -t Export -b 'REQGATE_OVERRIDE=x'"), None);
    assert_eq!(reason("gh issue create -t Export -F - <<'E'\nREQGATE_OVERRIDE=x\nE"), None);
}

/// Common spellings of the shell do not hide a ticket, and a reason in another command does not override the gate.
#[test]
fn separators_need_no_blanks() {
    for command in [
        "cd web&&gh issue create --title Export --body fast",
        "cd web;gh issue create --title Export --body fast",
        "echo\ngh issue create --title Export --body fast",
        "URL=$(gh issue create --title Export --body fast)",
        "gh issue create --title Export \\\n  --body fast; echo done",
    ] {
        let found = of_command(command);
        assert_eq!(found.tickets.len(), 1, "{command}: {found:?}");
        assert_eq!(found.tickets[0].input.text, "Export\n\nfast", "{command}");
    }
    let reason =
        of_command("git commit -m REQGATE_OVERRIDE=x; gh issue create -t Export -b CSV").tickets[0].reason.clone();
    assert_eq!(reason, None);
    let quoted = of_command("gh issue create --title 'a;b && c' --body \"(x|y) $5\"");
    assert_eq!(quoted.tickets[0].input.text, "a;b && c\n\n(x|y) $5");
}

#[test]
fn what_is_not_a_call_is_told_apart() {
    assert!(matches!(Call::read("{"), Err(CallError::NotJson(_))));
    for sent in ["[]", "3", "null", "{}", r#"{"tool_name":3}"#] {
        assert_eq!(Call::read(sent), Err(CallError::NoTool), "{sent}");
    }
    for event in ["PostToolUse", "AfterTool", "Stop", "SessionStart", "PreCompact"] {
        let sent = json!({ "hook_event_name": event, "tool_name": "Bash", "tool_input": { "command": "x" } });
        assert_eq!(Call::read(&sent.to_string()), Ok(None), "{event}");
    }
}

#[test]
fn hostile_commands_are_read_in_linear_time() {
    let many = [
        "<<A\n".repeat(200_000),
        (0..100_000).map(|n| format!("<<A{n}\n")).collect(),
        "gh issue create -t x -b y\n".repeat(40_000),
        "gh issue create ".repeat(60_000),
        format!("gh issue create -t {}", "'".repeat(999_999)),
        format!("gh issue create -t {}", "$(".repeat(500_000)),
        "> a <<'E'\nE\n".repeat(100_000),
        format!("gh issue create -t {}", "$(a) ".repeat(200_000)),
        format!("gh issue create -t {}", "`".repeat(500_001)),
        format!("gh issue create {}{}", "$(".repeat(200_000), ")".repeat(200_000)),
        format!("gh issue create {}", "A=$(b); ".repeat(100_000)),
        format!("gh issue create {}", "bash -c 'bash -c x' ".repeat(50_000)),
        "\"$(".repeat(250_000),
    ];
    for command in many {
        let start = std::time::Instant::now();
        let _ = of_command(&command);
        let seconds = start.elapsed().as_secs_f64();
        // Quadratic time would take minutes; the generous limit allows for a busy machine.
        assert!(seconds < 30.0, "{seconds} s for {}", &command[..40]);
    }
}

/// Parts of commands as a hostile or careless caller could combine them.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("gh issue".to_owned()),
        Just("create".to_owned()),
        Just("<<'E'\n".to_owned()),
        Just("\nE\n".to_owned()),
        Just("$(cat <<@0)".to_owned()),
        Just("$(".to_owned()),
        Just(")".to_owned()),
        Just("`".to_owned()),
        Just("bash -c".to_owned()),
        Just("\u{1e}7\u{1e}".to_owned()),
        Just("\u{1f};".to_owned()),
        Just("<<@99999999999999999999".to_owned()),
        Just("--title".to_owned()),
        Just("-F-".to_owned()),
        Just("'".to_owned()),
        Just("\"".to_owned()),
        Just("\\".to_owned()),
        Just("> docs/prd/é.md".to_owned()),
        Just("*** Begin Patch\n*** Add File: ".to_owned()),
        any::<String>(),
    ]
}

/// Half of these calls take less than a twentieth of the time limit of a hook.
#[test]
fn calls_are_read_at_once() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let strategy = prop::collection::vec(piece(), 0..200);
    let mut times: Vec<std::time::Duration> = (0..101)
        .map(|_| {
            let command = strategy.new_tree(&mut runner).expect("a command").current().join(" ");
            let start = std::time::Instant::now();
            let _ = of_command(&command);
            start.elapsed()
        })
        .collect();
    times.sort();
    assert!(times[50] < std::time::Duration::from_micros(2_500), "{:?}", times[50]);
}

proptest! {
    #[test]
    fn hostile_input_never_panics(text: String, pieces in prop::collection::vec(piece(), 0..24)) {
        let _ = Call::read(&text);
        let joined = pieces.join(" ");
        let _ = Call::read(&joined);
        for tool in ["Bash", "apply_patch", "mcp__x__create_issue", ""] {
            let sent = json!({ "tool_name": tool, "tool_input": { "command": joined, "title": text, "path": joined, "content": text } });
            let _ = found(&sent);
            let _ = found(&json!({ "tool_name": tool, "tool_input": joined }));
        }
    }

    #[test]
    fn nothing_is_found_where_no_ticket_is_created(text in "[^<>]{0,200}") {
        prop_assume!(!text.contains("create") && !text.contains("new"));
        let found = found(&json!({ "tool_name": "Bash", "tool_input": { "command": text, "file_path": "src/a.rs", "content": text } }));
        prop_assert_eq!(found, TicketsOfCall::default());
    }
}
