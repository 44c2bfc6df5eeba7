//! `reqgate github` as a step of a workflow: events that need no token, in a real checkout.

use std::process::Command;

use super::{READY, Ran, Sandbox};

/// A checkout with a base branch and a request merged into it, as GitHub checks it out.
struct Checkout {
    sandbox: Sandbox,
}

impl Checkout {
    fn new(base: &[(&str, &str)]) -> Self {
        let sandbox = Sandbox::new();
        std::fs::remove_dir(sandbox.path(".git")).expect("it is empty");
        let checkout = Self { sandbox };
        checkout.git(&["init", "--quiet", "--initial-branch=main"]);
        checkout.commit(base, "base");
        checkout
    }

    fn git(&self, arguments: &[&str]) {
        let identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false"];
        let done = Command::new("git").current_dir(self.sandbox.path("")).args(identity).args(arguments).output();
        let done = done.expect("git starts");
        assert!(done.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
    }

    fn commit(&self, files: &[(&str, &str)], message: &str) {
        for (name, text) in files {
            self.sandbox.file(name, text);
        }
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "-m", message]);
    }

    /// Changes files on a branch and merges it.
    fn request(&self, files: &[(&str, &str)]) {
        self.git(&["checkout", "--quiet", "-b", "request"]);
        self.commit(files, "change");
        self.merge();
    }

    fn merge(&self) {
        self.git(&["checkout", "--quiet", "main"]);
        self.git(&["merge", "--quiet", "--no-ff", "--no-edit", "request"]);
    }

    fn run(&self, event: &str, payload: &str, more: &[(&str, &str)]) -> Ran {
        self.sandbox.file("event.json", payload).file("out.txt", "").file("summary.md", "");
        let path = std::env::var("PATH").unwrap_or_default();
        let mut environment = vec![
            ("PATH", path.as_str()),
            ("GITHUB_EVENT_NAME", event),
            ("GITHUB_EVENT_PATH", "event.json"),
            ("GITHUB_OUTPUT", "out.txt"),
            ("GITHUB_STEP_SUMMARY", "summary.md"),
            ("GITHUB_REPOSITORY", "octo/shop"),
            // Nobody listens there: a single call would fail.
            ("GITHUB_API_URL", "http://127.0.0.1:9"),
        ];
        environment.extend_from_slice(more);
        self.sandbox.run_with(&["github"], &environment, "")
    }

    fn output(&self, name: &str) -> String {
        let text = self.sandbox.read("out.txt");
        let mut lines = text.lines();
        let found = lines.by_ref().find(|line| line.starts_with(&format!("{name}<<")));
        found.and_then(|_| lines.next()).unwrap_or_default().to_owned()
    }
}

const EVENT: &str =
    r#"{"action":"synchronize","pull_request":{"number":3,"base":{"sha":"0123456789abcdef0123456789abcdef01234567"}}}"#;

fn with_open_point(text: &str) -> String {
    text.replace("- The file name is statement-YYYY-MM.pdf.", "- The file name is TBD.")
}

