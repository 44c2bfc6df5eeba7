//! The Jira site, its API, and the keys of issues, checked before they become part of an address.

use std::fmt;
use std::str::FromStr;

use super::{Credentials, JiraError};
use crate::is_safe_base;
use reqgate_base::clean::short_line;

/// The version of a site's API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Api {
    /// Server and Data Center: REST API 2, wiki markup.
    Server,
    /// Cloud: REST API 3, Atlassian Document Format.
    Cloud,
}

impl Api {
    /// The path of the API below the address of the site.
    pub(super) fn path(self) -> &'static str {
        match self {
            Self::Server => "/rest/api/2",
            Self::Cloud => "/rest/api/3",
        }
    }
}

/// A Jira site and its credentials.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    /// The address without a slash at the end, e.g. `https://nordwind.atlassian.net` or `https://jira.example/jira`.
    pub(super) address: String,
    /// The version of its API.
    pub api: Api,
    /// The credentials; without them only public issues can be read.
    pub(super) credentials: Option<Credentials>,
}

impl Site {
    /// Creates a site at an address; without `api`, the version is derived from the address.
    ///
    /// # Errors
    /// Returns an error if the address is not an https address (http is allowed only for this machine).
    pub fn new(address: &str, api: Option<Api>, credentials: Option<Credentials>) -> Result<Self, JiraError> {
        let address = address.trim().trim_end_matches('/');
        let bad = || JiraError::BadAddress(short_line(address, 200));
        let parsed: http::Uri = address.parse().map_err(|_| bad())?;
        let host = parsed.host().ok_or_else(bad)?.to_ascii_lowercase();
        if !is_safe_base(address) {
            return Err(bad());
        }
        let is_cloud = host.ends_with(".atlassian.net") || host == "api.atlassian.com";
        let api = api.unwrap_or(if is_cloud { Api::Cloud } else { Api::Server });
        Ok(Self { address: address.to_owned(), api, credentials })
    }

    /// Reads the site from the environment: `JIRA_BASE_URL`, `JIRA_API` (2 or 3, if it cannot be derived from the
    /// address), and `JIRA_EMAIL` with `JIRA_API_TOKEN`, or `JIRA_TOKEN`.
    ///
    /// # Errors
    /// Returns an error if no site is named or a value is not valid.
    pub fn from_environment(read: impl Fn(&str) -> Option<String>) -> Result<Self, JiraError> {
        let read = |name: &str| read(name).filter(|value| !value.trim().is_empty());
        let address = read("JIRA_BASE_URL").ok_or(JiraError::NoSite)?;
        let api = match read("JIRA_API").as_deref().map(str::trim) {
            None => None,
            Some("2") => Some(Api::Server),
            Some("3") => Some(Api::Cloud),
            Some(other) => {
                let value = short_line(other, 40);
                return Err(JiraError::BadVariable {
                    name: "JIRA_API",
                    value,
                    remedy: "write 2 (Server) or 3 (Cloud)",
                });
            }
        };
        let credentials = match (read("JIRA_TOKEN"), read("JIRA_EMAIL"), read("JIRA_API_TOKEN")) {
            (Some(token), _, _) => Credentials::bearer(&token),
            (None, Some(email), Some(token)) => Credentials::basic(&email, &token),
            _ => None,
        };
        Self::new(&address, api, credentials)
    }

    /// Returns true if the site has credentials.
    pub fn is_authenticated(&self) -> bool {
        self.credentials.is_some()
    }

    /// The address of the page of an issue.
    pub fn page(&self, key: &IssueKey) -> String {
        format!("{}/browse/{key}", self.address)
    }
}

/// The key of a project, e.g. `PAY`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProjectKey(String);

impl fmt::Display for ProjectKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for ProjectKey {
    type Err = JiraError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // No character of this alphabet has a meaning in an address or a query.
        let is_project = (1..=40).contains(&text.len())
            && text.starts_with(|c: char| c.is_ascii_alphabetic())
            && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        if is_project { Ok(Self(text.to_ascii_uppercase())) } else { Err(JiraError::BadProject(short_line(text, 60))) }
    }
}

/// The key of an issue, e.g. `PAY-123`. Keys of one project are ordered by age.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IssueKey {
    /// The project that the issue belongs to.
    pub project: ProjectKey,
    /// The number of the issue in the project.
    pub number: u64,
}

impl fmt::Display for IssueKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.project, self.number)
    }
}

impl FromStr for IssueKey {
    type Err = JiraError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bad = || JiraError::BadKey(short_line(text, 60));
        let (project, number) = text.split_once('-').ok_or_else(bad)?;
        let is_number = (1..=12).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit());
        let number = Some(number).filter(|_| is_number).and_then(|number| number.parse().ok()).ok_or_else(bad)?;
        Ok(Self { project: project.parse().map_err(|_| bad())?, number })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn api_is_told_from_the_address_unless_it_is_said() {
        let of = |address: &str, api| Site::new(address, api, None).unwrap().api;
        assert_eq!(of("https://nordwind.atlassian.net/", None), Api::Cloud);
        assert_eq!(of("https://jira.nordwind.example/jira", None), Api::Server);
        assert_eq!(of("https://tickets.nordwind.example", Some(Api::Cloud)), Api::Cloud);
    }

    #[test]
    fn unsafe_address_is_refused() {
        for bad in
            ["http://jira.example", "ftp://x", "jira.example", "https://u@x.example", "https://x.example/?a=b", ""]
        {
            assert!(Site::new(bad, None, None).is_err(), "{bad}");
        }
        assert!(Site::new("http://127.0.0.1:8080", None, None).is_ok());
    }

    #[test]
    fn only_keys_are_keys() {
        assert_eq!("pay-12".parse::<IssueKey>().unwrap().to_string(), "PAY-12");
        assert!("PAY-9".parse::<IssueKey>().unwrap() < "PAY-10".parse().unwrap());
        for bad in ["", "PAY", "PAY-", "-1", "PAY-1/../2", "PAY-1?x=y", "PÄY-1", "1PAY-1", "PAY-1 "] {
            assert!(bad.parse::<IssueKey>().is_err(), "{bad}");
        }
    }

    #[test]
    fn environment_describes_the_site() {
        let read = |pairs: &'static [(&str, &str)]| {
            Site::from_environment(|name| {
                pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
            })
        };
        let site = read(&[("JIRA_BASE_URL", "https://x.atlassian.net"), ("JIRA_EMAIL", "a"), ("JIRA_API_TOKEN", "t")])
            .unwrap();
        assert_eq!((site.api, site.credentials), (Api::Cloud, Credentials::basic("a", "t")));
        assert_eq!(read(&[]), Err(JiraError::NoSite));
        assert!(read(&[("JIRA_BASE_URL", "https://x.example"), ("JIRA_API", "4")]).is_err());
    }
}
