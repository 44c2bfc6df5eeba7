"""Prints a folder of results as a Markdown table, one column per front. Exits with 1 if a model made anything better."""

import json
import pathlib
import statistics
import sys
from collections import Counter

BETTER = ["GUARDRAIL_REJECTED", "REJECT", "PASS"]


def outcome(path):
    return json.loads(path.read_text())["outcomes"][0]


def rank(verdict):
    return BETTER.index("PASS" if verdict == "NOT_APPLICABLE" else verdict)


def score(told):
    return told["score_report"]["total_score"] if told["score_report"] else None


def prints(told, where):
    """Findings that a model may not replace: what readers ask in general, it may ask better."""
    issues = (told["score_report"] or {where: []})[where]
    return {issue["fingerprint"] for issue in issues if not issue["rule_id"].startswith("asks-")}


def improvements(rules, told):
    """Everything that is better with the model than without, and not by words of the text that it points at."""
    reading = told["model"].get("reading") or {"evidence": [], "held_down": True}
    if reading["evidence"] and not reading["held_down"]:
        return []
    out = []
    if rank(told["decision"]["verdict"]) > rank(rules["decision"]["verdict"]):
        out.append("the verdict")
    if score(rules) is not None and score(told) is not None and score(told) > score(rules) + 1e-9:
        out.append("the score")
    # A passing text may turn out to ask for no work, and what is asked about a passing text may be asked better.
    for where in ["blocking_issues"] if told["score_report"] else []:
        if prints(rules, where) - prints(told, where):
            out.append(f"a finding of the rules is gone from {where}")
    model = told["model"]
    if model["rules_verdict"] != rules["decision"]["verdict"] or model["rules_score"] != score(rules):
        out.append("the report tells another verdict or score of the rules than the rules give")
    return out


def said(recording):
    """Items in the answers that were taken, counted by task; the last reply to a question is the one that counts."""
    last = {}
    for path in recording.glob("*.json"):
        recorded = json.loads(path.read_text())
        held = last.get(recorded["hash"])
        if held is None or recorded["number"] > held["number"]:
            last[recorded["hash"]] = recorded
    count = Counter()
    for recorded in last.values():
        reply = recorded["came"].get("reply")
        try:
            answer = json.loads(reply["text"]) if reply else {}
        except json.JSONDecodeError:
            continue
        task = recorded["question"].split("_")[0]
        lists = [value for value in answer.values() if isinstance(value, list)]
        if task == "scoring":
            count[task] += sum(len(statement.get("problems", [])) for statement in answer.get("criteria", []))
        else:
            count[task] += sum(len(items) for items in lists) + bool(answer.get("title"))
    return count


def stable(told):
    """A report without what a second run takes."""
    told = json.loads(json.dumps(told))
    told.pop("execution_times")
    told["model"].pop("usage")
    for step in told["model"]["steps"]:
        step.pop("usage")
        step.pop("origin")
    return told


def column(folder, front):
    """The rows of one front, and what must not be."""
    rows, wrong = {}, []
    total = Counter()
    failed, faults, shapes, discarded, left, walls, waits = Counter(), Counter(), Counter(), Counter(), Counter(), [], []
    for path in sorted((folder / "rules").glob("*.json")):
        at = folder / front / path.stem
        rules, told = outcome(path), outcome(at.with_suffix(".json"))
        model = told["model"]
        total["tickets"] += 1
        total["worse"] += rank(told["decision"]["verdict"]) < rank(rules["decision"]["verdict"])
        total["lower"] += score(told) is not None and score(told) < score(rules)
        wrong += [f"{front}: {path.stem}: {what}" for what in improvements(rules, told)]
        if stable(outcome(at.with_suffix(".again.json"))) != stable(told):
            wrong.append(f"{front}: {path.stem}: the replay gives another report")
        spans = [json.loads(line) for line in at.with_suffix(".trace").read_text().splitlines()]
        for span in spans:
            of = span["attributes"]
            if span["name"] == "ask":
                total["asked"] += 1
                total["first"] += of.get("reqgate.attempts") == 1
                total["later"] += of.get("reqgate.attempts", 1) > 1
                failed.update([of["error.type"]] if "error.type" in of else [])
            else:
                total["exchanges"] += 1
                total["read"] += of.get("gen_ai.usage.input_tokens", 0)
                total["written"] += of.get("gen_ai.usage.output_tokens", 0)
                faults.update([of["error.type"]] if "error.type" in of else [])
                shapes.update([of["reqgate.structured"]])
                waits.append(span["duration_ms"] / 1000)
        left.update(step["reason"] for step in model["steps"] if step["status"] == "not_asked")
        discarded.update(item["reason"] for item in model["discarded"])
        total["findings"] += model["added_findings"]
        total["lowered"] += len(model["lowered"])
        total["items"] += len(model["added_items"])
        total["questions"] += len(model["questions"])
        total["rewrites"] += len(model["rewrites"])
        total["said"] += sum(said(at.with_suffix(".recording")).values())
        walls.append(float(at.with_suffix(".seconds").read_text()))
    listed = lambda count: ", ".join(f"{name} {number}" for name, number in count.most_common()) or "none"
    ungrounded = discarded.pop("not_in_text", 0)
    rows["tickets"] = total["tickets"]
    rows["questions asked"] = total["asked"]
    rows["valid at the first try"] = total["first"]
    rows["valid after another try"] = total["later"]
    rows["no valid answer"] = listed(failed)
    rows["not asked"] = listed(left)
    rows["exchanges; requested format"] = f"{total['exchanges']}; {listed(shapes)}"
    rows["exchanges without a reply"] = listed(faults)
    rows["items returned"] = total["said"]
    rows["… discarded: not in the text"] = ungrounded
    rows["… discarded: other reasons"] = listed(discarded)
    rows["… kept: items, questions, rewrites"] = f"{total['items']}, {total['questions']}, {total['rewrites']}"
    rows["findings added; criteria lowered"] = f"{total['findings']}; {total['lowered']}"
    rows["tickets with a lower score; a worse verdict"] = f"{total['lower']}; {total['worse']}"
    rows["anything better than with rules alone"] = "never" if not wrong else f"{len(wrong)} times"
    rows["input tokens; output tokens"] = f"{total['read']}; {total['written']}"
    rows["seconds in total; median, longest ticket"] = f"{sum(walls):.0f}; {statistics.median(walls):.0f}, {max(walls):.0f}"
    rows["seconds per exchange: median, longest"] = f"{statistics.median(waits):.0f}, {max(waits):.0f}" if waits else "none"
    return rows, wrong


def main(folder, fronts):
    columns = [column(pathlib.Path(folder), front) for front in fronts]
    print("| | " + " | ".join(fronts) + " |")
    print("|---|" + "---|" * len(fronts))
    for name in columns[0][0]:
        print(f"| {name} | " + " | ".join(str(rows[name]) for rows, _ in columns) + " |")
    wrong = [line for _, lines in columns for line in lines]
    for line in wrong:
        print(f"WRONG {line}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
