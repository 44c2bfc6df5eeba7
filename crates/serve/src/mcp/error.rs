//! Errors of tools in the form that agents read: a code, the problem, and the next call.

use std::fmt;

use super::site::Caller;
use reqgate_base::clean;
use reqgate_guardrail::without_secrets;

/// The reason why a tool failed: an error for the agent, who can call again.
#[derive(Debug)]
pub(super) struct ToolError {
    code: &'static str,
    what: String,
    next: String,
    is_fault: bool,
}

impl ToolError {
    /// An error with its code, the problem, and the next call.
    pub(super) fn new(code: &'static str, what: impl Into<String>, next: impl Into<String>) -> Self {
        Self { code, what: what.into(), next: next.into(), is_fault: false }
    }

    /// A fault of the installation; its message is for the person who runs it.
    pub(super) fn installation(message: String) -> Self {
        let next = "correct the arguments, or tell the person who runs reqgate";
        Self { is_fault: true, ..Self::new("not_possible", message, next) }
    }

    /// The error in the words that this caller may read.
    pub(super) fn told_to(mut self, caller: &Caller) -> Self {
        if self.is_fault {
            self.what = caller.told(self.what);
        }
        self
    }
}

/// The maximum length of an error, in characters; some hosts cut at 11,000.
const LONGEST_ERROR: usize = 4_000;

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what: String = clean::lines(&without_secrets(&self.what)).chars().take(LONGEST_ERROR).collect();
        write!(f, "{}: {}; {}", self.code, what.trim_end(), self.next)
    }
}

/// A name from a request, short enough to be repeated in an error.
pub(super) fn shortened(name: &str) -> String {
    clean::short_line(name, 100)
}
