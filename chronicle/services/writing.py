"""Write at the desk: insert, change and remove entries; undo and redo."""

from __future__ import annotations

import textwrap
from collections import deque
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from chronicle.core.declare import Action
from chronicle.core.shared_verbs import Tell
from chronicle.core.source import MappingNode, ScalarNode, SequenceNode, Value
from chronicle.services.hints import row_for_desk
from chronicle.services.merge import current_line_number, merge_texts
from chronicle.services.open_campaigns import (
    MOST_WRITE_ATTEMPTS,
    Conflict,
    FileChange,
    OpenCampaign,
    Unanswerable,
    WorkingCopy,
    version_of,
)
from chronicle.syntax.edit import (
    drop_entry,
    entry_at,
    entry_text,
    find_entry_with_own_lines,
    insert_entry,
    last_line_of_entry,
    nested_entry,
    replace_entry,
    set_text,
)
from chronicle.syntax.one_line import write_line
from chronicle.syntax.reader import read_text
from chronicle.syntax.reading_cache import EntryCache
from chronicle.syntax.yaml_text import plain_data
from chronicle.words import word

MOST_UNDOABLE_CHANGES: Final = 200
"""Number of changes that a desk can undo."""


MOST_RECENT_CHANGES: Final = 5
"""In how many of the last changes the cause of a problem is looked for."""


class WrittenChange(NamedTuple):
    """A finished change: the texts of each file before and after, and a short description."""

    summary: str
    texts_before_after: dict[str, tuple[str | None, str | None]]


class History:
    """The changes of one desk to one campaign, and the changes that it has undone."""

    def __init__(self) -> None:
        self._written: deque[WrittenChange] = deque(maxlen=MOST_UNDOABLE_CHANGES)
        self._undone: list[WrittenChange] = []

    def record_change(self, change: WrittenChange) -> None:
        """Record a change."""
        self._written.append(change)
        self._undone.clear()

    def undo(self, opened: OpenCampaign) -> WrittenChange:
        """Undo the latest change."""
        if not self._written:
            raise Unanswerable(word("server.nothing_to_undo"))
        change = self._written[-1]
        _change_texts(
            opened,
            change.summary,
            {
                name: (new_text, old_text)
                for name, (old_text, new_text) in change.texts_before_after.items()
            },
        )
        self._undone.append(self._written.pop())
        return change

    def redo(self, opened: OpenCampaign) -> WrittenChange:
        """Redo the latest undone change."""
        if not self._undone:
            raise Unanswerable(word("server.nothing_to_redo"))
        change = self._undone[-1]
        _change_texts(opened, change.summary, change.texts_before_after)
        self._written.append(self._undone.pop())
        return change

    def latest_changes(self) -> list[WrittenChange]:
        """The last changes, the latest first."""
        return [*self._written][: -MOST_RECENT_CHANGES - 1 : -1]

    def change_summaries(self) -> dict[str, str]:
        """Descriptions of the changes that undo and redo would affect; empty if there is none."""
        return {
            "undo": self._written[-1].summary if self._written else "",
            "redo": self._undone[-1].summary if self._undone else "",
        }


def _change_texts(
    opened: OpenCampaign, summary: str, texts_before_after: dict[str, tuple[str | None, str | None]]
) -> None:
    """Change files from the first text to the second; changes by others are merged."""
    existing_names = {file.name for file in opened.files()}
    edits: dict[str, FileChange] = {}
    try:
        for name, (old_text, new_text) in texts_before_after.items():
            edits[name] = FileChange(old_text, new_text)
            if name in existing_names and old_text is not None and new_text is not None:
                working_copy = opened.working_copy(name)
                edits[name] = working_copy.edit(
                    merge_or_raise(name, old_text, new_text, working_copy.text)
                )
        opened.write_changes(edits)
    except Conflict:
        raise Unanswerable(
            f"{', '.join(edits)} was changed meanwhile, just where '{summary}' stands",
            "look at it, and change it there",
        ) from None


def merge_or_raise(file_name: str, base_text: str, own_text: str, current_text: str) -> str:
    """Merge a change of ours with the current text of a file.

    Raises:
        Conflict: if both change the same lines.
    """
    text = merge_texts(base_text, own_text, current_text)
    if text is None:
        raise Conflict(file_name)
    return text


def as_list_item(entry: str) -> str:
    """An entry as an item of a list."""
    first_row, *other_rows = entry.split("\n")
    return "\n".join([f"- {first_row}", *(f"  {row}" if row else row for row in other_rows)])


# -- entries ---------------------------------------------------------------------------------------


