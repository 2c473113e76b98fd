"""Every way to mend that is offered does what it says."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from chronicle.campaigns import find_campaigns
from chronicle.services.fixes import ProvedFix
from chronicle.services.trial import Trial, try_texts
from tests.conftest import SOAK
from tests.heads import without_keepers_words
from tests.services.conftest import AtDesk

Sit = Callable[..., AtDesk]
BROKEN = Path(__file__).resolve().parents[1] / "fixtures" / "broken"


def _plain_title(title: list[object]) -> str:
    return "".join(piece["t"] if isinstance(piece, dict) else str(piece) for piece in title)


def test_a_forgotten_entry_is_looked_for_no_longer_than_there_is_patience(
    sit: Sit, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = sit("the-lantern-coast")
    path = at.folder / "the-lantern-coast" / "02.yaml"
    text = without_keepers_words(path.read_text(encoding="utf-8")).rstrip("\n")
    path.write_text(f"{text}\n- event: The lamp goes out\n  by: Marit\n", encoding="utf-8")
    looked = 0

    def looks(*_: object) -> bool:
        nonlocal looked
        looked += 1
        return False

    monkeypatch.setattr("chronicle.services.fixes._FixSearch._is_promising", looks)
    monkeypatch.setattr("chronicle.services.fixes.PATIENCE", 0.0)
    for problem in at.ask("findings", campaign="the-lantern-coast")["findings"]:
        at.ask("fixes", campaign="the-lantern-coast", key=problem["key"])
    assert not looked
    monkeypatch.setattr("chronicle.services.fixes.PATIENCE", 60.0)
    for problem in at.ask("findings", campaign="the-lantern-coast")["findings"]:
        at.ask("fixes", campaign="the-lantern-coast", key=problem["key"])
    assert looked


def test_fixes_are_the_same_while_other_programs_keep_the_machine_busy(
    sit: Sit, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = sit("the-boathouse")
    path = at.folder / "the-boathouse" / "01.yaml"
    text = without_keepers_words(path.read_text(encoding="utf-8")).rstrip("\n")
    path.write_text(f"{text}\n- back: {{Ana: Nobody}}\n", encoding="utf-8")
    problem = at.ask("findings", campaign="the-boathouse")["findings"][1]

    def titles() -> list[str]:
        offered = at.ask("fixes", campaign="the-boathouse", key=problem["key"])
        return [_plain_title(fix["title"]) for fix in offered]

    def try_late(*args: Any) -> Trial:
        """Try texts once the processor has done something else for longer than the search may take."""
        monkeypatch.setattr("chronicle.services.fixes.try_texts", try_texts)
        sleep(1.1)
        return try_texts(*args)

    quiet_titles = titles()
    assert len(quiet_titles) > 1
    monkeypatch.setattr("chronicle.services.fixes.PATIENCE", 1.0)
    monkeypatch.setattr("chronicle.services.fixes.try_texts", try_late)
    assert titles() == quiet_titles


@pytest.mark.soak
@pytest.mark.integration
@pytest.mark.parametrize("folder", find_campaigns(BROKEN), ids=lambda folder: folder.name)
@pytest.mark.slow
def test_every_fix_does_what_it_says(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "copy")
    at = AtDesk(tmp_path)
    files = {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    answer = at.ask("findings", campaign="copy")
    for problem in answer["findings"][: 12 if SOAK else 5]:
        offered = at.ask("fixes", campaign="copy", key=problem["key"])
        assert {file: file.read_bytes() for file in files} == files, "nothing is written yet"
        assert [fix["preferred"] for fix in offered[1:]].count(True) == 0
        for n, fix in enumerate(offered[:2]):
            if n:  # What is offered is offered until something is written.
                at.ask("fixes", campaign="copy", key=problem["key"])
            problems_left = at.ask("apply", campaign="copy", key=problem["key"], n=n)["findings"]
            assert problems_left["counts"] == fix["left"], fix
            assert problem["message"] not in [
                row["message"]
                for row in problems_left["findings"]
                if row["line"] == problem["line"]
            ]
            at.ask("undo", campaign="copy")
            assert {file: file.read_bytes() for file in files} == files


@pytest.mark.integration
@pytest.mark.parametrize(
    ("name", "file", "least"),
    [("the-lantern-coast", "02.yaml", 3), ("the-boathouse", "01.yaml", 0)],
)
@pytest.mark.slow
def test_a_forgotten_end_turn_is_found_again(sit: Sit, name: str, file: str, least: int) -> None:
    """The commonest slip of all: of those that leave a trace, most are offered where they were; which of
    several places it was, only somebody who was there can say, and none is preferred."""
    at = sit(name)
    path = at.folder / name / file
    text = path.read_text(encoding="utf-8")
    mended = traces = 0
    for match in [*re.finditer(r"^- end turn:\n", text, re.MULTILINE)][::3]:
        less = text[: match.start()] + text[match.end() :]
        path.write_text(less, encoding="utf-8", newline="")
        at.room.open(name).workspace.reload()
        answer = at.ask("findings", campaign=name)
        if not answer["counts"]["error"]:
            continue
        traces += 1
        first = next(problem for problem in answer["findings"] if problem["severity"] == "error")
        offered = at.ask("fixes", campaign=name, key=first["key"])
        places = [
            fix
            for fix in offered
            if _plain_title(fix["title"]).startswith("Insert end turn: above")
        ]
        line = text.count("\n", 0, match.start()) + 1
        mended += any(
            line in (edit["line"], edit["line"] - 1) for place in places for edit in place["edits"]
        )
        assert len(places) < 2 or not any(place["preferred"] for place in places)
    assert mended >= max(least, 0.6 * traces), (mended, traces)


def test_what_is_not_written_yet_is_mended_with_it(sit: Sit) -> None:
    at = sit("the-lantern-coast")
    where = {"campaign": "the-lantern-coast", "file": "02.yaml"}
    path = at.folder / "the-lantern-coast" / "02.yaml"
    rows = path.read_text(encoding="utf-8").split("\n")
    cut = next(n for n, row in enumerate(rows) if row.startswith("- lend: {Joss: 4}"))
    cut_log = "\n".join(rows[: cut + 3]) + "\n"
    path.write_text(without_keepers_words(cut_log), encoding="utf-8", newline="")
    (at.folder / "the-lantern-coast" / "03.yaml").unlink()
    draft = {"said": "draw Hester Teague: [name, patient]", "by": "Joss"}
    answer = at.ask("try", **where, **draft)
    assert [problem["severity"] for problem in answer["findings"]] == ["error"]
    offered = at.ask("fixes", **where, **draft)
    assert _plain_title(offered[0]["title"]) == "Insert end turn: above"
    assert offered[0]["effect"] == "Leaves no problems"
    bytes_before = path.read_bytes()
    applied = at.ask("apply", campaign=where["campaign"], n=0, **draft)
    assert applied["findings"]["counts"]["error"] == 0
    text = path.read_text(encoding="utf-8")
    assert text.endswith("- end turn:\n- draw: {Hester Teague: [name, patient]}\n  by: Joss\n")
    at.ask("undo", campaign=where["campaign"])
    assert path.read_bytes() == bytes_before


@pytest.mark.integration
def test_below_a_forgotten_turn_the_same_may_be_told_of_somebody_else(sit: Sit) -> None:
    """The evening has a finding of its own further down, which names whoever is on turn by then."""
    at = sit("the-ferry-house")
    path = at.folder / "the-ferry-house" / "02.yaml"
    rows = path.read_text(encoding="utf-8").split("\n")
    first = rows.index("- end turn:")
    path.write_text("\n".join([*rows[:first], *rows[first + 1 :]]), encoding="utf-8")
    problems = at.ask("findings", campaign="the-ferry-house")["findings"]
    (key,) = [
        problem["key"]
        for problem in problems
        if problem["message"] == "Ines Controls the groom already"
    ]
    fixes = at.ask("fixes", campaign="the-ferry-house", key=key)
    titles = [_plain_title(fix["title"]) for fix in fixes]
    assert any(title.startswith("Insert end turn: above") for title in titles), titles


@pytest.mark.parametrize("said", ["rain, wind and salt", "rain ,wind,  and 'more' of \"it\""])
def test_a_text_that_a_comma_cut_in_two_is_put_into_quotation_marks(
    tmp_path: Path, said: str
) -> None:
    (tmp_path / "campaign.yaml").write_text("title: T\ngame: isolation\ngm: Mo\nplayers: [Ada]\n")
    log = f"- motive: {{Ada: {said}}}\n"
    (tmp_path / "01.yaml").write_text(f"session: 1\nlog:\n{log}")
    at = AtDesk(tmp_path)
    problems = at.ask("findings", campaign=tmp_path.name)["findings"]
    key = next(problem["key"] for problem in problems if problem["code"] == "T13")
    (fix,) = at.ask("fixes", campaign=tmp_path.name, key=key)
    assert _plain_title(fix["title"]).startswith(("Write '", 'Write "')), fix
    at.ask("apply", campaign=tmp_path.name, key=key, n=0)
    problems_left = at.ask("findings", campaign=tmp_path.name)["findings"]
    assert "T13" not in [problem["code"] for problem in problems_left]


@pytest.mark.parametrize("wrong", ["Hedda & Irna:", "Hedda & Irena::"])
def test_the_wrong_half_of_a_pair_is_put_right(sit: Sit, wrong: str) -> None:
    at = sit("snowshed-nine")
    path = at.folder / "snowshed-nine" / "01.yaml"
    text = path.read_text(encoding="utf-8").replace("    Hedda & Irena:", f"    {wrong}", 1)
    path.write_text(text, encoding="utf-8", newline="")
    problems = at.ask("findings", campaign="snowshed-nine")["findings"]
    (key,) = [problem["key"] for problem in problems if problem["code"] == "T50"]
    offered = at.ask("fixes", campaign="snowshed-nine", key=key)
    assert _plain_title(offered[0]["title"]) == "Write Irena"
    assert offered[0]["effect"] == "Leaves no problems"


MILL = "game: universalis\ntitle: The mill\nplayers: [Mara, Jonas, Pim]\n"
BEGUN = """\
- pass: [Mara, Jonas, Pim]
- bid: {Mara: 0, Jonas: 5, Pim: 0}
"""
FRAMED = f"""{BEGUN}\
- scene: The wheel
  at: {{place: salt mill, traits: turns by itself}}
