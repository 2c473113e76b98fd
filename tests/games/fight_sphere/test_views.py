"""What a reader sees of Fight Sphere, and the odds behind it."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path

import pytest

from chronicle.campaigns import load, run, view_of
from chronicle.core.campaign_view import (
    Block,
    CampaignView,
    ContestCard,
    Facts,
    Graph,
    Inline,
    Rings,
    Section,
    Slips,
    Table,
)
from chronicle.games.fight_sphere.odds import beats_all, ordinary_odds
from chronicle.games.fight_sphere.verdicts import REROLL
from tests.conftest import ROOT
from tests.table import table_after

# Player dice to (success, tie) in per cent against Threshold Values of 5, 6, 7 and 8.
REFERENCE = {
    1: ((6.7, 40.2), (5.6, 34.6), (4.7, 29.8), (3.9, 25.6)),
    2: ((13.4, 39.5), (11.3, 35.0), (9.6, 30.9), (8.1, 27.2)),
    3: ((20.0, 38.3), (17.2, 34.8), (14.8, 31.4), (12.7, 28.2)),
    4: ((26.4, 36.8), (23.0, 34.1), (20.0, 31.4), (17.4, 28.7)),
    5: ((32.5, 35.0), (28.6, 33.0), (25.2, 30.9), (22.2, 28.8)),
    6: ((38.3, 33.0), (34.2, 31.7), (30.4, 30.2), (27.0, 28.6)),
    8: ((49.0, 28.8), (44.5, 28.6), (40.3, 28.0), (36.4, 27.2)),
    10: ((58.3, 24.7), (53.7, 25.1), (49.4, 25.2), (45.3, 25.1)),
}


@pytest.mark.parametrize("dice", REFERENCE)
def test_odds_are_exact(dice: int) -> None:
    for tv, (success, tie) in zip((5, 6, 7, 8), REFERENCE[dice], strict=True):
        odds = ordinary_odds(dice, tv, REROLL)
        assert sum(odds.values()) == 1
        assert round(float(odds[True]) * 100, 1) == success
        assert round(float(odds[None]) * 100, 1) == tie


def test_beating_everybody_is_harder_than_beating_one() -> None:
    assert beats_all(3, (3,)) == ordinary_odds(3, 3, REROLL)[True]
    assert beats_all(3, ()) == 0
    assert beats_all(3, (3, 3)) < beats_all(3, (3,))


@cache
def six_names() -> CampaignView:
    return view_of(run(load(Path(ROOT) / "sessions" / "six-names")))


def test_a_portrait_has_the_line_that_the_log_gives_it() -> None:
    lines = {sheet.name: sheet.tagline for sheet in six_names().sheets}
    assert lines["Halina Brandt"] == "Grey plait, good coat, no shoes"


def blocks(view: CampaignView, slug: str) -> list[Block]:
    """All blocks of a page, those inside sections included."""
    page = next(page for page in view.pages if page.slug == slug)
    collected: list[Block] = []
    todo = list(page.blocks)
    while todo:
        block = todo.pop(0)
        collected.append(block)
        if isinstance(block, Section):
            todo = [*block.blocks, *todo]
    return collected


def words(cell: Inline) -> str:
    if isinstance(cell, str | int):
        return str(cell)
    if hasattr(cell, "label"):
        return str(cell.label)
    return "".join(words(part) for part in cell)


def test_layers_lie_from_the_surface_inwards() -> None:
    rings = next(b for b in blocks(six_names(), "layers") if isinstance(b, Rings))
    assert [name for name, _ in rings.rings] == ["Layer 1, TV 5", "Layer 2, TV 6", "The Core, TV 7"]
    cannery = next(layer for layer in rings.rings[0][1] if layer.label == "The Cannery")
    assert cannery.state == "Osei Adom left standing"
    # Everybody stands where they got to; who went further does not stand here any more.
    assert [person.label for person in cannery.people] == ["Bruno Ruiz"]


def test_the_dead_are_crossed_out() -> None:
    hand = next(b for b in blocks(six_names(), "layers") if isinstance(b, Slips))
    alive = [slip.text for slip in hand.items if slip.state != "removed"]
    assert alive == ["Wren Castellan"]
    assert len(hand.items) == 6


def test_every_conflict_has_its_card_and_its_arithmetic() -> None:
    conflict_blocks = blocks(six_names(), "conflicts")
    cards = [b for b in conflict_blocks if isinstance(b, ContestCard)]
    facts = [dict(b.rows) for b in conflict_blocks if isinstance(b, Facts)]
    assert len(cards) == len(facts) == 14
    assert [str(source) for source in cards[0].contest.sides[0].sources][-1] == "2 gambled"
    assert all(str(card.contest.odds) for card in cards)
    assert not any("Odds before the roll" in rows or "Built from" in rows for rows in facts)


def test_every_round_tells_every_pair_once() -> None:
    round_blocks = blocks(six_names(), "encounters")
    cards = [b for b in round_blocks if isinstance(b, ContestCard)]
    assert len(cards) == 15
    assert not any(isinstance(b, Table) for b in round_blocks)
    assert cards[0].contest.score == "2 : 1 : 1"
    assert cards[0].contest.outcome == (
        "Halina Brandt over Bruno Ruiz: 1 Victory",
        "Bruno Ruiz and Osei Adom: a tie",
        "Halina Brandt and Osei Adom: a truce",
    )


def test_judges_truces_and_cut_scenes_have_pages() -> None:
    view = six_names()
    judged = "\n".join(
        words(item.text) for b in blocks(view, "judges") for item in getattr(b, "items", ())
    )
    assert "Jun put 4 dice on Wren Castellan: lost, for that side succeeded" in judged
    assert "Jun put 3 dice on the GM: kept, for that side did not succeed" in judged
    assert "Marta framed a Scene for Sol" in judged
    truces = next(b for b in blocks(view, "truces") if isinstance(b, Table))
    assert [words(row[-1]) for row in truces.rows] == [
        "Osei Adom betrayed Halina Brandt",
        "only the two of them are left",
    ]
    assert sum(isinstance(b, Section) for b in blocks(view, "cut-scenes")) == 2


def test_pools_are_drawn_with_what_moved_them() -> None:
    view = six_names()
    curve = view.curves[0]
    wren = next(series for series in curve.series if series.name == "Wren Castellan")
    assert wren.points[0][1] == 5
    assert wren.points[-1][1] == 2
    assert any("betrayed Halina" in mark[2] for mark in curve.marks)
    sheet = view.sheet("Osei Adom")
    assert sheet is not None
    causes = next(b for b in sheet.blocks if isinstance(b, Table) and b.title == "Conflict Pool")
    assert {words(row[-1]) for row in causes.rows} >= {"F9", "F35", "F51", "F62", "F63", "F64"}


def test_the_graph_knows_who_is_gone() -> None:
    graph = six_names().relations[0]
    assert isinstance(graph, Graph)
    assert any((e.start, e.end, e.kind) == ("Wren Castellan", "Pim", "lost") for e in graph.edges)
    assert "Pim (gone)" in [node.label for node in graph.nodes]


def test_an_unfinished_game_says_what_is_open(tmp_path: Path) -> None:
    (tmp_path / "campaign.yaml").write_text(
        "game: fight-sphere\ntitle: Open\nplayers: [Ana, Bo, Cy]\ngm: Gil\n", "utf-8"
    )
    (tmp_path / "01.yaml").write_text(
        """session: 1
