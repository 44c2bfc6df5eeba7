//! The PRD workflow: brief → requirements → gaps → PRD, with every decision made by a person.
//!
//! A thread passes the nodes of [`PrdNode`] along the table of edges in this file. The steps are pure functions from the
//! state ([`PrdState`]) to changes of the state, and to a call, a question or the next edge. Requirements are not part
//! of the state: their file is the source of truth, and every step reads it again.
//!
//! In the order in which a thread passes them:
//!
//! | nodes | file | question to a person |
//! |---|---|---|
//! | `Initialization` | `opening`, `steps` | – |
//! | `Clarification` | `steps/clarification` | the gate's questions about the sources, if the rules write the drafts |
//! | `BriefGeneration` | `steps/brief` | – |
//! | `BriefReview`, `BriefUpdate` | `brief_review`, `steps/brief` | approve the brief, or request changes (repeated) |
//! | `BriefFinalization` | `steps/brief` | – |
//! | `InitialRequirements` | `steps/requirements` | – |
//! | `RequirementsReview` | `asks`, `steps/requirements` | a verdict on each requirement, and on changes by hand (`by_hand`) |
//! | `RequirementsUpdate` | `decisions`, `steps/requirements` | – |
//! | `GapAnalysis` | `gap_decision`, `steps/requirements` | close the gaps, or continue; not asked without gaps |
//! | `IterationControl`, `GapRequirements` | `steps/requirements` | – (another round returns to `RequirementsReview`) |
//! | `RequirementsFinalization` | `steps` | – |
//! | `PrdGeneration` | `steps/prd` | – |
//! | `PrdReview`, `PrdUpdate` | `asks`, `steps/prd`, `revision`, `modification` | approve the PRD, or request changes (repeated) |
//! | `PrdFinalization` | `steps/prd`, `taken_out` | – |
//!
//! The flow of a team replaces everything after `Initialization`; its steps are in `team/steps`:
//!
//! | nodes | file | question to a person |
//! |---|---|---|
//! | `Clarification` | `vision` | the vision, if neither the request nor a source has one |
//! | `Outline`, `OutlineReview` | `team/steps`, `team/asks` | approve the outline, if the settings require it |
//! | `Research` | `team/searching`, `team/findings`, `team/second_research` | – |
//! | `TeamDraft`, `TeamDraftReview` | `team/steps`, `team/asks` | approve the draft, if required or written without a reader |
//! | `Critique` | `team/critics`, `team/contradictions` | – |
//! | `Revision`, `RevisionReview` | `team/revision`, `team/asks` | approve the revision, if required or written without a reader |
//! | `FinalReview` | `team/steps`, `team/asks` | approve the final document, if required or if critics or gate do not approve |
//! | `Export` | `team/files` | – |
//!
//! A person is also asked when a loop has used up its rounds, or an order its attempts. Other files:
//!
//! - `state`: the state of a thread and its changes; `settings`: the author of the drafts.
//! - `work`: the calls that steps make; `executor` performs them, and `orders`, `citable` and `doubts` check the drafts.
//! - `documents`: the JSON documents of questions, orders and threads.
//! - `amendment`: changes from outside the steps, such as further sources or a revision of an approved PRD.
//! - `claims`: the approvals that an imported archive claims, and the files that a thread may write.

mod amendment;
mod answer_checks;
mod asks;
mod assigned;
mod authors;
mod brief_review;
mod by_hand;
mod citable;
mod claims;
mod decisions;
mod document_files;
mod documents;
mod doubts;
mod edited;
mod executor;
mod facts;
mod gap_decision;
mod in_chinese;
mod modification;
mod opening;
mod orders;
mod revision;
mod settings;
mod state;
mod statements;
mod steps;
mod taken_out;
pub mod team;
mod vision;
mod work;

