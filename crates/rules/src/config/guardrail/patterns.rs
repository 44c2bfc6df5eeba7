//! The patterns of the guardrail, as data: words and forms of orders to a model, shapes of tokens, context words.
//!
//! Shipped files and an installation's own files have the same shape; a later file adds patterns or replaces them by
//! id. The second YAML document of a file holds the examples of its patterns, which a run does not read.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::numbers::NumberForm;
use super::row::Written;
use super::shapes::{Combination, CommandPassword, InjectionForm, SecretPattern};
use super::words::WordList;

use reqgate_base::files::{self, NOT_SHOWN, is_link_elsewhere};
use reqgate_base::model::GuardrailKind;
use reqgate_base::yaml;

/// Name, JSON and hash of the YAML text of every shipped file; made by `build.rs`, because YAML takes ten times as long to read.
static SHIPPED: &[(&str, &str, &str)] = include!(concat!(env!("OUT_DIR"), "/guardrail.rs"));
/// The same for the examples, which a run does not read.
static SHIPPED_EXAMPLES: &[(&str, &str, &str)] = include!(concat!(env!("OUT_DIR"), "/guardrail-examples.rs"));

/// All patterns of the guardrail.
#[derive(Debug, Clone, Default)]
pub struct GuardrailPatterns {
    /// The weights and bounds for adding up hits of injection forms.
    pub scoring: InjectionScoring,
    /// Word classes from which the forms are built.
    pub words: BTreeMap<String, WordList>,
    /// Forms of orders addressed to a model.
    pub forms: Vec<InjectionForm>,
    /// Shapes of keys and tokens.
    pub secrets: Vec<SecretPattern>,
    /// Commands that take a password as an argument.
    pub command_passwords: Vec<CommandPassword>,
    /// Kinds of personal data; where a value fits several, the first counts.
    pub personal_data: Vec<PersonalDataPattern>,
    /// Values that only look like a finding.
    pub placeholders: Placeholders,
    /// The weak signs from the installation's own files.
    own_signs: WeakSigns,
    /// The shipped weak signs are part of these patterns; they are read on first use.
    has_shipped_signs: bool,
    /// A file of the installation was added.
    is_extended: bool,
}

/// Weak signs of orders, and their combinations. They matter only to a text that is to be sent to a model.
#[derive(Debug, Clone, Default)]
pub struct WeakSigns {
    /// Words and phrases by the name of their sign.
    pub signs: BTreeMap<String, WordList>,
    /// Signs that mean something together.
    pub combinations: Vec<Combination>,
}

impl WeakSigns {
    fn merge(&mut self, added: Self) {
        for (sign, words) in added.signs {
            self.signs.entry(sign).or_default().0.extend(words.0);
        }
        replace_by_id(&mut self.combinations, added.combinations.into_iter(), |combination| &combination.id);
    }
}

/// One pattern file; every part may be absent.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PatternFile {
    /// The weights and bounds for adding up hits of injection forms.
    scoring: Option<InjectionScoring>,
    /// Word classes: name to words and phrases. `word(s)` means both forms.
    words: BTreeMap<String, WordList>,
    /// Forms of orders addressed to a model.
    forms: Vec<Written<InjectionForm>>,
    /// Weak signs of orders: name to words and phrases. `{a|b} c` means `a c` and `b c`.
    signs: BTreeMap<String, WordList>,
    /// Signs that mean something together.
    evidence: Vec<Written<Combination>>,
    /// Shapes of keys and tokens.
    secrets: Vec<Written<SecretPattern>>,
    /// Commands that take a password as an argument.
    command_passwords: Vec<Written<CommandPassword>>,
    /// Kinds of personal data.
    personal_data: Vec<PersonalDataPattern>,
    /// Values that only look like a finding.
    placeholders: Placeholders,
}

/// The weights and bounds for adding up hits of injection forms within a window of text.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InjectionScoring {
    /// Sum of weights from which a window counts as an injection.
    pub threshold: f32,
    /// Least weight of a hit that has the form of an order; lesser ones are hints.
    pub order: f32,
    /// Sum from which a window of hints alone counts.
    pub hints: f32,
    /// Width of the window in bytes.
    pub window: usize,
    /// Factor on hits in fenced code and logs.
    pub code_factor: f32,
    /// Factor on hits that a human reader does not see: HTML comments, hidden elements, decoded text.
    pub hidden_factor: f32,
}

