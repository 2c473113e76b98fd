"""The sessions of a campaign: reading each file, and checking their numbers and days."""

from __future__ import annotations

import re
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Final

from chronicle.core.campaign import (
    Header,
    Session,
)
from chronicle.core.declare import Action
from chronicle.core.diagnostic import (
    Diagnostic,
    DiagnosticKind,
    Fact,
    ask_whether,
    nearest_words,
)
from chronicle.core.field_types import LONG_DASHES
from chronicle.core.file_reading import MOST_BYTES
from chronicle.core.fix import ReplaceText, make_fix, replace_with
from chronicle.core.source import (
    MappingNode,
    Place,
    ScalarNode,
    SequenceNode,
    Value,
    are_same_nodes,
    place_of,
    whole_file,
)
from chronicle.syntax.campaign_files import CampaignFiles
from chronicle.syntax.decode import Decoder, decode_part
from chronicle.syntax.find import SETTINGS_FILE, SITE_SETTINGS_NAMES, site_settings_around
from chronicle.syntax.misplaced import misplaced_sessions
from chronicle.syntax.problems import problem
from chronicle.syntax.yaml_traps import missing_dash_problem

MOST_DAYS_BETWEEN_SESSIONS: Final = 92
"""Maximum number of days between two sessions for a guess of a day."""


def read_sessions(files: CampaignFiles, decoder: Decoder) -> list[Session]:
    """Read all sessions, in the order of their numbers."""
    sessions: list[Session] = []
    for file in files.list_files(files.folder, ".yml"):
        if file.name in SITE_SETTINGS_NAMES:
            report_misplaced_site_settings(files, file)
            continue
        files.problems.tell(
            "T43",
            "files ending in .yml are not read",
            whole_file(files.display_path(file)),
            f"rename it to {file.stem}.yaml",
            kind=DiagnosticKind.UNREADABLE,
        )
    for file in files.list_files(files.folder, ".yaml"):
        if _is_settings_file(files, file):
            continue
        if file.name in SITE_SETTINGS_NAMES:
            report_misplaced_site_settings(files, file)
            continue
        session = read_session(files, file, decoder)
        if session is not None:
            sessions.append(session)
    sessions.sort(key=lambda session: session.number)
    _report_misplaced_files(files)
    _check_order(files, sessions)
    for earlier_session, later_session in pairwise(sessions):
        if earlier_session.number == later_session.number:
            place = _place_of_key(later_session, "session")
            files.problems.tell(
                "T42",
                f"there are two sessions {later_session.number}: {earlier_session.path} and {later_session.path}",
                place,
                "give each session a number of its own",
                facts=(Fact("the other one", _place_of_key(earlier_session, "session")),),
            )
    return sessions


def report_misplaced_site_settings(files: CampaignFiles, settings_file: Path) -> None:
    """Report a ``mkdocs.yml`` in a campaign folder that has no effect."""
    counting_file = site_settings_around(settings_file.parent)
    if counting_file is None or counting_file.resolve() != settings_file.resolve():
        files.problems.tell(
            "T44",
            "settings of a site count only at the root of a project, and not in a campaign",
            whole_file(files.display_path(settings_file)),
            "take it out of the campaign folder",
            kind=DiagnosticKind.SUSPICIOUS,
        )


def read_session(files: CampaignFiles, file: Path, decoder: Decoder) -> Session | None:
    """Read a session file; None if it holds no session."""
    session_bytes = files.bytes_of(file, MOST_BYTES)
    if session_bytes is None:
        return None
    read_changed = partial(_read_changed_session, files, file, session_bytes, decoder)
    return files.cache.cached_result(
        "session", file, session_bytes, files.game, files.problems, read_changed
    )


