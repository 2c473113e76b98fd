"""The mistakes that newcomers make in the code of a game: each is reported with its place and the way out."""

from __future__ import annotations

from pathlib import Path

import pytest

from chronicle import api
from chronicle.cli import main
from chronicle.core.declare import GUARD_ATTRIBUTE
from chronicle.core.game_info import GameUnavailable
from chronicle.core.law import deciders_in_words
from chronicle.games import rulebook
from chronicle.syntax.decode import Decoder
from chronicle.testkit import CaseFileError, run_check
from chronicle.testkit.random_play import read_entry
from tests.plugins.installing import Change

PLAY, GAME, CASES = "play.py", "__init__.py", "cases/river.case"


@pytest.mark.parametrize(
    ("file", "old", "new", "complaint"),
    [
        (PLAY, '(("river",),', '("river",', "'river'; write  (\"river\",)"),
        (
            PLAY,
            'api.Refusal("F7", "the evening is over")',
            '"the evening is over"',
            "in moment: the message is the text 'the evening is over'; write  api.Refusal(",
        ),
        (PLAY, 'api.Decides("turn", "F2")', '"turn"', "decides is the text 'turn'; write  api.Decides("),
        (PLAY, 'verb = "ashore"', 'verb = "ask"', "Ask and Ashore have the same verb, 'ask'"),
        (PLAY, 'verb = "ashore"', 'verb = "tell"', "'tell' is a verb of every game"),
        (PLAY, 'verb = "ashore"', "", 'the class Ashore has no verb: add  verb = "ashore"'),
        (PLAY, "die: api.Faces = api.main", "die: api.Faces = api.required", "'ashore' has no value"),
        (PLAY, '"F4")\n    def has_coin', '"F4", at="bye")\n    def has_coin', "no key 'bye', at which has_coin"),
        (PLAY, "def apply(self, table: Table)", "def aply(self, table: Table)", "'take' has no effect: add a method"),
        (PLAY, "    @classmethod\n", "", "the candidates of 'take' are asked of the class: write  @classmethod"),
        (PLAY, "def sentence", "def sentense", "'ask' has no sentence"),
        (PLAY, "from chronicle import api", "from chronicle import api, games", "chronicle.games may change"),
        (GAME, "verbs = api.verbs_of(play)", "verbs = ()", "the game has no verbs"),
        (GAME, "law = api.Law(", "unused = api.Law(", "the game has no law"),
        (PLAY, "api.label(api.NAME)", "api.new_name(PASSENGER, 'F33')", "in new_name: no rule 'F33'"),
        (GAME, "api_version = 1", "", "add  api_version = 1"),
        (GAME, "(api.PLAYER,)", "(api.PLAYER)", "write  (\"player\",)"),
        (GAME, '"coins", COIN', '"coin", COIN', "no account 'coin'; did you mean 'coins'?"),
        (PLAY, "moment = ON_THE_RIVER", "momnt = ON_THE_RIVER", "Take.momnt has no effect; did you mean 'moment'?"),
        (PLAY, "decides = IN_TURN", "who_may = IN_TURN", "Take.who_may has no effect; did you mean 'decides'?"),
        (GAME, "api_version = 1", "api_version = 1\n    stretch_verb = ()", "did you mean 'stretch_verbs'?"),
        (
            GAME,
            "api_version = 1",
            'api_version = 1\n    stretch_verbs = ("takes",)',
            "stretch_verbs: no verb 'takes'; did you mean 'take'?",
        ),
        (PLAY, 'verb = "take"', 'verb = "take"\n    synonyms = "board"', "'take': synonyms is the text 'board'; write"),
        (PLAY, "text_role=api.TextRole.SPOKEN", 'text_role="spoken"', "text_role of question is the text 'spoken'"),
        (GAME, '"coins", COIN)', '"coins", COIN, sentence="{who} has it")', "its sentence has no {who}; it knows of,"),
        (
            GAME,
            "    def situation(",
            "    def player_of(self, table: Table, subject: api.Named) -> None:\n        return None\n\n"
            "    def situation(",
            "player_of gave None for Ana; write a text",
        ),
        (GAME, "api_version = 1", "api_version = 1\n    pionts = ()", "has no effect; did you mean 'points'?"),
        (GAME, "api_version = 1", "api_version = 1\n    points = {}", "points is {}; write a tuple"),
        (GAME, "api_version = 1", "api_version = 1\n    buttons = ('take',)", "write a mapping of a text to a text"),
        (GAME, "api_version = 1", "api_version = 1\n    questions = {'tak': '?'}", "questions: no verb 'tak'; did"),
        (GAME, "api_version = 1", "api_version = 1\n    questions = {'take fair': '?'}", "'take' has no key 'fair'"),
        (PLAY, "(1, COIN)", "(COIN, 1)", "'ask': offered.price[0] is the text 'coin'; write a whole number"),
        (GAME, "summary = ", "unused = ", 'the game has no summary: add  summary = "..."'),
        (GAME, "return State(", "State(", "start gave None: it returns the state of the game,  return State()"),
        (GAME, 'return f"It is', 'f"It is', "the result of situation is None; write a text"),
        (GAME, 'return api.Stones(coins, "Coins"), api', "return api", "the result of panel is Slips("),
        (GAME, 'api.Stones(coins, "Coins")', 'api.Stones(("Ana", 1), "Coins")', "the result of panel[0].rows[0] is"),
        (GAME, 'shape="thing"', 'shape="boat"', "view.sheets[0].shape is the text 'boat'; write 'person', 'thing'"),
        (GAME, "sheet.gone =", 'sheet.row = ("a",)\n                sheet.gone =', "has 1 cell, and 'Passengers' 0"),
        (
            GAME,
            "view.sheets.append(sheet)",
            'view.pages.append(api.Page("a", "A", [api.Table(api.heads("A | B"), (("x",),))]))',
            "the page 'A': row 1 of a table has 1 cell, and the table 2 columns",
        ),
        (PLAY, "Throw(\"d6\", tuple(self.die)", "Throw(\"d6\", tuple(self.die.numbers)", "the throw.faces[0] is "),
        (PLAY, '"F6", "out", player)', '"F6", "out", "Zed")', "the event 'out' of 'ashore' is about the id 'Zed'"),
        (
            PLAY,
            "table.step.throws.append(",
            'table.step.contest = api.Contest("x", (), rule="F77")\n        table.step.throws.append(',
            "the contest of 'ashore' names no rule 'F77'",
        ),
        (
            PLAY,
            'return f"{player} has a passenger already" if table.figure("aboard", player).at_least(1) else None',
            'return [api.Violation(f"{player} has a passenger already", fix=[api.make_fix(api.SetKey("fair", "1"))])'
            '] if table.figure("aboard", player).at_least(1) else None',
            "a fix changes the key 'fair', which 'take' does not have; did you mean 'fare'?",
        ),
        (
            PLAY,
            "    def apply(self, table: Table) -> None:\n        \"\"\"The passenger",
            "    def outcomes(self, telling: api.Telling, step: api.Step) -> object:\n        return None\n\n"
            "    def apply(self, table: Table) -> None:\n        \"\"\"The passenger",
            "outcomes of 'take' gave None: write  yield telling.outcome(...)",
        ),
    ],
)  # fmt: skip
def test_a_declaration_of_a_wrong_form_is_reported_with_its_place(
    file: str, old: str, new: str, complaint: str, changed: Change
) -> None:
    problems = [
        problem
        for problem in run_check("declarations", changed(file, old, new))
        if complaint in problem
    ]
    assert problems
    assert all(problem.startswith(f"{file}:") for problem in problems)


