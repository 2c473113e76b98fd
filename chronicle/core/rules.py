"""Rules and rulings as data: every numbered rule has one explanation, one class, one place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from chronicle.core.errors import GameTextError
from chronicle.core.word_enum import WordEnum

RuleId = str
"""The id of a rule of the book or of this program: ``U6.11``, ``T52``."""


class RuleClass(WordEnum):
    """How the engine treats a rule."""

    COMPUTED = "computed"
    """The engine computes it; the log does not contain it."""
    CHECKED = "checked"
    """The engine reports violations; one passing and one breaking transcript prove it."""
    RECORDED = "recorded"
    """No program can judge it; it is only recorded, and ``why`` gives the reason."""


COMPUTED = RuleClass.COMPUTED
CHECKED = RuleClass.CHECKED
RECORDED = RuleClass.RECORDED


class Rule(NamedTuple):
    """One numbered rule, explained in Chronicle's own words.

    ``why`` is required of recorded rules: the reason why no program can judge them.
    ``other_ids`` lists ids that resolve here: rows of the list of illegal things (``V12``), parts (``S1.3``).
    """

    id: str
    title: str
    kind: RuleClass
    text: str
    why: str = ""
    other_ids: tuple[str, ...] = ()
    chapter: str = ""


class Term(NamedTuple):
    """A word of a game: its synonyms (the usual one first), the rule it comes from, its meaning."""

    synonyms: tuple[str, ...]
    rule: str
    text: str


def terms(glossary_text: str) -> tuple[Term, ...]:
    """Parse a glossary with one term a line, such as ``Coin, Wealth [U1.2]: The currency of the players``.
    Indented lines continue the line above."""
    glossary: list[Term] = []
    for text_line in glossary_text.replace("\n    ", " ").splitlines():
        synonyms_and_rule, _, meaning = text_line.partition("]: ")
        synonyms_text, _, rule_id = synonyms_and_rule.partition(" [")
        glossary.append(Term(tuple(synonyms_text.split(", ")), rule_id, meaning))
    return tuple(glossary)


class Ruling(NamedTuple):
    """A point that the rule book leaves open or contradicts itself about.

    ``readings`` maps each value that ``campaign.yaml`` may choose under ``rulings:`` to its meaning; the
    first one is the default. A point with one reading is fixed and only documented."""

    id: str
    key: str
    question: str
    readings: Mapping[str, str]
    reason: str
    rules: tuple[RuleId, ...] = ()

    @property
    def default(self) -> str:
        """The reading in force if the campaign chooses none."""
        return next(iter(self.readings))


class OptionalRule(NamedTuple):
    """An optional rule of the book, with its description for readers.

    ``key`` is its name in logs, ``changes`` the ids of the rules it changes, ``parameters`` the values that
    the group may set: (name, meaning). ``specimen`` is a short campaign that uses it: file names to texts."""

    id: str
    key: str
    title: str
    summary: str
    changes: tuple[RuleId, ...]
    parameters: tuple[tuple[str, str], ...]
    specimen: Mapping[str, str]
    needs: tuple[str, ...] = ()
    """The parameters that a group must set."""


class Erratum(NamedTuple):
    """A place where replaying a rule book's own text or example gives another result."""

    id: str
    title: str
    text: str
    rules: tuple[RuleId, ...] = ()


def _rule_paragraphs(rules_text: str) -> Iterator[tuple[str, str, list[str]]]:
    """The entries of a text of rules: the chapter of each (``# ...``), its first line, which is not
    indented, and the indented lines below."""
    chapter = first_line = ""
    detail_lines: list[str] = []
    for text_line in [*rules_text.splitlines(), "#"]:
        if text_line.startswith(" "):
            detail_lines.append(text_line.strip())
        elif text_line:
            if first_line:
                yield chapter, first_line, detail_lines
            first_line, detail_lines = ("", []) if text_line.startswith("#") else (text_line, [])
            chapter = text_line[2:] if text_line.startswith("#") else chapter


def read_rules(
    rules_text: str,
    chapter: Callable[[str], str] | None = None,
    reasons_by_key: Mapping[str, str] | None = None,
) -> tuple[Rule, ...]:
    """Parse rules, each as ``F2 Its title [checked; V2]`` (its class and other ids) with its text below, and
    after ``why:`` the reason why no program can judge it: in words, or a key of ``reasons_by_key``. Chapters are lines
    that begin with ``#``, or ``chapter`` gives the chapter of an id."""
    rules = []
    for chapter_heading, first_line, detail_lines in _rule_paragraphs(rules_text):
        rule_id, _, title_and_marks = first_line.partition(" ")
        title, _, class_and_other_ids = title_and_marks.removesuffix("]").partition(" [")
        class_text, _, other_ids_text = class_and_other_ids.partition("; ")
        rule_text, _, reason = " ".join(detail_lines).partition(" why: ")
        rule_chapter = chapter(rule_id) if chapter is not None else chapter_heading
        reason = (reasons_by_key or {}).get(reason, reason)
        rules.append(
            Rule(
                rule_id,
                title,
                _parse_rule_class(first_line, rule_id, class_text),
                rule_text,
                reason,
                tuple(other_ids_text.split()),
                rule_chapter,
            )
        )
    return tuple(rules)


