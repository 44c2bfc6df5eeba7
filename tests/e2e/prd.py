"""What the cases about PRDs share: the documented workflow, a private repository, and what GitHub has in the end."""
import base64
import json
import pathlib
import re
import urllib.error
from dataclasses import dataclass

import yaml

from base import Case
from world import ACTION, BOT

REPO = "plans"
TITLE = "Export the monthly statement as PDF"
# Whoever reads it in a request, a log, a commit or a comment has found a leak.
PERSON, SECRET = "jane.roe@example-clinic.org", "ghp_0123456789abcdefghijABCDEFGHIJ012345"
BODY = f"""As an accountant I want to export the monthly statement as a PDF, so that I can send it to the tax office. Ask {PERSON}, with {SECRET}.

## Acceptance criteria

- Given a month with bookings, when I click Export, then a PDF downloads within 3 seconds.
- Given a month without bookings, when I click Export, then the message "Nothing to export" is shown.
- The file name is statement-YYYY-MM.pdf.
- With more than 5,000 bookings the export is refused and the message "Too many bookings" is shown.
"""
COMMENT = "<!-- reqgate:prd "
KEY = "sk-canary-of-the-model-77aa"
MOST_REQUESTS = 70


def documented():
    """The workflow that the documentation tells people to paste, with this action in place of the one to be pinned."""
    section = (pathlib.Path(ACTION) / "docs/github.md").read_text().split("## The PRD of an issue", 1)[1]
    return re.sub(r"OWNER/reqgate@0{40}", "acme/reqgate@v1", re.search(r"```yaml\n(.*?)```", section, re.DOTALL)[1])


@dataclass
class Ran:
    """A run of the binary alone."""
    code: int
    log: str
    requests: list

    @property
    def writes(self):
        return [request.line for request in self.requests if not request.line.startswith("GET ")]


