// node make.mjs PYODIDE WORK: WORK/sources.zip compiled, as WORK/chronicle.zip, and WORK/memory.bin, which is
// Python's memory once all of it is imported. A desk that begins with that memory opens sooner.

import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { beginningWith } from "../../page/src/device/python.js";

const [pyodide, work] = process.argv.slice(2).map((one) => path.resolve(one));
const { loadPyodide } = await import(pathToFileURL(path.join(pyodide, "pyodide.mjs")));
const lock = fs.readFileSync(path.join(pyodide, "pyodide-lock.json"), "utf8");
const settings = () => ({ lockFileContents: { ...JSON.parse(lock), packages: {} }, packageBaseUrl: "./" });

const compiling = await loadPyodide(settings());
compiling.FS.mkdir("/work");
compiling.FS.mount(compiling.FS.filesystems.NODEFS, { root: work }, "/work");
compiling.runPython(fs.readFileSync(new URL("pack.py", import.meta.url), "utf8"));

const PACK = "/lib/chronicle.zip";
const fresh = await loadPyodide({ ...settings(), _makeSnapshot: true });
fresh.FS.writeFile(PACK, fs.readFileSync(path.join(work, "chronicle.zip")));
fresh.runPython(`import sys; sys.path.insert(0, "${PACK}"); from pathlib import Path; from chronicle.services.warm import warm_up; warm_up(Path("/warm"))`);
fs.writeFileSync(path.join(work, "memory.bin"), fresh.makeMemorySnapshot());

// What was kept has to come back, here and now.
const { default: create } = await import(pathToFileURL(path.join(pyodide, "pyodide.asm.mjs")));
const again = await loadPyodide({ ...settings(), ...beginningWith(fs.readFileSync(path.join(work, "memory.bin")), create) });
again.FS.writeFile(PACK, fs.readFileSync(path.join(work, "chronicle.zip")));
if (!again.runPython("import sys; 'chronicle.services.device' in sys.modules")) throw new Error("the memory that was kept does not come back");
process.exit(0);
