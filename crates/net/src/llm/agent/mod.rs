//! Coding agents as models: the command line of Claude Code, Codex, Gemini CLI or a user's own program answers a
//! question.
//!
//! An agent receives the same prompt as a model, in an empty folder and without tools. As a step of a workflow it works in a copy of a
//! folder, with the tools that the step allows ([`AgentWork`](super::AgentWork)). Its
//! answer is the last message that it prints. It passes the same checks as a model's answer, with the same retries,
//! breaker, cache and recording.
//!
//! | module | purpose |
//! |---|---|
//! | `program` | how each is called and read, from `config/agent-programs/` |
//! | `process` | deadline, output limit, and the end of all started processes |

mod process;
mod program;

use std::process::Command;
use std::time::Instant;

use super::provider::{Profile, Prompt};
use super::schema::without_list_bounds;
use super::{
    AskError, Chat, ChatError, ChatReply, ChatRequest, Fault, FinishReason, ModelSettings, Preview, Structured,
};
use process::{Ended, run};
use program::Program;
use reqgate_base::clean::short_line;
use reqgate_base::files::{self, Readers};

/// The name of the file with the schema of the answer.
const SCHEMA: &str = "schema.json";
/// The longest argument, in bytes; Linux accepts 128 KiB.
const LONGEST_ARGUMENT: usize = 120_000;
/// The longest message about a failure, in characters.
const LONGEST_MESSAGE: usize = 300;

/// Answers requests through the command line of a coding agent.
pub struct AgentRunner {
    program: Program,
    profile: &'static Profile,
    settings: ModelSettings,
}

impl AgentRunner {
    /// Creates the runner of the agent that the settings name.
    ///
    /// # Errors
    /// Returns [`AskError::Configuration`] if the agent is unknown.
    pub(crate) fn new(settings: &ModelSettings) -> Result<Self, AskError> {
        let program = Program::named(settings.model.name(), settings.agents.as_deref())?;
        if settings.work.is_some() && program.work_arguments.is_none() {
            let id = &program.id;
            let what = format!("the agent `{id}` cannot work in a folder: its file has no `work_arguments`");
            return Err(AskError::configuration(what));
        }
        Ok(Self { program, profile: Profile::of(settings), settings: settings.clone() })
    }

    /// The arguments and the input of a call.
    fn filled(&self, request: &ChatRequest, schema: &str, files: &str) -> (Vec<String>, Option<String>) {
        let prompt = self.profile.prompt(request);
        let tools = self.settings.work.as_ref().map(|work| work.tools.join(",")).unwrap_or_default();
        let fill = |text: &String| filled(text, &prompt, (schema, &tools), files);
        let arguments = match (&self.settings.work, &self.program.work_arguments) {
            (Some(_), Some(own)) => own,
            _ => &self.program.arguments,
        };
        (arguments.iter().map(fill).collect(), self.program.stdin.as_ref().map(fill))
    }

    fn rejected(&self, what: impl std::fmt::Display) -> ChatError {
        ChatError::new(Fault::Rejected, short_line(&format!("`{}`: {what}", self.program.program), LONGEST_MESSAGE))
    }

    fn failed(&self, fault: Fault, what: &str) -> ChatError {
        ChatError::new(fault, short_line(&format!("`{}` {what}", self.program.program), LONGEST_MESSAGE))
    }
}

/// The schema in the form that agents accept.
fn schema_of(request: &ChatRequest) -> String {
    without_list_bounds(&request.schema).to_string()
}