impl Default for InjectionScoring {
    fn default() -> Self {
        Self { threshold: 10.0, order: 4.0, hints: 13.0, window: 800, code_factor: 0.5, hidden_factor: 1.6 }
    }
}

/// A kind of personal data: how its values are written, and the words near them that decide.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PersonalDataPattern {
    /// Kebab-case id, e.g. `phone-number`.
    pub id: String,
    /// The kind of its findings.
    pub kind: GuardrailKind,
    /// The ways in which its numbers are written, each on a line.
    #[serde(default)]
    pub numbers: Vec<NumberForm>,
    /// Name of the code that reads its values, where shapes cannot describe them.
    #[serde(default)]
    pub reader: Option<String>,
    /// Words nearby that make a doubtful number a finding.
    #[serde(default)]
    pub near: WordList,
    /// Words directly after a number that make it a finding, as `office` in `655 437 108 office`.
    #[serde(default)]
    pub behind: WordList,
    /// Words just before that make it something else.
    #[serde(default)]
    pub unless_near: WordList,
}

/// Values that only look like a finding.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Placeholders {
    /// Domains for addresses without an owner; subdomains too.
    pub email_domains: WordList,
    /// Names before the @ that are not those of a person.
    pub email_names: WordList,
    /// Well-known public addresses, and placeholders.
    pub ip_addresses: WordList,
    /// Parts of a value that mark it as a placeholder for a secret, anywhere in it.
    pub secret_parts: WordList,
    /// Words of placeholders: a value of hardly more than such words is a placeholder.
    pub secret_words: WordList,
    /// Names of settings whose value is a secret.
    pub secret_names: WordList,
}

/// Texts that test and explain a pattern.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PatternExamples {
    /// Texts in which the pattern must be found. In those of secrets `{n}` is replaced by n made-up characters.
    pub fires: Vec<String>,
    /// Texts in which it must not be found.
    #[serde(default)]
    pub silent: Vec<String>,
}

#[derive(Deserialize)]
struct ExamplesDocument {
    examples: BTreeMap<String, PatternExamples>,
}

/// The reason why pattern files could not be read.
#[derive(Debug, thiserror::Error)]
pub enum PatternError {
    /// A folder or file cannot be read.
    #[error("reading guardrail patterns from {path}")]
    Read {
        /// The folder or file.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// A file is not a pattern file.
    #[error("reading guardrail patterns from {name}: {message}")]
    Syntax {
        /// The name of the file.
        name: String,
        /// The problem, with line and column.
        message: String,
    },
}

impl GuardrailPatterns {
    /// The patterns that come with reqgate.
    ///
    /// # Errors
    ///
    /// Fails only if a shipped file is broken, which a test rules out.
    pub fn shipped() -> Result<Self, PatternError> {
        let mut patterns = Self { has_shipped_signs: true, ..Self::default() };
        for (name, json, _) in SHIPPED.iter().filter(|(name, ..)| *name != WEAK_SIGNS) {
            patterns.merge(shipped_file(name, json)?);
        }
        Ok(patterns)
    }

    /// Weak signs of orders: the shipped ones, which are read now, and those of the installation's own files.
    ///
    /// # Errors
    ///
    /// Fails only if the shipped file is broken, which a test rules out.
    pub fn weak_signs(&self) -> Result<WeakSigns, PatternError> {
        let mut all = WeakSigns::default();
        for (name, json, _) in SHIPPED.iter().filter(|(name, ..)| self.has_shipped_signs && *name == WEAK_SIGNS) {
            all.merge(shipped_file(name, json)?.weak_signs());
        }
        all.merge(self.own_signs.clone());
        Ok(all)
    }

    /// Returns true if patterns were added to the shipped ones.
    pub fn is_extended(&self) -> bool {
        self.is_extended
    }

    /// The examples of the shipped patterns, by the pattern's id.
    ///
    /// # Errors
    ///
    /// Fails only if a shipped file is broken, which a test rules out.
    pub fn shipped_examples() -> Result<BTreeMap<String, PatternExamples>, PatternError> {
        let mut examples = BTreeMap::new();
        for (name, json, _) in SHIPPED_EXAMPLES {
            let document: ExamplesDocument = serde_json::from_str(json).map_err(|error| syntax(name, &error))?;
            examples.extend(document.examples);
        }
        Ok(examples)
    }

