//! Answers the messages of the client, and sends it the verdicts on its documents.

use std::io::{self, BufRead, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::time::Duration;

use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::{
    CodeActionParams, CompletionParams, DidChangeTextDocumentParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, DidSaveTextDocumentParams, DocumentDiagnosticParams, DocumentSymbolParams, HoverParams,
    PublishDiagnosticsParams, Uri,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::addresses::path_of;
use crate::documents::{Document, Documents};
use crate::judge::{self, Done, Job};
use crate::positions::Encoding;
use crate::transport::{self, Frame};
use crate::{Installation, actions, completion, diagnostics, hover, symbols};

/// The exit code after `shutdown` and `exit`, and the one without `shutdown`, as the protocol says.
const ENDED: u8 = 0;
const ENDED_EARLY: u8 = 1;
/// The maximum number of messages that wait to be handled.
const MOST_WAITING: usize = 64;
/// The wait if no document is due.
const LONG: Duration = Duration::from_secs(3600);

/// An event to handle.
enum Event {
    /// A message of the client.
    Frame(Frame),
    /// The client has closed the connection, or its messages cannot be separated.
    Closed(Option<io::Error>),
    /// A text was judged.
    Judged(Done),
}

/// Serves until the client ends the conversation or closes the input; returns the exit code.
///
/// # Errors
/// Fails if the input is not the protocol, or if the output cannot be written.
pub fn serve(
    installation: Arc<dyn Installation>,
    input: impl BufRead + Send + 'static,
    output: impl Write,
) -> io::Result<u8> {
    let (send, events) = sync_channel(MOST_WAITING);
    let (jobs, to_judge) = channel();
    // Neither thread is joined: one may wait for the client, the other be in the middle of a text.
    let messages = send.clone();
    std::thread::spawn(move || forward(input, &messages));
    let judge = Arc::clone(&installation);
    std::thread::spawn(move || judge::run(&*judge, &to_judge, |done| send.send(Event::Judged(done)).is_ok()));
    let mut server = Server {
        installation: &*installation,
        output,
        jobs,
        documents: Documents::default(),
        waiting: Vec::new(),
        client: Client::default(),
        phase: Phase::New,
    };
    match server.run(&events) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(ENDED_EARLY),
        other => other,
    }
}

/// Passes messages on until the input ends.
fn forward(mut input: impl BufRead, events: &SyncSender<Event>) {
    loop {
        let event = match transport::read(&mut input) {
            Ok(Some(frame)) => Event::Frame(frame),
            Ok(None) => Event::Closed(None),
            Err(error) => Event::Closed(Some(error)),
        };
        let is_last = matches!(event, Event::Closed(_));
        if events.send(event).is_err() || is_last {
            return;
        }
    }
}

/// The state of the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    New,
    Running,
    ShutDown,
}

/// The abilities of the client.
struct Client {
    encoding: Encoding,
    /// It asks for diagnostics, so that none are sent to it.
    pulls: bool,
    /// It can be asked to ask again.
    refreshes: bool,
    nests_symbols: bool,
    creates_files: bool,
}

impl Default for Client {
    fn default() -> Self {
        Self { encoding: Encoding::Utf16, pulls: false, refreshes: false, nests_symbols: false, creates_files: false }
    }
}

impl Client {
    fn of(capabilities: &Value) -> Self {
        let at = |path: &str| capabilities.pointer(path);
        let is_true = |path: &str| at(path).and_then(Value::as_bool).unwrap_or(false);
        let lists = |path: &str, name: &str| {
            at(path).and_then(Value::as_array).is_some_and(|list| list.iter().any(|item| item == name))
        };
        let takes_bytes = lists("/general/positionEncodings", Encoding::Utf8.name());
        Self {
            encoding: if takes_bytes { Encoding::Utf8 } else { Encoding::Utf16 },
            pulls: at("/textDocument/diagnostic").is_some_and(Value::is_object),
            refreshes: is_true("/workspace/diagnostics/refreshSupport"),
            nests_symbols: is_true("/textDocument/documentSymbol/hierarchicalDocumentSymbolSupport"),
            // Neovim does not say that it takes `documentChanges`, but a client that creates files does.
            creates_files: lists("/workspace/workspaceEdit/resourceOperations", "create"),
        }
    }
}

/// A request whose answer needs the verdict on the current text.
struct Waiting {
    id: RequestId,
    uri: Uri,
    wanted: Wanted,
}

#[derive(Debug, Clone, Copy)]
enum Wanted {
    Diagnostics,
    Symbols,
}

