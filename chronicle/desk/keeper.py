"""What the keeper of the record has to see to, beside the next entry."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from chronicle.core.book import Block, Book, Item, Listing, Ref
from chronicle.core.diagnostic import plural
from chronicle.core.names import PLAYER, Named, fold
from chronicle.core.record import Record
from chronicle.core.replay import Replay
from chronicle.core.secrets import Secret
from chronicle.desk import plain
from chronicle.desk.room import Opened
from chronicle.desk.usage import Usage

ALIKE = 0.84
"""How like each other two names are that may be one."""
MOST_COMPARED = 400
"""How many names of a kind are compared with each other."""
MOST_LISTED = 12


def keeper(opened: Opened, replay: Replay[Any]) -> dict[str, Any]:
    """What is owed and to whom, what is unfinished, names that may be two for one, what is sealed."""
    record = opened.resident.record
    if record is None:
        raise opened.unreadable()
    spell = opened.speller_at(replay)
    blocks: list[Block] = [*replay.rulebook.owing(replay.play)]
    for title, items in (
        ("Unfinished", _unfinished(record)),
        ("Two names for one?", _twins(replay, record)),
        ("Still secret", [*_sealed(replay)]),
        ("Without a story yet", [*_untold(record)]),
    ):
        if items:
            blocks.append(Listing(tuple(items), title))
    return {"blocks": plain.blocks(blocks, spell)}


def _unfinished(record: Record) -> list[Item]:
    """The loose ends that the game sees, and what it knows to be missing."""
    book = Book(record, situation=record.situation)
    record.rulebook.fill(book)  # type: ignore[attr-defined]
    return [*book.loose_ends, *book.unwritten]


def _twins(replay: Replay[Any], record: Record) -> list[Item]:
    """Names of one kind that are spelt nearly alike."""
    from difflib import SequenceMatcher

    kinds: dict[str, list[Named]] = {}
    for named in replay.play.names.all.values():
        if named.kind != PLAYER:
            kinds.setdefault(named.kind, []).append(named)
    usage = Usage(record.steps, record.names)
    found: list[Item] = []
    for some in kinds.values():
        for one, other in combinations(some[-MOST_COMPARED:], 2):
            name, twin = fold(one.name), fold(other.name)
            matcher = SequenceMatcher(None, name, twin)
            near = matcher.quick_ratio() >= ALIKE and matcher.ratio() >= ALIKE
            if near and not _counted(name, twin):
                rare = min((one, other), key=lambda named: usage.uses(named.id))
                text = (Ref("sheet", one.id, one.name), " and ", Ref("sheet", other.id, other.name))
                found.append(Item(text, f"{rare.name} is named less often"))
    return found[:MOST_LISTED]


def _counted(one: str, other: str) -> bool:
    """Whether two names differ by a number only: they were meant to be two."""
    return one.rstrip("0123456789 ") == other.rstrip("0123456789 ")


def _sealed(replay: Replay[Any]) -> Iterator[Item]:
    for secret in replay.play.vault.unrevealed():
        yield Item(_words_of(secret), _since(secret), secret.step)


def _words_of(secret: Secret) -> str:
    how = "sealed" if secret.seal else "in clear in the log"
    what = f"{secret.kind}, " if secret.kind else ""
    whose = f"{secret.player}: " if secret.player else ""
    return f"{whose}{secret.slot} ({what}{how})"


def _since(secret: Secret) -> str:
    return f"since session {secret.session}" if secret.session else ""


def _untold(record: Record) -> Iterator[Item]:
    """Evenings in which much happened and little was told."""
    for evening in record.sessions:
        steps = record.steps[evening.first_step - 1 : evening.last_step]
        told = sum(bool(step.fiction.strip()) for step in steps)
        if len(steps) >= 10 and 5 * told < len(steps):
            number = evening.session.number
            text = Ref("session", str(number), f"Session {number}")
            yield Item(
                text, f"{plural(told, 'entry tells', 'entries tell')} a story, of {len(steps)}"
            )
