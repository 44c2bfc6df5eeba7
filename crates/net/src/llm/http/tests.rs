//! Tests of the HTTP traffic, against servers that misbehave in various ways.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use garde::Validate;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tracing_subscriber::layer::SubscriberExt;

use crate::llm::trace::TraceFile;
use crate::llm::{ApiKey, AskError, Bound, Model, ModelSettings, Question, RecordingMode, RetryPolicy};

#[derive(Debug, Deserialize, JsonSchema, Validate)]
struct Verdict {
    #[garde(range(max = 5))]
    level: u32,
}

#[derive(Debug, Deserialize, JsonSchema, Validate)]
struct Listed {
    #[garde(length(max = 5))]
    words: Vec<String>,
}

/// A request as the server receives it.
struct Received {
    head: String,
    body: Value,
}

/// Listens on a free port and calls `answer` for every connection, counted from 0.
fn server(answer: impl Fn(usize, &Received, &mut TcpStream) + Send + Sync + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let answer = Arc::new(answer);
    let count = Arc::new(AtomicUsize::new(0));
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let (answer, count) = (Arc::clone(&answer), Arc::clone(&count));
            std::thread::spawn(move || {
                let Some(received) = receive(&mut stream) else { return };
                answer(count.fetch_add(1, Ordering::SeqCst), &received, &mut stream);
            });
        }
    });
    format!("http://{address}/v1")
}

fn receive(stream: &mut TcpStream) -> Option<Received> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let count = stream.read(&mut buffer).ok().filter(|count| *count > 0)?;
        bytes.extend_from_slice(&buffer[..count]);
        let text = String::from_utf8_lossy(&bytes);
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length =
            head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok())?;
        if body.len() >= length {
            return Some(Received { head: head.to_string(), body: serde_json::from_str(body).ok()? });
        }
    }
}

fn reply(stream: &mut TcpStream, status: &str, headers: &str, body: &str) {
    let length = body.len();
    let _ = write!(stream, "HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: {length}\r\n{headers}\r\n{body}");
}

fn good() -> String {
    said("{\"level\": 3}")
}

fn said(text: &str) -> String {
    let usage = json!({"prompt_tokens": 9, "completion_tokens": 1});
    json!({"model": "m-1", "choices": [{"finish_reason": "stop", "message": {"content": text}}], "usage": usage})
        .to_string()
}

fn settings(base_url: &str) -> ModelSettings {
    let retry = RetryPolicy { tries: 2, base: Duration::ZERO, most: Duration::ZERO };
    let timeout = Duration::from_millis(400);
    ModelSettings { base_url: Some(base_url.to_string()), timeout, retry, ..ModelSettings::for_tests() }
}

fn ask(settings: ModelSettings) -> Result<u32, AskError> {
    let question =
        Question { id: "test_v1".into(), instructions: "Judge.".into(), data: "text".into(), ..Question::default() };
    Model::new(settings).unwrap().ask::<Verdict>(&question).map(|answer| answer.value.level)
}

/// The outcome of a question to a server that always answers like this, and the time it took.
fn end(answer: impl Fn(&mut TcpStream) + Send + Sync + 'static) -> (&'static str, Duration) {
    let base = server(move |_, _, stream| answer(stream));
    let start = Instant::now();
    let word = ask(settings(&base)).map_or_else(|error| error.word(), |_| "answered");
    (word, start.elapsed())
}

#[test]
fn a_good_server_answers() {
    assert_eq!(end(|stream| reply(stream, "200 OK", "", &good())).0, "answered");
    assert_eq!(end(|stream| reply(stream, "200 OK", "", &said("Sure:\n```json\n{\"level\": 1}\n```"))).0, "answered");
}

