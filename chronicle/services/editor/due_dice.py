"""Completions for the dice that are due, with a place for every face."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from chronicle.core.answers import Thrown
from chronicle.core.diagnostic import listed
from chronicle.core.replay import Replay
from chronicle.services.choices import EXACT_MATCH, PREFIX_MATCH
from chronicle.services.editor.completion import Completion
from chronicle.services.snippets import CARET_MARK, FACE_MARK
from chronicle.syntax.yaml_text import write_entry
from chronicle.words import word

_SIGN_FACE, _NUMBER_FACE = "ⓧ", "߀"
"""A sign and a digit that no die shows: games write the two in different ways."""


def with_face_placeholders(faces: str) -> str:
    """Faces with a place for each in what is inserted."""
    return faces.replace(_SIGN_FACE, FACE_MARK).replace(_NUMBER_FACE, FACE_MARK)


def throw_completions(
    replay: Replay[Any], typed_text: str, prefix: str, typed_verb: str = ""
) -> Iterator[Completion]:
    """Entries for what is due to fall, with a place for every die. ``typed_verb``: the verb that is there
    already, with its colon."""
    game = replay.rulebook
    for (verb, outer_verb), due_throws in dice_due(replay, typed_verb).items():
        dice_count_by_roller = Counter[str]()
        for throw in due_throws:
            dice_count_by_roller[throw.who] += len(throw.faces)
        label = f"{verb} {', '.join(f'{roller} {count}'.strip() for roller, count in dice_count_by_roller.items())}"
        if typed_verb == verb or (
            not typed_verb and label.casefold().startswith(typed_text.casefold())
        ):
            entry_text = write_entry(game.thrown(verb, due_throws, outer_verb)).replace(
                "\n", "\n  "
            )
            if typed_verb:
                label, entry_text = (
                    label.removeprefix(f"{verb} "),
                    entry_text.removeprefix(f"{verb}:").lstrip(" "),
                )
            inserted_text = f"{prefix}{with_face_placeholders(entry_text)}{CARET_MARK}"
            overwritten_length = 0 if typed_verb else len(typed_text)
            extra_dice_note = faces_for_extra_dice(replay, verb)
            match_quality = EXACT_MATCH if typed_text == verb else PREFIX_MATCH
            yield Completion(
                label,
                inserted_text,
                overwritten_length,
                "verb",
                word("server.dice_due"),
                extra_dice_note,
                match_quality=match_quality,
            )


def dice_due(replay: Replay[Any], verb: str = "") -> dict[tuple[str, str], list[Thrown]]:
    """The dice that are due, by the verb and within what they are thrown; and the dice that ``verb`` throws
    although no player owes them."""
    play, game = replay.play, replay.rulebook
    throws_by_verb: dict[tuple[str, str], list[Thrown]] = {}
    for obligation in (
        *game.due(play),
        *(obligation for obligation in game.may_fall(play) if obligation.verb == verb),
    ):
        dice_pad = game.pad(play, obligation) if obligation.amount else None
        if dice_pad is not None:
            placeholder_face = _NUMBER_FACE if any(map(str.isdigit, dice_pad.faces)) else _SIGN_FACE
            due_throw = Thrown(
                obligation.who, obligation.kind, (placeholder_face,) * obligation.amount
            )
            throws_by_verb.setdefault((obligation.verb, obligation.within), []).append(due_throw)
    return throws_by_verb


def faces_for_extra_dice(replay: Replay[Any], verb: str) -> str:
    """Which faces earn another die, and where that is written; empty where none does."""
    play, game = replay.play, replay.rulebook
    obligations = (
        obligation
        for obligation in (*game.due(play), *game.may_fall(play))
        if obligation.verb == verb
    )
    pad_by_dice_kind = {obligation.kind: game.pad(play, obligation) for obligation in obligations}
    earning_faces = [
        f"{dice_kind} {face}"
        for dice_kind, dice_pad in pad_by_dice_kind.items()
        if dice_pad
        for face in dice_pad.chains
    ]
    if not earning_faces:
        return ""
    return word("server.earns_more", count=len(earning_faces), faces=listed(earning_faces))
