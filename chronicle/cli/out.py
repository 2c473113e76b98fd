"""What all commands share: finding campaigns, speaking to people, stopping with a reason."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import MappingProxyType
from typing import IO, TYPE_CHECKING, Any, Final, cast

from chronicle.core.errors import Refused
from chronicle.core.files import EDIT_FOLDER, file_stamps

if TYPE_CHECKING:
    from chronicle.core.campaign import Campaign
    from chronicle.core.record import Record
    from chronicle.workspace import Workspace

COLOURS: Final = MappingProxyType(
    {
        "red": 31,
        "green": 32,
        "yellow": 33,
        "blue": 34,
        "cyan": 36,
        "bold": 1,
        "dim": 2,
        "underline": 4,
        "white": 97,
        "on black": 40,
    }
)
"""What :class:`TextStyler` can do, with the codes that terminals know."""


MAX_HELP_LINES: Final = 12
"""Most lines of advice to print; the rest of a longer list is counted."""


class Cannot(Refused):
    """The command cannot run: the obstacle, and how to remove it. Exit code 2."""

    def __init__(self, message: str, *help: str) -> None:
        super().__init__(message)
        help_lines = [help_line for help_line in help if help_line]
        if len(help_lines) > MAX_HELP_LINES:
            help_lines[MAX_HELP_LINES - 1 :] = [f"and {len(help_lines) - MAX_HELP_LINES + 1} more"]
        self.help = tuple(help_lines)

    def show(self) -> None:
        """Print the reason to standard error."""
        print(f"{TextStyler(sys.stderr)('chronicle:', 'red', 'bold')} {self}", file=sys.stderr)
        for help_line in self.help:
            print(f"  {help_line}", file=sys.stderr)


def cannot_write(error: OSError) -> Cannot:
    """Why a file could not be written, in one line."""
    file_text = f" '{error.filename}'" if error.filename else ""
    return Cannot(f"cannot write{file_text}: {error.strerror or error}")


class TextStyler:
    """Colours for one stream: only on a terminal, never against ``NO_COLOR``."""

    def __init__(self, stream: IO[str] | None = None, uses_colour: bool | None = None) -> None:
        self.uses_colour = on_terminal(stream) if uses_colour is None else uses_colour
        if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
            self.uses_colour = False

    def __call__(self, text: str, *style: str) -> str:
        """The text in these colours and styles, or plain."""
        if not self.uses_colour or not text or not style:
            return text
        codes = ";".join(str(COLOURS[style_name]) for style_name in style)
        return f"\x1b[{codes}m{text}\x1b[0m"


def obstacle_of(error: Exception) -> Cannot | None:
    """The obstacle in a line, if it is the machine, a file or a template; None if the fault is Chronicle's."""
    if isinstance(error, OSError) and error.strerror:
        file_text = f"'{error.filename}' cannot be used: " if error.filename else ""
        return Cannot(f"{file_text}{error.strerror}")
    if isinstance(error, MemoryError):
        return Cannot("there is not enough memory for this")
    jinja = sys.modules.get("jinja2")
    if jinja is not None and isinstance(error, jinja.TemplateError):
        template_name = getattr(error, "name", None) or "of the pages"
        template_line = getattr(error, "lineno", None)
        return Cannot(
            f"the template '{template_name}'{f', line {template_line}' if template_line else ''}: "
            f"{error.message or error}",
            "a template of the project is in its folder templates/",
        )
    return None


class SanitizingStream:
    """An output stream that removes control sequences of terminals, for every writer: commands, click,
    warnings. Text from a log, a file name or an argument stays text."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._colour = on_terminal(stream)
        with contextlib.suppress(AttributeError, ValueError):
            # A terminal with few letters, or half a character in a file name, is no error. Output to a file
            # or a program is the same on every system and code page.
            encoding_options = {} if self._colour else {"encoding": "utf-8", "newline": "\n"}
            stream.reconfigure(errors="backslashreplace", **encoding_options)  # type: ignore[attr-defined]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Print a text, without its control characters."""
        from chronicle.core.control_characters import printable_text

        return self._stream.write(printable_text(text, keep_colours=self._colour))

    def move_to_line_start(self) -> None:
        """Move the cursor to the left, so that the next text overwrites this line."""
        self._stream.write("\r")

    def writelines(self, lines: Iterable[str]) -> None:
        """Print several texts."""
        for line in lines:
            self.write(line)


@contextlib.contextmanager
def sanitized_output() -> Iterator[None]:
    """All that is printed in here goes through a :class:`SanitizingStream`."""
    streams = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = cast("tuple[Any, Any]", tuple(map(SanitizingStream, streams)))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = streams


