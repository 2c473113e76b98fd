"""A first evening, led: the entries of a game's own example, for somebody to type one after the other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from chronicle.core.names import Named
from chronicle.core.record import Record
from chronicle.core.replay import Replay
from chronicle.core.source import Entries, Items, Word, place_of
from chronicle.desk.founding import FIRST
from chronicle.desk.room import Unanswerable
from chronicle.desk.spans import Span, Spans
from chronicle.games import game_names, is_game, rulebook
from chronicle.transcript.folder import SETTINGS_FILE
from chronicle.transcript.one_line import write_line
from chronicle.transcript.reader import read_text
from chronicle.transcript.yaml_text import Data, plain_data, write_entry, write_flow

_REMARK: Final = re.compile(r"(?:^|\s)#\s*(.*)$")
_COMMAND: Final = re.compile(r"\s*What comes next\?  chronicle .*$")
"""What a remark says about the terminal: here the page says what comes next."""
_TITLE: Final = re.compile(r"^title: (.*)$", re.MULTILINE)
_LOG: Final = "log:\n"


class Guided(NamedTuple):
    """One entry of the example: what its remarks say ``about`` it, the entry as data, the story ``text``
    beside it."""

    about: tuple[str, ...]
    data: Mapping[str, Data]
    text: str

    @property
    def verb(self) -> str:
        """The verb of the entry."""
        return next(iter(self.data))


def beginning(game: str) -> tuple[str, dict[str, str]]:
    """The title and the files of the example before its first entry.

    Raises:
        Unanswerable: when there is no such game.
    """
    settings, evening = _example(game)
    title = _TITLE.search(settings)
    assert title is not None, game
    head = evening[: evening.index(_LOG) + len(_LOG)]
    return title[1].strip(), {SETTINGS_FILE: settings, FIRST: head}


def steps(game: str) -> list[Guided]:
    """The entries of the example, in order."""
    _, evening = _example(game)
    tree = read_text(evening, FIRST).tree
    assert isinstance(tree, Entries), game
    log = tree[Word("log")]
    assert isinstance(log, Items), game
    rows = evening.split("\n")
    found = []
    for item in log:
        data = plain_data(item)
        assert isinstance(data, dict), game
        text = data.pop("text", "")
        found.append(Guided(_about(rows, place_of(item, FIRST).line), data, text))
    return found


def done(record: Record, wanted: list[Guided]) -> int:
    """How many steps a log has behind it: whoever tells a step another way goes on as well."""
    count = 0
    for step in record.steps:
        if step.parent is None and count < len(wanted):
            count += step.action.verb == wanted[count].verb
    return count


def plain(step: Guided, verbs: Mapping[str, Any]) -> dict[str, Any]:
    """A step, to be shown: its one line, if it can be one, and the whole of it."""
    return {
        "about": [*step.about],
        "line": write_line(step.data, verbs),
        "entry": write_entry(step.data),
        "text": step.text,
    }


def differing(
    replay: Replay[Any], wanted: Guided, tried: Mapping[str, Data], acting: str
) -> list[Spans]:
    """What is otherwise in an entry than in the step it is tried for, in words; nothing where it comes to
    the same. ``acting``: whose act it would be if it does not say so."""
    verb = next(iter(tried))
    if verb != wanted.verb:
        return [
            ["This one is ", _code(wanted.verb), ", and what stands here is ", _code(verb), "."]
        ]
    found: list[Spans] = []
    for key, value in wanted.data.items():
        if key in tried and _same(replay, tried[key], value):
            continue
        if key == "by" and key not in tried and _same(replay, acting, value):
            continue
        if key not in tried:
            found.append([_code(f"{key}: {write_flow(value)}"), " is still to come."])
        elif key == verb:
            found.append(["After ", _code(verb), " it is ", _code(write_flow(value)), " tonight."])
        else:
            found.append([_code(key), " is ", _code(write_flow(value)), " tonight."])
    for key in tried:
        if key not in wanted.data and key not in ("by", "text"):
            found.append(["Nobody said ", _code(f"{key}: {write_flow(tried[key])}"), "."])
    return found


def _code(text: str) -> Span:
    return {"t": text, "code": True}


def _same(replay: Replay[Any], one: Data, other: Data) -> bool:
    """Whether two values mean the same: written out or shortened, as a list of one or as one."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return len(one) == len(other) and all(
            any(_same(replay, key, its) and _same(replay, value, of) for its, of in other.items())
            for key, value in one.items()
        )
    if isinstance(one, list) or isinstance(other, list):
        first, second = [*_several(one)], [*_several(other)]
        return len(first) == len(second) and all(map(_same, [replay] * len(first), first, second))
    return _meant(replay, one) == _meant(replay, other)


def _several(value: Data) -> Iterator[Data]:
    yield from value if isinstance(value, list) else [value]


def _meant(replay: Replay[Any], value: Data) -> str:
    named = replay.play.names.find(str(value)) if value else None
    return (
        named.id
        if isinstance(named, Named)
        else " ".join(str(value).casefold().split()).strip(" .")
    )


def _example(game: str) -> tuple[str, str]:
    if not is_game(game):
        raise Unanswerable(f"there is no game '{game}'", f"games: {', '.join(game_names())}")
    files = rulebook(game).new_campaign()
    return files[SETTINGS_FILE], files[FIRST]


def _about(rows: list[str], line: int) -> tuple[str, ...]:
    """The remarks above an entry, and the one behind its first line."""
    above = line - 1
    while above > 0 and rows[above - 1].startswith("#"):
        above -= 1
    remarks = [one[1] for one in map(_REMARK.search, rows[above:line]) if one]
    behind = _REMARK.search(rows[line - 1])
    over = " ".join(remarks[: -1 if behind else None])
    said = (_COMMAND.sub("", one) for one in (over, behind[1] if behind else ""))
    return tuple(one for one in said if one)
