"""Pins: every version is pinned, all lists have the same versions, and every promised Python installs them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import NormalizedName, canonicalize_name
from packaging.version import Version

from tests.conftest import ROOT
from tests.needs import CHROMIUMS, OPTIONAL, program

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PACKED = [ROOT / "page" / "package.json", ROOT / "editors" / "vscode" / "package.json"]
FIRST = Version("3.11.0")
"""The oldest Python that Chronicle promises. Some packages need a later patch release of the same Python."""


def pins(name: str) -> dict[NormalizedName, str]:
    """The versions that a file of requirements pins, by the name of the package."""
    versions: dict[NormalizedName, str] = {}
    for line in (ROOT / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith(("#", " ")):
            pin = Requirement(line.rstrip("\\ "))
            package = canonicalize_name(pin.name)
            (version,) = pin.specifier
            assert version.operator == "==", line
            assert package not in versions, f"{pin.name} is twice in {name}"
            versions[package] = version.version
    return versions


def project() -> Any:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def requirements() -> list[Requirement]:
    """What pyproject.toml requires to run, test, build and pack Chronicle."""
    settings = project()
    name = settings["project"]["name"]
    extras = settings["project"]["optional-dependencies"]
    lines = [
        *settings["project"]["dependencies"],
        *extras["test"],
        *settings["dependency-groups"]["build"],
        *settings["build-system"]["requires"],
    ]
    # The extra "test" includes other extras of Chronicle.
    for requirement in map(Requirement, extras["test"]):
        if requirement.name == name:
            lines += [line for extra in requirement.extras for line in extras[extra]]
    return [requirement for requirement in map(Requirement, lines) if requirement.name != name]


def test_lock_and_constraints_have_the_same_versions() -> None:
    assert pins("lock.txt") == pins("constraints.txt"), "run 'make lock'"


def test_locked_versions_are_those_that_pyproject_allows() -> None:
    locked = pins("lock.txt")
    assert len(requirements()) > 30
    for requirement in requirements():
        version = locked[canonicalize_name(requirement.name)]
        assert requirement.specifier.contains(version), requirement


def test_lowest_versions_are_those_that_pyproject_names() -> None:
    lowest = pins("constraints-lowest.txt")
    dependencies = [Requirement(line) for line in project()["project"]["dependencies"]]
    assert lowest.keys() == {canonicalize_name(requirement.name) for requirement in dependencies}
    for requirement in dependencies:
        least = [limit.version for limit in requirement.specifier if limit.operator == ">="]
        assert least == [lowest[canonicalize_name(requirement.name)]], requirement


def test_every_entry_of_the_lock_has_hashes_and_no_address() -> None:
    text = (ROOT / "lock.txt").read_text(encoding="utf-8")
    entries = re.split(r"(?m)^(?=[A-Za-z])", text)[1:]
    assert len(entries) == len(pins("lock.txt"))
    for entry in entries:
        assert re.fullmatch(r"\S+==.*?( \\\n    --hash=sha256:[0-9a-f]{64})+\n", entry), entry[:60]


def test_every_pin_installs_with_the_oldest_python() -> None:
    pinned = pins("constraints.txt")
    checked = 0
    for package in metadata.distributions():
        if pinned.get(canonicalize_name(package.name)) == package.version:
            checked += 1
            (needed,) = package.metadata.get_all("Requires-Python") or [""]
            assert FIRST in SpecifierSet(needed), f"{package.name} {package.version}: {needed}"
    assert checked > 100, "most pins are not installed here: make install"


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.name)
def test_every_action_is_pinned_by_commit(file: Path) -> None:
    actions = re.findall(r"(?m)\buses: *(.*)$", file.read_text(encoding="utf-8"))
    assert actions
    for action in actions:
        assert re.fullmatch(r"[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action), action


@pytest.mark.parametrize("file", PACKED, ids=lambda file: file.parent.name)
def test_npm_packages_are_pinned_and_locked(file: Path) -> None:
    manifest = json.loads(file.read_text(encoding="utf-8"))
    lock = json.loads(file.with_name("package-lock.json").read_text(encoding="utf-8"))
    for kind in ("dependencies", "devDependencies"):
        assert lock["packages"][""].get(kind) == manifest.get(kind)
        assert all(re.fullmatch(r"[\d.]+", version) for version in manifest.get(kind, {}).values())
    for name, package in lock["packages"].items():
        assert not name or package["integrity"].startswith("sha512-"), name
        assert "resolved" not in package, name


INSTALLS = re.compile(
    r"-m pip(?: -\S+)* (?:install|wheel) |call (?:PIP|INSTALL),"
    r"|\bnpm (?:install|i|add)\b|\bnpx (?!vsce\b)"
)
PINNED = re.compile(r"--require-hashes|--no-deps|--constraint|==|call INSTALL,|\$\(1\)")
RECIPES = [ROOT / "Makefile", ROOT / ".ci" / "run", ROOT / ".ci" / "release", *WORKFLOWS]


@pytest.mark.parametrize("file", RECIPES, ids=lambda file: file.name)
def test_nothing_is_installed_unpinned(file: Path) -> None:
    text = file.read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line.strip() for line in text.splitlines() if INSTALLS.search(line.partition("##")[0])]
    assert [line for line in lines if not PINNED.search(line)] == []
    # pip would build Chronicle with the newest hatchling.
    builds = [line for line in lines if re.search(r"--editable|pip wheel| \.( |$)", line)]
    assert [line for line in builds if "--no-build-isolation" not in line] == []


def test_make_says_what_to_install_for_a_virtual_environment(tmp_path: Path) -> None:
    """As on Debian without the package python3-venv."""
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "ensurepip.py").write_text("raise ImportError", encoding="utf-8")
    python = tmp_path / "python3"
    python.write_text(f'#!/bin/sh\nPYTHONPATH="{tmp_path}" exec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    run = subprocess.run(
        [program("make"), f"PYTHON={python}", "site"],
        cwd=tmp_path, capture_output=True, encoding="utf-8", timeout=60,
        env={key: value for key, value in os.environ.items() if not key.startswith("MAKE")},
    )  # fmt: skip
    assert run.returncode != 0
    assert len(run.stdout.splitlines()) == 2, "the step and what is missing"
    assert "apt install python3-venv" in run.stdout
    assert not (tmp_path / ".venv").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="CI's bare machine is a Linux")
def test_the_bare_machine_of_ci_has_no_optional_program(tmp_path: Path) -> None:
    text = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    (function,) = re.findall(r"(?ms)^make_bare_path\(\) \{\n.*?^\}\n", text)
    script = f"set -euo pipefail\nPYTHON='{sys.executable}'\n{function}make_bare_path '{tmp_path}'"
    subprocess.run([program("bash"), "-c", script], check=True)
    programs = {file.name for file in tmp_path.iterdir()}
    assert {"python3", "make", "git", "bash", "sh"} <= programs
    assert programs.isdisjoint((OPTIONAL | {*CHROMIUMS}) - {"bash", "bean-check", "git", "make"})
    version = subprocess.check_output([tmp_path / "python3", "--version"], encoding="utf-8")
    assert re.match(r"Python 3\.(1[1-9]|[2-9]\d)", version)
