"""Writing at the desk: an entry put into its file, changed or taken out, and taken back again."""

from __future__ import annotations

import textwrap
from collections import deque
from typing import Any, Final, NamedTuple

from chronicle.core.common import Tell
from chronicle.core.source import Entries, Items, Value, Word
from chronicle.desk.merge import merged, moved_line
from chronicle.desk.room import (
    MOST_TRIES,
    Conflict,
    Edit,
    Opened,
    Unanswerable,
    WorkingCopy,
    version_of,
)
from chronicle.transcript.edit import (
    by_itself,
    drop_entry,
    end_of,
    entry_at,
    entry_text,
    insert_entry,
    replace_entry,
    set_text,
    within,
)
from chronicle.transcript.kept import EntryCache
from chronicle.transcript.reader import read_text
from chronicle.words import word

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
            raise Unanswerable(word("server.nothing_to_undo"))
        done = self._done[-1]
        _back(opened, done.words, {name: (new, old) for name, (old, new) in done.files.items()})
        self._undone.append(self._done.pop())
        return done

    def redo(self, opened: Opened) -> Done:
        """Write again what was taken back last."""
        if not self._undone:
            raise Unanswerable(word("server.nothing_to_redo"))
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
    edits: dict[str, Edit] = {}
    try:
        for name, (before, after) in files.items():
            edits[name] = Edit(before, after)
            if name in known and before is not None and after is not None:
                copy = opened.working_copy(name)
                edits[name] = copy.edit(both(name, before, after, copy.text))
        opened.put(edits)
    except Conflict:
        raise Unanswerable(
            f"{', '.join(edits)} was changed meanwhile, just where '{words}' stands",
            "look at it, and change it there",
        ) from None


def both(name: str, base: str, mine: str, now: str) -> str:
    """What a file is to hold where somebody else has written into it since.

    Raises:
        Conflict: when both have changed the same lines.
    """
    text = merged(base, mine, now)
    if text is None:
        raise Conflict(name)
    return text


def as_item(entry: str) -> str:
    """An entry as one of a list."""
    first, *rest = entry.split("\n")
    return "\n".join([f"- {first}", *(f"  {row}" if row else row for row in rest)])


# -- entries ---------------------------------------------------------------------------------------


def read_entry(entry: str) -> list[str]:
    """The entries of a YAML text, each without its dash and read as it will be written."""
    parsed = read_text(entry, "")
    bad = next((one for one in parsed.problems if one.severity > 2), None)
    if bad is not None:
        raise Unanswerable(f"this entry cannot be read: {bad.message}", *bad.help)
    if isinstance(parsed.tree, Entries) and parsed.tree:
        return [textwrap.dedent(entry).strip("\n")]
    if isinstance(parsed.tree, Items) and parsed.tree:
        return _pieces(entry, parsed.tree)
    raise Unanswerable("an entry is a verb with its value, as in  tell: It rains")


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
    """An entry with fiction told in it, as a block below it; of one that only tells, it is what it tells."""
    key = Tell.verb if entry.strip() == f"{Tell.verb}:" else "text"
    parsed = read_text(entry, "").tree
    if isinstance(parsed, Entries) and Word("text") in parsed:
        raise Unanswerable("this entry has a text already")
    if entry.lstrip().startswith("{"):
        raise Unanswerable("write the entry without braces, and the text fits below it")
    words = text.strip("\n").rstrip()
    lead = "|2-" if words[:1].isspace() else "|"
    body = "\n".join(f"  {row}" if row.strip() else "" for row in words.split("\n"))
    above = f"{entry.rstrip()}\n" if key == "text" else ""
    made = f"{above}{key}: {lead}\n{body}"
    again = read_text(made + "\n", "").tree
    told = again.get(Word(key)) if isinstance(again, Entries) else None
    if not isinstance(told, Word) or told.strip() != words.strip():
        raise Unanswerable("this text has characters in it that no file can keep")
    return made


class Placed(NamedTuple):
    """Where an entry was put."""

    file: str
    line: int
    done: Done


def place(opened: Opened, file: str, line: int, version: str) -> tuple[str, int, WorkingCopy]:
    """The file and line that somebody means, and the text there now. Without a file it is the end of
    the last evening; a line is one of the ``version`` that was looked at, if that is named."""
    name = file or last_session(opened)
    copy = opened.working_copy(name)
    text = copy.text
    if line < 0 or not file:
        return name, text.count("\n") + 1, copy
    seen = opened.seen(version) if version else text
    at = None if seen is None else moved_line(seen, text, line) if line else 0
    if at is None:
        raise Unanswerable(
            f"{name} was changed meanwhile, just there", "look at it again, and say where"
        )
    return name, at, copy


def last_session(opened: Opened) -> str:
    """The file of the last evening."""
    campaign = opened.resident.campaign
    if campaign is None:
        raise opened.unreadable()
    if not campaign.sessions:
        raise Unanswerable("there is no session yet", "start one first")
    return campaign.sessions[-1].path


class Draft(NamedTuple):
    """A file with entries put into it: the text it was made from, what it would hold, where the last of
    them stands."""

    file: str
    copy: WorkingCopy
    text: str
    line: int

    @property
    def before(self) -> str:
        """What the file held before."""
        return self.copy.text


def _put(opened: Opened, made: Draft, words: str) -> Placed:
    """Write a draft. Its entry stands elsewhere if others have written above it meanwhile."""
    files = opened.put({made.file: made.copy.edit(made.text)})
    _, after = files.get(made.file, (None, None))
    line = made.line if after is None else moved_line(made.text, after, made.line) or made.line
    return Placed(made.file, line, Done(words, files))


