//! The local reader in the gate: which weights read a ticket, and what their outputs say, calibrated and beside the signs.

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

/// So many texts are remembered in a run; a ticket is often judged more than once, a backlog is not.
const MOST_REMEMBERED: usize = 64;

/// The weights that read tickets.
#[derive(Debug, Clone, Default)]
pub enum LocalReader {
    /// None: the signs alone judge.
    Off,
    /// Those that ship with the program, if it was built with them.
    #[default]
    Embedded,
    /// Others of the same form.
    Own(Arc<Reader>),
}

/// Reads texts, and remembers the last ones.
#[derive(Debug, Default)]
pub struct Remembering {
    reader: LocalReader,
    outputs: Mutex<BTreeMap<String, Outputs>>,
}

impl LocalReader {
    /// Reads weights.
    ///
    /// # Errors
    /// Fails where the bytes are not in the safetensors format, or a tensor is absent or of another shape.
    pub fn with_weights(weights: &[u8]) -> Result<Self, ReaderError> {
        Reader::new(weights).map(|reader| Self::Own(Arc::new(reader)))
    }

    /// The network, if there is one.
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
    /// Reads with these weights.
    pub fn new(reader: LocalReader) -> Self {
        Self { reader, outputs: Mutex::default() }
    }

    /// What the reader says of a ticket in a language; `None` where no reader is on.
    pub fn read(&self, title: &str, text: &str, language: Language) -> Option<Read> {
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
