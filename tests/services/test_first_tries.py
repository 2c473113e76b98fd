"""What made first tries wrong for people who had read nothing, and is said or offered beforehand."""

from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from chronicle.campaigns import find_campaigns
from chronicle.core.diagnostic import Diagnostic, DiagnosticKind, Severity
from chronicle.core.fix import (
    AddToSettings,
    ChooseReading,
    Edit,
    RemoveItem,
    RemoveKey,
    SetKey,
    SetPair,
    make_fix,
    mark_gap,
)
from chronicle.core.source import Place
from chronicle.games import GAMES, rulebook
from chronicle.services.hints import fix_for_desk, hints_of, one_line_help, row_for_desk
from chronicle.services.proposals import title_of
from chronicle.syntax.one_line import read_line
from chronicle.workspace import Workspace
from tests.conftest import ROOT
from tests.services.conftest import AtDesk
from tests.services.test_chips import Sitting


class Evening:
    """A new campaign, kept line by line."""

    def __init__(self, folder: Path, game: str, players: list[str], runner: str = "") -> None:
        self.desk = AtDesk(folder)
        answer = self.desk.ask("new", game=game, title="A table", players=players, runner=runner)
        self.id = answer["id"]

    def keep(self, *lines: str) -> None:
        for line in lines:
            self.desk.ask("write", campaign=self.id, said=line)

    def table(self) -> Any:
        return self.desk.ask("table", campaign=self.id)

    def next(self) -> dict[str, Any]:
        return {move["verb"]: move for move in self.table()["next"]}

    def fit(self, line: str) -> Any:
        return self.desk.ask("fit", campaign=self.id, said=line)

    def offered(self, line: str) -> list[str]:
        return [choice["label"] for choice in self.fit(line)["choices"] if choice["eligible"]]


Sit = Callable[..., Evening]


@pytest.fixture
def evening(tmp_path: Path) -> Sit:
    return lambda *arguments, **keywords: Evening(tmp_path, *arguments, **keywords)


def _plain(spans: Iterable[Any]) -> str:
    return "".join(span if isinstance(span, str) else span["t"] for span in spans)


# -- Universalis -----------------------------------------------------------------------------------


@pytest.fixture
def framing(evening: Sit) -> Evening:
    table = evening("universalis", ["Mia", "Ole", "Pia"])
    table.keep("pass Mia", "pass Ole", "pass Pia", "bid Mia: 2, Ole: 1, Pia: 0")
    table.keep("scene The foreman's office")
    return table


def test_a_scene_without_its_place_is_told_of_before_its_first_event(framing: Evening) -> None:
    moment = framing.table()
    assert "no place yet" in _plain(moment["sub"])
    assert "location" in framing.next()
    assert "event" not in framing.next()
    framing.keep("location place: office")
    assert "no place yet" not in _plain(framing.table()["sub"])
    # Nobody is there yet who can act.
    assert "event" not in framing.next()
    framing.keep("introduce character: Dahl, traits: proud")
    assert "event" in framing.next()


def test_a_name_that_nobody_has_is_offered_as_something_new(framing: Evening) -> None:
    for line, kind in (("location The shed", "place"), ("introduce Dahl", "character")):
        fit = framing.fit(line)
        first = fit["choices"][0]
        word = line.partition(" ")[2]
        assert first["line"] == line.replace(word, f"{kind}: {word}")
        assert word in fit["title"]
        assert any(problem["severity"] == "error" for problem in fit["findings"])
        assert not [
            problem
            for problem in framing.fit(first["line"])["findings"]
            if problem["severity"] == "error"
        ]


def test_the_headline_asks_for_what_it_names(evening: Sit, framing: Evening) -> None:
    assert evening("universalis", ["Mia", "Ole", "Pia"]).table()["asked"] == ["pass", "tenet"]
    framing.keep("event The lamp goes out")
    assert framing.table()["headline"][-1] == "'s turn"
    assert framing.table()["asked"] == []


def test_a_player_who_is_here_does_not_arrive(framing: Evening) -> None:
    def able() -> dict[str, bool]:
        choices = framing.fit("arrive ")["choices"]
        return {choice["label"]: choice["eligible"] for choice in choices}

    assert able() and not any(able().values())
    away = next(iter(able()))
    framing.keep(f"leave {away}")
    assert [name for name, is_able in able().items() if is_able] == [away]


def test_what_is_wrong_is_not_written_by_whoever_has_not_seen_it(framing: Evening) -> None:
    total_before = framing.desk.ask("log", campaign=framing.id)["total"]
    line = "introduce Dahl"
    refusal = framing.desk.refused("write", campaign=framing.id, said=line, whole=True)
    assert "no Trait" in refusal
    assert framing.desk.ask("log", campaign=framing.id)["total"] == total_before
    framing.keep(line)
    assert framing.desk.ask("log", campaign=framing.id)["total"] == total_before + 1


def test_whoever_is_reduced_is_named_once_and_by_how_much(framing: Evening) -> None:
    framing.keep("location place: office", "introduce character: Dahl, traits: proud, foreman")
    framing.keep("event Dahl counts the men")
    labels = Counter(choice["label"] for choice in framing.fit("reduce ")["choices"])
    assert labels["Dahl"] == 1
    assert framing.offered("reduce Dahl: ") == ["1", "2", "3"]


def test_a_part_of_something_new_is_asked_for_in_its_own_words(framing: Evening) -> None:
    assert framing.fit("introduce character: Dahl, traits: ")["title"].startswith("Traits? Further")
    assert framing.offered("introduce character: Dahl")[:2] == ["traits", "name"]


def test_what_comes_in_a_dialog_is_whose_turn_it_is(framing: Evening) -> None:
    framing.keep("location place: office", "introduce character: Dahl, traits: proud, foreman")
    framing.keep("introduce character: Berg", "take over Berg, by: Ole", "dialog Dahl, Berg")
    framing.keep("say Berg: It rains")
    assert framing.table()["turn"] == "Mia"
    fit = framing.fit("fact It rains")
    assert (fit["by"], fit["instead"]) == ("Mia", "Ole")
    assert fit["yaml"] == "- fact: It rains\n  by: Mia"
    # Whoever is named does it themselves, and whoever is chosen is asked nothing.
    assert framing.fit("event Berg nods, performer: Berg")["by"] == "Ole"
    chosen = framing.desk.ask("fit", campaign=framing.id, said="fact It rains", by="Ole")
    assert (chosen["by"], chosen["instead"]) == ("Ole", "")
    framing.keep("fact It rains")
    assert framing.desk.ask("log", campaign=framing.id)["entries"][-1]["player"] == "Mia"


