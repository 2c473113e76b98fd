"""Where Chronicle was installed from, and the command that installs more of it from there."""

from __future__ import annotations

import json
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit
from urllib.request import url2pathname

PACKAGE_NAME: Final = "chronicle-tabletop"


def installed_from(package: str = PACKAGE_NAME) -> dict[str, Any] | None:
    """The note of pip about a package that came from no index (``direct_url.json``, PEP 610)."""
    with suppress(PackageNotFoundError):
        for package_file in distribution(package).files or ():
            if package_file.name == "direct_url.json":
                install_origin: dict[str, Any] = json.loads(
                    package_file.read_text(encoding="utf-8")
                )
                return install_origin
    return None


def source_folder(install_origin: dict[str, Any] | None) -> Path | None:
    """The folder of source code that a package was installed from, if it is still there."""
    if install_origin is None or "dir_info" not in install_origin:
        return None
    folder = Path(url2pathname(urlsplit(str(install_origin["url"])).path))
    return folder if folder.is_dir() else None


def install_command(extra_name: str) -> str:
    """The command that installs an extra of Chronicle, from where Chronicle itself came."""
    return install_command_for(installed_from(), extra_name)


def install_command_for(install_origin: dict[str, Any] | None, extra_name: str) -> str:
    """The command that installs an extra of a Chronicle that came from ``install_origin``."""
    folder = source_folder(install_origin)
    if folder is not None:
        assert install_origin is not None
        editable_option = "--editable " if install_origin["dir_info"].get("editable") else ""
        return f'pip install {editable_option}"{folder}[{extra_name}]"'
    if install_origin is not None and "vcs_info" in install_origin:
        commit_id = install_origin["vcs_info"].get("commit_id", "")
        return (
            f'pip install "{PACKAGE_NAME}[{extra_name}] @ git+{install_origin["url"]}@{commit_id}"'
        )
    if install_origin is not None and "archive_info" in install_origin:
        return f'pip install "{PACKAGE_NAME}[{extra_name}] @ {install_origin["url"]}"'
    return f'pip install "{PACKAGE_NAME}[{extra_name}]"'
