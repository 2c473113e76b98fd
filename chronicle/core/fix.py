"""Edits that solve a problem, as data: a rule that reports a problem says here how to solve it.

A :class:`Fix` has edits, and its words are made from them, so that ``check``, the pages, the desk and editors
say the same. Nothing is applied here (:mod:`chronicle.desk.apply` does that).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple

from chronicle.core.source import Place

BLANK: Final = "..."
"""Stands in an edit for words that only the table knows. A quick fix writes ``unrecorded`` there."""
SETTINGS_FILE: Final = "campaign.yaml"
"""The file that holds the settings of a campaign."""


class InsertEntry(NamedTuple):
    """Insert an entry, written as in a log without its dash, above the one at ``place``."""

    text: str
    place: Place | None = None


class ReplaceEntry(NamedTuple):
    """Write another entry in place of the one at ``place``."""

    text: str
    place: Place | None = None


class RemoveEntry(NamedTuple):
    """Remove the entry at ``place``."""

    place: Place | None = None


class SetKey(NamedTuple):
    """Give a key of the entry at ``place`` a value, written as in a log; the key is added if it is missing."""

    key: str
    value: str
    place: Place | None = None


class RemoveKey(NamedTuple):
    """Remove a key of the entry at ``place``, with its value."""

    key: str
    place: Place | None = None


class ReplaceWord(NamedTuple):
    """Write a word in place of the scalar at ``place``, or of the part ``old`` of that scalar."""

    text: str
    place: Place | None = None
    old: str = ""


class ReplaceText(NamedTuple):
    """Write these characters in place of those at ``place``: for a file that YAML cannot read as it is."""

    text: str
    place: Place | None = None


class RemoveItem(NamedTuple):
    """Remove an item of the list under ``key``, or a key of a mapping with its value; ``text`` is the item
    or the key."""

    text: str
    place: Place | None = None
    key: str = ""


class AddToHead(NamedTuple):
    """Add a word to a list in the head of the session file of ``place``."""

    key: str
    text: str
    place: Place | None = None


class AddToSettings(NamedTuple):
    """Add words to a list in ``campaign.yaml``."""

    key: str
    texts: tuple[str, ...]
    place: Place | None = None


Edit = (
    InsertEntry
    | ReplaceEntry
    | RemoveEntry
    | SetKey
    | RemoveKey
    | ReplaceWord
    | ReplaceText
    | RemoveItem
    | AddToHead
    | AddToSettings
)

NAMES: Final[Mapping[type[Edit], str]] = {
    InsertEntry: "insert entry",
    ReplaceEntry: "replace entry",
    RemoveEntry: "remove entry",
    SetKey: "set key",
    RemoveKey: "remove key",
    ReplaceWord: "replace word",
    ReplaceText: "replace text",
    RemoveItem: "remove item",
    AddToHead: "add to head",
    AddToSettings: "add to settings",
}
"""What each kind of edit is called where fixes are plain data."""

OF_ENTRY: Final = (InsertEntry, ReplaceEntry, RemoveEntry, SetKey, RemoveKey)
"""The edits whose place is that of an entry."""


class Fix(NamedTuple):
    """A way to solve a problem.

    Attributes:
        edits: what to change, all of it in one file.
        safe: whether it may be preferred without asking. False if only somebody who was there can say whether
            it is right.
        when: the condition under which it is right, in words; empty if there is none.
        is_told: whether the message of the problem names it already (``did you mean 'Ana'?``), so that the
            help does not repeat it.
        is_open: whether ``...`` in the edits stands for words that only the table knows.
        is_computed: whether it writes a figure as it follows from the log.
    """

    edits: tuple[Edit, ...]
    safe: bool = False
    when: str = ""
    is_told: bool = False
    is_open: bool = False
    is_computed: bool = False

    @property
    def is_gap(self) -> bool:
        """Whether it says that the record lacks something."""
        return any(
            isinstance(edit, InsertEntry) and edit.text.startswith("gap:") for edit in self.edits
        )

    @property
    def words(self) -> list[str]:
        """What it does: words at even places, pieces of a file at odd ones."""
        words: list[str] = []
        for edit in self.edits:
            description = describe(edit)
            if words:
                last_word = "" if len(words) % 2 else words.pop()
                description[0] = f"{last_word} and {description[0]}".strip()
            words += description
        return words

    @property
    def title(self) -> str:
        """What it does, in one line."""
        words = self.words
        words[0] = words[0][:1].upper() + words[0][1:]
        return " ".join(filter(None, words))

    def with_blanks(self, words: str) -> Fix:
        """The same with ``words`` in place of what it leaves open."""
        if not self.is_open:
            return self
        return self._replace(edits=tuple(_with_blanks(edit, words) for edit in self.edits))


def make_fix(
    *edits: Edit, safe: bool = False, when: str = "", is_told: bool = False, is_open: bool = False
) -> Fix:
    """Make a :class:`Fix` of some edits."""
    return Fix(edits, safe, when, is_told, is_open)


def replace_with(
    words: Iterable[str], place: Place | None = None, *, old: str = "", is_told: bool = False
) -> tuple[Fix, ...]:
    """Make a fix for each of several words that may stand at a place; the only one of them is safe."""
    listed = tuple(dict.fromkeys(words))
    return tuple(
        Fix((ReplaceWord(word, place, old),), len(listed) == 1, is_told=is_told) for word in listed
    )


def describe(edit: Edit) -> list[str]:
    """Say what an edit does: words at even places, pieces of a file at odd ones."""
    match edit:
        case InsertEntry(text):
            return ["write", f"- {_on_one_line(text)}", "above this entry"]
        case ReplaceEntry(text):
            return ["write", f"- {_on_one_line(text)}", ""]
        case RemoveEntry():
            return ["leave this entry out"]
        case SetKey(key, value):
            return ["write", _on_one_line(f"{key}: {value}"), ""]
        case RemoveKey(key):
            return ["leave", f"{key}:", "out"]
        case ReplaceText(text, place) if text.endswith("\n") and _is_empty(place):
            return ["write", _on_one_line(text), "above"]
        case ReplaceWord(text) | ReplaceText(text) if text:
            return ["write", _on_one_line(text), ""]
        case RemoveItem(text, _, key):
            return ["leave", text, "out of", f"{key}:", ""] if key else ["leave", text, "out"]
        case AddToHead(key, text):
            return ["add", text, "to", f"{key}:", ""]
        case AddToSettings(key, texts):
            return ["add", f"{key}: [{', '.join(texts)}]", f"to {SETTINGS_FILE}"]
        case ReplaceText(_, place) if place is not None and place.column == place.end_column == 1:
            return ["delete this line"]
    return ["delete this"]


def _is_empty(place: Place | None) -> bool:
    """Whether a place is a point between two characters."""
    return place is not None and place[1:3] == place[3:]


def _on_one_line(text: str) -> str:
    """Several lines of a file as the help shows them."""
    return "  /  ".join(line.strip() for line in text.strip().splitlines())


def _with_blanks(edit: Edit, words: str) -> Edit:
    match edit:
        case InsertEntry(text) | ReplaceEntry(text):
            return edit._replace(text=text.replace(BLANK, words))
        case SetKey(_, value):
            return edit._replace(value=value.replace(BLANK, words))
    return edit


def help_lines(fixes: Sequence[Fix]) -> Iterator[str]:
    """The help that some fixes make, a line each; words for one place share a line."""
    shown = [fix for fix in fixes if not fix.is_told]
    for where, group in groupby(shown, _place_of_word):
        together = [*group]
        if where is not None and len(together) > 1:
            yield "write one of: " + ", ".join(fix.edits[0][0] for fix in together)  # type: ignore[misc]
            continue
        for fix in together:
            action = "  ".join(filter(None, fix.words))
            yield f"{fix.when}:  {action}" if fix.when else action


def _place_of_word(fix: Fix) -> tuple[str, Place | None] | None:
    """What the fixes have in common that offer a word each for one place."""
    edit = fix.edits[0]
    only_word = len(fix.edits) == 1 and isinstance(edit, ReplaceWord)
    return (fix.when, edit.place) if only_word else None


def located(fixes: Iterable[Fix], place: Place, entry: Place) -> tuple[Fix, ...]:
    """Fixes in which each edit says where it is made: those of an entry at ``entry``, others at ``place``."""
    return tuple(
        fix._replace(
            edits=tuple(
                edit
                if edit.place is not None
                else edit._replace(place=entry if isinstance(edit, OF_ENTRY) else place)
                for edit in fix.edits
            )
        )
        for fix in fixes
    )


def filled(fixes: Iterable[Fix], terms: Mapping[str, str]) -> tuple[Fix, ...]:
    """Fixes that a game declares with words in braces (``arrive: {player}``), with these words filled in."""

    def fill(value: Any) -> Any:
        return value.format_map(terms) if type(value) is str else value

    return tuple(
        fix._replace(
            edits=tuple(type(edit)(*map(fill, edit)) for edit in fix.edits), when=fill(fix.when)
        )
        for fix in fixes
    )


def as_data(fix: Fix) -> dict[str, Any]:
    """A fix as plain data, the same for ``check --format json``, the desk and editors."""
    return {
        "title": fix.title,
        "safe": fix.safe,
        "when": fix.when,
        "open": fix.is_open,
        "edits": [_edit_as_data(edit) for edit in fix.edits],
    }


def _edit_as_data(edit: Edit) -> dict[str, Any]:
    data: dict[str, Any] = {"edit": NAMES[type(edit)]}
    for name, value in edit._asdict().items():
        if name != "place":
            data[name] = [*value] if isinstance(value, tuple) else value
    place = edit.place
    if place is not None:
        data |= {
            "path": place.path,
            "line": place.line,
            "column": place.column,
            "endLine": place.end_line,
            "endColumn": place.end_column,
        }
    return data
