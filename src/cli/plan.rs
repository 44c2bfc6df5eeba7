//! `reqgate plan`: plans approved requirements: user stories, their order, and files or issues for other tools.

use std::path::Path;

use reqgate::docs::front_matter;
use reqgate::files;
use reqgate::github::Client;
use reqgate::model::Language;
use reqgate::prd::brief::parse_brief;
use reqgate::prd::gaps::Terminal;
use reqgate::prd::layouts::AnyRequirements;
use reqgate::prd::plan::issues::{self, GithubIssues, IssueChange, JiraIssues, Tracker};
use reqgate::prd::plan::{
    self, Approved, Demand, ExecutionPlan, ExportedFile, PlanHead, StoryInputs, WRITE_STORIES, WrittenStories,
};
use reqgate::prd::prd_document::PrdQuestion;
use reqgate::prd::{FeatureBrief, FeatureId, open_questions, requirements};
use reqgate::workflow::read_value;
use serde_json::Value;

use super::arguments::ColorWhen;
use super::arguments::plan::{Export, PlanArguments, PlanFormat};
use super::exit::{self, Failure};
use super::session::{self};
use super::{feature_files, outputs, reviewer, terminal};
use reqgate_messages as messages;

/// The documents that a plan is made from.
struct Documents {
    name: String,
    text: String,
    read: AnyRequirements,
    brief: String,
    /// The project and the owner, if the PRD names them.
    project: Option<String>,
    owner: String,
    open_questions: Vec<PrdQuestion>,
}

pub(super) fn run(arguments: &PlanArguments, color: ColorWhen) -> Result<u8, Failure> {
    let documents = documents(&arguments.path)?;
    let approved = Approved::of(&documents.read.document);
    if approved.requirements().next().is_none() {
        let name = &documents.name;
        return Err(Failure::usage(format!(
            "no requirement in `{name}` is approved: approve them in its review (`reqgate prd resume`), or move them below \
             the heading `Approved`"
        )));
    }
    let inputs = StoryInputs::of(approved, &documents.brief);
    if arguments.order {
        return print_order(arguments, &inputs);
    }
    let written = match written(arguments, &inputs)? {
        Some(written) => Ok((written, true)),
        None => {
            plan::collected(approved, &slug(&documents), &documents.read.stories).map(|collected| (collected, false))
        }
    };
    let (written, by_reader) = match written {
        Ok(written) => written,
        Err(lost) => {
            for dependency in lost {
                exit::error(&format!("{}: {dependency}", documents.name));
            }
            return Ok(exit::GATE_SAID_NO);
        }
    };
    let pipeline = session::judging(&arguments.configuration)?;
    let language = approved.language();
    let demand = Demand { approved, text: &documents.text };
    let head = head(&documents, arguments.output.as_deref());
    let plan = match plan::plan(head, demand, written, by_reader, |story, open| {
        plan::judged(&pipeline, story, open, language)
    }) {
        Ok(plan) => plan,
        Err(error) => {
            exit::error(&format!("{}: {error}", documents.name));
            return Ok(exit::GATE_SAID_NO);
        }
    };
    match (&arguments.export, &arguments.output) {
        (None, None) => {
            let text = written_as(arguments.format, &plan, &documents.name, color)?;
            let is_for_people = matches!(arguments.format, PlanFormat::Human);
            outputs::print(&if is_for_people { terminal::wrapped(&text) } else { text })?;
        }
        (_, Some(path)) => write_plan(arguments.format, path, plan.clone(), &documents.name)?,
        (Some(_), None) => {}
    }
    match &arguments.export {
        Some(export) => exported(export, arguments, &plan, demand, &documents.brief),
        None => Ok(exit::PASS),
    }
}

fn documents(path: &Path) -> Result<Documents, Failure> {
    let (file, brief) = feature_files::requirements(path, None)?;
    let read = feature_files::requirements_in(&file)?;
    if let Some((id, line)) = read.duplicates.first() {
        // A plan has one story with the name of each requirement, so one of two equal ids would be lost.
        let (file, line) = file.place(*line);
        return Err(Failure::usage(format!(
            "{file}:{line}: {id} is already the id of another requirement: give this one an id of its own"
        )));
    }
    let brief = brief.map(|path| feature_files::read(&path)).transpose()?.map(|(_, text)| text).unwrap_or_default();
    let folder = if path.is_dir() { Some(path) } else { path.parent() };
    let prd = folder.map(|folder| folder.join(feature_files::PRD_DATA)).filter(|path| path.is_file());
    let prd: Option<Value> = match prd {
        Some(path) => {
            let (name, text) = feature_files::read(&path)?;
            Some(serde_json::from_str(&text).map_err(|error| Failure::usage(format!("`{name}`: {error}")))?)
        }
        None => None,
    };
    let of_prd = |key: &str| Some(prd.as_ref()?.pointer(&format!("/frontmatter/{key}"))?.as_str()?.to_owned());
    let (project, owner) = (of_prd("project_id"), of_prd("owner").unwrap_or_default());
    let (name, text) = (file.name().to_owned(), file.text().to_owned());
    let open_questions = open_questions(prd.as_ref(), (&brief, &text), &read.document);
    Ok(Documents { name, text, read, brief, project, owner, open_questions })
}

