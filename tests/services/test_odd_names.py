"""Names that no disk holds, or that mean something to a system, in every question of the desk."""

import json
from pathlib import Path
from typing import Any

import pytest

from chronicle.core.edits import edit
from chronicle.services.desk import QUESTIONS, Desk
from chronicle.services.open_campaigns import CampaignRoom

ODD = [
    "\0",
    "01\0.yaml",
    "01.yaml\n",
    "a\nb.yaml",
    "x" * 300,
    "c/" * 3000,
    "é" * 200,
    "../c/01.yaml",
    "/etc/passwd",
    "CON",
    "nul.yaml",
    "01.yaml.",
    "01.yaml ",
    "a\\b",
    "C:\\x",
    "~root/x",
    "\x1b[31m",
    "\u202e01.yaml",
    "..",
    "/",
    "\ud800",
]
FINE: dict[str, Any] = {
    "file": "01.yaml",
    "line": 3,
    "column": 2,
    "game": "positive",
    "title": "New",
    "players": ["Ana", "Bo", "Cy", "Dee"],
    "text": "session: 1\nlog:\n- tell: begin\n",
    "entry": "tell: x",
    "said": "tell: x",
    "anchor": "x",
    "verb": "roll",
    "dice": [],
    "figures": {},
    "id": "P1",
    "name": "Ana",
    "n": 0,
}


def odd_values(annotation: str, odd: str) -> list[Any]:
    """Values of a parameter with an odd name in them; none where it takes no names."""
    kinds: dict[str, Any] = {"str": odd, "list[str]": [odd], "dict[str, Any]": {odd: odd}}
    kind = annotation.partition(" | ")[0]
    return [kinds[kind]] if kind in kinds else []


@pytest.mark.parametrize("name", QUESTIONS)
def test_an_odd_name_is_answered_or_refused_in_words(name: str, tmp_path: Path) -> None:
    home = tmp_path / "room"
    (home / "c").mkdir(parents=True)
    settings = "game: positive\ntitle: t\nplayers: [Ana, Bo, Cy, Dee]\n"
    (home / "c" / "campaign.yaml").write_text(settings, encoding="utf-8")
    log = home / "c" / "01.yaml"
    room = CampaignRoom(home, edit)
    _, parameters = QUESTIONS[name]
    needed = [key for key, declared in parameters.items() if declared.default is declared.empty]
    fields = {key: FINE[key] for key in needed if key in FINE}
    fields |= {key: FINE[key] for key in ("file", "line") if key in parameters}
    if "campaign" in parameters:
        fields["campaign"] = "c"
    for key, parameter in parameters.items():
        for value in [
            odd_value for odd in ODD for odd_value in odd_values(parameter.annotation, odd)
        ]:
            log.write_text("session: 1\nlog:\n- tell: begin\n- tell: two\n", encoding="utf-8")
            answer = Desk(room).ask({"id": 1, "ask": name, **fields, key: value})
            json.dumps(answer)
            assert "answer" in answer or answer["refused"]["message"], (key, value)
            if key in ("file", "campaign") and value in ODD[:2]:
                assert " needs " in answer["refused"]["message"] or answer["refused"][
                    "message"
                ].startswith("no ")
                assert "\0" not in answer["refused"]["message"]
            if "id" in answer.get("answer", ()) and name in ("new", "lead"):
                assert room.open(answer["answer"]["id"]).workspace.record is not None
    assert [path.name for path in tmp_path.iterdir()] == ["room"]
    for file in home.rglob("*"):
        assert not {"\0", "\n", "\\", ":"} & {*file.name}
        assert not file.name.endswith((".", " "))
