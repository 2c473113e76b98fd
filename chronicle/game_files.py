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

CHRONICLE_PACKAGE: Final = "chronicle-tabletop"
_NOT_PACKED: Final = frozenset({"__pycache__", "py.typed"})
_REQUIREMENT: Final = re.compile(r"\s*(?P<name>[\w.-]+)(?P<rest>.*)")


def browser_files(warn: Callable[[str, str], object]) -> dict[str, bytes]:
    """Every file that a browser needs to play the installed plug-ins, by path, in the order of the paths.

    Args:
        warn: is given the name of each game that cannot run in a browser and is left out, and one line that says why.
    """
    files: dict[str, bytes] = {}
    for game_name, plugins in find_plugins().items():
        if is_built_in(game_name) or len(plugins) > 1:
            continue  # Such a name is reported wherever games are listed.
        plugin = plugins[0]
        try:
            files |= dict(_files_of(plugin))
        except (ImportError, OSError, ValueError) as error:
            warn(
                game_name,
                f"the desk of the site leaves out the game '{game_name}' of the package {plugin}: {error}",
            )
    return {path: files[path] for path in sorted(files)}


def _files_of(plugin: GamePlugin) -> Iterator[tuple[str, bytes]]:
    """The files of a plug-in: paths, and what they hold.

    Raises:
        ImportError: when its package is not there.
        OSError: when a file cannot be read.
        ValueError: when it cannot run in a browser.
    """
    required_names = [name for name in _required_package_names(plugin) if name != CHRONICLE_PACKAGE]
    if required_names:
        raise ValueError(
            f"it needs {', '.join(required_names)}, and a browser has none but Chronicle"
        )
    package_name = plugin.entry.module.partition(".")[0]
    module_spec = find_spec(package_name)
    if module_spec is None:
        raise ImportError(f"there is no module '{package_name}'")
    if module_spec.submodule_search_locations:
        package_path = Path(next(iter(module_spec.submodule_search_locations)))
        paths = [file for file in package_path.rglob("*") if file.is_file()]
    else:
        paths = [Path(module_spec.origin or "")]
        package_path = paths[0]
    for file in paths:
        relative_path = file.relative_to(package_path.parent)
        if _NOT_PACKED & {*relative_path.parts}:
            continue
        if file.name.endswith(tuple(EXTENSION_SUFFIXES)):
            raise ValueError(
                f"{relative_path.as_posix()} is compiled, and a browser runs Python only"
            )
        yield relative_path.as_posix(), file.read_bytes()
    entry_point_by_game = {
        name: first_plugin.entry.value
        for name, (first_plugin, *_) in find_plugins().items()
        if first_plugin.package == plugin.package
    }
    yield from metadata(plugin.package, plugin.version, entry_point_by_game).items()


def metadata(
    package_name: str, version: str, entry_point_by_game: Mapping[str, str]
) -> dict[str, bytes]:
    """The files from which Python learns of a package and its games, by path.

    Args:
        package_name: the name of the package.
        version: its version.
        entry_point_by_game: its entry points: the name of each game, and ``module:Class``.
    """
    folder = f"{re.sub(r'[-_.]+', '_', package_name)}-{version}.dist-info"
    lines = [
        f"[{GROUP}]",
        *(f"{name} = {value}" for name, value in entry_point_by_game.items()),
        "",
    ]
    metadata_text = f"Metadata-Version: 2.1\nName: {package_name}\nVersion: {version}\n"
    return {
        f"{folder}/METADATA": metadata_text.encode(),
        f"{folder}/entry_points.txt": "\n".join(lines).encode(),
    }


def _required_package_names(plugin: GamePlugin) -> Iterator[str]:
    """The names of the packages that a plug-in needs, extras aside."""
    distribution = plugin.entry.dist
    for requirement in (distribution.requires or ()) if distribution is not None else ():
        requirement_match = _REQUIREMENT.match(requirement)
        if requirement_match is not None and "extra ==" not in requirement_match["rest"]:
            yield re.sub(r"[-_.]+", "-", requirement_match["name"]).lower()
