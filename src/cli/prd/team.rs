//! The settings of a team from the command line, its places to search for sources, and a draft that the user provides.

use std::path::Path;

use reqgate::config::{Flags, SearchProviderName};
use reqgate::net::SystemClock;
use reqgate::pipeline::Pipeline;
use reqgate::prd::team::PrdOutline;
use reqgate::prd::team::document::parse_anyway;
use reqgate::prd::workflow::{Agent, PrdPatch, SecondReader, TeamOptions, TeamPatch, TeamSearch, TeamSettings};
use reqgate::search::{self, Searcher};

use super::super::arguments::ConfigurationArguments;
use super::super::arguments::prd::{AuthorChoice, DrivingArguments, StartArguments};
use super::super::exit::{self, Failure};
use super::super::session::{self, Extent, Session};
use super::super::terminal;
use super::{actor, text_of};

/// The search of a team for sources, if the configuration names a place.
pub(crate) fn team_search(configuration: &ConfigurationArguments) -> Result<Option<TeamSearch>, Failure> {
    let config = session::configuration(configuration, Flags::default())?;
    if let Some(origin) = &config.search.withheld {
        exit::warn(&format!(
            "{}: the search service is not asked, because only the repository's configuration names it; to agree, use \
             REQGATE_SEARCH",
            config.words(origin)
        ));
    }
    if config.search.provider.value == SearchProviderName::None {
        return Ok(None);
    }
    let search = config.search.clone();
    let screen = Session::open(config, terminal::today(), Extent::Judging)?.screen()?;
    let open = move || {
        let variable = |name: &str| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned());
        let provider = search::open(&search, variable).map_err(|error| error.to_string())?;
        Ok(Searcher::new(provider, search.limits, Box::new(SystemClock)))
    };
    Ok(Some(TeamSearch::new(open, screen)))
}

/// A PRD that the user provides, without the personal data and secrets in it. Parts that would be lost are reported.
pub(super) fn brought(pipeline: &Pipeline, path: &Path, driving: &DrivingArguments) -> Result<Vec<PrdPatch>, Failure> {
    let text = pipeline.masked(&text_of(path)?);
    let (document, faults) = parse_anyway(&text);
    if !faults.is_empty() {
        let told: Vec<String> = faults.iter().map(ToString::to_string).collect();
        return Err(Failure::usage(format!("{}: correct this first:\n{}", path.display(), told.join("\n"))));
    }
    let (title, language) = (document.metadata.title.as_str(), document.metadata.language);
    let named =
        if title.trim().is_empty() { path.file_stem().unwrap_or_default().to_string_lossy() } else { title.into() };
    let outline = PrdOutline::standard(&named, &named, language);
    let (author, day) = (actor(driving.actor.as_deref()), terminal::today());
    let patches = [
        TeamPatch::Outlined(Box::new(outline)),
        TeamPatch::Drafted { markdown: text, author, day, revises: false, unasked: Vec::new() },
    ];
    Ok(patches.into_iter().map(|patch| PrdPatch::Team(Box::new(patch))).collect())
}

/// The model that a variable names.
pub(super) fn named_model(variable: &str) -> Option<String> {
    std::env::var(variable).ok().filter(|name| !name.trim().is_empty())
}

/// The model that a variable names for second opinions of an agent.
pub(crate) fn second_model(agent: Agent) -> Option<String> {
    Agent::SECOND.into_iter().find(|(own, _)| *own == agent).and_then(|(_, variable)| named_model(variable))
}

/// The settings of a team, as the flags say.
///
/// # Errors
/// Fails if a value is out of range.
pub(super) fn team_settings(arguments: &StartArguments) -> Result<TeamSettings, Failure> {
    let is_by_model = arguments.driving.author == Some(AuthorChoice::Model);
    // Naming a model for second opinions is a request for them.
    let wanted = |reader: &SecondReader| {
        let agent = if reader.critic().is_some() { Agent::Critic } else { Agent::Researcher };
        is_by_model && second_model(agent).is_some()
    };
    let options = TeamOptions {
        max_iterations: arguments.max_iterations,
        min_score: arguments.min_score,
        min_improvement: arguments.min_improvement,
        unanimous: arguments.unanimous,
        allow_override: arguments.no_override.then_some(false),
        second_opinion: match &arguments.second_opinion {
            Some(asked) => asked.clone(),
            None => SecondReader::ALL.into_iter().filter(wanted).collect(),
        },
        citations: arguments.citations,
        ask_at: arguments.ask_at.iter().map(|point| (*point).into()).collect(),
    };
    options.settings().map_err(|problems| Failure::problems("the settings of the team", &problems))
}
