"""From a folder to Records and Books: where transcript and games meet.

The command line walks the corridor through these few functions; ``publish`` goes on from here to the
site.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chronicle.core.campaign import Campaign
from chronicle.core.record import Record
from chronicle.core.replay import Replay
from chronicle.core.rulebook import Rulebook
from chronicle.games import GAMES, rulebook
from chronicle.transcript.folder import find_campaigns as find_campaigns
from chronicle.transcript.folder import read_campaign

if TYPE_CHECKING:
    from chronicle.core.book import Block, Book


@contextmanager
def relaxed_gc() -> Iterator[None]:
    """Collect cycles rarely while many small objects are made that all stay alive."""
    before = gc.get_threshold()
    gc.set_threshold(200_000, 50, 100)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def load(folder: Path, *, root: Path | None = None) -> Campaign:
    """Read a campaign folder. Problems of form are in ``diagnostics`` of what comes back. Paths in it
    are relative to ``root`` (the current folder, by default)."""
    return read_campaign(folder, _Rulebooks(), root=root)


class _Rulebooks(Mapping[str, Rulebook[Any]]):
    """The registry as a mapping that imports a game only when it is asked for."""

    def __getitem__(self, name: str) -> Rulebook[Any]:
        return rulebook(name)

    def __iter__(self) -> Iterator[str]:
        return iter(GAMES)

    def __len__(self) -> int:
        return len(GAMES)


def run(campaign: Campaign, *, through: int | None = None) -> Record:
    """Replay a campaign, up to and including session ``through`` if given."""
    return _run(campaign, through)[0]


def _run(
    campaign: Campaign, through: int | None, *, panels: bool = False
) -> tuple[Record, dict[int, tuple[Block, ...]]]:
    rules = rulebook(campaign.game)
    replay = Replay(campaign, rules)
    seen: dict[int, tuple[Block, ...]] = {}
    play = replay.play
    for session in campaign.sessions:
        if through is not None and session.number > through:
            break
        replay.open(session)
        for action in session.actions:
            replay.do(action)
            if panels:
                for scene in play.timeline.scenes[len(seen) :]:
                    if scene.open:
                        break
                    seen[scene.number] = rules.panel(play)
        replay.close()
    return replay.finish(), seen


def open_book(campaign: Campaign, *, through: int | None = None) -> Book:
    """Replay a campaign and make its Book."""
    from chronicle.core.book import make_book

    record, panels = _run(campaign, through, panels=True)
    return make_book(record, panels=panels)


def records_of(path: Path) -> Iterator[Record]:
    """The Record of every campaign at or below a path, in order of their folders."""
    for folder in find_campaigns(path):
        yield run(load(folder))


def books_of(path: Path, *, through: int | None = None) -> Iterator[Book]:
    """The Book of every campaign at or below a path, in order of their folders."""
    for folder in find_campaigns(path):
        yield open_book(load(folder), through=through)