"""


def at_mill(folder: Path, log: str) -> AtDesk:
    (folder / "mill").mkdir()
    (folder / "mill" / "campaign.yaml").write_text(MILL, encoding="utf-8")
    (folder / "mill" / "01.yaml").write_text(f"session: 1\nlog:\n{log}", encoding="utf-8")
    return AtDesk(folder)


def test_a_fix_that_leaves_more_problems_says_so() -> None:
    left = {"error": 3, "warning": 1, "note": 0}
    fix = ProvedFix(["Leave it out"], "01.yaml", "", "", left, 10, "", "", is_worse=True)
    assert fix.as_data(is_preferred=False)["worse"]
    assert fix.as_data(is_preferred=False)["effect"] == "More problems than before: 4"


def offered(at: AtDesk, start: str) -> list[tuple[str, str]]:
    """The fixes of the problem whose message starts so: what each does, and its effect."""
    problems = at.ask("findings", campaign="mill")["findings"]
    (key,) = [problem["key"] for problem in problems if problem["message"].startswith(start)]
    fixes = at.ask("fixes", campaign="mill", key=key)
    return [(_plain_title(fix["said"]), fix["effect"]) for fix in fixes]


@pytest.mark.parametrize(
    ("log", "problem", "first"),
    [
        (
            "- pass: [Mara, Jonas, Pim]\n- bid: {Mara: 30, Jonas: 2, Pim: 0}\n",
            "Mara bids",
            "Write 25",
        ),
        (
            f"{BEGUN}- scene: The wheel\n  at: the salt mill\n",
            "'the salt mill' is used",
            "set `at` to `place: the salt mill`",
        ),
        (
            f"{FRAMED}- introduce: Odile\n",
            "'Odile' is used",
            "set `introduce` to `character: Odile`",
        ),
        (
            "- tenet: A\n  kind: story\n- bid: {Johanna: 3}\n",
            "no player or character 'Johanna'",
            "Write Jonas",
        ),
    ],
)
def test_the_right_fix_comes_before_a_gap(
    log: str, problem: str, first: str, tmp_path: Path
) -> None:
    fixes = offered(at_mill(tmp_path, log), problem)
    assert fixes[0][0] == first, fixes
    gaps = [number for number, (title, _) in enumerate(fixes) if title == "mark a gap"]
    assert gaps in ([], [len(fixes) - 1])


ALLOWED = """\
session: 1
log:
- cast: {Ana: Marit, Bo: Jonas, Cy: Petra, Dee: Sunny}
- host: Marit
- accuser: Jonas
- scene: The hall
  with: Petra