def on_terminal(stream: IO[str] | None = None) -> bool:
    """Whether somebody is looking."""
    stream = stream or sys.stdout
    return bool(getattr(stream, "isatty", bool)())


def line_width(max_width: int = 100) -> int:
    """The greatest width of a line here."""
    import shutil

    return max(40, min(max_width, shutil.get_terminal_size((80, 24)).columns))


def require_path(path: Path) -> None:
    """Check that a file or folder exists.

    Raises:
        Cannot: when there is none, or no permission to look.
    """
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        raise Cannot(f"there is no '{path}' here") from None
    except OSError as error:
        raise Cannot(f"'{path}' cannot be read: {error.strerror}") from None


def campaigns_at(path: Path, *, for_editing: bool = False) -> list[Path]:
    """The campaign folders at, below or around a path. For editing, an interrupted edit is finished or
    undone first.

    Raises:
        Cannot: when there is none.
    """
    from chronicle.syntax.find import find_campaigns

    require_path(path)
    try:
        folders = find_campaigns(path)
    except OSError as error:
        path_text = error.filename or path
        raise Cannot(f"'{path_text}' cannot be read: {error.strerror}") from None
    if not folders:
        from chronicle.syntax.find import find_project

        project = find_project(path if path.is_dir() else path.parent)
        searched_folder = (
            Path(os.path.relpath(project.campaigns_folder)) if project is not None else path
        )
        raise Cannot(
            f"no campaign in '{searched_folder}'"
            if str(searched_folder) != "."
            else "no campaign here",
            *(
                [f"{project.folder / 'mkdocs.yml'} names this folder with  sessions:"]
                if project is not None and not searched_folder.is_dir()
                else []
            ),
            "a campaign is a folder with a campaign.yaml in it;",
            "chronicle new our-campaign  makes one",
        )
    for folder in folders:
        if os.path.lexists(folder / EDIT_FOLDER):
            recover_interrupted_edit(folder) if for_editing else _note_interrupted_edit(folder)
    return folders


def _note_interrupted_edit(folder: Path) -> None:
    from chronicle.core.edits import is_interrupted

    if is_interrupted(folder):
        print(
            f"{TextStyler(sys.stderr)('note:', 'blue', 'bold')} an edit in '{folder}' was interrupted; its "
            "files are read as if it had been finished, which the next command that edits them does",
            file=sys.stderr,
        )


def campaign_at(path: Path) -> Campaign:
    """The only campaign at, below or around a path, read.

    Raises:
        Cannot: when there is none, or more than one, or its game cannot be made out.
    """
    import shlex

    folders = campaigns_at(path)
    if len(folders) > 1:
        raise Cannot(
            f"there are {len(folders)} campaigns in '{path}'; say which one",
            *(f"--in {shlex.quote(str(folder))}" for folder in folders),
        )
    return load_playable(folders[0])


def recover_interrupted_edit(folder: Path) -> None:
    """Finish or take back what an interrupted edit left in a folder, and say so.

    Raises:
        Cannot: when that is impossible.
    """
    from chronicle.core import edits

    try:
        report = edits.finish_interrupted_edit(folder)
    except OSError as error:
        raise cannot_write(error) from None
    if report:
        print(report, file=sys.stderr)


def load_playable(folder: Path) -> Campaign:
    """A campaign of a known game.

    Raises:
        Cannot: when the game cannot be made out; ``check`` tells more.
    """
    from chronicle.campaigns import load
    from chronicle.syntax.campaign_files import CampaignUnreadable

    try:
        return load(folder)
    except CampaignUnreadable as error:
        problem_texts = [
            f"{diagnostic.place}: {diagnostic.message}" for diagnostic in error.diagnostics[:3]
        ]
        raise Cannot(f"'{folder}' cannot be replayed", *problem_texts) from None


def workspace_at(campaign: Campaign) -> tuple[Workspace, Record]:
    """A campaign in memory, to move to any entry of it, and its Record."""
    from chronicle.workspace import Workspace

    workspace = Workspace(Path(campaign.path).parent)
    record = workspace.record
    if record is None:
        raise Cannot(f"'{workspace.folder}' cannot be replayed")
    return workspace, record


def watch(folders: list[Path], on_change: Callable[[], object], pause_seconds: float = 0.3) -> None:
    """Act now, and again whenever a file below one of the folders changes, until interrupted."""
    import time

    try:
        old_stamps = file_stamps(folders)
        on_change()
        while True:
            time.sleep(pause_seconds)
            new_stamps = file_stamps(folders)
            if new_stamps != old_stamps:
                old_stamps = new_stamps
                on_change()
    except KeyboardInterrupt:
        print()
