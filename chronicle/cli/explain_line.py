"""``chronicle explain FILE:LINE``: one line of a log, with the state of play before and after it."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from chronicle.cli.out import Cannot, TextStyler, line_width, load_playable
from chronicle.core.file_reading import read_file

if TYPE_CHECKING:
    from chronicle.core.record import Record, SessionRecord, Step


def print_line(file: Path, line_number: int, folder: Path, *, shows_all_moves: bool = False) -> int:
    """What the entry on a line did: before, the change with its rules, after, what may come next."""
    from chronicle.cli.moments import find_file, find_session_opening, step_number_on_line
    from chronicle.cli.out import workspace_at
    from chronicle.syntax.find import MOST_FOLDERS_SEARCHED, find_campaigns

    relative_file = (folder.parent if folder.is_file() else folder) / file
    file = find_file(
        relative_file if relative_file.is_file() else file,
        find_campaigns(folder, max_folders=MOST_FOLDERS_SEARCHED),
    )
    folders = find_campaigns(file)
    if not folders:
        raise Cannot(f"'{file}' lies in no campaign", "a campaign is a folder with a campaign.yaml")
    workspace, record = workspace_at(load_playable(folders[0]))
    session_and_line = find_session_opening(record, file)
    if (
        session_and_line is not None
        and line_number >= 1
        and (line_number < session_and_line[1] or not session_and_line[1])
    ):
        session, entry_line = session_and_line
        with workspace.after(session.first_step - 1) as context:
            for explanation_text in _explain_session_start(
                session, entry_line, context, shows_all_moves
            ):
                click.echo(explanation_text)
        return 0
    step = record.step(step_number_on_line(record, file, line_number))
    with (
        workspace.after(step.number - 1) as state_before,
        workspace.after(step.number) as state_after,
    ):
        for explanation_text in _entry_explanation(
            record, step, state_before, state_after, shows_all_moves
        ):
            click.echo(explanation_text)
    return 0


def _explain_session_start(
    session: SessionRecord, entry_line: int, context: Any, shows_all_moves: bool
) -> Iterator[str]:
    """The state of play when a session opens, before its first entry (on line ``entry``, if any)."""
    styler = TextStyler()
    log_path, session_number = session.session.path, session.session.number
    first_entry_text = (
        f"entry {session.first_step} is the first" if entry_line else "no entry follows yet"
    )
    yield styler(f"{log_path}:1", "cyan") + f"  the head of session {session_number}"
    yield from _numbered_lines(log_path, 1, entry_line - 1 if entry_line else 10)
    yield ""
    yield styler(f"Session {session_number} opens here; {first_entry_text}.", "bold")
    situation = context.rulebook.situation(context)
    if situation:
        yield from _labelled_lines("before", [situation])
    yield from _duties_and_moves(context, shows_all_moves=shows_all_moves)


def _entry_explanation(
    record: Record, step: Step, context_before: Any, context_after: Any, shows_all_moves: bool
) -> Iterator[str]:
    from chronicle.cli.look import make_terminal_renderer
    from chronicle.cli.terminal import safe
    from chronicle.core.outcomes import outcomes_of, plain_text
    from chronicle.core.record import sentence_of
    from chronicle.core.sentences import plain

    styler, terminal_renderer = TextStyler(), make_terminal_renderer()
    place = step.action.place()
    yield (
        styler(f"{place.path}:{place.line}", "cyan")
        + f"  entry {step.number}, session {step.session}"
    )
    yield from _entry_lines(record, step)
    yield ""
    yield styler(safe(plain(sentence_of(step))), "bold")
    situation = context_before.rulebook.situation(context_before)
    if situation:
        yield from _labelled_lines("before", [situation])
    if step.hidden:
        yield from _labelled_lines("secret", ["readers do not see this entry until it is revealed"])
    yield from _labelled_lines(
        "did", [f"{event.text}{f'  [{event.rule}]' if event.rule else ''}" for event in step.events]
    )
    if step.contest is not None:
        from chronicle.core.campaign_view import ContestCard

        yield terminal_renderer.draw([ContestCard(step.contest, step.number)])
    result_kinds, step_number = context_before.rulebook.results(), step.number
    yield from _labelled_lines("moved", _movement_texts(record, step))
    yield from _labelled_lines(
        "changed", _change_texts(record, step, context_before, context_after)
    )
    yield from _labelled_lines(
        "stands",
        [
            plain_text(outcome.sentence)
            for outcome in outcomes_of(record, result_kinds, step_number, step_number)
        ],
    )
    yield from _labelled_lines(
        "found",
        [
            f"{diagnostic.severity}[{diagnostic.code}] {diagnostic.message}"
            for diagnostic in step.diagnostics
            if diagnostic.severity
        ],
    )
    situation = context_after.rulebook.situation(context_after)
    if situation:
        yield from _labelled_lines("after", [situation])
    yield from _duties_and_moves(context_after, shows_all_moves=shows_all_moves)


def _duties_and_moves(context: Any, *, shows_all_moves: bool) -> Iterator[str]:
    """Print open duties and possible moves."""
    from chronicle.cli.look import duties_table, make_terminal_renderer, moves_as_texts

    terminal_renderer = make_terminal_renderer()
    duties = duties_table(context)
    for text in [
        *([terminal_renderer.draw(duties)] if duties else []),
        *moves_as_texts(context, terminal_renderer, shows_all_moves=shows_all_moves),
    ]:
        yield "\n" + text


def _labelled_lines(label: str, texts: Sequence[str]) -> Iterator[str]:
    from chronicle.cli.terminal import safe, wrap_to_columns

    styler = TextStyler()
    for text_index, text in enumerate(texts):
        label_cell = f"{label if text_index == 0 else '':8}"
        for line_index, wrapped_line in enumerate(wrap_to_columns(safe(text), line_width() - 10)):
            yield f"  {styler(label_cell, 'dim') if line_index == 0 else ' ' * 8}{wrapped_line}"


def _movement_texts(record: Record, step: Step) -> list[str]:
    """Every movement with its rule, in the words of the game."""
    from chronicle.core.diagnostic import amount_in_units

    movement_texts = []
    for posting in record.postings(step):
        reason = ", ".join(filter(None, (posting.why, posting.rule)))
        amount_text = amount_in_units(posting.amount, posting.unit)
        source_text, target_text = (
            record.account_in_words(account) for account in (posting.source, posting.target)
        )
        movement_texts.append(f"{amount_text}: {source_text} -> {target_text}  [{reason}]")
    return movement_texts


def _change_texts(record: Record, step: Step, context_before: Any, context_after: Any) -> list[str]:
    """Every figure that changed, with its value before and after; of a range, its upper limit."""
    from chronicle.core.gaps import balance_in_words

    change_texts = []
    for change in record.changes(step):
        account = f"{change.name}:{change.owner_id}" if change.owner_id else change.name
        values_before_and_after: tuple[object, object] = change.in_words()
        if change.unit and change not in step.changes:
            values_before_and_after = (
                balance_in_words(context_before, account, change.unit),
                balance_in_words(context_after, account, change.unit),
            )
        change_texts.append(
            f"{record.account_in_words(account)}: {values_before_and_after[0]} -> {values_before_and_after[1]}"
        )
    return change_texts


def _entry_lines(record: Record, step: Step) -> Iterator[str]:
    """The first ten lines of the entry in its file, without secrets."""
    secret_lines = {
        line_number
        for hidden_step in record.steps
        if hidden_step.hidden and hidden_step.action.path == step.action.path
        for line_number in _line_range_of_entry(hidden_step)
    }
    entry_line_range = _line_range_of_entry(step)
    yield from _numbered_lines(
        step.action.path, entry_line_range[0], entry_line_range[-1], secret_lines
    )


def _line_range_of_entry(step: Step) -> range:
    """The lines of an entry."""
    span = step.action.whole_place
    last_line = span.end_line if span.end_column > 1 else span.end_line - 1
    return range(span.line, max(span.line, last_line) + 1)


def _numbered_lines(
    path: str, first_line: int, last_line: int, secret_lines: Container[int] = ()
) -> Iterator[str]:
    """Lines of a file with their numbers, at most ten; of secret ones their numbers alone."""
    from chronicle.cli.terminal import safe
    from chronicle.syntax.characters import decode_bytes
    from chronicle.syntax.render import split_lines

    try:
        file_text, _ = decode_bytes(read_file(Path(path)), path)
    except OSError:
        return
    file_lines = list(split_lines(file_text or "")[first_line - 1 : last_line])
    while file_lines and not file_lines[-1].strip():
        file_lines.pop()
    text_width = line_width() - 8
    for line_number, line in enumerate(file_lines[:10], first_line):
        shown_line = safe(line) if line_number not in secret_lines else "(secret)"
        if len(shown_line) > text_width:
            shown_line = f"{shown_line[: text_width - 1]}…"
        yield f"  {line_number:>4} | {shown_line}".rstrip()
    if len(file_lines) > 10:
        yield "       | ..."
