//! The languages that the rules do not read, as far as they can be detected.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Language;

macro_rules! other_languages {
    ($($variant:ident = $code:literal, $english:literal, $chinese:literal;)+) => {
        /// A language that the rules do not read.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
        pub enum OtherLanguage {
            $(#[doc = $english] #[serde(rename = $code)] $variant,)+
        }

        impl OtherLanguage {
            /// Every language of this list.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The code of ISO 639-1, e.g. `de`; `und` for a language that was not recognised.
            pub fn code(self) -> &'static str {
                match self { $(Self::$variant => $code,)+ }
            }

            /// The name of the language, in `language`.
            pub fn words(self, language: Language) -> &'static str {
                match self { $(Self::$variant => language.of($english, $chinese),)+ }
            }
        }
    };
}

other_languages! {
    German = "de", "German", "德文";
    French = "fr", "French", "法文";
    Spanish = "es", "Spanish", "西班牙文";
    Portuguese = "pt", "Portuguese", "葡萄牙文";
    Italian = "it", "Italian", "意大利文";
    Dutch = "nl", "Dutch", "荷兰文";
    Swedish = "sv", "Swedish", "瑞典文";
    Polish = "pl", "Polish", "波兰文";
    Turkish = "tr", "Turkish", "土耳其文";
    Indonesian = "id", "Indonesian", "印度尼西亚文";
    Vietnamese = "vi", "Vietnamese", "越南文";
    Russian = "ru", "Russian", "俄文";
    Ukrainian = "uk", "Ukrainian", "乌克兰文";
    Greek = "el", "Greek", "希腊文";
    Hebrew = "he", "Hebrew", "希伯来文";
    Arabic = "ar", "Arabic", "阿拉伯文";
    Thai = "th", "Thai", "泰文";
    Japanese = "ja", "Japanese", "日文";
    Korean = "ko", "Korean", "韩文";
    Unknown = "und", "another language", "另一种语言";
}

crate::named! {
    /// The treatment of a text in a language that is not judged.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
    pub enum OtherLanguages {
        /// It is not applicable, and a run over files warns of it.
        #[default]
        Report => "report",
        /// It is not applicable, without a warning.
        Skip => "skip",
        /// It is rejected as if it were not ready.
        Fail => "fail",
    }
}

impl OtherLanguage {
    /// The language of a code such as `de` or `pt-BR`, or of an English name such as `German`.
    pub fn named(name: &str) -> Option<Self> {
        let first = name.split(['-', '_', ' ']).next().unwrap_or_default();
        let is_named = |other: &&Self| {
            first.eq_ignore_ascii_case(other.code()) || first.eq_ignore_ascii_case(other.words(Language::En))
        };
        Self::ALL.iter().find(is_named).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_known_by_code_and_name() {
        assert_eq!(OtherLanguage::named("pt-BR"), Some(OtherLanguage::Portuguese));
        assert_eq!(OtherLanguage::named("german"), Some(OtherLanguage::German));
        for name in ["en", "zh-CN", "python", "another", ""] {
            assert_eq!(OtherLanguage::named(name), None, "{name}");
        }
    }
}
