"""Completions in the settings of a campaign: keys, rulings with their readings, add-ons, house rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from chronicle.core.campaign import Settings
from chronicle.core.house_rules import MAY_POINT, names_in_words
from chronicle.core.kinds import YES_NO, Choice, roleless
from chronicle.games import game_names, rulebook
from chronicle.services.editor.completion import Completion
from chronicle.services.open_campaigns import OpenCampaign
from chronicle.services.snippets import CARET
from chronicle.words import word as message

KEY: Final = re.compile(r"(?P<key>[^\W\d][\w ]*?)\s*:(?:\s+(?P<value>.*))?\Z")
"""A key at the start of a row, with the value behind its colon."""


def indent_of(row: str) -> int:
    """The number of spaces at the start of a row."""
    return len(row) - len(row.lstrip(" "))


def settings_choices(opened: OpenCampaign, above: list[str], head: str) -> Iterator[Completion]:
    """Completions in ``campaign.yaml``."""
    campaign = opened.workspace.campaign
    rules = rulebook(campaign.game) if campaign is not None else None
    kind = rules.settings if rules is not None else Settings
    typed_text = head.strip()
    if head.startswith((" ", "-")):
        parent = next(
            (row for row in reversed(above) if row[:1].strip() and row[0] not in "-#"), ""
        )
        if rules is not None and parent.startswith("house rules"):
            yield from _in_a_rule(rules, above, head)
        elif rules is not None:
            yield from _below(rules, parent.partition(":")[0], typed_text)
        return
    typed = KEY.match(head)
    if typed is None:
        existing = {row.partition(":")[0] for row in above}
        for field in sorted(kind.fields.values(), key=lambda choice: not choice.required):
            if field.name not in existing and field.name.startswith(typed_text):
                note = message("server.needed") if field.required else ""
                yield Completion(
                    field.name, f"{field.name}: {CARET}", len(typed_text), "key", note, field.doc
                )
        return
    key, value = typed["key"], typed["value"] or ""
    typed_field = kind.fields.get(key)
    if key == "game":
        yield from _words(game_names(), value)
    elif rules is not None and key == "add ons":
        yield from _add_ons(rules, re.split(r"[\[{,]\s*", value)[-1])
    elif typed_field is not None:
        inner = roleless(typed_field.kind)
        if isinstance(inner, Choice):
            yield from _words(inner.choices, value)
        elif inner is YES_NO:
            yield from _words(("yes", "no"), value)


def _last_item(text: str) -> str:
    """The last item of a list with commas, ignoring commas in parentheses."""
    _, comma, last = text.rpartition(",")
    return last if comma and "(" not in last and ")" not in last else text


def _in_a_rule(rules: Any, above: list[str], head: str) -> Iterator[Completion]:
    """Completions in a house rule: what it can compute, and the names in a formula."""
    points = {extension.name: extension for extension in (*rules.points, MAY_POINT)}
    in_computes = re.search(r"\bcomputes:\s*\{(?P<said>[^}]*)\Z", head)
    typed_text = _last_item(in_computes["said"]).lstrip() if in_computes else head.strip()
    if not in_computes:
        parent_row = next(
            (row for row in reversed(above) if row.strip() and indent_of(row) < indent_of(head)), ""
        )
        if parent_row.strip() != "computes:":
            return
    name, colon, formula = typed_text.partition(":")
    point = points.get(name.strip())
    if not colon:
        for extension in points.values():
            if extension.name.startswith(typed_text):
                yield Completion(
                    extension.name,
                    f"{extension.name}: {CARET}",
                    len(typed_text),
                    "key",
                    str(extension.sort),
                    extension.doc,
                )
    elif point is not None:
        word = re.split(r"\W", formula)[-1]
        for key, doc in names_in_words(point).items():
            if key.startswith(word):
                yield Completion(key, key, len(word), "value", "", doc)


def _below(rules: Any, key: str, typed_text: str) -> Iterator[Completion]:
    """Completions under a key of the settings, on a separate line."""
    if key == "rulings":
        typed = KEY.match(typed_text)
        points = rules.registry().rulings
        if typed is None:
            for point in points:
                if point.key.startswith(typed_text):
                    yield Completion(
                        point.key,
                        f"{point.key}: {CARET}",
                        len(typed_text),
                        "rule",
                        point.id,
                        point.question,
                    )
            return
        for point in points:
            if typed["key"] in (point.key, point.id):
                value = typed["value"] or ""
                for reading, meaning in point.readings.items():
                    if reading.startswith(value):
                        note = message("server.default_reading") if reading == point.default else ""
                        yield Completion(reading, reading, len(value), "value", note, meaning)
    elif key == "add ons":
        yield from _add_ons(rules, typed_text.lstrip("- "))


def _add_ons(rules: Any, typed: str) -> Iterator[Completion]:
    """The optional rules whose key begins with what is typed."""
    for rule in rules.optional_rules():
        if rule.key.startswith(typed):
            yield Completion(
                rule.key,
                rule.key,
                len(typed),
                "rule",
                rule.id,
                f"**{rule.title}** {rule.summary}",
            )


def _words(words: Iterable[str], typed: str) -> Iterator[Completion]:
    for word in words:
        if word.startswith(typed):
            yield Completion(word, word, len(typed), "value")