def _parse_rule_class(first_line: str, rule_id: str, class_text: str) -> RuleClass:
    """The class of a rule from its word."""
    class_names = [rule_class.value for rule_class in RuleClass]
    if class_text not in class_names and not any(character.isdigit() for character in rule_id):
        raise GameTextError(
            f"the line '{first_line}' among the rules begins with no id: indent the text of a rule by two spaces",
            first_line,
        )
    if class_text not in class_names:
        from chronicle.core.diagnostic import did_you_mean, either

        mistake_text = (
            f"no class '{class_text}'{did_you_mean(class_text, class_names)}"
            if class_text
            else "no class"
        )
        raise GameTextError(
            f"the rule {rule_id} has {mistake_text}: its first line ends with "
            + either(f"[{class_name}]" for class_name in class_names),
            first_line,
        )
    return RuleClass(class_text)


def read_rulings(rulings_text: str) -> tuple[Ruling, ...]:
    """Parse rulings, each as ``FA1 its_key: The question?`` with a line ``- value: its meaning`` for each
    reading below, the default first, and ``because the reason (F24, F25)`` with its rules. Deeper indented
    lines continue the line above."""
    rulings = []
    for _, first_line, detail_lines in _rule_paragraphs(rulings_text):
        ruling_id, _, key_and_question = first_line.partition(" ")
        ruling_lines = [key_and_question]
        for text_line in detail_lines:
            if text_line.startswith(("- ", "because ")):
                ruling_lines.append(text_line)
            else:
                ruling_lines[-1] += f" {text_line}"
        ruling_key, _, question = ruling_lines[0].partition(": ")
        reading_pairs = [reading_line[2:].partition(": ") for reading_line in ruling_lines[1:-1]]
        if not question or not reading_pairs or not ruling_lines[-1].startswith("because "):
            raise GameTextError(
                f"the ruling {ruling_id} is incomplete: write  {ruling_id} its_key: The question?  then a line  "
                "- value: its meaning  for each reading, and last  because the reason (its rules)",
                first_line,
            )
        for reading_line, (reading, colon, _) in zip(
            ruling_lines[1:-1], reading_pairs, strict=True
        ):
            if not colon:
                raise GameTextError(
                    f"the reading '{reading}' of {ruling_id} has no meaning: write  - value: its meaning",
                    next(detail for detail in detail_lines if reading_line.startswith(detail)),
                )
        reason, _, rule_ids_text = (
            ruling_lines[-1].removeprefix("because ").removesuffix(")").rpartition(" (")
        )
        readings = {reading: meaning for reading, _, meaning in reading_pairs}
        rule_ids = tuple(filter(None, rule_ids_text.split(", ")))
        rulings.append(Ruling(ruling_id, ruling_key, question, readings, reason, rule_ids))
    return tuple(rulings)


def read_errata(errata_text: str) -> tuple[Erratum, ...]:
    """Parse errata, each as ``X6 Its title [U2.4 UG.2]`` (with its rules) and its text below."""
    errata = []
    for _, first_line, detail_lines in _rule_paragraphs(errata_text):
        erratum_id, _, title_and_rules = first_line.partition(" ")
        title, _, rule_ids = title_and_rules.removesuffix("]").partition(" [")
        errata.append(Erratum(erratum_id, title, " ".join(detail_lines), tuple(rule_ids.split())))
    return tuple(errata)


def comparable_id(rule_id: str) -> str:
    """The form in which ids are compared: letter case and dots are ignored."""
    return rule_id.strip().casefold().replace(".", "").replace(" ", "")


class Registry:
    """The rules and rulings of one game, found by any of their ids."""

    def __init__(
        self, game_name: str, rules: Iterable[Rule], rulings: Iterable[Ruling], glossary: str = ""
    ) -> None:
        self.game = game_name
        self.terms = terms(glossary)
        self.rules = tuple(rules)
        self.rulings = tuple(rulings)
        self._item_by_id: dict[str, Rule | Ruling] = {}
        self._item_by_exact_id = {
            rule_or_ruling.id.casefold(): rule_or_ruling for rule_or_ruling in self._items()
        }
        for rule_or_ruling in self._items():
            self._item_by_id.setdefault(comparable_id(rule_or_ruling.id), rule_or_ruling)
        for rule in self.rules:
            for other_id in rule.other_ids:
                self._item_by_id.setdefault(comparable_id(other_id), rule)

    def _items(self) -> list[Rule | Ruling]:
        return [*self.rules, *self.rulings]

    def get(self, rule_id: str) -> Rule | Ruling | None:
        """The rule or ruling with this id (or one of its other ids), or None. Dots are optional, unless the id
        with its dots has a meaning of its own: S11, which has parts, is not S1.1."""
        exact_match = self._item_by_exact_id.get(rule_id.strip().casefold())
        rule_or_ruling = exact_match or self._item_by_id.get(comparable_id(rule_id))
        is_stem = (
            exact_match is None
            and rule_or_ruling is not None
            and "." in rule_or_ruling.id
            and self.parts(rule_id)
        )
        return None if is_stem else rule_or_ruling

    def parts(self, id_stem: str) -> tuple[Rule | Ruling, ...]:
        """All rules whose id continues ``id_stem`` by letters or a further number (``S1.3`` -> a, b)."""
        folded_stem = id_stem.strip().casefold()
        return tuple(
            rule_or_ruling
            for rule_or_ruling in self._items()
            if rule_or_ruling.id.casefold() != folded_stem
            and rule_or_ruling.id.casefold().startswith(folded_stem)
            and not rule_or_ruling.id[len(folded_stem) : len(folded_stem) + 1].isdigit()
        )
