// Builds what runs beside the desk page on a static site into chronicle/site/assets/device/. `node device.mjs
// FOLDER` builds it elsewhere, so that a test can compare.

import { build } from "esbuild";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const out = path.resolve(process.argv[2] ?? path.join(here, "..", "chronicle", "site", "assets", "device"));
await build({
  absWorkingDir: here,
  entryPoints: { worker: "src/device/worker.js", sw: "src/device/sw.js", try: "src/device/try.js" },
  outdir: out,
  bundle: true,
  minify: true,
  format: "esm",
  target: ["es2022", "chrome117", "firefox121", "safari17.4"],
  charset: "utf8",
  legalComments: "none",
});
for (const file of ["app.webmanifest", "icon-192.png", "icon-512.png", "icon-maskable.png"]) fs.copyFileSync(path.join(here, "src", "device", file), path.join(out, file));
