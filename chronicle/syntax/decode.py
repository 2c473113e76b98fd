"""Decode nodes into typed actions, by the verbs of a rulebook."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeVar

from chronicle.core.declare import Action, Field, Part, likely_key
from chronicle.core.diagnostic import (
    MIN_SUGGESTION_SIMILARITY,
    Diagnostic,
    DiagnosticKind,
    Fact,
    ask_whether,
    foreign_letter_remark,
    listed,
    most_likely_word,
    nearest_words,
)
from chronicle.core.field_types import TEXT, Context, roleless
from chronicle.core.fix import (
    Fix,
    RemoveEntry,
    ReplaceEntry,
    ReplaceText,
    ReplaceWord,
    make_fix,
    replace_with,
)
from chronicle.core.misread import Misread, shown
from chronicle.core.shared_verbs import COMMON_VERBS
from chronicle.core.source import (
    MappingNode,
    Place,
    ScalarNode,
    SequenceNode,
    Value,
    place_of,
    scalars,
)
from chronicle.syntax.misreads import example_rows, misread_problem
from chronicle.syntax.problems import Problems, problem
from chronicle.syntax.verb_stems import SMALL_WORDS, first_sentence, shared_stem_score
from chronicle.syntax.yaml_traps import quote_text

PartType = TypeVar("PartType", bound=Part)


MOST_ENTRIES: Final = 100_000
"""Maximum number of entries of one list that are read."""


MIN_COMMON_VERB_SIMILARITY: Final = 0.75
"""How similar a verb of every game has to be, and a verb where a key is expected: ``steal`` is no misspelt ``sealed``,
and ``skill`` in an entry no ``skip``."""


class Decoder:
    """Decodes entries into the actions of one game. One decoder serves a whole campaign; it stores nothing
    about files.

    ``foreign_verbs`` are verbs of other games, for messages: {verb: title of the game}. With ``drops_unread``,
    lists and entries keep only the parts that were decoded."""

    def __init__(
        self,
        verbs: Mapping[str, type[Action]],
        foreign_verbs: Mapping[str, str] | None = None,
        *,
        drops_unread: bool = False,
    ) -> None:
        self._drops_unread = drops_unread
        self.verbs = verbs
        self.foreign_verbs: Mapping[str, str] = foreign_verbs if foreign_verbs is not None else {}
        self._verb_names = frozenset(verbs)

    def decode_entries(
        self,
        entry_nodes: SequenceNode,
        path: str,
        session_number: int,
        problems: Problems,
        reader_problems: Iterable[Diagnostic] = (),
    ) -> list[Action]:
        """Decode a list of entries; problems are added to ``problems``.

        ``reader_problems`` are the problems the reader found in the file: further problems on the same line are
        attached to them."""
        if len(entry_nodes) > MOST_ENTRIES:
            first_unread_place = place_of(entry_nodes[MOST_ENTRIES], path)
            problems.tell(
                "T5",
                f"more than {MOST_ENTRIES:,} entries in one list; the rest is not read",
                first_unread_place._replace(
                    end_line=first_unread_place.line, end_column=first_unread_place.column + 1
                ),
                "split the log into several sessions",
            )
            entry_nodes = SequenceNode(entry_nodes[:MOST_ENTRIES])
        problem_by_line = {
            reader_problem.place.line: reader_problem
            for reader_problem in reader_problems
            if reader_problem.kind is DiagnosticKind.UNREADABLE
        }

        def decode_nested(nested_nodes: SequenceNode) -> list[Any]:
            return self.decode_entries(
                nested_nodes, path, session_number, problems, problem_by_line.values()
            )

        amended_misreads: list[Misread] = []
        context = Context(decode_nested, amended_misreads)
        actions: list[Action] = []
        for node in entry_nodes:
            problem_count = len(problems)
            action = self._decode_entry(node, path, session_number, context, problems)
            new_problems = problems[problem_count:]
            if problem_by_line:
                for diagnostic in new_problems:
                    cause = problem_by_line.get(diagnostic.place.line)
                    if cause is not None and diagnostic.cause is None:
                        diagnostic.cause = cause
                        cause.dependents.append(diagnostic)
            if action is None:
                for diagnostic in new_problems:
                    diagnostic.dropped_words = tuple(map(str, scalars(node)))
                continue
            if new_problems:
                action.problem = new_problems[0].cause or new_problems[0]
            elif problem_by_line:
                entry_lines = range(node.line, node.end_line + 1)
                action.problem = next(
                    (problem_by_line[line] for line in entry_lines if line in problem_by_line), None
                )
            actions.append(action)
        if self._drops_unread:
            entry_nodes[:] = [action.source for action in actions]
        return actions

    def _decode_entry(
        self, entry: Value, path: str, session_number: int, context: Context, problems: Problems
    ) -> Action | None:
        if not isinstance(entry, MappingNode):
            problems.append(self._non_entry_problem(entry, path))
            return None
        verb_key, verb_problems = self._find_verb(entry, path)
        strange_key = (
            None
            if verb_key is next(iter(entry), None)
            else self._find_strange_verb(entry, verb_key)
        )
        if strange_key is not None:
            is_readable_with = partial(self._is_readable_with, entry, strange_key, path)
            intended_word = most_likely_word(
                strange_key, self.verbs, is_readable_with, MIN_SUGGESTION_SIMILARITY
            )
            if intended_word and self._may_mean(strange_key, intended_word):
                problems.append(_misspelt_verb_problem(strange_key, intended_word, path))
                entry = entry.renamed(strange_key, intended_word)
                return self._decode_entry(entry, path, session_number, context, problems)
        if verb_key is None or (
            strange_key is not None and self._has_foreign_verb(entry, verb_key)
        ):
            problems.append(self._missing_verb_problem(entry, path))
            return None
        if verb_problems:
            problems.extend(verb_problems)
        action_class = self.verbs[verb_key]
        flat_keys = self._keys_without_indent(entry, verb_key, action_class)
        if flat_keys:
            message = f"'{verb_key}' has no key '{flat_keys[0]}'"
            lines_text = "it" if len(flat_keys) == 1 else f"these {len(flat_keys)} lines"
            help_text = f"if it belongs to '{verb_key}:', indent {lines_text} by two spaces more"
            problems.tell("T22", message, place_of(flat_keys[0], path), help_text)
            return None
        field_readers, required_fields = action_class.field_readers, action_class.required_fields
        action = action_class()
        action.source = entry
        action.key = verb_key
        action.path = path
        action.session = session_number
        action.step_number = 0
        is_complete = True
        unread_keys: list[ScalarNode] = []
        empty_keys: set[str] = set()
        for key, value in entry.items():
            attribute_and_reader = field_readers.get(key)
            if attribute_and_reader is None:
                if key is not verb_key:
                    unread_keys.append(key)
                if key is verb_key:
                    if not (isinstance(value, ScalarNode) and not value):
                        problems.append(_needless_value_problem(verb_key, value, path))
                    continue
                if key in self._verb_names:
                    continue
                is_verb = self._looks_like_a_verb(key, action_class)
                lacks_value = (
                    action_class.main is not None
                    and not entry[verb_key]
                    and key.column == verb_key.column
                )
                problems.append(
                    self._unknown_option_problem(
                        key,
                        verb_key,
                        action_class,
                        path,
                        is_verb=is_verb,
                        lacks_value=lacks_value,
                    )
                )
                intended_word = "" if is_verb else likely_key(key, entry, action_class.fields)
                if not intended_word:
                    continue
                unread_keys.remove(key)
                action.source = action.source.renamed(key, intended_word)
                attribute_and_reader = field_readers[intended_word]
            if (
                isinstance(value, ScalarNode)
                and not value.strip()
                and _counts_as_missing(action_class, key, value)
            ):
                if key is not verb_key:
                    empty_keys.add(key)
                elif action_class.main is not None and action_class.main.required:
                    message = f"'{key}' needs a value: {action_class.main.doc}"
                    problems.tell("T23", message, place_of(key, path), *example_rows(action_class))
                    is_complete = False
                continue
            attribute, read_value = attribute_and_reader
            try:
                setattr(action, attribute, read_value(value, context))
            except Misread as error:
                problems.append(misread_problem(error, key, path, action_class, value))
                unread_keys.append(key)
                if key is verb_key or action_class.fields[key].required:
                    is_complete = False
            if context.corrections:
                problems.extend(
                    misread_problem(error, key, path, action_class, value)
                    for error in context.corrections
                )
                context.corrections.clear()
        for field in required_fields:
            if field.name not in action.source or field.name in empty_keys:
                message = f"'{verb_key}' needs '{field.name}': {field.doc}"
                problems.tell("T23", message, place_of(verb_key, path), *example_rows(action_class))
                is_complete = False
        if self._drops_unread and unread_keys:
            action.source = action.source.without(unread_keys)
        return action if is_complete else None

    def _keys_without_indent(
        self, entry: MappingNode, verb_key: ScalarNode, action_class: type[Action]
    ) -> list[ScalarNode]:
        """The unknown keys right below a verb that lacks its value, if one of them is like no option: they are the
        value, and lack their indentation."""
        if action_class.main is None or not action_class.main.required or entry[verb_key]:
            return []
        unknown_keys = [
            key
            for key in entry
            if key.column == verb_key.column
            and key not in action_class.field_readers
            and key not in self._verb_names
        ]
        is_value = any(
            not nearest_words(key, [*action_class.fields, *self.verbs]) for key in unknown_keys
        )
        return unknown_keys if is_value else []

    def _find_verb(
        self, entry: MappingNode, path: str
    ) -> tuple[ScalarNode | None, Sequence[Diagnostic]]:
        """The key that is the verb, and its problems. If a word is both a verb and an option of the other
        verb, it is the option."""
        verb_keys = [other_key for other_key in entry if other_key in self._verb_names]
        if len(verb_keys) < 2:
            return (verb_keys[0] if verb_keys else None), ()
        problems = Problems()
        verb_key: ScalarNode | None = None
        for other_key in verb_keys:
            if verb_key is None:
                verb_key = other_key
            elif other_key in self.verbs[verb_key].fields:
                continue
            elif verb_key in self.verbs[other_key].fields:
                verb_key = other_key
            elif other_key in _keys_inside_value(self.verbs[verb_key].main):
                problems.append(_outer_key_problem(other_key, verb_key, self.verbs[verb_key], path))
            else:
                similar_keys = nearest_words(other_key, list(self.verbs[verb_key].fields), limit=1)
                problems.tell(
                    "T24",
                    f"two verbs in one entry: '{verb_key}' and '{other_key}'",
                    place_of(other_key, path),
                    f"start an entry of its own:  - {other_key}: ...",
                    fixes=[
                        make_fix(
                            ReplaceWord(key), safe=False, when=f"if it belongs to '{verb_key}'"
                        )
                        for key in similar_keys
                    ],
                    facts=(Fact(f"'{verb_key}' stands here", place_of(verb_key, path)),),
                )
        return verb_key, problems

    def _find_strange_verb(
        self, entry: MappingNode, verb_key: ScalarNode | None
    ) -> ScalarNode | None:
        """The word at the usual place of the verb that is neither a verb nor an option."""
        first_key = next(iter(entry), None)
        if first_key is None or first_key in self._verb_names:
            return None
        if verb_key is not None:
            return None if first_key in self.verbs[verb_key].field_readers else first_key
        return next((key for key in entry if key not in Action.fields), first_key)

    def _has_foreign_verb(self, entry: MappingNode, verb_key: ScalarNode) -> bool:
        """Whether the apparent verb of an entry is an option of an unknown verb: more than one key does not
        fit it."""
        field_readers = self.verbs[verb_key].field_readers
        return sum(key not in field_readers for key in entry) > 1

    def _is_readable_with(
        self, entry: MappingNode, strange_word: ScalarNode, path: str, verb_name: str
    ) -> bool:
        """Whether an entry can be decoded without problems if a word is replaced by that verb."""
        problems = Problems()
        trial_decoder = self if not self._drops_unread else Decoder(self.verbs, self.foreign_verbs)
        context = Context(lambda items: trial_decoder.decode_entries(items, path, 0, problems))
        return (
            bool(
                trial_decoder._decode_entry(
                    entry.renamed(strange_word, verb_name), path, 0, context, problems
                )
            )
            and not problems
        )

    def _non_entry_problem(self, node: Value, path: str) -> Diagnostic:
        place = place_of(node, path)
        if not isinstance(node, ScalarNode):
            return problem(
                "T25",
                "an entry is one mapping; here a list stands in the list",
                place,
                "one dash is enough",
                fixes=[make_fix(ReplaceText("", _second_dash_place(node, path)), is_told=True)]
                if isinstance(node, SequenceNode) and len(node) == 1
                else (),
            )
        if not node and not node.style:
            return problem(
                "T25",
                "nothing follows this dash",
                place._replace(column=max(place.column - 1, 1)),
                "or write an entry here",
                fixes=[make_fix(RemoveEntry())],
            )
        text = " ".join(node.split())
        before_colon, full_width_colon, after_colon = text.partition("：")
        if full_width_colon and before_colon in self.verbs:
            return problem(
                "T17",
                f"the colon after '{before_colon}' is a full-width one",
                place,
                "write an ordinary colon and a space",
                fixes=[make_fix(ReplaceEntry(f"{before_colon}: {after_colon.strip()}"), safe=True)],
            )
        before_colon, colon, after_colon = text.partition(":")
        if colon and after_colon and before_colon in self.verbs and not node.style:
            return problem(
                "T17",
                f"a space is missing after '{before_colon}:'",
                place,
                fixes=[make_fix(ReplaceEntry(f"{before_colon}: {after_colon.strip()}"), safe=True)],
            )
        for verb_name in sorted(self.verbs, key=len, reverse=True):
            if text == verb_name or text.startswith(verb_name + " "):
                after_colon = text[len(verb_name) :].strip()
                return problem(
                    "T25",
                    f"a colon is missing after '{verb_name}'",
                    place,
                    fixes=[
                        make_fix(ReplaceEntry(f"{verb_name}: {after_colon}".strip()), safe=True)
                    ],
                )
        related_verb = self._only_verb_with_synonym(text)
        tell_fixes = [] if related_verb or "tell" not in self.verbs else [_fix_with_tell(text)]
        message = f"this entry has no verb: {shown(node)}"
        return problem(
            "T25",
            message,
            place,
            *(example_rows(related_verb) if related_verb else ()),
            fixes=tell_fixes,
        )

    def _only_verb_with_synonym(self, synonym: str) -> type[Action] | None:
        """The only verb that lists the text as a synonym, or None."""
        action_classes = self._verbs_with_synonym(synonym)
        return action_classes[0] if len(action_classes) == 1 else None

    def _missing_verb_problem(self, entry: MappingNode, path: str) -> Diagnostic:
        if not entry:
            return problem("T25", "this entry is an empty mapping", place_of(entry, path))
        first_key = next(iter(entry))
        similar_verbs = self._similar_verbs(first_key)
        if similar_verbs and self._may_mean(first_key, similar_verbs[0]):
            return problem(
                "T21",
                f"no verb '{first_key}'{ask_whether(first_key, similar_verbs)}",
                place_of(first_key, path),
                fixes=replace_with(similar_verbs, is_told=True),
            )
        for key in entry:
            if key in self.foreign_verbs:
                return problem(
                    "T21",
                    f"'{key}' is a verb of {self.foreign_verbs[key]}, not of this game",
                    place_of(key, path),
                    *self._verb_help(key),
                    f"if you play {self.foreign_verbs[key]}, change  game:  in campaign.yaml",
                    fixes=self._verb_fixes(key),
                )
        place = place_of(first_key, path)
        before_colon, colon, after_colon = first_key.partition(":")
        if colon and after_colon and before_colon in self.verbs:
            return problem(
                "T17",
                f"a space is missing after '{before_colon}:'",
                place,
                fixes=[make_fix(ReplaceText(f"{before_colon}: {after_colon}"), safe=True)],
            )
        first_value = entry[first_key]
        is_sentence = " " in first_key and (
            first_key[0].isupper() or not self._related_verbs(first_key)
        )
        if (
            is_sentence
            and len(entry) == 1
            and isinstance(first_value, ScalarNode)
            and "tell" in self.verbs
        ):
            tell_fix = _fix_with_tell(f"{first_key}: {first_value}".strip())
            return problem("T21", f"no verb '{first_key}'", place, fixes=[tell_fix])
        fixes = self._verb_fixes(first_key)
        return problem(
            "T21", f"no verb '{first_key}'", place, *self._verb_help(first_key), fixes=fixes
        )

    def _similar_verbs(self, word: str) -> list[str]:
        """The verbs that a word may be a misspelling of; those of every game have to be more similar."""
        similar_verbs = nearest_words(word, list(self.verbs))
        nearest_verbs = nearest_words(
            word, similar_verbs, min_similarity=MIN_COMMON_VERB_SIMILARITY
        )
        return [
            verb_name
            for verb_name in similar_verbs
            if verb_name in nearest_verbs or self.verbs[verb_name] not in COMMON_VERBS
        ]

    def _verb_fixes(self, word: str) -> tuple[Fix, ...]:
        """The fixes that write one of the few verbs that are about a word in its place; the help of
        :meth:`_verb_help` names these verbs."""
        return replace_with(
            [action_class.verb for action_class in self._related_verbs(word)], is_told=True
        )

    def _verbs_with_synonym(self, word: str) -> list[type[Action]]:
        """The verbs that list the word as a synonym, ignoring small words."""
        typed_words = word.casefold().split()
        typed_spellings = {
            word.casefold(),
            " ".join(typed_word for typed_word in typed_words if typed_word not in SMALL_WORDS),
        }
        action_classes = [
            action_class
            for action_class in self.verbs.values()
            if not typed_spellings.isdisjoint(action_class.synonyms)
        ]
        return [
            action_class for action_class in action_classes if not action_class.optional
        ] or action_classes

    def _may_mean(self, word: str, verb_name: str) -> bool:
        """Whether a word is possibly a misspelt verb: not if it is a synonym of other verbs only."""
        action_classes = self._verbs_with_synonym(word)
        return not action_classes or self.verbs[verb_name] in action_classes

    def _related_verbs(self, word: str) -> list[type[Action]]:
        """Up to three verbs that a word or two may mean; none if there are more."""
        action_classes = self._verbs_with_synonym(word)
        if not action_classes:
            score_by_class = {
                action_class: shared_stem_score(word, action_class)
                for action_class in self.verbs.values()
            }
            highest_score = max(score_by_class.values())
            action_classes = [
                action_class
                for action_class, score in score_by_class.items()
                if highest_score and score == highest_score
            ]
        return action_classes if len(action_classes) < 4 else []

    def _verb_help(self, word: str) -> list[str]:
        """Help that names the verbs related to a word; else where to find all verbs."""
        related_classes = self._related_verbs(word)
        if self._verbs_with_synonym(word) and len(related_classes) == 1:
            return [
                f"'{related_classes[0].verb}' is there for this:",
                *example_rows(related_classes[0]),
            ]
        if related_classes:
            return [
                f"'{action_class.verb}' is there for this: {first_sentence(action_class)}"
                for action_class in related_classes
            ]
        first_verbs = [
            action_class.verb for action_class in self.verbs.values() if not action_class.optional
        ][:12]
        return [f"verbs are {', '.join(first_verbs)} ...;  chronicle reference  lists them all"]

    def _looks_like_a_verb(self, key: ScalarNode, action_class: type[Action]) -> bool:
        """Whether an unknown key is more similar to a verb (of an entry without its dash) than to any
        option, or similar to a verb that hides something and must not be read as anything else."""
        intended_name = most_likely_word(
            key, {**action_class.fields, **self.verbs}, min_similarity=MIN_SUGGESTION_SIMILARITY
        )
        hiding_verb_names = (
            verb_name
            for verb_name, other_class in self.verbs.items()
            if other_class.hides is not None
        )
        return bool(intended_name and intended_name not in action_class.fields) or any(
            most_likely_word(key, (hiding_verb_name,), min_similarity=MIN_SUGGESTION_SIMILARITY)
            for hiding_verb_name in hiding_verb_names
        )

    def _unknown_option_problem(
        self,
        option_key: ScalarNode,
        verb_key: ScalarNode,
        action_class: type[Action],
        path: str,
        *,
        is_verb: bool,
        lacks_value: bool = False,
    ) -> Diagnostic:
        place = place_of(option_key, path)
        message = f"'{verb_key}' has no key '{option_key}'"
        option_names = sorted(action_class.fields, key=lambda field: field in Action.fields)
        help_text = f"keys of '{verb_key}': {', '.join(option_names)}"
        if option_key in _keys_inside_value(action_class.main):
            return _outer_key_problem(option_key, verb_key, action_class, path)
        if lacks_value:
            # The verb has no value yet, and this key is right below it.
            help_text = f"if it belongs to '{verb_key}:', indent it by two spaces more"
        similar_keys = nearest_words(option_key, list(action_class.fields))
        if similar_keys and not is_verb:
            message += ask_whether(option_key, similar_keys)
            return problem(
                "T22", message, place, help_text, fixes=replace_with(similar_keys, is_told=True)
            )
        if option_key == "coins":
            help_text = "it counts beside what has a price;  chronicle migrate  takes it out"
        verb_names = [
            f"'{verb_name}'"
            for verb_name, other_class in self.verbs.items()
            if option_key in other_class.fields
        ]
        if verb_names:
            verbs_text = listed(verb_names if len(verb_names) < 5 else [*verb_names[:4], "others"])
            return problem("T22", f"{message}; it belongs to {verbs_text}", place, help_text)
        similar_keys = nearest_words(
            option_key, list(self.verbs), min_similarity=MIN_COMMON_VERB_SIMILARITY
        )
        if similar_keys:
            message += ask_whether(option_key, similar_keys)
            fixes = replace_with(similar_keys, is_told=True)
            entry_help = "an entry of its own starts with '- '"
            return problem("T22", message, place, entry_help, help_text, fixes=fixes)
        return problem("T22", message, place, help_text)


def _misspelt_verb_problem(verb_key: ScalarNode, intended_verb: str, path: str) -> Diagnostic:
    return problem(
        "T21",
        f"no verb '{verb_key}'; did you mean '{intended_verb}'?{foreign_letter_remark(verb_key)}",
        place_of(verb_key, path),
        fixes=replace_with([intended_verb], is_told=True),
    )


def _fix_with_tell(story_text: str) -> Fix:
    """The fix that makes a narration of words that are no entry."""
    return make_fix(ReplaceEntry(f"tell: {quote_text(story_text)}"), when="to tell what happens")


def _second_dash_place(inner_list: SequenceNode, path: str) -> Place:
    """The position of the dash of a list inside the list of entries, with the space after it."""
    return Place(path, inner_list.line, inner_list.column, inner_list[0].line, inner_list[0].column)


def _keys_inside_value(field: Field | None) -> set[str]:
    """The keys of a mapping that the field accepts."""
    if field is None:
        return set()
    pending_schemas, keys = [field.kind.schema()], set[str]()
    while pending_schemas:
        schema = pending_schemas.pop()
        keys.update(schema.get("properties", ()))
        pending_schemas += [schema["items"]] if isinstance(schema.get("items"), dict) else []
    return keys


def _outer_key_problem(
    outer_key: ScalarNode, verb_key: ScalarNode, action_class: type[Action], path: str
) -> Diagnostic:
    return problem(
        "T22",
        f"'{outer_key}' belongs inside what '{verb_key}' says, within its braces",
        place_of(outer_key, path),
        *example_rows(action_class),
    )


def _needless_value_problem(verb_key: ScalarNode, value: Value, path: str) -> Diagnostic:
    fixes = []
    if isinstance(value, ScalarNode) and value.line == value.end_line == verb_key.line:
        value_span = Place(
            path, verb_key.line, verb_key.end_column + 1, value.line, value.end_column
        )
        text_row = f"\n{' ' * (verb_key.column - 1)}text: {quote_text(value)}"
        fixes = [make_fix(ReplaceText(text_row, value_span), when="to keep the words")]
    return problem(
        "T20",
        f"'{verb_key}' takes no value, not {shown(value)}",
        place_of(value, path),
        fixes=fixes,
    )


def _counts_as_missing(action_class: type[Action], key: ScalarNode, value: ScalarNode) -> bool:
    """Whether an empty value counts as if its key were not there: nothing typed after the verb, or an empty text in
    quotes where a text belongs."""
    main_field = action_class.main
    if main_field is not None and key == main_field.name:
        return not value.style or roleless(main_field.kind) is TEXT
    field = action_class.fields.get(key)
    return bool(value.style) and field is not None and roleless(field.kind) is TEXT


def decode_part(
    part_class: type[PartType], mapping: MappingNode, path: str, problems: Problems
) -> PartType | None:
    """Decode a mapping into a :class:`Part`, key by key: every mistake is reported, the rest is kept.

    Returns:
        The part; None if a required key is missing or cannot be read.
    """
    part = part_class()
    part.source = mapping
    amended_misreads: list[Misread] = []
    context = Context(lambda items: [], amended_misreads)
    is_complete = True
    for key, value_node in mapping.items():
        field = part_class.fields.get(key)
        if field is None:
            similar_keys = nearest_words(key, list(part_class.fields))
            key_help = "" if similar_keys else f"possible keys: {', '.join(part_class.fields)}"
            message = f"no key '{key}' here{ask_whether(key, similar_keys)}"
            fixes = replace_with(similar_keys, is_told=True)
            problems.tell("T22", message, place_of(key, path), key_help, fixes=fixes)
            intended_key = likely_key(key, mapping, part_class.fields)
            if not intended_key:
                continue
            part.source = part.source.renamed(key, intended_key)
            field = part_class.fields[intended_key]
        try:
            setattr(part, field.attribute, field.kind.read(value_node, context))
        except Misread as error:
            problems.append(misread_problem(error, key, path, whole_value=value_node))
            is_complete = is_complete and not field.required
        problems.extend(misread_problem(error, key, path) for error in amended_misreads)
        amended_misreads.clear()
    start_place = place_of(mapping, path)._replace(
        end_line=mapping.line, end_column=mapping.column + 1
    )
    for field in part_class.fields.values():
        if field.required and field.name not in part.source:
            problems.tell("T23", f"'{field.name}' is missing: {field.doc}", start_place)
            is_complete = False
    return part if is_complete else None
