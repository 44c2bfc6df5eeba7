"""The audit of a backlog: few requests, none twice, nothing written."""
import json
import os
import subprocess

from base import READY, READY_TITLE, VAGUE, VAGUE_TITLE, Case
from front import Fault
from world import BINARY, CLEAN

SCHEDULE = """
name: audit
on: {schedule: [{cron: "17 6 * * 1"}], workflow_dispatch: {}}
permissions: {}
jobs:
  audit:
    runs-on: ubuntu-latest
    permissions: {issues: read}
    steps:
      - uses: acme/reqgate@v1
        id: gate
        with: {mode: observe, max-issues: "500"}
"""
ISSUES = 350


def page(request_line, issues):
    """One page of issues as GitHub would answer it: the emulator would take a minute to make so many."""
    number = int(request_line.split("&page=")[1].split("&")[0]) if "&page=" in request_line else 1
    return issues[(number - 1) * 100:number * 100], number


class Audit(Case):
    def setUp(self):
        super().setUp()
        self.most_requests = 10
        self.issues = [self.issue(number) for number in range(1, ISSUES + 1)]
        front = self.world.front
        self.served = front.forward
        front.forward = self.forward

    def tearDown(self):
        self.world.front.forward = self.served
        super().tearDown()

    def issue(self, number):
        is_ready = number % 5 == 0
        user = {"login": "alice", "id": 1, "type": "User"}
        return {"number": number, "id": number, "title": READY_TITLE if is_ready else VAGUE_TITLE, "body": READY if is_ready else VAGUE,
                "state": "open", "user": user, "labels": [], "comments": number % 7, "html_url": f"https://github.com/maint/shop/issues/{number}",
                "created_at": f"20{20 + number % 6}-03-01T08:00:00Z", "updated_at": f"20{20 + number % 6}-04-01T08:00:00Z",
                **({"pull_request": {"url": "https://api.github.com/repos/maint/shop/pulls/1"}} if number % 50 == 1 else {})}

    def forward(self, request, path, raw):
        """Asks the chain, so that the request is checked, and answers with the pages of a larger repository."""
        status, body, headers = self.served(request, path, raw)
        if not path.startswith("/repos/maint/shop/issues?"):
            return status, body, headers
        issues, number = page(path, self.issues)
        etag = f'"{hash(json.dumps(issues)) & 0xFFFFFFFF:x}"'
        if request.headers.get("if-none-match") == etag:
            return 304, b"", {"etag": etag}
        headers = {"etag": etag}
        if len(self.issues) > number * 100:
            rest = path.split("&page=")[0]
            headers["link"] = f'<{self.world.api}{rest}&page={number + 1}>; rel="next"'
        return 200, json.dumps(issues).encode(), headers

    def audit(self, *arguments):
        before = len(self.world.front.requests)
        environment = {**CLEAN, "GITHUB_API_URL": self.world.api, "REQGATE_TOKEN": self.world.token({"issues": "read"}),
                       "REQGATE_POLICY": "strict"}
        done = subprocess.run([BINARY, "audit", "--repo", "maint/shop", "--format", "json", *arguments], env=environment,
                              cwd=self.world.folder, capture_output=True, text=True, timeout=120)
        return done, self.world.front.requests[before:]

    def test_350_issues_take_four_requests_and_the_next_time_none_is_read_again(self):
        state = str(self.world.folder / "audit.state")
        done, requests = self.audit("--state", state, "--output", f"html={self.world.folder}/audit.html")
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads(done.stdout)
        self.assertEqual((report["totals"]["tickets"], report["totals"]["pull_requests"]), (343, 7))
        self.assertEqual(len(requests), 4)
        self.assertEqual(len(report["worst"]), 10)
        self.assertNotIn("<script", (self.world.folder / "audit.html").read_text())

        again, requests = self.audit("--state", state)
        self.assertEqual([request.status for request in requests], [304] * 4)
        self.assertEqual(json.loads(again.stdout), report)

        self.issues[120]["title"], self.issues[120]["body"] = READY_TITLE, READY
        changed, requests = self.audit("--state", state)
        self.assertEqual([request.status for request in requests], [304, 200, 304, 304])
        self.assertEqual(json.loads(changed.stdout)["totals"]["ready"], report["totals"]["ready"] + 1)

    def test_broken_audit_goes_on_where_it_was(self):
        state = str(self.world.folder / "broken.state")
        self.world.front.faults.append(Fault(r"GET .*page=3$", 404, {"message": "Not Found"}))
        self.world.front.faults[-1].match = r"^GET /repos/maint/shop/issues\?.*page=3$"
        done, requests = self.audit("--state", state)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("run it again", done.stderr)
        done, requests = self.audit("--state", state)
        self.assertEqual((done.returncode, len(requests)), (0, 2), done.stderr)
        self.assertEqual(json.loads(done.stdout)["totals"]["tickets"], 343)

    def test_no_more_issues_are_read_than_asked_for(self):
        done, requests = self.audit("--max-issues", "90")
        report = json.loads(done.stdout)
        self.assertEqual((report["totals"]["tickets"], report["is_cut"], len(requests)), (90, True, 1))

    def test_enforce_says_no_and_since_forgives(self):
        self.assertEqual(self.audit("--mode", "enforce")[0].returncode, 1)
        self.assertEqual(self.audit("--mode", "enforce", "--since", "2999-01-01")[0].returncode, 0)

    def test_weekly_audit_through_the_action_reads_only(self):
        payload = {"schedule": "17 6 * * 1", "repository": {"full_name": "maint/shop"}, "sender": {"login": "maint", "type": "User"}}
        report = self.world.folder / "weekly.html"
        run, = self.world.run("schedule", payload, workflow=SCHEDULE, inputs={"report-file": str(report)})
        self.assertEqual(run.code, 0, run.log)
        self.assertTrue(report.exists(), run.log)
        self.assertLessEqual(len(run.requests), 10)
        self.assertTrue(all(request.line.startswith("GET ") for request in run.requests))
        self.assertEqual(run.outputs["report-file"], str(report))
        self.assertTrue(os.path.getsize(report) > 1000)