/// The id of the feature, if the document has one.
fn feature(documents: &Documents) -> Option<String> {
    let own = documents.read.document.feature().filter(|feature| !feature.as_str().starts_with("000-"));
    // A PRD names its feature in its front matter.
    let front = || Some(front_matter::block(&documents.text)?.slice(&documents.text));
    let named = || front()?.lines().find_map(|line| line.strip_prefix("feature_id:")?.trim().parse::<FeatureId>().ok());
    own.cloned().or_else(named).map(|feature| feature.as_str().to_owned())
}

/// The prefix of the ids of stories.
fn slug(documents: &Documents) -> String {
    let project = documents.project.as_deref().unwrap_or_default().to_lowercase();
    match feature(documents) {
        _ if !project.is_empty() => project,
        Some(feature) => feature.split_once('-').map_or(String::new(), |(_, slug)| slug.to_owned()),
        None => String::new(),
    }
}

fn head(documents: &Documents, output: Option<&Path>) -> PlanHead {
    let today = terminal::today();
    let title = documents.read.document.title();
    let existing = output.and_then(|path| files::text(path, files::RECORDS).ok());
    let created = existing.and_then(|text| day_of(&text, "created"));
    PlanHead {
        project_id: documents.project.clone(),
        feature_id: feature(documents),
        title: if title.is_empty() { requirements::title_of(&documents.text) } else { title.to_owned() },
        owner: documents.owner.clone(),
        created: created.unwrap_or_else(|| today.clone()),
        today,
        open_questions: documents.open_questions.clone(),
    }
}

/// The day after a key in the head of an earlier plan.
fn day_of(text: &str, key: &str) -> Option<String> {
    let value = text.lines().find_map(|line| {
        let line = line.trim().trim_start_matches('"');
        line.strip_prefix(key)?.trim_start_matches('"').strip_prefix(':')
    })?;
    let day = value.trim().trim_matches(['"', ',', ' ']).trim_end_matches('"');
    let is_day = day.len() == 10 && day.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    is_day.then(|| day.to_owned())
}

/// Prints the order for a writer of the stories.
fn print_order(arguments: &PlanArguments, inputs: &StoryInputs) -> Result<u8, Failure> {
    use reqgate::orders::Inputs;
    let pipeline = session::judging(&arguments.configuration)?;
    let document = serde_json::json!({
        "step": WRITE_STORIES.id(),
        "caution": pipeline.caution(inputs),
        "instructions": WRITE_STORIES.instructions(pipeline.orders()),
        "inputs": inputs.masked(&|text| pipeline.masked(text)),
        "result_schema": WRITE_STORIES.schema(),
        "submit_with": format!("reqgate plan {} --stories FILE", arguments.path.display()),
    });
    outputs::print(&format!("{document:#}\n"))?;
    Ok(exit::PASS)
}

/// The stories from a file or a model; `None` without a reader.
fn written(arguments: &PlanArguments, inputs: &StoryInputs) -> Result<Option<WrittenStories>, Failure> {
    let (value, problems) = if let Some(path) = &arguments.stories {
        let text = super::prd::text_of(path)?;
        let name = path.display();
        let value: Value = serde_json::from_str(&text).map_err(|error| Failure::usage(format!("{name}: {error}")))?;
        let problems = WRITE_STORIES.problems(inputs, &value);
        if !problems.is_empty() {
            return Err(Failure::problems(name, &problems));
        }
        (value, problems)
    } else if arguments.model.model.is_some() {
        let author = reviewer::reader(&arguments.model, None, &arguments.configuration)?;
        author.carry_out(&WRITE_STORIES, inputs).map_err(Failure::World)?
    } else {
        return Ok(None);
    };
    if !problems.is_empty() {
        let lines: String = problems.iter().map(|problem| format!("\n{problem}")).collect();
        return Err(Failure::World(format!("the stories of the model do not pass the checks:{lines}")));
    }
    read_value(&value).map(Some).map_err(Failure::World)
}

fn written_as(format: PlanFormat, plan: &ExecutionPlan, name: &str, color: ColorWhen) -> Result<String, Failure> {
    Ok(match format {
        PlanFormat::Human => {
            let terminal = Terminal { colour: terminal::is_coloured(color), width: terminal::width() };
            plan::human(plan, name, terminal)
        }
        PlanFormat::Markdown => plan::markdown(plan),
        PlanFormat::Mermaid => plan::mermaid(plan),
        PlanFormat::Json => outputs::json("the plan", plan)?,
    })
}

