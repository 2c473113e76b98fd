"""Names that were given up and still lead on: ``renamed:`` in ``campaign.yaml``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from chronicle.campaigns import load, open_view, run
from chronicle.core.names import PLAYER, Named, NameMiss, Names
from chronicle.core.record import Record
from chronicle.core.source import ScalarNode
from chronicle.games import GAMES
from chronicle.testkit.random_play import write_campaign

SETTINGS = "game: positive\ntitle: T\nplayers: [Ana, Bo, Cy, Dee]\n"
SETUP = [
    "- cast: {Ana: Marit Holm, Bo: Jonas, Cy: Petra, Dee: Sunny}",
    "- host: Marit Holm",
    "- accuser: Jonas",
]


def called(names: Names, word: str) -> str:
    subject = names.find(word)
    return subject.name if isinstance(subject, Named) else ""


def test_an_old_name_and_its_words_lead_to_the_new_one() -> None:
    names = Names([("Dr. Emeka Okafor", "Emeka Brandt")])
    names.add("e", "character", "Emeka Brandt")
    for word in ("Dr. Emeka Okafor", "dr. emeka okafor", "Okafor", "Brandt", "Emeka"):
        assert called(names, word) == "Emeka Brandt"
    assert names.former_names(names.all["e"]) == ("Dr. Emeka Okafor",)


def test_a_name_may_change_more_than_once_and_back_again() -> None:
    names = Names([("A", "B"), ("B", "C")])
    names.add("x", "character", "C")
    assert [called(names, word) for word in "ABC"] == ["C", "C", "C"]
    assert names.former_names(names.all["x"]) == ("A", "B")
    renamed_back = Names([("A", "B"), ("B", "A")])
    renamed_back.add("x", "character", "A")
    assert [called(renamed_back, word) for word in "AB"] == ["A", "A"]


def test_what_has_a_name_now_beats_what_gave_it_up() -> None:
    names = Names([("Fox", "Reynard")])
    names.add("a", "character", "Reynard")
    names.add("b", "character", "Fox")
    subject = names.find("Fox")
    assert isinstance(subject, Named)
    assert subject.id == "b"
    assert [
        (revived.id, current_name) for revived, current_name in names.subjects_with_reused_name
    ] == [("b", "Reynard")]


def test_what_is_still_made_under_the_old_name_has_the_new_one() -> None:
    names = Names([("Fox", "Reynard")])
    subject = names.add("Fox", "character", "Fox")
    assert (subject.id, subject.name, subject.aliases) == ("Fox", "Reynard", ["Fox"])
    assert names.subjects_with_reused_name == []


def test_what_was_made_before_the_other_is_not_the_other() -> None:
    names = Names([("Fox", "Reynard")])
    names.add("a", "character", "Fox", ["the thief"])
    names.add("b", "character", "Reynard")
    assert [
        (subject.id, subject.name, current_name)
        for subject, current_name in names.subjects_with_reused_name
    ] == [("a", "Fox", "Reynard")]
    assert [getattr(names.find(word), "id", "") for word in ("Reynard", "Fox", "the thief")] == [
        "b",
        "a",
        "a",
    ]


def test_a_name_that_comes_later_leads_on_as_well() -> None:
    names = Names([("Fox", "Reynard")])
    names.add("a", "character", "the stranger")
    assert isinstance(names.find("Fox"), NameMiss)
    names.rename("a", "Reynard")
    assert called(names, "Fox") == "Reynard"


def test_players_are_called_as_the_settings_say() -> None:
    names = Names([("Ana", "Anna")])
    assert names.add("Ana", PLAYER, "Ana").name == "Ana"


def play(folder: Path, log: list[str], renamed: str) -> Record:
    return run(load(write_campaign(folder, f"{SETTINGS}renamed: {renamed}\n", [log])))


def test_a_keeper_who_uses_the_old_name_still_checks(tmp_path: Path) -> None:
    log = [SETUP[0], SETUP[2], "- say: |\n    marit holm: Good evening.", "- host: Holm"]
    new = [line.replace("Marit Holm", "Marit Berg") for line in log[:2]] + log[2:]
    for name, lines in (("old", log), ("mixed", new)):
        record = play(tmp_path / name, lines, "{Marit Holm: Marit Berg}")
        assert record.diagnostics == []
        subject = next(
            candidate for candidate in record.names.all.values() if candidate.kind != PLAYER
        )
        assert subject.name == "Marit Berg"


def test_two_things_of_one_name_are_told(tmp_path: Path) -> None:
    log = ["- cast: {Ana: Marit Berg, Bo: Jonas, Cy: Petra, Dee: Marit Holm}", *SETUP[2:]]
    record = play(tmp_path, log, "{Marit Holm: Marit Berg}")
    assert [diagnostic.code for diagnostic in record.diagnostics if diagnostic.code == "T57"] == [
        "T57"
    ]
    assert "'Marit Holm' is called 'Marit Berg' now" in record.diagnostics[0].message


def examples(root: Path) -> Iterator[Path]:
    games: set[str] = set()
    for file in sorted((root / "sessions").glob("*/campaign.yaml")):
        game = load(file.parent).game
        if game not in games:
            games.add(game)
            yield file.parent
    assert games == set(GAMES)


def moved(record: Record) -> list[tuple[int, int, str, str]]:
    return [(p.step_number, p.amount, p.unit, p.rule) for p in record.ledger.postings]


@pytest.mark.integration
def test_a_log_in_old_names_replays_alike_in_every_game(root: Path) -> None:
    for folder in examples(root):
        campaign = load(folder)
        record_before = run(campaign)
        diagnostics = [
            (diagnostic.code, diagnostic.step_number) for diagnostic in record_before.diagnostics
        ]
        for named in list(record_before.names.all.values()):
            if named.kind == PLAYER:
                continue
            campaign.settings.renamed = {ScalarNode(named.name): ScalarNode("Zzyx Quorn")}
            record_after = run(campaign)
            assert [
                (diagnostic.code, diagnostic.step_number) for diagnostic in record_after.diagnostics
            ] == diagnostics, named
            assert moved(record_after) == moved(record_before), named
            assert called(record_after.names, "Zzyx Quorn") == "Zzyx Quorn"


def test_a_sheet_says_what_it_was_called(tmp_path: Path) -> None:
    settings = SETTINGS + "renamed: {Marit Holm: Marit Berg}\n"
    log = [line.replace("Holm", "Berg") for line in SETUP]
    view = open_view(load(write_campaign(tmp_path, settings, [log])))
    sheet = next(candidate for candidate in view.sheets if candidate.name == "Marit Berg")
    assert (sheet.former_names, sheet.names) == (("Marit Holm",), ("Marit Berg", "Marit Holm"))
