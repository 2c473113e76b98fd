"""What fits a half-typed line: verbs that may come, names that are eligible, words that are declared;
what is not, with why; and what the line would do as it stands."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations
from random import Random
from typing import Any, NamedTuple, TypeVar

from chronicle.core.common import COMMON_VERBS, EndSession, Reveal
from chronicle.core.declare import (
    PAIR,
    SPEECH,
    TEXT,
    YES_NO,
    Action,
    Field,
    Kind,
    MapOf,
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
from chronicle.desk.table import asked_for, barred_verbs, beginning, ended, owed
from chronicle.desk.usage import LATELY, Usage
from chronicle.transcript.kinds import listed_part, recorded, types_in
from chronicle.transcript.one_line import (
    KeyText,
    Line,
    LineError,
    Slot,
    close_brackets,
    find_slots,
    find_verb,
    read_line,
    split_items,
    split_line,
)
from chronicle.transcript.yaml_text import write_scalar
from chronicle.words import word

T = TypeVar("T")

MOST_SHOWN = 60
"""How many choices are handed over."""
IN_SIGHT = 14
"""How many of them can be seen at once."""
_FIRST_HALF = re.compile(r"\{([^{}:,\[\]]+):")
"""What stands before the colon in a mapping, as a key is documented."""
MOST_WORDS = 44
"""How long the words may be that stand with a key."""
MOST_PAIRED = 8
"""Of how many names pairs are offered."""
MOST_NUMBERS = 7
"""How many numbers are offered where one is asked for."""
EVERYBODY = "everybody"
ALL = frozenset({EVERYBODY, "all"})
"""Words for whatever there is of something."""
EXACT, BEGUN, WITHIN, OTHERWISE, NOT_AT_ALL = range(5)
"""How well what is typed meets a choice (:func:`met`)."""
ANYTHING = "whatever comes"
"""Stands for what is still to be said, while the rest is tried."""


class Candidate(NamedTuple):
    """Something that may stand in a place. ``into`` is what is typed for it."""

    label: str
    note: str = ""
    kind: str = "value"
    why: str = ""
    into: str = ""
    weight: int = 0
    tail: str = ""
    hint: str = ""
    also: tuple[str, ...] = ()
    """Other words by which somebody may look for it."""
    besides: tuple[tuple[str, str], ...] = ()
    """What the line says with it, by its keys."""


class Fitting:
    """What fits at one moment of play. The replay is not touched."""

    def __init__(self, replay: Replay[Any], by: str = "") -> None:
        self.replay, self.by = replay, by
        self._words: dict[str, list[str]] = {}
        self.play, self.rules = replay.play, replay.rulebook
        self.options = [
            one for one in self.rules.options(self.play) if not by or one.by in ("", by)
        ] or self.rules.options(self.play)
        self.due = owed(replay)
        self.usage = Usage(self.play.steps[-LATELY:], self.play.names, self.rules)

    def verbs(self, said: str) -> list[dict[str, Any]]:
        """All the verbs that begin as somebody has typed, those first that may come now."""
        slot = self._verb_slot(said)
        shown = self._shown(said, "", [(slot, [*self._verbs(said)])], "", "", most=0)
        found: list[dict[str, Any]] = shown["choices"]
        return found

    def choices(self, text: str, caret: int) -> dict[str, Any]:
        """The choices for a caret in a line, the first of them as a ghost behind it."""
        head, tail = text[:caret], text[caret:]
        line = split_line(head, self.rules.by_verb)
        if line is None or not _behind(head, line):
            shown = self._shown(head, tail, [(self._verb_slot(head), [*self._verbs(head)])], "", "")
            if line is not None and not tail and _may_name(line.verb):
                # It is whole so, and may be said of several.
                names = self.choices(f"{head} ", caret + 1)
                more = [one | {"kind": "next"} for one in names["choices"] if one["kind"] == "name"]
                shown |= {"choices": [*shown["choices"], *more], "title": names["title"]}
            return shown
        part = line.parts[-1]
        field = line.field(part.key)
        if field is None:
            keys = [*self._keys(line, text)]
            slot = Slot((), part.text, part.start, None, None)
            return self._shown(head, tail, [(slot, keys)], "", _doc(line.verb))
        found = [
            (slot, [*self._candidates(line.verb, field, slot)])
            for one in find_slots(self.kind_of(field), part.text, part.start)
            for slot in [in_formula(one) if computing(one, field) else in_speech(one)]
        ]
        # Who stands in it already, each with one of their own, is less likely meant than anybody else.
        before = self.given(head)
        for slot, some in found:
            own = {*before, self._meant(slot.path[-1])} if slot.path else set()
            some.sort(key=lambda one: one.kind == "name" and self._meant(one.label) in own)
        whole = part.text.strip() and (_complete(part.text, found) or self._called_so(found))
        naming = {
            slot.start for slot, some in found if slot.naming and any(one.tail for one in some)
        }
        # Who begins a mapping stands there for that alone, unless a name by itself may stand there too.
        found = [
            (slot, some)
            for slot, some in found
            if slot.naming or slot.start not in naming or _named_alone(slot.kind, some)
        ]
        found = [*_apart(found)]
        new = [(slot, some) for slot, all in found for some in [[*self._new(slot, all)]] if some]
        new += [
            (Slot((), slot.typed, 0, None, None), some)
            for slot, all in found
            for some in [[*self._new_beside(line, field, slot, all, head)]]
            if some
        ]
        if any(slot.path and own_words(slot) for slot, _ in found):
            # It goes on with what is being told of somebody new.
            new = []
        if whole:
            # What has the typed word somewhere inside may follow it, but is not what it began.
            found = [
                (slot, [one for one in some if met(one, slot.typed) <= BEGUN])
                for slot, some in found
            ]
            found += self._further(line, field, part, head, text)
        ends = part.text.rstrip().endswith(",") and close_brackets(part.text) == part.text
        if ends and not any(some for _, some in found):
            # All is said that can be listed there.
            keys = [*self._keys(line, text)]
            found = [(Slot((), "", len(head.rstrip(" ,")), None, None), keys)]
        others = [*self._another(line, field, part, head)]
        if others:
            found.append((Slot((), "", len(head.rstrip(" ,")), None, None), others))
        if new:
            # Nothing follows a name that is nobody's.
            found = [*new, *((slot, some) for slot, some in found if slot.kind is None)]
        path = found[0][0].path if found else ()
        # Where nothing is offered, what is meant is told in full.
        told = field.name if any(some for _, some in found) else field.doc
        inner = _part(self.kind_of(field), path[-1]) if path else None
        title = f"{path[-1]}: {told}" if path else field.doc
        if inner is not None:
            title = f"{path[-1]}: {inner.doc}"
        if new:
            title = word("server.nothing_called", name=new[0][0].typed.strip())
        return self._shown(head, tail, found, field.name, title)

    def words(self, text: str) -> list[str]:
        """The names and words that may be put in at the end of a line now, in their order."""
        if text not in self._words:
            self._words[text] = [
                str(one["line"])[len(text) : one["caret"]]
                for one in self.choices(text, len(text))["choices"]
                if one["eligible"] and not one["chosen"] and one["kind"] in ("name", "value")
            ]
        return self._words[text]

    def whole(self, text: str) -> str:
        """A line that has something in every place it leaves open, so that the rest of it can be
        tried: what fits there first."""
        if text.rstrip().endswith(":"):
            text = self._filled(f"{text.rstrip()} ")
        text = close_brackets(text)
        line = split_line(text, self.rules.by_verb)
        if line is not None:
            there = {part.key for part in line.parts}
            for key in line.verb.fields.values():
                if key.required and key.name not in there:
                    text = close_brackets(self._filled(f"{text}, {key.name}: "))
        return text

    def besides(self, text: str) -> tuple[str, str] | None:
        """What stands at the end of a line where the game offers other words, or a number; and the line
        with one of those words instead, or with the least. None where it is offered, or may become so."""
        line, field = split_line(text, self.rules.by_verb), self.field_at(text)
        if line is None or field is None:
            return None
        for slot in self.slots_at(text):
            token = slot.typed.strip()
            if field.name == "by" and isinstance(self.play.names.find(token), Named):
                # Anybody may be named; whose it is comes first.
                first = next(self._acting(line.verb)).label
                same = self._meant(first) == self._meant(token)
                return None if same else (token, f"{text[: slot.start]}{first}")
            offered = [*self._offered(line.verb, field, slot)]
            begun = [one for one in offered if _begins(one, token)]
            words = {word for one in begun for word in one.label.casefold().split()}
            if not token or (begun and token.casefold() not in words):
                continue
            meant = [one for one in begun if self._meant(one.label) == self._meant(token)]
            if any(not one.why for one in meant) or (not meant and any(one.why for one in begun)):
                continue
            others = [one.label for one in (begun or offered) if not one.why] or [
                one.label for one in offered if not one.why
            ]
            if others or token.isdigit():
                return token, f"{text[: slot.start]}{[*others, '1'][0]}"
        return None

    def _filled(self, text: str) -> str:
        fits = self.choices(text, len(text))["choices"]
        first = next(
            (one["line"] for one in fits if one["eligible"] and one["kind"] in ("name", "value")),
            "",
        )
        if first and not first.rstrip().endswith(":"):
            return str(first)
        return f"{first.rstrip() or text.rstrip()} {'1' if self._counts(text) else ANYTHING}"

    def _counts(self, text: str) -> bool:
        """Whether a whole number comes at the end of a line."""
        return any(
            one.kind is not None and "integer" in types_in(one.kind.schema())
            for one in self.slots_at(text)
        )

    def apart(self, text: str, names: Iterable[str]) -> set[str]:
        """Those of some names who may not stand beside the ones that a line of several names has already,
        where the game says who may together."""
        line = split_line(text, self.rules.by_verb)
        if line is None or len(line.parts) > 1 or line.parts[0].key != line.verb.verb:
            return set()
        sets = [
            {self._meant(one) for one in ways[0]}
            for option in self.options
            if option.verb == line.verb.verb
            for ways in [[option.entry(Random(seed)).get(option.verb) for seed in (0, 1)]]
            if ways[0] == ways[1] and isinstance(ways[0], list) and len(ways[0]) > 1
        ]
        there = {self._meant(one) for slot in self.slots_at(text) for one in slot.listed}
        together = set().union(*(one for one in sets if there <= one))
        return {name for name in names if self._meant(name) not in together} if sets else set()

    def given(self, text: str) -> set[str]:
        """Who stands behind a name already in the mapping that a line ends in."""
        line = split_line(text, self.rules.by_verb)
        try:
            data = read_line(text, self.rules.by_verb) if line is not None else {}
        except LineError:
            return set()
        value = data.get(line.parts[-1].key) if line is not None else None
        each = value.values() if isinstance(value, Mapping) else ()
        return {self._meant(one) for one in each if isinstance(one, str) and one}

    def again(self, text: str, names: Iterable[str]) -> set[str]:
        """Those of some names who stand behind another one already, where a line ends in the same place."""
        given = self.given(text) if any(slot.path for slot in self.slots_at(text)) else set()
        return {name for name in names if self._meant(name) in given}

    def tells(self, text: str) -> bool:
        """Whether nothing but somebody's own words comes at the end of a line."""
        return self.own_words(text) and not self.choices(text, len(text))["choices"]

    def own_words(self, text: str) -> bool:
        """Whether somebody's own words may come at the end of a line."""
        return any(
            one.kind is not None and bare(one.kind) is TEXT and not one.naming
            for one in self.slots_at(text)
        )

    def speaks(self, text: str) -> bool:
        """Whether what somebody says is told at the end of a line, behind a name."""
        return any(map(spoken, self.slots_at(text)))

    def slots_at(self, text: str) -> list[Slot]:
        """The places that somebody may mean at the end of a line."""
        line, field = split_line(text, self.rules.by_verb), self.field_at(text)
        if line is None or field is None:
            return []
        return find_slots(self.kind_of(field), line.parts[-1].text, line.parts[-1].start)

    def field_at(self, text: str) -> Field | None:
        """The key that a line ends in."""
        line = split_line(text, self.rules.by_verb)
        return line.field(line.parts[-1].key) if line is not None else None

    def kind_of(self, field: Field) -> Kind[Any]:
        """What a field takes in this game."""
        return kind_of_stated(field.kind, self.rules.by_measure, self.rules.things)

    def _new(self, slot: Slot, some: list[Candidate]) -> Iterator[Candidate]:
        """What somebody may mean by a word that nobody is called by: somebody new, begun by what the game
        says that it may be."""
        token = slot.typed.strip()
        kinds = map(bare, alternatives(slot.kind)) if slot.kind is not None else ()
        parts = {name for one in kinds if isinstance(one, PartOf) for name in one.part.fields}
        if not token or not parts or ":" in token:
            return
        if isinstance(self.play.names.find(token), Named) or any(_begins(c, token) for c in some):
            return
        for one in some:
            if one.tail and one.kind == "value" and one.label in parts and not one.why:
                into = f"{one.label}: {write_scalar(token, flow=True)}"
                yield one._replace(
                    label=into, into=into, kind="new", tail="", also=(token.casefold(),)
                )

    def _new_beside(
        self, line: Line, field: Field, slot: Slot, some: list[Candidate], head: str
    ) -> Iterator[Candidate]:
        """What somebody may mean by a word that nobody is called by, in a key of something new that names
        what stands already: that is made by the same line, before the other."""
        kind, part = self.kind_of(field), line.parts[-1]
        token, law = slot.typed.strip(), self.rules.law
        things = split_items(kind, part.text)
        roles = law.roles if law is not None else {}
        if not (token and slot.path and slot.role in roles and things and things[-1].keys):
            return
        if isinstance(self.play.names.find(token), Named) or any(_begins(c, token) for c in some):
            return
        _, apart = listed_part(kind)
        made = part.text[: things[-1].start].casefold()
        if re.search(rf":\s*[\"']?{re.escape(token.casefold())}[\"']?\s*(?:[,}}]|$)", made):
            return
        offered = self._offered(line.verb, field, Slot((), "", 0, None, None))
        begins = [one for one in offered if one.tail and one.label in apart and not one.why]
        # What is called as the role is stands in that alone.
        own = [one for one in begins if one.label == slot.role]
        last, before = things[-1], head[: part.start + things[-1].start].rstrip()
        for one in own or [one for one in begins if one.label not in roles]:
            new = f"{one.label}: {write_scalar(token, flow=True)}"
            rest = last.text.strip()
            into = f"{before} {new}, {rest}"
            if not {*last.keys} & {*apart}:
                there = (f"{{{each.text.strip()}}}" if each.keys else each.text for each in things)
                listed = ", ".join((*[*there][:-1], f"{{{new}}}", f"{{{rest}"))
                into = f"{head[: part.start]}[{listed}"
            yield one._replace(label=new, into=into, kind="new", tail="", also=(token.casefold(),))

    def unsure(self, text: str) -> set[str]:
        """The names that may stand at the end of a line by a role of which the law asks nothing: whether
        they may be there is known when it is tried."""
        line, field, law = split_line(text, self.rules.by_verb), self.field_at(text), self.rules.law
        if line is None or field is None or law is None:
            return set()
        return {
            named.name
            for slot in self.slots_at(text)
            if slot.role and slot.role in law.roles and not law.roles[slot.role].needs
            if not any(True for _ in self._offered(line.verb, field, slot))
            for named in self.play.names.all.values()
        }

    def _further(
        self, line: Line, field: Field, part: KeyText, head: str, text: str
    ) -> Iterator[tuple[Slot, list[Candidate]]]:
        """What may follow a value that is whole: the next name or item of it, then further keys."""
        comma = f"{part.text.rstrip()}, "
        for slot in find_slots(self.kind_of(field), part.text, part.start):
            if spoken(slot):
                # Somebody answers, on a line of their own.
                last = in_speech(slot).typed.partition(":")[0].strip()
                yield (
                    Slot((), "", len(head.rstrip()), None, None),
                    [
                        one._replace(into=f"\n{one.into or one.label}: ", kind="next")
                        for one in sorted(self._any_name(field), key=lambda one: -one.weight)
                        if self._meant(one.label) != self._meant(last)
                    ],
                )
        for slot in find_slots(self.kind_of(field), comma, part.start):
            some = [*self._candidates(line.verb, field, slot)]
            what = _FIRST_HALF.search(field.doc)
            if slot.naming and slot.listed and what and not some:
                # Nobody is offered there: what comes next is given its name.
                label = word("server.another", what=what[1])
                place = slot._replace(start=len(head.rstrip()), typed="")
                yield place, [Candidate(label, kind="next", into=", ")]
            elif slot.listed and not slot.typed.strip():
                there = {self._meant(one) for one in slot.listed} - self._begins_another(slot)
                begin = len(head.rstrip())
                yield (
                    slot._replace(start=begin, typed=""),
                    [
                        one._replace(
                            into=f", {write_scalar(one.into or one.label, flow=True)}", kind="next"
                        )
                        for one in some
                        if self._meant(one.label) not in there
                    ],
                )
        yield Slot((), "", len(head.rstrip()), None, None), [*self._keys(line, text)]

    def _called_so(self, found: list[tuple[Slot, list[Candidate]]]) -> bool:
        """Whether what is typed means one of those who may stand there, by another of their names."""
        for slot, some in found:
            token = slot.typed.strip()
            named = self.play.names.find(token.strip("\"'")) if token else None
            if isinstance(named, Named) and not slot.naming:
                return any(self._meant(one.label) == named.id and not one.tail for one in some)
        return False

    def _another(self, line: Line, field: Field, part: KeyText, head: str) -> Iterator[Candidate]:
        """Who or what else a mapping may be told of, where somebody is inside the one before."""
        begun = head.rstrip(" ,")
        whole = close_brackets(begun)
        shut = f"{part.text.rstrip(' ,')}{whole[len(begun) :]}, "
        if whole == begun or close_brackets(part.text.lstrip()[:1]) == whole[len(begun) :]:
            return
        for slot in find_slots(self.kind_of(field), shut, part.start):
            if slot.naming and slot.listed and not slot.path and isinstance(slot.kind, Kind):
                for one in self._candidates(line.verb, field, slot):
                    if one.kind == "name" and not one.why:
                        into = f"{whole[len(begun) :]}, {write_scalar(one.into or one.label, flow=True)}: "
                        yield one._replace(into=into, kind="next", tail="")

    # -- verbs -----------------------------------------------------------------------------------

    def _verb_slot(self, head: str) -> Slot:
        lead = len(head) - len(head.lstrip("- "))
        return Slot((), head[lead:], lead, None, None)

    def _verbs(self, head: str) -> Iterator[Candidate]:
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
                yield Candidate(verb, "", "verb", into=f"{verb} ", hint=_doc(kind), also=kind.also)
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

    # -- keys ------------------------------------------------------------------------------------

    def _keys(self, line: Line, text: str) -> Iterator[Candidate]:
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

    # -- values ----------------------------------------------------------------------------------

    def _candidates(self, verb: type[Action], field: Field, slot: Slot) -> Iterator[Candidate]:
        if field.kind in (FIGURES, STANDING) and not {*slot.path[:1]} & {*self.rules.things}:
            if field.kind is STANDING and not slot.path:
                yield from self._things(slot)
            yield from self._figures(slot)
            return
        if computing(slot, field):
            yield from self._computed(slot)
            return
        offers = [*self._offered(verb, field, slot)]
        if not slot.path and own_words(slot) and field.is_place:
            there = {one.label.casefold() for one in offers}
            offers += [one for one in self._places() if one.label.casefold() not in there]
        kinds = [*_laid_bare(slot.kind)]
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
        has = {self._meant(one) for one in slot.listed} - self._begins_another(slot)
        # What a mapping or a list has it does not take again; where all is taken, nothing is left.
        if has & ALL and not slot.naming:
            return
        taken = has | (ALL if has and not slot.naming else set())
        left = [one for one in offers if self._meant(one.label) not in taken]
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
            yield from self._acting(verb)
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
            speaks = () if ":" in slot.typed else self._any_name(field)
            yield from (
                one._replace(tail=": ") for one in sorted(speaks, key=lambda one: -one.weight)
            )
            return
        law = self.rules.law
        if slot.role and law is not None and slot.role in law.roles:
            found = self._in_role(law, law.roles[slot.role])
        elif slot.role is None and kind is not None and kind.naming():
            found = self._any_name(field)
        else:
            yield from _numbers(slot)
            return
        there = {self._meant(one) for one in slot.listed}
        if isinstance(kind, type(PAIR)):
            found = self._pairs(found)
        if field is verb.main and not slot.path:
            found = chain(found, self._owing(verb))
        for one in self._due_first(verb, found):
            if self._meant(one.label) not in there:
                yield one._replace(tail=tail)

    def _begins_another(self, slot: Slot) -> set[str]:
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

    def _things(self, slot: Slot) -> Iterator[Candidate]:
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

    def _acting(self, verb: type[Action]) -> Iterator[Candidate]:
        """Who may act: whose it is by the game first, then the table, then whoever is played."""
        likely = [one for one in self.rules.options(self.play) if one.verb == verb.verb]
        # A character is named where the game has it so, before the player whose it is.
        first = dict.fromkeys(str(one.entry(Random(0)).get("by", one.by)) for one in likely)
        named = self.play.names.all
        players = [id for id, one in named.items() if one.kind == PLAYER]
        others = [id for id in named if id not in players and self._note(id) and not self._two(id)]
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

    def _offered(self, verb: type[Action], field: Field, slot: Slot) -> Iterator[Candidate]:
        """What the game itself says that fits here."""
        place = (field.name, *slot.path)
        seen: dict[str, Candidate] = {}
        acting = dict.fromkeys(one.by for one in self.options if one.verb == verb.verb)
        for by in acting or (self.by or self.rules.standing(self.play).turn,):
            for offer in self.rules.offers(self.play, verb.verb, by):
                if len(offer.path) > len(place) and self.same(offer.path[: len(place)], place):
                    label = offer.path[len(place)]
                    if label not in seen or (seen[label].why and not offer.why):
                        seen[label] = self._from(offer, label, len(place), slot)
        yield from self._due_first(verb, seen.values())

    def _due_first(self, verb: type[Action], found: Iterable[Candidate]) -> list[Candidate]:
        """Those first who owe what a verb settles, then the most used; last who may not."""
        owing = [*dict.fromkeys(one.who for one in self.due if one.verb == verb.verb and one.who)]

        turn, seats = self.rules.standing(self.play).turn, [*self.play.seats]
        if _may_name(verb) and turn in seats:
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

    def _from(self, offer: Offer, label: str, depth: int, slot: Slot) -> Candidate:
        last = len(offer.path) == depth + 1
        # Two in one are called as each of them is.
        ids = [self._called(one) for one in label.split(" & ")]
        id = ids[0] if len(ids) == 1 else self._called(label)
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

    def _called(self, name: str) -> str:
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

    def _any_name(self, field: Field) -> Iterator[Candidate]:
        """Names for a key of which nobody has said who may stand there: players where it speaks of them,
        else whoever is in the scene first."""
        scene = self.play.timeline.current
        here = set(scene.cast) if scene is not None else set()
        players = field.of_players
        for id, named in self.play.names.all.items():
            if (named.kind == PLAYER) == players and not self._two(id):
                one = self._name(id, "")
                yield one._replace(weight=one.weight + (1000 if id in here else 0))

    def _two(self, id: str) -> bool:
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

    # -- shown -----------------------------------------------------------------------------------

    def _shown(
        self,
        head: str,
        tail: str,
        found: list[tuple[Slot, list[Candidate]]],
        key: str,
        title: str,
        most: int = MOST_SHOWN,
    ) -> dict[str, Any]:
        shown: list[dict[str, Any]] = []
        parts: list[int] = []
        for slot, candidates in found:
            before = len(shown)
            token = slot.typed.strip()
            listed = {self._meant(one) for one in slot.listed}
            for one in candidates:
                if (how := met(one, token)) > OTHERWISE:
                    continue
                into = one.into or one.label
                if one.kind not in ("verb", "key", "next", "new"):
                    into = write_scalar(into, flow=True)
                lead = head[: slot.start]
                if (
                    lead
                    and not lead.endswith((" ", "[", "{", "\n"))
                    and into[:1] not in (",", "\n", "}")
                ):
                    lead += " "
                line = f"{lead}{into}{one.tail}"
                with_it = "".join(
                    f", {name}: {value}"
                    for name, value in one.besides
                    if close_brackets(line) == line and f", {name}: " not in line + tail
                )
                if any(there["line"] == line + with_it + tail for there in shown):
                    continue
                shown.append(
                    {
                        "line": line + with_it + tail,
                        "caret": len(line),
                        "label": one.label,
                        "note": one.note,
                        "hint": one.hint,
                        "kind": one.kind,
                        "eligible": not one.why,
                        "why": one.why,
                        "chosen": self._meant(one.label) in listed,
                        "met": how,
                    }
                )
            parts.append(len(shown) - before)
        labels = Counter(there["label"] for there in shown)
        for there in shown:
            if labels[there["label"]] > 1 and there["line"].endswith(": "):
                # The same name by itself means something else there.
                there["label"] += ": …"
        shown = _first_of_each(shown, [one for one in parts if one])
        shown.sort(key=ranked)
        first = next((one for one in shown if one["eligible"] and not one["chosen"]), None)
        ghost = ""
        if first is not None and (first["kind"] == "number" or "\n" in first["line"][len(head) :]):
            # Nothing speaks for the first of them.
            first = None
        if first is not None and first["line"].startswith(head) and not tail and head.strip():
            ghost = first["line"][len(head) :]
        if ghost[:1] != "," and head[-1:] == " " and self.own_words(head):
            # Whoever has not begun a sentence does not mean somebody else's.
            ghost = ""
        return {
            "key": key,
            "title": title,
            "ghost": ghost,
            "choices": shown[:most] if most else shown,
            "more": max(0, len(shown) - most) if most else 0,
        }

    def _meant(self, word: str) -> str:
        named = self.play.names.find(word.strip("\"'"))
        return named.id if isinstance(named, Named) else word.casefold()