/// Fills in the placeholders of a text; inserted values are not searched for placeholders. `files` is the folder of the
/// files that the program needs.
fn filled(text: &str, prompt: &Prompt<'_>, (schema, tools): (&str, &str), files: &str) -> String {
    let schema_file = format!("{files}/{SCHEMA}");
    let values = [
        ("{system}", prompt.system.as_str()),
        ("{prompt}", &prompt.user),
        ("{schema}", schema),
        ("{schema_file}", &schema_file),
        ("{files}", files),
        ("{tools}", tools),
    ];
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('{') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        match values.iter().find(|(place, _)| rest.starts_with(place)) {
            Some((place, value)) => {
                out.push_str(value);
                rest = &rest[place.len()..];
            }
            None => {
                out.push('{');
                rest = &rest[1..];
            }
        }
    }
    out + rest
}

impl Chat for AgentRunner {
    fn exchange(&self, request: &ChatRequest, until: Instant) -> Result<ChatReply, ChatError> {
        let folder = files::temporary_folder("reqgate-agent-", None).map_err(|error| self.rejected(error))?;
        let (work, beside) = (folder.path().join("work"), folder.path().join("files"));
        let schema = schema_of(request);
        let own = self.program.files.iter().map(|(name, text)| (name.as_str(), text.as_str()));
        let prepared = [&work, &beside].into_iter().try_for_each(std::fs::create_dir).and_then(|()| {
            own.chain([(SCHEMA, schema.as_str())])
                .try_for_each(|(name, text)| files::write(&beside.join(name), text.as_bytes(), Readers::Owner))
        });
        prepared.map_err(|error| self.rejected(error))?;
        let (arguments, input) = self.filled(request, &schema, &beside.to_string_lossy());
        if arguments.iter().any(|argument| argument.len() > LONGEST_ARGUMENT) {
            return Err(self.rejected("the order is too long for an argument: pass {prompt} by `stdin`"));
        }
        let mut command = Command::new(&self.program.program);
        let place = self.settings.work.as_ref().map_or(&work, |work| &work.folder);
        command.args(arguments).current_dir(place).env_clear();
        command.envs(std::env::vars_os().filter(|(name, _)| name.to_str().is_some_and(|name| self.program.gets(name))));
        let until = until.min(Instant::now() + self.settings.timeout);
        let ended =
            run(command, input.as_deref(), until, self.settings.max_reply_bytes).map_err(|error| {
                match error.kind() {
                    std::io::ErrorKind::NotFound => {
                        self.rejected("the program was not found: install it, or set the path")
                    }
                    _ => self.rejected(error),
                }
            })?;
        let (code, output, complaint) = match ended {
            Ended::TooLong => return Err(self.failed(Fault::Timeout, "did not end in time and was ended")),
            Ended::TooMuch => return Err(self.failed(Fault::TooLarge, "printed more than it may and was ended")),
            Ended::Exited { code, output, complaint } => (code, output, complaint),
        };
        let said = self.program.read(&String::from_utf8_lossy(&output));
        if code != Some(0) {
            let code = code.map_or("a signal".to_owned(), |code| format!("exit code {code}"));
            let last = complaint.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default().to_owned();
            return Err(self.failed(Fault::Unavailable, &format!("ended with {code}: {}", said.error.unwrap_or(last))));
        }
        if let Some(error) = said.error {
            return Err(self.failed(Fault::Unavailable, &format!("failed: {error}")));
        }
        let text = said.message.ok_or_else(|| self.failed(Fault::Malformed, "printed no last message"))?;
        let model = request.model.name().to_owned();
        Ok(ChatReply { text, finish_reason: FinishReason::Stop, usage: said.usage, model })
    }

    fn preview(&self, request: &ChatRequest) -> Option<Preview> {
        let (arguments, input) = self.filled(request, &schema_of(request), "files");
        let body = serde_json::json!({ "arguments": arguments, "stdin": input });
        Some(Preview { url: self.program.program.clone(), headers: Vec::new(), body })
    }

    /// The file of the program. It is part of the cache key, because another program, or other arguments, can give
    /// another answer.
    fn at(&self) -> &str {
        &self.program.text
    }

    /// The prompt always contains the schema, so an agent has only one way to be asked.
    fn below(&self, _: Structured) -> Option<Structured> {
        None
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests;
