"""What fits an unfinished line: verbs, keys, names and words, and what may follow them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from chronicle.core.declare import Field, PartOf
from chronicle.core.diagnostic import nearest_words
from chronicle.core.kinds import TEXT, Kind, MapOf, alternatives, roleless
from chronicle.core.names import Named
from chronicle.core.replay import Replay
from chronicle.core.shared_verbs import Tell
from chronicle.services.candidates import (
    Candidates,
    computing,
    is_spoken,
    may_name,
    takes_own_words,
)
from chronicle.services.choices import (
    BEGUN,
    MOST_SHOWN,
    NOT_AT_ALL,
    Candidate,
    match_quality,
    offer_once,
    show_choices,
)
from chronicle.services.line_questions import question
from chronicle.syntax.kinds import json_types_of, listed_part_fields
from chronicle.syntax.one_line import (
    Line,
    LineError,
    Slot,
    TypedField,
    close_brackets,
    find_slots,
    find_verb,
    read_line,
    split_items,
    split_line,
)
from chronicle.syntax.yaml_text import write_scalar
from chronicle.words import word

_FIRST_HALF = re.compile(r"\{([^{}:,\[\]]+):")
"""The description of a mapping's keys in the documentation of a field."""
ANYTHING = "whatever comes"
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
        self._words: dict[str, list[str]] = {}

    def _show(self, head: str, tail: str, *offers: Any, most: int = MOST_SHOWN) -> dict[str, Any]:
        return show_choices(
            head,
            tail,
            *offers,
            id_of=self.candidates.id_of,
            takes_own_words=self.takes_own_words,
            most=most,
        )

    def verbs(self, head: str) -> list[dict[str, Any]]:
        """All verbs that match the typed text, those that may come now first."""
        slot = self._verb_slot(head)
        shown = self._show(head, "", [(slot, [*self.candidates.of_verbs(head)])], "", "", most=0)
        choices: list[dict[str, Any]] = shown["choices"]
        return choices

    def choices(self, text: str, caret: int) -> dict[str, Any]:
        """The choices for a caret in a line, the first of them as a ghost behind it."""
        head, tail = text[:caret], text[caret:]
        line = split_line(head, self.rules.by_verb)
        if line is None or not _is_verb_complete(head, line):
            shown = self._show(
                head, tail, [(self._verb_slot(head), [*self.candidates.of_verbs(head)])], "", ""
            )
            if line is None and head.strip() and not shown["choices"]:
                other_words = [*self._other_beginnings(head)]
                return self._show(
                    head,
                    tail,
                    [(self._verb_slot(head), other_words)],
                    "",
                    word("server.ask_action"),
                )
            if line is not None and not tail and may_name(line.verb):
                # The line is complete, and it can name several players.
                names = self.choices(f"{head} ", caret + 1)
                next_names = [
                    candidate | {"kind": "next"}
                    for candidate in names["choices"]
                    if candidate["kind"] == "name"
                ]
                shown |= {"choices": [*shown["choices"], *next_names], "title": names["title"]}
            return shown
        part = line.parts[-1]
        field = line.field(part.key)
        if field is None:
            keys = [*self.candidates.of_keys(line, text)]
            slot = Slot((), part.text, part.start, None, None)
            return self._show(head, tail, [(slot, keys)], "", word("server.anything_else"))
        offers = [
            (slot, [*self.candidates.of_values(line.verb, field, slot)])
            for place in find_slots(self.candidates.kind_of(field), part.text, part.start)
            for slot in [
                slot_in_formula(place) if computing(place, field) else slot_of_speech(place)
            ]
        ]
        # Names that have a value already come last.
        assigned = self.assigned_names(head)
        for slot, candidates in offers:
            own = {*assigned, self.candidates.id_of(slot.path[-1])} if slot.path else set()
            candidates.sort(
                key=lambda candidate: (
                    candidate.kind == "name" and self.candidates.id_of(candidate.label) in own
                )
            )
        is_complete = part.text.strip() and (
            _complete(part.text, offers) or self._is_other_name(offers)
        )
        naming = {
            slot.start
            for slot, candidates in offers
            if slot.is_for_name and any(candidate.tail for candidate in candidates)
        }
        # A name that starts a mapping is offered only for that, unless a name alone fits there.
        offers = [
            (slot, candidates)
            for slot, candidates in offers
            if slot.is_for_name
            or slot.start not in naming
            or _accepts_name_alone(slot.kind, candidates)
        ]
        offers = [*offer_once(offers)]
        new_offers = [
            (slot, candidates)
            for slot, candidates in offers
            for candidates in [[*self._new(slot, candidates)]]
            if candidates
        ]
        new_offers += [
            (Slot((), slot.typed, 0, None, None), candidates)
            for slot, candidates in offers
            for candidates in [[*self._new_beside(line, field, slot, candidates, head)]]
            if candidates
        ]
        if any(slot.path and takes_own_words(slot) for slot, _ in offers):
            # The line goes on with the words about a new person.
            new_offers = []
        if is_complete:
            # A name that has the typed word inside can follow it, but does not complete it.
            offers = [
                (
                    slot,
                    [
                        candidate
                        for candidate in candidates
                        if match_quality(candidate, slot.typed) <= BEGUN
                    ],
                )
                for slot, candidates in offers
            ]
            offers += self._further(line, field, part, head, text)
        ends = part.text.rstrip().endswith(",") and close_brackets(part.text) == part.text
        if ends and not any(candidates for _, candidates in offers):
            # Nothing more can be listed there.
            keys = [*self.candidates.of_keys(line, text)]
            offers = [(Slot((), "", len(head.rstrip(" ,")), None, None), keys)]
        other_names = [*self._further_names(line, field, part, head)]
        if other_names:
            offers.append((Slot((), "", len(head.rstrip(" ,")), None, None), other_names))
        if new_offers:
            # Nothing can follow an unknown name.
            offers = [
                *new_offers,
                *((slot, candidates) for slot, candidates in offers if slot.kind is None),
            ]
        path = offers[0][0].path if offers else ()
        if not path and part.text.rstrip().endswith(":"):
            # What somebody says.
            path = (part.text.strip(" :"),)
        part_field = _part(self.candidates.kind_of(field), path[-1]) if path else None
        title = question(self.rules, line.verb, field, path, part_field)
        if new_offers:
            title = word("server.nothing_called", name=new_offers[0][0].typed.strip())
        return self._show(head, tail, offers, field.name, title)

    def _other_beginnings(self, text: str) -> Iterator[Candidate]:
        """What a line may mean that begins with no verb: that of a verb with a similar name, or what is told."""
        words = text.split()
        for count in range(min(2, len(words)), 0, -1):
            begun, rest = " ".join(words[:count]).rstrip(":"), " ".join(words[count:])
            verbs = [verb for verb in self.rules.by_verb if len(verb.split()) == count]
            for verb in nearest_words(begun, verbs, 2):
                yield Candidate(f"{verb} {rest}", kind="new", into=f"{verb} {rest}")
        told = f"{Tell.verb} {text.strip()}"
        yield Candidate(told, kind="new", into=told)

    def words(self, text: str) -> list[str]:
        """The names and words that fit at the end of a line, in their order."""
        if text not in self._words:
            self._words[text] = [
                str(choice["line"])[len(text) : choice["caret"]]
                for choice in self.choices(text, len(text))["choices"]
                if choice["eligible"]
                and not choice["chosen"]
                and choice["kind"] in ("name", "value")
            ]
        return self._words[text]

    def complete_line(self, text: str) -> str:
        """Complete a line with what fits best in every open place, so that it can be tried."""
        if text.rstrip().endswith(":"):
            text = self._filled(f"{text.rstrip()} ")
        text = close_brackets(text)
        line = split_line(text, self.rules.by_verb)
        if line is not None:
            present = {part.key for part in line.parts}
            for field in line.verb.fields.values():
                if field.required and field.name not in present:
                    text = close_brackets(self._filled(f"{text}, {field.name}: "))
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
            token = slot.typed.strip()
            if field.name == "by" and isinstance(self.play.names.find(token), Named):
                # Any player can be named. The likeliest actor is offered first.
                first = next(self.candidates.actors(line.verb)).label
                is_same = self.candidates.id_of(first) == self.candidates.id_of(token)
                return None if is_same else (token, f"{text[: slot.start]}{first}")
            offered = [*self.candidates.offered(line.verb, field, slot)]
            matching = [candidate for candidate in offered if _matches(candidate, token)]
            words = {word for candidate in matching for word in candidate.label.casefold().split()}
            if not token or (matching and token.casefold() not in words):
                continue
            same_subject = [
                candidate
                for candidate in matching
                if self.candidates.id_of(candidate.label) == self.candidates.id_of(token)
            ]
            if any(not candidate.why for candidate in same_subject) or (
                not same_subject and any(candidate.why for candidate in matching)
            ):
                continue
            labels = [
                candidate.label for candidate in (matching or offered) if not candidate.why
            ] or [candidate.label for candidate in offered if not candidate.why]
            if labels or token.isdigit():
                return token, f"{text[: slot.start]}{[*labels, '1'][0]}"
        return None

    def _filled(self, text: str) -> str:
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
        return f"{first.rstrip() or text.rstrip()} {'1' if self._counts(text) else ANYTHING}"

    def _counts(self, text: str) -> bool:
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
        sets = [
            {self.candidates.id_of(name) for name in values[0]}
            for option in self.candidates.options
            if option.verb == line.verb.verb
            for values in [[option.make_entry(Random(seed)).get(option.verb) for seed in (0, 1)]]
            if values[0] == values[1] and isinstance(values[0], list) and len(values[0]) > 1
        ]
        present = {
            self.candidates.id_of(name)
            for slot in self.slots_at(text)
            for name in slot.already_listed
        }
        allowed = set().union(*(option_names for option_names in sets if present <= option_names))
        return (
            {name for name in candidate_names if self.candidates.id_of(name) not in allowed}
            if sets
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

    def tells(self, text: str) -> bool:
        """Whether only own words fit at the end of a line."""
        return self.takes_own_words(text) and not self.choices(text, len(text))["choices"]

    def takes_own_words(self, text: str) -> bool:
        """Whether own words fit at the end of a line."""
        return any(
            slot.kind is not None and roleless(slot.kind) is TEXT and not slot.is_for_name
            for slot in self.slots_at(text)
        )

    def speaks(self, text: str) -> bool:
        """Whether a line ends in speech, behind the name of the speaker."""
        return any(map(is_spoken, self.slots_at(text)))

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

    def _new(self, slot: Slot, candidates: list[Candidate]) -> Iterator[Candidate]:
        """Candidates for an unknown name: a new item of each kind that can start there."""
        token = slot.typed.strip()
        kinds = map(roleless, alternatives(slot.kind)) if slot.kind is not None else ()
        parts = {name for kind in kinds if isinstance(kind, PartOf) for name in kind.part.fields}
        if not token or not parts or ":" in token:
            return
        if isinstance(self.play.names.find(token), Named) or any(
            _matches(candidate, token) for candidate in candidates
        ):
            return
        for candidate in candidates:
            if (
                candidate.tail
                and candidate.kind == "value"
                and candidate.label in parts
                and not candidate.why
            ):
                into = f"{candidate.label}: {write_scalar(token, flow=True)}"
                yield candidate._replace(
                    label=into, into=into, kind="new", tail="", also=(token.casefold(),)
                )

    def _new_beside(
        self, line: Line, field: Field, slot: Slot, candidates: list[Candidate], head: str
    ) -> Iterator[Candidate]:
        """Candidates for an unknown name inside a new item: a further new item before it, made by the same line."""
        kind, part = self.candidates.kind_of(field), line.parts[-1]
        token, law = slot.typed.strip(), self.rules.law
        items = split_items(kind, part.text)
        roles = law.roles if law is not None else {}
        if not (token and slot.path and slot.role in roles and items and items[-1].keys):
            return
        if isinstance(self.play.names.find(token), Named) or any(
            _matches(candidate, token) for candidate in candidates
        ):
            return
        _, exclusive = listed_part_fields(kind)
        before_item = part.text[: items[-1].start].casefold()
        if re.search(rf":\s*[\"']?{re.escape(token.casefold())}[\"']?\s*(?:[,}}]|$)", before_item):
            return
        offered = self.candidates.offered(line.verb, field, Slot((), "", 0, None, None))
        role_keys = [
            candidate
            for candidate in offered
            if candidate.tail and candidate.label in exclusive and not candidate.why
        ]
        # A key with the name of the role is the only one for it.
        own = [candidate for candidate in role_keys if candidate.label == slot.role]
        last, lead = items[-1], head[: part.start + items[-1].start].rstrip()
        for candidate in own or [
            candidate for candidate in role_keys if candidate.label not in roles
        ]:
            new_item = f"{candidate.label}: {write_scalar(token, flow=True)}"
            last_text = last.text.strip()
            into = f"{lead} {new_item}, {last_text}"
            if not {*last.keys} & {*exclusive}:
                rows = (f"{{{each.text.strip()}}}" if each.keys else each.text for each in items)
                listed = ", ".join((*[*rows][:-1], f"{{{new_item}}}", f"{{{last_text}"))
                into = f"{head[: part.start]}[{listed}"
            yield candidate._replace(
                label=new_item, into=into, kind="new", tail="", also=(token.casefold(),)
            )

    def unsure(self, text: str) -> set[str]:
        """The names at the end of a line whose role has no guards: only a trial shows whether they fit."""
        line, field, law = split_line(text, self.rules.by_verb), self.field_at(text), self.rules.law
        if line is None or field is None or law is None:
            return set()
        return {
            named.name
            for slot in self.slots_at(text)
            if slot.role and slot.role in law.roles and not law.roles[slot.role].needs
            if not any(True for _ in self.candidates.offered(line.verb, field, slot))
            for named in self.play.names.all.values()
        }

    def _further(
        self, line: Line, field: Field, part: TypedField, head: str, text: str
    ) -> Iterator[tuple[Slot, list[Candidate]]]:
        """What can follow a complete value: a further name or item, then further keys."""
        comma = f"{part.text.rstrip()}, "
        for slot in find_slots(self.candidates.kind_of(field), part.text, part.start):
            if is_spoken(slot):
                # Another player answers, on a line of their own.
                last = slot_of_speech(slot).typed.partition(":")[0].strip()
                yield (
                    Slot((), "", len(head.rstrip()), None, None),
                    [
                        candidate._replace(
                            into=f"\n{candidate.into or candidate.label}: ", kind="next"
                        )
                        for candidate in sorted(
                            self.candidates.any_name(field), key=lambda candidate: -candidate.weight
                        )
                        if self.candidates.id_of(candidate.label) != self.candidates.id_of(last)
                    ],
                )
        for slot in find_slots(self.candidates.kind_of(field), comma, part.start):
            candidates = [*self.candidates.of_values(line.verb, field, slot)]
            noun = _FIRST_HALF.search(field.doc)
            if slot.is_for_name and slot.already_listed and noun and not candidates:
                # No name is offered there, so the choice says what comes next.
                label = word("server.another", what=noun[1])
                place = slot._replace(start=len(head.rstrip()), typed="")
                yield place, [Candidate(label, kind="next", into=", ")]
            elif slot.already_listed and not slot.typed.strip():
                present = {
                    self.candidates.id_of(name) for name in slot.already_listed
                } - self.candidates.begins_another(slot)
                end = len(head.rstrip())
                yield (
                    slot._replace(start=end, typed=""),
                    [
                        candidate._replace(
                            into=f", {write_scalar(candidate.into or candidate.label, flow=True)}",
                            kind="next",
                        )
                        for candidate in candidates
                        if self.candidates.id_of(candidate.label) not in present
                    ],
                )
        yield Slot((), "", len(head.rstrip()), None, None), [*self.candidates.of_keys(line, text)]

    def _is_other_name(self, offers: list[tuple[Slot, list[Candidate]]]) -> bool:
        """Whether the typed name is another name of a candidate."""
        for slot, candidates in offers:
            token = slot.typed.strip()
            named = self.play.names.find(token.strip("\"'")) if token else None
            if isinstance(named, Named) and not slot.is_for_name:
                return any(
                    self.candidates.id_of(candidate.label) == named.id and not candidate.tail
                    for candidate in candidates
                )
        return False

    def _further_names(
        self, line: Line, field: Field, part: TypedField, head: str
    ) -> Iterator[Candidate]:
        """Further names for a mapping, behind an open value of the name before."""
        typed = head.rstrip(" ,")
        closed = close_brackets(typed)
        next_item = f"{part.text.rstrip(' ,')}{closed[len(typed) :]}, "
        if closed == typed or close_brackets(part.text.lstrip()[:1]) == closed[len(typed) :]:
            return
        for slot in find_slots(self.candidates.kind_of(field), next_item, part.start):
            if (
                slot.is_for_name
                and slot.already_listed
                and not slot.path
                and isinstance(slot.kind, Kind)
            ):
                for candidate in self.candidates.of_values(line.verb, field, slot):
                    if candidate.kind == "name" and not candidate.why:
                        into = f"{closed[len(typed) :]}, {write_scalar(candidate.into or candidate.label, flow=True)}: "
                        yield candidate._replace(into=into, kind="next", tail="")

    def _verb_slot(self, head: str) -> Slot:
        lead = len(head) - len(head.lstrip("- "))
        return Slot((), head[lead:], lead, None, None)


def slot_in_formula(slot: Slot) -> Slot:
    """The slot of the last word of a formula; the slot itself if it holds none."""
    if slot.kind is None or roleless(slot.kind) is not TEXT or slot.is_for_name:
        return slot
    word = re.search(r"(?<!\w)\w*\Z", slot.typed)
    assert word is not None
    return slot._replace(typed=word.group(), start=slot.start + word.start())


def slot_of_speech(slot: Slot) -> Slot:
    """The slot of the last line of speech; the slot itself if it holds no speech."""
    if not is_spoken(slot):
        return slot
    start = slot.typed.rfind("\n") + 1
    return slot._replace(typed=slot.typed[start:], start=slot.start + start)


def _part(kind: Kind[Any], name: str) -> Field | None:
    """The declared field with a name in a mapping of a kind."""
    parts = (
        alternative.part.fields
        for alternative in map(roleless, alternatives(kind))
        if isinstance(alternative, PartOf)
    )
    return next((fields[name] for fields in parts if name in fields), None)


def _accepts_name_alone(kind: Kind[Any] | None, candidates: Sequence[Candidate] = ()) -> bool:
    """Whether a kind accepts a name alone; without a kind, whether a candidate is one."""
    if kind is None:
        return any(not candidate.tail for candidate in candidates)
    kinds = map(roleless, alternatives(kind))
    return any(each.has_names() and not isinstance(each, (MapOf, PartOf)) for each in kinds)


def _is_verb_complete(head: str, line: Line) -> bool:
    """Whether the verb is typed to its end."""
    name = line.verb.verb
    lead = len(head) - len(head.lstrip("- "))
    tail = head[lead + len(name) :]
    return bool(tail) and not (tail.strip() and find_verb(head, {name: line.verb}) == "")


def _matches(candidate: Candidate, token: str) -> bool:
    """Whether a candidate matches typed text."""
    return match_quality(candidate, token) < NOT_AT_ALL


def _complete(typed: str, offers: list[tuple[Slot, list[Candidate]]]) -> bool:
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
        token in (candidate.label.casefold(), candidate.into.casefold())
        and not (candidate.tail and not takes_names)
        for token, candidates in typed_words
        for candidate in candidates
    )
