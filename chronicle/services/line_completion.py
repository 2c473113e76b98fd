"""What fits an unfinished line: verbs, keys, names and words, and what may follow them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from chronicle.core.declare import Field, PartOf
from chronicle.core.diagnostic import nearest_words
from chronicle.core.field_types import TEXT, FieldType, MapOf, alternatives, roleless
from chronicle.core.names import Named
from chronicle.core.replay import Replay
from chronicle.core.shared_verbs import Tell
from chronicle.services.candidates import (
    Candidates,
    is_in_formula,
    may_take_name,
    takes_own_words,
    takes_speech,
)
from chronicle.services.choices import (
    MOST_SHOWN,
    NO_MATCH,
    PREFIX,
    Candidate,
    match_quality,
    offer_once,
    show_choices,
)
from chronicle.services.line_questions import question_about
from chronicle.syntax.kinds import json_types_of, listed_part_fields
from chronicle.syntax.line_slots import Slot, find_slots
from chronicle.syntax.one_line import (
    Line,
    LineError,
    TypedField,
    close_brackets,
    find_verb,
    read_line,
    split_items,
    split_line,
)
from chronicle.syntax.yaml_text import write_scalar
from chronicle.words import word

_KEY_DESCRIPTION = re.compile(r"\{([^{}:,\[\]]+):")
"""The description of a mapping's keys in the documentation of a field."""
STAND_IN = "whatever comes"
"""Stands for what is still to be said, while the rest is tried."""


