"""A small game with turns, a die and speech, as a newcomer writes it: its play, and mistakes in its code."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from chronicle import api, games
from chronicle.campaigns import fault_in, load, open_view, run
from chronicle.cli import main
from chronicle.core.campaign_view import Slips, Stones
from chronicle.core.diagnostic import DiagnosticKind
from chronicle.core.dice import D6
from chronicle.core.errors import GameCodeError
from chronicle.core.game_info import GameUnavailable
from chronicle.core.record import Record
from chronicle.core.secrets import make_opening, seal_of
from chronicle.core.teller import Teller
from chronicle.core.telling import TextRole
from chronicle.site import excerpt
from chronicle.site.campaign_site import CampaignSite, SiteContext
from chronicle.site.draw import make_environment
from chronicle.site.links import PageUrlBuilder
from chronicle.site.notes import BalanceChange, MarginNotes
from chronicle.testkit import run_check
from chronicle.testkit.cases import CaseFileError, read_cases
from chronicle.testkit.random_play import write_campaign
from tests.conftest import ROOT
from tests.plugins.installing import FERRYMEN, Change, chronicle, forget, install

SETTINGS = "game: ferrymen\ntitle: T\nplayers: [Ana, Bo, Cy]\n"
TAKE = "- take: {name}\n  fare: 2"
WIDOW, SMITH, CHILD = (TAKE.format(name=name) for name in ("The widow", "The smith", "The child"))
ASK = "- ask: What do you leave behind?\n  answer: A house with the light on."

PLACE = re.compile(r"[\w/]+\.py:\d+: ")
"""A place in the code, before a problem."""


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of packages in which the game is installed."""
    target = tmp_path / "site-packages"
    install(FERRYMEN, target)
    monkeypatch.syspath_prepend(str(target))
    games.forget_plugins()
    yield target
    forget()


def played(folder: Path, *entries: str) -> Record:
    return run(load(write_campaign(folder / "night", SETTINGS, [[*entries]])))


def test_the_player_speaks_who_acts_by_the_law(installed: Path, tmp_path: Path) -> None:
    record = played(tmp_path, WIDOW, SMITH, CHILD, ASK, "- ask: And?\n  answer: No.\n  by: Bo")
    teller = Teller(record)
    for step, player in ((record.step(4), "Ana"), (record.step(5), "Bo")):
        spoken = [piece for piece in teller.pieces_of(step) if piece.role is TextRole.SPOKEN]
        assert [piece.speaker for piece in spoken] == [player, player]


def test_nobody_acts_out_of_turn_where_a_gap_hides_whose_turn_it_is(
    installed: Path, tmp_path: Path
) -> None:
    signed = f"{SMITH}\n  by: Cy"
    (problem,) = played(tmp_path / "known", WIDOW, signed).diagnostics
    assert (problem.code, problem.kind) == ("F2", DiagnosticKind.ILLEGAL)
    (problem,) = played(tmp_path / "gap", WIDOW, "- gap: the page is wet", signed).diagnostics
    assert (problem.code, problem.kind) == ("F2", DiagnosticKind.UNKNOWN)
    # The next entry shows whose turn it was: from then on it is known again.
    later_record = played(tmp_path / "later", WIDOW, "- gap: wet", signed, f"{CHILD}\n  by: Bo")
    assert [diagnostic.kind for diagnostic in later_record.diagnostics] == [
        DiagnosticKind.UNKNOWN,
        DiagnosticKind.ILLEGAL,
    ]


def test_the_kit_finds_an_accusation_after_a_gap(changed: Change) -> None:
    held = (
        "lambda t, _, d: t.step.player == t.state.turn"
        " or t.illegal(d.rule, 'not your turn', since=t.step.number)"
    )
    game = changed("play.py", 'not of {by}")', f'not of {{by}}", check_actor={held})')
    assert "after a gap 'take' signed by Bo is reported" in "\n".join(run_check("gaps", game))


def test_dice_and_the_state_of_play_are_shown_without_a_word_in_fill(
    installed: Path, tmp_path: Path
) -> None:
    folder = write_campaign(tmp_path / "night", SETTINGS, [[WIDOW, SMITH, CHILD, "- ashore: 5"]])
    view = open_view(load(folder))
    assert view.dice == {"d6": D6}
    stones, aboard = view.state
    assert isinstance(stones, Stones)
    assert stones.rows == (("Ana", 5, 3), ("Bo", 3, 3), ("Cy", 3, 3))
    assert isinstance(aboard, Slips)


