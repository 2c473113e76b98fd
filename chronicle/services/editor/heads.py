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
from chronicle.services.snippets import CARET_MARK
from chronicle.words import word

MOST_OFFERED_ENTRIES: Final = 40
"""Maximum number of offered entries, the latest first."""
_OPEN_REFERENCE: Final = re.compile(r"(?<!\\)\[(?P<said>[^\[\]]*)\Z")
_INDENTED_NAME: Final = re.compile(r"(?P<indent>\s+)(?P<said>[^:\[\]]*)\Z")
_NAME_IN_BRACES: Final = re.compile(r"\w+:\s*\{(?:[^{}]*,)?\s*(?P<said>[^:,{}\[\]]*)\Z")


def head_completions(
    opened: OpenCampaign, file: str, rows_above: list[str], typed_row: str
) -> Iterator[Completion]:
    """Completions behind the ``typed_row`` of a row above the log.

    Args:
        opened: the campaign with the typed text.
        file: the session.
        rows_above: the rows above the row.
        typed_row: the row up to the caret.
    """
    record = opened.workspace.record
    key = _head_key_at(rows_above, typed_row)
    if key in KEEPERS_KEYS and record is not None:
        reference_match = _OPEN_REFERENCE.search(typed_row)
        if reference_match is not None:
            yield from _entry_completions(record, file, reference_match["said"])
            return
        name_match = _NAME_IN_BRACES.search(typed_row) or _INDENTED_NAME.fullmatch(typed_row)
        if key in PERSONAL_KEYS and name_match is not None:
            yield from _person_completions(record, name_match["said"])
            return
    if typed_row[:1].isspace() or ":" in typed_row:
        return
    written_keys = {row.partition(":")[0] for row in rows_above}
    for field in Header.fields.values():
        if field.name not in written_keys and field.name.startswith(typed_row):
            text_after_colon = (
                f"\n  {CARET_MARK}" if field.name in PERSONAL_KEYS else f" {CARET_MARK}"
            )
            required_note = "needed" if field.required else ""
            yield Completion(
                field.name,
                f"{field.name}:{text_after_colon}",
                len(typed_row),
                "key",
                required_note,
                field.doc,
            )


def _head_key_at(rows_above: list[str], typed_row: str) -> str:
    """The key of the head that the caret is under."""
    for row in (typed_row, *reversed(rows_above)):
        if row[:1].strip() and row[0] not in "-#":
            return row.partition(":")[0].strip() if ":" in row else ""
    return ""


def _person_completions(record: Record, typed_text: str) -> Iterator[Completion]:
    """People, places and objects of the story, people first."""
    ids_in_scenes = {id for scene in record.timeline.scenes for id in scene.cast}
    subjects = [subject for subject in record.names.all.values() if subject.kind != PLAYER]
    for subject in sorted(subjects, key=lambda subject: subject.id not in ids_in_scenes):
        if subject.name.casefold().startswith(typed_text.casefold()):
            written_name = (
                f'"{subject.name}"' if re.search(r"[:#{}\[\],&]", subject.name) else subject.name
            )
            yield Completion(
                subject.name, f"{written_name}: {CARET_MARK}", len(typed_text), "name", subject.kind
            )


def _entry_completions(record: Record, file: str, typed_text: str) -> Iterator[Completion]:
    """The entries that a sentence of this session may rest on, the last one first."""
    session_number_by_file = {
        session_record.session.path: session_record.session.number
        for session_record in record.sessions
    }
    session_number = session_number_by_file.get(file)
    search_text = typed_text.partition("@")[0].casefold()
    offered_count = 0
    for step in reversed(record.steps):
        if (
            step.hidden
            or step.retracted_by
            or (session_number is not None and step.session > session_number)
        ):
            continue
        entry_id = str(step.action.id or step.anchor)
        if search_text not in entry_id.casefold() and search_text not in step.headline.casefold():
            continue
        offered_count += 1
        if offered_count > MOST_OFFERED_ENTRIES:
            return
        session_note = word(
            "server.session_headline", number=step.session, headline=step.headline
        ).rstrip(", ")
        reference_text = f"{entry_id}@{entry_digest(step.action.source)}]"
        yield Completion(
            entry_id,
            reference_text,
            len(typed_text),
            "entry",
            session_note,
            step.fiction,
            synonyms=(step.headline,),
        )
