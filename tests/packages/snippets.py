#!/usr/bin/env python3
"""Writes the configurations that docs/ci.md and the component for GitLab show into one folder per system, for their validators and for tests/packages/hooks.

Versions in them must be the version of the project, so that users copy what exists.
"""
import pathlib
import re
import sys

version, made = sys.argv[1], pathlib.Path(sys.argv[2])
root = pathlib.Path(__file__).resolve().parents[2]
KINDS = {
    ".gitlab-ci.yml": "gitlab-ci",
    "azure-pipelines.yml": "azure-pipelines",
    ".circleci/config.yml": "circle-ci",
    ".pre-commit-config.yaml": "pre-commit-config",
    "lefthook.yml": "lefthook",
    ".husky/pre-commit": "husky",
}


def put(kind, text):
    folder = made / kind
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{len(list(folder.iterdir()))}.yml").write_text(text)


blocks = re.findall(r"```(?:yaml|sh)\n# (\S+)\n(.*?)```", (root / "docs/ci.md").read_text(), re.DOTALL)
for name, text in blocks:
    if name not in KINDS:
        sys.exit(f"docs/ci.md: no validator is known for {name}")
    put(KINDS[name], text)
if {name for name, _ in blocks} != set(KINDS):
    sys.exit("docs/ci.md lacks a configuration of " + ", ".join(set(KINDS) - {name for name, _ in blocks}))

# A component has two documents; GitLab puts the inputs into the second before it reads it.
component = (root / "packaging/gitlab/templates/reqgate.yml").read_text()
inputs, job = component.split("\n---\n")
put("gitlab-ci", inputs)
defaults = dict(re.findall(r"^    (\S+):\n(?:      .*\n)*?      default: (.*)$", inputs, re.MULTILINE))
unknown = [name for name in re.findall(r"\$\[\[ inputs\.(\S+) \]\]", job) if name not in defaults]
if unknown:
    sys.exit(f"the component for GitLab has no input {unknown}")
put("gitlab-ci", re.sub(r"\$\[\[ inputs\.(\S+) \]\]", lambda found: defaults[found[1]], job))

faults = []
for path in ("docs/ci.md", "docs/install.md", "packaging/gitlab/README.md", "packaging/gitlab/templates/reqgate.yml"):
    stated = re.findall(r'(?:reqgate==|rev: v|reqgate@|reqgate:|reqgate[-_]|default: ")(\d+\.\d+\.\d+)', (root / path).read_text())
    faults += [f"{path} has the version {other}" for other in stated if other != version]
if faults:
    sys.exit(f"Cargo.toml has the version {version}, but:\n" + "\n".join(faults))
