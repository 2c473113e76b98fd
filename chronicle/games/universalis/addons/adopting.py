"""Adopting add-ons: how a log names them, what they need, what they contradict (4.7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from chronicle.core.declare import Decides, Offered, Part, PartOf, main, option
from chronicle.core.diagnostic import DiagnosticKind, ask_whether, nearest_words
from chronicle.core.field_types import NAME, Context, FieldType, choice, label
from chronicle.core.fix import add_entry, set_key
from chronicle.core.guards import Violation, guard
from chronicle.core.misread import Misread, shown
from chronicle.core.schemas import Schema
from chronicle.core.source import MappingNode, Place, ScalarNode, SequenceNode, Value, place_of
from chronicle.games.universalis import facts
from chronicle.games.universalis.actions import PREPARING, on_a_turn
from chronicle.games.universalis.addons.base import AddOn
from chronicle.games.universalis.addons.catalogue import ADD_ONS as LISTED
from chronicle.games.universalis.addons.catalogue import add_on, all_add_ons
from chronicle.games.universalis.gates import report_all
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.preparation import ChangesTenets, note_gimmick, pay_for_gimmick
from chronicle.games.universalis.state import Adoption


class Chosen(NamedTuple):
    """An add-on as a log names it: the word, and what the group set."""

    word: ScalarNode
    parameters: Part


class _AddOns(FieldType[tuple[Chosen, ...]]):
    words = "an add-on, a list of them, or {add-on: {what the group sets}}"

    def read(self, value: Value, context: Context) -> tuple[Chosen, ...]:
        if isinstance(value, SequenceNode):
            return tuple(listed for item in value for listed in self.read(item, context))
        if isinstance(value, MappingNode):
            return tuple(_choose(key, inner, context) for key, inner in value.items())
        return (_choose(value, None, context),)

    def schema(self) -> Schema:
        properties: Schema = {}
        for kind in all_add_ons():
            set_by_group = kind.parameters
            fields: Schema = {"type": "object", "additionalProperties": False}
            if set_by_group.fields:
                fields = PartOf(set_by_group).schema()
            types = fields["type"]
            type_names = [types] if isinstance(types, str) else list(types)
            properties[kind.key] = {
                **fields,
                "type": [*type_names, "null"],
                "description": f"{kind.code} {kind.title}: {kind.summary}",
            }
        return {
            "type": ["string", "array", "object"],
            "items": {"type": ["string", "object"]},
            "properties": properties,
            "additionalProperties": False,
        }


def _choose(key: Value, inner: Value | None, context: Context) -> Chosen:
    if not isinstance(key, ScalarNode) or not key.strip():
        raise Misread(f"write the name of an add-on here, not {shown(key)}", key)
    name = key.strip().casefold()
    if name not in LISTED:
        similar_keys = nearest_words(key, list(LISTED))
        help = f"add-ons: {', '.join(LISTED)}"
        raise Misread(
            f"no add-on '{key}'{ask_whether(key, similar_keys)}",
            key,
            help,
            replacements=similar_keys,
            is_told=True,
        )
    kind = add_on(name)
    if inner is None or (isinstance(inner, ScalarNode) and not inner.strip()):
        fields = kind.parameters.fields.values()
        missing = next((field for field in fields if field.required), None)
        if missing is not None:
            raise Misread(
                f"'{kind.key}' needs '{missing.name}': {missing.doc}",
                key,
                f"write  {{{kind.key}: {{{missing.name}: ...}}}}",
                "T23",
            )
        parameters = kind.parameters()
        parameters.source = key
        return Chosen(key, parameters)
    if not kind.parameters.fields:
        raise Misread(f"there is nothing to set in '{kind.key}'", inner, "write its name alone")
    return Chosen(key, PartOf(kind.parameters).read(inner, context))


ADD_ONS: FieldType[tuple[Chosen, ...]] = _AddOns()


class _InForce(NamedTuple):
    """An add-on in force: its class, its id, and the entry that adopted it (0: none did)."""

    kind: type[AddOn]
    id: str
    step: int


class Adopt(ChangesTenets):
    """Put an add-on of the book in force, as a Rules Gimmick: 1 Coin, one Tenet a turn. It can be ended
    by its name, with 'end gimmick:'."""

    verb = "adopt"
    about_table = True
    decides = Decides("turn", "U2.4", action_phrase="adopts an add-on")
    moment = on_a_turn("U2.4", PREPARING)
    example = "adopt: friendly control\n  scope: scene"
    what = main(ADD_ONS, "the add-on, or {add-on: {what the group sets}}")
    scope = option(
        choice("game", "scene", "complication", "session"), "how long it holds", default="game"
    )
    changes = option(label(NAME), "the add-on (or the id) whose figures this changes")
    offered = Offered("U2.11", "put an add-on in force for 1 Coin")
    item = "gimmick"

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        """Add-ons that fit beside those in force, with nothing that a group must set first."""
        adopted = _in_force(play)
        if len(adopted) > 2 or play.state.tenets_this_turn:
            return
        for _, by in cls.proposers(play):
            for kind in all_add_ons():
                is_open = any(field.required for field in kind.parameters.fields.values())
                if not is_open and not any(_bars_adoption(play, kind, adopted)):
                    yield {"adopt": kind.key, **by}

    def paying(self) -> Iterator[tuple[Chosen, type[AddOn], bool]]:
        """The add-ons in an order in which each finds what it needs, with their classes; a bundle is paid once."""
        paid: set[str] = set()
        for chosen, kind in _in_order(self.what):
            yield chosen, kind, kind.bundle not in paid
            paid.update({kind.bundle} - {""})

    def number(self) -> int:
        return sum(is_paid for _, _, is_paid in self.paying())

    @guard("U2.11")
    def fits_what_is_in_force(self, play: Table) -> Iterator[Violation]:
        return _bars_adoptions(play, self.what, facts.id_of_tenet(play, self.changes))

    def apply(self, play: Table) -> None:
        """A Rules Gimmick out of the book (U2.11)."""
        for chosen, kind, is_paid in self.paying():
            if is_paid:
                pay_for_gimmick(play)
            tenet = note_gimmick(play, self, kind.title, self.changes, str(self.scope), kind.key)
            if adopt(play, chosen, tenet.id):
                play.event(f"Add-on in force: {kind.title}", kind.code, "tenet", tenet.id)
            play.step.headline = f"An add-on: {kind.title}"


def _in_force(play: Table) -> dict[str, _InForce]:
    steps = {adoption.key: adoption.step for adoption in play.state.adoptions}
    return {
        layer.key: _InForce(type(layer), layer.id, steps.get(layer.key, 0))
        for layer in play.state.add_ons
    }


def _bars_adoption(
    play: Table,
    kind: type[AddOn],
    in_force: Mapping[str, _InForce],
    at: Place | ScalarNode | None = None,
) -> Iterator[Violation]:
    """Why an add-on cannot be adopted: it is in force already, it contradicts another, or it needs one that is missing.
    Or why it has no effect."""
    old = in_force.get(kind.key)
    if old is not None:
        yield Violation(
            f"the add-on '{kind.key}' is in force already",
            at,
            set_key("changes", old.id, when="if this changes what it sets"),
            facts=play.facts(old.step, "adopted here"),
            rule=kind.code,
        )
        return
    for key, rival in in_force.items():
        reason = kind.excludes.get(key) or rival.kind.excludes.get(kind.key)
        if reason:
            yield Violation(
                f"'{kind.key}' contradicts '{key}', which is in force: {reason}",
                at,
                add_entry(f"end gimmick: {rival.id}"),
                facts=play.facts(rival.step, "adopted here"),
                rule=kind.code,
            )
            return
    missing = [add_on(key) for key in kind.needs if key not in in_force]
    if missing:
        yield Violation(
            f"'{kind.key}' means nothing without '{missing[0].key}' ({missing[0].code})",
            at,
            add_entry(f"adopt: {missing[0].key}"),
            rule=kind.code,
        )
        return
    for key, rival in in_force.items():
        reason = kind.idle_with.get(key) or rival.kind.idle_with.get(kind.key)
        if reason:
            yield Violation(
                f"'{kind.key}' and '{key}' together: {reason}",
                at,
                kind=DiagnosticKind.SUSPICIOUS,
                rule=kind.code,
            )


def _is_refused(bars: Iterable[Violation]) -> bool:
    return any(bar.kind is None for bar in bars)


def _bars_adoptions(
    play: Table, chosen: Iterable[Chosen], changed: str = "", *, file: str | None = None
) -> Iterator[Violation]:
    """What keeps add-ons that are named together from being adopted, one after the other. The one with the id
    ``changed`` is in force no longer."""
    in_force = {key: old for key, old in _in_force(play).items() if old.id != changed}
    step = play.current.number if play.current is not None else 0
    for named, kind in _in_order(chosen):
        at = named.word if file is None else place_of(named.word, file)
        bars = [*_bars_adoption(play, kind, in_force, at)]
        yield from bars
        if not _is_refused(bars):
            in_force[kind.key] = _InForce(kind, kind.key, step)


def adopt(play: Table, chosen: Chosen, id: str) -> bool:
    """Put an add-on in force, under the id of what adopts it. Whether it can be."""
    state = play.state
    kind = add_on(chosen.word.strip().casefold())
    play.touched_by_rule[id] = (kind.code, *kind.changes)
    if _is_refused(_bars_adoption(play, kind, _in_force(play))):
        return False
    layer = kind(id, chosen.parameters, state.points)
    state.points = layer
    state.add_ons.append(layer)
    state.adoptions.append(
        Adoption(kind.key, id, play.current.number if play.current is not None else 0)
    )
    layer.adopted(play)
    return True


def adopt_all(play: Table, chosen: tuple[Chosen, ...]) -> None:
    """Adopt what ``campaign.yaml`` lists."""
    report_all(play, _bars_adoptions(play, chosen, file=play.campaign.path))
    for named, kind in _in_order(chosen):
        adopt(play, named, kind.key)


def _in_order(chosen: Iterable[Chosen]) -> list[tuple[Chosen, type[AddOn]]]:
    """Add-ons named together with their classes, in an order in which each finds what it needs."""
    order = list(LISTED)
    by_key = [(named, add_on(named.word.strip().casefold())) for named in chosen]
    return sorted(by_key, key=lambda pair: order.index(pair[1].key))
