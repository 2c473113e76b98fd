"""Case files: the tests of a game, written as transcripts that a player could read.

::

    game: positive                       the settings of the campaign, for all cases of the file
    players: [Ana, Bo, Cy, Dee]

    ## (setup)                           entries that come before each case below
    - cast: {Ana: Marit, ...}

    ## PX1 a blank decides               one case; its name starts with the rule that it proves
    ## with: {rulings: {tie: caller-loses}}       settings of this case alone
    - roll: {Bo: o, Ana: '-'}
    - back: {Cy: Bo}      #! P18 the dice have fallen
    - assert: {track: {Bo: 1, Ana: -1}}

``#! CODE words`` expects one problem with that code on that entry, and the words in its message. ``#! CODE ILLEGAL
words`` names its kind as well (a member of ``DiagnosticKind``). On a line of its own, ``#!`` expects a problem of the
whole campaign. Every other problem fails the case, unless it follows from an expected one.

``#= words`` on a line of its own expects these words in the text of the record: in an event, a headline, a card, a
balance, the order of the scenes, or the situation at the end. ``#= scene 2: entries 5 to 9. words`` is about the end of
a scene, and ``#= pages: words`` about the pages.

``---`` alone on a line starts another session, which may begin with ``present:`` or ``absent:``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from chronicle.campaigns import load
from chronicle.core.diagnostic import Diagnostic, DiagnosticKind
from chronicle.core.errors import Refused
from chronicle.core.record import Record
from chronicle.core.replay import Replay
from chronicle.games import rulebook
from chronicle.testkit.records import book_text, standing, whole_text

_PAGES = "pages: "
_HEAD = re.compile(r"(present|absent): ")
_EXPECT = re.compile(r"\s*#!\s*(?P<code>[A-Za-z]+\.?[0-9][\w.]*)\s*(?P<words>.*?)\s*$")


class CaseFileError(Refused):
    """A mistake in a case file. The message gives file, line and fact, ``help`` the remedy."""

    def __init__(self, message: str, *help: str) -> None:
        super().__init__(message)
        self.help = help


@dataclass
class Case:
    """One case of a file."""

    file: Path
    name: str
    settings: str
    sessions: list[list[str]]
    line: int = 0
    """The line of the file where it begins."""
    file_lines: list[list[int]] = field(default_factory=list)
    """For each session, the lines of the file that its lines come from."""
    expected: dict[tuple[int, int], list[tuple[str, str]]] = field(default_factory=dict)
    """(session number, line) to the (code, words) expected there; line 0: anywhere."""
    shown: list[str] = field(default_factory=list)
    """What the text of the record says."""

    @property
    def id(self) -> str:
        """Its name in the test report."""
        return f"{self.file.parent.parent.name}/{self.file.stem}: {self.name}"

    def place(self, session: int, line: int) -> str:
        """The place in the case file of a line of a session as :func:`write_case` writes it."""
        if 0 < session <= len(self.file_lines):
            lines, origins = self.sessions[session - 1], self.file_lines[session - 1]
            index = line - 2 if line - 2 < _head_length(lines) else line - 3
            if 0 <= index < len(origins):
                return f"{self.file.name}:{origins[index]}"
        return f"{self.file.name}:{self.line}"


def read_cases(file: Path) -> list[Case]:
    """Read all cases of a file.

    Raises:
        CaseFileError: when the file does not name its game, a case has no entries, or settings of one case are above
            all cases.
    """
    text = "\n" + file.read_text(encoding="utf-8")
    head, *chunks = re.split(r"(?m)^## ", text)
    if not re.search(r"(?m)^game:", head):
        raise CaseFileError(
            f"{file.name}:1: the file does not say which game it is about",
            "write  game:  and the name of the game above the title of the first case",
        )
    setup: list[tuple[int, str]] = []
    cases: list[Case] = []
    line = head.count("\n")
    for chunk in chunks:
        title, _, body = chunk.partition("\n")
        first_line, line = line, line + chunk.count("\n")
        if title.strip() == "(setup)":
            setup = _numbered(body, first_line)
            continue
        if title.startswith("with:"):
            if not cases:
                raise CaseFileError(
                    f"{file.name}:{first_line}: '## with:' is above the first case",
                    "settings of all cases are at the head of the file, like  players: [Ana, Bo];  "
                    "'## with:' follows the title of its case",
                )
            case = cases[-1]
            case.settings = _override(case.settings, _inner(title.removeprefix("with:").strip()))
            _fill(case, [*setup, *_numbered(body, first_line)])
            continue
        case = Case(file, title.strip(), head.strip() + "\n", [], first_line)
        cases.append(case)
        if body.strip():
            _fill(case, [*setup, *_numbered(body, first_line)])
    for case in cases:
        if not case.sessions:
            raise CaseFileError(
                f"{file.name}:{case.line}: the case '{case.name}' has no entries",
                "write its entries below the title; settings of one case are written"
                "  ## with: {players: [Ana, Bo]}",
            )
    for case in cases:
        if not re.search(r"(?m)^players:", case.settings):
            raise CaseFileError(
                f"{file.name}:{case.line}: the case '{case.name}' has no players",
                "write  players: [Ana, Bo]  above the title of the first case",
            )
    return cases


def _inner(flow: str) -> str:
    """``{a: 1, b: {c: 2}}`` as block lines, so that it can extend the settings of the file."""
    depth, start, parts = 0, 1, []
    for index, character in enumerate(flow):
        depth += (character in "{[") - (character in "}]")
        if (character == "," and depth == 1) or (character == "}" and depth == 0):
            parts.append(flow[start:index].strip())
            start = index + 1
    return "".join(f"{part}\n" for part in parts if part)


def _override(settings: str, extra: str) -> str:
    """Settings with further ones in place of those of the same name."""
    names = {line.partition(":")[0] for line in extra.splitlines()}
    other_lines = [line for line in settings.splitlines() if line.partition(":")[0] not in names]
    return "\n".join(other_lines) + "\n" + extra


def _numbered(body: str, title_line: int) -> list[tuple[int, str]]:
    """The lines below a title with their numbers in the file."""
    return [*enumerate(body.rstrip().split("\n"), title_line + 1)]


def _head_length(lines: list[str]) -> int:
    """The number of lines of a session above its log."""
    return next((at for at, line in enumerate(lines) if not _HEAD.match(line)), len(lines))


def _fill(case: Case, numbered_lines: list[tuple[int, str]]) -> None:
    case.sessions, case.file_lines = [[]], [[]]
    for file_line, line in numbered_lines:
        if line.strip() == "---":
            case.sessions.append([])
            case.file_lines.append([])
        else:
            case.sessions[-1].append(line)
            case.file_lines[-1].append(file_line)
    for number, session in enumerate(case.sessions, 1):
        for index, line in enumerate(session):
            if line.startswith("#= "):
                case.shown.append(line.removeprefix("#= ").strip())
            match = _EXPECT.search(line)
            if match is None:
                continue
            is_alone = line.strip().startswith("#!")
            key = (number, 0 if is_alone else index + 3)
            case.expected.setdefault(key, []).append((match["code"], match["words"]))
            session[index] = line[: match.start()].rstrip() if not is_alone else ""


def write_case(case: Case, folder: Path) -> Path:
    """The case as a campaign folder."""
    folder.mkdir(parents=True, exist_ok=True)
    settings = case.settings if "title:" in case.settings else case.settings + "title: A case\n"
    (folder / "campaign.yaml").write_text(settings, encoding="utf-8", newline="\n")
    for number, lines in enumerate(case.sessions, 1):
        head = _head_length(lines)
        rows = [f"session: {number}", *lines[:head], "log:", *lines[head:]]
        text = "\n".join(rows) + "\n"
        (folder / f"{number:02}.yaml").write_text(text, encoding="utf-8", newline="\n")
    return folder


def comes_to(case: Case, folder: Path) -> tuple[Record, str]:
    """The record of a case, and all it comes to: :func:`whole_text`, and the state of play at the end."""
    campaign = load(write_case(case, folder))
    replay: Replay[Any] = Replay(campaign, rulebook(campaign.game), shows_retracted=True)
    replay.replay_to_end()
    record = replay.finish()
    return record, "\n".join([whole_text(record), *standing(replay.play), ""])


def problems_of(case: Case, folder: Path) -> tuple[Record, list[str]]:
    """Replay a case; return its record, and each expectation that it does not meet."""
    record, text = comes_to(case, folder)
    unmet = {key: list(expectations) for key, expectations in case.expected.items()}
    surplus = [
        problem
        for problem in record.diagnostics
        if problem.cause is None and not _expected(problem, record, unmet)
    ]
    pages = any(words.startswith(_PAGES) for words in case.shown)
    texts = {
        False: " ".join(text.split()) if case.shown else "",
        True: book_text(record) if pages else "",
    }
    problems = [
        f"not said: {words}"
        for words in case.shown
        if " ".join(words.removeprefix(_PAGES).split()) not in texts[words.startswith(_PAGES)]
    ]
    problems += [
        f"not expected: {_place_in_file(case, problem)}: {problem.code} [{problem.kind}] {problem.message}"
        for problem in surplus
    ]
    for (number, line), expectations in unmet.items():
        where = case.sessions[number - 1][line - 3].strip() if line else "(campaign)"
        problems += [
            f"not found: {code} {words!r} at {case.place(number, line)}: {where}"
            for code, words in expectations
        ]
    return record, problems


def check_case(case: Case, folder: Path) -> Record:
    """Replay a case in a folder; return its record.

    Raises:
        AssertionError: when it does not meet an expectation.
    """
    record, problems = problems_of(case, folder)
    if problems:
        raise AssertionError("\n  ".join([case.id, *problems]))
    return record


def named(cases: list[Case]) -> dict[str, Case]:
    """Cases by names that no two of a game have."""
    by_name: dict[str, Case] = {}
    for case in cases:
        name = f"{case.file.stem}: {case.name}"
        further = (f"{name} ({number})" for number in count(2))
        by_name[name if name not in by_name else next(n for n in further if n not in by_name)] = (
            case
        )
    return by_name


def _place_in_file(case: Case, problem: Diagnostic) -> str:
    """The place of a problem in the case file; the title of its case if the problem is in no session."""
    session = _session_of(problem)
    return case.place(session, problem.place.line) if session else f"{case.file.name}:{case.line}"


def _session_of(problem: Diagnostic) -> int:
    """The number of the session file with a problem; 0 for another file."""
    path = problem.place.path
    return int(path[-7:-5]) if path.endswith(".yaml") and path[-7:-5].isdigit() else 0


def _expected(
    problem: Diagnostic, record: Record, unmet: dict[tuple[int, int], list[tuple[str, str]]]
) -> bool:
    keys = [(1, 0)]
    number = _session_of(problem)
    if number:
        first = last = problem.place.line
        if problem.step_number:
            entry = record.step(problem.step_number).action.whole_place
            if entry.path == problem.place.path:
                first, last = min(entry.line, first), max(entry.end_line, last)
        keys = [*((number, line) for line in range(first, last + 1)), (number, 0)]
    for key in keys:
        for expectation in unmet.get(key, ()):
            kind, _, words = expectation[1].partition(" ")
            if kind not in DiagnosticKind.__members__:
                kind, words = problem.kind.name, expectation[1]
            if (expectation[0], kind) == (
                problem.code,
                problem.kind.name,
            ) and words in problem.message:
                unmet[key].remove(expectation)
                return True
    return False
