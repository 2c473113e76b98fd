"""The commit that this copy of Chronicle was made from."""

from __future__ import annotations

from pathlib import Path

PACKAGE_FOLDER = Path(__file__).parent.parent
COMMIT_FILE = PACKAGE_FOLDER / "COMMIT"
"""Written by ``.ci/release``; a checkout has none."""
COMMIT_DIGITS = 7
"""Number of digits to show."""


def revision(commit_file: Path = COMMIT_FILE, checkout_folder: Path = PACKAGE_FOLDER.parent) -> str:
    """Find the commit of this copy.

    Args:
        commit_file: The file that a release brings along.
        checkout_folder: The folder of a checkout, with ``.git`` in it.

    Returns:
        The first digits of the commit; empty if neither says.
    """
    try:
        commit_id = (
            commit_file.read_text(encoding="utf-8")
            if commit_file.is_file()
            else _commit_of_checkout(checkout_folder / ".git")
        )
    except (OSError, ValueError):
        return ""
    return commit_id.strip()[:COMMIT_DIGITS]


def _commit_of_checkout(git_folder: Path) -> str:
    """The commit that HEAD names; empty if there is none."""
    if git_folder.is_file():  # a further working tree: the file says where its folder is
        git_folder = Path(git_folder.read_text(encoding="utf-8").removeprefix("gitdir:").strip())
    head_text = (git_folder / "HEAD").read_text(encoding="utf-8").strip()
    if not head_text.startswith("ref:"):
        return head_text
    ref_name = head_text.removeprefix("ref:").strip()
    shared_folder_file = git_folder / "commondir"
    shared_folder = (
        (git_folder / shared_folder_file.read_text(encoding="utf-8").strip())
        if shared_folder_file.is_file()
        else git_folder
    )
    if (shared_folder / ref_name).is_file():
        return (shared_folder / ref_name).read_text(encoding="utf-8")
    for packed_ref_line in (shared_folder / "packed-refs").read_text(encoding="utf-8").splitlines():
        commit, _, ref = packed_ref_line.partition(" ")
        if ref == ref_name:
            return commit
    return ""