#[test]
fn every_illness_of_a_server_has_its_name() {
    let error = |code: Value| json!({"error": {"message": "no", "type": "t", "code": code}}).to_string();
    for (status, body, word) in [
        ("401 x", error(json!(401)), "unauthorized"),
        ("404 x", error(json!("model_not_found")), "rejected"),
        ("429 x", error(json!(429)), "rate_limited"),
        ("429 x", error(json!("insufficient_quota")), "quota_exhausted"),
        ("500 x", error(Value::Null), "unavailable"),
        ("503 x", "<html>busy</html>".to_string(), "unavailable"),
        ("529 x", error(json!("overloaded_error")), "unavailable"),
        ("200 OK", error(json!(429)), "rate_limited"),
        ("200 OK", "{\"choices\": [".to_string(), "malformed"),
        ("200 OK", "<html>hello</html>".to_string(), "malformed"),
        ("200 OK", String::new(), "malformed"),
        ("200 OK", said("I would rather talk about the weather."), "invalid"),
        ("200 OK", said(""), "empty"),
        ("200 OK", "data: {\"choices\": []}\n\ndata: [DONE]\n\n".to_string(), "malformed"),
    ] {
        let shown = format!("{status} {body}");
        assert_eq!(end(move |stream| reply(stream, status, "", &body)).0, word, "{shown}");
    }
}

#[test]
fn a_server_that_hangs_or_drips_costs_the_timeout_and_no_more() {
    let (word, took) = end(|_| std::thread::sleep(Duration::from_secs(5)));
    assert_eq!(word, "timeout");
    assert!((Duration::from_millis(800)..Duration::from_secs(4)).contains(&took), "{took:?}");
    let (word, took) = end(|stream| {
        let _ = write!(stream, "HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n");
        while stream.write_all(b" ").and_then(|()| stream.flush()).is_ok() {
            std::thread::sleep(Duration::from_millis(20));
        }
    });
    assert_eq!(word, "timeout");
    assert!(took < Duration::from_secs(4), "{took:?}");
}

#[test]
fn a_connection_that_breaks_off_is_no_answer() {
    assert_eq!(end(|_| {}).0, "unreachable");
    let whole = good();
    let half = whole[..whole.len() / 2].to_string();
    let word = end(move |stream| {
        let _ = write!(stream, "HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{half}", whole.len());
    });
    assert_eq!(word.0, "unreachable");
    assert_eq!(end(|stream| drop(stream.write_all(b"\0\0 nonsense\r\n\r\n"))).0, "unreachable");
    assert_eq!(ask(settings("http://127.0.0.1:1/v1")).unwrap_err().word(), "unreachable");
}

#[test]
fn thirty_megabytes_are_not_read() {
    for head in ["content-length: 30000000", "transfer-encoding: chunked"] {
        let written = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&written);
        let base = server(move |_, _, stream| {
            let _ = write!(stream, "HTTP/1.1 200 OK\r\n{head}\r\n\r\n");
            let chunked = head.contains("chunked");
            let block = "x".repeat(65_536);
            let block = if chunked { format!("10000\r\n{block}\r\n") } else { block };
            for _ in 0..460 {
                if stream.write_all(block.as_bytes()).is_err() {
                    break;
                }
                count.fetch_add(block.len(), Ordering::SeqCst);
            }
        });
        let limited = ModelSettings { max_reply_bytes: 200_000, timeout: Duration::from_secs(20), ..settings(&base) };
        assert_eq!(ask(limited).unwrap_err(), AskError::TooLarge { limit: 200_000 });
        std::thread::sleep(Duration::from_millis(50));
        // The system's own buffers are not counted.
        assert!(written.load(Ordering::SeqCst) < 20_000_000, "{head}: {written:?}");
    }
}

#[test]
fn a_wish_to_wait_is_honoured_and_the_next_try_answers() {
    let base = server(|number, _, stream| match number {
        0 => reply(stream, "429 x", "retry-after: 1\r\n", "{}"),
        _ => reply(stream, "200 OK", "", &good()),
    });
    let start = Instant::now();
    assert_eq!(ask(settings(&base)), Ok(3));
    assert!(start.elapsed() >= Duration::from_secs(1), "{:?}", start.elapsed());
}

