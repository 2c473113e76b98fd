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

    requirement: str
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
    address, commit = install_origin["url"], install_origin.get("vcs_info", {}).get("commit_id", "")
    if "dir_info" in install_origin:
        checkout = Path(url2pathname(urlsplit(address).path))
        address = _git_output(checkout, "remote", "get-url", "origin")
        commit = _git_output(checkout, "rev-parse", "HEAD")
    https_address = _https_address(address)
    if https_address and commit:
        return Requirement(
            f"{package} @ git+{https_address}@{commit}",
            f"Until {package} {version} is released, the workflow installs it from its repository.",
        )
    if https_address and "archive_info" in install_origin:
        return Requirement(
            f"{package} @ {https_address}", "The workflow installs the file that you installed."
        )
    return Requirement(
        f"./{wheel_path(package, version)}",
        f"{package} {version} is not on PyPI yet. In the folder of its source code, run:\n"
        "pip wheel --no-deps -w PATH/TO/THIS/FOLDER/wheels .",
    )


def wheel_path(package: str = PACKAGE_NAME, version: str = __version__) -> str:
    """Where a project keeps the wheel of a package that no address leads to."""
    return f"wheels/{package.replace('-', '_')}-{version}-py3-none-any.whl"


def _https_address(address: str) -> str:
    """The same address over HTTPS, without a login: a workflow has no key. Empty where there is none."""
    if scp_match := re.fullmatch(r"[\w.-]+@([\w.-]+):([^\s/][^\s]*)", address):
        return f"https://{scp_match[1]}/{scp_match[2]}"
    parts = urlsplit(address)
    if parts.scheme not in ("https", "ssh") or not parts.hostname or re.search(r"\s", address):
        return ""
    port = f":{parts.port}" if parts.port and parts.scheme == "https" else ""
    return urlunsplit(("https", parts.hostname + port, parts.path, parts.query, parts.fragment))


def _git_output(checkout: Path, *git_arguments: str) -> str:
    """What git says of a checkout; empty where it says nothing."""
    with suppress(OSError):
        completed = subprocess.run(
            ["git", "-C", str(checkout), *git_arguments],
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        return completed.stdout.strip() if completed.returncode == 0 else ""
    return ""
