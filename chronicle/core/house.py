"""Rules of a table's own: what they say, what they compute, since when and until when, what they did.

A game names its points: the questions that a house rule may answer by a formula. Whoever plays
by such a point asks :func:`answer`, with what the rules of the book say; the rules in force answer one
after the other, in the order of their adoption.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Protocol, TypeVar

from chronicle.core.declare import NAME, Kind, MapOf, label
from chronicle.core.declare import TEXT as WORDS
from chronicle.core.diagnostic import Finding, ask_whether, listed, nearest_words
from chronicle.core.fix import SetKey, make_fix, replace_with
from chronicle.core.formula import (
    NUMBER,
    TEXT,
    YES_NO,
    Answer,
    Formula,
    NoAnswer,
    Sort,
    Unreadable,
    work_out,
)
from chronicle.core.source import Place, Word

A = TypeVar("A", bound=Answer)
MOST: Final = 9999
"""The highest figure that a house rule can ask for where the game names none."""
COMPUTES: Final[Kind[dict[Word, Word]]] = MapOf(
    label(NAME), label(WORDS), "a mapping from what a house rule computes to a formula"
)


class Plays(Protocol):
    """A play, as far as the rules of its table ask and tell it something."""

    house: House
    counting: bool
    current: Any
    tainted: dict[str, Any]

    def report(self, *said: Any, **more: Any) -> Any:
        """File a finding against the entry at work."""

    def event(self, *said: Any, **more: Any) -> None:
        """Note one thing the entry did."""

    def taint(self, *keys: str) -> None:
        """Put something in doubt because of the last finding."""

    def because(self, *said: Any, **more: Any) -> Any:
        """A fact that an earlier entry established."""

    @property
    def step(self) -> Any:
        """The entry at work."""

    @property
    def rulebook(self) -> Any:
        """The game."""


class Name(NamedTuple):
    """A name that a formula may use: what it stands for, and how it is looked up. ``read`` gets the
    play and what the point is about."""

    doc: str
    read: Callable[..., Answer]
    sort: Sort = NUMBER


class Point(NamedTuple):
    """A question that a house rule may answer: what is asked, the names that a formula may use besides
    those of all games, the rules of the book that it stands for, the lowest and the highest answer."""

    name: str
    doc: str
    rules: tuple[str, ...] = ()
    names: Mapping[str, Name] = MappingProxyType({})
    sort: Sort = NUMBER
    least: int = 0
    most: int = MOST


USUAL: Final = "usual"
"""The name of what holds without the rule."""
NAMES: Final[Mapping[str, Name]] = {
    "players": Name(
        "how many play, whoever runs the game left out", lambda play, *_: len(play.seats)
    ),
    "present": Name(
        "how many of them are at the table",
        lambda play, *_: sum(1 for name in play.seats if name in play.present),
    ),
    "session": Name(
        "the number of the evening",
        lambda play, *_: play.current.session if play.current else 0,
    ),
    "scene": Name("how many scenes were opened so far", lambda play, *_: len(play.timeline.scenes)),
}
"""Names of every point of every game."""
MAY: Final = Point(
    "may",
    "whether somebody may do something: asked of every entry of the game, by whoever it is",
    names=MappingProxyType(
        {
            "verb": Name("what is done: the verb of the entry", lambda play, verb, who: verb, TEXT),
            "player": Name("the player who does it", lambda play, verb, who: who, TEXT),
        }
    ),
    sort=YES_NO,
)


class Use(NamedTuple):
    """Where a rule gave another answer than the one that held without it."""

    step: int
    point: str
    usual: Answer
    answer: Answer
    about: str = ""


@dataclass(slots=True, eq=False)
class InForce:
    """A rule of the table's own, since the entry that adopted it (0: the whole campaign) until the one
    that ended it (0: none)."""

    id: str
    words: str
    step: int = 0
    touches: tuple[str, ...] = ()
    formulas: dict[str, Formula] = field(default_factory=dict)
    ended: int = 0
    uses: list[Use] = field(default_factory=list)
    at_work: set[str] = field(default_factory=set)
    """What is being worked out, so that a formula whose names rest on its own answer ends."""

    def work_out(self, play: Plays, point: Point, usual: A, *about: Any) -> A:
        """Its answer to a question that it has a formula for; told where it has none."""
        if self.ended or point.name in self.at_work:
            return usual
        self.at_work.add(point.name)
        try:

            def ask(name: str) -> Answer:
                if name == USUAL:
                    return usual
                return (point.names.get(name) or NAMES[name]).read(play, *about)

            found: Any = work_out(self.formulas[point.name], ask)
            if point.sort is NUMBER and not point.least <= found <= point.most:
                raise NoAnswer(f"it gives {found}, and {_bounds(point)}")
        except NoAnswer as why:
            self._without(play, point, usual, str(why))
            return usual
        finally:
            self.at_work.discard(point.name)
        if found != usual and play.counting and play.current is not None:
            self._note(play, point, usual, found)
        return found  # type: ignore[no-any-return]

    def _note(self, play: Plays, point: Point, usual: Answer, found: Answer) -> None:
        use = Use(play.step.index, point.name, usual, found)
        if use in self.uses[-8:]:
            return
        self.uses.append(use)
        if point.sort is NUMBER:
            play.event(
                f"{point.name}: {said(found)} under '{self.id}', not {said(usual)}",
                kind="computed",
                subject=self.id,
            )

    def _without(self, play: Plays, point: Point, usual: Answer, why: str) -> None:
        key = f"formula:{self.id}:{point.name}"
        if (play.counting or play.current is None) and key not in play.tainted:
            play.report(
                Finding.UNREADABLE,
                "T84",
                f"'{self.id}' has no answer for the {point.name}: {why}",
                help=f"{said(usual)} is taken, as without it",
            )
            play.taint(key)


def _bounds(point: Point) -> str:
    return f"the {point.name} is between {point.least} and {point.most}"


def said(answer: Answer) -> str:
    """An answer as a reader is told it."""
    return ("yes" if answer else "no") if isinstance(answer, bool) else str(answer)


@dataclass(slots=True, eq=False)
class House:
    """All rules of a table's own."""

    rules: dict[str, InForce] = field(default_factory=dict)
    by_point: dict[str, list[InForce]] = field(default_factory=dict)
    """Those in force that compute, by the point they answer."""

    def adopt(self, rule: InForce) -> None:
        """A rule holds from now on; one of the same id no longer."""
        self.drop(rule.id, rule.step)
        self.rules[rule.id] = rule
        for name in rule.formulas:
            self.by_point.setdefault(name, []).append(rule)

    def drop(self, id: str, step: int) -> None:
        """A rule holds no longer."""
        rule = self.rules.get(id)
        if rule is None or rule.ended:
            return
        rule.ended = step
        for name in rule.formulas:
            self.by_point[name] = [one for one in self.by_point[name] if one is not rule]


