//! Screens a text before anything else reads it: length, personal data, secrets and prompt injection.
//!
//! Pure: no model, no clock, no files. Finds are masked byte for byte, so that spans stay valid.

mod escapes;
mod injection;
mod length;
mod letters;
mod lexicon;
mod mask;
mod messages;
mod nearby;
mod personal_data;
mod secrets;
mod view;
mod words;

use reqgate_base::clean::short_masks;
use reqgate_base::model::{
    GuardrailAction, GuardrailFinding, GuardrailKind, GuardrailReport, GuardrailStatus, Language, SourceType, Span,
};
use reqgate_rules::config::guardrail::{GuardrailPatterns, GuardrailSettings};

pub use messages::without_secrets;

use injection::InjectionScreen;
use personal_data::PersonalDataScreen;
use secrets::SecretScreen;
use view::View;

/// The guardrail, ready to screen any number of texts.
#[derive(Debug)]
pub struct Guardrail {
    settings: GuardrailSettings,
    personal_data: PersonalDataScreen,
    secrets: SecretScreen,
    injection: InjectionScreen,
}

/// The use that a text is screened for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Purpose {
    /// Its kind of document where that is stated, on which the longest length depends.
    pub source: Option<SourceType>,
    /// The language of the report.
    pub language: Language,
    /// The text will be judged by readings, which give a verdict on short texts too.
    pub by_readings: bool,
}

/// A text that was screened, with the report about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Screened {
    /// The findings and their consequences; never the values.
    pub report: GuardrailReport,
    /// The text with every personal datum and secret masked, of the same length in bytes.
    pub text: String,
}

/// The reason why a guardrail could not be built from its patterns.
#[derive(Debug, thiserror::Error)]
pub enum GuardrailError {
    /// A form names a word class that no pattern file defines.
    #[error("injection form {form} names the unknown word class {class}")]
    UnknownClass {
        /// Id of the form.
        form: String,
        /// Name of the class.
        class: String,
    },
    /// More word classes than the matcher has numbers for.
    #[error("{0} word classes: at most 128 are possible")]
    TooManyClasses(usize),
    /// A form without a sequence would match everywhere.
    #[error("injection form {0} has an empty sequence")]
    EmptyForm(String),
    /// A secret pattern has neither a length nor a regular expression, or no prefix.
    #[error("secret pattern {0} needs prefixes, and a length or a regex")]
    ShapelessSecret(String),
    /// A pattern names a check or reader that does not exist.
    #[error("pattern {pattern}: unknown check or reader {name}")]
    UnknownCode {
        /// Id of the pattern.
        pattern: String,
        /// The name that is unknown.
        name: String,
    },
    /// The shipped patterns cannot be read, which a test rules out.
    #[error("{0}")]
    Unreadable(String),
}

/// A find before the decision on its consequence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Find {
    kind: GuardrailKind,
    pattern: String,
    span: Span,
}

impl Guardrail {
    /// Builds the guardrail. Regular expressions are compiled when a text first needs them.
    ///
    /// # Errors
    ///
    /// Fails if the patterns contradict themselves; the shipped ones do not.
    pub fn new(settings: &GuardrailSettings, patterns: &GuardrailPatterns) -> Result<Self, GuardrailError> {
        Ok(Self {
            settings: settings.clone(),
            personal_data: PersonalDataScreen::new(patterns)?,
            secrets: SecretScreen::new(patterns)?,
            injection: InjectionScreen::new(patterns, &settings.phrases)?,
        })
    }

    /// Screens one text and reports the finds in English. `not_prose` are its spans of fenced code and pasted logs, in order.
    pub fn screen(&self, text: &str, not_prose: &[Span], source: impl Into<Option<SourceType>>) -> Screened {
        self.screen_for(text, not_prose, Purpose { source: source.into(), language: Language::En, by_readings: false })
    }

    /// Screens one text for a purpose; the report is in the language of the purpose.
    pub fn screen_for(&self, text: &str, not_prose: &[Span], purpose: Purpose) -> Screened {
        let language = purpose.language;
        let counted_characters = length::of_prose(text, not_prose);
        if !self.settings.enabled {
            let report = GuardrailReport { status: GuardrailStatus::Skipped, counted_characters, findings: Vec::new() };
            return Screened { report, text: text.to_owned() };
        }
        let mut findings = self.measure(text, counted_characters, purpose);
        let mut masked = text.to_owned();
        let finds = self.find(text, not_prose);
        mask::apply(&mut masked, finds.iter().filter(|find| self.is_masked(find.kind)));
        findings.extend(finds.into_iter().map(|find| self.report(find, language)));
        let rejected = findings.iter().any(|finding| finding.action == GuardrailAction::Reject);
        let status = if rejected { GuardrailStatus::Rejected } else { GuardrailStatus::Passed };
        Screened { report: GuardrailReport { status, counted_characters, findings }, text: masked }
    }

