"""Rename a person or object everywhere in a campaign: find the words in its files, and replace them.

A replay knows the subject of each word (:class:`~chronicle.core.names.RecordingNames`): ``Okafor`` changes for
Dr. Emeka Okafor, but not the trait of that name. Texts of the story do not change."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from chronicle.core.campaign import Campaign, Settings
from chronicle.core.diagnostic import with_article
from chronicle.core.errors import Refused
from chronicle.core.file_reading import files_in, read_file
from chronicle.core.keepers import EntryFinder, entry_digest, find_references, keepers_texts_in
from chronicle.core.names import PLAYER, Named, Names, RecordingNames, fold
from chronicle.core.record import Record, Step
from chronicle.core.source import MappingNode, ScalarNode, Value, scalars
from chronicle.syntax.edit_head import add_pair_to_mapping
from chronicle.syntax.edit_words import replace_words
from chronicle.syntax.find import SETTINGS_FILE
from chronicle.syntax.reader import read_text
from chronicle.syntax.text_edit import DecodedFile, EditRefused, decode_for_edit

_PAGE_HEAD: Final = re.compile(
    r"---[ \t]*(?:\r\n|\r|\n)(.*?)(?<=[\r\n])---[ \t]*(?=[\r\n]|\Z)", re.DOTALL
)
_PERSON_KEYS: Final = frozenset(("about", "voice", "author", "artist"))
"""Keys of a journal entry, a note or a caption that name a person."""


_STORY_KEYS: Final = frozenset(("text", "note", "id", "title", "summary", "recap", "tell"))
"""Keys of a log whose words never count as names."""


class FileChange(NamedTuple):
    """A file with its new text; ``word_count`` is the number of changed words."""

    file: Path
    source: DecodedFile
    new_text: str
    word_count: int


class Renaming(NamedTuple):
    """A renaming: the subject, the name that is replaced, and the new name. With ``merges`` the new name
    belongs to another subject that turned out to be the same."""

    subject: Named
    old_name: str
    new_name: str
    merges: bool = False

    def replacement_for(self, word: str) -> str | None:
        """The replacement for a word that names the subject; None if it may stay."""
        if fold(word) == fold(self.old_name):
            return self.new_name
        other_names = [self.new_name, self.subject.name, *self.subject.aliases]
        other_names = [name for name in other_names if fold(name) != fold(self.old_name)]
        if any(_contains_word(name, word) for name in other_names) or not _contains_word(
            self.old_name, word
        ):
            return None
        return self.new_name


class NotRenamed(Refused):
    """A renaming that is not possible: no subject has the old name, or the new name is not allowed."""

    def __init__(self, message: str, *help: str) -> None:
        super().__init__(message)
        self.help = help


def plan_renaming(
    campaign: Campaign, names: Names, name_as_typed: str, new_name: str, *, merges: bool = False
) -> Renaming:
    """Check a renaming: find the subject, and check that the new name is free.

    Raises:
        NotRenamed: if there is no such subject, or the new name is not allowed.
    """
    subject = names.find_by_name_or_id(name_as_typed)
    if not isinstance(subject, Named):
        message = (
            subject.message
            if subject.candidates
            else f"nothing is called '{name_as_typed}'{subject.message}"
        )
        raise NotRenamed(message)
    all_names = (subject.name, *subject.aliases)
    old_name = next((name for name in all_names if fold(name) == fold(name_as_typed)), subject.name)
    if not new_name or "\n" in new_name:
        raise NotRenamed("a name is some words on one line")
    if fold(new_name) == fold(old_name):
        raise NotRenamed(f"'{old_name}' has that name already, letter case aside")
    subjects_with_new_name = [
        other_subject
        for other_subject in names.all.values()
        if fold(new_name)
        in (fold(other_subject.name), *(fold(other_name) for other_name in other_subject.aliases))
    ]
    # A character and a player may share a name: a subject is merged with one of its own kind.
    subject_with_new_name = next(
        (
            other_subject
            for other_subject in subjects_with_new_name
            if other_subject.kind == subject.kind
        ),
        next(iter(subjects_with_new_name), None),
    )
    if merges:
        if subject_with_new_name is None:
            raise NotRenamed(
                f"nothing is called '{new_name}' yet; leave out --into to rename '{old_name}'"
            )
        if subject_with_new_name is subject:
            raise NotRenamed(f"'{old_name}' and '{new_name}' are the same already")
        if (subject_with_new_name.kind == PLAYER) != (subject.kind == PLAYER):
            kind_phrases = with_article(subject.kind), with_article(subject_with_new_name.kind)
            raise NotRenamed(
                f"{subject.name} is {kind_phrases[0]}, {subject_with_new_name.name} {kind_phrases[1]}; "
                "they cannot be one"
            )
    elif subject_with_new_name is not None and subject_with_new_name is not subject:
        raise NotRenamed(
            f"there is {with_article(subject_with_new_name.kind)} '{subject_with_new_name.name}' already",
            "if both are the same, add  --into",
        )
    current_name = names.current_name(old_name)
    if current_name not in (old_name, new_name, subject.name):
        raise NotRenamed(
            f"'{old_name}' was given up before, for '{current_name}'",
            f"an old name can lead to one subject only: take it out of 'renamed:' in {campaign.path}",
        )
    return Renaming(subject, old_name, new_name, merges)


def _contains_word(name_or_part: str, word: str) -> bool:
    """Whether a word is a name, or a whole word of it."""
    return re.search(rf"(?<!\w){re.escape(fold(word))}(?!\w)", fold(name_or_part)) is not None


def find_changes(
    record: Record,
    names: RecordingNames,
    renaming: Renaming,
    *,
    renames_all_equal_words: bool = False,
    root: Path = Path(),
    unsaved_sources: Mapping[Path, DecodedFile] = MappingProxyType({}),
) -> Iterator[FileChange]:
    """Every file that has to change, with ``campaign.yaml`` last, where the old name is recorded. With
    ``renames_all_equal_words``, words that equal the old name change even if they were never looked up. Paths in the
    campaign are relative to ``root``; ``unsaved_sources`` replace the contents on the disk.

    Raises:
        EditRefused: if a file cannot be changed safely; then no file should be.
    """
    campaign = record.campaign
    campaign_folder = root / campaign.folder

    def source_of(file: Path, path: str) -> DecodedFile:
        return unsaved_sources[file] if file in unsaved_sources else _read_source(file, path)

    log_paths = dict.fromkeys(
        [session.path for session in campaign.sessions]
        + [action.path for session in campaign.sessions for action in session.actions]
    )
    replacements_by_path: dict[str, dict[tuple[int, int], str]] = {}
    for path in log_paths:
        tree = read_text(source_of(root / path, path).text, path).tree
        if tree is not None:
            replacements_by_path[path] = _replacements_in_log(
                tree, path, names, renaming, renames_all_equal_words
            )
    _add_replacements_in_heads(record, names, renaming, replacements_by_path)
    for path in log_paths:

        def replacements_in_this_log(tree: Value, path: str = path) -> dict[tuple[int, int], str]:
            return replacements_by_path.get(path, {})

        yield from _change_file(
            root / path, source_of(root / path, path), path, replacements_in_this_log
        )
    for subfolder in ("journal", "notes", "art"):
        for file in files_in(campaign_folder, subfolder, ".yaml" if subfolder == "art" else ".md"):
            page_source = source_of(file, str(file))
            yield from _change_file(
                file,
                page_source,
                str(file),
                lambda tree: _replacements_in_page_head(tree, renaming),
            )
    settings_file = campaign_folder / SETTINGS_FILE
    settings_source = source_of(settings_file, campaign.path)
    settings_changes = list(
        _change_file(
            settings_file,
            settings_source,
            campaign.path,
            lambda tree: _replacements_in_settings(campaign, tree, renaming),
        )
    )
    new_settings_text = settings_changes[0].new_text if settings_changes else settings_source.text
    text_with_renaming = add_pair_to_mapping(
        new_settings_text, campaign.path, "renamed", renaming.old_name, renaming.new_name
    )
    yield FileChange(
        settings_file,
        settings_source,
        text_with_renaming,
        settings_changes[0].word_count if settings_changes else 0,
    )


def _read_source(file: Path, path: str) -> DecodedFile:
    try:
        return decode_for_edit(read_file(file), path)
    except OSError as error:
        raise EditRefused(f"'{path}' cannot be read: {error.strerror}") from None


def _change_file(
    file: Path,
    old_source: DecodedFile,
    path: str,
    find_replacements: Callable[[Value], Mapping[tuple[int, int], str]],
) -> Iterator[FileChange]:
    is_page = file.suffix.casefold() == ".md"
    head_match = _PAGE_HEAD.match(old_source.text) if is_page else None
    if is_page and head_match is None:
        return
    # A blank first line keeps the numbers of the lines.
    yaml_text = "\n" + head_match[1] if head_match is not None else old_source.text
    tree = read_text(yaml_text, path).tree
    replacements = find_replacements(tree) if tree is not None else {}
    if not replacements:
        return
    new_text = replace_words(yaml_text, path, replacements)
    if head_match is not None:
        new_text = (
            old_source.text[: head_match.start(1)]
            + new_text[1:]
            + old_source.text[head_match.end(1) :]
        )
    yield FileChange(file, old_source, new_text, len(replacements))


def _scalars_in_stories(value: Value) -> Iterator[ScalarNode]:
    """The words under keys with stories and ids."""
    if isinstance(value, MappingNode):
        for key, inner_value in value.items():
            yield from (
                scalars(inner_value) if key in _STORY_KEYS else _scalars_in_stories(inner_value)
            )
    elif not isinstance(value, ScalarNode):
        for inner_value in value:
            yield from _scalars_in_stories(inner_value)


def _replacements_in_log(
    tree: Value, path: str, names: RecordingNames, renaming: Renaming, renames_all_equal_words: bool
) -> dict[tuple[int, int], str]:
    """The words of a log that name the subject, and those that gave it the name."""
    typed_names_by_line: dict[int, list[tuple[int, str]]] = {}
    positions_of_other_names: set[tuple[int, int]] = set()
    for (line, column, typed_name), subject_ids in names.ids_by_word(path).items():
        if renaming.subject.id in subject_ids:
            typed_names_by_line.setdefault(line, []).append((column, typed_name))
        elif "&" in typed_name:
            # A pair is a subject of its own, named by both names.
            for half_of_pair in typed_name.split("&"):
                if names.find(half_of_pair) is renaming.subject:
                    typed_names_by_line.setdefault(line, []).append((column, half_of_pair.strip()))
        else:
            positions_of_other_names.add((line, column))
    naming_line_ranges = [
        line_range
        for line_range, subject_id, given_name in names.lookups.given_names_by_file.get(path, ())
        if subject_id == renaming.subject.id and fold(given_name) == fold(renaming.old_name)
    ]
    story_positions = {(scalar.line, scalar.column) for scalar in _scalars_in_stories(tree)}
    replacements: dict[tuple[int, int], str] = {}
    for scalar in scalars(tree):
        if renaming.merges and any(scalar.line in line_range for line_range in naming_line_ranges):
            # The entry that created the subject: how it should read after merging, only the keeper can say.
            continue
        if "\n" in scalar:
            new_text = _replace_speakers(scalar, typed_names_by_line, renaming)
        else:
            new_text = str(scalar)
            for column, typed_name in typed_names_by_line.get(scalar.line, ()):
                if scalar.column <= column < max(scalar.end_column, scalar.column + 1):
                    new_text = _replace_name(new_text, typed_name, renaming)
            position = (scalar.line, scalar.column)
            equals_old_name = (
                renames_all_equal_words
                and scalar == renaming.old_name
                and position not in positions_of_other_names
                and position not in story_positions
            )
            gives_name = fold(scalar) == fold(renaming.old_name) and any(
                scalar.line in line_range for line_range in naming_line_ranges
            )
            if new_text == scalar and (equals_old_name or gives_name):
                new_text = renaming.new_name
        if new_text != scalar:
            replacements[scalar.line, scalar.column] = new_text
    return replacements


def _add_replacements_in_heads(
    record: Record,
    names: RecordingNames,
    renaming: Renaming,
    replacements_by_path: dict[str, dict[tuple[int, int], str]],
) -> None:
    """Add the changes in the keepers' words: the names of people that sentences are filed under, and the
    digests of entries with changed words."""
    entry_finder = EntryFinder(record)
    for session in record.campaign.sessions:
        session_replacements = replacements_by_path.setdefault(session.path, {})
        for _, person_name, text in keepers_texts_in(session.header):
            new_name = (
                renaming.replacement_for(person_name)
                if person_name and names.find(str(person_name)) is renaming.subject
                else None
            )
            if new_name is not None and new_name != person_name:
                session_replacements[person_name.line, person_name.column] = new_name
            new_text = str(text)
            for reference in reversed(find_references(text)):
                step = entry_finder.find(reference.id)
                if step is None or reference.digest != entry_digest(step.action.source):
                    continue
                new_digest = entry_digest(
                    step.action.source, replacements_by_path.get(step.action.path)
                )
                new_text = (
                    new_text[: reference.start]
                    + str(reference._replace(digest=new_digest))
                    + new_text[reference.end :]
                )
            if new_text != text:
                session_replacements[text.line, text.column] = new_text


def _replace_name(text_with_name: str, name: str, renaming: Renaming) -> str:
    """Replace a name in a text: the whole text, or a part (``Ruth & Basil``, ``sure-footed x2``)."""
    new_name = renaming.replacement_for(name)
    if new_name is None:
        return text_with_name
    name_match = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text_with_name)
    return (
        text_with_name[: name_match.start()] + new_name + text_with_name[name_match.end() :]
        if name_match is not None
        else text_with_name
    )


def _replace_speakers(
    scalar: ScalarNode, typed_names_by_line: Mapping[int, list[tuple[int, str]]], renaming: Renaming
) -> str:
    """A text of several lines with the names before the colons replaced, but not the speeches."""
    text_lines = scalar.split("\n")
    for index, text_line in enumerate(text_lines):
        # Only the lines of a literal block are lines of the file as well.
        line_number = scalar.line + 1 + index if scalar.style == "|" else scalar.line
        for _, typed_name in typed_names_by_line.get(line_number, ()):
            speaker, colon, speech = text_line.partition(":")
            if speaker.strip() == typed_name:
                text_lines[index] = _replace_name(speaker, typed_name, renaming) + colon + speech
    return "\n".join(text_lines)


def _replacements_in_page_head(tree: Value, renaming: Renaming) -> dict[tuple[int, int], str]:
    """The words of a page head that name the subject: as topic, author or voice."""
    person_keys = (
        _PERSON_KEYS if renaming.subject.kind == PLAYER else _PERSON_KEYS - {"author", "artist"}
    )
    return _replacements_under_keys(tree, person_keys, renaming)


def _replacements_in_settings(
    campaign: Campaign, tree: Value, renaming: Renaming
) -> dict[tuple[int, int], str]:
    """The words of the settings that name the subject: players, the facilitator, settings of the game."""
    game_keys = set(campaign.settings.fields) - set(Settings.fields)
    return _replacements_under_keys(
        tree, game_keys | {"players"} if renaming.subject.kind == PLAYER else game_keys, renaming
    )


def _replacements_under_keys(
    tree: Value, keys: Collection[str], renaming: Renaming
) -> dict[tuple[int, int], str]:
    return {
        (scalar.line, scalar.column): renaming.new_name
        for key, value in (tree.items() if isinstance(tree, MappingNode) else ())
        if key in keys
        for scalar in scalars(value)
        if fold(scalar) == fold(renaming.old_name)
    }


def first_changed_step(original_record: Record, changed_record: Record) -> Step | None:
    """The first entry with different effects in a second replay: other postings, events or problems. Names
    do not count. None if there is none."""

    def effects_of_step(record: Record, step: Step | None) -> object:
        if step is None:
            return None
        return (
            step.action.verb,
            sorted((event.rule, event.kind) for event in step.events),
            sorted(
                (posting.amount, posting.unit, posting.rule) for posting in record.postings(step)
            ),
            sorted(diagnostic.code for diagnostic in step.diagnostics),
        )

    for original_step, changed_step in zip_longest(original_record.steps, changed_record.steps):
        if effects_of_step(original_record, original_step) != effects_of_step(
            changed_record, changed_step
        ):
            return changed_step or original_step
    return None
