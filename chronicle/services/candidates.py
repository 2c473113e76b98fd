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
from chronicle.core.house_rules import FORMULAS, names_in_words, points_of
from chronicle.core.law import Law, Role, first_unmet_need, player_named
from chronicle.core.names import PLAYER, Named
from chronicle.core.play_field_types import PAIR, SPEECH
from chronicle.core.replay import Replay
from chronicle.core.shared_verbs import COMMON_VERBS, EndSession, Reveal
from chronicle.core.state_data import figures
from chronicle.core.stated_figures import FIGURES, GAME_STATE, stated_figures_type
from chronicle.services.choices import Candidate
from chronicle.services.game_state import (
    barred_verbs,
    has_session_ended,
    line_for_move,
    open_obligations,
    verbs_to_show_first,
)
from chronicle.services.usage import RECENT_STEP_COUNT, Usage
from chronicle.syntax.kinds import json_types_of, recorded_type
from chronicle.syntax.line_slots import Slot
from chronicle.syntax.one_line import ParsedLine, split_line
from chronicle.words import word

MOST_DESCRIPTION_LETTERS = 52
"""Maximum number of letters of the words about a key."""
MOST_PAIRED_NAMES = 8
"""How many names are combined into pairs."""
MOST_OFFERED_NUMBERS = 7
"""How many numbers are offered."""
EVERYBODY = "everybody"
WORDS_FOR_ALL = frozenset({EVERYBODY, "all"})
"""Words for everything of a kind."""


