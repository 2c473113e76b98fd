"""Old records: what is sure becomes an entry, everything else stays word for word, and nothing is invented."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from chronicle.campaigns import load, run
from chronicle.core.diagnostic import Severity
from chronicle.syntax.importers import (
    CampaignVocabulary,
    compose_session_text,
    guess_text_form,
    import_text,
)
from chronicle.syntax.reader import read_text
from tests.cli.test_cli import Chronicle
from tests.cli.test_cli import chronicle as chronicle
from tests.conftest import ROOT

SETTINGS = """\
game: universalis
title: The ford, by post
players: [Ana, Bao, Cleo]
preparation: skipped
"""
THREAD = """\
The ford, a game by post

#1 Ana » 2026-03-07, 21:14
The river has risen over the first step. Ida counts the sheep.

Wealth: Ana 17, Bao 22

((I am away until Tuesday))

#2 Bao » 2026-03-08, 07:02
"You counted one twice," says the miller.
Bao rolls 3d10: 2, 9, 10
I think 2d6+1 would be fairer.

#3 Nobody » 2026-03-08, 09:30
Who is Ida?
"""
CHAT = """\
[2026-03-07 21:14] Ana: The river has risen
[2026-03-07 21:15] Bao: Ida: I can swim.
and she can, too
[2026-03-07 21:16] Gast: (OOC hello)
"""
LONELOG = """\
# The ford
### S1 At the water, dusk
@ Wade in
d: Nerve 4 vs TN 5 -> Fail
=> The lamp goes out.
=> Somebody laughs.
? Is it Bao?
-> No, but...
(@Ana) Call out
(note: the oracle was kind)
"""
MARKDOWN = """\
---
title: The ford
date: 2026-03-07
---

## At the water

The river has risen.

Ana rolls d10 = 4
"""
TABLE = """\
verb;value;by;at
bid;"{Ana: 4, Bao: 0, Cleo: 1}";;
scene;The ford;;{new: ford}
event;The lamp goes out: the water is cold;Ana;
conjure;a heron;Bao;
"""
TEXTS = {"thread": THREAD, "chat": CHAT, "lonelog": LONELOG, "markdown": MARKDOWN, "csv": TABLE}


def names() -> CampaignVocabulary:
    return CampaignVocabulary(
        ("Ana", "Bao", "Cleo"),
        {"tell", "aside", "roll", "scene", "bid", "event", "snapshot"},
        {"wealth"},
    )


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "ford").mkdir()
    (tmp_path / "ford" / "campaign.yaml").write_text(SETTINGS, encoding="utf-8")
    return tmp_path


def take_in(home: Path, form: str, chronicle: Chronicle) -> str:
    source = home / f"old.{'csv' if form == 'csv' else 'txt'}"
    source.write_text(TEXTS[form], encoding="utf-8")
    completed = chronicle("import", source, "--in", home / "ford")
    assert completed.code == 0, completed.err
    return (home / "ford" / "01.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize("form", TEXTS)
def test_the_form_is_made_out(form: str) -> None:
    assert guess_text_form(TEXTS[form], "old.csv" if form == "csv" else "old.txt") == form


@pytest.mark.parametrize("form", TEXTS)
def test_what_is_taken_in_checks_clean_and_loses_no_word(
    form: str, home: Path, chronicle: Chronicle
) -> None:
    log = take_in(home, form, chronicle)
    record = run(load(home / "ford"))
    assert not [
        diagnostic for diagnostic in record.diagnostics if diagnostic.severity >= Severity.WARNING
    ]
    words = set(re.findall(r"\w{3,}", log.casefold()))
    heads = {"verb", "value", "note"}
    assert set(re.findall(r"\w{3,}", TEXTS[form].casefold())) - heads <= words | {"2026"}


def test_a_thread(home: Path, chronicle: Chronicle) -> None:
    assert (
        take_in(home, "thread", chronicle)
        == """\
session: 1
title: "The ford, a game by post"
date: 2026-03-07

log:
- tell: |
    The river has risen over the first step. Ida counts the sheep.
  by: Ana
- snapshot: {wealth: {Ana: 17, Bao: 22}}
- aside: |
    ((I am away until Tuesday))
  note: written by Ana
- tell: |
    "You counted one twice," says the miller.
  by: Bao
# Look here: play does not hold this as an entry
- aside: |
    Bao rolls 3d10: 2, 9, 10
  note: written by Bao
