"""What is installed, here and by CI: pinned, the same in every list, and installable with every Python we promise."""

from __future__ import annotations

import json
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
"""The oldest Python that we promise: a pin that only a later patch release takes is none for it."""


def pins(name: str) -> dict[NormalizedName, str]:
    """The versions that a file of requirements pins, by the name of the package."""
    found: dict[NormalizedName, str] = {}
    for line in (ROOT / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith(("#", " ")):
            one = Requirement(line.rstrip("\\ "))
            (version,) = one.specifier
            assert version.operator == "==", line
            assert canonicalize_name(one.name) not in found, f"{one.name} stands twice in {name}"
            found[canonicalize_name(one.name)] = version.version
    return found


def project() -> Any:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def asked_for() -> list[Requirement]:
    """What pyproject.toml asks for, to run, to test, to build and to pack with."""
    told = project()
    lists = [
        told["project"]["dependencies"],
        told["project"]["optional-dependencies"]["test"],
        told["dependency-groups"]["build"],
        told["build-system"]["requires"],
    ]
    # The extras that the tests take in.
    for one in map(Requirement, told["project"]["optional-dependencies"]["test"]):
        lists += [
            told["project"]["optional-dependencies"][extra]
            for extra in one.extras
            if one.name == told["project"]["name"]
        ]
    asked = [Requirement(line) for listed in lists for line in listed]
    return [one for one in asked if one.name != told["project"]["name"]]


def test_the_lock_and_the_constraints_are_the_same_versions() -> None:
    assert pins("lock.txt") == pins("constraints.txt"), "run 'make lock'"


def test_what_pyproject_asks_for_is_locked_in_a_version_it_allows() -> None:
    locked = pins("lock.txt")
    asked = asked_for()
    assert len(asked) > 30
    for one in asked:
        assert one.specifier.contains(locked[canonicalize_name(one.name)]), one


def test_what_is_promised_to_work_is_pinned_as_low_as_it_is_asked_for() -> None:
    asked = {
        canonicalize_name(one.name): one
        for one in map(Requirement, project()["project"]["dependencies"])
    }
    lowest = pins("constraints-lowest.txt")
    assert lowest.keys() == asked.keys()
    for name, version in lowest.items():
        least = [each.version for each in asked[name].specifier if each.operator == ">="]
        assert least == [version], name


def test_every_file_in_the_lock_has_a_hash_and_names_no_place() -> None:
    text = (ROOT / "lock.txt").read_text(encoding="utf-8")
    entries = re.split(r"(?m)^(?=[A-Za-z])", text)[1:]
    assert len(entries) == len(pins("lock.txt"))
    for entry in entries:
        assert re.fullmatch(r"\S+==.*?( \\\n    --hash=sha256:[0-9a-f]{64})+\n", entry), entry[:60]


def installed() -> list[metadata.Distribution]:
    pinned = pins("constraints.txt")
    return [
        one
        for one in metadata.distributions()
        if pinned.get(canonicalize_name(one.name)) == one.version
    ]


def test_every_pin_can_be_installed_with_the_oldest_python() -> None:
    found = installed()
    assert len(found) > 100
    late = [
        f"{one.name} {one.version} needs Python {one.metadata['Requires-Python']}"
        for one in found
        if "Requires-Python" in one.metadata
        and FIRST not in SpecifierSet(one.metadata["Requires-Python"])
    ]
    assert late == []


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.name)
def test_every_action_is_pinned_by_its_commit(file: Path) -> None:
    used = re.findall(r"(?m)\buses: *(.*)$", file.read_text(encoding="utf-8"))
    assert used
    for one in used:
        assert re.fullmatch(r"[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", one), one


@pytest.mark.parametrize("file", PACKED, ids=lambda file: file.parent.name)
def test_every_package_of_npm_is_pinned_and_locked(file: Path) -> None:
    told = json.loads(file.read_text(encoding="utf-8"))
    lock = json.loads(file.with_name("package-lock.json").read_text(encoding="utf-8"))
    for kind in ("dependencies", "devDependencies"):
        assert lock["packages"][""].get(kind) == told.get(kind)
        assert all(re.fullmatch(r"[\d.]+", version) for version in told.get(kind, {}).values())
    for name, one in lock["packages"].items():
        assert not name or one["integrity"].startswith("sha512-"), name
        assert "resolved" not in one, name


INSTALLS = re.compile(
    r"-m pip(?: -\S+)* (?:install|wheel) |call (?:PIP|INSTALL),"
    r"|\bnpm (?:install|i|add)\b|\bnpx (?!vsce\b)"
)
PINNED = re.compile(r"--require-hashes|--no-deps|--constraint|==|call INSTALL,|\$\(1\)")
RECIPES = [ROOT / "Makefile", ROOT / ".ci" / "run", ROOT / ".ci" / "release", *WORKFLOWS]


@pytest.mark.parametrize("file", RECIPES, ids=lambda file: file.name)
def test_nothing_is_installed_in_whatever_version_is_newest(file: Path) -> None:
    text = file.read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line.strip() for line in text.splitlines() if INSTALLS.search(line.partition("##")[0])]
    assert [line for line in lines if not PINNED.search(line)] == []
    # What is built while it is installed is built with what was pinned too.
    built = [line for line in lines if re.search(r"--editable|pip wheel| \.( |$)", line)]
    assert [line for line in built if "--no-build-isolation" not in line] == []


def test_where_python_makes_no_environment_one_line_says_what_to_install(tmp_path: Path) -> None:
    """Debian's Python without the package python3-venv."""
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "ensurepip.py").write_text("raise ImportError", encoding="utf-8")
    python = tmp_path / "python3"
    python.write_text(f'#!/bin/sh\nPYTHONPATH="{tmp_path}" exec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    done = subprocess.run(
        [program("make"), f"PYTHON={python}", "site"],
        cwd=tmp_path, capture_output=True, encoding="utf-8", timeout=60,
    )  # fmt: skip
    assert done.returncode != 0
    assert len(done.stdout.splitlines()) == 2, "what is done, and what is missing"
    assert "apt install python3-venv" in done.stdout
    assert not (tmp_path / ".venv").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="CI's bare machine is a Linux")
def test_the_bare_machine_of_ci_lacks_every_program_that_is_optional(tmp_path: Path) -> None:
    text = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    (function,) = re.findall(r"(?ms)^make_bare_path\(\) \{\n.*?^\}\n", text)
    script = f"set -euo pipefail\nPYTHON='{sys.executable}'\n{function}make_bare_path '{tmp_path}'"
    subprocess.run([program("bash"), "-c", script], check=True)
    there = {file.name for file in tmp_path.iterdir()}
    assert {"python3", "make", "git", "bash", "sh"} <= there
    assert there.isdisjoint((OPTIONAL | {*CHROMIUMS}) - {"bash", "bean-check", "git", "make"})
    version = subprocess.check_output([tmp_path / "python3", "--version"], encoding="utf-8")
    assert re.match(r"Python 3\.(1[1-9]|[2-9]\d)", version)
