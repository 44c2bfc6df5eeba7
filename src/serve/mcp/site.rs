//! Where a tool works, and what it may do there.

use crate::serve::Installation;

/// What the person who starts the server allows.
#[derive(Debug, Clone, Copy, Default)]
pub struct Settings {
    /// Answers of agents to questions for people are taken, and recorded as such.
    pub allow_answers: bool,
}

/// Where a tool works, and what it may do there.
#[derive(Clone, Copy)]
pub struct Site<'a> {
    /// The installation.
    pub installation: &'a dyn Installation,
    /// What is allowed.
    pub settings: Settings,
    /// The client can show a form to the person.
    pub shows_forms: bool,
}