def read_entries(entries_text: str) -> list[str]:
    """The entries in a YAML text, each without its dash, as they will be written."""
    parsed = read_text(entries_text, "")
    first_error = next((problem for problem in parsed.problems if problem.severity > 2), None)
    if first_error is not None:
        raise Unanswerable(f"this entry cannot be read: {first_error.message}", *first_error.help)
    if isinstance(parsed.tree, MappingNode) and parsed.tree:
        return [textwrap.dedent(entries_text).strip("\n")]
    if isinstance(parsed.tree, SequenceNode) and parsed.tree:
        return _split_entries(entries_text, parsed.tree)
    raise Unanswerable("an entry is a verb with its value, as in  tell: It rains")


def _split_entries(entries_text: str, items: SequenceNode) -> list[str]:
    """The entries of a list, one by one."""
    entries_rows = entries_text.split("\n")
    item_lines = [item.line for item in items] + [len(entries_rows) + 1]
    entries = []
    for item, next_start in zip(items, item_lines[1:], strict=True):
        if not isinstance(item, MappingNode):
            raise Unanswerable("an entry is a verb with its value, as in  tell: It rains")
        indent = item.column - 1
        own_rows = [row[indent:] for row in entries_rows[item.line - 1 : next_start - 1]]
        entries.append("\n".join(own_rows).strip("\n"))
    return entries


def with_text(entry: str, text: str) -> str:
    """An entry with fiction as a block below it; for an entry that only tells, as its value."""
    text_key = Tell.verb if entry.strip() == f"{Tell.verb}:" else "text"
    entry_node = read_text(entry, "").tree
    if isinstance(entry_node, MappingNode) and ScalarNode("text") in entry_node:
        raise Unanswerable("this entry has a text already")
    if entry.lstrip().startswith("{"):
        raise Unanswerable("write the entry without braces, and the text fits below it")
    fiction = text.strip("\n").rstrip()
    indicator = "|2-" if fiction[:1].isspace() else "|"
    fiction_block = "\n".join(f"  {row}" if row.strip() else "" for row in fiction.split("\n"))
    first_part = f"{entry.rstrip()}\n" if text_key == "text" else ""
    complete_entry = f"{first_part}{text_key}: {indicator}\n{fiction_block}"
    reread_node = read_text(complete_entry + "\n", "").tree
    stored_text = (
        reread_node.get(ScalarNode(text_key)) if isinstance(reread_node, MappingNode) else None
    )
    if not isinstance(stored_text, ScalarNode) or stored_text.strip() != fiction.strip():
        raise Unanswerable("this text has characters in it that no file can keep")
    return complete_entry


class EntryPlace(NamedTuple):
    """The place of an inserted entry."""

    file: str
    line: int
    change: WrittenChange


def place_in_current_text(
    opened: OpenCampaign, file: str, line: int, base_version: str
) -> tuple[str, int, WorkingCopy]:
    """The file and the line that a request means, and the current text. Without a file it is the end of the
    last session; ``line`` refers to ``base_version``, if given."""
    file_name = file or last_session_file(opened)
    working_copy = opened.working_copy(file_name)
    current_text = working_copy.text
    if line < 0 or not file:
        return file_name, current_text.count("\n") + 1, working_copy
    known_text = opened.known_text(base_version) if base_version else current_text
    current_line = (
        None
        if known_text is None
        else current_line_number(known_text, current_text, line)
        if line
        else 0
    )
    if current_line is None:
        raise Unanswerable(
            f"{file_name} was changed meanwhile, just there", "look at it again, and say where"
        )
    return file_name, current_line, working_copy


def last_session_file(opened: OpenCampaign) -> str:
    """The file of the last session."""
    campaign = opened.workspace.campaign
    if campaign is None:
        raise opened.unreadable()
    if not campaign.sessions:
        raise Unanswerable("there is no session yet", "start one first")
    return campaign.sessions[-1].path


class DraftedFile(NamedTuple):
    """A file with inserted entries: its working copy, its new text, the line of the last entry."""

    file: str
    working_copy: WorkingCopy
    new_text: str
    line: int

    @property
    def old_text(self) -> str:
        """The text of the file before the change."""
        return self.working_copy.text


def _write_draft(opened: OpenCampaign, draft: DraftedFile, summary: str) -> EntryPlace:
    """Write a drafted file. The line of its entry may change by a merge."""
    texts_before_after = opened.write_changes({draft.file: draft.working_copy.edit(draft.new_text)})
    _, merged_text = texts_before_after.get(draft.file, (None, None))
    line = (
        draft.line
        if merged_text is None
        else current_line_number(draft.new_text, merged_text, draft.line) or draft.line
    )
    return EntryPlace(draft.file, line, WrittenChange(summary, texts_before_after))


