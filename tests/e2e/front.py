"""The proxy in front of the GitHub stand-in: logs every request, adds the rules that the emulator lacks, and fails on demand.

    reqgate -> Front -> prism (checks the request against GitHub's OpenAPI description) -> emulate (keeps the state)
"""
import contextlib
import http.client
import http.server
import json
import re
import threading
import time
import urllib.parse
from dataclasses import dataclass, field
from datetime import datetime

LONGEST_BODY = 65_536
UNAUTHORISED = {"message": "Bad credentials", "documentation_url": "https://docs.github.com/rest", "status": "401"}
NO_PATH = b"stoplight.io/prism/errors#NO_PATH"
KEPT_HEADERS = {"link", "location", "etag", "retry-after", "x-accepted-github-permissions",
                "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"}
# Of these, the last part of the path holds one segment for prism and any number for GitHub.
MANY_SEGMENTS = re.compile(r"(/repos/[^/]+/[^/]+/(?:contents|git/refs?)/)([^?]+)")
MOMENT = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d{3}Z")
# The two words in which GitHub tells a permission: the one of old, and the role.
OLD_PERMISSIONS = {"pull": "read", "triage": "read", "push": "write", "maintain": "write", "admin": "admin"}


@dataclass
class Fault:
    """An answer that GitHub might give instead of the true one."""
    match: str                                   # expression over "METHOD /path"
    status: int = 0                              # 0: the true answer, but late
    body: object = field(default_factory=lambda: {"message": "fault"})
    headers: dict = field(default_factory=dict)
    times: int = 1
    landed: bool = False                         # the write happens, its answer is lost
    delay: float = 0.0                           # seconds before anything happens
    first: object = None                         # called before anything happens
    change: object = None                        # function over the true answer's JSON


@dataclass
class Request:
    """One request as it came in."""
    line: str                                    # "METHOD /path?query", without the base path of Enterprise Server
    body: str
    headers: dict
    status: int = 0
    enterprise: bool = False
    at: float = 0.0


