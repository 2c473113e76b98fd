"""Decode nodes into typed actions, by the verbs of a rulebook."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import takewhile
from typing import Any, Final, TypeVar

from chronicle.core.declare import Action, Field, Part, key_meant
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
from chronicle.core.kinds import TEXT, Context, Misread, bare, shown
from chronicle.core.source import (
    MappingNode,
    Place,
    ScalarNode,
    SequenceNode,
    Value,
    place_of,
    scalars,
)
from chronicle.syntax.problems import Problems, problem
from chronicle.syntax.yaml_traps import quoted

P = TypeVar("P", bound=Part)


MOST_ENTRIES: Final = 100_000
"""Maximum number of entries of one list that are read."""

_SMALL: Final = frozenset({"a", "an", "for", "of", "the", "their", "to"})
"""Words that do not distinguish verbs."""


class Decoder:
    """Decodes entries into the actions of one game. One decoder serves a whole campaign; it stores nothing
    about files.

    ``others`` are verbs of other games, for messages: {verb: title of the game}. With ``prune``, lists and
    entries keep only the parts that were decoded."""

    def __init__(
        self,
        verbs: Mapping[str, type[Action]],
        foreign_verbs: Mapping[str, str] | None = None,
        *,
        prune: bool = False,
    ) -> None:
        self._prune = prune
        self.verbs = verbs
        self.foreign_verbs: Mapping[str, str] = foreign_verbs if foreign_verbs is not None else {}
        self._names = frozenset(verbs)

    def entries(
        self,
        items: SequenceNode,
        path: str,
        session: int,
        problems: Problems,
        reading: Iterable[Diagnostic] = (),
    ) -> list[Action]:
        """Decode a list of entries; problems are added to ``problems``.

        ``reading`` are the problems the reader found in the file: further problems on the same line are
        attached to them."""
        if len(items) > MOST_ENTRIES:
            first_unread = place_of(items[MOST_ENTRIES], path)
            problems.tell(
                "T5",
                f"more than {MOST_ENTRIES:,} entries in one list; the rest is not read",
                first_unread._replace(
                    end_line=first_unread.line, end_column=first_unread.column + 1
                ),
                "split the log into several sessions",
            )
            items = SequenceNode(items[:MOST_ENTRIES])
        by_line = {
            earlier.place.line: earlier
            for earlier in reading
            if earlier.finding is Finding.UNREADABLE
        }

        def nested(inner: SequenceNode) -> list[Any]:
            return self.entries(inner, path, session, problems, by_line.values())

        amended: list[Misread] = []
        context = Context(nested, amended)
        actions: list[Action] = []
        for value in items:
            problem_count = len(problems)
            action = self._entry(value, path, session, context, problems)
            new_problems = problems[problem_count:]
            if by_line:
                for finding in new_problems:
                    cause = by_line.get(finding.place.line)
                    if cause is not None and finding.cause is None:
                        finding.cause = cause
                        cause.dependents.append(finding)
            if action is None:
                for finding in new_problems:
                    finding.dropped = tuple(map(str, scalars(value)))
                continue
            if new_problems:
                action.problem = new_problems[0].cause or new_problems[0]
            elif by_line:
                lines = range(value.line, value.end_line + 1)
                action.problem = next((by_line[line] for line in lines if line in by_line), None)
            actions.append(action)
        if self._prune:
            items[:] = [action.source for action in actions]
        return actions

    def _entry(
        self, value: Value, path: str, session: int, context: Context, problems: Problems
    ) -> Action | None:
        if not isinstance(value, MappingNode):
            problems.append(self._not_an_entry(value, path))
            return None
        key, verb_problems = self._verb_of(value, path)
        strange = None if key is next(iter(value), None) else self._strange_verb(value, key)
        if strange is not None:
            fits = partial(self._fits, value, strange, path)
            intended = one_meant(strange, self.verbs, fits, SUGGESTED)
            if intended and self._may_mean(strange, intended):
                problems.append(_read_as(strange, intended, path))
                value = value.renamed(strange, intended)
                return self._entry(value, path, session, context, problems)
        if key is None or (strange is not None and self._foreign(value, key)):
            problems.append(self._no_verb(value, path))
            return None
        if verb_problems:
            problems.extend(verb_problems)
        verb = self.verbs[key]
        fields, needed = verb.readers, verb.needed
        action = verb()
        action.source = value
        action.key = key
        action.path = path
        action.session = session
        action.step = 0
        is_complete = True
        unread_keys: list[ScalarNode] = []
        empty: set[str] = set()
        for name, inner in value.items():
            reader = fields.get(name)
            if reader is None:
                if name is not key:
                    unread_keys.append(name)
                if name is key:
                    if not (isinstance(inner, ScalarNode) and not inner):
                        problems.append(_stands_alone(key, inner, path))
                    continue
                if name in self._names:
                    continue
                is_other_verb = self._looks_like_a_verb(name, verb)
                lacks_value = verb.main is not None and not value[key] and name.column == key.column
                problems.append(
                    self._no_option(
                        name, key, verb, path, is_other_verb=is_other_verb, lacks_value=lacks_value
                    )
                )
                intended = "" if is_other_verb else key_meant(name, value, verb.fields)
                if not intended:
                    continue
                unread_keys.remove(name)
                action.source = action.source.renamed(name, intended)
                reader = fields[intended]
            if (
                isinstance(inner, ScalarNode)
                and not inner.strip()
                and _is_absent(verb, name, inner)
            ):
                if name is not key:
                    empty.add(name)
                elif verb.main is not None and verb.main.required:
                    message = f"'{name}' needs a value: {verb.main.doc}"
                    problems.tell("T23", message, place_of(name, path), *_example_of(verb))
                    is_complete = False
                continue
            attribute, read = reader
            try:
                setattr(action, attribute, read(inner, context))
            except Misread as error:
                problems.append(_misread(error, name, path, verb))
                unread_keys.append(name)
                if name is key or verb.fields[name].required:
                    is_complete = False
            if context.amended:
                problems.extend(_misread(error, name, path, verb) for error in context.amended)
                context.amended.clear()
        for field in needed:
            if field.name not in action.source or field.name in empty:
                message = f"'{key}' needs '{field.name}': {field.doc}"
                problems.tell("T23", message, place_of(key, path), *_example_of(verb))
                is_complete = False
        if self._prune and unread_keys:
            action.source = action.source.without(unread_keys)
        return action if is_complete else None

    def _verb_of(
        self, value: MappingNode, path: str
    ) -> tuple[ScalarNode | None, Sequence[Diagnostic]]:
        """The key that is the verb, and its problems. If a word is both a verb and an option of the other
        verb, it is the option."""
        names = [name for name in value if name in self._names]
        if len(names) < 2:
            return (names[0] if names else None), ()
        problems = Problems()
        key: ScalarNode | None = None
        for name in names:
            if key is None:
                key = name
            elif name in self.verbs[key].fields:
                continue
            elif key in self.verbs[name].fields:
                key = name
            elif name in _keys_inside(self.verbs[key].main):
                problems.append(_belongs_inside(name, key, self.verbs[key], path))
            else:
                problems.tell(
                    "T24",
                    f"two verbs in one entry: '{key}' and '{name}'",
                    place_of(name, path),
                    f"start an entry of its own:  - {name}: ...",
                    facts=(Fact(f"'{key}' stands here", place_of(key, path)),),
                )
        return key, problems

    def _strange_verb(self, value: MappingNode, key: ScalarNode | None) -> ScalarNode | None:
        """The word at the usual place of the verb that is neither a verb nor an option."""
        first = next(iter(value), None)
        if first is None or first in self._names:
            return None
        if key is not None:
            return None if first in self.verbs[key].readers else first
        return next((name for name in value if name not in Action.fields), first)

    def _foreign(self, value: MappingNode, key: ScalarNode) -> bool:
        """Whether the apparent verb of an entry is an option of an unknown verb: more than one key does not
        fit it."""
        fields = self.verbs[key].readers
        return sum(name not in fields for name in value) > 1

    def _fits(self, value: MappingNode, strange: ScalarNode, path: str, verb: str) -> bool:
        """Whether an entry can be decoded without problems if a word is replaced by that verb."""
        problems = Problems()
        trial = self if not self._prune else Decoder(self.verbs, self.foreign_verbs)
        context = Context(lambda items: trial.entries(items, path, 0, problems))
        return (
            bool(trial._entry(value.renamed(strange, verb), path, 0, context, problems))
            and not problems
        )

    def _not_an_entry(self, value: Value, path: str) -> Diagnostic:
        place = place_of(value, path)
        if not isinstance(value, ScalarNode):
            return problem(
                "T25",
                "an entry is one mapping; here a list stands in the list",
                place,
                "one dash is enough",
                fixes=[make_fix(ReplaceText("", _second_dash(value, path)), is_told=True)]
                if isinstance(value, SequenceNode) and len(value) == 1
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
        head, full_width_colon, remainder = text.partition("：")
        if full_width_colon and head in self.verbs:
            return problem(
                "T17",
                f"the colon after '{head}' is a full-width one",
                place,
                "write an ordinary colon and a space",
                fixes=[make_fix(ReplaceEntry(f"{head}: {remainder.strip()}"), safe=True)],
            )
        head, colon, remainder = text.partition(":")
        if colon and remainder and head in self.verbs and not value.style:
            return problem(
                "T17",
                f"a space is missing after '{head}:'",
                place,
                fixes=[make_fix(ReplaceEntry(f"{head}: {remainder.strip()}"), safe=True)],
            )
        for verb in sorted(self.verbs, key=len, reverse=True):
            if text == verb or text.startswith(verb + " "):
                remainder = text[len(verb) :].strip()
                return problem(
                    "T25",
                    f"a colon is missing after '{verb}'",
                    place,
                    fixes=[make_fix(ReplaceEntry(f"{verb}: {remainder}".strip()), safe=True)],
                )
        related_verb = self._verb_also_called(text)
        tell_fixes = [] if related_verb or "tell" not in self.verbs else [_telling(text)]
        message = f"this entry has no verb: {shown(value)}"
        return problem(
            "T25",
            message,
            place,
            *(_example_of(related_verb) if related_verb else ()),
            fixes=tell_fixes,
        )

    def _verb_also_called(self, text: str) -> type[Action] | None:
        """The only verb that lists the text as a synonym, or None."""
        verbs = self._verbs_also_called(text)
        return verbs[0] if len(verbs) == 1 else None

    def _no_verb(self, value: MappingNode, path: str) -> Diagnostic:
        if not value:
            return problem("T25", "this entry is an empty mapping", place_of(value, path))
        first = next(iter(value))
        similar = nearest_words(first, list(self.verbs))
        if similar and self._may_mean(first, similar[0]):
            return problem(
                "T21",
                f"no verb '{first}'{ask_whether(first, similar)}",
                place_of(first, path),
                f"write  - {similar[0]}: ...",
                fixes=replace_with(similar, is_told=True),
            )
        for name in value:
            if name in self.foreign_verbs:
                return problem(
                    "T21",
                    f"'{name}' is a verb of {self.foreign_verbs[name]}, not of this game",
                    place_of(name, path),
                    *self._verb_help(name),
                    fixes=self._verbs_for(name),
                )
        place = place_of(first, path)
        joined_verb, colon, joined_value = first.partition(":")
        if colon and joined_value and joined_verb in self.verbs:
            return problem(
                "T17",
                f"a space is missing after '{joined_verb}:'",
                place,
                fixes=[make_fix(ReplaceText(f"{joined_verb}: {joined_value}"), safe=True)],
            )
        inner = value[first]
        sentence = " " in first and (first[0].isupper() or not self._related_verbs(first))
        if sentence and len(value) == 1 and isinstance(inner, ScalarNode) and "tell" in self.verbs:
            fix = _telling(f"{first}: {inner}".strip())
            return problem("T21", f"no verb '{first}'", place, fixes=[fix])
        fixes = self._verbs_for(first)
        return problem("T21", f"no verb '{first}'", place, *self._verb_help(first), fixes=fixes)

    def _verbs_for(self, word: str) -> tuple[Fix, ...]:
        """The fixes that write one of the few verbs that are about a word in its place; the help of
        :meth:`_verb_help` names these verbs."""
        return replace_with([verb.verb for verb in self._related_verbs(word)], is_told=True)

    def _verbs_also_called(self, word: str) -> list[type[Action]]:
        """The verbs that list the word as a synonym, ignoring small words."""
        words = word.casefold().split()
        spellings = {word.casefold(), " ".join(part for part in words if part not in _SMALL)}
        verbs = [verb for verb in self.verbs.values() if not spellings.isdisjoint(verb.also)]
        return [verb for verb in verbs if not verb.optional] or verbs

    def _may_mean(self, word: str, verb: str) -> bool:
        """Whether a word is possibly a misspelt verb: not if it is a synonym of other verbs only."""
        synonyms_of = self._verbs_also_called(word)
        return not synonyms_of or self.verbs[verb] in synonyms_of

    def _related_verbs(self, word: str) -> list[type[Action]]:
        """Up to three verbs that a word or two may mean; none if there are more."""
        verbs = self._verbs_also_called(word)
        if not verbs:
            shared = {verb: _shared(word, verb) for verb in self.verbs.values()}
            highest = max(shared.values())
            verbs = [verb for verb, words in shared.items() if highest and words == highest]
        return verbs if len(verbs) < 4 else []

    def _verb_help(self, word: str) -> list[str]:
        """Help that names the verbs related to a word; else where to find all verbs."""
        related = self._related_verbs(word)
        if self._verbs_also_called(word) and len(related) == 1:
            return [f"'{related[0].verb}' is there for this:", *_example_of(related[0])]
        if related:
            return [f"'{verb.verb}' is there for this: {first_sentence(verb)}" for verb in related]
        first_verbs = [verb.verb for verb in self.verbs.values() if not verb.optional][:12]
        return [f"verbs are {', '.join(first_verbs)} ...;  chronicle reference  lists them all"]

    def _looks_like_a_verb(self, name: ScalarNode, verb: type[Action]) -> bool:
        """Whether an unknown key is more similar to a verb (of an entry without its dash) than to any
        option, or similar to a verb that hides something and must not be read as anything else."""
        intended = one_meant(name, {**verb.fields, **self.verbs}, minimum=SUGGESTED)
        hiding_verbs = (
            name_of_verb for name_of_verb, kind in self.verbs.items() if kind.hides is not None
        )
        return bool(intended and intended not in verb.fields) or any(
            one_meant(name, (hiding_verb,), minimum=SUGGESTED) for hiding_verb in hiding_verbs
        )

    def _no_option(
        self,
        name: ScalarNode,
        key: ScalarNode,
        verb: type[Action],
        path: str,
        *,
        is_other_verb: bool,
        lacks_value: bool = False,
    ) -> Diagnostic:
        place = place_of(name, path)
        message = f"'{key}' has no option '{name}'"
        names = sorted(verb.fields, key=lambda field: field in Action.fields)
        options = f"options of '{key}': {', '.join(names)}"
        if name in _keys_inside(verb.main):
            return _belongs_inside(name, key, verb, path)
        if lacks_value:
            # The verb has no value yet, and this key is right below it.
            options = f"if it belongs to '{key}:', indent it by two spaces more"
        similar = nearest_words(name, list(verb.fields))
        if similar and not is_other_verb:
            message += ask_whether(name, similar)
            return problem(
                "T22", message, place, options, fixes=replace_with(similar, is_told=True)
            )
        if name == "coins":
            options = "it counts beside what has a price;  chronicle migrate  takes it out"
        owners = [f"'{owner}'" for owner, kind in self.verbs.items() if name in kind.fields]
        if owners:
            owner_list = listed(owners) if len(owners) < 5 else listed([*owners[:4], "others"])
            return problem("T22", f"{message}; it belongs to {owner_list}", place, options)
        similar = nearest_words(name, list(self.verbs))
        if similar:
            message += ask_whether(name, similar)
            fixes = replace_with(similar, is_told=True)
            return problem(
                "T22", message, place, "an entry of its own starts with '- '", fixes=fixes
            )
        return problem("T22", message, place, options)


def _read_as(verb: ScalarNode, intended: str, path: str) -> Diagnostic:
    return problem(
        "T21",
        f"no verb '{verb}'; did you mean '{intended}'?{strange(verb)}",
        place_of(verb, path),
        f"write  - {intended}: ...",
        fixes=replace_with([intended], is_told=True),
    )


def _telling(text: str) -> Fix:
    """The fix that makes a narration of words that are no entry."""
    return make_fix(ReplaceEntry(f"tell: {quoted(text)}"), when="to tell what happens")


def _second_dash(items: SequenceNode, path: str) -> Place:
    """The position of the dash of a list inside the list of entries, with the space after it."""
    return Place(path, items.line, items.column, items[0].line, items[0].column)


def _keys_inside(field: Field | None) -> set[str]:
    """The keys of a mapping that the field accepts."""
    if field is None:
        return set()
    todo, keys = [field.kind.schema()], set[str]()
    while todo:
        schema = todo.pop()
        keys.update(schema.get("properties", ()))
        todo += [schema["items"]] if isinstance(schema.get("items"), dict) else []
    return keys


def _belongs_inside(name: ScalarNode, key: ScalarNode, verb: type[Action], path: str) -> Diagnostic:
    return problem(
        "T22",
        f"'{name}' belongs inside what '{key}' says, within its braces",
        place_of(name, path),
        *_example_of(verb),
    )


def _stands_alone(key: ScalarNode, value: Value, path: str) -> Diagnostic:
    fixes = []
    if isinstance(value, ScalarNode) and value.line == value.end_line == key.line:
        value_span = Place(path, key.line, key.end_column + 1, value.line, value.end_column)
        row = f"\n{' ' * (key.column - 1)}text: {quoted(value)}"
        fixes = [make_fix(ReplaceText(row, value_span), when="to keep the words")]
    return problem(
        "T20",
        f"'{key}' takes no value; found {shown(value)}",
        place_of(value, path),
        fixes=fixes,
    )


def first_sentence(verb: type[Action]) -> str:
    """The first sentence of a verb's description."""
    return re.split(r"(?<=[.!?]) ", " ".join((verb.__doc__ or "").split()), maxsplit=1)[0]


