"""Find games: the six in this folder, and game plug-ins, which are installed as packages.

A game plug-in is a package with an entry point in the group ``chronicle.games``. The name of the entry point is the
name of the game in ``campaign.yaml``; its value is the class of the game, ``module:Class``. The games of this folder
stand in a list instead: a browser has no package metadata of Chronicle, and reading metadata makes a check 40 ms
slower. So Chronicle finds a game of this folder without looking for plug-ins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path, PurePath
from traceback import walk_tb
from types import CodeType, FunctionType, MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from chronicle.core.errors import GameCodeError, GameTextError
from chronicle.core.game import Game
from chronicle.core.game_info import API_VERSION, GameUnavailable

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GAMES: Final = MappingProxyType(
    {
        "fight-sphere": "chronicle.games.fight_sphere",
        "isolation": "chronicle.games.isolation",
        "playset-zero": "chronicle.games.playset_zero",
        "positive": "chronicle.games.positive",
        "slow-burn": "chronicle.games.slow_burn",
        "universalis": "chronicle.games.universalis",
    }
)
"""The games of this folder: name (as ``campaign.yaml`` writes it) to the module with its ``RULEBOOK``. Use
:func:`game_names` for all games."""

SMALLEST: Final = "positive"
"""The game with the fewest rules: what somebody gets who names none."""

GROUP: Final = "chronicle.games"
"""The entry-point group of game plug-ins."""


GAME_NAME: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
"""The name of a game. It is part of file names and addresses."""


class GamePlugin(NamedTuple):
    """A game of an installed package: the entry point, and the name and version of the package."""

    entry: EntryPoint
    package: str
    version: str

    def __str__(self) -> str:
        return f"{self.package} {self.version}"


@cache
def find_plugins() -> Mapping[str, tuple[GamePlugin, ...]]:
    """Game plug-ins by the name of the game, in the order of the names. No code of a plug-in runs. Several packages
    with one name are an error that :func:`rulebook` reports."""
    from importlib.metadata import entry_points

    plugins_of: dict[str, list[GamePlugin]] = {}
    for entry in entry_points(group=GROUP):
        distribution = entry.dist
        package, version = (
            (distribution.name, distribution.version) if distribution is not None else ("?", "")
        )
        plugins_of.setdefault(entry.name, []).append(GamePlugin(entry, package, version))
    return MappingProxyType(
        {
            name: tuple(sorted(plugins_of[name], key=lambda plugin: plugin.package))
            for name in sorted(plugins_of)
        }
    )


def game_names() -> tuple[str, ...]:
    """The names of all games, installed plug-ins included, in alphabetical order."""
    return tuple(sorted({*GAMES, *find_plugins()}))


def is_built_in(name: str) -> bool:
    """Whether a game of that name is in this folder."""
    return name in GAMES


def is_game(name: str) -> bool:
    """Whether there is a game of that name."""
    return name in GAMES or name in find_plugins()


def package_of(name: str) -> str:
    """The package of a game plug-in, with its version; empty for a game of this folder."""
    return "" if name in GAMES else " and ".join(map(str, find_plugins()[name]))


@cache
def _load(name: str) -> Game[Any] | GameUnavailable:
    if name in GAMES:
        built_in: Game[Any] = import_module(GAMES[name]).RULEBOOK()
        return built_in
    plugins = find_plugins()[name]
    if len(plugins) > 1:
        return GameUnavailable(
            f"{len(plugins)} packages bring a game named '{name}': {', '.join(map(str, plugins))}",
            *(f"pip uninstall {plugin.package}" for plugin in plugins),
        )
    return load_plugin(plugins[0])


def load_plugin(plugin: GamePlugin) -> Game[Any] | GameUnavailable:
    """The game of a plug-in, or the reason why it cannot be used."""
    name = plugin.entry.name
    described = f"the game '{name}' of the package {plugin}"
    if not GAME_NAME.fullmatch(name):
        return GameUnavailable(
            f"{described} cannot be used: the name of a game is lower-case letters, digits and hyphens"
        )
    try:
        kind = plugin.entry.load()
        version = getattr(kind, "api_version", API_VERSION)
        if version != API_VERSION:
            return GameUnavailable(
                f"{described} is written for version {version} of the game API, and this Chronicle has version "
                f"{API_VERSION}",
                f"pip install --upgrade {'chronicle-tabletop' if version > API_VERSION else plugin.package}",
            )
        for attribute in ("rules", "rulings"):
            if isinstance(getattr(kind, attribute, ()), str):
                return GameUnavailable(
                    f"{described} cannot be used: its {attribute} are a text",
                    f"if you write this game: write  {attribute} = api.read_{attribute}(...)  in {plugin.entry.value}",
                )
        if isinstance(getattr(kind, "verbs", ()), ModuleType):
            return GameUnavailable(
                f"{described} cannot be used: its verbs are a module",
                f"if you write this game: write  verbs = api.verbs_of(...)  in {plugin.entry.value}",
            )
        game = kind()
        if not isinstance(game, Game):
            return GameUnavailable(
                f"{described} cannot be used: {plugin.entry.value} is no subclass of chronicle.api.Game"
            )
        if game.name != name:
            return GameUnavailable(
                f"{described} cannot be used: its class calls the game '{game.name}'",
                f'write  name = "{name}"  in {plugin.entry.value}',
            )
    except (Exception, SystemExit) as error:  # The code of a plug-in can raise anything.
        cause = " ".join(f"{type(error).__name__}: {error}".split())
        return GameUnavailable(
            f"{described} cannot be loaded: {cause}",
            f"if you write this game: correct {_place_of_loading(error, plugin)}",
            f"if not: pip install --upgrade {plugin.package}",
        )
    return game


def _place_of_loading(error: BaseException, plugin: GamePlugin) -> str:
    """The line of a plug-in that cannot be loaded."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}:{error.lineno}"
    package = plugin.entry.module.partition(".")[0]
    place = _place_of_text(error, package)
    if place:
        return place
    places = [
        f"{frame.f_code.co_filename}:{line}"
        for frame, line in walk_tb(error.__traceback__)
        if str(frame.f_globals.get("__name__", "")).partition(".")[0] == package
    ]
    return places[-1] if places else f"the entry point  {plugin.entry.value}"


