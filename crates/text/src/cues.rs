//! Cues: the closed set of word lists with which a sentence is read. The data file of each gives its purpose.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::lexicon::TermList;
use super::words::Matching;

reqgate_base::named! {
    /// A word list for reading a sentence; each has a data file of its name under `rubrics/vocabulary/`.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
    pub enum Cue {
        /// People and roles who use or run a system.
        Actor => "actor",
        /// Opening of a user story: "as a".
        StoryRole => "story-role",
        /// Words of a need or a wish.
        Need => "need",
        /// A reason or a purpose.
        Benefit => "benefit",
        /// Present trouble: manual work, complaints, losses.
        Pain => "pain",
        /// Conditions: when, if, after, unless.
        Condition => "condition",
        /// Behaviour of a system that can be observed.
        Observable => "observable",
        /// Must, shall, only, never.
        Obligation => "obligation",
        /// A bound on a value: at most, within, no later than.
        Bound => "bound",
        /// Words that promise quality and cannot be checked.
        Vague => "vague",
        /// Phrases that look like a criterion and have no content.
        Empty => "empty",
        /// Steps of the team's own process: review, tests, documentation.
        Process => "process",
        /// The speaker is not sure.
        Hedge => "hedge",
        /// Left open: TBD, not decided.
        Open => "open",
        /// A default is agreed, or the open point does not matter.
        Settled => "settled",
        /// Words that announce a decision.
        Decision => "decision",
        /// Something decided is taken back.
        Withdrawal => "withdrawal",
        /// Errors, limits, refusals, absences.
        Failure => "failure",
        /// Signs of a bug.
        Symptom => "symptom",
        /// Behaviour that should have happened.
        Expectation => "expectation",
        /// Names of systems, browsers, devices, and the word version.
        Platform => "platform",
        /// Actions on a user interface or in a shell.
        StepVerb => "step-verb",
        /// Words that fill a step or an expectation without saying anything.
        Generic => "generic",
        /// Asking for help or information.
        Asking => "asking",
        /// Chores of a team: upgrades, clean-ups, rotations.
        Chore => "chore",
        /// Verbs that begin the title of a piece of work.
        TitleVerb => "title-verb",
        /// Improving something as the demand itself.
        Improve => "improve",
        /// Accounts of how things are or were, not how they shall be.
        Narrative => "narrative",
        /// The substance is somewhere else: attachment, call, older ticket.
        Elsewhere => "elsewhere",
        /// Greetings, thanks and signatures.
        Aside => "aside",
        /// The speaker speaks of himself or his team.
        FirstPerson => "first-person",
        /// Text of a form that was not filled in.
        Placeholder => "placeholder",
        /// Words about faults in a title or text: bug, regression.
        BugWord => "bug-word",
        /// Words that ask for something new: feature, support, allow.
        FeatureWord => "feature-word",
        /// Words of meetings: minutes, agenda, attendees.
        MeetingWord => "meeting-word",
        /// Words of requirement documents: PRD, functional requirements.
        DocumentWord => "document-word",
        /// Works on one machine or at one time and not another; frequency of a fault.
        Frequency => "frequency",
        /// Something is proposed or weighed, not decided.
        Proposal => "proposal",
        /// Behaviour that is demanded outright.
        Wanted => "wanted",
        /// Words of a fault, the weak ones too.
        Fault => "fault",
        /// The writer explains, guesses or proposes a fix.
        Explanation => "explanation",
        /// Openings of a line that reports an observation.
        Observing => "observing",
        /// Verbs by which a step begins.
        Imperative => "imperative",
        /// The writer is stuck with their own program and asks for help.
        HelpSeeking => "help-seeking",
        /// The writer's own program, machine or data.
        OwnWork => "own-work",
        /// A proposed change, or its benefit.
        Wish => "wish",
        /// Words that only a report of a fault uses.
        Malfunction => "malfunction",
        /// It worked before, elsewhere or in another version.
        ChangedSince => "changed-since",
        /// Signs of a writer who works on the program itself.
        Insider => "insider",
    }
}

/// A word list as it is written, for a cue or for code (`rubrics/words/`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WordListFile {
    /// Its name; for a cue, one of those that the program knows.
    #[serde(alias = "cue")]
    pub id: String,
    /// The purpose of the list, in one sentence.
    pub purpose: String,
    /// The way in which its words are compared with a text. Those of a cue are terms: whole words, with `~` and `*` for endings.
    #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
    pub matching: Option<Matching>,
    /// The terms in English.
    #[serde(default, deserialize_with = "super::lexicon::words")]
    pub en: Vec<String>,
    /// The terms in Chinese.
    #[serde(default, deserialize_with = "super::lexicon::words")]
    pub zh: Vec<String>,
    /// Longer phrases in which a term does not count.
    #[serde(default, deserialize_with = "super::lexicon::words")]
    pub except: Vec<String>,
    /// Sentences with and without a hit; they are the list's tests.
    #[serde(default)]
    pub examples: WordListExamples,
}

impl WordListFile {
    /// The terms of the list.
    pub(crate) fn terms(self) -> TermList {
        TermList { en: self.en, zh: self.zh, except: self.except }
    }
}

/// Sentences that test a list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct WordListExamples {
    /// Sentences in which the list must be found.
    #[serde(alias = "hit")]
    pub fires: Vec<String>,
    /// Sentences in which it must not.
    #[serde(alias = "miss")]
    pub silent: Vec<String>,
}

/// The word lists of all cues; a cue without a file has none.
#[derive(Debug, Clone, Default)]
pub struct Vocabulary {
    lists: BTreeMap<Cue, TermList>,
}

impl Vocabulary {
    /// Adds the terms of a file to its cue; a user's file extends the shipped one.
    pub fn add(&mut self, cue: Cue, file: WordListFile) {
        self.lists.entry(cue).or_default().add(file.terms());
    }

    /// One list per cue, in the order of `Cue::ALL`.
    pub(crate) fn lists(&self) -> impl Iterator<Item = &TermList> {
        static NONE: TermList = TermList { en: Vec::new(), zh: Vec::new(), except: Vec::new() };
        Cue::ALL.iter().map(|cue| self.lists.get(cue).unwrap_or(&NONE))
    }
}

/// A set of cues.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CueSet(u64);

impl CueSet {
    /// Adds a cue to the set.
    pub(crate) fn insert(&mut self, cue: Cue) {
        self.0 |= 1 << (cue as u64);
    }

    /// Removes a cue from the set.
    pub(crate) fn remove(&mut self, cue: Cue) {
        self.0 &= !(1 << (cue as u64));
    }

    /// Returns true if the cue is in the set.
    pub fn has(self, cue: Cue) -> bool {
        self.0 & (1 << (cue as u64)) != 0
    }

    /// Returns true if any of the cues is in the set.
    pub fn any(self, cues: &[Cue]) -> bool {
        cues.iter().any(|cue| self.has(*cue))
    }
}
