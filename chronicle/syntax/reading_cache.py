"""Cache of file contents and of results computed from them, kept between readings of a campaign."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from chronicle.core.diagnostic import Diagnostic
from chronicle.core.file_reading import real_path
from chronicle.core.source import Value, shift_lines

Result = TypeVar("Result")


class _CachedResult(NamedTuple):
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
        self._last_entries: dict[str, dict[int, Value]] = {}
        """The last reading: {text: {line: entry}}."""
        self._current_entries: dict[str, dict[int, Value]] = {}
        """The same for the current reading."""

    def start_reading(self) -> None:
        """Begin another reading of the file."""
        self._last_entries, self._current_entries = self._current_entries, {}

    def find(self, entry_text: str, line_number: int) -> Value | None:
        """Get the entry with this text, as it reads if it begins in this line; None if there is none."""
        for entries_by_line_by_text in (self._current_entries, self._last_entries):
            if (
                entry_text in entries_by_line_by_text
                and line_number in entries_by_line_by_text[entry_text]
            ):
                return self.store(
                    entry_text, line_number, entries_by_line_by_text[entry_text][line_number]
                )
        for entries_by_line_by_text in (self._current_entries, self._last_entries):
            for old_line_number, entry in entries_by_line_by_text.get(entry_text, {}).items():
                return self.store(
                    entry_text, line_number, shift_lines(entry, line_number - old_line_number)
                )
        return None

    def store(self, entry_text: str, line_number: int, entry: Value) -> Value:
        """Remember an entry, with its text and the line in which the text begins."""
        self._current_entries.setdefault(entry_text, {})[line_number] = entry
        return entry

    def copy(self) -> EntryCache:
        """Make a cache for other readings, which change nothing here."""
        new_cache = EntryCache()
        new_cache._current_entries = self._current_entries
        return new_cache


class ReadingCache:
    """The files of a campaign as last read, and the results computed from each.

    ``texts`` are contents that replace those on the disk, to look at unsaved changes. None means the file is
    deleted."""

    def __init__(
        self,
        content_by_file: Mapping[Path, bytes | None] | None = None,
        *,
        remember_results: bool = False,
    ) -> None:
        self.contents: dict[Path, bytes | None] = {
            file.resolve(): content for file, content in (content_by_file or {}).items()
        }
        self.remembers_results = remember_results
        """Whether the disk is read only once, until :meth:`forget`."""
        self._real_paths: dict[Path, Path] = {}
        self._data_by_file: dict[Path, bytes] = {}
        self._listing_by_folder: dict[Path, list[Path]] = {}
        self._cached_results: dict[tuple[str, Path], _CachedResult] = {}
        self._entry_caches: dict[Path, EntryCache] = {}

    def with_contents(self, content_by_file: Mapping[Path, bytes | None]) -> ReadingCache:
        """A copy with other texts, for a reading that does not affect this cache."""
        new_cache = ReadingCache(remember_results=True)
        new_cache.contents = {**self.contents, **content_by_file}
        new_cache._real_paths, new_cache._data_by_file, new_cache._listing_by_folder = (
            self._real_paths,
            self._data_by_file,
            self._listing_by_folder,
        )
        new_cache._cached_results = {**self._cached_results}
        new_cache._entry_caches = {file: cache.copy() for file, cache in self._entry_caches.items()}
        return new_cache

    def forget_disk(self) -> None:
        """Read the disk again. Results stay valid for files with unchanged contents."""
        self._data_by_file.clear()
        self._listing_by_folder.clear()
        self._real_paths.clear()

    def known_content(self, file: Path) -> bytes | None:
        """The content of a file, if it is known without reading."""
        if self.contents:
            given_content = self.contents.get(self.real_path(file))
            if given_content is not None:
                return given_content
        return self._data_by_file.get(file)

    def store_content(self, file: Path, content: bytes) -> None:
        """Store the content of a file."""
        if self.remembers_results:
            self._data_by_file[file] = content

    def known_listing(self, folder: Path) -> list[Path] | None:
        """The files in a folder, if known without reading."""
        listed_files = self._listing_by_folder.get(folder)
        if listed_files is None or not self.contents:
            return listed_files
        file_by_name = {file.name: file for file in listed_files}
        real_folder = self.real_path(folder)
        for file, content in self.contents.items():
            if file.parent == real_folder and content is not None:
                file_by_name.setdefault(file.name, folder / file.name)
        return [file for file in file_by_name.values() if not self.is_deleted(file)]

    def store_listing(self, folder: Path, files: Iterable[Path]) -> None:
        """Store the files in a folder."""
        self._listing_by_folder[folder] = [*files]

    def entry_cache(self, file: Path) -> EntryCache | None:
        """The cache of parsed entries of a file; None if nothing is remembered."""
        return (
            self._entry_caches.setdefault(self.real_path(file), EntryCache())
            if self.remembers_results
            else None
        )

    def last_result(self, kind: str, file: Path) -> object:
        """The last result of a kind for a file; None if there is none."""
        cached_result = self._cached_results.get((kind, file))
        return None if cached_result is None else cached_result.result

    def last_problems(self, kind: str, file: Path) -> tuple[Diagnostic, ...]:
        """The problems of the last reading of a file."""
        cached_result = self._cached_results.get((kind, file))
        return () if cached_result is None else cached_result.problems

    def cached_result(
        self,
        kind: str,
        file: Path,
        content: bytes,
        inputs: object,
        problems: list[Diagnostic],
        compute: Callable[[], Result],
    ) -> Result:
        """The result of ``make()`` for a file of these bytes: computed, or from the cache.

        Args:
            kind: the kind of result.
            file: the file.
            content: its bytes.
            inputs: further inputs, compared with ``==``.
            problems: gets the problems of the file in both cases.
            compute: computes the result.
        """
        if not self.remembers_results:
            return compute()
        last_result = self._cached_results.get((kind, file))
        if (
            last_result is not None
            and last_result.data == content
            and last_result.context == inputs
        ):
            problems.extend(last_result.problems)
            result: Result = last_result.result
            return result
        problem_count_before = len(problems)
        result = compute()
        self._cached_results[kind, file] = _CachedResult(
            content, inputs, result, tuple(problems[problem_count_before:])
        )
        return result

    def is_deleted(self, file: Path) -> bool:
        """Whether a file counts as deleted."""
        return bool(self.contents) and self.contents.get(self.real_path(file), b"") is None

    def real_path(self, file: Path) -> Path:
        """The real path of a file, with all links followed."""
        path = self._real_paths.get(file)
        if path is None:
            path = self._real_paths[file] = real_path(file)
        return path
