"""What changed since an evening, for any evening that can be chosen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from chronicle.core.book import Block, Column, Inline, Item, Listing, Note, Ref, SessionView, Table
from chronicle.core.ledger import owner_of
from chronicle.core.stated import FOUND_OTHERWISE
from chronicle.site.pages.ledger import account_name
from chronicle.site.press import Draft, blocks_page
from chronicle.site.rooms import Door
from chronicle.site.volume import Volume

MOST = 60
"""How many lines a list of what changed may have."""
TURNS = frozenset(
    (
        *("enters", "creates", "leaves", "leaves play", "dies", "ejected", "eliminates"),
        *("eliminated", "returned", "joins", "arrives"),
    )
)
"""Kinds of events that bring somebody or something into play, or out of it."""
INDEX = "changes/index"


def doors(volume: Volume) -> Iterator[Door]:
    """The way to it."""
    yield Door("Read", "Since you were away", INDEX)


def pages(volume: Volume) -> Iterator[Draft]:
    """A page an evening, and the list of them."""
    sessions = volume.book.sessions
    changed = Changed(volume)
    blocks: dict[int, tuple[Block, ...]] = {}
    for session in reversed(sessions):
        changed.add(session)
        blocks[session.number] = tuple(changed.blocks())
    entries = sum(len(session.steps) for session in sessions)
    rows: list[tuple[Inline, ...]] = []
    for session in sessions:
        last = session is sessions[-1]
        page = f"changes/since-{session.number}"
        title = f"Since the start of session {session.number}"
        if last:
            title = f"In session {session.number}"
        yield blocks_page(
            page,
            title,
            blocks[session.number],
            intro=session.title + ("" if last else " and everything after it"),
            crumbs=(("What changed", INDEX),),
            search={"exclude": True},
        )
        scenes = volume.record.timeline.scenes
        later = sum(1 for scene in scenes if scene.session >= session.number)
        rows.append((Ref("path", page, title), session.title, entries, later))
        entries -= len(session.steps)
    columns = (
        Column("What changed"),
        Column("From"),
        Column("Entries", True),
        Column("Scenes", True),
    )
    yield blocks_page(
        INDEX,
        "What changed",
        [Table(columns, tuple(reversed(rows)))],
        intro="You missed an evening, or three? Choose where you left off.",
    )


class Changed:
    """What some sessions changed, counted from the last one backwards."""

    def __init__(self, volume: Volume) -> None:
        self._volume = volume
        self._net: Counter[tuple[str, str]] = Counter()
        self._entered: list[Item] = []
        self._found: list[Item] = []
        self._scenes: list[Item] = []
        self._to_come: dict[int, list[Item]] = {}
        """The scenes of each session that has not been counted yet."""
        for scene in volume.record.timeline.scenes:
            item = Item(Ref("scene", str(scene.number), scene.label), scene.time)
            self._to_come.setdefault(scene.session, []).append(item)

    def add(self, session: SessionView) -> None:
        """Count the session before those counted so far."""
        record = self._volume.record
        entered: list[Item] = []
        found: list[Item] = []
        for step in session.steps:
            for p in record.postings(step):
                self._net[(p.source, p.unit)] -= p.amount
                self._net[(p.target, p.unit)] += p.amount
            if not step.hidden and not any(event.kind == "undone" for event in step.events):
                entered += [
                    Item(event.text, "", step.index) for event in step.events if event.kind in TURNS
                ]
                found += [
                    Item(event.text, "", step.index)
                    for event in step.events
                    if event.kind == FOUND_OTHERWISE
                ]
        self._found[:0] = found
        self._entered[:0] = entered
        self._scenes[:0] = self._to_come.pop(session.number, [])

    def blocks(self) -> Iterator[Block]:
        """What has been counted so far."""
        situation = self._volume.book.situation
        if situation:
            yield Note(situation)
        yield _capped(self._scenes, "Scenes")
        if self._entered:
            yield _capped(self._entered, "Who and what came and went")
        if self._found:
            yield _capped(self._found, "What was found otherwise than it had been")
        net = sorted(item for item in self._net.items() if item[1] and owner_of(item[0][0]))
        columns = (Column("Account"), Column("Unit"), Column("Change", True))
        rows = (
            (account_name(self._volume, account), unit, amount)
            for (account, unit), amount in net[:MOST]
        )
        yield Table(columns, tuple(rows), "Net change")


def _capped(items: list[Item], title: str) -> Listing:
    """The last items of a list that may be long."""
    if len(items) <= MOST:
        return Listing(tuple(items), title)
    left_out = Item(f"{len(items) - MOST} earlier ones are left out here")
    return Listing((left_out, *items[-MOST:]), title)
