//! The stages of the pipeline; stages never import each other.

pub mod gate;
pub mod intake;
pub mod scoring;
pub mod structure_check;
pub mod structuring;
