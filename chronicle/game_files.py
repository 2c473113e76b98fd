"""The files of installed game plug-ins, for the desk of a published site, which runs in a browser.

A browser takes the package that holds the class of the game, with its data files, and metadata that names the entry
point. It has no compiled modules, and no packages besides Chronicle and the standard library.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from chronicle.games import GROUP, GamePlugin, find_plugins, is_built_in

US: Final = "chronicle-tabletop"
_NOT_PACKED: Final = frozenset({"__pycache__", "py.typed"})
_REQUIRED: Final = re.compile(r"\s*(?P<name>[\w.-]+)(?P<rest>.*)")


def browser_files(warn: Callable[[str, str], object]) -> dict[str, bytes]:
    """Every file that a browser needs to play the installed plug-ins, by path, in the order of the paths.

    Args:
        warn: is given the name of each game that cannot run in a browser and is left out, and one line that says why.
    """
    files: dict[str, bytes] = {}
    for name, plugins in find_plugins().items():
        if is_built_in(name) or len(plugins) > 1:
            continue  # Such a name is reported wherever games are listed.
        plugin = plugins[0]
        try:
            files |= dict(_files_of(plugin))
        except (ImportError, OSError, ValueError) as error:
            warn(
                name,
                f"the desk of the site leaves out the game '{name}' of the package {plugin}: {error}",
            )
    return {path: files[path] for path in sorted(files)}


def _files_of(plugin: GamePlugin) -> Iterator[tuple[str, bytes]]:
    """The files of a plug-in: paths, and what they hold.

    Raises:
        ImportError: when its package is not there.
        OSError: when a file cannot be read.
        ValueError: when it cannot run in a browser.
    """
    required_names = [name for name in _required_package_names(plugin) if name != US]
    if required_names:
        raise ValueError(
            f"it needs {', '.join(required_names)}, and a browser has none but Chronicle"
        )
    top = plugin.entry.module.partition(".")[0]
    spec = find_spec(top)
    if spec is None:
        raise ImportError(f"there is no module '{top}'")
    if spec.submodule_search_locations:
        home = Path(next(iter(spec.submodule_search_locations)))
        paths = [file for file in home.rglob("*") if file.is_file()]
    else:
        paths = [Path(spec.origin or "")]
        home = paths[0]
    for file in paths:
        path = file.relative_to(home.parent)
        if _NOT_PACKED & {*path.parts}:
            continue
        if file.name.endswith(tuple(EXTENSION_SUFFIXES)):
            raise ValueError(f"{path.as_posix()} is compiled, and a browser runs Python only")
        yield path.as_posix(), file.read_bytes()
    games = {
        name: first.entry.value
        for name, (first, *_) in find_plugins().items()
        if first.package == plugin.package
    }
    yield from metadata(plugin.package, plugin.version, games).items()


def metadata(package: str, version: str, games: Mapping[str, str]) -> dict[str, bytes]:
    """The files from which Python learns of a package and its games, by path.

    Args:
        package: the name of the package.
        version: its version.
        games: its entry points: the name of each game, and ``module:Class``.
    """
    folder = f"{re.sub(r'[-_.]+', '_', package)}-{version}.dist-info"
    lines = [f"[{GROUP}]", *(f"{name} = {value}" for name, value in games.items()), ""]
    head = f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n"
    return {
        f"{folder}/METADATA": head.encode(),
        f"{folder}/entry_points.txt": "\n".join(lines).encode(),
    }


def _required_package_names(plugin: GamePlugin) -> Iterator[str]:
    """The names of the packages that a plug-in needs, extras aside."""
    distribution = plugin.entry.dist
    for line in (distribution.requires or ()) if distribution is not None else ():
        match = _REQUIRED.match(line)
        if match is not None and "extra ==" not in match["rest"]:
            yield re.sub(r"[-_.]+", "-", match["name"]).lower()
