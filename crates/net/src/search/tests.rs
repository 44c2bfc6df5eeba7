//! Tests of the services, over a transport that answers according to their documentation, and of a run of searches.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::{Clock, Method, NetError, Reply, Request, Transport};
use reqgate_rules::config::{SearchLimits, ValidSearch};

const TIMEOUT: Duration = Duration::from_secs(30);
const KEY: &str = "canary-key-7c6d5e4f";

/// A network that answers in turn, and a clock that only waiting moves.
#[derive(Clone, Default)]
struct Fake {
    answers: Rc<RefCell<VecDeque<Result<Reply, NetError>>>>,
    requests: Rc<RefCell<Vec<Request>>>,
    waited: Rc<RefCell<Duration>>,
}

impl Fake {
    fn answering(answers: impl IntoIterator<Item = Result<Reply, NetError>>) -> Self {
        Self { answers: Rc::new(RefCell::new(answers.into_iter().collect())), ..Self::default() }
    }

    fn search(&self, service: Service) -> WebSearch {
        WebSearch::with(service, TIMEOUT, Box::new(self.clone()), Box::new(self.clone()))
    }
}

impl Transport for Fake {
    fn send(&self, request: &Request) -> Result<Reply, NetError> {
        self.requests.borrow_mut().push(request.clone());
        self.answers.borrow_mut().pop_front().expect("no more is asked")
    }
}

impl Clock for Fake {
    fn now(&self) -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(1_800_000_000) + *self.waited.borrow()
    }

    fn wait(&self, time: Duration) {
        *self.waited.borrow_mut() += time;
    }
}

fn key() -> SearchKey {
    SearchKey::from_environment("K", |_| Some(KEY.to_owned())).unwrap().unwrap()
}

fn searxng() -> Service {
    Service::searxng("http://localhost:8080/").unwrap()
}

fn services() -> [Service; 3] {
    [searxng(), Service::Brave(key()), Service::Tavily(key())]
}

fn says(body: &Value) -> Result<Reply, NetError> {
    Ok(Reply::new(200, &[("content-type", "application/json")], body.to_string().into_bytes()))
}

fn status(status: u16) -> Result<Reply, NetError> {
    Ok(Reply::new(status, &[], b"{\"detail\": {\"error\": \"secret words\"}}".to_vec()))
}

/// The lists of results in the services' documented formats.
fn answers() -> [Value; 3] {
    let page = |snippet: &str| json!({ "title": "Notes, a market", "url": "https://a.example/x", snippet: "2.1 billion", "score": 0.9 });
    [
        json!({ "query": "q", "number_of_results": 1, "results": [page("content")], "suggestions": [], "infoboxes": [] }),
        json!({ "type": "search", "query": { "original": "q" }, "web": { "type": "search", "results": [page("description")] } }),
        json!({ "query": "q", "answer": null, "images": [], "results": [page("content")], "response_time": 1.2 }),
    ]
}

#[test]
fn every_service_is_asked_as_it_documents_and_answers_alike() {
    let sent: Vec<Request> = services()
        .into_iter()
        .zip(answers())
        .map(|(service, answer)| {
            let fake = Fake::answering([says(&answer)]);
            let found = fake.search(service).search("notes & 市场", 7).unwrap();
            assert_eq!(
                (found[0].rank, found[0].title.as_str(), found[0].snippet.as_str()),
                (1, "Notes, a market", "2.1 billion")
            );
            assert_eq!(
                (found[0].place.to_string().as_str(), found[0].domain.as_deref()),
                ("https://a.example/x", Some("a.example"))
            );
            let request = fake.requests.borrow()[0].clone();
            assert_eq!(request.timeout, Some(TIMEOUT));
            request
        })
        .collect();
    let q = "q=notes+%26+%E5%B8%82%E5%9C%BA";
    assert_eq!(sent[0].address, format!("http://localhost:8080/search?{q}&format=json"));
    assert_eq!((sent[0].method, sent[0].headers.len()), (Method::Get, 0));
    assert_eq!(
        sent[1].address,
        format!("https://api.search.brave.com/res/v1/web/search?{q}&count=7&text_decorations=false&result_filter=web")
    );
    assert_eq!(sent[1].headers["x-subscription-token"], KEY);
    assert!(sent[1].headers["x-subscription-token"].is_sensitive());
    assert_eq!((sent[2].method, sent[2].address.as_str()), (Method::Post, "https://api.tavily.com/search"));
    assert_eq!(sent[2].headers["authorization"], format!("Bearer {KEY}"));
    assert_eq!(sent[2].body, Some(json!({ "query": "notes & 市场", "max_results": 7, "search_depth": "basic" })));
    assert!(!format!("{sent:?}").contains(KEY), "a key is printed");
}

