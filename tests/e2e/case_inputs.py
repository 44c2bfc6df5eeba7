"""Every input of the action, given through act and seen to matter."""
import yaml

from base import BLOCKED, READY, READY_TITLE, VAGUE, VAGUE_TITLE, VAGUE_TOO, Case
from world import ACTION

DISPATCH = """
name: by hand
on: {workflow_dispatch: {}}
permissions: {}
jobs:
  gate:
    runs-on: ubuntu-latest
    permissions: {issues: write}
    steps:
      - uses: acme/reqgate@v1
        id: gate
        with: {}
"""
# Input: the case below, or another module's, that shows what it does.
SHOWN = {
    "token": "test_token", "comment-author": "test_comment_author", "mode": "test_mode_observe", "since": "test_since",
    "comment": "test_comment", "labels": "test_labels", "ready-label": "test_ready_label", "fail-on": "test_fail_on",
    "issue-number": "test_issue_number", "config": "test_config", "paths": "case_pull_requests",
    "changed-only": "test_changed_only", "max-issues": "case_audit", "sarif-file": "case_pull_requests",
    "report-file": "case_pull_requests", "version": "case_install", "binary": "case_install",
    "prd": "test_prd", "plan-file": "test_prd",
}


class Inputs(Case):
    def test_no_input_is_without_a_case(self):
        with open(f"{ACTION}/action.yml") as file:
            self.assertEqual(set(yaml.safe_load(file)["inputs"]), set(SHOWN))

    def test_mode_observe_writes_nothing(self):
        number, run = self.world.open(VAGUE_TITLE, VAGUE, inputs={"mode": "observe"})
        self.verdict(run, "blocked", comment_action="none")
        self.assertEqual((self.world.comments(number), self.world.labels(number)), ([], set()))
        self.assertTrue(all(request.line.startswith("GET") for request in run.requests))

    def test_since_in_the_future_only_observes(self):
        number, run = self.world.open(VAGUE_TITLE, VAGUE, inputs={"since": "2999-01-01"})
        self.verdict(run, "blocked", comment_action="none")
        self.assertEqual(self.world.labels(number), set())
        number, run = self.world.open(VAGUE_TITLE, VAGUE, inputs={"since": "2001-01-01"})
        self.verdict(run, "blocked", comment_action="created")

    def test_comment_always_and_never(self):
        number, run = self.world.open(READY_TITLE, READY, inputs={"comment": "always"})
        self.verdict(run, "pass", comment_action="created")
        number, run = self.world.open(VAGUE_TITLE, VAGUE, inputs={"comment": "never"})
        self.verdict(run, "blocked", comment_action="none")
        self.assertEqual(self.world.comments(number), [])

    def test_labels_false_leaves_labels_alone(self):
        number, run = self.world.open(VAGUE_TITLE, VAGUE, inputs={"labels": "false"})
        self.verdict(run, "blocked", comment_action="created")
        self.assertEqual(self.world.labels(number), set())

    def test_ready_label_marks_a_pass(self):
        number, run = self.world.open(READY_TITLE, READY, inputs={"ready-label": "true"})
        self.verdict(run, "pass")
        self.assertEqual(self.world.labels(number), {"reqgate:ready"})

    def test_fail_on_blocker_turns_an_issue_run_red_after_it_has_spoken(self):
        number, run = self.world.open(VAGUE_TITLE, VAGUE, inputs={"fail-on": "blocker"})
        self.assertEqual((run.outputs["verdict"], run.outputs["exit-code"], run.code), ("blocked", "1", 1), run.log)
        self.the_comment(number)
        self.assertIn(BLOCKED, self.world.labels(number))

    def test_comment_author_and_token_of_somebody_else(self):
        inputs = {"token": "ghp_maint", "comment-author": "maint"}
        number, run = self.world.open(VAGUE_TITLE, VAGUE, inputs=inputs)
        self.verdict(run, "blocked", comment_action="created")
        run = self.world.edit(number, body=VAGUE_TOO, how={"inputs": inputs})
        self.verdict(run, "blocked", comment_action="updated")
        self.assertEqual([c["user"]["login"] for c in self.world.comments(number)], ["maint"])
        self.assertNotIn("ghp_maint", run.log)

    def test_issue_number_names_the_issue_of_a_run_by_hand(self):
        number, _ = self.world.open(VAGUE_TITLE, VAGUE, inputs={"mode": "observe"})
        payload = {"inputs": {}, "repository": {"full_name": "maint/shop"}, "sender": {"login": "maint", "type": "User"}}
        run, = self.world.run("workflow_dispatch", payload, workflow=DISPATCH, inputs={"issue-number": str(number)})
        self.verdict(run, "blocked", comment_action="created")

    def test_config_is_obeyed(self):
        config = self.world.folder / "strict.yaml"
        config.write_text("version: 1\nthresholds:\n  feature: 100\n  bug: 100\n")
        number, run = self.world.open(READY_TITLE, READY, inputs={"config": str(config)})
        self.verdict(run, "blocked")

    def test_changed_only_false_lets_old_findings_block(self):
        from case_pull_requests import READY_PRD, VAGUE_PRD, PullRequests
        helper = PullRequests()
        helper.world, helper.most_requests = self.world, 0
        base, change = {"docs/prd/a.md": VAGUE_PRD}, {"docs/prd/a.md": VAGUE_PRD + "\nOne more line that changes nothing.\n"}
        self.verdict(helper.judged(base, change), "pass")
        self.assertEqual(helper.judged(base, change, inputs={"changed-only": "false"}).outputs["verdict"], "blocked")
        self.assertTrue(READY_PRD)

    def test_prd_names_its_job_and_plan_needs_its_file(self):
        sender = {"sender": {"login": "maint", "type": "User"}}
        for inputs, words in (({"prd": "write"}, "write plan or apply"), ({"prd": "plan"}, "needs `plan-file`"),
                              ({"prd": "apply", "plan-file": "no-such-plan.json"}, "no-such-plan.json")):
            run, = self.world.run("workflow_dispatch", sender, workflow=DISPATCH, inputs=inputs)
            self.assertIn(words, run.log)
            self.assertTrue(all(request.line.startswith("GET") for request in run.requests), run.requests)

    def test_wrong_value_names_the_input_and_fails_before_any_request(self):
        for name, value in (("mode", "enforced"), ("comment", "sometimes"), ("fail-on", "maybe"), ("since", "yesterday"),
                            ("labels", "some"), ("issue-number", "seven")):
            run = self.world.run("workflow_dispatch", {"sender": {"login": "maint", "type": "User"}}, workflow=DISPATCH,
                                 inputs={name: value})[0]
            self.assertEqual((run.outputs["exit-code"], run.requests), ("2", []), run.log)
            self.assertIn(value, run.log)
