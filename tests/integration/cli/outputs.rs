//! The outputs of reports: several at once, atomically written files, closed pipes, and the same bytes in every run.

use std::io::Read;
use std::process::Stdio;

use reqgate::report::Format;

use super::{READY, Sandbox, UNREADY};

#[test]
fn several_reports_are_written_in_one_run() {
    let sandbox = Sandbox::new();
    sandbox.file("t.md", UNREADY);
    let mut arguments = vec!["score", "t.md", "--format", "human"];
    let outputs =
        ["json=o/r.json", "sarif=o/r.sarif", "html=o/r.html", "junit=o/r.xml", "markdown=o/r.md", "github=o/r.txt"];
    arguments.extend(outputs.iter().flat_map(|output| ["--output", output]));
    sandbox.file("o/r.json", "an old report");
    let ran = sandbox.run(&arguments).ends_with(1);
    assert!(ran.stdout.starts_with("REJECT"), "{ran:?}");
    assert_eq!(sandbox.names("o"), ["r.html", "r.json", "r.md", "r.sarif", "r.txt", "r.xml"]);
    let sarif: serde_json::Value = serde_json::from_str(&sandbox.read("o/r.sarif")).expect("SARIF is JSON");
    assert!(sarif["runs"][0]["tool"]["driver"]["rules"].as_array().is_some_and(|rules| rules.len() > 10));
    assert!(sandbox.read("o/r.json").contains("reqgate/outcome/v1"));
    assert!(sandbox.read("o/r.html").trim_end().ends_with("</html>"));
}

#[test]
fn a_missing_folder_is_told_and_nothing_is_written() {
    let sandbox = Sandbox::new();
    sandbox.file("t.md", READY);
    let ran = sandbox.run(&["score", "t.md", "--output", "json=a.json", "--output", "html=no/b.html"]).ends_with(2);
    assert!(ran.stderr.contains("the folder `no` of `no/b.html` does not exist"), "{ran:?}");
    assert_eq!(sandbox.names("."), [".git", "t.md"]);
    assert_eq!(ran.stdout, "");
}

#[test]
fn a_folder_and_a_file_named_twice_are_refused() {
    let sandbox = Sandbox::new();
    sandbox.file("t.md", READY);
    let ran = sandbox.run(&["score", "t.md", "--output", "json=.git"]).ends_with(2);
    assert!(ran.stderr.contains("`.git` is a folder"), "{ran:?}");
    let ran = sandbox.run(&["score", "t.md", "--output", "json=a", "--output", "html=a"]).ends_with(2);
    assert!(ran.stderr.contains("two outputs name the same file"), "{ran:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_cannot_be_written_ends_with_3() {
    let sandbox = Sandbox::new();
    sandbox.file("t.md", READY);
    let ran = sandbox.run(&["score", "t.md", "--output", "json=/dev/full"]).ends_with(3);
    assert!(ran.stdout.contains("PASS") && ran.stderr.contains("writing /dev/full"), "{ran:?}");
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("the device is there");
    let status = sandbox.command().args(["score", "t.md"]).stdout(full).stderr(Stdio::null()).status();
    assert_eq!(status.expect("the program starts").code(), Some(3));
}

#[test]
fn a_reader_that_goes_away_ends_the_run_quietly() {
    let sandbox = Sandbox::new();
    for number in 0..300 {
        sandbox.file(&format!("d/{number:03}.md"), UNREADY);
    }
    for arguments in [vec!["score", "d"], vec!["schema"], vec!["rules", "--guardrail"]] {
        let mut child = sandbox
            .command()
            .args(&arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut first = [0; 16];
        child.stdout.take().expect("it is a pipe").read_exact(&mut first).expect("something is written");
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.code().is_some_and(|code| code <= 1), "{output:?}");
        assert!(output.stderr.is_empty(), "{output:?}");
    }
}

#[test]
fn two_runs_differ_only_in_their_times() {
    let sandbox = Sandbox::new();
    for number in 0..150 {
        sandbox.file(&format!("d/{number:03}.md"), if number % 3 == 0 { READY } else { UNREADY });
    }
    let report = |jobs: &str| {
        let mut report = sandbox.run(&["score", "d", "--format", "json", "--jobs", jobs]).ends_with(1).json();
        for outcome in report["outcomes"].as_array_mut().expect("a list") {
            outcome["execution_times"] = serde_json::Value::Null;
        }
        report.to_string()
    };
    let first = report("2");
    assert_eq!(first, report("2"));
    assert_eq!(first, report("1"));
    // These two contain the times.
    for format in
        Format::ALL.into_iter().filter(|format| !matches!(format, Format::Json | Format::Junit)).map(Format::name)
    {
        let text = |jobs| sandbox.run(&["score", "d", "--format", format, "--jobs", jobs]).stdout;
        assert_eq!(text("3"), text("1"), "{format}");
    }
}
