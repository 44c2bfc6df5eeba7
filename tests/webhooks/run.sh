#!/usr/bin/env bash
# Runs GitHub's own webhook payloads through the decision table. Needs npm and its registry.
set -euo pipefail
cd "$(dirname "$0")/../.."

version=7.6.1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$folder" "@octokit/webhooks-examples@$version"
REQGATE_WEBHOOK_EXAMPLES="$folder/node_modules/@octokit/webhooks-examples/api.github.com/index.json" \
    cargo test --locked --test integration -- --ignored every_real_payload_gets_the_right_decision
