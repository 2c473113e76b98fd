"""What readers see of several Complications at once (W34): the tree, what fed what, parts, the method."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from chronicle.campaigns import load, open_view, run
from chronicle.core.campaign_view import Block, CampaignView, Facts, Graph, Section, Table
from chronicle.games.universalis.addons.nested_complications import fed
from chronicle.games.universalis.divisions import even
from chronicle.games.universalis.state import Stage

SPECIMENS = Path(__file__).parents[3] / "chronicle/games/universalis/addons/specimens"
ORCHARD = Path(__file__).parents[3] / "sessions/the-witness-orchard"


def view_of(folder: Path) -> CampaignView:
    """Everything that is published of a campaign."""
    return open_view(load(folder))


def blocks(view: CampaignView) -> Iterator[Block]:
    """The blocks of the page of Complications, inner ones too."""
    waiting = [b for page in view.pages if page.slug == "complications" for b in page.blocks]
    while waiting:
        block = waiting.pop(0)
        yield block
        if isinstance(block, Section):
            waiting = [*block.blocks, *waiting]


def facts(view: CampaignView, label: str) -> list[object]:
    """The values under one label, over all Complications."""
    return [
        value
        for block in blocks(view)
        if isinstance(block, Facts)
        for name, value in block.rows
        if name == label
    ]


def test_a_nested_complication_hangs_on_the_other() -> None:
    view = view_of(SPECIMENS / "nested-complications")
    tree = next(block for block in blocks(view) if isinstance(block, Graph))
    assert [(edge.start, edge.end, edge.label) for edge in tree.edges] == [("2", "1", "internal")]
    table = next(b for b in blocks(view) if isinstance(b, Table) and "nested" in b.title)
    assert [row[-1] for row in table.rows] == [1]


def test_dice_drawn_from_what_the_inner_one_bought_are_counted() -> None:
    record = run(load(ORCHARD))
    outer = next(c for c in record.state.complications if c.title == "The warrant or the pear")
    inner = next(c for c in record.state.complications if c.title == "The wasps get to it first")
    assert fed(record, record.state, inner.number, outer.number) == 2
    assert fed(record, record.state, outer.number, inner.number) == 0


def test_the_method_is_named() -> None:
    assert facts(view_of(ORCHARD), "Pools meet by") == ["all or none"]
    assert facts(view_of(SPECIMENS / "standard-pool"), "Pools meet by") == ["standard pool"]


def test_parts_say_what_they_are_parts_of() -> None:
    view = view_of(SPECIMENS / "extended-complications")
    complication = view.record.state.complications[0]
    assert complication.stage is Stage.DIVIDED
    assert len(facts(view, "Part of")) == 2
    titles = [c.title for c in view.record.state.complications if c.part_of]
    assert titles == [f"{complication.title}, stage 1 of 2", f"{complication.title}, stage 2 of 2"]


@pytest.mark.parametrize("dice", range(1, 15))
def test_dice_are_divided_evenly(dice: int) -> None:
    for stages in range(1, dice + 1):
        divided = even(dice, stages)
        assert sum(divided) == dice and divided == sorted(divided) and divided[-1] - divided[0] <= 1


def test_odds_are_told_where_all_meet_together_only() -> None:
    def odds(name: str) -> str:
        record = run(load(SPECIMENS / name))
        return next(str(step.contest.odds) for step in record.steps if step.contest is not None)

    assert odds("best-effort") == ""
    assert odds("standard-pool").startswith("Ana wins 31.2 %")