class Completer:
    """What fits at one moment of play. The replay is not changed.

    Args:
        replay: The replay at that moment.
        by: Whose act the line is; empty: anybody's.
    """

    def __init__(self, replay: Replay[Any], by: str = "") -> None:
        self.replay, self.play, self.rules = replay, replay.play, replay.rulebook
        self.candidates = Candidates(replay, by)
        self._fitting_words: dict[str, list[str]] = {}

    def _show_choices(
        self, head: str, tail: str, *offers: Any, most: int = MOST_SHOWN
    ) -> dict[str, Any]:
        return show_choices(
            head,
            tail,
            *offers,
            id_of=self.candidates.id_of,
            takes_own_words=self.takes_own_words,
            limit=most,
        )

    def verbs(self, head: str) -> list[dict[str, Any]]:
        """All verbs that match the typed text, those that may come now first."""
        slot = self._verb_slot(head)
        shown = self._show_choices(
            head, "", [(slot, [*self.candidates.of_verbs(head)])], "", "", most=0
        )
        choices: list[dict[str, Any]] = shown["choices"]
        return choices

    def choices(self, text: str, caret: int) -> dict[str, Any]:
        """The choices for a caret in a line, the first of them as a ghost behind it."""
        head, tail = text[:caret], text[caret:]
        line = split_line(head, self.rules.by_verb)
        if line is None or not _is_verb_complete(head, line):
            shown_choices = self._show_choices(
                head, tail, [(self._verb_slot(head), [*self.candidates.of_verbs(head)])], "", ""
            )
            if line is None and head.strip() and not shown_choices["choices"]:
                other_lines = [*self._other_beginnings(head)]
                return self._show_choices(
                    head,
                    tail,
                    [(self._verb_slot(head), other_lines)],
                    "",
                    word("server.ask_action"),
                )
            if line is not None and not tail and may_take_name(line.verb):
                # The line is complete, and it can name several players.
                name_choices = self.choices(f"{head} ", caret + 1)
                next_names = [
                    candidate | {"kind": "next"}
                    for candidate in name_choices["choices"]
                    if candidate["kind"] == "name"
                ]
                shown_choices |= {
                    "choices": [*shown_choices["choices"], *next_names],
                    "title": name_choices["title"],
                }
            return shown_choices
        typed_field = line.parts[-1]
        field = line.field(typed_field.key)
        if field is None:
            key_candidates = [*self.candidates.of_keys(line, text)]
            slot = Slot((), typed_field.text, typed_field.start, None, None)
            return self._show_choices(
                head, tail, [(slot, key_candidates)], "", word("server.anything_else")
            )
        offers = [
            (slot, [*self.candidates.of_values(line.verb, field, slot)])
            for slot_here in find_slots(
                self.candidates.kind_of(field), typed_field.text, typed_field.start
            )
            for slot in [
                slot_in_formula(slot_here)
                if is_in_formula(slot_here, field)
                else slot_of_last_speech(slot_here)
            ]
        ]
        # Names that have a value already come last.
        assigned_names = self.assigned_names(head)
        for slot, candidates in offers:
            assigned_ids = (
                {*assigned_names, self.candidates.id_of(slot.path[-1])} if slot.path else set()
            )
            candidates.sort(
                key=lambda candidate: (
                    candidate.kind == "name"
                    and self.candidates.id_of(candidate.label) in assigned_ids
                )
            )
        is_value_complete = typed_field.text.strip() and (
            _may_end(typed_field.text, offers) or self._is_other_name(offers)
        )
        starts_of_names = {
            slot.start
            for slot, candidates in offers
            if slot.is_for_name and any(candidate.tail for candidate in candidates)
        }
        # A name that starts a mapping is offered only for that, unless a name alone fits there.
        offers = [
            (slot, candidates)
            for slot, candidates in offers
            if slot.is_for_name
            or slot.start not in starts_of_names
            or _accepts_name_alone(slot.kind, candidates)
        ]
        offers = [*offer_once(offers)]
        new_offers = [
            (slot, candidates)
            for slot, candidates in offers
            for candidates in [[*self._new_item_candidates(slot, candidates)]]
            if candidates
        ]
        new_offers += [
            (Slot((), slot.typed, 0, None, None), candidates)
            for slot, candidates in offers
            for candidates in [
                [*self._new_item_before_candidates(line, field, slot, candidates, head)]
            ]
            if candidates
        ]
        if any(slot.path and takes_own_words(slot) for slot, _ in offers):
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
                        if match_quality(candidate, slot.typed) <= PREFIX
                    ],
                )
                for slot, candidates in offers
            ]
            offers += self._candidates_after(line, field, typed_field, head, text)
        is_list_open = (
            typed_field.text.rstrip().endswith(",")
            and close_brackets(typed_field.text) == typed_field.text
        )
        if is_list_open and not any(candidates for _, candidates in offers):
            # Nothing more can be listed there.
            key_candidates = [*self.candidates.of_keys(line, text)]
            offers = [(Slot((), "", len(head.rstrip(" ,")), None, None), key_candidates)]
        other_names = [*self._next_name_candidates(line, field, typed_field, head)]
        if other_names:
            offers.append((Slot((), "", len(head.rstrip(" ,")), None, None), other_names))
        if new_offers:
            # Nothing can follow an unknown name.
            offers = [
                *new_offers,
                *((slot, candidates) for slot, candidates in offers if slot.kind is None),
            ]
        path = offers[0][0].path if offers else ()
        if not path and typed_field.text.rstrip().endswith(":"):
            # What somebody says.
            path = (typed_field.text.strip(" :"),)
        part_field = _declared_part(self.candidates.kind_of(field), path[-1]) if path else None
        title = question_about(self.rules, line.verb, field, path, part_field)
        if new_offers:
            title = word("server.nothing_called", name=new_offers[0][0].typed.strip())
        return self._show_choices(head, tail, offers, field.name, title)

    def _other_beginnings(self, text: str) -> Iterator[Candidate]:
        """What a line may mean that begins with no verb: that of a verb with a similar name, or what is told."""
        words = text.split()
        for count in range(min(2, len(words)), 0, -1):
            first_words, rest = " ".join(words[:count]).rstrip(":"), " ".join(words[count:])
            verbs = [verb for verb in self.rules.by_verb if len(verb.split()) == count]
            for verb in nearest_words(first_words, verbs, 2):
                yield Candidate(f"{verb} {rest}", kind="new", insert=f"{verb} {rest}")
        told = f"{Tell.verb} {text.strip()}"
        yield Candidate(told, kind="new", insert=told)

    def words(self, text: str) -> list[str]:
        """The names and words that fit at the end of a line, in their order."""
        if text not in self._fitting_words:
            self._fitting_words[text] = [
                str(choice["line"])[len(text) : choice["caret"]]
                for choice in self.choices(text, len(text))["choices"]
                if choice["eligible"]
                and not choice["chosen"]
                and choice["kind"] in ("name", "value")
            ]
        return self._fitting_words[text]

    def complete_line(self, text: str) -> str:
        """Complete a line with what fits best in every open place, so that it can be tried."""
        if text.rstrip().endswith(":"):
            text = self._with_first_choice(f"{text.rstrip()} ")
        text = close_brackets(text)
        line = split_line(text, self.rules.by_verb)
        if line is not None:
            present_keys = {typed_field.key for typed_field in line.parts}
            for field in line.verb.fields.values():
                if field.required and field.name not in present_keys:
                    text = close_brackets(self._with_first_choice(f"{text}, {field.name}: "))
        return text

    def alternative(self, text: str) -> tuple[str, str] | None:
        """Find a word at the end of a line that the game does not offer there.

        Returns:
            The word, and the line with an offered word or the number 1 instead. None if the word is offered,
            or can become one that is.
        """
        line, field = split_line(text, self.rules.by_verb), self.field_at(text)
        if line is None or field is None:
            return None
        for slot in self.slots_at(text):
            typed_word = slot.typed.strip()
            if field.name == "by" and isinstance(self.play.names.find(typed_word), Named):
                # Any player can be named. The likeliest actor is offered first.
                first = next(self.candidates.actors(line.verb)).label
                is_same = self.candidates.id_of(first) == self.candidates.id_of(typed_word)
                return None if is_same else (typed_word, f"{text[: slot.start]}{first}")
            offered_candidates = [*self.candidates.offered_by_game(line.verb, field, slot)]
            matching_candidates = [
                candidate for candidate in offered_candidates if _matches(candidate, typed_word)
            ]
            label_words = {
                word
                for candidate in matching_candidates
                for word in candidate.label.casefold().split()
            }
            if not typed_word or (matching_candidates and typed_word.casefold() not in label_words):
                continue
            same_subject = [
                candidate
                for candidate in matching_candidates
                if self.candidates.id_of(candidate.label) == self.candidates.id_of(typed_word)
            ]
            if any(not candidate.why_barred for candidate in same_subject) or (
                not same_subject and any(candidate.why_barred for candidate in matching_candidates)
            ):
                continue
            labels = [
                candidate.label
                for candidate in (matching_candidates or offered_candidates)
                if not candidate.why_barred
            ] or [candidate.label for candidate in offered_candidates if not candidate.why_barred]
            if labels or typed_word.isdigit():
                return typed_word, f"{text[: slot.start]}{[*labels, '1'][0]}"
        return None

    def _with_first_choice(self, text: str) -> str:
        choices = self.choices(text, len(text))["choices"]
        first = next(
            (
                choice["line"]
                for choice in choices
                if choice["eligible"] and choice["kind"] in ("name", "value")
            ),
            "",
        )
        if first and not first.rstrip().endswith(":"):
            return str(first)
        return f"{first.rstrip() or text.rstrip()} {'1' if self._takes_number(text) else STAND_IN}"

    def _takes_number(self, text: str) -> bool:
        """Whether a whole number fits at the end of a line."""
        return any(
            slot.kind is not None and "integer" in json_types_of(slot.kind.schema())
            for slot in self.slots_at(text)
        )

    def excluded_names(self, text: str, candidate_names: Iterable[str]) -> set[str]:
        """The names that the game does not allow beside those that a line lists already."""
        line = split_line(text, self.rules.by_verb)
        if line is None or len(line.parts) > 1 or line.parts[0].key != line.verb.verb:
            return set()
        name_sets = [
            {self.candidates.id_of(name) for name in values[0]}
            for option in self.candidates.options
            if option.verb == line.verb.verb
            for values in [[option.make_entry(Random(seed)).get(option.verb) for seed in (0, 1)]]
            if values[0] == values[1] and isinstance(values[0], list) and len(values[0]) > 1
        ]
        present_ids = {
            self.candidates.id_of(name)
            for slot in self.slots_at(text)
            for name in slot.already_listed
        }
        allowed_ids = set().union(
            *(option_names for option_names in name_sets if present_ids <= option_names)
        )
        return (
            {name for name in candidate_names if self.candidates.id_of(name) not in allowed_ids}
            if name_sets
            else set()
        )

    def assigned_names(self, text: str) -> set[str]:
        """The ids of the names that are values in the mapping at the end of a line."""
        line = split_line(text, self.rules.by_verb)
        try:
            data = read_line(text, self.rules.by_verb) if line is not None else {}
        except LineError:
            return set()
        value = data.get(line.parts[-1].key) if line is not None else None
        values = value.values() if isinstance(value, Mapping) else ()
        return {self.candidates.id_of(name) for name in values if isinstance(name, str) and name}

    def repeated_names(self, text: str, names: Iterable[str]) -> set[str]:
        """The names that are values already in the mapping at the end of a line."""
        assigned = (
            self.assigned_names(text) if any(slot.path for slot in self.slots_at(text)) else set()
        )
        return {name for name in names if self.candidates.id_of(name) in assigned}

    def takes_only_own_words(self, text: str) -> bool:
        """Whether only own words fit at the end of a line."""
        return self.takes_own_words(text) and not self.choices(text, len(text))["choices"]

    def takes_own_words(self, text: str) -> bool:
        """Whether own words fit at the end of a line."""
        return any(
            slot.kind is not None and roleless(slot.kind) is TEXT and not slot.is_for_name
            for slot in self.slots_at(text)
        )

    def ends_in_speech(self, text: str) -> bool:
        """Whether a line ends in speech, behind the name of the speaker."""
        return any(map(takes_speech, self.slots_at(text)))

    def slots_at(self, text: str) -> list[Slot]:
        """The slots at the end of a line."""
        line, field = split_line(text, self.rules.by_verb), self.field_at(text)
        if line is None or field is None:
            return []
        return find_slots(self.candidates.kind_of(field), line.parts[-1].text, line.parts[-1].start)

    def field_at(self, text: str) -> Field | None:
        """The key that a line ends in."""
        line = split_line(text, self.rules.by_verb)
        return line.field(line.parts[-1].key) if line is not None else None

    def _new_item_candidates(self, slot: Slot, candidates: list[Candidate]) -> Iterator[Candidate]:
        """Candidates for an unknown name: a new item of each kind that can start there."""
        typed_name = slot.typed.strip()
        kinds = map(roleless, alternatives(slot.kind)) if slot.kind is not None else ()
        part_names = {
            name for kind in kinds if isinstance(kind, PartOf) for name in kind.part.fields
        }
        if not typed_name or not part_names or ":" in typed_name:
            return
        if isinstance(self.play.names.find(typed_name), Named) or any(
            _matches(candidate, typed_name) for candidate in candidates
        ):
            return
        for candidate in candidates:
            if (
                candidate.tail
                and candidate.kind == "value"
                and candidate.label in part_names
                and not candidate.why_barred
            ):
                new_item = f"{candidate.label}: {write_scalar(typed_name, flow=True)}"
                yield candidate._replace(
                    label=new_item,
                    insert=new_item,
                    kind="new",
                    tail="",
                    synonyms=(typed_name.casefold(),),
                )

    def _new_item_before_candidates(
        self, line: Line, field: Field, slot: Slot, candidates: list[Candidate], head: str
    ) -> Iterator[Candidate]:
        """Candidates for an unknown name inside a new item: a further new item before it, made by the same line."""
        kind, typed_field = self.candidates.kind_of(field), line.parts[-1]
        typed_name, law = slot.typed.strip(), self.rules.law
        items = split_items(kind, typed_field.text)
        roles = law.roles if law is not None else {}
        if not (typed_name and slot.path and slot.role in roles and items and items[-1].keys):
            return
        if isinstance(self.play.names.find(typed_name), Named) or any(
            _matches(candidate, typed_name) for candidate in candidates
        ):
            return
        _, exclusive_names = listed_part_fields(kind)
        before_item = typed_field.text[: items[-1].start].casefold()
        if re.search(
            rf":\s*[\"']?{re.escape(typed_name.casefold())}[\"']?\s*(?:[,}}]|$)", before_item
        ):
            return
        offered_by_game = self.candidates.offered_by_game(
            line.verb, field, Slot((), "", 0, None, None)
        )
        role_keys = [
            candidate
            for candidate in offered_by_game
            if candidate.tail and candidate.label in exclusive_names and not candidate.why_barred
        ]
        # A key with the name of the role is the only one for it.
        own_keys = [candidate for candidate in role_keys if candidate.label == slot.role]
        last_item, text_before = items[-1], head[: typed_field.start + items[-1].start].rstrip()
        for candidate in own_keys or [
            candidate for candidate in role_keys if candidate.label not in roles
        ]:
            new_item = f"{candidate.label}: {write_scalar(typed_name, flow=True)}"
            last_text = last_item.text.strip()
            insert = f"{text_before} {new_item}, {last_text}"
            if not {*last_item.keys} & {*exclusive_names}:
                item_texts = (
                    f"{{{item.text.strip()}}}" if item.keys else item.text for item in items
                )
                list_text = ", ".join((*[*item_texts][:-1], f"{{{new_item}}}", f"{{{last_text}"))
                insert = f"{head[: typed_field.start]}[{list_text}"
            yield candidate._replace(
                label=new_item,
                insert=insert,
                kind="new",
                tail="",
                synonyms=(typed_name.casefold(),),
            )

    def names_needing_trial(self, text: str) -> set[str]:
        """The names at the end of a line whose role has no guards: only a trial shows whether they fit. Players who
        come or go have no role at all."""
        line, field, law = split_line(text, self.rules.by_verb), self.field_at(text), self.rules.law
        if line is not None and line.verb.about_table and field is not None and field.names_players:
            return {player.name for player in self.play.players}
        if line is None or field is None or law is None:
            return set()
        return {
            subject.name
            for slot in self.slots_at(text)
            if slot.role and slot.role in law.roles and not law.roles[slot.role].needs
            if not any(True for _ in self.candidates.offered_by_game(line.verb, field, slot))
            for subject in self.play.names.all.values()
        }

    def _candidates_after(
        self, line: Line, field: Field, typed_field: TypedField, head: str, text: str
    ) -> Iterator[tuple[Slot, list[Candidate]]]:
        """What can follow a complete value: a further name or item, then further keys."""
        text_with_comma = f"{typed_field.text.rstrip()}, "
        for slot in find_slots(self.candidates.kind_of(field), typed_field.text, typed_field.start):
            if takes_speech(slot):
                # Another player answers, on a line of their own.
                last_speaker = slot_of_last_speech(slot).typed.partition(":")[0].strip()
                yield (
                    Slot((), "", len(head.rstrip()), None, None),
                    [
                        candidate._replace(
                            insert=f"\n{candidate.insert or candidate.label}: ", kind="next"
                        )
                        for candidate in sorted(
                            self.candidates.names_without_role(field),
                            key=lambda candidate: -candidate.weight,
                        )
                        if self.candidates.id_of(candidate.label)
                        != self.candidates.id_of(last_speaker)
                    ],
                )
        for slot in find_slots(self.candidates.kind_of(field), text_with_comma, typed_field.start):
            candidates = [*self.candidates.of_values(line.verb, field, slot)]
            description = _KEY_DESCRIPTION.search(field.doc)
            if slot.is_for_name and slot.already_listed and description and not candidates:
                # No name is offered there, so the choice says what comes next.
                label = word("server.another", what=description[1])
                slot_after = slot._replace(start=len(head.rstrip()), typed="")
                yield slot_after, [Candidate(label, kind="next", insert=", ")]
            elif slot.already_listed and not slot.typed.strip():
                present_ids = {
                    self.candidates.id_of(name) for name in slot.already_listed
                } - self.candidates.keys_that_begin_item(slot)
                end_of_text = len(head.rstrip())
                yield (
                    slot._replace(start=end_of_text, typed=""),
                    [
                        candidate._replace(
                            insert=f", {write_scalar(candidate.insert or candidate.label, flow=True)}",
                            kind="next",
                        )
                        for candidate in candidates
                        if self.candidates.id_of(candidate.label) not in present_ids
                    ],
                )
        yield Slot((), "", len(head.rstrip()), None, None), [*self.candidates.of_keys(line, text)]

    def _is_other_name(self, offers: list[tuple[Slot, list[Candidate]]]) -> bool:
        """Whether the typed name is another name of a candidate."""
        for slot, candidates in offers:
            typed_name = slot.typed.strip()
            subject = self.play.names.find(typed_name.strip("\"'")) if typed_name else None
            if isinstance(subject, Named) and not slot.is_for_name:
                return any(
                    self.candidates.id_of(candidate.label) == subject.id and not candidate.tail
                    for candidate in candidates
                )
        return False

    def _next_name_candidates(
        self, line: Line, field: Field, typed_field: TypedField, head: str
    ) -> Iterator[Candidate]:
        """Further names for a mapping, behind an open value of the name before."""
        typed_line = head.rstrip(" ,")
        closed_line = close_brackets(typed_line)
        next_item = f"{typed_field.text.rstrip(' ,')}{closed_line[len(typed_line) :]}, "
        if (
            closed_line == typed_line
            or close_brackets(typed_field.text.lstrip()[:1]) == closed_line[len(typed_line) :]
        ):
            return
        for slot in find_slots(self.candidates.kind_of(field), next_item, typed_field.start):
            if (
                slot.is_for_name
                and slot.already_listed
                and not slot.path
                and isinstance(slot.kind, FieldType)
            ):
                for candidate in self.candidates.of_values(line.verb, field, slot):
                    if candidate.kind == "name" and not candidate.why_barred:
                        name = write_scalar(candidate.insert or candidate.label, flow=True)
                        insert = f"{closed_line[len(typed_line) :]}, {name}: "
                        yield candidate._replace(insert=insert, kind="next", tail="")

    def _verb_slot(self, head: str) -> Slot:
        dash_length = len(head) - len(head.lstrip("- "))
        return Slot((), head[dash_length:], dash_length, None, None)


