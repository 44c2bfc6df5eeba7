//! The content of a rule file, and the compiled rule.

use std::sync::OnceLock;

use garde::Validate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Expression;
use super::rubric::{Facet, Profile};
use reqgate_base::model::{Category, Genre, Language, QuestionCode, RuleCard, RuleId, Severity};
use reqgate_base::project::rule_page;
use reqgate_text::{ListId, TermList};

/// A rule as written: one file defines all of it, and its examples are its tests.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct RuleFile {
    /// Kebab-case id that names the fault.
    #[garde(skip)]
    pub id: RuleId,
    /// The category of its findings.
    #[garde(skip)]
    pub category: Category,
    /// The severity of a finding unless a rubric or a configuration sets another.
    #[garde(skip)]
    pub severity: Severity,
    /// The subject of the question that its findings put to the author. Under every policy but `strict`, findings are shown if a reader
    /// would ask about it; without a subject they always are.
    #[garde(skip)]
    #[serde(default)]
    pub asks: Option<QuestionCode>,
    /// The source of the rule, e.g. `INCOSE R7` or `ISO 29148 verifiable`.
    #[garde(skip)]
    #[serde(default)]
    pub source: Option<String>,
    /// Words or structure of the text prove each finding. It is then shown under every policy, even if no reader would
    /// ask about it; if the policy names the rule under `blocks`, it blocks in all demands of the text.
    #[garde(skip)]
    #[serde(default)]
    pub fact: bool,
    /// The user wrote it and it replaces no shipped rule. Its author chose its words, so they are weighed in every ticket.
    #[garde(skip)]
    #[serde(skip)]
    pub is_own: bool,
    /// The kinds of document it reads; all of them if empty.
    #[garde(skip)]
    #[serde(default)]
    pub profiles: Vec<Profile>,
    /// Its wording, per language.
    #[garde(dive)]
    pub wording: Wordings,
    /// The reason why it reads texts of only one language, if so. Its findings are worded in the language of the report anyway.
    #[garde(skip)]
    #[serde(default)]
    pub one_language: Option<String>,
    /// The rule runs only under a policy that names it under `adds`.
    #[garde(skip)]
    #[serde(default)]
    pub only_by_name: bool,
    /// The way in which it finds the fault.
    #[garde(skip)]
    pub detect: Detect,
    /// Facets of `rubrics/facets/` that are present once its findings are mended.
    #[garde(skip)]
    #[serde(default)]
    pub mends: Vec<String>,
    /// Rules that report a part of the same fault: where this rule finds it, their findings are counted but not shown. With `limit: 1`
    /// this rule speaks of the whole text and hides all of theirs. Only a blocker hides a blocker.
    #[garde(skip)]
    #[serde(default)]
    pub covers: Vec<RuleId>,
    /// At most this many findings per text; the first ones count. Default 5.
    #[garde(range(min = 1, max = 50))]
    #[serde(default = "five")]
    pub limit: usize,
    /// Texts that must and must not fire; none for `reader`, which is measured on tickets that people judged.
    #[garde(custom(examples_of(&self.detect)))]
    #[serde(default)]
    pub examples: Examples,
}

impl RuleFile {
    /// Returns true for the general question of a reader about a subject, which no other rule makes more specific.
    pub fn is_general(&self) -> bool {
        matches!(self.detect, Detect::Reader)
    }
}

fn five() -> usize {
    5
}

fn examples_of(detect: &Detect) -> impl FnOnce(&Examples, &()) -> garde::Result + '_ {
    move |examples, ()| match detect {
        Detect::Reader => Ok(()),
        _ if examples.fires.is_empty() || examples.silent.is_empty() => {
            Err(garde::Error::new("a rule needs at least one example that fires and one that is silent"))
        }
        _ => Ok(()),
    }
}

/// The words of a rule in both languages.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct Wordings {
    /// The wording in English.
    #[garde(dive)]
    pub en: Wording,
    /// The wording in Chinese; English is used if it is absent.
    #[garde(dive)]
    #[serde(default)]
    pub zh: Option<Wording>,
}

impl Wordings {
    /// The wording in a language.
    pub fn of(&self, language: Language) -> &Wording {
        match language {
            Language::Zh => self.zh.as_ref().unwrap_or(&self.en),
            Language::En => &self.en,
        }
    }
}