pub use amendment::{
    Amendment, AnsweredLater, By, OnDisk, answered_later, asked_at_approval, edited_since_approval, further_sources,
    other_author, revision,
};
pub(crate) use answer_checks::reply_to;
pub use asks::{Others, PrdAsk, PrdReview, PrdReviewAnswer, RequirementsReview, RequirementsReviewAnswer, has_blanks};
pub use authors::{Agent, Author, ModelAuthors};
pub use brief_review::{BriefReview, BriefReviewAnswer};
pub use by_hand::{ChangedByHand, HandChange};
pub use claims::{Approved, Claim, claims, current_prd, documents_of, drafts_of};
pub use documents::{AskDocument, Effort, OpenOrder, OrderDocument, PrdAnswer, ThreadDocument};
pub use doubts::{Doubted, doubt_in_words};
pub use executor::PrdExecutor;
pub use facts::{GateSummary, JudgedDocument, SourceText, verdict_in_words};
pub use gap_decision::{GapDecision, GapDecisionAnswer};
pub use in_chinese::{node_in_words, step_in_chinese};
pub use modification::PrdModification;
pub use opening::{document_on_disk, free_id, masked, screened, thread_title, workspace};
pub(crate) use orders::verify_own;
pub use settings::{DraftSettings, Writer};
pub use state::{PrdPatch, PrdState};
pub(crate) use steps::filled_brief;
pub use team::{
    AskPoint, Checkpoint, SecondReader, TeamOptions, TeamPatch, TeamReview, TeamReviewAnswer, TeamSearch, TeamSettings,
    TeamState,
};
pub use work::{DraftStep, PrdCall, WorkOrder};

use reqgate_flow::{Edge, edge, end, loop_edge};

/// The maximum number of rounds of a loop before a person is asked.
const ROUNDS: u32 = 5;
/// The same for the revisions that critics want, whose own limit is lower as it ships.
const REVISIONS: u32 = 20;

reqgate_flow::names! {
    /// The steps.
    pub enum PrdNode {
        /// Checks the input of the run and creates its directory.
        Initialization => "initialization" | "magiInitialization",
        /// Asks the questions of the gate about the sources, or for the vision of a team's product.
        Clarification => "clarification",
        /// Has the brief written.
        BriefGeneration => "featureBriefGeneration",
        /// Has the brief reviewed.
        BriefReview => "featureBriefReview",
        /// Has the brief changed as its review says.
        BriefUpdate => "featureBriefUpdate",
        /// Writes the approved brief.
        BriefFinalization => "featureBriefFinalization",
        /// Extracts the first requirements from the brief.
        InitialRequirements => "initialRequirementsGeneration",
        /// Has every requirement reviewed.
        RequirementsReview => "requirementsReview",
        /// Puts the decisions into the file of requirements.
        RequirementsUpdate => "requirementsUpdate",
        /// Compares the requirements with the brief.
        GapAnalysis => "gapAnalysis",
        /// Decides whether another round is needed.
        IterationControl => "requirementsIterationControl",
        /// Extracts requirements that close the gaps.
        GapRequirements => "gapRequirementsGeneration",
        /// Marks the requirements as approved.
        RequirementsFinalization => "requirementsFinalization",
        /// Puts the PRD together.
        PrdGeneration => "prdGeneration",
        /// Has the PRD reviewed.
        PrdReview => "prdReview",
        /// Has the PRD changed as its review says.
        PrdUpdate => "prdUpdate",
        /// Writes the approved PRD.
        PrdFinalization => "prdFinalization",
        /// Has the outline of a team's PRD written.
        Outline => "outlineGeneration",
        /// Has the outline approved.
        OutlineReview => "outlineReview",
        /// Has sources looked for and read: market, competitors, users.
        Research => "research",
        /// Has the first draft written.
        TeamDraft => "draftGeneration",
        /// Has the first draft approved.
        TeamDraftReview => "draftReview",
        /// Has the draft read by three critics, and decides whether it is revised.
        Critique => "critique",
        /// Has the draft revised.
        Revision => "revision",
        /// Has the revision approved.
        RevisionReview => "revisionReview",
        /// Has a person decide about the draft to deliver.
        FinalReview => "finalReview",
        /// Writes every document of the team.
        Export => "export",
        /// The end.
        Finalization => "finalization",
        /// Says what went wrong.
        Failure => "failure",
    }
}

