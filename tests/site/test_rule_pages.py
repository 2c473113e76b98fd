"""Pages of rules: the readings of silent points, and the rules that a log came to."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

from chronicle.core.rules import Ruling
from chronicle.games import GAMES, rulebook
from chronicle.site.rule_pages import draw_rule_entry
from tests.site.made import EXAMPLES, made


def _words(html: str) -> str:
    """What a piece of a page says, with straight quotes."""
    text = unescape(re.sub("<.*?>", "", html))
    return text.translate(str.maketrans("’‘“”\u00a0", "''\"\" "))


@pytest.mark.parametrize("game", GAMES)
def test_a_reading_has_its_key_once_as_code_and_is_a_sentence(game: str) -> None:
    for ruling in rulebook(game).registry().rulings:
        html = draw_rule_entry(ruling)
        readings = re.findall(r"<li><code>(.*?)</code> (.*?)</li>", html)
        expected_keys = list(ruling.readings) if len(ruling.readings) > 1 else []
        assert [key for key, _ in readings] == expected_keys
        for key, reading in readings:
            assert not re.match(rf"{re.escape(key)}(\W\s|\W?$)", _words(reading), re.IGNORECASE)
        marked_as_default = ["ch-class" in reading for _, reading in readings]
        assert marked_as_default == [key == ruling.default for key in expected_keys]


def test_a_silent_point_tells_how_to_choose_another_reading() -> None:
    ruling = Ruling(
        "S1", "big bid", "Who bids?", {"all": "all, at once", "one": "one"}, "it says so."
    )
    html = draw_rule_entry(ruling)
    assert "<li><code>all</code> At once. <span" in html
    assert "<li><code>one</code> </li>" in html
    assert "Default because it says so. To choose another: <code>big bid: one</code>" in html
    fixed = draw_rule_entry(ruling._replace(readings={"one": "one, and no more"}))
    assert "<p>One, and no more.</p>" in fixed and "<code>" not in fixed


@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: str(folder.name))
def test_rules_used_name_each_rule_and_say_what_is_counted(folder: Path) -> None:
    site = made(folder)
    html = site.html("rules-used")
    assert "the number of entries in which it changed something" in html
    registry = site.campaign_site.rule_registry
    table = html.partition("<tbody>")[2].partition("</tbody>")[0]
    rows = re.findall(r'<th scope="row">(.*?)</th>', table)
    uses = site.campaign_site.step_numbers_by_rule
    assert len(rows) == len(uses)
    for row in rows:
        name, _, rule_id = _words(row).rpartition(" ")
        rule = registry.get(rule_id)
        assert rule is not None and name in (
            getattr(rule, "title", ""),
            getattr(rule, "question", ""),
        )
    assert "ch-wide--figures" in html