def test_a_passenger_of_a_game_without_scenes_has_no_empty_list_of_scenes(
    installed: Path, tmp_path: Path
) -> None:
    view = open_view(load(write_campaign(tmp_path / "night", SETTINGS, [[WIDOW]])))
    (sheet,) = view.sheets
    assert sheet.name == "The widow"
    assert sheet.blocks == []


def test_a_guard_accuses_nobody_whose_name_is_unknown(installed: Path, tmp_path: Path) -> None:
    record = played(tmp_path, "- ashore: 5\n  by: Zoe")
    messages = {diagnostic.code: diagnostic.message for diagnostic in record.diagnostics}
    assert "F5" not in messages
    assert messages["T50"].startswith("no player or character 'Zoe'")


def test_what_if_and_check_write_the_same_code(
    installed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_campaign(tmp_path / "night", SETTINGS, [[WIDOW]])
    assert main(["state", str(folder), "--what-if", "ashore: 5\nby: Cy"]) == 1
    assert "error[F2]" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("file", "old", "new", "line"),
    [
        ("play.py", "class Ask(", "class Ask(:", "class Ask(:"),
        ("play.py", "F5 Setting ashore [checked]", "F5 Setting ashore [chekd]", "[chekd]"),
        ("play.py", "- paid: only", "- paid only", "- paid only"),
    ],
)
def test_a_game_that_cannot_be_loaded_names_its_line(
    file: str, old: str, new: str, line: str, changed: Change
) -> None:
    with pytest.raises(GameUnavailable) as error:
        changed(file, old, new)
    assert "if you write this game: correct " in error.value.help[0]
    place = error.value.help[0].rpartition("correct ")[2]
    path, _, number = place.rpartition(":")
    assert line in Path(path).read_text(encoding="utf-8").splitlines()[int(number) - 1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "game: ferrymen\n\n## F1 one\n- tell: x\n\n## F2 two\n## players: [Ana]\n- tell: x\n",
            "river.case:6: the case 'F2 two' has no entries",
        ),
        (
            "game: ferrymen\n\n## with: {rulings: {landed: paid}}\n- tell: x\n",
            "river.case:3: '## with:' is above the first case",
        ),
    ],
)
def test_a_mistake_in_a_case_file_has_its_place(text: str, expected: str, tmp_path: Path) -> None:
    file = tmp_path / "river.case"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(CaseFileError) as error:
        read_cases(file)
    assert str(error.value) == expected
    assert error.value.help


