"""Completions in the settings of a campaign: keys, rulings with their readings, add-ons, house rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from chronicle.core.campaign import Settings
from chronicle.core.declare import YES_NO, Choice, bare
from chronicle.core.house import MAY, told_names
from chronicle.desk.editor.fits import Fits
from chronicle.desk.room import Opened
from chronicle.desk.snippets import CARET
from chronicle.games import game_names, rulebook
from chronicle.words import word as message

KEY: Final = re.compile(r"(?P<key>[^\W\d][\w ]*?)\s*:(?:\s+(?P<value>.*))?\Z")
"""A key at the start of a row, with the value behind its colon."""


def indent_of(row: str) -> int:
    """How many spaces a row starts with."""
    return len(row) - len(row.lstrip(" "))


def settings_choices(opened: Opened, above: list[str], head: str) -> Iterator[Fits]:
    """What fits in ``campaign.yaml``."""
    campaign = opened.resident.campaign
    rules = rulebook(campaign.game) if campaign is not None else None
    kind = rules.settings if rules is not None else Settings
    said = head.strip()
    if head.startswith((" ", "-")):
        parent = next(
            (row for row in reversed(above) if row[:1].strip() and row[0] not in "-#"), ""
        )
        if rules is not None and parent.startswith("house rules"):
            yield from _in_a_rule(rules, above, head)
        elif rules is not None:
            yield from _below(rules, parent.partition(":")[0], said)
        return
    typed = KEY.match(head)
    if typed is None:
        there = {row.partition(":")[0] for row in above}
        for field in sorted(kind.fields.values(), key=lambda one: not one.required):
            if field.name not in there and field.name.startswith(said):
                note = message("server.needed") if field.required else ""
                yield Fits(field.name, f"{field.name}: {CARET}", len(said), "key", note, field.doc)
        return
    key, value = typed["key"], typed["value"] or ""
    meant = kind.fields.get(key)
    if key == "game":
        yield from _words(game_names(), value)
    elif rules is not None and key == "add ons":
        word = re.split(r"[\[{,]\s*", value)[-1]
        for one in rules.optional_rules():
            if one.key.startswith(word):
                yield Fits(
                    one.key, one.key, len(word), "rule", one.id, f"**{one.title}** {one.summary}"
                )
    elif meant is not None:
        inner = bare(meant.kind)
        if isinstance(inner, Choice):
            yield from _words(inner.choices, value)
        elif inner is YES_NO:
            yield from _words(("yes", "no"), value)


def _last_item(said: str) -> str:
    """The last of some things with commas between them, where no comma in parentheses counts."""
    _, comma, last = said.rpartition(",")
    return last if comma and "(" not in last and ")" not in last else said


def _in_a_rule(rules: Any, above: list[str], head: str) -> Iterator[Fits]:
    """What fits in a house rule: what it can compute, and the names of a formula."""
    points = {one.name: one for one in (*rules.points, MAY)}
    inside = re.search(r"\bcomputes:\s*\{(?P<said>[^}]*)\Z", head)
    said = _last_item(inside["said"]).lstrip() if inside else head.strip()
    if not inside:
        over = next(
            (row for row in reversed(above) if row.strip() and indent_of(row) < indent_of(head)), ""
        )
        if over.strip() != "computes:":
            return
    name, colon, formula = said.partition(":")
    point = points.get(name.strip())
    if not colon:
        for one in points.values():
            if one.name.startswith(said):
                yield Fits(
                    one.name, f"{one.name}: {CARET}", len(said), "key", str(one.sort), one.doc
                )
    elif point is not None:
        word = re.split(r"\W", formula)[-1]
        for key, doc in told_names(point).items():
            if key.startswith(word):
                yield Fits(key, key, len(word), "value", "", doc)


def _below(rules: Any, key: str, said: str) -> Iterator[Fits]:
    """What fits under a key of the settings, on a line of its own."""
    if key == "rulings":
        typed = KEY.match(said)
        points = rules.registry().rulings
        if typed is None:
            for point in points:
                if point.key.startswith(said):
                    yield Fits(
                        point.key,
                        f"{point.key}: {CARET}",
                        len(said),
                        "rule",
                        point.id,
                        point.question,
                    )
            return
        for point in points:
            if typed["key"] in (point.key, point.id):
                value = typed["value"] or ""
                for reading, told in point.readings.items():
                    if reading.startswith(value):
                        note = message("server.default_reading") if reading == point.default else ""
                        yield Fits(reading, reading, len(value), "value", note, told)
    elif key == "add ons":
        word = said.lstrip("- ")
        for one in rules.optional_rules():
            if one.key.startswith(word):
                yield Fits(
                    one.key, one.key, len(word), "rule", one.id, f"**{one.title}** {one.summary}"
                )


def _words(words: Iterable[str], typed: str) -> Iterator[Fits]:
    for word in words:
        if word.startswith(typed):
            yield Fits(word, word, len(typed), "value")
