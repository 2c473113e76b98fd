"""Pyodide as it is pinned here, fetched from npm once: ``python fetch.py FOLDER`` prints where it lies.

It is kept in ``FOLDER/pyodide-VERSION``. npm fetches it and this checks its bytes, so it does not
matter which registry npm asks.
"""

from __future__ import annotations

import base64
import hashlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

VERSION = "314.0.7"
SHA512 = "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
FILES = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "pyodide-lock.json",
    "python_stdlib.zip",
    "package.json",
)


def fetch(cache: Path) -> Path:
    """The folder of Pyodide's files, below ``cache``.

    Raises:
        SystemExit: with one line, when npm is not there, fetches nothing, or fetches something else.
    """
    folder = cache / f"pyodide-{VERSION}"
    if all((folder / name).is_file() for name in FILES):
        return folder
    npm = shutil.which("npm")
    if npm is None:
        raise SystemExit("npm is not installed: it fetches Pyodide")
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache) as scratch:
        ran = subprocess.run(
            [npm, "pack", f"pyodide@{VERSION}", "--silent", "--pack-destination", scratch],
            capture_output=True,
            encoding="utf-8",
        )
        packed = next(Path(scratch).glob("*.tgz"), None)
        if ran.returncode or packed is None:
            raise SystemExit(f"npm fetched no pyodide@{VERSION}: {ran.stderr.strip()[-300:]}")
        digest = base64.b64encode(hashlib.sha512(packed.read_bytes()).digest()).decode()
        if digest != SHA512:
            raise SystemExit(f"what npm fetched is not the pyodide@{VERSION} that is pinned here")
        ready = Path(scratch) / "ready"
        ready.mkdir()
        with tarfile.open(packed) as tar:
            for name in FILES:
                member = tar.extractfile(f"package/{name}")
                assert member is not None, name
                (ready / name).write_bytes(member.read())
        shutil.rmtree(folder, ignore_errors=True)
        ready.replace(folder)
    return folder


if __name__ == "__main__":
    print(fetch(Path(sys.argv[1]).resolve()))
