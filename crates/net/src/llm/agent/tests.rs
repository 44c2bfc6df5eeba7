//! Tests with scripts in place of an agent's program, each of which misbehaves in one way.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use garde::Validate;
use schemars::JsonSchema;
use serde::Deserialize;
use tempfile::TempDir;

use crate::llm::{AgentWork, AskError, BreakerState, Model, ModelSettings, Question, RetryPolicy};

#[derive(Debug, PartialEq, Deserialize, JsonSchema, Validate)]
struct Level {
    /// The level.
    #[garde(range(max = 9))]
    level: u32,
}

/// A folder with an agent `stand-in` that runs a script.
struct Bench {
    folder: TempDir,
}

const LAST: &str =
    r#"printf '%s\n' '{"type":"result","result":"{\"level\": 3}","usage":{"input_tokens":11,"output_tokens":7}}'"#;

impl Bench {
    fn new(script: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let program = folder.path().join("program");
        fs::write(&program, format!("#!/bin/sh\nHERE='{}'\n{script}\n", folder.path().display()))
            .expect("it is written");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("it is executable");
        let agent = format!(
            "id: stand-in\nprogram: {}\narguments: [\"{{system}}\", \"{{schema_file}}\", \"{{schema}}\"]\nstdin: \"{{prompt}}\"\n\
             environment: [STAND_IN]\nmessage: {{where: {{/type: result}}, at: [/result]}}\nerror: {{at: [/error]}}\n\
             usage: {{input: [/usage/input_tokens], output: [/usage/output_tokens]}}\n",
            program.display()
        );
        fs::write(folder.path().join("stand-in.yaml"), agent).expect("it is written");
        Self { folder }
    }

    fn settings(&self) -> ModelSettings {
        ModelSettings {
            agents: Some(self.folder.path().to_owned()),
            retry: RetryPolicy { tries: 1, base: Duration::ZERO, most: Duration::ZERO },
            ..ModelSettings::new("agent/stand-in".parse().expect("a name"))
        }
    }

