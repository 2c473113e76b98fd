"""Three cases for each rule: one that keeps it, one that breaks it, and one that breaks it at a second door: at another
verb. A rule that has fewer stands in ``doors.txt`` of its game, with the reason. Games without that file are not
measured yet.

``python -m tests.games.test_doors GAME`` prints what each rule lacks.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import pytest

from chronicle.core.rules import Rule, RuleClass
from chronicle.games import GAMES, rulebook
from chronicle.testkit.cases import Case
from tests.games.places import ROOT
from tests.games.test_proof import cases_of

VERB = re.compile(r"- \{?([a-z][a-z -]*?):")
KEPT, BROKEN, SECOND = "kept", "broken", "second"


class Doors(NamedTuple):
    """The cases of a rule: the names of those that keep it, and the verbs at which cases break it."""

    kept: Sequence[str]
    verbs: frozenset[str]

    def lacking(self) -> Iterator[str]:
        """Which of the three cases there are not."""
        if not self.kept:
            yield KEPT
        if not self.verbs:
            yield BROKEN
        if len(self.verbs) < 2:
            yield SECOND


def verb_at(lines: Sequence[str], index: int) -> str:
    """The verb of the entry that a line belongs to; empty above the first entry."""
    for line in reversed(lines[: index + 1]):
        match = VERB.match(line)
        if match:
            return match[1]
    return ""


def doors_of(cases: Sequence[Case], rule: Rule) -> Doors:
    """The cases of a rule, by their names and by the problems that they expect."""
    ids = {rule.id, *rule.also}
    verbs: set[str] = set()
    kept: list[str] = []
    for case in cases:
        places = [
            (session, line)
            for (session, line), problems in case.expected.items()
            if any(code in ids for code, _ in problems)
        ]
        for session, line in places:
            verbs.add(verb_at(case.sessions[session - 1], line - 3) if line else "campaign.yaml")
        if not places and ids & {*re.findall(r"[\w.]+", case.name)}:
            kept.append(case.name)
    return Doors(kept, frozenset(verbs))


def listed_of(game: str) -> dict[str, set[str]] | None:
    """What rules of a game lack for a reason; None if the game is not measured."""
    file = ROOT / "tests" / "games" / game.replace("-", "_") / "doors.txt"
    if not file.exists():
        return None
    lines = [line for line in file.read_text("utf-8").splitlines() if not line.startswith("#")]
    rows = [line.split(" | ") for line in lines]
    return {id: {*lacks.split(", ")} for id, lacks, _ in (row for row in rows if len(row) == 3)}


def lacking_of(game: str) -> dict[str, set[str]]:
    """What the rules lack that a log can break. A computed rule is one if a case breaks it."""
    cases, lacking = cases_of(game), {}
    for rule in rulebook(game).registry().rules:
        doors = doors_of(cases, rule)
        counts = rule.kind is RuleClass.CHECKED or (rule.kind is RuleClass.COMPUTED and doors.verbs)
        lacks = {*doors.lacking()} if counts else set()
        if lacks:
            lacking[rule.id] = lacks
    return lacking


@pytest.mark.parametrize("game", [game for game in GAMES if listed_of(game) is not None])
def test_each_rule_has_three_cases_or_a_reason(game: str) -> None:
    assert lacking_of(game) == listed_of(game)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        for id, lacks in lacking_of(name).items():
            print(f"{id} | {', '.join(sorted(lacks))} |")
