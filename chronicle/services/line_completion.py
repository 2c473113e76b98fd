"""What fits an unfinished line: verbs, keys, names and words, and what may follow them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from random import Random
from typing import Any

from chronicle.core.declare import Field, PartOf
from chronicle.core.diagnostic import nearest_words
from chronicle.core.field_types import TEXT, FieldType, alternatives, roleless
from chronicle.core.names import Named
from chronicle.core.replay import Replay
from chronicle.core.shared_verbs import Tell
from chronicle.services.candidates import (
    CandidateFinder,
    is_in_formula,
    may_take_name,
    takes_own_words,
    takes_speech,
)
from chronicle.services.choices import (
    MOST_SHOWN_CHOICES,
    PREFIX_MATCH,
    Candidate,
    build_choices,
    match_quality,
    offers_without_repetition,
)
from chronicle.services.line_questions import question_about
from chronicle.services.typed_slots import (
    accepts_name_alone,
    declared_part,
    is_verb_complete,
    matches,
    may_end,
    slot_in_formula,
    slot_of_last_speech,
)
from chronicle.syntax.kinds import json_types_of, listed_part_fields
from chronicle.syntax.line_slots import Slot, find_slots
from chronicle.syntax.one_line import (
    LineError,
    ParsedLine,
    TypedField,
    close_brackets,
    read_line,
    split_items,
    split_line,
)
from chronicle.syntax.yaml_text import write_scalar
from chronicle.words import word

_KEY_DESCRIPTION = re.compile(r"\{([^{}:,\[\]]+):")
"""The description of a mapping's keys in the documentation of a field."""
PLACEHOLDER_WORD = "whatever comes"
"""Stands for what is still to be said, while the rest is tried."""