reqgate_flow::names! {
    /// The labels that the steps return.
    pub enum PrdLabel {
        /// On to the next step.
        Next => "next",
        /// On with the flow of a team.
        Team => "team",
        /// On with the critics of a draft that a person supplied.
        Drafted => "drafted",
        /// It cannot be done.
        Failed => "errors",
        /// A person approved.
        Approved => "approved",
        /// A person wants changes.
        Changes => "changes",
        /// The approved text is not the one that was judged or shown.
        Changed => "changed meanwhile",
        /// The sources of the PRD have changed since it was generated.
        Stale => "sources changed",
        /// A person wants no further rounds.
        Enough => "enough",
        /// Another round.
        Iterate => "iterate",
        /// No other round.
        Proceed => "proceed",
    }
}

/// The PRD workflow, with two flows: documents one after another, or the rounds of a [`team`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PrdWorkflow;

/// The table of edges.
const EDGES: &[Edge<PrdNode, PrdLabel>] = &[
    edge(PrdNode::Initialization, PrdLabel::Next, PrdNode::Clarification),
    edge(PrdNode::Initialization, PrdLabel::Team, PrdNode::Outline),
    edge(PrdNode::Initialization, PrdLabel::Drafted, PrdNode::Critique),
    edge(PrdNode::Initialization, PrdLabel::Failed, PrdNode::Failure),
    edge(PrdNode::Clarification, PrdLabel::Next, PrdNode::BriefGeneration),
    edge(PrdNode::Clarification, PrdLabel::Team, PrdNode::Outline),
    edge(PrdNode::BriefGeneration, PrdLabel::Next, PrdNode::BriefReview),
    edge(PrdNode::BriefReview, PrdLabel::Approved, PrdNode::BriefFinalization),
    loop_edge(PrdNode::BriefReview, PrdLabel::Changes, PrdNode::BriefUpdate, ROUNDS),
    edge(PrdNode::BriefUpdate, PrdLabel::Next, PrdNode::BriefReview),
    edge(PrdNode::BriefFinalization, PrdLabel::Next, PrdNode::InitialRequirements),
    edge(PrdNode::InitialRequirements, PrdLabel::Next, PrdNode::RequirementsReview),
    edge(PrdNode::RequirementsReview, PrdLabel::Next, PrdNode::RequirementsUpdate),
    loop_edge(PrdNode::RequirementsUpdate, PrdLabel::Changed, PrdNode::RequirementsReview, ROUNDS),
    edge(PrdNode::RequirementsUpdate, PrdLabel::Enough, PrdNode::RequirementsFinalization),
    edge(PrdNode::RequirementsUpdate, PrdLabel::Next, PrdNode::GapAnalysis),
    edge(PrdNode::GapAnalysis, PrdLabel::Next, PrdNode::IterationControl),
    loop_edge(PrdNode::IterationControl, PrdLabel::Iterate, PrdNode::GapRequirements, ROUNDS),
    edge(PrdNode::IterationControl, PrdLabel::Proceed, PrdNode::RequirementsFinalization),
    edge(PrdNode::GapRequirements, PrdLabel::Next, PrdNode::RequirementsReview),
    edge(PrdNode::GapRequirements, PrdLabel::Proceed, PrdNode::RequirementsFinalization),
    edge(PrdNode::RequirementsFinalization, PrdLabel::Next, PrdNode::PrdGeneration),
    edge(PrdNode::PrdGeneration, PrdLabel::Next, PrdNode::PrdReview),
    edge(PrdNode::PrdReview, PrdLabel::Approved, PrdNode::PrdFinalization),
    loop_edge(PrdNode::PrdReview, PrdLabel::Changes, PrdNode::PrdUpdate, ROUNDS),
    edge(PrdNode::PrdUpdate, PrdLabel::Next, PrdNode::PrdReview),
    loop_edge(PrdNode::PrdFinalization, PrdLabel::Changed, PrdNode::PrdReview, ROUNDS),
    loop_edge(PrdNode::PrdFinalization, PrdLabel::Stale, PrdNode::PrdGeneration, ROUNDS),
    edge(PrdNode::PrdFinalization, PrdLabel::Next, PrdNode::Finalization),
    edge(PrdNode::Outline, PrdLabel::Next, PrdNode::OutlineReview),
    edge(PrdNode::OutlineReview, PrdLabel::Approved, PrdNode::Research),
    loop_edge(PrdNode::OutlineReview, PrdLabel::Changes, PrdNode::Outline, ROUNDS),
    edge(PrdNode::Research, PrdLabel::Next, PrdNode::TeamDraft),
    edge(PrdNode::TeamDraft, PrdLabel::Next, PrdNode::TeamDraftReview),
    edge(PrdNode::TeamDraftReview, PrdLabel::Approved, PrdNode::Critique),
    loop_edge(PrdNode::TeamDraftReview, PrdLabel::Changes, PrdNode::Revision, ROUNDS),
    loop_edge(PrdNode::Critique, PrdLabel::Iterate, PrdNode::Revision, REVISIONS),
    edge(PrdNode::Critique, PrdLabel::Proceed, PrdNode::FinalReview),
    edge(PrdNode::Revision, PrdLabel::Next, PrdNode::RevisionReview),
    loop_edge(PrdNode::Revision, PrdLabel::Iterate, PrdNode::Revision, REVISIONS),
    edge(PrdNode::Revision, PrdLabel::Enough, PrdNode::FinalReview),
    edge(PrdNode::RevisionReview, PrdLabel::Approved, PrdNode::Critique),
    loop_edge(PrdNode::RevisionReview, PrdLabel::Changes, PrdNode::Revision, ROUNDS),
    edge(PrdNode::FinalReview, PrdLabel::Approved, PrdNode::Export),
    loop_edge(PrdNode::FinalReview, PrdLabel::Changes, PrdNode::Revision, ROUNDS),
    loop_edge(PrdNode::FinalReview, PrdLabel::Changed, PrdNode::Critique, ROUNDS),
    loop_edge(PrdNode::FinalReview, PrdLabel::Iterate, PrdNode::FinalReview, ROUNDS),
    edge(PrdNode::Export, PrdLabel::Next, PrdNode::Finalization),
    end(PrdNode::Finalization, PrdLabel::Next),
    end(PrdNode::Failure, PrdLabel::Next),
];

