"""Where mutants start from: every short log the checkout holds, whatever its game.

Play examples, the specimens of optional rules, the cases of every rule and games played at random by
the rulebooks' own options, each cut to at most :data:`MOST` entries. No game is known here by name.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from chronicle.campaigns import load
from chronicle.games import GAMES, rulebook
from chronicle.testkit.cases import read_cases
from chronicle.testkit.random_play import RandomTable, write_campaign

ROOT = Path(__file__).resolve().parents[2]
MOST = 20
"""How many entries a log has at most."""

_ENTRY = re.compile(r"(?m)^(?=- )")
_GAME = re.compile(r"(?m)^game: *([\w-]+)")


class Start(NamedTuple):
    """A legal log to begin with: its settings as text, and its evenings, each a head and entries."""

    name: str
    settings: str
    evenings: tuple[tuple[str, tuple[str, ...]], ...]


class Corpus(NamedTuple):
    """All starts by game, and all their entries by game."""

    starts: dict[str, list[Start]]
    entries: dict[str, list[str]]


@lru_cache(maxsize=20_000)
def data_of(text: str) -> Any:
    """What an entry (or a file of settings) says, as plain lists, mappings and texts; None if YAML
    refuses it."""
    try:
        data = yaml.load(text, Loader=yaml.CBaseLoader)
    except (yaml.YAMLError, ValueError):
        return None
    return data[0] if text.startswith("- ") and isinstance(data, list) and data else data


@lru_cache(maxsize=1)
def corpus() -> Corpus:
    """Everything to start from; the same in every run of one state of the checkout."""
    starts: dict[str, list[Start]] = {game: [] for game in GAMES}
    for start in (*_campaigns(), *_cases(), *_played()):
        game_match = _GAME.search(start.settings)
        if game_match is not None and game_match[1] in starts:
            starts[game_match[1]].append(start)
    entries = {
        game: [entry for start in all for _, entries in start.evenings for entry in entries]
        for game, all in starts.items()
    }
    return Corpus(starts, entries)


def _campaigns() -> Iterator[Start]:
    """Play examples and specimens: the first entries, and the first ones with some from further down."""
    for folder in (ROOT / "sessions", ROOT / "chronicle" / "games"):
        for file in sorted(folder.rglob("campaign.yaml")):
            settings = file.read_text("utf-8")
            evenings = [
                _evening(path.read_text("utf-8"))
                for path in sorted(file.parent.glob("*.yaml"))
                if path != file
            ]
            heads = [head for head, _ in evenings]
            entries = [entry for _, entries in evenings for entry in entries]
            name = file.parent.name
            yield _cut(name, settings, heads, entries[:MOST])
            for at in range(MOST, len(entries), MOST):
                # What comes late needs the people who were made early.
                few = [*entries[: MOST // 2], *entries[at : at + MOST // 2]]
                yield _cut(f"{name}+{at}", settings, heads, few)


def _cut(name: str, settings: str, heads: list[str], entries: list[str]) -> Start:
    if len(heads) < 2 or len(entries) < 4:
        return Start(name, settings, ((heads[0] if heads else "session: 1\n", tuple(entries)),))
    half = len(entries) // 2
    first, second = tuple(entries[:half]), tuple(entries[half:])
    return Start(name, settings, ((heads[0], first), (heads[1], second)))


def _evening(text: str) -> tuple[str, tuple[str, ...]]:
    head, _, log = ("\n" + text).partition("\nlog:\n")
    return head.strip("\n") + "\n", tuple(_ENTRY.split(log)[1:])


def _cases() -> Iterator[Start]:
    """What every rule is proved with."""
    for file in sorted((ROOT / "tests" / "games").rglob("*.case")):
        for number, case in enumerate(read_cases(file)):
            evenings = []
            room = MOST
            for at, lines in enumerate(case.sessions[:2], 1):
                entries = _ENTRY.split("\n".join(lines) + "\n")[1:]
                few = (
                    entries
                    if len(entries) <= room
                    else [*entries[: room // 2], *entries[-(room // 2) :]]
                )
                room -= len(few)
                evenings.append((f"session: {at}\n", tuple(few)))
            title = "" if "title:" in case.settings else "title: A case\n"
            yield Start(f"{file.stem}#{number}", case.settings + title, tuple(evenings))


def _played() -> Iterator[Start]:
    """Games played at random by what the rulebooks themselves say may come next."""
    with tempfile.TemporaryDirectory() as scratch:
        for game in GAMES:
            rules = rulebook(game)
            settings = rules.new_campaign()["campaign.yaml"]
            for seed in range(6):
                folder = Path(scratch) / f"{game}-{seed}"
                campaign = load(write_campaign(folder, settings, [[]]))
                table = RandomTable(campaign, rules, seed)
                while len(table.lines) < MOST and table.step():
                    pass
                entries = tuple(f"{line}\n" for line in table.lines)
                yield Start(f"played-{game}-{seed}", settings, (("session: 1\n", entries),))
