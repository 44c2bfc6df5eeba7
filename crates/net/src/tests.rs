//! Tests of the client over servers on this machine, and of retries.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::rc::Rc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::json;

use super::*;

/// A server that answers consecutive connections with these bytes; returns its address.
fn server(answers: Vec<Vec<u8>>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for answer in answers {
            let (mut stream, _) = listener.accept().unwrap();
            let mut seen = [0; 4096];
            let _ = stream.read(&mut seen);
            let _ = stream.write_all(&answer);
        }
    });
    address
}

fn client(base: &str) -> Client {
    let timeout = Duration::from_millis(400);
    Client::new(ClientSettings { timeout, most_bytes: 1_000, ..ClientSettings::new(base) })
}

fn end(answer: &[u8]) -> NetError {
    let base = server(vec![answer.to_vec()]);
    client(&base).send(&Request::get(format!("{base}/secret?token=canary"))).unwrap_err()
}

#[test]
fn answers_are_bounded_whether_their_length_is_announced_or_not() {
    let long = "x".repeat(2_000);
    let announced = format!("HTTP/1.1 200 OK\r\ncontent-length: 2000\r\n\r\n{long}");
    let chunked = format!("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n7d0\r\n{long}\r\n0\r\n\r\n");
    for answer in [announced, chunked] {
        assert_eq!(end(answer.as_bytes()).fault, NetFault::TooLarge(200), "{answer}");
    }
}

#[test]
fn whatever_goes_wrong_is_told_without_the_address() {
    let half = b"HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\nhalf";
    let ends = [end(b""), end(half), end(b"\0\0 nonsense\r\n\r\n"), {
        let nobody = client("http://127.0.0.1:1").send(&Request::get("http://127.0.0.1:1/secret?token=canary"));
        nobody.unwrap_err()
    }];
    for error in &ends {
        assert_eq!(error.fault, NetFault::Unreachable, "{error}");
        assert!(!error.message.contains("secret") && !error.message.contains("canary"), "{error}");
    }
    assert!(!ends[0].is_before_sending && ends[3].is_before_sending);
    assert!(ends[3].message.starts_with("no connection: "), "{}", ends[3]);
}

#[test]
fn a_secret_that_no_header_can_hold_is_refused_and_not_repeated() {
    let settings = ClientSettings { authorization: Some("Bearer a\nb".into()), ..ClientSettings::new("http://x") };
    let error = Client::new(settings).send(&Request::get("http://127.0.0.1:1/")).unwrap_err();
    assert_eq!(error, NetError::setup("the token contains invalid characters"));
}

#[test]
fn a_wish_to_wait_is_read_in_every_form_and_bounded() {
    let wait = |name: &str, value: &str| retry_after(&Reply::new(429, &[(name, value)], Vec::new()), UNIX_EPOCH);
    let seconds = |value: f64| Some(Duration::from_secs_f64(value));
    assert_eq!(wait("Retry-After", "2"), seconds(2.0));
    assert_eq!(wait("retry-after", " 0.5 "), seconds(0.5));
    assert_eq!(wait("retry-after-ms", "250"), seconds(0.25));
    assert_eq!(wait("retry-after", "Thu, 01 Jan 1970 00:01:00 GMT"), seconds(60.0));
    assert_eq!(wait("retry-after", "1e300"), seconds(365.0 * 86_400.0));
    for value in ["", "-1", "NaN", "inf", "soon", "1x"] {
        assert_eq!(wait("retry-after", value), None, "{value}");
    }
    let past = Reply::new(429, &[("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT")], Vec::new());
    assert_eq!(retry_after(&past, SystemTime::now()), Some(Duration::ZERO));
}

#[test]
fn pauses_double_up_to_their_bound() {
    let policy = RetryPolicy::default();
    for (retry, most) in [(1, 1), (2, 2), (3, 4), (4, 8), (5, 10), (40, 10)] {
        assert!((0..50).all(|_| policy.pause(retry) <= Duration::from_secs(most)), "{retry}");
    }
}

/// A transport that answers in turn, and a clock that records the time of waiting.
#[derive(Clone, Default)]
struct Script {
    answers: Rc<RefCell<VecDeque<Result<Reply, NetError>>>>,
    waited: Rc<RefCell<Duration>>,
}

impl Transport for Script {
    fn send(&self, _: &Request) -> Result<Reply, NetError> {
        self.answers.borrow_mut().pop_front().expect("no more is asked")
    }
}

impl Clock for Script {
    fn now(&self) -> SystemTime {
        UNIX_EPOCH
    }

    fn wait(&self, time: Duration) {
        *self.waited.borrow_mut() += time;
    }
}

fn status(status: u16) -> Result<Reply, NetError> {
    Ok(Reply::new(status, &[("retry-after", "50")], Vec::new()))
}

/// The outcome of a request, the number of requests it took, and a check that all answers were used.
fn ends(answers: Vec<Result<Reply, NetError>>, repeat: Repeat) -> (Result<u16, ExchangeError>, u32) {
    let script = Script { answers: Rc::new(RefCell::new(answers.into())), ..Script::default() };
    let asked: RequestedWait = |reply, _, now| retry_after(reply, now).filter(|_| reply.status == 429);
    let client = RetryClient::new(Box::new(script.clone()), Box::new(script.clone()), asked);
    let came = client.exchange(&Request::new(Method::Post, "/x", Some(json!({}))), repeat);
    assert!(client.waiting_left() + *script.waited.borrow() == Duration::from_secs(120));
    assert!(script.answers.borrow().is_empty());
    (came.map(|reply| reply.status), client.requests())
}

#[test]
fn only_what_is_harmless_or_never_arrived_is_sent_again_and_waiting_has_an_end() {
    let lost = || Err(NetError::lost("gone"));
    let unsent = || Err(NetError { is_before_sending: true, ..NetError::lost("no connection") });
    let setup = NetError::setup("no TLS");
    let limited = |seconds| Err(ExchangeError::RateLimited(Duration::from_secs(seconds)));
    use Repeat::{Harmless, MakesTwo};
    assert_eq!(ends(vec![status(500), lost(), status(200)], Harmless), (Ok(200), 3));
    assert_eq!(ends(vec![status(500)], MakesTwo), (Ok(500), 1));
    assert_eq!(ends(vec![lost()], MakesTwo), (Err(ExchangeError::Net(NetError::lost("gone"))), 1));
    assert_eq!(ends(vec![unsent(), status(200)], MakesTwo), (Ok(200), 2));
    assert_eq!(ends(vec![Err(setup.clone())], Harmless), (Err(ExchangeError::Net(setup)), 1));
    assert_eq!(ends(vec![status(429), status(201)], MakesTwo), (Ok(201), 2));
    assert_eq!(ends(vec![status(429), status(429), status(429)], Harmless), (limited(50), 3));
    assert_eq!(ends(vec![status(500), status(502), status(503), status(504)], Harmless), (Ok(504), 4));
    assert_eq!(ends(vec![status(404)], Harmless), (Ok(404), 1));
}
