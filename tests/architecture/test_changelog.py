"""CHANGELOG.md can be read: short lines, sorted by area."""

import re
from pathlib import Path

SENTENCES = 2
"""The most sentences of a line."""


def unreleased(root: Path) -> str:
    """The part about changes that are not released yet."""
    text = (root / "CHANGELOG.md").read_text("utf-8")
    return text.partition("\n## Unreleased\n")[2].partition("\n## ")[0]


def test_a_change_is_told_in_two_sentences_at_most(root: Path) -> None:
    changes = re.findall(r"^- (.*(?:\n  .*)*)", unreleased(root), re.MULTILINE)
    assert len(changes) > 100
    long = [
        change
        for change in changes
        if len(re.split(r"(?<=[.!?])\s+(?=[A-Z`\"])", " ".join(change.split()))) > SENTENCES
    ]
    assert long == []


def test_changes_are_sorted_by_kind_and_area(root: Path) -> None:
    kinds = re.findall(r"^### (.*)", unreleased(root), re.MULTILINE)
    assert kinds == ["What a log means", "Added", "Changed", "Fixed"]
    meaning = unreleased(root).partition("### What a log means")[2].partition("\n### ")[0]
    areas = re.findall(r"^#### (.*)", meaning, re.MULTILINE)
    games = [
        "Universalis",
        "Isolation",
        "Positive (+)",
        "Slow Burn",
        "Fight Sphere",
        "Playset Zero",
    ]
    assert areas == ["All games", *games]
