"""The files of a campaign folder and their contents. Nothing outside of the folder is opened."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from chronicle.core.diagnostic import Diagnostic
from chronicle.core.errors import Refused
from chronicle.core.file_reading import MOST_BYTES, real_path
from chronicle.core.files import EDIT_FOLDER
from chronicle.core.game import Game
from chronicle.core.source import whole_file
from chronicle.syntax.problems import Problems
from chronicle.syntax.reader import Parsed, read_bytes
from chronicle.syntax.reading_cache import ReadingCache

MOST_FILES: Final = 5_000
"""Maximum number of files of one kind."""


class CampaignUnreadable(Refused):
    """The game of a folder cannot be found. ``diagnostics`` give the reasons."""

    def __init__(self, diagnostics: list[Diagnostic]) -> None:
        super().__init__("; ".join(problem.message for problem in diagnostics))
        self.diagnostics = diagnostics


class CampaignFiles:
    """The files of a campaign folder, and the problems found in them.

    Args:
        folder: The folder.
        all_rulebooks: The rulebooks by the names of their games.
        project_root: Paths in diagnostics are relative to this folder.
        cache: Contents that replace those on the disk, and earlier results.
    """

    def __init__(
        self,
        folder: Path,
        all_rulebooks: Mapping[str, Game[Any]],
        project_folder: Path,
        cache: ReadingCache,
    ) -> None:
        if os.path.lexists(folder / EDIT_FOLDER):
            from chronicle.core.edits import pending_contents

            cache = ReadingCache({**pending_contents(folder), **cache.contents})
        self.cache = cache
        self.game = ""
        """The name of the game, once it is known."""
        self.folder = folder
        self.real_folder = folder.resolve()
        self.all_rulebooks = all_rulebooks
        self.project_root = project_folder.resolve()
        self._display_paths: dict[Path, str] = {}
        self.problems = Problems()

    def display_path(self, file: Path) -> str:
        """The path of a file as diagnostics show it."""
        shown_path = self._display_paths.get(file)
        if shown_path is None:
            full_path = self.real_folder / file.relative_to(self.folder)
            is_in_project = full_path.is_relative_to(self.project_root)
            shown_path = (
                full_path.relative_to(self.project_root) if is_in_project else full_path
            ).as_posix()
            self._display_paths[file] = shown_path
        return shown_path

    def leaves_folder(self, file: Path, file_noun: str) -> bool:
        """Whether a link leads out of the campaign. Reports it if so (T44)."""
        if real_path(file).is_relative_to(self.real_folder):
            return False
        place = whole_file(self.display_path(file))
        # The folder of pictures is listed twice: for captions, and for pictures.
        if not any(problem.code == "T44" and problem.place == place for problem in self.problems):
            message = "this link leaves the campaign folder, and is not followed"
            self.problems.tell("T44", message, place, f"copy the {file_noun} into the folder")
        return True

    def bytes_of(self, file: Path, max_bytes: int) -> bytes | None:
        """The content of a file; None (and a diagnostic) if it cannot be read."""
        content = self.cache.known_content(file)
        if content is not None and self.cache.real_path(file).is_relative_to(self.real_folder):
            return content
        path = self.display_path(file)
        try:
            if self.leaves_folder(file, "file"):
                return None
            if not file.is_file():
                self.problems.tell("T47", "this is no ordinary file", whole_file(path))
                return None
            with file.open("rb") as stream:
                file_bytes = stream.read(max_bytes + 1)
        except (OSError, RuntimeError) as error:
            failure_reason = getattr(error, "strerror", None) or "it links to itself"
            self.problems.tell(
                "T47", f"this file cannot be read: {failure_reason}", whole_file(path)
            )
            return None
        self.cache.store_content(file, file_bytes)
        return file_bytes

    def parse_file(self, file: Path) -> Parsed:
        """Read a YAML file and keep its problems."""
        file_bytes = self.bytes_of(file, MOST_BYTES)
        return Parsed(None, [], "") if file_bytes is None else self.parse(file, file_bytes)

    def parse(self, file: Path, file_bytes: bytes) -> Parsed:
        """Read the bytes of a YAML file and keep its problems."""
        parsed = read_bytes(file_bytes, self.display_path(file), self.cache.entry_cache(file))
        self.problems.extend(parsed.problems)
        return parsed

    def list_files(self, folder: Path, *file_endings: str) -> list[Path]:
        """The files of a folder with one of these endings, by name."""
        listed_files = self.cache.known_listing(folder)
        if listed_files is None:
            if not folder.is_dir():
                self.cache.store_listing(folder, [])
            elif self.leaves_folder(folder, "files"):
                return []
            else:
                try:
                    self.cache.store_listing(
                        folder, [file for file in folder.iterdir() if not file.is_dir()]
                    )
                except OSError:
                    return []
            listed_files = self.cache.known_listing(folder) or []
        matching_files = sorted(
            file
            for file in listed_files
            if file.suffix.casefold() in file_endings and not file.name.startswith(".")
        )
        if len(matching_files) > MOST_FILES:
            self.problems.tell(
                "T47",
                f"more than {MOST_FILES} files; the rest is not read",
                whole_file(self.display_path(folder)),
            )
        return matching_files[:MOST_FILES]
