//! `reqgate lsp` as an editor starts it: settings from `.reqgate.yaml`, explanations, exit codes.

use std::io::{BufReader, Read, Write};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::cli::{Sandbox, UNREADY};

/// Everything that the program writes for these messages before its input ends, and its exit code.
fn talked(mut command: Command, messages: &[Value]) -> (String, i32) {
    let framed = messages.iter().map(|message| {
        let body = message.to_string();
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    });
    sent(&mut command, &framed.collect::<String>())
}

fn sent(command: &mut Command, input: &str) -> (String, i32) {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().expect("the program starts");
    // The program may end before it has read everything.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    let mut output = String::new();
    child.stdout.take().expect("a pipe").read_to_string(&mut output).expect("the program writes text");
    (output, child.wait().expect("it ends").code().expect("it has a code"))
}

fn lsp(sandbox: &Sandbox, arguments: &[&str]) -> Command {
    let mut command = sandbox.command();
    command.arg("lsp").args(arguments);
    command
}

fn request(id: i32, method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

fn opened(uri: &str, text: &str) -> Value {
    let document = json!({ "uri": uri, "languageId": "markdown", "version": 1, "text": text });
    json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": { "textDocument": document } })
}

#[test]
fn exit_codes_follow_the_protocol() {
    let sandbox = Sandbox::new();
    let hello = request(1, "initialize", json!({ "capabilities": {} }));
    let exit = json!({ "jsonrpc": "2.0", "method": "exit" });
    let shutdown = request(2, "shutdown", Value::Null);
    for arguments in [&["--stdio"][..], &[]] {
        let (output, code) = talked(lsp(&sandbox, arguments), &[hello.clone(), shutdown.clone(), exit.clone()]);
        assert!(output.contains(r#""name":"reqgate""#) && code == 0, "{code}: {output}");
    }
    assert_eq!(talked(lsp(&sandbox, &[]), &[hello.clone(), exit]).1, 1);
    assert_eq!(talked(lsp(&sandbox, &[]), &[hello]).1, 1);
    assert_eq!(sent(&mut lsp(&sandbox, &[]), "GET / HTTP/1.1\r\n\r\n").1, 3);
}

#[test]
fn a_ticket_is_judged_with_the_settings_of_its_folder() {
    for (settings, expected) in [
        ("", "fact: left open"),
        ("", "docs/rule-reference.md#open-point"),
        ("rules:\n  open-point: warning\n", r#""severity":2"#),
        ("lsp:\n  files: [\"docs/*.md\"]\n", r#""items":[]"#),
        ("lsp:\n  files: [\"a[\"]\n", "the pattern `a[` cannot be read"),
        ("no_such_key: 1\n", "cannot be judged"),
    ] {
        let sandbox = Sandbox::new();
        sandbox.file("ticket.md", UNREADY).file(".reqgate.yaml", settings);
        let uri = format!("file://{}", sandbox.path("ticket.md").canonicalize().expect("it was written").display());
        // The answer comes once the text is judged, so that the input may end afterwards.
        let hello = request(1, "initialize", json!({ "capabilities": { "textDocument": { "diagnostic": {} } } }));
        let ask = request(2, "textDocument/diagnostic", json!({ "textDocument": { "uri": uri } }));
        let mut command = lsp(&sandbox, &[]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the program starts");
        let mut input = child.stdin.take().expect("a pipe");
        for message in [hello, opened(&uri, UNREADY), ask] {
            let body = message.to_string();
            write!(input, "Content-Length: {}\r\n\r\n{body}", body.len()).expect("the program reads");
        }
        let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
        let answer = answer(&mut output, 2);
        assert!(answer.contains(expected), "{settings}: {answer}");
        drop(input);
        assert_eq!(child.wait().expect("it ends").code(), Some(1));
    }
}

/// The response with this id, as text.
fn answer(output: &mut impl std::io::BufRead, id: i32) -> String {
    loop {
        let mut header = String::new();
        output.read_line(&mut header).expect("the program writes");
        let length = header.trim().trim_start_matches("Content-Length: ").parse().expect("a length");
        output.read_line(&mut header).expect("an empty line");
        let mut body = vec![0; length];
        output.read_exact(&mut body).expect("a whole message");
        let message: Value = serde_json::from_slice(&body).expect("JSON");
        if message["id"] == id {
            return message.to_string();
        }
    }
}
