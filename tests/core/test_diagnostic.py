"""What messages are made of."""

from __future__ import annotations

import pytest

from chronicle.core.diagnostic import did_you_mean, with_article


def test_nobody_means_the_opposite_of_a_word() -> None:
    assert did_you_mean("uncooperative", ["cooperative", "hostile"]) == ""
    assert "'cooperative'" in did_you_mean("coperative", ["cooperative", "hostile"])


@pytest.mark.parametrize(
    ("word", "told"), [("prop", "a prop"), ("outsider", "an outsider"), ("Envelope", "an Envelope")]
)
def test_an_article_goes_by_the_letter(word: str, told: str) -> None:
    assert with_article(word) == told