# Look here: are these dice of the game?
- aside: |
    I think 2d6+1 would be fairer.
  note: written by Bao
- tell: |
    Who is Ida?
  note: written by Nobody
"""
    )


def test_a_table_keeps_what_the_game_holds(home: Path, chronicle: Chronicle) -> None:
    log = take_in(home, "csv", chronicle)
    assert "- bid: {Ana: 4, Bao: 0, Cleo: 1}\n" in log
    assert '- event: "The lamp goes out: the water is cold"\n  by: Ana\n' in log
    assert "# Look here: no verb 'conjure' here\n- tell: |\n    a heron\n" in log


def test_dice_that_play_holds_are_a_roll(home: Path, chronicle: Chronicle) -> None:
    folder = home / "positive"
    folder.mkdir()
    settings = "game: universalis\ntitle: x\nplayers: [Ana, Bao]\npreparation: skipped\n"
    (folder / "campaign.yaml").write_text(settings, encoding="utf-8")
    imported_text = import_text(
        "Ana rolls 2d10: 3, 7\nBao rolls 2d10: 30, 7\nrolls 2d10: 3", "markdown", names()
    )
    assert [entry.verb for entry in imported_text.entries] == ["roll", "aside", "aside"]
    assert imported_text.entries[0].value == "{Ana: [3, 7]}"


WHATSAPP = """\
07/03/2026, 21:13 - Messages are end-to-end encrypted.
07/03/2026, 21:14 - Ana: The river has risen.
07/03/2026, 21:15 - Bao: The barrel rolled down 3 steps
and stopped at her feet.
07/03/2026, 21:16 - Ana: I roll 2d10: 3, 8
"""
DISCORD = """\
Ana — 07/03/2026 21:14
The river has risen.
Bao — Today at 21:15
It has.
"""
TELEGRAM = """\
Ana, [07.03.2026 21:14]
The river has risen.

