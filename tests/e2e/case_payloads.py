"""The payloads that GitHub publishes as examples: each is read, and the decision is the right one."""
import concurrent.futures
import json
import re

from base import BLOCKED, OVERRIDE, RECHECK, Case
from world import MODULES, outputs_of

OWN_LABELS = {BLOCKED, OVERRIDE, RECHECK, "reqgate:ready"}


def decision(event, payload):
    """What reqgate should do, told apart from how it does it: `ask` GitHub, read `files`, or `skip`."""
    action = payload.get("action")
    if event in ("push", "workflow_dispatch", "repository_dispatch", "merge_group", "schedule"):
        return "files"
    if event == "pull_request":
        return "files" if action in ("opened", "edited", "reopened", "synchronize", "ready_for_review") else "skip"
    if event not in ("issues", "issue_comment"):
        return "skip"
    issue = payload["issue"]
    if payload["sender"]["type"] == "Bot" or issue.get("pull_request") or issue.get("state") == "closed":
        return "skip"
    if event == "issue_comment":
        is_command = re.match(r"/reqgate (recheck|override|waive|answer)", payload["comment"]["body"] or "")
        return "ask" if action == "created" and is_command else "skip"
    if action in ("labeled", "unlabeled"):
        return "ask" if (payload.get("label") or {}).get("name") in {OVERRIDE, RECHECK} else "skip"
    return "ask" if action in ("opened", "edited", "reopened") else "skip"


class Payloads(Case):
    def test_every_published_example_is_read_and_decided_rightly(self):
        published = json.loads((MODULES / "@octokit/webhooks-examples/api.github.com/index.json").read_text())
        examples = [(event["name"], example) for event in published for example in event["examples"]]
        self.assertGreater(len(examples), 280)
        token = self.world.token({"issues": "write"})

        def judged(item):
            event, payload = item
            process = self.world.command(event, payload, token=token, env={"GITHUB_REPOSITORY": "nobody/nothing"})
            log, _ = process.communicate(timeout=60)
            found = outputs_of(process)
            # Which run a request belongs to is not known here, so the log tells: a question put to GitHub ends in its 404.
            if found.get("skip-reason", "").startswith("the issue is gone"):
                return "ask", log
            return ("skip" if found.get("verdict") == "skipped" else f"code {process.returncode}"), log

        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            results = list(pool.map(judged, examples))
        wrong = []
        for (event, payload), (found, log) in zip(examples, results):
            wanted = decision(event, payload)
            self.assertNotIn("panicked", log)
            if wanted == "files":
                # There is no checkout here: nothing to judge, or a clear word that there is none.
                continue
            if found != wanted:
                wrong.append((event, payload.get("action"), wanted, found, log[-200:]))
        self.assertEqual(wrong, [])

    def test_broken_payloads_end_in_a_message(self):
        for text in ("", "{", "[]", "null", '{"action": 7}', '{"action": "opened"}', '{"action":"opened","issue":{"number":-1}}'):
            process = self.world.command("issues", text)
            log, _ = process.communicate(timeout=60)
            self.assertNotIn("panicked", log)
            self.assertIn(process.returncode, (0, 2), (text, log))
