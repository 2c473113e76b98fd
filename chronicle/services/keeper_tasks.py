"""Tasks of the keeper of the record, apart from the next entry."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from chronicle.core.campaign_view import Block, CampaignView, Item, Listing, Ref
from chronicle.core.names import PLAYER, Named, fold
from chronicle.core.record import Record
from chronicle.core.replay import Replay
from chronicle.core.secrets import Secret
from chronicle.services import block_data
from chronicle.services.open_campaigns import OpenCampaign
from chronicle.services.usage import Usage
from chronicle.words import word, word_pieces

SIMILARITY = 0.84
"""Minimum similarity of two names that may mean the same."""
MOST_COMPARED = 400
"""Maximum number of names of a kind that are compared."""
MOST_LISTED = 12
"""Maximum number of items in each of the lists for the keeper."""


def keeper_tasks(opened: OpenCampaign, replay: Replay[Any]) -> dict[str, Any]:
    """Open obligations, unfinished parts, pairs of similar names, and sealed secrets."""
    record = opened.workspace.record
    if record is None:
        raise opened.unreadable()
    mark_names = opened.name_marker_at(replay)
    blocks: list[Block] = [*replay.rulebook.owing(replay.play)]
    for title, items in (
        (word("server.to_do_unfinished"), _unfinished(record)),
        (word("server.to_do_twins"), _similar_names(replay, record)),
        (word("server.to_do_secret"), [*_sealed_secrets(replay)]),
        (word("server.to_do_untold"), [*_sessions_without_story(record)]),
    ):
        if items:
            blocks.append(Listing(tuple(items), title))
    return {"blocks": block_data.blocks(blocks, mark_names)}


def _unfinished(record: Record) -> list[Item]:
    """The loose ends of the game, and known gaps."""
    view = CampaignView(record, situation=record.situation)
    record.rulebook.fill(view)  # type: ignore[attr-defined]
    return [*view.loose_ends, *view.known_gaps]


def _similar_names(replay: Replay[Any], record: Record) -> list[Item]:
    """Names of one kind with nearly the same spelling."""
    from difflib import SequenceMatcher

    subjects_by_kind: dict[str, list[Named]] = {}
    for subject in replay.play.names.all.values():
        if subject.kind != PLAYER:
            subjects_by_kind.setdefault(subject.kind, []).append(subject)
    usage = Usage(record.steps, record.names)
    items: list[Item] = []
    for subjects_of_kind in subjects_by_kind.values():
        for first, second in combinations(subjects_of_kind[-MOST_COMPARED:], 2):
            name, other_name = fold(first.name), fold(second.name)
            matcher = SequenceMatcher(None, name, other_name)
            is_similar = matcher.quick_ratio() >= SIMILARITY and matcher.ratio() >= SIMILARITY
            if is_similar and not _differ_by_number(name, other_name):
                rarer = min((first, second), key=lambda subject: usage.use_count(subject.id))
                first_ref, second_ref = (
                    Ref("sheet", subject.id, subject.name) for subject in (first, second)
                )
                text = tuple(word_pieces("server.two_names", one=first_ref, other=second_ref))
                items.append(Item(text, word("server.named_less", name=rarer.name)))
    return items[:MOST_LISTED]


def _differ_by_number(name: str, other_name: str) -> bool:
    """Whether two names differ only by a number: then they are meant to be different."""
    return name.rstrip("0123456789 ") == other_name.rstrip("0123456789 ")


def _sealed_secrets(replay: Replay[Any]) -> Iterator[Item]:
    for secret in replay.play.vault.unrevealed():
        yield Item(_describe_secret(secret), _session_of_secret(secret), secret.step_number)


def _describe_secret(secret: Secret) -> str:
    storage = word("server.secret_sealed" if secret.seal else "server.secret_clear")
    kind = f"{secret.kind}, " if secret.kind else ""
    owner = f"{secret.player}: " if secret.player else ""
    return f"{owner}{secret.secret_id} ({kind}{storage})"


def _session_of_secret(secret: Secret) -> str:
    return word("server.since_session", number=secret.session) if secret.session else ""


def _sessions_without_story(record: Record) -> Iterator[Item]:
    """Sessions with many entries and little story."""
    for session_record in record.sessions:
        steps = record.steps[session_record.first_step - 1 : session_record.last_step]
        story_count = sum(bool(step.fiction.strip()) for step in steps)
        if len(steps) >= 10 and 5 * story_count < len(steps):
            number = session_record.session.number
            text = Ref("session", str(number), word("server.session_number", number=number))
            yield Item(text, word("server.tells_a_story", count=story_count, entries=len(steps)))