class CandidateFinder:
    """Finds the candidates at one moment of play. The replay is not changed.

    Args:
        replay: The replay at that moment.
        by: Whose act the line is; empty: anybody's.
    """

    def __init__(self, replay: Replay[Any], actor: str = "") -> None:
        self.replay, self.actor = replay, actor
        self.play, self.game = replay.play, replay.rulebook
        self.moves = [
            move for move in self.game.options(self.play) if not actor or move.by in ("", actor)
        ] or self.game.options(self.play)
        self.obligations = open_obligations(replay)
        self.usage = Usage(self.play.steps[-RECENT_STEP_COUNT:], self.play.names, self.game)

    def verb_candidates(self) -> Iterator[Candidate]:
        """All verbs, the likeliest first, those that may not come now last."""
        obliged_verbs = verbs_to_show_first(self.replay, self.obligations)
        player_on_turn = self.game.standing(self.play).turn
        moves_by_verb: dict[str, list[Move]] = {}
        for move in self.moves:
            moves_by_verb.setdefault(move.verb, []).append(move)
        if has_session_ended(self.replay):
            moves_by_verb.pop(EndSession.verb, None)
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
            action_class.verb: action_class
            for action_class in COMMON_VERBS
            if action_class.verb not in moves_by_verb
        }
        common_verbs.pop(EndSession.verb if has_session_ended(self.replay) else "", None)
        # A verb that may come at any time is half as likely as one that the moment asks for.
        likelihood_by_verb = {verb: 2 * self.usage.likelihood(verb) for verb in moves_by_verb}
        likelihood_by_verb |= {verb: self.usage.likelihood(verb) for verb in common_verbs}
        repeated_verbs = {move.verb for move in self.moves if move.already_happened}
        suggested_verbs = {move.verb for move in self.moves if move.agreed_words}
        for verb in sorted(
            likelihood_by_verb,
            key=lambda verb: (
                verb in repeated_verbs,
                verb not in suggested_verbs,
                verb not in obliged_verbs,
                -likelihood_by_verb[verb],
            ),
        ):
            moves_of_verb = moves_by_verb.get(verb)
            if moves_of_verb is None:
                action_class = common_verbs[verb]
                yield Candidate(
                    verb,
                    "",
                    "verb",
                    insert=f"{verb} ",
                    hint=verb_description(action_class),
                    synonyms=action_class.synonyms,
                )
                continue
            entry_line = (
                line_for_move(self.replay, moves_of_verb[0])[0]
                if len(moves_of_verb) == 1
                else f"{verb} "
            )
            move_prices = {move.price for move in moves_of_verb}
            price_note = _price_note(move_prices.pop()) if len(move_prices) == 1 else ""
            move_hint = min(
                moves_of_verb, key=lambda move: move.by not in ("", player_on_turn)
            ).hint
            synonyms = self.game.by_verb[verb].synonyms
            yield Candidate(
                verb, price_note, "verb", insert=entry_line, hint=move_hint, synonyms=synonyms
            )
        reasons_by_verb = {
            barred_row["verb"]: barred_row["why"]
            for barred_row in barred_verbs(self.replay, moves_by_verb)
        }
        for own_verb in self.game.own_verbs:
            if own_verb not in moves_by_verb:
                synonyms = self.game.by_verb[own_verb].synonyms
                yield Candidate(
                    own_verb,
                    "",
                    "verb",
                    reasons_by_verb.get(own_verb, ""),
                    f"{own_verb} ",
                    synonyms=synonyms,
                )

    def key_candidates(self, line: ParsedLine, whole_text: str) -> Iterator[Candidate]:
        """The keys that a line can still get."""
        full_line = split_line(whole_text, self.game.by_verb)
        present_keys = {typed_field.key for typed_field in (full_line or line).typed_fields}
        verb = line.verb
        fields = [
            field
            for field in verb.fields.values()
            if field.name not in present_keys
            and (field.name not in Action.fields or field.name == "by")
        ]
        for field in sorted(fields, key=lambda field: self.field_sort_key(verb, field)):
            yield Candidate(
                field.name,
                short_description(field.doc),
                "key",
                insert=f", {field.name}: ",
                hint=field.doc,
            )

    def field_sort_key(
        self, action_class: type[Action], field: Field
    ) -> tuple[bool, bool, int, bool, bool, bool]:
        """The sort key of the keys of a verb: required, its own, the most used, those that its example has, then
        those that are only checked or that most verbs have."""
        own_verbs = self.game.own_verbs
        is_in_most_verbs = 2 * sum(
            field.name in self.game.by_verb[other_verb].fields for other_verb in own_verbs
        ) > len(own_verbs)
        is_own_field = field.name not in Action.fields
        return (
            not field.required,
            not is_own_field,
            -self.usage.key_use_count(action_class.verb, field.name),
            f" {field.name}:" not in action_class.example,
            field.computed,
            is_in_most_verbs,
        )

    def value_candidates(
        self, action_class: type[Action], field: Field, slot: Slot
    ) -> Iterator[Candidate]:
        """The candidates for a slot in the value of a field."""
        if field.kind in (FIGURES, GAME_STATE) and not {*slot.key_path[:1]} & {*self.game.things}:
            if field.kind is GAME_STATE and not slot.key_path:
                yield from self._snapshot_parts(slot)
            yield from self._figure_candidates(slot)
            return
        if is_in_formula(slot, field):
            yield from self._formula_candidates(slot)
            return
        offered_candidates = [*self.candidates_from_game(action_class, field, slot)]
        if not slot.key_path and takes_own_words(slot) and field.is_place:
            present_labels = {candidate.label.casefold() for candidate in offered_candidates}
            offered_candidates += [
                candidate
                for candidate in self._scene_place_candidates()
                if candidate.label.casefold() not in present_labels
            ]
        field_types = [*recorded_field_types(slot.kind)]
        field_type = next(
            (
                alternative_type
                for alternative_type in field_types
                if isinstance(alternative_type, PartOf)
            ),
            field_types[0] if field_types else None,
        )
        text_after_name = ": " if slot.is_for_name else ""
        if slot.is_for_name and not isinstance(field_type, PartOf) and not slot.key_path:
            # Where the game takes names instead of keys, a key is no name.
            part_field_names = {
                part_name
                for alternative in map(roleless, alternatives(self.field_type_of(field)))
                if isinstance(alternative, PartOf)
                for part_name in alternative.part.fields
            }
            offered_candidates = [
                candidate
                for candidate in offered_candidates
                if candidate.label not in part_field_names
            ]
        listed_ids = {self.id_of(name) for name in slot.already_listed} - self.keys_beginning_item(
            slot
        )
        # A mapping or a list takes each name once. With 'all' in it, nothing more fits.
        if listed_ids & WORDS_FOR_ALL and not slot.is_for_name:
            return
        excluded_ids = listed_ids | (
            WORDS_FOR_ALL if listed_ids and not slot.is_for_name else set()
        )
        remaining_candidates = [
            candidate
            for candidate in offered_candidates
            if self.id_of(candidate.label) not in excluded_ids
        ]
        if offered_candidates and not remaining_candidates and not isinstance(field_type, PartOf):
            return
        offered_candidates = [
            _described_part(candidate, field_type) for candidate in remaining_candidates
        ]
        if offered_candidates and slot.is_for_name and isinstance(field_type, PartOf):
            # A name that fits without a colon starts no mapping.
            offered_keys = [
                candidate
                for candidate in offered_candidates
                if candidate.label in field_type.part.fields
            ]
            barred_keys = (
                {*field_type.part.exclusive_keys}
                if {*slot.already_listed} & {*field_type.part.exclusive_keys}
                else set()
            )
            if not slot.may_begin_item:
                offered_keys = [
                    candidate for candidate in offered_keys if candidate.label not in barred_keys
                ]
            other_keys = [
                *self._part_candidates(
                    field_type,
                    slot,
                    {*barred_keys, *(candidate.label for candidate in offered_keys)},
                )
            ]
            # In a mapping that has begun, its other keys come first.
            first_candidates, last_candidates = (
                (other_keys, offered_keys) if slot.already_listed else (offered_keys, other_keys)
            )
            yield from (
                candidate._replace(suffix=text_after_name)
                for candidate in (*first_candidates, *last_candidates)
            )
            return
        if offered_candidates:
            yield from (
                candidate._replace(suffix=text_after_name or candidate.suffix)
                for candidate in offered_candidates
            )
            return
        if not slot.key_path and field.name == "by" and field.name in Action.fields:
            yield from self.actor_candidates(action_class)
            return
        if field is Reveal.main:
            for secret in self.play.vault.unrevealed():
                yield Candidate(secret.secret_id, secret.player)
            return
        if not slot.key_path and EVERYBODY in field.words:
            yield Candidate(EVERYBODY)
        if slot.is_for_name and isinstance(field_type, PartOf):
            yield from self._part_candidates(field_type, slot)
            return
        for part_name, schema in (
            slot.schema.get("properties", {}).items() if slot.is_for_name else ()
        ):
            if part_name not in slot.already_listed:
                yield Candidate(
                    part_name, "", "part", suffix=": ", hint=schema.get("description", "")
                )
        allowed_words = _allowed_words(field_type, slot.schema)
        if allowed_words:
            yield from (Candidate(word) for word in allowed_words)
            return
        if takes_speech(slot):
            # The speaker comes before the words.
            speakers = () if ":" in slot.typed_text else self.speakers(field)
            yield from (candidate._replace(suffix=": ") for candidate in speakers)
            return
        law = self.game.law
        if slot.role and law is not None and slot.role in law.roles:
            candidates = self._candidates_in_role(law, law.roles[slot.role])
        elif slot.role is None and field_type is not None and field_type.has_names():
            candidates = self.candidates_without_role(field)
        else:
            yield from _number_candidates(slot)
            return
        already_listed_ids = {self.id_of(name) for name in slot.already_listed}
        if isinstance(field_type, type(PAIR)):
            candidates = self._pair_candidates(candidates)
        if field is action_class.main and not slot.key_path:
            candidates = chain(candidates, self._unnamed_candidates(action_class))
        for candidate in self._sort_due_first(action_class, candidates):
            if self.id_of(candidate.label) not in already_listed_ids:
                yield candidate._replace(suffix=text_after_name)

    def keys_beginning_item(self, slot: Slot) -> set[str]:
        """The keys that can begin another item in a slot."""
        field_type = roleless(slot.kind) if slot.kind is not None else None
        return (
            {*field_type.part.exclusive_keys}
            if slot.may_begin_item and isinstance(field_type, PartOf)
            else set()
        )

    def _formula_candidates(self, slot: Slot) -> Iterator[Candidate]:
        """What a house rule may compute, and the names that its formula may use."""
        extension_point_by_name = points_of(self.play)
        if slot.is_for_name:
            for name, extension_point in extension_point_by_name.items():
                if name not in slot.already_listed:
                    value_type = str(extension_point.value_type)
                    yield Candidate(name, value_type, "name", suffix=": ", hint=extension_point.doc)
            return
        formula_point = extension_point_by_name.get(slot.key_path[-1] if slot.key_path else "")
        for name, doc in names_in_words(formula_point).items() if formula_point is not None else ():
            yield Candidate(name, hint=doc)

    def _snapshot_parts(self, slot: Slot) -> Iterator[Candidate]:
        """Parts of the state that a snapshot can set: cards, the open scene."""
        for item_name, snapshot_item in self.game.things.items():
            if slot.is_for_name and item_name not in slot.already_listed:
                yield Candidate(item_name, "", "name", suffix=": ", hint=snapshot_item.doc)

    def _figure_candidates(self, slot: Slot) -> Iterator[Candidate]:
        """Figures that can be stated, their owners, and their values by this record."""
        measures = self.game.by_measure
        values_by_figure = figures(self.play, measures)
        if not slot.key_path:
            for figure_name in values_by_figure if slot.is_for_name else ():
                if figure_name not in slot.already_listed:
                    yield Candidate(
                        figure_name, "", "name", suffix=": ", hint=measures[figure_name].doc
                    )
            return
        value_by_owner = values_by_figure.get(slot.key_path[0], {})
        if "" in value_by_owner or len(slot.key_path) > 1:
            figure_value = value_by_owner.get("" if "" in value_by_owner else slot.key_path[-1])
            if figure_value is not None:
                yield Candidate(str(figure_value), word("server.by_this_record"))
            return
        for owner, figure_value in value_by_owner.items():
            yield Candidate(owner, str(figure_value), "name", suffix=": ")

    def actor_candidates(self, action_class: type[Action]) -> Iterator[Candidate]:
        """Possible actors: by the rules of the game first, then the players, then the characters."""
        moves = [move for move in self.game.options(self.play) if move.verb == action_class.verb]
        # If the game names a character as the actor, it comes before its player.
        actors_in_moves = dict.fromkeys(
            str(move.make_entry(Random(0)).get("by", move.by)) for move in moves
        )
        subjects_by_id = self.play.names.all
        player_ids = [id for id, subject in subjects_by_id.items() if subject.kind == PLAYER]
        character_ids = [
            id
            for id in subjects_by_id
            if id not in player_ids and self._player_of(id) and not self._is_pair(id)
        ]
        actor_ids_in_moves = [
            id
            for id in (*player_ids, *character_ids)
            if subjects_by_id[id].name in actors_in_moves or id in actors_in_moves
        ]
        character_ids.sort(key=lambda id: -self.usage.use_count(id))
        for id in dict.fromkeys((*actor_ids_in_moves, *player_ids, *character_ids)):
            yield self._name_candidate(id, "")

    def _part_candidates(
        self, part_type: PartOf[Any], slot: Slot, excluded_names: Collection[str] = ()
    ) -> Iterator[Candidate]:
        """The keys that a mapping can still get."""
        for part_name, field in part_type.part.fields.items():
            if part_name not in slot.already_listed and part_name not in excluded_names:
                yield Candidate(
                    part_name, short_description(field.doc), "part", suffix=": ", hint=field.doc
                )

    def candidates_from_game(
        self, action_class: type[Action], field: Field, slot: Slot
    ) -> Iterator[Candidate]:
        """What the game offers for a slot."""
        slot_path = (field.name, *slot.key_path)
        candidates: dict[str, Candidate] = {}
        actors = dict.fromkeys(move.by for move in self.moves if move.verb == action_class.verb)
        for actor in actors or (self.actor or self.game.standing(self.play).turn,):
            for offer in self.game.offers(self.play, action_class.verb, actor):
                if len(offer.path) > len(slot_path) and self.is_same_path(
                    offer.path[: len(slot_path)], slot_path
                ):
                    label = offer.path[len(slot_path)]
                    if label not in candidates or (candidates[label].why_barred and not offer.why):
                        candidates[label] = self._candidate_from_offer(
                            offer, label, len(slot_path), slot
                        )
        yield from self._sort_due_first(action_class, candidates.values())

    def _sort_due_first(
        self, action_class: type[Action], candidates: Iterable[Candidate]
    ) -> list[Candidate]:
        """Sort names: those with an obligation that the verb settles, the most used, those that may not."""
        obliged_names = [
            *dict.fromkeys(
                obligation.who
                for obligation in self.obligations
                if obligation.verb == action_class.verb and obligation.who
            )
        ]

        player_on_turn, player_names = self.game.standing(self.play).turn, [*self.play.seats]
        if may_take_name(action_class) and player_on_turn in player_names:
            # What players do in turn they do in the order of their seats.
            obliged_names += [
                *player_names[player_names.index(player_on_turn) :],
                *player_names[: player_names.index(player_on_turn)],
            ]

        def rank(candidate: Candidate) -> int:
            return (
                obliged_names.index(candidate.label)
                if candidate.label in obliged_names
                else len(obliged_names)
            )

        return sorted(
            candidates,
            key=lambda candidate: (bool(candidate.why_barred), rank(candidate), -candidate.weight),
        )

    def is_same_path(self, offer_path: tuple[str, ...], slot_path: tuple[str, ...]) -> bool:
        """Whether two paths are the same, with any names of the same people."""
        if len(offer_path) != len(slot_path):
            return False
        for offer_name, slot_name in zip(offer_path, slot_path, strict=True):
            if offer_name != slot_name:
                subject = self.play.names.find(slot_name)
                if not isinstance(subject, Named) or offer_name not in (subject.name, subject.id):
                    return False
        return True

    def _candidate_from_offer(
        self, offer: Offer, label: str, path_length: int, slot: Slot
    ) -> Candidate:
        is_last_in_path = len(offer.path) == path_length + 1
        # A pair has the short names of its two.
        ids_in_label = [self._id_of_name(name) for name in label.split(" & ")]
        subject_id = ids_in_label[0] if len(ids_in_label) == 1 else self._id_of_name(label)
        short_names = [self.usage.usual_name(name) for name in ids_in_label if name]
        return Candidate(
            label,
            offer.note if is_last_in_path else self._player_of(subject_id),
            "name" if subject_id else "value",
            offer.why if is_last_in_path else "",
            " & ".join(short_names) if len(short_names) == len(ids_in_label) else label,
            min(map(self.usage.use_count, ids_in_label)),
            suffix="" if is_last_in_path and not offer.needs_value else ": ",
            further_pairs=tuple(self.game.besides(offer.path[0], offer.path).items())
            if is_last_in_path
            else (),
        )

    def _id_of_name(self, name: str) -> str:
        """The id of what has exactly this name; empty if nothing has."""
        subject = self.play.names.find(name)
        return subject.id if isinstance(subject, Named) and subject.name == name else ""

    def _unnamed_candidates(self, action_class: type[Action]) -> Iterator[Candidate]:
        """Those without a name that have an obligation: the Sphere, the threat."""
        for name in dict.fromkeys(
            obligation.who
            for obligation in self.obligations
            if obligation.verb == action_class.verb
        ):
            if name and not isinstance(self.play.names.find(name), Named):
                yield Candidate(name, "", "name", insert=name)

    def _candidates_in_role(self, law: Law, role: Role) -> Iterator[Candidate]:
        play = self.play
        subject_kinds = (PLAYER,) if role.resolves_to == PLAYER else role.kinds
        for subject_id, subject in play.names.all.items():
            if subject_kinds and subject.kind not in subject_kinds:
                continue
            if subject.kind == PLAYER and role.resolves_to != PLAYER and len(subject_kinds) != 1:
                continue  # Their character has this role.
            unmet_need = first_unmet_need(play, role, subject_id, includes_actor_needs=False)
            why_barred = ""
            if unmet_need is not None:
                message_terms = {
                    **law.terms(play),
                    "who": subject.name,
                    "player": player_named(play, subject_id),
                    "by": self.actor,
                    "doing": role.action_phrase,
                }
                why_barred = unmet_need.message.format_map(message_terms)
            yield self._name_candidate(subject_id, why_barred)

    def _pair_candidates(self, candidates: Iterable[Candidate]) -> Iterator[Candidate]:
        """Pairs of names."""
        likely_candidates = sorted(
            (candidate for candidate in candidates if not candidate.why_barred),
            key=lambda candidate: -candidate.weight,
        )
        for first_candidate, second_candidate in combinations(
            likely_candidates[:MOST_PAIRED_NAMES], 2
        ):
            pair_label = f"{first_candidate.label} & {second_candidate.label}"
            pair_text = f"{first_candidate.insert} & {second_candidate.insert}"
            pair_weight = first_candidate.weight + second_candidate.weight
            yield Candidate(pair_label, "", "name", insert=pair_text, weight=pair_weight)

    def _scene_place_candidates(self) -> Iterator[Candidate]:
        """The places of scenes, the last first."""
        scene_places = (scene.place for scene in reversed(self.play.timeline.scenes))
        for scene_place in dict.fromkeys(filter(None, scene_places)):
            yield Candidate(scene_place)

    def candidates_without_role(self, field: Field) -> Iterator[Candidate]:
        """Names for a key without a role: players if the key takes players, else others, those in the scene first."""
        scene = self.play.timeline.current
        cast_ids = set(scene.cast) if scene is not None else set()
        takes_players = field.names_players
        for subject_id, subject in self.play.names.all.items():
            if (subject.kind == PLAYER) == takes_players and not self._is_pair(subject_id):
                candidate = self._name_candidate(subject_id, "")
                yield candidate._replace(
                    weight=candidate.weight + (1000 if subject_id in cast_ids else 0)
                )

    def speakers(self, field: Field) -> list[Candidate]:
        """Names for a speaker, the most used first; only those of kinds for which players speak, if there are any."""
        kind_by_label = {subject.name: subject.kind for subject in self.play.names.all.values()}
        named_candidates = sorted(
            self.candidates_without_role(field), key=lambda candidate: -candidate.weight
        )
        kinds = {kind_by_label[candidate.label] for candidate in named_candidates if candidate.note}
        return [
            candidate
            for candidate in named_candidates
            if not kinds or kind_by_label[candidate.label] in kinds
        ]

    def _is_pair(self, subject_id: str) -> bool:
        """Whether a name is that of a pair."""
        parts = self.play.names.all[subject_id].name.split(" & ")
        return len(parts) > 1 and all(
            isinstance(self.play.names.find(part), Named) for part in parts
        )

    def _name_candidate(self, subject_id: str, why_barred: str) -> Candidate:
        usual_name = self.usage.usual_name(subject_id)
        label = self.play.names.all[subject_id].name
        return Candidate(
            label,
            self._player_of(subject_id),
            "name",
            why_barred,
            usual_name,
            self.usage.use_count(subject_id),
        )

    def _player_of(self, subject_id: str) -> str:
        subject = self.play.names.all.get(subject_id)
        if subject is None or subject.kind == PLAYER:
            return ""
        return self.game.player_of(self.play, subject)

    def id_of(self, written_name: str) -> str:
        """The id of what a word names; else the word in small letters."""
        subject = self.play.names.find(written_name.strip("\"'"))
        return subject.id if isinstance(subject, Named) else written_name.casefold()

    def field_type_of(self, field: Field) -> FieldType[Any]:
        """What a field takes in this game."""
        return stated_figures_type(field.kind, self.game.by_measure, self.game.things)


