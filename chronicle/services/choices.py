"""The choices for a line: candidates, how well they match, and how they are shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeVar

from chronicle.syntax.line_slots import Slot
from chronicle.syntax.one_line import close_brackets
from chronicle.syntax.yaml_text import write_scalar

T = TypeVar("T")

MOST_SHOWN = 60
"""How many choices are handed over."""
MOST_IN_SIGHT = 14
"""How many of them fit on the screen."""
EXACT, PREFIX, WORD_PREFIX, SYNONYM, NO_MATCH = range(5)
"""How well what is typed meets a choice (:func:`match_quality`)."""


class Candidate(NamedTuple):
    """A name, word, verb or key that fits in a place. ``insert`` is the text to type for it."""

    label: str
    note: str = ""
    kind: str = "value"
    why_barred: str = ""
    insert: str = ""
    weight: int = 0
    tail: str = ""
    hint: str = ""
    synonyms: tuple[str, ...] = ()
    """Other words that find it."""
    further_pairs: tuple[tuple[str, str], ...] = ()
    """Further keys and values that the line gets with it."""


def match_quality(candidate: Candidate, typed: str) -> int:
    """How well typed text matches a candidate: the whole text, its beginning (as before a letter is typed),
    the beginning of a word in it, or another word for it; or not at all."""
    word = typed.strip().casefold()
    own_texts = [text.strip().casefold() for text in (candidate.label, candidate.insert) if text]
    if word and word in own_texts:
        return EXACT
    if not word or candidate.kind == "new" or any(text.startswith(word) for text in own_texts):
        return PREFIX
    for quality, texts in ((WORD_PREFIX, own_texts), (SYNONYM, candidate.synonyms)):
        if any(f" {text}".find(f" {word}") >= 0 for text in texts):
            return quality
    return NO_MATCH


def sort_key(choice: Mapping[str, Any]) -> tuple[bool, bool, int]:
    """The sort key of a choice: exact matches first, then those that are allowed, then by match."""
    return choice["met"] > EXACT, not choice["eligible"], choice["met"]


def _put_first_of_each_slot_first(shown: list[T], counts_by_slot: list[int]) -> list[T]:
    """Sort choices of several slots so that the first of each slot can be seen."""
    if len(shown) <= MOST_IN_SIGHT or len(counts_by_slot) < 2:
        return shown
    share_per_slot = MOST_IN_SIGHT // len(counts_by_slot)
    first, later, start = list[T](), list[T](), 0
    for count in counts_by_slot:
        first += shown[start : start + min(count, share_per_slot)]
        later += shown[start + min(count, share_per_slot) : start + count]
        start += count
    return first + later


def offer_once(
    offers: Iterable[tuple[Slot, list[Candidate]]],
) -> Iterator[tuple[Slot, list[Candidate]]]:
    """Offer each candidate once where a value or a mapping can begin: for the mapping if more must follow."""
    offers = [*offers]
    for slot, candidates in offers:
        rival_candidates = [
            candidate
            for other_slot, other_candidates in offers
            if other_slot.start == slot.start and other_slot.is_for_name != slot.is_for_name
            for candidate in other_candidates
        ]
        if slot.is_for_name:
            labels = {candidate.label for candidate in rival_candidates if not candidate.tail}
            yield slot, [candidate for candidate in candidates if candidate.label not in labels]
        else:
            labels = {candidate.label for candidate in rival_candidates}
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
    limit: int = MOST_SHOWN,
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
        limit: How many are shown; 0: all.
    """
    choices: list[dict[str, Any]] = []
    counts_by_slot: list[int] = []
    for slot, candidates in offers:
        count_before = len(choices)
        typed = slot.typed.strip()
        listed_ids = {id_of(candidate) for candidate in slot.already_listed}
        for candidate in candidates:
            if (quality := match_quality(candidate, typed)) > SYNONYM:
                continue
            insert = candidate.insert or candidate.label
            if candidate.kind not in ("verb", "key", "next", "new"):
                insert = write_scalar(insert, flow=True)
            text_before = head[: slot.start]
            if (
                text_before
                and not text_before.endswith((" ", "[", "{", "\n"))
                and insert[:1] not in (",", "\n", "}")
            ):
                text_before += " "
            line = f"{text_before}{insert}{candidate.tail}"
            further_text = "".join(
                f", {name}: {value}"
                for name, value in candidate.further_pairs
                if close_brackets(line) == line and f", {name}: " not in line + tail
            )
            if any(choice["line"] == line + further_text + tail for choice in choices):
                continue
            choices.append(
                {
                    "line": line + further_text + tail,
                    "caret": len(line),
                    "label": candidate.label,
                    "note": candidate.note,
                    "hint": candidate.hint,
                    "kind": candidate.kind,
                    "eligible": not candidate.why_barred,
                    "why": candidate.why_barred,
                    "chosen": id_of(candidate.label) in listed_ids,
                    "met": quality,
                }
            )
        counts_by_slot.append(len(choices) - count_before)
    labels = Counter(choice["label"] for choice in choices)
    for choice in choices:
        if labels[choice["label"]] > 1 and choice["line"].endswith(": "):
            # The same name without a colon has another meaning there.
            choice["label"] += ": …"
    choices = _put_first_of_each_slot_first(
        choices, [candidate for candidate in counts_by_slot if candidate]
    )
    choices.sort(key=sort_key)
    best = next(
        (candidate for candidate in choices if candidate["eligible"] and not candidate["chosen"]),
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
        "choices": choices[:limit] if limit else choices,
        "more": max(0, len(choices) - limit) if limit else 0,
    }
