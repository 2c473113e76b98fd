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
from chronicle.syntax.yaml_traps import CAPITALISED_WORDS

_NAME_AND_REST = re.compile(rf"(?P<name>{CAPITALISED_WORDS}):? +(?P<rest>(?![^\W\d_a-z])\S.*)")
"""A pair without its colon: a name, whose words have capitals, and what belongs to it."""


def example_rows(action_class: type[Action]) -> list[str]:
    """An example entry of a verb, without the entries after it."""
    introduction, specimen_rows = "for example  ", action_class.specimen()
    entry_rows = [
        *specimen_rows[:1],
        *takewhile(lambda row: row.startswith(" "), specimen_rows[1:]),
    ]
    return [
        f"{' ' * len(introduction) if row_index else introduction}{row}"
        for row_index, row in enumerate(entry_rows)
    ]


def misread_problem(
    misread: Misread,
    key: ScalarNode,
    path: str,
    action_class: type[Action] | None = None,
    whole_value: Value | None = None,
) -> Diagnostic:
    """The problem of a value that is not read.

    Args:
        misread: what the value should be.
        key: the key with the value.
        path: the file.
        action_class: the verb of the entry; None in the settings.
        whole_value: the value of the key, of which the value that is not read may be a part.
    """
    invalid_value = misread.value
    is_empty = isinstance(invalid_value, ScalarNode) and not invalid_value
    help_text = misread.help
    fixes = _replacement_fixes(misread, key, path)
    if (
        isinstance(invalid_value, ScalarNode)
        and action_class is not None
        and not help_text
        and not fixes
    ):
        # The value may belong to another option of the entry.
        for field in action_class.fields.values():
            if invalid_value.casefold() in field.kind.schema().get("enum", ()):
                removal_edits: list[Edit] = (
                    [] if key == action_class.verb else [RemoveKey(str(key))]
                )
                fixes = (make_fix(*removal_edits, SetKey(field.name, str(invalid_value))),)
    example_lines = []
    if (
        action_class is not None
        and key == action_class.verb
        and not isinstance(invalid_value, ScalarNode)
        and not (help_text or fixes)
    ):
        # The value has the wrong shape: an example helps most.
        example_lines = example_rows(action_class)
    elif (
        action_class is not None
        and invalid_value is whole_value
        and invalid_value
        and not isinstance(invalid_value, MappingNode)
    ):
        help_text, fixes = _suggest_pairs(invalid_value, key, path, action_class, help_text, fixes)
    diagnostic = problem(
        misread.code,
        misread.message_about(key if invalid_value is whole_value else ""),
        place_of(key if is_empty else invalid_value, path),
        help_text,
        *example_lines,
        fixes=fixes,
    )
    diagnostic.is_guessed = misread.is_guessed
    return diagnostic


def _replacement_fixes(misread: Misread, key: ScalarNode, path: str) -> tuple[Fix, ...]:
    """The fixes that write something else in place of a value that cannot be read: another word, or, where
    it is no word or becomes none, the text of a value."""
    invalid_value, replacements = misread.value, misread.replacements
    if not isinstance(invalid_value, ScalarNode):
        return tuple(make_fix(SetKey(str(key), replacement)) for replacement in replacements)
    if any(replacement[:1] in "[{|" for replacement in replacements):
        return tuple(
            make_fix(ReplaceText(replacement, place_of(invalid_value, path)))
            for replacement in replacements
        )
    return replace_with(replacements, place_of(invalid_value, path), is_told=misread.is_told)


def _suggest_pairs(
    invalid_value: ScalarNode | SequenceNode,
    key: ScalarNode,
    path: str,
    action_class: type[Action],
    help_text: str,
    fixes: tuple[Fix, ...],
) -> tuple[str, tuple[Fix, ...]]:
    """The help and the fixes for a text or a list where names are paired with something: the pairs that
    were meant, or else an example, with ``unrecorded`` for a table that has nothing to pair. Other values
    keep theirs."""
    field = action_class.main if key == action_class.verb else action_class.fields.get(key)
    takes_pairs = field is not None and "object" in json_types_of(field.kind.schema())
    if field is None or not takes_pairs or any(fix.is_told for fix in fixes):
        return help_text, fixes
    mapping_text = (
        _mapping_text_of(invalid_value, field.kind) if isinstance(invalid_value, ScalarNode) else ""
    )
    if mapping_text:
        return "", (make_fix(ReplaceText(mapping_text, place_of(invalid_value, path))),)
    examples = [
        example
        for example in value_examples(action_class, field)
        if example.startswith("{") and PLACEHOLDER not in example
    ]
    if not examples or not all(map(_writes_unrecorded, fixes)):
        return help_text, fixes
    lacks_names = (
        isinstance(invalid_value, ScalarNode)
        and invalid_value[:1].isdigit()
        and field.kind.has_names()
    )
    advice = "say whose it is, as in" if lacks_names else "write it as in"
    return f"{advice}  {key}: {examples[0]}", tuple(
        fix._replace(when="if nobody wrote it down") for fix in fixes
    )


def _writes_unrecorded(fix: Fix) -> bool:
    return any(getattr(edit, "text", "") == UNRECORDED for edit in fix.edits)


def _mapping_text_of(invalid_value: ScalarNode, field_type: FieldType[object]) -> str:
    """``Falcon driving, Otter locks`` as a mapping; empty if it is none, or if the kind takes no such mapping."""
    pair_matches = [
        _NAME_AND_REST.fullmatch(pair_text.strip()) for pair_text in invalid_value.split(",")
    ]
    if not all(pair_matches):
        return ""
    pairs_text = ", ".join(
        f"{pair_match['name']}: {pair_match['rest']}" for pair_match in pair_matches if pair_match
    )
    parsed = read_text(f"{{{pairs_text}}}", path="")
    if parsed.tree is None or any(problem.severity > 2 for problem in parsed.problems):
        return ""
    try:
        field_type.read(parsed.tree, Context(lambda items: []))
    except Misread as error:
        if error.value is parsed.tree:
            return ""
    return f"{{{pairs_text}}}"
