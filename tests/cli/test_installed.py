"""A new project's workflow can install the very Chronicle that made it, also before there is a release."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement as Parsed

from chronicle import __version__
from chronicle.cli import main
from chronicle.cli.installed import requirement_for, wheel_path
from chronicle.core.installation import install_command_for
from tests.conftest import ROOT
from tests.needs import program

COMMIT = "0" * 40
GIT = {"vcs_info": {"vcs": "git", "commit_id": COMMIT}}


def git(folder: Path, *words: str) -> str:
    name = ("-c", "user.name=Kim", "-c", "user.email=kim@example.org")
    done = subprocess.run(
        [program("git"), *name, *words],
        cwd=folder,
        check=True,
        capture_output=True,
        encoding="utf-8",
    )
    return done.stdout.strip()


def test_a_release_is_pinned() -> None:
    assert requirement_for(None).requirement_line == f"chronicle-tabletop=={__version__}"


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/games/chronicle.git",
        "https://kim:secret@example.org/games/chronicle.git",
        "ssh://git@example.org:2222/games/chronicle.git",
        "git@example.org:games/chronicle.git",
    ],
)
@pytest.mark.parametrize("kind", ["repository", "checkout"])
def test_a_repository_is_installed_from_over_https(url: str, kind: str, tmp_path: Path) -> None:
    origin: dict[str, Any] = {"url": url, **GIT}
    commit = COMMIT
    if kind == "checkout":
        git(tmp_path, "init", "-q")
        git(tmp_path, "commit", "-q", "--allow-empty", "-m", "Begin")
        git(tmp_path, "remote", "add", "origin", url)
        origin = {"url": tmp_path.as_uri(), "dir_info": {"editable": True}}
        commit = git(tmp_path, "rev-parse", "HEAD")
    requirement = requirement_for(origin)
    parsed = Parsed(requirement.requirement_line)
    assert parsed.name == "chronicle-tabletop"
    assert parsed.url == f"git+https://example.org/games/chronicle.git@{commit}"
    assert "Until chronicle-tabletop" in requirement.reason and "\n" not in requirement.reason


@pytest.mark.parametrize(
    "origin",
    [
        {"url": "file:///home/kim/chronicle.whl", "archive_info": {}},
        {"url": "file:///home/kim/chronicle", "dir_info": {}},
        {"url": "file:///home/kim/chronicle", **GIT},
    ],
)
def test_what_no_address_leads_to_is_installed_from_a_wheel_of_the_project(
    origin: dict[str, Any],
) -> None:
    requirement = requirement_for(origin)
    assert requirement.requirement_line == f"./{wheel_path()}"
    assert "/home/kim" not in requirement.reason + requirement.requirement_line


def test_a_wheel_from_an_address_is_installed_from_there() -> None:
    origin = {"url": "https://kim:secret@example.org/chronicle.whl#sha256=ab", "archive_info": {}}
    requirement = requirement_for(origin).requirement_line
    assert Parsed(requirement).url == "https://example.org/chronicle.whl#sha256=ab"


def test_the_file_gives_its_reason_in_comments(tmp_path: Path) -> None:
    assert main(["new", str(tmp_path / "ours"), "--game", "positive"]) == 0
    text = (tmp_path / "ours" / "requirements.txt").read_text(encoding="utf-8")
    *comments, line = text.splitlines()
    assert comments and all(
        comment.startswith("# ") and len(comment) <= 120 for comment in comments
    )
    assert "chronicle" in line


PLACEHOLDER = re.compile(
    r"pip3? (?:install|wheel|download) (?:[^`{\x22\n]*\s)?([A-Z][A-Z_-]+)(?![\w/.-])"
)
"""A word in capitals among the arguments of pip, which is not part of a path."""


def test_no_command_for_pip_has_a_placeholder_that_names_a_package() -> None:
    """``pip wheel CHECKOUT`` would download the package ``checkout`` of a stranger, and run it."""
    assert PLACEHOLDER.search("put it there: pip wheel --no-deps -w wheels CHECKOUT")
    assert not PLACEHOLDER.search("pip wheel --no-deps -w PATH/TO/YOUR/SITE/wheels .")
    files = [
        file
        for pattern in ("*.md", "docs/**/*.md", "chronicle/**/*.py", "*s/*/README.md")
        for file in ROOT.glob(pattern)
    ]
    assert [file for file in files if PLACEHOLDER.search(file.read_text(encoding="utf-8"))] == []


@pytest.mark.integration
def test_the_wheel_is_installed_by_the_line_of_the_workflow(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text(f"./{wheel_path()}\n", encoding="utf-8")
    built = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d"]
    subprocess.run([*built, str(tmp_path / "wheels")], cwd=ROOT, check=True, capture_output=True)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*pip, "--target", "there", "-r", "requirements.txt"], cwd=tmp_path, check=True)
    assert (tmp_path / "there" / "chronicle" / "__init__.py").is_file()
    assert not (tmp_path / "there" / "CHANGELOG.md").exists()


@pytest.mark.integration
@pytest.mark.slow
@pytest.mark.parametrize("kind", ["wheel", "sdist"])
def test_a_release_is_installed_by_name_from_an_index(kind: str, tmp_path: Path) -> None:
    page = tmp_path / "index" / "chronicle-tabletop"
    built = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(page)]
    subprocess.run(built, cwd=ROOT, check=True, capture_output=True)
    (file,) = (path for path in page.iterdir() if path.suffix in (".whl", ".gz"))
    (page / "index.html").write_text(f'<a href="{file.name}">{file.name}</a>\n', encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    index = ("--index-url", (tmp_path / "index").as_uri())
    subprocess.run(
        [*pip, *index, "--target", "there", f"chronicle-tabletop=={__version__}"],
        cwd=tmp_path,
        check=True,
    )
    assert (tmp_path / "there" / "bin" / "chronicle").is_file()
    command = [sys.executable, "-m", "chronicle", "--version"]
    completed = subprocess.run(
        command, cwd=tmp_path / "there", check=True, capture_output=True, encoding="utf-8"
    )
    assert completed.stdout.startswith(f"chronicle {__version__}")


@pytest.mark.parametrize(
    ("origin", "command"),
    [
        (None, 'pip install "chronicle-tabletop[book]"'),
        ({"dir_info": {}}, f'pip install "{ROOT}[book]"'),
        ({"dir_info": {"editable": True}}, f'pip install --editable "{ROOT}[book]"'),
        (
            {**GIT, "url": "https://forge.example/us/chronicle"},
            f'pip install "chronicle-tabletop[book] @ git+https://forge.example/us/chronicle@{COMMIT}"',
        ),
        (
            {"archive_info": {}, "url": "file:///tmp/chronicle_tabletop-0.1.0-py3-none-any.whl"},
            'pip install "chronicle-tabletop[book] @ file:///tmp/chronicle_tabletop-0.1.0-py3-none-any.whl"',
        ),
    ],
)
def test_an_extra_comes_from_where_chronicle_came(
    origin: dict[str, Any] | None, command: str
) -> None:
    if origin is not None:
        origin = {"url": ROOT.as_uri(), **origin}
    assert install_command_for(origin, "book") == command
    # The source code is no longer there.
    gone = {"dir_info": {}, "url": (ROOT / "gone").as_uri()}
    assert install_command_for(gone, "book") == 'pip install "chronicle-tabletop[book]"'
