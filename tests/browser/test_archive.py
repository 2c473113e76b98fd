"""The front door of an archive with a script: filters, words of all campaigns, from a server and from the disk."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from chronicle.cli import main
from tests.browser.conftest import Axe, WatchedPage
from tests.browser.harness import Site, served
from tests.site.project import make_project

pytestmark = pytest.mark.browser

CAMPAIGNS = {
    "one": ("universalis", "[Ana, Bo]", "A wolfram lamp is lit"),
    "two": ("universalis", "[Ana, Cleo]", "The harbour is dark; a lamp is out"),
    "three": ("positive", "[Dov, Eli]", "Nobody speaks <b>of it</b>"),
}


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """An archive of three small campaigns."""
    root: Path = make_project(tmp_path_factory.mktemp("archive") / "p")
    for name, (game, players, log) in CAMPAIGNS.items():
        folder = root / "sessions" / name
        folder.mkdir(parents=True)
        settings = (
            f"game: {game}\ntitle: Story {name}\nplayers: {players}\nsummary: <i>{name}</i>\n"
        )
        (folder / "campaign.yaml").write_text(settings, "utf-8")
        (folder / "01.yaml").write_text(f"session: 1\nlog:\n- tell: '{log}'\n", "utf-8")
    out = root / "out"
    assert main(["build", str(root), "--each", "--jobs", "1", "--out", str(out)]) == 0
    with served(out) as site:
        yield site


@pytest.mark.parametrize("address", ["url", "file_url"])
def test_campaigns_are_filtered_and_their_words_found(
    archive: Site, watched: WatchedPage, address: str
) -> None:
    with watched() as (page, watch):
        page.goto(f"{getattr(archive, address)}archive/index.html", wait_until="networkidle")
        titles = page.locator(".ch-find__found .ch-finds__title")
        page.fill("[name=words]", "lám")
        page.wait_for_selector(".ch-find__found .ch-finds__title")
        assert sorted(titles.all_inner_texts()) == ["Story one", "Story two"]
        page.locator("details.ch-finds__where summary").first.click()
        page.wait_for_selector("details.ch-finds__where li a")
        page.fill("[name=words]", "lamp harbour")
        page.wait_for_function(
            "document.querySelectorAll('.ch-find__found .ch-finds__title').length === 1"
        )
        assert titles.all_inner_texts() == ["Story two"]
        page.fill("[name=words]", "")
        page.select_option("[name=game]", "positive")
        page.wait_for_function(
            "document.querySelector('.ch-find__found a.ch-finds__title')?.textContent === 'Story three'"
        )
        assert page.locator(".ch-find__found i").count() == 0
        page.click(".ch-find button[type=reset]")
        page.wait_for_selector(".ch-find__all:not([hidden])")
        page.fill("[name=player]", "ana")
        page.wait_for_function(
            "document.querySelectorAll('.ch-find__found .ch-finds__title').length === 2"
        )
        titles.first.click()
        page.wait_for_selector("h1")
        assert "/one/" in page.url
    assert watch.problems == []


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_the_front_door_is_accessible_and_fits(
    archive: Site, watched: WatchedPage, axe: Axe, width: int, scheme: str
) -> None:
    with watched(width=width, scheme=scheme) as (page, _):
        for name in ("index", "universalis", "figures", "players"):
            page.goto(f"{archive.url}archive/{name}.html", wait_until="networkidle")
            assert axe(page) == []
            assert page.evaluate("document.documentElement.scrollWidth") <= width
