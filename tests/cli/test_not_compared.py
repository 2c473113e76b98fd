"""``check --all`` names every stated figure that could not be compared, with its place and the reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.test_cli import Chronicle, chronicle

__all__ = ("chronicle",)

HEAD = """\
session: 1
log:
- bid: {Ana: 4, Bo: 0, Cy: 2, Dov: 0}
- scene: The mill
  at: {new: mill}
"""
CAMPAIGN = "game: universalis\ntitle: The mill\nplayers: [Ana, Bo, Cy, Dov]\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A campaign without sessions."""
    (tmp_path / "campaign.yaml").write_text(CAMPAIGN, "utf-8")
    return tmp_path


def check_all(chronicle: Chronicle, folder: Path, entries: str) -> list[str]:
    """The lines that ``check --all`` prints for a log about figures that were not compared."""
    (folder / "01.yaml").write_text(HEAD + entries, "utf-8")
    lines = chronicle("check", folder, "--all").out.splitlines()
    listed = lines[lines.index("Not compared:") + 1 :] if "Not compared:" in lines else []
    return [line.split("/")[-1] for line in listed if line.startswith("  ")]


def test_a_gap_lies_between(chronicle: Chronicle, folder: Path) -> None:
    stated = "- gap: a page is missing\n- assert: {wealth: {Ana: 20, Bo: 27}}\n"
    assert check_all(chronicle, folder, stated) == [
        "01.yaml:7: Ana's wealth: a gap at 01.yaml:6 lies between",
        "01.yaml:7: Bo's wealth: a gap at 01.yaml:6 lies between",
    ]


def test_a_gap_has_not_ended(chronicle: Chronicle, folder: Path) -> None:
    stated = "- gap: a page is missing\n  until: end scene\n- assert: {wealth: {Ana: 20}}\n"
    assert check_all(chronicle, folder, stated) == [
        "01.yaml:8: Ana's wealth: the gap at 01.yaml:6 has not ended yet"
    ]


def test_an_entry_changed_it_by_an_unknown_amount(chronicle: Chronicle, folder: Path) -> None:
    head = HEAD.replace("Ana: 4", "Ana: unrecorded").replace("0}", "0}\n  winner: Ana")
    stated = head + "  by: Ana\n- assert: {wealth: {Ana: 20, Bo: 25}}\n"
    (folder / "01.yaml").write_text(stated, "utf-8")
    out = chronicle("check", folder, "--all").out
    reason = "the entry at 01.yaml:3 changed it, and the log does not say by how much"
    assert f"01.yaml:8: Ana's wealth: {reason}\n" in out
    assert out.endswith("2 figures stated, 1 compared\n")


def test_what_was_compared_is_not_listed(chronicle: Chronicle, folder: Path) -> None:
    assert check_all(chronicle, folder, "- assert: {wealth: {Ana: 20}}\n") == []
    counted = "- gap:\n- assert: {wealth: {Ana: 20}}\n- assert: {wealth: {Ana: 20}}\n"
    assert check_all(chronicle, folder, counted) == [
        "01.yaml:7: Ana's wealth: a gap at 01.yaml:6 lies between"
    ]
