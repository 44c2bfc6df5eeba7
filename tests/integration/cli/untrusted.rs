//! Limits for a folder that does not belong to the user, and files that never end, block, or are both read and written.

use super::{READY, Sandbox, UNREADY};
use crate::model::server::Server;

const KEY: (&str, &str) = ("OPENAI_API_KEY", "sk-canary-4f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c");

/// A ticket in a repository whose configuration selects a model.
fn with_model(more: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.file("t.md", READY).file(".reqgate.yaml", format!("model: {{name: openai/served{more}}}\n"));
    sandbox
}

#[test]
fn a_repository_spends_nobodys_money() {
    let server = Server::new([]);
    let environment = [("REQGATE_BASE_URL", server.url.as_str()), KEY];
    let asked = || server.requests.lock().expect("no test panics here").len();
    let sandbox = with_model("");
    for arguments in [&["score", "t.md"][..], &["check"], &["score", "t.md", "--config", ".reqgate.yaml"]] {
        let ran = sandbox.run_with(arguments, &environment, "").ends_with(0);
        assert!(ran.stderr.contains(".reqgate.yaml:1: the model is not asked"), "{ran:?}");
        assert_eq!(asked(), 0);
    }
    // A model engine without a name uses the name from the variable of other programs.
    sandbox.file(".reqgate.yaml", "model: {engine: model}\n");
    let theirs = [environment[0], KEY, ("OPENAI_MODEL", "theirs")];
    sandbox.run_with(&["score", "t.md"], &theirs, "").ends_with(0);
    assert_eq!(asked(), 0);
}

#[test]
fn who_agrees_outside_the_repository_is_served() {
    let own = Sandbox::new();
    let home = own.path("").display().to_string();
    own.file(".config/reqgate/reqgate.yaml", "model: {engine: model}\n")
        .file("mine.yaml", "model: {name: openai/mine}\n");
    let mine = own.path("mine.yaml").display().to_string();
    for (arguments, more) in [
        (&["score", "t.md", "--engine", "model"][..], ("A", "")),
        (&["score", "t.md", "--model", "openai/other"], ("A", "")),
        (&["score", "t.md"], ("REQGATE_ENGINE", "model")),
        (&["score", "t.md"], ("REQGATE_MODEL", "openai/other")),
        (&["score", "t.md"], ("HOME", home.as_str())),
        (&["score", "t.md"], ("REQGATE_CONFIG", mine.as_str())),
        (&["score", "t.md", "--config", &mine], ("A", "")),
    ] {
        let server = Server::new([]);
        let environment = [("REQGATE_BASE_URL", server.url.as_str()), KEY, more, ("MAX_LLM_RETRIES", "1")];
        let ran = with_model("").run_with(arguments, &environment, "").ends_with(0);
        assert!(!server.requests.lock().expect("no test panics here").is_empty(), "{arguments:?} {more:?}: {ran:?}");
        assert!(!ran.stderr.contains("warning"), "{ran:?}");
    }
}

