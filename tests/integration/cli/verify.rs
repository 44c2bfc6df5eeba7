//! Stamps of ready texts: written, checked, and gone when the text is no longer ready.

use super::sandbox::{READY, Sandbox, UNREADY};
use super::trace::git;

const CHINESE: &str = "\
# 导出月度账单为 PDF

作为会计，我想把月度账单导出为 PDF，以便发给税务局。

## 验收标准

- 假如当月有账目，当我点击“导出”，那么 3 秒内下载 PDF。
- 假如当月没有账目，当我点击“导出”，那么显示“没有可导出的内容”。
- 文件名为 statement-YYYY-MM.pdf。
- 账目超过 5000 条时拒绝导出，并显示“账目过多”。
";

fn state(sandbox: &Sandbox, arguments: &[&str], code: i32) -> String {
    let ran = sandbox.run(&[&["verify", "--format", "json"], arguments].concat()).ends_with(code);
    ran.json()["texts"][0]["state"].as_str().expect("a state").to_owned()
}

#[test]
fn a_stamp_holds_until_the_text_or_the_policy_changes() {
    for (text, changed) in
        [(READY, READY.replace("3 seconds", "9 seconds")), (CHINESE, CHINESE.replace("3 秒", "9 秒"))]
    {
        let sandbox = Sandbox::new();
        sandbox.file("ticket.md", text);
        assert_eq!(state(&sandbox, &["ticket.md"], 1), "missing");
        let ran = sandbox.run(&["score", "ticket.md", "--stamp"]).ends_with(0);
        assert!(ran.stderr.contains("`ticket.md`: stamped ready@"), "{}", ran.stderr);
        let stamped = sandbox.read("ticket.md");
        assert!(stamped.starts_with(text), "the words of the author stay: {stamped}");
        assert_eq!(state(&sandbox, &["ticket.md"], 0), "current");
        sandbox.run(&["score", "ticket.md", "--stamp"]).ends_with(0);
        assert_eq!(sandbox.read("ticket.md"), stamped, "the stamp of the same text is the same");

        assert_eq!(state(&sandbox, &["ticket.md", "--policy", "strict"], 0), "other_settings");
        sandbox.file("ticket.md", stamped.replace('\n', "\r\n"));
        assert_eq!(state(&sandbox, &["ticket.md"], 0), "current");
        sandbox.file("ticket.md", stamped.replace(text, &changed));
        assert_eq!(state(&sandbox, &["ticket.md"], 1), "text_changed");
    }
}

/// A stamp says nothing about rules and waivers, so the text is judged by those of today.
#[test]
fn a_stamped_text_that_would_be_rejected_today_is_not_ready() {
    let sandbox = Sandbox::new();
    sandbox.file("ticket.md", format!("{READY}\nThe place of the button is TBD.\n"));
    sandbox.file(".reqgate.yaml", "rules:\n  open-point: off\n");
    sandbox.run(&["score", "ticket.md", "--stamp"]).ends_with(0);
    assert_eq!(state(&sandbox, &["ticket.md"], 0), "current");
    sandbox.file(".reqgate.yaml", "");
    assert_eq!(state(&sandbox, &["ticket.md"], 1), "not_ready");
}

#[test]
fn a_text_that_is_no_requirement_needs_no_stamp() {
    let sandbox = Sandbox::new();
    sandbox.file("task.md", format!("---\ntype: task\n---\n{UNREADY}"));
    assert_eq!(state(&sandbox, &["task.md"], 0), "not_applicable");
}

#[test]
fn a_text_that_is_no_longer_ready_loses_its_stamp() {
    let sandbox = Sandbox::new();
    sandbox.file("ticket.md", READY);
    sandbox.run(&["score", "ticket.md", "--stamp"]).ends_with(0);
    let stamp = sandbox.read("ticket.md").replace(READY, "");
    sandbox.file("ticket.md", format!("{UNREADY}{stamp}"));
    let ran = sandbox.run(&["score", "ticket.md", "--stamp"]).ends_with(1);
    assert!(ran.stderr.contains("its stamp was removed, because it is not ready"), "{}", ran.stderr);
    assert_eq!(sandbox.read("ticket.md"), UNREADY);
}

#[test]
fn a_stamp_from_a_report_or_a_comment_is_compared_with_any_text() {
    let sandbox = Sandbox::new();
    sandbox.file("ticket.md", READY);
    let report = sandbox.run(&["score", "ticket.md", "--format", "json"]).ends_with(0).json();
    let stamp = report["outcomes"][0]["stamp"].as_str().expect("a ready text has one").to_owned();
    let verify = ["verify", "-", "--stamp", &stamp];
    sandbox.run_with(&verify, &[], READY).ends_with(0);
    sandbox.run_with(&verify, &[], &READY.replace("5,000", "6,000")).ends_with(1);
    let wrong = sandbox.run(&["verify", "ticket.md", "--stamp", "ready@1"]).ends_with(2);
    assert!(wrong.stderr.contains("16 and 8 hexadecimal digits"), "{}", wrong.stderr);
    sandbox.file("other.md", UNREADY);
    let both = sandbox.run(&["verify", "ticket.md", "other.md", "--stamp", &stamp]).ends_with(1);
    assert!(both.stdout.ends_with("1 of 2 ready\n"), "{}", both.stdout);
    let report = sandbox.run(&["score", "other.md", "--format", "json"]).ends_with(1).json();
    assert!(report["outcomes"][0].get("stamp").is_none());
}

#[test]
fn the_change_since_the_stamped_commit_is_shown() {
    let sandbox = Sandbox::new();
    std::fs::remove_dir(sandbox.path(".git")).expect("it is empty");
    sandbox.file("docs/-7 :(top).md", READY);
    sandbox.run(&["score", "docs", "--stamp"]).ends_with(0);
    git(&sandbox, &["init", "--quiet", "--initial-branch=main"]);
    git(&sandbox, &["add", "--all"]);
    git(&sandbox, &["commit", "--quiet", "-m", "Statement"]);
    let stamped = sandbox.read("docs/-7 :(top).md");
    let changed = stamped.replace("within 3 seconds", "within 9 seconds");
    sandbox.file("docs/-7 :(top).md", &changed);
    git(&sandbox, &["commit", "--quiet", "--all", "-m", "Slower"]);
    let ran = sandbox.run(&["verify", "docs"]).ends_with(1);
    assert!(ran.stdout.contains("the text changed after it was stamped as ready (commit "), "{}", ran.stdout);
    assert!(ran.stdout.contains("    - - Given a month with bookings"), "{}", ran.stdout);
    assert!(ran.stdout.contains("within 9 seconds"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("ready@"), "the stamp is no change: {}", ran.stdout);
}

#[test]
fn the_hook_stops_a_text_with_the_stamp_of_another() {
    let sandbox = Sandbox::new();
    sandbox.file(".reqgate.yaml", "version: 1\n").file("docs/stories/pdf.md", READY);
    sandbox.run(&["score", "docs/stories/pdf.md", "--stamp"]).ends_with(0);
    let stamped = sandbox.read("docs/stories/pdf.md");
    let call = |content: &str| {
        let input = serde_json::json!({"file_path": "docs/stories/pdf.md", "content": content});
        let call = serde_json::json!({"tool_name": "Write", "tool_input": input}).to_string();
        sandbox.run_with(&["hook", "pretool"], &[], &call)
    };
    call(&stamped).ends_with(0);
    let stopped = call(&stamped.replace("5,000", "6,000")).ends_with(2);
    assert!(
        stopped.stderr.contains("Its text has a stamp “ready” and changed after it was stamped."),
        "{}",
        stopped.stderr
    );
}
