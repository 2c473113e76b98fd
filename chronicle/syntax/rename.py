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
from chronicle.core.diagnostic import an
from chronicle.core.errors import Refused
from chronicle.core.file_reading import files_in, read_file
from chronicle.core.keepers import EntryIndex, digest, head_words, references
from chronicle.core.names import PLAYER, Named, Names, RecordingNames, fold
from chronicle.core.record import Record, Step
from chronicle.core.source import MappingNode, ScalarNode, Value, scalars
from chronicle.syntax.edit_head import add_pair
from chronicle.syntax.edit_words import replace_words
from chronicle.syntax.find import SETTINGS_FILE
from chronicle.syntax.reader import read_text
from chronicle.syntax.text_edit import EditRefused, Source, opened

_HEAD: Final = re.compile(
    r"---[ \t]*(?:\r\n|\r|\n)(.*?)(?<=[\r\n])---[ \t]*(?=[\r\n]|\Z)", re.DOTALL
)
_PERSON_KEYS: Final = frozenset(("about", "voice", "author", "artist"))
"""Keys of a journal entry, a note or a caption that name a person."""


_STORY: Final = frozenset(("text", "note", "id", "title", "summary", "recap", "tell"))
"""Keys of a log whose words never count as names."""


class Change(NamedTuple):
    """A file with its new text; ``places`` is the number of changed words."""

    file: Path
    before: Source
    after: str
    places: int


class Renaming(NamedTuple):
    """A renaming: the subject, the name that is replaced, and the new name. With ``into`` the new name
    belongs to another subject that turned out to be the same."""

    named: Named
    old: str
    new: str
    into: bool = False

    def of(self, word: str) -> str | None:
        """The replacement for a word that names the subject; None if it may stay."""
        if fold(word) == fold(self.old):
            return self.new
        other_names = [self.new, self.named.name, *self.named.aliases]
        other_names = [name for name in other_names if fold(name) != fold(self.old)]
        if any(_holds(name, word) for name in other_names) or not _holds(self.old, word):
            return None
        return self.new


class NotRenamed(Refused):
    """A renaming that is not possible: no subject has the old name, or the new name is not allowed."""

    def __init__(self, message: str, *help: str) -> None:
        super().__init__(message)
        self.help = help


def renaming_of(
    campaign: Campaign, names: Names, old: str, new: str, *, into: bool = False
) -> Renaming:
    """Check a renaming: find the subject, and check that the new name is free.

    Raises:
        NotRenamed: if there is no such subject, or the new name is not allowed.
    """
    subject = names.find_by_name_or_id(old)
    if not isinstance(subject, Named):
        message = (
            subject.message if subject.candidates else f"nothing is called '{old}'{subject.message}"
        )
        raise NotRenamed(message)
    all_names = (subject.name, *subject.aliases)
    old_name = next((name for name in all_names if fold(name) == fold(old)), subject.name)
    if not new or "\n" in new:
        raise NotRenamed("a name is some words on one line")
    if fold(new) == fold(old_name):
        raise NotRenamed(f"'{old_name}' has that name already, letter case aside")
    same_name = [
        named
        for named in names.all.values()
        if fold(new) in (fold(named.name), *(fold(alias) for alias in named.aliases))
    ]
    # A character and a player may share a name: a subject is merged with one of its own kind.
    existing = next(
        (named for named in same_name if named.kind == subject.kind), next(iter(same_name), None)
    )
    if into:
        if existing is None:
            raise NotRenamed(
                f"nothing is called '{new}' yet; leave out --into to rename '{old_name}'"
            )
        if existing is subject:
            raise NotRenamed(f"'{old_name}' and '{new}' are the same already")
        if (existing.kind == PLAYER) != (subject.kind == PLAYER):
            raise NotRenamed(
                f"{subject.name} is {an(subject.kind)}, {existing.name} {an(existing.kind)}; they cannot be one"
            )
    elif existing is not None and existing is not subject:
        raise NotRenamed(
            f"there is {an(existing.kind)} '{existing.name}' already",
            "if both are the same, add  --into",
        )
    current = names.current_name(old_name)
    if current not in (old_name, new, subject.name):
        raise NotRenamed(
            f"'{old_name}' was given up before, for '{current}'",
            f"an old name can lead to one subject only: take it out of 'renamed:' in {campaign.path}",
        )
    return Renaming(subject, old_name, new, into)


def _holds(name: str, word: str) -> bool:
    """Whether a word is a name, or a whole word of it."""
    return re.search(rf"(?<!\w){re.escape(fold(word))}(?!\w)", fold(name)) is not None


