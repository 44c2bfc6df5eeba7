//! The plan of a feature: user stories that realise its approved requirements, and the order of their work.
//!
//! | part | source |
//! |---|---|
//! | stories | a reader writes them ([`WrittenStories`]) and [`problems`] checks them; or [`collected`] builds one from each requirement |
//! | order | computed: [`ordered`] returns the waves and the critical path, or the reason why no order exists |
//! | verdicts | the gate judges each story ([`judged`]) |
//! | documents | code renders them: Markdown, Mermaid, text for a terminal, files for spec-kit and OpenSpec, issues on GitHub and in Jira |
//!
//! Unknown values are never invented: a complexity that was not given is `null` and is counted as unknown.

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

use crate::prd_document::PrdQuestion;
use crate::{QuestionId, RequirementPriority};
use reqgate_base::model::Language;
use reqgate_messages as messages;
use reqgate_orders::Sources;

/// The name and version of the JSON format.
pub const SCHEMA: &str = "reqgate/plan/v1";

/// A plan of user stories.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ExecutionPlan {
    /// The name and version of this format: `reqgate/plan/v1`.
    pub schema: String,
    /// The head of the plan.
    pub frontmatter: PlanFrontmatter,
    /// A reader wrote the stories; false if each was built from one requirement.
    pub written_by_reader: bool,
    /// Only approved requirements count; false for a document that records no decisions, in which all requirements count.
    pub approved_only: bool,
    /// The totals of the plan.
    pub summary: PlanSummary,
    /// The summaries of the stories, in the order of work.
    pub story_index: Vec<StoryIndexEntry>,
    /// The waves of work, in order.
    pub waves: Vec<Wave>,
    /// The assigned builders of stories, if any are assigned.
    pub agent_assignments: Vec<AgentAssignment>,
    /// The risks that a reader named.
    pub risks: Vec<PlanRisk>,
    /// The steps to undo the change, if a reader gave them.
    pub rollback_plan: Vec<String>,
    /// The full stories, in the order of work.
    pub stories: Vec<PlannedStory>,
    /// Approved requirements without a story, each with the reason.
    pub left_out: Vec<LeftOut>,
    /// The questions of the feature that have no answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub open_questions: Vec<PrdQuestion>,
    /// The language of the texts.
    pub language: Language,
}

/// The head of a plan.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanFrontmatter {
    /// The key of the project, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_id: Option<String>,
    /// The id of the feature, if the requirements have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feature_id: Option<String>,
    /// The title of the plan.
    pub title: String,
    /// `pending` until a story is begun, `complete` when all are finished.
    pub status: StoryStatus,
    /// The number of stories.
    pub total_stories: usize,
    /// The sum of the known complexities.
    pub total_complexity: u32,
    /// The number of waves.
    pub total_waves: usize,
    /// The date of the first version, `YYYY-MM-DD`.
    pub created: String,
    /// The date of this version, `YYYY-MM-DD`.
    pub updated: String,
    /// The person responsible for the plan; empty if unknown.
    pub owner: String,
}

/// The totals of a plan.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PlanSummary {
    /// The number of stories.
    pub total_stories: usize,
    /// The sum of the known complexities.
    pub total_complexity: u32,
    /// The number of stories without a complexity; each counts as 1 on the critical path.
    pub stories_without_complexity: usize,
    /// The number of waves.
    pub waves: usize,
    /// A chain of dependent stories with the highest total complexity.
    pub critical_path: Vec<String>,
    /// The sum of the complexities on the critical path; an unknown one counts as 1.
    pub critical_complexity: u64,
    /// The estimated duration: always `null`, because days cannot be computed from complexities.
    pub estimated_duration: Option<String>,
}

/// The summary of a story.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StoryIndexEntry {
    /// The number of the wave, from 1.
    pub wave: usize,
    /// The id of the story.
    pub story_id: String,
    /// The title of the story.
    pub title: String,
    /// The epic of the story.
    pub epic_id: String,
    /// The stories that must be finished first.
    pub dependencies: Vec<String>,
    /// The complexity from 1 to 10; `null` if unknown.
    pub complexity: Option<u8>,
    /// The state of the work.
    pub status: StoryStatus,
}