#[test]
fn a_key_follows_no_redirect() {
    let heads = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&heads);
    let other = server(move |_, received, stream| {
        seen.lock().unwrap().push(received.head.clone());
        reply(stream, "200 OK", "", &good());
    });
    let base = server(move |_, _, stream| reply(stream, "307 x", &format!("location: {other}\r\n"), ""));
    let api_key = Some(ApiKey::new("sk-canary").unwrap());
    assert_eq!(ask(ModelSettings { api_key, ..settings(&base) }).unwrap_err().word(), "rejected");
    assert_eq!(heads.lock().unwrap().len(), 0);
}

#[test]
fn a_field_that_a_server_refuses_is_left_out_or_renamed_from_then_on() {
    let bodies = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&bodies);
    let base = server(move |_, received, stream| {
        seen.lock().unwrap().push(received.body.clone());
        let refuse = |field: &str| {
            json!({"error": {"message": format!("Unsupported parameter: '{field}'."), "code": "unsupported_parameter"}})
                .to_string()
        };
        match (received.body.get("max_tokens"), received.body.get("temperature")) {
            (Some(_), _) => reply(stream, "400 x", "", &refuse("max_tokens")),
            (None, Some(_)) => reply(stream, "400 x", "", &refuse("temperature")),
            (None, None) => reply(stream, "200 OK", "", &good()),
        }
    });
    let model = Model::new(settings(&base)).unwrap();
    let question = Question { id: "t".into(), ..Question::default() };
    assert!(model.ask::<Verdict>(&question).is_ok() && model.ask::<Verdict>(&question).is_ok());
    let bodies = bodies.lock().unwrap();
    assert_eq!(bodies.len(), 4);
    assert_eq!(bodies[3]["max_completion_tokens"], json!(8192));
}

#[test]
fn a_gateway_that_refuses_bounds_of_lists_is_asked_without_them_and_keeps_the_schema() {
    let bodies = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&bodies);
    let base = server(move |_, received, stream| {
        seen.lock().unwrap().push(received.body.to_string());
        match received.body.to_string().contains("maxItems") {
            true => {
                let message = "response_format.json_schema: for 'array' type, 'maxItems' is not supported";
                reply(stream, "400 x", "", &json!({"error": {"message": message}}).to_string());
            }
            false => reply(stream, "200 OK", "", &said("{\"words\": []}")),
        }
    });
    let model = Model::new(settings(&base)).unwrap();
    let bounds = vec![Bound::AtMost { place: "words", items: 3 }];
    let question = Question { id: "t".into(), bounds, ..Question::default() };
    assert!(model.ask::<Listed>(&question).is_ok_and(|answer| answer.value.words.is_empty()));
    let bodies = bodies.lock().unwrap();
    assert!(bodies.len() == 2 && bodies[1].contains("json_schema"), "{bodies:?}");
}

#[test]
fn several_threads_wait_at_the_same_time() {
    let base = server(|_, _, stream| {
        std::thread::sleep(Duration::from_millis(300));
        reply(stream, "200 OK", "", &good());
    });
    let model =
        Model::new(ModelSettings { timeout: Duration::from_secs(20), concurrency: 8, ..settings(&base) }).unwrap();
    let start = Instant::now();
    std::thread::scope(|scope| {
        for number in 0..8 {
            let model = &model;
            scope.spawn(move || {
                let question = Question { id: "t".into(), data: number.to_string(), ..Question::default() };
                model.ask::<Verdict>(&question).unwrap()
            });
        }
    });
    assert!(start.elapsed() < Duration::from_millis(1_500), "{:?}", start.elapsed());
    assert_eq!(model.spent().exchanges, 8);
}

/// A writer whose content can be read afterwards.
#[derive(Clone, Default)]
struct Page(Arc<Mutex<Vec<u8>>>);

