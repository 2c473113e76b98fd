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
    Fact,
    Finding,
    ask_whether,
    nearest_words,
)
from chronicle.core.file_reading import MOST_BYTES
from chronicle.core.fix import ReplaceText, make_fix, replace_with
from chronicle.core.kinds import LONG_DASHES
from chronicle.core.source import (
    MappingNode,
    Place,
    ScalarNode,
    SequenceNode,
    Value,
    place_of,
    same_nodes,
    whole_file,
)
from chronicle.syntax.campaign_files import CampaignFiles
from chronicle.syntax.decode import Decoder, read_part
from chronicle.syntax.find import SETTINGS_FILE, SITE_SETTINGS, site_settings_around
from chronicle.syntax.misplaced import misplaced_sessions
from chronicle.syntax.problems import problem
from chronicle.syntax.yaml_traps import dash_missing

SOON: Final = 92
"""Maximum number of days between two sessions for a guess of a day."""


def read_sessions(files: CampaignFiles, decoder: Decoder) -> list[Session]:
    """Read all sessions, in the order of their numbers."""
    sessions: list[Session] = []
    for file in files.list_files(files.folder, ".yml"):
        if file.name in SITE_SETTINGS:
            report_site_settings(files, file)
            continue
        files.problems.tell(
            "T43",
            "files ending in .yml are not read",
            whole_file(files.shown(file)),
            f"rename it to {file.stem}.yaml",
            finding=Finding.UNREADABLE,
        )
    for file in files.list_files(files.folder, ".yaml"):
        if _is_settings_file(files, file):
            continue
        if file.name in SITE_SETTINGS:
            report_site_settings(files, file)
            continue
        session = read_session(files, file, decoder)
        if session is not None:
            sessions.append(session)
    sessions.sort(key=lambda item: item.number)
    _report_misplaced_files(files)
    _check_order(files, sessions)
    for earlier, later in pairwise(sessions):
        if earlier.number == later.number:
            place = _place_of_key(later, "session")
            files.problems.tell(
                "T42",
                f"there are two sessions {later.number}: {earlier.path} and {later.path}",
                place,
                "give each session a number of its own",
                facts=(Fact("the other one", _place_of_key(earlier, "session")),),
            )
    return sessions


def report_site_settings(files: CampaignFiles, file: Path) -> None:
    """Report a ``mkdocs.yml`` in a campaign folder that has no effect."""
    counts = site_settings_around(file.parent)
    if counts is None or counts.resolve() != file.resolve():
        files.problems.tell(
            "T44",
            "settings of a site count only at the root of a project, and not in a campaign",
            whole_file(files.shown(file)),
            "take it out of the campaign folder",
            finding=Finding.SUSPICIOUS,
        )


def read_session(files: CampaignFiles, file: Path, decoder: Decoder) -> Session | None:
    """Read a session file; None if it holds no session."""
    data = files.bytes_of(file, MOST_BYTES)
    if data is None:
        return None
    read = partial(_read_changed_session, files, file, data, decoder)
    return files.kept.cached_result("session", file, data, files.game, files.problems, read)


def _read_changed_session(
    files: CampaignFiles, file: Path, data: bytes, decoder: Decoder
) -> Session | None:
    """Read a session file again. The entries before the first changed one stay the same objects, so that
    snapshots that refer to them stay valid."""
    earlier, diagnostic = (
        files.kept.last_result("session", file),
        files.kept.last_problems("session", file),
    )
    first = len(files.problems)
    session = _parse_session(files, file, data, decoder)
    if isinstance(earlier, Session) and session is not None:
        _keep_same_entries(earlier, session)
        known_problems = {(item.place, item.content): item for item in diagnostic if _is_lost(item)}
        files.problems[first:] = [
            known_problems.get((item.place, item.content), item) if _is_lost(item) else item
            for item in files.problems[first:]
        ]
    return session


