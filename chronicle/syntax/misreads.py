"""The problems of values that are not of the kind that their key takes."""

from __future__ import annotations

import re
from itertools import takewhile

from chronicle.core.declare import Action
from chronicle.core.diagnostic import Diagnostic
from chronicle.core.field_types import UNRECORDED, Context, FieldType
from chronicle.core.fix import Edit, Fix, RemoveKey, ReplaceText, SetKey, make_fix, replace_with
from chronicle.core.misread import Misread
from chronicle.core.source import MappingNode, ScalarNode, SequenceNode, Value, place_of
from chronicle.syntax.examples import PLACEHOLDER, value_examples
from chronicle.syntax.kinds import json_types_of
from chronicle.syntax.problems import problem
from chronicle.syntax.reader import read_text
from chronicle.syntax.yaml_traps import CAPITALISED

_NAME_AND_REST = re.compile(rf"(?P<name>{CAPITALISED}):? +(?P<rest>(?![^\W\d_a-z])\S.*)")
"""A pair without its colon: a name, whose words have capitals, and what belongs to it."""


def example_of(verb: type[Action]) -> list[str]:
    """An example entry of a verb, without the entries after it."""
    label, rows = "for example  ", verb.specimen()
    example_rows = [*rows[:1], *takewhile(lambda row: row.startswith(" "), rows[1:])]
    return [
        f"{' ' * len(label) if index else label}{row}" for index, row in enumerate(example_rows)
    ]


def misread_problem(
    error: Misread,
    name: ScalarNode,
    path: str,
    verb: type[Action] | None = None,
    whole: Value | None = None,
) -> Diagnostic:
    """The problem of a value that is not read.

    Args:
        error: what the value should be.
        name: the key with the value.
        path: the file.
        verb: the verb of the entry; None in the settings.
        whole: the value of the key, of which the value that is not read may be a part.
    """
    value = error.value
    is_empty = isinstance(value, ScalarNode) and not value
    help_text = error.help
    fixes = _replacement_fixes(error, name, path)
    if isinstance(value, ScalarNode) and verb is not None and not help_text and not fixes:
        # The value may belong to another option of the entry.
        for field in verb.fields.values():
            if value.casefold() in field.kind.schema().get("enum", ()):
                removal_edits: list[Edit] = [] if name == verb.verb else [RemoveKey(str(name))]
                fixes = (make_fix(*removal_edits, SetKey(field.name, str(value))),)
    example_lines = []
    if (
        verb is not None
        and name == verb.verb
        and not isinstance(value, ScalarNode)
        and not (help_text or fixes)
    ):
        # The value has the wrong shape: an example helps most.
        example_lines = example_of(verb)
    elif verb is not None and value is whole and value and not isinstance(value, MappingNode):
        help_text, fixes = _pairs_instead(value, name, path, verb, help_text, fixes)
    diagnostic = problem(
        error.code,
        error.message_about(name if value is whole else ""),
        place_of(name if is_empty else value, path),
        help_text,
        *example_lines,
        fixes=fixes,
    )
    diagnostic.is_guessed = error.is_guessed
    return diagnostic


def _replacement_fixes(error: Misread, name: ScalarNode, path: str) -> tuple[Fix, ...]:
    """The fixes that write something else in place of a value that cannot be read: another word, or, where
    it is no word or becomes none, the text of a value."""
    value, replacements = error.value, error.replacements
    if not isinstance(value, ScalarNode):
        return tuple(make_fix(SetKey(str(name), text)) for text in replacements)
    if any(text[:1] in "[{|" for text in replacements):
        return tuple(make_fix(ReplaceText(text, place_of(value, path))) for text in replacements)
    return replace_with(replacements, place_of(value, path), is_told=error.is_told)


def _pairs_instead(
    value: ScalarNode | SequenceNode,
    name: ScalarNode,
    path: str,
    verb: type[Action],
    help_text: str,
    fixes: tuple[Fix, ...],
) -> tuple[str, tuple[Fix, ...]]:
    """The help and the fixes for a text or a list where names are paired with something: the pairs that
    were meant, or else an example, with ``unrecorded`` for a table that has nothing to pair. Other values
    keep theirs."""
    field = verb.main if name == verb.verb else verb.fields.get(name)
    takes_pairs = field is not None and "object" in json_types_of(field.kind.schema())
    if field is None or not takes_pairs or any(fix.is_told for fix in fixes):
        return help_text, fixes
    pairs = _paired(value, field.kind) if isinstance(value, ScalarNode) else ""
    if pairs:
        return "", (make_fix(ReplaceText(pairs, place_of(value, path))),)
    examples = [
        text
        for text in value_examples(verb, field)
        if text.startswith("{") and PLACEHOLDER not in text
    ]
    if not examples or not all(map(_writes_unrecorded, fixes)):
        return help_text, fixes
    are_of_somebody = (
        isinstance(value, ScalarNode) and value[:1].isdigit() and field.kind.has_names()
    )
    words = "say whose it is, as in" if are_of_somebody else "write it as in"
    return f"{words}  {name}: {examples[0]}", tuple(
        fix._replace(when="if nobody wrote it down") for fix in fixes
    )


def _writes_unrecorded(fix: Fix) -> bool:
    return any(getattr(edit, "text", "") == UNRECORDED for edit in fix.edits)


def _paired(value: ScalarNode, kind: FieldType[object]) -> str:
    """``Falcon driving, Otter locks`` as a mapping; empty if it is none, or if the kind takes no such mapping."""
    matches = [_NAME_AND_REST.fullmatch(part.strip()) for part in value.split(",")]
    if not all(matches):
        return ""
    text = ", ".join(f"{match['name']}: {match['rest']}" for match in matches if match)
    parsed = read_text(f"{{{text}}}", path="")
    if parsed.tree is None or any(problem.severity > 2 for problem in parsed.problems):
        return ""
    try:
        kind.read(parsed.tree, Context(lambda items: []))
    except Misread as error:
        if error.value is parsed.tree:
            return ""
    return f"{{{text}}}"
