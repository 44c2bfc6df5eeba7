//! Settings and pattern data of the guardrail: what is looked for, how much text is allowed, what is done about a find.
//!
//! Knows nothing of how the patterns are matched; that is `stages::guardrail`.

mod patterns;
mod row;
mod settings;
mod words;

pub use patterns::{
    Alphabet, GuardrailPatterns, InjectionForm, InjectionScoring, PatternError, PatternExamples, PatternFile,
    PersonalDataCheck, Placeholders, SecretPattern,
};
pub use settings::{GuardrailSettings, LengthLimits, SettingsError};
pub use words::WordList;