class Prd(Case):
    """Cases in a private repository: maint owns it, carol may write, alice and mallory may read."""
    checkout = None
    tokens = {}

    def setUp(self):
        super().setUp()
        self.most_requests = MOST_REQUESTS
        self.before, self.logs, self.issues = len(self.world.front.requests), [], []
        self.world.canaries |= {PERSON, SECRET, KEY}
        if Prd.checkout is None:
            Prd.checkout = self.world.repository("plans", REPO)
            (Prd.checkout / "README.md").write_text("# plans\n")
            self.world.git(Prd.checkout, "add", "-A")
            self.world.git(Prd.checkout, "commit", "--quiet", "-m", "Initial commit")
            self.world.hook(REPO)
            for who, permission in (("carol", "push"), ("alice", "pull"), ("mallory", "pull")):
                self.may(who, permission)

    def tearDown(self):
        super().tearDown()
        for number in self.issues:
            self.ask("PATCH", f"/issues/{number}", {"state": "closed"})
        secrets = {PERSON, SECRET, KEY, *self.tokens.values()}
        for request in self.world.front.requests[self.before:]:
            for secret in secrets:
                self.assertNotIn(secret, request.line + request.body)
            self.assertEqual(request.headers.get("x-github-api-version"), "2022-11-28", request.line)
        for log in self.logs:
            self.assertNotIn("panicked", log)
            for secret in secrets:
                self.assertNotIn(secret, log)

    # -- people ---------------------------------------------------------------------------------------------------------

    def ask(self, method, path, body=None, who="maint"):
        return self.world.ask(method, path, body, who, REPO)

    def may(self, who, permission):
        self.ask("PUT", f"/collaborators/{who}", {"permission": permission})

    def issue(self, body=BODY, label=True):
        number = self.ask("POST", "/issues", {"title": TITLE, "body": body}, "alice")["number"]
        self.issues.append(number)
        if label:
            self.ask("POST", f"/issues/{number}/labels", {"labels": ["prd"]})
        return number

    def review(self, number, event, commit=None, words="", who="carol"):
        review = {"event": event, "body": words, "commit_id": commit or self.head(number)}
        return self.ask("POST", f"/pulls/{self.pull(number)}/reviews", review, who)

    def say(self, number, words, who="carol"):
        return self.ask("POST", f"/issues/{number}/comments", {"body": words}, who)

    def commit(self, number, path, text, who="carol"):
        """A commit of a person to the branch of an issue."""
        content = base64.b64encode(text.encode()).decode()
        change = {"message": "Edit", "content": content, "branch": f"reqgate/prd-{number}"}
        entries = self.ask("GET", f"/git/trees/{self.head(number)}?recursive=1")["tree"]
        change |= {"sha": entry["sha"] for entry in entries if entry["path"] == path}
        return self.ask("PUT", f"/contents/{path}", change, who)["commit"]["sha"]

    # -- what GitHub has ------------------------------------------------------------------------------------------------

    def head(self, number):
        try:
            return self.ask("GET", f"/git/ref/heads/reqgate/prd-{number}")["object"]["sha"]
        except urllib.error.HTTPError:
            return None

    def commits(self, number):
        """Those of the branch that the default branch does not have, the latest first."""
        found, sha, main = [], self.head(number), self.ask("GET", "/git/ref/heads/main")["object"]["sha"]
        while sha != main:
            commit = self.ask("GET", f"/git/commits/{sha}")
            self.assertEqual(len(commit["parents"]), 1, commit)
            found.append(commit)
            sha = commit["parents"][0]["sha"]
        return found

    def files(self, number, commit=None):
        entries = self.ask("GET", f"/git/trees/{commit or self.head(number)}?recursive=1")["tree"]
        return {entry["path"]: self.ask("GET", f"/git/blobs/{entry['sha']}")["content"]
                for entry in entries if entry["type"] == "blob" and entry["path"] != "README.md"}

    def texts(self, number, commit=None):
        return {path: base64.b64decode(content).decode() for path, content in self.files(number, commit).items()}

    def events(self, number, commit=None):
        log = self.texts(number, commit)[f".reqgate/threads/{number}.jsonl"]
        events = [json.loads(line) for line in log.splitlines()[1:]]
        self.assertEqual([event["seq"] for event in events], list(range(1, len(events) + 1)))
        return events

    def answers(self, number):
        """Who gave each answer of the log, and the way."""
        given = [event for event in self.events(number) if event["body"]["kind"] == "answered"]
        return [(event["actor"], event["body"]["channel"].rsplit(":", 1)[0]) for event in given]

    def pulls(self, number):
        return self.ask("GET", f"/pulls?state=all&head=maint:reqgate/prd-{number}")

    def pull(self, number):
        pull, = self.pulls(number)
        return pull["number"]

    def comments(self, number):
        """Our comments, of the issue and of its pull request."""
        places = [number, *(pull["number"] for pull in self.pulls(number))]
        found = [comment for place in places for comment in self.ask("GET", f"/issues/{place}/comments")]
        return [comment["body"] for comment in found if comment["user"]["login"] == BOT]

    def comment(self, number):
        """The one comment."""
        comments = self.comments(number)
        self.assertEqual(len(comments), 1, comments)
        comment, = comments
        self.assertTrue(comment.startswith(COMMENT), comment)
        return comment

    def question(self, number):
        """The name of the open question, as the comment has it."""
        return re.search(rf"/reqgate \w+ (maint-{REPO}-{number}\.\d+-[0-9a-f]{{16}})", self.comment(number))[1]

    def conclusions(self, commit):
        return [run["conclusion"] for run in self.ask("GET", f"/commits/{commit}/check-runs?filter=all")["check_runs"]]

    def whole(self, number, answers=0):
        """One pull request by the workflow, one comment, a log without a hole, each answer once."""
        pull, = self.pulls(number)
        self.assertEqual((pull["user"]["login"], pull["base"]["ref"], pull["title"]), (BOT, "main", f"PRD of issue {number}"))
        self.comment(number)
        self.assertEqual(len(self.answers(number)), answers, self.answers(number))

    # -- runs -----------------------------------------------------------------------------------------------------------

    def begun(self, number, event="issues", payload=None, **environment):
        """The writer's job without a model, as the documentation has it; the token has the permissions of that job."""
        payload = payload or {"action": "labeled", "label": {"name": "prd"}, "issue": {"number": number}}
        if "apply" not in self.tokens:
            permissions = yaml.safe_load(documented())["jobs"]["apply"]["permissions"]
            self.tokens["apply"] = self.world.token({key.replace("-", "_"): value for key, value in permissions.items()})
        environment = {"REQGATE_PRD": "apply", "GITHUB_REPOSITORY": f"maint/{REPO}", "REQGATE_POLICY": None} | environment
        return self.world.command(event, payload, token=self.tokens["apply"], env=environment)

    def ended(self, process):
        log, _ = process.communicate(timeout=120)
        self.logs.append(log)
        return log

    def apply(self, number, expected="", code=0, **how):
        before = len(self.world.front.requests)
        process = self.begun(number, **how)
        log = self.ended(process)
        self.assertEqual(process.returncode, code, log)
        self.assertIn(expected, log)
        return Ran(process.returncode, log, self.world.front.requests[before:])
