//! Judges one text: intake → structuring → structure check → scoring → decision. Start with [`pipeline`].

pub mod catalog;
pub mod local_reader;
pub mod orders;
pub mod pipeline;
pub mod review;
pub mod stages;
