"""Cache of file contents and of results computed from them, kept between readings of a campaign."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from chronicle.core.diagnostic import Diagnostic
from chronicle.core.file_reading import real_path
from chronicle.core.source import Value, shifted

T = TypeVar("T")


class _Reading(NamedTuple):
    """A result computed from a file's bytes, and the problems found on the way."""

    data: bytes
    context: object
    result: Any
    problems: tuple[Diagnostic, ...]


class EntryCache:
    """The entries of one file as its last reading parsed them, by their text.

    An entry that has moved to another line gets new places. Callers must not change an entry of the cache. An entry
    that no reading asks for is forgotten with the next reading.
    """

    def __init__(self) -> None:
        self._last: dict[str, dict[int, Value]] = {}
        """The last reading: {text: {line: entry}}."""
        self._current: dict[str, dict[int, Value]] = {}
        """The same for the current reading."""

    def start(self) -> None:
        """Begin another reading of the file."""
        self._last, self._current = self._current, {}

    def find(self, text: str, line: int) -> Value | None:
        """Get the entry with this text, as it reads if it begins in this line; None if there is none."""
        for reading in (self._current, self._last):
            if text in reading and line in reading[text]:
                return self.store(text, line, reading[text][line])
        for reading in (self._current, self._last):
            for old_line, entry in reading.get(text, {}).items():
                return self.store(text, line, shifted(entry, line - old_line))
        return None

    def store(self, text: str, line: int, entry: Value) -> Value:
        """Remember an entry, with its text and the line in which the text begins."""
        self._current.setdefault(text, {})[line] = entry
        return entry

    def copy(self) -> EntryCache:
        """Make a cache for other readings, which change nothing here."""
        copy = EntryCache()
        copy._current = self._current
        return copy


class ReadingCache:
    """The files of a campaign as last read, and the results computed from each.

    ``texts`` are contents that replace those on the disk, to look at unsaved changes. None means the file is
    deleted."""

    def __init__(
        self, texts: Mapping[Path, bytes | None] | None = None, *, remember: bool = False
    ) -> None:
        self.texts: dict[Path, bytes | None] = {
            file.resolve(): data for file, data in (texts or {}).items()
        }
        self.remember = remember
        """Whether the disk is read only once, until :meth:`forget`."""
        self._real: dict[Path, Path] = {}
        self._data: dict[Path, bytes] = {}
        self._folders: dict[Path, list[Path]] = {}
        self._readings: dict[tuple[str, Path], _Reading] = {}
        self._caches: dict[Path, EntryCache] = {}

    def with_texts(self, texts: Mapping[Path, bytes | None]) -> ReadingCache:
        """A copy with other texts, for a reading that does not affect this cache."""
        copy = ReadingCache(remember=True)
        copy.texts = {**self.texts, **texts}
        copy._real, copy._data, copy._folders = self._real, self._data, self._folders
        copy._readings = {**self._readings}
        copy._caches = {file: cache.copy() for file, cache in self._caches.items()}
        return copy

    def forget(self) -> None:
        """Read the disk again. Results stay valid for files with unchanged contents."""
        self._data.clear()
        self._folders.clear()
        self._real.clear()

    def known_content(self, file: Path) -> bytes | None:
        """The content of a file, if it is known without reading."""
        if self.texts:
            replacement = self.texts.get(self.real_path(file))
            if replacement is not None:
                return replacement
        return self._data.get(file)

    def store_content(self, file: Path, data: bytes) -> None:
        """Store the content of a file."""
        if self.remember:
            self._data[file] = data

    def listing(self, folder: Path) -> list[Path] | None:
        """The files in a folder, if known without reading."""
        listed = self._folders.get(folder)
        if listed is None or not self.texts:
            return listed
        names = {file.name: file for file in listed}
        home = self.real_path(folder)
        for file, data in self.texts.items():
            if file.parent == home and data is not None:
                names.setdefault(file.name, folder / file.name)
        return [file for file in names.values() if not self.is_deleted(file)]

    def fill(self, folder: Path, files: Iterable[Path]) -> None:
        """Store the files in a folder."""
        self._folders[folder] = [*files]

    def entry_cache(self, file: Path) -> EntryCache | None:
        """The cache of parsed entries of a file; None if nothing is remembered."""
        return (
            self._caches.setdefault(self.real_path(file), EntryCache()) if self.remember else None
        )

    def last_result(self, kind: str, file: Path) -> object:
        """The last result of a kind for a file; None if there is none."""
        reading = self._readings.get((kind, file))
        return None if reading is None else reading.result

    def last_problems(self, kind: str, file: Path) -> tuple[Diagnostic, ...]:
        """The problems of the last reading of a file."""
        reading = self._readings.get((kind, file))
        return () if reading is None else reading.problems

    def cached_result(
        self,
        kind: str,
        file: Path,
        data: bytes,
        context: object,
        problems: list[Diagnostic],
        make: Callable[[], T],
    ) -> T:
        """The result of ``make()`` for a file of these bytes: computed, or from the cache.

        Args:
            kind: the kind of result.
            file: the file.
            data: its bytes.
            context: further inputs, compared with ``==``.
            problems: gets the problems of the file in both cases.
            make: computes the result.
        """
        if not self.remember:
            return make()
        reading = self._readings.get((kind, file))
        if reading is not None and reading.data == data and reading.context == context:
            problems.extend(reading.problems)
            result: T = reading.result
            return result
        count_before = len(problems)
        result = make()
        self._readings[kind, file] = _Reading(data, context, result, tuple(problems[count_before:]))
        return result

    def is_deleted(self, file: Path) -> bool:
        """Whether a file counts as deleted."""
        return bool(self.texts) and self.texts.get(self.real_path(file), b"") is None

    def real_path(self, file: Path) -> Path:
        """The real path of a file, with all links followed."""
        path = self._real.get(file)
        if path is None:
            path = self._real[file] = real_path(file)
        return path
