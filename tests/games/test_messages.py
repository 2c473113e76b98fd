"""No message has a hole where a name belongs, whatever a log leaves out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from chronicle.campaigns import load, run
from chronicle.core.record import Record
from chronicle.games import GAMES
from chronicle.testkit.cases import Case, write_case
from tests.conftest import SOAK
from tests.games.test_proof import cases_of
from tests.sample import some

HOLES = re.compile(
    r"""^[\s,;:.]        # it begins with a space or a comma: ' opens the scene'
      | ^'s\b|\s's\b     # the name before 's is missing
      | \s\s             # two spaces: 'and  opens'
      | \s[,;](\s|$)|\s:$  # ' , ' or ' ;', but '2 : 1' is a score
      | \s\.\s|\s\.$     # a full stop after a space
      | ''|\(\s*\)       # nothing between quotes or brackets
      | ,\s*,|\band\s*[,.;]|\s$
    """,
    re.VERBOSE,
)
"""What is left of a sentence when a name in it is empty."""
_BY = re.compile(r"^\s+by: [^,}\]]+$|, by: [^,}\]]+(?=[,}])")


def left_out(case: Case) -> Iterator[Case]:
    """A case as it is, without who acts, and with entries left out: each second one, and each third."""
    yield case
    yield replace(case, sessions=[[_BY.sub("", line) for line in log] for log in case.sessions])
    for every in (2, 3):
        yield replace(case, sessions=[_without(log, every) for log in case.sessions])


def _without(log: list[str], every: int) -> list[str]:
    kept_lines: list[str] = []
    number = 0
    for line in log:
        number += line.startswith("- ")
        if not number or number % every:
            kept_lines.append(line)
    return kept_lines


def sentences(record: Record) -> Iterator[str]:
    """Everything that Chronicle says in words of its own about a log."""
    for diagnostic in record.diagnostics:
        yield diagnostic.message
        yield from (fact.text for fact in diagnostic.facts)
    for step in record.steps:
        yield step.headline
        yield from (event.text for event in step.events)


@pytest.mark.soak
@pytest.mark.parametrize("game", some(GAMES, 3))
def test_no_sentence_has_a_hole(game: str, tmp_path: Path) -> None:
    case_of_text: dict[str, str] = {}
    for number, case in enumerate(cases_of(game)[:: 1 if SOAK else 6]):
        for variant_number, variant in enumerate(left_out(case)):
            record = run(load(write_case(variant, tmp_path / f"{number}-{variant_number}")))
            for sentence in sentences(record):
                if HOLES.search(sentence):
                    case_of_text.setdefault(sentence, f"{case.id} ({variant_number})")
    assert not case_of_text, "\n".join(
        f"{sentence!r}  {where}" for sentence, where in case_of_text.items()
    )
