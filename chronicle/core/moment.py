"""A moment of play in plain data, as ``json.dumps`` takes it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chronicle.core.holes import Counts, is_bound
from chronicle.core.play import Due, Measure, Option, Play


def moment(play: Play[Any]) -> dict[str, Any]:
    """``step`` (its number, 0 above the first), ``situation`` (one sentence), ``due`` (what is owed),
    ``next`` (what may come, what is due first)."""
    due = play.rulebook.due(play)
    return {
        "step": len(play.steps),
        "situation": play.rulebook.situation(play),
        "due": [_due(one) for one in due],
        "next": [
            {"verb": one.verb, "by": one.by, "hint": one.hint, "rule": one.rule}
            for one in likely_first(play.rulebook.options(play), due)
        ],
    }


def likely_first(options: list[Option], due: list[Due]) -> list[Option]:
    """What may come next, what settles something that is due before the rest."""
    wanted = {one.verb for one in due}
    return sorted(options, key=lambda option: option.verb not in wanted)


def holdings(table: Counts) -> list[dict[str, Any]]:
    """What every account holds: ``account``, ``unit``, ``amount``, and whether that is what it holds
    ``at_most``, since nobody knows who paid something."""
    return [
        {
            "account": account,
            "unit": unit,
            "amount": amount,
            "at_most": is_bound(table, account, unit),
        }
        for account, unit, amount in table.ledger.balances()
    ]


def figures(play: Play[Any], measures: Mapping[str, Measure]) -> dict[str, dict[str, int | str]]:
    """The figures that ``assert:`` may state, as they are now: measure to name to figure (the empty name
    is the game's). What the record does not say is left out."""
    found: dict[str, dict[str, int | str]] = {}
    for name, measure in measures.items():
        asked = [""]
        if measure.kinds:
            asked = [id for id, named in play.names.all.items() if named.kind in measure.kinds]
        told = {id: measure.read(play, id) for id in asked}
        said = {
            play.names.all[id].name if id else "": value
            for id, value in told.items()
            if value is not None
        }
        if said:
            found[name] = said
    return found


def _due(one: Due) -> dict[str, Any]:
    return one._asdict() | {
        "sources": [{"label": label, "amount": amount} for label, amount in one.sources]
    }
