//! The terms of the audit: terminal, Markdown and page call the same thing by the same name.

/// Above the tickets that could not all be read.
pub(super) const CUT: &str = "There are more tickets than the limit; these figures cover only those that were read.";
/// The chart of the scores.
pub(super) const SCORES: &str = "Scores";
/// The table of gaps, and its column of what a rule finds.
pub(super) const GAPS: &str = "What is missing most often";
pub(super) const GAP: &str = "what is missing";
/// A column: how many tickets.
pub(super) const TICKETS: &str = "tickets";
/// A column: in how many tickets a rule blocks.
pub(super) const BLOCKS: &str = "blocks";
/// A column: tickets that show a gap.
pub(super) const EXAMPLES: &str = "for example";
/// A column: the share of the tickets.
pub(super) const SHARE: &str = "share";
/// The table of ages, and its column of the age.
pub(super) const AGES: &str = "Age and score";
pub(super) const AGE: &str = "age";
/// A column: how many tickets are ready.
pub(super) const READY: &str = "ready";
/// A column: the mean of the scores.
pub(super) const MEAN: &str = "mean score";
/// The list of tickets.
pub(super) const WORST: &str = "Worth fixing first";
/// The same where it is estimated which tickets need an answer.
pub(super) const OPEN_FIRST: &str = "Worth opening first";
/// The estimate of how ready the tickets are.
pub(super) const READINESS: &str = "How ready the tickets are";
/// The list of what authors would be asked.
pub(super) const QUESTIONS: &str = "What authors would be asked";
