"""The weight of a table's site: what it brings besides an empty site of Material, and what stands around each page."""

from __future__ import annotations

import re
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from operator import itemgetter
from pathlib import Path

import pytest

from chronicle.adapters.theme import without_indents
from chronicle.site import look
from chronicle.site.emblems import Emblem, draw_emblem, reuse_equal_emblems
from chronicle.site.fonts import all_fonts, fonts_for
from tests.site.test_guest import run

MOST = 2_000_000
"""How many bytes a site may have above an empty one."""
OWN_LIMIT = 2_175_000
"""How many bytes Chronicle's own files may have: pages, downloads and assets, and none of the theme's."""
GUEST = 2_615_000
"""How many bytes a site may have above an empty one in an owner's look, the index of the owner's search included."""
CHROME = 14_000
"""How many bytes may stand around the body of a page."""
OWNER = """\
  features: [navigation.instant, navigation.tabs]
  palette:
    - {scheme: default, toggle: {icon: material/weather-sunny, name: Dark}}
    - {scheme: slate, toggle: {icon: material/weather-night, name: Light}}
"""
"""What an owner asks of the theme."""
MATERIAL = ("assets/images/", "assets/javascripts/", "assets/stylesheets/")
CAMPAIGN = "the-boathouse"


@pytest.fixture(scope="module")
def project(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project as ``chronicle new`` makes it, with a campaign that was played."""
    project = tmp_path_factory.mktemp("weight") / "our-table"
    run(
        sys.executable,
        "-m",
        "chronicle",
        "new",
        "our-table",
        "--game",
        "positive",
        at=project.parent,
    )
    shutil.rmtree(project / "sessions" / "our-table")
    shutil.copytree(root / "sessions" / CAMPAIGN, project / "sessions" / CAMPAIGN)
    settings = project / "mkdocs.yml"
    text = settings.read_text("utf-8").replace("look: site", "desk: false\n      look: site")
    settings.write_text(text, "utf-8")
    return project


@pytest.fixture(scope="module")
def site(project: Path) -> Path:
    run(sys.executable, "-m", "mkdocs", "build", "--quiet", at=project)
    return project / "site"


@pytest.fixture(scope="module")
def guest(project: Path) -> Path:
    """The site in the look of an owner who has a search, tabs and a choice of colours."""
    settings = (project / "mkdocs.yml").read_text("utf-8")
    theme, pages = "  name: material\n", "look: site"
    assert settings.count(theme) == 1 and settings.count(pages) == 1
    settings = settings.replace(theme, f"{theme}{OWNER}").replace(pages, "look: pages")
    settings = settings.replace("plugins:\n", "plugins:\n  - search\n", 1)
    (project / "guest.yml").write_text(settings, "utf-8")
    to = ("-f", "guest.yml", "-d", "as-guest")
    run(sys.executable, "-m", "mkdocs", "build", "--quiet", *to, at=project)
    return project / "as-guest"


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    project = tmp_path_factory.mktemp("empty")
    (project / "docs").mkdir()
    (project / "docs" / "index.md").write_text("# Home\n", "utf-8")
    (project / "mkdocs.yml").write_text("site_name: x\ntheme: {name: material}\n", "utf-8")
    run(sys.executable, "-m", "mkdocs", "build", "--quiet", at=project)
    return project / "site"


def sizes(site: Path) -> dict[str, int]:
    return {
        file.relative_to(site).as_posix(): file.stat().st_size
        for file in site.rglob("*")
        if file.is_file()
    }


def parts_of(site: Path) -> str:
    """A table of the parts of a site by their size, for whoever looks for what weighs."""
    parts: Counter[str] = Counter()
    for name, size in sizes(site).items():
        folder, _, file = name.rpartition("/")
        top = (
            "/".join(folder.split("/")[:2])
            if folder.startswith("assets/")
            else folder.split("/")[0]
        )
        parts["theme" if name.startswith(MATERIAL) else f"{top or '.'} *{Path(file).suffix}"] += (
            size
        )
    rows = (f"{size:>10,}  {part}" for part, size in parts.most_common(20))
    return "\n".join(["", *rows])


def around(site: Path) -> Iterator[tuple[str, int]]:
    """What stands around the body of each page of the campaign, in bytes."""
    for file in (site / CAMPAIGN).rglob("*.html"):
        page = file.read_text("utf-8")
        body = re.search(r'<div class="ch-body".*(?=</article>)', page, re.DOTALL)
        if body is not None:
            yield file.as_posix(), len(page.encode()) - len(body[0].encode())


@pytest.mark.integration
def test_a_table_publishes_little_more_than_an_empty_site(site: Path, empty: Path) -> None:
    file_sizes = sizes(site)
    assert sum(file_sizes.values()) - sum(sizes(empty).values()) <= MOST, parts_of(site)
    own_size = sum(size for name, size in file_sizes.items() if not name.startswith(MATERIAL))
    assert own_size <= OWN_LIMIT, parts_of(site)


@pytest.mark.integration
def test_a_table_adds_little_to_the_site_of_an_owner(guest: Path, empty: Path) -> None:
    above = sum(sizes(guest).values()) - sum(sizes(empty).values())
    assert above <= GUEST, parts_of(guest)


@pytest.mark.integration
def test_little_stands_around_a_page(site: Path) -> None:
    of_ours = dict(around(site))
    assert len(of_ours) > 40
    assert max(of_ours.values()) <= CHROME
    page = (site / CAMPAIGN / "ledger.html").read_text("utf-8")
    assert page.count('id="ch-entries"') == 1  # the navigation is in a page once


@pytest.mark.integration
def test_little_stands_around_a_page_in_the_theme_of_an_owner(guest: Path) -> None:
    of_ours = dict(around(guest))
    assert len(of_ours) > 40
    page = (guest / CAMPAIGN / "ledger.html").read_text("utf-8")
    assert "md-search" in page and "md-tabs" in page  # an owner's theme stands around it
    assert max(of_ours.values()) <= CHROME, max(of_ours.items(), key=itemgetter(1))


@pytest.mark.integration
@pytest.mark.parametrize("kind", ["site", "guest"])
def test_a_site_has_no_file_that_no_page_asks_for(
    kind: str, request: pytest.FixtureRequest
) -> None:
    site: Path = request.getfixturevalue(kind)
    files = [file for file in site.rglob("*") if file.is_file()]
    asking = {
        file: file.read_text("utf-8") for file in files if file.suffix in (".html", ".js", ".css")
    }
    own_files = [
        file
        for file in (site / look.ASSET_URL).rglob("*")
        if file.is_file() and not file.name.endswith(".txt")
    ]
    assert len(own_files) > 10
    for file in own_files:
        assert any(
            file.name in text for other_file, text in asking.items() if other_file != file
        ), file
    names = {file.relative_to(site).as_posix() for file in files}
    assert kind == "guest" or not [name for name in names if name.endswith(".map")]
    fonts = {name.rpartition("/")[2] for name in names if name.endswith(".woff2")}
    assert fonts and all("-latin-" in name and "-ext-" not in name for name in fonts)
    sheet = (site / "assets" / "chronicle" / "fonts.css").read_text("utf-8")
    assert set(re.findall(r"fonts/([\w.-]+woff2)", sheet)) == fonts


def test_a_site_gets_the_fonts_of_its_letters() -> None:
    latin = fonts_for(frozenset("Ruth’s “jetty” – 3"))[1]
    assert {name.partition("-latin-")[2] for name in latin} == {"normal.woff2", "italic.woff2"}
    more_fonts = fonts_for(frozenset("Łódź Ω Я"))[1]
    assert {"latin-ext", "greek", "cyrillic"} <= {
        script
        for script in ("latin-ext", "greek", "cyrillic")
        for name in more_fonts
        if script in name
    }
    every = [name for name, _ in look.assets(is_guest_site=False) if name.endswith(".woff2")]
    assert len(every) == len(all_fonts()[1]) == len([*(look.ASSETS / "fonts").glob("*.woff2")])


def test_an_emblem_is_drawn_once_on_a_page() -> None:
    first_emblem, dark, other_emblem = (
        Emblem("Ruth", "key", tick_count=3),
        Emblem("Ruth", "key", is_dark=True, tick_count=3),
        Emblem("Tomas", "letter"),
    )
    large = draw_emblem(first_emblem, "large")
    page = f"<p>{draw_emblem(first_emblem)}</p>{draw_emblem(dark)}{large}{draw_emblem(other_emblem)}{draw_emblem(dark)}"
    shared = reuse_equal_emblems(page)
    strokes = re.search(r"<svg[^>]*>(.*)</svg>", draw_emblem(first_emblem))
    assert strokes is not None
    assert page.count(strokes[1]) == 4 and shared.count(strokes[1]) == 2
    assert '<g id="emblem:1" class="ch-emblem">' in shared
    assert '<g id="emblem:2" class="ch-emblem is-dark">' in shared
    assert (
        'class="ch-emblem large" viewBox="0 0 64 64" aria-hidden="true"><use xlink:href="#emblem:1"/>'
        in shared
    )
    assert shared.count("<use") == 2 and str(draw_emblem(other_emblem)) in shared


@pytest.mark.parametrize(("body", "slim"), [("<p>Body</p>", "a\n<p>Body</p>\nb"), ("", None)])
def test_indents_go_around_a_body_and_stay_where_there_is_none(body: str, slim: str | None) -> None:
    output = "a\n\n    <p>Body</p>\n\n    b"
    assert without_indents(output, body) == (slim or output)


def test_a_stylesheet_loses_letters_that_mean_nothing() -> None:
    long = "a > b:is(c, d) { /* x */ margin: 0.5rem -0.5rem 10.5rem 0; top: calc(1px + 0.2em); }\n"
    assert look.minify_css(long) == (
        "a>b:is(c,d){margin:.5rem -.5rem 10.5rem 0;top:calc(1px + .2em)}\n"
    )
