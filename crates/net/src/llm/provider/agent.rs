//! The profile of coding agents, which send no requests over the network. [`crate::llm::AgentRunner`] calls them.

use crate::llm::Structured;

use super::Profile;

/// A program on this machine that answers.
pub(super) const AGENT: Profile = Profile {
    name: "agent",
    trace_name: "agent",
    key_variables: &[],
    needs_key: false,
    compatible: None,
    base_url: "",
    path: "",
    key: ("", ""),
    headers: &[],
    token_limit: ["", ""],
    temperature: ("", None),
    switches: &[],
    shapes: &[Structured::Schema],
    // Not every agent accepts a schema.
    schema_in_prompt: true,
    list_bounds: false,
    messages: |_, _| {},
    shape: |_, _| {},
    read: |_| Err("an agent has no replies over the network".to_owned()),
};