    fn ask(&self, settings: ModelSettings) -> Result<Level, AskError> {
        ask(&Model::new(settings).expect("they are valid"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    /// Returns true if the process whose number the script has written still exists a while later. A process that was
    /// not reaped does not count.
    fn lives(&self, name: &str) -> bool {
        let until = Instant::now() + Duration::from_secs(5);
        while self.is_there(name) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(5));
        }
        self.is_there(name)
    }

    fn is_there(&self, name: &str) -> bool {
        let number = self.read(name);
        assert!(!number.trim().is_empty(), "the script did not get that far");
        let stat = fs::read_to_string(format!("/proc/{}/stat", number.trim())).unwrap_or_default();
        stat.rsplit(')').next().is_some_and(|rest| !rest.is_empty() && !rest.trim_start().starts_with(['Z', 'X']))
    }
}

fn ask(model: &Model) -> Result<Level, AskError> {
    let question = Question {
        id: "test_v1".to_owned(),
        instructions: "Judge {prompt}.".to_owned(),
        data: "the {system} text".to_owned(),
        ..Question::default()
    };
    model.ask(&question).map(|answer| answer.value)
}

#[test]
fn the_last_message_is_the_answer_and_the_program_gets_prompt_shape_and_an_empty_folder() {
    let bench = Bench::new(&format!(
        "printf '%s' \"$1\" > $HERE/system\ncat > $HERE/prompt\ncat \"$2\" > $HERE/schema\nls -A > $HERE/list\npwd > $HERE/folder\nenv > $HERE/env\n\
         echo 'a notice'\n{LAST}\necho done >&2"
    ));
    let model = Model::new(bench.settings()).expect("they are valid");
    assert_eq!(ask(&model), Ok(Level { level: 3 }));
    assert_eq!((model.spent().usage.input_tokens, model.spent().usage.output_tokens), (11, 7));
    // Placeholders are replaced once; inserted text is not searched for placeholders.
    assert!(bench.read("system").starts_with("Judge {prompt}.") && bench.read("system").contains("JSON Schema"));
    assert_eq!(bench.read("prompt"), "the {system} text");
    assert!(bench.read("schema").contains("\"level\""));
    assert_eq!(bench.read("list"), "");
    assert!(!PathBuf::from(bench.read("folder").trim()).exists(), "the folder is gone");
    let given: Vec<String> =
        bench.read("env").lines().filter_map(|line| Some(line.split_once('=')?.0.to_owned())).collect();
    assert!(
        given.iter().any(|name| name == "PATH") && !given.iter().any(|name| name.starts_with("CARGO")),
        "{given:?}"
    );
}

#[test]
fn what_another_program_answered_is_not_its_answer() {
    let bench = Bench::new(&format!("cat $3 > $HERE/own 2>/dev/null\necho x >> $HERE/runs\n{LAST}"));
    let cache = tempfile::tempdir().expect("a folder");
    let settings = ModelSettings { cache: Some(cache.path().to_owned()), ..bench.settings() };
    for _ in 0..2 {
        assert_eq!(bench.ask(settings.clone()), Ok(Level { level: 3 }));
    }
    assert_eq!(bench.read("runs").lines().count(), 1, "the second answer is from the cache");
    let file = bench.path("stand-in.yaml");
    let text = fs::read_to_string(&file).expect("it was written");
    let text = text.replace("\"{schema}\"]", "\"{files}/own.txt\"]") + "files: { own.txt: its own }\n";
    fs::write(&file, text).expect("it is written");
    assert_eq!(bench.ask(settings), Ok(Level { level: 3 }));
    assert_eq!(bench.read("runs").lines().count(), 2, "another program, or the same one in another way");
    assert_eq!(bench.read("own"), "its own");
}

#[test]
fn a_preview_has_the_shape_that_is_sent() {
    let bench = Bench::new(LAST);
    let model = Model::new(bench.settings()).expect("they are valid");
    let question = Question { id: "test_v1".to_owned(), ..Question::default() };
    #[derive(JsonSchema)]
    struct Levels {
        #[schemars(length(max = 3))]
        #[expect(dead_code, reason = "only its shape is asked for")]
        levels: Vec<u32>,
    }
    let body = model.preview::<Levels>(&question).body;
    let schema = body["arguments"][2].as_str().expect("a text");
    assert!(schema.contains("levels") && !schema.contains("maxItems"), "{schema}");
}

#[test]
fn a_wrong_shape_is_asked_for_again_with_what_is_wrong() {
    let bench = Bench::new(&format!(
        "cat > $HERE/prompt\nif [ ! -e $HERE/asked ]; then touch $HERE/asked; echo '{{\"type\":\"result\",\"result\":\"{{\\\"level\\\": 30}}\"}}'; else {LAST}; fi"
    ));
    assert_eq!(bench.ask(bench.settings()), Ok(Level { level: 3 }));
    assert!(bench.read("prompt").contains("Your last answer was not valid") && bench.read("prompt").contains("level"));
}

#[test]
fn a_program_that_does_not_end_is_ended_with_everything_that_it_started() {
    for (name, script) in [
        ("sleeps", "sleep 300 & echo $! > $HERE/child; echo $$ > $HERE/leader; sleep 300"),
        (
            "ignores TERM",
            "trap '' TERM; (trap '' TERM; while :; do sleep 1; done) & echo $! > $HERE/child; echo $$ > $HERE/leader; while :; do sleep 1; done",
        ),
    ] {
        let bench = Bench::new(script);
        let start = Instant::now();
        let settings = ModelSettings { timeout: Duration::from_millis(700), ..bench.settings() };
        let error = bench.ask(settings).expect_err(name);
        assert!(matches!(error, AskError::Timeout { .. }), "{name}: {error}");
        assert!(start.elapsed() < Duration::from_secs(8), "{name}: {:?}", start.elapsed());
        assert!(!bench.lives("leader") && !bench.lives("child"), "{name}: a process is left");
    }
}

#[test]
fn nothing_is_left_of_a_program_that_ends_well() {
    let bench = Bench::new(&format!("(trap '' TERM HUP; exec sleep 300) & echo $! > $HERE/child\n{LAST}"));
    let start = Instant::now();
    assert_eq!(bench.ask(bench.settings()), Ok(Level { level: 3 }));
    assert!(start.elapsed() < Duration::from_secs(5), "its child held nothing open: {:?}", start.elapsed());
    assert!(!bench.lives("child"));
}

#[test]
fn every_bad_end_has_its_name() {
    let cases: [(&str, &str); 8] = [
        ("echo garbage; echo '{\"type\":\"other\"}'", "unexpected format: `"),
        ("printf '\\377\\376{'; exit 0", "printed no last message"),
        ("echo '[1]' >&2; echo 'no key is set' >&2; exit 3", "ended with exit code 3: no key is set"),
        ("echo '{\"error\":\"quota\"}'; exit 0", "failed: quota"),
        ("kill -9 $$", "ended with a signal"),
        ("printf '\\033[2J\\007evil\\n' >&2; exit 1", "exit code 1: "),
        ("yes 0123456789 | head -c 3000000; sleep 300", "larger than 100000 bytes"),
        ("echo '{\"type\":\"result\",\"result\":\"no JSON\"}'", "not valid in 3 attempts"),
    ];
    for (script, told) in cases {
        let bench = Bench::new(script);
        let settings = ModelSettings { max_reply_bytes: 100_000, timeout: Duration::from_secs(20), ..bench.settings() };
        let error = bench.ask(settings).expect_err(script).to_string();
        assert!(error.contains(told), "{script}: {error}");
        assert!(!error.contains(char::is_control), "{error:?}");
    }
}

#[test]
fn a_program_that_is_not_there_is_said_once() {
    let bench = Bench::new(LAST);
    fs::remove_file(bench.path("program")).expect("it was there");
    let error = bench.ask(bench.settings()).expect_err("it is gone").to_string();
    assert!(error.contains("the program was not found: install it"), "{error}");
    let unknown = ModelSettings::new("agent/nobody".parse().expect("a name"));
    let error = Model::new(unknown).err().expect("there is none").to_string();
    assert!(error.contains("use claude, codex, gemini"), "{error}");
}

#[test]
fn each_program_has_a_breaker_of_its_own() {
    let bench = Bench::new("echo x >> $HERE/runs; exit 1");
    let cache = tempfile::tempdir().expect("a folder");
    let settings = ModelSettings { cache: Some(cache.path().to_owned()), ..bench.settings() };
    for _ in 0..settings.breaker.failures {
        assert!(matches!(bench.ask(settings.clone()), Err(AskError::Unavailable { .. })));
    }
    // Another process would find the breaker open, because its state is a file.
    assert!(matches!(bench.ask(settings.clone()), Err(AskError::BreakerOpen { .. })));
    assert_eq!(bench.read("runs").lines().count(), settings.breaker.failures as usize);
    let state: BreakerState = Model::new(settings.clone()).expect("they are valid").breaker();
    assert_eq!((state.model.as_str(), state.host.as_str()), ("agent/stand-in", "this machine"));
    let other = ModelSettings { model: "agent/claude".parse().expect("a name"), ..settings };
    assert_eq!(Model::new(other).expect("they are valid").breaker().failures, 0);
}

#[test]
fn agents_have_five_minutes_and_no_address() {
    let bench = Bench::new(LAST);
    assert_eq!(bench.settings().timeout, Duration::from_secs(300));
    let addressed = ModelSettings { base_url: Some("http://localhost:1/v1".to_owned()), ..bench.settings() };
    assert!(Model::new(addressed).is_err());
}

#[test]
fn as_a_step_an_agent_works_in_its_folder_with_the_tools_of_the_step() {
    let bench = Bench::new(&format!("pwd > $HERE/place; printf '%s' \"$1\" > $HERE/tools; {LAST}"));
    let work = AgentWork { folder: bench.path("work"), tools: vec!["Read".to_owned(), "Bash(git log:*)".to_owned()] };
    fs::create_dir(&work.folder).expect("a folder");
    let settings = |work: &AgentWork| ModelSettings { work: Some(work.clone()), ..bench.settings() };
    let refused = Model::new(settings(&work)).err().expect("no arguments for it").to_string();
    assert!(refused.contains("work_arguments"), "{refused}");
    let file = bench.path("stand-in.yaml");
    let text = fs::read_to_string(&file).expect("the agent") + "work_arguments: [\"{tools}\"]\n";
    fs::write(&file, text).expect("it is written");
    assert_eq!(bench.ask(settings(&work)).expect("an answer").level, 3);
    assert_eq!(bench.read("tools"), "Read,Bash(git log:*)");
    assert!(bench.read("place").trim().ends_with("/work"), "{}", bench.read("place"));
    let odd = AgentWork { tools: vec!["--dangerous".to_owned()], ..work.clone() };
    assert!(Model::new(settings(&odd)).is_err());
    let model = ModelSettings { work: Some(work), ..ModelSettings::new("ollama/x".parse().expect("a name")) };
    assert!(Model::new(model).is_err(), "only an agent works in a folder");
}
