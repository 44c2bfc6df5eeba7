//! Settings and pattern data of the guardrail: what is looked for, how much text is allowed, what is done about a find.
//!
//! Knows nothing of how the patterns are matched; that is `stages::guardrail`.

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
