// pytest in Pyodide: node run.mjs PYODIDE ROOT PACKAGES [argument of pytest ...]
import { pathToFileURL } from "node:url";
import { join } from "node:path";

const [pyodide, root, packages, ...args] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(pyodide, "pyodide.mjs")));
const py = await loadPyodide();
for (const [at, folder] of [["/house", root], ["/packages", packages], ["/scratch", process.env.CHRONICLE_CI_SCRATCH]]) {
  py.FS.mkdirTree(at);
  py.FS.mount(py.FS.filesystems.NODEFS, { root: folder }, at);
}
py.globals.set("args", py.toPy(args));
process.exit(await py.runPythonAsync(`
import os, sys
os.environ.update(PYTEST_DISABLE_PLUGIN_AUTOLOAD="1", CHRONICLE_REQUIRE_ALL="1")
os.chdir("/house")
sys.dont_write_bytecode = True
sys.path[:0] = ["/house"]
sys.path.append("/packages")
import pytest
int(pytest.main(["-q", "-p", "no:cacheprovider", *args]))
`));