def in_words(doc: str) -> str:
    """What a key means, as its declaration says it first; empty where that is long, or a form of writing."""
    first = re.split(r"[;:,(]", doc)[0].strip()
    said = len(first) <= MOST_WORDS and first not in ("yes", "no")
    return first if said and not re.search(r"[{}\[\]']", first) else ""


def _numbers(slot: Slot) -> Iterator[Candidate]:
    """The first whole numbers that may stand in a place, where no list of faces or cards does."""
    schemas = [slot.schema, *(one.schema() for one in _laid_bare(slot.kind))]
    found = [one for one in schemas if "integer" in types_in(one)]
    lists = any("array" in types_in(one) for one in schemas)
    if found and not lists and not slot.naming:
        least = min(found[0].get("minimum", 0), 1)
        for number in range(least, min(least + MOST_NUMBERS, found[0].get("maximum", 99) + 1)):
            yield Candidate(str(number), kind="number")


def _laid_bare(kind: Kind[Any] | None) -> Iterator[Kind[Any]]:
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


def in_formula(slot: Slot) -> Slot:
    """In a formula each word is one of its own: the place of the last one."""
    if slot.kind is None or bare(slot.kind) is not TEXT or slot.naming:
        return slot
    word = re.search(r"(?<!\w)\w*\Z", slot.typed)
    assert word is not None
    return slot._replace(typed=word.group(), start=slot.start + word.start())


