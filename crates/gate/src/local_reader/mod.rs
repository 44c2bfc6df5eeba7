//! The local reader in the gate: the choice of its weights, and its outputs, calibrated and combined with the signs.

mod calibration;
mod read;
mod team;

pub use read::{ELEMENTS, Read, ReadKind, TicketElement};
pub use team::{TEAM_WEIGHTS_SCHEMA, TeamTarget, TeamWeights, shipped_weights};

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

pub use reqgate_reader::ReaderError;
use reqgate_reader::{Outputs, Reader};

use reqgate_base::hash::Hash;
use reqgate_base::model::Language;

/// The most texts that are remembered in a run. A ticket is often judged more than once; a backlog is not.
const MOST_REMEMBERED: usize = 64;

/// The weights that read tickets.
#[derive(Debug, Clone, Default)]
pub enum LocalReader {
    /// No weights: the signs alone judge.
    Off,
    /// The weights that ship with the program, if it was built with them.
    #[default]
    Embedded,
    /// Other weights of the same form.
    Own(Arc<Reader>),
}

/// Reads texts, and remembers the last results.
#[derive(Debug, Default)]
pub(crate) struct Remembering {
    reader: LocalReader,
    outputs: Mutex<BTreeMap<String, Outputs>>,
}

impl LocalReader {
    /// Reads weights.
    ///
    /// # Errors
    /// Fails if the bytes are not in the safetensors format, or a tensor is missing or has another shape.
    pub fn with_weights(weights: &[u8]) -> Result<Self, ReaderError> {
        Reader::new(weights).map(|reader| Self::Own(Arc::new(reader)))
    }

    /// The network, if the reader has one.
    fn network(&self) -> Option<&Reader> {
        match self {
            Self::Off => None,
            #[cfg(feature = "reader")]
            Self::Embedded => Some(Reader::embedded()),
            #[cfg(not(feature = "reader"))]
            Self::Embedded => None,
            Self::Own(reader) => Some(reader),
        }
    }
}

impl Remembering {
    /// Makes a reader with these weights.
    pub(crate) fn new(reader: LocalReader) -> Self {
        Self { reader, outputs: Mutex::default() }
    }

    /// Reads a ticket in a language; `None` if the reader is off.
    pub(crate) fn read(&self, title: &str, text: &str, language: Language) -> Option<Read> {
        let network = self.reader.network()?;
        let name = Hash::of(format!("{}\n{title}{text}", title.len())).hex();
        let remembered = || self.outputs.lock().unwrap_or_else(PoisonError::into_inner);
        let known = remembered().get(&name).cloned();
        let outputs = known.unwrap_or_else(|| {
            let outputs = network.read(title, text);
            let mut all = remembered();
            if all.len() >= MOST_REMEMBERED {
                all.clear();
            }
            all.insert(name, outputs.clone());
            outputs
        });
        Some(Read::new(outputs, language))
    }
}
