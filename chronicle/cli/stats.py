"""``chronicle stats``."""

from __future__ import annotations

from pathlib import Path

import click

from chronicle.cli.out import campaigns_at, line_width, load_playable
from chronicle.cli.where import with_path_argument


@click.command()
@with_path_argument
def stats(path: Path) -> int:
    """Count the contents of the campaigns at PATH, and measure how long they take to read and replay.

    \b
      chronicle stats
      chronicle stats sessions/our-table
    """  # noqa: D301
    import time
    from collections import Counter

    from chronicle.campaigns import relaxed_gc, run
    from chronicle.cli.out import Ink
    from chronicle.cli.terminal import Terminal
    from chronicle.core.campaign_view import Facts

    for folder in campaigns_at(path):
        start = time.perf_counter()
        with relaxed_gc():
            campaign = load_playable(folder)
            read_end = time.perf_counter()
            record = run(campaign)
        end = time.perf_counter()
        verbs = Counter(step.action.verb for step in record.steps)
        count = len(record.steps)
        rows = (
            ("game", record.rulebook.title),
            ("sessions", len(record.sessions)),
            ("entries", f"{count:,}"),
            (
                "most used",
                ", ".join(
                    f"{verb} {count_of_verb:,}" for verb, count_of_verb in verbs.most_common(5)
                ),
            ),
            ("scenes", len(record.timeline.scenes)),
            ("movements", f"{len(record.ledger.postings):,}"),
            ("names", len(record.names.all)),
            ("problems", len(record.diagnostics)),
            ("reading", f"{(read_end - start) * 1000:.0f} ms"),
            ("replaying", f"{(end - read_end) * 1000:.0f} ms"),
            ("speed", f"{count / max(end - start, 1e-9):,.0f} entries a second"),
            ("memory", _memory()),
        )
        facts = tuple((label, str(value)) for label, value in rows if str(value))
        click.echo(Terminal(line_width(), Ink()).draw([Facts(facts, campaign.title)]))
    return 0


def _memory() -> str:
    """The most memory this process has held."""
    try:
        import resource
    except ImportError:
        return ""
    import sys

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return f"{peak / (1024 * 1024 if sys.platform == 'darwin' else 1024):.0f} MB"