@pytest.mark.parametrize(
    ("file", "old", "new", "complaint"),
    [
        (PLAY, "@api.guard(\"F4\")", "@api.guard", "@api.guard(\"C7\")  above the method"),
        (PLAY, "api.main(api.label(api.NAME)", "api.main(api.in_role(api.NAME, 'player')", "write the role first"),
        (PLAY, "api.main(api.label(api.NAME)", "api.main(api.label('passenger')", "label(NAME)"),
        (PLAY, "api.main(api.label(api.NAME)", "api.main(api.new_name(api.D6, 'F3')", "write the sort first"),
        (PLAY, 'api.Decides("turn", "F2")', "api.Decides(api.TABLE)", "\"table\": api.TABLE  into the deciders"),
        (PLAY, "api.faces(api.D6)", "api.faces('d6')", "write the die, not its name"),
        (PLAY, "api.whole(1, 6), \"the fare", "api.choice(['a']), \"the fare", "write the words one after the other"),
        (PLAY, "api.whole(1, 6), \"the fare", "\"the fare\", \"the fare", "Take.fare: write the type first"),
        (PLAY, "api.whole(1, 6), \"the fare", "api.whole(1, 6), default=1, doc=\"the fare", "write  api.option(...)"),
        (PLAY, "fare = api.required", "fare = api.main", "the value is passenger already; write api.required(...)"),
        (PLAY, "  The evening ends when", "The evening ends when", "indent the text of a rule by two spaces"),
    ],
)  # fmt: skip
def test_code_that_cannot_be_loaded_names_the_line(
    file: str, old: str, new: str, complaint: str, changed: Change
) -> None:
    with pytest.raises(GameUnavailable) as raised:
        changed(file, old, new)
    assert complaint.replace("  ", " ") in str(raised.value)
    assert f"chronicle_ferrymen/{file}:" in raised.value.help[0]


