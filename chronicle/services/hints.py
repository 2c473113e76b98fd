"""Rewrite help texts and fixes for a line of the desk: ``check`` writes them in the form of the file.

``add  at: {new: the place}  to the scene, or  - location: ...  while framing`` becomes "add `at: new: the
place` to the scene, or `location ...` while framing"."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Any, Final

from chronicle.core.diagnostic import Diagnostic
from chronicle.core.field_types import UNRECORDED
from chronicle.core.fix import BLANK
from chronicle.core.shared_verbs import Gap
from chronicle.syntax.find import SETTINGS_FILE
from chronicle.words import word

_PAIR_PATTERN: Final = re.compile(
    r"(?P<dash>- )?(?P<name>[a-z]+(?: [a-z]+)*):(?P<value>(?: .*)?)", re.DOTALL
)
_OPEN_KEY: Final = re.compile(rf"(?:or )?(?:write|add)  ([a-z]+(?: [a-z]+)*): {re.escape(BLANK)}")
"""The help of a fix that gives a key a value which it cannot know."""
_MAPPING: Final = re.compile(r"\{[^`]*\}")
_NAMED_PAIR: Final = re.compile(r"([^{}\[\],]+: )\{([^{}\[\],]+)\}")
"""A name with one pair, which needs no brackets in a line: ``Heron: {Zora: tailor}``."""
_TWO_SPACES: Final = re.compile(r" {2,}")
IN_SETTINGS: Final = word("server.in_settings")
TO_SETTINGS: Final = word("server.to_settings")
_BRACKETS: Final = {"{": "}", "[": "]"}


def hints_of(problem: Diagnostic, verbs: Collection[str]) -> list[str]:
    """The help of a problem as the desk shows it. In the help of fixes each entry has its dash; in free help
    the name of a verb is enough. Each line stands alone, since the desk shows a fix as a button instead."""
    return [
        word("server.write_after_field", field=open_match[1])
        if (open_match := _OPEN_KEY.fullmatch(line))
        else one_line_help(line, verbs if line in problem.free_help else ()).removeprefix("or ")
        for line in problem.help
    ]


def one_line_help(help_text: str, verbs: Collection[str]) -> str:
    """A help text without YAML syntax; text to type is in backticks. Two spaces divide text to type from
    words, and ``/`` divides the lines of an entry."""
    help_parts: list[str] = []
    typed_parts: list[str] = []
    for part in [*_TWO_SPACES.split(help_text.strip()), ""]:
        pair_match = _PAIR_PATTERN.fullmatch(part)
        is_entry = pair_match is not None and (
            bool(pair_match["dash"]) or (pair_match["name"] in verbs and not typed_parts)
        )
        if pair_match is not None and (is_entry or pair_match["value"]):
            if is_entry and typed_parts:
                help_parts.append(_as_code(typed_parts))
            value = _without_brackets(pair_match["value"].strip())
            if named_pair_match := _NAMED_PAIR.fullmatch(value):
                value = named_pair_match[1] + named_pair_match[2]
            typed_parts.append(
                f"{pair_match['name']} {value}".strip()
                if is_entry
                else f"{pair_match['name']}: {value}"
            )
        elif part != "/" or not typed_parts:
            help_parts += [_as_code(typed_parts)] if typed_parts else []
            # The name of a key has its colon in a file alone.
            part = f"`{part[:-1]}`" if pair_match is not None and help_parts else part
            part = _MAPPING.sub(
                lambda mapping_match: f"`{_without_all_brackets(mapping_match[0])}`", part
            )
            help_parts += [part] if part else []
            typed_parts.clear()
    return re.sub(r" ([,;)])", r"\1", " ".join(help_parts))


def row_for_desk(file_row: str) -> str:
    """A row of a file as the desk shows it."""
    indent = len(file_row) - len(file_row.lstrip())
    pair_match = _PAIR_PATTERN.fullmatch(file_row.strip())
    if pair_match is None:
        return file_row
    value = _without_brackets(pair_match["value"].strip())
    line = (
        f"{pair_match['name']} {value}".strip()
        if pair_match["dash"]
        else f"{pair_match['name']}: {value}"
    )
    return f"{file_row[:indent]}{line}"


def _as_code(typed_parts: list[str]) -> str:
    code_text = ", ".join(typed_parts)
    typed_parts.clear()
    return code_text if "`" in code_text else f"`{code_text}`"


def _without_brackets(yaml_value: str) -> str:
    """A value without brackets around all of it."""
    if not yaml_value or _BRACKETS.get(yaml_value[0]) != yaml_value[-1]:
        return yaml_value
    bracket_depth = 0
    for index, sign in enumerate(yaml_value):
        bracket_depth += (sign in "{[") - (sign in "}]")
        if not bracket_depth and index < len(yaml_value) - 1:
            return yaml_value
    return yaml_value[1:-1]


def _without_all_brackets(yaml_value: str) -> str:
    """A value as a line takes it: ``Heron: Zora: tailor`` for ``{Heron: {Zora: tailor}}``."""
    inner_value = _without_brackets(yaml_value)
    name, colon, value = inner_value.partition(": ")
    if colon and inner_value != yaml_value and "{" not in name:
        return f"{name}{colon}{_without_all_brackets(value)}"
    return inner_value


def _without_marks(text: str) -> str:
    """A piece of a file without the brackets around values and the colon that ends a key."""
    text = _without_brackets(text.strip().removesuffix(":"))
    name, colon, value = text.partition(": ")
    return f"{name}{colon}{_without_brackets(value)}"


def title_in_words(title: Iterable[str | dict[str, Any]]) -> str:
    """The title of a fix as plain words."""
    return "".join(span if isinstance(span, str) else span["t"] for span in title)


def fix_for_desk(fix: dict[str, Any]) -> dict[str, Any]:
    """A fix; ``said`` is its title without the marks of a file, ``takes`` and ``gives``
    are the rows that go and come."""
    is_insertion = fix["title"][0] == "Insert "
    dash = "- " if is_insertion else ""
    title: list[Any] = [
        span.replace(f"in {SETTINGS_FILE}", IN_SETTINGS).replace(f"to {SETTINGS_FILE}", TO_SETTINGS)
        if isinstance(span, str)
        else {**span, "t": _without_marks(row_for_desk(dash + span["t"]))}
        if span.get("code")
        else span
        for span in fix["title"]
    ]
    if is_insertion:
        # A desk shows where the entry goes.
        _, entry, *where_spans = title
        is_gap = entry["t"].split()[0] == Gap.verb
        added_spans = (
            [word("server.gap_is_marked")]
            if is_gap
            else [word("server.add_lead"), " ", {"t": entry["t"], "strong": True}]
        )
        title = added_spans + [span for span in where_spans if span != " above"]
    match title:
        case ["Write", " ", {"t": text}] if text == UNRECORDED:
            title = [word("server.nobody_noted_it")]
        case ["Write", " ", {"t": text}] if pair_match := _PAIR_PATTERN.fullmatch(text):
            value = pair_match["value"].strip()
            message_key = "server.nobody_noted_field" if value == UNRECORDED else "server.set_to"
            title = [word(message_key, field=pair_match["name"], value=value)]
    rows_by_data_key = {
        data_key: [
            row_for_desk(row) for edit in fix["edits"] for row in edit[edit_key].splitlines() if row
        ]
        for data_key, edit_key in (("takes", "old"), ("gives", "new"))
    }
    return fix | {"said": title, **rows_by_data_key}
