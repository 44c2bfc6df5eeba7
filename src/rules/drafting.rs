//! The words by which an author by rules tells what a source demands from what it merely mentions.

use crate::text::cues::cues;

cues! {
    /// What a sentence of a source does; each has a data file of its name under `rubrics/drafting/`.
    DraftingCue:
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
