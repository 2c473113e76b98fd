"""Rules and rulings as data: every numbered rule has one explanation, one class, one place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from chronicle.core.worded import Worded


class RuleClass(Worded):
    """How the engine treats a rule."""

    COMPUTED = "computed"
    """The engine works it out; nothing about it needs to be written down."""
    CHECKED = "checked"
    """The engine refuses what breaks it; one passing and one breaking transcript prove it."""
    RECORDED = "recorded"
    """No program can judge it; it is written down only, and ``why`` says so."""


COMPUTED = RuleClass.COMPUTED
CHECKED = RuleClass.CHECKED
RECORDED = RuleClass.RECORDED


class Rule(NamedTuple):
    """One numbered rule, explained in Chronicle's own words.

    ``why`` is required of recorded rules: the reason why no program can judge them.
    ``also`` lists ids that resolve here: rows of the list of illegal things (``V12``), parts (``S1.3``).
    """

    id: str
    title: str
    kind: RuleClass
    text: str
    why: str = ""
    also: tuple[str, ...] = ()
    chapter: str = ""


class Term(NamedTuple):
    """A word of a game: also called, the rule it comes from, what it means."""

    words: tuple[str, ...]
    rule: str
    text: str


def terms(text: str) -> tuple[Term, ...]:
    """A glossary: a line a term, such as ``Coin, Wealth [U1.2]: What one pays with``; what is indented
    goes on with the line before."""
    found: list[Term] = []
    for line in text.replace("\n    ", " ").splitlines():
        head, _, meaning = line.partition("]: ")
        words, _, rule = head.partition(" [")
        found.append(Term(tuple(words.split(", ")), rule, meaning))
    return tuple(found)


class Ruling(NamedTuple):
    """A point where the rule book is silent or contradicts itself.

    ``readings`` maps each value that ``campaign.yaml`` may choose under ``rulings:`` to what it
    means; the first one is the default. A point with one reading is fixed and only documented.
    """

    id: str
    key: str
    question: str
    readings: Mapping[str, str]
    reason: str
    rules: tuple[str, ...] = ()

    @property
    def default(self) -> str:
        """The reading in force when the campaign chooses none."""
        return next(iter(self.readings))


class OptionalRule(NamedTuple):
    """A rule of the book that a group may adopt or leave, and what a reader is told of it.

    ``key`` is what logs call it, ``changes`` the ids of the rules it bends, ``parameters`` what the
    group may set: (name, what it means). ``specimen`` is a short campaign that uses it: file names
    to texts.
    """

    id: str
    key: str
    title: str
    summary: str
    changes: tuple[str, ...]
    parameters: tuple[tuple[str, str], ...]
    specimen: Mapping[str, str]
    needs: tuple[str, ...] = ()
    """The parameters that a group has to set."""


class Erratum(NamedTuple):
    """A place where replaying a rule book's own text or example gives another result."""

    id: str
    title: str
    text: str
    rules: tuple[str, ...] = ()


def _entries(text: str) -> Iterator[tuple[str, str, list[str]]]:
    """The entries of a text of rules: the chapter each stands in (``# ...``), its first line, which is not
    indented, and those below it, which are."""
    chapter = head = ""
    below: list[str] = []
    for line in [*text.splitlines(), "#"]:
        if line.startswith(" "):
            below.append(line.strip())
        elif line:
            if head:
                yield chapter, head, below
            head, below = ("", []) if line.startswith("#") else (line, [])
            chapter = line[2:] if line.startswith("#") else chapter


def read_rules(
    text: str, chapter: Callable[[str], str] | None = None, whys: Mapping[str, str] | None = None
) -> tuple[Rule, ...]:
    """Rules from text, each as ``F2 Its title [checked; V2]`` (what it is, and its other ids) with its text
    below, and after ``why:`` why no program can judge it: in words, or one of ``whys``. Chapters are lines
    that begin with ``#``, or ``chapter`` gives that of an id."""
    found = []
    for heading, head, below in _entries(text):
        id, _, rest = head.partition(" ")
        title, _, marks = rest.removesuffix("]").partition(" [")
        kind, _, also = marks.partition("; ")
        said, _, why = " ".join(below).partition(" why: ")
        where = chapter(id) if chapter is not None else heading
        why = (whys or {}).get(why, why)
        found.append(Rule(id, title, RuleClass(kind), said, why, tuple(also.split()), where))
    return tuple(found)


def read_rulings(text: str) -> tuple[Ruling, ...]:
    """Silent points from text, each as ``FA1 its_key: The question?`` with a line ``- value: what it means``
    for each reading below, the default first, and ``because the reason (F24, F25)`` with the rules that it
    is about. What is indented deeper goes on with the line above."""
    found = []
    for _, head, below in _entries(text):
        id, _, asked = head.partition(" ")
        parts = [asked]
        for line in below:
            if line.startswith(("- ", "because ")):
                parts.append(line)
            else:
                parts[-1] += f" {line}"
        key, _, question = parts[0].partition(": ")
        pairs = [part[2:].partition(": ") for part in parts[1:-1]]
        reason, _, rules = parts[-1].removeprefix("because ").removesuffix(")").rpartition(" (")
        readings = {value: means for value, _, means in pairs}
        about = tuple(filter(None, rules.split(", ")))
        found.append(Ruling(id, key, question, readings, reason, about))
    return tuple(found)


def read_errata(text: str) -> tuple[Erratum, ...]:
    """Errata from text, each as ``X6 Its title [U2.4 UG.2]`` (the rules that it is about) with its text
    below."""
    found = []
    for _, head, below in _entries(text):
        id, _, rest = head.partition(" ")
        title, _, about = rest.removesuffix("]").partition(" [")
        found.append(Erratum(id, title, " ".join(below), tuple(about.split())))
    return tuple(found)


def tidy(code: str) -> str:
    """An id as people type it, made comparable: letter case and dots are forgiven."""
    return code.strip().casefold().replace(".", "").replace(" ", "")


class Registry:
    """The rules and rulings of one game, looked up by any id that should work."""

    def __init__(
        self, game: str, rules: Iterable[Rule], rulings: Iterable[Ruling], glossary: str = ""
    ) -> None:
        self.game = game
        self.terms = terms(glossary)
        self.rules = tuple(rules)
        self.rulings = tuple(rulings)
        self._found: dict[str, Rule | Ruling] = {}
        self._exact = {item.id.casefold(): item for item in self._items()}
        for item in self._items():
            self._found.setdefault(tidy(item.id), item)
        for rule in self.rules:
            for other in rule.also:
                self._found.setdefault(tidy(other), rule)

    def _items(self) -> list[Rule | Ruling]:
        return [*self.rules, *self.rulings]

    def get(self, code: str) -> Rule | Ruling | None:
        """The rule or ruling with this id (or one of its other ids), or None. Dots may be left out, unless
        the id with its dots as they are means something: S11, which has parts, is not S1.1."""
        exact = self._exact.get(code.strip().casefold())
        found = exact or self._found.get(tidy(code))
        stem = exact is None and found is not None and "." in found.id and self.parts(code)
        return None if stem else found

    def parts(self, stem: str) -> tuple[Rule | Ruling, ...]:
        """All rules whose id continues ``stem`` by letters or a further number (``S1.3`` -> a, b)."""
        start = stem.strip().casefold()
        return tuple(
            item
            for item in self._items()
            if item.id.casefold() != start
            and item.id.casefold().startswith(start)
            and not item.id[len(start) : len(start) + 1].isdigit()
        )
