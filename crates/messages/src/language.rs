//! The languages of every sentence.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Names;

/// A language that the rules support.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// English, and any other text that is not Chinese.
    En,
    /// Chinese.
    Zh,
}

impl Language {
    /// The wire name: `en` or `zh`.
    pub fn name(self) -> &'static str {
        self.of("en", "zh")
    }

    /// The one of two values that belongs to this language.
    pub fn of<T>(self, english: T, chinese: T) -> T {
        match self {
            Self::En => english,
            Self::Zh => chinese,
        }
    }

    /// The name of the language, in `language`.
    pub fn words(self, language: Self) -> &'static str {
        let names = Names::of(language);
        self.of(names.language_en, names.language_zh)
    }
}
