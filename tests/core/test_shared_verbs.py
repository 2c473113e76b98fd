"""What every game gets: attendance, assertions, corrections, holes, secrets, carry-over."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from pathlib import Path

import pytest

from chronicle.campaigns import load, run
from chronicle.core.emblems import MOTIFS, ChosenEmblem, suggested_motifs
from chronicle.core.record import Record
from chronicle.core.secrets import Proof, make_opening, read_opening, seal_of
from chronicle.testkit.random_play import write_campaign

SETTINGS = "game: positive\ntitle: T\nplayers: [Ana, Bo, Cy, Dee]\n"
SETUP = [
    "- cast: {Ana: Marit, Bo: Jonas, Cy: Petra, Dee: Sunny}",
    "- host: Marit",
    "- accuser: Jonas",
]


def play(folder: Path, *logs: list[str], settings: str = "") -> Record:
    return run(load(write_campaign(folder, SETTINGS + settings, list(logs))))


def codes(record: Record) -> list[str]:
    return [d.code for d in record.diagnostics]


# --- assertions and corrections -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("strictness", "severity"),
    [("meticulous", "error"), ("standard", "warning"), ("relaxed", "warning")],
)
def test_a_wrong_figure_weighs_as_the_table_says(
    tmp_path: Path, strictness: str, severity: str
) -> None:
    record = play(
        tmp_path, [*SETUP, "- assert: {dice: {Ana: 2}}"], settings=f"strictness: {strictness}\n"
    )
    assert [str(d.severity) for d in record.diagnostics] == [severity]


def test_relaxed_assertions_reset_the_count_in_the_open(tmp_path: Path) -> None:
    log = [*SETUP, "- assert: {dice: {Ana: 2}}", "- assert: {dice: {Ana: 2}}"]
    record = play(tmp_path, log, settings="strictness: relaxed\n")
    assert len(record.diagnostics) == 1
    assert record.ledger.balance("dice:Ana", "commitment die") == 2
    assert record.ledger.balance("adjustment", "commitment die") == 1


def test_who_speaks_is_pointed_at_on_a_line_that_is_there(tmp_path: Path) -> None:
    within_quotes = r'- say: "Nobody: No.\nSomeone: No.\n"'
    folded = ["- say: >", "    Nobody: No.", "", "    Someone: No.", "- tell: It rains"]
    literal = ["- say: |", "    Nobody: No.", "    Someone: No."]
    diagnostics = play(tmp_path, [*SETUP, within_quotes, *folded, *literal]).diagnostics
    log = (tmp_path / "01.yaml").read_text("utf-8").splitlines()
    starts = ['- say: "Nob', "- say: >", "- say: |"]
    quoted, folds, block = (
        next(number for number, line in enumerate(log, 1) if line.startswith(words))
        for words in starts
    )
    assert [d.place.line for d in diagnostics] == [
        quoted,
        quoted,
        folds,
        folds,
        block + 1,
        block + 2,
    ]


def test_standard_assertions_change_nothing(tmp_path: Path) -> None:
    record = play(tmp_path, [*SETUP, "- assert: {dice: {Ana: 2}}"])
    assert record.ledger.balance("dice:Ana", "commitment die") == 3


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ("- assert: {dise: {Ana: 2}}", "did you mean 'dice'"),
        ("- assert: {dice: 3}", "write a figure here"),
        ("- assert: {dice: {Ana: {x: 1}}}", "write a figure here"),
        ("- assert: all is well", "write figures here"),
        ("- assert: {dice: {Ana: .nan}}", "a whole number belongs to Ana's dice, not '.nan'"),
        ("- assert: {dice: {Ana: 1e999}}", "a whole number belongs to Ana's dice"),
        (f"- assert: {{dice: {{Ana: {'9' * 5000}}}}}", f"3 commitment dice, not '{'9' * 57}...'"),
        ("- assert: {dice: {Anna: 2}}", "did you mean 'Ana'"),
    ],
)
def test_figures_that_cannot_be_understood_are_told_once(
    tmp_path: Path, entry: str, words: str
) -> None:
    record = play(tmp_path, [*SETUP, entry])
    assert len(primary(record)) == 1
    assert words in record.diagnostics[0].message


def test_a_correction_names_what_it_corrects_and_both_link_up(tmp_path: Path) -> None:
    log = [
        *SETUP,
        "- scene: The hall\n  with: Petra",
        "- barge in: Sunny\n  id: sunny-comes",
        "- tell: She takes her coat off",
        "- correct: sunny-comes\n  to: {dice: {Dee: 3}}\n  note: she was invited after all",
        "- assert: {dice: {Dee: 3}}",
    ]
    record = play(tmp_path, log)
    assert not record.diagnostics
    wrong, right = record.step(5), record.step(7)
    assert right.links == [wrong.number]
    assert wrong.links == [right.number]
    assert record.postings(right)[0].source == "adjustment"


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        ("- correct: nowhere\n  to: {dice: {Ana: 2}}\n  note: x", "T65"),
        ("- correct: last", "T62"),
        ("- correct: last\n  to: {dice: {Ana: 2}}", "T63"),
    ],
)
def test_corrections_without_target_effect_or_reason(tmp_path: Path, entry: str, code: str) -> None:
    assert codes(play(tmp_path, [*SETUP, entry])) == [code]


def test_presence_turn_and_cast_can_be_repaired(tmp_path: Path) -> None:
    log = [
        *SETUP,
        "- scene: The hall\n  with: Petra",
        "- correct: last\n  to: {in scene: {Sunny: yes}, present: {Ana: no}}\n  note: we mixed them up",
        "- assert: {in scene: {Sunny: true, Gus: no}, present: {Ana: no, Bo: yes}}",
        "- end scene:\n  allow: {PA16: it was late}",
        "- correct: last\n  to: {opener: Petra}\n  note: she had the word",
        "- assert: {opener: Petra}",
        "- scene: The kitchen\n  with: Sunny",
    ]
    record = play(tmp_path, log)
    assert codes(record) == ["T50"]  # there is no Gus
    assert record.timeline.get(2).opener == "Cy"


# --- attendance -----------------------------------------------------------------------------------


def test_present_absent_late_and_early(tmp_path: Path) -> None:
    folder = write_campaign(tmp_path, SETTINGS, [[*SETUP, "- arrive: Dee", "- leave: Ana"]])
    file = folder / "01.yaml"
    file.write_text(file.read_text().replace("session: 1", "session: 1\nabsent: Dee"), "utf-8")
    record = run(load(folder))
    assert not record.diagnostics
    assert record.sessions[0].present == ("Ana", "Bo", "Cy")
    assert [e.kind for e in record.step(4).events] == ["arrives"]
    assert [e.kind for e in record.step(5).events] == ["leaves"]


@pytest.mark.parametrize("entry", ["- arrive: Ana", "- leave: [Ana, Ana]"])
def test_nobody_comes_or_goes_twice(tmp_path: Path, entry: str) -> None:
    assert codes(play(tmp_path, [*SETUP, entry])) == ["T66"]


def test_an_unknown_name_in_the_header_is_told(tmp_path: Path) -> None:
    folder = write_campaign(tmp_path, SETTINGS, [SETUP])
    file = folder / "01.yaml"
    file.write_text(
        file.read_text().replace("session: 1", "session: 1\npresent: [Ana, Boo]"), "utf-8"
    )
    record = run(load(folder))
    assert codes(record) == ["T50"]
    assert record.diagnostics[0].place.line == 2


# --- holes and openings ---------------------------------------------------------------------------


def test_what_stands_above_play_starts_is_given(tmp_path: Path) -> None:
    record = play(
        tmp_path,
        [
            *SETUP,
            "- assert: {track: {Marit: -3}, dice: {Ana: 0}}",
            "- play starts:",
            "- scene: A\n  by: Petra",
        ],
    )
    assert not record.diagnostics
    assert record.ledger.balance("track:Marit", "step") == -3


def test_an_unfinished_evening_goes_on_in_the_next(tmp_path: Path) -> None:
    record = play(tmp_path, [*SETUP, "- scene: The hall\n  with: Petra"], ["- tell: And then"])
    assert not record.diagnostics
    assert record.step(5).scene == 1
    assert record.sessions[1].first_step == 5


# --- secrets --------------------------------------------------------------------------------------


def test_a_secret_is_hidden_until_it_is_revealed(tmp_path: Path) -> None:
    log = [*SETUP, "- secret: Marit has known since Easter\n  id: easter"]
    record = play(tmp_path, log)
    assert record.step(4).hidden
    assert record.unrevealed_count == 1
    record = play(tmp_path / "later", [*log, "- reveal: easter"])
    assert not record.step(4).hidden
    assert record.unrevealed_count == 0
    assert "Marit has known since Easter" in record.step(5).events[0].text


def test_a_seal_is_verified_at_the_reveal(tmp_path: Path) -> None:
    opening = make_opening(1, "wish", "Ana", "wish", "that it had been me")
    log = [
        *SETUP,
        f"- sealed: {seal_of(opening)}\n  id: wish\n  by: Ana\n  kind: wish",
        f"- reveal: wish\n  opening: '{opening}'",
    ]
    record = play(tmp_path, log)
    assert not record.diagnostics
    assert record.step(5).events[0].text == f"that it had been me ({Proof.SEALED})"


def test_a_changed_opening_a_wrong_place_and_a_missing_one(tmp_path: Path) -> None:
    opening = make_opening(1, "wish", "Ana", "wish", "that it had been me")
    sealed = f"- sealed: {seal_of(opening)}\n  id: wish\n  by: Ana"
    changed = opening.replace("me", "you")
    assert codes(
        play(tmp_path / "a", [*SETUP, sealed, f"- reveal: wish\n  opening: '{changed}'"])
    ) == ["T76"]
    assert codes(play(tmp_path / "b", [*SETUP, sealed, "- reveal: wish"])) == ["T75"]
    second_opening = make_opening(2, "wish", "Ana", "wish", "x")
    sealed_other = f"- sealed: {seal_of(second_opening)}\n  id: wish\n  by: Ana"
    problem_codes = codes(
        play(
            tmp_path / "c", [*SETUP, sealed_other, f"- reveal: wish\n  opening: '{second_opening}'"]
        )
    )
    assert problem_codes == ["T77"]


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        ("- secret: x", "T70"),
        ("- sealed: not-a-seal\n  id: a", "T71"),
        ("- reveal: nothing", "T72"),
    ],
)
def test_secrets_that_make_no_sense(tmp_path: Path, entry: str, code: str) -> None:
    assert codes(play(tmp_path, [*SETUP, entry])) == [code]


def test_a_secret_is_revealed_once(tmp_path: Path) -> None:
    log = [*SETUP, "- secret: x\n  id: a", "- reveal: a", "- reveal: a"]
    assert codes(play(tmp_path, log)) == ["T73"]


def test_the_string_itself_is_sealed() -> None:
    opening = make_opening(3, "slot", "Änne", "bid", '3 "Coins"')
    parts = read_opening(opening)
    assert parts is not None
    assert (parts.session, parts.player, parts.value) == (3, "Änne", '3 "Coins"')
    assert seal_of(opening) != seal_of(opening + " ")
    assert read_opening("[1, 2]") is None
    assert read_opening("{") is None
    assert make_opening(3, "s", "p", "k", "v") != make_opening(3, "s", "p", "k", "v")


# --- questions and emblems ------------------------------------------------------------------------


def test_a_question_is_open_until_it_is_answered(tmp_path: Path) -> None:
    questions = [
        "- question: Who took the bread?\n  id: bread\n  about: [Petra, Sunny]",
        "- tell: The lamp is out\n  id: lamp",
        "- question: And who put the lamp out?\n  of: lamp",
    ]
    record = play(tmp_path / "a", [*SETUP, *questions])
    assert codes(record) == []
    assert [
        (question.words, question.subjects, question.left_open_by)
        for question in record.questions.unanswered()
    ] == [
        ("Who took the bread?", ("Petra", "Sunny"), 0),
        ("And who put the lamp out?", (), 5),
    ]
    closed = play(
        tmp_path / "b", [*SETUP, *questions, "- tell: The cat did\n  answers: [bread, lamp]"]
    )
    assert codes(closed) == []
    assert closed.questions.unanswered() == []
    assert closed.questions.answering_step(4) == closed.questions.answering_step(5) == 7
    assert closed.step(4).links == closed.step(5).links == [7]
    named = record.questions.question_left_by(5)
    assert named is not None
    assert named.step_number == 6


@pytest.mark.parametrize("entry", ["- tell: x\n  answers: bred", "- question: x\n  of: bred"])
def test_an_answer_to_nothing_is_told(tmp_path: Path, entry: str) -> None:
    log = [*SETUP, "- question: Who took the bread?\n  id: bread", entry]
    record = play(tmp_path, log)
    assert codes(record) == ["T81"]
    assert "did you mean 'bread'" in record.diagnostics[0].message


def test_an_entry_leads_to_those_that_it_belongs_with(tmp_path: Path) -> None:
    log = [*SETUP, "- tell: A lamp\n  id: lamp", "- tell: A cat\n  id: cat"]
    record = play(tmp_path / "a", [*log, "- tell: The cat, the lamp\n  see: [cat, lamp]"])
    assert codes(record) == []
    assert record.step(6).links == [5, 4]
    assert record.step(4).links == record.step(5).links == [6]
    astray = play(tmp_path / "b", [*log, "- tell: A cat again\n  see: cta"])
    assert codes(astray) == ["T81"]
    assert "did you mean 'cat'" in astray.diagnostics[0].message


def test_an_entry_that_never_happened_answers_nothing(tmp_path: Path) -> None:
    record = play(
        tmp_path,
        [*SETUP, "- question: Who?\n  id: who", "- secret: it was me\n  id: me\n  answers: who"],
    )
    assert codes(record) == []
    assert record.questions.unanswered() == []


def test_emblems_are_chosen_and_the_last_choice_counts(tmp_path: Path) -> None:
    log = [*SETUP, "- emblem: {Marit: key, Sunny: Door dark}", "- emblem: {Marit: pear}"]
    record = play(tmp_path, log, settings="emblem: lantern\n")
    assert codes(record) == []
    assert record.emblems == {"Marit": ChosenEmblem("pear"), "Sunny": ChosenEmblem("door", True)}
    assert record.campaign.settings.emblem == ChosenEmblem("lantern")


@pytest.mark.parametrize(
    ("drawing", "words"),
    [("keey", "did you mean 'key'"), ("key lights", "nothing but 'dark'"), ("''", "no drawing")],
)
def test_a_drawing_that_nobody_has_made_is_told(tmp_path: Path, drawing: str, words: str) -> None:
    record = play(tmp_path, [*SETUP, f"- emblem: {{Marit: {drawing}, Sunny: bell}}"])
    assert codes(record) == ["T69"]
    assert words in record.diagnostics[0].message
    assert record.emblems == {"Sunny": ChosenEmblem("bell")}


def test_every_word_that_suggests_a_drawing_suggests_one() -> None:
    for motif in MOTIFS:
        assert next(suggested_motifs(motif)) == motif
    assert list(suggested_motifs("the old ferryman", "smith")) == ["boat", "hammer"]
    assert (
        list(suggested_motifs("surgeon"))
        == list(suggested_motifs("Surgeons of the line"))
        == ["knife"]
    )
    assert list(suggested_motifs("Zyx", "")) == []


def test_a_story_is_over_by_its_rules_or_as_the_settings_say(tmp_path: Path) -> None:
    assert not play(tmp_path / "a", SETUP).is_over
    assert play(tmp_path / "b", SETUP, settings="status: finished\n").is_over


# --- ids and excuses ------------------------------------------------------------------------------


def test_an_id_is_given_once(tmp_path: Path) -> None:
    record = play(tmp_path, [*SETUP, "- tell: a\n  id: x", "- tell: b\n  id: x"])
    assert codes(record) == ["T53"]
    assert record.diagnostics[0].facts[0].place is not None


def test_anchors_do_not_shift_when_something_is_inserted_elsewhere(tmp_path: Path) -> None:
    scene = "- scene: The hall\n  with: Petra"
    record_before = play(tmp_path / "a", [*SETUP, scene, "- tell: It rains", "- barge in: Sunny"])
    record_after = play(
        tmp_path / "b", [*SETUP, scene, "- tell: A car", "- tell: It rains", "- barge in: Sunny"]
    )
    assert {s.anchor for s in record_before.steps} < {s.anchor for s in record_after.steps}


def test_speech_belongs_to_the_speakers_players(tmp_path: Path) -> None:
    log = [*SETUP, "- scene: The hall\n  with: Petra", "- say: |\n    Petra: Yes.\n    Jonas: No."]
    record = play(tmp_path, log)
    assert not record.diagnostics
    assert record.step(5).player == "Bo"
    assert record.step(5).fiction == "**Petra:** Yes.\n\n**Jonas:** No."


def test_a_speaker_nobody_knows(tmp_path: Path) -> None:
    log = [*SETUP, "- scene: The hall\n  with: Petra", "- say: |\n    Petra: Yes.\n    Jonsa: No."]
    record = play(tmp_path, log)
    assert codes(record) == ["T50"]
    assert record.diagnostics[0].place.line == 10


def test_a_ruling_that_does_not_exist(tmp_path: Path) -> None:
    assert codes(play(tmp_path / "a", [SETUP[0]], settings="rulings: {tei: reroll}\n")) == ["T51"]
    assert codes(play(tmp_path / "b", [SETUP[0]], settings="rulings: {PA1: rerol}\n")) == ["T51"]
    assert codes(play(tmp_path / "c", [SETUP[0]], settings="rulings: {PA1: caller-loses}\n")) == []


def test_a_count_after_a_gap_accuses_nobody(tmp_path: Path) -> None:
    log = [*SETUP, "- gap: two scenes are missing", "- assert: {dice: {Ana: 1}}"]
    record = play(tmp_path, [*log, "- assert: {dice: {Ana: 1}}", "- assert: {dice: {Ana: 3}}"])
    assert [str(d.kind) for d in record.diagnostics] == ["bookkeeping"]
    assert record.ledger.balance("dice:Ana", "commitment die") == 1
    assert [
        e.kind for step in record.steps for e in step.events if e.kind in ("adjusted", "agrees")
    ] == [
        "adjusted",
        "agrees",
    ]


def test_a_gap_makes_uncertain_what_it_names_and_nothing_else(tmp_path: Path) -> None:
    log = [*SETUP, "- gap: dinner\n  uncertain: turns", "- assert: {dice: {Ana: 1}}"]
    assert [str(d.kind) for d in play(tmp_path, log).diagnostics] == ["bookkeeping"]
    log = [*SETUP, "- gap: dinner\n  uncertain: [turns, purses]", "- assert: {dice: {Ana: 1}}"]
    assert not play(tmp_path / "purses", log).diagnostics


def test_a_gap_lasts_until_what_ends_it(tmp_path: Path) -> None:
    log = [
        *SETUP,
        "- gap: dinner\n  until: back",
        "- assert: {dice: {Ana: 1}}",
        "- assert: {dice: {Ana: 2}}",
        "- tell: They are back\n  id: back",
        "- assert: {dice: {Ana: 1}}",
        "- assert: {dice: {Ana: 3}}",
    ]
    record = play(tmp_path, log)
    assert [(str(d.kind), d.place.line) for d in record.diagnostics] == [
        ("bookkeeping", len("\n".join(["session: 1", "log:", *log]).splitlines()))
    ]


def test_a_gap_that_nothing_can_end_is_told(tmp_path: Path) -> None:
    record = play(tmp_path, [*SETUP, "- gap: dinner\n  until: end sesion"])
    assert "did you mean 'end session'" in record.diagnostics[0].message


# --- what one mistake brings with it --------------------------------------------------------------


def primary(record: Record) -> list[str]:
    return [d.code for d in record.diagnostics if d.cause is None]


def test_what_an_unreadable_entry_would_have_made_is_folded_under_it(tmp_path: Path) -> None:
    record = play(
        tmp_path,
        [
            "- cast: Ana is Marit, Bo is Jonas, Cy is Petra",
            "- host: Marit",
            "- accuser: Jonas",
            "- scene: The hall\n  with: Petra",
        ],
    )
    assert primary(record) == ["T20"]
    assert len(record.diagnostics[0].dependents) >= 4


def test_what_a_bad_option_brings_with_it_is_folded_under_it(tmp_path: Path) -> None:
    record = play(tmp_path, [*SETUP, "- scene: The hall\n  whit: Petra"])
    assert primary(record) == ["T22"]


def test_a_call_that_cannot_be_read_takes_its_answer_along(tmp_path: Path) -> None:
    record = play(
        tmp_path,
        [
            *SETUP,
            "- scene: The hall\n  with: Petra",
            "- call: No\n  by: Petra",
            "- match: Yes",
            "- roll: {Petra: +, Jonas: o}",
        ],
    )
    assert primary(record) == ["T23"]


def test_a_lost_entry_puts_the_rest_of_its_scene_in_doubt_and_no_more(tmp_path: Path) -> None:
    scene = ["- scene: The hall\n  with: Petra", "- cal: No\n  by: Petra\n  against: Jonas"]
    later_entries = [
        "- match: Yes",
        "- roll: {Petra: +, Jonas: o}",
        "- assert: {track: {Petra: 1}}",
    ]
    next_scene = ["- scene: The stairs\n  with: [Petra, Sunny]\n  by: Jonas", "- barge in: Petra"]
    record = play(tmp_path, [*SETUP, *scene, *later_entries, *next_scene])
    assert primary(record) == ["T21", "P13"]


def test_a_misspelt_name_is_read_as_the_one_that_was_meant(tmp_path: Path) -> None:
    scene = "- scene: The hall\n  with: Petraa"
    call = "- call: No\n  by: Petra\n  against: Jonas"
    record = play(tmp_path, [*SETUP, scene, call, "- match: Yes\n  by: Jomas"])
    assert [
        diagnostic.message for diagnostic in record.diagnostics if diagnostic.cause is None
    ] == [
        "no character 'Petraa'; did you mean 'Petra'?",
        "no player or character 'Jomas'; did you mean 'Jonas'?",
    ]


def test_names_in_a_row_need_no_brackets(tmp_path: Path) -> None:
    settings = SETTINGS.replace("[Ana, Bo, Cy, Dee]", "Ana, Bo, Cy, Dee")
    record = run(load(write_campaign(tmp_path, settings, [SETUP])))
    assert not record.diagnostics
    assert [p.name for p in record.campaign.players] == ["Ana", "Bo", "Cy", "Dee"]


# --- somebody, nobody knows who -------------------------------------------------------------------

EXAMPLES = sorted(path.parent for path in Path("sessions").glob("*/campaign.yaml"))


@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
def test_who_acted_may_be_unrecorded_anywhere(folder: Path, tmp_path: Path) -> None:
    """Every third 'by:' of every play example is forgotten in turn: nobody is accused for that, and no
    message has an empty name."""
    copy = tmp_path / folder.name
    shutil.copytree(folder, copy)
    counts_before = Counter(d.code for d in run(load(copy)).diagnostics if d.severity)
    places = [
        (file, number)
        for file in sorted(copy.glob("[0-9]*.yaml"))
        for number, line in enumerate(file.read_text(encoding="utf-8").split("\n"))
        if line.startswith("  by: ")
    ]
    for file, number in places[::3]:
        text = file.read_text(encoding="utf-8")
        lines = text.split("\n")
        lines[number] = "  by: unrecorded"
        file.write_text("\n".join(lines), encoding="utf-8")
        record = run(load(copy))
        diagnostics = [d for d in record.diagnostics if d.severity and d.cause is None]
        accused = [d for d in diagnostics if str(d.kind) not in ("unknown", "excused")]
        assert not Counter(d.code for d in accused) - counts_before, (
            lines[number - 1],
            [f"{d.place} {d.code} {d.message}" for d in accused],
        )
        assert not [d.message for d in diagnostics if re.search(r"^ |'' |  ", d.message)]
        file.write_text(text, encoding="utf-8")
