"""Run by ``test_device``: ``python browser_pack.py PACK FOLDER HOUSE [GAMES]`` uses the desk out of a zip, as a
browser does; ``GAMES`` is a folder with game plug-ins.

It asks what somebody asks who comes for the first time, in every game, and opens nothing of Chronicle
outside the zip.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any


def ask(device: Any, name: str, **arguments: Any) -> Any:
    """Return the answer to a question; there has to be one."""
    reply = json.loads(device.ask(json.dumps({"id": 1, "ask": name, **arguments})))
    assert "answer" in reply, (name, arguments, reply)
    return reply["answer"]


def start(device: Any, game: dict[str, Any]) -> None:
    """Start a campaign with every optional rule that can be chosen, and write an entry."""
    runner = {"runner": "Gil"} if game["runner"] else {}
    adopted = [add_on["key"] for add_on in game["add_ons"]]
    opened = ask(
        device,
        "new",
        game=game["game"],
        title=game["title"],
        players=["Ada", "Ben"],
        add_ons=adopted,
        **runner,
    )
    id = device.room.open_campaigns()[-1].id
    assert opened["title"] == game["title"]
    look(device, id)
    ask(device, "write", campaign=id, said="tell: It begins.")


def follow_guide(device: Any, game: str) -> None:
    """Go through the whole first evening of a game."""
    id = ask(device, "lead", game=game)["id"]
    while step := ask(device, "led", campaign=id)["step"]:
        ask(device, "fit", campaign=id, said=step["line"])
        ask(device, "write", campaign=id, said=step["line"], text=step["text"])
    look(device, id)


def look(device: Any, id: str) -> None:
    """Ask for all that a page shows of a campaign."""
    for name in ("open", "table", "log", "findings", "keeper", "count", "settled"):
        ask(device, name, campaign=id)
    for verb in ask(device, "table", campaign=id)["next"]:
        ask(device, "fit", campaign=id, said=f"{verb['verb']} ")
        ask(device, "form", campaign=id, said=f"{verb['verb']}:")
    ask(device, "complete", campaign=id, file="01.yaml", line=3, column=1)


def main(pack: str, folder: str, house: str, plugins: str = "") -> None:
    """Use the pack; fail where anything below ``house`` is opened."""

    def refuse(event: str, args: tuple[object, ...]) -> None:
        if event == "open" and isinstance(args[0], str) and args[0].startswith(house):
            raise AssertionError(f"opened outside the pack: {args[0]}")

    sys.path.insert(0, pack)
    sys.addaudithook(refuse)
    import chronicle
    from chronicle.services.device import open_device

    assert str(chronicle.__file__).startswith(pack)
    device = open_device(folder, plugins)
    games = ask(device, "games")
    for game in games:
        start(device, game)
        follow_guide(device, game["game"])
    print(len(games))


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    main(*map(str, map(Path, sys.argv[1:])))
