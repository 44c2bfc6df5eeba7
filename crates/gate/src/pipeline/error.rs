//! Why an input cannot be judged at all.

/// An input that cannot be judged at all.
#[derive(Debug, thiserror::Error)]
pub enum PipelineError {
    /// The packet does not validate (illegal input is refused at the schema).
    #[error("{input}: {message}")]
    InvalidPacket {
        /// Name of the input.
        input: String,
        /// What is wrong with it.
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
    /// There is no policy of that name.
    #[error("{input}: there is no policy `{name}`; choose from {known}")]
    NoPolicy {
        /// Name of the input.
        input: String,
        /// The name.
        name: String,
        /// The policies that there are.
        known: String,
    },
    /// The questions to a model cannot be read.
    #[error("{input}: {message}")]
    Questions {
        /// Name of the input.
        input: String,
        /// Which file, and what is wrong with it.
        message: String,
    },
}
