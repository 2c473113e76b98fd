"""The choices for a line: candidates, how well they match, and how they are shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeVar

from chronicle.syntax.one_line import (
    Slot,
    close_brackets,
)
from chronicle.syntax.yaml_text import write_scalar

T = TypeVar("T")

MOST_SHOWN = 60
"""How many choices are handed over."""
IN_SIGHT = 14
"""How many of them fit on the screen."""
EXACT, BEGUN, WITHIN, OTHERWISE, NOT_AT_ALL = range(5)
"""How well what is typed meets a choice (:func:`match_quality`)."""


class Candidate(NamedTuple):
    """A name, word, verb or key that fits in a place. ``into`` is the text to type for it."""

    label: str
    note: str = ""
    kind: str = "value"
    why: str = ""
    into: str = ""
    weight: int = 0
    tail: str = ""
    hint: str = ""
    also: tuple[str, ...] = ()
    """Other words that find it."""
    besides: tuple[tuple[str, str], ...] = ()
    """Further keys and values that the line gets with it."""


def match_quality(candidate: Candidate, typed: str) -> int:
    """How well typed text matches a candidate: the whole text, its beginning (as before a letter is typed),
    the beginning of a word in it, or another word for it; or not at all."""
    word = typed.strip().casefold()
    own = [text.strip().casefold() for text in (candidate.label, candidate.into) if text]
    if word and word in own:
        return EXACT
    if not word or candidate.kind == "new" or any(text.startswith(word) for text in own):
        return BEGUN
    for how, texts in ((WITHIN, own), (OTHERWISE, candidate.also)):
        if any(f" {text}".find(f" {word}") >= 0 for text in texts):
            return how
    return NOT_AT_ALL


def ranked(choice: Mapping[str, Any]) -> tuple[bool, bool, int]:
    """The sort key of a choice: exact matches first, then those that are allowed, then by match."""
    return choice["met"] > EXACT, not choice["eligible"], choice["met"]


def _first_of_each(shown: list[T], parts: list[int]) -> list[T]:
    """Sort choices of several slots so that the first of each slot can be seen."""
    if len(shown) <= IN_SIGHT or len(parts) < 2:
        return shown
    share = IN_SIGHT // len(parts)
    first, later, start = list[T](), list[T](), 0
    for number in parts:
        first += shown[start : start + min(number, share)]
        later += shown[start + min(number, share) : start + number]
        start += number
    return first + later


def offer_once(
    offers: Iterable[tuple[Slot, list[Candidate]]],
) -> Iterator[tuple[Slot, list[Candidate]]]:
    """Offer each candidate once where a value or a mapping can begin: for the mapping if more must follow."""
    offers = [*offers]
    for slot, candidates in offers:
        rivals = [
            candidate
            for other_slot, other_candidates in offers
            if other_slot.start == slot.start and other_slot.is_for_name != slot.is_for_name
            for candidate in other_candidates
        ]
        if slot.is_for_name:
            labels = {candidate.label for candidate in rivals if not candidate.tail}
            yield slot, [candidate for candidate in candidates if candidate.label not in labels]
        else:
            labels = {candidate.label for candidate in rivals}
            yield (
                slot,
                [
                    candidate
                    for candidate in candidates
                    if not candidate.tail or candidate.label not in labels
                ],
            )


def show_choices(
    head: str,
    tail: str,
    offers: list[tuple[Slot, list[Candidate]]],
    key: str,
    title: str,
    *,
    id_of: Callable[[str], str],
    takes_own_words: Callable[[str], bool],
    most: int = MOST_SHOWN,
) -> dict[str, Any]:
    """Show candidates as choices for a line, the first of them as a ghost behind it.

    Args:
        head: The line up to the caret.
        tail: The line behind it.
        offers: The candidates of each slot.
        key: The key that is typed.
        title: What the choices are about.
        id_of: Gives the id that a word means, or the word.
        takes_own_words: Whether a line ends where a player's own words may come.
        most: How many are shown; 0: all.
    """
    shown: list[dict[str, Any]] = []
    parts: list[int] = []
    for slot, candidates in offers:
        count_before = len(shown)
        token = slot.typed.strip()
        listed_ids = {id_of(candidate) for candidate in slot.already_listed}
        for candidate in candidates:
            if (match := match_quality(candidate, token)) > OTHERWISE:
                continue
            into = candidate.into or candidate.label
            if candidate.kind not in ("verb", "key", "next", "new"):
                into = write_scalar(into, flow=True)
            lead = head[: slot.start]
            if (
                lead
                and not lead.endswith((" ", "[", "{", "\n"))
                and into[:1] not in (",", "\n", "}")
            ):
                lead += " "
            line = f"{lead}{into}{candidate.tail}"
            additions = "".join(
                f", {name}: {value}"
                for name, value in candidate.besides
                if close_brackets(line) == line and f", {name}: " not in line + tail
            )
            if any(choice["line"] == line + additions + tail for choice in shown):
                continue
            shown.append(
                {
                    "line": line + additions + tail,
                    "caret": len(line),
                    "label": candidate.label,
                    "note": candidate.note,
                    "hint": candidate.hint,
                    "kind": candidate.kind,
                    "eligible": not candidate.why,
                    "why": candidate.why,
                    "chosen": id_of(candidate.label) in listed_ids,
                    "met": match,
                }
            )
        parts.append(len(shown) - count_before)
    labels = Counter(choice["label"] for choice in shown)
    for choice in shown:
        if labels[choice["label"]] > 1 and choice["line"].endswith(": "):
            # The same name without a colon has another meaning there.
            choice["label"] += ": …"
    shown = _first_of_each(shown, [candidate for candidate in parts if candidate])
    shown.sort(key=ranked)
    best = next(
        (candidate for candidate in shown if candidate["eligible"] and not candidate["chosen"]),
        None,
    )
    ghost = ""
    if best is not None and (best["kind"] == "number" or "\n" in best["line"][len(head) :]):
        # The first of several numbers is no better than the others.
        best = None
    if best is not None and best["line"].startswith(head) and not tail and head.strip():
        ghost = best["line"][len(head) :]
    if ghost[:1] != "," and head[-1:] == " " and takes_own_words(head):
        # Before a player types own words, no words of others are suggested.
        ghost = ""
    return {
        "key": key,
        "title": title,
        "ghost": ghost,
        "choices": shown[:most] if most else shown,
        "more": max(0, len(shown) - most) if most else 0,
    }