def in_speech(slot: Slot) -> Slot:
    """Where lines are spoken, the place of the last one."""
    if not spoken(slot):
        return slot
    before = slot.typed.rfind("\n") + 1
    return slot._replace(typed=slot.typed[before:], start=slot.start + before)


def _first_of_each(shown: list[T], parts: list[int]) -> list[T]:
    """Choices of several kinds, so many of each, with the first of every kind in sight."""
    if len(shown) <= IN_SIGHT or len(parts) < 2:
        return shown
    share = IN_SIGHT // len(parts)
    first, rest, start = list[T](), list[T](), 0
    for number in parts:
        first += shown[start : start + min(number, share)]
        rest += shown[start + min(number, share) : start + number]
        start += number
    return first + rest


def _apart(
    found: Iterable[tuple[Slot, list[Candidate]]],
) -> Iterator[tuple[Slot, list[Candidate]]]:
    """Where a mapping or a value may begin, whoever stands in both places is offered in one of them:
    before a colon if more is to be said of them."""
    found = [*found]
    for slot, some in found:
        others = [
            one
            for other, ones in found
            if other.start == slot.start and other.naming != slot.naming
            for one in ones
        ]
        if slot.naming:
            alone = {one.label for one in others if not one.tail}
            yield slot, [one for one in some if one.label not in alone]
        else:
            before = {one.label for one in others}
            yield slot, [one for one in some if not one.tail or one.label not in before]


