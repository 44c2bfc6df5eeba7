//! The shapes of a pattern: sequences of words that give orders to a model, and the structure of keys and tokens.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::words::WordList;

/// A sequence of word classes with bounded gaps that has the form of an order to a model.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InjectionForm {
    /// Kebab-case name of the order.
    pub id: String,
    /// Forms of one family count once per window; the form's own id if absent.
    #[serde(default)]
    pub family: Option<String>,
    /// The weight of one hit; at or above the threshold it decides alone.
    pub weight: f32,
    /// Word classes in their order, with spaces between; `a|b` is either.
    pub sequence: String,
    /// Most bytes between neighbouring elements.
    #[serde(default = "default_gap")]
    pub gap: usize,
    /// A sentence may end between the elements.
    #[serde(default)]
    pub across_sentences: bool,
    /// The first word must be an imperative or be said to "you".
    #[serde(default)]
    pub imperative: bool,
    /// The first word must begin a line or a sentence.
    #[serde(default)]
    pub at_start: bool,
    /// The matched words must be followed by a quotation, a colon or the end of the line.
    #[serde(default)]
    pub then_quote: bool,
    /// The form counts in code and logs too, unless a condition makes it a rule of the product.
    #[serde(default)]
    pub strong: bool,
    /// The form stops a text by itself: it is addressed to a model and orders it to disregard, impersonate, reveal or
    /// decide. Any other form only keeps the text from a model.
    #[serde(default)]
    pub stops: bool,
}

impl InjectionForm {
    /// The most bytes between neighbouring elements if a form does not state it.
    pub(crate) const GAP: usize = 20;
}

fn default_gap() -> usize {
    InjectionForm::GAP
}

/// Signs that, together in one sentence, are evidence for or against an order to the reader of the text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Combination {
    /// Kebab-case name of the meaning of the signs together.
    pub id: String,
    /// The weight that it adds to the sentence; a negative one is evidence against an order.
    pub weight: f32,
    /// Names of signs with spaces between: all must be in the sentence. `a|b` is either, `-a` must be absent, `a!`
    /// counts as an order only, `a@` only as the person who is addressed.
    pub signs: String,
}

/// The shape of a key or token: known prefixes and an alphabet, or a regular expression.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SecretPattern {
    /// Kebab-case name of the owner of the secret.
    pub id: String,
    /// Literal beginnings, as spelt. Also the prefilter of a regular expression: one of them must be in the match.
    pub prefixes: WordList,
    /// Characters after the prefix.
    #[serde(default)]
    pub alphabet: Alphabet,
    /// Fewest and most characters after the prefix.
    #[serde(default)]
    pub length: Option<(usize, usize)>,
    /// A regular expression instead of alphabet and length; group 1, if there is one, is the secret.
    #[serde(default)]
    pub regex: Option<String>,
    /// Least Shannon entropy of the part after the prefix, in bits per character.
    #[serde(default)]
    pub entropy: Option<f32>,
}

/// Commands that take a password on their command line, and how.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CommandPassword {
    /// Kebab-case name of the purpose of the commands.
    pub id: String,
    /// The commands, with their subcommand if only that one takes a password: `docker login`.
    pub commands: WordList,
    /// The form of the password. `X` is the password, `U` the name of a user: `-p X`, `-pX`, `-u U:X`, `U/X@`.
    pub options: WordList,
}

/// The characters of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Alphabet {
    /// ASCII letters and digits.
    #[default]
    Alphanumeric,
    /// Letters, digits, `-` and `_`.
    Base64Url,
    /// Letters, digits, `+`, `/` and `=`.
    Base64,
    /// `0`–`9`, `a`–`f`, either case.
    Hex,
    /// Capital letters and digits.
    UpperAlphanumeric,
    /// Letters, digits, `-`, `_`, `.` and `=`.
    Dotted,
}

impl Alphabet {
    /// Returns true if the byte belongs to the alphabet.
    pub fn contains(self, byte: u8) -> bool {
        match self {
            Self::Alphanumeric => byte.is_ascii_alphanumeric(),
            Self::Base64Url => byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'),
            Self::Base64 => byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='),
            Self::Hex => byte.is_ascii_hexdigit(),
            Self::UpperAlphanumeric => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Self::Dotted => byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'='),
        }
    }
}
