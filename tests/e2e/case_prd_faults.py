"""PRDs when several runs, people and failures come together: one pull request, one comment, nothing lost and nothing twice."""
import contextlib
import threading
import time

from front import Fault
from prd import COMMENT, Prd

# The writes of a first run, in their order.
FIRST = [r"POST .*/git/trees$", r"POST .*/git/commits$", r"POST .*/git/refs$", r"POST .*/pulls$", r"POST .*/comments$", r"POST .*/check-runs$"]


class Faults(Prd):
    def fault(self, *arguments, **named):
        self.world.front.faults.append(Fault(*arguments, **named))

    def ran_at_once(self, numbers):
        """Two runs for each issue, all at the same time; no pull request is made before all have looked for one."""
        looked = threading.Barrier(2 * len(numbers))

        def wait():
            with contextlib.suppress(threading.BrokenBarrierError):
                looked.wait(60)

        self.fault(FIRST[3], first=wait, times=2 * len(numbers))
        processes = [self.begun(number) for number in numbers for _ in range(2)]
        logs = [self.ended(process) for process in processes]
        self.assertEqual([process.returncode for process in processes], [0] * len(processes), logs)
        self.world.front.faults.clear()

    def killed_at(self, number, match):
        """A run that is killed where its request of this kind has come in and nothing of it was done."""
        before = len(self.world.front.requests)
        fault = Fault(match, 500, delay=2)
        self.world.front.faults.append(fault)
        process = self.begun(number)
        end = time.monotonic() + 60
        while fault.times and process.poll() is None and time.monotonic() < end:
            time.sleep(0.02)
        process.kill()
        log = self.ended(process)
        self.assertEqual((fault.times, process.returncode), (0, -9), log)
        self.world.front.faults.clear()
        return self.world.front.requests[before:]

    def test_two_runs_at_once_make_one_pull_request_five_times_of_five(self):
        numbers = [self.issue() for _ in range(5)]
        self.ran_at_once(numbers)
        for number in numbers:
            self.whole(number)
            self.assertEqual(len(self.commits(number)), 1)
        self.review(numbers[0], "APPROVE")
        self.ran_at_once(numbers[:1])
        self.whole(numbers[0], 1)
        self.assertEqual(len(self.commits(numbers[0])), 2)

    def test_run_that_is_killed_is_completed_by_the_next_one(self):
        number = self.issue()
        # The last four: between the commit and the branch, the branch and the pull request, that and the comment, that and the check run.
        for match in FIRST:
            self.killed_at(number, match)
        pushed, pull = self.head(number), self.pull(number)
        self.apply(number, "waits for brief_review")
        self.whole(number)
        self.assertEqual((self.head(number), self.pull(number)), (pushed, pull))
        self.assertEqual(self.conclusions(pushed), ["action_required"])

    def test_webhooks_twice_and_in_reverse_order_change_nothing(self):
        number = self.issue()
        label = {"action": "labeled", "label": {"name": "prd"}, "issue": {"number": number}}
        self.apply(number, "waits for brief_review", payload=label)
        pull, first = self.pull(number), self.head(number)
        talk = self.say(pull, "Looks good.", "mallory")
        review = self.review(number, "APPROVE")
        comment = {"action": "created", "comment": talk, "issue": {"number": pull, "pull_request": {"url": "x"}}}
        submitted = {"action": "submitted", "review": review, "pull_request": {"number": pull, "head": {"ref": f"reqgate/prd-{number}"}}}
        # The review first, then what was before it; the schedule finds nothing left to do.
        told = [("pull_request_review", submitted), ("issue_comment", comment), ("issues", label), ("pull_request_review", submitted),
                ("schedule", {}), ("workflow_dispatch", {"inputs": {"issue": str(number)}})]
        writes = [len(self.apply(number, "waits for requirements_review", event=event, payload=payload).writes) for event, payload in told]
        self.assertGreater(writes[0], 0)
        self.assertEqual(writes[1:], [0] * 5)
        self.whole(number, 1)
        self.assertEqual([commit["sha"] for commit in self.commits(number)][1:], [first])

    def test_answer_that_is_lost_on_the_way_is_not_carried_out_twice(self):
        number = self.issue()
        for match in FIRST:
            self.fault(match, 502, {"message": "Server Error"}, landed=True)
        self.apply(number, "waits for brief_review")
        self.whole(number)
        self.assertEqual(len(self.commits(number)), 1)
        self.review(number, "APPROVE")
        for match in (r"PATCH .*/git/refs/", r"PATCH .*/issues/comments/"):
            self.fault(match, 502, {"message": "Server Error"}, landed=True)
        self.apply(number, "waits for requirements_review")
        self.whole(number, 1)

    def test_writes_that_fail_and_limits_are_tried_again(self):
        number = self.issue()
        limit = {"message": "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."}
        self.fault(FIRST[0], 429, limit, {"Retry-After": "1"})
        for match in FIRST[1:]:
            self.fault(match, 502, {"message": "Server Error"})
        self.apply(number, "waits for brief_review")
        self.whole(number)
        tries = [request.at for request in self.world.front.requests[self.before:] if request.line.endswith("/git/trees")]
        self.assertGreaterEqual(tries[1] - tries[0], 1.0)

    def test_commit_that_a_person_pushes_meanwhile_is_not_lost(self):
        number = self.issue()
        self.apply(number, "waits for brief_review")
        first = self.head(number)
        brief, = [path for path in self.texts(number) if path.endswith("/feature-brief.md")]
        text = self.texts(number)[brief].replace("monthly statement", "yearly statement")
        self.review(number, "APPROVE")
        pushed = []
        self.fault(r"PATCH .*/git/refs/", first=lambda: pushed.append(self.commit(number, brief, text)))
        # The approval was about another text than that which is there now.
        self.apply(number, "waits for brief_review")
        commits = [commit["sha"] for commit in self.commits(number)]
        self.assertEqual((len(commits), commits[1:]), (3, [*pushed, first]))
        self.assertIn("yearly statement", self.texts(number)[brief])
        self.whole(number)

    def test_marker_written_by_somebody_else_is_left_alone(self):
        number = self.issue()
        self.killed_at(number, FIRST[4])
        forged = f"{COMMENT}999 -->\n### The PRD is approved\n"
        self.say(self.pull(number), forged, "mallory")
        self.apply(number, "waits for brief_review")
        self.assertIn("Review the feature brief", self.comment(number))
        theirs, _ = self.ask("GET", f"/issues/{self.pull(number)}/comments")
        self.assertEqual((theirs["user"]["login"], theirs["body"]), ("mallory", forged))

    def test_where_pull_requests_are_forbidden_a_comment_has_document_and_link(self):
        number = self.issue()
        refusal = {"message": "GitHub Actions is not permitted to create or approve pull requests."}
        self.fault(FIRST[3], 403, refusal, times=9)
        self.apply(number, "not permitted to create", code=3)
        text = self.comment(number)
        self.assertIn(f"/compare/main...reqgate/prd-{number}?expand=1", text)
        self.assertIn("# Feature brief", text)
        # A person opens it; from then on everything is as usual.
        self.world.front.faults.clear()
        self.ask("POST", "/pulls", {"title": "PRD", "head": f"reqgate/prd-{number}", "base": "main"})
        self.apply(number, "waits for brief_review")
        self.assertIn("Review the feature brief", self.comment(number))

    def test_repository_without_a_commit_is_said_plainly(self):
        self.fault(r"GET .*/git/ref/", 409, {"message": "Git Repository is empty.", "status": "409"}, times=9)
        self.apply(self.issue(), "the repository has no commit yet", code=2)

    def test_token_without_a_permission_is_refused_and_said_so(self):
        # The refusals are the emulator's own: it holds a token to its permissions.
        number, granted = self.issue(), {"contents": "write", "pull_requests": "write", "issues": "write", "checks": "write"}
        without = {lacking: self.world.token({**granted, lacking: "read"}) for lacking in ("contents", "pull_requests", "checks")}
        for lacking, words in (("contents", "contents: write"), ("pull_requests", "pull-requests: write"), ("checks", "Review the feature brief")):
            self.apply(number, "not allowed", code=3, REQGATE_TOKEN=without[lacking])
            self.assertIn(words, self.comment(number))
        # Below the base path of Enterprise Server everything is the same.
        ran = self.apply(number, "waits for brief_review", GITHUB_API_URL=f"{self.world.api}/api/v3")
        self.assertTrue(all(request.enterprise for request in ran.requests))
        self.whole(number)
