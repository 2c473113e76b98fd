"""What a rule of the table's own may compute: the questions of :mod:`points` that have a figure or a yes
or no for an answer, each as a point of a house rule; and the layer that answers them by its formulas."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from chronicle.core.formula import NUMBER, TEXT, YES_NO, FormulaType
from chronicle.core.house_rules import AdoptedRule, ExtensionPoint, FormulaName
from chronicle.games.universalis.answers import Bar, DieRule
from chronicle.games.universalis.points import RulePoints, Table
from chronicle.games.universalis.state import COIN, Component, Trait

_INTERNAL: Final = frozenset(
    {"leave_open", "builds_in_turns", "turn_goes_on", "bars_purse", "unseen", "weight"}
)
"""Questions that need an add-on to be answered otherwise, and the question whose answers are added up and stored."""


def _names(parameter: str, at: int) -> Mapping[str, FormulaName]:
    """The names that a formula has for what a question is about; ``at`` is which of it."""

    def of(look: Callable[[Table, Any], Any]) -> Callable[..., Any]:
        return lambda play, *arguments: look(play, arguments[at])

    def faces(look: Callable[[Table, Any], int]) -> Callable[..., Any]:
        return of(lambda play, shown: look(play, shown) if shown else 0)

    def card(look: Callable[[Component], Any], without: int | str) -> Callable[..., Any]:
        return of(
            lambda play, component: look(component) if isinstance(component, Component) else without
        )

    def trait(look: Callable[[Trait], Any]) -> Callable[..., Any]:
        return of(lambda play, given_trait: look(given_trait))

    match parameter:
        case "player":
            return {
                "player": FormulaName("the player", of(_acting_player), TEXT),
                "wealth": FormulaName(
                    "Coins in that player's Wealth",
                    of(
                        lambda play, player: play.balance(
                            f"wealth:{_acting_player(play, player)}", COIN
                        )
                    ),
                ),
            }
        case "component":
            return {
                "component": FormulaName(
                    "the name of the Component", card(lambda component: component.name, ""), TEXT
                ),
                "kind": FormulaName(
                    "character, location or prop",
                    card(lambda component: str(component.kind), ""),
                    TEXT,
                ),
                "importance": FormulaName(
                    "its Importance", card(lambda component: component.total, 0)
                ),
            }
        case "trait":
            return {
                "trait": FormulaName(
                    "the words of the Trait", trait(lambda given_trait: given_trait.text), TEXT
                ),
                "copies": FormulaName(
                    "how many copies of it stand", trait(lambda given_trait: given_trait.copies)
                ),
            }
        case "what" | "verb" | "kind":
            return {
                parameter: FormulaName(
                    "the word for what is done", of(lambda play, word: word), TEXT
                )
            }
        case "faces":
            hit = _hits
            return {
                "dice": FormulaName("how many dice fell", faces(lambda play, shown: len(shown))),
                "total": FormulaName(
                    "the sum of their faces", faces(lambda play, shown: sum(shown))
                ),
                "highest": FormulaName(
                    "the highest of them", faces(lambda play, shown: max(shown))
                ),
                "successes": FormulaName(
                    "how many of them are a Success",
                    faces(lambda play, shown: len(hit(play, shown))),
                ),
                "success_total": FormulaName(
                    "the sum of those", faces(lambda play, shown: sum(hit(play, shown)))
                ),
            }
        case "face" | "copies" | "edges" | "coins" | "facts":
            return {parameter: FormulaName(_COUNTED[parameter], of(lambda play, number: number))}
    return {}


_COUNTED: Final[Mapping[str, str]] = {
    "face": "what the die shows",
    "copies": "how many copies are bought",
    "edges": "how many of the dice are Edge Dice, the last ones",
    "coins": "the Coins bid",
    "facts": "how many Facts support them",
}
_SORTS: Final[Mapping[str, FormulaType]] = {
    "int": NUMBER,
    "bool": YES_NO,
    "Bar | None": YES_NO,
    "Answer": YES_NO,
}
_BY_ID: Final[Mapping[str, str]] = {
    "forbidden": "whether a verb is forbidden",
    "may_transfer": "whether players may lend or give Coins (U2.14)",
    "time_may_jump": "whether time may jump within a scene (U5.15)",
    "used_up": "whether a Component's Traits are used up",
    "only_added": "whether dice may only be added to a Pool (U6.11)",
}
"""Questions that are answered with the id of the rule that says so: asked as yes or no."""


def _acting_player(play: Table, player: str) -> str:
    """The player whom a question is about: the acting player, if no other is named."""
    return player or (play.current.player if play.current is not None else "")


def _hits(play: Table, shown: Any) -> list[int]:
    success = play.state.points.success
    return [face for face in shown if success(play, face)]


def _point(question: str) -> ExtensionPoint | None:
    signature = inspect.signature(getattr(RulePoints, question))
    sort = YES_NO if question in _BY_ID else _SORTS.get(str(signature.return_annotation))
    if sort is None or question in _INTERNAL:
        return None
    parameters = [name for name in signature.parameters if name not in ("self", "play")]
    names: dict[str, FormulaName] = {}
    for at, parameter in enumerate(parameters):
        # A trait tells its own copies; those that are bought are told only where there is none yet.
        names |= {key: name_ for key, name_ in _names(parameter, at).items() if key not in names}
    words = " ".join((inspect.getdoc(getattr(RulePoints, question)) or "").split())
    doc = _BY_ID.get(question) or words.partition(". ")[0].rstrip(".")
    if question.startswith("bars_"):
        doc = "whether it is allowed: no " + doc.removeprefix("What ")
    spoken = question.replace("bars_", "may_").replace("_", " ")
    doc = doc[:1].lower() + doc[1:] if doc[1:2].islower() and doc[:5] != "Coins" else doc
    return ExtensionPoint(
        spoken, doc.replace("``", "`"), names=MappingProxyType(names), value_type=sort
    )


_QUESTIONS: Final = tuple(
    name for name, value in vars(RulePoints).items() if inspect.isfunction(value)
)
BY_QUESTION: Final[Mapping[str, ExtensionPoint]] = {
    name: point
    for name in _QUESTIONS
    if not name.startswith("_") and name not in ("link", "answers")
    if (point := _point(name)) is not None
}
"""Every question that a house rule may answer, and the point that it is."""
POINTS: Final = tuple(BY_QUESTION.values())


class ComputedRules(RulePoints):
    """A rule of the table's own, where it has a formula."""

    def __init__(self, rule: AdoptedRule, inner: RulePoints) -> None:
        self.id = rule.id
        self.rule = rule
        super().__init__(inner)

    def answers(self, name: str) -> bool:
        """What it has a formula for."""
        point = BY_QUESTION.get(name)
        if name == "die":
            return "success" in self.rule.formulas
        return point is not None and point.name in self.rule.formulas

    def link(self) -> None:
        """Let its formulas answer, and pass on the rest."""
        super().link()
        for question, point in BY_QUESTION.items():
            if point.name in self.rule.formulas:
                self.__dict__[question] = self._ask_formula(question, point)

    def _ask_formula(self, question: str, point: ExtensionPoint) -> Callable[..., Any]:
        signature = inspect.signature(getattr(RulePoints, question))
        sort = "id" if question in _BY_ID else str(signature.return_annotation)

        def by_formula(*positional: Any, **named: Any) -> Any:
            bound = signature.bind(self, *positional, **named)
            bound.apply_defaults()
            play, *arguments = bound.args[1:]
            usual = getattr(self.inner, question)(*positional, **named)
            return self._answer(sort, point, play, usual, arguments)

        return by_formula

    def _answer(
        self, sort: str, point: ExtensionPoint, play: Table, usual: Any, arguments: list[Any]
    ) -> Any:
        work_out = self.rule.work_out
        match sort:
            case "id":
                yes = work_out(play, point, bool(usual), *arguments)
                return (usual or self.id) if yes else ""
            case "Bar | None":
                if work_out(play, point, usual is None, *arguments):
                    return None
                return usual or Bar("T85", f"'{self.id}': {self.rule.text}")
            case "Answer":
                yes = work_out(play, point, usual.yes, *arguments)
                return usual if yes == usual.yes else usual._replace(yes=yes, words=self.rule.text)
        return work_out(play, point, usual, *arguments)

    def die(self, play: Table) -> DieRule:
        """The same dice or cards, with other chances where another face is a Success."""
        usual = self.inner.die(play)
        counting, play.is_applying_entry = play.is_applying_entry, False
        hits = sum(1 for face in range(1, usual.sides + 1) if play.state.points.success(play, face))
        play.is_applying_entry = counting
        words = f"a Success is what '{self.id}' says"
        chance = (hits, usual.sides) if usual.chance is not None else None
        return usual._replace(words=words, chance=chance)


def lay_house_rules(play: Table) -> None:
    """Let the rules of the table's own that are in force compute, the newest last, and no others."""
    from chronicle.games.universalis.undo import lay, layers_of

    other_layers = [
        layer
        for layer in layers_of(play)
        if not (isinstance(layer, ComputedRules) and layer.rule.ending_step_number)
    ]
    computed_ids = {id(layer.rule) for layer in other_layers if isinstance(layer, ComputedRules)}
    lay(play, other_layers)
    for rule in play.adopted_rules.rules.values():
        if rule.formulas and not rule.ending_step_number and id(rule) not in computed_ids:
            play.state.points = ComputedRules(rule, play.state.points)
