"""The way from the label to the approved PRD, by the very workflow that the documentation tells people to paste."""
import yaml

from case_model import Host
from prd import KEY, PERSON, SECRET, Prd, documented


def stated(text, quote, number):
    return {"text": text, "source": {"source": f"issue-{number}.md", "line": 3, "quote": quote}}


def results(number):
    """What the model writes for each order."""
    brief = {"title": "Monthly statement as PDF", "language": "en",
             "problem": [stated("The tax office needs the statement.", "send it to the tax office", number)],
             "goals": [stated("Accountants export the statement of a month.", "export the monthly statement as a PDF", number)],
             "users": [stated("Accountants", "As an accountant", number)],
             "flows": None, "success_measures": None, "constraints": None, "out_of_scope": None, "open_questions": None}
    update = {**brief, "out_of_scope": [{"text": "Months that are still open.", "source": {
        "source": "feedback", "line": 1, "quote": "closed months only"}}]}
    requirement = {"id": "FR-001", "title": "Export", "description": "A PDF of the month downloads within 3 seconds.", "priority": "high",
                   "category": "Functional", "acceptance_criteria": ["A PDF downloads within 3 seconds."],
                   "sources": [{"source": f"issue-{number}.md", "line": 7, "quote": "then a PDF downloads within 3 seconds"}]}
    empty = {"id": "FR-002", "title": "Empty month", "description": "A month without bookings is not exported.", "priority": "high",
             "category": "Functional",
             "acceptance_criteria": ["Given a month without bookings, when the accountant clicks Export, then the message \"Nothing to export\" is shown."],
             "sources": [{"source": f"issue-{number}.md", "line": 8, "quote": "then the message \"Nothing to export\" is shown"}]}
    return {"prd_brief_v1": brief, "prd_brief_update_v1": update, "prd_gaps_v1": {"gaps": []}, "prd_conflicts_v1": {"conflicts": []},
            "prd_requirements_v1": {"functionalRequirements": [requirement, empty], "summary": "two", "gapsAddressed": []}}


