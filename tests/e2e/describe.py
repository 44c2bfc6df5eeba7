#!/usr/bin/env python3
"""Cuts GitHub's own OpenAPI description down to the operations that reqgate may call.

    npm pack @octokit/openapi@23.0.2 && tar xzf octokit-openapi-23.0.2.tgz package/generated/api.github.com.json
    python3 describe.py package/generated/api.github.com.json github-openapi.json

The description is GitHub's, under the MIT licence (see NOTICE.md). A request to an operation that is not listed here is a
violation in the proof, so this list is also the list of what the action may do to a repository. Left out on purpose: opening and
changing issues (export of stories) and GraphQL (learning from the past), which only commands use that people run themselves.
"""
import json
import sys

OPERATIONS = {
    "/repos/{owner}/{repo}/issues": ["get"],
    "/repos/{owner}/{repo}/issues/{issue_number}": ["get"],
    "/repos/{owner}/{repo}/issues/{issue_number}/comments": ["get", "post"],
    "/repos/{owner}/{repo}/issues/comments/{comment_id}": ["get", "patch", "delete"],
    "/repos/{owner}/{repo}/issues/{issue_number}/labels": ["get", "post"],
    "/repos/{owner}/{repo}/issues/{issue_number}/labels/{name}": ["delete"],
    "/repos/{owner}/{repo}/labels": ["post"],
    "/repos/{owner}/{repo}/labels/{name}": ["get"],
    "/repos/{owner}/{repo}/collaborators/{username}/permission": ["get"],
    "/repos/{owner}/{repo}/contents/{path}": ["get"],
    "/rate_limit": ["get"],
    # PRDs: the branch, its pull request, and the check run.
    "/repos/{owner}/{repo}": ["get"],
    "/repos/{owner}/{repo}/git/ref/{ref}": ["get"],
    "/repos/{owner}/{repo}/git/refs": ["post"],
    "/repos/{owner}/{repo}/git/refs/{ref}": ["patch"],
    "/repos/{owner}/{repo}/git/trees": ["post"],
    "/repos/{owner}/{repo}/git/trees/{tree_sha}": ["get"],
    "/repos/{owner}/{repo}/git/commits": ["post"],
    "/repos/{owner}/{repo}/git/blobs/{file_sha}": ["get"],
    "/repos/{owner}/{repo}/commits/{ref}": ["get"],
    "/repos/{owner}/{repo}/commits/{ref}/check-runs": ["get"],
    "/repos/{owner}/{repo}/check-runs": ["post"],
    "/repos/{owner}/{repo}/pulls": ["get", "post"],
    "/repos/{owner}/{repo}/pulls/{pull_number}": ["get"],
    "/repos/{owner}/{repo}/pulls/{pull_number}/reviews": ["get"],
    "/repos/{owner}/{repo}/issues/{issue_number}/events": ["get"],
}


def references(value):
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "$ref" and isinstance(inner, str):
                yield inner
            else:
                yield from references(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from references(inner)


def without_examples(value):
    """Examples make nine tenths of the size and say nothing about what is allowed."""
    if isinstance(value, dict):
        return {key: without_examples(inner) for key, inner in value.items() if key not in ("examples", "example", "x-github")}
    if isinstance(value, list):
        return [without_examples(inner) for inner in value]
    return value


def main(source, target):
    with open(source, encoding="utf-8") as file:
        whole = json.load(file)
    left_out = ("paths", "components", "webhooks", "x-webhooks", "tags")
    part = {key: value for key, value in whole.items() if key not in left_out}
    part["paths"] = {}
    for path, methods in OPERATIONS.items():
        item = whole["paths"][path]
        part["paths"][path] = {method: without_examples(item[method]) for method in methods}
        if "parameters" in item:
            part["paths"][path]["parameters"] = item["parameters"]
    components, seen, todo = {}, set(), [part["paths"]]
    while todo:
        for reference in references(todo.pop()):
            if reference in seen:
                continue
            seen.add(reference)
            _, _, kind, name = reference.split("/", 3)
            if kind == "examples":
                continue
            value = without_examples(whole["components"][kind][name])
            components.setdefault(kind, {})[name] = value
            todo.append(value)
    part["components"] = components
    with open(target, "w", encoding="utf-8") as file:
        json.dump(part, file, indent=0, ensure_ascii=False)
        file.write("\n")
    print(len(part["paths"]), "paths,", sum(map(len, components.values())), "components")


main(*sys.argv[1:3])