/// Stories that can be built when those of the previous waves are finished.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Wave {
    /// The number of the wave, from 1.
    pub wave_number: usize,
    /// The name of the wave.
    pub name: String,
    /// The ids of its stories.
    pub stories: Vec<String>,
    /// The sum of the known complexities.
    pub complexity: u32,
    /// The stories of earlier waves that it depends on, separated by commas; empty for the first wave.
    pub dependencies: String,
    /// The way in which its stories can be built: at the same time, or one after the other.
    pub execution: Execution,
    /// The work on each of its stories.
    pub tasks: Vec<WaveTask>,
}

/// The way in which the stories of a wave can be built.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Execution {
    /// At the same time: they are independent, and no two of them touch the same file.
    Parallel,
    /// One after the other, because some of them touch the same file.
    Sequential,
}

/// The work on a story.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WaveTask {
    /// The id of the story.
    pub story_id: String,
    /// The title of the story.
    pub task: String,
    /// The person or agent who builds it; empty if not assigned.
    pub agent: String,
    /// The number of files that the story names.
    pub estimated_files: usize,
}

/// The assignment of a story to a person or agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AgentAssignment {
    /// The number of the wave, from 1.
    pub wave: usize,
    /// The id of the story.
    pub story_id: String,
    /// The person or agent who builds the story.
    pub subagent_type: String,
}

/// A story with its computed data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlannedStory {
    /// The story as it was written or collected.
    #[serde(flatten)]
    pub story: Story,
    /// The number of the wave, from 1.
    pub wave: usize,
    /// The verdict of the gate; `null` if the story was not judged.
    pub verdict: Option<StoryVerdict>,
    /// Blanks and unsupported figures in its criteria.
    pub flags: Vec<Flag>,
    /// The open questions that its requirements wait for: it is not begun before they are answered.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waits_for: Vec<QuestionId>,
    /// The stories that it needs and that wait, themselves or for others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocked_by: Vec<String>,
}

impl PlannedStory {
    /// The ids of the open questions that it waits for, separated by commas.
    fn waits_for(&self) -> String {
        self.waits_for.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    }
}

/// The head of a plan before the totals are computed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlanHead {
    /// The key of the project, if it has one.
    pub project_id: Option<String>,
    /// The id of the feature, if the requirements have one.
    pub feature_id: Option<String>,
    /// The title of the plan.
    pub title: String,
    /// The person responsible for the plan; empty if unknown.
    pub owner: String,
    /// The date of the first version, `YYYY-MM-DD`.
    pub created: String,
    /// The current date, `YYYY-MM-DD`.
    pub today: String,
    /// The questions of the feature that have no answer.
    pub open_questions: Vec<PrdQuestion>,
}

/// The requirements that a plan realises.
#[derive(Debug, Clone, Copy)]
pub struct Demand<'d> {
    /// The requirements that are approved.
    pub approved: Approved<'d>,
    /// The text that the requirements were read from.
    pub text: &'d str,
}