struct Server<'i, W> {
    installation: &'i dyn Installation,
    output: W,
    jobs: Sender<Job>,
    documents: Documents,
    waiting: Vec<Waiting>,
    client: Client,
    phase: Phase,
}

/// The answer to a request: the result, or an error.
type Answer = Result<Value, (ErrorCode, String)>;

impl<W: Write> Server<'_, W> {
    fn run(&mut self, events: &Receiver<Event>) -> io::Result<u8> {
        let early = |phase| if phase == Phase::ShutDown { ENDED } else { ENDED_EARLY };
        loop {
            self.send_due()?;
            match events.recv_timeout(self.documents.wait().unwrap_or(LONG)) {
                Ok(Event::Frame(Frame::Message(Message::Notification(one)))) if one.method == "exit" => {
                    return Ok(early(self.phase));
                }
                Ok(Event::Frame(frame)) => self.frame(frame)?,
                Ok(Event::Judged(done)) => self.judged(done)?,
                Ok(Event::Closed(Some(error))) => return Err(error),
                Ok(Event::Closed(None)) | Err(RecvTimeoutError::Disconnected) => return Ok(early(self.phase)),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    fn frame(&mut self, frame: Frame) -> io::Result<()> {
        match frame {
            Frame::Broken(reason) => transport::write_parse_error(&mut self.output, &reason),
            Frame::Message(Message::Request(request)) => self.request(request),
            Frame::Message(Message::Notification(notification)) => self.notification(notification),
            // The only request to the client asks it to ask again.
            Frame::Message(Message::Response(_)) => Ok(()),
        }
    }

    fn request(&mut self, request: Request) -> io::Result<()> {
        let Request { id, method, params } = request;
        let answer = match (self.phase, method.as_str()) {
            (Phase::New, "initialize") => self.initialize(&params),
            (Phase::New, _) => Err((ErrorCode::ServerNotInitialized, "send `initialize` first".to_owned())),
            (Phase::ShutDown, _) => Err((ErrorCode::InvalidRequest, "the server was shut down".to_owned())),
            (_, "initialize") => Err((ErrorCode::InvalidRequest, "the server was initialized before".to_owned())),
            (_, "shutdown") => {
                self.phase = Phase::ShutDown;
                Ok(Value::Null)
            }
            (_, "textDocument/hover") => self.hover(params),
            (_, "textDocument/completion") => self.completion(params),
            (_, "textDocument/codeAction") => self.code_actions(params),
            (_, "textDocument/documentSymbol") => {
                let uri = read::<DocumentSymbolParams>(params).map(|params| params.text_document.uri);
                return self.later(id, uri, Wanted::Symbols);
            }
            (_, "textDocument/diagnostic") => {
                let uri = read::<DocumentDiagnosticParams>(params).map(|params| params.text_document.uri);
                return self.later(id, uri, Wanted::Diagnostics);
            }
            _ => Err((ErrorCode::MethodNotFound, "unknown method".to_owned())),
        };
        self.respond(id, answer)
    }

    fn initialize(&mut self, params: &Value) -> Answer {
        self.client = Client::of(&params["capabilities"]);
        let folder = params.pointer("/workspaceFolders/0/uri").or_else(|| params.get("rootUri"));
        if let Some(folder) = folder.and_then(Value::as_str).and_then(path_of) {
            self.installation.enter(&folder).map_err(|reason| (ErrorCode::RequestFailed, reason))?;
        }
        self.phase = Phase::Running;
        let mut capabilities = json!({
            "positionEncoding": self.client.encoding.name(),
            "textDocumentSync": { "openClose": true, "change": 1, "save": { "includeText": false } },
            "hoverProvider": true,
            "codeActionProvider": { "codeActionKinds": ["quickfix"] },
            "documentSymbolProvider": true,
            "completionProvider": { "triggerCharacters": ["#"] },
        });
        if self.client.pulls {
            capabilities["diagnosticProvider"] =
                json!({ "identifier": "reqgate", "interFileDependencies": false, "workspaceDiagnostics": false });
        }
        let info = json!({ "name": "reqgate", "version": env!("CARGO_PKG_VERSION") });
        Ok(json!({ "capabilities": capabilities, "serverInfo": info }))
    }

    fn notification(&mut self, notification: Notification) -> io::Result<()> {
        let Notification { method, params } = notification;
        if self.phase != Phase::Running {
            return Ok(());
        }
        match method.as_str() {
            "textDocument/didOpen" => {
                if let Ok(params) = read::<DidOpenTextDocumentParams>(params) {
                    let item = params.text_document;
                    let is_prose = matches!(item.language_id.as_str(), "markdown" | "plaintext" | "text");
                    self.documents.open(Document::new(item.uri, item.version, is_prose, item.text));
                }
            }
            "textDocument/didChange" => {
                if let Ok(params) = read::<DidChangeTextDocumentParams>(params) {
                    self.change(params);
                }
            }
            "textDocument/didSave" => {
                if let Ok(params) = read::<DidSaveTextDocumentParams>(params) {
                    return self.save(&params.text_document.uri);
                }
            }
            "textDocument/didClose" => {
                if let Ok(params) = read::<DidCloseTextDocumentParams>(params) {
                    return self.close(&params.text_document.uri);
                }
            }
            "workspace/didChangeWatchedFiles" | "workspace/didChangeConfiguration" => return self.all_again(),
            "$/cancelRequest" => {
                if let Ok(id) = read::<RequestId>(params["id"].clone()) {
                    return self.cancel(&id);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn change(&mut self, params: DidChangeTextDocumentParams) {
        let Some(document) = self.documents.get_mut(&params.text_document.uri) else { return };
        // The server asked for whole texts, so a change with a range is ignored.
        let last = params.content_changes.into_iter().rfind(|change| change.range.is_none());
        if let Some(last) = last {
            document.changed(params.text_document.version, last.text);
        }
    }

    fn save(&mut self, uri: &Uri) -> io::Result<()> {
        if path_of(uri.as_str()).is_some_and(|path| path == self.installation.settings()) {
            return self.all_again();
        }
        if let Some(document) = self.documents.get_mut(uri) {
            document.hurry();
        }
        Ok(())
    }

    /// Has every document judged again, because the configuration may have changed.
    fn all_again(&mut self) -> io::Result<()> {
        self.documents.hurry_all();
        if self.client.pulls && self.client.refreshes {
            let refresh = Request::new("refresh".to_owned().into(), "workspace/diagnostic/refresh".to_owned(), ());
            return self.write(&refresh.into());
        }
        Ok(())
    }

    fn close(&mut self, uri: &Uri) -> io::Result<()> {
        if self.documents.close(uri).is_none() {
            return Ok(());
        }
        self.answer_waiting()?;
        self.publish(uri.clone(), None, Vec::new())
    }

    fn cancel(&mut self, id: &RequestId) -> io::Result<()> {
        let Some(at) = self.waiting.iter().position(|waiting| waiting.id == *id) else { return Ok(()) };
        let waiting = self.waiting.remove(at);
        self.respond(waiting.id, Err((ErrorCode::RequestCanceled, "cancelled".to_owned())))
    }

    /// Sends the documents that are due to the judge; those that are too large have their message already.
    fn send_due(&mut self) -> io::Result<()> {
        for uri in self.documents.due() {
            let Some(document) = self.documents.get(&uri) else { continue };
            let path = path_of(uri.as_str());
            let (Some(text), Some(path)) = (document.text.clone(), path) else {
                let version = document.version;
                if document.text.is_some() {
                    let address = uri.as_str().to_owned();
                    self.judged(Done { address, version, judgement: judge::Judgement::OutOfScope })?;
                } else {
                    self.show(&uri)?;
                }
                continue;
            };
            let job = Job {
                address: uri.as_str().to_owned(),
                version: document.version,
                name: name_of(&self.installation.root(), &path),
                is_prose: document.is_prose,
                text,
            };
            // The judge only ends with the server.
            let _ = self.jobs.send(job);
        }
        Ok(())
    }

    fn judged(&mut self, done: Done) -> io::Result<()> {
        let Some(document) = self.documents.at(&done.address) else { return Ok(()) };
        if !document.take(done.version, done.judgement) {
            return Ok(());
        }
        let uri = document.uri.clone();
        self.show(&uri)
    }

    /// Sends the findings in a document to the client.
    fn show(&mut self, uri: &Uri) -> io::Result<()> {
        self.answer_waiting()?;
        let Some(document) = self.documents.get(uri).filter(|_| !self.client.pulls) else { return Ok(()) };
        let version = document.version;
        match diagnostics::of(document, self.client.encoding, self.installation) {
            Some(list) => self.publish(uri.clone(), Some(version), list),
            None => Ok(()),
        }
    }

    fn publish(&mut self, uri: Uri, version: Option<i32>, list: Vec<lsp_types::Diagnostic>) -> io::Result<()> {
        if self.client.pulls {
            return Ok(());
        }
        let params = PublishDiagnosticsParams { uri, diagnostics: list, version };
        self.write(&Notification::new("textDocument/publishDiagnostics".to_owned(), params).into())
    }

    /// Answers a request as soon as the current text is judged.
    fn later(&mut self, id: RequestId, uri: Result<Uri, String>, wanted: Wanted) -> io::Result<()> {
        match uri {
            Ok(uri) => self.waiting.push(Waiting { id, uri, wanted }),
            Err(reason) => return self.respond(id, Err((ErrorCode::InvalidParams, reason))),
        }
        self.answer_waiting()
    }

    fn answer_waiting(&mut self) -> io::Result<()> {
        for waiting in std::mem::take(&mut self.waiting) {
            match self.answer(&waiting) {
                Some(answer) => self.respond(waiting.id, Ok(answer))?,
                None => self.waiting.push(waiting),
            }
        }
        Ok(())
    }

    /// The answer to a request; `None` while the text is not judged. A document that is not open has no findings.
    fn answer(&self, waiting: &Waiting) -> Option<Value> {
        let document = self.documents.get(&waiting.uri);
        let is_ready = document.is_none_or(|document| document.text.is_none() || document.result().is_some());
        if !is_ready {
            return None;
        }
        let encoding = self.client.encoding;
        match waiting.wanted {
            Wanted::Diagnostics => {
                let items = document.and_then(|document| diagnostics::of(document, encoding, self.installation));
                Some(json!({ "kind": "full", "items": items.unwrap_or_default() }))
            }
            Wanted::Symbols => {
                let symbols = document.map(|document| symbols::of(document, encoding)).unwrap_or_default();
                Some(match self.client.nests_symbols {
                    true => value(symbols),
                    false => value(symbols::flat(symbols, &waiting.uri)),
                })
            }
        }
    }

    fn hover(&self, params: Value) -> Answer {
        let at = read::<HoverParams>(params).map_err(invalid)?.text_document_position_params;
        let document = self.documents.get(&at.text_document.uri);
        Ok(value(
            document.and_then(|document| hover::at(document, at.position, self.client.encoding, self.installation)),
        ))
    }

    fn completion(&self, params: Value) -> Answer {
        let at = read::<CompletionParams>(params).map_err(invalid)?.text_document_position;
        let document = self.documents.get(&at.text_document.uri);
        Ok(value(document.map(|document| completion::at(document, at.position, self.client.encoding))))
    }

    fn code_actions(&self, params: Value) -> Answer {
        let params = read::<CodeActionParams>(params).map_err(invalid)?;
        // A kind covers those below it: an empty one covers all.
        let covers = |kind: &str| kind.is_empty() || kind == "quickfix";
        let is_wanted = params.context.only.is_none_or(|only| only.iter().any(|kind| covers(kind.as_str())));
        let document = self.documents.get(&params.text_document.uri).filter(|_| is_wanted);
        let path = path_of(params.text_document.uri.as_str());
        let actions = document.zip(path).map(|(document, path)| {
            let request = actions::Request {
                document,
                documents: &self.documents,
                range: params.range,
                encoding: self.client.encoding,
                creates_files: self.client.creates_files,
                installation: self.installation,
                name: &name_of(&self.installation.root(), &path),
            };
            request.actions()
        });
        Ok(value(actions.unwrap_or_default()))
    }

    fn respond(&mut self, id: RequestId, answer: Answer) -> io::Result<()> {
        let response = match answer {
            Ok(result) => Response::new_ok(id, result),
            Err((code, message)) => Response::new_err(id, code as i32, message),
        };
        self.write(&response.into())
    }

    fn write(&mut self, message: &Message) -> io::Result<()> {
        transport::write(&mut self.output, message)
    }
}

/// The name of a file, as `check` in this folder would show it; its whole path if it is elsewhere.
fn name_of(root: &Path, path: &Path) -> String {
    let real = || path.canonicalize().ok();
    let below = path.strip_prefix(root).map(Path::to_path_buf).ok();
    let below = below.or_else(|| real()?.strip_prefix(root).map(Path::to_path_buf).ok());
    let name = below.unwrap_or_else(|| path.to_owned());
    let name = name.to_string_lossy();
    if cfg!(windows) { name.replace('\\', "/") } else { name.into_owned() }
}

fn read<T: DeserializeOwned>(params: Value) -> Result<T, String> {
    serde_json::from_value(params).map_err(|error| error.to_string())
}

fn invalid(reason: String) -> (ErrorCode, String) {
    (ErrorCode::InvalidParams, reason)
}

fn value(result: impl serde::Serialize) -> Value {
    serde_json::to_value(result).unwrap_or_default()
}
