"""Read JSON from untrusted sources."""

from __future__ import annotations

import re
from itertools import accumulate
from typing import Any, Final

MAX_DEPTH: Final = 40
"""Maximum nesting depth: deeper data could crash a browser."""
_TEXT_OR_BRACKET: Final = r'(?s)"(?:[^"\\]|\\.?)*+"?|[\[{]|[]}]'
"""An unterminated string matches up to the end, so that no character is scanned twice."""


def read_json(json_bytes: bytes) -> Any:
    """Parse a JSON text.

    Raises:
        ValueError: if it is no JSON, or is nested deeper than :data:`MAX_DEPTH`.
    """
    import json

    json_text = json_bytes.decode("utf-8")
    brackets = (
        match[0] for match in re.finditer(_TEXT_OR_BRACKET, json_text) if match[0][0] != '"'
    )
    depths = accumulate(1 if bracket in "[{" else -1 for bracket in brackets)
    if any(depth > MAX_DEPTH for depth in depths):
        raise ValueError("lists and objects lie too deep in each other")
    return json.loads(json_text)
