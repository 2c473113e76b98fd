"""What the help of a finding says is offered as an edit, proved by replay, wherever it can be one: counted
over the cases of all games, and over all traps of YAML. Of each code the first findings are tried, and further
ones until one is offered an edit: a code without any has none in any case. What no edit can be stands in
``advice.txt``, with why."""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from chronicle.core.diagnostic import Diagnostic
from chronicle.core.edits import edit
from chronicle.core.field_types import UNRECORDED
from chronicle.games import GAMES
from chronicle.services import fixes
from chronicle.services.diagnostic_data import diagnostics_by_key
from chronicle.services.open_campaigns import CampaignRoom, OpenCampaign
from chronicle.syntax.reader import read_text
from chronicle.syntax.reference import TRAPS, Trap
from chronicle.testkit.cases import Case, named, write_case
from tests.conftest import SOAK
from tests.games.test_proof import cases_of

ADVICE_FILE = Path(__file__).with_name("advice.txt")
EACH = 3
"""How many findings of each code are tried, those of the first cases; more where none of them has an edit."""
CODES_WITHOUT_EDIT = 10
"""How many of all codes have no edit in any case of any game."""


def _opened(folder: Path) -> OpenCampaign:
    return CampaignRoom(folder.parent, edit).open(folder.name)


def _proved_fixes(opened: OpenCampaign, diagnostic: Diagnostic) -> list[fixes.ProvedFix]:
    return fixes.prove_fixes(
        opened, diagnostic.place.path, opened.text(diagnostic.place.path), [diagnostic]
    )


def offered(game: str, each: int = EACH) -> dict[str, list[bool]]:
    """Of the findings of each code whose help says something, whether an edit is offered."""
    offers: dict[str, list[bool]] = defaultdict(list)
    for case in named(cases_of(game)).values():
        codes = {code for expected in case.expected.values() for code, _ in expected}
        if any(_needs_another(offers[code], each) for code in codes):
            with TemporaryDirectory() as folder:
                _count(case, Path(folder) / "c", offers, each)
    return {code: tried for code, tried in sorted(offers.items()) if tried}


def _needs_another(tried: list[bool], each: int) -> bool:
    """Whether another finding of a code is to be tried."""
    return len(tried) < each or not any(tried)


def _count(case: Case, folder: Path, offers: dict[str, list[bool]], each: int) -> None:
    opened = _opened(write_case(case, folder))
    for diagnostic in [*diagnostics_by_key(opened).values()]:
        if (
            diagnostic.severity
            and diagnostic.help
            and not diagnostic.excuse
            and _needs_another(offers[diagnostic.code], each)
        ):
            offers[diagnostic.code].append(bool(_proved_fixes(opened, diagnostic)))


def _expected_counts() -> dict[str, dict[str, tuple[int, str]]]:
    """How many of the findings of a code are offered an edit, by the game, and why not more."""
    counts: dict[str, dict[str, tuple[int, str]]] = {}
    for line in ADVICE_FILE.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            game, code, count, *why = line.split(maxsplit=3)
            counts.setdefault(game, {})[code] = int(count), " ".join(why)
    return counts


@pytest.mark.soak
@pytest.mark.integration
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.slow
def test_every_help_that_can_be_an_edit_is_one(game: str) -> None:
    """Written anew by ``python -m tests.services.test_advice``; whatever is left there needs its reason."""
    expected_counts = _expected_counts()[game]
    each = EACH if SOAK else 1
    counts = {code: sum(tried) for code, tried in offered(game, each).items()}
    held = {code: min(count, each) for code, (count, _) in expected_counts.items()}
    fewer = {
        code: (held[code], count) for code, count in counts.items() if count < held.get(code, 0)
    }
    assert not fewer, "edits that were offered and are not any more (before, now)"
    assert held == counts
    unsaid = [code for code, (count, why) in expected_counts.items() if not count and not why]
    assert not unsaid, "nothing is offered, and nobody says why"


