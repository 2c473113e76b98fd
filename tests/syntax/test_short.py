"""The pages that say in short how a log is written stand in ``docs/words/``, one a game, as they are made
from the declarations. ``python -m tests.syntax.test_short`` writes them anew."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from chronicle.campaigns import find_campaigns, load
from chronicle.core.declare import Action
from chronicle.core.shared_verbs import COMMON_VERBS
from chronicle.games import GAMES, rulebook
from chronicle.syntax.reference import short_reference
from tests.conftest import ROOT

PAGES = ROOT / "docs" / "words"
OFTEN = 10
"""So many verbs stand first."""
REFERENCE_FIRST_LINES = "---\nsearch:\n  boost: 0.5\n---\n\n"
"""The search of the site gives other pages first."""


def short_page(game: str) -> str:
    """The page of a game: first, in the order of play, the verbs that its play examples have most."""
    count = Counter[str]()
    for campaign in map(load, find_campaigns(ROOT / "sessions")):
        if campaign.game == game:
            count.update(action.verb for each in campaign.sessions for action in each.actions)
    often = {verb for verb, _ in count.most_common(OFTEN)}
    return REFERENCE_FIRST_LINES + short_reference(
        rulebook(game), [verb for verb in rulebook(game).by_verb if verb in often]
    )


@pytest.mark.parametrize("game", GAMES)
def test_the_page_of_a_game_is_as_its_declarations_make_it(game: str) -> None:
    assert (PAGES / f"{game}.md").read_text("utf-8") == short_page(game), (
        "write it anew, as said above"
    )


@pytest.mark.parametrize("game", GAMES)
def test_every_verb_stands_there_with_its_keys(game: str) -> None:
    page = short_page(game)
    verbs = rulebook(game).by_verb
    for verb in verbs.values():
        (section,) = re.findall(rf"(?ms)^\*\*{re.escape(verb.verb)}\*\*: .*?(?=^\*\*|\Z)", page)
        own = [name for name in verb.fields if name not in Action.fields]
        shared = page[: page.index("chronicle reference")]
        assert all(f"`{name}`" in section + shared for name in own), verb.verb
        assert all(row in section for row in verb.specimen()), verb.verb
    assert len(verbs) > len(COMMON_VERBS)


def test_whoever_may_throw_is_shown_throwing() -> None:
    games_seen = set()
    for game in GAMES:
        for verb in rulebook(game).by_verb.values():
            doc = "" if verb.main is None else verb.main.doc
            if "faces" in doc and re.search(r"\bGM\b", doc):
                games_seen.add(game)
                assert "GM: " in "\n".join(verb.specimen()), f"{game}: {verb.verb}"
    assert len(games_seen) > 1


def test_a_reader_of_the_docs_is_led_there() -> None:
    text = (ROOT / "docs" / "at-the-table.md").read_text("utf-8")
    assert all(f"(words/{game}.md)" in text for game in GAMES)
    assert {path.stem for path in PAGES.glob("*.md")} == {*GAMES}


if __name__ == "__main__":
    for game in GAMES:
        Path(PAGES / f"{game}.md").write_text(short_page(game), "utf-8")
