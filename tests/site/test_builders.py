"""The same pages through other builders, and again while serving."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from mkdocs.commands.build import build as mkdocs_build
from mkdocs.config import load_config

from chronicle.campaigns import find_campaigns, load
from chronicle.cli import main
from chronicle.games import GAMES
from chronicle.publish import BuildState, make_site, render
from tests.needs import module
from tests.site.links import broken
from tests.site.project import build, fresh, make_project

BOATHOUSE = Path("sessions/the-boathouse")


def command(*words: str, at: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *words],
        cwd=at,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def article(file: Path) -> str:
    text = file.read_text(encoding="utf-8")
    if '<div class="ch-body' not in text or "-steps" in f"{file.parent.name}/{file.stem}":
        return text  # No theme stands around it.
    return text[text.index('<div class="ch-body') : text.rindex("</article>")]


@pytest.mark.slow
def test_properdocs_builds_the_same_pages(root: Path, tmp_path: Path) -> None:
    module("properdocs")
    project = make_project(tmp_path / "project", root / BOATHOUSE)
    site, _ = build(project)
    command("properdocs", "build", "-q", "-f", "mkdocs.yml", "-d", "proper", at=project)
    pages = sorted(p.relative_to(site) for p in (site / "the-boathouse").rglob("*.html"))
    assert len(pages) > 20
    for page in pages:
        assert article(project / "proper" / page) == article(site / page), page


@pytest.fixture(scope="module")
def rendered(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that a play example of each game was rendered into, with the site that MkDocs makes of it."""
    home = tmp_path_factory.mktemp("rendered")
    for folder in {
        load(folder).game: folder for folder in find_campaigns(root / "sessions")
    }.values():
        shutil.copytree(folder, home / "sessions" / folder.name)
    out = home / "out"
    written = render(home / "sessions", out)
    assert all(file.is_relative_to(out) for file in written)
    assert "chronicle" not in (out / "mkdocs.yml").read_text().partition("plugins")[2][:20]
    command("mkdocs", "build", at=out)
    return out


@pytest.mark.slow
def test_rendered_pages_build_without_chronicle(rendered: Path) -> None:
    site = rendered / "site"
    assert list(broken(site)) == []
    assert len(list(site.rglob("sessions/1.html"))) == len(GAMES)
    page = (site / "the-boathouse" / "sessions" / "1.html").read_text(encoding="utf-8")
    assert 'class="ch-beat ' in page
    assert "&lt;div" not in page
    assert (site / "assets" / "chronicle" / "chronicle.css").is_file()


@pytest.mark.parametrize("builder", ["properdocs", "zensical"])
@pytest.mark.slow
def test_every_builder_makes_the_same_of_rendered_pages(
    rendered: Path, tmp_path: Path, builder: str
) -> None:
    module(builder)
    out = tmp_path / "out"
    shutil.copytree(rendered, out, ignore=shutil.ignore_patterns("site"))
    command(builder, "build", at=out)
    site, other_site = rendered / "site", out / "site"
    assert list(broken(other_site)) == []
    pages = {file.relative_to(site) for file in site.rglob("*.html")}
    assert len(pages) > 300
    assert {file.relative_to(other_site) for file in other_site.rglob("*.html")} == pages
    # What stands where nothing is, is the theme's.
    for page in sorted(pages - {Path("404.html")}):
        assert article(other_site / page).split() == article(site / page).split(), page


