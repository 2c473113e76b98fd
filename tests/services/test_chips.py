"""What is offered as a chip where somebody would else have to type it, and what is said of a line beforehand."""

from pathlib import Path
from typing import Any

import pytest

from chronicle.core.edits import edit
from chronicle.games import GAMES, rulebook
from chronicle.services.candidates import MOST_DESCRIPTION_LETTERS, short_description
from chronicle.services.desk import Desk
from chronicle.services.open_campaigns import CampaignRoom
from chronicle.services.spans import Spans
from tests.conftest import ROOT, SOAK

Choice = dict[str, Any]


class Sitting:
    """A desk above the entry of a play example that begins so; nothing is written."""

    def __init__(self, name: str, file: str, row: str) -> None:
        self.desk = Desk(CampaignRoom(ROOT / "sessions", edit))
        lines = (ROOT / "sessions" / name / file).read_text(encoding="utf-8").split("\n")
        self.name, self.file = name, file
        self.line = next(at for at, line in enumerate(lines) if line.startswith(row))

    def fit(self, line: str) -> Any:
        """What fits a line there."""
        where = {"campaign": self.name, "file": self.file, "line": self.line}
        return self.desk.ask({"id": 1, "ask": "fit", "said": line, **where})["answer"]

    def offered(self, line: str) -> list[Choice]:
        """What can be taken there."""
        return [choice for choice in self.fit(line)["choices"] if choice["eligible"]]

    def labels(self, line: str) -> list[str]:
        """What that is called."""
        return [choice["label"] for choice in self.offered(line)]

    def will(self, line: str) -> list[str]:
        """The rows that a line will be, before it is written."""
        rows = []
        for row in self.fit(line)["rows"]:
            changes = [
                " ".join(
                    filter(None, (_text(change["who"]), f"{change['before']} → {change['after']}"))
                )
                for change in row["changes"]
            ]
            rows.append(" | ".join([_text(row["sentence"]), *map(_text, row["also"]), *changes]))
        return rows


def _text(spans: Spans) -> str:
    return "".join(span if isinstance(span, str) else span["t"] for span in spans)


@pytest.fixture(scope="module")
def coast() -> Sitting:
    return Sitting("the-lantern-coast", "02.yaml", "- draw: {Hester Teague: [name, patient")


def test_what_a_line_makes_and_costs_is_said_before_it_is_written(coast: Sitting) -> None:
    mob = coast.will("create character: Mob, traits: [wet, many x3]")
    assert mob == ["Joss: Mob created | Joss 9 → 4"]
    assert coast.will("fact It rains") == ["Joss: It rains | Joss 9 → 8"]
    assert coast.will("end turn") == ["Joss ends the turn"]
    assert coast.will("create character: Mob, traits: ") == [], "it is not whole yet"


def test_all_that_a_line_does_is_told(coast: Sitting) -> None:
    people = [f"character: Mob {number}, traits: wet" for number in range(1, 7)]
    (effect,) = coast.will(f"create {', '.join(people)}")
    assert all(f"Mob {number}" in effect for number in range(1, 7)), effect


@pytest.mark.soak
def test_nobody_is_barred_in_an_outcome_who_may_stand_there() -> None:
    coast = Sitting("the-lantern-coast", "01.yaml", "- outcome:")
    verbs = [
        choice["label"] for choice in coast.offered("outcome Joss: ") if choice["kind"] == "verb"
    ]
    assert len(verbs) > 20
    held = 0
    for verb in verbs:
        choices = coast.fit(f"outcome Joss: {verb} ")["choices"]
        barred = [
            choice for choice in choices if not choice["eligible"] and choice["kind"] == "name"
        ]
        for barred_choice in barred[:: 1 if SOAK else 4]:
            held += 1
            line = barred_choice["line"].rstrip()
            fit = coast.fit(f"{line} wet" if line.endswith(":") else line)
            assert fit["findings"], f"{line}: {barred_choice['why']}, and nobody says so"
    assert held, "somebody is barred from something"


def test_what_may_still_be_done_is_offered_beside_what_is_due() -> None:
    shed = Sitting("snowshed-nine", "01.yaml", "- difficulty: average")
    where = {"campaign": shed.name, "file": shed.file, "line": shed.line}
    answer = shed.desk.ask({"id": 1, "ask": "table", **where})["answer"]
    assert [move["verb"] for move in answer["next"]][:2] == ["difficulty", "stance"]
    assert not shed.fit("stance Hedda Brunn: hostile")["findings"]


def test_no_pile_is_counted_twice() -> None:
    coast = Sitting("the-lantern-coast", "02.yaml", "- draw: {Hester Teague")
    groups = coast.desk.ask({"id": 1, "ask": "count", "campaign": coast.name})["answer"]["groups"]
    coins = [
        group["measure"]
        for group in groups
        if group["measure"] in ("wealth", "table", "coins left")
    ]
    assert coins == ["wealth", "table"]


