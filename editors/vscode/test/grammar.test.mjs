// What stands below `text: |` is fiction, and nothing else is.

import assert from "node:assert";
import fs from "node:fs";
import { createRequire } from "node:module";
import test from "node:test";
import oniguruma from "vscode-oniguruma";
import textmate from "vscode-textmate";

const require = createRequire(import.meta.url);
const wasm = fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm"));
const theirs = (name) => fs.readFileSync(require.resolve(`tm-grammars/grammars/${name}.json`), "utf8");
const own = fs.readFileSync(new URL("../syntaxes/fiction.json", import.meta.url), "utf8");
const GRAMMARS = {
  "source.yaml": () => theirs("yaml"),
  "text.html.markdown": () => theirs("markdown"),
  "fiction.chronicle": () => own,
};

async function told(text) {
  await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength)).catch(() => {});
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (string) => new oniguruma.OnigString(string),
    }),
    loadGrammar: async (scope) =>
      GRAMMARS[scope] ? textmate.parseRawGrammar(GRAMMARS[scope](), `${scope}.json`) : null,
    getInjections: (scope) => (scope === "source.yaml" ? ["fiction.chronicle"] : undefined),
  });
  const grammar = await registry.loadGrammar("source.yaml");
  let stack = textmate.INITIAL;
  return text.split("\n").filter((line) => {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, stack);
    stack = ruleStack;
    return tokens.some((token) => token.scopes.some((scope) => scope.includes("fiction")) && line.trim());
  });
}

test("fiction below a key of an entry", async () => {
  const found = await told("log:\n- event: It rains\n  text: |\n    The planks *are* warm.\n\n    Still.\n  by: Ana\n- end turn:\n");
  assert.deepEqual(found.map((line) => line.trim()), ["The planks *are* warm.", "Still."]);
});

test("fiction below the dash, and a note", async () => {
  const found = await told("log:\n- text: |\n    Warm.\n  by: Ana\n  note: >-\n    She said so.\n- tell: |\n    no key of ours\n");
  assert.deepEqual(found.map((line) => line.trim()), ["Warm.", "She said so."]);
});
