"""Sealed bids: all are sealed before the first is opened, and what is bid is what was sealed."""

from __future__ import annotations

from pathlib import Path
from random import Random

from chronicle.campaigns import load, run
from chronicle.core.diagnostic import DiagnosticKind
from chronicle.core.record import Record
from chronicle.core.replay import Replay, entries_from
from chronicle.core.secrets import make_opening, seal_of
from chronicle.games import rulebook
from chronicle.testkit.random_play import write_campaign

PLAYERS = ["Ana", "Bo", "Cy"]
SETTINGS = "game: universalis\ntitle: T\nplayers: [Ana, Bo, Cy]\n"


def play(folder: Path, *logs: list[str], settings: str = SETTINGS) -> Record:
    return run(load(write_campaign(folder, settings, list(logs))))


def codes_and_messages(record: Record) -> list[tuple[str, str]]:
    """The findings of form that follow from no other; the rules of the game are not at issue here."""
    return [
        (diagnostic.code, str(diagnostic.kind))
        for diagnostic in record.diagnostics
        if diagnostic.cause is None and not diagnostic.game
    ]


def bid_of(player: str, value: object, slot: str = "", session: int = 1) -> tuple[str, str]:
    """A sealed bid and its reveal, as entries."""
    slot = slot or f"{player.casefold()}-bid"
    opening = make_opening(session, slot, player, "bid", str(value))
    return (
        f"- sealed: {seal_of(opening)}\n  id: {slot}\n  by: {player}\n  kind: bid",
        f"- reveal: {slot}\n  opening: '{opening}'",
    )


def rounds(*bids: tuple[str, str]) -> list[str]:
    return [*(seal for seal, _ in bids), *(reveal for _, reveal in bids)]


def test_bids_that_are_all_sealed_first_are_fine_round_after_round(tmp_path: Path) -> None:
    first = [bid_of(name, 2 + n) for n, name in enumerate(PLAYERS)]
    second = [bid_of(name, 1 + n, f"{name}-2") for n, name in enumerate(PLAYERS)]
    log = [
        *rounds(*first),
        "- bid: {Ana: 2, Bo: 3, Cy: 4}",
        "- scene: The pump house\n  at: {new: pump house}\n  time: noon",
        "- end scene:",
        *rounds(*second),
        "- bid: {Ana: 1, Bo: 2, Cy: 3}",
    ]
    record = play(tmp_path, log)
    assert codes_and_messages(record) == []
    assert record.unrevealed_count == 0
    assert record.unopened_seal_numbers == ()


def test_a_bid_opened_before_all_have_sealed_is_doubted(tmp_path: Path) -> None:
    (ana, open_ana), (bo, _), _ = (bid_of(name, 3) for name in PLAYERS)
    record = play(tmp_path, [ana, bo, open_ana])
    assert codes_and_messages(record) == [("T78", "unknown")]
    assert "Ana's bid is opened, and Cy sealed none before" in record.diagnostics[0].message
    assert record.diagnostics[0].step_number == 3


def test_a_bid_sealed_after_another_was_opened_is_an_error_and_the_only_one(tmp_path: Path) -> None:
    (ana, open_ana), (bo, open_bo), (cy, open_cy) = (bid_of(name, 3) for name in PLAYERS)
    record = play(tmp_path, [ana, open_ana, bo, cy, open_bo, open_cy])
    assert codes_and_messages(record) == [("T78", "illegal")]
    late = next(diagnostic for diagnostic in record.diagnostics if diagnostic.cause is None)
    assert late.message == "Bo seals a bid after Ana's was opened"
    assert late.step_number == 3
    assert sorted(dependent.kind is DiagnosticKind.ILLEGAL for dependent in late.dependents) == [
        False,
        True,
    ]


def test_who_is_away_need_not_seal(tmp_path: Path) -> None:
    (ana, open_ana), (bo, open_bo), _ = (bid_of(name, 3) for name in PLAYERS)
    assert codes_and_messages(play(tmp_path, ["- leave: Cy", ana, bo, open_ana, open_bo])) == []


def test_bids_for_different_things_are_different_rounds(tmp_path: Path) -> None:
    sealed = [bid_of(name, 1) for name in PLAYERS]
    other_bids = [bid_of(name, 2, f"{name}-boat") for name in PLAYERS]
    log = [
        *rounds(*sealed),
        *(f"{seal}\n  about: the boat" for seal, _ in other_bids),
        *(reveal for _, reveal in other_bids),
    ]
    assert codes_and_messages(play(tmp_path, log)) == []


def test_a_bid_that_is_never_opened_is_told_when_the_bids_are_used(tmp_path: Path) -> None:
    (ana, open_ana), (bo, open_bo), (cy, _) = (bid_of(name, 3) for name in PLAYERS)
    log = [ana, bo, cy, open_ana, open_bo, "- bid: {Ana: 3, Bo: 3, Cy: 3}"]
    record = play(tmp_path, log)
    assert codes_and_messages(record) == [("T79", "unknown")]
    assert record.diagnostics[-1].message == "Cy's sealed bid was never opened"
    assert record.unopened_seal_numbers == (3,)


def test_a_bid_that_is_never_opened_is_told_when_the_next_is_sealed(tmp_path: Path) -> None:
    sealed = [bid_of(name, 3) for name in PLAYERS]
    second_bid = bid_of("Ana", 4, "ana-again")
    log = [*(seal for seal, _ in sealed), sealed[0][1], second_bid[0]]
    record = play(tmp_path, log)
    assert codes_and_messages(record) == [("T79", "unknown")]
    assert record.diagnostics[0].message == "the sealed bids were never opened: Bo's and Cy's"


def test_what_is_bid_is_what_was_sealed(tmp_path: Path) -> None:
    sealed = [bid_of(name, f"{2 + n} Coins") for n, name in enumerate(PLAYERS)]
    record = play(tmp_path, [*rounds(*sealed), "- bid: {Ana: 2, Bo: 5, Cy: 4}"])
    assert codes_and_messages(record) == [("T74", "bookkeeping")]
    assert record.diagnostics[-1].message == "Bo bids 5, and sealed 3"


def test_a_bid_is_proposed_as_it_was_sealed(tmp_path: Path) -> None:
    sealed = [bid_of(name, 2 + n) for n, name in enumerate(PLAYERS)]
    folder = write_campaign(tmp_path, SETTINGS + "preparation: skipped\n", [rounds(*sealed)])
    campaign = load(folder)
    replay: Replay[object] = Replay(campaign, rulebook(campaign.game))
    for _, action in entries_from(replay):
        replay.do(action)
    bids = [move for move in replay.rulebook.options(replay.play) if move.verb == "bid"]
    assert [move.make_entry(Random(1)) for move in bids] == [{"bid": {"Ana": 2, "Bo": 3, "Cy": 4}}]


def test_seals_of_other_kinds_wait_for_nobody(tmp_path: Path) -> None:
    opening = make_opening(1, "wish", "Ana", "wish", "x")
    log = [
        f"- sealed: {seal_of(opening)}\n  id: wish\n  by: Ana\n  kind: wish",
        f"- reveal: wish\n  opening: '{opening}'",
    ]
    assert codes_and_messages(play(tmp_path, log)) == []
