"""What a page needs to know of a campaign once: who sits where, its files, verbs, dice and units."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from chronicle.core.declare import SPEECH, Action, Field, alternatives, bare
from chronicle.core.game import GameUnavailable
from chronicle.core.intake import read_file
from chronicle.core.rules import tidy
from chronicle.core.source import Entries, Word
from chronicle.core.telling import Told
from chronicle.desk import findings
from chronicle.desk.room import Opened, Room, Unanswerable
from chronicle.games import is_game, rulebook
from chronicle.transcript.explain import explain
from chronicle.transcript.folder import SETTINGS_FILE
from chronicle.transcript.reader import read_bytes


def campaigns(room: Room) -> list[dict[str, Any]]:
    """The campaigns of a room; entries and findings of those that are open."""
    found = []
    opened = {one.id: one for one in room.opened()}
    for id, folder in room.ids().items():
        made: dict[str, Any] = {"id": id, **_card(folder)}
        if id in opened and opened[id].resident.record is not None:
            answer = findings.answer(opened[id])
            made |= {"entries": answer["entries"], "counts": answer["counts"]}
        found.append(made)
    return found


def campaigns_for_guests(room: Room) -> list[dict[str, Any]]:
    """The campaigns of a room as guests may see them; entries and findings of those that guests opened."""
    found = []
    for id, folder in room.ids().items():
        made: dict[str, Any] = {"id": id, **_card(folder)}
        if room.is_lent(id) or _has_pseudonyms(folder):
            try:
                opened = room.lent(id)
            except Unanswerable:
                made["title"] = id
            else:
                campaign = opened.resident.campaign
                answer = findings.answer(opened)
                made["title"] = campaign.title if campaign is not None else id
                made |= {"entries": answer["entries"], "counts": answer["counts"]}
        found.append(made)
    return found


def _has_pseudonyms(folder: Path) -> bool:
    """Whether the settings give a player another name for readers, which the title has to use too."""
    with suppress(OSError):
        return b"publish" in read_file(folder / SETTINGS_FILE)
    return False


def _card(folder: Path) -> dict[str, Any]:
    """Title and game, from the settings alone."""
    title, game = folder.name, ""
    with suppress(OSError):
        tree = read_bytes(read_file(folder / SETTINGS_FILE), SETTINGS_FILE).tree
        if isinstance(tree, Entries):
            said = [tree.get(Word(key)) for key in ("title", "game")]
            words = [str(one) if isinstance(one, Word) else "" for one in said]
            title, game = words[0] or title, words[1].strip().casefold().replace(" ", "-")
    sessions = sum(
        file.suffix == ".yaml" and file.name != SETTINGS_FILE for file in folder.iterdir()
    )
    game_title = ""
    if is_game(game):
        with suppress(GameUnavailable):
            game_title = rulebook(game).title
    return {
        "title": title,
        "game": game,
        "game_title": game_title,
        "sessions": sessions,
    }


def verbs(opened: Opened) -> Mapping[str, type[Action]]:
    """The verbs of a campaign."""
    record = opened.resident.record
    if record is None:
        raise opened.unreadable()
    return record.rulebook.by_verb


def about(opened: Opened) -> dict[str, Any]:
    """All of one campaign that does not change with every entry."""
    record = opened.resident.record
    if record is None:
        raise opened.unreadable()
    campaign = record.campaign
    rules = rulebook(campaign.game)
    shown = {str(seat.name): name for seat, name in campaign.disguised}
    titles = {
        session.path: (session.number, str(session.header.title or ""))
        for session in campaign.sessions
    }
    units = {unit for _, unit, _ in record.ledger.balances()}
    last = campaign.sessions[-1] if campaign.sessions else None
    return {
        "id": opened.id,
        "title": campaign.title,
        "game": campaign.game,
        "game_title": rules.title,
        "strictness": str(campaign.strictness),
        "players": [
            {
                "name": player.name,
                "colour": number,
                "seat": player.seat,
                "shown": shown.get(player.name, player.name),
            }
            for number, player in enumerate(campaign.players, 1)
        ],
        "files": [
            {
                "name": one.name,
                "kind": one.kind,
                "number": titles.get(one.name, (0, ""))[0],
                "title": titles.get(one.name, (0, ""))[1],
            }
            for one in opened.files()
        ],
        "verbs": {
            name: {
                "doc": " ".join((verb.__doc__ or "").split()),
                "example": verb.example,
                "own": name in rules.own_verbs,
                "lines": _in_lines(verb.main),
            }
            for name, verb in rules.by_verb.items()
        },
        "units": sorted(units),
        "at": {
            "file": last.path if last else "",
            "line": last.actions[-1].whole.line if last and last.actions else 0,
        },
        "summary": findings.answer(opened)["counts"] | {"entries": len(record.steps)},
    }


def _in_lines(field: Field | None) -> bool:
    """Whether what a verb says may go on in another line: what several say, and a story in paragraphs."""
    if field is None:
        return False
    return field.told is Told.PROSE or SPEECH in map(bare, alternatives(field.kind))


def rule(opened: Opened, id: str) -> dict[str, Any]:
    """A rule, a silent point or a message about form, explained."""
    campaign = opened.resident.campaign
    if campaign is None:
        raise opened.unreadable()
    wanted = id.rpartition(":")[2]
    form = explain(wanted)
    if form is not None:
        one, example = form
        shown = example._asdict() if example is not None else {"wrong": "", "right": ""}
        return {"id": one.id, "title": one.title, "text": one.text, "chapter": one.chapter} | shown
    registry = rulebook(campaign.game).registry()
    for known in registry.rules:
        if tidy(known.id) == tidy(wanted):
            return {
                "id": known.id,
                "title": known.title,
                "text": known.text,
                "chapter": known.chapter,
            }
    for point in registry.rulings:
        if tidy(point.id) == tidy(wanted) or point.key == wanted:
            return {
                "id": point.id,
                "title": point.question,
                "text": point.reason,
                "chapter": "",
                "readings": dict(point.readings),
                "key": point.key,
            }
    raise Unanswerable(f"there is no rule '{id}' in this game")
