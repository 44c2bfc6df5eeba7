#!/usr/bin/env node
// Starts the reqgate binary that npm has installed for this platform, and ends as it ends. REQGATE_BINARY names another binary.
"use strict";

const { spawn } = require("node:child_process");
const { constants } = require("node:os");

// The exit code of reqgate if something that it needs is missing.
const INCOMPLETE = 3;

function fail(message) {
  console.error(`reqgate: ${message}`);
  process.exit(INCOMPLETE);
}

function binary() {
  if (process.env.REQGATE_BINARY) return process.env.REQGATE_BINARY;
  const name = `@reqgate/cli-${process.platform}-${process.arch}`;
  const known = Object.keys(require("../package.json").optionalDependencies);
  try {
    return require.resolve(`${name}/reqgate${process.platform === "win32" ? ".exe" : ""}`);
  } catch {
    if (!known.includes(name)) {
      fail(`no binary exists for ${process.platform} on ${process.arch}; there are ${known.join(", ")}. Build reqgate from source, and name the binary in REQGATE_BINARY.`);
    }
    fail(`the package ${name} is not installed. Install again without --omit=optional (or --no-optional), or name a binary in REQGATE_BINARY.`);
  }
}

const path = binary();
// A signal to this process is for the binary, which decides when to end; on Windows the console sends it to both. Signals wait until this script has run.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => process.platform === "win32" || child.kill(signal));
const child = spawn(path, process.argv.slice(2), { stdio: "inherit" });
child.on("error", (error) => fail(`cannot start ${path}: ${error.message}`));
child.on("exit", (code, signal) => process.exit(signal === null ? code : 128 + constants.signals[signal]));
