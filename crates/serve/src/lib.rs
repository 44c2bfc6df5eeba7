//! Interfaces through which other programs use the gate and the workflow. Each is thin and calls the same functions as
//! the command line.
//!
//! | module | purpose |
//! |---|---|
//! | `http` | the routes of REST and webhooks; OpenAPI; tokens and limits |
//! | `site` | the pages over HTTP: sessions of visitors, uploads, forms and their answers |
//! | `page` | the HTML of these pages |
//! | `mcp` | the tools, prompts and resources for agents, over standard input or HTTP |
//! | `work` | threads of the PRD workflow, for `http`, `page` and `mcp` alike |
//! | `other` | threads of other workflows of the installation |
//! | `reading` | a verdict with the caller as the reader |
//! | `versions` | the versions of a document that people reviewed |
//! | `installation` | the program in which the servers run: configuration, pipeline, folders |
//! | `jira_issue` | an issue of Jira and our comment on it |

#[cfg(feature = "service")]
pub mod http;
mod installation;
pub mod jira_issue;
pub mod mcp;
mod other;
pub mod page;
mod reading;
#[cfg(feature = "service")]
pub mod site;
mod versions;
mod work;

pub use installation::{Gate, Installation, workflows};
