"""The how-to pages are followed, command by command."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import markdown
import pytest
import yaml

from chronicle.cli import main, project
from chronicle.site.template_files import template_names
from tests.conftest import ROOT
from tests.needs import module
from tests.site import template_tables
from tests.site.project import make_project
from tests.site.test_guest import CAMPAIGN, GUEST_STYLE, Wiki, written


def blocks(page: str, kind: str) -> list[str]:
    """The fenced blocks of a kind on a page."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    matches = re.findall(rf"^( *)```{re.escape(kind)}\n(.*?)^ *```", text, re.DOTALL | re.MULTILINE)
    return [textwrap.dedent(block) for _, block in matches]


def follow(command: str, at: Path) -> None:
    """Run a command of a page as a reader does."""
    bin = at.parent / "bin"
    bin.mkdir(exist_ok=True)
    for name in ("chronicle", "mkdocs"):
        (bin / name).write_text(
            f'#!/bin/sh\nexec "{sys.executable}" -m {name} "$@"\n', encoding="utf-8"
        )
        (bin / name).chmod(0o755)
    around = {
        "PATH": f"{bin}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "NO_MKDOCS_2_WARNING": "1",
        "DISABLE_MKDOCS_2_WARNING": "true",
    }
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=at,
        env=os.environ | around,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.integration
def test_chronicle_is_added_to_an_existing_site(tmp_path: Path) -> None:
    site = written(tmp_path / "wiki", Wiki(), chronicle=False)
    new, build = blocks("existing-site.md", "sh")
    follow(new, site)
    settings = yaml.safe_load((site / "mkdocs.yml").read_text(encoding="utf-8"))
    plugins, options = (yaml.safe_load(block) for block in blocks("existing-site.md", "yaml"))
    for chosen in (plugins, options):
        (site / "mkdocs.yml").write_text(yaml.safe_dump(settings | chosen), encoding="utf-8")
        follow(build, site)
        page = (site / "site" / CAMPAIGN / "index.html").read_text(encoding="utf-8")
        assert GUEST_STYLE in page
        assert f"{CAMPAIGN}/" in (site / "site" / "index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("page", "file", "template"),
    [
        ("github-pages.md", ".github/workflows/publish.yml", project.GITHUB_WORKFLOW_TEMPLATE),
        ("gitlab-pages.md", ".gitlab-ci.yml", project.GITLAB_TEMPLATE),
    ],
)
def test_what_publishes_is_what_a_new_project_has(
    page: str, file: str, template: str, tmp_path: Path
) -> None:
    (shown,) = blocks(page, "{ .yaml .workflow }")
    assert main(["new", str(tmp_path / "ours"), "--game", "positive"]) == 0
    assert (tmp_path / "ours" / file).read_text(encoding="utf-8").rstrip() == shown.rstrip()
    (address,) = blocks(page, "yaml")
    assert yaml.safe_load(address)["site_url"].startswith("https://")
    assert (tmp_path / "ours" / "requirements.txt").is_file()


@pytest.mark.integration
def test_the_pages_of_a_site_are_changed(tmp_path: Path) -> None:
    site = make_project(tmp_path / "wiki", ROOT / "sessions" / "the-boathouse")
    (site / "sessions/the-boathouse").rename(site / "sessions/our-table")
    text = (ROOT / "docs/change-the-pages.md").read_text(encoding="utf-8")
    places = re.findall(r"This is\s`(\S+\.(?:html|py))`", text)
    sources = [
        *blocks("change-the-pages.md", "html+jinja"),
        *blocks("change-the-pages.md", "python"),
    ]
    assert len(places) == len(sources) == 5
    for place, source in zip(places, sources, strict=True):
        (site / place).parent.mkdir(parents=True, exist_ok=True)
        (site / place).write_text(source, encoding="utf-8")
    settings = yaml.safe_load((site / "mkdocs.yml").read_text(encoding="utf-8"))
    for block in blocks("change-the-pages.md", "yaml"):
        settings |= yaml.safe_load(block)
    (site / "mkdocs.yml").write_text(yaml.safe_dump(settings), encoding="utf-8")
    follow("mkdocs build --strict", site)
    for page, words in (
        ("state", "What is on the table now."),
        ("gallery", "All pictures are by "),
        ("cast/index", "Nobody stays angry for long."),
        ("index", "Next game: Friday."),
        ("index", "We play on Fridays."),
    ):
        html = (site / f"site/our-table/{page}.html").read_text(encoding="utf-8")
        assert words in html, page
        assert "cannot be shown" not in html


def test_the_page_about_templates_lists_all() -> None:
    text = template_tables.PAGE.read_text(encoding="utf-8")
    assert text == template_tables.page(), "run  python -m tests.site.template_tables"
    for name in template_names():
        assert f"| `{name}` |" in text


@pytest.mark.slow
def test_a_site_moves_to_zensical(tmp_path: Path) -> None:
    module("zensical")
    site = written(tmp_path / "wiki", Wiki(), chronicle=True)
    for command in blocks("zensical.md", "sh"):
        follow(command, site)
    for page in (
        "public/index.html",
        f"public/{CAMPAIGN}/index.html",
        "pages/mkdocs.yml",
        "public-plain/index.html",
    ):
        assert (site / page).is_file(), page


def test_no_list_on_a_page_is_taken_for_a_paragraph() -> None:
    """Markdown takes an item for text if no empty line is between it and a paragraph above it."""
    for page in sorted((ROOT / "docs").rglob("*.md")):
        text = page.read_text(encoding="utf-8")
        html = markdown.markdown(text, extensions=["pymdownx.superfences", "tables"])
        for paragraph in re.findall(r"<(?:p|li)>(.*?)</(?:p|li)>", html, re.DOTALL):
            assert not re.search(r"\n\s*(?:\d+\.|[-*]) ", paragraph), (page.name, paragraph)


def test_publishing_begins_with_steps_and_says_what_one_sees_after_each() -> None:
    text = (ROOT / "docs" / "publish.md").read_text(encoding="utf-8")
    steps = text.split("# How to publish", 1)[1].split("\n## ", 1)[0]
    assert re.findall(r"^(\d)\. ", steps, re.MULTILINE) == ["1", "2", "3"]
    assert steps.index("1. ") < steps.index("GitHub Pages")
    assert steps.count("you see") == 2
    assert "    chronicle build\n" in steps


def test_the_tutorial_has_a_block_of_commands_for_windows() -> None:
    text = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
    assert "py -m venv .venv\n.venv\\Scripts\\pip install .\n" in text
    assert "ask the person" not in text
    # Which file the lines go into is said before the lines.
    assert text.index("Open `sessions/our-table/01.yaml`") < text.index("title: Coats on the bed")


def test_the_page_about_games_compares_all_in_a_table_first() -> None:
    text = (ROOT / "docs" / "which-game.md").read_text(encoding="utf-8")
    head, *sections = text.split("\n## [")
    rows = re.findall(r"^\| \[(.*?)\].*?\| (\d.*?) \|", head, re.MULTILINE)
    assert len(rows) == len(sections) == 6
    for section in sections:
        title = section.partition("]")[0]
        people = dict(rows)[title]
        assert f"**Players:** {people}" in section, title
