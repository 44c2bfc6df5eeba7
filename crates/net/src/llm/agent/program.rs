//! The description of a coding agent's command line and output: the files of `config/agent-programs/`, and the user's
//! own.

use std::collections::BTreeMap;
use std::path::Path;

use garde::Validate;
use serde::Deserialize;
use serde_json::Value;

use crate::llm::{AskError, Usage};
use reqgate_base::files;
use reqgate_base::yaml;

/// The programs that are shipped.
const SHIPPED: [(&str, &str); 3] = [
    ("claude", include_str!("../../../../../config/agent-programs/claude.yaml")),
    ("codex", include_str!("../../../../../config/agent-programs/codex.yaml")),
    ("gemini", include_str!("../../../../../config/agent-programs/gemini.yaml")),
];

/// Variables that every program receives (paths, language, proxies and certificates); a final `*` matches any text.
const ENVIRONMENT: [&str; 30] = [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "TMPDIR",
    "TZ",
    "LANG",
    "LC_*",
    "XDG_*",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "NODE_EXTRA_CA_CERTS",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "ALL_PROXY",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "all_proxy",
    "SystemRoot",
    "SystemDrive",
    "ComSpec",
    "PATHEXT",
    "TEMP",
    "TMP",
    "USERPROFILE",
    "APPDATA",
    "LOCALAPPDATA",
    "PROGRAMDATA",
];
/// Variables that the session of a calling agent sets for its child processes and that would change the behaviour of
/// another agent. Only a program whose file names one of them exactly receives it.
const OF_A_SESSION: [&str; 25] = [
    "CLAUDECODE",
    "CLAUDE_CODE_CHILD_SESSION",
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_CODE_EXECPATH",
    "CLAUDE_CODE_SESSION_ID",
    "CLAUDE_CODE_SSE_PORT",
    "CODEX_CI",
    "CODEX_INTERNAL_ORIGINATOR_OVERRIDE",
    "CODEX_MANAGED_PACKAGE_ROOT",
    "CODEX_SANDBOX",
    "CODEX_SANDBOX_NETWORK_DISABLED",
    "CODEX_SESSION_ID",
    "CODEX_THREAD_ID",
    "GEMINI_CLI",
    "GEMINI_CLI_IDE_AUTH_TOKEN",
    "GEMINI_CLI_IDE_PID",
    "GEMINI_CLI_IDE_SERVER_PORT",
    "GEMINI_CLI_IDE_SERVER_STDIO_ARGS",
    "GEMINI_CLI_IDE_SERVER_STDIO_COMMAND",
    "GEMINI_CLI_IDE_WORKSPACE_PATH",
    "GEMINI_CLI_NO_RELAUNCH",
    "GEMINI_CWD",
    "GEMINI_PLANS_DIR",
    "GEMINI_PROJECT_DIR",
    "GEMINI_SESSION_ID",
];

/// The description of a program.
#[derive(Debug, Clone, Deserialize, Validate)]
#[serde(deny_unknown_fields)]
#[garde(allow_unvalidated)]
pub(super) struct Program {
    /// The name after `agent/`, which is also the name of the file.
    #[garde(length(min = 1))]
    pub id: String,
    /// The command: a name that is searched on the path, or a path.
    #[garde(length(min = 1))]
    pub program: String,
    /// The arguments, in which `{system}` (instructions and schema), `{prompt}` (the data), `{schema}`, `{schema_file}`
    /// and `{files}` are replaced.
    pub arguments: Vec<String>,
    /// The arguments of an agent that works in a folder of a step, in which `{tools}` is replaced by the allowed tools too. Without
    /// them, the agent cannot be such a step.
    #[serde(default)]
    pub work_arguments: Option<Vec<String>>,
    /// The standard input, with the same replacements as the arguments; empty if it is left out.
    #[serde(default)]
    pub stdin: Option<String>,
    /// Files that the program needs, by name, in a separate folder: `{files}`.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// Environment variables beyond the usual ones; a final `*` matches any text.
    #[serde(default)]
    pub environment: Vec<String>,
    /// The place of the last message.
    pub message: Place,
    /// The place of the error message.
    #[serde(default)]
    pub error: Option<Place>,
    /// The places of the numbers of used tokens.
    #[serde(default)]
    pub usage: UsagePlaces,
    /// Example outputs with their expected results.
    #[serde(default)]
    #[cfg_attr(not(test), expect(dead_code, reason = "a test reads them"))]
    pub examples: Vec<Example>,
    /// The text of the file that describes the program.
    #[serde(skip)]
    pub text: String,
}

/// A place in the objects that a program prints; the last object with this place counts.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Place {
    /// The values, by JSON pointers, that identify such an object.
    #[serde(default, rename = "where")]
    conditions: BTreeMap<String, Value>,
    /// JSON pointers, of which the first existing one counts.
    at: Vec<String>,
}

