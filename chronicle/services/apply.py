"""Apply a fix to the text of a file. Nothing is written here."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from functools import partial
from typing import Any, NamedTuple

from chronicle.core.declare import Action
from chronicle.core.errors import Refused
from chronicle.core.field_types import UNRECORDED
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


class ChangedFile(NamedTuple):
    """A file and the text that it has with a fix."""

    file: str
    text: str


def apply_fix(
    fix: Fix, text_of: Callable[[str], str], verbs: Collection[str], file: str
) -> ChangedFile | None:
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
    (changed_file,) = files
    original_text = file_text = text_of(changed_file)
    # From the end of the file to its beginning, so that the places above do not move.
    for edit in sorted(edits, key=_end_first_sort_key):
        try:
            file_text = _apply_edit(edit, file_text, changed_file, verbs)
        except (Refused, LookupError, TypeError, AttributeError, ValueError):
            return None
    return ChangedFile(changed_file, file_text) if file_text != original_text else None


def _file_of(edit: Edit, file: str) -> str:
    if isinstance(edit, SETTINGS_EDITS):
        return SETTINGS_FILE
    return edit.place.path if edit.place is not None else file


def _end_first_sort_key(edit: Edit) -> tuple[int, int, bool]:
    edit_place = edit.place or Place("", 0, 0, 0, 0)
    return -edit_place.line, -edit_place.column, isinstance(edit, InsertEntry)


def _apply_edit(edit: Edit, file_text: str, file: str, verbs: Collection[str]) -> str:
    """The text with an edit made.

    Raises:
        Refused: when something else would change besides.
        LookupError: when the place of the edit is empty.
    """
    match edit:
        case AddToSettings(key, new_items):
            return _with_items_added(file_text, file, key, new_items)
        case RemoveFromSettings(key, removed_item):
            return _without_items(file_text, file, key, (removed_item,))
        case SetSetting(key, value):
            return _with_setting(file_text, file, key, value)
        case ChooseReading(key, value):
            return _with_reading(file_text, file, key, value)
        case AddToHead(key, new_item):
            return _with_items_added(file_text, file, key, (new_item,))
    assert edit.place is not None
    match edit:
        case ReplaceText(new_text):
            return _with_text(file_text, edit.place, new_text)
        case ReplaceWord(new_word, _, old_word):
            return _with_word(file_text, file, edit.place, old_word, new_word)
        case RemoveItem():
            return _without_item(file_text, file, edit.place)
        case SetPair("", name, value):
            return _with_pair_at(file_text, file, edit.place, name, data_from(value))
    entry_index, route = entry_route(file_text, file, edit.place, verbs)
    match edit:
        case MoveEntry(distance) if not route and 0 <= entry_index + distance < len(
            _log_node(file_text, file)
        ):
            moved_entry = entry_text(file_text, file, entry_index)
            text_without_entry = replace_entry(file_text, file, entry_index, None)
            return insert_entry(text_without_entry, file, moved_entry, entry_index + distance)
        case InsertEntry(entry) if not route:
            return insert_entry(file_text, file, entry, entry_index)
        case ReplaceEntry(entry) if not route:
            return replace_entry(
                file_text, file, entry_index, _with_common_keys(file_text, file, entry_index, entry)
            )
        case RemoveEntry() if not route:
            return replace_entry(file_text, file, entry_index, None)
        case InsertEntry() | ReplaceEntry() | RemoveEntry():
            return change_entry(
                file_text, file, entry_index, partial(_change_nested_entry, route, edit)
            )
        case SetKey(key, value):
            return _with_key(file_text, file, entry_index, route, key, value)
        case RemoveKey(key) if not route:
            return drop_option(file_text, file, entry_index, key)
        case RemoveKey(key):
            return change_entry(
                file_text,
                file,
                entry_index,
                lambda entry_node: value_at(entry_node, route).pop(key),
            )
        case SetPair(key, name, value):
            return change_entry(
                file_text, file, entry_index, partial(_set_pair, route, key, name, data_from(value))
            )
        case OrderPairs(key, names):
            return change_entry(
                file_text, file, entry_index, partial(_order_pairs, route, key, names)
            )
        case AddItem(key, item):
            return change_entry(file_text, file, entry_index, partial(_add_item, route, key, item))
    raise EditRefused(f"{file}: this cannot be changed in an entry")


def entry_route(
    file_text: str, file: str, place: Place, verbs: Collection[str]
) -> tuple[int, list[int | str]]:
    """The index in the log of the entry around a place, and the way from it to an entry inside it, if the
    place is inside such an entry.

    Raises:
        LookupError: when the place is outside the entries.
    """
    entry_position = entry_at(file_text, file, place.line)
    if entry_position is None:
        raise LookupError(f"{file}:{place.line}: no entry is here")
    entry_node = _log_node(file_text, file)[entry_position[0]]
    route_and_is_key = find_route(entry_node, place.line, place.column)
    route_to_entry = [*route_and_is_key[0]] if route_and_is_key is not None else []
    while route_to_entry:
        inner_node = value_at(entry_node, route_to_entry)
        is_in_list = isinstance(route_to_entry[-1], int)
        if (
            is_in_list
            and isinstance(inner_node, MappingNode)
            and any(str(key) in verbs for key in inner_node)
        ):
            break
        route_to_entry.pop()
    return entry_position[0], route_to_entry


def _log_node(file_text: str, file: str) -> SequenceNode:
    log_node = tree_of(file_text, file).get(ScalarNode("log"))
    return log_node if isinstance(log_node, SequenceNode) else SequenceNode()


def _with_key(
    file_text: str,
    file: str,
    entry_index: int,
    route: list[int | str],
    key: str,
    written_value: str,
) -> str:
    entry_node: Value = value_at(_log_node(file_text, file)[entry_index], route)
    if not isinstance(entry_node, MappingNode):
        raise LookupError(f"{file}: no entry is here")
    if written_value and written_value[0] not in "[{" and "\n" not in written_value:
        return set_option(file_text, file, entry_node, key, written_value)
    value_data = data_from(written_value)
    if isinstance(value_data, str) and "\n" in value_data:
        value_data = block_scalar(value_data)

    def set_value(logged_entry_node: Any) -> None:
        value_at(logged_entry_node, route)[key] = value_data

    return change_entry(file_text, file, entry_index, set_value)


def _with_common_keys(file_text: str, file: str, entry_index: int, new_entry: str) -> str:
    """An entry that replaces another, with the keys of the other that all entries share."""
    replaced_node = _log_node(file_text, file)[entry_index]
    new_entry_data = entry_data(new_entry)
    common_values = {
        str(key): ruamel_data(value)
        for key, value in (replaced_node.items() if isinstance(replaced_node, MappingNode) else ())
        if str(key) in Action.fields and str(key) not in new_entry_data
    }
    return f"{new_entry}\n{write_entry(common_values)}" if common_values else new_entry


def _change_nested_entry(
    route: list[int | str], edit: InsertEntry | ReplaceEntry | RemoveEntry, entry_node: Any
) -> None:
    """Insert, replace or remove an entry inside another, in a list of entries."""
    *outer_route, inner_index = route
    inner_entries = value_at(entry_node, outer_route)
    if not isinstance(inner_entries, list) or not isinstance(inner_index, int):
        raise LookupError("no list of entries is here")
    if not isinstance(edit, InsertEntry):
        del inner_entries[inner_index]
    if not isinstance(edit, RemoveEntry):
        inner_entries.insert(inner_index, entry_data(edit.text))


def entry_data(entry_text: str) -> Any:
    """An entry, written as in a log without its dash, as plain data.

    Raises:
        ValueError: when it cannot be read.
    """
    parsed = read_text(f"{entry_text}\n", "")
    if parsed.problems or not isinstance(parsed.tree, MappingNode):
        raise ValueError(entry_text)
    return ruamel_data(parsed.tree)


def _with_pair_at(file_text: str, file: str, place: Place, pair_name: str, pair_value: Any) -> str:
    tree = tree_of(file_text, file)
    route_and_is_key = find_route(tree, place.line, place.column)
    if route_and_is_key is None or route_and_is_key[0][:1] != ["log"]:
        raise LookupError(f"{file}:{place.line}: no entry is here")
    route_to_mapping = [*route_and_is_key[0]]
    while not isinstance(value_at(tree, route_to_mapping), MappingNode):
        route_to_mapping.pop()

    def set_pair(entry_node: Any) -> None:
        value_at(entry_node, route_to_mapping[2:])[pair_name] = pair_value

    return change_entry(file_text, file, int(route_to_mapping[1]), set_pair)


def _set_pair(
    route: list[int | str], mapping_key: str, pair_name: str, pair_value: Any, entry_node: Any
) -> None:
    """Set a pair of the mapping under a key, which is added if it is missing."""
    entry_node = value_at(entry_node, route)
    if not entry_node.get(mapping_key):
        entry_node[mapping_key] = {}
    entry_node[mapping_key][pair_name] = pair_value


def _order_pairs(
    route: list[int | str], mapping_key: str, pair_names: Collection[str], entry_node: Any
) -> None:
    """Put the pairs of the mapping under a key into the order of their names."""
    pairs = value_at(entry_node, route)[mapping_key]
    for pair_name in pair_names:
        if pair_name in pairs:
            pairs[pair_name] = pairs.pop(pair_name)


def _add_item(route: list[int | str], list_key: str, new_item: str, entry_node: Any) -> None:
    """Add an item to the list under a key, which is added if it is missing."""
    entry_node = value_at(entry_node, route)
    present_items = entry_node.get(list_key)
    if isinstance(present_items, list):
        present_items.append(new_item)
    else:
        entry_node[list_key] = [present_items, new_item] if present_items else new_item


def data_from(yaml_value: str) -> Any:
    """Read a value in YAML as plain data.

    Raises:
        ValueError: when it cannot be read.
    """
    return entry_data(f"v: {yaml_value}")["v"]


def _with_text(file_text: str, place: Place, new_text: str) -> str:
    line_starts = [*line_starts_of(file_text), len(file_text)]
    start_offset = line_starts[place.line - 1] + place.column - 1
    end_offset = line_starts[min(place.end_line, len(line_starts)) - 1] + place.end_column - 1
    new_text = new_text.replace("\n", newline_of(file_text))
    return f"{file_text[:start_offset]}{new_text}{file_text[end_offset:]}"


def _with_word(file_text: str, file: str, place: Place, old_word: str, new_word: str) -> str:
    tree = read_text(file_text, file).tree
    position = (place.line, place.column)
    all_scalars = [*scalars(tree)] if tree is not None else []
    scalar = next(
        (scalar for scalar in all_scalars if (scalar.line, scalar.column) == position), None
    )
    if scalar is None:
        # A part of a longer text: a name in a list without brackets, a speaker in a block.
        enclosing_scalars = (
            scalar
            for scalar in all_scalars
            if (scalar.line, scalar.column) < position < (scalar.end_line, scalar.end_column)
        )
        scalar = next(enclosing_scalars, None)
    if scalar is None:
        raise LookupError(f"{file}:{place.line}: no word is here")
    if old_word and old_word != scalar:
        word_match = re.search(rf"(?<!\w){re.escape(old_word)}(?!\w)", scalar)
        if word_match is None:
            raise LookupError(f"{file}:{place.line}: '{old_word}' is not here")
        new_word = f"{scalar[: word_match.start()]}{new_word}{scalar[word_match.end() :]}"
    return replace_words(file_text, file, {(scalar.line, scalar.column): new_word})


def _without_item(file_text: str, file: str, place: Place) -> str:
    tree = tree_of(file_text, file)
    route_and_is_key = find_route(tree, place.line, place.column)
    if route_and_is_key is None:
        raise LookupError(f"{file}:{place.line}: nothing is here")
    route = route_and_is_key[0]
    *outer_route, last_key = route
    if route[0] != "log":
        if not outer_route:
            return set_head(file_text, file, str(last_key), None)
        items = value_at(tree, outer_route)
        if not isinstance(items, SequenceNode):
            raise LookupError(f"{file}:{place.line}: no list is here")
        remaining_items = [str(item) for index, item in enumerate(items) if index != last_key]
        return set_head(file_text, file, str(outer_route[0]), remaining_items)
    if len(route) == 3 and isinstance(last_key, str):
        return drop_option(file_text, file, int(route[1]), last_key)

    def delete_item(entry_node: Any) -> None:
        del value_at(entry_node, outer_route[2:])[last_key]

    return change_entry(file_text, file, int(route[1]), delete_item)


def _without_items(file_text: str, file: str, list_key: str, removed_items: Collection[str]) -> str:
    list_node = tree_of(file_text, file).get(ScalarNode(list_key))
    if not isinstance(list_node, SequenceNode):
        raise LookupError(f"{file}: no list '{list_key}' is here")
    return set_head(
        file_text, file, list_key, [str(item) for item in list_node if item not in removed_items]
    )


def _with_setting(file_text: str, file: str, key: str, yaml_value: str) -> str:
    if tree_of(file_text, file).key(key) is not None:
        return set_head(file_text, file, key, data_from(yaml_value))
    missing_newline = "" if file_text.endswith("\n") else "\n"
    return f"{file_text}{missing_newline}{key}: {yaml_value}\n"


def _with_reading(file_text: str, file: str, ruling_key: str, reading: str) -> str:
    rulings_node = tree_of(file_text, file).get(ScalarNode("rulings"))
    old_reading = (
        rulings_node.get(ScalarNode(ruling_key)) if isinstance(rulings_node, MappingNode) else None
    )
    if isinstance(old_reading, ScalarNode):
        return replace_words(file_text, file, {(old_reading.line, old_reading.column): reading})
    return add_pair_to_mapping(file_text, file, "rulings", ruling_key, reading)


def _with_items_added(file_text: str, file: str, list_key: str, new_items: Collection[str]) -> str:
    old_node = tree_of(file_text, file).get(ScalarNode(list_key))
    if isinstance(old_node, MappingNode):
        raise EditRefused(f"{file}: '{list_key}' is no list")
    if old_node is None and file == SETTINGS_FILE:
        missing_newline = "" if file_text.endswith("\n") else "\n"
        return f"{file_text}{missing_newline}{list_key}: [{', '.join(new_items)}]\n"
    present_items = [old_node] if isinstance(old_node, ScalarNode) and old_node else old_node or []
    if not all(isinstance(item, ScalarNode) for item in present_items):
        raise EditRefused(f"{file}: '{list_key}' holds more than words")
    return set_head(file_text, file, list_key, [*map(str, present_items), *new_items])