def _read_changed_session(
    files: CampaignFiles, file: Path, session_bytes: bytes, decoder: Decoder
) -> Session | None:
    """Read a session file again. The entries before the first changed one stay the same objects, so that
    snapshots that refer to them stay valid."""
    last_read_session, last_read_problems = (
        files.cache.last_result("session", file),
        files.cache.last_problems("session", file),
    )
    count_before = len(files.problems)
    session = _parse_session(files, file, session_bytes, decoder)
    if isinstance(last_read_session, Session) and session is not None:
        _keep_same_entries(last_read_session, session)
        known_problems = {
            (diagnostic.place, diagnostic.content): diagnostic
            for diagnostic in last_read_problems
            if _reports_dropped_entry(diagnostic)
        }
        files.problems[count_before:] = [
            known_problems.get((diagnostic.place, diagnostic.content), diagnostic)
            if _reports_dropped_entry(diagnostic)
            else diagnostic
            for diagnostic in files.problems[count_before:]
        ]
    return session


def _parse_session(
    files: CampaignFiles, file: Path, session_bytes: bytes, decoder: Decoder
) -> Session | None:
    path = files.display_path(file)
    parsed = files.parse(file, session_bytes)
    tree = parsed.tree
    if tree is None:
        return None
    log_node = tree.get(ScalarNode("log")) if isinstance(tree, MappingNode) else None
    if not isinstance(tree, MappingNode) or log_node is None:
        if not parsed.problems:
            files.problems.append(_no_session_problem(tree, path))
        return None
    head_node = MappingNode((key, value) for key, value in tree.items() if key != "log")
    head_node.line, head_node.column = tree.line, tree.column
    # The log does not count for the end of the head.
    last_value: Value = next(reversed(head_node.values()), tree)
    head_node.end_line, head_node.end_column = last_value.end_line, last_value.end_column
    for key in list(head_node):
        if key not in Header.fields and key.lstrip(LONG_DASHES).strip() in decoder.verbs:
            files.problems.append(missing_dash_problem(path, key))
            del head_node[key]
    count_before = len(files.problems)
    header = decode_part(Header, head_node, path, files.problems)
    if header is None:
        header = Header()
        header.source = head_node
        header.session = _session_number_in(file.stem)
        if not any(
            diagnostic.code in ("T23", "T20") for diagnostic in files.problems[count_before:]
        ):
            return None
    elif header.date is not None:
        _report_invalid_date(files, header, path)
    actions: list[Action] = []
    if isinstance(log_node, SequenceNode):
        actions = decoder.decode_entries(
            log_node, path, header.session, files.problems, parsed.problems
        )
    elif not (isinstance(log_node, ScalarNode) and not log_node):
        files.problems.tell(
            "T41",
            "'log' is a list of entries",
            place_of(log_node, path),
            "start each entry with '- ' on a line of its own",
        )
    return Session(header, actions, path)


def _report_invalid_date(files: CampaignFiles, header: Header, path: str) -> None:
    """Report a date that is written like a day but is in no calendar."""
    day_match = re.fullmatch(r"\s*(\d{4})-(\d{1,2})-(\d{1,2})\s*", str(header.date))
    if day_match is None:
        _suggest_date_format(files, header, path)
    elif not _is_day("{:04}-{:02}-{:02}".format(*map(int, day_match.groups()))):
        files.problems.tell(
            "T20",
            f"there is no such day: {str(header.date).strip()}",
            place_of(header.value_of("date"), path),
            "write the day of play as year-month-day, as in  date: 2026-02-28",
            kind=DiagnosticKind.SUSPICIOUS,
        )


