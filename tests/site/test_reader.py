"""Step by step: every entry has its step, and beside it the table as it was right after it."""

import gzip
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from chronicle.campaigns import for_readers, load
from chronicle.games import rulebook
from chronicle.publish import make_site
from chronicle.site.files import SiteFile
from chronicle.site.look import script_with_messages
from tests.site.made import EXAMPLES, example, made
from tests.table import table_after

HEAVY = 400_000
"""Bytes of a page, packed, with styles and scripts."""
ASSETS = Path("chronicle/site/assets")


def steps_of(files: Iterable[SiteFile]) -> dict[int, str]:
    """The pages of a campaign that go step by step, by session."""
    return {int(match[1]): text(file) for file in files if (match := _steps(file))}


def _steps(file: SiteFile) -> re.Match[str] | None:
    return re.search(r"/sessions/(\d+)-steps\.html$", file.path)


def text(file: SiteFile) -> str:
    assert file.contents is not None
    return file.contents.decode()


@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
@pytest.mark.longer
def test_every_entry_has_a_step_under_its_own_address(folder: Path) -> None:
    campaign_site, files = made(folder)
    view, pages = campaign_site.view, steps_of(files.values())
    assert list(pages) == [session.number for session in view.sessions if session.steps]
    common = sum(
        len(gzip.compress(text.encode()))
        for text in (
            *(path.read_text(encoding="utf-8") for path in (ASSETS / "css").iterdir()),
            *(
                script_with_messages(ASSETS / name)
                for name in ("reader.js", "early.js", "chronicle.js")
            ),
        )
    )
    for session in view.sessions:
        page = pages[session.number]
        shown = re.findall(r'<article class="ch-step[^"]*" id="([^"]+)"', page)
        assert shown == [step.anchor for step in session.steps]
        ids = re.findall(r' id="([^"]+)"', page)
        assert len(ids) == len(set(ids))
        assert set(re.findall(r' href="#([^"]+)"', page)) <= set(ids)
        # From the first step to the last, one after the other.
        onward = re.findall(r'data-go="next" rel="next" href="#([^"]+)"', page)
        assert onward == shown[1:]
        assert len(gzip.compress(page.encode())) + common < HEAVY
        # A state of play stands there once, however many entries leave it as it is.
        boards = re.findall(r'<div class="ch-take__board".*?</div>(?=<article|<span|</div>)', page)
        assert len(boards) <= len(shown)


@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
def test_the_table_beside_a_step_is_the_table_of_that_moment(folder: Path) -> None:
    campaign = for_readers(load(folder))
    view = made(folder).campaign_site.view
    panel = rulebook(campaign.game).panel
    entries = [step for step in view.record.steps if step.parent is None]
    assert set(view.entry_panels) == {step.number for step in entries}
    struck = any(step.retracted_by for step in view.record.steps)
    for step in entries[:: max(1, len(entries) // 5)]:
        if not struck:
            assert view.entry_panels[step.number] == panel(table_after(campaign, step.number))
    assert view.entry_panels[entries[-1].number]


def test_a_board_shows_what_a_moment_held_and_nothing_of_later(tmp_path: Path) -> None:
    folder = tmp_path / "coast"
    folder.mkdir()
    (folder / "campaign.yaml").write_text(
        "game: positive\ntitle: Coast\nplayers: [Ana, Bo, Cy, Dee]\n", encoding="utf-8"
    )
    (folder / "01.yaml").write_text(
        "session: 1\nlog:\n- cast: {Ana: Nim, Bo: Wim, Cy: Rue}\n- tell: It rains\n"
        "- secret: Nim is a heron\n  by: Ana\n  id: heron\n",
        encoding="utf-8",
    )
    (page,) = steps_of(make_site(folder, reference=False).files()).values()
    assert "It rains" in page
    assert "something is kept secret here" in page
    assert "heron" not in page.casefold()
    # The first board stands before the first entry and knows the cast; nobody is in a scene yet.
    board = page[page.index("ch-take__board") : page.index("<article")]
    assert "Wim" in board and "In this scene" not in board


def test_nobody_is_shown_as_they_end_before_they_do() -> None:
    """Emblems on the board say nothing of who will be gone, nor how much they will count for."""
    for page in steps_of(example("the-lantern-coast").files.values()).values():
        assert '<use xlink:href="#emblem:1"/>' in page
        assert "is-gone" not in page
        assert 'class="t"' not in page
