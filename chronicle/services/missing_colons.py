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
MOST_TRIED_READINGS: Final = 6
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
        can_be_continued = any(
            choice["eligible"] and choice["kind"] not in ("key", "new", "next")
            for choice in completer.find_choices(line, len(line))["choices"]
            if choice["line"].strip() != line.strip()
        )
        if can_be_continued:
            return []
        actor_match = _ACTOR.search(line)
        known_actor = actor_match["name"] if actor_match else actor
        player_on_turn = replay.rulebook.standing(replay.play).turn
        concerns_actor_by_reading = _find_readings(completer, line, known_actor or player_on_turn)
    likeliest_readings = sorted(
        concerns_actor_by_reading, key=lambda reading: not concerns_actor_by_reading[reading]
    )[:MOST_TRIED_READINGS]
    accepted_readings = [*islice(filter(is_legal, likeliest_readings), MOST_READINGS)]
    return [
        reading
        for reading in accepted_readings
        if known_actor and concerns_actor_by_reading[reading]
    ] or accepted_readings


def offer_readings(
    answer: dict[str, Any], lacking_parts: list[dict[str, Any]], line: str, readings: list[str]
) -> None:
    """Offer several readings of a line as its first choices; let the choices go on with an only one."""
    if len(readings) > 1:
        key_choices = [choice for choice in answer["choices"] if choice["kind"] == "key"]
        new_choice = {"note": "", "hint": "", "kind": "new", "eligible": True, "why": ""}
        new_choice |= {"chosen": False, "met": EXACT_MATCH}
        answer["choices"] = [
            {"line": reading, "caret": len(reading), "label": reading, **new_choice}
            for reading in readings
        ] + key_choices
        answer |= {"ghost": "", "example": "", "title": word("server.which_is_meant")}
        for lacking_part in lacking_parts:
            # The readings say how it is written.
            lacking_part |= {"unsaid": "", "hints": []}
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
    concerns_actor_by_reading: dict[str, bool] = {}
    for typed_field in parsed_line.typed_fields if parsed_line is not None else ():
        text = typed_field.text.strip()
        if not text or text[0] in "[{" or "\n" in text:
            continue
        text_before, text_after = (
            line[: typed_field.start],
            line[typed_field.start + len(typed_field.text) :],
        )
        for name, player, meant_line in _lines_with_name(completer, text_before, text):
            names_actor = bool(actor) and id_of(name) == actor_id
            # A name before the colon that says who acts needs no key beside it.
            reading = meant_line + (_ACTOR.sub("", text_after) if names_actor else text_after)
            concerns_actor = names_actor or (bool(player) and id_of(player) == actor_id)
            concerns_actor_by_reading[reading] = (
                concerns_actor_by_reading.get(reading, False) or concerns_actor
            )
    return concerns_actor_by_reading


def _lines_with_name(
    completer: Completer, text_before: str, text: str
) -> Iterator[tuple[str, str, str]]:
    """The names that fit before a text at the end of a line, each with its player and the line that has both. Only that
    one with which the text begins, if it does."""
    choice_by_name = {
        choice["line"][len(text_before) : -2]: choice
        for choice in completer.find_choices(text_before, len(text_before))["choices"]
        if choice["eligible"] and choice["line"].endswith(": ")
    }
    value_by_name = dict.fromkeys(choice_by_name, text)
    id_of, words = completer.candidates.id_of, text.split()
    name_before_colon, colon, _ = text.partition(":")
    if colon and (text.endswith(":") or id_of(name_before_colon) in map(id_of, choice_by_name)):
        # A name that fits has its colon.
        return
    for word_count in range(1, len(words)):
        typed_name = " ".join(words[:word_count])
        value = " ".join(words[word_count:])
        fitting_names = [
            name
            for name, choice in choice_by_name.items()
            if id_of(typed_name) in (id_of(name), id_of(choice["label"]))
        ]
        if fitting_names:
            value_by_name = {fitting_names[-1]: value}
        elif choice_by_name and isinstance(completer.play.names.find(typed_name), Named):
            value_by_name = {typed_name: value, **value_by_name}
    for name, value in value_by_name.items():
        choice = choice_by_name.get(name, {})
        label, player = choice.get("label", name), choice.get("note", "")
        line_before_value = f"{text_before}{name}: "
        # A value of several words can be a pair itself: "Lea: harbour: 2".
        value_lines = (
            [line for _, _, line in _lines_with_name(completer, line_before_value, value)]
            if " " in value and ":" not in value
            else []
        )
        pair_lines = [line for line in value_lines if not line.endswith(f": {value}")]
        for line in pair_lines or [line_before_value + value]:
            yield label, player, line
    for line in _lines_with_new_name(completer, text_before, text):
        yield "", "", line


def _lines_with_new_name(completer: Completer, text_before: str, text: str) -> Iterator[str]:
    """The line with a text that begins with the name of something new, if such a name fits there: its first word, or
    all that have a capital letter."""
    words = text.split()
    other_words = [*dropwhile(lambda word: word[0].isupper(), words)]
    name_word_count = min(max(len(words) - len(other_words), 1), len(words) - 1)
    if (
        name_word_count
        and ":" not in text
        and any(slot.is_for_name and not slot.role for slot in completer.slots_at(text_before))
    ):
        yield f"{text_before}{' '.join(words[:name_word_count])}: {' '.join(words[name_word_count:])}"