@pytest.mark.parametrize(
    "line",
    [
        "introduce character: Dahl, traits: proud, hums to himself",
        "create prop: clock, traits: old, hums to itself",
        "create prop: clock, traits: [old, hums to itself",
    ],
)
def test_a_trait_that_is_being_told_is_nobody_new(framing: Evening, line: str) -> None:
    framing.keep("location place: office")
    fit = framing.fit(line)
    assert "Nothing is called" not in fit["title"]
    assert not any(choice["kind"] == "new" for choice in fit["choices"])


def test_a_trait_that_was_negated_or_removed_is_not_drawn(framing: Evening) -> None:
    framing.keep("location place: office", "introduce character: Dahl, traits: proud, foreman")
    framing.keep("introduce character: Berg, traits: [limps]", "master Dahl", "sub Berg: Dahl")
    framing.keep("negate Berg: proud, as: humble", "remove Berg: limps", "take over Berg, by: Ole")
    framing.keep("complication Dahl, target: Berg")
    heads = [
        _plain(log_entry["head"])
        for log_entry in framing.desk.ask("log", campaign=framing.id)["entries"]
    ]
    choices = framing.fit("draw Berg: ")["choices"]
    assert framing.table()["headline"], heads
    labels = [choice["label"] for choice in choices]
    assert "foreman" in labels, (labels, heads)
    assert not {"proud", "limps"} & {*labels}, labels


# -- Isolation -------------------------------------------------------------------------------------


@pytest.fixture
def proposed(evening: Sit) -> Evening:
    table = evening("isolation", ["Ana", "Bo", "Cem"], runner="Noor")
    table.keep("scenario A skerry, threat: the sea, stress: 1")
    sheet = (
        "profession: keeper, plus: a, b, c, minus: d, e, f, bias: afraid of cooks, goal: to leave"
    )
    for character, by in (("Vera", "Ana"), ("Lutz", "Bo"), ("Pim", "Cem")):
        table.keep(f"character {character}, by: {by}, {sheet}")
    pairs = ("Vera & Lutz", "Vera & Pim", "Lutz & Pim")
    table.keep("green " + ", ".join(f"{pair}: a + a" for pair in pairs))
    table.keep("red " + ", ".join(f"{pair}: [d + d, e + e]" for pair in pairs), "map done")
    table.keep("propose We row tonight, by: Lutz")
    return table


def test_those_who_have_but_one_stance_stand_in_the_line_already(proposed: Evening) -> None:
    rolls = "{Lutz: {green: 35, red: 33333}, Vera: {green: 5, red: 33}, Pim: {green: 5, red: 33}}"
    proposed.keep(f"roll {rolls}")
    stance = proposed.next()["stance"]
    assert read_line(stance["line"], rulebook("isolation").by_verb) == {
        "stance": {"Vera": "hostile", "Pim": "hostile"}
    }
    assert stance["ready"]
    assert not proposed.fit(stance["line"])["findings"]


def test_whoever_may_choose_a_stance_is_left_to_choose(proposed: Evening) -> None:
    rolls = "{Lutz: {green: 35, red: 22222}, Vera: {green: 2, red: 22}, Pim: {green: 5, red: 33}}"
    proposed.keep(f"roll {rolls}")
    stance = proposed.next()["stance"]
    assert "Vera" not in stance["line"]
    assert not stance["ready"]


def test_a_sheet_stands_in_the_log_where_it_was_written(proposed: Evening) -> None:
    entry = proposed.desk.ask("log", campaign=proposed.id)["entries"][1]
    assert {part["key"]: part["text"] for part in entry["written"]} == {
        "plus": "a, b, c",
        "minus": "d, e, f",
        "bias": "afraid of cooks",
        "goal": "to leave",
    }


def test_goals_are_said_to_be_opposed_with_the_links_that_say_so(evening: Sit) -> None:
    table = evening("isolation", ["Ana", "Bo"], runner="Noor")
    table.keep("scenario A skerry, threat: the sea, stress: 1")
    sheet = "profession: keeper, plus: a, b, c, minus: d, e, f, bias: afraid of cooks"
    table.keep(f"character Vera, by: Ana, {sheet}, goal: to leave")
    table.keep(f"character Lutz, by: Bo, {sheet}, goal: to stay")
    choices = {choice["label"]: choice for choice in table.fit("red Vera & Lutz: ")["choices"]}
    goal = choices["goal x3"]
    assert goal["line"] == "red Vera & Lutz: goal x3, goals: opposed"
    # Whoever goes on, goes on with the links.
    assert goal["line"][: goal["caret"]] == "red Vera & Lutz: goal x3"
    assert not table.fit(goal["line"])["findings"]
    choices_after = table.fit("red Vera & Lutz: [")["choices"]
    assert next(choice for choice in choices_after if choice["label"] == "goal x3")[
        "line"
    ].endswith("[goal x3")


def test_whoever_owes_a_stance_is_offered_first(proposed: Evening) -> None:
    rolls = "{Lutz: {green: 35, red: 22222}, Vera: {green: 2, red: 22}, Pim: {green: 2, red: 22}}"
    proposed.keep(f"roll {rolls}", "stance Vera: neutral")
    assert [obligation["who"] for obligation in proposed.table()["due"]] == ["Pim"]
    assert proposed.offered("stance ")[:2] == ["Pim", "Vera"]


def test_pairs_roll_between_scenes_and_their_dice_can_be_tapped_in(proposed: Evening) -> None:
    assert not proposed.table()["falls"]
    rolls = "{Lutz: {green: 35, red: 22222}, Vera: {green: 2, red: 22}, Pim: {green: 2, red: 22}}"
    proposed.keep(f"roll {rolls}", "stance Vera: neutral, Pim: neutral", "difficulty easy")
    proposed.keep("roll GM: 2222")
    moment = proposed.table()
    assert "pair rolls" in [*dict.fromkeys(move["verb"] for move in moment["next"])][:4]
    rows = [row for row in moment["falls"] if row["who"] == "Vera & Lutz"]
    assert [(row["kind"], row["amount"], row["player"]) for row in rows] == [
        ("green", 1, ""),
        ("red", 2, ""),
    ]
    dice = [
        {"who": "Vera & Lutz", "kind": "green", "faces": ["3"]},
        {"who": "Vera & Lutz", "kind": "red", "faces": ["3", "5"]},
    ]
    answer = proposed.desk.ask("throw", campaign=proposed.id, verb="pair rolls", dice=dice)
    line = answer["line"].removesuffix("}") + ", "
    assert line == "pair rolls Vera & Lutz: {green: 3, red: 35, "
    fit = proposed.fit(line)
    # Red has won: what has to come of it is asked for, and a bracket need not be closed.
    assert [
        (problem["code"], problem["asks"])
        for problem in fit["findings"]
        if problem["severity"] == "error"
    ] == [("isolation:I55", [""])]
    assert {choice["label"] for choice in fit["choices"][:2]} == {"erase", "add red"}
    line = f"{line}erase: a + a"
    assert not proposed.fit(line)["findings"]
    proposed.keep(line)
    entry = proposed.desk.ask("log", campaign=proposed.id)["entries"][-1]
    assert entry["verb"] == "pair rolls"
    assert not any(row["who"] == "Vera & Lutz" for row in proposed.table()["falls"])