def test_verbs_that_are_a_module_are_named(changed: Change) -> None:
    with pytest.raises(GameUnavailable, match="its verbs are a module") as raised:
        changed(GAME, "verbs = api.verbs_of(play)", "verbs = play")
    assert "verbs = api.verbs_of(...)" in raised.value.help[0]


def test_rules_that_are_not_read_are_named(changed: Change) -> None:
    with pytest.raises(GameUnavailable, match="its rules are a text") as raised:
        changed(GAME, "api.read_rules(play.RULES)", "play.RULES")
    assert "rules = api.read_rules(...)" in raised.value.help[0]


@pytest.mark.parametrize(
    ("check", "file", "old", "new", "complaint"),
    [
        (
            "cases",
            PLAY,
            'return f"{player} has a passenger already"',
            "return True",
            "has_room of 'take' gave ",
        ),
        ("cases", PLAY, '1, COIN, "F4", "a question"', '1, "coins", "F4", "a question"', "did you mean 'coin'?"),
        ("cases", PLAY, '"F5", "pays"', '"F55", "pays"', "the event 'pays' names no rule 'F55'"),
        ("cases", PLAY, 'Throw("d6"', 'Throw("d66"', "a throw names the die 'd66', which no key of a verb takes"),
        ("cases", GAME, '"passengers", "bank"})', '"bank"})', "if units only come from it, write  supplies"),
        ("cases", GAME, '"coins", COIN', '"coins", "coins"', "the measure 'coins' counts 'coins'"),
        ("random play", PLAY, 'offered = api.Offered("F4"', 'unused = api.Offered("F4"', "'ask' has no  offered"),
        ("moves", PLAY, "for fare in (1, 3)]", "for fare in ()]", "its  candidates  give no entry that is legal then"),
        ("cases", PLAY, "return api.said(\"{} asks", "return \"x\" or api.said(\"{} asks", "return its parts"),
        ("offered moves", PLAY, "for fare in (1, 3)]", "for fare in (1, 9)]", "'fare': 9}: write a whole number"),
        ("cases", PLAY, '"fare": fare} for', '"fair": fare} for', "'fair': 1}: no key 'fair'; did you mean 'fare'?"),
        ("cases", PLAY, "for fare in (1, 3)]", "for fare in (1, 3)][0]", "give entries, each a mapping"),
        (
            "guards",
            PLAY,
            "        player = table.step.player\n        return f\"{player} has a passenger",
            "        player = table.step.player\n        table.state.out.append(player)\n"
            "        return f\"{player} has a passenger",
            "has_room of 'take' changes something: a guard only tells",
        ),
        (
            "gaps",
            PLAY,
            "die: api.Faces = api.main(api.faces(api.D6)",
            "die: api.Faces = api.main(api.OrUnrecorded(api.faces(api.D6))",
            "'ashore' fails if die is unrecorded, and so None: TypeError: ",
        ),
        ("cases", GAME, '"over" if play.over(table) else "river"', "None", "Ferrymen.<lambda> returned 'None'"),
        ("cases", PLAY, '"{} asks a question."', '"A question."', "needs a name for each {}: 0, not 1"),
        (
            "cases",
            PLAY,
            'return f"{player} has a passenger already"',
            'return api.Violation("x", facts="y")',
            "facts of a Violation of has_room of 'take' is 'y': give a list of what  table.because(",
        ),
        ("declarations", PLAY, "F7 ", "F6 ", "two rules have the id F6"),
        ("signatures", PLAY, "decides = IN_TURN", "", "may be written without  by"),
        ("proof", PLAY, 'f"{player} has a passenger already" if', "None if", "in which has_room of 'take' reports"),
        (
            "proof",
            PLAY,
            "moment = ON_THE_RIVER\n    decides = IN_TURN\n    question",
            'moment = api.Moment(("river",), api.Refusal("F7", "x"))\n    decides = IN_TURN\n    question',
            "no case plays 'ask' in a phase in which it is refused: write one with  #! F7",
        ),
        (
            "asking",
            GAME,
            "    def situation(",
            "    def due(self, table: Table) -> list[api.Obligation]:\n"
            '        return [api.Obligation("", "dice", "tak", "F55")]\n\n    def situation(',
            "what is due (dice): no verb 'tak'; did you mean 'take' or 'ask'?",
        ),
    ],
)  # fmt: skip
def test_a_mistake_that_shows_in_play_is_reported(
    check: str, file: str, old: str, new: str, complaint: str, changed: Change
) -> None:
    problems = run_check(check, changed(file, old, new))
    assert any(complaint in problem for problem in problems), problems