def test_a_fault_in_a_game_is_named_after_the_game(
    installed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = installed / "chronicle_ferrymen" / "play.py"
    text = file.read_text(encoding="utf-8").replace("table.state.boats[player] =", "table.nope =")
    file.write_text(text, encoding="utf-8")
    line = text[: text.index("table.nope")].count("\n") + 1
    place = f"chronicle_ferrymen/play.py:{line} in apply"
    folder = write_campaign(tmp_path / "night", SETTINGS, [[WIDOW]])
    with pytest.raises(AttributeError) as raised:
        run(load(folder))
    fault = fault_in(folder, raised.value)
    assert fault.message.startswith("a fault in the game 'ferrymen', not in your log: Attribute")
    assert place in fault.help[0]
    assert "chronicle-ferrymen 0.1" in fault.help[0]
    assert main(["state", str(folder)]) == 2
    output = capsys.readouterr().err
    assert "This is a fault in the game 'ferrymen'" in output
    assert "Chronicle, not" not in output
    assert place in output


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        (
            "play.py",
            'Offered("F5"',
            'Offered("F55"',
            ["'ashore' in offered: no rule 'F55'; did you mean 'F5'?"],
        ),
        (
            "play.py",
            'guard("F4")',
            'guard("F44")',
            ["'ask' in the guard has_coin: no rule 'F44'; did you mean 'F4'?"],
        ),
        (
            "play.py",
            'Moment(("river",)',
            'Moment(("rivre",)',
            [
                f"'{verb}': no phase 'rivre'; did you mean 'river'?"
                for verb in ("take", "ask", "ashore")
            ],
        ),
        (
            "play.py",
            'Decides("turn", "F2")',
            'Decides("trun", "F2")',
            [
                f"'{verb}': no decider 'trun'; did you mean 'turn'?"
                for verb in ("take", "ask", "ashore")
            ],
        ),
        (
            "play.py",
            'Decides("turn", "F2")',
            'Decides("table", "F2")',
            [
                f"'{verb}': no decider 'table'; "
                'add  "table": api.TABLE  to the deciders of the law'
                for verb in ("take", "ask", "ashore")
            ],
        ),
        (
            "cases/river.case",
            "## F3 a passenger",
            "## F33 a passenger",
            [
                "river.case:27: the title 'F33 a passenger comes aboard': "
                "no rule 'F33'; did you mean 'F3'?"
            ],
        ),
    ],
)
def test_a_name_that_nothing_has_is_said_once(
    file: str, old: str, new: str, expected: list[str], changed: Change
) -> None:
    problems = run_check("declarations", changed(file, old, new))
    assert [PLACE.sub("", problem) for problem in problems] == expected
    assert all(PLACE.match(problem) for problem in problems if ".py" in file)


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        (
            "play.py",
            '1, PASSENGER, "F3", name',
            '1, PASSENGER, "F33", name',
            "a movement of passenger names no rule 'F33'; did you mean 'F3'?",
        ),
        (
            "__init__.py",
            '"bank": "The near bank",',
            "",
            "no account 'bank' in  accounts  of the game; add",
        ),
        (
            "play.py",
            'table.ruling("landed")',
            'table.ruling("lande")',
            "LookupError: no ruling 'lande'; did you mean 'landed'? (chronicle_ferrymen/play.py:",
        ),
        (
            "play.py",
            'table.figure("coins"',
            'table.figure("coin"',
            "LookupError: no figure 'coin'; did you mean 'coins'? (this game has present, coins, aboard, "
            "landed) (chronicle_ferrymen/play.py:",
        ),
        (
            "play.py",
            'elif table.balance(f"coins:',
            'elif table.balance(f"coin:',
            "LookupError: no account 'coin'; did you mean 'coins'?",
        ),
        (
            "play.py",
            'table.spend(f"coins:{player}", "river", 1, COIN, "F4", "a question")',
            'table.unrecorded("coin:")',
            "LookupError: no figure 'coin'; did you mean 'coins'?",
        ),
        (
            "play.py",
            'table.spend(f"coins:{player}", "river", 1, COIN, "F4", "a question")',
            'table.unrecorded("coins")',
            "LookupError: the figure 'coins' needs its owner: 'coins:' and an id (chronicle_ferrymen/",
        ),
        (
            "__init__.py",
            'else "river"',
            'else "rivr"',
            "returned 'rivr'; did you mean 'river'? (the law has river, over) (chronicle_ferrymen/__init__.py:",
        ),
    ],
)
def test_a_wrong_name_in_an_effect_is_said_once(
    file: str, old: str, new: str, expected: str, changed: Change
) -> None:
    problems = run_check("cases", changed(file, old, new))
    assert len([problem for problem in problems if expected in problem]) == 1, problems


def test_a_verb_whose_values_cannot_be_guessed_asks_for_candidates(changed: Change) -> None:
    game = changed("play.py", "def candidates(", "def candidates_of_old(")
    assert any(
        "'take'" in problem and "no value can be guessed for 'fare'; give candidates" in problem
        for problem in run_check("random play", game)
    )


