"""The whole record as JSON: ``{"format": "chronicle-record", "version": 1, ...}``.

The order of every list and key is the order of play; the same record always gives the same bytes.

- ``campaign``: title, game, players in seating order, whoever runs the game, strictness, readings
- ``sessions``: number, title, date, present, absent, summary, first and last step
- ``scenes``: number, title, session, frame, time, place, opener, cast, first and last step, order
- ``steps``: everything an entry did: player, speaker, headline, fiction, talk, events (text, rule, kind,
  subject), contest, postings (from, to, amount, unit, rule, why), links, and the file and line of its entry
  in the exported log: line numbers of the original file would reveal how long hidden entries are
- ``balances``: every account with its unit and amount; ``at_most`` is true if the amount is an upper bound, because
  an unknown player paid something; the balances of a unit add up to zero
- ``names``: everything that can be referred to: id, kind, name, aliases
- ``diagnostics``: code, severity, kind, message, file; the line if it is about an entry that is shown,
  otherwise 0
- ``rules``, ``rulings``: those that mattered, and the steps where they did
- ``situation``: the state of play in a sentence; ``unrevealed``: the number of secrets still kept
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cached_property
from typing import Any, Final

from chronicle.core.diagnostic import Diagnostic
from chronicle.core.ledger import Posting
from chronicle.core.record import Contest, Record, Side, Step
from chronicle.core.state_data import holdings
from chronicle.export.books import Day, session_days
from chronicle.export.log import entry_lines_by_step, logs

VERSION: Final = 1
"""The version of this format. It rises when a reader of an older version would fail."""


class ExportedRecord:
    """A record to export, with the data that several formats share."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self._steps_by_session_index: dict[int, list[dict[str, Any]]] = {}

    @cached_property
    def exported_lines_by_session(self) -> list[tuple[str, dict[int, int]]]:
        """For each session the file of its exported log, and the line of each entry in it."""
        file_names_and_texts = [(file_name, text) for file_name, _, text in logs(self.record)][1:]
        return [
            (file_name, entry_lines_by_step(self.record, session_index, text))
            for session_index, (file_name, text) in enumerate(file_names_and_texts)
        ]

    @cached_property
    def data_without_steps(self) -> dict[str, Any]:
        """The record as plain data, without anything unrevealed; ``steps`` is empty."""
        return _record_data_without_steps(self.record, self.exported_lines_by_session)

    @cached_property
    def days(self) -> tuple[Day, ...]:
        """The sessions as days, with their movements."""
        return tuple(session_days(self.record))

    @cached_property
    def accounts(self) -> tuple[str, ...]:
        """Every account of the ledger, in the order of play."""
        accounts: dict[str, None] = {}
        for posting in self.record.ledger.postings:
            accounts[posting.source] = accounts[posting.target] = None
        return tuple(accounts)

    @cached_property
    def units(self) -> tuple[str, ...]:
        """Every unit of the ledger, in the order of play."""
        return tuple(dict.fromkeys(posting.unit for posting in self.record.ledger.postings))

    @property
    def session_indexes(self) -> range:
        """The indexes of the sessions in the record, counted from 0."""
        return range(len(self.record.sessions))

    def steps(self, session_index: int) -> list[dict[str, Any]]:
        """The entries of a session that may be shown."""
        if session_index not in self._steps_by_session_index:
            session = self.record.sessions[session_index]
            steps = self.record.steps[session.first_step - 1 : session.last_step]
            file_name, line_by_step_number = self.exported_lines_by_session[session_index]
            self._steps_by_session_index[session_index] = [
                _step_data(self.record, step, file_name, line_by_step_number.get(step.number, 0))
                for step in steps
                if not step.hidden
            ]
        return self._steps_by_session_index[session_index]


def as_json(exported_record: ExportedRecord) -> str:
    """The record, without anything unrevealed: one entry, scene or balance a line."""
    to_json = json.JSONEncoder(ensure_ascii=False).encode

    def steps_json(session_index: int) -> str:
        return ",\n".join(map(to_json, exported_record.steps(session_index)))

    def item_lines(key: str, items: list[Any]) -> Iterator[str]:
        if key != "steps":
            return map(to_json, items)
        return filter(None, map(steps_json, exported_record.session_indexes))

    member_texts: list[str] = []
    for key, value in exported_record.data_without_steps.items():
        items_text = ",\n".join(item_lines(key, value)) if isinstance(value, list) else ""
        member_value = f"[\n{items_text}\n]" if items_text and key != "hidden" else to_json(value)
        member_texts.append(f"{to_json(key)}: {member_value}")
    return "{\n" + ",\n".join(member_texts) + "\n}\n"