def draft(opened: Opened, file: str, line: int, pieces: list[str], version: str = "") -> Draft:
    """A file with entries below the one on a line; nothing is written."""
    name, at, copy = place(opened, file, line, version)
    after = copy.text
    cache = opened.entry_cache(name)
    found = entry_at(after, name, at, cache)
    index = found[0] + 1 if found else 0
    for number, piece in enumerate(pieces, index):
        after = insert_entry(after, name, piece, number, cache)
    return Draft(name, copy, after, _line_of(after, name, index + len(pieces) - 1, cache=cache))


def insert(opened: Opened, file: str, line: int, version: str, pieces: list[str]) -> Placed:
    """Write entries below the one on a line."""
    there = _written_already(opened, file, line, version, pieces)
    if there is not None:
        return there
    for left in reversed(range(MOST_TRIES)):
        made = draft(opened, file, line, pieces, version)
        try:
            return _put(opened, made, _first_words(pieces[-1]))
        except Conflict:
            # Somebody has written at the same place. Both may stay: put them into the text as it is now.
            # Its lines are counted in the text that was seen first.
            version = version or version_of(made.before)
            if not left or made.copy.base != made.before:
                raise
    raise AssertionError("the last try returns or raises")


def _written_already(
    opened: Opened, file: str, line: int, version: str, pieces: list[str]
) -> Placed | None:
    """Where entries stand that somebody sends again, because the answer to the first time was lost with
    the memory of this desk: they were to follow a text that nobody remembers, and do."""
    name = file or last_session(opened)
    text = opened.text(name)
    if not version or version == version_of(text) or opened.seen(version) is not None:
        return None
    tree = read_text(text, name).tree
    log = tree.get(Word("log")) if isinstance(tree, Entries) else None
    if not isinstance(log, Items):
        return None
    first = sum(item.line <= line for item in log) if file else len(log) - len(pieces)
    new = [read_text(f"{piece}\n", "").tree for piece in pieces]
    if first < 0 or log[first : first + len(new)] != new:
        return None
    return Placed(name, log[first + len(new) - 1].line, Done(_first_words(pieces[-1]), {}))


def change(opened: Opened, file: str, line: int, version: str, pieces: list[str]) -> Placed:
    """Write another entry in place of the one on a line, or of the one inside of it that begins there;
    none: take it out."""
    made = amended(opened, file, line, version, pieces)
    old = made.before.split("\n")[made.line - 1].strip().removeprefix("- ")
    words = _first_words(pieces[0] if pieces else f"without {old}")
    # What was taken out stands nowhere; the entry that it was in may.
    found = (
        None
        if pieces
        else entry_at(made.before, made.file, made.line, opened.entry_cache(made.file))
    )
    return _put(opened, made._replace(line=found[1]) if found else made, words)


def amended(opened: Opened, file: str, line: int, version: str, pieces: list[str]) -> Draft:
    """A file with another entry in place of the one on a line, or of the one inside of it that begins
    there; none: without it. Nothing is written."""
    name, at, copy = place(opened, file, line, version)
    before = copy.text
    cache = opened.entry_cache(name)
    found = entry_at(before, name, at, cache)
    if found is None:
        raise Unanswerable(f"there is no entry on line {line} of {name}")
    if len(pieces) > 1:
        raise Unanswerable("write one entry in place of one")
    index = found[0]
    if pieces:
        after = replace_entry(before, name, index, pieces[0], at, cache)
        return Draft(name, copy, after, span(before, name, at, cache)[0])
    after = drop_entry(before, name, index, at, cache)
    return Draft(name, copy, after, _line_of(before, name, index, at, cache))


def source(name: str, text: str, line: int) -> dict[str, Any]:
    """The entry on a line as it is written, and the story that it tells."""
    found = entry_at(text, name, line)
    if found is None:
        raise Unanswerable(f"there is no entry on line {line} of {name}")
    entry = entry_text(text, name, found[0], line)
    first, last = span(text, name, line)
    parsed = read_text(entry + "\n", "").tree
    told = parsed.get(Word("text")) if isinstance(parsed, Entries) else None
    fiction = str(told) if isinstance(told, Word) else ""
    return {"entry": entry, "fiction": fiction, "line": first, "end_line": last}


def span(text: str, name: str, line: int, cache: EntryCache | None = None) -> tuple[int, int]:
    """The first and the last line of the entry on a line, or of the one inside of it that begins there."""
    found = entry_at(text, name, line, cache)
    assert found is not None
    item = by_itself(text, _item(text, name, found[0], cache), line)
    return item.line, end_of(item)


def tell(opened: Opened, file: str, line: int, version: str, words: str) -> Placed:
    """Give an entry another fiction, or its first; all else stays as it stands."""
    name, at, copy = place(opened, file, line, version)
    cache = opened.entry_cache(name)
    found = entry_at(copy.text, name, at, cache)
    if found is None:
        raise Unanswerable(f"there is no entry on line {line} of {name}")
    after = set_text(copy.text, name, found[0], words, at, cache)
    made = Draft(name, copy, after, _line_of(copy.text, name, found[0], at, cache))
    return _put(opened, made, f"story: {_first_words(words.strip() or 'none')}")


def _line_of(
    text: str, name: str, index: int, line: int = 0, cache: EntryCache | None = None
) -> int:
    """The first line of the entry of an index, or of the one inside of it that begins on a line."""
    return within(_item(text, name, index, cache), line).line


def _item(text: str, name: str, index: int, cache: EntryCache | None = None) -> Value:
    tree = read_text(text, name, cache).tree
    assert isinstance(tree, Entries)
    log = tree[Word("log")]
    assert isinstance(log, Items)
    return log[index]


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
