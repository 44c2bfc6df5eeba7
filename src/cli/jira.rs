//! `reqgate jira comment` and the inputs `jira:KEY-123`: reads issues in Jira and comments on them over REST.

use reqgate::config::Flags;
use reqgate::jira::{Client, IssueKey, JiraError, Site};
use reqgate::pipeline::Stated;
use reqgate::report::{self, Format, ReportOptions, Summary};
use reqgate::serve::jira_issue::{self, PREFIX};
use reqgate::stages::intake::{IntakeError, RawInput};
use reqgate::sticky_comment::Kept;
use serde_json::Value;

use super::arguments::{ColorWhen, JiraArguments, JiraCommand, JiraCommentArguments, ModelArguments};
use super::exit::{self, Failure};
use super::outputs::{self, Outputs};
use super::session::{self, Extent, Session};
use super::{reviewer, terminal};

/// Returns true for `jira:KEY-123`.
pub(super) fn names_issue(argument: &str) -> bool {
    argument.starts_with(PREFIX)
}

/// Fetches the issue that an argument names.
///
/// # Errors
/// Fails if the argument has no key, if the environment does not name a site, or if Jira cannot be asked or refuses.
pub(super) fn fetched(argument: &str) -> Result<Vec<Result<RawInput, IntakeError>>, Failure> {
    let key: IssueKey = argument.trim_start_matches(PREFIX).parse().map_err(failure)?;
    jira_issue::read(&client()?, &key).map_err(failure)
}

pub(super) fn run(arguments: &JiraArguments, color: ColorWhen) -> Result<u8, Failure> {
    match &arguments.command {
        JiraCommand::Comment(arguments) => comment(arguments, color),
    }
}

fn comment(arguments: &JiraCommentArguments, color: ColorWhen) -> Result<u8, Failure> {
    let judging = &arguments.judging;
    let today = judging.today.clone().unwrap_or_else(terminal::today);
    let flags = Flags {
        threshold: judging.threshold,
        rubric: judging.rubric.clone(),
        policy: judging.policy.clone(),
        sure: judging.sure,
        ..Flags::default()
    };
    let config = session::configuration(&judging.configuration, flags)?;
    session::warn_of_unused(&config, &today);
    let stated = Stated {
        source_type: judging.source,
        ticket_type: judging.ticket_type,
        language: judging.lang,
        ..Stated::default()
    };
    let model = ModelArguments::default();
    let is_required = reviewer::is_required(&config, &model);
    let pipeline = reviewer::pipeline(Session::open(config, today, Extent::Judging)?, stated, &model)?;
    let client = client()?;
    let input = jira_issue::read(&client, &arguments.key).map_err(failure)?.into_iter().next();
    let input =
        input.ok_or_else(|| Failure::World(format!("reading {}: Jira did not return an issue", arguments.key)))?;
    let outcome = pipeline.run(input.map_err(Failure::usage)?).map_err(Failure::usage)?;
    reviewer::demand(is_required, &outcome)?;

    let mut summary = Summary::default();
    summary.add(&outcome);
    let options = ReportOptions {
        colour: terminal::is_coloured(color),
        width: terminal::width(),
        breaks_verdicts: terminal::is_shown(),
        ..ReportOptions::default()
    };
    let mut shown = Outputs::open(Format::Human, &[], &[], options)?;
    shown.outcome(&outcome);
    shown.finish(&summary)?;

    let verdict = outcome.decision.verdict;
    if arguments.dry_run {
        let text = match jira_issue::body(client.site().api, &report::jira_comment(&outcome)) {
            Value::String(wiki) => wiki,
            document => serde_json::to_string_pretty(&document).unwrap_or_default(),
        };
        outputs::print(&format!("\n{text}\n"))?;
    } else {
        let may_create = arguments.always || !verdict.is_pass();
        let kept = jira_issue::keep(&client, &arguments.key, &outcome, may_create);
        let page = client.site().page(&arguments.key);
        let words = match kept.map_err(failure)? {
            Kept::Created(id) => format!("commented: {page}?focusedId={id}"),
            Kept::Updated(id) => format!("comment updated: {page}?focusedId={id}"),
            Kept::Unchanged(_) => "the comment is up to date".to_owned(),
            Kept::None => "nothing to comment on".to_owned(),
        };
        exit::note(&words);
    }
    Ok(if verdict.is_pass() || arguments.exit_zero { exit::PASS } else { exit::GATE_SAID_NO })
}

/// A client for the site from the environment.
///
/// # Errors
/// Fails if the environment does not name one or if a value is not valid.
pub(super) fn client() -> Result<Client, Failure> {
    Site::from_environment(|name| std::env::var(name).ok()).map(Client::new).map_err(failure)
}

/// A wrong setting is a usage error; everything else is a failure outside the program.
pub(super) fn failure(error: JiraError) -> Failure {
    match error {
        JiraError::NoSite
        | JiraError::BadAddress(_)
        | JiraError::BadVariable { .. }
        | JiraError::BadKey(_)
        | JiraError::BadProject(_)
        | JiraError::NoCredentials => Failure::usage(error),
        JiraError::Refused { .. }
        | JiraError::Invalid { .. }
        | JiraError::Unreachable { .. }
        | JiraError::Malformed { .. } => Failure::World(error.to_string()),
    }
}
