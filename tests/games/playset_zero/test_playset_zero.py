"""What a transcript cannot say about Playset Zero: exact chances, the state machine, the pages."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from chronicle.campaigns import load, run, view_of
from chronicle.core.campaign_view import (
    Block,
    CampaignView,
    ContestCard,
    Facts,
    Listing,
    Note,
    Page,
    Section,
    Table,
)
from chronicle.core.odds import percent
from chronicle.core.replay import Replay, entries_from
from chronicle.games import rulebook
from chronicle.games.playset_zero.chances import (
    any_at_least,
    before_the_roll,
    expected,
    hits,
    pool_words,
)
from chronicle.games.playset_zero.state import Pool, State
from chronicle.testkit.random_play import write_campaign
from tests.golden import ROOT
from tests.table import table_after

EXAMPLE = ROOT / "sessions" / "gallery-nine"


@pytest.mark.parametrize(
    ("dice", "mean", "figures"),
    [
        ({"d6": 3}, Fraction(1), "29.6 44.4 22.2 3.7 70.4 42.1 0.0"),
        ({"d8": 1, "d6": 2}, Fraction(7, 6), "22.2 44.4 27.8 5.6 77.8 56.6 25.0"),
        ({"d10": 1, "d6": 2}, Fraction(19, 15), "17.8 44.4 31.1 6.7 82.2 65.3 40.0"),
        ({"d10": 1, "d8": 1, "d6": 1}, Fraction(43, 30), "13.3 40.0 36.7 10.0 86.7 74.0 55.0"),
        ({"d6": 3, "adv": 1}, Fraction(4, 3), "19.8 39.5 29.6 11.1 80.2 51.8 0.0"),
        ({"d8": 1, "d6": 2, "adv": 1}, Fraction(3, 2), "14.8 37.0 33.3 14.8 85.2 63.8 25.0"),
        (
            {"d10": 1, "d8": 1, "d6": 1, "adv": 1},
            Fraction(53, 30),
            "8.9 31.1 37.8 22.2 91.1 78.3 55.0",
        ),
    ],
)
def test_reference_figures(dice: dict[str, int], mean: Fraction, figures: str) -> None:
    spread = hits(dice)
    assert sum(spread.values()) == 1
    assert expected(dice) == mean
    shown = [
        spread[0],
        spread[1],
        spread[2],
        sum(p for n, p in spread.items() if n >= 3),
        1 - spread[0],
        any_at_least(dice, 6),
        any_at_least(dice, 7),
    ]
    assert [percent(Fraction(p)) for p in shown] == [f"{p} %" for p in figures.split()]


def test_the_chance_of_beating_a_six() -> None:
    """ZT1: white and red dice cannot; the d8 can once in four, the d10 four times in ten."""
    assert any_at_least({"d6": 3, "adv": 2}, 7) == 0
    assert any_at_least({"d8": 1, "d6": 2}, 7) == Fraction(1, 4)
    assert any_at_least({"d10": 1, "d6": 2}, 7) == Fraction(2, 5)


def test_chances_in_words() -> None:
    assert pool_words({"d10": 1, "d8": 1, "d6": 1, "adv": 2}) == "d10 + d8 + d6 + 2 red"
    assert pool_words({}) == "no dice"
    assert before_the_roll(Pool(3), [5, 5, 5], [5]) == (
        "at least one hit 70.4 %, a hit for each of 3 questions 3.7 %"
    )
    assert "a die of 7 or more for the goal 0.0 %" in before_the_roll(Pool(3), [7], [7])


def _situation(tmp_path: Path, *log: str) -> tuple[str, set[str]]:
    settings = rulebook("playset-zero").new_campaign()["campaign.yaml"]
    campaign = load(write_campaign(tmp_path, settings, [list(log)]))
    assert not campaign.diagnostics
    rules = rulebook("playset-zero")
    play = table_after(campaign, len(campaign.sessions[0].actions))
    return rules.situation(play), {option.verb for option in rules.options(play)}


_SETUP = (
    "- scenario: The dam will not hold",
    "- {character: Asta, by: Ana, concept: a warden, features: {drive: [stay, go], trait: calm, "
    "skill: swims}, main: swims, hint: wet hair, flaw: late}",
    "- {character: Bram, by: Bo, concept: a thief, features: {drive: [eat, sleep], trait: kind, "
    "skill: runs}, main: runs, hint: thin, flaw: greedy}",
)
_GOAL = "- {goal: Reach the gate, by: Asta, dangers: {Gil: it jams, Bo: it falls}}"


_AT_ANY_TIME = {"character", "discover", "magic", "mark", "offer"}
"""What is offered at every moment as soon as there is a character: the rules bind none of it to a turn."""


def test_the_procedure_from_start_to_end(tmp_path: Path) -> None:
    """Where play is, and what may come next, after every part of a roll."""
    stages: list[tuple[tuple[str, ...], str, set[str]]] = [
        ((), "Before play: Gil brings the scenario.", {"scenario", "character"}),
        (_SETUP[:1], "Before play: Ana and Bo make a character.", {"character"}),
        (_SETUP[:2], "Before play: Bo makes a character.", {"character"}),
        (
            (*_SETUP, "- {conflict: It rains, asks: Asta}"),
            "Ana is asked to roll for Asta: It rains",
            {"goal"},
        ),
        (
            (*_SETUP, "- {goal: Reach the gate, by: Asta}"),
            "Asta has a goal; the others name dangers.",
            {"danger"},
        ),
        ((*_SETUP, _GOAL), "Asta is about to roll: Reach the gate", {"roll", "help", "hinder"}),
        (
            (*_SETUP, _GOAL, "- {help: goal, by: Bram, danger: he slips}"),
            "Bram rolls first, then Asta.",
            {"roll"},
        ),
        (
            (*_SETUP, _GOAL, "- {help: goal, by: Bram, danger: he slips, roll: {d6: [1, 6]}}"),
            "Bram says where the two dice go, then Asta rolls.",
            {"spend"},
        ),
        (
            (*_SETUP, _GOAL, "- roll: {d6: [5, 1, 1]}"),
            "Asta has rolled and says what the hits buy.",
            {"spend"},
        ),
        (
            (*_SETUP, "- scene: The dam", _GOAL, "- roll: {d6: [1, 1, 1]}"),
            "In scene 1, The dam; play goes on until a conflict comes up.",
            {"outcome", "conflict", "goal", "mark", "offer", "end scene", "enter"},
        ),
        (
            # An epilogue may go on.
            (*_SETUP, "- end scenario:"),
            "The scenario is over.",
            {"conflict", "goal", "mark", "offer"},
        ),
    ]
    for number, (log, where, verbs) in enumerate(stages):
        situation, options = _situation(tmp_path / str(number), *log)
        assert situation == where
        always = _AT_ANY_TIME if len(log) > 1 else set()
        assert options == verbs | always if len(verbs) < 4 else verbs <= options


@pytest.fixture(scope="module")
def view() -> CampaignView:
    return view_of(run(load(EXAMPLE)))


def _page(view: CampaignView, slug: str) -> Page:
    return next(page for page in view.pages if page.slug == slug)


def _tables(blocks: list[Block] | tuple[Block, ...]) -> list[Table]:
    collected: list[Table] = []
    for block in blocks:
        if isinstance(block, Table):
            collected.append(block)
        elif isinstance(block, Section):
            collected.extend(_tables(block.blocks))
    return collected


def test_every_view_of_the_checklist(view: CampaignView) -> None:
    assert {page.slug for page in view.pages} == {
        "scenario",
        "rolls",
        "what-came-true",
        "advantages",
        "marks",
        "magic",
        "figures",
        "chances",
        "at-this-table",
    }
    assert [sheet.name for sheet in view.sheets] == [
        "Dorrit Hale",
        "Jonah Crake",
        "Superintendent Voss",
    ]
    assert view.relations[0].edges


def test_a_roll_card_says_who_bought_what(view: CampaignView) -> None:
    state: State = view.record.state
    sections = [block for block in _page(view, "rolls").blocks if isinstance(block, Section)]
    assert len(sections) == len(state.rolls) == 7
    assert sections[3].gist == "2 hits, reached"
    contest = view.record.step(state.rolls[3].rolled).contest
    assert contest is not None
    assert sections[3].blocks.count(ContestCard(contest, state.rolls[3].rolled)) == 1
    assert contest.outcome[:3] == (
        "reached: Get to the sealed door at the end of Nine (bought by Dorrit Hale with the d10's 10)",
        "comes true: the roof comes down behind them",
        "avoided: the lamp gives out (bought by Jonah Crake with a 6)",
    )
    facts = [block for block in sections[3].blocks if isinstance(block, Facts)][-1]
    assert facts.rows == (
        ("Challenge", "the goal takes a die of 6 or more"),
        ("Danger, named by Tove", "the roof comes down behind them"),
        ("Danger, named by Imre", "the lamp gives out"),
        ("Hindered", "Get to the sealed door at the end of Nine: a die above 6"),
    )
    assert [(die.die, die.colour, die.hit) for die in contest.sides[0].dice] == [
        ("d10", "yellow", True),
        ("d8", "green", False),
        ("d6", "white", False),
        ("d6", "red", True),
    ]
    assert "a die of 7 or more for the goal" in str(contest.odds)


def test_what_came_true_is_a_thread_in_order(view: CampaignView) -> None:
    state: State = view.record.state
    assert [item.text for _, _, item in state.misfortunes()] == [
        "the message is meant for her",
        "the page has been cut out",
        "the woman who scrubs the stairs sees his face",
        "Voss learns his name",
        "the cage goes up without him",
        "the roof comes down behind them",
        "the lamp goes down the shaft",
        "Mrs Pell hears only the half about her son",
        "the seal of the Company is never found again",
        "morning finds her at the key",
    ]


def test_marks_and_features_have_a_history(view: CampaignView) -> None:
    dorrit, jonah = view.sheets[0], view.sheets[1]
    changed = next(t for t in _tables(dorrit.blocks) if t.title == "How the Features changed")
    assert changed.rows[0][1:] == (
        "answers anything addressed to her",
        "answers for those who cannot",
        5,
    )
    bought = next(t for t in _tables(jonah.blocks) if t.title == "How the Features changed")
    assert bought.rows[0][1:] == (
        "wants the Company to say one true number",
        "carries forty-one names",
        2,
    )
    marks = next(t for t in _tables(dorrit.blocks) if t.title == "Marks")
    assert [row[1] for row in marks.rows] == ["+1", "+1", "-1", "+1", "+1", "+1", "+1", "-5"]
    assert [row[2] for row in marks.rows] == [1, 2, 1, 2, 3, 4, 5, 0]


def test_an_empty_table_has_pages_too(tmp_path: Path) -> None:
    settings = rulebook("playset-zero").new_campaign()["campaign.yaml"]
    empty = view_of(run(load(write_campaign(tmp_path, settings, [[]]))))
    assert {page.slug for page in empty.pages} >= {"rolls", "figures", "marks"}
    assert empty.situation == "Before play: Gil brings the scenario."


def test_loose_ends_of_a_game_under_way(tmp_path: Path) -> None:
    settings = rulebook("playset-zero").new_campaign()["campaign.yaml"]
    log = [
        *_SETUP,
        "- {mark: She waits too long, by: Asta, from: late}",
        "- scene: The dam",
        _GOAL,
        "- roll: {d6: [5, 1, 1]}",
        "- spend: {advantage: {a dry match: 5}}",
        "- {conflict: Somebody shouts, asks: Bram}",
    ]
    view = view_of(run(load(write_campaign(tmp_path, settings, [log]))))
    assert [item.text for item in view.loose_ends] == [
        "Bram has been asked to roll",
        "Asta holds an advantage: a dry match",
        "Asta has marks to spend: 1",
        "A scene is open: The dam",
    ]


def test_the_state_of_play_shows_the_roll_at_hand(tmp_path: Path) -> None:
    rules = rulebook("playset-zero")
    settings = rules.new_campaign()["campaign.yaml"]
    log = [
        *_SETUP,
        "- {goal: Reach the gate, by: Asta, challenge: yes, dangers: {Gil: it jams, Bo: it falls}}",
        "- {hinder: goal, by: Bram, danger: he slips}",
        "- roll: {d6: [4, 6]}",
        "- spend: {goal: 6}",
        "- roll: {d6: [5, 1, 1]}",
    ]
    states: list[list[tuple[str, object]]] = []
    for number in range(4, len(log) + 1):
        campaign = load(write_campaign(tmp_path / str(number), settings, [log[:number]]))
        facts = rules.panel(table_after(campaign, number))[0]
        assert isinstance(facts, Facts)
        states.append(list(facts.rows))
    assert states[0] == [
        ("Who", "Asta"),
        ("Goal", "Reach the gate"),
        ("Danger, named by Gil", "it jams"),
        ("Danger, named by Bo", "it falls"),
        ("Dice", "3 d6"),
        ("Challenge", "the goal takes a 6 or more"),
    ]
    assert states[1][-1] == ("Bram hinders", "not rolled yet")
    assert states[3][-1] == ("Bram hinders", "'Reach the gate' takes a die above 6")
    assert states[4][-1] == ("Hits", 1)
    unfinished = load(
        write_campaign(tmp_path / "ask", settings, [[*_SETUP, "- {conflict: Rain, asks: Bram}"]])
    )
    note = rules.panel(table_after(unfinished, 4))[0]
    assert note == Note("Bo is asked to roll for Bram: Rain")


def test_unusual_rolls_have_cards(tmp_path: Path) -> None:
    settings = rulebook("playset-zero").new_campaign()["campaign.yaml"]
    log = [
        *_SETUP,
        "- {goal: Flood it, by: Gil, grade: challenging, dangers: {Bo: a drought}}",
        "- roll: unrecorded",
        "- spend: {goal: 6}",
        "- {offer: Jump, to: Asta, from: late, refused: yes}",
        "- {goal: Swim, by: Asta, dangers: {Gil: cold, Bo: dark}}",
        "- gap:",
        "- {goal: Climb, by: Asta, dangers: {Gil: rain, Bo: wind}}",
        "- {hinder: goal, by: Bram, danger: he slips, roll: unrecorded}",
        "- {roll: {d6: [6, 5, 1]}, by: Asta}",
        "- {spend: {goal: 6, advantage: {a rope: 5}}, by: Asta}",
        "- outcome: Up",
    ]
    view = view_of(run(load(write_campaign(tmp_path, settings, [log]))))
    sections = [block for block in _page(view, "rolls").blocks if isinstance(block, Section)]
    assert [section.title for section in sections] == [
        "1. Gil: Flood it",
        "2. Asta: Swim",
        "3. Asta: Climb",
    ]
    assert ("The situation", "challenging: 2 questions") in [
        row for block in sections[0].blocks if isinstance(block, Facts) for row in block.rows
    ]
    assert Note("This goal was never rolled for.") in sections[1].blocks
    declined = [block for block in _page(view, "marks").blocks if isinstance(block, Listing)]
    assert [item.text for item in declined[0].items] == ["Jump"]
    assert [row[-1] for row in _tables(_page(view, "chances").blocks)[0].rows] == ["?", 2]


def test_the_secret_waits_for_its_reveal() -> None:
    record = run(load(EXAMPLE), through=1)
    view = view_of(record)
    text = repr(view.pages) + repr(view.sheets) + repr(record.steps)
    assert "still knocking" not in text.replace(repr(record.campaign), "")


def test_a_fresh_campaign_checks_clean(tmp_path: Path) -> None:
    for name, text in rulebook("playset-zero").new_campaign().items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert not run(load(tmp_path)).diagnostics


@pytest.mark.parametrize(
    ("verb", "turns"),
    [
        # Before play: two have no character yet, then one has none, then nobody.
        ("scenario", [""]),
        ("character", ["Imre", "", ""]),
        ("conflict", ["Salma", "Tove", "Imre"]),
    ],
)
def test_whose_turn_it_is_shows_beside_what_anybody_may_do(verb: str, turns: list[str]) -> None:
    replay = Replay(load(EXAMPLE), rulebook("playset-zero"))
    all_turns = []
    for _, action in entries_from(replay):
        replay.do(action)
        if action.verb == verb:
            all_turns.append(replay.rulebook.standing(replay.play).turn)
    assert all_turns == turns
