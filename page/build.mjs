// Builds the desk page into chronicle/site/assets/desk/. `node build.mjs FOLDER` builds it elsewhere, so
// that a test can compare.

import { build } from "esbuild";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const assets = path.join(here, "..", "chronicle", "site", "assets");
const out = path.resolve(process.argv[2] ?? path.join(assets, "desk"));
fs.mkdirSync(out, { recursive: true });

// The paper, ink and players' colours are the site's: declared once, in its stylesheet.
const site = fs.readFileSync(path.join(assets, "css", "tokens.css"), "utf8");
const own = /--(?!md-|serif|sans|mono|round|measure|margin|gutter)[a-z0-9-]+: #[0-9a-f]{6};/g;
const [light, dark] = [/:root,\n\[data-md-color-scheme\] \{([^}]*)\}/, /\[data-md-color-scheme="slate"\] \{([^}]*)\}/].map((rule) => {
  const found = rule.exec(site)?.[1].match(own);
  if (!found) throw new Error("tokens.css has no palette where it is looked for");
  return found.join("");
});
const palette = [
  `:root{color-scheme:light;${light}}`,
  `@media (prefers-color-scheme:dark){:root:not([data-scheme="light"]){color-scheme:dark;${dark}}}`,
  `:root[data-scheme="dark"]{color-scheme:dark;${dark}}`,
].join("\n");

const made = await build({
  absWorkingDir: here,
  entryPoints: { desk: "src/main.js" },
  outdir: out,
  bundle: true,
  splitting: true,
  chunkNames: "[name]",
  minify: true,
  format: "esm",
  target: ["es2022", "chrome117", "firefox121", "safari17.4"],
  charset: "utf8",
  legalComments: "none",
  metafile: true,
});
const css = await build({
  stdin: { contents: palette + fs.readFileSync(path.join(here, "src", "desk.css"), "utf8"), loader: "css" },
  minify: true,
  write: false,
  charset: "utf8",
});
fs.writeFileSync(path.join(out, "desk.css"), css.outputFiles[0].text);
fs.copyFileSync(path.join(here, "src", "icon.svg"), path.join(out, "icon.svg"));

// What the page says before any script runs comes from the catalogue, too.
const words = JSON.parse(fs.readFileSync(path.join(here, "..", "chronicle", "words", "en.json"), "utf8"));
const html = fs.readFileSync(path.join(here, "src", "index.html"), "utf8");
fs.writeFileSync(path.join(out, "index.html"), html.replace(/\{desk\.(\w+)\}/g, (_, key) => words.desk[key]));

// Whose work is in the bundle, under which licence.
const bundled = new Set(
  Object.keys(made.metafile.inputs)
    .map((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1])
    .filter(Boolean),
);
const licences = new Map();
for (const name of [...bundled].sort()) {
  const folder = path.join(here, "node_modules", name);
  const { version, license } = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
  const file = fs.readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  if (!file) throw new Error(`${name} comes without the text of its licence`);
  const text = fs.readFileSync(path.join(folder, file), "utf8").trim();
  // What many have in common stands there once, below whose work each is.
  const [whose] = /^Copyright .*$/m.exec(text) ?? [""];
  const terms = text.replace(whose, "").replace(/\s+/g, " ").trim();
  if (!licences.has(terms)) licences.set(terms, { told: text.replace(whose, "").replace(/\n{3,}/g, "\n\n").trim(), of: [] });
  licences.get(terms).of.push(`${name} ${version} (${license})${whose && `\n${whose}`}`);
}
const head = "Parts of desk.js and of the files beside it are other people's work, under these licences.\n\n";
const told = [...licences.values()].map((one) => `${one.of.join("\n\n")}\n\n${one.told}\n`);
if (told.length) fs.writeFileSync(path.join(out, "LICENSES.txt"), head + told.join(`\n${"-".repeat(80)}\n\n`));

for (const file of fs.readdirSync(out).sort()) console.log(file, fs.statSync(path.join(out, file)).size);
