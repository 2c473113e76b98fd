"""A campaign begun at the desk, or with the questions of ``chronicle new``."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from chronicle.campaigns import load, run
from chronicle.cli import new
from chronicle.core.campaign import Settings
from chronicle.games import GAMES, rulebook
from tests.services.conftest import AtDesk


@pytest.mark.parametrize("game", GAMES)
def test_the_first_entry_comes_right_after_the_questions(game: str, tmp_path: Path) -> None:
    at = AtDesk(tmp_path)
    about = next(one for one in at.ask("games") if one["game"] == game)
    said = {
        "game": game,
        "title": "Lamps: a beginning",
        "players": ["Ana", "Bo", "Cy", "Dee"][: max(2, about["players"])],
        "runner": "Gil" if about["runner"] else "",
        "strictness": "relaxed",
        "settings": {
            one["key"]: one["choices"] if one["kind"] == "several" else one["choices"][-1]
            for one in about["settings"]
        },
        "add_ons": [one["key"] for one in about["add_ons"]][:1],
    }
    told = at.ask("new", once="x", **said)
    assert at.ask("new", once="x", **said) == told
    assert [file.name for file in sorted(tmp_path.iterdir())] == [told["id"]]
    assert at.ask("findings", campaign=told["id"])["findings"] == []
    table = at.ask("table", campaign=told["id"])
    assert table["next"]
    assert table["line"] == 0
    at.ask("write", campaign=told["id"], said="aside And so it begins")
    record = run(load(tmp_path / told["id"]))
    assert [step.action.verb for step in record.steps] == ["aside"]
    assert record.campaign.title == "Lamps: a beginning"
    assert at.ask("new", **said)["id"] == f"{told['id']}-2"


@pytest.mark.parametrize(
    "wrong",
    [
        {"game": "chess"},
        {"title": " "},
        {"players": []},
        {"players": ["Ana", "ana"]},
        {"players": ["Ana", ""]},
        {"strictness": "lax"},
        {"settings": {"start coins": "many"}},
        {"add_ons": ["free beer"]},
        {"game": "isolation"},
    ],
)
def test_an_answer_that_makes_no_sense_founds_nothing(
    wrong: dict[str, object], tmp_path: Path
) -> None:
    at = AtDesk(tmp_path)
    right = {"game": "universalis", "title": "T", "players": ["Ana", "Bo"]}
    assert at.refused("new", **{**right, **wrong})
    assert not [*tmp_path.iterdir()]


def test_new_asks_what_the_desk_asks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(new, "_can_ask", lambda: True)
    monkeypatch.chdir(tmp_path)
    answers = ["universalis", "", "Ana, Bo,Cy", "played", "y", "none", "relaxed"]
    said = CliRunner().invoke(new.new, ["our-table"], input="\n".join(answers) + "\n")
    assert said.exit_code == 0, said.output
    record = run(load(tmp_path / "our-table" / "sessions" / "our-table"))
    settings = record.campaign.settings
    assert record.campaign.title == "Our table"
    assert [*settings.players] == ["Ana", "Bo", "Cy"]
    assert str(record.campaign.strictness) == "relaxed"
    assert not record.steps
    assert not record.diagnostics


def test_a_campaign_is_called_and_played_otherwise_and_all_else_stays(tmp_path: Path) -> None:
    at = AtDesk(tmp_path)
    given = {"title": "A table", "players": ["Ana", "Bo"], "runner": "Noor"}
    id = at.ask("new", game="isolation", **given)["id"]
    file = tmp_path / id / "campaign.yaml"
    before = file.read_text(encoding="utf-8") + "# ours\n"
    file.write_text(before, encoding="utf-8")
    told = at.ask("settled", campaign=id)
    assert told["title"] == "A table"
    strict, *others = told["settings"]
    assert (strict["key"], strict["default"]) == ("strictness", "standard")
    dice = next(one for one in others if one["key"] == "dice")
    assert (dice["choices"], dice["default"]) == (["rolled", "written"], "rolled")
    assert {"gm", "rulings/wound_chooser"} <= {one["key"] for one in others}
    for one in others:
        if one["kind"] == "text":
            other: str | None = "7" if one["default"].isdigit() else "Noor B."
        else:
            other = next((word for word in one["choices"] if word not in one["default"]), None)
        if other is not None:
            value = [other] if one["kind"] == "several" else other
            at.ask("settle", campaign=id, title="A table", settings={one["key"]: value})
            again = at.ask("settled", campaign=id)["settings"]
            assert next(row for row in again if row["key"] == one["key"])["default"] == value
            at.ask("undo", campaign=id)
    assert file.read_text(encoding="utf-8") == before
    made = at.ask("settle", campaign=id, title=" The  skerry", settings={"strictness": "relaxed"})
    assert made["title"] == "The skerry"
    after = before.replace("title: A table", "title: The skerry")
    assert file.read_text(encoding="utf-8") == after.replace("standard", "relaxed")
    assert at.ask("open", campaign=id)["title"] == "The skerry"
    assert "title" in at.refused("settle", campaign=id, title=" ")
    wrong = at.refused("settle", campaign=id, title="x", settings={"strictness": "kind"})
    assert wrong.startswith("a log is ")
    wrong = at.refused("settle", campaign=id, title="x", settings={"dice": "made up"})
    assert wrong == "dice are rolled or written"
    assert "cannot be" in at.refused("settle", campaign=id, title="x", settings={"language": "de"})


@pytest.mark.parametrize("game", GAMES)
def test_every_setting_that_a_game_declares_can_be_said_otherwise(
    tmp_path: Path, game: str
) -> None:
    """Its own keys and every point that can be read in several ways; the file stays one that is read."""
    at = AtDesk(tmp_path)
    rules = rulebook(game)
    runner = "Noor" if rules.settings.facilitator else ""
    id = at.ask("new", game=game, title="A table", players=["Ana", "Bo", "Cy"], runner=runner)["id"]
    rows = {one["key"]: one for one in at.ask("settled", campaign=id)["settings"]}
    own = {name for name in rules.settings.fields if name not in Settings.fields}
    assert own <= {*rows}
    silent = {f"rulings/{ruling.key}" for ruling in rules.rulings if len(ruling.readings) > 1}
    assert silent <= {*rows}
    # Two, one after the other: the first makes the mapping, the second comes to it.
    chosen = {key: rows[key]["choices"][-1] for key in sorted(silent)[:2]}
    for key, reading in chosen.items():
        at.ask("settle", campaign=id, title="A table", settings={key: reading})
    again = {one["key"]: one for one in at.ask("settled", campaign=id)["settings"]}
    assert {key: again[key]["default"] for key in chosen} == chosen
    campaign = at.room.open(id).workspace.campaign
    assert campaign is not None and not campaign.diagnostics
    assert {key: str(value) for key, value in (campaign.settings.rulings or {}).items()} == {
        key.partition("/")[2]: value for key, value in chosen.items()
    }
    assert "cannot be" in at.refused(
        "settle", campaign=id, title="x", settings={min(silent): "never heard of"}
    )


def test_a_setting_in_own_words_is_held_against_what_it_may_be(tmp_path: Path) -> None:
    at = AtDesk(tmp_path)
    id = at.ask("new", game="universalis", title="T", players=["Ana", "Bo"])["id"]
    ask = {"campaign": id, "title": "T"}
    at.ask("settle", **ask, settings={"refreshment": "7", "add ons": ["jobs"]})
    rows = {one["key"]: one["default"] for one in at.ask("settled", campaign=id)["settings"]}
    assert rows["refreshment"] == "7" and rows["add ons"] == ["jobs"]
    wrong = at.refused("settle", **ask, settings={"refreshment": "many"})
    assert "a whole number" in wrong
    assert "cannot be" in at.refused("settle", **ask, settings={"add ons": ["cats"]})


def test_the_message_about_two_people_with_one_name_says_who_and_how(tmp_path: Path) -> None:
    at = AtDesk(tmp_path)
    said = {"game": "isolation", "title": "The ferry", "players": ["Ute", "Karim"], "runner": "Ute"}
    answer = at.desk.ask({"id": 1, "ask": "new", **said})["refused"]
    assert answer["message"].startswith("Ute is there twice. If they are two people")
    assert answer["help"] == ["if Ute is only the GM: leave that name out of the players"]


@pytest.mark.parametrize("game", GAMES)
def test_every_game_says_how_many_it_is_for(game: str, tmp_path: Path) -> None:
    about = next(one for one in AtDesk(tmp_path).ask("games") if one["game"] == game)
    assert about["least_players"] > 1
    assert about["too_few"].startswith(about["title"])
    assert str(about["least_players"]) in about["too_few"]
    # The first session of the example is no smaller than that.
    assert rulebook(game).least_players <= about["players"]


def test_chronicle_new_asks_again_if_the_group_is_too_small(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("chronicle.cli.new._can_ask", lambda: True)
    answers = [
        "universalis",
        "The mill",
        "",
        "Mara",
        "n",
        "Mara, Jonas, Pim",
        "-",
        "",
        "",
        "",
        "",
        "",
    ]
    outcome = CliRunner().invoke(new.new, ["mill"], input="\n".join(answers) + "\n")
    assert "Name at least one player." in outcome.output
    assert "Universalis is for 3 or more." in outcome.output
    assert "Start anyway?" in outcome.output


def test_a_player_is_added_later_and_none_is_lost(tmp_path: Path) -> None:
    at = AtDesk(tmp_path)
    told = at.ask("new", game="universalis", title="The mill", players=["Mara", "Jonas", "Pim"])
    here = {"campaign": told["id"]}
    rows = at.ask("settled", **here)
    (row,) = [row for row in rows["settings"] if row["key"] == "players"]
    assert row["default"] == "Mara, Jonas, Pim"
    change = {"title": rows["title"], "version": rows["version"]}
    at.ask("write", **here, said="tenet A mill by the sea", by="Mara")
    more = {"players": "Mara, Ute, Jonas, Pim"}
    at.ask("settle", **here, **change, settings=more)
    record = run(load(tmp_path / told["id"]))
    assert [player.name for player in record.campaign.players] == ["Mara", "Ute", "Jonas", "Pim"]
    change["version"] = at.ask("settled", **here)["version"]
    left_out = at.refused("settle", **here, **change, settings={"players": "Ute, Jonas"})
    assert left_out.startswith("Mara is in the log")
    twice = at.refused(
        "settle", **here, **change, settings={"players": "Mara, Ute, Jonas, Pim, pim"}
    )
    assert twice.startswith("Pim is there twice")