def _shared(word: str, verb: type[Action]) -> int:
    """The number of stems that a word or two shares with a verb; those in its names count twice."""
    words = _stems(word) - _SMALL
    name_stems = _stems(" ".join((verb.verb, *verb.also)))
    return 2 * len(words & name_stems) + len(words & _stems(first_sentence(verb)))


def _stems(text: str) -> set[str]:
    return {_stem(word) for word in re.findall(r"\w+", text.casefold()) if len(word) > 2}


def _stem(word: str) -> str:
    """A word without English endings of verbs and plurals."""
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) > 2:
            return word.removesuffix(ending)
    return word


def _is_absent(verb: type[Action], name: ScalarNode, value: ScalarNode) -> bool:
    """Whether an empty value counts as if its key were not there: nothing typed after the verb, or an empty text in
    quotes where a text belongs."""
    main = verb.main
    if main is not None and name == main.name:
        return not value.style or bare(main.kind) is TEXT
    field = verb.fields.get(name)
    return bool(value.style) and field is not None and bare(field.kind) is TEXT


def _example_of(verb: type[Action]) -> list[str]:
    """An example entry of a verb, without the entries after it."""
    label, rows = "for example  ", verb.specimen()
    example_rows = [*rows[:1], *takewhile(lambda row: row.startswith(" "), rows[1:])]
    return [
        f"{' ' * len(label) if index else label}{row}" for index, row in enumerate(example_rows)
    ]


