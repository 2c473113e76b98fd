"""Secrets with proof: what a seal binds, when it may be opened, what is said of those left shut."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from chronicle.campaigns import load, run
from chronicle.core.record import Record
from chronicle.core.secrets import make_opening, read_opening, seal_of
from chronicle.games import GAMES, rulebook
from chronicle.testkit.random_play import write_campaign

PLAYERS = ["Ana", "Bo", "Cy"]
SETTINGS = "game: universalis\ntitle: T\nplayers: [Ana, Bo, Cy]\n"


def play(folder: Path, *logs: list[str], settings: str = SETTINGS) -> Record:
    return run(load(write_campaign(folder, settings, list(logs))))


def form_problems(record: Record) -> list[tuple[str, str]]:
    """The findings of form that follow from no other; the rules of the game are not at issue here."""
    return [
        (diagnostic.code, str(diagnostic.kind))
        for diagnostic in record.diagnostics
        if diagnostic.cause is None and not diagnostic.game
    ]


# -- the seal --------------------------------------------------------------------------------------


def test_the_verbatim_line_is_hashed_and_no_other_spelling_of_it() -> None:
    line = make_opening(3, "ana-bid", "Änne", "bid", "4")
    assert json.loads(line)[:6] == ["chronicle-seal-1", 3, "ana-bid", "Änne", "bid", "4"]
    assert len(bytes.fromhex(json.loads(line)[6])) == 16
    assert seal_of(line) == "sha256:" + hashlib.sha256(line.encode()).hexdigest()
    for spelling in (
        json.dumps(json.loads(line)),
        json.dumps(json.loads(line), indent=0),
        line + " ",
    ):
        assert json.loads(spelling) == json.loads(line)
        assert seal_of(spelling) != seal_of(line)


@pytest.mark.parametrize(
    "line",
    [
        '["chronicle-seal-1", 1, "a", "Ana", "bid", "4", "0123"]',
        '["chronicle-seal-1", 1, "a", "Ana", "bid", "4", "' + "z" * 32 + '"]',
        '["chronicle-seal-2", 1, "a", "Ana", "bid", "4", "' + "0" * 32 + '"]',
        '["chronicle-seal-1", true, "a", "Ana", "bid", "4", "' + "0" * 32 + '"]',
        '["chronicle-seal-1", 1, "a", "Ana", "bid", 4, "' + "0" * 32 + '"]',
        "[" * 100_000,
        "9" * 10_000,
        "",
    ],
)
def test_what_is_no_opening(line: str) -> None:
    assert read_opening(line) is None


@pytest.mark.parametrize("game", list(GAMES))
def test_a_seal_holds_in_every_game_and_a_changed_line_does_not(game: str, tmp_path: Path) -> None:
    codes: dict[str, list[str]] = {}
    shown: dict[str, str] = {}
    for name in ("kept", "changed"):
        folder = tmp_path / name
        for file, text in rulebook(game).new_campaign().items():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(text, encoding="utf-8")
        player = str(load(folder).players[0].name)
        opening = make_opening(2, "wish", player, "wish", "that it rains")
        opening_text = opening if name == "kept" else opening.replace("rains", "snows")
        (folder / "02.yaml").write_text(
            f"session: 2\nlog:\n- sealed: {seal_of(opening)}\n  id: wish\n  by: {player}\n  kind: wish\n"
            f"- reveal: wish\n  opening: '{opening_text}'\n",
            encoding="utf-8",
        )
        record = run(load(folder))
        codes[name] = [
            diagnostic.code
            for diagnostic in record.diagnostics
            if diagnostic.place.path.endswith("02.yaml")
        ]
        shown[name] = record.steps[-1].events[-1].text
    assert codes == {"kept": [], "changed": ["T76"]}
    assert shown["kept"] == "that it rains (sealed)"
    assert "snows" not in shown["changed"]
    assert "(stated)" in shown["changed"]


@pytest.mark.parametrize(
    ("made_for", "told"),
    [
        ((1, "other", "Ana", "wish"), "'other' in session 1"),
        ((2, "wish", "Ana", "wish"), "'wish' in session 2"),
        ((1, "wish", "Bo", "wish"), "Bo, and the seal is Ana's"),
        ((1, "wish", "Ana", "bid"), "a bid, and the seal is on a wish"),
    ],
)
def test_an_opening_fits_its_place_only(
    made_for: tuple[int, str, str, str], told: str, tmp_path: Path
) -> None:
    opening = make_opening(*made_for, "x")
    log = [
        f"- sealed: {seal_of(opening)}\n  id: wish\n  by: Ana\n  kind: wish",
        f"- reveal: wish\n  opening: '{opening}'",
    ]
    record = play(tmp_path, log)
    assert form_problems(record) == [("T77", "illegal")]
    assert record.diagnostics[0].message == f"this opening was made for {told}"
    assert "(stated)" in record.steps[-1].events[0].text


def test_letter_case_and_a_kind_left_out_are_no_other_place(tmp_path: Path) -> None:
    opening = make_opening(1, "wish", "ana", "Wish", "x")
    for name, kind in (("a", "\n  kind: wish"), ("b", "")):
        log = [
            f"- sealed: {seal_of(opening)}\n  id: wish\n  by: Ana{kind}",
            f"- reveal: wish\n  opening: '{opening}'",
        ]
        assert form_problems(play(tmp_path / name, log)) == []


def test_what_was_never_revealed_is_counted_and_seals_are_named(tmp_path: Path) -> None:
    opening = make_opening(1, "wish", "Ana", "wish", "x")
    log = [
        f"- sealed: {seal_of(opening)}\n  id: wish\n  by: Ana\n  kind: wish",
        "- secret: It was Bo\n  id: who",
    ]
    record = play(tmp_path, log)
    assert form_problems(record) == []
    assert (record.unrevealed_count, record.unopened_seal_numbers) == (2, (1,))