/// With the user's consent to models, a repository may select a model, but not a program or the instructions for a
/// model.
#[cfg(unix)]
#[test]
fn a_repository_chooses_neither_a_program_nor_the_instructions_of_a_model() {
    use std::os::unix::fs::PermissionsExt;
    let own = Sandbox::new();
    own.file("claude", format!("#!/bin/sh\ntouch {}\nexit 1\n", own.path("ran").display()));
    std::fs::set_permissions(own.path("claude"), std::fs::Permissions::from_mode(0o755)).expect("it is executable");
    own.file(".config/reqgate/reqgate.yaml", "model: {engine: model}\n");
    let (home, programs) = (own.path("").display().to_string(), format!("{}:/usr/bin:/bin", own.path("").display()));
    let shipped = std::fs::read_to_string(super::source("../prompts/read_ticket_v1.yaml")).expect("it ships");
    let theirs = shipped.replacen("  You are the developer", "  THE STRANGER says: you are the developer", 1);
    assert!(theirs.contains("THE STRANGER"));
    let repository = |model: &str| {
        let sandbox = Sandbox::new();
        sandbox.file("t.md", READY).file("theirs/read_ticket_v1.yaml", &theirs);
        sandbox.file(".reqgate.yaml", format!("model: {{name: {model}, prompts: theirs}}\n"));
        sandbox
    };
    let environment = [("HOME", home.as_str()), ("PATH", programs.as_str()), KEY, ("MAX_LLM_RETRIES", "1")];
    for arguments in [&["score", "t.md"][..], &["score", "t.md", "--engine", "model"], &["check"]] {
        let ran = repository("agent/claude").run_with(arguments, &environment, "").ends_with(0);
        assert!(
            ran.stderr.contains(".reqgate.yaml:1: ") && ran.stderr.contains("cannot choose a program to run"),
            "{ran:?}"
        );
        assert!(!own.path("ran").exists(), "{arguments:?}");
    }
    let start = ["prd", "start", "--from", "t.md", "--author", "model"];
    let ran = repository("agent/claude").run_with(&start, &environment, "").ends_with(2);
    assert!(ran.stderr.contains("name one with --model") && !own.path("ran").exists(), "{ran:?}");
    // The user can choose the same program on the command line, in the environment or in their own configuration.
    let chosen = |arguments: &[&str], more: &[(&str, &str)]| {
        let environment: Vec<(&str, &str)> = environment.iter().chain(more).copied().collect();
        let ran = repository("agent/claude").run_with(arguments, &environment, "");
        assert!(own.path("ran").exists(), "{arguments:?} {more:?}: {ran:?}");
        std::fs::remove_file(own.path("ran")).expect("it is there");
    };
    chosen(&["score", "t.md", "--model", "agent/claude"], &[]);
    chosen(&["score", "t.md"], &[("REQGATE_MODEL", "agent/claude")]);
    own.file(".config/reqgate/reqgate.yaml", "model: {name: agent/claude}\n");
    chosen(&["score", "t.md"], &[]);
    own.file(".config/reqgate/reqgate.yaml", "model: {engine: model}\n");
    // Instructions of the repository are ignored, and those of the user are sent.
    let told = |arguments: &[&str], more: &[(&str, &str)]| {
        let server = Server::new([]);
        let served = [("REQGATE_BASE_URL", server.url.as_str())];
        let environment: Vec<(&str, &str)> = environment.iter().chain(&served).chain(more).copied().collect();
        let sandbox = repository("openai/served");
        sandbox.file("mine/read_ticket_v1.yaml", &theirs);
        let ran = sandbox.run_with(arguments, &environment, "").ends_with(0);
        let requests = server.requests.lock().expect("no test panics here").clone();
        assert!(!requests.is_empty(), "{ran:?}");
        (requests.iter().any(|request| request.contains("THE STRANGER")), ran.stderr)
    };
    let (is_told, said) = told(&["score", "t.md"], &[]);
    assert!(!is_told && said.contains(".reqgate.yaml:1: these instructions are not given to the model"), "{said}");
    for (arguments, more) in
        [(&["score", "t.md", "--prompts", "mine"][..], &[][..]), (&["score", "t.md"], &[("REQGATE_PROMPTS", "mine")])]
    {
        let (is_told, said) = told(arguments, more);
        assert!(is_told && !said.contains("instructions"), "{arguments:?}: {said}");
    }
    own.file(".config/reqgate/reqgate.yaml", "model: {engine: model, prompts: own}\n");
    own.file(".config/reqgate/own/read_ticket_v1.yaml", &theirs);
    assert!(told(&["score", "t.md"], &[]).0);
}

/// Questions to a model are instructions too, so a repository cannot add them.
#[test]
fn a_repository_asks_a_model_no_questions_of_its_own() {
    let file = "questions/model-unclear-outcome.yaml";
    let shipped = std::fs::read_to_string(super::source("../rubrics").join(file)).expect("it ships");
    let sandbox = Sandbox::new();
    sandbox
        .file("t.md", READY)
        .file(&format!("house/{file}"), shipped.replace("asks: \"Outcomes", "asks: \"THE STRANGER"));
    let asked = |settings: &str, arguments: &[&str]| {
        let server = Server::new([]);
        sandbox.file(".reqgate.yaml", format!("policy: strict\n{settings}\n"));
        let model = ["score", "t.md", "--model", "openai/served", "--base-url", &server.url];
        let arguments: Vec<&str> = model.iter().chain(arguments).copied().collect();
        sandbox.run_with(&arguments, &[KEY, ("MAX_LLM_RETRIES", "1")], "");
        let requests = server.requests.lock().expect("no test panics here").clone();
        assert!(requests.iter().any(|request| request.contains("scoring_v1")), "{requests:?}");
        requests.iter().any(|request| request.contains("THE STRANGER"))
    };
    assert!(!asked("rules_folders: [house]", &[]));
    assert!(asked("", &["--rules", "house"]));
}

