"""Runs scenarios of the official conformance suite against a server, and fails on every check that fails.

The suite calls what it cannot try without a tool of its own "not testable"; such a check is counted and named.
Usage: conformance.py URL VERSION SCENARIO… , with the command line of the suite in CONFORMANCE.
"""

import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

url, version, *scenarios = sys.argv[1:]
UNTESTABLE = "Not testable: "
passed, untestable, failed = 0, [], []
for scenario in scenarios:
    with tempfile.TemporaryDirectory() as folder:
        command = shlex.split(os.environ["CONFORMANCE"])
        command += ["server", "--url", url, "--spec-version", version, "--scenario", scenario, "-o", folder]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=120)
        results = list(pathlib.Path(folder).rglob("checks.json"))
        assert len(results) == 1, f"{scenario}: {ran.stdout}{ran.stderr}"
        checks = json.loads(results[0].read_text())
    good = [check for check in checks if check["status"] == "SUCCESS"]
    assert good, f"{scenario}: nothing was tried: {ran.stdout}"
    passed += len(good)
    for check in checks:
        why = check.get("errorMessage") or ""
        if check["status"] == "FAILURE":
            (untestable if why.startswith(UNTESTABLE) else failed).append(f"{scenario}: {check['id']}: {why}")
        elif check["status"] == "WARNING":
            failed.append(f"{scenario}: {check['id']}: {why} (warning)")

for line in failed:
    print(line, file=sys.stderr)
print(f"conformance, {version}: {len(scenarios)} scenarios, {passed} checks passed, {len(failed)} failed, {len(untestable)} not testable")
sys.exit(1 if failed else 0)
