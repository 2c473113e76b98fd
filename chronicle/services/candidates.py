"""Candidates for a place in a line: verbs, keys, names and words that the game allows there now."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from itertools import chain, combinations
from random import Random
from typing import Any

from chronicle.core.answers import Offer, Option
from chronicle.core.declare import Action, Field, PartOf
from chronicle.core.house_rules import COMPUTES, names_in_words, points_of
from chronicle.core.kinds import TEXT, YES_NO, Kind, alternatives, roleless
from chronicle.core.law import Law, Role, first_unmet_need, player_named
from chronicle.core.names import PLAYER, Named
from chronicle.core.play_kinds import PAIR, SPEECH
from chronicle.core.replay import Replay
from chronicle.core.shared_verbs import COMMON_VERBS, EndSession, Reveal
from chronicle.core.state_data import figures
from chronicle.core.stated_figures import FIGURES, GAME_STATE, kind_of_stated
from chronicle.services.choices import Candidate
from chronicle.services.game_state import barred_verbs, beginning, ended, owed, verbs_to_show_first
from chronicle.services.usage import LATELY, Usage
from chronicle.syntax.kinds import json_types_of, recorded_kind
from chronicle.syntax.one_line import (
    Line,
    Slot,
    split_line,
)
from chronicle.words import word

MOST_WORDS = 44
"""Maximum number of letters of the words about a key."""
MOST_PAIRED = 8
"""How many names are combined into pairs."""
MOST_NUMBERS = 7
"""How many numbers are offered."""
EVERYBODY = "everybody"
ALL = frozenset({EVERYBODY, "all"})
"""Words for everything of a kind."""


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
            option for option in self.rules.options(self.play) if not by or option.by in ("", by)
        ] or self.rules.options(self.play)
        self.due = owed(replay)
        self.usage = Usage(self.play.steps[-LATELY:], self.play.names, self.rules)

    def of_verbs(self, head: str) -> Iterator[Candidate]:
        """All verbs, the likeliest first, those that may not come now last."""
        due_verbs = verbs_to_show_first(self.replay, self.due)
        turn = self.rules.standing(self.play).turn
        options: dict[str, list[Option]] = {}
        for option in self.options:
            options.setdefault(option.verb, []).append(option)
        if ended(self.replay):
            options.pop(EndSession.verb, None)
            why = word("server.session_over")
            yield Candidate(
                EndSession.verb, "", "verb", why, EndSession.verb, also=EndSession.synonyms
            )
        common_verbs = {kind.verb: kind for kind in COMMON_VERBS if kind.verb not in options}
        common_verbs.pop(EndSession.verb if ended(self.replay) else "", None)
        # A verb that may come at any time is half as likely as one that the moment asks for.
        likely = {verb: 2 * self.usage.likely(verb) for verb in options}
        likely |= {verb: self.usage.likely(verb) for verb in common_verbs}
        repeated = {option.verb for option in self.options if option.already_happened}
        suggested = {option.verb for option in self.options if option.agreed_words}
        for verb in sorted(
            likely,
            key=lambda verb: (
                verb in repeated,
                verb not in suggested,
                verb not in due_verbs,
                -likely[verb],
            ),
        ):
            verb_options = options.get(verb)
            if verb_options is None:
                kind = common_verbs[verb]
                yield Candidate(
                    verb,
                    "",
                    "verb",
                    into=f"{verb} ",
                    hint=verb_description(kind),
                    also=kind.synonyms,
                )
                continue
            line = (
                beginning(self.replay, verb_options[0])[0] if len(verb_options) == 1 else f"{verb} "
            )
            prices = {option.price for option in verb_options}
            note = _price(prices.pop()) if len(prices) == 1 else ""
            hint = min(verb_options, key=lambda option: option.by not in ("", turn)).hint
            also = self.rules.by_verb[verb].synonyms
            yield Candidate(verb, note, "verb", into=line, hint=hint, also=also)
        barred = {each["verb"]: each["why"] for each in barred_verbs(self.replay, options)}
        for name in self.rules.own_verbs:
            if name not in options:
                also = self.rules.by_verb[name].synonyms
                yield Candidate(name, "", "verb", barred.get(name, ""), f"{name} ", also=also)

    def of_keys(self, line: Line, text: str) -> Iterator[Candidate]:
        """The keys that a line can still get."""
        full_line = split_line(text, self.rules.by_verb)
        present = {part.key for part in (full_line or line).parts}
        verb = line.verb
        fields = [
            field
            for field in verb.fields.values()
            if field.name not in present and (field.name not in Action.fields or field.name == "by")
        ]
        for field in sorted(fields, key=lambda field: self.order(verb, field)):
            yield Candidate(
                field.name, in_words(field.doc), "key", into=f", {field.name}: ", hint=field.doc
            )

    def order(self, verb: type[Action], key: Field) -> tuple[bool, bool, int, bool, bool]:
        """The sort key of the keys of a verb: required, its own, the most used, then those that are only checked
        or that most verbs have."""
        verbs = self.rules.own_verbs
        is_shared = 2 * sum(
            key.name in self.rules.by_verb[other_verb].fields for other_verb in verbs
        ) > len(verbs)
        is_own = key.name not in Action.fields
        return (
            not key.required,
            not is_own,
            -self.usage.keys(verb.verb, key.name),
            key.computed,
            is_shared,
        )

    def of_values(self, verb: type[Action], field: Field, slot: Slot) -> Iterator[Candidate]:
        """The candidates for a slot in the value of a field."""
        if field.kind in (FIGURES, GAME_STATE) and not {*slot.path[:1]} & {*self.rules.things}:
            if field.kind is GAME_STATE and not slot.path:
                yield from self._snapshot_parts(slot)
            yield from self._figures(slot)
            return
        if computing(slot, field):
            yield from self._computed(slot)
            return
        offers = [*self.offered(verb, field, slot)]
        if not slot.path and takes_own_words(slot) and field.is_place:
            present = {candidate.label.casefold() for candidate in offers}
            offers += [
                candidate
                for candidate in self._places()
                if candidate.label.casefold() not in present
            ]
        kinds = [*recorded_kinds(slot.kind)]
        kind = next(
            (each for each in kinds if isinstance(each, PartOf)), kinds[0] if kinds else None
        )
        tail = ": " if slot.is_for_name else ""
        if slot.is_for_name and not isinstance(kind, PartOf) and not slot.path:
            # Where the game takes names instead of keys, a key is no name.
            keys = {
                name
                for alternative in map(roleless, alternatives(self.kind_of(field)))
                if isinstance(alternative, PartOf)
                for name in alternative.part.fields
            }
            offers = [candidate for candidate in offers if candidate.label not in keys]
        listed_ids = {self.id_of(name) for name in slot.already_listed} - self.begins_another(slot)
        # A mapping or a list takes each name once. With 'all' in it, nothing more fits.
        if listed_ids & ALL and not slot.is_for_name:
            return
        excluded = listed_ids | (ALL if listed_ids and not slot.is_for_name else set())
        remaining = [
            candidate for candidate in offers if self.id_of(candidate.label) not in excluded
        ]
        if offers and not remaining and not isinstance(kind, PartOf):
            return
        offers = remaining
        if offers and slot.is_for_name and isinstance(kind, PartOf):
            # A name that fits without a colon starts no mapping.
            offered_keys = [
                candidate for candidate in offers if candidate.label in kind.part.fields
            ]
            barred = (
                {*kind.part.exclusive_keys}
                if {*slot.already_listed} & {*kind.part.exclusive_keys}
                else set()
            )
            if not slot.may_begin_item:
                offered_keys = [
                    candidate for candidate in offered_keys if candidate.label not in barred
                ]
            other_keys = [
                *self._parts(
                    kind, slot, {*barred, *(candidate.label for candidate in offered_keys)}
                )
            ]
            # In a mapping that has begun, its other keys come first.
            first, last = (
                (other_keys, offered_keys) if slot.already_listed else (offered_keys, other_keys)
            )
            yield from (candidate._replace(tail=tail) for candidate in (*first, *last))
            return
        if offers:
            yield from (candidate._replace(tail=tail or candidate.tail) for candidate in offers)
            return
        if not slot.path and field.name == "by" and field.name in Action.fields:
            yield from self.actors(verb)
            return
        if field is Reveal.main:
            for secret in self.play.vault.unrevealed():
                yield Candidate(secret.secret_id, secret.player)
            return
        if not slot.path and EVERYBODY in field.words:
            yield Candidate(EVERYBODY)
        if slot.is_for_name and isinstance(kind, PartOf):
            yield from self._parts(kind, slot)
            return
        for name, inner in slot.schema.get("properties", {}).items() if slot.is_for_name else ():
            if name not in slot.already_listed:
                yield Candidate(name, "", "part", tail=": ", hint=inner.get("description", ""))
        words = _words_of(kind, slot.schema)
        if words:
            yield from (Candidate(word) for word in words)
            return
        if is_spoken(slot):
            # The speaker comes before the words.
            speakers = () if ":" in slot.typed else self.any_name(field)
            yield from (
                candidate._replace(tail=": ")
                for candidate in sorted(speakers, key=lambda candidate: -candidate.weight)
            )
            return
        law = self.rules.law
        if slot.role and law is not None and slot.role in law.roles:
            candidates = self._in_role(law, law.roles[slot.role])
        elif slot.role is None and kind is not None and kind.has_names():
            candidates = self.any_name(field)
        else:
            yield from _numbers(slot)
            return
        present = {self.id_of(name) for name in slot.already_listed}
        if isinstance(kind, type(PAIR)):
            candidates = self._pairs(candidates)
        if field is verb.main and not slot.path:
            candidates = chain(candidates, self._owing(verb))
        for candidate in self._due_first(verb, candidates):
            if self.id_of(candidate.label) not in present:
                yield candidate._replace(tail=tail)

    def begins_another(self, slot: Slot) -> set[str]:
        """The keys that can begin another item in a slot."""
        kind = roleless(slot.kind) if slot.kind is not None else None
        return (
            {*kind.part.exclusive_keys}
            if slot.may_begin_item and isinstance(kind, PartOf)
            else set()
        )

    def _computed(self, slot: Slot) -> Iterator[Candidate]:
        """What a house rule may compute, and the names that its formula may use."""
        points = points_of(self.play)
        if slot.is_for_name:
            for name, point in points.items():
                if name not in slot.already_listed:
                    yield Candidate(name, str(point.value_type), "name", tail=": ", hint=point.doc)
            return
        computed = points.get(slot.path[-1] if slot.path else "")
        for name, doc in names_in_words(computed).items() if computed is not None else ():
            yield Candidate(name, hint=doc)

    def _snapshot_parts(self, slot: Slot) -> Iterator[Candidate]:
        """Parts of the state that a snapshot can set: cards, the open scene."""
        for name, part in self.rules.things.items():
            if slot.is_for_name and name not in slot.already_listed:
                yield Candidate(name, "", "name", tail=": ", hint=part.doc)

    def _figures(self, slot: Slot) -> Iterator[Candidate]:
        """Figures that can be stated, their owners, and their values by this record."""
        measures = self.rules.by_measure
        by_figure = figures(self.play, measures)
        if not slot.path:
            for name in by_figure if slot.is_for_name else ():
                if name not in slot.already_listed:
                    yield Candidate(name, "", "name", tail=": ", hint=measures[name].doc)
            return
        values = by_figure.get(slot.path[0], {})
        if "" in values or len(slot.path) > 1:
            value = values.get("" if "" in values else slot.path[-1])
            if value is not None:
                yield Candidate(str(value), word("server.by_this_record"))
            return
        for name, value in values.items():
            yield Candidate(name, str(value), "name", tail=": ")

    def actors(self, verb: type[Action]) -> Iterator[Candidate]:
        """Possible actors: by the rules of the game first, then the players, then the characters."""
        likely = [option for option in self.rules.options(self.play) if option.verb == verb.verb]
        # If the game names a character as the actor, it comes before its player.
        names_by_rules = dict.fromkeys(
            str(option.make_entry(Random(0)).get("by", option.by)) for option in likely
        )
        named = self.play.names.all
        players = [id for id, option in named.items() if option.kind == PLAYER]
        characters = [
            id for id in named if id not in players and self._note(id) and not self._is_pair(id)
        ]
        actors_by_rules = [
            id
            for id in (*players, *characters)
            if named[id].name in names_by_rules or id in names_by_rules
        ]
        characters.sort(key=lambda id: -self.usage.uses(id))
        for id in dict.fromkeys((*actors_by_rules, *players, *characters)):
            yield self._name(id, "")

    def _parts(
        self, kind: PartOf[Any], slot: Slot, but: Collection[str] = ()
    ) -> Iterator[Candidate]:
        """The keys that a mapping can still get."""
        for name, inner in kind.part.fields.items():
            if name not in slot.already_listed and name not in but:
                yield Candidate(name, in_words(inner.doc), "part", tail=": ", hint=inner.doc)

    def offered(self, verb: type[Action], field: Field, slot: Slot) -> Iterator[Candidate]:
        """What the game offers for a slot."""
        place = (field.name, *slot.path)
        candidates: dict[str, Candidate] = {}
        actors = dict.fromkeys(option.by for option in self.options if option.verb == verb.verb)
        for by in actors or (self.by or self.rules.standing(self.play).turn,):
            for offer in self.rules.offers(self.play, verb.verb, by):
                if len(offer.path) > len(place) and self.is_same_path(
                    offer.path[: len(place)], place
                ):
                    label = offer.path[len(place)]
                    if label not in candidates or (candidates[label].why and not offer.why):
                        candidates[label] = self._from_offer(offer, label, len(place), slot)
        yield from self._due_first(verb, candidates.values())

    def _due_first(self, verb: type[Action], candidates: Iterable[Candidate]) -> list[Candidate]:
        """Sort names: those with an obligation that the verb settles, the most used, those that may not."""
        owing = [*dict.fromkeys(due.who for due in self.due if due.verb == verb.verb and due.who)]

        turn, seats = self.rules.standing(self.play).turn, [*self.play.seats]
        if may_name(verb) and turn in seats:
            # What players do in turn they do in the order of their seats.
            owing += [*seats[seats.index(turn) :], *seats[: seats.index(turn)]]

        def rank(candidate: Candidate) -> int:
            return owing.index(candidate.label) if candidate.label in owing else len(owing)

        return sorted(
            candidates,
            key=lambda candidate: (bool(candidate.why), rank(candidate), -candidate.weight),
        )

    def is_same_path(self, path: tuple[str, ...], place: tuple[str, ...]) -> bool:
        """Whether two paths are the same, with any names of the same people."""
        if len(path) != len(place):
            return False
        for name, place_name in zip(path, place, strict=True):
            if name != place_name:
                named = self.play.names.find(place_name)
                if not isinstance(named, Named) or name not in (named.name, named.id):
                    return False
        return True

    def _from_offer(self, offer: Offer, label: str, depth: int, slot: Slot) -> Candidate:
        is_last = len(offer.path) == depth + 1
        # A pair has the short names of its two.
        ids = [self._id_of_name(name) for name in label.split(" & ")]
        id = ids[0] if len(ids) == 1 else self._id_of_name(label)
        short = [self.usage.word(name) for name in ids if name]
        return Candidate(
            label,
            offer.note if is_last else self._note(id),
            "name" if id else "value",
            offer.why if is_last else "",
            " & ".join(short) if len(short) == len(ids) else label,
            min(map(self.usage.uses, ids)),
            tail="" if is_last and not offer.needs_value else ": ",
            besides=tuple(self.rules.besides(offer.path[0], offer.path).items()) if is_last else (),
        )

    def _id_of_name(self, name: str) -> str:
        """The id of what has exactly this name; empty if nothing has."""
        named = self.play.names.find(name)
        return named.id if isinstance(named, Named) and named.name == name else ""

    def _owing(self, verb: type[Action]) -> Iterator[Candidate]:
        """Those without a name that have an obligation: the Sphere, the threat."""
        for name in dict.fromkeys(
            obligation.who for obligation in self.due if obligation.verb == verb.verb
        ):
            if name and not isinstance(self.play.names.find(name), Named):
                yield Candidate(name, "", "name", into=name)

    def _in_role(self, law: Law, role: Role) -> Iterator[Candidate]:
        play = self.play
        kinds = (PLAYER,) if role.resolves_to == PLAYER else role.kinds
        for id, named in play.names.all.items():
            if kinds and named.kind not in kinds:
                continue
            if named.kind == PLAYER and role.resolves_to != PLAYER and len(kinds) != 1:
                continue  # Their character has this role.
            need = first_unmet_need(play, role, id, entry=False)
            why = ""
            if need is not None:
                terms = {
                    **law.terms(play),
                    "who": named.name,
                    "player": player_named(play, id),
                    "by": self.by,
                    "doing": role.action_phrase,
                }
                why = need.message.format_map(terms)
            yield self._name(id, why)

    def _pairs(self, candidates: Iterable[Candidate]) -> Iterator[Candidate]:
        """Pairs of names."""
        likely = sorted(
            (first for first in candidates if not first.why), key=lambda first: -first.weight
        )
        for first, second in combinations(likely[:MOST_PAIRED], 2):
            words = (
                f"{a} & {b}" for a, b in ((first.label, second.label), (first.into, second.into))
            )
            label, into = words
            yield Candidate(label, "", "name", into=into, weight=first.weight + second.weight)

    def _places(self) -> Iterator[Candidate]:
        """The places of scenes, the last first."""
        places = (scene.place for scene in reversed(self.play.timeline.scenes))
        for place in dict.fromkeys(filter(None, places)):
            yield Candidate(place)

    def any_name(self, field: Field) -> Iterator[Candidate]:
        """Names for a key without a role: players if the key takes players, else others, those in the scene first."""
        scene = self.play.timeline.current
        cast = set(scene.cast) if scene is not None else set()
        players = field.of_players
        for id, named in self.play.names.all.items():
            if (named.kind == PLAYER) == players and not self._is_pair(id):
                candidate = self._name(id, "")
                yield candidate._replace(weight=candidate.weight + (1000 if id in cast else 0))

    def _is_pair(self, id: str) -> bool:
        """Whether a name is that of a pair."""
        parts = self.play.names.all[id].name.split(" & ")
        return len(parts) > 1 and all(
            isinstance(self.play.names.find(part), Named) for part in parts
        )

    def _name(self, id: str, why: str) -> Candidate:
        word = self.usage.word(id)
        label = self.play.names.all[id].name
        return Candidate(label, self._note(id), "name", why, word, self.usage.uses(id))

    def _note(self, id: str) -> str:
        named = self.play.names.all.get(id)
        if named is None or named.kind == PLAYER:
            return ""
        return self.rules.player_of(self.play, named)

    def id_of(self, word: str) -> str:
        """The id of what a word names; else the word in small letters."""
        named = self.play.names.find(word.strip("\"'"))
        return named.id if isinstance(named, Named) else word.casefold()

    def kind_of(self, field: Field) -> Kind[Any]:
        """What a field takes in this game."""
        return kind_of_stated(field.kind, self.rules.by_measure, self.rules.things)


def in_words(doc: str) -> str:
    """The first words about a key; empty if they are long or show a form."""
    first = re.split(r"[;:,(]", doc)[0].strip()
    is_short = len(first) <= MOST_WORDS and first not in ("yes", "no")
    return first if is_short and not re.search(r"[{}\[\]']", first) else ""


def _numbers(slot: Slot) -> Iterator[Candidate]:
    """The first whole numbers that fit in a slot, unless it takes a list."""
    schemas = [slot.schema, *(kind.schema() for kind in recorded_kinds(slot.kind))]
    of_numbers = [schema for schema in schemas if "integer" in json_types_of(schema)]
    lists = any("array" in json_types_of(schema) for schema in schemas)
    if of_numbers and not lists and not slot.is_for_name:
        least = min(of_numbers[0].get("minimum", 0), 1)
        for number in range(least, min(least + MOST_NUMBERS, of_numbers[0].get("maximum", 99) + 1)):
            yield Candidate(str(number), kind="number")


def recorded_kinds(kind: Kind[Any] | None) -> Iterator[Kind[Any]]:
    """The alternatives of a kind, without roles and without ``unrecorded``."""
    for alternative in alternatives(kind) if kind is not None else ():
        yield recorded_kind(alternative)


def takes_own_words(slot: Slot) -> bool:
    """Whether a slot takes own words: a Trait, a sentence."""
    is_new = slot.role == "" or (slot.kind is not None and roleless(slot.kind) is TEXT)
    return is_new and not slot.is_for_name


def is_spoken(slot: Slot) -> bool:
    """Whether a slot takes speech, behind the name of the speaker."""
    return slot.kind is not None and SPEECH in map(roleless, alternatives(slot.kind))


def computing(slot: Slot, field: Field) -> bool:
    """Whether a slot is in the formulas of a house rule."""
    return field.kind is COMPUTES or "computes" in slot.path[:-1] or slot.path[-1:] == ("computes",)


def _words_of(kind: Kind[Any] | None, schema: Any) -> Iterable[str]:
    """The words of a kind that takes only some."""
    kinds = (
        [roleless(alternative) for alternative in alternatives(kind)] if kind is not None else []
    )
    words: list[str] = [word for item in kinds for word in getattr(item, "choices", ())]
    if words:
        return words
    if kind is YES_NO:
        return ("yes", "no")
    return [str(item) for item in schema.get("enum", ()) if isinstance(item, str)]


def _price(price: tuple[int, str] | None) -> str:
    return "" if price is None else f"{price[0]} {price[1]}" if price[0] else "free"


def may_name(verb: type[Action]) -> bool:
    """Whether a verb takes a name that it does not require."""
    main = verb.main
    return main is not None and not main.required and roleless(main.kind).has_names()


def verb_description(verb: type[Action]) -> str:
    """The first sentence about a verb."""
    return " ".join((verb.__doc__ or "").split()).split(". ")[0].rstrip(".")
