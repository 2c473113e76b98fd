"""Help as a table reads it: what check writes as it stands in a file is told here as the one line takes it.

``add  at: {new: the place}  to the scene, or  - location: ...  while framing`` becomes
"add `at: new: the place` to the scene, or `location ...` while framing".
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

_PAIR: Final = re.compile(
    r"(?P<dash>- )?(?P<name>[a-z]+(?: [a-z]+)*):(?P<value>(?: .*)?)", re.DOTALL
)
_APART: Final = re.compile(r" {2,}")
_OR: Final = re.compile(r"(?:^|,? )(or|and)\Z")
_BRACKETS: Final = {"{": "}", "[": "]"}


def spoken(help: str, verbs: Collection[str]) -> str:
    """A help without the marks of a file; what is to be typed stands between backticks."""
    found: list[str] = []
    typed: list[str] = []
    for part in [*_APART.split(help.strip()), ""]:
        pair = _PAIR.fullmatch(part)
        after = found[-1].rpartition(" ")[2] if found and not typed else ""
        entry = pair is not None and (
            bool(pair["dash"]) or (pair["name"] in verbs and not typed and after != "add")
        )
        if pair is not None and (entry or pair["value"]):
            if entry and typed:
                found.append(_code(typed))
            value = pair["value"].strip()
            more = _OR.search(value)
            value = _open(value[: more.start()] if more else value)
            typed.append(f"{pair['name']} {value}".strip() if entry else f"{pair['name']}: {value}")
            if more:
                found += [_code(typed), more[1]]
        elif part != "/" or not typed:
            found += [_code(typed)] if typed else []
            found += [part] if part else []
            typed.clear()
    return re.sub(r" ([,;)])", r"\1", " ".join(found))


def row(written: str) -> str:
    """A row of a file as the line takes it."""
    lead = len(written) - len(written.lstrip())
    pair = _PAIR.fullmatch(written.strip())
    if pair is None:
        return written
    value = _open(pair["value"].strip())
    said = f"{pair['name']} {value}".strip() if pair["dash"] else f"{pair['name']}: {value}"
    return f"{written[:lead]}{said}"


def _code(typed: list[str]) -> str:
    said = ", ".join(typed)
    typed.clear()
    return said if "`" in said else f"`{said}`"


def _open(value: str) -> str:
    """A value without the brackets around all of it."""
    if not value or _BRACKETS.get(value[0]) != value[-1]:
        return value
    depth = 0
    for at, sign in enumerate(value):
        depth += (sign in "{[") - (sign in "}]")
        if not depth and at < len(value) - 1:
            return value
    return value[1:-1]
