// Drives `reqgate lsp` with Microsoft's protocol library: client.mjs PROGRAM PROJECT [latency]
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import assert from "node:assert/strict";
import * as lsp from "vscode-languageserver-protocol/node";

const [program, project, mode] = process.argv.slice(2);
const server = spawn(program, ["lsp"], { cwd: project, stdio: ["pipe", "pipe", "inherit"] });
const ended = new Promise((resolve) => server.on("exit", resolve));
const connection = lsp.createProtocolConnection(
    new lsp.StreamMessageReader(server.stdout), new lsp.StreamMessageWriter(server.stdin));
const waiting = new Map();
connection.onNotification(lsp.PublishDiagnosticsNotification.type, (params) => {
    waiting.get(`${params.uri} ${params.version}`)?.(params.diagnostics);
});
const published = (uri, version) => new Promise((resolve) => waiting.set(`${uri} ${version}`, resolve));
connection.listen();

const workspace = { workspaceEdit: { documentChanges: true, resourceOperations: ["create"] } };
const textDocument = { documentSymbol: { hierarchicalDocumentSymbolSupport: true } };
const started = await connection.sendRequest(lsp.InitializeRequest.type, {
    processId: process.pid, rootUri: pathToFileURL(project).href, capabilities: { workspace, textDocument }, workspaceFolders: null,
});
assert.equal(started.capabilities.positionEncoding, "utf-16");
await connection.sendNotification(lsp.InitializedNotification.type, {});

const uri = pathToFileURL(`${project}/ticket.md`).href;
const text = readFileSync(`${project}/ticket.md`, "utf8");
const opened = published(uri, 1);
await connection.sendNotification(lsp.DidOpenTextDocumentNotification.type, {
    textDocument: { uri, languageId: "markdown", version: 1, text },
});
const list = await opened;
const open = list.find((one) => one.code === "open-point");
assert.equal(open.severity, lsp.DiagnosticSeverity.Error);
// Strings of JavaScript count as the protocol does.
assert.match(text.split("\n")[open.range.start.line].slice(open.range.start.character, open.range.end.character), /TBD\.$/);

const document = { textDocument: { uri } };
const hover = await connection.sendRequest(lsp.HoverRequest.type, { ...document, position: open.range.start });
assert.match(hover.contents.value, /Reason/);
const actions = await connection.sendRequest(lsp.CodeActionRequest.type, {
    ...document, range: open.range, context: { diagnostics: [open], only: [lsp.CodeActionKind.QuickFix] },
});
assert.ok(actions.every((action) => lsp.CodeAction.is(action) && lsp.WorkspaceEdit.is(action.edit) && !action.command));
assert.ok(actions.some((action) => action.title.startsWith("Waive open-point")));
const symbols = await connection.sendRequest(lsp.DocumentSymbolRequest.type, document);
assert.ok(symbols.every((symbol) => lsp.DocumentSymbol.is(symbol)));
assert.deepEqual(await connection.sendRequest(lsp.CodeActionRequest.type, {
    ...document, range: open.range, context: { diagnostics: [], only: [lsp.CodeActionKind.Refactor] },
}), []);
await assert.rejects(connection.sendRequest("workspace/unknown", {}), { code: lsp.ErrorCodes.MethodNotFound });

if (mode === "latency") {
    // About 2 kB. The delay before a text is judged is a part of each time.
    const ticket = `${text}\n${"- An order with a wrong address is refused with a message that names the line.\n".repeat(24)}`;
    // Hundredths of a second of processor time, which other programs do not influence; only Linux has it.
    const used = () => readFileSync(`/proc/${server.pid}/stat`, "utf8").split(" ").slice(13, 15).reduce((sum, n) => sum + Number(n), 0);
    const times = [];
    const before = used();
    for (let version = 2; version < 42; version++) {
        const judged = published(uri, version);
        const from = performance.now();
        await connection.sendNotification(lsp.DidChangeTextDocumentNotification.type, {
            textDocument: { uri, version }, contentChanges: [{ text: ticket.replace("TBD", `TBD ${version}`) }],
        });
        await judged;
        times.push(performance.now() - from);
    }
    times.sort((a, b) => a - b);
    console.log(`${Buffer.byteLength(ticket)} bytes: median ${times[20].toFixed(1)} ms, slowest ${times[39].toFixed(1)} ms, 150 ms of it delay; ` +
        `${((used() - before) / 4).toFixed(1)} ms of processor time for each change`);
}

await connection.sendRequest(lsp.ShutdownRequest.type);
await connection.sendNotification(lsp.ExitNotification.type);
assert.equal(await ended, 0);
console.log("vscode-languageserver-protocol: ok");