/// The wording of a rule in one language. `{term}`, `{quote}` and the values of the rule itself are filled in.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct Wording {
    /// The fault, in one line, without holes.
    #[garde(length(min = 8))]
    pub summary: String,
    /// The reason why it matters, in one or two sentences.
    #[garde(length(min = 8))]
    pub why: String,
    /// The finding, in one sentence, with holes.
    #[garde(length(min = 4))]
    pub message: String,
    /// The question to put to the author, with holes.
    #[garde(length(min = 4))]
    pub question: String,
    /// The question if the ticket has words that it is about, in the hole `{about}`; only for questions of a reader.
    #[garde(inner(length(min = 4)))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question_about: Option<String>,
    /// The question if the ticket says who decides, in the hole `{owner}`; only for open points.
    #[garde(inner(length(min = 4)))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question_assigned: Option<String>,
    /// The way to mend it, with holes.
    #[garde(length(min = 4))]
    pub fix: String,
}

/// The way in which a rule finds a fault. Exactly one way.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Detect {
    /// Words and phrases, in sentences of the given genres.
    Terms {
        /// The terms to look for.
        list: TermList,
        /// The genres it reads.
        genres: Vec<Genre>,
        /// Conditions under which a hit does not count.
        #[serde(default)]
        unless: Vec<Exemption>,
    },
    /// Regular expressions, in sentences of the given genres.
    Patterns {
        /// The expressions; the first that matches a sentence counts.
        #[serde(alias = "patterns")]
        expressions: Vec<PatternRule>,
        /// The genres it reads.
        genres: Vec<Genre>,
        /// Conditions under which a match does not count.
        #[serde(default)]
        unless: Vec<Exemption>,
    },
    /// A facet that the text should have and has not.
    Missing {
        /// The facet that is missing.
        facet: Facet,
        /// The number that the text should have. Default 1.
        #[serde(default = "one")]
        at_least: usize,
        /// Facets of `rubrics/facets/`: under a policy that decides by evidence they are asked instead of the count, and the
        /// rule is silent if any of them is likely there.
        #[serde(default)]
        unless_likely: Vec<String>,
    },
    /// A careful reader would ask about the subject of the rule, by the estimate.
    Reader,
    /// A check in code, of the rule's own id.
    Check,
    /// A check in code that looks at the places of these words only, and takes no time in a text without them.
    CheckWords {
        /// The terms to look for.
        list: TermList,
    },
}

fn one() -> usize {
    1
}

impl Detect {
    /// The `near` terms of each expression, as term lists.
    pub(crate) fn near(&self) -> impl Iterator<Item = TermList> + '_ {
        let expressions = if let Self::Patterns { expressions, .. } = self { expressions.as_slice() } else { &[] };
        expressions.iter().map(|pattern| TermList { en: pattern.near.clone(), ..TermList::default() })
    }

    /// The term list, for a rule that has one.
    pub(crate) fn terms(&self) -> Option<&TermList> {
        match self {
            Self::Terms { list, .. } | Self::CheckWords { list } => Some(list),
            _ => None,
        }
    }
}

/// A regular expression with its conditions and exceptions.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PatternRule {
    /// The language it reads; both if absent.
    #[serde(default)]
    pub lang: Option<Language>,
    /// The expression (syntax of the `regex` crate, linear time); if it has a group named `term`, that group is shown.
    pub find: String,
    /// Terms, written as in a term list (`show~`, `config*`), of which one must be in the sentence before the
    /// expression is tried; they are looked up with all other terms, so that an expression takes no time if it cannot
    /// match.
    #[serde(deserialize_with = "reqgate_text::lexicon::terms")]
    pub near: Vec<String>,
    /// The genres it reads, if they are fewer than the rule's; the rule's if empty.
    #[serde(default)]
    pub genres: Vec<Genre>,
    /// Reads only requirements in the style of a specification: with "shall", a number, or among requirements.
    #[serde(default)]
    pub formal: bool,
    /// An expression that excuses the sentence.
    #[serde(default)]
    pub unless: Option<String>,
}

