"""What readers see of Judgments, plots and open scenes (W37, W39), and what the state of play shows."""

from __future__ import annotations

from pathlib import Path

from chronicle.campaigns import load, open_view, run, view_of
from chronicle.core.campaign_view import (
    CampaignView,
    Facts,
    Inline,
    Listing,
    Note,
    Page,
    Section,
    Stones,
)
from chronicle.core.record import Record
from chronicle.games import rulebook
from chronicle.games.universalis.view import panel
from chronicle.testkit.cases import read_cases, write_case
from tests.games.universalis.test_add_ons import SPECIMENS
from tests.table import table_after

RULES = rulebook("universalis")
CASES = Path(__file__).parent / "cases"


def words(inline: Inline) -> str:
    """A line as plain text."""
    if isinstance(inline, tuple) and not hasattr(inline, "label"):
        return "".join(words(part) for part in inline)
    return str(getattr(inline, "label", inline))


def view(name: str) -> CampaignView:
    """The book of a specimen."""
    return open_view(load(SPECIMENS / name))


def played(file: str, name: str, folder: Path) -> Record:
    """The record of a case."""
    case = next(
        candidate
        for candidate in read_cases(CASES / f"{file}.case")
        if candidate.name.startswith(name)
    )
    return run(load(write_case(case, folder)))


def page(view: CampaignView, slug: str) -> Page:
    """A page of the game's own."""
    return next(candidate for candidate in view.pages if candidate.slug == slug)


def loose(view: CampaignView) -> list[str]:
    """The loose ends as plain text."""
    return [words(item.text) for item in view.loose_ends]


def test_the_log_of_judgments() -> None:
    section = page(view("judgment"), "judgments").blocks[0]
    assert isinstance(section, Section)
    facts = section.blocks[0]
    assert isinstance(facts, Facts)
    rows = {label: words(value) for label, value in facts.rows}
    assert rows["Between"] == "Ana and Bao"
    assert rows["Judge Cleo"].startswith("it is struck: Nothing it has done")


def test_judges_that_were_set_aside(tmp_path: Path) -> None:
    record = played("add-on-08-judgment", "UA.8 when every Judge", tmp_path)
    section = page(view_of(record), "judgments").blocks[0]
    assert isinstance(section, Section) and isinstance(section.blocks[0], Facts)
    rows = {label: words(value) for label, value in section.blocks[0].rows}
    aside = [label for label, value in rows.items() if "set aside" in value]
    assert aside == ["Judge Dov", "Judge Cleo", "Judge Ana"]
    assert "free from Judgment" in rows["End"]


def test_open_threads_and_pools_are_loose_ends(tmp_path: Path) -> None:
    assert "the plot 'The missing heir' has 18 Coins left" in loose(view("plot-pools"))
    record = played("add-on-32-plot-threads", "UA.32 each scene", tmp_path)
    assert "Who dug the ford is open, with Weight 2" in loose(view_of(record))
    assert not loose(view("plot-threads"))
    assert page(view("plot-threads"), "plot-threads").blocks


def test_a_complication_that_waits_in_another_scene_is_a_loose_end(tmp_path: Path) -> None:
    case = next(
        each_case
        for each_case in read_cases(CASES / "add-on-07-open-scene-framing.case")
        if each_case.name.startswith("UA.7 a Complication waits")
    )
    lines = case.sessions[0]
    case.sessions[0] = lines[: lines.index("- switch: The ford")]
    loose_ends = loose(open_view(load(write_case(case, tmp_path))))
    assert any(text.endswith("waits in The ford") for text in loose_ends)


def test_the_state_of_play(tmp_path: Path) -> None:
    """Coins left for a plot, the Weight of threads, other open scenes, whom a decision waits for."""

    def shown(folder: Path, step: int) -> list[object]:
        return list(panel(table_after(load(folder), step)))

    pools = next(b for b in shown(SPECIMENS / "plot-pools", 11) if _titled(b, "Plot Pools"))
    assert isinstance(pools, Stones) and ("The missing heir", 18, 20) in pools.rows
    threads = next(b for b in shown(SPECIMENS / "plot-threads", 9) if _titled(b, "Plot Threads"))
    assert isinstance(threads, Facts)
    assert threads.rows == (("Who drowned the miller", "Weight 1"),)
    left_open = next(
        b for b in shown(SPECIMENS / "open-scene-framing", 4) if _titled(b, "Left open")
    )
    assert isinstance(left_open, Listing)
    assert words(left_open.items[0].text) == "Top of the cliff, framed by Ana"
    case = next(
        each_case
        for each_case in read_cases(CASES / "add-on-08-judgment.case")
        if each_case.name.startswith("UA.8 a pending question is decided by the Judge")
    )
    blocks = shown(write_case(case, tmp_path), 7)
    assert any(isinstance(b, Note) and words(b.text).startswith("Dov has to judge") for b in blocks)


def _titled(block: object, title: str) -> bool:
    return getattr(block, "title", "") == title