def slot_in_formula(slot: Slot) -> Slot:
    """The slot of the last word of a formula; the slot itself if it holds none."""
    if slot.kind is None or roleless(slot.kind) is not TEXT or slot.is_for_name:
        return slot
    last_word = re.search(r"(?<!\w)\w*\Z", slot.typed)
    assert last_word is not None
    return slot._replace(typed=last_word.group(), start=slot.start + last_word.start())


def slot_of_last_speech(slot: Slot) -> Slot:
    """The slot of the last line of speech; the slot itself if it holds no speech."""
    if not takes_speech(slot):
        return slot
    start = slot.typed.rfind("\n") + 1
    return slot._replace(typed=slot.typed[start:], start=slot.start + start)


def _declared_part(kind: FieldType[Any], name: str) -> Field | None:
    """The declared field with a name in a mapping of a kind."""
    parts = (
        alternative.part.fields
        for alternative in map(roleless, alternatives(kind))
        if isinstance(alternative, PartOf)
    )
    return next((fields[name] for fields in parts if name in fields), None)


def _accepts_name_alone(kind: FieldType[Any] | None, candidates: Sequence[Candidate] = ()) -> bool:
    """Whether a kind accepts a name alone; without a kind, whether a candidate is one."""
    if kind is None:
        return any(not candidate.tail for candidate in candidates)
    kinds = map(roleless, alternatives(kind))
    return any(
        kind_here.has_names() and not isinstance(kind_here, (MapOf, PartOf)) for kind_here in kinds
    )


