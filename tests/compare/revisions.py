"""The program of another revision: its files, and a Python that has what it depends on."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / ".cache" / "compare"
"""Where the files of other revisions stay, so that the next comparison finds them."""


class UnknownRevision(Exception):
    """There is no such revision; the message says what Git says."""


class Revision(NamedTuple):
    """A checkout of Chronicle, and the Python to run it with."""

    name: str
    tree: Path
    python: str
    cache: Path | None = None
    """Where its answers may be kept for the next comparison: a commit never changes."""
    hash_seed: int = 0
    """``PYTHONHASHSEED`` of its processes."""


def here() -> Revision:
    """The checkout that this file belongs to."""
    return Revision("here", ROOT, sys.executable)


def revision(name: str) -> Revision:
    """Another revision: anything that Git knows (``main``, ``HEAD~3``, ``v0.1.0``), or the folder of a checkout.

    Its files are put into ``.cache/compare`` once. It runs with this Python, and with an environment of its own
    where it needs packages that this checkout does not.

    Raises:
        UnknownRevision: when it is neither.
    """
    if (Path(name) / "pyproject.toml").is_file():
        tree, cache = Path(name).resolve(), None
    else:
        commit = _git("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
        if not commit:
            raise UnknownRevision(
                f"'{name}' is neither a revision that Git knows nor the folder of a checkout"
            )
        tree = CACHE / commit.decode().strip()[:12]
        cache = tree.with_name(f"{tree.name}-answers")
        if not tree.is_dir():
            _unpack(commit.decode().strip(), tree)
    if _requirements(tree) <= _requirements(ROOT):
        return Revision(name, tree, sys.executable, cache)
    return Revision(name, tree, _environment(tree), cache)


def _git(*arguments: str) -> bytes:
    """What Git prints; nothing if it fails or is not installed."""
    if shutil.which("git") is None:
        return b""
    process = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True)
    return process.stdout if process.returncode == 0 else b""


def _unpack(commit: str, tree: Path) -> None:
    """Put the files of a commit into a folder: all of them or none, also if two comparisons begin at once."""
    CACHE.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(dir=CACHE))
    with zipfile.ZipFile(io.BytesIO(_git("archive", "--format=zip", commit))) as archive:
        archive.extractall(scratch)
    try:
        scratch.rename(tree)
    except OSError:
        shutil.rmtree(scratch)
        if not tree.is_dir():
            raise


def _requirements(tree: Path) -> set[str]:
    """The packages that a checkout needs, for the program and for its tests."""
    with (tree / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    return {*project["dependencies"], *project["optional-dependencies"]["test"]}


def _environment(tree: Path) -> str:
    """Make an environment with what a checkout needs, once.

    Returns:
        Its Python.
    """
    pins = (tree / "constraints.txt").read_bytes()
    needs = "\n".join(sorted(_requirements(tree))).encode()
    folder = CACHE / f"environment-{sha256(needs + pins).hexdigest()[:12]}"
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    ready = folder / "ready"
    if not ready.exists():
        print(f"Installing what {tree.name} needs ...", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
        install = [
            str(python),
            "-m",
            "pip",
            "--quiet",
            "--quiet",
            "--disable-pip-version-check",
            "install",
        ]
        pinned = ["--constraint", str(tree / "constraints.txt")]
        subprocess.run([*install, *pinned, "--editable", f"{tree}[test]"], check=True)
        ready.touch()
    return str(python)
