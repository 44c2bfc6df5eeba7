//! The words by which an author by rules tells what a source demands from what it merely mentions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::text::TermList;
use crate::text::cues::WordListExamples;

macro_rules! cues {
    ($($(#[doc = $doc:literal])+ $name:ident = $wire:literal,)+) => {
        /// What a sentence of a source does; each has a data file of its name under `rubrics/drafting/`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
        pub enum DraftingCue {
            $($(#[doc = $doc])+ #[serde(rename = $wire)] $name,)+
        }

        impl DraftingCue {
            /// Every cue, in the order of its number.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];

            /// The name of its data file.
            pub fn name(self) -> &'static str {
                match self { $(Self::$name => $wire,)+ }
            }
        }
    };
}

cues! {
    /// Something said earlier is taken back.
    Retraction = "retraction",
    /// What was said just before is replaced.
    Replacement = "replacement",
    /// A joke or sarcasm.
    Joke = "joke",
    /// Something that happened once.
    PastIncident = "past-incident",
    /// Another product.
    OtherProduct = "other-product",
    /// Words between people.
    SmallTalk = "small-talk",
    /// Something that a person of the team is to do.
    PersonalAction = "personal-action",
    /// Somebody finds something bad.
    Objection = "objection",
    /// How somebody begins who wants something.
    Wish = "wish",
    /// Something is settled.
    Decision = "decision",
    /// Something is proposed or weighed.
    Proposal = "proposal",
    /// Not known yet.
    Open = "open",
    /// Left out on purpose.
    OutOfScope = "out-of-scope",
    /// How one will see that it worked.
    Measure = "measure",
    /// What hurts today.
    Problem = "problem",
    /// It has to be there.
    PriorityHigh = "priority-high",
    /// It should be there.
    PriorityMedium = "priority-medium",
    /// It may be there.
    PriorityLow = "priority-low",
    /// ISO 25010: performance efficiency.
    PerformanceEfficiency = "performance-efficiency",
    /// ISO 25010: reliability.
    Reliability = "reliability",
    /// ISO 25010: security.
    Security = "security",
    /// ISO 25010: interaction capability, with accessibility.
    InteractionCapability = "interaction-capability",
    /// ISO 25010: compatibility.
    Compatibility = "compatibility",
    /// ISO 25010: maintainability.
    Maintainability = "maintainability",
    /// The heading of a flow.
    Flow = "flow",
    /// The heading of a part in which things are weighed.
    Discussion = "discussion",
    /// About the papers and the PRD that is asked for, not about the feature.
    Papers = "papers",
    /// About the work on the feature: its tracker, its build, its estimate, its mail.
    AboutTheWork = "about-the-work",
}

/// The data file of a cue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DraftingFile {
    /// Which cue.
    #[serde(rename = "id", alias = "cue")]
    pub cue: DraftingCue,
    /// What the list is for, in one sentence.
    pub purpose: String,
    /// English terms.
    #[serde(default)]
    pub en: Vec<String>,
    /// Chinese terms.
    #[serde(default)]
    pub zh: Vec<String>,
    /// Longer phrases in which a term does not count.
    #[serde(default)]
    pub except: Vec<String>,
    /// Sentences with and without a hit; they are the list's tests.
    #[serde(default)]
    pub examples: WordListExamples,
}

impl DraftingFile {
    /// Its terms.
    pub fn terms(&self) -> TermList {
        TermList { en: self.en.clone(), zh: self.zh.clone(), except: self.except.clone() }
    }
}
