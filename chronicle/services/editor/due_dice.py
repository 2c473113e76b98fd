"""Completions for the dice that are due, with a place for every face."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from chronicle.core.answers import Thrown
from chronicle.core.diagnostic import listed
from chronicle.core.replay import Replay
from chronicle.services.choices import BEGUN, EXACT
from chronicle.services.editor.completion import Completion
from chronicle.services.snippets import CARET, FACE
from chronicle.syntax.yaml_text import write_entry
from chronicle.words import word

_SIGN_FACE, _NUMBER_FACE = "ⓧ", "߀"
"""A sign and a digit that no die shows: games write the two in different ways."""


def with_places(faces: str) -> str:
    """Faces with a place for each in what is inserted."""
    return faces.replace(_SIGN_FACE, FACE).replace(_NUMBER_FACE, FACE)


def throw_completions(
    replay: Replay[Any], typed: str, prefix: str, typed_verb: str = ""
) -> Iterator[Completion]:
    """Entries for what is due to fall, with a place for every die. ``typed_verb``: the verb that is there
    already, with its colon."""
    rules = replay.rulebook
    for (verb, within), dice in dice_due(replay, typed_verb).items():
        counts = Counter[str]()
        for thrown in dice:
            counts[thrown.who] += len(thrown.faces)
        label = (
            f"{verb} {', '.join(f'{player} {count}'.strip() for player, count in counts.items())}"
        )
        if typed_verb == verb or (not typed_verb and label.casefold().startswith(typed.casefold())):
            entry = write_entry(rules.thrown(verb, dice, within)).replace("\n", "\n  ")
            if typed_verb:
                label, entry = (
                    label.removeprefix(f"{verb} "),
                    entry.removeprefix(f"{verb}:").lstrip(" "),
                )
            insert = f"{prefix}{with_places(entry)}{CARET}"
            over = 0 if typed_verb else len(typed)
            earning = faces_that_earn(replay, verb)
            met = EXACT if typed == verb else BEGUN
            yield Completion(
                label, insert, over, "verb", word("server.dice_due"), earning, match=met
            )


def dice_due(replay: Replay[Any], verb: str = "") -> dict[tuple[str, str], list[Thrown]]:
    """The dice that are due, by the verb and within what they are thrown; and the dice that ``verb`` throws
    although no player owes them."""
    play, rules = replay.play, replay.rulebook
    owed: dict[tuple[str, str], list[Thrown]] = {}
    for due in (*rules.due(play), *(due for due in rules.may_fall(play) if due.verb == verb)):
        pad = rules.pad(play, due) if due.amount else None
        if pad is not None:
            face = _NUMBER_FACE if any(map(str.isdigit, pad.faces)) else _SIGN_FACE
            faces = Thrown(due.who, due.kind, (face,) * due.amount)
            owed.setdefault((due.verb, due.within), []).append(faces)
    return owed


def faces_that_earn(replay: Replay[Any], verb: str) -> str:
    """Which faces earn another die, and where that is written; empty where none does."""
    play, rules = replay.play, replay.rulebook
    owed = (due for due in (*rules.due(play), *rules.may_fall(play)) if due.verb == verb)
    pads = {due.kind: rules.pad(play, due) for due in owed}
    chains = [f"{kind} {face}" for kind, pad in pads.items() if pad for face in pad.chains]
    if not chains:
        return ""
    return word("server.earns_more", count=len(chains), faces=listed(chains))
