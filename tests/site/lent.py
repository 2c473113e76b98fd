"""A stand-in for the package with Python for browsers: as many files, and nothing in them that runs."""

import gzip
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from chronicle.site.device import digest_of, source_files, zip_files

PACKAGE = "chronicle_desk_data"


def lent(folder: Path, monkeypatch: pytest.MonkeyPatch, *, ours: bool = False) -> Path:
    """Have the package installed; ``ours``: made from the sources that run here."""
    parts = {
        "sources": digest_of(source_files()) if ours else "other",
        "lock": {"info": {}, "packages": {}},
        "pyodide": "pyodide-0/",
        "engine": ["pyodide-0/pyodide.mjs", "pyodide-0/pyodide.asm.wasm"],
        "pack": "chronicle-0.zip.gz",
        "memory": "memory-0.bin.gz",
    }
    (folder / "pyodide-0").mkdir(parents=True)
    for name in ("pyodide-0/pyodide.mjs", "pyodide-0/pyodide.asm.wasm", "memory-0.bin.gz"):
        (folder / name).write_bytes(b"0")
    readers = {"yaml/__init__.pyc": b"0", "chronicle/__init__.pyc": b"0"}
    (folder / "chronicle-0.zip.gz").write_bytes(gzip.compress(zip_files(readers)))
    (folder / "parts.json").write_text(json.dumps(parts), encoding="utf-8", newline="\n")
    monkeypatch.setitem(sys.modules, PACKAGE, SimpleNamespace(FOLDER=folder))
    return folder