#[cfg(test)]
mod tests {
    use super::{PrdLabel, PrdNode, PrdWorkflow};
    use reqgate_flow::{GraphFault, Name, Workflow, hash};

    /// The edges of the flow of documents are those of threads that were begun before there were teams, apart from the former name of the
    /// first step.
    #[test]
    fn the_graph_extends_the_one_before() {
        let graph = PrdWorkflow::graph();
        let json = graph.json();
        let is_ours =
            |node: &str| PrdNode::ALL.iter().any(|one| super::team::steps::is_ours(*one) && one.name() == node);
        let words = |edge: &serde_json::Value, key: &str| match edge[key].as_str().unwrap_or_default() {
            "initialization" => "magiInitialization".to_owned(),
            name => name.to_owned(),
        };
        let before: Vec<String> = json["edges"]
            .as_array()
            .expect("edges")
            .iter()
            .filter(|edge| {
                !is_ours(&words(edge, "from"))
                    && ![PrdLabel::Team.name(), PrdLabel::Drafted.name()].contains(&words(edge, "label").as_str())
            })
            .map(|edge| {
                let budget = edge["budget"].as_u64();
                format!("{} {} {} {budget:?}", words(edge, "from"), words(edge, "label"), words(edge, "to"))
            })
            .collect();
        let table = format!("{} {} magiInitialization\n{}", graph.workflow, graph.version, before.join("\n"));
        assert_eq!(PrdWorkflow::EXTENDS[0], hash(table.as_bytes()));
    }

    #[test]
    fn the_graph_is_sound() {
        assert_eq!(PrdWorkflow::graph().faults(), Vec::<GraphFault>::new());
    }
}
