//! A small server that answers like a chat model, or fails like one.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

/// The server's reaction to a question.
#[derive(Clone)]
pub enum Behaviour {
    /// Answers with this text.
    Says(String),
    /// Answers with the text of the first words that the request contains.
    SaysOf(Vec<(&'static str, String)>),
    /// Answers as `SaysOf`, but only after this many requests of the question have arrived.
    SaysTogether(usize, Vec<(&'static str, String)>),
    /// Answers with this status.
    Status(u16),
    /// Never answers; the connection stays open.
    Hangs,
}

/// A running server; its thread ends with the process.
pub struct Server {
    /// The address, ready for `--base-url`.
    pub url: String,
    /// The bodies of the requests so far.
    pub requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// A server with this behaviour for each question, which answers `{}` to others.
    pub fn new<'a>(behaviours: impl IntoIterator<Item = (&'a str, Behaviour)>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let url = format!("http://{}/v1", listener.local_addr().expect("it is bound"));
        let behaviours: BTreeMap<String, Behaviour> =
            behaviours.into_iter().map(|(question, behaviour)| (question.to_owned(), behaviour)).collect();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&requests);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (behaviours, seen) = (behaviours.clone(), Arc::clone(&seen));
                std::thread::spawn(move || serve(stream, &behaviours, &seen));
            }
        });
        Self { url, requests }
    }
}

/// The address of a closed port.
pub fn closed() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    format!("http://{}/v1", listener.local_addr().expect("it is bound"))
}

fn serve(stream: TcpStream, behaviours: &BTreeMap<String, Behaviour>, seen: &Mutex<Vec<String>>) {
    let Ok(writer) = stream.try_clone() else { return };
    let mut reader = BufReader::new(stream);
    let mut writer = writer;
    while let Some(body) = request(&mut reader) {
        seen.lock().expect("no test panics here").push(body.clone());
        let request = body;
        let body: Value = serde_json::from_str(&request).unwrap_or_default();
        let question = body["response_format"]["json_schema"]["name"].as_str().unwrap_or_default();
        let (status, answer) = match behaviours.get(question) {
            Some(Behaviour::Hangs) => {
                std::thread::sleep(Duration::from_secs(60));
                return;
            }
            Some(Behaviour::Status(status)) => {
                (*status, json!({"error": {"message": "broken", "type": "server_error"}}))
            }
            Some(Behaviour::Says(text)) => (200, completion(text)),
            Some(Behaviour::SaysTogether(most, texts)) => {
                let name = format!("\"name\":\"{question}\"");
                let arrived = || {
                    let seen = seen.lock().expect("no test panics here");
                    seen.iter().filter(|body| body.replace("\": \"", "\":\"").contains(&name)).count()
                };
                while arrived() < *most {
                    std::thread::sleep(Duration::from_millis(5));
                }
                let text = texts.iter().find(|(words, _)| request.contains(words)).map_or("{}", |(_, text)| text);
                (200, completion(text))
            }
            Some(Behaviour::SaysOf(texts)) => {
                let text = texts.iter().find(|(words, _)| request.contains(words)).map_or("{}", |(_, text)| text);
                (200, completion(text))
            }
            None => (200, completion("{}")),
        };
        let answer = answer.to_string();
        // In one write, because two writes would wait for each other's acknowledgement.
        let answer = format!(
            "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{answer}",
            answer.len()
        );
        if writer.write_all(answer.as_bytes()).is_err() {
            return;
        }
    }
}

fn completion(text: &str) -> Value {
    json!({
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "served",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text, "refusal": null}}],
        "usage": {"prompt_tokens": 700, "completion_tokens": 90, "total_tokens": 790},
    })
}

/// The body of the next request.
fn request(reader: &mut BufReader<TcpStream>) -> Option<String> {
    let mut length = 0;
    let mut lines = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim_end().to_ascii_lowercase();
        if line.is_empty() && lines > 0 {
            break;
        }
        lines += 1;
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    String::from_utf8(body).ok()
}
