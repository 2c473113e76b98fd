"""Completions in the settings of a campaign: keys, rulings with their readings, add-ons, house rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from chronicle.core.campaign import Settings
from chronicle.core.field_types import YES_NO, Choice, roleless
from chronicle.core.house_rules import MAY_POINT, names_in_words
from chronicle.games import game_names, rulebook
from chronicle.services.editor.completion import Completion
from chronicle.services.open_campaigns import OpenCampaign
from chronicle.services.snippets import CARET_MARK
from chronicle.words import word as message

KEY_PATTERN: Final = re.compile(r"(?P<key>[^\W\d][\w ]*?)\s*:(?:\s+(?P<value>.*))?\Z")
"""A key at the start of a row, with the value behind its colon."""


def indent_of(row: str) -> int:
    """The number of spaces at the start of a row."""
    return len(row) - len(row.lstrip(" "))


def settings_completions(
    opened: OpenCampaign, rows_above: list[str], typed_row: str
) -> Iterator[Completion]:
    """Completions in ``campaign.yaml``."""
    campaign = opened.workspace.campaign
    game = rulebook(campaign.game) if campaign is not None else None
    settings_type = game.settings if game is not None else Settings
    typed_text = typed_row.strip()
    if typed_row.startswith((" ", "-")):
        parent_row = next(
            (row for row in reversed(rows_above) if row[:1].strip() and row[0] not in "-#"), ""
        )
        if game is not None and parent_row.startswith("house rules"):
            yield from _house_rule_completions(game, rows_above, typed_row)
        elif game is not None:
            yield from _completions_below_key(game, parent_row.partition(":")[0], typed_text)
        return
    key_match = KEY_PATTERN.match(typed_row)
    if key_match is None:
        written_keys = {row.partition(":")[0] for row in rows_above}
        for field in sorted(settings_type.fields.values(), key=lambda field: not field.required):
            if field.name not in written_keys and field.name.startswith(typed_text):
                required_note = message("server.needed") if field.required else ""
                yield Completion(
                    field.name,
                    f"{field.name}: {CARET_MARK}",
                    len(typed_text),
                    "key",
                    required_note,
                    field.doc,
                )
        return
    key, value = key_match["key"], key_match["value"] or ""
    settings_field = settings_type.fields.get(key)
    if key == "game":
        yield from _word_completions(game_names(), value)
    elif game is not None and key == "add ons":
        yield from _add_on_completions(game, re.split(r"[\[{,]\s*", value)[-1])
    elif settings_field is not None:
        value_type = roleless(settings_field.kind)
        if isinstance(value_type, Choice):
            yield from _word_completions(value_type.choices, value)
        elif value_type is YES_NO:
            yield from _word_completions(("yes", "no"), value)


def _last_item(text: str) -> str:
    """The last item of a list with commas, ignoring commas in parentheses."""
    _, comma, last_item = text.rpartition(",")
    return last_item if comma and "(" not in last_item and ")" not in last_item else text


def _house_rule_completions(
    game: Any, rows_above: list[str], typed_row: str
) -> Iterator[Completion]:
    """Completions in a house rule: what it can compute, and the names in a formula."""
    extension_points = {
        extension_point.name: extension_point for extension_point in (*game.points, MAY_POINT)
    }
    computes_match = re.search(r"\bcomputes:\s*\{(?P<said>[^}]*)\Z", typed_row)
    typed_text = (
        _last_item(computes_match["said"]).lstrip() if computes_match else typed_row.strip()
    )
    if not computes_match:
        parent_row = next(
            (
                row
                for row in reversed(rows_above)
                if row.strip() and indent_of(row) < indent_of(typed_row)
            ),
            "",
        )
        if parent_row.strip() != "computes:":
            return
    name, colon, formula = typed_text.partition(":")
    named_point = extension_points.get(name.strip())
    if not colon:
        for extension_point in extension_points.values():
            if extension_point.name.startswith(typed_text):
                yield Completion(
                    extension_point.name,
                    f"{extension_point.name}: {CARET_MARK}",
                    len(typed_text),
                    "key",
                    str(extension_point.value_type),
                    extension_point.doc,
                )
    elif named_point is not None:
        typed_name = re.split(r"\W", formula)[-1]
        for variable_name, doc in names_in_words(named_point).items():
            if variable_name.startswith(typed_name):
                yield Completion(variable_name, variable_name, len(typed_name), "value", "", doc)


def _completions_below_key(game: Any, key: str, typed_text: str) -> Iterator[Completion]:
    """Completions under a key of the settings, on a separate line."""
    if key == "rulings":
        key_match = KEY_PATTERN.match(typed_text)
        rulings = game.registry().rulings
        if key_match is None:
            for ruling in rulings:
                if ruling.key.startswith(typed_text):
                    yield Completion(
                        ruling.key,
                        f"{ruling.key}: {CARET_MARK}",
                        len(typed_text),
                        "rule",
                        ruling.id,
                        ruling.question,
                    )
            return
        for ruling in rulings:
            if key_match["key"] in (ruling.key, ruling.id):
                value = key_match["value"] or ""
                for reading, meaning in ruling.readings.items():
                    if reading.startswith(value):
                        note = (
                            message("server.default_reading") if reading == ruling.default else ""
                        )
                        yield Completion(reading, reading, len(value), "value", note, meaning)
    elif key == "add ons":
        yield from _add_on_completions(game, typed_text.lstrip("- "))


def _add_on_completions(game: Any, typed_text: str) -> Iterator[Completion]:
    """The optional rules whose key begins with what is typed."""
    for rule in game.optional_rules():
        if rule.key.startswith(typed_text):
            yield Completion(
                rule.key,
                rule.key,
                len(typed_text),
                "rule",
                rule.id,
                f"**{rule.title}** {rule.summary}",
            )


def _word_completions(words: Iterable[str], typed_text: str) -> Iterator[Completion]:
    for word in words:
        if word.startswith(typed_text):
            yield Completion(word, word, len(typed_text), "value")
