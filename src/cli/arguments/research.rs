//! Arguments of `reqgate research`.

use std::path::PathBuf;

use clap::builder::TypedValueParser;
use clap::{Args, ValueEnum};
use reqgate::config::SearchProviderName;
use reqgate::model::Language;

use super::{ConfigurationArguments, TextOrJson, language, named};

#[derive(Debug, Args)]
pub struct ResearchArguments {
    /// Words to search for; with --topic, a product or a competitor
    #[arg(value_name = "QUERY", required = true)]
    pub queries: Vec<String>,
    /// Search with the queries for a market, a competitor (four queries) or users, instead of the words as they are
    #[arg(long, value_name = "TOPIC", ignore_case = true)]
    pub topic: Option<Topic>,
    /// Language of the words that --topic adds [default: that of the query]
    #[arg(long, value_name = "LANG", value_parser = language(), ignore_case = true, requires = "topic")]
    pub lang: Option<Language>,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "human", ignore_case = true)]
    pub format: TextOrJson,
    /// Provider of the search: folder (offline), searxng, brave or tavily [default: search is off] [env:
    /// REQGATE_SEARCH]
    #[arg(long, value_name = "NAME", value_parser = provider(), ignore_case = true, help_heading = "Search")]
    pub provider: Option<SearchProviderName>,
    /// Folder of your own documents; implies --provider folder [env: REQGATE_SEARCH_PATH]
    #[arg(long, value_name = "DIR", help_heading = "Search")]
    pub path: Option<PathBuf>,
    /// Address of a SearXNG server; implies --provider searxng [env: REQGATE_SEARCH_URL]
    #[arg(long, value_name = "URL", help_heading = "Search")]
    pub url: Option<String>,
    /// Stop after this many searches, 1 to 100 [default: 10] [env: MAX_SEARCH_QUERIES]
    #[arg(long, value_name = "N", help_heading = "Search")]
    pub max_queries: Option<u32>,
    /// Time limit for one search, in seconds, 1 to 300 [default: 30] [env: SEARCH_TIMEOUT]
    #[arg(long, value_name = "SECONDS", help_heading = "Search")]
    pub timeout: Option<u32>,
    /// Results of one search, 1 to 20 [default: 10] [env: NUM_RESULTS]
    #[arg(long, value_name = "N", help_heading = "Search")]
    pub results: Option<u32>,
    /// Record every search in this file as JSON Lines
    #[arg(long, value_name = "FILE", conflicts_with = "replay", help_heading = "Search")]
    pub record: Option<PathBuf>,
    /// Replay the searches recorded in this file instead of searching
    #[arg(long, value_name = "FILE", help_heading = "Search")]
    pub replay: Option<PathBuf>,
    #[command(flatten)]
    pub configuration: ConfigurationArguments,
}

/// The topic of a research.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Topic {
    /// Size of a market
    Market,
    /// Offer of a competitor, and opinions about it
    Competitor,
    /// Needs of users
    Users,
}

pub(super) const RESEARCH_EXAMPLES: &str = "\
Examples:
  reqgate research 'who exports orders?' --path docs/research
  reqgate research 'shared notes' --topic market --provider brave       the key is in BRAVE_API_KEY
  reqgate research 'Nordwind Notes' --topic competitor --url http://localhost:8080
  reqgate research 'shared notes' --provider tavily --record run.jsonl   later: --replay run.jsonl";

pub(super) const RESEARCH_CODES: &str = "\
Exit codes:
  0  every search was made, whether it found something or not
  2  wrong usage or configuration: no provider, no key, a folder that cannot be read
  3  a search service did not answer or refused";

fn provider() -> impl TypedValueParser<Value = SearchProviderName> {
    use SearchProviderName::{Brave, Folder, Searxng, Tavily};
    named(vec![(&["folder"], Folder), (&["searxng"], Searxng), (&["brave"], Brave), (&["tavily"], Tavily)])
}
