//! The choice of the search and its limits: the section `search` of the file, the user's own configuration, the
//! environment and the flags.
//!
//! A search shows a third party the topics of a team, and may cost money. A repository's file comes with every
//! checkout, so it can name a folder inside the repository, but neither a service nor a server: only the person who
//! runs the program can name those.

use std::path::PathBuf;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::setting::{Origin, Setting};

reqgate_base::named! {
    /// A provider of searches.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
    pub enum SearchProviderName {
        /// Searches are switched off.
        #[default]
        None => "none",
        /// A folder of your own documents, offline.
        Folder => "folder",
        /// A SearXNG server of your own.
        Searxng => "searxng",
        /// The service Brave Search.
        Brave => "brave",
        /// The service Tavily.
        Tavily => "tavily",
    }
}

impl SearchProviderName {
    /// Returns true if queries leave this machine.
    pub fn is_service(self) -> bool {
        matches!(self, Self::Searxng | Self::Brave | Self::Tavily)
    }
}

impl std::fmt::Display for SearchProviderName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// The section `search`; environment and flags have the same settings.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SearchConfig {
    /// The provider: none, folder, searxng, brave or tavily. Default none. A repository's own file can only name a folder.
    pub provider: Option<SearchProviderName>,
    /// The folder of documents, relative to this file.
    pub path: Option<PathBuf>,
    /// Address of the SearXNG server; not used from a repository's own file.
    pub url: Option<String>,
    /// Searches in one run, 1 to 100. Default 10.
    pub max_search_queries: Option<u32>,
    /// Seconds for one search, and for all waiting together, 1 to 300. Default 30.
    pub search_timeout: Option<u32>,
    /// Results of one search, 1 to 20. Default 10.
    pub num_results: Option<u32>,
}

/// The limits of a run, with the defaults of the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchLimits {
    /// The most searches in one run.
    pub queries: u32,
    /// The time for one search.
    pub timeout: Duration,
    /// The most results of one search.
    pub results: u32,
}

impl Default for SearchLimits {
    fn default() -> Self {
        Self { queries: 10, timeout: Duration::from_secs(30), results: 10 }
    }
}

/// The search in force; none without any configuration.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ValidSearch {
    /// The provider that is searched.
    pub provider: Setting<SearchProviderName>,
    /// The folder of documents.
    pub path: Setting<Option<PathBuf>>,
    /// The address of the SearXNG server.
    pub url: Setting<Option<String>>,
    /// The limits of a run.
    pub limits: SearchLimits,
    /// The place where a repository's file names a service or a server, which is therefore not used.
    pub withheld: Option<Origin>,
}

impl ValidSearch {
    /// Merges all settings: flags win over the environment, the environment over the user's own configuration, and that
    /// over the file.
    ///
    /// # Errors
    /// Returns the origin of the value that is out of its range, and the problem.
    pub(super) fn resolve(
        file: &SearchConfig,
        at: impl Fn(&[&str]) -> Origin,
        environment: &SearchConfig,
        flags: &SearchConfig,
        own: &SearchConfig,
        is_trusted: bool,
    ) -> Result<Self, (Origin, String)> {
        let named = Setting::first([
            (flags.provider, Origin::Flag("--provider")),
            (environment.provider, Origin::Environment("REQGATE_SEARCH")),
            (own.provider, Origin::Own),
            (file.provider, at(&["search", "provider"])),
        ]);
        let is_of_the_file = matches!(named.origin, Origin::File(_));
        let is_service = named.value.is_some_and(SearchProviderName::is_service);
        let withheld = (is_service && is_of_the_file && !is_trusted).then(|| named.origin.clone());
        let mut provider = Setting::default();
        provider.take(named.value.filter(|_| withheld.is_none()), named.origin);
        let path = Setting::first([
            (flags.path.clone(), Origin::Flag("--path")),
            (environment.path.clone(), Origin::Environment("REQGATE_SEARCH_PATH")),
            (own.path.clone(), Origin::Own),
            (file.path.clone(), at(&["search", "path"])),
        ]);
        let url = Setting::first([
            (flags.url.clone(), Origin::Flag("--url")),
            (environment.url.clone(), Origin::Environment("REQGATE_SEARCH_URL")),
            (own.url.clone(), Origin::Own),
            (file.url.clone().filter(|_| is_trusted), at(&["search", "url"])),
        ]);
        let number = |value: fn(&SearchConfig) -> Option<u32>, names: (&'static str, &'static str, &'static str)| {
            Setting::first([
                (value(flags), Origin::Flag(names.0)),
                (value(environment), Origin::Environment(names.1)),
                (value(own), Origin::Own),
                (value(file), at(&["search", names.2])),
            ])
        };
        let usual = SearchLimits::default();
        let queries =
            number(|config| config.max_search_queries, ("--max-queries", "MAX_SEARCH_QUERIES", "max_search_queries"));
        let seconds = number(|config| config.search_timeout, ("--timeout", "SEARCH_TIMEOUT", "search_timeout"));
        let results = number(|config| config.num_results, ("--results", "NUM_RESULTS", "num_results"));
        for (setting, key) in
            [(&queries, "max_search_queries"), (&seconds, "search_timeout"), (&results, "num_results")]
        {
            if let Some(message) = setting.value.and_then(|value| out_of_range(key, value)) {
                return Err((setting.origin.clone(), message));
            }
        }
        let limits = SearchLimits {
            queries: queries.value.unwrap_or(usual.queries),
            timeout: seconds.value.map_or(usual.timeout, |seconds| Duration::from_secs(seconds.into())),
            results: results.value.unwrap_or(usual.results),
        };
        Ok(Self { provider, path, url, limits, withheld })
    }
}