class Front:
    def __init__(self, port, prism_port, emulate_port):
        self.port, self.prism_port, self.emulate_port = port, prism_port, emulate_port
        self.lock, self.opening = threading.Lock(), threading.Lock()
        self.faults, self.requests, self.violations = [], [], []
        front = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def handle_any(self):
                front.handle(self)

            do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = handle_any

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def handle(self, http_request):
        length = int(http_request.headers.get("content-length") or 0)
        raw = http_request.rfile.read(length)
        path = http_request.path
        enterprise = path.startswith("/api/v3/")
        if enterprise:
            path = path[len("/api/v3"):]
        request = Request(f"{http_request.command} {path}", raw.decode("utf-8", "replace"),
                          {key.lower(): value for key, value in http_request.headers.items()},
                          enterprise=enterprise, at=time.monotonic())
        with self.lock:
            self.requests.append(request)
            fault = next((fault for fault in self.faults if fault.times > 0 and re.search(fault.match, request.line)), None)
            if fault:
                fault.times -= 1
        if fault and fault.first:
            fault.first()
        if fault and fault.delay:
            time.sleep(fault.delay)
        if fault and fault.status and not fault.landed:
            return self.reply(http_request, request, fault.status, fault.body, fault.headers)
        # Two pull requests for one branch must not both find that there is none.
        with self.opening if re.match(r"POST .*/pulls$", request.line) else contextlib.nullcontext():
            status, body, headers = self.refusal(request) or self.forward(request, path, raw)
        if fault and fault.landed:
            status, body, headers = fault.status, fault.body, fault.headers
        elif fault and fault.change:
            body = fault.change(body)
        return self.reply(http_request, request, status, body, headers)

    def refusal(self, request):
        """What GitHub refuses and the emulator does not."""
        authorization = request.headers.get("authorization", "")
        if not re.match(r"(Bearer|token) gh[sp]_", authorization):
            return 401, UNAUTHORISED, {}
        if not request.headers.get("user-agent"):
            return 403, {"message": "Request forbidden by administrative rules."}, {}
        if request.line.split(" ")[0] in ("POST", "PATCH") and request.body:
            try:
                written = json.loads(request.body)
            except ValueError:
                return 400, {"message": "Problems parsing JSON"}, {}
            if isinstance(written, dict) and len(str(written.get("body") or "")) > LONGEST_BODY:
                problem = {"resource": "IssueComment", "code": "custom", "field": "body",
                           "message": "body is too long (maximum is 65536 characters)"}
                return 422, {"message": "Validation Failed", "errors": [problem], "status": "422"}, {}
            if re.match(r"POST .*/pulls$", request.line) and self.has_pull(request, written):
                problem = {"resource": "PullRequest", "code": "custom",
                           "message": f"A pull request already exists for {written['head']}."}
                return 422, {"message": "Validation Failed", "errors": [problem], "status": "422"}, {}
        return None

    def has_pull(self, request, written):
        """Whether the branch has an open pull request: GitHub has only one, the emulator any number."""
        path = request.line.split(" ")[1]
        head = urllib.parse.quote(f"{path.split('/')[2]}:{written.get('head')}", safe="")
        upstream = http.client.HTTPConnection("127.0.0.1", self.emulate_port, timeout=60)
        upstream.request("GET", f"{path}?state=open&head={head}", headers={"authorization": request.headers["authorization"]})
        found = upstream.getresponse().read()
        upstream.close()
        return len(json.loads(found)) > 0

    def forward(self, request, path, raw):
        path = MANY_SEGMENTS.sub(lambda parts: parts[1] + parts[2].replace("/", "%2F"), path)
        upstream = http.client.HTTPConnection("127.0.0.1", self.prism_port, timeout=60)
        dropped = {"host", "connection", "accept-encoding", "content-length", "transfer-encoding"}
        headers = {key: value for key, value in request.headers.items() if key not in dropped}
        upstream.request(request.line.split(" ")[0], path, body=raw or None, headers=headers)
        reply = upstream.getresponse()
        body = reply.read()
        upstream.close()
        violations = json.loads(reply.getheader("sl-violations") or "[]")
        wrong = [violation for violation in violations if violation["location"][0] == "request"]
        if wrong or NO_PATH in body:
            with self.lock:
                self.violations.append((request.line, wrong or "not among the operations of github-openapi.json"))
        base = f"http://127.0.0.1:{self.port}" + ("/api/v3" if request.enterprise else "")
        kept = {}
        for key, value in reply.getheaders():
            if key.lower() in KEPT_HEADERS:
                kept[key] = re.sub(rf"http://(127\.0\.0\.1|localhost):({self.emulate_port}|{self.prism_port})", base, value)
        with contextlib.suppress(ValueError):
            body = self.as_github_says(request.line, json.loads(body))
        return reply.status, body, kept

    def as_github_says(self, line, said):
        """The emulator's answer with GitHub's words for permissions, and its clock."""
        if re.match(r"GET .*/collaborators/[^/]+/permission$", line) and isinstance(said, dict) and "permission" in said:
            said["permission"] = OLD_PERMISSIONS.get(said["permission"], said["permission"])
        return on_githubs_clock(said)

    def reply(self, http_request, request, status, body, headers):
        request.status = status
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        try:
            http_request.send_response(status)
            for key, value in headers.items():
                http_request.send_header(key, value)
            http_request.send_header("content-type", "application/json; charset=utf-8")
            if status != 204:
                http_request.send_header("content-length", str(len(raw)))
            http_request.end_headers()
            if status not in (204, 304):
                http_request.wfile.write(raw)
        except (BrokenPipeError, ConnectionResetError):
            pass


def on_githubs_clock(value):
    """The same with moments in whole seconds. The emulator changes a comment once more while it makes it, which is no edit."""
    if isinstance(value, list):
        return [on_githubs_clock(item) for item in value]
    if isinstance(value, dict):
        made, changed = value.get("created_at"), value.get("updated_at")
        if made and changed and (datetime.fromisoformat(changed) - datetime.fromisoformat(made)).total_seconds() < 0.1:
            value = {**value, "updated_at": made}
        return {key: on_githubs_clock(item) for key, item in value.items()}
    if isinstance(value, str) and (moment := MOMENT.fullmatch(value)):
        return f"{moment[1]}Z"
    return value