def test_one_exception_of_a_game_is_told_once(
    changed: Change, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changed("play.py", "table.state.boats[player] =", "table.nope =")
    assert main(["game", "check", str(tmp_path / "ferrymen")]) == 1
    output = capsys.readouterr().out
    assert output.count("AttributeError") == 1
    assert ", as cases" in output


def test_after_a_wrong_declaration_no_other_check_runs(
    changed: Change, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changed("play.py", 'Decides("turn"', 'Decides("trun"')
    assert main(["game", "check", str(tmp_path / "ferrymen")]) == 1
    output = capsys.readouterr().out
    assert "no decider 'trun'" in output
    assert "cases" not in output


def test_the_file_to_edit_is_named_from_the_folder_to_go_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("chronicle.cli.out.on_terminal", lambda stream=None: stream is None)
    assert main(["new", "night", "--game", "positive"]) == 0
    output = capsys.readouterr().out.splitlines()
    assert "  cd night" in output
    (log,) = re.findall(r"^Or open (\S+) in a text editor", "\n".join(output), re.MULTILINE)
    assert (tmp_path / "night" / log).is_file()


def test_a_game_that_is_not_installed_says_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new", "night", "--game", "tokens"]) == 2
    output = capsys.readouterr().err
    assert "no game 'tokens'" in output
    assert "pip install --editable" in output
    assert [*tmp_path.iterdir()] == []


def test_what_somebody_got_is_told_in_plain_words() -> None:
    cost = BalanceChange(-1, "passenger", "aboard", None)
    assert str(excerpt._cost_text(cost)) == "1 passenger got (aboard)"


def test_explain_leads_to_show_for_a_passenger(
    installed: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = write_campaign(tmp_path / "night", SETTINGS, [[SMITH]])
    monkeypatch.chdir(folder)
    assert main(["explain", "smith"]) == 0
    assert "chronicle show 'The smith'" in capsys.readouterr().out
    assert main(["show", "smith"]) == 0
    assert "The smith" in capsys.readouterr().out


def sealed_fares(package: Path) -> None:
    """Add the example of sealed bids from the documentation to the game."""
    page = (ROOT / "docs" / "larger-games.md").read_text(encoding="utf-8")
    section = page.partition("## How do I take sealed bids?")[2]
    code = section.partition("```python\n")[2].partition("```")[0]
    function, _, method = code.partition("class Ferrymen(api.Game[State]):\n")
    with (package / "play.py").open("a", encoding="utf-8") as play:
        play.write(f"\n\n{function}")
    init = package / "__init__.py"
    method = method.replace("compare_with_seal", "play.compare_with_seal")
    text = init.read_text(encoding="utf-8").replace("    def over(", f"{method}\n    def over(", 1)
    init.write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("entry", "message"),
    [("- steal: x", "no verb 'steal'"), ("- tel: x", "no verb 'tel'; did you mean 'tell'?")],
)
def test_a_verb_of_every_game_is_proposed_for_a_misspelling_only(
    entry: str, message: str, installed: Path, tmp_path: Path
) -> None:
    problem = played(tmp_path, entry).diagnostics[0]
    assert problem.message == message
    assert ("verbs are take, ask, ashore, tell" in " ".join(problem.help)) is ("steal" in entry)


def test_what_follows_from_an_entry_that_cannot_be_read_is_folded_until_the_session_ends(
    installed: Path, tmp_path: Path
) -> None:
    broken = "- take: The smith\n  fare: two\n  by: Bo"
    evenings = [[WIDOW, broken, CHILD, "- ashore: 5\n  by: Ana"], ["- ashore: 5\n  by: Ana"]]
    record = run(load(write_campaign(tmp_path / "night", SETTINGS, evenings)))
    problems = [(problem.code, problem.cause is None) for problem in record.diagnostics]
    assert problems == [("T20", True), ("F2", False), ("F5", True), ("F2", True)]


@pytest.mark.parametrize(("fare", "codes"), [(2, []), (3, ["F3"])])
def test_a_game_compares_a_seal_with_what_was_played(
    fare: int, codes: list[str], installed: Path, tmp_path: Path
) -> None:
    sealed_fares(installed / "chronicle_ferrymen")
    opening = make_opening(1, "ana-fare", "Ana", "fare", str(fare))
    record = played(
        tmp_path,
        f"- sealed: {seal_of(opening)}\n  id: ana-fare\n  by: Ana\n  kind: fare",
        WIDOW,
        f"- reveal: ana-fare\n  opening: '{opening}'",
    )
    assert [problem.code for problem in record.diagnostics] == codes
    if codes:
        assert record.diagnostics[0].message == "Ana sealed 3, and asked for 2"


def test_a_seal_that_nobody_opens_is_not_compared(installed: Path, tmp_path: Path) -> None:
    sealed_fares(installed / "chronicle_ferrymen")
    seal = seal_of(make_opening(1, "ana-fare", "Ana", "fare", "3"))
    record = played(
        tmp_path,
        f"- sealed: {seal}\n  id: ana-fare\n  by: Ana\n  kind: fare",
        WIDOW,
        "- reveal: ana-fare",
    )
    assert [problem.code for problem in record.diagnostics] == ["T75"]


TAKE_APPLY = '    def apply(self, table: Table) -> None:\n        """The passenger steps into'


def fixes_in(code: str, installed: Path, folder: Path, entry: str) -> list[str]:
    """What `check` offers for an entry, with more guards of the verb `take`."""
    file = installed / "chronicle_ferrymen" / "play.py"
    text = file.read_text(encoding="utf-8")
    assert TAKE_APPLY in text
    more = textwrap.indent(code, "    ")
    file.write_text(text.replace(TAKE_APPLY, f"{more}\n{TAKE_APPLY}"), encoding="utf-8")
    (problem,) = played(folder, entry).diagnostics
    return [fix.title for fix in problem.fixes]


@pytest.mark.parametrize(
    ("entry", "titles"),
    [
        ("- take: Charon\n  fare: 2", ["Leave this entry out"]),
        ("- take: The widow\n  fare: 5", ["Write fare: 3", "Write - gap: ... above this entry"]),
    ],
)
def test_the_example_of_a_fix_works(
    entry: str, titles: list[str], installed: Path, tmp_path: Path
) -> None:
    page = (ROOT / "docs" / "larger-games.md").read_text(encoding="utf-8")
    section = page.partition("## How do I offer a fix?")[2].partition("\n## ")[0]
    (code,) = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    assert fixes_in(code, installed, tmp_path, entry) == titles


@pytest.mark.parametrize(
    ("fix", "said"),
    [
        ('api.SetKey("fare", "3")', "a Violation takes what  api.make_fix("),
        (
            'api.make_fix(api.SetKey("fare", 3))',
            "sets 'fare' to 3: write it as in a log,  str(...)",
        ),
    ],
)
def test_a_fix_of_a_wrong_type_is_named(
    fix: str, said: str, installed: Path, tmp_path: Path
) -> None:
    code = f'@api.guard("F3")\ndef small(self, table):\n    return api.Violation("x", fix={fix})\n'
    with pytest.raises(GameCodeError, match=r"the fix of small of 'take'") as raised:
        fixes_in(code, installed, tmp_path, WIDOW)
    assert said in str(raised.value)


def test_the_example_of_a_house_rule_works(installed: Path, tmp_path: Path) -> None:
    page = (ROOT / "docs" / "larger-games.md").read_text(encoding="utf-8")
    section = page.partition("## How do players change a rule?")[2].partition("\n## ")[0]
    code = section.partition("```python\n")[2].partition("```")[0].replace('("C5",)', '("F5",)')
    points, _, attribute = code.partition("class Ferrymen(api.Game[State]):\n")
    package = installed / "chronicle_ferrymen"
    with (package / "play.py").open("a", encoding="utf-8") as play:
        play.write(f"\n\n{points}")
        play.write(
            "def fix_dice(table, player):\n    return api.expected(table, DICE, 3, player)\n"
        )
    init = package / "__init__.py"
    text = init.read_text(encoding="utf-8").replace(
        '        return f"It is {table',
        '        return f"{play.fix_dice(table, table.seats[0])} dice, {table',
        1,
    )
    text = text.replace(
        "    api_version = 1", f"    api_version = 1\n{attribute.replace('DICE', 'play.DICE')}", 1
    )
    init.write_text(text, encoding="utf-8")
    chronicle(installed, "new", "night", "--game", "ferrymen", cwd=tmp_path)
    settings = tmp_path / "night" / "sessions" / "night" / "campaign.yaml"
    rules = section.partition("```yaml\n")[2].partition("```")[0]
    settings.write_text(settings.read_text(encoding="utf-8") + rules, encoding="utf-8")
    done = chronicle(installed, "state", cwd=tmp_path / "night")
    assert re.search(r"[4-6] dice", done.stdout), done.stdout


@pytest.mark.parametrize("fix", ["remove it", api.make_fix(api.RemoveEntry())])
def test_the_fix_of_a_guard_is_an_edit(fix: Any) -> None:
    with pytest.raises(TypeError, match=r"the fix of small is .* a guard takes an edit"):

        @api.guard("F3", fix=fix)
        def small(self: object, table: object) -> None: ...


def test_a_name_of_another_kind_where_a_player_belongs_is_called_so(
    installed: Path, tmp_path: Path
) -> None:
    (problem,) = played(tmp_path, WIDOW, "- assert: {coins: {The widow: 3}}").diagnostics
    assert problem.message.startswith("no player 'The widow': The widow is a passenger")
    assert not any("add" in fix.title for fix in problem.fixes)


PAYS = '        table.spend(f"coins:{player}", "river", 1, COIN, "F4", "a question")\n'


def test_a_card_shows_what_its_player_paid_and_in_which_way_things_move(
    installed: Path, tmp_path: Path
) -> None:
    file = installed / "chronicle_ferrymen" / "play.py"
    text = file.read_text(encoding="utf-8")
    more = (
        '        table.step.contest = api.Contest("A card", ())\n'
        '        table.move("river", "landed", 2, "wave", "F1", "it rises")\n'
        '        table.move("landed", "river", 1, "wave", "F2", "it falls")\n'
    )
    assert PAYS in text
    file.write_text(text.replace(PAYS, PAYS + more), encoding="utf-8")
    record = played(tmp_path, WIDOW, SMITH, CHILD, ASK)
    step = record.step(4)
    assert step.contest is not None
    view = open_view(load(tmp_path / "night"))
    notes = MarginNotes(CampaignSite(view, SiteContext(make_environment(), PageUrlBuilder(), {})))
    told = [event.text for event in notes.effects_of_throw(step, step.contest)]
    assert told == ["Ana pays 1 coin", "+2 waves", "−1 wave"]
