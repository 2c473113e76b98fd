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
    from chronicle.cli.out import TextStyler
    from chronicle.cli.terminal import TerminalRenderer
    from chronicle.core.campaign_view import Facts

    for folder in campaigns_at(path):
        start_time = time.perf_counter()
        with relaxed_gc():
            campaign = load_playable(folder)
            read_time = time.perf_counter()
            record = run(campaign)
        end_time = time.perf_counter()
        verb_counts = Counter(step.action.verb for step in record.steps)
        entry_count = len(record.steps)
        label_rows = (
            ("game", record.rulebook.title),
            ("sessions", len(record.sessions)),
            ("entries", f"{entry_count:,}"),
            (
                "most used",
                ", ".join(
                    f"{verb} {use_count:,}" for verb, use_count in verb_counts.most_common(5)
                ),
            ),
            ("scenes", len(record.timeline.scenes)),
            ("movements", f"{len(record.ledger.postings):,}"),
            ("names", len(record.names.all)),
            ("problems", len(record.diagnostics)),
            ("reading", f"{(read_time - start_time) * 1000:.0f} ms"),
            ("replaying", f"{(end_time - read_time) * 1000:.0f} ms"),
            ("speed", f"{entry_count / max(end_time - start_time, 1e-9):,.0f} entries a second"),
            ("memory", _peak_memory_text()),
        )
        facts = tuple((label, str(value)) for label, value in label_rows if str(value))
        click.echo(
            TerminalRenderer(line_width(), TextStyler()).draw([Facts(facts, campaign.title)])
        )
    return 0


def _peak_memory_text() -> str:
    """The most memory this process has held."""
    try:
        import resource
    except ImportError:
        return ""
    import sys

    peak_memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return f"{peak_memory / (1024 * 1024 if sys.platform == 'darwin' else 1024):.0f} MB"
