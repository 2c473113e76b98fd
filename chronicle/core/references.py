"""References to earlier entries: ``against``, ``of``, ``facts``, ``correct``.

A reference is an id, ``last`` where a verb allows it, or whole words that only one candidate has. Conditions
on the target (in this scene, not retracted, another player's) are given with the reference, each with its
rule."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Generic, NamedTuple, TypeVar

from chronicle.core.diagnostic import Finding, ask_whether, listed, one_meant
from chronicle.core.fix import replace_with
from chronicle.core.kinds import TEXT
from chronicle.core.names import FEW, fold
from chronicle.core.play import Play
from chronicle.core.record import Step
from chronicle.core.reporter import once_numbered
from chronicle.core.source import ScalarNode
from chronicle.core.timeline import Scene

T = TypeVar("T")

LAST: Final = "last"
MOST_COUNTED: Final = 20
"""Highest number of candidates that a message counts."""


class ReferenceTarget(NamedTuple, Generic[T]):
    """A candidate for a reference: its id, its words, the entry that created it (0: none), the object
    itself."""

    id: str
    text: str
    step: int
    target: T


class Condition(NamedTuple, Generic[T]):
    """A condition on the target of a reference, and the message if it fails."""

    holds: Callable[[T], bool]
    rule: str
    message: str
    help: str = ""


def says(text: str, words: str) -> bool:
    """Whether a text contains these words, whole and in this order."""
    sought = _words(words)
    return bool(sought) and _contains_phrase(_words(text), sought)


def _contains_phrase(text: Sequence[str], phrase: Sequence[str]) -> bool:
    return f" {' '.join(phrase)} " in f" {' '.join(text)} "


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", fold(text))


def _may_contain(text: str, words: Sequence[str]) -> bool:
    """Whether a text contains all the words as parts. ``words`` begins with the longest. This fast test
    excludes most texts before they are split into words."""
    folded = text.lower() if text.isascii() else fold(text)
    return all(word in folded for word in words)


def meant_by(
    words: str, candidates: Iterable[ReferenceTarget[T]], once: int = 0
) -> list[ReferenceTarget[T]]:
    """Candidates that some words can mean: those with this id, or with the id they had while ``once`` was
    their number; else those that say exactly this; else those that contain the words."""
    pool = list(candidates)
    matches = [candidate for candidate in pool if candidate.id == words]
    if once and not matches:
        stem, _, ordinal = words.partition(f"-{once}")
        created = [
            candidate
            for candidate in pool
            if candidate.step == once and candidate.id.startswith(f"{stem}-s")
        ]
        matches = created[int(ordinal[1:] or 1) - 1 :][:1]
    if matches:
        return matches
    phrase = _words(words)
    sought = sorted(phrase, key=len, reverse=True)
    possible = [
        (candidate, _words(candidate.text))
        for candidate in pool
        if _may_contain(candidate.text, sought)
    ]
    exact = [candidate for candidate, text in possible if text == phrase]
    return exact or [
        candidate for candidate, text in possible if phrase and _contains_phrase(text, phrase)
    ]


def refer(
    play: Play[Any],
    word: ScalarNode,
    candidates: Iterable[ReferenceTarget[T]],
    noun: str,
    code: str,
    *,
    last: ReferenceTarget[T] | None = None,
    merge_equal: bool = False,
    keep_unfit: bool = False,
    conditions: Sequence[Condition[T]] = (),
    finding: Finding = Finding.UNREADABLE,
    help: str = "",
) -> ReferenceTarget[T] | None:
    """The target that a word of the current entry refers to, or None.

    Args:
        play: the game context.
        word: the reference as typed.
        candidates: the possible targets.
        noun: the kind of target, for messages.
        code: the rule to report a missing target under.
        last: the target of ``last``, if the verb allows that word.
        merge_equal: whether candidates with equal text count as one.
        keep_unfit: whether to return a target that fails a condition.
        conditions: conditions on the target; a failed one is reported under its rule.
        finding: the kind of problem of a missing target.
        help: help for a missing target.

    An ambiguous reference is reported as T50.
    """
    # Looking the word up marks it as a reference. If it is the id of a hidden entry, readers see another
    # word.
    play.ids.get(word)
    pool = list(candidates)
    matches = (
        [last]
        if last is not None and fold(word) == LAST
        else meant_by(str(word), pool, once_numbered(word))
    )
    if merge_equal and len({candidate.text for candidate in matches}) == 1:
        matches = matches[:1]
    if len(matches) > 1:
        count = len(matches) if len(matches) <= MOST_COUNTED else f"more than {MOST_COUNTED}"
        play.unreadable(
            "T50",
            f"'{word}' may be any of {count} {noun}s: "
            + listed((f"'{candidate.text}'" for candidate in matches[:3]), "or"),
            at=word,
            fix=replace_with(candidate.id or candidate.text for candidate in matches[:3]),
            help=f"give the {noun} an id where it stands, then name it here",
        )
        return None
    if not matches:
        ids = [candidate.id for candidate in pool if candidate.id]
        near_ids = play.names.nearest(word, ids)
        named = f"name the {noun} by words of it, or by its id"
        words = f"{named}; 'last' is the last one" if last is not None else named
        play.report(
            finding,
            code,
            f"no {noun} '{word}'{ask_whether(word, near_ids)}",
            at=word,
            fix=replace_with(near_ids, old=str(word), is_told=True),
            help=help or words,
        )
        nearest = one_meant(word, ids) if near_ids else ""
        return (
            next((candidate for candidate in pool if candidate.id == nearest), None)
            if nearest
            else None
        )
    target = matches[0]
    for condition in conditions:
        if not condition.holds(target.target):
            play.illegal(
                condition.rule,
                condition.message,
                at=word,
                facts=(play.because(target.step, "this is what is meant"),) if target.step else (),
                help=condition.help or (),
            )
            return target if keep_unfit or play.excused(condition.rule) else None
    return target


def _text_of(step: Step) -> str | None:
    main = step.action.main
    return getattr(step.action, main.attribute) if main and main.kind is TEXT else None


def refer_to_entry(
    play: Play[Any], word: ScalarNode, code: str, help: str
) -> ReferenceTarget[Step] | None:
    """The earlier entry that a word refers to, or None."""
    return refer(play, word, entries(play, word), "entry", code, help=help)


def entries(play: Play[Any], word: ScalarNode) -> Iterator[ReferenceTarget[Step]]:
    """Earlier entries that have an id or may contain these words; if one of them has the word as its id, that
    entry alone."""
    index = play.ids.get(word, 0)
    if index and index != play.step.index:
        yield ReferenceTarget(str(word), str(word), index, play.steps[index - 1])
        return
    possible = {step.index: step for step in _possible_steps(play, word)}
    ids: dict[int, str] = {}
    has_text_match = any(says(_text_of(step) or "", word) for step in possible.values())
    # If no text contains the words, the reference is possibly a misspelt id. Suggestions have a limit.
    if once_numbered(word) or (not has_text_match and (len(play.ids) <= FEW or play.names.guesses)):
        ids = {number: id for id, number in play.ids.items() if number < len(play.steps)}
    for number in sorted(possible.keys() | ids):
        step = possible.get(number) or play.steps[number - 1]
        yield ReferenceTarget(ids.get(number, ""), _text_of(step) or "", number, step)


def _possible_steps(play: Play[Any], words: str) -> Iterable[Step]:
    """The earlier steps that may contain some words in their main text."""
    if play.entry_index is None:
        play.entry_index = _EntryIndex()
    index: _EntryIndex = play.entry_index
    index.read(play.steps)
    numbers = index.search(_words(words), MOST_COUNTED + 1)
    return [play.steps[number - 1] for number in numbers]


class _EntryIndex:
    """An inverted index: the steps in whose main text a word occurs."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._steps_with: dict[str, list[int]] = {}
        self._steps_saying: dict[str, list[int]] = {}

    def read(self, steps: Sequence[Step]) -> None:
        """Add the steps from where the last call ended, except the last step."""
        for step in steps[len(self._texts) : -1]:
            words = _words(_text_of(step) or "")
            text = f" {' '.join(words)} "
            self._texts.append(text)
            self._steps_saying.setdefault(text, []).append(step.index)
            for word in {*words}:
                self._steps_with.setdefault(word, []).append(step.index)

    def search(self, words: Sequence[str], limit: int) -> list[int]:
        """The first steps that say exactly these words, else those that contain them in this order.

        Args:
            words: folded words, as :func:`_words` splits them.
            limit: maximum number of results.
        """
        if not words:
            return []
        text = f" {' '.join(words)} "
        exact = self._steps_saying.get(text, [])
        rarest = min((self._steps_with.get(word, []) for word in words), key=len)
        return (
            exact[:limit]
            or [number for number in rarest if text in self._texts[number - 1]][:limit]
        )


def anchor(
    play: Play[Any], scene: Scene, relations: Mapping[str, ScalarNode | None], code: str = "T55"
) -> None:
    """Place a scene in the order of the story: ``before``, ``after`` or ``during`` other scenes, given by
    title.

    Args:
        play: the game context.
        scene: the scene to place.
        relations: for each relation, the title as typed.
        code: the rule to report a contradiction under.
    """
    for relation, word in relations.items():
        if word is None:
            continue
        scenes = [
            ReferenceTarget("", candidate.title, candidate.first_step, candidate)
            for candidate in play.timeline.scenes
            if candidate is not scene
        ]
        help = "write the title of an earlier scene"
        target = refer(play, word, scenes, "scene", "T55", help=help)
        if target is not None:
            play.suspect(
                not play.timeline.relate(scene.number, relation, target.target.number),
                code,
                f"this scene cannot be {relation} '{target.text}', by what was said before",
                at=word,
            )
