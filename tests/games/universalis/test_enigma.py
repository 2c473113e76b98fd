"""An Enigma is in no byte of a site before the evening that reveals it, and on its pages after."""

from __future__ import annotations

from pathlib import Path

from chronicle.campaigns import load, run
from tests.site.project import build, make_project
from tests.site.test_leaks import leaks

SETTINGS = (
    "game: universalis\ntitle: The ford\nplayers: [Ana, Bao]\npreparation: skipped\n"
    "add ons: [enigma]\n"
)
FIRST = """session: 1
log:
- bid: {Ana: 5, Bao: 0}
- scene: The ford
  at: {new: ford}
  with: [{character: ranger, name: Ida}]
- event: Ida wades in
- secret: born under the quicksilver moon
  id: what-ida-is
  by: Ana
- enigma: {Ida: what-ida-is}
- aside: she smiles
"""
SECOND = """session: 2
log:
- reveal: what-ida-is
"""
WORDS = "born under the quicksilver moon"


def table(folder: Path) -> Path:
    """A campaign with an Enigma that its second evening reveals."""
    folder.mkdir()
    for name, text in (("campaign", SETTINGS), ("01", FIRST), ("02", SECOND)):
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return folder


def test_it_is_masked_until_it_is_revealed(tmp_path: Path) -> None:
    folder = table(tmp_path / "table")
    early, _ = build(make_project(tmp_path / "early", folder, through=1))
    assert leaks(early, WORDS) == []
    page = (early / "table" / "enigmas.html").read_text(encoding="utf-8")
    assert "not revealed yet" in page
    late, _ = build(make_project(tmp_path / "late", folder))
    leaking_files = {line.partition(":")[0] for line in leaks(late, WORDS)}
    assert {"table/enigmas.html", "table/characters/ida.html"} <= leaking_files


def test_it_counts_from_the_reveal_and_dates_from_the_purchase(tmp_path: Path) -> None:
    folder = table(tmp_path / "table")
    ida = next(c for c in run(load(folder), through=1).state.components.values() if c.own == 2)
    assert not any(WORDS in trait.text for trait in ida.traits.values())
    record = run(load(folder))
    (trait,) = (
        t for c in record.state.components.values() for t in c.traits.values() if t.text == WORDS
    )
    assert record.step(trait.step).action.verb == "enigma"
    assert trait.history[-1][0] == len(record.steps)