def test_what_a_pair_rolled_goes_on_key_by_key(proposed: Evening) -> None:
    offered = proposed.offered("pair rolls Vera & Lutz: green: 3, ")
    assert {"red", "erase", "add green", "add red", "for"} <= {*offered}
    data = read_line("pair rolls Vera & Lutz: green: 3, red: 11", rulebook("isolation").by_verb)
    assert data == {"pair rolls": {"Vera & Lutz": {"green": "3", "red": "11"}}}


@pytest.mark.parametrize(
    ("line", "lack"),
    [
        ("propose We row", ""),
        ("stance ", "`stance` needs a value"),
        ("stance Vera: ", "`Vera` needs a value"),
        ("propose We row, because: ", "`because` needs a value"),
        ("propose We row, use: {Vera: ", "`Vera` needs a value"),
    ],
)
def test_a_line_that_is_not_whole_says_what_comes_next_in_it(
    proposed: Evening, line: str, lack: str
) -> None:
    fit = proposed.fit(line)
    assert fit["complete"] is not bool(lack)
    assert [lack_row["unsaid"] for lack_row in fit["lacks"]] == ([lack] if lack else [])


def test_what_is_said_otherwise_than_it_is_read_is_shown_as_it_is(proposed: Evening) -> None:
    for line, form in (
        (
            "wounds Vera: 1, blame: Pim",
            "blame: Lutz: Vera` (wounded: whose deed or omission it came from",
        ),
        ("stance sideways", "stance "),
        ("propose We row, use: profession", "use: "),
    ):
        (lack,) = proposed.fit(line)["lacks"]
        assert lack["unsaid"].startswith(f"write it as in `{form}"), lack


@pytest.fixture
def going(framing: Evening) -> Evening:
    framing.keep("location place: office", "introduce character: Dahl, traits: proud")
    framing.keep("create character: Absent, traits: far", "event Dahl counts the men")
    return framing


def _titles_of_fixes(table: Evening, code: str) -> list[str]:
    """The titles of the fixes of the first problem with a code."""
    findings = table.desk.ask("findings", campaign=table.id)["findings"]
    problem = next(row for row in findings if row["code"] == code)
    answer = table.desk.ask("fixes", campaign=table.id, key=problem["key"])
    return [_plain(fix["title"]) for fix in answer]


def _wrong(table: Evening, line: str) -> list[str]:
    return [
        problem["message"]
        for problem in table.fit(line)["findings"]
        if problem["severity"] == "error"
    ]


def test_somebody_new_and_somebody_known_come_in_one_line(going: Evening) -> None:
    known_person = next(
        choice for choice in going.fit("introduce ")["choices"] if choice["kind"] == "name"
    )
    assert (known_person["label"], "new" in known_person["note"]) == ("Absent", False)
    assert "character" in going.offered("introduce Absent")
    assert {"traits", "Absent", "prop"} <= {*going.offered("introduce character: Anna, ")}
    # Of one thing that is a character, nothing more says what it is.
    assert not {"place", "prop", "character", "existing"} & {
        *going.offered("location place: hut, ")
    }
    line = "introduce Absent, character: Anna, traits: a, b, prop: lamp, owner: Dahl"
    assert not _wrong(going, line)
    going.keep(line)
    entry = going.desk.ask("log", campaign=going.id)["entries"][-1]
    assert _plain(entry["head"]) == "Enter Absent, Anna and lamp"


def test_what_a_new_thing_belongs_to_is_made_by_the_same_line(going: Evening) -> None:
    for line, kinds in (
        ("introduce character: Anna, sub: Guild", ["master"]),
        ("introduce sub: Guild", ["master"]),
        ("introduce prop: lamp, owner: Guild", ["character", "prop", "place"]),
    ):
        fit = going.fit(line)
        new = [choice for choice in fit["choices"] if choice["kind"] == "new"]
        assert [choice["label"] for choice in new] == [f"{kind}: Guild" for kind in kinds]
        assert all("new" in choice["note"] for choice in new)
        for choice in new:
            assert not _wrong(going, choice["line"]), choice["line"]
            assert not [two for two in going.fit(choice["line"])["choices"] if two["kind"] == "new"]


def test_no_name_is_offered_with_which_a_line_would_be_accused(going: Evening) -> None:
    for line in ("introduce character: Anna, sub: ", "introduce sub: ", "sub Dahl: "):
        assert going.offered(line) == []
        assert all("is no Master" in choice["why"] for choice in going.fit(line)["choices"])
    going.keep("create master: Guild, traits: sworn")
    for line in ("introduce character: Anna, sub: ", "sub Dahl: "):
        assert going.offered(line) == ["Guild"]


def test_after_an_agreement_the_new_version_is_offered_in_its_words(going: Evening) -> None:
    going.keep("event Dahl sings", "challenge Ole, wants: no song, agreed: Dahl hums, and stops")
    chip = going.table()["next"][0]
    assert (chip["verb"], chip["by"], chip["settles_due"]) == ("event", "Mia", True)
    assert chip["line"] == "event Dahl hums, and stops"
    # Whoever says it otherwise types it in place of these words.
    assert chip["line"][chip["words"] :] == "Dahl hums, and stops"
    assert going.fit("")["choices"][0]["line"] == chip["line"]
    assert not _wrong(going, chip["line"])
    going.keep(chip["line"])
    assert going.next()["event"]["line"] == "event "
    assert going.next()["event"]["words"] == len("event ")


def test_so_it_is_in_preparation(evening: Sit) -> None:
    table = evening("universalis", ["Mia", "Ole"])
    table.keep("tenet All are old", "challenge Ole, wants: not all, agreed: Nearly all are old")
    chip = table.next()["tenet"]
    assert (chip["settles_due"], chip["line"]) == (True, "tenet Nearly all are old")
    assert not _wrong(table, chip["line"])
    assert "challenge" in table.table()["perhaps"]


