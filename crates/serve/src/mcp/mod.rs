//! The Model Context Protocol: the gate and the workflow as tools for coding agents.
//!
//! One handler serves both eras of the protocol: 2026-07-28, where every request names its version, and the versions
//! before it, which begin with `initialize`. The server keeps only that handshake between two requests (over HTTP, in
//! `serve::http::mcp`, not even that): threads are in their store, and all other data is in the arguments.
//!
//! | module | purpose |
//! |---|---|
//! | `stdio` | one message per line, of a bounded size; cancelled requests are dropped |
//! | `protocol` | messages, versions, errors |
//! | `server` | the dispatch of methods |
//! | `site` | the caller of a tool, their rights, and the installation |
//! | `masking` | masks personal data and secrets in the output |
//! | `tools` | the tools, their schemas and hints |
//! | `gate` | check, review and explain |
//! | `threads`, `standing` | a thread of the PRD workflow: start, next, submit, status, answer; and its state |
//! | `answering`, `form`, `elicitation` | questions to people: through a form of the client, in a browser, or at the
//! command line |
//! | `documents`, `prompts` | documents as resources, two prompts |

mod answering;
mod arguments;
mod documents;
mod elicitation;
mod error;
mod form;
mod gate;
mod masking;
mod prompts;
pub mod protocol;
mod server;
mod site;
mod standing;
mod stdio;
mod threads;
mod tools;

pub use elicitation::Peer;
pub use server::Server;
pub use site::{Caller, Right};
pub use stdio::{LONGEST_MESSAGE, serve};
pub use tools::may_wait;
