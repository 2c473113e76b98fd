"""Candidates for a place in a line: verbs, keys, names and words that may stand there now."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from itertools import chain, combinations
from random import Random
from typing import Any

from chronicle.core.common import COMMON_VERBS, EndSession, Reveal
from chronicle.core.declare import (
    PAIR,
    SPEECH,
    TEXT,
    YES_NO,
    Action,
    Field,
    Kind,
    PartOf,
    alternatives,
    bare,
)
from chronicle.core.house import COMPUTES, points_of, told_names
from chronicle.core.law import Law, Role, broken, player_named
from chronicle.core.moment import figures
from chronicle.core.names import PLAYER, Named
from chronicle.core.play import Offer, Option
from chronicle.core.replay import Replay
from chronicle.core.stated import FIGURES, STANDING, kind_of_stated
from chronicle.desk.choices import Candidate
from chronicle.desk.table import asked_for, barred_verbs, beginning, ended, owed
from chronicle.desk.usage import LATELY, Usage
from chronicle.transcript.kinds import recorded, types_in
from chronicle.transcript.one_line import (
    Line,
    Slot,
    split_line,
)
from chronicle.words import word

MOST_WORDS = 44
"""How long the words may be that stand with a key."""
MOST_PAIRED = 8
"""Of how many names pairs are offered."""
MOST_NUMBERS = 7
"""How many numbers are offered where one is asked for."""
EVERYBODY = "everybody"
ALL = frozenset({EVERYBODY, "all"})
"""Words for whatever there is of something."""


class Candidates:
    """The candidates at one moment of play. The replay is not changed.

    Args:
        replay: The replay at that moment.
        by: Whose act the line is; empty: anybody's.
    """

    def __init__(self, replay: Replay[Any], by: str = "") -> None:
        self.replay, self.by = replay, by
        self.play, self.rules = replay.play, replay.rulebook
        self.options = [
            one for one in self.rules.options(self.play) if not by or one.by in ("", by)
        ] or self.rules.options(self.play)
        self.due = owed(replay)
        self.usage = Usage(self.play.steps[-LATELY:], self.play.names, self.rules)

    def of_verbs(self, head: str) -> Iterator[Candidate]:
        asked = asked_for(self.replay, self.due)
        turn = self.rules.standing(self.play).turn
        seen: dict[str, list[Option]] = {}
        for one in self.options:
            seen.setdefault(one.verb, []).append(one)
        if ended(self.replay):
            seen.pop(EndSession.verb, None)
            why = word("server.session_over")
            yield Candidate(EndSession.verb, "", "verb", why, EndSession.verb, also=EndSession.also)
        always = {kind.verb: kind for kind in COMMON_VERBS if kind.verb not in seen}
        always.pop(EndSession.verb if ended(self.replay) else "", None)
        # What may be written at any time is what the moment waits for half as often.
        likely = {verb: 2 * self.usage.likely(verb) for verb in seen}
        likely |= {verb: self.usage.likely(verb) for verb in always}
        again = {one.verb for one in self.options if one.again}
        told = {one.verb for one in self.options if one.said}
        for verb in sorted(
            likely, key=lambda v: (v in again, v not in told, v not in asked, -likely[v])
        ):
            same = seen.get(verb)
            if same is None:
                kind = always[verb]
                yield Candidate(
                    verb, "", "verb", into=f"{verb} ", hint=doc_of(kind), also=kind.also
                )
                continue
            line = beginning(self.replay, same[0])[0] if len(same) == 1 else f"{verb} "
            prices = {one.price for one in same}
            note = _price(prices.pop()) if len(prices) == 1 else ""
            hint = min(same, key=lambda one: one.by not in ("", turn)).hint
            also = self.rules.by_verb[verb].also
            yield Candidate(verb, note, "verb", into=line, hint=hint, also=also)
        barred = {told["verb"]: told["why"] for told in barred_verbs(self.replay, seen)}
        for name in self.rules.own_verbs:
            if name not in seen:
                also = self.rules.by_verb[name].also
                yield Candidate(name, "", "verb", barred.get(name, ""), f"{name} ", also=also)

    def of_keys(self, line: Line, text: str) -> Iterator[Candidate]:
        whole = split_line(text, self.rules.by_verb)
        there = {part.key for part in (whole or line).parts}
        verb = line.verb
        fields = [
            one
            for one in verb.fields.values()
            if one.name not in there and (one.name not in Action.fields or one.name == "by")
        ]
        for one in sorted(fields, key=lambda one: self.order(verb, one)):
            yield Candidate(
                one.name, in_words(one.doc), "key", into=f", {one.name}: ", hint=one.doc
            )

    def order(self, verb: type[Action], key: Field) -> tuple[bool, bool, int, bool, bool]:
        """By what the keys of a verb are told: what it needs, its own, the most used, and last what
        is there to be checked alone and what every other verb of the game has as well."""
        verbs = self.rules.own_verbs
        shared = 2 * sum(key.name in self.rules.by_verb[one].fields for one in verbs) > len(verbs)
        own = key.name not in Action.fields
        return not key.required, not own, -self.usage.keys(verb.verb, key.name), key.checked, shared

    def of_values(self, verb: type[Action], field: Field, slot: Slot) -> Iterator[Candidate]:
        if field.kind in (FIGURES, STANDING) and not {*slot.path[:1]} & {*self.rules.things}:
            if field.kind is STANDING and not slot.path:
                yield from self._snapshot_parts(slot)
            yield from self._figures(slot)
            return
        if computing(slot, field):
            yield from self._computed(slot)
            return
        offers = [*self.offered(verb, field, slot)]
        if not slot.path and own_words(slot) and field.is_place:
            there = {one.label.casefold() for one in offers}
            offers += [one for one in self._places() if one.label.casefold() not in there]
        kinds = [*recorded_kinds(slot.kind)]
        kind = next((one for one in kinds if isinstance(one, PartOf)), kinds[0] if kinds else None)
        tail = ": " if slot.naming else ""
        if slot.naming and not isinstance(kind, PartOf) and not slot.path:
            # Where names may stand in place of what is said of one, that is no name.
            said = {
                name
                for one in map(bare, alternatives(self.kind_of(field)))
                if isinstance(one, PartOf)
                for name in one.part.fields
            }
            offers = [one for one in offers if one.label not in said]
        has = {self.meant(one) for one in slot.listed} - self.begins_another(slot)
        # What a mapping or a list has it does not take again; where all is taken, nothing is left.
        if has & ALL and not slot.naming:
            return
        taken = has | (ALL if has and not slot.naming else set())
        left = [one for one in offers if self.meant(one.label) not in taken]
        if offers and not left and not isinstance(kind, PartOf):
            return
        offers = left
        if offers and slot.naming and isinstance(kind, PartOf):
            # A name that may stand here as it is begins no mapping.
            begin = [one for one in offers if one.label in kind.part.fields]
            barred = {*kind.part.apart} if {*slot.listed} & {*kind.part.apart} else set()
            if not slot.several:
                begin = [one for one in begin if one.label not in barred]
            rest = [*self._parts(kind, slot, {*barred, *(one.label for one in begin)})]
            # Of what is begun the rest is due, not another beginning.
            first, then = (rest, begin) if slot.listed else (begin, rest)
            yield from (one._replace(tail=tail) for one in (*first, *then))
            return
        if offers:
            yield from (one._replace(tail=tail or one.tail) for one in offers)
            return
        if not slot.path and field.name == "by" and field.name in Action.fields:
            yield from self.actors(verb)
            return
        if field is Reveal.main:
            for secret in self.play.vault.unrevealed():
                yield Candidate(secret.slot, secret.player)
            return
        if not slot.path and EVERYBODY in field.words:
            yield Candidate(EVERYBODY)
        if slot.naming and isinstance(kind, PartOf):
            yield from self._parts(kind, slot)
            return
        for name, inner in slot.schema.get("properties", {}).items() if slot.naming else ():
            if name not in slot.listed:
                yield Candidate(name, "", "part", tail=": ", hint=inner.get("description", ""))
        words = _words_of(kind, slot.schema)
        if words:
            yield from (Candidate(word) for word in words)
            return
        if spoken(slot):
            # Whose words they are stands before them.
            speaks = () if ":" in slot.typed else self.any_name(field)
            yield from (
                one._replace(tail=": ") for one in sorted(speaks, key=lambda one: -one.weight)
            )
            return
        law = self.rules.law
        if slot.role and law is not None and slot.role in law.roles:
            found = self._in_role(law, law.roles[slot.role])
        elif slot.role is None and kind is not None and kind.naming():
            found = self.any_name(field)
        else:
            yield from _numbers(slot)
            return
        there = {self.meant(one) for one in slot.listed}
        if isinstance(kind, type(PAIR)):
            found = self._pairs(found)
        if field is verb.main and not slot.path:
            found = chain(found, self._owing(verb))
        for one in self._due_first(verb, found):
            if self.meant(one.label) not in there:
                yield one._replace(tail=tail)

    def begins_another(self, slot: Slot) -> set[str]:
        """The keys with which another thing may begin in a place."""
        kind = bare(slot.kind) if slot.kind is not None else None
        return {*kind.part.apart} if slot.several and isinstance(kind, PartOf) else set()

    def _computed(self, slot: Slot) -> Iterator[Candidate]:
        """What a house rule may compute, and the names that its formula may use."""
        points = points_of(self.play)
        if slot.naming:
            for name, point in points.items():
                if name not in slot.listed:
                    yield Candidate(name, str(point.sort), "name", tail=": ", hint=point.doc)
            return
        asked = points.get(slot.path[-1] if slot.path else "")
        for name, doc in told_names(asked).items() if asked is not None else ():
            yield Candidate(name, hint=doc)

    def _snapshot_parts(self, slot: Slot) -> Iterator[Candidate]:
        """What else the game says as it stands: cards, the open scene."""
        for name, thing in self.rules.things.items():
            if slot.naming and name not in slot.listed:
                yield Candidate(name, "", "name", tail=": ", hint=thing.doc)

    def _figures(self, slot: Slot) -> Iterator[Candidate]:
        """What can be counted, of whom, and what it is by this record."""
        measures = self.rules.by_measure
        found = figures(self.play, measures)
        if not slot.path:
            for name in found if slot.naming else ():
                if name not in slot.listed:
                    yield Candidate(name, "", "name", tail=": ", hint=measures[name].doc)
            return
        known = found.get(slot.path[0], {})
        if "" in known or len(slot.path) > 1:
            value = known.get("" if "" in known else slot.path[-1])
            if value is not None:
                yield Candidate(str(value), word("server.by_this_record"))
            return
        for who, value in known.items():
            yield Candidate(who, str(value), "name", tail=": ")

    def actors(self, verb: type[Action]) -> Iterator[Candidate]:
        """Who may act: whose it is by the game first, then the table, then whoever is played."""
        likely = [one for one in self.rules.options(self.play) if one.verb == verb.verb]
        # A character is named where the game has it so, before the player whose it is.
        first = dict.fromkeys(str(one.entry(Random(0)).get("by", one.by)) for one in likely)
        named = self.play.names.all
        players = [id for id, one in named.items() if one.kind == PLAYER]
        others = [
            id for id in named if id not in players and self._note(id) and not self._is_pair(id)
        ]
        due = [id for id in (*players, *others) if named[id].name in first or id in first]
        others.sort(key=lambda id: -self.usage.uses(id))
        for id in dict.fromkeys((*due, *players, *others)):
            yield self._name(id, "")

    def _parts(
        self, kind: PartOf[Any], slot: Slot, but: Collection[str] = ()
    ) -> Iterator[Candidate]:
        """What a mapping may hold besides what it has."""
        for name, inner in kind.part.fields.items():
            if name not in slot.listed and name not in but:
                yield Candidate(name, in_words(inner.doc), "part", tail=": ", hint=inner.doc)

    def offered(self, verb: type[Action], field: Field, slot: Slot) -> Iterator[Candidate]:
        """What the game itself says that fits here."""
        place = (field.name, *slot.path)
        seen: dict[str, Candidate] = {}
        acting = dict.fromkeys(one.by for one in self.options if one.verb == verb.verb)
        for by in acting or (self.by or self.rules.standing(self.play).turn,):
            for offer in self.rules.offers(self.play, verb.verb, by):
                if len(offer.path) > len(place) and self.same(offer.path[: len(place)], place):
                    label = offer.path[len(place)]
                    if label not in seen or (seen[label].why and not offer.why):
                        seen[label] = self._from_offer(offer, label, len(place), slot)
        yield from self._due_first(verb, seen.values())

    def _due_first(self, verb: type[Action], found: Iterable[Candidate]) -> list[Candidate]:
        """Those first who owe what a verb settles, then the most used; last who may not."""
        owing = [*dict.fromkeys(one.who for one in self.due if one.verb == verb.verb and one.who)]

        turn, seats = self.rules.standing(self.play).turn, [*self.play.seats]
        if may_name(verb) and turn in seats:
            # Who does one after the other what is done in turn does so around the table.
            owing += [*seats[seats.index(turn) :], *seats[: seats.index(turn)]]

        def rank(one: Candidate) -> int:
            return owing.index(one.label) if one.label in owing else len(owing)

        return sorted(found, key=lambda one: (bool(one.why), rank(one), -one.weight))

    def same(self, path: tuple[str, ...], place: tuple[str, ...]) -> bool:
        """Whether two ways lead to one place, whatever names are used on the way."""
        if len(path) != len(place):
            return False
        for one, other in zip(path, place, strict=True):
            if one != other:
                named = self.play.names.find(other)
                if not isinstance(named, Named) or one not in (named.name, named.id):
                    return False
        return True

    def _from_offer(self, offer: Offer, label: str, depth: int, slot: Slot) -> Candidate:
        last = len(offer.path) == depth + 1
        # Two in one are called as each of them is.
        ids = [self._id_of(one) for one in label.split(" & ")]
        id = ids[0] if len(ids) == 1 else self._id_of(label)
        short = [self.usage.word(one) for one in ids if one]
        return Candidate(
            label,
            offer.note if last else self._note(id),
            "name" if id else "value",
            offer.why if last else "",
            " & ".join(short) if len(short) == len(ids) else label,
            min(map(self.usage.uses, ids)),
            tail="" if last and not offer.opens else ": ",
            besides=tuple(self.rules.besides(offer.path[0], offer.path).items()) if last else (),
        )

    def _id_of(self, name: str) -> str:
        """The id of whatever has just this name; empty: nothing."""
        named = self.play.names.find(name)
        return named.id if isinstance(named, Named) and named.name == name else ""

    def _owing(self, verb: type[Action]) -> Iterator[Candidate]:
        """Those who owe what a verb settles, and are nobody with a name: the Sphere, the threat."""
        for who in dict.fromkeys(one.who for one in self.due if one.verb == verb.verb):
            if who and not isinstance(self.play.names.find(who), Named):
                yield Candidate(who, "", "name", into=who)

    def _in_role(self, law: Law, role: Role) -> Iterator[Candidate]:
        play = self.play
        kinds = (PLAYER,) if role.of == PLAYER else role.kinds
        for id, named in play.names.all.items():
            if kinds and named.kind not in kinds:
                continue
            if named.kind == PLAYER and role.of != PLAYER and len(kinds) != 1:
                continue  # their character stands there
            need = broken(play, role, id, entry=False)
            why = ""
            if need is not None:
                terms = {
                    **law.terms(play),
                    "who": named.name,
                    "player": player_named(play, id),
                    "by": self.by,
                    "doing": role.doing,
                }
                why = need.message.format_map(terms)
            yield self._name(id, why)

    def _pairs(self, found: Iterable[Candidate]) -> Iterator[Candidate]:
        """Each two of some names as one."""
        likely = sorted((one for one in found if not one.why), key=lambda one: -one.weight)
        for one, other in combinations(likely[:MOST_PAIRED], 2):
            words = (f"{a} & {b}" for a, b in ((one.label, other.label), (one.into, other.into)))
            label, into = words
            yield Candidate(label, "", "name", into=into, weight=one.weight + other.weight)

    def _places(self) -> Iterator[Candidate]:
        """Where scenes were, the last one first."""
        places = (scene.place for scene in reversed(self.play.timeline.scenes))
        for place in dict.fromkeys(filter(None, places)):
            yield Candidate(place)

    def any_name(self, field: Field) -> Iterator[Candidate]:
        """Names for a key of which nobody has said who may stand there: players where it speaks of them,
        else whoever is in the scene first."""
        scene = self.play.timeline.current
        here = set(scene.cast) if scene is not None else set()
        players = field.of_players
        for id, named in self.play.names.all.items():
            if (named.kind == PLAYER) == players and not self._is_pair(id):
                one = self._name(id, "")
                yield one._replace(weight=one.weight + (1000 if id in here else 0))

    def _is_pair(self, id: str) -> bool:
        """Whether something is two in one, a pair: nobody who does anything."""
        parts = self.play.names.all[id].name.split(" & ")
        return len(parts) > 1 and all(isinstance(self.play.names.find(one), Named) for one in parts)

    def _name(self, id: str, why: str) -> Candidate:
        word = self.usage.word(id)
        label = self.play.names.all[id].name
        return Candidate(label, self._note(id), "name", why, word, self.usage.uses(id))

    def _note(self, id: str) -> str:
        named = self.play.names.all.get(id)
        if named is None or named.kind == PLAYER:
            return ""
        return self.rules.player_of(self.play, named)

    def meant(self, word: str) -> str:
        named = self.play.names.find(word.strip("\"'"))
        return named.id if isinstance(named, Named) else word.casefold()

    def kind_of(self, field: Field) -> Kind[Any]:
        """What a field takes in this game."""
        return kind_of_stated(field.kind, self.rules.by_measure, self.rules.things)


def in_words(doc: str) -> str:
    """What a key means, as its declaration says it first; empty where that is long, or a form of writing."""
    first = re.split(r"[;:,(]", doc)[0].strip()
    said = len(first) <= MOST_WORDS and first not in ("yes", "no")
    return first if said and not re.search(r"[{}\[\]']", first) else ""


def _numbers(slot: Slot) -> Iterator[Candidate]:
    """The first whole numbers that may stand in a place, where no list of faces or cards does."""
    schemas = [slot.schema, *(one.schema() for one in recorded_kinds(slot.kind))]
    found = [one for one in schemas if "integer" in types_in(one)]
    lists = any("array" in types_in(one) for one in schemas)
    if found and not lists and not slot.naming:
        least = min(found[0].get("minimum", 0), 1)
        for number in range(least, min(least + MOST_NUMBERS, found[0].get("maximum", 99) + 1)):
            yield Candidate(str(number), kind="number")


def recorded_kinds(kind: Kind[Any] | None) -> Iterator[Kind[Any]]:
    """The kinds that something of a kind may be of, though nobody may have written it down."""
    for one in alternatives(kind) if kind is not None else ():
        yield recorded(one)


def own_words(slot: Slot) -> bool:
    """Whether whoever types there says what nobody has named yet: a Trait, a sentence."""
    told = slot.role == "" or (slot.kind is not None and bare(slot.kind) is TEXT)
    return told and not slot.naming


def spoken(slot: Slot) -> bool:
    """Whether somebody's words stand there, behind a name."""
    return slot.kind is not None and SPEECH in map(bare, alternatives(slot.kind))


def computing(slot: Slot, field: Field) -> bool:
    """Whether somebody is in what a house rule computes."""
    return field.kind is COMPUTES or "computes" in slot.path[:-1] or slot.path[-1:] == ("computes",)


def _words_of(kind: Kind[Any] | None, schema: Any) -> Iterable[str]:
    """The few words that a kind knows."""
    kinds = [bare(one) for one in alternatives(kind)] if kind is not None else []
    found: list[str] = [word for one in kinds for word in getattr(one, "choices", ())]
    if found:
        return found
    if kind is YES_NO:
        return ("yes", "no")
    return [str(one) for one in schema.get("enum", ()) if isinstance(one, str)]


def _price(price: tuple[int, str] | None) -> str:
    return "" if price is None else f"{price[0]} {price[1]}" if price[0] else "free"


def may_name(verb: type[Action]) -> bool:
    """Whether somebody may be named behind a verb that is whole without."""
    main = verb.main
    return main is not None and not main.required and bare(main.kind).naming()


def doc_of(verb: type[Action]) -> str:
    """The first sentence about a verb."""
    return " ".join((verb.__doc__ or "").split()).split(". ")[0].rstrip(".")
