"""What counts as an answer about a PRD: by whom, about which text, and for how long."""
import json
import re
import time

from front import Fault
from prd import PERSON, SECRET, Prd
from world import HERE

UNREADY = "As a manager I want the dashboard to load faster so that I lose less time in the morning meeting. How fast is TBD."
# What crates/net/src/github reads of each answer about PRDs.
READ = {
    ("/repos/{owner}/{repo}", "200"): ["default_branch"],
    ("/repos/{owner}/{repo}/git/ref/{ref}", "200"): ["object.sha"],
    ("/repos/{owner}/{repo}/commits/{ref}", "200"): [
        "sha", "commit.message", "commit.tree.sha", "commit.committer.date", "author.login", "author.type"],
    ("/repos/{owner}/{repo}/git/trees/{tree_sha}", "200"): ["truncated", "tree.path", "tree.type", "tree.sha", "tree.mode"],
    ("/repos/{owner}/{repo}/git/blobs/{file_sha}", "200"): ["content"],
    ("/repos/{owner}/{repo}/git/trees", "201"): ["sha"],
    ("/repos/{owner}/{repo}/git/commits", "201"): ["sha"],
    ("/repos/{owner}/{repo}/pulls", "200"): ["number", "state", "merged_at", "html_url", "head.ref", "head.repo.full_name"],
    ("/repos/{owner}/{repo}/pulls", "201"): ["number", "state", "merged_at", "html_url", "head.ref", "head.repo.full_name"],
    ("/repos/{owner}/{repo}/pulls/{pull_number}", "200"): ["number", "state", "head.ref", "head.repo.full_name"],
    ("/repos/{owner}/{repo}/pulls/{pull_number}/reviews", "200"): [
        "id", "user.login", "user.type", "body", "state", "commit_id", "submitted_at"],
    ("/repos/{owner}/{repo}/issues/{issue_number}/events", "200"): [
        "dismissed_review.review_id", "dismissed_review.state", "dismissed_review.dismissal_commit_id"],
    ("/repos/{owner}/{repo}/commits/{ref}/check-runs", "200"): ["check_runs.id", "check_runs.external_id"],
    ("/repos/{owner}/{repo}/collaborators/{username}/permission", "200"): ["permission", "role_name"],
}