def test_what_came_about_by_itself_is_not_asked_for(going: Evening) -> None:
    def barred() -> dict[str, str]:
        return {verb_row["verb"]: verb_row["why"] for verb_row in going.table()["not_now"]}

    assert "when a scene has ended" in barred()["refreshment"]
    assert "nobody owes" in barred()["repay"]
    going.keep("end scene")
    # It was paid with the end of the scene, and may be stated once.
    assert "refreshment" not in going.next() and "refreshment" not in barred()
    assert not _wrong(going, "refreshment 5")
    going.keep("refreshment 5")
    assert "paid already" in barred()["refreshment"]


def test_several_pass_in_one_line_from_whose_turn_it_is(going: Evening) -> None:
    going.keep("end turn")
    for verb in ("pass", "end turn"):
        assert going.next()[verb]["line"] == verb
        named = [choice for choice in going.fit(verb)["choices"] if choice["kind"] == "next"]
        assert [choice["line"] for choice in named] == [
            f"{verb} {player}" for player in ("Ole", "Pia", "Mia")
        ]
        assert going.offered(f"{verb} Ole")[1:3] == ["Pia", "Mia"]
        assert not _wrong(going, f"{verb} Ole, Pia")


def test_dice_are_counted_on_as_trait_after_trait_is_drawn(going: Evening) -> None:
    going.keep("trait Dahl: strong", "end turn", "introduce prop: lamp, traits: bright, old, heavy")
    going.keep("complication It falls, source: lamp, target: Dahl")

    def notes(line: str) -> dict[str, str]:
        choices = going.fit(line)["choices"]
        return {o["label"]: o["note"] for o in choices if o["kind"] != "key" and o["line"] != line}

    assert {notes("draw lamp: ")[trait] for trait in ("bright", "old")} == {"Ole: 1 die"}
    for line in ("draw lamp: bright", "draw lamp: bright, "):
        assert notes(line)["old"] == "Ole: 2 dice", line
    assert notes("draw lamp: bright, old")["heavy"] == "Ole: 3 dice"
    # Whose Pool it is counts, and the line goes on from one to the other.
    assert notes("draw lamp: bright, old, Dahl: ")["proud"] == "Mia: 1 die"
    assert notes("draw lamp: bright, old, Dahl: proud")["strong"] == "Mia: 2 dice"
    (row,) = going.fit("draw lamp: bright, old, Dahl: proud")["rows"]
    changes = {(_plain(change["who"]), change["after"]) for change in row["changes"]}
    assert {("Ole", "2"), ("Mia", "1")} <= changes


# -- Slow Burn -------------------------------------------------------------------------------------


def test_a_setup_says_what_it_still_waits_for(evening: Sit) -> None:
    table = evening("slow-burn", ["Ada", "Ben"], runner="Hana")
    table.keep("spy Wren, by: Ada, speciality: forgery")
    assert "a spy of Ben" in _plain(table.table()["sub"])
    table.keep("spy Heron, by: Ben, speciality: driving, contacts: Zoe: taxis, Dom: prayers")
    subline = _plain(table.table()["sub"])
    assert "contacts for Wren" in subline
    assert "Heron, who" not in subline
    assert "the city" in subline


@pytest.fixture
def implicated(evening: Sit) -> Evening:
    table = evening("slow-burn", ["Ada", "Ben"], runner="Hana")
    table.keep("spy Wren, by: Ada, speciality: forgery, contacts: Rosa: pawns, Blanco: customs")
    table.keep("spy Heron, by: Ben, speciality: driving, contacts: Zoe: taxis, Dom: prayers")
    table.keep("connections Wren: a debt, Heron: a debt", "city Porto", "envelope a, by: Ada")
    table.keep("envelope b, by: Ben", "deal", "introduce Wren: ink, Heron: a hearse")
    table.keep("episode The ledger", "segment 1")
    table.keep("scene A bar, voice over: Ada, use: {Wren: [forgery, Rosa], Heron: all}")
    table.keep("check {Wren: 2, Heron: 9, Agency: [9, 9, 9]}", "implicate Heron: 9")
    return table


def test_what_the_agency_targets_is_a_resource(implicated: Evening) -> None:
    assert implicated.offered("ignore ") == ["Wren"]
    assert implicated.offered("ignore Wren, target: ") == ["forgery", "Rosa"]


def test_whom_the_interference_is_after_is_asked_once_somebody_is_named(
    implicated: Evening,
) -> None:
    implicated.desk.ask("undo", campaign=implicated.id)
    assert "target" in implicated.offered("implicate Heron: 9")[:2]
    assert implicated.offered("implicate Heron: 9, target: ") == ["forgery", "Rosa"]
    implicated.desk.ask("undo", campaign=implicated.id)
    implicated.keep("check {Wren: 9, Heron: 9, Agency: [2, 9, 9]}")
    assert {obligation["who"] for obligation in implicated.table()["due"]} == {"Wren", "Heron"}
    assert implicated.offered("implicate Wren: 4, target: ") == ["Wren", "Heron"]
    assert implicated.offered("implicate Wren: 4, target: Wren: ") == ["forgery", "Rosa"]
    assert {"driving", "Zoe", "Dom"} == {*implicated.offered("implicate Wren: 9, target: Heron: ")}


def test_envelopes_are_dealt_to_others_and_each_once(evening: Sit) -> None:
    table = evening("slow-burn", ["Ada", "Ben", "Cal"], runner="Hana")
    for character, by in (("Wren", "Ada"), ("Heron", "Ben"), ("Finch", "Cal")):
        table.keep(
            f"spy {character}, by: {by}, speciality: forgery, contacts: {character}a: x, {character}o: y"
        )
    table.keep("city Porto", "envelope a, by: Ada", "envelope b, by: Ben", "envelope c, by: Cal")
    assert table.offered("deal ") == ["Ada", "Ben", "Cal"]
    assert table.offered("deal Ada: ") == ["Ben", "Cal", "Ada"]
    fit = table.fit("deal Ada: Cal")
    # Whoever taps them one after the other is not blamed on the way.
    assert {
        problem["asks"][0] for problem in fit["findings"] if problem["severity"] == "error"
    } == {""}
    choices = table.fit("deal Ada: Cal, Ben: ")["choices"]
    assert {choice["label"]: choice["eligible"] for choice in choices}["Cal"] is False
    assert choices[0]["label"] == "Ada"
    fit = table.fit("deal Ada: Cal, Ben: Ada, Cal: Ben")
    assert not fit["findings"]
    assert "Hana" not in [choice["label"] for choice in fit["choices"]]