def test_candidates_need_not_say_who_acts(changed: Change) -> None:
    required_by = 'by = api.required(api.in_role("player", api.NAME), "who")'
    game = changed(PLAY, "    passenger = api.main", f"    {required_by}\n    passenger = api.main")
    assert not run_check("random play", game)
    assert not run_check("offered moves", game)


def test_a_die_that_may_be_unrecorded_is_tried_as_a_die(changed: Change) -> None:
    die, recorded = "api.main(api.faces(api.D6)", "api.main(api.OrUnrecorded(api.faces(api.D6))"
    assert not any(
        "'ashore'" in problem for problem in run_check("moves", changed(PLAY, die, recorded))
    )


def test_an_opening_without_its_dash_says_how_to_write_it() -> None:
    decoder = Decoder(rulebook("positive").by_verb)
    assert read_entry("- {tell: It rains.}", decoder).verb == "tell"
    with pytest.raises(ValueError, match="with its dash, such as"):
        read_entry("tell: It rains.", decoder)


def test_three_dots_in_a_fix_leave_the_words_to_the_table() -> None:
    @api.guard("F4", fix=api.SetKey("ask", "..."))
    def has_question(self: api.Action, table: object) -> None:
        return None

    mark = getattr(has_question, GUARD_ATTRIBUTE)
    assert mark.fixes[0].is_open
    assert api.make_fix(api.SetKey("ask", "...")).is_open
    assert not api.make_fix(api.SetKey("ask", "Who?")).is_open


def test_a_case_file_names_its_game(changed: Change) -> None:
    with pytest.raises(CaseFileError, match=r"river\.case:1: the file does not say which game"):
        changed(CASES, "game: ferrymen", "")


def test_a_case_has_players(changed: Change) -> None:
    with pytest.raises(CaseFileError, match=r"river\.case:\d+: the case .* has no players"):
        changed(CASES, "players: [Ana, Bo, Cy]", "")


def test_a_case_that_counts_for_no_rule_is_named_below_the_table(
    changed: Change, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changed(CASES, "## F3 a passenger comes aboard", "## a passenger comes aboard")
    main(["game", "check", str(tmp_path / "ferrymen")])
    assert (
        "the title 'a passenger comes aboard' does not begin with a rule" in capsys.readouterr().out
    )


def test_a_verb_without_a_decider_is_anybodys() -> None:
    class Rain(api.Action):
        """It rains."""

        verb = "rain"
        main_value = api.main(api.TEXT, "how much")

    assert deciders_in_words(None, Rain) == "the player whose turn it is; without turns, anybody"