def _parse_session(
    files: CampaignFiles, file: Path, data: bytes, decoder: Decoder
) -> Session | None:
    path = files.shown(file)
    parsed = files.parse(file, data)
    tree = parsed.tree
    if tree is None:
        return None
    log = tree.get(ScalarNode("log")) if isinstance(tree, MappingNode) else None
    if not isinstance(tree, MappingNode) or log is None:
        if not parsed.problems:
            files.problems.append(_no_session(tree, path))
        return None
    head = MappingNode((key, value) for key, value in tree.items() if key != "log")
    head.line, head.column = tree.line, tree.column
    # The log does not count for the end of the head.
    last: Value = next(reversed(head.values()), tree)
    head.end_line, head.end_column = last.end_line, last.end_column
    for key in list(head):
        if key not in Header.fields and key.lstrip(LONG_DASHES).strip() in decoder.verbs:
            files.problems.append(dash_missing(path, key))
            del head[key]
    earlier = len(files.problems)
    header = read_part(Header, head, path, files.problems)
    if header is None:
        header = Header()
        header.source = head
        header.session = _number_in(file.stem)
        if not any(item.code in ("T23", "T20") for item in files.problems[earlier:]):
            return None
    elif header.date is not None:
        _check_day(files, header, path)
    actions: list[Action] = []
    if isinstance(log, SequenceNode):
        actions = decoder.entries(log, path, header.session, files.problems, parsed.problems)
    elif not (isinstance(log, ScalarNode) and not log):
        files.problems.tell(
            "T41",
            "'log' is a list of entries",
            place_of(log, path),
            "start each entry with '- ' on a line of its own",
        )
    return Session(header, actions, path)


def _check_day(files: CampaignFiles, header: Header, path: str) -> None:
    """Report a date that is written like a day but is in no calendar."""
    match = re.fullmatch(r"\s*(\d{4})-(\d{1,2})-(\d{1,2})\s*", str(header.date))
    if match is None:
        _suggest_day(files, header, path)
    elif not _is_day("{:04}-{:02}-{:02}".format(*map(int, match.groups()))):
        files.problems.tell(
            "T20",
            f"there is no such day: {str(header.date).strip()}",
            place_of(header.value_of("date"), path),
            "write the day of play as year-month-day, as in  date: 2026-02-28",
            finding=Finding.SUSPICIOUS,
        )


def _suggest_day(files: CampaignFiles, header: Header, path: str) -> None:
    """Suggest how to write a day with its parts in another order, or with dashes for hyphens."""
    text = str(header.date).strip()
    numbers = re.fullmatch(r"(\d{1,4})([./\u2013\u2014-])\s*(\d{1,2})\2\s*(\d{1,4})", text)
    if numbers is None:
        return
    parts = [int(numbers[group]) for group in (1, 3, 4)]
    first, middle, last = parts
    day = f"{first:04}-{middle:02}-{last:02}" if first > 31 else f"{last:04}-{middle:02}-{first:02}"
    month_first = f"{last:04}-{first:02}-{middle:02}"
    slashes = numbers[2] == "/" and max(first, middle) < 13
    files.problems.tell(
        "T20",
        f"a day is written as year-month-day, not as {text}",
        place_of(header.value_of("date"), path),
        fixes=replace_with(
            [day, *([month_first] if slashes and first <= 31 and last > 31 else [])]
        ),
        finding=Finding.SUSPICIOUS,
    )


def _check_order(files: CampaignFiles, sessions: list[Session]) -> None:
    """Report the first session whose day or file name contradicts the order of the numbers."""
    for number, (earlier, later) in enumerate(pairwise(sessions)):
        days = [_iso(str(item.header.date or "")) for item in (earlier, later)]
        named = [re.fullmatch(r"\D*(\d+)\D*", Path(item.path).stem) for item in (earlier, later)]
        is_backwards = bool(days[0] and days[1]) and days[1] < days[0]
        swapped = all(named) and int(named[1][1]) < int(named[0][1])  # type: ignore[index]
        if earlier.number == later.number or not (is_backwards or swapped):
            continue
        first, second = Path(earlier.path).name, Path(later.path).name
        message = (
            f"session {later.number} was played on {days[1]}, before session {earlier.number} "
            f"on {days[0]}"
            if is_backwards
            else f"{first} is session {earlier.number} and {second} is session {later.number}"
        )
        below = (_iso(str(item.header.date or "")) for item in sessions[number + 2 :])
        suggestions = (
            _possible_days(days[1], days[0], next(filter(None, below), "")) if is_backwards else []
        )
        slip = f"; did you mean {' or '.join(map(repr, suggestions))}?" if suggestions else ""
        files.problems.tell(
            "T42",
            f"{message}; the number inside counts{slip}",
            _place_of_key(later, "date" if is_backwards else "session"),
            "put the numbers behind 'session:' in the order of play",
            fixes=replace_with(suggestions, is_told=True),
            facts=tuple(
                Fact(f"session {item.number}", _place_of_key(item, "session"))
                for item in (earlier, later)
            ),
            finding=Finding.SUSPICIOUS,
        )
        return


