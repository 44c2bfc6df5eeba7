//! The local reader: a small network that estimates which elements a ticket contains and which questions a careful
//! reader would ask. It turns a text into 32 numbers, without I/O and without state.
//!
//! [`Reader::embedded`] has the weights that ship with the program, [`Reader::new`] takes others of the same form.

mod network;
mod normalisation;
mod tokens;
mod vocabulary;

use network::Network;
use normalisation::Normalisation;
use vocabulary::Vocabulary;

/// The most ids of one ticket: the network has this many positions.
const MOST_IDS: usize = 320;
/// The most ids of a title.
const MOST_TITLE_IDS: usize = 48;
/// The number of outputs.
const OUTPUTS: usize = 32;

#[cfg(feature = "embedded")]
static WEIGHTS: &[u8] = include_bytes!("../data/weights.safetensors");
static VOCABULARY: &str = include_str!("../data/vocabulary.tsv");
static NORMALISATION: &str = include_str!("../data/normalisation.tsv");

/// Weights or tables that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ReaderError {
    /// The file is not in the safetensors format.
    #[error("the weights cannot be read: {0}")]
    Format(#[from] safetensors::SafeTensorError),
    /// A tensor is missing, or has another type or shape.
    #[error("the weights have no usable tensor `{0}`")]
    Tensor(String),
    /// A line of a table is not in the expected form.
    #[error("line {line} of the {table} cannot be read")]
    Table {
        /// The table: `vocabulary` or `normalisation`.
        table: &'static str,
        /// The line, counted from 1.
        line: usize,
    },
}

/// A question that a reader may ask; the discriminant is its place among the outputs for codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(usize)]
pub enum Code {
    /// The thing to be built or changed.
    What,
    /// The version, platform or setup.
    Environment,
    /// Steps or input that reproduce it.
    Reproduce,
    /// The exact symptom of the fault.
    Actual,
    /// An open choice or a contradiction.
    Decide,
    /// The test that shows that it is done.
    Done,
    /// The page, component or file.
    Where,
    /// The boundaries of the work.
    Scope,
    /// A reference to something that the text does not contain.
    Context,
    /// The behaviour that is expected instead.
    Expected,
    /// The person who needs it, and the purpose.
    Why,
    /// A question on any other subject.
    Other,
}

/// The kind of a text; the discriminant is its place among the outputs for kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(usize)]
pub enum Kind {
    /// A report of a fault.
    Bug,
    /// New or changed behaviour.
    Feature,
    /// A request for help.
    Question,
    /// Work without a result that can be checked.
    Task,
    /// Several wishes, or an idea without an intention to act.
    Discussion,
    /// A text of any other kind.
    Other,
}

/// An element that a text may contain; the discriminant is its place among the outputs for elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(usize)]
pub enum Element {
    /// The result that is wanted.
    Need,
    /// The behaviour that was observed.
    Actual,
    /// The behaviour that is expected.
    Expected,
    /// The steps to reproduce it.
    Steps,
    /// The version, platform or configuration.
    Environment,
    /// The page, component or file.
    Where,
    /// A result that a tester can check.
    Criterion,
    /// The reason for the request.
    Why,
    /// The user or role.
    Who,
    /// Words with which the author leaves a point open.
    Open,
}

/// The outputs of the network for one ticket, before any function is applied: log-odds, and for kinds the input of a softmax.
#[derive(Debug, Clone, PartialEq)]
pub struct Outputs([f32; OUTPUTS]);

impl Outputs {
    const CODES: usize = 4;
    const KINDS: usize = 16;
    const ELEMENTS: usize = 22;

    /// The log-odds that a reader must ask before the work can be finished.
    pub fn must_ask(&self) -> f32 {
        -self.0[2]
    }

    /// The log-odds that no reader can start.
    pub fn cannot_start(&self) -> f32 {
        -self.0[1]
    }

    /// The log-odds that a reader asks this question.
    pub fn asks(&self, code: Code) -> f32 {
        self.0[Self::CODES + code as usize]
    }

    /// The probability that the text is of this kind, 0 to 1; the six kinds add up to 1.
    pub fn is(&self, kind: Kind) -> f32 {
        let kinds = &self.0[Self::KINDS..Self::ELEMENTS];
        let largest = kinds.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 = kinds.iter().map(|value| (value - largest).exp()).sum();
        (kinds[kind as usize] - largest).exp() / sum
    }

    /// The log-odds that the text has this element.
    pub fn says(&self, element: Element) -> f32 {
        self.0[Self::ELEMENTS + element as usize]
    }

    /// The 32 values in the order of the network: 4 of readiness, 12 codes, 6 kinds, 10 elements.
    pub fn values(&self) -> &[f32; OUTPUTS] {
        &self.0
    }
}

/// The network with its vocabulary.
#[derive(Debug)]
pub struct Reader {
    network: Network,
    vocabulary: Vocabulary,
    normalisation: Normalisation,
}

impl Reader {
    /// The reader with the weights that ship with the program, which are read on first use.
    #[cfg(feature = "embedded")]
    pub fn embedded() -> &'static Self {
        static READER: std::sync::LazyLock<Reader> =
            std::sync::LazyLock::new(|| Reader::new(WEIGHTS).expect("the weights that ship are tested"));
        &READER
    }

    /// Makes a reader with other weights for the same vocabulary.
    ///
    /// # Errors
    /// Fails if the bytes are not in the safetensors format, or a tensor is missing or has another shape.
    pub fn new(weights: &[u8]) -> Result<Self, ReaderError> {
        let vocabulary = Vocabulary::parse(VOCABULARY)?;
        Ok(Self {
            network: Network::parse(weights, vocabulary.len())?,
            normalisation: Normalisation::parse(NORMALISATION)?,
            vocabulary,
        })
    }

    /// The ids of a ticket, at most 320; the middle of a longer text is left out.
    pub fn ids(&self, title: &str, text: &str) -> Vec<u32> {
        tokens::ticket_ids(&self.vocabulary, &self.normalisation, title, text)
    }

    /// Reads a ticket and returns the outputs of the network.
    pub fn read(&self, title: &str, text: &str) -> Outputs {
        Outputs(self.network.outputs(&self.ids(title, text)))
    }
}
