"""Writing at the desk: an entry put into its file, changed or taken out, and taken back again."""

from __future__ import annotations

import textwrap
from collections import deque
from typing import Any, Final, NamedTuple

from chronicle.core.source import Entries, Items, Word
from chronicle.desk.merge import merged, moved_line
from chronicle.desk.room import Opened, Unanswerable
from chronicle.transcript.edit import entry_at, insert_entry, replace_entry
from chronicle.transcript.reader import read_text

MOST_UNDONE: Final = 200
"""How many of its writings a desk can take back."""


class Done(NamedTuple):
    """What was written: what each file held before and after, in which entry, in a few words."""

    words: str
    files: dict[str, tuple[str | None, str | None]]


class Past:
    """What one desk has written into one campaign, and what of it was taken back."""

    def __init__(self) -> None:
        self._done: deque[Done] = deque(maxlen=MOST_UNDONE)
        self._undone: list[Done] = []

    def add(self, done: Done) -> None:
        """Something was written."""
        self._done.append(done)
        self._undone.clear()

    def undo(self, opened: Opened) -> Done:
        """Take back what was written last."""
        if not self._done:
            raise Unanswerable("there is nothing of this desk to take back")
        done = self._done[-1]
        _back(opened, done.words, {name: (new, old) for name, (old, new) in done.files.items()})
        self._undone.append(self._done.pop())
        return done

    def redo(self, opened: Opened) -> Done:
        """Write again what was taken back last."""
        if not self._undone:
            raise Unanswerable("nothing was taken back")
        done = self._undone[-1]
        _back(opened, done.words, done.files)
        self._done.append(self._undone.pop())
        return done

    def state(self) -> dict[str, str]:
        """What would be undone and redone next, in a few words; empty where there is nothing."""
        return {
            "undo": self._done[-1].words if self._done else "",
            "redo": self._undone[-1].words if self._undone else "",
        }


def _back(opened: Opened, words: str, files: dict[str, tuple[str | None, str | None]]) -> None:
    """Let files that hold the first text hold the second; what others wrote meanwhile stays."""
    known = {one.name for one in opened.files()}
    texts: dict[str, str | None] = {}
    for name, (before, after) in files.items():
        now = opened.text(name) if name in known else None
        if now == before:
            texts[name] = after
            continue
        both = (
            None if now is None or before is None or after is None else merged(before, after, now)
        )
        if both is None:
            raise Unanswerable(
                f"{name} was changed meanwhile, just where '{words}' stands",
                "look at it, and change it there",
            )
        texts[name] = both
    opened.put(texts)


def both(name: str, base: str, mine: str, now: str) -> str:
    """What a file is to hold where somebody else has written into it since."""
    text = merged(base, mine, now)
    if text is None:
        raise Unanswerable(
            f"{name} was changed meanwhile, where you have changed it too",
            "copy your lines, take the other text, and put them in again",
        )
    return text


def as_item(entry: str) -> str:
    """An entry as one of a list."""
    first, *rest = entry.split("\n")
    return "\n".join([f"- {first}", *(f"  {row}" if row else row for row in rest)])


# -- entries ---------------------------------------------------------------------------------------


def read_entry(entry: str, text: str = "") -> list[str]:
    """The entries of a YAML text, each without its dash and read as it will be written; ``text`` is
    fiction for the last of them."""
    parsed = read_text(entry, "")
    bad = next((one for one in parsed.problems if one.severity > 2), None)
    if bad is not None:
        raise Unanswerable(f"this entry cannot be read: {bad.message}", *bad.help)
    if isinstance(parsed.tree, Entries) and parsed.tree:
        pieces = [textwrap.dedent(entry).strip("\n")]
    elif isinstance(parsed.tree, Items) and parsed.tree:
        pieces = _pieces(entry, parsed.tree)
    else:
        raise Unanswerable("an entry is a verb with its value, as in  tell: It rains")
    if text.strip():
        pieces[-1] = with_text(pieces[-1], text)
    return pieces


def _pieces(entry: str, items: Items) -> list[str]:
    """The entries of a list, one by one."""
    rows = entry.split("\n")
    starts = [item.line for item in items] + [len(rows) + 1]
    pieces = []
    for item, after in zip(items, starts[1:], strict=True):
        if not isinstance(item, Entries):
            raise Unanswerable("an entry is a verb with its value, as in  tell: It rains")
        indent = item.column - 1
        own = [row[indent:] for row in rows[item.line - 1 : after - 1]]
        pieces.append("\n".join(own).strip("\n"))
    return pieces


