"""The page on holes in a record: every example on it does what the page says, and is needed for it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from chronicle.campaigns import load, run
from chronicle.core.diagnostic import Severity
from chronicle.core.record import Record

PAGE = Path(__file__).parents[1] / "docs" / "holes.md"
INTRO, *SECTIONS = re.split(r"(?m)^## ", PAGE.read_text(encoding="utf-8"))


def blocks(text: str) -> list[str]:
    return re.findall(r"```yaml\n(.*?)```", text, re.S)


SETTINGS, OPENING = blocks(INTRO)


def played(folder: Path, section: str, without: str = "") -> Record:
    """The campaign of a section: its settings and its entries under those that the page begins with.
    ``without`` are words that are left out of it."""
    settings = [block for block in blocks(section) if not block.startswith("- ")]
    entries = [block for block in blocks(section) if block.startswith("- ")]
    has_start = section.startswith("play starts")
    log = [*entries, OPENING] if has_start else [OPENING, *entries]
    texts = SETTINGS + "".join(settings), "session: 1\nlog:\n" + "".join(log)
    assert any(without in text for text in texts)
    folder.mkdir()
    for name, text in zip(("campaign.yaml", "01.yaml"), texts, strict=True):
        (folder / name).write_text(text.replace(without, ""), encoding="utf-8")
    return run(load(folder))


def loud(record: Record) -> list[str]:
    return [
        f"{diagnostic.place.line} {diagnostic.code} {diagnostic.message}"
        for diagnostic in record.diagnostics
        if diagnostic.severity >= Severity.WARNING and diagnostic.cause is None
    ]


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.split("\n")[0])
def test_an_example_checks_clean(section: str, tmp_path: Path) -> None:
    assert not loud(played(tmp_path / "c", section))


NEEDED = {
    "gap": ("- gap: dinner\n  uncertain: [turns, purses]\n", "U3.57"),
    "under": ("  under: free voice\n", "U3.57"),
    "allow": ("  allow: {U3.57: Dov had to catch his train}\n", "U3.57"),
    "a house rule": ("  under: dawn\n", "U3.14"),
    "loud": ("    always: yes\n", "U3.57"),
    "correct": (
        "- correct: last\n  to: {wealth: {Ana: 19}}\n  note: we forgot the Coin for the wheel\n",
        "Coins",
    ),
    "play starts": ("- play starts: from here on we write everything\n", "Coins"),
}


@pytest.mark.parametrize("title", NEEDED)
def test_without_it_somebody_is_accused(title: str, tmp_path: Path) -> None:
    start = "a house rule" if title == "loud" else title
    section = next(section for section in SECTIONS if section.startswith(start))
    words, code = NEEDED[title]
    assert any(code in message for message in loud(played(tmp_path / "c", section, words)))


def test_a_ruling_makes_the_difference(tmp_path: Path) -> None:
    section = next(section for section in SECTIONS if section.startswith("a ruling"))
    other_section = section.replace("framer ties: first", "framer ties: excluded")
    assert any("U3.4" in message for message in loud(played(tmp_path / "c", other_section)))


def test_every_word_of_the_table_has_its_section() -> None:
    listed = re.findall(r"\]\(#([\w-]+)\) \|", INTRO)
    titles = (section.split("\n")[0].partition(" {")[0] for section in SECTIONS)
    assert listed == [title.replace(" ", "-") for title in titles]
