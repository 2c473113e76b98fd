"""Where Chronicle and game plug-ins were installed from, so that a workflow on another machine can install the same."""

from __future__ import annotations

import re
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit, urlunsplit
from urllib.request import url2pathname

from chronicle import __version__
from chronicle.core.installation import PACKAGE_NAME, installed_from


class Requirement(NamedTuple):
    """The line for ``pip install -r`` that installs a package, and the reason for it in one or two lines."""

    requirement_line: str
    reason: str


def requirement(package: str = PACKAGE_NAME, version: str = __version__) -> Requirement:
    """Return the requirement for an installed package: from the index, the repository or the wheel it came from."""
    return requirement_for(installed_from(package), package, version)


def requirement_for(
    install_origin: dict[str, Any] | None, package: str = PACKAGE_NAME, version: str = __version__
) -> Requirement:
    """Return the requirement for a package that came from ``install_origin``.

    Args:
        install_origin: what pip notes of a package that came from no index (``direct_url.json``, PEP 610).
        package: its name.
        version: its version.
    """
    if install_origin is None:
        return Requirement(f"{package}=={version}", "What the publishing workflow installs.")
    repository_url, commit = (
        install_origin["url"],
        install_origin.get("vcs_info", {}).get("commit_id", ""),
    )
    if "dir_info" in install_origin:
        checkout_folder = Path(url2pathname(urlsplit(repository_url).path))
        repository_url = _git_output(checkout_folder, "remote", "get-url", "origin")
        commit = _git_output(checkout_folder, "rev-parse", "HEAD")
    https_url = _https_url(repository_url)
    if https_url and commit:
        return Requirement(
            f"{package} @ git+{https_url}@{commit}",
            f"Until {package} {version} is released, the workflow installs it from its repository.",
        )
    if https_url and "archive_info" in install_origin:
        return Requirement(
            f"{package} @ {https_url}", "The workflow installs the file that you installed."
        )
    return Requirement(
        f"./{wheel_path(package, version)}",
        f"{package} {version} is not on PyPI yet. In the folder of its source code, run:\n"
        "pip wheel --no-deps -w PATH/TO/THIS/FOLDER/wheels .",
    )


def wheel_path(package: str = PACKAGE_NAME, version: str = __version__) -> str:
    """Where a project keeps the wheel of a package that no address leads to."""
    return f"wheels/{package.replace('-', '_')}-{version}-py3-none-any.whl"


def _https_url(url: str) -> str:
    """The same url over HTTPS, without a login: a workflow has no key. Empty where there is none."""
    if scp_match := re.fullmatch(r"[\w.-]+@([\w.-]+):([^\s/][^\s]*)", url):
        return f"https://{scp_match[1]}/{scp_match[2]}"
    url_parts = urlsplit(url)
    if url_parts.scheme not in ("https", "ssh") or not url_parts.hostname or re.search(r"\s", url):
        return ""
    port = f":{url_parts.port}" if url_parts.port and url_parts.scheme == "https" else ""
    return urlunsplit(
        ("https", url_parts.hostname + port, url_parts.path, url_parts.query, url_parts.fragment)
    )


def _git_output(checkout_folder: Path, *git_arguments: str) -> str:
    """What git says of a checkout_folder; empty where it says nothing."""
    with suppress(OSError):
        git_result = subprocess.run(
            ["git", "-C", str(checkout_folder), *git_arguments],
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        return git_result.stdout.strip() if git_result.returncode == 0 else ""
    return ""
