//! Searches with a server: the data sent to it, and the ways to configure it.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

use super::Sandbox;

/// A server that answers every request like SearXNG, and the first lines of its requests so far.
fn searxng() -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let url = format!("http://{}", listener.local_addr().expect("it is bound"));
    let seen = Arc::new(Mutex::new(Vec::new()));
    let asked = Arc::clone(&seen);
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut lines = BufReader::new(stream.try_clone().expect("it is open")).lines().map_while(Result::ok);
            asked.lock().expect("no test panics here").push(lines.next().unwrap_or_default());
            let _ = lines.take_while(|line| !line.is_empty()).count();
            let body = r#"{"results":[{"url":"https://a.example/","title":"Found","content":"words"}]}"#;
            let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length";
            let _ = write!(stream, "{head}: {}\r\n\r\n{body}", body.len());
        }
    });
    (url, seen)
}

#[test]
fn personal_data_in_a_query_stays_on_this_machine_whatever_the_repository_says() {
    let (url, seen) = searxng();
    let sandbox = Sandbox::new();
    sandbox.file(".reqgate.yaml", "guardrail: {enabled: false}\n");
    let query = "why did jane.doe@nordwind-shop.com leave";
    let arguments = ["research", query, "--provider", "searxng", "--url", &url];
    let ran = sandbox.run(&arguments).ends_with(0);
    assert!(ran.stdout.contains("Found") && ran.stdout.contains("https://a.example/"), "{ran:?}");
    let line = seen.lock().expect("no test panics here").join("\n");
    assert!(line.starts_with("GET /search?q=why+did+") && line.contains("&format=json"), "{line}");
    assert!(!line.contains("jane"), "{line}");
}

#[test]
fn who_runs_the_program_names_the_service_and_a_repository_does_not() {
    let (url, seen) = searxng();
    let asked = || seen.lock().expect("no test panics here").len();
    let named = format!("search: {{provider: searxng, url: \"{url}\"}}\n");
    let sandbox = Sandbox::new();
    sandbox.file(".reqgate.yaml", &named);
    sandbox.run(&["research", "notes"]).ends_with(2);
    sandbox.run(&["research", "notes", "--config", ".reqgate.yaml"]).ends_with(2);
    assert_eq!(asked(), 0);
    let own = Sandbox::new();
    own.file(".config/reqgate/reqgate.yaml", &named).file("mine.yaml", &named);
    let (home, mine) = (own.path("").display().to_string(), own.path("mine.yaml").display().to_string());
    let empty = Sandbox::new();
    empty.run_with(&["research", "notes"], &[("HOME", &home)], "").ends_with(0);
    sandbox.run_with(&["research", "notes"], &[("HOME", &home)], "").ends_with(0);
    sandbox.run(&["research", "notes", "--config", &mine]).ends_with(0);
    let environment = [("REQGATE_SEARCH", "searxng"), ("REQGATE_SEARCH_URL", url.as_str())];
    sandbox.run_with(&["research", "notes"], &environment, "").ends_with(0);
    assert_eq!(asked(), 4);
}
