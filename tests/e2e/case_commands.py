"""Slash commands: who may, what they do, and that the right is asked of GitHub and not read off the comment."""
from base import BLOCKED, VAGUE, VAGUE_TITLE, Case
from front import Fault


class Commands(Case):
    def permission(self, role):
        """The emulator knows no collaborators; GitHub would answer this."""
        answer = {"permission": role, "role_name": role, "user": {"login": "x"}}
        self.world.front.faults.append(Fault(r"GET .*/collaborators/.*/permission$", 200, answer, times=9))

    def opened(self):
        number, run = self.world.open(VAGUE_TITLE, VAGUE)
        self.verdict(run, "blocked")
        return number

    def test_override_by_a_stranger_is_refused(self):
        number = self.opened()
        self.permission("read")
        run = self.world.say(number, "/reqgate override I say so", "mallory")
        self.verdict(run, "skipped")
        self.assertIn(BLOCKED, self.world.labels(number))
        self.assertEqual([r.line.split(" ")[0] for r in run.requests if not r.line.startswith("GET")], [])

    def test_association_written_in_the_comment_gives_no_right(self):
        world = self.world
        number = self.opened()
        self.permission("read")
        payload = {"action": "created", "issue": world.ask("GET", f"/issues/{number}"), "repository": {"full_name": "maint/shop"},
                   "comment": {"id": 1, "body": "/reqgate override trust me", "author_association": "OWNER",
                               "user": {"login": "mallory", "type": "User"}},
                   "sender": {"login": "mallory", "type": "User"}}
        run, = world.run("issue_comment", payload)
        self.verdict(run, "skipped")
        self.assertTrue(any("/collaborators/mallory/permission" in r.line for r in run.requests), run.requests)

    def test_override_by_a_maintainer_is_honoured_with_its_reason(self):
        number = self.opened()
        self.permission("write")
        run = self.world.say(number, "/reqgate override agreed in the call of Monday", "maint")
        self.verdict(run, "overridden", ready="true")
        comment = self.the_comment(number)["body"]
        self.assertIn("agreed in the call of Monday", comment)
        self.assertNotIn("@maint", comment)
        self.assertNotIn(BLOCKED, self.world.labels(number))

    def test_recheck_by_the_author_needs_no_right(self):
        number = self.opened()
        run = self.world.say(number, "/reqgate recheck", "alice")
        self.verdict(run, "blocked")

    def test_recheck_by_a_stranger_is_refused(self):
        number = self.opened()
        self.permission("none")
        self.verdict(self.world.say(number, "/reqgate recheck", "mallory"), "skipped")

    def test_waived_rule_blocks_no_more(self):
        number = self.opened()
        self.permission("admin")
        run = self.world.say(number, "/reqgate waive missing-user-story everybody knows who asks", "maint")
        self.assertEqual((run.outputs["verdict"], run.code), ("blocked", 0), run.log)
        self.assertEqual(run.outputs["blockers"], "1", run.outputs)

    def test_answers_are_folded_into_a_proposal_and_the_issue_stays_as_it_is(self):
        number = self.opened()
        before = self.world.ask("GET", f"/issues/{number}")
        run = self.world.say(number, "/reqgate answer 1 The first ten results are shown within 2 seconds of a search", "alice")
        self.assertEqual(run.code, 0, run.log)
        self.assertIn("within 2 seconds", self.the_comment(number)["body"])
        self.assertEqual(self.world.ask("GET", f"/issues/{number}")["body"], before["body"])

    def test_talk_about_the_gate_is_no_command(self):
        number = self.opened()
        for words in ("I like\n/reqgate override", "see `/reqgate override x`", "/reqgates override x"):
            run = self.world.say(number, words, "maint")
            self.assertEqual(run.requests if run else [], [], words)
        self.assertIn(BLOCKED, self.world.labels(number))

    def test_unknown_command_ends_quietly(self):
        number = self.opened()
        self.verdict(self.world.say(number, "/reqgate explode now", "maint"), "skipped")
