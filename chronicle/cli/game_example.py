"""A mistake in the words of one game, for ``chronicle explain T20`` beside a campaign of that game."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from chronicle.syntax.explain import EXAMPLES

if TYPE_CHECKING:
    from chronicle.core.game import Game

_SESSION_FILE: Final = "01.yaml"


class Mistake(NamedTuple):
    """A mistake in the example session of a game: the ``report`` of ``chronicle check``, and the correct line."""

    report: str
    correct_line: str


def mistake_in_game(rules: Game[Any], diagnostic_code: str) -> Mistake | None:
    """A mistake of a kind in the words of a game; None if the example for all games has only words that this
    game has, too, or if the session of the game has no place for the mistake."""
    example = EXAMPLES.get(diagnostic_code)
    if diagnostic_code != "T20" or example is None:
        return None
    session_text = rules.new_campaign()[_SESSION_FILE]
    for line_number, line_with_mistake in _lines_with_mapping_cut_to_key(session_text):
        report = _message_about(
            rules, session_text, line_number, line_with_mistake, diagnostic_code
        )
        if report:
            return Mistake(report, session_text.splitlines()[line_number - 1])
    return None


def _lines_with_mapping_cut_to_key(session_text: str) -> Iterator[tuple[int, str]]:
    """Each line of the log with a mapping in braces, with its first name in place of the mapping."""
    session_lines = session_text.splitlines()
    for line_index in range(session_lines.index("log:"), len(session_lines)):
        key, colon, value_text = session_lines[line_index].partition(": ")
        if colon and value_text.startswith("{") and value_text.endswith("}"):
            yield line_index + 1, f"{key}: {value_text[1:-1].partition(':')[0]}"


def _message_about(
    rules: Game[Any],
    session_text: str,
    line_number: int,
    line_with_mistake: str,
    diagnostic_code: str,
) -> str:
    """The message about a session with another line; empty if it is not of that kind."""
    from chronicle.campaigns import load
    from chronicle.syntax.render import as_terminal_text

    session_lines = session_text.splitlines()
    session_lines[line_number - 1] = line_with_mistake
    with tempfile.TemporaryDirectory() as temporary_folder:
        folder = Path(temporary_folder) / "campaign"
        folder.mkdir()
        for file_name, file_text in rules.new_campaign().items():
            (folder / file_name).write_text(file_text, encoding="utf-8", newline="\n")
        (folder / _SESSION_FILE).write_text(
            "\n".join([*session_lines, ""]), encoding="utf-8", newline="\n"
        )
        diagnostics = [
            diagnostic
            for diagnostic in load(folder).diagnostics
            if diagnostic.code == diagnostic_code and diagnostic.place.line == line_number
        ]
        report_lines = (
            as_terminal_text(diagnostics[:1], lambda _: session_lines).rstrip().splitlines()
        )
    # The path and the command that the reader has just typed say nothing here.
    omitted_prefixes = ("-->", f"chronicle explain {diagnostic_code}")
    return "\n".join(
        report_line
        for report_line in report_lines
        if not report_line.strip().startswith(omitted_prefixes)
    )
