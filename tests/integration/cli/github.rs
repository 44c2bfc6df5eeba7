//! `reqgate github` as a step of a workflow, in a real checkout, for events that need no token.

use std::process::Command;

use super::{ACCEPTED, READY, Ran, Sandbox};

/// A checkout with a base branch and a request merged into it, as GitHub checks it out.
pub(super) struct Checkout {
    pub(super) sandbox: Sandbox,
}

impl Checkout {
    pub(super) fn new(base: &[(&str, &str)]) -> Self {
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

    /// Changes files on a branch and merges the branch.
    pub(super) fn request(&self, files: &[(&str, &str)]) {
        self.git(&["checkout", "--quiet", "-b", "request"]);
        self.commit(files, "change");
        self.merge();
    }

    fn merge(&self) {
        self.git(&["checkout", "--quiet", "main"]);
        self.git(&["merge", "--quiet", "--no-ff", "--no-edit", "request"]);
    }

    /// The output of a git command without its line end.
    fn told(&self, arguments: &[&str]) -> String {
        let done = Command::new("git").current_dir(self.sandbox.path("")).args(arguments).output().expect("git starts");
        String::from_utf8_lossy(&done.stdout).trim().to_owned()
    }

    /// The event of a pull request from `head` into `base`, both given as names of commits.
    fn event(&self, base: &str, head: &str) -> String {
        let id = |name: &str| self.told(&["rev-parse", name]);
        serde_json::json!({
            "action": "synchronize",
            "pull_request": {
                "number": 3, "changed_files": 1, "base": {"sha": id(base)}, "head": {"sha": id(head)}
            },
        })
        .to_string()
    }

    /// Judges the pull request that was merged into the current branch.
    pub(super) fn judge(&self, more: &[(&str, &str)]) -> Ran {
        self.run("pull_request", &self.event("HEAD^1", "HEAD^2"), more)
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
            // The port is closed, so a single call would fail.
            ("GITHUB_API_URL", "http://127.0.0.1:9"),
        ];
        environment.extend_from_slice(more);
        self.sandbox.run_with(&["github"], &environment, "")
    }

    pub(super) fn output(&self, name: &str) -> String {
        let text = self.sandbox.read("out.txt");
        let mut lines = text.lines();
        let found = lines.by_ref().find(|line| line.starts_with(&format!("{name}<<")));
        found.and_then(|_| lines.next()).unwrap_or_default().to_owned()
    }
}

const EVENT: &str =
    r#"{"action":"synchronize","pull_request":{"number":3,"base":{"sha":"0123456789abcdef0123456789abcdef01234567"}}}"#;

pub(super) fn with_open_point(text: &str) -> String {
    text.replace("- The file name is statement-YYYY-MM.pdf.", "- The file name is TBD.")
}