/// Writes the plan into a file; if the plan is unchanged, the day of its last change is kept.
fn write_plan(format: PlanFormat, path: &Path, mut plan: ExecutionPlan, name: &str) -> Result<(), Failure> {
    let text = written_as(format, &plan, name, ColorWhen::Never)?;
    if let Ok(existing) = files::text(path, files::RECORDS)
        && let Some(day) = day_of(&existing, "updated")
    {
        plan.frontmatter.updated = day;
        if written_as(format, &plan, name, ColorWhen::Never)? == existing {
            return outputs::print(&format!("unchanged {}\n", path.display()));
        }
    }
    outputs::write_whole(path, &text)?;
    outputs::print(&format!("wrote {}\n", path.display()))
}

fn exported(
    export: &Export,
    arguments: &PlanArguments,
    plan: &ExecutionPlan,
    demand: Demand<'_>,
    brief: &str,
) -> Result<u8, Failure> {
    let brief: Option<FeatureBrief> = (!brief.is_empty()).then(|| parse_brief(brief));
    match export {
        Export::SpecKit(folder) => write_files(folder, &plan::spec_kit(plan, demand, brief.as_ref()), arguments.force),
        Export::OpenSpec(folder) => {
            let files = plan::openspec(plan, demand, brief.as_ref()).map_err(Failure::usage)?;
            write_files(folder, &files, arguments.force)
        }
        Export::Github(repository) => {
            let variable = |name: &str| {
                let value = std::env::var_os(name)?.to_string_lossy().into_owned();
                Some(value).filter(|value| !value.trim().is_empty())
            };
            let world = |error: reqgate::github::GithubError| Failure::World(error.to_string());
            let client = Client::from_environment(variable).map_err(Failure::usage)?;
            export_issues(&GithubIssues::new(&client, repository), plan, arguments.yes, world)
        }
        Export::Jira(target) => {
            let client = super::jira::client()?;
            let tracker = JiraIssues::open(&client, target).map_err(super::jira::failure)?;
            export_issues(&tracker, plan, arguments.yes, super::jira::failure)
        }
    }
}

/// Lists the changes that the issues of a plan need, and makes them if `yes`.
fn export_issues<T: Tracker>(
    tracker: &T,
    plan: &ExecutionPlan,
    yes: bool,
    failure: impl Fn(T::Error) -> Failure,
) -> Result<u8, Failure> {
    let compared = issues::compared(tracker, plan).map_err(&failure)?;
    let text: String = compared.changes.iter().map(|change| change_words(change, plan.language, yes)).collect();
    outputs::print(&text)?;
    if !yes {
        exit::note(messages::Plan::of(plan.language).nothing_changed);
        return Ok(exit::PASS);
    }
    issues::carried_out(tracker, plan, compared, |story, issue| {
        // The issues are created even if the output cannot be written.
        let _ = outputs::print(&format!("{story}: {issue}\n"));
    })
    .map_err(failure)?;
    Ok(exit::PASS)
}

/// Writes files that do not exist or are the same; others only if `force`.
fn write_files(folder: &Path, files: &[ExportedFile], force: bool) -> Result<u8, Failure> {
    let different: Vec<String> = files
        .iter()
        .map(|file| (folder.join(&file.path), &file.text))
        .filter(|(path, text)| path.exists() && files::text(path, files::RECORDS).ok().as_ref() != Some(*text))
        .map(|(path, _)| format!("`{}`", path.display()))
        .collect();
    if !different.is_empty() && !force {
        let names = different.join(", ");
        return Err(Failure::usage(format!(
            "{names} already exists and says something else: use --force to overwrite it"
        )));
    }
    for file in files {
        let path = folder.join(&file.path);
        if let Some(parent) = path.parent() {
            let shown = parent.display().to_string();
            std::fs::create_dir_all(parent).map_err(|error| Failure::writing(&format!("`{shown}`"), &error))?;
        }
        outputs::write_whole(&path, &file.text)?;
        outputs::print(&format!("wrote {}\n", path.display()))?;
    }
    Ok(exit::PASS)
}

/// A change in one line; a change that is not carried out yet is described as planned.
fn change_words(change: &IssueChange, language: Language, carried_out: bool) -> String {
    let words = messages::Plan::of(language);
    let line = match change {
        IssueChange::Open { story, title } => {
            format!("{} {story}: {title}", if carried_out { words.opening } else { words.would_open })
        }
        IssueChange::Update { story, issue, title } => {
            format!("{} {issue} {story}: {title}", if carried_out { words.updating } else { words.would_update })
        }
        IssueChange::Same { story, issue } => format!("{} {issue} {story}", words.unchanged),
        IssueChange::EditedByHand { story, issue } => format!("{} {issue} {story}: {}", words.kept, words.block_edited),
        IssueChange::Closed { story, issue } => {
            format!("{} {issue} {story}: {}", words.kept, words.issue_closed)
        }
        IssueChange::Doubled { story, issue } => format!("{} {issue} {story}: {}", words.kept, words.other_issue),
        IssueChange::NotPlanned { story, issue } => format!("{} {issue} {story}: {}", words.kept, words.story_gone),
    };
    format!("{}\n", reqgate::clean::one_line(&line))
}
