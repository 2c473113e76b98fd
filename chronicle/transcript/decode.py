"""Tree to typed actions, by the verbs a rulebook declares."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import takewhile
from typing import Any, Final, TypeVar

from chronicle.core.declare import Action, Context, Field, Misread, Part, key_meant, shown
from chronicle.core.diagnostic import (
    SUGGESTED,
    Diagnostic,
    Fact,
    Finding,
    ask_whether,
    listed,
    nearest_words,
    one_meant,
    strange,
)
from chronicle.core.fix import (
    Edit,
    Fix,
    RemoveEntry,
    RemoveKey,
    ReplaceEntry,
    ReplaceText,
    SetKey,
    make_fix,
    replace_with,
)
from chronicle.core.source import Entries, Items, Place, Value, Word, place_of, scalars
from chronicle.transcript.problems import Problems, problem
from chronicle.transcript.traps import quoted

P = TypeVar("P", bound=Part)


MOST_ENTRIES: Final = 100_000
"""How many entries of one list are read."""

_SMALL: Final = frozenset({"a", "an", "for", "of", "the", "their", "to"})
"""Words that do not tell one verb from another."""


class Decoder:
    """Reads entries into actions of one game. Make one for a campaign; it keeps nothing of a file.

    ``others`` are verbs of other games, to say so when one turns up: {verb: title of the game}. With
    ``prune`` the lists and entries keep only what was read of them.
    """

    def __init__(
        self,
        verbs: Mapping[str, type[Action]],
        others: Mapping[str, str] | None = None,
        *,
        prune: bool = False,
    ) -> None:
        self._prune = prune
        self.verbs = verbs
        self.others: Mapping[str, str] = others if others is not None else {}
        self._names = frozenset(verbs)

    def entries(
        self,
        items: Items,
        path: str,
        session: int,
        found: Problems,
        reading: Iterable[Diagnostic] = (),
    ) -> list[Action]:
        """The actions of a list of entries; what cannot be read goes to ``found``.

        ``reading`` is what was wrong with the file before: whatever else is said of the same line
        follows from it.
        """
        if len(items) > MOST_ENTRIES:
            more = place_of(items[MOST_ENTRIES], path)
            found.tell(
                "T5",
                f"more than {MOST_ENTRIES:,} entries in one list; the rest is not read",
                more._replace(end_line=more.line, end_column=more.column + 1),
                "split the log into several sessions",
            )
            items = Items(items[:MOST_ENTRIES])
        known = {one.place.line: one for one in reading if one.finding is Finding.UNREADABLE}

        def nested(inner: Items) -> list[Any]:
            return self.entries(inner, path, session, found, known.values())

        amended: list[Misread] = []
        context = Context(nested, amended)
        made: list[Action] = []
        for value in items:
            before = len(found)
            action = self._entry(value, path, session, context, found)
            new = found[before:]
            if known:
                for finding in new:
                    cause = known.get(finding.place.line)
                    if cause is not None and finding.cause is None:
                        finding.cause = cause
                        cause.dependents.append(finding)
            if action is None:
                for finding in new:
                    finding.dropped = tuple(map(str, scalars(value)))
                continue
            if new:
                action.problem = new[0].cause or new[0]
            elif known:
                lines = range(value.line, value.end_line + 1)
                action.problem = next((known[line] for line in lines if line in known), None)
            made.append(action)
        if self._prune:
            items[:] = [action.source for action in made]
        return made

    def _entry(
        self, value: Value, path: str, session: int, context: Context, found: Problems
    ) -> Action | None:
        if not isinstance(value, Entries):
            found.append(self._not_an_entry(value, path))
            return None
        key, heard = self._verb_of(value, path)
        strange = None if key is next(iter(value), None) else self._strange_verb(value, key)
        if strange is not None:
            fits = partial(self._fits, value, strange, path)
            meant = one_meant(strange, self.verbs, fits, SUGGESTED)
            if meant and self._may_mean(strange, meant):
                found.append(_read_as(strange, meant, path))
                value = value.renamed(strange, meant)
                return self._entry(value, path, session, context, found)
        if key is None or (strange is not None and self._foreign(value, key)):
            found.append(self._no_verb(value, path))
            return None
        if heard:
            found.extend(heard)
        verb = self.verbs[key]
        fields, needed = verb.readers, verb.needed
        action = verb()
        action.source = value
        action.key = key
        action.path = path
        action.session = session
        action.step = 0
        whole = True
        lost: list[Word] = []
        for name, inner in value.items():
            known = fields.get(name)
            if known is None:
                if name is not key:
                    lost.append(name)
                if name is key:
                    if not (isinstance(inner, Word) and not inner):
                        found.append(_stands_alone(key, inner, path))
                    continue
                if name in self._names:
                    continue
                apart = self._rather_a_verb(name, verb)
                waiting = verb.main is not None and not value[key] and name.column == key.column
                found.append(self._no_option(name, key, verb, path, apart=apart, waiting=waiting))
                meant = "" if apart else key_meant(name, value, verb.fields)
                if not meant:
                    continue
                lost.remove(name)
                action.source = action.source.renamed(name, meant)
                known = fields[meant]
            if name is key and not inner and isinstance(inner, Word) and not inner.style:
                assert verb.main is not None
                if verb.main.required:
                    message = f"'{name}' needs a value: {verb.main.doc}"
                    found.tell("T23", message, place_of(name, path), *_like(verb))
                    whole = False
                continue
            attribute, read = known
            try:
                setattr(action, attribute, read(inner, context))
            except Misread as error:
                found.append(_misread(error, name, path, verb))
                lost.append(name)
                if name is key or verb.fields[name].required:
                    whole = False
            if context.amended:
                found.extend(_misread(error, name, path, verb) for error in context.amended)
                context.amended.clear()
        for field in needed:
            if field.name not in action.source:
                message = f"'{key}' needs '{field.name}': {field.doc}"
                found.tell("T23", message, place_of(key, path), *_like(verb))
                whole = False
        if self._prune and lost:
            action.source = action.source.without(lost)
        return action if whole else None

    def _verb_of(self, value: Entries, path: str) -> tuple[Word | None, Sequence[Diagnostic]]:
        """The key that is the verb, and what is wrong with it. A word that is a verb and an option of the
        other is the option."""
        names = [name for name in value if name in self._names]
        if len(names) < 2:
            return (names[0] if names else None), ()
        found = Problems()
        key: Word | None = None
        for name in names:
            if key is None:
                key = name
            elif name in self.verbs[key].fields:
                continue
            elif key in self.verbs[name].fields:
                key = name
            elif name in _keys_inside(self.verbs[key].main):
                found.append(_belongs_inside(name, key, self.verbs[key], path))
            else:
                found.tell(
                    "T24",
                    f"two verbs in one entry: '{key}' and '{name}'",
                    place_of(name, path),
                    f"start an entry of its own:  - {name}: ...",
                    facts=(Fact(f"'{key}' stands here", place_of(key, path)),),
                )
        return key, found

    def _strange_verb(self, value: Entries, key: Word | None) -> Word | None:
        """The word that stands where the verb does by habit, and is none and no option either."""
        first = next(iter(value), None)
        if first is None or first in self._names:
            return None
        if key is not None:
            return None if first in self.verbs[key].readers else first
        return next((name for name in value if name not in Action.fields), first)

    def _foreign(self, value: Entries, key: Word) -> bool:
        """Whether what looks like the verb of an entry is an option of another, unknown one: more
        than the first word means nothing to it."""
        fields = self.verbs[key].readers
        return sum(name not in fields for name in value) > 1

    def _fits(self, value: Entries, strange: Word, path: str, verb: str) -> bool:
        """Whether an entry can be read without a fault if a word of it is that verb."""
        found = Problems()
        trial = self if not self._prune else Decoder(self.verbs, self.others)
        context = Context(lambda items: trial.entries(items, path, 0, found))
        return (
            bool(trial._entry(value.renamed(strange, verb), path, 0, context, found)) and not found
        )

    def _not_an_entry(self, value: Value, path: str) -> Diagnostic:
        place = place_of(value, path)
        if not isinstance(value, Word):
            return problem(
                "T25",
                "an entry is one mapping; here a list stands in the list",
                place,
                "one dash is enough",
                fixes=[make_fix(ReplaceText("", _second_dash(value, path)), is_told=True)]
                if isinstance(value, Items) and len(value) == 1
                else (),
            )
        if not value and not value.style:
            return problem(
                "T25",
                "nothing follows this dash",
                place._replace(column=max(place.column - 1, 1)),
                "or write an entry here",
                fixes=[make_fix(RemoveEntry())],
            )
        text = " ".join(value.split())
        head, wide, rest = text.partition("：")
        if wide and head in self.verbs:
            return problem(
                "T17",
                f"the colon after '{head}' is a full-width one",
                place,
                "write an ordinary colon and a space",
                fixes=[make_fix(ReplaceEntry(f"{head}: {rest.strip()}"), safe=True)],
            )
        head, colon, rest = text.partition(":")
        if colon and rest and head in self.verbs and not value.style:
            return problem(
                "T17",
                f"a space is missing after '{head}:'",
                place,
                fixes=[make_fix(ReplaceEntry(f"{head}: {rest.strip()}"), safe=True)],
            )
        for verb in sorted(self.verbs, key=len, reverse=True):
            if text == verb or text.startswith(verb + " "):
                rest = text[len(verb) :].strip()
                return problem(
                    "T25",
                    f"a colon is missing after '{verb}'",
                    place,
                    fixes=[make_fix(ReplaceEntry(f"{verb}: {rest}".strip()), safe=True)],
                )
        speaking = self._where_said(text)
        tells = [] if speaking or "tell" not in self.verbs else [_telling(text)]
        message = f"this entry has no verb: {shown(value)}"
        return problem("T25", message, place, *(_like(speaking) if speaking else ()), fixes=tells)

    def _where_said(self, text: str) -> type[Action] | None:
        """The one verb that speaks of some words, if they are words of the game."""
        wanted = text.casefold()
        speaking = [
            verb
            for verb in self.verbs.values()
            if wanted in verb.example.casefold()
            or any(
                wanted in field.doc.casefold()
                for field in (verb.main, *verb.fields.values())
                if field is not None
            )
        ]
        return speaking[0] if " " in text and len(speaking) == 1 else None

    def _no_verb(self, value: Entries, path: str) -> Diagnostic:
        if not value:
            return problem("T25", "this entry is an empty mapping", place_of(value, path))
        first = next(iter(value))
        near = nearest_words(first, list(self.verbs))
        if near and self._may_mean(first, near[0]):
            return problem(
                "T21",
                f"no verb '{first}'{ask_whether(first, near)}",
                place_of(first, path),
                f"write  - {near[0]}: ...",
                fixes=replace_with(near, is_told=True),
            )
        for name in value:
            if name in self.others:
                return problem(
                    "T21",
                    f"'{name}' is a verb of {self.others[name]}, not of this game",
                    place_of(name, path),
                    *self._about(name),
                    fixes=self._verbs_for(name),
                )
        place = place_of(first, path)
        glued, colon, rest = first.partition(":")
        if colon and rest and glued in self.verbs:
            return problem(
                "T17",
                f"a space is missing after '{glued}:'",
                place,
                fixes=[make_fix(ReplaceText(f"{glued}: {rest}"), safe=True)],
            )
        said = None if self._remembered(first) else self._where_said(first)
        if said is not None:
            fixes = replace_with([said.verb], is_told=True)
            return problem("T21", f"no verb '{first}'", place, *_like(said), fixes=fixes)
        inner = value[first]
        sentence = " " in first and (first[0].isupper() or not self._meant(first))
        if sentence and len(value) == 1 and isinstance(inner, Word) and "tell" in self.verbs:
            fixes = (_telling(f"{first}: {inner}".strip()),)
            return problem("T21", f"no verb '{first}'", place, fixes=fixes)
        fixes = self._verbs_for(first)
        return problem("T21", f"no verb '{first}'", place, *self._about(first), fixes=fixes)

    def _verbs_for(self, word: str) -> tuple[Fix, ...]:
        """The fixes that write one of the few verbs that are about a word in its place; the help of
        :meth:`_about` names these verbs."""
        return replace_with([verb.verb for verb in self._meant(word)], is_told=True)

    def _remembered(self, word: str) -> list[type[Action]]:
        """The verbs that say of themselves that people write this for them, in one word or with small
        ones."""
        words = word.casefold().split()
        written = {word.casefold(), " ".join(one for one in words if one not in _SMALL)}
        found = [one for one in self.verbs.values() if not written.isdisjoint(one.also)]
        return [one for one in found if not one.optional] or found

    def _may_mean(self, word: str, verb: str) -> bool:
        """Whether a word may be a verb misspelt: not where people write it for others alone."""
        known = self._remembered(word)
        return not known or self.verbs[verb] in known

    def _meant(self, word: str) -> list[type[Action]]:
        """The few verbs that are meant by a word or two; none if there may be more than three."""
        found = self._remembered(word)
        if not found:
            shared = {verb: _shared(word, verb) for verb in self.verbs.values()}
            most = max(shared.values())
            found = [verb for verb, words in shared.items() if most and words == most]
        return found if len(found) < 4 else []

    def _about(self, word: str) -> list[str]:
        """The verbs that say of themselves that they are about a word; else where all verbs stand."""
        meant = self._meant(word)
        if self._remembered(word) and len(meant) == 1:
            return [f"'{meant[0].verb}' is there for this:", *_like(meant[0])]
        if meant:
            return [f"'{verb.verb}' is there for this: {first_sentence(verb)}" for verb in meant]
        few = [verb.verb for verb in self.verbs.values() if not verb.optional][:12]
        return [f"verbs are {', '.join(few)} ...;  chronicle reference  lists them all"]

    def _rather_a_verb(self, name: Word, verb: type[Action]) -> bool:
        """Whether an unknown key is more like a verb, of an entry whose dash was forgotten, than like any
        option; or so like one that hides something that it may not be read as anything else."""
        meant = one_meant(name, {**verb.fields, **self.verbs}, near=SUGGESTED)
        hiding = (other for other, kind in self.verbs.items() if kind.hides is not None)
        return bool(meant and meant not in verb.fields) or any(
            one_meant(name, (other,), near=SUGGESTED) for other in hiding
        )

    def _no_option(
        self,
        name: Word,
        key: Word,
        verb: type[Action],
        path: str,
        *,
        apart: bool,
        waiting: bool = False,
    ) -> Diagnostic:
        place = place_of(name, path)
        message = f"'{key}' has no option '{name}'"
        names = sorted(verb.fields, key=lambda field: field in Action.fields)
        options = f"options of '{key}': {', '.join(names)}"
        if name in _keys_inside(verb.main):
            return _belongs_inside(name, key, verb, path)
        if waiting:
            # Nobody has said yet what the verb is about, and this stands right below it.
            options = f"if it belongs to '{key}:', indent it by two spaces more"
        near = nearest_words(name, list(verb.fields))
        if near and not apart:
            message += ask_whether(name, near)
            return problem("T22", message, place, options, fixes=replace_with(near, is_told=True))
        if name == "coins":
            options = "it counts beside what has a price;  chronicle migrate  takes it out"
        owners = [f"'{other}'" for other, kind in self.verbs.items() if name in kind.fields]
        if owners:
            known = listed(owners) if len(owners) < 5 else listed([*owners[:4], "others"])
            return problem("T22", f"{message}; it belongs to {known}", place, options)
        near = nearest_words(name, list(self.verbs))
        if near:
            message += ask_whether(name, near)
            fixes = replace_with(near, is_told=True)
            return problem(
                "T22", message, place, "an entry of its own starts with '- '", fixes=fixes
            )
        return problem("T22", message, place, options)


def _read_as(verb: Word, meant: str, path: str) -> Diagnostic:
    return problem(
        "T21",
        f"no verb '{verb}'; did you mean '{meant}'?{strange(verb)}",
        place_of(verb, path),
        f"write  - {meant}: ...",
        fixes=replace_with([meant], is_told=True),
    )


def _telling(text: str) -> Fix:
    """The fix that makes a narration of words that are no entry."""
    return make_fix(ReplaceEntry(f"tell: {quoted(text)}"), when="to tell what happens")


def _second_dash(items: Items, path: str) -> Place:
    """Where the dash of a list inside the list of entries stands, with the space after it."""
    return Place(path, items.line, items.column, items[0].line, items[0].column)


def _keys_inside(field: Field | None) -> set[str]:
    """The keys that a mapping as this value may have."""
    if field is None:
        return set()
    todo, keys = [field.kind.schema()], set[str]()
    while todo:
        schema = todo.pop()
        keys.update(schema.get("properties", ()))
        todo += [schema["items"]] if isinstance(schema.get("items"), dict) else []
    return keys


def _belongs_inside(name: Word, key: Word, verb: type[Action], path: str) -> Diagnostic:
    return problem(
        "T22",
        f"'{name}' belongs inside what '{key}' says, within its braces",
        place_of(name, path),
        *_like(verb),
    )


def _stands_alone(key: Word, value: Value, path: str) -> Diagnostic:
    fixes = []
    if isinstance(value, Word) and value.line == value.end_line == key.line:
        after = Place(path, key.line, key.end_column + 1, value.line, value.end_column)
        row = f"\n{' ' * (key.column - 1)}text: {quoted(value)}"
        fixes = [make_fix(ReplaceText(row, after), when="to keep the words")]
    return problem(
        "T20",
        f"'{key}' takes no value; found {shown(value)}",
        place_of(value, path),
        fixes=fixes,
    )


def first_sentence(verb: type[Action]) -> str:
    """What a verb is for, as it says first of itself."""
    return re.split(r"(?<=[.!?]) ", " ".join((verb.__doc__ or "").split()), maxsplit=1)[0]


def _shared(word: str, verb: type[Action]) -> int:
    """How much of a word or two a verb says of itself: in its names twice as much as in what it is for."""
    words = _stems(word) - _SMALL
    named = _stems(" ".join((verb.verb, *verb.also)))
    return 2 * len(words & named) + len(words & _stems(first_sentence(verb)))


def _stems(text: str) -> set[str]:
    return {_stem(one) for one in re.findall(r"\w+", text.casefold()) if len(one) > 2}


def _stem(word: str) -> str:
    """A word without the endings that verbs and plurals have in English."""
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) > 2:
            return word.removesuffix(ending)
    return word


def _like(verb: type[Action]) -> list[str]:
    """How an entry of a verb is written; not what may come after it."""
    lead, rows = "for example  ", verb.specimen()
    own = [*rows[:1], *takewhile(lambda row: row.startswith(" "), rows[1:])]
    return [f"{' ' * len(lead) if n else lead}{row}" for n, row in enumerate(own)]


def _misread(error: Misread, name: Word, path: str, verb: type[Action] | None = None) -> Diagnostic:
    value = error.value
    empty = isinstance(value, Word) and not value
    help = error.help
    fixes = _instead(error, name, path)
    if isinstance(value, Word) and verb is not None and not help and not fixes:
        # One of the words that another option of the entry takes?
        for field in verb.fields.values():
            if value.casefold() in field.kind.schema().get("enum", ()):
                gone: list[Edit] = [] if name == verb.verb else [RemoveKey(str(name))]
                fixes = (make_fix(*gone, SetKey(field.name, str(value))),)
    form = []
    if (
        verb is not None
        and name == verb.verb
        and not isinstance(value, Word)
        and not (help or fixes)
    ):
        # What has not even the shape that the verb takes is told by an example.
        form = _like(verb)
    found = problem(
        error.code,
        error.message,
        place_of(name if empty else value, path),
        help,
        *form,
        fixes=fixes,
    )
    found.guessed = error.guessed
    return found


def _instead(error: Misread, name: Word, path: str) -> tuple[Fix, ...]:
    """The fixes that write something else in place of a value that cannot be read: another word, or, where
    it is no word or becomes none, the text of a value."""
    value, texts = error.value, error.instead
    if not isinstance(value, Word):
        return tuple(make_fix(SetKey(str(name), text)) for text in texts)
    if any(text[:1] in "[{|" for text in texts):
        return tuple(make_fix(ReplaceText(text, place_of(value, path))) for text in texts)
    return replace_with(texts, place_of(value, path), is_told=error.is_told)


def read_part(part: type[P], value: Entries, path: str, found: Problems) -> P | None:
    """A mapping read into a :class:`Part` key by key: every mistake is reported, the rest stands.

    None when a required key is missing or cannot be read.
    """
    made = part()
    made.source = value
    amended: list[Misread] = []
    context = Context(lambda items: [], amended)
    whole = True
    for key, inner in value.items():
        field = part.fields.get(key)
        if field is None:
            near = nearest_words(key, list(part.fields))
            known = "" if near else f"possible keys: {', '.join(part.fields)}"
            message = f"no key '{key}' here{ask_whether(key, near)}"
            fixes = replace_with(near, is_told=True)
            found.tell("T22", message, place_of(key, path), known, fixes=fixes)
            meant = key_meant(key, value, part.fields)
            if not meant:
                continue
            made.source = made.source.renamed(key, meant)
            field = part.fields[meant]
        try:
            setattr(made, field.attribute, field.kind.read(inner, context))
        except Misread as error:
            found.append(_misread(error, key, path))
            whole = whole and not field.required
        found.extend(_misread(error, key, path) for error in amended)
        amended.clear()
    start = place_of(value, path)._replace(end_line=value.line, end_column=value.column + 1)
    for field in part.fields.values():
        if field.required and field.name not in made.source:
            found.tell("T23", f"'{field.name}' is missing: {field.doc}", start)
            whole = False
    return made if whole else None