@pytest.mark.integration
def test_rendering_twice_gives_the_same_bytes(root: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        render(root / BOATHOUSE, tmp_path / name)
    first_files = {
        p.relative_to(tmp_path / "one"): p.read_bytes() for p in (tmp_path / "one").rglob("*.*")
    }
    two = {p.relative_to(tmp_path / "two"): p.read_bytes() for p in (tmp_path / "two").rglob("*.*")}
    assert first_files == two


@pytest.mark.integration
def test_only_a_campaign_whose_files_changed_is_replayed(root: Path, tmp_path: Path) -> None:
    project = make_project(tmp_path, root / BOATHOUSE, root / "tests/fixtures/hostile")
    build_state, messages = BuildState(), list[str]()
    site_before = make_site(project / "sessions", build_state=build_state, warn=messages.append)
    journal = project / "sessions" / "the-boathouse" / "journal" / "wandas-list.md"
    os.utime(journal)
    touched = make_site(project / "sessions", build_state=build_state, warn=messages.append)
    assert [a is b for a, b in zip(site_before.campaigns, touched.campaigns, strict=True)] == [
        True,
        True,
    ]
    journal.write_text(journal.read_text(encoding="utf-8") + "\nAnd soap.\n", encoding="utf-8")
    changed = make_site(project / "sessions", build_state=build_state, warn=messages.append)
    is_reused = {
        a.folder: a is b for a, b in zip(site_before.campaigns, changed.campaigns, strict=True)
    }
    assert is_reused == {"hostile": True, "the-boathouse": False}


def test_serving_writes_only_the_pages_that_changed(root: Path, tmp_path: Path) -> None:
    project = make_project(tmp_path, root / BOATHOUSE)
    fresh()
    file = str(project / "mkdocs.yml")
    config = load_config(file)
    # MkDocs keeps a plugin that has on_startup from build to build, as it does while serving.
    config.plugins.on_startup(command="serve", dirty=False)
    mkdocs_build(config)
    site = Path(config.site_dir)
    stamps = {p: p.stat().st_mtime_ns for p in site.rglob("*.html")}
    index_file = site / "the-boathouse" / "find.js"
    index = index_file.read_text(encoding="utf-8")
    time.sleep(0.02)
    second = project / "sessions" / "the-boathouse" / "02.yaml"
    with second.open("a", encoding="utf-8") as log:
        log.write("- tell: A heron stands where the ferry was\n")
    mkdocs_build(load_config(file), dirty=True)
    written = {
        p.relative_to(site).as_posix()
        for p, stamp in stamps.items()
        if p.stat().st_mtime_ns != stamp
    }
    assert "the-boathouse/sessions/2.html" in written
    assert "the-boathouse/sessions/1.html" not in written
    assert "the-boathouse/characters/wanda.html" not in written
    assert "rules/positive.html" not in written
    assert "heron" in (site / "the-boathouse" / "sessions" / "2.html").read_text(encoding="utf-8")
    assert "the-boathouse/check.html" in written  # It counts the entries.
    rewritten = index_file.read_text(encoding="utf-8")
    assert "heron" in rewritten and "heron" not in index
    assert "Our table" in (site / "find.js").read_text(encoding="utf-8")
    config.plugins.on_shutdown()


def test_a_page_says_where_it_can_be_edited(root: Path, tmp_path: Path) -> None:
    project = make_project(tmp_path, root / BOATHOUSE)
    site, _ = build(project, repo_url="https://forge.invalid/us/table", edit_uri="edit/main/docs/")
    page = (site / "the-boathouse" / "sessions" / "1.html").read_text(encoding="utf-8")
    assert 'href="https://forge.invalid/us/table/edit/main/sessions/the-boathouse/01.yaml"' in page
    assert "forge.invalid" not in (site / "the-boathouse" / "contests.html").read_text(
        encoding="utf-8"
    )


@pytest.mark.integration
def test_the_notice_of_the_themes_end_reaches_whoever_builds(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project = make_project(tmp_path, root / "sessions" / "six-names")
    monkeypatch.setattr("chronicle.cli.site.on_terminal", lambda: True)
    fresh()
    assert main(["build", str(project)]) == 0
    output = capsys.readouterr().out
    assert "5 May 2027" in output and "chronicle build --engine zensical" in output
    # The theme's own notice has twenty lines; nobody reads both.
    assert "Material for MkDocs reaches end of life" not in output
    # Once is enough.
    fresh()
    assert main(["build", str(project)]) == 0
    assert "5 May 2027" not in capsys.readouterr().out
