"""Apply a fix to the text of a file. Nothing is written here."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from functools import partial
from typing import Any, NamedTuple

from chronicle.core.declare import Action
from chronicle.core.errors import Refused
from chronicle.core.fix import (
    SETTINGS_EDITS,
    AddItem,
    AddToHead,
    AddToSettings,
    ChooseReading,
    Edit,
    Fix,
    InsertEntry,
    MoveEntry,
    OrderPairs,
    RemoveEntry,
    RemoveFromSettings,
    RemoveItem,
    RemoveKey,
    ReplaceEntry,
    ReplaceText,
    ReplaceWord,
    SetKey,
    SetPair,
    SetSetting,
)
from chronicle.core.kinds import UNRECORDED
from chronicle.core.source import MappingNode, Place, ScalarNode, SequenceNode, Value, scalars
from chronicle.syntax.edit import (
    change_entry,
    drop_option,
    entry_at,
    entry_text,
    find_route,
    insert_entry,
    replace_entry,
    set_option,
    value_at,
)
from chronicle.syntax.edit_head import add_pair_to_mapping, set_head
from chronicle.syntax.edit_words import replace_words
from chronicle.syntax.find import SETTINGS_FILE
from chronicle.syntax.reader import read_text
from chronicle.syntax.reshape import block_scalar, ruamel_data
from chronicle.syntax.text_edit import EditRefused, line_starts_of, newline_of, tree_of
from chronicle.syntax.yaml_text import write_entry


class Applied(NamedTuple):
    """A file and the text that it has with a fix."""

    file: str
    text: str


def apply_fix(
    fix: Fix, text_of: Callable[[str], str], verbs: Collection[str], file: str
) -> Applied | None:
    """Apply a fix to the file that it changes.

    Args:
        fix: the fix, with its places filled in.
        text_of: gives the text of a file of the campaign.
        verbs: the verbs of the game, to find entries.
        file: the file that the problem is in.

    Returns:
        The file and its new text; None if the fix cannot be applied to this text, or changes nothing.
    """
    edits = fix.with_blanks(UNRECORDED).edits
    files = {_file_of(edit, file) for edit in edits}
    if len(files) != 1:
        return None
    (changed,) = files
    original = text = text_of(changed)
    # From the end of the file to its beginning, so that the places above do not move.
    for edit in sorted(edits, key=_from_the_end):
        try:
            text = _apply(edit, text, changed, verbs)
        except (Refused, LookupError, TypeError, AttributeError, ValueError):
            return None
    return Applied(changed, text) if text != original else None


def _file_of(edit: Edit, file: str) -> str:
    if isinstance(edit, SETTINGS_EDITS):
        return SETTINGS_FILE
    return edit.place.path if edit.place is not None else file


def _from_the_end(edit: Edit) -> tuple[int, int, bool]:
    place = edit.place or Place("", 0, 0, 0, 0)
    return -place.line, -place.column, isinstance(edit, InsertEntry)


def _apply(edit: Edit, text: str, file: str, verbs: Collection[str]) -> str:
    """The text with an edit made.

    Raises:
        Refused: when something else would change besides.
        LookupError: when the place of the edit is empty.
    """
    match edit:
        case AddToSettings(key, texts):
            return _with_words(text, file, key, texts)
        case RemoveFromSettings(key, word):
            return _without_words(text, file, key, (word,))
        case SetSetting(key, value):
            return _with_setting(text, file, key, value)
        case ChooseReading(key, value):
            return _with_reading(text, file, key, value)
        case AddToHead(key, word):
            return _with_words(text, file, key, (word,))
    assert edit.place is not None
    match edit:
        case ReplaceText(new):
            return _with_text(text, edit.place, new)
        case ReplaceWord(new, _, old):
            return _with_word(text, file, edit.place, old, new)
        case RemoveItem():
            return _without_item(text, file, edit.place)
        case SetPair("", name, value):
            return _with_pair_at(text, file, edit.place, name, data_from(value))
    index, route = entry_route(text, file, edit.place, verbs)
    match edit:
        case MoveEntry(by) if not route and 0 <= index + by < len(_log(text, file)):
            moved = entry_text(text, file, index)
            without = replace_entry(text, file, index, None)
            return insert_entry(without, file, moved, index + by)
        case InsertEntry(entry) if not route:
            return insert_entry(text, file, entry, index)
        case ReplaceEntry(entry) if not route:
            return replace_entry(text, file, index, _with_common_keys(text, file, index, entry))
        case RemoveEntry() if not route:
            return replace_entry(text, file, index, None)
        case InsertEntry() | ReplaceEntry() | RemoveEntry():
            return change_entry(text, file, index, partial(_change_inner, route, edit))
        case SetKey(key, value):
            return _with_key(text, file, index, route, key, value)
        case RemoveKey(key) if not route:
            return drop_option(text, file, index, key)
        case RemoveKey(key):
            return change_entry(text, file, index, lambda entry: value_at(entry, route).pop(key))
        case SetPair(key, name, value):
            return change_entry(
                text, file, index, partial(_set_pair, route, key, name, data_from(value))
            )
        case OrderPairs(key, names):
            return change_entry(text, file, index, partial(_order_pairs, route, key, names))
        case AddItem(key, item):
            return change_entry(text, file, index, partial(_add_item, route, key, item))
    raise EditRefused(f"{file}: this cannot be changed in an entry")


def entry_route(
    text: str, file: str, place: Place, verbs: Collection[str]
) -> tuple[int, list[int | str]]:
    """The index in the log of the entry around a place, and the way from it to an entry inside it, if the
    place is inside such an entry.

    Raises:
        LookupError: when the place is outside the entries.
    """
    at = entry_at(text, file, place.line)
    if at is None:
        raise LookupError(f"{file}:{place.line}: no entry is here")
    entry = _log(text, file)[at[0]]
    target = find_route(entry, place.line, place.column)
    route_to_entry = [*target[0]] if target is not None else []
    while route_to_entry:
        inner = value_at(entry, route_to_entry)
        in_list = isinstance(route_to_entry[-1], int)
        if in_list and isinstance(inner, MappingNode) and any(str(key) in verbs for key in inner):
            break
        route_to_entry.pop()
    return at[0], route_to_entry


def _log(text: str, file: str) -> SequenceNode:
    log = tree_of(text, file).get(ScalarNode("log"))
    return log if isinstance(log, SequenceNode) else SequenceNode()


def _with_key(
    text: str, file: str, index: int, route: list[int | str], key: str, value: str
) -> str:
    entry: Value = value_at(_log(text, file)[index], route)
    if not isinstance(entry, MappingNode):
        raise LookupError(f"{file}: no entry is here")
    if value and value[0] not in "[{" and "\n" not in value:
        return set_option(text, file, entry, key, value)
    parsed = data_from(value)
    if isinstance(parsed, str) and "\n" in parsed:
        parsed = block_scalar(parsed)

    def change(outer: Any) -> None:
        value_at(outer, route)[key] = parsed

    return change_entry(text, file, index, change)


def _with_common_keys(text: str, file: str, index: int, entry: str) -> str:
    """An entry that replaces another, with the keys of the other that all entries share."""
    replaced = _log(text, file)[index]
    keys = entry_data(entry)
    common = {
        str(key): ruamel_data(value)
        for key, value in (replaced.items() if isinstance(replaced, MappingNode) else ())
        if str(key) in Action.fields and str(key) not in keys
    }
    return f"{entry}\n{write_entry(common)}" if common else entry


def _change_inner(
    route: list[int | str], edit: InsertEntry | ReplaceEntry | RemoveEntry, entry: Any
) -> None:
    """Insert, replace or remove an entry inside another, in a list of entries."""
    *outer, at = route
    entries = value_at(entry, outer)
    if not isinstance(entries, list) or not isinstance(at, int):
        raise LookupError("no list of entries is here")
    if not isinstance(edit, InsertEntry):
        del entries[at]
    if not isinstance(edit, RemoveEntry):
        entries.insert(at, entry_data(edit.text))


def entry_data(text: str) -> Any:
    """An entry, written as in a log without its dash, as plain data.

    Raises:
        ValueError: when it cannot be read.
    """
    parsed = read_text(f"{text}\n", "")
    if parsed.problems or not isinstance(parsed.tree, MappingNode):
        raise ValueError(text)
    return ruamel_data(parsed.tree)


def _with_pair_at(text: str, file: str, place: Place, name: str, value: Any) -> str:
    tree = tree_of(text, file)
    target = find_route(tree, place.line, place.column)
    if target is None or target[0][:1] != ["log"]:
        raise LookupError(f"{file}:{place.line}: no entry is here")
    route_to_mapping = [*target[0]]
    while not isinstance(value_at(tree, route_to_mapping), MappingNode):
        route_to_mapping.pop()

    def change(entry: Any) -> None:
        value_at(entry, route_to_mapping[2:])[name] = value

    return change_entry(text, file, int(route_to_mapping[1]), change)


def _set_pair(route: list[int | str], key: str, name: str, value: Any, entry: Any) -> None:
    """Set a pair of the mapping under a key, which is added if it is missing."""
    entry = value_at(entry, route)
    if not entry.get(key):
        entry[key] = {}
    entry[key][name] = value


def _order_pairs(route: list[int | str], key: str, names: Collection[str], entry: Any) -> None:
    """Put the pairs of the mapping under a key into the order of their names."""
    pairs = value_at(entry, route)[key]
    for name in names:
        if name in pairs:
            pairs[name] = pairs.pop(name)


def _add_item(route: list[int | str], key: str, item: str, entry: Any) -> None:
    """Add an item to the list under a key, which is added if it is missing."""
    entry = value_at(entry, route)
    items = entry.get(key)
    if isinstance(items, list):
        items.append(item)
    else:
        entry[key] = [items, item] if items else item


def data_from(value: str) -> Any:
    """Read a value in YAML as plain data.

    Raises:
        ValueError: when it cannot be read.
    """
    return entry_data(f"v: {value}")["v"]


def _with_text(text: str, place: Place, new: str) -> str:
    starts = [*line_starts_of(text), len(text)]
    first = starts[place.line - 1] + place.column - 1
    last = starts[min(place.end_line, len(starts)) - 1] + place.end_column - 1
    new = new.replace("\n", newline_of(text))
    return f"{text[:first]}{new}{text[last:]}"


def _with_word(text: str, file: str, place: Place, old: str, new: str) -> str:
    tree = read_text(text, file).tree
    start = (place.line, place.column)
    words = [*scalars(tree)] if tree is not None else []
    word = next((word for word in words if (word.line, word.column) == start), None)
    if word is None:
        # A part of a longer text: a name in a list without brackets, a speaker in a block.
        around = (
            word
            for word in words
            if (word.line, word.column) < start < (word.end_line, word.end_column)
        )
        word = next(around, None)
    if word is None:
        raise LookupError(f"{file}:{place.line}: no word is here")
    if old and old != word:
        match = re.search(rf"(?<!\w){re.escape(old)}(?!\w)", word)
        if match is None:
            raise LookupError(f"{file}:{place.line}: '{old}' is not here")
        new = f"{word[: match.start()]}{new}{word[match.end() :]}"
    return replace_words(text, file, {(word.line, word.column): new})


def _without_item(text: str, file: str, place: Place) -> str:
    tree = tree_of(text, file)
    target = find_route(tree, place.line, place.column)
    if target is None:
        raise LookupError(f"{file}:{place.line}: nothing is here")
    route = target[0]
    *outer, last = route
    if route[0] != "log":
        if not outer:
            return set_head(text, file, str(last), None)
        items = value_at(tree, outer)
        if not isinstance(items, SequenceNode):
            raise LookupError(f"{file}:{place.line}: no list is here")
        left_items = [str(item) for index, item in enumerate(items) if index != last]
        return set_head(text, file, str(outer[0]), left_items)
    if len(route) == 3 and isinstance(last, str):
        return drop_option(text, file, int(route[1]), last)

    def change(entry: Any) -> None:
        del value_at(entry, outer[2:])[last]

    return change_entry(text, file, int(route[1]), change)


def _without_words(text: str, file: str, key: str, words: Collection[str]) -> str:
    items = tree_of(text, file).get(ScalarNode(key))
    if not isinstance(items, SequenceNode):
        raise LookupError(f"{file}: no list '{key}' is here")
    return set_head(text, file, key, [str(word) for word in items if word not in words])


def _with_setting(text: str, file: str, key: str, value: str) -> str:
    if tree_of(text, file).key(key) is not None:
        return set_head(text, file, key, data_from(value))
    end = "" if text.endswith("\n") else "\n"
    return f"{text}{end}{key}: {value}\n"


def _with_reading(text: str, file: str, key: str, reading: str) -> str:
    chosen = tree_of(text, file).get(ScalarNode("rulings"))
    old = chosen.get(ScalarNode(key)) if isinstance(chosen, MappingNode) else None
    if isinstance(old, ScalarNode):
        return replace_words(text, file, {(old.line, old.column): reading})
    return add_pair_to_mapping(text, file, "rulings", key, reading)


def _with_words(text: str, file: str, key: str, words: Collection[str]) -> str:
    value = tree_of(text, file).get(ScalarNode(key))
    if isinstance(value, MappingNode):
        raise EditRefused(f"{file}: '{key}' is no list")
    if value is None and file == SETTINGS_FILE:
        end = "" if text.endswith("\n") else "\n"
        return f"{text}{end}{key}: [{', '.join(words)}]\n"
    listed = [value] if isinstance(value, ScalarNode) and value else value or []
    if not all(isinstance(word, ScalarNode) for word in listed):
        raise EditRefused(f"{file}: '{key}' holds more than words")
    return set_head(text, file, key, [*map(str, listed), *words])
