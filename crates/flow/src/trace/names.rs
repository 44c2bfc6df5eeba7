//! The names of attributes: OpenTelemetry's conventions for generative models as of version 1.41, and reqgate's own.
//!
//! The conventions are still in development; a change of them needs changes only in this file.

/// The operation: `invoke_workflow`, `invoke_agent`, `chat` or `execute_tool`.
pub(crate) const OPERATION: &str = "gen_ai.operation.name";
/// The name of the workflow that ran.
pub(crate) const WORKFLOW: &str = "gen_ai.workflow.name";
/// The conversation: the id of the thread.
pub const CONVERSATION: &str = "gen_ai.conversation.id";
/// The agent: the name of the node.
pub(crate) const AGENT: &str = "gen_ai.agent.name";
/// The tool: the node that made the call, or `file`.
pub(crate) const TOOL: &str = "gen_ai.tool.name";
/// The name of the model that answered.
pub const MODEL: &str = "gen_ai.response.model";
/// The provider of the model.
pub(crate) const PROVIDER: &str = "gen_ai.provider.name";
/// The number of input tokens.
pub(crate) const INPUT_TOKENS: &str = "gen_ai.usage.input_tokens";
/// The number of output tokens.
pub const OUTPUT_TOKENS: &str = "gen_ai.usage.output_tokens";
/// The output, included only if contents are requested.
pub(crate) const OUTPUT: &str = "gen_ai.output.messages";
/// The kind of a failure, on failed spans.
pub const ERROR: &str = "error.type";

/// The operation of a whole run.
pub(crate) const INVOKE_WORKFLOW: &str = "invoke_workflow";
/// The operation of a node with calls.
pub(crate) const INVOKE_AGENT: &str = "invoke_agent";
/// The operation of a call that a model answered.
pub(crate) const CHAT: &str = "chat";
/// The operation of any other call, and of an effect.
pub(crate) const EXECUTE_TOOL: &str = "execute_tool";

/// The id of the thread.
pub(crate) const THREAD: &str = "reqgate.thread";
/// The id of the thread it was forked from.
pub(crate) const PARENT: &str = "reqgate.parent";
/// The phase of the thread.
pub const PHASE: &str = "reqgate.phase";
/// The number of the event.
pub(crate) const SEQ: &str = "reqgate.seq";
/// The name of the node.
pub(crate) const NODE: &str = "reqgate.node";
/// The label of the edge that was taken.
pub(crate) const LABEL: &str = "reqgate.label";
/// The number of the attempt at a call, from 1.
pub const ATTEMPT: &str = "reqgate.attempt";
/// The index of the call within its node, from 0.
pub(crate) const CALL: &str = "reqgate.call";
/// The hash of the call's request.
pub(crate) const REQUEST_HASH: &str = "reqgate.request_hash";
/// The id of the question.
pub(crate) const ASK: &str = "reqgate.ask.id";
/// The kind of the question.
pub(crate) const ASK_KIND: &str = "reqgate.ask.kind";
/// The way an answer came, e.g. `terminal`.
pub(crate) const CHANNEL: &str = "reqgate.ask.channel";
/// The id of the effect: `THREAD.EVENT.INDEX`.
pub(crate) const EFFECT: &str = "reqgate.effect.key";
/// The receipt of an effect.
pub(crate) const RECEIPT: &str = "reqgate.effect.receipt";
/// Marks spans that have not ended.
pub const OPEN: &str = "reqgate.open";
/// Words of people and models, included only if contents are requested.
pub(crate) const CONTENT: &str = "reqgate.content";
