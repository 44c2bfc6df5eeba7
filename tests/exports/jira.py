"""A Jira of its own (Cloud's API 3 or Server's API 2) on this machine: opens the stories of a feature in it, twice, after a run that
was killed, and changes one as a person would. Each request is checked against the operations that Atlassian describes."""

import json
import os
import pathlib
import re
import subprocess
import sys
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

reqgate, feature = sys.argv[1:]
OPERATIONS = json.loads((pathlib.Path(__file__).parent.parent / "fixtures/jira/operations.json").read_text())


class Jira:
    def __init__(self, api):
        self.api, self.issues, self.lag, self.delay, self.faults = api, [], 0, 0.0, []
        jira = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self):
                length = int(self.headers.get("content-length") or 0)
                body = json.loads(self.rfile.read(length)) if length else None
                status, reply = jira.answer(self.command, self.path, body, self.headers)
                data = b"" if reply is None else json.dumps(reply).encode()
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(data)))
                if status == 429:
                    self.send_header("retry-after", "1")
                try:
                    self.end_headers()
                    self.wfile.write(data)
                except BrokenPipeError:  # the run that is killed below
                    self.close_connection = True

            do_GET = do_POST = do_PUT = answer

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, method, path, body, headers):
        path, _, query = path.partition("?")
        base = f"/rest/api/{self.api}"
        query = dict(urllib.parse.parse_qsl(query))
        if headers.get("authorization") != "Bearer t0ken":
            return 401, {}
        if not self.described(method, path.replace(base, "/rest/api/3", 1), query, body) or not path.startswith(base):
            return 405, {"errorMessages": [f"not described: {method} {path} {sorted(query)}"]}
        if self.faults and method == "POST":
            return self.faults.pop(0), {"errorMessages": [], "errors": {"customfield_10011": "Epic Name is required."}}
        rest = path[len(base) + 1:].split("/")
        if rest[0] == "search":
            seen = self.issues[: len(self.issues) - self.lag]
            label = re.search(r'labels = "([^"]+)"', query["jql"])
            found = [one for one in seen if not label or label[1] in one["fields"]["labels"]]
            found = found[::-1] if "DESC" in query["jql"] else found
            start = int(query.get("startAt") or query.get("nextPageToken") or 0)
            page = [{"key": one["key"]} for one in found[start:start + 2]]
            if self.api == 2:
                return 200, {"issues": page, "total": len(found), "startAt": start}
            return 200, {"issues": page, **({"nextPageToken": str(start + 2)} if start + 2 < len(found) else {})}
        if rest == ["issueLinkType"]:
            return 200, {"issueLinkTypes": [{"name": "Blocks", "inward": "is blocked by", "outward": "blocks"}]}
        if rest == ["issueLink"]:
            for end, other in [("inwardIssue", "outwardIssue"), ("outwardIssue", "inwardIssue")]:
                link = {"type": body["type"], other: body[other]}
                self.find(body[end]["key"])["fields"]["issuelinks"].append(link)
            return 201, None
        if method == "POST":
            issue = {"key": f"PAY-{len(self.issues) + 1}", "properties": {}}
            issue["fields"] = {"issuelinks": [], "status": {"statusCategory": {"key": "new"}}}
            self.set(issue, body)
            self.issues.append(issue)
            time.sleep(self.delay)
            return 201, {"id": "1", "key": issue["key"]}
        issue = self.find(rest[1])
        if issue is None:
            return 404, {"errorMessages": ["Issue does not exist"]}
        if method == "PUT":
            self.set(issue, body)
            return 204, None
        return 200, issue

    def described(self, method, path, query, body):
        for one in OPERATIONS:
            pattern = re.sub(r"\{[^}]*\}", "[^/]+", one["path"])
            if one["method"] == method and re.fullmatch(pattern, path) and one.get("only", str(self.api)) == str(self.api):
                keys = set(body or {}) <= set(one.get("keys", body or {}))
                return set(query) <= set(one["query"]) and one["body"] == (body is not None) and keys
        return False

    def set(self, issue, body):
        for name, value in body["fields"].items():
            if name == "description" and self.api == 2:
                value = value.replace("\n", "\r\n")
            issue["fields"][name] = value
        for one in body.get("properties", []):
            issue["properties"][one["key"]] = one["value"]

    def find(self, key):
        return next((one for one in self.issues if one["key"] == key), None)


def check(api):
    jira = Jira(api)
    address = f"http://127.0.0.1:{jira.server.server_port}"
    environment = dict(os.environ, JIRA_BASE_URL=address, JIRA_API=str(api), JIRA_TOKEN="t0ken")
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        environment.pop(name, None)

    def plan(*more, stories=f"{feature}/stories.json", code=0):
        arguments = [reqgate, "plan", feature, "--stories", stories, "--export", "jira=PAY", *more]
        ran = subprocess.run(arguments, env=environment, capture_output=True, text=True)
        assert ran.returncode == code, (ran.returncode, ran.stdout, ran.stderr)
        return ran.stdout + ran.stderr

    dry = plan()
    assert dry.count("would open") == 3 and jira.issues == [], dry
    # A field that the project requires is named, and nothing is made.
    jira.faults = [400]
    refused = plan("--yes", code=3)
    assert "`customfield_10011` (Epic Name is required)" in refused and jira.issues == [], refused
    # A run is killed while the answer to its second issue is on its way; the index knows none of them yet.
    jira.delay = 0.6
    killed = subprocess.Popen([reqgate, "plan", feature, "--stories", f"{feature}/stories.json", "--export", "jira=PAY", "--yes"],
                              env=environment, stdout=subprocess.DEVNULL)
    while len(jira.issues) < 2:
        time.sleep(0.02)
    killed.kill()
    killed.wait()
    jira.delay, jira.lag = 0.0, 2
    jira.faults = [429]
    plan("--yes")
    assert len(jira.issues) == 3, jira.issues
    links = [len(issue["fields"]["issuelinks"]) for issue in jira.issues]
    assert links == [2, 1, 1], links
    jira.lag = 0
    again = plan("--yes")
    assert again.count("unchanged") == 3 and len(jira.issues) == 3, again

    fields = jira.issues[1]["fields"]
    if api == 2:
        fields["description"] = "Ask Bo first.\r\n\r\n" + fields["description"]
    else:
        fields["description"]["content"].insert(0, {"type": "paragraph", "content": [{"type": "text", "text": "Ask Bo first."}]})
    assert plan("--yes").count("unchanged") == 3
    written = json.loads(pathlib.Path(feature, "stories.json").read_text())
    written["stories"][1]["complexity"] = 8
    pathlib.Path("changed.json").write_text(json.dumps(written))
    changed = plan("--yes", stories="changed.json")
    assert changed.count("updating") == 1 and changed.count("unchanged") == 2, changed
    said = json.dumps(fields["description"])
    assert "Ask Bo first." in said and "8" in said, said
    assert plan("--yes", stories="changed.json").count("unchanged") == 3 and len(jira.issues) == 3
    jira.server.shutdown()


for api in (3, 2):
    check(api)
print("the fake Jira has each story once on Cloud and on Server, with the words of a person kept")
