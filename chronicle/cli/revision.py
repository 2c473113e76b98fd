"""The commit that this copy of Chronicle was made from."""

from __future__ import annotations

from pathlib import Path

PACKAGE_FOLDER = Path(__file__).parent.parent
COMMIT_FILE = PACKAGE_FOLDER / "COMMIT"
"""Written by ``.ci/release``; a checkout has none."""
SHOWN_DIGITS = 7
"""Number of digits to show."""


def revision(released: Path = COMMIT_FILE, checkout: Path = PACKAGE_FOLDER.parent) -> str:
    """Find the commit of this copy.

    Args:
        released: The file that a release brings along.
        checkout: The folder of a checkout, with ``.git`` in it.

    Returns:
        The first digits of the commit; empty if neither says.
    """
    try:
        commit = (
            released.read_text(encoding="utf-8")
            if released.is_file()
            else _commit_of_checkout(checkout / ".git")
        )
    except (OSError, ValueError):
        return ""
    return commit.strip()[:SHOWN_DIGITS]


def _commit_of_checkout(git: Path) -> str:
    """The commit that HEAD names; empty if there is none."""
    if git.is_file():  # a further working tree: the file says where its folder is
        git = Path(git.read_text(encoding="utf-8").removeprefix("gitdir:").strip())
    head = (git / "HEAD").read_text(encoding="utf-8").strip()
    if not head.startswith("ref:"):
        return head
    name = head.removeprefix("ref:").strip()
    shared_folder_file = git / "commondir"
    shared_folder = (
        (git / shared_folder_file.read_text(encoding="utf-8").strip())
        if shared_folder_file.is_file()
        else git
    )
    if (shared_folder / name).is_file():
        return (shared_folder / name).read_text(encoding="utf-8")
    for line in (shared_folder / "packed-refs").read_text(encoding="utf-8").splitlines():
        commit, _, ref = line.partition(" ")
        if ref == name:
            return commit
    return ""
