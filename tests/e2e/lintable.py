#!/usr/bin/env python3
"""Puts everything that the linters read into one folder per file: our workflows, the action, and the examples for users.

That the README and the documents show these examples is a test of the crate.
"""
import pathlib
import shutil
import sys

root, made = map(pathlib.Path, sys.argv[1:3])
# The examples leave the hash to the user; the linters want one.
OPEN, PINNED = "OWNER/reqgate@" + "0" * 40, "acme/reqgate@" + "0123456789abcdef" * 2 + "01234567"

shutil.rmtree(made, ignore_errors=True)
examples = {path.name: path.read_text() for path in sorted((root / "action/examples").glob("*.yml"))}
for name, text in examples.items():
    (made / name / ".github/workflows").mkdir(parents=True)
    (made / name / ".github/workflows" / name).write_text(text.replace(OPEN, PINNED))
for path in sorted((root / ".github/workflows").glob("*.yml")):
    (made / path.name / ".github/workflows").mkdir(parents=True)
    shutil.copy(path, made / path.name / ".github/workflows")
(made / "action").mkdir()
shutil.copy(root / "action.yml", made / "action")

unpinned = [name for name, text in examples.items() if "OWNER/reqgate@" in text.replace(OPEN, "")]
if unpinned:
    sys.exit(f"reqgate is not pinned by a hash in {unpinned}")
