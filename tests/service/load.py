"""Measures how many tickets of 2 kB one core judges per second, the latency at half of that rate, and the memory over some minutes."""

import json
import subprocess
import sys

url, token, autocannon, server, minutes = sys.argv[1:6]
TICKET = ("# Export orders as CSV\n\nAs a shop manager I want to export the orders of a month as CSV so that accounting can check them.\n\n"
          "## Acceptance criteria\n\n" + "".join(
              f"- Given {n} orders, when I choose Export, then a file with {n} rows is there within {n % 9 + 1} seconds.\n"
              for n in range(1, 19)))[:2048]


def run(seconds, rate=None):
    """One run of autocannon."""
    command = ["taskset", "-c", "1", "node", autocannon, "--json", "-c", "8", "-d", str(seconds), "-m", "POST",
               "-H", f"Authorization=Bearer {token}", "-H", "Content-Type=text/markdown", "-b", TICKET, f"{url}/v1/judge"]
    if rate:
        command[5:5] = ["-R", str(rate)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    result = json.loads(done.stdout)
    bad = result["non2xx"] + result["errors"] + result["timeouts"]
    assert bad == 0, f"{bad} requests without a verdict"
    return result


def memory():
    """Resident memory of the service in MB."""
    with open(f"/proc/{server}/status", encoding="utf-8") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) // 1024


run(3)
full = run(10)
rate = full["requests"]["average"]
half = run(10, int(rate / 2))
print(f"judged {rate:.0f} tickets of {len(TICKET)} bytes per second; p99 at half load {half['latency']['p99']} ms")
seen = [memory()]
for _ in range(int(float(minutes) * 6)):
    run(10, int(rate / 2))
    seen.append(memory())
print(f"memory in MB: {seen}")
assert half["latency"]["p99"] <= 10, "p99 at half load is above 10 ms"
assert seen[-1] <= seen[0] * 1.1 + 5, "memory grows"
