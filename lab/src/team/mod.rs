//! Learns from a team's own tickets: derives a label from the history of each, and corrects the local reader.
//!
//! No data leaves the machine. Every figure is cross-validated: each tenth of the tickets is judged by weights that
//! were learned from the other nine. Only the estimate and the subjects of questions can get a weight.

mod export;
mod fit;
mod labels;
mod learned;
mod outcome;
mod past;
mod repository;
mod words;

pub use export::read_export;
pub use labels::{Corrections, LabelLine, LabelsError, corrected, read_labels, written_labels};
pub use learned::{EstimateFigures, LabelledTicket, TeamError, TeamLearned, learn_team};
pub use outcome::{Because, Outcome, interpret};
pub use past::{Answer, Ending, PastTicket, past_ticket};
pub use repository::{PageStore, RepositoryError, Walked, read_repository};
pub use words::{Label, OutcomeWords, OutcomesError, SHIPPED_OUTCOMES};
