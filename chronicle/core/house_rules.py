"""House rules: their texts, their formulas, when they are in force, and their effects.

A game names its points: questions that a house rule may answer by a formula. The engine asks :func:`answer`
at such a point, with the answer of the rules of the book. The rules in force replace that answer one after
the other, in the order of their adoption."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Protocol, TypeVar

from chronicle.core.diagnostic import DiagnosticKind, ask_whether, listed, nearest_words
from chronicle.core.field_types import NAME, FieldType, MapOf, label
from chronicle.core.field_types import TEXT as WORDS
from chronicle.core.fix import SetKey, make_fix, replace_with
from chronicle.core.formula import (
    NUMBER,
    TEXT,
    YES_NO,
    Answer,
    Formula,
    FormulaSyntaxError,
    FormulaType,
    NoAnswer,
    evaluate_formula,
)
from chronicle.core.rules import RuleId
from chronicle.core.source import Place, ScalarNode

A = TypeVar("A", bound=Answer)
HIGHEST_ANSWER: Final = 9999
"""The highest figure of a point without a limit of its own."""
FORMULAS: Final[FieldType[dict[ScalarNode, ScalarNode]]] = MapOf(
    label(NAME), label(WORDS), "a mapping from what a house rule computes to a formula"
)


class HouseRuleContext(Protocol):
    """The parts of a game context that house rules use."""

    adopted_rules: HouseRules
    is_applying_entry: bool
    current: Any
    tainted: dict[str, Any]

    def report(self, *args: Any, **kwargs: Any) -> Any:
        """Report a problem with the current entry."""

    def event(self, *args: Any, **kwargs: Any) -> None:
        """Note an effect of the current entry."""

    def taint(self, *keys: str) -> None:
        """Mark state as doubtful because of the last problem."""

    def because(self, *args: Any, **kwargs: Any) -> Any:
        """A related location: an earlier entry."""

    @property
    def step(self) -> Any:
        """The current step."""

    @property
    def rulebook(self) -> Any:
        """The game."""


class FormulaName(NamedTuple):
    """A name that a formula may use: its meaning, and how to look it up. ``read`` gets the game context and
    the subjects of the point."""

    doc: str
    read: Callable[..., Answer]
    value_type: FormulaType = NUMBER


class ExtensionPoint(NamedTuple):
    """A question that a house rule may answer: its text, names a formula may use in addition to those of all
    games, the rules of the book that it replaces, the lowest and the highest answer."""

    name: str
    doc: str
    rules: tuple[RuleId, ...] = ()
    names: Mapping[str, FormulaName] = MappingProxyType({})
    value_type: FormulaType = NUMBER
    least: int = 0
    most: int = HIGHEST_ANSWER


USUAL: Final = "usual"
"""The name of the answer without the rule."""
COMMON_NAMES: Final[Mapping[str, FormulaName]] = {
    "players": FormulaName(
        "how many play, whoever runs the game left out", lambda play, *_: len(play.seats)
    ),
    "present": FormulaName(
        "how many of them are at the table",
        lambda play, *_: sum(1 for name in play.seats if name in play.present),
    ),
    "session": FormulaName(
        "the number of the evening",
        lambda play, *_: play.current.session if play.current else 0,
    ),
    "scene": FormulaName(
        "how many scenes were opened so far", lambda play, *_: len(play.timeline.scenes)
    ),
}
"""Names of every point of every game."""
MAY_POINT: Final = ExtensionPoint(
    "may",
    "whether somebody may do something: asked of every entry of the game, by whoever it is",
    names=MappingProxyType(
        {
            "verb": FormulaName(
                "what is done: the verb of the entry", lambda play, verb, player: verb, TEXT
            ),
            "player": FormulaName(
                "the player who does it", lambda play, verb, player: player, TEXT
            ),
        }
    ),
    value_type=YES_NO,
)


class RuleUse(NamedTuple):
    """An application of a rule that changed the answer."""

    step_number: int
    point_name: str
    usual_answer: Answer
    answer: Answer


@dataclass(slots=True, eq=False)
class AdoptedRule:
    """A house rule, with the entry that adopted it (0: the settings) and the entry that ended it (0: none)."""

    id: str
    text: str
    adopting_step_number: int = 0
    touches: tuple[RuleId, ...] = ()
    formulas: dict[str, Formula] = field(default_factory=dict)
    ending_step_number: int = 0
    uses: list[RuleUse] = field(default_factory=list)
    points_in_progress: set[str] = field(default_factory=set)
    """Names of points that are being computed. It stops a formula that depends on its own result."""

    def work_out(
        self, play: HouseRuleContext, point: ExtensionPoint, usual_answer: A, *subjects: Any
    ) -> A:
        """The rule's answer to a question that it has a formula for. Reports T84 if the formula has no
        answer."""
        if self.ending_step_number or point.name in self.points_in_progress:
            return usual_answer
        self.points_in_progress.add(point.name)
        try:

            def look_up_name(formula_name: str) -> Answer:
                if formula_name == USUAL:
                    return usual_answer
                return (point.names.get(formula_name) or COMMON_NAMES[formula_name]).read(
                    play, *subjects
                )

            house_rule_answer: Any = evaluate_formula(self.formulas[point.name], look_up_name)
            if point.value_type is NUMBER and not point.least <= house_rule_answer <= point.most:
                raise NoAnswer(f"it gives {house_rule_answer}, and {_bounds_in_words(point)}")
        except NoAnswer as error:
            self._report_no_answer(play, point, usual_answer, str(error))
            return usual_answer
        finally:
            self.points_in_progress.discard(point.name)
        if (
            house_rule_answer != usual_answer
            and play.is_applying_entry
            and play.current is not None
        ):
            self._note_use(play, point, usual_answer, house_rule_answer)
        return house_rule_answer  # type: ignore[no-any-return]

    def _note_use(
        self,
        play: HouseRuleContext,
        extension_point: ExtensionPoint,
        usual_answer: Answer,
        house_rule_answer: Answer,
    ) -> None:
        rule_use = RuleUse(play.step.number, extension_point.name, usual_answer, house_rule_answer)
        if rule_use in self.uses[-8:]:
            return
        self.uses.append(rule_use)
        if extension_point.value_type is NUMBER:
            play.event(
                f"{extension_point.name}: {answer_text(house_rule_answer)} under '{self.id}', "
                f"not {answer_text(usual_answer)}",
                kind="computed",
                subject=self.id,
            )

    def _report_no_answer(
        self,
        play: HouseRuleContext,
        extension_point: ExtensionPoint,
        usual_answer: Answer,
        failure_reason: str,
    ) -> None:
        doubt_key = f"formula:{self.id}:{extension_point.name}"
        if (play.is_applying_entry or play.current is None) and doubt_key not in play.tainted:
            play.report(
                DiagnosticKind.UNREADABLE,
                "T84",
                f"'{self.id}' has no answer for the {extension_point.name}: {failure_reason}",
                help=f"{answer_text(usual_answer)} is taken, as without it",
            )
            play.taint(doubt_key)


def _bounds_in_words(extension_point: ExtensionPoint) -> str:
    return (
        f"the {extension_point.name} is between {extension_point.least} and {extension_point.most}"
    )


def answer_text(answer: Answer) -> str:
    """An answer as text."""
    return ("yes" if answer else "no") if isinstance(answer, bool) else str(answer)


@dataclass(slots=True, eq=False)
class HouseRules:
    """All house rules of a campaign."""

    rules: dict[str, AdoptedRule] = field(default_factory=dict)
    rules_by_point: dict[str, list[AdoptedRule]] = field(default_factory=dict)
    """The rules in force that have formulas, by the name of the point."""

    def adopt(self, rule: AdoptedRule) -> None:
        """Put a rule in force. It replaces a rule with the same id."""
        self.drop(rule.id, rule.adopting_step_number)
        self.rules[rule.id] = rule
        for point_name in rule.formulas:
            self.rules_by_point.setdefault(point_name, []).append(rule)

    def drop(self, rule_id: str, step_number: int) -> None:
        """End a rule."""
        rule = self.rules.get(rule_id)
        if rule is None or rule.ending_step_number:
            return
        rule.ending_step_number = step_number
        for point_name in rule.formulas:
            self.rules_by_point[point_name] = [
                kept_rule for kept_rule in self.rules_by_point[point_name] if kept_rule is not rule
            ]


def answer(play: HouseRuleContext, point: ExtensionPoint, usual_answer: A, *subjects: Any) -> A:
    """The answer that holds at this point: ``usual_answer`` by the book, unless a rule in force computes another.

    Args:
        play: the game context.
        point: the question.
        usual_answer: the answer of the book.
        subjects: the subjects that the names of the point are looked up with.
    """
    if isinstance(usual_answer, str) and point.value_type is FormulaType.NUMBER:
        raise TypeError(
            f"the usual answer of '{point.name}' is the text '{usual_answer}': give a number"
        )
    if play.adopted_rules.rules_by_point:
        for rule in play.adopted_rules.rules_by_point.get(point.name, ()):
            usual_answer = rule.work_out(play, point, usual_answer, *subjects)
    return usual_answer


def expected(play: HouseRuleContext, point: ExtensionPoint, usual_answer: A, *subjects: Any) -> A:
    """The answer to a question without any effect on the record, such as for odds or for dice to be rolled."""
    was_applying_entry, play.is_applying_entry = play.is_applying_entry, False
    try:
        return answer(play, point, usual_answer, *subjects)
    finally:
        play.is_applying_entry = was_applying_entry


def points_of(play: HouseRuleContext) -> dict[str, ExtensionPoint]:
    """Every point of a game, by its name."""
    return {point.name: point for point in (*play.rulebook.points, MAY_POINT)}


def types_of_names(extension_point: ExtensionPoint) -> dict[str, FormulaType]:
    """Every name that a formula for a point may use, with its type."""
    formula_name_by_text = {**COMMON_NAMES, **extension_point.names}
    return {
        USUAL: extension_point.value_type,
        **{name: formula_name.value_type for name, formula_name in formula_name_by_text.items()},
    }


def names_in_words(extension_point: ExtensionPoint) -> dict[str, str]:
    """The meaning of every name that a formula for a point may use."""
    formula_name_by_text = {**COMMON_NAMES, **extension_point.names}
    usual_meaning = f"what holds without the rule: {extension_point.value_type}"
    return {
        USUAL: usual_meaning,
        **{name: formula_name.doc for name, formula_name in formula_name_by_text.items()},
    }


def formulas_of(
    play: HouseRuleContext,
    formula_text_by_point: Mapping[ScalarNode, ScalarNode],
    formula_path: str,
) -> dict[str, Formula]:
    """The formulas that can be parsed. Problems with the others are reported at their place."""
    if not formula_text_by_point:
        return {}
    from chronicle.core.formula_text import parse_formula

    point_by_name = points_of(play)
    formula_by_point: dict[str, Formula] = {}
    for point_name, formula_text in formula_text_by_point.items():
        point = point_by_name.get(" ".join(point_name.split()).casefold())
        if point is None:
            similar_points = nearest_words(point_name, list(point_by_name))
            play.report(
                DiagnosticKind.UNREADABLE,
                "T83",
                f"no house rule can compute '{point_name}'{ask_whether(point_name, similar_points)}",
                at=Place(
                    formula_path,
                    point_name.line,
                    point_name.column,
                    point_name.end_line,
                    point_name.end_column,
                ),
                fix=replace_with(similar_points, is_told=True),
                help=f"what can be computed: {listed(point_by_name)}",
            )
            continue
        try:
            formula_by_point[point.name] = parse_formula(
                formula_text, types_of_names(point), point.value_type
            )
        except FormulaSyntaxError as error:
            play.report(
                DiagnosticKind.UNREADABLE,
                "T83",
                error.message,
                at=_place_within(formula_text, error.start, error.end, formula_path),
                help=error.help,
            )
    return formula_by_point


def _place_within(formula_text: ScalarNode, start: int, end: int, formula_path: str) -> Place:
    """The place of a part of a formula in its file: exact if the formula is on one line."""
    written_length = formula_text.end_column - formula_text.column
    quote_length = 1 if formula_text.style in ("'", '"') else 0
    if (
        formula_text.line != formula_text.end_line
        or written_length != len(formula_text) + 2 * quote_length
    ):
        return Place(
            formula_path,
            formula_text.line,
            formula_text.column,
            formula_text.end_line,
            formula_text.end_column,
        )
    first_column = formula_text.column + quote_length
    last_column = first_column + min(max(end, start + 1), len(formula_text))
    return Place(
        formula_path,
        formula_text.line,
        first_column + min(start, len(formula_text)),
        formula_text.line,
        last_column,
    )


def check_permission(play: HouseRuleContext, verb: str) -> None:
    """Check an entry against the house rules about who may do what (T85)."""
    player = play.step.player
    for rule in play.adopted_rules.rules_by_point.get(MAY_POINT.name, ()):
        if not rule.work_out(play, MAY_POINT, True, verb, player):
            play.report(
                DiagnosticKind.ILLEGAL,
                "T85",
                f"'{rule.id}': {player or 'nobody'} may not write '{verb}' here",
                facts=[play.because(rule.adopting_step_number, rule.text)],
                fix=make_fix(SetKey("under", rule.id), when="if it was agreed"),
            )


def balance_of(account_kind: str, unit: str) -> Callable[..., int]:
    """A look-up for a name that stands for a balance; the owner is the first subject of the point."""
    return lambda play, owner_name, *_: play.balance(f"{account_kind}:{owner_name}", unit)


SUBJECT_NAME: Final = FormulaName(
    "whom it is about: the name of the player or the character",
    lambda play, subject_name, *_: subject_name,
    TEXT,
)
"""A name that many points have: their first subject."""
