"""Programs, packages and libraries that some tests need and a machine may lack.

Only this module looks for them. A test whose program is missing is skipped with one line that names the
program; under ``CHRONICLE_REQUIRE_ALL=1`` the test fails.

Start such a program by the path that :func:`program` returns.
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
"""Programs that Chronicle works without. Tests find them with :func:`program`."""

CHROMIUMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first is the same without windows: it takes two thirds of the time that the others take for a page."""


def program(*names: str, setting: str = "") -> str:
    """Find a program, or skip the test.

    Args:
        names: the names of the program, the best first. The folder of Python is searched before the ``PATH``.
        setting: an environment variable that may give its path.

    Returns:
        Its path.
    """
    if setting and os.environ.get(setting):
        return os.environ[setting]
    paths = [path for name in names for path in installed(name)]
    if not paths:
        how = f" ({setting} may give its path)" if setting else ""
        pytest.skip(f"{' or '.join(names)} is not installed{how}")
    return paths[0]


def installed(name: str) -> list[str]:
    """The paths of a program: in the folder of Python, on the ``PATH``, or both."""
    beside_python = str(Path(sys.executable).parent)
    places = [shutil.which(name, path=beside_python), shutil.which(name)]
    return list(dict.fromkeys(filter(None, places)))


def neovim(least: tuple[int, int] = (0, 0)) -> str:
    """The path of the oldest Neovim that is at least of a version."""
    paths = {_version_of(path): path for path in installed("nvim")}
    fitting = [version for version in paths if version >= least]
    if not fitting:
        which = " {}.{} or newer".format(*least) if any(least) else ""
        pytest.skip(f"Neovim{which} (nvim) is not installed")
    return paths[min(fitting)]


def _version_of(nvim: str) -> tuple[int, int]:
    printed = subprocess.run([nvim, "--version"], capture_output=True, encoding="utf-8").stdout
    version = re.match(r"NVIM v(\d+)\.(\d+)", printed)
    return (int(version[1]), int(version[2])) if version else (0, 0)


def chromium() -> str:
    """The path of a Chromium."""
    return program(*CHROMIUMS, setting="CHRONICLE_CHROMIUM")


def npm_package(name: str) -> Path:
    """The folder of an npm package; the page of the desk is built and tested with these packages."""
    folder = PACKAGES / name
    if not (folder / "package.json").is_file():
        pytest.skip(f"the npm package {name} is not installed: npm ci --prefix page")
    return folder


def module(name: str) -> None:
    """Skip the test without a Python package: some systems have no wheel of it."""
    if find_spec(name) is None:
        pytest.skip(f"the Python package {name} is not installed")


def pango() -> None:
    """Skip the test without Pango, which WeasyPrint draws letters with."""
    from chronicle.site.binding.manuscript import NoBook  # reads more than most tests need
    from chronicle.site.binding.pdf import check_weasyprint

    try:
        check_weasyprint()
    except NoBook as error:
        pytest.skip(str(error).partition("\n")[0])


def forking() -> None:
    """Skip the test on a system that cannot fork processes."""
    import multiprocessing  # not to be had everywhere

    if "fork" not in multiprocessing.get_all_start_methods():
        pytest.skip("no process can be forked on this system")


def desk_on(site: Path) -> None:
    """Skip the test if a built site has no desk."""
    if not (site / "desk" / "parts.json").is_file():
        pytest.skip("the site has no desk in it: make device packs it")
