//! Interfaces through which other programs use the gate and the workflow. Each is thin and calls the same functions as
//! the command line.

#[cfg(feature = "service")]
pub mod http;
mod installation;
pub mod jira_issue;
pub mod mcp;
pub mod page;
mod reading;
#[cfg(feature = "service")]
pub mod site;
mod versions;
mod work;

pub use installation::{Gate, Installation};
