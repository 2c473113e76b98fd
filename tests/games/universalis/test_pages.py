"""Pages of Universalis that list what a campaign collects keep a bounded size."""

from __future__ import annotations

from pathlib import Path

from chronicle.campaigns import load, open_view, run
from chronicle.core.campaign_view import Facts, Ref, Section, Table
from chronicle.games.universalis.pages import (
    IN_FULL,
    contests_page,
    disputes_page,
    scenes_page,
    tenets_page,
)

EXTRA_SCENES = 3
SCENE = """\
- bid: {{Ana: 2, Bao: 0}}
- scene: Scene {n}
  at: {place}
- introduce: {who}
- event: Day {n}
- end turn:
- introduce: {other}
- complication: {{troll: Ida}}
- draw: {{troll: huge}}
- roll: {{Bao: 3, Ana: []}}
- outcome: {{Bao: [{{keep: 3}}]}}
- fact: It rains {n}
- challenge: Ana
  wants: snow
  dropped: well then
- end turn:
- end scene:
"""


def test_long_campaigns_are_shown_in_part(tmp_path: Path) -> None:
    (tmp_path / "campaign.yaml").write_text(
        "game: universalis\ntitle: Long\nplayers: [Ana, Bao]\npreparation: skipped\n"
    )
    log = "".join(
        SCENE.format(
            n=n,
            place="{new: ford}" if n == 1 else "ford",
            who="{character: ranger, name: Ida}" if n == 1 else "Ida",
            other="{character: troll, traits: [huge]}" if n == 1 else "troll",
        )
        for n in range(1, IN_FULL + EXTRA_SCENES + 1)
    )
    (tmp_path / "01.yaml").write_text(f"session: 1\nlog:\n{log}")
    record = run(load(tmp_path))
    assert not record.diagnostics
    for page, title in (
        (contests_page(record, record.state), "Earlier Complications"),
        (disputes_page(record, record.state), "Earlier Challenges"),
    ):
        assert sum(isinstance(block, Section) for block in page.blocks) == IN_FULL
        earlier = [b for b in page.blocks if isinstance(b, Table) and b.title == title]
        assert [len(table.rows) for table in earlier] == [EXTRA_SCENES]
    scenes = scenes_page(record, record.state)
    (scene_by_scene,) = (block for block in scenes.blocks if isinstance(block, Section))
    shown = [block.title for block in scene_by_scene.blocks if isinstance(block, Section)]
    assert shown == [f"Scene {n}" for n in range(EXTRA_SCENES + 1, IN_FULL + EXTRA_SCENES + 1)]


def test_a_gimmick_shows_its_figures_and_its_challenge(tmp_path: Path) -> None:
    (tmp_path / "campaign.yaml").write_text("game: universalis\ntitle: Dear\nplayers: [Ana, Bao]\n")
    (tmp_path / "01.yaml").write_text(
        "session: 1\nlog:\n"
        "- gimmick: Events are dear\n  id: dear\n  by: Ana\n"
        "  sets: {price: {event: 2}, uses: [kit, lamp]}\n"
        "- challenge: Bao\n  wants: cheap\n  dropped: well then\n"
    )
    record = run(load(tmp_path))
    (section,) = tenets_page(record, record.state).blocks
    assert isinstance(section, Section)
    (box,) = section.blocks
    assert isinstance(box, Facts)
    rows = dict(box.rows)
    assert rows["In figures"] == "price: event 2; uses: kit, lamp"
    assert rows["Disputed"] == Ref("step", "2", "Challenged by Bao")


def test_what_was_agreed_before_play_stands_for_itself(tmp_path: Path) -> None:
    """It borrows nothing from the last entry, and no Challenge about something else is about it."""
    (tmp_path / "campaign.yaml").write_text(
        "game: universalis\ntitle: Paid\nplayers: [Ana, Bao]\nadd ons:\n  durable:\n  jobs:\n"
        "    contracts: {host: {player: Bao, duties: cooks, pays: 1, per: scene}}\n"
    )
    record = run(load(tmp_path))
    assert tenets_page(record, record.state).blocks
    (tmp_path / "01.yaml").write_text(
        "session: 1\nlog:\n- challenge: Bao\n  against: Ana\n  wants: less noise\n  dropped: well\n"
        "- adopt: {durable: {price: 3}}\n  by: Ana\n  changes: durable\n"
        "- gimmick: Events are dear\n  by: Bao\n  sets: {price: {event: 2}}\n"
    )
    record = run(load(tmp_path))
    (section,) = tenets_page(record, record.state).blocks
    assert isinstance(section, Section)
    host, durable, _ = (dict(box.rows) for box in section.blocks if isinstance(box, Facts))
    assert host.keys() == {"Proposed", "State", "Cited as", "Holds for"}
    assert durable["Before"] == "Durable Components, before play"


def test_masters_that_are_subs_of_each_other_have_pages(tmp_path: Path) -> None:
    """Their Importance comes to an end."""
    (tmp_path / "campaign.yaml").write_text(
        "game: universalis\ntitle: Round\nplayers: [Ana, Bao]\npreparation: skipped\n"
    )
    (tmp_path / "01.yaml").write_text(
        "session: 1\nlog:\n- create: [{master: box}, {master: chest}]\n"
        "- sub: {box: chest}\n- sub: {chest: box}\n"
    )
    campaign = load(tmp_path)
    assert open_view(campaign).sheets