def test_where_all_is_taken_nothing_is_left_to_take(implicated: Evening) -> None:
    assert implicated.offered("scene A bar, use: Wren: ")[-1] == "all"
    assert implicated.offered("scene A bar, use: {Wren: [all, ") == []
    assert implicated.offered("scene A bar, use: {Wren: [forgery, ") == ["Rosa", "Blanco"]
    assert implicated.offered("scene A bar, use: {Wren: all, ") == ["Heron"]


# -- Fight Sphere ----------------------------------------------------------------------------------


@pytest.fixture
def meeting(evening: Sit) -> Evening:
    table = evening("fight-sphere", ["Uma", "Vic"], runner="Gil")
    for gladiator, by in (("Rook", "Uma"), ("Halden", "Uma"), ("Sable", "Vic"), ("Fen", "Vic")):
        npc = ", npc: yes" if gladiator in ("Halden", "Fen") else ""
        table.keep(f"gladiator {gladiator}, by: {by}, death wish: none left, weapon: a net{npc}")
    return table


def test_gladiators_still_to_be_made_are_told_of(evening: Sit) -> None:
    table = evening("fight-sphere", ["Uma", "Vic"], runner="Gil")
    assert "Uma and Vic still make" in _plain(table.table()["sub"])
    table.keep("gladiator Rook, by: Uma, death wish: none, weapon: a net")
    barred = [
        choice for choice in table.fit("gladiator Sable, by: ")["choices"] if not choice["eligible"]
    ]
    assert [(choice["label"], "runs the game" in choice["why"]) for choice in barred] == [
        ("Gil", True)
    ]


def test_what_a_roll_is_built_from_is_offered_piece_by_piece(meeting: Evening) -> None:
    assert meeting.offered("layer ") == ["1"]
    meeting.keep("inhabitant Mags", "layer 1, episodes: {The yard: [Rook, Sable, Halden, Fen]}")
    meeting.keep("encounter Halden, by: Uma")
    assert {"gamble", "background", "Rook", "Halden"} <= {*meeting.offered("stake ")}
    assert meeting.offered("stake Rook: gamble: ") == ["0", "1", "2", "3", "4", "5"]
    assert meeting.offered("stake Rook: gamble: 1, ")[-1] == "Halden"
    assert "gamble" not in meeting.offered("stake Rook: gamble: 1, ")
    use = meeting.fit("stake Rook: use: ")["choices"]
    assert [(choice["label"], choice["eligible"]) for choice in use] == [("Mags", False)]


def test_a_mapping_in_a_mapping_goes_on_without_braces() -> None:
    verbs = rulebook("fight-sphere").by_verb
    line = "stake Rook: gamble: 2, use: Mina, Mags, Halden: gamble: 1, background: a net"
    rook = {"gamble": "2", "use": ["Mina", "Mags"]}
    halden = {"gamble": "1", "background": "a net"}
    assert read_line(line, verbs) == {"stake": {"Rook": rook, "Halden": halden}}
    assert read_line("stake gamble: 2, use: Mina", verbs) == {
        "stake": {"gamble": "2", "use": "Mina"}
    }


def test_a_truce_is_made_between_the_two_that_are_tapped(meeting: Evening) -> None:
    meeting.keep("layer 1, episodes: {The yard: [Rook, Sable, Halden, Fen]}")
    assert "truce" in meeting.next()
    assert {"Rook", "Sable", "Halden", "Fen"} <= {*meeting.offered("truce ")}
    assert "Sable" not in meeting.offered("truce Sable, ")
    meeting.keep("truce Sable, Rook")
    assert "end truce" in meeting.next()


# -- in the words of the table ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("help", "hint"),
    [
        (
            "add  at: {new: the place}  to the scene, or  - location: ...  while framing",
            "add `at: new: the place` to the scene, or `location ...` while framing",
        ),
        (
            "- scenario: the place  /  threat: what bars the way  /  stress: 2",
            "`scenario the place, threat: what bars the way, stress: 2`",
        ),
        (
            "ignore:  or  answer:  by everybody implicated comes before the roll",
            "`ignore` or `answer` by everybody implicated comes before the roll",
        ),
        ("let others have their turns first", "let others have their turns first"),
    ],
)
def test_a_hint_speaks_as_the_line_does(help: str, hint: str) -> None:
    verbs = {"location", "scenario", "ignore", "answer"}
    assert one_line_help(help, verbs) == hint


def test_in_the_help_of_a_fix_a_key_that_is_a_verb_elsewhere_stays_a_key() -> None:
    problem = Diagnostic(
        "T1",
        DiagnosticKind.ILLEGAL,
        Severity.ERROR,
        "a roll is missing",
        Place("01.yaml", 1, 1, 1, 2),
        free_help=("or write  roll: {Ana: 4}  below",),
        declared_fixes=(make_fix(SetKey("roll", "{Ana: 4}"), when="if it was rolled"), mark_gap()),
    )
    written, conditional, gap = hints_of(problem, {"roll", "gap"})
    assert written == "write `roll Ana: 4` below"
    assert conditional == "if it was rolled: write `roll: Ana: 4`"
    assert "`gap" in gap
    assert "`gap:" not in gap


def test_a_mapping_in_a_help_is_written_as_the_line_takes_it() -> None:
    assert one_line_help("write {Zora: the tailor}", ()) == "write `Zora: the tailor`"
    entry_help = one_line_help("write  - contacts: {Heron: {...: ...}}  above this entry", ())
    assert entry_help == "write `contacts Heron: ...: ...` above this entry"
    nested_help = one_line_help("write  {Heron: {Zora: what Zora can do}}", ())
    assert nested_help == "write `Heron: Zora: what Zora can do`"
    two_help = one_line_help("write {Heron: {Zora: maps}, Gull: {Kos: doctor}}", ())
    assert two_help == "write `Heron: {Zora: maps}, Gull: {Kos: doctor}`"


def test_a_row_of_a_repair_speaks_as_the_line_does() -> None:
    assert row_for_desk("- stress: {up: 1}") == "stress up: 1"
    assert row_for_desk("  by: Ana") == "  by: Ana"