#[test]
fn a_repository_writes_nowhere_but_in_itself() {
    for setting in [", cache: ../outside", ", cache: /tmp/reqgate-outside", ", cache: a/../../b"] {
        let sandbox = with_model(setting);
        let ran = sandbox.run(&["score", "t.md"]).ends_with(2);
        assert!(
            ran.stderr.contains(".reqgate.yaml:1") && ran.stderr.contains("points outside the repository"),
            "{ran:?}"
        );
        // If the environment sets another value, the file is not used any more.
        let elsewhere = [("REQGATE_CACHE", "off")];
        sandbox.run_with(&["score", "t.md"], &elsewhere, "").ends_with(0);
    }
    with_model(", cache: .reqgate-cache").run(&["score", "t.md"]).ends_with(0);
    let sandbox = Sandbox::new();
    sandbox.file("t.md", READY).file(".reqgate.yaml", "disputes: ../outside.jsonl\n");
    let ran = sandbox.run(&["score", "t.md"]).ends_with(2);
    assert!(ran.stderr.contains("`disputes` points outside"), "{ran:?}");
}

/// Files outside can contain secrets, and an error message would print them.
#[cfg(unix)]
#[test]
fn a_repository_reads_nothing_outside_itself_and_prints_nothing_of_it() {
    let outside = Sandbox::new();
    let own = "password_of_the_neighbour: [\n";
    outside.file("x/words.yaml", own).file("x/rules/words.yaml", own).file("weights.yaml", own);
    outside.file("x/read_ticket_v1.yaml", own);
    let (folder, weights) =
        (outside.path("x").display().to_string(), outside.path("weights.yaml").display().to_string());
    let model = "model: {engine: model, name: openai/x, prompts: ";
    for (key, config) in [
        ("team_weights", format!("team_weights: {weights}\n")),
        ("team_weights", "team_weights: link.yaml\n".to_owned()),
        ("team_weights", "team_weights: ../weights.yaml\n".to_owned()),
        ("rules_folders.0", format!("rules_folders: [{folder}]\n")),
        ("rules_folders.1", "rules_folders: [own, ../x]\n".to_owned()),
        ("guardrail.pattern_folders.0", format!("guardrail: {{pattern_folders: [{folder}]}}\n")),
        ("guardrail.pattern_folders.0", "guardrail: {pattern_folders: [linked]}\n".to_owned()),
        ("guardrail.pattern_folders.0", "guardrail: {pattern_folders: [own/../../x]}\n".to_owned()),
        ("model.prompts", format!("{model}{folder}}}\n")),
        ("model.prompts", format!("{model}linked}}\n")),
    ] {
        let sandbox = Sandbox::new();
        sandbox.file("t.md", READY).file(".reqgate.yaml", &config).file("own/.keep", "");
        std::os::unix::fs::symlink(&folder, sandbox.path("linked")).expect("a link");
        std::os::unix::fs::symlink(&weights, sandbox.path("link.yaml")).expect("a link");
        for more in [&[][..], &[("REQGATE_MODEL", "openai/x"), ("REQGATE_ENGINE", "rules")]] {
            let ran = sandbox.run_with(&["score", "t.md"], more, "").ends_with(2);
            assert!(ran.stderr.contains(&format!("`{key}` points outside the repository")), "{config}: {ran:?}");
            assert!(!ran.stderr.contains("neighbour"), "{config}: {ran:?}");
        }
    }
    let sandbox = Sandbox::new();
    sandbox.file("t.md", READY).file(".reqgate.yaml", "guardrail: {pattern_folders: [own]}\n").file("own/.keep", "");
    sandbox.run(&["score", "t.md"]).ends_with(0);
}