#[test]
fn request_that_opens_a_point_is_blocked_without_a_token() {
    let checkout = Checkout::new(&[("docs/prd/export.md", READY), ("README.md", "x")]);
    checkout.request(&[("docs/prd/export.md", &with_open_point(READY)), ("README.md", "TBD")]);
    let ran = checkout.judge(&[("REQGATE_SARIF_FILE", "out.sarif")]).ends_with(1);
    assert!(ran.stdout.contains("::error file=docs/prd/export.md,line=9"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("README.md"), "{}", ran.stdout);
    assert_eq!((checkout.output("verdict"), checkout.output("exit-code")), ("blocked".to_owned(), "1".to_owned()));
    assert!(checkout.sandbox.read("summary.md").contains("open-point"));
    assert!(checkout.sandbox.read("out.sarif").contains("open-point"));
    // A handwritten event does not name the commits of the checkout.
    checkout.run("pull_request", EVENT, &[]).ends_with(1);
}

#[test]
fn what_was_open_before_does_not_block_a_request() {
    let old = with_open_point(READY);
    let checkout = Checkout::new(&[("docs/prd/export.md", &old)]);
    checkout.request(&[("docs/prd/export.md", &format!("{old}\nThe menu item is called “Export”.\n"))]);
    checkout.judge(&[]).ends_with(0);
    checkout.judge(&[("REQGATE_CHANGED_ONLY", "false")]).ends_with(1);
    checkout.judge(&[("REQGATE_CHANGED_ONLY", "false"), ("REQGATE_FAIL_ON", "never")]).ends_with(0);
}

#[test]
fn policy_comes_from_the_base_and_never_from_the_change() {
    let lenient = "version: 1\nrules:\n  open-point: off\n";
    let checkout = Checkout::new(&[("docs/prd/export.md", READY)]);
    checkout.request(&[("docs/prd/export.md", &with_open_point(READY)), (".reqgate.yaml", lenient)]);
    checkout.judge(&[]).ends_with(1);
    checkout.judge(&[("REQGATE_CONFIG", ".reqgate.yaml")]).ends_with(1);

    let checkout = Checkout::new(&[("docs/prd/export.md", READY), (".reqgate.yaml", lenient)]);
    checkout.request(&[("docs/prd/export.md", &with_open_point(READY))]);
    checkout.judge(&[]).ends_with(0);
}

#[cfg(unix)]
#[test]
fn link_in_a_request_is_not_followed() {
    let checkout = Checkout::new(&[("docs/prd/export.md", READY), ("secret.txt", "The secret of the house is TBD.")]);
    checkout.git(&["checkout", "--quiet", "-b", "request"]);
    std::os::unix::fs::symlink("../../secret.txt", checkout.sandbox.path("docs/prd/link.md")).expect("a link");
    checkout.commit(&[], "a link");
    checkout.merge();
    let ran = checkout.judge(&[]).ends_with(2);
    assert!(!ran.stdout.contains("secret"), "{}", ran.stdout);
    assert!(ran.stdout.contains("::error file=docs/prd/link.md"), "{}", ran.stdout);
    assert_eq!(checkout.output("verdict"), "error");
    // A symbolic link that existed before is left out, also when its target changes.
    let checkout = Checkout::new(&[("docs/prd/export.md", READY), ("secret.txt", "The secret of the house is TBD.")]);
    std::os::unix::fs::symlink("../../none.txt", checkout.sandbox.path("docs/prd/link.md")).expect("a link");
    checkout.commit(&[], "a link");
    checkout.git(&["checkout", "--quiet", "-b", "request"]);
    std::fs::remove_file(checkout.sandbox.path("docs/prd/link.md")).expect("it is there");
    std::os::unix::fs::symlink("../../secret.txt", checkout.sandbox.path("docs/prd/link.md")).expect("a link");
    checkout.commit(&[], "another link");
    checkout.merge();
    checkout.judge(&[]).ends_with(0);
    assert_eq!(checkout.output("verdict"), "skipped");
}

/// If the folder of the requirements, a parent, or a new folder becomes a symbolic link, the requirements would no
/// longer be read.
#[cfg(unix)]
#[test]
fn folder_that_becomes_a_link_is_an_error() {
    let open = with_open_point(READY);
    for (moved, link, target) in [
        ("docs/prd", "docs/prd", "../hidden"),
        ("docs/prd", "docs/prd", "/tmp"),
        ("docs", "docs", "hidden"),
        ("docs/old", "docs/requirements", "../hidden"),
    ] {
        for changed_only in ["true", "false"] {
            let checkout = Checkout::new(&[("docs/prd/export.md", READY), ("docs/old/x.md", READY)]);
            checkout.git(&["checkout", "--quiet", "-b", "request"]);
            std::fs::rename(checkout.sandbox.path(moved), checkout.sandbox.path("hidden")).expect("it is there");
            std::os::unix::fs::symlink(target, checkout.sandbox.path(link)).expect("a link");
            checkout.commit(&[("hidden/more.md", &open)], "a link");
            checkout.merge();
            let ran = checkout.judge(&[("REQGATE_CHANGED_ONLY", changed_only)]).ends_with(2);
            assert!(ran.stdout.contains(&format!("::error file={link}")), "{link} {target}: {ran:?}");
            assert_eq!((checkout.output("verdict"), checkout.output("ready")), ("error".into(), "false".into()));
        }
    }
    // A symbolic link elsewhere is ignored.
    let checkout = Checkout::new(&[("docs/prd/export.md", READY), ("src/x.txt", "x")]);
    checkout.git(&["checkout", "--quiet", "-b", "request"]);
    std::os::unix::fs::symlink("src", checkout.sandbox.path("lib")).expect("a link");
    checkout.commit(&[], "a link");
    checkout.merge();
    checkout.judge(&[]).ends_with(0);
}

#[test]
fn what_was_open_before_a_file_was_renamed_does_not_block() {
    let old = with_open_point(READY);
    let rename = |from: &str, to: &str, text: &str| {
        let checkout = Checkout::new(&[(from, &old), ("docs/prd/other.md", READY)]);
        checkout.git(&["checkout", "--quiet", "-b", "request"]);
        std::fs::remove_file(checkout.sandbox.path(from)).expect("it is there");
        checkout.commit(&[(to, text)], "renamed");
        checkout.merge();
        checkout
    };
    let changed = format!("{old}\nThe menu item is called “Export”.\n");
    for text in [&old, &changed] {
        let checkout = rename("docs/prd/export.md", "docs/prd/billing/export statement.md", text);
        checkout.judge(&[]).ends_with(0);
        checkout.judge(&[("REQGATE_CHANGED_ONLY", "false")]).ends_with(1);
    }
    // A new finding blocks, and so does every finding in a file that was not judged at its old path.
    let new = old.replace("downloads within 3 seconds", "downloads within TBD seconds");
    rename("docs/prd/export.md", "docs/prd/statement.md", &new).judge(&[]).ends_with(1);
    rename("drafts/export.md", "docs/prd/export.md", &old).judge(&[]).ends_with(1);
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
            "bot",
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
    let over = [("REQGATE_PATHS", "docs/prd/*.md"), ("REQGATE_REPORT_FILE", "docs/prd/good.md")];
    checkout.run("push", "{}", &over).ends_with(2);
    assert_eq!(checkout.sandbox.read("docs/prd/good.md"), READY);
}

const LENIENT: &str = "version: 1\nrules:\n  open-point: off\n";

/// A policy in the pull request is ignored for every spelling of its path.
#[test]
fn path_of_the_policy_is_read_from_the_base_however_it_is_written() {
    let checkout = Checkout::new(&[("docs/prd/export.md", READY)]);
    checkout.request(&[("docs/prd/export.md", &with_open_point(READY)), (".reqgate.yaml", LENIENT)]);
    let root = checkout.sandbox.path("").canonicalize().expect("it is there").display().to_string();
    let absolute = format!("{}/.reqgate.yaml", root.trim_end_matches('/'));
    let lenient_guardrail = "enabled: false\n";
    checkout.sandbox.file("lenient/guardrail.yaml", lenient_guardrail);
    for workspace in [root.as_str(), ""] {
        let ran = checkout.judge(&[("GITHUB_WORKSPACE", workspace), ("REQGATE_CONFIG", &absolute)]).ends_with(1);
        assert!(ran.stderr.contains("not on the base branch yet"), "{}", ran.stderr);
    }
    checkout.judge(&[("REQGATE_CONFIG", "docs/../.reqgate.yaml")]).ends_with(1);

    // Files outside the repository are not part of the base.
    let folder = Sandbox::new();
    folder.file("outside.yaml", LENIENT);
    let outside = folder.path("outside.yaml").display().to_string();
    let name = checkout.sandbox.path("").file_name().expect("it has a name").to_string_lossy().into_owned();
    let around = format!("../{name}/.reqgate.yaml");
    for variable in ["REQGATE_CONFIG", "GUARDRAIL_CONFIG_PATH"] {
        for path in [outside.as_str(), around.as_str(), "docs/../../x.yaml"] {
            let ran = checkout.judge(&[(variable, path)]).ends_with(2);
            assert!(ran.stderr.contains("outside the repository") && ran.stderr.contains(variable), "{}", ran.stderr);
            assert_eq!(checkout.output("ready"), "false");
        }
    }
}

#[test]
fn absolute_path_of_the_guardrail_is_read_from_the_base() {
    let with_mail =
        READY.replace("tax office.", "tax office. Ask jane.roe@nordwind-handel.de and pay to DE89370400440532013000.");
    let strict = "enabled: true\nmode: strict\n";
    let checkout = Checkout::new(&[("docs/prd/export.md", READY), ("quality/guardrail.yaml", strict)]);
    let change = [("docs/prd/export.md", with_mail.as_str()), ("quality/guardrail.yaml", "enabled: false\n")];
    checkout.request(&change);
    let root = checkout.sandbox.path("").canonicalize().expect("it is there");
    let absolute = root.join("quality/guardrail.yaml").display().to_string();
    checkout.judge(&[("GUARDRAIL_CONFIG_PATH", &absolute)]).ends_with(1);
    assert_eq!(checkout.output("verdict"), "rejected");
}

#[test]
fn everything_that_the_policy_names_comes_from_the_base() {
    // Records of wrong findings make a rule lose its right to block.
    let checkout = Checkout::new(&[("docs/prd/export.md", READY)]);
    let row = |number: u32| {
        serde_json::json!({
            "schema": "reqgate/dispute/v1", "fingerprint": format!("{number:016x}"), "rule": "open-point",
            "severity": "BLOCKER", "label": "wrong", "because": "x", "quote": null, "input": "x.md", "language": "en",
            "rubric": null,
        })
    };
    let rows: String = (0..200).map(|number| format!("{}\n", row(number))).collect();
    checkout.request(&[("docs/prd/export.md", &with_open_point(READY)), ("reqgate-disputes.jsonl", &rows)]);
    checkout.judge(&[]).ends_with(1);
    // Records in the base are used.
    let checkout = Checkout::new(&[("docs/prd/export.md", READY), ("reqgate-disputes.jsonl", &rows)]);
    checkout.request(&[("docs/prd/export.md", &with_open_point(READY))]);
    checkout.judge(&[]).ends_with(0);
    // Folders outside the repository are refused in every setting that can name them.
    for named in [
        "rules_folders: [../rules]",
        "team_weights: ../t.yaml",
        "disputes: /tmp/x.jsonl",
        "guardrail:\n  pattern_folders: [../x]",
    ] {
        let config = format!("version: 1\n{named}\n");
        let checkout = Checkout::new(&[("docs/prd/export.md", READY), (".reqgate.yaml", &config)]);
        checkout.request(&[("docs/prd/export.md", &with_open_point(READY))]);
        let ran = checkout.judge(&[]).ends_with(2);
        assert!(ran.stderr.contains("outside the repository"), "{named}: {}", ran.stderr);
    }
}

#[cfg(unix)]
#[test]
fn policy_behind_a_link_is_in_force_and_one_that_leads_nowhere_is_an_error() {
    let strict = "version: 1\npolicy: strict\nthresholds: {feature: 100, prd: 100}\n";
    for (link, code) in [("quality/strict.yaml", 1), ("quality/none.yaml", 2), ("/etc/hostname", 2), ("../x.yaml", 2)] {
        let checkout = Checkout::new(&[("docs/prd/export.md", READY), ("quality/strict.yaml", strict)]);
        std::os::unix::fs::symlink(link, checkout.sandbox.path(".reqgate.yaml")).expect("a link");
        checkout.commit(&[], "policy behind a link");
        let more = format!("{READY}\nThe menu item is called “Export”.\n");
        checkout.request(&[("docs/prd/export.md", &more)]);
        let ran = checkout.judge(&[("REQGATE_CHANGED_ONLY", "false")]).ends_with(code);
        assert!(code == 1 || ran.stderr.contains(".reqgate.yaml"), "{link}: {}", ran.stderr);
    }
}

/// The author of a pull request can also push a merge commit with any parents.
#[test]
fn merge_that_the_author_made_hides_nothing() {
    let checkout = Checkout::new(&[("docs/prd/export.md", READY)]);
    // The head is a merge whose first parent already contains the change.
    checkout.git(&["checkout", "--quiet", "-b", "request"]);
    checkout.commit(&[("docs/prd/export.md", &with_open_point(READY)), (".reqgate.yaml", LENIENT)], "change");
    checkout.git(&["checkout", "--quiet", "-b", "side", "main"]);
    checkout.commit(&[("notes.txt", "x")], "side");
    checkout.git(&["checkout", "--quiet", "request"]);
    checkout.git(&["merge", "--quiet", "--no-ff", "--no-edit", "side"]);
    // The head itself is checked out.
    let event = checkout.event("main", "HEAD");
    checkout.run("pull_request", &event, &[]).ends_with(1);
    assert_eq!(checkout.output("verdict"), "blocked");
    // After a newer push, the checkout is a merge whose second parent is the head in the event.
    let event = checkout.event("main", "HEAD^2");
    let started_for = checkout.told(&["rev-parse", "HEAD^2"]);
    checkout.run("pull_request", &event, &[("GITHUB_SHA", &started_for)]).ends_with(1);
    assert_eq!(checkout.output("verdict"), "blocked");
}

#[test]
fn policy_is_the_newest_of_the_base_wherever_the_request_left_it() {
    let checkout = Checkout::new(&[("docs/prd/export.md", READY), (".reqgate.yaml", LENIENT)]);
    checkout.git(&["checkout", "--quiet", "-b", "request"]);
    checkout.git(&["checkout", "--quiet", "main"]);
    checkout.commit(&[(".reqgate.yaml", "version: 1\n")], "stricter");
    checkout.git(&["checkout", "--quiet", "request"]);
    checkout.commit(&[("docs/prd/export.md", &with_open_point(READY))], "change");
    checkout.run("pull_request", &checkout.event("main", "HEAD"), &[]).ends_with(1);
}

#[test]
fn checkout_without_the_change_is_an_error() {
    let checkout = Checkout::new(&[("docs/prd/export.md", READY)]);
    let ran = checkout.run("pull_request", &checkout.event("HEAD", "HEAD"), &[]).ends_with(2);
    assert!(ran.stderr.contains("1 changed files") && ran.stderr.contains("fetch-depth: 2"), "{}", ran.stderr);
    assert_eq!((checkout.output("verdict"), checkout.output("ready")), ("error".to_owned(), "false".to_owned()));
}

/// A file that matches the patterns is a requirement, regardless of its front matter.
#[test]
fn document_in_a_request_does_not_excuse_itself() {
    let open = with_open_point(READY);
    let titled = |title: &str| open.replacen("# Export the monthly statement as PDF", title, 1);
    for (what, text) in [
        ("type", format!("---\ntype: question\n---\n\n{open}")),
        ("task", format!("---\ntype: chore\ntitle: Export\n---\n\n{open}")),
        ("labels", format!("---\nlabels: [question]\n---\n\n{open}")),
        ("minutes", format!("---\nsource: meeting\n---\n\n{open}")),
        ("title", titled("# chore: export the monthly statement")),
        ("asking", titled("# How can I export the statement? Please help, any ideas?")),
    ] {
        let checkout = Checkout::new(&[("README.md", "x")]);
        checkout.request(&[("docs/prd/export.md", &text)]);
        checkout.judge(&[]).ends_with(1);
        assert_eq!(
            (checkout.output("verdict"), checkout.output("ready")),
            ("blocked".to_owned(), "false".to_owned()),
            "{what}"
        );
    }
}

/// The author of a fork has no rights in the repository, and any author can write that a question was accepted.
#[test]
fn document_of_a_fork_accepts_nothing_that_the_base_does_not_accept() {
    let event = |checkout: &Checkout, head: u64| {
        let mut event: serde_json::Value = serde_json::from_str(&checkout.event("HEAD^1", "HEAD^2")).expect("JSON");
        event["pull_request"]["base"]["repo"]["id"] = 1.into();
        event["pull_request"]["head"]["repo"]["id"] = head.into();
        event.to_string()
    };
    let path = "docs/prd/links.md";
    let checkout = Checkout::new(&[("README.md", "x")]);
    checkout.request(&[(path, ACCEPTED)]);
    checkout.run("pull_request", &event(&checkout, 1), &[]).ends_with(0);
    checkout.run("pull_request", &event(&checkout, 2), &[]).ends_with(1);
    checkout.judge(&[]).ends_with(1);
    let checkout = Checkout::new(&[(path, ACCEPTED)]);
    checkout.request(&[(path, &ACCEPTED.replacen("30 May", "31 May", 1))]);
    checkout.run("pull_request", &event(&checkout, 2), &[]).ends_with(0);
    let checkout = Checkout::new(&[(path, ACCEPTED)]);
    let more = ACCEPTED.replace("Who pays for the storage of a guest?", "Who deletes an album?");
    checkout.request(&[(path, &more)]);
    checkout.run("pull_request", &event(&checkout, 2), &[]).ends_with(1);
}

#[test]
fn nothing_is_ready_where_nothing_was_judged() {
    let checkout = Checkout::new(&[(
        "ask.md",
        "---\ntype: question\n---\n\nHow do I export the monthly statement as a PDF file?\n",
    )]);
    checkout.run("push", "{}", &[("REQGATE_PATHS", "ask.md")]).ends_with(0);
    assert_eq!((checkout.output("verdict"), checkout.output("ready")), ("skipped".to_owned(), "false".to_owned()));
    assert!(checkout.output("skip-reason").contains("not a requirement"));
}

#[cfg(unix)]
#[test]
fn document_that_becomes_a_link_is_an_error() {
    let checkout = Checkout::new(&[("docs/prd/export.md", READY), ("docs/prd/other.md", READY)]);
    checkout.git(&["checkout", "--quiet", "-b", "request"]);
    std::fs::remove_file(checkout.sandbox.path("docs/prd/export.md")).expect("it is there");
    std::os::unix::fs::symlink("other.md", checkout.sandbox.path("docs/prd/export.md")).expect("a link");
    checkout.commit(&[("docs/prd/other.md", &format!("{READY}\nThe menu item is called “Export”.\n"))], "a link");
    checkout.merge();
    let ran = checkout.judge(&[]).ends_with(2);
    assert!(ran.stdout.contains("::error file=docs/prd/export.md"), "{}", ran.stdout);
    assert_eq!(checkout.output("ready"), "false");
}

/// Front matter is not judged, tables of requirements are read row by row, and annotations have the line number in the
/// file.
#[test]
fn documents_of_both_shapes_are_judged_line_by_line() {
    for (name, ending, old, new, line) in [
        ("export-prd.md", "pass", "The file name is `statement-YYYY-MM.pdf` with", "The file name is TBD, with", 50),
        ("search-prd.md", "warn", "“No article found” and the five best-selling articles are shown", "TBD", 14),
    ] {
        let text = std::fs::read_to_string(super::source(&format!("fixtures/documents/{name}"))).expect("it is there");
        assert!(text.contains(old), "{name}");
        let path = format!("docs/prd/{name}");
        let checkout = Checkout::new(&[("docs/prd/other.md", READY)]);
        checkout.request(&[(path.as_str(), text.as_str())]);
        checkout.judge(&[]).ends_with(0);
        assert_eq!(checkout.output("verdict"), ending, "{name}");

        let checkout = Checkout::new(&[(path.as_str(), text.as_str())]);
        checkout.request(&[(path.as_str(), &text.replace(old, new))]);
        let ran = checkout.judge(&[]).ends_with(1);
        assert!(ran.stdout.contains(&format!("::error file={path},line={line}")), "{}", ran.stdout);
        assert_eq!(checkout.output("verdict"), "blocked", "{name}");
    }
}
