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
more of it, white space aside); or ``scene 2: entries 5 to 9. The words that close it``. ``#= pages: words``:
a page says so.
A ``#!`` on a line of its own speaks of the whole campaign (a finding without an entry). Any other finding
fails the case, except those folded under an expected one. ``---`` alone on a line starts another session,
which may begin with ``present:`` or ``absent:`` of its head.

All else that a case comes to is not held here: ``python -m tests.compare REV`` shows what a change makes of it,
field by field, and ``python -m tests.operators`` asks whether tests notice a wrong operator.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from chronicle.campaigns import book_of, load
from chronicle.core.diagnostic import Diagnostic, Finding
from chronicle.core.play import Play
from chronicle.core.record import Record, Source
from chronicle.core.replay import Replay
from chronicle.games import rulebook
from tests.table import record_text

_PAGES = "pages: "
_HEAD = re.compile(r"(present|absent): ")
_FIGURE = re.compile(r"(?<![\w.])\d+(?![\w.])")
_NAME = re.compile(r"(?<!\w)[A-Z][a-z]+(?!\w)")
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")
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


def comes_to(case: Case, folder: Path) -> tuple[Record, str]:
    """The record of a case, and all it comes to: :func:`whole_text`, and how things stand at the end."""
    campaign = load(write_case(case, folder))
    replay: Replay[Any] = Replay(campaign, rulebook(campaign.game), shown=True)
    replay.to_the_end()
    record = replay.finish()
    return record, "\n".join([whole_text(record), *standing(replay.play), ""])


def near_misses(case: Case) -> Iterator[Case]:
    """Logs that differ from a case in one place, drawn by its name: one number is one more or less, one name is
    another one, one entry is left out, one stands twice."""
    random = Random(case.name)
    entries = [
        (number, at)
        for number, session in enumerate(case.sessions)
        for at, line in enumerate(session)
        if line.startswith("- ")
    ]
    text = "\n---\n".join("\n".join(session) for session in case.sessions)
    names = sorted(set(_NAME.findall(text)))
    for pattern in (_FIGURE, _NAME):
        matches = list(pattern.finditer(text))
        if matches:
            match = random.choice(matches)
            values = (
                [str(max(int(match[0]) + step, 0)) for step in (-1, 1)]
                if pattern is _FIGURE
                else [name for name in names if name != match[0]]
            )
            if values:
                changed = f"{text[: match.start()]}{random.choice(values)}{text[match.end() :]}"
                sessions = [part.split("\n") for part in changed.split("\n---\n")]
                yield replace(case, sessions=sessions, expected={}, shown=[])
    for repeats in (0, 2) if entries else ():
        number, at = random.choice(entries)
        lines = case.sessions[number]
        end = at + 1
        while end < len(lines) and not lines[end].startswith("- "):
            end += 1
        sessions = list(case.sessions)
        sessions[number] = lines[:at] + lines[at:end] * repeats + lines[end:]
        yield replace(case, sessions=sessions, expected={}, shown=[])


def check_case(case: Case, folder: Path) -> tuple[Record, str]:
    """Replay a case and compare its findings with what it expects; its record, and all it comes to
    (:func:`whole_text`)."""
    record, text = comes_to(case, folder)
    unmet = {key: list(wanted) for key, wanted in case.expected.items()}
    surplus: list[Diagnostic] = []
    for found in record.diagnostics:
        if found.cause is not None:
            continue
        if not _expected(found, record, unmet):
            surplus.append(found)
    missing = [(key, wanted) for key, wanted in unmet.items() if wanted]
    pages = any(words.startswith(_PAGES) for words in case.shown)
    said = " ".join(text.split()) if case.shown else ""
    told = book_text(record) if pages else ""
    unsaid = [
        words
        for words in case.shown
        if " ".join(words.removeprefix(_PAGES).split())
        not in (told if words.startswith(_PAGES) else said)
    ]
    if surplus or missing or unsaid:
        lines = [f"{case.id}", *(f"  not said: {words}" for words in unsaid)]
        lines += [f"  not expected: {d.place}: {d.code} [{d.finding}] {d.message}" for d in surplus]
        for (number, line), wanted in missing:
            where = case.sessions[number - 1][line - 3].strip() if line else "(campaign)"
            lines += [
                f"  not found: {code} {words!r} at session {number}: {where}"
                for code, words in wanted
            ]
        raise AssertionError("\n".join(lines))
    return record, text


def whole_text(record: Record) -> str:
    """All that a case comes to: the text of the record, what its pages show of throws, bids and scenes, and what
    is said about each finding."""
    lines = [record_text(record)]
    for step in record.steps:
        shown = (step.speaker, step.links, step.throws, step.ladder, step.weighing, step.contest)
        if any(shown):
            odds = step.contest.odds if step.contest is not None else ""
            lines.append(f"{step.index}. {' '.join(str(one) for one in shown if one)} {odds}")
        if step.fiction:
            lines.append(f"{step.index}. {step.fiction}")
        for side in step.contest.sides if step.contest is not None else ():
            parts = [vars(one) for one in side.sources if isinstance(one, Source)]
            if parts:
                lines.append(f"{step.index}. {side.name}: {parts}")
    for scene in record.timeline.scenes:
        span = f"entries {scene.first_step} to {scene.last_step}"
        lines.append(f"scene {scene.number}: {span}. {scene.closing}")
        where = (scene.frame, scene.time, scene.place, scene.kind, scene.parent, scene.branch)
        lines.append(f"    {where} {scene.opener} {scene.continues} {scene.cast} {scene.marks}")
    for found in record.diagnostics:
        lines.append(f"{found.finding} {found.full_code} {found.severity} {found.message}")
        lines += [f"    = {fact.text}" for fact in found.facts]
        lines += [f"    help: {help}" for help in found.help]
    return "\n".join(lines)


def book_text(record: Record) -> str:
    """What the pages of a record are made of, but for where its objects lie in memory."""
    return _ADDRESS.sub("", repr(book_of(record)))


def standing(play: Play[Any]) -> Iterator[str]:
    """How things stand: every figure that can be compared, the state of play as its page has it, what is due,
    and who may do what next, with an entry that would do it and what else fits there."""
    rules = rulebook(play.campaign.game)
    everybody = [(id, one.kind) for id, one in play.names.all.items()]
    for name, measure in rules.by_measure.items():
        ids = [id for id, kind in everybody if kind in measure.kinds] if measure.kinds else [""]
        yield from (f"{name} {id}: {measure.read(play, id)}" for id in ids)
    yield from (f"{block}" for block in rules.panel(play))
    yield from (f"due: {due}" for due in rules.due(play))
    found = rules.options(play)
    for option in found:
        entry = option.entry(Random(f"{option.verb} {option.by}"))
        yield f"next: {option.by}: {entry}"
    for verb, by in dict.fromkeys((option.verb, option.by) for option in found):
        yield from (f"fits {verb} by {by}: {one}" for one in rules.offers(play, verb, by))


def named(cases: list[Case]) -> dict[str, Case]:
    """Cases by names that no two of a game have."""
    found: dict[str, Case] = {}
    for case in cases:
        name = f"{case.file.stem}: {case.name}"
        again = (f"{name} ({number})" for number in count(2))
        found[name if name not in found else next(n for n in again if n not in found)] = case
    return found


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
