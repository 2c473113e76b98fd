// Starts Python in this worker, with Chronicle in it. Everything comes from beside the page; nothing is asked
// of anybody else.

const HOME = "/campaigns";
const PACK = "/lib/chronicle.zip";
const GAMES = "/lib/games";

/** Something gzipped, as it was. Some hosts unpack it on the way. */
async function inflated(response) {
  const data = await response.arrayBuffer();
  const [first, second] = new Uint8Array(data, 0, 2);
  if (first !== 0x1f || second !== 0x8b) return new Uint8Array(data);
  return new Uint8Array(await new Response(new Blob([data]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
}

async function fetched(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.pathname.split("/").pop()} could not be fetched (${response.status})`);
  return response;
}

/** Settings to begin with a kept memory. The engine that `create` makes has to be as large before it is put in. */
export const beginningWith = (memory, create) => ({
  _loadSnapshot: memory,
  createPyodideModule: async (settings) => {
    const engine = await create(settings);
    if (engine.HEAP8.length < memory.length) engine._malloc(memory.length - engine._malloc(16));
    return engine;
  },
});

/**
 * Resolves with `{python, device}`. `parts` are the files of this build; `remembered` says whether to begin with
 * Python's memory as it was kept when they were built.
 */
export async function start(base, parts, { remembered = true } = {}) {
  const at = (name) => new URL(`${name}`, base);
  const pack = fetched(at(parts.files.pack)).then(inflated);
  const memory = remembered && parts.files.memory ? fetched(at(parts.files.memory)).then(inflated) : null;
  const games = parts.files.games ? fetched(at(parts.files.games)).then(inflated) : null;
  const engine = import(at(`${parts.pyodide}pyodide.mjs`).href);
  const settings = {
    indexURL: at(parts.pyodide).href,
    packageBaseUrl: at(parts.pyodide).href,
    lockFileContents: structuredClone(parts.lock),
    stdout: () => {},
    stderr: (words) => console.warn(words),
  };
  // What is awaited later must not count as forgotten when it fails sooner.
  for (const one of [pack, memory, games]) one?.catch(() => {});
  const { loadPyodide } = await engine;
  let python = null;
  if (memory) {
    try {
      const held = await memory;
      const { default: create } = await import(at(`${parts.pyodide}pyodide.asm.mjs`).href);
      python = await loadPyodide({ ...settings, ...beginningWith(held, create) });
      python.FS.writeFile(PACK, await pack);
      python.runPython("import sys, random; assert '/lib/chronicle.zip' in sys.path; random.seed()");
    } catch (error) {
      console.warn("Starting from the kept memory failed; starting anew.", error);
      python = null;
    }
  }
  if (!python) {
    python = await loadPyodide({ ...settings, lockFileContents: structuredClone(parts.lock) });
    python.FS.writeFile(PACK, await pack);
    python.runPython(`import sys; sys.path.insert(0, "${PACK}")`);
  }
  if (games) python.unpackArchive(await games, "zip", { extractDir: GAMES });
  const device = python.runPython(`from chronicle.services.device import open_device; open_device("${HOME}", "${games ? GAMES : ""}")`);
  return { python, device };
}
