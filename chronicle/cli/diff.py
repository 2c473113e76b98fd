"""``chronicle diff``: what two keepers wrote down of one evening."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from chronicle.cli.out import (
    Cannot,
    TextStyler,
    campaigns_at,
    cannot_write,
    line_width,
    load_playable,
    recover_interrupted_edit,
    require_path,
)
from chronicle.cli.place import OUTPUT_PATH
from chronicle.core.file_reading import read_file

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from chronicle.core.campaign import Campaign
    from chronicle.syntax.compare import Comparison, Difference, Entry, Pair, SessionReplay

MIN_ENTRY_WIDTH = 24
"""How much of an entry is shown beside its place at least; where there is less room, below it."""


@click.command()
@click.argument("first_path", metavar="ONE", type=click.Path(path_type=Path))
@click.argument("second_path", metavar="OTHER", type=click.Path(path_type=Path))
@click.option(
    "--words",
    "shows_rewording",
    is_flag=True,
    help="Show passages too that differ only in their wording.",
)
@click.option(
    "--format",
    "output_format",
    type=click.Choice(["text", "json"]),
    default="text",
    help="text for people, json for programs.",
)
@click.option(
    "--merge",
    "draft_file",
    type=OUTPUT_PATH,
    help="Write a merged draft to this new file: ONE, plus the entries that only OTHER "
    "has. Conflicts get a comment.",
)
def diff(
    first_path: Path,
    second_path: Path,
    shows_rewording: bool,
    output_format: str,
    draft_file: Path | None,
) -> int:
    """Compare two logs of the same session. ONE and OTHER are session files or campaign folders.

    Chronicle compares the effects of entries and not their spelling: a first name equals the full name,
    422 equals [4, 2, 2], and other wording in a story is no conflict. It shows contradictions, entries
    that only one log has and where they belong, and entries in another order. The exit code is 0 if
    both logs have the same effects, 1 if not, and 2 if it could not compare them.

    \b
      chronicle diff sessions/lamps/03.yaml from-bo/03.yaml
      chronicle diff sessions/lamps/03.yaml from-bo/03.yaml --merge draft.yaml
    """  # noqa: D301
    for path in (first_path, second_path):
        require_path(path)
    if first_path.is_dir() != second_path.is_dir():
        raise Cannot("two session files, or two campaign folders; not one of each")
    if draft_file is not None and first_path.is_dir():
        raise Cannot(
            "--merge takes two session files", "chronicle diff ONE.yaml OTHER.yaml --merge"
        )
    old_contents = (
        [read_file(path) for path in (first_path, second_path)] if draft_file is not None else []
    )
    comparisons = (
        _compare_campaigns(first_path, second_path)
        if first_path.is_dir()
        else [_compare_session(first_path, second_path)]
    )
    if output_format == "json":
        click.echo(json.dumps(_comparisons_data(comparisons), ensure_ascii=False, indent=2))
    else:
        print_comparisons(comparisons, shows_rewording)
    if draft_file is not None:
        _write_merged(comparisons[0], old_contents, draft_file)
    return int(any(not comparison.agrees for comparison in comparisons))


def _campaign_of_file(file: Path) -> Campaign | None:
    """The campaign whose folder contains a file, if there is one."""
    from chronicle.syntax.find import SETTINGS_FILE

    real_folder = file.resolve().parent
    return load_playable(file.parent) if (real_folder / SETTINGS_FILE).is_file() else None


def _compare_session(first_file: Path, second_file: Path) -> Comparison:
    """Two session files side by side. A file outside of every campaign is read as part of the other's."""
    from chronicle.syntax.compare import comparable_logs, compare

    first_campaign, second_campaign = _campaign_of_file(first_file), _campaign_of_file(second_file)
    fallback_campaign = first_campaign or second_campaign
    if fallback_campaign is None:
        raise Cannot(
            "neither file is in a campaign",
            "a campaign is a folder with a campaign.yaml in it; one of the two has to be there",
        )
    if (
        first_campaign is not None
        and second_campaign is not None
        and first_campaign.game != second_campaign.game
    ):
        raise Cannot(f"these are two games: {first_campaign.game} and {second_campaign.game}")
    return compare(
        *comparable_logs(
            _replay_session(first_campaign or fallback_campaign, first_file),
            _replay_session(second_campaign or fallback_campaign, second_file),
        )
    )


