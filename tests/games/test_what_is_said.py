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

FOLDER = Path(__file__).parent
EMPTY = re.compile(
    r"''|\b(has|have|holds) 0 left\b|\bNone\b|^\s|\s$|:\s*$|  \S|\bnot everybody .*: ?$|^ ?(is|are|has|have) "
)
PASTED = re.compile(r"(?:^|  |write )- (?P<entry>[a-z][^.]*?)(?:(?<!\n)  |$)")


def pasted(diagnostic: Diagnostic) -> list[str]:
    """The entries that the help of a finding gives, as they would stand in a log."""
    lines = [line for line in diagnostic.help if "..." not in line and "for example" not in line]
    flat = [re.sub(r"\s+/\s+", "\n  ", line) for line in lines]
    entries = [match["entry"] for line in flat for match in PASTED.finditer(line)]
    return [f"- {entry.rstrip()}\n" for entry in entries]


def unread(entry: str, rules: Game[object]) -> list[str]:
    """What is said of the form of an entry."""
    parsed = read_text("log:\n" + entry, "pasted.yaml")
    messages = [problem.message for problem in parsed.problems]
    log = parsed.tree.get(ScalarNode("log")) if isinstance(parsed.tree, MappingNode) else None
    if not isinstance(log, SequenceNode):
        return messages or ["nothing"]
    problems = Problems()
    Decoder(rules.by_verb).decode_entries(log, "pasted.yaml", 1, problems, [])
    return messages + [problem.message for problem in problems]


class GameTexts(NamedTuple):
    """What the cases of a game say, each with its case."""

    found: list[tuple[str, Diagnostic]]
    lines: set[tuple[str, int]]
    """From where something is found."""
    told: dict[str, str]
    """Whatever is told after each entry: what was done, where play is, what is due, how it may go."""


@cache
def output_of(game: str) -> GameTexts:
    """Everything that is said when the cases of a game are replayed."""
    diagnostics: list[tuple[str, Diagnostic]] = []
    texts: dict[str, str] = {}
    rules = rulebook(game)
    with watched() as lines, tempfile.TemporaryDirectory() as folder:
        for number, case in enumerate(cases_of(game)):
            replay = Replay(
                load(write_case(case, Path(folder) / str(number))), rules, shows_retracted=True
            )
            for _, action in entries_from(replay):
                replay.do(action)
                texts |= dict.fromkeys(_texts(replay.play, rules), case.id)
            diagnostics += [(case.id, diagnostic) for diagnostic in replay.finish().diagnostics]
    return GameTexts(diagnostics, lines, texts)


def _texts(play: GameContext[Any], rules: Game[Any]) -> list[str]:
    """What is told after the entry that was played last."""
    step, due = play.steps[-1], rules.due(play)
    texts = [step.headline, rules.situation(play), *map(str, due), *rules.odds(play, due)]
    texts += [event.text for event in step.events]
    texts += [
        text for diagnostic in step.diagnostics for text in (diagnostic.message, *diagnostic.help)
    ]
    if step.contest is not None:
        texts += [*step.contest.outcome, *(side.result for side in step.contest.sides)]
    return texts


@pytest.mark.integration
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.slow
def test_every_message_says_something_and_every_help_can_be_pasted(game: str) -> None:
    rules = rulebook(game)
    faulty: dict[str, str] = {}
    tried: dict[str, list[str]] = {}
    for case, diagnostic in output_of(game).found:
        if EMPTY.search(diagnostic.message) or any(not line.strip() for line in diagnostic.help):
            faulty[f"{diagnostic.code} {diagnostic.message!r} {diagnostic.help}"] = case
        for entry in pasted(diagnostic):
            if entry not in tried:
                tried[entry] = unread(entry, rules)
    assert not faulty, faulty
    assert not any(tried.values()), {k: v for k, v in tried.items() if v}


NOUNS = "Coin|Opposition|Job|Agency|Edge|Bonus|conflict|commitment|green|red|Success|point|token|link|space|hit"
PLURALS = "dice|Coins|points|tokens|links|spaces|hits|wounds|Successes|marks|steps|envelopes|Tenets"
SINGULARS = "die|Coin|point|token|link|space|hit|wound|Success|mark|envelope|Tenet"
MISCOUNTED = re.compile(
    rf"(?<![\w.,:+-])(1 (({NOUNS}) )?({PLURALS})|(0|[2-9]|[1-9]\d+) (({NOUNS}) )?({SINGULARS}))\b(?! of)"
)


@pytest.mark.integration
@pytest.mark.parametrize("game", some(GAMES, 2))
def test_one_is_one_and_more_are_more(game: str) -> None:
    faulty = {text: case for text, case in output_of(game).told.items() if MISCOUNTED.search(text)}
    assert not faulty, faulty


@pytest.mark.integration
@pytest.mark.parametrize("game", GAMES)
def test_whatever_can_report_does_so_in_a_case(game: str) -> None:
    folder = game.replace("-", "_")
    assert silent(ROOT / "chronicle" / "games" / folder, output_of(game).lines) == _listed(
        FOLDER / folder
    )


@pytest.mark.integration
def test_whatever_can_report_in_the_core_does_so_in_a_case_of_some_game() -> None:
    lines = set().union(*(output_of(game).lines for game in GAMES))
    assert silent(ROOT / "chronicle" / "core", lines) == _listed(FOLDER)


def _listed(folder: Path) -> list[str]:
    """Places that no case reaches yet. The list may only shrink."""
    file = folder / "silent.txt"
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    return [line for line in lines if not line.startswith("#")]


@pytest.mark.parametrize("game", GAMES)
def test_what_people_write_for_a_verb_is_no_verb_and_leads_to_all_it_may_mean(game: str) -> None:
    verbs = rulebook(game).by_verb
    verbs_meant: dict[str, list[str]] = {}
    for verb in verbs.values():
        for word in vars(verb).get("also", ()):
            verbs_meant.setdefault(word, []).append(verb.verb)
    assert not verbs_meant.keys() & verbs.keys()
    assert all(word == word.casefold() for word in verbs_meant), "what is typed is compared folded"
    for word, candidates in verbs_meant.items():
        assert len(candidates) < 3, f"'{word}' means nothing any more"
        # Of an add-on's verb is told where the game itself has none for it.
        own = [candidate for candidate in candidates if not verbs[candidate].optional] or candidates
        problems, tree = Problems(), read_text(f"- {word}: x\n", "01.yaml").tree
        assert isinstance(tree, SequenceNode)
        Decoder(verbs, {}).decode_entries(tree, "01.yaml", 1, problems)
        help_text = " ".join(help for problem in problems for help in problem.help)
        # One that is spelt like it is read as that one, with which it is told how to write it.
        spelt = any(
            re.search(rf"write +(one of: .*|- )?{re.escape(candidate)}\b", help_text)
            for candidate in own
        )
        assert spelt or all(f"'{candidate}' is there for this" in help_text for candidate in own), (
            word,
            help_text,
        )
