"""A mistake in the words of one game, for ``chronicle explain T20`` beside a campaign of that game."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from chronicle.syntax.explain import EXAMPLES

if TYPE_CHECKING:
    from chronicle.core.game import Game

_SESSION: Final = "01.yaml"


class Mistake(NamedTuple):
    """A mistake in the example session of a game: the ``report`` of ``chronicle check``, and the correct line."""

    report: str
    right: str


def mistake_in_game(rules: Game[Any], code: str) -> Mistake | None:
    """A mistake of a kind in the words of a game; None if the example for all games has only words that this
    game has, too, or if the session of the game has no place for the mistake."""
    example = EXAMPLES.get(code)
    if code != "T20" or example is None:
        return None
    text = rules.new_campaign()[_SESSION]
    for line_number, wrong_line in _lines_without_pairs(text):
        report = _report(rules, text, line_number, wrong_line, code)
        if report:
            return Mistake(report, text.splitlines()[line_number - 1])
    return None


def _lines_without_pairs(text: str) -> Iterator[tuple[int, str]]:
    """Each line of the log with a mapping in braces, with its first name in place of the mapping."""
    rows = text.splitlines()
    for index in range(rows.index("log:"), len(rows)):
        key, colon, value = rows[index].partition(": ")
        if colon and value.startswith("{") and value.endswith("}"):
            yield index + 1, f"{key}: {value[1:-1].partition(':')[0]}"


def _report(rules: Game[Any], text: str, line_number: int, wrong_line: str, code: str) -> str:
    """The message about a session with another line; empty if it is not of that kind."""
    from chronicle.campaigns import load
    from chronicle.syntax.render import as_terminal_text

    rows = text.splitlines()
    rows[line_number - 1] = wrong_line
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "campaign"
        folder.mkdir()
        for name, content in rules.new_campaign().items():
            (folder / name).write_text(content, encoding="utf-8", newline="\n")
        (folder / _SESSION).write_text("\n".join([*rows, ""]), encoding="utf-8", newline="\n")
        diagnostics = [
            diagnostic
            for diagnostic in load(folder).diagnostics
            if diagnostic.code == code and diagnostic.place.line == line_number
        ]
        report_rows = as_terminal_text(diagnostics[:1], lambda _: rows).rstrip().splitlines()
    # The path and the command that the reader has just typed say nothing here.
    without = ("-->", f"chronicle explain {code}")
    return "\n".join(row for row in report_rows if not row.strip().startswith(without))
