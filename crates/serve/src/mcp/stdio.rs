//! Serves one message per line on standard input and output, of a bounded size; the server ends when its input ends.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read, Write};
use std::sync::mpsc::{Receiver, sync_channel};

use serde_json::{Value, json};

use super::elicitation::Peer;
use super::protocol::{Fault, INVALID_REQUEST, Message, PARSE_ERROR, response};
use super::server::Server;
use reqgate_base::bounded_json::{VALUES_OF_REQUEST, parse};

/// The maximum length of a message, in bytes: 4 MiB.
pub const LONGEST_MESSAGE: usize = 4 * 1024 * 1024;

/// The maximum number of messages that wait, each here and in the channel.
const MOST_WAITING: usize = 16;

/// A line of the input.
enum Line {
    /// The bytes of the line, without the line end.
    Whole(Vec<u8>),
    /// The line was longer than [`LONGEST_MESSAGE`].
    TooLong,
}

/// Serves until the input or the reader of the output ends.
///
/// # Errors
/// Fails if the input cannot be read or the output cannot be written.
pub fn serve(server: &mut Server<'_>, input: impl Read + Send + 'static, mut output: impl Write) -> io::Result<()> {
    let (send, receive) = sync_channel(MOST_WAITING);
    // Not joined, because it may wait for a line that never arrives after the output was closed.
    std::thread::spawn(move || {
        let mut input = io::BufReader::new(input);
        loop {
            match next_line(&mut input) {
                Ok(None) => break,
                Ok(Some(line)) => {
                    if send.send(Ok(line)).is_err() {
                        break;
                    }
                }
                Err(error) => {
                    // The receiver of the lines may have ended.
                    let _ = send.send(Err(error));
                    break;
                }
            }
        }
    });
    let mut waiting = Waiting { receive, queue: VecDeque::new() };
    let mut asked = 0;
    while let Some(message) = waiting.next()? {
        let mut peer = WaitingClient { waiting: &mut waiting, output: &mut output, asked: &mut asked };
        let Some(reply) = reply(server, message, &mut peer) else { continue };
        match written(&mut output, &reply) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
            other => other?,
        }
    }
    Ok(())
}

fn written(output: &mut impl Write, message: &Value) -> io::Result<()> {
    let mut line = message.to_string();
    line.push('\n');
    output.write_all(line.as_bytes()).and_then(|()| output.flush())
}

/// The client while it waits for the response to its request.
struct WaitingClient<'a, W> {
    waiting: &'a mut Waiting,
    output: &'a mut W,
    /// The number of requests that were sent to the client.
    asked: &'a mut u64,
}

/// The maximum number of messages that are kept while a person fills in a form.
const MOST_KEPT: usize = 1_000;

impl<W: Write> Peer for WaitingClient<'_, W> {
    fn elicit(&mut self, request: &Value, form: &Value) -> Option<Value> {
        *self.asked += 1;
        let id = Value::from(format!("reqgate-{}", self.asked));
        let ask = json!({ "jsonrpc": "2.0", "id": id, "method": "elicitation/create", "params": form });
        written(self.output, &ask).ok()?;
        let mut looked = 0;
        loop {
            // An earlier message may already have the response, or cancel the request.
            while let Some(message) = self.waiting.queue.get(looked) {
                let is_end = takes_back(message, request);
                let Ok(message) = message else {
                    looked += 1;
                    continue;
                };
                if is_end {
                    return None;
                }
                let is_of = |key: &str, value: &Value| message.get(key) == Some(value);
                if is_of("id", &id) && message.get("method").is_none() {
                    return self.waiting.queue.remove(looked)?.ok()?.get_mut("result").map(Value::take);
                }
                // A client that gets no reply could assume that the server has ended.
                if is_of("method", &"ping".into()) {
                    let pong = response(message.get("id").cloned().unwrap_or_default(), Ok(json!({})));
                    self.waiting.queue.remove(looked);
                    written(self.output, &pong).ok()?;
                    continue;
                }
                looked += 1;
            }
            if self.waiting.queue.len() >= MOST_KEPT {
                return None;
            }
            let line = self.waiting.receive.recv().ok()?.ok()?;
            self.waiting.put(line);
        }
    }
}

/// The messages that were read and are not answered yet.
struct Waiting {
    receive: Receiver<io::Result<Line>>,
    queue: VecDeque<Result<Value, Fault>>,
}

