"""The same pages without a builder of sites, and through Zensical, which has no plug-ins."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path

import pytest

from chronicle.adapters.build import read_settings
from chronicle.adapters.zensical import write_sources
from chronicle.cli import main
from chronicle.games import rulebook
from tests.needs import module
from tests.site.links import broken
from tests.site.test_guest import CAMPAIGN, GUEST_STYLE, Wiki, written
from tests.site.test_other_plugins import PAYLOADS, hostile_campaign

TITLE = "The <b>inn</b> & {{ 7 * 7 }} more"
MARKED = {"docs/tables.md": "# Tables\n\n<!-- chronicle:campaigns -->\n\nMore.\n"}


def retitled(project: Path) -> Path:
    """The project, with a title that themes and macros could take for more than words."""
    file = project / "sessions" / CAMPAIGN / "campaign.yaml"
    text = file.read_text(encoding="utf-8")
    file.write_text(re.sub(r"(?m)^title: .*", f'title: "{TITLE}"', text), encoding="utf-8")
    return project


@pytest.mark.integration
def test_finished_pages_need_no_builder(root: Path, tmp_path: Path) -> None:
    out = tmp_path / "public"
    assert (
        main(["build", "--plain", str(root / "sessions" / "the-boathouse"), "--out", str(out)]) == 0
    )
    assert list(broken(out)) == []
    pages = list(out.rglob("*.html"))
    assert len(pages) > 40
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert text.count("<h1") == 1 or "-steps" in f"{page}", page
        assert "assets/chronicle/" in text, page
        assert "http://" not in re.sub(r"http://www\.w3\.org", "", text), page
    front = (out / "the-boathouse" / "index.html").read_text(encoding="utf-8")
    assert "<title>The Boathouse</title>" in front
    assert (
        'name="description"' in front
        and 'class="ch-rooms"' in front
        and 'class="ch-foot__home"' in front
    )
    assert 'href="the-boathouse/index.html"' in (out / "index.html").read_text(encoding="utf-8")


@pytest.mark.integration
def test_finished_pages_take_no_text_for_html(tmp_path: Path) -> None:
    project = retitled(written(tmp_path / "wiki", Wiki(), chronicle=True))
    hostile_campaign(project / "sessions" / "hostile", PAYLOADS[1])
    out = tmp_path / "public"
    assert main(["build", "--plain", str(project), "--out", str(out)]) == 0
    front = (out / CAMPAIGN / "index.html").read_text(encoding="utf-8")
    assert "<b>inn</b>" not in front and "&lt;b&gt;inn" in front
    # The name of the site is that of its settings.
    assert "<title>The wiki</title>" in (out / "index.html").read_text(encoding="utf-8")
    # Written into again, and only by us.
    assert main(["build", "--plain", str(project), "--out", str(out)]) == 0
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("mine", encoding="utf-8")
    assert main(["build", "--plain", str(project), "--out", str(tmp_path / "mine")]) == 2


@pytest.mark.integration
@pytest.mark.parametrize("theme", ["material", "mkdocs", "readthedocs"])
def test_themes_of_mkdocs_take_no_title_for_html(theme: str, tmp_path: Path) -> None:
    project = retitled(
        written(tmp_path, Wiki(theme={"name": theme}, override=False), chronicle=True)
    )
    assert main(["build", str(project)]) == 0
    for name in ("index.html", f"{CAMPAIGN}/index.html", f"{CAMPAIGN}/sessions/index.html"):
        page = (project / "site" / name).read_text(encoding="utf-8")
        assert "<b>inn</b>" not in page, name
        assert "inn&lt;/b&gt;" in page, name


@pytest.mark.parametrize(
    "words", [["--plain"], ["--plain", "--each"], ["--plain", "--engine", "zensical", "--out", "x"]]
)
def test_ways_to_build_are_not_mixed(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written(tmp_path, Wiki(), chronicle=True)
    assert main(["build", str(tmp_path), *words]) == 2
    assert "--plain" in capsys.readouterr().err


@pytest.mark.integration
def test_the_script_before_zensical_leaves_the_owners_files_alone(tmp_path: Path) -> None:
    wiki = Wiki(files=MARKED, settings={"nav": ["index.md", "people/mara.md", "tables.md"]})
    project = retitled(written(tmp_path / "wiki", wiki, chronicle=True))
    bytes_before = {file: file.read_bytes() for file in project.rglob("*") if file.is_file()}
    folder = tmp_path / "sources"
    folder.mkdir()
    write_sources(read_settings(project / "mkdocs.yml"), folder)
    assert {
        file: file.read_bytes() for file in project.rglob("*") if file.is_file()
    } == bytes_before
    docs = folder / "docs"
    assert (docs / "people" / "mara.md").read_bytes() == (
        project / "docs/people/mara.md"
    ).read_bytes()
    page = (docs / CAMPAIGN / "index.md").read_text(encoding="utf-8")
    head, _, body = page.removeprefix("---\n").partition("---\n")
    assert "render_macros: false" in head and 'template: "chronicle/page.html"' in head
    assert "{{" not in body and "{%" not in body
    assert (folder / "overrides" / "main.html").is_file()
    assert (folder / "overrides" / "chronicle" / "page.html").is_file()
    assert "ch-guest" in (docs / "tables.md").read_text(encoding="utf-8")


@pytest.mark.integration
def test_the_script_before_zensical_minds_the_owners_pages_and_navigation(tmp_path: Path) -> None:
    files = {"docs/rules.md": "# House rules of ours\n"}
    for place in ("sessions/second", "docs/strayed"):
        texts = rulebook("positive").new_campaign().items()
        files |= {f"{place}/{name}": text for name, text in texts}
    nav = {"nav": ["index.md", {"Our campaign": f"{CAMPAIGN}/index.md"}]}
    project = written(tmp_path / "wiki", Wiki(settings=nav, files=files), chronicle=True)
    folder, warnings = tmp_path / "made", list[str]()
    folder.mkdir()
    write_sources(read_settings(project / "mkdocs.yml"), folder, warn=warnings.append)
    docs = folder / "docs"
    assert (docs / "rules.md").is_file() and not (docs / "rules" / "index.md").exists()
    assert not (docs / "strayed").exists()
    assert [line for line in warnings if "docs/rules.md has the address 'rules/index'" in line]
    assert [line for line in warnings if "docs/strayed is a campaign among the pages" in line]
    settings = json.loads((folder / "mkdocs.yml").read_text().partition("nav: ")[2].splitlines()[0])
    assert [list(entry.values()) for entry in settings] == [["second/index.md"]]


@pytest.mark.slow
def test_zensical_builds_the_whole_site(tmp_path: Path) -> None:
    module("zensical")
    theme = {"name": "material", "font": False}
    nav = {"nav": ["index.md", "people/mara.md", "tables.md"], "site_url": None}
    wiki = Wiki(("macros",), nav, MARKED, theme=theme)
    project = retitled(written(tmp_path, wiki, chronicle=True))
    assert main(["build", str(project), "--engine", "zensical"]) == 0
    site = project / "site"
    assert list(broken(site)) == []
    front = (site / CAMPAIGN / "index.html").read_text(encoding="utf-8")
    assert GUEST_STYLE in front and "Mine" in front
    assert "<b>inn</b>" not in front and TITLE in unescape(front)
    mara = (site / "people" / "mara" / "index.html").read_text(encoding="utf-8")
    assert GUEST_STYLE not in mara and f"{CAMPAIGN}/" in mara
    assert front.count('href="../people/mara/"') == 1  # it inherits the owner's navigation
    assert "49 more" not in front + mara
