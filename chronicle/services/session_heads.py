"""Sessions: the file of a new session, and changes of the head of a session."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from chronicle.core.campaign import Campaign
from chronicle.core.keepers import KEEPERS_KEYS, EntryFinder, refresh_digests
from chronicle.core.source import ScalarNode
from chronicle.services.open_campaigns import FileChange, OpenCampaign, Unanswerable, quoted_name
from chronicle.syntax.edit_head import set_head
from chronicle.syntax.text_edit import tree_of
from chronicle.syntax.yaml_text import write_flow, write_scalar

_MODELINE = re.compile(r"#[^\n]*yaml-language-server[^\n]*")


def new_session(
    opened: OpenCampaign, title: str, date: str, present_names: list[str]
) -> tuple[str, str]:
    """Name and text of the file of the next session. ``present_names`` are the players who are there; empty for
    all."""
    campaign = opened.workspace.campaign
    if campaign is None:
        raise opened.unreadable()
    seat_names = _seat_names(campaign, present_names)
    last_session = campaign.sessions[-1] if campaign.sessions else None
    session_number = last_session.number + 1 if last_session else 1
    existing_names = {file.name for file in opened.files()}
    file_name = _file_name(last_session.path if last_session else "", session_number)
    while file_name in existing_names:
        file_name = _file_name(file_name, int(re.sub(r"\D", "", file_name)) + 1)
    head_rows = []
    modeline = (
        _MODELINE.match(opened.text(last_session.path))
        if last_session and last_session.path in existing_names
        else None
    )
    if modeline:
        head_rows.append(modeline[0])
    head_rows.append(f"session: {session_number}")
    if title.strip():
        head_rows.append(f"title: {write_scalar(' '.join(title.split()), in_flow=False)}")
    if date.strip():
        head_rows.append(f"date: {write_scalar(date.strip(), in_flow=False)}")
    if present_names and present_names != seat_names:
        head_rows.append(f"present: {write_flow(present_names)}")
    return file_name, "\n".join([*head_rows, "", "log:", ""])


def session_head_change(
    opened: OpenCampaign,
    file: str,
    title: str,
    date: str,
    present_names: list[str] | None,
    base_version: str = "",
    keepers_words: Mapping[str, Any] | None = None,
) -> FileChange:
    """The change of the head of a session; the rest of the file stays.

    Args:
        opened: the campaign.
        file: the session.
        title: the new title; empty for none.
        date: the new date; empty for none.
        present_names: the players who were there; empty for all, None for no change.
        base_version: the version of the file that the user saw.
        keepers_words: the keepers' words by key: a text under ``recap``, {person: sentence} under ``about`` and
            ``end``. Missing keys stay. References get digests.
    """
    campaign = opened.workspace.campaign
    if campaign is None:
        raise opened.unreadable()
    session = next((session for session in campaign.sessions if session.path == file), None)
    if session is None:
        raise Unanswerable(f"no session {quoted_name(file)} in this campaign")
    working_copy = opened.seen_copy(file, base_version)
    session_text, head_node = working_copy.text, tree_of(working_copy.text, file)
    for key, new_value in (("title", title), ("date", date)):
        current_node = head_node.get(ScalarNode(key))
        if new_value.split() != (
            str(current_node).split() if isinstance(current_node, ScalarNode) else []
        ):
            session_text = set_head(session_text, file, key, " ".join(new_value.split()) or None)
    if present_names is not None:
        player_names = _seat_names(campaign, present_names)
        present_players = [name for name in player_names if name in present_names]
        session_text = set_head(session_text, file, "absent", None)
        is_default = present_players in ([], player_names) and session.header.present is None
        session_text = set_head(
            session_text, file, "present", None if is_default else present_players or player_names
        )
    record = opened.workspace.record
    if keepers_words and record is not None:
        entry_finder = EntryFinder(record)
        for key in KEEPERS_KEYS:
            if key in keepers_words:
                session_text = set_head(
                    session_text, file, key, _keepers_words(keepers_words[key], entry_finder)
                )
    return working_copy.edit(session_text)


def _keepers_words(keepers_value: Any, entry_finder: EntryFinder) -> str | dict[str, str] | None:
    """The keepers' words for a key, as written in the file; None if empty."""
    if isinstance(keepers_value, Mapping):
        sentences = {
            str(name): " ".join(str(sentence).split()) for name, sentence in keepers_value.items()
        }
        return {
            name: refresh_digests(sentence, entry_finder)
            for name, sentence in sentences.items()
            if sentence
        } or None
    text_rows = (" ".join(text_row.split()) for text_row in str(keepers_value).strip().split("\n"))
    text_with_digests = refresh_digests("\n".join(text_rows), entry_finder)
    return f"{text_with_digests}\n" if text_with_digests else None


def _seat_names(campaign: Campaign, present_names: list[str]) -> list[str]:
    """The names of the seats. Raises if ``present_names`` has another name."""
    player_names = [player.name for player in campaign.players]
    for name in present_names:
        if name not in player_names:
            raise Unanswerable(
                f"no player '{name}' in this campaign", f"it has {', '.join(player_names)}"
            )
    return player_names


def _file_name(last_file: str, session_number: int) -> str:
    """The file name of a session, in the style of the last one."""
    digits_match = re.search(r"\d+", PurePosixPath(last_file).name)
    digit_count = len(digits_match[0]) if digits_match else 2
    stem = PurePosixPath(last_file).stem if digits_match and "/" not in last_file else "00"
    return re.sub(r"\d+", f"{session_number:0{digit_count}}", stem, count=1) + ".yaml"
