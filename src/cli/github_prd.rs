//! `reqgate github prd`: writes the PRDs of issues in two jobs: `plan` may ask a model, `apply` may write to the
//! repository.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use reqgate::action::{
    ActionError, Doorbell, NothingToDo, PRD_LABEL, Plan, PrdFlow, PrdShown, Workplace, Writing, issue_of_pull,
    prd_is_over, rung,
};
use reqgate::config::Flags;
use reqgate::files;
use reqgate::github::{Client, Fetched, IssuesWanted, Repository};
use reqgate::llm::ModelName;
use reqgate::pipeline::{Pipeline, Stated};
use reqgate::prd::workflow::ModelAuthors;

use super::arguments::github::{
    GithubApplyArguments, GithubArguments, GithubCommand, GithubPlanArguments, GithubPrdArguments, GithubPrdCommand,
};
use super::arguments::{ConfigurationArguments, ModelArguments};
use super::exit::{self, Failure};
use super::github::{self, issue_configuration, variable};
use super::session::{self, Extent, Session};
use super::{outputs, reviewer, terminal};

/// The maximum number of issues in one run.
const MOST_ISSUES: usize = 100;

/// Runs `reqgate github`: a job for PRDs, named as a subcommand or by the inputs of the action; otherwise the event is judged.
pub(super) fn dispatched(arguments: &GithubArguments) -> Result<u8, Failure> {
    match (&arguments.command, variable("REQGATE_PRD")) {
        (Some(GithubCommand::Prd(prd)), _) => run(prd),
        (None, Some(job)) => run_in_action(&job),
        (None, None) => github::run(),
    }
}

fn run(arguments: &GithubPrdArguments) -> Result<u8, Failure> {
    match &arguments.command {
        GithubPrdCommand::Plan(plan) => self::plan(plan),
        GithubPrdCommand::Apply(apply) => self::apply(apply),
    }
}

/// Runs the job that the inputs of the action name.
fn run_in_action(job: &str) -> Result<u8, Failure> {
    let file = variable("REQGATE_PLAN_FILE").map(PathBuf::from);
    match (job, file) {
        ("plan", Some(output)) => plan(&GithubPlanArguments { output, model: None, base_url: None, issue: None }),
        ("plan", None) => Err(Failure::usage("`prd: plan` needs `plan-file`, the file to write")),
        ("apply", plan) => apply(&GithubApplyArguments { plan, issue: None }),
        _ => Err(Failure::usage("`prd` is not valid: write plan or apply")),
    }
}

/// The common data of both jobs.
struct Place {
    client: Client,
    repository: Repository,
    pipeline: Pipeline,
    issues: Vec<u64>,
}

impl Place {
    fn open(asked: Option<u64>) -> Result<Self, Failure> {
        let workplace = Workplace::open(variable)?;
        let repository = workplace.repository()?;
        let client = Client::from_environment(variable).map_err(ActionError::from)?;
        let asked = asked.or_else(|| variable("REQGATE_ISSUE_NUMBER").and_then(|number| number.parse().ok()));
        let doorbell = rung(&workplace.event_name, &workplace.event, asked).map_err(ActionError::from)?;
        let today = terminal::today();
        let pipeline =
            Session::open(issue_configuration(&today)?, today, Extent::Judging)?.pipeline(Stated::default())?;
        let issues = issues(&client, &repository, doorbell)?;
        Ok(Self { client, repository, pipeline, issues })
    }

    fn flow<'a>(&'a self, comment_author: &'a str) -> PrdFlow<'a> {
        PrdFlow { client: &self.client, repository: &self.repository, pipeline: &self.pipeline, comment_author }
    }
}

/// The issues that an event is about.
fn issues(client: &Client, repository: &Repository, doorbell: Doorbell) -> Result<Vec<u64>, Failure> {
    match doorbell {
        Doorbell::Nothing => Ok(Vec::new()),
        Doorbell::Issue(number) => Ok(vec![number]),
        Doorbell::Pull(number) => {
            let pull = client.pull(repository, number).map_err(ActionError::from)?;
            Ok(issue_of_pull(&pull).into_iter().collect())
        }
        Doorbell::All => {
            let wanted = IssuesWanted { labels: vec![PRD_LABEL.to_owned()], ..IssuesWanted::default() };
            let mut page = Some(client.first_page(repository, &wanted));
            let mut numbers = Vec::new();
            while let Some(address) = page {
                let Fetched::New(found) = client.issues(&address, None).map_err(ActionError::from)? else { break };
                for issue in found.items.iter().filter(|issue| !issue.is_pull_request) {
                    // An issue whose PRD was merged keeps its label.
                    if numbers.len() < MOST_ISSUES
                        && !prd_is_over(client, repository, issue.number).map_err(ActionError::from)?
                    {
                        numbers.push(issue.number);
                    }
                }
                page = found.next.filter(|_| numbers.len() < MOST_ISSUES);
            }
            Ok(numbers)
        }
    }
}

