"""Rewrite help texts and fixes for a line of the desk: ``check`` writes them in the form of the file.

``add  at: {new: the place}  to the scene, or  - location: ...  while framing`` becomes "add `at: new: the
place` to the scene, or `location ...` while framing"."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any, Final

from chronicle.core.diagnostic import Diagnostic
from chronicle.core.shared_verbs import Gap
from chronicle.words import word

_PAIR: Final = re.compile(
    r"(?P<dash>- )?(?P<name>[a-z]+(?: [a-z]+)*):(?P<value>(?: .*)?)", re.DOTALL
)
_APART: Final = re.compile(r" {2,}")
_BRACKETS: Final = {"{": "}", "[": "]"}


def hints_of(problem: Diagnostic, verbs: Collection[str]) -> list[str]:
    """The help of a problem as the desk shows it. In the help of fixes each entry has its dash; in free help
    the name of a verb is enough."""
    return [
        one_line_help(line, verbs if line in problem.free_help else ()) for line in problem.help
    ]


def one_line_help(help: str, verbs: Collection[str]) -> str:
    """A help text without YAML syntax; text to type is in backticks. Two spaces divide text to type from
    words, and ``/`` divides the lines of an entry."""
    parts: list[str] = []
    typed: list[str] = []
    for part in [*_APART.split(help.strip()), ""]:
        pair = _PAIR.fullmatch(part)
        entry = pair is not None and (bool(pair["dash"]) or (pair["name"] in verbs and not typed))
        if pair is not None and (entry or pair["value"]):
            if entry and typed:
                parts.append(_code(typed))
            value = _unclosed(pair["value"].strip())
            typed.append(f"{pair['name']} {value}".strip() if entry else f"{pair['name']}: {value}")
        elif part != "/" or not typed:
            parts += [_code(typed)] if typed else []
            parts += [part] if part else []
            typed.clear()
    return re.sub(r" ([,;)])", r"\1", " ".join(parts))


def row(written: str) -> str:
    """A row of a file as the desk shows it."""
    indent = len(written) - len(written.lstrip())
    pair = _PAIR.fullmatch(written.strip())
    if pair is None:
        return written
    value = _unclosed(pair["value"].strip())
    line = f"{pair['name']} {value}".strip() if pair["dash"] else f"{pair['name']}: {value}"
    return f"{written[:indent]}{line}"


def _code(typed: list[str]) -> str:
    code = ", ".join(typed)
    typed.clear()
    return code if "`" in code else f"`{code}`"


def _unclosed(value: str) -> str:
    """A value without brackets around all of it."""
    if not value or _BRACKETS.get(value[0]) != value[-1]:
        return value
    depth = 0
    for index, sign in enumerate(value):
        depth += (sign in "{[") - (sign in "}]")
        if not depth and index < len(value) - 1:
            return value
    return value[1:-1]


def fix_for_desk(fix: dict[str, Any]) -> dict[str, Any]:
    """A fix; ``said`` is its title without the marks of a file, ``takes`` and ``gives``
    are the rows that go and come."""
    inserts = fix["title"][0] == "Insert "
    dash = "- " if inserts else ""
    title = [
        span
        if isinstance(span, str) or not span.get("code")
        else {**span, "t": row(dash + span["t"])}
        for span in fix["title"]
    ]
    if inserts:
        # A desk shows where the entry goes.
        _, entry, *where = title
        is_gap = entry["t"].split()[0] == Gap.verb
        added = (
            [word("server.gap_is_marked")]
            if is_gap
            else [word("server.add_lead"), " ", {"t": entry["t"], "strong": True}]
        )
        title = added + [each for each in where if each != " above"]
    rows = {
        name: [row(each) for edit in fix["edits"] for each in edit[kind].splitlines() if each]
        for name, kind in (("takes", "old"), ("gives", "new"))
    }
    return fix | {"said": title, **rows}
