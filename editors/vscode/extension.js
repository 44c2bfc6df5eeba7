// Starts `reqgate lsp` for Markdown and plain text.
const { commands, window, workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

async function start() {
    const command = workspace.getConfiguration("reqgate").get("path") || "reqgate";
    const run = { command, args: ["lsp"] };
    client = new LanguageClient("reqgate", "reqgate", { run, debug: run }, {
        documentSelector: [{ scheme: "file", language: "markdown" }, { scheme: "file", language: "plaintext" }],
    });
    try {
        await client.start();
    } catch (error) {
        client = undefined;
        window.showErrorMessage(`reqgate did not start (${error.message}): install it, or set reqgate.path.`);
    }
}

async function stop() {
    const running = client;
    client = undefined;
    await running?.stop();
}

async function restart() {
    await stop();
    await start();
}

exports.activate = async (context) => {
    context.subscriptions.push(commands.registerCommand("reqgate.restart", restart));
    context.subscriptions.push(workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration("reqgate.path")) restart();
    }));
    await start();
};

exports.deactivate = stop;