Bao, [07.03.2026 21:15:02]:
It has.
"""
IRC = """\
21:14 <@Ana> The river has risen.
21:15 < Bao> It has.
21:16 * Ana rolls 2d10: 3, 8
21:17 -!- Cleo has joined
"""


@pytest.mark.parametrize("chat_export", [WHATSAPP, DISCORD, TELEGRAM, IRC])
def test_the_author_of_each_chat_message_is_imported(chat_export: str) -> None:
    form = guess_text_form(chat_export, "old.txt")
    entries = import_text(chat_export, form, names()).entries
    by = {entry.author for entry in entries if entry.verb in ("tell", "roll")}
    assert by == {"Ana", "Bao"}
    assert all(entry.question for entry in entries if not entry.author)
    assert sum(entry.verb == "roll" for entry in entries) == chat_export.count("2d10")
    assert not import_text(chat_export, form, names()).date, (
        "nobody knows which of two figures is the month"
    )


@pytest.mark.parametrize(
    ("stamp", "day"),
    [
        ("12 March 2026, 20:14", "2026-03-12"),
        ("Thu 12th Mar. 2026 20:14", "2026-03-12"),
        ("March 12, 2026 at 8:14 PM", "2026-03-12"),
        ("2026-03-12 20:14", "2026-03-12"),
        ("31 Smarch 2026, 20:14", ""),
        ("31 February 2026, 20:14", ""),
    ],
)
def test_a_day_in_words_heads_a_post(stamp: str, day: str) -> None:
    """Whoever wrote at any day is told; which day it was, where that is beyond doubt."""
    text = f"Ana — {stamp}\nThe river has risen.\n\nBao — {stamp}\nIt has.\n"
    imported_text = import_text(text, guess_text_form(text), names())
    assert [(entry.author, entry.original_text) for entry in imported_text.entries] == [
        ("Ana", "The river has risen."),
        ("Bao", "It has."),
    ]
    assert imported_text.date == day


def test_a_sentence_stays_whole(home: Path) -> None:
    """What only looks like a throw, a head or a day is a story."""
    text = "The barrel rolled\ndown 3 steps and\nstopped.\n\nIda said:\nBorn on 1871-03-02, 2 coins\nlay there."
    imported_text = import_text(text, guess_text_form(text), names())
    assert [entry.original_text for entry in imported_text.entries] == text.split("\n\n")
    assert not imported_text.date


def test_nobody_is_made_the_writer_of_what_others_quote() -> None:
    posts = (
        "#1 Ana » 2026-03-07\nThe river.\n\nBao wrote:\n> It has risen.\n\nNo, it has not.",
        "#2 Bao » 2026-03-08\nYes.",
    )
    imported_text = import_text("\n".join(posts), "thread", names())
    assert [entry.author for entry in imported_text.entries] == ["Ana", "Bao"]
    assert imported_text.date == "2026-03-07"
    assert "No, it has not." in imported_text.entries[0].original_text


def test_a_heading_is_a_scene_where_it_says_so() -> None:
    imported_text = import_text(
        "# The ford\n\n## Who is who\n\n## Scene 2: At the water\n", "markdown", names()
    )
    assert [(entry.verb, entry.question) for entry in imported_text.entries] == [
        ("tell", "is this a scene?"),
        ("scene", ""),
    ]


def test_nothing_is_replaced(home: Path, chronicle: Chronicle) -> None:
    log = take_in(home, "thread", chronicle)
    completed = chronicle("import", home / "old.txt", "--in", home / "ford", "--session", "1")
    assert completed.code == 2
    assert "is there already" in completed.err
    assert (home / "ford" / "01.yaml").read_text(encoding="utf-8") == log
    assert chronicle("import", home / "old.txt", "--in", home / "ford").code == 0
    assert (home / "ford" / "02.yaml").exists()


def test_what_render_writes_comes_back_as_it_was(tmp_path: Path, chronicle: Chronicle) -> None:
    example = ROOT / "sessions" / "left-luggage"
    assert chronicle("render", example, "--out", tmp_path / "out").code == 0
    folder = tmp_path / "again"
    folder.mkdir()
    shutil.copy(example / "campaign.yaml", folder)
    completed = chronicle("import", tmp_path / "out" / "docs" / "left-luggage", "--in", folder)
    assert completed.code == 0, completed.err
    for file in example.glob("0*.yaml"):
        text_back, was = (path.read_text(encoding="utf-8") for path in (folder / file.name, file))
        assert read_text(text_back, "x").tree == read_text(was, "x").tree


@pytest.mark.parametrize(
    "text",
    [
        "- tell: |\n  by: Ana\n# not yaml: [",
        "\x1b]0;owned\x07 \u202e words\u2066",
        "Ana: " + "x" * 100_000,
        '#1 Ana » 2026\n"\\": {[',
        "    four spaces\n\ttab\n\n---\n...",
        "#1 " + "a" * 5000 + "\n#2 " + "» " * 5000,
        "Wealth: " + "Ana 1, " * 2000,
        'verb,value\nroll,{Ana: [\nevent,"a\nb"\n',
    ],
)
@pytest.mark.parametrize("form", ["thread", "chat", "lonelog", "markdown", "csv"])
def test_a_hostile_text_is_taken_in_as_words(text: str, form: str, home: Path) -> None:
    imported_text = import_text(text, form, names())
    log, starts = compose_session_text(imported_text, names(), 1, "old")
    assert "\x1b" not in log and "\u202e" not in log
    assert len(starts) == len(imported_text.entries)
    for entry in imported_text.entries:
        if entry.is_guess:
            entry.keep_words_only("tried")
    (home / "ford" / "01.yaml").write_text(
        compose_session_text(imported_text, names(), 1, "old")[0], encoding="utf-8"
    )
    record = run(load(home / "ford"))
    errors = [
        diagnostic for diagnostic in record.diagnostics if diagnostic.severity is Severity.ERROR
    ]
    assert (
        not [error for error in errors if error.code not in ("T67",)] or not imported_text.entries
    )
    assert len(record.steps) == len(imported_text.entries)


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("thread", "Ana wrote on 3 March 2021, 21:14:\nIt rains.\nBao wrote:\nIt stops.\n"),
        ("markdown", "**Ana:** It rains.\n\n**Bao**: It stops.\n"),
    ],
)
def test_who_wrote_it_is_told_before_it(form: str, text: str) -> None:
    imported_text = import_text(text, form, CampaignVocabulary(["Ana", "Bao"], (), ()))
    assert [(entry.author, entry.original_text) for entry in imported_text.entries] == [
        ("Ana", "It rains."),
        ("Bao", "It stops."),
    ]


def test_a_name_in_bold_that_is_no_players_is_part_of_the_story() -> None:
    imported_text = import_text(
        "**Ida:** It rains.\n", "markdown", CampaignVocabulary(["Ana"], (), ())
    )
    assert [(entry.author, entry.original_text) for entry in imported_text.entries] == [
        ("", "**Ida:** It rains.")
    ]