class Approvals(Prd):
    def waiting(self):
        """An issue whose brief waits for a review."""
        number = self.issue()
        self.apply(number, "waits for brief_review")
        return number

    def nothing_counts(self, number, why, **how):
        """A run leaves the branch as it is, and the comment says why."""
        before = self.head(number)
        ran = self.apply(number, "waits for brief_review", **how)
        self.assertEqual(self.head(number), before)
        self.assertIn(why, self.comment(number))
        return ran

    def test_review_counts_for_its_own_commit_only(self):
        number = self.waiting()
        first = self.head(number)
        self.review(number, "REQUEST_CHANGES", first, "It is for closed months only.")
        self.apply(number, "waits for brief_review")
        self.assertNotEqual(self.head(number), first)
        self.assertIn("closed months only", "".join(self.texts(number).values()))
        # Whatever the event says, GitHub has the review of the first commit only.
        self.review(number, "APPROVE", first, who="maint")
        said = {"id": 1, "state": "approved", "commit_id": self.head(number), "author_association": "OWNER", "user": {"login": "maint"}}
        payload = {"action": "submitted", "review": said, "pull_request": {"head": {"ref": f"reqgate/prd-{number}"}}}
        self.nothing_counts(number, "maint: the review is about another commit", event="pull_request_review", payload=payload)
        self.review(number, "APPROVE", who="maint")
        self.apply(number, "waits for requirements_review")
        self.whole(number, 2)

    def test_approval_takes_write_access_which_is_asked_of_github(self):
        number = self.waiting()
        command = f"/reqgate approve {self.question(number)}"
        self.say(self.pull(number), command, "mallory")
        # The author of the issue may answer questions and not approve.
        self.say(number, command, "alice")
        payload = {"action": "created", "issue": {"number": number},
                   "comment": {"body": command, "author_association": "OWNER", "user": {"login": "mallory", "type": "User"}}}
        ran = self.nothing_counts(number, "mallory: write access is needed", event="issue_comment", payload=payload)
        self.assertIn("alice: write access is needed", self.comment(number))
        self.assertTrue(any("/collaborators/mallory/permission" in request.line for request in ran.requests))
        # A name that is not the question's is no approval either, whoever says it.
        self.say(self.pull(number), command[:-16] + "0" * 16)
        self.nothing_counts(number, "carol: it names another text")
        self.say(self.pull(number), command)
        self.apply(number, "waits for requirements_review")
        self.assertEqual(self.answers(number), [("carol", "github:comment")])

    def test_permission_is_asked_again_in_each_run(self):
        number = self.waiting()
        self.addCleanup(self.may, "carol", "push")
        self.review(number, "APPROVE")
        self.may("carol", "pull")
        self.nothing_counts(number, "carol: write access is needed")
        self.may("carol", "push")
        self.apply(number, "waits for requirements_review")
        # An approval that was recorded holds as long as its author may write, or until somebody else confirms it.
        self.may("carol", "pull")
        before = self.head(number)
        self.apply(number, "stopped", code=1)
        self.assertEqual((self.head(number), self.conclusions(before)), (before, ["failure", "action_required"]))
        confirm = re.search(r"/reqgate confirm \S+?(?=`)", self.comment(number))[0]
        self.say(self.pull(number), confirm, "mallory")
        self.apply(number, "stopped", code=1)
        self.say(self.pull(number), confirm, "maint")
        self.apply(number, "waits for requirements_review")
        self.assertIn("the answer of carol, confirmed by maint", self.comment(number))

    def test_dismissed_approval_stops_the_thread_unless_a_push_dismissed_it(self):
        number = self.waiting()
        review = self.review(number, "APPROVE")
        self.apply(number, "waits for requirements_review")
        self.ask("PUT", f"/pulls/{self.pull(number)}/reviews/{review['id']}/dismissals", {"message": "Not yet.", "event": "DISMISS"})
        # The emulator has no such event; its shape is that of GitHub's description, as a case below checks.
        dismissed = {"state": "approved", "review_id": review["id"], "dismissal_message": "Not yet."}
        events = [{"event": "review_dismissed", "dismissed_review": dismissed}]
        self.world.front.faults += [Fault(r"GET .*/events\?", 200, events, landed=True, times=9)]
        self.apply(number, "stopped", code=1)
        dismissed["dismissal_commit_id"] = self.head(number)
        self.apply(number, "waits for requirements_review")

    def test_comment_that_was_edited_is_no_approval(self):
        number = self.waiting()
        comment = self.say(self.pull(number), "Fine.")
        time.sleep(1.1)
        self.ask("PATCH", f"/issues/comments/{comment['id']}", {"body": f"/reqgate approve {self.question(number)}"})
        self.nothing_counts(number, "carol: the comment was edited")

    def test_author_answers_questions_and_personal_data_goes_nowhere(self):
        number = self.issue(UNREADY)
        self.apply(number, "waits for clarification")
        answer = f"/reqgate answer {self.question(number)}\nq1: From 9 to 2 seconds, says {PERSON} with {SECRET}."
        self.say(number, answer, "alice")
        self.apply(number, "waits for brief_review")
        self.assertEqual(self.answers(number), [("alice", "github:comment")])
        texts = self.texts(number)
        self.assertIn("From 9 to 2 seconds", texts[f".reqgate/threads/{number}.jsonl"])
        for text in [*texts.values(), *self.comments(number), *(commit["message"] for commit in self.commits(number))]:
            self.assertFalse(PERSON in text or SECRET in text, text)

    def test_every_field_that_is_read_is_one_of_githubs(self):
        description = json.loads((HERE / "github-openapi.json").read_text())

        def schemas(value):
            """Every form that a value may have."""
            while "$ref" in value:
                _, _, kind, name = value["$ref"].split("/", 3)
                value = description["components"][kind][name]
            if value.get("type") == "array":
                return schemas(value["items"])
            several = [form for key in ("anyOf", "oneOf", "allOf") for form in value.get(key, [])]
            return [value, *(found for form in several for found in schemas(form))]

        for (path, status), fields in READ.items():
            operation = next(item for item in description["paths"][path].values() if isinstance(item, dict) and status in item["responses"])
            answer = operation["responses"][status]["content"]["application/json"]["schema"]
            for field in fields:
                forms = schemas(answer)
                for name in field.split("."):
                    inner = [form["properties"][name] for form in forms if name in form.get("properties", {})]
                    self.assertTrue(inner, f"{path}: {field}")
                    forms = [found for value in inner for found in schemas(value)]
