"""The choices for a line: candidates, how well they match, and how they are shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeVar

from chronicle.syntax.line_slots import Slot
from chronicle.syntax.one_line import close_brackets
from chronicle.syntax.yaml_text import write_scalar

T = TypeVar("T")

MOST_SHOWN_CHOICES = 60
"""How many choices are handed over."""
MOST_CHOICES_IN_SIGHT = 14
"""How many of them fit on the screen."""
EXACT_MATCH, PREFIX_MATCH, WORD_PREFIX_MATCH, SYNONYM_MATCH, NO_MATCH = range(5)
"""How well what is typed meets a choice (:func:`match_quality`)."""


class Candidate(NamedTuple):
    """A name, word, verb or key that fits in a place. ``insert`` is the text to type for it."""

    label: str
    note: str = ""
    kind: str = "value"
    why_barred: str = ""
    insert: str = ""
    weight: int = 0
    suffix: str = ""
    hint: str = ""
    synonyms: tuple[str, ...] = ()
    """Other words that find it."""
    further_pairs: tuple[tuple[str, str], ...] = ()
    """Further keys and values that the line gets with it."""


def match_quality(candidate: Candidate, typed_text: str) -> int:
    """How well typed text matches a candidate: the whole text, its beginning (as before a letter is typed),
    the beginning of a word in it, or another word for it; or not at all."""
    folded_typed = typed_text.strip().casefold()
    candidate_texts = [
        candidate_text.strip().casefold()
        for candidate_text in (candidate.label, candidate.insert)
        if candidate_text
    ]
    if folded_typed and folded_typed in candidate_texts:
        return EXACT_MATCH
    if (
        not folded_typed
        or candidate.kind == "new"
        or any(candidate_text.startswith(folded_typed) for candidate_text in candidate_texts)
    ):
        return PREFIX_MATCH
    for quality, texts in (
        (WORD_PREFIX_MATCH, candidate_texts),
        (SYNONYM_MATCH, candidate.synonyms),
    ):
        if any(f" {candidate_text}".find(f" {folded_typed}") >= 0 for candidate_text in texts):
            return quality
    return NO_MATCH


def sort_key(choice: Mapping[str, Any]) -> tuple[bool, bool, int]:
    """The sort key of a choice: exact matches first, then those that are allowed, then by match."""
    return choice["met"] > EXACT_MATCH, not choice["eligible"], choice["met"]


def rank_choices(answer: dict[str, Any], line: str, wrong_lines: Collection[str] = ()) -> None:
    """Sort the choices for a line, those behind that make one of the ``wrong_lines``, and renew the ghost behind it,
    after some were barred."""
    answer["choices"].sort(
        key=lambda choice: (*sort_key(choice)[:2], choice["line"] in wrong_lines, choice["met"])
    )
    first_eligible_line = next(
        (choice["line"] for choice in answer["choices"] if choice["eligible"]), ""
    )
    if answer["ghost"]:
        answer["ghost"] = (
            first_eligible_line[len(line) :] if first_eligible_line.startswith(line) else ""
        )


def _put_first_of_each_slot_first(choices: list[T], choice_count_per_slot: list[int]) -> list[T]:
    """Sort choices of several slots so that the first of each slot can be seen."""
    if len(choices) <= MOST_CHOICES_IN_SIGHT or len(choice_count_per_slot) < 2:
        return choices
    share_per_slot = MOST_CHOICES_IN_SIGHT // len(choice_count_per_slot)
    choices_in_sight, further_choices, first_choice_index = list[T](), list[T](), 0
    for choice_count in choice_count_per_slot:
        choices_in_sight += choices[
            first_choice_index : first_choice_index + min(choice_count, share_per_slot)
        ]
        further_choices += choices[
            first_choice_index + min(choice_count, share_per_slot) : first_choice_index
            + choice_count
        ]
        first_choice_index += choice_count
    return choices_in_sight + further_choices


def offers_without_repetition(
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
            labels = {candidate.label for candidate in rival_candidates if not candidate.suffix}
            yield slot, [candidate for candidate in candidates if candidate.label not in labels]
        else:
            labels = {candidate.label for candidate in rival_candidates}
            yield (
                slot,
                [
                    candidate
                    for candidate in candidates
                    if not candidate.suffix or candidate.label not in labels
                ],
            )


def build_choices(
    text_before_caret: str,
    text_after_caret: str,
    offers: list[tuple[Slot, list[Candidate]]],
    field_name: str,
    title: str,
    *,
    id_of: Callable[[str], str],
    takes_own_words: Callable[[str], bool],
    max_shown: int = MOST_SHOWN_CHOICES,
) -> dict[str, Any]:
    """Build the choices for a line from candidates, the first of them as a ghost behind it.

    Args:
        text_before_caret: The line up to the caret.
        text_after_caret: The line behind it.
        offers: The candidates of each slot.
        field_name: The key that is typed.
        title: What the choices are about.
        id_of: Gives the id that a word means, or the word.
        takes_own_words: Whether a line ends where a player's own words may come.
        max_shown: How many are shown; 0: all.
    """
    choices: list[dict[str, Any]] = []
    choice_count_per_slot: list[int] = []
    for slot, candidates in offers:
        choice_count_before = len(choices)
        typed_text = slot.typed_text.strip()
        listed_ids = {id_of(name) for name in slot.already_listed}
        for candidate in candidates:
            if (quality := match_quality(candidate, typed_text)) > SYNONYM_MATCH:
                continue
            inserted_text = candidate.insert or candidate.label
            if candidate.kind not in ("verb", "key", "next", "new"):
                inserted_text = write_scalar(inserted_text, in_flow=True)
            text_before_slot = text_before_caret[: slot.start]
            if (
                text_before_slot
                and not text_before_slot.endswith((" ", "[", "{", "\n"))
                and inserted_text[:1] not in (",", "\n", "}")
            ):
                text_before_slot += " "
            line_to_caret = f"{text_before_slot}{inserted_text}{candidate.suffix}"
            further_pairs_text = "".join(
                f", {pair_key}: {pair_value}"
                for pair_key, pair_value in candidate.further_pairs
                if close_brackets(line_to_caret) == line_to_caret
                and f", {pair_key}: " not in line_to_caret + text_after_caret
            )
            if any(
                choice["line"] == line_to_caret + further_pairs_text + text_after_caret
                for choice in choices
            ):
                continue
            choices.append(
                {
                    "line": line_to_caret + further_pairs_text + text_after_caret,
                    "caret": len(line_to_caret),
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
        choice_count_per_slot.append(len(choices) - choice_count_before)
    label_counts = Counter(choice["label"] for choice in choices)
    for choice in choices:
        if label_counts[choice["label"]] > 1 and choice["line"].endswith(": "):
            # The same name without a colon has another meaning there.
            choice["label"] += ": …"
    choices = _put_first_of_each_slot_first(
        choices, [choice_count for choice_count in choice_count_per_slot if choice_count]
    )
    choices.sort(key=sort_key)
    best_choice = next(
        (choice for choice in choices if choice["eligible"] and not choice["chosen"]),
        None,
    )
    ghost = ""
    if best_choice is not None and (
        best_choice["kind"] == "number" or "\n" in best_choice["line"][len(text_before_caret) :]
    ):
        # The first of several numbers is no better than the others.
        best_choice = None
    if (
        best_choice is not None
        and best_choice["line"].startswith(text_before_caret)
        and not text_after_caret
        and text_before_caret.strip()
    ):
        ghost = best_choice["line"][len(text_before_caret) :]
    if ghost[:1] != "," and text_before_caret[-1:] == " " and takes_own_words(text_before_caret):
        # Before a player types own words, no words of others are suggested.
        ghost = ""
    return {
        "key": field_name,
        "title": title,
        "ghost": ghost,
        "choices": choices[:max_shown] if max_shown else choices,
        "more": max(0, len(choices) - max_shown) if max_shown else 0,
    }