def _described_part(candidate: Candidate, field_type: FieldType[Any] | None) -> Candidate:
    """A candidate with the words about it, if it is a key of the mapping that fits there."""
    part_fields = field_type.part.fields if isinstance(field_type, PartOf) else {}
    if candidate.note or candidate.label not in part_fields:
        return candidate
    doc = part_fields[candidate.label].doc
    return candidate._replace(note=short_description(doc), hint=candidate.hint or doc)


def short_description(doc: str) -> str:
    """The first words about a key, of 'yes, if ...' the condition; empty if they are long or show a form."""
    first_words = re.split(r"[;:,(]", doc.removeprefix("yes, "))[0].strip()
    is_short = len(first_words) <= MOST_DESCRIPTION_LETTERS and first_words not in ("yes", "no")
    return first_words if is_short and not re.search(r"[{}\[\]']", first_words) else ""


def _number_candidates(slot: Slot) -> Iterator[Candidate]:
    """The first whole numbers that fit in a slot, unless it takes a list."""
    schemas = [slot.schema, *(kind.schema() for kind in recorded_field_types(slot.kind))]
    number_schemas = [schema for schema in schemas if "integer" in json_types_of(schema)]
    takes_list = any("array" in json_types_of(schema) for schema in schemas)
    if number_schemas and not takes_list and not slot.is_for_name:
        lowest_number = min(number_schemas[0].get("minimum", 0), 1)
        for number in range(
            lowest_number,
            min(lowest_number + MOST_OFFERED_NUMBERS, number_schemas[0].get("maximum", 99) + 1),
        ):
            yield Candidate(str(number), kind="number")


