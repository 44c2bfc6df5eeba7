//! Who calls a tool, what they may do, and where it works.

use std::time::Duration;

use crate::Installation;

/// The name under which an agent's submissions and answers are recorded: an agent is never the person.
pub(super) const AGENT: &str = "mcp-agent";

/// What a caller may do; each right includes the ones before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Right {
    /// Judge texts, look at threads.
    Read,
    /// Start threads and submit results of orders.
    Write,
    /// Have a person answer questions by a form of their client.
    Answer,
}

/// Who calls, and what whoever runs the server allows them.
#[derive(Debug, Clone)]
pub struct Caller {
    /// The person in whose name threads are started and forms are answered.
    pub person: String,
    /// The name under which results of orders are recorded.
    pub agent: String,
    /// What they may do.
    pub right: Right,
    /// Answers of agents to questions for people are taken, and recorded as such.
    pub allow_answers: bool,
    /// They work in the same folder: files are named by their paths, and commands can be run there.
    pub shares_folder: bool,
    /// The address at which people answer questions in a browser, if there is one; the id of a question follows it.
    pub inbox: Option<String>,
    /// How long a call waits for another that works on the same thread.
    pub patience: Duration,
    /// Takes faults of the installation, of which the caller then reads nothing; without it, the caller reads them.
    pub log: Option<fn(&str)>,
}

impl Caller {
    /// The person who runs the server, on their own machine.
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

    /// A program or person who is known by a token of this name.
    pub fn with_token(name: String, right: Right) -> Self {
        let agent = format!("{AGENT} ({name})");
        Self { agent, right, shares_folder: false, ..Self::of_machine(name) }
    }

    /// The words of a fault of the installation for the caller.
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

/// Where a tool works, and for whom.
#[derive(Clone, Copy)]
pub struct Site<'a> {
    /// The installation.
    pub installation: &'a dyn Installation,
    /// Who calls.
    pub caller: &'a Caller,
    /// The client can show a form to the person, who may answer.
    pub shows_forms: bool,
}