def _replay_session(campaign: Campaign, file: Path) -> SessionReplay:
    from chronicle.campaigns import replay_session

    session_replay = replay_session(campaign, file.resolve())
    if session_replay is None:
        raise Cannot(f"'{file}' is no session", "a session has a number and a list 'log'")
    return session_replay


def _compare_campaigns(first_path: Path, second_path: Path) -> list[Comparison]:
    """Two campaign folders, evening by evening; one that only one of them has is compared with
    nothing."""
    from chronicle.syntax.compare import Log, comparable_logs, compare

    campaigns: list[Campaign] = []
    for path in (first_path, second_path):
        folders = campaigns_at(path)
        if len(folders) > 1:
            raise Cannot(
                f"there are {len(folders)} campaigns in '{path}'; say which one",
                *(str(folder) for folder in folders),
            )
        campaigns.append(load_playable(folders[0]))
    if campaigns[0].game != campaigns[1].game:
        raise Cannot(f"these are two games: {campaigns[0].game} and {campaigns[1].game}")
    paths_by_number = [
        {session.number: Path(session.path) for session in campaign.sessions}
        for campaign in campaigns
    ]
    comparisons: list[Comparison] = []
    for session_number in sorted({*paths_by_number[0], *paths_by_number[1]}):
        session_replays = [
            _replay_session(campaign, path_by_number[session_number])
            for campaign, path_by_number in zip(campaigns, paths_by_number, strict=True)
            if session_number in path_by_number
        ]
        logs = list(comparable_logs(session_replays[0], session_replays[-1]))
        for campaign_index, campaign in enumerate(campaigns):
            if session_number not in paths_by_number[campaign_index]:
                logs[campaign_index] = Log(f"{campaign.folder}/", session_number, {}, [])
        comparisons.append(compare(*logs))
    if not comparisons:
        raise Cannot("neither of the campaigns has a session yet")
    return comparisons


# -- for people ------------------------------------------------------------------------------------


def print_comparisons(comparisons: Sequence[Comparison], shows_rewording: bool) -> None:
    """Print comparisons for people; with ``words``, also passages that differ only in wording."""
    from chronicle.cli.checking import FileLines

    styler, lines_of_file = TextStyler(), FileLines()
    for comparison_index, comparison in enumerate(comparisons):
        if comparison_index:
            click.echo()
        title_text = f"Session {comparison.first.session_number}: {comparison.first.path} and {comparison.second.path}"
        for title_line in _wrap_keeping_paths(_clean_text(title_text)):
            click.echo(styler(title_line, "bold"))
        for difference in comparison.head_differences:
            click.echo()
            click.echo(
                _labelled_text(
                    "conflict", "red", f": {_difference_text(difference)}, in the head", styler
                )
            )
        for entry_pair in comparison.pairs:
            if entry_pair.kind != "same" and (shows_rewording or entry_pair.kind != "words"):
                click.echo(
                    "\n" + "\n".join(_pair_lines(entry_pair, comparison, lines_of_file, styler))
                )
        click.echo("\n" + "\n".join(_wrap_keeping_paths(_summary_text(comparison))))


def _pair_lines(
    entry_pair: Pair,
    comparison: Comparison,
    lines_of_file: Callable[[str], list[str]],
    styler: TextStyler,
) -> list[str]:
    """A pair of entries as lines for a terminal."""
    differences = [_difference_text(difference) for difference in entry_pair.differences]
    match entry_pair.kind:
        case "conflict":
            head_lines = [_labelled_text("conflict", "red", f": {differences[0]}", styler)]
            head_lines += [
                _labelled_text("", "red", f"  and {difference}", styler)
                for difference in differences[1:]
            ]
        case "words":
            changed_keys = ", ".join(difference.key for difference in entry_pair.differences)
            head_lines = [_labelled_text("in other words", "cyan", f": {changed_keys}", styler)]
        case "moved":
            head_lines = [_labelled_text("in another order", "yellow", "", styler)]
        case "unreadable":
            head_lines = [
                _labelled_text("cannot be read", "red", f": {reason}", styler)
                for reason in dict.fromkeys(
                    _unreadable_reason(entry) for entry in (entry_pair.first, entry_pair.second)
                )
                if reason
            ]
        case _:
            log = comparison.first if entry_pair.first is not None else comparison.second
            head_lines = [_labelled_text("only in", "yellow", f" {_clean_text(log.path)}", styler)]
    entry_lines = [
        entry_line
        for entry in (entry_pair.first, entry_pair.second)
        if entry is not None
        for entry_line in _entry_lines(entry, lines_of_file, styler)
    ]
    belongs_text = _missing_entry_text(entry_pair)
    return [
        *head_lines,
        *entry_lines,
        *([_labelled_text("   =", "blue", f" {belongs_text}", styler)] if belongs_text else []),
    ]


