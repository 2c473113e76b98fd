"""What all commands share: finding campaigns, speaking to people, stopping with a reason."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType
from typing import IO, TYPE_CHECKING, Final

if TYPE_CHECKING:
    from chronicle.core.campaign import Campaign

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
    }
)
"""What :class:`Ink` can do, with the codes that terminals know."""


class Cannot(Exception):
    """The command cannot run: what is in the way, and what to do about it. Exit code 2."""

    def __init__(self, message: str, *help: str) -> None:
        super().__init__(message)
        self.message = message
        self.help = tuple(line for line in help if line)

    def show(self) -> None:
        """Print the reason to standard error."""
        print(f"{Ink(sys.stderr)('chronicle:', 'red', 'bold')} {self.message}", file=sys.stderr)
        for line in self.help:
            print(f"  {line}", file=sys.stderr)


def cannot_write(error: OSError) -> Cannot:
    """Why a file could not be written, in one line."""
    where = f" '{error.filename}'" if error.filename else ""
    return Cannot(f"cannot write{where}: {error.strerror or error}")


class Ink:
    """Colours for one stream: only on a terminal, never against ``NO_COLOR``."""

    def __init__(self, stream: IO[str] | None = None, colour: bool | None = None) -> None:
        self.colour = on_terminal(stream) if colour is None else colour
        if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
            self.colour = False

    def __call__(self, text: str, *style: str) -> str:
        """The text in these colours and styles, or as it is."""
        if not self.colour or not text or not style:
            return text
        codes = ";".join(str(COLOURS[name]) for name in style)
        return f"\x1b[{codes}m{text}\x1b[0m"


def on_terminal(stream: IO[str] | None = None) -> bool:
    """Whether somebody is looking."""
    stream = stream or sys.stdout
    return bool(getattr(stream, "isatty", bool)())


def width(most: int = 100) -> int:
    """How wide a line may be here."""
    import shutil

    return max(40, min(most, shutil.get_terminal_size((80, 24)).columns))


def campaigns_at(path: Path) -> list[Path]:
    """The campaign folders at, below or around a path.

    Raises:
        Cannot: when there is none.
    """
    from chronicle.transcript.folder import find_campaigns

    try:
        if not path.exists():
            raise Cannot(f"there is no '{path}' here")
        found = find_campaigns(path)
    except OSError as error:
        where = error.filename or path
        raise Cannot(f"'{where}' cannot be read: {error.strerror}") from None
    if not found:
        from chronicle.transcript.folder import project_around

        around = project_around(path if path.is_dir() else path.parent)
        there = Path(os.path.relpath(around[1])) if around else path
        raise Cannot(
            f"no campaign in '{there}'" if str(there) != "." else "no campaign here",
            "a campaign is a folder with a campaign.yaml in it;",
            "chronicle new our-campaign  makes one",
        )
    return found


def campaign_at(path: Path) -> Campaign:
    """The one campaign at, below or around a path, read.

    Raises:
        Cannot: when there is none, or more than one, or its game cannot be made out.
    """
    import shlex

    found = campaigns_at(path)
    if len(found) > 1:
        raise Cannot(
            f"there are {len(found)} campaigns in '{path}'; say which one",
            *(f"--in {shlex.quote(str(folder))}" for folder in found),
        )
    return readable(found[0])


def readable(folder: Path) -> Campaign:
    """A campaign of a known game.

    Raises:
        Cannot: when the game cannot be made out; ``check`` tells more.
    """
    from chronicle.campaigns import load
    from chronicle.transcript.folder import CampaignUnreadable

    try:
        return load(folder)
    except CampaignUnreadable as error:
        said = [f"{one.place}: {one.message}" for one in error.diagnostics[:3]]
        raise Cannot(f"'{folder}' cannot be replayed", *said) from None


def watch(folders: list[Path], act: Callable[[], object], pause: float = 0.3) -> None:
    """Act now, and again whenever a file below one of the folders changes, until interrupted."""
    import time

    def seen() -> dict[str, tuple[int, int]]:
        stamps: dict[str, tuple[int, int]] = {}
        for folder in folders:
            for top, inner, files in os.walk(folder):
                inner[:] = [name for name in inner if not name.startswith(".")]
                for name in files:
                    file = os.path.join(top, name)  # noqa: PTH118 - this loop runs all day
                    try:
                        stat = os.stat(file)  # noqa: PTH116
                    except OSError:
                        continue
                    stamps[file] = (stat.st_mtime_ns, stat.st_size)
        return stamps

    try:
        before = seen()
        act()
        while True:
            time.sleep(pause)
            now = seen()
            if now != before:
                before = now
                act()
    except KeyboardInterrupt:
        print()
