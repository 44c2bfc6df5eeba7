//! A PRD as a PDF, with stand-ins for the browser; tests/pages/run has a real one.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::Sandbox;

fn project(browser: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox
        .file("prd.md", "# PRD: Notes\n\n## Executive Summary\n\nMembers share notes.\n")
        .file("bin/chromium", browser);
    fs::set_permissions(sandbox.path("bin/chromium"), fs::Permissions::from_mode(0o755)).expect("our own file");
    sandbox
}

/// Writes the arguments to standard error and the page behind `%PDF-`.
const PRINTS: &str = "#!/bin/sh\nfor a; do case $a in --print-to-pdf=*) out=${a#*=};; esac; page=$a; done\n\
    { echo %PDF-1.4; cat \"$page\"; } >\"$out\"\n";

#[test]
fn a_browser_on_the_path_makes_the_pdf() {
    let sandbox = project(PRINTS);
    let path = format!("{}:/usr/bin:/bin", sandbox.path("bin").display());
    let arguments = ["export", "prd.md", "--format", "pdf", "--output", "a b; touch x.pdf"];
    sandbox.run_with(&arguments, &[("PATH", &path)], "").ends_with(0);
    let made = sandbox.read("a b; touch x.pdf");
    assert!(made.starts_with("%PDF-") && made.contains("<title>PRD: Notes</title>"), "{made}");
}

#[test]
fn a_browser_that_makes_no_pdf_is_an_error_with_its_last_words() {
    let sandbox = project("#!/bin/sh\necho 'cannot \u{1b}[31mopen display' >&2\nexit 1\n");
    let ran =
        sandbox.run(&["export", "prd.md", "--format", "pdf", "-o", "x.pdf", "--chromium", "bin/chromium"]).ends_with(3);
    assert!(ran.stderr.contains("`bin/chromium` made no PDF: cannot open display"), "{ran:?}");
    assert!(!sandbox.path("x.pdf").exists());
}

#[test]
fn without_a_browser_there_is_one_message() {
    let sandbox = project(PRINTS);
    let arguments = ["export", "prd.md", "--format", "pdf", "--output", "x.pdf"];
    let ran = sandbox.run_with(&arguments, &[("PATH", "/nowhere")], "").ends_with(3);
    assert!(ran.stderr.contains("no browser found") && ran.stderr.contains("--chromium PATH"), "{ran:?}");
    assert_eq!(ran.stderr.lines().count(), 1, "{ran:?}");
}
