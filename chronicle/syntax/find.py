"""Find campaigns: in a folder, above it, or in the project around it."""

from __future__ import annotations

import os
from collections import deque
from pathlib import Path
from typing import Final, NamedTuple

from chronicle.core.file_reading import read_file
from chronicle.core.source import MappingNode, ScalarNode, SequenceNode
from chronicle.syntax.reader import read_bytes

SETTINGS_FILE: Final = "campaign.yaml"
SITE_SETTINGS_NAMES: Final = ("mkdocs.yml", "mkdocs.yaml")
MOST_FOLDERS_SEARCHED: Final = 1_000
"""How many folders Chronicle searches for campaigns without a name."""


def campaigns_folder_of(project_folder: Path) -> Path | None:
    """The folder where the site of a project looks for campaigns; None for other folders.

    A project has a ``mkdocs.yml`` that names the plug-in ``chronicle``. :func:`find_project` decides
    whether that file counts."""
    settings_file = _site_settings_file(project_folder)
    for _ in range(5):  # as deep as settings may inherit from others
        if settings_file is None:
            return None
        try:
            tree = read_bytes(read_file(settings_file), settings_file.name).tree
        except OSError:
            return None
        if not isinstance(tree, MappingNode):
            return None
        plugins_node = tree.get(ScalarNode("plugins"))
        if plugins_node is not None:
            break
        inherited_file = tree.get(ScalarNode("INHERIT"))
        settings_file = (
            settings_file.parent / str(inherited_file)
            if isinstance(inherited_file, ScalarNode) and inherited_file
            else None
        )
    else:
        return None
    for plugin in plugins_node if isinstance(plugins_node, SequenceNode) else [plugins_node]:
        if plugin == "chronicle":
            return project_folder / "sessions"
        if isinstance(plugin, MappingNode) and "chronicle" in plugin:
            plugin_options = plugin[ScalarNode("chronicle")]
            folder_name = (
                plugin_options.get(ScalarNode("sessions"))
                if isinstance(plugin_options, MappingNode)
                else None
            )
            return project_folder / (
                str(folder_name) if isinstance(folder_name, ScalarNode) else "sessions"
            )
    return None


def site_name_in_settings(project_folder: Path) -> str:
    """The name of a project's site, as its ``mkdocs.yml`` says; empty if it says none."""
    settings_file = _site_settings_file(project_folder)
    try:
        tree = (
            read_bytes(read_file(settings_file), settings_file.name).tree
            if settings_file is not None
            else None
        )
    except OSError:
        return ""
    site_name = tree.get(ScalarNode("site_name")) if isinstance(tree, MappingNode) else None
    return str(site_name) if isinstance(site_name, ScalarNode) else ""


def _site_settings_file(folder: Path) -> Path | None:
    """The ``mkdocs.yml`` in a folder."""
    files = (folder / name for name in SITE_SETTINGS_NAMES)
    return next((file for file in files if os.path.isfile(file)), None)  # noqa: PTH113 - no raising


def site_settings_around(path: Path, *, must_name_chronicle: bool = False) -> Path | None:
    """The nearest ``mkdocs.yml`` at or above a path that counts; with ``must_name_chronicle``, one
    that names Chronicle.

    ``mkdocs.yml``, ``templates/`` and hooks are code, and writers of campaigns must not be able to add code.
    So the file does not count inside a campaign folder, nor among the campaigns of a project: there, the
    project around them counts."""
    path = Path(path)
    nearest_settings_file: Path | None = None
    campaigns_folder: Path | None = None
    for folder in reversed((path, *path.resolve().parents)):
        settings_file = _site_settings_file(folder)
        if settings_file is not None and (
            campaigns_folder is None or not folder.resolve().is_relative_to(campaigns_folder)
        ):
            sessions_folder = campaigns_folder_of(folder)
            if sessions_folder is not None:
                campaigns_folder = sessions_folder.resolve()
            if sessions_folder is not None or not must_name_chronicle:
                nearest_settings_file = settings_file
        if os.path.isfile(folder / SETTINGS_FILE):  # noqa: PTH113 - no raising
            break
    return nearest_settings_file


class Project(NamedTuple):
    """The folder of a project, and its folder of campaigns."""

    folder: Path
    campaigns_folder: Path


def find_project(path: Path) -> Project | None:
    """The project at or above a path; None if there is none."""
    settings_file = site_settings_around(path, must_name_chronicle=True)
    sessions_folder = (
        campaigns_folder_of(settings_file.parent) if settings_file is not None else None
    )
    return (
        Project(settings_file.parent, sessions_folder)
        if settings_file is not None and sessions_folder is not None
        else None
    )


def find_campaigns(path: Path, *, max_folders: int | None = None) -> list[Path]:
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
    project = find_project(path)
    if project is None:
        return _campaigns_below(path, None, max_folders)
    campaign_folders = (
        [] if project.folder == path else _campaigns_below(path, project.folder, max_folders)
    )
    if not campaign_folders and path.is_dir():
        campaign_folders = _campaigns_below(project.campaigns_folder, project.folder, max_folders)
    return campaign_folders


def _campaigns_below(
    path: Path, project_folder: Path | None, max_folders: int | None
) -> list[Path]:
    """The campaigns in a folder; at most ``max_folders`` folders are searched, the nearest first. Other projects
    inside a ``project_folder`` do not count; elsewhere, a project leads to its own campaigns, but never out of its
    folder."""
    campaign_folders: list[Path] = []
    pending_folders = deque([(path, project_folder is not None)])
    project_root = project_folder.resolve() if project_folder is not None else None
    searched_count = 0
    while pending_folders and (max_folders is None or searched_count < max_folders):
        folder, is_in_project = pending_folders.popleft()
        searched_count += 1
        if folder != path and folder.resolve() == project_root:
            continue
        try:
            is_campaign = (folder / SETTINGS_FILE).is_file()
            sessions_folder = None if is_in_project else campaigns_folder_of(folder)
            if sessions_folder is not None:
                is_in_project = True
                if sessions_folder != folder and sessions_folder.resolve().is_relative_to(
                    folder.resolve()
                ):
                    pending_folders.append((sessions_folder, is_in_project))
                    continue
            if is_campaign:
                campaign_folders.append(folder)
            pending_folders.extend(
                (subfolder, is_in_project or is_campaign)
                for subfolder in folder.iterdir()
                if subfolder.is_dir()
                and not subfolder.is_symlink()
                and subfolder.name[:1] not in "._"
                and subfolder.name not in ("node_modules", "site")
            )
        except (OSError, RuntimeError):
            continue
    return sorted(campaign_folders)