def recorded_field_types(field_type: FieldType[Any] | None) -> Iterator[FieldType[Any]]:
    """The alternatives of a kind, without roles and without ``unrecorded``."""
    for alternative_type in alternatives(field_type) if field_type is not None else ():
        yield recorded_type(alternative_type)


def takes_own_words(slot: Slot) -> bool:
    """Whether a slot takes own words: a Trait, a sentence."""
    is_new = slot.role == "" or (slot.kind is not None and roleless(slot.kind) is TEXT)
    return is_new and not slot.is_for_name


def takes_speech(slot: Slot) -> bool:
    """Whether a slot takes speech, behind the name of the speaker."""
    return slot.kind is not None and SPEECH in map(roleless, alternatives(slot.kind))


def is_in_formula(slot: Slot, field: Field) -> bool:
    """Whether a slot is in the formulas of a house rule."""
    return (
        field.kind is FORMULAS
        or "computes" in slot.key_path[:-1]
        or slot.key_path[-1:] == ("computes",)
    )


def _allowed_words(field_type: FieldType[Any] | None, schema: Any) -> Iterable[str]:
    """The words of a kind that takes only some."""
    field_types = (
        [roleless(alternative) for alternative in alternatives(field_type)]
        if field_type is not None
        else []
    )
    allowed_words: list[str] = [
        word
        for alternative_type in field_types
        for word in getattr(alternative_type, "choices", ())
    ]
    if allowed_words:
        return allowed_words
    if field_type is YES_NO:
        return ("yes", "no")
    return [str(enum_value) for enum_value in schema.get("enum", ()) if isinstance(enum_value, str)]


def _price_note(price: tuple[int, str] | None) -> str:
    return "" if price is None else f"{price[0]} {price[1]}" if price[0] else "free"


def may_take_name(action_class: type[Action]) -> bool:
    """Whether a verb takes a name that it does not require."""
    main_field = action_class.main
    return (
        main_field is not None and not main_field.required and roleless(main_field.kind).has_names()
    )


def verb_description(action_class: type[Action]) -> str:
    """The first sentence about a verb."""
    return " ".join((action_class.__doc__ or "").split()).split(". ")[0].rstrip(".")
