"""What is said, over every message of every case: nothing empty, nothing accused of nothing, and every entry that a
help line gives can be pasted."""

from __future__ import annotations

import re
import tempfile
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from chronicle.campaigns import load
from chronicle.core.diagnostic import Diagnostic
from chronicle.core.game import Game
from chronicle.core.game_context import GameContext
from chronicle.core.replay import Replay, entries_from
from chronicle.core.source import MappingNode, ScalarNode, SequenceNode
from chronicle.games import GAMES, rulebook
from chronicle.syntax.decode import Decoder
from chronicle.syntax.problems import Problems
from chronicle.syntax.reader import read_text
from chronicle.testkit.cases import write_case
from tests.games.places import ROOT, silent, watched
from tests.games.test_proof import cases_of
from tests.sample import some

HERE = Path(__file__).parent
EMPTY = re.compile(
    r"''|\b(has|have|holds) 0 left\b|\bNone\b|^\s|\s$|:\s*$|  \S|\bnot everybody .*: ?$|^ ?(is|are|has|have) "
)
PASTED = re.compile(r"(?:^|  |write )- (?P<entry>[a-z][^.]*?)(?:(?<!\n)  |$)")


def pasted(found: Diagnostic) -> list[str]:
    """The entries that the help of a finding gives, as they would stand in a log."""
    lines = [line for line in found.help if "..." not in line and "for example" not in line]
    flat = [re.sub(r"\s+/\s+", "\n  ", line) for line in lines]
    entries = [match["entry"] for line in flat for match in PASTED.finditer(line)]
    return [f"- {entry.rstrip()}\n" for entry in entries]


def unread(entry: str, rules: Game[object]) -> list[str]:
    """What is said of the form of an entry."""
    parsed = read_text("log:\n" + entry, "pasted.yaml")
    told = [problem.message for problem in parsed.problems]
    log = parsed.tree.get(ScalarNode("log")) if isinstance(parsed.tree, MappingNode) else None
    if not isinstance(log, SequenceNode):
        return told or ["nothing"]
    found = Problems()
    Decoder(rules.by_verb).decode_entries(log, "pasted.yaml", 1, found, [])
    return told + [one.message for one in found]


class Said(NamedTuple):
    """What the cases of a game say, each with its case."""

    found: list[tuple[str, Diagnostic]]
    lines: set[tuple[str, int]]
    """From where something is found."""
    told: dict[str, str]
    """Whatever is told after each entry: what was done, where play is, what is due, how it may go."""


@cache
def said(game: str) -> Said:
    """Everything that is said when the cases of a game are replayed."""
    found: list[tuple[str, Diagnostic]] = []
    told: dict[str, str] = {}
    rules = rulebook(game)
    with watched() as lines, tempfile.TemporaryDirectory() as folder:
        for number, case in enumerate(cases_of(game)):
            replay = Replay(
                load(write_case(case, Path(folder) / str(number))), rules, shows_retracted=True
            )
            for _, action in entries_from(replay):
                replay.do(action)
                told |= dict.fromkeys(_told(replay.play, rules), case.id)
            found += [(case.id, diagnostic) for diagnostic in replay.finish().diagnostics]
    return Said(found, lines, told)


def _told(play: GameContext[Any], rules: Game[Any]) -> list[str]:
    """What is told after the entry that was played last."""
    step, due = play.steps[-1], rules.due(play)
    told = [step.headline, rules.situation(play), *map(str, due), *rules.odds(play, due)]
    told += [event.text for event in step.events]
    told += [
        text for diagnostic in step.diagnostics for text in (diagnostic.message, *diagnostic.help)
    ]
    if step.contest is not None:
        told += [*step.contest.outcome, *(side.result for side in step.contest.sides)]
    return told


@pytest.mark.integration
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.slow
def test_every_message_says_something_and_every_help_can_be_pasted(game: str) -> None:
    rules = rulebook(game)
    bad: dict[str, str] = {}
    tried: dict[str, list[str]] = {}
    for case, one in said(game).found:
        if EMPTY.search(one.message) or any(not line.strip() for line in one.help):
            bad[f"{one.code} {one.message!r} {one.help}"] = case
        for entry in pasted(one):
            if entry not in tried:
                tried[entry] = unread(entry, rules)
    assert not bad, bad
    assert not any(tried.values()), {k: v for k, v in tried.items() if v}


NOUNS = "Coin|Opposition|Job|Agency|Edge|Bonus|conflict|commitment|green|red|Success|point|token|link|space|hit"
MANY = "dice|Coins|points|tokens|links|spaces|hits|wounds|Successes|marks|steps|envelopes|Tenets"
ONE = "die|Coin|point|token|link|space|hit|wound|Success|mark|envelope|Tenet"
MISCOUNTED = re.compile(
    rf"(?<![\w.,:+-])(1 (({NOUNS}) )?({MANY})|(0|[2-9]|[1-9]\d+) (({NOUNS}) )?({ONE}))\b(?! of)"
)


@pytest.mark.integration
@pytest.mark.parametrize("game", some(GAMES, 2))
def test_one_is_one_and_more_are_more(game: str) -> None:
    bad = {text: case for text, case in said(game).told.items() if MISCOUNTED.search(text)}
    assert not bad, bad


@pytest.mark.integration
@pytest.mark.parametrize("game", GAMES)
def test_whatever_can_report_does_so_in_a_case(game: str) -> None:
    folder = game.replace("-", "_")
    assert silent(ROOT / "chronicle" / "games" / folder, said(game).lines) == _listed(HERE / folder)


@pytest.mark.integration
def test_whatever_can_report_in_the_core_does_so_in_a_case_of_some_game() -> None:
    lines = set().union(*(said(game).lines for game in GAMES))
    assert silent(ROOT / "chronicle" / "core", lines) == _listed(HERE)


def _listed(folder: Path) -> list[str]:
    """Places that no case reaches yet. The list may only shrink."""
    file = folder / "silent.txt"
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    return [line for line in lines if not line.startswith("#")]


@pytest.mark.parametrize("game", GAMES)
def test_what_people_write_for_a_verb_is_no_verb_and_leads_to_all_it_may_mean(game: str) -> None:
    verbs = rulebook(game).by_verb
    meant: dict[str, list[str]] = {}
    for verb in verbs.values():
        for word in vars(verb).get("also", ()):
            meant.setdefault(word, []).append(verb.verb)
    assert not meant.keys() & verbs.keys()
    assert all(word == word.casefold() for word in meant), "what is typed is compared folded"
    for word, ways in meant.items():
        assert len(ways) < 3, f"'{word}' means nothing any more"
        # Of an add-on's verb is told where the game itself has none for it.
        own = [way for way in ways if not verbs[way].optional] or ways
        found, tree = Problems(), read_text(f"- {word}: x\n", "01.yaml").tree
        assert isinstance(tree, SequenceNode)
        Decoder(verbs, {}).decode_entries(tree, "01.yaml", 1, found)
        said = " ".join(help for one in found for help in one.help)
        # One that is spelt like it is read as that one, with which it is told how to write it.
        spelt = any(re.search(rf"write +(one of: .*|- )?{re.escape(way)}\b", said) for way in own)
        assert spelt or all(f"'{way}' is there for this" in said for way in own), (word, said)
