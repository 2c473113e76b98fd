"""Find campaigns: in a folder, above it, or in the project around it."""

from __future__ import annotations

import os
from collections import deque
from pathlib import Path
from typing import Final

from chronicle.core.file_reading import read_file
from chronicle.core.source import MappingNode, ScalarNode, SequenceNode
from chronicle.syntax.reader import read_bytes

SETTINGS_FILE: Final = "campaign.yaml"
SITE_SETTINGS: Final = ("mkdocs.yml", "mkdocs.yaml")
MOST_FOLDERS_SEARCHED: Final = 1_000
"""How many folders Chronicle searches for campaigns without a name."""


def sessions_of(project: Path) -> Path | None:
    """The folder where the site of a project looks for campaigns; None for other folders.

    A project has a ``mkdocs.yml`` that names the plug-in ``chronicle``. :func:`project_around` decides
    whether that file counts."""
    file = _site_settings(project)
    for _ in range(5):  # as deep as settings may inherit from others
        if file is None:
            return None
        try:
            tree = read_bytes(read_file(file), file.name).tree
        except OSError:
            return None
        if not isinstance(tree, MappingNode):
            return None
        plugins = tree.get(ScalarNode("plugins"))
        if plugins is not None:
            break
        parent = tree.get(ScalarNode("INHERIT"))
        file = file.parent / str(parent) if isinstance(parent, ScalarNode) and parent else None
    else:
        return None
    for plugin in plugins if isinstance(plugins, SequenceNode) else [plugins]:
        if plugin == "chronicle":
            return project / "sessions"
        if isinstance(plugin, MappingNode) and "chronicle" in plugin:
            options = plugin[ScalarNode("chronicle")]
            sessions = (
                options.get(ScalarNode("sessions")) if isinstance(options, MappingNode) else None
            )
            return project / (str(sessions) if isinstance(sessions, ScalarNode) else "sessions")
    return None


def site_name_of(project: Path) -> str:
    """The name of a project's site, as its ``mkdocs.yml`` says; empty if it says none."""
    file = _site_settings(project)
    try:
        tree = read_bytes(read_file(file), file.name).tree if file is not None else None
    except OSError:
        return ""
    name = tree.get(ScalarNode("site_name")) if isinstance(tree, MappingNode) else None
    return str(name) if isinstance(name, ScalarNode) else ""


def _site_settings(folder: Path) -> Path | None:
    """The ``mkdocs.yml`` in a folder."""
    files = (folder / name for name in SITE_SETTINGS)
    return next((file for file in files if os.path.isfile(file)), None)  # noqa: PTH113 - no raising


def site_settings_around(path: Path, *, names_chronicle: bool = False) -> Path | None:
    """The nearest ``mkdocs.yml`` at or above a path that counts; with ``names_chronicle``, one that names Chronicle.

    ``mkdocs.yml``, ``templates/`` and hooks are code, and writers of campaigns must not be able to add code.
    So the file does not count inside a campaign folder, nor among the campaigns of a project: there, the
    project around them counts."""
    path = Path(path)
    settings: Path | None = None
    campaigns: Path | None = None
    for folder in reversed((path, *path.resolve().parents)):
        file = _site_settings(folder)
        if file is not None and (
            campaigns is None or not folder.resolve().is_relative_to(campaigns)
        ):
            sessions = sessions_of(folder)
            if sessions is not None:
                campaigns = sessions.resolve()
            if sessions is not None or not names_chronicle:
                settings = file
        if os.path.isfile(folder / SETTINGS_FILE):  # noqa: PTH113 - no raising
            break
    return settings


def project_around(path: Path) -> tuple[Path, Path] | None:
    """The project at or above a path, and its folder of campaigns; None if there is none."""
    file = site_settings_around(path, names_chronicle=True)
    sessions = sessions_of(file.parent) if file is not None else None
    return (file.parent, sessions) if file is not None and sessions is not None else None


def find_campaigns(path: Path, *, most: int | None = None) -> list[Path]:
    """The folders with a ``campaign.yaml`` at or below a path, in order (or the campaign around it, if the path
    is inside one), without hidden folders and links.

    In a project, only the folder that its site is built from counts. If there is nothing at or below a path
    inside a project, the campaigns of the project are returned."""
    path = Path(path)
    if path.is_file():
        path = path.parent
    for folder in (path, *path.resolve().parents):
        if (folder / SETTINGS_FILE).is_file():
            return [folder]
    around = project_around(path)
    if around is None:
        return _campaigns_below(path, None, most)
    project, sessions = around
    campaigns = [] if project == path else _campaigns_below(path, project, most)
    if not campaigns and path.is_dir():
        campaigns = _campaigns_below(sessions, project, most)
    return campaigns


def _campaigns_below(path: Path, project: Path | None, most: int | None) -> list[Path]:
    """The campaigns in a folder; at most ``most`` folders are searched, the nearest first. Other projects
    inside a ``project`` do not count; elsewhere, a project leads to its own campaigns, but never out of its
    folder."""
    campaigns: list[Path] = []
    waiting = deque([(path, project is not None)])
    root = project.resolve() if project is not None else None
    searched = 0
    while waiting and (most is None or searched < most):
        folder, inside = waiting.popleft()
        searched += 1
        if folder != path and folder.resolve() == root:
            continue
        try:
            campaign = (folder / SETTINGS_FILE).is_file()
            sessions = None if inside else sessions_of(folder)
            if sessions is not None:
                inside = True
                if sessions != folder and sessions.resolve().is_relative_to(folder.resolve()):
                    waiting.append((sessions, inside))
                    continue
            if campaign:
                campaigns.append(folder)
            waiting.extend(
                (subfolder, inside or campaign)
                for subfolder in folder.iterdir()
                if subfolder.is_dir()
                and not subfolder.is_symlink()
                and subfolder.name[:1] not in "._"
                and subfolder.name not in ("node_modules", "site")
            )
        except (OSError, RuntimeError):
            continue
    return sorted(campaigns)
