"""One thing wrong in a clean log: one finding under the right rule, whatever follows folded under it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from chronicle.campaigns import load, run

ROOT = Path(__file__).resolve().parents[3]
EXAMPLE = ROOT / "sessions" / "snowshed-nine"

MUTATIONS = [
    ("01.yaml", "  stress: 2\n", "  stress: 4\n", "I59"),
    ("01.yaml", "    Hedda & Anselm: [goal x3]", "    Hedda & Anselm: [goal x2]", "I12"),
    ("01.yaml", "[rigid + fond of drink]", "[rigid + fond of gin]", "I9"),
    ("01.yaml", "proud + arrogant]", "proud + arrogant x2]", "I9"),
    ("01.yaml", "hates uniforms x2, goal x3]", "hates uniforms x2, goal x2]", "I13"),
    ("01.yaml", "mistrusts doctors x2]", "mistrusts doctors x3]", "I10"),
    ("01.yaml", "  threat: the mountain, which is still coming down\n", "", "I79"),
    ("01.yaml", "  goal: get into the mailbag\n", "", "I1"),
    ("01.yaml", "Wim: neutral, Oskar: neutral}", "Wim: cooperative, Oskar: neutral}", "I18"),
    ("01.yaml", "Irena: must be hostile, Wim", "Irena: neutral, Wim", "I27"),
    ("01.yaml", "- difficulty: hard\n", "- difficulty: hard 4\n", "I41"),
    ("01.yaml", "- result: partial success\n", "- result: partial failure\n", "I49"),
    ("01.yaml", "  pool: 6\n", "  pool: 9\n", "I45"),
    ("01.yaml", "- stress: 3\n", "- stress: 2\n", "I62"),
    ("01.yaml", "- wounds: {Anselm: 1, Oskar: 1}", "- wounds: {Anselm: 1, Irena: 1}", "I67"),
    ("01.yaml", "- wounds: {Anselm: 1, Oskar: 1}", "- wounds: {Anselm: 1}", "I66"),
    ("01.yaml", "- stress: down 2\n", "- stress: down 4\n", "I61"),
    ("01.yaml", "links: {Irena & Oskar: +1, ", "links: {Irena & Oskar: +2, ", "I52"),
    ("01.yaml", ", erase: brave + timid}", "}", "I55"),
    ("01.yaml", ", for: the fall from the vent}", "}", "I56"),
    ("02.yaml", "- difficulty: easy\n", "", "I73"),
    ("02.yaml", "links: {Wim & Oskar: -2}", "links: {Wim & Oskar: -1}", "I53"),
    ("02.yaml", "  ask: [Anselm, Irena, Oskar]\n", "  ask: [Anselm, Irena, Oskar, Wim]\n", "I75"),
    ("02.yaml", "Anselm & Wim: 0}", "Anselm & Wim: 1}", "I58"),
    ("02.yaml", "- recover: {Anselm: injured}", "- recover: {Hedda: injured}", "I70"),
    (
        "03.yaml",
        "- propose: We carry Oskar out first\n  by: Hedda",
        "- propose: I get up\n  by: Oskar",
        "I64",
    ),
]


@pytest.mark.parametrize(("file", "right", "wrong", "code"), MUTATIONS)
def test_one_mistake_one_finding(
    file: str, right: str, wrong: str, code: str, tmp_path: Path
) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(EXAMPLE, folder)
    text = (folder / file).read_text(encoding="utf-8")
    assert right in text
    (folder / file).write_text(text.replace(right, wrong, 1), encoding="utf-8")
    record = run(load(folder))
    problems = [(d.code, d.message) for d in record.diagnostics if d.cause is None]
    assert problems, "nothing was found"
    assert [c for c, _ in problems] == [code], problems
