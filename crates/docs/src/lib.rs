//! The kernel for documents: reads Markdown as lines and headings with their places, and rewrites only the changed section. The crates
//! above know the meaning of headings and labels.

mod changes;
mod escape;
pub mod front_matter;
pub mod lines;
mod outline;
pub mod table;
#[cfg(test)]
mod tests;
pub mod values;
pub mod write;

pub use changes::changed_lines;
pub use escape::{GAP, escaped, is_live, shields, unescaped};
pub use outline::{Heading, Outline, is_called};