def _suggest_date_format(files: CampaignFiles, header: Header, path: str) -> None:
    """Suggest how to write a day with its parts in another order, or with dashes for hyphens."""
    date_text = str(header.date).strip()
    day_match = re.fullmatch(r"(\d{1,4})([./\u2013\u2014-])\s*(\d{1,2})\2\s*(\d{1,4})", date_text)
    if day_match is None:
        return
    date_numbers = [int(day_match[group_number]) for group_number in (1, 3, 4)]
    first_number, middle_number, last_number = date_numbers
    suggested_day = (
        f"{first_number:04}-{middle_number:02}-{last_number:02}"
        if first_number > 31
        else f"{last_number:04}-{middle_number:02}-{first_number:02}"
    )
    day_if_month_first = f"{last_number:04}-{first_number:02}-{middle_number:02}"
    has_ambiguous_slashes = day_match[2] == "/" and max(first_number, middle_number) < 13
    files.problems.tell(
        "T20",
        f"a day is written as year-month-day, not as {date_text}",
        place_of(header.value_of("date"), path),
        fixes=replace_with(
            [
                suggested_day,
                *(
                    [day_if_month_first]
                    if has_ambiguous_slashes and first_number <= 31 and last_number > 31
                    else []
                ),
            ]
        ),
        kind=DiagnosticKind.SUSPICIOUS,
    )


def _check_order(files: CampaignFiles, sessions: list[Session]) -> None:
    """Report the first session whose day or file name contradicts the order of the numbers."""
    for index, (earlier_session, later_session) in enumerate(pairwise(sessions)):
        days = [
            _iso_day_or_empty(str(session.header.date or ""))
            for session in (earlier_session, later_session)
        ]
        number_matches = [
            re.fullmatch(r"\D*(\d+)\D*", Path(session.path).stem)
            for session in (earlier_session, later_session)
        ]
        is_backwards = bool(days[0] and days[1]) and days[1] < days[0]
        is_swapped = all(number_matches) and int(number_matches[1][1]) < int(number_matches[0][1])  # type: ignore[index]
        if earlier_session.number == later_session.number or not (is_backwards or is_swapped):
            continue
        earlier_file, later_file = Path(earlier_session.path).name, Path(later_session.path).name
        message = (
            f"session {later_session.number} was played on {days[1]}, before session {earlier_session.number} "
            f"on {days[0]}"
            if is_backwards
            else f"{earlier_file} is session {earlier_session.number} "
            f"and {later_file} is session {later_session.number}"
        )
        days_below = (
            _iso_day_or_empty(str(session.header.date or "")) for session in sessions[index + 2 :]
        )
        suggested_days = (
            _possible_days(days[1], days[0], next(filter(None, days_below), ""))
            if is_backwards
            else []
        )
        order_question = (
            f"; did you mean {' or '.join(map(repr, suggested_days))}?" if suggested_days else ""
        )
        files.problems.tell(
            "T42",
            f"{message}; the number inside counts{order_question}",
            _place_of_key(later_session, "date" if is_backwards else "session"),
            "put the numbers behind 'session:' in the order of play",
            fixes=replace_with(suggested_days, is_told=True),
            facts=tuple(
                Fact(f"session {session.number}", _place_of_key(session, "session"))
                for session in (earlier_session, later_session)
            ),
            kind=DiagnosticKind.SUSPICIOUS,
        )
        return


def _report_misplaced_files(files: CampaignFiles) -> None:
    """Report sessions that are not read because of their folder or their ending."""
    for file in misplaced_sessions(files.folder):
        is_beside_settings = file.parent == files.folder
        files.problems.tell(
            "T43",
            f"files ending in {file.suffix} are not read"
            if is_beside_settings
            else f"sessions in a folder of their own, {file.parent.name}/, are not read",
            whole_file(files.display_path(file)),
            f"rename it to {file.stem}.yaml"
            if is_beside_settings
            else "put it beside campaign.yaml, if it is one of this campaign",
            kind=DiagnosticKind.UNREADABLE if is_beside_settings else DiagnosticKind.SUSPICIOUS,
        )


def _is_settings_file(files: CampaignFiles, file: Path) -> bool:
    """Whether a file is ``campaign.yaml``, also on a disk that ignores the case of letters."""
    if file.name == SETTINGS_FILE:
        return True
    try:
        return file.name.casefold() == SETTINGS_FILE and file.samefile(files.folder / SETTINGS_FILE)
    except OSError:
        return False


