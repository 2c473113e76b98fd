"""The whole record as JSON: ``{"format": "chronicle-record", "version": 1, ...}``.

The order of every list and key is the order of play; the same record always gives the same bytes.

- ``campaign``: title, game, players in seating order, whoever runs the game, strictness, readings
- ``sessions``: number, title, date, present, absent, summary, first and last step
- ``scenes``: number, title, session, frame, time, place, opener, cast, first and last step, order
- ``steps``: everything an entry did: player, speaker, headline, fiction, talk, events (text, rule, kind,
  subject), contest, postings (from, to, amount, unit, rule, why), links, and the file and line of its entry
  in the log as it is exported beside the record: lines of the keeper's own file would tell how long
  hidden entries are
- ``balances``: every account with its unit and amount, which is what it holds ``at_most`` where nobody
  knows who paid something; per unit they add up to zero
- ``names``: everything that can be referred to: id, kind, name, aliases
- ``diagnostics``: code, severity, finding, message, file; the line if it is about an entry that is shown,
  otherwise 0
- ``rules``, ``rulings``: which mattered, and at which steps
- ``situation``: where play stands; ``unrevealed``: how many secrets are still kept
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
from chronicle.export.books import Day, days
from chronicle.export.log import lines_of_entries, logs

VERSION: Final = 1
"""Of the shape; a change that a reader of an older one would stumble over counts it up."""


class Plain:
    """A record to be written down, and what more than one format is made of."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self._steps: dict[int, list[dict[str, Any]]] = {}

    @cached_property
    def places(self) -> list[tuple[str, dict[int, int]]]:
        """For each evening the file of its exported log, and on which line of that each entry stands."""
        files = [(name, text) for name, _, text in logs(self.record)][1:]
        return [
            (name, lines_of_entries(self.record, at, text)) for at, (name, text) in enumerate(files)
        ]

    @cached_property
    def about(self) -> dict[str, Any]:
        """The record as plain data, without what has not been revealed; ``steps`` is empty."""
        return _about(self.record, self.places)

    @cached_property
    def days(self) -> tuple[Day, ...]:
        """The evenings as days, with what moved on each."""
        return tuple(days(self.record))

    @cached_property
    def accounts(self) -> tuple[str, ...]:
        """Every account of the ledger, in the order of play."""
        found: dict[str, None] = {}
        for posting in self.record.ledger.postings:
            found[posting.source] = found[posting.target] = None
        return tuple(found)

    @cached_property
    def units(self) -> tuple[str, ...]:
        """Every unit of the ledger, in the order of play."""
        return tuple(dict.fromkeys(posting.unit for posting in self.record.ledger.postings))

    @property
    def evenings(self) -> range:
        """The evenings by their places in the record, counted from 0."""
        return range(len(self.record.sessions))

    def steps(self, evening: int) -> list[dict[str, Any]]:
        """The entries of an evening that may be shown."""
        if evening not in self._steps:
            one = self.record.sessions[evening]
            shown = self.record.steps[one.first_step - 1 : one.last_step]
            file, numbers = self.places[evening]
            self._steps[evening] = [
                _step(self.record, step, file, numbers.get(step.index, 0))
                for step in shown
                if not step.hidden
            ]
        return self._steps[evening]


def as_json(plain: Plain) -> str:
    """The record, without what has not been revealed: one entry, scene or balance a line."""
    told = json.JSONEncoder(ensure_ascii=False).encode

    def listed(evening: int) -> str:
        return ",\n".join(map(told, plain.steps(evening)))

    def lines(key: str, value: list[Any]) -> Iterator[str]:
        if key != "steps":
            return map(told, value)
        return filter(None, map(listed, plain.evenings))

    parts: list[str] = []
    for key, value in plain.about.items():
        inner = ",\n".join(lines(key, value)) if isinstance(value, list) else ""
        body = f"[\n{inner}\n]" if inner and key != "hidden" else told(value)
        parts.append(f"{told(key)}: {body}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _about(record: Record, places: list[tuple[str, dict[int, int]]]) -> dict[str, Any]:
    campaign = record.campaign
    hidden = {step.index for step in record.steps if step.hidden}
    files = {campaign.path: "campaign.yaml"}
    numbers: dict[int, int] = {}
    for evening, (file, of_evening) in zip(record.sessions, places, strict=True):
        files[evening.session.path] = file
        numbers |= of_evening
    return {
        "format": "chronicle-record",
        "version": VERSION,
        "campaign": {
            "title": campaign.title,
            "game": campaign.game,
            "players": [str(name) for name in campaign.settings.players],
            "runner": campaign.runner,
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
        "diagnostics": [_diagnostic(record, one, files, numbers) for one in record.diagnostics],
        "rules": _without(record.rules_used(), hidden),
        "rulings": _without(record.rulings_used, hidden),
        "unrevealed": record.unrevealed,
    }


def _without(used: dict[str, list[int]], hidden: set[int]) -> dict[str, list[int]]:
    kept = {rule: [step for step in steps if step not in hidden] for rule, steps in used.items()}
    return {rule: steps for rule, steps in kept.items() if steps}


def _sessions(record: Record) -> list[dict[str, Any]]:
    everybody = [player.name for player in record.campaign.players]
    return [
        {
            "number": one.session.number,
            "title": str(one.session.header.title or ""),
            "date": str(one.session.header.date or ""),
            "present": list(one.present),
            "absent": [name for name in everybody if name not in one.present],
            "summary": str(one.session.header.summary or ""),
            "first": one.first_step,
            "last": one.last_step,
        }
        for one in record.sessions
    ]


def _scenes(record: Record) -> list[dict[str, Any]]:
    order = {scene.number: n for n, scene in enumerate(record.timeline.story_order(), 1)}
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
        "number": step.index,
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
    record: Record, one: Diagnostic, files: dict[str, str], numbers: dict[int, int]
) -> dict[str, Any]:
    """A finding. What it says is left out where it could quote an entry that is not shown: one that
    is hidden, and one that could not be read, because nobody knows what that is."""
    shown = bool(one.step) and not record.step(one.step).hidden
    return {
        "code": one.full_code,
        "severity": str(one.severity),
        "finding": str(one.finding),
        "message": one.message if shown else "",
        "step": one.step,
        "path": files.get(one.place.path, one.place.path),
        "line": numbers.get(one.step, 0),
    }
