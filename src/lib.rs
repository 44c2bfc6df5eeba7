//! reqgate, the quality gate for requirements: it reads a ticket and says *ready* or *not ready*, why, where, and what to
//! write instead.
//!
//! # The map
//!
//! Text flows one way, from the top of this list to its end. Start with [`pipeline`].
//!
//! | module | purpose |
//! |---|---|
//! | [`pipeline`] | intake → guardrail → structuring → structure check → scoring → gate, in straight lines |
//! | [`stages::intake`] | files, folders, patterns, standard input, saved GitHub and Jira issues → texts |
//! | [`stages::guardrail`] | length, personal data, secrets, prompt injection; masks what must not be shown |
//! | [`stages::structuring`] | text → draft and facets, every word with the place it came from |
//! | [`stages::structure_check`] | Hard Check #1 over a draft |
//! | [`stages::scoring`] | rules and rubric → findings, points, issues |
//! | [`stages::gate`] | blockers, threshold, waivers, path to a pass |
//! | [`orders`] | what a reader is asked to read or write, as data, and the checks that every result passes, whoever wrote it |
//! | [`review`] | the model's review beside the pipeline: asks about a text, checks the answers, returns evidence |
//! | [`eval`] | suites of labelled text → figures with intervals; precision of rules, calibration, canaries, disputes |
//! | [`prd`] | the documents of a feature: brief, requirements, gaps, critics |
//! | [`hook`] | the call of a tool by a coding agent → the tickets that it would create, and what to write instead |
//! | [`audit`] | a whole backlog → its readiness, the most common gaps, what to fix first |
//! | [`report`] | a finished outcome → human, JSON v1, Markdown, SARIF, GitHub, JUnit, HTML |
//! | [`catalog`] | every rule of every kind as one list |
//! | [`rules`] | loads and compiles `rubrics/`: rules, rubrics, vocabulary, headings |
//! | [`workflow`] | the engine: a graph as data, runs, stores, questions to people, effects. Independent of requirements |
//! | [`prompts`] | loads `prompts/`: the words sent to a model, with named holes and a fence around the ticket |
//! | [`config`] | how an installation behaves: discovery, merge, environment |
//! | [`llm`] | chat models: providers, answers of a known shape, retries, breaker, cache, budget, replay |
//! | [`local_reader`] | a small network that says which elements a ticket has and what a reader would ask; no I/O |
//! | [`text`] | how text is read: blocks, sections, sentences, genre, cues, quantities. Independent of quality |
//! | [`action`] | the gate at work on GitHub's events: reads the issue, judges, keeps the one comment, sets labels |
//! | [`serve`] | interfaces for other programs: MCP for coding agents, HTTP for everybody |
//! | [`github`] | the client for GitHub: issues, comments, labels, permissions; waits as GitHub asks |
//! | [`sticky_comment`] | keeps one comment on a ticket, whatever the tracker |
//! | [`jira`] | the client for Jira: issues, links, one comment, on Cloud and on Server |
//! | [`search`] | finds sources for a question: in a folder of documents or with a search service; budget, record and replay |
//! | [`model`] | plain data that every layer shares |
//! | [`yaml`] | YAML that people write → typed values, or every fault with its place |
//! | [`files`] | reads files up to a limit; writes files whole or not at all |
//! | [`bounded_json`] | JSON of strangers → values, up to a number of them |
//! | [`hash`] | SHA-256: names of contents |
//! | [`page`] | a self-contained HTML page from a template and a style sheet, with everything escaped |
//! | [`clean`] | removes from hostile text what could control a terminal |
//! | [`net`] | the only access to the network: TLS, proxy, limits, retries, error messages |
//! | [`suggest`] | the known name that the user probably meant |
//!
//! The command line belongs to the binary; the library cannot see it.
//!
//! # Invariants
//!
//! - A poor requirement is an `Outcome`; only a broken input or environment is an `Err`.
//! - The verdict comes from code over recorded facts. The same input, rules and configuration give the same output.
//! - Every finding has a place, or says that something is missing from the whole text.
//! - A stage that was skipped is shown as skipped, never as passed.
//! - What the guardrail found is masked byte for byte before anything else sees the text, so that spans stay true and the
//!   values reach no report, log or hash.
//! - Rules, scoring, gate and report touch neither network, clock nor disk.
//! - Every loop has a bound, every expression runs in linear time, memory is bounded by the largest document in flight.
//! - Imports go downwards only; a test reads them.

pub mod action;
pub mod audit;
pub mod bounded_json;
pub mod catalog;
pub mod clean;
pub mod config;
pub mod eval;
pub mod files;
pub mod github;
pub mod hash;
pub mod hook;
pub mod jira;
pub mod llm;
pub mod local_reader;
pub mod model;
pub mod net;
pub mod orders;
pub mod page;
pub mod pipeline;
pub mod prd;
pub mod prompts;
pub mod report;
pub mod review;
pub mod rules;
pub mod search;
pub mod serve;
pub mod stages;
pub mod sticky_comment;
pub mod suggest;
pub mod text;
pub mod workflow;
pub mod yaml;
