//! Reads the history of a repository's issues, a hundred with each request. The pages are kept in a folder, so that an
//! interrupted run resumes and a later one requests only the changes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::super::history::Meanings;
use super::past::{PastTicket, past_ticket};
use reqgate_base::files::{self, Readers};
use reqgate_base::hash::Hash;
use reqgate_net::github::{Client, GithubError, Repository};

/// The name of the stored form; a folder with another form is ignored and read again.
const SCHEMA: &str = "reqgate/past/v1";

/// The folder of one repository's pages.
#[derive(Debug)]
pub struct PageStore {
    folder: PathBuf,
    state: State,
}

/// The state of the walk through the issues.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct State {
    schema: String,
    source: String,
    /// The number of stored pages.
    pages: usize,
    /// The cursor of the next page.
    next: Option<String>,
    /// Only changes since then are requested; `None` in the first walk.
    since: Option<String>,
    /// The last change of any issue that was read.
    latest: Option<String>,
    is_complete: bool,
}

/// The number of pages that a run read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Walked {
    /// Pages that were fetched from GitHub.
    pub fetched: usize,
    /// Pages that were kept from earlier runs.
    pub kept: usize,
    /// An earlier run was interrupted.
    pub resumed: bool,
    /// There are more issues than the limit.
    pub is_cut: bool,
}

/// The reason why a repository's history could not be read.
#[derive(Debug, thiserror::Error)]
pub enum RepositoryError {
    /// GitHub cannot be asked or refuses.
    #[error(transparent)]
    Github(#[from] GithubError),
    /// A page cannot be stored.
    #[error("writing to the folder `{folder}`: {source}")]
    Store {
        /// The path of the folder.
        folder: String,
        /// The cause of the error.
        source: std::io::Error,
    },
}

impl PageStore {
    /// Opens the pages of a repository below `folder`; it has no pages if they do not exist or cannot be read.
    pub fn open(folder: &Path, source: &str) -> Self {
        let folder = folder.join(Hash::of(source).short());
        let fresh = State {
            schema: SCHEMA.to_owned(),
            source: source.to_owned(),
            pages: 0,
            next: None,
            since: None,
            latest: None,
            is_complete: false,
        };
        let read = files::read(&folder.join("state.json"), files::RECORDS).ok();
        let read: Option<State> = read.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let state = read.filter(|state| state.schema == SCHEMA && state.source == source).unwrap_or(fresh);
        Self { folder, state }
    }

    /// Discards the pages of earlier runs.
    pub fn forget(&mut self) {
        self.state =
            State { pages: 0, next: None, since: None, latest: None, is_complete: false, ..self.state.clone() };
    }

    fn page(&self, number: usize) -> PathBuf {
        self.folder.join(format!("page-{number:05}.json"))
    }

    fn store(&mut self, issues: &[Map<String, Value>], next: Option<String>) -> Result<(), RepositoryError> {
        let failed = |folder: &Path, source| RepositoryError::Store { folder: folder.display().to_string(), source };
        let changed = issues.iter().filter_map(|issue| issue.get("updatedAt")?.as_str());
        let latest = changed.chain(self.state.latest.as_deref()).max().map(str::to_owned);
        self.state.latest = latest;
        // The page is written first: a page that the state does not count is written again.
        self.state.pages += 1;
        self.state.is_complete = next.is_none();
        self.state.next = next;
        let page = self.page(self.state.pages);
        for (path, text) in [
            (page, serde_json::to_vec(issues).unwrap_or_default()),
            (self.folder.join("state.json"), serde_json::to_vec(&self.state).unwrap_or_default()),
        ] {
            files::write(&path, &text, Readers::Owner).map_err(|error| failed(&self.folder, error))?;
        }
        Ok(())
    }