fn out_of_range(key: &str, value: u32) -> Option<String> {
    let most = match key {
        "max_search_queries" => 100,
        "search_timeout" => 300,
        _ => 20,
    };
    let is_fine = (1..=most).contains(&value);
    (!is_fine).then(|| format!("{value} is out of range: write a number from 1 to {most}"))
}

/// The problems with numbers of the section, each with the keys that lead to it.
pub(super) fn problems(config: &SearchConfig) -> Vec<(&'static [&'static str], String)> {
    let values: [(&'static [&'static str], Option<u32>); 3] = [
        (&["search", "max_search_queries"], config.max_search_queries),
        (&["search", "search_timeout"], config.search_timeout),
        (&["search", "num_results"], config.num_results),
    ];
    values.into_iter().filter_map(|(keys, value)| Some((keys, out_of_range(keys[1], value?)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use SearchProviderName::{Brave, Folder, Searxng, Tavily};

    fn naming(provider: SearchProviderName) -> SearchConfig {
        SearchConfig { provider: Some(provider), ..SearchConfig::default() }
    }

    fn resolved(file: &SearchConfig, is_trusted: bool, stated: [&SearchConfig; 3]) -> ValidSearch {
        let at = |_: &[&str]| Origin::File(reqgate_base::yaml::Place { line: 1, column: 1 });
        let [own, environment, flags] = stated;
        ValidSearch::resolve(file, at, environment, flags, own, is_trusted).expect("nothing is wrong")
    }

    #[test]
    fn file_of_a_repository_names_a_folder_and_no_service() {
        let none = SearchConfig::default();
        for service in [Searxng, Brave, Tavily] {
            let file = SearchConfig { url: Some("https://theirs.example".into()), ..naming(service) };
            let valid = resolved(&file, false, [&none; 3]);
            assert_eq!(valid.provider.value, SearchProviderName::None);
            assert!(valid.withheld.is_some());
            let valid = resolved(&file, true, [&none; 3]);
            assert_eq!((valid.provider.value, valid.url.value.is_some(), valid.withheld), (service, true, None));
        }
        let file = SearchConfig { path: Some("docs".into()), ..naming(Folder) };
        let valid = resolved(&file, false, [&none; 3]);
        assert_eq!((valid.provider.value, valid.withheld), (Folder, None));
        // A user who asks for SearXNG is not sent to the server of the repository.
        let theirs = SearchConfig { url: Some("https://theirs.example".into()), ..SearchConfig::default() };
        for stated in
            [[&naming(Searxng), &none, &none], [&none, &naming(Searxng), &none], [&none, &none, &naming(Searxng)]]
        {
            let valid = resolved(&theirs, false, stated);
            assert_eq!((valid.provider.value, valid.url.value), (Searxng, None));
        }
    }

    #[test]
    fn flags_beat_the_environment_that_beats_the_own_configuration_that_beats_the_file() {
        let none = SearchConfig::default();
        let (folder, brave, tavily, searxng) = (naming(Folder), naming(Brave), naming(Tavily), naming(Searxng));
        let of = |own, environment, flags| resolved(&folder, false, [own, environment, flags]).provider;
        assert_eq!(of(&brave, &tavily, &searxng), Setting::new(Searxng, Origin::Flag("--provider")));
        assert_eq!(of(&brave, &tavily, &none), Setting::new(Tavily, Origin::Environment("REQGATE_SEARCH")));
        assert_eq!(of(&brave, &none, &none), Setting::new(Brave, Origin::Own));
        assert_eq!(of(&none, &none, &none).value, Folder);
    }

    /// Ten queries, 30 seconds, ten results.
    #[test]
    fn limits_have_the_defaults_of_the_source_and_ranges() {
        let none = SearchConfig::default();
        let usual = SearchLimits { queries: 10, timeout: Duration::from_secs(30), results: 10 };
        assert_eq!(resolved(&none, false, [&none; 3]).limits, usual);
        let file =
            SearchConfig { max_search_queries: Some(0), num_results: Some(21), search_timeout: Some(301), ..none };
        let keys: Vec<&str> = problems(&file).iter().map(|(keys, _)| keys[1]).collect();
        assert_eq!(keys, ["max_search_queries", "search_timeout", "num_results"]);
    }
}
