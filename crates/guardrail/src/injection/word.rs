//! A word with its classes at a place, a text that reads otherwise than it is written, and the classes that show the topic of the words
//! around an order.

use reqgate_base::model::Span;

/// Words that make a sentence one about injection.
pub(super) const ABOUT: u128 = 1;
/// Words about protection against an order, whose object is not an order itself.
pub(super) const GUARDS: u128 = 2;
/// Words turned by thirteen places.
pub(super) const ROTATED: u128 = 4;
/// Words that make a line a list of inputs.
pub(super) const HANDLED: u128 = 8;
/// Words that make a sentence a rule of the product.
pub(super) const CONDITION: u128 = 16;
/// Words that are written backwards.
pub(super) const BACKWARDS: u128 = 32;
/// Words that aim an order at the very text that they are in.
pub(super) const AIMED: u128 = 64;

/// The classes above by their names in the pattern files; the bits of other classes follow.
pub(super) const CONTEXT: [(&str, u128); 7] = [
    ("about", ABOUT),
    ("guards", GUARDS),
    ("rotated", ROTATED),
    ("handled", HANDLED),
    ("condition", CONDITION),
    ("backwards", BACKWARDS),
    ("aimed", AIMED),
];
/// The bits of classes that no form is made of.
pub(super) const CONTEXT_BITS: u128 = ABOUT | GUARDS | ROTATED | HANDLED | CONDITION | BACKWARDS | AIMED;

/// The number of the one bit that is set: words keep it in place of the bit, because it is sixteen times smaller.
pub(super) fn number_of(bit: u128) -> u8 {
    bit.trailing_zeros() as u8
}

/// A readable text that was encoded or spelled otherwise at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Payload {
    pub(super) span: Span,
    pub(super) decoded: String,
}

/// A word of some classes at a place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Word {
    pub(super) span: Span,
    pub(super) classes: u128,
}

impl Word {
    /// Returns true for a word of one of these classes.
    pub(super) fn is(&self, classes: u128) -> bool {
        self.classes & classes != 0
    }
}