def _place_of_text(error: BaseException, package: str) -> str:
    """The line in the modules of a package with the text that is wrong; empty if there is none."""
    import sys

    if not isinstance(error, GameTextError):
        return ""
    for name, module in sys.modules.items():
        file = getattr(module, "__file__", None) or ""
        if name.partition(".")[0] == package and file.endswith(".py"):
            text = Path(file).read_text(encoding="utf-8")
            lines = [line.strip() for line in text.splitlines()]
            if error.line in lines:
                return f"{file}:{lines.index(error.line) + 1}"
    return ""


def rulebook(name: str) -> Game[Any]:
    """The rulebook of a game, imported on demand.

    Raises:
        KeyError: when there is no such game.
        GameUnavailable: when the package of the game cannot be used.
    """
    game = _load(name)
    if isinstance(game, GameUnavailable):
        raise GameUnavailable(str(game), *game.help)
    return game


def rulebooks() -> Iterator[Game[Any]]:
    """The rulebooks of all games that can be used. Each problem with a plug-in is logged once as a warning."""
    for name in game_names():
        game = _load(name)
        if isinstance(game, GameUnavailable):
            _warn(str(game))
        else:
            yield game
    for name in GAMES:
        for plugin in find_plugins().get(name, ()):
            _warn(
                f"the package {plugin} brings a game named '{name}', which is a game of Chronicle itself, and is "
                f"ignored. To remove it: pip uninstall {plugin.package}"
            )


class Fault(NamedTuple):
    """Where an exception comes from: the package of a game plug-in (empty: Chronicle itself), whose fault it is in
    words, and the line."""

    package: str
    whose: str
    place: str


def trace_fault(error: BaseException) -> Fault:
    """Find out whether the code of a game plug-in raised an exception, or Chronicle itself."""
    calls = [
        (str(frame.f_globals.get("__name__", "")), frame.f_code, line)
        for frame, line in walk_tb(error.__traceback__)
    ]
    function = error.function if isinstance(error, GameCodeError) else None
    function = getattr(function, "__func__", function)
    if isinstance(function, FunctionType):
        code = function.__code__
        calls.append((function.__module__, code, code.co_firstlineno))
    plugins = {
        plugin.entry.module.partition(".")[0]: plugin
        for found in find_plugins().values()
        for plugin in found
        if plugin.entry.name not in GAMES
    }
    for module, code, line in reversed(calls):
        package = module.partition(".")[0]
        plugin = plugins.get(package)
        if plugin is not None:
            place = _place_in(code, line, package)
            return Fault(str(plugin), f"the game '{plugin.entry.name}'", place)
    _, code, line = calls[-1]
    return Fault("", "Chronicle", _place_in(code, line, "chronicle"))


def _place_in(code: CodeType, line: int, package: str) -> str:
    """A line of code: its file within a package, its number, its function."""
    parts = PurePath(code.co_filename).parts
    start = len(parts) - parts[::-1].index(package) - 1 if package in parts else 0
    return f"{PurePath(*parts[start:]).as_posix()}:{line} in {code.co_name}"


@cache
def _warn(message: str) -> None:
    import logging

    logging.getLogger(__name__).warning("chronicle: %s", message)


def forget_plugins() -> None:
    """Look for plug-ins again: packages have been added to ``sys.path`` since."""
    for cached in (find_plugins, _load, _warn):
        cached.cache_clear()
