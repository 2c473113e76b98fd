"""Sessions: the file of a new session, and changes of the head of a session."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from chronicle.core.campaign import Campaign
from chronicle.core.keepers import KEEPERS_KEYS, EntryIndex, refresh_digests
from chronicle.core.source import ScalarNode
from chronicle.services.open_campaigns import FileChange, OpenCampaign, Unanswerable, quoted_name
from chronicle.syntax.edit_head import set_head
from chronicle.syntax.text_edit import tree_of
from chronicle.syntax.yaml_text import write_flow, write_scalar

_MODELINE = re.compile(r"#[^\n]*yaml-language-server[^\n]*")


def new_session(opened: OpenCampaign, title: str, date: str, present: list[str]) -> tuple[str, str]:
    """Name and text of the file of the next session. ``present`` are the players who are there; empty for
    all."""
    campaign = opened.workspace.campaign
    if campaign is None:
        raise opened.unreadable()
    seat_names = _seat_names(campaign, present)
    last = campaign.sessions[-1] if campaign.sessions else None
    session_number = last.number + 1 if last else 1
    existing_names = {file.name for file in opened.files()}
    name = _file_name(last.path if last else "", session_number)
    while name in existing_names:
        name = _file_name(name, int(re.sub(r"\D", "", name)) + 1)
    head = []
    modeline = (
        _MODELINE.match(opened.text(last.path)) if last and last.path in existing_names else None
    )
    if modeline:
        head.append(modeline[0])
    head.append(f"session: {session_number}")
    if title.strip():
        head.append(f"title: {write_scalar(' '.join(title.split()), flow=False)}")
    if date.strip():
        head.append(f"date: {write_scalar(date.strip(), flow=False)}")
    if present and present != seat_names:
        head.append(f"present: {write_flow(present)}")
    return name, "\n".join([*head, "", "log:", ""])


def change_head(
    opened: OpenCampaign,
    file: str,
    title: str,
    date: str,
    present: list[str] | None,
    base_version: str = "",
    keepers_words: Mapping[str, Any] | None = None,
) -> FileChange:
    """The change of the head of a session; the rest of the file stays.

    Args:
        opened: the campaign.
        file: the session.
        title: the new title; empty for none.
        date: the new date; empty for none.
        present: the players who were there; empty for all, None for no change.
        base_version: the version of the file that the user saw.
        keepers_words: the keepers' words by key: a text under ``recap``, {person: sentence} under ``about`` and
            ``end``. Missing keys stay. References get digests.
    """
    campaign = opened.workspace.campaign
    if campaign is None:
        raise opened.unreadable()
    session = next((candidate for candidate in campaign.sessions if candidate.path == file), None)
    if session is None:
        raise Unanswerable(f"no session {quoted_name(file)} in this campaign")
    copy = opened.seen_copy(file, base_version)
    text, head_node = copy.text, tree_of(copy.text, file)
    for key, new_value in (("title", title), ("date", date)):
        current = head_node.get(ScalarNode(key))
        if new_value.split() != (str(current).split() if isinstance(current, ScalarNode) else []):
            text = set_head(text, file, key, " ".join(new_value.split()) or None)
    if present is not None:
        seats = _seat_names(campaign, present)
        present_players = [name for name in seats if name in present]
        text = set_head(text, file, "absent", None)
        is_default = present_players in ([], seats) and session.header.present is None
        text = set_head(text, file, "present", None if is_default else present_players or seats)
    record = opened.workspace.record
    if keepers_words and record is not None:
        index = EntryIndex(record)
        for key in KEEPERS_KEYS:
            if key in keepers_words:
                text = set_head(text, file, key, _keepers_words(keepers_words[key], index))
    return copy.edit(text)


def _keepers_words(value: Any, index: EntryIndex) -> str | dict[str, str] | None:
    """The keepers' words for a key, as written in the file; None if empty."""
    if isinstance(value, Mapping):
        sentences = {str(name): " ".join(str(sentence).split()) for name, sentence in value.items()}
        return {
            name: refresh_digests(sentence, index)
            for name, sentence in sentences.items()
            if sentence
        } or None
    rows = (" ".join(row.split()) for row in str(value).strip().split("\n"))
    text = refresh_digests("\n".join(rows), index)
    return f"{text}\n" if text else None


def _seat_names(campaign: Campaign, present: list[str]) -> list[str]:
    """The names of the seats. Raises if ``present`` has another name."""
    seats = [player.name for player in campaign.players]
    for name in present:
        if name not in seats:
            raise Unanswerable(f"no player '{name}' in this campaign", f"it has {', '.join(seats)}")
    return seats


def _file_name(last_file: str, number: int) -> str:
    """The file name of a session, in the style of the last one."""
    digits = re.search(r"\d+", PurePosixPath(last_file).name)
    width = len(digits[0]) if digits else 2
    stem = PurePosixPath(last_file).stem if digits and "/" not in last_file else "00"
    return re.sub(r"\d+", f"{number:0{width}}", stem, count=1) + ".yaml"