def changes(
    record: Record,
    names: RecordingNames,
    renaming: Renaming,
    *,
    wide: bool = False,
    root: Path = Path(),
    texts: Mapping[Path, Source] = MappingProxyType({}),
) -> Iterator[Change]:
    """Every file that has to change, with ``campaign.yaml`` last, where the old name is recorded. With
    ``wide``, words that equal the old name change even if they were never looked up. Paths in the campaign
    are relative to ``root``; ``texts`` replace the contents on the disk.

    Raises:
        EditRefused: if a file cannot be changed safely; then no file should be.
    """
    campaign = record.campaign
    folder = root / campaign.folder

    def source(file: Path, path: str) -> Source:
        return texts[file] if file in texts else _source(file, path)

    logs = dict.fromkeys(
        [session.path for session in campaign.sessions]
        + [action.path for session in campaign.sessions for action in session.actions]
    )
    replacements: dict[str, dict[tuple[int, int], str]] = {}
    for path in logs:
        tree = read_text(source(root / path, path).text, path).tree
        if tree is not None:
            replacements[path] = _in_log(tree, path, names, renaming, wide)
    _in_heads(record, names, renaming, replacements)
    for path in logs:

        def in_log(tree: Value, path: str = path) -> dict[tuple[int, int], str]:
            return replacements.get(path, {})

        yield from _changed(root / path, source(root / path, path), path, in_log)
    for subfolder in ("journal", "notes", "art"):
        for file in files_in(folder, subfolder, ".yaml" if subfolder == "art" else ".md"):
            source_before = source(file, str(file))
            yield from _changed(
                file, source_before, str(file), lambda tree: _in_page_head(tree, renaming)
            )
    settings = folder / SETTINGS_FILE
    settings_source = source(settings, campaign.path)
    settings_changes = list(
        _changed(
            settings,
            settings_source,
            campaign.path,
            lambda tree: _in_settings(campaign, tree, renaming),
        )
    )
    text = settings_changes[0].after if settings_changes else settings_source.text
    new_settings = add_pair(text, campaign.path, "renamed", renaming.old, renaming.new)
    yield Change(
        settings,
        settings_source,
        new_settings,
        settings_changes[0].places if settings_changes else 0,
    )


def _source(file: Path, path: str) -> Source:
    try:
        return opened(read_file(file), path)
    except OSError as error:
        raise EditRefused(f"'{path}' cannot be read: {error.strerror}") from None


def _changed(
    file: Path,
    source: Source,
    path: str,
    find_words: Callable[[Value], Mapping[tuple[int, int], str]],
) -> Iterator[Change]:
    is_page = file.suffix.casefold() == ".md"
    head = _HEAD.match(source.text) if is_page else None
    if is_page and head is None:
        return
    # A blank first line keeps the numbers of the lines.
    text = "\n" + head[1] if head is not None else source.text
    tree = read_text(text, path).tree
    words = find_words(tree) if tree is not None else {}
    if not words:
        return
    new_text = replace_words(text, path, words)
    if head is not None:
        new_text = source.text[: head.start(1)] + new_text[1:] + source.text[head.end(1) :]
    yield Change(file, source, new_text, len(words))


def _story_words(value: Value) -> Iterator[ScalarNode]:
    """The words under keys with stories and ids."""
    if isinstance(value, MappingNode):
        for key, item in value.items():
            yield from scalars(item) if key in _STORY else _story_words(item)
    elif not isinstance(value, ScalarNode):
        for item in value:
            yield from _story_words(item)


def _in_log(
    tree: Value, path: str, names: RecordingNames, renaming: Renaming, wide: bool
) -> dict[tuple[int, int], str]:
    """The words of a log that name the subject, and those that gave it the name."""
    by_line: dict[int, list[tuple[int, str]]] = {}
    other_words: set[tuple[int, int]] = set()
    for (line, column, text), ids in names.meanings(path).items():
        if renaming.named.id in ids:
            by_line.setdefault(line, []).append((column, text))
        elif "&" in text:
            # A pair is a subject of its own, named by both names.
            for part in text.split("&"):
                if names.find(part) is renaming.named:
                    by_line.setdefault(line, []).append((column, part.strip()))
        else:
            other_words.add((line, column))
    naming_entries = [
        lines
        for lines, id, name in names.lookups.names_given.get(path, ())
        if id == renaming.named.id and fold(name) == fold(renaming.old)
    ]
    story_positions = {(word.line, word.column) for word in _story_words(tree)}
    replacements: dict[tuple[int, int], str] = {}
    for word in scalars(tree):
        if renaming.into and any(word.line in lines for lines in naming_entries):
            # The entry that created the subject: how it should read after merging, only the keeper can say.
            continue
        if "\n" in word:
            new_text = _speakers(word, by_line, renaming)
        else:
            new_text = str(word)
            for column, text in by_line.get(word.line, ()):
                if word.column <= column < max(word.end_column, word.column + 1):
                    new_text = _replace_name(new_text, text, renaming)
            position = (word.line, word.column)
            equals_old_name = (
                wide
                and word == renaming.old
                and position not in other_words
                and position not in story_positions
            )
            gives_name = fold(word) == fold(renaming.old) and any(
                word.line in lines for lines in naming_entries
            )
            if new_text == word and (equals_old_name or gives_name):
                new_text = renaming.new
        if new_text != word:
            replacements[word.line, word.column] = new_text
    return replacements


