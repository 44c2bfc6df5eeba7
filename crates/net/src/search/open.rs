//! Opens the configured search provider.

use super::{Folder, SearchError, SearchKey, SearchProvider, Service, WebSearch};
use reqgate_rules::config::{SearchProviderName, ValidSearch};

/// Opens the provider in force. A folder is read at once; a service is not contacted before the first search. Keys are
/// read through `variable` (`BRAVE_API_KEY`, `TAVILY_API_KEY`).
///
/// # Errors
/// Returns an error that names the missing part: a provider, an address, a folder or a key.
pub fn open(
    search: &ValidSearch,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<Box<dyn SearchProvider>, SearchError> {
    let key = |name: &str| {
        let missing = || SearchError::NoKey { provider: search.provider.value, variable: name.to_owned() };
        SearchKey::from_environment(name, &variable)?.ok_or_else(missing)
    };
    let service = match search.provider.value {
        SearchProviderName::None => return Err(SearchError::NotConfigured),
        SearchProviderName::Folder => {
            let path = search.path.value.as_deref().ok_or(SearchError::NoFolder)?;
            return Ok(Box::new(Folder::open(path)?));
        }
        SearchProviderName::Searxng => Service::searxng(search.url.value.as_deref().ok_or(SearchError::NoAddress)?)?,
        SearchProviderName::Brave => Service::Brave(key("BRAVE_API_KEY")?),
        SearchProviderName::Tavily => Service::Tavily(key("TAVILY_API_KEY")?),
    };
    Ok(Box::new(WebSearch::new(service, search.limits.timeout)))
}
