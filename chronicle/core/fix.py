"""Edits that solve a problem, as data: a rule that reports a problem says here how to solve it.

A :class:`Fix` has edits, and its words are made from them, so that ``check``, the pages, the desk and editors
say the same. Nothing is applied here (:mod:`chronicle.services.apply` does that).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple

from chronicle.core.source import Place

BLANK: Final = "..."
"""The placeholder in an edit for words that only the table knows. A quick fix writes ``unrecorded`` there."""
GAP_CONDITION: Final = "if something is missing in the record above"
"""The condition under which a gap in the record solves a problem."""
GAP_ENTRY: Final = "gap: something is missing here"
"""The entry that marks such a gap."""
SETTINGS_FILE: Final = "campaign.yaml"
"""The file that holds the settings of a campaign."""


class InsertEntry(NamedTuple):
    """Insert an entry, written as in a log without its dash, above the entry at ``place``."""

    text: str
    place: Place | None = None


class ReplaceEntry(NamedTuple):
    """Write another entry in place of the entry at ``place``."""

    text: str
    place: Place | None = None


class RemoveEntry(NamedTuple):
    """Remove the entry at ``place``."""

    place: Place | None = None


class MoveEntry(NamedTuple):
    """Move the entry at ``place`` up by some entries (a negative number) or down. If that is not the entry with the
    problem, it moves to the line above the entry with the problem."""

    by: int
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
    """Write these characters in place of those at ``place``: for a file that is no valid YAML."""

    text: str
    place: Place | None = None


class RemoveItem(NamedTuple):
    """Remove an item of the list under ``key``, or a key of a mapping with its value; ``text`` is the item
    or the key."""

    text: str
    place: Place | None = None
    key: str = ""


class SetPair(NamedTuple):
    """Give ``name`` a value in the mapping under a key of the entry at ``place``; each is added if it is
    missing. Without a key: in the mapping at, or around, the place of the problem."""

    key: str
    name: str
    value: str
    place: Place | None = None


class OrderPairs(NamedTuple):
    """Put the pairs of the mapping under a key of the entry at ``place`` into an order."""

    key: str
    names: tuple[str, ...]
    place: Place | None = None


class AddItem(NamedTuple):
    """Add a word to the list under a key of the entry at ``place``."""

    key: str
    text: str
    place: Place | None = None


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


class RemoveFromSettings(NamedTuple):
    """Remove a word from a list in ``campaign.yaml``."""

    key: str
    text: str
    place: Place | None = None


class SetSetting(NamedTuple):
    """Give a key of ``campaign.yaml`` a value."""

    key: str
    value: str
    place: Place | None = None


class ChooseReading(NamedTuple):
    """Choose a reading of the rules under ``rulings:`` in ``campaign.yaml``."""

    key: str
    value: str
    place: Place | None = None


Edit = (
    InsertEntry
    | ReplaceEntry
    | RemoveEntry
    | MoveEntry
    | SetKey
    | RemoveKey
    | ReplaceWord
    | ReplaceText
    | RemoveItem
    | SetPair
    | OrderPairs
    | AddItem
    | AddToHead
    | AddToSettings
    | RemoveFromSettings
    | SetSetting
    | ChooseReading
)
"""A change of a log or of the settings: one of these classes."""

EDIT_NAMES: Final[Mapping[type[Edit], str]] = {
    InsertEntry: "insert entry",
    ReplaceEntry: "replace entry",
    RemoveEntry: "remove entry",
    MoveEntry: "move entry",
    SetKey: "set key",
    RemoveKey: "remove key",
    ReplaceWord: "replace word",
    ReplaceText: "replace text",
    RemoveItem: "remove item",
    SetPair: "set pair",
    OrderPairs: "order pairs",
    AddItem: "add item",
    AddToHead: "add to head",
    AddToSettings: "add to settings",
    RemoveFromSettings: "remove from settings",
    SetSetting: "set setting",
    ChooseReading: "choose reading",
}
"""What each kind of edit is called where fixes are plain data."""

ENTRY_EDITS: Final = (
    InsertEntry,
    ReplaceEntry,
    RemoveEntry,
    MoveEntry,
    SetKey,
    RemoveKey,
    SetPair,
    OrderPairs,
    AddItem,
)
"""The edits whose place is that of an entry."""
SETTINGS_EDITS: Final = (AddToSettings, RemoveFromSettings, SetSetting, ChooseReading)
"""The edits of ``campaign.yaml``."""


class Fix(NamedTuple):
    """A way to solve a problem.

    Attributes:
        edits: what to change, all of it in one file.
        safe: whether it can be preferred without asking. False if only a player
            who was there can say whether it is right.
        when: the condition under which it is right, in words; empty if there is none.
        is_told: whether the message of the problem names it already (``did you mean 'Ana'?``). The help names only
            such words, and of other fixes only those that the message does not name.
        is_open: whether ``...`` in the edits marks words that only the table knows.
        writes_computed_figure: whether it writes a figure that follows from the log.
        line: the line of the entry that it changes, if that is not the line of the problem.
    """

    edits: tuple[Edit, ...]
    safe: bool = False
    when: str = ""
    is_told: bool = False
    is_open: bool = False
    writes_computed_figure: bool = False
    line: int = 0

    @property
    def is_gap(self) -> bool:
        """Whether it says that the record lacks something."""
        return any(
            isinstance(edit, InsertEntry) and edit.text.startswith("gap:") for edit in self.edits
        )

    @property
    def inserts(self) -> bool:
        """Whether it inserts an entry."""
        return any(isinstance(edit, InsertEntry) for edit in self.edits)

    @property
    def words(self) -> list[str]:
        """What it does: words at even places, pieces of a file at odd ones."""
        description_parts: list[str] = []
        for edit in self.edits:
            edit_words = describe(edit)
            if description_parts:
                repeated_verb = (
                    "write"
                    if isinstance(edit, SetKey) and description_parts[-3:-2] == ["write"]
                    else ""
                )
                next_verb = edit_words[0].removeprefix(repeated_verb).strip()
                edit_words[0] = f"{description_parts.pop()} and {next_verb}".strip()
            if self.line and isinstance(edit, MoveEntry):
                edit_words = [f"move the entry in line {self.line} up, above this entry"]
            elif self.line and _is_entry_edit(edit):
                edit_words[-1] = f"{edit_words[-1]} in line {self.line}".strip()
            description_parts += edit_words
        return description_parts

    @property
    def title(self) -> str:
        """What it does, as a sentence."""
        title_words = self.words
        title_words[0] = title_words[0][:1].upper() + title_words[0][1:]
        return " ".join(filter(None, title_words))

    def with_blanks(self, words: str) -> Fix:
        """The same with ``words`` in place of what it leaves open."""
        if not self.is_open:
            return self
        return self._replace(edits=tuple(_with_filled_blanks(edit, words) for edit in self.edits))


def make_fix(
    *edits: Edit, safe: bool = False, when: str = "", is_told: bool = False, is_open: bool = False
) -> Fix:
    """Make a :class:`Fix` of some edits. It is open if the value of one is ``...``."""
    is_open = is_open or any(BLANK in edit for edit in edits)
    return Fix(edits, safe and not is_open, when, is_told, is_open)


def add_entry(entry_text: str, when: str = "") -> Fix:
    """Make the fix that inserts an entry above this entry. ``when`` says under which condition it is right."""
    is_open = BLANK in entry_text
    return Fix((InsertEntry(entry_text),), not (when or is_open), when, is_open=is_open)


def mark_gap(state_kind: str = "") -> Fix:
    """Make the fix that says above this entry that the record lacks something. ``state_kind`` is the only kind of
    state that it makes unknown (:data:`chronicle.core.gaps.UNCERTAIN_STATES`); empty: every kind."""
    gap_text = f"{GAP_ENTRY}\nuncertain: {state_kind}" if state_kind else GAP_ENTRY
    return Fix((InsertEntry(gap_text),), when=GAP_CONDITION)


def add_player(player_name: str) -> Fix:
    """Make the fix that adds somebody to the players of the campaign."""
    return Fix((AddToSettings("players", (str(player_name),)),), when=f"if {player_name} plays too")


def set_setting(setting_key: str, setting_value: str, when: str = "") -> Fix:
    """Make the fix that gives a key of the settings a value."""
    return Fix((SetSetting(setting_key, setting_value),), when=when)


def write_instead(entry_text: str, when: str = "") -> Fix:
    """Make the fix that replaces this entry."""
    return Fix((ReplaceEntry(entry_text),), when=when, is_open=BLANK in entry_text)


def drop_entry(when: str = "") -> Fix:
    """Make the fix that removes this entry."""
    return Fix((RemoveEntry(),), when=when)


def set_key(key: str, value: object = BLANK, when: str = "") -> Fix:
    """Make the fix that gives a key of this entry a value."""
    return Fix((SetKey(key, str(value)),), when=when, is_open=BLANK in str(value))


def drop_key(*keys: str, when: str = "") -> Fix:
    """Make the fix that removes keys of this entry."""
    return Fix(tuple(map(RemoveKey, keys)), not when, when)


def set_pair(key: str, pair_name: str, value: object = BLANK, when: str = "") -> Fix:
    """Make the fix that gives a name a value in the mapping under a key of this entry."""
    pair_edit = SetPair(key, pair_name, str(value))
    return Fix((pair_edit,), when=when, is_open=BLANK in pair_edit.value)


def drop_item(item_text: str) -> Fix:
    """Make the fix that removes the item, or the pair, that the problem points at."""
    return Fix((RemoveItem(item_text),), safe=True)


def write_word(new_word: object, when: str = "") -> Fix:
    """Make the fix that writes another word where the problem points."""
    return Fix((ReplaceWord(str(new_word)),), not when, when)


def choose_reading(ruling_key: str, reading: str) -> Fix:
    """Make the fix that chooses a reading of the rules."""
    return Fix((ChooseReading(ruling_key, reading),), when="if your table plays so")


def replace_with(
    words: Iterable[str], place: Place | None = None, *, old: str = "", is_told: bool = False
) -> tuple[Fix, ...]:
    """Make a fix for each of several words that fit a place; a single word is safe."""
    distinct_words = tuple(dict.fromkeys(words))
    return tuple(
        Fix((ReplaceWord(word, place, old),), len(distinct_words) == 1, is_told=is_told)
        for word in distinct_words
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
        case MoveEntry(by):
            noun = "entry" if abs(by) == 1 else "entries"
            return [f"move this entry {'up' if by < 0 else 'down'} by {abs(by)} {noun}"]
        case SetKey(key, value):
            return ["write", _on_one_line(f"{key}: {value}"), ""]
        case RemoveKey(key):
            return ["leave", f"{key}:", "out"]
        case ReplaceText(text, place) if text.endswith("\n") and _is_point(place):
            return ["write", _on_one_line(text), "above"]
        case ReplaceWord(text) | ReplaceText(text) if text:
            return ["write", _on_one_line(text), ""]
        case RemoveItem(text, _, key):
            return ["leave", text, "out of", f"{key}:", ""] if key else ["leave", text, "out"]
        case AddToHead(key, text) | AddItem(key, text):
            return ["add", text, "to", f"{key}:", ""]
        case SetPair(key, name, value):
            pair_words = ["write", f"{name}: {value}"]
            return [*pair_words, "under", f"{key}:", ""] if key else [*pair_words, ""]
        case OrderPairs(key, names):
            return ["write", f"{key}:", "in the order", ", ".join(names), ""]
        case RemoveFromSettings(key, text):
            return ["leave", text, "out of", f"{key}:", f"in {SETTINGS_FILE}"]
        case SetSetting(key, value):
            return ["write", f"{key}: {value}", f"in {SETTINGS_FILE}"]
        case ChooseReading(key, value):
            return ["write", f"rulings: {{{key}: {value}}}", f"in {SETTINGS_FILE}"]
        case AddToSettings(key, texts):
            return ["add", f"{key}: [{', '.join(texts)}]", f"to {SETTINGS_FILE}"]
        case ReplaceText(_, place) if place is not None and place.column == place.end_column == 1:
            return ["delete this line"]
    return ["delete this"]


def _is_point(place: Place | None) -> bool:
    """Whether a place is a point between two characters."""
    return place is not None and place[1:3] == place[3:]


def _on_one_line(file_text: str) -> str:
    """Several lines of a file as the help shows them."""
    return "  /  ".join(line.strip() for line in file_text.strip().splitlines())


def _with_filled_blanks(edit: Edit, filling_words: str) -> Edit:
    match edit:
        case InsertEntry(text) | ReplaceEntry(text):
            return edit._replace(text=text.replace(BLANK, filling_words))
        case SetKey() | SetPair():
            return edit._replace(value=edit.value.replace(BLANK, filling_words))
    return edit


def help_lines(fixes: Sequence[Fix]) -> Iterator[str]:
    """The help that some fixes make, a line each; words for the same place share a line. Where the message names the
    words that are meant, the help names no others."""
    word_fixes_in_message = [fix for fix in fixes if fix.is_told and _is_word_replacement(fix)]
    fixes_to_show = word_fixes_in_message + [
        fix
        for fix in fixes
        if not (fix.is_told or (word_fixes_in_message and _is_word_replacement(fix)))
    ]
    for condition_and_place, fixes_of_group in groupby(fixes_to_show, _condition_and_place):
        grouped_fixes = [*fixes_of_group]
        if condition_and_place is not None and len(grouped_fixes) > 1:
            yield "write one of: " + ", ".join(fix.edits[0][0] for fix in grouped_fixes)  # type: ignore[misc]
            continue
        for fix in grouped_fixes:
            fix_text = "  ".join(filter(None, fix.words))
            yield f"{fix.when}:  {fix_text}" if fix.when else fix_text


def _condition_and_place(fix: Fix) -> tuple[str, Place | None] | None:
    """The condition and place that fixes share which offer a word each."""
    return (fix.when, fix.edits[0].place) if _is_word_replacement(fix) else None


def _is_word_replacement(fix: Fix) -> bool:
    """Whether a fix writes one word in place of another, and does nothing else."""
    return len(fix.edits) == 1 and isinstance(fix.edits[0], ReplaceWord)


def _is_entry_edit(edit: Edit) -> bool:
    """Whether the place of an edit is that of an entry."""
    return isinstance(edit, ENTRY_EDITS) and not (isinstance(edit, SetPair) and not edit.key)


def _other_line(fix: Fix, entry_place: Place) -> int:
    """The line of the entry that a fix changes, if it says where and that is not ``entry_place``."""
    places = [edit.place for edit in fix.edits if _is_entry_edit(edit) and edit.place is not None]
    return next((place.line for place in places if place != entry_place), 0)


def locate_fixes(fixes: Iterable[Fix], problem_place: Place, entry_place: Place) -> tuple[Fix, ...]:
    """Fixes in which each edit says where it is made: those of an entry at ``entry_place``, others at
    ``problem_place``. A fix without edits is none."""
    return tuple(
        fix._replace(
            line=_other_line(fix, entry_place),
            edits=tuple(
                edit
                if edit.place is not None
                else edit._replace(place=entry_place if _is_entry_edit(edit) else problem_place)
                for edit in fix.edits
            ),
        )
        for fix in fixes
        if fix.edits
    )


def fill_terms(fixes: Iterable[Fix], terms: Mapping[str, str]) -> tuple[Fix, ...]:
    """Fixes that a game declares with words in braces (``arrive: {player}``), with these words filled in."""

    def fill_field(field_value: Any) -> Any:
        return field_value.format_map(terms) if type(field_value) is str else field_value

    return tuple(
        fix._replace(
            edits=tuple(type(edit)(*map(fill_field, edit)) for edit in fix.edits),
            when=fill_field(fix.when),
        )
        for fix in fixes
    )


def fix_as_data(fix: Fix) -> dict[str, Any]:
    """A fix as plain data, the same for ``check --format json``, the desk and editors."""
    return {
        "title": fix.title,
        "safe": fix.safe,
        "when": fix.when,
        "open": fix.is_open,
        "edits": [_edit_as_data(edit) for edit in fix.edits],
    }


def _edit_as_data(edit: Edit) -> dict[str, Any]:
    edit_data: dict[str, Any] = {"edit": EDIT_NAMES[type(edit)]}
    for attribute, value in edit._asdict().items():
        if attribute != "place":
            edit_data[attribute] = [*value] if isinstance(value, tuple) else value
    place = edit.place
    if place is not None:
        edit_data |= {
            "path": place.path,
            "line": place.line,
            "column": place.column,
            "endLine": place.end_line,
            "endColumn": place.end_column,
        }
    return edit_data
