// Starts the language server for the campaigns of a window. All that it knows stands in Chronicle itself.

const fs = require("node:fs");
const path = require("node:path");
const { commands, window, workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function command() {
  const given = workspace.getConfiguration("chronicle").get("command");
  if (given.length) return given;
  const own = process.platform === "win32" ? ["Scripts", "chronicle.exe"] : ["bin", "chronicle"];
  for (const folder of workspace.workspaceFolders ?? []) {
    const found = path.join(folder.uri.fsPath, ".venv", ...own);
    if (fs.existsSync(found)) return [found];
  }
  return ["chronicle"];
}

function options() {
  const { inlayHints, rules } = workspace.getConfiguration("chronicle");
  return { inlayHints: { ...inlayHints }, rules };
}

async function start() {
  const [program, ...rest] = command();
  client = new LanguageClient(
    "chronicle",
    "Chronicle",
    { command: program, args: [...rest, "lsp"] },
    {
      documentSelector: [
        { scheme: "file", language: "yaml" },
        { scheme: "file", language: "markdown" },
      ],
      initializationOptions: options,
    },
  );
  try {
    await client.start();
  } catch (error) {
    const shown = "How to install it";
    const said = `Chronicle could not be started as '${program}': ${error?.message ?? error}`;
    if ((await window.showErrorMessage(said, shown)) === shown) client.outputChannel.show();
    client.outputChannel.appendLine("pip install 'chronicle-tabletop[lsp]', then set chronicle.command to where it is.");
  }
}

async function stop() {
  const stopping = client;
  client = undefined;
  if (stopping?.isRunning()) await stopping.stop();
}

async function again() {
  await stop();
  await start();
}

exports.activate = async (context) => {
  context.subscriptions.push(
    commands.registerCommand("chronicle.restart", again),
    workspace.onDidChangeConfiguration((change) => change.affectsConfiguration("chronicle") && again()),
  );
  await start();
};

exports.deactivate = stop;