/// Asks the model, and writes its results to a file.
fn plan(arguments: &GithubPlanArguments) -> Result<u8, Failure> {
    let place = Place::open(arguments.issue)?;
    let model = ModelArguments {
        model: arguments.model.clone(),
        base_url: arguments.base_url.clone(),
        ..ModelArguments::default()
    };
    let flags = Flags { model: reviewer::flags(&model), ..Flags::default() };
    let config = session::configuration(&ConfigurationArguments::default(), flags)?;
    let session = Session::open(config, terminal::today(), Extent::Judging)?;
    let name: ModelName = session
        .config
        .model
        .asked()
        .ok_or_else(|| Failure::usage("no model is named: use --model, e.g. openai/NAME, or REQGATE_MODEL"))?
        .parse()
        .map_err(Failure::usage)?;
    let models = ModelAuthors { usual: reviewer::author(&session, &model)?, of_agents: Vec::new(), second: Vec::new() };
    let plan = RefCell::new(Plan::of(&name.to_string()));
    let writing = Writing::Recording(&models, &plan);
    for number in &place.issues {
        // An issue that cannot be read now does not stop the others: the job `apply` reads it again and reports the
        // problem.
        if let Err(error) = place.flow("").plan(*number, &writing) {
            exit::warn(&format!("issue {number}: {error}"));
        }
    }
    let json = serde_json::to_string(&*plan.borrow()).map_err(|error| Failure::World(error.to_string()))?;
    outputs::write_whole(&arguments.output, &json)?;
    outputs::print(&format!("reqgate: {} results of the model\n", plan.borrow().result_count()))?;
    Ok(exit::PASS)
}

/// Advances the threads of the issues.
fn apply(arguments: &GithubApplyArguments) -> Result<u8, Failure> {
    let plan = arguments.plan.as_deref().map(read_plan).transpose()?;
    let place = Place::open(arguments.issue)?;
    let author = variable("REQGATE_COMMENT_AUTHOR").unwrap_or_else(|| "github-actions[bot]".to_owned());
    let writing = plan.as_ref().map_or(Writing::Rules, Writing::Planned);
    let mut code = exit::PASS;
    for number in &place.issues {
        let (own, said) = match place.flow(&author).apply(*number, &writing) {
            Ok(PrdShown::Nothing(why)) => (exit::PASS, said_of_nothing(why)),
            Ok(PrdShown::Stands(what)) => (exit::PASS, format!("waits for {what}")),
            Ok(PrdShown::Failed) => (exit::GATE_SAID_NO, "the thread has failed".to_owned()),
            Ok(PrdShown::Stopped(_)) => (exit::GATE_SAID_NO, "stopped; the comment says why".to_owned()),
            Ok(PrdShown::Forbidden(error)) => (exit::WORLD, format!("not allowed: {error}")),
            Ok(PrdShown::Unchecked(error)) => {
                (exit::WORLD, format!("the comment is up to date, the check run is not allowed: {error}"))
            }
            Err(error) => {
                let failure = Failure::from(error);
                (failure.code(), failure.into_message())
            }
        };
        code = code.max(own);
        let line = format!("issue {number}: {said}");
        if own == exit::PASS { outputs::print(&format!("reqgate: {line}\n"))? } else { exit::error(&line) }
    }
    Ok(code)
}

fn said_of_nothing(why: NothingToDo) -> String {
    format!("nothing to do: {why}")
}

fn read_plan(path: &Path) -> Result<Plan, Failure> {
    let text = files::text(path, Plan::LARGEST)
        .map_err(|error| Failure::usage(format!("reading {}: {error}", path.display())))?;
    Plan::read(&text).map_err(|error| Failure::usage(format!("{}: {error}", path.display())))
}
