//! Reads a text: blocks, sections, sentences, genre, language, cues and quantities. The quality of a text is not judged here.

pub mod answer;
pub mod blocks;
mod cells;
pub mod clauses;
pub mod content_words;
pub mod cues;
pub mod deliberation;
mod fenced_text;
mod footers;
mod for_programs;
pub mod form_parts;
mod genre;
mod gherkin;
pub mod headings;
pub mod html;
mod html_lists;
pub mod item_ids;
pub mod language;
pub mod lexicon;
pub mod line_breaks;
pub(crate) mod line_shapes;
mod markup;
pub mod other_files;
pub mod other_language;
pub mod passive;
mod placeholders;
pub mod quantities;
pub mod quotation_marks;
pub mod quote;
pub mod reading;
pub mod roles;
pub mod scenario_steps;
pub mod sections;
pub mod sentences;
mod spoken_words;
mod state_names;
pub mod story_parts;
mod title_lines;
mod turns;
pub mod words;

pub use blocks::{Block, BlockKind};
pub use cues::{Cue, CueSet, Vocabulary};
pub use fenced_text::{Fences, names_no_language};
pub use headings::Headings;
pub use lexicon::{Hit, Lexicon, ListId, TermList};
pub use quote::Quotable;
pub use reading::{Reader, Reading, Sentence};
pub use reqgate_base::width::display_width;
pub use sections::Section;
pub use turns::speakers;

/// Returns true if the plain letters of a text alone take this many columns, which is clear after the first line of
/// nearly every text. If it returns false, the width must be counted.
pub fn is_surely_as_wide(text: &str, columns: usize) -> bool {
    text.chars().scan(0, |seen, c| Some(plain_width(c, seen))).any(|seen| seen >= columns)
}

/// Adds the columns of a character whose width does not depend on its neighbours.
fn plain_width(c: char, seen: &mut usize) -> usize {
    *seen += match c {
        'a'..='z' | 'A'..='Z' => 1,
        '\u{4e00}'..='\u{9fff}' => 2,
        _ => 0,
    };
    *seen
}