@pytest.mark.parametrize("game", GAMES)
def test_no_hint_of_any_broken_log_has_the_marks_of_a_file(game: str) -> None:
    hints_seen = 0
    for campaign in find_campaigns(ROOT / "tests" / "fixtures" / "broken"):
        workspace = Workspace(campaign)
        if workspace.campaign is None or workspace.campaign.game != game:
            continue
        verbs = rulebook(game).by_verb
        for diagnostic in workspace.diagnostics:
            for hint in hints_of(diagnostic, verbs):
                assert not hint.startswith("- "), hint
                assert "  " not in hint, hint
                hints_seen += 1
    assert hints_seen > 3


def test_a_campaign_of_the_same_name_elsewhere_has_another_key(tmp_path: Path) -> None:
    keys = set()
    for folder in ("here", "there"):
        (tmp_path / folder).mkdir()
        desk = AtDesk(tmp_path / folder)
        answer = desk.ask("new", game="universalis", title="A table", players=["Ana", "Bo"])
        assert answer["id"] == "a-table"
        keys.add(answer["key"])
        second_answer = AtDesk(tmp_path / folder).ask("open", campaign="a-table")
        assert second_answer["key"] == answer["key"]
    assert len(keys) == 2


def test_who_is_chosen_for_a_line_is_not_asked_for(evening: Sit) -> None:
    """Whoever picks a player beside the line has said whose it is."""
    table = evening("fight-sphere", ["Nadia", "Kit"], "Theda")
    line = "gladiator Ilse Marten, death wish: She left her sister"
    problems = table.fit(line)["findings"]
    chosen = table.desk.ask("fit", campaign=table.id, said=line, by="Nadia")
    assert [problem["asks"] for problem in problems] == [["by"]]
    assert chosen["by"] == "Nadia" and chosen["yaml"].endswith("by: Nadia")
    assert not chosen["findings"]


def test_a_wrong_face_is_named_before_the_next_person_is_asked_about(evening: Sit) -> None:
    table = evening("slow-burn", ["Tom", "Kata"], "Hugo")
    table.keep("spy Falcon, by: Tom, speciality: driving", "spy Otter, by: Kata, speciality: locks")
    table.keep("segment 1", "scene The market, use: Falcon: driving")
    wrong = table.fit("check Falcon: 13, Otter: 1")
    assert wrong["title"] == "'13' is no face of a d12 (1 to 12)"
    assert wrong["ghost"] == ""
    right = table.fit("check Falcon: 12, Otter: 1")
    assert right["title"] == "Anything else?" and right["complete"]


def test_a_key_that_is_typed_already_is_named_before_the_next_one_is_asked_about(
    evening: Sit,
) -> None:
    table = evening("playset-zero", ["Lea", "Max"], "Noa")
    line = "goal Open the door, dangers: [somebody hears, the light goes out]"
    assert table.fit(f"{line}, use: surgery")["title"].startswith("'dangers' takes name: text")


def test_words_without_their_colon_are_the_example(evening: Sit) -> None:
    table = evening("slow-burn", ["Tom", "Kata"], "Hugo")
    table.keep("spy Falcon, by: Tom, speciality: driving", "segment 1")
    (lack,) = table.fit("scene The market, use: Falcon driving")["lacks"]
    assert lack["unsaid"] == "write it as in `use: Falcon: driving`"


def test_help_stands_beside_fixes(evening: Sit) -> None:
    table = evening("slow-burn", ["Tom", "Kata"], "Hugo")
    table.keep("spy Falcon, by: Tom, speciality: driving")
    (lack, *_) = table.fit("contacts Falcon: Magda")["findings"]
    assert lack["hints"] == ["write `Falcon: Magda: what Magda can do`"]


def test_what_is_due_is_first_and_what_is_rare_last(evening: Sit) -> None:
    table = evening("slow-burn", ["Tom", "Kata"], "Hugo")
    table.keep("spy Falcon, by: Tom, speciality: driving", "spy Otter, by: Kata, speciality: locks")
    table.keep("segment 1", "scene The market, use: [Falcon: driving]")
    verbs = [one["verb"] for one in table.table()["next"]]
    assert verbs.index("check") < verbs.index("arbitrate") == len(verbs) - 1


def test_what_is_left_to_say_before_the_first_job_is_said_plainly(evening: Sit) -> None:
    table = evening("slow-burn", ["Tom", "Kata"], "Hugo")
    table.keep("spy Falcon, by: Tom, speciality: driving", "spy Otter, by: Kata, speciality: locks")
    told = table.table()
    assert _plain(told["sub"]).startswith(
        "Still to be said: two contacts for each of Falcon and Otter; who knows Falcon, and how;"
    )
    assert "not now: no Job has begun" in [one["why"] for one in told["not_now"]]


def test_after_the_sheets_the_desk_says_whose_envelopes_come_next(evening: Sit) -> None:
    table = evening("slow-burn", ["Tom", "Kata"], "Hugo")
    table.keep("spy Falcon, by: Tom, speciality: driving", "spy Otter, by: Kata, speciality: locks")
    table.keep("contacts Falcon: Magda: hears much", "contacts Falcon: Bruun: forges papers")
    table.keep("contacts Otter: Lo: runs boats", "contacts Otter: Pamuk: lends money")
    table.keep(
        "connections Falcon: Otter sold him", "connections Otter: Falcon left her", "city Trieste"
    )
    subs = [_plain(table.table()["sub"])]
    assert "envelope" in [button["verb"] for button in table.table()["buttons"]]
    for line in ("envelope, by: Tom", "envelope, by: Kata", "deal"):
        table.keep(line)
        subs.append(_plain(table.table()["sub"]))
    assert subs == [
        "Still to come: an envelope of Tom and Kata.",
        "Still to come: an envelope of Kata.",
        "Still to come: the Handler deals the envelopes.",
        "Still to come: the introduction of Falcon and Otter.",
    ]


def test_two_contacts_of_a_spy_go_into_one_line(evening: Sit) -> None:
    table = evening("slow-burn", ["Tom", "Kata"], "Hugo")
    table.keep("spy Falcon, by: Tom, speciality: driving", "spy Otter, by: Kata, speciality: locks")
    fit = table.fit("contacts Falcon: Bruun: forges papers, Agda: hears much, Otter: Lo: boats")
    written = "{Falcon: {Bruun: forges papers, Agda: hears much}, Otter: {Lo: boats}}"
    assert fit["yaml"].strip() == f"- contacts: {written}"
    assert not [one for one in fit["findings"] if one["severity"] == "error"]


