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

LEAST_SIMILARITY = 0.84
"""Minimum similarity of two names that may mean the same."""
MOST_COMPARED_NAMES = 400
"""Maximum number of names of a kind that are compared."""
MOST_LISTED_ITEMS = 12
"""Maximum number of items in each of the lists for the keeper."""


def keeper_tasks(opened: OpenCampaign, replay: Replay[Any]) -> dict[str, Any]:
    """Open obligations, unfinished parts, pairs of similar names, and sealed secrets."""
    record = opened.workspace.record
    if record is None:
        raise opened.unreadable()
    mark_names = opened.name_marker_at(replay)
    blocks: list[Block] = [*replay.rulebook.owing(replay.play)]
    for title, items in (
        (word("server.to_do_unfinished"), _unfinished_items(record)),
        (word("server.to_do_twins"), _similar_names(replay, record)),
        (word("server.to_do_secret"), [*_sealed_secrets(replay)]),
        (word("server.to_do_untold"), [*_sessions_without_story(record)]),
    ):
        if items:
            blocks.append(Listing(tuple(items), title))
    return {"blocks": block_data.blocks_data(blocks, mark_names)}


def _unfinished_items(record: Record) -> list[Item]:
    """The loose ends of the game, and known gaps."""
    campaign_view = CampaignView(record, situation=record.situation)
    record.rulebook.fill(campaign_view)  # type: ignore[attr-defined]
    return [*campaign_view.loose_ends, *campaign_view.known_gaps]


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
        for first_subject, second_subject in combinations(
            subjects_of_kind[-MOST_COMPARED_NAMES:], 2
        ):
            first_name, second_name = fold(first_subject.name), fold(second_subject.name)
            matcher = SequenceMatcher(None, first_name, second_name)
            is_similar = (
                matcher.quick_ratio() >= LEAST_SIMILARITY and matcher.ratio() >= LEAST_SIMILARITY
            )
            if is_similar and not _differ_by_number(first_name, second_name):
                rarer_subject = min(
                    (first_subject, second_subject), key=lambda subject: usage.use_count(subject.id)
                )
                first_ref, second_ref = (
                    Ref("sheet", subject.id, subject.name)
                    for subject in (first_subject, second_subject)
                )
                item_text = tuple(word_pieces("server.two_names", one=first_ref, other=second_ref))
                items.append(Item(item_text, word("server.named_less", name=rarer_subject.name)))
    return items[:MOST_LISTED_ITEMS]


def _differ_by_number(first_name: str, second_name: str) -> bool:
    """Whether two names differ only by a number: then they are meant to be different."""
    return first_name.rstrip("0123456789 ") == second_name.rstrip("0123456789 ")


def _sealed_secrets(replay: Replay[Any]) -> Iterator[Item]:
    for secret in replay.play.vault.unrevealed():
        yield Item(_describe_secret(secret), _session_of_secret(secret), secret.step_number)


def _describe_secret(secret: Secret) -> str:
    storage = word("server.secret_sealed" if secret.seal else "server.secret_clear")
    kind_text = f"{secret.kind}, " if secret.kind else ""
    owner_text = f"{secret.player}: " if secret.player else ""
    return f"{owner_text}{secret.secret_id} ({kind_text}{storage})"


def _session_of_secret(secret: Secret) -> str:
    return word("server.since_session", number=secret.session) if secret.session else ""


def _sessions_without_story(record: Record) -> Iterator[Item]:
    """Sessions with many entries and little story."""
    for session_record in record.sessions:
        steps = record.steps[session_record.first_step - 1 : session_record.last_step]
        story_count = sum(bool(step.fiction.strip()) for step in steps)
        if len(steps) >= 10 and 5 * story_count < len(steps):
            session_number = session_record.session.number
            session_ref = Ref(
                "session", str(session_number), word("server.session_number", number=session_number)
            )
            yield Item(
                session_ref, word("server.tells_a_story", count=story_count, entries=len(steps))
            )
