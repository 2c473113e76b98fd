"""What a reader of a scenario is shown: the play example's Book, and the procedure in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from chronicle.campaigns import load, run, view_of
from chronicle.core.campaign_view import (
    Block,
    CampaignView,
    ContestCard,
    Facts,
    Graph,
    Lanes,
    Listing,
    Page,
    Section,
    Steps,
    Table,
)
from chronicle.core.replay import Replay
from chronicle.games import rulebook
from chronicle.games.isolation.cards import what_if
from chronicle.games.isolation.state import State

ROOT = Path(__file__).resolve().parents[3]
EXAMPLE = ROOT / "sessions" / "snowshed-nine"


@pytest.fixture(scope="module")
def view() -> CampaignView:
    return view_of(run(load(EXAMPLE)))


def page(view: CampaignView, slug: str) -> Page:
    return next(page for page in view.pages if page.slug == slug)


def blocks(value: object) -> list[Block]:
    """All blocks of a page, opened."""
    opened: list[Block] = []
    for block in getattr(value, "blocks", ()):
        opened.append(block)
        if isinstance(block, Section):
            opened += blocks(block)
    return opened


def test_the_map_at_any_moment_has_two_inks_and_two_dashes(view: CampaignView) -> None:
    pages = [p for p in view.pages if p.slug.startswith("map-session-")]
    assert len(pages) == 3
    graphs = [block for p in pages for block in blocks(p) if isinstance(block, Graph)]
    assert len(graphs) > 8
    kinds = {edge.kind for graph in graphs for edge in graph.edges}
    assert kinds == {"green", "red", "green unlabelled", "red unlabelled"}
    first = graphs[0]
    wim = next(
        e for e in first.edges if {e.start, e.end} == {"Hedda Brunn", "Wim"} and e.kind == "red"
    )
    assert wim.count == 4
    assert wim.label == "no patience with fare dodgers (twice), hates uniforms (twice)"
    assert "Oskar Blum" in {node.id for node in first.nodes}
    assert "Oskar Blum" not in {node.id for node in graphs[-1].nodes}


def test_every_map_changes_say_what_changed(view: CampaignView) -> None:
    listings = [b for b in blocks(page(view, "map-session-1")) if isinstance(b, Listing)]
    texts = [str(item.text) for listing in listings for item in listing.items]
    assert "Hedda Brunn & Anselm Rott: red 'Anselm Rott Injured' drawn" in texts
    assert "Hedda Brunn & Anselm Rott: red 'Anselm Rott Injured' erased" in texts
    assert "Hedda Brunn & Anselm Rott: unlabelled now -1" in texts


def test_the_fever_chart_names_its_causes(view: CampaignView) -> None:
    chart = view.curves[0]
    assert isinstance(chart, Steps)
    words = [words for _, _, words in chart.marks]
    assert "five hours without a sound from above" in words
    assert any(word.startswith("Complete Failure: One look") for word in words)
    assert chart.series[0].points[-1][1] == 0


def test_conflict_cards_show_both_readings(view: CampaignView) -> None:
    state: State = view.record.state
    sections = [
        block
        for view_page in view.pages
        if view_page.slug.startswith("conflicts-session-")
        for block in view_page.blocks
        if isinstance(block, Section)
    ]
    assert len(sections) == len(state.conflicts)
    first = sections[0]
    assert sum(isinstance(block, ContestCard) for block in first.blocks) == 2
    assert first.gist == "Partial Success"
    read = next(b for b in first.blocks if isinstance(b, Section) and b.folded)
    readings = next(b for b in read.blocks if isinstance(b, Table))
    assert ("hostile" in str(readings.rows[1])) and "-3" in str(readings.rows[1])
    ladder = next(b for b in read.blocks if isinstance(b, Facts) and b.title == "The levels")
    assert ("Partial Success", "0, 1: here, 0") in ladder.rows


def test_what_if_in_the_manner_of_the_text(tmp_path: Path) -> None:
    """IT6, IT7: one more or one less on each side."""
    (tmp_path / "campaign.yaml").write_text(
        "game: isolation\ntitle: T\ngm: Gil\nplayers: [Ana, Bea, Cy]\n", encoding="utf-8"
    )
    (tmp_path / "01.yaml").write_text(
        """session: 1
log:
- scenario: A farmhouse
  threat: what walks outside
  stress: 2
- {character: Ben, by: Ana, profession: carpenter}
- {character: Ada, by: Bea}
- {character: Eva, by: Cy}
- green: {Ben & Ada: [tall + flirtatious, we danced], Ben & Eva: [we met before]}
- red: {Ben & Ada: [he snores], Ben & Eva: [tall + jealous, he lied]}
- play starts:
- propose: We nail boards over the windows
  by: Ben
  use: {Ben: profession, Ada: flirtatious, Eva: jealous}