#[test]
fn brave_without_a_result_has_no_list_and_is_no_fault() {
    let fake = Fake::answering([says(&json!({ "type": "search", "query": { "original": "q" } }))]);
    assert_eq!(fake.search(Service::Brave(key())).search("q", 5), Ok(Vec::new()));
}

#[test]
fn searxng_whose_engines_are_silent_did_not_find_nothing() {
    let reply = |results: Value| {
        says(&json!({ "results": results, "unresponsive_engines": [["google", "access\u{1b}[31m denied"], [1], 2] }))
    };
    let error = Fake::answering([reply(json!([]))]).search(searxng()).search("q", 5).unwrap_err().to_string();
    assert!(error.contains("(google: access denied, ?: ?, ?: ?)"), "{error}");
    let page = json!([{ "url": "https://a.example/", "title": "T" }]);
    assert_eq!(Fake::answering([reply(page)]).search(searxng()).search("q", 5).map(|found| found.len()), Ok(1));
}

#[test]
fn refusals_say_what_to_do_and_hold_neither_key_nor_words_of_the_server() {
    let page = || Ok(Reply::new(200, &[("content-type", "text/html; charset=utf-8")], b"<html>secret words".to_vec()));
    let bare = || Ok(Reply::new(200, &[], b" \n<!doctype html>".to_vec()));
    let lost = || Err(NetError::lost("the request failed"));
    let [mine, brave, tavily] = services();
    let brave_too = Service::Brave(key());
    let told = |service: Service, answer| {
        let error = Fake::answering([answer]).search(service).search("q", 5).unwrap_err();
        let message = error.to_string();
        assert!(!message.contains("secret") && !message.contains(KEY), "{message}");
        message
    };
    assert!(told(mine, status(403)).contains("add `json` to `search.formats`"));
    assert!(told(searxng(), page()).contains("add `json` to `search.formats`"));
    assert!(told(searxng(), bare()).contains("web page instead of JSON"));
    assert!(told(searxng(), status(302)).contains("name that one"));
    assert!(told(searxng(), lost()).contains("the request failed"));
    assert!(told(brave, status(422)).contains("BRAVE_API_KEY"));
    assert!(told(brave_too, page()).contains("a proxy or a login page"));
    assert!(told(tavily, status(401)).contains("TAVILY_API_KEY"));
    assert!(told(Service::Tavily(key()), status(432)).contains("limit of the account"));
    assert!(told(Service::Tavily(key()), status(500)).contains("try again later"));
}

#[test]
fn a_limit_is_waited_for_if_there_is_time_and_told_if_not_and_nothing_is_paid_twice() {
    let limit = |seconds: &str| Ok(Reply::new(429, &[("retry-after", seconds)], Vec::new()));
    let fake = Fake::answering([limit("7"), says(&answers()[1])]);
    assert_eq!(fake.search(Service::Brave(key())).search("q", 5).map(|found| found.len()), Ok(1));
    assert_eq!(*fake.waited.borrow(), Duration::from_secs(7));
    let fake = Fake::answering([limit("3600")]);
    let error = fake.search(Service::Brave(key())).search("q", 5).unwrap_err();
    assert!(error.to_string().contains("try again in 3600 s"), "{error}");
    for answer in [status(500), Err(NetError::lost("the request timed out"))] {
        let fake = Fake::answering([answer]);
        assert!(fake.search(Service::Tavily(key())).search("q", 5).is_err());
        assert_eq!(fake.requests.borrow().len(), 1);
    }
}

#[test]
fn only_safe_addresses_are_asked() {
    for bad in
        ["http://search.example", "ftp://x", "search.example", "", "https://u@x.example", "https://x.example/?q=a"]
    {
        assert!(matches!(Service::searxng(bad), Err(SearchError::BadAddress(_))), "{bad}");
    }
    for good in ["https://x.example/searx/", "https://x.example/searx/search", "http://127.0.0.1:1"] {
        assert!(Service::searxng(good).is_ok(), "{good}");
    }
}

