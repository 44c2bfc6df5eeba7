#!/usr/bin/env python3
"""Counts open words that are shown, look-alikes that are flagged, and rejections under the policy `ready`.

    measure.py BINARY [-v]     -v lists the rows of the sets that may be read (a, c)
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
MAY_BE_READ = ("a", "c")


def judged(binary, rows):
    """The outcomes in the order of the rows."""
    with tempfile.TemporaryDirectory() as folder:
        for number, row in enumerate(rows):
            Path(folder, f"{number:03d}.md").write_text(f"{row['title']}\n\n{row['text']}", encoding="utf-8")
        ran = subprocess.run([binary, "score", "--no-config", "--format", "json", folder], capture_output=True, check=False)
        outcomes = json.loads(ran.stdout)["outcomes"]
        return sorted(outcomes, key=lambda outcome: outcome["input"])


def facts(row, outcome):
    """The quotes of the facts in a report."""
    text = f"{row['title']}\n\n{row['text']}".encode()
    report = outcome.get("score_report") or {}
    issues = report.get("blocking_issues", []) + report.get("non_blocking_issues", [])
    places = [issue["place"] for issue in issues if issue["basis"] == "fact" and issue.get("place")]
    return [text[place["start"] : place["end"]].decode(errors="replace") for place in places]


def measure(binary, name, tell):
    rows = [json.loads(line) for line in (HERE / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
    words = shown = flagged = due = rejected = wrong = 0
    for row, outcome in zip(rows, judged(binary, rows)):
        quotes = facts(row, outcome)
        is_rejected = outcome["decision"]["verdict"] == "REJECT"
        missed = [words for words in row["open"] if not any(words in quote or quote.strip() in words for quote in quotes)]
        words += len(row["open"])
        shown += len(row["open"]) - len(missed)
        flagged += not row["open"] and bool(quotes)
        due += row["reject"]
        rejected += row["reject"] and is_rejected
        wrong += is_rejected and not row["reject"]
        if tell and (missed or (quotes and not row["open"]) or is_rejected != row["reject"]):
            print(row["id"], row["form"], "missed:", missed, "facts:", quotes, outcome["decision"]["verdict"])
    print(
        f"{name}: open words shown {shown} of {words}; look-alikes flagged {flagged} of 30; "
        f"rejected {rejected} of {due}; rejected though nothing is needed {wrong}"
    )


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    for name in ("a", "b", "c", "d"):
        measure(sys.argv[1], name, "-v" in sys.argv and name in MAY_BE_READ)