def draft_insertion(
    opened: OpenCampaign, file: str, line: int, entries: list[str], base_version: str = ""
) -> DraftedFile:
    """The draft of a file with entries inserted after the entry on a line; nothing is written."""
    file_name, current_line, working_copy = place_in_current_text(opened, file, line, base_version)
    new_text = working_copy.text
    entry_cache = opened.entry_cache(file_name)
    entry_position = entry_at(new_text, file_name, current_line, entry_cache)
    first_index = entry_position[0] + 1 if entry_position else 0
    for entry_index, new_entry in enumerate(entries, first_index):
        new_text = insert_entry(new_text, file_name, new_entry, entry_index, entry_cache)
    return DraftedFile(
        file_name,
        working_copy,
        new_text,
        _first_line_of_entry(
            new_text, file_name, first_index + len(entries) - 1, entry_cache=entry_cache
        ),
    )


def insert_entries(
    opened: OpenCampaign, file: str, line: int, base_version: str, entries: list[str]
) -> EntryPlace:
    """Insert entries after the entry on a line."""
    existing_place = _place_if_written(opened, file, line, base_version, entries)
    if existing_place is not None:
        return existing_place
    for tries_left in reversed(range(MOST_WRITE_ATTEMPTS)):
        new_draft = draft_insertion(opened, file, line, entries, base_version)
        try:
            return _write_draft(opened, new_draft, _entry_summary(opened, entries[-1]))
        except Conflict:
            # Another desk has written at the same place: insert both, into the current text. Line
            # numbers refer to the text that was seen first.
            base_version = base_version or version_of(new_draft.old_text)
            if not tries_left or new_draft.working_copy.base_text != new_draft.old_text:
                raise
    raise AssertionError("the last try returns or raises")


def _place_if_written(
    opened: OpenCampaign, file: str, line: int, base_version: str, entries: list[str]
) -> EntryPlace | None:
    """The place of entries that are sent again because the first answer was lost together with the memory of
    this desk: they should follow a text that is forgotten, and they do."""
    file_name = file or last_session_file(opened)
    current_text = opened.text(file_name)
    if (
        not base_version
        or base_version == version_of(current_text)
        or opened.known_text(base_version) is not None
    ):
        return None
    tree = read_text(current_text, file_name).tree
    log_node = tree.get(ScalarNode("log")) if isinstance(tree, MappingNode) else None
    if not isinstance(log_node, SequenceNode):
        return None
    first_index = (
        sum(item.line <= line for item in log_node) if file else len(log_node) - len(entries)
    )
    sent_nodes = [read_text(f"{typed_entry}\n", "").tree for typed_entry in entries]
    if first_index < 0 or log_node[first_index : first_index + len(sent_nodes)] != sent_nodes:
        return None
    return EntryPlace(
        file_name,
        log_node[first_index + len(sent_nodes) - 1].line,
        WrittenChange(_entry_summary(opened, entries[-1]), {}),
    )


def change_entry(
    opened: OpenCampaign, file: str, line: int, base_version: str, entries: list[str]
) -> EntryPlace:
    """Replace the entry on a line, or the nested one that begins there; without ``entries``, remove it."""
    new_draft = draft_change(opened, file, line, base_version, entries)
    old_first_row = new_draft.old_text.split("\n")[new_draft.line - 1].strip().removeprefix("- ")
    summary = _entry_summary(opened, entries[0] if entries else old_first_row)
    if not entries:
        summary = word("server.without_entry", entry=summary)
    # For a removed entry, the place is that of the entry around it, if any.
    enclosing_position = (
        None
        if entries
        else entry_at(
            new_draft.old_text, new_draft.file, new_draft.line, opened.entry_cache(new_draft.file)
        )
    )
    return _write_draft(
        opened,
        new_draft._replace(line=enclosing_position[1]) if enclosing_position else new_draft,
        summary,
    )


def draft_change(
    opened: OpenCampaign, file: str, line: int, base_version: str, entries: list[str]
) -> DraftedFile:
    """The draft of a file with the entry on a line replaced, or the nested one that begins there; without
    ``entries``, removed. Nothing is written."""
    file_name, current_line, working_copy = place_in_current_text(opened, file, line, base_version)
    old_text = working_copy.text
    entry_cache = opened.entry_cache(file_name)
    entry_position = entry_at(old_text, file_name, current_line, entry_cache)
    if entry_position is None:
        raise Unanswerable(f"there is no entry on line {line} of {file_name}")
    if len(entries) > 1:
        raise Unanswerable("write one entry in place of one")
    entry_index = entry_position[0]
    if entries:
        new_text = replace_entry(
            old_text, file_name, entry_index, entries[0], current_line, entry_cache
        )
        return DraftedFile(
            file_name,
            working_copy,
            new_text,
            line_range(old_text, file_name, current_line, entry_cache)[0],
        )
    new_text = drop_entry(old_text, file_name, entry_index, current_line, entry_cache)
    return DraftedFile(
        file_name,
        working_copy,
        new_text,
        _first_line_of_entry(old_text, file_name, entry_index, current_line, entry_cache),
    )


