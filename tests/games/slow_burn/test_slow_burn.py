"""What the case files cannot say: every row is there, secrets stay shut, the pages hold what they should."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from chronicle.campaigns import load, run, view_of
from chronicle.core.campaign_view import CampaignView, Stones, Table
from chronicle.core.record import Record
from chronicle.games import rulebook
from chronicle.games.slow_burn.state import track_of
from chronicle.publish import render
from chronicle.testkit.cases import read_cases
from chronicle.testkit.random_play import write_campaign

CASES = Path(__file__).parent / "cases"
ROOT = Path(__file__).parents[3]
TABLE = "game: slow-burn\ntitle: A case\nhandler: Hal\nplayers: [Ada, Ben]\n"
SHEETS = [
    "- {spy: Wren, by: Ada, speciality: forgery}",
    "- {spy: Magpie, by: Ben, speciality: demolitions}",
]
WITH_CONTACTS = [
    "- {spy: Wren, by: Ada, speciality: forgery, contacts: {Lobo: files, Duarte: confessions}}",
    "- {spy: Magpie, by: Ben, speciality: demolitions, contacts: {Rosa: houses, Nuno: getaways}}",
    "- {play starts: }",
]


def replayed(folder: Path, lines: list[str]) -> Record:
    """The record of one session."""
    return run(load(write_campaign(folder, TABLE, [lines])))


def text_of(view: CampaignView) -> str:
    """Everything a reader could be shown, as one text."""
    steps = [
        (step.headline, step.fiction, step.talk, step.events, step.contest, step.diagnostics)
        for step in view.record.steps
    ]
    return repr(
        (steps, view.sheets, view.pages, view.overview, view.state, view.relations, view.loose_ends)
    )


def test_every_row_of_illegal_things_has_a_case() -> None:
    titles = " ".join(case.name for file in CASES.glob("*.case") for case in read_cases(file))
    rows = {int(number) for number in re.findall(r"\bV(\d+)\b", titles)}
    assert rows >= set(range(1, 61)) - {46, 47}
    assert "V45 to V48" in titles
    assert "V46" in titles and "V47" in titles


def test_every_row_resolves_to_the_rule_it_breaks() -> None:
    registry = rulebook("slow-burn").registry()
    for row in range(1, 61):
        assert registry.get(f"V{row}") is not None, row


FIGURES = [f"SX{n}" for n in range(1, 20)] + [f"ST{n}" for n in range(1, 13)]
ONLY_WORDS = {"ST5": "Track 13", "ST6": "title"}
"""Slips of the text about its own numbering: they have no figure to replay, but an erratum."""


@pytest.mark.parametrize("example", FIGURES)
def test_every_example_is_replayed_or_named_an_erratum(example: str) -> None:
    titles = [case.name for file in CASES.glob("*.case") for case in read_cases(file)]
    if example in ONLY_WORDS:
        errata = {erratum.id: erratum.text for erratum in rulebook("slow-burn").errata()}
        assert ONLY_WORDS[example] in errata[example]
    else:
        assert any(re.search(rf"\b{example}\b", title) for title in titles)


def test_an_envelope_stays_shut_until_it_is_opened(tmp_path: Path) -> None:
    lines = [
        *SHEETS,
        '- {envelope: "locker 114, Rossio", by: Ada}',
        '- {envelope: "three left and two right", by: Ben}',
        "- {deal: {Ada: Ben, Ben: Ada}}",
    ]
    shut = text_of(view_of(replayed(tmp_path / "shut", lines)))
    assert "locker 114" not in shut
    assert "three left" not in shut
    opened = [*lines, "- {introduce: [Wren], text: She woke up.}"]
    view = view_of(replayed(tmp_path / "one", opened))
    assert "three left and two right" in text_of(view)
    assert "locker 114" not in text_of(view)
    assert view.record.steps[4].hidden, "whose envelope the other one is would show"
    both = [*opened, "- {introduce: [Magpie], text: He woke up.}"]
    view = view_of(replayed(tmp_path / "both", both))
    assert "locker 114" in text_of(view)
    assert not view.record.steps[4].hidden


def test_no_file_of_the_site_tells_what_is_in_an_envelope(tmp_path: Path) -> None:
    lines = [
        *SHEETS,
        '- {envelope: "locker 114, Magpie knows", by: Ada}',
        '- {envelope: "three left and two right", by: Ben}',
        "- {deal: {Ada: Ben, Ben: Ada}, note: crosswise}",
    ]
    folder = write_campaign(tmp_path / "table", TABLE, [lines])
    files = render(folder, tmp_path / "site", warn=lambda text: None)
    assert any(file.name == "01.yaml" for file in files), "the log itself can be downloaded"
    for file in files:
        content = file.read_bytes()
        for secret in (b"locker 114", b"three left", b"crosswise"):
            assert secret not in content, (file.name, secret)


def test_a_token_written_at_the_opening_in_other_words_is_noticed(tmp_path: Path) -> None:
    lines = [
        *SHEETS,
        '- {envelope: "locker 114", by: Ada}',
        "- {envelope: pier 9, by: Ben}",
        "- {deal: {Ada: Ben, Ben: Ada}}",
        '- {introduce: {Magpie: "locker 115"}, text: He woke up.}',
    ]
    assert [d.code for d in replayed(tmp_path, lines).diagnostics] == ["T74"]


def test_a_sealed_token_opened_without_its_opening_proves_nothing(tmp_path: Path) -> None:
    seal = "sha256:" + "0" * 64
    lines = [
        *SHEETS,
        f"- {{sealed: '{seal}', id: ada, by: Ada, kind: token}}",
        "- {envelope: pier 9, by: Ben}",
        "- {deal: {Ada: Ben, Ben: Ada}}",
        '- {introduce: {Magpie: "locker 115"}, text: He woke up.}',
    ]
    assert [d.code for d in replayed(tmp_path, lines).diagnostics] == ["T75"]


def test_the_state_machine_says_where_play_is(tmp_path: Path) -> None:
    """Every stage of a scene that the Agency interrupts, in the words of the situation."""
    lines = [
        *WITH_CONTACTS,
        "- {segment: 1}",
        "- {scene: The depot, voice over: Ada, use: {Wren: forgery, Magpie: Nuno}}",
        "- {check: {Wren: 2, Magpie: 9}}",
        "- {answer: Wren}",
        "- {scene: A car park, voice over: Hal, use: {Wren: all}}",
        "- {roll: {Wren: [5, 9, 9], Opposition: 9}}",
        "- {roll: {Magpie: 1, Opposition: [9, 9, 9, 9]}}",
    ]
    expected = {
        4: "Track 8",
        5: "Track 10",
        6: "Wren must ignore or answer the Agency. Track 14",
        7: "Track 15",
        8: "1 of at most 3 scenes framed. Track 15",
        9: "Track 12",
        10: "3 Opposition dice left; another scene. Track 9",
    }
    for count, words in expected.items():
        record = replayed(tmp_path / str(count), lines[:count])
        assert words in record.situation, record.situation


def test_the_pages_hold_what_a_reader_wants() -> None:
    view = view_of(run(load(ROOT / "sessions" / "the-dry-book")))
    assert [page.slug for page in view.pages] == [
        "episode-1",
        "path",
        "agency",
        "fleur-de-lis",
        "tracks",
    ]
    stones = next(block for block in view.overview if isinstance(block, Stones))
    assert stones.rows == (("Quill", 2, 10), ("Marrow", 1, 10), ("Tern", 1, 10))
    agency = next(page for page in view.pages if page.slug == "agency")
    tables = {block.title: block for block in agency.blocks if isinstance(block, Table)}
    assert len(tables["Interferences"].rows) == 4
    assert [row[3:5] for row in tables["Ignored interferences"].rows] == [(2, 2)]
    assert len(tables["Every check"].rows) == 17
    path = next(page for page in view.pages if page.slug == "path")
    pushes = next(
        b for b in path.blocks if isinstance(b, Table) and b.title == "Pushes for freedom"
    )
    assert [row[3] for row in pushes.rows] == [2, 3]
    gallery = next(page for page in view.pages if page.slug == "fleur-de-lis")
    tokens = next(block for block in gallery.blocks if isinstance(block, Table))
    assert {row[1] for row in tokens.rows} == {"Sabine", "Owen", "Luca"}
    assert len(view.relations[0].edges) == 9, (
        "three connections close the ring, six contacts hang on it"
    )
    assert {sheet.registry for sheet in view.sheets} == {"Spies", "Contacts"}
    assert not view.loose_ends


def test_the_state_machine_from_a_push_to_freedom(tmp_path: Path) -> None:
    """From setup over a due push to a freed spy, and the contact who takes the chair."""
    lines = [
        "- {spy: Wren, by: Ada, speciality: forgery, path: 9, contacts: {Lobo: files}}",
        "- {spy: Magpie, by: Ben, speciality: demolitions, contacts: {Rosa: houses}}",
        "- {segment: 7, opposition: 1}",
        "- {play starts: }",
        "- {push: Wren}",
        "- {scene: The depot, voice over: Ben, use: {Magpie: Rosa}}",
        "- {check: {Wren: 9, Magpie: 9}}",
        "- {roll: {Magpie: 8, Opposition: 9}}",
        "- {play push: , scene: The last door, voice over: Ada, use: {Wren: all}}",
        "- {roll: {Wren: [5, 9], Opposition: 9}}",
        "- {end job: The suitcase is home again}",
        "- {free: Wren, text: She signs her own name.}",
        "- {character: Rosa, by: Ada, contacts: {The twins: lifting}}",
    ]
    settings = TABLE + "series: until free\n"
    expected = {
        0: "Track 1, Introduction: before the first Job",
        8: "the declared push is played now",
        9: "A push for freedom, 1 of at most 3 scenes framed. Track 17",
        10: "the Job is done and its end is told. Track 18",
        12: "is over, and the next Job has not begun.",
    }
    for count, words in expected.items():
        record = run(load(write_campaign(tmp_path / str(count), settings, [lines[:count]])))
        assert words in record.situation, record.situation
    freed = run(load(write_campaign(tmp_path / "freed", settings, [lines[:11]])))
    assert track_of(freed.state) == 19
    view = view_of(run(load(write_campaign(tmp_path / "all", settings, [lines]))))
    page = next(page for page in view.pages if page.slug == "departures")
    table = next(block for block in page.blocks if isinstance(block, Table))
    assert [cell for cell in table.rows[0] if isinstance(cell, str)][-1] == "a contact, developed"
    rosa = view.sheet("Rosa")
    assert rosa is not None
    assert rosa.status == "no Path, no duty to push"
    free = view.sheet("Wren")
    assert free is not None
    assert free.status == "off the blacklist"


def test_loose_ends_are_named(tmp_path: Path) -> None:
    lines = [
        *WITH_CONTACTS,
        "- {push: Wren}",
        "- {scene: The depot, voice over: Ada, use: {Magpie: [Rosa, Nuno]}}",
        "- {check: {Wren: 9, Magpie: 1, Agency: 9}}",
        "- {ignore: Magpie, target: Rosa}",
    ]
    ends = {str(end.text) for end in view_of(replayed(tmp_path, lines)).loose_ends}
    assert ends == {
        "How long will Magpie ignore the Agency?",
        "What comes of Wren's push?",
        "Magpie has not pushed in this episode",
        "What is the Job?",
        "The depot: how does it end?",
    }


def test_a_fresh_campaign_checks_clean(tmp_path: Path) -> None:
    for name, text in rulebook("slow-burn").new_campaign().items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    record = run(load(tmp_path))
    assert not record.diagnostics
    assert "3 Opposition dice left" in record.situation


@pytest.mark.parametrize(
    ("lines", "code", "help"),
    [
        (["- {segment: 1}", "- {scene: A}", "- {segment: 2}"], "S8.3", "log the scenes that are"),
        (["- {check: {Wren: 9, Magpie: 9, Agency: [9, 9, 9]}}"], "S10.3", "write 1 number"),
        (["- {roll: {Wren: [9, 9, 9], Opposition: [9, 9, 9, 9]}}"], "S9.5a", "write 2 numbers"),
        (["- {scene: B, use: {Wren: Lobbo}}"], "S9.4", "write  Lobo"),
        (["- {scene: B, use: Wren Lobbo}"], "T20", "write it as in  use: {Wren: "),
        (["- {scene: B, use: Wren forgery}"], "T20", "write  {Wren: forgery}"),
        (["- check: 13, 1, 4"], "T20", "write it as in  check: {Wren: 9"),
        (["- {check: unrecrded}"], "T20", "write  unrecorded"),
        (["- check: Wren 9, Agency 4"], "T20", "write  {Wren: 9, Agency: 4}"),
    ],
)
def test_a_message_says_what_to_write(
    lines: list[str], code: str, help: str, tmp_path: Path
) -> None:
    scene = "- {scene: The depot, voice over: Ada, use: {Wren: [forgery, Lobo]}}"
    record = replayed(tmp_path, [*WITH_CONTACTS, "- {segment: 1}", scene, *lines])
    (problem,) = (
        diagnostic
        for diagnostic in record.diagnostics
        if diagnostic.code == code and diagnostic.cause is None
    )
    assert problem.help[0].startswith(help)


@pytest.mark.parametrize(
    ("sheet", "code", "help"),
    [
        ("{Wren: Old Magda}", "S2.5", "{Wren: {Old Magda: what Old Magda can do}}"),
        ("{Wren: Old Magda: papers}", "T11", "{Old Magda: papers}"),
        ('{Wren: "Old Magda: papers"}', "S2.5", "{Wren: {Old Magda: papers}}"),
    ],
)
def test_no_message_about_a_contact_leads_to_another_one(
    sheet: str, code: str, help: str, tmp_path: Path
) -> None:
    """What the help of each message says is right, or right but for the words that only the table knows."""
    spy = "- {spy: Wren, by: Ada, speciality: forgery}"
    record = replayed(tmp_path, [spy, f"- contacts: {sheet}"])
    (problem,) = (
        diagnostic
        for diagnostic in record.diagnostics
        if diagnostic.code == code and diagnostic.cause is None
    )
    assert problem.help[0].endswith(f"  {help}")
    value = help if help.startswith("{Wren") else f"{{Wren: {help}}}"
    assert not replayed(tmp_path, [spy, f"- contacts: {value}"]).diagnostics


def test_who_opens_an_envelope_that_a_misspelt_name_was_dealt_follows_from_that(
    tmp_path: Path,
) -> None:
    lines = [*SHEETS, "- {deal: [Ada, Bob]}", "- {introduce: {Magpie: 0412}, text: A call.}"]
    reported = [
        diagnostic.code
        for diagnostic in replayed(tmp_path, lines).diagnostics
        if diagnostic.is_reported
    ]
    assert "T50" in reported and "S6.2" not in reported