#[test]
fn what_is_missing_is_told_by_name() {
    let told = |provider, variable: fn(&str) -> Option<String>| {
        let mut search = ValidSearch::default();
        search.provider.value = provider;
        open(&search, variable).err().map(|error| error.to_string()).unwrap_or_default()
    };
    let none = |_: &str| None;
    assert!(told(SearchProviderName::None, none).contains("REQGATE_SEARCH"));
    assert!(told(SearchProviderName::Folder, none).contains("REQGATE_SEARCH_PATH"));
    assert!(told(SearchProviderName::Searxng, none).contains("REQGATE_SEARCH_URL"));
    assert!(told(SearchProviderName::Brave, none).contains("set BRAVE_API_KEY"));
    assert!(told(SearchProviderName::Tavily, none).contains("set TAVILY_API_KEY"));
    assert!(told(SearchProviderName::Tavily, |_| Some("a\nb".to_owned())).contains("in TAVILY_API_KEY is not valid"));
}

/// Replies of any shape, some with the names that are read.
fn hostile() -> impl Strategy<Value = Value> {
    let word = prop::sample::select(vec![
        "https://a.example/",
        "javascript:1",
        "x\u{1b}[31m\u{202e}y",
        "",
        "https://a.example/\n",
        "search",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(|number| json!(number)),
        word.prop_map(Value::from),
        ".{0,2000}".prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 60, 12, |inner| {
        let name =
            prop::sample::select(vec!["results", "web", "url", "title", "content", "description", "score", "type"]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..12).prop_map(Value::from),
            prop::collection::hash_map(name, inner, 0..6)
                .prop_map(|map| Value::Object(map.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn no_reply_brings_anything_but_clean_results_or_a_named_error(reply in hostile(), which in 0_usize..3) {
        for reply in [reply.clone(), json!({ "type": "search", "results": reply, "web": { "results": reply } })] {
            let service = services().into_iter().nth(which).unwrap();
            let Ok(found) = Fake::answering([says(&reply)]).search(service).search("q", 4) else { continue };
            prop_assert!(found.len() <= 4);
            for result in found {
                prop_assert!(result.place.to_string().starts_with("http"));
                prop_assert!(result.title.chars().count() <= 200 && result.snippet.chars().count() <= 500);
                let shown = format!("{}{}{}", result.title, result.place, result.snippet);
                prop_assert!(!shown.chars().any(reqgate_base::clean::is_unsafe), "{shown:?}");
            }
        }
    }

    #[test]
    fn no_bytes_bring_a_panic(body in prop::collection::vec(any::<u8>(), 0..400), which in 0_usize..3) {
        let service = services().into_iter().nth(which).unwrap();
        let _ = Fake::answering([Ok(Reply::new(200, &[], body))]).search(service).search("q", 4);
    }
}

#[test]
fn deep_and_huge_replies_are_errors_or_cut() {
    let deep = "[".repeat(100_000);
    let error =
        Fake::answering([Ok(Reply::new(200, &[], deep.into_bytes()))]).search(searxng()).search("q", 4).unwrap_err();
    assert!(matches!(error, SearchError::Malformed { .. }), "{error}");
    let many: Vec<Value> =
        (0..50_000).map(|n| json!({ "url": format!("https://a.example/{n}"), "title": "x".repeat(50) })).collect();
    let found = Fake::answering([says(&json!({ "results": many }))]).search(searxng()).search("q", 20).unwrap();
    assert_eq!(found.len(), 20);
}

fn limits(queries: u32) -> SearchLimits {
    SearchLimits { queries, ..SearchLimits::default() }
}

fn run(fake: &Fake, queries: u32) -> Searcher {
    Searcher::new(Box::new(fake.search(searxng())), limits(queries), Box::new(fake.clone()))
}

#[test]
fn budget_holds_and_a_repeated_query_costs_nothing() {
    let fake = Fake::answering([says(&answers()[0]), status(500)]);
    let mut searcher = run(&fake, 2);
    let first = searcher.search(&SearchQuery::plain("Shared  notes")).unwrap();
    assert_eq!(searcher.search(&SearchQuery::plain(" shared notes ")).unwrap().results, first.results);
    assert_eq!(searcher.left(), 1);
    let failed = SearchQuery::plain("other");
    assert!(searcher.search(&failed).is_err());
    // A failed search is not paid for again.
    assert!(matches!(searcher.search(&failed), Err(SearchError::Refused { status: 500, .. })));
    assert_eq!(searcher.search(&SearchQuery::plain("third")), Err(SearchError::BudgetSpent { most: 2 }));
    assert_eq!(searcher.search(&SearchQuery::plain(" ?! ")), Err(SearchError::EmptyQuery));
    assert_eq!(fake.requests.borrow().len(), 2);
}

/// Checks that every search is logged as `{type, query, target?, timestamp}`, with the time of the given clock.
#[test]
fn every_search_is_logged_with_its_type_target_and_time() {
    let fake = Fake::answering((0..4).map(|_| says(&answers()[0])));
    let mut searcher = run(&fake, 10);
    for query in query::competitor("Nordwind", reqgate_base::model::Language::En) {
        searcher.search(&query).unwrap();
    }
    let log = serde_json::to_value(searcher.log()).unwrap();
    assert_eq!(log.as_array().unwrap().len(), 4);
    assert_eq!(
        log[1],
        json!({ "type": "competitor_analysis", "query": "Nordwind reviews comparison", "target": "Nordwind", "timestamp": "2027-01-15T08:00:00Z" })
    );
}

/// Checks that five failures in a row open the breaker, and that 30 s later one search is sent.
#[test]
fn server_that_fails_again_and_again_is_left_alone() {
    let fake = Fake::answering((0..5).map(|_| status(503)).chain([says(&answers()[0])]));
    let mut searcher = run(&fake, 10);
    let query = |number: u32| SearchQuery::plain(&format!("q{number}"));
    (0..5).for_each(|number| assert!(searcher.search(&query(number)).is_err()));
    let error = searcher.search(&query(6)).unwrap_err();
    assert_eq!(error, SearchError::Paused { provider: SearchProviderName::Searxng, retry_in: 30 });
    assert_eq!((fake.requests.borrow().len(), searcher.left()), (5, 5));
    fake.wait(Duration::from_secs(31));
    assert!(searcher.search(&query(6)).is_ok());
}

#[test]
fn recorded_run_is_replayed_without_a_request_and_to_the_letter() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.jsonl");
    let fake = Fake::answering([says(&answers()[1]), status(422)]);
    let provider = Box::new(fake.search(Service::Brave(key())));
    let mut searcher = Searcher::recorded(provider, limits(10), Box::new(fake.clone()), &file);
    let (one, two) = (SearchQuery::plain("one"), SearchQuery::plain("two"));
    let (first, second) = (searcher.search(&one), searcher.search(&two));
    assert!(first.is_ok() && second.is_err());
    let text = std::fs::read_to_string(&file).unwrap();
    assert_eq!(text.lines().count(), 2);
    assert!(!text.contains(KEY));
    let silent = Fake::default();
    let mut again = Searcher::replayed(&file, limits(2), Box::new(silent.clone())).unwrap();
    assert_eq!((again.search(&one), again.search(&two)), (first, second));
    assert_eq!(again.log(), searcher.log());
    assert!(silent.requests.borrow().is_empty());
    assert_eq!(again.search(&SearchQuery::plain("three")), Err(SearchError::BudgetSpent { most: 2 }));
    let mut again = Searcher::replayed(&file, limits(9), Box::new(silent)).unwrap();
    let error = again.search(&SearchQuery::plain("three")).unwrap_err();
    assert_eq!(error.to_string(), "the recording has no search for `three`: record the run again with --record");
}

#[test]
fn damaged_recordings_are_told_by_line_and_never_quoted() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.jsonl");
    let read = || {
        Searcher::replayed(&file, limits(1), Box::new(Fake::default())).err().map(|error| error.to_string()).unwrap()
    };
    assert!(read().contains("does not exist: make it with --record"));
    for bad in ["\n{\"version\":1,\"secret\":true}\n", "\n{\"version\":9}", "\n[[[[", "\n\"secret\""] {
        std::fs::write(&file, bad).unwrap();
        assert!(read().contains("line 2 is not a recorded search") && !read().contains("secret"), "{}", read());
    }
}
