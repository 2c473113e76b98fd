// Packs the library that the site's search uses into chronicle/site/assets/vendor/. `node search.mjs FOLDER` packs
// it elsewhere, so that a test can compare.

import { build } from "esbuild";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const out = path.resolve(process.argv[2] ?? path.join(here, "..", "chronicle", "site", "assets", "vendor"));
fs.mkdirSync(out, { recursive: true });
await build({
  absWorkingDir: here,
  stdin: { contents: 'import MiniSearch from "minisearch"; window.MiniSearch = MiniSearch;', resolveDir: here },
  outfile: path.join(out, "minisearch.js"),
  bundle: true,
  minify: true,
  format: "iife",
  target: ["es2022", "chrome105", "firefox115", "safari16"],
  charset: "utf8",
  legalComments: "none",
});
fs.copyFileSync(path.join(here, "node_modules", "minisearch", "LICENSE.txt"), path.join(out, "minisearch.LICENSE.txt"));
