//! The plan of a feature: user stories that realise its approved requirements, and the order of their work.
//!
//! | part | who |
//! |---|---|
//! | stories | a reader writes them ([`WrittenStories`]), and [`problems`] checks what they hand in; or [`collected`] takes one from each requirement |
//! | order | computed: [`ordered`] gives waves and the critical path, or the reason why there are none |
//! | verdicts | the gate judges each story ([`judged`]) |
//! | documents | code: Markdown, Mermaid, text for a terminal, files for spec-kit and OpenSpec, issues on GitHub and in Jira |
//!
//! Nothing is invented: a complexity that nobody has given is `null` and is counted as such.

mod approved;
mod by_story;
mod checks;
mod collected;
mod document;
mod export;
mod human;
mod inputs;
pub mod issues;
mod mermaid;
mod order;
mod story;
#[cfg(test)]
mod tests;
mod verdict;
mod work;

pub use approved::{Approved, NotApproved};
pub use checks::{Flag, problems};
pub use collected::{NotPlannable, collected};
pub use document::markdown;
pub use export::{ExportError, ExportedFile, openspec, spec_kit};
pub use human::human;
pub use inputs::{ApprovedRequirement, StoryInputs};
pub use mermaid::mermaid;
pub use order::{Order, OrderError, Task, ordered};
pub use story::{
    Architecture, ChangedFile, DatabaseModel, Endpoint, HttpMethod, LeftOut, NewFile, PlanRisk, RiskImpact, Story,
    StoryStatus, StoryWords, TechnicalDetails, WrittenStories,
};
pub use verdict::{StoryVerdict, judged};
pub use work::WRITE_STORIES;

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::RequirementPriority;
use reqgate_base::model::Language;
use reqgate_messages as messages;
use reqgate_orders::Sources;

/// The name and version of the machine form.
pub const SCHEMA: &str = "reqgate/plan/v1";

/// A plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ExecutionPlan {
    /// `reqgate/plan/v1`.
    pub schema: String,
    /// The head.
    pub frontmatter: PlanFrontmatter,
    /// True if a reader wrote the stories; false where each was taken from one requirement.
    pub written_by_reader: bool,
    /// True if only approved requirements count; false for a document that records no decisions, which counts as a whole.
    pub approved_only: bool,
    /// The totals.
    pub summary: PlanSummary,
    /// The stories in the order of work, in short.
    pub story_index: Vec<StoryIndexEntry>,
    /// The waves.
    pub waves: Vec<Wave>,
    /// Who builds which story, where somebody has said so.
    pub agent_assignments: Vec<AgentAssignment>,
    /// What could go wrong, where a reader has named it.
    pub risks: Vec<PlanRisk>,
    /// How to go back, where a reader has said so.
    pub rollback_plan: Vec<String>,
    /// The stories in the order of work, whole.
    pub stories: Vec<PlannedStory>,
    /// Approved requirements that no story realises, each with the reason.
    pub left_out: Vec<LeftOut>,
    /// The language of the words.
    pub language: Language,
}

/// The head of a plan.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanFrontmatter {
    /// The project, where somebody has given it a key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_id: Option<String>,
    /// The feature, where the requirements name it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feature_id: Option<String>,
    /// Its name.
    pub title: String,
    /// `pending` until a story is begun, `complete` once all are.
    pub status: StoryStatus,
    /// The number of stories.
    pub total_stories: usize,
    /// The sum of the complexities that somebody has given.
    pub total_complexity: u32,
    /// The number of waves.
    pub total_waves: usize,
    /// The day on which it was first written, `YYYY-MM-DD`.
    pub created: String,
    /// The day on which it was written last, `YYYY-MM-DD`.
    pub updated: String,
    /// The person responsible for it; empty where nobody is named.
    pub owner: String,
}

/// The totals of a plan.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PlanSummary {
    /// The number of stories.
    pub total_stories: usize,
    /// The sum of the complexities that somebody has given.
    pub total_complexity: u32,
    /// The stories whose complexity nobody has given; each counts as 1 on the critical path.
    pub stories_without_complexity: usize,
    /// The number of waves.
    pub waves: usize,
    /// A heaviest chain of stories, each of which needs the one before.
    pub critical_path: Vec<String>,
    /// The sum of their complexities; an unknown one counts as 1.
    pub critical_complexity: u64,
    /// How long it will take: `null`, because nobody can compute days from complexities.
    pub estimated_duration: Option<String>,
}