def _misread(
    error: Misread, name: ScalarNode, path: str, verb: type[Action] | None = None
) -> Diagnostic:
    value = error.value
    empty = isinstance(value, ScalarNode) and not value
    help = error.help
    fixes = _replacement_fixes(error, name, path)
    if isinstance(value, ScalarNode) and verb is not None and not help and not fixes:
        # The value may belong to another option of the entry.
        for field in verb.fields.values():
            if value.casefold() in field.kind.schema().get("enum", ()):
                removals: list[Edit] = [] if name == verb.verb else [RemoveKey(str(name))]
                fixes = (make_fix(*removals, SetKey(field.name, str(value))),)
    example_lines = []
    if (
        verb is not None
        and name == verb.verb
        and not isinstance(value, ScalarNode)
        and not (help or fixes)
    ):
        # The value has the wrong shape: an example helps most.
        example_lines = _example_of(verb)
    diagnostic = problem(
        error.code,
        error.message,
        place_of(name if empty else value, path),
        help,
        *example_lines,
        fixes=fixes,
    )
    diagnostic.guessed = error.guessed
    return diagnostic


def _replacement_fixes(error: Misread, name: ScalarNode, path: str) -> tuple[Fix, ...]:
    """The fixes that write something else in place of a value that cannot be read: another word, or, where
    it is no word or becomes none, the text of a value."""
    value, texts = error.value, error.instead
    if not isinstance(value, ScalarNode):
        return tuple(make_fix(SetKey(str(name), text)) for text in texts)
    if any(text[:1] in "[{|" for text in texts):
        return tuple(make_fix(ReplaceText(text, place_of(value, path))) for text in texts)
    return replace_with(texts, place_of(value, path), is_told=error.is_told)