- roll: {Ben: {green: 4316 4, red: 54361 12}, Ada: {green: 426 2, red: 3}, Eva: {green: 3, red: 354}}
- stance: {Ada: cooperative, Eva: hostile}
- difficulty: hard
  roll: 54341345 6
""",
        encoding="utf-8",
    )
    record = run(load(tmp_path))
    assert not record.diagnostics
    lines = [*what_if(record.state.conflicts[0])]
    assert "Had Eva been neutral: 7 against 5, a Basic Success (the dice did not allow it)" in lines
    assert "Had Ada been neutral: 1 against 5, a Complete Failure" in lines


def test_health_over_time_and_the_spread(view: CampaignView) -> None:
    page_blocks = blocks(page(view, "health"))
    lanes = next(block for block in page_blocks if isinstance(block, Lanes))
    rows = [str(row) for row in lanes.rows]
    assert all(rows[row].endswith(f": {level}") for row, _, level, _ in lanes.cells)
    assert [row for row in rows if row.startswith("Oskar")] == [
        "Oskar Blum: injured",
        "Oskar Blum: dead",
    ]
    spread = next(b for b in page_blocks if isinstance(b, Table) and b.title == "The spread")
    assert sum(int(str(row[2])) for row in spread.rows) == 5
    wounds = next(b for b in page_blocks if isinstance(b, Table) and b.title == "Wounds")
    assert ("Dr. Irena Lasko") in str(wounds.rows[0])


def test_who_helped_whom(view: CampaignView) -> None:
    matrix = page(view, "who-helped-whom").blocks[0]
    assert isinstance(matrix, Table)
    row = next(row for row in matrix.rows if "Anselm Rott" in str(row[0]))
    # Anselm asked twice: once Hedda stood by as one not asked, once after a roll.
    assert row[1] == "0 / 2 / 0"


def test_the_ends_of_sessions(view: CampaignView) -> None:
    page_blocks = blocks(page(view, "session-ends"))
    rolls = [b for b in page_blocks if isinstance(b, Table) and b.title == "Pair rolls"]
    assert len(rolls) == 2
    assert any("you kept hold of his other sleeve" in str(row) for row in rolls[1].rows)
    healed = [str(item.text) for b in page_blocks if isinstance(b, Listing) for item in b.items]
    assert "Anselm Rott is no longer injured" in healed


def test_places_difficulties_readings(view: CampaignView) -> None:
    table = next(b for b in page(view, "difficulties").blocks if isinstance(b, Table))
    assert len(table.rows) == len(view.record.state.conflicts)
    assert "really hard" in str(table.rows)
    readings = page(view, "readings").blocks[0]
    assert isinstance(readings, Table)
    assert len(readings.rows) > 30


def test_sheets_and_registries(view: CampaignView) -> None:
    names = {sheet.name: sheet for sheet in view.sheets}
    assert names["Anselm Rott"].status == "healthy"
    assert names["Oskar Blum"].status == "dead"
    assert names["The voice from Corvin"].kind == "outsider"
    assert [registry.title for registry in view.registries] == ["Characters", "Outsiders"]


def test_the_unrevealed_stays_hidden() -> None:
    campaign = load(EXAMPLE)
    campaign.sessions = campaign.sessions[:2]
    shown = view_of(run(campaign))
    assert "winter's pay" not in repr(shown.pages) + repr(shown.sheets) + repr(shown.state)


def test_where_play_is_in_words() -> None:
    """The procedure as a reader of ``explain`` hears it."""
    campaign = load(EXAMPLE)
    rules = rulebook("isolation")
    replay: Replay[State] = Replay(campaign, rules)
    sentences: list[str] = []
    for session in campaign.sessions:
        replay.open(session)
        for action in session.actions:
            replay.do(action)
            sentence = rules.situation(replay.play)
            if not sentences or sentences[-1] != sentence:
                sentences.append(sentence)
        replay.close()
    for beginning in (
        "Setup: name the characters.",
        "Setup: the relationship map",
        "The decision stage: any character can propose. Stress 2.",
        "Hedda Brunn has proposed: Hedda Brunn, Anselm Rott, Dr. Irena Lasko",
        "Dice are rolled: Anselm Rott",
        "Hedda Brunn's proposal: the GM sets the Difficulty.",
        "The stances are known: the GM rolls",
        "Dr. Irena Lasko turned Hostile and must roll red dice.",
        "Basic Failure: 2 wounds must be shared out.",
        "Oskar Blum died: the last green links must be placed.",
        "The session ends: each pair may roll",
        "The stances are known: Wim rolls in defence.",
        "The decision stage: any character can propose. Stress 0; no dice are needed.",
        "The scenario is over; Hedda Brunn, Anselm Rott",
    ):
        assert any(sentence.startswith(beginning) for sentence in sentences), beginning
