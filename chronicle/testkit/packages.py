"""Find the game to test: an installed one, or the package in a folder, which need not be installed."""

from __future__ import annotations

import atexit
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

from chronicle.core.errors import Refused
from chronicle.game_files import metadata
from chronicle.games import GROUP, forget_plugins, game_names, is_game, rulebook
from chronicle.testkit.battery import GameUnderTest, read_case_folder


class GameNotFound(Refused):
    """There is no such game to test. The message gives the cause, ``help`` the remedy."""

    def __init__(self, message: str, *help: str) -> None:
        super().__init__(message)
        self.help = help


def game_under_test(where: str | Path, *, cases: Path | None = None) -> GameUnderTest:
    """Find a game with its cases.

    Args:
        where: the name of a game, or the folder of a package, with its ``pyproject.toml``.
        cases: a folder with case files. By default ``cases`` in the package of the game.

    Raises:
        GameNotFound: when there is no such game, or several in one folder.
        GameUnavailable: when the package of the game cannot be used.
    """
    name = str(where)
    if isinstance(where, Path) or not is_game(name):
        if not Path(where).is_dir():
            raise GameNotFound(
                f"there is no game '{where}', and no folder of that name",
                f"games: {', '.join(game_names())}",
            )
        name = add_local_package(Path(where))
    rules = rulebook(name)
    home = _home_of(type(rules).__module__)
    openings = sorted((home / "openings").glob("*.log"))
    return GameUnderTest(
        rules,
        read_case_folder(cases or home / "cases"),
        openings=[[], *(file.read_text(encoding="utf-8").splitlines() for file in openings)],
    )


def _home_of(module: str) -> Path:
    """The folder of the package that holds a module."""
    spec = find_spec(module)
    origin = spec.origin if spec is not None else None
    if origin is None:
        raise GameNotFound(f"the module '{module}' has no file")
    return Path(origin).parent


def add_local_package(folder: Path) -> str:
    """Let Python find the package of a folder, and its game, until the process ends. Return the name of the game.

    Raises:
        GameNotFound: when the folder holds no package with one game.
    """
    file = folder / "pyproject.toml"
    try:
        project = tomllib.loads(file.read_text(encoding="utf-8"))["project"]
        package, version = str(project["name"]), str(project.get("version", "0"))
        games = {str(name): str(value) for name, value in project["entry-points"][GROUP].items()}
    except FileNotFoundError:
        raise GameNotFound(
            f"'{folder}' holds no game: there is no pyproject.toml", "chronicle game new my-game"
        ) from None
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise GameNotFound(
            f"{file}: {type(error).__name__}: {error}",
            f'a game plug-in has a [project] with a name, and  [project.entry-points."{GROUP}"]',
        ) from None
    if len(games) != 1:
        raise GameNotFound(
            f"{file} declares {len(games)} games", "name one: chronicle game check NAME"
        )
    scratch = Path(mkdtemp(prefix="chronicle-game-"))
    atexit.register(rmtree, scratch, ignore_errors=True)
    for path, data in metadata(package, version, games).items():
        (scratch / path).parent.mkdir(parents=True, exist_ok=True)
        (scratch / path).write_bytes(data)
    sys.path[:0] = [str(scratch), str(folder.resolve()), str(folder.resolve() / "src")]
    forget_plugins()
    (name,) = games
    return name