    /// The shipped patterns and those of the folders, in their order; files of a folder in the order of their names.
    ///
    /// # Errors
    ///
    /// Fails if a folder cannot be read or a file is not a pattern file.
    pub fn with_folders(folders: &[PathBuf]) -> Result<Self, PatternError> {
        let mut patterns = Self::shipped()?;
        for folder in folders {
            for path in yaml_files(folder)? {
                let text = files::text(&path, files::SETTINGS)
                    .map_err(|source| PatternError::Read { path: path.clone(), source })?;
                let name = path.display().to_string();
                let added = patterns.add(&name, &text).and_then(|()| patterns.check_expressions(&name));
                added.map_err(|error| if is_link_elsewhere(&path) { syntax(&name, &NOT_SHOWN) } else { error })?;
            }
        }
        Ok(patterns)
    }

    /// Compiles the expressions of an installation while the user can still be informed. Shipped expressions are known
    /// to compile.
    fn check_expressions(&self, name: &str) -> Result<(), PatternError> {
        for secret in &self.secrets {
            if let Some(Err(error)) = secret.regex.as_deref().map(regex::Regex::new) {
                let message = format!("pattern {}: {error}", secret.id);
                return Err(PatternError::Syntax { name: name.to_owned(), message });
            }
        }
        Ok(())
    }

    /// Adds the patterns of one file; a pattern with a known id replaces the earlier one.
    ///
    /// # Errors
    ///
    /// Fails if the text is not a pattern file.
    pub fn add(&mut self, name: &str, text: &str) -> Result<(), PatternError> {
        self.merge(read(name, text)?);
        self.is_extended = true;
        Ok(())
    }