- end scene:
  allow: {PA16: only to get going}
- scene: The kitchen
  with: everybody
- call: I did not
  by: Marit
  against: Jonsa
"""


def test_what_is_allowed_above_speaks_against_no_fix(tmp_path: Path) -> None:
    at = at_mill(tmp_path, "")
    settings = "game: positive\ntitle: The hall\nplayers: [Ana, Bo, Cy, Dee]\n"
    (tmp_path / "mill" / "campaign.yaml").write_text(settings, encoding="utf-8")
    (tmp_path / "mill" / "01.yaml").write_text(ALLOWED, encoding="utf-8")
    fixes = offered(at, "no character 'Jonsa'")
    assert fixes[0][0] == "Write Jonas"


@pytest.mark.parametrize("entry", ["- pass: Pim\n", "- tenet: B\n  kind: story\n  by: Pim\n"])
def test_the_wrong_person_is_offered_as_the_one_who_is_due(entry: str, tmp_path: Path) -> None:
    fixes = offered(at_mill(tmp_path, f"- tenet: A\n  kind: story\n{entry}"), "it is Jonas's turn")
    titles = [title for title, _ in fixes]
    assert "Write it for Jonas" in titles[:2]
    # The same entry above it, with and without its player, is one fix.
    assert [title for title in titles if title.startswith("add pass")] == ["add pass Jonas"]


def test_a_gap_promises_nothing_and_says_what_it_hides(tmp_path: Path) -> None:
    log = f"{FRAMED}- introduce: {{character: miller}}\n- fact: The miller is late\n  by: Mara\n"
    at = at_mill(tmp_path, log)
    fixes = dict(offered(at, "Mara buys a Fact"))
    assert "Leaves no problems" not in fixes["mark a gap"]
    assert fixes["mark a gap"].endswith("no longer checks whose turn it is.")
    log_file = tmp_path / "mill" / "01.yaml"
    further_entries = "- end turn:\n- end turn:\n- fact: The mill is deaf\n  by: Jonas\n"
    log_file.write_text(log_file.read_text(encoding="utf-8") + further_entries, encoding="utf-8")
    at = AtDesk(tmp_path)
    assert at.ask("findings", campaign="mill")["counts"]["error"] == 2
    fixes = dict(offered(at, "Mara buys a Fact"))
    assert fixes["mark a gap"].endswith("It hides 1 other problem.")


def test_a_problem_that_a_change_made_is_offered_to_be_undone(tmp_path: Path) -> None:
    log = (
        f"{FRAMED}- introduce: {{character: miller}}\n- end turn:\n- fact: It is deaf\n  by: Pim\n"
    )
    at = at_mill(tmp_path, log)
    assert at.ask("findings", campaign="mill")["counts"]["error"] == 0
    line = 3 + log.split("\n").index("- introduce: {character: miller}")
    at.ask(
        "edit",
        campaign="mill",
        file="01.yaml",
        line=line,
        entry="introduce: {character: miller}\nby: Mara",
    )
    (problem,) = at.ask("findings", campaign="mill")["findings"]
    fixes = offered(at, problem["message"])
    assert fixes[0] == ("Undo your change: introduce character: miller", "Leaves no problems")
    fixes_before = at.ask("fixes", campaign="mill", key=problem["key"])
    assert not fixes_before[0]["preferred"]
    at.ask("apply", campaign="mill", key=problem["key"], n=0)
    assert (tmp_path / "mill" / "01.yaml").read_text(encoding="utf-8").endswith(log)