def _report_misplaced_files(files: CampaignFiles) -> None:
    """Report sessions that are not read because of their folder or their ending."""
    for file in misplaced_sessions(files.folder):
        inside = file.parent == files.folder
        files.problems.tell(
            "T43",
            f"files ending in {file.suffix} are not read"
            if inside
            else f"sessions in a folder of their own, {file.parent.name}/, are not read",
            whole_file(files.shown(file)),
            f"rename it to {file.stem}.yaml"
            if inside
            else "put it beside campaign.yaml, if it is one of this campaign",
            finding=Finding.UNREADABLE if inside else Finding.SUSPICIOUS,
        )


def _is_settings_file(files: CampaignFiles, file: Path) -> bool:
    """Whether a file is ``campaign.yaml``, also on a disk that ignores the case of letters."""
    if file.name == SETTINGS_FILE:
        return True
    try:
        return file.name.casefold() == SETTINGS_FILE and file.samefile(files.folder / SETTINGS_FILE)
    except OSError:
        return False


def _keep_same_entries(earlier: Session, session: Session) -> None:
    """Take over the entries of an earlier reading, up to the first that differs."""
    if earlier.number != session.number:
        return
    for at, (old, new) in enumerate(zip(earlier.actions, session.actions, strict=False)):
        if not _same_entry(old, new):
            break
        session.actions[at] = old


def _is_lost(diagnostic: Diagnostic) -> bool:
    """Whether a diagnostic is about an entry that was left out, and depends on no other."""
    return bool(diagnostic.dropped) and diagnostic.cause is None and not diagnostic.dependents


def _same_entry(item: Action, new: Action) -> bool:
    doubtful = item.problem is not None or new.problem is not None
    return not doubtful and type(item) is type(new) and same_nodes(item.source, new.source)


def _iso(day: str) -> str:
    return day.strip() if re.fullmatch(r"\s*\d{4}-\d{2}-\d{2}\s*", day) else ""


def _possible_days(day: str, earlier: str, later: str) -> list[str]:
    """Days that are possibly meant by a day before that of the session above: in the same year as that session,
    in the next year, or with day and month swapped. They are at most ``SOON`` days after the session
    above, and not after the session below (``later``)."""
    year, month, of_month = day.split("-")
    first = earlier[:4]
    options = (
        f"{first}-{month}-{of_month}",
        f"{int(first) + 1:04}-{month}-{of_month}",
        f"{year}-{of_month}-{month}",
    )
    from datetime import date, timedelta

    try:
        soon = (date.fromisoformat(earlier) + timedelta(days=SOON)).isoformat()
    except (ValueError, OverflowError):
        return []
    fits = [
        item for item in options if earlier <= item <= min(soon, later or soon) and _is_day(item)
    ]
    return list(dict.fromkeys(fits))


def _is_day(text: str) -> bool:
    from datetime import date

    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _no_session(tree: Value, path: str) -> Diagnostic:
    """The diagnostic for a file beside ``campaign.yaml`` that is no session."""
    if isinstance(tree, MappingNode):
        for key in tree:
            similar = nearest_words(key, ["log"])
            if similar:
                message = f"no key '{key}' here{ask_whether(key, similar)}"
                fixes = replace_with(similar, is_told=True)
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


def _number_in(stem: str) -> int:
    digits = re.search(r"\d{1,6}", stem)
    return int(digits.group()) if digits else 0


def _place_of_key(session: Session, key: str) -> Place:
    value = session.header.value_of(key)
    return place_of(value, session.path) if value.line else whole_file(session.path)