/// A story in short.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StoryIndexEntry {
    /// The wave, from 1.
    pub wave: usize,
    /// The story.
    pub story_id: String,
    /// Its name.
    pub title: String,
    /// Its epic.
    pub epic_id: String,
    /// The stories that must be finished before.
    pub dependencies: Vec<String>,
    /// From 1 to 10; `null` where nobody has said.
    pub complexity: Option<u8>,
    /// The state of its work.
    pub status: StoryStatus,
}

/// Stories that can be built once those of the wave before are finished.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Wave {
    /// Its number, from 1.
    pub wave_number: usize,
    /// Its name.
    pub name: String,
    /// Its stories.
    pub stories: Vec<String>,
    /// The sum of the complexities that somebody has given.
    pub complexity: u32,
    /// The stories of earlier waves that it needs, between commas; empty for the first wave.
    pub dependencies: String,
    /// Whether its stories can be built at the same time.
    pub execution: Execution,
    /// The work on each of its stories.
    pub tasks: Vec<WaveTask>,
}

/// Whether stories can be built at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Execution {
    /// At the same time: none needs another, and no two name the same file.
    Parallel,
    /// One after the other.
    Sequential,
}

/// The work on a story.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WaveTask {
    /// The story.
    pub story_id: String,
    /// Its name.
    pub task: String,
    /// Who builds it; empty where nobody has said.
    pub agent: String,
    /// The number of files that it names.
    pub estimated_files: usize,
}

/// Who builds a story.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AgentAssignment {
    /// The wave, from 1.
    pub wave: usize,
    /// The story.
    pub story_id: String,
    /// The person or agent.
    pub subagent_type: String,
}

/// A story with what was computed about it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlannedStory {
    /// The story.
    #[serde(flatten)]
    pub story: Story,
    /// The wave, from 1.
    pub wave: usize,
    /// The verdict of the gate; `null` if it was not judged.
    pub verdict: Option<StoryVerdict>,
    /// Blanks and unproven figures in its criteria.
    pub flags: Vec<Flag>,
}

/// The head of a plan before anything is computed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlanHead {
    /// The project, where somebody has given it a key.
    pub project_id: Option<String>,
    /// The feature, where the requirements name it.
    pub feature_id: Option<String>,
    /// Its name.
    pub title: String,
    /// The person responsible for it; empty where nobody is named.
    pub owner: String,
    /// The day on which it was first written, `YYYY-MM-DD`.
    pub created: String,
    /// Today, `YYYY-MM-DD`.
    pub today: String,
}

/// The requirements that a plan is for.
#[derive(Debug, Clone, Copy)]
pub struct Demand<'d> {
    /// The approved ones.
    pub approved: Approved<'d>,
    /// The text that they were read from.
    pub text: &'d str,
}

