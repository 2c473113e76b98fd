"""Where a record does not know a figure."""

import pytest

from chronicle.campaigns import load, run
from chronicle.core.doubts import Doubt, doubts_of
from chronicle.core.record import Record
from tests.conftest import ROOT


def record_of(name: str) -> Record:
    return run(load(ROOT / "sessions" / name))


def test_a_gap_lasts_until_the_figure_is_counted() -> None:
    doubts = doubts_of(record_of("the-ferry-house"), "wealth:Kwame")
    # Kwame is not there in the second session, so nobody counts his Coins again.
    assert doubts == (Doubt(14, 16), Doubt(37, 0))


def test_an_unwritten_bid_leaves_an_upper_bound_until_a_gap() -> None:
    bid, *later_doubts = doubts_of(record_of("the-ferry-house"), "wealth:Rolf")
    assert bid == Doubt(4, 15, is_bound=True)
    assert later_doubts[0] == Doubt(14, 16)
    assert bid.covers(14) and not later_doubts[0].covers(14)


def test_nothing_is_known_between_two_pages_of_cards() -> None:
    record = record_of("left-luggage")
    for player in record.campaign.players:
        doubts = doubts_of(record, f"wealth:{player.name}")
        assert [(doubt.start, doubt.end) for doubt in doubts] == [(0, 1), (1, 3), (3, 4)]


def test_what_a_gap_is_older_than_stays_known() -> None:
    assert doubts_of(record_of("the-ferry-house"), "wealth:Kwame", birth_step_number=38) == (
        Doubt(73, 0),
    )


@pytest.mark.parametrize("name", ["the-lantern-coast", "the-boathouse", "snowshed-nine"])
def test_a_whole_record_leaves_no_doubt(name: str) -> None:
    record = record_of(name)
    accounts = {account for account, _, _ in record.ledger.balances() if ":" in account}
    assert not [doubt for account in accounts for doubt in doubts_of(record, account)]
