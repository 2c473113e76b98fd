"""A build says how far it is after two seconds, on a terminal, and nowhere else."""

import io
from typing import IO, cast

from chronicle.cli.out import SanitizingStream
from chronicle.site.progress import SILENT_SECONDS, Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def built(stream: io.StringIO, seconds: float) -> str:
    """What a build of ten pages says, one page after the other."""
    clock = Clock()
    progress = Progress(stream, clock)
    progress.begin()
    for _ in range(10):
        clock.now += seconds / 10
        progress.count_item("pages written", 1_200)
    progress.end()
    return stream.getvalue()


def test_a_quick_build_says_nothing() -> None:
    assert built(Terminal(), SILENT_SECONDS * 0.9) == ""


def test_the_line_is_written_over_through_a_screen_as_well() -> None:
    terminal = Terminal()
    progress = Progress(cast("IO[str]", SanitizingStream(terminal)), clock := Clock())
    progress.begin()
    for _ in range(3):
        clock.now += SILENT_SECONDS
        progress.count_item("pages\r written")
    assert terminal.getvalue().split("\r") == [f"  {n} pages\ufffd written" for n in (1, 2, 3)] + [
        ""
    ]


def test_a_slow_build_says_how_far_it_is_and_leaves_nothing_behind() -> None:
    terminal = built(Terminal(), SILENT_SECONDS * 2)
    assert terminal.startswith("  5 of 1,200 pages written, 8 min left\r")
    assert "\n" not in terminal
    assert terminal.split("\r")[-2].isspace()


def test_nothing_is_said_where_nobody_looks() -> None:
    assert built(io.StringIO(), SILENT_SECONDS * 5) == ""