def read_part(part: type[P], value: MappingNode, path: str, problems: Problems) -> P | None:
    """Decode a mapping into a :class:`Part`, key by key: every mistake is reported, the rest is kept.

    Returns:
        The part; None if a required key is missing or cannot be read.
    """
    result = part()
    result.source = value
    amended: list[Misread] = []
    context = Context(lambda items: [], amended)
    is_complete = True
    for key, inner in value.items():
        field = part.fields.get(key)
        if field is None:
            similar = nearest_words(key, list(part.fields))
            key_help = "" if similar else f"possible keys: {', '.join(part.fields)}"
            message = f"no key '{key}' here{ask_whether(key, similar)}"
            fixes = replace_with(similar, is_told=True)
            problems.tell("T22", message, place_of(key, path), key_help, fixes=fixes)
            intended = key_meant(key, value, part.fields)
            if not intended:
                continue
            result.source = result.source.renamed(key, intended)
            field = part.fields[intended]
        try:
            setattr(result, field.attribute, field.kind.read(inner, context))
        except Misread as error:
            problems.append(_misread(error, key, path))
            is_complete = is_complete and not field.required
        problems.extend(_misread(error, key, path) for error in amended)
        amended.clear()
    start = place_of(value, path)._replace(end_line=value.line, end_column=value.column + 1)
    for field in part.fields.values():
        if field.required and field.name not in result.source:
            problems.tell("T23", f"'{field.name}' is missing: {field.doc}", start)
            is_complete = False
    return result if is_complete else None
