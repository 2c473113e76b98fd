"""A thing gets another name everywhere in a campaign: which words of which files, and what they become.

Who is meant by a word is known from a replay (:class:`~chronicle.core.names.Overheard`), so ``Okafor``
follows Dr. Emeka Okafor and the trait of that name does not. What was told stays as it was told.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from chronicle.core.campaign import Campaign, Settings
from chronicle.core.diagnostic import an
from chronicle.core.intake import files_in, read_file
from chronicle.core.keepers import EntryIndex, digest, head_words, references
from chronicle.core.names import PLAYER, Named, Names, Overheard, fold
from chronicle.core.record import Record, Step
from chronicle.core.refused import Refused
from chronicle.core.source import Entries, Value, Word, scalars
from chronicle.transcript.edit import EditRefused, Source, add_pair, opened, replace_words
from chronicle.transcript.folder import SETTINGS_FILE
from chronicle.transcript.reader import read_text

_HEAD: Final = re.compile(
    r"---[ \t]*(?:\r\n|\r|\n)(.*?)(?<=[\r\n])---[ \t]*(?=[\r\n]|\Z)", re.DOTALL
)
_ABOUT: Final = frozenset(("about", "voice", "author", "artist"))
"""Keys of a journal entry, a note or a caption that name somebody."""


_STORY: Final = frozenset(("text", "note", "id", "title", "summary", "recap", "tell"))
"""Keys of a log under which nobody is meant, whatever stands there."""


class Change(NamedTuple):
    """A file with another text; ``places`` is how many words of it change."""

    file: Path
    before: Source
    after: str
    places: int


class Renaming(NamedTuple):
    """What gets another name: the thing, the name of it that goes, the name that takes its place.
    With ``into`` that is the name of something else that turned out to be the same."""

    named: Named
    old: str
    new: str
    into: bool = False

    def of(self, word: str) -> str | None:
        """What becomes of a word that means the thing; None if it may stay as it is."""
        if fold(word) == fold(self.old):
            return self.new
        kept = [self.new, self.named.name, *self.named.aliases]
        kept = [name for name in kept if fold(name) != fold(self.old)]
        if any(_holds(name, word) for name in kept) or not _holds(self.old, word):
            return None
        return self.new


class NotRenamed(Refused):
    """A name cannot be given: nobody is meant by the old one, or the new one is no good."""

    def __init__(self, message: str, *help: str) -> None:
        super().__init__(message)
        self.help = help


def renaming_of(
    campaign: Campaign, names: Names, old: str, new: str, *, into: bool = False
) -> Renaming:
    """Who is meant by a name, and whether another one is free.

    Raises:
        NotRenamed: when nobody is meant, or the new name is no good.
    """
    found = names.pointed(old)
    if not isinstance(found, Named):
        said = found.message if found.candidates else f"nothing is called '{old}'{found.message}"
        raise NotRenamed(said)
    every = (found.name, *found.aliases)
    gone = next((name for name in every if fold(name) == fold(old)), found.name)
    if not new or "\n" in new:
        raise NotRenamed("a name is some words on one line")
    if fold(new) == fold(gone):
        raise NotRenamed(f"'{gone}' has that name already, letter case aside")
    alike = [
        one
        for one in names.all.values()
        if fold(new) in (fold(one.name), *(fold(alias) for alias in one.aliases))
    ]
    # Somebody and a player of the same name: they are made one with their like.
    there = next((one for one in alike if one.kind == found.kind), next(iter(alike), None))
    if into:
        if there is None:
            raise NotRenamed(f"nothing is called '{new}' yet; leave out --into to rename '{gone}'")
        if there is found:
            raise NotRenamed(f"'{gone}' and '{new}' are the same already")
        if (there.kind == PLAYER) != (found.kind == PLAYER):
            raise NotRenamed(
                f"{found.name} is {an(found.kind)}, {there.name} {an(there.kind)}; they cannot be one"
            )
    elif there is not None and there is not found:
        raise NotRenamed(
            f"there is {an(there.kind)} '{there.name}' already",
            "if both are the same, add  --into",
        )
    now = names.now(gone)
    if now not in (gone, new, found.name):
        raise NotRenamed(
            f"'{gone}' was given up before, for '{now}'",
            f"an old name can lead to one thing only: take it out of 'renamed:' in {campaign.path}",
        )
    return Renaming(found, gone, new, into)


def _holds(name: str, word: str) -> bool:
    """Whether a word is a name, or a whole word of it."""
    return re.search(rf"(?<!\w){re.escape(fold(word))}(?!\w)", fold(name)) is not None


def changes(
    record: Record,
    names: Overheard,
    renaming: Renaming,
    *,
    wide: bool = False,
    root: Path = Path(),
    texts: Mapping[Path, Source] = MappingProxyType({}),
) -> Iterator[Change]:
    """Every file that has to change, ``campaign.yaml`` last: there the old name is kept. With ``wide``,
    words that are the very name change as well where nobody asked whom they mean. The paths in
    the campaign are relative to ``root``; ``texts`` count instead of what the disk says.

    Raises:
        EditRefused: when a file cannot be changed without harm; then none should be.
    """
    campaign = record.campaign
    folder = root / campaign.folder

    def source(file: Path, path: str) -> Source:
        return texts[file] if file in texts else _source(file, path)

    logs = dict.fromkeys(
        [session.path for session in campaign.sessions]
        + [action.path for session in campaign.sessions for action in session.actions]
    )
    wanted: dict[str, dict[tuple[int, int], str]] = {}
    for path in logs:
        tree = read_text(source(root / path, path).text, path).tree
        if tree is not None:
            wanted[path] = _in_log(tree, path, names, renaming, wide)
    _in_heads(record, names, renaming, wanted)
    for path in logs:

        def in_log(tree: Value, path: str = path) -> dict[tuple[int, int], str]:
            return wanted.get(path, {})

        yield from _changed(root / path, source(root / path, path), path, in_log)
    for place in ("journal", "notes", "art"):
        for file in files_in(folder, place, ".yaml" if place == "art" else ".md"):
            before = source(file, str(file))
            yield from _changed(file, before, str(file), lambda tree: _about(tree, renaming))
    settings = folder / SETTINGS_FILE
    before = source(settings, campaign.path)
    found = list(
        _changed(settings, before, campaign.path, lambda tree: _set(campaign, tree, renaming))
    )
    text = found[0].after if found else before.text
    after = add_pair(text, campaign.path, "renamed", renaming.old, renaming.new)
    yield Change(settings, before, after, found[0].places if found else 0)


def _source(file: Path, path: str) -> Source:
    try:
        return opened(read_file(file), path)
    except OSError as error:
        raise EditRefused(f"'{path}' cannot be read: {error.strerror}") from None


def _changed(
    file: Path,
    before: Source,
    path: str,
    wanted: Callable[[Value], Mapping[tuple[int, int], str]],
) -> Iterator[Change]:
    page = file.suffix.casefold() == ".md"
    head = _HEAD.match(before.text) if page else None
    if page and head is None:
        return
    # A blank first line keeps the numbers of the lines.
    text = "\n" + head[1] if head is not None else before.text
    tree = read_text(text, path).tree
    words = wanted(tree) if tree is not None else {}
    if not words:
        return
    after = replace_words(text, path, words)
    if head is not None:
        after = before.text[: head.start(1)] + after[1:] + before.text[head.end(1) :]
    yield Change(file, before, after, len(words))


def _told(value: Value) -> Iterator[Word]:
    """The words under keys that hold stories and ids."""
    if isinstance(value, Entries):
        for key, item in value.items():
            yield from scalars(item) if key in _STORY else _told(item)
    elif not isinstance(value, Word):
        for item in value:
            yield from _told(item)


def _in_log(
    tree: Value, path: str, names: Overheard, renaming: Renaming, wide: bool
) -> dict[tuple[int, int], str]:
    """The words of a log that mean the thing, and those by which it got the name."""
    by_line: dict[int, list[tuple[int, str]]] = {}
    others: set[tuple[int, int]] = set()
    for (line, column, text), ids in names.meanings(path).items():
        if renaming.named.id in ids:
            by_line.setdefault(line, []).append((column, text))
        elif "&" in text:
            # A pair is a thing of its own, and is called by the names of the two.
            for part in text.split("&"):
                if names.find(part) is renaming.named:
                    by_line.setdefault(line, []).append((column, part.strip()))
        else:
            others.add((line, column))
    made = [
        lines
        for lines, id, name in names.heard.given.get(path, ())
        if id == renaming.named.id and fold(name) == fold(renaming.old)
    ]
    told = {(word.line, word.column) for word in _told(tree)}
    wanted: dict[tuple[int, int], str] = {}
    for word in scalars(tree):
        if renaming.into and any(word.line in lines for lines in made):
            # Here it was made; that it is something else by now, nobody can write for the keeper.
            continue
        if "\n" in word:
            new = _speakers(word, by_line, renaming)
        else:
            new = str(word)
            for column, text in by_line.get(word.line, ()):
                if word.column <= column < max(word.end_column, word.column + 1):
                    new = _put(new, text, renaming)
            here = (word.line, word.column)
            alike = wide and word == renaming.old and here not in others and here not in told
            given = fold(word) == fold(renaming.old) and any(word.line in lines for lines in made)
            if new == word and (alike or given):
                new = renaming.new
        if new != word:
            wanted[word.line, word.column] = new
    return wanted


def _in_heads(
    record: Record,
    names: Overheard,
    renaming: Renaming,
    wanted: dict[str, dict[tuple[int, int], str]],
) -> None:
    """Add to the ``wanted`` words of each log what changes in the keepers' words: people by whose name a
    sentence is found, and the digests of entries in which a word changes."""
    index = EntryIndex(record)
    for session in record.campaign.sessions:
        here = wanted.setdefault(session.path, {})
        for _, person, text in head_words(session.header):
            new = (
                renaming.of(person)
                if person and names.find(str(person)) is renaming.named
                else None
            )
            if new is not None and new != person:
                here[person.line, person.column] = new
            made = str(text)
            for one in reversed(references(text)):
                step = index.find(one.id)
                if step is None or one.digest != digest(step.action.source):
                    continue
                now = digest(step.action.source, wanted.get(step.action.path))
                made = made[: one.start] + str(one._replace(digest=now)) + made[one.end :]
            if made != text:
                here[text.line, text.column] = made


def _put(whole: str, text: str, renaming: Renaming) -> str:
    """A text with a name in it changed: all of it, or a part (``Ruth & Basil``, ``sure-footed x2``)."""
    new = renaming.of(text)
    if new is None:
        return whole
    found = re.search(rf"(?<!\w){re.escape(text)}(?!\w)", whole)
    return whole[: found.start()] + new + whole[found.end() :] if found is not None else whole


def _speakers(word: Word, by_line: Mapping[int, list[tuple[int, str]]], renaming: Renaming) -> str:
    """A text of several lines with the names before the colons changed, and not what is said."""
    rows = word.split("\n")
    for at, row in enumerate(rows):
        # Only the lines of a literal block are lines of the file as well.
        line = word.line + 1 + at if word.style == "|" else word.line
        for _, text in by_line.get(line, ()):
            head, colon, rest = row.partition(":")
            if head.strip() == text:
                rows[at] = _put(head, text, renaming) + colon + rest
    return "\n".join(rows)


def _about(tree: Value, renaming: Renaming) -> dict[tuple[int, int], str]:
    """Whom a text or a picture is about, by whom or in whose voice it is."""
    keys = _ABOUT if renaming.named.kind == PLAYER else _ABOUT - {"author", "artist"}
    return _under(tree, keys, renaming)


def _set(campaign: Campaign, tree: Value, renaming: Renaming) -> dict[tuple[int, int], str]:
    """Names in the settings: players, whoever runs the game, what the game asks for besides."""
    keys = set(campaign.settings.fields) - set(Settings.fields)
    return _under(tree, keys | {"players"} if renaming.named.kind == PLAYER else keys, renaming)


def _under(tree: Value, keys: Collection[str], renaming: Renaming) -> dict[tuple[int, int], str]:
    return {
        (word.line, word.column): renaming.new
        for key, value in (tree.items() if isinstance(tree, Entries) else ())
        if key in keys
        for word in scalars(value)
        if fold(word) == fold(renaming.old)
    }


def first_difference(before: Record, after: Record) -> Step | None:
    """The first entry that does something else in a second replay: other movements, other events,
    other findings. What things are called is no difference. None if there is none."""

    def did(record: Record, step: Step | None) -> object:
        if step is None:
            return None
        return (
            step.action.verb,
            sorted((event.rule, event.kind) for event in step.events),
            sorted((p.amount, p.unit, p.rule) for p in record.postings(step)),
            sorted(one.code for one in step.diagnostics),
        )

    for one, other in zip_longest(before.steps, after.steps):
        if did(before, one) != did(after, other):
            return other or one
    return None
