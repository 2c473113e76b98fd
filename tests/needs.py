"""What a test needs and a machine may lack. This is the only place that looks for it: where it is missing the
test is skipped, in one line that names it, and fails under ``CHRONICLE_REQUIRE_ALL=1``.

A program that is named here is started by the path that :func:`program` gives.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

PACKAGES = Path(__file__).resolve().parent.parent / "page" / "node_modules"

OPTIONAL = frozenset(
    {
        "bash",
        "bean-check",
        "chromium",
        "chromium-headless-shell",
        "dot",
        "firefox",
        "firefox-esr",
        "fish",
        "git",
        "hledger",
        "java",
        "make",
        "node",
        "npm",
        "nvim",
        "zsh",
    }
)
"""Programs that Chronicle does without, and its tests may not start without asking for them."""

CHROMIUMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first is the same without windows: it takes two thirds of the time that the others take for a page."""


def program(*names: str, setting: str = "") -> str:
    """Find a program, or skip the test.

    Args:
        names: what it may be called, the best first. What lies beside Python comes before the ``PATH``.
        setting: an environment variable that may give its path.

    Returns:
        Its path.
    """
    if setting and os.environ.get(setting):
        return os.environ[setting]
    found = [path for name in names for path in installed(name)]
    if not found:
        how = f" ({setting} may give its path)" if setting else ""
        pytest.skip(f"{' or '.join(names)} is not installed{how}")
    return found[0]


def installed(name: str) -> list[str]:
    """The paths of a program that lies beside Python, on the ``PATH``, or both."""
    beside_python = str(Path(sys.executable).parent)
    places = [shutil.which(name, path=beside_python), shutil.which(name)]
    return list(dict.fromkeys(filter(None, places)))


def neovim(least: tuple[int, int] = (0, 0)) -> str:
    """The path of the oldest Neovim that is at least of a version."""
    found = {_version_of(path): path for path in installed("nvim")}
    fitting = [version for version in found if version >= least]
    if not fitting:
        which = " {}.{} or newer".format(*least) if any(least) else ""
        pytest.skip(f"Neovim{which} (nvim) is not installed")
    return found[min(fitting)]


def _version_of(nvim: str) -> tuple[int, int]:
    said = subprocess.run([nvim, "--version"], capture_output=True, encoding="utf-8").stdout
    found = re.match(r"NVIM v(\d+)\.(\d+)", said)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def chromium() -> str:
    """The path of a Chromium."""
    return program(*CHROMIUMS, setting="CHRONICLE_CHROMIUM")


def npm_package(name: str) -> Path:
    """The folder of a package that the desk's page is built or tested with."""
    folder = PACKAGES / name
    if not (folder / "package.json").is_file():
        pytest.skip(f"the npm package {name} is not installed: npm ci --prefix page")
    return folder


def module(name: str) -> None:
    """A Python package that some systems have no wheel of."""
    if find_spec(name) is None:
        pytest.skip(f"the Python package {name} is not installed")


def pango() -> None:
    """The library that letters are drawn with on paper."""
    from chronicle.site.binding.manuscript import NoBook  # reads more than most tests need
    from chronicle.site.binding.pdf import ready

    try:
        ready()
    except NoBook as error:
        pytest.skip(str(error).partition("\n")[0])


def forking() -> None:
    """A system where a process can begin as another one is."""
    import multiprocessing  # not to be had everywhere

    if "fork" not in multiprocessing.get_all_start_methods():
        pytest.skip("no process can be forked on this system")


def desk_on(site: Path) -> None:
    """A site with a desk in it."""
    if not (site / "desk" / "parts.json").is_file():
        pytest.skip("the site has no desk in it: make device packs it")