/// A condition under which a hit does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Exemption {
    /// The sentence holds a number with a unit or a bound, or a ratio: `within 2 s`, `20 × 20`, `7:1`.
    Measured,
    /// The hit is a part of a name, of a hyphenated word or of several values: `Order Details`, `driver-related`, `low/medium/high`.
    Compound,
    /// The noun after the hit is used elsewhere nearby, too: "the other two panes" where a pane is named before.
    Known,
    /// The hit is in quotation marks or code.
    Quoted,
    /// The hit is in the reason: after "so that", 以便.
    InBenefit,
    /// The sentence also names an observable outcome.
    Observable,
    /// The sentence says how things are today, not how they shall be.
    Narrative,
    /// The sentence is not written in the style of a specification: no "shall", no number, not among the requirements.
    Informal,
    /// The sentence is reported as an open point already.
    OpenPoint,
    /// The hit is in a case that the product handles: "if the size is not decided", 状态为待定.
    Case,
    /// The sentence is set aside: a remark apart from the work, an assumption, a record that is filled in later, or it
    /// states the decision: "open whether yearly or monthly: decided, monthly".
    SetAside,
    /// The hit is in an account of the past: "it was unclear who pays".
    Past,
}

/// The texts that test a rule.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct Examples {
    /// Texts that must fire.
    #[garde(skip)]
    pub fires: Vec<Example>,
    /// Texts that must not fire.
    #[garde(skip)]
    pub silent: Vec<Example>,
}

/// One text that tests a rule.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, Validate)]
#[serde(deny_unknown_fields)]
#[garde(allow_unvalidated)]
pub struct Example {
    /// The text; a sentence, or a whole ticket if the rule looks at the whole.
    pub text: String,
    /// The genre as which every sentence of it is read; found out from the text if absent.
    #[serde(default)]
    pub genre: Option<Genre>,
    /// The kind of document; a feature if absent.
    #[serde(default)]
    pub profile: Option<Profile>,
}

/// A rule ready for use.
#[derive(Debug)]
pub struct Rule {
    /// The rule as written.
    pub file: RuleFile,
    /// Its term list in the lexicon, if it has one.
    pub list: Option<ListId>,
    /// The `near` terms of each expression in the lexicon.
    pub near: Vec<ListId>,
    /// The expressions, compiled on first use: most texts never need most of them, and compiling all would double the start time.
    compiled: Vec<Compiled>,
}

/// An expression and the exception to it, each compiled when a text first needs it.
#[derive(Debug, Default)]
struct Compiled {
    find: OnceLock<Option<Expression>>,
    unless: OnceLock<Option<Expression>>,
}

impl Rule {
    /// Makes a rule from its file.
    pub(crate) fn new(file: RuleFile, list: Option<ListId>, near: Vec<ListId>) -> Self {
        let count = if let Detect::Patterns { expressions, .. } = &file.detect { expressions.len() } else { 0 };
        Self { file, list, near, compiled: (0..count).map(|_| Compiled::default()).collect() }
    }

    /// The expression number `index` of a pattern rule; `None` if it is broken and the file was never checked.
    pub fn expression(&self, index: usize) -> Option<&Expression> {
        let pattern = self.pattern(index)?;
        self.compiled.get(index)?.find.get_or_init(|| Expression::new(&pattern.find)).as_ref()
    }

    /// The exception to the expression number `index`, if it has one; needed only after a match.
    pub fn excuse(&self, index: usize) -> Option<&Expression> {
        let unless = self.pattern(index)?.unless.as_deref()?;
        self.compiled.get(index)?.unless.get_or_init(|| Expression::new(unless)).as_ref()
    }

    fn pattern(&self, index: usize) -> Option<&PatternRule> {
        match &self.file.detect {
            Detect::Patterns { expressions, .. } => expressions.get(index),
            _ => None,
        }
    }

    /// Returns true if the rule reads this kind of document.
    pub fn reads(&self, profile: Profile) -> bool {
        self.file.profiles.is_empty() || self.file.profiles.contains(&profile)
    }

    /// The wording in a language, or in English if it has no other.
    pub fn wording(&self, language: Language) -> &Wording {
        self.file.wording.of(language)
    }

    /// The description of the rule for people.
    pub fn card(&self) -> RuleCard {
        let words = &self.file.wording.en;
        let first = |examples: &[Example]| examples.first().map(|example| example.text.trim().to_string());
        RuleCard {
            id: self.file.id.clone(),
            category: self.file.category,
            severity: self.file.severity,
            summary: words.summary.clone(),
            why: words.why.clone(),
            question: words.question.clone(),
            fix: words.fix.clone(),
            source: self.file.source.clone(),
            bad_example: first(&self.file.examples.fires),
            good_example: first(&self.file.examples.silent),
            precision: None,
            page: (!self.file.is_own).then(|| rule_page(&self.file.id)),
        }
    }
}