impl Write for Page {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_canary_key_is_sent_and_is_nowhere_else() {
    const CANARY: &str = "sk-canary-0123456789";
    let (cache, recording) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let page = Page::default();
    let subscriber = tracing_subscriber::registry().with(TraceFile::new(page.clone()));
    let _listening = tracing::subscriber::set_default(subscriber);
    let mut told = String::new();
    for (name, path) in [
        ("openai/m", "/v1/chat/completions"),
        ("anthropic/m", "/v1/messages"),
        ("gemini/m", "/v1/models/m:generateContent"),
        ("ollama/m", "/v1/api/chat"),
    ] {
        let heads = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&heads);
        let base = server(move |_, received, stream| {
            seen.lock().unwrap().push(received.head.clone());
            // The server repeats the key in every possible place.
            let error = json!({"error": {"message": format!("bad {CANARY}"), "code": CANARY, "type": CANARY}});
            reply(stream, "401 x", &format!("x-request-id: {CANARY}\r\n"), &error.to_string());
        });
        let set = ModelSettings {
            model: name.parse().unwrap(),
            api_key: Some(ApiKey::new(CANARY).unwrap()),
            cache: Some(cache.path().to_path_buf()),
            recording: RecordingMode::Record(recording.path().to_path_buf()),
            trace_contents: true,
            ..settings(&base)
        };
        let model = Model::new(set.clone()).unwrap();
        let question = Question { id: "t".into(), ..Question::default() };
        let error = model.ask::<Verdict>(&question).unwrap_err();
        let preview = model.preview::<Verdict>(&question);
        assert!(preview.headers.iter().any(|(_, value)| value.contains("[key]")), "{name}");
        assert_eq!(error.word(), "unauthorized");
        told += &format!("{error} {error:?} {set:?} {preview:?} {:?} {:?}", model.spent(), model.breaker());
        let heads = heads.lock().unwrap();
        assert!(heads[0].starts_with(&format!("POST {path} ")) && heads[0].contains(CANARY), "{}", heads[0]);
    }
    for folder in [cache.path(), recording.path()] {
        let files = ignore::WalkBuilder::new(folder).standard_filters(false).build().flatten();
        let texts: Vec<String> = files.filter_map(|entry| std::fs::read_to_string(entry.path()).ok()).collect();
        assert!(!texts.is_empty());
        told += &texts.join(" ");
    }
    let trace = String::from_utf8(page.0.lock().unwrap().clone()).unwrap();
    assert!(trace.lines().count() >= 8 && trace.contains("gen_ai.request.model"), "{trace}");
    assert!(!(told + &trace).contains(CANARY));
}

/// The gateway repeats the request it received in a valid answer.
#[test]
fn a_canary_key_in_an_answer_reaches_nobody() {
    const CANARY: &str = "sk-canary-0123456789";
    let (cache, recording) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let page = Page::default();
    let subscriber = tracing_subscriber::registry().with(TraceFile::new(page.clone()));
    let _listening = tracing::subscriber::set_default(subscriber);
    let escaped: String = CANARY.chars().map(|c| format!("\\u{:04x}", u32::from(c))).collect();
    let texts = [
        json!({"words": [format!("authorization: Bearer {CANARY}"), CANARY]}).to_string(),
        format!("{{\"words\": [\"{escaped}\"]}}"),
        format!("Sure, {CANARY}:\n```json\n{{\"words\": [\"a{CANARY}b\"], \"{CANARY}\": \"{CANARY}\"}}\n```"),
        format!("no object, but {CANARY}"),
    ];
    let mut told = String::new();
    for text in texts {
        let base = server(move |_, _, stream| {
            let usage = json!({"prompt_tokens": 9, "completion_tokens": 1});
            let choice = json!({"finish_reason": CANARY, "message": {"content": text}});
            reply(stream, "200 OK", "", &json!({"model": CANARY, "choices": [choice], "usage": usage}).to_string());
        });
        for recorded in [RecordingMode::Live, RecordingMode::Record(recording.path().to_path_buf())] {
            let set = ModelSettings {
                api_key: Some(ApiKey::new(CANARY).unwrap()),
                cache: Some(cache.path().to_path_buf()),
                recording: recorded,
                trace_contents: true,
                ..settings(&base)
            };
            let came = Model::new(set).unwrap().ask::<Listed>(&Question { id: "t".into(), ..Question::default() });
            told += &format!("{came:?}");
        }
    }
    let mut files = 0;
    for folder in [cache.path(), recording.path()] {
        for entry in ignore::WalkBuilder::new(folder).standard_filters(false).build().flatten() {
            if let Ok(text) = std::fs::read_to_string(entry.path()) {
                told += &text;
                files += 1;
            }
        }
    }
    assert!(files >= 6, "{files}");
    let trace = String::from_utf8(page.0.lock().unwrap().clone()).unwrap();
    assert!(trace.contains("gen_ai.output.messages"), "{trace}");
    let told = told + &trace;
    assert!(told.contains("[key]") && !told.contains(CANARY) && !told.contains(&escaped), "{told}");
}

