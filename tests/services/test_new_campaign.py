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
    game_row = next(candidate for candidate in at.ask("games") if candidate["game"] == game)
    answers = {
        "game": game,
        "title": "Lamps: a beginning",
        "players": ["Ana", "Bo", "Cy", "Dee"][: max(2, game_row["players"])],
        "runner": "Gil" if game_row["runner"] else "",
        "strictness": "relaxed",
        "settings": {
            setting["key"]: setting["choices"]
            if setting["kind"] == "several"
            else setting["choices"][-1]
            for setting in game_row["settings"]
        },
        "add_ons": [add_on["key"] for add_on in game_row["add_ons"]][:1],
    }
    answer = at.ask("new", once="x", **answers)
    assert at.ask("new", once="x", **answers) == answer
    assert [file.name for file in sorted(tmp_path.iterdir())] == [answer["id"]]
    assert at.ask("findings", campaign=answer["id"])["findings"] == []
    table = at.ask("table", campaign=answer["id"])
    assert table["next"]
    assert table["line"] == 0
    at.ask("write", campaign=answer["id"], said="aside And so it begins")
    record = run(load(tmp_path / answer["id"]))
    assert [step.action.verb for step in record.steps] == ["aside"]
    assert record.campaign.title == "Lamps: a beginning"
    assert at.ask("new", **answers)["id"] == f"{answer['id']}-2"


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
    invocation = CliRunner().invoke(new.new, ["our-table"], input="\n".join(answers) + "\n")
    assert invocation.exit_code == 0, invocation.output
    record = run(load(tmp_path / "our-table" / "sessions" / "our-table"))
    settings = record.campaign.settings
    assert record.campaign.title == "Our table"
    assert [*settings.players] == ["Ana", "Bo", "Cy"]
    assert str(record.campaign.strictness) == "relaxed"
    assert not record.steps
    assert not record.diagnostics


def test_a_campaign_is_called_and_played_otherwise_and_all_else_stays(tmp_path: Path) -> None:
    at = AtDesk(tmp_path)
    answers = {"title": "A table", "players": ["Ana", "Bo"], "runner": "Noor"}
    id = at.ask("new", game="isolation", **answers)["id"]
    file = tmp_path / id / "campaign.yaml"
    text_before = file.read_text(encoding="utf-8") + "# ours\n"
    file.write_text(text_before, encoding="utf-8")
    answer = at.ask("settled", campaign=id)
    assert answer["title"] == "A table"
    strict, *further_settings = answer["settings"]
    assert (strict["key"], strict["default"]) == ("strictness", "standard")
    dice = next(setting for setting in further_settings if setting["key"] == "dice")
    assert (dice["choices"], dice["default"]) == (["rolled", "written"], "rolled")
    assert {"gm", "rulings/wound_chooser"} <= {setting["key"] for setting in further_settings}
    for setting in further_settings:
        if setting["kind"] == "text":
            new_value: str | None = "7" if setting["default"].isdigit() else "Noor B."
        else:
            new_value = next(
                (word for word in setting["choices"] if word not in setting["default"]), None
            )
        if new_value is not None:
            value = [new_value] if setting["kind"] == "several" else new_value
            at.ask("settle", campaign=id, title="A table", settings={setting["key"]: value})
            settings_after = at.ask("settled", campaign=id)["settings"]
            assert (
                next(row for row in settings_after if row["key"] == setting["key"])["default"]
                == value
            )
            at.ask("undo", campaign=id)
    assert file.read_text(encoding="utf-8") == text_before
    desk_answer = at.ask(
        "settle", campaign=id, title=" The  skerry", settings={"strictness": "relaxed"}
    )
    assert desk_answer["title"] == "The skerry"
    text_after = text_before.replace("title: A table", "title: The skerry")
    assert file.read_text(encoding="utf-8") == text_after.replace("standard", "relaxed")
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
    rows = {setting["key"]: setting for setting in at.ask("settled", campaign=id)["settings"]}
    own = {name for name in rules.settings.fields if name not in Settings.fields}
    assert own <= {*rows}
    silent = {f"rulings/{ruling.key}" for ruling in rules.rulings if len(ruling.readings) > 1}
    assert silent <= {*rows}
    # Two, one after the other: the first makes the mapping, the second comes to it.
    chosen = {key: rows[key]["choices"][-1] for key in sorted(silent)[:2]}
    for key, reading in chosen.items():
        at.ask("settle", campaign=id, title="A table", settings={key: reading})
    rows_after = {setting["key"]: setting for setting in at.ask("settled", campaign=id)["settings"]}
    assert {key: rows_after[key]["default"] for key in chosen} == chosen
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
    rows = {
        setting["key"]: setting["default"] for setting in at.ask("settled", campaign=id)["settings"]
    }
    assert rows["refreshment"] == "7" and rows["add ons"] == ["jobs"]
    wrong = at.refused("settle", **ask, settings={"refreshment": "many"})
    assert "'refreshment' takes a whole number from 0, not 'many'" in wrong
    assert "cannot be" in at.refused("settle", **ask, settings={"add ons": ["cats"]})


def test_the_message_about_two_people_with_one_name_says_who_and_how(tmp_path: Path) -> None:
    at = AtDesk(tmp_path)
    answers = {
        "game": "isolation",
        "title": "The ferry",
        "players": ["Ute", "Karim"],
        "runner": "Ute",
    }
    answer = at.desk.ask({"id": 1, "ask": "new", **answers})["refused"]
    assert answer["message"].startswith("Ute is there twice. Two people? ")
    assert answer["help"] == ["Is Ute only the GM? Then take that name out of the players."]


@pytest.mark.parametrize("game", GAMES)
def test_every_game_says_how_many_it_is_for(game: str, tmp_path: Path) -> None:
    game_row = next(
        candidate for candidate in AtDesk(tmp_path).ask("games") if candidate["game"] == game
    )
    assert game_row["least_players"] > 1
    assert game_row["too_few"].startswith(game_row["title"])
    assert str(game_row["least_players"]) in game_row["too_few"]
    runner = rulebook(game).settings.facilitator
    assert str(game_row["least_players"] + bool(runner)) in game_row["people"]
    assert ("one of them the" in game_row["people"]) == bool(runner)
    # The first session of the example is no smaller than that.
    assert rulebook(game).least_players <= game_row["players"]


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
    campaign = at.ask("new", game="universalis", title="The mill", players=["Mara", "Jonas", "Pim"])
    where = {"campaign": campaign["id"]}
    rows = at.ask("settled", **where)
    (row,) = [row for row in rows["settings"] if row["key"] == "players"]
    assert row["default"] == "Mara, Jonas, Pim"
    change = {"title": rows["title"], "version": rows["version"]}
    at.ask("write", **where, said="tenet A mill by the sea", by="Mara")
    players_setting = {"players": "Mara, Ute, Jonas, Pim"}
    at.ask("settle", **where, **change, settings=players_setting)
    record = run(load(tmp_path / campaign["id"]))
    assert [player.name for player in record.campaign.players] == ["Mara", "Ute", "Jonas", "Pim"]
    change["version"] = at.ask("settled", **where)["version"]
    left_out = at.refused("settle", **where, **change, settings={"players": "Ute, Jonas"})
    assert left_out.startswith("Mara is in the log")
    twice = at.refused(
        "settle", **where, **change, settings={"players": "Mara, Ute, Jonas, Pim, pim"}
    )
    assert twice.startswith("Pim is there twice")
