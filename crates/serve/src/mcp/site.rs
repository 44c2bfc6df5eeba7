//! The caller of a tool, their rights, and the installation in which it works.

use std::time::Duration;

use crate::Installation;

/// The name under which an agent's submissions and answers are recorded, so that an agent never appears as the person.
pub(super) const AGENT: &str = "mcp-agent";

/// The rights of a caller; each right includes the ones before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Right {
    /// Judge texts and read threads.
    Read,
    /// Start threads and submit results of orders.
    Write,
    /// Let a person answer questions in a form of their client.
    Answer,
}

/// The caller and their rights, as set by the person who runs the server.
#[derive(Debug, Clone)]
pub struct Caller {
    /// The person in whose name threads are started and forms are answered.
    pub person: String,
    /// The name under which results of orders are recorded.
    pub agent: String,
    /// The rights of the caller.
    pub right: Right,
    /// Answers of agents to questions for people are accepted, and recorded as such.
    pub allow_answers: bool,
    /// The caller works in the same folder: files are named by their paths, and commands can be run there.
    pub shares_folder: bool,
    /// The address at which people answer questions in a browser, if there is one; the id of a question is appended.
    pub inbox: Option<String>,
    /// The time that a call waits for another one that works on the same thread.
    pub patience: Duration,
    /// Logs faults of the installation, which are then hidden from the caller; `None` shows them to the caller.
    pub log: Option<fn(&str)>,
}

impl Caller {
    /// The person who runs the server on their own machine.
    pub fn of_machine(person: String) -> Self {
        Self {
            person,
            agent: AGENT.to_owned(),
            right: Right::Answer,
            allow_answers: false,
            shares_folder: true,
            inbox: None,
            patience: Duration::ZERO,
            log: None,
        }
    }

    /// A program or person with a token of this name.
    #[cfg(feature = "service")]
    pub(crate) fn with_token(name: String, right: Right) -> Self {
        let agent = format!("{AGENT} ({name})");
        Self { agent, right, shares_folder: false, ..Self::of_machine(name) }
    }

    /// The text of an installation fault that the caller may read.
    pub(super) fn told(&self, fault: String) -> String {
        match self.log {
            None => fault,
            Some(log) => {
                log(&fault);
                "the service could not do it: see its log".to_owned()
            }
        }
    }
}

/// The installation and the caller of a tool.
#[derive(Clone, Copy)]
pub(super) struct Site<'a> {
    pub(crate) installation: &'a dyn Installation,
    /// The caller of the tool.
    pub caller: &'a Caller,
    /// The client can show a form to the person, who may answer.
    pub shows_forms: bool,
}