    fn merge(&mut self, mut file: PatternFile) {
        self.own_signs.merge(file.weak_signs());
        self.scoring = file.scoring.unwrap_or(self.scoring);
        for (class, words) in file.words {
            self.words.entry(class).or_default().0.extend(words.0);
        }
        replace_by_id(&mut self.forms, file.forms.into_iter().map(|form| form.0), |form| &form.id);
        replace_by_id(&mut self.secrets, file.secrets.into_iter().map(|secret| secret.0), |secret| &secret.id);
        let commands = file.command_passwords.into_iter().map(|command| command.0);
        replace_by_id(&mut self.command_passwords, commands, |command| &command.id);
        self.merge_personal_data(file.personal_data);
        self.placeholders.email_domains.0.extend(file.placeholders.email_domains.0);
        self.placeholders.email_names.0.extend(file.placeholders.email_names.0);
        self.placeholders.ip_addresses.0.extend(file.placeholders.ip_addresses.0);
        self.placeholders.secret_parts.0.extend(file.placeholders.secret_parts.0);
        self.placeholders.secret_words.0.extend(file.placeholders.secret_words.0);
        self.placeholders.secret_names.0.extend(file.placeholders.secret_names.0);
    }
}

impl GuardrailPatterns {
    /// Replaces patterns by id; one that only gives other words is looked for in the same way as before.
    fn merge_personal_data(&mut self, mut added: Vec<PersonalDataPattern>) {
        for pattern in added.iter_mut().filter(|pattern| pattern.numbers.is_empty() && pattern.reader.is_none()) {
            if let Some(known) = self.personal_data.iter().find(|known| known.id == pattern.id) {
                pattern.numbers.clone_from(&known.numbers);
                pattern.reader.clone_from(&known.reader);
            }
        }
        replace_by_id(&mut self.personal_data, added.into_iter(), |pattern| &pattern.id);
    }
}

impl PatternFile {
    /// Takes the weak signs out of the file.
    fn weak_signs(&mut self) -> WeakSigns {
        let combinations = std::mem::take(&mut self.evidence).into_iter().map(|combination| combination.0).collect();
        WeakSigns { signs: std::mem::take(&mut self.signs), combinations }
    }
}

/// The shipped file that holds only the weak signs.
const WEAK_SIGNS: &str = "evidence.yaml";

fn shipped_file(name: &str, json: &str) -> Result<PatternFile, PatternError> {
    serde_json::from_str(json).map_err(|error| syntax(name, &error))
}

fn read(name: &str, text: &str) -> Result<PatternFile, PatternError> {
    yaml::read(documents(text).0).map_err(|error| syntax(name, &error))
}

fn syntax(name: &str, error: &dyn std::fmt::Display) -> PatternError {
    PatternError::Syntax { name: name.to_owned(), message: error.to_string() }
}

/// Splits a file into its patterns and its examples.
fn documents(text: &str) -> (&str, &str) {
    text.split_once("\n---\n").unwrap_or((text, ""))
}

fn replace_by_id<T>(known: &mut Vec<T>, added: impl Iterator<Item = T>, id: impl Fn(&T) -> &String) {
    for item in added {
        match known.iter_mut().find(|old| id(old) == id(&item)) {
            Some(old) => *old = item,
            None => known.push(item),
        }
    }
}

fn yaml_files(folder: &Path) -> Result<Vec<PathBuf>, PatternError> {
    let read = |source| PatternError::Read { path: folder.to_owned(), source };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(read)? {
        let path = entry.map_err(read)?.path();
        if path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_files_are_pattern_files() {
        let patterns = GuardrailPatterns::shipped().unwrap();
        assert!(!patterns.forms.is_empty() && !patterns.secrets.is_empty() && !patterns.personal_data.is_empty());
    }

    #[test]
    fn one_shipped_file_holds_the_weak_signs_and_nothing_else() {
        for (name, json, _) in SHIPPED {
            let mut file = shipped_file(name, json).unwrap();
            let signs = file.weak_signs();
            let has_signs = !signs.signs.is_empty() || !signs.combinations.is_empty();
            assert_eq!(has_signs, *name == WEAK_SIGNS, "{name}");
            let has_others = file.scoring.is_some()
                || !file.words.is_empty()
                || !file.forms.is_empty()
                || !file.secrets.is_empty()
                || !file.personal_data.is_empty()
                || file.placeholders != Placeholders::default();
            assert_ne!(has_signs, has_others, "{name}");
        }
    }

    #[test]
    fn weak_signs_of_a_folder_add_to_the_shipped_ones() {
        let mut patterns = GuardrailPatterns::shipped().unwrap();
        let shipped = patterns.weak_signs().unwrap();
        patterns
            .add("own", "signs: {machine: our house robot}\nevidence: [{id: own, weight: 1, signs: machine}]\n")
            .unwrap();
        let both = patterns.weak_signs().unwrap();
        assert_eq!(both.signs["machine"].len(), shipped.signs["machine"].len() + 1);
        assert_eq!(both.combinations.len(), shipped.combinations.len() + 1);
    }

    #[test]
    fn every_shipped_pattern_has_examples_that_fire() {
        let patterns = GuardrailPatterns::shipped().unwrap();
        let signs = patterns.weak_signs().unwrap();
        let examples = GuardrailPatterns::shipped_examples().unwrap();
        let ids = (patterns.forms.iter().map(|form| &form.id))
            .chain(signs.combinations.iter().map(|combination| &combination.id))
            .chain(patterns.secrets.iter().map(|secret| &secret.id))
            .chain(patterns.command_passwords.iter().map(|command| &command.id))
            .chain(patterns.personal_data.iter().map(|check| &check.id));
        let complete =
            |id: &&String| examples.get(*id).is_some_and(|own| !own.fires.is_empty() && !own.silent.is_empty());
        let (with, without): (Vec<&String>, Vec<&String>) = ids.partition(complete);
        assert_eq!(without, Vec::<&String>::new());
        assert_eq!(with.len(), examples.len(), "an example belongs to no pattern");
    }

    #[test]
    fn a_folder_adds_to_the_shipped_patterns_and_replaces_by_id() {
        let folder = tempfile::tempdir().unwrap();
        let text = "secrets:\n  - id: house-token\n    prefixes: hse_\n    length: [20, 20]\n  - id: github-token\n    \
                    prefixes: [ghp_]\n    length: [5, 5]\n";
        std::fs::write(folder.path().join("house.yaml"), text).unwrap();
        let patterns = GuardrailPatterns::with_folders(&[folder.path().to_owned()]).unwrap();
        assert!(patterns.secrets.iter().any(|secret| secret.id == "house-token"));
        let github: Vec<_> = patterns.secrets.iter().filter(|secret| secret.id == "github-token").collect();
        assert_eq!(github.len(), 1);
        assert_eq!(github[0].length, Some((5, 5)));
    }

    #[test]
    fn a_missing_folder_is_an_error_that_names_it() {
        let error = GuardrailPatterns::with_folders(&[PathBuf::from("no-such-folder")]).unwrap_err();
        assert!(error.to_string().contains("no-such-folder"));
    }
}
