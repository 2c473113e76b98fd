"""What messages are made of."""

from __future__ import annotations

from chronicle.core.diagnostic import did_you_mean


def test_nobody_means_the_opposite_of_a_word() -> None:
    assert did_you_mean("uncooperative", ["cooperative", "hostile"]) == ""
    assert "'cooperative'" in did_you_mean("coperative", ["cooperative", "hostile"])
