//! Renders a plan as a Markdown document with front matter.

use super::human::{critical_path, flag_words, notes, totals};
use super::verdict::sentence;
use super::{Execution, ExecutionPlan, PlannedStory, StoryStatus, mermaid};
use crate::RequirementPriority;
use crate::prd_input::priority_shown;
use crate::prd_text::question_shown;
use crate::workflow::verdict_in_words;
use reqgate_base::clean::one_line;
use reqgate_base::model::Language;
use reqgate_docs::escaped;
use reqgate_messages as messages;

/// Returns the plan as Markdown with front matter; text of requirements and readers is escaped.
pub fn markdown(plan: &ExecutionPlan) -> String {
    let language = plan.language;
    let words = messages::Plan::of(language);
    let mut out = front_matter(plan);
    out.push_str(&format!("\n# {}: {}\n\n", words.title, safe(&plan.frontmatter.title)));
    out.push_str(&format!("{}{}\n", totals(plan), words.stop));
    if plan.summary.critical_path.len() > 1 {
        out.push_str(&format!("{}{}\n", critical_path(plan), words.stop));
    }
    for note in notes(plan) {
        out.push_str(&format!("\n> {note}\n"));
    }
    if !plan.open_questions.is_empty() {
        out.push_str(&format!("\n## {}\n\n", words.open_questions));
        out.extend(plan.open_questions.iter().map(|one| format!("- {}\n", safe(&question_shown(one, language)))));
    }
    out.push_str(&format!("\n```mermaid\n{}```\n", mermaid(plan)));
    for wave in &plan.waves {
        let execution = match wave.execution {
            Execution::Parallel => words.parallel,
            Execution::Sequential => words.sequential,
        };
        out.push_str(&format!("\n## {} ({execution})\n\n", wave.name));
        if !wave.dependencies.is_empty() {
            let needs = words.needs_before;
            out.push_str(&format!("{needs}{}\n\n", wave.dependencies));
        }
        out.push_str(words.table_of_stories);
        for planned in plan.stories.iter().filter(|planned| planned.wave == wave.wave_number) {
            out.push_str(&row(planned, language));
        }
    }
    out.push_str(&format!("\n## {}\n", words.stories));
    for planned in &plan.stories {
        out.push_str(&section(planned, language));
    }
    out.push_str(&rest(plan));
    out
}

/// The parts about left-out requirements, risks and rollback.
fn rest(plan: &ExecutionPlan) -> String {
    let language = plan.language;
    let words = messages::Plan::of(language);
    let mut out = String::new();
    if !plan.left_out.is_empty() {
        out.push_str(&format!("\n## {}\n\n", words.approved_and_left_out));
        let lines = plan.left_out.iter().map(|left| format!("- {}: {}\n", safe(&left.requirement), safe(&left.reason)));
        out.extend(lines);
    }
    if !plan.risks.is_empty() {
        out.push_str(&format!("\n## {}\n\n", words.risks));
        out.push_str(words.table_of_risks);
        let rows = plan
            .risks
            .iter()
            .map(|one| format!("| {} | {:?} | {} |\n", cell(&one.risk), one.impact, cell(&one.mitigation)));
        out.extend(rows);
    }
    if !plan.rollback_plan.is_empty() {
        out.push_str(&format!("\n## {}\n\n", words.rollback));
        out.extend(plan.rollback_plan.iter().zip(1..).map(|(step, number)| format!("{number}. {}\n", safe(step))));
    }
    out
}

fn front_matter(plan: &ExecutionPlan) -> String {
    let head = &plan.frontmatter;
    // A JSON string is always a valid YAML string.
    let quoted = |words: &str| serde_json::Value::from(one_line(words)).to_string();
    let mut out = "---\n".to_owned();
    let optional = [("project_id", &head.project_id), ("feature_id", &head.feature_id)];
    for (key, value) in optional.into_iter().filter_map(|(key, value)| Some((key, value.as_ref()?))) {
        out.push_str(&format!("{key}: {}\n", quoted(value)));
    }
    out.push_str(&format!("title: {}\nstatus: {}\n", quoted(&head.title), status_name(head.status)));
    out.push_str(&format!("total_stories: {}\ntotal_complexity: {}\n", head.total_stories, head.total_complexity));
    out.push_str(&format!("stories_without_complexity: {}\n", plan.summary.stories_without_complexity));
    out.push_str(&format!("total_waves: {}\n", head.total_waves));
    out.push_str(&format!(
        "created: {}\nupdated: {}\nowner: {}\n---\n",
        head.created,
        head.updated,
        quoted(&head.owner)
    ));
    out
}

