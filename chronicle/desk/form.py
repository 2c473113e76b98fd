"""All that can be said with a verb, key by key, for whoever would rather fill in than type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from chronicle.core.declare import Action
from chronicle.desk.typed import Misspoken, take_apart

BESIDE: Final = frozenset({"text", "note"})
"""Keys that have a place of their own beside the line."""


def form(verbs: Mapping[str, type[Action]], said: str) -> dict[str, Any]:
    """The keys of the verb that a line begins with, what must be there first and what every entry may say
    last, each with what the line already says.

    Raises:
        Misspoken: when it begins with no verb.
    """
    line = take_apart(said, verbs)
    if line is None:
        raise Misspoken("begin with a verb: then there is something to fill in")
    verb = line.verb
    typed = {part.key: part.text.strip() for part in line.parts}
    main = [(verb.verb, verb.main, True)] if verb.main is not None else []
    rest = [(name, field, False) for name, field in verb.fields.items() if name not in BESIDE]
    keys = [*main, *sorted(rest, key=lambda one: (one[0] in Action.fields, not one[1].required))]
    return {
        "verb": verb.verb,
        "doc": " ".join((verb.__doc__ or "").split()),
        "example": verb.example,
        "keys": [
            {
                "name": name,
                "main": first,
                "own": first or name not in Action.fields,
                "doc": field.doc,
                "required": field.required,
                "value": typed.get(name, ""),
            }
            for name, field, first in keys
        ],
    }
