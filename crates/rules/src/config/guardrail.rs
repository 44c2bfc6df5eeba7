//! Settings and pattern data of the guardrail: the patterns, the bounds on the length of a text, and the actions.
//!
//! The patterns are matched in `stages::guardrail`.

mod numbers;
mod patterns;
mod row;
mod settings;
mod shapes;
mod words;

pub use numbers::{Context, NumberForm};
pub use patterns::{
    GuardrailPatterns, InjectionScoring, PatternError, PatternExamples, PatternFile, PersonalDataPattern, Placeholders,
    WeakSigns,
};
pub use settings::{GuardrailSettings, LengthLimits, PERSONAL_KINDS, SettingsError};
pub use shapes::{Alphabet, Combination, CommandPassword, InjectionForm, SecretPattern};
pub use words::WordList;
