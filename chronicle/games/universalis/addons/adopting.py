"""Adopting add-ons: how a log names them, what they need, what they contradict (4.7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from chronicle.core.declare import Decides, Offered, Part, PartOf, main, option
from chronicle.core.diagnostic import Fact, ask_whether, nearest_words
from chronicle.core.field_types import NAME, Context, FieldType, Misread, choice, label, shown
from chronicle.core.fix import add_entry, set_key
from chronicle.core.schemas import Schema
from chronicle.core.source import MappingNode, Place, ScalarNode, SequenceNode, Value, place_of
from chronicle.games.universalis.actions import PREPARING, Entry, on_a_turn
from chronicle.games.universalis.addons.base import AddOn
from chronicle.games.universalis.addons.catalogue import ADD_ONS as LISTED
from chronicle.games.universalis.addons.catalogue import add_on, all_add_ons
from chronicle.games.universalis.points import Table
from chronicle.games.universalis.preparation import accept_gimmick, proposers
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
        raise Misread(f"the name of an add-on expected here, found {shown(key)}", key)
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


class Adopt(Entry):
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

    @classmethod
    def candidates(cls, play: Table) -> Iterator[Mapping[str, Any]]:
        """Add-ons that fit beside those in force, with nothing that a group must set first."""
        adopted = {present_add_on.key: present_add_on for present_add_on in play.state.add_ons}
        if len(adopted) > 2 or play.state.tenets_this_turn:
            return
        for _, by in proposers(play, "gimmick"):
            for kind in all_add_ons():
                if (
                    kind.key not in adopted
                    and all(needed in adopted for needed in kind.needs)
                    and not any(field.required for field in kind.parameters.fields.values())
                    and not any(_is_at_odds(kind, rival) for rival in adopted.values())
                ):
                    yield {"adopt": kind.key, **by}


def _is_at_odds(kind: type[AddOn], rival: AddOn) -> bool:
    """Whether an add-on contradicts another, or one of them would have no effect."""
    return any(
        first.key in (*second.excludes, *second.idle_with)
        for first, second in ((kind, rival), (rival, kind))
    )


def adopt_in_play(play: Table, action: Adopt) -> None:
    """A Rules Gimmick out of the book (U2.11)."""
    paid: set[str] = set()
    for chosen in _in_order(action.what):
        kind = add_on(chosen.word.strip().casefold())
        tenet = accept_gimmick(
            play,
            action,
            kind.title,
            action.changes,
            str(action.scope),
            kind.key,
            free=kind.bundle in paid,
        )
        if kind.bundle:
            paid.add(kind.bundle)
        if adopt(play, chosen, tenet.id, chosen.word):
            play.event(f"Add-on in force: {kind.title}", kind.code, "tenet", tenet.id)
        play.step.headline = f"An add-on: {kind.title}"


def adopt(play: Table, chosen: Chosen, id: str, at: Place | ScalarNode) -> bool:
    """Put an add-on in force, under the id of what adopts it.

    Returns False, having reported why, if it cannot be: it is in force already, it contradicts
    another, or it needs one that is missing.
    """
    state = play.state
    kind = add_on(chosen.word.strip().casefold())
    play.touched_by_rule[id] = (kind.code, *kind.changes)
    by_key = {present_add_on.key: present_add_on for present_add_on in state.add_ons}
    old = by_key.get(kind.key)
    if old is not None:
        return play.illegal(
            kind.code,
            f"the add-on '{kind.key}' is in force already",
            at=at,
            facts=_adopted_facts(play, old.key),
            fix=set_key("changes", old.id, when="if this changes what it sets"),
        )
    for key, rival in by_key.items():
        reason = kind.excludes.get(key) or rival.excludes.get(kind.key)
        if reason:
            return play.illegal(
                kind.code,
                f"'{kind.key}' contradicts '{key}', which is in force: {reason}",
                at=at,
                facts=_adopted_facts(play, key),
                fix=add_entry(f"end gimmick: {rival.id}"),
            )
    missing = [key for key in kind.needs if key not in by_key]
    if missing:
        first = add_on(missing[0])
        return play.illegal(
            kind.code,
            f"'{kind.key}' means nothing without '{first.key}' ({first.code})",
            at=at,
            fix=add_entry(f"adopt: {first.key}"),
        )
    for key, rival in by_key.items():
        reason = kind.idle_with.get(key) or rival.idle_with.get(kind.key)
        if reason:
            play.suspect(
                True,
                kind.code,
                f"'{kind.key}' and '{key}' together: {reason}",
                at=at,
            )
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
    for listed in _in_order(chosen):
        adopt(
            play, listed, listed.word.strip().casefold(), place_of(listed.word, play.campaign.path)
        )


def _in_order(chosen: tuple[Chosen, ...]) -> list[Chosen]:
    """Add-ons named together, in an order in which each finds what it needs."""
    order = list(LISTED)
    return sorted(chosen, key=lambda listed: order.index(listed.word.strip().casefold()))


def _adopted_facts(play: Table, key: str) -> list[Fact]:
    adoption = next((a for a in reversed(play.state.adoptions) if a.key == key), None)
    if adoption is None or not adoption.step:
        return []
    return [play.because(adoption.step, "adopted here")]