def _record_data_without_steps(
    record: Record, exported_lines_by_session: list[tuple[str, dict[int, int]]]
) -> dict[str, Any]:
    campaign = record.campaign
    hidden_step_numbers = {step.number for step in record.steps if step.hidden}
    file_name_by_path = {campaign.path: "campaign.yaml"}
    exported_line_by_step: dict[int, int] = {}
    for session, (file_name, line_by_step_number) in zip(
        record.sessions, exported_lines_by_session, strict=True
    ):
        file_name_by_path[session.session.path] = file_name
        exported_line_by_step |= line_by_step_number
    return {
        "format": "chronicle-record",
        "version": VERSION,
        "campaign": {
            "title": campaign.title,
            "game": campaign.game,
            "players": [str(name) for name in campaign.settings.players],
            "runner": campaign.facilitator_name,
            "strictness": str(campaign.strictness),
            "summary": str(campaign.settings.summary or ""),
            "authors": [str(name) for name in campaign.settings.authors],
            "licence": str(campaign.settings.licence or ""),
            "language": str(campaign.settings.language),
        },
        "situation": record.situation,
        "sessions": _session_data(record),
        "scenes": _scene_data(record),
        "steps": [],
        "hidden": sorted(hidden_step_numbers),
        "balances": holdings(record),
        "names": [
            {
                "id": named_item.id,
                "kind": named_item.kind,
                "name": named_item.name,
                "aliases": named_item.aliases,
            }
            for named_item in record.names.all.values()
        ],
        "diagnostics": [
            _diagnostic_data(record, diagnostic, file_name_by_path, exported_line_by_step)
            for diagnostic in record.diagnostics
        ],
        "rules": _without_hidden_steps(record.rules_used(), hidden_step_numbers),
        "rulings": _without_hidden_steps(record.rulings_used, hidden_step_numbers),
        "unrevealed": record.unrevealed_count,
    }


def _without_hidden_steps(
    step_numbers_by_rule_id: dict[str, list[int]], hidden_step_numbers: set[int]
) -> dict[str, list[int]]:
    shown_numbers_by_rule_id = {
        rule_id: [
            step_number for step_number in step_numbers if step_number not in hidden_step_numbers
        ]
        for rule_id, step_numbers in step_numbers_by_rule_id.items()
    }
    return {
        rule_id: step_numbers
        for rule_id, step_numbers in shown_numbers_by_rule_id.items()
        if step_numbers
    }


def _session_data(record: Record) -> list[dict[str, Any]]:
    player_names = [player.name for player in record.campaign.players]
    return [
        {
            "number": session.session.number,
            "title": str(session.session.header.title or ""),
            "date": str(session.session.header.date or ""),
            "present": list(session.present),
            "absent": [
                player_name for player_name in player_names if player_name not in session.present
            ],
            "summary": str(session.session.header.summary or ""),
            "first": session.first_step,
            "last": session.last_step,
        }
        for session in record.sessions
    ]


def _scene_data(record: Record) -> list[dict[str, Any]]:
    story_position_by_scene_number = {
        scene.number: position for position, scene in enumerate(record.timeline.story_order(), 1)
    }
    return [
        {
            "number": scene.number,
            "title": scene.title,
            "kind": scene.kind,
            "session": scene.session,
            "frame": str(scene.frame),
            "time": scene.time,
            "place": scene.place,
            "opener": scene.opener,
            "cast": list(scene.cast),
            "first": scene.first_step,
            "last": scene.last_step,
            "closing": scene.closing,
            "branch": scene.branch,
            "continues": scene.continues,
            "marks": scene.marks,
            "order": story_position_by_scene_number.get(scene.number),
        }
        for scene in record.timeline.scenes
    ]


def _step_data(record: Record, step: Step, file_name: str, line_number: int) -> dict[str, Any]:
    action = step.action
    return {
        "number": step.number,
        "anchor": step.anchor,
        "session": step.session,
        "scene": step.scene,
        "parent": step.parent,
        "verb": action.verb,
        "player": step.player,
        "speaker": step.speaker,
        "headline": step.headline,
        "fiction": step.fiction,
        "talk": step.talk,
        "events": [event._asdict() for event in step.events],
        "contest": _contest_data(step.contest) if step.contest is not None else None,
        "throws": [throw._asdict() for throw in step.throws],
        "postings": [_posting_data(posting) for posting in record.postings(step)],
        "links": list(step.links),
        "path": file_name,
        "line": line_number,
    }


def _posting_data(posting: Posting) -> dict[str, Any]:
    return {
        "from": posting.source,
        "to": posting.target,
        "amount": posting.amount,
        "unit": posting.unit,
        "rule": posting.rule,
        "why": posting.why,
    }


def _contest_data(contest: Contest) -> dict[str, Any]:
    return {
        "title": contest.title,
        "sides": [_side_data(side) for side in contest.sides],
        "earlier": [[_side_data(side) for side in sides] for sides in contest.earlier],
        "score": contest.score,
        "unit": contest.unit,
        "outcome": list(contest.outcome),
        "odds": str(contest.odds),
        "rule": contest.rule,
    }


def _side_data(side: Side) -> dict[str, Any]:
    return {
        "name": side.name,
        "player": side.player,
        "dice": [
            {
                "face": die.face,
                "die": die.die,
                "colour": die.colour,
                "hit": die.hit,
                "extra": die.extra,
                "void": die.void,
            }
            for die in side.dice
        ],
        "sources": list(side.sources),
        "result": side.result,
        "won": side.won,
    }


def _diagnostic_data(
    record: Record,
    diagnostic: Diagnostic,
    file_name_by_path: dict[str, str],
    exported_line_by_step: dict[int, int],
) -> dict[str, Any]:
    """A diagnostic. Its message is empty if it could quote an entry that is not shown: a hidden entry, or one
    that could not be read and may contain anything."""
    is_shown = bool(diagnostic.step_number) and not record.step(diagnostic.step_number).hidden
    return {
        "code": diagnostic.full_code,
        "severity": str(diagnostic.severity),
        "kind": str(diagnostic.kind),
        "message": diagnostic.message if is_shown else "",
        "step": diagnostic.step_number,
        "path": file_name_by_path.get(diagnostic.place.path, diagnostic.place.path),
        "line": exported_line_by_step.get(diagnostic.step_number, 0),
    }
