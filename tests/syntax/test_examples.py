"""Every value that may be a mapping or a list is shown by an example that can be read."""

from __future__ import annotations

import pytest

from chronicle.core.field_types import Context, FieldType
from chronicle.core.shared_verbs import COMMON_VERBS
from chronicle.games import GAMES, rulebook
from chronicle.syntax.examples import value_examples
from chronicle.syntax.kinds import json_types_of
from chronicle.syntax.reader import read_text


def accepted_types(kind: FieldType[object]) -> set[str]:
    """Whether a kind takes a mapping, or else a list, where it says what it takes. (Beside a mapping,
    dice may stand in a list as well as in a row.)"""
    types = json_types_of(kind.schema()) if "type" in kind.schema() else set()
    return types & {"object"} or types & {"array"}


@pytest.mark.parametrize("game", GAMES)
def test_each_shape_is_shown_and_can_be_read(game: str) -> None:
    read = 0
    for verb in rulebook(game).by_verb.values():
        for key in (*([verb.main] if verb.main else []), *verb.fields.values()):
            examples = value_examples(verb, key)
            shown = {
                "object" if example[0] == "{" else "array"
                for example in examples
                if example[0] in "{["
            }
            assert accepted_types(key.kind) <= shown, f"{verb.verb}, {key.name}: {examples}"
            for example in examples:
                tree = read_text(example, "").tree
                assert tree is not None
                key.kind.read(tree, Context(lambda entries: [*entries]))
                read += 1
    assert read > len(COMMON_VERBS)