def test_what_is_still_asked_is_no_problem_yet(evening: Sit) -> None:
    table = evening("playset-zero", ["Ana", "Ben"], "Cem")
    table.keep("scenario The last ferry")
    line = "character Brand, by: Ana, concept: a stoker"
    assert all(one.get("asks") for one in table.fit(line)["findings"])
    line += ", features: drive: a crossing, trait: patient, skill: engines, possession: a ticket"
    fit = table.fit(f"{line}, main: ")
    assert fit["title"] == "Which of the four is the Main Feature?"
    assert all(one.get("asks") or one.get("passing") for one in fit["findings"])
    table.keep(f"{line}, main: engines, hint: counts, flaw: vain")
    table.keep(
        line.replace("Brand, by: Ana", "Sorrel, by: Ben") + ", main: patient, hint: h, flaw: f"
    )
    table.keep("scene The deck")
    asked = {one["message"]: one for one in table.fit("goal ")["findings"]}
    assert asked["whose goal is this?"]["passing"]


def test_who_may_not_do_it_is_mended_by_who_may(evening: Sit) -> None:
    table = evening("positive", ["Ana", "Ben", "Cem", "Dee"])
    table.keep("cast Ana: Mia, Ben: Jo, Cem: Kit, Dee: Lou", "host Mia")
    fixes = table.desk.ask("fixes", campaign=table.id, said="accuser Mia")
    assert [_plain(fix["said"]) for fix in fixes][:3] == ["Write Jo", "Write Kit", "Write Lou"]


def test_examples_name_nobody_of_another_table(evening: Sit) -> None:
    table = evening("fight-sphere", ["Ana", "Ben"], "Cem")
    for player, name in (("Ana", "Vesper"), ("Ben", "Odile")):
        table.keep(f"gladiator {name}, by: {player}, death wish: rest")
    table.keep("layer 1, episodes: {Works: [Vesper, Odile]}", "scene The furnace")
    example = table.fit("stake ")["example"]
    assert "use: " in example and "Mina" not in example
    (lack,) = table.fit("stake Vesper")["lacks"]
    assert lack["hints"] == ["write it as in `stake Vesper: gamble: 0`"]
    table = evening("positive", ["Ines", "Ben", "Cem"])
    table.keep("cast Ines: Mia, Ben: Jo, Cem: Kit")
    (lack,) = table.fit("back Mia")["lacks"]
    assert "write it as in `back Ines: " in lack["hints"][0]


def test_the_buttons_are_those_of_what_comes_before_play(evening: Sit) -> None:
    table = evening("playset-zero", ["Ana", "Ben"], "Cem")
    table.keep("scenario The last ferry leaves", "scene The car deck")
    assert "make a character" in _plain(table.table()["sub"])
    assert "character" in [each["verb"] for each in table.table()["buttons"]]


def test_whose_turn_comes_next_is_known_where_turns_go_round(evening: Sit) -> None:
    table = evening("universalis", ["Ana", "Ben", "Eva"])
    table.keep("tenet All are old, by: Ana")
    moment = table.table()
    assert (moment["turn"], moment["after"]) == ("Ben", "Eva")
    # Asking changes nothing.
    assert table.table()["turn"] == "Ben"
    table.keep("end session")
    assert table.table()["after"] == ""
    table = evening("positive", ["Ines", "Ben", "Cem"])
    table.keep("cast Ines: Mia, Ben: Jo, Cem: Kit")
    assert table.table()["after"] == ""


def test_a_figure_on_a_card_says_of_what_it_is(evening: Sit) -> None:
    table = evening("positive", ["Ines", "Ben", "Cem"])
    table.keep("cast Ines: Mia, Ben: Jo, Cem: Kit", "host Mia", "accuser Jo")
    card = table.desk.ask("card", campaign=table.id, name="Kit")
    (stats,) = [block for block in card["blocks"] if block["block"] == "stats"]
    labels = [item["label"] for item in stats["items"]]
    assert labels[0] == "on the track"
    assert "Cem" not in labels


def test_a_change_is_named_as_it_is_typed(evening: Sit) -> None:
    table = evening("positive", ["Ana", "Ben", "Cem", "Dee"])
    line = "cast Ana: Mia, Ben: Jo, Cem: Kit, Dee: Lou"
    assert table.desk.ask("write", campaign=table.id, said=line)["undo"] == line


def test_a_term_of_two_capitals_keeps_them_beside_a_figure(evening: Sit) -> None:
    table = evening("fight-sphere", ["Ana", "Ben"], "Cem")
    (row,) = table.fit("gladiator Vesper, by: Ana, death wish: rest")["rows"]
    assert [change["label"] for change in row["changes"]] == ["Conflict Pools"]


def test_a_fix_at_the_desk_is_called_without_the_marks_of_a_file() -> None:
    def called(written: str) -> list[object]:
        title = ["Write", " ", {"t": written, "code": True}]
        said: list[object] = fix_for_desk({"title": title, "edits": []})["said"]
        return said

    assert called("kind: story") == ["set `kind` to `story`"]
    assert called("at: {place: schoolroom}") == ["set `at` to `place: schoolroom`"]
    assert called("target: unrecorded") == ["leave `target` open, as nobody noted it"]
    assert called("unrecorded") == ["nobody noted it"]
    assert called("{Kofi: Solveig}") == ["Write", " ", {"t": "Kofi: Solveig", "code": True}]

    def title(*edits: Edit) -> str:
        spans = title_of(make_fix(*edits))
        return _plain(fix_for_desk({"title": spans, "edits": []})["said"])

    assert title(RemoveKey("reason to live")) == "Leave reason to live out"
    advice = one_line_help("for the Death wish: leave  reason to live:  out", ())
    assert advice == "for the Death wish: leave `reason to live` out"
    assert title(RemoveItem("Ana", key="with")) == "Leave Ana out of with"
    assert title(AddToSettings("options", ("helping",))) == "Add options: helping to the settings"
    assert title(SetPair("backs", "Kofi", "Ines")) == "Write Kofi: Ines under backs"
    assert (
        title(ChooseReading("tie", "rolls-again"))
        == "Write rulings: tie: rolls-again in the settings"
    )


def test_what_was_fixed_is_undone_in_the_words_of_the_fix(evening: Sit) -> None:
    table = evening("fight-sphere", ["Ana", "Ben"], "Cem")
    line = "gladiator Vesper, by: Ana, death wish: rest, reason to live: his dog"
    table.desk.ask("write", campaign=table.id, said=line)
    (problem, *_) = table.desk.ask("findings", campaign=table.id)["findings"]
    fixes = table.desk.ask("fixes", campaign=table.id, key=problem["key"])
    n = next(n for n, fix in enumerate(fixes) if "out" in _plain(fix["said"]))
    answer = table.desk.ask("apply", campaign=table.id, key=problem["key"], n=n)
    assert answer["undo"] in ("Leave death wish out", "Leave reason to live out")


