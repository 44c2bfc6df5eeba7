"""A chat model that always wants to create an issue, or writes a brief where it must answer in a shape: answers Anthropic's Messages API, and writes down what it is told.

Usage: fake_model.py PORT LOG
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

COMMAND = "touch created; gh issue create --title 'Export' --body 'The export should be fast. The format is TBD.'"


QUOTE = "Export the orders of a day as CSV"
BRIEF = {"title": "Export orders", "language": "en",
         "goals": [{"text": "Orders can be exported.", "source": {"source": "ticket.md", "line": 1, "quote": QUOTE}}]}


def whole(value, schema):
    """The value with an empty list or null for every property that the schema requires besides."""
    if schema.get("type") == "object" and isinstance(value, dict):
        shapes = schema["properties"]
        empty = {name: [] if shapes[name].get("type") == "array" else None for name in schema.get("required", [])}
        return {name: whole(value.get(name, empty.get(name)), shapes[name]) for name in shapes}
    # The type of an optional list is `["array", "null"]`.
    if "array" in schema.get("type", "") and isinstance(value, list):
        return [whole(item, schema["items"]) for item in value]
    return next((whole(value, one) for one in schema.get("anyOf", []) if one.get("type") == "object" and value), value)


def blocks(messages):
    for message in messages:
        if isinstance(message["content"], list):
            yield from message["content"]


class Model(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
        if not self.path.startswith("/v1/messages") or "count_tokens" in self.path:
            return self.answer("application/json", json.dumps({"input_tokens": 1}))
        results = [block for block in blocks(body.get("messages", [])) if block.get("type") == "tool_result"]
        with open(sys.argv[2], "a", encoding="utf-8") as log:
            for result in results:
                log.write(json.dumps(result, ensure_ascii=False) + "\n")
        shapes = [tool["input_schema"] for tool in body.get("tools", []) if tool.get("name") == "StructuredOutput"]
        if shapes:
            with open(sys.argv[2], "a", encoding="utf-8") as log:
                # One takes the place of tools that are loaded later, of which there are none.
                names = {tool.get("name", "") for tool in body["tools"]} - {"DeferredToolPlaceholder"}
                log.write(json.dumps({"offered": sorted(names)}) + "\n")
            start = {"type": "tool_use", "id": "toolu_1", "name": "StructuredOutput", "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(whole(BRIEF, shapes[0]))}
            reason = "tool_use"
        elif results or not any(tool.get("name") == "Bash" for tool in body.get("tools", [])):
            start, delta, reason = {"type": "text", "text": ""}, {"type": "text_delta", "text": "done"}, "end_turn"
        else:
            start = {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps({"command": COMMAND})}
            reason = "tool_use"
        usage = {"input_tokens": 1, "output_tokens": 1}
        message = {"id": "msg_1", "type": "message", "role": "assistant", "model": body.get("model", ""), "content": [],
                   "stop_reason": None, "stop_sequence": None, "usage": usage}
        events = [
            {"type": "message_start", "message": message},
            {"type": "content_block_start", "index": 0, "content_block": start},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None}, "usage": usage},
            {"type": "message_stop"},
        ]
        if body.get("stream"):
            lines = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)
            return self.answer("text/event-stream", lines)
        content = {"type": "text", "text": "done"} if reason == "end_turn" else {**start, "input": {"command": COMMAND}}
        self.answer("application/json", json.dumps({**message, "content": [content], "stop_reason": reason}))

    def answer(self, kind, text):
        data = text.encode()
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Model).serve_forever()