/// The state as written in files.
fn status_name(status: StoryStatus) -> &'static str {
    match status {
        StoryStatus::Pending => "pending",
        StoryStatus::InProgress => "in-progress",
        StoryStatus::Complete => "complete",
        StoryStatus::Blocked => "blocked",
    }
}

fn row(planned: &PlannedStory, language: Language) -> String {
    let story = &planned.story;
    let complexity = story.complexity.map_or(String::new(), |complexity| complexity.to_string());
    let gate = planned.verdict.as_ref().map_or("", |verdict| verdict_in_words(verdict.verdict, language));
    let needs = story.dependencies.join(", ");
    let cells = [&story.story_id, &story.title, &story.epic_id].map(|words| cell(words)).join(" | ");
    format!("| {cells} | {complexity} | {} | {gate} |\n", cell(&needs))
}

fn section(planned: &PlannedStory, language: Language) -> String {
    let words = messages::Plan::of(language);
    let story = &planned.story;
    let mut out = format!("\n### {}: {}\n\n", safe(&story.story_id), safe(&story.title));
    let colon = words.colon;
    let mut fact = |name: &str, value: &str| {
        if !value.is_empty() {
            out.push_str(&format!("- **{name}**{colon}{}\n", safe(value)));
        }
    };
    fact(words.requirements, &story.requirements.join(", "));
    if story.priority != RequirementPriority::Unset {
        fact(words.priority, priority_shown(story.priority));
    }
    fact(words.status, status_name(story.status));
    fact(words.waits_for, &planned.waits_for());
    if !planned.blocked_by.is_empty() {
        fact(words.blocked, &planned.blocked_by.join(", "));
    }
    fact(words.agent, story.agent.as_deref().unwrap_or_default());
    if let Some(details) = &story.technical_details {
        fact(words.repository, &details.repo);
        fact(words.package, &details.package);
    }
    let told = sentence(story, language);
    if !told.is_empty() {
        out.push_str(&format!("\n{}\n", safe(&told)));
    }
    if let Some(notes) = &story.implementation_notes {
        out.push_str(&format!("\n{}\n", safe(notes)));
    }
    let mut list = |name: &str, items: Vec<String>| {
        if !items.is_empty() {
            out.push_str(&format!("\n**{name}**\n\n"));
            out.extend(items.iter().map(|item| format!("- {}\n", safe(item))));
        }
    };
    list(words.acceptance_criteria, story.acceptance_criteria.clone());
    if let Some(details) = &story.technical_details {
        let new = details.files_to_create.iter().map(|file| format!("{}: {}", file.file, file.purpose));
        list(words.files_to_create, new.collect());
        let changed = details.files_to_modify.iter().map(|file| format!("{}: {}", file.file, file.changes));
        list(words.files_to_modify, changed.collect());
    }
    if let Some(architecture) = &story.architecture {
        let endpoint = |one: &super::Endpoint| {
            format!("{} {}: {}", format!("{:?}", one.method).to_uppercase(), one.endpoint, one.description)
        };
        list(words.endpoints, architecture.api_endpoints.iter().map(endpoint).collect());
        let models = architecture.database_models.iter().map(|one| format!("{}: {}", one.model, one.fields));
        list(words.data, models.collect());
        list(words.key_files, architecture.key_files.clone());
    }
    list(words.definition_of_done, story.definition_of_done.clone());
    let reasons = planned.verdict.iter().flat_map(|verdict| verdict.reasons.clone());
    list(words.not_ready_heading, reasons.collect());
    list(words.to_be_checked, planned.flags.iter().map(|flag| flag_words(flag, language)).collect());
    out
}

/// The text escaped, on one line.
pub(super) fn safe(words: &str) -> String {
    escaped(&one_line(words))
}

/// The text escaped, for a cell of a table.
fn cell(words: &str) -> String {
    safe(words).replace('|', "\\|")
}