#[test]
fn a_model_is_reached_in_the_clear_on_this_machine_only() {
    let sandbox = Sandbox::new();
    sandbox.file("t.md", READY);
    for base in ["http://model.example/v1", "http://10.1.2.3/v1", "http://127.0.0.1.example/v1"] {
        let arguments = ["score", "t.md", "--model", "openai/x", "--base-url", base];
        let ran = sandbox.run_with(&arguments, &[KEY], "").ends_with(2);
        assert!(ran.stderr.contains("must use https://"), "{ran:?}");
    }
}

#[test]
fn the_report_names_the_configuration_that_governs_from_above() {
    let sandbox = Sandbox::new();
    sandbox.file("docs/t.md", UNREADY).file(".reqgate.yaml", "version: 1\n");
    let mut command = sandbox.command();
    command.current_dir(sandbox.path("docs"));
    let run = |more: &[&str]| {
        let mut command = assert_cmd::Command::from_std(sandbox.command());
        let output = command.current_dir(sandbox.path("docs")).args(["score", "t.md"]).args(more).output();
        String::from_utf8(output.expect("the program starts").stdout).expect("the program writes UTF-8")
    };
    assert!(run(&[]).trim_end().ends_with("/.reqgate.yaml"), "{}", run(&[]));
    assert!(!run(&["--quiet"]).contains("configuration: "));
    assert!(!run(&["--format", "json"]).contains("configuration: "));
    assert!(!sandbox.run(&["score", "docs/t.md"]).stdout.contains("configuration: "));
    let shown = sandbox.run(&["score", "docs/t.md", "--verbose"]).stdout;
    assert!(shown.ends_with("configuration: .reqgate.yaml\n"), "{shown}");
}

#[cfg(unix)]
#[test]
fn the_configuration_of_somebody_else_governs_nobody() {
    let folder = tempfile::tempdir().expect("a folder");
    let (above, work) = (folder.path().join(".reqgate.yaml"), folder.path().join("work"));
    std::fs::create_dir(&work).expect("works in a fresh folder");
    std::fs::write(work.join("t.md"), READY).expect("works in a fresh folder");
    std::fs::write(&above, "policy: strict\nthresholds: {feature: 100}\n").expect("as before");
    let run = || {
        let mut command = assert_cmd::Command::from_std(Sandbox::new().command());
        command.current_dir(&work).args(["score", "t.md"]).output().expect("the program starts")
    };
    assert_eq!(run().status.code(), Some(1), "our own governs");
    if let Err(error) = std::os::unix::fs::chown(&above, Some(12_345), None) {
        // Only root can change the owner of a file.
        assert_eq!(error.kind(), std::io::ErrorKind::PermissionDenied, "{error}");
        println!("not shown here: only root can give a file to another user");
        return;
    }
    let output = run();
    assert_eq!(output.status.code(), Some(0));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("belongs to another user"), "{said}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_trace_that_cannot_be_written_ends_with_3() {
    let sandbox = Sandbox::new();
    sandbox.file("t.md", READY);
    let server = Server::new([]);
    let arguments = ["score", "t.md", "--model", "openai/x", "--base-url", &server.url, "--trace", "/dev/full"];
    let ran = sandbox.run_with(&arguments, &[KEY], "").ends_with(3);
    assert!(ran.stdout.contains("PASS") && ran.stderr.contains("writing the trace /dev/full"), "{ran:?}");
}

