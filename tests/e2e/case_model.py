"""A model that the workflow names: asked about issues, with masked text only, and named in the comment."""
import http.server
import json
import threading

from base import VAGUE, VAGUE_TITLE, Case

KEY = "sk-canary-of-the-model-5f1c"
PERSON = "jane.roe@example-clinic.org"


class Host(http.server.ThreadingHTTPServer):
    """Keeps what it is sent, and answers each order with its result, others as a model would that has nothing to say."""

    def __init__(self, results=None):
        super().__init__(("127.0.0.1", 0), Answer)
        self.seen, self.results = [], results or {}
        self.name = f"127.0.0.1:{self.server_address[1]}"
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Answer(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"])).decode()
        self.server.seen.append((self.path, self.headers.get("authorization"), body))
        order = ((json.loads(body).get("response_format") or {}).get("json_schema") or {}).get("name")
        message = {"role": "assistant", "content": json.dumps(self.server.results.get(order, {})), "refusal": None}
        said = {"id": "c", "object": "chat.completion", "created": 1, "model": "small",
                "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
                "usage": {"prompt_tokens": 10, "completion_tokens": 1, "total_tokens": 11}}
        reply = json.dumps(said).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, *_):
        pass


class Model(Case):
    def asked(self, host):
        return {"REQGATE_MODEL": "openai/small", "REQGATE_BASE_URL": f"http://{host}/v1", "OPENAI_API_KEY": KEY}

    def test_model_sees_masked_text_only_and_is_named_in_the_comment(self):
        host = Host()
        self.world.canaries.add(KEY)
        number, run = self.world.open(VAGUE_TITLE, f"{VAGUE} Ask {PERSON} about it.", env=self.asked(host.name))
        self.verdict(run, "blocked", comment_action="created")
        self.assertTrue(host.seen, run.log)
        for path, key, body in host.seen:
            self.assertEqual((path, key), ("/v1/chat/completions", f"Bearer {KEY}"))
            self.assertNotIn(PERSON, body)
            self.assertNotIn(KEY, body)
        self.assertIn(f"Reviewed with the model `openai/small`; the masked text was sent to `{host.name}`.", self.the_comment(number)["body"])

    def test_model_that_cannot_be_reached_changes_nothing_but_the_word_on_it(self):
        number, run = self.world.open(VAGUE_TITLE, VAGUE, env=self.asked("127.0.0.1:9"))
        self.verdict(run, "blocked", comment_action="created")
        self.assertIn("missing-acceptance-criteria", self.the_comment(number)["body"])