def _part(kind: Kind[Any], name: str) -> Field | None:
    """What a mapping of a kind holds under a name, where that is declared."""
    parts = (one.part.fields for one in map(bare, alternatives(kind)) if isinstance(one, PartOf))
    return next((fields[name] for fields in parts if name in fields), None)


def _named_alone(kind: Kind[Any] | None, some: Sequence[Candidate] = ()) -> bool:
    """Whether a name by itself may be a value of a kind; where none is declared, whether one of ``some`` that
    are offered is."""
    if kind is None:
        return any(not one.tail for one in some)
    kinds = map(bare, alternatives(kind))
    return any(one.naming() and not isinstance(one, (MapOf, PartOf)) for one in kinds)


def _may_name(verb: type[Action]) -> bool:
    """Whether somebody may be named behind a verb that is whole without."""
    main = verb.main
    return main is not None and not main.required and bare(main.kind).naming()


def _behind(head: str, line: Line) -> bool:
    """Whether somebody has finished typing the verb."""
    name = line.verb.verb
    lead = len(head) - len(head.lstrip("- "))
    rest = head[lead + len(name) :]
    return bool(rest) and not (rest.strip() and find_verb(head, {name: line.verb}) == "")


def _words_of(kind: Kind[Any] | None, schema: Any) -> Iterable[str]:
    """The few words that a kind knows."""
    kinds = [bare(one) for one in alternatives(kind)] if kind is not None else []
    found: list[str] = [word for one in kinds for word in getattr(one, "choices", ())]
    if found:
        return found
    if kind is YES_NO:
        return ("yes", "no")
    return [str(one) for one in schema.get("enum", ()) if isinstance(one, str)]