log:
- {gladiator: Asa, by: Ana, death wish: a debt, relationships: {Mina: 3, Tom: 2}}
- {gladiator: Ben, by: Bo, death wish: a debt}
- {gladiator: Cal, by: Cy, death wish: a debt}
- {layer: 1, episodes: {Rust: [Asa, Ben, Cal]}}
- play starts:
- truce: [Ben, Cal]
- {encounter: Asa, by: Bo, stake: {Ben: {gamble: 2}, Asa: {use: [Mina, Tom]}}}
- roll: {Ben: [1, 1], Asa: [2, 2, 2, 2, 2]}
""",
        "utf-8",
    )
    view = view_of(run(load(tmp_path)))
    ends = [words(item.text) for item in view.loose_ends]
    assert "Ben and Asa are still in an Encounter" in ends
    assert "Ben and Cal have a truce" in ends
    assert "Asa owes 2 points" in ends
    assert view.situation == (
        "Asa still owes points. Bo's Scene is not closed; after it Cy is on turn with Cal."
    )


def test_a_scene_is_closed_by_whose_it_is_though_the_turn_has_passed(tmp_path: Path) -> None:
    (tmp_path / "campaign.yaml").write_text(
        "game: fight-sphere\ntitle: Open\nplayers: [Ana, Bo, Cy]\ngm: Gil\n", "utf-8"
    )
    (tmp_path / "01.yaml").write_text(
        """session: 1
log:
- {gladiator: Asa, by: Ana, death wish: a debt}
- {gladiator: Ben, by: Bo, death wish: a debt}
- {gladiator: Cal, by: Cy, death wish: a debt}
- {layer: 1, episodes: {Rust: [Asa, Ben, Cal]}}
- play starts:
- {scene: The ladder, by: Bo, npcs: [Mina]}
- stake: {gamble: 1}
- roll: {Bo: [1], GM: [2, 3]}
- end scene: Rust falls
""",
        "utf-8",
    )
    campaign = load(tmp_path)
    rolled = table_after(campaign, 8)
    (closes,) = [option for option in rolled.rulebook.options(rolled) if option.verb == "end scene"]
    situation = rolled.rulebook.situation(rolled)
    assert "Bo's Scene is not closed; after it Cy is on turn with Cal." in situation
    over = table_after(campaign, 9)
    assert closes.by == over.steps[-1].player == "Bo"
    assert "not closed" not in over.rulebook.situation(over)


def test_an_unreadable_layer_folds_what_it_opened_until_the_next_one(tmp_path: Path) -> None:
    campaign_copy = shutil.copytree(Path(ROOT) / "sessions" / "six-names", tmp_path / "told")
    full_text = (campaign_copy / "03.yaml").read_text("utf-8")
    assert full_text.count("\n- layer: 2") == 1
    session = campaign_copy / "03.yaml"
    session.write_text(full_text.replace("\n- layer: 2", "\n- layer: [2]"), "utf-8")
    diagnostics = run(load(campaign_copy)).diagnostics
    lost = [diagnostic for diagnostic in diagnostics if diagnostic.dropped_words[:1] == ("layer",)]
    assert len(lost) == 1
    assert len(lost[0].dependents) > 25
    assert sum(1 for diagnostic in diagnostics if diagnostic.cause is None) < 10
