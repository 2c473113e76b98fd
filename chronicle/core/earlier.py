"""What an entry says about something earlier: ``against``, ``of``, ``facts``, ``correct``.

It is meant by its id, by ``last`` where that may be said, or by whole words that only one has. What has to
be so of what is meant (of this scene, not struck, another player's) stands beside it, with its rule.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Generic, NamedTuple, TypeVar

from chronicle.core.declare import TEXT
from chronicle.core.diagnostic import Finding, ask_whether, listed, one_meant
from chronicle.core.fix import replace_with
from chronicle.core.names import FEW, fold
from chronicle.core.play import Play, once_numbered
from chronicle.core.record import Step
from chronicle.core.source import Word
from chronicle.core.timeline import Scene

T = TypeVar("T")

LAST: Final = "last"
MANY: Final = 20
"""Of what may be meant, more than so many are not counted."""


class Earlier(NamedTuple, Generic[T]):
    """Something that may be meant: its id, its words, the entry that brought it (0: none), itself."""

    id: str
    text: str
    step: int
    thing: T


class Condition(NamedTuple, Generic[T]):
    """What has to be so of what is meant, and what is told otherwise."""

    holds: Callable[[T], bool]
    rule: str
    message: str
    help: str = ""


def says(text: str, words: str) -> bool:
    """Whether a text has these words, whole and in this order."""
    wanted = _words(words)
    return bool(wanted) and _holds(_words(text), wanted)


def _holds(text: Sequence[str], wanted: Sequence[str]) -> bool:
    return f" {' '.join(wanted)} " in f" {' '.join(text)} "


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", fold(text))


def _about(text: str, wanted: Sequence[str]) -> bool:
    """Whether a text may have some words, the longest first: long before it is taken to words, that tells
    most texts apart from what is meant."""
    folded = text.lower() if text.isascii() else fold(text)
    return all(word in folded for word in wanted)


def meant_by(words: str, among: Iterable[Earlier[T]], once: int = 0) -> list[Earlier[T]]:
    """What some words can mean: what has this id, or had it as they were ``once`` numbered; else whatever
    says exactly this, else whatever has these words in it."""
    pool = list(among)
    found = [one for one in pool if one.id == words]
    if once and not found:
        stem, _, at = words.partition(f"-{once}")
        made = [one for one in pool if one.step == once and one.id.startswith(f"{stem}-s")]
        found = made[int(at[1:] or 1) - 1 :][:1]
    if found:
        return found
    wanted = _words(words)
    sought = sorted(wanted, key=len, reverse=True)
    near = [(one, _words(one.text)) for one in pool if _about(one.text, sought)]
    exactly = [one for one, text in near if text == wanted]
    return exactly or [one for one, text in near if wanted and _holds(text, wanted)]


def refer(
    play: Play[Any],
    word: Word,
    among: Iterable[Earlier[T]],
    noun: str,
    code: str,
    *,
    last: Earlier[T] | None = None,
    alike: bool = False,
    applies: bool = False,
    conditions: Sequence[Condition[T]] = (),
    finding: Finding = Finding.UNREADABLE,
    help: str = "",
) -> Earlier[T] | None:
    """What a word of the entry at work means; told if that is nothing (under ``code``), one of several
    (T50), or something of which a condition does not hold (under its rule). Where things that say the same
    count as one, they are ``alike``; what a condition speaks against still ``applies`` where it has to
    mean something."""
    # Whatever it means: where it is the id of something hidden, readers are given another word.
    play.ids.get(word)
    pool = list(among)
    found = (
        [last]
        if last is not None and fold(word) == LAST
        else meant_by(str(word), pool, once_numbered(play, word))
    )
    if alike and len({one.text for one in found}) == 1:
        found = found[:1]
    if len(found) > 1:
        play.unreadable(
            "T50",
            f"'{word}' may be any of {len(found) if len(found) <= MANY else f'more than {MANY}'} {noun}s: "
            + listed((f"'{one.text}'" for one in found[:3]), "or"),
            at=word,
            fix=replace_with(one.id or one.text for one in found[:3]),
            help=f"give the {noun} an id where it stands, then name it here",
        )
        return None
    if not found:
        ids = [one.id for one in pool if one.id]
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
        near = one_meant(word, ids) if near_ids else ""
        return next((one for one in pool if one.id == near), None) if near else None
    meant = found[0]
    for condition in conditions:
        if not condition.holds(meant.thing):
            play.illegal(
                condition.rule,
                condition.message,
                at=word,
                facts=(play.because(meant.step, "this is what is meant"),) if meant.step else (),
                help=condition.help or (),
            )
            return meant if applies or play.excused(condition.rule) else None
    return meant


def _text_of(step: Step) -> str | None:
    main = step.action.main
    return getattr(step.action, main.attribute) if main and main.kind is TEXT else None


def entry_meant(play: Play[Any], word: Word, code: str, help: str) -> Earlier[Step] | None:
    """The entry above that a word means."""
    return refer(play, word, entries(play, word), "entry", code, help=help)


def entries(play: Play[Any], word: Word) -> Iterator[Earlier[Step]]:
    """The entries above that have an id, or may have these words in what they are about; with an id that
    one of them has, that one alone."""
    index = play.ids.get(word, 0)
    if index and index != play.step.index:
        yield Earlier(str(word), str(word), index, play.steps[index - 1])
        return
    near = {step.index: step for step in _near(play, word)}
    ids: dict[int, str] = {}
    found = any(says(_text_of(step) or "", word) for step in near.values())
    # Where nothing says so, it is what has an id that was meant, as long as anybody guesses which.
    if once_numbered(play, word) or (not found and (len(play.ids) <= FEW or play.names.guesses)):
        ids = {at: id for id, at in play.ids.items() if at < len(play.steps)}
    for at in sorted(near.keys() | ids):
        step = near.get(at) or play.steps[at - 1]
        yield Earlier(ids.get(at, ""), _text_of(step) or "", at, step)


def _near(play: Play[Any], words: str) -> Iterable[Step]:
    """The steps above the last one that may have some words in what they are about."""
    if play.entry_index is None:
        play.entry_index = _EntryIndex()
    index: _EntryIndex = play.entry_index
    index.read(play.steps)
    found = index.search(_words(words), MANY + 1)
    return [play.steps[at - 1] for at in found]


class _EntryIndex:
    """An inverted index: in which steps a word of their main text occurs."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._steps_with: dict[str, list[int]] = {}
        self._steps_saying: dict[str, list[int]] = {}

    def read(self, steps: Sequence[Step]) -> None:
        """Add the steps up to the one before the last, from where the last call ended."""
        for step in steps[len(self._texts) : -1]:
            words = _words(_text_of(step) or "")
            text = f" {' '.join(words)} "
            self._texts.append(text)
            self._steps_saying.setdefault(text, []).append(step.index)
            for word in {*words}:
                self._steps_with.setdefault(word, []).append(step.index)

    def search(self, words: Sequence[str], most: int) -> list[int]:
        """The first steps that say exactly these words, else those that have them in this order.

        Args:
            words: folded words, as :func:`_words` splits them.
            most: how many to return at most.
        """
        if not words:
            return []
        text = f" {' '.join(words)} "
        exact = self._steps_saying.get(text, [])
        rarest = min((self._steps_with.get(word, []) for word in words), key=len)
        return exact[:most] or [at for at in rarest if text in self._texts[at - 1]][:most]


def anchor(
    play: Play[Any], scene: Scene, relations: Mapping[str, Word | None], code: str = "T55"
) -> None:
    """Say where in the story a scene lies: ``before``, ``after`` and ``during`` others, named by their
    titles."""
    for relation, word in relations.items():
        if word is None:
            continue
        scenes = [
            Earlier("", other.title, other.first_step, other)
            for other in play.timeline.scenes
            if other is not scene
        ]
        help = "write the title of an earlier scene"
        meant = refer(play, word, scenes, "scene", "T55", help=help)
        if meant is not None:
            play.suspect(
                not play.timeline.put(scene.number, relation, meant.thing.number),
                code,
                f"this scene cannot be {relation} '{meant.text}', by what was said before",
                at=word,
            )