#[test]
fn no_input_is_overwritten() {
    let issue = r#"{"number": 1, "title": "Export", "body": "The export must be fast for everybody in the team."}"#;
    let lines = format!("{issue}\n{issue}\n");
    let sandbox = Sandbox::new();
    let files = [("t.md", READY), ("docs/a.json", issue), ("docs/b.md", UNREADY), ("issues.jsonl", &lines)];
    for (name, text) in files {
        sandbox.file(name, text);
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink("t.md", sandbox.path("link.md")).expect("a link");
    #[cfg(not(unix))]
    std::fs::hard_link(sandbox.path("t.md"), sandbox.path("link.md")).expect("a link");
    for arguments in [
        &["score", "t.md", "--output", "json=t.md"][..],
        &["score", "t.md", "--output", "json=./t.md"],
        &["score", "t.md", "--output", "json=link.md"],
        &["score", "docs", "--output", "json=docs/a.json"],
        &["score", "docs/*.md", "--output", "html=docs/b.md"],
        &["check", "docs", "--output", "markdown=docs/b.md"],
        &["score", "issues.jsonl", "--output", "json=issues.jsonl"],
        &["audit", "issues.jsonl", "--output", "json=issues.jsonl"],
        &["audit", "docs", "--output", "json=docs/a.json"],
        &["score", "t.md", "--model", "openai/x", "--base-url", "http://127.0.0.1:9", "--trace", "t.md"],
    ] {
        let ran = sandbox.run_with(arguments, &[KEY], "").ends_with(2);
        assert!(ran.stderr.contains("would be overwritten"), "{arguments:?}: {ran:?}");
        for (name, text) in files {
            assert_eq!(sandbox.read(name), text, "{arguments:?}");
        }
    }
    // Another output file next to the inputs is allowed, also one from an earlier run that is not an input.
    sandbox.run(&["score", "t.md", "--output", "json=out.json"]).ends_with(0);
    sandbox.run(&["score", "t.md", "--output", "json=out.json"]).ends_with(0);
}

/// Each of these files would block for ever, and the test runner with it.
#[cfg(unix)]
#[test]
fn a_named_pipe_is_not_waited_for() {
    let sandbox = Sandbox::new();
    sandbox.file("t.md", READY).file("rules/rules/a.txt", "");
    for pipe in ["pipe", "pipe.jsonl", "rules/rules/pipe.yaml"] {
        let made = std::process::Command::new("mkfifo").arg(sandbox.path(pipe)).status().expect("mkfifo starts");
        assert!(made.success());
    }
    for arguments in [
        &["score", "pipe"][..],
        &["score", "pipe.jsonl"],
        &["score", "t.md", "--config", "pipe"],
        &["score", "t.md", "--rules", "rules"],
        &["score", "t.md", "--output", "json=pipe"],
        &["check", "t.md", "--baseline", "pipe"],
        &["score", "t.md", "--model", "openai/x", "--base-url", "http://127.0.0.1:9", "--trace", "pipe"],
        &["audit", "pipe.jsonl"],
        &["audit", "t.md", "--previous", "pipe"],
    ] {
        let mut command = assert_cmd::Command::from_std(sandbox.command());
        let output = command.args(arguments).env(KEY.0, KEY.1).timeout(std::time::Duration::from_secs(60)).output();
        let output = output.expect("the program starts");
        let said = String::from_utf8_lossy(&[output.stdout.clone(), output.stderr.clone()].concat()).into_owned();
        assert!(matches!(output.status.code(), Some(2 | 3)), "{arguments:?}: {output:?}");
        assert!(said.contains("pipe"), "{arguments:?}: {said}");
    }
    // Files that the shell opens are read: `<(command)`.
    let mut command = assert_cmd::Command::from_std(sandbox.command());
    command.args(["score", "/dev/stdin"]).write_stdin(READY).assert().code(0);
}

#[test]
fn settings_and_records_have_a_largest_size() {
    let sandbox = Sandbox::new();
    let comments = "# a comment that says nothing\n".repeat(200_000);
    sandbox.file("t.md", READY).file("large.yaml", &comments);
    let ran = sandbox.run(&["score", "t.md", "--config", "large.yaml"]).ends_with(2);
    assert!(ran.stderr.contains("the limit of 4096 KiB"), "{ran:?}");
    sandbox.file("known.json", " ".repeat(65 * 1024 * 1024));
    let ran = sandbox.run(&["check", "t.md", "--baseline", "known.json"]).ends_with(2);
    assert!(ran.stderr.contains("the limit of 65536 KiB"), "{ran:?}");
    #[cfg(target_os = "linux")]
    for arguments in [&["score", "t.md", "--config", "/dev/zero"][..], &["check", "t.md", "--baseline", "/dev/zero"]] {
        sandbox.run(arguments).ends_with(2);
    }
}

/// The targets that are built, installed and checked for licences are the same.
#[test]
fn every_shipped_target_is_looked_at() {
    let text = |path: &str| std::fs::read_to_string(super::source("..").join(path)).expect("the file is there");
    let (release, install, deny) =
        (text(".github/workflows/release.yml"), text("action/install.sh"), text("deny.toml"));
    let shipped: Vec<&str> =
        release.lines().filter_map(|line| line.trim().strip_prefix("- { target: ")?.split(',').next()).collect();
    assert!(shipped.len() >= 5, "{shipped:?}");
    for target in shipped {
        assert!(deny.contains(&format!("\"{target}\"")), "deny.toml lacks {target}");
        assert!(install.contains(target), "install.sh lacks {target}");
    }
}

#[cfg(unix)]
#[test]
fn what_stands_behind_a_link_is_not_shown() {
    use std::os::unix::fs::symlink;
    let other = Sandbox::new();
    for (name, text) in [
        ("one", "hunter2:x:0:0:hunter2:/hunter2\nhunter2:x:1:1\n"),
        ("two", "hunter2: {hunter2: hunter2}\n"),
        ("three", "thresholds: {feature: hunter2}\nrules: {hunter2 hunter2: 3}\n"),
        ("four", "id: [hunter2, 'hunter2\n"),
        ("five", "- hunter2\n- *hunter2\n"),
        ("six", "id: wish\npurpose: hunter2\nen: hunter2\n"),
    ] {
        other.file(name, text);
        let sandbox = Sandbox::new();
        sandbox.file("t.md", READY);
        let links =
            ["cfg.yaml", "own/rules/a.yaml", "words/vocabulary/a.yaml", "patterns/a.yaml", "prompts/scoring_v1.txt"];
        for link in links {
            sandbox.file(link, "");
            std::fs::remove_file(sandbox.path(link)).expect("it was written");
            symlink(other.path(name), sandbox.path(link)).expect("a link");
        }
        sandbox.file("p.yaml", "guardrail: {pattern_folders: [patterns]}\n");
        for arguments in [
            &["rules", "test", "own"][..],
            &["rules", "test", "words"],
            &["score", "t.md", "--rules", "own"],
            &["score", "t.md", "--config", "cfg.yaml"],
            &["config", "--config", "cfg.yaml"],
            &["score", "t.md", "--config", "p.yaml"],
            &["score", "t.md", "--model", "openai/x", "--base-url", "http://127.0.0.1:9", "--prompts", "prompts"],
        ] {
            let ran = sandbox.run_with(arguments, &[KEY], "").ends_with(2);
            assert!(!format!("{ran:?}").contains("hunter2"), "{name} {arguments:?}: {ran:?}");
            assert!(ran.stderr.contains("a link to another folder"), "{name} {arguments:?}: {ran:?}");
        }
        let by_environment = sandbox.run_with(&["score", "t.md"], &[("GUARDRAIL_CONFIG_PATH", "cfg.yaml")], "");
        symlink(other.path(name), sandbox.path("reqgate-disputes.jsonl")).expect("a link");
        for ran in [by_environment, sandbox.run(&["score", "t.md"])] {
            let ran = ran.ends_with(2);
            assert!(!format!("{ran:?}").contains("hunter2"), "{name}: {ran:?}");
            assert!(ran.stderr.contains("a link to another folder"), "{name}: {ran:?}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_link_out_of_a_rules_folder_is_not_walked() {
    use std::os::unix::fs::symlink;
    let sandbox = Sandbox::new();
    sandbox.file("t.md", READY).file("own/policies/readme.txt", "");
    symlink("/", sandbox.path("own/rules")).expect("a link");
    let ran = sandbox.run(&["rules", "test", "own"]).ends_with(2);
    assert!(ran.stderr.contains("leads out of the rules folder"), "{ran:?}");
    symlink("/", sandbox.path("all")).expect("a link");
    sandbox.file("c.yaml", "rules_folders: [all]\n");
    for arguments in [&["rules", "test", "all"][..], &["score", "t.md", "--config", "c.yaml"]] {
        let started = std::time::Instant::now();
        sandbox.run(arguments).ends_with(2);
        assert!(started.elapsed().as_secs() < 20, "{arguments:?}: {:?}", started.elapsed());
    }
}
