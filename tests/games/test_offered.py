"""What may come next, in positions in which play at random was once accused of what it had been offered:
cases in ``offered/`` of a game, each with what must not be offered (``#? not: [verb of player]``, or
``verb of player by rule``) or must be (``#? yes:``) at its end. Nothing of what is offered there is accused."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
import yaml

from chronicle.campaigns import load
from chronicle.core.diagnostic import DiagnosticKind
from chronicle.core.replay import Replay, entries_from
from chronicle.games import game_names, rulebook
from chronicle.syntax.decode import Decoder
from chronicle.testkit.cases import Case, read_cases, write_case
from chronicle.testkit.random_play import entry_text, read_entry
from tests.holes import examples_of

FILES = sorted(Path(__file__).parent.glob("*/offered/*.case"))
CASES = [case for file in FILES for case in read_cases(file)]
TRIES = 12
WRONG = (DiagnosticKind.UNREADABLE, DiagnosticKind.ILLEGAL, DiagnosticKind.BOOKKEEPING)


def at_the_end(folder: Path) -> Replay[object]:
    """The table at the end of a case; nothing on the way there is accused."""
    campaign = load(folder)
    assert not campaign.diagnostics
    replay: Replay[object] = Replay(campaign, rulebook(campaign.game))
    for _, action in entries_from(replay):
        replay.do(action)
    assert not [
        diagnostic.message for diagnostic in replay.play.diagnostics if diagnostic.kind in WRONG
    ]
    return replay


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_what_is_offered_is_legal(case: Case, tmp_path: Path) -> None:
    folder = write_case(case, tmp_path)
    replay = at_the_end(folder)
    options = replay.rulebook.options(replay.play)
    offered = {f"{option.verb} of {option.by}" for option in options}
    offered |= {f"{option.verb} of {option.by} by {option.rule}" for option in options}
    offered_lines = [line for line in case.sessions[-1] if line.startswith("#? ")]
    assert offered_lines
    for line in offered_lines:
        kind, listed = re.fullmatch(r"#\? (not|yes): (.*)", line).groups()  # type: ignore[union-attr]
        named = set(yaml.safe_load(listed))
        assert (named & offered) == (named if kind == "yes" else set()), line
    for seed in range(TRIES):
        replayed = at_the_end(folder)
        random = Random(seed)
        option = random.choice(replayed.rulebook.options(replayed.play))
        entry = {**option.make_entry(random), **({"by": option.by} if option.by else {})}
        replayed.do(read_entry(entry_text(entry), Decoder(replayed.rulebook.by_verb)))
        assert not [d.message for d in replayed.play.diagnostics if d.kind in WRONG], entry


@pytest.mark.parametrize("game", game_names())
def test_values_can_be_asked_for_before_the_first_entry(game: str, tmp_path: Path) -> None:
    """Asking what fits the keys of a verb needs no entry above, and no list of moves asked before."""
    (tmp_path / "campaign.yaml").write_bytes((examples_of(game)[0] / "campaign.yaml").read_bytes())
    (tmp_path / "01.yaml").write_text("session: 1\nlog: []\n", encoding="utf-8")
    play = at_the_end(tmp_path).play
    rules = rulebook(game)
    for verb in rules.by_verb:
        for by in ("", *play.present):
            list(rules.offers(play, verb, by))
