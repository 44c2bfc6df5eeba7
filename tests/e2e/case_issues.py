"""Issues: one comment that stays true, reqgate's own labels, and nothing when there is nothing to say."""
import os
import pathlib
import unittest

from base import (BLOCKED, INJECTION, MARKER, OVERRIDE, READY, READY_TITLE, RECHECK, VAGUE, VAGUE_TITLE, VAGUE_TOO, Case)
from front import Fault


class Issues(Case):
    def test_life_of_an_issue_from_a_rejection_to_a_pass(self):
        world = self.world
        number, run = world.open(VAGUE_TITLE, VAGUE)
        self.verdict(run, "blocked", ready="false", comment_action="created")
        comment = self.the_comment(number)
        self.assertEqual(comment["user"]["type"], "Bot")
        self.assertTrue(comment["body"].startswith(MARKER), comment["body"])
        self.assertEqual(run.outputs["comment-id"], str(comment["id"]))
        self.assertIn(BLOCKED, world.labels(number))
        world.label(number, "design")

        run = world.edit(number, body=VAGUE_TOO)
        self.verdict(run, "blocked", comment_action="updated", comment_id=str(comment["id"]))
        self.the_comment(number)

        run = world.edit(number, title=READY_TITLE, body=READY)
        self.verdict(run, "pass", ready="true", blockers="0", comment_action="updated", comment_id=str(comment["id"]))
        self.assertEqual(world.labels(number), {"design"})
        self.assertIn("Ready", self.the_comment(number)["body"])

    def test_ready_issue_hears_nothing(self):
        number, run = self.world.open(READY_TITLE, READY)
        self.verdict(run, "pass", comment_action="none")
        self.assertEqual((self.world.comments(number), self.world.labels(number)), ([], set()))

    def test_unchanged_comment_is_not_written_again(self):
        number, run = self.world.open(VAGUE_TITLE, VAGUE)
        before = self.the_comment(number)
        # GitHub tells of an edit that put the same words back; the emulator does not.
        run, = self.world.run("issues", {"action": "edited", "sender": {"login": "alice", "type": "User"},
                                         "repository": {"full_name": "maint/shop"}, "changes": {"body": {"from": VAGUE}},
                                         "issue": self.world.ask("GET", f"/issues/{number}")})
        self.verdict(run, "blocked", comment_action="unchanged")
        self.assertEqual(self.the_comment(number)["updated_at"], before["updated_at"])
        self.assertEqual([r.line for r in run.requests if not r.line.startswith("GET")], [])

    def test_marker_written_by_somebody_else_later_is_left_alone(self):
        world = self.world
        number, _ = world.open(VAGUE_TITLE, VAGUE)
        marker = self.the_comment(number)["body"].splitlines()[0]
        world.say(number, f"{marker}\nnot the bot", "mallory")
        world.edit(number, body=VAGUE_TOO)
        self.assertEqual([c["body"] for c in world.comments(number) if c["user"]["login"] == "mallory"], [f"{marker}\nnot the bot"])
        self.the_comment(number)

    def test_marker_written_by_somebody_else_first_is_left_alone(self):
        world = self.world
        other, _ = world.open(VAGUE_TITLE, VAGUE)
        marker = self.the_comment(other)["body"].splitlines()[0]
        number, _ = world.open(READY_TITLE, READY)
        world.say(number, f"{marker}\nmine", "mallory")
        run = world.edit(number, title=VAGUE_TITLE, body=VAGUE)
        self.verdict(run, "blocked", comment_action="created")
        self.assertEqual([c["body"] for c in world.comments(number) if c["user"]["login"] == "mallory"], [f"{marker}\nmine"])
        self.the_comment(number)

    def test_comment_on_the_second_page_is_found(self):
        world = self.world
        number, _ = world.open(READY_TITLE, READY)
        for index in range(105):
            world.ask("POST", f"/issues/{number}/comments", {"body": f"talk {index}"})
        run = world.edit(number, title=VAGUE_TITLE, body=VAGUE)
        self.verdict(run, "blocked", comment_action="created")
        run = world.edit(number, body=VAGUE_TOO)
        self.verdict(run, "blocked", comment_action="updated")
        self.the_comment(number)

    def test_override_by_label_is_honoured_and_names_the_person(self):
        world = self.world
        number, _ = world.open(VAGUE_TITLE, VAGUE)
        # The emulator lists no events of an issue; their shape is that of GitHub's description.
        labelled = [{"event": "labeled", "label": {"name": OVERRIDE, "color": "ededed"}, "actor": {"login": "maint"}}]
        world.front.faults.append(Fault(r"GET .*/issues/\d+/events\?", 200, labelled, times=9))
        run = world.label(number, OVERRIDE)
        self.verdict(run, "overridden", ready="true")
        self.assertIn("maint", self.the_comment(number)["body"])
        self.assertNotIn("@maint", self.the_comment(number)["body"])
        self.assertNotIn(BLOCKED, world.labels(number))
        world.ask("DELETE", f"/issues/{number}/labels/{OVERRIDE}", who="maint")
        self.verdict(world.deliver(until=("issues", "unlabeled", number))[-1], "blocked")
        self.assertIn(BLOCKED, world.labels(number))

    def test_override_by_label_takes_write_access(self):
        world = self.world
        number, _ = world.open(VAGUE_TITLE, VAGUE)
        answer = {"permission": "read", "role_name": "triage", "user": {"login": "maint"}}
        world.front.faults.append(Fault(r"GET .*/collaborators/.*/permission$", 200, answer, times=9))
        run = world.label(number, OVERRIDE)
        self.verdict(run, "skipped", ready="false")
        self.assertIn(BLOCKED, world.labels(number))
        run = world.edit(number, body=VAGUE_TOO)
        self.verdict(run, "blocked", ready="false")

    def test_recheck_by_label_judges_again_and_takes_the_label_away(self):
        world = self.world
        number, _ = world.open(VAGUE_TITLE, VAGUE)
        run = world.label(number, RECHECK)
        self.verdict(run, "blocked")
        self.assertNotIn(RECHECK, world.labels(number))

    def test_foreign_label_costs_no_request(self):
        number, _ = self.world.open(VAGUE_TITLE, VAGUE)
        run = self.world.label(number, "help wanted")
        self.verdict(run, "skipped")
        self.assertEqual(run.requests, [])

    def test_label_set_by_a_bot_overrides_nothing(self):
        world = self.world
        number, _ = world.open(VAGUE_TITLE, VAGUE)
        payload = {"action": "labeled", "label": {"name": OVERRIDE}, "repository": {"full_name": "maint/shop"},
                   "issue": world.ask("GET", f"/issues/{number}"), "sender": {"login": "helper[bot]", "type": "Bot"}}
        process = world.command("issues", payload, token=world.token({"issues": "write"}))
        log, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, log)
        from world import outputs_of
        self.assertEqual(outputs_of(process).get("verdict"), "skipped", log)

    def test_events_of_bots_start_no_job(self):
        world = self.world
        number, _ = world.open(READY_TITLE, READY)
        payload = {"action": "edited", "repository": {"full_name": "maint/shop"}, "issue": world.ask("GET", f"/issues/{number}"),
                   "sender": {"login": "helper[bot]", "type": "Bot"}, "changes": {"body": {"from": "x"}}}
        run, = world.run("issues", payload)
        self.assertEqual((run.outputs, run.requests, run.code), ({}, [], 0))

    def test_title_and_body_run_nothing_and_command_nothing(self):
        trap = pathlib.Path(f"/tmp/reqgate-e2e-trap-{os.getpid()}")
        title = f'a search that is fast"; touch {trap}; echo "$(touch {trap})`touch {trap}` ${{{{ github.token }}}}'
        body = ("::set-output name=verdict::pass\n::add-mask::a\n::error::boo\n::stop-commands::x\n"
                f"$(touch {trap}) ${{{{ github.token }}}} @everyone #1 <img src=x onerror=alert(1)> </details> "
                "The search should be fast and it should work well.\nverdict=pass\n```\nfence\n")
        number, run = self.world.open(title, body)
        self.assertFalse(trap.exists())
        self.assertEqual((run.outputs["verdict"], run.code), ("blocked", 0), run.log)
        self.assertNotIn("::stop-commands::x\n", run.log)
        comment = self.the_comment(number)["body"]
        for wild in ("<img", "@everyone", f"touch {trap}`"):
            self.assertNotIn(wild, comment.split("<details", 1)[0])

    def test_echoed_words_bring_no_markup(self):
        body = "The search @everyone of <img src=x> #1 [see](http://evil.test/a) should be fast. Please improve it soon."
        number, run = self.world.open("Make the product search fast", body)
        self.verdict(run, "blocked")
        shown = self.the_comment(number)["body"].split("<details", 1)[0]
        self.assertIn("everyone", shown, "the words are echoed, or this case shows nothing")
        for wild in ("@everyone", "<img", " #1 ", "[see](", "http://"):
            self.assertNotIn(wild, shown)

    def test_guardrail_rejection_quotes_nothing(self):
        number, run = self.world.open("Export of the orders of a day", INJECTION)
        self.assertEqual((run.outputs["verdict"], run.code), ("rejected", 0), run.log)
        comment = self.the_comment(number)["body"]
        for words in ("Ignore all previous", "reply only with"):
            self.assertNotIn(words, comment)
            self.assertNotIn(words, run.log)

    def test_personal_data_and_secrets_go_nowhere(self):
        canaries = {"jane.roe@nordwind-reisen.de", "4111 1111 1111 1111", "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"}
        self.world.canaries |= canaries
        body = f"{VAGUE} Ask {' or use '.join(sorted(canaries))} if it should be fast."
        number, run = self.world.open("Search for jane.roe@nordwind-reisen.de should be fast", body)
        self.assertIn(run.outputs["verdict"], ("blocked", "rejected"), run.log)
        for comment in self.world.own(number):
            for canary in canaries:
                self.assertNotIn(canary, comment["body"])
        for value in run.outputs.values():
            self.assertFalse(any(canary in value for canary in canaries))

    def test_closed_issue_is_left_alone(self):
        world = self.world
        number, _ = world.open(READY_TITLE, READY)
        world.ask("PATCH", f"/issues/{number}", {"state": "closed"})
        run = world.edit(number, body=VAGUE)
        self.verdict(run, "skipped")
        self.assertEqual(world.own(number), [])

    def test_reopened_issue_is_judged(self):
        world = self.world
        number, _ = world.open(VAGUE_TITLE, VAGUE)
        world.ask("PATCH", f"/issues/{number}", {"state": "closed"})
        world.ask("PATCH", f"/issues/{number}", {"state": "open"})
        runs = world.deliver(until=("issues", "reopened", number))
        self.verdict(runs[-1], "blocked")

    def test_pull_request_among_the_issues_is_left_alone(self):
        world = self.world
        number, _ = world.open(READY_TITLE, READY)
        issue = {**world.ask("GET", f"/issues/{number}"), "pull_request": {"url": "https://api.github.com/repos/maint/shop/pulls/1"}}
        run, = world.run("issues", {"action": "edited", "issue": issue, "repository": {"full_name": "maint/shop"},
                                    "changes": {"body": {"from": ""}}, "sender": {"login": "alice", "type": "User"}})
        self.verdict(run, "skipped")
        self.assertEqual(world.own(number), [])

    def test_very_long_issue_ends_in_a_comment_that_github_takes(self):
        body = VAGUE + "\n\n" + "\n".join(f"- The page {i} should be fast and easy, etc." for i in range(1300))
        number, run = self.world.open(VAGUE_TITLE, body)
        self.assertIn(run.outputs["verdict"], ("blocked", "rejected"), run.log)
        self.assertEqual(run.outputs["comment-action"], "created", run.log)
        self.assertLessEqual(len(self.the_comment(number)["body"]), 65_536)

    def test_older_run_does_not_overwrite_a_newer_verdict(self):
        world = self.world
        number, _ = world.open(VAGUE_TITLE, VAGUE)
        old = world.ask("GET", f"/issues/{number}")
        world.edit(number, title=READY_TITLE, body=READY)
        good = self.the_comment(number)["body"]
        # The run of the first event comes last and meets an answer from before the edit.
        from front import Fault
        world.front.faults.append(Fault(rf"GET /repos/maint/shop/issues/{number}$", change=lambda _: old))
        world.run("issues", {"action": "opened", "issue": old, "repository": {"full_name": "maint/shop"},
                             "sender": {"login": "alice", "type": "User"}})
        self.assertEqual(self.the_comment(number)["body"], good)


if __name__ == "__main__":
    unittest.main()
