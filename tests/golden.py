"""Golden files: what the examples come to, as text that shows a change of rules as a diff; and the
schemas that the examples name for editors.

``python -m tests.golden`` renews them all, ``python -m tests.golden NAME ...`` those whose path holds a
name. A test compares them with what the code says now.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from chronicle.campaigns import find_campaigns, load, run
from chronicle.cli.reference import schema_files
from chronicle.games import GAMES, rulebook
from chronicle.testkit.records import record_text
from tests.malformed import report_of, specimens
from tests.table import option_counts

ROOT = Path(__file__).resolve().parent.parent
RECORDS = ROOT / "tests" / "golden_records"
Files = Iterator[tuple[Path, Callable[[], str]]]
BROKEN = ROOT / "tests" / "fixtures" / "broken"


def golden_files() -> Files:
    """Every golden file with what makes it."""
    for folder in find_campaigns(ROOT / "sessions"):
        yield RECORDS / f"{folder.name}.txt", partial(_record, folder)
    for folder in find_campaigns(BROKEN):
        yield folder / "diagnostics.txt", partial(_diagnostics, folder)
    for game in GAMES:
        for name in schema_files(rulebook(game)):
            yield ROOT / name, partial(_schema, game, name)
    for specimen in specimens():
        yield specimen.with_suffix(".expected"), partial(report_of, specimen)


def _schema(game: str, name: str) -> str:
    """The schema that the play examples name in their first lines."""
    return schema_files(rulebook(game))[name]


def _record(folder: Path) -> str:
    campaign = load(folder)
    counts = option_counts(campaign, rulebook(campaign.game))
    return record_text(run(load(folder)), options=counts)


def _diagnostics(folder: Path) -> str:
    record = run(load(folder))
    lines: list[str] = []
    for diagnostic in record.diagnostics:
        if diagnostic.cause is not None:
            continue
        name = Path(diagnostic.place.path).name
        lines.append(
            f"{name}:{diagnostic.place.line}:{diagnostic.place.column} {diagnostic.severity} {diagnostic.code}"
        )
        lines.append(f"    {diagnostic.message}")
        lines += [
            f"    = {fact.text} (line {fact.place.line})" if fact.place else f"    = {fact.text}"
            for fact in diagnostic.facts
        ]
        lines += [f"    help: {help}" for help in diagnostic.help]
        if diagnostic.dependents:
            lines.append(f"    with it: {len(diagnostic.dependents)} more")
    return "\n".join(lines) + "\n"


def main(names: list[str]) -> None:
    """Renew golden files."""
    for path, make in golden_files():
        if names and not any(name in path.as_posix() for name in names):
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        text = make()
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(f"renewed {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main(sys.argv[1:])