/// Computes the plan for stories without [`problems`]. `judge` returns the verdict on each, together with the questions that it
/// waits for. Stories that wait, and those that need them, come last.
///
/// # Errors
/// Fails if stories depend on each other in a cycle, or on one that does not exist.
pub fn plan(
    head: PlanHead,
    demand: Demand<'_>,
    written: WrittenStories,
    written_by_reader: bool,
    judge: impl Fn(&Story, &[&PrdQuestion]) -> Option<StoryVerdict>,
) -> Result<ExecutionPlan, OrderError> {
    let language = demand.approved.language();
    let waits = |story: &Story| demand.approved.waits_for(&story.requirements, &head.open_questions);
    let waiting: Vec<Vec<&PrdQuestion>> = written.stories.iter().map(waits).collect();
    let late: Vec<bool> = waiting.iter().map(|questions| !questions.is_empty()).collect();
    let order = ordered(&checks::tasks(&written.stories))?.with_late(&written.stories, late);
    let summary = summarised(&order, &written.stories);
    let waves = order.waves.iter().zip(1..).map(|(wave, number)| Wave {
        wave_number: number,
        name: messages::Plan::of(language).wave(&number),
        stories: ids(wave, &written.stories),
        complexity: complexity(wave, &written.stories),
        dependencies: needed(wave, &written.stories),
        execution: execution(wave, &written.stories),
        tasks: wave.iter().map(|at| task(&written.stories[*at])).collect(),
    });
    let sources = Sources::new([("requirements", demand.text)]);
    let planned = order.waves.iter().zip(1..).flat_map(|(wave, number)| wave.iter().map(move |at| (*at, number)));
    let mut blocked: BTreeSet<String> = BTreeSet::new();
    let stories: Vec<PlannedStory> = planned
        .map(|(at, wave)| {
            let mut story = written.stories[at].clone();
            let questions = &waiting[at];
            // Every dependency is in an earlier wave.
            let blocked_by: Vec<String> =
                story.dependencies.iter().filter(|id| blocked.contains(*id)).cloned().collect();
            let is_blocked = !questions.is_empty() || !blocked_by.is_empty();
            if is_blocked {
                blocked.insert(story.story_id.clone());
            }
            if is_blocked && story.status == StoryStatus::Pending {
                story.status = StoryStatus::Blocked;
            }
            if story.priority == RequirementPriority::Unset {
                story.priority = demand.approved.priority_of(&story.requirements);
            }
            let flags =
                if written_by_reader { checks::flags(&story, demand.approved, &sources) } else { blanks(&story) };
            let waits_for = questions.iter().filter_map(|question| question.id).collect();
            PlannedStory { wave, verdict: judge(&story, questions), flags, waits_for, blocked_by, story }
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
        waves: waves.collect(),
        agent_assignments: stories.iter().filter_map(assignment).collect(),
        risks: written.risks,
        rollback_plan: written.rollback_plan,
        stories,
        left_out: written.left_out,
        open_questions: head.open_questions.clone(),
        language,
    })
}

fn ids(list: &[usize], stories: &[Story]) -> Vec<String> {
    list.iter().map(|at| stories[*at].story_id.clone()).collect()
}

fn complexity(list: &[usize], stories: &[Story]) -> u32 {
    list.iter().filter_map(|at| stories[*at].complexity).map(u32::from).sum()
}

fn summarised(order: &Order, stories: &[Story]) -> PlanSummary {
    let all: Vec<usize> = order.waves.iter().flatten().copied().collect();
    PlanSummary {
        total_stories: all.len(),
        total_complexity: complexity(&all, stories),
        stories_without_complexity: stories.iter().filter(|story| story.complexity.is_none()).count(),
        waves: order.waves.len(),
        critical_path: ids(&order.critical_path, stories),
        critical_complexity: order.critical_weight,
        estimated_duration: None,
    }
}

impl Order {
    /// The order in which tasks that wait for something outside of the plan, and those that need them, come in waves of their own after
    /// all others.
    fn with_late(mut self, stories: &[Story], mut late: Vec<bool>) -> Self {
        // Every dependency is in an earlier wave.
        for at in self.waves.iter().flatten() {
            let needs_late =
                |id: &String| stories.iter().zip(&late).any(|(story, late)| *late && story.story_id == *id);
            late[*at] = late[*at] || stories[*at].dependencies.iter().any(needs_late);
        }
        let part = |is_late: bool| {
            let waves = self.waves.iter().map(|wave| wave.iter().copied().filter(|at| late[*at] == is_late).collect());
            waves.filter(|wave: &Vec<usize>| !wave.is_empty()).collect::<Vec<_>>()
        };
        self.waves = [part(false), part(true)].concat();
        self
    }
}

/// The blanks of a story that was built from a requirement, which contains all of its figures.
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

/// The stories of earlier waves that a wave depends on.
fn needed(wave: &[usize], stories: &[Story]) -> String {
    let needed: BTreeSet<&str> = wave.iter().flat_map(|at| &stories[*at].dependencies).map(String::as_str).collect();
    needed.into_iter().collect::<Vec<_>>().join(", ")
}

/// Stories of one wave do not depend on each other, but they may touch the same file.
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
