"""Keeping a log at the desk takes fewer touches than typing it, in every game."""

import pytest

from tests.services.fingers import counted

STRETCHES = {
    "the-lantern-coast": (252, 264),
    "snowshed-nine": (48, 57),
    "the-boathouse": (24, 34),
    "the-dry-book": (30, 40),
    "six-names": (20, 30),
    "gallery-nine": (20, 30),
}


@pytest.mark.integration
@pytest.mark.parametrize("campaign", STRETCHES)
@pytest.mark.slow
def test_the_desk_takes_fewer_touches_than_typing(campaign: str) -> None:
    counts = counted(campaign, *STRETCHES[campaign])
    touches, typed = sum(count.touches for count in counts), sum(count.yaml for count in counts)
    assert len(counts) >= 8
    assert touches < 0.7 * typed, f"{touches} touches; typed, {typed} keys"
    # No entry is more work at the desk than it is in an editor.
    assert [count for count in counts if count.touches > count.yaml + 2] == []
