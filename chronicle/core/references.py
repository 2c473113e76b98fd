"""References to earlier entries: ``against``, ``of``, ``facts``, ``correct``.

A reference is an id, ``last`` where a verb allows it, or whole words that only one candidate has. Conditions
on the target (in this scene, not retracted, another player's) are given with the reference, each with its
rule."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Generic, NamedTuple, TypeVar

from chronicle.core.diagnostic import DiagnosticKind, ask_whether, listed, most_likely_word
from chronicle.core.field_types import TEXT
from chronicle.core.fix import replace_with
from chronicle.core.game_context import GameContext
from chronicle.core.names import FEW_CANDIDATES, fold
from chronicle.core.record import Step
from chronicle.core.reporter import number_in_old_id
from chronicle.core.source import ScalarNode
from chronicle.core.timeline import Scene

T = TypeVar("T")

LAST: Final = "last"
MOST_COUNTED_CANDIDATES: Final = 20
"""Highest number of candidates that a message counts."""


class ReferenceTarget(NamedTuple, Generic[T]):
    """A candidate for a reference: its id, its words, the entry that created it (0: none), the object
    itself."""

    id: str
    text: str
    step_number: int
    target: T


class Condition(NamedTuple, Generic[T]):
    """A condition on the target of a reference, and the message if it fails."""

    holds: Callable[[T], bool]
    rule_id: str
    failure_message: str
    failure_help: str = ""


def contains_words(searched_text: str, phrase_text: str) -> bool:
    """Whether a text contains these words, whole and in this order."""
    sought_words = _split_words(phrase_text)
    return bool(sought_words) and _contains_phrase(_split_words(searched_text), sought_words)


def _contains_phrase(text_words: Sequence[str], phrase_words: Sequence[str]) -> bool:
    return f" {' '.join(phrase_words)} " in f" {' '.join(text_words)} "


def _split_words(text: str) -> list[str]:
    return re.findall(r"\w+", fold(text))


def _may_contain(text: str, words_longest_first: Sequence[str]) -> bool:
    """Whether a text contains all the words as parts. ``words_longest_first`` begins with the longest. This fast test
    excludes most texts before they are split into words."""
    folded_text = text.lower() if text.isascii() else fold(text)
    return all(word in folded_text for word in words_longest_first)


def matching_targets(
    reference_text: str, candidates: Iterable[ReferenceTarget[T]], old_step_number: int = 0
) -> list[ReferenceTarget[T]]:
    """Candidates that some words can mean: those with this id, or with the id they had while ``old_step_number`` was
    their number; else those that say exactly this; else those that contain the words."""
    all_candidates = list(candidates)
    matching_candidates = [
        candidate for candidate in all_candidates if candidate.id == reference_text
    ]
    if old_step_number and not matching_candidates:
        id_stem, _, ordinal_text = reference_text.partition(f"-{old_step_number}")
        candidates_made_by_step = [
            candidate
            for candidate in all_candidates
            if candidate.step_number == old_step_number and candidate.id.startswith(f"{id_stem}-s")
        ]
        matching_candidates = candidates_made_by_step[int(ordinal_text[1:] or 1) - 1 :][:1]
    if matching_candidates:
        return matching_candidates
    phrase_words = _split_words(reference_text)
    words_longest_first = sorted(phrase_words, key=len, reverse=True)
    candidates_with_words = [
        (candidate, _split_words(candidate.text))
        for candidate in all_candidates
        if _may_contain(candidate.text, words_longest_first)
    ]
    exact_matches = [
        candidate
        for candidate, candidate_words in candidates_with_words
        if candidate_words == phrase_words
    ]
    return exact_matches or [
        candidate
        for candidate, candidate_words in candidates_with_words
        if phrase_words and _contains_phrase(candidate_words, phrase_words)
    ]


def resolve_reference(
    play: GameContext[Any],
    reference: ScalarNode,
    candidates: Iterable[ReferenceTarget[T]],
    noun: str,
    code: str,
    *,
    last_target: ReferenceTarget[T] | None = None,
    merge_same_text: bool = False,
    keep_unfit_target: bool = False,
    conditions: Sequence[Condition[T]] = (),
    kind: DiagnosticKind = DiagnosticKind.UNREADABLE,
    help: str = "",
) -> ReferenceTarget[T] | None:
    """The target that a word of the current entry refers to, or None.

    Args:
        play: the game context.
        reference: the reference as typed.
        candidates: the possible targets.
        noun: the kind of target, for messages.
        code: the rule to report a missing target under.
        last_target: the target of ``last_target``, if the verb allows that word.
        merge_same_text: whether candidates with equal text count as one.
        keep_unfit_target: whether to return a target that fails a condition.
        conditions: conditions on the target; a failed one is reported under its rule.
        kind: the kind of problem of a missing target.
        help: help for a missing target.

    An ambiguous reference is reported as T50.
    """
    # Looking the word up marks it as a reference. If it is the id of a hidden entry, readers see another
    # word.
    play.step_number_by_id.get(reference)
    all_candidates = list(candidates)
    matching_candidates = (
        [last_target]
        if last_target is not None and fold(reference) == LAST
        else matching_targets(str(reference), all_candidates, number_in_old_id(reference))
    )
    if merge_same_text and len({candidate.text for candidate in matching_candidates}) == 1:
        matching_candidates = matching_candidates[:1]
    if len(matching_candidates) > 1:
        match_count_text = (
            len(matching_candidates)
            if len(matching_candidates) <= MOST_COUNTED_CANDIDATES
            else f"more than {MOST_COUNTED_CANDIDATES}"
        )
        play.unreadable(
            "T50",
            f"'{reference}' may be any of {match_count_text} {noun}s: "
            + listed((f"'{candidate.text}'" for candidate in matching_candidates[:3]), "or"),
            at=reference,
            fix=replace_with(
                candidate.id or candidate.text for candidate in matching_candidates[:3]
            ),
            help=f"give the {noun} an id where it stands, then name it here",
        )
        return None
    if not matching_candidates:
        candidate_ids = [candidate.id for candidate in all_candidates if candidate.id]
        near_ids = play.names.nearest(reference, candidate_ids)
        naming_advice = f"name the {noun} by words of it, or by its id"
        full_advice = (
            f"{naming_advice}; 'last' is the last one" if last_target is not None else naming_advice
        )
        play.report(
            kind,
            code,
            f"no {noun} '{reference}'{ask_whether(reference, near_ids)}",
            at=reference,
            fix=replace_with(near_ids, old=str(reference), is_told=True),
            help=help or full_advice,
            since=None if near_ids else 0,
        )
        nearest_id = most_likely_word(reference, candidate_ids) if near_ids else ""
        return (
            next((candidate for candidate in all_candidates if candidate.id == nearest_id), None)
            if nearest_id
            else None
        )
    target = matching_candidates[0]
    for condition in conditions:
        if not condition.holds(target.target):
            play.illegal(
                condition.rule_id,
                condition.failure_message,
                at=reference,
                facts=(play.because(target.step_number, "this is what is meant"),)
                if target.step_number
                else (),
                help=condition.failure_help or (),
            )
            return target if keep_unfit_target or play.is_excused(condition.rule_id) else None
    return target


def _main_text_of(step: Step) -> str | None:
    main_field = step.action.main
    return (
        getattr(step.action, main_field.attribute)
        if main_field and main_field.kind is TEXT
        else None
    )


def resolve_entry_reference(
    play: GameContext[Any], reference: ScalarNode, code: str, help: str
) -> ReferenceTarget[Step] | None:
    """The earlier entry that a word refers to, or None."""
    return resolve_reference(
        play, reference, possible_entries(play, reference), "entry", code, help=help
    )


def possible_entries(
    play: GameContext[Any], reference: ScalarNode
) -> Iterator[ReferenceTarget[Step]]:
    """Earlier entries that have an id or may contain these words; if one of them has the word as its id, that
    entry alone."""
    step_number = play.step_number_by_id.get(reference, 0)
    if step_number and step_number != play.step.number:
        yield ReferenceTarget(
            str(reference), str(reference), step_number, play.steps[step_number - 1]
        )
        return
    step_by_number = {step.number: step for step in _possible_steps(play, reference)}
    id_by_number: dict[int, str] = {}
    has_text_match = any(
        contains_words(_main_text_of(step) or "", reference) for step in step_by_number.values()
    )
    # If no text contains the words, the reference is possibly a misspelt id. Suggestions have a limit.
    if number_in_old_id(reference) or (
        not has_text_match
        and (len(play.step_number_by_id) <= FEW_CANDIDATES or play.names.remaining_guesses)
    ):
        id_by_number = {
            entry_number: entry_id
            for entry_id, entry_number in play.step_number_by_id.items()
            if entry_number < len(play.steps)
        }
    for entry_number in sorted(step_by_number.keys() | id_by_number):
        step = step_by_number.get(entry_number) or play.steps[entry_number - 1]
        yield ReferenceTarget(
            id_by_number.get(entry_number, ""), _main_text_of(step) or "", entry_number, step
        )


def _possible_steps(play: GameContext[Any], searched_text: str) -> Iterable[Step]:
    """The earlier steps that may contain some words in their main text."""
    if play.word_index is None:
        play.word_index = _WordIndex()
    word_index: _WordIndex = play.word_index
    word_index.index_steps(play.steps)
    step_numbers = word_index.search(_split_words(searched_text), MOST_COUNTED_CANDIDATES + 1)
    return [play.steps[step_number - 1] for step_number in step_numbers]


class _WordIndex:
    """An inverted index: the steps in whose main text a word occurs."""

    def __init__(self) -> None:
        self._joined_step_texts: list[str] = []
        self._step_numbers_by_word: dict[str, list[int]] = {}
        self._step_numbers_by_text: dict[str, list[int]] = {}

    def index_steps(self, steps: Sequence[Step]) -> None:
        """Add the steps from where the last call ended, except the last step."""
        for step in steps[len(self._joined_step_texts) : -1]:
            step_words = _split_words(_main_text_of(step) or "")
            joined_words = f" {' '.join(step_words)} "
            self._joined_step_texts.append(joined_words)
            self._step_numbers_by_text.setdefault(joined_words, []).append(step.number)
            for word in {*step_words}:
                self._step_numbers_by_word.setdefault(word, []).append(step.number)

    def search(self, phrase_words: Sequence[str], max_results: int) -> list[int]:
        """The first steps that say exactly these words, else those that contain them in this order.

        Args:
            phrase_words: folded words, as :func:`_split_words` splits them.
            max_results: maximum number of results.
        """
        if not phrase_words:
            return []
        joined_phrase = f" {' '.join(phrase_words)} "
        step_numbers_with_text = self._step_numbers_by_text.get(joined_phrase, [])
        step_numbers_with_rarest = min(
            (self._step_numbers_by_word.get(word, []) for word in phrase_words), key=len
        )
        return (
            step_numbers_with_text[:max_results]
            or [
                step_number
                for step_number in step_numbers_with_rarest
                if joined_phrase in self._joined_step_texts[step_number - 1]
            ][:max_results]
        )


def place_scene(
    play: GameContext[Any],
    scene: Scene,
    relations: Mapping[str, ScalarNode | None],
    code: str = "T55",
) -> None:
    """Place a scene in the order of the story: ``before``, ``after`` or ``during`` other scenes, given by
    title.

    Args:
        play: the game context.
        scene: the scene to place.
        relations: for each relation, the title as typed.
        code: the rule to report a contradiction under.
    """
    for relation, typed_title in relations.items():
        if typed_title is None:
            continue
        possible_targets = [
            ReferenceTarget("", candidate.title, candidate.first_step, candidate)
            for candidate in play.timeline.scenes
            if candidate is not scene
        ]
        help_text = "write the title of an earlier scene"
        target = resolve_reference(
            play, typed_title, possible_targets, "scene", "T55", help=help_text
        )
        if target is not None:
            play.suspect(
                not play.timeline.relate_scenes(scene.number, relation, target.target.number),
                code,
                f"this scene cannot be {relation} '{target.text}', by what was said before",
                at=typed_title,
            )