impl Waiting {
    /// The next message, without those that a later one cancels; `None` at the end of the input.
    fn next(&mut self) -> io::Result<Option<Result<Value, Fault>>> {
        loop {
            if self.queue.is_empty() {
                match self.receive.recv() {
                    Ok(line) => self.put(line?),
                    Err(_) => return Ok(None),
                }
            }
            while self.queue.len() < MOST_WAITING {
                let Ok(line) = self.receive.try_recv() else { break };
                self.put(line?);
            }
            let Some(message) = self.queue.pop_front() else { continue };
            let is_taken_back = message.as_ref().is_ok_and(|message| {
                message.get("method").is_some()
                    && message.get("id").is_some_and(|id| self.queue.iter().any(|later| takes_back(later, id)))
            });
            if !is_taken_back {
                return Ok(Some(message));
            }
        }
    }

    fn put(&mut self, line: Line) {
        let message = match line {
            Line::Whole(line) if line.iter().all(u8::is_ascii_whitespace) => return,
            Line::Whole(line) => parse(&line, VALUES_OF_REQUEST)
                .map_err(|error| Fault::new(PARSE_ERROR, format!("the line is not one JSON message: {error}"))),
            Line::TooLong => {
                let message = format!("the message is longer than {LONGEST_MESSAGE} bytes: name files by their paths");
                Err(Fault::new(INVALID_REQUEST, message))
            }
        };
        self.queue.push_back(message);
    }
}

fn takes_back(message: &Result<Value, Fault>, id: &Value) -> bool {
    message.as_ref().is_ok_and(|message| {
        message.get("method").and_then(Value::as_str) == Some("notifications/cancelled")
            && message.pointer("/params/requestId") == Some(id)
    })
}

/// The maximum number of messages in a batch, because each reply may be large.
const MOST_IN_BATCH: usize = 50;

/// The reply to a message, or to each message of a batch (in 2025-03-26).
fn reply(server: &mut Server<'_>, message: Result<Value, Fault>, peer: &mut dyn Peer) -> Option<Value> {
    match message {
        Err(fault) => Some(response(Value::Null, Err(fault))),
        Ok(Value::Array(batch)) if batch.len() > MOST_IN_BATCH => {
            let message = format!("a batch has at most {MOST_IN_BATCH} messages");
            Some(response(Value::Null, Err(Fault::new(INVALID_REQUEST, message))))
        }
        Ok(Value::Array(batch)) if !batch.is_empty() => {
            let replies: Vec<Value> = batch.into_iter().filter_map(|message| one(server, message, peer)).collect();
            (!replies.is_empty()).then_some(Value::Array(replies))
        }
        Ok(message) => one(server, message, peer),
    }
}

fn one(server: &mut Server<'_>, message: Value, peer: &mut dyn Peer) -> Option<Value> {
    match Message::read(message) {
        Ok(Message::Request { id, method, params }) => {
            let answer = server.answer(&id, &method, params, peer);
            Some(response(id, answer))
        }
        // A request that was cancelled too late has already been answered.
        Ok(Message::Other) => None,
        Err((id, fault)) => Some(response(id, Err(fault))),
    }
}

/// The next line; `None` at the end. The bytes of a line that is too long are dropped.
fn next_line(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut line = Vec::new();
    let mut is_too_long = false;
    loop {
        let chunk = input.fill_buf()?;
        if chunk.is_empty() {
            return Ok(match (is_too_long, line.is_empty()) {
                (true, _) => Some(Line::TooLong),
                (false, true) => None,
                (false, false) => Some(Line::Whole(line)),
            });
        }
        let end = chunk.iter().position(|byte| *byte == b'\n');
        let taken = end.unwrap_or(chunk.len());
        if line.len() + taken > LONGEST_MESSAGE {
            is_too_long = true;
            line = Vec::new();
        }
        if !is_too_long {
            line.extend_from_slice(&chunk[..taken]);
        }
        input.consume(taken + usize::from(end.is_some()));
        if end.is_some() {
            return Ok(Some(if is_too_long { Line::TooLong } else { Line::Whole(line) }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_too_long_is_left_out_and_the_next_is_read() {
        let long = "a".repeat(LONGEST_MESSAGE + 1);
        let text = format!("one\n{long}\n\nlast");
        let mut input = io::BufReader::with_capacity(1000, text.as_bytes());
        let mut lines = Vec::new();
        while let Some(line) = next_line(&mut input).expect("memory can be read") {
            lines.push(match line {
                Line::Whole(line) => String::from_utf8(line).expect("text"),
                Line::TooLong => "too long".to_owned(),
            });
        }
        assert_eq!(lines, ["one", "too long", "", "last"]);
    }
}