def test_what_many_get_alike_is_one_and_what_only_changes_purses_is_none() -> None:
    coast = Sitting("the-lantern-coast", "01.yaml", "- bid:")
    (bids,) = coast.will("bid Marit: 8, Joss: 2, Pilar: 8, Tunde: 0, Wen: 3")
    assert bids.count("→") == 2, "the purse of the winner, and the bid on the table"
    ends = Sitting("the-lantern-coast", "01.yaml", "- end scene:")
    (effect,) = ends.will("end scene")
    assert all(f"{player} " in effect for player in ("Marit", "Joss", "Pilar", "Tunde", "Wen"))
    assert effect.count("→") == 5


def test_nothing_is_told_of_a_secret() -> None:
    shed = Sitting("snowshed-nine", "01.yaml", "- secret:")
    assert shed.will("secret The bag is empty, id: bag") == []


def test_one_of_a_class_is_offered_with_its_masters_first(coast: Sitting) -> None:
    for verb in ("create", "introduce"):
        kinds = {choice["label"]: choice["note"] for choice in coast.offered(f"{verb} ")}
        assert "what its Master has is free" in kinds["sub"]
        assert coast.labels(f"{verb} sub: ") == ["Board man", "wrecking kin"]
    early = Sitting("the-lantern-coast", "01.yaml", "- bid:")
    assert "sub" not in early.labels("create "), "there is no Master yet"


def test_facts_and_thumbs_are_offered_in_a_dispute(coast: Sitting) -> None:
    assert coast.labels("challenge Marit, facts: ")[0] == "fact"
    facts = coast.offered("challenge Marit, facts: fact: ")
    assert {"of this scene", "of the world", "a Tenet"} <= {fact["note"] for fact in facts}
    assert "Hester Teague: patient" in [fact["label"] for fact in facts]
    fact_line = facts[-1]["line"]
    assert not coast.fit(fact_line)["lacks"]
    for key in ("up", "down"):
        assert {"Pilar", "Tunde"} <= {
            *coast.labels(f"challenge Marit, facts: fact: leaks, {key}: ")
        }
        assert {"Pilar", "Tunde"} <= {*coast.labels(f"fine Joss, {key}: ")}


def test_somebody_answers_on_a_line_of_their_own(coast: Sitting) -> None:
    line = "say Corin Pask: Who is there?"
    choices = coast.offered(line)
    assert choices and not coast.fit(line)["ghost"]
    answer = next(choice for choice in choices if choice["label"] == "Hester Teague")
    assert answer["line"] == f"{line}\nHester Teague: "
    assert "Corin Pask" not in [choice["label"] for choice in choices], "nobody answers themselves"
    both = coast.fit(f"{answer['line']}Nobody.")
    assert both["complete"] and "  Corin Pask: Who is there?\n" in both["yaml"]


@pytest.mark.parametrize(
    ("where", "said", "numbers"),
    [
        (("the-lantern-coast", "02.yaml", "- draw: {Hester Teague"), "buy ", "1234567"),
        (("the-lantern-coast", "01.yaml", "- bid:"), "bid Marit: ", "0123456"),
        (("snowshed-nine", "01.yaml", "- result"), "result partial success, pool: ", "0123456"),
        (("six-names", "01.yaml", "- reward"), "reward relationship: Mother Cable: ", "0123456"),
        (("the-dry-book", "01.yaml", "- segment"), "segment ", "0123456"),
    ],
)
def test_a_number_has_chips_and_none_of_them_is_taken_by_itself(
    where: tuple[str, str, str], said: str, numbers: str
) -> None:
    at = Sitting(*where)
    assert "".join(at.labels(said)).startswith(numbers)
    assert not at.fit(said)["ghost"].strip()


def test_no_number_stands_where_faces_do() -> None:
    sphere = Sitting("six-names", "01.yaml", "- roll:")
    assert "7" not in sphere.labels("roll Halina: ")


def test_a_place_is_offered_where_one_is_asked_for() -> None:
    sphere = Sitting("six-names", "01.yaml", "- scene:")
    assert "The Cannery" in sphere.labels("scene The winch, at: ")
    later = Sitting("six-names", "01.yaml", "- cut scene:")
    assert "a quay without any water" in later.labels("cut scene Tamsin, at: ")
    shed = Sitting("snowshed-nine", "02.yaml", "- scene:")
    assert shed.labels("scene Again, at: "), "where scenes were before"
    assert not shed.fit("scene Again, at: ")["ghost"], "which of them, nobody knows"


def test_another_pair_follows_inside_the_one_before() -> None:
    shed = Sitting("snowshed-nine", "01.yaml", "- pair rolls:")
    line = "pair rolls Hedda & Anselm: {green: 232, red: 641 2, "
    choices = shed.offered(line)
    second_pair = next(choice for choice in choices if choice["label"] == "Hedda Brunn & Wim")
    assert second_pair["line"] == f"{line.rstrip(' ,')}}}, Hedda & Wim: "
    assert shed.fit(f"{second_pair['line']}{{green: 2, red: 6113}}")["complete"]


