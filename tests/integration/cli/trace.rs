//! `reqgate trace` in a real repository: commits, ranges, and a shallow clone.

use std::process::Command;

use super::Sandbox;

const REQUIREMENTS: &str = "# Requirements: Notes\n## Approved\n### FR-001: Share\nA.\n### FR-002: Names\nB.\n";

pub(super) fn git(sandbox: &Sandbox, arguments: &[&str]) {
    let identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", "-c", "commit.gpgsign=false"];
    let done = Command::new("git").current_dir(sandbox.path("")).args(identity).args(arguments).output();
    let done = done.expect("git starts");
    assert!(done.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
}

/// A repository with two commits that name requirements.
fn repository() -> Sandbox {
    let sandbox = Sandbox::new();
    std::fs::remove_dir(sandbox.path(".git")).expect("it is empty");
    sandbox.file("docs/prd/001-notes/requirements.md", REQUIREMENTS);
    git(&sandbox, &["init", "--quiet", "--initial-branch=main"]);
    git(&sandbox, &["add", "--all"]);
    git(&sandbox, &["commit", "--quiet", "-m", "Share notes\n\nMeets FR-001."]);
    git(&sandbox, &["commit", "--quiet", "--allow-empty", "-m", "Names (FR-002, FR-001)"]);
    sandbox
}

fn commits(json: &serde_json::Value) -> Vec<u64> {
    let all = json["requirements"].as_array().expect("a list");
    all.iter().map(|one| one["commits"]["count"].as_u64().expect("commits were read")).collect()
}

#[test]
fn commits_are_read_from_the_repository_and_from_a_range() {
    let sandbox = repository();
    let traced = |more: &[&str]| {
        let arguments = [&["trace", "docs/prd/001-notes", "--format", "json"], more].concat();
        sandbox.run(&arguments)
    };
    assert_eq!(commits(&traced(&[]).ends_with(0).json()), [2, 1]);
    assert_eq!(commits(&traced(&["--commits", "HEAD~1..HEAD"]).ends_with(0).json()), [1, 1]);
    traced(&["--commits", "HEAD~1", "--require", "commits"]).ends_with(1);
    let wrong = traced(&["--commits", "gone"]).ends_with(2);
    assert!(wrong.stderr.contains("--commits gone: git log failed"), "{}", wrong.stderr);
    // An option of git is not accepted as a range.
    sandbox.run(&["trace", "docs/prd/001-notes", "--commits=--output=stolen"]).ends_with(2);
    assert!(!sandbox.path("stolen").exists());
}

#[test]
fn a_shallow_clone_says_that_it_is_one() {
    let sandbox = repository();
    let source = format!("file://{}", sandbox.path("").display());
    git(&sandbox, &["clone", "--quiet", "--depth", "1", &source, "clone"]);
    let traced = sandbox.run(&["trace", "clone/docs/prd/001-notes"]).ends_with(0);
    assert!(traced.stdout.contains("Not all commits were searched: the clone is shallow"), "{}", traced.stdout);
    assert!(traced.stdout.contains("1 commit."), "{}", traced.stdout);
}