/// Computes the plan of stories that pass [`problems`]. `judge` gives the verdict on each.
///
/// # Errors
/// Fails if stories wait for each other, or depend on one that does not exist.
pub fn plan(
    head: PlanHead,
    demand: Demand<'_>,
    written: WrittenStories,
    written_by_reader: bool,
    judge: impl Fn(&Story) -> Option<StoryVerdict>,
) -> Result<ExecutionPlan, OrderError> {
    let language = demand.approved.language();
    let order = ordered(&checks::tasks(&written.stories))?;
    let ids = |list: &[usize]| list.iter().map(|at| written.stories[*at].story_id.clone()).collect::<Vec<_>>();
    let sum =
        |list: &[usize]| -> u32 { list.iter().filter_map(|at| written.stories[*at].complexity).map(u32::from).sum() };
    let all: Vec<usize> = order.waves.iter().flatten().copied().collect();
    let summary = PlanSummary {
        total_stories: all.len(),
        total_complexity: sum(&all),
        stories_without_complexity: written.stories.iter().filter(|story| story.complexity.is_none()).count(),
        waves: order.waves.len(),
        critical_path: ids(&order.critical_path),
        critical_complexity: order.critical_weight,
        estimated_duration: None,
    };
    let waves = order.waves.iter().zip(1..).map(|(wave, number)| Wave {
        wave_number: number,
        name: messages::Plan::of(language).wave(&number),
        stories: ids(wave),
        complexity: sum(wave),
        dependencies: needed(wave, &written.stories),
        execution: execution(wave, &written.stories),
        tasks: wave.iter().map(|at| task(&written.stories[*at])).collect(),
    });
    let waves: Vec<Wave> = waves.collect();
    let sources = Sources::new([("requirements", demand.text)]);
    let planned = order.waves.iter().zip(1..).flat_map(|(wave, number)| wave.iter().map(move |at| (*at, number)));
    let stories: Vec<PlannedStory> = planned
        .map(|(at, wave)| {
            let mut story = written.stories[at].clone();
            if story.priority == RequirementPriority::Unset {
                story.priority = demand.approved.priority_of(&story.requirements);
            }
            let flags =
                if written_by_reader { checks::flags(&story, demand.approved, &sources) } else { blanks(&story) };
            PlannedStory { wave, verdict: judge(&story), flags, story }
        })
        .collect();
    Ok(ExecutionPlan {
        schema: SCHEMA.to_owned(),
        frontmatter: PlanFrontmatter {
            project_id: head.project_id,
            feature_id: head.feature_id,
            title: head.title,
            status: status(&written.stories),
            total_stories: summary.total_stories,
            total_complexity: summary.total_complexity,
            total_waves: summary.waves,
            created: head.created,
            updated: head.today,
            owner: head.owner,
        },
        written_by_reader,
        approved_only: demand.approved.records_decisions,
        summary,
        story_index: stories.iter().map(in_short).collect(),
        waves,
        agent_assignments: stories.iter().filter_map(assignment).collect(),
        risks: written.risks,
        rollback_plan: written.rollback_plan,
        stories,
        left_out: written.left_out,
        language,
    })
}

/// The blanks of a story in the words of its requirement, which says every figure in it.
fn blanks(story: &Story) -> Vec<Flag> {
    let blank = story.acceptance_criteria.iter().filter(|criterion| crate::gaps::has_blank(criterion));
    blank.map(|criterion| Flag::Blank { criterion: criterion.clone() }).collect()
}

fn in_short(planned: &PlannedStory) -> StoryIndexEntry {
    let story = &planned.story;
    StoryIndexEntry {
        wave: planned.wave,
        story_id: story.story_id.clone(),
        title: story.title.clone(),
        epic_id: story.epic_id.clone(),
        dependencies: story.dependencies.clone(),
        complexity: story.complexity,
        status: story.status,
    }
}

fn assignment(planned: &PlannedStory) -> Option<AgentAssignment> {
    let subagent_type = planned.story.agent.clone()?;
    Some(AgentAssignment { wave: planned.wave, story_id: planned.story.story_id.clone(), subagent_type })
}

fn task(story: &Story) -> WaveTask {
    WaveTask {
        story_id: story.story_id.clone(),
        task: story.title.clone(),
        agent: story.agent.clone().unwrap_or_default(),
        estimated_files: story.files().collect::<BTreeSet<_>>().len(),
    }
}

/// The stories that a wave needs.
fn needed(wave: &[usize], stories: &[Story]) -> String {
    let needed: BTreeSet<&str> = wave.iter().flat_map(|at| &stories[*at].dependencies).map(String::as_str).collect();
    needed.into_iter().collect::<Vec<_>>().join(", ")
}

/// Stories of one wave do not need each other; what they can share is a file.
fn execution(wave: &[usize], stories: &[Story]) -> Execution {
    let mut seen = BTreeSet::new();
    let is_shared = wave.iter().any(|at| {
        let own: BTreeSet<&str> = stories[*at].files().collect();
        let shared = own.iter().any(|file| seen.contains(file));
        seen.extend(own);
        shared
    });
    if wave.len() > 1 && !is_shared { Execution::Parallel } else { Execution::Sequential }
}

fn status(stories: &[Story]) -> StoryStatus {
    let is = |status: StoryStatus| move |story: &Story| story.status == status;
    if !stories.is_empty() && stories.iter().all(is(StoryStatus::Complete)) {
        StoryStatus::Complete
    } else if stories.iter().any(|story| matches!(story.status, StoryStatus::InProgress | StoryStatus::Complete)) {
        StoryStatus::InProgress
    } else {
        StoryStatus::Pending
    }
}