    /// The latest version of every issue, by its number.
    fn issues(&self) -> BTreeMap<u64, Map<String, Value>> {
        let mut all = BTreeMap::new();
        for number in 1..=self.state.pages {
            let bytes = files::read(&self.page(number), files::RECORDS).unwrap_or_default();
            let issues: Vec<Map<String, Value>> = serde_json::from_slice(&bytes).unwrap_or_default();
            all.extend(issues.into_iter().filter_map(|issue| Some((issue.get("number")?.as_u64()?, issue))));
        }
        all
    }
}

/// Reads the issues of a repository, at most `most`; `progress` is called with the number of issues read so far.
///
/// # Errors
/// Fails if GitHub cannot be asked, or if a page cannot be stored; pages that were read before are kept.
pub fn read_repository(
    client: &Client,
    repository: &Repository,
    store: &mut PageStore,
    most: usize,
    mut progress: impl FnMut(usize),
) -> Result<(Vec<PastTicket>, Walked), RepositoryError> {
    let mut walked = Walked { kept: store.state.pages, ..Walked::default() };
    walked.resumed = store.state.pages > 0 && !store.state.is_complete;
    if store.state.is_complete {
        store.state.since.clone_from(&store.state.latest);
        store.state.next = None;
    }
    let mut read = store.issues().len();
    loop {
        if read >= most {
            walked.is_cut = !store.state.is_complete;
            break;
        }
        let page = client.past_page(repository, store.state.next.as_deref(), store.state.since.as_deref())?;
        read += page.issues.len();
        walked.fetched += 1;
        store.store(&page.issues, page.next)?;
        progress(read);
        if store.state.is_complete {
            break;
        }
    }
    let issues = store.issues();
    walked.is_cut |= issues.len() > most;
    let tickets = issues.values().take(most).filter_map(|issue| {
        let number = issue.get("number")?.as_u64()?;
        past_ticket(&format!("{repository}#{number}"), issue, &Meanings::new())
    });
    Ok((tickets.collect(), walked))
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;
    use std::time::{Duration, SystemTime, UNIX_EPOCH};

    use serde_json::json;

    use super::*;
    use reqgate_net::{Clock, NetError, Reply, Request, Transport};

    /// A fake GitHub with 250 issues that can fail on request, with the variables of every request.
    #[derive(Clone, Default)]
    struct Server(Rc<RefCell<(Vec<Value>, Option<usize>)>>);

    impl Transport for Server {
        fn send(&self, request: &Request) -> Result<Reply, NetError> {
            let mut server = self.0.borrow_mut();
            let variables = request.body.as_ref().expect("a query")["variables"].clone();
            let from: u64 = variables["after"].as_str().map_or(0, |after| after.parse().expect("a cursor"));
            server.0.push(variables.clone());
            if server.1 == Some(server.0.len()) {
                return Ok(Reply::new(404, &[], b"{}".to_vec()));
            }
            let all: Vec<u64> = if variables["since"].is_null() { (1..=250).collect() } else { vec![7] };
            let title = if variables["since"].is_null() { "Old" } else { "New" };
            let nodes: Vec<Value> = all.iter().filter(|number| **number > from).take(100).map(|number| {
                json!({"number": number, "title": title, "body": "It fails.", "state": "OPEN", "updatedAt": format!("2026-01-{:02}T00:00:00Z", number % 28 + 1),
                       "author": {"login": "ann"}, "comments": {"nodes": []}})
            }).collect();
            let last = nodes.last().map_or(0, |node| node["number"].as_u64().expect("a number"));
            let page = json!({"hasNextPage": all.iter().any(|number| *number > last), "endCursor": last.to_string()});
            let body = json!({"data": {"repository": {"issues": {"pageInfo": page, "nodes": nodes}}}});
            Ok(Reply::new(200, &[], body.to_string().into_bytes()))
        }
    }

    impl Clock for Server {
        fn now(&self) -> SystemTime {
            UNIX_EPOCH
        }

        fn wait(&self, _: Duration) {}
    }

    fn run(server: &Server, folder: &Path, most: usize) -> Result<(Vec<PastTicket>, Walked), RepositoryError> {
        let client = Client::with("https://api.github.com", Box::new(server.clone()), Box::new(server.clone()));
        let repository = "octo/shop".parse().expect("a repository");
        read_repository(&client, &repository, &mut PageStore::open(folder, "octo/shop"), most, |_| {})
    }

    #[test]
    fn a_walk_resumes_where_it_was_interrupted_and_asks_later_for_what_has_changed() {
        let (server, folder) = (Server::default(), tempfile::tempdir().expect("a folder"));
        server.0.borrow_mut().1 = Some(2);
        assert!(run(&server, folder.path(), 1000).is_err());
        let (tickets, walked) = run(&server, folder.path(), 1000).expect("read");
        assert_eq!((tickets.len(), walked), (250, Walked { fetched: 2, kept: 1, resumed: true, is_cut: false }));
        let asked: Vec<Value> = server.0.borrow().0.iter().map(|variables| variables["after"].clone()).collect();
        assert_eq!(asked, [json!(null), json!("100"), json!("100"), json!("200")]);
        let (tickets, walked) = run(&server, folder.path(), 1000).expect("read");
        assert_eq!((tickets.len(), walked.fetched, walked.resumed), (250, 1, false));
        assert_eq!(server.0.borrow().0.last().expect("a request")["since"], "2026-01-28T00:00:00Z");
        assert!(tickets[6].input.text.starts_with("New"), "what has changed replaces what was read before");
    }

    #[test]
    fn no_more_issues_are_read_than_asked_for() {
        let (server, folder) = (Server::default(), tempfile::tempdir().expect("a folder"));
        let (tickets, walked) = run(&server, folder.path(), 150).expect("read");
        assert_eq!((tickets.len(), walked.fetched, walked.is_cut), (150, 2, true));
    }
}
