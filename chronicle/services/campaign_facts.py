"""Facts about a campaign that a page loads once: players, files, verbs, units."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from chronicle.core.declare import Action, Field
from chronicle.core.field_types import TEXT, alternatives, roleless
from chronicle.core.file_reading import read_file
from chronicle.core.game_info import GameUnavailable
from chronicle.core.play_field_types import SPEECH
from chronicle.core.rules import comparable_id
from chronicle.core.source import MappingNode, ScalarNode
from chronicle.core.telling import TextRole
from chronicle.games import is_game, rulebook
from chronicle.services import diagnostic_data
from chronicle.services.open_campaigns import CampaignRoom, OpenCampaign, Unanswerable
from chronicle.syntax.explain import explain
from chronicle.syntax.find import SETTINGS_FILE
from chronicle.syntax.reader import read_bytes


def list_campaigns(room: CampaignRoom) -> list[dict[str, Any]]:
    """The campaigns of a room, with the numbers of entries and problems of open ones."""
    campaign_rows = []
    open_by_id = {campaign.id: campaign for campaign in room.open_campaigns()}
    for campaign_id, folder in room.folder_by_id().items():
        campaign_row: dict[str, Any] = {"id": campaign_id, **_summary_from_settings(folder)}
        if campaign_id in open_by_id and open_by_id[campaign_id].workspace.record is not None:
            findings_answer = diagnostic_data.findings(open_by_id[campaign_id])
            campaign_row |= {
                "entries": findings_answer["entries"],
                "counts": findings_answer["counts"],
            }
        campaign_rows.append(campaign_row)
    return campaign_rows


def list_campaigns_for_guests(room: CampaignRoom) -> list[dict[str, Any]]:
    """The campaigns of a room as guests may see them, with the numbers of entries and problems of those that
    guests opened."""
    campaign_rows = []
    for campaign_id, folder in room.folder_by_id().items():
        campaign_row: dict[str, Any] = {"id": campaign_id, **_summary_from_settings(folder)}
        if room.is_open_for_guest(campaign_id) or _has_pseudonyms(folder):
            try:
                opened = room.campaign_for_guest(campaign_id)
            except Unanswerable:
                campaign_row["title"] = campaign_id
            else:
                campaign = opened.workspace.campaign
                findings_answer = diagnostic_data.findings(opened)
                campaign_row["title"] = campaign.title if campaign is not None else campaign_id
                campaign_row |= {
                    "entries": findings_answer["entries"],
                    "counts": findings_answer["counts"],
                }
        campaign_rows.append(campaign_row)
    return campaign_rows


def _has_pseudonyms(folder: Path) -> bool:
    """Whether the settings give a player a pseudonym, which the title has to use too."""
    with suppress(OSError):
        return b"publish" in read_file(folder / SETTINGS_FILE)
    return False


def _summary_from_settings(folder: Path) -> dict[str, Any]:
    """Title and game, from the settings alone."""
    title, game = folder.name, ""
    with suppress(OSError):
        tree = read_bytes(read_file(folder / SETTINGS_FILE), SETTINGS_FILE).tree
        if isinstance(tree, MappingNode):
            value_nodes = [tree.get(ScalarNode(key)) for key in ("title", "game")]
            value_texts = [
                str(value) if isinstance(value, ScalarNode) else "" for value in value_nodes
            ]
            title, game = (
                value_texts[0] or title,
                value_texts[1].strip().casefold().replace(" ", "-"),
            )
    session_count = sum(
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
        "sessions": session_count,
    }


def action_classes_of(opened: OpenCampaign) -> Mapping[str, type[Action]]:
    """The verbs of a campaign."""
    record = opened.workspace.record
    if record is None:
        raise opened.unreadable()
    return record.rulebook.by_verb


def campaign_overview(opened: OpenCampaign) -> dict[str, Any]:
    """The facts about a campaign that do not change with every entry."""
    record, replay = opened.workspace.record, opened.workspace.replay
    if record is None or replay is None:
        raise opened.unreadable()
    campaign = record.campaign
    game = rulebook(campaign.game)
    pseudonyms = {str(seat.name): pseudonym for seat, pseudonym in campaign.public_names}
    number_and_title_by_file = {
        session.path: (session.number, str(session.header.title or ""))
        for session in campaign.sessions
    }
    units = {unit for _, unit, _ in record.ledger.balances()}
    last_session = campaign.sessions[-1] if campaign.sessions else None
    return {
        "id": opened.id,
        "title": campaign.title,
        "game": campaign.game,
        "game_title": game.title,
        "strictness": str(campaign.strictness),
        "players": [
            {
                "name": player.name,
                "colour": colour,
                "seat": player.seat,
                "shown": pseudonyms.get(player.name, player.name),
            }
            for colour, player in enumerate(campaign.players, 1)
        ],
        "files": [
            {
                "name": file.name,
                "kind": file.kind,
                "number": number_and_title_by_file.get(file.name, (0, ""))[0],
                "title": number_and_title_by_file.get(file.name, (0, ""))[1],
            }
            for file in opened.files()
        ],
        "verbs": {
            verb_name: {
                "doc": " ".join((action_class.__doc__ or "").split()),
                "example": action_class.example,
                "own": verb_name in game.own_verbs,
                "lines": _is_multiline(action_class.main),
                "words": action_class.main is not None
                and (roleless(action_class.main.kind) is TEXT or _is_multiline(action_class.main)),
            }
            for verb_name, action_class in game.by_verb.items()
        },
        "units": sorted(units),
        "at": {
            "file": last_session.path if last_session else "",
            "line": last_session.actions[-1].whole_place.line
            if last_session and last_session.actions
            else 0,
        },
        "summary": diagnostic_data.findings(opened)["counts"]
        | {
            "entries": len(record.steps),
            "headline": replay.rulebook.standing(replay.play).headline,
        },
    }


def _is_multiline(field: Field | None) -> bool:
    """Whether the value of a verb may have several lines: dialogue, or prose."""
    if field is None:
        return False
    return field.text_role is TextRole.PROSE or SPEECH in map(roleless, alternatives(field.kind))


def rule_data(opened: OpenCampaign, rule_id: str) -> dict[str, Any]:
    """A rule, a ruling or a ``T`` message, with its explanation."""
    campaign = opened.workspace.campaign
    if campaign is None:
        raise opened.unreadable()
    plain_rule_id = rule_id.rpartition(":")[2]
    message_rule_and_example = explain(plain_rule_id)
    if message_rule_and_example is not None:
        message_rule, example = message_rule_and_example
        example_data = example._asdict() if example is not None else {"wrong": "", "right": ""}
        return {
            "id": message_rule.id,
            "title": message_rule.title,
            "text": message_rule.text,
            "chapter": message_rule.chapter,
        } | example_data
    registry = rulebook(campaign.game).registry()
    for game_rule in registry.rules:
        if comparable_id(game_rule.id) == comparable_id(plain_rule_id):
            return {
                "id": game_rule.id,
                "title": game_rule.title,
                "text": game_rule.text,
                "chapter": game_rule.chapter,
            }
    for ruling in registry.rulings:
        if comparable_id(ruling.id) == comparable_id(plain_rule_id) or ruling.key == plain_rule_id:
            return {
                "id": ruling.id,
                "title": ruling.question,
                "text": ruling.reason,
                "chapter": "",
                "readings": dict(ruling.readings),
                "key": ruling.key,
            }
    raise Unanswerable(f"there is no rule '{rule_id}' in this game")
