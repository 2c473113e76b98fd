"""Which blocks of a page hold nothing."""

import pytest

from chronicle.core.campaign_view import (
    Block,
    Column,
    Facts,
    Listing,
    Note,
    Section,
    Slips,
    Stones,
    Table,
    holds_nothing,
)

UNFILLED = Stones((("Ada", 0, 5), ("Ben", 0, 5)), "Marks")
FILLED = Stones((("Ada", 0, 5), ("Ben", 1, 5)), "Marks")


@pytest.mark.parametrize(
    ("block", "is_empty"),
    [
        (UNFILLED, True),
        (FILLED, False),
        (Slips((), "Traits"), True),
        (Listing((), "Left open"), True),
        (Table((Column("Name"),), (), "Cast"), True),
        (Facts((("Scene", "1"),), "The scene"), False),
        (Section("Both", (UNFILLED, Slips((), "Traits"))), True),
        (Section("One of them", (UNFILLED, FILLED)), False),
        (Note("It begins."), False),
    ],
)
def test_a_block_holds_nothing_without_rows_or_filled_counters(
    block: Block, is_empty: bool
) -> None:
    assert holds_nothing(block) == is_empty