class Walk(Prd):
    def happens(self, event, action, number, method, path, body, who, workflow=None):
        """Something that a person does on GitHub, and the jobs of the workflow that its webhook starts."""
        while not self.world.webhooks.empty():
            self.world.webhooks.get()
        self.ask(method, path, body, who)
        return self.started(*self.world.awaited((event, action, number)), workflow)

    def started(self, event, payload, workflow=None):
        env = {"REQGATE_POLICY": None, "REQGATE_BASE_URL": f"http://{self.host.name}/v1"}
        workflow = workflow or documented()
        return self.world.run(event, payload, workflow=workflow, repository=self.checkout, env=env, secrets={"OPENAI_API_KEY": KEY})

    def stands(self, runs, waits_for):
        """Both jobs ran with success, the reader wrote nothing, and the writer says what it waits for."""
        self.assertEqual([run.code for run in runs], [0, 0], [run.log for run in runs])
        reader, writer = runs
        self.assertEqual({request.line.split(" ")[0] for request in reader.requests}, {"GET"})
        self.assertIn(f"waits for {waits_for}", writer.log)

    def reviewed(self, number, event, words, who):
        pull = self.pull(number)
        review = {"event": event, "body": words, "commit_id": self.head(number)}
        return self.happens("pull_request_review", "submitted", pull, "POST", f"/pulls/{pull}/reviews", review, who)

    def test_label_leads_to_an_approved_prd(self):
        number = self.issue(label=False)
        self.host = Host(results(number))
        runs = self.happens("issues", "labeled", number, "POST", f"/issues/{number}/labels", {"labels": ["prd"]}, "maint")
        self.stands(runs, "brief_review")
        # One branch, one pull request, one comment; document and log in one commit.
        commit, = self.commits(number)
        self.assertIn("Reqgate-Log: " + self.events(number)[-1]["hash"], commit["message"])
        self.whole(number)
        files = self.texts(number)
        brief, = [path for path in files if path.endswith("/feature-brief.md")]
        self.assertIn("Accountants export the statement of a month.", files[brief])
        self.assertEqual(self.conclusions(commit["sha"]), ["action_required"])

        runs = self.reviewed(number, "REQUEST_CHANGES", "It is for closed months only.", "carol")
        self.stands(runs, "brief_review")
        self.assertIn("Months that are still open.", self.texts(number)[brief])
        # A comment that is no command starts nothing.
        pull = self.pull(number)
        words = {"body": "Looks good to me!"}
        runs = self.happens("issue_comment", "created", pull, "POST", f"/issues/{pull}/comments", words, "mallory")
        self.assertEqual([run.did_run for run in runs], [False])

        self.stands(self.reviewed(number, "APPROVE", "", "maint"), "requirements_review")
        words = {"body": f"/reqgate approve {self.question(number)}"}
        runs = self.happens("issue_comment", "created", pull, "POST", f"/issues/{pull}/comments", words, "carol")
        self.stands(runs, "gap_decision")
        self.stands(self.reviewed(number, "APPROVE", "", "maint"), "prd_review")
        self.stands(self.reviewed(number, "APPROVE", "", "carol"), "nothing")

        self.whole(number, 5)
        self.assertEqual(self.answers(number), [
            ("carol", "github:review"), ("maint", "github:review"), ("carol", "github:comment"), ("maint", "github:review"),
            ("carol", "github:review")])
        commits = self.commits(number)
        self.assertEqual(len(commits), 6)
        self.assertEqual([self.conclusions(commit["sha"]) for commit in commits], [["success"]] + 5 * [["action_required"]])
        files = self.texts(number)
        self.assertEqual({path.rsplit("/", 1)[1] for path in files if path.startswith("docs/prd/")},
                         {"feature-brief.md", "requirements.md", "prd.md", "prd.json"})
        self.assertIn("within 3 seconds", files[brief.replace("feature-brief", "prd")])
        # The model was asked once for each draft, with its key and without what is masked; nobody else saw any of it.
        self.assertEqual(len(self.host.seen), 5, [path for path, _, _ in self.host.seen])
        for _, key, body in self.host.seen:
            self.assertEqual(key, f"Bearer {KEY}")
            self.assertFalse(any(secret in body for secret in (PERSON, SECRET, KEY)), body)
        for text in [*files.values(), *self.comments(number), *(commit["message"] for commit in commits)]:
            self.assertFalse(any(secret in text for secret in (PERSON, SECRET, KEY)), text)
        # The schedule has no sender, and finds nothing left to do.
        runs = self.started("schedule", {"schedule": "23 * * * *", "repository": {"default_branch": "main"}})
        self.stands(runs, "nothing")
        self.assertEqual({request.line.split(" ")[0] for request in runs[1].requests}, {"GET"})
        # The default branch is as it was.
        self.assertEqual(len(self.ask("GET", "/commits?sha=main")), 1)

    def test_without_a_model_the_writer_is_enough(self):
        # As the documentation says: delete the job `plan`, `needs`, the download and `plan-file`.
        workflow = yaml.safe_load(documented())
        del workflow["jobs"]["plan"], workflow["jobs"]["apply"]["needs"]
        steps = workflow["jobs"]["apply"]["steps"]
        steps[:] = [step for step in steps if not step["uses"].startswith("actions/download-artifact@")]
        del steps[-1]["with"]["plan-file"]
        number = self.issue(label=False)
        self.host = Host()
        path, label, workflow = f"/issues/{number}/labels", {"labels": ["prd"]}, yaml.safe_dump(workflow)
        run, = self.happens("issues", "labeled", number, "POST", path, label, "maint", workflow)
        self.assertEqual(run.code, 0, run.log)
        self.assertIn("waits for brief_review", run.log)
        self.whole(number)
        self.assertEqual(self.host.seen, [])