def _unreadable_reason(entry: Entry | None) -> str:
    """Why an entry cannot be read; of a secret, only that it cannot be read."""
    if entry is None or not entry.unreadable_reason:
        return ""
    return "a part of a secret" if entry.is_secret else _clean_text(entry.unreadable_reason)


def _entry_lines(
    entry: Entry, lines_of_file: Callable[[str], list[str]], styler: TextStyler
) -> list[str]:
    """The place of an entry and its first line, cut at the width of the screen."""
    from chronicle.cli.terminal import display_width, shortened_to_width

    first_line, text_width = (
        _shown_first_line(entry, lines_of_file),
        line_width() - display_width(entry.place) - 8,
    )
    place_text = f"  {styler('-->', 'blue')} {_clean_text(entry.place)}"
    if not first_line:
        return [place_text]
    if text_width < min(MIN_ENTRY_WIDTH, display_width(first_line)):
        return [place_text, f"      {shortened_to_width(first_line, line_width() - 6)}"]
    return [f"{place_text}  {shortened_to_width(first_line, text_width)}"]


def _labelled_text(label_text: str, colour: str, text: str, styler: TextStyler) -> str:
    """A text in lines of the width at hand, its first word in a colour."""
    indent_width = len(label_text) - len(label_text.lstrip()) or (
        len(text) - len(text.lstrip()) if not label_text else 0
    )
    first_line, *further_lines = _wrap_keeping_paths(f"{label_text}{text}", indent_width)
    return "\n".join(
        [styler(label_text, colour, "bold") + first_line[len(label_text) :], *further_lines]
    )


def _wrap_keeping_paths(text: str, indent_width: int = 0) -> list[str]:
    """A text in lines of the width at hand. The path of a file stays in one piece."""
    from chronicle.cli.terminal import display_width, wrap_to_columns

    max_width = line_width()
    wrapped_lines: list[str] = []
    current_line = " " * indent_width
    for word in text.split():
        word_parts = (
            [word]
            if "/" in word or "\\" in word
            else wrap_to_columns(word, max_width - indent_width - 2)
        )
        for word_part in word_parts:
            if (
                current_line.strip()
                and display_width(current_line) + 1 + display_width(word_part) > max_width
            ):
                wrapped_lines.append(current_line)
                current_line = " " * (indent_width + 2)
            current_line += f" {word_part}" if current_line.strip() else word_part
    return [*wrapped_lines, current_line]


def _missing_entry_text(entry_pair: Pair) -> str:
    """The place in the other log where a missing entry belongs."""
    if not any(entry is not None and entry.verb for entry in (entry_pair.first, entry_pair.second)):
        return ""
    match entry_pair.previous_entry, entry_pair.next_entry:
        case None, None:
            return ""
        case None, next_entry:
            return f"it belongs above {next_entry.place}" if next_entry is not None else ""
        case previous_entry, None:
            return f"it belongs below {previous_entry.place}"
        case previous_entry, next_entry:
            return f"it belongs between {previous_entry.place} and line {next_entry.line}"


def _difference_text(difference: Difference) -> str:
    """One difference in words."""
    from chronicle.syntax.compare import SECRET_TEXT

    changed_key, first_value, second_value = map(_clean_text, (difference.key, *difference[1:]))
    if difference.first_value == difference.second_value == SECRET_TEXT:
        return f"{changed_key} is not the same in both, and not yet revealed"
    if difference.first_value is None:
        return f"{changed_key} is {second_value} in the second, and not in the first"
    if difference.second_value is None:
        return f"{changed_key} is {first_value} in the first, and not in the second"
    return f"{changed_key} is {first_value} in the first, {second_value} in the second"


def _shown_first_line(entry: Entry, lines_of_file: Callable[[str], list[str]]) -> str:
    """The first line of an entry, without its secrets."""
    from chronicle.syntax.compare import SECRET_TEXT

    if entry.is_secret:
        return SECRET_TEXT
    file_lines = lines_of_file(entry.path)
    return (
        _clean_text(file_lines[entry.line - 1].strip())
        if 0 < entry.line <= len(file_lines)
        else entry.verb
    )


