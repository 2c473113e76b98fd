"""The commit that this copy of Chronicle was made from."""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).parent.parent
RELEASED = PACKAGE / "COMMIT"
"""Written by ``.ci/release``; a checkout has none."""
SHORT = 7
"""Number of digits to show."""


def revision(released: Path = RELEASED, checkout: Path = PACKAGE.parent) -> str:
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
            else _checked_out(checkout / ".git")
        )
    except (OSError, ValueError):
        return ""
    return commit.strip()[:SHORT]


def _checked_out(git: Path) -> str:
    """The commit that HEAD names; empty if there is none."""
    if git.is_file():  # a further working tree: the file says where its folder is
        git = Path(git.read_text(encoding="utf-8").removeprefix("gitdir:").strip())
    head = (git / "HEAD").read_text(encoding="utf-8").strip()
    if not head.startswith("ref:"):
        return head
    name = head.removeprefix("ref:").strip()
    shared = git / "commondir"
    home = (git / shared.read_text(encoding="utf-8").strip()) if shared.is_file() else git
    if (home / name).is_file():
        return (home / name).read_text(encoding="utf-8")
    for line in (home / "packed-refs").read_text(encoding="utf-8").splitlines():
        commit, _, ref = line.partition(" ")
        if ref == name:
            return commit
    return ""
