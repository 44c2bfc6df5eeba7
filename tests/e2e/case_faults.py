"""What GitHub may answer instead of yes: limits, failures, refusals, and two runs at once."""
from base import READY, READY_TITLE, VAGUE, VAGUE_TITLE, VAGUE_TOO, BLOCKED, Case
from front import Fault
from world import counted

COMMENT = r"POST .*/comments$"


class Faults(Case):
    def fault(self, *arguments, **named):
        self.world.front.faults.append(Fault(*arguments, **named))

    def test_429_is_waited_for_as_long_as_retry_after_says(self):
        self.fault(COMMENT, 429, {"message": "You have exceeded a secondary rate limit"}, {"Retry-After": "2"})
        self.most_requests = 7
        number, run = self.world.open(VAGUE_TITLE, VAGUE)
        self.verdict(run, "blocked", comment_action="created")
        self.the_comment(number)
        tries = [request.at for request in run.requests if request.line.startswith("POST") and "comments" in request.line]
        self.assertGreaterEqual(tries[1] - tries[0], 2.0)

    def test_403_of_the_primary_limit_is_waited_for(self):
        import time
        self.fault(r"GET .*/issues/\d+$", 403, {"message": "API rate limit exceeded"},
                   {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(int(time.time()) + 2)})
        self.most_requests = 7
        number, run = self.world.open(VAGUE_TITLE, VAGUE)
        self.verdict(run, "blocked", comment_action="created")

    def test_limit_longer_than_the_budget_is_given_up(self):
        self.fault(COMMENT, 429, {"message": "limit"}, {"Retry-After": "3600"}, times=5)
        number, run = self.world.open(VAGUE_TITLE, VAGUE)
        self.verdict(run, "blocked", comment_action="failed")
        self.assertLess(run.seconds, 60)

    def test_502_after_the_comment_landed_makes_no_second_one(self):
        self.fault(COMMENT, 502, {"message": "Server Error"}, landed=True)
        self.most_requests = 7
        number, run = self.world.open(VAGUE_TITLE, VAGUE)
        self.assertEqual((run.outputs["verdict"], run.code), ("blocked", 0), run.log)
        self.the_comment(number)
        run = self.world.edit(number, body=VAGUE_TOO)
        self.verdict(run, "blocked", comment_action="updated")
        self.the_comment(number)

    def test_502_before_the_comment_landed_ends_with_one_comment_after_the_next_edit(self):
        self.fault(COMMENT, 502, {"message": "Server Error"})
        self.most_requests = 7
        number, run = self.world.open(VAGUE_TITLE, VAGUE)
        self.assertEqual((run.outputs["verdict"], run.code), ("blocked", 0), run.log)
        self.world.edit(number, body=VAGUE_TOO)
        self.the_comment(number)

    def test_502_on_a_read_is_tried_again(self):
        self.fault(r"GET .*/issues/\d+$", 502, {"message": "Server Error"})
        self.most_requests = 7
        number, run = self.world.open(VAGUE_TITLE, VAGUE)
        self.verdict(run, "blocked", comment_action="created")

    def test_403_leaves_the_job_green_and_names_the_permission(self):
        self.fault(r"POST .*", 403, {"message": "Resource not accessible by integration"},
                   {"x-accepted-github-permissions": "issues=write"}, times=9)
        number, run = self.world.open(VAGUE_TITLE, VAGUE)
        self.verdict(run, "blocked", comment_action="failed")
        self.assertIn("issues=write", run.log)

    def test_token_without_the_right_to_write_leaves_the_job_green(self):
        # Here the refusal is the emulator's own: it holds a token to its permissions.
        number, run = self.world.open(VAGUE_TITLE, VAGUE, token=self.world.token({"issues": "read"}))
        self.verdict(run, "blocked", comment_action="failed")
        self.assertEqual(self.world.own(number), [])

    def test_bad_token_says_so(self):
        number, run = self.world.open(VAGUE_TITLE, VAGUE, token="nonsense-" + "x" * 20)
        self.assertNotEqual(run.code, 0)
        self.assertEqual((run.outputs["verdict"], run.outputs["exit-code"]), ("error", "3"), run.log)

    def test_410_of_a_deleted_issue_is_skipped(self):
        self.fault(r"GET .*/issues/\d+$", 410, {"message": "This issue was deleted"})
        number, run = self.world.open(VAGUE_TITLE, VAGUE)
        self.verdict(run, "skipped")
        self.assertEqual(self.world.own(number), [])

    def test_transferred_issue_is_skipped_and_not_followed(self):
        self.fault(r"GET .*/issues/\d+$", 301, {"message": "Moved Permanently", "url": "http://127.0.0.1:9/x"},
                   {"Location": "http://127.0.0.1:9/repositories/7/issues/1"})
        number, run = self.world.open(VAGUE_TITLE, VAGUE)
        self.verdict(run, "skipped")
        self.assertEqual(len(run.requests), 1)

    def test_locked_issue_is_judged_and_not_commented(self):
        self.fault(COMMENT, 403, {"message": "Unable to create comment because issue is locked."}, times=3)
        number, run = self.world.open(VAGUE_TITLE, VAGUE)
        self.verdict(run, "blocked", comment_action="failed")
        self.assertEqual(self.world.own(number), [])

    def test_issues_that_are_switched_off_are_said_plainly(self):
        self.fault(r"GET .*/issues/\d+$", 404, {"message": "Not Found"})
        number, run = self.world.open(VAGUE_TITLE, VAGUE)
        self.verdict(run, "skipped")

    def test_label_that_went_meanwhile_is_no_error(self):
        world = self.world
        number, _ = world.open(VAGUE_TITLE, VAGUE)
        self.fault(r"DELETE .*/labels/", 404, {"message": "Label does not exist"})
        run = world.edit(number, title=READY_TITLE, body=READY)
        self.verdict(run, "pass", comment_action="updated")

    def test_two_runs_at_once_leave_one_comment_five_times_of_five(self):
        world = self.world
        left = []
        for _ in range(5):
            number = world.ask("POST", "/issues", {"title": VAGUE_TITLE, "body": VAGUE})["number"]
            payload = {"action": "opened", "issue": world.ask("GET", f"/issues/{number}"),
                       "repository": {"full_name": "maint/shop"}, "sender": {"login": "alice", "type": "User"}}
            token = world.token({"issues": "write"})
            # Both have looked and seen nothing before either comment lands.
            world.front.faults[:] = [Fault(COMMENT, delay=0.6, times=2)]
            before = len(world.front.requests)
            processes = [world.command("issues", payload, token=token) for _ in range(2)]
            logs = [process.communicate(timeout=90)[0] for process in processes]
            self.assertEqual([process.returncode for process in processes], [0, 0], logs)
            kinds = counted(world.front.requests[before:])
            self.assertEqual(kinds["POST /repos/maint/shop/issues/N/comments"], 2, kinds)
            left.append(len(world.own(number)))
        self.assertEqual(left, [1] * 5)


class Enterprise(Case):
    def test_life_of_an_issue_below_the_base_path_of_enterprise_server(self):
        world, api = self.world, {"api": f"{self.world.api}/api/v3"}
        number, run = world.open(VAGUE_TITLE, VAGUE, **api)
        self.verdict(run, "blocked", comment_action="created")
        self.assertTrue(run.requests and all(request.enterprise for request in run.requests))
        run = world.edit(number, title=READY_TITLE, body=READY, how=api)
        self.verdict(run, "pass", comment_action="updated")
        self.assertNotIn(BLOCKED, world.labels(number))

    def test_plain_http_to_another_machine_is_refused(self):
        number, run = self.world.open(VAGUE_TITLE, VAGUE, api="http://ghe.invalid/api/v3")
        self.assertEqual((run.outputs["verdict"], run.outputs["exit-code"]), ("error", "2"), run.log)
        self.assertEqual(run.requests, [])
