"""JSON that somebody else may have written."""

from __future__ import annotations

import re
from itertools import accumulate
from typing import Any, Final

MOST_DEEP: Final = 40
"""How deep lists and objects may lie in each other: what has no end there would end a browser."""
_TEXT_OR_BRACKET: Final = r'(?s)"(?:[^"\\]|\\.?)*+"?|[\[{]|[]}]'
"""A text that does not end goes on to the end: so no letter is looked at twice."""


def read_json(data: bytes) -> Any:
    """What a JSON text says.

    Raises:
        ValueError: when it is none, or one that lies deeper in itself than :data:`MOST_DEEP`.
    """
    import json

    text = data.decode("utf-8")
    brackets = (match[0] for match in re.finditer(_TEXT_OR_BRACKET, text) if match[0][0] != '"')
    depths = accumulate(1 if bracket in "[{" else -1 for bracket in brackets)
    if any(depth > MOST_DEEP for depth in depths):
        raise ValueError("lists and objects lie too deep in each other")
    return json.loads(text)
