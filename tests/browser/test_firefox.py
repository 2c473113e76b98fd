"""The main way through the desk in Firefox."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.bidi import Firefox, started
from tests.browser.desk import Desks, desks
from tests.browser.harness import Site
from tests.needs import desk_on, program

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    """A tab of Firefox."""
    executable = program("firefox-esr", "firefox", setting="CHRONICLE_FIREFOX")
    with started(executable, tmp_path_factory.mktemp("firefox") / "profile") as tab:
        yield tab


@pytest.fixture
def firefox(tab: Firefox) -> Iterator[Firefox]:
    """The tab, which leaves its page before whatever answers it is stopped."""
    yield tab
    tab.goto("about:blank")
    tab.problems.clear()


@pytest.fixture
def desk(root: Path, tmp_path: Path) -> Iterator[Desks]:
    with desks(root, tmp_path) as opened:
        yield opened


def test_entries_are_tapped_typed_thrown_and_taken_back(desk: Desks, firefox: Firefox) -> None:
    cut = {
        "the-lantern-coast": ("02.yaml", "- draw: {Patience: tarred twice}"),
        "snowshed-nine": ("02.yaml", "Anselm: {green: 116325324 2"),
    }
    opened = desk(*cut, cut=cut)
    log = opened.folder / "the-lantern-coast" / "02.yaml"
    log_before = log.read_text(encoding="utf-8")
    firefox.size(1024, 768)
    firefox.goto(opened.link)
    firefox.tap(".campaign", "The Lantern Coast")
    firefox.tap(".chip[data-verb=draw]")
    firefox.tap(".choice", "Patience")
    firefox.tap(".choice", "tarred twice")
    firefox.sees(".draft", "tarred twice")
    firefox.tap(".box .write")
    firefox.sees(".entry.current", "tarred twice")
    assert log.read_text(encoding="utf-8") == f"{log_before}- draw: {{Patience: tarred twice}}\n"
    # A line that is typed, with what was told beside it.
    firefox.tap("#line")
    firefox.type("end t")
    firefox.sees(".ghost", "urn")
    firefox.type("Tab")
    firefox.tap(".story", "+ Story")
    firefox.type("She spits.")
    firefox.tap(".box .write")
    firefox.sees(".entry.current", "She spits.")
    firefox.tap("[aria-label^=Undo]")
    firefox.sees(".entry.current", "tarred twice")
    # Dice that are due.
    firefox.tap(".brand")
    firefox.tap(".campaign", "Snowshed Nine")
    firefox.tap(".chip.throws", "Roll dice")
    firefox.tap(".pad-actions button", "Roll here")
    firefox.tap(".pad-actions button", "only")
    firefox.sees(".entry.current .contest")
    # From nothing: a game, names, the first entry.
    firefox.tap(".brand")
    firefox.tap("button", "New campaign")
    firefox.tap(".game", "Positive")
    for name in ("Ana", "Bo", "Cy", "Dee"):
        firefox.type(name)
        firefox.type("Enter" if name != "Dee" else "Tab")
    firefox.tap("button", "Start")
    firefox.sees(".moment h1")
    firefox.tap("#line")
    firefox.type("cast Ana: Iris, Bo: Leo, Cy: Noor, Dee: Sam")
    firefox.type("Enter")
    firefox.sees('.entry[data-step="1"]')
    assert firefox.problems == []


def test_the_desk_of_a_site_keeps_what_is_typed(site: Site, firefox: Firefox) -> None:
    desk_on(site.root)
    firefox.size(1024, 768)
    firefox.goto(f"{site.url}desk/#/@the-boathouse")
    firefox.sees('html[data-campaign="@the-boathouse"] .moment h1')
    firefox.tap("#line")
    firefox.type("tell The lamp is lit.")
    firefox.type("Enter")
    firefox.sees(".entry.current", "The lamp is lit.")
    firefox.sees(".status", "no problems")
    firefox.reload()
    firefox.sees(".entries .entry.current", "The lamp is lit.")
    assert firefox.problems == []