    /// Screens words that accompany a text (a label, the name of a file): returns the words masked, and adds the finds
    /// to the report, without a place in the text. The masks do not show the length of a value.
    pub fn screen_beside(&self, words: &str, report: &mut GuardrailReport, language: Language) -> String {
        let mut masked = words.to_owned();
        if !self.settings.enabled {
            return masked;
        }
        let finds = self.find(words, &[]);
        mask::apply(&mut masked, finds.iter().filter(|find| self.is_masked(find.kind)));
        for find in finds {
            let found = GuardrailFinding { span: None, ..self.report(find, language) };
            if found.action == GuardrailAction::Reject {
                report.status = GuardrailStatus::Rejected;
            }
            report.findings.push(found);
        }
        short_masks(&masked).into_owned()
    }

    /// Returns true if a model might take a part of the text for an order although the text is not stopped; such a text is not sent to a
    /// model. `not_prose` are its spans of fenced code and pasted logs, in order.
    pub fn is_doubtful(&self, text: &str, not_prose: &[Span]) -> bool {
        if !self.settings.enabled || self.settings.action(GuardrailKind::PromptInjection) == GuardrailAction::Off {
            return false;
        }
        let view = View::new(text);
        let not_prose: Vec<Span> = not_prose.iter().map(|span| view.viewed(*span)).collect();
        self.injection.is_doubtful(&view.text, &not_prose)
    }

    fn measure(&self, text: &str, counted: usize, purpose: Purpose) -> Vec<GuardrailFinding> {
        let Purpose { source, language, by_readings } = purpose;
        let mut findings = Vec::new();
        let limits = &self.settings.limits;
        let mut note = |kind, pattern: &str, message| {
            let action = self.settings.action(kind);
            if action != GuardrailAction::Off {
                findings.push(GuardrailFinding { kind, pattern: pattern.to_owned(), span: None, action, message });
            }
        };
        // In columns, so that a wish in Chinese needs no more words than one in English.
        let fewest = limits.lower(by_readings);
        if !length::surely_has(text, fewest) {
            let (columns, encoded) = length::columns(text);
            if columns.saturating_sub(encoded) < fewest {
                let told = words::too_short(columns, encoded, fewest, language);
                note(GuardrailKind::TooShort, "minimum-length", told);
            }
        }
        let upper = limits.upper(source);
        if counted > upper {
            note(GuardrailKind::TooLong, "maximum-length", words::too_long(counted, upper, source, language));
        }
        findings
    }

    /// Everything that is looked for, with its places in the text as written; it is looked for in the text as it reads.
    fn find(&self, text: &str, not_prose: &[Span]) -> Vec<Find> {
        let is_on = |kind| self.settings.action(kind) != GuardrailAction::Off;
        let view = View::new(text);
        let not_prose: Vec<Span> = not_prose.iter().map(|span| view.viewed(*span)).collect();
        let mut finds = Vec::new();
        if is_on(GuardrailKind::Secret) {
            finds.extend(self.secrets.find(&view.text));
        }
        let mut personal = self.personal_data.find(&view.text, &not_prose);
        personal.retain(|find| is_on(find.kind));
        finds = without_overlaps(finds, personal);
        let looks_for_orders = is_on(GuardrailKind::PromptInjection);
        if looks_for_orders {
            finds.extend(self.injection.find(&view.text, &not_prose));
        }
        for find in &mut finds {
            find.span = view.original(find.span);
        }
        if looks_for_orders {
            finds.extend(injection::hidden_characters(text));
        }
        finds.sort_by_key(|find| (find.span, find.kind));
        finds
    }

    /// Returns true if finds of this kind are masked: values always, words of an injection only on request.
    fn is_masked(&self, kind: GuardrailKind) -> bool {
        kind != GuardrailKind::PromptInjection || self.settings.action(kind) == GuardrailAction::Redact
    }

    fn report(&self, find: Find, language: Language) -> GuardrailFinding {
        let action = self.settings.action(find.kind);
        let message = words::found(find.kind, action, language);
        GuardrailFinding { kind: find.kind, pattern: find.pattern, span: Some(find.span), action, message }
    }
}

/// `first` and those of `second` that share no byte with it.
fn without_overlaps(mut first: Vec<Find>, second: Vec<Find>) -> Vec<Find> {
    first.sort_by_key(|find| find.span);
    let taken: Vec<Span> = first.iter().map(|find| find.span).collect();
    first.extend(second.into_iter().filter(|find| {
        let next = taken.partition_point(|span| span.end <= find.span.start);
        taken.get(next).is_none_or(|span| !span.overlaps(find.span))
    }));
    first
}

#[cfg(test)]
mod tests;