#[test]
fn an_address_in_the_clear_is_one_of_this_machine() {
    for (base, fits) in [
        ("http://model.example/v1", false),
        ("http://10.0.0.7:8000/v1", false),
        ("http://127.0.0.1.example/v1", false),
        ("http://localhost.example/v1", false),
        ("http://localhost:8000/v1", true),
        ("http://127.0.0.1:8000/v1", true),
        ("http://[::1]:8000/v1", true),
        ("https://model.example/v1", true),
    ] {
        let made = Model::new(settings(base));
        assert_eq!(made.is_ok(), fits, "{base}");
        if let Err(error) = made {
            assert!(error.to_string().contains("must use https://"), "{error}");
        }
    }
}

#[test]
fn a_trace_has_the_names_of_the_conventions_and_no_contents_unless_asked() {
    let page = Page::default();
    let subscriber = tracing_subscriber::registry().with(TraceFile::new(page.clone()));
    let _listening = tracing::subscriber::set_default(subscriber);
    let base = server(|_, _, stream| reply(stream, "200 OK", "", &good()));
    assert_eq!(ask(settings(&base)), Ok(3));
    let trace = String::from_utf8(page.0.lock().unwrap().clone()).unwrap();
    let lines: Vec<Value> = trace.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [chat, question] = lines.as_slice() else { panic!("{trace}") };
    assert_eq!(
        (&chat["name"], &chat["kind"], &chat["parent"]),
        (&json!("chat test"), &json!("client"), &question["span"])
    );
    assert_eq!(chat["attributes"]["gen_ai.operation.name"], json!("chat"));
    assert_eq!(chat["attributes"]["gen_ai.usage.input_tokens"], json!(9));
    assert_eq!(chat["attributes"]["gen_ai.response.model"], json!("m-1"));
    assert_eq!(question["attributes"]["reqgate.attempts"], json!(1));
    assert!(!trace.contains("Judge.") && !trace.contains("level"), "{trace}");
}

#[test]
fn the_second_run_of_a_batch_is_a_hundred_times_faster_and_takes_no_tokens() {
    let base = server(|_, _, stream| {
        std::thread::sleep(Duration::from_millis(400));
        reply(stream, "200 OK", "", &good());
    });
    let folder = tempfile::tempdir().unwrap();
    let run = || {
        let cache = Some(folder.path().to_path_buf());
        let model = Model::new(ModelSettings { cache, timeout: Duration::from_secs(20), ..settings(&base) }).unwrap();
        let start = Instant::now();
        for number in 0..5 {
            let question = Question { id: "t".into(), data: format!("ticket {number}"), ..Question::default() };
            model.ask::<Verdict>(&question).unwrap();
        }
        (start.elapsed(), model.spent())
    };
    let (first, spent) = run();
    assert_eq!((spent.usage.total(), spent.exchanges), (50, 5));
    let (second, spent) = run();
    println!("5 questions to a server that takes 400 ms: {first:?}, then {second:?}");
    assert_eq!((spent.usage.total(), spent.exchanges, spent.from_cache), (0, 0, 5));
    assert!(second * 100 <= first, "{first:?}, then {second:?}");
}

#[test]
fn nothing_is_sent_to_a_provider_without_a_key() {
    for (name, variable) in
        [("openai/x", "OPENAI_API_KEY"), ("anthropic/x", "ANTHROPIC_API_KEY"), ("gemini/x", "GEMINI_API_KEY")]
    {
        let settings = ModelSettings::new(name.parse().unwrap());
        let error = Model::new(settings).unwrap().ask::<Verdict>(&Question::default()).unwrap_err().to_string();
        assert!(error.contains(variable) && error.contains("nothing was sent"), "{error}");
    }
}
