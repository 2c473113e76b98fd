"""Fill ``chronicle_desk_data/data`` with what Chronicle needs to run in a browser: ``python build.py CACHE``,
with the Python that Chronicle is installed for. Needs npm and node.

Nothing is done where all of it is there already, made from the same sources.
"""

from __future__ import annotations

import gzip
import hashlib
import importlib.util
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from fetch import FILES, VERSION, fetch

from chronicle.site.device import digest_of, source_files, zip_files

HERE = Path(__file__).parent
DATA = HERE / "chronicle_desk_data" / "data"
READERS = ("yaml", "ruamel.yaml")


def readers() -> dict[str, bytes]:
    """The modules of the two YAML readers, as they are installed here."""
    found: dict[str, bytes] = {}
    for name in READERS:
        spec = importlib.util.find_spec(name)
        assert spec is not None and spec.submodule_search_locations, name
        folder = Path(next(iter(spec.submodule_search_locations)))
        for file in sorted(folder.rglob("*.py")):
            path = f"{name.replace('.', '/')}/{file.relative_to(folder).as_posix()}"
            found[path] = file.read_bytes()
    return found


def build(cache: Path) -> bool:
    """Make the data anew where it has to be; whether it had to.

    Raises:
        SystemExit: with one line, where something is missing for it.
    """
    ours, theirs = source_files(), readers()
    made_of = digest_of({**ours, **theirs, "pyodide": VERSION.encode(), **_tools()})
    parts = DATA / "parts.json"
    if parts.is_file() and json.loads(parts.read_text(encoding="utf-8"))["made of"] == made_of:
        return False
    node = shutil.which("node")
    if node is None:
        raise SystemExit("node is not installed: it runs Pyodide to pack Chronicle for browsers")
    pyodide = fetch(cache)
    with tempfile.TemporaryDirectory(dir=cache) as scratch:
        work, ready = Path(scratch, "work"), Path(scratch, "ready")
        work.mkdir()
        (work / "sources.zip").write_bytes(zip_files({**ours, **theirs}))
        subprocess.run([node, str(HERE / "make.mjs"), str(pyodide), str(work)], check=True)
        engine = f"pyodide-{VERSION}/"
        (ready / engine).mkdir(parents=True)
        shown = [name for name in FILES if name not in ("pyodide-lock.json", "package.json")]
        for name in shown:
            shutil.copyfile(pyodide / name, ready / engine / name)
        lock = json.loads((pyodide / "pyodide-lock.json").read_text(encoding="utf-8"))
        about = {
            "made of": made_of,
            "sources": digest_of(ours),
            "lock": {**lock, "packages": {}},
            "pyodide": engine,
            "engine": [engine + name for name in shown],
            "pack": _put(work / "chronicle.zip", ready, "chronicle", "zip"),
            "memory": _put(work / "memory.bin", ready, "memory", "bin"),
        }
        (ready / "parts.json").write_text(json.dumps(about), encoding="utf-8", newline="\n")
        shutil.rmtree(DATA, ignore_errors=True)
        shutil.move(ready, DATA)
    return True


def _tools() -> dict[str, bytes]:
    return {name: (HERE / name).read_bytes() for name in ("make.mjs", "pack.py")}


def _put(file: Path, folder: Path, name: str, ending: str) -> str:
    """A file, packed, under a name that changes with what it holds."""
    data = gzip.compress(file.read_bytes(), 9, mtime=0)
    put = f"{name}-{hashlib.sha256(data).hexdigest()[:16]}.{ending}.gz"
    (folder / put).write_bytes(data)
    return put


if __name__ == "__main__":
    build(Path(sys.argv[1]).resolve())
