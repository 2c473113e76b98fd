"""Twenty slips of the pen, as people make them: each is one message, at its place, that names the cause and says
what to write instead.

A folder of ``tests/fixtures/slips/`` is a campaign with one slip; ``expected.txt`` holds what is said of it:
the place, the code and the message, then the help, and nothing else. ``python -m tests.syntax.test_slips``
writes them anew; read the diff.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from chronicle.campaigns import load, run
from chronicle.core.diagnostic import Diagnostic
from chronicle.syntax.campaign_files import CampaignUnreadable
from chronicle.syntax.misplaced import misplaced_in_project

SLIPS = sorted(path for path in Path("tests/fixtures/slips").iterdir() if path.is_dir())


def _said(folder: Path) -> str:
    found: list[Diagnostic] = []
    where = folder if (folder / "campaign.yaml").exists() else folder / "sessions" / "ours"
    try:
        found = [
            *run(load(where)).diagnostics,
            *(misplaced_in_project(folder) if where != folder else ()),
        ]
    except CampaignUnreadable as error:
        found = list(error.diagnostics)
    lines: list[str] = []
    for one in found:
        if one.cause is None and one.severity:
            place = Path(one.place.path)
            file = place.relative_to(folder) if place.is_relative_to(folder) else place.name
            lines.append(f"{file}:{one.place.line}:{one.place.column} {one.code} {one.message}")
            lines += [f"    {line}" for line in one.help]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("folder", SLIPS, ids=lambda folder: folder.name)
def test_a_slip_is_one_message(folder: Path) -> None:
    said = _said(folder)
    assert said == (folder / "expected.txt").read_text("utf-8")
    messages = [line for line in said.splitlines() if not line.startswith(" ")]
    assert len(messages) == 1, messages
    assert len(said.splitlines()) > 1, "nothing says what to write instead"


if __name__ == "__main__":
    for one in SLIPS:
        (one / "expected.txt").write_text(_said(one), "utf-8")
