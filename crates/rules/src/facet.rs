//! The content of a facet file: the signs that a text states something, and their weights.

use garde::Validate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Profile;
use reqgate_text::{Cue, ListId, TermList};

/// A facet as written.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct FacetFile {
    /// Kebab-case id that names the facet, e.g. `steps`.
    #[garde(length(min = 1))]
    pub id: String,
    /// The kinds of document in which it is looked for. If empty, the facet determines the kind itself, before the text
    /// is judged.
    #[garde(skip)]
    #[serde(default)]
    pub profiles: Vec<Profile>,
    /// The meaning of the facet, in one sentence.
    #[garde(length(min = 8))]
    pub summary: String,
    /// Log-odds of the facet before anything is read.
    #[garde(range(min = -10.0, max = 10.0))]
    pub bias: f64,
    /// The signs for or against it.
    #[garde(length(min = 1), dive)]
    pub signs: Vec<SignFile>,
    /// Tickets that are its tests.
    #[garde(skip)]
    #[serde(default)]
    pub examples: FacetExamples,
}

/// Tickets that show a facet, and some that do not.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FacetExamples {
    /// The facet is likely present.
    #[serde(default, alias = "there")]
    pub fires: Vec<String>,
    /// It is likely absent.
    #[serde(default, alias = "absent")]
    pub silent: Vec<String>,
}

/// One sign as written.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct SignFile {
    /// Kebab-case id, unique in its facet.
    #[garde(length(min = 1))]
    pub id: String,
    /// The meaning of the sign, in a few words.
    #[garde(length(min = 4))]
    pub says: String,
    /// The contribution to the log-odds of a sign that is fully present; negative if it counts against the facet.
    #[garde(range(min = -10.0, max = 10.0))]
    pub weight: f64,
    /// The way in which the sign is found.
    #[garde(skip)]
    pub seen: Seen,
}

/// The way in which a sign is found. Exactly one way.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Seen {
    /// By its form: something that is counted in code.
    Measure(Measure),
    /// By a cue of the vocabulary.
    Cue {
        /// Any of these cues.
        any: Vec<Cue>,
        /// The places in which the cues count.
        places: Vec<Place>,
        /// So many sentences show it in full; fewer show a part of it. Default 1.
        #[serde(default = "one")]
        full: usize,
    },
    /// By words and phrases, written as in the word list of a rule.
    Terms {
        /// The words of the sign.
        list: TermList,
        /// The places in which the words count.
        places: Vec<Place>,
        /// So many hits show it in full. Default 1.
        #[serde(default = "one")]
        full: usize,
    },
}

fn one() -> usize {
    1
}

/// The place in which the words of a sign count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    /// In the title of the ticket.
    Title,
    /// At the beginning of the title, after a tag or the name of a part.
    TitleStart,
    /// In the author's own sentences and list items, the title left out.
    Prose,
}

macro_rules! measures {
    ($($(#[doc = $doc:literal])+ $name:ident,)+) => {
        /// A property of the form of a text, computed in code; 0 if it is absent, 1 if it is fully present.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "kebab-case")]
        pub enum Measure {
            $($(#[doc = $doc])+ $name,)+
        }
    };
}

measures! {
    /// Steps to reproduce were found.
    StepsFound,
    /// Two or more steps are in a list.
    StepsListed,
    /// A heading for steps has hardly any text below it.
    StepsSectionEmpty,
    /// A heading for steps has one or two sentences below it that are not reproducible: no list, no code, few words.
    StepsThin,
    /// The actual behaviour was found.
    ActualFound,
    /// The expected behaviour was found.
    ExpectedFound,
    /// Versions, devices or systems were found.
    EnvironmentFound,
    /// A heading for the environment has no text below it.
    EnvironmentSectionEmpty,
    /// A number with dots that is a version.
    Version,
    /// The story or another sentence says who needs it.
    ActorFound,
    /// A sentence states the need.
    NeedFound,
    /// A sentence says why.
    BenefitFound,
    /// One statement or more that a tester could tick off.
    OneCriterion,
    /// Two such statements or more.
    TwoCriteria,
    /// Three such statements or more.
    ThreeCriteria,
    /// There are criteria by name, and none of them can be checked.
    HollowCriteria,
    /// A point that was left open and that work waits for.
    OpenPoint,
    /// A program, a command or a configuration in a code block; no trace.
    Program,
    /// Such code of more than 200 characters.
    LongProgram,
    /// A stack trace or an error log.
    Trace,
    /// A stack trace or log, but no program, no list and no steps.
    TraceOnly,
    /// Names of code in the title: `a_b`, `aB`, `a.b()`, backticks.
    TitleNamesCode,
    /// Names of code in title and prose, four for the full weight.
    NamesCode,
    /// Words set as code inside a sentence.
    InlineCode,
    /// Code in which the author left parts out as dots.
    Elided,
    /// A link to something that runs or to a repository.
    ReproductionLink,
    /// A link that is not a picture.
    Link,
    /// Another ticket, change or commit is named.
    Reference,
    /// A picture or a screenshot.
    Picture,
    /// A picture, fewer than 45 words and no program.
    PictureOnly,
    /// Words of the title, seven for the full weight.
    TitleWords,
    /// The title has three words or fewer.
    ShortTitle,
    /// Words of the prose, on a logarithmic scale; 60 for the full weight.
    Words,
    /// Fewer than fifteen words of prose.
    FewWords,
    /// No prose, list or program at all below the title.
    EmptyBody,
    /// The body says hardly a word that the title has not said.
    RestatesTitle,
    /// Two items of a list or more.
    List,
    /// A sentence that names a condition and something particular.
    ParticularCondition,
    /// Sentences that end in a question mark, three for the full weight.
    Questions,
    /// The title ends in a question mark.
    TitleAsks,
    /// A question mark, but not in the title.
    BodyAsks,
    /// Written in haste: a lower-case i, several signs in a row.
    Hasty,
    /// Unfilled fields of a form, five for the full weight.
    EmptyFields,
    /// A number with a unit, or a quoted text that decides.
    Value,
    /// A sentence that states a decision.
    Decision,
    /// By the points of its signs a bug rather than a feature; twelve points for the full weight.
    PointsForBug,
    /// By the points of its signs a feature rather than a bug.
    PointsForFeature,
    /// By the points of its signs a question rather than bug or feature.
    PointsForQuestion,
    /// By the points of its signs a task rather than bug or feature.
    PointsForTask,
    /// The field of an issue form says bug.
    FormSaysBug,
    /// The field of an issue form says feature.
    FormSaysFeature,
    /// The field of an issue form says question or support.
    FormSaysQuestion,
    /// Two headings or more of a bug report: steps, expected behaviour, actual behaviour.
    ReportSections,
    /// The author's last sentence, thanks left out, is a question.
    EndsAsking,
    /// Of the author's sentences below the title most are questions.
    MostlyAsks,
}

/// A facet ready for use.
#[derive(Debug, Clone)]
pub struct FacetModel {
    /// The facet as written.
    pub file: FacetFile,
    /// The word list of each sign, in the order of the file; `None` for signs without one.
    pub lists: Vec<Option<ListId>>,
}

impl FacetModel {
    /// Returns true if the facet determines the kind of a ticket.
    pub fn tells_kind(&self) -> bool {
        self.file.profiles.is_empty()
    }

    /// Returns true if the facet is looked for in this kind of document.
    pub fn reads(&self, profile: Profile) -> bool {
        self.file.profiles.contains(&profile)
    }
}
