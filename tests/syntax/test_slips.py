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


def _shown_problems(folder: Path) -> str:
    diagnostics: list[Diagnostic] = []
    where = folder if (folder / "campaign.yaml").exists() else folder / "sessions" / "ours"
    try:
        diagnostics = [
            *run(load(where)).diagnostics,
            *(misplaced_in_project(folder) if where != folder else ()),
        ]
    except CampaignUnreadable as error:
        diagnostics = list(error.diagnostics)
    lines: list[str] = []
    for diagnostic in diagnostics:
        if diagnostic.cause is None and diagnostic.severity:
            place = Path(diagnostic.place.path)
            file = place.relative_to(folder) if place.is_relative_to(folder) else place.name
            lines.append(
                f"{file}:{diagnostic.place.line}:{diagnostic.place.column} {diagnostic.code} {diagnostic.message}"
            )
            lines += [f"    {line}" for line in diagnostic.help]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("folder", SLIPS, ids=lambda folder: folder.name)
def test_a_slip_is_one_message(folder: Path) -> None:
    shown = _shown_problems(folder)
    assert shown == (folder / "expected.txt").read_text("utf-8")
    messages = [line for line in shown.splitlines() if not line.startswith(" ")]
    assert len(messages) == 1, messages
    assert len(shown.splitlines()) > 1, "nothing says what to write instead"


if __name__ == "__main__":
    for slip in SLIPS:
        (slip / "expected.txt").write_text(_shown_problems(slip), "utf-8")
