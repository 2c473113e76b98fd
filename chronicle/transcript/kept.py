"""What files hold and what was read from them, kept from one reading of a campaign to the next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from chronicle.core.diagnostic import Diagnostic
from chronicle.core.intake import lies_at
from chronicle.core.source import Value, shifted

T = TypeVar("T")


class _Reading(NamedTuple):
    """What was made of a file's bytes, and what was found wrong with them on the way."""

    data: bytes
    context: object
    made: Any
    found: tuple[Diagnostic, ...]


class EntryCache:
    """The entries of one file as its last reading parsed them, by their text.

    An entry that has moved to another line gets new places. Nobody may change an entry of the cache. An entry
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


class Kept:
    """The files of a campaign as they were seen last, and what was made of each.

    ``texts`` are what some files are to hold, whatever the disk says: that is how a change is looked at
    before it is saved. None stands for a file that is to be gone.
    """

    def __init__(
        self, texts: Mapping[Path, bytes | None] | None = None, *, remember: bool = False
    ) -> None:
        self.texts: dict[Path, bytes | None] = {
            file.resolve(): data for file, data in (texts or {}).items()
        }
        self.remember = remember
        """Whether the disk is looked at once only, until :meth:`forget`."""
        self._real: dict[Path, Path] = {}
        self._data: dict[Path, bytes] = {}
        self._folders: dict[Path, list[Path]] = {}
        self._readings: dict[tuple[str, Path], _Reading] = {}
        self._caches: dict[Path, EntryCache] = {}

    def aside(self, texts: Mapping[Path, bytes | None]) -> Kept:
        """The same with other texts, for a reading that leaves this one as it is."""
        made = Kept(remember=True)
        made.texts = {**self.texts, **texts}
        made._real, made._data, made._folders = self._real, self._data, self._folders
        made._readings = {**self._readings}
        made._caches = {file: cache.copy() for file, cache in self._caches.items()}
        return made

    def forget(self) -> None:
        """Look at the disk again. What was read stays good for files that still hold the same."""
        self._data.clear()
        self._folders.clear()
        self._real.clear()

    def held(self, file: Path) -> bytes | None:
        """What a file holds, if that is known without looking."""
        if self.texts:
            instead = self.texts.get(self.real(file))
            if instead is not None:
                return instead
        return self._data.get(file)

    def hold(self, file: Path, data: bytes) -> None:
        """Know what a file holds."""
        if self.remember:
            self._data[file] = data

    def listing(self, folder: Path) -> list[Path] | None:
        """The files in a folder, if they are known without looking."""
        listed = self._folders.get(folder)
        if listed is None or not self.texts:
            return listed
        names = {file.name: file for file in listed}
        home = self.real(folder)
        for file, data in self.texts.items():
            if file.parent == home and data is not None:
                names.setdefault(file.name, folder / file.name)
        return [file for file in names.values() if not self.gone(file)]

    def fill(self, folder: Path, files: Iterable[Path]) -> None:
        """Know the files in a folder."""
        self._folders[folder] = [*files]

    def entry_cache(self, file: Path) -> EntryCache | None:
        """The entries of a file that were parsed last; None if nothing is remembered."""
        return self._caches.setdefault(self.real(file), EntryCache()) if self.remember else None

    def made(self, what: str, file: Path) -> object:
        """What was made of a file when it was read last; None if it never was."""
        before = self._readings.get((what, file))
        return None if before is None else before.made

    def found(self, what: str, file: Path) -> tuple[Diagnostic, ...]:
        """What was wrong with a file when it was read last."""
        before = self._readings.get((what, file))
        return () if before is None else before.found

    def once(
        self,
        what: str,
        file: Path,
        data: bytes,
        context: object,
        found: list[Diagnostic],
        make: Callable[[], T],
    ) -> T:
        """What ``make`` gives for a file of these bytes: made now, or remembered. ``found`` gets what
        is wrong with it either way. ``context`` is whatever else it depends on."""
        if not self.remember:
            return make()
        before = self._readings.get((what, file))
        if before is not None and before.data == data and before.context == context:
            found.extend(before.found)
            made: T = before.made
            return made
        first = len(found)
        made = make()
        self._readings[what, file] = _Reading(data, context, made, tuple(found[first:]))
        return made

    def gone(self, file: Path) -> bool:
        """Whether a file is to be gone, whatever the disk says."""
        return bool(self.texts) and self.texts.get(self.real(file), b"") is None

    def real(self, file: Path) -> Path:
        """Where a file is when every link has been followed."""
        found = self._real.get(file)
        if found is None:
            found = self._real[file] = lies_at(file)
        return found