def test_another_of_what_nobody_has_named_yet_is_one_tap_away() -> None:
    sphere = Sitting("six-names", "01.yaml", "- layer: 1")
    line = "layer 1, episodes: The Cannery: Halina, Osei"
    choices = {choice["label"]: choice for choice in sphere.offered(line)}
    assert choices["another title of the Episode"]["line"] == f"{line}, "
    assert "Wren Castellan" in choices, "a name that is said in short is whole"


def test_after_a_comma_where_nothing_more_is_listed_the_keys_come() -> None:
    book = Sitting("the-dry-book", "01.yaml", "- check:")
    keys = book.offered("check Quill: 9, Marrow: 4, Tern: 7, Agency: [8, 3], ")
    target = next(key for key in keys if key["label"] == "target")
    assert target["line"].endswith("[8, 3], target: ")
    assert target["note"] == "the resource that the interference targets"


def test_one_name_in_two_places_is_told_apart() -> None:
    shed = Sitting("snowshed-nine", "01.yaml", "- wounds")
    line = "wounds Anselm: 1, Oskar: 1, blame: Anselm: Irena"
    labels = [choice["label"] for choice in shed.offered(line) if choice["line"].strip() != line]
    assert len(labels) == len({*labels})
    assert {"Hedda Brunn", "Hedda Brunn: …"} <= {*labels}


def test_what_stands_open_inside_a_value_is_not_whole() -> None:
    shed = Sitting("snowshed-nine", "01.yaml", "- motive:")
    for line in ("motive Wim:", "motive Irena: She is cold, Wim: "):
        fit = shed.fit(line)
        assert not fit["complete"], line
        assert fit["lacks"][0]["message"] == "`Wim` needs a value"


def test_a_key_is_said_in_words_where_its_declaration_has_some() -> None:
    sphere = Sitting("six-names", "01.yaml", "- scene:")
    keys = {
        choice["label"]: choice["note"]
        for choice in sphere.offered("scene The winch, at: the Cannery")
    }
    assert keys["npcs"] == "the inhabitants who are there"
    assert keys["by"] == "who acts"
    assert short_description("yes, if it stays in force") == "if it stays in force"
    assert short_description("{who: how many}") == ""
    for game in GAMES:
        for verb in rulebook(game).by_verb.values():
            for field in verb.fields.values():
                assert len(short_description(field.doc)) <= MOST_DESCRIPTION_LETTERS


def test_what_a_stake_is_made_of_is_said_in_words(coast: Sitting) -> None:
    sphere = Sitting("six-names", "01.yaml", "- scene:")
    for line in ("scene The winch, stake: ", "scene The winch, stake: gamble: 2, "):
        parts = {
            choice["label"]: choice["note"]
            for choice in sphere.offered(line)
            if choice["kind"] in ("part", "value")
        }
        assert {"use", "background", "disengage", "free"} <= {*parts}
        assert all(parts.values()), parts


def test_a_key_that_is_refused_beside_another_is_not_offered(tmp_path: Path) -> None:
    def begin(name: str, settings: str, log: str) -> None:
        (tmp_path / name).mkdir()
        (tmp_path / name / "campaign.yaml").write_text(settings, encoding="utf-8")
        (tmp_path / name / "01.yaml").write_text(f"session: 1\n\nlog:\n{log}", encoding="utf-8")

    plain = "title: {0}\ngm: Gil\nplayers: [Ana, Bo]\ngame: {0}\n"
    begin("sphere", plain.format("fight-sphere"), "")
    character = "- character: Mara Lind\n  by: Ana\n"
    begin("plain", plain.format("playset-zero"), character)
    begin("graded", plain.format("playset-zero") + "options: [challenge, questions]\n", character)
    desk = Desk(CampaignRoom(tmp_path, edit))

    def keys(campaign: str, line: str) -> set[str]:
        answer = desk.ask({"id": 1, "ask": "fit", "campaign": campaign, "said": line})["answer"]
        return {choice["label"] for choice in answer["choices"] if choice["kind"] == "key"}

    gladiator = "gladiator Halina Brandt, by: Ana"
    drives = {"death wish", "reason to live"}
    assert drives <= keys("sphere", gladiator)
    for drive in drives:
        offered = keys("sphere", f"{gladiator}, {drive}: the choir that burnt")
        assert "weapon" in offered
        assert not drives & offered
    # What belongs to an optional rule that is not in force is refused beside anything.
    goal = "goal Open the lorry"
    assert {"challenge", "grade"} <= keys("graded", goal)
    assert not {"challenge", "grade"} & keys("plain", goal)


def test_the_end_of_the_evening_is_at_hand_while_a_scene_is_open(coast: Sitting) -> None:
    where = {"campaign": coast.name, "file": coast.file, "line": coast.line}
    assert coast.desk.ask({"id": 1, "ask": "table", **where})["answer"]["may_end"]


def test_grey_has_no_brackets_at_the_end_of_a_line(coast: Sitting) -> None:
    fit = coast.fit("trait ")
    assert "[" not in fit["example"] and ", " in fit["example"]
    assert coast.fit(f"trait {fit['example']}")["complete"]
