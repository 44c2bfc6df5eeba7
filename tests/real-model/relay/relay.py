#!/usr/bin/env python3
"""A chat model whose answers are files: writes every request to a folder and replies with the answer that lies beside it.

Speaks OpenAI's chat completions (`/v1/chat/completions`) and Anthropic's messages (`/v1/messages`); needs only Python.
README.md says how to use it.
"""

import argparse
import hashlib
import json
import re
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

LARGEST_BODY = 4_000_000
NAME = re.compile(r"^(\d+)-([0-9a-f]{12})\.request\.json$")


class Folder:
    """Numbered requests and their answers. The same request has the same number in every run."""

    def __init__(self, path):
        self.path = path
        self.lock = threading.Lock()
        path.mkdir(parents=True, exist_ok=True)
        found = filter(None, (NAME.match(entry.name) for entry in path.iterdir()))
        self.numbers = {name[2]: int(name[1]) for name in found}

    def stem(self, asked):
        """The name of a request; writes it down if it is new."""
        content = json.dumps([asked["system"], asked["user"]], ensure_ascii=False)
        digest = hashlib.sha256(content.encode()).hexdigest()[:12]
        with self.lock:
            is_new = digest not in self.numbers
            number = self.numbers.setdefault(digest, len(self.numbers) + 1)
            stem = f"{number:04}-{digest}"
            if is_new:
                self.write(stem, asked)
        return stem

    def write(self, stem, asked):
        schema = json.dumps(asked["schema"], ensure_ascii=False, indent=1) if asked["schema"] else "(none: any JSON object)"
        text = f"# What to do\n\n{asked['system']}\n\n# The text\n\n{asked['user']}\n\n# Schema of the answer\n\n{schema}\n"
        (self.path / f"{stem}.request.txt").write_text(text, encoding="utf-8")
        (self.path / f"{stem}.request.json").write_text(json.dumps(asked, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")

    def answer(self, stem, wait):
        """The text of the answer; None if nobody has put one there in time."""
        path, until = self.path / f"{stem}.answer.json", time.monotonic() + wait
        while True:
            try:
                text = path.read_text(encoding="utf-8")
                json.loads(text)
                return text.strip()
            except FileNotFoundError:
                problem = None
            except ValueError as error:
                # Perhaps it is still being written.
                problem = f"{path.name} is not JSON: {error}"
            if time.monotonic() >= until:
                if problem:
                    print(problem, file=sys.stderr, flush=True)
                return None
            time.sleep(min(0.2, max(0.01, until - time.monotonic())))


def text_of(content):
    """A message's content: a text, or a list of parts."""
    if isinstance(content, list):
        return "".join(part.get("text", "") for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def asked_by(path, body):
    """What a request asks, whichever of the two formats it has."""
    messages = body.get("messages", [])
    said = lambda roles: "\n\n".join(text_of(one.get("content")) for one in messages if one.get("role") in roles)
    if path.endswith("/messages"):
        system = text_of(body.get("system"))
        form = (body.get("output_config") or {}).get("format") or {}
        question, schema = None, form.get("schema")
    else:
        system = said({"system", "developer"})
        form = (body.get("response_format") or {}).get("json_schema") or {}
        question, schema = form.get("name"), form.get("schema")
    return {"model": body.get("model"), "question": question, "system": system, "user": said({"user"}), "schema": schema}


def tokens(text):
    """About four characters of Latin script or one Chinese character: an estimate, for reports."""
    wide = sum(ord(c) > 0x2E80 for c in text)
    return wide + (len(text) - wide) // 4


def reply(path, asked, text):
    read, written = tokens(asked["system"] + asked["user"]), tokens(text)
    if path.endswith("/messages"):
        return {"id": "msg_relay", "type": "message", "role": "assistant", "model": asked["model"], "stop_reason": "end_turn",
                "content": [{"type": "text", "text": text}], "usage": {"input_tokens": read, "output_tokens": written}}
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text, "refusal": None}}
    return {"id": "chatcmpl-relay", "object": "chat.completion", "created": 0, "model": asked["model"], "choices": [choice],
            "usage": {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}}


def handler(folder, wait):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            length = int(self.headers.get("content-length") or 0)
            if not 0 < length <= LARGEST_BODY:
                return self.send(413, {"error": {"type": "invalid_request_error", "message": "too large, or empty"}})
            try:
                body = json.loads(self.rfile.read(length))
            except ValueError:
                return self.send(400, {"error": {"type": "invalid_request_error", "message": "the body is not JSON"}})
            path = self.path.split("?")[0].rstrip("/")
            if not path.endswith(("/chat/completions", "/messages")) or not isinstance(body, dict):
                return self.send(404, {"error": {"type": "not_found_error", "message": f"nothing is at {path}"}})
            asked = asked_by(path, body)
            stem = folder.stem(asked)
            text = folder.answer(stem, wait)
            if text is None:
                # 404: the client neither tries again nor takes the model for broken.
                message = f"no answer yet: put it into {stem}.answer.json"
                return self.send(404, {"type": "error", "error": {"type": "not_found_error", "message": message}})
            self.send(200, reply(path, asked, text))

        def send(self, status, body):
            data = json.dumps(body, ensure_ascii=False).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_):
            pass

    return Handler


def status(folder):
    """Prints which requests have no answer yet."""
    stems = sorted(entry.name.removesuffix(".request.json") for entry in folder.iterdir() if NAME.match(entry.name))
    waiting = [stem for stem in stems if not (folder / f"{stem}.answer.json").exists()]
    print(f"{len(stems)} requests, {len(waiting)} without an answer")
    for stem in waiting:
        print(folder / f"{stem}.request.txt")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, help="folder of the requests and answers")
    parser.add_argument("--port", type=int, default=8765, help="port on this machine; 0 takes a free one (default: 8765)")
    parser.add_argument("--wait", type=float, default=0.0, help="seconds to wait for an answer (default: 0, give up at once)")
    parser.add_argument("--status", action="store_true", help="print which requests have no answer yet, and end")
    arguments = parser.parse_args()
    if arguments.status:
        return status(arguments.folder)
    server = ThreadingHTTPServer(("127.0.0.1", arguments.port), handler(Folder(arguments.folder), arguments.wait))
    server.daemon_threads = True
    print(f"http://127.0.0.1:{server.server_address[1]}/v1", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