#[test]
fn request_that_opens_a_point_is_blocked_without_a_token() {
    let checkout = Checkout::new(&[("docs/prd/export.md", READY), ("README.md", "x")]);
    checkout.request(&[("docs/prd/export.md", &with_open_point(READY)), ("README.md", "TBD")]);
    let ran = checkout.run("pull_request", EVENT, &[("REQGATE_SARIF_FILE", "out.sarif")]).ends_with(1);
    assert!(ran.stdout.contains("::error file=docs/prd/export.md,line=9"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("README.md"), "{}", ran.stdout);
    assert_eq!((checkout.output("verdict"), checkout.output("exit-code")), ("blocked".to_owned(), "1".to_owned()));
    assert!(checkout.sandbox.read("summary.md").contains("open-point"));
    assert!(checkout.sandbox.read("out.sarif").contains("open-point"));
}

#[test]
fn what_was_open_before_does_not_block_a_request() {
    let old = with_open_point(READY);
    let checkout = Checkout::new(&[("docs/prd/export.md", &old)]);
    checkout.request(&[("docs/prd/export.md", &format!("{old}\nThe menu item is called “Export”.\n"))]);
    checkout.run("pull_request", EVENT, &[]).ends_with(0);
    checkout.run("pull_request", EVENT, &[("REQGATE_CHANGED_ONLY", "false")]).ends_with(1);
    checkout
        .run("pull_request", EVENT, &[("REQGATE_CHANGED_ONLY", "false"), ("REQGATE_FAIL_ON", "never")])
        .ends_with(0);
}

#[test]
fn policy_comes_from_the_base_and_never_from_the_change() {
    let lenient = "version: 1\nrules:\n  open-point: off\n";
    let checkout = Checkout::new(&[("docs/prd/export.md", READY)]);
    checkout.request(&[("docs/prd/export.md", &with_open_point(READY)), (".reqgate.yaml", lenient)]);
    checkout.run("pull_request", EVENT, &[]).ends_with(1);
    checkout.run("pull_request", EVENT, &[("REQGATE_CONFIG", ".reqgate.yaml")]).ends_with(1);

    let checkout = Checkout::new(&[("docs/prd/export.md", READY), (".reqgate.yaml", lenient)]);
    checkout.request(&[("docs/prd/export.md", &with_open_point(READY))]);
    checkout.run("pull_request", EVENT, &[]).ends_with(0);
}

#[cfg(unix)]
#[test]
fn link_in_a_request_is_not_followed() {
    let checkout = Checkout::new(&[("docs/prd/export.md", READY), ("secret.txt", "The secret of the house is TBD.")]);
    checkout.git(&["checkout", "--quiet", "-b", "request"]);
    std::os::unix::fs::symlink("../../secret.txt", checkout.sandbox.path("docs/prd/link.md")).expect("a link");
    checkout.commit(&[], "a link");
    checkout.merge();
    let ran = checkout.run("pull_request", EVENT, &[]).ends_with(0);
    assert!(!ran.stdout.contains("secret"), "{}", ran.stdout);
    assert_eq!(checkout.output("verdict"), "skipped");
}

#[test]
fn checkout_without_history_is_told_what_to_do() {
    let checkout = Checkout::new(&[("docs/prd/export.md", READY)]);
    let ran = checkout.run("pull_request", EVENT, &[]).ends_with(2);
    assert!(ran.stderr.contains("fetch-depth: 2"), "{}", ran.stderr);
    assert_eq!(checkout.output("verdict"), "error");
}

#[test]
fn events_that_ask_for_nothing_make_no_call() {
    let checkout = Checkout::new(&[]);
    for (event, payload, reason) in [
        (
            "issues",
            r#"{"action":"pinned","issue":{"number":1,"title":"t"},"sender":{"login":"a","type":"User"}}"#,
            "issues.pinned",
        ),
        (
            "issues",
            r#"{"action":"opened","issue":{"number":1,"title":"t"},"sender":{"login":"a","type":"Bot"}}"#,
            "program",
        ),
        ("star", "{}", "star"),
        ("push", "{}", "no file"),
    ] {
        let ran = checkout.run(event, payload, &[]).ends_with(0);
        assert!(ran.stdout.starts_with("reqgate: skipped: "), "{}", ran.stdout);
        assert_eq!(checkout.output("verdict"), "skipped");
        assert!(checkout.output("skip-reason").contains(reason), "{}", checkout.output("skip-reason"));
    }
}

#[test]
fn wrong_use_is_told_and_given_as_an_output() {
    let checkout = Checkout::new(&[]);
    let ran = checkout.run("issues", "{}", &[("REQGATE_MODE", "watch")]).ends_with(2);
    assert!(ran.stderr.contains("write one of enforce, observe"), "{}", ran.stderr);
    assert_eq!((checkout.output("verdict"), checkout.output("exit-code")), ("error".to_owned(), "2".to_owned()));
    checkout.run("issues", "{", &[]).ends_with(2);
    let ran = Sandbox::new().run(&["github"]).ends_with(2);
    assert!(ran.stderr.contains("GITHUB_EVENT_NAME is not set"), "{}", ran.stderr);
}

#[test]
fn files_that_the_inputs_name_are_judged_on_a_push() {
    let checkout = Checkout::new(&[("docs/prd/export.md", &with_open_point(READY)), ("docs/prd/good.md", READY)]);
    checkout
        .run("push", "{}", &[("REQGATE_PATHS", "docs/prd/*.md"), ("REQGATE_REPORT_FILE", "report.json")])
        .ends_with(1);
    assert_eq!(checkout.output("report-file"), "report.json");
    assert!(checkout.sandbox.read("report.json").contains("docs/prd/good.md"));
}
