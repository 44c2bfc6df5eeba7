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
    /// Kebab-case id that names what is there, e.g. `steps`.
    #[garde(length(min = 1))]
    pub id: String,
    /// The kinds of document in which it is looked for. None: it tells the kind itself, before the text is judged.
    #[garde(skip)]
    #[serde(default)]
    pub profiles: Vec<Profile>,
    /// What it means that the facet is there, in one sentence.
    #[garde(length(min = 8))]
    pub summary: String,
    /// Log-odds of the facet before anything is read.
    #[garde(range(min = -10.0, max = 10.0))]
    pub bias: f64,
    /// What speaks for it or against it.
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
    /// The facet is likely there.
    #[serde(default, alias = "there")]
    pub fires: Vec<String>,
    /// It is not.
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
    /// What it shows, in a few words.
    #[garde(length(min = 4))]
    pub says: String,
    /// What it adds to the log-odds where it is seen in full; negative where it speaks against the facet.
    #[garde(range(min = -10.0, max = 10.0))]
    pub weight: f64,
    /// How it is seen.
    #[garde(skip)]
    pub seen: Seen,
}

/// How a sign is seen. Exactly one way.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Seen {
    /// By its form: something that is counted in code.
    Measure(Measure),
    /// By a cue of the vocabulary.
    Cue {
        /// Any of these.
        any: Vec<Cue>,
        /// Where.
        places: Vec<Place>,
        /// So many sentences show it in full; fewer show a part of it. Default 1.
        #[serde(default = "one")]
        full: usize,
    },
    /// By words and phrases, written as in the word list of a rule.
    Terms {
        /// The words.
        list: TermList,
        /// Where.
        places: Vec<Place>,
        /// So many hits show it in full. Default 1.
        #[serde(default = "one")]
        full: usize,
    },
}

fn one() -> usize {
    1
}

/// Where the words of a sign count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    /// In the title.
    Title,
    /// At the beginning of the title, behind a tag or the name of a part.
    TitleStart,
    /// In the author's own sentences and list items, the title left out.
    Prose,
}

macro_rules! measures {
    ($($(#[doc = $doc:literal])+ $name:ident,)+) => {
        /// Something about the form of a text that is counted in code; 0 where it is absent, 1 where it is there in full.
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
    /// Two steps or more stand in a list.
    StepsListed,
    /// There is a heading for steps with nothing, or next to nothing, below it.
    StepsSectionEmpty,
    /// There is a heading for steps, and below it one sentence or two that nobody can follow: no list, no code, few words.
    StepsThin,
    /// What happened was found.
    ActualFound,
    /// What should have happened was found.
    ExpectedFound,
    /// Versions, devices or systems were found.
    EnvironmentFound,
    /// A heading for the environment stands there with nothing below it.
    EnvironmentSectionEmpty,
    /// A number with dots that is a version.
    Version,
    /// The story or another sentence says who needs it.
    ActorFound,
    /// A sentence says what is needed.
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
    /// A link that is no picture.
    Link,
    /// Another ticket, change or commit is named.
    Reference,
    /// A picture.
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
    /// Fields of a form that nobody filled in, five for the full weight.
    EmptyFields,
    /// A number with a unit, or a quoted text that decides.
    Value,
    /// A sentence that says what was decided.
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
    /// Two headings or more of a bug report: steps, what was expected, what happened.
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