class Completer:
    """What fits at one moment of play. The replay is not changed.

    Args:
        replay: The replay at that moment.
        actor: Whose act the line is; empty: anybody's.
    """

    def __init__(self, replay: Replay[Any], actor: str = "") -> None:
        self.replay, self.play, self.game = replay, replay.play, replay.rulebook
        self.candidates = CandidateFinder(replay, actor)
        self._fitting_words: dict[str, list[str]] = {}

    def _build_choices(
        self,
        text_before_caret: str,
        text_after_caret: str,
        *offers: Any,
        max_shown: int = MOST_SHOWN_CHOICES,
    ) -> dict[str, Any]:
        return build_choices(
            text_before_caret,
            text_after_caret,
            *offers,
            id_of=self.candidates.id_of,
            takes_own_words=self.takes_own_words,
            max_shown=max_shown,
        )

    def verb_choices(self, typed_text: str) -> list[dict[str, Any]]:
        """All verbs that match the typed text, those that may come now first."""
        slot = self._verb_slot(typed_text)
        shown_choices = self._build_choices(
            typed_text, "", [(slot, [*self.candidates.verb_candidates()])], "", "", max_shown=0
        )
        choices: list[dict[str, Any]] = shown_choices["choices"]
        return choices

    def find_choices(self, line_text: str, caret: int) -> dict[str, Any]:
        """The choices for a caret in a line, the first of them as a ghost behind it."""
        text_before_caret, text_after_caret = line_text[:caret], line_text[caret:]
        parsed_line = split_line(text_before_caret, self.game.by_verb)
        if parsed_line is None or not is_verb_complete(text_before_caret, parsed_line):
            shown_choices = self._build_choices(
                text_before_caret,
                text_after_caret,
                [(self._verb_slot(text_before_caret), [*self.candidates.verb_candidates()])],
                "",
                "",
            )
            if parsed_line is None and text_before_caret.strip() and not shown_choices["choices"]:
                other_beginnings = [*self._other_beginnings(text_before_caret)]
                return self._build_choices(
                    text_before_caret,
                    text_after_caret,
                    [(self._verb_slot(text_before_caret), other_beginnings)],
                    "",
                    word("server.ask_action"),
                )
            if parsed_line is not None and not text_after_caret and may_take_name(parsed_line.verb):
                # The line is complete, and it can name several players.
                name_choices = self.find_choices(f"{text_before_caret} ", caret + 1)
                next_name_choices = [
                    choice | {"kind": "next"}
                    for choice in name_choices["choices"]
                    if choice["kind"] == "name"
                ]
                shown_choices |= {
                    "choices": [*shown_choices["choices"], *next_name_choices],
                    "title": name_choices["title"],
                }
            return shown_choices
        typed_field = parsed_line.typed_fields[-1]
        field = parsed_line.field(typed_field.key)
        if field is None:
            key_candidates = [*self.candidates.key_candidates(parsed_line, line_text)]
            slot = Slot((), typed_field.text, typed_field.start, None, None)
            return self._build_choices(
                text_before_caret,
                text_after_caret,
                [(slot, key_candidates)],
                "",
                word("server.anything_else"),
            )
        offers = [
            (slot, [*self.candidates.value_candidates(parsed_line.verb, field, slot)])
            for value_slot in find_slots(
                self.candidates.field_type_of(field), typed_field.text, typed_field.start
            )
            for slot in [
                slot_in_formula(value_slot)
                if is_in_formula(value_slot, field)
                else slot_of_last_speech(value_slot)
            ]
        ]
        # Names that have a value already come last.
        used_value_ids = self.ids_in_values(text_before_caret)
        for slot, candidates in offers:
            used_ids = (
                {*used_value_ids, self.candidates.id_of(slot.key_path[-1])}
                if slot.key_path
                else set()
            )
            candidates.sort(
                key=lambda candidate: (
                    candidate.kind == "name" and self.candidates.id_of(candidate.label) in used_ids
                )
            )
        is_value_complete = typed_field.text.strip() and (
            may_end(typed_field.text, offers) or self._is_typed_alias(offers)
        )
        starts_of_names = {
            slot.start
            for slot, candidates in offers
            if slot.is_for_name and any(candidate.suffix for candidate in candidates)
        }
        # A name that starts a mapping is offered only for that, unless a name alone fits there.
        offers = [
            (slot, candidates)
            for slot, candidates in offers
            if slot.is_for_name
            or slot.start not in starts_of_names
            or accepts_name_alone(slot.kind, candidates)
        ]
        offers = [*offers_without_repetition(offers)]
        new_offers = [
            (slot, candidates)
            for slot, candidates in offers
            for candidates in [[*self._new_item_candidates(slot, candidates)]]
            if candidates
        ]
        new_offers += [
            (Slot((), slot.typed_text, 0, None, None), candidates)
            for slot, candidates in offers
            for candidates in [
                [
                    *self._new_item_before_candidates(
                        parsed_line, field, slot, candidates, text_before_caret
                    )
                ]
            ]
            if candidates
        ]
        if any(slot.key_path and takes_own_words(slot) for slot, _ in offers):
            # The line goes on with the words about a new person.
            new_offers = []
        if is_value_complete:
            # A name that has the typed word inside can follow it, but does not complete it.
            offers = [
                (
                    slot,
                    [
                        candidate
                        for candidate in candidates
                        if match_quality(candidate, slot.typed_text) <= PREFIX_MATCH
                    ],
                )
                for slot, candidates in offers
            ]
            offers += self._candidates_after_value(
                parsed_line, field, typed_field, text_before_caret, line_text
            )
        is_list_open = (
            typed_field.text.rstrip().endswith(",")
            and close_brackets(typed_field.text) == typed_field.text
        )
        if is_list_open and not any(candidates for _, candidates in offers):
            # Nothing more can be listed there.
            key_candidates = [*self.candidates.key_candidates(parsed_line, line_text)]
            offers = [
                (Slot((), "", len(text_before_caret.rstrip(" ,")), None, None), key_candidates)
            ]
        other_names = [
            *self._next_name_candidates(parsed_line, field, typed_field, text_before_caret)
        ]
        if other_names:
            offers.append(
                (Slot((), "", len(text_before_caret.rstrip(" ,")), None, None), other_names)
            )
        if new_offers:
            # Nothing can follow an unknown name.
            offers = [
                *new_offers,
                *((slot, candidates) for slot, candidates in offers if slot.kind is None),
            ]
        value_path = offers[0][0].key_path if offers else ()
        if not value_path and typed_field.text.rstrip().endswith(":"):
            # Words that a person says: the key is the speaker.
            value_path = (typed_field.text.strip(" :"),)
        nested_field = (
            declared_part(self.candidates.field_type_of(field), value_path[-1])
            if value_path
            else None
        )
        title = question_about(self.game, parsed_line.verb, field, value_path, nested_field)
        if new_offers:
            title = word("server.nothing_called", name=new_offers[0][0].typed_text.strip())
        return self._build_choices(text_before_caret, text_after_caret, offers, field.name, title)

    def _other_beginnings(self, text: str) -> Iterator[Candidate]:
        """What a line may mean that begins with no verb: that of a verb with a similar name, or what is told."""
        typed_words = text.split()
        for word_count in range(min(2, len(typed_words)), 0, -1):
            verb_words, words_after_verb = (
                " ".join(typed_words[:word_count]).rstrip(":"),
                " ".join(typed_words[word_count:]),
            )
            verbs = [verb for verb in self.game.by_verb if len(verb.split()) == word_count]
            for verb in nearest_words(verb_words, verbs, 2):
                yield Candidate(
                    f"{verb} {words_after_verb}", kind="new", insert=f"{verb} {words_after_verb}"
                )
        tell_line = f"{Tell.verb} {text.strip()}"
        yield Candidate(tell_line, kind="new", insert=tell_line)

    def fitting_words(self, line_text: str) -> list[str]:
        """The names and words that fit at the end of a line, in their order."""
        if line_text not in self._fitting_words:
            self._fitting_words[line_text] = [
                str(choice["line"])[len(line_text) : choice["caret"]]
                for choice in self.find_choices(line_text, len(line_text))["choices"]
                if choice["eligible"]
                and not choice["chosen"]
                and choice["kind"] in ("name", "value")
            ]
        return self._fitting_words[line_text]

    def complete_line(self, line_text: str) -> str:
        """Complete a line with what fits best in every open place, so that it can be tried."""
        if line_text.rstrip().endswith(":"):
            line_text = self._with_first_choice(f"{line_text.rstrip()} ")
        line_text = close_brackets(line_text)
        parsed_line = split_line(line_text, self.game.by_verb)
        if parsed_line is not None:
            present_keys = {typed_field.key for typed_field in parsed_line.typed_fields}
            for field in parsed_line.verb.fields.values():
                if field.required and field.name not in present_keys:
                    line_text = close_brackets(
                        self._with_first_choice(f"{line_text}, {field.name}: ")
                    )
        return line_text

    def replace_unoffered_word(self, line_text: str) -> tuple[str, str] | None:
        """Find a word at the end of a line that the game does not offer there.

        Returns:
            The word, and the line with an offered word or the number 1 instead. None if the word is offered,
            or can become one that is.
        """
        parsed_line, field = split_line(line_text, self.game.by_verb), self.field_at(line_text)
        if parsed_line is None or field is None:
            return None
        for slot in self.slots_at(line_text):
            typed_word = slot.typed_text.strip()
            if field.name == "by" and isinstance(self.play.names.find(typed_word), Named):
                # Any player can be named. The likeliest actor is offered first.
                likeliest_actor = next(self.candidates.actor_candidates(parsed_line.verb)).label
                is_likeliest = self.candidates.id_of(likeliest_actor) == self.candidates.id_of(
                    typed_word
                )
                return (
                    None
                    if is_likeliest
                    else (typed_word, f"{line_text[: slot.start]}{likeliest_actor}")
                )
            offered_candidates = [
                *self.candidates.candidates_from_game(parsed_line.verb, field, slot)
            ]
            matching_candidates = [
                candidate for candidate in offered_candidates if matches(candidate, typed_word)
            ]
            label_words = {
                word
                for candidate in matching_candidates
                for word in candidate.label.casefold().split()
            }
            if not typed_word or (matching_candidates and typed_word.casefold() not in label_words):
                continue
            candidates_of_subject = [
                candidate
                for candidate in matching_candidates
                if self.candidates.id_of(candidate.label) == self.candidates.id_of(typed_word)
            ]
            if any(not candidate.why_barred for candidate in candidates_of_subject) or (
                not candidates_of_subject
                and any(candidate.why_barred for candidate in matching_candidates)
            ):
                continue
            labels = [
                candidate.label
                for candidate in (matching_candidates or offered_candidates)
                if not candidate.why_barred
            ] or [candidate.label for candidate in offered_candidates if not candidate.why_barred]
            if labels or typed_word.isdigit():
                return typed_word, f"{line_text[: slot.start]}{[*labels, '1'][0]}"
        return None

    def _with_first_choice(self, line_text: str) -> str:
        choices = self.find_choices(line_text, len(line_text))["choices"]
        line_with_first_choice = next(
            (
                choice["line"]
                for choice in choices
                if choice["eligible"] and choice["kind"] in ("name", "value")
            ),
            "",
        )
        if line_with_first_choice and not line_with_first_choice.rstrip().endswith(":"):
            return str(line_with_first_choice)
        placeholder = "1" if self._takes_number(line_text) else PLACEHOLDER_WORD
        return f"{line_with_first_choice.rstrip() or line_text.rstrip()} {placeholder}"

    def _takes_number(self, line_text: str) -> bool:
        """Whether a whole number fits at the end of a line."""
        return any(
            slot.kind is not None and "integer" in json_types_of(slot.kind.schema())
            for slot in self.slots_at(line_text)
        )

    def excluded_names(self, line_text: str, candidate_names: Iterable[str]) -> set[str]:
        """The names that the game does not allow beside those that a line lists already."""
        parsed_line = split_line(line_text, self.game.by_verb)
        if (
            parsed_line is None
            or len(parsed_line.typed_fields) > 1
            or parsed_line.typed_fields[0].key != parsed_line.verb.verb
        ):
            return set()
        listed_id_sets = [
            {self.candidates.id_of(name) for name in example_values[0]}
            for move in self.candidates.moves
            if move.verb == parsed_line.verb.verb
            for example_values in [
                [move.make_entry(Random(seed)).get(move.verb) for seed in (0, 1)]
            ]
            if example_values[0] == example_values[1]
            and isinstance(example_values[0], list)
            and len(example_values[0]) > 1
        ]
        already_listed_ids = {
            self.candidates.id_of(name)
            for slot in self.slots_at(line_text)
            for name in slot.already_listed
        }
        allowed_ids = set().union(
            *(listed_ids for listed_ids in listed_id_sets if already_listed_ids <= listed_ids)
        )
        return (
            {name for name in candidate_names if self.candidates.id_of(name) not in allowed_ids}
            if listed_id_sets
            else set()
        )

    def ids_in_values(self, line_text: str) -> set[str]:
        """The ids of the names that are values in the mapping at the end of a line."""
        parsed_line = split_line(line_text, self.game.by_verb)
        try:
            entry_data = read_line(line_text, self.game.by_verb) if parsed_line is not None else {}
        except LineError:
            return set()
        last_value = (
            entry_data.get(parsed_line.typed_fields[-1].key) if parsed_line is not None else None
        )
        mapping_values = last_value.values() if isinstance(last_value, Mapping) else ()
        return {
            self.candidates.id_of(name) for name in mapping_values if isinstance(name, str) and name
        }

    def repeated_names(self, line_text: str, names: Iterable[str]) -> set[str]:
        """The names that are values already in the mapping at the end of a line."""
        value_ids = (
            self.ids_in_values(line_text)
            if any(slot.key_path for slot in self.slots_at(line_text))
            else set()
        )
        return {name for name in names if self.candidates.id_of(name) in value_ids}

    def takes_only_own_words(self, line_text: str) -> bool:
        """Whether only own words fit at the end of a line."""
        return (
            self.takes_own_words(line_text)
            and not self.find_choices(line_text, len(line_text))["choices"]
        )

    def takes_own_words(self, line_text: str) -> bool:
        """Whether own words fit at the end of a line."""
        return any(
            slot.kind is not None and roleless(slot.kind) is TEXT and not slot.is_for_name
            for slot in self.slots_at(line_text)
        )

    def ends_in_speech(self, line_text: str) -> bool:
        """Whether a line ends in speech, behind the name of the speaker."""
        return any(map(takes_speech, self.slots_at(line_text)))

    def slots_at(self, line_text: str) -> list[Slot]:
        """The slots at the end of a line."""
        parsed_line, field = split_line(line_text, self.game.by_verb), self.field_at(line_text)
        if parsed_line is None or field is None:
            return []
        return find_slots(
            self.candidates.field_type_of(field),
            parsed_line.typed_fields[-1].text,
            parsed_line.typed_fields[-1].start,
        )

    def field_at(self, line_text: str) -> Field | None:
        """The key that a line ends in."""
        parsed_line = split_line(line_text, self.game.by_verb)
        return (
            parsed_line.field(parsed_line.typed_fields[-1].key) if parsed_line is not None else None
        )

    def _new_item_candidates(self, slot: Slot, candidates: list[Candidate]) -> Iterator[Candidate]:
        """Candidates for an unknown name: a new item of each kind that can start there."""
        typed_name = slot.typed_text.strip()
        field_types = map(roleless, alternatives(slot.kind)) if slot.kind is not None else ()
        part_field_names = {
            name
            for field_type in field_types
            if isinstance(field_type, PartOf)
            for name in field_type.part.fields
        }
        if not typed_name or not part_field_names or ":" in typed_name:
            return
        if isinstance(self.play.names.find(typed_name), Named) or any(
            matches(candidate, typed_name) for candidate in candidates
        ):
            return
        for candidate in candidates:
            if (
                candidate.suffix
                and candidate.kind == "value"
                and candidate.label in part_field_names
                and not candidate.why_barred
            ):
                new_item = f"{candidate.label}: {write_scalar(typed_name, in_flow=True)}"
                yield candidate._replace(
                    label=new_item,
                    insert=new_item,
                    kind="new",
                    suffix="",
                    synonyms=(typed_name.casefold(),),
                )

    def _new_item_before_candidates(
        self,
        parsed_line: ParsedLine,
        field: Field,
        slot: Slot,
        candidates: list[Candidate],
        text_before_caret: str,
    ) -> Iterator[Candidate]:
        """Candidates for an unknown name inside a new item: a further new item before it, made by the same line."""
        field_type, typed_field = self.candidates.field_type_of(field), parsed_line.typed_fields[-1]
        typed_name, law = slot.typed_text.strip(), self.game.law
        items = split_items(field_type, typed_field.text)
        roles = law.roles if law is not None else {}
        if not (typed_name and slot.key_path and slot.role in roles and items and items[-1].keys):
            return
        if isinstance(self.play.names.find(typed_name), Named) or any(
            matches(candidate, typed_name) for candidate in candidates
        ):
            return
        _, exclusive_keys = listed_part_fields(field_type)
        text_before_item = typed_field.text[: items[-1].start].casefold()
        if re.search(
            rf":\s*[\"']?{re.escape(typed_name.casefold())}[\"']?\s*(?:[,}}]|$)", text_before_item
        ):
            return
        candidates_from_game = self.candidates.candidates_from_game(
            parsed_line.verb, field, Slot((), "", 0, None, None)
        )
        role_key_candidates = [
            candidate
            for candidate in candidates_from_game
            if candidate.suffix and candidate.label in exclusive_keys and not candidate.why_barred
        ]
        # A key with the name of the role is the only one for it.
        candidates_named_like_role = [
            candidate for candidate in role_key_candidates if candidate.label == slot.role
        ]
        last_item, line_before_item = (
            items[-1],
            text_before_caret[: typed_field.start + items[-1].start].rstrip(),
        )
        for candidate in candidates_named_like_role or [
            candidate for candidate in role_key_candidates if candidate.label not in roles
        ]:
            new_item = f"{candidate.label}: {write_scalar(typed_name, in_flow=True)}"
            last_item_text = last_item.text.strip()
            inserted_text = f"{line_before_item} {new_item}, {last_item_text}"
            if not {*last_item.keys} & {*exclusive_keys}:
                item_texts = (
                    f"{{{item.text.strip()}}}" if item.keys else item.text for item in items
                )
                list_text = ", ".join(
                    (*[*item_texts][:-1], f"{{{new_item}}}", f"{{{last_item_text}")
                )
                inserted_text = f"{text_before_caret[: typed_field.start]}[{list_text}"
            yield candidate._replace(
                label=new_item,
                insert=inserted_text,
                kind="new",
                suffix="",
                synonyms=(typed_name.casefold(),),
            )

    def names_needing_trial(self, line_text: str) -> set[str]:
        """The names at the end of a line whose role has no guards: only a trial shows whether they fit. Players who
        come or go have no role at all."""
        parsed_line, field, law = (
            split_line(line_text, self.game.by_verb),
            self.field_at(line_text),
            self.game.law,
        )
        if (
            parsed_line is not None
            and parsed_line.verb.about_table
            and field is not None
            and field.names_players
        ):
            return {player.name for player in self.play.players}
        if parsed_line is None or field is None or law is None:
            return set()
        return {
            subject.name
            for slot in self.slots_at(line_text)
            if slot.role and slot.role in law.roles and not law.roles[slot.role].needs
            if not any(
                True for _ in self.candidates.candidates_from_game(parsed_line.verb, field, slot)
            )
            for subject in self.play.names.all.values()
        }

    def _candidates_after_value(
        self,
        parsed_line: ParsedLine,
        field: Field,
        typed_field: TypedField,
        text_before_caret: str,
        line_text: str,
    ) -> Iterator[tuple[Slot, list[Candidate]]]:
        """What can follow a complete value: a further name or item, then further keys."""
        text_with_comma = f"{typed_field.text.rstrip()}, "
        for slot in find_slots(
            self.candidates.field_type_of(field), typed_field.text, typed_field.start
        ):
            if takes_speech(slot):
                # Another player answers, on a line of their own.
                last_speaker = slot_of_last_speech(slot).typed_text.partition(":")[0].strip()
                yield (
                    Slot((), "", len(text_before_caret.rstrip()), None, None),
                    [
                        candidate._replace(
                            insert=f"\n{candidate.insert or candidate.label}: ", kind="next"
                        )
                        for candidate in self.candidates.speakers(field)
                        if self.candidates.id_of(candidate.label)
                        != self.candidates.id_of(last_speaker)
                    ],
                )
        for slot in find_slots(
            self.candidates.field_type_of(field), text_with_comma, typed_field.start
        ):
            candidates = [*self.candidates.value_candidates(parsed_line.verb, field, slot)]
            key_description = _KEY_DESCRIPTION.search(field.doc)
            if slot.is_for_name and slot.already_listed and key_description and not candidates:
                # No name is offered there, so the choice says what comes next.
                next_label = word("server.another", what=key_description[1])
                slot_after = slot._replace(start=len(text_before_caret.rstrip()), typed_text="")
                yield slot_after, [Candidate(next_label, kind="next", insert=", ")]
            elif slot.already_listed and not slot.typed_text.strip():
                already_listed_ids = {
                    self.candidates.id_of(name) for name in slot.already_listed
                } - self.candidates.keys_beginning_item(slot)
                caret_without_spaces = len(text_before_caret.rstrip())
                yield (
                    slot._replace(start=caret_without_spaces, typed_text=""),
                    [
                        candidate._replace(
                            insert=f", {write_scalar(candidate.insert or candidate.label, in_flow=True)}",
                            kind="next",
                        )
                        for candidate in candidates
                        if self.candidates.id_of(candidate.label) not in already_listed_ids
                    ],
                )
        yield (
            Slot((), "", len(text_before_caret.rstrip()), None, None),
            [*self.candidates.key_candidates(parsed_line, line_text)],
        )

    def _is_typed_alias(self, offers: list[tuple[Slot, list[Candidate]]]) -> bool:
        """Whether the typed name is another name of a candidate."""
        for slot, candidates in offers:
            typed_name = slot.typed_text.strip()
            subject = self.play.names.find(typed_name.strip("\"'")) if typed_name else None
            if isinstance(subject, Named) and not slot.is_for_name:
                return any(
                    self.candidates.id_of(candidate.label) == subject.id and not candidate.suffix
                    for candidate in candidates
                )
        return False

    def _next_name_candidates(
        self, parsed_line: ParsedLine, field: Field, typed_field: TypedField, text_before_caret: str
    ) -> Iterator[Candidate]:
        """Further names for a mapping, behind an open value of the name before."""
        typed_line = text_before_caret.rstrip(" ,")
        closed_line = close_brackets(typed_line)
        text_for_next_item = f"{typed_field.text.rstrip(' ,')}{closed_line[len(typed_line) :]}, "
        if (
            closed_line == typed_line
            or close_brackets(typed_field.text.lstrip()[:1]) == closed_line[len(typed_line) :]
        ):
            return
        for slot in find_slots(
            self.candidates.field_type_of(field), text_for_next_item, typed_field.start
        ):
            if (
                slot.is_for_name
                and slot.already_listed
                and not slot.key_path
                and isinstance(slot.kind, FieldType)
            ):
                for candidate in self.candidates.value_candidates(parsed_line.verb, field, slot):
                    if candidate.kind == "name" and not candidate.why_barred:
                        name = write_scalar(candidate.insert or candidate.label, in_flow=True)
                        inserted_text = f"{closed_line[len(typed_line) :]}, {name}: "
                        yield candidate._replace(insert=inserted_text, kind="next", suffix="")

    def _verb_slot(self, text_before_caret: str) -> Slot:
        dash_length = len(text_before_caret) - len(text_before_caret.lstrip("- "))
        return Slot((), text_before_caret[dash_length:], dash_length, None, None)
