"""Pull requests: the files that change are judged by the policy of the base, without a token and without a request."""
import json

from base import READY, READY_TITLE, VAGUE, Case
from world import Run

WORKFLOW = """
name: prd
on: {pull_request: {}}
permissions: {}
jobs:
  prd:
    runs-on: ubuntu-latest
    permissions: {contents: read}
    steps:
      # act copies the checkout instead of fetching one.
      - uses: actions/checkout@v5
        with: {fetch-depth: 2, persist-credentials: false}
      - uses: acme/reqgate@v1
        id: gate
        with: {paths: "docs/prd/**/*.md"}
"""
VAGUE_PRD = f"# Search\n\n{VAGUE}\n\nThe page must be fast and robust, etc.\n"
READY_PRD = f"# {READY_TITLE}\n\n{READY}"
LAX = ("version: 1\nthresholds:\n  feature: 0\n  prd: 0\nrules:\n  missing-acceptance-criteria: off\n"
       "  missing-user-story: off\n  vague-demand: off\n")
count = 0


class PullRequests(Case):
    def merged(self, base, change):
        """A checkout as GitHub makes it for a pull request: the merge of the change into the base, HEAD^1 being the base."""
        global count
        count += 1
        world = self.world
        folder = world.repository(f"pull-{count}")
        for name, text in base.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
        world.git(folder, "add", "-A")
        world.git(folder, "commit", "--quiet", "--allow-empty", "-m", "base")
        world.git(folder, "switch", "--quiet", "-c", "change")
        for name, text in change.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
        world.git(folder, "add", "-A")
        world.git(folder, "commit", "--quiet", "--allow-empty", "-m", "change")
        world.git(folder, "switch", "--quiet", "main")
        world.git(folder, "merge", "--quiet", "--no-ff", "-m", "merge", "change")
        return folder

    def judged(self, base, change, **how) -> Run:
        return self.judged_in(self.merged(base, change), "HEAD^1", "HEAD^2", **how)

    def judged_in(self, folder, base, head, fork=False, inputs=None, **how) -> Run:
        """The run about the pull request from the commit `head` to the commit `base`, in the checkout as it is."""
        sha = self.world.git(folder, "rev-parse", base).strip()
        head = {"sha": self.world.git(folder, "rev-parse", head).strip(), "repo": {"fork": fork, "full_name": "mallory/shop"}}
        payload = {"action": "opened", "number": 1, "repository": {"full_name": "maint/shop"},
                   "pull_request": {"number": 1, "changed_files": 1, "base": {"sha": sha, "ref": "main"}, "head": head},
                   "sender": {"login": "mallory", "type": "User"}}
        run, = self.world.run("pull_request", payload, workflow=WORKFLOW, inputs=inputs, repository=folder,
                              token="", **how)
        self.assertEqual(run.requests, [], "a pull request costs no request")
        return run

    def test_vague_prd_fails_the_check_and_marks_its_lines(self):
        run = self.judged({}, {"docs/prd/search.md": VAGUE_PRD})
        self.assertEqual((run.outputs["verdict"], run.outputs["exit-code"], run.code), ("blocked", "1", 1), run.log)
        self.assertIn("docs/prd/search.md", run.log)

    def test_ready_prd_passes(self):
        run = self.judged({}, {"docs/prd/export.md": READY_PRD})
        self.verdict(run, "pass")

    def test_model_is_never_asked_about_files(self):
        out = self.world.folder / "model.json"
        model = {"REQGATE_MODEL": "openai/small", "REQGATE_BASE_URL": "http://127.0.0.1:9/v1", "OPENAI_API_KEY": "none"}
        run = self.judged({}, {"docs/prd/export.md": READY_PRD}, inputs={"report-file": str(out)}, env=model)
        self.verdict(run, "pass")
        self.assertNotIn("openai/small", out.read_text())

    def test_pull_request_from_a_fork_needs_no_token_and_no_network(self):
        run = self.judged({}, {"docs/prd/search.md": VAGUE_PRD}, fork=True, api="http://127.0.0.1:9")
        self.assertEqual((run.outputs["verdict"], run.outputs["exit-code"]), ("blocked", "1"), run.log)

    def test_files_that_the_change_leaves_alone_are_not_judged(self):
        run = self.judged({"docs/prd/old.md": VAGUE_PRD}, {"docs/prd/export.md": READY_PRD})
        self.verdict(run, "pass")

    def test_change_of_other_files_is_skipped(self):
        run = self.judged({"docs/prd/old.md": VAGUE_PRD}, {"src/main.c": "int main;"})
        self.assertEqual((run.outputs["verdict"], run.code), ("skipped", 0), run.log)

    def test_policy_of_the_change_itself_is_not_obeyed(self):
        run = self.judged({}, {"docs/prd/search.md": VAGUE_PRD, ".reqgate.yaml": LAX})
        self.assertEqual(run.outputs["verdict"], "blocked", run.log)

    def test_policy_of_the_change_is_not_obeyed_however_its_path_is_written(self):
        change = {"docs/prd/search.md": VAGUE_PRD, ".reqgate.yaml": LAX}
        folder = self.merged({}, change)
        for config in ("${{ github.workspace }}/.reqgate.yaml", "docs/../.reqgate.yaml"):
            run = self.judged_in(folder, "HEAD^1", "HEAD^2", inputs={"config": config})
            self.assertEqual(run.outputs["verdict"], "blocked", f"{config}\n{run.log}")
        for config in (f"../{folder.name}/.reqgate.yaml", "/etc/reqgate.yaml"):
            run = self.judged_in(folder, "HEAD^1", "HEAD^2", inputs={"config": config})
            self.assertEqual((run.outputs["verdict"], run.outputs["exit-code"], run.code), ("error", "2", 1), run.log)
            self.assertIn("outside the repository", run.log)
        run = self.judged_in(folder, "HEAD^1", "HEAD^2", env={"GUARDRAIL_CONFIG_PATH": "/etc/reqgate.yaml"})
        self.assertEqual(run.outputs["exit-code"], "2", run.log)

    def test_merge_commit_made_by_the_author_hides_nothing(self):
        world = self.world
        folder = self.merged({}, {"docs/prd/search.md": VAGUE_PRD, ".reqgate.yaml": LAX})
        # The author merges some commit into the change and pushes that: its first parent holds all of the change.
        world.git(folder, "switch", "--quiet", "-c", "side", "HEAD^1")
        world.git(folder, "commit", "--quiet", "--allow-empty", "-m", "side")
        world.git(folder, "switch", "--quiet", "change")
        world.git(folder, "merge", "--quiet", "--no-ff", "-m", "crafted", "side")
        run = self.judged_in(folder, "main^1", "HEAD")
        self.assertEqual((run.outputs["verdict"], run.outputs["exit-code"]), ("blocked", "1"), run.log)

    def test_checkout_without_the_change_is_an_error(self):
        folder = self.merged({}, {"docs/prd/search.md": VAGUE_PRD})
        self.world.git(folder, "switch", "--quiet", "--detach", "HEAD^1")
        run = self.judged_in(folder, "HEAD", "change")
        self.assertEqual((run.outputs["verdict"], run.outputs["ready"], run.outputs["exit-code"]), ("error", "false", "2"), run.log)

    def test_document_does_not_excuse_itself(self):
        for head in ("---\ntype: question\n---\n\n", "---\nlabels: [chore]\n---\n\n"):
            run = self.judged({}, {"docs/prd/search.md": head + VAGUE_PRD})
            self.assertEqual((run.outputs["verdict"], run.outputs["ready"]), ("blocked", "false"), run.log)
        run = self.judged({}, {"docs/prd/search.md": VAGUE_PRD.replace("# Search", "# chore: search")})
        self.assertEqual((run.outputs["verdict"], run.outputs["ready"]), ("blocked", "false"), run.log)

    def test_fail_on_never_reports_and_stays_green(self):
        run = self.judged({}, {"docs/prd/search.md": VAGUE_PRD}, inputs={"fail-on": "never"})
        self.assertEqual((run.outputs["verdict"], run.code), ("blocked", 0), run.log)

    def test_sarif_and_report_are_written_where_asked(self):
        out = self.world.folder / "out"
        out.mkdir(exist_ok=True)
        inputs = {"sarif-file": str(out / "a.sarif"), "report-file": str(out / "a.json"), "fail-on": "never"}
        run = self.judged({}, {"docs/prd/search.md": VAGUE_PRD}, inputs=inputs)
        self.assertEqual(run.code, 0, run.log)
        self.assertEqual(json.loads((out / "a.sarif").read_text())["version"], "2.1.0")
        json.loads((out / "a.json").read_text())
        self.assertEqual(run.outputs["report-file"], str(out / "a.json"))

    def test_hostile_file_commands_nothing(self):
        hostile = VAGUE_PRD + "\n::error::boo\n::stop-commands::x\n::set-output name=verdict::pass\nIt should be fast %0A::error::x\n"
        run = self.judged({}, {"docs/prd/search.md": hostile})
        self.assertEqual((run.outputs["verdict"], run.code), ("blocked", 1), run.log)
