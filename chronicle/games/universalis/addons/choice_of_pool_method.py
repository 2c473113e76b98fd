"""UA.34: how the Pools of one Complication meet is chosen for it, by a Gimmick that ends with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from chronicle.core.answers import Move, one_of
from chronicle.core.declare import Decides, Part, PartOf, main
from chronicle.core.diagnostic import ask_whether, nearest_words
from chronicle.core.field_types import Context, FieldType
from chronicle.core.fix import add_entry
from chronicle.core.guards import Violation, guard, question
from chronicle.core.misread import Misread, shown
from chronicle.core.schemas import Schema
from chronicle.core.source import MappingNode, ScalarNode, Value
from chronicle.games.universalis.actions import NOT_PREPARING
from chronicle.games.universalis.addons.all_or_none import AllOrNone
from chronicle.games.universalis.addons.base import AddOn, AddOnEntry, memory
from chronicle.games.universalis.addons.best_effort import BestEffort
from chronicle.games.universalis.addons.independent_target_pools import IndependentTargetPools
from chronicle.games.universalis.addons.individual_pools import IndividualPools
from chronicle.games.universalis.addons.pool_methods import PoolMethod, core_rules
from chronicle.games.universalis.addons.split_allocation import SplitAllocation, with_shares
from chronicle.games.universalis.addons.standard_pool import StandardPool
from chronicle.games.universalis.divisions import reunite, root_number
from chronicle.games.universalis.gates import carry_out
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.preparation import ChangesTenets, note_gimmick, pay_for_gimmick
from chronicle.games.universalis.state import Complication, RollRound, Stage

METHODS: Mapping[str, type[PoolMethod]] = {
    method.key: method
    for method in (
        StandardPool,
        IndependentTargetPools,
        SplitAllocation,
        IndividualPools,
        AllOrNone,
        BestEffort,
    )
}
"""The six ways of the book, by what logs call them."""


class Chosen(NamedTuple):
    """A method with what the players set in it."""

    key: str
    parameters: Part


class _Method(FieldType[Chosen]):
    words = "a pool method, or {pool method: {what is set in it}}"

    def read(self, value: Value, context: Context) -> Chosen:
        inner: Value | None = None
        if isinstance(value, MappingNode) and len(value) == 1:
            value, inner = next(iter(value.items()))
        if not isinstance(value, ScalarNode):
            raise Misread(f", not {shown(value)}", value, expected=self.words)
        kind = METHODS.get(value.strip().casefold())
        if kind is None:
            similar_methods = nearest_words(value, list(METHODS))
            message = f"no pool method '{value}'{ask_whether(value, similar_methods)}"
            help = f"pool methods: {', '.join(METHODS)}"
            raise Misread(message, value, help, replacements=similar_methods, is_told=True)
        parameters = kind.parameters()
        parameters.source = value
        if inner is not None:
            parameters = PartOf(kind.parameters).read(inner, context)
        return Chosen(kind.key, parameters)

    def schema(self) -> Schema:
        return {
            "type": ["string", "object"],
            "properties": {
                key: {**PartOf(kind.parameters).schema(), "description": kind.summary}
                for key, kind in METHODS.items()
                if kind.parameters.fields
            },
        }


_METHOD: FieldType[Chosen] = _Method()


class ChoosePoolMethod(AddOnEntry, ChangesTenets):
    """Choose how several Pools meet in the open Complication: a Gimmick for it alone, 1 Coin."""

    verb = "pool method"
    about_table = True
    decides = Decides("turn", "UA.34", action_phrase="chooses a pool method")
    moment = NOT_PREPARING
    example = "pool method: best effort"
    method = main(
        _METHOD,
        "standard pool, independent target pools, split allocation, individual pools, all or none or "
        "best effort; {method: {what is set in it}}",
    )

    @guard("UA.34")
    def comes_before_the_roll(self, play: Table) -> Violation | None:
        state, complication = play.state, play.state.current_complication()
        if complication is None:
            fix = add_entry("complication: {...: [...]}")
            message = "a pool method, and no Complication is open"
            return None if play.gap > 0 else Violation(message, fix=fix, since=0)
        root = root_number(play, complication)
        fallen, title = _fallen(play, root), state.complications[root - 1].title
        message = f"'{title}' has been rolled; how its Pools meet is chosen before that"
        facts = play.facts(fallen, "rolled here")
        return Violation(message, facts=facts) if fallen else None

    @question("UA.34")
    def leaves_a_choice(self, play: Table) -> Violation | None:
        complication = play.state.current_complication()
        if complication is None or _fallen(play, root_number(play, complication)):
            return None
        if len(complication.pools) > 2 or complication.everybody or complication.part_of:
            return None
        return Violation(
            f"'{complication.title}' has one Pool on each side, so there is nothing to choose",
            help="pool methods are for several Targets that different players Control",
        )

    def apply(self, play: Table) -> None:
        """Until the Complication is over its Pools meet in this way."""
        chosen, kind = self.method, METHODS[self.method.key]
        complication = play.state.current_complication()
        play.step.headline = "A pool method"
        root = root_number(play, complication) if complication is not None else 0
        if complication is None or _fallen(play, root):
            return
        pay_for_gimmick(play)
        note_gimmick(play, self, kind.title, None, "complication")
        title = kind.title.casefold()
        play.step.headline = f"A pool method: {title}"
        memory(play, MethodsChosen).of[root] = chosen
        words = f"in '{complication.title}' the Pools meet by the method '{title}'"
        play.event(words, kind.code, "method")
        _begin(play, root)


@dataclass(slots=True, eq=False)
class MethodsChosen:
    """The chosen method of each Complication, by its number."""

    of: dict[int, Chosen] = field(default_factory=dict)


def _fallen(play: Table, root: int) -> int:
    """The entry in which the first dice of a Complication, or of a part of it, fell; 0 if none did."""
    return next(
        (
            complication.rounds[0].step
            for complication in play.state.complications
            if complication.rounds
            and complication.stage is not Stage.STRUCK
            and root_number(play, complication) == root
        ),
        0,
    )


def _begin(play: Table, number: int) -> None:
    """Restart with the method in force: parts made by another method are joined again."""
    complication = play.state.complications[number - 1]
    if complication.stage is Stage.DIVIDED:
        reunite(play, complication, Stage.OPEN)
    method = _method(play, complication)
    if method is not None:
        method.begin(play, complication)


def _method(play: Table, complication: Complication) -> PoolMethod | None:
    """The method chosen for a Complication, as a layer on the core rules; None if none was."""
    chosen = memory(play, MethodsChosen).of.get(root_number(play, complication))
    if chosen is None:
        return None
    return METHODS[chosen.key]("", chosen.parameters, core_rules(play.state.points))


def _by_choice(question: str) -> Any:
    """A question that the chosen method answers."""

    def answer(self: AddOn, play: Table, complication: Complication, *arguments: RollRound) -> Any:
        layer = _method(play, complication) or self.inner
        return getattr(layer, question)(play, complication, *arguments)

    return answer


class ChoiceOfPoolMethod(AddOn):
    """A method for this once."""

    summary = (
        "Where a Complication has several Targets any player may choose on their own turn, as a Gimmick "
        "for 1 Coin, how its Pools meet: one of UA.35 to UA.40."
    )
    changes = ("U6.19",)
    rule_text = """
        UA.34 Choice of Pool Method [checked]
          'pool method:' holds for the Complication at hand, before it is rolled, and goes over what is the table's
          habit. It can be Challenged like any Gimmick. A method of the players' own is a Gimmick in their own
          words.
        """
    verbs = {ChoosePoolMethod: carry_out}  # noqa: RUF012

    pool_method = _by_choice("pool_method")
    verdict = _by_choice("verdict")
    counted = _by_choice("counted")
    allocator = _by_choice("allocator")
    meets_singly = _by_choice("meets_singly")
    may_buy_dice = _by_choice("may_buy_dice")

    def options(self, play: Table, options: list[Move]) -> list[Move]:
        """Before the roll players can choose a method; a roll comes with what the chosen one needs."""
        state = play.state
        complication = state.current_complication()
        if complication is None:
            return options
        if _method(play, complication) is not None:
            return with_shares(play, complication, options)
        fits = (
            complication.stage is Stage.OPEN
            and not _fallen(play, root_number(play, complication))
            and (len(complication.pools) < 3 or not complication.side("complication")[0].entries)
            and any(option.verb == "tenet" for option in options)
        )
        if fits:
            hint = "choose how Pools meet"
            options.append(self.offer("pool method", state.turn, hint, one_of(list(METHODS))))
        return options
