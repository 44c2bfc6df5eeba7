//! A statement in a source, with its kind and its place.

use crate::prd::SourceQuote;

/// The kind of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Nothing for the feature: small talk, a joke, somebody's task, another product.
    Nothing,
    /// A problem today.
    Problem,
    /// Somebody wants something.
    Demand,
    /// A goal, under a heading for goals.
    Goal,
    /// A user.
    User,
    /// A user flow.
    Flow,
    /// A measure of success.
    Measure,
    /// A rule, a criterion, a limit or a decision.
    Rule,
    /// Left out on purpose.
    OutOfScope,
    /// Not known yet.
    Question,
    /// Weighed, not settled.
    Proposal,
}

impl Kind {
    /// True for what may become a requirement.
    pub fn demands(self) -> bool {
        matches!(self, Self::Demand | Self::Rule | Self::Flow)
    }
}

/// One statement of a source.
#[derive(Debug, Clone)]
pub struct Said {
    /// The kind.
    pub kind: Kind,
    /// Its words.
    pub words: String,
    /// The sentence that contains it.
    pub quote: SourceQuote,
    /// True if it was decided.
    pub decided: bool,
    /// True in minutes and transcripts, where later statements win.
    pub in_talk: bool,
    /// True under a heading for criteria.
    pub is_criterion: bool,
    /// It withdraws the statement named by these words, or the previous one if they are empty.
    pub takes_back: Option<String>,
    /// It rejects the request just before it.
    pub refuses: bool,
    /// It replaces the previous statement.
    pub replaces: bool,
    /// It agrees with the previous statement of another person.
    pub assents: bool,
    /// It leaves the previous statement open.
    pub shelves: bool,
    /// The name of the item of the same source that it takes back: "D5 is cancelled".
    pub withdraws: Option<String>,
    /// The heading above it.
    pub heading: Option<String>,
}

impl Said {
    /// A rule that a document states, by itself.
    pub fn stated(words: &str, source: &str) -> Self {
        let quote = SourceQuote { source: source.to_owned(), line: 1, quote: words.to_owned() };
        Self {
            kind: Kind::Rule,
            words: words.to_owned(),
            quote,
            decided: false,
            in_talk: false,
            is_criterion: false,
            takes_back: None,
            refuses: false,
            replaces: false,
            assents: false,
            shelves: false,
            withdraws: None,
            heading: None,
        }
    }
}
