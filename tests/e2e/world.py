"""A GitHub on one machine: people write issues, webhooks start workflow runs, and act runs our own action.yml.

Nothing in the chain but the proxy in `front.py` and this file is ours: `emulate` keeps the state, `prism` checks each request against
GitHub's description, `act` reads action.yml and runs its steps.
"""
import collections
import contextlib
import http.server
import json
import os
import pathlib
import queue
import re
import shutil
import socket
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field

import yaml

from front import Front

TOOLS = pathlib.Path(os.environ["E2E_TOOLS"])
ACTION = os.environ["E2E_ACTION"]               # a fresh clone of this repository
BINARY = os.environ["E2E_BINARY"]
ACT = str(TOOLS / "venv/bin/act")
MODULES = TOOLS / "node_modules"
HERE = pathlib.Path(__file__).resolve().parent
BOT = "github-actions[bot]"
OWN_PREFIX = "<!-- reqgate:comment:"
# Without its own environment a run would see the machine's.
CLEAN = {key: os.environ[key] for key in ("PATH", "LANG") if key in os.environ}

ISSUES_WORKFLOW = """
name: reqgate
on:
  issues:
    types: [opened, edited, reopened, labeled, unlabeled]
permissions: {}
jobs:
  gate:
    if: github.event.sender.type != 'Bot'
    runs-on: ubuntu-latest
    permissions: {issues: write}
    steps:
      - uses: acme/reqgate@v1
        id: gate
        with: {}
"""
COMMAND_WORKFLOW = """
name: reqgate (commands)
on:
  issue_comment:
    types: [created]
permissions: {}
jobs:
  command:
    if: >-
      github.event.sender.type != 'Bot' && !github.event.issue.pull_request &&
      startsWith(github.event.comment.body, '/reqgate ')
    runs-on: ubuntu-latest
    permissions: {issues: write}
    steps:
      - uses: acme/reqgate@v1
        id: gate
        with: {}
"""


def free_port():
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return sock.getsockname()[1]


def told(env):
    """What a run is told beside the event: by the letter, so that the cases know what blocks; `REQGATE_POLICY: None` takes the default."""
    return {key: value for key, value in {"REQGATE_POLICY": "strict", **(env or {})}.items() if value is not None}


@dataclass
class Run:
    """One job of a workflow run."""
    workflow: str
    event: str
    code: int
    log: str
    seconds: float
    token: str
    requests: list
    outputs: dict = field(default_factory=dict)

    @property
    def did_run(self):
        """False if the job's own `if:` said no."""
        return "Run Main" in self.log