def with_text(entry: str, text: str) -> str:
    """An entry with fiction told in it, as a block below it."""
    parsed = read_text(entry, "").tree
    if isinstance(parsed, Entries) and Word("text") in parsed:
        raise Unanswerable("this entry has a text already")
    if entry.lstrip().startswith("{"):
        raise Unanswerable("write the entry without braces, and the text fits below it")
    words = text.strip("\n").rstrip()
    lead = "|2-" if words[:1].isspace() else "|"
    body = "\n".join(f"  {row}" if row.strip() else "" for row in words.split("\n"))
    made = f"{entry.rstrip()}\ntext: {lead}\n{body}"
    again = read_text(made + "\n", "").tree
    told = again.get(Word("text")) if isinstance(again, Entries) else None
    if not isinstance(told, Word) or told.strip() != words.strip():
        raise Unanswerable("this text has characters in it that no file can keep")
    return made


class Placed(NamedTuple):
    """Where an entry was put."""

    file: str
    line: int
    done: Done


def place(opened: Opened, file: str, line: int, version: str) -> tuple[str, int, str]:
    """The file and line that somebody means, and the text there now. Without a file it is the end of
    the last evening; a line is one of the ``version`` that was looked at, if that is named."""
    name = file or last_session(opened)
    text = opened.text(name)
    if line < 0 or not file:
        return name, text.count("\n") + 1, text
    seen = opened.seen(version) if version else text
    at = None if seen is None else moved_line(seen, text, line) if line else 0
    if at is None:
        raise Unanswerable(
            f"{name} was changed meanwhile, just there", "look at it again, and say where"
        )
    return name, at, text


def last_session(opened: Opened) -> str:
    """The file of the last evening."""
    campaign = opened.resident.campaign
    if campaign is None:
        raise opened.unreadable()
    if not campaign.sessions:
        raise Unanswerable("there is no session yet", "start one first")
    return campaign.sessions[-1].path


def insert(
    opened: Opened, file: str, line: int, version: str, entry: str, text: str = ""
) -> Placed:
    """Write an entry, or a list of them, below the one on a line."""
    name, at, before = place(opened, file, line, version)
    after = before
    found = entry_at(before, name, at)
    index = found[0] + 1 if found else 0
    pieces = read_entry(entry, text)
    for number, piece in enumerate(pieces, index):
        after = insert_entry(after, name, piece, number)
    files = opened.put({name: after})
    stands = entry_at(after, name, _line_of(after, name, index + len(pieces) - 1))
    assert stands is not None
    return Placed(name, stands[1], Done(_first_words(pieces[-1]), files))


def change(opened: Opened, file: str, line: int, version: str, entry: str | None) -> Placed:
    """Write another entry in place of the one on a line; None: take it out."""
    name, at, before = place(opened, file, line, version)
    found = entry_at(before, name, at)
    if found is None:
        raise Unanswerable(f"there is no entry on line {line} of {name}")
    index, first, _ = found
    pieces = read_entry(entry) if entry is not None else [None]
    if len(pieces) > 1:
        raise Unanswerable("write one entry in place of one")
    after = replace_entry(before, name, index, pieces[0])
    files = opened.put({name: after})
    return Placed(name, first, Done(_first_words(pieces[0] or "an entry taken out"), files))


def _line_of(text: str, name: str, index: int) -> int:
    """The first line of the entry of an index."""
    tree = read_text(text, name).tree
    assert isinstance(tree, Entries)
    log = tree[Word("log")]
    assert isinstance(log, Items)
    return log[index].line


def _first_words(entry: str) -> str:
    first = entry.split("\n", 1)[0]
    return first if len(first) < 60 else f"{first[:57]}..."


def state(opened: Opened, placed: Placed) -> dict[str, Any]:
    """Where an entry stands now, and which number it has."""
    record = opened.resident.record
    steps = record.steps if record is not None else []
    step = next(
        (
            one.index
            for one in steps
            if one.action.path == placed.file and one.action.whole.line == placed.line
        ),
        0,
    )
    return {"file": placed.file, "line": placed.line, "step": step}
