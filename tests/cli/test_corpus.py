"""Figures over many campaigns: they are those of the records, each with the campaigns behind it."""

from __future__ import annotations

import json
import sqlite3
import sys
from collections import Counter
from pathlib import Path
from shutil import copytree

import pytest

from chronicle.campaigns import find_campaigns, for_readers, load, run, view_of
from chronicle.cli import main
from chronicle.core.corpus import (
    FIGURE_KINDS,
    CampaignStatistics,
    Figures,
    campaign_figures,
    summarise,
)
from chronicle.core.ledger import owner_of
from tests.conftest import ROOT

COAST = ROOT / "sessions" / "the-lantern-coast"
SECRET = """\
session: 9
log:
- {secret: The lamp burns names, id: hush}
- {tell: It rains}
"""


def counted(*arguments: str | Path, capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    assert main(["corpus", *map(str, arguments), "--format", "json"]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def figures(folder: Path) -> Figures:
    return campaign_figures(view_of(run(for_readers(load(folder)))))


def with_rolled_dice(folder: Path, example: Path = COAST) -> Path:
    """A copy of a play example, its dice rolled and not written."""
    copytree(example, folder)
    settings = folder / "campaign.yaml"
    text = settings.read_text("utf-8")
    assert "dice: written" in text
    settings.write_text(text.replace("dice: written", "dice: rolled"), "utf-8")
    return folder


def test_figures_are_those_of_the_record(tmp_path: Path) -> None:
    coast = with_rolled_dice(tmp_path / "one")
    record = run(for_readers(load(coast)))
    view, counted_figures = view_of(record), figures(coast)
    stands = [step for step in record.steps if not step.retracted_by]
    used = {
        rule: sum(not record.step(number).retracted_by for number in steps)
        for rule, steps in record.rules_used().items()
    }
    assert dict(counted_figures.rows("rules")) == {
        rule: times for rule, times in used.items() if times
    }
    players = set(view.players())
    paid = sum(
        p.amount
        for p in record.ledger.postings
        if p.step_number and p.rule and owner_of(p.source) in players and not owner_of(p.target)
    )
    assert (
        paid == sum(int(amount) * int(n) for _, _, amount, n in counted_figures.rows("prices")) > 50
    )
    faces = Counter(face for step in stands for t in step.throws for face in t.faces)
    assert {face: n for _, face, n in counted_figures.rows("dice")} == dict(faces)
    lengths = sum(int(n) * times for n, times in counted_figures.rows("sessions"))
    assert lengths == counted_figures.tallies["sizes"]["entries",] > 100
    assert Figures.from_data(json.loads(json.dumps(counted_figures.to_data()))) == counted_figures


def test_written_dice_are_not_counted_with_those_that_fell(tmp_path: Path) -> None:
    written, rolled = figures(COAST), figures(with_rolled_dice(tmp_path / "one"))
    assert not written.faces_by_die
    assert not written.counts_of("dice")
    assert sum(rolled.counts_of("dice").values()) > 50
    # Nothing else differs.
    assert written.tallies == {kind: t for kind, t in rolled.tallies.items() if kind != "dice"}


def test_a_dispute_says_who_won_it() -> None:
    coast_figures = figures(COAST)
    won = {winner: n for rule, winner, n in coast_figures.rows("disputes") if rule == "U3.45"}
    record = run(load(COAST))
    bid = [step.weighing for step in record.steps if step.weighing and step.weighing.sides]
    assert bid
    assert all(sum(side.won for side in weighing.sides) <= 1 for weighing in bid)
    assert sum(won.values()) == len(bid)
    assert won["first"] == sum(weighing.sides[0].won for weighing in bid)


def test_what_is_hidden_or_struck_counts_for_nothing(tmp_path: Path) -> None:
    copytree(COAST, tmp_path / "one")
    figures_before = figures(tmp_path / "one")
    (tmp_path / "one" / "99.yaml").write_text(SECRET.replace("9", "99", 1), "utf-8")
    figures_after = figures(tmp_path / "one")
    assert figures_after.tallies["verbs"] - figures_before.tallies["verbs"] == Counter(
        {("tell",): 1}
    )
    assert figures_after.tallies["rules"] == figures_before.tallies["rules"]


def test_sums_keep_the_number_of_campaigns_behind_each() -> None:
    every = CampaignStatistics()
    folders = find_campaigns(ROOT / "sessions")
    each = [figures(folder) for folder in folders]
    for campaign in each:
        every.add(campaign)
    assert every.campaign_count == len(folders)
    for game, sums in every.figures_by_game.items():
        of_game = [campaign for campaign in each if campaign.game == game]
        assert sums.campaign_count == len(of_game)
        for kind in FIGURE_KINDS:
            for key, times in sums.counts_of(kind).items():
                having = [campaign for campaign in of_game if campaign.counts_of(kind).get(key)]
                assert times == sum(campaign.tallies[kind][key] for campaign in having)
                group = key[: FIGURE_KINDS[kind].group_width]
                behind = sums.campaign_count_of(kind, *group)
                assert len(having) <= behind <= len(of_game)
                assert (behind == len(having)) or len(group) < len(key)


def test_a_spread_is_told_right() -> None:
    assert summarise({1: 3, 2: 1, 10: 1}) == (5, 3.0, 1, 10)
    assert summarise({4: 1, 6: 1}) == (2, 5.0, 4, 6)


def test_the_database_and_parquet_say_what_json_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from pyarrow.parquet import read_table

    home = tmp_path / "club"
    for name in ("the-ferry-house", "six-names", "the-boathouse"):
        with_rolled_dice(home / name, ROOT / "sessions" / name)
    figures_json = counted(home, capsys=capsys)
    for jobs in ("1", "2"):
        arguments = ["corpus", str(home), "--jobs", jobs, "--out", str(tmp_path / jobs)]
        assert main([*arguments, "--format", "sqlite"]) == 0
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()
    assert main(["corpus", str(home), "--format", "parquet", "--out", str(tmp_path / "p")]) == 0
    base = sqlite3.connect(tmp_path / "1")
    # Datasette knows no key of another table that is not named.
    keys = base.execute(
        'SELECT "to" FROM sqlite_master, pragma_foreign_key_list(sqlite_master.name)'
        " WHERE type = 'table'"
    ).fetchall()
    assert keys and {column for (column,) in keys} == {"campaign"}
    for kind in FIGURE_KINDS:
        rows = sorted(
            (figure["campaign"], *row)
            for figure in figures_json
            for row in figure["kinds"].get(kind, ())  # type: ignore[attr-defined]
        )
        assert sorted(base.execute(f"SELECT * FROM {kind}")) == rows
        table = read_table(tmp_path / "p" / f"{kind}.parquet").drop_columns("game")
        assert sorted(tuple(row.values()) for row in table.to_pylist()) == rows
    view = base.execute("SELECT sum(times), max(campaigns) FROM rules_by_game").fetchone()
    assert view[0] == base.execute("SELECT sum(times) FROM rules").fetchone()[0]
    assert view[1] == 1
    assert base.execute("SELECT count(*) FROM faces WHERE die = 'd6'").fetchone() == (6,)
    base.close()


def test_shares_add_up_and_one_that_is_broken_stops_nobody(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("the-ferry-house", "six-names"):
        copytree(ROOT / "sessions" / name, tmp_path / name)
    shares = [counted(tmp_path, "--shard", f"{n}/2", capsys=capsys) for n in (1, 2)]
    assert sorted(row["campaign"] for share in shares for row in share) == [  # type: ignore[type-var]
        "six-names",
        "the-ferry-house",
    ]
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "campaign.yaml").write_text("game: chess\nplayers: [Ana]\n", "utf-8")
    assert main(["corpus", str(tmp_path)]) == 1
    captured = capsys.readouterr()
    assert "chess" in captured.err
    assert "How often each rule is used" in captured.out
    assert "Campaigns" in captured.out


def test_what_cannot_be_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["corpus", str(COAST), "--format", "sqlite"]) == 2
    (tmp_path / "there").write_text("mine", "utf-8")
    assert main(["corpus", str(COAST), "--format", "sqlite", "--out", str(tmp_path / "there")]) == 2
    assert (tmp_path / "there").read_text("utf-8") == "mine"
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert main(["corpus", str(COAST), "--format", "parquet", "--out", str(tmp_path / "p")]) == 2
    assert '[parquet]"' in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["there"]
