"""Completions in the head of a session: keys, people of the story, entries to refer to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from chronicle.core.campaign import Header
from chronicle.core.keepers import KEEPERS_KEYS, PERSONAL_KEYS, entry_digest
from chronicle.core.names import PLAYER
from chronicle.core.record import Record
from chronicle.services.editor.completion import Completion
from chronicle.services.open_campaigns import OpenCampaign
from chronicle.services.snippets import CARET
from chronicle.words import word

MOST_ENTRIES: Final = 40
"""Maximum number of offered entries, the latest first."""
_OPEN: Final = re.compile(r"(?<!\\)\[(?P<said>[^\[\]]*)\Z")
_BELOW: Final = re.compile(r"(?P<indent>\s+)(?P<said>[^:\[\]]*)\Z")
_IN_BRACES: Final = re.compile(r"\w+:\s*\{(?:[^{}]*,)?\s*(?P<said>[^:,{}\[\]]*)\Z")


def in_head(opened: OpenCampaign, file: str, above: list[str], head: str) -> Iterator[Completion]:
    """Completions behind the ``head`` of a row above the log.

    Args:
        opened: the campaign with the typed text.
        file: the session.
        above: the rows above the row.
        head: the row up to the caret.
    """
    record = opened.workspace.record
    key = _key_at(above, head)
    if key in KEEPERS_KEYS and record is not None:
        begun = _OPEN.search(head)
        if begun is not None:
            yield from _entries(record, file, begun["said"])
            return
        row = _IN_BRACES.search(head) or _BELOW.fullmatch(head)
        if key in PERSONAL_KEYS and row is not None:
            yield from _people(record, row["said"])
            return
    if head[:1].isspace() or ":" in head:
        return
    written_keys = {row.partition(":")[0] for row in above}
    for field in Header.fields.values():
        if field.name not in written_keys and field.name.startswith(head):
            below = f"\n  {CARET}" if field.name in PERSONAL_KEYS else f" {CARET}"
            note = "needed" if field.required else ""
            yield Completion(field.name, f"{field.name}:{below}", len(head), "key", note, field.doc)


def _key_at(above: list[str], head: str) -> str:
    """The key of the head that the caret is under."""
    for row in (head, *reversed(above)):
        if row[:1].strip() and row[0] not in "-#":
            return row.partition(":")[0].strip() if ":" in row else ""
    return ""


def _people(record: Record, typed: str) -> Iterator[Completion]:
    """People, places and objects of the story, people first."""
    mentioned = {id for scene in record.timeline.scenes for id in scene.cast}
    named = [named_thing for named_thing in record.names.all.values() if named_thing.kind != PLAYER]
    for named_thing in sorted(named, key=lambda named_thing: named_thing.id not in mentioned):
        if named_thing.name.casefold().startswith(typed.casefold()):
            name = (
                f'"{named_thing.name}"'
                if re.search(r"[:#{}\[\],&]", named_thing.name)
                else named_thing.name
            )
            yield Completion(
                named_thing.name, f"{name}: {CARET}", len(typed), "name", named_thing.kind
            )


def _entries(record: Record, file: str, typed: str) -> Iterator[Completion]:
    """The entries that a sentence of this session may rest on, the last one first."""
    numbers = {
        session_record.session.path: session_record.session.number
        for session_record in record.sessions
    }
    number = numbers.get(file)
    sought = typed.partition("@")[0].casefold()
    count = 0
    for step in reversed(record.steps):
        if step.hidden or step.retracted_by or (number is not None and step.session > number):
            continue
        id = str(step.action.id or step.anchor)
        if sought not in id.casefold() and sought not in step.headline.casefold():
            continue
        count += 1
        if count > MOST_ENTRIES:
            return
        note = word("server.session_headline", number=step.session, headline=step.headline).rstrip(
            ", "
        )
        insert = f"{id}@{entry_digest(step.action.source)}]"
        yield Completion(id, insert, len(typed), "entry", note, step.fiction, also=(step.headline,))