def _is_verb_complete(head: str, line: Line) -> bool:
    """Whether the verb is typed to its end."""
    name = line.verb.verb
    dash_length = len(head) - len(head.lstrip("- "))
    tail = head[dash_length + len(name) :]
    return bool(tail) and not (tail.strip() and find_verb(head, {name: line.verb}) == "")


def _matches(candidate: Candidate, token: str) -> bool:
    """Whether a candidate matches typed text."""
    return match_quality(candidate, token) < NO_MATCH


def _may_end(typed: str, offers: list[tuple[Slot, list[Candidate]]]) -> bool:
    """Whether a value may end here: no candidate matches it, or one matches it exactly."""
    takes_names = any(not slot.is_for_name and _accepts_name_alone(slot.kind) for slot, _ in offers)
    if typed.rstrip().endswith((",", ":", "[", "{")):
        return False
    typed_words = [
        (slot.typed.strip().strip("\"'").casefold(), candidates) for slot, candidates in offers
    ]
    if all(
        token and not any(_matches(candidate, token) for candidate in candidates)
        for token, candidates in typed_words
    ):
        return True
    return any(
        token in (candidate.label.casefold(), candidate.insert.casefold())
        and not (candidate.tail and not takes_names)
        for token, candidates in typed_words
        for candidate in candidates
    )
