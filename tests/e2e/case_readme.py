"""The example of the README: its workflow, its issue, and its comment, byte for byte."""
import pathlib
import re
import unittest

from base import Case
from world import ACTION


def readme():
    return (pathlib.Path(ACTION) / "README.md").read_text()


def workflow():
    """The workflow that the README tells people to paste, with this action in place of the one to be pinned."""
    pasted = re.search(r"```yaml\n(.*?)```", readme(), re.DOTALL)[1]
    return re.sub(r"OWNER/reqgate@0{40}", "acme/reqgate@v1", pasted)


def example():
    """The title and the body of the issue, and the comment that the README shows for it."""
    section = readme().split("## On GitHub", 1)[1].split("\n## ", 1)[0]
    title, body = re.search(r"An issue with the title `(.*?)` and the text `(.*?)` gets this comment", section).groups()
    comment = [line[1:].removeprefix(" ") for line in section.splitlines() if line.startswith(">")]
    return title, body, "\n".join(comment)


class Readme(Case):
    def test_the_issue_of_the_readme_gets_the_comment_of_the_readme(self):
        title, body, shown = example()
        # The default policy of the workflow decides, not the one that the other cases set.
        number, run = self.world.open(title, body, workflow=workflow(), env={"REQGATE_POLICY": None})
        self.verdict(run, "blocked", ready="false", comment_action="created")
        written = self.the_comment(number)["body"].splitlines()[2:]
        self.assertEqual("\n".join(written).strip(), shown.strip())


if __name__ == "__main__":
    unittest.main()
