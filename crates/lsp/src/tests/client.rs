//! A client that talks to a server over pipes in memory, with the shipped rules and a temporary folder.

use std::io::{BufReader, PipeReader, PipeWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;

use reqgate_base::model::Language;
use reqgate_gate::pipeline::{Pipeline, Settings};
use reqgate_guardrail::Guardrail;
use reqgate_rules::config::guardrail::{GuardrailPatterns, GuardrailSettings};
use serde_json::{Value, json};

use crate::addresses::address_of;
use crate::transport::{Frame, read};
use crate::{Explanation, Installation, Opened, serve};

struct Folder {
    folder: tempfile::TempDir,
    files: Option<Vec<String>>,
}

impl Installation for Folder {
    fn enter(&self, folder: &Path) -> Result<(), String> {
        if folder.ends_with("gone") { Err("it does not exist".to_owned()) } else { Ok(()) }
    }

    fn root(&self) -> PathBuf {
        let path = self.folder.path();
        if cfg!(windows) { path.to_owned() } else { path.canonicalize().unwrap() }
    }

    fn opened(&self) -> Result<Opened, String> {
        if self.settings().exists() && std::fs::read_to_string(self.settings()).unwrap().contains("broken") {
            return Err("`.reqgate.yaml` is broken".to_owned());
        }
        let book = reqgate_rules::load(&reqgate_rules::shipped_files()).map_err(|error| error.to_string())?;
        let patterns = GuardrailPatterns::shipped().map_err(|error| error.to_string())?;
        let guardrail = Guardrail::new(&GuardrailSettings::default(), &patterns).map_err(|error| error.to_string())?;
        Ok(Opened { pipeline: Pipeline::new(book, guardrail, Settings::default()), files: self.files.clone() })
    }

    fn stamp(&self) -> String {
        std::fs::read_to_string(self.settings()).unwrap_or_default()
    }

    fn settings(&self) -> PathBuf {
        self.root().join(".reqgate.yaml")
    }

    fn explanation(&self, rule: &str, language: Language) -> Option<Explanation> {
        let words = |text: &str| format!("{text} {}", language.name());
        Some(Explanation {
            summary: words(rule),
            why: words("why"),
            question: words("question"),
            fix: words("fix"),
            fires: None,
            silent: None,
        })
    }

    fn page(&self, rule: &str) -> Option<String> {
        Some(format!("https://rules.test/{rule}"))
    }
}

/// A client of a server that runs on another thread.
pub(super) struct Client {
    pub(super) input: Option<PipeWriter>,
    pub(super) output: BufReader<PipeReader>,
    pub(super) server: JoinHandle<std::io::Result<u8>>,
    pub(super) folder: PathBuf,
    last: i32,
}

impl Client {
    pub(super) fn unstarted(files: Option<&[&str]>) -> Self {
        let files = files.map(|files| files.iter().map(|name| (*name).to_owned()).collect());
        let folder = Folder { folder: tempfile::tempdir().unwrap(), files };
        let root = folder.root();
        let (from_client, input) = std::io::pipe().unwrap();
        let (output, to_client) = std::io::pipe().unwrap();
        let installation: Arc<dyn Installation> = Arc::new(folder);
        let server = std::thread::spawn(move || serve(installation, BufReader::new(from_client), to_client));
        Self { input: Some(input), output: BufReader::new(output), server, folder: root, last: 0 }
    }

    pub(super) fn started(capabilities: Value) -> Self {
        Self::with(capabilities, None)
    }

    pub(super) fn with(capabilities: Value, files: Option<&[&str]>) -> Self {
        let mut client = Self::unstarted(files);
        client.request("initialize", json!({ "capabilities": capabilities }));
        client.notify("initialized", json!({}));
        client
    }

    pub(super) fn raw(&mut self, body: &str) {
        let input = self.input.as_mut().unwrap();
        write!(input, "Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
    }

    pub(super) fn notify(&mut self, method: &str, params: Value) {
        self.raw(&json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string());
    }

    pub(super) fn send(&mut self, method: &str, params: Value) -> i32 {
        self.last += 1;
        self.raw(&json!({ "jsonrpc": "2.0", "id": self.last, "method": method, "params": params }).to_string());
        self.last
    }

    /// The next message of the server.
    pub(super) fn next(&mut self) -> Value {
        match read(&mut self.output).expect("the server writes") {
            Some(Frame::Message(message)) => serde_json::to_value(message).unwrap(),
            Some(Frame::Broken(reason)) => json!({ "broken": reason }),
            None => panic!("the server has ended"),
        }
    }

    pub(super) fn response(&mut self, id: i32) -> Value {
        loop {
            let message = self.next();
            if message["id"] == id {
                return message;
            }
        }
    }

    pub(super) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        self.response(id)
    }

    pub(super) fn uri(&self, name: &str) -> String {
        address_of(&self.folder.join(name))
    }

    pub(super) fn open(&mut self, name: &str, text: &str) {
        std::fs::write(self.folder.join(name), text).unwrap();
        let uri = self.uri(name);
        let document = json!({ "uri": uri, "languageId": "markdown", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    pub(super) fn change(&mut self, name: &str, version: i32, text: &str) {
        let document = json!({ "uri": self.uri(name), "version": version });
        self.notify(
            "textDocument/didChange",
            json!({ "textDocument": document, "contentChanges": [{ "text": text }] }),
        );
    }

    /// The next diagnostics that the server sends.
    pub(super) fn published(&mut self) -> Value {
        loop {
            let message = self.next();
            if message["method"] == "textDocument/publishDiagnostics" {
                return message["params"].clone();
            }
        }
    }

    pub(super) fn about(&mut self, method: &str, name: &str, line: u32, character: u32) -> Value {
        let position = json!({ "line": line, "character": character });
        let mut params = json!({
            "textDocument": { "uri": self.uri(name) }, "position": position,
            "range": { "start": position, "end": position },
        });
        if method.ends_with("codeAction") {
            params["context"] = json!({ "diagnostics": [] });
        }
        self.request(method, params)["result"].clone()
    }

    pub(super) fn ended(mut self) -> u8 {
        drop(self.input.take());
        self.server.join().expect("no panic").expect("no error")
    }
}
