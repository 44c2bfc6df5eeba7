"""Checks exported folders with what specify-cli ships: its prerequisite scripts, the headings of its template, and its task format."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import specify_cli

pack = Path(specify_cli.__file__).parent / "core_pack"
work = Path(sys.argv[1])
(work / ".specify").mkdir()
template = (pack / "templates/spec-template.md").read_text()
mandatory = [line for line in template.splitlines() if line.startswith("## ") and "*(mandatory)*" in line]
assert len(mandatory) == 3, mandatory
# commands/tasks.md: checkbox, task id, [P] for parallel work, story label in the phases of user stories, description.
task = re.compile(r"^- \[ \] T\d{3,} (\[P\] )?\[US\d+\] \S.*$")
assert "- [ ] [TaskID] [P?] [Story?] Description with file path" in (pack / "commands/tasks.md").read_text()

folders = sorted((work / "specs").iterdir())
assert folders, "nothing was exported"
for folder in folders:
    # plan.md is written by /speckit.plan from the code base; it stands in here for the scripts that demand it.
    (folder / "plan.md").write_text("# Implementation Plan\n")
    (work / ".specify/feature.json").write_text(json.dumps({"feature_directory": f"specs/{folder.name}"}))
    environment = dict(os.environ, SPECIFY_INIT_DIR=str(work), SPECIFY_FEATURE=folder.name)
    checks = [
        ("scripts/python/check_prerequisites.py", ["--json", "--require-spec", "--require-tasks", "--include-tasks"]),
        ("extensions/github/scripts/python/resolve_tasks.py", ["--json"]),
    ]
    for script, arguments in checks:
        ran = subprocess.run(
            [sys.executable, str(pack / script), *arguments], cwd=work, env=environment, capture_output=True, text=True
        )
        assert ran.returncode == 0, (script, ran.stdout, ran.stderr)
        assert "tasks.md" in ran.stdout and folder.name in ran.stdout, ran.stdout
    spec = (folder / "spec.md").read_text()
    for heading in mandatory:
        assert f"\n{heading}\n" in spec, (folder.name, heading)
    stories = re.findall(r"^### User Story (\d+) - .+ \(Priority: P[1-3]\)$", spec, re.M)
    assert stories == [str(number + 1) for number in range(len(stories))] and stories, stories
    assert spec.count("**Acceptance Scenarios**:") == spec.count("**Independent Test**: ") == len(stories)
    assert re.search(r"^- \*\*FR-\d{3}\*\*: ", spec, re.M) and re.search(r"^- \*\*SC-\d{3}\*\*: ", spec, re.M)
    lines = [line for line in (folder / "tasks.md").read_text().splitlines() if line.startswith("- [")]
    assert lines and all(task.match(line) for line in lines), lines
    ids = [re.search(r"T\d+", line).group() for line in lines]
    assert ids == [f"T{number + 1:03d}" for number in range(len(ids))], ids
    print(f"spec-kit takes {folder.name}: {len(stories)} stories, {len(lines)} tasks")
