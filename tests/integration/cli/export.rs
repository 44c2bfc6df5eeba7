//! Exports a PRD as a PDF, with stand-ins for the browser and the typesetter, and as data. tests/pages uses real
//! programs.

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

/// A stand-in that writes its arguments to standard error and the page after `%PDF-` to the output.
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
fn the_prd_of_a_thread_is_exported_by_its_name() {
    let sandbox = project(PRINTS);
    sandbox.run(&["prd", "start", "Members share notes by a link for 30 days."]).ends_with(4);
    let ask = || sandbox.run(&["inbox", "--format", "json"]).ends_with(0).json()[0]["id"].clone();
    let ask = || ask().as_str().expect("an open question").to_owned();
    let answer = |with: &[&str]| sandbox.run(&[&["answer", &ask()], with].concat());
    let first = ask();
    let (thread, _) = first.split_once('.').expect("the thread and a number");
    let none = sandbox.run(&["export", thread, "-o", "none.html"]).ends_with(2);
    assert!(none.stderr.contains("is neither a file nor a thread with a PRD"), "{none:?}");
    answer(&["--approve"]).ends_with(4);
    answer(&["--approve"]).ends_with(4);
    if sandbox.run(&["export", thread, "-o", "draft.html"]).code != 0 {
        answer(&["--go-on"]).ends_with(4);
    }
    sandbox.run(&["export", thread, "-o", "draft.html"]).ends_with(0);
    assert!(sandbox.read("draft.html").contains("30 days"), "the draft under review");
    answer(&["--approve", "--because", "a pilot"]).ends_with(0);
    // The threads are at the place that every other command uses.
    std::fs::rename(sandbox.path(".reqgate"), sandbox.path("elsewhere")).expect("it is moved");
    sandbox.run(&["export", thread, "-o", "moved.html"]).ends_with(2);
    sandbox.run_with(&["export", thread, "-o", "moved.html"], &[("REQGATE_STATE", "elsewhere")], "").ends_with(0);
    std::fs::rename(sandbox.path("elsewhere"), sandbox.path(".reqgate")).expect("it is moved");
    // The server of another program does not hide them.
    let listed = sandbox.run_with(&["prd", "list"], &[("REDIS_URL", "redis://127.0.0.1:1")], "").ends_with(0);
    assert!(listed.stdout.contains(thread), "{listed:?}");
    sandbox.run(&["export", thread, "-o", "share.pdf", "--chromium", "bin/chromium"]).ends_with(0);
    assert!(sandbox.read("share.pdf").contains("a pilot"), "the approved file");
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

/// Without a browser, Typst typesets the document; a Chinese document needs a font.
#[test]
fn without_a_browser_typst_makes_the_pdf() {
    let sandbox = project(PRINTS);
    let typst =
        "#!/bin/sh\nif [ $1 = fonts ]; then echo \"$FONTS\"; exit; fi\n{ echo %PDF-1.4; /bin/cat \"$4\"; } >\"$5\"\n";
    sandbox.file("bin2/typst", typst).file("zh.md", "# 订单导出\n\n导出订单。\n");
    fs::set_permissions(sandbox.path("bin2/typst"), fs::Permissions::from_mode(0o755)).expect("our own file");
    // The only folder with programs, since the machine may have a browser.
    let path = sandbox.path("bin2").display().to_string();
    let export = |file: &str, fonts: &str| {
        let arguments = ["export", file, "--format", "pdf", "--output", "x.pdf"];
        sandbox.run_with(&arguments, &[("PATH", &path), ("FONTS", fonts)], "")
    };
    export("prd.md", "DejaVu Sans").ends_with(0);
    let made = sandbox.read("x.pdf");
    assert!(made.starts_with("%PDF-") && made.contains("\"Members share notes.\""), "{made}");
    let told = export("zh.md", "DejaVu Sans").ends_with(3).stderr;
    assert!(told.contains("no font with Chinese characters"), "{told}");
    export("zh.md", "Noto Sans CJK SC").ends_with(0);
    assert!(sandbox.read("x.pdf").contains("\"导出订单。\""));
}

/// Requirements and stories in other layouts are exported as data, and `gaps` reads a table of qualities next to
/// sections.
#[test]
fn other_layouts_are_exported_as_gaps_reads_them() {
    let sandbox = Sandbox::new();
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/gold/prd/cycle-count.md");
    let document = sandbox.run(&["export", golden, "--format", "json"]).ends_with(0).json()["document"].clone();
    let ids = |list: &str| -> Vec<String> {
        let list = document[list].as_array().expect("a list");
        list.iter().map(|one| one["id"].as_str().expect("an id").to_owned()).collect()
    };
    assert_eq!(ids("functional_requirements"), ["FR-001", "FR-002", "FR-003", "FR-004", "FR-005"]);
    assert_eq!(ids("non_functional_requirements").len(), 5, "{document:#}");
    assert_eq!(ids("user_stories"), ["US-001", "US-002", "US-003"]);
    let story = document["user_stories"][0]["story"].as_str().expect("words");
    assert!(story.starts_with("As a picker, I want to scan the bin"), "{story}");
    let schema = sandbox.run(&["schema", "export"]).ends_with(0).json();
    let whole = sandbox.run(&["export", golden, "--format", "json"]).json();
    assert!(jsonschema::validator_for(&schema).expect("a schema").is_valid(&whole));
    sandbox.file(
        "own.md",
        "# PRD: Notes\n\n## Functional Requirements\n\n### FR-001: Share\n\nMembers share notes.\n\n- Acceptance criteria:\n  - A shared note is \
         seen within 2 s.\n\n## Non-Functional Requirements\n\n| ID | Quality | Demand |\n|---|---|---|\n| NFR-001 | Speed | A note opens within 1 second. |\n",
    );
    let gaps = sandbox.run(&["gaps", "own.md", "--format", "json"]).json();
    assert_eq!(gaps["requirements"], 2, "{gaps:#}");
    let own = sandbox.run(&["export", "own.md", "--format", "json"]).ends_with(0).json()["document"].clone();
    assert_eq!(own["functional_requirements"][0]["title"], "Share");
    assert_eq!(own["non_functional_requirements"][0]["id"], "NFR-001");
    assert_eq!(own["user_stories"], serde_json::json!([]));
}
