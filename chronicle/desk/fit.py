"""What fits an unfinished line: verbs, keys, names and words, and what may follow them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from chronicle.core.declare import (
    TEXT,
    Field,
    Kind,
    MapOf,
    PartOf,
    alternatives,
    bare,
)
from chronicle.core.names import Named
from chronicle.core.replay import Replay
from chronicle.desk.candidates import (
    Candidates,
    computing,
    doc_of,
    may_name,
    own_words,
    spoken,
)
from chronicle.desk.choices import (
    BEGUN,
    MOST_SHOWN,
    NOT_AT_ALL,
    Candidate,
    met,
    offer_once,
    show_choices,
)
from chronicle.transcript.kinds import listed_part, types_in
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

_FIRST_HALF = re.compile(r"\{([^{}:,\[\]]+):")
"""What stands before the colon in a mapping, as a key is documented."""
ANYTHING = "whatever comes"
"""Stands for what is still to be said, while the rest is tried."""


class Fitting:
    """What fits at one moment of play. The replay is not changed.

    Args:
        replay: The replay at that moment.
        by: Whose act the line is; empty: anybody's.
    """

    def __init__(self, replay: Replay[Any], by: str = "") -> None:
        self.replay, self.play, self.rules = replay, replay.play, replay.rulebook
        self.candidates = Candidates(replay, by)
        self._words: dict[str, list[str]] = {}

    def _show(self, head: str, tail: str, *rest: Any, most: int = MOST_SHOWN) -> dict[str, Any]:
        return show_choices(
            head, tail, *rest, meant=self.candidates.meant, own_words=self.own_words, most=most
        )

    def verbs(self, said: str) -> list[dict[str, Any]]:
        """All the verbs that begin as somebody has typed, those first that may come now."""
        slot = self._verb_slot(said)
        shown = self._show(said, "", [(slot, [*self.candidates.of_verbs(said)])], "", "", most=0)
        found: list[dict[str, Any]] = shown["choices"]
        return found

    def choices(self, text: str, caret: int) -> dict[str, Any]:
        """The choices for a caret in a line, the first of them as a ghost behind it."""
        head, tail = text[:caret], text[caret:]
        line = split_line(head, self.rules.by_verb)
        if line is None or not _behind(head, line):
            shown = self._show(
                head, tail, [(self._verb_slot(head), [*self.candidates.of_verbs(head)])], "", ""
            )
            if line is not None and not tail and may_name(line.verb):
                # It is whole so, and may be said of several.
                names = self.choices(f"{head} ", caret + 1)
                more = [one | {"kind": "next"} for one in names["choices"] if one["kind"] == "name"]
                shown |= {"choices": [*shown["choices"], *more], "title": names["title"]}
            return shown
        part = line.parts[-1]
        field = line.field(part.key)
        if field is None:
            keys = [*self.candidates.of_keys(line, text)]
            slot = Slot((), part.text, part.start, None, None)
            return self._show(head, tail, [(slot, keys)], "", doc_of(line.verb))
        found = [
            (slot, [*self.candidates.of_values(line.verb, field, slot)])
            for one in find_slots(self.candidates.kind_of(field), part.text, part.start)
            for slot in [in_formula(one) if computing(one, field) else in_speech(one)]
        ]
        # Who stands in it already, each with one of their own, is less likely meant than anybody else.
        before = self.given(head)
        for slot, some in found:
            own = {*before, self.candidates.meant(slot.path[-1])} if slot.path else set()
            some.sort(
                key=lambda one: one.kind == "name" and self.candidates.meant(one.label) in own
            )
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
        found = [*offer_once(found)]
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
            keys = [*self.candidates.of_keys(line, text)]
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
        inner = _part(self.candidates.kind_of(field), path[-1]) if path else None
        title = f"{path[-1]}: {told}" if path else field.doc
        if inner is not None:
            title = f"{path[-1]}: {inner.doc}"
        if new:
            title = word("server.nothing_called", name=new[0][0].typed.strip())
        return self._show(head, tail, found, field.name, title)

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
                first = next(self.candidates.actors(line.verb)).label
                same = self.candidates.meant(first) == self.candidates.meant(token)
                return None if same else (token, f"{text[: slot.start]}{first}")
            offered = [*self.candidates.offered(line.verb, field, slot)]
            begun = [one for one in offered if _begins(one, token)]
            words = {word for one in begun for word in one.label.casefold().split()}
            if not token or (begun and token.casefold() not in words):
                continue
            meant = [
                one
                for one in begun
                if self.candidates.meant(one.label) == self.candidates.meant(token)
            ]
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
            {self.candidates.meant(one) for one in ways[0]}
            for option in self.candidates.options
            if option.verb == line.verb.verb
            for ways in [[option.entry(Random(seed)).get(option.verb) for seed in (0, 1)]]
            if ways[0] == ways[1] and isinstance(ways[0], list) and len(ways[0]) > 1
        ]
        there = {self.candidates.meant(one) for slot in self.slots_at(text) for one in slot.listed}
        together = set().union(*(one for one in sets if there <= one))
        return (
            {name for name in names if self.candidates.meant(name) not in together}
            if sets
            else set()
        )

    def given(self, text: str) -> set[str]:
        """Who stands behind a name already in the mapping that a line ends in."""
        line = split_line(text, self.rules.by_verb)
        try:
            data = read_line(text, self.rules.by_verb) if line is not None else {}
        except LineError:
            return set()
        value = data.get(line.parts[-1].key) if line is not None else None
        each = value.values() if isinstance(value, Mapping) else ()
        return {self.candidates.meant(one) for one in each if isinstance(one, str) and one}

    def again(self, text: str, names: Iterable[str]) -> set[str]:
        """Those of some names who stand behind another one already, where a line ends in the same place."""
        given = self.given(text) if any(slot.path for slot in self.slots_at(text)) else set()
        return {name for name in names if self.candidates.meant(name) in given}

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
        return find_slots(self.candidates.kind_of(field), line.parts[-1].text, line.parts[-1].start)

    def field_at(self, text: str) -> Field | None:
        """The key that a line ends in."""
        line = split_line(text, self.rules.by_verb)
        return line.field(line.parts[-1].key) if line is not None else None

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
        kind, part = self.candidates.kind_of(field), line.parts[-1]
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
        offered = self.candidates.offered(line.verb, field, Slot((), "", 0, None, None))
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
            if not any(True for _ in self.candidates.offered(line.verb, field, slot))
            for named in self.play.names.all.values()
        }

    def _further(
        self, line: Line, field: Field, part: KeyText, head: str, text: str
    ) -> Iterator[tuple[Slot, list[Candidate]]]:
        """What may follow a value that is whole: the next name or item of it, then further keys."""
        comma = f"{part.text.rstrip()}, "
        for slot in find_slots(self.candidates.kind_of(field), part.text, part.start):
            if spoken(slot):
                # Somebody answers, on a line of their own.
                last = in_speech(slot).typed.partition(":")[0].strip()
                yield (
                    Slot((), "", len(head.rstrip()), None, None),
                    [
                        one._replace(into=f"\n{one.into or one.label}: ", kind="next")
                        for one in sorted(
                            self.candidates.any_name(field), key=lambda one: -one.weight
                        )
                        if self.candidates.meant(one.label) != self.candidates.meant(last)
                    ],
                )
        for slot in find_slots(self.candidates.kind_of(field), comma, part.start):
            some = [*self.candidates.of_values(line.verb, field, slot)]
            what = _FIRST_HALF.search(field.doc)
            if slot.naming and slot.listed and what and not some:
                # Nobody is offered there: what comes next is given its name.
                label = word("server.another", what=what[1])
                place = slot._replace(start=len(head.rstrip()), typed="")
                yield place, [Candidate(label, kind="next", into=", ")]
            elif slot.listed and not slot.typed.strip():
                there = {
                    self.candidates.meant(one) for one in slot.listed
                } - self.candidates.begins_another(slot)
                begin = len(head.rstrip())
                yield (
                    slot._replace(start=begin, typed=""),
                    [
                        one._replace(
                            into=f", {write_scalar(one.into or one.label, flow=True)}", kind="next"
                        )
                        for one in some
                        if self.candidates.meant(one.label) not in there
                    ],
                )
        yield Slot((), "", len(head.rstrip()), None, None), [*self.candidates.of_keys(line, text)]

    def _called_so(self, found: list[tuple[Slot, list[Candidate]]]) -> bool:
        """Whether what is typed means one of those who may stand there, by another of their names."""
        for slot, some in found:
            token = slot.typed.strip()
            named = self.play.names.find(token.strip("\"'")) if token else None
            if isinstance(named, Named) and not slot.naming:
                return any(
                    self.candidates.meant(one.label) == named.id and not one.tail for one in some
                )
        return False

    def _another(self, line: Line, field: Field, part: KeyText, head: str) -> Iterator[Candidate]:
        """Who or what else a mapping may be told of, where somebody is inside the one before."""
        begun = head.rstrip(" ,")
        whole = close_brackets(begun)
        shut = f"{part.text.rstrip(' ,')}{whole[len(begun) :]}, "
        if whole == begun or close_brackets(part.text.lstrip()[:1]) == whole[len(begun) :]:
            return
        for slot in find_slots(self.candidates.kind_of(field), shut, part.start):
            if slot.naming and slot.listed and not slot.path and isinstance(slot.kind, Kind):
                for one in self.candidates.of_values(line.verb, field, slot):
                    if one.kind == "name" and not one.why:
                        into = f"{whole[len(begun) :]}, {write_scalar(one.into or one.label, flow=True)}: "
                        yield one._replace(into=into, kind="next", tail="")

    def _verb_slot(self, head: str) -> Slot:
        lead = len(head) - len(head.lstrip("- "))
        return Slot((), head[lead:], lead, None, None)


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


def _behind(head: str, line: Line) -> bool:
    """Whether somebody has finished typing the verb."""
    name = line.verb.verb
    lead = len(head) - len(head.lstrip("- "))
    rest = head[lead + len(name) :]
    return bool(rest) and not (rest.strip() and find_verb(head, {name: line.verb}) == "")


def _begins(one: Candidate, token: str) -> bool:
    """Whether a word of a candidate begins so."""
    return met(one, token) < NOT_AT_ALL


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
