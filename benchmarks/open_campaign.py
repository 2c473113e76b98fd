"""Measure the answers of an open campaign after a change: ``python -m benchmarks.open_campaign FOLDER``.

Runs in a process of its own, so that its peak memory belongs to this campaign. Prints JSON.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from statistics import median
from time import process_time
from typing import NamedTuple

from benchmarks.processes import run_once
from chronicle.workspace import Workspace

CHANGES = 5


class Answers(NamedTuple):
    """Processor time of each answer, in milliseconds."""

    opening: float
    """Reading all files and replaying all entries."""
    append: float
    """After an entry at the end of the last session."""
    first_session: float
    """After an entry at the end of the first session."""


def measure_answers(folder: Path, scratch: Path) -> tuple[Answers, float]:
    """Measure a campaign in a process of its own.

    Returns:
        The times, and the peak memory in megabytes.
    """
    command = [sys.executable, "-m", "benchmarks.open_campaign", str(folder)]
    usage, printed = run_once(command, scratch)
    return Answers(*json.loads(printed)), usage.megabytes


def main(folder: Path) -> None:
    """Measure one campaign in this process."""
    campaign = Workspace(folder, root=folder)
    opening = _answer_time(campaign)
    sessions = sorted(file for file in folder.glob("*.yaml") if file.name != "campaign.yaml")
    append = median(_answer_times(campaign, sessions[-1]))
    first_session = median(_answer_times(campaign, sessions[0]))
    print(json.dumps(Answers(opening, append, first_session)))


def _answer_times(campaign: Workspace, file: Path) -> list[float]:
    """Add entries at the end of a file, one after the other."""
    text = file.read_text("utf-8")
    times = []
    for number in range(CHANGES):
        text += f"- tell: Somebody waits for hour {number}\n"
        campaign.change({file.name: text})
        times.append(_answer_time(campaign))
    return times


def _answer_time(campaign: Workspace) -> float:
    start = process_time()
    campaign.findings()
    return (process_time() - start) * 1000


if __name__ == "__main__":
    main(Path(sys.argv[1]))