def test_a_setup_with_problems_keeps_its_buttons(evening: Sit) -> None:
    """An unfinished sheet makes nothing of the play itself possible, and links stay to be drawn."""
    table = evening("isolation", ["Ida", "Bert", "Cora"], "Dan")
    table.keep("scenario Hut, threat: snow, stress: 3", "character Hanna, by: Ida")
    for line in ("character Rolf, by: Bert", "green Hanna & Rolf: stubborn"):
        table.keep(line)
        buttons = {button["verb"] for button in table.table()["buttons"]}
        assert {"character", "green", "red", "map"} <= buttons, line


def test_whoever_can_have_done_it_is_offered_where_nobody_is_named(evening: Sit) -> None:
    table = evening("isolation", ["Ida", "Bert", "Cora"], "Dan")
    table.keep("scenario Hut, threat: snow, stress: 3", "character Hanna, by: Ida")
    table.keep("character Rolf, by: Bert", "propose Everybody digs")
    titles = _titles_of_fixes(table, "T56")
    assert "Write it for Hanna" in titles
    assert titles.index("Write it for Hanna") < titles.index("Nobody noted who")


def test_what_an_example_has_behind_a_name_is_shown_there_too(evening: Sit) -> None:
    """The example of a whole mapping is gone once the name is there, and it is needed then."""
    table = evening("isolation", ["Ida", "Bert", "Cora"], "Dan")
    table.keep("scenario Hut, threat: snow, stress: 3", "character Hanna, by: Ida")
    table.keep("character Rolf, by: Bert")
    assert " + " in table.fit("green Hanna & Rolf: ")["example"]
    table = evening("slow-burn", ["Eva", "Finn"], "Gus")
    table.keep("spy Heron, by: Eva, speciality: maps")
    assert table.fit("contacts Heron: ")["example"]


def test_a_fix_leaves_no_entry_without_anything_in_it(evening: Sit) -> None:
    table = evening("isolation", ["Ida", "Bert", "Cora"], "Dan")
    table.keep("scenario Hut, threat: snow, stress: 3", "character Hanna, by: Ida")
    table.keep("character Rolf, by: Bert", "green Hanna & Rolf: stubborn")
    titles = _titles_of_fixes(table, "I9")
    assert "Leave this entry out" in titles
    assert not any(title.startswith("Leave Hanna") for title in titles)


def test_what_a_sheet_lacks_is_one_list(evening: Sit) -> None:
    table = evening("isolation", ["Ida", "Bert", "Cora"], "Dan")
    table.keep("scenario Hut, threat: snow, stress: 3", "character Hanna, by: Ida, plus: patient")
    findings = table.desk.ask("findings", campaign=table.id)["findings"]
    messages = [_plain([row["message"]]) for row in findings]
    assert any("has no profession, Negative Descriptors, bias or goal" in it for it in messages)


def test_a_cast_with_somebody_missing_is_still_to_be_named(evening: Sit) -> None:
    table = evening("positive", ["Nia", "Udo", "Vic", "Will"])
    table.keep("cast Nia: Karin")
    assert "cast" in _plain(table.table()["headline"])
    table.keep("cast Udo: Otto, Vic: Lea, Will: Per")
    assert "cast" not in _plain(table.table()["headline"])


def test_a_first_scene_with_nobody_else_is_not_counted(evening: Sit) -> None:
    table = evening("positive", ["Nia", "Udo", "Vic", "Will"])
    table.keep("cast Nia: Karin, Udo: Otto, Vic: Lea, Will: Per", "host Nia", "accuser Otto")
    (lack, *_) = table.fit("scene The pier")["findings"]
    assert str(lack["message"]).endswith("one other character")


# -- what breaks no rule comes first ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "file", "row", "line", "wrong", "right"),
    [
        (
            "the-boathouse",
            "01.yaml",
            "- call: At Easter",
            "call It was him, against: Tomas, by: ",
            "Tomas",
            "Iben",
        ),
        ("the-boathouse", "01.yaml", "- barge in", "barge in Wanda, by: ", "Cleo", "Eli"),
        (
            "six-names",
            "02.yaml",
            "- encounter: Vance",
            "encounter Vance, at: the mast, told by: ",
            "Marta",
            "Sol",
        ),
        (
            "snowshed-nine",
            "01.yaml",
            "- result: basic",
            "result ",
            "complete success",
            "basic success",
        ),
    ],
)
def test_names_and_words_that_break_no_rule_come_first(
    name: str, file: str, row: str, line: str, wrong: str, right: str
) -> None:
    labels = Sitting(name, file, row).labels(line)
    assert labels[0] == right
    assert wrong not in labels[: labels.index(right)]


def test_what_a_line_lacks_speaks_against_no_name(evening: Sit) -> None:
    table = evening("playset-zero", ["Salma", "Imre"], "Tove")
    table.keep("scenario A mine town")
    # A character of the facilitator needs fewer words, and is no better for that.
    assert table.offered("character Dorrit Hale, by: ")[:3] == ["Salma", "Imre", "Tove"]


def test_a_comma_after_a_name_is_no_part_of_it(evening: Sit) -> None:
    table = evening("isolation", ["Ana", "Bo"], "Noor")
    for line in ("character Runa, by: Ana, ", "character Runa, by: Ana,"):
        assert not any("Ana," in problem["message"] for problem in table.fit(line)["findings"])
        assert table.fit(line)["by"] == "Ana"


def test_a_key_that_lacks_its_words_is_asked_for_in_words(evening: Sit) -> None:
    table = evening("isolation", ["Ana", "Bo"], "Noor")
    table.keep("scenario The ship, threat: the pack, stress: 1")
    reason = [
        problem["hints"]
        for problem in table.fit("stress up 1")["findings"]
        if "does not say why" in problem["message"]
    ]
    assert reason == [["write the answer after `for:`"]]


def test_undo_and_redo_say_what_they_change(evening: Sit) -> None:
    table = evening("isolation", ["Ana", "Bo"], "Noor")
    table.keep("scenario The ship, threat: the pack")
    undone = table.desk.ask("undo", campaign=table.id)["words"]
    redone = table.desk.ask("redo", campaign=table.id)["words"]
    assert undone == "Undone: scenario The ship"
    assert redone == "Done again: scenario The ship"


def test_the_keys_of_the_example_are_offered_first(evening: Sit) -> None:
    table = evening("isolation", ["Ana", "Bo"], "Noor")
    assert table.offered("scenario The ship, threat: the pack")[0] == "stress"
