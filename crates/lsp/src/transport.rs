//! Reads and writes messages of the protocol: a header with the length, and JSON of that length.

use std::io::{self, BufRead, Read, Write};

use lsp_server::Message;
use serde_json::{Value, json};

/// The longest message that is read, in bytes: 64 MiB. A longer one is skipped.
const LONGEST_MESSAGE: usize = 64 * 1024 * 1024;
/// The longest line of a header, and the most lines.
const LONGEST_HEADER: u64 = 4096;
const MOST_HEADERS: usize = 32;

/// One message of the client.
#[derive(Debug)]
pub(crate) enum Frame {
    /// A valid message.
    Message(Message),
    /// The header was valid, but its content is not a message; the reason.
    Broken(String),
}

/// The next message; `None` at the end of the input.
///
/// # Errors
/// Fails if the input cannot be read, or if the header has no length, because the start of the next message is then unknown.
pub(crate) fn read(input: &mut impl BufRead) -> io::Result<Option<Frame>> {
    let Some(length) = length(input)? else { return Ok(None) };
    if length > LONGEST_MESSAGE {
        let skipped = io::copy(&mut input.take(length as u64), &mut io::sink())?;
        if skipped < length as u64 {
            return Ok(None);
        }
        return Ok(Some(Frame::Broken(format!("the message has more than {LONGEST_MESSAGE} bytes"))));
    }
    let mut body = Vec::new();
    // The buffer grows with the bytes that arrive, not with the number in the header.
    if input.take(length as u64).read_to_end(&mut body)? < length {
        return Ok(None);
    }
    Ok(Some(match serde_json::from_slice(&body) {
        Ok(message) => Frame::Message(message),
        Err(error) => Frame::Broken(format!("the content is not a message: {error}")),
    }))
}

/// The length in a header; `None` at the end of the input.
fn length(input: &mut impl BufRead) -> io::Result<Option<usize>> {
    let invalid = |words: &str| io::Error::new(io::ErrorKind::InvalidData, words.to_owned());
    let mut length = None;
    for number in 0..MOST_HEADERS {
        let mut line = Vec::new();
        input.take(LONGEST_HEADER).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.strip_suffix('\n').ok_or_else(|| invalid("a line of the header is too long"))?.trim_end();
        match line.split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("Content-Length") => {
                length = Some(value.trim().parse().map_err(|_| invalid("the Content-Length is not a number"))?);
            }
            Some(_) => {}
            // Empty lines before a header do no harm.
            None if line.is_empty() && number == 0 => {}
            None if line.is_empty() => {
                return length.map(Some).ok_or_else(|| invalid("the header has no Content-Length"));
            }
            None => return Err(invalid("a line of the header has no colon")),
        }
    }
    Err(invalid("the header is too long"))
}

/// Writes a message.
///
/// # Errors
/// Fails if the client no longer reads.
pub(crate) fn write(output: &mut impl Write, message: &Message) -> io::Result<()> {
    message.write(&mut *output)
}

/// Writes the error for a message without a readable id.
///
/// # Errors
/// Fails if the client no longer reads.
pub(crate) fn write_parse_error(output: &mut impl Write, reason: &str) -> io::Result<()> {
    let error = json!({ "code": lsp_server::ErrorCode::ParseError as i32, "message": reason });
    let body = json!({ "jsonrpc": "2.0", "id": Value::Null, "error": error }).to_string();
    write!(output, "Content-Length: {}\r\n\r\n{body}", body.len())?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(bytes: &[u8]) -> Vec<String> {
        let mut input = io::BufReader::with_capacity(64, bytes);
        let mut out = Vec::new();
        loop {
            out.push(match read(&mut input) {
                Ok(None) => "end".to_owned(),
                Ok(Some(Frame::Message(Message::Notification(one)))) => {
                    out.push(one.method);
                    continue;
                }
                Ok(Some(Frame::Message(other))) => {
                    out.push(format!("{other:?}"));
                    continue;
                }
                Ok(Some(Frame::Broken(_))) => {
                    out.push("broken".to_owned());
                    continue;
                }
                Err(error) => error.to_string(),
            });
            return out;
        }
    }

    fn framed(body: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    }

    #[test]
    fn a_broken_message_does_not_end_the_conversation() {
        let good = framed(r#"{"jsonrpc":"2.0","method":"x"}"#);
        let deep = framed(&"[".repeat(100_000));
        for broken in [framed("{"), framed(""), framed("[]"), framed("42"), framed(r#"{"id":{}}"#), deep] {
            assert_eq!(frames(format!("{good}{broken}{good}").as_bytes()), ["x", "broken", "x", "end"], "{broken:.60}");
        }
    }

    #[test]
    fn input_that_ends_early_is_the_end_and_a_bad_header_an_error() {
        assert_eq!(frames(b""), ["end"]);
        assert_eq!(frames(b"Content-Length: 100\r\n\r\n{"), ["end"]);
        assert_eq!(frames(b"Content-Length: 99999999999\r\n\r\n{"), ["end"]);
        assert_eq!(frames(b"Content-Length: -1\r\n\r\n"), ["the Content-Length is not a number"]);
        assert_eq!(frames(b"Content-Type: x\r\n\r\n{}"), ["the header has no Content-Length"]);
        assert_eq!(frames(b"hello\r\n"), ["a line of the header has no colon"]);
        assert_eq!(frames(&[b'a'; 9000]), ["a line of the header is too long"]);
        assert_eq!(frames("a: b\r\n".repeat(100).as_bytes()), ["the header is too long"]);
        assert_eq!(frames(&[0xff, b'\n']), ["a line of the header has no colon"]);
    }
}