class World:
    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="reqgate-e2e-"))
        self.processes, self.runs, self.canaries = [], [], set()
        self.webhooks = queue.Queue()
        self.known = {}
        self.emulate_port, self.prism_port, front_port = free_port(), free_port(), free_port()
        self.emulate = f"http://127.0.0.1:{self.emulate_port}"
        key = self.folder / "app.pem"
        subprocess.run(["node", HERE / "token.mjs", "key", key], check=True)
        self.key = key
        seed = yaml.safe_load((HERE / "seed.yaml").read_text())
        seed["github"]["apps"][0]["private_key"] = key.read_text()
        (self.folder / "seed.yaml").write_text(yaml.safe_dump(seed))
        self.start("emulate", [MODULES / "emulate/dist/index.js", "--service", "github",
                               "--port", str(self.emulate_port), "--seed", self.folder / "seed.yaml"])
        self.start("prism", [MODULES / "@stoplight/prism-cli/dist/index.js", "proxy", HERE / "github-openapi.json",
                             self.emulate, "-p", str(self.prism_port), "-h", "127.0.0.1"])
        self.front = Front(front_port, self.prism_port, self.emulate_port)
        self.api = f"http://127.0.0.1:{front_port}"
        self.wait_for(f"{self.emulate}/rate_limit")
        self.wait_for(f"http://127.0.0.1:{self.prism_port}/rate_limit")
        self.hooks = self.listen()
        self.hook("shop")
        self.shop = self.repository("shop")
        # act copies the whole action three times in each job: with a binary at hand it needs no more than this.
        self.action = self.folder / "action"
        shutil.copytree(f"{ACTION}/action", self.action / "action")
        for name in ("action.yml", "Cargo.toml"):
            shutil.copy(f"{ACTION}/{name}", self.action)

    # -- the parts ------------------------------------------------------------------------------------------------------

    def start(self, name, command):
        with open(self.folder / f"{name}.log", "w") as log:
            self.processes.append(subprocess.Popen(["node", *map(str, command)], stdout=log, stderr=log, env=CLEAN))

    def wait_for(self, address):
        end = time.monotonic() + 90
        while time.monotonic() < end:
            try:
                urllib.request.urlopen(address, timeout=5)
                return
            except urllib.error.HTTPError:
                return
            except OSError:
                time.sleep(0.05)
        raise TimeoutError(address)

    def listen(self):
        world = self

        class Hook(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                self.send_response(202)
                self.end_headers()
                event = self.headers.get("x-github-event")
                if event != "ping":
                    world.webhooks.put((event, json.loads(body)))

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hook)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}/"

    def hook(self, repo):
        config = {"url": self.hooks, "content_type": "json"}
        hook = {"name": "web", "active": True, "events": ["issues", "issue_comment", "pull_request_review"], "config": config}
        self.ask("POST", "/hooks", hook, "maint", repo)

    def repository(self, folder, name="shop"):
        """A repository of a user of reqgate: workflows and nothing else."""
        folder = self.folder / folder
        (folder / ".github/workflows").mkdir(parents=True)
        self.git(folder, "init", "--quiet", "--initial-branch=main")
        self.git(folder, "remote", "add", "origin", f"https://github.com/maint/{name}")
        return folder

    def git(self, folder, *arguments):
        who = ["-c", "user.name=maint", "-c", "user.email=maint@example.invalid", "-c", "commit.gpgsign=false"]
        return subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout

    def stop(self):
        seconds = sorted(run.seconds for run in self.runs)
        if seconds:
            print(f"{len(seconds)} workflow runs, median {seconds[len(seconds) // 2]:.1f} s, slowest {seconds[-1]:.1f} s; "
                  f"{len(self.front.requests)} requests to the API, none that GitHub's description does not allow, "
                  "unless a case above says so")
        for process in self.processes:
            process.terminate()
            process.wait(10)
        if not os.environ.get("E2E_KEEP"):
            shutil.rmtree(self.folder, ignore_errors=True)

    # -- people ---------------------------------------------------------------------------------------------------------

    def ask(self, method, path, body=None, who="alice", repo="shop"):
        """A request by a person, past the proxy."""
        address = f"{self.emulate}/repos/maint/{repo}{path}"
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer ghp_{who}", "Content-Type": "application/json"}
        request = urllib.request.Request(address, data=data, method=method, headers=headers)
        with urllib.request.urlopen(request, timeout=30) as reply:
            raw = reply.read()
        return json.loads(raw) if raw else None

    def write(self, method, path, body, who="alice", **how):
        """A write by a person, and the workflow runs that its webhook starts."""
        while not self.webhooks.empty():
            self.webhooks.get()
        reply = self.ask(method, path, body, who)
        number = int(path.split("/")[2]) if path.count("/") > 1 else reply["number"]
        kinds = {"/comments": ("issue_comment", "created"), "/labels": ("issues", "labeled")}
        until = next((kind for end, kind in kinds.items() if path.endswith(end)), None)
        until = until or ("issues", "opened" if method == "POST" else "edited")
        return reply, self.deliver(until=(*until, number), **how)

    def open(self, title, body, who="alice", **how):
        issue, runs = self.write("POST", "/issues", {"title": title, "body": body}, who, **how)
        return issue["number"], runs[-1] if runs else None

    def edit(self, number, who="alice", *, how=None, **fields):
        _, runs = self.write("PATCH", f"/issues/{number}", fields, who, **(how or {}))
        return runs[-1] if runs else None

    def say(self, number, words, who="alice", **how):
        _, runs = self.write("POST", f"/issues/{number}/comments", {"body": words}, who, **how)
        return runs[-1] if runs else None

    def label(self, number, name, who="maint", **how):
        _, runs = self.write("POST", f"/issues/{number}/labels", {"labels": [name]}, who, **how)
        return runs[-1] if runs else None

    def comments(self, number):
        found, page = [], 1
        while True:
            more = self.ask("GET", f"/issues/{number}/comments?per_page=100&page={page}")
            found += more
            page += 1
            if len(more) < 100:
                return found

    def own(self, number):
        """The comments of the workflow."""
        return [comment for comment in self.comments(number) if comment["user"]["login"] == BOT]

    def labels(self, number):
        return {label["name"] for label in self.ask("GET", f"/issues/{number}/labels")}

    # -- workflow runs --------------------------------------------------------------------------------------------------

    def deliver(self, *, until, **how):
        """Takes webhooks up to the one awaited and runs the workflows that it starts, as GitHub would."""
        return self.run(*self.awaited(until), **how)

    def awaited(self, until, wait=10.0):
        """Event and payload of the webhook of this event, action and number."""
        end = time.monotonic() + wait
        while True:
            event, payload = self.webhooks.get(timeout=max(0.01, end - time.monotonic()))
            payload = self.as_github_sends(event, payload)
            number = (payload.get("issue") or payload.get("pull_request") or {}).get("number")
            # What the workflow's own token did starts no run.
            if payload["sender"]["login"] != BOT and (event, payload.get("action"), number) == until:
                return event, payload

    def as_github_sends(self, event, payload):
        """The emulator tells that something changed, GitHub what it was before."""
        if event == "issues" and isinstance(payload.get("changes"), dict):
            before = self.known.get(payload["issue"]["number"], {})
            changed = {key for key, value in payload["changes"].items() if value}
            payload["changes"] = {key: {"from": before.get(key, "")} for key in changed}
        if "issue" in payload:
            issue = payload["issue"]
            self.known[issue["number"]] = {key: issue.get(key) or "" for key in ("title", "body")}
            # It does not tell that an issue is a pull request either.
            with contextlib.suppress(urllib.error.HTTPError):
                pull = self.ask("GET", f"/pulls/{issue['number']}", who="maint", repo=payload["repository"]["name"])
                issue["pull_request"] = {key: pull[key] for key in ("url", "html_url", "diff_url", "patch_url")}
        return payload

    def run(self, event, payload, *, workflow=None, **how):
        """Runs the workflow in `workflow`, or the shipped ones, if its triggers fit the event: one run for each job."""
        runs = []
        texts = [workflow] if workflow else [ISSUES_WORKFLOW, COMMAND_WORKFLOW]
        for text in texts:
            parsed = yaml.safe_load(text)
            triggers = parsed.get("on", parsed.get(True))
            if event not in triggers:
                continue
            types = triggers[event].get("types") if isinstance(triggers[event], dict) else None
            # act does not look at types.
            if types and payload.get("action") not in types:
                continue
            runs += self.jobs(event, payload, parsed, **how)
        return runs

    def jobs(self, event, payload, workflow, **how):
        """Runs each job by itself, so that each has a token of its own; one that needs another only if that has succeeded."""
        # act ignores it, and does not know all of it.
        workflow.pop("concurrency", None)
        runs = {}
        artifacts = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        for name, job in workflow["jobs"].items():
            needs = job.pop("needs", [])
            if all(before in runs and runs[before].did_run and runs[before].code == 0
                   for before in ([needs] if isinstance(needs, str) else needs)):
                runs[name] = self.act(event, payload, {**workflow, "jobs": {name: job}}, artifacts=artifacts, **how)
        shutil.rmtree(artifacts)
        return list(runs.values())

    def token(self, permissions):
        made = subprocess.run(["node", HERE / "token.mjs", "token", self.key, self.emulate, json.dumps(permissions)],
                              check=True, capture_output=True, text=True)
        return made.stdout.strip()

    def act(self, event, payload, workflow, *, artifacts, inputs=None, api=None, token=None, repository=None, env=None, secrets=None):
        folder = repository or self.shop
        name, job = next(iter(workflow["jobs"].items()))
        permissions = {key.replace("-", "_"): value for key, value in (job.get("permissions") or {}).items()}
        if token is None:
            token = self.token(permissions)
        local = {f"acme/reqgate@v1={self.action}"}
        for step in job["steps"]:
            if match := re.match(r"actions/([\w-]+)@\w+", step.get("uses", "")):
                local.add(f"{match[0]}={HERE / 'actions' / match[1]}")
            if step.get("uses", "").startswith("acme/reqgate@"):
                step["with"] = {"binary": BINARY, **(step.get("with") or {}), **(inputs or {})}
                step["with"] = {key: value for key, value in step["with"].items() if value is not None}
        number = len(self.runs)
        home = self.folder / f"run-{number}"
        home.mkdir()
        if True in workflow:
            workflow["on"] = workflow.pop(True)
        (home / "workflow.yml").write_text(yaml.safe_dump(workflow, allow_unicode=True))
        (home / "event.json").write_text(json.dumps(payload))
        before = len(self.front.requests)
        started = time.monotonic()
        command = [ACT, event, "-e", home / "event.json", "-W", home / "workflow.yml", "-P", "ubuntu-latest=-self-hosted",
                   "--no-cache-server", "--rm", "--action-cache-path", home / "actions",
                   "--actor", payload.get("sender", {}).get("login", "maint"), "-s", f"GITHUB_TOKEN={token}",
                   "--env", f"GITHUB_API_URL={api or self.api}", "--env", f"E2E_ARTIFACTS={artifacts}", "--env", f"E2E_CHECKOUT={folder}"]
        for place in sorted(local):
            command += ["--local-repository", place]
        for key, value in (secrets or {}).items():
            command += ["-s", f"{key}={value}"]
        for key, value in told(env).items():
            command += ["--env", f"{key}={value}"]
        environment = {**CLEAN, "HOME": str(home), "XDG_CACHE_HOME": str(home / "cache")}
        done = subprocess.run(list(map(str, command)), cwd=folder, env=environment, capture_output=True, text=True, timeout=600)
        log = done.stdout + done.stderr
        outputs = {}
        for line in log.splitlines():
            if "::set-output:: " in line:
                key, _, value = line.split("::set-output:: ", 1)[1].partition("=")
                outputs[key] = value
        outputs.pop("bin", None)
        run = Run(name, f"{event}.{payload.get('action')}", done.returncode, log, time.monotonic() - started, token,
                  self.front.requests[before:], outputs)
        self.runs.append(run)
        shutil.rmtree(home, ignore_errors=True)
        return run

    def command(self, event, payload, *, env=None, api=None, token=None, binary=None):
        """Runs `reqgate github` by itself, for what needs neither act nor its time. Gives the process."""
        home = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        (home / "event.json").write_text(payload if isinstance(payload, str) else json.dumps(payload))
        environment = {**CLEAN, "HOME": str(home), "GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": event,
                       "GITHUB_EVENT_PATH": str(home / "event.json"), "GITHUB_REPOSITORY": "maint/shop",
                       "GITHUB_API_URL": api or self.api, "GITHUB_SERVER_URL": "https://github.com",
                       "GITHUB_OUTPUT": str(home / "output"), "GITHUB_STEP_SUMMARY": str(home / "summary"),
                       "GITHUB_WORKSPACE": str(home), "REQGATE_TOKEN": token or "", **told(env)}
        process = subprocess.Popen([binary or BINARY, "github"], cwd=home, env=environment, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        process.home = home
        return process

    # -- what must never happen -----------------------------------------------------------------------------------------

    def leaks(self):
        """Every place where a token or something personal was seen that must not be there."""
        found = []
        for run in self.runs:
            for secret in {run.token, *self.canaries} - {""}:
                if secret in run.log:
                    found.append(f"{secret!r} in the log of {run.event}")
                for request in run.requests:
                    if secret in request.body or secret in request.line:
                        found.append(f"{secret!r} in {request.line}")
        return found


def outputs_of(process):
    """Name and value of each output that a run of the binary alone has written."""
    path = process.home / "output"
    text = path.read_text() if path.exists() else ""
    found, lines = {}, iter(text.splitlines())
    for line in lines:
        if match := re.fullmatch(r"([\w-]+)<<(\S+)", line):
            value = []
            for inner in lines:
                if inner == match[2]:
                    break
                value.append(inner)
            found[match[1]] = "\n".join(value)
        elif "=" in line:
            key, _, value = line.partition("=")
            found[key] = value
    return found


def counted(requests):
    """How many requests of each kind."""
    return collections.Counter(re.sub(r"\d+", "N", request.line.split("?")[0]) for request in requests)
