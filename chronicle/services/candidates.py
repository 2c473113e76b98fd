"""Candidates for a place in a line: verbs, keys, names and words that the game allows there now."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from itertools import chain, combinations
from random import Random
from typing import Any

from chronicle.core.answers import Move, Offer
from chronicle.core.declare import Action, Field, PartOf
from chronicle.core.field_types import TEXT, YES_NO, FieldType, alternatives, roleless
from chronicle.core.house_rules import COMPUTES, names_in_words, points_of
from chronicle.core.law import Law, Role, first_unmet_need, player_named
from chronicle.core.names import PLAYER, Named
from chronicle.core.play_field_types import PAIR, SPEECH
from chronicle.core.replay import Replay
from chronicle.core.shared_verbs import COMMON_VERBS, EndSession, Reveal
from chronicle.core.state_data import figures
from chronicle.core.stated_figures import FIGURES, GAME_STATE, kind_of_stated
from chronicle.services.choices import Candidate
from chronicle.services.game_state import (
    barred_verbs,
    has_session_ended,
    line_for_move,
    open_obligations,
    verbs_to_show_first,
)
from chronicle.services.usage import LATELY, Usage
from chronicle.syntax.kinds import json_types_of, recorded_kind
from chronicle.syntax.line_slots import Slot
from chronicle.syntax.one_line import Line, split_line
from chronicle.words import word

MOST_WORDS = 44
"""Maximum number of letters of the words about a key."""
MOST_PAIRED = 8
"""How many names are combined into pairs."""
MOST_NUMBERS = 7
"""How many numbers are offered."""
EVERYBODY = "everybody"
WORDS_FOR_ALL = frozenset({EVERYBODY, "all"})
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
        self.due = open_obligations(replay)
        self.usage = Usage(self.play.steps[-LATELY:], self.play.names, self.rules)

    def of_verbs(self, head: str) -> Iterator[Candidate]:
        """All verbs, the likeliest first, those that may not come now last."""
        due_verbs = verbs_to_show_first(self.replay, self.due)
        turn = self.rules.standing(self.play).turn
        options: dict[str, list[Move]] = {}
        for option in self.options:
            options.setdefault(option.verb, []).append(option)
        if has_session_ended(self.replay):
            options.pop(EndSession.verb, None)
            why_barred = word("server.session_over")
            yield Candidate(
                EndSession.verb,
                "",
                "verb",
                why_barred,
                EndSession.verb,
                synonyms=EndSession.synonyms,
            )
        common_verbs = {
            verb_type.verb: verb_type for verb_type in COMMON_VERBS if verb_type.verb not in options
        }
        common_verbs.pop(EndSession.verb if has_session_ended(self.replay) else "", None)
        # A verb that may come at any time is half as likely as one that the moment asks for.
        likelihoods = {verb: 2 * self.usage.likelihood(verb) for verb in options}
        likelihoods |= {verb: self.usage.likelihood(verb) for verb in common_verbs}
        repeated_verbs = {option.verb for option in self.options if option.already_happened}
        suggested_verbs = {option.verb for option in self.options if option.agreed_words}
        for verb in sorted(
            likelihoods,
            key=lambda verb: (
                verb in repeated_verbs,
                verb not in suggested_verbs,
                verb not in due_verbs,
                -likelihoods[verb],
            ),
        ):
            verb_options = options.get(verb)
            if verb_options is None:
                verb_type = common_verbs[verb]
                yield Candidate(
                    verb,
                    "",
                    "verb",
                    insert=f"{verb} ",
                    hint=verb_description(verb_type),
                    synonyms=verb_type.synonyms,
                )
                continue
            line = (
                line_for_move(self.replay, verb_options[0])[0]
                if len(verb_options) == 1
                else f"{verb} "
            )
            prices = {option.price for option in verb_options}
            note = _price_note(prices.pop()) if len(prices) == 1 else ""
            hint = min(verb_options, key=lambda option: option.by not in ("", turn)).hint
            synonyms = self.rules.by_verb[verb].synonyms
            yield Candidate(verb, note, "verb", insert=line, hint=hint, synonyms=synonyms)
        reasons_by_verb = {
            barred_row["verb"]: barred_row["why"]
            for barred_row in barred_verbs(self.replay, options)
        }
        for name in self.rules.own_verbs:
            if name not in options:
                synonyms = self.rules.by_verb[name].synonyms
                yield Candidate(
                    name, "", "verb", reasons_by_verb.get(name, ""), f"{name} ", synonyms=synonyms
                )

    def of_keys(self, line: Line, text: str) -> Iterator[Candidate]:
        """The keys that a line can still get."""
        full_line = split_line(text, self.rules.by_verb)
        present_keys = {part.key for part in (full_line or line).parts}
        verb = line.verb
        fields = [
            field
            for field in verb.fields.values()
            if field.name not in present_keys
            and (field.name not in Action.fields or field.name == "by")
        ]
        for field in sorted(fields, key=lambda field: self.key_order(verb, field)):
            yield Candidate(
                field.name,
                short_description(field.doc),
                "key",
                insert=f", {field.name}: ",
                hint=field.doc,
            )

    def key_order(self, verb: type[Action], key: Field) -> tuple[bool, bool, int, bool, bool]:
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
            -self.usage.key_use_count(verb.verb, key.name),
            key.computed,
            is_shared,
        )

    def of_values(self, verb: type[Action], field: Field, slot: Slot) -> Iterator[Candidate]:
        """The candidates for a slot in the value of a field."""
        if field.kind in (FIGURES, GAME_STATE) and not {*slot.path[:1]} & {*self.rules.things}:
            if field.kind is GAME_STATE and not slot.path:
                yield from self._snapshot_parts(slot)
            yield from self._figure_candidates(slot)
            return
        if is_in_formula(slot, field):
            yield from self._formula_candidates(slot)
            return
        offered = [*self.offered_by_game(verb, field, slot)]
        if not slot.path and takes_own_words(slot) and field.is_place:
            present_labels = {candidate.label.casefold() for candidate in offered}
            offered += [
                candidate
                for candidate in self._place_candidates()
                if candidate.label.casefold() not in present_labels
            ]
        kinds = [*recorded_kinds(slot.kind)]
        kind = next(
            (kind_here for kind_here in kinds if isinstance(kind_here, PartOf)),
            kinds[0] if kinds else None,
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
            offered = [candidate for candidate in offered if candidate.label not in keys]
        listed_ids = {self.id_of(name) for name in slot.already_listed} - self.keys_that_begin_item(
            slot
        )
        # A mapping or a list takes each name once. With 'all' in it, nothing more fits.
        if listed_ids & WORDS_FOR_ALL and not slot.is_for_name:
            return
        excluded = listed_ids | (WORDS_FOR_ALL if listed_ids and not slot.is_for_name else set())
        remaining_candidates = [
            candidate for candidate in offered if self.id_of(candidate.label) not in excluded
        ]
        if offered and not remaining_candidates and not isinstance(kind, PartOf):
            return
        offered = remaining_candidates
        if offered and slot.is_for_name and isinstance(kind, PartOf):
            # A name that fits without a colon starts no mapping.
            offered_keys = [
                candidate for candidate in offered if candidate.label in kind.part.fields
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
                *self._part_candidates(
                    kind, slot, {*barred, *(candidate.label for candidate in offered_keys)}
                )
            ]
            # In a mapping that has begun, its other keys come first.
            first, last = (
                (other_keys, offered_keys) if slot.already_listed else (offered_keys, other_keys)
            )
            yield from (candidate._replace(tail=tail) for candidate in (*first, *last))
            return
        if offered:
            yield from (candidate._replace(tail=tail or candidate.tail) for candidate in offered)
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
            yield from self._part_candidates(kind, slot)
            return
        for name, schema in slot.schema.get("properties", {}).items() if slot.is_for_name else ():
            if name not in slot.already_listed:
                yield Candidate(name, "", "part", tail=": ", hint=schema.get("description", ""))
        words = _allowed_words(kind, slot.schema)
        if words:
            yield from (Candidate(word) for word in words)
            return
        if takes_speech(slot):
            # The speaker comes before the words.
            speakers = () if ":" in slot.typed else self.names_without_role(field)
            yield from (
                candidate._replace(tail=": ")
                for candidate in sorted(speakers, key=lambda candidate: -candidate.weight)
            )
            return
        law = self.rules.law
        if slot.role and law is not None and slot.role in law.roles:
            candidates = self._candidates_in_role(law, law.roles[slot.role])
        elif slot.role is None and kind is not None and kind.has_names():
            candidates = self.names_without_role(field)
        else:
            yield from _number_candidates(slot)
            return
        present_labels = {self.id_of(name) for name in slot.already_listed}
        if isinstance(kind, type(PAIR)):
            candidates = self._pair_candidates(candidates)
        if field is verb.main and not slot.path:
            candidates = chain(candidates, self._unnamed_with_obligation(verb))
        for candidate in self._sort_due_first(verb, candidates):
            if self.id_of(candidate.label) not in present_labels:
                yield candidate._replace(tail=tail)

    def keys_that_begin_item(self, slot: Slot) -> set[str]:
        """The keys that can begin another item in a slot."""
        kind = roleless(slot.kind) if slot.kind is not None else None
        return (
            {*kind.part.exclusive_keys}
            if slot.may_begin_item and isinstance(kind, PartOf)
            else set()
        )

    def _formula_candidates(self, slot: Slot) -> Iterator[Candidate]:
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

    def _figure_candidates(self, slot: Slot) -> Iterator[Candidate]:
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
        options = [option for option in self.rules.options(self.play) if option.verb == verb.verb]
        # If the game names a character as the actor, it comes before its player.
        names_by_rules = dict.fromkeys(
            str(option.make_entry(Random(0)).get("by", option.by)) for option in options
        )
        subjects_by_id = self.play.names.all
        players = [id for id, option in subjects_by_id.items() if option.kind == PLAYER]
        characters = [
            id
            for id in subjects_by_id
            if id not in players and self._player_of(id) and not self._is_pair(id)
        ]
        actors_by_rules = [
            id
            for id in (*players, *characters)
            if subjects_by_id[id].name in names_by_rules or id in names_by_rules
        ]
        characters.sort(key=lambda id: -self.usage.use_count(id))
        for id in dict.fromkeys((*actors_by_rules, *players, *characters)):
            yield self._name_candidate(id, "")

    def _part_candidates(
        self, kind: PartOf[Any], slot: Slot, excluded_names: Collection[str] = ()
    ) -> Iterator[Candidate]:
        """The keys that a mapping can still get."""
        for name, field in kind.part.fields.items():
            if name not in slot.already_listed and name not in excluded_names:
                yield Candidate(
                    name, short_description(field.doc), "part", tail=": ", hint=field.doc
                )

    def offered_by_game(self, verb: type[Action], field: Field, slot: Slot) -> Iterator[Candidate]:
        """What the game offers for a slot."""
        path = (field.name, *slot.path)
        candidates: dict[str, Candidate] = {}
        actors = dict.fromkeys(option.by for option in self.options if option.verb == verb.verb)
        for by in actors or (self.by or self.rules.standing(self.play).turn,):
            for offer in self.rules.offers(self.play, verb.verb, by):
                if len(offer.path) > len(path) and self.is_same_path(offer.path[: len(path)], path):
                    label = offer.path[len(path)]
                    if label not in candidates or (candidates[label].why_barred and not offer.why):
                        candidates[label] = self._from_offer(offer, label, len(path), slot)
        yield from self._sort_due_first(verb, candidates.values())

    def _sort_due_first(
        self, verb: type[Action], candidates: Iterable[Candidate]
    ) -> list[Candidate]:
        """Sort names: those with an obligation that the verb settles, the most used, those that may not."""
        owing_names = [
            *dict.fromkeys(due.who for due in self.due if due.verb == verb.verb and due.who)
        ]

        turn, seats = self.rules.standing(self.play).turn, [*self.play.seats]
        if may_take_name(verb) and turn in seats:
            # What players do in turn they do in the order of their seats.
            owing_names += [*seats[seats.index(turn) :], *seats[: seats.index(turn)]]

        def rank(candidate: Candidate) -> int:
            return (
                owing_names.index(candidate.label)
                if candidate.label in owing_names
                else len(owing_names)
            )

        return sorted(
            candidates,
            key=lambda candidate: (bool(candidate.why_barred), rank(candidate), -candidate.weight),
        )

    def is_same_path(self, path: tuple[str, ...], place: tuple[str, ...]) -> bool:
        """Whether two paths are the same, with any names of the same people."""
        if len(path) != len(place):
            return False
        for name, place_name in zip(path, place, strict=True):
            if name != place_name:
                subject = self.play.names.find(place_name)
                if not isinstance(subject, Named) or name not in (subject.name, subject.id):
                    return False
        return True

    def _from_offer(self, offer: Offer, label: str, depth: int, slot: Slot) -> Candidate:
        is_last = len(offer.path) == depth + 1
        # A pair has the short names of its two.
        ids = [self._id_of_name(name) for name in label.split(" & ")]
        id = ids[0] if len(ids) == 1 else self._id_of_name(label)
        short_names = [self.usage.usual_name(name) for name in ids if name]
        return Candidate(
            label,
            offer.note if is_last else self._player_of(id),
            "name" if id else "value",
            offer.why if is_last else "",
            " & ".join(short_names) if len(short_names) == len(ids) else label,
            min(map(self.usage.use_count, ids)),
            tail="" if is_last and not offer.needs_value else ": ",
            further_pairs=tuple(self.rules.besides(offer.path[0], offer.path).items())
            if is_last
            else (),
        )

    def _id_of_name(self, name: str) -> str:
        """The id of what has exactly this name; empty if nothing has."""
        subject = self.play.names.find(name)
        return subject.id if isinstance(subject, Named) and subject.name == name else ""

    def _unnamed_with_obligation(self, verb: type[Action]) -> Iterator[Candidate]:
        """Those without a name that have an obligation: the Sphere, the threat."""
        for name in dict.fromkeys(
            obligation.who for obligation in self.due if obligation.verb == verb.verb
        ):
            if name and not isinstance(self.play.names.find(name), Named):
                yield Candidate(name, "", "name", insert=name)

    def _candidates_in_role(self, law: Law, role: Role) -> Iterator[Candidate]:
        play = self.play
        kinds = (PLAYER,) if role.resolves_to == PLAYER else role.kinds
        for id, subject in play.names.all.items():
            if kinds and subject.kind not in kinds:
                continue
            if subject.kind == PLAYER and role.resolves_to != PLAYER and len(kinds) != 1:
                continue  # Their character has this role.
            unmet_need = first_unmet_need(play, role, id, entry=False)
            why_barred = ""
            if unmet_need is not None:
                terms = {
                    **law.terms(play),
                    "who": subject.name,
                    "player": player_named(play, id),
                    "by": self.by,
                    "doing": role.action_phrase,
                }
                why_barred = unmet_need.message.format_map(terms)
            yield self._name_candidate(id, why_barred)

    def _pair_candidates(self, candidates: Iterable[Candidate]) -> Iterator[Candidate]:
        """Pairs of names."""
        likely_candidates = sorted(
            (first for first in candidates if not first.why_barred), key=lambda first: -first.weight
        )
        for first, second in combinations(likely_candidates[:MOST_PAIRED], 2):
            label = f"{first.label} & {second.label}"
            insert = f"{first.insert} & {second.insert}"
            weight = first.weight + second.weight
            yield Candidate(label, "", "name", insert=insert, weight=weight)

    def _place_candidates(self) -> Iterator[Candidate]:
        """The places of scenes, the last first."""
        places = (scene.place for scene in reversed(self.play.timeline.scenes))
        for place in dict.fromkeys(filter(None, places)):
            yield Candidate(place)

    def names_without_role(self, field: Field) -> Iterator[Candidate]:
        """Names for a key without a role: players if the key takes players, else others, those in the scene first."""
        scene = self.play.timeline.current
        cast = set(scene.cast) if scene is not None else set()
        players = field.names_players
        for id, subject in self.play.names.all.items():
            if (subject.kind == PLAYER) == players and not self._is_pair(id):
                candidate = self._name_candidate(id, "")
                yield candidate._replace(weight=candidate.weight + (1000 if id in cast else 0))

    def _is_pair(self, id: str) -> bool:
        """Whether a name is that of a pair."""
        parts = self.play.names.all[id].name.split(" & ")
        return len(parts) > 1 and all(
            isinstance(self.play.names.find(part), Named) for part in parts
        )

    def _name_candidate(self, id: str, why_barred: str) -> Candidate:
        usual_name = self.usage.usual_name(id)
        label = self.play.names.all[id].name
        return Candidate(
            label, self._player_of(id), "name", why_barred, usual_name, self.usage.use_count(id)
        )

    def _player_of(self, id: str) -> str:
        subject = self.play.names.all.get(id)
        if subject is None or subject.kind == PLAYER:
            return ""
        return self.rules.player_of(self.play, subject)

    def id_of(self, word: str) -> str:
        """The id of what a word names; else the word in small letters."""
        subject = self.play.names.find(word.strip("\"'"))
        return subject.id if isinstance(subject, Named) else word.casefold()

    def kind_of(self, field: Field) -> FieldType[Any]:
        """What a field takes in this game."""
        return kind_of_stated(field.kind, self.rules.by_measure, self.rules.things)


def short_description(doc: str) -> str:
    """The first words about a key; empty if they are long or show a form."""
    first = re.split(r"[;:,(]", doc)[0].strip()
    is_short = len(first) <= MOST_WORDS and first not in ("yes", "no")
    return first if is_short and not re.search(r"[{}\[\]']", first) else ""


def _number_candidates(slot: Slot) -> Iterator[Candidate]:
    """The first whole numbers that fit in a slot, unless it takes a list."""
    schemas = [slot.schema, *(kind.schema() for kind in recorded_kinds(slot.kind))]
    number_schemas = [schema for schema in schemas if "integer" in json_types_of(schema)]
    takes_list = any("array" in json_types_of(schema) for schema in schemas)
    if number_schemas and not takes_list and not slot.is_for_name:
        least = min(number_schemas[0].get("minimum", 0), 1)
        for number in range(
            least, min(least + MOST_NUMBERS, number_schemas[0].get("maximum", 99) + 1)
        ):
            yield Candidate(str(number), kind="number")


def recorded_kinds(kind: FieldType[Any] | None) -> Iterator[FieldType[Any]]:
    """The alternatives of a kind, without roles and without ``unrecorded``."""
    for alternative in alternatives(kind) if kind is not None else ():
        yield recorded_kind(alternative)


def takes_own_words(slot: Slot) -> bool:
    """Whether a slot takes own words: a Trait, a sentence."""
    is_new = slot.role == "" or (slot.kind is not None and roleless(slot.kind) is TEXT)
    return is_new and not slot.is_for_name


def takes_speech(slot: Slot) -> bool:
    """Whether a slot takes speech, behind the name of the speaker."""
    return slot.kind is not None and SPEECH in map(roleless, alternatives(slot.kind))


def is_in_formula(slot: Slot, field: Field) -> bool:
    """Whether a slot is in the formulas of a house rule."""
    return field.kind is COMPUTES or "computes" in slot.path[:-1] or slot.path[-1:] == ("computes",)


def _allowed_words(kind: FieldType[Any] | None, schema: Any) -> Iterable[str]:
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


def _price_note(price: tuple[int, str] | None) -> str:
    return "" if price is None else f"{price[0]} {price[1]}" if price[0] else "free"


def may_take_name(verb: type[Action]) -> bool:
    """Whether a verb takes a name that it does not require."""
    main = verb.main
    return main is not None and not main.required and roleless(main.kind).has_names()


def verb_description(verb: type[Action]) -> str:
    """The first sentence about a verb."""
    return " ".join((verb.__doc__ or "").split()).split(". ")[0].rstrip(".")
