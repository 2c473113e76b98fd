"""How many stated figures are compared once a record has a gap: ``python -m tests.gaps``.

A bare ``gap:`` is put above every tenth entry of each play example, one at a time. The table says for each game how
many of the figures that are stated below the gap are compared; ``--each`` lists the others with their reasons."""

from __future__ import annotations

import argparse
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree, ignore_patterns
from tempfile import TemporaryDirectory
from typing import NamedTuple

from chronicle.campaigns import find_campaigns, load, run
from chronicle.core.record import Record, StatedFigure
from chronicle.core.source import Place
from tests.conftest import ROOT

EVERY = 10
"""Distance of the entries above which a gap is put."""
LEAST_COMPARED = {
    "fight-sphere": 50,
    "isolation": 50,
    "playset-zero": 50,
    "positive": 30,
    "slow-burn": 33,
    "universalis": 39,
}
"""How many of a hundred figures below a gap are compared at least. A figure of somebody who existed before a gap that
may have changed it is unknown until the players state it once; play examples state most figures once a session."""

ONLY_OF = {"nothing in the log above says what it is": {"fight-sphere"}}
"""Reasons that only some games may have: here, a Relationship of a Gladiator whose drive the gap may have changed."""


class Measured(NamedTuple):
    """The figures that are stated below a gap in one log, and those of them that are not compared."""

    campaign: str
    stated: int
    not_compared: list[StatedFigure]


def with_gaps(folder: Path, every: int = EVERY) -> Iterator[Measured]:
    """Every log of a campaign with a bare gap above one of its entries: above each tenth one, in turn. Figures that
    the log leaves unknown by itself are left out."""
    with TemporaryDirectory() as scratch:
        copy = Path(scratch) / folder.name
        copytree(folder, copy, ignore=ignore_patterns("art", "*.md"))
        plain = run(load(copy))
        were_known = [not figure.reason_unknown for figure in plain.stated_figures]
        entries = [step for step in plain.steps if not step.parent and step.action.verb != "gap"]
        for step in entries[every - 1 :: every]:
            place = step.action.whole_place
            figures = run_with_gap(copy, place, place.line).stated_figures
            assert len(figures) == len(were_known), place
            below = [
                figure
                for figure, is_known in zip(figures, were_known, strict=True)
                if is_known and (figure.place.path, figure.place.line) > (place.path, place.line)
            ]
            yield Measured(
                folder.name, len(below), [figure for figure in below if figure.reason_unknown]
            )


def run_with_gap(folder: Path, place: Place, below: int) -> Record:
    """The record of a campaign with a bare gap at the place of an entry, instead of all lines down to the line
    ``below``."""
    path = Path(place.path)
    text = path.read_text("utf-8")
    lines = text.splitlines(keepends=True)
    lines[place.line - 1 : below - 1] = ["- gap:\n"]
    path.write_text("".join(lines), "utf-8")
    record = run(load(folder))
    path.write_text(text, "utf-8")
    return record


def measure_games() -> dict[str, list[Measured]]:
    """All measurements of the play examples, by game."""
    measured: defaultdict[str, list[Measured]] = defaultdict(list)
    for folder in find_campaigns(ROOT / "sessions"):
        measured[load(folder).game].extend(with_gaps(folder))
    return dict(sorted(measured.items()))


def kind_of(figure: StatedFigure) -> str:
    """A figure without its owner: ``wealth``."""
    return re.sub(r"^.*'s |^the ", "", figure.figure_text)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--each", action="store_true", help="list the figures that are not compared"
    )
    each = parser.parse_args().each
    print("| game | logs with a gap | figures below it | compared | not compared |")
    print("|---|---|---|---|---|")
    for game, measured in measure_games().items():
        missing = [figure for log in measured for figure in log.not_compared]
        stated = sum(log.stated for log in measured)
        share = f"{100 * (stated - len(missing)) / stated:.0f} %" if stated else ""
        kinds = Counter(map(kind_of, missing)).most_common()
        listed = ", ".join(f"{kind} {count}" for kind, count in kinds)
        print(f"| {game} | {len(measured)} | {stated} | {share} | {listed} |")
        if each:
            places = Counter(
                (
                    Path(figure.place.path).parent.name,
                    Path(figure.place.path).name,
                    figure.figure_text,
                    figure.reason_unknown,
                )
                for figure in missing
            )
            for (*where, name, reason), count in sorted(places.items()):
                print(f"    {count:3} {'/'.join(where)}: {name}: {reason}")


if __name__ == "__main__":
    main()
