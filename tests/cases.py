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

What else a case comes to (:func:`whole_text`: every event and balance; :func:`standing` after each entry: every
figure, and who may do what next) is held by a few letters in ``records.txt`` beside the cases of a game, what
is one step beside each case (:func:`beside`) in ``beside.txt``, what its pages tell in ``pages.txt``.
``python -m tests.golden cases/`` writes them anew; ``python -m tests.cases WORD ...`` prints the text of the
cases whose names hold all the words, of what is beside them and of their pages, so that two checkouts can be
compared.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from hashlib import sha256
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from chronicle.campaigns import book_of, load
from chronicle.core.campaign import Campaign
from chronicle.core.declare import Action
from chronicle.core.diagnostic import Diagnostic, Finding
from chronicle.core.play import Offer, Play
from chronicle.core.record import Record, Source
from chronicle.core.replay import Replay, play_on
from chronicle.core.rulebook import Rulebook
from chronicle.games import rulebook
from tests.table import record_text

KEPT, BESIDE, PAGES = "records.txt", "beside.txt", "pages.txt"
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


def comes_to(case: Case, folder: Path, *, after_each: bool = False) -> tuple[Record, str]:
    """The record of a case, and all it comes to; with how things stand ``after_each`` entry."""
    campaign = load(write_case(case, folder))
    return replayed(campaign, after_each=after_each, begun=partial(_begun, case))


def _begun(case: Case, action: Action) -> tuple[object, ...]:
    """All that is written of a case down to an entry."""
    at = action.whole
    *above, lines = case.sessions[: int(Path(at.path).stem)]
    return (case.file, case.settings, *map(tuple, above), at.line, *lines[: at.end_line - 2])


def replayed(
    campaign: Campaign,
    *,
    after_each: bool = False,
    begun: Callable[[Action], tuple[object, ...]] | None = None,
) -> tuple[Record, str]:
    """The record of a campaign, and all it comes to; with how things stand ``after_each`` entry. Where cases
    have ``begun`` alike, things stand alike, and the next one is not asked for it again."""
    replay: Replay[Any] = Replay(campaign, rulebook(campaign.game), shown=True)
    course: list[str] = []
    stood: list[str] = []
    if not after_each:
        replay.to_the_end()
    for _, action in play_on(replay) if after_each else ():
        replay.do(action)
        was = set(stood)
        # What an entry further down strikes is part of no beginning.
        alike = begun(action) if begun is not None and not [*replay.strikes] else None
        stood = standing(replay.play, alike)
        course += [f"{action.step}. {line}" for line in stood if line not in was]
    record = replay.finish()
    return record, "\n".join([whole_text(record), *course, *standing(replay.play), ""])


def beside(case: Case) -> Iterator[Case]:
    """What is one step beside a case, drawn by its name: one figure is one more or less, one name is another
    one, one entry is left out, one stands twice."""
    random = Random(case.name)
    whole = [
        (number, at)
        for number, session in enumerate(case.sessions)
        for at, line in enumerate(session)
        if line.startswith("- ")
    ]
    text = "\n---\n".join("\n".join(session) for session in case.sessions)
    names = sorted(set(_NAME.findall(text)))
    for pattern in (_FIGURE, _NAME):
        found = list(pattern.finditer(text))
        if found:
            one = random.choice(found)
            others = (
                [str(max(int(one[0]) + step, 0)) for step in (-1, 1)]
                if pattern is _FIGURE
                else [name for name in names if name != one[0]]
            )
            if others:
                other = f"{text[: one.start()]}{random.choice(others)}{text[one.end() :]}"
                sessions = [part.split("\n") for part in other.split("\n---\n")]
                yield replace(case, sessions=sessions, expected={}, shown=[])
    for often in (0, 2) if whole else ():
        number, at = random.choice(whole)
        lines = case.sessions[number]
        end = at + 1
        while end < len(lines) and not lines[end].startswith("- "):
            end += 1
        sessions = list(case.sessions)
        sessions[number] = lines[:at] + lines[at:end] * often + lines[end:]
        yield replace(case, sessions=sessions, expected={}, shown=[])


def check_case(case: Case, folder: Path) -> tuple[Record, str]:
    """Replay a case and compare its findings with what it expects; its record, and all it comes to
    (:func:`whole_text`)."""
    record, text = comes_to(case, folder, after_each=True)
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
    told = repr(book_of(record)) if pages else ""
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