def entry_source(file_name: str, file_text: str, line: int) -> dict[str, Any]:
    """The entry on a line as typed, and its fiction."""
    entry_position = entry_at(file_text, file_name, line)
    if entry_position is None:
        raise Unanswerable(f"there is no entry on line {line} of {file_name}")
    entry = entry_text(file_text, file_name, entry_position[0], line)
    first_line, last_line = line_range(file_text, file_name, line)
    entry_node = read_text(entry + "\n", "").tree
    text_node = entry_node.get(ScalarNode("text")) if isinstance(entry_node, MappingNode) else None
    fiction = str(text_node) if isinstance(text_node, ScalarNode) else ""
    return {"entry": entry, "fiction": fiction, "line": first_line, "end_line": last_line}


def line_range(
    file_text: str, file_name: str, line: int, entry_cache: EntryCache | None = None
) -> tuple[int, int]:
    """The first and the last line of the entry on a line, or of the nested one that begins there."""
    entry_position = entry_at(file_text, file_name, line, entry_cache)
    assert entry_position is not None
    entry_node = find_entry_with_own_lines(
        file_text, _entry_node(file_text, file_name, entry_position[0], entry_cache), line
    )
    return entry_node.line, last_line_of_entry(entry_node)


def set_fiction(
    opened: OpenCampaign, file: str, line: int, base_version: str, fiction: str
) -> EntryPlace:
    """Set or replace the fiction of an entry; the rest stays."""
    file_name, current_line, working_copy = place_in_current_text(opened, file, line, base_version)
    entry_cache = opened.entry_cache(file_name)
    entry_position = entry_at(working_copy.text, file_name, current_line, entry_cache)
    if entry_position is None:
        raise Unanswerable(f"there is no entry on line {line} of {file_name}")
    new_text = set_text(
        working_copy.text, file_name, entry_position[0], fiction, current_line, entry_cache
    )
    new_draft = DraftedFile(
        file_name,
        working_copy,
        new_text,
        _first_line_of_entry(
            working_copy.text, file_name, entry_position[0], current_line, entry_cache
        ),
    )
    return _write_draft(
        opened,
        new_draft,
        word(
            "server.story_is", words=_shorten_first_row(fiction.strip() or word("server.no_story"))
        ),
    )


def _first_line_of_entry(
    file_text: str,
    file_name: str,
    entry_index: int,
    nested_line: int = 0,
    entry_cache: EntryCache | None = None,
) -> int:
    """The first line of the entry with an index, or of the nested one that begins on a line."""
    return nested_entry(
        _entry_node(file_text, file_name, entry_index, entry_cache), nested_line
    ).line


def _entry_node(
    file_text: str, file_name: str, entry_index: int, entry_cache: EntryCache | None = None
) -> Value:
    tree = read_text(file_text, file_name, entry_cache).tree
    assert isinstance(tree, MappingNode)
    log_node = tree[ScalarNode("log")]
    assert isinstance(log_node, SequenceNode)
    return log_node[entry_index]


def entry_as_line(entry: str, verbs: Mapping[str, type[Action]]) -> tuple[str, str]:
    """An entry as one line without its actor, and the actor. The line is empty if no line means the same."""
    tree = read_text(f"{entry}\n", "").tree
    data = plain_data(tree) if tree is not None else None
    if not isinstance(data, dict):
        return "", ""
    actor = data.pop("by", "")
    return (write_line(data, verbs), actor) if isinstance(actor, str) else ("", "")


def _entry_summary(opened: OpenCampaign, entry: str) -> str:
    """The first row of an entry in one line, as the desk shows it."""
    first_row = entry.split("\n", 1)[0]
    record = opened.workspace.record
    line, _ = entry_as_line(first_row, record.rulebook.by_verb) if record is not None else ("", "")
    return _shorten_first_row(line or row_for_desk(f"- {first_row}"))


def _shorten_first_row(text: str) -> str:
    first_row = text.split("\n", 1)[0]
    return first_row if len(first_row) < 60 else f"{first_row[:57]}..."


def place_data(opened: OpenCampaign, entry_place: EntryPlace) -> dict[str, Any]:
    """The present place and number of an entry."""
    record = opened.workspace.record
    all_steps = record.steps if record is not None else []
    step_number = next(
        (
            step.number
            for step in all_steps
            if step.action.path == entry_place.file
            and step.action.whole_place.line == entry_place.line
        ),
        0,
    )
    return {"file": entry_place.file, "line": entry_place.line, "step": step_number}
