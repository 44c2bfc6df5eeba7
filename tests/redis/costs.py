"""Times commands on threads with their state in SQLite and in Redis, in turns, so that both see the same machine.
Usage: costs.py REQGATE ADDRESS"""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

program, address = sys.argv[1:]
runs = 40
ticket = os.path.abspath("tests/fixtures/tickets/export-orders-ready.md")
project = tempfile.mkdtemp()
os.mkdir(f"{project}/.git")
times = {}


def run(name, place, *arguments, codes=(0,)):
    begun = time.perf_counter()
    ran = subprocess.run([program, *arguments, "--state", place], cwd=project, capture_output=True, text=True)
    taken = time.perf_counter() - begun
    assert ran.returncode in codes, (arguments, ran.returncode, ran.stderr)
    times.setdefault(name, []).append(taken * 1000)


for number in range(runs):
    for kind, place in (("SQLite", "state"), ("Redis", address)):
        thread = f"{kind.lower()}-{number}"
        run(f"prd start, {kind}", place, "prd", "start", "--from", ticket, "--id", thread, codes=(4,))
        run(f"prd status, {kind}", place, "prd", "status", thread)
        run(f"prd list, {kind}", place, "prd", "list")
        run(f"prd cancel, {kind}", place, "prd", "cancel", thread, "--reason", "measured")
shutil.rmtree(project)
for name in sorted(times):
    values = sorted(times[name])
    print(f"{name}: n = {len(values)}, median {statistics.median(values):.1f} ms, p10 {values[len(values) // 10]:.1f}, p90 {values[len(values) * 9 // 10]:.1f}")
