// Python's memory, as it was kept once everything was imported.

/**
 * Settings for `loadPyodide` to begin with a memory that was kept. `create` is what makes the engine
 * (`pyodide.asm.mjs`). The engine's own memory has to be as large before the kept one is put into it.
 */
export function beginningWith(memory, create) {
  return {
    _loadSnapshot: memory,
    createPyodideModule: async (settings) => {
      const engine = await create(settings);
      if (engine.HEAP8.length < memory.length) engine._malloc(memory.length - engine._malloc(16));
      return engine;
    },
  };
}
