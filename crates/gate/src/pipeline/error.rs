//! The errors of an input that cannot be judged at all.

/// An input that cannot be judged at all.
#[derive(Debug, thiserror::Error)]
pub enum PipelineError {
    /// The packet does not validate (illegal input is refused at the schema).
    #[error("{input}: {message}")]
    InvalidPacket {
        /// Name of the input.
        input: String,
        /// The problem with the packet.
        message: String,
    },
    /// No rubric fits the document.
    #[error("{input}: no rubric for a {profile}; name one with --rubric or add one to the rules folder")]
    NoRubric {
        /// Name of the input.
        input: String,
        /// The kind of document.
        profile: String,
    },
    /// The named policy does not exist.
    #[error("{input}: there is no policy `{name}`; choose from {known}")]
    NoPolicy {
        /// Name of the input.
        input: String,
        /// The name of the policy.
        name: String,
        /// The names of the existing policies.
        known: String,
    },
    /// The questions to a model cannot be read.
    #[error("{input}: {message}")]
    Questions {
        /// Name of the input.
        input: String,
        /// The file, and the problem with it.
        message: String,
    },
}