def answer(play: Plays, point: Point, usual: A, *about: Any) -> A:
    """What holds at this table for a point: ``usual`` by the book, unless a rule in force computes it.
    ``about`` is what the names of the point are looked up with."""
    if play.house.by_point:
        for rule in play.house.by_point.get(point.name, ()):
            usual = rule.work_out(play, point, usual, *about)
    return usual


def expected(play: Plays, point: Point, usual: A, *about: Any) -> A:
    """What a question would be answered with, where nothing comes of it yet: odds, dice to be tapped."""
    counting, play.counting = play.counting, False
    try:
        return answer(play, point, usual, *about)
    finally:
        play.counting = counting


def points_of(play: Plays) -> dict[str, Point]:
    """Every point of a game, by its name."""
    return {point.name: point for point in (*play.rulebook.points, MAY)}


def names_of(point: Point) -> dict[str, Sort]:
    """Every name that a formula for a point may use."""
    own = {**NAMES, **point.names}
    return {USUAL: point.sort, **{name: one.sort for name, one in own.items()}}


def told_names(point: Point) -> dict[str, str]:
    """What every name that a formula for a point may use stands for."""
    own = {**NAMES, **point.names}
    usual = f"what holds without the rule: {point.sort}"
    return {USUAL: usual, **{name: one.doc for name, one in own.items()}}


def formulas_of(play: Plays, computes: Mapping[Word, Word], path: str) -> dict[str, Formula]:
    """The formulas that can be read; what is wrong with the others is told where it stands."""
    if not computes:
        return {}
    from chronicle.core.formula_text import read

    points = points_of(play)
    found: dict[str, Formula] = {}
    for name, text in computes.items():
        point = points.get(" ".join(name.split()).casefold())
        if point is None:
            near = nearest_words(name, list(points))
            play.report(
                Finding.UNREADABLE,
                "T83",
                f"no house rule can compute '{name}'{ask_whether(name, near)}",
                at=Place(path, name.line, name.column, name.end_line, name.end_column),
                fix=replace_with(near, is_told=True),
                help=f"what can be computed: {listed(points)}",
            )
            continue
        try:
            found[point.name] = read(text, names_of(point), point.sort)
        except Unreadable as wrong:
            play.report(
                Finding.UNREADABLE,
                "T83",
                wrong.message,
                at=_within(text, wrong.start, wrong.end, path),
                help=wrong.help,
            )
    return found


def _within(text: Word, start: int, end: int, path: str) -> Place:
    """Where a stretch of a formula stands in its file: to the character where it is on one line."""
    width = text.end_column - text.column
    quotes = 1 if text.style in ("'", '"') else 0
    if text.line != text.end_line or width != len(text) + 2 * quotes:
        return Place(path, text.line, text.column, text.end_line, text.end_column)
    first = text.column + quotes
    last = first + min(max(end, start + 1), len(text))
    return Place(path, text.line, first + min(start, len(text)), text.line, last)


def hold_may(play: Plays, verb: str) -> None:
    """Hold an entry against the rules that say who may do what (T85)."""
    who = play.step.player
    for rule in play.house.by_point.get(MAY.name, ()):
        if not rule.work_out(play, MAY, True, verb, who):
            play.report(
                Finding.ILLEGAL,
                "T85",
                f"'{rule.id}': {who or 'nobody'} may not write '{verb}' here",
                facts=[play.because(rule.step, rule.words)],
                fix=make_fix(SetKey("under", rule.id), when="if it was agreed"),
            )


def balance_of(account: str, unit: str) -> Callable[..., int]:
    """How a name for what somebody holds is looked up; the first that a point is about is who."""
    return lambda play, who, *_: play.balance(f"{account}:{who}", unit)


WHO: Final = Name(
    "whom it is about: the name of the player or the character", lambda play, who, *_: who, TEXT
)
"""A name that many points have: what they are about first."""
