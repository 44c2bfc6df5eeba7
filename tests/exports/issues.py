"""Opens the stories of a feature as issues of an emulated GitHub, twice, and changes one as a person would in between."""

import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request

reqgate, api, feature = sys.argv[1:]
environment = dict(os.environ, GITHUB_API_URL=api, GITHUB_TOKEN="ghp_maint")


def ask(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"authorization": "Bearer ghp_maint", "content-type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(api + path, data, headers, method=method)) as reply:
        return json.load(reply)


def plan(*more, stories=f"{feature}/stories.json"):
    arguments = [reqgate, "plan", feature, "--stories", stories, "--export", "github=maint/shop", *more]
    ran = subprocess.run(arguments, env=environment, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def issues():
    return sorted(ask("GET", "/repos/maint/shop/issues?state=all&per_page=100"), key=lambda issue: issue["number"])


for _ in range(120):
    try:
        ask("GET", "/repos/maint/shop")
        break
    except (urllib.error.URLError, ConnectionError):
        time.sleep(0.25)

dry = plan()
assert dry.count("would open") == 3 and issues() == [], dry
plan("--yes")
made = issues()
assert [issue["title"] for issue in made][0] == "Download the orders of a day" and len(made) == 3, made
assert f"**Needs**: #{made[0]['number']}" in made[1]["body"], made[1]["body"]
again = plan("--yes")
assert again.count("unchanged") == 3 and len(issues()) == 3, again

second = made[1]
edited = "Ask Bo first.\r\n\r\n" + second["body"].replace("- [ ] At 02:05", "- [x] At 02:05").replace("\n", "\r\n")
ask("PATCH", f"/repos/maint/shop/issues/{second['number']}", {"body": edited})
assert plan("--yes").count("unchanged") == 3
written = json.load(open(f"{feature}/stories.json"))
written["stories"][1]["complexity"] = 8
json.dump(written, open("changed.json", "w"))
changed = plan("--yes", stories="changed.json")
assert changed.count("updating") == 1 and changed.count("unchanged") == 2, changed
body = issues()[1]["body"]
assert body.startswith("Ask Bo first.") and "- [x] At 02:05" in body and "**Complexity**: 8" in body, body
assert plan("--yes", stories="changed.json").count("unchanged") == 3 and len(issues()) == 3
print("the emulated GitHub has each story once, with the words of a person kept")
