"""Compare two answers of the program field by field, and group differences that are alike."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any, Final, NamedTuple

ABSENT: Final = object()
"""Where one of two answers has no such field."""
MAPS: Final = frozenset(
    {
        ("state",),
        ("state", "*", "figures", "*"),
        ("record", "rules"),
        ("record", "rulings"),
        ("record", "scenes", "*", "marks"),
        ("pages",),
    }
)
"""Mappings whose keys are no fields but names, files or moments. ``*`` stands for one of these, or for any field."""
KEYS: Final = ("number", "id", "account", "unit", "verb", "by", "who", "code", "line", "path")
"""What tells the items of a list apart: two items with the same of these are the same item."""
WIDTH: Final = 400
"""How many characters of a value are shown."""
AROUND: Final = 40
"""How many characters before and after what differs in a longer text."""

_NAME = re.compile(r"(?<!\w)[A-Z][\w'’-]*")
_NUMBER = re.compile(r"\d+")


class Difference(NamedTuple):
    """One field that two answers do not have alike."""

    field: tuple[str, ...]
    """Its path without what names one item of many."""
    place: str
    """Its whole path."""
    older: Any
    newer: Any


def differences(older: Any, newer: Any) -> Iterator[Difference]:
    """Everything that two answers of the program do not have alike, in the order of the answers."""
    return _differences(older, newer, (), "")


def _differences(older: Any, newer: Any, at: tuple[str, ...], place: str) -> Iterator[Difference]:
    # 0 equals False in Python, and is something else in JSON.
    if older is newer or (older == newer and repr(older) == repr(newer)):
        return
    if isinstance(older, dict) and isinstance(newer, dict):
        is_map = any(_matches(at, pattern) for pattern in MAPS)
        for key in dict.fromkeys([*older, *newer]):
            pair = older.get(key, ABSENT), newer.get(key, ABSENT)
            inner = f"{place}[{key}]" if is_map else f"{place}.{key}".lstrip(".")
            yield from _differences(*pair, (*at, "*" if is_map else key), inner)
    elif isinstance(older, list) and isinstance(newer, list):
        for number, removed, added in _aligned(older, newer):
            yield from _differences(removed, added, (*at, "*"), f"{place}[{number}]")
    else:
        yield Difference(at, place, older, newer)


def _matches(path: tuple[str, ...], pattern: tuple[str, ...]) -> bool:
    return len(path) == len(pattern) and all(
        pattern_part in ("*", part) for part, pattern_part in zip(path, pattern, strict=True)
    )


def _aligned(older: list[Any], newer: list[Any]) -> Iterator[tuple[int, Any, Any]]:
    """The items of two lists, each with the one of the other list that is the same item, or with ABSENT; and
    their places, counted from 1."""
    tags = [*map(_tag, older)], [*map(_tag, newer)]
    for kind, i, j, k, m in SequenceMatcher(None, *tags, autojunk=False).get_opcodes():
        removed, added = older[i:j], newer[k:m]
        tagged = any(isinstance(item, dict) and _key(item) for item in (*removed, *added))
        if kind == "replace" and tagged:
            yield from ((i + n, item, ABSENT) for n, item in enumerate(removed, 1))
            yield from ((k + n, ABSENT, item) for n, item in enumerate(added, 1))
            continue
        for n in range(max(j - i, m - k)):
            gone = removed[n] if n < len(removed) else ABSENT
            new = added[n] if n < len(added) else ABSENT
            yield (k if gone is ABSENT else i) + n + 1, gone, new


def _key(item: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(
        (key, item[key]) for key in KEYS if isinstance(item.get(key), str | int) and item[key]
    )


def _tag(item: Any) -> str:
    """What stands for an item of a list while two lists are aligned."""
    key = _key(item) if isinstance(item, dict) else ()
    return repr(key) if key else json.dumps(item, sort_keys=True)


def left_out(difference: Difference, fields: Iterable[Sequence[str]]) -> bool:
    """Whether one of the fields to leave out is this one or holds it. A field is given by a part of its path
    (``message``; ``record.steps.headline``), items of lists left out."""
    path = [part for part in difference.field if part != "*"]
    return any(
        path[at : at + len(parts)] == list(parts)
        for parts in fields
        for at in range(len(path) - len(parts) + 1)
    )


@dataclass(slots=True)
class Group:
    """Differences that are alike: of the same field, and with the same values but for names and numbers."""

    example: Difference
    log: str
    """The log with the example."""
    count: int = 0
    logs: set[str] = field(default_factory=set)


class Report:
    """Differences of many logs, grouped."""

    def __init__(self, *, each: bool = False) -> None:
        self.each = each
        """Whether values that differ in a name or number are different."""
        self.groups: dict[tuple[str, str, str], Group] = {}
        self.compared: Counter[str] = Counter()
        """How many logs of each kind and game were compared."""

    def add(self, log: str, differences: Iterable[Difference]) -> None:
        """Note what differs in one log."""
        for difference in differences:
            older, newer = shown(difference)
            key = (".".join(difference.field), self._likeness(older), self._likeness(newer))
            group = self.groups.setdefault(key, Group(difference, log))
            group.count += 1
            group.logs.add(log)

    def _likeness(self, text: str) -> str:
        return text if self.each else _NUMBER.sub("#", _NAME.sub("@", text))

    def lines(self, most: int) -> Iterator[str]:
        """The report as text: each field with its groups, at most so many of each, the largest first."""
        fields: dict[str, list[Group]] = {}
        for (name, _, _), group in self.groups.items():
            fields.setdefault(name, []).append(group)
        for name, groups in sorted(fields.items()):
            logs = set().union(*(group.logs for group in groups))
            total = sum(group.count for group in groups)
            yield f"{name.replace('.*', '[]')}: {_times(total)} in {_counted(len(logs), 'log')}"
            for group in sorted(groups, key=lambda group: -group.count)[:most]:
                yield f"  {_times(group.count)}; {group.log}: {group.example.place}"
                older, newer = shown(group.example)
                yield f"    before: {_shortened(older)}"
                yield f"    after:  {_shortened(newer)}"
            if len(groups) > most:
                yield f"  and {len(groups) - most} more that are not alike (--most shows more)"
            yield ""
        for name, count in self.compared.items():
            differ = {
                log for group in self.groups.values() for log in group.logs if log.startswith(name)
            }
            yield f"{name}: {count} compared, {len(differ)} differ"


def shown(difference: Difference) -> tuple[str, str]:
    """Both values as text; of two long texts the part that differs, with a few words around it."""
    older, newer = _written(difference.older), _written(difference.newer)
    if max(len(older), len(newer)) <= WIDTH or ABSENT in (difference.older, difference.newer):
        return older, newer
    start = _common(older, newer)
    end = _common(older[start:][::-1], newer[start:][::-1])
    return _part(older, start, len(older) - end), _part(newer, start, len(newer) - end)


def _common(text: str, other_text: str) -> int:
    """How many characters two texts begin with alike."""
    pairs = enumerate(zip(text, other_text, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(text), len(other_text)))


def _part(text: str, start: int, end: int) -> str:
    """A part of a text, with some of what is around it."""
    first, last = max(start - AROUND, 0), min(end + AROUND, len(text))
    return f"{'... ' * (first > 0)}{text[first:last]}{' ...' * (last < len(text))}"


def _written(value: Any) -> str:
    if value is ABSENT:
        return "(absent)"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _shortened(text: str) -> str:
    line = text.replace("\n", "\\n")
    return line if len(line) <= WIDTH else f"{line[: WIDTH - 4]} ..."


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
