"""Lines that lack a colon, as they may be meant: ``back Nia: Lea`` for ``back Lea, by: Nia``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import dropwhile, islice
from typing import Any, Final

from chronicle.core.names import Named
from chronicle.services.choices import EXACT_MATCH
from chronicle.services.line_completion import Completer
from chronicle.services.position import Position
from chronicle.syntax.one_line import split_line
from chronicle.words import word

MOST_READINGS: Final = 3
"""How many readings of a line are offered."""
MOST_TRIED: Final = 6
"""How many are tried for that."""
_ACTOR: Final = re.compile(r", by: *(?P<name>[^,]+)$")


def legal_readings(
    position: Position, line: str, actor: str, is_legal: Callable[[str], bool]
) -> list[str]:
    """The legal readings of a line in which a name and its value stand without a colon between them, those of the actor
    first; no others if the actor is known and has one. None while the last word can still become a name.

    Args:
        position: Where the entry would come.
        line: The line.
        actor: Whose act it is; empty: as the log takes it.
        is_legal: Tries a line.
    """
    with position.replay() as replay:
        completer = Completer(replay, actor)
        is_unfinished = any(
            choice["eligible"] and choice["kind"] not in ("key", "new", "next")
            for choice in completer.find_choices(line, len(line))["choices"]
            if choice["line"].strip() != line.strip()
        )
        if is_unfinished:
            return []
        actor_match = _ACTOR.search(line)
        known_actor = actor_match["name"] if actor_match else actor
        player_on_turn = replay.rulebook.standing(replay.play).turn
        is_own = _find_readings(completer, line, known_actor or player_on_turn)
    likeliest = sorted(is_own, key=lambda reading: not is_own[reading])[:MOST_TRIED]
    found = [*islice(filter(is_legal, likeliest), MOST_READINGS)]
    return [reading for reading in found if known_actor and is_own[reading]] or found


def offer_readings(
    answer: dict[str, Any], lacks: list[dict[str, Any]], line: str, readings: list[str]
) -> None:
    """Offer several readings of a line as its first choices; let the choices go on with an only one."""
    if len(readings) > 1:
        keys = [choice for choice in answer["choices"] if choice["kind"] == "key"]
        new_choice = {"note": "", "hint": "", "kind": "new", "eligible": True, "why": ""}
        new_choice |= {"chosen": False, "met": EXACT_MATCH}
        answer["choices"] = [
            {"line": reading, "caret": len(reading), "label": reading, **new_choice}
            for reading in readings
        ] + keys
        answer |= {"ghost": "", "example": "", "title": word("server.which_is_meant")}
        for lack in lacks:
            # The readings say how it is written.
            lack |= {"unsaid": "", "hints": []}
        return
    for choice in answer["choices"]:
        if choice["line"].startswith(line) and choice["line"].strip() != line.strip():
            choice["line"] = readings[0] + choice["line"][len(line) :]
            choice["caret"] += len(readings[0]) - len(line)


def _find_readings(completer: Completer, line: str, actor: str) -> dict[str, bool]:
    """The readings of a line, each with whether it names the actor, or somebody for whom the actor speaks. Nothing
    says yet that they are legal."""
    parsed_line = split_line(line, completer.game.by_verb)
    actor_id, id_of = completer.candidates.id_of(actor), completer.candidates.id_of
    is_own: dict[str, bool] = {}
    for part in parsed_line.typed_fields if parsed_line is not None else ():
        text = part.text.strip()
        if not text or text[0] in "[{" or ":" in text or "\n" in text:
            continue
        start, rest = line[: part.start], line[part.start + len(part.text) :]
        for name, player, meant_line in _with_name(completer, start, text):
            names_actor = bool(actor) and id_of(name) == actor_id
            # A name before the colon that says who acts needs no key beside it.
            reading = meant_line + (_ACTOR.sub("", rest) if names_actor else rest)
            names_own = names_actor or (bool(player) and id_of(player) == actor_id)
            is_own[reading] = is_own.get(reading, False) or names_own
    return is_own


def _with_name(completer: Completer, start: str, text: str) -> Iterator[tuple[str, str, str]]:
    """The names that fit before a text at the end of a line, each with its player and the line that has both. Only that
    one with which the text begins, if it does."""
    choices = {
        choice["line"][len(start) : -2]: choice
        for choice in completer.find_choices(start, len(start))["choices"]
        if choice["eligible"] and choice["line"].endswith(": ")
    }
    values = dict.fromkeys(choices, text)
    id_of, words = completer.candidates.id_of, text.split()
    for length in range(1, len(words)):
        typed_name = " ".join(words[:length])
        value = " ".join(words[length:])
        for name, choice in choices.items():
            if id_of(typed_name) in (id_of(name), id_of(choice["label"])):
                values = {name: value}
        if isinstance(completer.play.names.find(typed_name), Named):
            values = {typed_name: value, **values}
    for name, value in values.items():
        choice = choices.get(name, {})
        label, player = choice.get("label", name), choice.get("note", "")
        yield label, player, f"{start}{name}: {value}"
        for line in _with_new_name(completer, f"{start}{name}: ", value):
            yield label, player, line
    for line in _with_new_name(completer, start, text):
        yield "", "", line


def _with_new_name(completer: Completer, start: str, text: str) -> Iterator[str]:
    """The line with a text that begins with the name of something new, if such a name fits there: its first word, or
    all that have a capital letter."""
    words = text.split()
    other_words = [*dropwhile(lambda word: word[0].isupper(), words)]
    name_length = min(max(len(words) - len(other_words), 1), len(words) - 1)
    if name_length and any(
        slot.is_for_name and not slot.role for slot in completer.slots_at(start)
    ):
        yield f"{start}{' '.join(words[:name_length])}: {' '.join(words[name_length:])}"