@pytest.mark.parametrize(
    ("game", "code", "told"),
    [
        # What only the table can say is left open, and never preferred.
        ("isolation", "I1", "Write goal: unrecorded"),
        ("isolation", "I1", "Write plus: [unrecorded, unrecorded, unrecorded] and minus: "),
        ("positive", "T63", "Write note: unrecorded"),
        ("universalis", "U6.3", "Write target: unrecorded"),
        ("playset-zero", "Z41", "Write danger: {Gil: unrecorded}"),
        ("playset-zero", "Z16", "Write roll: unrecorded"),
        ("positive", "P2", "Write unrecorded"),
        ("positive", "PA22", "Insert gap: something is missing here above"),
        # Who or which it is, of those who may be.
        ("positive", "P7", "Insert accuser: Jonas above"),
        ("playset-zero", "Z9", "Write main: calm"),
        ("playset-zero", "T23", "Write asks: Oriel"),
        # What the help works out.
        ("universalis", "U3.14", "Write refreshment: {Ana: 5, Bao: 5, Cleo: 5}"),
        ("fight-sphere", "F69", "Write The Core: [Asa, Ben, Cal] under episodes:"),
        ("fight-sphere", "F32", "Add Wick to npcs: in line "),
        ("fight-sphere", "F30", "Leave relationship out"),
        # What may not stand there.
        ("fight-sphere", "F39", "Leave this entry out"),
        ("positive", "T50", "Leave Dora out of present:"),
        ("slow-burn", "S1.3b", "Leave Hal out of players:"),
    ],
)
def test_what_a_help_says_is_done(game: str, code: str, told: str, tmp_path: Path) -> None:
    titles = []
    for number, case in enumerate(cases_of(game)):
        if any(
            code == expected_code
            for diagnostics in case.expected.values()
            for expected_code, _ in diagnostics
        ):
            opened = _opened(write_case(case, tmp_path / str(number)))
            proved_fixes = [
                fix
                for diagnostic in diagnostics_by_key(opened).values()
                if diagnostic.code == code and diagnostic.severity and not diagnostic.excuse
                for fix in _proved_fixes(opened, diagnostic)
            ]
            titles += [_title(fix) for fix in proved_fixes]
            open_ = [
                fix for fix in proved_fixes if UNRECORDED in _title(fix) or "gap:" in _title(fix)
            ]
            assert not any(fix.is_sure for fix in open_)
    assert any(title.startswith(told) for title in titles), titles


@pytest.mark.parametrize(
    ("log", "code", "told"),
    [
        ("log:\n- The rain has stopped\n", "T25", 'Write - tell: "The rain has stopped"'),
        ("- tell: The rain has stopped\n", "T41", "Write log: above"),
    ],
)
def test_what_is_no_entry_becomes_one(log: str, code: str, told: str, tmp_path: Path) -> None:
    folder = tmp_path / "c"
    folder.mkdir()
    settings = "title: T\ngame: positive\nplayers: [Ana, Bo, Ines, Cy]\n"
    (folder / "campaign.yaml").write_text(settings)
    (folder / "01.yaml").write_text(f"session: 1\n{log}")
    opened = _opened(folder)
    (diagnostic,) = [
        diagnostic for diagnostic in diagnostics_by_key(opened).values() if diagnostic.code == code
    ]
    assert told in [_title(fix) for fix in _proved_fixes(opened, diagnostic)]


def _title(fix: fixes.ProvedFix) -> str:
    return "".join(part if isinstance(part, str) else str(part["t"]) for part in fix.title)


def test_few_codes_have_no_edit_in_any_case() -> None:
    """How many they are is held; which and why stands in the file."""
    by_code: dict[str, int] = defaultdict(int)
    for codes in _expected_counts().values():
        for code, (count, _) in codes.items():
            by_code[code] += count
    assert sum(not count for count in by_code.values()) == CODES_WITHOUT_EDIT


@pytest.mark.parametrize("trap", TRAPS, ids=lambda trap: f"{trap.code} {trap.description}")
def test_what_falls_into_a_trap_is_offered_as_it_should_be(trap: Trap, tmp_path: Path) -> None:
    folder = tmp_path / "c"
    folder.mkdir()
    (folder / "campaign.yaml").write_text(
        "title: T\ngame: positive\nplayers: [Ana, Bo, Ines, Cy]\n"
    )
    head, tail = "session: 1\nlog:\n- tell: before\n", "- tell: after\n"
    (folder / "01.yaml").write_text(f"{head}- {trap.wrong_entry}\n{tail}")
    opened = _opened(folder)
    diagnostic = next(
        diagnostic
        for diagnostic in diagnostics_by_key(opened).values()
        if diagnostic.code == trap.code
    )
    right = read_text(f"{head}- {trap.right_entry}\n{tail}", "").tree
    assert right in [read_text(fix.new_text, "").tree for fix in _proved_fixes(opened, diagnostic)]


def _written(game: str, why: dict[str, tuple[int, str]]) -> str:
    return "".join(
        f"{game} {code} {sum(tried)} {why.get(code, (0, ''))[1] if not all(tried) else ''}".rstrip()
        + "\n"
        for code, tried in offered(game).items()
    )


if __name__ == "__main__":
    fixes.PATIENCE = 60.0
    counts_before = _expected_counts()
    head = [
        line for line in ADVICE_FILE.read_text(encoding="utf-8").splitlines(True) if line[0] == "#"
    ]
    text = "".join(head) + "".join(
        _written(game, counts_before.get(game, {})) for game in (sys.argv[1:] or GAMES)
    )
    ADVICE_FILE.write_text(text, encoding="utf-8")