/// JSON pointers to numbers of tokens, which are added; `*` matches every field of an object.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct UsagePlaces {
    input: Vec<String>,
    output: Vec<String>,
}

/// An example output and its expected result.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(test), expect(dead_code, reason = "a test reads them"))]
pub(super) struct Example {
    pub output: String,
    #[serde(default)]
    pub message: Option<String>,
    #[serde(default)]
    pub error: Option<String>,
    #[serde(default)]
    pub tokens: Option<(u64, u64)>,
}

/// The result of reading a program's output.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct ProgramOutput {
    /// The last message of the program.
    pub message: Option<String>,
    /// The error message of the program, if it failed.
    pub error: Option<String>,
    /// The tokens that the program used.
    pub usage: Usage,
}

impl Program {
    /// Finds a program by name: the user's own in `folder`, or else a shipped one.
    ///
    /// # Errors
    /// Returns [`AskError::Configuration`] if it does not exist or its file is not valid.
    pub(super) fn named(name: &str, folder: Option<&Path>) -> Result<Self, AskError> {
        let own = folder.map(|folder| folder.join(format!("{name}.yaml"))).filter(|path| path.exists());
        let (place, text) = match (&own, SHIPPED.iter().find(|(id, _)| *id == name)) {
            (Some(path), _) => {
                let place = path.display().to_string();
                let text = files::text(path, files::SETTINGS)
                    .map_err(|error| AskError::configuration(format!("reading {place}: {error}")))?;
                (place, text)
            }
            (None, Some((id, text))) => (format!("agent {id}"), (*text).to_owned()),
            (None, None) => {
                let known: Vec<&str> = SHIPPED.iter().map(|(id, _)| *id).collect();
                return Err(AskError::configuration(format!(
                    "there is no agent `{name}`: use {}, or set REQGATE_AGENTS to a folder with {name}.yaml",
                    known.join(", ")
                )));
            }
        };
        let wrong = |what: String| AskError::configuration(format!("{place}: {what}"));
        let program: Self = yaml::read_valid(&text).map_err(|error| wrong(error.to_string()))?;
        match program.id == name {
            true => Ok(Self { text, ..program }),
            false => Err(wrong(format!("its id is `{}`: write {name}", program.id))),
        }
    }

    /// Returns true if the program receives a variable of this name.
    pub(super) fn gets(&self, variable: &str) -> bool {
        let is = |pattern: &str| match pattern.strip_suffix('*') {
            Some(start) => variable.starts_with(start),
            None => variable == pattern,
        };
        let own = || self.environment.iter().map(String::as_str);
        own().any(|name| name == variable)
            || !OF_A_SESSION.contains(&variable) && ENVIRONMENT.iter().copied().chain(own()).any(is)
    }

    /// Reads the output of the program.
    pub(super) fn read(&self, output: &str) -> ProgramOutput {
        let mut said = ProgramOutput::default();
        let mut usage = None;
        for object in objects(output) {
            said.message = self.message.text_in(&object).or(said.message);
            said.error = self.error.as_ref().and_then(|error| error.text_in(&object)).or(said.error);
            let sum = |pointers: &[String]| {
                let numbers = pointers.iter().flat_map(|pointer| numbers_at(&object, pointer));
                numbers.reduce(u64::saturating_add)
            };
            let (input, output) = (sum(&self.usage.input), sum(&self.usage.output));
            if input.is_some() || output.is_some() {
                usage = Some(Usage { input_tokens: input.unwrap_or(0), output_tokens: output.unwrap_or(0) });
            }
        }
        said.usage = usage.unwrap_or_default();
        said
    }
}

impl Place {
    fn text_in(&self, object: &Value) -> Option<String> {
        let is_met = self.conditions.iter().all(|(pointer, value)| object.pointer(pointer) == Some(value));
        let found = self.at.iter().filter(|_| is_met).find_map(|pointer| match object.pointer(pointer)? {
            Value::Null => None,
            Value::String(text) => Some(text.clone()),
            other => Some(other.to_string()),
        });
        found.filter(|text| !text.is_empty())
    }
}

/// The JSON objects that begin a line of an output, each over any number of lines; other lines are notices.
fn objects(output: &str) -> Vec<Value> {
    let (mut found, mut rest) = (Vec::new(), output);
    while !rest.is_empty() {
        let mut next = rest.find('\n').map_or(rest.len(), |end| end + 1);
        if rest.trim_start_matches([' ', '\t']).starts_with('{') {
            let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
            if let Some(Ok(value)) = values.next() {
                next = values.byte_offset();
                found.push(value);
            }
        }
        rest = &rest[next..];
    }
    found
}

