"""What is said, over every message of every case: nothing empty, nothing accused of nothing, and every entry that a
help line gives can be pasted."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from chronicle.campaigns import load, run
from chronicle.core.diagnostic import Diagnostic
from chronicle.core.rulebook import Rulebook
from chronicle.core.source import Entries, Items, Word
from chronicle.games import GAMES, rulebook
from chronicle.transcript.decode import Decoder
from chronicle.transcript.reader import read_text
from tests.cases import write_case
from tests.games.test_proof import cases_of

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


def unread(entry: str, rules: Rulebook[object]) -> list[str]:
    """What is said of the form of an entry."""
    parsed = read_text("log:\n" + entry, "pasted.yaml")
    told = [one.message for one in parsed.problems]
    log = parsed.tree.get(Word("log")) if isinstance(parsed.tree, Entries) else None
    if not isinstance(log, Items):
        return told or ["nothing"]
    found: list[Diagnostic] = []
    Decoder(rules.by_verb).entries(log, "pasted.yaml", 1, found, [])
    return told + [one.message for one in found]


@pytest.mark.parametrize("game", GAMES)
def test_every_message_says_something_and_every_help_can_be_pasted(
    game: str, tmp_path: Path
) -> None:
    rules = rulebook(game)
    bad: dict[str, str] = {}
    tried: dict[str, list[str]] = {}
    for number, case in enumerate(cases_of(game)):
        record = run(load(write_case(case, tmp_path / str(number))))
        for one in record.diagnostics:
            if EMPTY.search(one.message) or any(not line.strip() for line in one.help):
                bad[f"{one.code} {one.message!r} {one.help}"] = case.id
            for entry in pasted(one):
                if entry not in tried:
                    tried[entry] = unread(entry, rules)
    assert not bad, bad
    assert not any(tried.values()), {k: v for k, v in tried.items() if v}
