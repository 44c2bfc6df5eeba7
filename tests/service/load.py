"""Measures how many tickets of 2 kB one core judges per second over HTTP and in a batch, the latency at half of that rate, and the memory
over some minutes."""

import json
import os
import subprocess
import sys
import tempfile
import time

url, token, autocannon, program, server, minutes = sys.argv[1:7]
FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tickets")
TICKETS = {}
for name in sorted(os.listdir(FOLDER)):
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        TICKETS[name] = file.read()
# A ticket of sentences alike with many figures, which are compared with each other: the dearest of its size.
TICKETS["eighteen criteria alike"] = (
    "# Export orders as CSV\n\nAs a shop manager I want to export the orders of a month as CSV so that accounting can check them.\n\n"
    "## Acceptance criteria\n\n" + "".join(
        f"- Given {n} orders, when I choose Export, then a file with {n} rows is there within {n % 9 + 1} seconds.\n"
        for n in range(1, 19)))[:2048]


def run(ticket, seconds, rate=None):
    """One run of autocannon."""
    command = ["taskset", "-c", "1", "node", autocannon, "--json", "-c", "8", "-d", str(seconds), "-m", "POST",
               "-H", f"Authorization=Bearer {token}", "-H", "Content-Type=text/markdown", "-b", ticket, f"{url}/v1/judge"]
    if rate:
        command[5:5] = ["-R", str(rate)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    result = json.loads(done.stdout)
    bad = result["non2xx"] + result["errors"] + result["timeouts"]
    assert bad == 0, f"{bad} requests without a verdict"
    return result


def latency(ticket, seconds, rate):
    """The 99th percentile in ms, for tickets that come at random moments."""
    client = os.path.join(os.path.dirname(os.path.abspath(__file__)), "arrivals.py")
    done = subprocess.run(["taskset", "-c", "1", sys.executable, client, url, token, str(seconds), str(rate)], input=ticket, capture_output=True,
                          text=True, check=True)
    return float(done.stdout)


def batch(ticket, count=4000):
    """Tickets per second of a batch on the core of the service, whole process; the service is idle meanwhile."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as file:
        for number in range(count):
            file.write(json.dumps({"id": str(number), "text": ticket}) + "\n")
        file.flush()
        start = time.monotonic()
        done = subprocess.run(["taskset", "-c", "0", program, "score", file.name, "--format", "json"], stdout=subprocess.DEVNULL, check=False)
        assert done.returncode in (0, 1), f"the batch ended with {done.returncode}"
        return count / (time.monotonic() - start)


def memory():
    """Resident memory of the service in MB."""
    with open(f"/proc/{server}/status", encoding="utf-8") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) // 1024


for name, ticket in TICKETS.items():
    run(ticket, 2)
    rate = run(ticket, 8)["requests"]["average"]
    late = latency(ticket, 8, rate / 2)
    alone = batch(ticket)
    print(f"{name}, {len(ticket.encode())} bytes: {rate:.0f} a second, in a batch {alone:.0f} ({rate / alone - 1:+.0%}); p99 at half load {late:.1f} ms", flush=True)
ticket = TICKETS["feature.md"]
rate = run(ticket, 3)["requests"]["average"]
seen = [memory()]
for _ in range(int(float(minutes) * 6)):
    run(ticket, 10, int(rate / 2))
    seen.append(memory())
print(f"memory in MB: {seen}")
assert seen[-1] <= seen[0] * 1.1 + 5, "memory grows"