fn numbers_at(value: &Value, pointer: &str) -> Vec<u64> {
    let mut here = vec![value];
    for name in pointer.split('/').skip(1) {
        here = here
            .into_iter()
            .flat_map(|value| match (value, name) {
                (Value::Object(fields), "*") => fields.values().collect(),
                (value, name) => value.get(name).into_iter().collect::<Vec<_>>(),
            })
            .collect();
    }
    here.into_iter().filter_map(Value::as_u64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_of_a_shipped_program_is_read() {
        for (id, _) in SHIPPED {
            let program = Program::named(id, None).expect("it is valid");
            assert!(program.examples.len() > 1, "{id}");
            for example in &program.examples {
                let said = program.read(&example.output);
                if example.error.is_none() {
                    assert_eq!(said.message, example.message, "{id}");
                }
                assert_eq!(said.error, example.error, "{id}: {}", example.output);
                if let Some((input_tokens, output_tokens)) = example.tokens {
                    assert_eq!(said.usage, Usage { input_tokens, output_tokens }, "{id}");
                }
            }
            assert!(program.arguments.iter().chain(&program.stdin).any(|text| text.contains("{prompt}")), "{id}");
            assert!(program.arguments.iter().chain(&program.stdin).any(|text| text.contains("{system}")), "{id}");
        }
    }

    #[test]
    fn an_agent_is_told_to_work_without_tools() {
        for (id, switches) in [
            ("claude", &["--tools", "--strict-mcp-config"][..]),
            ("codex", &["--disable=shell_tool", "--disable=unified_exec", "--config=web_search=\"disabled\""]),
            ("gemini", &["--admin-policy", "{files}/no-tools.toml"]),
        ] {
            let program = Program::named(id, None).expect("it is valid");
            for switch in switches {
                assert!(program.arguments.iter().any(|argument| argument == switch), "{id}: {switch}");
            }
        }
    }

    #[test]
    fn an_agent_gets_no_variable_of_the_session_that_called_us_and_no_key_of_another() {
        let claude = Program::named("claude", None).expect("it is valid");
        for given in ["PATH", "HOME", "LC_ALL", "ANTHROPIC_API_KEY", "HTTPS_PROXY"] {
            assert!(claude.gets(given), "{given}");
        }
        for login in ["CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CODE_USE_BEDROCK", "AWS_REGION", "CLAUDE_CODE_USE_VERTEX"] {
            assert!(claude.gets(login), "{login}");
        }
        for kept in ["CLAUDE_CODE_ENTRYPOINT", "CLAUDECODE", "OPENAI_API_KEY", "GITHUB_TOKEN", "JIRA_TOKEN", "PATHS"] {
            assert!(!claude.gets(kept), "{kept}");
        }
        for (id, given, kept) in [
            ("codex", "CODEX_API_KEY", "CODEX_THREAD_ID"),
            ("codex", "CODEX_HOME", "CODEX_SANDBOX"),
            ("gemini", "GEMINI_API_KEY", "GEMINI_CLI"),
            ("gemini", "GEMINI_CLI_HOME", "GEMINI_CLI_IDE_SERVER_PORT"),
        ] {
            let program = Program::named(id, None).expect("it is valid");
            assert!(program.gets(given) && !program.gets(kept), "{id}: {given}, {kept}");
        }
        let with = |name: &str| Program { environment: vec![name.to_owned()], ..claude.clone() };
        assert!(!with("CLAUDE_*").gets("CLAUDE_CODE_SSE_PORT"));
        assert!(with("CLAUDE_CODE_SSE_PORT").gets("CLAUDE_CODE_SSE_PORT"), "somebody wants exactly that");
    }

    #[test]
    fn a_program_of_ones_own_comes_first_and_a_wrong_one_is_refused_with_the_remedy() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("it is written");
        write("claude.yaml", "id: claude\nprogram: mine\narguments: []\nmessage: {at: [/x]}\n");
        write("other.yaml", "id: x\nprogram: mine\narguments: []\nmessage: {at: [/x]}\n");
        write("more.yaml", "id: more\nprogram: mine\nshell: yes\narguments: []\nmessage: {at: [/x]}\n");
        let named = |name: &str| Program::named(name, Some(folder.path()));
        assert_eq!(named("claude").expect("it is valid").program, "mine");
        for (name, told) in [("other", "write other"), ("more", "shell"), ("none", "use claude, codex, gemini, or set")]
        {
            let error = named(name).expect_err(name).to_string();
            assert!(error.contains(told), "{error}");
        }
    }

    #[test]
    fn hostile_output_is_read_in_linear_time() {
        let program = Program::named("codex", None).expect("it is valid");
        for output in
            ["{".repeat(100_000), "{\n".repeat(60_000), "{\"a\":[{},\n".repeat(10_000), "{\"a\":1}\n".repeat(100_000)]
        {
            let start = std::time::Instant::now();
            assert_eq!(program.read(&output).message, None);
            assert!(start.elapsed().as_secs() < 10);
        }
    }
}
