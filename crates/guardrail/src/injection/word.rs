//! A word of some classes at a place, a text that reads otherwise than it is written, and the classes that say what the
//! words around an order are about.

use reqgate_base::model::Span;

/// Words that make a sentence one about injection.
const ABOUT_BIT: u128 = 1;
/// Words of guarding against it, whose object is no order.
const GUARDS_BIT: u128 = 2;
/// Words turned by thirteen places.
const ROTATED_BIT: u128 = 4;
/// Words that make a line a list of inputs.
const HANDLED_BIT: u128 = 8;
/// Words that make a sentence a rule of the product.
const CONDITION_BIT: u128 = 16;
/// Words written backwards.
const BACKWARDS_BIT: u128 = 32;
/// Words that aim an order at the very text that they stand in.
const AIMED_BIT: u128 = 64;

/// The classes above by their names in the pattern files; the bits of other classes follow.
pub(super) const CONTEXT: [(&str, u128); 7] = [
    ("about", ABOUT_BIT),
    ("guards", GUARDS_BIT),
    ("rotated", ROTATED_BIT),
    ("handled", HANDLED_BIT),
    ("condition", CONDITION_BIT),
    ("backwards", BACKWARDS_BIT),
    ("aimed", AIMED_BIT),
];
/// The bits of classes that no form is made of.
pub(super) const CONTEXT_BITS: u128 =
    ABOUT_BIT | GUARDS_BIT | ROTATED_BIT | HANDLED_BIT | CONDITION_BIT | BACKWARDS_BIT | AIMED_BIT;

/// The number of the one bit that is set: words keep it in place of the bit, as there are thousands of them.
pub(super) fn number_of(bit: u128) -> u8 {
    bit.trailing_zeros() as u8
}

/// A readable text that stood at a place, encoded or spelled otherwise.
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
    pub(super) fn is_about(&self) -> bool {
        self.classes & ABOUT_BIT != 0
    }

    pub(super) fn is_rotated(&self) -> bool {
        self.classes & ROTATED_BIT != 0
    }

    pub(super) fn is_aimed(&self) -> bool {
        self.classes & AIMED_BIT != 0
    }

    pub(super) fn is_backwards(&self) -> bool {
        self.classes & BACKWARDS_BIT != 0
    }

    pub(super) fn is_handled(&self) -> bool {
        self.classes & HANDLED_BIT != 0
    }

    pub(super) fn is_condition(&self) -> bool {
        self.classes & CONDITION_BIT != 0
    }

    pub(super) fn is_guard(&self) -> bool {
        self.classes & GUARDS_BIT != 0
    }
}
