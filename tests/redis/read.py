"""Reads threads of the PRD workflow from Redis with a client that nobody of this project wrote, and compares them with the program's own
account: the events, the chain of their hashes, the record, and what is listed. Usage: read.py REQGATE ADDRESS PORT PREFIX"""

import hashlib
import json
import subprocess
import sys

import redis

program, address, port, prefix = sys.argv[1:]
client = redis.Redis(host="127.0.0.1", port=int(port), decode_responses=True)


def told(*arguments):
    ran = subprocess.run([program, "prd", *arguments, "--state", address, "--format", "json"], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


threads = sorted(key.split("{")[1].split("}")[0] for key in client.scan_iter(f"{prefix}:{{*}}:thread", _type="hash"))
assert threads == sorted(thread["thread"] if "thread" in thread else thread["id"] for thread in told("list")), threads
assert threads, "there is nothing to compare"
count = 0
for thread in threads:
    entries = client.xrange(f"{prefix}:{{{thread}}}:events")
    assert [entry for entry, _ in entries] == [f"{seq}-0" for seq in range(1, len(entries) + 1)]
    events = [json.loads(fields["event"]) for _, fields in entries]
    assert events == told("history", thread), thread
    previous = ""
    for event in events:
        assert event["previous"] == previous, event["seq"]
        previous = event["hash"]
    fields = client.hgetall(f"{prefix}:{{{thread}}}:thread")
    assert set(fields) == {"layout", "claim", "head", "record", "snapshot"}, sorted(fields)
    record, snapshot = json.loads(fields["record"]), json.loads(fields["snapshot"])
    assert (fields["layout"], int(fields["head"])) == ("1", len(events))
    assert (record["head"], record["head_hash"], snapshot["seq"]) == (len(events), previous, len(events))
    assert client.exists(f"{prefix}:{{{thread}}}:lease") == 0, "nobody works on it"
    assert client.ttl(f"{prefix}:{{{thread}}}:thread") == -1
    count += len(events)
print(f"python redis {redis.__version__}: {len(threads)} threads, {count} events: as `prd list` and `prd history` tell them")
