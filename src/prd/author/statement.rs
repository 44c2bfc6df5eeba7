//! What is said in a source: one statement with its kind and its place.

use crate::prd::SourceQuote;

/// What a statement does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Nothing for the feature: small talk, a joke, somebody's task, another product.
    Nothing,
    /// What is wrong today.
    Problem,
    /// Somebody wants something.
    Demand,
    /// What is to be reached, named under a heading that says so.
    Goal,
    /// Who uses it.
    User,
    /// What a user does.
    Flow,
    /// How one will see that it worked.
    Measure,
    /// What holds: a rule, a criterion, a limit, a decision.
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
    /// What it does.
    pub kind: Kind,
    /// Its words.
    pub words: String,
    /// The sentence that it stands in.
    pub quote: SourceQuote,
    /// True if it was decided.
    pub decided: bool,
    /// True in minutes and transcripts, where what comes later counts.
    pub in_talk: bool,
    /// True if it stands under a heading for criteria.
    pub is_criterion: bool,
    /// It takes back what these words name, or what was said before where there are none.
    pub takes_back: Option<String>,
    /// It turns down what was asked for just before.
    pub refuses: bool,
    /// It replaces what was said before.
    pub replaces: bool,
    /// It agrees to what somebody else has said just before.
    pub assents: bool,
    /// It leaves open what was said just before.
    pub shelves: bool,
    /// The name of the item of the same source that it takes back: "D5 is cancelled".
    pub withdraws: Option<String>,
    /// The words of the heading that it stands under.
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