def _keep_same_entries(last_read_session: Session, session: Session) -> None:
    """Take over the entries of an earlier reading, up to the first that differs."""
    if last_read_session.number != session.number:
        return
    for index, (old_action, new_action) in enumerate(
        zip(last_read_session.actions, session.actions, strict=False)
    ):
        if not _is_same_entry(old_action, new_action):
            break
        session.actions[index] = old_action


def _reports_dropped_entry(diagnostic: Diagnostic) -> bool:
    """Whether a diagnostic is about an entry that was left out, and depends on no other."""
    return bool(diagnostic.dropped_words) and diagnostic.cause is None and not diagnostic.dependents


def _is_same_entry(old_action: Action, new_action: Action) -> bool:
    has_problem = old_action.problem is not None or new_action.problem is not None
    return (
        not has_problem
        and type(old_action) is type(new_action)
        and are_same_nodes(old_action.source, new_action.source)
    )


def _iso_day_or_empty(day: str) -> str:
    return day.strip() if re.fullmatch(r"\s*\d{4}-\d{2}-\d{2}\s*", day) else ""


def _possible_days(day: str, day_above: str, day_below: str) -> list[str]:
    """Days that are possibly meant by a day before that of the session above: in the same year as that session,
    in the next year, or with day and month swapped. They are at most
    ``MOST_DAYS_BETWEEN_SESSIONS`` days after the session above, and not after the session below
    (``day_below``)."""
    year, month, day_of_month = day.split("-")
    earlier_year = day_above[:4]
    candidate_days = (
        f"{earlier_year}-{month}-{day_of_month}",
        f"{int(earlier_year) + 1:04}-{month}-{day_of_month}",
        f"{year}-{day_of_month}-{month}",
    )
    from datetime import date, timedelta

    try:
        latest_day = (
            date.fromisoformat(day_above) + timedelta(days=MOST_DAYS_BETWEEN_SESSIONS)
        ).isoformat()
    except (ValueError, OverflowError):
        return []
    possible_days = [
        candidate_day
        for candidate_day in candidate_days
        if day_above <= candidate_day <= min(latest_day, day_below or latest_day)
        and _is_day(candidate_day)
    ]
    return list(dict.fromkeys(possible_days))


def _is_day(day_text: str) -> bool:
    from datetime import date

    try:
        date.fromisoformat(day_text)
    except ValueError:
        return False
    return True


def _no_session_problem(tree: Value, path: str) -> Diagnostic:
    """The diagnostic for a file beside ``campaign.yaml`` that is no session."""
    if isinstance(tree, MappingNode):
        for key in tree:
            similar_keys = nearest_words(key, ["log"])
            if similar_keys:
                message = f"no key '{key}' here{ask_whether(key, similar_keys)}"
                fixes = replace_with(similar_keys, is_told=True)
                return problem("T22", message, place_of(key, path), fixes=fixes)
    if isinstance(tree, SequenceNode) and tree and isinstance(tree[0], MappingNode):
        return problem(
            "T41",
            "this list of entries has no head",
            place_of(tree, path)._replace(end_line=tree.line, end_column=tree.column + 1),
            fixes=[
                make_fix(ReplaceText("session: 1\nlog:\n", Place(path, tree.line, 1, tree.line, 1)))
            ],
        )
    return problem(
        "T41",
        "this file is no session: it has no 'log'",
        whole_file(path),
        "a session starts with  session: 1  and has a list  log:",
        "character files lie in characters/, captions in art/",
    )


def _session_number_in(stem: str) -> int:
    digits_match = re.search(r"\d{1,6}", stem)
    return int(digits_match.group()) if digits_match else 0


def _place_of_key(session: Session, key: str) -> Place:
    value = session.header.value_of(key)
    return place_of(value, session.path) if value.line else whole_file(session.path)
