//! The names of attributes: OpenTelemetry's conventions for generative models as of version 1.41, and our own.
//!
//! The conventions are still in development; when they move, this is the file to change.

/// The operation: `invoke_workflow`, `invoke_agent`, `chat` or `execute_tool`.
pub const OPERATION: &str = "gen_ai.operation.name";
/// The name of the workflow.
pub const WORKFLOW: &str = "gen_ai.workflow.name";
/// The conversation: the thread.
pub const CONVERSATION: &str = "gen_ai.conversation.id";
/// The agent: the node.
pub const AGENT: &str = "gen_ai.agent.name";
/// The tool: the node that called, or `file`.
pub const TOOL: &str = "gen_ai.tool.name";
/// The model that answered.
pub const MODEL: &str = "gen_ai.response.model";
/// Whose model it is.
pub const PROVIDER: &str = "gen_ai.provider.name";
/// Tokens that went in.
pub const INPUT_TOKENS: &str = "gen_ai.usage.input_tokens";
/// Tokens that came out.
pub const OUTPUT_TOKENS: &str = "gen_ai.usage.output_tokens";
/// The output; only if contents are requested.
pub const OUTPUT: &str = "gen_ai.output.messages";
/// The kind of a failure.
pub const ERROR: &str = "error.type";

/// The run of a workflow.
pub const INVOKE_WORKFLOW: &str = "invoke_workflow";
/// A node that had work done.
pub const INVOKE_AGENT: &str = "invoke_agent";
/// A call that a model answered.
pub const CHAT: &str = "chat";
/// Any other call, and an effect.
pub const EXECUTE_TOOL: &str = "execute_tool";

/// The thread.
pub const THREAD: &str = "reqgate.thread";
/// The thread it was forked from.
pub const PARENT: &str = "reqgate.parent";
/// The phase of the thread.
pub const PHASE: &str = "reqgate.phase";
/// The event.
pub const SEQ: &str = "reqgate.seq";
/// The node.
pub const NODE: &str = "reqgate.node";
/// The label of the edge that was taken.
pub const LABEL: &str = "reqgate.label";
/// Which attempt at a call, from 1.
pub const ATTEMPT: &str = "reqgate.attempt";
/// Which call of the node, from 0.
pub const CALL: &str = "reqgate.call";
/// The hash of a call.
pub const REQUEST_HASH: &str = "reqgate.request_hash";
/// The question.
pub const ASK: &str = "reqgate.ask.id";
/// The kind of the question.
pub const ASK_KIND: &str = "reqgate.ask.kind";
/// The way an answer came.
pub const CHANNEL: &str = "reqgate.ask.channel";
/// The effect: `THREAD.EVENT.INDEX`.
pub const EFFECT: &str = "reqgate.effect.key";
/// The receipt of an effect.
pub const RECEIPT: &str = "reqgate.effect.receipt";
/// Set on spans that have not ended.
pub const OPEN: &str = "reqgate.open";
/// Words of people and models; only if contents are requested.
pub const CONTENT: &str = "reqgate.content";
