"""Blocks on a screen: every kind is drawn, nothing is too wide, nobody steers the terminal."""

from __future__ import annotations

import re

import pytest

from chronicle.campaigns import find_campaigns, load, open_view
from chronicle.cli.out import TextStyler
from chronicle.cli.terminal import TerminalRenderer, display_width, padded, safe, wrap_to_columns
from chronicle.core import campaign_view
from chronicle.core.campaign_view import Block
from chronicle.core.dice import ShownDie
from chronicle.core.record import Contest, Side
from tests.conftest import ROOT

PLAIN = TextStyler(uses_colour=False)
LONG = "a rather long text that does not fit into one line of forty columns, and 長い名前 in it"

BLOCKS: dict[str, Block] = {
    "prose": campaign_view.Prose("one *two*\n\nthree " + LONG),
    "note": campaign_view.Note(("seen in ", campaign_view.Ref("scene", "1", "The jetty"), LONG)),
    "facts": campaign_view.Facts((("label", LONG), ("n", 3)), "Facts"),
    "stats": campaign_view.Stats((campaign_view.Stat("3", "dice"),), "Stats"),
    "table": campaign_view.Table(
        (campaign_view.Column("Name"), campaign_view.Column("Coins", True)),
        (("Ana", 3), (LONG, -12)),
        "Table",
        "note",
    ),
    "slips": campaign_view.Slips(
        (campaign_view.Slip("brave", 2), campaign_view.Slip("gone", state="removed")), "Slips"
    ),
    "board": campaign_view.Board(
        ("Start", "", "End"), (campaign_view.Token("Ana", 0, "Ana"),), "Board"
    ),
    "stones": campaign_view.Stones((("Ana", 2, 3), ("Bo", 0, 3)), "Stones"),
    "contest": campaign_view.ContestCard(
        Contest(
            "Roll",
            (
                Side("Ana", "Ana", (ShownDie("6", hit=True), ShownDie("1", void=True)), won=True),
                Side("Bo", "Bo", (ShownDie("+", colour="red", extra=True),), result="0"),
            ),
            score="1 : 0",
            outcome=("Ana wins",),
            earlier=((Side("Ana", "Ana", (ShownDie("o"),)),),),
        ),
        4,
    ),
    "listing": campaign_view.Listing(
        (campaign_view.Item(LONG, "note"), campaign_view.Item("two")), "Listing", ordered=True
    ),
    "graph": campaign_view.Graph(
        "Graph",
        (
            campaign_view.Node("a", "Ana"),
            campaign_view.Node("b", "Bo"),
            campaign_view.Node("c", "Cy"),
        ),
        (campaign_view.Edge("a", "b", "loves", "red", directed=True, count=2),),
    ),
    "steps": campaign_view.Steps(
        "Steps", (campaign_view.Series("Ana", tuple((n, n * n) for n in range(60))),)
    ),
    "lanes": campaign_view.Lanes("Lanes", ("Ana", "Bo"), ("One", "Two"), ((0, 1, "here", ""),)),
    "bars": campaign_view.Bars("Bars", (("Ana", 3, ""), ("Bo", -7, ""))),
    "shares": campaign_view.Shares(
        "Shares",
        (("all", (campaign_view.Share("own", 3), campaign_view.Share("held", 2, "Ana"))),),
        "5",
    ),
    "rings": campaign_view.Rings(
        "Rings",
        (("outer", (campaign_view.Sector("north", "open"), campaign_view.Sector("south"))),),
    ),
    "section": campaign_view.Section("Section", (campaign_view.Note("inside"),)),
}


@pytest.mark.parametrize("name", BLOCKS)
@pytest.mark.parametrize("room", [40, 80, 120])
def test_every_kind_is_drawn_within_its_width(name: str, room: int) -> None:
    drawn = TerminalRenderer(room, PLAIN).draw([BLOCKS[name]])
    assert drawn.strip()
    assert max(display_width(line) for line in drawn.splitlines()) <= room
    assert "\x1b" not in drawn
    assert all(line == line.rstrip() for line in drawn.splitlines() if not set(line) <= {" ", "-"})


def test_no_kind_is_forgotten() -> None:
    import typing

    assert {type(block) for block in BLOCKS.values()} == set(typing.get_args(Block))


def test_figures() -> None:
    screen = TerminalRenderer(60, PLAIN)
    assert screen.draw([BLOCKS["table"]]).splitlines()[1].split() == ["Name", "Coins"]
    assert "  ● Start  Ana\n  · 2\n  · End" in screen.draw([BLOCKS["board"]])
    assert "Ana  ●●○  2/3" in screen.draw([BLOCKS["stones"]])
    assert "brave (twice), gone (removed)" in screen.draw([BLOCKS["slips"]])
    lines = screen.draw([BLOCKS["contest"]])
    assert "[6] /1/" in lines and "(+)" in lines and "wins" in lines and "1 : 0; Ana wins" in lines
    assert "Ana -> Bo: loves red x2" in screen.draw([BLOCKS["graph"]])
    assert "unconnected: Cy" in screen.draw([BLOCKS["graph"]])
    assert "now 3481" in screen.draw([BLOCKS["steps"]])
    assert "Bo   nowhere" in screen.draw([BLOCKS["lanes"]])


def test_a_terminal_cannot_be_steered() -> None:
    evil = "x\x1b[2J\x07\u202ey\r\nz"
    assert safe(evil) == "x\ufffd[2J\ufffd\ufffdy  z"
    for block in (
        campaign_view.Note(evil),
        campaign_view.Prose(evil),
        campaign_view.Facts(((evil, evil),), evil),
    ):
        drawn = TerminalRenderer(80, PLAIN).draw([block])
        assert not re.search("[\x00-\x09\x0b-\x1f\u202e]", drawn)


def test_colour_only_where_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert TextStyler(uses_colour=True)("x", "red", "bold") == "\x1b[31;1mx\x1b[0m"
    assert "\x1b[" in TerminalRenderer(60, TextStyler(uses_colour=True)).draw([BLOCKS["contest"]])
    monkeypatch.setenv("NO_COLOR", "1")
    assert TextStyler(uses_colour=True)("x", "red") == "x"
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert TextStyler(uses_colour=True)("x", "red") == "x"


def test_wide_letters_count_double() -> None:
    assert display_width("長い") == 4
    assert display_width("e\u0301") == 1
    assert padded("長", 4) == "長  "
    assert padded("7", 3, flush_right=True) == "  7"
    assert wrap_to_columns("長長長長長", 4) == ["長長", "長長", "長"]
    assert wrap_to_columns("one two", 3) == ["one", "two"]
    assert wrap_to_columns("", 10) == []


@pytest.mark.parametrize("folder", find_campaigns(ROOT / "sessions"), ids=lambda f: f.name)
def test_every_page_of_every_example_can_be_drawn(folder: object) -> None:
    from pathlib import Path

    assert isinstance(folder, Path)
    view = open_view(load(folder))
    screen = TerminalRenderer(72, PLAIN)
    everything = [
        *view.overview, *view.state, *view.relations, *view.curves,
        *(block for page in view.pages for block in page.blocks),
        *(block for sheet in view.sheets for block in (*sheet.aside, *sheet.blocks)),
    ]  # fmt: skip
    for block in everything:
        drawn = screen.draw([block])
        assert all(display_width(line) <= 72 for line in drawn.splitlines()), drawn
