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
from chronicle.export.log import lines_of_entries, logs

VERSION: Final = 1
"""The version of this format. It rises when a reader of an older version would fail."""


class ExportedRecord:
    """A record to export, with the data that several formats share."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self._steps: dict[int, list[dict[str, Any]]] = {}

    @cached_property
    def lines_by_session(self) -> list[tuple[str, dict[int, int]]]:
        """For each session the file of its exported log, and the line of each entry in it."""
        files = [(name, text) for name, _, text in logs(self.record)][1:]
        return [
            (name, lines_of_entries(self.record, index, text))
            for index, (name, text) in enumerate(files)
        ]

    @cached_property
    def summary(self) -> dict[str, Any]:
        """The record as plain data, without anything unrevealed; ``steps`` is empty."""
        return _summary(self.record, self.lines_by_session)

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
        if session_index not in self._steps:
            session = self.record.sessions[session_index]
            steps = self.record.steps[session.first_step - 1 : session.last_step]
            file, line_of_step = self.lines_by_session[session_index]
            self._steps[session_index] = [
                _step(self.record, step, file, line_of_step.get(step.number, 0))
                for step in steps
                if not step.hidden
            ]
        return self._steps[session_index]


def as_json(exported: ExportedRecord) -> str:
    """The record, without anything unrevealed: one entry, scene or balance a line."""
    encode = json.JSONEncoder(ensure_ascii=False).encode

    def steps_of(session_index: int) -> str:
        return ",\n".join(map(encode, exported.steps(session_index)))

    def lines(key: str, value: list[Any]) -> Iterator[str]:
        if key != "steps":
            return map(encode, value)
        return filter(None, map(steps_of, exported.session_indexes))

    parts: list[str] = []
    for key, value in exported.summary.items():
        inner = ",\n".join(lines(key, value)) if isinstance(value, list) else ""
        body = f"[\n{inner}\n]" if inner and key != "hidden" else encode(value)
        parts.append(f"{encode(key)}: {body}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _summary(record: Record, lines_by_session: list[tuple[str, dict[int, int]]]) -> dict[str, Any]:
    campaign = record.campaign
    hidden = {step.number for step in record.steps if step.hidden}
    files = {campaign.path: "campaign.yaml"}
    line_of_step: dict[int, int] = {}
    for session, (file, lines) in zip(record.sessions, lines_by_session, strict=True):
        files[session.session.path] = file
        line_of_step |= lines
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
        "sessions": _sessions(record),
        "scenes": _scenes(record),
        "steps": [],
        "hidden": sorted(hidden),
        "balances": holdings(record),
        "names": [
            {"id": named.id, "kind": named.kind, "name": named.name, "aliases": named.aliases}
            for named in record.names.all.values()
        ],
        "diagnostics": [
            _diagnostic(record, diagnostic, files, line_of_step)
            for diagnostic in record.diagnostics
        ],
        "rules": _without(record.rules_used(), hidden),
        "rulings": _without(record.rulings_used, hidden),
        "unrevealed": record.unrevealed_count,
    }


def _without(steps_by_key: dict[str, list[int]], hidden: set[int]) -> dict[str, list[int]]:
    shown_steps = {
        rule: [step for step in steps if step not in hidden] for rule, steps in steps_by_key.items()
    }
    return {rule: steps for rule, steps in shown_steps.items() if steps}


def _sessions(record: Record) -> list[dict[str, Any]]:
    everybody = [player.name for player in record.campaign.players]
    return [
        {
            "number": session.session.number,
            "title": str(session.session.header.title or ""),
            "date": str(session.session.header.date or ""),
            "present": list(session.present),
            "absent": [name for name in everybody if name not in session.present],
            "summary": str(session.session.header.summary or ""),
            "first": session.first_step,
            "last": session.last_step,
        }
        for session in record.sessions
    ]


def _scenes(record: Record) -> list[dict[str, Any]]:
    order = {scene.number: place for place, scene in enumerate(record.timeline.story_order(), 1)}
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
            "order": order.get(scene.number),
        }
        for scene in record.timeline.scenes
    ]


def _step(record: Record, step: Step, file: str, line: int) -> dict[str, Any]:
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
        "contest": _contest(step.contest) if step.contest is not None else None,
        "throws": [throw._asdict() for throw in step.throws],
        "postings": [_posting(posting) for posting in record.postings(step)],
        "links": list(step.links),
        "path": file,
        "line": line,
    }


def _posting(posting: Posting) -> dict[str, Any]:
    return {
        "from": posting.source,
        "to": posting.target,
        "amount": posting.amount,
        "unit": posting.unit,
        "rule": posting.rule,
        "why": posting.why,
    }


def _contest(contest: Contest) -> dict[str, Any]:
    return {
        "title": contest.title,
        "sides": [_side(side) for side in contest.sides],
        "earlier": [[_side(side) for side in sides] for sides in contest.earlier],
        "score": contest.score,
        "unit": contest.unit,
        "outcome": list(contest.outcome),
        "odds": str(contest.odds),
        "rule": contest.rule,
    }


def _side(side: Side) -> dict[str, Any]:
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


def _diagnostic(
    record: Record, diagnostic: Diagnostic, files: dict[str, str], line_of_step: dict[int, int]
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
        "path": files.get(diagnostic.place.path, diagnostic.place.path),
        "line": line_of_step.get(diagnostic.step_number, 0),
    }