def met(one: Candidate, typed: str) -> int:
    """How well what is typed meets a candidate: it says just that, it begins so (as all do before a letter
    is typed), a word of it does, or another word by which it is found; or nothing does."""
    wanted = typed.strip().casefold()
    own = [text.strip().casefold() for text in (one.label, one.into) if text]
    if wanted and wanted in own:
        return EXACT
    if not wanted or one.kind == "new" or any(text.startswith(wanted) for text in own):
        return BEGUN
    for how, texts in ((WITHIN, own), (OTHERWISE, one.also)):
        if any(f" {text}".find(f" {wanted}") >= 0 for text in texts):
            return how
    return NOT_AT_ALL


def ranked(one: Mapping[str, Any]) -> tuple[bool, bool, int]:
    """What of several choices comes first, those that are alike as they came: what somebody has typed to
    the letter, then what may be, and of that what begins as it is typed."""
    return one["met"] > EXACT, not one["eligible"], one["met"]


def _begins(one: Candidate, token: str) -> bool:
    """Whether a word of a candidate begins so."""
    return met(one, token) < NOT_AT_ALL


def _price(price: tuple[int, str] | None) -> str:
    return "" if price is None else f"{price[0]} {price[1]}" if price[0] else "free"


def _complete(typed: str, found: list[tuple[Slot, list[Candidate]]]) -> bool:
    """Whether a value may end here: nothing begins so, or something is called just so."""
    alone = any(not slot.naming and _named_alone(slot.kind) for slot, _ in found)
    if typed.rstrip().endswith((",", ":", "[", "{")):
        return False
    wanted = [(slot.typed.strip().strip("\"'").casefold(), some) for slot, some in found]
    if all(token and not any(_begins(one, token) for one in some) for token, some in wanted):
        return True
    return any(
        token in (one.label.casefold(), one.into.casefold()) and not (one.tail and not alone)
        for token, some in wanted
        for one in some
    )


def _doc(verb: type[Action]) -> str:
    return " ".join((verb.__doc__ or "").split()).split(". ")[0].rstrip(".")