def standing(play: Play[Any], begun: tuple[object, ...] | None = None) -> list[str]:
    """How things stand: every figure that can be compared, the state of play as its page has it, what is due,
    and who may do what next, with an entry that would do it and what else fits there. Where play has ``begun``
    alike and looks alike, it stands alike, and is not asked again."""
    rules = rulebook(play.campaign.game)
    panel = tuple(f"{block}" for block in rules.panel(play))
    if begun is None:
        return [*_standing(play, rules, panel)]
    if _STOOD and next(iter(_STOOD))[0] != begun[0]:
        _STOOD.clear()
    key = (*begun, panel)
    if key not in _STOOD:
        _STOOD[key] = [*_standing(play, rules, panel)]
    return _STOOD[key]


_STOOD: dict[tuple[object, ...], list[str]] = {}
"""How things stood in the cases of one file."""


def _standing(play: Play[Any], rules: Rulebook[Any], panel: tuple[str, ...]) -> Iterator[str]:
    everybody = [(id, one.kind) for id, one in play.names.all.items()]
    for name, measure in rules.by_measure.items():
        ids = [id for id, kind in everybody if kind in measure.kinds] if measure.kinds else [""]
        yield from (f"{name} {id}: {measure.read(play, id)}" for id in ids)
    yield from panel
    yield from (f"due: {due}" for due in rules.due(play))
    found = rules.options(play)
    for option in found:
        entry = option.entry(Random(f"{option.verb} {option.by}"))
        yield f"next: {option.by}: {entry}"
    for verb, by in dict.fromkeys((option.verb, option.by) for option in found):
        yield from (f"fits {verb} by {by}: {_written(one)}" for one in rules.offers(play, verb, by))


@lru_cache(maxsize=1 << 14)
def _written(offer: Offer) -> str:
    """An offer in words: most of them are made after each entry again."""
    return str(offer)


def digest(text: str) -> str:
    """A few letters that are others where the text is."""
    return sha256(text.encode()).hexdigest()[:8]


def named(cases: list[Case]) -> dict[str, Case]:
    """Cases by names that no two of a game have."""
    found: dict[str, Case] = {}
    for case in cases:
        name = f"{case.file.stem}: {case.name}"
        again = (f"{name} ({number})" for number in count(2))
        found[name if name not in found else next(n for n in again if n not in found)] = case
    return found


def text_of(case: Case, folder: Path) -> str:
    """All that a case comes to, which meets what it expects."""
    return check_case(case, folder)[1]


def text_beside(case: Case, folder: Path) -> str:
    """All that comes of what is one step beside a case."""
    return "".join(comes_to(one, folder / str(at))[1] for at, one in enumerate(beside(case)))


def text_of_pages(case: Case, folder: Path) -> str:
    """All pages of a case, but for where its objects lie in memory."""
    return pages_of(comes_to(case, folder)[0])


def pages_of(record: Record) -> str:
    """All pages of a record, but for where their objects lie in memory."""
    return _ADDRESS.sub("", repr(book_of(record)))


HELD = {KEPT: text_of, BESIDE: text_beside, PAGES: text_of_pages}
"""What a file beside the cases of a game holds of each, in a few letters."""


def records(folder: Path, file: str) -> str:
    """What stands in a file beside the cases of a game."""
    cases = named([case for one in sorted(folder.glob("*.case")) for case in read_cases(one)])
    with TemporaryDirectory() as made:
        found = {
            name: digest(HELD[file](case, Path(made) / str(number)))
            for number, (name, case) in enumerate(cases.items())
        }
    return "".join(f"{letters} {name}\n" for name, letters in found.items())


def kept(folder: Path, name: str = KEPT) -> dict[str, str]:
    """The digest of each case of a folder, as a file beside them has it."""
    file = folder / name
    lines = file.read_text("utf-8").splitlines() if file.is_file() else []
    return {name: letters for letters, _, name in (line.partition(" ") for line in lines)}


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


if __name__ == "__main__":
    with TemporaryDirectory() as made:
        everywhere = sorted((Path(__file__).parent / "games").glob("*/cases/*.case"))
        for number, one in enumerate(case for file in everywhere for case in read_cases(file)):
            if all(word in one.id for word in sys.argv[1:]):
                for name, text in HELD.items():
                    print(f"## {one.id} ({name})\n{text(one, Path(made) / name / str(number))}")