def _clean_text(text: str | None) -> str:
    from chronicle.cli.terminal import safe

    return safe(" ".join((text or "").split()))


def _summary_text(comparison: Comparison) -> str:
    from chronicle.core.diagnostic import listed, plural

    shared_count_text = plural(len(comparison.pairs_of_kinds("same", "words")), "entry", "entries")
    reworded_count = len(comparison.pairs_of_kinds("words"))
    counts_and_labels = [
        (
            len(comparison.head_differences) + len(comparison.pairs_of_kinds("conflict")),
            "conflict",
            "conflicts",
        ),
        (len(comparison.pairs_of_kinds("only one")), "only in the first", "only in the first"),
        (len(comparison.pairs_of_kinds("only other")), "only in the second", "only in the second"),
        (len(comparison.pairs_of_kinds("moved")), "in another order", "in another order"),
        (
            len(comparison.pairs_of_kinds("unreadable")),
            "that cannot be read",
            "that cannot be read",
        ),
    ]
    count_texts = [
        f"{pair_count} {singular if pair_count == 1 else plural}"
        for pair_count, singular, plural in counts_and_labels
        if pair_count
    ]
    rewording_text = f", {reworded_count} of them told in other words" if reworded_count else ""
    differences_text = listed(count_texts) if count_texts else "nothing contradicts"
    return f"{shared_count_text} in both{rewording_text}; {differences_text}"


# -- for programs ----------------------------------------------------------------------------------


def _comparisons_data(comparisons: Sequence[Comparison]) -> dict[str, Any]:
    return {
        "format": "chronicle-diff",
        "version": 1,
        "sessions": [
            {
                "number": comparison.first.session_number,
                "paths": [comparison.first.path, comparison.second.path],
                "agrees": comparison.agrees,
                "head": [
                    _difference_data(difference) for difference in comparison.head_differences
                ],
                "same": len(comparison.pairs_of_kinds("same")),
                "entries": [
                    _pair_data(entry_pair)
                    for entry_pair in comparison.pairs
                    if entry_pair.kind != "same"
                ],
            }
            for comparison in comparisons
        ],
    }


def _difference_data(difference: Difference) -> dict[str, str | None]:
    return {
        "where": difference.key,
        "one": difference.first_value,
        "other": difference.second_value,
    }


def _pair_data(entry_pair: Pair) -> dict[str, Any]:
    def entry_data(entry: Entry | None) -> dict[str, Any] | None:
        if entry is None:
            return None
        return {
            "path": entry.path,
            "line": entry.line,
            "verb": entry.verb,
            "why": _unreadable_reason(entry),
        }

    return {
        "kind": entry_pair.kind,
        "one": entry_data(entry_pair.first),
        "other": entry_data(entry_pair.second),
        "differences": [_difference_data(difference) for difference in entry_pair.differences],
        "after": entry_data(entry_pair.previous_entry),
        "before": entry_data(entry_pair.next_entry),
    }


# -- one log out of two ----------------------------------------------------------------------------


def _write_merged(comparison: Comparison, old_contents: list[bytes], draft_file: Path) -> None:
    """Write one log merged from two. ``old_contents`` are their contents before the comparison.

    Raises:
        Cannot: when the draft cannot be made or written.
    """
    from chronicle.core.edits import write_bytes
    from chronicle.core.files import changed_error
    from chronicle.syntax.merge_logs import merge_logs
    from chronicle.syntax.text_edit import EditRefused, decode_for_edit

    recover_interrupted_edit(draft_file.parent)
    if os.path.lexists(draft_file):
        raise Cannot(f"'{draft_file}' is there already, and nothing is overwritten")
    try:
        for log, old_data in zip((comparison.first, comparison.second), old_contents, strict=True):
            if read_file(Path(log.path)) != old_data:
                # The compared lines have moved since.
                raise changed_error(Path(log.path), "", "")
        first_source, second_source = (
            decode_for_edit(session_bytes, log.path)
            for log, session_bytes in zip(
                (comparison.first, comparison.second), old_contents, strict=True
            )
        )
        write_bytes(
            draft_file,
            first_source.bytes_of(merge_logs(comparison, first_source.text, second_source.text)),
        )
    except EditRefused as error:
        raise Cannot(str(error), "no draft was written") from None
    except OSError as error:
        raise cannot_write(error) from None
    click.echo(f"wrote {draft_file}", err=True)
