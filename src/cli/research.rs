//! `reqgate research`: searches documents or the web for sources, and shows each with its place.

use std::path::Path;

use reqgate::clean;
use reqgate::config::{Flags, SearchConfig, SearchProviderName, ValidSearch};
use reqgate::model::SourceType;
use reqgate::net::SystemClock;
use reqgate::search::query::{competitor, market, users};
use reqgate::search::{self, Found, Research, SearchError, SearchQuery, Searcher, SourcePlace};
use reqgate::text::language::language_of;

use super::arguments::{ColorWhen, ResearchArguments, TextOrJson, Topic};
use super::exit::{self, Failure};
use super::page::Page;
use super::session::{self, Extent, Session};
use super::{outputs, terminal};

pub(super) fn run(arguments: &ResearchArguments, color: ColorWhen) -> Result<u8, Failure> {
    let config = session::configuration(&arguments.configuration, flags(arguments))?;
    if let Some(origin) = &config.search.withheld {
        exit::warn(&format!(
            "{}: the search service is not asked, because only the repository's configuration names it; to agree, use \
             --provider or REQGATE_SEARCH",
            config.words(origin)
        ));
    }
    let search = config.search.clone();
    let leaves_this_machine = search.provider.value.is_service() && arguments.replay.is_none();
    let queries = match leaves_this_machine {
        true => {
            // The queries are always masked, regardless of the installation's guardrail: personal data and secrets must
            // not reach a third party.
            let screen = Session::open(config, terminal::today(), Extent::Judging)?.screen()?;
            let masked = |words: &str| screen.screen(words, &[], SourceType::PlainText).text;
            queries(arguments, |words| clean::short_masks(&masked(words)).into_owned())
        }
        false => queries(arguments, str::to_owned),
    };
    let mut searcher = searcher(arguments, &search)?;
    let (mut found, mut failed) = (Vec::new(), None);
    for query in &queries {
        match searcher.search(query) {
            Ok(one) => found.push(one),
            Err(error) => {
                exit::error(&format!("“{}”: {error}", query.text));
                failed = Some(error);
            }
        }
    }
    outputs::print(&match arguments.format {
        TextOrJson::Human => human(&found, root(&search), color),
        TextOrJson::Json => outputs::json("the results", &Research::of(found))?,
    })?;
    Ok(match failed {
        None => exit::PASS,
        Some(error) if error.is_usage() => exit::USAGE,
        Some(_) => exit::WORLD,
    })
}

fn flags(arguments: &ResearchArguments) -> Flags {
    // A folder or a server allows only one provider.
    let implied = match (&arguments.path, &arguments.url) {
        (Some(_), None) => Some(SearchProviderName::Folder),
        (None, Some(_)) => Some(SearchProviderName::Searxng),
        _ => None,
    };
    let search = SearchConfig {
        provider: arguments.provider.or(implied),
        path: arguments.path.clone(),
        url: arguments.url.clone(),
        max_search_queries: arguments.max_queries,
        search_timeout: arguments.timeout,
        num_results: arguments.results,
    };
    Flags { search, ..Flags::default() }
}

fn queries(arguments: &ResearchArguments, mask: impl Fn(&str) -> String) -> Vec<SearchQuery> {
    let of = |words: &String| {
        let words = mask(words);
        let language = arguments.lang.unwrap_or_else(|| language_of(&words));
        match arguments.topic {
            None => vec![SearchQuery::plain(&words)],
            Some(Topic::Market) => market(&words, language),
            Some(Topic::Competitor) => competitor(&words, language),
            Some(Topic::Users) => users(&words, language),
        }
    };
    arguments.queries.iter().flat_map(of).collect()
}

fn searcher(arguments: &ResearchArguments, search: &ValidSearch) -> Result<Searcher, Failure> {
    let (limits, clock) = (search.limits, Box::new(SystemClock));
    if let Some(file) = &arguments.replay {
        return Searcher::replayed(file, limits, clock).map_err(Failure::usage);
    }
    let variable = |name: &str| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned());
    let provider = search::open(search, variable).map_err(|error: SearchError| Failure::usage(error))?;
    for (file, why) in provider.unread() {
        exit::warn(&format!("`{file}` is not searched: {why}"));
    }
    Ok(match &arguments.record {
        Some(file) => Searcher::recorded(provider, limits, clock, file),
        None => Searcher::new(provider, limits, clock),
    })
}

/// The folder of the files, so that the shown places can be opened as they are.
fn root(search: &ValidSearch) -> &Path {
    let root = search.path.value.as_deref().unwrap_or(Path::new(""));
    root.strip_prefix(".").unwrap_or(root)
}

fn human(found: &[Found], root: &Path, color: ColorWhen) -> String {
    let mut page = Page::new(color);
    for (at, one) in found.iter().enumerate() {
        if at > 0 {
            page.line("");
        }
        let count = match one.results.len() {
            0 => "nothing found".to_owned(),
            1 => "1 result".to_owned(),
            count => format!("{count} results"),
        };
        let query = page.bold(&format!("“{}”", clean::one_line(&one.search.query.text)));
        page.line(&format!("{query}  {}: {count}", one.provider));
        for result in &one.results {
            page.line("");
            let title = page.bold(&clean::one_line(&result.title));
            page.line(&format!("{:>3}. {title}", result.rank));
            let place = match &result.place {
                SourcePlace::File { file, line } => format!("{}:{line}", root.join(file).display()),
                page @ SourcePlace::Page { .. } => page.to_string(),
            };
            let place = page.faint(&clean::one_line(&place));
            page.line(&format!("     {place}"));
            page.indented(5, &clean::one_line(&result.snippet));
        }
    }
    page.text
}
