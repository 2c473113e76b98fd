"""Rulebook tests are transcripts: ``*.case`` files that a player could read.

::

    game: positive                       the campaign's settings, shared by all cases of the file
    players: [Ana, Bo, Cy, Dee]

    ## (setup)                           entries that stand before every case below
    - cast: {Ana: Marit, ...}

    ## PX1 a blank decides               one case; its name starts with what it proves
    ## with: {rulings: {tie: caller-loses}}       settings of this case alone
    - roll: {Bo: o, Ana: '-'}
    - back: {Cy: Bo}      #! P18 the dice have fallen
    - assert: {track: {Bo: 1, Ana: -1}}

``#! CODE words`` expects exactly one finding with that code on that entry, and the words in its message;
``#! CODE ILLEGAL words`` one of that class as well (a member of ``Finding``).
``#= words`` on a line of its own: the text of the record (:func:`tests.table.record_text`) says so somewhere,
in an event, a headline, a card, a balance, the order of the scenes, or where play stands at the end (a line or
more of it, white space aside); or ``scene 2: entries 5 to 9. The words that close it``.
A ``#!`` on a line of its own speaks of the whole campaign (a finding without an entry). Any other finding
fails the case, except those folded under an expected one. ``---`` alone on a line starts another session,
which may begin with ``present:`` or ``absent:`` of its head.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from chronicle.campaigns import load, run
from chronicle.core.diagnostic import Diagnostic, Finding
from chronicle.core.record import Record
from tests.table import record_text

_HEAD = re.compile(r"(present|absent): ")
_EXPECT = re.compile(r"\s*#!\s*(?P<code>[A-Za-z]+\.?[0-9][\w.]*)\s*(?P<words>.*?)\s*$")


@dataclass
class Case:
    """One case of a file."""

    file: Path
    name: str
    settings: str
    sessions: list[list[str]]
    expected: dict[tuple[int, int], list[tuple[str, str]]] = field(default_factory=dict)
    """(session number, line) to the (code, words) expected there; line 0: anywhere."""
    shown: list[str] = field(default_factory=list)
    """What the text of the record says."""

    @property
    def id(self) -> str:
        """Its name in the test report."""
        return f"{self.file.parent.parent.name}/{self.file.stem}: {self.name}"


def read_cases(file: Path) -> list[Case]:
    """All cases of a file."""
    head, *chunks = re.split(r"(?m)^## ", "\n" + file.read_text(encoding="utf-8"))
    setup: list[str] = []
    cases: list[Case] = []
    pending = ""
    for chunk in chunks:
        title, _, body = chunk.partition("\n")
        if title.strip() == "(setup)":
            setup = body.rstrip().split("\n")
            continue
        if title.startswith("with:"):
            case = cases[-1]
            case.settings = _override(case.settings, _inner(title.removeprefix("with:").strip()))
            _fill(case, setup, body)
            continue
        case = Case(file, title.strip(), head.strip() + "\n", [])
        cases.append(case)
        if body.strip():
            _fill(case, setup, body)
        pending = title
    assert all(case.sessions for case in cases), f"{file}: an empty case near '{pending}'"
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
    kept = [line for line in settings.splitlines() if line.partition(":")[0] not in names]
    return "\n".join(kept) + "\n" + extra


def _fill(case: Case, setup: list[str], body: str) -> None:
    lines = [*setup, *body.rstrip().split("\n")]
    case.sessions = [[]]
    for line in lines:
        if line.strip() == "---":
            case.sessions.append([])
        else:
            case.sessions[-1].append(line)
    for number, session in enumerate(case.sessions, 1):
        for index, line in enumerate(session):
            if line.startswith("#= "):
                case.shown.append(line.removeprefix("#= ").strip())
            found = _EXPECT.search(line)
            if found is None:
                continue
            whole = line.strip().startswith("#!")
            key = (number, 0 if whole else index + 3)
            case.expected.setdefault(key, []).append((found["code"], found["words"]))
            session[index] = line[: found.start()].rstrip() if not whole else ""


def write_case(case: Case, folder: Path) -> Path:
    """The case as a campaign folder."""
    folder.mkdir(parents=True, exist_ok=True)
    settings = case.settings if "title:" in case.settings else case.settings + "title: A case\n"
    (folder / "campaign.yaml").write_text(settings, encoding="utf-8")
    for number, lines in enumerate(case.sessions, 1):
        head = next((at for at, line in enumerate(lines) if not _HEAD.match(line)), len(lines))
        rows = [f"session: {number}", *lines[:head], "log:", *lines[head:]]
        text = "\n".join(rows) + "\n"
        (folder / f"{number:02}.yaml").write_text(text, encoding="utf-8")
    return folder


def check_case(case: Case, folder: Path) -> Record:
    """Replay a case and compare its findings with what it expects."""
    record = run(load(write_case(case, folder)))
    unmet = {key: list(wanted) for key, wanted in case.expected.items()}
    surplus: list[Diagnostic] = []
    for found in record.diagnostics:
        if found.cause is not None:
            continue
        if not _expected(found, record, unmet):
            surplus.append(found)
    missing = [(key, wanted) for key, wanted in unmet.items() if wanted]
    said = _text(record) if case.shown else ""
    unsaid = [words for words in case.shown if " ".join(words.split()) not in said]
    if surplus or missing or unsaid:
        lines = [f"{case.id}", *(f"  not said: {words}" for words in unsaid)]
        lines += [f"  not expected: {d.place}: {d.code} [{d.finding}] {d.message}" for d in surplus]
        for (number, line), wanted in missing:
            text = case.sessions[number - 1][line - 3].strip() if line else "(campaign)"
            lines += [
                f"  not found: {code} {words!r} at session {number}: {text}"
                for code, words in wanted
            ]
        raise AssertionError("\n".join(lines))
    return record


def _text(record: Record) -> str:
    """What ``#=`` looks into: the text of the record, and from where to where each scene goes, with the words
    that close it."""
    scenes = [
        f"scene {one.number}: entries {one.first_step} to {one.last_step}. {one.closing}"
        for one in record.timeline.scenes
    ]
    return " ".join("\n".join([record_text(record), *scenes]).split())


def _expected(
    found: Diagnostic, record: Record, unmet: dict[tuple[int, int], list[tuple[str, str]]]
) -> bool:
    keys = [(1, 0)]
    if found.place.path.endswith(".yaml") and found.place.path[-7:-5].isdigit():
        number = int(found.place.path[-7:-5])
        first = last = found.place.line
        if found.step:
            whole = record.step(found.step).action.whole
            if whole.path == found.place.path:
                first, last = min(whole.line, first), max(whole.end_line, last)
        keys = [*((number, line) for line in range(first, last + 1)), (number, 0)]
    for key in keys:
        for wanted in unmet.get(key, ()):
            kind, _, words = wanted[1].partition(" ")
            if kind not in Finding.__members__:
                kind, words = found.finding.name, wanted[1]
            if (wanted[0], kind) == (found.code, found.finding.name) and words in found.message:
                unmet[key].remove(wanted)
                return True
    return False