def _in_heads(
    record: Record,
    names: RecordingNames,
    renaming: Renaming,
    replacements: dict[str, dict[tuple[int, int], str]],
) -> None:
    """Add the changes in the keepers' words: the names of people that sentences are filed under, and the
    digests of entries with changed words."""
    index = EntryIndex(record)
    for session in record.campaign.sessions:
        replacements_here = replacements.setdefault(session.path, {})
        for _, person, text in head_words(session.header):
            new_name = (
                renaming.of(person)
                if person and names.find(str(person)) is renaming.named
                else None
            )
            if new_name is not None and new_name != person:
                replacements_here[person.line, person.column] = new_name
            new_text = str(text)
            for reference in reversed(references(text)):
                step = index.find(reference.id)
                if step is None or reference.digest != digest(step.action.source):
                    continue
                new_digest = digest(step.action.source, replacements.get(step.action.path))
                new_text = (
                    new_text[: reference.start]
                    + str(reference._replace(digest=new_digest))
                    + new_text[reference.end :]
                )
            if new_text != text:
                replacements_here[text.line, text.column] = new_text


def _replace_name(phrase: str, text: str, renaming: Renaming) -> str:
    """Replace a name in a text: the whole text, or a part (``Ruth & Basil``, ``sure-footed x2``)."""
    new_name = renaming.of(text)
    if new_name is None:
        return phrase
    match = re.search(rf"(?<!\w){re.escape(text)}(?!\w)", phrase)
    return (
        phrase[: match.start()] + new_name + phrase[match.end() :] if match is not None else phrase
    )


def _speakers(
    word: ScalarNode, by_line: Mapping[int, list[tuple[int, str]]], renaming: Renaming
) -> str:
    """A text of several lines with the names before the colons replaced, but not the speeches."""
    rows = word.split("\n")
    for index, row in enumerate(rows):
        # Only the lines of a literal block are lines of the file as well.
        line = word.line + 1 + index if word.style == "|" else word.line
        for _, text in by_line.get(line, ()):
            head, colon, speech = row.partition(":")
            if head.strip() == text:
                rows[index] = _replace_name(head, text, renaming) + colon + speech
    return "\n".join(rows)


def _in_page_head(tree: Value, renaming: Renaming) -> dict[tuple[int, int], str]:
    """The words of a page head that name the subject: as topic, author or voice."""
    keys = _PERSON_KEYS if renaming.named.kind == PLAYER else _PERSON_KEYS - {"author", "artist"}
    return _under_keys(tree, keys, renaming)


def _in_settings(campaign: Campaign, tree: Value, renaming: Renaming) -> dict[tuple[int, int], str]:
    """The words of the settings that name the subject: players, the facilitator, settings of the game."""
    keys = set(campaign.settings.fields) - set(Settings.fields)
    return _under_keys(
        tree, keys | {"players"} if renaming.named.kind == PLAYER else keys, renaming
    )


def _under_keys(
    tree: Value, keys: Collection[str], renaming: Renaming
) -> dict[tuple[int, int], str]:
    return {
        (word.line, word.column): renaming.new
        for key, value in (tree.items() if isinstance(tree, MappingNode) else ())
        if key in keys
        for word in scalars(value)
        if fold(word) == fold(renaming.old)
    }


def first_difference(original: Record, changed: Record) -> Step | None:
    """The first entry with different effects in a second replay: other postings, events or problems. Names
    do not count. None if there is none."""

    def effects_of(record: Record, step: Step | None) -> object:
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

    for original_step, changed_step in zip_longest(original.steps, changed.steps):
        if effects_of(original, original_step) != effects_of(changed, changed_step):
            return changed_step or original_step
    return None
