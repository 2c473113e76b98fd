"""Which cases prove a rule: one that keeps it, one that breaks it, and one that breaks it at a second verb."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from chronicle.campaigns import load, run
from chronicle.core.diagnostic import DiagnosticKind
from chronicle.games import rulebook
from chronicle.testkit.cases import named, write_case
from tests.games.test_proof import cases_of

ID = re.compile(r"[\w.]*\d[\w.]*\b")
"""An id of a rule in the name of a case."""
NOT_BROKEN = frozenset({DiagnosticKind.EXCUSED})


class Proof(NamedTuple):
    """The cases of a rule.

    Attributes:
        kept: the cases whose name has its id and that report nothing under it.
        verbs: the verbs at which cases break it.
    """

    kept: list[str]
    verbs: set[str]


def proofs_of(game: str) -> dict[str, Proof]:
    """The proof of each rule and ruling of a game, by id."""
    registry = rulebook(game).registry()
    items: Iterable[str] = (
        *(rule.id for rule in registry.rules),
        *(r.id for r in registry.rulings),
    )
    proofs = {id: Proof([], set()) for id in items}
    with TemporaryDirectory() as folder:
        for number, (name, case) in enumerate(named(cases_of(game)).items()):
            record = run(load(write_case(case, Path(folder) / str(number))))
            broken: set[str] = set()
            for problem in record.diagnostics:
                item = registry.get(problem.code)
                if item is None or problem.kind in NOT_BROKEN:
                    continue
                broken.add(item.id)
                verb = (
                    record.steps[problem.step_number - 1].action.verb if problem.step_number else ""
                )
                proofs[item.id].verbs.add(verb)
            for id in dict.fromkeys(ID.findall(case.name)):
                item = registry.get(id)
                if item is not None and item.id not in broken:
                    proofs[item.id].kept.append(name)
    return proofs


def reasons_in(file: Path) -> dict[str, str]:
    """The reasons why rules have no second verb, or are proved elsewhere, by id: lines of ``ID reason``."""
    lines = (line for line in file.read_text("utf-8").splitlines() if line and line[0] != "#")
    return {id: reason for id, _, reason in (line.partition(" ") for line in lines)}
