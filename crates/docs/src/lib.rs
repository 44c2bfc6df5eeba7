//! The kernel for documents: Markdown is read as lines and headings with their places, and only the section that somebody changes is
//! written again. What a heading or a label means is known to the crates above.

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
pub use escape::{GAP, escaped, is_live, unescaped};
pub use outline::{Heading, Outline, is_called};
