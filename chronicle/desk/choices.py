"""What is offered for a line: candidates, how well they match, and how they are shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeVar

from chronicle.transcript.one_line import (
    Slot,
    close_brackets,
)
from chronicle.transcript.yaml_text import write_scalar

T = TypeVar("T")

MOST_SHOWN = 60
"""How many choices are handed over."""
IN_SIGHT = 14
"""How many of them can be seen at once."""
EXACT, BEGUN, WITHIN, OTHERWISE, NOT_AT_ALL = range(5)
"""How well what is typed meets a choice (:func:`met`)."""


class Candidate(NamedTuple):
    """Something that may stand in a place. ``into`` is what is typed for it."""

    label: str
    note: str = ""
    kind: str = "value"
    why: str = ""
    into: str = ""
    weight: int = 0
    tail: str = ""
    hint: str = ""
    also: tuple[str, ...] = ()
    """Other words by which somebody may look for it."""
    besides: tuple[tuple[str, str], ...] = ()
    """What the line says with it, by its keys."""


def met(one: Candidate, typed: str) -> int:
    """How well what is typed meets a candidate: it says just that, it begins so (as all do before a letter
    is typed), a word of it does, or another word by which it is found; or nothing does."""
    wanted = typed.strip().casefold()
    own = [text.strip().casefold() for text in (one.label, one.into) if text]
    if wanted and wanted in own:
        return EXACT
    if not wanted or one.kind == "new" or any(text.startswith(wanted) for text in own):
        return BEGUN
    for how, texts in ((WITHIN, own), (OTHERWISE, one.also)):
        if any(f" {text}".find(f" {wanted}") >= 0 for text in texts):
            return how
    return NOT_AT_ALL


def ranked(one: Mapping[str, Any]) -> tuple[bool, bool, int]:
    """What of several choices comes first, those that are alike as they came: what somebody has typed to
    the letter, then what may be, and of that what begins as it is typed."""
    return one["met"] > EXACT, not one["eligible"], one["met"]


def _first_of_each(shown: list[T], parts: list[int]) -> list[T]:
    """Choices of several kinds, so many of each, with the first of every kind in sight."""
    if len(shown) <= IN_SIGHT or len(parts) < 2:
        return shown
    share = IN_SIGHT // len(parts)
    first, rest, start = list[T](), list[T](), 0
    for number in parts:
        first += shown[start : start + min(number, share)]
        rest += shown[start + min(number, share) : start + number]
        start += number
    return first + rest


def offer_once(
    found: Iterable[tuple[Slot, list[Candidate]]],
) -> Iterator[tuple[Slot, list[Candidate]]]:
    """Where a mapping or a value may begin, whoever stands in both places is offered in one of them:
    before a colon if more is to be said of them."""
    found = [*found]
    for slot, some in found:
        others = [
            one
            for other, ones in found
            if other.start == slot.start and other.naming != slot.naming
            for one in ones
        ]
        if slot.naming:
            alone = {one.label for one in others if not one.tail}
            yield slot, [one for one in some if one.label not in alone]
        else:
            before = {one.label for one in others}
            yield slot, [one for one in some if not one.tail or one.label not in before]


def show_choices(
    head: str,
    tail: str,
    found: list[tuple[Slot, list[Candidate]]],
    key: str,
    title: str,
    *,
    meant: Callable[[str], str],
    own_words: Callable[[str], bool],
    most: int = MOST_SHOWN,
) -> dict[str, Any]:
    """Show candidates as choices for a line, the first of them as a ghost behind it.

    Args:
        head: The line up to the caret.
        tail: The line behind it.
        found: The candidates of each slot.
        key: The key that is typed.
        title: What the choices are about.
        meant: Gives the id that a word means, or the word.
        own_words: Whether a line ends where a player's own words may come.
        most: How many are shown; 0: all.
    """
    shown: list[dict[str, Any]] = []
    parts: list[int] = []
    for slot, candidates in found:
        before = len(shown)
        token = slot.typed.strip()
        listed = {meant(one) for one in slot.listed}
        for one in candidates:
            if (how := met(one, token)) > OTHERWISE:
                continue
            into = one.into or one.label
            if one.kind not in ("verb", "key", "next", "new"):
                into = write_scalar(into, flow=True)
            lead = head[: slot.start]
            if (
                lead
                and not lead.endswith((" ", "[", "{", "\n"))
                and into[:1] not in (",", "\n", "}")
            ):
                lead += " "
            line = f"{lead}{into}{one.tail}"
            with_it = "".join(
                f", {name}: {value}"
                for name, value in one.besides
                if close_brackets(line) == line and f", {name}: " not in line + tail
            )
            if any(there["line"] == line + with_it + tail for there in shown):
                continue
            shown.append(
                {
                    "line": line + with_it + tail,
                    "caret": len(line),
                    "label": one.label,
                    "note": one.note,
                    "hint": one.hint,
                    "kind": one.kind,
                    "eligible": not one.why,
                    "why": one.why,
                    "chosen": meant(one.label) in listed,
                    "met": how,
                }
            )
        parts.append(len(shown) - before)
    labels = Counter(there["label"] for there in shown)
    for there in shown:
        if labels[there["label"]] > 1 and there["line"].endswith(": "):
            # The same name by itself means something else there.
            there["label"] += ": …"
    shown = _first_of_each(shown, [one for one in parts if one])
    shown.sort(key=ranked)
    first = next((one for one in shown if one["eligible"] and not one["chosen"]), None)
    ghost = ""
    if first is not None and (first["kind"] == "number" or "\n" in first["line"][len(head) :]):
        # Nothing speaks for the first of them.
        first = None
    if first is not None and first["line"].startswith(head) and not tail and head.strip():
        ghost = first["line"][len(head) :]
    if ghost[:1] != "," and head[-1:] == " " and own_words(head):
        # Whoever has not begun a sentence does not mean somebody else's.
        ghost = ""
    return {
        "key": key,
        "title": title,
        "ghost": ghost,
        "choices": shown[:most] if most else shown,
        "more": max(0, len(shown) - most) if most else 0,
    }
