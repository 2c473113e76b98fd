"""A word nearly right is told once, and the entry is read as what was meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from chronicle.campaigns import load, run
from chronicle.core.campaign import Campaign
from chronicle.core.diagnostic import most_likely_word
from chronicle.games import rulebook
from chronicle.games.positive.in_scene import BargeIn
from chronicle.syntax.render import as_terminal_text
from chronicle.testkit.random_play import write_campaign

POSITIVE = "game: positive\ntitle: The letter\nplayers: [Ana, Bo, Cy, Dee]\n"
UNIVERSALIS = "game: universalis\ntitle: The lamps\nplayers: [Ana, Bo]\n"


def read(tmp_path: Path, *log: str, settings: str = POSITIVE) -> Campaign:
    return load(write_campaign(tmp_path, settings, [list(log)]))


def messages(campaign: Campaign) -> list[str]:
    return [f"{diagnostic.code} {diagnostic.message}" for diagnostic in campaign.diagnostics]


@pytest.mark.parametrize(
    ("word", "known", "meant"),
    [
        ("sceen", ["scene", "say", "end scene"], "scene"),
        ("Scene", ["scene", "say"], "scene"),
        ("rol", ["roll", "role"], ""),  # as like the one as the other
        ("whisper", ["tell", "say"], ""),
        ("", ["tell"], ""),
    ],
)
def test_a_word_is_taken_for_another_if_no_third_is_as_near(
    word: str, known: list[str], meant: str
) -> None:
    assert most_likely_word(word, known) == meant


def test_a_misspelt_verb_is_read_as_the_one_that_was_meant(tmp_path: Path) -> None:
    campaign = read(tmp_path, "- sceen: The hall\n  with: Petra", "- {by: Ana, telll: She waits}")
    assert messages(campaign) == [
        "T21 no verb 'sceen'; did you mean 'scene'?",
        "T21 no verb 'telll'; did you mean 'tell'?",
    ]
    scene, tell = campaign.sessions[0].actions
    assert (scene.verb, tell.verb) == ("scene", "tell")
    assert scene.problem is campaign.diagnostics[0]
    assert (scene.place().line, scene.place().column, scene.place().end_column) == (3, 3, 8)
    assert str(scene.place("main")).endswith("01.yaml:3:10")


def test_options_that_are_verbs_of_their_own_are_not_taken_for_it(tmp_path: Path) -> None:
    campaign = read(
        tmp_path,
        "- introdduce: {character: lamplighter, name: Ines Vale}\n  control: Bo\n  text: A lamp.",
        "- whistle: Ines\n  control: Bo\n  wages: 3",
        settings=UNIVERSALIS,
    )
    first, second = messages(campaign)
    assert first == "T21 no verb 'introdduce'; did you mean 'introduce'?"
    assert second.startswith("T21 no verb 'whistle'")


def test_a_strange_option_above_the_verb_is_no_verb(tmp_path: Path) -> None:
    campaign = read(tmp_path, "- mood: sour\n  scene: The hall\n  with: Petra")
    assert [message.partition(";")[0] for message in messages(campaign)] == [
        "T22 'scene' has no key 'mood'"
    ]
    assert campaign.sessions[0].actions[0].verb == "scene"


def test_a_key_is_no_verb_that_is_only_a_little_like_it(tmp_path: Path) -> None:
    campaign = read(tmp_path, "- tell: It rains\n  carol: wet")
    (diagnostic,) = campaign.diagnostics
    assert diagnostic.message == "'tell' has no key 'carol'", "it is no 'call'"
    assert diagnostic.help[0].startswith("keys of 'tell': ")


def test_what_cannot_be_read_either_way_is_left_out(tmp_path: Path) -> None:
    campaign = read(tmp_path, "- cal: No", "- cal: No\n  against: [Petra, Jonas]")
    assert [message[:4] for message in messages(campaign)] == ["T21 ", "T21 "]
    assert not campaign.sessions[0].actions
    assert [diagnostic.dropped_words[0] for diagnostic in campaign.diagnostics] == ["cal", "cal"]


def test_a_misspelt_option_is_read_as_the_one_that_was_meant(tmp_path: Path) -> None:
    campaign = read(
        tmp_path,
        "- call: No\n  agianst: Jonas\n  text: She laughs.",
        "- tell: A bell\n  nots: late\n  note: early",
        "- barge in: Gus\n  pasy: three",
    )
    assert [message[:3] for message in messages(campaign)] == ["T22", "T22", "T22"]
    call, twice, words = campaign.sessions[0].actions
    assert call.source["against"] == "Jonas"  # type: ignore[index]
    assert call.place("against").column == 12
    assert twice.note == "early"
    assert isinstance(words, BargeIn) and words.pays is None


def test_a_misspelt_key_inside_a_value_is_read_as_well(tmp_path: Path) -> None:
    campaign = read(
        tmp_path,
        "- introduce: {character: lamplighter, nmae: Ines Vale}",
        "- introduce: {character: lamplighter, colour: grey}",
        settings=UNIVERSALIS,
    )
    assert [message.partition(";")[0] for message in messages(campaign)] == [
        "T22 no key 'nmae' here",
        "T22 no key 'colour' here",
    ]
    (first,) = campaign.sessions[0].actions
    assert first.what[0].name == "Ines Vale"  # type: ignore[attr-defined]


def test_a_misspelt_key_of_a_head_is_told_once(tmp_path: Path) -> None:
    settings = "game: positive\ntitle: The letter\nplayrs: [Ana, Bo, Cy, Dee]\n"
    campaign = read(tmp_path, "- tell: A bell", settings=settings)
    assert messages(campaign) == ["T22 no key 'playrs' here; did you mean 'players'?"]
    assert [player.name for player in campaign.players] == ["Ana", "Bo", "Cy", "Dee"]


def test_what_stands_below_a_verb_that_waits_for_it_is_told_to_be_indented(tmp_path: Path) -> None:
    campaign = read(tmp_path, '- say: |\n  Petra: "Hello."\n  by: Ana')
    (misread,) = (diagnostic for diagnostic in campaign.diagnostics if diagnostic.code == "T22")
    assert misread.help[0] == "if it belongs to 'say:', indent it by two spaces more"


def test_a_verb_below_a_verb_may_be_a_key_that_is_nearly_the_same(tmp_path: Path) -> None:
    settings = "game: playset-zero\ntitle: The ferry\ngm: Gil\nplayers: [Ana, Bo]\n"
    campaign = read(
        tmp_path, "- goal: Open the lorry\n  danger: {Gil: it rains}", settings=settings
    )
    (problem,) = [problem for problem in campaign.diagnostics if problem.code == "T24"]
    assert "if it belongs to 'goal':  write  dangers" in as_terminal_text([problem], lambda _: [])


def test_a_feature_nobody_has_gets_those_of_the_character_and_a_die_the_hits(
    tmp_path: Path,
) -> None:
    files = rulebook("playset-zero").new_campaign()
    text = files["01.yaml"].replace("use: a master key", "use: a lockpick")
    text = text.replace("whoever is inside runs: 5}", "whoever is inside runs: 2}")
    (tmp_path / "campaign.yaml").write_text(files["campaign.yaml"], encoding="utf-8")
    (tmp_path / "01.yaml").write_text(text, encoding="utf-8")
    told = as_terminal_text(run(load(tmp_path)).diagnostics, lambda _: text.splitlines())
    assert "write one of: wants one clean night, notices hands" in told
    assert "help: the hits of this roll: 6 and 5" in told


def test_a_wrong_number_of_dice_is_told_which_are_due(tmp_path: Path) -> None:
    files = rulebook("playset-zero").new_campaign()
    text = files["01.yaml"].replace("d6: [2, 5], adv: 3", "d6: 2, adv: 3")
    (tmp_path / "campaign.yaml").write_text(files["campaign.yaml"], encoding="utf-8")
    (tmp_path / "01.yaml").write_text(text, encoding="utf-8")
    told = as_terminal_text(run(load(tmp_path)).diagnostics, lambda _: text.splitlines())
    assert "help: the dice of this roll:  {d8: ..., d6: [..., ...], adv: ...}" in told
