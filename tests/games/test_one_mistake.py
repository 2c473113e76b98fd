"""One mistake, one finding: every play example with one thing wrong in one entry."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import pytest

from chronicle.campaigns import find_campaigns, load, run
from chronicle.core.declare import Action
from chronicle.core.diagnostic import Diagnostic, Severity
from chronicle.core.record import Record
from chronicle.core.source import MappingNode, ScalarNode, SequenceNode, Value
from chronicle.games import GAMES
from tests.golden import ROOT
from tests.heads import without_keepers_words
from tests.sample import some

PLACES = 12
"""In how many places of a game's examples each thing is got wrong, spread over all of them."""
MOST = 3
"""Never more findings than this for one mistake."""
FEWEST = {"verb": 100, "option": 100, "name": 100, "figure": 100}
"""In how many of a hundred places there may be one finding at the most; ``leeway.json`` beside a game's
cases takes something off."""
PROSE = frozenset({"text", "note", "say", "for", "because", "event", "tell"})
EXAMPLES = find_campaigns(ROOT / "sessions")

pytestmark = pytest.mark.integration


class Slip(NamedTuple):
    """One word of an example written wrongly."""

    folder: Path
    file: str
    word: ScalarNode
    wrong: str


def fewest(game: str) -> dict[str, int]:
    """What is asked of a game."""
    own = Path(__file__).parent / game.replace("-", "_") / "leeway.json"
    return FEWEST | (json.loads(own.read_text("utf-8")) if own.exists() else {})


def entries(actions: list[Action]) -> Iterator[Action]:
    """All entries, those inside others among them."""
    for action in actions:
        yield action
        for field in (*action.fields.values(), *([action.main] if action.main else ())):
            inner = getattr(action, field.attribute)
            for block in inner.values() if isinstance(inner, dict) else (inner,):
                if isinstance(block, list) and block and isinstance(block[0], Action):
                    yield from entries(block)


def words(value: Value) -> Iterator[ScalarNode]:
    """Every word of a value, keys among them, without what is only told."""
    if isinstance(value, ScalarNode):
        yield value
    elif isinstance(value, SequenceNode):
        for item in value:
            yield from words(item)
    else:
        for key, inner in value.items():
            if key not in PROSE:
                yield key
                yield from words(inner)


def wrong_words(kind: str, entry: MappingNode, names: set[str]) -> Iterator[tuple[ScalarNode, str]]:
    """What can be got wrong in an entry, and how."""
    verb, *options = entry
    if kind == "verb":
        yield verb, f"{verb[0]}x{verb[1:]}"
    elif kind == "option":
        for key in options:
            yield key, f"{key[0]}x{key[1:]}"
    else:
        inside = [word for key in entry if key not in PROSE for word in words(entry[key])]
        for word in inside:
            if word.style:
                continue
            if kind == "name" and word in names and len(word) > 2:
                yield word, f"{word[0]}x{word[1:]}"
            elif kind == "figure" and re.fullmatch(r"\d{1,2}", word):
                yield word, str(int(word) + 1)


@cache
def clean(folder: Path) -> Counter[str]:
    """What is found in an example as it stands."""
    return Counter(diagnostic.message for diagnostic in primary(run(load(folder))))


def slips(game: str, kind: str) -> list[Slip]:
    """Some mistakes of a kind, spread evenly over all examples of a game."""
    all_slips: list[Slip] = []
    for folder in EXAMPLES:
        campaign = load(folder)
        if campaign.game != game:
            continue
        named = run(campaign).names.all.values()
        names = {name for entity in named for name in (entity.name, *entity.aliases)}
        for session in campaign.sessions:
            for action in entries(session.actions):
                for word, wrong in wrong_words(kind, action.source, names):
                    all_slips.append(Slip(folder, Path(session.path).name, word, wrong))
    return list(
        islice(all_slips, len(all_slips) // PLACES // 2, None, max(1, len(all_slips) // PLACES))
    )


def primary(record: Record) -> list[Diagnostic]:
    """The findings that people see first: errors and warnings that follow from no other."""
    return [d for d in record.diagnostics if d.cause is None and d.severity >= Severity.WARNING]


def with_slip(slip: Slip, folder: Path) -> Record:
    """The example with that one mistake in it."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(slip.folder, folder)
    file = folder / slip.file
    lines = file.read_text("utf-8").split("\n")
    line, start = lines[slip.word.line - 1], slip.word.column - 1
    end = start + len(slip.word)
    assert line[start:end] == slip.word
    lines[slip.word.line - 1] = line[:start] + slip.wrong + line[end:]
    file.write_text("\n".join(lines), "utf-8")
    for path in folder.glob("[0-9]*.yaml"):
        # What keepers tell of a person is a second place where the name stands.
        path.write_text(without_keepers_words(path.read_text("utf-8")), "utf-8")
    return run(load(folder))


@pytest.mark.parametrize("kind", ["verb", "option", "name", "figure"])
@pytest.mark.parametrize("game", some(GAMES, 3))
def test_one_mistake_is_one_finding(game: str, kind: str, tmp_path: Path) -> None:
    tried = slips(game, kind)
    assert len(tried) >= PLACES
    counts: Counter[int] = Counter()
    failures: list[str] = []
    for slip in tried:
        counts_after = Counter(
            diagnostic.message for diagnostic in primary(with_slip(slip, tmp_path / "copy"))
        )
        new = list((counts_after - clean(slip.folder)).elements())
        counts[len(new)] += 1
        if kind in ("verb", "option"):
            assert new, slip
            assert f"'{slip.wrong}'" in new[0]
        if len(new) > 1:
            failures.append(f"{slip.folder.name}/{slip.file}:{slip.word.line} {slip.wrong}: {new}")
    share = 100 * (counts[0] + counts[1]) / len(tried)
    assert share >= fewest(game)[kind], failures
    assert max(counts) <= MOST, failures
